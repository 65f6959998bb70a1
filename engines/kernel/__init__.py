"""What every game shares. A game imports its tools from here.

``docs/write-a-game.md`` shows a whole game written with them.
"""

from engines.kernel.actions import Action, Audit, Opening, Place, Seat
from engines.kernel.agenda import GO_ON, Agenda, Duty, Group, Step
from engines.kernel.bags import Bag
from engines.kernel.clauses import Clause, Reading
from engines.kernel.engine import (
    Choice,
    Engine,
    Faces,
    Judgement,
    Positions,
    Result,
    Secrecy,
    Setting,
)
from engines.kernel.errors import BadForm, Flaw
from engines.kernel.hearing import Finding, Hearing, Point, Table, Verdict
from engines.kernel.holdings import Holding, Holdings, Moves
from engines.kernel.kits import Datum, Kit, KitSheet
from engines.kernel.records import State, evolve, to_plain
from engines.kernel.rulebook import Rulebook
from engines.kernel.sealed import Moment, OpenedSeal
from engines.kernel.seats import clockwise, next_seat, with_player
from engines.kernel.words import LANGUAGES, Language, Phrase, Speech, Spoken, Verbatim, Words

__all__ = [
    "GO_ON",
    "LANGUAGES",
    "Action",
    "Agenda",
    "Audit",
    "BadForm",
    "Bag",
    "Choice",
    "Clause",
    "Datum",
    "Duty",
    "Engine",
    "Faces",
    "Finding",
    "Flaw",
    "Group",
    "Hearing",
    "Holding",
    "Holdings",
    "Judgement",
    "Kit",
    "KitSheet",
    "Language",
    "Moment",
    "Moves",
    "OpenedSeal",
    "Opening",
    "Phrase",
    "Place",
    "Point",
    "Positions",
    "Reading",
    "Result",
    "Rulebook",
    "Seat",
    "Secrecy",
    "Setting",
    "Speech",
    "Spoken",
    "State",
    "Step",
    "Table",
    "Verbatim",
    "Verdict",
    "Words",
    "clockwise",
    "evolve",
    "next_seat",
    "to_plain",
    "with_player",
]
