"""The roles of one device: a browser keeps the tokens of several, the current one first.

One phone is a seat at two tables, and the organiser plays too. What a request is about decides
which role asks: the first of the device that reaches it. A page says by its token's id as whom it
was made, so that nothing is said in another role after a switch in another tab.

Of a game on whose table the device lies everybody reads what it shows: there it is the table,
whatever else it holds, and shows no secret of that game anywhere. Only a page that was opened for
more (``t2345678:more``) is more, as long as it is open; and one entry of a player without a phone
is made in the role of the seat (``t2345678:A``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from referee.record.entries import PLAYER
from referee.store.sidecars.access import Access, AccessToken
from service.auth import AccessControl, Principal, principal_of
from service.http_messages import HttpRequest

COOKIE = "referee"
ROLE_HEADER, ROLE_QUERY = "referee-role", "as"
FOR_MORE = ":more"
"""Behind the id of a role: it was chosen for this page, before everybody's eyes."""
MOST_ROLES = 8
"""Roles per device; the least recently used ones are dropped."""
_BETWEEN = "."
"""Separator of the tokens in the cookie; no token contains it."""


def tokens_of(received: HttpRequest) -> list[str]:
    """The tokens that a browser has sent, the current one first."""
    sent = received.cookies.get(COOKIE, "").split(_BETWEEN)
    return list(dict.fromkeys(filter(None, sent)))[:MOST_ROLES]


def as_cookie(tokens: list[str]) -> str:
    return _BETWEEN.join(tokens[:MOST_ROLES])


def roles_of(access: Access, received: HttpRequest) -> Iterator[tuple[str, Principal]]:
    """The tokens of a device that are still valid, each with its principal."""
    for token in tokens_of(received):
        if (found := access.pass_of(token)) is not None:
            yield token, principal_of(found)


def role_for(control: AccessControl, received: HttpRequest) -> Principal | None:
    """The principal of a request by cookie: the role its page names, else the first that fits."""
    roles = [role for _, role in roles_of(control.store_context.access, received)]
    named = received.headers.get(ROLE_HEADER) or dict(received.query).get(ROLE_QUERY) or ""
    id, _, seat = named.removesuffix(FOR_MORE).partition(":")
    chosen = next((role for role in roles if role.id == id), None)
    if chosen is not None and seat:
        return control.at_seat(chosen, received.path.get("game", ""), seat)
    if named and (chosen is None or named != id):
        return chosen
    on_tables = frozenset(role.scope for role in roles if role.on_table)
    if (game := received.path.get("game")) in on_tables:
        return next(role for role in roles if role.on_table and role.scope == game)
    fits = chosen or first_that_reaches(control, roles, received.path) or next(iter(roles), None)
    return fits and replace(fits, on_tables=on_tables)


def first_that_reaches(
    control: AccessControl, roles: Sequence[Principal], path: Mapping[str, str]
) -> Principal | None:
    """The first role whose token covers the game or tournament in the path, or a table there."""
    if (game := path.get("game")) is not None:
        return next((role for role in roles if control.belongs(role, game)), None)
    if (tournament := path.get("tournament")) is not None:
        covering = [role for role in roles if role.scope in ("", tournament)]
        at_a_table = (role for role in roles if control.sits_in(role, tournament))
        return next(iter(covering or at_a_table), None)
    return None


def with_role(access: Access, received: HttpRequest, token: str) -> list[str]:
    """The tokens of a device that has just joined: the new one first, and no role twice."""
    new = access.pass_of(token)
    kept = [token]
    for other, role in roles_of(access, received):
        if new is not None and _same(role, new):
            access.revoke(role.id)  # the same role again: the device needs one token for it
        else:
            kept.append(other)
    return kept


def _same(role: Principal, new: AccessToken) -> bool:
    """One device may be the phone of two players: a family's."""
    same_person = role.role != PLAYER or role.person == new.person
    return (role.role, role.scope) == (new.role, new.scope) and same_person


def switched(access: Access, received: HttpRequest, id: str) -> list[str]:
    """The tokens of a device, reordered so that one of its roles is the current one."""
    roles = list(roles_of(access, received))
    return [token for token, _ in sorted(roles, key=lambda each: each[1].id != id)]
