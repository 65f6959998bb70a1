"""A second, naive Broom Service: the same rules written again, to be compared with the engine.

Plain dicts and lists, slow and simple, nothing shared with the engine. A state is never
changed: ``play`` gives a new one.

Not modelled: declared positions, audits, adjustments, lines recorded as they happened, lines
without a seat, sealed hands, the findings that a pass files (the status of every pass is
modelled), and what makes a kit impossible. A clause is named only where the order of checks
leaves no doubt; otherwise a refusal has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

State = dict[str, Any]

ROLES = ["fw", "pw", "hw", "mw", "vd", "pd", "wf", "hg", "fg", "rg"]
RESOURCES = ["g", "o", "p", "w"]
POTIONS = ["g", "o", "p"]
EVENTS = [
    "more_or_less",
    "black_market",
    "secret_distillery",
    "take_heart",
    "dangerous_places",
    "protected_places",
    "advantage",
    "empty_hands",
    "full_set",
    "gathering",
]
SOURCES = ["role", "tile", "cloud"]
DEFAULT_READINGS = {
    "water_crossing": "one",
    "reach_over_water": "all",
    "cursed_refill": "keep_face_up",
    "dead_card_cursed": "yes",
    "dead_lead": "answers",
    "partial_gather": "yes",
    "rank_ties": "standard",
    "plusone_timing": "until_first_lead",
    "plusone_over_five": "yes",
    "courage_excludes_event": "yes",
    "square_limit": "per_source",
    "partial_mountain": "yes",
    "turbo_blocked": "stay",
    "turbo_triggers": "yes",
    "forest_tile_from": "next_turn",
    "event_if_impossible": "yes",
    "round_starter": "last_turn",
    "action_end": "silence",
    "repeated_end": "repeats",
}
TILE_CLAUSES = {"mountain": "BRM-MTN-1", "forest": "BRM-FOR-1", "hill": "BRM-HIL-1"}
PERFORMING = ("gather", "move", "deliver", "chase", "take", "use", "bonus", "circle", "end")


@dataclass(frozen=True)
class Verdict:
    legal: bool
    clause: str | None = None
    """The clause broken, where the model is sure of it."""


class Broken(Exception):
    """The line breaks this clause; none: it is refused, the model is not sure with what."""

    def __init__(self, clause: str | None = None) -> None:
        super().__init__(clause)
        self.clause = clause


class Nonsense(Exception):
    """The line names something that is not there, or not clearly."""


# What a test asks


def judge(state: State, line: str) -> Verdict:
    try:
        _hear(_copied(state), line)
    except Broken as broken:
        return Verdict(False, broken.clause)
    except Nonsense:
        return Verdict(False)
    return Verdict(True)


def legal(state: State, line: str) -> bool:
    return judge(state, line).legal


def play(state: State, line: str) -> State:
    after = _copied(state)
    _hear(after, line)
    return after


def _copied(state: State) -> State:
    printed = ("kit", "board", "readings")
    return {name: value if name in printed else _copy(value) for name, value in state.items()}


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(each) for key, each in value.items()}
    return [_copy(each) for each in value] if isinstance(value, list) else value


def view(s: State) -> dict[str, Any]:
    """What everybody at the table sees."""
    seen: dict[str, Any] = {
        "over": s["phase"] == "over",
        "to_act": sorted(to_act(s)),
        "clouds": dict(s["clouds"]),
        "occupied": sorted(s["occupied"]),
        "tiles": dict(s["tiles"]),
        "discarded": sorted(s["discarded"]),
        "players": {seat: _seen_player(player) for seat, player in s["players"].items()},
        "result": result(s),
    }
    if s["phase"] not in ("setup", "over"):
        seen |= {"round": s["round"], "stack": s["stack"], "event": s["event"]}
        seen["cursed"] = sorted(s["cursed"])
    if s["phase"] in ("lead", "follow", "action"):
        seen["called"] = sorted(s["called"])
        seen |= {"turn": s["turn"], "leader": s["leader"], "why": s["why"]}
    if s["phase"] in ("follow", "action"):
        seen |= {"led": s["led"], "dead": s["dead"], "claimant": s["claimant"]}
        seen |= {"deposed": sorted(s["deposed"]), "passed": sorted(s["passed"])}
    return seen


def _seen_player(player: dict[str, Any]) -> dict[str, Any]:
    names = ("vp", "resources", "pawns", "bolts", "chased", "amulets", "held", "laid", "passes")
    seen = {name: _copy(player[name]) for name in names}
    seen["chased"].sort()
    seen["amulets"].sort()
    seen["forest_tiles"] = sorted(tile for tile, _ in player["forest_tiles"])
    return seen


def to_act(s: State) -> list[str]:
    if s["phase"] == "hands":
        return [seat for seat in s["seats"] if s["players"][seat]["chosen"] is None]
    if s["phase"] == "lead":
        return [s["leader"]]
    if s["phase"] == "follow":
        return [s["asked"]]
    if s["phase"] == "action":
        return [s["action"]["seat"]]
    if s["phase"] == "close":
        return list(s["pending"])
    return []


def result(s: State) -> list[list[str]] | None:
    """Seats by place, tied ones together."""
    if s["phase"] != "over":
        return None
    scores = {
        seat: (player["vp"], sum(player["resources"].values()))
        for seat, player in s["players"].items()
    }
    return [
        sorted(seat for seat in scores if scores[seat] == score)
        for score in sorted(set(scores.values()), reverse=True)
    ]


# The opening


def start(opening: str, kit: dict[str, Any]) -> State:
    """The table of an opening line; raises ``Broken`` if it cannot be opened."""
    words = opening.split()[1:]
    heads = {"first", "side", "variants", "removed", "kit", "readings"}
    parts: dict[str, list[str]] = {"players": []}
    head = "players"
    for word in words:
        if word in heads:
            head = word
            parts[head] = []
        else:
            parts[head].append(word)
    colours = dict(part.split("=") for part in parts["players"])
    seats, first, side = list(colours), parts["first"][0], parts["side"][0]
    variants, removed = set(parts.get("variants", [])), int(parts.get("removed", ["0"])[0])
    readings = DEFAULT_READINGS | dict(part.split("=") for part in parts.get("readings", []))
    _check_opening(colours, first, side, variants, removed)
    variants.discard("basic")
    if side == "back":
        variants |= {"mountain", "forest", "hill"}
    kit = _printed(kit)
    castles = kit[side]["castles"]
    s: State = {
        "kit": kit,
        "board": kit[side],
        "readings": readings,
        "seats": seats,
        "variants": sorted(variants),
        "removed": removed,
        "phase": "setup",
        "clouds": {},
        "tiles": {},
        "occupied": [],
        "discarded": [],
        "round": 1,
        "turn": 0,
        "event": None,
        "seen": [],
        "cursed": [],
        "stack": sorted(ROLES),  # none: nobody knows which of two roles came twice
        "called": [],
        "leader": first,
        "why": "BRM-SET-7",
        "last_brave": None,
        "led": None,
        "dead": False,
        "claimant": None,
        "deposed": [],
        "answered": [],
        "passed": [],
        "asked": None,
        "action": None,
        "closed": None,  # an action that has just ended by itself
        "last": None,  # who acted last and has not said so
        "pending": [],
        "fists": {},
        "players": {},
    }
    before_first = seats[seats.index(first) - 1]
    for seat in seats:
        few = len(seats) == 2 or seat in (first, before_first)
        s["players"][seat] = {
            "vp": kit["scoring"]["start_vp"],
            "resources": {"g": 1, "o": 1, "p": 1, "w": 1 if few else 2},
            "pawns": {"1": castles["west"], "2": castles["east"]},
            "bolts": 0,
            "chased": [],
            "amulets": [],
            "forest_tiles": [],
            "chosen": None,
            "held": 0,
            "laid": [],
            "passes": [],
            "extra": False,
        }
    return s


def _check_opening(
    colours: dict[str, str], first: str, side: str, variants: set[str], removed: int
) -> None:
    seats = list(colours)
    if not 2 <= len(seats) <= 5 or seats != list("ABCDE"[: len(seats)]):
        raise Broken("BRM-SET-1")
    if len({colour.lower() for colour in colours.values()}) < len(seats) or first not in seats:
        raise Broken("BRM-SET-1")
    if "basic" in variants and side == "back":
        raise Broken("BRM-SET-2")
    if "basic" in variants and len(variants) > 1:
        raise Broken("BRM-SET-17")
    tiles = variants & {"mountain", "forest", "hill"}
    if side == "back" and tiles & {"forest", "hill"} and len(tiles) < 3:
        raise Broken("BRM-VAR-3")
    if side == "front" and tiles & {"forest", "hill"}:
        raise Broken("BRM-VAR-4")
    if removed and "storm" not in variants:
        raise Broken("BRM-STM-2")
    if removed > (14 if side == "front" else 13):
        raise Broken("BRM-STM-2")


def _printed(data: Any) -> Any:
    """A kit's data without its sources."""
    if isinstance(data, list):
        return [_printed(each) for each in data]
    if not isinstance(data, dict):
        return data
    return {
        key: _printed(value)
        for key, value in data.items()
        if key not in ("provenance", "source") and not key.endswith(("_provenance", "_source"))
    }


# Hearing a line


def _hear(s: State, line: str) -> None:
    words = line.split()
    seat = words.pop(0) if words[0] in list("ABCDEFGH") else None
    verb, *rest = words
    if seat is not None and seat not in s["seats"]:
        raise Nonsense(line)
    if verb in ("cloud", "tile"):
        place = {"cloud": _place_cloud, "tile": _place_tile}[verb]
        place(s, *rest)
    elif s["phase"] == "setup":
        raise Broken()
    elif s["phase"] == "over":
        raise Broken("BRM-RND-1" if verb == "event" else "BRM-FIN-1")
    elif verb == "event":
        _reveal_event(s, *rest)
    elif verb == "cursed":
        _reveal_cursed(s, rest)
    elif seat is None:
        raise Nonsense("lines without a seat are not modelled")
    elif verb == "end" and seat == s["last"] and seat not in (to_act(s) or [seat]):
        s["last"] = None
    else:
        _hear_player(s, seat, verb, rest)
        if verb != "fist":
            s["last"] = None if verb == "end" else seat


def _hear_player(s: State, seat: str, verb: str, rest: list[str]) -> None:
    if verb == "hand":
        _choose_hand(s, seat, int(rest[0]), rest[1:])
    elif verb == "use" and rest[0] == "plusone":
        _use_plusone(s, seat, rest[1:])
    elif verb in ROLES:
        _lay(s, seat, verb, rest[0] if rest else None)
    elif verb == "lay":
        _lay(s, seat, rest[0], "dead")
    elif verb == "next":
        _pass(s, seat)
    elif verb == "fist":
        _open_fist(s, seat, [] if rest == ["none"] else rest)
    elif verb == "set":
        _hand_in_set(s, seat, hands_in=True)
    elif verb == "end" and s["phase"] == "close" and s["event"] == "full_set":
        if s["readings"]["repeated_end"] == "repeats" and _has_just_ended(s, seat):
            s["closed"] = None
        else:
            _hand_in_set(s, seat, hands_in=False)
    elif verb in PERFORMING:
        _perform(s, seat, verb, rest)
    else:
        raise Nonsense(verb)


def _has_just_ended(s: State, seat: str) -> bool:
    """Whether an action of this seat has ended by itself: to say so costs nothing."""
    closed = s["closed"]
    return seat in s["pending"] and closed is not None and closed["seat"] == seat


# Set-up


def _place_cloud(s: State, space: str, cloud: str) -> None:
    heavy, storm = s["kit"]["clouds"]["heavy"], s["kit"]["clouds"]["storm"]
    if space not in s["board"]["cloud_spaces"] or cloud not in heavy | storm:
        raise Nonsense(space)
    if s["phase"] != "setup":
        raise Broken("BRM-SET-11" if space in s["clouds"] else "BRM-CLD-10")
    lying = list(s["clouds"].values())
    wrong = []
    if cloud in storm and "storm" not in s["variants"]:
        wrong.append("BRM-SET-17")
    if space in s["clouds"]:
        wrong.append("BRM-SET-11")
    if cloud in storm and lying.count(cloud) >= storm[cloud]["count"]:
        wrong.append("BRM-STM-1")
    if cloud in heavy and lying.count(cloud) >= heavy[cloud]["count"]:
        wrong.append("BRM-SET-12")
    total = sum(kind["count"] for kind in heavy.values()) - s["removed"]
    if cloud in heavy and sum(each in heavy for each in lying) >= total:
        wrong.append("BRM-SET-12")
    if wrong:
        raise Broken(wrong[0] if len(set(wrong)) == 1 else None)
    s["clouds"][space] = cloud
    _begin_if_laid_out(s)


def _place_tile(s: State, region: str, tile: str) -> None:
    families = [name for name in TILE_CLAUSES if tile in s["kit"]["tiles"][name]]
    if region not in s["board"]["regions"] or not families:
        raise Nonsense(tile)
    family = families[0]
    if family not in s["variants"]:
        raise Broken("BRM-SET-17")
    count = s["kit"]["tiles"][family][tile]
    if (
        s["phase"] != "setup"
        or region not in s["board"]["tile_spaces"][family]
        or region in s["tiles"]
        or list(s["tiles"].values()).count(tile) >= count
    ):
        raise Broken(TILE_CLAUSES[family])
    s["tiles"][region] = tile
    _begin_if_laid_out(s)


def _begin_if_laid_out(s: State) -> None:
    spaces = [
        region
        for family, regions in s["board"]["tile_spaces"].items()
        if family in s["variants"]
        for region in regions
    ]
    if len(s["clouds"]) == len(s["board"]["cloud_spaces"]) and len(s["tiles"]) == len(spaces):
        s["phase"] = "event"


# Start of a round


def _reveal_event(s: State, event: str) -> None:
    if event not in EVENTS:
        raise Nonsense(event)
    _end_all_silently(s)
    s["closed"] = None
    if s["phase"] == "close":
        raise Broken("BRM-END-2")
    if s["phase"] in ("lead", "follow", "action"):
        held = any(player["held"] for player in s["players"].values())
        raise Broken("BRM-END-1" if held else None)
    if s["phase"] in ("cursed", "hands"):
        raise Broken("BRM-EVT-1")
    if event in s["seen"]:
        raise Broken("BRM-SET-13")
    s["event"] = event
    s["seen"].append(event)
    s["phase"] = "cursed" if len(s["seats"]) < 5 else "hands"


def _end_all_silently(s: State) -> None:
    """The next event shows that nobody goes on with anything, if nothing is compulsory."""
    later = _copied(s)
    if later["readings"]["action_end"] == "spoken":
        return
    while later["phase"] == "action":
        _silently_ended(later)
    while later["phase"] == "close" and later["event"] == "full_set":
        _hand_in_set(later, later["pending"][0], hands_in=False)
    if later["phase"] == "event":
        s.update(later)


def _reveal_cursed(s: State, roles: list[str]) -> None:
    if len(s["seats"]) == 5:
        raise Broken("BRM-SET-16")
    if s["phase"] == "event":
        raise Broken("BRM-RND-2")
    if s["phase"] != "cursed":
        raise Broken()
    wrong_number = "BRM-SET-15" if s["round"] == 1 else "BRM-CUR-5"
    wanted, stack, shown = 5 - len(s["seats"]), set(s["stack"]), set(roles)
    refill = s["readings"]["cursed_refill"]
    twice_named = {role for role in roles if roles.count(role) > 1}
    if len(stack) < wanted and refill == "refill_first":
        stack = set(ROLES)
    if len(stack) < wanted and refill == "all_ten":
        drawn = wanted - len(stack)
        if not stack <= shown or not len(shown - stack) <= drawn <= len(shown):
            raise Broken()
        if len(roles) not in (len(shown), wanted) or not twice_named <= stack:
            raise Broken()
        new, twice = shown - stack, drawn - len(shown - stack)
        if twice_named:
            s["stack"] = sorted(set(ROLES) - new - twice_named)
        elif twice in (0, len(stack)):
            s["stack"] = sorted(set(ROLES) - (shown if twice else new))
        else:
            s["stack"] = None
    else:
        if len(roles) != wanted or len(shown) != wanted:
            raise Broken(wrong_number)
        if len(stack) >= wanted:
            if not shown <= stack:
                raise Broken("BRM-CUR-6")
            s["stack"] = sorted(stack - shown)
        else:
            if not stack <= shown:
                raise Broken("BRM-CUR-6")
            s["stack"] = sorted(set(ROLES) - shown)
    s["cursed"] = sorted(shown)
    s["phase"] = "hands"


def _choose_hand(s: State, seat: str, count: int, sealed: list[str]) -> None:
    player = s["players"][seat]
    if s["phase"] == "event":
        raise Broken("BRM-SET-14" if s["round"] == 1 else "BRM-RND-2")
    if s["phase"] == "cursed":
        raise Broken("BRM-RND-2")
    if s["phase"] != "hands":
        raise Broken()
    if player["chosen"] is not None:
        raise Broken("BRM-RND-4")
    if sealed:
        raise Broken("BRM-RND-4" if count == 4 else None)
    if s["event"] == "more_or_less":
        printed = s["kit"]["events"]["more_or_less"]
        if not printed["hand_min"] <= count <= printed["hand_max"]:
            raise Broken("BRM-EVT-2")
        if player["extra"] and count >= 5 and s["readings"]["plusone_over_five"] == "no":
            raise Broken("BRM-EVT-2")
        player["held"] = count + player["extra"]
    else:
        if count == 5 and not player["extra"] and _holds_plusone(player):
            _discard_forest_tile(s, player, "plusone")
            player["extra"] = True
        if count not in ((4, 5) if player["extra"] else (4,)):
            raise Broken("BRM-RND-3")
        player["held"] = 4 + player["extra"]
    player["chosen"] = count
    if any(each["chosen"] is None for each in s["players"].values()):
        return
    if s["event"] == "more_or_less":
        for each in s["players"].values():
            points = s["kit"]["events"]["more_or_less"]["vp_by_count"]
            each["vp"] += points[str(each["chosen"])]
    s["phase"] = "lead"
    s["turn"] = 1


def _use_plusone(s: State, seat: str, sealed: list[str]) -> None:
    player = s["players"][seat]
    starting = s["phase"] == "hands" or (s["phase"] == "lead" and not _anything_laid(s))
    if not starting:
        raise Broken()
    if sealed:
        raise Broken()
    holds = _holds_plusone(player)
    if player["chosen"] is None:
        if player["extra"] or not holds:
            raise Broken("BRM-FOR-6" if holds else "BRM-FOR-5")
        _discard_forest_tile(s, player, "plusone")
        player["extra"] = True
        return
    if s["phase"] == "lead" and s["readings"]["plusone_timing"] == "with_choice":
        raise Broken()
    if player["extra"]:
        raise Broken("BRM-FOR-6" if holds else None)
    if not holds:
        raise Broken("BRM-FOR-5")
    if (
        s["event"] == "more_or_less"
        and s["readings"]["plusone_over_five"] == "no"
        and player["chosen"] >= 5
    ):
        raise Broken("BRM-EVT-2")
    _discard_forest_tile(s, player, "plusone")
    player["extra"] = True
    player["held"] += 1


def _holds_plusone(player: dict[str, Any]) -> bool:
    return any(tile == "plusone" for tile, _ in player["forest_tiles"])


def _anything_laid(s: State) -> bool:
    return any(player["laid"] for player in s["players"].values())


def _discard_forest_tile(s: State, player: dict[str, Any], tile: str) -> None:
    held = next(each for each in player["forest_tiles"] if each[0] == tile)
    player["forest_tiles"].remove(held)
    s["discarded"].append(tile)


# Turns


def _lay(s: State, seat: str, role: str, mode: str | None) -> None:
    if role not in ROLES or mode not in ("brave", "coward", "dead", None):
        raise Nonsense(role)
    if s["phase"] in ("event", "cursed"):
        raise Broken("BRM-RND-2")
    if s["phase"] == "hands":
        raise Broken("BRM-RND-4")
    if s["phase"] == "close":
        raise Broken()
    if s["phase"] == "action":
        _go_on(s, seat)
        _lay(s, seat, role, mode)
        return
    s["closed"] = None
    if s["phase"] == "lead":
        _lead(s, seat, role, mode)
    else:
        _answer(s, seat, role, mode)


def _go_on(s: State, seat: str) -> None:
    """The open action ends because its player, or the next one, goes on."""
    if s["readings"]["action_end"] == "spoken":
        raise Broken()
    _silently_ended(s)
    if s["phase"] != "action" and seat not in to_act(s):
        raise Broken()


def _silently_ended(s: State) -> None:
    """The open action ends because play goes on, if nothing of it is compulsory."""
    try:
        _end(s, s["action"])
    except Broken:
        raise Broken() from None


def _lead(s: State, seat: str, role: str, mode: str | None) -> None:
    player = s["players"][seat]
    if seat != s["leader"]:
        raise Broken(s["why"])
    if _has_laid(player, role):
        raise Broken("BRM-SET-3")
    if role in s["called"] and mode != "dead":
        raise Broken("BRM-FOL-4")
    if role not in s["called"] and mode in ("dead", None):
        raise Broken("BRM-TRN-1")
    if s["event"] == "take_heart" and mode == "coward":
        raise Broken("BRM-EVT-6")
    s["led"], s["dead"] = role, mode == "dead"
    s["claimant"], s["deposed"], s["passed"] = None, [], []
    s["answered"] = [seat]
    _put_down(s, seat, role, mode)


def _answer(s: State, seat: str, role: str, mode: str | None) -> None:
    player = s["players"][seat]
    if seat != s["asked"]:
        raise Broken("BRM-TRN-5" if player["held"] else "BRM-RND-5")
    if role != s["led"]:
        raise Broken("BRM-TRN-8")
    if s["dead"] and mode != "dead":
        raise Broken("BRM-FOL-4")
    if not s["dead"] and mode in ("dead", None):
        raise Broken("BRM-TRN-7")
    s["answered"].append(seat)
    _put_down(s, seat, role, mode)


def _has_laid(player: dict[str, Any], role: str) -> bool:
    return any(card[0] == role for card in player["laid"])


def _put_down(s: State, seat: str, role: str, mode: str | None) -> None:
    player = s["players"][seat]
    player["held"] -= 1
    player["laid"].append([role, mode, None])
    if role in s["cursed"] and (mode != "dead" or s["readings"]["dead_card_cursed"] == "yes"):
        player["vp"] += s["kit"]["scoring"]["cursed_vp"]
    for claim in player["passes"]:
        if claim[0] == role:
            claim[1] = "broken"
        elif player["held"] == 0 and claim[1] == "open":
            claim[1] = "cleared"
    if mode == "brave":
        if s["claimant"] is not None:
            s["deposed"].append(s["claimant"])
        s["claimant"] = seat
        s["last_brave"] = seat
    if mode == "coward":
        _open_action(s, seat, role, brave=False)
    else:
        _ask_next(s)


def _pass(s: State, seat: str) -> None:
    player = s["players"][seat]
    if player["chosen"] is not None and not player["held"]:
        if s["phase"] in ("follow", "action") and seat in s["answered"]:
            raise Broken("BRM-RND-9")
        return
    if s["phase"] == "lead":
        raise Broken("BRM-TRN-1" if seat == s["leader"] else "BRM-TRN-5")
    if s["phase"] == "action":
        _go_on(s, seat)
        if s["phase"] not in ("follow", "action"):
            raise Broken()
        _pass(s, seat)
        return
    if s["phase"] != "follow":
        raise Broken()
    s["closed"] = None
    if seat != s["asked"]:
        raise Broken("BRM-TRN-5")
    player["passes"].append([s["led"], "open"])
    s["answered"].append(seat)
    s["passed"].append(seat)
    _ask_next(s)


def _clockwise_from(s: State, seat: str) -> list[str]:
    """All seats, beginning after this one and ending with it."""
    seats: list[str] = s["seats"]
    index = seats.index(seat) + 1
    return seats[index:] + seats[:index]


def _ask_next(s: State) -> None:
    s["action"], s["asked"] = None, None
    if not (s["dead"] and s["readings"]["dead_lead"] == "skip"):
        for seat in _clockwise_from(s, s["leader"])[:-1]:
            player = s["players"][seat]
            if seat not in s["answered"] and player["held"] and not _has_laid(player, s["led"]):
                s["asked"], s["phase"] = seat, "follow"
                return
    if s["claimant"] is not None:
        _open_action(s, s["claimant"], s["led"], brave=True)
    else:
        _end_turn(s)


def _end_turn(s: State) -> None:
    s["action"] = None
    if s["led"] not in s["called"]:
        s["called"].append(s["led"])
    leads = s["claimant"] or s["leader"]
    why = "BRM-TRN-15" if s["claimant"] else "BRM-TRN-16"
    if not any(player["held"] for player in s["players"].values()):
        _end_round(s)
        return
    if not s["players"][leads]["held"]:
        why = "BRM-TRN-17"
        leads = next(seat for seat in _clockwise_from(s, leads) if s["players"][seat]["held"])
    s["leader"], s["why"], s["phase"] = leads, why, "lead"
    s["turn"] += 1


# Actions


def _open_action(s: State, seat: str, role: str, *, brave: bool) -> None:
    s["phase"] = "action"
    action = s["action"] = {
        "seat": seat,
        "role": role,
        "laid_brave": brave,
        "begun": False,
        "tile_used": None,
        "take": False,
        "may_use_tile": False,
    }
    _grant_role(s, action, brave)
    if not brave and s["event"] in ("black_market", "secret_distillery"):
        able = s["readings"]["event_if_impossible"] == "yes" or _possible(s)
        action["take"] = able
    action["may_use_tile"] = not brave
    _close_if_done(s)


def _grant_role(s: State, action: dict[str, Any], brave: bool) -> None:
    kind = s["kit"]["roles"][action["role"]]["kind"]
    action["brave"] = brave
    action["kind"] = kind
    action["gather"] = kind == "gatherer"
    action["move"] = {"role": int(kind == "witch"), "tile": 0, "cloud": 0}
    action["deliver"] = {"role": int(kind == "druid"), "tile": 0, "cloud": 0}
    action["chase"] = {"role": int(kind == "fairy"), "tile": 0}
    action["spent"] = []
    action["bonus"] = []
    action["flight"] = None
    action["pawn"] = action["place"] = action["hill"] = None
    action["squares"] = []
    action["steps_by_tile"] = 0


def _close_if_done(s: State) -> None:
    if not _possible(s):
        s["closed"] = _copy(s["action"])
        _close_action(s)


def _close_action(s: State) -> None:
    if s["action"]["laid_brave"]:
        _end_turn(s)
    else:
        _ask_next(s)


def _possible(s: State) -> bool:
    action = s["action"]
    seat = action["seat"]
    if action["flight"] or action["gather"] or action["bonus"] or action["take"]:
        return True
    if any(_usable(s, seat, tile) for tile in ("courage", "five")):
        return True
    return _can_move(s) or _can_deliver(s) or _can_chase(s)


def _can_move(s: State) -> bool:
    return any(
        _move_breaks(s, pawn, to, source) is None
        for source, times in s["action"]["move"].items()
        if times
        for pawn, to in product("12", s["board"]["regions"])
    )


def _can_deliver(s: State) -> bool:
    return any(
        _delivery_breaks(s, potion, tower, pawn, source) is None
        for source, times in s["action"]["deliver"].items()
        if times
        for potion, tower, pawn in product(POTIONS, [*s["board"]["towers"], "market"], "12")
    )


def _can_chase(s: State) -> bool:
    return any(
        _chase_breaks(s, space, source) is None
        for source, times in s["action"]["chase"].items()
        if times
        for space in s["clouds"]
    )


def _usable(s: State, seat: str, tile: str) -> bool:
    """Whether a forest tile may be used with the cowardly card just laid."""
    action = s["action"]
    if not action["may_use_tile"] or action["begun"] or action["tile_used"]:
        return False
    return any(
        held == tile and _late_enough(s, taken)
        for held, taken in s["players"][seat]["forest_tiles"]
    )


def _late_enough(s: State, taken: list[int]) -> bool:
    if s["readings"]["forest_tile_from"] == "next_round":
        return bool(taken[0] < s["round"])
    return taken < [s["round"], s["turn"]]


def _perform(s: State, seat: str, verb: str, rest: list[str]) -> None:
    _check_words(s, verb, rest)
    action, closed = s["action"], s["closed"]
    if closed is not None and closed["seat"] == seat and not (action and action["seat"] == seat):
        _go_on_too_late(s, seat, verb, rest)
        return
    if action is not None and seat == s["claimant"] and seat != action["seat"]:
        action = _brave_action_after_silence(s)
        try:
            if verb != "end" and action["seat"] == seat:
                _handlers()[verb](_copied(s), seat, _copy(action), rest)
        except Broken:
            raise Broken() from None
    if s["phase"] not in ("follow", "action") or (action is None and not _in_turn(s, seat)):
        raise Broken()
    if action is None or seat != action["seat"]:
        raise Broken(_why_not_acting(s, seat) if verb not in ("take", "use", "end") else None)
    if action["flight"] and verb != "circle":
        raise Broken("BRM-HIL-2" if verb not in ("take", "use") else None)
    if verb == "end":
        _end(s, action)
        return
    ended = _handlers()[verb](s, seat, action, rest)
    s["closed"] = None
    if ended:
        s["closed"] = {**_copy(action), "instead": True}
        _close_action(s)
    else:
        _close_if_done(s)


def _brave_action_after_silence(s: State) -> dict[str, Any]:
    """Whoever was brave begins, and so ends what the last coward has not done."""
    later = _copied(s)
    if s["readings"]["action_end"] == "silence":
        _silently_ended(later)
        if later["action"] is not None and later["action"]["seat"] == s["claimant"]:
            s.update(later)
    action: dict[str, Any] = s["action"]
    return action


def _handlers() -> dict[str, Any]:
    return {
        "gather": _gather,
        "move": _move,
        "deliver": _deliver,
        "chase": _chase,
        "take": _take,
        "use": _use,
        "bonus": _bonus,
        "circle": _circle,
    }


def _go_on_too_late(s: State, seat: str, verb: str, rest: list[str]) -> None:
    """An action that ended by itself is gone on with: it must break something."""
    if verb == "end":
        return
    if "instead" in s["closed"]:
        raise Broken()
    again = {**_copied(s), "action": _copy(s["closed"]), "phase": "action"}
    try:
        _handlers()[verb](again, seat, again["action"], rest)
    except Broken as broken:
        raise Broken(broken.clause if verb not in ("take", "use") else None) from None
    raise Broken()


def _check_words(s: State, verb: str, rest: list[str]) -> None:
    """What is not on this board is not understood."""
    board = s["board"]
    if verb == "move" and rest[1] not in board["regions"]:
        raise Nonsense(rest[1])
    if verb == "deliver" and rest[1] not in [*board["towers"], "market"]:
        raise Nonsense(rest[1])
    if verb == "chase" and rest[0] not in board["cloud_spaces"]:
        raise Nonsense(rest[0])


def _in_turn(s: State, seat: str) -> bool:
    return seat in s["answered"] or s["players"][seat]["held"] > 0


def _why_not_acting(s: State, seat: str) -> str | None:
    if seat in s["passed"]:
        return "BRM-TRN-6"
    if seat in s["deposed"]:
        return "BRM-TRN-10"
    if s["dead"]:
        return "BRM-FOL-6" if seat in s["answered"] else None
    if seat == s["claimant"]:
        return "BRM-TRN-3"
    return None


def _end(s: State, action: dict[str, Any]) -> None:
    if action["flight"]:
        raise Broken("BRM-HIL-2")
    if (
        s["readings"]["partial_mountain"] == "no"
        and action["steps_by_tile"] == 1
        and action["move"]["tile"]
        and _can_move(s)
    ):
        raise Broken("BRM-MTN-5")
    _close_action(s)


# Gatherers


def _gather(s: State, seat: str, action: dict[str, Any], wanted: list[str]) -> bool:
    if not action["gather"]:
        raise Broken("BRM-ACT-7")
    printed = s["kit"]["roles"][action["role"]]["brave" if action["brave"] else "coward"]
    clause = "BRM-GAT-1" if action["brave"] else "BRM-GAT-2"
    if not _fits(wanted, printed):
        raise Broken(clause)
    if s["readings"]["partial_gather"] == "no" and len(wanted) < len(printed):
        raise Broken(clause)
    for resource in wanted:
        s["players"][seat]["resources"][resource] += 1
    _begun(action)
    action["gather"] = False
    return False


def _fits(wanted: list[str], slots: list[list[str]]) -> bool:
    if not wanted:
        return True
    first, *others = wanted
    return any(
        first in slot and _fits(others, slots[:index] + slots[index + 1 :])
        for index, slot in enumerate(slots)
    )


def _begun(action: dict[str, Any]) -> None:
    action["begun"] = True
    action["take"] = False


# Moves


def _borders(s: State, one: str, other: str) -> bool:
    printed = s["board"]["borders"]
    return f"{one}-{other}" in printed or f"{other}-{one}" in printed


def _terrain(s: State, region: str) -> str:
    terrain: str = s["board"]["regions"][region]["terrain"]
    return terrain


def _clouded(s: State, region: str) -> bool:
    return any(s["board"]["cloud_spaces"][space] == region for space in s["clouds"])


def _adjacent(s: State, one: str, other: str, *, clouds_matter: bool = True) -> bool:
    """Whether a pawn gets from one region to the other in a step, clouds there aside."""
    if _borders(s, one, other):
        return True
    crossing = s["readings"]["water_crossing"]
    if one == other or crossing == "none" or "water" in (_terrain(s, one), _terrain(s, other)):
        return False
    waters = [
        region
        for region in s["board"]["regions"]
        if _terrain(s, region) == "water" and not (clouds_matter and _clouded(s, region))
    ]
    reached = [water for water in waters if _borders(s, one, water)]
    if crossing == "chain":
        for water in reached:
            reached += [far for far in waters if far not in reached and _borders(s, water, far)]
    return any(_borders(s, water, other) for water in reached)


def _in_reach(s: State, one: str, other: str) -> bool:
    """Adjacency for chasing and for bonus clouds."""
    if s["readings"]["reach_over_water"] == "moves_only":
        return _borders(s, one, other)
    return _adjacent(s, one, other)


def _pawn(s: State, seat: str, word: str) -> str:
    pawns: dict[str, str] = s["players"][seat]["pawns"]
    if word in pawns:
        return word
    if word not in s["board"]["regions"]:
        raise Nonsense(word)
    if word not in pawns.values():
        raise Broken("BRM-ACT-6")
    return next(pawn for pawn, region in pawns.items() if region == word)


def _side_by_side(s: State, seat: str) -> bool:
    return len(set(s["players"][seat]["pawns"].values())) == 1


def _move_breaks(s: State, pawn: str, to: str, source: str) -> str | None:
    action = s["action"]
    at = s["players"][action["seat"]]["pawns"][pawn]
    if _terrain(s, to) == "water":
        return "BRM-MOV-6"
    if not _adjacent(s, at, to):
        over_clouds = _adjacent(s, at, to, clouds_matter=False)
        return "BRM-MOV-8" if over_clouds else "BRM-MOV-2"
    if source == "role" and _terrain(s, to) not in s["kit"]["roles"][action["role"]]["terrains"]:
        return "BRM-MOV-3"
    if _clouded(s, to):
        return "BRM-MOV-4" if source == "role" else "BRM-CLD-1"
    blocked = _circles(s, to) and not _open_circles(s, to)
    if blocked and s["readings"]["turbo_blocked"] == "move_illegal":
        return "BRM-HIL-3"
    return None


def _circles(s: State, region: str) -> list[str]:
    """The letters on a turbo tile in this region."""
    tile = s["tiles"].get(region, "")
    return list(tile[2:].upper()) if tile.startswith("t_") else []


def _open_circles(s: State, region: str) -> list[str]:
    return [
        letter for letter in _circles(s, region) if not _clouded(s, s["board"]["circles"][letter])
    ]


def _move(s: State, seat: str, action: dict[str, Any], rest: list[str]) -> bool:
    sources = [source for source in SOURCES if action["move"][source]]
    if not sources:
        raise Broken(_why_no_move(action))
    source = sources[0]
    pawn, to = _pawn(s, seat, rest[0]), rest[1]
    breaks = _move_breaks(s, pawn, to, source)
    if breaks:
        raise Broken(breaks)
    action["move"][source] -= 1
    action["spent"].append(f"move {source}")
    if source == "tile":
        action["steps_by_tile"] += 1
    _begun(action)
    s["players"][seat]["pawns"][pawn] = to
    if source == "role":
        action["pawn"], action["place"] = pawn, to
        action["deliver"]["role"] = int(action["brave"])
    if _open_circles(s, to):
        action["flight"] = [pawn, to, source]
    else:
        _arrive(s, seat, action, to)
    return False


def _why_no_move(action: dict[str, Any]) -> str | None:
    if action["kind"] == "gatherer":
        return "BRM-ACT-7"
    if action["kind"] == "druid":
        return "BRM-DRU-1"
    if action["kind"] == "witch" and action["spent"] == ["move role"]:
        return "BRM-MOV-1"
    return None


def _arrive(s: State, seat: str, action: dict[str, Any], region: str) -> None:
    player, tile = s["players"][seat], s["tiles"].get(region)
    if tile is None:
        return
    if _terrain(s, region) == "forest":
        del s["tiles"][region]
        player["forest_tiles"].append([tile, [s["round"], s["turn"]]])
    elif _terrain(s, region) == "mountain" and region not in player["amulets"]:
        player["amulets"].append(region)
        if tile in ("m_potions", "m_wands"):
            action["bonus"].append(tile)
        elif tile == "m_deliver":
            action["deliver"]["tile"] += 1
        elif tile == "m_moves":
            action["move"]["tile"] += 2
            action["steps_by_tile"] = 0
        else:
            action["chase"]["tile"] += 1


def _circle(s: State, seat: str, action: dict[str, Any], rest: list[str]) -> bool:
    if not action["flight"]:
        raise Broken("BRM-HIL-2")
    pawn, hill, source = action["flight"]
    letter = rest[0]
    if letter not in _circles(s, hill):
        raise Broken("BRM-HIL-2")
    if letter not in _open_circles(s, hill):
        raise Broken("BRM-HIL-3")
    region = s["board"]["circles"][letter]
    action["flight"] = None
    s["players"][seat]["pawns"][pawn] = region
    if source == "role":
        action["place"], action["hill"] = region, hill
    if s["readings"]["turbo_triggers"] == "yes":
        _arrive(s, seat, action, region)
    return False


def _bonus(s: State, seat: str, action: dict[str, Any], rest: list[str]) -> bool:
    if not action["bonus"]:
        raise Broken("BRM-MTN-6")
    resources = s["players"][seat]["resources"]
    if action["bonus"].pop(0) == "m_wands":
        resources["w"] += 2
    else:
        for potion in POTIONS:
            resources[potion] += 1
    return False


# Deliveries


def _tower(s: State, tower: str) -> dict[str, Any]:
    if tower != "market":
        printed: dict[str, Any] = s["board"]["towers"][tower]
        return printed
    hills = [region for region, tile in s["tiles"].items() if tile == "market"]
    tiles = s["kit"]["tiles"]
    return {
        "colour": tiles["market_potion"],
        "shape": "square",
        "vp": tiles["market_vp"],
        "touches": hills,
    }


def _covered(s: State, tower: str) -> bool:
    return any(
        tower in spaces[region].get("covers", [])
        for spaces in s["board"]["tile_spaces"].values()
        for region in spaces
        if region in s["tiles"]
    )


def _delivery_breaks(s: State, potion: str, tower: str, pawn: str, source: str) -> str | None:
    action = s["action"]
    player, role = s["players"][action["seat"]], s["kit"]["roles"][action["role"]]
    at, printed = player["pawns"][pawn], _tower(s, tower)
    if not player["resources"][potion]:
        return "BRM-DEL-5"
    if source == "role" and action["kind"] == "witch":
        if pawn != action["pawn"]:
            return "BRM-DEL-3"
        if at != action["place"]:
            return "BRM-MTN-15"
    druid = source == "role" and action["kind"] == "druid"
    if druid and _terrain(s, at) not in role["terrains"]:
        if at in printed["touches"]:
            return "BRM-DRU-4"
        standing = [_terrain(s, region) for region in player["pawns"].values()]
        fits = any(terrain in role["terrains"] for terrain in standing)
        return "BRM-DRU-3" if fits else "BRM-DRU-2"
    if potion != printed["colour"]:
        return "BRM-DEL-6"
    if at not in printed["touches"]:
        flown_over = source == "role" and action["hill"] in printed["touches"]
        return "BRM-HIL-4" if flown_over else "BRM-DEL-7"
    if _covered(s, tower):
        return "BRM-DEL-17"
    if tower in s["occupied"]:
        return "BRM-DEL-8"
    if printed["shape"] == "square":
        per_card = s["readings"]["square_limit"] == "per_card"
        if source in action["squares"] or (per_card and action["squares"]):
            return "BRM-DEL-14"
    return None


def _points(s: State, tower: str, pawn: str, source: str) -> int:
    action = s["action"]
    points: int = _tower(s, tower)["vp"]
    if source == "role" and action["kind"] == "druid" and action["brave"]:
        points += s["kit"]["roles"][action["role"]]["brave_vp"]
    at = s["players"][action["seat"]]["pawns"][pawn]
    for space, cloud in s["clouds"].items():
        printed = s["kit"]["clouds"]["storm"].get(cloud, {})
        region = s["board"]["cloud_spaces"][space]
        if printed.get("effect") == "bonus" and _in_reach(s, at, region):
            points += printed["vp"]
    return points


def _deliver(s: State, seat: str, action: dict[str, Any], rest: list[str]) -> bool:
    words = list(rest)
    named = None
    if "by" in words:
        named = words[-1]
        words = words[:-2]
    potion, tower = words[:2]
    open_sources = [source for source in SOURCES if action["deliver"][source]]
    sources = [source for source in open_sources if named in (None, source)]
    if not sources:
        raise Broken(_why_no_delivery(s, action, named))
    pawns = [_pawn(s, seat, words[2])] if len(words) > 2 else ["1", "2"]
    if _side_by_side(s, seat):
        pawns = ["1", "2"]
    for source in sources:
        able = [p for p in pawns if _delivery_breaks(s, potion, tower, p, source) is None]
        if not able:
            continue
        if len({_points(s, tower, pawn, source) for pawn in able}) > 1:
            raise Nonsense("which pawn?")
        _delivered(s, seat, potion, tower, able[0], source)
        return False
    clauses = {_delivery_breaks(s, potion, tower, p, source) for p in pawns for source in sources}
    raise Broken(clauses.pop() if len(clauses) == 1 else None)


def _why_no_delivery(s: State, action: dict[str, Any], named: str | None) -> str | None:
    if named == "tile":
        return "BRM-MTN-6"
    if named == "cloud":
        return "BRM-STM-8"
    if action["kind"] == "gatherer":
        return "BRM-ACT-7"
    if action["kind"] == "witch" and "deliver role" in action["spent"]:
        return "BRM-DEL-5"
    if action["kind"] == "witch" and not action["spent"]:
        return "BRM-DEL-2" if action["brave"] else "BRM-DEL-1"
    return None


def _delivered(s: State, seat: str, potion: str, tower: str, pawn: str, source: str) -> None:
    player, action, printed = s["players"][seat], s["action"], _tower(s, tower)
    player["vp"] += _points(s, tower, pawn, source)
    player["resources"]["w"] += printed.get("wands", 0)
    player["resources"][potion] -= 1
    if printed["shape"] == "square":
        action["squares"].append(source)
    else:
        s["occupied"].append(tower)
    action["deliver"][source] -= 1
    action["spent"].append(f"deliver {source}")
    _begun(action)


# Clouds


def _chase_breaks(s: State, space: str, source: str) -> str | None:
    player = s["players"][s["action"]["seat"]]
    region = s["board"]["cloud_spaces"][space]
    if not any(_in_reach(s, at, region) for at in player["pawns"].values()):
        return "BRM-CLD-3"
    if player["resources"]["w"] < _cloud(s, space)["stars"]:
        return "BRM-CLD-4" if source == "role" else "BRM-MTN-13"
    return None


def _cloud(s: State, space: str) -> dict[str, Any]:
    kinds = s["kit"]["clouds"]
    printed: dict[str, Any] = (kinds["heavy"] | kinds["storm"])[s["clouds"][space]]
    return printed


def _chase(s: State, seat: str, action: dict[str, Any], rest: list[str]) -> bool:
    space = rest[0]
    sources = [source for source in ("role", "tile") if action["chase"][source]]
    if not sources:
        raise Broken(_why_no_chase(action) if space in s["clouds"] else None)
    if space not in s["clouds"]:
        raise Nonsense("no cloud")
    source = sources[0]
    breaks = _chase_breaks(s, space, source)
    if breaks:
        raise Broken(breaks)
    player, printed = s["players"][seat], _cloud(s, space)
    player["resources"]["w"] -= printed["stars"]
    player["bolts"] += printed["bolts"]
    player["chased"].append(s["clouds"].pop(space))
    action["chase"][source] -= 1
    action["spent"].append(f"chase {source}")
    _begun(action)
    if source == "role" and action["brave"]:
        player["vp"] += s["kit"]["roles"][action["role"]]["brave_vp"]
    effect = printed.get("effect")
    if effect == "move":
        action["move"]["cloud"] += 1
    elif effect == "deliver":
        action["deliver"]["cloud"] += 1
    elif effect == "potions" and player["resources"][printed["potion"]] >= printed["need"]:
        player["vp"] += printed["vp"]
    return False


def _why_no_chase(action: dict[str, Any]) -> str | None:
    if "chase tile" in action["spent"]:
        return None
    return "BRM-CLD-7" if action["kind"] == "fairy" else "BRM-CLD-2"


# Alternatives to a cowardly action


def _take(s: State, seat: str, action: dict[str, Any], rest: list[str]) -> bool:
    if s["event"] not in ("black_market", "secret_distillery"):
        raise Broken("BRM-EVT-1")
    market = s["event"] == "black_market"
    own_clause = "BRM-EVT-3" if market else "BRM-EVT-4"
    if action["laid_brave"]:
        raise Broken(own_clause)
    if not action["take"]:
        raise Broken("BRM-EVT-5")
    if bool(rest) == market:
        raise Broken(own_clause)
    printed = s["kit"]["events"][s["event"]]
    if market:
        s["players"][seat]["vp"] += printed["vp"]
    else:
        if rest[0] not in printed["any_of"]:
            raise Broken(own_clause)
        s["players"][seat]["resources"][rest[0]] += 1
    action["take"] = False
    return action["tile_used"] is None


def _use(s: State, seat: str, action: dict[str, Any], rest: list[str]) -> bool:
    tile, player = rest[0], s["players"][seat]
    if len(rest) > 1:
        raise Broken()
    if action["laid_brave"]:
        raise Broken("BRM-FOR-14")
    if not _usable(s, seat, tile):
        raise Broken(_why_no_use(s, player, action, tile))
    held = next(
        each for each in player["forest_tiles"] if each[0] == tile and _late_enough(s, each[1])
    )
    player["forest_tiles"].remove(held)
    s["discarded"].append(tile)
    player["laid"][-1][2] = tile
    if tile == "five":
        player["vp"] += s["kit"]["tiles"]["five_vp"]
        return True
    take = action["take"] and s["readings"]["courage_excludes_event"] == "no"
    _grant_role(s, action, brave=True)
    action["tile_used"], action["take"] = tile, take
    return False


def _why_no_use(s: State, player: dict[str, Any], action: dict[str, Any], tile: str) -> str | None:
    mine = [taken for held, taken in player["forest_tiles"] if held == tile]
    if action["begun"] or action["tile_used"]:
        return None
    if not mine:
        return "BRM-FOR-5"
    return "BRM-FOR-4"


# End of a round


def _end_round(s: State) -> None:
    _choose_first_player(s)
    s["phase"] = "close"
    players = s["players"]
    event = s["event"]
    printed = s["kit"]["events"][event]
    if event in ("dangerous_places", "protected_places"):
        for player in players.values():
            terrains = [_terrain(s, region) for region in player["pawns"].values()]
            if printed["count"] == "per_terrain":
                terrains = sorted(set(terrains))
            player["vp"] += sum(printed["vp"][terrain] for terrain in terrains)
    elif event == "gathering":
        for player in players.values():
            if len({_terrain(s, region) for region in player["pawns"].values()}) == 1:
                player["vp"] += printed["vp"]
    elif event == "empty_hands":
        counts = {seat: -sum(player["resources"].values()) for seat, player in players.items()}
        _reward(s, counts, printed["vp_by_rank"])
    elif event == "advantage":
        s["pending"] = [seat for seat in s["seats"] if any(players[seat]["resources"].values())]
        if not s["pending"]:
            _compare_fists(s)
    elif event == "full_set":
        s["pending"] = [seat for seat in s["seats"] if _owns_set(s, seat)]
    if not s["pending"]:
        _next_round(s)


def _choose_first_player(s: State) -> None:
    by_reading = s["readings"]["round_starter"] == "last_brave" and s["last_brave"]
    if s["claimant"]:
        s["leader"], s["why"] = s["claimant"], "BRM-END-5"
    elif by_reading:
        s["leader"], s["why"] = s["last_brave"], "BRM-END-5"
    else:
        s["why"] = "BRM-END-6"


def _reward(s: State, counts: dict[str, int], prizes: list[int]) -> list[str]:
    """Prizes by rank, most first; gives who got one."""
    winners = []
    for seat, count in counts.items():
        better = [other for other in counts.values() if other > count]
        rank = len(set(better)) if s["readings"]["rank_ties"] == "dense" else len(better)
        if rank < len(prizes):
            s["players"][seat]["vp"] += prizes[rank]
            winners.append(seat)
    return winners


def _open_fist(s: State, seat: str, resources: list[str]) -> None:
    owned = s["players"][seat]["resources"]
    later = _copied(s)
    _close_round_silently(later)
    if later["event"] != "advantage" or later["phase"] != "close":
        raise Broken()
    if seat not in later["pending"]:
        if resources or seat in s["fists"]:
            raise Broken("BRM-EVT-9")
        s["fists"][seat] = []  # of who has nothing to close in it: nobody waited for that
        return
    s.update(later)
    if any(resources.count(each) > owned[each] for each in resources):
        raise Broken("BRM-EVT-9")
    s["fists"][seat] = resources
    s["pending"].remove(seat)
    if not s["pending"]:
        _compare_fists(s)
        _next_round(s)


def _compare_fists(s: State) -> None:
    printed = s["kit"]["events"]["advantage"]
    fists = {seat: s["fists"].get(seat, []) for seat in s["seats"]}
    counts = {each: len(fist) for each, fist in fists.items() if len(fist) >= printed["min_count"]}
    winners = _reward(s, counts, printed["vp_by_rank"])
    payers = {"all": list(fists), "winners": winners, "nobody": []}[printed["paid_by"]]
    for each in payers:
        for resource in fists[each]:
            s["players"][each]["resources"][resource] -= 1


def _owns_set(s: State, seat: str) -> bool:
    owned = s["players"][seat]["resources"]
    wanted = s["kit"]["events"]["full_set"]["set"]
    return all(owned[resource] >= number for resource, number in wanted.items())


def _close_round_silently(s: State) -> None:
    """What comes at the end of a round shows that its last action is over."""
    if s["phase"] == "action" and s["readings"]["action_end"] == "silence":
        later = _copied(s)
        while later["phase"] == "action":
            _silently_ended(later)
        if later["phase"] == "close":
            s.update(later)


def _hand_in_set(s: State, seat: str, *, hands_in: bool) -> None:
    _close_round_silently(s)
    if s["event"] != "full_set" or s["phase"] != "close":
        raise Broken()
    if seat not in s["pending"]:
        raise Broken("BRM-EVT-11")
    printed = s["kit"]["events"]["full_set"]
    if hands_in:
        s["players"][seat]["vp"] += printed["vp"]
        for resource, number in printed["set"].items():
            s["players"][seat]["resources"][resource] -= number
    s["pending"].remove(seat)
    if hands_in:
        s["closed"] = None
    if not s["pending"]:
        _next_round(s)


def _next_round(s: State) -> None:
    if s["round"] == 7:
        _score(s)
        return
    s["round"] += 1
    s["phase"] = "event"
    s["turn"] = 0
    s["event"], s["cursed"], s["called"], s["last_brave"] = None, [], [], None
    s["fists"] = {}
    for player in s["players"].values():
        player["chosen"], player["held"], player["extra"] = None, 0, False
        player["laid"], player["passes"] = [], []


def _score(s: State) -> None:
    s["phase"] = "over"
    scoring = s["kit"]["scoring"]
    for player in s["players"].values():
        table, bolts = scoring["lightning"], player["bolts"]
        beyond = max(0, bolts - (len(table) - 1))
        player["vp"] += table[min(bolts, len(table) - 1)] + beyond * scoring["lightning_step"]
        player["vp"] += _worth_of_sets(player["resources"], scoring)
        player["vp"] += scoring["amulets"][len(player["amulets"])]


def _worth_of_sets(resources: dict[str, int], scoring: dict[str, Any]) -> int:
    """The best division into sets of four and of three different resources, by trying all."""
    best = 0
    for fours in range(min(resources.values()) + 1):
        rest = {resource: count - fours for resource, count in resources.items()}
        threes = _most_threes(rest)
        best = max(best, fours * scoring["set_of_four"] + threes * scoring["set_of_three"])
    return best


def _most_threes(counts: dict[str, int]) -> int:
    """How many sets of three different ones: always from the three largest heaps."""
    heaps = sorted(counts.values())
    sets = 0
    while heaps[1] > 0:
        heaps = sorted([heaps[0], *(heap - 1 for heap in heaps[1:])])
        sets += 1
    return sets
