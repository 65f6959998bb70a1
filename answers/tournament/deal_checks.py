"""Compares logged draws with the published deal; a departure raises a dispute."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from answers.context import Caller
from answers.i18n import answers_words, words_on_top
from engines.kernel.messages.catalogue import Phrase
from referee.secrecy.redaction import HIDDEN
from referee.tournament.deals import Deviation

PACKAGE = "answers.tournament"
"""Whose catalogue tells of them."""


def departures_called(
    caller: Caller, game_id: str, numbers: Collection[int | None]
) -> Iterator[Phrase]:
    """What is said of these actions, once a judge was called for."""
    words = words_on_top(PACKAGE, answers_words())
    for found, dispute in caller.store_context.desk.departures_called(game_id, caller.author):
        if found.action in numbers:
            if caller.author.viewer is not None:
                found = found._replace(expected=HIDDEN)
            called = Phrase("tell.dispute_opened", {"id": dispute.id})
            told = {"number": found.action, "departed": departure(found), "called": called}
            yield Phrase("tournament.departed_called", told, words)


def departure(found: Deviation) -> Phrase:
    told = {"pile": found.pile, "drawn": found.drawn, "expected": found.expected or "–"}
    return Phrase("tournament.departed", told)
