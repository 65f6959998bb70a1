"""Who must not meet: told before it happens, kept private, taken back.

That pairings keep them apart whenever it is possible is compared with all pairings in
``test_pairing_model.py``.
"""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from answers.context import Caller
from answers.tournament import apart, judging, printing, rounds
from referee.errors import NotAllowed, RefereeError
from referee.table.author import Author
from referee.tournament.events import ApartWithdrawn, PlayersKeptApart, RoundClosed
from referee.tournament.pairing.entrants import field_of
from referee.tournament.pairing.rounds import check_tournament
from referee.tournament.plan import Knockout, RoundRobin, Swiss
from tests.tournament.asking import Stand, swiss
from tests.tournament.hosting import Hall, duels, meetings

FOUR = ("Ana", "Bo", "Cleo", "Dan")


def kept(stand: Stand, *names: str) -> Any:
    return stand.ask(apart.keep_apart, list(names), reason="sisters")


def met(stand: Stand) -> set[frozenset[str]]:
    names = {stand.id_of(name): name for name in stand.names()}
    return {
        frozenset(names[p] for p in table.seats)
        for round in stand.now.rounds
        for table in round.draw.tables
    }


def test_what_cannot_hold_is_told_before_it_is_paired() -> None:
    """Of four players one has two whom she must not meet, and then the third as well."""
    stand = Stand(swiss(3), *FOUR)
    kept(stand, "Ana", "Bo")
    kept(stand, "Ana", "Cleo")
    stand.ask(rounds.pair)
    assert frozenset(("Ana", "Dan")) in met(stand)
    stand.ask(rounds.unpair, "again")
    kept(stand, "Ana", "Dan")
    last = stand.now.last
    refused = stand.refusal(rounds.pair, seed=3)
    assert refused.key == "apart_meet_nothing_else"
    assert refused.facts["round"] == 1
    assert len(refused.facts["pairs"]) == 1
    assert "Ana" in refused.facts["pairs"][0]
    assert stand.now.last == last
    done = stand.ask(rounds.pair, seed=3, anyway=True)
    assert refused.facts["pairs"][0] in stand.told(done)
    checked = stand.ask(judging.check)
    (remark,) = checked.data.problems
    assert (remark.key, remark.round, remark.remark) == ("apart_met", 1, True)
    pair = " – ".join(stand.caller.name(player) for player in remark.facts["players"])
    assert pair == refused.facts["pairs"][0]
    assert checked.outcome == "done"
    assert "Ana" in stand.told(checked, "fr")


@pytest.mark.parametrize(
    ("format", "key"),
    [(Knockout(), "apart_meet_bracket"), (Knockout(lives=2), "apart_meet_nothing_else")],
)
def test_the_reason_is_that_of_the_system(format: Any, key: str) -> None:
    stand = Stand(duels(format, check_in=False), "Ana", "Bo")
    kept(stand, "Ana", "Bo")
    assert stand.refusal(rounds.pair).key == key


def test_in_a_round_robin_it_is_said_that_it_cannot_hold() -> None:
    stand = Stand(duels(RoundRobin(), check_in=False, tie_breaks=("PTS", "LOT")), *FOUR)
    assert stand.refusal(apart.keep_apart, ["Ana", "Bo"], reason="sisters").key == "apart_in_robin"
    assert not stand.now.apart


def test_only_organisers_read_who_is_kept_apart() -> None:
    stand = Stand(swiss(2), *FOUR)
    kept(stand, "Ana", "Bo")
    judge = Caller(stand.caller.store_context, Author("pjudge", "judge"))
    own = judging.history(stand.caller, stand.id).data.events[-1]
    others = judging.history(judge, stand.id).data.events[-1]
    assert own.data["reason"] == "sisters"
    assert (others.kind, others.data) == (own.kind, {})
    text = stand.told(judging.history(judge, stand.id))
    assert "sisters" not in text
    for format in ("events", "whole"):
        with pytest.raises(NotAllowed):
            printing.exported(judge, stand.id, format)
        assert printing.exported(stand.caller, stand.id, format).content
    for format in ("json", "csv", "trf", "pods"):
        assert b"sisters" not in printing.exported(judge, stand.id, format).content


def test_they_may_meet_again_and_it_stays_on_the_list() -> None:
    stand = Stand(swiss(2), "Ana", "Bo")
    kept(stand, "Ana", "Bo")
    number = stand.now.apart[0].event
    stand.ask(apart.meet_again, number, "they asked")
    stand.ask(rounds.pair)
    listed = stand.ask(apart.apart).data.apart
    assert [(row.names, row.reason, row.withdrawn) for row in listed] == [
        (["Ana", "Bo"], "sisters", "they asked")
    ]
    with pytest.raises(RefereeError):
        apart.meet_again(stand.caller, stand.id, number, "twice")


def test_by_the_dutch_system_they_are_prohibited_pairings() -> None:
    pytest.importorskip("gacrux")
    for seed in range(3):
        chance = Random(seed)
        hall = Hall(duels(Swiss(system="dutch"), rounds=4), 8)
        pairs = chance.sample(list(combinations(hall.now.players, 2)), 3)
        for pair in pairs:
            hall.tell(PlayersKeptApart(players=pair, reason="a shared car"))
        for _ in range(4):
            assert not meetings(hall.start(seed)) & set(map(frozenset, pairs))
            for table in hall.now.current_round.draw.tables:
                hall.result(len(hall.now.rounds), table.number, *chance.choice([(1, 2), (2, 1)]))
            hall.tell(RoundClosed(round=len(hall.now.rounds)))
        assert check_tournament(hall.now) == []


def test_the_dutch_system_lets_as_few_meet_as_possible() -> None:
    pytest.importorskip("gacrux")
    hall = Hall(duels(Swiss(system="dutch"), rounds=2), 4)
    one, *others = list(hall.now.players)
    for other in others:
        hall.tell(PlayersKeptApart(players=(one, other), reason="family"))
    hall.tell(PlayersKeptApart(players=(others[0], others[1]), reason="family"))
    drawn = meetings(hall.pair())
    assert frozenset(others[:2]) not in drawn
    assert check_tournament(hall.now) == []


def test_without_anybody_kept_apart_a_pairing_has_the_hash_it_had() -> None:
    """And with somebody whose entry was taken back, too."""
    hall = Hall(duels(rounds=2), 6)
    before = field_of(hall.now, 1).input_hash(3)
    hall.tell(PlayersKeptApart(players=("pa", "pb"), reason="family"))
    assert field_of(hall.now, 1).input_hash(3) != before
    hall.tell(ApartWithdrawn(apart=hall.now.last, reason="they asked"))
    assert field_of(hall.now, 1).input_hash(3) == before
