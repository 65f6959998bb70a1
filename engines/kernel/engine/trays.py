"""The trays of a moment: which of the things that are due can be laid by tapping them."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, perm
from typing import Any

from engines.kernel.engine.action_text import ActionText
from engines.kernel.engine.contract import Setting
from engines.kernel.engine.options import Options
from engines.kernel.rules.actions import Action
from engines.kernel.rules.rulebook import Rulebook
from engines.kernel.rules.tray import MANY, Tray


def trays_due(
    rules: Rulebook, options: Options[Any, Any], text: ActionText, setting: Setting[Any], state: Any
) -> Iterator[tuple[type[Action], Tray]]:
    """What is nobody's to decide and open to all: chance, or what lies on the table.

    A game says what is on a tray (``rules.lays``); else it is made from the words that fill the
    fields, or from the lines that are listed.
    """
    kinds = dict.fromkeys(
        kind
        for duty in state.agenda.duties
        if duty.seat is None
        for kind in rules.duties.get(duty.kind, ())
        if kind.observes and not kind.private
    )
    for kind in kinds:
        if (lay := rules.trays.get(kind)) is not None:
            tray: Tray | None = lay(state, setting)
        elif kind.enumerable and kind in rules.offered:
            tray = _of_lines(kind, options, text, setting, state)
        else:
            tray = _of_fields(kind, rules, setting, state)
        if tray is not None and tray.things:
            yield kind, tray


def _of_lines(
    kind: type[Action], options: Options[Any, Any], text: ActionText, setting: Any, state: Any
) -> Tray | None:
    """The listed lines, where each is a verb and one thing; or so many of all things that are
    there, in this order or in any."""
    listed = [action for action in options.listed(setting, state) if type(action) is kind]
    lines = [text.text(action).split() for action in listed]
    if len({len(words) for words in lines}) != 1 or {words[0] for words in lines} != {
        kind.verb_of()
    }:
        return None
    things = dict.fromkeys(word for _, *words in lines for word in words)
    count = len(lines[0]) - 1
    if count == 1:
        return Tray(dict.fromkeys(things, MANY))
    all_of_them = (comb(len(things), count), perm(len(things), count))
    return Tray(dict.fromkeys(things, 1), size=count) if len(lines) in all_of_them else None


def _of_fields(kind: type[Action], rules: Rulebook, setting: Any, state: Any) -> Tray | None:
    """The words of a place and of one thing on it, where the game fills in both."""
    fills = {field: fill for (of, field), fill in rules.filled.items() if of is kind}
    places = fills.pop(kind.in_order, None)
    form = "{" + kind.in_order + "} {" + next(iter(fills), "") + "}"
    if places is None or len(fills) != 1 or form not in kind.forms:
        return None
    (things,) = fills.values()
    return Tray(dict.fromkeys(things(state, setting), MANY), tuple(places(state, setting)))
