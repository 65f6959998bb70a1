"""Tables in pairs: the same public game, but another secret of A's.

Whatever anybody but A and a judge is shown of one, or answered about it, must be what is
shown of the other.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import Any, TypeVar

import pytest

from engines.kernel.registry import engine_ids
from referee.record.entries import Corrected, Photographed
from referee.table.adjustments import adjust
from referee.table.author import Author, By
from referee.table.bench import Bench
from referee.table.corrections import correct, undo
from referee.table.openings import open_game
from referee.table.play import log
from tests.record.conftest import make_bench
from tests.tutorial import SAMPLES

ANA = Author("pana", "seat:A")
Make = Callable[..., tuple[Bench, str]]
Question = TypeVar("Question")


def benevolent(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """Leaves are concealed, and A has some."""
    bench = make_bench(url)
    game = open_game(
        bench, "benevolent", "table A=blue B=red first A readings open_holdings=no"
    ).game.id
    log_lines(
        bench,
        game,
        "forest S1A S2A",
        "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal / "
        "hoard convert_1",
        "A step c1; pick; B step c1; pick",
    )
    adjust(bench, game, {"players": {"A": {"leaves": int(secret)}}}, "counted")
    log_lines(bench, game, "A step c2; swap feather")
    return bench, game


def broom_service(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """Hands are deposited with the referee."""
    bench = make_bench(url)
    opening = "table A=red B=blue C=green first A side front readings sealed_hands=yes"
    game = open_game(bench, "broom_service", opening).game.id
    hand = {"bolts": 25, "cards": 4, "sealed": ["pw", *secret.split()]}
    others = {"cards": 4, "sealed": ["pw", "hw", "mw", "vd"]}
    position = {
        "round": 2,
        "turn": 1,
        "first": "A",
        "event": "gathering",
        "cursed": ["rg", "pd"],
        "players": {"A": hand, "B": others, "C": others},
    }
    log_lines(
        bench, game, f"position {json.dumps(position)}", "A pw brave; B pw brave; C pw coward"
    )
    return bench, game


def bloody_grove(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """A seals its first cards and its look."""
    bench = make_bench(url)
    game = open_game(bench, "bloody_grove", "table A=black B=green first A").game.id
    faces, value = secret.split("/")
    for line in (
        "groves bear fox owl",
        *_shown(bench, game),
        f"A draw 4 sealed {faces}",
        "B draw 4",
        f"A look t1 sealed {value}",
        "B look t2",
    ):
        heard = log(bench, game, line)
        assert heard.accepted, (line, heard.verdict.breaches)
    return bench, game


def _shown(bench: Bench, game: str) -> Iterator[str]:
    """Elites and Venerables as the options offer them."""
    kit = bench.game(game).setting.kit
    for animal in kit.animals:
        yield f"elite {next(card.id for card in kit.elites if card.animal == animal)}"
    plain = [card.id for card in kit.venerables if card.back == "plain"]
    yield f"venerables {' '.join(plain[:3])}"


def declared_cards(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """A judge declares where A's recruited Elite lies, and the game goes on."""
    bench, game = opened_grove(url)
    log_lines(bench, game, f"position {json.dumps(_cards(secret))}")
    log_lines(bench, game, "A invoke b2", "B invoke b1", "B invoke b2")
    return bench, game


def impossible_cards(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """A judge names a base Spirit in A's hand, which breaks the count, and lets it stand."""
    bench, game = opened_grove(url)
    position = _cards("deck")
    position["players"]["A"]["hand"][0] = secret
    heard = log(bench, game, f"position {json.dumps(position)}", stands=True)
    assert heard.verdict.outcome == "illegal"
    log_lines(bench, game, "A invoke f2")
    return bench, game


def adjusted_cards(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """A judge looks at A's cards in mid-game, and adjusts the record."""
    bench, game = opened_grove(url)
    log_lines(bench, game, f"position {json.dumps(_cards('counted'))}", "A invoke b2")
    known = _cards(secret)["players"]["A"]
    known["hand"].remove("any")
    known["worlds"] = []
    adjust(bench, game, {"players": {"A": {k: known[k] for k in ("hand", "deck", "worlds")}}}, "")
    log_lines(bench, game, "B invoke b1")
    return bench, game


def corrected_cards(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """A declared position is corrected, so that the secret one no longer counts."""
    bench, game = opened_grove(url)
    number = log(bench, game, f"position {json.dumps(_cards(secret))}").number
    assert number is not None
    correct(bench, game, number, [f"position {json.dumps(_cards('counted'))}"])
    log_lines(bench, game, "A invoke b2")
    return bench, game


def withdrawn_draw(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """What A sealed was taken back, and drawn again without a seal."""
    bench, game = opened_grove(url)
    log_lines(bench, game, "groves bear fox owl", *_shown(bench, game), f"A draw 4 sealed {secret}")
    undo(bench, game)
    log_lines(bench, game, "A draw 4", "B draw 4", "A look t1", "B look t2")
    return bench, game


def look_into_the_heap(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """Tokens of a heap have no place, and what A saw there is in no state."""
    bench, game = opened_grove(url, " readings token_tracking=heap")
    log_lines(bench, game, "groves bear fox owl", *_shown(bench, game), "A draw 4; B draw 4")
    log_lines(bench, game, f"A look any sealed {secret}", "B look any")
    return bench, game


def chosen_hand(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """A deposits a hand with the referee, the others have not chosen yet."""
    bench = make_bench(url)
    opening = "table A=red B=blue C=green first A side front readings sealed_hands=yes"
    game = open_game(bench, "broom_service", opening).game.id
    position = {"round": 2, "first": "A", "players": {"A": {"bolts": 25}}}
    log_lines(bench, game, f"position {json.dumps(position)}", "event gathering", "cursed rg pd")
    log_lines(bench, game, f"A hand 4 {secret}")
    return bench, game


def photographed_hand(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """The referee is told no hand, and A keeps a photograph of hers: there alone is the secret."""
    bench = make_bench(url)
    game = open_game(
        bench, "broom_service", "table A=red B=blue C=green first A side front"
    ).game.id
    position = {"round": 2, "first": "A", "players": {"A": {"bolts": 25}}}
    log_lines(bench, game, f"position {json.dumps(position)}", "event gathering", "cursed rg pd")
    log_lines(bench, game, "A hand 4")
    digest, size = sha256(secret.encode()).hexdigest(), {"width": 20, "height": len(secret)}
    photo = Photographed(id="f1", digest=digest, size=len(secret), number=4, only="A", **size)
    bench.tell(bench.game(game), [photo.model_copy(update={"caption": secret})], By(ANA))
    return bench, game


def withdrawn_hand(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """A was taken for another, and chose again."""
    bench, game = chosen_hand(secret, url)
    undo(bench, game)
    adjust(bench, game, {"players": {"A": {"cards": 4, "sealed": secret.split()}}}, "seen")
    undo(bench, game)
    return bench, game


def smugglers(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """A stranger's game: A has told the referee what is in the chest, B has not packed yet."""
    bench = make_bench(url)
    game = open_game(bench, "smugglers", "table A B C").game.id
    log_lines(bench, game, f"A pack {secret}", "C pack")
    return bench, game


def declared_chest(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """A declares the chest, and B may inspect it."""
    bench, game = smugglers(secret, url)
    log_lines(bench, game, "B pack", "A declare silk")
    return bench, game


def put_in(make: Make) -> Make:
    """The same, but what told the first secret and all behind it was put in by one correction, in
    place of itself."""

    def made(secret: str, url: str = "memory:") -> tuple[Bench, str]:
        bench, game = make(secret, url)
        said = [step for step in bench.game(game).steps[1:] if step.action is not None]
        while not said[0].action.private_values():
            del said[0]
        assert said[0].item.number is not None
        lines = [step.action for step in said]
        correct(bench, game, said[0].item.number, lines, remove=len(lines))
        assert isinstance(bench.game(game).entries[-1].data, Corrected)
        return bench, game

    return made


def dunes(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """A stranger's game for many: A has told the referee what is in the hand, B has not closed."""
    bench = make_bench(url)
    game = open_game(bench, "dunes", "table A B C D").game.id
    log_lines(bench, game, f"A close {secret}", "C close", "D close")
    return bench, game


def opened_grove(url: str, readings: str = "") -> tuple[Bench, str]:
    bench = make_bench(url)
    return bench, open_game(
        bench, "bloody_grove", f"table A=black B=green first A{readings}"
    ).game.id


def _cards(where: str) -> dict[str, Any]:
    """The second round begins, and A has recruited an Elite in the first."""
    hand, deck = ["any"] * 4, ["any"] * 3
    if where == "hand":
        hand[0] = "EB1"
    elif where != "counted":
        deck[{"deck": 2, "top": 0}[where]] = "EB1"
    listed: dict[str, Any] = {"hand": hand, "deck": deck}
    counted: dict[str, Any] = {"hand": 4, "deck": 3, "hidden": ["EB1"]}
    return {
        "round": 2,
        "turn": 1,
        "first": "A",
        "groves": ["bear", "fox", "owl"],
        "elites": {"bear": "EB2", "owl": "EO6", "fox": "EF6"},
        "venerables": ["V6", "V3", "V9"],
        "reserve": [f"t{number}" for number in range(1, 13)],
        "players": {
            "A": {
                "columns": [["b1"], ["f3"], ["o3"]],
                **(counted if where == "counted" else listed),
            },
            "B": {
                "columns": [["f2"], ["o1"], ["o2"]],
                "hand": ["any"] * 4,
                "deck": ["any"] * 2,
            },
        },
    }


TWINS: dict[str, tuple[Make, str, str]] = {
    "benevolent": (benevolent, "2", "1"),
    "broom_service": (broom_service, "fw hw mw", "fg hg wf"),
    "a chosen hand": (chosen_hand, "pw fw hw mw", "pw fg hg wf"),
    "a withdrawn hand": (withdrawn_hand, "pw fw hw mw", "pw fg hg wf"),
    "a photographed hand": (photographed_hand, "fw hw mw", "fg hg wf u"),
    "bloody_grove": (bloody_grove, "b3 f1 b1 b2/2", "o1 o2 o3 f2/3"),
    "declared cards": (declared_cards, "hand", "deck"),
    "a declared deck": (declared_cards, "top", "deck"),
    "impossible cards": (impossible_cards, "b3", "f1"),
    "adjusted cards": (adjusted_cards, "hand", "deck"),
    "corrected cards": (corrected_cards, "hand", "deck"),
    "a withdrawn draw": (withdrawn_draw, "b3 f1 b1 b2", "o1 o2 o3 f2"),
    "a look into the heap": (look_into_the_heap, "2", "3"),
    "smugglers": (smugglers, "gold", "tea"),
    "a hand put in": (put_in(chosen_hand), "pw fw hw mw", "pw fg hg wf"),
    "seals put in": (put_in(bloody_grove), "b3 f1 b1 b2/2", "o1 o2 o3 f2/3"),
    "a chest put in": (put_in(smugglers), "gold", "tea"),
    "a declared chest": (declared_chest, "gold", "silk"),
    "dunes": (dunes, "2", "0"),
}


def whole() -> list[str]:
    """The pairs that are named as their game, of which everything is asked."""
    games = {*engine_ids(), *(each.name for each in SAMPLES)}
    return [name for name in TWINS if name in games]


def parts() -> list[object]:
    """Every pair, and one in how many questions it is asked: all, if it is named as its game."""
    asked_all = whole()
    return [
        pytest.param(name, part, id=f"{name}, one in {part}", marks=marks)
        for name in TWINS
        for part, marks in ([(1, ())] if name in asked_all else [(9, ()), (3, pytest.mark.deep)])
    ]


def asked_at(name: str, questions: Iterable[Question], part: int) -> list[Question]:
    """One in so many questions. Which ones goes round, so that the pairs together miss nothing;
    ``REFEREE_CHAOS`` asks all."""
    everything = list(questions)
    if "REFEREE_CHAOS" in os.environ:
        return everything
    return everything[list(TWINS).index(name) % part :: part]


def log_lines(bench: Bench, game: str, *lines: str) -> None:
    for line in lines:
        for text in bench.game(game).engine.notation.split(line):
            heard = log(bench, game, text)
            assert heard.accepted, (text, heard.verdict.breaches)
