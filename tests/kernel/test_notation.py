"""The scribe's notation, over a zoo of small actions that use all of its grammar."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kernel import Action, Audit, Catalogue, Opening, ParseError, Place, Seat
from engines.kernel.messages.package_data import KERNEL_WORDS
from engines.kernel.notation.reader import MAX_JSON, MAX_LINE, Notation
from engines.kernel.notation.usage import Typed
from engines.kernel.registry import engine_ids, load_engine
from engines.kernel.rules.actions import LARGEST
from referee.game_check.played import is_shell_safe

Gem = Literal["amber", "jade", "étoile"]


class Table(Opening):
    players: tuple[Seat, ...]
    forms: ClassVar = ("{players...}",)


class Step(Action):
    verb: Literal["step"] = "step"
    to: Place
    source: Place | None = None
    slowly: bool = False
    forms: ClassVar = ("{to} [{slowly?}]", "{source} to {to} [{slowly?}]")
    french: ClassVar = ("pas", "évolue")


class Buy(Action):
    verb: Literal["buy"] = "buy"
    gem: Gem
    seller: Seat | None = None
    pay: tuple[Gem, ...] = ()
    forms: ClassVar = ("{gem} [from {seller}] [pay {pay...}]",)
    french: ClassVar = ("achète",)


class Post(Action):
    verb: Literal["post"] = "post"
    worker: Literal["mage", "scout"]
    at: Place | None = None
    count: int = 1
    forms: ClassVar = ("{worker}[@{at}][+{count}]",)


class Split(Action):
    verb: Literal["split"] = "split"
    shares: dict[Seat, int]
    forms: ClassVar = ("{shares...}",)


class Role(Action):
    verb: Literal["role"] = "role"
    code: Literal["K1", "K2"]
    bold: bool = False
    forms: ClassVar = ("{code} [{bold?brave}]",)
    bare: ClassVar = True


class Wait(Action):
    verb: Literal["wait"] = "wait"
    also: ClassVar = ("do nothing",)


class Position(Action):
    verb: Literal["position"] = "position"
    heap: int
    names: dict[str, str] = {}
    forms: ClassVar = ("{json}",)


WORDS = Catalogue(
    {
        "term.amber": {"en": "amber", "fr": "ambre"},
        "term.jade": {"en": "green jade", "fr": "jade vert"},
        "term.amber_tree": {"en": "amber tree", "fr": "ambre"},
        "keyword.from": {"en": "from", "fr": "de chez"},
        "keyword.pay": {"en": "pay", "fr": "paie"},
        "keyword.to": {"en": "to", "fr": "à vers"},
    }
)
ZOO = Notation((Table, Step, Buy, Post, Split, Role, Wait, Position), WORDS)

SEATS = st.sampled_from("ABCD")
BY = st.none() | SEATS
PLACES = st.from_regex(r"\A[a-z0-9_]{1,24}\Z").filter(lambda place: place not in ("to", "slowly"))
GEMS = st.sampled_from(["amber", "jade", "étoile"])
ACTIONS = st.one_of(
    st.builds(
        Table,
        players=st.lists(SEATS, min_size=1).map(tuple),
        readings=st.dictionaries(st.from_regex(r"\A[a-z][a-z0-9_]{1,5}\Z"), st.just("wins")),
        kit=st.none() | st.just("second_edition"),
    ),
    st.builds(Step, by=BY, to=PLACES, source=st.none() | PLACES, slowly=st.booleans()),
    st.builds(
        Buy, by=BY, gem=GEMS, seller=st.none() | SEATS, pay=st.lists(GEMS, max_size=4).map(tuple)
    ),
    st.builds(
        Post,
        by=BY,
        worker=st.sampled_from(["mage", "scout"]),
        at=st.none() | PLACES,
        count=st.integers(1, 99),
    ),
    st.builds(Split, by=BY, shares=st.dictionaries(SEATS, st.integers(0, 9), min_size=1)),
    st.builds(Role, by=BY, code=st.sampled_from(["K1", "K2"]), bold=st.booleans()),
    st.builds(Wait, by=BY),
)
POSITIONS = st.builds(
    Position,
    by=BY,
    heap=st.integers(-LARGEST, LARGEST),
    names=st.dictionaries(
        SEATS, st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]))
    ),
)


@given(ACTIONS)
def test_what_is_written_is_read(action: Action) -> None:
    text = ZOO.write(action)
    assert ZOO.read(text) == action
    assert ZOO.split(text) == [text]
    assert is_shell_safe(text)


@given(POSITIONS)
def test_what_is_written_as_data_is_read(position: Position) -> None:
    text = ZOO.write(position)
    assert ZOO.read(text) == position
    assert ZOO.split(text) == [text]


@given(ACTIONS)
def test_neither_case_nor_spaces_nor_a_comment_matter(action: Action) -> None:
    text = ZOO.write(action)
    assert ZOO.read(text.upper().replace(" ", "  ")) == action
    assert ZOO.split(f"  {text}  # a comment; with a semicolon") == [text]


@given(st.lists(ACTIONS, max_size=4))
def test_several_actions_stand_on_a_line(actions: list[Action]) -> None:
    line = " ; ".join(ZOO.write(action) for action in actions)
    assert [ZOO.read(text) for text in ZOO.split(line)] == actions


@given(
    st.text(max_size=80)
    | st.lists(
        st.sampled_from(
            [
                "A",
                "h",
                "step",
                "buy",
                "to",
                "from",
                "pay",
                "jade",
                "K1",
                "brave",
                "B=2",
                "=",
                "@",
                "[",
                "{",
                "position",
                "{}",
                '{"heap":1}',
                "role",
                "post",
                "mage@b2+",
                "#",
                ";",
                "-",
                "table",
                "readings",
            ]
        ),
        max_size=9,
    ).map(" ".join)
)
def test_any_text_is_read_or_refused_with_words(text: str) -> None:
    try:
        actions = [ZOO.read(part) for part in ZOO.split(text)]
    except ParseError:
        return
    assert [ZOO.read(ZOO.write(action)) for action in actions] == actions


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("step b2", Step(to="b2")),
        ("b step B2 SLOWLY", Step(by="B", to="b2", slowly=True)),
        ("step b1 to b2", Step(to="b2", source="b1")),
        ("pas b1 vers b2", Step(to="b2", source="b1")),
        ("A évolue b1 à b2", Step(by="A", to="b2", source="b1")),
        ("EVOLUE b2", Step(to="b2")),
        ("buy etoile", Buy(gem="étoile")),
        ("achete ambre chez C", Buy(gem="amber", seller="C")),
        (
            "buy jade from c paie ambre jade_vert",
            Buy(gem="jade", seller="C", pay=("amber", "jade")),
        ),
        ("post mage", Post(worker="mage")),
        ("post mage@b2+3", Post(worker="mage", at="b2", count=3)),
        ("post scout+2", Post(worker="scout", count=2)),
        ("split A=2 b=0", Split(shares={"A": 2, "B": 0})),
        ("k1 brave", Role(code="K1", bold=True)),
        ("A K2", Role(by="A", code="K2")),
        ("do nothing", Wait()),
        ("A wait", Wait(by="A")),
        ("table A B readings last=wins", Table(players=("A", "B"), readings={"last": "wins"})),
        ("table A B kit old", Table(players=("A", "B"), kit="old")),
        ('position {"heap": 3}', Position(heap=3)),
        ('b position {"heap": 3}', Position(by="B", heap=3)),
    ],
)
def test_ways_of_saying_it(text: str, action: Action) -> None:
    assert ZOO.read(text) == action


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "nothing_said"),
        ("   ", "nothing_said"),
        ("A", "unknown_verb"),
        ("stpe b2", "unknown_verb"),
        ("step", "usage"),
        ("step b2 quickly", "usage"),
        ("step b-2", "odd_word"),
        ("buy ambre from Z", "odd_word"),
        ("post mage+many", "odd_word"),
        ("split A", "not_a_pair"),
        ("split A=", "not_a_pair"),
        ("step b\x072", "control_character"),
        ("step b\u202e2", "control_character"),
        ("step " + "b" * MAX_LINE, "line_too_long"),
        ('position {"heap": 3, "hepa": 4}', "bad_value"),
        ('position {"heap": 3', "bad_value"),
        ('position {"heap": 3, "names": {"A": "\\u001b[2J"}}', "control_character"),
        ('position {"heap": 3, "names": {"\\u2028": "A"}}', "control_character"),
        ('position {"heap": 3, "heap": 4}', "named_twice"),
        ('position {"heap": 3, "names": {"A": "x", "\\u0041": "y"}}', "named_twice"),
        ("step b2\u2028step b3", "control_character"),
        ("position " + '{"heap":' + "1" * MAX_JSON + "}", "line_too_long"),
        ("position " + "{" * 5000, "bad_value"),
    ],
)
def test_what_cannot_be_understood_says_why(text: str, key: str) -> None:
    with pytest.raises(ParseError) as caught:
        ZOO.read(text)
    assert caught.value.key == key


@pytest.mark.parametrize("text", ['{"heap": "\\u001b[2J"}', '{"heap": 1, "\\u001b[2J": 1}'])
def test_what_is_wrong_is_told_without_control_characters(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        ZOO.read(f"position {text}")
    assert all(str(fact).isprintable() for fact in caught.value.facts.values())


@pytest.mark.parametrize(
    ("text", "key", "facts"),
    [
        ("step", "form.part_missing", {"parts": ("TO",)}),
        ("step b2 to", "form.part_missing", {"parts": ("TO",)}),
        ("step b2 quickly", "form.misplaced", {"word": "quickly"}),
        ("table", "form.part_missing", {"parts": ("PLAYERS",)}),
    ],
)
def test_the_part_that_is_missing_or_wrong_is_named(
    text: str, key: str, facts: dict[str, object]
) -> None:
    with pytest.raises(ParseError) as caught:
        ZOO.read(text)
    problem = caught.value.facts["problem"]
    assert (problem.key, problem.facts) == (key, facts)


def test_near_words_are_named() -> None:
    with pytest.raises(ParseError) as verb:
        ZOO.read("stpe b2")
    assert verb.value.facts["near"] == ("step",)
    with pytest.raises(ParseError) as nothing_like_it:
        ZOO.read("xyzzy")
    assert nothing_like_it.value.facts["hint"].key == "form.known"
    with pytest.raises(ParseError) as word:
        ZOO.read("buy ambr")
    assert word.value.facts["near"] == ("amber",)
    assert word.value.facts["expected"] == ("amber", "jade", "étoile")


def test_usages_show_every_form() -> None:
    assert ZOO.usages(Step) == ("step TO [slowly]", "step SOURCE to TO [slowly]")
    assert ZOO.usages(Buy) == ("buy GEM [from SELLER] [pay PAY…]",)
    assert ZOO.usages(Role) == ("CODE [brave]",)
    with pytest.raises(ParseError) as caught:
        ZOO.read("step")
    assert caught.value.facts["usages"] == ZOO.usages(Step)


def test_a_hostile_line_does_not_keep_the_referee_busy() -> None:
    """Every split of the line between the two lists would be tried; the first words end it."""
    line = "buy jade " + "pay " * 240
    with pytest.raises(ParseError):
        ZOO.read(line)


@pytest.mark.parametrize("text", ["a > b", "a;b", "a*", "$x", "-x", "a #1", "a'b", "{x}", "~a"])
def test_what_a_shell_would_change_is_not_safe(text: str) -> None:
    assert not is_shell_safe(text)


@pytest.mark.parametrize("game", engine_ids())
def test_every_blank_of_a_usage_has_a_name_in_both_languages(game: str) -> None:
    engine = load_engine(game)
    for action in (engine.opening, *engine.actions):
        for usage in engine.notation.usages(action):
            for blank in re.findall(r"[A-Z][A-Z_]+", usage):
                keys = (f"argument.{blank.lower()}", f"fact.{blank.lower()}")
                assert any(key in engine.words for key in keys), (usage, blank)


def test_a_usage_is_told_in_the_words_of_the_language() -> None:
    usage = load_engine("benevolent").notation.usages(Audit)[0]
    assert KERNEL_WORDS.show(usage, "en") == "audit SUBJECT… VALUE"
    assert KERNEL_WORDS.show(usage, "fr") == "compte SUJET… VALEUR"


@pytest.mark.parametrize("game", engine_ids())
def test_whatever_is_told_to_be_typed_is_read_in_every_language(game: str) -> None:
    engine = load_engine(game)
    notation, words = engine.notation, engine.words
    for action in (engine.opening, *engine.actions):
        for usage in notation.usages(action):
            verb = usage.said(words, "fr").split()[0]
            assert action.bare or verb == "position" or notation.knows(verb), usage
        for field in notation.grammars[action].fields.values():
            for value in field.vocabulary:
                told = Typed(value).said(words, "fr")
                (said,) = notation.free_text.variants([told])[:1]
                meant = [field._item.spell(word) for word in (*said, value)]
                assert meant[0] == meant[1]


def test_a_verb_that_may_be_meant_is_told_in_the_language() -> None:
    with pytest.raises(ParseError) as caught:
        load_engine("benevolent").read("posse c1")
    (near,) = caught.value.facts["near"]
    assert (near, KERNEL_WORDS.show(near, "fr")) == ("step", "pose")


@pytest.mark.parametrize(
    ("game", "line", "word"),
    [
        ("benevolent", "forest a1=altar a2=alatr", "alatr"),
        ("benevolent", "forest a1@0,-1=nset+1, a2@1,0=altar", "nset"),
        ("roundforest", "tile c5, 10/00/00/1x", "10/00/00/1x"),
        ("roundforest", "sell hta, spoon", "hta"),
    ],
)
def test_of_several_forms_the_one_that_was_meant_names_the_slip(
    game: str, line: str, word: str
) -> None:
    with pytest.raises(ParseError) as caught:
        load_engine(game).read(line)
    assert caught.value.facts["word"] == word
