"""Refusals that tables and tournaments share: a table that cannot be opened."""

from __future__ import annotations

from typing import Any

from answers.answer import Answered
from answers.verdict_text import opening_refusal
from answers.verdicts import VerdictAnswer, verdict_fields
from engines.kernel.registry import load_engine
from referee.table.openings import OpeningRefused


class OpeningRefusedAnswer(VerdictAnswer):
    engine: str
    notation: str


def opening_refused(game: str, heard: OpeningRefused) -> Answered[Any]:
    """The answer to a table that cannot be opened."""
    engine = load_engine(game)
    notation = engine.text(heard.action)
    return Answered(
        lambda: OpeningRefusedAnswer(
            **verdict_fields(heard.verdict), engine=engine.id, notation=notation
        ),
        lambda voice: opening_refusal(voice, engine, heard),
        "illegal",
    )
