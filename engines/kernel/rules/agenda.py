"""The agenda: who owes what next.

A stack. Its top is either a *group* of duties, which seats fulfil in any order, or a
derived *step*, which the kernel carries out by itself. Fulfilling the last compulsory
duty of a group drops the group with whatever was only optional; a group in which nothing
is compulsory goes with whatever is done first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict

from engines.kernel.values.structs import evolve


class Duty(Struct, frozen=True, gc=False):
    """Somebody owes (or may do) something.

    ``kind`` is a key of the rulebook's duties, which says which actions fulfil it;
    ``seat`` is ``None`` for observations anybody may state; ``times`` is how often
    (``None``: as often as wanted until the group is dropped).
    """

    kind: str
    seat: str | None = None
    times: int | None = 1
    why: str | None = None
    optional: bool = False


class Group(tuple[Duty, ...]):
    """Duties that may be fulfilled in any order."""

    __slots__ = ()

    def __new__(cls, *duties: Duty) -> Group:
        return tuple.__new__(cls, duties)


class Step(NamedTuple):
    """A derived step: the kernel calls the rulebook's function of that name."""

    name: str


Item = Group | Step


class Agenda(tuple[Item, ...]):
    """Bottom first: the last item is due now.

    >>> agenda = Agenda().push(Duty("build", "A"), Duty("build", "B"))
    >>> agenda.seats  # B waits until A has built
    ('A',)
    >>> agenda.fulfil(agenda.owes("build")).seats
    ('B',)
    >>> Agenda().push(Group(Duty("choose", "A"), Duty("choose", "B"))).seats
    ('A', 'B')
    """

    __slots__ = ()

    def push(self, *items: Item | Duty) -> Agenda:
        """Put items on top; the first one named is due first. Nobody owes an empty group."""
        stack = [*self]
        for item in reversed(items):
            if isinstance(item, Duty):
                stack.append(Group(item))
            elif item:
                stack.append(item)
        return Agenda(stack)

    def pop(self) -> Agenda:
        return Agenda(self[:-1])

    def clear(self) -> Agenda:
        """An empty agenda: the game is over."""
        return Agenda()

    @property
    def top(self) -> Item | None:
        return self[-1] if self else None

    @property
    def duties(self) -> Group:
        """The duties due now; none while a derived step is due or the game is over."""
        if self and isinstance(top := self[-1], Group):
            return top
        return _NOTHING

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that owe or may do something now, each once, in order."""
        return tuple(dict.fromkeys(duty.seat for duty in self.duties if duty.seat is not None))

    @property
    def offered(self) -> tuple[str, ...]:
        """The kinds of what may be done now and need not, each once, in order."""
        return tuple(dict.fromkeys(duty.kind for duty in self.duties if duty.optional))

    def owes(self, kind: str, seat: str | None = None) -> Duty | None:
        """The duty of that kind that is due now, if there is one."""
        for duty in self.duties:
            if duty.kind == kind and (seat is None or duty.seat in (None, seat)):
                return duty
        return None

    def times_owed(self, kind: str, seat: str | None) -> int:
        """How many duties of that kind a seat has, now or later."""
        groups = (item for item in self if isinstance(item, Group))
        return sum(duty.kind == kind and duty.seat == seat for group in groups for duty in group)

    def fulfil(self, done: Duty) -> Agenda:
        """Tick off one of the top group's duties once."""
        due = self.duties
        if len(due) == 1 and done.times == 1:
            return Agenda(self[:-1])
        duties: list[Duty] = []
        found = False
        for duty in due:
            if found or duty is not done:
                duties.append(duty)
                continue
            found = True
            if duty.times is None:
                duties.append(duty)
            elif duty.times > 1:
                duties.append(evolve(duty, times=duty.times - 1))
        if all(duty.optional for duty in duties):
            return self.pop()
        return Agenda((*self[:-1], Group(*duties)))

    def drop(self, kind: str, seat: str | None = None) -> Agenda:
        """Remove the top group's duties of that kind (and of that seat, if one is given)."""
        left = Group(
            *(d for d in self.duties if d.kind != kind or (seat is not None and d.seat != seat))
        )
        if all(duty.optional for duty in left):
            return self.pop()
        return Agenda((*self[:-1], left))

    def to_plain(self) -> list[Any]:
        return [
            item.name if isinstance(item, Step) else [_plain_duty(duty) for duty in item]
            for item in self
        ]


GO_ON = Agenda((Step("go_on"),))
"""Marker in a game with a flow: the duties must be computed anew."""


def _plain_duty(duty: Duty) -> dict[str, Any]:
    return {name: value for name, value in asdict(duty).items() if value is not None}


_NOTHING = Group()
