"""Every record that passes between the loop and a plugin: frozen, keyword-only, tuples inside.

Three groups, in this order:

* what an adapter sees and gives back (no gold anywhere in it);
* what a data set holds, gold included;
* what scorers and judges see and give back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

import msgspec
from msgspec import Struct

NOT_MENTIONED = "Not mentioned in memory."
"""The reference answer of an unanswerable question, and how a system abstains."""

AXES: Mapping[str, tuple[str, ...]] = {
    "basic": ("FR",),
    "robustness": ("DU", "MB", "MC"),
    "reasoning": ("TR", "KR", "TTL"),
    "multimodal": ("VFR", "VS", "VU", "CMR"),
}
"""The axes and their question types (paper, table 4)."""

TYPES: tuple[str, ...] = tuple(name for names in AXES.values() for name in names)
"""The eleven question types, in the order of the axes."""

Op = Literal["add", "update", "merge", "keep", "suppress", "archive", "delete"]
Status = Literal["active", "archived", "suppressed"]


class Record(Struct, frozen=True, omit_defaults=True):
    """Base of all records.

    Those of which a data set has thousands are made with `gc=False`: nothing in them can point back at them.
    """


# -- what an adapter sees and gives back ------------------------------------------------------


class Attachment(Record, frozen=True, kw_only=True, gc=False):
    """A picture of a turn or of a question."""

    image_id: str = ""
    """Id within the sample, e.g. `S04_img_1`."""
    path: str | None = None
    """Absolute path; None where the picture is missing or pictures are switched off."""
    caption: str = ""
    """As the run's `--captions` allows; "" where there is none."""
    caption_full: str = ""
    """The fullest caption the data set has; never shown to an adapter (its `caption` may hold it)."""
    media_type: str = ""
    """E.g. `image/png`; "" where unknown."""
    missing: bool = False
    """The data set names the picture but does not hold it."""


class TurnParts(Record, frozen=True, kw_only=True, gc=False):
    """The parts of a turn in an agent's trajectory, where the data set knows them."""

    observation: str = ""
    reasoning: str = ""
    action: str = ""
    feedback: str = ""


class Turn(Record, frozen=True, kw_only=True, gc=False):
    """One message. `text` always holds the whole: what was said and, for each picture, its id and caption."""

    turn_id: str
    """Unique within the sample, e.g. `S04:T003`."""
    session_id: str
    index: int
    """Zero-based place in the session as the data set has it."""
    role: str = "user"
    """`user`, `assistant`, `system`, `agent`, `environment` or whatever the data set says."""
    speaker: str = ""
    """The speaker's name where the data set has one, else ""."""
    text: str = ""
    body: str = ""
    """`text` without the picture blocks."""
    time: str | None = None
    """As given by the data set, never made up; None where it has none."""
    attachments: tuple[Attachment, ...] = ()
    parts: TurnParts | None = None


class Endpoint(Record, frozen=True, kw_only=True):
    """An OpenAI-compatible endpoint for one cell."""

    base_url: str
    model: str
    api_key: str
    """Made for this cell, worthless outside it."""


class RunContext(Record, frozen=True, kw_only=True):
    """What `reset` is given."""

    folder: str
    """A fresh private folder (absolute path); an adapter writes nowhere else."""
    namespace: str
    """Unique for this cell: use it where a shared server needs a user or collection name."""
    seed: int = 0
    options: Mapping[str, Any] = {}
    """What the user set with `-o LABEL.key=value` and the adapter has no `Options` for."""
    model: Endpoint | None = None
    embedding: Endpoint | None = None
    pictures: bool = True
    captions: str = "given"
    budget_seconds: float | None = None
    budget_tokens: int | None = None


class MemoryItem(Record, frozen=True, kw_only=True):
    """One thing that a system keeps."""

    memory_id: str
    """Stable while the item lives, unique within a snapshot."""
    text: str
    status: Status = "active"
    session_id: str | None = None
    """Session of origin, where the system knows it."""
    turn_ids: tuple[str, ...] = ()
    """Turns of origin, where the system knows them."""
    image_id: str = ""
    image_path: str = ""
    backend_id: str = ""
    metadata: Mapping[str, Any] = {}

    def added(self) -> MemoryChange:
        """The change that says that this item is new."""
        return MemoryChange(op="add", memory_id=self.memory_id, text=self.text)


class MemoryChange(Record, frozen=True, kw_only=True):
    """What one session did to one item."""

    op: Op
    memory_id: str
    text: str = ""
    """The text after the change; the last text for suppress, archive and delete."""
    previous: tuple[str, ...] = ()
    """Texts that this change replaced."""
    replaces: tuple[str, ...] = ()
    """Ids of items that this change replaced."""


class RetrievedItem(Record, frozen=True, kw_only=True):
    """One item of a ranked list; the rank is its place in the list, from 1."""

    memory_id: str
    text: str
    score: float | None = None
    session_id: str | None = None
    turn_ids: tuple[str, ...] = ()
    image_id: str = ""
    image_path: str = ""
    backend_id: str = ""
    metadata: Mapping[str, Any] = {}


class Retrieval(Record, frozen=True, kw_only=True):
    """What `retrieve` returns: ranked items, best first, and the raw trace of how they were found."""

    query: str
    items: tuple[RetrievedItem, ...] = ()
    trace: Mapping[str, Any] = {}

    @classmethod
    def of(
        cls,
        query: str,
        items: Iterable[MemoryItem | RetrievedItem],
        scores: Iterable[float] | None = None,
        trace: Mapping[str, Any] | None = None,
    ) -> Self:
        """Rank `items` as they come, with `scores` (one an item) where there are some."""
        ranked = tuple(items)
        marks: Sequence[float | None] = (None,) * len(ranked) if scores is None else tuple(scores)
        return cls(
            query=query,
            items=tuple(_ranked(item, mark) for item, mark in zip(ranked, marks, strict=True)),
            trace=trace or {},
        )


def _ranked(item: MemoryItem | RetrievedItem, score: float | None) -> RetrievedItem:
    if isinstance(item, RetrievedItem):
        return item if score is None else msgspec.structs.replace(item, score=score)
    return RetrievedItem(
        memory_id=item.memory_id,
        text=item.text,
        score=score,
        session_id=item.session_id,
        turn_ids=item.turn_ids,
        image_id=item.image_id,
        image_path=item.image_path,
        backend_id=item.backend_id,
        metadata=item.metadata,
    )


class Capabilities(Record, frozen=True, kw_only=True):
    """What a system can do: constant. A missing capability turns a test off, never a score down."""

    modalities: tuple[str, ...] = ("text",)
    """Among `text`, `image`."""
    state: bool = True
    """`snapshot_memories` shows all that is kept; False: scored on answers, cost and time only."""
    ranked: bool = True
    """`retrieve` ranks items; False (one bundle): ranking scores are not measured."""
    delta: bool = False
    """`export_memory_delta` tells what a session did; False: the core derives it."""
    updates: bool = False
    """A fact that is superseded in the dialogue is replaced in the store."""
    verbatim: bool | None = None
    """Keeps turns word for word (True), rewrites them (False), not said (None)."""
    answers: bool = False
    """Answers by itself through `answer`."""
    persistent: bool = False
    """`reopen` finds in the folder all that an earlier process left there."""
    parallel_safe: bool = True
    """Two instances may work at the same time in one process."""
    versions: Mapping[str, str] = {}
    """Version of each library or server behind the adapter."""
    remarks: tuple[str, ...] = ()
    """What a reader of its scores must know, in a few words each: reports warn of them."""


class AskedQuestion(Record, frozen=True, kw_only=True):
    """A question as a system sees it: no reference, no evidence, no type."""

    question_id: str
    """Opaque, unique within the sample."""
    text: str
    """The whole: what is asked and, for each picture, its id and caption."""
    time: str | None = None
    attachments: tuple[Attachment, ...] = ()
    budget_tokens: int | None = None


class ShownItem(Record, frozen=True, kw_only=True):
    """An item as the answerer sees it."""

    rank: int
    """Place in the retrieved list, from 1."""
    memory_id: str
    text: str
    image_id: str = ""
    image_path: str = ""
    """"" where the picture was not handed over."""


class Shown(Record, frozen=True, kw_only=True):
    """What is left of a retrieval after the budgets of items, tokens and pictures."""

    items: tuple[ShownItem, ...] = ()
    tokens: int = 0
    """Estimated tokens of all texts."""
    cut_items: int = 0
    cut_tokens: int = 0
    cut_pictures: int = 0


class Answer(Record, frozen=True, kw_only=True):
    """An answer; an empty text means that the system gave none."""

    question_id: str
    text: str
    cited: tuple[str, ...] = ()
    """Ids of the items it rests on, where known."""
    error: str = ""
    """Why there is no answer; "" where there is one."""
    metadata: Mapping[str, Any] = {}


# -- what a data set holds --------------------------------------------------------------------


class GoldPoint(Record, frozen=True, kw_only=True, gc=False):
    """A fact that should be in memory after a session (new, update), or should be refused (interference)."""

    memory_id: str
    content: str
    session_id: str
    kind: Literal["new", "update", "interference"] = "new"
    importance: float | None = None
    """0 to 1; None where the data set does not say."""
    replaces: tuple[str, ...] = ()
    """Texts of the facts that an update supersedes."""
    update_type: str = ""
    point_type: str = ""
    """E.g. `Persona Memory`; passed through."""
    source: str = ""
    time: str | None = None
    modality: str = ""
    """`text`, `visual`, `mixed`, or "" where unknown."""
    fact_kind: str = ""
    """`stated`, `tool feedback`, `failed action`, `visual detail`, `cause`, or "" where unknown."""
    turn_ids: tuple[str, ...] = ()
    image_ids: tuple[str, ...] = ()


class Evidence(Record, frozen=True, kw_only=True, gc=False):
    """A point that a question rests on. It stays where it cannot be resolved, with content None."""

    evidence_id: str
    content: str | None = None
    """The gold content, or `image_id: <id>` for a picture; None where unresolved."""
    session_id: str | None = None
    turn_ids: tuple[str, ...] = ()
    image_id: str = ""
    """Set where the evidence is a picture."""
    caption: str = ""
    """The fullest caption of that picture."""
    kind: str = ""
    """`new`, `update`, `interference`, `image`, `turn`, or "" where unresolved."""
    fact_kind: str = ""
    modality: str = ""
    importance: float | None = None
    replaces: tuple[str, ...] = ()


class Question(Record, frozen=True, kw_only=True, gc=False):
    """A question with its gold."""

    question_id: str
    """Unique within the sample: `<checkpoint>:Q001`."""
    text: str
    reference: str
    type: str = "UNKNOWN"
    """One of the eleven, or what the data set says; `UNKNOWN` where it does not."""
    evidence: tuple[Evidence, ...] = ()
    difficulty: str = ""
    answerable: bool = True
    time: str | None = None
    attachments: tuple[Attachment, ...] = ()
    aliases: tuple[str, ...] = ()
    """Further answers, any of which is as right as `reference`."""
    stale_answers: tuple[str, ...] = ()
    """Answers that were right once, or that a trap suggests."""
    known_wrong: str = ""
    """Why an overlay calls this item's gold wrong; "" where nothing is known against it."""
    raw_type: str = ""

    @property
    def right(self) -> str:
        """What people are shown: the reference and, behind `or`, each alias."""
        return " or ".join((self.reference, *self.aliases))


class Checkpoint(Record, frozen=True, kw_only=True, gc=False):
    """A stop after a session at which questions are asked."""

    checkpoint_id: str
    covered: tuple[str, ...]
    after_session: str | None
    """The latest covered session in list order; None: not reachable, its questions are never asked."""
    questions: tuple[Question, ...] = ()


class Session(Record, frozen=True, kw_only=True, gc=False):
    session_id: str
    turns: tuple[Turn, ...] = ()
    points: tuple[GoldPoint, ...] = ()
    """In file order."""
    time: str | None = None

    def gold(self, *kinds: str) -> tuple[GoldPoint, ...]:
        """The points of these kinds, kind by kind, each in file order."""
        return tuple(point for kind in kinds for point in self.points if point.kind == kind)


class Sample(Record, frozen=True, kw_only=True):
    """Sessions in order of time, with gold and checkpoints."""

    sample_id: str
    """A plain name: letters, digits, `.`, `_`, `-`, `+`, `=`, `@`, at most 128 of them."""
    regime: str = "external"
    """`lifelong`, `agentic` or `external`."""
    domain: str = ""
    """E.g. `lifelong/project/software`."""
    sessions: tuple[Session, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    dropped_blocks: tuple[str, ...] = ()
    """Gold blocks of sessions that do not exist."""
    meta: Mapping[str, Any] = {}


class Finding(Record, frozen=True, kw_only=True):
    """One oddity of a data set."""

    code: str
    """A short constant name, e.g. `unresolved_evidence`."""
    level: Literal["note", "warning", "refused"]
    message: str
    file: str = ""
    path: str = ""
    """JSON path within the file."""


# -- what scorers and judges see and give back ------------------------------------------------


class SessionRecord(Record, frozen=True, kw_only=True):
    """One session of one cell, as a scorer sees it."""

    kind: ClassVar[str] = "session"
    label: str
    sample_id: str
    regime: str
    domain: str
    index: int
    """Zero-based place of the session."""
    session: Session
    changes: tuple[MemoryChange, ...] = ()
    snapshot: tuple[MemoryItem, ...] = ()
    """All that is kept after the session."""
    capabilities: Capabilities
    seconds: Mapping[str, float] = {}
    """Seconds by stage: `write`, `snapshot`, `delta`."""

    @property
    def unit(self) -> str:
        return self.session.session_id


class QuestionRecord(Record, frozen=True, kw_only=True):
    """One question of one cell, as a scorer sees it."""

    kind: ClassVar[str] = "question"
    label: str
    sample_id: str
    regime: str
    domain: str
    checkpoint_id: str
    session_index: int
    """Zero-based place of the session after which it was asked."""
    question: Question
    retrieval: Retrieval
    sources: tuple[tuple[str, ...], ...] = ()
    """By rank: the sessions in which the item appeared or its text changed, up to now."""
    held_in: tuple[str | None, ...] = ()
    """By rank: the latest session whose snapshot held the item."""
    shown: Shown = Shown()
    answer: Answer
    capabilities: Capabilities
    images: Mapping[str, str] = {}
    """Every picture id of the sample and its session, later sessions included."""
    seconds: Mapping[str, float] = {}
    """Seconds by stage: `retrieve`, `answer`."""
    top_k: int = 10

    @property
    def unit(self) -> str:
        return self.question.question_id

    @property
    def reference(self) -> str:
        """The gold answer."""
        return self.question.reference


class SampleRecord(Record, frozen=True, kw_only=True):
    """The whole history of one cell, as a scorer sees it."""

    kind: ClassVar[str] = "sample"
    label: str
    sample: Sample
    sessions: tuple[SessionRecord, ...]
    questions: tuple[QuestionRecord, ...]
    capabilities: Capabilities

    @property
    def sample_id(self) -> str:
        return self.sample.sample_id

    @property
    def unit(self) -> str:
        return self.sample.sample_id


Task = Literal["recall", "correctness", "update", "interference", "answer", "coverage", "support"]


class JudgementRequest(Record, frozen=True, kw_only=True):
    """One thing to be judged; two requests with equal content are judged once.

    ==============  ==============================================  =========================================
    task            reads                                           verdicts of the label
    ==============  ==============================================  =========================================
    recall          items (texts of the delta), points              one a point: `yes`, `no`
    correctness     items (texts of the delta), points, dialogue    one an item: `correct`, `hallucination`,
                                                                    `irrelevant`
    update          items (active texts kept), points, replaces     one a point: `updated`, `both`,
                                                                    `outdated`, `missed`
    interference    items (active texts kept), points               one a point: `rejected`, `memorized`
    answer          question, reference, aliases, answer, points    one: `Correct`, `Hallucination`, `Omission`
    coverage        question, items (retrieved texts), points       one a point: `yes`, `no`
    support         items (texts kept), points                      one an item: the places of the points that it
                                                                    supports, from 0 (`0 4 17`), or `-`
    ==============  ==============================================  =========================================
    """

    task: Task
    question: str = ""
    reference: str = ""
    aliases: tuple[str, ...] = ()
    """Further answers, any of which is as right as `reference`."""
    answer: str = ""
    points: tuple[str, ...] = ()
    replaces: tuple[tuple[str, ...], ...] = ()
    """Parallel to `points`: the texts that each update supersedes."""
    items: tuple[str, ...] = ()
    item_images: tuple[str, ...] = ()
    """Parallel to `items` where given: picture id, or ""."""
    point_images: tuple[str, ...] = ()
    """Parallel to `points` where given: picture id, or ""."""
    point_captions: tuple[str, ...] = ()
    """Parallel to `points` where given: caption of the picture, or ""."""
    dialogue: tuple[str, ...] = ()
    """The texts of the session's turns."""


class Label(Record, frozen=True, kw_only=True):
    """A judge's verdicts on one request, in the order of its points or items; None: that one failed."""

    verdicts: tuple[str | None, ...]
    reason: str = ""


class Metric(Record, frozen=True, kw_only=True):
    """How rows of one metric become numbers."""

    title: str
    """Column title, e.g. `Recall`."""
    stage: str
    """`write`, `maintain`, `retrieve`, `use`, `cost`."""
    pooled: bool = False
    """Within a sample: sum of n / sum of d (True), or mean of n / d over units (False)."""
    better: Literal["high", "low", "neither"] = "high"
    unit: str = "share"
    """`share` (shown in percent), `seconds`, `tokens`, `items`, ..."""
    empty: float | None = None
    """Value in `release` where there is nothing to average; None: undefined."""
    about: str = ""
    """One sentence with the source of the formula."""


class Stat(Record, frozen=True, kw_only=True):
    """One row a unit: numerator and denominator, from which every mean, interval and test is computed."""

    sample_id: str
    unit: str
    scorer: str
    revision: int
    metric: str
    variant: str = ""
    """`paper`, `release`, `strict`; "" where the three agree."""
    n: float | None = None
    """Numerator; None where the unit is invalid."""
    d: float | None = None
    """Denominator; None where the unit is invalid."""
    weight: float = 1.0
    invalid: int = 0
    """Judgements of this unit that failed."""
    facets: Mapping[str, str | int | float | bool] = {}

    @classmethod
    def of(
        cls,
        record: SessionRecord | QuestionRecord | SampleRecord,
        scorer: Any,
        *,
        n: float | None,
        d: float | None = 1.0,
        metric: str = "",
        unit: str = "",
        variant: str = "",
        weight: float = 1.0,
        invalid: int = 0,
        facets: Mapping[str, str | int | float | bool] | None = None,
    ) -> Self:
        """The row of `record` by `scorer` (its `name` and `revision` are taken); `metric` defaults to the name."""
        return cls(
            sample_id=record.sample_id,
            unit=unit or record.unit,
            scorer=scorer.name,
            revision=scorer.revision,
            metric=metric or scorer.name,
            variant=variant,
            n=n,
            d=d,
            weight=weight,
            invalid=invalid,
            facets=facets or {},
        )
