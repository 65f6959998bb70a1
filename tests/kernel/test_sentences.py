"""Actions in sentences and on buttons: all games, both languages, whoever looks."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from engines.kernel import LANGUAGES, Action, Catalogue, Engine, Language, Opening
from engines.kernel.messages.package_data import KERNEL_WORDS
from engines.kernel.notation.sentences import Sentences, parse
from engines.kernel.registry import load_engine
from tests.kernel import toy
from tests.playing import Strays, playable_games, random_game, tables_of

NAMES = dict(
    zip("ABCDEFGH", ("Ana", "Boris", "Chi", "Dov", "Eli", "Fay", "Gus", "Hal"), strict=True)
)
UNFILLED = re.compile(r"[{}\[\]<>|]|None|\(\)|  ")
LETTER = re.compile(r"(?<![\w/])[A-H](?![\w/])")
MANY = 400
"""So many actions of each kind of game are enough to meet every verb."""


PLAIN = {"coward"}
"""Codes that are words as well."""
OWN = [game for game in playable_games() if load_engine(game).package.startswith("engines.")]
"""The games of the house; the others may say nothing, and are told by their notation."""


@cache
def seen(game: str) -> tuple[Action, ...]:
    """What happens in random games, and what looks like it."""
    engine, found = load_engine(game), []
    for setup in tables_of(game).SETUPS:
        played = random_game(engine, setup, 1)
        found += [played.opening, *played.actions]
    decided = [action for action in found if not isinstance(action, Opening)]
    strays, rng = Strays(engine, decided), random.Random(game)
    found += [strays.draw(rng) for _ in range(MANY)]
    return tuple(found)


def told(game: str) -> Iterator[tuple[Action, Language, str, str]]:
    engine = load_engine(game)
    for action in seen(game):
        for lang in LANGUAGES:
            yield (
                action,
                lang,
                engine.text.tell(action, lang, NAMES),
                engine.text.label(action, lang, NAMES),
            )


@pytest.mark.parametrize("game", OWN)
def test_every_verb_has_a_sentence_a_label_and_a_word_of_its_own(game: str) -> None:
    engine = load_engine(game)
    for kind in (engine.opening, *engine.actions):
        verb = kind.verb_of()
        assert f"said.{verb}" in engine.words, verb
        if not issubclass(kind, Opening):
            assert all(engine.text.verb_label(verb, lang)[:1].isupper() for lang in LANGUAGES), verb


@pytest.mark.parametrize("game", OWN)
def test_templates_name_fields_that_their_action_has(game: str) -> None:
    engine = load_engine(game)
    for kind in (engine.opening, *engine.actions):
        for lang in LANGUAGES:
            nodes = engine.text._sentences._template(kind.verb_of(), lang)
            assert {*_fields(nodes)} <= {"who", *kind.model_fields}, (kind.verb_of(), lang)


def _fields(node: Any) -> Iterator[str]:
    if isinstance(node, tuple):
        for each in node:
            yield from _fields(each)
    elif hasattr(node, "field"):
        yield node.field
    elif not isinstance(node, str):
        for name in node.__struct_fields__:
            yield from _fields(getattr(node, name))


@pytest.mark.parametrize("game", playable_games())
def test_nothing_is_left_to_be_filled_in(game: str) -> None:
    odd = [
        (action, said)
        for action, _, *both in told(game)
        for said in both
        if UNFILLED.search(said) or not said or not (said[0].isupper() or said[0].isdigit())
    ]
    assert odd == []


@pytest.mark.parametrize("game", playable_games())
def test_people_are_called_by_name(game: str) -> None:
    """Whoever acts and whoever else is meant; a letter that is no seat (a circle) may stay."""
    engine = load_engine(game)
    for action in seen(game):
        for lang in LANGUAGES:
            said = engine.text.tell(action, lang, NAMES)
            unnamed = engine.text.tell(action, lang, {})
            if action.by is not None:
                assert NAMES[action.by] in said, said
                assert NAMES[action.by] not in engine.text.label(action, lang, {}), action
            letters = {*LETTER.findall(unnamed)} - {*LETTER.findall(said)}
            assert all(NAMES[letter] in said for letter in letters), said


@pytest.mark.parametrize("game", playable_games())
def test_no_code_is_said_that_has_a_word(game: str) -> None:
    engine = load_engine(game)
    for action, _, *both in told(game):
        data = action.model_dump(mode="json", exclude={"verb", "by", "readings", "subject"})
        for code in _words(data):
            entry = engine.words.entry(f"term.{code}")
            named = entry is not None and code not in re.findall(r"\w+", " ".join(entry.values()))
            if not named or code in PLAIN:
                continue
            for said in both:
                assert not re.search(rf"(?<![\w-]){re.escape(code)}(?![\w-])", said), said
                assert "_" not in said.partition("readings")[0].partition("lectures")[0], said


def _words(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, list | dict):
        for each in data:
            yield from _words(each)
        for each in data.values() if isinstance(data, dict) else ():
            yield from _words(each)


@pytest.mark.parametrize("game", playable_games())
def test_different_actions_are_told_differently(game: str) -> None:
    for lang in LANGUAGES:
        engine, known = load_engine(game), dict[tuple[str, str], Action]()
        for action in seen(game):
            if type(action) is engine.position:
                continue
            said = engine.text.tell(action, lang, NAMES)
            other = known.setdefault((action.verb, said), action)
            assert _visible(engine, other) == _visible(engine, action), said


def _visible(engine: Engine[Any, Any], action: Action) -> Any:
    """What a line says; nobody cares in which order several of a kind are named."""
    return sorted(engine.text(action).split())


@pytest.mark.parametrize("game", playable_games())
def test_what_others_may_not_know_is_not_told_to_them(game: str) -> None:
    engine = load_engine(game)
    for action in seen(game):
        if not action.private or action.known_to("") == action:
            continue
        for lang in LANGUAGES:
            hidden = engine.text.tell(action.known_to(""), lang, NAMES)
            assert not UNFILLED.search(hidden), hidden
            assert len(hidden) < len(engine.text.tell(action, lang, NAMES)), hidden


# the template language

WORDS = Catalogue(
    {
        "said.bid": {
            "en": "<{who} bids|bid> {amount} {amount:coin|coins}",
            "fr": "<{who} mise|miser> {amount} {amount:pièce|pièces}",
        },
        "said.boast": {
            "en": "[{colour=red}<{who} boasts|boast>, red|<{who} boasts of|boast of> {colour}]",
            "fr": "<{who} se vante|se vanter>",
        },
        "noun.blue": {"en": "the blue one", "fr": "le bleu"},
    },
    KERNEL_WORDS,
)  # fmt: skip


@pytest.mark.parametrize(
    ("action", "lang", "sentence", "label"),
    [
        (toy.Bid(by="A", amount=1), "en", "Ana bids 1 coin", "Bid 1 coin"),
        (toy.Bid(by="B", amount=3), "fr", "Boris mise 3 pièces", "Miser 3 pièces"),
        (toy.Boast(by="A", colour="red"), "en", "Ana boasts, red", "Boast, red"),
        (toy.Boast(by="A", colour="blue"), "en", "Ana boasts of the blue one",
         "Boast of the blue one"),
    ],
)  # fmt: skip
def test_a_template_says_the_sentence_and_the_label(
    action: Action, lang: Language, sentence: str, label: str
) -> None:
    sentences = Sentences(WORDS, lambda action, lang: "", {})
    assert sentences.tell(action, lang, NAMES) == sentence
    assert sentences.tell(action, lang, NAMES, "label") == label


@pytest.mark.parametrize("template", ["[open", "<a|b", "{1}", "a]b]["])
def test_a_broken_template_is_an_error(template: str) -> None:
    with pytest.raises(ValueError):
        parse(template)


@pytest.mark.parametrize(
    ("line", "lang", "sentence", "label"),
    [
        ("A bid 3", "en", "Ana: bid 3", "Bid 3"),
        ("A bid 3", "fr", "Ana : mise 3", "Mise 3"),
        ("B boast blue", "fr", "Boris : boast bleu", "Boast bleu"),
        ("turn red", "en", "Turn red", "Turn red"),
    ],
)
def test_a_game_that_says_nothing_is_told_by_its_notation(
    line: str, lang: Language, sentence: str, label: str
) -> None:
    engine = toy.ENGINE
    assert engine.text.tell(engine.read(line), lang, NAMES) == sentence
    assert engine.text.label(engine.read(line), lang, NAMES) == label
    assert engine.text.verb_label("bid", "fr") == "mise"


def test_every_game_has_an_emblem_and_knows_its_colours() -> None:
    for game in playable_games():
        engine = load_engine(game)
        assert engine.emblem.startswith("<svg"), game
        opening = next(action for action in seen(game) if isinstance(action, Opening))
        assert {*opening.colours} in ({*opening.seats}, set()), game
    assert toy.ENGINE.emblem.startswith("<svg")
