"""``python -m tests.mutants.program AREA``: would the tests notice if the program were different?

Games have witnesses of their own (``tests.mutants``). Everything else is bent here: the tests of
an area run once, to learn which of them go where; then functions are bent, one place at a time,
and the quickest tests that go there are run again in a forked process. What nobody notices is
printed; what was looked at and cannot matter stands in ``reviewed.toml``, with the reason.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import os
import random
import signal
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from time import monotonic
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest

from tests.mutants import ledger
from tests.mutants.effects import Edit, Effect, SourceFunction, applied, edits_of, plain_function

ROOT = Path(__file__).parents[2]
AREAS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "record": (("referee/record", "referee/table", "referee/judging"), ("record", "judge")),
    "store": (("referee/store",), ("store",)),
    "proof": (("referee/proof", "referee/secrecy", "referee/archive"), ("proofs", "review")),
    "tournament": (("referee/tournament", "answers/tournament"), ("tournament",)),
    "answers": (("answers",), ("answers", "judge", "kits", "review")),
    "service": (("service",), ("service",)),
    "replays": (("replays",), ("review", "exports")),
    "cli": (("cli",), ("cli", "review", "kits")),
}
"""What is bent, and the folders of tests that are asked."""
_PATIENCE = 20.0
"""Seconds of tests (as they took while nothing was bent) that are run for one mutant."""
_SHOWN_NOT_DONE = ("describe", "__repr__", "__str__")


class Mutant(NamedTuple):
    source: SourceFunction
    effect: Effect
    edit: Edit


def sources_of(folders: tuple[str, ...]) -> Iterator[SourceFunction]:
    """The functions and methods of some folders."""
    for path in sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py")):
        file = path.relative_to(ROOT)
        module = import_module(".".join(p for p in file.with_suffix("").parts if p != "__init__"))
        for owner, function in _functions(ast.parse(path.read_text("utf-8"))):
            holder = vars(module).get(owner) if owner else module
            found = vars(holder).get(function.name) if holder is not None else None
            try:
                real = plain_function(found)
            except AssertionError:  # replaced by what its decorator makes of it
                continue
            name = f"{owner}.{function.name}" if owner else function.name
            yield SourceFunction(file.as_posix(), str(path), name, function, owner, real, module)


def _functions(tree: ast.Module) -> Iterator[tuple[str | None, Any]]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    for node in tree.body:
        if isinstance(node, kinds):
            yield None, node
        elif isinstance(node, ast.ClassDef):
            for one in node.body:
                if isinstance(one, kinds) and one.name not in _SHOWN_NOT_DONE:
                    yield node.name, one


# who goes where


class Learner:
    """A plugin of pytest: which lines of the functions each passing test reaches, and how long
    it takes."""

    def __init__(self, codes: set[CodeType]) -> None:
        self.codes = codes
        self.tests: dict[str, set[tuple[CodeType, int]]] = defaultdict(set)
        self.seconds: dict[str, float] = defaultdict(float)
        self.failed: set[str] = set()
        self._here: set[tuple[CodeType, int]] = set()

    def _line(self, frame: FrameType, event: str, argument: object) -> Any:
        self._here.add((frame.f_code, frame.f_lineno))
        return self._line

    def _call(self, frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code not in self.codes:
            return None
        self._here.add((frame.f_code, frame.f_lineno))
        return self._line

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._here = self.tests[item.nodeid]
        threading.settrace(self._call)
        sys.settrace(self._call)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if not report.passed:
            self.failed.add(report.nodeid)

    def witnesses(self, mutant: Mutant) -> list[str]:
        """The quickest passing tests that reach the bent lines."""
        first, last = mutant.effect.lines
        wanted = {
            (code, n) for code in codes_of(mutant.source.real) for n in range(first, last + 1)
        }
        there = [
            test
            for test, reached in self.tests.items()
            if test not in self.failed and not wanted.isdisjoint(reached)
        ]
        chosen: list[str] = []
        spent = 0.0
        for test in sorted(there, key=self.seconds.__getitem__):
            spent += self.seconds[test]
            if chosen and spent > _PATIENCE:
                break
            chosen.append(test)
        return chosen


def codes_of(function: FunctionType) -> set[CodeType]:
    """A function with those written inside it."""
    found, left = set(), [function.__code__]
    while left:
        code = left.pop()
        found.add(code)
        left += [const for const in code.co_consts if isinstance(const, CodeType)]
    return found


# one mutant


def noticed(mutant: Mutant, tests: list[str]) -> bool:
    """Whether a test fails in a process in which the function is bent."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with open(os.devnull, "w") as nowhere:
                for stream in (1, 2):
                    os.dup2(nowhere.fileno(), stream)
            signal.alarm(int(3 * _PATIENCE) + 10)  # a bent loop need not end: SIGALRM kills
            with applied(mutant.edit):
                mutant.source.real.__code__ = mutant.source.code()
            code = int(_run(tests) != pytest.ExitCode.OK)
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return status != 0


def _run(tests: list[str], *plugins: object) -> int:
    options = [
        "-q",
        "-x",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        "-m",
        "not deep",
    ]
    with contextlib.redirect_stdout(io.StringIO()):
        return pytest.main([*options, *tests], plugins=[*plugins])


def learn(sources: list[SourceFunction], folders: tuple[str, ...]) -> Learner:
    learner = Learner({code for source in sources for code in codes_of(source.real)})
    options = ["-q", "-n", "0", "-p", "no:cacheprovider", "-m", "not deep", "--timeout", "600"]
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*options, *(f"tests/{folder}" for folder in folders)], plugins=[learner])
    return learner


# which mutants


def changed_files(since: str) -> set[str]:
    told = subprocess.run(
        ["git", "diff", "--name-only", since], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return {line for line in told.stdout.splitlines() if line.endswith(".py")}


def chosen(sources: list[SourceFunction], seed: int, first: set[str]) -> list[Mutant]:
    """All mutants in a random order; those of changed files first."""
    found = [Mutant(source, *each) for source in sources for each in edits_of(source)]
    random.Random(seed).shuffle(found)
    return sorted(found, key=lambda mutant: mutant.source.file not in first)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.program", description=__doc__)
    parser.add_argument("area", choices=[*AREAS, "any"], help="any: one of them, by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=5, help="of bending, after learning")
    parser.add_argument("--since", default="HEAD~1", help="what changed since then goes first")
    parser.add_argument("--files", nargs="*", default=[], help="only functions of these files")
    asked = parser.parse_args(arguments)
    area = asked.area if asked.area != "any" else [*AREAS][asked.seed % len(AREAS)]
    folders, tests = AREAS[area]
    sources = [
        source
        for source in sources_of(folders)
        if not asked.files or any(source.file.endswith(file) for file in asked.files)
    ]
    learner = learn(sources, tests)
    print(f"{area}: {len(sources)} functions, {len(learner.tests)} tests", flush=True)
    reviewed = ledger.reviewed(area)
    deadline = monotonic() + 60 * asked.minutes
    fates: dict[str, int] = defaultdict(int)
    for mutant in chosen(sources, asked.seed, changed_files(asked.since)):
        if monotonic() > deadline:
            break
        if str(mutant.effect) in reviewed:
            fates["reviewed"] += 1
            continue
        there = learner.witnesses(mutant)
        if not there:
            fates["reached by no test"] += 1
            continue
        if noticed(mutant, there):
            fates["noticed"] += 1
        else:
            fates["not noticed"] += 1
            print(
                f"  {mutant.effect} (line {mutant.effect.lines[0]}, {len(there)} asked)", flush=True
            )
    print(f"{area}: " + ", ".join(f"{count} {fate}" for fate, count in fates.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
