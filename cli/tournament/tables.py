"""The tables of a round as games, and their results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from pydantic import ValidationError

from cli.session import Key
from cli.speech import say
from cli.telling import opening_refusal, to_act, verdict_data
from cli.telling import short as short_game
from cli.tournament.counter import Counter, at_the_desk, labelled
from cli.tournament.plan import first_problem
from cli.tournament.shown import result_text
from engines.kernel.registry import load_engine
from engines.kernel.words import fold
from referee.errors import Misused
from referee.table.openings import OpeningRefused
from referee.tournament.events import (
    Outcome,
    ResultCorrected,
    ResultEntered,
    seat_letter,
)

Reason = Annotated[str, typer.Option("-m", "--reason")]
RoundOption = Annotated[int | None, typer.Option("--round", min=1)]


def table(
    number: Annotated[int, typer.Argument(min=1)],
    line: Annotated[list[str] | None, typer.Argument()] = None,
    round: RoundOption = None,
    players: Annotated[int | None, typer.Option("--players", min=1, max=8)] = None,
    again: Annotated[bool, typer.Option("--again")] = False,
    key: Key = None,
) -> int:
    with at_the_desk(key) as counter:
        at = counter.round(round).number
        heard, new = counter.desk.open_table(
            counter.id, at, number, " ".join(line or []),
            players=players, again=again, author=counter.here.author, key=key,
        )  # fmt: skip
        if isinstance(heard, OpeningRefused):
            engine = load_engine(counter.now.plan.game_of(at))
            refused = opening_refusal(counter.here.paint, engine, heard)
            return counter.here.answer("new", verdict_data(heard.verdict), refused, code=3)
        game = heard.game
        counter.here.make_current(game.id)
        names = " · ".join(f"{seat} {counter.name(person)}" for seat, person in game.seats.items())
        opened = "tournament.table_opened" if new else "tournament.table_goes_on"
        lines = [
            say(opened, table=number, round=at, game=short_game(game.id)),
            f"  {names}",
            f"  {to_act(game)}",
        ]
        data = {
            "tournament": counter.id, "round": at, "table": number, "game": game.id, "new": new,
            "seats": dict(game.seats), "readings": dict(game.setting.readings),
        }  # fmt: skip
        return counter.here.answer("tournament-table", data, lines)


def result(
    table: Annotated[int | None, typer.Argument(min=1)] = None,
    places: Annotated[list[str] | None, typer.Argument()] = None,
    score: Annotated[list[str] | None, typer.Option("--score")] = None,
    absent: Annotated[list[str] | None, typer.Option("--absent")] = None,
    measure: Annotated[list[int] | None, typer.Option("--measure")] = None,
    tie_order: Annotated[str, typer.Option("--tie-order")] = "",
    timed_out: Annotated[bool, typer.Option("--timed-out")] = False,
    round: RoundOption = None,
    reason: Annotated[str, typer.Option("-m", "--reason")] = "",
    key: Key = None,
) -> int:
    """Without places: taken from the record; without a table: from all closed records."""
    with at_the_desk(key, ResultEntered, ResultCorrected) as counter:
        at = counter.round(round).number
        if table is None:
            taken: list[int] = counter.desk.collect(
                counter.id, at, author=counter.author, key=counter.telling
            )
        elif not places and not absent and not measure:
            counter.desk.take_result(
                counter.id, at, table, author=counter.author, key=counter.telling
            )
            taken = [table]
        else:
            if not reason:
                raise Misused("result_needs_reason")
            outcome = _outcome(
                counter, at, table, places or [], score or [], absent or [], measure, tie_order,
                timed_out,
            )  # fmt: skip
            counter.desk.enter_result(
                counter.id, at, table, outcome, reason, author=counter.author, key=counter.telling
            )
            _warn_of_open_record(counter, at, table)
            taken = [table]
        lines = _result_lines(counter, at, taken)
        return counter.told(lines)


def _warn_of_open_record(counter: Counter, number: int, table: int) -> None:
    """A slip of paper goes before a record that somebody may still be writing."""
    record = counter.desk.game_at(counter.id, number, table)
    if record is not None and record.closed is None:
        told = say("tournament.record_is_open", table=table, game=short_game(record.id))
        counter.here.warnings.append(told)


def correct(
    table: Annotated[int, typer.Argument(min=1)],
    places: Annotated[list[str] | None, typer.Argument()] = None,
    score: Annotated[list[str] | None, typer.Option("--score")] = None,
    absent: Annotated[list[str] | None, typer.Option("--absent")] = None,
    measure: Annotated[list[int] | None, typer.Option("--measure")] = None,
    tie_order: Annotated[str, typer.Option("--tie-order")] = "",
    timed_out: Annotated[bool, typer.Option("--timed-out")] = False,
    round: RoundOption = None,
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    with at_the_desk(key, ResultCorrected) as counter:
        at = counter.round(round).number
        outcome = _outcome(
            counter, at, table, places or [], score or [], absent or [], measure, tie_order,
            timed_out,
        )  # fmt: skip
        counter.tell(ResultCorrected(round=at, table=table, outcome=outcome, reason=reason))
        lines = _result_lines(counter, at, [table])
        return counter.told(lines)


def _result_lines(counter: Counter, number: int, tables: Sequence[int]) -> Iterator[str]:
    round = counter.now.round(number)
    for table in tables:
        seats = round.table(table).seats
        names = " · ".join(f"{seat_letter(s)} {counter.name(p)}" for s, p in enumerate(seats))
        told = f"{result_text(round, table)}   ({names})"
        yield labelled(say("tournament.table", table=table), told)
    waiting = ", ".join(str(table) for table in round.waiting)
    yield say("tournament.waiting", tables=waiting) if waiting else say("tournament.all_in")


def _outcome(
    counter: Counter, number: int, table: int, places: Sequence[str], score: Sequence[str],
    absent: Sequence[str], measures: Sequence[int] | None, tie_order: str, timed_out: bool,
) -> Outcome:  # fmt: skip
    """``B A=C D``: a place a word, tied seats joined; seats not named share the last place.

    Instead of its letter, a seat may be called by the name of who sits there.
    """
    seats = counter.now.round(number).table(table).seats
    size = len(seats)

    def letter(word: str) -> str:
        return _letter(counter, seats, word)

    gone = tuple(letter(one) for word in absent for one in word.split(","))
    groups = [[letter(one) for one in word.split("=") if one] for word in places]
    by_seat = _places(size, groups, gone)
    scores = None
    if score:
        named = (word.rpartition("=") for word in score if "=" in word)
        told = {letter(name): value for name, _, value in named}
        if set(told) != {seat_letter(seat) for seat in range(size)}:
            raise Misused("score_of_everybody", seats=size)
        scores = tuple(_whole(told[seat_letter(seat)]) for seat in range(size))
    try:
        return Outcome(
            places=by_seat, scores=scores, absent=gone, timed_out=timed_out,
            measures=tuple(measures) if measures else None,
            tie_order=tuple(tie_order.upper().replace(",", "")),
        )  # fmt: skip
    except ValidationError as error:
        raise Misused("bad_outcome", problem=first_problem(error)) from None


def _letter(counter: Counter, seats: Sequence[str], word: str) -> str:
    """A seat by its letter, or by the name of its player or the beginning of that name."""
    if len(word) == 1:
        return word.upper()
    names = [fold(counter.name(player)) for player in seats]
    found = [seat for seat, name in enumerate(names) if name == fold(word)]
    found = found or [seat for seat, name in enumerate(names) if name.startswith(fold(word))]
    if len(found) != 1:
        sitting = [f"{seat_letter(s)} {counter.name(p)}" for s, p in enumerate(seats)]
        raise Misused("not_at_this_table", word=word, sitting=sitting)
    return seat_letter(found[0])


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise Misused("bad_outcome", problem=text) from None


def _places(size: int, groups: Sequence[Sequence[str]], absent: Sequence[str]) -> tuple[int, ...]:
    named = [letter for group in groups for letter in group]
    letters = [seat_letter(seat) for seat in range(size)]
    if len(set(named)) != len(named) or not set(named) <= set(letters):
        told = " ".join("=".join(group) for group in groups)
        raise Misused("bad_places", places=told, seats=letters)
    rest = [letter for letter in letters if letter not in (*named, *absent)]
    left_out = [letter for letter in letters if letter in absent and letter not in named]
    by_seat: dict[str, int] = {}
    for group in (*groups, rest, left_out):
        by_seat |= dict.fromkeys(group, len(by_seat) + 1)
    return tuple(by_seat[letter] for letter in letters)
