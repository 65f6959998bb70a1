"""What was told, what waits for a judge, and whether all of it is in order."""

from __future__ import annotations

from typing import Annotated

import typer

from answers.tournament.draws import departure
from cli.session import Key
from cli.speech import columns, facts_data, say, spoken
from cli.telling import short as short_game
from cli.tournament.counter import at_the_desk, labelled, words
from cli.tournament.plan import (
    by_game,
)
from cli.tournament.running import show_info
from engines.kernel import Verbatim
from referee.tournament.desk import Concern
from referee.tournament.events import ReadingRuled
from referee.tournament.inspection import inspect

Reason = Annotated[str, typer.Option("-m", "--reason")]


def history(at: Annotated[int | None, typer.Option("--at", min=0)] = None) -> int:
    with at_the_desk() as counter:
        hosted = counter.hosted
        if at is not None:
            return show_info(counter, hosted.at(at))
        rows = [counter.history_row(told) for told in hosted.told]
        data = {
            "tournament": hosted.id,
            "events": [
                {
                    "number": told.number, "at": told.at, "by": told.by, "role": told.role,
                    "kind": told.event.KIND, "data": told.event.model_dump(mode="json"),
                }
                for told in hosted.told
            ],
        }  # fmt: skip
        return counter.here.answer_plain("tournament-history", data, columns(rows))


def disputes() -> int:
    with at_the_desk() as counter:
        concerns = list(counter.desk.concerns(counter.id))
        rows = columns(_concern(concern) for concern in concerns)
        data = {
            "tournament": counter.id,
            "concerns": [
                {
                    "round": c.round,
                    "table": c.table,
                    "game": c.game.id,
                    "held": c.game.held is not None,
                    "dispute": c.dispute.model_dump(mode="json") if c.dispute else None,
                    "deviation": c.deviation._asdict() if c.deviation else None,
                }
                for c in concerns
            ],
        }
        lines = rows or [say("tournament.no_disputes")]
        return counter.here.answer_plain("tournament-disputes", data, lines)


def _concern(concern: Concern) -> tuple[str, ...]:
    where = (
        f"{say('tournament.round', round=concern.round)}",
        f"{say('tournament.table', table=concern.table)}",
        say("tournament.record", game=short_game(concern.game.id)),
    )
    if concern.dispute is not None:
        dispute = concern.dispute
        numbers = " ".join(f"#{number}" for number in dispute.numbers)
        cause = say(f"dispute.cause_{dispute.cause}", seat=dispute.seat or "–")
        text = spoken(departure(concern.deviation)) if concern.deviation else dispute.text
        return (
            *where,
            dispute.id,
            numbers,
            dispute.clause or "–",
            labelled(cause, text) if text else cause,
        )
    assert concern.deviation is not None
    found = concern.deviation
    return (*where, "–", f"#{found.action}", "–", spoken(departure(found)))


def reading(
    reading: Annotated[str, typer.Argument()],
    game: Annotated[str | None, typer.Option("--of")] = None,
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    """Told again, it reaches the tables that a failure left out."""
    with at_the_desk(key) as counter:
        games = [game] if game else list(counter.now.plan.games)
        ((name, told),) = by_game([reading], games).items()
        ((question, value),) = told.items()
        counter.told_before(ReadingRuled)
        records = counter.desk.rule_reading(
            counter.id, name, question, value, reason, author=counter.author, key=counter.telling
        )
        line = say("tournament.ruled", reading=question, value=Verbatim(value), count=len(records))
        return counter.told([line], games=records)


def check() -> int:
    with at_the_desk() as counter:
        problems = inspect(counter.desk, counter.id)
        lines = []
        for problem in problems:
            told = words(f"problem.{problem.key}", **counter.named(problem.facts))
            if problem.round:
                told = labelled(say("tournament.round", round=problem.round), told)
            lines.append(f"{'·' if problem.is_remark else '✘'} {told}")
        good = all(problem.is_remark for problem in problems)
        if good:
            rounds, events = len(counter.now.rounds), len(counter.hosted.told)
            lines.append("✔ " + say("tournament.check_good", count=rounds, events=events))
        data = {
            "tournament": counter.id,
            "problems": [
                {
                    "round": p.round,
                    "key": p.key,
                    "facts": facts_data(p.facts),
                    "remark": p.is_remark,
                }
                for p in problems
            ],
        }
        return counter.here.answer_plain("tournament-check", data, lines, code=0 if good else 6)
