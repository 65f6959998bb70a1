"""What a player reads of the own calls for a judge, on the page of the own table."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest

from answers.context import Caller, StoreContext
from answers.tournament import player_reports, rounds
from referee.store import open_store
from referee.table.author import Author
from tests.service.conftest import Club
from tests.tournament.asking import Stand, swiss

SAID = ("", "no", "yes", "replay")


@pytest.mark.parametrize("seed", range(2))
def test_a_player_reads_the_answer_to_the_last_call_and_none_while_waiting(
    make_club: Callable[..., Club], seed: int
) -> None:
    """Calls and answers in any order; a judge who was there may say nothing."""
    random = Random(seed)
    club = make_club(StoreContext(open_store("memory:")))
    stand = Stand(swiss(), "Ana", "Bo", store_context=club.store_context)
    stand.pair()
    stand.ask(rounds.start)
    here = stand.now.current_round.table(1).seats
    tokens = {each: club.store_context.access.give("player", stand.id, each)[1] for each in here}
    waiting: dict[str, int] = {}
    last = dict.fromkeys(here, "")
    for _ in range(14):
        player = random.choice(here)
        if player in waiting:
            last[player] = random.choice(SAID)
            stand.ask(player_reports.answer_call, waiting.pop(player), last[player])
        else:
            phone = Caller(club.store_context, Author(player, "player"))
            player_reports.call_judge(phone, stand.id, 1)
            waiting[player], last[player] = stand.now.last, ""
        for reader in here:
            page = club.client.get(
                f"/tournaments/{stand.id}/r1/t1",
                headers={"Authorization": f"Bearer {tokens[reader]}"},
            ).text
            assert re.findall("Judge: ([a-z]*)", page) == [last[reader]] * bool(last[reader])
            assert ('data-do="call"' in page) == (reader not in waiting)
