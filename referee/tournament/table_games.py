"""The link between a tournament and the games at its tables: openings in, results and draws out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from engines.kernel import Engine, Opening
from engines.kernel.registry import load_engine
from referee.errors import NotFound
from referee.record.entries import Closed, Disputed
from referee.record.game import Game
from referee.tournament.deals import Deviation, Drawn, deviations
from referee.tournament.errors import NotPossible
from referee.tournament.events import FromGame, Outcome, RoundPaired, Table, seat_letter
from referee.tournament.plan import Knockout, LadderScoring, Plan
from referee.tournament.state import Tournament


def table_ref(tournament_id: str, number: int, table: int) -> str:
    """The reference to a table that a game record stores."""
    return f"{tournament_id}/r{number}/t{table}"


def read_ref(ref: str) -> tuple[str, int, int]:
    stream, number, table = ref.split("/")
    return stream, int(number[1:]), int(table[1:])


def check_plan(plan: Plan) -> None:
    """Validate a plan: games, readings, clauses and presets exist, and table sizes fit."""
    for name in {*plan.readings, *plan.house_rules, *plan.presets} - set(plan.games):
        raise NotPossible("not_played_here", game=name)
    if isinstance(plan.format, Knockout) and plan.format.lives == 2 and plan.seats.most != 2:
        raise NotPossible("two_lives_of_duels")
    for name in plan.games:
        engine = load_engine(name)
        least, most = engine.seats
        if plan.seats.most > 1 and not least <= plan.seats.least <= plan.seats.most <= most:
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


def result_of(now: Tournament, table: Table, game: Game) -> tuple[Outcome, FromGame]:
    """How a closed record ended, in the terms of the tournament."""
    closed = game.closed
    if closed is None:
        raise NotPossible("game_goes_on", table=table.number, game=game.id)
    if not has_result(closed):
        raise NotPossible("game_has_no_result", table=table.number, game=game.id)
    entry = max(entry.seq for entry in game.entries if isinstance(entry.data, Closed))
    source = FromGame(game=game.id, entry=entry)
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
