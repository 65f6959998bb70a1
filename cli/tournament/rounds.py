"""Pairing a round, explaining and changing it; starting and closing it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from cli.session import Key
from cli.speech import say
from cli.tournament.clock import clock_lines
from cli.tournament.counter import Counter, at_the_desk, headed, labelled, words
from cli.tournament.shown import round_data, round_lines
from referee.errors import Misused
from referee.tournament.desk import Told
from referee.tournament.events import (
    Event,
    PairingWithdrawn,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RoundStarted,
    Swapped,
    TablesAssigned,
)
from referee.tournament.pairing.rounds import Explanation, Priced, asked_for, explain, swap
from referee.tournament.state import Round

Reason = Annotated[str, typer.Option("-m", "--reason")]
RoundOption = Annotated[int | None, typer.Option("--round", min=1)]

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


def pair(
    number: Annotated[int | None, typer.Argument(min=1)] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0)] = None,
    explained: Annotated[bool, typer.Option("--explain")] = False,
    meet: Annotated[tuple[str, str] | None, typer.Option("--meet")] = None,
    key: Key = None,
) -> int:
    with at_the_desk(key) as counter:
        if known := counter.told_before(RoundPaired):
            round = _as_it_was(counter, known[0])
        else:
            _, round = counter.desk.pair(
                counter.id, number, seed, author=counter.author, key=counter.telling
            )
        if not explained and meet is None:
            return _answer_round(counter, round)
        chosen, asked = round.draw, None
        if meet is not None:
            a, b = (counter.player(name) for name in meet)
            asked = asked_for(counter.now, round.number, chosen, a, b)
        told = explain(counter.now, round.number, chosen, asked)
        return _answer_explained(counter, round, told)


def _as_it_was(counter: Counter, told: Told) -> Round:
    """The round of an event, as that event left it."""
    assert isinstance(told.event, RoundPaired | Swapped | TablesAssigned)
    return counter.hosted.at(told.number).round(told.event.round)


def unpair(reason: Reason = ..., key: Key = None) -> int:  # type: ignore[assignment]
    with at_the_desk(key, PairingWithdrawn) as counter:
        counter.desk.unpair(counter.id, reason, author=counter.author, key=counter.telling)
        return counter.told([say("tournament.unpaired")])


def tables(number: Annotated[int | None, typer.Argument(min=1)] = None) -> int:
    with at_the_desk() as counter:
        return _answer_round(counter, counter.round(number))


def _answer_round(counter: Counter, round: Round) -> int:
    data = {"tournament": counter.id, **round_data(counter, round)}
    return counter.here.answer_plain("tournament-round", data, round_lines(counter, round))


# explaining


def _answer_explained(
    counter: Counter, round: Round, told: Explanation, event: int | None = None
) -> int:
    data = {
        "tournament": counter.id,
        "round": round.number,
        "criteria": list(told.criteria),
        "chosen": _priced_data(told.chosen),
        "asked": _priced_data(told.asked) if told.asked is not None else None,
        "decided_by": told.decided_by,
        "event": event,
    }
    lines = list(_explained_lines(counter, told))
    if event is not None:
        lines.append(say("tournament.swapped", number=event))
    return counter.here.answer_plain("tournament-explain", data, lines)


def _priced_data(priced: Priced) -> dict[str, Any]:
    return {
        "costs": list(priced.costs),
        "meetings": [
            {"players": list(m.players), "bye": m.bye, "costs": list(m.costs)}
            for m in priced.meetings
        ],
    }


def _explained_lines(counter: Counter, told: Explanation) -> Iterator[str]:
    both = [told.chosen, *([told.asked] if told.asked is not None else [])]
    head = ["", say("tournament.chosen"), *([say("tournament.asked")] if told.asked else [])]
    yield from headed(
        counter.here,
        head,
        (
            (words(f"term.{name}"), *(str(priced.costs[at]) for priced in both))
            for at, name in enumerate(told.criteria)
        ),
    )
    for title, priced in zip(("chosen", "asked"), both, strict=False):
        yield counter.here.paint("bold", say(f"tournament.{title}"))
        for meeting in priced.meetings:
            names = " – ".join(counter.name(player) for player in meeting.players)
            costs = ", ".join(
                f"{words(f'term.{name}')} {cost}"
                for name, cost in zip(told.criteria, meeting.costs, strict=True)
                if cost
            )
            yield "  " + labelled(names, costs or say("tournament.costs_nothing"))
    if told.asked is not None:
        decided = told.decided_by
        yield (
            say("tournament.decided_by", criterion=words(f"term.{decided}"))
            if decided is not None
            else say("tournament.costs_the_same")
        )


def swap_players(
    a: Annotated[str, typer.Argument()],
    b: Annotated[str, typer.Argument()],
    reason: Annotated[str, typer.Option("-m", "--reason")] = "",
    number: RoundOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    key: Key = None,
) -> int:
    """Without a reason it is a preview."""
    with at_the_desk(key) as counter:
        if known := counter.told_before(Swapped):
            return _answer_swapped(counter, known[0])
        round = counter.round(number)
        one, two = counter.player(a), counter.player(b)
        told = explain(counter.now, round.number, round.draw, swap(round.draw, one, two))
        event = None
        if reason and not dry_run:
            swapped = Swapped(round=round.number, a=one, b=two, reason=reason)
            event = counter.tell(swapped).now.last
        elif not dry_run:
            counter.here.warnings.append(say("tournament.swap_preview"))
        return _answer_explained(counter, round, told, event)


def _answer_swapped(counter: Counter, told: Told) -> int:
    after = _as_it_was(counter, told)
    before = counter.hosted.at(told.number - 1).round(after.number)
    explained = explain(counter.now, after.number, before.draw, after.draw)
    return _answer_explained(counter, before, explained, told.number)


def move(
    move: Annotated[list[str], typer.Argument()],
    number: RoundOption = None,
    key: Key = None,
) -> int:
    with at_the_desk(key) as counter:
        if known := counter.told_before(TablesAssigned):
            return _answer_round(counter, _as_it_was(counter, known[0]))
        pairs = []
        for text in move:
            source, _, target = text.partition(":")
            if not (source.isdigit() and target.isdigit()):
                raise Misused("not_a_move", word=text)
            pairs.append((int(source), int(target)))
        round = counter.round(number)
        counter.tell(TablesAssigned(round=round.number, moves=tuple(pairs)))
        return _answer_round(counter, counter.round(round.number))


# rounds


def start(
    number: Annotated[int | None, typer.Argument(min=1)] = None,
    with_clock: Annotated[bool, typer.Option("--clock")] = False,
    key: Key = None,
) -> int:
    with at_the_desk(key, RoundStarted) as counter:
        at = counter.round(number).number
        events: list[Event] = [RoundStarted(round=at)]
        if with_clock:
            events.append(counter.desk.clock_start(counter.id, at))
        counter.tell(*events)
        lines = [
            say("tournament.started", round=at),
            *clock_lines(counter, counter.now.round(at)),
        ]
        return counter.told(lines)


@app.command(name="close")
def close_round(
    number: Annotated[int | None, typer.Argument(min=1)] = None,
    key: Key = None,
) -> int:
    with at_the_desk(key, RoundClosed) as counter:
        round = counter.round(number)
        counter.desk.collect(counter.id, round.number, author=counter.author)
        lines = [say("tournament.round_was_closed", round=round.number)]
        return counter.tell_and_answer(RoundClosed(round=round.number), lines=lines)


@app.command(name="reopen")
def reopen_round(
    number: Annotated[int, typer.Argument(min=1)],
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    with at_the_desk(key, RoundReopened) as counter:
        lines = [say("tournament.round_was_reopened", round=number)]
        return counter.tell_and_answer(RoundReopened(round=number, reason=reason), lines=lines)
