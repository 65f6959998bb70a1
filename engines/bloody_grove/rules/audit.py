"""A count seen at the table proves or refutes the log."""

from __future__ import annotations

from engines.bloody_grove.kit import Box
from engines.bloody_grove.rules.book import Rule, rules
from engines.bloody_grove.state import Wood, domination, strength
from engines.kernel import Audit, BadForm, Table


@rules.hears(Audit)
def audit(state: Wood, action: Audit, rule: Rule) -> Wood:
    derived = count(state, rule, action.subject)
    if str(derived) != action.value:
        rule.proves(
            "GRV-HID-9",
            *_touched(state, action.subject),
            subject=" ".join(action.subject),
            stated=action.value,
            derived=str(derived),
        )
    return state


def count(state: Wood, table: Table[Box], subject: tuple[str, ...]) -> int:
    match tuple(word.lower() for word in subject):
        case (seat, "hand") if seat.upper() in state.seats:
            return state.players[seat.upper()].hidden.hand
        case (seat, "deck") if seat.upper() in state.seats:
            return state.players[seat.upper()].hidden.deck
        case (seat, "pile") if seat.upper() in state.seats:
            return len(state.players[seat.upper()].pile)
        case (seat, "domination") if seat.upper() in state.seats:
            return domination(state, table, seat.upper())
        case (seat, "strength", ("1" | "2" | "3") as grove) if seat.upper() in state.seats:
            return strength(state, table.kit, seat.upper(), int(grove)).total
        case ("reserve",):
            return len(state.tokens.reserve)
        case ("discard",):
            return state.tokens.discard.size
        case ("elite", ("bear" | "owl" | "fox") as animal):
            return state.elites[animal].unseen.size
        case ("venerables",):
            return len(state.venerables.unseen)
    raise BadForm("unknown_subject", subject=" ".join(subject))


def _touched(state: Wood, subject: tuple[str, ...]) -> list[int]:
    """The entries that moved what was counted, as far as the trail of hidden cards tells."""
    seat, *what = subject
    moved = {"hand": ("draw", "hand", "play", "stow"), "deck": ("draw", "top", "under", "stow")}
    kinds = moved.get(" ".join(what).lower(), ())
    if not kinds:
        return []
    trail = state.players[seat.upper()].hidden.trail
    return [m.number for m in trail if m.number and m.kind in (*kinds, "start", "bottom")]
