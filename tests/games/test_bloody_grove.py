"""Bloody Grove: what the cases and the generic suites cannot say."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, permutations, product
from math import factorial, prod
from time import process_time_ns
from typing import Any
from xml.etree import ElementTree

import pytest

from engines.bloody_grove import ENGINE, symbols
from engines.bloody_grove import worlds as hidden
from engines.bloody_grove.rules.ending import unseen_at_start
from engines.bloody_grove.state import Card, Seal, Tableau, Token, domination_parts
from engines.bloody_grove.trail import Move, contradiction, hand_told, publicly, settle
from engines.bloody_grove.worlds import BOTTOM, HAND, World, Worlds
from engines.kernel import LANGUAGES, Judgement, KitSheet, Language, ParseError, Verdict, evolve
from referee.proof.verify import verify
from referee.record.game import rearranged
from referee.table import openings
from referee.table.corrections import correct
from referee.table.play import Heard, log
from tests.deep import few_or_many
from tests.facts.refusals import heard_in_cases
from tests.games.bloody_grove import KIT, SETUPS
from tests.games.bloody_grove_table import (
    ANY,
    HOARDERS,
    Exhaustive,
    Habits,
    Table,
    TooMany,
    Truth,
)
from tests.playing import open_game, random_game
from tests.record.random_tables import ticking_bench
from tests.test_cases import actions_of, files_of, read

GAMES = 4_000 if os.environ.get("REFEREE_CHAOS") else 240
HABITS = (
    Habits(),
    HOARDERS,
    Habits(transform=0.7),
    Habits(under=5, use_symbols=0.9),
    Habits(transform=0.2, use_symbols=0.95, heap=True),
)


class Hearing:
    """A log, heard line by line."""

    def __init__(self, first: str, sheet: KitSheet | None = None) -> None:
        opening: Any = ENGINE.read(first)
        self.setting = ENGINE.setting(opening, sheet)
        self.last: Judgement[Tableau] = ENGINE.open(self.setting, opening)
        self.number = 0

    @property
    def state(self) -> Tableau:
        return self.last.state

    def hear(self, line: str, *, lenient: bool = False) -> Judgement[Tableau]:
        action = ENGINE.read(line)
        self.last = ENGINE.judge(self.setting, self.state, action, self.number + 1, lenient=lenient)
        self.number += self.last.accepted
        return self.last


def heard(log: Iterable[str]) -> Hearing:
    first, *lines = (line for line in log)
    game = Hearing(first)
    for line in lines:
        assert game.hear(line).accepted, (line, game.last.verdict.breaches)
    return game


def texts(log: str) -> list[str]:
    return [text for line in log.strip().splitlines() for text in ENGINE.notation.split(line)]


GAME = actions_of("bloody_grove", "the sample game")


# real games, logged as a scribe sees them


def a_real_game(seed: int, habits: Habits | None = None) -> Table:
    rng = random.Random(f"real {seed}")
    return Table(KIT, rng, habits or HABITS[seed % len(HABITS)]).play()


def is_among(worlds: Worlds, hand: list[str], deck: list[str]) -> bool:
    """Whether the real cards are one of the arrangements held possible."""
    for card in hand:
        worlds = hidden.take(worlds, HAND, known(card))
    for card in reversed(deck):
        worlds = hidden.take(worlds, BOTTOM, known(card))
    return bool(worlds)


def known(face: str) -> str:
    return ANY if face in KIT.base_faces else face


@pytest.mark.parametrize("games", few_or_many(60, GAMES))
def test_what_really_happened_is_never_refused_nor_found_wrong(
    games: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the true hands and decks are always among those held possible."""
    lines = 0
    most, largest, there = 0, (0, 0), ("", None)
    for seed in range(games):
        table = a_real_game(seed)
        game = Hearing(table.lines[0])
        for line, truth in zip(table.lines[1:], table.truths[1:], strict=True):
            before = game.state
            judgement = game.hear(line)
            where = f"game {seed}, #{game.number} {line}"
            assert judgement.verdict.outcome == "legal", (where, judgement.verdict.breaches)
            assert not judgement.verdict.findings, (where, judgement.verdict.findings)
            for seat, (hand, deck) in truth.items():
                held = game.state.players[seat].hidden
                assert (held.hand, held.deck) == (len(hand), len(deck)), where
                if " stow " in line:
                    most = max(most, len(held.worlds))
                    if largest < (largest := max(largest, (number_of(held.worlds), seed))):
                        there = (line, before)
        for seat, (hand, deck) in table.truths[-1].items():
            assert is_among(game.state.players[seat].hidden.worlds, hand, deck), seed
        result = ENGINE.result(game.state)
        assert result is not None
        assert set(result.places[0]) == set(table.winners), f"game {seed}"
        lines += len(table.lines)
    with capsys.disabled():
        print(
            f"\nBloody Grove: {games} real games, {lines} lines, nothing refused; the largest set"
            f" of possibilities: {largest[0]} arrangements (game {largest[1]}), judged in"
            f" {time_to_judge(*there)} µs; never more than {most} worlds"
        )


@pytest.mark.parametrize("heap", [False, True])
def test_real_games_with_few_tokens_go_through_many_reserves(heap: bool) -> None:
    sheet = ENGINE.kit_sheet(None)
    for kind in range(len(KIT.tokens)):
        sheet = sheet.declare(f"tokens.{kind}.count", 1, "a box with four tokens")
    kit = ENGINE.read_kit(sheet)
    generations: set[str] = set()
    for seed in range(20):
        habits = Habits(transform=0.2, use_symbols=1, heap=heap)
        table = Table(kit, random.Random(seed), habits).play()
        game = Hearing(table.lines[0], sheet)
        for line in table.lines[1:]:
            verdict = game.hear(line).verdict
            assert verdict.outcome == "legal", (seed, line, verdict.breaches)
        generations.update(game.state.tokens.issued)
    assert {"t", "u", "w"} <= generations


def time_to_judge(line: str, state: Tableau | None) -> int:
    """Microseconds of processor time, the best of some."""
    assert state is not None
    action, setting = ENGINE.read(line), Hearing("table A=black B=green").setting
    spent = []
    for _ in range(20):
        start = process_time_ns()
        ENGINE.judge(setting, state, action)
        spent.append(process_time_ns() - start)
    return min(spent) // 1000


@pytest.mark.parametrize("games", few_or_many(120, GAMES))
def test_the_true_cards_stay_possible_line_by_line(games: int) -> None:
    for seed in range(0, games, 8):
        table = a_real_game(seed)
        game = Hearing(table.lines[0])
        for line, truth in zip(table.lines[1:], table.truths[1:], strict=True):
            game.hear(line)
            for seat, (hand, deck) in truth.items():
                worlds = game.state.players[seat].hidden.worlds
                assert is_among(worlds, hand, deck), f"game {seed}, #{game.number} {line}"


@pytest.mark.parametrize("games", few_or_many(120, GAMES))
def test_sealed_notes_of_real_games_are_found_true(games: int) -> None:
    for seed in range(0, games, 8):
        table = a_real_game(seed, Habits(seal=True, transform=0.6))
        game = Hearing(table.lines[0])
        settled: Counter[str] = Counter()
        for line in table.lines[1:]:
            verdict = game.hear(line).verdict
            assert verdict.outcome == ("undecided" if " sealed " in line else "legal")
            settled.update(finding.status for finding in verdict.findings)
        assert set(settled) == {"cleared"}, f"game {seed}"


# every arrangement, one by one


def arrangements(worlds: Worlds) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """All hands and decks a set of worlds stands for."""
    return {(content[0], deck) for content in contents(worlds) for deck in _decks(content[1:])}


def _decks(blocks: tuple[tuple[str, ...], ...]) -> Iterator[tuple[str, ...]]:
    for orders in product(*(list(_in_every_order(block)) for block in blocks)):
        yield tuple(card for block in orders for card in block)


def _in_every_order(cards: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if not cards:
        yield ()
    for first in sorted(set(cards)):
        spot = cards.index(first)
        for rest in _in_every_order(cards[:spot] + cards[spot + 1 :]):
            yield (first, *rest)


Content = tuple[tuple[str, ...], ...]


def contents(worlds: Worlds) -> set[Content]:
    """What may lie in the hand and in each block of the deck."""
    return {content for world in worlds for content in _contents(world)}


def _contents(world: World) -> Iterator[Content]:
    for dealt in product(*(set(_deals(row.cards, row.spread)) for row in world.shared)):
        yield tuple(
            tuple(sorted((*certain, *(card for deal in dealt for card in deal[place]))))
            for place, certain in enumerate(world.certain)
        )


def _deals(cards: tuple[str, ...], spread: tuple[int, ...]) -> Iterator[Content]:
    if len(spread) == 1:
        yield (cards,)
        return
    for picked in set(_picks(cards, spread[0])):
        left = list(cards)
        for card in picked:
            left.remove(card)
        for rest in _deals(tuple(left), spread[1:]):
            yield (picked, *rest)


def _picks(cards: tuple[str, ...], count: int) -> Iterator[tuple[str, ...]]:
    return combinations(cards, count)


def number_of(worlds: Worlds) -> int:
    """How many arrangements: each block of the deck in every order."""
    return sum(prod(map(_orders, content[1:])) for content in contents(worlds))


def _orders(block: tuple[str, ...]) -> int:
    return factorial(len(block)) // prod(factorial(n) for n in Counter(block).values())


@pytest.mark.parametrize("games", few_or_many(60, GAMES))
def test_worlds_stand_for_exactly_the_arrangements_there_can_be(games: int) -> None:
    """Line by line the same set as a check that goes through every order of every hand."""
    compared = 0
    for seed in range(0, games, 3):
        table = a_real_game(seed)
        game, check = Hearing(table.lines[0]), Exhaustive(KIT)
        try:
            for line in table.lines[1:]:
                game.hear(line)
                assert check.follow(line)
                for seat, possible in check.arrangements.items():
                    worlds = game.state.players[seat].hidden.worlds
                    if len(possible) <= 300:
                        assert arrangements(worlds) == possible, f"game {seed}, {line}"
                        compared += 1
        except TooMany:
            continue
    assert compared > 1_000


# planted impossibilities


def with_another_destination(table: Table, rng: random.Random) -> tuple[int, list[str]] | None:
    """The log with a recruit put somewhere else than it really was."""
    spots = [n for n, line in enumerate(table.lines) if " recruit " in line]
    if not spots:
        return None
    spot = rng.choice(spots)
    *words, place = table.lines[spot].split()
    by_venerable = any(" take " in line for line in table.lines[max(0, spot - 5) : spot])
    places = {"top", "under"} if by_venerable else {"hand", "top", "under"}
    other = rng.choice(sorted(places - {place}))
    return spot, [*table.lines[:spot], " ".join([*words, other]), *table.lines[spot + 1 :]]


def with_another_word(table: Table, rng: random.Random) -> tuple[int, list[str]]:
    """The log with another card played or shown, or another number put under."""
    spots = [
        n
        for n, line in enumerate(table.lines)
        if line.split()[1] in ("invoke", "transform", "bottom", "stow")
    ]
    spot = rng.choice(spots)
    seat, verb, word, *rest = table.lines[spot].split()
    if verb == "stow":
        changed = str(int(word) + rng.choice((-1, 1)))
    else:
        faces = [card.id for card in (*KIT.base, *KIT.elites) if card.id != word]
        changed = rng.choice(faces)
    wrong = " ".join([seat, verb, changed, *rest])
    return spot, [*table.lines[:spot], wrong, *table.lines[spot + 1 :]]


def first_refusal(log: list[str]) -> tuple[int, Verdict] | None:
    """Also a line that cannot be understood, because it names a card that is not there."""
    game = Hearing(log[0])
    for number, line in enumerate(log[1:], start=1):
        try:
            judgement = game.hear(line)
        except ParseError:
            return number, Verdict("illegal")
        if not judgement.accepted:
            return number, judgement.verdict
    return None


def first_impossibility(log: list[str]) -> int | None:
    check = Exhaustive(KIT)
    for number, line in enumerate(log):
        if not check.follow(line):
            return number
    return None


@pytest.mark.parametrize("games", few_or_many(60, GAMES))
def test_a_wrong_destination_is_caught_when_an_exhaustive_check_would(games: int) -> None:
    """Neither later nor earlier; and the wrong entry is among those the finding names."""
    caught = 0
    for seed in range(games):
        rng = random.Random(f"planted {seed}")
        planted = with_another_destination(a_real_game(seed), rng)
        if planted is None:
            continue
        spot, log = planted
        try:
            expected = first_impossibility(log)
        except TooMany:
            continue
        refused = first_refusal(log)
        assert (refused[0] if refused else None) == expected, f"game {seed}, {log[spot]}"
        if refused is not None:
            verdict = refused[1]
            proven = {entry for finding in verdict.findings for entry in finding.entries}
            silent = verdict.clause in ("GRV-TURN-5", "GRV-END-3")
            assert spot in proven or silent, f"game {seed}"
            caught += 1
    assert caught > games // 4


@pytest.mark.parametrize("games", few_or_many(60, GAMES))
def test_a_wrong_card_or_count_is_caught_no_later_than_an_exhaustive_check_would(
    games: int,
) -> None:
    caught = 0
    for seed in range(games):
        rng = random.Random(f"other card {seed}")
        spot, log = with_another_word(a_real_game(seed), rng)
        try:
            expected = first_impossibility(log)
        except TooMany:
            continue
        if expected is not None:
            refused = first_refusal(log)
            assert refused is not None, f"game {seed}, {log[spot]}"
            assert refused[0] <= expected, f"game {seed}, {log[spot]}"
            caught += 1
    assert caught > games // 2


# what is private, what is read, what is drawn


SEALED = """
table A=black B=green first A
groves bear owl fox; elite EB2; elite EO6; elite EF6; venerables V6 V3 V9
A draw 4 sealed b1 b2 o1 f1; B draw 4
A look t11 sealed destroy; B look t8
"""


def test_a_sealed_note_is_for_its_author_until_the_end() -> None:
    game = heard(texts(SEALED))
    state = game.state
    hidden = {viewer: ENGINE.hide(state, viewer, game.setting) for viewer in "AB"}
    seen = {viewer: str(ENGINE.plain(hidden[viewer])) for viewer in "AB"}
    assert "'shown': ['destroy']" in seen["A"]
    assert "destroy" not in seen["B"].replace("'destroy': 3", "")
    assert hidden["A"].players["A"].seals == state.players["A"].seals
    assert hidden["B"].players["A"].seals == ()


def drawn_hand(game: Hearing, viewer: str, *faces: str) -> list[bool]:
    """Whether each of these cards lies face up before A for this viewer."""
    state = ENGINE.hide(game.state, viewer, game.setting)
    picture = ENGINE.picture(state, game.setting, "en", None).body
    return [f'data-word="{face}"' in picture for face in faces]


def test_a_hand_that_was_told_lies_face_up_for_its_owner_alone() -> None:
    game = heard(texts(SEALED))
    assert drawn_hand(game, "A", "b1", "b2", "o1", "f1", "o2") == [True] * 4 + [False]
    for viewer in ("B", ""):
        assert drawn_hand(game, viewer, "b1", "b2", "o1", "f1") == [False] * 4
    silent = heard(texts(SEALED.replace("A draw 4 sealed b1 b2 o1 f1", "A draw 4")))
    assert drawn_hand(silent, "A", "b1", "b2", "o1", "f1") == [False] * 4


@pytest.mark.parametrize("games", few_or_many(8, 40))
def test_the_hand_as_told_is_the_hand_that_is_held(games: int) -> None:
    """Whatever is played: every card that lies face up for its owner is one that is there."""
    compared = 0
    for seed in range(games):
        table = a_real_game(seed, Habits(seal=True, transform=0.6))
        game = Hearing(table.lines[0])
        for line, truth in zip(table.lines[1:], table.truths[1:], strict=False):
            if not game.hear(line).accepted or game.state.over:
                break
            for seat, (hand, _) in truth.items():
                player = game.state.players[seat]
                seals = {seal.number: seal.shown for seal in player.seals if not seal.token}
                told = hand_told(player.hidden.trail, seals) if seals else ()
                assert not told or sorted(told) == sorted(hand), (seed, line)
                compared += bool(told)
    assert compared > games


def position_told(game: Hearing, truth: Truth, *, looking: bool) -> dict[str, Any]:
    """The table as it is, without its log: with a look at the cards, or by counting them."""
    position = ENGINE.position_of(game.state, game.setting).model_dump(mode="json")
    for seat, cards in truth.items():
        hand, deck = ([ANY if c in KIT.base_faces else c for c in part] for part in cards)
        elites = [card for card in (*hand, *deck) if card != ANY]
        counts = {"hand": len(hand), "deck": len(deck), "hidden": elites}
        listed = {"hand": hand, "deck": deck, "hidden": []}
        position["players"][seat] |= {"worlds": [], **(listed if looking else counts)}
    return position


def declared(game: Hearing, first: str, truth: Truth, *, looking: bool) -> Hearing:
    fresh = Hearing(first)
    position = position_told(game, truth, looking=looking)
    assert fresh.hear(f"position {json.dumps(position)}").accepted
    return fresh


@pytest.mark.parametrize("games", few_or_many(4, 40))
def test_a_hand_typed_with_a_card_too_many_or_too_few_is_doubted(games: int) -> None:
    """Where nobody transforms, so that no recruit can explain the card."""
    rounds: Counter[int] = Counter()
    for seed in range(games):
        table = Table(KIT, random.Random(f"typed {seed}"), Habits(transform=0)).play()
        for at in random.Random(seed).sample(range(12, len(table.lines) - 1), 12):
            game, truth = heard(table.lines[:at]), table.truths[at - 1]
            if game.state.flow.step not in ("action", "symbols", "stow"):
                continue
            for seat, by in product("AB", (1, -1)):
                position = position_told(game, truth, looking=False)
                player = position["players"][seat]
                player["hand"], player["deck"] = player["hand"] + by, player["deck"] - by
                if min(player["hand"], player["deck"]) < 0:
                    continue
                fresh = Hearing(table.lines[0])
                typed = fresh.hear(f"position {json.dumps(position)}")
                assert typed.accepted, position
                doubts = {(doubt.clause, doubt.facts["seat"]) for doubt in typed.verdict.doubted}
                clause = "GRV-SET-15" if game.state.flow.round == 1 else "GRV-PREP-3"
                if game.state.flow.step == "stow" and seat not in game.state.agenda.seats:
                    clause = "GRV-END-3"  # the hand lies under the deck already
                assert doubts == {(clause, seat)}, position
                rounds[game.state.flow.round] += 1
    assert {1, 2, 3} <= {*rounds}, "a deck may be empty after three rounds"


@pytest.mark.parametrize("games", few_or_many(12, 40))
def test_a_judge_who_looked_into_the_hands_tells_nobody(games: int) -> None:
    """Others see as if the cards had been counted."""
    kept = 0
    for seed in range(games):
        table = Table(KIT, random.Random(f"looked {seed}"), HOARDERS).play()
        at = random.Random(seed).randrange(12, len(table.lines) - 1)
        game, first, truth = heard(table.lines[:at]), table.lines[0], table.truths[at - 1]
        looked = declared(game, first, truth, looking=True)
        counted = declared(game, first, truth, looking=False)
        for line in table.lines[at:]:
            for one in (looked, counted):
                assert one.hear(line).accepted, (seed, line, one.last.verdict.breaches)
            if looked.state.over:
                break
            kept += check_seen(looked, counted)
    assert kept > 12 * games


def check_seen(looked: Hearing, counted: Hearing) -> int:
    """How many hands and decks were kept from somebody."""
    setting, kept = looked.setting, 0
    seen = {who: ENGINE.hide(looked.state, who, setting) for who in ("", "A", "B")}
    words = [ENGINE.describe(state, setting, "en") for state in (seen[""], counted.state)]
    assert words[0] == words[1]
    assert ENGINE.hide(counted.state, "", setting) is counted.state
    for seat, other in ("AB", "BA"):
        mine, theirs = (looked.state.players[who] for who in (seat, other))
        assert seen[seat].players[seat] is mine
        if seen[seat].players[other] is not theirs:
            assert seen[seat].players[other] == counted.state.players[other]
            kept += 1
        else:
            start = theirs.hidden.trail[0].worlds
            assert len(set(hidden.owned(start))) == 1 or not hidden.sizes(start)[1]
    return kept


def test_no_verdict_tells_what_was_sealed() -> None:
    first, *lines = texts(SEALED)
    game = Hearing(first)
    for line in lines:
        verdict = game.hear(line).verdict
        told = [point.facts for point in (*verdict.claims, *verdict.consulted)]
        assert "destroy" not in str(told)
    late = game.hear("A look t5 sealed destroy").verdict
    assert late.outcome == "illegal"
    assert "destroy" not in str(late)


@pytest.mark.parametrize("games", few_or_many(120, GAMES))
def test_a_sealed_note_is_found_false_only_when_it_is(games: int) -> None:
    """Lies about a draw are found at the end, if the cards came out at the wrong time."""
    lies = found = 0
    for seed in range(0, games, 6):
        table = a_real_game(seed, Habits(seal=True))
        spots = [n for n, line in enumerate(table.lines) if " draw 4 sealed " in line]
        spot = random.Random(seed).choice(spots)
        words = table.lines[spot].split()
        unlike = [card.id for card in KIT.base if card.id not in words]
        words[4] = random.Random(seed).choice(unlike)
        log = [*table.lines[:spot], " ".join(words), *table.lines[spot + 1 :]]
        game = Hearing(log[0])
        false = set()
        for line in log[1:]:
            findings = game.hear(line).verdict.findings
            false |= {n for f in findings if f.status == "broken" for n in f.entries}
        lies += 1
        found += spot in false
    assert found > lies // 2


@pytest.mark.parametrize(
    ("column", "animal", "pile", "total"),
    [
        (["o2+t1=2"], "owl", ["b2"], 4),
        (["b1", "o3"], "owl", ["o1"], 6),
        (["b1"], "bear", ["b2"], 5),
        (["f2"], "bear", ["o1"], 1),
        (["V3", "V9", "V5"], "bear", [], 6),
    ],
)
def test_the_totals_of_the_rulebook(
    column: list[str], animal: str, pile: list[str], total: int
) -> None:
    others = [name for name in KIT.animals if name != animal]
    seen = {card.partition("+")[0] for card in column} | set(pile)
    unseen = len(KIT.base_faces - seen)
    shown = ["2"] if any("=2" in card for card in column) else []
    position = {
        "round": 2,
        "first": "A",
        "groves": [animal, *others],
        "reserve": [f"t{n}" for n in range(1 + len(shown), 13)],
        "players": {
            "A": {"columns": [column, [], []], "pile": pile, "hand": 4, "deck": unseen - 4},
            "B": {"hand": 4, "deck": 5},
        },
    }
    game = Hearing("table A=black B=green")
    assert game.hear(f"position {json.dumps(position)}").accepted
    assert not game.hear(f"audit A strength 1 {total}").verdict.findings
    assert game.hear(f"audit A strength 1 {total + 1}").verdict.findings


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_key_shows_every_card_with_its_code(lang: Language) -> None:
    setting = Hearing("table A=black B=green").setting
    assert ENGINE.card_key is not None
    key = ENGINE.card_key(setting, lang)
    svg = key.svg("key", "key", lang=lang)
    shown = [node.text for node in ElementTree.fromstring(svg).iter() if node.text]
    assert set(KIT.spirits) <= set(shown)
    assert set(key.anchors) == set(KIT.spirits)


def test_the_picture_names_every_space() -> None:
    game = heard(GAME[: GAME.index("A invoke b1")])
    anchors = ENGINE.picture(game.state, game.setting, "en", None).anchors
    spaces = {f"{seat}@{grove}" for seat in "AB" for grove in (1, 2, 3)}
    spaces |= {f"{seat}:{place}" for seat in "AB" for place in ("druid", "deck", "hand")}
    spaces |= {f"grove{grove}" for grove in (1, 2, 3)} | {"round", "discard", "box"}
    spaces |= {f"elite {animal}" for animal in KIT.animals} | {"t1", "t12"}
    assert spaces <= set(anchors)


# what is counted and what is told, in a plain way


@pytest.mark.parametrize("reading", ["all", "uncovered"])
def test_a_column_counts_its_venerables_and_what_the_table_counts_of_the_rest(reading: str) -> None:
    """Whatever is covered counts only where all cards do; a Venerable always does."""
    played = open_game(ENGINE, SETUPS["two seats"](random.Random(0)))
    setting = evolve(
        played.setting, readings={**played.setting.readings, "column_domination": reading}
    )
    plain = {face: one for face, one in KIT.spirits.items() if type(one.domination) is int}
    rng = random.Random(reading)
    for _ in range(200):
        faces = rng.choices(sorted(plain), k=rng.randrange(5))
        column = tuple(map(Card, faces))
        player = evolve(played.state.players["A"], columns=(column, (), ()))
        state = evolve(played.state, players={**played.state.players, "A": player})
        counted = [
            plain[face].domination
            for place, face in enumerate(faces)
            if reading == "all" or plain[face].kind == "venerable" or place == len(faces) - 1
        ]
        assert domination_parts(state, setting, "A") == (sum(counted), 0, 0, 0)


START = Move(0, "start", worlds=hidden.unknown("abcd", 0, 4))
DREW, GOT = Move(1, "draw", amount=2), Move(2, "hand", "elite")


@pytest.mark.parametrize(
    ("moves", "told", "hand"),
    [
        ((DREW, GOT), {1: "ab"}, ("a", "b", "elite")),
        ((DREW, GOT, Move(3, "play", "b")), {1: "ab"}, ("a", "elite")),
        ((DREW, GOT, Move(3, "play", "c")), {1: "ab"}, ()),
        ((DREW, GOT, Move(3, "stow", amount=1)), {1: "ab", 3: "a"}, ("b", "elite")),
        ((DREW, GOT, Move(3, "stow", amount=1)), {1: "ab"}, ()),
        ((DREW, Move(3, "stow")), {1: "ab"}, ("a", "b")),
        ((DREW,), {}, ()),
        ((Move(1, "draw"), GOT), {}, ("elite",)),
        ((Move(1, "start", worlds=hidden.known("a", "b")), GOT), {}, ()),
    ],
)
def test_a_hand_is_known_while_all_that_went_in_and_out_was_told(
    moves: tuple[Move, ...], told: dict[int, str], hand: tuple[str, ...]
) -> None:
    assert (
        hand_told((START, *moves), {number: tuple(each) for number, each in told.items()}) == hand
    )


def test_in_public_only_the_number_of_cards_in_a_hand_is_known_where_a_trail_starts() -> None:
    start = Move(0, "start", worlds=hidden.known("a", "bc"))
    public, left = publicly((start, Move(1, "draw", amount=1), Move(2, "play", "b")), str)
    nothing_known = hidden.unknown("abc", 1, 2)
    assert public == (start._replace(worlds=nothing_known), *public[1:])
    assert left == hidden.take(hidden.draw(nothing_known, 1), HAND, "b")
    _, left = publicly((start, Move(1, "top", "d"), Move(2, "draw", amount=1)), str)
    assert left == hidden.draw(hidden.add_on_top(nothing_known, "d"), 1)
    known_to_none = start._replace(worlds=nothing_known)
    assert publicly((known_to_none,), str) == ((known_to_none,), ())
    assert publicly((known_to_none._replace(declared=True),), str)[0] == (known_to_none,)


# the trail, followed card by card


Cards = tuple[str, ...]
Held = tuple[Cards, Cards]
"""A hand and a deck, the top card first."""


def after(held: Held, move: Move, told: Cards | None = None) -> Iterator[Held]:
    """Every way a move can go; only that one, if its owner has told the cards."""
    hand, deck = held
    match move.kind:
        case "draw":
            drawn = deck[: move.amount]
            if told is None or sorted(drawn) == sorted(told):
                yield (*hand, *drawn), deck[move.amount :]
        case "stow":
            for under in permutations(hand, move.amount):
                if told in (None, under):
                    yield tuple(card for card in hand if card not in under), (*deck, *under)
        case "hand":
            yield (*hand, move.face), deck
        case "top":
            yield hand, (move.face, *deck)
        case "under":
            yield hand, (*deck, move.face)
        case "play" if move.face in hand:
            yield tuple(card for card in hand if card != move.face), deck
        case "bottom" if deck[-1:] == (move.face,):
            yield hand, deck[:-1]


BASE = ("a", "b", "c", "d", "e")
START_HAND = ("T",)
"""An Elite that everybody has seen."""


def a_trail(rng: random.Random) -> tuple[list[Move], list[Held]]:
    """Moves that really happened from an unknown start, and the cards after each."""
    held = START_HAND, tuple(rng.sample(BASE, len(BASE)))
    moves = [Move(0, "start", worlds=hidden.known(START_HAND, [ANY] * len(BASE)))]
    truths = [held]
    for number, elite in enumerate("UVWXYZ", start=1):
        hand, deck = held
        kinds = {
            "draw": Move(number, "draw", amount=min(2, len(deck))),
            "stow": Move(number, "stow", amount=len(hand)),
            **{kind: Move(number, kind, elite) for kind in ("hand", "top", "under")},
            "play": Move(number, "play", hand[0]) if hand else None,
            "bottom": Move(number, "bottom", deck[-1]) if deck else None,
        }
        move = kinds[rng.choice(("draw", "draw", "stow", "hand", "top", "under", "play", "bottom"))]
        if move is not None:
            moves.append(move)
            held = rng.choice([*after(held, move)])
            truths.append(held)
    return moves, truths


def all_starts() -> set[Held]:
    return {(START_HAND, deck) for deck in permutations(BASE)}


def first_contradiction(trail: list[Move], so_far: int, hand: Cards) -> int | None:
    possible = all_starts()
    for place, move in enumerate(trail[1:], start=1):
        if place == so_far:
            possible = {held for held in possible if sorted(held[0]) == sorted(hand)}
            if not possible:
                return 0
        possible = {later for held in possible for later in after(held, move)}
        if not possible:
            return move.number
    if so_far == len(trail):
        possible = {held for held in possible if sorted(held[0]) == sorted(hand)}
    return None if possible else 0


@pytest.mark.parametrize("seed", range(24))
def test_a_hand_that_is_opened_fits_what_every_order_of_the_cards_allows(seed: int) -> None:
    rng = random.Random(f"opened {seed}")
    trail, truths = a_trail(rng)
    for _ in range(3):
        so_far = rng.randrange(1, len(trail) + 1)
        true_hand = truths[so_far - 1][0]
        others = tuple(rng.sample((*BASE, "T", "U", "V"), len(true_hand)))
        hand = rng.choice((true_hand, others, true_hand[1:], (*true_hand, *others[:1])))
        found = contradiction(tuple(trail), so_far, hand, BASE)
        assert found == first_contradiction(trail, so_far, hand), (trail, so_far, hand)


def false_notes(trail: list[Move], notes: dict[int, Cards]) -> set[int]:
    """Each note is believed if it can be true together with the notes believed before it."""
    believed: dict[int, Cards] = {}
    for number in sorted(notes):
        tried = {**believed, number: notes[number]}
        possible = all_starts()
        for move in trail[1:]:
            told = tried.get(move.number)
            possible = {later for held in possible for later in after(held, move, told)}
        if possible:
            believed = tried
    return notes.keys() - believed.keys()


@pytest.mark.parametrize("seed", range(24))
def test_notes_are_found_false_where_no_order_of_the_cards_allows_them(seed: int) -> None:
    rng = random.Random(f"notes {seed}")
    trail, truths = a_trail(rng)
    notes: dict[int, Cards] = {}
    for move, before, later in zip(trail[1:], truths, truths[1:], strict=False):
        if move.kind in ("draw", "stow") and move.amount and rng.random() < 0.8:
            there = later[0][-move.amount :] if move.kind == "draw" else later[1][-move.amount :]
            wrong = tuple(rng.sample((*BASE, *before[0]), move.amount))
            notes[move.number] = rng.choice((there, wrong))
    in_no_order = dict(rng.sample([*notes.items()], len(notes)))
    assert settle(tuple(trail), in_no_order, BASE) == false_notes(trail, notes), (trail, notes)


def test_what_is_wrong_with_a_position_is_told_in_one_order() -> None:
    """Tokens by value and by generation, then cards by name, then each seat: the same each time."""
    letters = ("t", "u", "w", "x", "y", "z")
    tokens = [f"{letter}{number}" for letter in letters for number in (1, 2)]
    position = {
        "round": 2,
        "first": "A",
        "groves": ["bear", "owl", "fox"],
        "reserve": tokens[::-1],
        "pools": {letter: ["9", "8", "7", "6"] for letter in letters[::-1]},
        "box": 2 * ["B:o1", "B:b1", "EO1", "EB1", "EF1", "V1", "V2", "A:f1"],
        "players": {seat: {"hand": ["any"], "deck": ["any"]} for seat in "BA"},
    }
    game = Hearing("table A=black B=green")
    (breach,) = game.hear(f"position {json.dumps(position)}").verdict.breaches
    laws = [*breach.facts["laws"]]
    told = [law for law in laws if law.startswith("token ")]
    generations = [law for law in laws if law.startswith("tokens ")]
    seats = ["A unseen", "B unseen"]
    cards = laws[len(told) + len(generations) : -len(seats)]
    assert (len(told), len(generations), len(cards)) == (8, 6, 8)
    assert laws == [*sorted(told), *sorted(generations), *sorted(cards), *seats]


# declared positions


LABELS = [f"t{number}" for number in range(1, 13)]
PLAIN: dict[str, Any] = {
    "first": "A",
    "groves": ["bear", "owl", "fox"],
    "elites": {"bear": "EB2", "owl": "EO6", "fox": "EF6"},
    "venerables": ["V1", "V2", "V3"],
    "reserve": LABELS,
    "players": {"A": {"hand": 4, "deck": 5}, "B": {"hand": 4, "deck": 5}},
}


def position_with(changes: dict[str, Any], *, lenient: bool = False) -> Hearing:
    game = Hearing("table A=black B=green")
    game.hear(f"position {json.dumps(PLAIN | changes)}", lenient=lenient)
    return game


FOUR: dict[str, Any] = {"hand": 4, "deck": 5}


@pytest.mark.parametrize(
    ("changes", "key", "field"),
    [
        ({"players": {"A": {**FOUR, "pile": ["b9"]}, "B": FOUR}}, "unknown_card", None),
        ({"players": {"A": FOUR}}, "bad_position", "seats"),
        ({"players": {"A": FOUR, "B": FOUR, "C": FOUR}}, "bad_position", "seats"),
        ({"first": "C"}, "bad_position", "seats"),
        ({"control": ["C", "none", "none"]}, "bad_position", "seats"),
        ({"open": {"seat": "C"}}, "bad_position", "seats"),
        ({"open": {"winner": "C"}}, "bad_position", "seats"),
        ({"result": {"winners": ["C"], "how": "groves"}}, "bad_position", "seats"),
        ({"step": "replace", "open": {"winner": "A", "grove": 1}}, "bad_position", "seats"),
        ({"step": "replace", "open": {"taken": "V4", "grove": 1}}, "bad_position", "seats"),
        ({"step": "take", "open": {"winner": "A"}}, "bad_position", "grove"),
        ({"open": {"beside": "b1"}}, "bad_position", "beside"),
        ({"reserve": [*LABELS, "t1"]}, "bad_position", "tokens"),
    ],
)
def test_positions_that_cannot_be_read(
    changes: dict[str, Any], key: str, field: str | None
) -> None:
    with pytest.raises(ParseError) as raised:
        position_with(changes)
    assert (raised.value.key, raised.value.facts.get("field")) == (key, field)


def test_whoever_waits_for_something_else_is_told_all_that_can_be_waited_for_in_order() -> None:
    with pytest.raises(ParseError) as raised:
        position_with({"step": "setup", "open": {"waiting": ["rain"]}})
    expected = raised.value.facts["problem"].facts["expected"].split(", ")
    assert expected == sorted(expected)
    assert {"groves", "elite bear", "draw A", "look B", "stow B"} <= {*expected}


def test_red_venerables_are_shown_in_the_preparation_of_the_last_round() -> None:
    plain = [f"V{number}" for number in range(1, 10)]
    prepared = {
        "round": 3,
        "turn": 6,
        "step": "prepare",
        "venerables": ["R1", "R2", "R3"],
        "box": plain,
        "open": {"waiting": ["draw A", "draw B"]},
        "players": {"A": {"deck": ["any"] * 9}, "B": {"deck": ["any"] * 9}},
    }
    shown, early = position_with(prepared).last, position_with(prepared | {"round": 2}).last
    assert (shown.verdict.clause, shown.verdict.doubted) == (None, ())
    assert (early.accepted, early.verdict.clause) == (True, None)
    (doubt,) = early.verdict.doubted
    assert (doubt.clause, doubt.facts) == ("GRV-PREP-2", {"faces": ("R1", "R2", "R3")})


def test_a_position_that_stands_is_read_as_it_is_said() -> None:
    """More cards than there are: no more are held; a Spirit that lies open is not hidden too."""
    many = position_with({"players": {"A": {"hand": 12, "deck": 5}, "B": FOUR}}, lenient=True)
    held = many.state.players["A"].hidden
    assert (held.hand, held.deck) == (9, 0)
    twice = {"columns": [["b1"], [], []], "deck": ["any"] * 9}
    for said, number, unseen in (({"deck": ["any"] * 9}, 0, 9), (twice, 1, 8)):
        game = position_with({"players": {"A": said, "B": FOUR}}, lenient=True)
        held = game.state.players["A"].hidden
        assert (held.trail[0].number, len(held.unseen)) == (number, unseen)
    none = position_with({"players": {"A": {"hand": [], "deck": []}, "B": FOUR}}, lenient=True)
    with pytest.raises(ParseError, match="not_there"):
        none.hear("A invoke b1", lenient=True)


def test_what_may_be_counts_more_than_how_many_there_are() -> None:
    worlds = [[{"cards": ["any"] * 9, "hand": 4, "deck": [5]}]]
    said = {"hand": 4, "deck": 5, "worlds": worlds}
    elite = [[{"cards": ["EB5"], "hand": 1, "deck": [0]}, worlds[0][0] | {"hand": 4}]]
    for player in (said, {"worlds": elite}, {"hand": 9, "deck": 0, "worlds": elite}):
        game = position_with({"round": 2, "players": {"A": player, "B": FOUR}}, lenient=True)
        assert hidden.sizes(game.state.players["A"].hidden.worlds) == (
            5 if player is not said else 4,
            5,
        )


LETTERS = ["t", "u", "w", "x", "y", "z", "tt"]
RICH: dict[str, Any] = {
    "round": 3,
    "turn": 3,
    "step": "recruit",
    "reserve": ["u3", "u1"],
    "discard": ["4", "destroy", "2", "3"],
    "pools": {"tt": [], "z": [], "w": [], "y": [], "x": [], "u": ["4", "3", "2"], "t": ["3", "2"]},
    "open": {
        "seat": "B",
        "recruits": ["owl"],
        "beside": "f2",
        "turned": True,
        "loose": ["t9"],
        "elites": ["fox"],
    },
    "players": {
        "A": {
            "columns": [["b1+t2"], [], []],
            "pile": ["o1"],
            "turned": True,
            "worlds": [
                [{"cards": ["EB5", *["any"] * 7], "hand": 3, "deck": [5]}],
                [
                    {"cards": ["EB5"], "hand": 0, "deck": [1, 0]},
                    {"cards": ["any"] * 7, "hand": 3, "deck": [1, 3]},
                ],
            ],
        },
        "B": {
            "columns": [["b1+u2=4", "b2"], [], []],
            "pile": ["o1"],
            "turned": True,
            "hand": ["any", "any"],
            "deck": ["any", "any", "any"],
        },
    },
}


def test_cards_that_are_named_too_much_are_told_in_their_order() -> None:
    """Whatever the order in which they were named: the same table gives the same record."""
    named = ["o3", "b2", "f1", "o1", "b1"]
    game = position_with({"players": {"A": {"hand": named[:4], "deck": named[4:]}, "B": FOUR}})
    facts = game.last.verdict.breaches[-1].facts
    assert [*facts["laws"]] == sorted(facts["laws"])
    assert {*named} <= facts["laws"].keys()


def test_a_position_tells_all_of_what_was_declared() -> None:
    game = position_with(RICH, lenient=True)
    told = ENGINE.positions.data_of(game.setting, game.state)
    for part in ("turned", "loose", "elites", "beside"):
        assert told["open"][part] == RICH["open"][part], part
    assert [told["players"][seat]["turned"] for seat in "AB"] == [True, True]
    assert told["discard"] == ["2", "3", "4", "destroy"]
    assert {letter: values for letter, values in told["pools"].items() if values} == {
        "t": ["2", "3"],
        "u": ["2", "3", "4"],
    }
    assert [*game.state.tokens.issued] == LETTERS
    assert game.state.tokens.issued == dict.fromkeys(LETTERS, 0) | {"t": 12, "u": 3}


@pytest.mark.parametrize("cards", ["aaa", "aab"])
def test_in_public_nothing_changes_where_all_hidden_cards_are_alike(cards: str) -> None:
    trail = (Move(0, "start", worlds=hidden.known(cards[:1], cards[1:])),)
    public, left = publicly(trail, str)
    if cards == "aaa":
        assert (public, left) == (trail, ())
    else:
        assert left == public[0].worlds == hidden.unknown(cards, 1, 2)


def test_the_base_spirits_of_a_trail_are_those_that_were_hidden_when_it_began() -> None:
    log = (
        "A transform f3 left; A recruit fox hand; elite EF1; B invoke b1; B invoke b2; A invoke EF6"
    )
    game = heard([*GAME[: GAME.index("A invoke b1")], *texts(log)])
    for seat in "AB":
        assert {*unseen_at_start(game.state, seat, KIT)} == KIT.base_faces


def test_a_note_of_a_draw_that_the_log_has_forgotten_is_neither_true_nor_false() -> None:
    *lines, last = GAME
    game = heard(lines)
    player = evolve(game.state.players["A"], seals=(Seal(999, None, ("b1",)),))
    state = evolve(game.state, players={**game.state.players, "A": player})
    game.last = evolve(game.last, state=state)
    game.hear(last)
    assert game.state.over
    assert game.last.verdict.findings == ()


def test_the_first_turn_follows_the_set_up_whatever_turn_was_declared() -> None:
    waiting = {"waiting": ["draw B"]}
    players = {"A": FOUR, "B": {"deck": ["any"] * 9}}
    game = position_with({"step": "setup", "turn": 4, "open": waiting, "players": players})
    assert game.hear("B draw 4").accepted
    assert (game.state.flow.step, game.state.flow.turn) == ("action", 1)


def test_a_box_has_nine_base_spirits_for_each() -> None:
    sheet = ENGINE.kit_sheet(None)
    eight = [spirit.model_dump() for spirit in KIT.base[:8]]
    opening: Any = ENGINE.read("table A=black B=green")
    setting = ENGINE.setting(opening, sheet.declare("base", eight, "the box"))
    assert ENGINE.open(setting, opening).verdict.clause == "GRV-SET-2"


def test_an_end_that_stands_in_a_turn_leaves_nothing_of_a_grove_behind() -> None:
    game = position_with({"open": {"winner": "A"}})
    assert game.hear("A end", lenient=True).accepted
    assert (game.state.flow.step, game.state.agenda.seats) == ("action", ("A",))


def test_a_venerable_recruits_by_no_symbol_of_a_transformation() -> None:
    opened = {"seat": "A", "winner": "A", "grove": 1, "taken": "V4", "effects": ["recruit"]}
    lying = {"columns": [["V4"], [], []], "deck": ["any"] * 9}
    players = {"A": lying, "B": {"deck": ["any"] * 9}}
    said = {"round": 2, "turn": 6, "step": "effects", "open": opened, "players": players}
    game = position_with({**said, "box": ["V5", "V6"], "venerables": ["V1", "V2"]})
    assert game.hear("A recruit bear top").accepted
    assert (game.state.open.recruited, game.state.open.elites) == ((), ("bear",))


def test_whoever_draws_for_the_next_round_has_left_the_last_grove_behind() -> None:
    players = {"A": {"columns": [["b1"], [], ["b2"]], "deck": 7}, "B": {"deck": 9}}
    said = {"round": 2, "turn": 6, "step": "take", "venerables": ["V1"], "players": players}
    game = position_with({**said, "open": {"grove": 3, "winner": "A"}})
    assert game.hear("A draw 4", lenient=True).accepted
    assert game.state.flow.step == "prepare"


def test_the_tokens_that_are_due_are_named() -> None:
    name = ENGINE.rules.details["reveal"]
    assert name(position_with(RICH, lenient=True).state).key == "loose"
    assert name(position_with({}).state).key == "reveal"


# what is told, and in which order


def effects(heard: Any, clause: str) -> list[Any]:
    """The facts of an effect, as often as it has happened."""
    asked = heard.verdict.consulted
    return [one.facts for one in asked if one.clause == clause and one.effect and one.held]


def test_a_reserve_that_is_made_anew_is_seen_empty_first() -> None:
    (file,) = (read(path) for path in files_of("bloody_grove") if path.stem == "symbols")
    about = tuple(case for case in file.case if "GRV-ARC-15" in case.lines)
    cases = heard_in_cases(ENGINE, file.model_copy(update={"case": about}))
    anew = [(s, heard) for case in cases for _, s, heard in case if effects(heard, "GRV-ARC-15")]
    assert any(heard.stages for _, heard in anew)
    for before, heard in anew:
        heaps = [stage.tokens for stage in (before, *heard.stages)]
        assert any(heap.discard.size and not heap.reserve for heap in heaps), heard.action


def test_tokens_are_told_to_leave_one_grove_after_another() -> None:
    played = random_game(ENGINE, "every symbol works", 1)
    told = [effects(heard, "GRV-RES-10") for heard in played.judgements]
    groves = [[facts["grove"] for facts in each] for each in told]
    assert max(len({*each}) for each in groves) > 1
    assert groves == [sorted(each) for each in groves]


@pytest.mark.parametrize("line", ["A invoke EB4", "A invoke b2"])
def test_a_draw_that_was_not_logged_explains_the_card_and_accuses_nobody(line: str) -> None:
    """It is taken as done; inserted afterwards it leaves the same table and nothing to decide."""
    played = random_game(ENGINE, next(iter(SETUPS)), 3)
    lines = [ENGINE.text(action) for action in (played.opening, *played.actions)]
    forgotten = lines.index("A draw 4", lines.index("venerables V4 V6 V8"))
    bench = ticking_bench()
    opened = openings.open_game(bench, "bloody_grove", lines[0])
    assert isinstance(opened, Heard)
    for each in lines[1:forgotten]:
        assert log(bench, opened.game.id, each).accepted
    heard = log(bench, opened.game.id, line, stands=True)
    assert [point.clause for point in heard.verdict.breaches] == ["GRV-PREP-1"]
    assert not heard.verdict.findings
    assert [remark.key for remark in heard.verdict.warnings] == ["taken_as_drawn"]
    after = heard.game.state
    assert (after.flow.round, after.players["A"].hidden.hand) == (2, 3)
    assert [one.cause for one in heard.game.open_disputes()] == ["stands"]
    assert heard.number is not None
    mended = correct(bench, opened.game.id, heard.number, [lines[forgotten]], remove=0).game
    assert mended.step(heard.number).verdict.outcome == "legal"
    assert not rearranged(heard.game, mended)
    assert not mended.open_disputes()
    assert verify(mended.id, bench.store.read(mended.id)).ok


@pytest.mark.parametrize("value", [None, *sorted({token.value for token in KIT.tokens})])
def test_a_token_that_was_turned_up_is_white_by_night_too(value: str | None) -> None:
    """Its dark skull would lie on dark ground; face down it is painted like the rest."""
    drawn = str(symbols.token(Token(label="t1", value=value), 0, 0))
    assert ("data-own-colours" in drawn) == (value is not None)
