"""The settings of a run that a reader looks for first."""

from __future__ import annotations

from memarena_report.judging import judging
from memarena_report.scores import Scores
from memarena_report.splits import splits_seen


def setup(scores: Scores) -> list[tuple[str, str]]:
    """Each by its name; which splits were seen where the data set has some."""
    settings, plugins = scores.settings, scores.header["plugins"]
    budget = settings.get("budget_tokens")
    found = [
        ("answerer", plugins["answerer"]["name"]),
        ("judge", judging(scores.header).mark.removeprefix("judge ")),
        ("items asked for", f"k = {settings['top_k']}"),
        ("pictures", "on" if settings["pictures"] else "off"),
        ("captions", str(settings["captions"])),
        ("budget", f"{budget:,} tokens" if budget else "no limit"),
        ("seed", str(settings["seed"])),
        ("repeats", str(settings["repeats"])),
    ]
    if split := splits_seen(scores):
        found.append(("samples by split", split))
    if scores.oracles:
        found.append(("oracles", ", ".join(scores.oracles)))
    return found
