"""The link between a tournament and the games at its tables: openings in, results and draws out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from pydantic import ValidationError

from engines.kernel import Engine, Opening
from engines.kernel.registry import load_engine
from referee.errors import NotFound
from referee.record.entries import Closed, Disputed
from referee.record.game import Game
from referee.tournament.deals import Deviation, Drawn, deviations
from referee.tournament.errors import NotPossible
from referee.tournament.events import (
    FromGame,
    FromGames,
    GameResult,
    Outcome,
    RoundPaired,
    Table,
    match_places,
    seat_letter,
)
from referee.tournament.plan import Knockout, LadderScoring, Match, Plan, Swiss
from referee.tournament.state import Round, Tournament, begins, person_at
from referee.untrusted.optional_packages import load


def table_ref(tournament_id: str, number: int, table: int, board: int | None = None) -> str:
    """The reference to a table, or to a board of a team match, that a game record stores."""
    at = "" if board is None else f"/b{board}"
    return f"{tournament_id}/r{number}/t{table}{at}"


def read_ref(ref: str) -> tuple[str, int, int]:
    stream, number, table, *_ = ref.split("/")
    return stream, int(number[1:]), int(table[1:])


def board_in(ref: str) -> int | None:
    """The board that a reference names, if it is one of a team match."""
    _, _, board = ref.partition("/b")
    return int(board) if board else None


def board_table(now: Tournament, number: int, table: Table, board: int) -> Table:
    """The two who sit at a board of a team match; whoever begins there has the first seat."""
    if not 1 <= board <= now.plan.boards_at(len(table.seats)):
        raise NotPossible("table_has_no_board", table=table.number, board=board)
    sides = (now.line_up(number, team) for team in table.seats)
    people = [person for side in sides if (person := person_at(side, board)) is not None]
    if len(people) < 2:
        raise NotPossible("board_is_empty", table=table.number, board=board)
    return Table(number=table.number, seats=tuple(people if begins(board) == "A" else people[::-1]))


def check_plan(plan: Plan) -> None:
    """Validate a plan: games, readings, clauses and presets exist, table sizes fit, and it can be
    paired here: nobody wants to hear of a missing package when the players wait."""
    if isinstance(plan.format, Swiss) and plan.format.system == "dutch":
        load("gacrux", "fide")
    for name in {*plan.readings, *plan.house_rules, *plan.presets} - set(plan.games):
        raise NotPossible("not_played_here", game=name)
    if isinstance(plan.format, Knockout) and plan.format.lives == 2 and plan.seats.most != 2:
        raise NotPossible("two_lives_of_duels")
    for name in plan.games:
        engine = load_engine(name)
        least, most = engine.seats
        if plan.seats.most > 1 and not least <= plan.seats.least <= plan.seats.most <= most:
            if plan.seats.most == 2 < least:
                raise NotPossible("seats_beyond_duels", game=name, least=least, most=most)
            raise NotPossible("seats_of_the_game", game=name, least=least, most=most)
        for reading, value in plan.readings.get(name, {}).items():
            engine.check_reading(reading, value)
        for clause in plan.house_rules.get(name, ()):
            if clause not in engine.clauses:
                raise NotFound("no_such_clause", clause=clause)
        if plan.presets.get(name):
            published_opening(engine, plan, engine.opening.usual(least))


def check_table_sizes(now: Tournament, paired: RoundPaired) -> None:
    """Refuse tables that the plan does not speak of and the game cannot be played at: the last of
    a knock-out, a final that somebody left. Those of the plan were checked with it."""
    planned = now.plan.seats
    for size in {len(table.seats) for table in paired.tables}:
        if planned.least <= size <= planned.most:
            continue
        name = now.plan.game_of(paired.round)
        least, _ = load_engine(name).seats
        if size < least:
            if now.stage == "main":
                raise NotPossible("too_few_are_left", left=size, game=name, least=least)
            raise NotPossible("too_few_finalists", left=size, game=name, least=least)


def published_opening(engine: Engine[Any, Any], plan: Plan, line: str) -> Opening:
    """An opening line with the options that the plan fixes for every table."""
    line = line if line.split()[:1] == ["table"] else f"table {line}"
    opening = engine.read(line)
    assert isinstance(opening, Opening)
    data: dict[str, Any] = opening.model_dump(mode="json")
    for option, value in plan.presets.get(engine.id, {}).items():
        for told in (value, value.split("+")):
            try:
                opening = engine.opening.model_validate({**data, option: told})
            except ValidationError:
                continue
            data = opening.model_dump(mode="json")
            break
        else:
            raise NotPossible("bad_preset", option=option, value=value, game=engine.id)
    return opening


def sitting(table: Table) -> dict[str, str]:
    """The pseudonyms by seat; a team has the first seat."""
    return {seat_letter(seat): player for seat, player in enumerate(table.seats)}


def match_by_games(now: Tournament, round: Round, table: Table) -> Match | None:
    """The match of a table whose games are played one after the other, each with its record."""
    match = now.match_at(round, len(table.seats))
    return None if match is None or match.boards else match


def people_at(round: Round, game: Game) -> dict[str, str]:
    """Who sits where at a record. Entries that were merged since are one person."""
    return {seat: round.merged.get(player, player) for seat, player in game.seats.items()}


def sits_there(now: Tournament, round: Round, table: Table, game: Game) -> bool:
    """Whether those who were paired sit at a record, in their order. In a match the first seat
    changes from game to game; at a board of teams sit their people.

    Since it was opened they may have been swapped, or the round paired anew.
    """
    people = people_at(round, game)
    if (board := board_in(game.opened.tournament)) is not None:
        try:
            table = board_table(now, read_ref(game.opened.tournament)[1], table, board)
        except NotPossible:
            return False
        return people == sitting(table)
    if match_by_games(now, round, table) is None:
        return people == sitting(table)
    return people.keys() == sitting(table).keys() and {*people.values()} == {*table.seats}


def next_seats(
    now: Tournament, round: Round, table: Table, records: Sequence[Game], *, again: bool
) -> Table:
    """Who sits where at the next record. In a match the seats change after every game that counts;
    one that is played again has the same."""
    if match_by_games(now, round, table) is None or not records:
        return table
    last = records[-1]
    if not sits_there(now, round, table, last):
        return table
    counts = last.closed is not None and has_result(last.closed) and not again
    first = [*people_at(round, last).values()]
    return table.model_copy(update={"seats": tuple(first[::-1] if counts else first)})


def counted_records(
    now: Tournament, round: Round, table: Table, records: Sequence[Game]
) -> list[Game]:
    """The records that make the result of a table: the latest; of a match one of every game,
    until it is won or a game is still played; of a team match the latest of every board.

    Of records with the same first seat, one behind the other, the last counts: the game was
    played again. One that was closed without a result does not count, nor in a match one of others
    who sat there before.
    """
    if now.plan.boards_at(len(table.seats)):
        latest = {board_in(record.opened.tournament) or 0: record for record in records}
        return [latest[board] for board in sorted(latest) if board]
    match = match_by_games(now, round, table)
    if match is None:
        return [*records[-1:]]
    counted: list[Game] = []
    theirs = [record for record in records if sits_there(now, round, table, record)]
    for _, played in groupby(theirs, key=lambda record: people_at(round, record)["A"]):
        *_, game = played
        if game.closed is None or match.is_over(games_told(round, table, counted)):
            break
        if has_result(game.closed):
            counted.append(game)
    return counted


def boards_told(now: Tournament, table: Table, records: Sequence[Game]) -> dict[int, GameResult]:
    """By board: how it ended, as far as its record is closed with a result."""
    return {
        board_in(game.opened.tournament) or 0: _board_told(now, table, game)
        for game in records
        if game.closed is not None and has_result(game.closed)
    }


def _board_told(now: Tournament, table: Table, game: Game) -> GameResult:
    _, number, _ = read_ref(game.opened.tournament)
    round = now.round(number)
    if not sits_there(now, round, table, game):
        raise NotPossible("seats_changed", table=table.number)
    winners = _ended(table, game).places[0]
    if len(winners) > 1:
        return "="
    winner = people_at(round, game)[winners[0]]
    return "A" if winner in now.line_up(number, table.seats[0]) else "B"


def games_told(round: Round, table: Table, records: Sequence[Game]) -> tuple[GameResult, ...]:
    """How the games of a match ended, by the seats of its table: whoever won is found by name."""
    return tuple(_game_told(round, table, game) for game in records)


def _game_told(round: Round, table: Table, game: Game) -> GameResult:
    winners = _ended(table, game).places[0]
    if len(winners) > 1:
        return "="
    winner = people_at(round, game)[winners[0]]
    if winner not in table.seats:
        raise NotPossible("seats_changed", table=table.number)
    return "A" if winner == table.seats[0] else "B"


def tells_result(now: Tournament, round: Round, table: Table, counted: Sequence[Game]) -> bool:
    """Whether the records that count tell how a table ended."""
    if boards := now.plan.boards_at(len(table.seats)):
        return len(boards_told(now, table, counted)) == boards
    match = match_by_games(now, round, table)
    if match is not None:
        return match.is_over(games_told(round, table, counted))
    closed = counted[-1].closed if counted else None
    return closed is not None and has_result(closed)


def result_of(
    now: Tournament, round: Round, table: Table, counted: Sequence[Game]
) -> tuple[Outcome, FromGame | FromGames]:
    """How the records that count ended, in the terms of the tournament."""
    if boards := now.plan.boards_at(len(table.seats)):
        told = boards_told(now, table, counted)
        missing = [board for board in range(1, boards + 1) if board not in told]
        if missing:
            raise NotPossible("boards_go_on", table=table.number, boards=missing)
        results = tuple(told[board] for board in sorted(told))
        source = FromGames(games=tuple(_source(game) for game in counted))
        return Outcome(places=match_places(results), games=results), source
    if (match := match_by_games(now, round, table)) is not None:
        games = games_told(round, table, counted)
        if not match.is_over(games):
            first, second = games.count("A"), games.count("B")
            raise NotPossible("match_goes_on", table=table.number, first=first, second=second)
        source = FromGames(games=tuple(_source(game) for game in counted))
        return Outcome(places=match_places(games), games=games), source
    return _result_of_game(now, table, counted[-1])


def _ended(table: Table, game: Game) -> Closed:
    if game.closed is None:
        raise NotPossible("game_goes_on", table=table.number, game=game.id)
    if not has_result(game.closed):
        raise NotPossible("game_has_no_result", table=table.number, game=game.id)
    return game.closed


def _source(game: Game) -> FromGame:
    entry = max(entry.seq for entry in game.entries if isinstance(entry.data, Closed))
    return FromGame(game=game.id, entry=entry)


def _result_of_game(now: Tournament, table: Table, game: Game) -> tuple[Outcome, FromGame]:
    closed, source = _ended(table, game), _source(game)
    scoring = now.plan.scoring
    if isinstance(scoring, LadderScoring):
        measures = tuple(_measure(game, closed, measure.name) for measure in scoring.measures)
        return Outcome(places=(1,), measures=measures), source
    return Outcome.of_game(closed.places, closed.scores), source


def has_result(closed: Closed) -> bool:
    return bool(closed.places) or closed.won is not None


def _measure(game: Game, closed: Closed, name: str) -> int:
    """The value of a measure: ``won``, ``score``, an opening option, or a field of the state."""
    if name == "won" and closed.won is not None:
        return int(closed.won)
    if name == "score" and closed.scores:
        return sum(closed.scores.values())
    opening = game.steps[0].action
    assert opening is not None
    found: Any = getattr(opening, name, None)
    if isinstance(found, str):
        found = _grade(type(opening).model_json_schema(), name, found)
    if found is None:
        found = game.engine.plain(game.state).get(name)
    if not isinstance(found, int):
        raise NotPossible("no_such_measure", measure=name, game=game.id)
    return int(found)


def _grade(schema: Mapping[str, Any], name: str, word: str) -> int | None:
    """The index of a word among the allowed ones, which are listed from the easiest on."""
    listed = schema["properties"].get(name, {})
    words = listed.get("enum", [])
    return words.index(word) if word in words else None


def departures(now: Tournament, number: int, game: Game) -> list[Deviation]:
    """The draws of a table that differ from the deal of its round."""
    deal = now.deal_of(number)
    return deviations(deal, draws(game, deal.piles)) if deal is not None else []


def departure_dispute(game: Game, found: Deviation) -> Disputed | None:
    """The dispute about such a draw, if it was raised."""
    return next(
        (
            dispute
            for dispute in game.disputes.values()
            if dispute.cause == "deal"
            and dispute.numbers == (found.action,)
            and dispute.text.startswith(f"{found.pile} ")
        ),
        None,
    )


def draws(game: Game, piles: Mapping[str, Any]) -> Iterator[Drawn]:
    """The draws from these piles in a record, in order."""
    named = [(pile, *pile.partition(".")[::2]) for pile in piles]
    for step in game.steps[1:]:
        action = step.action
        if action is None or step.number is None:
            continue
        own = [field for field in type(action).model_fields if field not in ("verb", "by")]
        for pile, verb, field in named:
            if action.verb == verb:
                item = getattr(action, field or own[0], None)
                yield Drawn(step.number, pile, str(item))
