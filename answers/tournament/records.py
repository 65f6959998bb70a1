"""Records of tournaments that come from other stores."""

from __future__ import annotations

from answers.answer import Answered
from answers.context import Caller
from answers.tournament.context import DeskCall, ToldAnswer
from referee.archive.record_files import RecordFile, take_all
from referee.tournament.proof import examine_tournament


def take_record(caller: Caller, found: RecordFile) -> Answered[ToldAnswer]:
    """A tournament of another store, with its chain; refused if it does not prove itself."""
    house = caller.house
    arrival = examine_tournament(house.desk, found, author=caller.author)
    take_all(house.store, house.people, [arrival])
    counter = DeskCall(caller, found.stream, None)
    count, new = arrival.report.entries, len(arrival.new)
    return counter.recorded_answer(
        lambda voice: [
            voice.say("tournament.taken_in", name=counter.now.name, count=count, new=new)
        ]
    )
