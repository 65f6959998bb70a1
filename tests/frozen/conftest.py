"""The command line in a newcomer's folder."""

from __future__ import annotations

from tests.cli.conftest import newcomer

__all__ = ["newcomer"]
