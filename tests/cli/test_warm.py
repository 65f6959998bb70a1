"""A resident answers as the program does, and is left out when anything is odd."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_served import told_commands
from tests.cli.transcripts import FOLDER, normal
from tests.deep import first
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
RESIDENT = "import sys; from cli.resident import main; sys.exit(main(sys.argv[1], 120.0))"
ONLY_WARM = (
    "import sys; from cli.warm import answered; code = answered(); "
    "sys.exit(99 if code is None else code)"
)
PROGRAM = "from cli.entry_point import run; run()"

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a resident forks")


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("REFEREE_")}
    more = {"LC_ALL": "C.UTF-8", "NO_COLOR": "1", "PYTHONPATH": str(ROOT), "REFEREE_WARM": "1"}
    return {**kept, **more, "XDG_RUNTIME_DIR": str(tmp_path_factory.mktemp("run"))}


@pytest.fixture(scope="module")
def resident(surroundings: dict[str, str]) -> Iterator[None]:
    """One that has started, for these surroundings."""
    where = socket_of(surroundings)
    os.mkdir(os.path.dirname(where), 0o700)
    running = subprocess.Popen([sys.executable, "-c", RESIDENT, where], env=surroundings)
    while not os.path.exists(where):
        assert running.poll() is None, "the resident does not start"
        time.sleep(0.02)
    try:
        yield
    finally:
        running.kill()
        running.wait(PATIENCE)


@pytest.fixture
def environment(surroundings: dict[str, str], newcomer: Path) -> dict[str, str]:
    return {**surroundings, "XDG_DATA_HOME": str(newcomer / "data")}


@pytest.fixture
def elsewhere(environment: dict[str, str], newcomer: Path) -> dict[str, str]:
    """Surroundings in which no resident is at home."""
    return {**environment, "XDG_RUNTIME_DIR": str(newcomer)}


def socket_of(environment: dict[str, str]) -> str:
    code = "from cli import warm; print(warm.socket_path(warm.home()))"
    return said(environment, code).stdout.strip()


def said(
    environment: dict[str, str], code: str, *words: str, given: str | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        env=environment,
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize("name", first(1, ["first_game", "litige"]))
def test_the_resident_prints_what_the_transcript_says(
    name: str, environment: dict[str, str], resident: object
) -> None:
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    result = ""
    for line, _ in told_commands(text):
        script = f'{sys.executable} -c "{ONLY_WARM}"'
        shell = f"{script} {line.removeprefix('referee ')}"
        done = subprocess.run(
            shell, shell=True, env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=PATIENCE,
        )  # fmt: skip
        exit = f"[exit {done.returncode}]\n" if done.returncode else ""
        result += f"$ {line}\n{done.stdout}{exit}"
    assert normal(result).split("\n") == normal(text).split("\n")


def test_what_it_says_goes_where_the_caller_wants_it(
    environment: dict[str, str], resident: object, newcomer: Path
) -> None:
    made = said(environment, ONLY_WARM, "new", "benevolent", "A=blue", "B=red", "first", "A")
    assert made.returncode == 0, made.stdout
    (newcomer / "here").mkdir()
    os.chdir(newcomer / "here")
    assert said(environment, ONLY_WARM, "export", "record", "-o", "it.jsonl").returncode == 0
    assert (newcomer / "here" / "it.jsonl").exists()
    logged = said(environment, ONLY_WARM, "log", "-", given="forest S1A S2A\n")
    assert "#1 forest" in logged.stdout
    assert said(environment, ONLY_WARM, "--json", "log", "step", "z9").returncode != 0


@pytest.mark.parametrize("words", [("play",), ("serve",), ("tournament", "desk"), ("keys", "list")])
def test_what_holds_a_terminal_is_started_as_usual(
    words: tuple[str, ...], environment: dict[str, str], resident: object
) -> None:
    assert said(environment, ONLY_WARM, *words).returncode == 99


def test_a_folder_that_others_may_enter_is_not_used(
    environment: dict[str, str], resident: object
) -> None:
    folder = os.path.dirname(socket_of(environment))
    os.chmod(folder, 0o755)
    try:
        assert said(environment, ONLY_WARM, "games").returncode == 99
    finally:
        os.chmod(folder, 0o700)


def test_another_language_of_the_system_is_another_program(environment: dict[str, str]) -> None:
    assert socket_of(environment) != socket_of({**environment, "LC_ALL": "C"})


def test_a_request_of_another_program_is_refused(
    environment: dict[str, str], resident: object
) -> None:
    place = f"{socket_of(environment)!r}.format"
    other = f"from cli import warm; warm.identity = str; warm.socket_path = {place}; "
    assert said(environment, other + ONLY_WARM, "games").returncode == 99


def test_one_that_was_killed_is_in_nobodys_way(elsewhere: dict[str, str]) -> None:
    where = socket_of(elsewhere)
    os.mkdir(os.path.dirname(where), 0o700)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(where)
    assert said(elsewhere, PROGRAM, "games").returncode == 0
    while not os.path.exists(where):
        time.sleep(0.05)
    assert said(elsewhere, ONLY_WARM, "games").returncode == 0
    os.unlink(where)
    assert said(elsewhere, ONLY_WARM, "--version").returncode == 99


def test_it_ends_when_nobody_asks(elsewhere: dict[str, str]) -> None:
    where = socket_of(elsewhere)
    os.mkdir(os.path.dirname(where), 0o700)
    begun = [sys.executable, "-c", RESIDENT.replace("120.0", "0.1"), where]
    assert subprocess.run(begun, env=elsewhere, timeout=PATIENCE).returncode == 0
    assert not os.path.exists(where)
