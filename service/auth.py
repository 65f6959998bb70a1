"""Who is let in to ask what: tokens, scopes, rules of tables. No web framework is known here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Lock

from answers.context import Caller, StoreContext, covers, pseudonym
from answers.i18n import Voice
from answers.permissions import roles_for
from referee.errors import NotFound
from referee.record.entries import ONLOOKERS, PLAYER, SPECTATOR, seat_of
from referee.record.fold import fold
from referee.record.game import Game
from referee.store.sidecars.access import AccessPolicy, AccessToken
from referee.table.author import Author
from service.problems import Refused
from service.routing import Route

GAME = re.compile(r"game-[a-z0-9]{1,40}")
TOURNAMENT = re.compile(r"tournament-[a-z2-7]{1,20}")
NOWHERE = "nowhere"
"""The scope of who has no token: only what is open."""
ROLES = ("organiser", "judge", "scribe", PLAYER)
BY_SEATS = frozenset(("log", "undo", "redo"))
"""What seats do only where they log for themselves."""
JOINING = "join"
EARLIER_AT_HAND = 64


@dataclass(frozen=True)
class Principal:
    """Whoever asks: who their token says they are, or a passer-by."""

    id: str
    role: str = SPECTATOR
    scope: str = NOWHERE
    person: str = "anonymous"

    @property
    def has_token(self) -> bool:
        return self.scope != NOWHERE

    @property
    def kind(self) -> str:
        return "seat" if seat_of(self.role) else self.role


class AccessControl:
    """One house, and the way in."""

    def __init__(self, house: StoreContext) -> None:
        self.house = house
        self._earlier: dict[tuple[str, int], Game] = {}
        self._lock = Lock()

    def visitor(self, token: str | None, address: str) -> Principal:
        """Who a token says is asking."""
        if token is None:
            return Principal(address)
        found = self.house.access.pass_of(token)
        if found is None:
            raise Refused("unknown_visitor", "bad_token", {"WWW-Authenticate": "Bearer"})
        return principal_of(found)

    def speaking_as(self, visitor: Principal, asked: str) -> Principal:
        """``Jo:judge``: whoever could give themselves any token may as well speak so at once."""
        if visitor.role != "organiser" or visitor.scope != "":
            raise Refused("role", "speaks_as_itself", role=visitor.role)
        name, _, role = asked.partition(":")
        if role not in ROLES and seat_of(role) is None:
            raise Refused("misused", "no_such_speaker", asked=asked[:60])
        person = pseudonym(self.house, name) if name else "anonymous"
        return Principal(visitor.id, role, "", person)

    def caller(
        self,
        visitor: Principal,
        operation: str,
        route: Route | None,
        path: Mapping[str, str],
        voice: Voice,
    ) -> Caller:
        """Whoever asks, with no more in their hands than they may have; or a refusal."""
        seen_as = self._admitted(visitor, operation, route, path)
        return Caller(
            self.house,
            Author(seen_as.person, seen_as.role),
            voice,
            scope=seen_as.scope,
            reaches=lambda game, tournament: self.reaches(seen_as, game, tournament),
            latest=self.latest if seen_as.role in ONLOOKERS else lambda game: game,
        )

    # what may be asked

    def _admitted(
        self, visitor: Principal, operation: str, route: Route | None, path: Mapping[str, str]
    ) -> Principal:
        about = route.about if route is not None else _about(path)
        reads = route is None or route.method == "GET"
        only_asks = reads or (route is not None and route.public and route.rehearses)
        if not visitor.has_token and not only_asks and operation != JOINING:
            raise _nobody()
        if about == "game":
            visitor = self._at_the_table(visitor, path["game"], reads)
        elif about == "tournament":
            visitor = self._in_the_hall(visitor, path["tournament"], reads)
        elif about == "house" and not self.answers_in_scope(visitor, operation):
            raise _nobody() if not visitor.has_token else _out_of_scope(visitor)
        self._check_role(visitor, operation)
        if operation in BY_SEATS and visitor.kind == "seat":
            self._check_seats_log(path["game"])
        return visitor

    def _check_seats_log(self, game: str) -> None:
        if not self.house.access.rules(game).seats_log:
            raise Refused("role", "scribe_logs")

    @staticmethod
    def answers_in_scope(visitor: Principal, operation: str) -> bool:
        """Whether a question about the whole house has an answer within a visitor's scope."""
        return visitor.scope == "" or (
            visitor.has_token
            and operation
            in (
                "dispute-calls",
                "events",
                "ruling-list",
                "access-list",
                "access-give",
                "access-code",
                "access-revoke",
            )
        )

    def _check_role(self, visitor: Principal, operation: str) -> None:
        roles = roles_for(operation)
        if visitor.kind in roles:
            return
        if not visitor.has_token:
            raise _nobody()
        raise Refused("role", "role_may_not", role=visitor.role, roles=", ".join(sorted(roles)))

    def _at_the_table(self, visitor: Principal, game: str, reads: bool) -> Principal:
        """A member of the table, or one who may look on."""
        visitor = self.seated(visitor, game)
        if visitor.scope == "":
            return visitor
        known = self._game(game) is not None
        if known and self._covers(visitor.scope, game, None):
            return visitor
        if known and reads and self._open(game, None) != "members":
            return Principal(visitor.id)
        if not visitor.has_token:
            raise _nobody()
        raise NotFound("no_such_game", game=game[:60])

    def seated(self, visitor: Principal, game: str) -> Principal:
        """A player of an event at one of its tables: the own seat, elsewhere a spectator."""
        found = self._game(game) if visitor.role == PLAYER else None
        if found is None or not self._covers(visitor.scope, game, found.opened.tournament):
            return visitor
        for seat, person in found.seats.items():
            if person == visitor.person:
                return Principal(visitor.id, f"seat:{seat}", game, visitor.person)
        return Principal(visitor.id, SPECTATOR, visitor.scope, visitor.person)

    def _in_the_hall(self, visitor: Principal, tournament: str, reads: bool) -> Principal:
        if visitor.scope == "" and TOURNAMENT.fullmatch(tournament):
            return visitor
        known = self._is_tournament(tournament)
        if known and visitor.scope in ("", tournament):
            return visitor
        sits_in_it = visitor.scope.startswith("game-") and self._place(visitor.scope).startswith(
            f"{tournament}/"
        )
        if known and reads and (sits_in_it or self._open_hall(tournament)):
            return Principal(visitor.id, scope=visitor.scope)
        if not visitor.has_token:
            raise _nobody()
        raise NotFound("no_such_tournament", tournament=tournament[:60])

    def reaches(self, visitor: Principal, game: str, tournament: str) -> bool:
        """Whether a game is in a visitor's lists."""
        return self._covers(visitor.scope, game, tournament) or (
            self._open(game, tournament) == "everybody"
        )

    def belongs(self, visitor: Principal, game: str) -> bool:
        """Whether a visitor's token is for this game, or for more."""
        return visitor.has_token and self._covers(visitor.scope, game, None)

    def _covers(self, scope: str, game: str, tournament: str | None) -> bool:
        if scope in ("", game):
            return True
        if not scope.startswith("tournament-"):
            return False
        return covers(scope, game, self._place(game) if tournament is None else tournament)

    def _open(self, game: str, tournament: str | None) -> str:
        """To whom a game is open: as it says itself, or as its tournament does."""
        own = self.house.access.rules(game).open_to
        if own != "members":
            return own
        place = self._place(game) if tournament is None else tournament
        hall = place.partition("/")[0]
        return self.house.access.rules(hall).open_to if hall else own

    def _open_hall(self, tournament: str) -> bool:
        return self.house.access.rules(tournament).open_to != "members"

    def _place(self, game: str) -> str:
        """Where in a tournament a game is played; empty, if in none."""
        found = self._game(game)
        return found.opened.tournament if found is not None else ""

    def _game(self, game: str) -> Game | None:
        if not GAME.fullmatch(game):
            return None
        try:
            return self.house.bench.game(game)
        except NotFound:
            return None

    def _is_tournament(self, tournament: str) -> bool:
        if not TOURNAMENT.fullmatch(tournament):
            return False
        return self.house.store.entry(tournament, 0) is not None

    # what spectators wait for

    def latest(self, game: Game) -> Game:
        """The game as far as spectators may know it already; a closed one, as it is."""
        known = visible_entries(game, self.house.access.rules(game.id), datetime.now(UTC))
        if known == len(game.entries):
            return game
        with self._lock:
            found = self._earlier.get((game.id, known))
        if found is None:
            found = fold(game.id, self.house.store.read(game.id)[:known])
            with self._lock:
                while len(self._earlier) >= EARLIER_AT_HAND:
                    self._earlier.pop(next(iter(self._earlier)))
                self._earlier[game.id, known] = found
        return found


def principal_of(found: AccessToken) -> Principal:
    return Principal(found.id, found.role, found.scope, found.person)


def visible_entries(game: Game, rules: AccessPolicy, now: datetime) -> int:
    """How many entries spectators may know of: at least the opening."""
    count = len(game.entries)
    if game.closed is not None:
        return count
    count -= rules.delay_entries
    if rules.delay_seconds:
        edge = (now - timedelta(seconds=rules.delay_seconds)).isoformat(timespec="milliseconds")
        edge = edge.replace("+00:00", "Z")
        while count > 1 and game.entries[count - 1].at > edge:
            count -= 1
    return max(1, count)


def _about(path: Mapping[str, str]) -> str:
    return next((name for name in ("game", "tournament") if name in path), "house")


def _nobody() -> Refused:
    return Refused("unknown_visitor", "no_token", {"WWW-Authenticate": "Bearer"})


def _out_of_scope(visitor: Principal) -> Refused:
    return Refused("role", "role_may_not", role=visitor.role, roles=visitor.scope)
