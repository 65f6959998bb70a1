"""Access control: tokens, join codes, access policies of games, and the log of admissions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta

from answers import limits
from answers.answer import Answered, Data
from answers.context import Caller, policy_of
from answers.declaration import Local, operation
from answers.face_addresses import face_addresses
from answers.i18n import Voice, columns
from answers.permissions import EVERYBODY, HOSTS, KEEPERS, ORGANISER, TABLE
from engines.kernel.messages.errors import MessageError
from referee.errors import Misused, NotAllowed, NotFound
from referee.record.entries import PLAYER, SPECTATOR, TABLE_DEVICE, role_of, seat_of
from referee.record.game import Game
from referee.store.sidecars.access import (
    Access,
    AccessPolicy,
    AccessToken,
    JoinCode,
    OpenTo,
    shown_code,
)
from referee.table.author import Author, By
from referee.table.bench import IdempotencyKeyReused
from referee.table.notes import Annotation, annotate

UNSEATED_ROLES = ("organiser", "judge", "scribe", TABLE_DEVICE, SPECTATOR)
_GIVEN_BY = {
    "organiser": (*UNSEATED_ROLES, PLAYER, "seat"),
    "judge": ("scribe", TABLE_DEVICE, PLAYER, "seat", SPECTATOR),
    "scribe": (TABLE_DEVICE, PLAYER, "seat", SPECTATOR),
    TABLE_DEVICE: (TABLE_DEVICE, "seat", SPECTATOR),
    "seat": ("itself",),
}
"""What each role may hand on: nobody gives more than they have."""


class PassRow(Data):
    id: str
    role: str
    scope: str
    """A game, a tournament, or nothing for everything."""
    person: str
    name: str
    created: str
    expires: str | None


class CodeRow(PassRow):
    once: bool
    uses: int


class PassAnswer(PassRow):
    token: str
    """It is shown this once."""


class CodeAnswer(CodeRow):
    code: str


class AccessListAnswer(Data):
    tokens: list[PassRow]
    codes: list[CodeRow]


class RevokedAnswer(Data):
    id: str


class AccessRulesAnswer(Data):
    of: str
    open_to: OpenTo
    delay_entries: int
    delay_seconds: int
    seats_log: bool
    until_result: bool
    """The delay ends with the game, instead of telling its end as late as all else."""


class WhoAnswer(Data):
    role: str
    scope: str
    person: str
    name: str
    picture: str | None
    """Where their picture is."""


class AdmissionRow(Data):
    at: str
    what: str
    id: str
    role: str
    scope: str
    person: str
    name: str


class AdmissionsAnswer(Data):
    admissions: list[AdmissionRow]


@operation("access-give", "POST /access/tokens", grant=KEEPERS, scope="token")
def give(
    caller: Caller,
    role: limits.Role,
    *,
    scope: limits.Scope = "",
    name: limits.PersonName = "",
    days: limits.Days | None = None,
) -> Answered[PassAnswer]:
    """Issue a token (capability) for a role and a scope: one game, one tournament, or all."""
    scope = _may_give(caller, role, scope)
    _not_for_players(role)
    access, person = caller.store_context.access, _person(caller, name)
    asked = f"{caller.token} {caller.key}" if caller.key else ""
    if asked and (before := access.given_for(asked)) is not None:
        if before[0][1:4] != (role, scope, person) or before[0].revoked is not None:
            raise IdempotencyKeyReused("key_of_token", key=caller.key)
        return _given(caller, *before)
    _may_join_beside(caller, role, scope)
    held = _is_held(caller, role, scope)
    lifetime = None if days is None else timedelta(days=days)
    given, secret = access.give(role, scope, person, lifetime, asked=asked)
    _note_device(caller, given, held)
    return _given(caller, given, secret)


@operation("access-code", "POST /access/codes", grant=TABLE, scope="token")
def code(
    caller: Caller,
    role: limits.Role,
    *,
    scope: limits.Scope = "",
    name: limits.PersonName = "",
    hours: limits.Hours = 24,
    many: bool = False,
) -> Answered[CodeAnswer]:
    """Issue a join code to type or scan: for one use, or for many until it is revoked."""
    scope = _may_give(caller, role, scope)
    _not_for_players(role)
    _may_join_beside(caller, role, scope)
    if many and role != SPECTATOR:
        raise Misused("code_for_many", role=role)
    made, letters = caller.store_context.access.make_code(
        role, scope, _person(caller, name), once=not many, lifetime=timedelta(hours=hours)
    )
    shown = shown_code(letters)

    def render(voice: Voice) -> Iterator[str]:
        yield shown
        yield "  " + voice.say(
            "access.code_for", role=role_name(voice, role), scope=_scope(voice, scope)
        )
        yield "  " + voice.say("access.code_many" if many else "access.code_once", hours=hours)

    name = _name(caller, made.person)
    return Answered(lambda: CodeAnswer.made_of(made, name=name, code=shown), render)


@operation(
    "join",
    "POST /join",
    grant=EVERYBODY,
    scope="public",
    answer="access-give",
    signs="in",
)
def join(
    caller: Caller, code: limits.JoinLetters, *, days: Local[int] = 30
) -> Answered[PassAnswer]:
    """Exchange a join code for a token."""
    access = caller.store_context.access
    known = access.code_of(code)
    held = known is not None and _is_held(caller, known.role, known.scope)
    found = access.redeem(code, timedelta(days=days))
    if found is None:
        raise NotAllowed("bad_code")
    _note_device(caller, found[0], held)
    return _given(caller, *found)


def _note_device(caller: Caller, given: AccessToken, held: bool) -> None:
    """A seat is told of another device that has joined it, and so is the record. Codes that were
    made for a free seat end when it is taken."""
    seat = seat_of(given.role)
    if seat is None:
        return
    access = caller.store_context.access
    if not held:
        whose = (given.role, given.scope)
        access.revoke(*(code.id for code in access.codes() if (code.role, code.scope) == whose))
        return
    with suppress(MessageError):  # whoever cannot be told of it is let in all the same
        game = caller.whole(given.scope)
        said = Annotation(text=caller.voice.say("access.second_device", seat=seat))
        annotate(
            caller.bench, given.scope, game.last_counting, said,
            by=By(Author(given.person, given.role)),
        )  # fmt: skip


def _given(caller: Caller, given: AccessToken, secret: str) -> Answered[PassAnswer]:
    def render(voice: Voice) -> Iterator[str]:
        yield secret
        role, scope = role_name(voice, given.role), _scope(voice, given.scope)
        yield "  " + voice.say("access.given", id=given.id, role=role, scope=scope)

    name = _name(caller, given.person)
    return Answered(lambda: PassAnswer.made_of(given, name=name, token=secret), render)


@operation("access-list", "GET /access", grant=HOSTS, scope="token")
def granted(caller: Caller) -> Answered[AccessListAnswer]:
    """List the valid tokens and codes within the caller's scope."""
    access = caller.store_context.access
    passes = [each for each in access.passes() if caller.scope in ("", each.scope)]
    codes = [each for each in access.codes() if caller.scope in ("", each.scope)]

    def render(voice: Voice) -> list[str]:
        good: list[AccessToken | JoinCode] = [*passes, *codes]
        return columns(_listed(voice, caller, each) for each in good) or [voice.say("access.none")]

    def data() -> AccessListAnswer:
        return AccessListAnswer(
            tokens=[PassRow.made_of(one, name=_name(caller, one.person)) for one in passes],
            codes=[CodeRow.made_of(one, name=_name(caller, one.person)) for one in codes],
        )

    return Answered(data, render)


@operation("access-revoke", "DELETE /access/{token}", grant=HOSTS, scope="token")
def revoke(caller: Caller, token: str) -> Answered[RevokedAnswer]:
    """Revoke a token or a join code."""
    found = caller.store_context.access.find(token)
    if found is None or (caller.scope not in ("", found.scope)):
        raise NotFound("no_such_token", id=token)
    _may_give(caller, found.role, found.scope)
    caller.store_context.access.revoke(token)
    return Answered(
        lambda: RevokedAnswer(id=token), lambda voice: [voice.say("access.revoked", id=token)]
    )


@operation(
    "access-leave",
    "DELETE /me",
    grant=EVERYBODY,
    scope="public",
    answer="access-revoke",
    signs="out",
)
def leave(caller: Caller) -> Answered[RevokedAnswer]:
    """Sign out: revoke the token of this request."""
    caller.store_context.access.leave(caller.token)
    return Answered(
        lambda: RevokedAnswer(id=caller.token), lambda voice: [voice.say("access.left")]
    )


@operation(
    "game-rules",
    "GET /games/{game}/access",
    grant=EVERYBODY,
    rename={"of": "game"},
    answer="access-rules",
    etag="content",
)
def rules(caller: Caller, of: str) -> Answered[AccessRulesAnswer]:
    """The access policy of a game or tournament: what spectators and seats may do."""
    return _ruled(caller, of)


@operation(
    "access-rules",
    "PATCH /games/{game}/access",
    grant=KEEPERS,
    rename={"of": "game"},
    etag="content",
)
@operation(
    "tournament-rules",
    "PATCH /tournaments/{tournament}/access",
    grant=ORGANISER,
    rename={"of": "tournament"},
    answer="access-rules",
)
def set_rules(
    caller: Caller,
    of: str,
    *,
    open_to: OpenTo | None = None,
    delay_entries: limits.DelayEntries | None = None,
    delay_seconds: limits.DelaySeconds | None = None,
    seats_log: bool | None = None,
    until_result: bool | None = None,
) -> Answered[AccessRulesAnswer]:
    """Change the access policy where something is given."""
    known = caller.store_context.access.rules(of)
    changed = AccessPolicy(
        known.open_to if open_to is None else open_to,
        known.delay_entries if delay_entries is None else delay_entries,
        known.delay_seconds if delay_seconds is None else delay_seconds,
        known.seats_log if seats_log is None else seats_log,
        known.until_result if until_result is None else until_result,
    )
    caller.store_context.access.set_rules(of, changed)
    return _ruled(caller, of)


def _ruled(caller: Caller, of: str) -> Answered[AccessRulesAnswer]:
    """The access policy in force, which may come from the tournament."""
    there = caller.store_context
    event = None if of.startswith("game-") else there.desk.load(of).now
    rules = policy_of(there, of, "" if event else caller.game(of).opened.tournament)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say(f"access.open_to_{rules.open_to}", of=event.name if event else of)
        if rules.delays:
            delay = {"entries": rules.delay_entries, "seconds": rules.delay_seconds}
            yield "  " + voice.say("access.delay", **delay)
            if rules.until_result:
                yield "  " + voice.say("access.until_result")
        if event is None or not rules.seats_log:  # of an event only what is not usual
            yield "  " + voice.say("access.seats_log" if rules.seats_log else "access.scribe_logs")

    return Answered(lambda: AccessRulesAnswer(of=of, **rules._asdict()), render)


@operation("access-log", "GET /access/log", grant=ORGANISER)
def admissions(caller: Caller, *, most: limits.Count = 200) -> Answered[AdmissionsAnswer]:
    """The log of admissions and refusals, the latest first."""
    found = caller.store_context.access.admissions(most)

    def render(voice: Voice) -> list[str]:
        rows = columns(
            (
                voice.moment(each.at),
                voice.say(f"access.was_{each.what}"),
                role_name(voice, each.role) if each.role else "–",
                each.scope or "–",
                _name(caller, each.person) or "–",
            )
            for each in found
        )
        return rows or [voice.say("access.nobody")]

    def data() -> AdmissionsAnswer:
        rows = [AdmissionRow(**each._asdict(), name=_name(caller, each.person)) for each in found]
        return AdmissionsAnswer(admissions=rows)

    return Answered(data, render)


@operation("access-who", "GET /me", grant=EVERYBODY, scope="public")
def who(caller: Caller) -> Answered[WhoAnswer]:
    """Who the caller is: person, role and scope of the token."""
    author, scope = caller.author, caller.scope

    def render(voice: Voice) -> list[str]:
        return [
            voice.say("access.who", role=role_name(voice, author.role), scope=_scope(voice, scope))
        ]

    return Answered(
        lambda: WhoAnswer(
            role=author.role,
            scope=scope,
            person=author.person,
            name=_name(caller, author.person),
            picture=face_addresses(caller, {"own": author.person}).get("own"),
        ),
        render,
    )


# what may be given


def _not_for_players(role: str) -> None:
    """Refuse the role of a tournament player: those tokens come from ``tournament-invite``."""
    if role == PLAYER:
        raise Misused("invite_players")


def unseated_roles_given_by(role: str) -> list[str]:
    """The roles without a seat that may be handed on at a table, but for those who look on."""
    allowed = _GIVEN_BY.get(role, ())
    return [given for given in ("judge", "scribe", TABLE_DEVICE) if given in allowed]


def _may_give(caller: Caller, role: str, scope: str) -> str:
    """Check against privilege escalation: nobody grants more rights or scope than they have.

    Returns the scope.
    """
    seat = seat_of(role)
    if role not in (*UNSEATED_ROLES, PLAYER) and not re.fullmatch("seat:[A-H]", role):
        raise NotFound("no_such_role", role=role, roles=[*UNSEATED_ROLES, "seat:A"])
    scope = caller.find_stream(scope or caller.scope) if scope or caller.scope else ""
    own = caller.author
    allowed = _GIVEN_BY.get("seat" if own.seat else own.role, ())
    wanted = "seat" if seat else role
    if wanted not in allowed and not ("itself" in allowed and own.seat == seat):
        raise NotAllowed("may_not_give", role=own.role, given=role)
    if caller.scope not in ("", scope) and not _inside(caller, scope):
        raise NotAllowed("not_in_scope", scope=caller.scope)
    if (seat is not None or role == TABLE_DEVICE) and not scope.startswith("game-"):
        raise Misused("seat_of_which_game", role=role)
    if seat is not None:
        caller.game(scope).must_seat(seat)
    return scope


def _may_join_beside(caller: Caller, role: str, scope: str) -> None:
    """A device that joins a taken seat reads its hand: that seat, a judge or an organiser invites
    it; at a table without a judge the scribe. The device on the table is in everybody's reach."""
    own, seat = caller.author, seat_of(role)
    if seat is None or own.seat == seat or own.judges:
        return
    if not _is_held(caller, role, scope):
        return
    if own.role != "scribe" or caller.game(scope).has_judge:
        raise NotAllowed("seat_taken", seat=seat).at_table(caller.game(scope).seats)


def _is_held(caller: Caller, role: str, scope: str) -> bool:
    access, seat = caller.store_context.access, seat_of(role)
    if seat is not None:
        with suppress(NotFound):
            return seat_has_device(access, caller.store_context.bench.game(scope), seat)
    return access.holds(role, scope)


def seat_has_device(access: Access, game: Game, seat: str) -> bool:
    """Whether a device speaks for a seat: as that seat, or as the player of the event (or of the
    house) who sits there."""
    if access.holds(role_of(seat), game.id):
        return True
    person, event = game.seats.get(seat), game.opened.tournament.partition("/")[0]
    return person is not None and any(
        access.holds(PLAYER, scope, person) for scope in {event, "", game.id}
    )


def _inside(caller: Caller, scope: str) -> bool:
    """Whether a game belongs to the tournament that the caller speaks about."""
    if not scope.startswith("game-"):
        return False
    return caller.game(scope).opened.tournament.startswith(f"{caller.scope}/")


def _person(caller: Caller, name: str) -> str:
    """Whom a token is for. A seat gives it to another device of its own, whatever it is called."""
    if caller.author.seat:
        return caller.author.person
    return caller.person(name) if name else "anonymous"


# how it is told


def _name(caller: Caller, person: str) -> str:
    return "" if person == "anonymous" else caller.name(person)


def _listed(voice: Voice, caller: Caller, each: AccessToken | JoinCode) -> tuple[str, ...]:
    kind = "access.token" if isinstance(each, AccessToken) else "access.code"
    until = voice.moment(each.expires) if each.expires else ""
    return (
        each.id,
        voice.say(kind),
        role_name(voice, each.role),
        _scope(voice, each.scope),
        _name(caller, each.person) or "–",
        voice.say("access.until", until=until) if until else voice.say("access.for_ever"),
    )


def role_name(voice: Voice, role: str) -> str:
    """What a role is called."""
    seat = seat_of(role)
    return voice.say("access.role_seat", seat=seat) if seat else voice.say(f"access.role_{role}")


def _scope(voice: Voice, scope: str) -> str:
    return scope or voice.say("access.everything")
