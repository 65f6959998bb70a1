"""The supply of malfunctions: observed, never known in its order."""

from __future__ import annotations

from typing import Any

from engines.bethel_woods.kit import TYPE_NAMES, Box
from engines.bethel_woods.rules.book import Rule
from engines.bethel_woods.state import Supply, Tableau, entries_about

DATUM = "malfunctions.matrix"
"""What the kit says, or assumes, about the tokens in the box."""


def check_drawn(state: Tableau, token: str, rule: Rule) -> bool:
    """Whether a token can have been drawn."""
    supply = state.supply
    there = supply.count != 0 and (supply.tokens is None or token in supply.tokens)
    facts = {} if there else _doubt(token, rule.kit)
    if not there and (seen := entries_about(state, token)):
        rule.proves("BTW-PLACE-4", *seen, rule.number, **facts)
    return rule("BTW-PLACE-4", there, **facts)


def take_from_supply(state: Tableau, token: str, rule: Rule) -> Supply:
    """The supply without a drawn token; after an impossible draw nobody knows what is left."""
    possible, supply = check_drawn(state, token, rule), state.supply
    known = possible and supply.tokens is not None
    return Supply(
        supply.count - 1 if supply.count else None,
        supply.tokens.take(token) if known and supply.tokens is not None else None,
    )


def _doubt(token: str, kit: Box) -> dict[str, Any]:
    """The count that a draw contradicts: either the log is wrong, or the kit."""
    datum = f"{DATUM}.{TYPE_NAMES[token[0]]}"
    box = None if kit.tokens is None else kit.tokens[token]
    return {"token": token, "box": box, "datum": datum, "provenance": kit.provenance(datum)}


def is_short(state: Tableau, wanted: int) -> bool:
    """Whether fewer tokens than wanted are known to be left."""
    return state.supply.count is not None and state.supply.count < wanted
