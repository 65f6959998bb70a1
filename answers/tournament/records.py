"""Records of tournaments that come from other stores."""

from __future__ import annotations

from collections.abc import Sequence

from answers.answer import Answered
from answers.context import Caller
from answers.review.import_export import take_records
from answers.tournament.context import DeskCall, ToldAnswer
from referee.archive.record_files import RecordFile, take_all
from referee.tournament.proof import examine_tournament


def take_record(
    caller: Caller, found: RecordFile, *, games: Sequence[RecordFile] = ()
) -> Answered[ToldAnswer]:
    """A tournament of another store, with its chain and perhaps with its games; refused if it does
    not prove itself."""
    store_context = caller.store_context
    arrival = examine_tournament(store_context.desk, found, author=caller.author)
    take_all(store_context.store, store_context.people, [arrival])
    context = DeskCall(caller, found.stream, None)
    count, new = arrival.report.entries, len(arrival.new)
    if games:
        context.warnings += take_records(caller, games, continues=True).warnings
    return context.recorded_answer(
        lambda voice: [
            voice.say("tournament.taken_in", name=context.now.name, count=count, new=new)
        ]
    )
