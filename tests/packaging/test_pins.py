"""What is pinned agrees with what is asked for, names no index, and is looked at for everybody."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.test_structure import ROOT
from tools import pins, pythons, wheels
from tools.pins import CONSTRAINTS, LOCK, NotResolved, is_offline, read_pins


def asked(*extras: str) -> list[Requirement]:
    """What the program asks for, and what its extras do."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    lines = [*project["dependencies"]]
    for extra in extras:
        lines += project["optional-dependencies"][extra]
    found = [Requirement(line) for line in lines]
    inner = [extra for one in found if one.name == "referee" for extra in one.extras]
    own = [one for one in found if one.name != "referee"]
    return own + (asked(*inner) if inner else [])


def pinned(file: str) -> dict[str, list[Requirement]]:
    found: dict[str, list[Requirement]] = {}
    for line in read_pins(ROOT / file):
        one = Requirement(line)
        found.setdefault(canonicalize_name(one.name), []).append(one)
    return found


@pytest.mark.parametrize("file", [CONSTRAINTS.name, LOCK.name])
def test_pins_name_exact_versions_and_no_index(file: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    assert not re.search(r"://|(?m:^-)", text)
    for one in (one for ones in pinned(file).values() for one in ones):
        assert [spec.operator for spec in one.specifier] == ["=="], one


def test_the_lock_agrees_with_the_constraints_and_has_hashes() -> None:
    lock, constraints = read_pins(LOCK), read_pins(CONSTRAINTS)
    versions = {line.split(" ")[0] for line in constraints}
    assert {line.split(" ")[0] for line in lock} <= versions
    assert all(lock.values())
    assert not any(constraints.values())


@pytest.mark.parametrize(("file", "extras"), [(LOCK.name, ["all"]), (CONSTRAINTS.name, None)])
def test_all_that_is_asked_for_is_pinned_to_a_version_that_fits(
    file: str, extras: list[str] | None
) -> None:
    found = pinned(file)
    for one in asked(*(wheels.extras() if extras is None else extras)):
        fits = found.get(canonicalize_name(one.name), [])
        assert fits, one
        for pin in fits:
            assert one.specifier.contains(next(iter(pin.specifier)).version), (one, pin)


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_uvloop_is_for_all_but_windows(system: str) -> None:
    for ones in (pinned(LOCK.name)["uvloop"], [x for x in asked("web") if x.name == "uvloop"]):
        (one,) = ones
        assert one.marker is not None
        there = {"sys_platform": system, "platform_python_implementation": "CPython"}
        assert one.marker.evaluate(there) == (system != "win32")


def test_only_what_compares_us_needs_programs_of_others() -> None:
    others = {"chess", "open-spiel", "py4swiss"}
    for extra in wheels.extras():
        names = {canonicalize_name(one.name) for one in asked(extra)}
        assert names & others == (others if extra == "compare" else set())


# what the check makes of uv's answers


def test_an_index_out_of_reach_is_told_apart_from_a_missing_wheel() -> None:
    assert is_offline("error: Failed to fetch: x\n  cause: client error (Connect)\n  cause: tcp")
    assert not is_offline("error: No solution found when resolving dependencies")
    assert not is_offline("error: Couldn't parse requirement in `constraints.txt` at position 0")


def answering(monkeypatch: pytest.MonkeyPatch, refuses: dict[str, str]) -> None:
    """uv as it would answer if some extras could not be had on one system."""

    def compiled(*options: object, into: object) -> None:
        words = [str(option) for option in options]
        system = words[words.index("--python-platform") + 1]
        for extra, platform in refuses.items():
            if system == platform and (extra in words or "--all-extras" in words):
                raise NotResolved(f"no wheel of {extra}", offline=False)
        if "--all-extras" in words and "chess" not in words:
            raise NotResolved("no wheel of chess", offline=False)

    monkeypatch.setattr(wheels, "compiled", compiled)
    monkeypatch.setattr(wheels, "out_of_date", list)


def test_an_extra_without_a_wheel_is_named_with_its_system(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answering(monkeypatch, {})
    assert wheels.main() == 0
    answering(monkeypatch, {"pdf": wheels.SYSTEMS["Linux arm64"]})
    assert wheels.main() == 1
    told = capsys.readouterr().err
    assert [line for line in told.splitlines() if "extra" in line] == [
        f"Linux arm64, Python {python}, extra pdf:" for python in wheels.PYTHONS
    ]


def test_an_exception_that_is_needed_no_longer_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answering(monkeypatch, {})
    monkeypatch.setattr(wheels, "compiled", lambda *options, into: None)
    assert wheels.main() == 1
    assert "chess has wheels by now" in capsys.readouterr().err


def test_without_an_index_nothing_fails_and_it_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def out_of_date() -> list[str]:
        raise NotResolved("Failed to fetch", offline=True)

    monkeypatch.setattr(wheels, "out_of_date", out_of_date)
    assert wheels.main() == 0
    assert "no package index can be reached" in capsys.readouterr().out


def test_pins_that_cannot_be_resolved_fail_even_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def out_of_date() -> list[str]:
        raise NotResolved("Couldn't parse requirement", offline=False)

    monkeypatch.setattr(wheels, "out_of_date", out_of_date)
    assert wheels.main() == 1


def test_a_lock_may_gain_hashes_but_not_exchange_them(monkeypatch: pytest.MonkeyPatch) -> None:
    text = LOCK.read_text("utf-8")
    first = re.findall(r"--hash=sha256:(\w+)", text)[0]
    more = text.replace(f"sha256:{first}", f"sha256:{first} --hash=sha256:{'0' * 64}", 1)
    for written, late in ((text, []), (more, []), (text.replace(first, "0" * 64), [LOCK.name])):
        monkeypatch.setattr(
            pins, "write_pins", lambda constraints, lock, new=written: lock.write_text(new, "utf-8")
        )
        assert pins.out_of_date() == late


# other Pythons


@pytest.mark.parametrize(
    ("found", "ours", "tried"),
    [
        ([(3, 11), (3, 12), (3, 13)], (3, 11), [(3, 13)]),
        ([(3, 11), (3, 12), (3, 13)], (3, 12), [(3, 11), (3, 13)]),
        ([(3, 11), (3, 12)], (3, 12), [(3, 11)]),
        ([], (3, 12), []),
    ],
)
def test_the_oldest_and_the_newest_other_python_are_tried(
    found: list[tuple[int, int]], ours: tuple[int, int], tried: list[tuple[int, int]]
) -> None:
    assert pythons.to_try(found, ours) == tried


def test_only_pythons_that_start_and_that_we_speak_of_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    versions = {"a": (3, 10), "b": (3, 12), "c": None, "d": (3, 12), "e": (2, 7)}
    monkeypatch.setattr(pythons, "version_of", versions.get)
    assert pythons.known(versions) == {(3, 12): "b"}
    monkeypatch.undo()
    assert pythons.version_of("/no/such/python") is None


def test_the_metadata_names_the_pythons_that_are_looked_at() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        told = tomllib.load(file)["project"]["classifiers"]
    named = [one.rpartition(" :: ")[2] for one in told if re.search(r"Python :: 3\.\d+$", one)]
    assert tuple(named) == wheels.PYTHONS
