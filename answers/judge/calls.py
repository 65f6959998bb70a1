"""What waits for a judge, at all tables."""

from __future__ import annotations

from collections.abc import Iterator

from answers.answer import Answered, Data
from answers.caller import Caller
from answers.judge.disputes import DisputeRow, dispute_row
from answers.telling import short
from answers.voice import Voice, columns
from referee.archive.lists import HOLD, CallRow, open_calls
from referee.record.game import Game
from referee.record.history import history


class CallAnswer(Data):
    """A dispute that nobody has settled, or a game that is held."""

    game: str
    engine: str
    name: str
    """What is played."""
    title: str
    seats: dict[str, str]
    since: str
    line: str
    """The first action in question; empty for a game that is held without one."""
    dispute: DisputeRow | None
    held: bool


class CallsAnswer(Data):
    calls: list[CallAnswer]


def calls(caller: Caller) -> Answered[CallsAnswer]:
    """Open disputes and held games of the house, the oldest first."""
    found = list(_waiting(caller))

    def told(voice: Voice) -> list[str]:
        return columns(_listed(voice, call) for call in found) or [voice.say("calls.none")]

    return Answered(lambda: CallsAnswer(calls=found), told)


def _waiting(caller: Caller) -> Iterator[CallAnswer]:
    """The list says where to look; what is open, the record says."""
    for row in open_calls(caller.house.store):
        game = caller.game(row.game)
        if not caller.reaches(game.id, game.opened.tournament):
            continue
        dispute = game.disputes.get(row.id)
        if row.id == HOLD and game.held is not None:
            yield _call(caller, game, row, None)
        elif dispute is not None and dispute.id not in game.settled:
            yield _call(caller, game, row, dispute_row(game, dispute))


def _call(caller: Caller, game: Game, row: CallRow, dispute: DisputeRow | None) -> CallAnswer:
    return CallAnswer(
        game=game.id,
        engine=game.engine.id,
        name=game.engine.words.say("game", caller.voice.lang),
        title=game.opened.title,
        seats={seat: caller.name(person) for seat, person in game.seats.items()},
        since=row.at,
        line=_line(game, dispute.numbers) if dispute is not None else "",
        dispute=dispute,
        held=game.held is not None,
    )


def _line(game: Game, numbers: list[int]) -> str:
    """The first action in question as it was logged, whether or not it still counts."""
    return next((line.text for line in history(game) if line.number in numbers[:1]), "")


def _listed(voice: Voice, call: CallAnswer) -> tuple[str, ...]:
    dispute = call.dispute
    what = voice.say("calls.held")
    if dispute is not None:
        what = voice.say(f"dispute.cause_{dispute.cause}", seat=dispute.seat or "–")
    return (
        call.since[:16].replace("T", " "),
        short(call.game),
        call.title or call.name,
        dispute.id if dispute is not None else "–",
        call.line or "–",
        what,
        dispute.text if dispute is not None else "",
    )
