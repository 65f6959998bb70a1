"""Who is first, and why; brackets, finals and lots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from cli.session import Key
from cli.speech import say
from cli.tournament.counter import Counter, at_the_desk, figure, headed, labelled, words
from cli.tournament.shown import round_data, round_lines
from referee.tournament.chance import Dice
from referee.tournament.errors import WORDS
from referee.tournament.events import (
    FinalsStarted,
    LotDrawn,
    SeatRange,
)
from referee.tournament.pairing.finals import finalists
from referee.tournament.ranking.standings import Part, standings, why

Reason = Annotated[str, typer.Option("-m", "--reason")]
RoundOption = Annotated[int | None, typer.Option("--round", min=1)]


def show_standings(
    through: RoundOption = None,
    why_player: Annotated[str | None, typer.Option("--why")] = None,
) -> int:
    with at_the_desk() as counter:
        if why_player is not None:
            return _answer_why(counter, counter.player(why_player), through)
        ranked = standings(counter.now, through)
        rows = [
            (
                f"{row.rank}.",
                counter.name(row.player),
                *(figure(value) for value in row.values),
            )
            for row in ranked.rows
        ]
        head = ("", say("tournament.head_name"), *ranked.columns)
        data = {
            "tournament": counter.id,
            "rounds": ranked.rounds,
            "columns": list(ranked.columns),
            "rows": [
                {
                    "rank": row.rank,
                    "player": row.player,
                    "name": counter.name(row.player),
                    "values": [[v.numerator, v.denominator] for v in row.values],
                    "final": row.final,
                }
                for row in ranked.rows
            ],
        }
        title = say("tournament.standings", count=ranked.rounds)
        lines = [counter.here.paint("bold", title), *headed(counter.here, head, rows)]
        return counter.here.answer_plain("tournament-standings", data, lines)


def _answer_why(counter: Counter, player: str, through: int | None) -> int:
    told = why(counter.now, player, through)
    data = {
        "tournament": counter.id,
        "player": player,
        "name": counter.name(player),
        "rank": told.row.rank,
        "parts": [
            {
                "column": part.column,
                "value": [part.value.numerator, part.value.denominator],
                "tied_with": list(part.tied_with),
                "terms": [
                    {
                        "amount": [term.amount.numerator, term.amount.denominator],
                        "kind": term.kind,
                        "round": term.round,
                        "event": term.event,
                        "others": list(term.others),
                        "counted": term.counted,
                    }
                    for term in part.terms
                ],
            }
            for part in told.parts
        ],
    }
    lines = [counter.here.paint("bold", f"{told.row.rank}. {counter.name(player)}")]
    for part in told.parts:
        lines += _part_lines(counter, part)
    return counter.here.answer_plain("tournament-why", data, lines)


def _part_lines(counter: Counter, part: Part) -> Iterator[str]:
    column = f"{part.column} {words(f'column.{part.column}')}"
    yield "  " + labelled(column, figure(part.value, 4))
    for term in part.terms:
        where = say("tournament.round", round=term.round) if term.round is not None else ""
        event = say("tournament.event", number=term.event) if term.event is not None else ""
        others = ", ".join(counter.name(other) for other in term.others)
        known = f"term.{term.kind}"
        kind = words(known) if known in WORDS else term.kind
        crossed = "" if term.counted else f" ({say('tournament.not_counted')})"
        parts = [text for text in (where, kind, others, event) if text]
        yield f"    {figure(term.amount, 4):>6}  {' · '.join(parts)}{crossed}"


def bracket() -> int:
    with at_the_desk() as counter:
        lines: list[str] = []
        data = []
        for round in counter.now.rounds:
            if counter.now.knockout_rules(round.stage) is None and round.stage == "main":
                continue
            lines += round_lines(counter, round)
            data.append(round_data(counter, round))
        shown = lines or [say("tournament.no_bracket")]
        return counter.here.answer_plain(
            "tournament-bracket", {"tournament": counter.id, "rounds": data}, shown
        )


def finals(
    places: Annotated[int, typer.Argument(min=2, max=64)],
    knockout: Annotated[bool, typer.Option("--knockout")] = False,
    on_tie: Annotated[str, typer.Option("--on-tie")] = "better_seed",
    reason: Annotated[str, typer.Option("-m", "--reason")] = "",
    key: Key = None,
) -> int:
    with at_the_desk(key, FinalsStarted) as counter:
        chosen = finalists(counter.now, places)
        most = 2 if knockout else len(chosen)
        event = FinalsStarted.model_validate(
            {
                "style": "knockout" if knockout else "top_table",
                "players": chosen,
                "seats": SeatRange(least=2, most=most, preferred=most),
                "on_tie": on_tie,
                "reason": reason,
            }
        )
        names = ", ".join(counter.name(player) for player in chosen)
        return counter.tell_and_answer(event, lines=[say("tournament.finals", names=names)])


def lot(
    name: Annotated[list[str], typer.Argument()],
    seed: Annotated[int | None, typer.Option("--seed", min=0)] = None,
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    """The order drawn by hand, or by a seed that anybody can try again."""
    with at_the_desk(key, LotDrawn) as counter:
        order = [counter.player(one) for one in name]
        if seed is not None:
            order = Dice(seed).shuffled(sorted(order))
        names = ", ".join(counter.name(player) for player in order)
        event = LotDrawn(order=tuple(order), seed=seed, reason=reason)
        return counter.tell_and_answer(event, lines=[say("tournament.lot", names=names)])
