"""What the pages say is true: their programs run, their cases pass, their links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import unquote

import pytest

from engines.kernel.registry import load_engine
from referee.cases.case_file import read_cases
from referee.cases.runner import run_case
from referee.tournament.plan import PlaceScoring, Plan
from referee.tournament.table_games import check_plan
from tests.tutorial import ROOT, titled_blocks, write_tutorial
from tests.waiting import PATIENCE

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
_CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)[^)]*\)|(?:src|href)=\"([^\"]+)\"")
_TEST = re.compile(r"\b(tests/[\w/]+\.py)(?:::(test_\w+))?")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    """The fragments of a page's headings, as code hosts make them."""
    headings = _HEADING.findall(page.read_text("utf-8"))
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    dead = []
    for found in _LINK.finditer(_CODE.sub("", page.read_text("utf-8"))):
        link = found.group(1) or found.group(2)
        if re.match(r"[a-z]+:", link):
            continue
        name, _, fragment = link.partition("#")
        target = (page.parent / unquote(name)).resolve() if name else page
        here = target.exists() and target.is_relative_to(ROOT)
        if not here or (fragment and target.suffix == ".md" and fragment not in anchors(target)):
            dead.append(link)
    assert dead == []


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_tests_that_a_page_names_exist(page: Path) -> None:
    missing = [
        found.group()
        for found in _TEST.finditer(page.read_text("utf-8"))
        if not (file := ROOT / found[1]).is_file()
        or (found[2] and f"\ndef {found[2]}(" not in file.read_text("utf-8"))
    ]
    assert missing == []


def test_no_promise_is_made_without_a_test() -> None:
    promised = (ROOT / "SECURITY.md").read_text("utf-8").partition("## What is promised")[2]
    items = re.findall(r"^- (.+(?:\n  .+)*)", promised.partition("\n## ")[0], re.MULTILINE)
    assert len(items) > 10
    assert [item for item in items if not any(found[2] for found in _TEST.finditer(item))] == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=named)
def test_a_page_has_its_place_in_the_site_and_links_to_no_file_outside_it(page: Path) -> None:
    """What ``make site`` would complain of, without building it."""
    listed = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert f"- {page.relative_to(ROOT / 'docs').as_posix()}\n" in listed
    for found in _LINK.finditer(_CODE.sub("", page.read_text("utf-8"))):
        link = (found.group(1) or found.group(2)).partition("#")[0]
        if link and not re.match(r"[a-z]+:", link):
            assert (page.parent / unquote(link)).resolve().is_relative_to(ROOT / "docs"), link


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        ("try.py", "Ne prenez jamais autant que ce qui vient d’être pris."),
        ("try_fists.py", "cleared Un poing s’ouvre sur ce qui y a été fermé."),
    ],
)
def test_the_tutorial_runs(tmp_path: Path, program: str, printed: str) -> None:
    write_tutorial(tmp_path)
    done = subprocess.run(
        [sys.executable, program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == printed


def test_the_plan_of_the_tournament_page_can_be_published() -> None:
    page = (ROOT / "docs" / "run-a-tournament.md").read_text("utf-8")
    (block,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    plan = Plan.model_validate(tomllib.loads(block))
    check_plan(plan)
    assert isinstance(plan.scoring, PlaceScoring)
    assert plan.scoring.table(3) == (10, 5, 0)


@pytest.mark.parametrize(
    ("name", "printed"),
    [("python.md", ("✘ illegal", "✘ illégal")), ("game-recipes.md", ())],
)
def test_the_program_of_a_page_runs(name: str, printed: tuple[str, ...], tmp_path: Path) -> None:
    page = (ROOT / "docs" / name).read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 5
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert all(words in done.stdout for words in printed)


def documented_cases() -> list[object]:
    found = []
    for title, text in titled_blocks(ROOT / "docs" / "cases.md").items():
        file = read_cases(text, title)
        found += [pytest.param(file, case, id=f"{title}: {case.name}") for case in file.case]
    return found


@pytest.mark.parametrize(("file", "case"), documented_cases())
def test_the_cases_of_the_page_pass(file, case) -> None:
    assert run_case(load_engine(file.game), file, case).problems == []


# how long pages are, and that the French ones keep up

LONGEST = 3000
GENERATED = ("gallery.md", "kernel-by-name.md")
"""Written by the tests, to be looked at or looked up in."""
SHAPE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def prose(page: Path) -> str:
    """What is read on a page: no programs, no transcripts, no tables."""
    return re.sub(r"^\|.*$", "", SHAPE.sub("", page.read_text("utf-8")), flags=re.MULTILINE)


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=named)
def test_a_page_is_read_in_a_quarter_of_an_hour(page: Path) -> None:
    """A longer one is a task and a reference: two pages."""
    assert page.name in GENERATED or len(prose(page).split()) <= LONGEST


FRENCH = sorted((ROOT / "docs" / "fr").glob("*.md"))


@pytest.mark.parametrize("page", FRENCH, ids=named)
def test_a_french_page_has_the_sections_and_the_blocks_of_the_english_one(page: Path) -> None:
    """What one of them gains is missed in the other."""

    def shape(each: Path) -> tuple[list[int], list[str], int]:
        text = each.read_text("utf-8")
        levels = [len(mark) for mark in re.findall(r"^(#+) ", prose(each), re.MULTILINE)]
        return levels, re.findall(r"^```(\w+)", text, re.MULTILINE), prose(each).count("![")

    assert shape(page) == shape(ROOT / "docs" / page.name)


def test_what_a_club_needs_is_there_in_french() -> None:
    """The pages of the site's first chapters, but not those for authors and integrators."""
    chapters = (ROOT / "mkdocs.yml").read_text("utf-8").partition("- Run a server:")[0]
    english = set(re.findall(r"- ([\w-]+\.md)$", chapters, re.MULTILINE))
    assert english - {page.name for page in FRENCH} == {"pairing.md"}
