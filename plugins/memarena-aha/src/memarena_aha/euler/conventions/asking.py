"""Conventions in words: what is taught of an operation, and what is asked."""

from __future__ import annotations

from memarena_aha.euler.conventions.draws import Convention, draw_convention
from memarena_aha.euler.family import Skin
from memarena_aha.euler.listing import program
from memarena_aha.euler.tasks import Task, Teaching
from memarena_aha.parts import Lesson

__all__ = ["ASKED_SKINS", "TAUGHT_SKINS", "convention_task"]

TAUGHT_SKINS = (
    Skin(
        ("clockmaker", "notebook"),
        "In a clockmaker's notebook stands that the {name} of {first} is {first_value}, and that the {name} of"
        " {second} is {second_value}. What is the {name} of {third}?",
    ),
    Skin(
        ("monk", "scroll"),
        "An old scroll of a monk gives {first_value} as the {name} of {first} and {second_value} as the {name} of"
        " {second}. What is the {name} of {third}?",
    ),
    Skin(
        ("captain", "logbook"),
        "A captain has entered two values in the logbook: for {first} the {name} is {first_value}, for {second} it is"
        " {second_value}. What is the {name} of {third}?",
    ),
)
ASKED_SKINS = (
    Skin(("merchant", "caravan"), "A merchant in a caravan needs the {name} of {number}. What is it?"),
    Skin(
        ("astronomer", "observatory"),
        "At an observatory, an astronomer has measured {number} and must report its {name}. What is the {name} of"
        " {number}?",
    ),
    Skin(
        ("puppeteer", "curtain"),
        "The curtain of a puppeteer rises only for those who can say the {name} of {number}. What is the {name} of"
        " {number}?",
    ),
)


def convention_task(seed: int, index: int) -> Task:
    """What nobody can answer who was not told what the operation is; taught by three values, and in full by"
    " definition."""
    convention = draw_convention(seed, index, len(ASKED_SKINS))
    operation, name = convention.operation, convention.name
    skin = ASKED_SKINS[convention.asked_skin]
    return Task(
        kind="convention",
        key={
            "operation": operation.operation_id,
            "name": name,
            "constants": convention.constants,
            "n": convention.asked,
            "skin": convention.asked_skin,
            "seed": seed,
            "index": index,
        },
        statement=skin.text.format(name=name, number=convention.asked),
        answer=convention.answer,
        slots={"n": convention.asked},
        nodes=(convention.answer,),
        families=(operation.operation_id,),
        teaching=_teaching(convention),
        lessons=_lessons(convention),
        gold=in_one_sentence(convention),
        block=operation.operation_id,
        nouns=skin.nouns,
        facets={
            "kind": "convention",
            "depth": 1,
            "family": operation.operation_id,
            "area": "invented",
        },
    )


def in_one_sentence(convention: Convention) -> str:
    """The definition as a person would note it."""
    clauses = convention.operation.define(**convention.constants)
    return f"The {convention.name} of n: {'; '.join(clause[:1].lower() + clause[1:] for clause in clauses)}."


def _teaching(convention: Convention) -> Teaching:
    """Two values and a question; with the result these are the three examples of the scant condition."""
    skin = TAUGHT_SKINS[convention.taught_skin]
    (first, first_value), (second, second_value), (third, result) = convention.examples
    steps = (f"{number}. {clause}." for number, clause in enumerate(_clauses(convention), start=1))
    return Teaching(
        statement=skin.text.format(
            name=convention.name,
            first=first,
            first_value=first_value,
            second=second,
            second_value=second_value,
            third=third,
        ),
        answer=result,
        explanation="\n".join(steps),
        listing=program(convention.operation.apply, {"n": third}, convention.constants),
        nouns=skin.nouns,
    )


def _clauses(convention: Convention) -> tuple[str, ...]:
    first, *rest = convention.operation.define(**convention.constants)
    return (f"The {convention.name} of a number n is found like this. {first}", *rest)


def _lessons(convention: Convention) -> tuple[Lesson, ...]:
    operation = convention.operation
    definition = Lesson(
        lesson_id=f"{operation.operation_id}.method",
        text=in_one_sentence(convention),
        must=((convention.name.casefold(),), *operation.method),
    )
    listing = Lesson(
        lesson_id="listing",
        text="The program that computes it.",
        must=((convention.name.casefold(),), ("n =",), ("print(",)),
    )
    return (definition, listing)
