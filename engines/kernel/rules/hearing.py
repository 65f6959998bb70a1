"""Hearings: a rule is written once, where it is applied, and names its clause."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from msgspec import Struct, field

from engines.kernel.rules.actions import Action
from engines.kernel.values.secret import SECRET
from engines.kernel.values.versions import age

K = TypeVar("K")
K_co = TypeVar("K_co", covariant=True)
T = TypeVar("T")

Facts = Mapping[str, Any]
Outcome = Literal["legal", "illegal", "undecided"]


class RuleContext(Protocol[K_co]):
    """The box and the readings in force: all that a predicate may ask besides the state."""

    @property
    def kit(self) -> K_co: ...
    def reading(self, name: str, /) -> str: ...


class Point(NamedTuple):
    """A clause and the facts it was judged on."""

    clause: str
    facts: Facts


class Consulted(NamedTuple):
    """A clause that was asked about: whether it held (a rule) or applied (an effect)."""

    clause: str
    held: bool
    facts: Facts
    effect: bool


class Finding(NamedTuple):
    """A later entry settles earlier ones: it proves a breach, or clears a claim.

    ``broken`` with several entries means that at least one of them broke the clause.
    """

    status: Literal["broken", "cleared"]
    clause: str
    entries: tuple[int, ...]
    facts: Facts
    since: int | None = None
    """Of a count: where it was last right, if it ever was. Told, never stored."""

    @property
    def manner(self) -> str:
        """The message that tells it: one entry broke the clause, one of several, or none known."""
        if self.status == "cleared" or len(self.entries) == 1:
            return self.status
        return "broken_one_of" if self.entries else "broken_by_none"


class Remark(NamedTuple):
    """Something odd that breaks no clause: a sentence of the game, ``warning.<key>``."""

    key: str
    facts: Facts


class Verdict(Struct, frozen=True, gc=False):
    """What the referee says of one action."""

    outcome: Outcome
    breaches: tuple[Point, ...] = ()
    claims: tuple[Point, ...] = ()
    findings: tuple[Finding, ...] = ()
    asked: tuple[tuple[str, bool, Facts, bool], ...] = ()
    """What was consulted, as plain tuples: there are many, and they are seldom read."""
    readings: tuple[str, ...] = ()
    warnings: tuple[Remark, ...] = ()
    """Told with the verdict, never stored."""
    before: int = 0
    """How much of what was consulted belongs to implicit ends, before the action. Never stored."""
    doubted: tuple[Point, ...] = ()
    """Why a declared table can hardly have come about. Told with the verdict, never stored."""

    @property
    def consulted(self) -> tuple[Consulted, ...]:
        return tuple(map(Consulted._make, self.asked))

    @property
    def clause(self) -> str | None:
        """The clause cited: of the first breach, or of the claim."""
        for points in (self.breaches, self.claims):
            if points:
                return points[0].clause
        return None

    @property
    def effects(self) -> tuple[Point, ...]:
        """What happened by itself."""
        return _happened(self.asked)

    @property
    def effects_before(self) -> tuple[Point, ...]:
        """Those of the implicit ends: they come before what the action itself moves."""
        return _happened(self.asked[: self.before])


def _happened(asked: tuple[tuple[str, bool, Facts, bool], ...]) -> tuple[Point, ...]:
    return tuple([Point(clause, facts) for clause, held, facts, effect in asked if effect and held])


class Refused(Exception):
    """Ends a hearing at a breach that cannot be passed over. Never leaves the kernel."""


class LegalityDecided(Exception):
    """Early exit of a legality probe: nothing after this can refuse. Never leaves the kernel."""


class Hearing(Struct, Generic[K], eq=False):
    """Hears one action. ``rule(clause, holds, **facts)`` reads like the rulebook.

    *Strict*, it ends at the first breach. *As it happened* (``lenient``), it notes every
    breach and goes on, for what the table has really done; only ``structure`` clauses
    cannot be passed over. Clauses set aside by a house rule are noted and never broken.

    >>> rule = Hearing(kit=None, readings={}, lenient=True)
    >>> rule("PEB-TAKE-1", 2 <= 3), rule("PEB-TAKE-4", 5 <= 3, heap=3)
    (True, False)
    >>> rule.verdict().outcome, rule.verdict().clause
    ('illegal', 'PEB-TAKE-4')
    """

    kit: K
    readings: Mapping[str, str]
    number: int = 0
    """The number of the action that is heard, for claims to be settled later."""
    lenient: bool = False
    aside: Set[str] = frozenset()
    structure: Set[str] = frozenset()
    engine: str = ""
    """The version of the engine that began the record; empty for today's."""
    asked: list[tuple[str, bool, Facts, bool]] = field(default_factory=list)
    breaches: tuple[Point, ...] = ()
    claims: tuple[Point, ...] = ()
    findings: tuple[Finding, ...] = ()
    readings_used: tuple[str, ...] = ()
    warnings: tuple[Remark, ...] = ()
    doubted: tuple[Point, ...] = ()
    before: int = 0
    stages: list[Any] = field(default_factory=list)
    """The table as hands left it along the way, in order."""

    def __call__(self, clause: str, holds: object, /, **facts: Any) -> bool:
        """The clause must hold here; says whether it does.

        What is secret to whoever asks is open: claimed, and taken to hold.
        """
        if holds is SECRET:
            self.claim(clause, **facts)
            return True
        if holds:
            self.asked.append((clause, True, facts, False))
            return True
        self.asked.append((clause, False, facts, False))
        if clause in self.aside:
            return False
        self.breaches += (Point(clause, facts),)
        if not self.lenient or clause in self.structure:
            raise Refused(clause)
        return False

    def doubt(self, clause: str, holds: object, /, **facts: Any) -> bool:
        """Of a declared table: where the clause does not hold it can hardly have come about.

        It refuses nothing: at a real table something may have gone wrong before, and whoever asks
        is answered, with the doubt beside the verdict. What cannot lie so is refused by ``rule``.
        """
        if holds:
            self.asked.append((clause, True, facts, False))
        elif clause not in self.aside:
            self.doubted += (Point(clause, facts),)
        return bool(holds)

    def broken(self, *clauses: str, since: str) -> bool:
        """Whether one of these is broken already, and no other need be held against the same deed.

        Never so in records begun by engines before ``since``, which did not ask: their verdicts
        stay as they were written.
        """
        return self.since(since) and any(point.clause in clauses for point in self.breaches)

    def since(self, version: str) -> bool:
        """Whether this version of the engine, or a later one, has begun the record.

        What changed with it is asked so: in older records everything lies as it was written.
        """
        return self.engine == "" or age(self.engine, than=version) != "older"

    def effect(self, clause: str, applies: object, /, **facts: Any) -> bool:
        """An automatic effect: noted, and carried out by the caller if it applies."""
        held = bool(applies) and clause not in self.aside
        self.asked.append((clause, held, facts, True))
        return held

    def heard_out(self) -> None:
        """All checks are done: the rest of the reducer only builds the next state.

        Does nothing when judging; a legality probe stops here (early exit). Optional for rules.
        """

    def claim(self, clause: str, /, **facts: Any) -> None:
        """Something that cannot be checked yet: the verdict is undecided."""
        self.claims += (Point(clause, facts),)

    def proves(self, clause: str, /, *entries: int, **facts: Any) -> None:
        """Shows that one of these earlier entries broke the clause."""
        if clause not in self.aside:
            self.findings += (Finding("broken", clause, entries, facts),)

    def clears(self, clause: str, /, *entries: int, **facts: Any) -> None:
        """Shows that the claims made in these entries were true."""
        self.findings += (Finding("cleared", clause, entries, facts),)

    def warn(self, key: str, /, **facts: Any) -> None:
        """Add a remark: something odd that breaks no rule."""
        self.warnings += (Remark(key, facts),)

    def reading(self, name: str, /) -> str:
        """The interpretation in force."""
        if name not in self.readings_used:
            self.readings_used += (name,)
        return self.readings[name]

    def stage(self, state: T) -> T:
        """Hands have come this far: what moved up to here is told before what moves after it.

        Needed where one action moves a thing to a place and from it, or where the order matters.
        """
        self.stages.append(state)
        return state

    def join(self, other: Hearing[K]) -> None:
        """Merge the notes of another hearing; a strict hearing is refused by its breaches."""
        self.asked += other.asked
        self.before = len(self.asked)
        self.stages += other.stages
        self.claims += other.claims
        self.findings += other.findings
        self.doubted += other.doubted
        for name in other.readings_used:
            self.reading(name)
        self.breaches += other.breaches
        if other.breaches and not self.lenient:
            raise Refused(other.breaches[0].clause)

    def verdict(self) -> Verdict:
        outcome: Outcome = "legal"
        if self.breaches:
            outcome = "illegal"
        elif self.claims:
            outcome = "undecided"
        return Verdict(
            outcome,
            self.breaches,
            self.claims,
            self.findings,
            tuple(self.asked),
            self.readings_used,
            self.warnings,
            self.before,
            self.doubted,
        )


class LegalityProbe(Hearing[K]):
    """Finds out whether an action is legal, and records nothing: it may hear many actions."""

    def heard_out(self) -> None:
        raise LegalityDecided

    def __call__(self, clause: str, holds: object, /, **facts: Any) -> bool:
        if holds:
            return True
        if clause not in self.aside:
            raise Refused(clause)
        return False

    def doubt(self, clause: str, holds: object, /, **facts: Any) -> bool:
        return bool(holds)

    def effect(self, clause: str, applies: object, /, **facts: Any) -> bool:
        return bool(applies) and clause not in self.aside

    def claim(self, clause: str, /, **facts: Any) -> None:
        """Records no claim: it cannot make an action illegal."""

    def proves(self, clause: str, /, *entries: int, **facts: Any) -> None:
        """Records no finding: it is about earlier actions."""

    def clears(self, clause: str, /, *entries: int, **facts: Any) -> None:
        """Records no finding: it is about earlier actions."""

    def warn(self, key: str, /, **facts: Any) -> None:
        """Records no remark: it breaks no rule."""

    def stage(self, state: T) -> T:
        return state

    def reading(self, name: str, /) -> str:
        return self.readings[name]


# sealed values (commitments): what a seat noted in secret, opened and compared with the log


class Moment(NamedTuple, Generic[T]):
    """An action that counts, and the state after it."""

    number: int | None
    action: Action | None
    state: T


class OpenedSeal(NamedTuple, Generic[T]):
    """The opened words of a seat, and the line of actions before and after the sealing."""

    seat: str
    words: tuple[str, ...]
    before: tuple[Moment[T], ...]
    """Up to the sealing; the opening of the game at least."""
    since: tuple[Moment[T], ...]


SealCheck = Callable[[OpenedSeal[Any], Any], list[Finding]]
"""``check(opened, setting)``: what the value proves or clears. Raises ``ParseError`` if the
words cannot be what they are said to be."""
