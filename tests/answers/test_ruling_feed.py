"""Rulings are followed by readers of news."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from answers.context import Caller
from answers.judge.feed import ATOM, MOST, ruling_feed
from answers.judge.rulings import rule
from referee.judging.rulings import Decision

NAME = {"a": ATOM}
HOSTILE = "<script>&amp;]]> « é »"


def ruled(judge: Caller, game: str, times: int) -> None:
    for _ in range(times):
        rule(judge, game, Decision(reason=HOSTILE, numbers=(1,), clauses=("BEN-MOVE-3",)))


def read(judge: Caller, game: str | None = None, address: str = "") -> ElementTree.Element:
    return ElementTree.fromstring(ruling_feed(judge, game=game, address=address).content)


def test_every_ruling_is_one_entry_with_its_own_name_and_address(judge: Caller, game: str) -> None:
    ruled(judge, game, 3)
    entries = read(judge, address="http://club").findall("a:entry", NAME)
    assert len(entries) == 3
    assert len({each.findtext("a:id", "", NAME) for each in entries}) == 3
    assert {each.findtext("a:summary", "", NAME) for each in entries} == {HOSTILE}
    links = {each.attrib["href"] for entry in entries for each in entry.findall("a:link", NAME)}
    assert links == {f"http://club/games/{game}/rulings/r{number}" for number in (1, 2, 3)}


def test_the_newest_come_first_and_the_oldest_are_left_out(judge: Caller, game: str) -> None:
    ruled(judge, game, MOST + 2)
    names = [each.findtext("a:id", "", NAME) for each in read(judge).findall("a:entry", NAME)]
    assert len(names) == MOST
    assert not any(name.endswith(("/r1", "/r2")) for name in names)


def test_rulings_of_one_moment_come_in_the_order_they_were_given(
    judge: Caller, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge.bench, "_clock", lambda: "2030-01-01T00:00:00.000Z")
    ruled(judge, game, 12)
    names = [each.findtext("a:id", "", NAME) for each in read(judge).findall("a:entry", NAME)]
    assert [name.rpartition("/")[2] for name in names] == [f"r{n}" for n in range(12, 0, -1)]


def test_another_game_has_another_feed(judge: Caller, game: str) -> None:
    ruled(judge, game, 1)
    assert read(judge, "broom_service").findall("a:entry", NAME) == []
    assert len(read(judge, "benevolent").findall("a:entry", NAME)) == 1
    assert read(judge).findtext("a:updated", "", NAME) > "2000"
