"""Tokens, codes and rules: the same promises beside a file as in a database."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.store.sidecars import access as sidecar
from referee.store.sidecars.access import Access, AccessPolicy, in_force
from referee.store.urls import open_access


@pytest.fixture
def access(store_url: str) -> Iterator[Access]:
    found = open_access(store_url)
    yield found
    found.close()


def test_a_hall_is_let_in_by_as_many_changes_as_a_few(
    access: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Codes are made, and those of before revoked, in one go each; who comes is looked up alone."""

    def counted(people: int) -> tuple[int, int]:
        before = access.version().number
        names = [f"p{number}" for number in range(people)]
        made = access.make_codes("player", "tournament-a", names, once=False)
        access.revoke(*(code.id for code, _ in made))
        _, letters = access.make_codes("player", "tournament-a", names, once=False)[-1]
        changes = access.version().number - before
        read: list[int] = []
        rows = access._rows

        def reading(*asked: Any) -> list[Any]:
            told = rows(*asked)
            read.append(len(told))
            return told

        with monkeypatch.context() as watched:
            watched.setattr(access, "_rows", reading)
            found = access.code_of(letters)
        assert found is not None
        assert found.person == names[-1]
        return changes, sum(read)

    assert counted(2) == counted(60)


def test_guessing_codes_fills_no_disk_and_hides_nobody_who_came_in(
    access: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest refusals are kept, so many of them; who was let in is told for ever."""
    monkeypatch.setattr(sidecar, "MOST_REFUSED", 5)
    monkeypatch.setattr(sidecar, "_REFUSED_MORE", 2)
    moments = count()
    access._clock = lambda: f"2026-01-01T00:00:00.{next(moments):03}Z"
    _, code = access.make_code("seat:A", "", "pana", once=True)
    assert access.redeem(code) is not None
    for number in range(40):
        assert access.redeem("AAAA-AAAA") is None
        refused = [told.at for told in access.admissions() if told.what == "refused"]
        assert min(5, number + 1) <= len(refused) <= 7
    last = f"2026-01-01T00:00:00.{next(moments) - 1:03}Z"
    assert refused[0] == last
    assert [told.what for told in access.admissions_of("pana")] == ["given", "joined"]


POLICIES = [
    AccessPolicy(open_to, entries, seconds, seats_log, entries == 2)
    for open_to in ("", "everybody", "link", "members")
    for entries in (0, 2, 5)
    for seconds in (0, 30, 600)
    for seats_log in (True, False)
]


def test_a_table_is_as_open_as_it_says_and_as_late_as_either_says() -> None:
    """The table and its event: who watches is said by the table if it says so; of the delays
    the longer one counts; and whether seats log, the table alone says."""
    for own, event in product(POLICIES, (None, *POLICIES)):
        found = in_force(own, event)
        both = [own] if event is None else [own, event]
        said = [each.open_to for each in both if each.open_to]
        assert found.open_to == (said[0] if said else "members")
        assert found.delay_entries == sorted(each.delay_entries for each in both)[-1]
        assert found.delay_seconds == sorted(each.delay_seconds for each in both)[-1]
        assert found.seats_log == own.seats_log
        late = [each for each in both if each.delay_entries or each.delay_seconds]
        assert found.until_result == all(each.until_result for each in late or [own])
        assert found.delays == any(each.delay_entries + each.delay_seconds for each in both)


WAYS = st.tuples(
    st.sampled_from(["token", "code", "code for all", "came in", "put out", "code taken back"]),
    st.sampled_from(["pjo", "pana"]),
)


@given(st.lists(WAYS, max_size=8))
def test_of_whoever_is_forgotten_nothing_is_left_and_of_the_others_everything(
    ways: list[tuple[str, str]],
) -> None:
    """However far they had come: invited, let in, put out, or never seen."""
    access = Access(None)
    secrets: list[tuple[str, str, str]] = []
    for what, person in ways:
        if what in ("token", "put out"):
            given, secret = access.give("judge", "", person)
            secrets.append(("token", person, secret))
        else:
            code, secret = access.make_code("judge", "", person, once=what != "code for all")
            secrets.append(("code", person, secret))
        if what == "came in":
            came = access.redeem(secret)
            assert came is not None
            secrets.append(("token", person, came[1]))
        if what == "put out":
            assert access.revoke(given.id)
        if what == "code taken back":
            assert access.revoke(code.id)

    def known(person: str) -> list[object]:
        codes = [each for each in access.codes() if each.person == person]
        return [access.of_person(person), access.admissions_of(person), codes]

    def good(person: str) -> list[bool]:
        of_person = [(kind, secret) for kind, who, secret in secrets if who == person]
        return [
            (access.pass_of if kind == "token" else access.redeem)(secret) is not None
            for kind, secret in of_person
        ]

    tokens, others = len(access.of_person("pjo")), known("pana")
    assert access.forget("pjo") == tokens
    assert known("pjo") == [[], [], []]
    assert "pjo" not in {each.person for each in access.admissions()}
    assert known("pana") == others
    assert not any(good("pjo"))
    expected = [
        part
        for what, person in ways
        if person == "pana"
        for part in {"came in": [False, True], "put out": [False], "code taken back": [False]}.get(
            what, [True]
        )
    ]
    assert good("pana") == expected


def test_many_at_once_are_let_in_by_good_codes_alone(access: Access) -> None:
    """Threads share a connection, and must not be told of each other's changes."""
    _, many = access.make_code("spectator", "", "anonymous", once=False)
    singles = [access.make_code("seat:A", "", "pana", once=True)[1] for _ in range(20)]
    used_up = [access.make_code("seat:B", "", "pbo", once=True)[1] for _ in range(20)]
    for code in used_up:
        assert access.redeem(code) is not None
    tries = [(code, code in (many, *singles)) for code in (*singles, *used_up)]
    tries += [(many, True), ("AAAA-AAAA", False)] * 150
    random.Random(1).shuffle(tries)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            let_in = list(pool.map(lambda each: access.redeem(each[0]) is not None, tries))
    finally:
        sys.setswitchinterval(before)
    assert let_in == [good for _, good in tries]
