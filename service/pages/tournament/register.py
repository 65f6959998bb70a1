"""The form on a phone for whoever registers themselves with the link of an event."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from urllib.parse import quote

from answers.tournament.registration import EntryAnswer
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page

FIELDS = ("name", "last_name", "club", "federation", "licence")
SAME_NAME = "same_name"


@page("register", "/register/{event}/{code}")
def register(page_context: PageContext) -> Shown:
    return form(page_context)


def form(
    page_context: PageContext,
    told: Mapping[str, str] | None = None,
    problem: str = "",
    code: str = "",
) -> Shown:
    """The form; with what was typed, if it was not taken."""
    told = told or {}
    entry: EntryAnswer = page_context.ask("tournament-entry").data
    mine = [
        f"/tournaments/{entry.tournament}/players/{role.person}"
        for role in page_context.roles
        if role.role == "player" and role.scope == entry.tournament
    ]
    return Shown(
        "register",
        page_context.voice.say("register.title", name=entry.name),
        entry=entry,
        address=path(entry.tournament, page_context.path["code"]),
        key=told.get("key") or secrets.token_hex(12),
        mine=mine,
        told={name: told.get(name, "") for name in FIELDS},
        problem=problem,
        same_name=code == SAME_NAME,
    )


def path(tournament: str, code: str) -> str:
    """The address of the form."""
    return f"/register/{quote(tournament[:60])}/{quote(code[:40])}"


def said(told: Mapping[str, str]) -> dict[str, object]:
    """What the form says, as the operation wants it: a last name stands in the name."""
    last = told.get("last_name", "").strip()
    name = f"{told.get('name', '').strip()} {last}".strip()
    others = {each: told[each].strip() for each in FIELDS[2:] if told.get(each, "").strip()}
    if "federation" in others:
        others["federation"] = others["federation"].upper()
    asked = {"name": name, **({"last_name": last} if last else {}), **others}
    return {**asked, "namesake": told.get("namesake") == "yes"}
