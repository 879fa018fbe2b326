"""One play of one puzzle: twenty questions to a host that hardly says more than yes or no, then an explanation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from memarena_aha.parts import Ending, EpisodeScore, Said, Step
from memarena_aha.puzzle.classes import STORY
from memarena_aha.puzzle.figures import Exchange, figures, lesson_use
from memarena_aha.puzzle.freehost import FreeHost
from memarena_aha.puzzle.graph import Answer
from memarena_aha.puzzle.judge import LIMIT, Judgement, judge, points
from memarena_aha.puzzle.moves import BadMove, Mode, Move, read_move, tools_of
from memarena_aha.puzzle.schema import Asked, Puzzle

__all__ = ["BAD_IN_A_ROW", "FREE_UNCLEAR", "NOTES", "PuzzleEpisode", "prefix_of"]

BAD_IN_A_ROW = 5
"""Actions that could not be read, one after the other, that end an episode."""
FREE_UNCLEAR = 2
"""Answers of "unclear" that cost no question."""
NOTES = 20
"""Notes of an episode."""
_ENDED: Mapping[str, str] = {
    "solved": "The explanation was taken down.",
    "wrong": "The explanation was taken down.",
    "gave_up": "You gave up.",
    "malformed": "Too many actions in a row could not be read.",
}


def prefix_of(trace: Sequence[Asked], fraction: float) -> tuple[Asked, ...]:
    """The first `fraction` of an expert's questions, rounded up."""
    return tuple(trace[: -int(-fraction * len(trace) // 1)])


class PuzzleEpisode:
    """See `memarena_aha.parts.Episode`. `ask` answers free questions, by default the host that works by words."""

    def __init__(
        self,
        host: FreeHost,
        mode: Mode = "structured",
        support: Sequence[Asked] = (),
        ask: Callable[[str], Answer] | None = None,
    ) -> None:
        self.host = host
        self.graph = host.graph
        self.mode = mode
        self.support = tuple(support)
        self._ask_free = ask or host.ask
        self._ended: Ending = ""
        self.asked: list[Exchange] = []
        """What was asked so far, with more than the agent sees."""
        self._used = 0
        self._bad = 0
        self._bad_in_a_row = 0
        self._notes = 0
        self._notice = ""
        self._judgement: Judgement | None = None

    @property
    def ended(self) -> Ending:
        return self._ended

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle that is played: for those who may know it."""
        return self.graph.puzzle

    @property
    def stated(self) -> tuple[str, ...]:
        """The key facts that the explanation stated, once there was one."""
        return tuple(self._judgement.stated) if self._judgement else ()

    def observe(self) -> Mapping[str, Any]:
        """The story, what was asked, and what is left."""
        data = {
            "part": "puzzle",
            "story": self.puzzle.surface,
            "questions_left": LIMIT - self._used,
            "asked": [{"question": row.question, "ask": row.ask, "answer": row.answer.label} for row in self.asked],
            "shown": [{"question": row.text, "ask": row.ask, "answer": _WORD[row.a]} for row in self.support],
            "notice": self._notice,
        }
        if self.mode == "structured":
            data["entities"] = [*self.graph.entities, STORY]
            data["slots"] = self._slots()
        return {"text": self._text(), "data": data}

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return tools_of(self.mode, self.graph.entities, self._used < LIMIT)

    def query(self) -> str:
        """The story and the last question with its answer."""
        last = self.asked[-1:]
        last_words = [f"{row.question} {row.answer.label}" for row in last]
        return " ".join(["What to ask early of a strange story:", self.puzzle.surface, *last_words])

    def act(self, action: object) -> Step:
        if self._ended:
            return Step(said=(Said(role="environment", text="It is over."),), bad=True)
        self._notice = ""
        try:
            move = read_move(action, self.mode, self.graph.entities, self._used < LIMIT)
            if move.tool == "note" and self._notes == NOTES:
                raise BadMove(f"{NOTES} notes are enough")
        except BadMove as error:
            return self._spoiled(str(error))
        self._bad_in_a_row = 0
        reply = self._do(move)
        return Step(said=(Said(role="agent", text=move.said), Said(role="environment", text=reply)))

    def finish(self, why: Ending, failure: str = "") -> None:
        """End it from outside: worth nothing."""
        if not self._ended:
            self._ended = why

    def score(self) -> EpisodeScore:
        judgement = self._judgement
        return EpisodeScore(
            score=points(judgement, self._used) if judgement else 0.0,
            ended=self._ended,
            raw={**figures(self.puzzle, self.asked, judgement), "used": self._used, "bad": self._bad},
            used=lesson_use(self.puzzle, self.asked),
        )

    def _do(self, move: Move) -> str:
        if move.tool == "note":
            self._notes += 1
            return "Noted."
        if move.tool == "give_up":
            self._ended = "gave_up"
            return _ENDED["gave_up"]
        if move.tool == "solve":
            self._judgement = judge(self.host, move.text, move.slots, move.checks)
            self._ended = "solved" if self._judgement.solved else "wrong"
            return _ENDED[self._ended]
        return self._asked(move)

    def _asked(self, move: Move) -> str:
        if move.tool == "ask":
            answer = self.graph.ask(*move.form)
        elif move.tool == "ask_short":
            answer = self.graph.ask_short(*move.form[:2])
        else:
            answer = self._ask_free(move.text)
        unclear = sum(row.answer.label == "unclear" for row in self.asked)
        free = answer.label == "unclear" and unclear < FREE_UNCLEAR
        self._used += not free
        self.asked.append(Exchange(question=move.said, ask=" ".join(move.form).strip(), answer=answer, free=free))
        return answer.label + (" (this one was free)" if free else "")

    def _spoiled(self, problem: str) -> Step:
        """An action that could not be read: it costs a question where one is left, and nothing else happens."""
        self._bad += 1
        self._bad_in_a_row += 1
        self._used = min(self._used + 1, LIMIT)
        self._notice = problem
        if self._bad_in_a_row >= BAD_IN_A_ROW:
            self._ended = "malformed"
        reply = Said(role="environment", text=f"That could not be read: {problem}")
        return Step(said=(Said(role="agent", text="(an action that could not be read)"), reply), bad=True)

    def _slots(self) -> Mapping[str, Mapping[str, str]]:
        slots = self.graph.slots()
        return {
            fact.id: {
                "question": fact.slot,
                "template": slots[fact.id][0].template,
                "subject": slots[fact.id][0].subject,
            }
            for fact in self.puzzle.key
        }

    def _text(self) -> str:
        left = LIMIT - self._used
        lines = [f"A strange story: {self.puzzle.surface}", "Find out what lies behind it.", ""]
        if self.support:
            lines += ["Somebody else has already asked:"]
            lines += [f"- {shown(row)}" for row in self.support]
            lines += [""]
        if self.asked:
            lines += ["You have asked:"]
            lines += [f"- {row.question} {row.answer.label}" for row in self.asked]
            lines += [""]
        if self.mode == "structured":
            lines += [f"You can ask about: {', '.join([*self.graph.entities, STORY])}."]
            lines += ["An explanation answers:"]
            lines += [
                f"- {name} ({row['template']} {row['subject']}): {row['question']}"
                for name, row in self._slots().items()
            ]
            lines += [""]
        if self._notice:
            lines += [f"Your last action could not be read: {self._notice}", ""]
        lines += [f"Questions left: {left}." if left else "No question is left: explain the story now, or give up."]
        return "\n".join(lines)


_WORD: Mapping[str, Literal["yes", "no", "irrelevant"]] = {"y": "yes", "n": "no", "i": "irrelevant"}


def shown(row: Asked) -> str:
    """A question of an expert, as it is told: in words, structured, and with its answer."""
    return f"{row.text} [{row.ask}] {_WORD[row.a]}"
