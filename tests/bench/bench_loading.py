"""Loading a full-size data set against bare `json.loads` of the same bytes.

    python tests/bench/bench_loading.py [--samples 461] [--passes 9]

The data set is built from `mini`: 461 samples, 8,500 sessions, 60,000 turns, 24,000 questions, each sample with a
pictures folder of its own. Pictures are not opened. Both sides read the same files, warm, in the same process; the
fastest of several passes counts, in CPU time. Peak memory is shown for a quarter of the samples and for all of them.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import re
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from memarena_arena.worldmemarena import FolderOptions, WorldMemArena

SESSIONS, TURNS, QUESTIONS = 8_500, 60_000, 24_000
"""For 461 samples."""
CHECKPOINTS = 5
PUBLISHED = 461
OPTIONS = FolderOptions(check_pictures=False)

_SESSION = re.compile(r"(?<![/A-Za-z0-9])S\d\d(?!\d)")
"""The id of a session, also within other ids; not in the path of a picture, which stays."""
_YEAR = re.compile(r"(?<=\d, )20\d\d(?=, \d\d:)")


def build(root: Path, samples: int) -> None:
    """Write `samples` samples of full size below `root`, made of those of `mini`."""
    mini = Path(str(files("memarena_arena") / "mini_data"))
    bases = sorted(path for path in mini.rglob("*.json") if path.parent != mini)
    for number, source in zip(range(samples), itertools.cycle(bases), strict=False):
        name = f"{source.stem}_{number:03}"
        folder = root / source.parent.relative_to(mini)
        pictures = folder / "images" / name
        pictures.mkdir(parents=True)
        for picture in (source.parent / "images" / source.stem).glob("*"):
            (pictures / picture.name).touch()
        sample = enlarged(source.read_text(encoding="utf-8"), name, source.stem, number)
        (folder / f"{name}.json").write_text(json.dumps(sample, ensure_ascii=False, indent=1), encoding="utf-8")


def enlarged(text: str, name: str, old_name: str, number: int) -> dict[str, Any]:
    """The sample in `text` with its share of sessions, turns and questions; every copy of a session has a new id."""
    base = json.loads(text.replace(f"images/{old_name}/", f"images/{name}/"))
    gold = {block["session_id"]: block["memory_points"] for block in base["memory_points"]}
    count, turns = _share(SESSIONS, number), _share(TURNS, number)
    sessions, blocks = [], []
    for index, session in zip(range(count), itertools.cycle(base["sessions"]), strict=False):
        old = session["_v2_session_id"]
        length = turns // count + (index < turns % count)
        dialogue = _lengthened(session["dialogue"], length)
        points = session.get("memory_points") or gold.get(old, [])
        names = {old: f"S{index:02}"}
        years = 4 * (index // len(base["sessions"]))
        sessions.append(_renamed({"_v2_session_id": old, "dialogue": dialogue}, names, years))
        blocks.append(_renamed({"session_id": old, "memory_points": points}, names))
    sessions[0]["memory_points"] = blocks.pop(0)["memory_points"]
    names = {session["_v2_session_id"]: f"S{index:02}" for index, session in enumerate(base["sessions"])}
    questions = [question for checkpoint in base["qa_checkpoints"] for question in checkpoint["questions"]]
    asked = _renamed(list(itertools.islice(itertools.cycle(questions), _share(QUESTIONS, number))), names)
    covered = [sessions[-1]["_v2_session_id"]]
    checkpoints = [
        {"checkpoint_id": f"QA{index:02}", "covered_sessions": covered, "questions": asked[index::CHECKPOINTS]}
        for index in range(CHECKPOINTS)
    ]
    return {"sample_id": name, "sessions": sessions, "memory_points": blocks, "qa_checkpoints": checkpoints}


def main() -> None:
    """Build, measure, print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--samples", type=int, default=PUBLISHED)
    arguments.add_argument("--passes", type=int, default=9)
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build(root, asked.samples)
        paths = sorted(root.rglob("*.json"))
        size = sum(path.stat().st_size for path in paths)
        print(f"{_held(root)}, {size / 1e6:.1f} MB of JSON")
        bare, loaded = fastest([lambda: _parse(paths), lambda: _load(root)], asked.passes)
        print(f"json.loads {bare * 1e3:.0f} ms, loading {loaded * 1e3:.0f} ms: {loaded / bare:.2f} times (target 1.5)")
        part, whole = peak(_load_some(root, asked.samples // 4)), peak(_load_some(root, None))
        print(f"peak memory {part / 1e6:.1f} MB for a quarter of the samples, {whole / 1e6:.1f} MB for all")


def fastest(works: list[Callable[[], None]], passes: int) -> list[float]:
    """CPU seconds of the fastest pass of each, taken in turns so that a busy machine slows them alike."""
    best = [float("inf")] * len(works)
    for _ in range(passes):
        for index, work in enumerate(works):
            gc.collect()
            start = time.process_time()
            work()
            best[index] = min(best[index], time.process_time() - start)
    return best


def peak(work: Callable[[], None]) -> int:
    """The most bytes that Python held during `work`."""
    gc.collect()
    tracemalloc.start()
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def _parse(paths: list[Path]) -> None:
    for path in paths:
        json.loads(path.read_bytes())


def _load(root: Path) -> None:
    for _ in WorldMemArena().open(str(root), OPTIONS):
        pass


def _load_some(root: Path, limit: int | None) -> Callable[[], None]:
    def work() -> None:
        for _ in itertools.islice(WorldMemArena().open(str(root), OPTIONS), limit):
            pass

    return work


def _held(root: Path) -> str:
    opened = WorldMemArena().open(str(root), OPTIONS)
    counts = [0, 0, 0, 0]
    for sample in opened:
        counts[0] += 1
        counts[1] += len(sample.sessions)
        counts[2] += sum(len(session.turns) for session in sample.sessions)
        counts[3] += sum(len(checkpoint.questions) for checkpoint in sample.checkpoints)
    odd = f" (odd: {opened.report.counts})" if opened.report.counts else ""
    return "{:,} samples, {:,} sessions, {:,} turns, {:,} questions".format(*counts) + odd


def _share(total: int, number: int) -> int:
    """What sample `number` of 461 gets of `total`, so that the shares add up to it."""
    return total * (number + 1) // PUBLISHED - total * number // PUBLISHED


def _lengthened(dialogue: list[dict[str, Any]], length: int) -> list[dict[str, Any]]:
    """As many turns; a turn that comes again brings no pictures."""
    again = [{key: value for key, value in turn.items() if key != "attachments"} for turn in dialogue]
    return list(itertools.islice(itertools.chain(dialogue, itertools.cycle(again)), length))


def _renamed(value: Any, names: Mapping[str, str], years: int = 0) -> Any:
    text = json.dumps(value, ensure_ascii=False)
    text = _YEAR.sub(lambda found: str(int(found.group()) + years), text)
    return json.loads(_SESSION.sub(lambda found: names.get(found.group(), found.group()), text))


if __name__ == "__main__":
    main()
