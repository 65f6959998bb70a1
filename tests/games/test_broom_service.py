"""Broom Service: whole games with the states they lead to, honest and dishonest hands."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.broom_service import ENGINE
from engines.broom_service.actions import (
    ROLES,
    Chase,
    ChooseHand,
    Deliver,
    End,
    LayDead,
    OpenFist,
    Pass,
    PlaceCloud,
    PlayRole,
)
from engines.broom_service.rules.book import check_name
from engines.broom_service.state import Stock, candidates
from engines.kernel import LANGUAGES, Action, Agenda, Bag, ParseError, evolve
from tests.games.broom_service import FROM_THE_START, KIT, SETUPS
from tests.playing import Game, open_game, random_game

FIRST_ROUND = """
table A=red B=blue C=green first A side front
cloud c01 h11; cloud c02 h22; cloud c03 h33; cloud c04 h21; cloud c05 h22; cloud c06 h32
cloud c07 h11; cloud c08 h21; cloud c09 h11; cloud c10 h22; cloud c11 h33; cloud c12 h11
cloud c13 h21; cloud c14 h10; cloud c15 h22; cloud c16 h11; cloud c17 h33; cloud c18 h22
event dangerous_places
cursed mw pd
A hand 4; B hand 4; C hand 4
A fg brave; B fg coward; B gather p; C next
A gather p p w
A hw brave; B hw brave; C hw coward; C move 1 H1
B move 1 H1; B deliver p t02 1
B pw coward; B move 2 P3; C next; A next
B vd brave; C vd brave; A next
C deliver o t21 2
C fw coward; C move 2 F4; A fw brave
A move 2 F4; A deliver g t22 2
A wf brave; C next
A chase c01
C hg brave; C gather g g w
= A vp 11 g0 o1 p3 w2 bolts 1 pawns P2 F4 | B vp 11 g1 o1 p1 w2 bolts 0 pawns H1 P3
= C vp 14 g3 o0 p1 w2 bolts 0 pawns H1 F4 | first C
"""

LAST_ROUND_POSITION: dict[str, Any] = {
    "round": 7,
    "first": "B",
    "seen": [
        "dangerous_places",
        "gathering",
        "more_or_less",
        "take_heart",
        "advantage",
        "black_market",
    ],
    "shown": ["vd", "pw"],
    "clouds": {
        "c03": "h33",
        "c04": "h21",
        "c06": "h32",
        "c10": "h22",
        "c11": "h33",
        "c17": "h33",
        "c18": "h22",
    },
    "occupied": [
        "t02",
        "t03",
        "t04",
        "t05",
        "t06",
        "t10",
        "t11",
        "t14",
        "t17",
        "t21",
        "t22",
        "t27",
    ],
    "players": {
        "A": {"vp": 62, "g": 2, "o": 1, "p": 2, "w": 2, "bolts": 5, "at": ["H3", "F3"]},
        "B": {"vp": 61, "g": 1, "o": 2, "p": 1, "w": 3, "bolts": 3, "at": ["M2", "P3"]},
        "C": {"vp": 70, "g": 0, "o": 2, "p": 1, "w": 2, "bolts": 5, "at": ["F2", "H2"]},
    },
}

BACK_POSITION: dict[str, Any] = {
    "round": 2,
    "first": "A",
    "seen": ["more_or_less"],
    "shown": ["fw", "mw", "hg"],
    "clouds": {
        "d01": "h11",
        "d02": "h22",
        "d03": "h11",
        "d04": "h33",
        "d05": "h21",
        "d08": "h33",
        "d09": "h22",
        "d10": "h11",
        "d11": "h21",
        "d12": "h11",
        "d13": "h22",
        "d14": "h33",
        "d15": "h21",
        "d16": "h22",
        "d17": "h32",
        "d18": "h11",
        "d19": "h10",
    },
    "tiles": {
        "M1": "m_wands",
        "M2": "m_moves",
        "M3": "m_potions",
        "F1": "courage",
        "F2": "plusone",
        "F3": "courage",
        "F4": "five",
        "H1": "t_ad",
        "H2": "market",
        "H3": "t_bc",
        "H4": "t_ab",
    },
    "players": {
        "A": {"vp": 10, "g": 1, "o": 1, "p": 2, "w": 1, "at": ["P2", "P4"]},
        "B": {"vp": 10, "g": 1, "o": 1, "p": 1, "w": 1, "bolts": 3, "at": ["P2", "P4"]},
    },
}

LAST_ROUND = f"""
table A=red B=blue C=green first A side front
position {json.dumps(LAST_ROUND_POSITION)}
event full_set
cursed hw rg
A hand 4; B hand 4; C hand 4
B pd brave; C next; A next; B deliver g t19 1
B wf coward; B chase c18; C next; A wf brave; A chase c10
A mw brave; B next; C mw brave
C fw coward; C move 2 F3; A next; B next
C rg brave; A next; B next; C gather o o w
C lay pd; A next
A vd brave; B vd brave; B deliver p t13 2
B pw coward; B move 2 P4; A next
A hg brave; A gather g g w
= A vp 65 g4 o1 p2 w1 bolts 7 pawns H3 F3 | B vp 78 g0 o2 p0 w1 bolts 5 pawns M2 P4
= C vp 67 g0 o4 p1 w3 bolts 5 pawns F2 F3
A set
= A vp 87 g3 o0 p1 w0 bolts 7 pawns H3 F3 | B vp 87 g0 o2 p0 w1 bolts 5 pawns M2 P4
= C vp 78 g0 o4 p1 w3 bolts 5 pawns F2 F3
"""

WHOLE_GAME = """
table A=red B=blue first A side front
cloud c01 h33; cloud c02 h22; cloud c03 h21; cloud c04 h22; cloud c05 h22; cloud c06 h22
cloud c07 h10; cloud c08 h33; cloud c09 h11; cloud c10 h21; cloud c11 h11; cloud c12 h11
cloud c13 h32; cloud c14 h22; cloud c15 h32; cloud c16 h10; cloud c17 h11; cloud c18 h11
event dangerous_places; cursed rg hg pw; A hand 4; B hand 4
A hg coward; A gather w; B next
A wf brave; B next; A chase c06
A hw brave; B hw brave; B move 1 H1; B deliver p t02 1
B vd coward; B deliver o t21 2; A vd coward; A deliver p t01 1
B fg brave; B gather p p w
B fw coward; B move 2 F4
= A vp 8 g1 o1 p0 w0 bolts 2 pawns P2 P4 | B vp 17 g1 o0 p2 w2 bolts 0 pawns H1 F4 | first B
event black_market; cursed mw wf vd; A hand 4; B hand 4
B fw brave; A next; B move 1 F1; B deliver p t01 1
B pd coward; B take; A next
B pw brave; A pw brave; A move 2 P3; A deliver o t14 2
A hg brave; B next; A gather g g w
A rg coward; A gather w; B rg brave; B gather o o w
A hw brave; A move 2 H2; A deliver g t10 2
= A vp 18 g2 o0 p0 w2 bolts 2 pawns P2 H2 | B vp 24 g1 o2 p1 w3 bolts 0 pawns F1 F4 | first A
event gathering; cursed hw fw pd; A hand 4; B hand 4
A rg coward; A gather o; B next
A fg coward; A gather p; B next
A wf coward; A chase c12; B wf coward; B chase c15
A mw brave; B next
B fw coward
B pw coward; B move 1 P2
B hw brave; B move 1 H3; B deliver p t24 1
= A vp 18 g2 o1 p1 w1 bolts 3 pawns P2 H2 | B vp 24 g1 o2 p0 w0 bolts 2 pawns H3 F4 | first B
event more_or_less; cursed fg mw pd; A hand 4; B hand 3
B pw coward; B move 2 P4; A next
B hg coward; B gather w; A hg brave; A gather g g w
A rg brave; B next; A gather o o w
A fw coward; A move 1 F1; B next
A vd coward; A deliver p t01 1; B vd brave; B deliver g t12 2
= A vp 22 g4 o3 p0 w3 bolts 3 pawns F1 H2 | B vp 33 g0 o2 p0 w1 bolts 2 pawns H3 P4 | first B
event take_heart; cursed hg hw wf; A hand 4; B hand 4
B mw brave; A next; B move 2 M3; B deliver o t28 2
B rg brave; A next; B gather o o w
B fw brave; A next
B pd brave; A pd coward; A deliver o t11 2; B deliver o t18 1
A fg brave; A gather p p w
A pw brave; A move 1 P2; A deliver p t01 1
A hw brave; A move 1 H1; A deliver o t03 1
= A vp 31 g4 o1 p1 w5 bolts 3 pawns H1 H2 | B vp 48 g0 o2 p0 w2 bolts 2 pawns H3 M3 | first A
event advantage; cursed fw rg pw; A hand 4; B hand 4
A fg coward; A gather w; B fg brave; B gather p p w
B wf brave; A wf brave; A chase c01
A hg coward; A gather g; B hg brave; B gather g g w
B pd coward; B deliver p t29 2; A pd brave; A deliver g t07 1
A fist none; B fist o w
= A vp 41 g4 o1 p1 w3 bolts 6 pawns H1 H2 | B vp 60 g2 o1 p1 w3 bolts 2 pawns H3 M3 | first A
event full_set; cursed vd fg mw; A hand 4; B hand 4
A fw brave; B next; A move 1 F1; A deliver o t06 1
A pd coward; A deliver g t17 2; B pd coward; B deliver o t18 1
A pw coward; A move 2 P3; B next
A wf brave; B wf coward; B chase c14; A chase c08
B hg brave; B gather g g w
B rg coward; B gather o
B set
= A vp 51 g3 o0 p1 w1 bolts 9 pawns F1 P3 | B vp 71 g3 o0 p0 w1 bolts 4 pawns H3 M3 | first B
"""

TILES_OF_THE_BACK = f"""
table A=red B=blue first A side back
position {json.dumps(BACK_POSITION)}
event gathering; cursed fg rg pd; A hand 4; B hand 4
A hw brave; B next
A move 1 H1; A circle A; A deliver p u02 1
= A vp 14 g1 o1 p1 w1 bolts 0 pawns P3 P4 | first A
A mw brave; B next
A move 2 M2
A deliver p u08 2
= A vp 20 g1 o1 p0 w1 bolts 0 pawns P3 M2
A move 2 P4; A move 2 F4
A pw coward; A use five; B next
= A vp 25 g1 o1 p0 w1 bolts 0 pawns P3 F4 | first A
"""


def as_line(seat: str, state: Any) -> str:
    player = state.players[seat]
    owned = " ".join(f"{kind}{number}" for kind, number in player.resources.items())
    where = " ".join(player.pawns.values())
    return f"{seat} vp {player.vp} {owned} bolts {player.hoard.bolts} pawns {where}"


def replayed(log: str) -> Game:
    """A log in which ``=`` lines say what the table looked like."""
    first, *lines = log.strip().splitlines()
    game = open_game(ENGINE, [first])
    for line in lines:
        if line.startswith("= "):
            for said in line[2:].split(" | "):
                if said.startswith("first "):
                    assert game.state.turn.leader == said.split()[1], line
                elif not game.state.over or game.state.players[said[0]].vp == int(said.split()[2]):
                    assert as_line(said[0], game.state) == said
            continue
        for text in ENGINE.notation.split(line):
            judgement = game.hear(ENGINE.read(text))
            assert judgement.accepted, (text, judgement.verdict.breaches)
    return game


def broken(game: Game) -> list[tuple[int, str, tuple[int, ...]]]:
    return [
        (number, finding.clause, finding.entries)
        for number, judgement in enumerate(game.judgements)
        for finding in judgement.verdict.findings
        if finding.status == "broken"
    ]


def test_a_first_round_of_three_players() -> None:
    game = replayed(FIRST_ROUND)
    assert game.state.round.number == 2
    assert broken(game) == []


def test_a_last_round_with_a_false_pass_and_a_tie() -> None:
    game = replayed(LAST_ROUND)
    texts = [ENGINE.text(judgement.action) for judgement in game.judgements]
    assert broken(game) == [(texts.index("C lay pd"), "BRM-FOL-5", (texts.index("C next"),))]
    result = ENGINE.result(game.state)
    assert result is not None
    assert (result.places, result.clause) == ((("A",), ("B",), ("C",)), "BRM-FIN-8")


def test_a_whole_game_of_two_players() -> None:
    game = replayed(WHOLE_GAME)
    result = ENGINE.result(game.state)
    assert result is not None
    assert (result.places, result.scores) == ((("B",), ("A",)), {"A": 76, "B": 77})
    assert broken(game) == []


@pytest.mark.parametrize("tie_break", [True, False])
def test_the_places_of_a_result_are_those_of_a_plain_ranking(tie_break: bool) -> None:
    """Most points; then, where it was counted, most resources; who is level shares a place."""
    begun = open_game(ENGINE, SETUPS["three, front"](random.Random(0))).state
    for sheet in product(product((0, 1), repeat=2), repeat=3):
        rows = dict(zip("ABC", sheet, strict=True))
        players = {
            seat: evolve(begun.players[seat], vp=vp, resources={"g": rich, "o": 0, "p": 0, "w": 0})
            for seat, (vp, rich) in rows.items()
        }
        over = evolve(begun, players=players, tie_break=tie_break, agenda=Agenda())
        level = {seat: (vp, rich * tie_break) for seat, (vp, rich) in rows.items()}
        ranks = sorted(set(level.values()), reverse=True)
        places = tuple(tuple(seat for seat in rows if level[seat] == rank) for rank in ranks)
        result = ENGINE.result(over)
        assert result is not None
        assert (result.places, result.scores) == (
            places,
            {seat: vp for seat, (vp, _) in rows.items()},
        )
        first_level_in_points = sum(vp == ranks[0][0] for vp, _ in rows.values()) > 1
        wanted = "BRM-FIN-8" if first_level_in_points else "BRM-FIN-7"
        assert result.clause == ("BRM-FIN-9" if len(places[0]) > 1 else wanted)


def test_tiles_of_the_back() -> None:
    game = replayed(TILES_OF_THE_BACK)
    hoard = game.state.players["A"].hoard
    assert (hoard.amulets, hoard.tiles, game.state.board.discarded) == (("M2",), (), ("five",))


# Honest and dishonest hands


class RealHands:
    """A table whose players really hold cards, and say what is in them, or lie."""

    def __init__(self, setup: str, seed: int, lies: float = 0.0, sealed: bool = False) -> None:
        self.rng = random.Random(f"{setup} {seed} {lies}")
        lines = SETUPS[setup](self.rng)
        if sealed:
            readings = "sealed_hands=yes"
            head, _, tail = lines[0].partition(" readings ")
            lines[0] = f"{head} readings {' '.join((readings, tail)).strip()}"
        self.game = open_game(ENGINE, lines)
        self.sealed = sealed
        self.lies = lies
        self.hands: dict[str, set[str]] = {}
        self.true: list[int] = []
        self.false: dict[int, int] = {}
        """Entries of false passes, and the round they were said in."""

    def play(self) -> None:
        while not self.game.state.over:
            action = self._next_action()
            number = len(self.game.judgements)
            if action.verb == "next":
                self._note_pass(action.by, number)
            judgement = self.game.hear(action)
            assert judgement.accepted, (ENGINE.text(action), judgement.verdict.breaches)
            if action.verb in ("role", "lay"):
                self.hands[action.by].discard(action.role)

    def _next_action(self) -> Any:
        state = self.game.state
        if any(due.kind == "answer" for due in state.agenda.duties):
            return self._answer(state.agenda.duties[0].seat)
        options = ENGINE.options(self.game.setting, state)
        if any(due.kind == "lead" for due in state.agenda.duties):
            options = [option for option in options if self._is_held(option)]
        option = self.rng.choice(options)
        if option.verb == "hand":
            return self._choose_hand(option.by)
        if option.verb == "use" and option.tile == "plusone":
            return self._keep_one_more(option)
        return option

    def _is_held(self, option: Any) -> bool:
        return option.verb not in ("role", "lay") or option.role in self.hands[option.by]

    def _choose_hand(self, seat: str) -> Any:
        most = 5 if self.game.state.round.event == "more_or_less" else 4
        count = self.rng.randint(1, most) if most == 5 else most
        self.hands[seat] = set(self.rng.sample(ROLES, count))
        roles = tuple(self.hands[seat]) if self.sealed else ()
        return ChooseHand(by=seat, count=count, sealed=roles)

    def _keep_one_more(self, option: Any) -> Any:
        role = self.rng.choice([role for role in ROLES if role not in self.hands[option.by]])
        self.hands[option.by].add(role)
        return option.model_copy(update={"sealed": role if self.sealed else None})

    def _answer(self, seat: str) -> Any:
        turn = self.game.state.turn
        if turn.led not in self.hands[seat] or self.rng.random() < self.lies:
            return Pass(by=seat)
        if turn.dead:
            return LayDead(by=seat, role=turn.led)
        return PlayRole(by=seat, role=turn.led, mode=self.rng.choice(("brave", "coward")))

    def _note_pass(self, seat: str, number: int) -> None:
        if self.game.state.turn.led in self.hands[seat]:
            self.false[number] = self.game.state.round.number
        else:
            self.true.append(number)

    def findings(self, status: str) -> list[tuple[int, str, tuple[int, ...]]]:
        """Those of a status: the round they came in, the clause, the entries they name."""
        found = []
        for before, judgement in pairwise(self.game.judgements):
            for finding in judgement.verdict.findings:
                if finding.status == status:
                    found.append((before.state.round.number, finding.clause, finding.entries))
        return found


@pytest.mark.parametrize("setup", FROM_THE_START)
@pytest.mark.parametrize("seed", range(2))
def test_honest_players_never_yield_a_finding(setup: str, seed: int) -> None:
    table = RealHands(setup, seed)
    table.play()
    assert table.true
    assert table.findings("broken") == []
    cleared = [entry for _, _, entries in table.findings("cleared") for entry in entries]
    assert sorted(cleared) == table.true, "every pass is cleared once by the end of its round"


@pytest.mark.parametrize("setup", ["two, back", "four, front"])
def test_a_hand_may_hold_what_was_not_called_nor_laid_nor_denied(setup: str) -> None:
    for heard in random_game(ENGINE, setup, 2).judgements:
        state = heard.state
        held = {seat: player for seat, player in state.players.items() if player.hand.held}
        for seat, player in held.items():
            said = {done.role for done in (*player.hand.laid, *player.hand.passes)}
            gone = said | state.round.called
            assert candidates(state, seat) == tuple(role for role in ROLES if role not in gone)


@pytest.mark.parametrize("setup", FROM_THE_START)
@pytest.mark.parametrize("seed", range(2))
def test_every_false_pass_is_proven_by_the_end_of_its_round(setup: str, seed: int) -> None:
    table = RealHands(setup, seed, lies=0.4)
    table.play()
    assert table.false
    proven: dict[int, int] = {}
    for number, clause, entries in table.findings("broken"):
        if clause == "BRM-FOL-5":
            proven |= dict.fromkeys(entries, number)
        else:
            assert clause == "BRM-FOL-9"
            assert not table.false.keys().isdisjoint(entries), "one of these is false"
    assert proven == table.false, "each is proven, in its own round, and no true one is"
    cleared = [entry for _, _, entries in table.findings("cleared") for entry in entries]
    assert sorted(cleared) == table.true


def test_counting_finds_liars_before_their_cards_do() -> None:
    found = 0
    for seed in range(6):
        table = RealHands("five, front", seed, lies=0.9)
        table.play()
        found += sum(clause == "BRM-FOL-9" for _, clause, _ in table.findings("broken"))
    assert found


def test_a_proof_undoes_nothing() -> None:
    game = replayed(LAST_ROUND)
    index = [ENGINE.text(judgement.action) for judgement in game.judgements].index("C lay pd")
    before, after = (game.judgements[i].state.players for i in (index - 1, index))
    assert {seat: player.vp for seat, player in before.items()} == {
        seat: player.vp for seat, player in after.items()
    }


@pytest.mark.parametrize("setup", ["three, front", "four, back with storm"])
def test_sealed_hands_leave_nothing_undecided(setup: str) -> None:
    table = RealHands(setup, 1, sealed=True)
    table.play()
    outcomes = {judgement.verdict.outcome for judgement in table.game.judgements}
    assert outcomes == {"legal"}
    assert all(not judgement.verdict.findings for judgement in table.game.judgements)


def test_sealed_hands_are_seen_by_their_owner_alone() -> None:
    table = RealHands("two, front", 3, sealed=True)
    table.play()
    state = next(
        judgement.state
        for judgement in table.game.judgements
        if judgement.state.players["A"].hand.sealed and judgement.state.players["B"].hand.sealed
    )
    setting = table.game.setting
    seen = ENGINE.hide(state, "A", setting).players
    assert seen["A"].hand.sealed == state.players["A"].hand.sealed
    assert seen["B"].hand.sealed is None
    for lang in LANGUAGES:
        said = ENGINE.describe(state, setting, lang)
        assert said == ENGINE.describe(ENGINE.hide(state, "B", setting), setting, lang)


# What adds up


def test_whatever_is_missing_or_too_many_is_named_piece_by_piece() -> None:
    game = random_game(ENGINE, "two, back with storm, other readings", 0)
    state = next(one.state for one in game.judgements if one.state.players["B"].hoard.clouds)
    assert ENGINE.balance(state, game.setting) == {}
    player = state.players["B"]
    hand, hoard = player.hand, player.hoard
    changed = {
        "cards.B": evolve(player, hand=evolve(hand, held=hand.held - 1)),
        "bolts.B": evolve(player, hoard=evolve(hoard, bolts=hoard.bolts + 1)),
    }
    for law, other in changed.items():
        off = evolve(state, players={**state.players, "B": other})
        assert ENGINE.balance(off, game.setting) == {law: 1}
    emptied = evolve(state, board=evolve(state.board, clouds={}, tiles={}))
    gone = Counter(
        f"{kind}.{name}"
        for kind, there in (("cloud", state.board.clouds), ("tile", state.board.tiles))
        for name in there.values()
    )
    found = ENGINE.balance(emptied, game.setting)
    assert [*found.items()] == [(name, -gone[name]) for name in sorted(gone)]


def test_a_described_table_adds_up() -> None:
    game = open_game(ENGINE, [BACK, f"position {json.dumps(BACK_POSITION)}"])
    held = [*BACK_POSITION["clouds"].values(), *BACK_POSITION["tiles"].values()]
    stock = game.state.stock
    assert ENGINE.balance(game.state, game.setting) == {}
    assert stock.clouds.size + stock.tiles.size + len(held) == 24 + 5 + 6 + 6


def test_entries_are_named_in_the_order_of_the_record() -> None:
    stock = Stock(Bag(()), Bag(()), told={"c01": 8, "c02": 1, "c03": 16})
    assert stock.entries(["c01", "c02", "c03", "c04"]) == ("#1", "#8", "#16")


# The box


@given(st.lists(st.integers(0, 12), min_size=4, max_size=4))
def test_sets_of_resources_are_worth_twice_the_two_rarest(counts: list[int]) -> None:
    fewest, second, *_ = sorted(counts)
    resources = dict(zip(("g", "o", "p", "w"), counts, strict=True))
    assert KIT.scoring.for_sets(resources) == 2 * (fewest + second)


@pytest.mark.parametrize("crossing", ["one", "none", "chain"])
@pytest.mark.parametrize("side", ["front", "back"])
def test_adjacency_is_mutual_and_grows_as_clouds_leave_the_water(side: str, crossing: str) -> None:
    board = KIT.side(side)
    opened = [frozenset[str](), *({water} for water in board.waters), board.waters]
    for waters in map(frozenset, opened):
        near = {region: board.neighbours(region, waters, crossing) for region in board.regions}
        assert all(region in near[other] for region in near for other in near[region])
        assert all(board.borders_of[region] <= set(near[region]) for region in near)
        more = {region: board.neighbours(region, board.waters, crossing) for region in near}
        assert all(set(near[region]) <= set(more[region]) for region in near)
    if side == "back":
        assert board.neighbours(board.circles["D"], board.waters, crossing) == ()


@pytest.mark.parametrize(
    ("path", "provenance"),
    [
        ("front.towers.t01", "rulebook"),
        ("front.towers.t05", "assumed"),
        ("back.borders", "assumed"),
        ("events.black_market.vp", "rulebook"),
        ("events.gathering.vp", "assumed"),
        ("events.dangerous_places.vp.forest", "derived"),
        ("events.dangerous_places.vp.hill", "assumed"),
        ("roles.hg.brave", "assumed"),
        ("scoring.lightning", "assumed"),
        ("scoring.amulets", "rulebook"),
        ("clouds.storm.s_orange.need", "rulebook"),
        ("clouds.storm.s_orange.vp", "assumed"),
        ("tiles.hill", "assumed"),
    ],
)
def test_the_box_says_how_it_is_known(path: str, provenance: str) -> None:
    assert ENGINE.kit_sheet(None).provenance(path) == provenance


def test_a_table_declares_its_own_numbers() -> None:
    sheet = ENGINE.kit_sheet(None).declare("events.gathering.vp", 5, "the card on our table")
    opening = ENGINE.read("table A=red B=blue first A side front")
    assert ENGINE.setting(opening, sheet).kit.events.gathering.vp == 5
    assert sheet.provenance("events.gathering.vp") == "declared"


# What is told


def test_an_impossible_observation_names_the_entries_against_it_and_no_others() -> None:
    game = replayed(FIRST_ROUND)
    number = {ENGINE.text(action): f"#{n}" for n, action in enumerate(game.actions, start=1)}
    again = game.hear(ENGINE.read("event dangerous_places"))
    assert again.verdict.breaches[0].facts["entries"] == (number["event dangerous_places"],)
    game.hear(ENGINE.read("event gathering"))
    twice = game.hear(ENGINE.read("cursed mw fw"))
    facts = twice.verdict.breaches[0].facts
    assert (facts["roles"], facts["entries"]) == (("mw",), (number["cursed mw pd"],))


def test_a_cloud_too_many_names_where_its_like_were_placed() -> None:
    game = open_game(ENGINE, ["table A=red B=blue first A side front"])
    boxed = KIT.clouds.heavy["h33"].count
    for space in range(1, boxed + 1):
        assert game.hear(ENGINE.read(f"cloud c0{space} h33")).accepted
    refused = game.hear(ENGINE.read("cloud c09 h33"))
    entries = tuple(f"#{n}" for n in range(1, boxed + 1))
    assert refused.verdict.breaches[0].facts["entries"] == entries


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("A deliver violette t02", "A deliver p t02"),
        ("A livre une potion violette à t02", "A deliver p t02"),
        ("A deliver a purple potion to t02", "A deliver p t02"),
        ("A delivers green t05", "A deliver g t05"),
        ("A lâche fée des nuages", "A wf coward"),
        ("A brave forest witch", "A fw brave"),
        ("A gather 2 green", "A gather g g"),
        ("A cueille 2 vertes et une baguette", "A gather g g w"),
        ("A fist 2", "A fist 2"),
        ("A hands in a set", "A set"),
        ("A fin d'action", "A end"),
    ],
)
def test_a_line_is_read_as_people_say_it(line: str, meant: str) -> None:
    assert ENGINE.text(ENGINE.read(line)) == meant


def test_green_is_green_in_a_french_line() -> None:
    assert ENGINE.text(ENGINE.read("A gather g g w"), "fr") == "A cueille vert vert baguette"


def test_a_short_name_of_a_tower_or_space_is_the_long_one() -> None:
    game = replayed(FIRST_ROUND)
    side = game.state.side(KIT)
    assert check_name("t2", "tower", side.towers) == "t02"
    assert check_name("c9", "space", side.cloud_spaces) == "c09"


@pytest.mark.parametrize(("names", "told"), [(24, 24), (25, 25), (40, 25)])
def test_of_many_names_the_first_are_told(names: int, told: int) -> None:
    known = [f"t{number:02}" for number in reversed(range(names))]
    with pytest.raises(ParseError) as refused:
        check_name("t99", "tower", known)
    expected = refused.value.facts["expected"]
    assert len(expected) == told
    assert expected[:24] == tuple(sorted(known)[:24])
    assert ("…" in expected) == (names > 24)


@pytest.mark.parametrize("setup", list(SETUPS)[:3])
def test_a_line_written_short_is_recorded_in_full(setup: str) -> None:
    """Whatever of a game can be said shorter leads to the same entry and the same table."""
    played, shortened = random_game(ENGINE, setup, 0), set()
    for before, now in pairwise(played.judgements):
        short = said_short(now.action, before.state)
        if short is not None:
            heard = ENGINE.judge(played.setting, before.state, short)
            assert ENGINE.text(heard.action) == ENGINE.text(now.action)
            assert heard.state == evolve(now.state, stock=heard.state.stock)
            shortened.add(type(short))
    assert {Deliver, PlaceCloud, Chase} <= shortened


def said_short(action: Action, state: Any) -> Action | None:
    """The same with one digit of a name, or the number of resources alone, if that can be."""
    for name in ("tower", "space"):
        word = getattr(action, name, "")
        if word[1:2] == "0":
            return action.model_copy(update={name: word.replace("0", "", 1)})
    if isinstance(action, OpenFist):
        kinds = [n for n in state.players[action.seat].resources.values() if n]
        everything = len(action.resources) in (0, sum(kinds)) or len(kinds) == 1
        if everything:
            return OpenFist(by=action.by, count=len(action.resources))
    return None


def heard(opening: str, position: dict[str, Any], *lines: str) -> Any:
    """The last line as it happened, at a table described like this."""
    game = open_game(ENGINE, [opening, f"position {json.dumps(position)}"])
    for line in lines[:-1]:
        assert game.hear(ENGINE.read(line)).accepted, line
    last = ENGINE.read(lines[-1])
    return ENGINE.judge(game.setting, game.state, last, 9_999, lenient=True)


FRONT, BACK = (f"table A=red B=blue first A side {side}" for side in ("front", "back"))
TURN: dict[str, Any] = {
    "round": 2,
    "turn": 1,
    "first": "A",
    "event": "gathering",
    "cursed": ["rg", "pd", "mw"],
    "players": {"A": {"bolts": 25, "cards": 4}, "B": {"cards": 4}},
}


@pytest.mark.parametrize(
    ("lines", "warned"),
    [
        (["A hw coward", "A move H5 H1"], True),
        (["A vd coward", "A deliver g u01 H4"], True),
        (["A hw coward", "A circle A"], True),
        (["A fw coward", "A bonus"], True),
        (["A fw coward", "A move 1 F3"], False),
    ],
)
def test_whoever_moves_nothing_is_told_so(lines: list[str], warned: bool) -> None:
    verdict = heard(BACK, TURN, *lines).verdict
    assert [remark.key for remark in verdict.warnings] == ["nothing_moved"] * warned


@pytest.mark.parametrize(("count", "text"), [(0, "none"), (5, "g g o p w"), (6, "6")])
def test_a_fist_of_all_or_nothing_is_recorded_piece_by_piece(count: int, text: str) -> None:
    seats = {
        "A": {"bolts": 25, "g": 2, "w": 1, "cards": 1, "laid": ["fw", "pw", "hw"]},
        "B": {"cards": 0, "laid": ["fw", "pw", "hw", "vd"]},
    }
    closing = {**TURN, "event": "advantage", "players": seats}
    judgement = heard(FRONT, closing, "A wf coward", f"A fist {count}")
    assert ENGINE.text(judgement.action) == f"A fist {text}"


@pytest.mark.parametrize(
    ("way", "shown", "line", "told"),
    [
        ("keep_face_up", ("fw", "mw"), "fw pw hw", {"roles": ("fw",), "left": (), "twice": ()}),
        ("keep_face_up", ROLES[:9], "fw pw hw", {"roles": (), "left": ("rg",), "twice": ()}),
        ("all_ten", ROLES[:9], "fw fw rg", {"roles": (), "left": (), "twice": ("fw",)}),
        ("all_ten", ROLES[:9], "fw pw hw", {"roles": (), "left": ("rg",), "twice": ()}),
        ("all_ten", ROLES[:8], "fg fg fw", {"roles": (), "left": ("rg",), "twice": ()}),
    ],
)
def test_a_reveal_that_cannot_be_says_why(
    way: str, shown: tuple[str, ...], line: str, told: dict[str, Any]
) -> None:
    start = {"round": 4, "first": "A", "shown": shown, "players": {"A": {"bolts": 25}}}
    opening = f"{FRONT} readings cursed_refill={way}"
    breaches = heard(opening, start, "event advantage", f"cursed {line}").verdict.breaches
    facts = next(point.facts for point in breaches if point.clause == "BRM-CUR-6")
    assert {name: facts[name] for name in told} == told


def test_variants_beside_the_basic_game_are_named_in_order() -> None:
    opening = ENGINE.read(f"{FRONT} variants storm hill basic mountain forest")
    breach = ENGINE.open(ENGINE.setting(opening), opening).verdict.breaches[0]
    assert breach.facts["variants"] == ["forest", "hill", "mountain", "storm"]


# What follows


def ways_on(state: Any, setting: Any) -> set[Any]:
    return set(ENGINE.options(setting, state))


@pytest.mark.parametrize("setup", FROM_THE_START)
def test_an_end_that_repeats_what_is_over_costs_nothing(setup: str) -> None:
    played = random_game(ENGINE, setup, 3)
    over = [heard.state for heard in played.judgements if heard.state.closed is not None]
    repeated = 0
    for state in over:
        heard = ENGINE.judge(played.setting, state, End(by=state.closed.deed.seat), 9_999)
        if heard.accepted:
            assert heard.state.players == state.players
            assert ways_on(heard.state, played.setting) == ways_on(state, played.setting)
            repeated += 1
    assert repeated


def all_pass(state: Any, setting: Any) -> Any:
    """The table after everybody who is asked has said “next”."""
    while (asked := state.agenda.owes("answer")) is not None:
        state = ENGINE.judge(setting, state, Pass(by=asked.seat), 9_999).state
    return state


@pytest.mark.parametrize("setup", FROM_THE_START)
def test_a_brave_action_done_too_early_is_the_same_action(setup: str) -> None:
    played = random_game(ENGINE, setup, 4)
    setting, rng, compared = played.setting, random.Random(setup), 0
    for heard in played.judgements:
        state, seat = heard.state, heard.state.turn.claimant
        if seat is None or not state.agenda.owes("answer") or state.turn.dead:
            continue
        in_time = all_pass(state, setting)
        deeds = [each for each in ENGINE.options(setting, in_time) if each.by == seat]
        if in_time.turn.deed is None or not deeds:
            continue
        deed = rng.choice([each for each in deeds if each.verb != "end"] or deeds)
        then = ENGINE.judge(setting, in_time, deed, 9_999).state
        early = ENGINE.judge(setting, state, deed, 9_999, lenient=True)
        if deed.verb == "end" or then.agenda.owes("circle"):
            continue
        assert [point.clause for point in early.verdict.breaches] == ["BRM-TRN-3"]
        late = all_pass(early.state, setting)
        assert late.players == then.players, ENGINE.text(deed)
        assert ways_on(late, setting) == ways_on(then, setting), ENGINE.text(deed)
        compared += 1
    assert compared
