"""What is wrong with input before any clause of a rulebook is asked."""

from __future__ import annotations

from typing import Any


class BadForm(ValueError):
    """The words cannot be understood: no clause is broken, nothing is judged.

    ``key`` names a message of the catalogues (``form.<key>``), ``facts`` fill it in.
    """

    def __init__(self, key: str, /, **facts: Any) -> None:
        super().__init__(key, facts)
        self.key = key
        self.facts = facts

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in self.facts.items())
        return f"{self.key}({told})"
