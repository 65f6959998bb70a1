"""The kernel by name (docs/kernel-by-name.md): written from the docstrings, whose examples run."""

from __future__ import annotations

import doctest
import inspect
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest
from msgspec import NODEFAULT, Struct
from pydantic import BaseModel

import engines.kernel
from engines.kernel import Action, Agenda, Rulebook, State
from engines.kernel.picture import layout, svg
from engines.kernel.rules import hearing
from service.described import _docstrings
from tests.tutorial import ROOT

PAGE = ROOT / "docs" / "kernel-by-name.md"
HEAD = """# The kernel, by name

What a game may import, with signature, meaning and, where it helps, an example. This page is
written from the docstrings (`make quotes`), and the tests run its examples. [Write a
game](write-a-game.md) shows how the parts go together, [recipes](game-recipes.md) what they are
for.

The names of this page keep, or warn for one version and say what to write instead.

The examples know a game of pebbles: `rules = Rulebook({"turn": (Take,)})`, an action `Take` with
a number of `pebbles`, and a state `Tableau` with a `heap`.
"""
BESIDE = {
    "engines.kernel.rules.hearing": (hearing, ("Refused",)),
    "engines.kernel.picture.layout": (layout, ("Frame", "Part", "stacked")),
    "engines.kernel.picture.svg": (svg, ("el", "text", "joined", "worded")),
}
EXPLAINED = ("Rulebook", "Hearing", "Bag", "Tray", "Agenda", "SECRET")
"""An example of each is asked for; of a rulebook one for each decorator."""


class Take(Action):
    verb: Literal["take"] = "take"
    pebbles: int = 1
    forms: ClassVar = ("{pebbles}",)


class Tableau(State, frozen=True):
    heap: int = 0


def names() -> Iterator[tuple[str, str, Any]]:
    """Everything that a game may import: from where, its name, and what it is."""
    for name in engines.kernel.__all__:
        yield "engines.kernel", name, getattr(engines.kernel, name)
    for module, (found, listed) in BESIDE.items():
        for name in listed:
            yield module, name, getattr(found, name)


def test_the_page_says_what_the_docstrings_say() -> None:
    """``REFEREE_REWRITE=1`` writes it anew."""
    parts = [HEAD]
    for module in ("engines.kernel", *BESIDE):
        parts.append(f"## {module}\n")
        listed = [(name, value) for where, name, value in names() if where == module]
        for name, value in sorted(listed, key=lambda each: each[0].lower()):
            parts += told(name, value)
    page = "\n".join(parts).rstrip("\n") + "\n"
    if os.environ.get("REFEREE_REWRITE"):
        PAGE.write_text(page, "utf-8")
    assert PAGE.read_text("utf-8") == page


def told(name: str, value: Any) -> Iterator[str]:
    yield f"### {name}\n"
    if not callable(value) or name == "SECRET":
        yield from body(type(value).__doc__ if name == "SECRET" else "")
        if name != "SECRET":
            yield f"A constant: `{value!r}`.\n"
        return
    if shown := signature(name, value):
        yield f"```text\n{shown}\n```\n"
    yield from body(inspect.getdoc(value))
    if not inspect.isclass(value):
        return
    fields = _docstrings(value.__module__).get(value.__qualname__, {})
    for field, meaning in fields.items():
        yield f"- `{field}`: {plain(meaning)}"
    if fields:
        yield ""
    for method, function in vars(value).items():
        made = function.fget if isinstance(function, property) else function
        if method.startswith("_") or not inspect.isfunction(made) or not made.__doc__:
            continue
        called = method if made is not function else signature(method, made, method=True)
        yield f"#### {name}.{method}\n\n```text\n{called}\n```\n"
        yield from body(inspect.getdoc(made))


def signature(name: str, value: Any, *, method: bool = False) -> str:
    if inspect.isclass(value) and issubclass(value, Struct):
        return f"{name}({', '.join(struct_fields(value))})"
    if inspect.isclass(value) and issubclass(value, BaseModel):
        fields = value.model_fields  # whether it was built already makes no difference
        return f"{name}({', '.join(each for each in fields)})"
    try:
        said = inspect.signature(value)
    except ValueError:
        return ""
    given = [
        each.replace(annotation=inspect.Parameter.empty, default=plain_default(each.default))
        for each in said.parameters.values()
    ]
    text = said.replace(
        parameters=given[1:] if method and given and given[0].name == "self" else given,
        return_annotation=inspect.Signature.empty,
    )
    return f"{name}{text}"


def struct_fields(value: Any) -> Iterator[str]:
    """The fields of a frozen class, with their defaults."""
    usual = value.__struct_defaults__
    needed = len(value.__struct_fields__) - len(usual)
    for index, field in enumerate(value.__struct_fields__):
        default = usual[index - needed] if index >= needed else NODEFAULT
        plainly = default is NODEFAULT or type(default).__name__ == "Factory"
        shown = (
            "" if default is NODEFAULT else f"={'…' if plainly else repr(plain_default(default))}"
        )
        yield field + shown


class Named:
    """A default that is a function: shown as dots."""

    def __repr__(self) -> str:
        return "…"


def plain_default(value: Any) -> Any:
    odd = value is not inspect.Parameter.empty and re.search(r" at 0x|^<", repr(value))
    return Named() if odd else value


def body(docstring: str | None) -> Iterator[str]:
    """A docstring as Markdown: its examples are code."""
    text = inspect.cleandoc(docstring or "")
    words, mark, example = text.partition(">>> ")
    if words.strip():
        yield plain(words).strip() + "\n"
    if mark:
        yield f"```pycon\n>>> {example.rstrip()}\n```\n"


def plain(text: str) -> str:
    return text.replace("``", "`")


@pytest.mark.parametrize(
    ("module", "name"), [(module, name) for module, name, _ in names()], ids=lambda each: each
)
def test_the_examples_of_a_name_run(module: str, name: str) -> None:
    value = {each: what for where, each, what in names() if where == module}[name]
    told_of = type(value) if name == "SECRET" else value
    home = {**vars(engines.kernel), "Take": Take, "Tableau": Tableau}
    home |= {"rules": Rulebook({"turn": (Take,)}), "Agenda": Agenda}
    found = []
    if inspect.isclass(told_of) or inspect.isfunction(told_of):
        finder = doctest.DocTestFinder(exclude_empty=True)
        found = finder.find(told_of, name, globs=home)
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    for test in found:
        test.globs = dict(home)
        failed, _ = runner.run(test)
        assert failed == 0, test.name
    shown = {test.name for test in found if test.examples}
    if name in EXPLAINED:
        assert shown
    if name == "Rulebook":
        decorators = [
            f"{name}.{each}"
            for each, made in vars(Rulebook).items()
            if inspect.isfunction(made)
            and not each.startswith("_")
            and each not in ("written_in", "ends_unsaid")
        ]
        assert set(decorators) <= shown


def test_the_guide_leads_to_the_page() -> None:
    for name in ("write-a-game.md", "game-recipes.md", "kernel.md"):
        assert "kernel-by-name.md" in Path(ROOT / "docs" / name).read_text("utf-8")
