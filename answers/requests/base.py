"""The base of what a request says."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


class Params(BaseModel):
    """Base of what a request says: its body, or its query."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_args(self) -> dict[str, Any]:
        """The arguments of the operation by their names in the request; an argument that is made
        from several fields, by its own."""
        return {name: getattr(self, name) for name in type(self).model_fields}
