"""One notion of harmful characters: every door refuses them, nothing that is repeated has them."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from html import unescape
from io import StringIO
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from cli.errors import report
from engines.kernel import ParseError
from engines.kernel.messages.errors import first_mistake
from engines.kernel.messages.unsafe_text import defused, escaped, harmful_in, visible
from engines.kernel.picture.svg import el, text
from engines.kernel.registry import load_engine
from engines.kernel.rules.actions import PlainText
from referee.tournament.interchange.trf import trf
from referee.untrusted.safe_json import UnsafeJson, read_json
from tests.tournament.hosting import Hall, duels

CONTROLS = [*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0))]
SEPARATORS = ["\u2028", "\u2029"]
TURNING = [*map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))]
SURROGATES = ["\ud800", "\udbff", "\udc00", "\udfff"]
HARMFUL = [*CONTROLS, *SEPARATORS, *TURNING, *SURROGATES]
HARMLESS = ["a", "é", " ", "\u00a0", "\u202f", "\u200d", "\u200f", "ע", "一", "🌲", "\ufffd"]

ENGINE = load_engine("benevolent")
PLAIN = TypeAdapter(PlainText)
HALL = Hall(duels(rounds=3, tie_breaks=("PTS",)), 2)
ANY_TEXT = st.text(st.characters(codec=None) | st.sampled_from(HARMFUL), max_size=20)


def plain_text(said: str) -> None:
    PLAIN.validate_python(said)


def line(said: str) -> None:
    ENGINE.notation.split(f"A step{said}c1")


def action(said: str) -> None:
    ENGINE.read(f"A step{said}c1")


def json_text(said: str) -> None:
    read_json(json.dumps({"a": [said]}).encode())


def json_key(said: str) -> None:
    read_json(json.dumps({said: 1}).encode())


DOORS: dict[Callable[[str], None], str] = {
    plain_text: "",
    line: "\t",
    action: "\t",
    json_text: "\t\n",
    json_key: "\t\n",
}
"""The doors where text comes in, and what of the harmful each of them takes."""


def is_refused(door: Callable[[str], None], said: str) -> bool:
    """Whether a door refuses the text because of its characters."""
    try:
        door(said)
    except ValidationError as error:
        return "control_character" in str(error)
    except (ParseError, UnsafeJson) as error:
        return error.key == "control_character"
    return False


@pytest.mark.parametrize("sign", HARMFUL, ids=lambda sign: f"{ord(sign):04X}")
def test_every_door_refuses_what_is_harmful(sign: str) -> None:
    assert harmful_in(sign) == f"U+{ord(sign):04X}"
    taken = [door.__name__ for door in DOORS if not is_refused(door, f"x{sign}y")]
    assert taken == [door.__name__ for door, allowed in DOORS.items() if sign in allowed]


@given(ANY_TEXT)
@example("".join(HARMLESS))
def test_what_one_door_refuses_every_door_refuses(said: str) -> None:
    refusing = {door for door in DOORS if is_refused(door, f"x{said}y")}
    assert refusing == {door for door, taken in DOORS.items() if harmful_in(said, allowed=taken)}


@pytest.mark.parametrize("sign", HARMLESS)
def test_what_people_write_with_passes_every_door(sign: str) -> None:
    assert not any(is_refused(door, f"x{sign}y") for door in DOORS)
    assert defused(sign) == sign


@pytest.mark.parametrize("data", ["\x1b", ["a", "\x1b"], {"a": {"b": ("\x1b",)}}, {"\x1b": 1}])
def test_harm_is_found_however_deep_it_lies(data: Any) -> None:
    assert harmful_in(data) == "U+001B"
    assert harmful_in(data, allowed="\x1b") is None


# what is repeated


def paired(said: str) -> str:
    """Two surrogates that make one character, as that character: JSON cannot tell them apart."""
    return said.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def in_a_picture(said: str) -> str:
    return unescape(text(1, 2, said) + el("g", data_name=said))


def in_a_tournament_report(said: str) -> str:
    return trf(HALL.now, {"pa": said, "pb": said})


def in_a_mistake(said: str) -> str:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(int).validate_python(f"{said}x")
    return first_mistake(caught.value).said


def in_an_error(said: str) -> str:
    with redirect_stderr(StringIO()) as shown:
        assert report(ParseError("unknown_verb", verb=said), as_json=False) == 2
    return shown.getvalue()


def in_an_error_as_json(said: str) -> str:
    with redirect_stdout(StringIO()) as shown:
        assert report(ParseError("unknown_verb", verb=said), as_json=True) == 2
    assert json.loads(shown.getvalue())["error"]["facts"]["verb"] == paired(said)
    return shown.getvalue()


ECHOES: dict[Callable[[str], str], str] = {
    in_a_picture: "\t\n",
    in_a_tournament_report: "\n",
    in_a_mistake: "",
    in_an_error: "\n",
    in_an_error_as_json: "\n",
}
"""Where somebody's words are repeated, and which blanks those places have of their own."""


@pytest.mark.parametrize("echo", ECHOES, ids=lambda echo: echo.__name__)
@given(said=ANY_TEXT)
@example(said="".join(HARMFUL))
def test_nothing_harmful_is_repeated(echo: Callable[[str], str], said: str) -> None:
    assert harmful_in(echo(said), allowed=ECHOES[echo]) is None


@given(ANY_TEXT)
def test_what_is_made_harmless_has_no_harm_left(said: str) -> None:
    assert harmful_in(defused(said)) is None
    assert harmful_in(visible(said)) is None
    assert json.loads(escaped(json.dumps(said, ensure_ascii=False))) == paired(said)


def test_what_cannot_be_seen_is_told_by_its_code() -> None:
    assert visible("a\x1b[2J\u202eb\u200b") == "a<U+001B>[2J<U+202E>b<U+200B>"
    assert visible("à\u202f!\u00a0") == "à\u202f!\u00a0"
    assert visible("two\nlines", allowed="\n") == "two\nlines"
