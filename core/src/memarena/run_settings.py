"""The settings of a run, as one table: name, kind, default, flag and what it is for."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from memarena.presets import PRESETS

ARENA = "arena"
"""The suite of the core: sessions are replayed, questions are asked at checkpoints."""
ORACLES = ("write", "maintain", "retrieve")

SWITCHES: Mapping[str, bool] = {
    **dict.fromkeys(("on", "true", "yes", "1"), True),
    **dict.fromkeys(("off", "false", "no", "0"), False),
}


class Kind(NamedTuple):
    """What a setting may be."""

    expects: str
    """For the message: `a whole number of at least 1`."""
    accepts: Callable[[Any], bool]
    parse: Callable[[str], Any]
    """From the text of an environment variable; raises ValueError or KeyError where it cannot be read."""


def _number(least: int) -> Kind:
    return Kind(
        f"a whole number of at least {least}",
        lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least,
        int,
    )


def _one_of(*words: str) -> Kind:
    return Kind(f"one of {', '.join(words)}", lambda value: value in words, str)


def _texts_from(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _is_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(part, str) and part for part in value)


def _several_of(*words: str) -> Kind:
    return Kind(f"some of {', '.join(words)}", lambda value: _is_texts(value) and set(value) <= set(words), _texts_from)


TEXT = Kind("a text", lambda value: isinstance(value, str) and value != "", str)
TEXTS = Kind("a list of texts", _is_texts, _texts_from)
LINES = TEXTS._replace(parse=lambda text: tuple(filter(None, map(str.strip, text.splitlines()))))
SWITCH = Kind("true or false", lambda value: isinstance(value, bool), lambda text: SWITCHES[text.strip().lower()])


class Setting(NamedTuple):
    """One setting of a run."""

    name: str
    kind: Kind
    default: Any
    """None: not set."""
    flag: str
    about: str

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return f"MEMARENA_{self.name.upper()}"


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


SETTINGS: tuple[Setting, ...] = (
    Setting("preset", _one_of(*PRESETS), None, "--preset", "a named set of settings; what is set elsewhere wins"),
    Setting("suite", TEXT, ARENA, "--suite", "evaluation protocol"),
    Setting("data", TEXT, None, "-d", "data set: PATH, or NAME[:SOURCE]"),
    Setting("adapters", TEXTS, (), "-a", "memory systems: [LABEL=]NAME[@DIST]"),
    Setting("options", LINES, (), "-o", "options of plugins: LABEL.key=value"),
    Setting("answerer", TEXT, "extractive", "--answerer", "who turns what was retrieved into an answer"),
    Setting("judge", TEXT, "lexical", "--judge", "who decides labels"),
    Setting("agent", TEXT, None, "--agent", "who acts, in a suite that is played"),
    Setting("models", TEXTS, (), "--model", "models that are used: [ROLE=]NAME; roles: inner, embed, answer, judge"),
    Setting("force_decoding", SWITCH, False, "--force-decoding", "temperature 0 and the run's seed for every model"),
    Setting(
        "record",
        _one_of("live", "record", "replay", "auto"),
        "auto",
        "--record",
        "model calls: ask and keep none, ask and keep all, only what was kept, or what was kept and ask the rest",
    ),
    Setting("replay_from", TEXT, None, "--replay-from", "run folder whose recorded model calls are replayed"),
    Setting("top_k", _number(1), 10, "--top-k", "items that are asked for at each question"),
    Setting("pictures", SWITCH, True, "--pictures", "hand pictures to the systems and the answerer"),
    Setting("captions", _one_of("none", "given", "full"), "given", "--captions", "captions of pictures that are shown"),
    Setting(
        "evidence_mode",
        _one_of("memory", "session"),
        "memory",
        "--evidence-mode",
        "what the answerer is shown: the retrieved items, or the whole sessions that they come from",
    ),
    Setting("max_pictures", _number(0), 5, "--max-pictures", "pictures that the answerer is shown at most"),
    Setting("budget_tokens", _number(1), None, "--budget-tokens", "tokens that the answerer is shown at most"),
    Setting(
        "oracle",
        _several_of(*ORACLES),
        (),
        "--oracle",
        "stages that gold replaces, each in a row of its own: write, maintain, retrieve",
    ),
    Setting("overlay", TEXT, None, "--overlay", "overlay of a data set, e.g. the audit of its answer key"),
    Setting("split", TEXT, None, "--split", "split of the data set"),
    Setting("sample", TEXTS, (), "--sample", "samples to run, by id"),
    Setting("limit", _number(1), None, "--limit", "run the first N samples only"),
    Setting("seed", _number(0), 0, "--seed", "seed of everything that is drawn"),
    Setting("repeats", _number(1), 1, "--repeats", "times that each cell is run"),
    Setting("jobs", _number(1), min(_cores(), 8), "--jobs", "cells at work at one time"),
    Setting("judge_jobs", _number(1), None, "--judge-jobs", "judgements at one time, where not as many as cells"),
    Setting("isolate", _one_of("process"), None, "--isolate", "give each adapter a process of its own"),
    Setting("python", TEXTS, (), "--python", "interpreter of an adapter's own: LABEL=PATH"),
    Setting("time_limit", _number(0), 600, "--time-limit", "seconds for a call of an isolated adapter; 0: no limit"),
    Setting("memory_limit", _number(0), 0, "--memory-limit", "MiB for an isolated adapter; 0: no limit"),
    Setting(
        "allow_unsandboxed",
        SWITCH,
        False,
        "--allow-unsandboxed",
        "run agents also where nothing can hold them: sets the option allow_unsandboxed of all that have it",
    ),
    Setting(
        "harness_context",
        SWITCH,
        False,
        "--harness-context",
        "agents answer from their context, as the baseline LABEL-context: sets the option context of all that have it",
    ),
    Setting("out", TEXT, None, "--out", "run folder"),
    Setting("instruments", TEXTS, (), "--instrument", "further instruments around each adapter"),
)
BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}


class OptionFlag(NamedTuple):
    """What a setting stands for."""

    option: str
    """The option of plugins that it sets."""
    mark: str = ""
    """What the label of an adapter ends with then: its rows are of another kind."""


OPTION_FLAGS: Mapping[str, OptionFlag] = {
    "allow_unsandboxed": OptionFlag("allow_unsandboxed"),
    "harness_context": OptionFlag("context", mark="-context"),
}
"""Settings that set an option of every plugin of a run that has it."""
