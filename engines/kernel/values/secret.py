"""The value of what is hidden: it can be passed on, and every test of it is unknowable.

A game that hides a hand writes ``evolve(player, hand=SECRET)``. Whatever is computed from it is
secret too; where a rule wants to know (``if``, ``in``, ``len``, a loop), the hearing ends, and the
verdict is undecided for whoever asks. So no rule need care who is asking.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn


class Unknowable(Exception):
    """A rule asks what is hidden from whoever asks. Never leaves the kernel."""


class Secret:
    """Three-valued logic by propagation. There is one: ``SECRET``.

    >>> SECRET + 1 is SECRET, (SECRET == "fox") is SECRET
    (True, True)
    >>> rule = Hearing(kit=None, readings={})
    >>> if SECRET == "fox":
    ...     rule("XYZ-FOX-1", False)
    Traceback (most recent call last):
    engines.kernel.values.secret.Unknowable
    """

    __slots__ = ()

    def _same(self, *others: object, **more: object) -> Secret:
        return self

    def _untold(self, *others: object) -> NoReturn:
        raise Unknowable

    def __getattr__(self, name: str) -> Secret:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __eq__(self, other: object) -> Any:
        """Itself it is; whether it is anything else is secret."""
        return True if other is self else self

    def __ne__(self, other: object) -> Any:
        return False if other is self else self

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return "…"

    def __reduce__(self) -> str:
        return "SECRET"

    __call__ = __getitem__ = _same
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _same
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _same
    __lt__ = __le__ = __gt__ = __ge__ = __neg__ = __abs__ = _same
    __bool__ = __len__ = __contains__ = __iter__ = __int__ = __index__ = _untold


SECRET: Final[Any] = Secret()
"""Stands in a hidden state for whatever the viewer may not know."""
