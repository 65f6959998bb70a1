"""Authentication and authorisation: who a token says is asking, and what they may ask.

Roles are granted by the declarations of the operations, scopes by tokens; a table has rules of
its own (open to whom, whether seats log). What is not granted is refused. No web framework.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from answers.admin.access import seat_has_device
from answers.context import Caller, StoreContext, covers, policy_of, pseudonym
from answers.declaration import Operation, Resource
from answers.i18n import Voice
from answers.operations import resource
from referee.archive.record_files import RECORD_ID
from referee.errors import NotAllowed, NotFound
from referee.record.entries import ONLOOKERS, PLAYER, SPECTATOR, TABLE_DEVICE, role_of, seat_of
from referee.record.game import Game
from referee.store.sidecars.access import AccessToken
from referee.table.author import Author
from service.broadcast_delay import BroadcastDelay
from service.problems import HttpRefusal

NOWHERE = "nowhere"
"""The scope of a principal without a token: only what is open to everybody."""
IMPERSONABLE_ROLES = ("organiser", "judge", "scribe", PLAYER)
OF_ONE_ENTRY = ("options", "log")
"""What a seat asks on the device on the table: nothing that shows more than one entry needs."""


@dataclass(frozen=True)
class Principal:
    """Who makes a request: the bearer of a token, or an anonymous visitor."""

    id: str
    role: str = SPECTATOR
    scope: str = NOWHERE
    person: str = "anonymous"
    expires: str | None = None
    on_tables: frozenset[str] = frozenset()
    """The games on whose table the device lies: of these it shows what everybody may know."""
    at_seat: bool = False
    """The device on the table, in the hands of a player without a phone: for one entry."""

    @property
    def has_token(self) -> bool:
        return self.scope != NOWHERE

    @property
    def on_table(self) -> bool:
        """Whether this is the shared device on the table."""
        return self.role == TABLE_DEVICE

    @property
    def kind(self) -> str:
        return "seat" if seat_of(self.role) else self.role


class AccessControl:
    """Access to one store: ``authenticate``, perhaps ``impersonate``, then ``authorize``."""

    def __init__(self, store_context: StoreContext) -> None:
        self.store_context = store_context
        self.delay = BroadcastDelay(store_context)

    def authenticate(self, token: str | None, address: str) -> Principal:
        """The principal of a token; without one, an anonymous principal of this address."""
        if token is None:
            return Principal(address)
        found = self.store_context.access.pass_of(token)
        if found is None:
            raise HttpRefusal("unknown_visitor", "bad_token", {"WWW-Authenticate": "Bearer"})
        return principal_of(found)

    def impersonate(self, principal: Principal, asked: str) -> Principal:
        """Act as somebody else (``Jo:judge``).

        Only for an organiser of the whole store, who could issue themselves any token anyway.
        """
        if principal.role != "organiser" or principal.scope != "":
            raise HttpRefusal("role", "speaks_as_itself", role=principal.role)
        name, _, role = asked.partition(":")
        if role not in IMPERSONABLE_ROLES and seat_of(role) is None:
            raise HttpRefusal("misused", "no_such_speaker", asked=asked[:60])
        person = pseudonym(self.store_context, name) if name else "anonymous"
        return replace(principal, role=role, person=person)

    def at_seat(self, principal: Principal, game: str, seat: str) -> Principal:
        """The device on the table as one of its seats, which has no device of its own."""
        found = self._game(game)
        if found is None or not principal.on_table or principal.scope != game:
            raise HttpRefusal("role", "no_seat_here")
        found.must_seat(seat)
        role = role_of(seat)
        if self.seat_has_device(game, seat):
            raise NotAllowed("seat_taken", seat=seat).at_table(found.seats)
        return Principal(principal.id, role, game, found.seats.get(seat, "anonymous"), at_seat=True)

    def seat_has_device(self, game: str, seat: str) -> bool:
        found = self._game(game)
        return found is not None and seat_has_device(self.store_context.access, found, seat)

    def caller(
        self, principal: Principal, operation: str, path: Mapping[str, str], voice: Voice
    ) -> Caller:
        """Authorise a request, and make its context with no more rights than it needs."""
        return self._caller(self.authorize(principal, operation, path), principal, voice)

    def stranger(self) -> Caller:
        """Who sits and decides nowhere: from nobody more is held back. They ask for nobody, and are
        not authorised."""
        nobody = Principal("nobody")
        return self._caller(nobody, nobody, Voice())

    def _caller(self, seen_as: Principal, principal: Principal, voice: Voice) -> Caller:
        return Caller(
            self.store_context,
            Author(seen_as.person, seen_as.role),
            voice,
            token=principal.id if principal.has_token else "",
            scope=seen_as.scope,
            reaches=lambda stream, place: self.reaches(seen_as, stream, place),
            latest=lambda game: self.latest(seen_as, game),
            waits=lambda game, place: self.waits(seen_as, game, place),
            on_tables=principal.on_tables,
        )

    # what may be known, and from when

    def reaches(self, principal: Principal, stream: str, place: str) -> bool:
        """Whether a game or a tournament appears in the principal's lists."""
        if stream.startswith("tournament-"):
            return (
                principal.scope in ("", stream)
                or self.sits_in(principal, stream)
                or policy_of(self.store_context, stream, "").open_to == "everybody"
            )
        return self._covers(principal.scope, stream, place) or (
            policy_of(self.store_context, stream, place).open_to == "everybody"
        )

    def waits(self, principal: Principal, game: str, place: str) -> bool:
        """Whether the principal sees a game with the broadcast delay."""
        return policy_of(self.store_context, game, place).delays and self._looks_on(
            principal, game, place
        )

    def latest(self, principal: Principal, game: Game) -> Game:
        """The game up to the latest entry that the principal may see by now (broadcast delay)."""
        place = game.opened.tournament
        return self.delay.latest(game) if self._looks_on(principal, game.id, place) else game

    def _looks_on(self, principal: Principal, game: str, place: str) -> bool:
        """Whether the principal is only a spectator of this game."""
        if not self._covers(principal.scope, game, place):
            return True
        return self.seated(principal, game).role in ONLOOKERS

    # what may be asked

    def authorize(self, principal: Principal, name: str, path: Mapping[str, str]) -> Principal:
        """The principal as it may make this request (perhaps only as a spectator), or a refusal.

        It fails closed: an operation that is not declared is refused.
        """
        asked = resource(name)
        if asked is None or (principal.at_seat and name not in OF_ONE_ENTRY):
            raise _may_not(principal, frozenset())
        if not principal.has_token and asked.needs_token:
            raise _nobody()
        if asked.about == "game":
            principal = self._at_the_table(principal, path["game"], asked.reads)
        elif asked.about == "tournament":
            principal = self._in_the_hall(principal, path["tournament"], asked.reads)
        elif asked.about == "store" and not _in_scope(principal, asked):
            raise _nobody() if not principal.has_token else _out_of_scope(principal)
        _check_role(principal, asked)
        seat_logs = principal.kind == "seat" and not principal.at_seat
        if isinstance(asked, Operation) and asked.seats_need and seat_logs:
            self._check_seats_log(path["game"])
        return principal

    def _check_seats_log(self, game: str) -> None:
        if not self.store_context.access.rules(game).seats_log:
            raise HttpRefusal("role", "scribe_logs")

    def may_ever(self, principal: Principal, name: str, path: Mapping[str, str]) -> bool:
        """Whether a role may ask this at a place at all; the operation has the last word."""
        asked = resource(name)
        if asked is None or not principal.has_token or principal.kind not in asked.roles:
            return False
        if isinstance(asked, Operation) and asked.about == "store":
            return _in_scope(principal, asked)
        if (game := path.get("game")) is not None:
            return self.belongs(principal, game)
        tournament = path.get("tournament")
        return tournament is None or principal.scope in ("", tournament)

    def _at_the_table(self, principal: Principal, game: str, reads: bool) -> Principal:
        """The principal as a member of the table, or as a spectator where the table is open."""
        principal = self.seated(principal, game)
        if principal.scope == "":
            return principal
        known = self._game(game) is not None
        if known and self._covers(principal.scope, game, None):
            return principal
        if known and reads and self._is_open(game, self._place(game)):
            return Principal(principal.id)
        if not principal.has_token:
            raise _nobody()
        raise NotFound("no_such_game", game=game[:60])

    def seated(self, principal: Principal, game: str) -> Principal:
        """A player of a tournament at one of its tables: in their seat, elsewhere a spectator."""
        found = self._game(game) if principal.role == PLAYER else None
        if found is None or not self._covers(principal.scope, game, found.opened.tournament):
            return principal
        for seat, person in found.seats.items():
            if person == principal.person:
                return Principal(principal.id, role_of(seat), game, principal.person)
        return Principal(principal.id, SPECTATOR, principal.scope, principal.person)

    def _in_the_hall(self, principal: Principal, tournament: str, reads: bool) -> Principal:
        if principal.scope == "" and _is_event_id(tournament):
            return principal
        known = self._is_tournament(tournament)
        if known and principal.scope in ("", tournament):
            return principal
        looks_on = self.sits_in(principal, tournament) or self._is_open(tournament, "")
        if known and reads and looks_on:
            return Principal(principal.id, scope=principal.scope)
        if not principal.has_token:
            raise _nobody()
        raise NotFound("no_such_tournament", tournament=tournament[:60])

    def belongs(self, principal: Principal, game: str) -> bool:
        """Whether the token covers this game."""
        return principal.has_token and self._covers(principal.scope, game, None)

    def sits_in(self, principal: Principal, tournament: str) -> bool:
        """Whether the token is for a table of this tournament."""
        scope = principal.scope
        return scope.startswith("game-") and self._place(scope).startswith(f"{tournament}/")

    def _covers(self, scope: str, game: str, tournament: str | None) -> bool:
        if scope in ("", game):
            return True
        if not scope.startswith("tournament-"):
            return False
        return covers(scope, game, self._place(game) if tournament is None else tournament)

    def _is_open(self, stream: str, place: str) -> bool:
        return policy_of(self.store_context, stream, place).open_to != "members"

    def _place(self, game: str) -> str:
        """``tournament-…/r2/t5`` of a game; empty for one outside of tournaments."""
        found = self._game(game)
        return found.opened.tournament if found is not None else ""

    def _game(self, game: str) -> Game | None:
        if not (game.startswith("game-") and RECORD_ID.fullmatch(game)):
            return None
        try:
            return self.store_context.bench.game(game)
        except NotFound:
            return None

    def _is_tournament(self, tournament: str) -> bool:
        if not _is_event_id(tournament):
            return False
        return self.store_context.store.entry(tournament, 0) is not None


class ReadOnlyAccess(AccessControl):
    """Access to a game that somebody has brought in a file: all of it is theirs to read, and it is
    stored nowhere, so that nobody writes to it.
    """

    def reader(self, principal: Principal) -> Principal:
        return Principal(principal.id, "judge", scope="")

    def authorize(self, principal: Principal, name: str, path: Mapping[str, str]) -> Principal:
        if _writes(name):
            raise _may_not(principal, frozenset())
        return super().authorize(principal, name, path)

    def may_ever(self, principal: Principal, name: str, path: Mapping[str, str]) -> bool:
        return not _writes(name) and super().may_ever(principal, name, path)


def _writes(name: str) -> bool:
    asked = resource(name)
    return isinstance(asked, Operation) and asked.writes


def _is_event_id(text: str) -> bool:
    return text.startswith("tournament-") and RECORD_ID.fullmatch(text) is not None


def principal_of(found: AccessToken) -> Principal:
    return Principal(found.id, found.role, found.scope, found.person, found.expires)


def _in_scope(principal: Principal, asked: Resource) -> bool:
    return principal.scope == "" or (principal.has_token and asked.scope == "token")


def _check_role(principal: Principal, asked: Resource) -> None:
    if principal.kind in asked.roles:
        return
    raise _may_not(principal, asked.roles) if principal.has_token else _nobody()


def _may_not(principal: Principal, roles: frozenset[str]) -> HttpRefusal:
    return HttpRefusal("role", "role_may_not", role=principal.role, roles=sorted(roles))


def _nobody() -> HttpRefusal:
    return HttpRefusal("unknown_visitor", "no_token", {"WWW-Authenticate": "Bearer"})


def _out_of_scope(principal: Principal) -> HttpRefusal:
    return HttpRefusal("role", "out_of_scope", scope=principal.scope)
