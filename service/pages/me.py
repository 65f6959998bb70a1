"""Who am I: the roles of this device, to switch between and to sign out of."""

from __future__ import annotations

from answers.admin.access import WhoAnswer
from answers.rulebooks.games import game_name
from engines.kernel.messages.errors import MessageError
from service.auth import Principal
from service.pages.home import page_of
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page


@page("me", "/me")
def me(page_context: PageContext) -> Shown:
    who: WhoAnswer = page_context.ask("access-who").data
    return Shown(
        "me",
        page_context.voice.say("me.title"),
        roles=[(role, *_about(page_context, role)) for role in page_context.roles],
        who=who if who.name and page_context.may("people-picture") else None,
    )


def _about(page_context: PageContext, role: Principal) -> tuple[str, str]:
    """The table or the event that a role is for, and where it leads."""
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
