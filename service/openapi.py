"""The OpenAPI 3.1 document, made from the declared operations; and an HTML page of it."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from http import HTTPStatus
from importlib.resources import files
from inspect import getdoc
from typing import Any
from urllib.parse import urlencode

from pydantic import TypeAdapter

from answers.declaration import Operation, named
from answers.i18n import Voice
from answers.limits import PathPart
from answers.operations import STREAMS, roles_for, routes
from answers.permissions import EVERYBODY, ROLES
from referee.untrusted.optional_packages import version
from service.described import DescribedSchema, described, markdown
from service.negotiation import LONGEST_HEADER
from service.problems import MEDIA, STATUSES, voice_in

BASE = "/api/v1"
_REF = "#/components/schemas/{model}"
_HEADERS = {
    "Idempotency-Key": {"type": "string", "pattern": "^[A-Za-z0-9_:-]{1,100}$"},
    "If-Match": {"type": "string", "maxLength": LONGEST_HEADER, "examples": ['"41"']},
    "Prefer": {"type": "string", "maxLength": LONGEST_HEADER, "examples": ["return=minimal"]},
}
SENT = "@"
"""In an example, the name of the file that is sent."""
LAST_EVENT = "^-?[0-9]{1,12}$"
LIVE = {each.name: each.path for each in STREAMS}
"""The live streams (SSE), which are no operations."""
SUBJECTS = (
    "play", "judge", "tournament", "season", "review", "proof", "rulebooks", "admin", "live",
)  # fmt: skip
"""What the operations are about: so they are grouped in the document and on its page."""
_LIVE = (
    "Server-sent events: `id` is the number of the entry, `event` its kind, `data` what a request "
    "for it would answer. A lost connection goes on behind `Last-Event-ID`."
)

_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "code", "facts"],
    "properties": described(
        {
            "type": {"type": "string"},
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "detail": {"type": "string"},
            "code": {"type": "string"},
            "facts": {"type": "object"},
            "told": {"type": "array", "items": {"type": "string"}},
            "data": {"type": "object"},
            "missed": {"type": "array", "items": {"type": "object"}},
        },
        "Problem",
    ),
}


@cache
def document(lang: str) -> dict[str, Any]:
    """The OpenAPI document in one language."""
    voice = voice_in("fr" if lang == "fr" else "en")
    schemas, components = _schemas()
    paths: dict[str, dict[str, Any]] = {}
    for route in sorted(routes(), key=_order):
        place = paths.setdefault(route.path.replace(":path", ""), {})
        place[route.method.lower()] = _operation(route, schemas, components, voice)
    for operation, path in LIVE.items():
        paths[path] = {"get": _stream(operation, path, voice)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": voice.say("page.title"),
            "description": voice.say("page.about"),
            "version": version(),
        },
        "servers": [{"url": BASE}],
        "security": [{"bearer": []}, {"cookie": []}, {}],
        "tags": [
            {"name": name, "description": voice.say(f"page.about_{name}")} for name in SUBJECTS
        ],
        "paths": paths,
        "components": {
            "schemas": {**components, "Problem": _PROBLEM},
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "referee"},
            },
        },
    }


def _schemas() -> tuple[dict[tuple[str, str], Any], dict[str, Any]]:
    """JSON Schemas of every request and answer, and their shared definitions."""
    wanted: list[tuple[Any, Any, TypeAdapter[Any]]] = []
    for route in routes():
        if route.says is not None:
            wanted.append(((route.name, "says"), "validation", TypeAdapter(route.says)))
        if route.answers is not None:
            wanted.append(((route.name, "answers"), "serialization", TypeAdapter(route.answers)))
    made, definitions = TypeAdapter.json_schemas(
        wanted, ref_template=_REF, schema_generator=DescribedSchema
    )
    schemas = {key: schema for (key, _), schema in made.items()}
    return schemas, definitions.get("$defs", {})


def _operation(
    route: Operation, schemas: dict[tuple[str, str], Any], components: dict[str, Any], voice: Voice
) -> dict[str, Any]:
    says = schemas.get((route.name, "says"))
    in_query = route.asks_in_query or route.takes_file
    shown = _examples().get(route.name, {})
    parameters = [
        *_path_parameters(route.names),
        *(_query_parameters(says, components) if says and in_query else []),
        *_header_parameters(route),
    ]
    told = {
        "operationId": route.name,
        "summary": voice.say(f"operation.{route.name}"),
        **({"description": markdown(about)} if (about := getdoc(route.run)) else {}),
        "tags": [subject(route)],
        "x-roles": list(roles_of(route.name)),
        "parameters": [
            {**each, "example": shown[each["name"]]} if each["name"] in shown else each
            for each in parameters
        ],
        "responses": _responses(route, schemas.get((route.name, "answers"))),
    }
    if route.takes_file:
        what = markdown(getdoc(named(route.upload)) or "")
        content: dict[str, Any] = {"application/octet-stream": {}}
        told["requestBody"] = {"description": what, "required": True, "content": content}
        told["x-codeSamples"] = [{"lang": "Shell", "source": _uploading(route, shown)}]
    elif says and not in_query:
        body = {name: shown[name] for name in shown if name not in (*route.names, *_HEADERS)}
        example = {"example": body} if shown else {}
        told["requestBody"] = {"content": {"application/json": {"schema": says, **example}}}
    return told


def _uploading(route: Operation, shown: dict[str, Any]) -> str:
    """How a shell sends the file of the example, which JSON cannot show."""
    query = {name: shown[name] for name in shown if name not in (*route.names, SENT)}
    place = route.path.format(**shown) + ("?" if query else "") + urlencode(query, doseq=True)
    address = f'"$SERVICE{BASE}{place}"'
    return f'curl {address} --data-binary @{shown[SENT]} -H "Authorization: Bearer $TOKEN"'


@cache
def _examples() -> dict[str, dict[str, Any]]:
    """Requests that are answered: written from the tests that ask them."""
    found: dict[str, dict[str, Any]] = json.loads((files("service") / "examples.json").read_text())
    return found


def _order(route: Operation) -> int:
    """Where its subject comes; what has none of them comes last."""
    about = subject(route)
    return SUBJECTS.index(about) if about in SUBJECTS else len(SUBJECTS)


def subject(route: Operation) -> str:
    """What it is about: the room that its function stands in."""
    return route.run.__module__.split(".")[1]


def _path_parameters(names: list[str]) -> list[dict[str, Any]]:
    part = TypeAdapter(PathPart).json_schema()
    return [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name, schema in described(dict.fromkeys(names, part)).items()
    ]


def _query_parameters(says: dict[str, Any], components: dict[str, Any]) -> list[dict[str, Any]]:
    model = components[says["$ref"].rpartition("/")[2]] if "$ref" in says else says
    required = model.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": schema}
        for name, schema in model.get("properties", {}).items()
    ]


def _header_parameters(route: Operation) -> list[dict[str, Any]]:
    if not route.writes:
        return []
    required = ("Idempotency-Key",) if route.key_as_said else ()  # the signature covers it
    return [
        {"name": name, "in": "header", "required": name in required, "schema": schema}
        for name, schema in described(_HEADERS).items()
    ]


def _responses(route: Operation, answers: Any) -> dict[str, Any]:
    if answers is None:
        done: dict[str, Any] = {"description": "The file.", "content": {"*/*": {}}}
    else:
        schema = {
            "type": "object",
            "required": ["ok", "schema", "data", "told", "warnings", "version"],
            "properties": described(
                {
                    "ok": {"type": "boolean"},
                    "schema": {"const": f"referee/{route.schema}@1"},
                    "data": answers,
                    "told": {"type": "array", "items": {"type": "string"}},
                    "warnings": {"type": "array", "items": {"type": "string"}},
                    "version": {"type": ["integer", "null"]},
                },
                "Envelope",
            ),
        }
        done = {"description": "Done.", "content": {"application/json": {"schema": schema}}}
    problem = {"content": {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    statuses = sorted({status for status in STATUSES.values() if _possible(route, status)})
    return {"200": done} | {
        str(status): {"description": _codes_of(status), **problem} for status in statuses
    }


def _codes_of(status: int) -> str:
    """The problems that are answered with a status, as readers of OpenAPI show them."""
    codes = sorted(f"`{code}`" for code, each in STATUSES.items() if each == status)
    return f"{HTTPStatus(status).phrase}: {', '.join(codes)}"


def _possible(route: Operation, status: int) -> bool:
    return route.writes if status == 422 else True


def _stream(operation: str, path: str, voice: Voice) -> dict[str, Any]:
    names = [name for name in ("game", "tournament") if f"{{{name}}}" in path]
    seen = {"type": "string", "pattern": LAST_EVENT}
    (last,) = (
        {"name": name, "in": "header", "required": False, "schema": schema}
        for name, schema in described({"Last-Event-ID": seen}).items()
    )
    return {
        "operationId": operation,
        "summary": voice.say(f"operation.{operation}"),
        "description": _LIVE,
        "tags": ["live"],
        "x-roles": list(roles_of(operation)),
        "parameters": [*_path_parameters(names), last],
        "responses": {"200": {"description": "Events.", "content": {"text/event-stream": {}}}},
    }


def roles_of(operation: str) -> tuple[str, ...]:
    """The roles that may call an operation, in the usual order."""
    return tuple(role for role in ROLES if role in roles_for(operation))


# the page


def page(lang: str) -> str:
    """The document as an HTML page without external resources."""
    voice = voice_in("fr" if lang == "fr" else "en")
    told = document(lang)
    operations = "".join(
        f'<h3 id="{tag["name"]}">{escape(tag["description"])}</h3>'
        + "".join(
            _section(path, method, operation, voice)
            for path, methods in told["paths"].items()
            for method, operation in methods.items()
            if tag["name"] in operation["tags"]
        )
        for tag in told["tags"]
    )
    listed = "".join(
        f'<section id="{kind}"><h3>{status} <code>{kind}</code></h3>'
        f"<p>{escape(voice.say(f'problem_title.{kind}'))}</p></section>"
        for kind, status in STATUSES.items()
    )
    return framed(
        voice,
        f"<p>{escape(voice.say('page.about'))}</p>"
        f'<p><a href="/api/openapi.json">{escape(voice.say("page.document"))}</a></p>'
        f"<h2>{escape(voice.say('page.operations'))}</h2>{operations}"
        f"<h2>{escape(voice.say('page.problems'))}</h2>{listed}",
    )


def _section(path: str, method: str, operation: dict[str, Any], voice: Voice) -> str:
    rows = []
    if frozenset(operation["x-roles"]) != EVERYBODY.names:
        rows.append((voice.say("page.roles"), ", ".join(operation["x-roles"])))
    asked = [each["name"] for each in operation["parameters"] if each["in"] == "query"]
    if asked:
        rows.append((voice.say("page.asks"), " ".join(asked)))
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body:
        rows.append((voice.say("page.says"), _name(body["schema"])))
    answer = operation["responses"]["200"]["content"].get("application/json")
    told = _name(answer["schema"]["properties"]["data"]) if answer else voice.say("page.a_file")
    rows.append((voice.say("page.answers"), told))
    listed = "".join(
        f"<dt>{escape(label)}</dt><dd><code>{escape(text)}</code></dd>" for label, text in rows
    )
    return (
        f'<section id="{operation["operationId"]}"><h4><span class="method">{method.upper()}</span>'
        f"<code>{escape(BASE + path)}</code></h4><p>{escape(operation['summary'])}</p>"
        f"<dl>{listed}</dl></section>"
    )


def _name(schema: dict[str, Any]) -> str:
    """What a schema is called."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    return " | ".join(_name(each) for each in schema.get("anyOf", ())) or str(schema.get("title"))


def framed(voice: Voice, body: str) -> str:
    title = escape(voice.say("page.title"))
    return (
        f'<!doctype html><html lang="{voice.lang}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{title}</title>'
        f'<link rel="stylesheet" href="/api/docs.css"></head><body><main><h1>{title}</h1>'
        f"{body}</main></body></html>"
    )


def stylesheet() -> bytes:
    return (files("service") / "docs.css").read_bytes()
