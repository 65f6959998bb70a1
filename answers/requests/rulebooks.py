"""Requests about rulebooks: engines, clauses, readings, kits, schemas, cases."""

from __future__ import annotations

from typing import Any

from answers.declaration import Params
from answers.limits import Search


class ClausesRequest(Params):
    clause: Search | None = None
    search: Search | None = None

    def to_args(self) -> dict[str, Any]:
        return {**super().to_args(), "details": True}
