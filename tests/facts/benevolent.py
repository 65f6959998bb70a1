"""When the reasons of Benevolent are true, read from the sentences alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tests.facts.refusals import Refusal

NEXT = {"clover": "feather", "feather": "crystal", "crystal": "amber", "amber": "statuette"}
SITE_OF = {"buy": "altar", "pick": "nest", "sleep": "pond", "swap": "circle", "learn": "table"}


def me(r: Refusal) -> Any:
    return r.state.players[r.action.seat]


def others(r: Refusal) -> dict[str, Any]:
    return {seat: who for seat, who in r.state.players.items() if seat != r.action.seat}


def declares(r: Refusal) -> bool:
    return bool(r.action.verb == "position")


def holdings(r: Refusal) -> list[Any]:
    return [*r.action.players.values()]


def purse(r: Refusal) -> int:
    """The leaves in hand, and those of the hoard where they may be spent."""
    spendable = r.setting.reading("hoard_spendable") == "yes"
    return int(me(r).leaves + (me(r).hoard if spendable else 0))


def faces(r: Refusal) -> list[str]:
    """Every secret that is named by the pyramid, or by the position."""
    if not declares(r):
        return [face for row in r.action.rows for face in row]
    held = [face for one in holdings(r) for face in (*one.ephemeral, *one.permanent)]
    return [*r.action.pyramid.values(), *held, *r.action.used]


def touches(r: Refusal, one: str, other: str) -> bool:
    here, there = (r.state.forest.hexes[name] for name in (one, other))
    return (there.q - here.q, there.r - here.r) in (
        *((1, 0), (-1, 0), (0, 1)),
        *((0, -1), (1, -1), (-1, 1)),
    )


def is_one_group(r: Refusal, names: Iterable[str]) -> bool:
    left = {*names}
    group = {left.pop()}
    while near := {name for name in left for one in group if touches(r, name, one)}:
        group |= near
        left -= near
    return not left


def phase(r: Refusal) -> str:
    """What is owed, of whoever acts: silence ends the turn before."""
    owed = next((duty.kind for duty in r.state.agenda.duties), "over")
    return "move" if owed == "after" and r.action.by != r.state.turn.active else str(owed)


def missing(r: Refusal) -> list[str]:
    laid = {"forest": r.state.forest, "pyramid": r.state.laid}
    return [name for name, there in laid.items() if there is None]


def arrow(r: Refusal) -> Any:
    """The arrow that is meant, if there is exactly one."""
    space, to = me(r).dream, r.action.to
    path = r.setting.kit.dream_path.arrows
    found = [arrow for arrow in path if (arrow.space, arrow.target) == (space, to)]
    return found[0] if len(found) == 1 else None


def shown(r: Refusal) -> str | None:
    """The gift that the arrow shows."""
    return arrow(r).gift if arrow(r) is not None else None


def most(r: Refusal) -> set[str]:
    """The others who have most of a gift."""
    counts = {seat: who.gifts[r.facts["gift"]] for seat, who in others(r).items()}
    return {seat for seat, count in counts.items() if count == max(counts.values()) > 0}


def under(slot: str) -> set[str]:
    """The two places above which a place of the pyramid lies."""
    row, column = int(slot[0]), slot[1]
    return {f"{row - 1}{column}", f"{row - 1}{chr(ord(column) + 1)}"}


def arrival(r: Refusal) -> str | None:
    """The hex whose action is meant: the one just reached, or out of turn the last one."""
    if r.action.seat == r.state.turn.active:
        return None if r.state.turn.arrival is None else str(r.state.turn.arrival)
    return str(me(r).forest[-1]) if me(r).forest else None


def tolls(r: Refusal) -> bool:
    """Whether the toll is that of the hex: to those who stand there, and for its grey steps."""
    kit, toll = r.setting.kit, dict(r.facts["toll"])
    hex_ = r.state.forest.hexes[arrival(r)]
    grey = toll.pop("reserve", 0)
    standing = {seat for seat, who in others(r).items() if arrival(r) in who.forest}
    return (
        0 <= grey <= hex_.grey * kit.toll.per_grey
        and toll.keys() == standing - {*getattr(r.action, "waived", ())}
        and all(due > 0 for due in toll.values())
        and bool(r.facts["toll"])
    )


def repeated(r: Refusal) -> bool:
    return f"{r.facts['kind']}_repeated" in r.state.turn.done


def is_open(r: Refusal) -> bool:
    """Whether an exchange or a sleep may be repeated now."""
    return any(base.endswith(r.action.kind) for base in r.state.turn.repeats)


def colours(r: Refusal) -> list[str]:
    told = r.facts["colours"]
    return [*(told.values() if hasattr(told, "values") else told)]


def visible(r: Refusal) -> int:
    """How many hexes are seen, where four players read it so that two are covered."""
    players = len(r.state.players)
    covered = players == 4 and r.setting.reading("layout4_overlap") == "2"
    return int(r.setting.kit.visible_hexes[players]) - covered


def counted(r: Refusal) -> object:
    """What the state has of the subject of a count, or the box of the back of a tile."""
    match r.facts["subject"].split():
        case ["back", face]:
            return r.setting.kit.secrets.back[face]
        case ["river", gift]:
            return r.state.river[gift]
        case [seat, what]:
            return getattr(r.state.players[seat], what)
    return None


TRUTHS: dict[str, Callable[[Refusal], bool]] = {
    # the box and the set-up
    "the players hold {held} leaves, the box has {leaves}": lambda r: (
        sum(one.leaves + one.hoard for one in holdings(r))
        == r.facts["held"]
        > r.facts["leaves"]
        == r.setting.kit.leaves.count
    ),
    "the box has {leaves} {leaves:leaf|leaves}": lambda r: (
        r.setting.kit.leaves.count == r.facts["leaves"] != 64
    ),
    "gifts in the box: {tokens}": lambda r: (
        [gift.tokens for gift in r.setting.kit.gifts] == [*r.facts["tokens"]] != [6, 6, 5, 4, 4]
    ),
    "{face} is seen with {back} on its back": lambda r: (
        f"{r.facts['face']}={r.facts['back']}" in r.engine.text(r.action)
    ),
    "{named} tiles are named, the box has {tiles}": lambda r: (
        len(faces(r)) == r.facts["named"] > r.facts["tiles"] == len(r.setting.kit.secrets.tiles)
    ),
    "{seat} has {steps} {steps:step|steps}": lambda r: (
        1 + r.action.players[r.facts["seat"]].card + len(r.action.players[r.facts["seat"]].forest)
        == r.facts["steps"]
        != r.setting.kit.steps_per_colour.count
    ),
    "there {steps:is|are} {steps} {steps:step|steps}": lambda r: (
        r.setting.kit.steps_per_colour.count == r.facts["steps"] != 5
    ),
    "players at the table: {players}": lambda r: (
        len(r.action.players) == r.facts["players"] not in (2, 3, 4)
    ),
    "the colours are {colours}": lambda r: (
        r.facts["colours"] in (r.action.players, r.setting.kit.colours.names)
        and (len({*colours(r)}) < len(colours(r)) or len(colours(r)) != 4)
    ),
    "{held} of {gift} {held:is|are} held, {laid_out} {laid_out:was|were} laid out": lambda r: (
        sum(one.gifts.get(r.facts["gift"], 0) for one in holdings(r))
        == r.facts["held"]
        > r.facts["laid_out"]
    ),
    "the forest has {hexes} {hexes:hex|hexes}, {wanted} are wanted, all connected; apart from the"
    " others: {apart}": lambda r: (
        len(r.action.hexes) == r.facts["hexes"]
        and visible(r) == r.facts["wanted"]
        and 0 < len(r.facts["apart"]) <= len(r.action.hexes) / 2
        and {*r.facts["apart"]} <= {word[:2] for word in r.action.hexes}
    ),
    "the forest has {hexes} {hexes:hex|hexes}, {wanted} are wanted": lambda r: (
        visible(r) == r.facts["wanted"] != r.facts["hexes"]
        and r.facts["hexes"] == len(r.action.hexes or range(r.facts["hexes"]))
    ),
    "the segments are {segments}": lambda r: (
        [word[:-1] for word in r.action.segments] == r.facts["segments"]
        and len({*r.facts["segments"]}) < len(r.facts["segments"])
    ),
    "the rows have {rows} tiles": lambda r: (
        tuple(map(len, r.action.rows)) == r.facts["rows"] != (4, 3, 2)
    ),
    "twice: {twice}": lambda r: (
        bool(r.facts["twice"]) and all(faces(r).count(face) > 1 for face in r.facts["twice"])
    ),
    "of one tile: {of_one_tile}": lambda r: all(
        face in faces(r) and r.setting.kit.secrets.back[face] in r.facts["of_one_tile"]
        for face in r.facts["of_one_tile"]
    ),
    "already declared, or too late: {laid}; still missing: {missing}": lambda r: (
        missing(r) == [*r.facts["missing"]] != [] and r.facts["laid"] not in missing(r)
    ),
    "still missing: {missing}": lambda r: (
        {*r.facts["missing"]} <= {*missing(r)}
        if declares(r)
        else missing(r) == [*r.facts["missing"]] != []
    ),
    "already declared, or too late: {laid}": lambda r: (
        r.action.verb == r.facts["laid"] not in missing(r)
    ),
    # the turn
    "the step has not been placed yet": lambda r: phase(r) == "move",
    "this turn’s step already stands on {arrival}": lambda r: (
        r.state.turn.arrival == r.facts["arrival"] in me(r).forest
    ),
    "steps in the forest: {placed}": lambda r: (
        {seat: len(one.forest) for seat, one in r.action.players.items()} == r.facts["placed"]
        and max(r.facts["placed"].values()) - min(r.facts["placed"].values()) > 1
    ),
    "this turn’s action is done": lambda r: (
        phase(r) == "after" or "acted" in r.state.turn.done or r.action.by != r.state.turn.active
    ),
    "still owed: {owed}": lambda r: phase(r) == r.facts["owed"] in ("move", "action"),
    "it is {active}’s turn": lambda r: r.state.turn.active == r.facts["active"] != r.action.by,
    "{active} has not ended the turn": lambda r: (
        r.state.turn.active == r.facts["active"] != r.action.by
        and r.state.agenda.duties[0].kind == "after"
    ),
    # moving
    "the player already has a step there": lambda r: (
        any(len({*one.forest}) < len(one.forest) for one in holdings(r))
        if declares(r)
        else r.action.to in me(r).forest
    ),
    "{hex} does not touch any of the player’s steps ({steps})": lambda r: (
        r.action.to == r.facts["hex"]
        and {*r.facts["steps"]} <= {*me(r).forest}
        and not any(touches(r, r.facts["hex"], step) for step in r.facts["steps"])
    ),
    "the card still holds {card}": lambda r: me(r).card == r.facts["card"] > 0,
    "the card is empty: say which step moves": lambda r: (
        me(r).card == 0 and r.action.origin is None
    ),
    "{steps} are not one group": lambda r: (
        any(one.forest == r.facts["steps"] for one in holdings(r))
        if declares(r)
        else not is_one_group(r, r.facts["steps"])
        and {*r.facts["steps"]} - {r.action.to} == {*me(r).forest} - {r.action.to, r.action.origin}
    ),
    "the step stays on {hex}": lambda r: r.action.origin == r.action.to == r.facts["hex"],
    "the player has no step on {hex}": lambda r: (
        r.action.origin == r.facts["hex"] not in me(r).forest
    ),
    "there is no hex {hex}": lambda r: (
        r.state.forest is None or r.state.forest.hexes.keys().isdisjoint(r.facts["hex"])
        if declares(r)
        else r.facts["hex"] not in r.state.forest.hexes
    ),
    # acting
    "on {hex} there is: {site}": lambda r: (
        arrival(r) == r.facts["hex"]
        and r.state.forest.hexes[r.facts["hex"]].site == r.facts["site"]
        and SITE_OF[r.action.verb] != r.facts["site"]
    ),
    "{seat} has no step on {nowhere}": lambda r: (
        r.action.arrival == r.facts["nowhere"] not in r.action.players[r.facts["seat"]].forest
    ),
    "no step has been placed in this turn": lambda r: arrival(r) is None,
    "the toll is {toll}, with {leaves} {leaves:leaf|leaves} in hand": lambda r: (
        tolls(r) and purse(r) == r.facts["leaves"] < sum(r.facts["toll"].values())
    ),
    "the price is {price}, with {leaves} {leaves:leaf|leaves} left": lambda r: (
        0 <= r.facts["leaves"] <= purse(r) and r.facts["leaves"] < r.facts["price"]
    ),
    "nothing can be done here now: {site}": lambda r: (
        r.state.forest.hexes[arrival(r)].site == r.facts["site"]
    ),
    "waived by {waived}": lambda r: (
        r.action.waived == r.facts["waived"]
        and (
            r.setting.reading("toll_waiver") == "no"
            or not {*r.action.waived} <= others(r).keys()
            or not all(arrival(r) in others(r)[seat].forest for seat in r.action.waived)
        )
    ),
    "due: {toll}; paid to: {paid}": lambda r: (
        tolls(r) and r.action.paid == r.facts["paid"] and {*r.facts["toll"]} != {r.facts["paid"]}
    ),
    "no toll is due here, and {paid} was paid": lambda r: (
        r.action.paid == r.facts["paid"]
        and not any(arrival(r) in who.forest for who in others(r).values())
    ),
    "not paid: {toll}": lambda r: tolls(r) and r.action.unpaid,
    "“{choice}” belongs to a secret that the player does not own": lambda r: (
        r.action.hoard == r.facts["choice"] and "hoard" not in me(r).permanent
    ),
    "{leaves} {leaves:leaf was|leaves were} taken": lambda r: (
        r.action.leaves == r.facts["leaves"] != r.setting.kit.gather.leaves
    ),
    # gifts
    "there is no {gift} to buy": lambda r: (
        r.state.river[r.facts["gift"]] == 0
        and (not most(r) or r.setting.reading("buy_exhausted") == "no")
    ),
    "what was taken: {got}": lambda r: r.action.got == r.facts["got"] != r.facts["gift"],
    "there is no arrow from {space} to {to}": lambda r: (
        me(r).dream == r.facts["space"] and r.action.to == r.facts["to"] and arrow(r) is None
    ),
    "the arrow shows: {gift}": lambda r: (
        shown(r) == r.facts["gift"] and (r.action.gift not in (None, shown(r)) or not r.action.gift)
    ),
    "the arrow from {space} to {to} shows no gift": lambda r: (
        (me(r).dream, r.action.to) == (r.facts["space"], r.facts["to"]) and shown(r) is None
    ),
    "the arrows show {arrows}": lambda r: (
        sorted(arrow.gift or "" for arrow in r.setting.kit.dream_path.arrows if arrow.space == 4)
        == [*r.facts["arrows"]]
        != ["amber", "statuette"]
    ),
    "taken for {gift}: {got}": lambda r: (
        r.action.give == r.facts["gift"] and r.action.got == r.facts["got"] != NEXT[r.action.give]
    ),
    "no {gift} is owned": lambda r: me(r).gifts[r.facts["gift"]] == 0,
    "nobody else has a gift of this kind: {gift}": lambda r: not most(r),
    "the pile still has {pile}": lambda r: (
        r.state.river[r.facts["gift"]] == r.facts["pile"] > 0 and r.action.robbed is not None
    ),
    "most are owned by {most}": lambda r: (
        most(r) == {*r.facts["most"]} and r.action.robbed not in most(r)
    ),
    "name one of {most}": lambda r: (
        most(r) == {*r.facts["most"]} and len(most(r)) > 1 and r.action.robbed is None
    ),
    # secrets
    "{slot} is empty": lambda r: r.action.slot == r.facts["slot"] not in r.state.pyramid,
    "beneath {slot} {under:lies|lie} {under}": lambda r: (
        bool(r.facts["under"])
        and {*r.facts["under"]} == under(r.facts["slot"]) & r.state.pyramid.keys()
        if not declares(r)
        else {*r.facts["under"]} <= r.action.pyramid.keys()
    ),
    "it has been used: {face}": lambda r: (
        r.action.face == r.facts["face"] in r.state.box and r.facts["face"] not in me(r).ephemeral
    ),
    "the player does not own it: {face}": lambda r: (
        r.action.face == r.facts["face"] not in me(r).ephemeral
    ),
    "it came before the secret was taken": lambda r: (
        r.facts["kind"] in r.state.turn.done and not repeated(r) and not is_open(r)
    ),
    "the price is {price}, with {leaves} {leaves:leaf|leaves} in hand": lambda r: (
        purse(r) == r.facts["leaves"] < r.facts["price"]
    ),
    "it asks for: {give}": lambda r: (
        r.setting.kit.secrets.conversions[r.action.face].give == r.facts["give"]
        and any(me(r).gifts[gift] < r.facts["give"].count(gift) for gift in r.facts["give"])
    ),
    "there is nothing of this kind to repeat: {kind}": lambda r: (
        r.action.kind == r.facts["kind"] not in r.state.turn.done and not is_open(r)
    ),
    "it costs {cost} {cost:leaf|leaves}, {leaves} {leaves:is|are} there": lambda r: (
        purse(r) == r.facts["leaves"] < r.facts["cost"]
    ),
    "the player does not own the secret “{tile}”": lambda r: (
        r.facts["tile"] not in r.action.players[r.action.active].permanent
        if declares(r)
        else r.facts["tile"] == f"{r.action.kind}_again" not in me(r).permanent
    ),
    "there is no exchange to repeat": lambda r: r.action.kind == "swap" and not is_open(r),
    "there is no sleep to repeat": lambda r: r.action.kind == "sleep" and not is_open(r),
    "it has been repeated: {kind}": lambda r: repeated(r) and not is_open(r),
    "no repeat is open: {kind}": lambda r: r.action.kind == r.facts["kind"] and not is_open(r),
    "possible here: {choices}": lambda r: (
        r.action.hoard not in r.facts["choices"]
        and ("put" not in r.facts["choices"] or "hoard" in me(r).permanent)
        and ("take" not in r.facts["choices"] or me(r).hoard > 0)
    ),
    "{without} does not own the hoard": lambda r: (
        "hoard" not in r.action.players[r.facts["without"]].permanent
    ),
    "nothing can be put there or taken from it": lambda r: me(r).hoard == 0 and r.state.stock <= 2,
    "{steps} of the player’s steps already {steps:stands|stand} there": lambda r: (
        any(
            one.forest.count(name) == r.facts["steps"] for one in holdings(r) for name in one.forest
        )
        if declares(r)
        else me(r).forest.count(r.action.to) == r.facts["steps"] > 0
    ),
    "{without} does not own the lone step": lambda r: (
        "lone_step" not in r.state.players[r.facts["without"]].permanent and r.action.declined
    ),
    "the leaf cannot be refused": lambda r: (
        r.action.declined
        and "lone_step" in me(r).permanent
        and not any(r.action.to in who.forest for who in others(r).values())
        and r.setting.reading("lone_step_optional") == "no"
    ),
    "an opponent stands on {shared}": lambda r: (
        r.action.to == r.facts["shared"]
        and any(r.facts["shared"] in who.forest for who in others(r).values())
    ),
    # the end and counts
    "{seat} owns all five": lambda r: (
        len([*filter(None, r.action.players[r.facts["seat"]].gifts.values())]) == 5
    ),
    "{winner} has won": lambda r: (
        r.state.winner == r.facts["winner"]
        and len([*filter(None, r.state.players[r.facts["winner"]].gifts.values())]) == 5
    ),
    "{subject}: {stated} at the table, {derived} by the record": lambda r: (
        r.facts["derived"] == str(counted(r)) != r.facts["stated"]
    ),
}
