"""The base class of all request models."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


class Params(BaseModel):
    """Base of what a request says: its body, or its query."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_args(self) -> dict[str, Any]:
        """The keyword arguments of the operation.

        Fields keep their names; a subclass overrides this where one argument is built from several
        fields.
        """
        return {name: getattr(self, name) for name in type(self).model_fields}

    @classmethod
    def from_args(cls, args: dict[str, Any]) -> dict[str, Any]:
        """The inverse, for the remote client: the fields of a request, from arguments by field."""
        return args
