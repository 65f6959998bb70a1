"""Positions that somebody declares: files of them, and some to begin with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from answers.i18n import Voice
from answers.rulebooks.games import LETTERS
from engines.kernel import Engine
from engines.kernel.messages.catalogue import Catalogue, Language
from engines.kernel.messages.errors import ParseError
from engines.kernel.registry import load_engine
from referee.record.positions import (
    PositionFile,
    judge_from_position,
    position_file,
    read_position,
)
from referee.untrusted.safe_toml import read_toml, write_toml
from replays.examples import examples
from replays.gallery import sample, samples


def parse(text: str) -> dict[str, Any]:
    """The data of a position file, as untrusted text."""
    return read_toml(text.encode(), "position.toml")


def write(data: dict[str, Any]) -> str:
    return write_toml(data)


def check(data: Mapping[str, Any]) -> PositionFile:
    """A position file of a game that there is; else a refusal that says what is wrong."""
    file = read_position(data)
    load_engine(file.game)
    return file


def moments(engine: str, most: int) -> list[int]:
    """So many moments of the sample game at which one may begin; none, if there is no sample."""
    if engine not in samples() or load_engine(engine).position is None:
        return []
    numbers = sample(engine).numbers()
    return numbers[:: max(1, len(numbers) // most)][1:most]


def at_moment(engine: str, number: int) -> dict[str, Any]:
    """A moment of the sample game as a position file."""
    return position_file(sample(engine), number)


def at_setup(engine: str) -> dict[str, Any]:
    """A table that has just been opened."""
    return {"game": engine, "table": _usual_table(load_engine(engine))}


def of_example(engine: str, clause: str, number: str) -> tuple[dict[str, Any], list[str]] | None:
    """The start of an example of a clause, and its lines; the first has number 1."""
    known = examples(engine)
    found = known.of(clause)
    if number not in map(str, range(1, len(found) + 1)):
        return None
    example = found[int(number) - 1]
    return known.starts[example.start].model_dump(exclude_defaults=True), [*example.lines]


def _usual_table(engine: Engine[Any, Any]) -> str:
    """A usual table; of a game that names none, the first that can be opened."""
    players = engine.seats[0]
    try:
        return engine.opening.usual(players)
    except ParseError:
        plain = " ".join(["table", *LETTERS[:players]])
    for line in (plain, f"{plain} first A"):
        try:
            if judge_from_position(PositionFile(game=engine.id, table=line), []).refused is None:
                return line
        except ParseError:
            continue
    return plain


def field_name(voice: Voice, engine: str, field: str) -> str:
    """How a field of a position is called where a person changes it by hand."""
    known = partial(_name, load_engine(engine).words, voice.lang)
    if (name := known(field)) is not None:
        return name
    return "".join(
        _JOINTS.get(part, part) if part in _JOINTS else known(part) or part
        for part in _PARTS.split(field)
    )


def _name(words: Catalogue, lang: Language, code: str) -> str | None:
    keys = (f"field.{code}", f"fact.{code}", f"term.{code}")
    entry = next(filter(None, map(words.entry, keys)), None)
    return None if entry is None else entry[lang]


_PARTS = re.compile(r"([_ :@]|(?<=[a-z]{3})(?=\d))")
_JOINTS = {"_": " ", "": " ", ":": " · ", "@": " · "}
"""What parts the words of a code: ``dream_1``, ``grove2``, ``A:deck``, ``V3@1``."""
