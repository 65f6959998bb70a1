"""Request context: who calls, on which store, what they may see, in which language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from answers.i18n import Voice
from engines.kernel.messages.catalogue import normalize
from referee.record.entries import ONLOOKERS, TABLE_DEVICE
from referee.secrecy.query_guard import keeps_secrets, needs_everything
from referee.secrecy.redaction import EVERYTHING, seen, view_for, viewer_of
from referee.store import open_store, urls
from referee.store.sidecars.access import in_force
from referee.table.author import SCRIBE, Author, By
from referee.table.bench import Bench
from referee.table.play import Heard, heard_by

if TYPE_CHECKING:
    from engines.kernel.dialogue.interpreter import LineInterpreter
    from referee.record.game import Game
    from referee.season.office import SeasonOffice
    from referee.store.envelopes import StoreError
    from referee.store.event_store import Store
    from referee.store.sidecars.access import Access, PolicyInForce
    from referee.store.sidecars.attachments import Attachments
    from referee.store.sidecars.boxes import Boxes
    from referee.store.sidecars.people import People
    from referee.store.sidecars.webhooks import Webhooks
    from referee.tournament.desk import Desk, LoadedTournament


P = ParamSpec("P")
R = TypeVar("R")


class StoreContext:
    """Store context: one store with its bench, tournament desk, people, tokens, boxes and
    attachments.

    Only the store is opened at once; the sidecar files are opened when first used, so that whoever
    only reads a game creates none of them.
    """

    def __init__(
        self, store: Store, bench: Bench | None = None, whole: StoreContext | None = None
    ) -> None:
        """``whole``: the context of the program, whose caches that of one request shares."""
        self.store = store
        self.bench = bench or Bench(store, snapshots=True)
        self._whole = whole

    @cached_property
    def desk(self) -> Desk:
        from referee.tournament.desk import Desk

        return Desk(self.bench) if self._whole is None else self._whole.desk.on(self.bench)

    @cached_property
    def seasons(self) -> SeasonOffice:
        from referee.season.office import SeasonOffice

        return SeasonOffice(self.desk) if self._whole is None else self._whole.seasons.on(self.desk)

    @cached_property
    def people(self) -> People:
        return urls.open_people(self.store.url, if_readable=True)

    @property
    def names_lost(self) -> StoreError | None:
        """Why pseudonyms are shown, where the names cannot be read."""
        return self.people.problem if "people" in self.__dict__ else None

    @cached_property
    def access(self) -> Access:
        return urls.open_access(self.store.url)

    @property
    def has_access(self) -> bool:
        """Whether the store has tokens: asked without creating the sidecar file."""
        return "access" in self.__dict__ or urls.has_access(self.store.url)

    @cached_property
    def boxes(self) -> Boxes:
        return urls.open_boxes(self.store.url)

    @property
    def has_boxes(self) -> bool:
        """Whether the store has boxes of the club: asked without creating the sidecar file."""
        return "boxes" in self.__dict__ or urls.has_boxes(self.store.url)

    @cached_property
    def attachments(self) -> Attachments:
        from referee.archive.named_photos import photos_of

        return photos_of(self.store)

    @property
    def has_attachments(self) -> bool:
        """Whether the store has attachments: asked without creating the sidecar file."""
        return "attachments" in self.__dict__ or urls.has_attachments(self.store.url)

    @cached_property
    def webhooks(self) -> Webhooks:
        return urls.open_webhooks(self.store.url)

    @property
    def has_webhooks(self) -> bool:
        """Whether any address is told of events: asked without creating the sidecar file."""
        return "webhooks" in self.__dict__ or urls.has_webhooks(self.store.url)

    def close(self) -> None:
        """Close the store, and of its sidecars those that were opened."""
        for name in ("people", "access", "boxes", "attachments", "webhooks"):
            if name in self.__dict__:
                self.__dict__[name].close()
        self.store.close()

    def expecting(self, stream: str, version: int | None, key: str | None = None) -> StoreContext:
        """Context for one request, with an expected version if the client names one.

        Optimistic concurrency (HTTP ``If-Match``): the first append to the stream must follow the
        version the client has seen. The request looks once for what others have written.
        """
        from referee.store.expected_version import ExpectedVersionStore

        store = ExpectedVersionStore(self.store, stream, version, key)
        store_context = StoreContext(store, self.bench.on(store), self)
        store_context.__dict__.update(people=self.people, access=self.access)
        for name in ("boxes", "attachments", "webhooks"):
            if name in self.__dict__:
                store_context.__dict__[name] = self.__dict__[name]
        return store_context

    @property
    def reached(self) -> int | None:
        """The last entry that the request of this context has written; see ``expecting``."""
        return getattr(self.store, "reached", None)


def open_store_context(url: str, *, create: bool = True) -> StoreContext:
    """Open a store: ``sqlite:///absolute/path.db``, ``memory:``, ``postgresql://…``."""
    return StoreContext(open_store(url, create=create))


def pseudonym(store_context: StoreContext, name: str) -> str:
    """The pseudonym behind a name; a new name gets a new one."""
    found = store_context.people.find(name)
    return found[0] if found else store_context.people.add(name)


def policy_of(store_context: StoreContext, stream: str, place: str) -> PolicyInForce:
    """The access policy in force for a game (``place``: where in a tournament) or a tournament."""
    event, _, _ = place.partition("/")
    above = store_context.access.rules(event) if event else None
    return in_force(store_context.access.rules(stream), above)


def covers(scope: str, stream: str, place: str = "") -> bool:
    """Scope check: whether a scope includes a game (also by its tournament) or a tournament."""
    return scope in ("", stream) or place.startswith(f"{scope}/")


@dataclass(frozen=True)
class Caller:
    """Request context: in whose name, on which store, in which voice an operation is called.

    Redaction is decided here for every front end: ``game`` is the game as this caller may see it;
    ``everything`` is the unredacted one, refused where something is hidden from them.
    """

    store_context: StoreContext
    author: Author = SCRIBE
    voice: Voice = field(default_factory=Voice)
    token: str = ""
    """The id of the token, where there is one."""
    scope: str = ""
    """The one game or tournament that the token is for; empty for the whole store."""
    reaches: Callable[[str, str], bool] = lambda stream, place: True
    """Which games and tournaments appear in the caller's lists (by id and place)."""
    latest: Callable[[Game], Game] = lambda game: game
    """Cuts a game to the latest entry that the caller may see (broadcast delay)."""
    waits: Callable[[str, str], bool] = lambda game, place: False
    """Whether a game (by id and place) is shown to the caller with the broadcast delay."""
    on_tables: frozenset[str] = frozenset()
    """The games on whose table the caller's device lies: they see of these what all may know."""
    key: str | None = None
    """The idempotency key of what they ask for, where it is to be recorded once."""

    @property
    def by(self) -> By:
        """By whom, and with which key, an operation has something recorded."""
        return By(self.author, self.key)

    def keyed(self, key: str | None) -> Caller:
        """The same caller, who asks with this idempotency key."""
        return self if key == self.key else replace(self, key=key)

    def speaks_for(self, stream: str, place: str = "") -> bool:
        """Scope check: whether this game (also by its tournament) or tournament is in scope."""
        return covers(self.scope, stream, place)

    @property
    def bench(self) -> Bench:
        return self.store_context.bench

    def uncached(self) -> Caller:
        """The same caller with a bench that caches no game: a scan of many bypasses the cache."""
        store_context = StoreContext(
            self.store_context.store, Bench(self.store_context.store, at_hand=0)
        )
        store_context.people = self.store_context.people
        return replace(self, store_context=store_context)

    def speaking(self, voice: Voice) -> Caller:
        """The same caller with another localiser."""
        return replace(self, voice=voice)

    def in_store_context(self, store_context: StoreContext) -> Caller:
        """The same caller at another store."""
        return replace(self, store_context=store_context)

    def ask(
        self,
        operation: Callable[Concatenate[Caller, P], R],
        /,
        *said: P.args,
        **options: P.kwargs,
    ) -> R:
        """Call an operation; a remote caller sends it to the service instead."""
        return operation(self, *said, **options)

    # games

    @cached_property
    def viewer(self) -> str | None:
        """As whom the caller is answered about many games at once; see ``Author.viewer``.

        A device on a table where something is hidden shows everybody what it is told: to it such
        an answer is the public's.
        """
        on_tables = (self.bench.game(game) for game in self.on_tables)
        secret = any(keeps_secrets(game, "") for game in on_tables)
        return "" if secret and self.author.viewer is None else self.author.viewer

    def find(self, prefix: str) -> str:
        """The one game whose id begins so."""
        return self.bench.find(prefix)

    def view(self, game: Game, asked: str | None = None) -> str:
        """The viewer whose view this caller gets: as asked, else by role."""
        role = TABLE_DEVICE if game.id in self.on_tables else self.author.role
        if asked is None and role == self.author.role and self.author.viewer is None:
            return EVERYTHING
        return view_for(role, asked, game.setting.seats)

    def game(self, game_id: str, view: str | None = None) -> Game:
        """The game redacted for this caller, or for another viewer whose view they may have."""
        return self.shown(self.whole(game_id), view)

    def whole(self, game_id: str) -> Game:
        """The unredacted game, up to the latest entry that the caller may know of (broadcast
        delay).
        """
        return self.latest(self.bench.game(game_id))

    def in_full(self, game_id: str) -> Game:
        """The same, folded from its first entry instead of a snapshot."""
        return self.latest(self.bench.in_full(game_id))

    def shown(self, game: Game, view: str | None = None) -> Game:
        return seen(game, self.view(game, view))

    def everything(self, game_id: str, what: str, view: str | None = None) -> Game:
        """The unredacted game, or a refusal: for operations that cannot leave anything out."""
        game = self.whole(game_id)
        asked = self.view(game, view)
        needs_everything(game, None if asked == EVERYTHING else viewer_of(asked), what)
        return game

    def heard(self, heard: Heard) -> Heard:
        """The result of logging an action, redacted for this caller."""
        return heard_by(heard, self.view(heard.game))

    def find_stream(self, prefix: str) -> str:
        """The one game whose id begins so; a tournament, if it is called one."""
        if prefix.startswith("tournament-"):
            return self.store_context.desk.find(prefix)
        return self.find(prefix)

    # people

    def person(self, name: str) -> str:
        """The pseudonym behind a name; a new name gets a new one.

        Names are looked up within the caller's scope alone: outside of it, whoever has the same
        name is somebody else.
        """
        found = self.people_called(name)
        return found[0] if found else self.store_context.people.add(name)

    def people_called(self, name: str) -> tuple[str, ...]:
        """Everybody of that name within the caller's scope."""
        found = self.store_context.people.find(name)
        if not self.scope:
            return found
        known = self._people_in_scope()
        return tuple(person for person in found if person in known)

    def _people_in_scope(self) -> set[str]:
        """Everybody who plays, writes or has a token there."""
        let_in = {
            each.person for each in self.store_context.access.passes() if each.scope == self.scope
        }
        if self.scope.startswith("tournament-"):
            now = self.store_context.desk.load(self.scope).now
            return {*now.players, *now.team_of, *let_in}
        game = self.bench.game(self.scope)
        return {*game.seats.values(), *(entry.by for entry in game.entries), *let_in}

    def name(self, person: str) -> str:
        """The name behind a pseudonym, as long as it has not been erased."""
        return self.store_context.people.name(person) or person

    def names_at(self, game: Game) -> dict[str, str]:
        """Who sits where, by name, as far as the names are known."""
        known = {seat: self.store_context.people.name(one) for seat, one in game.seats.items()}
        return {seat: name for seat, name in known.items() if name}

    def said(self, game: Game, line: str) -> list[str]:
        """Split a line into single actions; players may be called by name."""
        return game.engine.notation.split(line, partial(self.players, game))

    def said_now(self, game: Game, lines: Sequence[str]) -> list[list[str]]:
        """The actions of each line, with shorthand for what lies on the table expanded.

        Only for who keeps the record and sees the whole table: the expansion depends on it, and
        would leak it.
        """
        if game.partial or self.author.seat is not None or self.author.role in ONLOOKERS:
            return [self.said(game, line) for line in lines]
        return self.saying(game).said(lines, partial(self.players, game))

    def waits_for_nothing(self, tournament: str) -> bool:
        """Whether the caller keeps this tournament, and is told all of it at once."""
        keeps = self.author.role in ("organiser", "judge", "scribe")
        return keeps and self.speaks_for(tournament)

    def held_back(self, hosted: LoadedTournament) -> frozenset[int]:
        """The events of a tournament that the caller waits for: point penalties of others, and
        results that the boards do not show yet, are told as late as what happens at the tables."""
        from referee.tournament.held_back import untold_round, young_penalties, young_results

        if self.waits_for_nothing(hosted.id):
            return frozenset()
        rules = policy_of(self.store_context, hosted.id, "")
        young: frozenset[int] = frozenset()
        if rules.delays:
            young = young_penalties(hosted, rules, self.author.person)
        round = untold_round(hosted.now) if self.store_context.access.delayed() else None
        if round is None:
            return young
        delayed: dict[int, dict[str, PolicyInForce]] = {}
        for (number, table), games in self.store_context.desk.games(hosted.id).items():
            place = f"{hosted.id}/r{number}/t{table}"
            for game in games if number == round.number else ():
                if self.waits(game, place):
                    late = policy_of(self.store_context, game, place)
                    delayed.setdefault(table, {})[game] = late
        return young | young_results(hosted, round, delayed, self.bench.game, self.whole)

    def seen(self, hosted: LoadedTournament) -> LoadedTournament:
        """A tournament as the caller may see it by now."""
        from referee.tournament.held_back import without

        held_back = self.held_back(hosted)
        return without(hosted, held_back) if held_back else hosted

    def saying(self, game: Game) -> LineInterpreter:
        """The interpreter for lines at the current position."""
        from engines.kernel.dialogue.interpreter import LineInterpreter

        return LineInterpreter(game.engine, game.setting, game.state, self.voice.lang)

    def players(self, game: Game) -> dict[str, str]:
        """Seats by full name and by first name, where the name is unambiguous."""
        found: dict[str, set[str]] = {}
        for seat, person in game.seats.items():
            name = normalize(self.name(person))
            for called in {name, *name.split()[:1]}:
                found.setdefault(called, set()).add(seat)
        return {called: seat for called, (seat, *others) in found.items() if not others}
