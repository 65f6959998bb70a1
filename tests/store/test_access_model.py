"""Tokens, codes and rules, given, used, revoked, forgotten and outlived at random.

Beside them a list on paper: who has what, until when, and whether it was crossed out.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from referee.store.envelopes import StoreError
from referee.store.sidecars import access as sidecar
from referee.store.sidecars.access import Access, AccessPolicy
from referee.store.urls import open_access

STEPS = max(150, int(os.environ.get("REFEREE_CHAOS", "0")))
ROLES = ("organiser", "judge", "scribe", "spectator", "seat:A", "player")
SCOPES = ("", "game-a", "game-b", "tournament-c")
PEOPLE = ("pa", "pb", "pc")
HOURS = (None, 1, 3)


@dataclass
class Given:
    """A token or a code on paper."""

    id: str
    secret: str
    what: tuple[str, str, str]
    ends: datetime | None
    once: bool = False
    uses: int = 0
    revoked: bool = False


class Paper:
    def __init__(
        self,
        seed: int,
        monkeypatch: pytest.MonkeyPatch,
        *programs: Access,
        most: int | None = None,
    ) -> None:
        self.chance, self.any_of = Random(seed), Random(seed)
        self.most = sidecar.MOST_TOKENS if most is None else most
        monkeypatch.setattr(sidecar, "MOST_TOKENS", self.most)
        self.now = datetime(2030, 1, 1, tzinfo=UTC)
        monkeypatch.setattr(sidecar, "moment", self.moment)
        self.programs = programs or (Access(None),)
        for each in self.programs:
            each._clock = self.moment
        self.tokens: list[Given] = []
        self.codes: list[Given] = []
        self.book: list[tuple[str, str, str]] = []
        """What happened, to which token, of whom; the latest last."""
        self.rules: dict[str, AccessPolicy] = {}

    @property
    def access(self) -> Access:
        """Any of the programs that have the same tokens open."""
        return self.any_of.choice(self.programs)

    def moment(self, after: timedelta = timedelta()) -> str:
        at = self.now + after
        return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def step(self) -> bool:
        """Something happens, at another moment; whether somebody may have lost access by it."""
        self.now += timedelta(minutes=self.chance.choice((1, 1, 20)))
        kinds = [
            self.give, self.give, self.make_code, self.make_code, self.redeem, self.redeem,
            self.redeem, self.revoke, self.revoke, self.forget, self.guess, self.open,
        ]  # fmt: skip
        return self.chance.choice(kinds)()

    def whom(self) -> tuple[str, str, str]:
        return tuple(self.chance.choice(each) for each in (ROLES, SCOPES, PEOPLE))  # type: ignore[return-value]

    def lasting(self) -> tuple[timedelta | None, datetime | None]:
        hours = self.chance.choice(HOURS)
        if hours is None:
            return None, None
        return timedelta(hours=hours), self.now + timedelta(hours=hours)

    def give(self) -> bool:
        what, (lifetime, ends) = self.whom(), self.lasting()
        if self.full():
            with pytest.raises(StoreError, match="too_many_tokens"):
                self.access.give(*what, lifetime)
            return False
        token, secret = self.access.give(*what, lifetime)
        self.tokens.append(Given(token.id, secret, what, ends))
        self.book.append(("given", token.id, what[2]))
        return False

    def make_code(self) -> bool:
        """For one, or for several at once."""
        (role, scope, _), (lifetime, ends) = self.whom(), self.lasting()
        once = self.chance.random() < 0.5
        people = self.chance.sample(PEOPLE, self.chance.choice((1, 1, 3)))
        made = self.access.make_codes(role, scope, people, once=once, lifetime=lifetime)
        assert [code.person for code, _ in made] == people
        for code, letters in sorted(made, key=lambda each: each[0].id):
            what = (role, scope, code.person)
            self.codes.append(Given(code.id, letters, what, ends, once))
        return False

    def redeem(self) -> bool:
        """As people type it; most often one of the last."""
        if not self.codes:
            return False
        code = self.chance.choice([*self.codes, *self.codes[-2:]])
        lifetime, ends = self.lasting()
        typed = f" {code.secret[:4].lower()}-{code.secret[4:]} "
        if self.good(code) and self.full():
            with pytest.raises(StoreError, match="too_many_tokens"):
                self.access.redeem(typed, lifetime)
            return False
        found = self.access.redeem(typed, lifetime)
        assert (found is not None) == self.good(code)
        if found is None:
            self.book.append(("refused", "", "anonymous"))
            return False
        code.uses += 1
        token, secret = found
        self.tokens.append(Given(token.id, secret, code.what, ends))
        person = code.what[2]
        self.book += [("given", token.id, person), ("joined", token.id, person)]
        return False

    def guess(self) -> bool:
        assert self.access.redeem("AAAA-AAAA") is None
        self.book.append(("refused", "", "anonymous"))
        return False

    def revoke(self) -> bool:
        known = [*self.tokens, *self.codes]
        if not known:
            return False
        chosen = self.chance.choices(known, k=self.chance.choice((1, 1, 3)))
        each_of = {one.what[2]: one for one in chosen}.values()
        good = [one for one in each_of if self.good(one)]
        assert self.access.revoke(*(one.id for one in each_of)) == bool(good)
        for one in good:
            one.revoked = True
            self.book.append(("revoked", one.id, one.what[2]))
        return any(one in self.tokens for one in good)

    def forget(self) -> bool:
        person = self.chance.choice([*PEOPLE, *["pz"] * 5])
        gone = [token for token in self.tokens if token.what[2] == person]
        assert self.access.forget(person) == len(gone)
        self.tokens = [token for token in self.tokens if token.what[2] != person]
        self.codes = [code for code in self.codes if code.what[2] != person]
        self.book = [line for line in self.book if line[2] != person]
        return bool(gone)

    def open(self) -> bool:
        stream: str = self.chance.choice(SCOPES[1:])
        chance = self.chance
        any_of = {
            "open_to": ("", "everybody", "members"),
            "delay_entries": range(3),
            "delay_seconds": range(3),
            "seats_log": (False, True),
            "until_result": (False, True),
        }
        before = self.rules.get(stream, AccessPolicy())
        changed = chance.sample([*any_of], k=chance.choice((1, 1, len(any_of))))
        rules = before._replace(**{name: chance.choice(any_of[name]) for name in changed})
        self.access.set_rules(stream, rules)
        self.rules[stream] = rules
        return before[:3] != rules[:3]

    def full(self) -> bool:
        """Whether as many as may be are let in by a token."""
        return sum(map(self.good, self.tokens)) >= self.most

    def good(self, one: Given) -> bool:
        in_time = one.ends is None or one.ends > self.now
        return in_time and not one.revoked and not (one.once and one.uses)

    # looking

    def check(self) -> None:
        access = self.access
        tokens = [(t.id, *t.what) for t in self.tokens if self.good(t)]
        assert [(t.id, t.role, t.scope, t.person) for t in access.passes()] == tokens
        assert [(c.id, c.role, c.scope, c.person, c.once, c.uses) for c in access.codes()] == [
            (c.id, *c.what, c.once, c.uses) for c in self.codes if self.good(c)
        ]
        for one in self.tokens[-8:]:
            found = access.pass_of(one.secret)
            assert (found and found.id) == (one.id if self.good(one) else None)
            told = access.revoked_pass_of(one.secret)
            assert (told and told.id) == (one.id if one.revoked else None)
        for one in [*self.tokens[-4:], *self.codes[-4:]]:
            known = access.find(one.id)
            assert (known and known.id) == (one.id if self.good(one) else None)
        for one in self.codes[-4:]:
            code = access.code_of(one.secret)
            assert (code and code.id) == (one.id if self.good(one) else None)
        assert access.pass_of("nonsense") is None
        for person in PEOPLE:
            theirs = [t.id for t in self.tokens if t.what[2] == person]
            assert [token.id for token in access.of_person(person)] == theirs
            lines = [line for line in self.book if line[2] == person]
            assert [(a.what, a.id, a.person) for a in access.admissions_of(person)] == lines
        assert sorted((a.what, a.id, a.person) for a in access.admissions(10_000)) == sorted(
            self.book
        )
        for stream in SCOPES[1:]:
            assert access.rules(stream) == self.rules.get(stream, AccessPolicy())


@pytest.mark.parametrize("most", [None, 3])
@pytest.mark.parametrize("seed", range(4))
def test_who_is_let_in_is_who_stands_on_paper(
    seed: int, most: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    paper = Paper(seed, monkeypatch, most=most)
    for _ in range(STEPS):
        before = paper.access.changes()
        lost = paper.step()
        assert not lost or paper.access.changes() != before
        paper.check()


@pytest.mark.parametrize("seed", range(2))
def test_whatever_one_program_changes_every_other_goes_by(
    seed: int, shared_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as programs:
        three = [programs.enter_context(closing(open_access(shared_url))) for _ in range(3)]
        paper = Paper(seed, monkeypatch, *three, most=(None, 3)[seed])
        for _ in range(STEPS // 4):
            paper.step()
            paper.check()
            paper.check()  # what a program has in memory by now is the same


def test_the_book_is_read_from_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    paper = Paper(9, monkeypatch)
    for _ in range(12):
        paper.now += timedelta(minutes=1)
        paper.give()
    latest = [(line.what, line.id, line.person) for line in paper.access.admissions(5)]
    assert latest == paper.book[:-6:-1]
