"""A round as people and programs see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cli.speech import columns, language, say
from cli.telling import short as short_game
from cli.tournament.clock import clock_data, clock_lines
from cli.tournament.counter import Counter, labelled, words
from engines.kernel.registry import load_engine
from referee.tournament.events import (
    seat_letter,
)
from referee.tournament.state import Round


def round_lines(counter: Counter, round: Round) -> Iterator[str]:
    here, draw = counter.here, round.draw
    game = load_engine(counter.now.plan.game_of(round.number)).words.say("game", language())
    state = "closed" if round.closed else "started" if round.started else "paired"
    yield here.paint("bold", say("tournament.round", round=round.number)) + (
        f" · {game} · {say(f'tournament.round_{state}')}"
        f" · {say('tournament.drawn_by', algorithm=round.paired.algorithm, seed=round.paired.seed)}"
    )
    yield from (f"  {line}" for line in clock_lines(counter, round))
    records = counter.desk.games(counter.id)
    most = max(len(table.seats) for table in draw.tables)
    rows = []
    for table in draw.tables:
        names = [f"{seat_letter(s)} {counter.name(p)}" for s, p in enumerate(table.seats)]
        games = records.get((round.number, table.number), [])
        rows.append(
            (
                f"  {say('tournament.table', table=table.number)}",
                *names,
                *[""] * (most - len(names)),
                result_text(round, table.number) or _record_text(games),
            )
        )
    yield from columns(rows)
    for kind, players in (("bye", draw.byes), ("free", draw.free)):
        for player in players:
            yield "  " + labelled(words(f"term.{kind}"), counter.name(player))


def _record_text(games: Sequence[str]) -> str:
    return say("tournament.record", game=short_game(games[-1])) if games else "–"


def result_text(round: Round, table: int) -> str:
    """``1. A · 2. B``, with points and absences; empty as long as there is no result."""
    entered = round.result(table)
    if entered is None:
        return ""
    outcome = entered.outcome
    places: dict[int, list[str]] = {}
    for seat, place in enumerate(outcome.places):
        scored = f" {outcome.scores[seat]}" if outcome.scores is not None else ""
        absent = f" ({say('tournament.absent')})" if seat not in outcome.here else ""
        places.setdefault(place, []).append(f"{seat_letter(seat)}{scored}{absent}")
    if outcome.measures is not None:
        return " · ".join(str(measure) for measure in outcome.measures)
    return " · ".join(f"{place}. {' = '.join(places[place])}" for place in sorted(places))


def round_data(counter: Counter, round: Round) -> dict[str, Any]:
    records = counter.desk.games(counter.id)
    return {
        "round": round.number,
        "stage": round.stage,
        "game": counter.now.plan.game_of(round.number),
        "algorithm": round.paired.algorithm,
        "version": round.paired.version,
        "seed": round.paired.seed,
        "input_hash": round.paired.input_hash,
        "started": round.started,
        "closed": round.closed,
        "clock": clock_data(counter, round),
        "tables": [
            {
                "table": table.number,
                "seats": [{"player": p, "name": counter.name(p)} for p in table.seats],
                "games": records.get((round.number, table.number), []),
                "outcome": entered.outcome.model_dump(mode="json") if entered else None,
                "event": entered.event if entered else None,
            }
            for table in round.draw.tables
            for entered in (round.result(table.number),)
        ],
        "byes": list(round.draw.byes),
        "free": list(round.draw.free),
    }
