"""The program as a shell meets it: pipes, colours, signals, terminals, exit codes."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from unittest.mock import patch

import pytest

from cli.main import main
from cli.session import close_session
from tests.cli.test_answers import SETUP, check
from tests.cli.transcripts import run, table_folder
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
REFEREE = [sys.executable, "-c", "from cli.entry_point import run; run()"]
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def table(newcomer: Path) -> dict[str, str]:
    """The environment of a table where A is to step."""
    run("referee -q new benevolent A=blue B=red first A -p A=Ana")
    run(f"referee -q log {SETUP}")
    environment = {**table_folder(newcomer), "PYTHONPATH": str(ROOT)}
    del environment["NO_COLOR"]
    environment.pop("FORCE_COLOR", None)
    return environment


def call(
    environment: dict[str, str], *words: str, given: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*REFEREE, *words],
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=PATIENCE,
    )


def asked(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    """The same, in this process: where the words alone are looked at, nothing need be started."""
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with (
        patch.dict(os.environ, environment, clear=True),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        code = main(list(words))
        close_session()
    said, wrong = (part.buffer.getvalue().decode() for part in (out, err))
    return subprocess.CompletedProcess([*words], code, said, wrong)


def on_a_terminal(environment: dict[str, str], *words: str, typed: str = "") -> tuple[str, int]:
    """What the program shows on a terminal, and its exit code."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*REFEREE, *words], env=environment, stdin=follower, stdout=follower, stderr=follower
    )
    os.close(follower)
    if typed:
        os.write(leader, typed.encode())
    shown = b"".join(_parts(leader))
    os.close(leader)
    return shown.decode("utf-8"), process.wait(PATIENCE)


def _parts(terminal: int) -> Iterator[bytes]:
    """What is shown on a terminal until the program leaves it."""
    waiting = select.poll()  # unlike ``select`` it takes any number of open files
    waiting.register(terminal, select.POLLIN)
    while True:
        assert waiting.poll(PATIENCE * 1000), "the program neither says anything nor ends"
        try:
            part = os.read(terminal, 4096)
        except OSError:
            return
        if not part:
            return
        yield part


def test_answers_go_to_the_output_and_errors_beside_it(table: dict[str, str]) -> None:
    done = call(table, "log", "step", "c2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "✔ legal" in done.stdout
    wrong = call(table, "log", "xyzzy")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("referee: ")


def test_a_reader_who_leaves_early_is_no_error(table: dict[str, str]) -> None:
    process = subprocess.Popen(
        [*REFEREE, "rules", "benevolent"],
        env=table,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    assert process.communicate(timeout=PATIENCE) == (None, b"")
    assert process.returncode == 0


def test_plain_in_a_pipe_coloured_on_a_terminal(table: dict[str, str]) -> None:
    assert "\x1b" not in call(table, "check", "step", "a3").stdout
    shown, code = on_a_terminal({**table, "TERM": "xterm"}, "check", "step", "a3")
    assert code == 3
    assert "\x1b[31m✘ illegal\x1b[0m" in shown
    assert "\x1b" not in on_a_terminal({**table, "TERM": "dumb"}, "check", "step", "a3")[0]
    quiet = {**table, "TERM": "xterm", "NO_COLOR": "1"}
    assert "\x1b" not in on_a_terminal(quiet, "check", "step", "a3")[0]


def test_colours_can_be_forced_and_only_repeat_the_words(table: dict[str, str]) -> None:
    plain = asked(table, "check", "step", "a3").stdout
    for words, extra in (
        (("--color", "always"), {}),
        (("--color", "always"), {"NO_COLOR": "1"}),
        ((), {"FORCE_COLOR": "1"}),
    ):
        coloured = asked({**table, **extra}, "check", "step", "a3", *words).stdout
        assert "\x1b" in coloured
        assert ESCAPE.sub("", coloured) == plain
    for words, extra in (
        (("--color", "never"), {"FORCE_COLOR": "1"}),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}),
    ):
        assert asked({**table, **extra}, "check", "step", "a3", *words).stdout == plain
    assert "\x1b" not in asked(table, "check", "step", "a3", "--json", "--color", "always").stdout


def test_quiet_says_nothing_when_all_is_well(table: dict[str, str]) -> None:
    done = asked(table, "-q", "log", "step", "c2")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    refused = asked(table, "-q", "log", "step", "a3")
    assert refused.returncode == 3
    assert "BEN-TURN-2" in refused.stdout
    assert json.loads(asked(table, "-q", "info", "--json").stdout)["ok"]


def test_a_terminal_is_asked_and_no_input_never_asks(table: dict[str, str]) -> None:
    shown, code = on_a_terminal(table, "people", "erase", "Ana", "--no-input")
    assert (code, "--yes" in shown) == (2, True)
    shown, code = on_a_terminal(table, "people", "erase", "Ana", typed="n\n")
    assert code == 130
    assert "for good?" in shown
    assert "Ana" in call(table, "people", "list").stdout
    shown, code = on_a_terminal(table, "people", "erase", "Ana", typed="y\n")
    assert code == 0
    assert "Ana" not in call(table, "people", "list").stdout


def test_an_interrupted_program_says_nothing_and_ends_with_130(table: dict[str, str]) -> None:
    process = subprocess.Popen(
        [*REFEREE, "log", "-"],
        env={**table, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_hear_interrupts,
    )
    _wait_until_it_reads(process.pid)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err.strip()) == (130, b"", b"")


def _hear_interrupts() -> None:
    """Whoever runs the tests in the background of a shell hands on that interrupts are ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _wait_until_it_reads(pid: int) -> None:
    """The program sleeps in a read of its standard input: it is not importing any more.

    Systems that do not tell what a process waits for get a few seconds instead.
    """
    channel = Path(f"/proc/{pid}/wchan")
    for _ in range(250):
        if channel.exists() and "pipe" in channel.read_text():
            return
        time.sleep(0.02)


@pytest.mark.parametrize("words", [("A step c2; xyz",), ("-q", "A step c2", "xyz")])
def test_what_was_recorded_before_an_unreadable_line_is_told(
    table: dict[str, str], words: tuple[str, ...]
) -> None:
    stopped = asked(table, "log", *words)
    assert stopped.returncode == 2
    assert "recorded before that: #7" in stopped.stderr
    assert ("stopped at line 2" in stopped.stderr) == ("-q" in words)
    assert "A step c2" in asked(table, "moves").stdout


def test_a_program_is_told_what_was_recorded_before_an_unreadable_line(
    table: dict[str, str],
) -> None:
    answer = json.loads(asked(table, "log", "--json", "A step c2", "xyz").stdout)
    assert answer["error"]["facts"]["recorded"] == [7]
    assert answer["error"]["facts"]["line"] == 2


def test_several_lines_are_checked_one_after_the_other(table: dict[str, str]) -> None:
    checked = asked(table, "check", "A step c2", "A step c2")
    assert checked.returncode == 3
    assert checked.stdout.startswith("✔ legal   A step c2\nline 2 is refused\n✘ illegal")
    assert "step" not in asked(table, "moves", "--from", "7").stdout


def test_a_suggested_command_goes_to_the_same_game_and_store(
    table: dict[str, str], newcomer: Path
) -> None:
    game = json.loads(asked(table, "info", "--json").stdout)["data"]["game"]
    elsewhere = str(newcomer / "a store.db")
    asked(table, "--store", elsewhere, "new", "benevolent", "A=blue", "B=red", "first", "A")
    asked(table, "--store", elsewhere, "-q", "log", *shlex.split(SETUP))
    named = asked(table, "-g", game, "log", "step", "a3").stdout
    assert f": referee -g {game} log --stands A step a3\n" in named
    assert ": referee log --stands A step a3\n" in asked(table, "log", "step", "a3").stdout
    far = asked(table, "--store", elsewhere, "log", "step", "a3").stdout
    assert f": referee --store '{elsewhere}' log --stands A step a3\n" in far


@pytest.mark.parametrize(
    "words", [("check", "step", "a3"), ("log", "xyz"), ("--json", "open", "0")]
)
def test_a_full_disk_behind_the_output_is_no_traceback(
    table: dict[str, str], words: tuple[str, ...]
) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no full device")
    with full.open("w") as out:
        done = subprocess.run(
            [*REFEREE, *words],
            env=table,
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    assert "Traceback" not in done.stderr
    assert done.returncode == {"check": 5, "log": 2, "--json": 4}[words[0]]


def test_names_belong_to_seats_of_the_table(table: dict[str, str]) -> None:
    opening = ("new", "benevolent", "A=blue", "B=red", "first", "A", "-p")
    for name, code in (("C=Cy", 4), ("A:Ana", 2), ("A=\x1b[31m", 2), ("A=Ana", 0)):
        assert asked(table, *opening, name).returncode == code, name


def test_a_table_without_words_is_told_how_it_is_written(table: dict[str, str]) -> None:
    bare = asked(table, "new", "broom_service")
    assert (bare.returncode, "missing: PLAYERS" in bare.stderr) == (2, True)
    assert "for example: table A=red B=blue first A side front" in bare.stderr
    unfinished = asked(table, "new", "benevolent", "A=blue", "B=red", "first")
    assert "missing: FIRST" in unfinished.stderr
    misspelt = asked(table, "new", "brom_service")
    assert (misspelt.returncode, "perhaps: broom_service" in misspelt.stderr) == (4, True)


def test_a_key_that_is_known_under_another_name_is_told_so(table: dict[str, str]) -> None:
    asked(table, "keys", "trust", "eva", "a9" * 32)
    again = asked(table, "keys", "trust", "jo", "a9" * 32)
    assert "already trusted as eva" in again.stdout


def test_closed_streams_are_silent(table: dict[str, str]) -> None:
    for closed, words, code in (
        (">&-", "moves", 0),
        ("2>&-", "log xyz", 2),
        ("<&-", "log -", 2),
        (">&- 2>&-", "log xyz", 2),
    ):
        program = " ".join(shlex.quote(word) for word in REFEREE)
        done = subprocess.run(
            ["sh", "-c", f"{program} {words} {closed}"],
            env=table,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert (done.returncode, "fault" in done.stderr) == (code, False), closed


def test_bytes_that_are_no_text_are_named(table: dict[str, str]) -> None:
    done = subprocess.run(
        [*REFEREE, "log", "-"],
        env={**table, "PYTHONIOENCODING": "utf-8:strict"},
        input=b"step \xff\xfe\n",
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.returncode, b"not UTF-8 text" in done.stderr) == (2, True)


def test_what_was_typed_never_commands_the_terminal(table: dict[str, str]) -> None:
    for words in (("open", "\x1b[2J"), ("\x1b[2J",), ("rules", "\u202egnp")):
        done = asked(table, *words)
        assert done.returncode in (2, 4)
        assert not {"\x1b", "\u202e"} & set(done.stderr)
        assert "<U+" in done.stderr


def test_a_fault_of_ours_is_owned_up_to(newcomer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object, **more: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("answers.game_filter.known_games", broken)
    out, code = run("referee games")
    assert code == 1
    assert "please report it" in out
    assert "ZeroDivisionError, test_program.py:" in out
    assert "Traceback" not in out
    told = run("referee -v games")[0]
    assert "Traceback" in told
    assert "oops" in told
    out, code = run("referee games --json --lang fr")
    assert code == 1
    assert check(out)["error"]["code"] == "internal"
    assert "merci de la signaler" in out


def test_every_terminal_can_show_the_answers(table: dict[str, str]) -> None:
    done = call({**table, "PYTHONIOENCODING": "ascii"}, "log", "step", "c2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "ok legal" in done.stdout


def test_a_terminal_without_accents_shows_plain_letters(table: dict[str, str]) -> None:
    done = call({**table, "PYTHONIOENCODING": "ascii"}, "check", "step", "a3", "--lang", "fr")
    assert "x illegal" in done.stdout
    assert "apres #" in done.stdout
    assert "?" not in done.stdout


def test_a_terminal_without_narrow_spaces_shows_ordinary_ones(table: dict[str, str]) -> None:
    done = call({**table, "PYTHONIOENCODING": "ascii"}, "undo", "--t", "3", "--lang", "fr")
    assert done.returncode == 2
    assert "vouliez-vous dire --to ?" in done.stderr


def test_bytes_that_are_no_text_are_refused(table: dict[str, str]) -> None:
    done = call(table, "note", "add", "3", os.fsdecode(b"\xff"))
    assert done.returncode == 2
    assert "UTF-8" in done.stderr


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_locale_chooses_the_language(table: dict[str, str], lang: str) -> None:
    said = {"en": "✘ illegal", "fr": "✘ illégal"}[lang]
    environment = {**table, "LC_ALL": "", "LANG": f"{lang}_XX.UTF-8", "PYTHONUTF8": "1"}
    assert said in call(environment, "check", "step", "a3").stdout
    other = {**table, "REFEREE_LANG": lang}
    assert said in asked(other, "check", "step", "a3").stdout
    assert said in asked(table, "check", "step", "a3", "--lang", lang).stdout


def test_the_version_comes_from_anywhere_on_the_line(table: dict[str, str]) -> None:
    first = call(table, "--version")
    assert re.fullmatch(r"referee \d+\.\d+\.\d+\S*\n", first.stdout)
    assert asked(table, "log", "-v", "--version").stdout == first.stdout
    assert "--version" not in asked(table, "log", "--", "--version").stdout


def completed(table: dict[str, str], line: str) -> list[str]:
    """What a shell offers behind this line."""
    words = f"referee {line}"
    pressed = {
        **table,
        "_REFEREE_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    return call(pressed).stdout.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("un", "undo"),
        ("kit sho", "show"),
        ("log --sta", "--stands"),
        ("new bro", "broom_service"),
        ("games --of bene", "benevolent"),
        ("kit make round", "roundforest"),
        ("export htm", "html"),
        ("--lang f", "fr"),
        ("access give sp", "spectator"),
    ],
)
def test_a_shell_completes_commands_options_and_values(
    table: dict[str, str], line: str, expected: str
) -> None:
    assert completed(table, line) == [expected]


@pytest.mark.parametrize("line", ["open game-", "-g game-", "verify game-"])
def test_a_shell_completes_the_records_of_the_store(table: dict[str, str], line: str) -> None:
    listed = json.loads(asked(table, "games", "--json").stdout)["data"]["games"]
    assert completed(table, line) == [each["game"] for each in listed] != []


def test_completing_creates_no_store(table: dict[str, str], tmp_path: Path) -> None:
    missing = tmp_path / "none.db"
    assert completed(table, f"--store {missing} open game-") == []
    assert not missing.exists()


def test_a_case_file_is_run_without_saying_run(table: dict[str, str]) -> None:
    file = next((Path(__file__).parents[1] / "cases" / "benevolent").glob("*.toml"))
    run = asked(table, "cases", "run", str(file))
    assert run.returncode == 0
    assert asked(table, "cases", str(file)).stdout == run.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_asks_the_program(table: dict[str, str], shell: str) -> None:
    done = asked(table, "completion", shell)
    assert done.returncode == 0
    assert f"_REFEREE_COMPLETE=complete_{shell}" in done.stdout


HEAVY = ("sqlite_utils", "jsonschema", "rich", "prompt_toolkit", "networkx", "cryptography")


def loaded(environment: dict[str, str], *words: str) -> set[str]:
    """The modules a command has imported."""
    code = "import sys\nfrom cli.main import main\nmain(sys.argv[1:])\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    return set(done.stdout.splitlines()[-1].split())


def test_a_cold_start_imports_nothing_heavy(table: dict[str, str]) -> None:
    version = loaded(table, "--version")
    assert not version & {*HEAVY, "pydantic", "eventsourcing", "sqlite3", "engines", "referee"}
    log = loaded(table, "log", "step", "c2")
    assert not log & set(HEAVY)
    assert {"engines.benevolent", "pydantic"} <= log
    others = {"engines.roundforest", "engines.broom_service", "engines.bloody_grove"}
    assert not log & {*others, "replays"}
    assert not log & SHOWN
    assert "referee.record.positions" not in log
    for looking in ("state", "options"):
        assert not loaded(table, looking) & {*HEAVY, *others, *SHOWN}
    desk = loaded(table, "tournament", "list")
    assert not desk & {*HEAVY, "engines.benevolent", *PROVEN, *PAIRED}


SHOWN = {
    *("engines.benevolent.picture", "engines.benevolent.guide"),
    *(
        f"engines.kernel.{name}"
        for name in ("box.tour", "box.guide", "picture.chart", "picture.layout", "picture.svg")
    ),
}
"""What pictures and tours of a box are made with."""
PROVEN = {"referee.proof.verify", "referee.tournament.proof"}
PAIRED = {"referee.tournament.pairing", "referee.tournament.ranking.standings"}
