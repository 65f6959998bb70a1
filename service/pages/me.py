"""Who am I: the roles of this device, to switch between and to sign out of."""

from __future__ import annotations

from answers.admin.access import WhoAnswer, role_name
from answers.answer import Data
from answers.rulebooks.games import game_name
from engines.kernel.messages.errors import MessageError
from service.auth import Principal
from service.pages.home import page_of
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page


class RoleRow(Data):
    id: str
    role: str
    about: str
    """The table or the event that it is for; nothing, if it is for everything."""
    place: str
    """Where it leads."""
    current: bool


class MePage(Data):
    roles: list[RoleRow]
    who: WhoAnswer | None
    """Whose picture can be chosen; None for a device that belongs to nobody."""


@page("me", "/me")
def me(page_context: PageContext) -> Shown:
    current = page_context.principal.id
    rows = [_row(page_context, role, role.id == current) for role in page_context.roles]
    who: WhoAnswer = page_context.ask("access-who").data
    own = who if who.name and page_context.may("people-picture") else None
    return Shown("me", page_context.voice.say("me.title"), MePage(roles=rows, who=own))


def _row(page_context: PageContext, role: Principal, current: bool) -> RoleRow:
    about, place = _about(page_context, role)
    name = role_name(page_context.voice, role.role)
    return RoleRow(id=role.id, role=name, about=about, place=place, current=current)


def _about(page_context: PageContext, role: Principal) -> tuple[str, str]:
    scope = role.scope
    try:
        if scope.startswith("game-"):
            there = page_context.in_role(role, game=scope)
            info = there.ask("info").data
            name = game_name(page_context.voice, info.engine)
            people = " · ".join(info.seats.values())
            return " · ".join(filter(None, (name, info.title, people))), page_of(there, scope)
        if scope.startswith("tournament-"):
            there = page_context.in_role(role, tournament=scope)
            return there.ask("tournament-info").data.name, f"/tournaments/{scope}"
    except MessageError:  # it is gone from the store
        return scope, "/"
    return "", "/"
