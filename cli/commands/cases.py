"""``referee cases``: run case files, print what differs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.session import session
from cli.speech import labelled, say, spoken
from engines.kernel.registry import load_engine
from referee.cases.coverage import Coverage
from referee.cases.file import read_cases
from referee.cases.run import run_case
from referee.errors import NotFound

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def cases() -> None:
    """Cases are documented in docs/cases.md."""


@app.command()
def run(
    paths: Annotated[list[Path], typer.Argument()],
    coverage: Annotated[bool, typer.Option("--coverage")] = False,
) -> int:
    here = session()
    lines: list[str] = []
    results: list[dict[str, Any]] = []
    reports: dict[str, Coverage] = {}
    for path in _files(paths):
        file = read_cases(path.read_bytes(), str(path))
        engine = load_engine(file.game)
        runs = [run_case(engine, file, case) for case in file.case]
        reports.setdefault(file.game, Coverage(engine)).add(runs)
        for made in runs:
            problems = [spoken(problem) for problem in made.problems]
            results.append({"file": str(path), "case": made.name, "problems": problems})
            if not made.passed:
                lines.append(f"{here.paint('bad', '✘')} {labelled(path.name, made.name)}")
                lines += [f"    {problem}" for problem in problems]
    failed = sum(bool(result["problems"]) for result in results)
    lines.append(say("cases.summary", count=len(results), failed=failed))
    if coverage:
        for report in reports.values():
            lines.append(spoken(report.summary()))
            lines += [
                f"    {labelled(what, spoken(lack))}" for what, lack in report.missing.items()
            ]
    return here.answer_plain(
        "cases", {"cases": results, "failed": failed}, lines, code=3 if failed else 0
    )


def _files(paths: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(path.rglob("*.toml"))
        elif path.is_file():
            found.append(path)
        else:
            raise NotFound("no_such_file", file=str(path))
    return found
