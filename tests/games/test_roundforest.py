"""Roundforest: the complete sample game with its states, and what no generic suite can say."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engines.kernel import ParseError
from engines.kernel.dialogue.clause_text import because
from engines.roundforest import ENGINE
from tests.games.roundforest import SETUPS, supply
from tests.playing import Game, open_game, replayed

SETUP = """
table A=red@a1 B=blue@e5 first A
tile b1 F01 n; tile c1 F02 n; tile d1 F03 n
tile a2 F04 n; tile b2 W1 n; tile c2 F05 n; tile d2 W2 n; tile e2 F06 n
tile a3 F07 n; tile b3 F08 n; tile c3 F09 n; tile d3 F10 n; tile e3 F11 n
tile a4 F12 n; tile b4 W3 n; tile c4 F13 n; tile d4 W4 n; tile e4 F14 n
tile b5 F15 n; tile c5 F16 n; tile d5 F17 n
chip b1 blue; chip c1 yellow; chip d1 blue; chip a2 blue; chip c2 red; chip e2 blue
chip a3 blue; chip b3 yellow; chip c3 blue; chip d3 red; chip e3 yellow; chip a4 red
chip c4 blue; chip e4 blue; chip b5 yellow; chip c5 red; chip d5 blue
fairy bottom cheese sword hat
fairy middle key spoon copper_token
fairy top potion boots chest
""".strip().splitlines()

TURNS = {
    "1A": ("A move b1; draw silver_token; A keep coin", "b1 11/10/00/00"),
    "1B": ("B move e4; draw helmet; B leave", "e4 00/10/11/00"),
    "2A": ("A move b2; chip yellow; A well apple", "b2 00/11/10/01"),
    "2B": ("B move e3; draw cross; B put b3", "e3 01/11/00/10"),
    "3A": ("A move a2 compass; draw chest; A keep", "a2 00/01/11/00"),
    "3B": ("B move d3; chip blue; meet demon; B decline", "d3 01/10/01/01"),
    "4A": (
        "A move c2; chip blue; meet prince; A prince; draw key mortar stone; A keep key; A open",
        "c2 11/10/00/01",
    ),
    "4B": ("B move d1; draw anvil; B keep", "d1 00/11/11/01"),
    "5A": ("A move c3; chip red; draw silver_token; A keep coin", "c3 00/11/01/10"),
    "5B": ("B pause", "d1 01/00/11/11"),
    "6A": ("A move b3; chip yellow; A keep", "b3 01/11/00/01"),
    "6B": ("B move c1; chip blue; draw copper_token; B put b5", "c1 10/11/01/01"),
    "7A": ("A move d3; chip blue; A lower; B spirit a4", "d3 01/01/10/01"),
    "7B": ("B move c2; chip blue; meet smith; B upper", "c2 01/11/10/00"),
    "8A": (
        "A move b3; chip red; draw jug; A barter bottom hat; fairy top bottle kettle cross",
        "b3 01/01/11/00",
    ),
    "8B": ("B move e2; chip yellow; draw mortar; B keep", "e2 11/00/10/00"),
    "9A": ("A move a3 compass; chip blue; draw mushroom; A leave", "a3 11/00/01/11"),
    "9B": ("B move e4; chip red; B keep", "e4 00/00/10/11"),
    "10A": ("A move a4", ""),
}

AFTER: dict[str, dict[str, Any]] = {
    "2A": {"A": ("b2", (), 0, 0, 1), "B": ("e4", (), 0, 0, 0), "stores": (34, 2, 29, 12)},
    "4A": {"A": ("c2", (), 0, 0, 2), "B": ("d3", (), 0, 0, 0), "stores": (32, 7, 28, 11)},
    "7A": {"A": ("d3", (), 0, 0, 3), "B": ("c1", ("anvil",), 0, 0, 0), "stores": (28, 12, 27, 11)},
    "8A": {
        "A": ("b3", ("hat",), 0, 0, 3),
        "B": ("c2", ("sword",), 0, 0, 0),
        "stores": (26, 14, 26, 11),
    },
    "10A": {
        "A": ("a4", ("hat",), 0, 0, 0),
        "B": ("e4", ("sword", "mortar", "helmet"), 0, 0, 0),
        "stores": (23, 16, 24, 11),
    },
}
"""Tile, pack, copper, silver and apples of each player; black bag, set-aside chips, blue bag and
deck."""


def play(game: Game, line: str) -> None:
    for text in ENGINE.notation.split(line):
        judgement = game.hear(ENGINE.read(text))
        assert judgement.accepted, f"{text}: {judgement.verdict.breaches}"


def texts_of(game: Game) -> set[str]:
    return {ENGINE.text(option) for option in ENGINE.options(game.setting, game.state)}


def snapshot(state: Any) -> dict[str, Any]:
    shown: dict[str, Any] = {
        seat: (p.pos, p.pack, p.copper, p.silver, p.apples) for seat, p in state.players.items()
    }
    bags = state.bags
    sizes = (bags.black.size, bags.aside.size, bags.blue.size, len(state.cards.deck))
    return {**shown, "stores": sizes}


def test_the_sample_game() -> None:
    game = open_game(ENGINE, SETUP)
    assert snapshot(game.state)["stores"] == (35, 0, 30, 12)
    assert dict(game.state.bags.black) == {"blue": 15, "red": 8, "yellow": 12}
    for turn, (line, face) in TURNS.items():
        play(game, line)
        if face:
            cell, wanted = face.split()
            assert game.state.forest.tiles[cell].face == wanted, turn
        if turn in AFTER:
            assert snapshot(game.state) == AFTER[turn], turn
        assert ENGINE.balance(game.state, game.setting) == {}
    result = ENGINE.result(game.state)
    assert result is not None
    assert (result.places, result.told) == ((("A",), ("B",)), (("A",),))
    assert game.state.over
    lying = game.state.forest.contents
    assert (lying["b5"], lying["a3"]) == ("copper_token", "mushroom")


def test_debts_and_rewards_of_the_sample_game() -> None:
    game = open_game(ENGINE, SETUP)
    for turn, (line, _) in TURNS.items():
        if turn == "7A":
            break
        play(game, line)
    assert game.state.players["B"].debts == ("demon",)
    play(game, "A move d3; chip blue; A lower")
    assert game.state.players["B"].debts == ()
    assert game.state.players["A"].apples == 3
    assert snapshot(game.state)["stores"] == (28, 11, 27, 12)
    assert texts_of(game) == {"B spirit c2", "B spirit a4", "B spirit c5"}


def test_what_is_offered_in_the_sample_game() -> None:
    game = open_game(ENGINE, SETUP)
    play(game, TURNS["1A"][0])
    play(game, TURNS["1B"][0])
    assert texts_of(game) == {"A move b2", "A move b3", "A move c1", "A move d1 compass", "A pause"}
    for turn in ("2A", "2B", "3A", "3B"):
        play(game, TURNS[turn][0])
    play(game, TURNS["4A"][0].removesuffix("; A open"))
    assert texts_of(game) == {"A open", "A end"}


def test_an_impossible_draw_names_the_count_in_doubt() -> None:
    game = open_game(ENGINE, SETUP)
    play(game, "A move b1")
    refused = game.hear(ENGINE.read("draw hat"))
    [(clause, facts)] = refused.verdict.breaches
    assert clause == "RND-LOG-1"
    assert facts == {
        "object": "hat",
        "in_bag": 0,
        "count": 1,
        "datum": "objects.count.hat",
        "provenance": "assumed",
    }
    sheet = ENGINE.kits["roundforest-default"].declare(facts["datum"], 2, "counted in our box")
    setting = ENGINE.setting(game.opening, sheet)
    again = list(replayed(ENGINE, setting, game.opening, [*game.actions, refused.action]))
    assert again[-1].accepted
    twice = ENGINE.judge(setting, again[-2].state, ENGINE.read("draw potion"))
    assert twice.accepted


def test_a_declared_count_is_told_as_declared() -> None:
    game = open_game(ENGINE, SETUP)
    sheet = ENGINE.kits["roundforest-default"].declare("objects.count.cheese", 1, "our box")
    setting = ENGINE.setting(game.opening, sheet)
    *_, last = replayed(
        ENGINE,
        setting,
        game.opening,
        [*game.actions, ENGINE.read("A move b1"), ENGINE.read("draw cheese")],
    )
    assert last.verdict.breaches[0].facts["provenance"] == "declared"


def test_a_move_open_before_the_last_rotation_is_reported() -> None:
    game = open_game(ENGINE, SETUP)
    play(game, "A move a2; draw jug; A keep; B move e4; draw helmet; B leave")
    # F04 lies 01/11/00/00 and turned once when A arrived: east is now north's old pair.
    refused = game.hear(ENGINE.read("A move b2"))
    [(clause, facts)] = refused.verdict.breaches
    assert clause == "RND-MOVE-5"
    arrival = next(n for n, a in enumerate(game.actions, 1) if ENGINE.text(a) == "A move a2")
    assert facts["open_before_rotation"] == arrival
    assert f"before #{arrival} turned the tile" in because(
        ENGINE, refused.verdict.breaches[0], "en"
    )


@pytest.mark.parametrize(
    ("french", "english"),
    [
        ("table A=rouge@a1 B=Bleu@e5 premier A", "table A=red@a1 B=blue@e5 first A"),
        ("A va c3 boussole", "A move c3 compass"),
        ("A troque bas chapeau", "A barter bottom hat"),
        ("A garde pièce", "A keep coin"),
        ("pioche épée", "draw sword"),
        ("pioche bleue", "chip blue"),
        ("pioche sorcière", "meet witch"),
        ("A lutin épée contre chapeau", "A goblin sword for hat"),
        ("A puits objets chapeau cuillère", "A well objects hat spoon"),
        ("A passe", "A well nothing"),
        ("A licorne d4 selle", "A unicorn d4 saddle"),
        ("A vend fer_à_cheval", "A sell horseshoe"),
        ("B esprit a4", "B spirit a4"),
    ],
)
def test_french_lines(french: str, english: str) -> None:
    assert ENGINE.text(ENGINE.read(french)) == english


@pytest.mark.parametrize("line", ["tile b1 F01", "tile b1 F01 n well", "tile b1 10/00/00/11 e"])
def test_tiles_by_id_or_by_face(line: str) -> None:
    with pytest.raises(ParseError):
        ENGINE.read(line)


def wealth(state: Any, seat: str) -> float:
    """How near a seat is to winning: enough to make a player want something."""
    if state.winner is not None:
        return 1000.0 if state.winner == seat else -1000.0
    me = state.players[seat]
    coins = min(me.silver, 3) * 4 + min(me.copper, 6)
    return me.apples * 12 - len(me.debts) * 8 + coins + len(me.pack) * 0.5


@pytest.mark.parametrize("setup", SETUPS)
def test_players_who_want_to_win_reach_the_end(setup: str) -> None:
    rng = random.Random(setup)
    game = open_game(ENGINE, SETUPS[setup](rng))
    while not game.state.over and len(game.judgements) < 4000:
        options = ENGINE.options(game.setting, game.state)
        if not options:
            play(game, supply(ENGINE, game.setting, game.state, rng))
            continue
        rng.shuffle(options)
        seat = options[0].by
        if seat is not None:
            options.sort(
                key=lambda option: wealth(
                    ENGINE.judge(game.setting, game.state, option).state, option.by or seat
                )
            )
        assert game.hear(options[-1]).accepted
    result = ENGINE.result(game.state)
    assert result is not None, "nobody has won"
    assert ENGINE.balance(game.state, game.setting) == {}


def test_two_pawns_on_a_tile_are_both_named() -> None:
    game = open_game(ENGINE, SETUP)
    both = {"players": {"A": {"pos": "c3"}, "B": {"pos": "c3"}}}
    verdict, may_stand = ENGINE.contradictions(game.setting, game.state, both)
    assert may_stand
    (breach,) = verdict.breaches
    assert breach.facts == {"cell": "c3", "seat": ["A", "B"], "field": "players"}


def test_an_object_drawn_out_of_turn_is_with_whoever_drew_it() -> None:
    game = open_game(ENGINE, SETUP)
    play(game, "A move b1; draw silver_token; A keep coin")
    before = game.state
    drawn = ENGINE.judge(game.setting, before, ENGINE.read("A draw jug"), 99, lenient=True)
    told = ENGINE.moves(before, drawn.state, game.setting, drawn.action).told(ENGINE.words, "en")
    assert told == ["blue bag → A: jug"]
