"""A hand or a look that was sealed and is now opened: whether the log allows it."""

from __future__ import annotations

from engines.bloody_grove.actions import Look, Reveal
from engines.bloody_grove.kit import Box
from engines.bloody_grove.rules.book import spirit
from engines.bloody_grove.rules.ending import unseen_at_start
from engines.bloody_grove.state import NOTHING, Tableau, generation
from engines.bloody_grove.trail import contradiction
from engines.kernel import Finding, OpenedSeal, ParseError, Setting
from engines.kernel.notation.usage import Usage

CLAUSE = "GRV-HID-7"


def check_hand(opened: OpenedSeal[Tableau], setting: Setting[Box]) -> list[Finding]:
    """The faces in hand: they must have been possible, and everything since with them."""
    for face in opened.words:
        spirit(face, setting.kit)
    seat = opened.seat
    trail = opened.before[-1].state.players[seat].hidden.trail
    latest = opened.before[-1].state
    for moment in opened.since:
        later = moment.state.players[seat].hidden.trail
        if later[: len(trail)] != trail:
            break  # the log was surprised: from here on it knows nothing of earlier hands
        latest = moment.state
    whole = latest.players[seat].hidden.trail
    base = unseen_at_start(latest, seat, setting.kit)
    wrong = contradiction(whole, len(trail), opened.words, base)
    if wrong is None:
        return [Finding("cleared", CLAUSE, (), {"seat": seat})]
    return [Finding("broken", CLAUSE, (wrong,) if wrong else (), {"seat": seat})]


def check_look(opened: OpenedSeal[Tableau], setting: Setting[Box]) -> list[Finding]:
    """A token and its value: it was looked at, and shows that value when it is turned up."""
    if len(opened.words) != 2:
        raise ParseError("usage", verb="look", usages=Usage("look TOKEN VALUE"))
    token, value = opened.words
    if value not in setting.kit.token_values:
        expected = " ".join(setting.kit.token_values)
        raise ParseError("bad_word", word=value, field="value", expected=expected)
    facts = {"seat": opened.seat, "token": token}
    looks = tuple(
        moment.number or 0
        for moment in opened.before
        if isinstance(moment.action, Look)
        and moment.action.by == opened.seat
        and moment.action.token == token
    )
    pool = opened.before[-1].state.tokens.pools.get(generation(token), NOTHING)
    if not looks or value not in pool:
        return [Finding("broken", CLAUSE, looks, facts)]
    for moment in opened.since:
        if isinstance(moment.action, Reveal) and moment.action.token == token:
            true = moment.action.value == value
            return [Finding("cleared" if true else "broken", CLAUSE, looks[-1:], facts)]
    return []
