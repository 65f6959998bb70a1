"""A second, naive implementation of Bethel Woods, written from the rules alone.

It shares no code with the engine: plain dicts and lists, and ifs in the order of the rules.

- ``start(opening, kit)`` gives the state of a table, ``kit`` being the parsed kit file;
- ``legal(state, line)`` says whether a line may be played, and which clauses it breaks if not. No
  clause at all means: not legal, but the rules do not say which clause to cite;
- ``play(state, line)`` gives the state after a legal line;
- ``view(state)`` is what everybody at the table sees.

All twenty-two readings are modelled. Not modelled: ``audit`` and ``adjust``, the checks of a
declared position (BTW-POS-1, BTW-POS-2; a position is taken as it is, before the pick-up or at
the start of a placement), the checks of a box (BTW-SET-3, BTW-SET-4, BTW-BUILD-1), boxes of which
the matrix of malfunctions is not known, house rules, and what stands though it breaks a rule.
"""

from __future__ import annotations

import copy
import json
from typing import Any

State = dict[str, Any]

MACHINES = (1, 2, 3, 4, 5, 6)
LETTERS = {"mechanical": "M", "structural": "S", "digital": "D", "electrical": "E"}
ABILITIES = ("harris", "junas", "linny", "violet")
TURN_VERBS = ("take", "drop", "fix", "build", "uncover", "end", "down", *ABILITIES)
DEFAULT_READINGS = {
    "orphanage_access": "from_current",
    "sow_origin": "include",
    "critical_threshold": "sum_over_3",
    "flip_back": "automatic",
    "flip_back_limit": "threshold",
    "divert_scope": "own_first",
    "divert_direction": "clockwise",
    "spy_trigger": "new_critical",
    "spy_chain": "no",
    "four_critical_check": "before_placement",
    "supply_loss": "insufficient",
    "nova_swap": "any",
    "junas_type": "as_discarded",
    "linny_value": "printed",
    "setup_spy_cap": "1",
    "ability_timing": "any",
    "harris_reach": "any",
    "harris_counts_as_last": "no",
    "fix_window": "until_next_step",
    "fix_uncover_order": "free",
    "players_allowed": "2-4",
    "turn_end": "silence",
}
FORM = "form"
"""Cited instead of a clause where a line does not say enough to be judged."""


class Broken(Exception):
    """The line breaks these clauses; the first one cited may be any of them."""

    def __init__(self, *clauses: str) -> None:
        super().__init__(*clauses)
        self.clauses = frozenset(
            clause if clause == FORM else f"BTW-{clause}" for clause in clauses
        )


class Checks:
    """Collects every clause that a line breaks."""

    def __init__(self) -> None:
        self.broken: list[str] = []

    def __call__(self, clause: str, holds: bool) -> None:
        if not holds:
            self.broken.append(clause)

    def done(self) -> None:
        if self.broken:
            raise Broken(*self.broken)


# the table


def start(opening: str, kit: dict[str, Any]) -> State:
    """``table A B first A level hard spies 1 readings spy_chain=yes``; may raise ``Broken``."""
    words = opening.split()
    assert words[0] == "table", opening
    parts = _parts(words[1:], ("first", "level", "spies", "readings", "kit"))
    seats = parts[""]
    level = parts.get("level", ["normal"])[0]
    readings = dict(DEFAULT_READINGS)
    readings.update(word.split("=") for word in parts.get("readings", []))

    check = Checks()
    fewest, most = kit["players"]["min"], kit["players"]["max"]
    if readings["players_allowed"] == "1-6":
        fewest, most = 1, 6
    check("SET-1", fewest <= len(seats) <= most)
    added = [int(word) for word in parts.get("spies", [])]
    possible = kit["levels"][level]
    if not added and len(possible) == 1:
        added = list(possible)
    check("DIFF-1", bool(added) and added[0] in possible)
    both_loose = readings["setup_spy_cap"] == "2"
    both_loose = both_loose and readings["critical_threshold"] == "two_with_spy"
    check("DIFF-4", not both_loose)
    check.done()

    return {
        "kit": kit,
        "readings": readings,
        "seats": seats,
        "active": parts["first"][0],
        "turn_number": 0,
        "phase": "setup",
        "outcome": None,
        "character": dict.fromkeys(seats),
        "knowledge": {seat: [] for seat in seats},
        "workers": {m["id"]: [LETTERS[icon] for icon in m["icons"]] for m in kit["machines"]},
        "tokens": {machine: [] for machine in MACHINES},
        "spies": {machine: [] for machine in MACHINES},
        "tile": dict.fromkeys(MACHINES),
        "deduced": [],
        "up": dict.fromkeys(MACHINES, False),
        "sections": {section: [] for section in MACHINES},
        "supply": _all_tokens(kit),
        "discard": [],
        "unseen": list(MACHINES),
        "returned": [],
        "added_spies": added[0],
        "setup_placed": 0,
        "setup_returned": 0,
        "owed": {},
        "owed_why": None,
        "unnamed": None,
        "unnamed_why": None,
        "placement": None,
        "begun": False,
        "declared": False,
        "turn": _new_turn(),
        "last": None,
    }


def _all_tokens(kit: dict[str, Any]) -> list[str]:
    return [
        f"{LETTERS[kind]}{value}"
        for kind, row in kit["malfunctions"]["matrix"].items()
        for value, count in enumerate(row, start=1)
        for _ in range(count)
    ]


def _new_turn() -> dict[str, Any]:
    return {
        "taken": False,
        "hand": [],
        "origin": None,
        "step": 0,
        "reached": None,
        "last_drop": None,
        "built": False,
        "uncovered": False,
        "ability_used": False,
        "violet": False,
        "harris_to": [],
        "harris_last": None,
        "lowered": [],
        "window": None,
        "closed": ["FIX-7"],
    }


def _new_placement(due: int) -> dict[str, Any]:
    return {
        "due": due,
        "placed": 0,
        "extra": False,
        "extra_by_spy": False,
        "spy_due": False,
        "spies": 0,
        "spy_made_critical": False,
    }


# judging


def legal(state: State, line: str) -> tuple[bool, frozenset[str]]:
    try:
        play(state, line)
    except Broken as broken:
        return False, broken.clauses
    return True, frozenset()


def play(state: State, line: str) -> State:
    after = copy.deepcopy({key: value for key, value in state.items() if key != "kit"})
    after["kit"] = state["kit"]
    if line.startswith("position "):
        _declare(after, json.loads(line.removeprefix("position ")))
        return after
    words = line.split()
    seat = words.pop(0) if words[0] in "ABCDEFGH" and len(words[0]) == 1 else None
    verb, *rest = words
    if seat is not None and seat not in state["seats"]:
        raise Broken(FORM)
    if after["outcome"] is not None:
        raise Broken("LOSE-5")
    if (lost := _lost_unsaid(after, seat, verb)) is not None:
        raise Broken(lost)
    if _goes_on(after, seat, verb):
        _end(after)
    if verb == "char":
        _deal(after, seat, rest)
    elif verb == "crit":
        _crit(after, rest)
    elif verb in ("draw", "spy"):
        _wait_for_discards(after)
        {"draw": _draw, "spy": _spy}[verb](after, rest)
    elif verb == "end" and _is_over_already(after, seat):
        after["last"] = None
    elif verb == "discard":
        discards = _discard(after, seat, rest)
        after["last"] = state["last"] and discards  # a turn that was ended aloud ends once
    elif verb in TURN_VERBS:
        _decide(after, seat, verb, rest)
        after["last"] = None if verb == "end" else seat or state["active"]
    else:
        raise AssertionError(line)
    return after


def _is_over_already(state: State, seat: str | None) -> bool:
    """Whether whoever acted last only says that the turn is over."""
    seat = seat or state["last"]
    if state["owed"] or state["phase"] != "turn" or seat is None:
        return False
    return seat == state["last"] and seat != state["active"]


def _goes_on(state: State, seat: str | None, verb: str) -> bool:
    """Whether a line says that the turn is over, though nobody has ended it."""
    later = _ended_unsaid(state)
    if later is None or later["outcome"] is not None:
        return False
    seat = seat or state["active"]
    return verb in ("draw", "spy") or (verb == "discard" and seat in later["owed"])


def _lost_unsaid(state: State, seat: str | None, verb: str) -> str | None:
    """The clause by which the end that a line says without a word loses the game."""
    others = verb == "take" and (seat or state["active"]) != state["active"]
    if verb not in ("draw", "spy") and not others:
        return None
    later = _ended_unsaid(state)
    if later is None or later["outcome"] is None:
        return None
    return {"lost_critical": "LOSE-2", "lost_supply": "LOSE-1"}[later["outcome"]]


def _ended_unsaid(state: State) -> State | None:
    """The table after the end of the turn, where nothing else is left to do."""
    turn = state["turn"]
    if state["readings"]["turn_end"] != "silence" or state["phase"] != "turn":
        return None
    if not turn["taken"] or turn["hand"] or state["owed"] or state["unnamed"] is not None:
        return None
    later = copy.deepcopy({key: value for key, value in state.items() if key != "kit"})
    later["kit"] = state["kit"]
    _end(later)
    return later


def _parts(words: list[str], keywords: tuple[str, ...]) -> dict[str, list[str]]:
    """The words behind each keyword; what stands before the first one is behind ''."""
    parts: dict[str, list[str]] = {"": []}
    current = ""
    for word in words:
        if word in keywords:
            current = word
            parts[current] = []
        else:
            parts[current].append(word)
    return parts


def _thing_at(word: str) -> tuple[str, str | None]:
    thing, _, place = word.partition("@")
    return thing, place or None


def _wait_for_discards(state: State) -> None:
    if state["owed"]:
        raise Broken(state["owed_why"])


def _set_up(state: State) -> list[str]:
    """The clauses that the setup still has to fulfil."""
    missing = []
    if None in state["character"].values():
        missing.append("SET-11")
    if _spies_on_board(state) < state["added_spies"]:
        missing.append("DIFF-2")
    if state["setup_placed"] < state["kit"]["numbers"]["setup_malfunctions"]:
        missing.append("SET-10")
        missing.append("SET-9")
    return missing


def _spies_on_board(state: State) -> int:
    return sum(len(spies) for spies in state["spies"].values())


def _deal(state: State, seat: str | None, rest: list[str]) -> None:
    if None not in state["character"].values():
        raise Broken("SET-11")
    if seat is None:
        waiting = [seat for seat, name in state["character"].items() if name is None]
        if len(waiting) > 1:
            raise Broken(FORM)
        seat = waiting[0]
    if state["character"][seat] is not None or rest[0] in state["character"].values():
        raise Broken("SET-11")
    state["character"][seat] = rest[0]
    _maybe_begin(state)


def _maybe_begin(state: State) -> None:
    if state["phase"] == "setup" and not _set_up(state):
        state["phase"] = "turn"
        state["turn_number"] = 1


def _declare(state: State, position: dict[str, Any]) -> None:
    """A declared position, taken as it is."""
    state["active"] = position.get("active", state["active"])
    for machine in MACHINES:
        part = position.get("machines", {}).get(str(machine), {})
        state["workers"][machine] = list(part.get("workers", ""))
        state["tokens"][machine] = list(part.get("tokens", []))
        state["spies"][machine] = [machine] if part.get("spy") else []
        state["tile"][machine] = part.get("tile")
        state["up"][machine] = _over_the_limit(state, machine)
        state["sections"][machine] = list(position.get("sections", {}).get(str(machine), ""))
    for seat in state["seats"]:
        player = position.get("players", {}).get(seat, {})
        state["knowledge"][seat] = list(player.get("knowledge", []))
    state["discard"] = list(position.get("discard_pile", []))
    state["returned"] = list(position.get("returned", []))
    on_board = [spy for spies in state["spies"].values() for spy in spies]
    state["unseen"] = [
        spy for spy in MACHINES if spy not in on_board and spy not in state["returned"]
    ]
    state["supply"] = _all_tokens(state["kit"])
    seen = [*state["tokens"].values(), *state["knowledge"].values(), state["discard"]]
    for tokens in seen:
        for token in tokens:
            state["supply"].remove(token)
    _deduce_sixth_tile(state)
    state["phase"] = "turn"
    state["turn_number"] = 1
    state.update(declared=True, last=None)
    if position.get("phase") == "placing":
        _begin_placement(state)


# chance: tokens, spies and tiles


def _draw(state: State, rest: list[str]) -> None:
    token, at = _thing_at(rest[0])
    if state["phase"] == "setup":
        _draw_in_setup(state, token, at)
        return
    placement = state["placement"]
    if state["unnamed"] is not None:
        raise Broken(state["unnamed_why"])
    if state["phase"] == "turn":
        if state["begun"]:
            raise Broken("TURN-7")
        if state["declared"]:
            raise Broken("TURN-7", "PLACE-5", "SET-10")
        if placement is None:
            raise Broken("SET-10")
    if placement["placed"] >= placement["due"]:
        further_spy_due = state["phase"] == "placing"
        if placement["extra_by_spy"]:
            raise Broken("EXT-3", *(["PLACE-5"] if further_spy_due else []))
        raise Broken("PLACE-5")

    check = Checks()
    check("PLACE-4", token in state["supply"])
    place = _place_of(state, int(token[1]))
    if at == "supply":
        check("PLACE-6", False)
    elif at is not None and int(at) != place:
        for clause in _misplaced(state, int(token[1])):
            check(clause, False)
    check.done()

    state["supply"].remove(token)
    state["tokens"][place].append(token)
    placement["placed"] += 1
    if state["up"][place]:
        if state["readings"]["spy_trigger"] == "any_token_on_critical":
            placement["spy_due"] = True
    elif _over_the_limit(state, place):
        placement["spy_due"] = True
        _flip(state, place, "PLACE-7")
    _go_on_placing(state)


def _draw_in_setup(state: State, token: str, at: str | None) -> None:
    if _spies_on_board(state) < state["added_spies"]:
        raise Broken("DIFF-2")
    numbers = state["kit"]["numbers"]
    if state["setup_placed"] >= numbers["setup_malfunctions"]:
        raise Broken("SET-10")
    check = Checks()
    machine = int(token[1])
    most, why = numbers["setup_max_per_machine"], "SET-8"
    if state["spies"][machine]:
        most, why = int(state["readings"]["setup_spy_cap"]), "DIFF-3"
    goes_back = len(state["tokens"][machine]) >= most
    check("PLACE-4", token in state["supply"])
    if goes_back and at not in (None, "supply"):
        check(why, False)
        if at != str(machine):
            check("SET-7", False)
    if not goes_back and at not in (None, str(machine)):
        check("SET-7", False)
    check.done()
    if goes_back:
        state["setup_returned"] += 1
        return
    state["supply"].remove(token)
    state["tokens"][machine].append(token)
    state["setup_placed"] += 1
    _maybe_begin(state)


def tile_up(state: State, kind: str) -> int | None:
    """The machine at which this tile lies face up."""
    for machine in MACHINES:
        if state["up"][machine] and state["tile"][machine] == kind:
            return machine
    return None


def _next(machine: int, step: int) -> int:
    return (machine - 1 + step) % 6 + 1


def _place_of(state: State, own: int) -> int:
    """Where a token of this value is laid."""
    tile = tile_up(state, "divert")
    if tile is None:
        return own
    scope = state["readings"]["divert_scope"]
    if scope == "own_first" and not state["up"][own]:
        return own
    step = 1 if state["readings"]["divert_direction"] == "clockwise" else -1
    place = tile if scope == "from_tile" else own
    for _ in MACHINES:
        place = _next(place, step)
        if not state["up"][place]:
            return place
    return own


def _misplaced(state: State, own: int) -> list[str]:
    if tile_up(state, "divert") is None:
        return ["PLACE-3"]
    if all(state["up"].values()):
        return ["DIV-6", "DIV-1", "PLACE-3"]
    if state["readings"]["divert_scope"] == "own_first" and not state["up"][own]:
        return ["DIV-2"]
    return ["DIV-1"]


def _over_the_limit(state: State, machine: int) -> bool:
    tokens, spies = len(state["tokens"][machine]), len(state["spies"][machine])
    above = state["kit"]["numbers"]["critical_above"]
    if state["readings"]["critical_threshold"] == "two_with_spy" and spies and tokens >= 2:
        return True
    return tokens + spies > above


def _flip(state: State, machine: int, why: str) -> None:
    """The tile comes up; if nobody knows it yet, it must be named before anything else."""
    state["up"][machine] = True
    if state["tile"][machine] is None:
        state["unnamed"], state["unnamed_why"] = machine, why
    else:
        _tile_acts(state, machine, why)


def _tile_acts(state: State, machine: int, why: str) -> None:
    kind, placement = state["tile"][machine], state["placement"]
    if kind == "cap":
        _owe(state, state["seats"], "CAP-1")
    if kind == "extra" and why == "SPY-6":
        placement["extra_by_spy"] = True
    elif kind == "extra" and not placement["extra"]:
        placement["extra"] = True
        placement["due"] += 1


def _crit(state: State, rest: list[str]) -> None:
    machine, kind = int(rest[0]), rest[1]
    if state["phase"] == "setup":
        raise Broken("SET-2")
    if state["tile"][machine] == kind and state["unnamed"] is None:
        return  # only a confirmation
    check = Checks()
    if state["owed"]:
        check(state["owed_why"], False)
    if state["unnamed"] is not None:
        check(state["unnamed_why"], machine == state["unnamed"])
    if state["tile"][machine] not in (None, kind):
        check("CRIT-9" if machine in state["deduced"] else "CRIT-5", False)
    check("CRIT-1", state["up"][machine])
    elsewhere = [other for other in MACHINES if other != machine]
    check("CRIT-8", kind not in [state["tile"][other] for other in elsewhere])
    check.done()
    why = state["unnamed_why"]
    state["tile"][machine] = kind
    state["unnamed"] = state["unnamed_why"] = None
    _deduce_sixth_tile(state)
    _tile_acts(state, machine, why)
    _go_on_placing(state)


def _deduce_sixth_tile(state: State) -> None:
    unknown = [machine for machine in MACHINES if state["tile"][machine] is None]
    if len(unknown) == 1:
        kinds = state["kit"]["critical_tiles"]["kinds"]
        (left,) = [kind for kind in kinds if kind not in state["tile"].values()]
        state["tile"][unknown[0]] = left
        state["deduced"].append(unknown[0])


def _spy(state: State, rest: list[str]) -> None:
    word, at = _thing_at(rest[0])
    spy = int(word)
    placement = state["placement"]
    if state["phase"] == "setup":
        if _spies_on_board(state) >= state["added_spies"]:
            levels = state["kit"]["levels"].values()
            (most,) = [max(n) for n in levels if isinstance(n, list) and state["added_spies"] in n]
            too_many = _spies_on_board(state) >= most and not state["setup_placed"]
            raise Broken("DIFF-1" if too_many else "DIFF-2")
    elif state["unnamed"] is not None:
        raise Broken(state["unnamed_why"])
    elif state["phase"] == "turn":
        if state["begun"]:
            raise Broken("TURN-7")
        if placement is None:
            raise Broken("DIFF-2", "SPY-1", "SPY-2", "TURN-7")
        if not placement["spies"]:
            raise Broken("SPY-1")
        raise Broken("SPY-7" if placement["spy_made_critical"] else "SPY-2")
    elif placement["placed"] < placement["due"]:
        raise Broken("SPY-3", *([] if placement["spy_due"] else ["SPY-1"]))

    check = Checks()
    possible = state["unseen"] or state["returned"][:1]
    check("SPY-8", spy in possible)
    check("SPY-4", at in (None, str(spy)))
    check.done()
    (state["unseen"] if spy in state["unseen"] else state["returned"]).remove(spy)
    state["spies"][spy].append(spy)
    if state["phase"] == "setup":
        _maybe_begin(state)
        return
    placement["spies"] += 1
    placement["spy_due"] = False
    if _spies_on_board(state) >= state["kit"]["numbers"]["spies_lose"]:
        _over(state, "lost_spies")
        return
    if not state["up"][spy] and _over_the_limit(state, spy):
        placement["spy_made_critical"] = True
        placement["spy_due"] = state["readings"]["spy_chain"] == "yes"
        _flip(state, spy, "SPY-6")
    _go_on_placing(state)


# between turns


def _begin_placement(state: State) -> None:
    due = state["kit"]["numbers"]["malfunctions_per_turn"]
    extra = tile_up(state, "extra") is not None
    if extra:
        due += 1
    if state["turn"]["violet"]:
        due -= 2
    state["phase"] = "placing"
    state["placement"] = _new_placement(due)
    state["placement"]["extra"] = extra
    _go_on_placing(state)


def _go_on_placing(state: State) -> None:
    """What follows by itself, once nothing is owed and no tile must be named."""
    placement = state["placement"]
    if state["phase"] != "placing" or state["unnamed"] is not None or state["owed"]:
        return
    remaining = placement["due"] - placement["placed"]
    if state["readings"]["supply_loss"] == "insufficient":
        too_few = len(state["supply"]) < remaining
    else:
        too_few = remaining > 0 and not state["supply"]
    if too_few:
        _over(state, "lost_supply")
        return
    if remaining > 0 or placement["spy_due"]:
        return
    if state["readings"]["four_critical_check"] == "after_placement" and _four_critical(state):
        _over(state, "lost_critical")
        return
    seats = state["seats"]
    state["active"] = seats[(seats.index(state["active"]) + 1) % len(seats)]
    state["turn_number"] += 1
    state["declared"] = False
    state["turn"] = _new_turn()
    state["phase"] = "turn"
    state["begun"] = False


def _four_critical(state: State) -> bool:
    return sum(state["up"].values()) >= state["kit"]["numbers"]["critical_machines_lose"]


def _over(state: State, outcome: str) -> None:
    state["outcome"] = outcome
    state["phase"] = "over"
    state["owed"], state["owed_why"] = {}, None
    state["unnamed"] = state["unnamed_why"] = None


# knowledge


def _limit(state: State) -> int:
    numbers = state["kit"]["numbers"]
    capped = tile_up(state, "cap") is not None
    return int(numbers["knowledge_limit_cap" if capped else "knowledge_limit"])


def _owe(state: State, seats: list[str], why: str) -> None:
    for seat in seats:
        excess = len(state["knowledge"][seat]) - _limit(state)
        if excess > 0:
            state["owed"][seat] = excess
            state["owed_why"] = why


def _discard(state: State, seat: str | None, tokens: list[str]) -> str:
    """Gives the seat that discards."""
    if seat is None:
        if len(state["owed"]) != 1:
            raise Broken(FORM, "KNOW-4")
        (seat,) = state["owed"]
    check = Checks()
    check("KNOW-4", len(tokens) <= state["owed"].get(seat, 0))
    check("KNOW-2", _holds(state["knowledge"][seat], tokens))
    if state["unnamed"] is not None:
        check(state["unnamed_why"], False)
    if state["phase"] == "setup":
        raise Broken("KNOW-4", *_set_up(state))
    check.done()
    _pay(state, seat, tokens)
    state["owed"][seat] -= len(tokens)
    if not state["owed"][seat]:
        del state["owed"][seat]
    if state["owed"]:
        return seat
    why, state["owed_why"] = state["owed_why"], None
    if why in ("KNOW-3", "CAP-2"):
        _after_the_limit(state)
    elif why == "CAP-1":
        _go_on_placing(state)
    return seat


def _holds(held: list[str], tokens: list[str]) -> bool:
    return all(held.count(token) >= tokens.count(token) for token in tokens)


def _pay(state: State, seat: str, tokens: list[str]) -> None:
    for token in tokens:
        state["knowledge"][seat].remove(token)
        state["discard"].append(token)


# the turn


def _decide(state: State, seat: str | None, verb: str, rest: list[str]) -> None:
    active = state["active"]
    if seat is None and state["phase"] == "placing" and not state["owed"]:
        raise Broken  # between turns nobody is to decide: whose decision it is, is not said
    seat = seat or active
    is_ability = verb in ABILITIES
    if state["phase"] == "setup":
        missing = _set_up(state)
        raise Broken(*(missing if verb == "take" and seat == active else []))
    if state["owed"]:
        why = [state["owed_why"]]
        if is_ability:
            why += ["ABIL-2", "ABIL-3"]
        elif state["phase"] == "placing" or state["owed_why"] in ("KNOW-3", "CAP-2"):
            why += ["TURN-6"]
        raise Broken(*why)
    if state["phase"] == "placing":
        raise Broken(*_between_turns(state, seat, verb))
    if seat != active:
        if is_ability:
            raise Broken("ABIL-2")
        turn, silent = state["turn"], state["readings"]["turn_end"] == "silence"
        if verb == "take" and turn["taken"] and not turn["hand"] and silent:
            later = _ended_unsaid(state)
            raise Broken(later["owed_why"] if later and later["owed"] else "PLACE-1")
        raise Broken("TURN-1" if verb == "take" else "TURN-8")
    if is_ability:
        _ability(state, verb, rest)
    elif verb == "take":
        _take(state, rest)
    elif verb == "drop":
        _drop(state, rest)
    elif verb == "fix":
        _fix(state, rest)
    elif verb == "build":
        _build(state, rest)
    elif verb == "uncover":
        _uncover(state, rest)
    elif verb == "down":
        _down(state, int(rest[0]))
    else:
        _end(state)
    state["begun"] = True


def _between_turns(state: State, seat: str, verb: str) -> list[str]:
    """The clauses against a decision while tokens and spies are placed."""
    seats, placement = state["seats"], state["placement"]
    following = seats[(seats.index(state["active"]) + 1) % len(seats)]
    why: list[str] = []
    if seat == state["active"]:
        why.append("ABIL-3" if verb in ABILITIES else "TURN-6")
    elif verb in ABILITIES:
        why += ["ABIL-2", "ABIL-3"]
    if seat == following and verb == "take":
        if state["unnamed"] is not None:
            why.append(state["unnamed_why"])
        elif placement["placed"] < placement["due"]:
            why.append("PLACE-1")
        else:
            why.append("SPY-1")
    return why


def _take(state: State, rest: list[str]) -> None:
    turn, machine = state["turn"], int(rest[0])
    if turn["taken"]:
        raise Broken("TURN-2")
    there = state["workers"][machine]
    check = Checks()
    check("MOVE-2", bool(there))
    check("MOVE-1", len(rest) < 3 or sorted(rest[2]) == sorted(there))
    check.done()
    turn["taken"] = True
    turn["hand"] = there
    turn["origin"] = turn["reached"] = machine
    turn["step"] = 1 if rest[1] == "cw" else -1
    state["workers"][machine] = []
    _something_else_was_done(state)


def _next_to_drop(state: State) -> int:
    turn = state["turn"]
    place = _next(turn["reached"], turn["step"])
    if place == turn["origin"] and state["readings"]["sow_origin"] == "skip":
        place = _next(place, turn["step"])
    return place


def _drop(state: State, rest: list[str]) -> None:
    turn = state["turn"]
    worker, at = _thing_at(rest[0])
    if not turn["hand"]:
        raise Broken("MOVE-6")
    check = Checks()
    check("MOVE-6", worker in turn["hand"])
    place = _next_to_drop(state)
    if at is not None and int(at) != place:
        step = turn["step"]
        neighbour = _next(turn["reached"], step)
        gets_to_origin = int(at) == turn["origin"] == neighbour
        passes_origin = place == turn["origin"] and int(at) == _next(place, step)
        if gets_to_origin or passes_origin:
            check("MOVE-9", False)
        elif int(at) == _next(turn["reached"], -step):
            check("MOVE-3", False)
        else:
            check("MOVE-5", False)
    check.done()
    turn["hand"].remove(worker)
    state["workers"][place].append(worker)
    turn["reached"] = place
    active = state["workers"][place].count(worker)
    turn["window"] = {"machine": place, "type": worker, "left": active}
    turn["closed"] = []
    if not turn["hand"]:
        turn["last_drop"] = place


def _fix(state: State, tokens: list[str]) -> None:
    turn = state["turn"]
    window = turn["window"]
    if window is None:
        raise Broken(*turn["closed"])
    machine = window["machine"]
    here = state["tokens"][machine]
    on_board = [token for tokens in state["tokens"].values() for token in tokens]
    check = Checks()
    check("FIX-3", len(tokens) <= window["left"])
    check("FIX-11", _holds(on_board, tokens))
    if _holds(on_board, tokens):
        check("FIX-5", _holds(here, tokens))
    for token in tokens:
        if token[0] != window["type"]:
            stands_there = token[0] in state["workers"][machine]
            check("FIX-4" if stands_there else "FIX-1", False)
            check("FIX-5", token in here or token not in on_board)
    check.done()
    for token in tokens:
        here.remove(token)
        state["knowledge"][state["active"]].append(token)
    window["left"] -= len(tokens)
    _recover(state, machine)


def _recovered(state: State, machine: int) -> bool:
    if state["readings"]["flip_back_limit"] == "literal_3":
        return len(state["tokens"][machine]) <= 3
    return not _over_the_limit(state, machine)


def _recover(state: State, machine: int) -> None:
    """After something was taken away from this machine."""
    automatic = state["readings"]["flip_back"] == "automatic"
    if automatic and state["up"][machine] and _recovered(state, machine):
        state["up"][machine] = False
        state["turn"]["lowered"].append(state["tile"][machine])


def _down(state: State, machine: int) -> None:
    check = Checks()
    check("CRIT-3", state["up"][machine])
    if state["up"][machine] and not _recovered(state, machine):
        check("CRIT-4" if state["spies"][machine] else "CRIT-1", False)
    check.done()
    if state["readings"]["flip_back"] == "automatic":
        raise Broken("CRIT-3")
    state["up"][machine] = False
    state["turn"]["lowered"].append(state["tile"][machine])


def _close_window(state: State, *why: str) -> None:
    state["turn"]["window"] = None
    state["turn"]["closed"] = list(why)


def _something_else_was_done(state: State) -> None:
    if state["readings"]["fix_window"] == "strict" and state["turn"]["window"] is not None:
        _close_window(state, "FIX-7")


def _check_ability(state: State, check: Checks, character: str) -> None:
    check("ABIL-1", state["character"][state["active"]] == character)
    check("TURN-5", not state["turn"]["ability_used"])


def _check_payment(
    state: State, check: Checks, paid: list[str], fee: list[str], uses_ability: bool
) -> None:
    """The fee is due exactly for abilities while its tile is up; all tokens are really held."""
    held = state["knowledge"][state["active"]]
    due = uses_ability and tile_up(state, "fee") is not None
    check("FEE-1", len(fee) == (1 if due else 0))
    check("KNOW-2", _holds(held, paid) and _holds(held, fee))
    if _holds(held, paid) and _holds(held, fee):
        check("FEE-1", _holds(held, paid + fee))


def _build(state: State, rest: list[str]) -> None:
    turn, kit = state["turn"], state["kit"]
    parts = _parts(rest, ("pay", "swap", "fee"))
    worker, at = _thing_at(parts[""][0])
    pay, swap, fee = (parts.get(word, []) for word in ("pay", "swap", "fee"))
    if len(turn["hand"]) != 1:
        raise Broken("BUILD-2")
    check = Checks()
    check("MOVE-6", worker in turn["hand"])
    reached = turn["reached"]
    if state["readings"]["orphanage_access"] == "instead_of_next":
        reached = _next_to_drop(state)
    (sheet,) = [section for section in kit["sections"] if section["machine"] == reached]
    section, accepts = sheet["id"], [LETTERS[kind] for kind in sheet["accepts"]]
    check("BUILD-3", at in (None, str(section)))
    check("BUILD-4", not state["sections"][section])
    nova_swaps = bool(swap) and state["character"][state["active"]] == "nova"
    check("NOVA-3" if nova_swaps else "BUILD-5", worker in accepts)

    built = sum(1 for workers in state["sections"].values() if workers)
    normal = kit["daydreamer"]["costs"][built]
    dear = tile_up(state, "buildplus") is not None
    cost, paid = normal + (1 if dear else 0), len(pay) + len(swap)
    check("BUILD-6", all(token[0] == worker for token in pay))
    check("BUILD-6", paid >= normal)
    if paid < cost and dear:
        check("BLD-1", False)
    if paid > cost:
        cheaper = paid == cost + 1 and "buildplus" in turn["lowered"]
        check("BLD-2" if cheaper else "BUILD-7", False)
    if swap:
        _check_ability(state, check, "nova")
        check("NOVA-1", len(swap) == 1)
        for token in swap:
            check("NOVA-2", token[0] != worker)
            if state["readings"]["nova_swap"] == "section_types":
                check("NOVA-2", token[0] in accepts)
    _check_payment(state, check, pay + swap, fee, bool(swap))
    check.done()

    _pay(state, state["active"], pay + swap + fee)
    turn["ability_used"] = turn["ability_used"] or bool(swap)
    turn["hand"] = []
    turn["built"] = True
    state["sections"][section].append(worker)
    _close_window(state, "FIX-12")
    if all(state["sections"].values()):
        _over(state, "won")


def _uncover(state: State, rest: list[str]) -> None:
    turn = state["turn"]
    parts = _parts(rest, ("pay", "swap", "plus", "fee"))
    stated = [int(word) for word in parts[""]]
    pay, swap, plus, fee = (parts.get(word, []) for word in ("pay", "swap", "plus", "fee"))
    if turn["built"]:
        raise Broken("UNC-9")
    if not turn["taken"] or turn["hand"]:
        raise Broken("UNC-1")
    check = Checks()
    check("UNC-10", not turn["uncovered"])
    machine = turn["last_drop"]
    if turn["harris_last"] and state["readings"]["harris_counts_as_last"] == "yes":
        machine = turn["harris_last"]
    if stated and stated[0] != machine:
        check("UNC-2", turn["harris_last"] == stated[0])
        check("UNC-11", stated[0] not in turn["harris_to"])
    else:
        check("UNC-2", bool(state["spies"][machine]))
    (sheet,) = [m for m in state["kit"]["machines"] if m["id"] == (stated or [machine])[0]]
    icons = [LETTERS[icon] for icon in sheet["icons"]]
    types = [token[0] for token in pay]
    if not swap:
        check("UNC-3", sorted(types) == sorted(icons))
    else:
        _check_ability(state, check, "fenn")
        check("FEN-1", len(swap) == 1)
        check("UNC-3", len(types) + len(swap) == 2)
        for kind in types:
            check("UNC-3", kind in icons)
        if len(types) == 1 and types[0] in icons and len(swap) == 1:
            (replaced,) = [icon for icon in icons if icon != types[0]]
            check("FEN-2", swap[0][0] != replaced)
    if tile_up(state, "spyplus") is not None:
        check("SPP-1", len(plus) == 1)
    elif plus:
        check("SPP-2" if "spyplus" in turn["lowered"] else "SPP-1", False)
    _check_payment(state, check, pay + swap + plus, fee, bool(swap))
    check.done()

    _pay(state, state["active"], pay + swap + plus + fee)
    turn["ability_used"] = turn["ability_used"] or bool(swap)
    turn["uncovered"] = True
    state["returned"] += state["spies"][machine]
    state["spies"][machine] = []
    _something_else_was_done(state)
    if state["readings"]["fix_uncover_order"] == "fix_first":
        _close_window(state, *{*turn["closed"], "UNC-8"})
    _recover(state, machine)


def _end(state: State) -> None:
    turn = state["turn"]
    if not turn["taken"]:
        raise Broken("TURN-2")
    if turn["hand"]:
        raise Broken("MOVE-7")
    _close_window(state, "TURN-6")
    state["phase"] = "placing"
    state["placement"] = _new_placement(0)
    _owe(state, [state["active"]], "CAP-2" if tile_up(state, "cap") else "KNOW-3")
    if not state["owed"]:
        _after_the_limit(state)


def _after_the_limit(state: State) -> None:
    if state["readings"]["four_critical_check"] == "before_placement" and _four_critical(state):
        _over(state, "lost_critical")
        return
    _begin_placement(state)


# abilities


def _ability(state: State, verb: str, rest: list[str]) -> None:
    turn = state["turn"]
    parts = _parts(rest, ("to", "pay", "give", "remove", "fee"))
    pay, fee = parts["pay"], parts.get("fee", [])
    check = Checks()
    _check_ability(state, check, verb)
    if state["readings"]["ability_timing"] == "outside_sowing":
        check("ABIL-4", not turn["hand"])
    given = parts.get("give", [])
    _check_payment(state, check, pay + given, fee, True)
    {"harris": _harris, "junas": _junas, "linny": _linny, "violet": _violet}[verb](
        state, check, parts
    )


def _ability_done(state: State, paid: list[str]) -> None:
    _pay(state, state["active"], paid)
    state["turn"]["ability_used"] = True
    _something_else_was_done(state)


def _harris(state: State, check: Checks, parts: dict[str, list[str]]) -> None:
    worker, source = parts[""][0], int(parts[""][1])
    target = int(parts["to"][0])
    check("HAR-1", parts["pay"][0][0] == worker)
    check("HAR-2", source != target)
    if state["readings"]["harris_reach"] == "adjacent":
        check("HAR-2", target in (_next(source, 1), _next(source, -1)))
    check("HAR-3", worker in state["workers"][source])
    check.done()
    _ability_done(state, parts["pay"] + parts.get("fee", []))
    state["workers"][source].remove(worker)
    state["workers"][target].append(worker)
    _close_window(state, "HAR-4", *(["FIX-12"] if state["turn"]["built"] else []))
    state["turn"]["harris_to"] = [target]
    if state["turn"]["last_drop"] is not None:
        state["turn"]["harris_last"] = target


def _junas(state: State, check: Checks, parts: dict[str, list[str]]) -> None:
    pay, give, to = parts["pay"], parts.get("give", []), parts.get("to", [])
    giver = state["active"]
    check("JUN-4", bool(give))
    check("JUN-1", len(give) <= 2)
    check("JUN-1", len(to) <= 1)
    check("JUN-2", bool(to))
    for seat in to:
        check("JUN-2", seat != giver and seat in state["seats"])
    kinds = {token[0] for token in give}
    if state["readings"]["junas_type"] == "as_discarded":
        check("JUN-1", kinds <= {pay[0][0]})
    else:
        check("JUN-1", len(kinds) <= 1)
    check.done()
    _ability_done(state, pay + parts.get("fee", []))
    for token in give:
        state["knowledge"][giver].remove(token)
        state["knowledge"][to[0]].append(token)
    _owe(state, to, "JUN-3")


def _linny(state: State, check: Checks, parts: dict[str, list[str]]) -> None:
    token, at = _thing_at(parts["remove"][0])
    places = [m for m in MACHINES if token in state["tokens"][m]]
    if at is not None:
        places = [m for m in places if m == int(at)]
    paid_value = int(parts["pay"][0][1])
    check("LIN-1", bool(places))
    check(FORM, len(places) <= 1)
    for place in places:
        printed = state["readings"]["linny_value"] == "printed"
        check("LIN-1", paid_value == (int(token[1]) if printed else place))
    check.done()
    _ability_done(state, parts["pay"] + parts.get("fee", []))
    state["tokens"][places[0]].remove(token)
    state["discard"].append(token)
    _recover(state, places[0])


def _violet(state: State, check: Checks, parts: dict[str, list[str]]) -> None:
    pay = parts["pay"]
    check("VIO-1", len(pay) == 2 and pay[0][0] == pay[-1][0])
    check.done()
    _ability_done(state, pay + parts.get("fee", []))
    state["turn"]["violet"] = True


# what the table sees


def view(state: State) -> dict[str, Any]:
    return {
        "active": state["active"],
        "turn_number": state["turn_number"],
        "to_act": _to_act(state),
        "over": state["outcome"] is not None,
        "outcome": state["outcome"],
        "owed": dict(state["owed"]),
        "characters": dict(state["character"]),
        "knowledge": {seat: sorted(held) for seat, held in state["knowledge"].items()},
        "workers": {m: sorted(there) for m, there in state["workers"].items()},
        "hand": sorted(state["turn"]["hand"]),
        "may_fix": state["turn"]["window"] if state["phase"] == "turn" else None,
        "draws_left": _draws_left(state),
        "tokens": {m: sorted(there) for m, there in state["tokens"].items()},
        "spies": {m: sorted(there) for m, there in state["spies"].items()},
        "tiles": dict(state["tile"]),
        "up": dict(state["up"]),
        "sections": {m: sorted(there) for m, there in state["sections"].items()},
        "supply": sorted(state["supply"]),
        "discard_pile": sorted(state["discard"]),
        "unseen_spies": sorted(state["unseen"]),
        "returned_spies": list(state["returned"]),
    }


def _draws_left(state: State) -> int:
    """How many malfunctions are still to be placed after this turn, as far as is known."""
    placement = state["placement"]
    return int(placement["due"] - placement["placed"]) if state["phase"] == "placing" else 0


def _to_act(state: State) -> list[str]:
    """The players awaited; nobody, while the box decides or after the end."""
    if state["phase"] == "setup":
        return sorted(seat for seat, name in state["character"].items() if name is None)
    if state["owed"]:
        return sorted(state["owed"])
    return [state["active"]] if state["phase"] == "turn" else []
