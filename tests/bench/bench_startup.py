"""CPU time of `memarena --help` and `list-adapters` with 20 distributions installed, against `python -c pass`.

Run it: python tests/bench/bench_startup.py
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

DISTRIBUTIONS = 20
ROUNDS = 20
TARGETS = {"--help": 8.0, "list-adapters": 12.0}


def install(folder: Path, name: str, entry_points: str) -> None:
    """Write the metadata of a distribution into `folder`, as pip would."""
    home = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    home.mkdir()
    (home / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\nSummary: A system.\n", "utf-8")
    (home / "entry_points.txt").write_text(entry_points, "utf-8")


def cpu_seconds(command: list[str], environment: dict[str, str]) -> float:
    """User and system time of one run of `command`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(folder: Path) -> dict[str, float]:
    """The median CPU seconds of each command; the commands take turns, so that noise meets all of them."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    commands = {"pass": [sys.executable, "-c", "pass"]}
    for words in TARGETS:
        commands[words] = [sys.executable, "-m", "memarena", words]
    seconds: dict[str, list[float]] = {words: [] for words in commands}
    for _ in range(ROUNDS):
        for words, command in commands.items():
            seconds[words].append(cpu_seconds(command, environment))
    return {words: statistics.median(found) for words, found in seconds.items()}


def main() -> int:
    """Print the ratios; exit code 1 where one is above its target."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(DISTRIBUTIONS):
            points = f"[memarena.adapters]\nsystem{number} = nowhere{number}:System\n"
            install(folder, f"memarena-system{number}", points)
        found = measure(folder)
    bare = found.pop("pass")
    print(f"python -c pass: {bare * 1000:.1f} ms of CPU")
    for words, seconds in found.items():
        ratio = seconds / bare
        print(f"memarena {words}: {seconds * 1000:.1f} ms, {ratio:.1f} times bare Python (at most {TARGETS[words]:g})")
    return int(any(seconds / bare > TARGETS[words] for words, seconds in found.items()))


if __name__ == "__main__":
    sys.exit(main())
