"""Pictures a second by kind: drawn and encoded, and read back.

    python tests/bench/bench_pictures.py [--each 20]

CPU time of one process. The fields are those of built samples; the target is the pictures of a set of the paper's size,
about 15,600, in 60 minutes on two cores, with all that is drawn read back.
"""

from __future__ import annotations

import argparse
import time

from memarena_builder.contact import examples
from memarena_builder.pictures.drawers import draw
from memarena_builder.pictures.readback import unread

PICTURES, MINUTES, CORES = 15_600, 60, 2


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=20)
    each = parser.parse_args().each
    kinds = {kind: specs for kind, specs in examples(each).items() if specs}
    for specs in kinds.values():
        draw(specs[0])
    whole, count = 0.0, 0
    print(f"{'kind':<12} {'draw ms':>8} {'read ms':>8} {'a second':>9} {'KB':>6}  read back at first")
    for kind, specs in kinds.items():
        begun = time.process_time()
        drawings = [draw(spec) for spec in specs]
        drawn = time.process_time()
        read = sum(not list(unread(spec, drawing)) for spec, drawing in zip(specs, drawings, strict=True))
        done = time.process_time()
        whole, count = whole + done - begun, count + len(specs)
        size = sum(len(drawing.png) for drawing in drawings) / len(specs) / 1000
        draw_ms, read_ms = (drawn - begun) / len(specs) * 1000, (done - drawn) / len(specs) * 1000
        second = len(specs) / (done - begun)
        print(f"{kind:<12} {draw_ms:8.1f} {read_ms:8.1f} {second:9.1f} {size:6.1f}  {read} of {len(specs)}")
    minutes = whole / count * PICTURES / 60 / CORES
    print(
        f"all kinds: {count / whole:.1f} pictures a second and core; {PICTURES:,} in {minutes:.1f} min on {CORES} cores"
    )
    print(f"target {MINUTES} min: {'met' if minutes < MINUTES else 'missed'}")


if __name__ == "__main__":
    main()
