"""A second, naive Bloody Grove: what a line may be, and what it makes of the table.

It shares no code with the engine. The table is one dict of plain lists, dicts and sets; every
line copies all of it. A verdict is ``(legal, clause)``: the clause a wrong line breaks,
``"form"`` where the words name nothing on the table, or None where the rules do not say which
clause is cited for that mistake.

A line is English, in full and upper case as the engine writes it. All readings are modelled.
Not modelled: sealed notes (``sealed``), ``position``, ``adjust``, rulings on a line that
really happened although it was wrong, and findings except those of a count (``audit``).
Refused without a claim which clause is cited: what the loser of a Grove says; a second take or
replacement; a card on a
Druid to be replaced; an Elite when its deck is empty; a recruit out of the printed order;
anything but the reveal of tokens that were taken off a moved card.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

Table = dict[str, Any]
Line = dict[str, Any]
Card = dict[str, Any]
Verdict = tuple[bool, str | None]
World = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
"""A hand, and a deck from the top in blocks within which any order is possible."""

SEATS = ("A", "B")
LETTERS = "tuwxyz"
UNSEEN = "any"

DEFAULTS = {
    "turn_order": "snake",
    "symbol_order": "free",
    "ruse_venerables": "yes",
    "ruse_tokens": "travel",
    "arcane_reshuffle": "immediate",
    "card_rotation": "no",
    "transform_symbols": "no",
    "recruit_duty": "yes",
    "recruit_to_top": "yes",
    "elite_refill": "at_once",
    "token_discard": "phase",
    "bottom_card_symbols": "inert",
    "venerable_effects": "free_order",
    "r1_counts": "animals",
    "early_win": "at_comparison",
    "column_domination": "all",
    "token_tracking": "grid",
    "turn_end": "silence",
}

FACE = r"(?P<face>(?:EB|EF|EO|[bfoVR])\d+)"
PLACE = r"(?:(?P<side>[A-H]):)?" + FACE
REFERENCE = PLACE + r"@(?P<at>[123]|druid)(?:#(?P<nth>\d+))?"
ANIMAL = r"(?P<animal>bear|owl|fox)"

FORMS = {
    "groves": r"(?P<animals>(?:bear|owl|fox)(?: (?:bear|owl|fox)){2})",
    "elite": FACE,
    "venerables": r"(?P<faces>\w+(?: \w+){0,2})",
    "first": r"(?P<player>[A-H])",
    "draw": r"(?P<count>\d+)",
    "look": r"(?P<token>any|[tuwxyz]+\d+)",
    "invoke": PLACE + r"(?:@(?P<at>[123]))?",
    "transform": FACE + r" (?P<edge>left|right)(?P<turned> turned)?",
    "recruit": ANIMAL + r" (?P<to>hand|top|under)",
    "pass": "",
    "end": "",
    "ruse": REFERENCE + r" to (?P<to>[123])",
    "arcane": r"(?P<token>any|[tuwxyz]+\d+) to " + REFERENCE,
    "stow": r"(?P<count>\d+)",
    "reveal": r"(?P<token>[tuwxyz]+\d+) (?P<value>\d|destroy)",
    "take": FACE,
    "replace": PLACE + r"(?:@(?P<at>[123]|druid))?(?:#(?P<nth>\d+))?",
    "bottom": FACE,
    "audit": r"(?P<subject>.+) (?P<count>\d+)",
}
OBSERVED = ("groves", "elite", "venerables", "first", "reveal", "audit")
CHANCE = (*OBSERVED, "draw", "look")
"""Brought by chance: no decision of whoever says it."""


def parsed(text: str) -> Line | None:
    """The fields of a line; None if it is no line of the game."""
    found = re.fullmatch(r"(?:([A-H]) )?([a-z]+)(?: (.*))?", text)
    if not found or found[2] not in FORMS:
        return None
    fields = re.fullmatch(FORMS[found[2]], found[3] or "")
    if not fields:
        return None
    line: Line = {"by": None if found[2] in OBSERVED else found[1], "verb": found[2]}
    line.update(fields.groupdict())
    for name in ("count", "nth"):
        if line.get(name) is not None:
            line[name] = int(line[name])
    return line


# The table


def start(opening: str, kit: dict[str, Any]) -> Table:
    """The table after ``table A=… B=… [first P] [readings name=value …]``."""
    found = re.fullmatch(
        r"table A=(\w+) B=(\w+)(?: first ([AB]))?(?: readings ([^ ]+=[^ ]+(?: [^ ]+=[^ ]+)*))?",
        opening,
    )
    assert found, opening
    said = dict(pair.split("=") for pair in (found[4] or "").split())
    first = found[3]
    waiting = ["groves", *(f"elite {animal}" for animal in kit["animals"]), "venerables"]
    waiting += ["first"] * (first is None)
    waiting += [f"{verb} {seat}" for verb in ("draw", "look") for seat in SEATS]
    values = [token["value"] for token in kit["tokens"] for _ in range(token["count"])]
    unseen = tuple((UNSEEN,) for _ in kit["base"])
    return {
        "kit": kit,
        "cards": {
            card["id"]: card for kind in ("base", "elites", "venerables") for card in kit[kind]
        },
        "base": [card["id"] for card in kit["base"]],
        "venerable": [card["id"] for card in kit["venerables"]],
        "druids": dict(zip(SEATS, (found[1], found[2]), strict=True)),
        "readings": {**DEFAULTS, **said},
        "step": "setup",
        "waiting": waiting,
        "round": 1,
        "turn": 1,
        "first": first,
        "groves": [],
        "control": [None, None, None],
        "totals": {},
        "columns": {seat: [[], [], []] for seat in SEATS},
        "pile": {seat: [] for seat in SEATS},
        "turned": dict.fromkeys(SEATS, False),
        "seen": {seat: [] for seat in SEATS},
        "recruits_of": {seat: [] for seat in SEATS},
        "worlds": {seat: {((), unseen)} for seat in SEATS},
        "shown": dict.fromkeys(kit["animals"]),
        "elite_deck": Counter({card["id"]: card["copies"] for card in kit["elites"]}),
        "display": [],
        "venerable_deck": [card["id"] for card in kit["venerables"]],
        "reserve": [f"t{number}" for number in range(1, len(values) + 1)],
        "labels": {"t": len(values)},
        "pools": {"t": Counter(values)},
        "looked": {seat: set() for seat in SEATS},
        "discard": [],
        "loose": [],
        "box": [],
        "open": nothing_open(),
        "last": dict.fromkeys(SEATS),
        "actor": None,
        "played": None,
        "tied_last": False,
        "result": None,
    }


def nothing_open() -> dict[str, Any]:
    return {
        "ruse": 0,
        "arcane": 0,
        "recruits": [],
        "recruited": [],
        "beside": None,
        "turned": False,
        "elites": [],
        "grove": 0,
        "winner": None,
        "tied": False,
        "taken": None,
        "effects": [],
    }


def other(seat: str) -> str:
    return "B" if seat == "A" else "A"


def reads(table: Table, name: str, value: str) -> bool:
    return bool(table["readings"][name] == value)


def turn_player(table: Table, turn: int) -> str:
    sides = "FSFSFS" if reads(table, "turn_order", "alternate") else table["kit"]["turn_sides"]
    first: str = table["first"]
    return first if sides[turn - 1] == "F" else other(first)


def active_grove(table: Table) -> int:
    grove: int = table["kit"]["active_grove"][table["turn"] - 1]
    return grove


def to_act(table: Table) -> str | None:
    """Whom the flow names, if it is one player."""
    if table["step"] in ("action", "recruit"):
        return turn_player(table, table["turn"])
    if table["step"] == "symbols":
        winner: str | None = table["open"]["winner"]
        return winner or turn_player(table, table["turn"])
    if table["step"] in ("take", "replace", "effects"):
        return str(table["open"]["winner"])
    return None


def hand_size(table: Table, seat: str) -> int:
    return len(next(iter(table["worlds"][seat]))[0])


def deck_size(table: Table, seat: str) -> int:
    return sum(map(len, next(iter(table["worlds"][seat]))[1]))


def is_venerable(table: Table, face: str) -> bool:
    return face in table["venerable"]


def is_elite(table: Table, face: str) -> bool:
    return face in table["cards"] and "copies" in table["cards"][face]


def cards_at(table: Table, grove: int) -> Iterator[tuple[str, Card]]:
    for seat in SEATS:
        for card in table["columns"][seat][grove - 1]:
            yield seat, card


def all_cards(table: Table) -> Iterator[tuple[str, Card]]:
    for grove in (1, 2, 3):
        yield from cards_at(table, grove)


def named_card(table: Table, seat: str, face: str, at: str, nth: int | None) -> Card | None:
    """The n-th card of that face in a column, or one of a pile."""
    cards = (
        [{"face": lying} for lying in table["pile"][seat]]
        if at == "druid"
        else table["columns"][seat][int(at) - 1]
    )
    same = [card for card in cards if card["face"] == face]
    return same[(nth or 1) - 1] if 1 <= (nth or 1) <= len(same) else None


def is_label(table: Table, label: str) -> bool:
    letter, number = label.rstrip("0123456789"), label.lstrip(LETTERS)
    return 1 <= int(number) <= table["labels"].get(letter, 0) and not number.startswith("0")


def hidden_tokens_at(table: Table, grove: int) -> list[str]:
    return [
        token["label"]
        for _, card in cards_at(table, grove)
        for token in card["tokens"]
        if token["value"] is None
    ]


# Hidden cards


def as_hidden(table: Table, face: str) -> str:
    return UNSEEN if face in table["base"] else face


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    rest = list(cards)
    rest.remove(card)
    return tuple(rest)


def subsets(cards: tuple[str, ...], count: int) -> set[tuple[str, ...]]:
    return set(combinations(sorted(cards), count))


def after_drawing(world: World, count: int) -> set[World]:
    hand, deck = world
    if count == 0:
        return {world}
    top, *rest = deck
    if len(top) <= count:
        return after_drawing((tuple(sorted(hand + top)), tuple(rest)), count - len(top))
    worlds = set()
    for drawn in subsets(top, count):
        left = top
        for card in drawn:
            left = without(left, card)
        worlds.add((tuple(sorted(hand + drawn)), (left, *rest)))
    return worlds


def after_playing(world: World, card: str) -> set[World]:
    hand, deck = world
    return {(without(hand, card), deck)} if card in hand else set()


def after_bottom(world: World, card: str) -> set[World]:
    hand, deck = world
    if not deck or card not in deck[-1]:
        return set()
    left = without(deck[-1], card)
    return {(hand, deck[:-1] + ((left,) if left else ()))}


def after_recruiting(world: World, card: str, to: str) -> set[World]:
    hand, deck = world
    if to == "hand":
        return {(tuple(sorted((*hand, card))), deck)}
    return {(hand, ((card,), *deck) if to == "top" else (*deck, (card,)))}


def after_stowing(world: World) -> set[World]:
    hand, deck = world
    return {((), (*deck, hand) if hand else deck)}


def all_after(worlds: set[World], change: Any, *args: Any) -> set[World]:
    return {after for world in worlds for after in change(world, *args)}


# Strength and Domination


def strength(table: Table, seat: str, grove: int) -> int:
    """The total as it stands; hidden tokens give nothing."""
    column = table["columns"][seat][grove - 1]
    pile = table["pile"][seat]
    transformation = table["cards"][pile[-1]]["animal"] if pile else None
    total = 0
    for card in column:
        printed = table["cards"][card["face"]]
        if printed["strength"] == "per_venerable_in_column":
            total += venerables_in(table, column)
        else:
            total += printed["strength"]
        for token in card["tokens"]:
            total += int(token["value"]) if token["value"] not in (None, "destroy") else 0
        if not is_venerable(table, card["face"]):
            total += printed["animal"] == transformation
            total += bool(table["groves"]) and printed["animal"] == table["groves"][grove - 1]
    return total


def venerables_in(table: Table, column: list[Card]) -> int:
    return sum(is_venerable(table, card["face"]) for card in column)


def domination(table: Table, seat: str) -> int:
    total = 0
    for column in table["columns"][seat]:
        for card in column:
            total += domination_of(table, card, column)
    if table["pile"][seat]:
        total += table["cards"][table["pile"][seat][-1]].get("domination", 0)
    return total


def domination_of(table: Table, card: Card, column: list[Card]) -> int:
    printed = table["cards"][card["face"]].get("domination", 0)
    if is_elite(table, card["face"]) and reads(table, "column_domination", "uncovered"):
        return int(printed) if card is column[-1] else 0
    if printed == "per_venerable_in_column":
        return venerables_in(table, column)
    if printed == "per_animal_in_column":
        others = [c["face"] for c in column if not is_venerable(table, c["face"])]
        if reads(table, "r1_counts", "faces"):
            return min(3, len(set(others)))
        return len({table["cards"][face]["animal"] for face in others})
    return int(printed)


# What a line may be


def legal(table: Table, text: str) -> Verdict:
    line = parsed(text)
    if line is None:
        return False, "form"
    faces = [line["face"]] if line.get("face") else []
    if line["verb"] == "venerables":
        faces = line["faces"].split()
    if any(face not in table["cards"] for face in faces):
        return False, "form"
    if line["by"] not in (None, *SEATS):
        return False, None
    if line["verb"] == "audit":
        return (True, None) if counted(table, line["subject"]) is not None else (False, "form")
    table, line = understood(table, line)
    clause = broken(table, line)
    return clause == "", clause or None


def understood(table: Table, line: Line) -> tuple[Table, Line]:
    """Who is meant, and at which table: whoever owes it, now or once symbols were given up in
    silence; else whoever acted last. What chance brings is nobody's."""
    meant = owing(table, line)
    if meant is not None:
        return table, {**line, "by": meant or line["by"]}
    later = table
    while (seat := may_end(later)) is not None:
        later = play(later, f"{seat} end") | {"actor": table["actor"]}  # nobody has said so yet
        meant = owing(later, line)
        if meant is not None:
            return later, {**line, "by": meant or line["by"]}
    if later is not table and later["step"] != "over" and line["verb"] in CHANCE:
        return later, line
    if line["by"] is None and line["verb"] not in CHANCE:
        alone = due_seats(table)
        line = {**line, "by": table["actor"] or (alone[0] if len(alone) == 1 else None)}
    return table, line


def owing(table: Table, line: Line) -> str | None:
    """Whose duty a line is: a seat, "" for nobody's, or None where it is not owed."""
    if line["verb"] in owed(table, None):
        return ""
    seats = [seat for seat in SEATS if line["verb"] in owed(table, seat)]
    if line["by"] is not None:
        return line["by"] if line["by"] in seats else None
    if len(seats) == 2:
        seats = [seat for seat in SEATS if broken(table, {**line, "by": seat}) == ""]
        return seats[0] if len(seats) == 1 else ""
    return seats[0] if seats else None


def owed(table: Table, seat: str | None) -> list[str]:
    """What a seat may say now, or (None) anybody may tell."""
    step, opened = table["step"], table["open"]
    if step == "over":
        return []
    if table["loose"]:
        return ["reveal"] if seat is None else []
    if step not in ("setup", "prepare") and elites_due(table):
        return ["elite"] if seat is None else []
    if step in ("setup", "prepare"):
        words = [one.split() for one in table["waiting"]]
        late = [w[1] for w in words if w[0] == "draw"]
        return [
            w[0]
            for w in words
            if (w[1:] == [seat] and not (w[0] == "look" and seat in late))
            or (seat is None and w[0] not in ("draw", "look"))
        ]
    if step == "reveal":
        return ["reveal"] if seat is None else []
    if step == "stow":
        return ["stow"] if seat is not None and hand_size(table, seat) else []
    if seat != to_act(table) or seat is None:
        return []
    if step == "action":
        return ["invoke", "transform"] if hand_size(table, seat) else ["pass"]
    if step == "recruit":
        return ["recruit", *(["end"] if reads(table, "recruit_duty", "no") else [])]
    if step == "symbols":
        return [symbol for symbol in ("ruse", "arcane") if opened[symbol]] + ["end"]
    if step == "effects":
        order = reads(table, "venerable_effects", "printed_order")
        return list(opened["effects"][:1] if order else opened["effects"])
    return [step]


def due_seats(table: Table) -> list[str]:
    return [seat for seat in SEATS if owed(table, seat)]


def may_end(table: Table) -> str | None:
    """Who could say that it is enough, and need not."""
    if not reads(table, "turn_end", "silence"):
        return None
    return next((seat for seat in SEATS if "end" in owed(table, seat)), None)


def broken(table: Table, line: Line) -> str | None:
    """The clause a line breaks: "" for none, None if it breaks one of no certain name."""
    if table["step"] == "over":
        return "GRV-WIN-5"
    if is_over_already(table, line):
        return ""
    if line["verb"] == "first" and line["player"] not in SEATS:
        return None
    if table["step"] == "setup":
        return broken_in_setup(table, line)
    if table["step"] == "prepare":
        return broken_in_preparation(table, line)
    if elites_due(table):
        return broken_showing_elite(table, line)
    if line["verb"] == "elite":
        return broken_elite(table, line["face"])
    if table["loose"]:
        return broken_with_loose_tokens(table, line)
    if line["verb"] == "groves":
        return "GRV-SET-4"
    if line["verb"] == "first":
        return "GRV-SET-12"
    if line["verb"] in ("draw", "venerables"):
        return "GRV-PREP-1"
    if table["step"] == "stow":
        return broken_in_stow(table, line)
    if table["open"]["grove"]:
        return broken_in_resolution(table, line)
    return broken_in_turn(table, line)


def is_over_already(table: Table, line: Line) -> bool:
    """Whether an end only says what has happened by itself."""
    by, due = line["by"], due_seats(table)
    return (
        line["verb"] == "end"
        and by is not None
        and by == table["actor"]
        and (by not in (due or [by]) or table["step"] == "action")
    )


def broken_in_setup(table: Table, line: Line) -> str | None:
    verb, waiting = line["verb"], table["waiting"]
    if verb == "groves":
        once = sorted(line["animals"].split()) == sorted(table["kit"]["animals"])
        return "" if once and "groves" in waiting else "GRV-SET-4"
    if verb == "elite":
        return broken_elite(table, line["face"])
    if verb == "venerables":
        return "" if "venerables" in waiting and next_venerables(table, line) else "GRV-SET-11"
    if verb == "first":
        return "" if "first" in waiting else "GRV-SET-12"
    if verb == "draw":
        if line["by"] is None:
            return None
        due = f"draw {line['by']}" in waiting
        return "" if due and line["count"] == table["kit"]["hand_draw"] else "GRV-SET-15"
    if verb == "look":
        if line["by"] is None:
            return None
        if f"draw {line['by']}" in waiting or f"look {line['by']}" not in waiting:
            return "GRV-SET-16"
        return broken_look(table, line) or (
            "GRV-SET-17" if line["token"] in table["looked"][other(line["by"])] else ""
        )
    return "GRV-SET-20"


def broken_elite(table: Table, face: str) -> str | None:
    if table["step"] == "setup":
        if not is_elite(table, face):
            return None if all(table["shown"].values()) else "GRV-SET-6"
        return "GRV-SET-7" if table["shown"][table["cards"][face]["animal"]] else ""
    shown = is_elite(table, face) and table["shown"][table["cards"][face]["animal"]]
    return "GRV-SET-7" if shown else None


def next_venerables(table: Table, line: Line) -> bool:
    """Three from the top of their deck, where the red ones lie at the bottom."""
    faces = line["faces"].split()
    left = table["venerable_deck"]
    plain = [face for face in left if table["cards"][face]["back"] == "plain"]
    return (
        len(set(faces)) == len(faces) == table["kit"]["shown_venerables"]
        and all(face in left for face in faces)
        and sum(face in plain for face in faces) == min(len(plain), len(faces))
    )


def broken_look(table: Table, line: Line) -> str | None:
    """Which token is looked at, once a look is due."""
    if (line["token"] == "any") != reads(table, "token_tracking", "heap"):
        if line["token"] != "any" and not is_label(table, line["token"]):
            return "form"
        return "GRV-SET-18"
    if line["token"] == "any":
        return ""
    if not is_label(table, line["token"]):
        return "form"
    return "" if line["token"] in table["reserve"] else "GRV-VEF-5"


def broken_in_preparation(table: Table, line: Line) -> str | None:
    verb = line["verb"]
    if verb == "venerables":
        due = "venerables" in table["waiting"]
        return "" if due and next_venerables(table, line) else "GRV-PREP-2"
    if verb == "draw":
        if line["by"] is None:
            return None
        if f"draw {line['by']}" not in table["waiting"]:
            drawn = hand_size(table, line["by"]) or deck_size(table, line["by"])
            return "GRV-PREP-3" if drawn else "GRV-PREP-4"
        deck, usual = deck_size(table, line["by"]), table["kit"]["hand_draw"]
        if line["count"] == min(deck, usual):
            return ""
        return "GRV-PREP-4" if deck < usual else "GRV-PREP-3"
    if verb == "look":
        return "GRV-SET-19"
    if verb == "first":
        return "GRV-SET-12"
    if verb == "groves":
        return "GRV-SET-4"
    if verb == "elite":
        return broken_elite(table, line["face"])
    return "GRV-RES-7" if verb == "take" and table["tied_last"] else "GRV-PREP-1"


def elites_due(table: Table) -> bool:
    """Whether Elites must be shown before anything else."""
    opened = table["open"]
    if not opened["elites"]:
        return False
    if reads(table, "elite_refill", "at_once"):
        return True
    done = not (opened["effects"] or opened["ruse"] or opened["arcane"])
    return done and table["step"] != "recruit"


def broken_showing_elite(table: Table, line: Line) -> str | None:
    if line["verb"] != "elite":
        return "GRV-REC-6"
    face = line["face"]
    if not is_elite(table, face) or table["cards"][face]["animal"] not in table["open"]["elites"]:
        return "GRV-SET-6"
    return "" if table["elite_deck"][face] else "GRV-SET-8"


def broken_with_loose_tokens(table: Table, line: Line) -> str | None:
    if line["verb"] != "reveal":
        return None
    if not is_label(table, line["token"]):
        return "form"
    if line["token"] not in table["loose"]:
        lying = any(line["token"] in hidden_tokens_at(table, grove) for grove in (1, 2, 3))
        return "GRV-ARC-10" if lying and not table["open"]["grove"] else None
    return broken_value(table, line)


def broken_value(table: Table, line: Line) -> str:
    pool = table["pools"][line["token"].rstrip("0123456789")]
    return "" if pool[line["value"]] else "GRV-RES-4"


# The turn


def broken_in_turn(table: Table, line: Line) -> str | None:
    verb, seat, opened = line["verb"], line["by"], table["open"]
    player = turn_player(table, table["turn"])
    if verb == "reveal":
        return "GRV-ARC-10" if is_label(table, line["token"]) else "form"
    if verb == "look":
        return "GRV-SET-19"
    if verb in ("ruse", "arcane") and not (opened[verb] and seat == player):
        if table["step"] != "action" and seat != player:
            return None
        return missing_symbol(table, line)
    if verb == "recruit" and not (opened["recruits"] and seat == player):
        if table["step"] != "action" and seat != player:
            return "GRV-TURN-9"
        return missing_recruit(table, line)
    if table["step"] in ("recruit", "symbols"):
        if seat != player:
            return "GRV-TURN-9"
        if verb in ("invoke", "transform"):
            return "GRV-TURN-3"
        if verb == "end":
            if table["step"] == "recruit" and reads(table, "recruit_duty", "yes"):
                return "GRV-REC-2"
            return ""
        if verb == "ruse":
            return broken_ruse(table, line)
        if verb == "arcane":
            return broken_arcane(table, line)
        if verb == "recruit":
            return broken_recruit(table, line)
        return "GRV-TURN-3" if verb == "pass" else "GRV-TURN-9"
    if verb not in ("invoke", "transform", "pass", "end"):
        return "GRV-TURN-1"
    if seat != player:
        return "GRV-TURN-2"
    if verb == "pass":
        return "GRV-TURN-5" if hand_size(table, seat) else ""
    if verb == "end":
        return "GRV-TURN-5" if hand_size(table, seat) else "GRV-TURN-6"
    return broken_action(table, line)


def broken_action(table: Table, line: Line) -> str | None:
    seat, face = line["by"], line["face"]
    if not hand_size(table, seat):
        return "GRV-TURN-6"
    if is_venerable(table, face):
        return "GRV-TURN-10"
    if line["verb"] == "invoke":
        if line["side"] not in (None, seat):
            return "GRV-INV-1" if line["side"] in SEATS else None
        if line["at"] is not None and int(line["at"]) != active_grove(table):
            return "GRV-INV-2"
    elif line["turned"] and reads(table, "card_rotation", "no"):
        return "GRV-TRF-6"
    return broken_face(table, seat, face, after_playing, "GRV-HID-3")


def broken_face(table: Table, seat: str, face: str, change: Any, clause: str) -> str | None:
    """Whether a card can come from a hidden place, in any of the worlds."""
    if face in table["base"] and face in table["seen"][seat]:
        return "GRV-HID-4" if clause == "GRV-HID-3" else clause
    if all_after(table["worlds"][seat], change, as_hidden(table, face)):
        return ""
    if clause == "GRV-HID-3" and face in table["seen"][seat]:
        played, gained = (table[name][seat].count(face) for name in ("seen", "recruits_of"))
        if face in table["shown"].values():  # it can be another copy, straight from the display
            return "GRV-HID-3" if played == gained else None
        return "GRV-HID-5" if played == gained else None
    return clause


def missing_symbol(table: Table, line: Line) -> str | None:
    """Why no such symbol is open: the last action of the seat, or of who played last, tells."""
    last = table["last"].get(line["by"] or table["played"])
    if last is None:
        return "GRV-INV-6"
    if last["verb"] == "transform":
        return "GRV-TRF-7" if reads(table, "transform_symbols", "no") else None
    if last["verb"] == "pass":
        return None
    return str(last["missing"].get(line["verb"], "GRV-INV-6"))


def broken_ruse(table: Table, line: Line) -> str | None:
    side = line["side"] or line["by"]
    if side not in SEATS or named_card(table, side, line["face"], line["at"], line["nth"]) is None:
        return "form"
    if line["at"] == "druid":
        return "GRV-RUSE-10"
    if side != line["by"]:
        return "GRV-RUSE-2"
    if is_venerable(table, line["face"]) and reads(table, "ruse_venerables", "no"):
        return "GRV-RUSE-3"
    return "" if abs(int(line["at"]) - int(line["to"])) == 1 else "GRV-RUSE-4"


def broken_arcane(table: Table, line: Line) -> str | None:
    side, token = line["side"] or line["by"], line["token"]
    if token != "any" and not is_label(table, token):
        return "form"
    if side not in SEATS or named_card(table, side, line["face"], line["at"], line["nth"]) is None:
        return "form"
    if (token == "any") != reads(table, "token_tracking", "heap"):
        return "GRV-SET-18"
    if token != "any" and token not in table["reserve"]:
        return "GRV-ARC-14"
    if line["at"] == "druid":
        return "GRV-ARC-7"
    if side != line["by"] and is_venerable(table, line["face"]):
        return "GRV-ARC-5"
    return ""


def missing_recruit(table: Table, line: Line) -> str:
    """Why there is nothing to recruit: by the last action of the seat, or of who played last."""
    seat = line["by"] or table["played"]
    last = table["last"][seat] if seat else None
    if last is None:
        return "GRV-REC-1"
    if last["icon"]:
        return "GRV-VEF-2"
    if line["animal"] in last["recruited"]:
        return "GRV-REC-8"
    return "GRV-REC-9" if line["animal"] in last["void"] else "GRV-REC-1"


def broken_recruit(table: Table, line: Line) -> str | None:
    if line["animal"] in table["open"]["recruited"]:
        return "GRV-REC-8"
    if line["animal"] not in table["open"]["recruits"]:
        seat = line["by"] or table["played"]
        lapsed = line["animal"] in table["last"][seat]["void"]
        return "GRV-REC-9" if lapsed else "GRV-REC-1"
    if line["to"] == "top" and reads(table, "recruit_to_top", "no"):
        return "GRV-REC-4"
    return ""


# The end of a round


def broken_in_stow(table: Table, line: Line) -> str | None:
    if line["verb"] in ("ruse", "arcane"):
        return missing_symbol(table, line)
    if line["verb"] == "recruit":
        return missing_recruit(table, line)
    if line["verb"] != "stow":
        return "GRV-END-3"
    if line["by"] is None:
        return None
    if not hand_size(table, line["by"]):
        return "GRV-END-5"
    return "" if line["count"] == hand_size(table, line["by"]) else "GRV-END-4"


def broken_in_resolution(table: Table, line: Line) -> str | None:
    verb, seat, opened, step = line["verb"], line["by"], table["open"], table["step"]
    if verb == "reveal":
        return broken_reveal(table, line)
    if verb == "stow":
        return "GRV-END-5" if seat else None
    if step == "symbols":
        return broken_bottom_symbols(table, line)
    if verb in ("invoke", "transform"):
        return "GRV-RES-12"
    if verb in ("ruse", "arcane"):
        last = table["last"].get(seat or table["played"])
        return "GRV-VEF-7" if last and last["verb"] == "bottom" else "GRV-RES-12"
    if verb == "recruit" and "recruit" not in opened["effects"]:
        return missing_recruit(table, line)
    if step == "reveal":
        if verb == "take":
            return "GRV-RES-7" if opened["tied"] else "GRV-RES-2"
        return "GRV-VEF-2" if verb in ("look", "bottom") else None
    if seat != opened["winner"]:
        return "GRV-VEN-1" if verb == "take" and step == "take" else None
    if verb == "take":
        if step != "take":
            return None
        return "" if line["face"] in table["display"] else "GRV-VEN-2"
    if verb in ("end", "pass"):
        return {"take": "GRV-VEN-1", "replace": "GRV-VEN-3", "effects": "GRV-VEF-1"}[step]
    if verb == "replace":
        return broken_replace(table, line) if step == "replace" else None
    if step != "effects":
        return "GRV-VEN-7" if verb in ("look", "bottom") else None
    return broken_effect(table, line)


def broken_reveal(table: Table, line: Line) -> str | None:
    if not is_label(table, line["token"]):
        return "form"
    if table["step"] != "reveal":
        return "GRV-RES-8"
    if line["token"] not in hidden_tokens_at(table, table["open"]["grove"]):
        return "GRV-RES-1"
    return broken_value(table, line)


def broken_bottom_symbols(table: Table, line: Line) -> str | None:
    """The winner uses the symbols of the card that came from under the deck."""
    if line["by"] != table["open"]["winner"]:
        return None
    if line["verb"] == "end":
        return ""
    if line["verb"] == "ruse" and table["open"]["ruse"]:
        return broken_ruse(table, line)
    if line["verb"] == "arcane" and table["open"]["arcane"]:
        return broken_arcane(table, line)
    return None


def broken_replace(table: Table, line: Line) -> str | None:
    grove, seat = str(table["open"]["grove"]), line["by"]
    side, at = line["side"] or seat, line["at"] or grove
    if side not in SEATS or at == "druid":
        return None
    card = named_card(table, side, line["face"], at, line["nth"])
    if card is None:
        return None if line["at"] else "GRV-VEN-3"
    own = side == seat and at == grove and not is_venerable(table, line["face"])
    return "" if own else "GRV-VEN-3"


def broken_effect(table: Table, line: Line) -> str | None:
    verb, effects = line["verb"], table["open"]["effects"]
    if verb not in effects:
        return "GRV-VEF-2" if verb in ("look", "bottom") else None
    if reads(table, "venerable_effects", "printed_order") and verb != effects[0]:
        return "GRV-VEF-2" if verb in ("look", "bottom") else None
    if verb == "look":
        return broken_look(table, line)
    if verb == "bottom":
        if is_venerable(table, line["face"]):
            return "GRV-TURN-10"
        return broken_face(table, line["by"], line["face"], after_bottom, "GRV-VEF-9")
    if table["shown"][line["animal"]] is None:
        return None
    return "GRV-VEF-3" if line["to"] == "hand" else ""


# What a line makes of the table


def play(table: Table, text: str) -> Table:
    """The table after a legal line."""
    printed = {name: table[name] for name in ("kit", "cards", "base", "venerable")}
    table = printed | {n: copied(part) for n, part in table.items() if n not in printed}
    line = parsed(text)
    assert line is not None, text
    if line["verb"] == "audit":
        return table
    table, line = understood(table, line)
    if is_over_already(table, line):
        table["actor"] = None
        return table
    PLAYS[line["verb"]](table, line)
    if line["verb"] not in CHANCE:
        table["actor"] = line["by"] if line["verb"] != "end" else None
    go_on(table)
    return table


def copied(part: Any) -> Any:
    if isinstance(part, dict):
        return type(part)({name: copied(value) for name, value in part.items()})
    if isinstance(part, list):
        return [copied(value) for value in part]
    return set(part) if isinstance(part, set) else part


def play_groves(table: Table, line: Line) -> None:
    table["groves"] = line["animals"].split()
    table["waiting"].remove("groves")


def play_elite(table: Table, line: Line) -> None:
    animal = table["cards"][line["face"]]["animal"]
    table["shown"][animal] = line["face"]
    table["elite_deck"][line["face"]] -= 1
    if table["step"] == "setup":
        table["waiting"].remove(f"elite {animal}")
    else:
        table["open"]["elites"].remove(animal)


def play_venerables(table: Table, line: Line) -> None:
    table["display"] = line["faces"].split()
    for face in table["display"]:
        table["venerable_deck"].remove(face)
    table["waiting"].remove("venerables")


def play_first(table: Table, line: Line) -> None:
    table["first"] = line["player"]
    table["waiting"].remove("first")


def play_draw(table: Table, line: Line) -> None:
    change_worlds(table, line["by"], after_drawing, line["count"])
    table["waiting"].remove(f"draw {line['by']}")


def play_look(table: Table, line: Line) -> None:
    if line["token"] != "any":
        table["looked"][line["by"]].add(line["token"])
    if table["step"] == "setup":
        table["waiting"].remove(f"look {line['by']}")
    else:
        table["open"]["effects"].remove("look")


def play_invoke(table: Table, line: Line) -> None:
    seat, face = line["by"], line["face"]
    change_worlds(table, seat, after_playing, as_hidden(table, face))
    table["seen"][seat].append(face)
    lay_card(table, seat, active_grove(table), face)
    remember(table, seat, "invoke")
    open_symbols(table, face)
    table["step"] = "symbols"


def lay_card(table: Table, seat: str, grove: int, face: str) -> None:
    table["columns"][seat][grove - 1].append({"face": face, "tokens": []})


def remember(table: Table, seat: str, verb: str) -> None:
    table["played"] = seat
    table["last"][seat] = {
        "verb": verb,
        "missing": {},
        "recruited": [],
        "void": [],
        "icon": False,
    }


def open_symbols(table: Table, face: str) -> None:
    for symbol in ("ruse", "arcane"):
        table["open"][symbol] = table["cards"][face][symbol]


def play_transform(table: Table, line: Line) -> None:
    seat, face, opened = line["by"], line["face"], table["open"]
    change_worlds(table, seat, after_playing, as_hidden(table, face))
    table["seen"][seat].append(face)
    remember(table, seat, "transform")
    opened["beside"], opened["turned"] = face, bool(line["turned"])
    inner = {"left": "right", "right": "left"}[line["edge"]]
    halves = edge(table["cards"][face], inner, turned=opened["turned"])
    facing = transformation_edge(table, seat, line["edge"])
    opened["recruits"] = [
        animal for animal in table["kit"]["animals"] if animal in halves and animal in facing
    ]
    table["step"] = "recruit"


def edge(card: dict[str, Any], side: str, *, turned: bool) -> list[str]:
    if turned:
        side = {"left": "right", "right": "left"}[side]
    halves: list[str] = card[side]
    return halves


def transformation_edge(table: Table, seat: str, side: str) -> list[str]:
    if table["pile"][seat]:
        top = table["cards"][table["pile"][seat][-1]]
        return edge(top, side, turned=table["turned"][seat])
    druid = next(d for d in table["kit"]["druids"] if d["id"] == table["druids"][seat])
    return edge(druid, side, turned=False)


def play_recruit(table: Table, line: Line) -> None:
    animal, opened = line["animal"], table["open"]
    face = table["shown"][animal]
    change_worlds(table, line["by"], after_recruiting, face, line["to"])
    table["recruits_of"][line["by"]].append(face)
    table["shown"][animal] = None
    if cards_left(table, animal):
        opened["elites"].append(animal)
    last = table["last"][line["by"]]
    last["recruited"].append(animal)
    last["icon"] = table["step"] != "recruit"
    if table["step"] == "recruit":
        opened["recruits"].remove(animal)
        opened["recruited"].append(animal)
    else:
        opened["effects"].remove("recruit")


def cards_left(table: Table, animal: str) -> int:
    deck = table["elite_deck"].items()
    return sum(count for face, count in deck if table["cards"][face]["animal"] == animal)


def play_pass(table: Table, line: Line) -> None:
    remember(table, line["by"], "pass")
    end_turn(table)


def play_end(table: Table, line: Line) -> None:
    opened = table["open"]
    last = table["last"][line["by"]]
    for symbol in ("ruse", "arcane"):
        if opened[symbol]:
            last["missing"][symbol] = "GRV-INV-9"
            opened[symbol] = 0
    opened["recruits"] = []


def play_ruse(table: Table, line: Line) -> None:
    seat, opened = line["by"], table["open"]
    card = named_card(table, seat, line["face"], line["at"], line["nth"])
    assert card is not None
    source = table["columns"][seat][int(line["at"]) - 1]
    del source[next(index for index, other_card in enumerate(source) if other_card is card)]
    table["columns"][seat][int(line["to"]) - 1].append(card)
    if reads(table, "ruse_tokens", "discard"):
        for token in card["tokens"]:
            if token["value"] is None:
                table["loose"].append(token["label"])
            else:
                table["discard"].append(token["value"])
        card["tokens"] = []
    used_symbol(table, seat, "ruse")
    if opened["arcane"] and reads(table, "symbol_order", "arcane_first"):
        opened["arcane"] = 0
        table["last"][seat]["missing"]["arcane"] = "GRV-INV-8"


def used_symbol(table: Table, seat: str, symbol: str) -> None:
    table["open"][symbol] -= 1
    if not table["open"][symbol] and table["last"][seat] is not None:
        table["last"][seat]["missing"][symbol] = "GRV-INV-7"


def play_arcane(table: Table, line: Line) -> None:
    seat, opened, token = line["by"], table["open"], line["token"]
    card = named_card(table, line["side"] or seat, line["face"], line["at"], line["nth"])
    assert card is not None
    if token == "any":
        token = max(table["reserve"], key=lambda label: int(label.lstrip(LETTERS)))
    table["reserve"].remove(token)
    card["tokens"].append({"label": token, "value": None})
    used_symbol(table, seat, "arcane")
    if opened["ruse"] and reads(table, "symbol_order", "ruse_first"):
        opened["ruse"] = 0
        table["last"][seat]["missing"]["ruse"] = "GRV-INV-8"
    if reads(table, "arcane_reshuffle", "immediate"):
        renew_reserve(table)


def renew_reserve(table: Table) -> None:
    """An exhausted reserve is the discard, shuffled and labelled anew."""
    if table["reserve"] or not table["discard"]:
        return
    repeats, place = divmod(len(table["labels"]), len(LETTERS))
    letter = LETTERS[place] * (repeats + 1)
    table["labels"][letter] = len(table["discard"])
    table["pools"][letter] = Counter(table["discard"])
    table["reserve"] = [f"{letter}{n}" for n in range(1, len(table["discard"]) + 1)]
    table["discard"] = []


def play_stow(table: Table, line: Line) -> None:
    change_worlds(table, line["by"], after_stowing)


def play_reveal(table: Table, line: Line) -> None:
    label, value = line["token"], line["value"]
    table["pools"][label.rstrip("0123456789")][value] -= 1
    if label in table["loose"]:
        table["loose"].remove(label)
        table["discard"].append(value)
        return
    for _, card in all_cards(table):
        for token in card["tokens"]:
            if token["label"] == label:
                token["value"] = value


def play_take(table: Table, line: Line) -> None:
    opened = table["open"]
    column = table["columns"][line["by"]][opened["grove"] - 1]
    table["display"].remove(line["face"])
    if venerables_in(table, column) < len(column):
        opened["taken"] = line["face"]
        table["step"] = "replace"
        return
    lay_card(table, line["by"], opened["grove"], line["face"])
    open_effects(table, line["face"])


def play_replace(table: Table, line: Line) -> None:
    seat, opened = line["by"], table["open"]
    card = named_card(table, seat, line["face"], line["at"] or str(opened["grove"]), line["nth"])
    assert card is not None
    box_card(table, seat, card)
    card["face"], card["tokens"] = opened["taken"], []
    open_effects(table, opened["taken"])


def box_card(table: Table, seat: str, card: Card) -> None:
    """A card leaves the game; its tokens are discarded."""
    face = card["face"]
    table["box"].append(f"{seat}:{face}" if face in table["base"] else face)
    table["discard"] += [token["value"] for token in card["tokens"]]


def open_effects(table: Table, face: str) -> None:
    table["open"]["taken"] = face
    table["open"]["effects"] = list(table["cards"][face]["effects"])
    table["step"] = "effects"


def play_bottom(table: Table, line: Line) -> None:
    seat, face, opened = line["by"], line["face"], table["open"]
    change_worlds(table, seat, after_bottom, as_hidden(table, face))
    table["seen"][seat].append(face)
    lay_card(table, seat, opened["grove"], face)
    opened["effects"].remove("bottom")
    remember(table, seat, "bottom")
    if reads(table, "bottom_card_symbols", "active"):
        open_symbols(table, face)
        table["step"] = "symbols"


PLAYS = {
    "groves": play_groves,
    "elite": play_elite,
    "venerables": play_venerables,
    "first": play_first,
    "draw": play_draw,
    "look": play_look,
    "invoke": play_invoke,
    "transform": play_transform,
    "recruit": play_recruit,
    "pass": play_pass,
    "end": play_end,
    "ruse": play_ruse,
    "arcane": play_arcane,
    "stow": play_stow,
    "reveal": play_reveal,
    "take": play_take,
    "replace": play_replace,
    "bottom": play_bottom,
}


def change_worlds(table: Table, seat: str, change: Any, *args: Any) -> None:
    table["worlds"][seat] = all_after(table["worlds"][seat], change, *args)
    assert table["worlds"][seat], f"no hidden cards of {seat} fit"


# What follows by itself


def go_on(table: Table) -> None:
    """Everything up to the next line that somebody has to say."""
    step = table["step"]
    if step in ("setup", "prepare"):
        if not table["waiting"]:
            begin_round(table)
    elif elites_due(table) or table["loose"]:
        return
    elif step == "recruit":
        finish_recruits(table)
    elif step == "symbols":
        finish_symbols(table)
    elif step == "stow":
        if not any(hand_size(table, seat) for seat in SEATS):
            begin_grove(table, 1)
    elif step == "reveal":
        if not hidden_tokens_at(table, table["open"]["grove"]):
            compare(table)
    elif step == "effects":
        finish_effects(table)


def begin_round(table: Table) -> None:
    if table["step"] == "prepare":
        table["first"] = turn_player(table, 6)
        table["round"] += 1
        table["control"] = [None, None, None]
    table["turn"] = 1
    table["step"] = "action"
    table["open"] = nothing_open()
    table["last"] = dict.fromkeys(SEATS)


def end_turn(table: Table) -> None:
    table["open"] = nothing_open()
    if table["turn"] < 6:
        table["turn"] += 1
        table["step"] = "action"
    else:
        table["step"] = "stow"
        go_on(table)


def finish_recruits(table: Table) -> None:
    """A symbol without a shown Elite lapses; then the card goes on the pile."""
    opened, seat = table["open"], turn_player(table, table["turn"])
    void = [animal for animal in opened["recruits"] if not table["shown"][animal]]
    table["last"][seat]["void"] += void
    opened["recruits"] = [animal for animal in opened["recruits"] if animal not in void]
    if opened["recruits"]:
        return
    table["pile"][seat].append(opened["beside"])
    table["turned"][seat] = opened["turned"]
    if reads(table, "transform_symbols", "yes"):
        open_symbols(table, opened["beside"])
    opened["beside"] = None
    table["step"] = "symbols"
    finish_symbols(table)


def finish_symbols(table: Table) -> None:
    """Symbols nobody can use lapse; without any left the turn, or the icon, is over."""
    opened, seat = table["open"], to_act(table)
    assert seat is not None
    if opened["arcane"]:
        renew_reserve(table)
        if not table["reserve"]:
            opened["arcane"] = 0
            if table["last"][seat] is not None:
                table["last"][seat]["missing"]["arcane"] = "GRV-ARC-16"
    if opened["ruse"] and not movable(table, seat):
        opened["ruse"] = 0
        if table["last"][seat] is not None:
            table["last"][seat]["missing"]["ruse"] = "GRV-RUSE-3"
    if opened["ruse"] or opened["arcane"]:
        return
    if opened["grove"]:
        table["step"] = "effects"
        finish_effects(table)
    elif not elites_due(table):
        end_turn(table)


def movable(table: Table, seat: str) -> bool:
    cards = [card for column in table["columns"][seat] for card in column]
    if reads(table, "ruse_venerables", "no"):
        cards = [card for card in cards if not is_venerable(table, card["face"])]
    return bool(cards)


def begin_grove(table: Table, grove: int, *, tied: bool = False) -> None:
    table["open"] = nothing_open() | {"grove": grove, "tied": tied}
    table["step"] = "reveal"
    go_on(table)


def compare(table: Table) -> None:
    """All tokens are revealed: cards are destroyed, then totals decide."""
    grove = table["open"]["grove"]
    for seat in SEATS:
        column = table["columns"][seat][grove - 1]
        for card in list(column):
            if any(token["value"] == "destroy" for token in card["tokens"]):
                box_card(table, seat, card)
                del column[next(i for i, lying in enumerate(column) if lying is card)]
    totals = {seat: strength(table, seat, grove) for seat in SEATS}
    table["totals"][grove] = totals
    if totals["A"] == totals["B"]:
        finish_grove(table, tied=True)
        return
    winner = max(SEATS, key=lambda seat: totals[seat])
    table["control"][grove - 1] = winner
    table["open"]["winner"] = winner
    table["step"] = "take"
    if reads(table, "early_win", "at_comparison"):
        win_early(table)


def win_early(table: Table) -> bool:
    winner = table["control"][0]
    won = winner is not None and table["control"] == [winner] * 3
    if won:
        table["step"] = "over"
        table["result"] = {"winners": [winner], "how": "groves", "domination": {}}
    return won


def finish_effects(table: Table) -> None:
    """Icons that can do nothing lapse; without any left the Grove is finished."""
    opened = table["open"]
    if "look" in opened["effects"]:
        renew_reserve(table)
    possible = {
        "look": bool(table["reserve"]),
        "recruit": any(table["shown"].values()),
        "bottom": bool(deck_size(table, opened["winner"])),
    }
    opened["effects"] = [effect for effect in opened["effects"] if possible[effect]]
    if not opened["effects"] and not elites_due(table):
        finish_grove(table)


def finish_grove(table: Table, *, tied: bool = False) -> None:
    grove, table["tied_last"] = table["open"]["grove"], tied
    if reads(table, "token_discard", "grove"):
        discard_revealed(table)
    if grove < 3:
        begin_grove(table, grove + 1, tied=tied)
        return
    discard_revealed(table)
    table["box"] += table["display"]
    table["display"] = []
    if reads(table, "arcane_reshuffle", "immediate"):
        renew_reserve(table)
    table["open"] = nothing_open()
    if win_early(table):
        return
    if table["round"] == table["kit"]["rounds"]:
        count_domination(table)
        return
    table["step"] = "prepare"
    drawing = [f"draw {seat}" for seat in SEATS if deck_size(table, seat)]
    table["waiting"] = ["venerables", *drawing]


def discard_revealed(table: Table) -> None:
    for _, card in all_cards(table):
        shown = [token for token in card["tokens"] if token["value"] is not None]
        table["discard"] += [token["value"] for token in shown]
        card["tokens"] = [token for token in card["tokens"] if token["value"] is None]


def count_domination(table: Table) -> None:
    points = {seat: domination(table, seat) for seat in SEATS}
    piles = {seat: len(table["pile"][seat]) for seat in SEATS}
    winners, how = list(SEATS), "shared"
    if points["A"] != points["B"]:
        winners, how = [max(SEATS, key=lambda seat: points[seat])], "domination"
    elif piles["A"] != piles["B"]:
        winners, how = [max(SEATS, key=lambda seat: piles[seat])], "pile"
    table["step"] = "over"
    table["result"] = {"winners": winners, "how": how, "domination": points}


# What a table sees


def counted(table: Table, subject: str) -> int | None:
    """What a count of the real table should give; None for what cannot be counted."""
    words = subject.split()
    if len(words) == 1:
        return {
            "reserve": len(table["reserve"]),
            "discard": len(table["discard"]),
            "venerables": len(table["venerable_deck"]),
        }.get(subject)
    if words[0] == "elite" and words[1] in table["shown"]:
        return cards_left(table, words[1])
    if words[0] not in SEATS:
        return None
    seat = words[0]
    if len(words) == 3 and words[1] == "strength" and words[2] in "123":
        return strength(table, seat, int(words[2]))
    return {
        "hand": hand_size(table, seat),
        "deck": deck_size(table, seat),
        "pile": len(table["pile"][seat]),
        "domination": domination(table, seat),
    }.get(words[1])


def view(table: Table) -> dict[str, Any]:
    """The facts a table sees, in plain data."""
    opened = table["open"]
    return {
        "step": "effects" if table["step"] == "symbols" and opened["grove"] else table["step"],
        "round": table["round"],
        "turn": table["turn"],
        "first": table["first"],
        "groves": table["groves"],
        "control": table["control"],
        "elites": {animal: face for animal, face in table["shown"].items() if face},
        "venerables": sorted(table["display"]),
        "reserve": sorted(table["reserve"]),
        "discard": sorted(table["discard"]),
        "box": sorted(table["box"]),
        "loose": sorted(table["loose"]),
        "waiting": sorted(waited_for(table)),
        "open": None if table["step"] == "over" else view_of_open(opened),
        "players": {seat: view_of(table, seat) for seat in SEATS},
        "result": table["result"],
    }


def view_of_open(opened: dict[str, Any]) -> dict[str, Any]:
    plain = ("ruse", "arcane", "beside", "grove", "winner", "taken")
    in_any_order = ("recruits", "elites", "effects")
    return {name: opened[name] for name in plain} | {
        name: sorted(opened[name]) for name in in_any_order
    }


def waited_for(table: Table) -> list[str]:
    """What is still to be said, in any order, before play goes on."""
    if table["step"] == "stow":
        return [f"stow {seat}" for seat in SEATS if hand_size(table, seat)]
    return list(table["waiting"])


def view_of(table: Table, seat: str) -> dict[str, Any]:
    return {
        "columns": [
            [card["face"] + "".join(map(token_text, card["tokens"])) for card in column]
            for column in table["columns"][seat]
        ],
        "pile": table["pile"][seat],
        "hand": hand_size(table, seat),
        "deck": deck_size(table, seat),
        "hands": {hand for hand, _ in table["worlds"][seat]},
        "looked": sorted(table["looked"][seat]),
    }


def token_text(token: dict[str, Any]) -> str:
    return f"+{token['label']}" + (f"={token['value']}" if token["value"] else "")
