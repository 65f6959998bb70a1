"""Without an extra, whatever needs it says which, and how it is added to this installation."""

from __future__ import annotations

import json
import os
import pty
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from answers.admin.maintenance import EXTRAS
from referee.untrusted.optional_packages import Installed, how_to_add, this_installation, version
from tests.cli.test_answers import TABLE
from tests.cli.transcripts import table_folder
from tests.deep import first
from tests.packaging.bare import optional_modules
from tests.test_structure import ROOT
from tests.tournament.test_commands import TABLE as EVENT

FROZEN = ROOT / "tests/frozen/0.1.0"

NEEDS = {
    "referee keys new jo": "keys",
    "referee export pdf -o game.pdf": "pdf",
    "referee export png -o game.png": "pictures",
    "referee export gif -o game.gif": "pictures",
    "referee export webp -o game.webp": "pictures",
    "referee --store postgresql://localhost/none games": "postgres",
    "referee serve --port 0": "web",
    "referee see list.csv": "sight",
    "referee season standings": "tournament",
    "referee season ratings": "tournament",
    "referee season player Zoe": "tournament",
    "referee tournament print slips -o slips.html": "tournament",
    "referee tournament print standings --format pdf -o standings.pdf": "pdf",
    "referee keys new club": "keys",
    "referee tournament new Dutch --of benevolent --system dutch --rounds 3": "fide",
    "referee --store tournaments.db tournament -t @ check": "tournament",
}
"""What cannot be done without an extra. What needs a key is refused for want of the key."""
MORE = """
referee export html -o game.html
referee export csv -o game.csv
"""


def lines() -> list[str]:
    """Every command there is, in an order in which it can be said."""
    told = [line for line in (TABLE + EVENT + MORE).splitlines() if line]
    told += [line for line in NEEDS if line not in told]
    frozen = json.loads((FROZEN / "tournaments/ids.json").read_text("utf-8"))
    return [line.replace("@", frozen["swiss"]) for line in told if "@" not in line or line in NEEDS]


def without_extras(asked: list[str], folder: Path) -> list[tuple[str, int]]:
    """Output and exit code of each line."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.packaging.bare"],
        input=json.dumps(asked),
        env={**table_folder(folder), "PYTHONPATH": str(ROOT)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return [(out, code) for out, code in json.loads(ran.stdout)]


@pytest.mark.parametrize(
    ("lang", "sentence"),
    first(1, [("en", "the extra “{}”"), ("fr", "le module facultatif «\u202f{}\u202f»")]),
)
def test_every_command_that_needs_an_extra_says_which_and_how(
    lang: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in FROZEN.glob("tournaments*.db"):
        shutil.copy(file, tmp_path)
    (tmp_path / "list.csv").write_text("name,club\nEva,South\n", "utf-8")
    asked, refused = lines(), {}
    said = without_extras([f"{line} --lang {lang}" for line in asked], tmp_path)
    for line, (out, code) in zip(asked, said, strict=True):
        assert code != 1, (line, out)
        for extra in EXTRAS:
            if sentence.format(extra) in out and code:
                assert out.rstrip().endswith(how_to_add(extra)), out
                refused[line] = extra
    frozen = json.loads((FROZEN / "tournaments/ids.json").read_text("utf-8"))
    assert refused == {line.replace("@", frozen["swiss"]): extra for line, extra in NEEDS.items()}


def test_every_extra_is_named_by_doctor_and_refused_somewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with (ROOT / "pyproject.toml").open("rb") as file:
        asked = tomllib.load(file)["project"]["optional-dependencies"]
    (everything,) = asked["all"]
    assert everything == f"referee[{','.join(extra for extra in asked if extra in EXTRAS)}]"
    assert {*NEEDS.values(), "shell"} == set(EXTRAS)
    ((out, code),) = without_extras(["referee doctor"], tmp_path)
    assert code == 0
    assert [extra for extra in EXTRAS if how_to_add(extra) not in out] == []


@pytest.mark.parametrize("command", ["play", "replay"])
def test_the_shell_and_the_replay_refuse_before_they_print_anything(
    command: str, tmp_path: Path
) -> None:
    """On a terminal: elsewhere neither needs keys and a cursor."""
    without_extras(["referee new benevolent A=blue B=red first A"], tmp_path)
    ours, theirs = pty.openpty()
    code = (
        f"import sys; sys.modules['prompt_toolkit'] = None; sys.argv = ['referee', '{command}']; "
        "from cli.entry_point import run; run()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env={**table_folder(tmp_path), "PYTHONPATH": str(ROOT), "TERM": "xterm"},
        cwd=tmp_path,
        text=True,
        timeout=60,
        check=False,
    )
    os.close(theirs)
    assert ran.returncode == 2
    assert "“shell”" in ran.stderr
    with pytest.raises(OSError):  # nothing was written, and nobody can write any more
        os.read(ours, 1)
    os.close(ours)


# how it was installed


@pytest.fixture
def prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    (tmp_path / "été chez Zoé").mkdir()
    return tmp_path / "été chez Zoé"


def said(prefix: Path, *, windows: bool = False) -> str:
    return how_to_add("shell", Installed(prefix, str(prefix / "bin/python"), windows))


def test_pipx_is_told_the_environment_by_its_name(prefix: Path) -> None:
    (prefix / "referee").mkdir()
    (prefix / "referee/pipx_metadata.json").touch()
    assert said(prefix / "referee") == "pipx runpip referee install 'referee[shell]'"


def test_uv_is_told_the_python_of_its_tool(prefix: Path) -> None:
    (prefix / "uv-receipt.toml").touch()
    line = said(prefix)
    assert shlex.split(line) == [
        "uv", "pip", "install", "--python", str(prefix / "bin/python"), "referee[shell]",
    ]  # fmt: skip


def test_in_a_checkout_make_adds_everything(prefix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (prefix / "tools").mkdir()
    (prefix / "tools/set-up").touch()
    assert shlex.split(said(prefix / ".venv")) == ["make", "-C", str(prefix), "everything"]
    monkeypatch.chdir(prefix)
    assert said(prefix / ".venv") == "make everything"


def test_pip_is_enough_where_its_environment_is_active(
    prefix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shlex.split(said(prefix)) == [
        str(prefix / "bin/python"), "-m", "pip", "install", "referee[shell]",
    ]  # fmt: skip
    monkeypatch.setenv("VIRTUAL_ENV", str(prefix))
    assert said(prefix) == "pip install 'referee[shell]'"


def test_windows_gets_no_single_quotes(prefix: Path) -> None:
    assert said(prefix, windows=True) == f'"{prefix}/bin/python" -m pip install referee[shell]'


def test_this_installation_is_the_one_that_runs() -> None:
    here = this_installation()
    assert (str(here.prefix), here.windows) == (sys.prefix, False)
    assert Path(here.python).samefile(sys.executable)


def test_the_version_has_one_home() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["version"] == version()
    for page in (ROOT / "docs/install.md", ROOT / "docs/fr/install.md"):
        assert f"referee-{version()}-py3-none-any.whl" in page.read_text("utf-8")


def test_what_is_taken_away_above_is_all_that_extras_bring() -> None:
    assert set(EXTRAS.values()) <= optional_modules()
