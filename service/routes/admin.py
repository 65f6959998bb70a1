"""The house: people, who is let in, and whether all is well."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from answers.admin import access, maintenance, people
from answers.admin.access import (
    AccessListAnswer,
    AccessRulesAnswer,
    AdmissionsAnswer,
    CodeAnswer,
    PassAnswer,
    RevokedAnswer,
    WhoAnswer,
)
from answers.admin.maintenance import DoctorAnswer
from answers.admin.people import (
    PeopleEraseAnswer,
    PeopleListAnswer,
    PeopleRenameAnswer,
    PersonAnswer,
)
from answers.answer import Answered
from referee.store.sidecars.access import OpenTo
from service.routing import Ask, Params, route

Name = Annotated[str, Field(max_length=40)]
Role = Annotated[str, Field(max_length=20, examples=["judge", "seat:A"])]
Scope = Annotated[str, Field(max_length=80, examples=["game-abcdefgh"])]


class NewName(Params):
    name: Name


class Giving(Params):
    role: Role
    scope: Scope = ""
    """A game or a tournament; by default what the token of who asks is for."""
    name: Name = ""
    days: Annotated[int | None, Field(ge=1, le=3650)] = None


class Inviting(Params):
    role: Role
    scope: Scope = ""
    name: Name = ""
    hours: Annotated[int, Field(ge=1, le=8760)] = 24
    many: bool = False


class Rules(Params):
    open_to: OpenTo | None = None
    delay_entries: Annotated[int | None, Field(ge=0, le=1000)] = None
    delay_seconds: Annotated[int | None, Field(ge=0, le=86_400)] = None
    seats_log: bool | None = None


class Joining(Params):
    code: Annotated[str, Field(max_length=40)]


class Latest(Params):
    most: Annotated[int, Field(ge=1, le=10_000)] = 200


@route("join", answer="access-give", public=True)
def join(ask: Ask, said: Joining) -> Answered[PassAnswer]:
    return access.join(ask.caller, said.code)


@route("access-who", public=True)
def who(ask: Ask) -> Answered[WhoAnswer]:
    return access.who(ask.caller)


@route("people-list")
def list_people(ask: Ask) -> Answered[PeopleListAnswer]:
    return people.people(ask.caller)


@route("people-show")
def show_person(ask: Ask) -> Answered[PersonAnswer]:
    return people.known(ask.caller, ask.path["person"])


@route("people-rename")
def rename(ask: Ask, said: NewName) -> Answered[PeopleRenameAnswer]:
    return people.rename(ask.caller, ask.path["person"], said.name)


@route("people-erase")
def erase(ask: Ask) -> Answered[PeopleEraseAnswer]:
    return people.erase(ask.caller, people.find_person(ask.caller, ask.path["person"]))


@route("access-list")
def list_access(ask: Ask) -> Answered[AccessListAnswer]:
    return access.granted(ask.caller)


@route("access-give")
def give(ask: Ask, said: Giving) -> Answered[PassAnswer]:
    return access.give(ask.caller, said.role, scope=said.scope, name=said.name, days=said.days)


@route("access-code")
def invite(ask: Ask, said: Inviting) -> Answered[CodeAnswer]:
    return access.code(
        ask.caller,
        said.role,
        scope=said.scope,
        name=said.name,
        hours=said.hours,
        many=said.many,
    )


@route("access-revoke")
def revoke(ask: Ask) -> Answered[RevokedAnswer]:
    return access.revoke(ask.caller, ask.path["token"])


@route("access-log")
def admissions(ask: Ask, wanted: Latest) -> Answered[AdmissionsAnswer]:
    return access.admissions(ask.caller, most=wanted.most)


@route("game-rules", answer="access-rules")
def game_rules(ask: Ask) -> Answered[AccessRulesAnswer]:
    return access.rules(ask.caller, ask.game)


@route("access-rules")
def set_game_rules(ask: Ask, said: Rules) -> Answered[AccessRulesAnswer]:
    return access.set_rules(ask.caller, ask.game, **said.model_dump())


@route("tournament-rules", answer="access-rules")
def set_tournament_rules(ask: Ask, said: Rules) -> Answered[AccessRulesAnswer]:
    return access.set_rules(ask.caller, ask.tournament, **said.model_dump())


@route("doctor")
def doctor(ask: Ask) -> Answered[DoctorAnswer]:
    return maintenance.doctor(ask.caller.house.store.url, ask.caller.voice)
