"""``make demo`` on any computer: which Python, what is installed, and what is said if it fails.

Pythons are played by scripts here: they tell their version, make an environment by copying
themselves, and write down what pip was asked for.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.test_structure import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="make and sh")

PLAYED = """#!/bin/sh
case "$*" in
*"version_info < (3, 11)"*) [ {minor} -ge 11 ] ;;
*"%d.%d"*) printf 3.{minor} ;;
*_base_executable*) printf %s "{self}" ;;
"-m venv .venv") mkdir -p .venv/bin && cp "{self}" .venv/bin/python && [ ! -e no-venv ] ;;
"-m pip install"*) echo "3.{minor} $*" >>pip.txt; [ ! -e no-network ] ;;
*) echo "not played: $*" >&2; exit 9 ;;
esac
"""


class Checkout:
    """A folder with the Makefile's part of the house, and Pythons on a PATH of its own."""

    def __init__(self, folder: Path) -> None:
        self.root, self.path = folder / "été chez Zoé", folder / "bin"
        (self.root / "tools").mkdir(parents=True)
        self.path.mkdir()
        for name in ("pyproject.toml", "constraints.txt", "tools/set-up"):
            shutil.copy(ROOT / name, self.root / name)
        for tool in ("sh", "dirname", "cat", "cksum", "rm", "mkdir", "cp", "command"):
            if found := shutil.which(tool):
                (self.path / tool).symlink_to(found)

    def python(self, name: str, minor: int) -> Path:
        file = self.path / name
        file.write_text(PLAYED.format(minor=minor, self=file), "utf-8")
        file.chmod(0o755)
        return file

    def set_up(self, parts: str = "demo", py: str = "", lang: str = "C") -> tuple[str, int]:
        ran = subprocess.run(
            [self.root / "tools/set-up", parts],
            env={"PATH": str(self.path), "PY": py, "LANG": lang},
            capture_output=True,
            text=True,
            check=False,
        )
        return ran.stdout + ran.stderr, ran.returncode

    @property
    def installed(self) -> list[str]:
        """What pip was asked for, by which Python."""
        told = self.root / "pip.txt"
        lines = told.read_text("utf-8").splitlines() if told.exists() else []
        return [f"{line.split()[0]} {line.split()[-1]}" for line in lines]

    @property
    def has_environment(self) -> bool:
        return (self.root / ".venv").exists()


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_the_demo_installs_the_program_alone_and_says_so_once(checkout: Checkout) -> None:
    checkout.python("python3", 12)
    out, code = checkout.set_up()
    assert (code, checkout.installed) == (0, ["3.12 ."])
    assert out.startswith("Setting up .venv with Python 3.12 for make demo (once, about a minute)")
    assert checkout.set_up() == ("", 0)
    assert len(checkout.installed) == 1


def test_each_target_installs_what_it_uses_and_what_is_there_counts(checkout: Checkout) -> None:
    checkout.python("python3", 11)
    for parts in ("demo", "serve", "everything", "dev"):
        assert checkout.set_up(parts)[1] == 0
    assert checkout.installed == ["3.11 .", "3.11 .[web]", "3.11 .[all]", "3.11 .[dev]"]
    assert checkout.set_up("demo") == checkout.set_up("serve") == ("", 0)


def test_other_pins_are_installed(checkout: Checkout) -> None:
    checkout.python("python3", 11)
    checkout.set_up()
    with (checkout.root / "constraints.txt").open("a") as pins:
        pins.write("one-more==1\n")
    assert "Setting up" in checkout.set_up()[0]
    assert len(checkout.installed) == 2


def test_an_old_python_that_was_named_is_the_cause_and_leaves_nothing(checkout: Checkout) -> None:
    old = checkout.python("python3.10", 10)
    out, code = checkout.set_up(py="python3.10")
    assert code == 1
    assert f"referee needs Python 3.11 or newer; python3.10 is Python 3.10 ({old})" in out
    assert "make demo PY=python3.12" in out
    assert not checkout.has_environment
    assert "demande Python 3.11" in checkout.set_up(py="python3.10", lang="fr_FR.UTF-8")[0]


def test_where_python3_is_old_a_newer_one_is_taken(checkout: Checkout) -> None:
    checkout.python("python3", 10)
    out, code = checkout.set_up()
    assert code == 1
    assert (
        f"python3 is Python 3.10 ({checkout.path}/python3), and no such Python is on the PATH"
        in out
    )
    checkout.python("python3.13", 13)
    assert checkout.set_up()[1] == 0
    assert checkout.installed == ["3.13 ."]


def test_without_any_python_it_is_said(checkout: Checkout) -> None:
    assert "referee needs Python 3.11 or newer; no such Python" in checkout.set_up()[0]
    assert "There is no Python called python9" in checkout.set_up(py="python9")[0]


def test_an_environment_of_an_older_or_another_python_is_made_anew(checkout: Checkout) -> None:
    old = checkout.python("python3", 10)
    (checkout.root / ".venv/bin").mkdir(parents=True)
    shutil.copy(old, checkout.root / ".venv/bin/python")
    checkout.python("python3.12", 12)
    out, code = checkout.set_up()
    assert (code, checkout.installed) == (0, ["3.12 ."])
    assert "was made by another Python: it is made anew" in out
    checkout.python("python3.13", 13)
    assert checkout.set_up() == ("", 0)  # nobody asked for another one
    assert "made anew" in checkout.set_up(py="python3.13")[0]
    assert checkout.installed[-1] == "3.13 ."


def test_an_environment_that_was_moved_is_made_anew(checkout: Checkout) -> None:
    checkout.python("python3", 12)
    checkout.set_up()
    checkout.root = checkout.root.rename(checkout.root.parent / "elsewhere")
    assert "This folder was moved" in checkout.set_up()[0]
    assert checkout.set_up() == ("", 0)


@pytest.mark.parametrize(
    ("trouble", "advice"),
    [("no-network", "no network, or a proxy"), ("no-venv", "apt install python3-venv")],
)
def test_what_fails_says_what_to_do_and_the_next_try_begins_anew(
    trouble: str, advice: str, checkout: Checkout
) -> None:
    checkout.python("python3", 12)
    (checkout.root / trouble).touch()
    out, code = checkout.set_up("serve")
    assert code == 1
    assert advice in out
    assert not checkout.has_environment
    (checkout.root / trouble).unlink()
    assert checkout.set_up("serve")[1] == 0


def test_a_good_environment_survives_a_failed_addition(checkout: Checkout) -> None:
    checkout.python("python3", 12)
    checkout.set_up("demo")
    (checkout.root / "no-network").touch()
    assert checkout.set_up("serve")[1] == 1
    assert checkout.set_up("demo") == ("", 0)


# the Makefile


def targets() -> dict[str, str]:
    """The targets, each with its recipe."""
    text = (ROOT / "Makefile").read_text("utf-8")
    return dict(re.findall(r"(?m)^([a-z]+):[^=\n]*\n((?:\t.*\n)*)", text))


def test_no_target_is_mistaken_for_a_folder() -> None:
    """``schemas`` is both: make would find it up to date for ever."""
    said = subprocess.run(
        ["make", "-pn", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    (phony,) = re.findall(r"(?m)^\.PHONY: (.*)$", said)
    assert set(targets()) == set(phony.split())
    assert "schemas" in targets()


def test_only_demo_and_serve_do_without_the_developers_tools() -> None:
    asks = {
        name: re.findall(r"\$\(call ready,(\w+)\)", recipe) for name, recipe in targets().items()
    }
    small = {"demo": ["demo"], "serve": ["serve"], "everything": ["everything"]}
    none = {"help", "check", "js", "clean"}
    assert asks == {name: small.get(name, [] if name in none else ["dev"]) for name in asks}


def test_the_help_names_every_target() -> None:
    said = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert [line.split()[0] for line in said.stdout.splitlines()] == list(targets())
