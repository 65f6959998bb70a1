"""What all models have in common."""

from __future__ import annotations

from pydantic import ConfigDict

STRICT = ConfigDict(frozen=True, extra="forbid", defer_build=True)
"""Nothing can be changed or added; the validator of a model is built when it is first used."""
