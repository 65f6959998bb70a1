"""Benevolent a second time: naive and slow, with nothing of the engine in it, for comparison.

A table is a dict, a line of play is text, and every rule is an ``if`` in the order in which the
first broken clause is cited. Only strict judging is modelled: no line stands against the rules.

Modelled: opening, forest, pyramid and declared positions (whether they are accepted), every line
of play with the clause that refuses it, all counts of leaves, gifts and steps, the end. Every
reading is modelled; ``open_holdings`` changes nothing here.

Not modelled: French words and other spellings, house rules, what stands though it was illegal,
positions of the phase ``setup``, with deeds already done this turn or with a repeat of a hex
action that is still to come, other audits than counts, hexes declared without their places, and
which clause comes first in a position that breaks several.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

Table = dict[str, Any]
Words = list[str]

GIFTS = ("clover", "feather", "crystal", "amber", "statuette")
SITES = ("altar", "meadow", "nest", "pond", "circle", "wooden_table")
SITES_OF = {
    "buy": ("altar",),
    "pick": ("meadow", "nest"),
    "sleep": ("pond",),
    "swap": ("circle",),
    "learn": ("wooden_table",),
}
REPEATS = {"swap": "swap_again", "sleep": "sleep_again"}
REPEAT_CLAUSES = {"swap": "BEN-PERM-1", "sleep": "BEN-PERM-2"}
RIVER_CLAUSES = {2: "BEN-SETUP-8", 3: "BEN-SETUP-9", 4: "BEN-SETUP-10"}
FOREST_CLAUSES = {2: "BEN-SETUP-15", 3: "BEN-SETUP-16", 4: "BEN-SETUP-17"}
SLOTS = ("1a", "1b", "1c", "1d", "2a", "2b", "2c", "3a", "3b")
BENEATH = {
    "2a": ("1a", "1b"),
    "2b": ("1b", "1c"),
    "2c": ("1c", "1d"),
    "3a": ("2a", "2b"),
    "3b": ("2b", "2c"),
}
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
FORM = "form"
"""Told instead of a clause where a line cannot be read at all."""
UNSURE = "one or another"
"""Told instead of a clause where a line is refused, but several clauses could be cited."""

READINGS: dict[str, tuple[str, ...]] = {
    "impossible_action": ("forbid", "allow"),
    "gift_unobtainable": ("as_far_as_free", "always_partial", "forbid_all"),
    "leaf_supply": ("limited", "unlimited"),
    "hoard_take": ("one", "all"),
    "hoard_optional": ("no", "yes"),
    "hoard_spendable": ("no", "yes"),
    "double_step_cap": ("2", "none"),
    "double_step_hexes": ("many", "one"),
    "double_step_adjacency": ("shared_counts", "needs_neighbour"),
    "free_path_source": ("card_first", "any"),
    "free_path_with_double": ("combine", "separate"),
    "secret_toll": ("none", "arrival_hex"),
    "repeat_window": ("turn", "immediate"),
    "repeat_chain": ("once", "chain"),
    "repeat_grey": ("free", "pay"),
    "cheap_crystal_stack": ("yes", "no"),
    "price_floor": ("zero", "refund"),
    "buy_exhausted": ("yes", "no"),
    "layout4_overlap": ("1", "2"),
    "toll_waiver": ("no", "yes"),
    "lone_step_optional": ("no", "yes"),
    "sleep_gift_optional": ("no", "yes"),
    "turn_end": ("silence", "auto", "explicit"),
    "open_holdings": ("yes", "no"),
    "null_move": ("forbid", "allow"),
    "grey_count": ("each", "flat"),
    "sale_mode": ("extra", "reduction"),
}
"""What is modelled, the default first."""


class Broken(Exception):
    """A line that is refused, and the clause that refuses it."""

    def __init__(self, clause: str) -> None:
        super().__init__(clause)
        self.clause = clause


def need(holds: bool, clause: str) -> None:
    if not holds:
        raise Broken(clause)


def doubt(table: Table, holds: bool, clause: str) -> None:
    """What a declared position can hardly have come from; it is answered all the same."""
    if not holds:
        table["doubts"].add(clause)


# what a test asks


def start(opening: str, kit: dict[str, Any]) -> Table:
    """The table as ``table A=blue B=red first A …`` opens it; ``kit`` is the kit's own data."""
    words = opening.split()
    need(words.pop(0) == "table", FORM)
    readings = {name: values[0] for name, values in READINGS.items()}
    if "readings" in words:
        at = words.index("readings")
        readings.update(dict(word.split("=") for word in words[at + 1 :]))
        words = words[:at]
    first: Words = []
    if "first" in words:
        at = words.index("first")
        first, words = words[at + 1 :], words[:at]
    colours = dict(word.split("=") for word in words)
    seats = list(colours)
    need(2 <= len(seats) <= 4, "BEN-SETUP-1")
    need(len(set(colours.values())) == len(seats), "BEN-SETUP-2")
    need(len(first) == 1 and first[0] in seats, "BEN-SETUP-4")

    river = {gift["id"]: gift["river"][str(len(seats))] for gift in kit["gifts"]}
    reserve = kit["leaves"]["count"]
    players: dict[str, Any] = {}
    for seat, colour in colours.items():
        turn = (seats.index(seat) - seats.index(first[0])) % len(seats)
        leaves = kit["start_leaves"]["by_turn_order"][turn]
        reserve -= leaves
        river["clover"] -= 1
        players[seat] = {
            "colour": colour,
            "leaves": leaves,
            "gifts": Counter(clover=1),
            "card": 4,
            "forest": [],
            "dream": 1,
            "ephemeral": [],
            "permanent": [],
            "hoard": 0,
        }
    return {
        "fixed": {"kit": kit, "readings": readings, "seats": seats, "forest": None},
        "players": players,
        "river": river,
        "reserve": reserve,
        "pyramid": None,
        "box": [],
        "phase": "setup",
        "active": first[0],
        "number": 1,
        "winner": None,
        "last": None,
        **_fresh_turn(),
    }


def legal(table: Table, line: str) -> tuple[bool, str | None]:
    """Whether a line may be played now, and if not, the clause it breaks."""
    try:
        play(table, line)
    except Broken as broken:
        return False, broken.clause
    return True, None


def play(table: Table, line: str) -> Table:
    """The table after a line; raises ``Broken`` if it is refused."""
    after = _copied(table)
    _hear(after, line)
    return after


def _copied(table: Table) -> Table:
    """The same table, to be changed freely; what never changes is shared."""
    after = {key: _fresh(value) for key, value in table.items()}
    after["players"] = {
        seat: {key: _fresh(value) for key, value in player.items()}
        for seat, player in table["players"].items()
    }
    return after


def _fresh(value: Any) -> Any:
    return value.copy() if isinstance(value, dict | list) else value


def shown(players: dict[str, Any]) -> dict[str, Any]:
    """Players as they are compared: what nobody has is left out, and no order counts."""
    return {
        seat: {
            **player,
            "gifts": {gift: count for gift, count in player["gifts"].items() if count},
            **{name: sorted(player[name]) for name in ("forest", "ephemeral", "permanent")},
        }
        for seat, player in players.items()
    }


def view(table: Table) -> dict[str, Any]:
    """All that can be seen at the table, ready to compare."""
    over = table["winner"] is not None
    setup = table["phase"] == "setup"
    hexes = table["fixed"]["forest"]
    return {
        "players": shown(table["players"]),
        "river": {gift: pile for gift, pile in table["river"].items() if pile},
        "reserve": table["reserve"],
        "pyramid": table["pyramid"] or {},
        "box": sorted(table["box"]),
        "forest": hexes and {name: (one["site"], one["grey"]) for name, one in hexes.items()},
        "number": table["number"],
        "active": None if over or setup else table["active"],
        "phase": "over" if over else table["phase"],
        "arrival": None if over else table["arrival"],
        "repeats": [] if over else sorted(table["repeats"]),
        "winner": table["winner"],
        "result": result(table),
    }


def result(table: Table) -> list[list[str]] | None:
    """Who won before whom; nobody is ranked behind the winner."""
    if table["winner"] is None:
        return None
    others = [seat for seat in table["fixed"]["seats"] if seat != table["winner"]]
    return [[table["winner"]], others]


def count(table: Table, subject: str) -> int:
    """What an audit of this subject finds: ``A leaves``, ``A amber``, ``river amber``, …"""
    if subject == "reserve":
        return int(table["reserve"])
    where, what = subject.split()
    if where == "river":
        return int(table["river"][what])
    player = table["players"][where]
    return int(player["gifts"][what] if what in GIFTS else player[what])


# one line


def _hear(table: Table, line: str) -> None:
    if line.startswith("position "):
        _declare(table, json.loads(line.removeprefix("position ")))
        return
    seats = table["fixed"]["seats"]
    words = line.split()
    seat = words.pop(0) if re.fullmatch("[A-H]", words[0]) else None
    need(seat is None or seat in seats, FORM)
    need(bool(words), FORM)
    verb = words.pop(0)
    if verb in ("forest", "pyramid"):
        _set_up(table, verb, words)
        return
    need(verb in _READERS, FORM)
    said = _READERS[verb](words)
    need(table["winner"] is None, "BEN-END-5")
    need(table["phase"] != "setup", "BEN-SETUP-24")
    if _goes_on(table, seat, verb):
        _next_turn(table)
    seat = seat or _meant(table, verb)
    if verb == "end" and seat == table["last"] != table["active"]:
        table["last"] = None
        return
    _check_turn(table, seat, verb, said)
    table["last"] = seat if verb != "end" else None
    if verb != "again" and _reading(table, "repeat_window") == "immediate" and table["repeats"]:
        table["lapsed"] += [_kind(base) for base in table["repeats"]]
        table["repeats"] = []
    _DOERS[verb](table, table["active"], said)
    _pass_on(table)


def _goes_on(table: Table, seat: str | None, verb: str) -> bool:
    """Whether a line of the next player ends a turn that nobody has ended."""
    if table["phase"] != "after" or _reading(table, "turn_end") != "silence":
        return False
    following = _next_seat(table)
    secrets = table["players"][following]["ephemeral"] and verb in ("use", "again")
    return (verb == "step" and seat in (None, following)) or (bool(secrets) and seat == following)


def _meant(table: Table, verb: str) -> str:
    """Who is meant by a line without a seat: whoever owes it, else whoever acted last."""
    secrets = table["players"][table["active"]]["ephemeral"] or table["repeats"]
    owed = {
        "step": table["phase"] == "move",
        "end": table["phase"] == "after",
        "use": table["phase"] == "after" or secrets,
        "again": table["phase"] == "after" or secrets,
    }.get(verb, table["phase"] == "action")
    return str(table["active"] if owed else table["last"] or table["active"])


def _check_turn(table: Table, seat: str, verb: str, said: dict[str, Any]) -> None:
    if seat != table["active"]:
        if table["phase"] == "after" and seat == _next_seat(table):
            need(_reading(table, "turn_end") == "silence", "BEN-TURN-6")
            need(verb == "use" or verb == "again" or verb == "end", "BEN-TURN-1")
            need(verb != "end", "BEN-TURN-4")
            need(verb != "use" or said["face"] not in table["box"], "BEN-SEC-5")
        raise Broken("BEN-SEC-6" if verb == "use" else "BEN-TURN-5")
    phase = table["phase"]
    if verb == "step":
        need(phase == "move", "BEN-TURN-2")
    if verb == "gather" or verb in SITES_OF:
        need(phase != "move", "BEN-TURN-1")
        need(phase != "after", "BEN-TURN-3")
    if verb == "end":
        need(phase == "after", "BEN-TURN-4")


def _pass_on(table: Table) -> None:
    """The turn ends by itself when nothing can follow."""
    if table["winner"] is not None or table["phase"] != "after":
        return
    if _reading(table, "turn_end") == "explicit":
        return
    if table["players"][table["active"]]["ephemeral"] or any(_legal_repeats(table)):
        return
    _next_turn(table)


def _next_turn(table: Table) -> None:
    table.update(active=_next_seat(table), phase="move", number=table["number"] + 1)
    table.update(_fresh_turn())


def _fresh_turn() -> dict[str, Any]:
    return {
        "arrival": None,
        "repeats": [],
        "repeated": [],
        "too_early": [],
        "converted": False,
        "lapsed": [],
    }


def _next_seat(table: Table) -> str:
    seats: list[str] = table["fixed"]["seats"]
    return seats[(seats.index(table["active"]) + 1) % len(seats)]


def _reading(table: Table, name: str) -> str:
    return str(table["fixed"]["readings"][name])


def _number(table: Table, name: str) -> int:
    return int(table["fixed"]["kit"]["secrets"]["numbers"][name])


def _owns(table: Table, seat: str, face: str) -> bool:
    return face in table["players"][seat]["permanent"]


def _opponents(table: Table, seat: str) -> list[str]:
    return [other for other in table["fixed"]["seats"] if other != seat]


def _kind(base: str) -> str:
    return base.removeprefix("free_")


# how lines are read


def _tail(words: Words, *allowed: str) -> dict[str, Any]:
    """The optional words at the end of a line, which must come in this order."""
    said: dict[str, Any] = {"gift": None, "from": None, "none": False, "waive": []}
    words = list(words)
    for part in allowed:
        if part == "gift" and words and words[0] in GIFTS:
            said["gift"] = words.pop(0)
        if part == "none" and words and words[0] == "none":
            said["none"] = bool(words.pop(0))
        if part == "from" and words and words[0] == "from":
            need(len(words) > 1 and re.fullmatch("[A-H]", words[1]) is not None, FORM)
            said["from"] = words[1]
            words = words[2:]
        if part == "waive" and words and words[0] == "waive":
            need(len(words) > 1, FORM)
            said["waive"], words = words[1:], []
            need(all(re.fullmatch("[A-H]", seat) for seat in said["waive"]), FORM)
    need(not words, FORM)
    return said


def _first(words: Words, *allowed: str) -> str:
    need(bool(words) and words[0] in allowed, FORM)
    return words[0]


def _read_step(words: Words) -> dict[str, Any]:
    origin = None
    if len(words) >= 3 and words[1] == "to":
        origin, words = words[0], words[2:]
    need(bool(words), FORM)
    for name in (origin, words[0]):
        need(name is None or re.fullmatch("[a-z][0-9]{1,2}", name) is not None, FORM)
    return {"origin": origin, "to": words[0], **_tail(words[1:], "none")}


def _read_gather(words: Words) -> dict[str, Any]:
    if not words:
        return {"hoard": None}
    need(len(words) == 1, FORM)
    return {"hoard": _first(words, "put", "take", "none")}


def _read_buy(words: Words) -> dict[str, Any]:
    what = _first(words, *GIFTS, "none")
    return {**_tail(words[1:], "from", "waive"), "what": what}


def _read_pick(words: Words) -> dict[str, Any]:
    said = _tail(words, "none", "from", "waive")
    return {**said, "what": "none" if said["none"] else ""}


def _read_sleep(words: Words) -> dict[str, Any]:
    what = _first(words, "1", "2", "3", "4", "none")
    return {**_tail(words[1:], "gift", "from", "none", "waive"), "what": what}


def _read_learn(words: Words) -> dict[str, Any]:
    return {**_tail(words[1:], "waive"), "what": _first(words, *SLOTS, "none")}


def _read_use(words: Words) -> dict[str, Any]:
    need(bool(words), FORM)
    face, words = words[0], words[1:]
    if face == "free_sleep":
        what = _first(words, "1", "2", "3", "4")
        return {**_tail(words[1:], "gift", "from", "none", "waive"), "what": what, "face": face}
    need(face in ("sale", "free_swap", *_USES), FORM)
    said = _tail(words, "gift", "from", "waive")
    need((face in ("sale", "free_swap")) == (said["gift"] is not None), FORM)
    return {**said, "what": said["gift"], "face": face}


def _read_again(words: Words) -> dict[str, Any]:
    kind = _first(words, "swap", "sleep")
    words = words[1:]
    if kind == "swap":
        return {**_tail(words[1:], "from"), "what": _first(words, *GIFTS), "kind": kind}
    what = _first(words, "1", "2", "3", "4")
    return {**_tail(words[1:], "gift", "from", "none"), "what": what, "kind": kind}


def _read_end(words: Words) -> dict[str, Any]:
    need(not words, FORM)
    return {}


_USES = ("gift_feather", "gift_clover", "cheap_crystal", "convert_1", "convert_2", "convert_3")
_READERS = {
    "step": _read_step,
    "gather": _read_gather,
    "buy": _read_buy,
    "pick": _read_pick,
    "sleep": _read_sleep,
    "swap": _read_buy,
    "learn": _read_learn,
    "use": _read_use,
    "again": _read_again,
    "end": _read_end,
}


# setting up


def _set_up(table: Table, verb: str, words: Words) -> None:
    if verb == "forest":
        need(table["winner"] is None, "BEN-END-5")
        need(table["phase"] == "setup" and table["fixed"]["forest"] is None, "BEN-SETUP-24")
        table["fixed"] = {**table["fixed"], "forest": _forest(table, words)}
    else:
        rows = [row.split() for row in " ".join(words).split("/")]
        need(len(rows) == 3 and all(rows), FORM)
        faces = [face for row in rows for face in row]
        tiles = table["fixed"]["kit"]["secrets"]["tiles"]
        known = {tile[side] for tile in tiles for side in ("ephemeral", "permanent")}
        need(set(faces) <= known, FORM)
        need(table["winner"] is None, "BEN-END-5")
        need(table["phase"] == "setup" and table["pyramid"] is None, "BEN-SETUP-24")
        need([len(row) for row in rows] == [4, 3, 2], "BEN-SETUP-21")
        need(len(set(faces)) == 9, "BEN-SETUP-22")
        table["pyramid"] = dict(zip(SLOTS, faces, strict=True))
    if table["fixed"]["forest"] is not None and table["pyramid"] is not None:
        table["phase"] = "move"


def _forest(table: Table, words: Words) -> dict[str, Any]:
    need(bool(words), FORM)
    fixed = table["fixed"]
    players = len(fixed["seats"])
    clause = FOREST_CLAUSES[players]
    size = {2: 8, 3: 10, 4: 14}[players]
    if players == 4 and _reading(table, "layout4_overlap") == "2":
        size = 13
    if "=" in words[0]:
        hexes = _own_hexes(table, words)
    else:
        hexes = _segment_hexes(fixed["kit"], words, players, clause)
    need(len(hexes) == size, clause)
    need(_is_one_group(hexes, list(hexes)), clause)
    return hexes


def _segment_hexes(
    kit: dict[str, Any], words: Words, players: int, clause: str
) -> dict[str, dict[str, Any]]:
    sides = {segment["id"]: segment["sides"] for segment in kit["segments"]}
    need(all(word[:-1] in sides and word[-1] in "AB" for word in words), FORM)
    need(len({word[:-1] for word in words}) == len(words), "BEN-SETUP-19")
    layout = kit["layouts"][str(players)]
    need(len(words) == len(layout), clause)
    cells: dict[tuple[int, int], dict[str, Any]] = {}
    for level in (0, 1):
        for word, place in zip(words, layout, strict=True):
            if place["level"] != level:
                continue
            faces = sides[word[:-1]][word[-1]]
            for (q, r), face in zip(kit["segment_shape"]["cells"], faces, strict=True):
                for _ in range(place["turn"] // 60):
                    q, r = -r, q + r
                q, r = q + place["origin"][0], r + place["origin"][1]
                cells[q, r] = {"q": q, "r": r, "site": face["action"], "grey": face["grey"]}
    return _named(cells)


def _named(cells: dict[tuple[int, int], dict[str, Any]]) -> dict[str, dict[str, Any]]:
    rows = sorted({r for _, r in cells})
    named = {}
    for letter, row in zip("abcdefgh", rows, strict=False):
        line = sorted(q for q, r in cells if r == row)
        named.update({f"{letter}{at}": cells[q, row] for at, q in enumerate(line, start=1)})
    return named


def _own_hexes(table: Table, words: Words) -> dict[str, dict[str, Any]]:
    """Hexes declared one by one, each with its own place."""
    hexes: dict[str, dict[str, Any]] = {}
    shape = r"([a-z][0-9]{1,2})@(-?[0-9]+),(-?[0-9]+)=([a-z_]+)(?:\+([0-9]))?"
    for word in words:
        match = re.fullmatch(shape, word)
        need(match is not None, FORM)
        assert match is not None
        name, q, r, site, grey = match.groups()
        need(name not in hexes and site in SITES, FORM)
        hexes[name] = {"q": int(q), "r": int(r), "site": site, "grey": int(grey or 0)}
    need(len({(one["q"], one["r"]) for one in hexes.values()}) == len(hexes), FORM)
    return hexes


def touch(hexes: dict[str, Any], one: str, other: str) -> bool:
    apart = hexes[one]["q"] - hexes[other]["q"], hexes[one]["r"] - hexes[other]["r"]
    return apart in AROUND


def _is_one_group(hexes: dict[str, Any], names: list[str]) -> bool:
    if not names:
        return True
    group, reached = {names[0]}, 0
    while len(group) != reached:
        reached = len(group)
        group |= {name for name in names for one in group if touch(hexes, name, one)}
    return set(names) == group


# declared positions


def _declare(table: Table, said: dict[str, Any]) -> None:
    """A position; it is accepted if it can lie so, with doubts if it can hardly have come about."""
    fixed, kit = table["fixed"], table["fixed"]["kit"]
    seats, hexes = fixed["seats"], fixed["forest"]
    need(table["winner"] is None, "BEN-END-5")
    need(table["phase"] == "setup" and hexes is not None, "BEN-SETUP-24")
    need(set(said["players"]) == set(seats) and said["active"] in seats, FORM)
    need((said.get("arrival") is None) == (said["phase"] == "move"), FORM)
    table["doubts"] = set()
    players: dict[str, Any] = {}
    for seat in seats:
        told = said["players"][seat]
        players[seat] = {
            "colour": table["players"][seat]["colour"],
            "leaves": told["leaves"],
            "gifts": Counter(told.get("gifts", {})),
            "card": told["card"],
            "forest": list(told.get("forest", [])),
            "dream": told["dream"],
            "ephemeral": list(told.get("ephemeral", [])),
            "permanent": list(told.get("permanent", [])),
            "hoard": told.get("hoard", 0),
        }
    pyramid = dict(said.get("pyramid", {}))
    river = {gift["id"]: gift["river"][str(len(seats))] for gift in kit["gifts"]}
    reserve = kit["leaves"]["count"]
    faces = [*pyramid.values(), *said.get("used", [])]
    for player in players.values():
        _check_holding(table, player)
        faces += player["ephemeral"] + player["permanent"]
        reserve -= player["leaves"] + player["hoard"]
        for gift in GIFTS:
            river[gift] -= player["gifts"][gift]
    placed = [len(player["forest"]) for player in players.values()]
    doubt(table, max(placed) - min(placed) <= 1, "BEN-TURN-2")
    need(min(river.values()) >= 0, RIVER_CLAUSES[len(seats)])
    need(reserve >= 0 or _reading(table, "leaf_supply") == "unlimited", "BEN-KIT-2")
    need(len(set(faces)) == len(faces), "BEN-SETUP-22")
    need(len(faces) <= 9, "BEN-KIT-3")
    for slot, below in BENEATH.items():
        held_up = slot in pyramid or not any(one in pyramid for one in below)
        doubt(table, held_up, "BEN-TABLE-2")
    if said.get("arrival") is not None:
        need(said["arrival"] in hexes, "BEN-MOVE-16")
        doubt(table, said["arrival"] in players[said["active"]]["forest"], "BEN-ACT-2")
    repeatable = {_kind(base) for base in said.get("open_repeats", [])}
    for kind in repeatable:
        owned = players[said["active"]]["permanent"]
        doubt(table, REPEATS[kind] in owned, REPEAT_CLAUSES[kind])
    table.update(players=players, river=river, reserve=reserve, pyramid=pyramid)
    table.update(_fresh_turn(), last=None)
    table.update(
        active=said["active"],
        phase=said["phase"],
        arrival=said.get("arrival"),
        repeats=list(said.get("open_repeats", [])),
        box=list(said.get("used", [])),
        number=said.get("turn", 1),
    )
    _pass_on(table)


def _check_holding(table: Table, player: dict[str, Any]) -> None:
    hexes = table["fixed"]["forest"]
    need(set(player["forest"]) <= set(hexes), "BEN-MOVE-16")
    need(player["card"] + len(player["forest"]) == 4, "BEN-KIT-5")
    most = max(Counter(player["forest"]).values(), default=0)
    if "double_step" in player["permanent"]:
        capped = _reading(table, "double_step_cap") != "none"
        doubt(table, most <= 2 or not capped, "BEN-PERM-6")
    else:
        doubt(table, most <= 1, "BEN-MOVE-2")
    if "free_path" not in player["permanent"]:
        doubt(table, _is_one_group(hexes, player["forest"]), "BEN-MOVE-11")
    doubt(table, "hoard" in player["permanent"] or not player["hoard"], "BEN-PERM-5")
    need(not all(player["gifts"][gift] for gift in GIFTS), "BEN-END-1")


# the move


def _step(table: Table, seat: str, said: dict[str, Any]) -> None:
    hexes = table["fixed"]["forest"]
    me = table["players"][seat]
    origin, to = said["origin"], said["to"]
    need(to in hexes, "BEN-MOVE-16")
    path = _owns(table, seat, "free_path")
    if origin is not None:
        free_source = path and _reading(table, "free_path_source") == "any"
        need(me["card"] == 0 or free_source, "BEN-MOVE-7")
        need(origin in me["forest"], "BEN-MOVE-15")
        need(origin != to or _reading(table, "null_move") == "allow", "BEN-MOVE-13")
    else:
        need(me["card"] > 0, "BEN-MOVE-8")

    others = list(me["forest"])
    if origin is not None:
        others.remove(origin)
    mine_there = others.count(to)
    if mine_there:
        need(_owns(table, seat, "double_step"), "BEN-MOVE-2")
        need(mine_there < 2 or _reading(table, "double_step_cap") == "none", "BEN-PERM-6")
        if _reading(table, "double_step_hexes") == "one":
            shared = [name for name, steps in Counter(others).items() if steps > 1]
            need(not shared or shared == [to], "BEN-PERM-6")
    anywhere = path
    if mine_there and _reading(table, "free_path_with_double") == "separate":
        anywhere = False
    if others and not anywhere:
        touches = any(touch(hexes, to, other) for other in others)
        if mine_there and _reading(table, "double_step_adjacency") == "shared_counts":
            touches = True
        need(touches, "BEN-MOVE-3" if origin is None else "BEN-MOVE-10")
        need(_is_one_group(hexes, [*others, to]), "BEN-MOVE-11")

    alone = not any(to in table["players"][one]["forest"] for one in _opponents(table, seat))
    leaf = alone and _owns(table, seat, "lone_step")
    if said["none"]:
        need(leaf and _reading(table, "lone_step_optional") == "yes", "BEN-PERM-8")
        leaf = False

    me["forest"] = [*others, to]
    if origin is None:
        me["card"] -= 1
    if leaf:
        me["leaves"] += _from_reserve(table, _number(table, "lone_step_leaves"))
    table.update(phase="action", arrival=to)


# leaves


def _from_reserve(table: Table, leaves: int) -> int:
    if _reading(table, "leaf_supply") == "limited":
        leaves = min(leaves, table["reserve"])
    table["reserve"] -= leaves
    return leaves


def _purse(table: Table, seat: str) -> int:
    me = table["players"][seat]
    on_tile = me["hoard"] if _reading(table, "hoard_spendable") == "yes" else 0
    return int(me["leaves"] + on_tile)


def _spend(table: Table, seat: str, leaves: int) -> None:
    me = table["players"][seat]
    own = min(leaves, me["leaves"])
    me["leaves"] -= own
    me["hoard"] -= leaves - own


def _gather(table: Table, seat: str, said: dict[str, Any]) -> None:
    me = table["players"][seat]
    choice = said["hoard"]
    me["leaves"] += _from_reserve(table, table["fixed"]["kit"]["gather"]["leaves"])
    if not _owns(table, seat, "hoard"):
        need(choice is None, "BEN-GATHER-1")
    else:
        possible = []
        if table["reserve"] >= 1 or _reading(table, "leaf_supply") == "unlimited":
            possible.append("put")
        if me["hoard"] >= 1:
            possible.append("take")
        if choice is None:
            need(len(possible) <= 1, "BEN-PERM-5")
            choice = possible[0] if possible else "none"
        elif choice == "none":
            need(not possible or _reading(table, "hoard_optional") == "yes", "BEN-PERM-5")
        else:
            need(choice in possible, "BEN-PERM-5")
        if choice == "put":
            me["hoard"] += _from_reserve(table, _number(table, "hoard_leaves"))
        if choice == "take":
            taken = me["hoard"] if _reading(table, "hoard_take") == "all" else 1
            me["hoard"] -= taken
            me["leaves"] += taken
    table["phase"] = "after"


def _grey_toll(table: Table, seat: str) -> int:
    grey = table["fixed"]["forest"][table["arrival"]]["grey"]
    if _owns(table, seat, "grey_pass"):
        return 0
    return min(grey, 1) if _reading(table, "grey_count") == "flat" else int(grey)


def _toll(table: Table, seat: str, waived: list[str]) -> dict[str | None, int]:
    """Leaves due to each opponent who stands on the arrival hex, and for grey steps (None)."""
    due: dict[str | None, int] = {None: _grey_toll(table, seat)}
    for other in _opponents(table, seat):
        steps = table["players"][other]["forest"].count(table["arrival"])
        if steps:
            due[other] = steps
    for other in waived:
        need(_reading(table, "toll_waiver") == "yes" and other in due, "BEN-TOLL-7")
        need(not _owns(table, seat, "reserve_toll"), "BEN-TOLL-7")
        due[other] = 0
    return due


def _pay_toll(table: Table, seat: str, due: dict[str | None, int]) -> None:
    for owner, leaves in due.items():
        _spend(table, seat, leaves)
        if owner is None or _owns(table, seat, "reserve_toll"):
            table["reserve"] += leaves
        else:
            table["players"][owner]["leaves"] += leaves


# gifts and other effects


def _source(table: Table, seat: str, gift: str, named: str | None) -> str | None:
    """Whom a gift is taken from; None is the pile."""
    if table["river"][gift] > 0:
        need(named is None, "BEN-GIFT-1")
        return None
    held = {one: table["players"][one]["gifts"][gift] for one in _opponents(table, seat)}
    most = [one for one in held if held[one] == max(held.values())]
    if named is not None:
        need(named in most, "BEN-GIFT-2")
        return named
    need(len(most) == 1, "BEN-GIFT-4")
    return most[0]


def _is_unobtainable(table: Table, seat: str, gift: str) -> bool:
    held = [table["players"][one]["gifts"][gift] for one in _opponents(table, seat)]
    return table["river"][gift] == 0 and not any(held)


def _taking(table: Table, seat: str, gift: str, said: dict[str, Any], clause: str) -> Any:
    """What is taken and from whom; ``clause`` forbids it where it cannot be had."""
    if _is_unobtainable(table, seat, gift):
        need(_reading(table, "gift_unobtainable") == "always_partial", clause)
        need(said["from"] is None, "BEN-GIFT-2")
        return None
    return gift, _source(table, seat, gift, said["from"])


def _price(table: Table, seat: str, gift: str, less: int = 0, fixed: int | None = None) -> int:
    prices = {one["id"]: one["price"] for one in table["fixed"]["kit"]["gifts"]}
    price = int(prices[gift]) - less if fixed is None else fixed
    stacks = fixed is None or _reading(table, "cheap_crystal_stack") == "yes"
    if _owns(table, seat, "bargain") and stacks:
        price -= _number(table, "bargain_reduction")
    return price if _reading(table, "price_floor") == "refund" else max(0, price)


def _purchase(
    table: Table, seat: str, gift: str, said: dict[str, Any], price: int
) -> dict[str, Any]:
    if _reading(table, "buy_exhausted") == "no":
        need(table["river"][gift] > 0, "BEN-ALTAR-5")
    return {"takes": _taking(table, seat, gift, said, "BEN-ALTAR-5"), "price": price}


def _sleeping(table: Table, seat: str, said: dict[str, Any]) -> dict[str, Any]:
    space, target = table["players"][seat]["dream"], int(said["what"])
    arrows = [
        arrow
        for arrow in table["fixed"]["kit"]["dream_path"]["arrows"]
        if (arrow["space"], arrow["target"]) == (space, target)
        and said["gift"] in (None, arrow.get("gift"))
    ]
    need(len(arrows) == 1, "BEN-POND-1")
    gift = arrows[0].get("gift")
    moves = {"dream": target, "base": "sleep"}
    if gift is None:
        need(said["from"] is None and not said["none"], "BEN-POND-3")
        return moves
    if _is_unobtainable(table, seat, gift):
        need(_reading(table, "gift_unobtainable") != "forbid_all", "BEN-POND-2")
        need(said["from"] is None and not said["none"], "BEN-GIFT-8")
        return moves
    if said["none"]:
        need(_reading(table, "sleep_gift_optional") == "yes", "BEN-POND-2")
        need(said["from"] is None, "BEN-POND-2")
        return moves
    return {**moves, "takes": (gift, _source(table, seat, gift, said["from"]))}


def _exchange(table: Table, seat: str, said: dict[str, Any]) -> dict[str, Any]:
    give = said["what"]
    need(give != "statuette", "BEN-CIRCLE-3")
    need(table["players"][seat]["gifts"][give] > 0, "BEN-CIRCLE-2")
    wanted = GIFTS[GIFTS.index(give) + 1]
    takes = _taking(table, seat, wanted, said, "BEN-CIRCLE-6")
    return {"gives": [give], "takes": takes, "base": "swap"}


def _learning(table: Table, said: dict[str, Any]) -> dict[str, Any]:
    pyramid, slot = table["pyramid"], said["what"]
    need(bool(pyramid), "BEN-TABLE-5")
    need(slot in pyramid, "BEN-TABLE-1")
    need(not any(below in pyramid for below in BENEATH.get(slot, ())), "BEN-TABLE-2")
    return {"slot": slot}


def _apply(table: Table, seat: str, effect: dict[str, Any]) -> None:
    """Price, gifts returned, dream step, gift taken, the end; only then what else follows."""
    me = table["players"][seat]
    price = effect.get("price", 0)
    if price >= 0:
        _spend(table, seat, price)
        table["reserve"] += price
    else:
        me["leaves"] += _from_reserve(table, -price)
    for gift in effect.get("gives", ()):
        me["gifts"][gift] -= 1
        table["river"][gift] += 1
    if "dream" in effect:
        me["dream"] = effect["dream"]
    if effect.get("takes") is not None:
        gift, source = effect["takes"]
        if source is None:
            table["river"][gift] -= 1
        else:
            table["players"][source]["gifts"][gift] -= 1
        me["gifts"][gift] += 1
    if all(me["gifts"][gift] > 0 for gift in GIFTS):
        table["winner"] = seat
        return
    me["leaves"] += _from_reserve(table, effect.get("leaves", 0))
    if "slot" in effect:
        face = table["pyramid"].pop(effect["slot"])
        tiles = table["fixed"]["kit"]["secrets"]["tiles"]
        fleeting = face in {tile["ephemeral"] for tile in tiles}
        me["ephemeral" if fleeting else "permanent"].append(face)


def _open_repeat(table: Table, seat: str, base: str) -> None:
    if table["winner"] is not None:
        return
    if _owns(table, seat, REPEATS[_kind(base)]):
        table["repeats"].append(base)
    else:
        table["too_early"].append(_kind(base))


# the six sites


def _site_effect(table: Table, seat: str, verb: str, said: dict[str, Any]) -> dict[str, Any]:
    if verb == "buy":
        gift = said["what"]
        return _purchase(table, seat, gift, said, _price(table, seat, gift))
    if verb == "pick":
        site = table["fixed"]["forest"][table["arrival"]]["site"]
        gift = "clover" if site == "meadow" else "feather"
        return {"takes": _taking(table, seat, gift, said, "BEN-GIFT-8")}
    if verb == "sleep":
        return _sleeping(table, seat, said)
    if verb == "swap":
        return _exchange(table, seat, said)
    return _learning(table, said)


def _at_site(verb: str) -> Any:
    def act(table: Table, seat: str, said: dict[str, Any]) -> None:
        site = table["fixed"]["forest"][table["arrival"]]["site"]
        need(site in SITES_OF[verb], "BEN-ACT-2")
        if said["what"] == "none":
            need(_reading(table, "impossible_action") == "allow", "BEN-ACT-5")
            need(not any(_possible_effects(table, seat, verb)), "BEN-ACT-5")
            effect: dict[str, Any] = {}
        else:
            effect = _site_effect(table, seat, verb, said)
        _act_and_pay(table, seat, effect, said["waive"])

    return act


def _act_and_pay(table: Table, seat: str, effect: dict[str, Any], waived: list[str]) -> None:
    due = _toll(table, seat, waived)
    need(_purse(table, seat) >= sum(due.values()), "BEN-ACT-3")
    price = effect.get("price", 0)
    need(_purse(table, seat) >= sum(due.values()) + price or price <= 0, "BEN-ACT-4")
    _pay_toll(table, seat, due)
    table["phase"] = "after"
    _apply(table, seat, effect)
    if "base" in effect:
        _open_repeat(table, seat, effect["base"])


def _possible_effects(table: Table, seat: str, verb: str) -> Iterator[bool]:
    """For each way to perform the action of a site: whether it can be carried out."""
    whats = {
        "buy": GIFTS,
        "pick": ("",),
        "sleep": ("1", "2", "3", "4"),
        "swap": GIFTS,
        "learn": SLOTS,
    }
    for what in whats[verb]:
        for named in (None, *_opponents(table, seat)):
            for gift in (None, *GIFTS) if verb == "sleep" else (None,):
                said = {"what": what, "from": named, "gift": gift, "none": False}
                try:
                    _site_effect(table, seat, verb, said)
                except Broken:
                    continue
                yield True


# secrets


def _use(table: Table, seat: str, said: dict[str, Any]) -> None:
    face = said["face"]
    me = table["players"][seat]
    if face not in me["ephemeral"]:
        raise Broken("BEN-SEC-5" if face in table["box"] else "BEN-SEC-6")
    effect = _secret_effect(table, seat, face, said)
    on_altar = table["phase"] == "action" and (
        table["fixed"]["forest"][table["arrival"]]["site"] == "altar"
    )
    me["ephemeral"].remove(face)
    table["box"].append(face)
    if face == "sale" and on_altar and _reading(table, "sale_mode") == "reduction":
        _act_and_pay(table, seat, effect, said["waive"])
        return
    due: dict[str | None, int] = {}
    like_a_site = face in ("free_sleep", "free_swap", "sale")
    if like_a_site and table["arrival"] and _reading(table, "secret_toll") == "arrival_hex":
        due = _toll(table, seat, said["waive"])
        need(_purse(table, seat) >= sum(due.values()), "BEN-ACT-3")
    else:
        need(not said["waive"], "BEN-TOLL-7")
    price = effect.get("price", 0)
    affordable = price <= 0 or _purse(table, seat) >= sum(due.values()) + price
    need(affordable, "BEN-EPH-3" if face == "cheap_crystal" else "BEN-ACT-4")
    _pay_toll(table, seat, due)
    _apply(table, seat, effect)
    if "base" in effect:
        _open_repeat(table, seat, "free_" + effect["base"])
    if face.startswith("convert"):
        table["converted"] = True


def _secret_effect(table: Table, seat: str, face: str, said: dict[str, Any]) -> dict[str, Any]:
    if face == "gift_feather":
        return {"takes": _taking(table, seat, "feather", said, "BEN-SEC-7")}
    if face == "gift_clover":
        return _clover_gift(table, seat, said)
    if face == "cheap_crystal":
        price = _price(table, seat, "crystal", fixed=_number(table, "cheap_crystal_price"))
        return _purchase(table, seat, "crystal", said, price)
    if face == "sale":
        price = _price(table, seat, said["what"], less=_number(table, "sale_reduction"))
        return _purchase(table, seat, said["what"], said, price)
    if face == "free_sleep":
        return _sleeping(table, seat, said)
    if face == "free_swap":
        return _exchange(table, seat, said)
    printed = table["fixed"]["kit"]["secrets"]["conversions"][face]
    mine = table["players"][seat]["gifts"]
    need(all(mine[gift] >= n for gift, n in Counter(printed["give"]).items()), "BEN-EPH-4")
    takes = _taking(table, seat, printed["get"], said, "BEN-SEC-7")
    return {"gives": printed["give"], "takes": takes}


def _clover_gift(table: Table, seat: str, said: dict[str, Any]) -> dict[str, Any]:
    leaves = _number(table, "gift_clover_leaves")
    if not _is_unobtainable(table, seat, "clover"):
        return {"takes": ("clover", _source(table, seat, "clover", said["from"])), "leaves": leaves}
    reading = _reading(table, "gift_unobtainable")
    need(reading != "forbid_all", "BEN-SEC-7")
    no_leaf = table["reserve"] == 0 and _reading(table, "leaf_supply") == "limited"
    need(not no_leaf or reading == "always_partial", "BEN-SEC-7")
    need(said["from"] is None, "BEN-GIFT-2")
    return {"leaves": leaves}


def _again(table: Table, seat: str, said: dict[str, Any]) -> None:
    kind = said["kind"]
    clause = REPEAT_CLAUSES[kind]
    need(_owns(table, seat, REPEATS[kind]), clause)
    opened = [base for base in table["repeats"] if _kind(base) == kind]
    if not opened:
        need(kind not in table["repeated"], "BEN-PERM-3")
        if table["lapsed"]:
            raise Broken("BEN-PERM-4" if kind in table["lapsed"] else UNSURE)
        need(kind not in table["too_early"], "BEN-SEC-9")
        need(kind != "swap" or not table["converted"], "BEN-EPH-5")
        raise Broken(clause)
    base = next((one for one in opened if one.startswith("free_")), opened[0])
    cost = _number(table, f"{kind}_again_cost")
    if base == kind and _reading(table, "repeat_grey") == "pay":
        cost += _grey_toll(table, seat)
    need(_purse(table, seat) >= cost, clause)
    effect = (_exchange if kind == "swap" else _sleeping)(table, seat, said)
    table["repeats"].remove(base)
    table["repeated"].append(kind)
    _apply(table, seat, {**effect, "price": cost})
    if _reading(table, "repeat_chain") == "chain" and table["winner"] is None:
        table["repeats"].append(base)


def _end(table: Table, seat: str, said: dict[str, Any]) -> None:
    _next_turn(table)


_DOERS = {
    "step": _step,
    "gather": _gather,
    **{verb: _at_site(verb) for verb in SITES_OF},
    "use": _use,
    "again": _again,
    "end": _end,
}


# what may come next


def listed(table: Table) -> set[str]:
    """Every legal line, in its shortest form: nobody is named who need not be, nothing waived."""
    seat = table["active"]
    if table["winner"] is not None or table["phase"] == "setup":
        return set()
    plain = (f"{seat} {line}" for line in _plain_lines(table))
    lines = {said for line in plain for said in _said(table, line)}
    if f"{seat} gather" in lines:
        lines -= {f"{seat} gather put", f"{seat} gather take"}
        nothing = f"{seat} gather none"
        if nothing in lines and play(table, nothing) == play(table, f"{seat} gather"):
            lines.remove(nothing)
    return lines


def _said(table: Table, plain: str) -> Iterator[str]:
    """The line as it is, with a name where one must be named, and with ``none`` where allowed."""
    holds, clause = legal(table, plain)
    if holds:
        yield plain
    if clause == "BEN-GIFT-4":
        for other in _opponents(table, table["active"]):
            if legal(table, f"{plain} from {other}")[0]:
                yield f"{plain} from {other}"
    if clause not in (None, "BEN-GIFT-4") or plain.endswith("none"):
        return
    if ("sleep" in plain or " step " in plain) and legal(table, f"{plain} none")[0]:
        yield f"{plain} none"


def _plain_lines(table: Table) -> Iterator[str]:
    if table["phase"] == "move":
        yield from _step_lines(table)
    if table["phase"] == "action":
        yield from _action_lines()
    if table["phase"] == "after":
        yield "end"
    for gift in GIFTS:
        yield from (f"use sale {gift}", f"use free_swap {gift}")
    for space in (1, 2, 3, 4):
        yield f"use free_sleep {space}"
    for face in _USES:
        yield f"use {face}"
    yield from _repeat_lines()


def _step_lines(table: Table) -> Iterator[str]:
    for to in table["fixed"]["forest"]:
        yield f"step {to}"
        for origin in set(table["players"][table["active"]]["forest"]):
            yield f"step {origin} to {to}"


def _action_lines() -> Iterator[str]:
    yield from ("gather", "gather put", "gather take", "gather none", "pick")
    for gift in GIFTS:
        yield from (f"buy {gift}", f"swap {gift}")
    for space in (1, 2, 3, 4):
        yield f"sleep {space}"
    for slot in SLOTS:
        yield f"learn {slot}"
    for verb in SITES_OF:
        yield f"{verb} none"


def _repeat_lines() -> Iterator[str]:
    for gift in GIFTS:
        yield f"again swap {gift}"
    for space in (1, 2, 3, 4):
        yield f"again sleep {space}"


def _legal_repeats(table: Table) -> Iterator[bool]:
    """For each open repeat that can be made: yes."""
    seat = table["active"]
    for line in _repeat_lines() if table["repeats"] else ():
        for tail in ("", *(f" from {other}" for other in _opponents(table, seat))):
            try:
                _again(_copied(table), seat, _read_again(f"{line}{tail}".split()[1:]))
            except Broken:
                continue
            yield True
