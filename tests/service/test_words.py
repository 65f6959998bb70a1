"""Whatever the service says exists in both languages."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from answers.operations import routes
from engines.kernel.messages.catalogue import LANGUAGES
from engines.kernel.messages.package_data import read_words
from service.openapi import LIVE
from service.problems import CATALOGUES, STATUSES, voice_in

FOLDER = Path(__file__).parents[2] / "service"
SOURCES = "\n".join(file.read_text("utf-8") for file in FOLDER.rglob("*.py"))


def both(key: str) -> bool:
    entry = voice_in("en").words.entry(key)
    return entry is not None and set(LANGUAGES) <= set(entry)


@pytest.mark.parametrize("operation", [*(each.name for each in routes()), *LIVE])
def test_every_operation_has_a_summary(operation: str) -> None:
    assert both(f"operation.{operation}")


def test_every_kind_of_problem_has_a_title() -> None:
    assert all(both(f"problem_title.{kind}") for kind in STATUSES)


def test_every_refusal_is_told() -> None:
    keys = set(re.findall(r'HttpRefusal\(\s*"[a-z_]+",\s*"([a-z_]+)"', SOURCES))
    assert len(keys) > 10
    assert {key for key in keys if not both(f"door.{key}")} == set()


def test_nothing_is_told_that_nobody_says() -> None:
    told = {name.partition(".")[2] for name in voice_in("en").words if name.startswith("door.")}
    assert {name for name in told if f'"{name}"' not in SOURCES} == set()


def test_no_catalogue_says_something_else_under_the_same_key() -> None:
    """The service knows all of them at once, a program only those of its command."""
    packages = ("answers", "referee", "engines.kernel", *CATALOGUES)
    catalogues = [read_words(package) for package in packages]
    for one, other in combinations(catalogues, 2):
        shared = {key for key in {*one} & {*other} if one.entry(key) != other.entry(key)}
        assert shared == set()
