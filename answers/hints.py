"""What could be done next, as data: which operation may follow a sentence, with the facts of it.

No sentence of ``answers`` names a command, an option or a button: these differ between the front
ends (command line, pages, API). Each words a hint in its own terms, or leaves it out. The hint of a
problem is its key and its facts, which every problem carries anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

FOLLOWS: Mapping[str, str] = {
    "adjust.stands": "adjust",
    "box.whole": "new",
    "dispute.appeal": "ruling-issue",
    "dispute.decide": "ruling-issue",
    "dispute.try_correction": "dispute-show",
    "doctor.fix.choose_file": "doctor",
    "doctor.fix.grant": "store-init",
    "doctor.fix.init": "store-init",
    "doctor.fix.lost": "store-check",
    "doctor.fix.url": "doctor",
    "doctor.fix.writer": "store-init",
    "games.none": "new",
    "keys.made_more": "keys-show",
    "keys.none": "keys-new",
    "new.assumed": "kit-show",
    "new.unchosen": "new",
    "seal.signature_unknown": "keys-trust",
    "secret.elsewhere": "secret-open",
    "secret.sealed": "secret-open",
    "tell.doubt": "kit-declare",
    "tell.both": "log",
    "tell.forgotten": "log",
    "tell.forgotten_there": "correct",
    "tell.happened": "log",
    "tell.no_legal_move": "adjust",
    "tell.nothing_moved": "adjust",
    "tell.pending_help": "correct",
    "tournament.alike": "tournament-merge",
    "tournament.all_in": "tournament-round-close",
    "tournament.arrange_preview": "tournament-seat",
    "tournament.departures_found": "tournament-disputes",
    "tournament.left_a_pairing": "tournament-unpair",
    "tournament.left_a_table": "tournament-result",
    "tournament.left_and_played": "tournament-correct",
    "tournament.left_the_finals": "tournament-finalist",
    "tournament.level": "tournament-lot",
    "tournament.level_at_the_cut": "tournament-lot",
    "tournament.no_clock": "tournament-clock-start",
    "tournament.none": "tournament-new",
    "tournament.open_again": "tournament-round",
    "tournament.started": "tournament-table",
    "tournament.swap_preview": "tournament-swap",
    "verify.signature_unchecked": "doctor",
}
"""The operation that could follow a sentence."""


class Hint(Struct, frozen=True):
    """A sentence that something could follow: its key, and the facts it is said with."""

    key: str
    facts: Mapping[str, Any]

    @property
    def operation(self) -> str:
        return FOLLOWS[self.key]


Hinting = Callable[[Hint], str]
"""How a front end words a hint; an empty text where it shows none."""


def unhinted(hint: Hint) -> str:
    return ""
