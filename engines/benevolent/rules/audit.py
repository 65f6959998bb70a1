"""What is seen at the table proves or refutes the log."""

from __future__ import annotations

from itertools import chain

from engines.benevolent.kit import EPHEMERAL
from engines.benevolent.rules.book import Rule, rules
from engines.benevolent.state import Game, count
from engines.kernel import Audit, BadForm


@rules.hears(Audit)
def audit(state: Game, action: Audit, rule: Rule) -> Game:
    if action.subject == ("back",):
        audit_back(state, action.value, rule)
        return state
    derived = str(count(state, action.subject))
    if derived != action.value:
        subject = " ".join(action.subject)
        rule.proves("BEN-AUDIT-1", subject=subject, stated=action.value, derived=derived)
    return state


def audit_back(state: Game, pair: str, rule: Rule) -> None:
    """The back of a tile, seen when it goes to the box, may prove the set-up wrong."""
    face, _, back = pair.lower().partition("=")
    known = rule.kit.secrets.back
    held = chain.from_iterable(player.secrets for player in state.players.values())
    shown = {*state.pyramid.values(), *held, *state.box}
    if face not in shown or back not in known:
        raise BadForm("unknown_subject", subject=f"back {pair}")
    if (face in EPHEMERAL) == (back in EPHEMERAL):
        rule.proves("BEN-KIT-3", face=face, back=back)
    if back in shown and state.laid is not None:
        rule.proves("BEN-SETUP-22", state.laid, face=face, back=back)
    if rule.kit.knows_backs and known[face] != back:
        rule.proves("BEN-AUDIT-1", subject=f"back {face}", stated=back, derived=known[face])


rules.counts("BEN-AUDIT-1")(count)
