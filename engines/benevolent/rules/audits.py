"""What is seen at the table proves or refutes the log."""

from __future__ import annotations

from itertools import chain

from engines.benevolent.kit import EPHEMERAL, GIFTS, Box, Gift
from engines.benevolent.rules.book import Rule, rules
from engines.benevolent.state import Tableau
from engines.kernel import ParseError, RuleContext


@rules.counts("reserve")
def reserve(state: Tableau, table: RuleContext[Box]) -> int | None:
    return state.reserve


@rules.counts("river {gift}", gift=GIFTS)
def gifts_in_river(state: Tableau, table: RuleContext[Box], gift: Gift) -> int:
    return state.river[gift]


@rules.counts("{seat} {gift}", gift=GIFTS)
def gifts_of_player(state: Tableau, table: RuleContext[Box], seat: str, gift: Gift) -> int:
    return state.players[seat].gifts[gift]


@rules.counts("{seat} leaves")
def leaves(state: Tableau, table: RuleContext[Box], seat: str) -> int | None:
    return state.players[seat].leaves


@rules.counts("{seat} hoard")
def hoard(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return state.players[seat].hoard


@rules.counts("{seat} card")
def steps_on_card(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return state.players[seat].card


@rules.counts("{seat} dream")
def dream_space(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return state.players[seat].dream


@rules.examines("back")
def audit_back(state: Tableau, pair: str, rule: Rule) -> None:
    """The back of a tile, seen when it goes to the box, may prove the set-up wrong."""
    face, _, back = pair.partition("=")
    known = rule.kit.secrets.back
    held = chain.from_iterable(player.secrets for player in state.players.values())
    shown = {*state.pyramid.values(), *held, *state.box}
    if face not in shown or back not in known:
        raise ParseError("unknown_subject", subject=f"back {pair}")
    if (face in EPHEMERAL) == (back in EPHEMERAL):
        rule.proves("BEN-KIT-3", face=face, back=back)
    if back in shown and state.laid is not None:
        rule.proves("BEN-SETUP-22", state.laid, face=face, back=back)
    if face in rule.kit.known_backs and known[face] != back:
        rule.proves("BEN-AUDIT-1", subject=f"back {face}", stated=back, derived=known[face])
