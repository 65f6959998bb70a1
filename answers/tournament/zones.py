"""Judges' zones: ranges of tables, given to judges by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from answers.answer import Answered, Data
from answers.i18n import Voice, columns
from answers.limits import Name
from answers.permissions import JUDGES, Tells
from answers.tournament.context import DeskCall, ToldAnswer, reads, records
from answers.tournament.i18n import answered, said
from engines.kernel.messages.catalogue import Spoken, Verbatim, normalize
from referee.errors import Misused, NotFound
from referee.tournament.events import MOST_ZONES, Zone, ZonesSet
from referee.tournament.values import TableNumber
from referee.tournament.zones import overlaps


class ZoneRow(Data):
    judge: str
    """The name."""
    first: int
    last: int


class OverlapRow(Data):
    """Tables that are in the zones of several judges."""

    first: int
    last: int
    judges: list[str]


class TournamentZonesAnswer(Data):
    tournament: str
    zones: list[ZoneRow]
    overlaps: list[OverlapRow]
    outside: list[int]
    """Tables of the last round that are in nobody's zone; their calls are shown to all alike."""
    judges: list[str]
    """Who judges here, by name: who has a token for it, or a zone."""


@reads("tournament-zones", "GET /zones", JUDGES)
def zones(context: DeskCall) -> Answered[TournamentZonesAnswer]:
    """Whose tables are whose; without any zone the calls of all tables are everybody's."""
    found = context.now.zones

    def render(voice: Voice) -> Iterator[str]:
        if not found:
            yield voice.say("tournament.zones_none")
        yield from columns(
            (context.name(each.judge), voice.say("tournament.zone", tables=zone_tables(each)))
            for each in found
        )
        yield from (voice.spoken(warning) for warning in _overlapping(context))
        if outside := _outside(context):
            yield voice.say("tournament.zones_outside", tables=outside)

    def data() -> TournamentZonesAnswer:
        listed = context.names_of(_judges(context))
        return TournamentZonesAnswer(
            tournament=context.id,
            zones=[ZoneRow.made_of(each, judge=context.name(each.judge)) for each in found],
            overlaps=[
                OverlapRow.made_of(each, judges=context.names_of(each.judges))
                for each in overlaps(found)
            ],
            outside=_outside(context),
            judges=sorted(set(listed), key=normalize),
        )

    return answered(data, render)


@records("tournament-zones-set", "POST /zones", Tells("zones_set"))
def set_zones(
    context: DeskCall,
    zones: Annotated[
        Sequence[tuple[Name, TableNumber, TableNumber]], Field(max_length=MOST_ZONES)
    ] = (),
) -> Answered[ToldAnswer]:
    """Zones told anew as a whole: a judge's name, the first and the last table. None: no zones."""
    if len(zones) > MOST_ZONES:
        raise Misused("too_many_zones", most=MOST_ZONES)
    people: dict[str, str] = {}
    for name, first, last in zones:
        if not 1 <= first <= last <= 999:
            raise Misused("zone_backwards", first=first, last=last)
        if name not in people:
            people[name] = _person(context, name)
    told = tuple(Zone(judge=people[name], first=first, last=last) for name, first, last in zones)
    context.tell(ZonesSet(zones=told))
    context.warnings += _overlapping(context)
    message = "tournament.zones_told" if told else "tournament.zones_none"
    return context.recorded_answer(lambda voice: [voice.say(message)])


def zone_tables(zone: Zone) -> Verbatim:
    return Verbatim(f"{zone.first}–{zone.last}" if zone.last > zone.first else f"{zone.first}")


def _overlapping(context: DeskCall) -> list[Spoken]:
    return [
        said(
            "tournament.zones_overlap",
            tables=zone_tables(Zone(judge=each.judges[0], first=each.first, last=each.last)),
            names=context.names_of(each.judges),
        )
        for each in overlaps(context.now.zones)
    ]


def _outside(context: DeskCall) -> list[int]:
    now = context.now
    if not now.zones or not now.rounds:
        return []
    return [
        table.number
        for table in now.rounds[-1].draw.tables
        if not any(each.first <= table.number <= each.last for each in now.zones)
    ]


def _judges(context: DeskCall) -> list[str]:
    """Who may judge here by a token, and whoever has a zone."""
    let_in = [
        each.person
        for each in context.caller.store_context.access.passes()
        if each.role in JUDGES.names and each.scope in ("", context.id)
    ]
    return list(dict.fromkeys([*let_in, *(each.judge for each in context.now.zones)]))


def _person(context: DeskCall, name: str) -> str:
    """A judge by name: one of the event's first, then anybody of that name, else somebody new."""
    named = [each for each in _judges(context) if normalize(context.name(each)) == normalize(name)]
    found = named or context.find(name)
    if len(found) > 1:
        raise NotFound("which_judge", judge=name)
    if found:
        return found[0]
    context.warn("tournament.judge_is_new", name=name)
    return context.add(name)
