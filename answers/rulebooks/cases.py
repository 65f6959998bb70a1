"""Case files run against the engines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from answers.answer import Answered, Data
from answers.declaration import Local, operation
from answers.i18n import Voice
from answers.permissions import EVERYBODY
from engines.kernel.registry import load_engine
from referee.cases.case_file import CaseFile
from referee.cases.coverage import Coverage
from referee.cases.runner import CaseRun, run_case


class CaseRow(Data):
    file: str
    case: str
    problems: list[str]


class CasesAnswer(Data):
    cases: list[CaseRow]
    failed: int


class Named(NamedTuple):
    """A case file and what it is called."""

    name: str
    file: CaseFile


@operation(
    "cases",
    "POST /cases",
    grant=EVERYBODY,
    scope="public",
    kind="try",
    upload="answers.requests.uploads:cases",
    slow=True,
)
def run(
    files: Local[Iterable[Named]], voice: Voice, *, coverage: Local[bool] = False
) -> Answered[CasesAnswer]:
    """Run every case; the data tells problems in this voice."""
    made: list[tuple[str, CaseRun]] = []
    reports: dict[str, Coverage] = {}
    for name, file in files:
        engine = load_engine(file.game)
        runs = [run_case(engine, file, case) for case in file.case]
        reports.setdefault(file.game, Coverage(engine)).add(runs)
        made += ((name, each) for each in runs)
    failed = sum(not each.passed for _, each in made)

    def render(voice: Voice) -> Iterator[str]:
        for name, each in made:
            if not each.passed:
                yield f"{voice.mark('bad', '✘')} {voice.labelled(name, each.name)}"
                yield from (f"    {voice.spoken(problem)}" for problem in each.problems)
        yield voice.say("cases.summary", count=len(made), failed=failed)
        for report in reports.values() if coverage else ():
            yield voice.spoken(report.summary())
            for what, lack in report.missing.items():
                yield f"    {voice.labelled(what, voice.spoken(lack))}"

    def data() -> CasesAnswer:
        rows = [
            CaseRow(file=name, case=each.name, problems=[*map(voice.spoken, each.problems)])
            for name, each in made
        ]
        return CasesAnswer(cases=rows, failed=failed)

    return Answered(data, render, "illegal" if failed else "done")
