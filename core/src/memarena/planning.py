"""What a run will do, checked before any work or cost: plugins, options, the data set, and the header of the folder."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from memarena import codec
from memarena.config import Settings, masked
from memarena.datasets import resolve
from memarena.errors import PluginLoadError, UsageError
from memarena.hookspecs import HOOK_API
from memarena.models import JUDGE, choose
from memarena.mounting import Host, PlannedAdapter, RunPlan, environment, hosts, mount
from memarena.option_flags import Names, OptionFlags, options_of_adapter
from memarena.oracles import FED, GOLD_EVIDENCE, RETRIEVE
from memarena.parts import judge_identity, load_instruments, load_part, load_scorers, needs_model, plugin_row
from memarena.protocols import Answerer, Judge, LoadReport
from memarena.records import Sample
from memarena.run_settings import ARENA, OPTION_FLAGS
from memarena.rundata import RunData, inspect
from memarena.selectors import AdapterChoice

ANSWER, ANSWERER, GATEWAY = "answer", "answerer", "gateway"
NOT_IN_HEADER = frozenset(
    {
        *("suite", "agent", "data", "adapters", "options", "models", "python", "isolate", "force_decoding"),
        *("preset", "jobs", "judge_jobs", "time_limit", "memory_limit", "record", "out", *OPTION_FLAGS),
    }
)
"""Settings that stand elsewhere in the header, or change nothing that is recorded."""


@dataclass(kw_only=True)
class Plan(RunPlan):
    """A run of the suite `arena` that can start."""

    answerer: Answerer
    judge: Judge
    judge_identity: Mapping[str, object]
    scorers: Sequence[Any]
    judge_jobs: int
    samples: Callable[[], Iterable[Sample]]
    report: LoadReport
    totals: Mapping[str, int]


def plan(settings: Settings, *, notice: Callable[[str], None] = lambda text: None) -> Plan:
    """Check everything that `settings` ask for; raises a MemarenaError for the first thing that is wrong.

    An adapter that is installed but broken does not raise: it becomes a failed row, unless no other is left.
    """
    values = settings.values
    if settings.origin["agent"] == "--agent":
        raise UsageError(f"--agent: in the suite {ARENA} nobody acts; leave it out, or name a suite with --suite")
    choices = _choices(settings)
    dataset = resolve(values["data"])
    parts = (values["answerer"], values["judge"], ANSWERER, JUDGE, dataset.name, GATEWAY)
    options = settings.options([choice.label for choice in choices] + [*parts])
    alone = hosts(choices, values)
    answerer, answerer_row = load_part("answerers", values["answerer"], _options_of(ANSWERER, values, options))
    judge, judge_row = load_part("judges", values["judge"], _options_of(JUDGE, values, options))
    scorers = load_scorers()
    wanted = {role: part.name for role, part in ((ANSWER, answerer), (JUDGE, judge)) if needs_model(part)}
    models = choose(settings, options.get(GATEWAY, {}), wanted)
    around, instruments = load_instruments(values["instruments"])
    flags = OptionFlags(settings)
    adapters = mount_all(choices, options, alone, values, flags)
    flags.check()
    refuse_if_none_left(adapters, RETRIEVE in values["oracle"])
    opened = RunData(settings, options.get(dataset.name, {}))
    samples, totals = inspect(opened, notice)
    _refuse_oracles_without_gold(values["oracle"], totals)
    header = {
        "memarena": version(),
        "hook_api": list(HOOK_API),
        "suite": ARENA,
        "settings": {name: values[name] for name in values if name not in NOT_IN_HEADER},
        "adapters": [*adapter_rows(adapters), *_oracle_rows(values["oracle"])],
        "plugins": {
            "answerer": answerer_row,
            "judge": judge_row,
            "scorers": [plugin_row(row, scorer) for row, scorer in scorers],
            "instruments": around,
        },
        "models": models.row,
        "data": opened.row(plugin_row(dataset.entry, dataset.entry.load()), samples),
    }
    return Plan(
        header=codec.plain(header),
        adapters=adapters,
        instruments=instruments,
        answerer=answerer,
        judge=judge,
        judge_identity=judge_identity(judge, judge_row, models),
        scorers=[scorer for _, scorer in scorers],
        jobs=values["jobs"],
        judge_jobs=values["judge_jobs"] or values["jobs"],
        samples=opened.samples,
        report=opened.report,
        totals=totals,
        models=models,
    )


def adapter_rows(adapters: Mapping[str, PlannedAdapter]) -> list[dict[str, Any]]:
    """How the header of a run knows its adapters; secrets among the options are masked."""
    return [{**one.row, "options": masked(one.options)} for one in adapters.values()]


def mount_all(
    choices: Sequence[AdapterChoice],
    options: Mapping[str, Mapping[str, Any]],
    alone: Mapping[str, Host | None],
    values: Mapping[str, Any],
    flags: OptionFlags,
) -> dict[str, PlannedAdapter]:
    """All adapters by label, each followed by the rows in which gold replaces a stage of it.

    Raises UsageError where a label that ends as `flags` say is taken.
    """
    found: dict[str, PlannedAdapter] = {}
    for choice in choices:
        spare = environment(choice, seconds=values["time_limit"], memory_mib=values["memory_limit"])
        host = alone[choice.label]
        own, mark = flags.applied(options.get(choice.label, {}), partial(_names, choice, host, spare))
        if mark and any(other.label.casefold() == f"{choice.label}{mark}".casefold() for other in choices):
            raise UsageError(f"two adapters are labelled {choice.label}{mark}: give one a label of its own, LABEL=NAME")
        plain = mount(choice._replace(label=choice.label + mark), own, host, spare=spare)
        fed = [plain.with_oracle(stage) for stage in values["oracle"] if stage in FED]
        found |= {one.label: one for one in (plain, *fed)}
    return found


def _names(choice: AdapterChoice, host: Host | None, spare: Host | None) -> Names:
    """The options of an adapter, as it is in `spare` where it cannot be loaded."""
    found = options_of_adapter(choice, host)
    return options_of_adapter(choice, spare) if found is None and host is None and spare is not None else found


def _choices(settings: Settings) -> tuple[AdapterChoice, ...]:
    """The adapters to run; raises UsageError where nothing is to be run, or on nothing."""
    choices, oracles = settings.adapters(), settings["oracle"]
    if not choices and RETRIEVE not in oracles:
        raise UsageError("no memory system was chosen: name one with -a, e.g. -a bm25 (see memarena list-adapters)")
    if RETRIEVE in oracles and GOLD_EVIDENCE in [choice.label.casefold() for choice in choices]:
        raise UsageError(
            f"the label {GOLD_EVIDENCE!r} is that of the row of --oracle retrieve: give the adapter another, LABEL=NAME"
        )
    if not settings["data"]:
        raise UsageError("no data set was chosen: name one with -d, e.g. -d mini")
    return choices


def _options_of(role: str, values: Mapping[str, Any], options: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Options of the answerer or the judge, given by its name or by its role."""
    return {**options.get(values[role], {}), **options.get(role, {})}


def refuse_if_none_left(adapters: Mapping[str, PlannedAdapter], others: bool) -> None:
    """Raise PluginLoadError where no adapter can be run, and there are no `others` to run."""
    failures = [adapter.failure for adapter in adapters.values()]
    if failures and all(failures) and not others:
        raise PluginLoadError(failures[0])


def _oracle_rows(oracles: Sequence[str]) -> list[dict[str, Any]]:
    row = {"label": GOLD_EVIDENCE, "name": f"oracle:{RETRIEVE}", "distribution": "memarena", "version": version()}
    return [{**row, "options": {}}] if RETRIEVE in oracles else []


def _refuse_oracles_without_gold(oracles: Sequence[str], totals: Mapping[str, int]) -> None:
    fed = [stage for stage in oracles if stage in FED]
    if fed and not totals["points"]:
        raise UsageError(
            f"--oracle {fed[0]} tells the systems the gold points of the data, and this data set has none; "
            f"--oracle {RETRIEVE} needs only evidence"
        )


def version() -> str:
    """That of memarena."""
    return str(sys.modules["memarena"].__version__)
