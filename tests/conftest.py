"""What all tests share: the tutorial game, and the clause report at the end of a run."""

from __future__ import annotations

import faulthandler
import os
import re
import shlex
import shutil
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest
from hypothesis import settings

from engines.kernel import Engine
from engines.kernel.registry import load_engine
from tests.browser import chromium, launched
from tests.deep import DEAR, DEAR_FILE, DEEP, SHARES, dear_functions, dearest, function_of
from tests.kernel.toy import ENGINE as TOY
from tests.tutorial import SAMPLES, installed, publish_tutorial

CLAUSE_REPORT = "clause report"
_CHOICES = ("REFEREE_CHAOS", "REFEREE_SEED", "REFEREE_PLAYOUTS", "REFEREE_SHUFFLE")
"""What changes which tests there are, in which order they run, or what they try."""
_folder = pytest.StashKey[Path]()

settings.register_profile("steady", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("chaos", deadline=None, max_examples=1000)
settings.load_profile("chaos" if "REFEREE_CHAOS" in os.environ else "steady")


MEMORY = Path("/dev/shm")
"""Where a system keeps files in memory: thousands of small stores wait for no disk there."""
ROOM = 2 << 30
CLEANING = 120
"""Seconds for what a test leaves behind."""
TOGETHER = 8
"""A file of at least so many tests is run by one worker."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", DEEP)
    config.addinivalue_line("markers", DEAR)
    config.addinivalue_line("markers", "in_turn(place, count): one of so many very long tests")
    if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    config.stash[_folder] = Path(tempfile.mkdtemp(prefix="pebbles-"))
    publish_tutorial(config.stash[_folder])


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash[_folder], ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A file stays on one worker: what its tests share is made once, not once on each core.

    Files of a few long tests are spread, so that no worker is left alone with one at the end.
    """
    dear = dear_functions()
    for item in items:
        if function_of(item.nodeid) in dear and item.get_closest_marker("deep") is None:
            item.add_marker(pytest.mark.dear)
    if left_out := [item for item in items if not is_in_share(item)]:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]
    if (seed := os.environ.get("REFEREE_SHUFFLE")) is not None:
        shuffle(items, Random(seed))
    files = [item.nodeid.partition("::")[0] for item in items]
    sizes = Counter(files)
    for item, file in zip(items, files, strict=True):
        if sizes[file] >= TOGETHER and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(file))


def shuffle(items: list[pytest.Item], chance: Random) -> None:
    """No test may need what another has left behind: files in any order, and tests in a file."""
    places = {item.nodeid.partition("::")[0]: chance.random() for item in items}
    items.sort(key=lambda item: (places[item.nodeid.partition("::")[0]], chance.random()))


def is_in_share(item: pytest.Item) -> bool:
    """Whether a long or dear test is one of this run: ``REFEREE_SHARE=5`` is the fifth share.

    The number goes up with every commit (``make share``), so that each has its turn; of very long
    ones, which say ``in_turn(place, count)``, one.
    """
    kind = next((kind for kind in SHARES if item.get_closest_marker(kind) is not None), None)
    if kind is None or (share := os.environ.get("REFEREE_SHARE")) is None:
        return True
    if (turn := item.get_closest_marker("in_turn")) is not None:
        place, count = turn.args
        return bool(int(share) % count == place)
    return crc32(item.nodeid.encode()) % SHARES[kind] == int(share) % SHARES[kind]


@contextmanager
def _ending_after(seconds: float) -> Iterator[None]:
    """Whoever does not come to an end ends their worker, which is told with the name of the test.

    The limit of a test strikes once, and never where the interpreter waits for a library.
    """
    faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def _limit(config: pytest.Config) -> float:
    return float(config.getoption("timeout") or config.getini("timeout") or 300)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    with _ending_after(_limit(item.config) + CLEANING):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with _ending_after(_limit(item.config) + CLEANING):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    with _ending_after(CLEANING):
        return (yield)


class Watch(threading.Thread):
    """Ends a run in which no test ends, and names those that had begun.

    A worker that has ended may leave a process behind that keeps its pipe open: xdist would wait
    for it for ever.
    """

    def __init__(self, silence: float) -> None:
        super().__init__(daemon=True)
        self.running: dict[str, None] = {}
        self._silence = silence
        self._heard = threading.Event()
        self.start()

    def run(self) -> None:
        while self._heard.wait(self._silence):
            self._heard.clear()
        names = "\n".join(self.running) or "none: the workers do not end"
        print(f"\nno test has ended for {self._silence:.0f} s; running:\n{names}", flush=True)
        os._exit(1)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.running[nodeid] = None

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.running.pop(nodeid, None)
        self._heard.set()


def pytest_sessionstart(session: pytest.Session) -> None:
    config = session.config
    if config.getoption("numprocesses", None):
        config.pluginmanager.register(Watch(2 * (_limit(config) + CLEANING)))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One for all, where it is to be had."""
    pytest.importorskip("playwright.sync_api", reason="no playwright: pip install .[e2e]")
    if chromium() is None:
        pytest.skip("no chromium: apt-get install chromium")
    with launched() as found:
        yield found


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What looks at a page for people with other senses."""
    from tests.pages.club import axe_source

    return axe_source(tmp_path_factory.mktemp("axe")) or pytest.skip("no axe-core to be had")


@pytest.fixture(scope="session")
def pebbles() -> Engine[Any, Any]:
    return load_engine("pebbles")


@pytest.fixture(scope="module")
def strangers_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The samples are installed, as a club would."""
    with ExitStack() as there:
        for sample in SAMPLES:
            files = [file for file in (sample / sample.name).rglob("*.*") if file.suffix != ".pyc"]
            texts = {str(file.relative_to(sample)): file.read_text("utf-8") for file in files}
            folder = tmp_path_factory.mktemp(sample.name)
            there.enter_context(installed(sample.name, folder, texts))
        yield


@pytest.fixture(scope="session")
def toy() -> Engine[Any, Any]:
    """A game with claims, duties in any order and derived steps."""
    return TOY


def _weigh(reporter: pytest.TerminalReporter) -> None:
    """``make weigh``: find anew which tests are dear."""
    seconds: Counter[str] = Counter()
    for reports in reporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport) and "deep" not in report.keywords:
                seconds[report.nodeid] += report.duration
    DEAR_FILE.write_text("\n".join(dearest(seconds)) + "\n", "utf-8")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if os.environ.get("REFEREE_WEIGH"):
        _weigh(terminalreporter)
    clauses = sorted(
        value
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "call"
        for name, value in report.user_properties
        if name == CLAUSE_REPORT
    )
    sections = {
        CLAUSE_REPORT: clauses,
        "skipped": _skips(terminalreporter.stats.get("skipped", ())),
        "to run what failed alone": _alone(
            terminalreporter.stats.get("failed", []) + terminalreporter.stats.get("error", [])
        ),
    }
    for title, lines in sections.items():
        if lines:
            terminalreporter.section(title)
            for line in lines:
                terminalreporter.line(line)


def _skips(reports: Iterable[pytest.TestReport]) -> list[str]:
    """A line for each reason, with how many tests it kept from running."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ").splitlines()[0]
        for report in reports
        if isinstance(report.longrepr, tuple)
    )
    return [f"{count} × {reason}" for reason, count in reasons.most_common()]


def _alone(reports: Iterable[pytest.TestReport]) -> list[str]:
    """The command line of each failed test, as it was run, but on one core."""
    told = [f"{name}={os.environ[name]}" for name in _CHOICES if name in os.environ]
    python = os.path.relpath(sys.executable) if sys.prefix != sys.base_prefix else "python"
    return list(
        dict.fromkeys(
            shlex.join([*told, python, "-m", "pytest", "-n", "0", _named(report.nodeid)])
            for report in reports
        )
    )


def _named(nodeid: str) -> str:
    """The name of a test without the group that xdist puts behind it."""
    return re.sub(r"@[^]]*$", "", nodeid)
