"""Cases: a position or a log, some lines, the verdicts they must get. See docs/cases.md."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from engines.kernel import (
    Audit,
    BadForm,
    Engine,
    Flaw,
    Judgement,
    KitSheet,
    Moment,
    Phrase,
    Reading,
    Setting,
    Verdict,
)
from engines.kernel.actions import PlainText
from engines.kernel.errors import first_mistake
from referee.files import toml_problem

_ARROW = re.compile(r"\s+->\s+")
_OUTCOMES = ("legal", "illegal", "undecided", "stands", "form")
_SETTLED = {"proves": "broken", "clears": "cleared"}
_WITHOUT = "without"


class CaseError(Flaw):
    """A case file that cannot be read: what and where."""


_STRICT = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Given(BaseModel):
    """A starting point that several cases share."""

    model_config = _STRICT

    log: str = ""
    """The story so far in the scribe's notation; every line must be accepted."""
    position: dict[str, JsonValue] | None = None
    """What lies on the table after the log."""
    stands: bool = False
    """The position itself breaks a rule, and is the real table's."""
    readings: dict[str, str] = {}
    """How this table understands ambiguities, if not by default."""
    house_rules: tuple[str, ...] = ()
    """Clauses that this table sets aside."""
    kit: dict[str, JsonValue] = {}
    """Data of the box that this table declares, by path."""


class Case(Given):
    """One question about the rules with its answer."""

    name: PlainText = Field(min_length=1, max_length=300)
    given: str | None = None
    """The starting point, one of those in the file."""
    lines: str
    """Actions with the expected verdicts, facts and options."""
    shows: tuple[str, ...] = ()
    """Clauses (principles, mostly) that this case shows without citing them."""


class CaseFile(BaseModel):
    """Cases of one game."""

    model_config = _STRICT

    game: str
    about: PlainText = ""
    given: dict[str, Given] = {}
    case: tuple[Case, ...]

    @model_validator(mode="after")
    def _givens_exist(self) -> CaseFile:
        for case in self.case:
            if case.given is not None and case.given not in self.given:
                raise Flaw("no_such_given", case=case.name, given=case.given)
        return self

    def start_of(self, case: Case) -> Given:
        """The given of a case with the case's own additions."""
        base = self.given[case.given] if case.given is not None else Given()
        return Given(
            log="\n".join(part for part in (base.log, case.log) if part),
            position=case.position if case.position is not None else base.position,
            stands=case.stands or base.stands,
            readings={**base.readings, **case.readings},
            house_rules=(*base.house_rules, *case.house_rules),
            kit={**base.kit, **case.kit},
        )


def read_cases(text: str | bytes, where: str = "case file") -> CaseFile:
    try:
        written = text.decode() if isinstance(text, bytes) else text
        return CaseFile.model_validate(tomllib.loads(written))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CaseError("at", place=where, problem=toml_problem(error)) from None
    except ValidationError as error:
        raise CaseError("at", place=where, problem=first_mistake(error).phrase) from None


@dataclass
class CaseRun:
    """What happened when a case was run; no problems means that it passed."""

    name: str
    problems: list[Phrase] = field(default_factory=list)
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


def run_case(engine: Engine[Any, Any], file: CaseFile, case: Case) -> CaseRun:
    """Run a case, and again without each reading it sets, to see that the reading matters."""
    start = file.start_of(case)
    run = _run(engine, case, start)
    run.shown.update(case.shows)
    for unknown in sorted({*case.shows, *run.cited, *run.absent} - set(engine.clauses)):
        run.problems.append(Phrase("form.unknown_clause", {"clause": unknown}))
    for name, value in start.readings.items():
        if name not in engine.readings or value == engine.readings[name].default:
            continue
        other = {key: item for key, item in start.readings.items() if key != name}
        if _run(engine, case, start.model_copy(update={"readings": other})).problems:
            run.readings.add((name, value))
        elif name in case.readings:
            told = {"reading": name, "value": value}
            run.problems.append(Phrase("case.reading_idle", told))
    return run


def _run(engine: Engine[Any, Any], case: Case, start: Given) -> CaseRun:
    run = CaseRun(case.name)
    try:
        table = _CaseTable(engine, start, run)
        for line in start.log.splitlines():
            table.follow(line)
        if start.position is not None:
            table.declare(start.position)
        for line in case.lines.splitlines():
            if line.strip():
                table.check(line.strip())
    except BadForm as error:
        error.words = engine.words
        run.problems.append(Phrase("case.unreadable", {"problem": error.phrase}))
    except _Stop as stop:
        run.problems.append(stop.problem)
    return run


class _Stop(Exception):
    """The case cannot go on."""

    def __init__(self, key: str, /, **facts: Any) -> None:
        super().__init__(key)
        self.problem = Phrase(f"case.{key}", facts)


class _CaseTable:
    """A game played by a case."""

    def __init__(self, engine: Engine[Any, Any], start: Given, run: CaseRun) -> None:
        self.engine = engine
        self.start = start
        self.run = run
        self.setting: Setting[Any] | None = None
        self.state: Any = None
        self.number = 0
        self.moments: list[Moment[Any]] = []

    def follow(self, line: str) -> None:
        """A line of the log: it must be accepted."""
        for text in self.engine.notation.split(line):
            verdict = self._hear(text, lenient=False)
            if verdict.outcome == "illegal":
                raise _Stop("log_refused", line=text, clause=verdict.clause)

    def declare(self, position: dict[str, Any]) -> None:
        body = json.dumps(position)
        verdict = self._hear(f"position {body}", lenient=self.start.stands)
        if verdict.outcome == "illegal" and not self.start.stands:
            raise _Stop("position_refused", clause=verdict.clause, facts=_facts(verdict))

    def check(self, line: str) -> None:
        if line.startswith("#"):
            return
        if line.startswith("= "):
            self._check_fact(line)
        elif line.startswith("? "):
            self._check_options(line)
        else:
            text, expected = _parted(line)
            self._check_line(text, expected)

    def _check_line(self, text: str, expected: str) -> None:
        wanted = _Expectation.read(expected)
        self.run.absent.update(wanted.absent)
        *before, last = self.engine.notation.split(text) or [""]
        for part in before:
            self.follow(part)
        try:
            verdict = self._hear(last, lenient=wanted.outcome == "stands")
        except BadForm as error:
            differences: Iterable[Phrase] = wanted.differences_from_form(error.key)
        else:
            differences = wanted.differences(verdict)
        for difference in differences:
            told = {"line": last, "expected": expected, "difference": difference}
            self.run.problems.append(Phrase("case.differs", told))

    def _hear(self, text: str, *, lenient: bool) -> Verdict:
        action = self.engine.read(text)
        if self.setting is None or action.verb == "table":
            if action.verb != "table":
                raise _Stop("table_first", line=text)
            judgement = self._open(action, lenient)
        else:
            judgement = self.engine.judge(
                self.setting, self.state, action, self.number + 1, lenient=lenient
            )
            self.number += judgement.accepted
        verdict = judgement.verdict
        if isinstance(judgement.action, Audit) and self.setting is not None:
            verdict = self.engine.traced(self.setting, judgement.action, verdict, self.moments)
        if judgement.accepted:
            self.state = judgement.state
            self.moments.append(Moment(self.number, judgement.action, judgement.state))
        self._note(verdict)
        return verdict

    def _open(self, action: Any, lenient: bool) -> Judgement[Any]:
        if self.setting is not None:
            return self.engine.judge(self.setting, self.state, action, lenient=lenient)
        opening = action.model_copy(update={"readings": {**action.readings, **self.start.readings}})
        sheet: KitSheet = self.engine.kit_sheet(opening.kit)
        for path, value in self.start.kit.items():
            sheet = sheet.declare(path, value, "the case")
        setting = self.engine.setting(opening, sheet, self.start.house_rules)
        judgement = self.engine.open(setting, opening, lenient=lenient)
        if judgement.accepted:
            self.setting = setting
        return judgement

    def _note(self, verdict: Verdict) -> None:
        self.run.cited.update(point.clause for point in (*verdict.breaches, *verdict.claims))
        self.run.cited.update(finding.clause for finding in verdict.findings)
        for consulted in verdict.consulted:
            if consulted.held:
                (self.run.applied if consulted.effect else self.run.held).add(consulted.clause)

    def _check_fact(self, line: str) -> None:
        _, path, *words = line.split()
        wanted = _value(" ".join(words))
        if self.setting is None:
            raise _Stop("table_first", line=line)
        if path == "to_act":
            found: Any = " ".join(self.state.agenda.seats) or "nobody"
        else:
            found = _look_up(self.engine.plain(self.state), path)
        if found != wanted and str(found) != str(wanted):
            told = {"path": path, "expected": repr(wanted), "found": repr(found)}
            self.run.problems.append(Phrase("case.other_fact", told))

    def _check_options(self, line: str) -> None:
        wanted = {" ".join(part.split()) for part in line[2:].split(";") if part.strip()}
        if self.setting is None:
            raise _Stop("table_first", line=line)
        alone = len(self.state.agenda.seats) <= 1
        found = set()
        for action in self.engine.options(self.setting, self.state):
            text = self.engine.text(action)
            found.add(text[2:] if alone and text[1:2] == " " else text)
        if found != wanted:
            missing = "; ".join(sorted(wanted - found)) or None
            surplus = "; ".join(sorted(found - wanted)) or None
            told = {"missing": missing, "surplus": surplus}
            self.run.problems.append(Phrase("case.other_options", told))


def _parted(line: str) -> tuple[str, str]:
    text, *expected = _ARROW.split(line, maxsplit=1)
    return text, expected[0].strip() if expected else "legal"


@dataclass(frozen=True)
class _ExpectedFinding:
    status: str
    clause: str
    entries: frozenset[int]
    """Empty if the case does not say which."""

    def is_among(self, verdict: Verdict) -> bool:
        return any(
            (finding.status, finding.clause) == (self.status, self.clause)
            and self.entries in (frozenset(), frozenset(finding.entries))
            for finding in verdict.findings
        )


@dataclass(frozen=True)
class _Expectation:
    """What stands behind the arrow: ``illegal CLAUSE``, ``legal proves CLAUSE #3``…"""

    outcome: str
    named: tuple[str, ...]
    """Clauses; after ``form``, the key of a message."""
    absent: tuple[str, ...]
    """Effects that do not happen."""
    findings: tuple[_ExpectedFinding, ...]

    @classmethod
    def read(cls, text: str) -> _Expectation:
        outcome, *words = text.split() or [""]
        if outcome not in _OUTCOMES:
            raise _Stop("odd_expectation", text=repr(text))
        ends = [index for index, word in enumerate(words) if word in _SETTLED] + [len(words)]
        findings = []
        for start, end in pairwise(ends):
            clause, *entries = words[start + 1 : end] or [""]
            if not clause or not all(entry.lstrip("#").isdecimal() for entry in entries):
                raise _Stop("odd_expectation", text=repr(text))
            numbers = frozenset(int(entry.lstrip("#")) for entry in entries)
            findings.append(_ExpectedFinding(_SETTLED[words[start]], clause, numbers))
        named = words[: ends[0]]
        parting = named.index(_WITHOUT) if _WITHOUT in named else len(named)
        absent = named[parting + 1 :]
        if _WITHOUT in named[-1:] + absent:
            raise _Stop("odd_expectation", text=repr(text))
        return cls(outcome, tuple(named[:parting]), tuple(absent), tuple(findings))

    def differences_from_form(self, key: str) -> Iterator[Phrase]:
        if self.outcome != "form" or self.named not in ((), (key,)):
            yield Phrase("case.got_form", {"key": key})

    def differences(self, verdict: Verdict) -> Iterator[Phrase]:
        if self.outcome == "form":
            yield Phrase("case.got_readable")
        elif verdict.outcome != ("illegal" if self.outcome == "stands" else self.outcome):
            got = f"{verdict.outcome} {verdict.clause or ''} {_facts(verdict)}".strip()
            yield Phrase("case.got", {"got": got})
        else:
            yield from self._clause_differences(verdict)
            happened = {effect.clause for effect in verdict.effects}
            if surplus := [clause for clause in self.absent if clause in happened]:
                yield Phrase("case.applied", {"clauses": " ".join(surplus)})
            if not all(finding.is_among(verdict) for finding in self.findings):
                found = (f"{f.status} {f.clause} {list(f.entries)}" for f in verdict.findings)
                yield Phrase("case.other_findings", {"findings": list(found)})

    def _clause_differences(self, verdict: Verdict) -> Iterator[Phrase]:
        if not self.named:
            return
        if self.outcome == "stands":
            broken = tuple(point.clause for point in verdict.breaches)
            if broken != self.named:
                yield Phrase("case.broken", {"clauses": " ".join(broken)})
        elif self.outcome == "illegal":
            if self.named != (verdict.clause,):
                yield Phrase("case.cited", {"clause": verdict.clause})
        elif self.outcome == "undecided":
            claimed = [point.clause for point in verdict.claims]
            if not set(self.named) <= set(claimed):
                yield Phrase("case.claimed", {"clauses": " ".join(claimed)})
        else:
            applied = {consulted.clause for consulted in verdict.consulted if consulted.held}
            if missing := [clause for clause in self.named if clause not in applied]:
                yield Phrase("case.not_applied", {"clauses": " ".join(missing)})


def _facts(verdict: Verdict) -> str:
    """The facts of a breach, as they are."""
    return str(dict(verdict.breaches[0].facts)) if verdict.breaches else ""


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _look_up(data: Any, path: str) -> Any:
    for key in path.split("."):
        if isinstance(data, dict):
            data = data.get(key, 0 if _counts(data) else None)
        elif isinstance(data, list) and key.isdigit() and int(key) < len(data):
            data = data[int(key)]
        elif key == "size" and isinstance(data, list):
            data = len(data)
        else:
            return None
    return data


def _counts(data: dict[str, Any]) -> bool:
    return bool(data) and all(type(value) is int for value in data.values())


@dataclass
class Coverage:
    """Which clauses and readings of a game its cases have proven."""

    engine: Engine[Any, Any]
    cited: set[str] = field(default_factory=set)
    held: set[str] = field(default_factory=set)
    applied: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    readings: set[tuple[str, str]] = field(default_factory=set)

    def add(self, runs: Iterable[CaseRun]) -> None:
        for run in runs:
            self.cited |= run.cited
            self.held |= run.held
            self.applied |= run.applied
            self.shown |= run.shown
            self.readings |= run.readings

    @cached_property
    def missing(self) -> dict[str, Phrase]:
        """What has no case yet: clause or reading, and what kind of case it lacks."""
        lacking: dict[str, Phrase] = {}
        for clause in self.engine.clauses.values():
            lack = self._lack(clause.id, clause.kind)
            if lack is not None:
                lacking[clause.id] = Phrase(f"case.{lack}")
        for reading in self._judging_readings():
            for value in reading.values:
                if value != reading.default and (reading.id, value) not in self.readings:
                    lacking[f"{reading.id}={value}"] = Phrase("case.not_differing")
        return lacking

    def _judging_readings(self) -> list[Reading]:
        return [
            reading for reading in self.engine.readings.values() if reading.affects == "verdict"
        ]

    def _lack(self, clause: str, kind: str) -> str | None:
        if kind in ("rule", "structure", "kit"):
            if clause not in self.cited:
                return "not_broken"
            if clause not in self.held and clause not in self.shown:
                return "not_kept"
        if kind == "effect" and clause not in self.applied:
            return "not_shown"
        if kind == "claim" and clause not in self.cited:
            return "not_settled"
        if kind == "principle" and clause not in self.shown:
            return "not_named"
        return None

    def summary(self) -> Phrase:
        """How much is proven, in one line."""
        unchecked = sum(clause.kind == "unchecked" for clause in self.engine.clauses.values())
        total = len(self.engine.clauses) - unchecked
        values = sum(len(reading.values) - 1 for reading in self._judging_readings())
        clauses = sum(key in self.engine.clauses for key in self.missing)
        others = len(self.missing) - clauses
        told = {
            "game": self.engine.id,
            "proven": total - clauses,
            "total": total,
            "unchecked": unchecked,
            "shown": values - others,
            "values": values,
        }
        return Phrase("case.summary", told)
