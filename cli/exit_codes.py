"""Exit codes: one for each outcome of an operation and each kind of problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from answers.answer import Outcome
    from answers.problems import Kind

EXIT_CODES = {
    0: "done",
    1: "internal",
    2: "usage",
    3: "illegal",
    4: "not_found",
    5: "conflict",
    6: "invalid",
    7: "judge_needed",
    8: "role",
    130: "interrupted",
}
"""Each code and the word that explains it (``exit.<word>``)."""

OF_OUTCOME: dict[Outcome, int] = {"done": 0, "illegal": 3, "invalid": 6}

OF_PROBLEM: dict[Kind, int] = {
    "internal": 1,
    "unreadable": 2,
    "misused": 2,
    "illegal": 3,
    "not_found": 4,
    "conflict": 5,
    "unavailable": 5,
    "invalid": 6,
    "judge_needed": 7,
    "role": 8,
}
