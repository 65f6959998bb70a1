"""What a line of a case expects, and how a verdict differs from it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from engines.kernel import Phrase, Verdict, to_plain
from engines.kernel.messages.errors import MessageError

_ARROW = re.compile(r"\s+->\s+")
_OUTCOMES = ("legal", "doubted", "illegal", "undecided", "stands", "form")
_OTHERWISE = {"stands": "illegal", "doubted": "legal"}
"""What the verdict is of that which happened all the same, or can hardly have come about."""
_SETTLED = {"proves": "broken", "clears": "cleared"}
_WITHOUT = "without"


class CannotGoOn(MessageError):
    """A case that cannot be run to its end."""

    group = "case"


def parted(line: str) -> tuple[str, str]:
    text, *expected = _ARROW.split(line, maxsplit=1)
    return text, expected[0].strip() if expected else "legal"


class ExpectedFinding(Struct, frozen=True):
    status: str
    clause: str
    entries: frozenset[int]
    """Empty if the case does not say which."""

    def is_among(self, verdict: Verdict) -> bool:
        return any(
            (finding.status, finding.clause) == (self.status, self.clause)
            and self.entries in (frozenset(), frozenset(finding.entries))
            for finding in verdict.findings
        )


class Expectation(Struct, frozen=True):
    """What stands behind the arrow: ``illegal CLAUSE``, ``legal proves CLAUSE #3``…"""

    outcome: str
    named: tuple[str, ...]
    """Clauses; after ``form``, the key of a message."""
    absent: tuple[str, ...]
    """Effects that do not happen."""
    findings: tuple[ExpectedFinding, ...]

    @classmethod
    def read(cls, text: str) -> Expectation:
        outcome, *words = text.split() or [""]
        if outcome not in _OUTCOMES:
            raise CannotGoOn("odd_expectation", text=repr(text))
        ends = [index for index, word in enumerate(words) if word in _SETTLED] + [len(words)]
        findings = []
        for start, end in pairwise(ends):
            clause, *entries = words[start + 1 : end] or [""]
            if not clause or not all(entry.lstrip("#").isdecimal() for entry in entries):
                raise CannotGoOn("odd_expectation", text=repr(text))
            numbers = frozenset(int(entry.lstrip("#")) for entry in entries)
            findings.append(ExpectedFinding(_SETTLED[words[start]], clause, numbers))
        named = words[: ends[0]]
        parting = named.index(_WITHOUT) if _WITHOUT in named else len(named)
        absent = named[parting + 1 :]
        if _WITHOUT in named[-1:] + absent:
            raise CannotGoOn("odd_expectation", text=repr(text))
        return cls(outcome, tuple(named[:parting]), tuple(absent), tuple(findings))

    def differences_from_form(self, key: str) -> Iterator[Phrase]:
        if self.outcome != "form" or self.named not in ((), (key,)):
            yield Phrase("case.got_form", {"key": key})

    def differences(self, verdict: Verdict) -> Iterator[Phrase]:
        if self.outcome == "form":
            yield Phrase("case.got_readable")
        elif verdict.outcome != _OTHERWISE.get(self.outcome, self.outcome):
            got = f"{verdict.outcome} {verdict.clause or ''} {facts_of(verdict)}".strip()
            yield Phrase("case.got", {"got": got})
        else:
            yield from self._clause_differences(verdict)
            happened = {effect.clause for effect in verdict.effects}
            if surplus := [clause for clause in self.absent if clause in happened]:
                yield Phrase("case.applied", {"clauses": " ".join(surplus)})
            if not self._tells_of(verdict):
                found = (f"{f.status} {f.clause} {list(f.entries)}" for f in verdict.findings)
                yield Phrase("case.other_findings", {"findings": list(found)})

    def _tells_of(self, verdict: Verdict) -> bool:
        """Whether the findings are those that are expected, and no others."""
        expected = {(finding.status, finding.clause) for finding in self.findings}
        found = {(finding.status, finding.clause) for finding in verdict.findings}
        return found <= expected and all(finding.is_among(verdict) for finding in self.findings)

    def _clause_differences(self, verdict: Verdict) -> Iterator[Phrase]:
        doubted = tuple(point.clause for point in verdict.doubted)
        if self.outcome == "legal" and doubted:
            yield Phrase("case.doubted", {"clauses": " ".join(doubted)})
        elif self.outcome == "doubted" and not doubted:
            yield Phrase("case.got", {"got": verdict.outcome})
        if not self.named:
            return
        if self.outcome == "stands":
            broken = tuple(point.clause for point in verdict.breaches)
            if broken != self.named:
                yield Phrase("case.broken", {"clauses": " ".join(broken)})
        elif self.outcome == "doubted":
            if doubted and doubted != self.named:
                yield Phrase("case.doubted", {"clauses": " ".join(doubted)})
        elif self.outcome == "illegal":
            if self.named != (verdict.clause,):
                yield Phrase("case.cited", {"clause": verdict.clause})
        elif self.outcome == "undecided":
            claimed = [point.clause for point in verdict.claims]
            if not set(self.named) <= set(claimed):
                yield Phrase("case.claimed", {"clauses": " ".join(claimed)})
        else:
            applied = {consulted.clause for consulted in verdict.consulted if consulted.held}
            if missing := [clause for clause in self.named if clause not in applied]:
                yield Phrase("case.not_applied", {"clauses": " ".join(missing)})


def facts_of(verdict: Verdict) -> str:
    """The facts of a breach as data, as its sentence gets them."""
    if not verdict.breaches:
        return ""
    facts = to_plain(dict(verdict.breaches[0].facts))
    return ", ".join(f"{name}={json.dumps(value)}" for name, value in facts.items())
