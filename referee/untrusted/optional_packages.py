"""Packages that are only needed for some commands, and installed if wanted."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from referee.errors import Misused


def load(module: str, extra: str) -> Any:
    """An optional package, or the line that installs it."""
    try:
        return import_module(module)
    except ImportError:
        raise Misused("extra_missing", extra=extra) from None
