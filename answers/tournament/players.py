"""Registration, check-in, byes and late entries of players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Annotated, Literal

from annotated_types import MaxLen
from pydantic import ConfigDict, Field, ValidatorFunctionWrapHandler, field_validator

from answers.answer import Answered, Data
from answers.declaration import takes_any_of
from answers.i18n import Voice
from answers.limits import ClubName, EventId, FixedTable, Name, Names, NewName, Rating
from answers.permissions import EVERYBODY, Tells
from answers.tournament.context import DeskCall, RepeatedCall, ToldAnswer, reads, records
from answers.tournament.i18n import answered, headed, points, said
from answers.tournament.listing import Column, Listing, fields
from answers.tournament.teams import listed_teams, member_called
from engines.kernel.messages.catalogue import normalize
from referee.errors import Conflicting, Misused, NotFound
from referee.record.entries import PLAYER, Remark
from referee.store.sidecars.people import PersonDetails, listed_name
from referee.tournament import events
from referee.tournament.errors import NotPossible
from referee.tournament.interchange.json_csv import PlayerList, PlayerRow
from referee.tournament.ranking.standings import RankedRow, Standings, standings
from referee.tournament.state import Player, Tournament
from referee.tournament.values import (
    RoundNumber,
    SectionLabel,
    TableNumber,
    Unplayed,
    section_labels,
)

DETAILS = {
    name: limit.max_length
    for name, field in PersonDetails.model_fields.items()
    for limit in field.metadata
    if isinstance(limit, MaxLen)
}
"""What is asked of a person besides the name, and how many letters it has at most."""
SEEDS_CHANGED = "seeds"
"""Why a pairing was withdrawn, where the seeds have changed."""


class _PlayerData(Data):
    player: str
    number: int
    name: str
    club: str
    rating: int
    seed: int | None
    fixed_table: int | None


class TournamentPlayerAnswer(PersonDetails, _PlayerData):
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    sections: list[str]
    paid: bool | None
    """Whether the fee is paid; told to organisers alone."""
    status: Literal["registered", "present", "dropped"]
    here_for: list[int]
    """The rounds for which the player was checked in by name."""

    @field_validator(*PersonDetails.model_fields, mode="wrap")
    @classmethod
    def _as_kept(cls, value: str, check: ValidatorFunctionWrapHandler) -> str:
        """Limits are for what is asked; what was kept before there were any is answered."""
        return value

    @property
    def listed(self) -> str:
        """The name in a list by last names."""
        return listed_name(self.name, self.last_name)


class TournamentPlayersAnswer(Data):
    tournament: str
    players: list[TournamentPlayerAnswer]
    paid: int | None
    """How many have paid the fee; told to organisers alone."""


@records(
    "tournament-register",
    "POST /players",
    Tells("player_registered"),
    rename={"entries": "players"},
)
def register(
    context: DeskCall,
    entries: Annotated[Sequence[PlayerRow], Field(min_length=1, max_length=2000)],
    *,
    fixed_table: TableNumber | None = None,
    namesake: bool = False,
) -> Answered[ToldAnswer]:
    """New players; ``namesake``: somebody else of a name that is known already."""
    players: list[str] = []
    for entry in entries:
        player = _person(context, entry, set(), new=namesake)
        if player in context.now.players or player in players:
            raise NotPossible("registered_already", player=context.name(player))
        _warn_of_alike(context, entry.name)
        _describe_listed(context, player, entry)
        players.append(player)
    spelling = section_spelling(context.now)
    to_record = [
        _registered(player, entry, spelling, fixed_table)
        for player, entry in zip(players, entries, strict=True)
    ]
    names = ", ".join(context.name(player) for player in players)
    count = len(players)
    return context.record(
        *to_record,
        telling=lambda voice: [voice.say("tournament.registered", count=count, names=names)],
    )


@records(
    "tournament-register-list",
    "POST /players/list",
    Tells("player_registered"),
    params="answers.requests.tournament:PlayerListRequest",
    rename={"listed": "*", "entries": "players"},
)
def register_list(context: DeskCall, listed: PlayerList, source: str) -> Answered[ToldAnswer]:
    """A list of players; read twice, it registers nobody twice. Whoever is known gets the details
    and the sections of the list."""
    if listed.unread:
        context.warn("tournament.columns_unread", columns=listed.unread)
    seen: set[str] = set()
    to_record: list[events.Event] = []
    edited: list[events.Event] = []
    spelling = section_spelling(context.now)
    of_teams = [entry for entry in listed.entries if entry.team and context.now.plan.boards]
    if not of_teams and any(entry.team for entry in listed.entries):
        context.warn("tournament.columns_unread", columns=["team"])
    for event in listed_teams(context, of_teams, partial(_describe_listed, context)):
        (to_record if isinstance(event, events.Registered) else edited).append(event)
    rosters = [context.name(event.player) for event in edited if isinstance(event, events.TeamSet)]
    for entry in (row for row in listed.entries if row not in of_teams):
        player = _person(context, entry, seen)
        seen.add(player)
        _describe_listed(context, player, entry)
        sections = spelled(spelling, entry.sections)
        if player not in context.now.players:
            to_record.append(_registered(player, entry, spelling))
        elif sections and sections != context.now.players[player].sections:
            edited.append(events.PlayerEdited(player=player, sections=sections))
    count, changed = len(to_record), len(edited) - len(rosters)

    def render(voice: Voice) -> Iterator[str]:
        if count:
            yield voice.say("tournament.imported", count=count, file=source)
        else:
            yield voice.say("tournament.nobody_new")
        if rosters:
            yield voice.say("tournament.teams_imported", teams=rosters)
        if changed:
            yield voice.say("tournament.sections_changed", count=changed)

    if not to_record and not edited:
        return context.recorded_answer(render)
    return context.record(*to_record, *edited, telling=render)


@records("tournament-qualify", "POST /players/qualified", Tells("player_registered"))
def qualify(
    context: DeskCall,
    event: EventId,
    top: Annotated[int, Field(ge=1, le=events.MOST_PLAYERS)],
    *,
    carry: bool = False,
) -> Answered[ToldAnswer]:
    """The first players of an earlier event go on here: of the first day, or of a flight.

    Their places are their seeds, so that the flights of one final take turns. Whoever withdrew is
    left out and the next one goes on. ``carry``: they keep their points.
    """
    source = context.from_event(event)
    now, here = source.now, context.now
    if now.round_on is not None:
        raise Conflicting("qualify_too_early", event=now.name, round=now.round_on.number)
    ranking = standings(now)
    rows = [row for row in ranking.rows if now.player(row.player).status != "dropped"]
    chosen, rest = rows[:top], rows[top:]
    if not chosen:
        raise Conflicting("nobody_qualifies", event=now.name)
    if rest and _level(chosen[-1], rest[0]):
        level = [row.player for row in rows if _level(row, rest[0])]
        raise Conflicting("qualify_tie", top=top, players=source.names_of(level))
    spelling = section_spelling(here)
    to_record = list[events.Event]()
    for place, row in enumerate(chosen, 1):
        known = now.players[row.player]
        if known.id in here.players:
            raise NotPossible("registered_already", player=context.name(known.id))
        points = _points_of(ranking, row) if carry else Fraction(0)
        to_record.append(
            events.Registered(
                player=known.id, club=known.club, rating=known.rating, seed=place,
                fixed_table=known.fixed_table, sections=spelled(spelling, known.sections),
                qualified=events.Qualified(
                    tournament=source.id, place=place, carried=max(0, round(2 * points))
                ),
            )
        )  # fmt: skip
        if known.id in now.teams and here.plan.boards:
            roster = now.teams[known.id]
            to_record.append(
                events.TeamSet(
                    player=known.id, members=roster.members, captain=roster.captain,
                    away=roster.away,
                )
            )  # fmt: skip
    names = source.names_of(row.player for row in chosen)
    return context.record(
        *to_record,
        telling=lambda voice: [
            voice.say("tournament.qualified", count=len(names), event=now.name, names=names)
        ],
    )


def _points_of(ranking: Standings, row: RankedRow) -> Fraction:
    if "PTS" not in ranking.columns:
        raise Conflicting("no_points_to_carry")
    return row.values[ranking.columns.index("PTS")]


def _level(one: RankedRow, other: RankedRow) -> bool:
    return (one.rank, one.final) == (other.rank, other.final)


def section_spelling(now: Tournament) -> dict[str, str]:
    """Every section by its letters alone: one that is known is written as it was first."""
    return {normalize(label): label for label in now.sections}


def spelled(known: dict[str, str], labels: Iterable[str]) -> tuple[str, ...]:
    """Sections as they are known here; new ones are known from now on."""
    return tuple(dict.fromkeys(known.setdefault(normalize(label), label) for label in labels))


def describe(context: DeskCall, player: str, details: Mapping[str, str]) -> None:
    """Keep what lists say of a person beside the name, where it can be erased with it."""
    people = context.caller.store_context.people
    kept = {name: " ".join(value.split()) for name, value in details.items()}
    kept |= {name: kept[name].upper() for name in ("title", "federation") if name in kept}
    name, last = people.name(player) or "", kept.get("last_name", "")
    if last and listed_name(name, last) == name != last:
        raise Misused("last_name_elsewhere", name=name, last=last)
    people.describe(player, **PersonDetails(**kept).model_dump(include={*kept}))


def _describe_listed(context: DeskCall, player: str, entry: PlayerRow) -> None:
    """The same of a line of a list."""
    describe(context, player, _of_that_name(context, player, entry.details))


def _of_that_name(context: DeskCall, player: str, details: dict[str, str]) -> dict[str, str]:
    """What is told of somebody; a person whom we know under another spelling keeps it."""
    known = context.caller.store_context.people.name(player) or ""
    if listed_name(known, details.get("last_name", "")) == known:
        details.pop("last_name", None)
    return details


def _warn_of_alike(context: DeskCall, name: str) -> None:
    """A new name that may well be that of somebody who is on the list."""
    alike = [player for player in context.players_called(name) if not name.isdecimal()]
    if alike:
        context.warn("tournament.alike", name=name, names=context.names_of(alike))


def _person(context: DeskCall, entry: PlayerRow, taken: set[str], *, new: bool = False) -> str:
    """The pseudonym of a name; namesakes in one list are different people."""
    known = [person for person in context.find(entry.name) if person not in taken]
    return known[0] if known and not new else context.add(entry.name)


def _registered(
    player: str, entry: PlayerRow, spelling: dict[str, str], fixed_table: int | None = None
) -> events.Registered:
    return events.Registered(
        player=player,
        club=entry.club,
        rating=entry.rating,
        seed=entry.seed,
        fixed_table=fixed_table,
        sections=spelled(spelling, entry.sections),
    )


@records("tournament-check-in", "POST /players/check-in", Tells("player_checked_in"))
def check_in(
    context: DeskCall, names: Names = (), *, everybody: bool = False
) -> Answered[ToldAnswer]:
    """These players are here, or everybody who was expected."""
    expected = [p.id for p in context.now.players.values() if p.status == "registered"]
    players = expected if everybody else [context.player(name) for name in names]
    if everybody and not players:
        present = sum(player.came for player in context.now.players.values())
        return context.recorded_answer(
            lambda voice: [voice.say("tournament.everybody_here", count=present)]
        )
    if not players:
        raise Misused("which_players")
    count = len(players)
    return context.record(
        *(events.CheckedIn(player=player) for player in players),
        telling=lambda voice: [voice.say("tournament.checked_in", count=count)],
    )


@records("tournament-round-check-in", "POST /round/check-in", Tells("round_checked_in"))
def check_in_for_round(context: DeskCall, round: RoundNumber, names: Names) -> Answered[ToldAnswer]:
    """Who has come for a round: nobody else is paired for it. Said again, it adds to the list."""
    if not names:
        raise Misused("which_players")
    players = tuple(context.player(name) for name in names)
    context.tell(events.RoundCheckedIn(round=round, players=players))
    now = context.now
    count = len(now.checked_in[round])
    expected = sum(player.status == "present" for player in now.players.values())
    return context.recorded_answer(
        lambda voice: [
            voice.say("tournament.here_for_round", round=round, count=count, expected=expected)
        ]
    )


@records("tournament-late", "POST /players/late", Tells("player_late"))
def come_late(
    context: DeskCall, name: NewName, missed: Unplayed = "zero_bye", *, new: bool = False
) -> Answered[ToldAnswer]:
    """Somebody comes after the first round; ``missed`` is what the rounds before count.

    ``new``: somebody who was not registered.
    """
    to_record: list[events.Event] = []
    if new:
        player = _person(context, PlayerRow(name=name), set())
        if player in context.now.players:
            raise NotPossible("registered_already", player=player)
        _warn_of_alike(context, name)
        to_record.append(events.Registered(player=player))
    else:
        if not context.players_called(name):
            raise NotFound("late_and_unknown", player=name)
        player = context.player(name)
    to_record.append(events.Late(player=player, missed=missed))
    return context.record(*to_record)


@records("tournament-edit", "POST /players/edit", Tells("player_edited"))
@takes_any_of(PersonDetails, before="sections")
def edit(
    context: DeskCall,
    /,
    name: Name,
    *,
    club: ClubName | None = None,
    rating: Rating | None = None,
    seed: Rating | None = None,
    fixed_table: FixedTable | None = None,
    sections: Annotated[
        Sequence[SectionLabel] | None, Field(max_length=events.MOST_SECTIONS_EACH)
    ] = None,
    **details: str | None,
) -> Answered[ToldAnswer]:
    """Other data of a player; a rating, seed or table of 0 is none, and so is an empty section.

    ``details`` are kept beside the name, not recorded.
    """
    player = context.player(name)
    changed = {detail: value for detail, value in details.items() if value is not None}
    describe(context, player, changed)

    def render(voice: Voice) -> list[str]:
        return [_data_of(voice, context, context.now.players[player])]

    if changed and {club, rating, seed, fixed_table} == {None} and sections is None:
        return context.recorded_answer(render)
    event = events.PlayerEdited(
        player=player,
        club=club,
        rating=rating,
        seed=seed,
        fixed_table=fixed_table,
        sections=None
        if sections is None
        else spelled(section_spelling(context.now), section_labels(sections)),
    )
    return context.record(event, telling=render)


def _data_of(voice: Voice, context: DeskCall, player: Player) -> str:
    data = {
        "club": player.club,
        "rating": player.rating,
        "seed": player.seed,
        "table": player.fixed_table,
    }
    details = context.caller.store_context.people.details([player.id]).get(player.id)
    data |= {name: value for name, value in details or () if value}
    if context.author.role != "organiser":
        data.pop("licence", None)
    data |= {"sections": ", ".join(player.sections)} if player.sections else {}
    data |= {"carried": points(voice, player.carried)} if player.carried else {}
    parts = [
        voice.labelled(voice.say(f"tournament.head_{key}"), str(value or "–"))
        for key, value in data.items()
    ]
    return voice.labelled(f"{player.number} {context.name(player.id)}", " · ".join(parts))


@records("tournament-seed", "POST /players/seed", Tells("player_edited"))
def seed(
    context: DeskCall, name: Name, to: Annotated[int, Field(ge=1, le=events.MOST_PLAYERS)]
) -> Answered[ToldAnswer]:
    """Move a player to a place in the order of seeds; the others move up or down.

    Until the first round starts. One that is paired is withdrawn, to be paired anew.
    """
    now, player = context.now, context.player(name)
    if any(round.started for round in now.rounds):
        raise Conflicting("seeds_are_played")
    there = (each for each in now.players.values() if each.status != "dropped")
    order = [each.id for each in sorted(there, key=lambda each: each.seeding_key)]
    if player not in order or to > len(order):
        raise Conflicting("no_such_seed", to=to, count=len(order), name=context.name(player))
    order.remove(player)
    order.insert(to - 1, player)
    if now.rounds:
        context.warn("tournament.pair_anew", round=1)
    return context.record(
        *(events.PairingWithdrawn(round=1, reason=SEEDS_CHANGED) for _ in now.rounds),
        *(
            events.PlayerEdited(player=each, seed=at)
            for at, each in enumerate(order, 1)
            if now.players[each].seed != at or each == player
        ),
        telling=lambda voice: [voice.say("tournament.seeded", name=context.name(player), to=to)],
    )


@records("tournament-fee", "POST /players/fee", Tells("fee_marked"))
def mark_fee(
    context: DeskCall,
    names: Annotated[Sequence[Name], Field(min_length=1, max_length=events.MOST_PLAYERS)],
    *,
    paid: bool = True,
) -> Answered[ToldAnswer]:
    """These players have paid the fee, or have not after all; only organisers read it."""
    players = dict.fromkeys(context.player(name) for name in names)
    if not players:
        raise Misused("which_players")
    context.tell(*(events.FeeMarked(player=player, paid=paid) for player in players))
    listed = context.now.players.values()
    count = sum(player.paid for player in listed)
    return context.recorded_answer(
        lambda voice: [voice.say("tournament.fees", count=count, players=len(listed))]
    )


@records("tournament-unregister", "POST /players/unregister", Tells("player_unregistered"))
def unregister(context: DeskCall, name: Name, *, reason: Remark = "") -> Answered[ToldAnswer]:
    """Somebody who has had no place in any round was never on the list."""
    waiting = [] if context.players_called(name) else waiting_called(context, name)
    player = waiting[0] if len(waiting) == 1 else context.player(name)
    called = context.name(player)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("tournament.unregistered", name=called)
        yield from moved_up_lines(voice, context)

    answer = context.record(events.PlayerUnregistered(player=player, reason=reason), telling=render)
    if not isinstance(context, RepeatedCall):
        _sign_out(context, player)
    return answer


def _sign_out(context: DeskCall, player: str) -> None:
    """Whoever is not on the list any more looks on with the rest: their phones are signed out."""
    access = context.caller.store_context.access
    for token in access.of_person(player):
        if (token.role, token.scope) == (PLAYER, context.id):
            access.revoke(token.id)


def waiting_called(context: DeskCall, text: str) -> list[str]:
    """Everybody on the waiting list who may be meant."""
    listed = [waiting.player for waiting in context.now.waiting_list]
    if text in listed:
        return [text]
    names = {player: normalize(context.name(player)) for player in listed}
    asked = normalize(text)
    whole = [player for player, name in names.items() if name == asked]
    return whole or [player for player, name in names.items() if name.startswith(asked)]


def moved_up_lines(voice: Voice, context: DeskCall) -> Iterator[str]:
    """Who has got a place of the waiting list by what was just told."""
    for one in context.desk.known(context.id, context.telling):
        if isinstance(one.event, events.MovedUp):
            yield voice.say("registration.moved_up", name=context.name(one.event.player))


@records("tournament-merge", "POST /players/merge", Tells("players_merged"))
def merge(context: DeskCall, name: Name, other: Name, reason: Remark) -> Answered[ToldAnswer]:
    """Two entries are one person: all that ``other`` did was done by the first. Two teams, two
    people of one team."""
    if context.players_called(name) and context.players_called(other):
        player, merged = context.player(name), context.player(other)
    else:
        player, merged = (member_called(context, text) for text in (name, other))
    event = events.PlayersMerged(player=player, merged=merged, reason=reason, completes=True)
    told = context.sentence(event)

    def render(voice: Voice) -> Iterator[str]:
        yield from told(voice)
        if player in context.now.players:
            yield _data_of(voice, context, context.now.players[player])

    answer = context.record(event, telling=render)
    if not isinstance(context, RepeatedCall):
        _describe_merged(context, player, merged)
    return answer


def _describe_merged(context: DeskCall, player: str, merged: str) -> None:
    """What lists say of somebody, and their picture: what the first lacks the other has."""
    people = context.caller.store_context.people
    known = people.details((player, merged))
    first, other = (known.get(each, PersonDetails()) for each in (player, merged))
    lacking = {detail: value for detail, value in other if not getattr(first, detail)}
    people.describe(player, **_of_that_name(context, player, lacking))
    if people.face(player) is None and (face := people.face(merged)) is not None:
        people.show(player, face)


@records("tournament-drop", "POST /players/drop", Tells("player_dropped"))
def drop(context: DeskCall, name: Name, *, reason: Remark = "") -> Answered[ToldAnswer]:
    """A player leaves the tournament; what was played counts."""
    player = context.player(name)
    for round in context.now.open_rounds:
        table = round.draw.table_of.get(player)
        if table is not None and round.result(table.number) is None:
            message = "tournament.left_a_table" if round.started else "tournament.left_a_pairing"
            context.warn(
                message,
                name=context.name(player),
                table=table.number,
                round=round.number,
                seat=events.seat_letter(table.seats.index(player)),
            )
    finals = context.now.finals
    if finals is not None and player in finals.players:
        context.warn("tournament.left_the_finals", name=context.name(player))

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("tournament.dropped", name=context.name(player))
        yield from moved_up_lines(voice, context)

    return context.record(events.Dropped(player=player, reason=reason), telling=render)


@records("tournament-return", "POST /players/return", Tells("player_returned"))
def come_back(context: DeskCall, name: Name, missed: Unplayed = "zero_bye") -> Answered[ToldAnswer]:
    """A player who had left plays again, from the next round on."""
    return context.record(events.Returned(player=context.player(name), missed=missed))


@records("tournament-bye", "POST /players/bye", Tells("bye_requested"))
def ask_bye(
    context: DeskCall, name: Name, round: RoundNumber, counts: Unplayed = "half_bye"
) -> Answered[ToldAnswer]:
    """A player will not play in a round."""
    return context.record(
        events.ByeRequested(player=context.player(name), round=round, counts=counts)
    )


@records("tournament-byes", "POST /players/byes", Tells("bye_requested"))
def ask_byes(
    context: DeskCall,
    names: Annotated[Sequence[Name], Field(min_length=1, max_length=events.MOST_PLAYERS)],
    rounds: RoundNumber = 1,
    counts: Unplayed = "full_bye",
) -> Answered[ToldAnswer]:
    """These players begin later: they do not play the first rounds."""
    if context.now.knockout_rules("main") is not None:
        raise Conflicting("byes_in_a_bracket")
    if rounds >= context.now.plan.rounds:
        raise Conflicting("byes_of_all_rounds", rounds=rounds, planned=context.now.plan.rounds)
    players = dict.fromkeys(context.player(name) for name in names)
    asked = [
        events.ByeRequested(player=player, round=number, counts=counts)
        for player in players
        for number in range(1, rounds + 1)
    ]
    listed = context.names_of(players)
    return context.record(
        *asked,
        telling=lambda voice: [voice.say("tournament.begin_later", names=listed, round=rounds + 1)],
    )


@reads("tournament-players", "GET /players", EVERYBODY)
def players(context: DeskCall) -> Answered[TournamentPlayersAnswer]:
    """The players by number, and whether they are there."""
    now, is_organiser = context.now, context.author.role == "organiser"
    rows = player_rows(now, context.name, context.details, private=is_organiser)
    paid = sum(player.paid for player in now.players.values()) if is_organiser else None

    def render(voice: Voice) -> list[str]:
        if not rows:
            return [voice.say("tournament.nobody")]
        return headed(voice, *PLAYERS.on_screen(voice, rows))

    return answered(
        lambda: TournamentPlayersAnswer(tournament=context.id, players=rows, paid=paid), render
    )


def player_rows(
    now: Tournament,
    name: Callable[[str], str],
    details: Mapping[str, PersonDetails],
    *,
    private: bool,
) -> list[TournamentPlayerAnswer]:
    """Everybody who plays; ``private``: with what only organisers read."""
    return [
        TournamentPlayerAnswer.made_of(
            player,
            **dict(details.get(player.id, PersonDetails())) | ({} if private else {"licence": ""}),
            player=player.id,
            name=name(player.id),
            paid=player.paid if private else None,
            here_for=[
                number for number, here in sorted(now.checked_in.items()) if player.id in here
            ],
        )
        for player in now.players.values()
    ]


PLAYERS: Listing[TournamentPlayerAnswer] = Listing(
    {
        **fields("number", "name", "club", "rating", "seed", "status", *PersonDetails.model_fields),
        "no": Column(lambda row: row.number),
        "rated": Column(lambda row: row.rating or None, "tournament.head_rating"),
        "is": Column(lambda row: said(f"term.{row.status}")),
        "sections": Column(lambda row: ", ".join(row.sections)),
        "paid": Column(lambda row: said("tournament.paid") if row.paid else None),
    },
    screen=["no", "name", "club", "rated", "is", "sections?", "paid?"],
    paper=["no", "name", "title?", "federation?", "club?", "rated?", "sections?"],
    csv=[
        *("number", "name", "club", "rating", "seed", "status"),
        *(*PersonDetails.model_fields, "sections"),
    ],
)


def players_csv(
    now: Tournament,
    names: Mapping[str, str],
    details: Mapping[str, PersonDetails],
    *,
    raw: bool = False,
) -> str:
    rows = player_rows(now, lambda player: names.get(player, player), details, private=True)
    return PLAYERS.as_csv(rows, raw=raw)
