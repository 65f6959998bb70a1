"""Records of tournaments that come from other stores."""

from __future__ import annotations

from collections.abc import Sequence

from answers.answer import Answered
from answers.context import Caller
from answers.declaration import Local, operation
from answers.permissions import Tells
from answers.tournament.context import DeskCall, ToldAnswer
from referee.archive.intake import keep_apart
from referee.archive.record_files import RecordFile, examine, one_of_each, take_all
from referee.tournament.proof import examine_tournament


@operation(
    "tournament-take",
    "POST /tournaments/records",
    grant=Tells("tournament_created"),
    upload="answers.requests.uploads:event_record",
    slow=True,
)
def take_record(
    caller: Caller, found: Local[RecordFile], *, games: Local[Sequence[RecordFile]] = ()
) -> Answered[ToldAnswer]:
    """A tournament of another store, with its chain and perhaps with its games; refused if it does
    not prove itself."""
    store_context = caller.store_context
    arrival = examine_tournament(store_context.desk, found, author=caller.author)
    take_all(store_context.store, store_context.people, [arrival])
    context = DeskCall(caller.keyed(None), found.stream)
    count, new = arrival.report.entries, len(arrival.new)
    _take_games(caller, games)
    return context.recorded_answer(
        lambda voice: [
            voice.say("tournament.taken_in", name=context.now.name, count=count, new=new)
        ]
    )


def _take_games(caller: Caller, games: Sequence[RecordFile]) -> None:
    """The records of its tables; one that is not proven, or fits no table, is kept apart."""
    store, desk = caller.store_context.store, caller.store_context.desk
    brought = [
        examine(store, game, author=caller.author, continues=True) for game in one_of_each(games)
    ]
    for arrival in brought:
        report = arrival.report
        unproven = any(key == "verdicts" for key, _ in report.unproven)
        is_new = len(arrival.new) == report.entries
        if is_new and (report.game is None or unproven or not desk.fits(report.game)):
            keep_apart(store, report.stream, author=caller.author)
    take_all(store, caller.store_context.people, brought)
