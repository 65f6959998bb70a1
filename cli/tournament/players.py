"""``tournament players``: who takes part."""

from __future__ import annotations

from typing import Annotated, cast

import typer

from cli.session import Key
from cli.speech import say
from cli.tournament.counter import Counter, at_the_desk, headed, words
from cli.tournament.plan import read_text
from referee.errors import Misused
from referee.tournament.errors import NotPossible
from referee.tournament.events import (
    ByeRequested,
    CheckedIn,
    Dropped,
    Event,
    Late,
    Registered,
    Returned,
    Unplayed,
)
from referee.tournament.papers.interchange import Entry, read_players

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)

UNPLAYED = {"zero": "zero_bye", "half": "half_bye", "full": "full_bye"}


@app.command()
def add(
    name: Annotated[list[str], typer.Argument()],
    club: Annotated[str, typer.Option("--club")] = "",
    rating: Annotated[int, typer.Option("--rating", min=0, max=9999)] = 0,
    seed: Annotated[int | None, typer.Option("--seed", min=1)] = None,
    fixed_table: Annotated[int | None, typer.Option("--fixed-table", min=1)] = None,
    namesake: Annotated[bool, typer.Option("--namesake")] = False,
    key: Key = None,
) -> int:
    with at_the_desk(key, Registered) as counter:
        given = [Entry(name=one, club=club, rating=rating, seed=seed) for one in name]
        players = [_person(counter, one, set(), new=namesake) for one in given]
        for player in players:
            if player in counter.now.players:
                raise NotPossible("registered_already", player=player)
        events = [
            _registered(player, entry, fixed_table)
            for player, entry in zip(players, given, strict=True)
        ]
        names = ", ".join(counter.name(player) for player in players)
        lines = [say("tournament.registered", count=len(players), names=names)]
        return counter.tell_and_answer(*events, lines=lines)


@app.command(name="import")
def import_players(file: Annotated[str, typer.Argument()], key: Key = None) -> int:
    """Read twice, a list registers nobody twice."""
    with at_the_desk(key, Registered) as counter:
        seen: set[str] = set()
        events: list[Event] = []
        for entry in read_players(read_text(file)):
            player = _person(counter, entry, seen)
            seen.add(player)
            if player not in counter.now.players:
                events.append(_registered(player, entry))
        if not events:
            return counter.told([say("tournament.nobody_new")])
        lines = [say("tournament.imported", count=len(events), file=file)]
        return counter.tell_and_answer(*events, lines=lines)


def _person(counter: Counter, entry: Entry, taken: set[str], *, new: bool = False) -> str:
    """The pseudonym of a name; namesakes in one list are different people."""
    known = [p for p in counter.here.people.find(entry.name) if p not in taken]
    return known[0] if known and not new else counter.here.people.add(entry.name)


def _registered(player: str, entry: Entry, fixed_table: int | None = None) -> Registered:
    return Registered(
        player=player,
        club=entry.club,
        rating=entry.rating,
        seed=entry.seed,
        fixed_table=fixed_table,
    )


@app.command()
def checkin(
    name: Annotated[list[str] | None, typer.Argument()] = None,
    everybody: Annotated[bool, typer.Option("--all")] = False,
    key: Key = None,
) -> int:
    with at_the_desk(key, CheckedIn) as counter:
        expected = [p.id for p in counter.now.players.values() if p.status == "registered"]
        players = expected if everybody else [counter.player(one) for one in name or []]
        if everybody and not players:
            present = sum(player.came for player in counter.now.players.values())
            return counter.told([say("tournament.everybody_here", count=present)])
        if not players:
            raise Misused("which_players")
        lines = [say("tournament.checked_in", count=len(players))]
        events = [CheckedIn(player=player) for player in players]
        return counter.tell_and_answer(*events, lines=lines)


Counts = Annotated[str, typer.Option("--counts")]


def _counts(word: str) -> Unplayed:
    if word not in UNPLAYED:
        raise Misused("what_counts", word=word, words=tuple(UNPLAYED))
    return cast(Unplayed, UNPLAYED[word])


@app.command()
def late(name: Annotated[str, typer.Argument()], counts: Counts = "zero", key: Key = None) -> int:
    with at_the_desk(key, Registered, Late) as counter:
        known = [p for p in counter.here.people.find(name) if p in counter.now.players]
        player = known[0] if known else counter.here.person(name)
        events: list[Event] = []
        if player not in counter.now.players:
            events.append(Registered(player=player))
        events.append(Late(player=player, missed=_counts(counts)))
        lines = [say("tournament.late", name=counter.name(player))]
        return counter.tell_and_answer(*events, lines=lines)


@app.command()
def drop(
    name: Annotated[str, typer.Argument()],
    reason: Annotated[str, typer.Option("-m", "--reason")] = "",
    key: Key = None,
) -> int:
    with at_the_desk(key, Dropped) as counter:
        player = counter.player(name)
        lines = [say("tournament.dropped", name=counter.name(player))]
        return counter.tell_and_answer(Dropped(player=player, reason=reason), lines=lines)


@app.command(name="return")
def return_player(
    name: Annotated[str, typer.Argument()], counts: Counts = "zero", key: Key = None
) -> int:
    with at_the_desk(key, Returned) as counter:
        player = counter.player(name)
        lines = [say("tournament.returned", name=counter.name(player))]
        event = Returned(player=player, missed=_counts(counts))
        return counter.tell_and_answer(event, lines=lines)


@app.command()
def bye(
    name: Annotated[str, typer.Argument()],
    round: Annotated[int, typer.Argument(min=1)],
    counts: Counts = "half",
    key: Key = None,
) -> int:
    with at_the_desk(key, ByeRequested) as counter:
        player = counter.player(name)
        lines = [say("tournament.bye_asked", name=counter.name(player), round=round)]
        event = ByeRequested(player=player, round=round, counts=_counts(counts))
        return counter.tell_and_answer(event, lines=lines)


@app.command(name="list")
def list_players() -> int:
    with at_the_desk() as counter:
        players = list(counter.now.players.values())
        rows = [
            (
                str(player.number),
                counter.name(player.id),
                player.club or "–",
                str(player.rating or "–"),
                words(f"term.{player.status}"),
            )
            for player in players
        ]
        data = {
            "tournament": counter.id,
            "players": [
                {
                    "player": player.id,
                    "number": player.number,
                    "name": counter.name(player.id),
                    "club": player.club,
                    "rating": player.rating,
                    "status": player.status,
                }
                for player in players
            ],
        }
        head = tuple(
            say(f"tournament.head_{key}") for key in ("no", "name", "club", "rating", "is")
        )
        lines = headed(counter.here, head, rows) if rows else [say("tournament.nobody")]
        return counter.here.answer_plain("tournament-players", data, lines)
