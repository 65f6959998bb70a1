"""A second, naive Roundforest: plain dicts, ifs in the order of the rulebook, nothing shared.

``start`` opens a table, ``legal`` tells whether a line may be played and, where the model is
sure, which clause it breaks; ``play`` plays it, ``view`` shows what the table sees.

Lines are the scribe's English notation. Not modelled (``NotModelled`` is raised):

* tiles laid by their face; declared positions other than in phase START;
* observations that name a seat, a chip in play that names its tile;
* ``upper none`` where there is no object to be given; silver for the free row where the table
  pays silver whenever it likes; a prince's gift that is not named;
* an exchange with the tile for a pack that is not full, a ride without effect to the spirit, a
  ride to an object where a full pack keeps out, a coin token replaced that a character wants;
* audits, notes, and the values of readings that ``READINGS`` does not list
  (``unicorn_same_tile=yes``, ``saddle_order=after``, ``yellow_nowhere=own_tile``).

The clause is compared wherever a rule itself is broken. What is played at the wrong moment is
only said to be illegal, save for the end, an unfinished set-up, a spirit that is due, and the
turn of somebody else.
"""

from __future__ import annotations

import copy
import itertools
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

READINGS: dict[str, tuple[str, ...]] = {
    "first_turn_pause": ("forbid", "allow"),
    "pass_over": ("allow", "forbid_pawn"),
    "compass_scope": ("landing", "each_symbol"),
    "garnish_wells": ("no", "yes"),
    "garnish_over_chip": ("none", "replace"),
    "unicorn_garnish": ("yes", "no"),
    "unicorn_same_tile": ("no",),
    "unicorn_spirit": ("wins", "needs_saddle"),
    "saddle_at_well": ("yes", "no"),
    "coin_needs_slot": ("yes", "no"),
    "coin_later": ("no", "own_turn"),
    "yellow_nowhere": ("bag", "red"),
    "yellow_under_pawn": ("allow", "forbid"),
    "own_left_object": ("anyone", "others_only"),
    "full_pack": ("no_discard", "swap_on_tile"),
    "fairy_silver": ("insufficient", "none_at_all", "always"),
    "fairy_short": ("leave", "use_aside"),
    "chip_refill": ("immediate", "when_needed"),
    "friendly_second": ("kept", "returned"),
    "hostile_objects": ("returned", "kept_if_silent"),
    "apple_for_other": ("no", "yes"),
    "chest_timing": ("own_turn", "start_or_end"),
    "spirit_timing": ("immediate", "end_of_turn"),
    "spirit_card": ("leaves", "stays"),
    "spirit_under_pawn": ("allow", "forbid"),
    "block_gaps": ("enclosed", "with_edge"),
    "block_removed": ("pack", "bag"),
    "block_end": ("always", "after_action"),
    "corners_2p": ("any", "opposite"),
    "object_tile_full": ("enter", "no_entry"),
    "prince_must": ("yes", "no"),
    "saddle_order": ("before",),
    "unicorn_character": ("forbid", "allow_no_effect"),
    "spirit_card_met": ("wins", "token_only"),
    "turn_end": ("silence", "spoken"),
}
"""The values that are modelled, the default first."""

COLOURS = ("blue", "yellow", "red")
ROWS = ("bottom", "middle", "top")
FACINGS = "nesw"
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""North, east, south, west."""
HEAVY = ("anvil", "barrel", "stone", "saddle", "chest")
COINS = {"copper_token": "copper", "silver_token": "silver"}
ALTRUISTS = ("prince", "unicorn", "merchant", "goblin", "beggar", "spirit")
MISSIONS: dict[str, dict[str, dict[str, Any]]] = {
    "smith": {
        "upper": {"give": ["anvil"], "reward": "sword", "clause": "RND-SMI-1"},
        "lower": {"give": ["anvil"], "have": ["sword"], "clause": "RND-SMI-3"},
    },
    "innkeeper": {
        "upper": {"give": ["barrel"], "reward": "potion", "clause": "RND-INN-1"},
        "lower": {"give": ["barrel"], "have": ["potion"], "clause": "RND-INN-2"},
    },
    "sculptor": {
        "upper": {"give": ["stone"], "reward": "cross", "clause": "RND-SCU-1"},
        "lower": {"give": ["stone"], "have": ["cross"], "clause": "RND-SCU-2"},
    },
    "witch": {
        "upper": {"give": ["cross"], "silent": True, "clause": "RND-WIT-1"},
        "lower": {"give": ["cross", "potion"], "clause": "RND-WIT-2"},
    },
    "bandit": {
        "upper": {"copper": 2, "clause": "RND-BAN-1"},
        "lower": {"copper": 2, "give": ["sword"], "clause": "RND-BAN-2"},
    },
    "demon": {
        "upper": {"silver": 1, "clause": "RND-DEM-1"},
        "lower": {"silver": 1, "give": ["cross"], "silent": True, "clause": "RND-DEM-2"},
    },
}
CHARACTERS = (*MISSIONS, *ALTRUISTS)
FAIRY_COST = {"bottom": 0, "middle": 1, "top": 2}
OBSERVATIONS = ("tile", "chip", "fairy", "draw", "meet", "position")
DECISIONS = {
    "START": ("move", "pause"),
    "OBJ": ("keep", "leave", "barter"),
    "PUT": ("put",),
    "PRINCE": ("keep", "leave"),
    "WELL": ("well",),
    "END": ("end",),
    "CHAR": (
        *("upper", "lower", "apple", "decline", "prince", "unicorn"),
        *("sell", "buy", "goblin", "beggar", "ring"),
    ),
}
OBSERVED = {"GARNISH": "chip", "DRAW": "draw", "DRAW3": "draw", "REFILL": "fairy", "MEET": "meet"}
USED_BY = {
    **dict.fromkeys(("upper", "lower", "apple"), tuple(MISSIONS)),
    **{name: (name,) for name in ("prince", "unicorn", "goblin", "beggar")},
    "sell": ("merchant",),
    "buy": ("merchant",),
    "ring": ("spirit",),
}

State = dict[str, Any]


class Broken(Exception):
    """A line that may not be played; the clause, if the model is sure of it."""

    def __init__(self, clause: str | None = None) -> None:
        super().__init__(clause)
        self.clause = clause


class NotModelled(Exception):
    """A line that the model does not judge."""


def need(condition: object, clause: str | None = None) -> None:
    if not condition:
        raise Broken(clause)


# what may be asked of the model


def start(line: str, kit: Mapping[str, Any]) -> State:
    """The table as its opening line says, with an empty forest."""
    words = line.split()
    need(words.pop(0) == "table")
    readings = {name: values[0] for name, values in READINGS.items()}
    if "readings" in words:
        at = words.index("readings")
        for pair in words[at + 1 :]:
            name, _, value = pair.partition("=")
            if value not in READINGS[name]:
                raise NotModelled(pair)
            readings[name] = value
        words = words[:at]
    places = dict(word.split("=") for word in words if "=" in word)
    need(2 <= len(places) <= 4, "RND-SET-1")
    board = kit["boards"]["2" if len(places) == 2 else "3-4"]
    columns, rows = board["columns"], board["rows"]
    objects = Counter(
        {thing: count for thing, count in kit["objects"]["count"].items() if type(count) is int}
    )
    if "hard" in words:
        del objects["silver_token"]
    players = {}
    for seat, place in places.items():
        colour, corner = place.split("@")
        need(colour in kit["colours"] and corner in board["corners"], "RND-SET-8")
        players[seat] = {
            "colour": colour,
            "corner": corner,
            "pos": "pack",
            "pack": [],
            "debts": [],
            "copper": 0,
            "silver": 0,
            "apples": 0,
            "compasses": 2,
        }
    corners = [player["corner"] for player in players.values()]
    need(len(set(corners)) == len(corners), "RND-SET-8")
    need(len({player["colour"] for player in players.values()}) == len(corners), "RND-SET-8")
    if readings["corners_2p"] == "opposite" and len(corners) == 2:
        need(all(a != b for a, b in zip(*corners, strict=True)), "RND-SET-8")
    return {
        "seats": list(places),
        "readings": readings,
        "hard": "hard" in words,
        "blocking": "blocking" in words,
        "columns": columns,
        "rows": rows,
        "wells": list(board["wells"]),
        "corners": list(board["corners"]),
        "cells": [
            f"{column}{row}"
            for column in columns
            for row in range(1, rows + 1)
            if f"{column}{row}" not in board["corners"]
        ],
        "faces": {
            tile: face.split("/")
            for kind in ("plain", "well")
            for tile, face in kit["faces"][kind].items()
            if tile[0] in "FW" and tile[1:].isdigit()
        },
        "turns": dict(kit["turns"]),
        "players": players,
        "tiles": {},
        "facing": {},
        "content": {},
        "left_by": {},
        "gaps": {},
        "fairy": {},
        "beside": [],
        "black": Counter({colour: kit["chips"][colour] for colour in COLOURS}),
        "aside": Counter(),
        "objects": dict(objects),
        "blue": objects,
        "deck": sorted(CHARACTERS),
        "face_up": [],
        "card": None,
        "drawn": False,
        "held": [],
        "supply": {"copper": 24, "silver": 12, "apples": 12},
        "active": words[words.index("first") + 1],
        "actor": None,
        "last": None,
        "phase": "SETUP",
        "left": None,
        "after": "arrive",
        "chip": None,
        "saddled": False,
        "exchange": False,
        "block_used": False,
        "ended_by": None,
        "placer": None,
        "winner": None,
    }


def legal(state: State, line: str) -> tuple[bool, str | None]:
    """Whether the line may be played, and the clause it breaks where the model is sure."""
    try:
        play(state, line)
    except Broken as broken:
        return False, broken.clause
    return True, None


def play(state: State, line: str) -> State:
    """The table after the line; ``Broken`` if it may not be played."""
    s = _copied(state)
    words = line.split(maxsplit=1) if line.startswith("position ") else line.split()
    seat = words.pop(0) if words[0] in s["seats"] else None
    verb, args = words[0], words[1:]
    if verb in OBSERVATIONS and seat is not None:
        raise NotModelled("an observation with a seat")
    if _is_over_already(s, seat, verb):
        s["actor"] = None
        return s
    if _goes_on(s, seat, verb):
        return _gone_on(s, line)
    by = seat or (s["active"] if _is_owed(s, verb) else s["actor"])
    _may_be_said_now(s, by, verb, args)
    said = s["placer"] or s["active"]
    _DO[verb](s, args)
    if verb not in OBSERVATIONS:
        s["actor"] = None if verb == "end" else said
    _settle(s)
    return s


EXTRAS = ("open", "block", "unblock", "coin")


def _is_owed(s: State, verb: str) -> bool:
    due = ("spirit",) if s["placer"] else (*DECISIONS.get(s["phase"], ()), *EXTRAS)
    return verb in due


def _is_over_already(s: State, seat: str | None, verb: str) -> bool:
    """Whether whoever acted last only says that the turn is over."""
    if verb != "end" or s["actor"] is None or s["phase"] not in DECISIONS:
        return False
    said = seat or (None if _is_owed(s, verb) else s["actor"])
    return said == s["actor"] and said not in (s["placer"], s["active"])


def _goes_on(s: State, seat: str | None, verb: str) -> bool:
    """Whether the next player acts while nobody has ended the turn."""
    if s["phase"] != "END" or s["placer"] or s["readings"]["turn_end"] != "silence":
        return False
    if seat is None:
        return verb in ("move", "pause")
    seats = s["seats"]
    following = seats[(seats.index(s["active"]) + 1) % len(seats)]
    return bool(seat == following) and verb in ("move", "pause", *EXTRAS)


def _gone_on(s: State, line: str) -> State:
    try:
        return play(play(s, "end"), line)
    except Broken as broken:
        raise Broken(
            None if any(f" {verb}" in line for verb in EXTRAS) else broken.clause
        ) from None


def view(s: State) -> dict[str, Any]:
    """What everybody sees, in an order of its own."""
    return {
        "players": {
            seat: {
                **{key: player[key] for key in ("pos", "copper", "silver", "apples", "compasses")},
                "pack": sorted(player["pack"]),
                "debts": sorted(player["debts"]),
            }
            for seat, player in s["players"].items()
        },
        "tiles": {
            cell: f"{tile} {FACINGS[s['facing'][cell]]}" for cell, tile in s["tiles"].items()
        },
        "content": dict(s["content"]),
        "gaps": dict(s["gaps"]),
        "fairy": {row: sorted(s["fairy"].get(row, [])) for row in ROWS},
        "beside": sorted(s["beside"]),
        "black": dict(+s["black"]),
        "aside": dict(+s["aside"]),
        "blue": dict(+s["blue"]),
        "deck": sorted(s["deck"]),
        "face_up": sorted(s["face_up"]),
        "card": s["card"] if s["drawn"] else None,
        "held": sorted(s["held"]),
        "supply": dict(s["supply"]),
        "active": s["active"],
        "to_act": s["placer"] if s["placer"] else s["active"],
        "phase": "SPIRIT" if s["placer"] else s["phase"],
        "winner": s["winner"],
    }


def _copied(state: State) -> State:
    s = dict(state)
    for key in _CHANGING:
        s[key] = state[key].copy()
    s["fairy"] = {row: list(things) for row, things in state["fairy"].items()}
    s["players"] = {
        seat: {**player, "pack": list(player["pack"]), "debts": list(player["debts"])}
        for seat, player in state["players"].items()
    }
    return s


_CHANGING = (
    *("tiles", "facing", "content", "left_by", "gaps", "supply"),
    *("black", "aside", "blue", "beside", "deck", "face_up", "held"),
)


# whose moment it is


def _may_be_said_now(s: State, seat: str | None, verb: str, args: list[str]) -> None:
    need(s["phase"] != "OVER", "RND-END-5")
    if s["phase"] == "SETUP":
        _may_be_set_up_now(s, verb)
        return
    if verb in ("tile", "position"):
        raise NotModelled("set-up in the middle of a game")
    if s["placer"]:
        need(verb == "spirit", "RND-SPI-2")
        several = sum(_qualified(player) for player in s["players"].values()) > 1
        need(seat in (None, s["placer"]), "RND-SPI-8" if several else "RND-SPI-2")
        return
    if verb in OBSERVATIONS:
        need(OBSERVED.get(s["phase"]) == verb)
        return
    if seat not in (None, s["active"]):
        if seat == s["last"] or verb in ("spirit", "coin", "end"):
            raise Broken
        raise Broken("RND-SET-16" if verb in ("move", "pause") else "RND-TURN-6")
    if verb in ("block", "unblock"):
        need(s["blocking"], "RND-BLOCK-1")
        need(_me(s)["pos"] != "pack", "RND-BLOCK-11")
        in_time = s["phase"] in ("START", "END") and _is_block_time(s)
        need(in_time, None if s["block_used"] else "RND-BLOCK-7")
        return
    if verb == "open" or (verb == "coin" and s["readings"]["coin_later"] == "own_turn"):
        need(s["phase"] in DECISIONS)
        return
    need(verb in DECISIONS.get(s["phase"], ()))


def _may_be_set_up_now(s: State, verb: str) -> None:
    if verb == "position":
        if s["tiles"]:
            raise NotModelled("a position in the middle of the set-up")
        return
    if len(s["tiles"]) < len(s["cells"]):
        need(verb == "tile", "RND-SET-3" if len(s["seats"]) == 2 else "RND-SET-2")
    elif len(s["content"]) < len(s["cells"]) - 4:
        if verb == "tile":
            raise Broken
        need(verb == "chip", "RND-SET-10")
    else:
        if verb in ("tile", "chip"):
            raise Broken
        need(verb == "fairy", "RND-SET-13")


def _settle(s: State) -> None:
    """Whatever follows without anybody's doing."""
    if s["phase"] in ("SETUP", "OVER"):
        return
    if s["readings"]["spirit_timing"] == "immediate" and _call_spirit(s):
        return
    if s["phase"] == "ARRIVE":
        _arrive(s)
    if s["phase"] == "PUT" and not _put_targets(s):
        s["blue"][s["held"].pop()] += 1
        s["phase"] = "END"
    found = _kind(s["content"].get(_me(s)["pos"])) == "object"
    if s["phase"] == "OBJ" and not s["held"] and not found:
        s["phase"] = "END"
    if s["phase"] == "END" and s["exchange"]:
        s.update(phase="WELL", exchange=False)
    if s["phase"] == "END" and _call_spirit(s):
        return
    if s["phase"] == "END" and not _something_is_left(s):
        s["phase"] = "PASS"
    if s["phase"] == "PASS":
        _pass_turn(s)


def _call_spirit(s: State) -> bool:
    """Whether somebody must place the spirit before play goes on."""
    if "spirit" in s["content"].values() or s["card"] == "spirit":
        return False
    ready = [seat for seat in s["seats"] if _qualified(s["players"][seat])]
    if not ready:
        return False
    s["placer"] = _left_of(s, ready[0] if len(ready) == 1 else s["active"])
    return True


def _something_is_left(s: State) -> bool:
    me = _me(s)
    if {"chest", "key"} <= set(me["pack"]) and s["supply"]["apples"]:
        return True
    if s["readings"]["coin_later"] == "own_turn":
        for token, coin in COINS.items():
            if token in me["pack"] and s["supply"][coin]:
                return True
    if not s["blocking"] or me["pos"] == "pack" or not _is_block_time(s) or s["block_used"]:
        return False
    beside = _gaps_of(s, me["pos"])
    heavy = any(thing in HEAVY for thing in me["pack"])
    if heavy and any(gap not in s["gaps"] for gap in beside):
        return True
    return any(gap in s["gaps"] and _removable(s, s["gaps"][gap]) for gap in beside)


def _is_block_time(s: State) -> bool:
    always = s["readings"]["block_end"] == "always"
    return bool(s["phase"] == "START" or always or s["ended_by"] == "move")


def _pass_turn(s: State) -> None:
    s["last"], s["active"] = s["active"], _left_of(s, s["active"])
    s.update(
        phase="START",
        left=None,
        block_used=False,
        ended_by=None,
        chip=None,
        saddled=False,
        exchange=False,
    )


# small questions


def _me(s: State) -> dict[str, Any]:
    player: dict[str, Any] = s["players"][s["active"]]
    return player


def _left_of(s: State, seat: str) -> str:
    at = s["seats"].index(seat)
    following: str = s["seats"][(at + 1) % len(s["seats"])]
    return following


def _qualified(player: Mapping[str, Any]) -> bool:
    return player["apples"] >= 3 and not player["debts"]


def _room(player: Mapping[str, Any], thing: str) -> bool:
    if len(player["pack"]) >= 3:
        return False
    return thing not in HEAVY or not any(carried in HEAVY for carried in player["pack"])


def _at(s: State, cell: str) -> tuple[int, int]:
    return s["columns"].find(cell[0]), int(cell[1:])


def _pawns(s: State) -> list[str]:
    return [player["pos"] for player in s["players"].values()]


def _kind(thing: str | None) -> str | None:
    """What may lie on a tile: a chip, a character or an object."""
    if thing is None:
        return None
    if thing in COLOURS:
        return "chip"
    return "character" if thing in CHARACTERS else "object"


def _mission_is_met(player: Mapping[str, Any], mission: Mapping[str, Any]) -> bool:
    asked = Counter([*mission.get("give", ()), *mission.get("have", ())])
    return (
        asked <= Counter(player["pack"])
        and player["copper"] >= mission.get("copper", 0)
        and player["silver"] >= mission.get("silver", 0)
    )


def _usable(s: State, player: Mapping[str, Any], character: str) -> bool:
    """Whether something can be done with a character that is arrived at."""
    if character in MISSIONS:
        if any(_mission_is_met(player, mission) for mission in MISSIONS[character].values()):
            return True
        may = character in player["debts"] or s["readings"]["apple_for_other"] == "yes"
        return bool(may and player["apples"] >= 1)
    if character == "prince":
        return len(player["pack"]) < 3 and s["blue"].total() > 0
    if character == "merchant":
        sells = bool(player["pack"]) and s["supply"]["copper"] >= 1
        return bool(sells or (player["silver"] >= 1 and s["supply"]["apples"] >= 1))
    if character == "goblin":
        return any(
            _swap_fits(player, taken, given)
            for given in player["pack"]
            for taken in +s["blue"]
            if taken not in COINS
        )
    if character == "beggar":
        return player["copper"] >= 1 and bool(s["deck"])
    if character == "spirit":
        return _qualified(player)
    return True


def _swap_fits(player: Mapping[str, Any], taken: str, given: str) -> bool:
    after = list(player["pack"])
    after.remove(given)
    return sum(thing in HEAVY for thing in [*after, taken]) <= 1


def _turn_tile(s: State, cell: str) -> None:
    if any(gap in s["gaps"] for gap in _gaps_of(s, cell)):
        return
    quarters = 1 if s["turns"][s["tiles"][cell]] == "cw" else 3
    s["facing"][cell] = (s["facing"][cell] + quarters) % 4


def _symbols(s: State, cell: str, direction: int) -> str:
    pair: str = s["faces"][s["tiles"][cell]][(direction - s["facing"][cell]) % 4]
    return pair


# set-up


def _do_tile(s: State, args: list[str]) -> None:
    if "/" in args[1]:
        raise NotModelled("a tile laid by its face")
    cell, tile, facing = args
    many = "RND-SET-3" if len(s["seats"]) == 2 else "RND-SET-2"
    need(cell in s["cells"] and cell not in s["tiles"], many)
    need(tile in s["faces"])
    need(tile not in s["tiles"].values(), "RND-SET-4")
    need((cell in s["wells"]) == tile.startswith("W"), "RND-SET-5")
    need(facing in FACINGS, "RND-SET-6")
    _lay(s, cell, tile, facing)


def _lay(s: State, cell: str, tile: str, facing: str) -> None:
    s["tiles"][cell] = tile
    s["facing"][cell] = FACINGS.index(facing)


def _do_chip(s: State, args: list[str]) -> None:
    if s["phase"] == "SETUP":
        need(len(args) == 2)
        cell, colour = args
        need(cell not in s["wells"], "RND-SET-11")
        need(cell in s["cells"] and cell not in s["content"])
        need(s["black"][colour])
        s["black"][colour] -= 1
        s["content"][cell] = colour
        return
    if len(args) != 1:
        raise NotModelled("a chip with its tile in play")
    colour = args[0]
    need(s["black"][colour], "RND-GARN-7")
    s["black"][colour] -= 1
    s["content"][s["left"]] = colour
    if s["readings"]["chip_refill"] == "immediate":
        _refill_black_bag(s)
    s["phase"] = "ARRIVE" if s["after"] == "arrive" else "END"


def _refill_black_bag(s: State) -> None:
    if not s["black"].total():
        s["black"], s["aside"] = s["aside"], Counter()


def _do_fairy(s: State, args: list[str]) -> None:
    row, things = args[0], args[1:]
    if s["phase"] == "SETUP":
        need(row not in s["fairy"], "RND-SET-13")
        need(len(things) == 3, "RND-SET-13")
        _draw_from_bag(s, things)
        s["fairy"][row] = things
        if len(s["fairy"]) == 3:
            s["phase"] = "START"
        return
    need(row == "top")
    in_bag = s["blue"].total()
    if s["readings"]["fairy_short"] == "use_aside" and in_bag < 3:
        need(len(things) == min(3, in_bag + len(s["beside"])))
        rest = Counter(things) - s["blue"]
        need(len(things) - rest.total() == in_bag)
        need(rest <= Counter(s["beside"]))
        s["beside"] = list((Counter(s["beside"]) - rest).elements())
        s["blue"] = Counter()
    else:
        need(len(things) == min(3, in_bag), "RND-FAIRY-9" if in_bag >= 3 else "RND-FAIRY-12")
        need(not any(s["blue"][t] < n and t in s["beside"] for t, n in Counter(things).items()))
        _draw_from_bag(s, things)
    s["fairy"]["top"] = things
    s["blue"].update(s["beside"])
    s["beside"] = []
    s["phase"] = "END"


def _draw_from_bag(s: State, things: list[str]) -> None:
    need(not (s["hard"] and "silver_token" in things), "RND-SET-12")
    for thing in things:
        need(s["blue"][thing], "RND-LOG-1")
        s["blue"][thing] -= 1


def _do_position(s: State, args: list[str]) -> None:
    """A position that is known to be possible: the bags, the deck and the supply follow from it."""
    told = json.loads(args[0])
    if told.get("phase", "START") != "START":
        raise NotModelled("a position within a turn")
    for cell, tile in told["tiles"].items():
        _lay(s, cell, *tile.split())
    s["content"], s["gaps"] = dict(told["content"]), dict(told.get("gaps", {}))
    s["fairy"] = {row: list(things) for row, things in told["fairy"].items()}
    s["aside"] = Counter(told.get("aside_chips", {}))
    s["black"] -= s["aside"]
    out: list[str] = [*s["gaps"].values(), *(t for row in s["fairy"].values() for t in row)]
    for thing in s["content"].values():
        if _kind(thing) == "chip":
            s["black"][thing] -= 1
        elif _kind(thing) == "object":
            out.append(thing)
        else:
            s["deck"].remove(thing)
            if thing in ALTRUISTS:
                s["face_up"].append(thing)
    for seat, place in told["players"].items():
        s["players"][seat].update(copy.deepcopy(place))
        out += s["players"][seat]["pack"]
        for money in s["supply"]:
            s["supply"][money] -= s["players"][seat][money]
    s["blue"] -= Counter(out)
    s["active"], s["phase"] = told["active"], "START"


# moving


def _do_move(s: State, args: list[str]) -> None:
    me, target, compass = _me(s), args[0], args[1:] == ["compass"]
    need(target not in s["corners"], "RND-MOVE-3")
    need(target in s["cells"], "RND-MOVE-11")
    first = me["pos"] == "pack"
    distance, direction = 0, None
    if first:
        need(target in _bordering(s, me["corner"]), "RND-MOVE-1")
    else:
        (x, y), (to_x, to_y) = _at(s, me["pos"]), _at(s, target)
        for number, (east, north) in enumerate(STEPS):
            for steps in (1, 2):
                if (x + steps * east, y + steps * north) == (to_x, to_y):
                    distance, direction = steps, number
        need(direction is not None, "RND-MOVE-4")
    need(target not in _pawns(s), "RND-MOVE-12")
    _may_enter(s, me, target)
    if first:
        need(not compass)
    else:
        assert direction is not None
        me["compasses"] -= _compasses_needed(s, me, direction, distance, compass)
    left = None if first else me["pos"]
    me["pos"] = target
    s["ended_by"] = "move"
    _land(s, left, "arrive", garnish=True)


def _bordering(s: State, corner: str) -> list[str]:
    x, y = _at(s, corner)
    return [cell for cell in s["cells"] if abs(_at(s, cell)[0] - x) + abs(_at(s, cell)[1] - y) == 1]


def _may_enter(s: State, me: Mapping[str, Any], target: str) -> None:
    lying = s["content"].get(target)
    if _kind(lying) == "character":
        need(_usable(s, me, lying), "RND-END-2" if lying == "spirit" else "RND-CHAR-14")
    if _kind(lying) == "object" and s["readings"]["object_tile_full"] == "no_entry":
        need(len(me["pack"]) < 3, "RND-MOVE-14")


def _compasses_needed(
    s: State, me: Mapping[str, Any], direction: int, distance: int, compass: bool
) -> int:
    inner, outer = (symbol == "1" for symbol in _symbols(s, me["pos"], direction))
    if distance == 2 and inner and s["readings"]["pass_over"] == "forbid_pawn":
        x, y = _at(s, me["pos"])
        east, north = STEPS[direction]
        between = f"{s['columns'][x + east]}{y + north}"
        need(between not in _pawns(s))
    white = inner if distance == 1 else outer
    if not compass:
        need(white, "RND-MOVE-5" if distance == 1 else "RND-MOVE-6")
        return 0
    need(me["compasses"], "RND-CMP-4")
    need(not white, "RND-CMP-5")
    twice = distance == 2 and not inner and s["readings"]["compass_scope"] == "each_symbol"
    spent = 2 if twice else 1
    need(me["compasses"] >= spent, "RND-CMP-4" if spent == 1 else None)
    return spent


def _land(s: State, left: str | None, after: str, *, garnish: bool) -> None:
    """The tile reached turns; then the win, the tile left, and the action."""
    me = _me(s)
    _turn_tile(s, me["pos"])
    s["left"], s["after"] = left, after
    if s["content"].get(me["pos"]) == "spirit" and _qualified(me):
        _win(s)
        return
    s["phase"] = "ARRIVE" if after == "arrive" else "END"
    if not garnish or left is None:
        return
    if left in s["wells"] and s["readings"]["garnish_wells"] == "no":
        return
    lying = s["content"].get(left)
    replaces = _kind(lying) == "chip" and s["readings"]["garnish_over_chip"] == "replace"
    if replaces:
        s["aside"][s["content"].pop(left)] += 1
    if lying is None or replaces:
        s["phase"] = "GARNISH"
        _refill_black_bag(s)


def _win(s: State) -> None:
    _me(s)["apples"] -= 3
    s["supply"]["apples"] += 3
    s.update(winner=s["active"], phase="OVER")


def _do_pause(s: State, args: list[str]) -> None:
    me = _me(s)
    if me["pos"] == "pack":
        if s["readings"]["first_turn_pause"] == "forbid":
            need(all(not _could_land(s, me, c) for c in _bordering(s, me["corner"])), "RND-MOVE-2")
    else:
        _turn_tile(s, me["pos"])
    s.update(phase="END", ended_by="pause")


def _could_land(s: State, me: Mapping[str, Any], cell: str) -> bool:
    if cell in _pawns(s):
        return False
    try:
        _may_enter(s, me, cell)
    except Broken:
        return False
    return True


def _do_end(s: State, args: list[str]) -> None:
    s["phase"] = "PASS"


# arriving


def _arrive(s: State) -> None:
    cell = _me(s)["pos"]
    lying = s["content"].get(cell)
    s["phase"] = "END"
    only_tokens = s["saddled"] and s["readings"]["saddle_at_well"] == "no"
    s["exchange"] = cell in s["wells"] and not only_tokens
    if _kind(lying) == "character":
        s.update(phase="CHAR", card=lying, drawn=False)
    elif _kind(lying) == "object":
        s.update(phase="OBJ", chip=None)
    elif lying is not None:
        del s["content"][cell]
        s["aside"][lying] += 1
        s["chip"] = lying
        if lying == "red":
            s["phase"] = "MEET" if s["deck"] else "END"
        else:
            s["phase"] = "DRAW" if s["blue"].total() else "END"


def _do_draw(s: State, args: list[str]) -> None:
    wanted = 1 if s["phase"] == "DRAW" else min(3, s["blue"].total())
    need(len(args) == wanted)
    _draw_from_bag(s, args)
    s["held"] = list(args)
    if s["phase"] == "DRAW3":
        s["phase"] = "PRINCE"
    else:
        s["phase"] = "OBJ" if s["chip"] == "blue" else "PUT"


def _do_keep(s: State, args: list[str]) -> None:
    words = list(args)
    if "for" in words:
        _swap_on_tile(s, words)
        return
    coin = "coin" in words
    if coin:
        words.remove("coin")
    me = _me(s)
    if s["phase"] == "PRINCE":
        if not words:
            raise NotModelled("a prince's gift that is not named")
        need(words[0] in s["held"], "RND-PRI-1")
        _check_keeping(s, words[0], coin, "RND-PRI-1", "RND-PRI-1")
        s["held"].remove(words[0])
        s["blue"].update(s["held"])
        _store(s, me, words[0], coin)
    else:
        found = not s["held"]
        thing = s["content"][me["pos"]] if found else s["held"][0]
        _is_in_question(s, words)
        if found:
            _is_not_own(s, me["pos"])
        _check_keeping(
            *(s, thing, coin),
            full="RND-OBJ-3" if found else "RND-BLUE-3",
            heavy="RND-OBJ-2" if found else "RND-BLUE-3",
        )
        if found:
            _pick_up(s, me["pos"])
        _store(s, me, thing, coin)
    s["held"] = []
    s["phase"] = "END"


def _swap_on_tile(s: State, words: list[str]) -> None:
    """The new object into the pack, one of the pack onto the tile."""
    need(s["readings"]["full_pack"] == "swap_on_tile")
    me = _me(s)
    if s["phase"] == "PRINCE" or words[0] != "for" or len(words) > 2 or len(me["pack"]) < 3:
        raise NotModelled("an exchange with the tile other than for a full pack")
    thing = s["held"][0] if s["held"] else s["content"][me["pos"]]
    need(words[1] in me["pack"])
    me["pack"].remove(words[1])
    need(_room(me, thing))
    me["pack"].append(thing)
    s["content"][me["pos"]] = words[1]
    s["left_by"][me["pos"]] = s["active"]
    s["held"] = []
    s["phase"] = "END"


def _check_keeping(s: State, thing: str, coin: bool, full: str, heavy: str) -> None:
    me = _me(s)
    needs_slot = not coin or s["readings"]["coin_needs_slot"] == "yes" or thing not in COINS
    if needs_slot and len(me["pack"]) >= 3:
        raise Broken(full if not coin else "RND-COIN-3" if thing in COINS else None)
    if needs_slot and not _room(me, thing):
        raise Broken(None if coin else heavy)
    _check_coin(s, thing, coin)


def _check_coin(s: State, thing: str, coin: bool) -> None:
    if coin:
        need(thing in COINS, "RND-COIN-1")
        need(s["supply"][COINS[thing]], "RND-COIN-6")


def _store(s: State, me: dict[str, Any], thing: str, coin: bool) -> None:
    if not coin:
        me["pack"].append(thing)
        return
    s["blue"][thing] += 1
    s["supply"][COINS[thing]] -= 1
    me[COINS[thing]] += 1


def _do_coin(s: State, args: list[str]) -> None:
    me, thing = _me(s), args[0]
    need(thing in COINS and thing in me["pack"])
    need(s["supply"][COINS[thing]], "RND-COIN-6")
    me["pack"].remove(thing)
    _store(s, me, thing, coin=True)
    if s["phase"] == "CHAR" and not s["drawn"] and not _usable(s, me, s["card"]):
        raise NotModelled("a token replaced that the character would have taken")


def _is_not_own(s: State, cell: str) -> None:
    if s["readings"]["own_left_object"] == "others_only":
        need(s["left_by"].get(cell) != s["active"], "RND-BLUE-5")


def _pick_up(s: State, cell: str) -> None:
    del s["content"][cell]
    s["left_by"].pop(cell, None)


def _is_in_question(s: State, named: list[str]) -> None:
    """Whoever names an object names the one drawn, or the one that lies on the tile reached."""
    if not named:
        return
    need(named[0] in (s["held"] or [s["content"].get(_me(s)["pos"])]))
    raise NotModelled("the only object, named")


def _do_leave(s: State, args: list[str]) -> None:
    me = _me(s)
    _is_in_question(s, args)
    if s["phase"] == "PRINCE":
        if s["readings"]["prince_must"] == "yes":
            need(not any(_room(me, thing) for thing in s["held"]), "RND-PRI-3")
        s["blue"].update(s["held"])
    elif s["held"]:
        s["content"][me["pos"]] = s["held"][0]
        s["left_by"][me["pos"]] = s["active"]
    s["held"] = []
    s["phase"] = "END"


def _do_barter(s: State, args: list[str]) -> None:
    row, wanted, flags = args[0], args[1], args[2:]
    me, silver, coin = _me(s), "silver" in flags, "coin" in flags
    found = not s["held"]
    if found:
        _is_not_own(s, me["pos"])
    need(wanted in s["fairy"][row], "RND-FAIRY-3")
    needs_slot = not coin or s["readings"]["coin_needs_slot"] == "yes" or wanted not in COINS
    if needs_slot and len(me["pack"]) >= 3:
        raise Broken(None if coin else "RND-OBJ-3" if found else "RND-BLUE-6")
    if needs_slot:
        need(_room(me, wanted), "RND-FAIRY-6")
    cost = FAIRY_COST[row]
    if silver:
        rule = s["readings"]["fairy_silver"]
        if rule == "always" and not cost:
            raise NotModelled("silver for the free row")
        allowed = {
            "insufficient": me["copper"] < cost,
            "none_at_all": cost > 0 and me["copper"] == 0,
            "always": True,
        }
        need(me["silver"] >= 1 and allowed[rule], "RND-FAIRY-5")
        me["silver"] -= 1
        s["supply"]["silver"] += 1
    else:
        need(me["copper"] >= cost, "RND-FAIRY-4")
        me["copper"] -= cost
        s["supply"]["copper"] += cost
    _check_coin(s, wanted, coin)
    if found:
        s["blue"][s["content"][me["pos"]]] += 1
        _pick_up(s, me["pos"])
    else:
        s["blue"][s["held"][0]] += 1
    s["held"] = []
    _store(s, me, wanted, coin)
    s["fairy"][row].remove(wanted)
    s["beside"] = s["fairy"][row]
    above = [*ROWS[ROWS.index(row) :], None]
    for lower, upper in itertools.pairwise(above):
        s["fairy"][lower] = s["fairy"][upper] if upper else []
    s["phase"] = "REFILL"


def _put_targets(s: State) -> list[str]:
    free = s["readings"]["yellow_under_pawn"] == "allow"
    colours = ["yellow", "blue"]
    if s["readings"]["yellow_nowhere"] == "red":
        colours.append("red")
    for colour in colours:
        cells = [
            cell
            for cell, lying in s["content"].items()
            if lying == colour and (free or cell not in _pawns(s))
        ]
        if cells:
            return cells
    return []


def _do_put(s: State, args: list[str]) -> None:
    targets = _put_targets(s)
    colour = s["content"][targets[0]]
    clause = {"yellow": "RND-YEL-3", "blue": "RND-YEL-6"}.get(colour)
    need(args[0] in targets, clause)
    _is_in_question(s, args[1:])
    s["aside"][colour] += 1
    s["content"][args[0]] = s["held"].pop()
    s["phase"] = "END"


# characters


def _do_meet(s: State, args: list[str]) -> None:
    need(args[0] in s["deck"], "RND-RED-2")
    s["deck"].remove(args[0])
    s.update(phase="CHAR", card=args[0], drawn=True)


def _is_their_verb(s: State, verb: str) -> None:
    need(s["card"] in USED_BY[verb], "RND-CHAR-1")


def _card_goes_back(s: State) -> None:
    """The card into the deck, from wherever it lay; the token beside it."""
    card = s["card"]
    for player in s["players"].values():
        if card in player["debts"]:
            player["debts"].remove(card)
    if card in s["face_up"]:
        s["face_up"].remove(card)
    for cell, lying in list(s["content"].items()):
        if lying == card:
            del s["content"][cell]
    s["deck"].append(card)
    s.update(card=None, drawn=False)


def _do_mission(s: State, which: str, args: list[str]) -> None:
    _is_their_verb(s, which)
    me, mission = _me(s), MISSIONS[s["card"]][which]
    need(_mission_is_met(me, mission), mission["clause"])
    if args and "reward" not in mission:
        raise NotModelled("a reward waived where none is given")
    gone = list(mission.get("give", ()))
    if s["readings"]["friendly_second"] == "returned":
        gone += mission.get("have", ())
    if s["readings"]["hostile_objects"] == "kept_if_silent" and mission.get("silent"):
        gone = []
    for thing in gone:
        me["pack"].remove(thing)
        s["blue"][thing] += 1
    for money in ("copper", "silver"):
        me[money] -= mission.get(money, 0)
        s["supply"][money] += mission.get(money, 0)
    if which == "lower" and s["supply"]["apples"]:
        s["supply"]["apples"] -= 1
        me["apples"] += 1
    reward = mission.get("reward")
    if reward and not args and s["blue"][reward]:
        s["blue"][reward] -= 1
        me["pack"].append(reward)
    _card_goes_back(s)
    s["phase"] = "END"


def _do_upper(s: State, args: list[str]) -> None:
    _do_mission(s, "upper", args)


def _do_lower(s: State, args: list[str]) -> None:
    _do_mission(s, "lower", args)


def _do_apple(s: State, args: list[str]) -> None:
    _is_their_verb(s, "apple")
    me = _me(s)
    if not s["drawn"] and s["readings"]["apple_for_other"] == "no":
        need(s["card"] in me["debts"], "RND-DEBT-5")
    need(me["apples"], "RND-DEBT-4")
    me["apples"] -= 1
    s["supply"]["apples"] += 1
    _card_goes_back(s)
    s["phase"] = "END"


def _do_decline(s: State, args: list[str]) -> None:
    need(s["drawn"], "RND-CHAR-14")
    me = _me(s)
    (s["face_up"] if s["card"] in ALTRUISTS else me["debts"]).append(s["card"])
    if s["card"] not in s["content"].values():
        s["content"][me["pos"]] = s["card"]
    s.update(card=None, drawn=False, phase="END")


def _do_prince(s: State, args: list[str]) -> None:
    _is_their_verb(s, "prince")
    need(_usable(s, _me(s), "prince"), "RND-PRI-2")
    _card_goes_back(s)
    s["phase"] = "DRAW3"


def _do_unicorn(s: State, args: list[str]) -> None:
    _is_their_verb(s, "unicorn")
    me, target, saddle = _me(s), args[0], args[1:] == ["saddle"]
    need(target in s["cells"] and target != me["pos"], "RND-UNI-1")
    need(target not in _pawns(s), "RND-MOVE-12")
    if saddle:
        need("saddle" in me["pack"], "RND-UNI-2")
        me["pack"].remove("saddle")
        s["blue"]["saddle"] += 1
    _card_goes_back(s)
    lying = s["content"].get(target)
    if _kind(lying) == "character":
        if saddle:
            need(_usable(s, me, lying), None if lying == "spirit" else "RND-UNI-5")
        elif lying == "spirit" and _qualified(me):
            need(s["readings"]["unicorn_spirit"] == "wins")
        elif s["readings"]["unicorn_character"] == "forbid":
            raise Broken("RND-UNI-4")
        elif lying == "spirit":
            raise NotModelled("a ride to the spirit without effect")
    if _kind(lying) == "object" and s["readings"]["object_tile_full"] == "no_entry":
        raise NotModelled("a ride to an object where a full pack keeps out")
    left, me["pos"] = me["pos"], target
    s.update(saddled=saddle, ended_by="ride", exchange=False)
    garnish = s["readings"]["unicorn_garnish"] == "yes"
    _land(s, left, "arrive" if saddle else "end", garnish=garnish)


def _do_sell(s: State, args: list[str]) -> None:
    _is_their_verb(s, "sell")
    me = _me(s)
    need(1 <= len(args) <= 3 and Counter(args) <= Counter(me["pack"]), "RND-MER-1")
    need(s["supply"]["copper"] >= len(args), "RND-SUP-2")
    for thing in args:
        me["pack"].remove(thing)
        s["blue"][thing] += 1
    me["copper"] += len(args)
    s["supply"]["copper"] -= len(args)
    _card_goes_back(s)
    s["phase"] = "END"


def _do_buy(s: State, args: list[str]) -> None:
    _is_their_verb(s, "buy")
    me = _me(s)
    need(args in (["apple"], ["apple", "1"]) and me["silver"], "RND-MER-2")
    _silver_for_apple(s, me)
    _card_goes_back(s)
    s["phase"] = "END"


def _silver_for_apple(s: State, me: dict[str, Any]) -> None:
    need(s["supply"]["apples"], "RND-SUP-1")
    me["silver"] -= 1
    s["supply"]["silver"] += 1
    me["apples"] += 1
    s["supply"]["apples"] -= 1


def _do_goblin(s: State, args: list[str]) -> None:
    _is_their_verb(s, "goblin")
    me, taken, given = _me(s), args[0], args[2]
    need(given in me["pack"], "RND-GOB-1")
    need(s["blue"][taken], "RND-GOB-4")
    need(taken not in COINS, "RND-GOB-2")
    need(_swap_fits(me, taken, given), "RND-GOB-3")
    me["pack"].remove(given)
    me["pack"].append(taken)
    s["blue"][taken] -= 1
    s["blue"][given] += 1
    _card_goes_back(s)
    s["phase"] = "END"


def _do_beggar(s: State, args: list[str]) -> None:
    _is_their_verb(s, "beggar")
    me, chosen = _me(s), args[0]
    need(me["copper"] and chosen in s["deck"], "RND-BEG-1")
    me["copper"] -= 1
    s["supply"]["copper"] += 1
    s["deck"].remove(chosen)
    _card_goes_back(s)
    s.update(card=chosen, drawn=True)


def _do_ring(s: State, args: list[str]) -> None:
    _is_their_verb(s, "ring")
    need(s["drawn"] and _qualified(_me(s)), "RND-SPI-10")
    appeared = "spirit" in s["content"].values()
    need(appeared or s["readings"]["spirit_card_met"] == "wins", "RND-SPI-10")
    s["face_up"].append("spirit")
    s.update(card=None, drawn=False)
    _win(s)


# wells, chest, blocking, spirit


def _do_well(s: State, args: list[str]) -> None:
    me, kind = _me(s), args[0]
    if kind == "objects":
        things = args[1:]
        need(len(things) == 2, "RND-WELL-3")
        need(Counter(things) <= Counter(me["pack"]), "RND-WELL-4")
        need(s["supply"]["copper"] >= 2, "RND-SUP-1")
        for thing in things:
            me["pack"].remove(thing)
            s["blue"][thing] += 1
        me["copper"] += 2
        s["supply"]["copper"] -= 2
    elif kind != "nothing":
        need(args[1:] in ([], ["1"]), "RND-WELL-3")
        if kind == "silver":
            need(me["copper"] >= 3, "RND-WELL-3")
            need(s["supply"]["silver"], "RND-SUP-1")
            me["copper"] -= 3
            s["supply"]["copper"] += 3
            me["silver"] += 1
            s["supply"]["silver"] -= 1
        else:
            need(me["silver"], "RND-WELL-3")
            _silver_for_apple(s, me)
    s["phase"] = "END"


def _do_open(s: State, args: list[str]) -> None:
    me = _me(s)
    need({"chest", "key"} <= set(me["pack"]), "RND-CHEST-1")
    if s["readings"]["chest_timing"] == "start_or_end":
        need(s["phase"] in ("START", "END"), "RND-CHEST-2")
    had_apples = s["supply"]["apples"]
    for thing in ("chest", "key"):
        me["pack"].remove(thing)
        s["blue"][thing] += 1
    me["apples"] += 1
    s["supply"]["apples"] -= 1
    if s["phase"] == "CHAR" and not s["drawn"]:
        need(_usable(s, me, s["card"]), "RND-CHEST-4" if had_apples else None)
    need(had_apples, "RND-SUP-1")


def _gap(s: State, name: str) -> str | None:
    """The gap's name from its south-west to its north-east cell; none if there is no such gap."""
    (x, y), (to_x, to_y) = sorted(_at(s, cell) for cell in name.split("/"))
    on_board = x >= 0 and min(y, to_y) >= 1 and max(y, to_y) <= s["rows"]
    if not on_board:
        return None
    if (to_x - x, abs(to_y - y)) == (1, 1):
        low, high = min(y, to_y), max(y, to_y)
        return f"{s['columns'][x]}{low}/{s['columns'][to_x]}{high}"
    if s["readings"]["block_gaps"] == "with_edge" and (to_x - x) + abs(to_y - y) == 1:
        one, other = f"{s['columns'][x]}{y}", f"{s['columns'][to_x]}{to_y}"
        last = len(s["columns"]) - 1
        along_edge = (y == to_y and y in (1, s["rows"])) or (x == to_x and x in (0, last))
        if along_edge and one in s["cells"] and other in s["cells"]:
            return f"{one}/{other}"
    return None


def _gaps_of(s: State, cell: str) -> list[str]:
    """Every gap that touches the tile."""
    x, y = _at(s, cell)
    found = []
    for east in (-1, 0, 1):
        for north in (-1, 0, 1):
            if not 0 <= x + east < len(s["columns"]):
                continue
            gap = _gap(s, f"{cell}/{s['columns'][x + east]}{y + north}")
            if gap is not None:
                found.append(gap)
    return found


def _removable(s: State, thing: str) -> bool:
    return s["readings"]["block_removed"] == "bag" or _room(_me(s), thing)


def _do_block(s: State, args: list[str]) -> None:
    me, thing = _me(s), args[0]
    need(not s["block_used"], "RND-BLOCK-6")
    gap = _gap(s, args[1])
    if gap is None:
        raise Broken("RND-BLOCK-3")
    need(gap in _gaps_of(s, me["pos"]) and gap not in s["gaps"], "RND-BLOCK-2")
    need(thing in HEAVY and thing in me["pack"], "RND-BLOCK-2")
    me["pack"].remove(thing)
    s["gaps"][gap] = thing
    s["block_used"] = True


def _do_unblock(s: State, args: list[str]) -> None:
    me = _me(s)
    need(not s["block_used"], "RND-BLOCK-6")
    gap = _gap(s, args[0])
    if gap is None:
        raise Broken("RND-BLOCK-3")
    need(gap in _gaps_of(s, me["pos"]) and gap in s["gaps"], "RND-BLOCK-5")
    need(_removable(s, s["gaps"][gap]), "RND-BLOCK-5")
    thing = s["gaps"].pop(gap)
    if s["readings"]["block_removed"] == "pack":
        me["pack"].append(thing)
    else:
        s["blue"][thing] += 1
    s["block_used"] = True


def _spirit_targets(s: State) -> list[str]:
    free = s["readings"]["spirit_under_pawn"] == "allow"
    for wanted in ("red", "blue", "yellow", "object"):
        cells = [
            cell
            for cell, lying in s["content"].items()
            if wanted in (lying, _kind(lying)) and (free or cell not in _pawns(s))
        ]
        if cells:
            return cells
    return []


def _do_spirit(s: State, args: list[str]) -> None:
    targets = _spirit_targets(s)
    red = s["content"][targets[0]] == "red"
    need(args[0] in targets, "RND-SPI-3" if red else "RND-SPI-4")
    lying = s["content"][args[0]]
    if _kind(lying) == "chip":
        s["aside"][lying] += 1
    else:
        s["blue"][lying] += 1
    s["content"][args[0]] = "spirit"
    if s["readings"]["spirit_card"] == "leaves":
        s["deck"].remove("spirit")
        s["face_up"].append("spirit")
    s["placer"] = None


_DO = {
    name.removeprefix("_do_"): function
    for name, function in list(globals().items())
    if name.startswith("_do_") and name != "_do_mission"
}
