"""``python -m tools.clients``: the small clients of the API, written from its OpenAPI document.

They have what a program at a table or at the desk of a tournament needs; a test says when they are
to be written anew. What makes packages of them is written too (``pyproject.toml``,
``package.json``).
"""

from __future__ import annotations

import json
import keyword
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from referee.untrusted.optional_packages import version
from service.openapi import document

HERE = Path(__file__).parent
FOLDER = HERE.parent / "docs" / "clients"
NAMES = (
    "games", "new", "info", "log", "check", "state", "options", "choices", "why", "moves",
    "entries", "undo", "redo", "finish", "dispute-open", "access-who", "join", "engine-list",
    "tournament-list", "tournament-new", "tournament-info", "tournament-players",
    "tournament-register", "tournament-check-in", "tournament-pair", "tournament-start",
    "tournament-round", "tournament-table", "tournament-result", "tournament-round-close",
    "tournament-standings", "tournament-close",
)  # fmt: skip
"""The operations that the clients have."""
SIMPLE = {
    "string": ("str", "string"),
    "integer": ("int", "number"),
    "number": ("float", "number"),
    "boolean": ("bool", "boolean"),
    "null": ("None", "null"),
}


class Argument(NamedTuple):
    name: str
    schema: dict[str, Any]
    required: bool


class Call(NamedTuple):
    """One operation as a method."""

    name: str
    summary: str
    method: str
    path: str
    places: list[str]
    query: list[Argument]
    body: list[Argument]
    answer: dict[str, Any]


def calls(api: dict[str, Any]) -> Iterator[Call]:
    found = {
        operation["operationId"]: (path, method, operation)
        for path, methods in api["paths"].items()
        for method, operation in methods.items()
    }
    for name in NAMES:
        path, method, operation = found[name]
        asked = operation["parameters"]
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        framed = operation["responses"]["200"]["content"]["application/json"]["schema"]
        yield Call(
            name.replace("-", "_"),
            operation["summary"],
            method.upper(),
            path,
            [each["name"] for each in asked if each["in"] == "path"],
            [
                Argument(each["name"], each["schema"], each["required"])
                for each in asked
                if each["in"] == "query"
            ],
            [*_arguments(body.get("schema"), api)],
            framed["properties"]["data"],
        )


def _arguments(schema: dict[str, Any] | None, api: dict[str, Any]) -> Iterator[Argument]:
    if schema is None:
        return
    said = api["components"]["schemas"][_name(schema)]
    for name, each in said["properties"].items():
        yield Argument(name, each, name in said.get("required", ()))


def _name(schema: dict[str, Any]) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def used(api: dict[str, Any], found: list[Call]) -> dict[str, dict[str, Any]]:
    """The schemas that the calls name, directly or through others."""
    everything = api["components"]["schemas"]
    open_ = json.dumps([[call.answer, call.query, call.body] for call in found])
    names: dict[str, None] = {}
    while new := [name for name in re.findall(r"schemas/(\w+)", open_) if name not in names]:
        names |= dict.fromkeys(new)
        open_ = json.dumps([everything[name] for name in new])
    return {name: everything[name] for name in sorted(names)}


def written_type(schema: dict[str, Any], js: bool) -> str:
    """A schema as an annotation of Python, or of JSDoc."""
    if "$ref" in schema:
        return _name(schema)
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        literals = [json.dumps(value) for value in values]
        return "|".join(literals) if js else f"Literal[{', '.join(literals)}]"
    if "anyOf" in schema:
        each = dict.fromkeys(written_type(one, js) for one in schema["anyOf"])
        return ("|" if js else " | ").join(each)
    kind = schema.get("type")
    if kind == "array":
        inner = written_type(schema.get("items", {}), js)
        return f"Array<{inner}>" if js else f"list[{inner}]"
    if kind == "object":
        more = schema.get("additionalProperties")
        inner = written_type(more if isinstance(more, dict) else {}, js)
        return f"Record<string, {inner}>" if js else f"dict[str, {inner}]"
    if kind in SIMPLE:
        return SIMPLE[kind][js]
    return "any" if js else "Any"


# Python


def python_client() -> str:
    api = document("en")
    found = [*calls(api)]
    lines = [_head("py"), ""]
    for call in found:
        lines += ["", *_python_method(call)]
    lines.append("")
    for name, schema in used(api, found).items():
        lines += ["", *_python_type(name, schema)]
    return _formatted("\n".join(lines) + "\n")


def _head(language: str) -> str:
    """What is written by hand: how to ask, and how to follow a stream."""
    return (HERE / f"client_head.{language}.txt").read_text("utf-8").rstrip("\n")


def _formatted(code: str) -> str:
    asked = [
        sys.executable,
        "-m",
        "ruff",
        "format",
        "--quiet",
        "--stdin-filename",
        str(FOLDER / "referee_client.py"),
        "-",
    ]
    done = subprocess.run(asked, input=code, capture_output=True, text=True, check=True)
    return done.stdout


def _python_type(name: str, schema: dict[str, Any]) -> Iterator[str]:
    properties = schema.get("properties")
    if properties is None or any(keyword.iskeyword(each) for each in properties):
        yield f"{name} = dict[str, Any]"
        return
    yield ""
    yield f"class {name}(TypedDict):"
    required = schema.get("required", ())
    for field, each in properties.items():
        kind = written_type(each, js=False)
        yield f"    {field}: {kind if field in required else f'NotRequired[{kind}]'}"


def _python_method(call: Call) -> Iterator[str]:
    places = [f"{name}: str" for name in call.places]
    named_args = (*call.query, *call.body)
    # a field of the body may be called as a part of the address is
    own = {
        each.name: f"{each.name}_" * (each.name in call.places) or each.name for each in named_args
    }
    options = [
        f"{own[each.name]}: {written_type(each.schema, js=False)}"
        if each.required
        else f"{own[each.name]}: {_optional(written_type(each.schema, js=False))} = None"
        for each in sorted(named_args, key=lambda each: not each.required)
    ]
    star = ["*"] if options else []
    answer = written_type(call.answer, js=False)
    said = ", ".join(["self", *places, *star, *options])
    yield f"    def {call.name}({said}) -> {answer}:"
    yield f'        """{call.summary}."""'
    path = re.sub(r"\{(\w+)\}", r"{quote(\1)}", call.path)
    told = f'f"{path}"' if call.places else f'"{path}"'
    for group, named in (("query", call.query), ("body", call.body)):
        pairs = ", ".join(f'"{each.name}": {own[each.name]}' for each in named)
        if named:
            yield f"        {group} = {{{pairs}}}"
    more = "".join(f", {group}={group}" for group in ("query", "body") if getattr(call, group))
    if call.method != "GET" and not call.body:
        more += ", body={}"
    yield f'        answer: {answer} = self._ask("{call.method}", {told}{more})'
    yield "        return answer"


def _optional(kind: str) -> str:
    return kind if kind.endswith("None") or kind == "Any" else f"{kind} | None"


# JavaScript


def javascript_client() -> str:
    api = document("en")
    found = [*calls(api)]
    lines = [_head("js")]
    for call in found:
        lines += ["", *_javascript_method(call)]
    lines += ["}", ""]
    for name, schema in used(api, found).items():
        lines.append(_javascript_type(name, schema))
    return "\n".join(lines) + "\n"


def _javascript_type(name: str, schema: dict[str, Any]) -> str:
    properties = schema.get("properties")
    if properties is None:
        return f"/** @typedef {{Record<string, any>}} {name} */"
    required = schema.get("required", ())
    fields = ", ".join(
        f"{field}{'' if field in required else '?'}: {written_type(each, js=True)}"
        for field, each in properties.items()
    )
    return f"/** @typedef {{{{{fields}}}}} {name} */"


def _javascript_method(call: Call) -> Iterator[str]:
    said = [*call.query, *call.body]
    needed = any(each.required for each in said)
    fields = ", ".join(
        f"{each.name}{'' if each.required else '?'}: {written_type(each.schema, js=True)}"
        for each in said
    )
    names = [*call.places, *(["said"] if said else [])]
    yield "  /**"
    yield f"   * {call.summary}."
    yield from (f"   * @param {{string}} {name}" for name in call.places)
    if said:
        yield f"   * @param {{{{{fields}}}}} {'said' if needed else '[said]'}"
    yield f"   * @returns {{Promise<{written_type(call.answer, js=True)}>}}"
    yield "   */"
    path = re.sub(r"\{(\w+)\}", r"${encodeURIComponent(\1)}", call.path)
    given = ", said" if said else ""
    name = re.sub(r"_(\w)", lambda letter: letter[1].upper(), call.name)
    named = ", ".join(names if needed or not said else [*names[:-1], "said = {}"])
    yield f'  {name}({named}) {{ return this.ask("{call.method}", `{path}`{given}); }}'


# packages


def python_package() -> str:
    return f"""[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "referee-client"
version = "{version()}"
description = "A client of the API of referee serve"
requires-python = ">=3.11"
license = "Apache-2.0"

[tool.setuptools]
py-modules = ["referee_client"]
"""


def javascript_package() -> str:
    told = {
        "name": "referee-client",
        "version": version(),
        "description": "A client of the API of referee serve",
        "license": "Apache-2.0",
        "type": "module",
        "exports": "./referee_client.js",
        "files": ["referee_client.js"],
        "engines": {"node": ">=18"},
    }
    return json.dumps(told, indent=2) + "\n"


WRITTEN = {
    "referee_client.py": python_client,
    "referee_client.js": javascript_client,
    "pyproject.toml": python_package,
    "package.json": javascript_package,
}
"""By the name of the file: who writes it."""


def build(into: Path) -> None:
    """The packages, as they are released: a wheel, sources, and an archive of npm."""
    with TemporaryDirectory() as folder:
        for name in WRITTEN:
            shutil.copy(FOLDER / name, folder)
        isolated = ("--installer", "uv")
        subprocess.run(
            [sys.executable, "-m", "build", *isolated, "--outdir", str(into), folder],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        pack(Path(folder), into)


def pack(folder: Path, into: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise FileNotFoundError("npm, which packs the client for JavaScript")
    subprocess.run(
        [npm, "pack", "--silent", "--pack-destination", str(into)], cwd=folder, check=True,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, write in WRITTEN.items():
        (FOLDER / name).write_text(write(), "utf-8")


if __name__ == "__main__":
    main()
