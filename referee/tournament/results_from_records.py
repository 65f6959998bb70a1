"""Results from game records: only from those that verify, and never silently over a slip."""

from __future__ import annotations

import re
from contextlib import suppress

from referee.record.entries import Disputed
from referee.record.game import Game
from referee.store.event_store import Store
from referee.table.author import Author
from referee.table.bench import Bench, VersionConflict
from referee.tournament.errors import NotPossible
from referee.tournament.events import (
    Event,
    FromGame,
    Outcome,
    ResultCorrected,
    ResultEntered,
    seat_letter,
)
from referee.tournament.state import Round, Tournament
from referee.tournament.table_games import has_result, result_of, sitting


def proven_game(store: Store, table: int, game_id: str) -> Game:
    """The game of a record; refused unless verification proves its result."""
    from referee.proof.verify import verify

    report = verify(game_id, store.read(game_id))
    if report.game is None or not report.proves_result:
        entry = min((found.seq for found in report.problems), default=report.entries - 1)
        raise NotPossible("game_unproven", table=table, game=game_id, entry=entry)
    return report.game


def is_theirs(round: Round, table: int, game: Game) -> bool:
    """Whether those who sit at a table are those of a record: since it was opened they may have
    been swapped, or the round paired anew. Entries that were merged are one person."""
    return all(
        round.merged.get(seated := game.seats.get(seat, ""), seated) == player
        for seat, player in sitting(round.table(table)).items()
    )


def told_by_record(now: Tournament, round: Round, table: int, game: Game) -> Event | None:
    """The event that takes over a record's result; None if it is entered already."""
    if not is_theirs(round, table, game):
        raise NotPossible("seats_changed", table=table)
    outcome, source = result_of(now, round.table(table), game)
    before = round.result(table)
    if before is None:
        return ResultEntered(round=round.number, table=table, outcome=outcome, source=source)
    if before.outcome == outcome or before.source == source:
        return None
    reason = f"{source.game}, entry {source.entry}"
    return ResultCorrected(round=round.number, table=table, outcome=outcome, reason=reason)


def is_from_record(told: ResultEntered | ResultCorrected) -> bool:
    """Whether a result came from a record, not from a person."""
    if isinstance(told, ResultEntered):
        return isinstance(told.source, FromGame)
    return _CLOSED_ANEW.fullmatch(told.reason) is not None


_CLOSED_ANEW = re.compile(r"game-\S+, entry \d+")


def check_slip(
    bench: Bench,
    now: Tournament,
    round: Round,
    table: int,
    slip: Outcome,
    game: Game,
    author: Author,
) -> None:
    """Refuse a slip and a record that contradict each other.

    A dispute is raised at the table; once a judge has decided, either result may be taken.
    """
    if not contradicts(bench.store, now, round, table, slip, game):
        return
    dispute = _disputed(bench, game.id, in_words(slip), author)
    raise NotPossible("slip_against_record", table=table, game=game.id, dispute=dispute)


def _disputed(bench: Bench, game_id: str, text: str, author: Author) -> str:
    """The dispute about a slip, raised now if missing; retries on version conflicts."""
    while (raised := _raised(game := bench.game(game_id), text)) is None:
        number = game.last_counting
        dispute = Disputed(
            id=f"d{len(game.disputes) + 1}", numbers=(number,), cause="slip", text=text
        )
        with suppress(VersionConflict):
            bench.tell(game, [dispute], author)
    return raised.id


def contradicts(
    store: Store, now: Tournament, round: Round, table: int, slip: Outcome, game: Game
) -> bool:
    """Whether a slip differs from a proven record, without a settled dispute about it."""
    if game.closed is None or not has_result(game.closed) or not is_theirs(round, table, game):
        return False
    raised = _raised(game, in_words(slip))
    if raised is not None and raised.id in game.settled:
        return False
    try:
        told, _ = result_of(now, round.table(table), proven_game(store, table, game.id))
    except NotPossible:
        return False
    return _differ(slip, told)


def slip_of(round: Round, table: int) -> Outcome | None:
    """The result from a slip, if it was neither taken from a record nor corrected."""
    entered = round.results.get(table, ())
    if len(entered) == 1 and not isinstance(entered[0].source, FromGame):
        return entered[0].outcome
    return None


def _differ(slip: Outcome, record: Outcome) -> bool:
    """Whether the results differ; values that the slip leaves out are not compared."""
    return (
        slip.places != record.places
        or (slip.scores is not None and slip.scores != record.scores)
        or (slip.measures is not None and slip.measures != record.measures)
    )


def _raised(game: Game, text: str) -> Disputed | None:
    found = (d for d in game.disputes.values() if d.cause == "slip" and d.text == text)
    return next(found, None)


def in_words(slip: Outcome) -> str:
    """A result as language-independent text: places by seat, and points."""
    parts = []
    for seat, place in enumerate(slip.places):
        points = f" ({slip.scores[seat]})" if slip.scores is not None else ""
        parts.append(f"{seat_letter(seat)} {place}{points}")
    return ", ".join(parts) + "".join(f" {measure}" for measure in slip.measures or ())
