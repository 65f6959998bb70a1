"""Who speaks, from ``--as``: a name alone is a scribe, never more."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from answers.context import open_store_context
from cli.session import store_url
from tests.cli.served import served
from tests.cli.transcripts import run


def speakers() -> list[tuple[str, str]]:
    record = Path("game.jsonl").read_text("utf-8").splitlines()
    entries = (json.loads(line) for line in record)
    return [(entry["by"], entry["role"]) for entry in entries if "role" in entry]


@pytest.mark.parametrize(
    ("said", "role"),
    [
        ("Jo", "scribe"),
        ("Jo:judge", "judge"),
        ("judge", "judge"),
        ("Jo:organiser", "organiser"),
        ("Jo:seat:B", "seat:B"),
        ("seat:B", "seat:B"),
    ],
)
def test_an_author_is_recorded_in_the_role_that_was_said(
    newcomer: Path, said: str, role: str
) -> None:
    run("referee -q new benevolent A=blue B=red first A")
    assert run(f"referee hold --as {said}")[1] == 0
    run("referee export record -o game.jsonl")
    by, written = speakers()[-1]
    assert written == role
    assert (by == "anonymous") == ((":" not in said and said != "Jo") or said == "seat:B")


def test_a_name_alone_may_not_rule(newcomer: Path) -> None:
    run("referee -q new benevolent A=blue B=red first A")
    assert run("referee ruling issue -m so --as Jo")[1] == 8
    assert run("referee ruling issue -m so --as Jo:judge")[1] == 0


def test_a_seat_that_is_losing_may_not_end_the_game(newcomer: Path) -> None:
    run("referee -q new benevolent A=blue B=red first A")
    assert run("referee finish -m losing --as Bo:seat:B")[1] == 8
    assert run("referee finish -m late")[1] == 0
    assert run("referee reopen -m again --as Bo:seat:B")[1] == 8
    assert run("referee reopen -m again")[1] == 0


def test_a_hold_is_not_lifted_by_holding(newcomer: Path) -> None:
    run("referee -q new benevolent A=blue B=red first A")
    run("referee -q log forest S1A S2A")
    assert run("referee dispute open 1 -m hm --hold")[1] == 0
    run("referee hold")
    assert run("referee resume")[1] == 8
    assert run("referee log pyramid swap_again")[1] == 7
    assert run("referee resume --as judge")[1] == 0


@pytest.mark.parametrize("role", ["spectator", "table", "seat"])
def test_the_name_of_a_role_is_no_name(role: str, newcomer: Path) -> None:
    """Whoever asks as a spectator is not shown what a scribe sees."""
    run("referee -q new benevolent A=blue B=red first A")
    out, code = run(f"referee state --as {role}")
    assert code == 4
    assert f"unknown role “{role}”" in out


@pytest.mark.parametrize("door", ["store", "service"])
def test_a_line_at_the_desk_is_recorded_as_said_by_whom_it_names(
    door: str, newcomer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines share what the desk has opened, never its author."""
    said = ["Jo:organiser", "", "Mo:organiser", "Jo:organiser", ""]
    asked = "".join(f"players add P{n}{f' --as {who}' * bool(who)}\n" for n, who in enumerate(said))
    Path("desk.txt").write_text(asked, "utf-8")
    with ExitStack() as stack:
        if door == "service":
            club = stack.enter_context(served(newcomer))
            monkeypatch.setenv("REFEREE_STORE", club.url)
            monkeypatch.setenv("REFEREE_TOKEN", club.organiser)
        run("referee tournament new Cup --of benevolent --no-check-in")
        out, code = run("referee tournament desk < desk.txt")
        assert code == 0, out
        context = club.store_context if door == "service" else open_store_context(store_url(None))
        if door == "store":
            stack.callback(context.close)
        (stream,) = context.store.streams("tournament-")
        told = [json.loads(entry.body) for entry in context.store.read(stream)]
        wrote = [(one["by"], one["role"]) for one in told[-len(said) :]]
        names = [f"{context.people.name(by) or ''}:{role}" for by, role in wrote]
    assert names == [who or ":organiser" for who in said]
