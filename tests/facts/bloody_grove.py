"""When the reasons of Bloody Grove are true, read from the sentences alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engines.bloody_grove.worlds import owned
from tests.facts.refusals import Refusal


def declares(r: Refusal) -> bool:
    return bool(r.action.verb == "position")


def named(r: Refusal) -> Any:
    """The player of whom it is said."""
    return (r.action if declares(r) else r.state).players[r.facts["seat"]]


def turn(r: Refusal) -> str:
    """Whose turn it is: as the turn cube goes, or by turns."""
    seats, flow = r.state.seats, r.state.flow
    sides = r.setting.kit.turn_sides
    if r.setting.reading("turn_order") == "alternate":
        sides = "FSFSFS"
    is_first = sides[flow.turn - 1] == "F"
    return str(flow.first if is_first else seats[1 - seats.index(flow.first)])


def is_turn(r: Refusal) -> bool:
    return bool(turn(r) == r.facts["turn"] and r.state.flow.step in IN_A_TURN)


IN_A_TURN = ("action", "recruit", "symbols")
"""The steps of a turn."""
RESOLVING = ("reveal", "take", "replace", "effects")
"""The steps of a Grove that is resolved."""


def is_resolved(r: Refusal) -> bool:
    """Whether this Grove is resolved now, and its winner is who is said."""
    contest = r.state.contest
    return bool(
        r.state.flow.step in RESOLVING
        and contest.grove == r.facts["grove"]
        and r.facts.get("winner") in (None, contest.winner)
    )


def waits(r: Refusal) -> bool:
    """Whether all this is still to be logged."""
    kinds = {one.kind for one in r.state.flow.waiting}
    return {*r.facts["waiting"]} <= kinds


def cards(r: Refusal, seat: str | None = None) -> list[str]:
    """The faces that lie under the Groves, of one player or of both."""
    players = r.state.players.values() if seat is None else (r.state.players[seat],)
    return [card.face for who in players for column in who.columns for card in column]


def tokens(r: Refusal) -> dict[str, str | None]:
    """Every token on a card, with its value where it lies face up."""
    columns = (column for who in r.state.players.values() for column in who.columns)
    return {t.label: t.value for column in columns for card in column for t in card.tokens}


def face_down(r: Refusal, grove: int) -> set[str]:
    columns = [who.columns[grove - 1] for who in r.state.players.values()]
    on_cards = (token for column in columns for card in column for token in card.tokens)
    return {token.label for token in on_cards if token.value is None}


def last(r: Refusal) -> Any:
    """What the player has done last."""
    seat = r.facts.get("seat")
    return None if seat is None else r.state.players[seat].last


def hand(r: Refusal, seat: str) -> int:
    return int(r.state.players[seat].hidden.hand)


def recruits(r: Refusal) -> bool:
    return bool(r.state.open.recruits == tuple(r.facts["recruits"]) != ())


def on_top(r: Refusal) -> set[str]:
    """The Venerables of which three lie on top: the plain ones, while there are three."""
    unseen = {*r.state.venerables.unseen}
    plain = {face for face in unseen if face.startswith("V")}
    return plain if len(plain) >= 3 else unseen


def printed(r: Refusal, kind: str) -> set[str]:
    kit = r.setting.kit
    faces = {*kit.spirits}
    return {face for face in faces if kit.kind(face) == kind}


def is_venerable(r: Refusal) -> bool:
    """Whether the action is about this card, and it is one."""
    face = r.facts["face"]
    return face in printed(r, "venerable") and face in r.engine.text(r.action)


def held(r: Refusal, place: Any) -> int:
    return place if isinstance(place, int) else len(place)


def laid_out(r: Refusal) -> list[str]:
    """The cards of a player that a position lays on the table."""
    return [card.split("+")[0] for column in named(r).columns for card in column]


def in_hand(r: Refusal) -> int:
    if named(r).worlds:
        return sum(row.hand for row in named(r).worlds[0])
    return held(r, named(r).hand)


def shown_of(r: Refusal, animal: str) -> str | None:
    found: str | None = r.state.elites[animal].shown
    return found


def animal_of(r: Refusal, face: str) -> str:
    return str(r.setting.kit.spirits[face].animal)


def symbol(r: Refusal) -> Any:
    """What became of the symbol by which the action would be allowed."""
    return getattr(last(r), r.action.verb, None)


def others(r: Refusal, seat: str) -> Iterable[str]:
    return (other for other in r.state.seats if other != seat)


TRUTHS: dict[str, Callable[[Refusal], bool]] = {
    # setting up
    "{stranger} does not sit at this table": lambda r: (
        r.facts["stranger"] in (getattr(r.action, "first", None), getattr(r.action, "player", None))
        and r.facts["stranger"] not in (r.state.seats if r.state else r.action.players)
    ),
    "the seats are {seats}": lambda r: (
        r.facts["seats"] == tuple(sorted(r.action.players)) != ("A", "B")
    ),
    "both seats chose {druids}": lambda r: (
        [*r.action.players.values()] == [*r.facts["druids"]] and len({*r.facts["druids"]}) == 1
    ),
    "its cards are {faces}": lambda r: (
        r.action.verb == "table"
        and {*r.facts["faces"]} != {animal + number for animal in "bfo" for number in "123"}
    ),
    "the row is {row} already": lambda r: (
        [one.animal for one in r.state.groves] == [*r.facts["row"]]
    ),
    "the row was: {order}": lambda r: (
        r.facts["order"] == (r.action.groves if declares(r) else r.action.order)
        and len({*r.facts["order"]}) < 3
    ),
    "{face} is not from that deck": lambda r: (
        r.facts["face"] not in r.setting.kit.all_elites
        or animal_of(r, r.facts["face"]) not in r.state.open.elites
    ),
    "{shown} is already shown": lambda r: (
        shown_of(r, animal_of(r, r.action.face)) == r.facts["shown"] is not None
    ),
    "no Elite is to be shown now": lambda r: (
        "elite" not in {one.kind for one in (*r.state.flow.waiting, *r.state.agenda.duties)}
        # One that was recruited is replaced at once, or later: then nobody shows it yet.
        and (not r.state.open.elites or r.setting.reading("elite_refill") != "at_once")
    ),
    "all copies of {face} have been shown": lambda r: (
        r.action.face == r.facts["face"]
        and r.state.elites[animal_of(r, r.facts["face"])].unseen[r.facts["face"]] == 0
    ),
    "still to be logged: {waiting}": waits,
    "shown were {faces}": lambda r: (
        r.action.faces == r.facts["faces"]
        and (len({*r.facts["faces"]}) < 3 or not {*r.facts["faces"]} <= on_top(r))
    ),
    "{begins} begins": lambda r: r.state.flow.first == r.facts["begins"],
    "Grove {grove} is being resolved; {winner} has won it": is_resolved,
    "Grove {grove} is being resolved": is_resolved,
    "still to be recruited: {recruits}": recruits,
    "the next Elite is to be shown: {animals}": lambda r: (
        r.state.open.elites == tuple(r.facts["animals"]) != ()
    ),
    "it is {turn}’s turn": is_turn,
    "this is not due now": lambda r: r.action.step == "prepare" and not r.action.open.waiting,
    "{seat} has {in_hand} in hand after {turns} {turns:turn|turns}": lambda r: (
        in_hand(r) == r.facts["in_hand"]
    ),
    "{seat} draws {count} after {drawn}: four in all are to be drawn": lambda r: (
        r.action.count == r.facts["count"] and hand(r, r.facts["seat"]) == r.facts["drawn"]
    ),
    "it is not said who draws {count}": lambda r: (
        r.action.by is None and r.action.count == r.facts["count"]
    ),
    "{token} was looked at by the other player": lambda r: (
        r.action.token == r.facts["token"]
        and any(r.facts["token"] in r.state.players[one].looked for one in others(r, r.action.by))
    ),
    "{token} is not a label of this reserve": lambda r: (
        r.action.token == r.facts["token"]
        and (
            r.facts["token"] not in r.state.tokens.reserve
            or r.setting.reading("token_tracking") == "heap"
        )
    ),
    "{seat} has already looked at {looked}": lambda r: (
        sorted(named(r).looked) == [*r.facts["looked"]] != []
    ),
    # turns
    "it is still {turn}’s turn": is_turn,
    "the cards of {seat} that lie on the table: {played}, after {turns} {turns:turn|turns}": (
        lambda r: {*r.facts["played"]} <= {*laid_out(r), *named(r).pile}
    ),
    "the cards of {seat} that lie on the table: none, after {turns} {turns:turn|turns}": (
        lambda r: not laid_out(r) and not named(r).pile
    ),
    "{turn} has played the card of this turn": lambda r: (
        is_turn(r) and r.state.flow.step != "action"
    ),
    "{turn} has a card in hand": lambda r: is_turn(r) and hand(r, turn(r)) > 0,
    "{turn} has no card in hand": lambda r: is_turn(r) and hand(r, turn(r)) == 0,
    "{turn} has still to recruit: {recruits}": lambda r: is_turn(r) and recruits(r),
    "tokens still to be turned up: {tokens}": lambda r: (
        r.state.tokens.loose == tuple(r.facts["tokens"]) != ()
    ),
    "{turn} has not finished": is_turn,
    "{face} is a Venerable": is_venerable,
    "that is the side of {side}": lambda r: r.action.side == r.facts["side"] != r.action.by,
    "the active Grove is {active}, not {grove}": lambda r: (
        r.action.at == r.facts["grove"] != r.facts["active"] == (r.state.flow.turn + 1) // 2
    ),
    # symbols
    "the card just played by {seat} has no such symbol": lambda r: (
        symbol(r) == "never" and last(r).kind != "none"
    ),
    "no card with such a symbol has just been played": lambda r: (
        r.action.verb in ("ruse", "arcane")
        and r.state.players[r.action.by or r.state.flow.actor].last.kind == "none"
    ),
    "{seat} has applied it already": lambda r: symbol(r) == "used",
    "{seat} has applied the other symbol first": lambda r: (
        symbol(r) == "closed"
        and {last(r).ruse, last(r).arcane} & {"open", "used", "given_up"} != set()
    ),
    "{seat} has gone on without it": lambda r: symbol(r) in ("given_up", "closed", "open"),
    "the card is on the side of {side}": lambda r: r.action.side == r.facts["side"] != r.action.by,
    "no card of {seat} under a Grove could be moved": lambda r: (
        not {*cards(r, r.facts["seat"])}
        - {*printed(r, "venerable"), *r.state.players[r.facts["seat"]].pile}
    ),
    "Grove {to} is not beside Grove {source}": lambda r: (
        r.action.to == r.facts["to"]
        and str(r.action.at) == str(r.facts["source"])
        and abs(r.facts["to"] - r.facts["source"]) != 1
    ),
    "{face} lies on a Druid": lambda r: r.action.face == r.facts["face"] and r.action.at == "druid",
    "{face} is a Venerable of the opponent": lambda r: (
        is_venerable(r) and r.action.side not in (None, r.action.by)
    ),
    "{token} is not to be revealed now": lambda r: (
        r.action.token == r.facts["token"] not in r.state.tokens.loose
    ),
    "{token} is not in the reserve": lambda r: (
        r.action.token == r.facts["token"] not in r.state.tokens.reserve
    ),
    "the reserve is empty": lambda r: not r.state.tokens.reserve,
    "there was no token to place": lambda r: symbol(r) == "lapsed",
    "{face} upside down": lambda r: r.action.face == r.facts["face"] and r.action.turned,
    "{seat} has transformed the Druid": lambda r: last(r).kind == "transform",
    # recruiting
    "no symbol of {animal} is complete": lambda r: (
        r.action.animal == r.facts["animal"] not in r.state.open.recruits
    ),
    "“{to}” is not allowed here": lambda r: r.action.to == r.facts["to"],
    "{animal} was recruited already": lambda r: (
        r.action.animal == r.facts["animal"]
        and r.facts["animal"] in r.state.players[r.action.by or r.state.flow.actor].last.recruited
    ),
    "no Elite of {animal} was shown": lambda r: (
        r.action.animal == r.facts["animal"] and shown_of(r, r.facts["animal"]) is None
    ),
    # the end of a round
    "{seat} still has {in_hand} in hand": lambda r: in_hand(r) == r.facts["in_hand"] > 0,
    "hands are put under first": lambda r: (
        r.state.flow.step == "stow" and any(hand(r, seat) > 0 for seat in r.state.seats)
    ),
    "{seat} has {hand} in hand, not {count}": lambda r: (
        hand(r, r.facts["seat"]) == r.facts["hand"] != r.action.count == r.facts["count"]
    ),
    "{seat} has no card in hand": lambda r: hand(r, r.facts["seat"]) == 0,
    "{token} is not face down at Grove {grove}": lambda r: (
        r.action.token == r.facts["token"] not in face_down(r, r.facts["grove"])
    ),
    "Grove {grove} still has a token face down": lambda r: bool(face_down(r, r.facts["grove"])),
    "{token} cannot be {value}": lambda r: (
        r.action.token == r.facts["token"]
        and r.facts["value"]
        in (getattr(r.action, "value", None), getattr(r.action, "sealed", None))
    ),
    "Grove {tied} was tied": lambda r: (
        r.state.contest.tied and r.state.groves[r.facts["tied"] - 1].control is None
    ),
    "Grove {grove} is not finished": lambda r: (
        r.state.contest.grove == r.facts["grove"] and r.state.flow.step in RESOLVING
    ),
    # Venerables
    "{winner} won Grove {grove} and takes one Venerable": lambda r: (
        is_resolved(r) and (r.state.flow.step == "take") == (r.state.contest.taken is None)
    ),
    "{face} is not shown; shown: {shown}": lambda r: (
        r.state.venerables.shown == r.facts["shown"]
        and r.action.face == r.facts["face"] not in r.facts["shown"]
    ),
    "{winner} has placed {taken} already": lambda r: (
        is_resolved(r)
        and r.state.flow.step == "effects"
        and r.facts["taken"] in cards(r, r.facts["winner"])
    ),
    "{winner} must replace one of their base or Elite cards at Grove {grove}": lambda r: (
        is_resolved(r) and r.state.flow.step in ("take", "replace")
    ),
    "still due from {winner}: {effects}": lambda r: (
        is_resolved(r) and r.state.contest.effects == tuple(r.facts["effects"]) != ()
    ),
    "{token} is not face down in the reserve": lambda r: (
        r.action.token == r.facts["token"] not in r.state.tokens.reserve
    ),
    "the last card of {seat} came from under the deck": lambda r: last(r).kind == "bottom",
    "{face} cannot be under the deck of {seat}": lambda r: r.action.face == r.facts["face"],
    "{shown} are shown already": lambda r: r.state.venerables.shown == r.facts["shown"] != (),
    "these cannot be the three on top: {faces}": lambda r: (
        {*r.facts["faces"]} <= {*r.action.venerables} or len(r.action.venerables) != 3
        if declares(r)
        else sorted(r.action.faces) == sorted(r.facts["faces"])
        and (len({*r.action.faces}) < 3 or not {*r.facts["faces"]} <= on_top(r))
    ),
    # what is hidden
    "the deck of {seat} had {deck} {deck:card|cards}, not {count}": lambda r: (
        named(r).hidden.deck == r.facts["deck"] != r.action.count == r.facts["count"]
    ),
    "{face} cannot be in the hand of {seat}": lambda r: (
        r.facts["face"] in (getattr(r.action, "face", None), *getattr(r.action, "sealed", ()))
    ),
    "{seat} has shown {face} before": lambda r: (
        r.action.face == r.facts["face"] not in named(r).hidden.unseen
        and r.facts["face"] not in owned(named(r).hidden.worlds)
    ),
    "{laid} of {seat} lies open already": lambda r: (
        r.facts["laid"] in (*cards(r, r.facts["seat"]), *named(r).pile)
    ),
    "{token} was shown as {value}": lambda r: (
        (r.action.token, r.action.value) == (r.facts["token"], r.facts["value"])
    ),
    "{seat} cannot have had {face}": lambda r: r.action.face == r.facts["face"],
    "the cards of {seat} do not add up": lambda r: (
        r.action.by == r.facts["seat"] and getattr(r.action, "count", 1) != hand(r, r.action.by)
    ),
    "{seat} looked at {token}": lambda r: r.facts["token"] == r.action.token,
    "{seat} noted {count} {count:card|cards}": lambda r: (
        r.action.by == r.facts["seat"] and len(r.action.sealed) == r.facts["count"] > 0
    ),
    "noted by {seat}": lambda r: any(r.state.players[r.facts["seat"]].seals),
    "what does not add up: {laws}": lambda r: declares(r) and all(r.facts["laws"].values()),
    "{subject}: {stated} at the table, {derived} by the record": lambda r: (
        r.action.verb == "audit" and r.facts["stated"] != r.facts["derived"]
    ),
    "the game has begun": lambda r: (
        declares(r) and any(map(laid_out_of, r.action.players.values()))
    ),
}


def laid_out_of(who: Any) -> bool:
    return any(who.columns)
