"""Lines as people say them, over recorded random games: they mean what the canonical line means."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache, partial
from itertools import pairwise
from typing import Any

import pytest

from engines.kernel import Action, Engine, ParseError
from engines.kernel.dialogue.interpreter import LineInterpreter
from engines.kernel.messages.catalogue import normalize
from engines.kernel.notation.reader import Notation
from engines.kernel.registry import load_engine
from tests.facts.refusals import heard_in_cases
from tests.playing import Strays, open_game, playable_games, random_game, tables_of
from tests.test_cases import files_of, read

GAMES = playable_games()
STRAYS = 1000
FILLERS = ("the", "to", "of", "le", "de", "à", "the le")


@cache
def recorded(game: str) -> tuple[Action, ...]:
    """What happens in a random game of each table, every kind of line once or twice."""
    engine = load_engine(game)
    played = [random_game(engine, setup, 0) for setup in list(tables_of(game).SETUPS)[:3]]
    lines = (action for each in played for action in (each.opening, *each.actions))
    return tuple({engine.text(action): action for action in lines}.values())


def arguments(engine: Engine[Any, Any], action: Action) -> tuple[list[str], list[str]]:
    """Seat and verb, and what follows."""
    words = engine.text(action).split()
    start = (action.by is not None) + 1
    return words[:start], words[start:]


@pytest.mark.parametrize("game", GAMES)
def test_every_other_way_to_say_an_action_has_room_for_all_of_it(game: str) -> None:
    for action in load_engine(game).actions:
        needed = {name for name, field in action.model_fields.items() if field.is_required()}
        for form in action.also:
            assert all(f"{{{name}" in form for name in needed), f"{action.__name__}: {form}"


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_an_action_as_data_can_be_written_as_a_line(game: str) -> None:
    """Programs send actions as data; the record and every page show them as lines."""
    engine, rng = load_engine(game), random.Random(game)
    heard = (each for path in files_of(game) for each in heard_in_cases(engine, read(path)))
    actions = [judgement.action for case in heard for _, _, judgement in case]
    strays = Strays(engine, actions)
    for action in (strays.draw(rng) for _ in range(STRAYS)):
        assert engine.read(engine.text(action)).verb == action.verb


@pytest.mark.parametrize("game", GAMES)
def test_a_canonical_line_is_read_as_it_stands(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = load_engine(game)
    with monkeypatch.context() as patched:
        for way in ("spoken", "_repeated", "_listed"):
            patched.setattr(Notation, way, lambda *_, way=way: pytest.fail(f"{way} was asked"))
        for action in recorded(game):
            line = engine.text(action)
            assert engine.notation.split(line) == [line]
            assert engine.read(line) == action


def with_a_colon(engine: Engine[Any, Any], action: Action) -> Iterator[str]:
    if action.by is not None:
        seat, _, rest = engine.text(action).partition(" ")
        yield from (f"{seat}: {rest}", f"{seat.lower()} : {rest}", f"{seat}, {rest}")


def with_commas(engine: Engine[Any, Any], action: Action) -> Iterator[str]:
    head, said = arguments(engine, action)
    if len(said) > 1:
        yield " ".join([*head, ", ".join(said)])
        yield " ".join([*head, *said[:-1]]) + f" ,{said[-1]}"


def with_small_words(engine: Engine[Any, Any], action: Action) -> Iterator[str]:
    """One before any argument that is a name or a value of its own."""
    rng = random.Random(engine.text(action))
    head, said = arguments(engine, action)
    if said:
        at = rng.randrange(len(said))
        fillers = FILLERS if at == 0 else [one for one in FILLERS if not says_from(engine, one)]
        yield " ".join([*head, *said[:at], rng.choice(fillers), *said[at:]])


def says_from(engine: Engine[Any, Any], filler: str) -> bool:
    """Whether a small word is the keyword of whom something is taken from, here or there."""
    entry = engine.words.entry("keyword.from") or {}
    return filler in {word for words in entry.values() for word in words.split()}


def in_french(engine: Engine[Any, Any], action: Action) -> Iterator[str]:
    """By the names of the catalogue, as they are printed and as they are typed in haste."""
    head, said = arguments(engine, action)
    names = [french(engine, word) for word in said]
    if names != said:
        yield " ".join([*head, *names])
        yield " ".join([*head, *map(normalize, names)])
        yield " ".join([*head, *(name.replace(" ", "-") for name in names)])


def french(engine: Engine[Any, Any], word: str) -> str:
    keyword = engine.words.entry(f"keyword.{word}")
    return keyword["fr"].split()[0] if keyword else engine.words.term(word, "fr")


@pytest.mark.parametrize("loosely", [with_a_colon, with_commas, with_small_words, in_french])
@pytest.mark.parametrize("game", GAMES)
def test_what_is_said_loosely_means_the_same(game: str, loosely: Any) -> None:
    engine = load_engine(game)
    for action in recorded(game):
        for line in loosely(engine, action):
            (text,) = engine.notation.split(line)
            assert engine.read(text) == action, line


@pytest.mark.parametrize("game", GAMES)
def test_a_line_told_in_french_is_read_as_the_same_action(game: str) -> None:
    engine = load_engine(game)
    for action in recorded(game):
        line = engine.text(action, "fr")
        assert engine.notation.split(line) == [line]
        assert engine.read(line) == action
        assert engine.text.told_in(engine.text(action), "fr") == line
        if action.french:
            assert line.split()[int(action.by is not None)] == action.french[0]


@pytest.mark.parametrize("game", GAMES)
def test_every_name_of_a_component_is_read_however_it_is_spelled(game: str) -> None:
    """In both languages, of several words, with apostrophes and accents or without."""
    engine = load_engine(game)
    for kind in (engine.opening, *engine.actions):
        for field in engine.notation.grammars[kind].fields.values():
            for word in field.vocabulary if field.shape == "one" else ():
                for name in {engine.words.term(word, lang) for lang in ("en", "fr")}:
                    for said in (
                        name,
                        normalize(name),
                        name.replace("'", "’"),
                        name.replace(" ", "_"),
                    ):
                        (variant, *_) = [*engine.notation.free_text.variants(said.split())]
                        spelled = field.read(variant[0])
                        assert spelled == word or engine.words.term(str(spelled), "fr") == name


def is_one(engine: Engine[Any, Any], line: str) -> bool:
    """Whether all of it is written for one action: ``keep`` and ``keep hat`` for ``keep hat``."""
    try:
        engine.notation.exact(line.split())
    except ParseError:
        return False
    return True


@pytest.mark.parametrize("game", GAMES)
def test_what_is_said_at_once_is_several_actions(game: str) -> None:
    """Any two that may be said at once, of the same seat and verb."""
    engine = load_engine(game)
    before: dict[tuple[type[Action], str | None], Action] = {}
    for action in recorded(game):
        if not action.several:
            continue
        first = before.get((type(action), action.by))
        before[type(action), action.by] = action
        _, said = arguments(engine, action)
        if first is None or is_one(engine, f"{engine.text(first)} {' '.join(said)}"):
            continue
        for comma in ("", ","):
            line = f"{engine.text(first)}{comma} {' '.join(said)}"
            parts = engine.notation.split(line)
            assert [engine.read(part) for part in parts] == [first, action], line


def test_a_keyword_is_never_left_out_of_the_middle() -> None:
    """Or somebody who is robbed would be one who waives the toll."""
    engine = load_engine("benevolent")
    with pytest.raises(ParseError):
        engine.read("A pick waive C from C from C")
    assert engine.text(engine.read("A pick waive C from B")) == "A pick from B waive C"
    assert engine.text(engine.read("step from a2 to c3")) == "step a2 to c3"


FOREST = "forest a1=altar a2=wooden_table+1 a3=meadow"


@pytest.mark.parametrize(
    ("game", "said", "line"),
    [
        ("benevolent", "swap feather for crystal", "swap feather"),
        ("benevolent", "swap feather -> crystal", "swap feather"),
        ("benevolent", "A échange trèfle contre plume", "A swap clover"),
        ("benevolent", "step a2->c3", "step a2 to c3"),
        ("roundforest", "goblin sword hat", "goblin sword for hat"),
        ("bloody_grove", "ruse EF6@2 3", "ruse EF6@2 to 3"),
        ("bethel_woods", "prends 1 antihoraire", "take 1 ccw"),
        ("broom_service", "événement avantage", "event advantage"),
        ("broom_service", "B: au suivant !", "B next"),
        ("bethel_woods", "linny remove E3 pay D3", "linny pay D3 remove E3"),
        ("bethel_woods", "junas to A give E3 pay D3", "junas pay D3 give E3 to A"),
        ("bloody_grove", "recrute renard sous", "recruit fox under"),
        ("bloody_grove", "révèle t8 détruit", "reveal t8 destroy"),
        ("benevolent", "forêt a1=autel a2=table+1, a3=Pré", FOREST),
        ("broom_service", "gather ggw", "gather g g w"),
        ("broom_service", "cueille 2g w", "gather g g w"),
    ],
)
def test_lines_that_newcomers_said_are_read(game: str, said: str, line: str) -> None:
    engine = load_engine(game)
    assert [engine.text(engine.read(text)) for text in engine.notation.split(said)] == [line]


def test_what_an_exchange_does_not_bring_is_not_passed_over() -> None:
    engine = load_engine("benevolent")
    wrong = engine.read("swap feather for amber")
    assert engine.text(wrong) == "swap feather for amber"
    assert engine.text(engine.read("pick for crystal")) == "pick crystal"
    with pytest.raises(ParseError):
        engine.read("swap feather for")


@pytest.mark.parametrize(
    ("game", "lines"),
    [
        ("benevolent", ("buy clover paid reserve", "A pick paid B", "A sleep 2 paid C")),
        ("bloody_grove", ("arcane t4 to b1@2", "ruse f3@2 to 3")),
        ("bethel_woods", ("take 1 ccw",)),
    ],
)
def test_what_went_wrong_and_usual_words_are_read(game: str, lines: tuple[str, ...]) -> None:
    engine = load_engine(game)
    for line in lines:
        assert engine.text(engine.read(engine.text(engine.read(line), "fr"))) == line
    said = {"bloody_grove": "arcane t4 sur b1@2", "bethel_woods": "prends 1 anti"}.get(game)
    if said is not None:
        assert engine.text(engine.read(said)) == lines[0]


@pytest.mark.parametrize("game", GAMES)
def test_what_was_understood_is_judged_as_what_was_said(game: str) -> None:
    """A bench judges a line once, and records the action with the seat that was meant."""
    engine = load_engine(game)
    played = random_game(engine, next(iter(tables_of(game).SETUPS)), 0)
    filled_in = 0
    for number, (before, after) in enumerate(pairwise(played.judgements), start=1):
        for lenient in (False, True):
            judge = partial(engine.judge, played.setting, before.state, lenient=lenient)
            try:
                said = judge(after.action.model_copy(update={"by": None}), number)
            except ParseError:
                continue
            again = judge(said.action, number)
            assert again == said
            assert again.state.last_seat == said.state.last_seat
            filled_in += said.action.by is not None
    assert filled_in


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("learn bargain", "learn 1c"),
        ("A step c3; A apprend le marchandage", "A learn 1c"),
        ("A: learn the Lone Step", "A learn 1d"),
        ("learn 1c", "learn 1c"),
    ],
)
def test_a_secret_is_learnt_by_its_name(said: str, meant: str) -> None:
    engine = load_engine("benevolent")
    laid = "pyramid gift_clover swap_again bargain lone_step / sale gift_feather cheap_crystal"
    lines = ["table A=red B=blue first A", "forest S1A S2A", f"{laid} / hoard convert_1"]
    table = open_game(engine, lines)
    (texts,) = LineInterpreter(engine, table.setting, table.state).said([said])
    assert engine.text(engine.read(texts[-1])) == meant
    for unknown in ("learn hoards", "learn convert_2"):
        assert LineInterpreter(engine, table.setting, table.state).said([unknown]) == [[unknown]]
