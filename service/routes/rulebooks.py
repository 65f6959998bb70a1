"""Games as rulebooks: engines, clauses, readings, kits, schemas, cases."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from answers.admin import schemas
from answers.admin.schemas import SchemaAnswer
from answers.answer import Answered
from answers.rulebooks import boxes, cases, kits, rules
from answers.rulebooks.boxes import OWN, BoxAnswer, BoxName, BoxToldAnswer
from answers.rulebooks.cases import CasesAnswer, Named
from answers.rulebooks.kits import (
    KitCheckAnswer,
    KitDeclareAnswer,
    KitListAnswer,
    KitShowAnswer,
)
from answers.rulebooks.rules import (
    AuditsAnswer,
    EngineInfoAnswer,
    EngineListAnswer,
    ReadingsAnswer,
    RulesAnswer,
)
from engines.kernel.registry import load_engine
from referee.cases.case_file import read_cases
from service.routing import Ask, File, Params, route

Text = Annotated[str | None, Field(max_length=200)]


class Clauses(Params):
    clause: Text = None
    search: Text = None


class Readings(Params):
    search: Text = None


class Kit(Params):
    only: Text = None
    search: Text = None


class Content(Params):
    content: dict[str, Any]
    """A kit file as data."""


class Datum(Params):
    keep: bool = False
    """Keep it for the club as well."""
    path: Annotated[str, Field(max_length=200)]
    value: Any
    source: Annotated[str, Field(max_length=2000)] = ""
    dry_run: bool = False


class Box(Params):
    kit: BoxName = OWN


class Told(Params):
    data: Annotated[dict[str, Any], Field(max_length=1000)] = {}
    as_shown: Annotated[list[str], Field(max_length=200)] = []
    kit: BoxName = OWN
    source: Annotated[str, Field(max_length=200)] = ""


@route("engine-list", public=True)
def list_engines(ask: Ask) -> Answered[EngineListAnswer]:
    return rules.engines(ask.caller.voice.lang)


@route("engine-info", public=True)
def engine(ask: Ask) -> Answered[EngineInfoAnswer]:
    return rules.engine(ask.path["engine"], ask.caller.voice.lang)


@route("rules", public=True)
def clauses(ask: Ask, wanted: Clauses) -> Answered[RulesAnswer]:
    return rules.rules(ask.path["engine"], clause=wanted.clause, search=wanted.search, details=True)


@route("readings", public=True)
def readings(ask: Ask, wanted: Readings) -> Answered[ReadingsAnswer]:
    return rules.readings(ask.path["engine"], search=wanted.search)


@route("audits", public=True)
def audits(ask: Ask) -> Answered[AuditsAnswer]:
    return rules.audits(ask.path["engine"])


@route("kit-list", public=True)
def list_kits(ask: Ask) -> Answered[KitListAnswer]:
    return kits.kits()


@route("kit-show", public=True)
def show_kit(ask: Ask, wanted: Kit) -> Answered[KitShowAnswer]:
    found = load_engine(ask.path["engine"])
    return kits.show(
        found,
        found.kit_sheet(ask.path["kit"]),
        only=wanted.only,
        search=wanted.search,
        lang=ask.caller.voice.lang,
    )


@route("game-kit", answer="kit-show")
def show_box(ask: Ask, wanted: Kit) -> Answered[KitShowAnswer]:
    game = ask.caller.game(ask.game)
    return kits.show(
        game.engine,
        game.sheet,
        only=wanted.only,
        search=wanted.search,
        lang=ask.caller.voice.lang,
    )


@route("kit-check", rehearses=True, public=True)
def check_kit(ask: Ask, said: Content) -> Answered[KitCheckAnswer]:
    return kits.check(said.content)


@route("kit-declare")
def declare(ask: Ask, said: Datum) -> Answered[KitDeclareAnswer]:
    if said.keep and not said.dry_run:
        path, value = kits.stated(ask.caller.game(ask.game), said.path, said.value)
        return boxes.vouch(ask.caller, ask.game, path, value, source=said.source, key=ask.key)
    return kits.declare(
        ask.caller,
        ask.game,
        said.path,
        said.value,
        said.source,
        dry_run=said.dry_run,
        key=ask.key,
    )


@route("kit-box")
def box(ask: Ask, wanted: Box) -> Answered[BoxAnswer]:
    return boxes.box(ask.caller, ask.path["engine"], wanted.kit)


@route("kit-told")
def tell_box(ask: Ask, said: Told) -> Answered[BoxToldAnswer]:
    return boxes.tell(
        ask.caller,
        ask.path["engine"],
        said.data,
        as_shown=said.as_shown,
        name=said.kit,
        source=said.source,
    )


@route("cases", takes_file=True, rehearses=True, public=True)
def run_cases(ask: Ask) -> Answered[CasesAnswer]:
    file = read_cases(ask.content, "cases.toml")
    return cases.run([Named("cases.toml", file)], ask.caller.voice)


@route("schema", public=True)
def list_schemas(ask: Ask) -> Answered[SchemaAnswer]:
    return schemas.names()


@route("schema-show", public=True)
def show_schema(ask: Ask) -> File:
    name = ask.path["schema"]
    return File(f"{name}.schema.json", schemas.schema(name).encode(), "application/schema+json")
