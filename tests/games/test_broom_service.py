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
from tests.playing import open_game, random_game
from tests.test_cases import actions_of


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


def test_a_role_that_is_called_may_be_held_by_those_who_have_not_answered() -> None:
    hands = {seat: {"cards": 4} for seat in "ABC"}
    moment = {"round": 2, "turn": 1, "first": "A", "event": "gathering", "cursed": ["rg", "pd"]}
    described = json.dumps({**moment, "players": hands | {"A": {"bolts": 25, "cards": 4}}})
    opening = "table A=red B=blue C=green first A side front"
    state = open_game(ENGINE, [opening, f"position {described}", "A fw brave", "B next"]).state
    may_hold = {seat: "fw" in candidates(state, seat) for seat in "ABC"}
    assert may_hold == {"A": False, "B": False, "C": True}
    assert len(candidates(state, "B")) == len(ROLES) - 1


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
    game = open_game(ENGINE, actions_of(ENGINE.id, "a last round with a false pass and a tie"))
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
    game = open_game(ENGINE, actions_of(ENGINE.id, "tiles of the back")[:2])
    state = game.state
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
    described = actions_of(ENGINE.id, "tiles of the back")[:2]
    game = open_game(ENGINE, described)
    position = json.loads(described[1].removeprefix("position "))
    held = [*position["clouds"].values(), *position["tiles"].values()]
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
    game = open_game(ENGINE, actions_of(ENGINE.id, "a first round of three players"))
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
    game = open_game(ENGINE, actions_of(ENGINE.id, "a first round of three players"))
    side = game.state.side(KIT)
    assert check_name("t2", "tower", side.towers) == "t02"
    assert check_name("c9", "space", side.cloud_spaces) == "c09"
    for short, full in (("A deliver g t2", "A deliver g t02"), ("A chase c9", "A chase c09")):
        heard = ENGINE.judge(game.setting, game.state, ENGINE.read(short), lenient=True)
        assert ENGINE.text(heard.action) == full


def test_a_table_of_an_earlier_engine_with_a_cloud_beside_the_board_is_shown_and_played_on() -> (
    None
):
    name = "in a record of an earlier engine a space that was named in both ways has both clouds"
    table, position = actions_of(ENGINE.id, name)
    game = open_game(ENGINE, [table])
    setting = evolve(game.setting, engine="1.3")
    state = ENGINE.judge(setting, game.state, ENGINE.read(position), 1, lenient=True).state
    assert {"c1", "c01"} <= state.board.clouds.keys()
    rng, played = random.Random(0), set[str]()
    while not state.over and len(played) < 12:
        for lang in LANGUAGES:
            assert ENGINE.describe(state, setting, lang)
        assert ENGINE.picture(state, setting, "en", None).anchors
        options = ENGINE.options(setting, state)
        action = rng.choice([each for each in options if each.verb == "chase"] or options)
        assert getattr(action, "space", "") != "c1"
        played.add(action.verb_of())
        state = ENGINE.judge(setting, state, action, 2).state
    assert "chase" in played


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
