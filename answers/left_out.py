"""Warnings about records that cannot be read, and are left out of an answer about many."""

from __future__ import annotations

from collections.abc import Iterable

from answers.context import Caller
from engines.kernel.messages.catalogue import Phrase, Spoken
from referee.archive.read_models import set_aside
from referee.table.unreadable import readable as readable  # for pages, which ask answers

MOST_NAMED = 5


def left_out(caller: Caller, besides: Iterable[str] = ()) -> tuple[Spoken, ...]:
    """What the lists have left out, and these records ``besides``, as far as they are the
    caller's to know."""
    found = dict.fromkeys([*set_aside(caller.store_context.store), *besides])
    records = [stream for stream in found if caller.reaches(stream, "")]
    if not records:
        return ()
    facts = {"records": records[:MOST_NAMED], "count": len(records)}
    return (Phrase("records.left_out", facts),)
