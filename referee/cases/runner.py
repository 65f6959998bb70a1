"""Cases played against an engine."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from msgspec import Struct, field

from engines import kernel
from engines.kernel.dialogue.clause_text import reading_in_words
from referee.cases.case_file import Case, CaseFile, Given
from referee.cases.expectation import CannotGoOn, Expectation, facts_of, parted


class CaseRun(Struct):
    """What happened when a case was run; no problems means that it passed."""

    name: str
    problems: list[kernel.Phrase] = field(default_factory=list)
    cited: set[str] = field(default_factory=set)
    held: set[str] = field(default_factory=set)
    applied: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    absent: set[str] = field(default_factory=set)
    """Clauses of effects that must not happen."""
    readings: set[tuple[str, str]] = field(default_factory=set)
    """Readings and values without which this case would come out differently."""

    @property
    def passed(self) -> bool:
        return not self.problems


def run_case(engine: kernel.Engine[Any, Any], file: CaseFile, case: Case) -> CaseRun:
    """Run a case, and again without each reading it sets, to see that the reading matters."""
    start = file.start_of(case)
    run = run_at(CaseTable, engine, case, start)
    run.shown.update(case.shows)
    for unknown in sorted({*case.shows, *run.cited, *run.absent} - set(engine.clauses)):
        run.problems.append(kernel.Phrase("form.unknown_clause", {"clause": unknown}))
    for name, value in start.readings.items():
        if name not in engine.readings or value == engine.readings[name].default:
            continue
        other = {key: item for key, item in start.readings.items() if key != name}
        others = start.model_copy(update={"readings": other})
        if run_at(CaseTable, engine, case, others).problems:
            run.readings.add((name, value))
        elif name in case.readings:
            told = reading_in_words(engine, name, value)
            run.problems.append(kernel.Phrase("case.reading_idle", {"reading": told}))
    return run


def run_at(
    kind: type[CaseTable], engine: kernel.Engine[Any, Any], case: Case, start: Given
) -> CaseRun:
    """Run a case once, at a table of this kind."""
    run = CaseRun(case.name)
    try:
        table = kind(engine, start, run)
        for line in start.log.splitlines():
            table.follow(line)
        if start.position is not None:
            table.declare(start.position)
        for line in case.lines.splitlines():
            if line.strip():
                table.check(line.strip())
        table.finish()
    except kernel.ParseError as error:
        problem = error.in_words_of(engine.words).phrase
        run.problems.append(kernel.Phrase("case.unreadable", {"problem": problem}))
    except CannotGoOn as stop:
        run.problems.append(stop.phrase)
    return run


class CaseTable:
    """A game played by a case, heard by the engine alone."""

    def __init__(self, engine: kernel.Engine[Any, Any], start: Given, run: CaseRun) -> None:
        self.engine = engine
        self.start = start
        self.run = run
        self.setting: kernel.Setting[Any] | None = None
        self.state: Any = None
        self.number = 0
        self.moments: list[kernel.Moment[Any]] = []

    def follow(self, line: str) -> None:
        """A line of the log: it must be accepted."""
        for text in self.engine.notation.split(line):
            verdict = self._hear(text, lenient=False)
            if verdict.outcome == "illegal":
                raise CannotGoOn("log_refused", line=text, clause=verdict.clause)

    def declare(self, position: dict[str, Any]) -> None:
        body = json.dumps(position)
        verdict = self._hear(f"position {body}", lenient=self.start.stands)
        if verdict.outcome == "illegal" and not self.start.stands:
            raise CannotGoOn("position_refused", clause=verdict.clause, facts=facts_of(verdict))

    def check(self, line: str) -> None:
        if line.startswith("#"):
            return
        if line.startswith("= "):
            self._check_fact(line)
        elif line.startswith("? "):
            self._check_options(line)
        else:
            text, expected = parted(line)
            self._check_line(text, expected)

    def _check_line(self, text: str, expected: str) -> None:
        wanted = Expectation.read(expected)
        self.run.absent.update(wanted.absent)
        *before, last = self.engine.notation.split(text) or [""]
        for part in before:
            self.follow(part)
        try:
            verdict = self._hear(last, lenient=wanted.outcome == "stands")
        except kernel.ParseError as error:
            differences: Iterable[kernel.Phrase] = wanted.differences_from_form(error.key)
        else:
            differences = wanted.differences(verdict)
        for difference in differences:
            told = {"line": last, "expected": expected, "difference": difference}
            self.run.problems.append(kernel.Phrase("case.differs", told))

    def finish(self) -> None:
        """The case has been run to its end."""

    def _hear(self, text: str, *, lenient: bool) -> kernel.Verdict:
        verdict = self.hear(text, lenient=lenient)
        self._note(verdict)
        return verdict

    def hear(self, text: str, *, lenient: bool) -> kernel.Verdict:
        """One action: what is accepted becomes part of the story."""
        action = self.engine.read(text)
        if self.setting is None or action.verb == "table":
            if action.verb != "table":
                raise CannotGoOn("table_first", line=text)
            judgement = self._open(action, lenient)
        else:
            judgement = self.engine.judge(
                self.setting, self.state, action, self.number + 1, lenient=lenient
            )
            self.number += judgement.accepted
        verdict = judgement.verdict
        if isinstance(judgement.action, kernel.Audit) and self.setting is not None:
            verdict = self.engine.traced(self.setting, judgement.action, verdict, self.moments)
        if judgement.accepted:
            self.state = judgement.state
            self.moments.append(kernel.Moment(self.number, judgement.action, judgement.state))
        return verdict

    def _open(self, action: Any, lenient: bool) -> kernel.Judgement[Any]:
        if self.setting is not None:
            return self.engine.judge(self.setting, self.state, action, lenient=lenient)
        opening = action.model_copy(update={"readings": {**action.readings, **self.start.readings}})
        setting = self.engine.setting(opening, self.sheet(opening.kit), self.start.house_rules)
        judgement = self.engine.open(setting, opening, lenient=lenient)
        if judgement.accepted:
            self.setting = kernel.evolve(setting, engine=self.start.engine)
        return judgement

    def sheet(self, kit: str | None) -> kernel.KitSheet:
        """The box, with what the case declares of it."""
        sheet: kernel.KitSheet = self.engine.kit_sheet(kit)
        for path, value in self.start.kit.items():
            sheet = sheet.declare(path, value, "the case")
        return sheet

    def _note(self, verdict: kernel.Verdict) -> None:
        self.run.cited.update(
            point.clause for point in (*verdict.breaches, *verdict.claims, *verdict.doubted)
        )
        self.run.cited.update(finding.clause for finding in verdict.findings)
        for consulted in verdict.consulted:
            if consulted.held:
                (self.run.applied if consulted.effect else self.run.held).add(consulted.clause)

    def _check_fact(self, line: str) -> None:
        _, path, *words = line.split()
        wanted = _value(" ".join(words))
        if self.setting is None:
            raise CannotGoOn("table_first", line=line)
        if path == "to_act":
            found: Any = " ".join(self.state.agenda.seats) or "nobody"
        elif path == "won":
            found = " ".join(self._winners()) or "nobody"
        else:
            found = kernel.to_plain(self._look_up(path))
        if found != wanted and str(found) != str(wanted):
            told = {"path": path, "expected": repr(wanted), "found": repr(found)}
            self.run.problems.append(kernel.Phrase("case.other_fact", told))

    def _winners(self) -> tuple[str, ...]:
        """Whoever has won; all, where all win together."""
        assert self.setting is not None
        result = self.engine.result(self.state)
        if result is None or result.won is False:
            return ()
        return self.setting.seats if result.won else result.places[0]

    def _look_up(self, path: str) -> Any:
        """A datum of the state; what is not there is zero of a thing, or nothing at a place."""
        data = self._told_in(path.partition(".")[0])
        for key in path.split("."):
            if isinstance(data, kernel.Agenda):
                data = data.to_plain()
            if isinstance(data, Mapping):
                keys = {_key(known): known for known in data}
                if key in keys:
                    data = data[keys[key]]
                elif key == "size":
                    data = data.size if isinstance(data, kernel.Bag) else len(data)
                elif key in self._known():
                    data = 0 if isinstance(data, kernel.Bag) else None
                else:
                    raise CannotGoOn("no_such_path", path=path, key=key)
            elif isinstance(data, Sequence) and not isinstance(data, str) and key == "size":
                data = len(data)
            elif isinstance(data, Sequence) and key.isdecimal() and int(key) < len(data):
                data = data[int(key)]
            elif isinstance(data, Set) and key == "size":
                data = len(data)
            elif key in _fields(data):
                data = getattr(data, key)
            else:
                raise CannotGoOn("no_such_path", path=path, key=key)
        return data

    def _told_in(self, first: str) -> Any:
        """Where the path of an expectation begins: the state, if it has a field of this name, else
        the declared position, whose names an adjustment uses."""
        engine = self.engine
        if first in _fields(self.state) or engine.position is None or self.setting is None:
            return self.state
        return engine.positions.data_of(self.setting, self.state)

    def _known(self) -> frozenset[str]:
        """The words of this box, this game and this story: what can be counted, and where."""
        assert self.setting is not None
        words = [*_names_in(self.setting.sheet.data())]
        for moment in self.moments:
            words += _names_in(self.engine.plain(moment.state))
            words += self.engine.text(moment.action).split() if moment.action is not None else ()
        words += (key.removeprefix("term.") for key in self.engine.words if key.startswith("term."))
        return frozenset(words)

    def _check_options(self, line: str) -> None:
        wanted = {" ".join(part.split()) for part in line[2:].split(";") if part.strip()}
        if self.setting is None:
            raise CannotGoOn("table_first", line=line)
        alone = len(self.state.agenda.seats) <= 1
        found = set()
        for action in self.engine.options(self.setting, self.state):
            text = self.engine.text(action)
            found.add(text[2:] if alone and text[1:2] == " " else text)
        if found != wanted:
            missing = "; ".join(sorted(wanted - found)) or None
            surplus = "; ".join(sorted(found - wanted)) or None
            told = {"missing": missing, "surplus": surplus}
            self.run.problems.append(kernel.Phrase("case.other_options", told))


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _fields(data: Any) -> tuple[str, ...]:
    if isinstance(data, Struct):
        return data.__struct_fields__
    return getattr(data, "_fields", ())


def _key(key: Any) -> str:
    return "/".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _names_in(data: Any) -> Iterator[str]:
    """Every word in data, keys included."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield str(key)
            yield from _names_in(value)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from _names_in(item)
    elif isinstance(data, str):
        yield data
