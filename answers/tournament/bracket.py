"""A bracket as it is drawn: tables from top to bottom, who goes on, and what is still to come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from answers.answer import Data
from answers.i18n import Voice
from answers.tournament.result_slips import OutcomeText
from answers.tournament.round_view import RoundAnswer, TableAnswer
from answers.tournament.standings import TournamentBracketAnswer


class BracketSeat(Data):
    player: str
    name: str
    seed: int | None
    """In finals: the place in the standings with which they came."""
    through: bool
    """Goes on from this table, or has won it all."""
    defeats: int = 0
    """With two lives: how often they had lost before this table."""
    note: str = ""
    """With two lives: that they go on in the lower bracket, or come from it, in words."""


class BracketTable(Data):
    table: int
    third_place: bool
    seats: list[BracketSeat]
    result: str


class BracketRound(Data):
    round: int
    title: str
    """Final, semi-finals…, or which round it is."""
    tables: list[BracketTable]
    free: list[str]
    """Who goes on without a game, by name."""
    to_come: int = 0
    """Tables of a round that is not paired yet."""
    third_to_come: bool = False
    """Whether the third place is played for in it."""
    part: str = ""
    """With two lives: which bracket it is drawn in, upper, lower or between them, in words."""


def drawn_bracket(
    voice: Voice,
    found: TournamentBracketAnswer,
    plan: Mapping[str, Any],
    names: Mapping[str, str],
) -> list[BracketRound]:
    """The rounds of a knock-out or of finals, the first one first."""
    played = found.rounds
    results = OutcomeText(voice, plan)
    seeds = {player: at for at, player in enumerate(found.seeding, 1)}
    on = [
        {
            *(each.player for table in _of_the_bracket(one) for each in table.seats),
            *one.free,
        }
        for one in played
    ]
    rounds = [
        BracketRound(
            round=each.round,
            title=_stage(voice, each, here),
            tables=[
                BracketTable.made_of(
                    table,
                    third_place=table.table == each.third_place,
                    result="" if table.outcome is None else results.told(table.outcome),
                    seats=[
                        BracketSeat.made_of(
                            one, seed=seeds.get(one.player), through=one.player in later
                        )
                        for one in table.seats
                    ],
                )
                for table in each.tables
            ],
            free=[names.get(player) or player for player in each.free],
        )
        for each, here, later in zip(played, on, [*on[1:], {*found.through}], strict=True)
    ]
    if found.defeats:
        return _in_parts(voice, rounds, found, names)
    if not found.places:
        return _as_a_tree(rounds)
    to_come = list(_to_come(voice, rounds, found.places))
    if found.third_place and to_come and len(found.places) > 2:
        to_come[-1] = to_come[-1].model_copy(update={"third_to_come": True})
    return [*_in_places(rounds, found.places), *to_come]


def _of_the_bracket(round: RoundAnswer) -> list[TableAnswer]:
    return [table for table in round.tables if table.table != round.third_place]


def _in_places(rounds: list[BracketRound], places: list[str | None]) -> list[BracketRound]:
    """Tables from top to bottom, so that those are neighbours whose winners meet."""
    at = {player: place for place, player in enumerate(places)}

    def place(table: BracketTable) -> tuple[bool, int]:
        return table.third_place, min(at.get(each.player, len(at)) for each in table.seats)

    return [each.model_copy(update={"tables": sorted(each.tables, key=place)}) for each in rounds]


def _to_come(
    voice: Voice, rounds: list[BracketRound], places: list[str | None]
) -> Iterator[BracketRound]:
    """The rounds that are left of a bracket, as many tables as they will have."""
    tables = len(places) >> (len(rounds) + 1)
    for number in range(rounds[-1].round + 1, rounds[-1].round + 1 + tables.bit_length()):
        title = _stage_of(voice, 2 * tables)
        yield BracketRound(round=number, title=title, tables=[], free=[], to_come=tables)
        tables //= 2


def _as_a_tree(rounds: list[BracketRound]) -> list[BracketRound]:
    """Tables beside the one that their winners meet at, whatever their numbers."""
    ordered = rounds[-1:]
    for earlier in reversed(rounds[:-1]):
        seats = [each.player for table in ordered[0].tables for each in table.seats]
        at = {player: place for place, player in enumerate(seats)}

        def place(table: BracketTable, at: dict[str, int] = at) -> int:
            return min(at.get(each.player, len(at)) for each in table.seats)

        tables = sorted(earlier.tables, key=place)
        ordered.insert(0, earlier.model_copy(update={"tables": tables}))
    return ordered


def _stage(voice: Voice, round: RoundAnswer, here: set[str]) -> str:
    """What a round of a bracket is called: by how many are left in it."""
    if len(_of_the_bracket(round)) == 1 and not round.free:
        return voice.say("tournament.final")
    if all(len(table.seats) == 2 for table in round.tables):
        return _stage_of(voice, 2 ** (len(here) - 1).bit_length())
    return voice.say("tournament.round", round=round.round)


def _stage_of(voice: Voice, left: int) -> str:
    known = {2: "final", 4: "semi_finals", 8: "quarter_finals"}.get(left)
    return voice.say(f"tournament.{known or 'round_of'}", count=left)


# Two lives ------------------------------------------------------------------------------------


def _in_parts(
    voice: Voice,
    rounds: list[BracketRound],
    found: TournamentBracketAnswer,
    names: Mapping[str, str],
) -> list[BracketRound]:
    """Those without a defeat above, those with one below, then who meets across, and the final."""
    parts: dict[str, list[BracketRound]] = {"upper": [], "lower": [], "across": []}
    final = False
    lives = pairwise(found.defeats)
    played = zip(rounds, found.rounds, lives, strict=True)
    for drawn, told, (before, after) in played:
        tables = [_with_lives(voice, table, before, after) for table in drawn.tables]
        decider = final
        final = len(tables) == 1 and not told.free and any(e.defeats for e in tables[0].seats)
        sitting = [seat.defeats for table in tables for seat in table.seats]
        sitting += [before.get(player, 0) for player in told.free]
        for at, (part, listed) in enumerate(parts.items()):
            here = [table for table in tables if ("across" if final else _part(table)) == part]
            free = [player for player in told.free if before.get(player, 0) == at]
            if here or free:
                title = _title(voice, part, sitting.count(at), final, decider, drawn.round)
                called = [names.get(player) or player for player in free]
                update = {"title": title, "tables": here, "free": called}
                listed.append(drawn.model_copy(update=update))
    if len(found.still_in) > 1 and (not final or all(t.result for t in rounds[-1].tables)):
        title = voice.say("tournament.deciding_final" if final else "tournament.final")
        to_come = BracketRound(
            round=rounds[-1].round + 1, title=title, tables=[], free=[], to_come=1
        )
        parts["across"].append(to_come)
    return [
        each.model_copy(update={"part": voice.say(f"tournament.bracket_{part}")})
        for part, listed in parts.items()
        for each in _as_a_tree(listed)
    ]


def _with_lives(
    voice: Voice, table: BracketTable, before: Mapping[str, int], after: Mapping[str, int]
) -> BracketTable:
    defeats = [before.get(seat.player, 0) for seat in table.seats]
    seats = []
    for seat, already in zip(table.seats, defeats, strict=True):
        lost = after.get(seat.player, 0) > already
        notes = {"falls": lost and not already, "one_defeat": already and 0 in defeats}
        update = {
            "defeats": already,
            "through": bool(table.result) and not lost,
            "note": " ".join(voice.say(f"tournament.{note}") for note, so in notes.items() if so),
        }
        seats.append(seat.model_copy(update=update))
    return table.model_copy(update={"seats": seats})


def _part(table: BracketTable) -> str:
    """Where a table is drawn: by the defeats of those who sit there."""
    defeats = {seat.defeats > 0 for seat in table.seats}
    return "across" if len(defeats) > 1 else "lower" if True in defeats else "upper"


def _title(voice: Voice, part: str, left: int, final: bool, decider: bool, number: int) -> str:
    """What a round of a part is called, and in which round of the tournament it is played."""
    round = voice.say("tournament.round", round=number)
    if final:
        name = voice.say("tournament.deciding_final" if decider else "tournament.final")
    elif part != "across" and left == 2:
        name = voice.say(f"tournament.{part}_final")
    elif part == "upper" and left > 2:
        name = _stage_of(voice, 2 ** (left - 1).bit_length())
    else:
        return round[:1].upper() + round[1:]
    return f"{name} · {round}"
