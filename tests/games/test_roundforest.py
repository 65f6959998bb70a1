"""Roundforest: what no generic suite can say."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from engines.kernel import LANGUAGES, Action, Bag, Judgement, Opening, ParseError, Sought, evolve
from engines.kernel.dialogue.clause_text import because
from engines.kernel.rules.holdings import elsewhere
from engines.roundforest import ENGINE
from engines.roundforest.rules.characters import can_swap, can_use, why_useless
from engines.roundforest.rules.objects import can_change_coin
from engines.roundforest.state import Bags, Cards, Held, Supply, balance
from tests.games.roundforest import SETUPS, supply
from tests.playing import Game, Strays, open_game, random_game, replayed
from tests.test_cases import actions_of

GAME = actions_of("roundforest", "every turn, with the tile that turned and what lies there")
SETUP = GAME[: GAME.index("A move b1")]


def play(game: Game, line: str) -> None:
    for text in ENGINE.notation.split(line):
        judgement = game.hear(ENGINE.read(text))
        assert judgement.accepted, f"{text}: {judgement.verdict.breaches}"


DECIDED = {
    "kept": ("A move b1", "A keep"),
    "kept as a coin": ("A move b1", "A keep coin"),
    "left": ("A move b1", "A leave"),
    "bartered": ("A move b1", "A barter bottom hat"),
    "bartered for a coin token": ("A move b1", "A barter middle copper_token coin"),
    "put": ("A move b1; draw jug; A leave; B move e4; draw helmet; B leave; A move c1", "A put e3"),
}


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("twins", [True, False])
@pytest.mark.parametrize("how", DECIDED)
def test_of_several_objects_drawn_at_once_none_is_lost(how: str, twins: bool, count: int) -> None:
    """More than one was drawn, and it stands: whatever one of them is used for, the others stay
    with the player, who owes a decision about each."""
    game = open_game(ENGINE, SETUP)
    before, decision = DECIDED[how]
    play(game, before)
    drawn = ["silver_token", *(["silver_token"] * 2 if twins else ["stone", "anvil"])][:count]
    bag = game.state.bags.blue
    for line in (f"draw {' '.join(drawn)}", decision):
        assert game.hear(ENGINE.read(line), lenient=True).accepted, line
    assert ENGINE.balance(game.state, game.setting) == {}
    kind, (used, *others) = "put" if how == "put" else "object", sorted(drawn)
    assert [held.objects for held in game.state.drawn] == [(thing,) for thing in others]
    assert game.state.agenda.times_owed(kind, "A") == len(others)
    gone = Counter(bag) - Counter(game.state.bags.blue)
    back = how.startswith("bartered") or (how == "kept as a coin" and used == "silver_token")
    assert gone == Counter(others if back else drawn)


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


@pytest.mark.parametrize("setup", list(SETUPS)[:2])
def test_what_is_not_in_a_bag_is_where_an_entry_has_brought_it(setup: str) -> None:
    """Since that entry it has lain there, and not before: what is named is what contradicts."""
    played = random_game(ENGINE, setup, 2)
    states = [judgement.state for judgement in played.judgements]
    named = 0
    for at in (60, 150):
        for thing, home in ABROAD:
            found = list(
                elsewhere(ENGINE.holdings, Sought(thing, home), states[:at], played.setting)
            )
            there = [amounts(state, thing, played.setting) for state in states[:at]]
            outside = {holder: n for holder, n in there[-1].items() if n and holder != home}
            assert {holder for holder, _ in found} == outside.keys()
            for holder, since in found:
                assert all(then.get(holder, 0) >= outside[holder] for then in there[since:])
                assert since == 0 or there[since - 1].get(holder, 0) < outside[holder]
                named += 1
    assert named


ABROAD = [("hat", "blue_bag"), ("sword", "blue_bag"), ("chip.red", "black_bag")]
ABROAD += [(f"card.{name}", "deck") for name in ("smith", "witch", "merchant")]


def amounts(state: Any, thing: str, setting: Any) -> Counter[str]:
    found: Counter[str] = Counter()
    for holder, held, amount in ENGINE.holdings.held(state, setting):
        if held == thing:
            found[holder] += amount or 0
    return found


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
    verdict, may_stand = ENGINE.positions.contradictions(game.setting, game.state, both)
    assert may_stand
    assert verdict.breaches == ()
    (doubt,) = verdict.doubted
    assert doubt.facts == {"cell": "c3", "pawns": ["A", "B"], "field": "players"}


def test_an_object_drawn_out_of_turn_is_with_whoever_drew_it() -> None:
    game = open_game(ENGINE, SETUP)
    play(game, "A move b1; draw silver_token; A keep coin")
    before = game.state
    drawn = ENGINE.judge(game.setting, before, ENGINE.read("A draw jug"), 99, lenient=True)
    told = ENGINE.moves(before, drawn.state, game.setting, drawn.action).told(ENGINE.words, "en")
    assert told == ["blue bag → A: jug"]


REFUSED = 400
"""Stray lines that are tried at each table."""


def refused_strays(setup: str, *, lenient: bool) -> Iterator[tuple[Any, Any, Judgement[Any]]]:
    """The setting, the state before, and what is said of a line that is not legal there."""
    played = random_game(ENGINE, setup, 1)
    strays = Strays(ENGINE, [a for a in played.actions if type(a) is not ENGINE.position])
    rng = random.Random(f"facts {setup}")
    for _ in range(REFUSED):
        before = rng.choice(played.judgements).state
        action: Action = strays.draw(rng)
        try:
            heard = ENGINE.judge(played.setting, before, action, 9_999, lenient=lenient)
        except ParseError:
            continue
        if heard.verdict.breaches:
            yield played.setting, before, heard


def true_facts(state: Any, seat: str) -> dict[str, list[Any]]:
    """What may truly be said of a table and of a player: values by the name of the fact."""
    me, cards = state.players[seat], state.cards
    here = state.forest.contents.get(me.pos)
    return {
        "pack": [me.pack, (*(thing for thing in me.pack if thing != "saddle"),)],
        "copper": [me.copper, state.supply.copper],
        "silver": [me.silver],
        "apples": [me.apples],
        "debts": [me.debts],
        "owned": [{k: n for k, n in (("copper", me.copper), ("silver", me.silver)) if n}],
        "compasses": [me.compasses],
        "pos": [me.pos],
        "deck": [cards.deck],
        "met": [cards.met or here, cards.met, None],
        "due": [tuple(duty.kind for duty in state.agenda.duties)],
        "turn": [state.turn.seat, *state.agenda.seats],
        "bag": [state.bags.blue.size, dict(state.bags.black)],
        "arrived": [cards.met or here],
        "lies": [*state.forest.contents.values(), *state.forest.gaps.values()],
    }


@pytest.mark.parametrize("setup", list(SETUPS)[:4])
def test_the_facts_of_a_refusal_are_those_of_the_table(setup: str) -> None:
    told = 0
    for setting, state, heard in refused_strays(setup, lenient=False):
        (clause, facts), seat = heard.verdict.breaches[0], heard.action.by
        line = f"{ENGINE.text(heard.action)}: {clause} {facts}"
        assert because(ENGINE, heard.verdict.breaches[0], "fr") or facts.keys() <= {"seat"}, line
        ended = ENGINE.judge.unsaid(setting, state)
        for name, value in facts.items() if seat is not None else ():
            true = [true_facts(each, seat).get(name) for each in (state, *ended)]
            if true[0] is None or (name, heard.action.verb) == ("apples", "buy"):
                continue  # nothing of the table, or how many were asked for
            assert any(value in (each or ()) for each in true), (line, name, true)
            told += 1
        if clause == "RND-CHAR-14" and "character" in facts:
            assert state.forest.contents[facts["cell"]] == facts["character"], line
            assert facts.keys() & {"asks", "coins", "lacks"}, line
    assert told > REFUSED / 10


@pytest.mark.parametrize("setup", list(SETUPS)[:4])
def test_what_is_not_due_is_not_charged_once_more_for_its_moment(setup: str) -> None:
    of_the_moment = {"RND-CHAR-1", "RND-FAIRY-9", "RND-FAIRY-12", "RND-BLOCK-7", "RND-CHEST-2"}
    several = 0
    for _, _, heard in refused_strays(setup, lenient=True):
        first, *others = (point.clause for point in heard.verdict.breaches)
        assert not of_the_moment.intersection(others), (ENGINE.text(heard.action), first, others)
        assert first not in others, (ENGINE.text(heard.action), first)
        several += bool(others)
    assert several


@pytest.mark.parametrize("character", ["smith", "bandit", "prince", "merchant", "goblin", "beggar"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_who_can_do_nothing_with_a_character_is_told_what_is_missing(
    character: str, lang: Any
) -> None:
    game = open_game(ENGINE, SETUP)
    debts = [character] if character in ("smith", "bandit") else []
    full = ["hat", "jug", "spoon"] if character == "prince" else []
    changes = {
        "content": {"b1": character},
        "players": {"A": {"pos": "c1", "pack": full}, "B": {"pos": "e4", "debts": debts}},
        "fairy": {"bottom": ["cheese"], "middle": ["key"], "top": ["potion"]},
        "tiles": {"c1": "F02 w"},
    }
    state = ENGINE.positions.adjust(game.setting, game.state, changes)
    refused = ENGINE.judge(game.setting, state, ENGINE.read("A move b1"))
    (breach,) = refused.verdict.breaches
    assert breach.clause == "RND-CHAR-14"
    assert ENGINE.words.term(character, lang) in because(ENGINE, breach, lang)


@pytest.mark.parametrize(
    "gap",
    ["c3/d4", "d4/c3", "c4/d3", "d3/c4", "c3 d4", "d3 c4", "c3-d4", "C4D3", "c3 et d4"],
)
def test_a_gap_is_named_from_either_corner(gap: str) -> None:
    assert ENGINE.text(ENGINE.read(f"A block anvil {gap}")) == "A block anvil c3/d4"
    assert ENGINE.text(ENGINE.read(f"A débloque {gap}")) == "A unblock c3/d4"


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("A take", "A keep"),
        ("A prend", "A keep"),
        ("A stay", "A pause"),
        ("A block anvil between c3 and d4", "A block anvil c3/d4"),
        ("A bloque enclume entre d3 et c4", "A block anvil c3/d4"),
        ("A fait une pause", "A pause"),
        ("A termine", "A end"),
        ("A finit son tour", "A end"),
        ("A open chest", "A open"),
        ("A ouvre le coffre", "A open"),
        ("A buy", "A buy apple"),
        ("A end turn", "A end"),
        ("A fin du tour", "A end"),
        ("A move compass c3", "A move c3 compass"),
        ("yellow", "chip yellow"),
        ("jaune", "chip yellow"),
        ("A puits argent contre 2 cuivre", "A well silver for 2 copper"),
    ],
)
def test_lines_as_people_say_them(said: str, line: str) -> None:
    assert ENGINE.text(ENGINE.read(said)) == line


@pytest.mark.parametrize(
    ("said", "line", "french"),
    [
        ("constat B sac à dos enclume", "audit B pack anvil", "compte B sac_à_dos enclume"),
        ("constat sac bleu 24", "audit blue_bag 24", "compte sac_bleu 24"),
        ("constat b1 nord", "audit b1 n", "compte b1 nord"),
        ("constat b3 fer à cheval", "audit b3 horseshoe", "compte b3 fer_à_cheval"),
        ("audit b1 east", "audit b1 e", "compte b1 est"),
        ("constat B dettes aucune", "audit B debts none", "compte B dettes aucun"),
    ],
)
def test_audits_are_read_and_told_in_words(said: str, line: str, french: str) -> None:
    game = open_game(ENGINE, SETUP)
    heard = ENGINE.judge(game.setting, game.state, ENGINE.read(said))
    assert ENGINE.text(heard.action) == line
    assert ENGINE.text(heard.action, "fr") == french


def told_of(game: Game, line: str, *, lenient: bool = False) -> list[str]:
    """What is told of the movements of a line."""
    before = game.state
    heard = game.hear(ENGINE.read(line), lenient=lenient)
    assert heard.accepted
    moved = ENGINE.moves(before, heard.state, game.setting, heard.action, heard.stages)
    return moved.told(ENGINE.words, "en")


def test_what_hands_do_is_told_in_order() -> None:
    game = open_game(ENGINE, SETUP)
    play(game, "A move b1; draw silver_token; A keep coin; B move e4; draw helmet; B leave")
    assert told_of(game, "A move c1") == ["c1 turns east"]
    assert told_of(game, "chip yellow") == [
        "black bag → tile b1: 1 yellow chip",
        "tile c1 → beside the forest: 1 yellow chip",
    ]
    play(game, "draw sword; A put b1")
    assert told_of(game, "B pause") == ["e4 turns south"]


def test_cards_and_tokens_are_told_like_everything_else() -> None:
    game = open_game(ENGINE, SETUP)
    for text in GAME[len(SETUP) : GAME.index("meet demon")]:
        play(game, text)
    assert told_of(game, "meet demon") == ["deck → B: demon’s card"]
    assert told_of(game, "B decline") == [
        "B → debts of B: demon’s card",
        "beside the deck → tile d3: demon’s token",
    ]


def test_a_bare_tile_of_a_declared_position_is_mentioned() -> None:
    game = open_game(ENGINE, SETUP[:1])
    position = ENGINE.text.load({**position_with(), "verb": "position"})
    heard = ENGINE.judge(game.setting, game.state, position)
    assert heard.accepted
    (remark,) = heard.verdict.warnings
    assert remark.key == "bare_tiles"
    assert ENGINE.words.say("warning.bare_tiles", "fr", **remark.facts)


def position_with(**changes: Any) -> dict[str, Any]:
    cells = ENGINE.read_kit(ENGINE.kit_sheet(None)).board(2).cells
    wells = ("b2", "b4", "d2", "d4")
    tiles = {c: "11/11/11/11" + (" well" if c in wells else "") for c in cells}
    players = {"A": {"pos": "c3"}, "B": {"pos": "e3"}}
    return {"active": "A", "tiles": tiles, "players": players, **changes}


@pytest.mark.parametrize("pack", [[], ["cross"]])
def test_who_arrives_at_a_character_is_told_to_use_it_where_that_can_be(pack: list[str]) -> None:
    game = open_game(ENGINE, SETUP[:1])
    players = {"A": {"pos": "c3", "pack": pack}, "B": {"pos": "e3", "debts": ["witch"]}}
    play(game, f"position {json.dumps(position_with(content={'c4': 'witch'}, players=players))}")
    game.hear(ENGINE.read("A move c4"), lenient=True)
    heard = game.hear(ENGINE.read("chip blue"))
    asked = {consulted.clause for consulted in heard.verdict.consulted}
    assert ("RND-CHAR-15" in asked) is bool(pack)


DOUBTED: list[tuple[dict[str, Any], str, str]] = [
    ({"held": ["jug"]}, "RND-BLUE-2", "held"),
    ({"phase": "OBJ", "held": ["jug", "hat"]}, "RND-BLUE-1", "held"),
    ({"card": "witch"}, "RND-CHAR-16", "card"),
    ({"done": ["move"]}, "RND-TURN-1", "done"),
    ({"phase": "END", "done": ["move", "pause"]}, "RND-TURN-1", "done"),
    ({"left": "c4"}, "RND-GARN-1", "left"),
    ({"block_used": True}, "RND-BLOCK-1", "block_used"),
    ({"phase": "SPIRIT"}, "RND-SPI-1", "phase"),
    ({"left_by": {"c4": "A"}}, "RND-BLUE-5", "left_by.c4"),
    ({"players": {"A": {"copper": 1}}}, "RND-SET-9", "players.A"),
    ({"aside_chips": {"blue": 24, "yellow": 16, "red": 12}}, "RND-GARN-8", "aside_chips"),
]
"""What lies so after a mistake, though the rules do not lead there."""

REFUSED_POSITIONS: list[tuple[dict[str, Any], str, str]] = [
    ({"winner": "A"}, "RND-END-5", "winner"),
    ({"spirit_in_deck": True}, "RND-SET-14", "spirit_in_deck"),
]
"""What lies so at no table, whatever went wrong before."""


@pytest.mark.parametrize(
    ("changes", "clause", "field", "answered"),
    [
        *((*position, True) for position in DOUBTED),
        *((*position, False) for position in REFUSED_POSITIONS),
    ],
)
def test_a_position_that_no_game_leads_to_is_doubted_or_refused_with_clause_and_field(
    changes: dict[str, Any], clause: str, field: str, answered: bool
) -> None:
    game = open_game(ENGINE, SETUP[:1])
    position = ENGINE.text.load({**position_with(**changes), "verb": "position"})
    heard = ENGINE.judge(game.setting, game.state, position)
    assert heard.accepted == answered
    verdict = heard.verdict
    (point,), others = (
        (verdict.doubted, verdict.breaches) if answered else (verdict.breaches, verdict.doubted)
    )
    assert others == ()
    assert (point.clause, point.facts["field"]) == (clause, field)
    for lang in ("en", "fr"):
        assert ENGINE.words.fact("field", field, lang) in because(ENGINE, point, lang)


def test_characters_that_are_there_twice_are_told_in_order() -> None:
    owed = ["witch", "smith", "demon", "bandit", "sculptor", "innkeeper"]
    players = {"A": {"pos": "c3", "debts": owed}, "B": {"pos": "e3", "debts": owed}}
    game = open_game(ENGINE, SETUP[:1])
    heard = game.hear(ENGINE.read(declared(players=players)))
    (breach,) = heard.verdict.breaches
    assert breach.clause == "RND-SET-14"
    assert breach.facts["twice"] == sorted(owed)


def test_of_two_tiles_with_two_pawns_the_first_player_s_is_told() -> None:
    game = open_game(ENGINE, SETUPS["four players"](random.Random(1)))
    cells = {"A": "c3", "B": "d4", "C": "c3", "D": "d4"}
    players = {seat: {"pos": cell} for seat, cell in cells.items()}
    verdict, _ = ENGINE.positions.contradictions(game.setting, game.state, {"players": players})
    (doubt,) = (point for point in verdict.doubted if point.clause == "RND-MOVE-12")
    assert (doubt.facts["cell"], doubt.facts["pawns"]) == ("c3", ["A", "C"])


def test_a_tile_that_lies_as_before_remembers_when_it_was_turned() -> None:
    game = open_game(ENGINE, SETUP)
    play(game, "A move b1; draw jug; A keep")
    before = game.state.forest.tiles["b1"]
    assert before.turned
    for told, turned in (
        (f"F01 {before.facing}", before),
        ("F01 s", evolve(before, facing="s", turned=0)),
        ("F02 n", evolve(game.state.forest.tiles["c1"], turned=0)),
    ):
        tiles = {"b1": told} if told[:3] == "F01" else {"b1": told, "c1": "F01 n"}
        adjusted = ENGINE.positions.adjust(game.setting, game.state, {"tiles": tiles})
        assert adjusted.forest.tiles["b1"] == turned, told
    by_face = ENGINE.positions.adjust(game.setting, game.state, {"tiles": {"b1": before.face}})
    lying = by_face.forest.tiles["b1"]
    assert (lying.id, lying.face, lying.turned) == (None, before.face, 0)


@pytest.mark.parametrize(
    "changes", [{"content": {"a1": "blue"}}, {"left_by": {"a1": "A"}}, {"left": "a1"}], ids=str
)
def test_a_position_names_no_cell_without_a_tile(changes: dict[str, Any]) -> None:
    with pytest.raises(ParseError) as refused:
        open_game(ENGINE, [SETUP[0], declared(phase="END", **changes)])
    assert (refused.value.key, refused.value.facts) == ("no_tile", {"cell": "a1"})


@pytest.mark.parametrize(
    ("line", "moment"),
    [
        ("chip a1 blue", {"phase": "GARNISH", "left": "c4", "done": ["move"]}),
        ("A put a1", {"phase": "PUT", "held": ["jug"], "content": {"c4": "yellow"}}),
        ("B spirit a1", {"content": {"c4": "yellow"}}),
    ],
)
def test_nothing_is_laid_where_no_tile_is(line: str, moment: dict[str, Any]) -> None:
    """Not even where everything that was done stands as it was told."""
    game = open_game(ENGINE, [SETUP[0], declared(**moment)])
    with pytest.raises(ParseError) as refused:
        game.hear(ENGINE.read(line), lenient=True)
    assert (refused.value.key, refused.value.facts["cell"]) == ("no_tile", "a1")


def test_of_several_tokens_that_lie_beside_the_first_is_in_doubt() -> None:
    beside = ["cheese", "hat"]
    game = open_game(ENGINE, [SETUP[0], declared(phase="REFILL", fairy_aside=beside)])
    heard = game.hear(ENGINE.read("fairy top hat cheese jug"))
    (breach,) = heard.verdict.breaches
    assert (breach.clause, breach.facts["beside"]) == ("RND-FAIRY-10", beside)
    assert breach.facts["object"] == "cheese"


@pytest.mark.parametrize(
    ("line", "moment"),
    [
        ("spirit c5", {"phase": "OVER", "winner": "A", "content": {"c3": "spirit"}}),
        ("keep", {"phase": "GARNISH", "left": "c4", "done": ["move"]}),
        ("spirit c5", {"phase": "GARNISH", "left": "c4", "done": ["move"]}),
        (
            "spirit c5",
            {"phase": "GARNISH", "left": "c4", "done": ["move"], "content": {"b1": "spirit"}},
        ),
    ],
)
def test_who_did_it_is_asked_where_nobody_has_to_do_anything(
    line: str, moment: dict[str, Any]
) -> None:
    game = open_game(ENGINE, [SETUP[0], declared(**moment)])
    with pytest.raises(ParseError) as refused:
        game.hear(ENGINE.read(line), lenient=True)
    assert refused.value.key == "which_seat"


def test_of_two_tiles_that_lie_twice_the_first_is_told() -> None:
    game = open_game(ENGINE, SETUP)
    twice = {"b1": "F01 n", "c1": "F01 n", "d1": "F02 n", "a2": "F02 n"}
    verdict, _ = ENGINE.positions.contradictions(game.setting, game.state, {"tiles": twice})
    assert [point.facts["tile"] for point in verdict.breaches] == ["F01"]


LACKING: dict[str, tuple[str, dict[str, Any]]] = {
    "OBJ": ("object", {"content": {"c3": "red"}}),
    "PUT": ("held", {}),
    "PRINCE": ("held", {}),
    "CHAR": ("card", {"content": {"c3": "hat"}}),
    "WELL": ("well", {}),
    "GARNISH": ("left", {}),
    "REFILL": ("top", {"fairy": {"top": ["hat"]}}),
    "OVER": ("winner", {}),
}


@pytest.mark.parametrize("phase", LACKING)
@pytest.mark.parametrize("pos", ["c3", "pack"])
def test_a_phase_needs_a_pawn_on_a_tile_and_what_is_decided_in_it(phase: str, pos: str) -> None:
    needs, changes = LACKING[phase]
    if pos == "pack" and phase not in ("OVER", "REFILL"):
        needs = "pawn"
    players = {"A": {"pos": pos}, "B": {"pos": "e3"}}
    with pytest.raises(ParseError) as refused:
        open_game(ENGINE, [SETUP[0], declared(phase=phase, players=players, **changes)])
    assert refused.value.key == "phase_lacks"
    assert refused.value.facts["needs"].key == f"needs.{needs}"
    said = {ENGINE.words.say("form.phase_lacks", lang, **refused.value.facts) for lang in LANGUAGES}
    assert len(said) == 2


@pytest.mark.parametrize("phase", ["SETUP", "OVER"])
def test_nothing_comes_before_the_first_tile_and_nothing_before_the_end(phase: str) -> None:
    with pytest.raises(ParseError) as refused:
        open_game(ENGINE, [SETUP[0], declared(phase="START", then=[phase])])
    assert refused.value.facts["phase"] == phase
    assert refused.value.facts["needs"].key == "needs.start"


@pytest.mark.parametrize("phase", ["START", "END"])
def test_a_turn_begins_and_ends_with_a_pawn_at_home_too(phase: str) -> None:
    players = {"A": {"pos": "pack"}, "B": {"pos": "e3"}}
    game = open_game(ENGINE, [SETUP[0], declared(phase=phase, players=players)])
    assert game.state.players["A"].pos is None


@pytest.mark.parametrize(
    ("phase", "then"), [("DRAW", ["decide"]), ("DRAW3", ["choose"]), ("MEET", [])]
)
def test_a_draw_is_due_while_there_is_something_to_draw(phase: str, then: list[str]) -> None:
    game = open_game(ENGINE, [SETUP[0], declared(phase=phase, then=then, done=["move"])])
    assert game.state.agenda.duties
    assert not game.state.agenda.seats


def declared(**changes: Any) -> str:
    return f"position {json.dumps(position_with(**changes))}"


ROWS = {"bottom": ["cheese", "sword", "hat"], "middle": ["key", "spoon"], "top": ["potion"]}
SHIFTED = [
    "bottom row → beside the fairy board: cheese, sword",
    "middle row → bottom row: key, spoon",
    "top row → middle row: potion",
]
IN_ORDER: dict[str, tuple[dict[str, Any], list[str]]] = {
    "A goblin sword for jug": (
        {"phase": "CHAR", "card": "goblin", "pack": ["jug"]},
        ["A → blue bag: jug", "A → deck: goblin’s card", "blue bag → A: sword"],
    ),
    "A barter bottom hat": (
        {"phase": "OBJ", "held": ["jug"], "fairy": ROWS},
        ["A → blue bag: jug", "bottom row → A: hat", *SHIFTED],
    ),
    "A barter middle key": (
        {"phase": "OBJ", "content": {"c3": "jug"}, "fairy": ROWS, "copper": 1},
        [
            "A → supply: 1 copper coin",
            "tile c3 → blue bag: jug",
            "middle row → A: key",
            "middle row → beside the fairy board: spoon",
            "top row → middle row: potion",
        ],
    ),
    "fairy top anvil stone jug": (
        {"phase": "REFILL", "fairy": {"bottom": ["hat"]}, "fairy_aside": ["cheese", "sword"]},
        [
            "blue bag → top row: anvil, stone, jug",
            "beside the fairy board → blue bag: cheese, sword",
        ],
    ),
    "draw sword": (
        {"phase": "OBJ", "held": ["jug"]},
        ["blue bag → A: sword"],
    ),
    "meet smith": (
        {"phase": "CHAR", "card": "witch"},
        ["deck → A: smith’s card"],
    ),
    "A unicorn c4 saddle": (
        {"phase": "CHAR", "card": "unicorn", "pack": ["saddle"]},
        ["A → blue bag: saddle", "A → deck: unicorn’s card", "c4 turns east"],
    ),
}


@pytest.mark.parametrize("line", IN_ORDER)
def test_an_exchange_is_told_as_hands_make_it(line: str) -> None:
    given, told = IN_ORDER[line]
    owned = {name: given[name] for name in ("pack", "copper") if name in given}
    players = {"A": {"pos": "c3", **owned}, "B": {"pos": "e3"}}
    there = {name: value for name, value in given.items() if name not in owned}
    game = open_game(ENGINE, [SETUP[0], declared(players=players, **there)])
    assert told_of(game, line, lenient=True) == told


# what is counted


def test_everything_in_the_box_is_counted_wherever_it_lies() -> None:
    """Of an empty table all is missing; what is laid anywhere is no longer."""
    game = open_game(ENGINE, SETUP)
    kit = game.setting.kit
    nothing = evolve(
        game.state,
        forest=evolve(game.state.forest, contents={}),
        fairy={},
        bags=Bags(Bag(), Bag(), Bag(), ()),
        cards=Cards((), (), None),
        supply=Supply(0, 0, 0),
    )
    missing = {f"chip.{colour}": -count for colour, count in kit.chips.items()}
    missing |= {thing: -count for thing, count in kit.objects.count.items()}
    missing |= dict.fromkeys(kit.characters, -1)
    missing |= {"copper": -24, "silver": -12, "apples": -12}
    assert [*balance(nothing, game.setting).items()] == [*missing.items()]
    hard = evolve(nothing, hard=True)
    assert "silver_token" not in balance(hard, game.setting)
    for changes, laid in _laid_somewhere(nothing):
        off = balance(evolve(nothing, **changes), game.setting)
        assert {name: off.get(name, 0) - missing[name] for name in missing} == (
            dict.fromkeys(missing, 0) | laid
        ), changes


def _laid_somewhere(state: Any) -> Iterator[tuple[dict[str, Any], dict[str, int]]]:
    """One change of the table for every place where something can lie, and what lies there."""
    bags, forest, cards, supply = state.bags, state.forest, state.cards, state.supply
    yield {"bags": evolve(bags, black=Bag(["red", "blue"]))}, {"chip.red": 1, "chip.blue": 1}
    yield {"bags": evolve(bags, aside=Bag(["red", "red"]))}, {"chip.red": 2}
    yield {"bags": evolve(bags, blue=Bag(["hat", "jug"]))}, {"hat": 1, "jug": 1}
    yield {"bags": evolve(bags, beside=("hat", "jug"))}, {"hat": 1, "jug": 1}
    lying = {"b1": "yellow", "c1": "anvil"}
    yield {"forest": evolve(forest, contents=lying)}, {"chip.yellow": 1, "anvil": 1}
    yield {"forest": evolve(forest, gaps={"b1/c2": "anvil"})}, {"anvil": 1}
    yield {"fairy": {"top": ("hat",), "middle": ("jug",)}}, {"hat": 1, "jug": 1}
    held = Held(("hat",), "blue", "A", Held(("jug",), "yellow", "B"))
    yield {"held": held}, {"hat": 1, "jug": 1}
    for name in ("deck", "face_up"):
        yield {"cards": evolve(cards, **{name: ("witch", "smith")})}, {"witch": 1, "smith": 1}
    met = evolve(cards, met="witch", by="A", beneath=(("smith", "B"),))
    yield {"cards": met}, {"witch": 1, "smith": 1}
    for coin in ("copper", "silver", "apples"):
        yield {"supply": evolve(supply, **{coin: 3})}, {coin: 3}
    for seat, player in state.players.items():
        for owned, counted in (
            ({"pack": ("hat", "jug")}, {"hat": 1, "jug": 1}),
            ({"debts": ("witch", "smith")}, {"witch": 1, "smith": 1}),
            *(({coin: 2}, {coin: 2}) for coin in ("copper", "silver", "apples")),
        ):
            yield {"players": {**state.players, seat: evolve(player, **owned)}}, counted


@pytest.mark.parametrize("declared", [0, 1, 2, 21, 22])
@pytest.mark.parametrize("total", [38, 39, 40])
def test_counts_that_nobody_has_checked_give_way_to_declared_ones(
    total: int, declared: int
) -> None:
    """A kind has one token at least; as long as some are not declared, the others may fill up."""
    opening = ENGINE.read(SETUP[0])
    assert isinstance(opening, Opening)
    sheet = ENGINE.kits["roundforest-default"]
    counts = dict(ENGINE.read_kit(sheet).objects.count)
    counts["sword"] += total - sum(counts.values())
    kinds = ["sword", *(kind for kind in counts if kind != "sword")]
    for kind in kinds[:declared]:
        sheet = sheet.declare(f"objects.count.{kind}", counts[kind], "counted")
    opened = ENGINE.open(ENGINE.setting(opening, sheet), opening)
    undeclared = len(counts) - declared
    fits = sum(counts[kind] for kind in kinds[:declared]) + undeclared <= 39
    assert opened.accepted == (fits if undeclared else total == 39)


# whom a player could do something with: RND-CHAR-14, said once more in a plain way

PACKS = ((), ("hat",), ("anvil",), ("anvil", "hat"), ("hat", "key", "jug"))
HEAVY = ("anvil", "barrel", "stone", "saddle", "chest")
LYING = ((), ("hat",), ("stone",), ("copper_token",), ("stone", "copper_token"))


def _is_of_use(character: str, me: Any, state: Any, bag: tuple[str, ...]) -> bool:
    supply = state.supply
    match character:
        case "merchant":
            return bool((me.pack and supply.copper) or (me.silver and supply.apples))
        case "prince":
            return bool(len(me.pack) < 3 and bag)
        case "beggar":
            return bool(me.copper > 0 and state.cards.deck)
    return any(_swaps_for(given, me.pack, bag) for given in me.pack)


def _missing_for(character: str, me: Any, deck: tuple[str, ...]) -> dict[str, Any]:
    """What is said to be missing, where a character is of no use."""
    match character:
        case "merchant":
            return {"lacks": "empty_supply" if me.pack or me.silver else "no_goods"}
        case "prince":
            return {"lacks": "full_pack" if len(me.pack) == 3 else "empty_bag"}
        case "beggar" if deck:
            return {"coins": {"copper": 1}, "owned": {"silver": me.silver} if me.silver else {}}
        case "beggar":
            return {"lacks": "empty_deck"}
    return {"lacks": "no_swap"}


def _swaps_for(given: str, pack: tuple[str, ...], bag: tuple[str, ...]) -> bool:
    """Whether the goblin has something for this object: no coin, and no second heavy thing."""
    left = [*pack]
    left.remove(given)
    return any(
        not thing.endswith("token") and sum(one in HEAVY for one in (*left, thing)) <= 1
        for thing in bag
    )


@pytest.mark.parametrize("character", ["merchant", "prince", "beggar", "goblin"])
def test_a_character_is_of_use_to_whoever_can_do_something_there(character: str) -> None:
    game = open_game(ENGINE, SETUP)
    decks = ((), ("witch",)) if character == "beggar" else (("witch",),)
    owned = product(PACKS, LYING, (0, 1), decks, product((0, 1), repeat=2))
    for pack, bag, coins, deck, stores in owned:
        me = evolve(game.state.players["A"], pack=pack, copper=coins, silver=coins)
        state = evolve(
            game.state,
            players={**game.state.players, "A": me},
            supply=evolve(game.state.supply, copper=stores[0], apples=stores[1]),
            bags=evolve(game.state.bags, blue=Bag(bag)),
            cards=evolve(game.state.cards, deck=deck),
        )
        told = can_use(state, "A", character, game.setting)
        assert told == _is_of_use(character, me, state, bag), (pack, bag, coins, stores)
        if not told:
            why = why_useless(state, "A", character, game.setting)
            missing = _missing_for(character, me, deck)
            assert why == {"seat": "A", "character": character, **missing}, (pack, bag, coins)
        for given in pack:
            swaps = can_swap(state, me, given, game.setting.kit)
            assert swaps == _swaps_for(given, pack, bag), (pack, given, bag)


@pytest.mark.parametrize("reading", ENGINE.reading_values["coin_later"])
def test_a_turn_waits_for_a_coin_as_long_as_one_token_has_its_coin_in_the_supply(
    reading: str,
) -> None:
    """Of two tokens one is enough, whichever it is and in whatever order they came."""
    game = open_game(ENGINE, [f"{SETUP[0]} readings coin_later={reading}"])
    coins = game.setting.kit.objects.coins
    packs = [pack for size in range(3) for pack in product([*coins, "sword"], repeat=size)]
    for pack, copper, silver in product(packs, range(2), range(2)):
        player = evolve(game.state.players["B"], pack=pack)
        there = Supply(copper=copper, silver=silver, apples=0)
        state = evolve(game.state, supply=there, players={**game.state.players, "B": player})
        left = {"copper": copper, "silver": silver}
        waits = reading == "own_turn" and any(left[coins[one]] for one in pack if one in coins)
        assert can_change_coin(state, "B", game.setting) == waits, (pack, left)
