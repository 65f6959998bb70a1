"""Commands with any arguments: every command, every option, with words that fit or do not.

``corpus/arguments/*.json`` holds lists of words, each called in every run.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from cli.main import app
from tests.fuzz.mangling import ODD_WORDS, mangled_word
from tests.fuzz.program import CORPUS, SEED, Program, rounds

pytestmark = pytest.mark.xdist_group("fuzzed arguments")

LONG = {("demo",), ("gallery",), ("backup",), ("restore",), ("serve",), ("engine", "dev")}
"""They write whole stores and folders, or go on until they are stopped: tested elsewhere."""
FITTING = (
    *(
        "A",
        "B",
        "judge",
        "public",
        "seat:A",
        "1",
        "2",
        "3",
        "7",
        "0",
        "all",
        "d1",
        "r1",
        "n1",
        "x1",
    ),
    *(
        "benevolent",
        "bethel_woods",
        "BEN-MOVE-3",
        "BEN-MOVE-11",
        "hoard_take=all",
        "turn_end",
        "Ana",
    ),
    *(
        "Bo",
        "Cleo",
        "jo",
        "warning",
        "stands",
        "step",
        "c1",
        "first",
        "A=blue",
        "B=red",
        "A=Ana",
        "en",
    ),
    *(
        "record",
        "text",
        "html",
        "csv",
        "md",
        "json",
        "pods",
        "trf",
        "bash",
        "log",
        "players.A.leaves=2",
    ),
    *(
        "position.toml",
        "kit.toml",
        "preset.toml",
        "record.jsonl",
        "record.txt",
        "rulings.toml",
        "seal.toml",
    ),
    *(
        "keys.toml",
        "players.csv",
        "pods.json",
        "deal.json",
        "piles.toml",
        "case.toml",
        "nothing.toml",
    ),
    *(
        "swiss",
        "knockout",
        "round-robin",
        "duplicate",
        "2-4/3",
        "0.5",
        "1=2",
        "A>B",
        "so",
        "good move",
    ),
)
TYPEABLE = [word for word in ODD_WORDS if "\0" not in word]
"""No system hands over a zero byte."""
GLOBAL = (
    (),
    (),
    (),
    ("--json",),
    ("--lang", "fr"),
    ("-q",),
    ("--as", "Jo:judge"),
    ("--as", "B:seat:B"),
)


@cache
def commands() -> dict[tuple[str, ...], list[Any]]:
    """Every command by its words, with its parameters."""
    root: Any = typer.main.get_command(app)
    found = ((name,) for name in root.list_commands(None))
    return dict(
        pair for words in found for pair in _leaves(words, root.get_command(None, words[0]))
    )


def _leaves(words: tuple[str, ...], command: Any) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
    inside = command.list_commands(None) if hasattr(command, "list_commands") else ()
    for name in inside:
        yield from _leaves((*words, name), command.get_command(None, name))
    if not inside and words not in LONG:
        yield words, command.params


def call(words: tuple[str, ...], chance: random.Random) -> list[str]:
    """The command with some of its options and any number of words."""
    arguments = [*words]
    for param in commands()[words]:
        if param.param_type_name == "option":
            if chance.random() < 0.3 and param.name != "help":
                arguments.append(chance.choice(param.opts))
                if not param.is_flag:
                    arguments += [any_word(chance) for _ in range(param.nargs)]
        else:
            most = 3 if param.nargs == -1 else param.nargs
            arguments += [any_word(chance) for _ in range(chance.choice((most, 1, 0)))]
    if chance.random() < 0.1:
        arguments.insert(chance.randrange(len(arguments) + 1), any_word(chance))
    return [*chance.choice(GLOBAL), *arguments]


def any_word(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.65:
        return chance.choice(FITTING)
    if kind < 0.8:
        return mangled_word(chance.choice(FITTING), chance).replace("\0", "")
    return chance.choice(TYPEABLE)


def test_commands_do_something_or_refuse_with_a_reason(program: Program) -> None:
    chance, known = random.Random(f"{SEED} arguments"), sorted(commands())
    for number in rounds(len(known)):
        if number % 50 == 0:
            program.must("open", program.game)
        words = call(known[number % len(known)], chance)
        program.try_out(words, several=True)


@pytest.mark.parametrize(
    "path", sorted((CORPUS / "arguments").iterdir()), ids=lambda path: path.stem
)
def test_known_words_do_no_harm(program: Program, path: Path) -> None:
    for words in json.loads(path.read_text("utf-8")):
        program.try_out(words, several=True)
