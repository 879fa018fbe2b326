"""One conversation with an agent: sessions in its root, questions on a copy of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from memarena import codec
from memarena.errors import first_line
from memarena.records import Answer, AskedQuestion, Endpoint, MemoryItem, Record, Turn
from memarena_harness.dialogue import Message, session_messages
from memarena_harness.failures import FATAL, HarnessFailure, plain
from memarena_harness.harness import Harness, HarnessOptions, Said
from memarena_harness.notes import Notes, paragraphs
from memarena_harness.questions import batches, questions_message, read_answers
from memarena_harness.roots import Root, remove

CALLS = "calls.jsonl"
"""What is known of each call, one line each."""
STATE = "conversation.json"


class _Kept(Record, frozen=True, kw_only=True):
    """What a later process needs to go on."""

    sessions: int = 0
    thread: str = ""
    next_note: int = 1
    notes: tuple[MemoryItem, ...] = ()


class CallRow(Record, frozen=True, kw_only=True):
    """One call."""

    kind: str
    """`session` or `questions`."""
    name: str
    """The session, or the questions by their ids."""
    failure: str = ""
    pictures: int = 0
    characters: int = 0
    said: Said | None = None


class Conversation:
    """`root` for the sessions, `asked` for the questions; each has configuration of its own."""

    def __init__(
        self, folder: Path, harness: Harness, model: Endpoint | None, seed: int, options: HarnessOptions
    ) -> None:
        self.root = Root.below(folder / "agent")
        self.asked = Root.below(folder / "asked")
        self.notes = Notes()
        self._folder = folder
        self._harness = harness
        self._model = model
        self._seed = seed
        self._options = options
        self._kept = _Kept()

    def begin(self) -> None:
        """Forget everything."""
        for root in (self.root, self.asked):
            root.make()
            self._harness.open(root, self._model, self._seed)
        for name, text in self._harness.seeds().items():
            (self.root.workspace / name).write_text(text, encoding="utf-8")
        (self._folder / CALLS).write_bytes(b"")
        self._keep(_Kept())

    def go_on(self) -> None:
        """Go on where an earlier process stopped; raises HarnessFailure where there is nothing of it."""
        file = self._folder / STATE
        if not file.is_file():
            raise HarnessFailure("failed", f"{file} is not there: nothing was begun in this folder")
        self._kept = codec.decode(file.read_bytes(), _Kept, str(file))
        self.notes = Notes(self._kept.notes, self._kept.next_note)
        for root in (self.root, self.asked):
            root.empty("home", "temp")
            self._harness.open(root, self._model, self._seed)

    def end(self) -> None:
        """End whatever still runs."""
        for root in (self.root, self.asked):
            self._harness.close(root)

    def hear(self, session_id: str, turns: Sequence[Turn]) -> None:
        """Tell the agent a session; raises HarnessFailure where it comes to nothing."""
        number, options = self._kept.sessions + 1, self._options
        messages = session_messages(
            number,
            session_id,
            turns,
            self.root.media,
            forgets=not options.goes_on,
            longest=self._harness.longest,
        )
        thread = self._kept.thread
        self.root.clear_media()
        for message in messages if turns else ():
            said = self._say(self.root, message, thread, CallRow(kind="session", name=session_id))
            thread = said.thread if options.goes_on else ""
            self.root.unlock()
            if not options.keep_pictures:
                remove(self.root.media)
        if options.notes:
            self.notes.read(paragraphs(self.root.workspace, self._harness.seeds()), session_id)
        self._keep(_Kept(sessions=number, thread=thread, next_note=self.notes.next, notes=self.notes.items))

    def ask(self, questions: Sequence[AskedQuestion]) -> list[Answer]:
        """Answers from a copy of the workspace; a question that gets none is asked once more.

        Raises HarnessFailure of a kind that no later call gets past.
        """
        answers: dict[str, Answer] = {}
        left = list(questions)
        for size in (self._options.batch, max(1, self._options.batch // 2)):
            asked_now, left = left, []
            for batch in batches(asked_now, size):
                found, missing = self._ask(batch)
                answers.update(found)
                left += missing
        return list(answers.values())

    def _ask(self, batch: Mapping[str, AskedQuestion]) -> tuple[dict[str, Answer], list[AskedQuestion]]:
        """An answer to each question of a batch, and the questions that the reply left out."""
        harness, options = self._harness, self._options
        self._copy("workspace", *(("state",) if options.goes_on else ()))
        message = questions_message(batch, self.asked.media, forgets=not options.goes_on, schema=harness.schema)
        ids = [asked.question_id for asked in batch.values()]
        try:
            said = self._say(self.asked, message, self._kept.thread, CallRow(kind="questions", name=" ".join(ids)))
        except HarnessFailure as failure:
            if failure.kind in FATAL:
                raise
            return {name: Answer(question_id=name, text="", error=str(failure)) for name in ids}, []
        found = read_answers(said.text, list(batch))
        about = {"asked_together": len(batch), "usage": dict(said.usage), "pictures": len(message.pictures)}
        answers = {
            asked.question_id: Answer(
                question_id=asked.question_id,
                text=found.get(name, ""),
                error="" if name in found else _no_answer(said.text),
                metadata=about,
            )
            for name, asked in batch.items()
        }
        return answers, [asked for name, asked in batch.items() if name not in found]

    def _copy(self, *names: str) -> None:
        try:
            self.root.copy_to(self.asked, *names)
        except OSError as error:
            raise HarnessFailure("failed", f"the workspace cannot be copied: {first_line(error)}") from None
        self.asked.clear_media()

    def _say(self, root: Root, message: Message, thread: str, row: CallRow) -> Said:
        row = replace(row, pictures=len(message.pictures), characters=len(message.text))
        try:
            said = self._harness.say(root, message, thread)
        except HarnessFailure as failure:
            self._note(replace(row, failure=str(failure)))
            raise
        finally:
            root.empty("home", "temp")
        self._note(replace(row, said=said))
        return said

    def _note(self, row: CallRow) -> None:
        with (self._folder / CALLS).open("ab") as stream:
            stream.write(codec.encode(row) + b"\n")

    def _keep(self, kept: _Kept) -> None:
        self._kept = kept
        codec.write_whole(self._folder / STATE, codec.encode(kept))


def _no_answer(reply: str) -> str:
    shown = plain(reply[:1000])[:200]
    return f"junk answer: the reply has no answer to this question: {shown!r}" if shown else "junk answer: no reply"
