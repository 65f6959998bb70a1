"""``python -m tests.mutants.program AREA``: would the tests notice if the program were different?

Games have witnesses of their own (``tests.mutants``). Everything else is bent here: the tests of
an area run once under coverage, to learn which of them go where (kept in ``.bends``, until
``--learn`` is said); then functions are bent, one place at a time, and the tests that go there are
run again in a forked process, the quickest first. What nobody notices is printed; what was looked
at and cannot matter stands in ``reviewed.toml``, with the reason.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import gc
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple

import pytest
from coverage import Coverage, CoverageData

from tests.mutants import ledger
from tests.mutants.effects import Edit, Effect, SourceFunction, applied, edits_of, plain_function
from tests.mutants.slips import Slips

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".bends"
AREAS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "secrecy": (
        ("referee/secrecy", "referee/record/permissions.py", "answers/permissions.py",
         "answers/known_games.py", "answers/privileged.py", "answers/admin/access.py",
         "service/broadcast_delay.py", "referee/tournament/held_back.py"),
        ("proofs", "record/test_roles.py", "store/test_access.py", "service/test_access.py",
         "service/test_permissions.py", "service/test_revocation.py",
         "service/test_hidden_hands.py", "service/test_twins.py", "service/test_broadcast.py",
         "service/test_delay_shifts.py", "service/test_who_may.py", "cli/test_authors.py"),
    ),
    "proof": (("referee/proof",), ("proofs",)),
    "record": (("referee/record",), ("record", "judge")),
    "table": (("referee/table", "referee/judging"), ("record", "judge")),
    "store": (("referee/store",), ("store",)),
    "archive": (("referee/archive", "replays"), ("review", "exports")),
    "tournament": (("referee/tournament", "referee/season"), ("tournament", "season")),
    "answers": (
        ("answers/admin", "answers/judge", "answers/play", "answers/proof", "answers/review"),
        ("answers", "judge", "review", "store/test_people.py", "cli/test_every_option.py"),
    ),
    "rulebooks": (("answers/rulebooks",), ("kits", "answers", "cli/test_every_option.py")),
    "events": (("answers/tournament", "answers/season"), ("tournament", "season")),
    "auth": (
        ("service/auth.py", "service/device.py", "service/csrf.py", "service/rate_limit.py"),
        ("service/test_access.py", "service/test_devices.py", "service/test_revocation.py",
         "service/test_limits_model.py", "service/test_permissions.py", "service/test_routes.py"),
    ),
    "service": (("service",), ("service",)),
    "cli": (("cli",), ("cli", "review", "kits")),
}  # fmt: skip
"""What is bent, and the tests that are asked."""
_PAGES = "pages"
"""The scripts of the pages, which tests/js/bend.js bends."""
_AT_ONCE = 3
"""Mutants of a function before the next one has its turn."""
_SHOWN_NOT_DONE = ("describe", "__repr__", "__str__")


class Mutant(NamedTuple):
    source: SourceFunction
    effect: Effect
    edit: Edit


def sources_of(places: tuple[str, ...]) -> Iterator[SourceFunction]:
    """The functions and methods of some folders and files."""
    for path in sorted(file for place in places for file in _files(ROOT / place)):
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


def _files(place: Path) -> list[Path]:
    return [place] if place.is_file() else [*place.rglob("*.py")]


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


class Known(NamedTuple):
    """What is kept of a run of tests, beside the lines: which tests reach a line is in coverage."""

    seconds: dict[str, float]
    """Of each test that passed."""
    users: dict[str, list[str]]
    """The tests that share a fixture: where it goes, they go."""
    functions: dict[str, tuple[str, int, int]]
    """The print of each function then, and its lines."""


class Learner:
    """A plugin of pytest: which lines each test reaches, and how long it takes."""

    def __init__(self, coverage: Coverage, seconds: float) -> None:
        self.coverage = coverage
        self.deadline = monotonic() + seconds
        self.took: dict[str, float] = defaultdict(float)
        self.failed: set[str] = set()
        self.users: dict[str, list[str]] = defaultdict(list)
        self.left_out = 0
        self._test = ""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        self._test = item.nodeid
        file = item.nodeid.partition("::")[0]
        for name in getattr(item, "fixturenames", ()):
            self.users[f"{file} {name}"].append(item.nodeid)
            self.users[name].append(item.nodeid)
        self.coverage.switch_context(item.nodeid)
        return (yield)

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if monotonic() > self.deadline:
            self.left_out += 1
            pytest.skip("no time is left to learn where it goes")

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[Any]:
        shared = fixturedef.scope in ("module", "package", "session")
        if shared:
            file = f"{self._test.partition('::')[0]} " if fixturedef.scope == "module" else ""
            self.coverage.switch_context(file + fixturedef.argname)
        try:
            return (yield)
        finally:
            if shared:
                self.coverage.switch_context(self._test)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.took[report.nodeid] += report.duration
        if not report.passed:
            self.failed.add(report.nodeid)


def learn(area: str, sources: list[SourceFunction], tests: list[str], seconds: float) -> None:
    """Run the tests of an area and keep which of them go where."""
    KEPT.mkdir(exist_ok=True)
    files = sorted({source.path for source in sources})
    coverage = Coverage(data_file=str(KEPT / area), include=files, config_file=False)
    coverage.set_option("run:relative_files", True)
    coverage.erase()
    learner = Learner(coverage, seconds)
    coverage.start()
    try:
        ended = _run(tests, learner, "--timeout", "600")
    finally:
        coverage.stop()
        coverage.save()
    if ended not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        sys.exit(f"{area}: its tests cannot be run: {ended!r}")
    if learner.left_out:
        print(f"{area}: there was no time for {learner.left_out} tests", flush=True)
    known = Known(
        {test: took for test, took in learner.took.items() if test not in learner.failed},
        learner.users,
        {f"{s.file} {s.name}": (s.print, s.node.lineno, s.node.end_lineno or 0) for s in sources},
    )
    (KEPT / f"{area}.json").write_text(json.dumps(known._asdict()), "utf-8")


class Witnesses:
    """Who goes where, as it was learned."""

    def __init__(self, area: str, patience: float) -> None:
        self.known = Known(**json.loads((KEPT / f"{area}.json").read_text("utf-8")))
        self.lines = CoverageData(str(KEPT / area))
        self.lines.read()
        self.patience = patience
        self.telling: dict[str, str] = {}
        """Who noticed the last bend of a function."""

    @functools.cache  # noqa: B019
    def _contexts(self, file: str) -> dict[int, list[str]]:
        return self.lines.contexts_by_lineno(file)

    def of(self, mutant: Mutant) -> list[str]:
        """The quickest tests that reach the bent lines, or the function if it was changed since."""
        source = mutant.source
        name = f"{source.file} {source.name}"
        if name not in self.known.functions:
            return []
        print_then, first_then, last_then = self.known.functions[name]
        lines = range(first_then, last_then + 1)
        if print_then == source.print:
            first, last = (line - source.node.lineno + first_then for line in mutant.effect.lines)
            lines = range(first, last + 1)
        contexts = self._contexts(source.file)
        there = {
            test
            for line in lines
            for context in contexts.get(line, ())
            for test in self.known.users.get(context, [context])
            if test in self.known.seconds
        }
        telling = self.telling.get(name)
        chosen: list[str] = []
        spent = 0.0
        for test in sorted(there, key=lambda test: (test != telling, self.known.seconds[test])):
            spent += self.known.seconds[test]
            if chosen and spent > self.patience:
                break
            chosen.append(test)
        return chosen


# one mutant


class Failing:
    """A plugin of pytest: names the test that fails first."""

    def __init__(self, pipe: int) -> None:
        self.pipe = pipe

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os.write(self.pipe, report.nodeid.encode())


def bent(mutant: Mutant, tests: list[str]) -> tuple[int, int]:
    """A process in which the function is bent and the tests run, and where it names who noticed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    code = 1
    try:
        os.setpgid(0, 0)
        with open(os.devnull, "w") as nowhere:
            for stream in (1, 2):
                os.dup2(nowhere.fileno(), stream)
        with applied(mutant.edit):
            mutant.source.real.__code__ = mutant.source.code()
        _forget()
        code = int(_run(tests, Failing(writing), "-x") != pytest.ExitCode.OK)
    finally:
        os._exit(code)


def _forget() -> None:
    """Nothing that was computed before counts."""
    for one in gc.get_objects():
        if isinstance(one, functools._lru_cache_wrapper):
            module = getattr(one, "__module__", None) or ""
            if not module.startswith(("engines", "engines.")):
                one.cache_clear()


def _run(tests: list[str], plugin: object, *options: str) -> int:
    usual = ("-q", "-n", "0", "-p", "no:unraisableexception", "-m", "not deep")
    with contextlib.redirect_stdout(io.StringIO()):
        return pytest.main([*usual, *options, *tests], plugins=[plugin])


def noticed(mutant: Mutant, tests: list[str]) -> bool:
    """Whether a test fails in a process in which the function is bent."""
    child, pipe = bent(mutant, tests)
    os.close(pipe)
    return os.waitpid(child, 0)[1] != 0


class Running(NamedTuple):
    """A process with a bent function."""

    mutant: Mutant
    pipe: int
    asked: int
    until: float


class Trial:
    """The mutants of an area, some at a time, until there is no time."""

    def __init__(self, witnesses: Witnesses, reviewed: dict[str, str], jobs: int) -> None:
        self.witnesses = witnesses
        self.reviewed = reviewed
        self.jobs = jobs
        self.fates: Counter[str] = Counter()
        self.running: dict[int, Running] = {}

    def try_all(self, mutants: Iterable[Mutant], seconds: float) -> None:
        deadline = monotonic() + seconds
        for mutant in mutants:
            if monotonic() > deadline:
                break
            if str(mutant.effect) in self.reviewed:
                self.fates["reviewed"] += 1
            elif tests := self.witnesses.of(mutant):
                child, pipe = bent(mutant, tests)
                until = monotonic() + 3 * self.witnesses.patience + 10
                self.running[child] = Running(mutant, pipe, len(tests), until)
                if len(self.running) >= self.jobs:
                    self._end_one()
            else:
                self.fates["reached by no test"] += 1
        while self.running:
            self._end_one()

    def _end_one(self) -> None:
        """Wait for one of them; a bent loop need not end, and is ended."""
        while True:
            for child, one in [*self.running.items()]:
                late = monotonic() > one.until
                if late:
                    _kill(child)
                ended, status = os.waitpid(child, 0 if late else os.WNOHANG)
                if ended:
                    del self.running[child]
                    _kill(child)
                    self._note(one, status)
                    return
            sleep(0.02)

    def _note(self, one: Running, status: int) -> None:
        os.set_blocking(one.pipe, False)
        with os.fdopen(one.pipe, "rb") as names:
            teller = (names.read() or b"").decode()
        effect, source = one.mutant.effect, one.mutant.source
        if status and not teller:
            self.fates["noticed by its not coming to an end"] += 1
        elif status:
            self.fates["noticed"] += 1
            self.witnesses.telling[f"{source.file} {source.name}"] = teller
        else:
            self.fates["not noticed"] += 1
            print(f"  {effect} (line {effect.lines[0]}, {one.asked} asked)", flush=True)


def _kill(child: int) -> None:
    """A process with the servers that its tests have started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)


# which mutants


def changed_files(since: str) -> set[str]:
    told = subprocess.run(
        ["git", "diff", "--name-only", since], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return {line for line in told.stdout.splitlines() if line.endswith(".py")}


def chosen(sources: list[SourceFunction], seed: int, first: set[str]) -> Iterator[Mutant]:
    """All mutants in a random order, a few of each function in turn; changed files come first."""
    rng = random.Random(seed)
    order = rng.sample(sources, len(sources))
    order.sort(key=lambda source: source.file not in first)
    left: list[tuple[SourceFunction, list[tuple[Effect, Edit]] | None]]
    left = [(source, None) for source in order]
    while left:
        later = []
        for source, held in left:
            edits = [*edits_of(source, kind=Slips)] if held is None else held
            if held is None:
                rng.shuffle(edits)
            yield from (Mutant(source, *each) for each in edits[:_AT_ONCE])
            if edits[_AT_ONCE:]:
                later.append((source, edits[_AT_ONCE:]))
        left = [*later]


def _bend_pages(seconds: float, seed: int) -> int:
    """The scripts of the pages have tests of their own, in their own language."""
    folder = ROOT / "tests" / "js"
    if shutil.which("node") is None or not (folder / "node_modules").is_dir():
        print("pages: needs Node.js and what `make js` installs")
        return 0
    options = [str(int(seconds)), str(seed)]
    return subprocess.run(["node", "bend.js", *options], cwd=folder, check=False).returncode


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.program", description=__doc__)
    parser.add_argument("area", choices=[*AREAS, _PAGES, "any"], help="any: whose turn it is")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=5, help="of bending, after learning")
    parser.add_argument("--learning", type=float, default=60, help="most minutes of learning")
    parser.add_argument("--learn", action="store_true", help="anew, though it was learned")
    parser.add_argument("--patience", type=float, default=10, help="seconds of tests for a mutant")
    parser.add_argument("--since", default="HEAD~1", help="what changed since then goes first")
    parser.add_argument("--files", nargs="*", default=[], help="only functions of these files")
    parser.add_argument("--again", type=Path, help="only those that this file, printed here, names")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    asked = parser.parse_args(arguments)
    turns = [*AREAS, _PAGES]
    area = asked.area if asked.area != "any" else turns[asked.seed % len(turns)]
    if area == _PAGES:
        return _bend_pages(60 * asked.minutes, asked.seed)
    places, tests = AREAS[area]
    sources = [*sources_of(places)]
    if asked.learn or not (KEPT / f"{area}.json").exists():
        files = [f"tests/{test}" for test in random.Random(asked.seed).sample(tests, len(tests))]
        learn(area, sources, files, 60 * asked.learning)
    else:
        _run([f"tests/{test}" for test in tests], object(), "--collect-only")  # imported once
    gc.freeze()  # what is shared with the processes to come is not copied
    witnesses = Witnesses(area, asked.patience)
    wanted = [s for s in sources if not asked.files or s.file.endswith(tuple(asked.files))]
    print(f"{area}: {len(wanted)} functions, {len(witnesses.known.seconds)} tests", flush=True)
    trial = Trial(witnesses, ledger.reviewed(area), asked.jobs)
    mutants: Iterable[Mutant] = chosen(wanted, asked.seed, changed_files(asked.since))
    if asked.again is not None:
        names = asked.again.read_text("utf-8")
        mutants = (one for one in mutants if f"  {one.effect} (line" in names)
    trial.try_all(mutants, 60 * asked.minutes)
    print(f"{area}: " + ", ".join(f"{count} {fate}" for fate, count in trial.fates.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
