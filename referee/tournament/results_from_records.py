"""Results from game records: only from those that verify, and never silently over a slip."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from referee.record.entries import Disputed
from referee.record.game import Game
from referee.store.event_store import Store
from referee.table.author import Author, By
from referee.table.bench import Bench, VersionConflict
from referee.tournament.errors import NotPossible
from referee.tournament.events import (
    Event,
    FromRecords,
    Outcome,
    ResultCorrected,
    ResultEntered,
    Table,
    seat_letter,
)
from referee.tournament.state import Round, Tournament
from referee.tournament.table_games import (
    board_in,
    boards_told,
    counted_records,
    games_told,
    match_by_games,
    result_of,
    sits_there,
    tells_result,
)


def proven_game(store: Store, table: int, game_id: str) -> Game:
    """The game of a record; refused unless verification proves its result."""
    from referee.proof.verify import verify

    report = verify(game_id, store.read(game_id))
    if report.game is None or not report.proves_result:
        entry = min((found.seq for found in report.problems), default=report.entries - 1)
        raise NotPossible("game_unproven", table=table, game=game_id, entry=entry)
    return report.game


def proven_records(
    store: Store, now: Tournament, round: Round, table: Table, records: Sequence[Game]
) -> list[Game]:
    """The records that make the result of a table; refused unless all of them are proven."""
    counted = counted_records(now, round, table, records)
    if now.plan.boards_at(len(table.seats)):
        result_of(now, round, table, counted)  # names the boards that have none
    return [proven_game(store, table.number, game.id) for game in counted]


def told_by_records(
    now: Tournament, round: Round, table: int, proven: Sequence[Game]
) -> Event | None:
    """The event that takes over what records tell; None if it is entered already."""
    seated = round.table(table)
    if not all(sits_there(now, round, seated, game) for game in proven):
        raise NotPossible("seats_changed", table=table)
    outcome, source = result_of(now, round, seated, proven)
    before = round.result(table)
    if before is None:
        return ResultEntered(round=round.number, table=table, outcome=outcome, source=source)
    if before.outcome == outcome or before.source == source:
        return None
    reason = "; ".join(f"{each.game}, entry {each.entry}" for each in source.records)
    return ResultCorrected(round=round.number, table=table, outcome=outcome, reason=reason)


def is_from_record(told: ResultEntered | ResultCorrected) -> bool:
    """Whether a result came from a record, not from a person."""
    if isinstance(told, ResultEntered):
        return isinstance(told.source, FromRecords)
    return _CLOSED_ANEW.fullmatch(told.reason) is not None


_CLOSED_ANEW = re.compile(r"game-\S+, entry \d+(; game-\S+, entry \d+)*")


def check_slip(
    bench: Bench,
    now: Tournament,
    round: Round,
    table: int,
    slip: Outcome,
    records: Sequence[Game],
    author: Author,
) -> None:
    """Refuse a slip and records that contradict each other.

    A dispute is raised at the table; once a judge has decided, either result may be taken.
    """
    game = contradicted(bench.store, now, round, table, slip, records)
    if game is None:
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
            bench.tell(game, [dispute], By(author))
    return raised.id


def contradicted(
    store: Store, now: Tournament, round: Round, table: int, slip: Outcome, records: Sequence[Game]
) -> Game | None:
    """The proven record that a slip differs from, unless a dispute about the slip is settled."""
    seated = round.table(table)
    try:
        counted = counted_records(now, round, seated, records)
        match = match_by_games(now, round, seated)
        boards = boards_told(now, seated, counted) if now.plan.boards else {}
        tells = bool(boards) or match is not None or tells_result(now, round, seated, counted)
        theirs = all(sits_there(now, round, seated, game) for game in counted)
        if not counted or not tells or not theirs or _settled(counted, in_words(slip)):
            return None
        if boards:
            closed = [game for game in counted if board_in(game.opened.tournament) in boards]
            proven = [proven_game(store, table, game.id) for game in closed]
            told_there = zip(proven, boards_told(now, seated, proven).items(), strict=True)
            others = (game for game, (at, end) in told_there if slip.games[at - 1 : at] != (end,))
            return next(others, None)
        proven = [proven_game(store, table, game.id) for game in counted]
        if match is not None:
            games = games_told(round, seated, proven)
            differ = any(slip.games.count(each) < games.count(each) for each in games)
        else:
            told, _ = result_of(now, round, seated, proven)
            differ = _differ(slip, told)
    except NotPossible:
        return None
    return counted[-1] if differ else None


def _settled(records: Sequence[Game], text: str) -> bool:
    """Whether a judge has settled a dispute about a slip at one of the records of its table."""
    return any(
        raised is not None and raised.id in game.settled
        for game in records
        for raised in (_raised(game, text),)
    )


def slip_of(round: Round, table: int) -> Outcome | None:
    """The result from a slip, if it was neither taken from a record nor corrected."""
    entered = round.results.get(table, ())
    if len(entered) == 1 and not isinstance(entered[0].source, FromRecords):
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
    """A result as language-independent text: places by seat, points, and games of a match."""
    parts = []
    for seat, place in enumerate(slip.places):
        points = f" ({slip.scores[seat]})" if slip.scores is not None else ""
        parts.append(f"{seat_letter(seat)} {place}{points}")
    games = f" {''.join(slip.games)}" if slip.games else ""
    return ", ".join(parts) + "".join(f" {measure}" for measure in slip.measures or ()) + games
