"""The prizes of an event: declared by organisers, read by everybody."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pydantic import ValidationError

from answers.answer import Answered, Data
from answers.i18n import Voice
from answers.permissions import EVERYBODY, Tells
from answers.tournament.context import DeskCall, ToldAnswer, reads, records
from answers.tournament.i18n import answered, headed, said
from answers.tournament.listing import Column, Listing, Value, written
from answers.tournament.players import section_spelling, spelled
from engines.kernel.messages.errors import first_mistake
from referee.errors import Misused
from referee.tournament.errors import WORDS
from referee.tournament.events import Prize, PrizesDeclared
from referee.tournament.ranking.prizes import awards

_LINE = re.compile(r"\s*([0-9]{1,3})\s*[.)]?\s*([^:]*?)\s*:\s*(.*?)\s*")


class PrizeRow(Data):
    place: int
    section: str
    """Empty: in the event."""
    text: str
    players: list[str]
    """Who gets it, or would as things stand; several share it, being level."""
    names: list[str]


class TournamentPrizesAnswer(Data):
    tournament: str
    several: bool
    """Whether somebody may get more than one."""
    final: bool
    """Whether the event is closed: who gets what is decided."""
    prizes: list[PrizeRow]
    """In the order in which they are given."""


@reads("tournament-prizes", "GET /prizes", EVERYBODY)
def prizes(context: DeskCall) -> Answered[TournamentPrizesAnswer]:
    """What can be won, by which rule, and by whom as things stand."""
    now = context.now
    data = TournamentPrizesAnswer(
        tournament=context.id,
        several=now.prizes.several,
        final=now.closed,
        prizes=[
            PrizeRow.made_of(prize, players=players, names=context.names_of(players))
            for prize, players in awards(now)
        ],
    )

    def render(voice: Voice) -> Iterator[str]:
        if not data.prizes:
            yield voice.say("tournament.no_prizes")
            return
        yield voice.mark("bold", prizes_title(voice, data))
        yield prize_rule(voice, data)
        yield from headed(voice, *PRIZES.on_screen(voice, data.prizes))

    return answered(lambda: data, render)


def shown_prizes(told: TournamentPrizesAnswer) -> TournamentPrizesAnswer:
    """For paper and for everybody's page: nobody is named before the event is closed."""
    if told.final:
        return told
    listed = [row.model_copy(update={"players": [], "names": []}) for row in told.prizes]
    return told.model_copy(update={"prizes": listed})


def prizes_title(voice: Voice, told: TournamentPrizesAnswer) -> str:
    """Whether they are given, would be as things stand, or can be won."""
    if not any(row.players for row in told.prizes):
        return voice.say("tournament.prizes")
    return voice.say("tournament.prizes_given" if told.final else "tournament.prizes_now")


def prize_rule(voice: Voice, told: TournamentPrizesAnswer) -> str:
    """By which rule they are given, for everybody to read."""
    each = voice.say("tournament.prizes_several" if told.several else "tournament.prizes_one_each")
    return f"{each} {voice.say('tournament.prizes_level')}"


def _winners(row: PrizeRow) -> Value:
    if len(row.names) > 1:
        return said("tournament.prize_shared", names=row.names)
    return row.names[0] if row.names else None


def winners_text(voice: Voice, row: PrizeRow) -> str:
    """The winner, those who share it, or that there is nobody."""
    return written(voice, _winners(row))


PRIZES: Listing[PrizeRow] = Listing(
    {
        "place": Column(lambda row: f"{row.place}."),
        "section": Column(lambda row: row.section),
        "prize": Column(lambda row: row.text),
        "winner": Column(_winners),
    },
    screen=["place", "section?", "prize", "winner?"],
)
"""On paper as on a screen."""


@records(
    "tournament-prizes-set",
    "POST /prizes",
    Tells("prizes_declared"),
    params="answers.requests.tournament:PrizesRequest",
)
def declare(
    context: DeskCall, prizes: Sequence[Prize], *, several: bool = False
) -> Answered[ToldAnswer]:
    """The whole list anew, in the order in which the prizes are given."""
    spelling = section_spelling(context.now)
    tidy = []
    for prize in prizes:
        labels = spelled(spelling, [prize.section] if prize.section else [])
        tidy.append(prize.model_copy(update={"section": "".join(labels)}))
    try:
        event = PrizesDeclared(prizes=tuple(tidy), several=several)
    except ValidationError as error:
        raise Misused("bad_prizes", problem=first_mistake(error, WORDS).phrase) from None
    there = {label for player in context.now.players.values() for label in player.sections}
    empty = dict.fromkeys(p.section for p in tidy if p.section and p.section not in there)
    if empty:
        context.warn("tournament.sections_empty", sections=list(empty))
    count = len(tidy)
    return context.record(
        event, telling=lambda voice: [voice.say("tournament.prizes_declared", count=count)]
    )


def read_prizes(lines: Iterable[str]) -> list[Prize]:
    """``1: 100 €`` for a place in the event, ``1 U14: a game`` for one in a section."""
    found = []
    for line in lines:
        if not line.strip():
            continue
        told = _LINE.fullmatch(line)
        if told is None:
            raise Misused("bad_prize", text=line[:80])
        section = " ".join(told[2].split())
        try:
            found.append(Prize(place=int(told[1]), section=section, text=told[3]))
        except ValidationError:
            raise Misused("bad_prize", text=line[:80]) from None
    return found


def prize_lines(told: TournamentPrizesAnswer) -> list[str]:
    """The same the other way round: what a form shows to be changed."""
    return [f"{f'{row.place} {row.section}'.strip()}: {row.text}" for row in told.prizes]
