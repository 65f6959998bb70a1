"""The supply of malfunctions: observed, never known in its order."""

from __future__ import annotations

from typing import Any

from engines.bethel_woods.kit import TYPE_NAMES, Box
from engines.bethel_woods.rules.book import Rule
from engines.bethel_woods.state import Supply, Tableau, entries_about


def datum(kit: Box, token: str | None = None) -> str:
    """What the kit says, or assumes, about the tokens in the box: of each kind, or in all."""
    if kit.malfunctions.matrix is None:
        return "malfunctions.total"
    return "malfunctions.matrix" + ("" if token is None else f".{TYPE_NAMES[token[0]]}")


def check_drawn(state: Tableau, token: str, rule: Rule) -> bool:
    """Whether a token can have been drawn."""
    supply = state.supply
    there = supply.count != 0 and (supply.tokens is None or token in supply.tokens)
    facts = {} if there else _doubt(token, rule.kit)
    seen = () if there else entries_about(state, "supply" if supply.tokens is None else token)
    if seen:
        rule.proves("BTW-PLACE-4", *seen, rule.number, **facts)
    return rule("BTW-PLACE-4", there, **facts)


def take_from_supply(state: Tableau, token: str, rule: Rule) -> Supply:
    """The supply without a drawn token; after an impossible draw nobody knows what is left."""
    count, tokens = state.supply.count, state.supply.tokens
    if not check_drawn(state, token, rule):
        tokens = None
    return Supply(count - 1 if count else None, None if tokens is None else tokens.take(token))


def _doubt(token: str, kit: Box) -> dict[str, Any]:
    """The count that a draw contradicts: either the log is wrong, or the kit."""
    path = datum(kit, token)
    count = {"total": kit.malfunctions.count} if kit.tokens is None else {"box": kit.tokens[token]}
    return {"token": token, **count, "datum": path, "provenance": kit.provenance(path)}


def is_short(state: Tableau, wanted: int) -> bool:
    """Whether fewer tokens than wanted are known to be left."""
    return state.supply.count is not None and state.supply.count < wanted
