"""When the reasons of Bethel Woods are true, read from the sentences alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from engines.bethel_woods.state import tile_at
from tests.facts.refusals import Refusal

WORKERS = {"mechanic": "M", "engineer": "S", "technician": "D", "electrician": "E"}
TYPES = {"mechanical": "M", "structural": "S", "digital": "D", "electrical": "E"}


def active(r: Refusal) -> str:
    return str(r.state.active)


def seat(r: Refusal) -> str:
    """Who acts; what nobody is named for is done by the active player."""
    return str(r.action.by or active(r))


def me(r: Refusal) -> Any:
    return r.state.players[seat(r)]


def turn(r: Refusal) -> Any:
    """What the player has done of a turn: in it, or out of it."""
    if seat(r) == active(r):
        return r.state.turn
    return r.state.begun.get(seat(r), type(r.state.turn)())


def letters(names: Iterable[str]) -> str:
    return "".join(WORKERS[name] for name in names)


def holds(r: Refusal) -> bool:
    """Whether these workers are in the hand, and no others."""
    return letters(r.facts["hand"]) == turn(r).hand


def machine(r: Refusal) -> Any:
    return r.state.machines[r.facts["machine"]]


def tokens_of(r: Refusal, number: int) -> Counter[str]:
    return Counter(dict(r.state.machines[number].tokens))


def on_board(r: Refusal) -> Counter[str]:
    return sum((tokens_of(r, number) for number in r.state.machines), Counter[str]())


def may_stand(r: Refusal, kind: str) -> bool:
    """Whether a token of this type may stand for one of the worker's."""
    place = r.action.at or section(r)
    any_other = place is None or r.setting.reading("nova_swap") == "any"
    return kind != r.action.worker and (any_other or kind in r.setting.kit.accepts[place])


def paid(r: Refusal) -> list[str]:
    """Every token that the action hands in."""
    fields = (getattr(r.action, name, None) for name in ("pay", "swap", "plus", "fee"))
    found: list[str] = []
    for field in fields:
        found += [field] if isinstance(field, str) else field or ()
    return found


def is_up(r: Refusal, tile: str) -> bool:
    return any(one.up and one.tile == tile for one in r.state.machines.values())


def counts(r: Refusal) -> bool:
    return bool(
        machine(r).tokens.size == r.facts["tokens"] and machine(r).spies == r.facts["spies"]
    )


def is_due(r: Refusal) -> bool:
    """Whether so many are laid of so many; when silence ends a turn, none are."""
    laid = r.state.placement
    if r.state.phase == "turn" and r.action.verb != "draw":
        return bool(r.facts["placed"] == 0 < r.facts["due"])
    return bool((laid.placed, laid.due) == (r.facts["placed"], r.facts["due"]))


def next_machine(r: Refusal) -> int:
    """Where the next worker is dropped: on, in the direction that was taken."""
    last = turn(r).reached or turn(r).origin
    following = (last - 1 + turn(r).step) % 6 + 1
    if following == turn(r).origin and r.setting.reading("sow_origin") == "skip":
        following = (following - 1 + turn(r).step) % 6 + 1
    return int(following)


def is_declared(r: Refusal) -> bool:
    return bool(r.action.verb == "position")


def declared_tokens(r: Refusal) -> Counter[str]:
    found = Counter(r.action.discard_pile)
    for one in (*r.action.machines.values(),):
        found.update(one.tokens)
    for one in r.action.players.values():
        found.update(one.knowledge)
    return found


def declared_spies(r: Refusal) -> list[int]:
    found = [*r.action.returned, *r.action.on_top]
    for number, one in r.action.machines.items():
        found += [number] if one.spy is True else one.spy or ()
    return found


def declared_workers(r: Refusal) -> Counter[str]:
    places = [one.workers for one in r.action.machines.values()]
    hands = [r.action.turn.hand, *(one.hand for one in r.action.begun.values())]
    return Counter("".join((*places, *r.action.sections.values(), *hands)))


def entries_about(r: Refusal, tile: str, machine: int) -> list[int]:
    """The entries in which a tile was seen at a machine."""
    return [entry for entry, touched in r.state.trail if tile_at(tile, machine) in touched]


def fits_the_box(r: Refusal) -> bool:
    """Whether those that are named are as many as the box has."""
    kit, which = r.setting.kit, [*r.facts["which"]]
    if r.facts["what"] == "workers":
        return all(declared_workers(r)[one] == kit.workers[one] for one in which)
    if r.facts["what"] == "spies":
        at_home = all(one.spy in (True, False, (n,)) for n, one in r.action.machines.items())
        return at_home and all(declared_spies(r).count(spy) <= 1 for spy in which)
    if r.facts["what"] == "supply":
        left = r.action.supply or 0  # where nobody counts it, it must be empty not to fit
        counted = left + sum(declared_tokens(r).values())
        return which == [left] and bool(counted == kit.malfunctions.count)
    if r.facts["what"] == "sections":
        inside = {n: r.action.sections[n] for n in which}
        return all(kit.accepts[n].count(one) == 1 for n, one in inside.items())
    if r.facts["what"] in ("malfunctions", "tokens"):
        return all(declared_tokens(r)[one] <= kit.tokens[one] for one in which)
    tiles = [one.tile for one in r.action.machines.values()]
    return all(tiles.count(tile) <= 1 for tile in which)


def is_full(r: Refusal, number: int) -> bool:
    """Whether what a position lays at a machine makes it critical."""
    one = r.action.machines[number]
    return bool(len(one.tokens) > r.setting.kit.numbers.critical_above - bool(one.spy))


def section(r: Refusal) -> int | None:
    """The section beside which the hand is, if any: that of the next machine, or of the last."""
    at_last = r.setting.reading("orphanage_access") == "from_current"
    there = turn(r).reached and (turn(r).reached if at_last else next_machine(r))
    return there and int(r.setting.kit.section_at[there])


def is_short(r: Refusal) -> bool:
    return bool(r.facts["due"] != r.facts["paid"] == len(paid(r)) - bool(r.action.fee))


def worth(r: Refusal) -> set[str]:
    """The values that Linny may have to pay for what is removed."""
    token = r.action.remove
    if r.setting.reading("linny_value") == "printed":
        return {token[1]}
    there = {n for n in r.state.machines if token in tokens_of(r, n)}
    return {str(number) for number in there & {r.action.at or number for number in there}}


def owed(r: Refusal) -> dict[str, int]:
    """Who has to discard how many: now, or when the turn ends that silence ends."""
    if r.state.owed is not None:
        return dict(r.state.owed.counts)
    limit = r.setting.kit.numbers.knowledge_limit
    sizes = {s: one.knowledge.size for s, one in r.state.players.items()}
    return {s: size - limit for s, size in sizes.items() if size > limit}


def wants_critical(r: Refusal) -> bool:
    return bool(r.state.placement.new_critical)


def counted(r: Refusal) -> object:
    """What the state has of the subject of a count."""
    match r.facts["subject"].split():
        case ["machine", number, "tile"]:
            return "up" if r.state.machines[int(number)].up else "down"
        case ["machine", number, "tokens"]:
            return r.state.machines[int(number)].tokens.size
        case ["machine", number, "workers"]:
            return len(r.state.machines[int(number)].workers)
        case ["supply"]:
            return r.state.supply.count
        case [seat, "knowledge"]:
            return r.state.players[seat].knowledge.size
        case [name]:
            found = getattr(r.state, name)
            return found if name == "built" else len(found)
    return None


TRUTHS: dict[str, Callable[[Refusal], bool]] = {
    # setting up
    "{players} {players:sits|sit} at the table, {fewest} to {most} may": lambda r: (
        len(r.action.players) == r.facts["players"]
        and not r.facts["fewest"] <= r.facts["players"] <= r.facts["most"]
    ),
    "machine {machine} is not critical": lambda r: (
        r.action.machine == r.facts["machine"] and not machine(r).up
    ),
    "the costs are {costs}": lambda r: (
        r.setting.kit.daydreamer.costs == r.facts["costs"] != (1, 2, 3, 4, 5, 6)
    ),
    "the icons do not fit the workers: {type}": lambda r: (
        sum(one.icons.count(TYPES[r.facts["type"]]) for one in r.setting.kit.machines)
        != r.setting.kit.workers[TYPES[r.facts["type"]]]
        or any(
            not {*one.icons} <= {*r.setting.kit.workers} or len({*one.icons}) == 1
            for one in r.setting.kit.machines
        )
    ),
    "{token} belongs at {place}": lambda r: (
        r.action.token == r.facts["token"]
        and r.action.at not in (None, r.facts["place"])
        and (r.facts["place"] == "supply" or str(r.facts["place"]) == r.facts["token"][1])
    ),
    "{token} would be the fourth there": lambda r: (
        r.action.token == r.facts["token"]
        and r.state.machines[int(r.facts["token"][1])].tokens.size == 3
    ),
    "{placed} of {due} lie on the board": lambda r: (
        is_due(r) and (r.facts["placed"] < r.facts["due"]) == (r.action.verb != "draw")
    ),
    "{character} belongs to {owners}": lambda r: (
        [*r.facts["owners"]]
        == [
            s
            for s, one in (r.action if is_declared(r) else r.state).players.items()
            if one.character == r.facts["character"]
            and not (is_declared(r) and s == r.facts["seat"])
        ]
        != []
    ),
    "{seat} has a character already": lambda r: (
        r.state.players[r.facts["seat"]].character is not None
    ),
    "still without a character: {waiting}": lambda r: (
        [*r.facts["waiting"]]
        == [s for s, one in r.state.players.items() if one.character is None]
        != []
    ),
    "every player has a character already": lambda r: all(
        one.character is not None for one in r.state.players.values()
    ),
    "level {level} adds {allowed}, not {spies}": lambda r: (
        r.setting.kit.levels[r.facts["level"]] == r.facts["allowed"]
        and r.facts["spies"] not in r.facts["allowed"]
        and r.facts["spies"] == (r.action.spies or 0 if r.state is None else len(r.state.spies) + 1)
    ),
    "spies to add: {spies}": lambda r: (
        r.state.seating.added_spies == r.facts["spies"]
        and (len(r.state.spies) < r.facts["spies"]) == (r.action.verb != "spy")
    ),
    "{token} is too much beside a spy": lambda r: (
        r.action.token == r.facts["token"]
        and bool(r.state.machines[int(r.facts["token"][1])].spies)
        and r.state.machines[int(r.facts["token"][1])].tokens.size > 0
    ),
    "these readings do not go together: {readings}": lambda r: (
        {*r.facts["readings"]} <= {*r.setting.readings.values()}
    ),
    # the turn
    "it is {active}’s turn": lambda r: active(r) == r.facts["active"] != seat(r),
    "workers were taken from machine {origin} already": lambda r: (
        turn(r).origin == r.facts["origin"] is not None
    ),
    "no workers have been taken yet": lambda r: turn(r).origin is None,
    "{seat} has already used {character}’s ability for this turn, in #{entry}": lambda r: (
        turn(r).ability_used
        and me(r).character == r.facts["character"]
        and (r.facts["entry"], (f"{r.facts['seat']} ability",)) in r.state.trail
    ),
    "{seat} has already used {character}’s ability in this turn": lambda r: (
        turn(r).ability_used and me(r).character == r.facts["character"]
    ),
    "passed over before, and to come first: {passed_over} {passed_over:spy|spies}": lambda r: (
        r.state.placement.spies_due - r.state.placement.spies == r.facts["passed_over"] > 0
    ),
    "{active}’s turn has ended": lambda r: (
        active(r) == r.facts["active"] and r.state.phase in ("turn_end", "placing", "spy_due")
    ),
    "{seat} still has workers in hand: {hand}": lambda r: (
        active(r) == r.facts["seat"] and letters(r.facts["hand"]) == r.state.turn.hand != ""
    ),
    "{taken} has not ended the turn": lambda r: (
        active(r) == r.facts["taken"]
        and r.state.phase == "turn"
        and r.state.turn.origin is not None
        and not r.state.turn.hand
    ),
    "{seat} has not taken any workers yet": lambda r: (
        active(r) == r.facts["seat"] and r.state.turn.origin is None
    ),
    # sowing
    "on machine {machine}: {there}": lambda r: (
        letters(r.facts["there"]) == machine(r).workers != r.action.hand
    ),
    "nobody stands on machine {machine}": lambda r: (
        r.action.machine == r.facts["machine"] and not machine(r).workers
    ),
    "the next machine is {target}, not {at}": lambda r: (
        r.action.at == r.facts["at"] != r.facts["target"] == next_machine(r)
    ),
    "in hand: {hand}": lambda r: (
        holds(r)
        and turn(r).hand != ""
        and (r.action.worker not in turn(r).hand or len(turn(r).hand) > (r.action.verb == "build"))
    ),
    "no worker is in hand": lambda r: turn(r).hand == "",
    "still in hand: {hand}": lambda r: holds(r) and turn(r).hand != "",
    # fixing
    "{token} is nothing for this worker ({worker})": lambda r: (
        turn(r).window.type == WORKERS[r.facts["worker"]] != r.facts["token"][0]
        and r.facts["token"] in r.action.tokens
    ),
    "{left} more may be fixed at machine {machine}": lambda r: (
        (turn(r).window.machine, turn(r).window.left) == (r.facts["machine"], r.facts["left"])
        and len(r.action.tokens) > r.facts["left"]
    ),
    "only the {worker} is active, {token} stays": lambda r: (
        turn(r).window.type == WORKERS[r.facts["worker"]] != r.facts["token"][0]
        and r.facts["token"] in r.action.tokens
    ),
    "not at machine {machine}: {tokens}": lambda r: (
        turn(r).window.machine == r.facts["machine"]
        and bool(Counter(r.action.tokens) - tokens_of(r, r.facts["machine"]))
        and {*r.facts["tokens"]} <= {*r.action.tokens}
    ),
    "too late for {late}": lambda r: (
        turn(r).window is None
        and turn(r).origin is not None
        and {*r.facts["late"]} <= {*on_board(r)}
    ),
    "no worker has been dropped yet": lambda r: (
        turn(r).window is None and turn(r).reached in (None, turn(r).origin)
    ),
    "{tokens}: not on the board": lambda r: (
        {*r.facts["tokens"]} <= {*r.action.tokens}
        and all(r.action.tokens.count(one) > on_board(r)[one] for one in r.facts["tokens"])
    ),
    "{tokens}: the last worker stands in the orphanage": lambda r: (
        turn(r).built and turn(r).window is None
    ),
    # knowledge
    "{seat} lacks {missing}": lambda r: (
        bool(r.facts["missing"])
        and all(
            r.state.players[r.facts["seat"]].knowledge[one]
            < r.facts["missing"].count(one) + r.state.players[r.facts["seat"]].knowledge[one]
            and one in (*paid(r), *getattr(r.action, "give", ()), *getattr(r.action, "tokens", ()))
            for one in r.facts["missing"]
        )
    ),
    "to discard first: {owed}": lambda r: owed(r) == dict(r.facts["owed"]) != {},
    "{seat} has {owes} to discard": lambda r: (
        r.state.owed.counts[r.facts["seat"]] == r.facts["owes"] < len(r.action.tokens)
    ),
    "{seat} has nothing to discard": lambda r: (
        r.state.owed is None or not r.state.owed.counts.get(r.facts["seat"])
    ),
    # uncovering
    "no worker has been dropped": lambda r: not turn(r).hand and turn(r).last_drop is None,
    "the last worker has not been dropped yet": lambda r: turn(r).last_drop is None,
    "the last worker was dropped on machine {last_drop}, not on {machine}": lambda r: (
        turn(r).last_drop == r.facts["last_drop"] != r.action.machine == r.facts["machine"]
    ),
    "no spy lies at machine {machine}": lambda r: (
        r.action.machine in (None, r.facts["machine"]) and not machine(r).spies
    ),
    "the spy costs {cost}, paid: {paid}": lambda r: (
        (*r.action.pay, *r.action.swap) == r.facts["paid"]
        and Counter(token[0] for token in r.facts["paid"])
        != Counter(TYPES[name] for name in r.facts["cost"])
    ),
    "spy {spy} was put on top of the column": lambda r: (
        r.action.on_top and r.facts["spy"] in r.state.spies
    ),
    "after the spy: {tokens}": lambda r: turn(r).uncovered and r.action.tokens == r.facts["tokens"],
    "{seat} has built in this turn": lambda r: turn(r).built,
    "a spy was uncovered in this turn": lambda r: turn(r).uncovered,
    "the last worker was dropped on {last_drop}, not {machine}": lambda r: (
        turn(r).last_drop == r.facts["last_drop"] != r.action.machine == r.facts["machine"]
    ),
    # building
    "the sections are linked to the machines {machines}": lambda r: (
        sorted(one.machine for one in r.setting.kit.sections) == r.facts["machines"]
        and len({*r.facts["machines"]}) < 6
    ),
    "the section within reach is {section}, not {at}": lambda r: (
        r.action.at == r.facts["at"] != r.facts["section"] == section(r)
    ),
    "no section is within reach yet": lambda r: turn(r).origin is None,
    "section {section} is occupied": lambda r: bool(r.state.sections.get(r.facts["section"])),
    "section {section} accepts {accepts}, not this worker ({worker})": lambda r: (
        [*r.setting.kit.accepts[r.facts["section"]]] == [TYPES[name] for name in r.facts["accepts"]]
        and r.action.worker == WORKERS[r.facts["worker"]]
        and r.action.worker not in r.setting.kit.accepts[r.facts["section"]]
    ),
    "of another type than {type}: {wrong}": lambda r: (
        TYPES[r.facts["type"]] == r.action.worker
        and all(token[0] != r.action.worker and token in r.action.pay for token in r.facts["wrong"])
        and bool(r.facts["wrong"])
    ),
    "{due} {due:is|are} due ({type}), {paid} {paid:is|are} paid": lambda r: (
        is_short(r) and TYPES[r.facts["type"]] == r.action.worker
    ),
    "{due} {due:is|are} due, {paid} {paid:is|are} paid": is_short,
    # abilities
    "the ability is that of {ability}, the character is {character}": lambda r: (
        me(r).character == r.facts["character"] != r.facts["ability"]
    ),
    "substitutes: {swap}": lambda r: r.action.swap == r.facts["swap"] and len(r.facts["swap"]) > 1,
    "{swap} cannot stand for {type}": lambda r: (
        r.action.swap == r.facts["swap"]
        and not all(may_stand(r, token[0]) for token in r.facts["swap"])
    ),
    "{pay} does not move this worker ({worker})": lambda r: (
        r.action.pay == r.facts["pay"]
        and r.facts["pay"][0] != r.action.worker == WORKERS[r.facts["worker"]]
    ),
    "not from {source} to {target}": lambda r: (
        (r.action.source, r.action.target) == (r.facts["source"], r.facts["target"])
        and (r.facts["source"] - r.facts["target"]) % 6 not in (1, 5)
    ),
    "this worker ({worker}) is not on machine {source}": lambda r: (
        r.action.source == r.facts["source"]
        and WORKERS[r.facts["worker"]] not in r.state.machines[r.facts["source"]].workers
    ),
    "{tokens}: nobody has been dropped since Harris’s move": lambda r: (
        turn(r).harris_to is not None and {*r.facts["tokens"]} <= {*r.action.tokens}
    ),
    "discarded {pay}, given {gift}": lambda r: (
        r.action.pay == r.facts["pay"]
        and r.action.give == r.facts["gift"]
        and (
            len(r.facts["gift"]) > 2
            or len(r.action.to) > 1
            or len({token[0] for token in (r.facts["pay"], *r.facts["gift"])}) > 1
        )
    ),
    "{to} is not another player at this table": lambda r: (
        r.action.to == r.facts["to"]
        and not {*r.facts["to"]} <= r.state.players.keys() - {r.facts["seat"]}
    ),
    "nobody is named": lambda r: r.action.to == (),
    "nothing is given for {pay}": lambda r: r.action.pay == r.facts["pay"] and not r.action.give,
    "{absent} is not at machine {at}": lambda r: (
        r.action.remove == r.facts["absent"] not in tokens_of(r, r.facts["at"])
    ),
    "{absent} is not on the board": lambda r: (
        r.action.remove == r.facts["absent"] not in on_board(r)
    ),
    "{pay} does not remove {remove}": lambda r: (
        (r.action.pay, r.action.remove) == (r.facts["pay"], r.facts["remove"])
        and all(value != r.facts["pay"][1] for value in worth(r))
    ),
    "discarded: {pay}": lambda r: (
        r.action.pay == r.facts["pay"]
        and (len(r.facts["pay"]) != 2 or len({token[0] for token in r.facts["pay"]}) > 1)
    ),
    "{swap} would replace {replaced}": lambda r: (
        r.action.swap == r.facts["swap"]
        and any(token[0] == TYPES[r.facts["replaced"]] for token in r.facts["swap"])
    ),
    # placing
    "{placed} of {due} are placed": lambda r: (
        is_due(r) and (r.facts["placed"] < r.facts["due"]) == (r.action.verb != "draw")
    ),
    "{token} belongs at machine {place}": lambda r: (
        r.action.token == r.facts["token"] and r.action.at not in (None, r.facts["place"])
    ),
    "no {token} can be left: the box has {box} ({provenance}); is the record wrong, or does the"
    " box have more?": lambda r: (
        r.setting.kit.tokens[r.facts["token"]] == r.facts["box"]
        and not (r.state.supply.tokens or {r.facts["token"]: 0})[r.facts["token"]]
    ),
    "no token can be left: the box has {total} in all ({provenance}); is the record wrong, or does"
    " the box have more?": lambda r: (
        r.setting.kit.malfunctions.count == r.facts["total"] and r.state.supply.count == 0
    ),
    "first flip the tile of machine {machine}": lambda r: (
        machine(r).up
        and machine(r).tile is None
        and (r.action.verb != "crit" or r.action.machine != r.facts["machine"])
    ),
    "this placement has laid {placed} and made no machine critical": lambda r: (
        r.state.placement.placed == r.facts["placed"] and not wants_critical(r)
    ),
    "this placement has made a machine critical: a spy is still to come": lambda r: (
        wants_critical(r) and r.state.placement.spies < max(1, r.state.placement.spies_due)
    ),
    "spy {spy} has come already": lambda r: (
        r.facts["spy"] in r.state.spies and r.state.placement.spies > 0
    ),
    "a spy has come already": lambda r: r.state.placement.spies > 0,
    "{left} {left:malfunction is|malfunctions are} still due": lambda r: (
        r.state.placement.due - r.state.placement.placed == r.facts["left"] > 0
    ),
    "spy {spy} does not belong at machine {at}": lambda r: (
        (r.action.value, r.action.at) == (r.facts["spy"], r.facts["at"])
        and r.facts["spy"] != r.facts["at"]
    ),
    "spy {spy} cannot be on top, only {possible}": lambda r: (
        r.action.value == r.facts["spy"] not in r.facts["possible"]
        and not {*r.facts["possible"]} & {*r.state.spies}
    ),
    # critical machines
    "machine {machine}: malfunctions {tokens}, spy {spies}": lambda r: (
        counts(r) and machine(r).up == (r.action.verb == "down")
    ),
    "machine {machine}: malfunctions {tokens}, no spy": lambda r: (
        counts(r) and machine(r).up == (r.action.verb == "down")
    ),
    "there is no tile to turn down by hand at machine {machine}": lambda r: (
        r.action.machine == r.facts["machine"]
    ),
    "machine {machine} – malfunctions: {tokens}; spy: {spies}": lambda r: (
        counts(r) and machine(r).up
    ),
    "machine {machine} has “{known}”, not “{tile}”; whatever the tile has decided since #{since} is"
    " in doubt": lambda r: machine(r).tile == r.facts["known"] != r.facts["tile"] == r.action.tile,
    "“{tile}” was seen at machine {elsewhere}; whatever it has decided since #{since} is"
    " in doubt": (
        lambda r: (
            r.state.machines[r.facts["elsewhere"]].tile == r.facts["tile"] == r.action.tile
            and r.facts["elsewhere"] != r.action.machine
            and r.facts["since"] == entries_about(r, r.facts["tile"], r.facts["elsewhere"])[0]
        )
    ),
    "{token} goes to machine {place}": lambda r: (
        r.action.token == r.facts["token"]
        and r.action.at not in (None, r.facts["place"])
        and is_up(r, "divert")
    ),
    "nothing more is due, {plus} was paid": lambda r: r.action.plus == r.facts["plus"] is not None,
    "one more is due and was not paid": lambda r: r.action.plus is None and is_up(r, "spyplus"),
    "{twice} pays for the ability already": lambda r: (
        r.action.fee == r.facts["twice"]
        and paid(r).count(r.facts["twice"]) > me(r).knowledge[r.facts["twice"]]
    ),
    "no fee is due, {fee} was paid": lambda r: r.action.fee == r.facts["fee"] is not None,
    "a fee is due and none was paid": lambda r: r.action.fee is None and is_up(r, "fee"),
    # losing
    "{due} {due:is|are} due, {supply} {supply:is|are} left: the game is lost": lambda r: (
        r.state.supply.count == r.facts["supply"] < r.facts["due"]
    ),
    "{due} {due:is|are} due, the supply is not counted": lambda r: r.state.supply.count is None,
    "the turn is over and machines {critical} are critical: the game is lost": lambda r: (
        r.facts["critical"] == tuple(n for n, one in r.state.machines.items() if one.up)
        and len(r.facts["critical"]) >= r.setting.kit.numbers.critical_machines_lose
    ),
    # positions
    "this does not fit the box: {what} ({which})": lambda r: not fits_the_box(r),
    "the tile is not named, but the machine is critical: {unnamed}": lambda r: (
        all(is_full(r, n) and r.action.machines[n].tile is None for n in r.facts["unnamed"])
        and bool(r.facts["unnamed"])
    ),
    "the tile lies the wrong side up at machine {turned}": lambda r: (
        all(is_full(r, n) != r.action.machines[n].up for n in r.facts["turned"])
        and bool(r.facts["turned"])
    ),
    "above the limit of {limit}: {above}": lambda r: all(
        len(r.action.players[s].knowledge) == count > r.facts["limit"]
        for s, count in r.facts["above"].items()
    ),
    "to discard though not that far above the limit of {limit}: {free}": lambda r: all(
        r.action.players[s].owes == count
        and len(r.action.players[s].knowledge) - count != r.facts["limit"]
        for s, count in r.facts["free"].items()
    ),
    "what {astray} has done in the turn does not go together": lambda r: (
        {*r.facts["astray"]} <= {r.action.active or active(r), *r.action.begun}
    ),
    "this is not of a running game: {what} ({which})": lambda r: r.action.phase != "over",
    "this is not of a running game: {what}": lambda r: (
        is_declared(r) and (r.facts["what"] == "over") == (r.action.phase == "over")
    ),
    "{subject}: {stated} at the table, {derived} by the record": lambda r: (
        r.facts["derived"] == str(counted(r)) != r.facts["stated"]
    ),
}
