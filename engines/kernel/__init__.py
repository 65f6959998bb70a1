"""What every game shares. A game imports its tools from here.

``docs/write-a-game.md`` shows a whole game written with them.
"""

from engines.kernel.box.kit import Datum, Kit, KitSheet
from engines.kernel.engine.contract import (
    Choice,
    Faces,
    Judgement,
    Positions,
    Result,
    Secrecy,
    Setting,
)
from engines.kernel.engine.engine import Engine
from engines.kernel.messages.catalogue import (
    LANGUAGES,
    Catalogue,
    Language,
    Phrase,
    Speech,
    Spoken,
    Verbatim,
)
from engines.kernel.messages.errors import Flaw, ParseError
from engines.kernel.registry import assemble
from engines.kernel.rules.actions import Action, Audit, Opening, Place, Seat, Tray
from engines.kernel.rules.agenda import GO_ON, Agenda, Duty, Group, Step
from engines.kernel.rules.clauses import Clause, Reading
from engines.kernel.rules.hearing import (
    Finding,
    Hearing,
    Moment,
    OpenedSeal,
    Point,
    Remark,
    RuleContext,
    Verdict,
)
from engines.kernel.rules.holdings import (
    Hand,
    Holding,
    Holdings,
    Moves,
    Rearrangement,
    Sought,
    seat_of,
)
from engines.kernel.rules.rulebook import Rulebook
from engines.kernel.rules.sight import Sight
from engines.kernel.rules.state import State, clockwise, next_seat, to_plain, with_player
from engines.kernel.values.bags import Bag
from engines.kernel.values.secret import SECRET
from engines.kernel.values.structs import evolve

__all__ = [
    "GO_ON",
    "LANGUAGES",
    "SECRET",
    "Action",
    "Agenda",
    "Audit",
    "Bag",
    "Catalogue",
    "Choice",
    "Clause",
    "Datum",
    "Duty",
    "Engine",
    "Faces",
    "Finding",
    "Flaw",
    "Group",
    "Hand",
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
    "ParseError",
    "Phrase",
    "Place",
    "Point",
    "Positions",
    "Reading",
    "Rearrangement",
    "Remark",
    "Result",
    "RuleContext",
    "Rulebook",
    "Seat",
    "Secrecy",
    "Setting",
    "Sight",
    "Sought",
    "Speech",
    "Spoken",
    "State",
    "Step",
    "Tray",
    "Verbatim",
    "Verdict",
    "assemble",
    "clockwise",
    "evolve",
    "next_seat",
    "seat_of",
    "to_plain",
    "with_player",
]
