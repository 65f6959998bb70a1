"""Bent rules: would the cases notice if a rule were not applied?

A *site* is a call in a game's rules that names a clause. Each is bent in turn, in this
process: a rule that is never broken (or always), an effect that never happens (or always), a
claim, proof or clearing that is not made. A bent site that no case notices is a survivor.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from inspect import currentframe
from pathlib import Path
from types import FrameType
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from engines.kernel import Engine, Hearing
from referee.cases.case_file import Case, CaseFile
from referee.cases.runner import run_case

Kind = Literal["rule", "doubt", "effect", "claim", "proves", "clears"]
Bend = Literal["never", "always"]

_METHODS: dict[Kind, str] = {
    "rule": "__call__",
    "doubt": "doubt",
    "effect": "effect",
    "claim": "claim",
    "proves": "proves",
    "clears": "clears",
}
_HOLD: tuple[Kind, ...] = ("rule", "doubt")
"""Calls whose clause must hold; an effect applies, and the others are only made."""
_ANY = "any"
"""The clause of a call whose clause is computed, often from what is broken."""
_TOO_OFTEN = 10_000
"""A bent site that is asked so often in one case keeps a loop from ending."""


class Site(NamedTuple):
    """A call that names a clause; where the clause is computed, one site for each of them."""

    file: str
    line: int
    kind: Kind
    clause: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Mutant(NamedTuple):
    """A site bent one way."""

    site: Site
    bend: Bend

    @property
    def meaning(self) -> str:
        if self.site.kind in _HOLD:
            return {"never": "never broken", "always": "always broken"}[self.bend]
        if self.site.kind == "effect":
            return {"never": "never happens", "always": "always happens"}[self.bend]
        return "is not made"

    def __str__(self) -> str:
        return f"{'/'.join(self.site.file.split('/')[2:])} {self.site.clause} {self.meaning}"


class Fate(Struct):
    """What became of a mutant."""

    mutant: Mutant
    tried: int = 0
    """Cases in which the site would have acted otherwise."""
    noticed_by: str | None = None

    @property
    def survived(self) -> bool:
        return self.noticed_by is None

    @property
    def why(self) -> str:
        if not self.tried:
            return "no case goes there"
        if self.tried == 1:
            return "one case goes there and comes out the same"
        return f"{self.tried} cases go there, all come out the same"

    def plain(self) -> dict[str, Any]:
        return {
            **self.mutant.site._asdict(),
            "bend": self.mutant.bend,
            "tried": self.tried,
            "noticed_by": self.noticed_by,
        }


# where the sites are


class Source:
    """The calls that name a clause, as they are written."""

    def __init__(self, engine: Engine[Any, Any]) -> None:
        self.engine = engine
        spec = find_spec(engine.package)
        assert spec is not None, engine.package
        self.folder = Path(str(spec.origin)).parent
        self._root = engine.package.replace(".", "/")
        self.mutants: set[Mutant] = set()
        self.settled: set[tuple[str, int]] = set()
        """Calls that say themselves how they come out: bent that way, nothing changes."""
        for path in sorted(self.folder.rglob("*.py")):
            for function in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(function, ast.FunctionDef):
                    self.mutants.update(self._mutants_in(function, self.name(str(path))))

    def name(self, path: str) -> str:
        """A file as a defect names it: by its package."""
        if Path(path).is_relative_to(self.folder):
            return f"{self._root}/{Path(path).relative_to(self.folder).as_posix()}"
        return path

    def _mutants_in(self, function: ast.FunctionDef, file: str) -> Iterator[Mutant]:
        for node in ast.walk(function):
            if not isinstance(node, ast.Call) or (kind := kind_of_call(node.func)) is None:
                continue
            clause, *conditions = node.args
            sites = [
                Site(file, node.lineno, kind, name) for name in self._clauses(clause, function)
            ]
            whole = Site(file, node.lineno, kind, _ANY)
            judges = kind in (*_HOLD, "effect")
            if judges and _is(conditions[0], kind in _HOLD):
                self.settled.add((file, node.lineno))
            else:
                yield from (Mutant(site, "never") for site in sites or [whole])
            if judges and not _is(conditions[0], kind == "effect"):
                written = sites if isinstance(clause, ast.Constant) else []
                yield from (Mutant(site, "always") for site in written or [whole])

    def _clauses(self, argument: ast.expr, function: ast.FunctionDef) -> Iterable[str]:
        """The clauses that are written in the call, or where its variable is assigned before."""
        expressions = [argument]
        if isinstance(argument, ast.Name):
            expressions = [
                node.value
                for statement in _before(function, argument.lineno)
                for node in ast.walk(statement)
                if isinstance(node, ast.Assign) and argument.id in map(_name, node.targets)
            ]
        return {
            node.value
            for expression in expressions
            for node in ast.walk(expression)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value in self.engine.clauses
        }


def _before(block: ast.AST, line: int) -> Iterator[ast.stmt]:
    """The statements on the way to a line; not those of another branch."""
    for statements in (getattr(block, "body", ()), getattr(block, "orelse", ())):
        inner = [stmt for stmt in statements if stmt.lineno <= line <= stmt.end_lineno]
        if inner:
            yield from (stmt for stmt in statements if stmt.end_lineno < line)
            yield from _before(inner[0], line)


def _is(condition: ast.expr, value: bool) -> bool:
    """Whether the condition is always so: bending it that way changes nothing."""
    return isinstance(condition, ast.Constant) and condition.value is value


def _name(node: ast.expr) -> str | None:
    return node.id if isinstance(node, ast.Name) else None


def kind_of_call(function: ast.expr) -> Kind | None:
    if _name(function) == "rule":
        return "rule"
    if isinstance(function, ast.Attribute) and _name(function.value) == "rule":
        return next((kind for kind, method in _METHODS.items() if method == function.attr), None)
    return None


# what happens there


def _caller() -> FrameType:
    """The frame of the rule that asks: above whoever calls this."""
    here = currentframe()
    assert here is not None
    assert here.f_back is not None
    assert here.f_back.f_back is not None
    return here.f_back.f_back


@contextmanager
def bent(hook: Callable[[Kind, FrameType, str, bool], bool]) -> Iterator[None]:
    """Every call of a hearing asks the hook how it shall come out."""
    honest = {kind: getattr(Hearing, method) for kind, method in _METHODS.items()}

    def judging(kind: Kind) -> Callable[..., bool]:
        def asked(rule: Hearing[Any], clause: str, holds: object, /, **facts: Any) -> bool:
            found = hook(kind, _caller(), clause, bool(holds))
            answer: bool = honest[kind](rule, clause, found, **facts)
            return answer

        return asked

    def noting(kind: Kind) -> Callable[..., None]:
        def noted(rule: Hearing[Any], clause: str, /, *entries: int, **facts: Any) -> None:
            if hook(kind, _caller(), clause, True):
                honest[kind](rule, clause, *entries, **facts)

        return noted

    try:
        for kind, method in _METHODS.items():
            setattr(Hearing, method, (judging if kind in (*_HOLD, "effect") else noting)(kind))
        yield
    finally:
        for kind, method in _METHODS.items():
            setattr(Hearing, method, honest[kind])


def _outcome_when(mutant: Mutant) -> bool:
    """What a call of the bent site says."""
    return (mutant.bend == "never") is (mutant.site.kind in _HOLD)


@dataclass
class Trial:
    """The cases of one game, and what they notice."""

    engine: Engine[Any, Any]
    files: list[CaseFile]
    reached: dict[Mutant, list[tuple[CaseFile, Case]]] = field(default_factory=dict)
    """In which cases a mutant would act otherwise than the site does."""

    def __post_init__(self) -> None:
        self.source = Source(self.engine)
        for file in self.files:
            for case in file.case:
                for mutant in self._reached_by(file, case):
                    self.reached.setdefault(mutant, []).append((file, case))

    def _reached_by(self, file: CaseFile, case: Case) -> set[Mutant]:
        found: set[tuple[Kind, str, int, str, bool]] = set()

        def remember(kind: Kind, frame: FrameType, clause: str, holds: bool) -> bool:
            found.add((kind, frame.f_code.co_filename, frame.f_lineno, clause, holds))
            return holds

        with bent(remember):
            problems = run_case(self.engine, file, case).problems
        assert not problems, f"{case.name!r} fails though nothing is bent"
        mutants = set()
        for kind, path, line, clause, holds in found:
            bend: Bend = "always" if holds is (kind in _HOLD) else "never"
            for name in (clause, _ANY):
                mutants.add(Mutant(Site(self.source.name(path), line, kind, name), bend))
        return mutants

    @cached_property
    def mutants(self) -> list[Mutant]:
        """As they are written, and those of computed clauses as the cases meet them."""
        met = {
            mutant.site
            for mutant in self.reached
            if mutant.site.clause != _ANY
            and (mutant.site.file, mutant.site.line) not in self.source.settled
        }
        return sorted(self.source.mutants | {Mutant(site, "never") for site in met})

    def fate(self, mutant: Mutant) -> Fate:
        cases = self.reached.get(mutant, [])
        for tried, (file, case) in enumerate(cases, start=1):
            if self._notices(file, case, mutant):
                return Fate(mutant, tried, case.name)
        return Fate(mutant, len(cases))

    def _notices(self, file: CaseFile, case: Case, mutant: Mutant) -> bool:
        site, said, asked = mutant.site, _outcome_when(mutant), 0

        def bend(kind: Kind, frame: FrameType, clause: str, holds: bool) -> bool:
            nonlocal asked
            if (kind, frame.f_lineno) != (site.kind, site.line) or site.clause not in (
                clause,
                _ANY,
            ):
                return holds
            if self.source.name(frame.f_code.co_filename) != site.file:
                return holds
            asked += 1
            if asked > _TOO_OFTEN:
                raise RecursionError(f"{site} is asked without end")
            return said

        with bent(bend):
            try:
                return bool(run_case(self.engine, file, case).problems)
            except Exception:  # a crash is noticed as well
                return True
