"""Who is first, and why; brackets, finals and lots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Literal

from answers.answer import Answered, Data
from answers.caller import Caller
from answers.tournament.counter import Counter, ToldAnswer, at_the_desk, recording
from answers.tournament.shown import RoundAnswer, round_fields, round_lines
from answers.tournament.voice import answered, figure, headed
from answers.voice import Voice
from referee.tournament.chance import Dice
from referee.tournament.events import FinalsStarted, LotDrawn, SeatRange
from referee.tournament.pairing.finals import finalists
from referee.tournament.ranking.standings import Part
from referee.tournament.ranking.standings import standings as ranked_players
from referee.tournament.ranking.standings import why as derived

Ratio = tuple[int, int]
"""An exact number: numerator and denominator."""


class StandingsRow(Data):
    rank: int
    player: str
    name: str
    values: list[Ratio]
    final: int | None


class TournamentStandingsAnswer(Data):
    tournament: str
    rounds: int
    columns: list[str]
    rows: list[StandingsRow]


class TermAnswer(Data):
    amount: Ratio
    kind: str
    round: int | None
    event: int | None
    others: list[str]
    counted: bool


class PartAnswer(Data):
    column: str
    value: Ratio
    tied_with: list[str]
    terms: list[TermAnswer]


class TournamentWhyAnswer(Data):
    tournament: str
    player: str
    name: str
    rank: int
    parts: list[PartAnswer]


class TournamentBracketAnswer(Data):
    tournament: str
    rounds: list[RoundAnswer]


def standings(
    caller: Caller, tournament: str, *, through: int | None = None
) -> Answered[TournamentStandingsAnswer]:
    """Who is ahead, after all rounds or through one."""
    with at_the_desk(caller, tournament) as counter:
        ranked = ranked_players(counter.now, through)

        def told(voice: Voice) -> Iterator[str]:
            yield voice.mark("bold", voice.say("tournament.standings", count=ranked.rounds))
            head = ["", voice.say("tournament.head_name"), *ranked.columns]
            rows = (
                (
                    f"{row.rank}.",
                    counter.name(row.player),
                    *(figure(voice, value) for value in row.values),
                )
                for row in ranked.rows
            )
            yield from headed(voice, head, rows)

        def data() -> TournamentStandingsAnswer:
            rows = [
                StandingsRow(
                    rank=row.rank,
                    player=row.player,
                    name=counter.name(row.player),
                    values=[_ratio(value) for value in row.values],
                    final=row.final,
                )
                for row in ranked.rows
            ]
            return TournamentStandingsAnswer(
                tournament=counter.id,
                rounds=ranked.rounds,
                columns=list(ranked.columns),
                rows=rows,
            )

        return answered(data, told)


def why(
    caller: Caller, tournament: str, name: str, *, through: int | None = None
) -> Answered[TournamentWhyAnswer]:
    """Every point and tie-break of a player, from the results they follow from."""
    with at_the_desk(caller, tournament) as counter:
        player = counter.player(name)
        told = derived(counter.now, player, through)

        def lines(voice: Voice) -> Iterator[str]:
            yield voice.mark("bold", f"{told.row.rank}. {counter.name(player)}")
            for part in told.parts:
                yield from _part_lines(voice, counter, part)

        return answered(
            lambda: TournamentWhyAnswer(
                tournament=counter.id,
                player=player,
                name=counter.name(player),
                rank=told.row.rank,
                parts=[_part(part) for part in told.parts],
            ),
            lines,
        )


def _ratio(value: Fraction) -> Ratio:
    return value.numerator, value.denominator


def _part(part: Part) -> PartAnswer:
    return PartAnswer(
        column=part.column,
        value=_ratio(part.value),
        tied_with=list(part.tied_with),
        terms=[
            TermAnswer(
                amount=_ratio(term.amount),
                kind=term.kind,
                round=term.round,
                event=term.event,
                others=list(term.others),
                counted=term.counted,
            )
            for term in part.terms
        ],
    )


def _part_lines(voice: Voice, counter: Counter, part: Part) -> Iterator[str]:
    column = f"{part.column} {voice.say(f'column.{part.column}')}"
    yield "  " + voice.labelled(column, figure(voice, part.value, 4))
    for term in part.terms:
        known = f"term.{term.kind}"
        parts = [
            voice.say("tournament.round", round=term.round) if term.round is not None else "",
            voice.say(known) if known in voice.words else term.kind,
            ", ".join(counter.name(other) for other in term.others),
            voice.say("tournament.event", number=term.event) if term.event is not None else "",
        ]
        crossed = "" if term.counted else f" ({voice.say('tournament.not_counted')})"
        told = " · ".join(text for text in parts if text)
        yield f"    {figure(voice, term.amount, 4):>6}  {told}{crossed}"


def bracket(caller: Caller, tournament: str) -> Answered[TournamentBracketAnswer]:
    """The rounds of a knock-out or of finals."""
    with at_the_desk(caller, tournament) as counter:
        now = counter.now
        shown = [
            round
            for round in now.rounds
            if now.knockout_rules(round.stage) is not None or round.stage != "main"
        ]

        def told(voice: Voice) -> Iterator[str]:
            for round in shown:
                yield from round_lines(voice, counter, round)
            if not shown:
                yield voice.say("tournament.no_bracket")

        def data() -> TournamentBracketAnswer:
            rounds = [RoundAnswer(**round_fields(counter, round)) for round in shown]
            return TournamentBracketAnswer(tournament=counter.id, rounds=rounds)

        return answered(data, told)


@recording(FinalsStarted)
def finals(
    counter: Counter,
    places: int,
    *,
    style: Literal["knockout", "top_table"] = "top_table",
    on_tie: str = "better_seed",
    reason: str = "",
    key: str | None = None,
) -> Answered[ToldAnswer]:
    """The best play on."""
    chosen = finalists(counter.now, places)
    most = 2 if style == "knockout" else len(chosen)
    event = FinalsStarted.model_validate(
        {
            "style": style,
            "players": chosen,
            "seats": SeatRange(least=2, most=most, preferred=most),
            "on_tie": on_tie,
            "reason": reason,
        }
    )
    names = ", ".join(counter.name(player) for player in chosen)
    return counter.record(
        event, telling=lambda voice: [voice.say("tournament.finals", names=names)]
    )


@recording(LotDrawn)
def draw_lot(
    counter: Counter,
    names: Sequence[str],
    reason: str,
    *,
    seed: int | None = None,
    key: str | None = None,
) -> Answered[ToldAnswer]:
    """The order drawn by hand, or by a seed that anybody can try again."""
    order = [counter.player(name) for name in names]
    if seed is not None:
        order = Dice(seed).shuffled(sorted(order))
    told = ", ".join(counter.name(player) for player in order)
    return counter.record(
        LotDrawn(order=tuple(order), seed=seed, reason=reason),
        telling=lambda voice: [voice.say("tournament.lot", names=told)],
    )
