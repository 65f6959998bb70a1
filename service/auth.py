"""Authentication and authorisation: who a token says is asking, and what they may ask.

Roles are granted by the declarations of the operations, scopes by tokens; a table has rules of
its own (open to whom, whether seats log). What is not granted is refused. No web framework.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from answers.context import Caller, StoreContext, covers, pseudonym
from answers.i18n import Voice
from answers.operations import resource
from answers.operations.declaration import Operation, Resource
from referee.errors import NotFound
from referee.record.entries import ONLOOKERS, PLAYER, SPECTATOR, seat_of
from referee.record.game import Game
from referee.store.sidecars.access import AccessToken
from referee.table.author import Author
from service.broadcast_delay import BroadcastDelay
from service.problems import Refused

GAME = re.compile(r"game-[a-z0-9]{1,40}")
TOURNAMENT = re.compile(r"tournament-[a-z2-7]{1,20}")
NOWHERE = "nowhere"
"""The scope of who has no token: only what is open."""
ROLES = ("organiser", "judge", "scribe", PLAYER)
JOINING = "join"


@dataclass(frozen=True)
class Principal:
    """Whoever asks: who their token says they are, or a passer-by without one."""

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
    """Access to one store: ``authenticate``, perhaps ``impersonate``, then ``authorize``."""

    def __init__(self, house: StoreContext) -> None:
        self.house = house
        self.delay = BroadcastDelay(house)

    def authenticate(self, token: str | None, address: str) -> Principal:
        """Who a token says is asking."""
        if token is None:
            return Principal(address)
        found = self.house.access.pass_of(token)
        if found is None:
            raise Refused("unknown_visitor", "bad_token", {"WWW-Authenticate": "Bearer"})
        return principal_of(found)

    def impersonate(self, visitor: Principal, asked: str) -> Principal:
        """``Jo:judge``, in the name of somebody else: for an organiser of the whole store, who
        could give themselves any token as well."""
        if visitor.role != "organiser" or visitor.scope != "":
            raise Refused("role", "speaks_as_itself", role=visitor.role)
        name, _, role = asked.partition(":")
        if role not in ROLES and seat_of(role) is None:
            raise Refused("misused", "no_such_speaker", asked=asked[:60])
        person = pseudonym(self.house, name) if name else "anonymous"
        return Principal(visitor.id, role, "", person)

    def caller(
        self, visitor: Principal, operation: str, path: Mapping[str, str], voice: Voice
    ) -> Caller:
        """Whoever asks, with no more in their hands than they may have; or a refusal."""
        seen_as = self.authorize(visitor, operation, path)
        return Caller(
            self.house,
            Author(seen_as.person, seen_as.role),
            voice,
            scope=seen_as.scope,
            reaches=lambda game, tournament: self.reaches(seen_as, game, tournament),
            latest=self.delay.latest if seen_as.role in ONLOOKERS else lambda game: game,
        )

    # what may be asked

    def authorize(self, visitor: Principal, name: str, path: Mapping[str, str]) -> Principal:
        """As whom they may ask this, or a refusal. What nobody has declared is nobody's."""
        asked = resource(name)
        if asked is None:
            raise _may_not(visitor, frozenset())
        if not visitor.has_token and not asked.only_asks and name != JOINING:
            raise _nobody()
        if asked.about == "game":
            visitor = self._at_the_table(visitor, path["game"], asked.reads)
        elif asked.about == "tournament":
            visitor = self._in_the_hall(visitor, path["tournament"], asked.reads)
        elif asked.about == "house" and not _in_scope(visitor, asked):
            raise _nobody() if not visitor.has_token else _out_of_scope(visitor)
        _check_role(visitor, asked)
        if isinstance(asked, Operation) and asked.seats_need and visitor.kind == "seat":
            self._check_seats_log(path["game"])
        return visitor

    def _check_seats_log(self, game: str) -> None:
        if not self.house.access.rules(game).seats_log:
            raise Refused("role", "scribe_logs")

    @staticmethod
    def answers_in_scope(visitor: Principal, operation: str) -> bool:
        """Whether a question about the whole store has an answer within a visitor's scope."""
        asked = resource(operation)
        return asked is not None and _in_scope(visitor, asked)

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


def principal_of(found: AccessToken) -> Principal:
    return Principal(found.id, found.role, found.scope, found.person)


def _in_scope(visitor: Principal, asked: Resource) -> bool:
    return visitor.scope == "" or (visitor.has_token and asked.scope == "token")


def _check_role(visitor: Principal, asked: Resource) -> None:
    if visitor.kind in asked.roles:
        return
    raise _may_not(visitor, asked.roles) if visitor.has_token else _nobody()


def _may_not(visitor: Principal, roles: frozenset[str]) -> Refused:
    return Refused("role", "role_may_not", role=visitor.role, roles=sorted(roles))


def _nobody() -> Refused:
    return Refused("unknown_visitor", "no_token", {"WWW-Authenticate": "Bearer"})


def _out_of_scope(visitor: Principal) -> Refused:
    return Refused("role", "role_may_not", role=visitor.role, roles=visitor.scope)
