"""Consistency check of a tournament (``check``): its stream, rounds, games and deals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.errors import NotFound
from referee.proof.verify import verify
from referee.record.entries import UnreadableEntry
from referee.record.game import Game
from referee.store.hash_chain import find_break
from referee.tournament.desk import Desk
from referee.tournament.errors import NotPossible
from referee.tournament.event_streams import read_told
from referee.tournament.events import FromRecords, Table, read_event
from referee.tournament.fold import fold
from referee.tournament.organiser_warnings import remarks
from referee.tournament.pairing.rounds import PairingProblem, check_tournament
from referee.tournament.results_from_records import contradicted, slip_of
from referee.tournament.state import Round, Tournament
from referee.tournament.table_games import (
    board_in,
    departure_dispute,
    departures,
    read_ref,
    result_of,
)


def inspect(desk: Desk, tournament_id: str) -> list[PairingProblem]:
    """All problems of a tournament, from the store alone; empty if there are none."""
    rows = desk.bench.store.read(tournament_id)
    if not rows:
        raise NotFound("no_such_tournament", tournament=tournament_id)
    if (broken := find_break(tournament_id, rows)) is not None:
        return [PairingProblem(0, "chain_broken", {"event": broken.seq})]
    try:
        now = fold(read_told(row, read_event).event for row in rows)
    except (UnreadableEntry, NotPossible) as error:
        return [PairingProblem(0, "cannot_be_followed", {"why": error.phrase})]
    found = check_tournament(now)
    for round in now.rounds:
        for table in round.draw.tables:
            found += result_problems(desk, tournament_id, now, round, table)
    for (number, table_number), games in sorted(desk.games(tournament_id).items()):
        for game in games:
            found += _game_problems(now, number, table_number, desk.bench.game(game))
        found += slip_problems(desk, now, number, table_number, games)
    for (number, table_number), games in sorted(desk.latest_games(tournament_id).items()):
        latest = [desk.bench.game(game) for game in games]
        found += _reading_problems(number, table_number, latest)
    return [*found, *remarks(desk, tournament_id, now)]


def slip_problems(
    desk: Desk, now: Tournament, number: int, table: int, games: Sequence[str]
) -> Iterator[PairingProblem]:
    """A slip that contradicts the records of its table, without a judge's decision."""
    if number > len(now.rounds) or (slip := slip_of(now.round(number), table)) is None:
        return
    records = [desk.bench.game(game) for game in games]
    round = now.round(number)
    record = contradicted(desk.bench.store, now, round, table, slip, records)
    if record is not None:
        facts = {"table": table, "game": record.id}
        yield PairingProblem(number, "slip_against_record", facts)


def result_problems(
    desk: Desk, tournament_id: str, now: Tournament, round: Round, table: Table
) -> Iterator[PairingProblem]:
    """A result taken from records must equal that of the records, and each must verify."""
    entered = round.result(table.number)
    if entered is None or not isinstance(entered.source, FromRecords):
        return
    games: list[Game] = []
    for told in entered.source.records:
        facts = {"table": table.number, "game": told.game}
        report = verify(told.game, desk.bench.store.read(told.game))
        if not report.proves_result or report.game is None:
            yield PairingProblem(round.number, "game_unproven", facts)
            return
        place = (tournament_id, round.number, table.number)
        if read_ref(report.game.opened.tournament) != place:
            yield PairingProblem(round.number, "game_of_other_table", facts)
        games.append(report.game)
    try:
        outcome, source = result_of(now, round, table, games)
    except NotPossible:
        yield PairingProblem(round.number, "game_is_open", facts)
        return
    if outcome != entered.outcome:
        key_facts = {**facts, "entry": source.records[-1].entry}
        yield PairingProblem(round.number, "result_of_record_differs", key_facts)


def _reading_problems(number: int, table: int, games: Sequence[Game]) -> Iterator[PairingProblem]:
    """The boards of a match that are played are judged by the same readings.

    A reading that a game keeps from its opening on may have been ruled after the first one opened.
    """
    boards = {board_in(game.opened.tournament): game for game in games if game.closed is None}
    for reading, declared in next(iter(boards.values())).engine.readings.items() if boards else ():
        values = {board: game.setting.readings[reading] for board, game in boards.items()}
        if declared.changeable == "any" and len({*values.values()}) > 1:
            told = [f"{board} {value}" for board, value in sorted(values.items(), key=str)]
            facts = {"table": table, "reading": reading, "boards": told}
            yield PairingProblem(number, "boards_read_differently", facts)


def _game_problems(
    now: Tournament, number: int, table: int, game: Game
) -> Iterator[PairingProblem]:
    """A game must be opened by the published rules, and its draws follow the deal or a ruling."""
    name, facts = game.engine.id, {"table": table, "game": game.id}
    allowed = {reading: {value} for reading, value in now.plan.readings.get(name, {}).items()}
    for _, ruled in now.rulings:
        if ruled.game == name:
            default = game.engine.readings[ruled.reading].default
            allowed.setdefault(ruled.reading, {default}).add(ruled.value)
    other = [r for r, values in allowed.items() if game.opened.readings.get(r) not in values]
    if other or set(game.opened.house_rules) != set(now.plan.house_rules.get(name, ())):
        yield PairingProblem(number, "other_rules", {**facts, "readings": other})
    for departure in departures(now, number, game):
        dispute = departure_dispute(game, departure)
        if dispute is not None and game.settled.get(dispute.id) in game.rulings:
            continue
        told = {"pile": departure.pile, "drawn": departure.drawn, "expected": departure.expected}
        yield PairingProblem(number, "deal_departed", {**facts, "action": departure.action, **told})
