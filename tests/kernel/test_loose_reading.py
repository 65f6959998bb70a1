"""What is read of a line that nobody writes so, and what is not."""

from __future__ import annotations

from typing import ClassVar, Literal

import pytest

from engines.kernel import Action, Catalogue, Opening, ParseError, Place, Seat
from engines.kernel.notation.reader import (
    MOST_VARIANTS,
    FreeText,
    Notation,
    plain_name,
    tidied,
)
from tests.waiting import no_toil

Thing = Literal["horseshoe", "silver_token", "silver", "hat"]


class Table(Opening):
    players: tuple[Seat, ...]
    forms: ClassVar = ("{players...}",)


class Step(Action):
    verb: Literal["step"] = "step"
    to: Place
    source: Place | None = None
    forms: ClassVar = ("{to}", "{source} to {to}")
    french: ClassVar = ("pas",)


class Keep(Action):
    verb: Literal["keep"] = "keep"
    thing: Thing | None = None
    coin: bool = False
    dropped: Thing | None = None
    forms: ClassVar = ("[{thing}] [{coin?}] [for {dropped}]",)


class Draw(Action):
    verb: Literal["draw"] = "draw"
    thing: Thing
    count: Literal["one", "two"] | None = None
    forms: ClassVar = ("{thing} [{count}]",)
    several: ClassVar = True


class Lay(Action):
    """May be said at once, and sometimes nobody can say where one ends."""

    verb: Literal["lay"] = "lay"
    first: Place
    second: Place | None = None
    forms: ClassVar = ("{first} [{second}]",)
    several: ClassVar = True


class Rob(Action):
    verb: Literal["rob"] = "rob"
    robbed: Seat
    forms: ClassVar = ("from {robbed}",)


class Role(Action):
    verb: Literal["role"] = "role"
    code: Literal["hw"]
    forms: ClassVar = ("{code}",)
    bare: ClassVar = True


NOTATION = Notation(
    (Table, Step, Keep, Draw, Lay, Rob, Role),
    Catalogue(
        {
            "term.horseshoe": {"en": "horseshoe", "fr": "fer à cheval"},
            "term.silver_token": {"en": "silver token", "fr": "jeton d'argent"},
            "term.hw": {"en": "hill witch", "fr": "sorcière de la colline"},
            "alias.silver_token": {"en": "silver coin", "fr": "pièce d'argent"},
            "keyword.to": {"en": "to", "fr": "à vers"},
            "notation.small": {"en": "a the from to for and", "fr": "le la de à"},
        }
    ),
)
PLAYERS = {"ana": "A", "ana maria": "A", "step": "B"}


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("A: step c1", Step(by="A", to="c1")),
        ("a : step c1", Step(by="A", to="c1")),
        ("step to c1", Step(to="c1")),
        ("step from a2 to c3", Step(source="a2", to="c3")),
        ("pas de a2 à c3", Step(source="a2", to="c3")),
        ("draw a hat", Draw(thing="hat")),
        ("draw, the hat, two", Draw(thing="hat", count="two")),
        ("draw fer à cheval", Draw(thing="horseshoe")),
        ("draw Fer-a-Cheval", Draw(thing="horseshoe")),
        ("draw jeton d’argent", Draw(thing="silver_token")),
        ("draw l'jeton d'argent", Draw(thing="silver_token")),
        ("draw silver token", Draw(thing="silver_token")),
        ("draw pièce d'argent", Draw(thing="silver_token")),
        ("draw silver", Draw(thing="silver")),
        ("A: keep for hat", Keep(by="A", dropped="hat")),
        ("B sorcière de la colline", Role(by="B", code="hw")),
        ("keep silver token for the hat", Keep(thing="silver_token", dropped="hat")),
        ("keep for hat coin", Keep(dropped="hat", coin=True)),  # in another order, none left out
        ("step a2->c3", Step(source="a2", to="c3")),
        ("step a2 → c3", Step(source="a2", to="c3")),
        ("step a2 c3", Step(source="a2", to="c3")),
        ("rob A", Rob(robbed="A")),
    ],
)
def test_what_can_only_be_one_action_is_read(text: str, action: Action) -> None:
    assert NOTATION.read(text) == action
    assert NOTATION.split(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "keep for the hat",  # the hat, or something else for it
        "rob from A B",  # an article is no capital
        "rob from a b",
        "step c1 the",  # a small word stands before something
        "draw a",
        "the step c1",
        "lay a1 b1 c1",  # nobody can say which two belong together
        "draw hat spoon",
        "draw " + "the a " * 100,
    ],
)
def test_what_could_be_several_or_none_is_refused_as_it_stands(text: str) -> None:
    assert NOTATION.split(text) == [text.strip()]
    with pytest.raises(ParseError) as loosely:
        NOTATION.read(text)
    with pytest.raises(ParseError) as plainly:
        NOTATION.exact(text.split())
    assert (loosely.value.key, loosely.value.facts) == (plainly.value.key, plainly.value.facts)


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("draw hat silver", ["draw hat", "draw silver"]),
        ("A: draw hat, silver two", ["A draw hat", "A draw silver two"]),
        ("draw hat one hat two", ["draw hat one", "draw hat two"]),
        ("step c3, rob from A", ["step c3", "rob from A"]),
        ("A step c3,B step c1", ["A step c3", "B step c1"]),
        ("step c3; draw hat hat", ["step c3", "draw hat", "draw hat"]),
    ],
)
def test_what_is_said_at_once_is_taken_apart(line: str, parts: list[str]) -> None:
    assert NOTATION.split(line) == parts


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("Ana step c1", ["A step c1"]),
        ("ANA: step c1; ana maria : draw hat silver", ["A step c1", "A draw hat", "A draw silver"]),
        ("step c1", ["step c1"]),
        ("Bo step c1", ["Bo step c1"]),
        ("Ana", ["Ana"]),
    ],
)
def test_a_player_is_called_by_name(line: str, parts: list[str]) -> None:
    assert NOTATION.split(line, lambda: PLAYERS) == parts


def test_a_player_is_named_as_a_value() -> None:
    assert NOTATION.split("rob from Ana; Ana: rob ana maria", lambda: PLAYERS)[0] == "rob from A"
    assert NOTATION.split("draw Ana", lambda: PLAYERS) == ["draw Ana"]


def test_nobody_is_asked_for_names_where_none_can_have_been_said() -> None:
    NOTATION.split("A step c1; b: step c2; draw hat; c, draw hat", lambda: pytest.fail("asked"))


def test_names_come_first_where_there_are_too_many_ways() -> None:
    loose = FreeText({plain_name("fer à cheval"): "horseshoe"}, frozenset())
    many = ["fer", "à", "cheval"] * 10
    assert loose.variants(many) == [["horseshoe"] * 10]
    few = loose.variants(many[:6])
    assert 1 < len(few) <= MOST_VARIANTS


def test_commas_and_the_colon_of_a_seat_say_nothing() -> None:
    assert tidied(["A:", "x,", ",y", "z,w", ","]) == ["A", "x", "y", "z", "w"]
    assert tidied(["A", ":", "b:c"]) == ["A", "b:c"]
    assert tidied([":"]) == []
    assert tidied(["a1@0,-1=x,", "a2@-1,12"]) == ["a1@0,-1=x", "a2@-1,12"]


@pytest.mark.parametrize(
    "line", ["draw " + "the a " * 160, "draw " + "hat, the " * 110, ",".join("a" * 490)]
)
def test_a_hostile_line_takes_no_time(line: str) -> None:
    with no_toil(300):
        for part in NOTATION.split(line):
            with pytest.raises(ParseError):
                NOTATION.read(part)
