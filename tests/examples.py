"""Examples of every clause, made from the cases: ``python -m tests.examples``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from engines.kernel import Judgement, ParseError
from engines.kernel.registry import load_engine
from referee.cases.case_file import Case, CaseFile, read_cases
from referee.cases.expectation import Expectation, parted
from referee.record.positions import FromPosition, PositionFile, judge_from_position
from replays.examples import Example, Examples
from replays.gallery import samples

CASES = Path(__file__).parent / "cases"
SHIPPED = Path(__file__).parents[1] / "replays" / "samples"
MOST = 2
"""So many that keep a clause, and so many that break it."""
Line = tuple[str, Expectation | None]
Lines = list[Line]
Ranked = tuple[int, Example]
"""How far a line is from being about a clause, and the line."""
Found = dict[tuple[str, bool], list[Ranked]]


def made(game: str) -> Examples:
    """The best examples of every clause."""
    starts: list[PositionFile] = []
    found: Found = {}
    for path in sorted((CASES / game).glob("*.toml")):
        file = read_cases(path.read_text("utf-8"), path.name)
        for case in file.case:
            lines = list(judged_lines(case))
            start = start_of(file, case, lines)
            if start is None:
                continue
            if start not in starts:
                starts.append(start)
            collect(found, starts.index(start), start, case, lines)
    return _used(starts, {key: chosen(each) for key, each in found.items()})


def start_of(file: CaseFile, case: Case, lines: Lines) -> PositionFile | None:
    """Where a case begins; one that is about openings begins with its own."""
    given, split = file.start_of(case), load_engine(file.game).notation.split
    log = [text for line in given.log.splitlines() for text in split(line)]
    if not log and lines:
        log = [lines.pop(0)[0]]
    table, *setup = log or [""]
    readings = " ".join(f"{name}={value}" for name, value in given.readings.items())
    twice_read = readings and " readings " in table
    if not table.startswith("table") or twice_read or given.engine:
        return None
    return PositionFile(
        game=file.game,
        table=f"{table} readings {readings}" if readings else table,
        setup=tuple(setup),
        position=given.position,
        stands=given.stands,
        house_rules=given.house_rules,
        kit=given.kit,
    )


def collect(found: Found, index: int, start: PositionFile, case: Case, lines: Lines) -> None:
    """Every line of a case that goes as a trial goes: what really happened all the same ends it."""
    try:
        table = judge_from_position(start, [])
        if table.refused is not None:
            keep(found, index, (), table.refused, case.shows)
            return
        if table.opened and (not lines or not (start.setup or start.position)):
            keep(found, index, (), table.opened, () if lines else case.shows)
        said: list[str] = []
        for text, wanted in lines:
            parts = table.engine.notation.split(text)
            judged = heard(table, parts)
            if judged is None or (wanted and wanted.outcome == "stands"):
                return
            named = (*(wanted.named if wanted else ()), *case.shows)
            keep(found, index, (*said, *parts), judged, named)
            said += parts if judged.accepted else parts[:-1]
    except ParseError:
        return


def keep(
    found: Found,
    index: int,
    lines: tuple[str, ...],
    judged: Judgement[Any],
    named: Iterable[str],
) -> None:
    verdict = judged.verdict
    example = Example(start=index, lines=lines, verdict=verdict.outcome)
    broken = {point.clause for point in verdict.breaches}
    broken |= {found.clause for found in verdict.findings if found.status == "broken"}
    later = (each.clause for each in (*verdict.claims, *verdict.findings))
    about = {
        **dict.fromkeys((each.clause for each in verdict.consulted), 2),
        **dict.fromkeys((each.clause for each in verdict.effects), 1),
        **dict.fromkeys((*named, *broken, *later), 0),
    }
    for clause, rank in about.items():
        found.setdefault((clause, clause in broken), []).append((rank, example))


def judged_lines(case: Case) -> Iterator[Line]:
    for line in case.lines.splitlines():
        if line.strip() and not line.strip().startswith(("#", "= ", "? ")):
            text, expected = parted(line.strip())
            yield text, Expectation.read(expected) if expected else None


def heard(table: FromPosition, parts: list[str]) -> Judgement[Any] | None:
    """What is said of the last part; none if one before it was refused."""
    before = len(table.judged)
    table.judging(parts)
    return table.judged[-1] if len(table.judged) == before + len(parts) else None


def chosen(every: list[Ranked]) -> list[Example]:
    """Those that are about the clause, the shortest first; what only asks it where none is."""
    ranked = sorted(every, key=lambda one: (one[0], len(one[1].lines), " ".join(one[1].lines)))
    best = ranked[0][0]
    return [example for rank, example in ranked if rank == best][:MOST]


def _used(starts: list[PositionFile], found: dict[tuple[str, bool], list[Example]]) -> Examples:
    """Without the starts that nothing begins at."""
    used = sorted({each.start for every in found.values() for each in every})
    clauses: dict[str, tuple[Example, ...]] = {}
    for (clause, _), every in sorted(found.items()):
        moved = (each.model_copy(update={"start": used.index(each.start)}) for each in every)
        clauses[clause] = (*clauses.get(clause, ()), *moved)
    return Examples(starts=tuple(starts[index] for index in used), clauses=clauses)


def main() -> None:
    for game in samples():
        text = made(game).model_dump_json(exclude_defaults=True)
        (SHIPPED / f"{game}.json").write_text(text + "\n", "utf-8")
        print(game, len(text))


if __name__ == "__main__":
    main()
