"""Tokens, codes and rules: the same promises beside a file as in a database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from referee.store.sidecars.access import Access
from referee.store.urls import open_access


@pytest.fixture
def access(store_url: str) -> Iterator[Access]:
    found = open_access(store_url)
    yield found
    found.close()


def test_a_token_is_good_until_it_is_revoked(access: Access) -> None:
    given, token = access.give("judge", "game-abcdefgh", "pjo")
    found = access.pass_of(token)
    assert found is not None
    assert (found.id, found.role, found.scope, found.person) == (
        given.id, "judge", "game-abcdefgh", "pjo",
    )  # fmt: skip
    assert access.pass_of("nonsense") is None
    assert access.revoke(given.id)
    assert access.pass_of(token) is None
    assert not access.revoke(given.id)


def test_a_token_ends_by_itself(access: Access) -> None:
    _, old = access.give("judge", "", "pjo", timedelta(seconds=-1))
    _, new = access.give("judge", "", "pjo", timedelta(days=1))
    assert access.pass_of(old) is None
    assert access.pass_of(new) is not None


def test_a_code_lets_one_in_or_many(access: Access) -> None:
    _, once = access.make_code("seat:A", "", "pana", once=True, lifetime=timedelta(hours=1))
    assert access.redeem(once, timedelta(days=1)) is not None
    assert access.redeem(once, timedelta(days=1)) is None
    _, many = access.make_code("spectator", "", "", once=False, lifetime=timedelta(hours=1))
    assert access.redeem(many, timedelta(days=1)) is not None
    assert access.redeem(many, timedelta(days=1)) is not None


def test_rules_are_kept_for_each_game(access: Access) -> None:
    assert access.rules("game-aaaaaaaa").open_to == "members"
    rules = access.rules("game-aaaaaaaa")._replace(open_to="everybody", delay_entries=3)
    access.set_rules("game-aaaaaaaa", rules)
    assert access.rules("game-aaaaaaaa") == rules
    assert access.rules("game-bbbbbbbb").open_to == "members"


def test_whoever_is_forgotten_leaves_nothing(access: Access) -> None:
    _, token = access.give("judge", "", "pjo")
    assert access.forget("pjo") >= 1
    assert access.pass_of(token) is None
    assert access.of_person("pjo") == []
    assert access.admissions_of("pjo") == []
