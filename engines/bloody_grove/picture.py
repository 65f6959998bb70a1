"""The picture of a state: B above, A below, the Groves between, the displays at the bottom."""

from __future__ import annotations

from dataclasses import dataclass, field

from engines.bloody_grove import actions as act
from engines.bloody_grove import drawing as draw
from engines.bloody_grove.describe import phase
from engines.bloody_grove.drawing import CARD_HEIGHT, CARD_WIDTH, INK, WORDS
from engines.bloody_grove.kit import Box
from engines.bloody_grove.rules.book import active_grove, turn_seat
from engines.bloody_grove.state import Card, Column, Tableau, Token, strength
from engines.bloody_grove.worlds import known_ends
from engines.kernel import Action, Language, Setting, evolve
from engines.kernel.svg import Picture, Svg, el, group, polygon, text

WIDTH, MARGIN, GAP = 452.0, 8.0, 6.0
ROUND_WIDTH = 62.0
GROVE_HEIGHT = 92.0
AREA_HEIGHT = 62.0
TOKEN_LINE = 20.0
YELLOW = "#f5c400"
GROVES = (1, 2, 3)


@dataclass
class Canvas:
    """What has been drawn, and where the things one can point at lie."""

    state: Tableau
    setting: Setting[Box]
    lang: Language
    parts: list[Svg] = field(default_factory=list)
    spots: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)

    @property
    def kit(self) -> Box:
        return self.setting.kit

    def put(self, *parts: Svg) -> None:
        self.parts += parts

    def spot(self, name: str, x: float, y: float, width: float, height: float) -> None:
        self.spots[name] = (x, y, width, height)

    def say(self, key: str, **facts: object) -> str:
        return WORDS.say(key, self.lang, **facts)


def picture(
    state: Tableau, setting: Setting[Box], lang: Language, last: Action | None = None
) -> Picture:
    canvas = Canvas(state, setting, lang)
    y = _header(canvas)
    y = _area(canvas, state.seats[-1], y)
    y = _columns(canvas, state.seats[-1], y, upwards=True)
    y = _groves(canvas, y)
    y = _columns(canvas, state.seats[0], y, upwards=False)
    y = _area(canvas, state.seats[0], y)
    y = _displays(canvas, y)
    y = _tokens(canvas, y)
    y = _box(canvas, y)
    _highlight(canvas, last)
    anchors = {name: (x + w / 2, top + h / 2) for name, (x, top, w, h) in canvas.spots.items()}
    return Picture(WIDTH, y + MARGIN, draw.joined(canvas.parts), anchors)


def column_x(grove: int) -> float:
    return MARGIN + ROUND_WIDTH + GAP + (grove - 1) * (CARD_WIDTH + GAP + 2)


def _header(canvas: Canvas) -> float:
    state = canvas.state
    if state.outcome is not None:
        how = canvas.say(f"how.{state.outcome.how}")
        said = canvas.say("picture.won", winners=state.outcome.winners, how=how)
    else:
        flow = state.flow
        facts = {"round": flow.round, "turn": flow.turn, "grove": state.contest.grove}
        said = canvas.say(f"picture.{phase(state)}", **facts)
    canvas.put(text(WIDTH / 2, 22, said, 16, fill=INK, font_weight=700))
    return 32


# players


def _area(canvas: Canvas, seat: str, y: float) -> float:
    """Druid with the Transformation, deck and hand of one player."""
    player, kit = canvas.state.players[seat], canvas.kit
    colour = draw.DRUIDS[player.druid]
    canvas.put(
        el(
            "rect",
            x=MARGIN,
            y=y,
            width=WIDTH - 2 * MARGIN,
            height=AREA_HEIGHT - 4,
            rx=6.0,
            fill="#ffffff",
            stroke=colour,
            stroke_width=2.0,
        ),
        el("circle", cx=MARGIN + 17, cy=y + 18, r=13.0, fill=colour),
        text(MARGIN + 17, y + 24, seat, 17, fill="#ffffff", font_weight=700),
        text(
            MARGIN + 36,
            y + 22,
            WORDS.term(player.druid, canvas.lang),
            13,
            anchor="start",
            fill=INK,
        ),
        text(
            MARGIN + 8,
            y + 50,
            canvas.say("picture.pile", count=len(player.pile)),
            13,
            anchor="start",
            fill=INK,
        ),
    )
    x = MARGIN + 82
    if player.transformation is not None:
        canvas.put(draw.card(kit.spirits[player.transformation], x, y + 8, canvas.lang))
    else:
        canvas.put(_empty(x, y + 8, CARD_WIDTH, CARD_HEIGHT - 3))
    canvas.spot(f"{seat}:druid", x, y + 8, CARD_WIDTH, CARD_HEIGHT - 3)
    _hidden(canvas, seat, x + CARD_WIDTH + 14, y)
    return y + AREA_HEIGHT


def _hidden(canvas: Canvas, seat: str, x: float, y: float) -> None:
    held = canvas.state.players[seat].hidden
    for name, count, left in (("deck", held.deck, x), ("hand", held.hand, x + 116)):
        canvas.put(
            draw.back(left, y + 8, 24, 34),
            text(left + 30, y + 30, count, 18, anchor="start", fill=INK, font_weight=700),
            text(
                left + 54,
                y + 30,
                WORDS.term(name, canvas.lang),
                13,
                anchor="start",
                fill=INK,
            ),
        )
        canvas.spot(f"{seat}:{name}", left, y + 8, 44, 34)
    top, under = known_ends(held.worlds)
    known = " ".join(top) + (" … " if top or under else "") + " ".join(under)
    canvas.put(text(x, y + 54, known, 12, anchor="start", fill=INK))


def _empty(x: float, y: float, width: float, height: float) -> Svg:
    return el(
        "rect",
        x=x,
        y=y,
        width=width,
        height=height,
        rx=5.0,
        fill="none",
        stroke=draw.FAINT,
        stroke_dasharray="4 3",
    )


# columns and Groves


def _lines(card: Card) -> int:
    return -(-len(card.tokens) // draw.TOKENS_PER_LINE)


def _height(column: Column) -> float:
    return sum(CARD_HEIGHT + TOKEN_LINE * _lines(card) for card in column)


def _columns(canvas: Canvas, seat: str, y: float, *, upwards: bool) -> float:
    """Cards lie from the Grove outwards."""
    columns = canvas.state.players[seat].columns
    height = max(CARD_HEIGHT, *map(_height, columns)) + 2 * GAP
    for grove, column in enumerate(columns, start=1):
        x = column_x(grove)
        canvas.spot(f"{seat}@{grove}", x, y + GAP, CARD_WIDTH, height - 2 * GAP)
        at = y + height - GAP if upwards else y + GAP
        counted: dict[str, int] = {}
        for card in column:
            tall = CARD_HEIGHT + TOKEN_LINE * _lines(card)
            at -= tall if upwards else 0
            nth = counted[card.face] = counted.get(card.face, 0) + 1
            _card(
                canvas, f"{seat}:{card.face}@{grove}" + (f"#{nth}" if nth > 1 else ""), card, x, at
            )
            at += 0 if upwards else tall
    return y + height


def _card(canvas: Canvas, name: str, card: Card, x: float, y: float) -> None:
    canvas.put(draw.card(canvas.kit.spirits[card.face], x, y, canvas.lang))
    canvas.spot(name, x, y, CARD_WIDTH, CARD_HEIGHT - 3)
    for index, token in enumerate(card.tokens):
        line, place = divmod(index, draw.TOKENS_PER_LINE)
        left = x + 4 + place * (draw.TOKEN_WIDTH + 3)
        top = y + CARD_HEIGHT - 2 + TOKEN_LINE * line
        canvas.put(draw.token(token, left, top))
        canvas.spot(token.label, left, top, draw.TOKEN_WIDTH, draw.TOKEN_HEIGHT)


def _groves(canvas: Canvas, y: float) -> float:
    _round_card(canvas, y)
    for grove in GROVES:
        _grove(canvas, grove, column_x(grove), y)
    return y + GROVE_HEIGHT


def _round_card(canvas: Canvas, y: float) -> None:
    """Six spaces: by Grove from left to right, each on the side of its player."""
    state, kit = canvas.state, canvas.kit
    canvas.put(
        el(
            "rect",
            x=MARGIN,
            y=y + 2,
            width=ROUND_WIDTH,
            height=GROVE_HEIGHT - 4,
            rx=5.0,
            fill="#e9efe6",
            stroke=INK,
        )
    )
    canvas.spot("round", MARGIN, y + 2, ROUND_WIDTH, GROVE_HEIGHT - 4)
    canvas.put(text(MARGIN + ROUND_WIDTH / 2, y + GROVE_HEIGHT / 2 + 5, state.flow.round, 15))
    if state.flow.first is None:
        return
    for turn in range(1, len(kit.turn_sides) + 1):
        there = turn_of(state, turn)
        seat = turn_seat(there, canvas.setting)
        x = MARGIN + 4 + 18.5 * (active_grove(there, kit) - 1)
        top = y + 6 if seat == state.seats[-1] else y + GROVE_HEIGHT - 32
        now = turn == state.flow.turn and phase(state) == "turn"
        size = 18 if turn == 1 else 14
        canvas.put(
            el(
                "rect",
                x=x,
                y=top,
                width=17.0,
                height=26.0,
                fill=INK if now else "#ffffff",
                stroke=draw.DRUIDS[state.players[seat].druid],
                stroke_width=1.5,
            ),
            text(x + 8.5, top + 19, turn, size, fill="#ffffff" if now else INK, font_weight=700),
        )


def turn_of(state: Tableau, turn: int) -> Tableau:
    return evolve(state, flow=evolve(state.flow, turn=turn))


def _grove(canvas: Canvas, grove: int, x: float, y: float) -> None:
    state, kit, lang = canvas.state, canvas.kit, canvas.lang
    land = state.groves[grove - 1]
    active = phase(state) == "turn" and grove == active_grove(state, kit)
    resolving = grove == state.contest.grove and not state.over
    lit = active or resolving
    parts = [
        el(
            "rect",
            x=x,
            y=y + 2,
            width=CARD_WIDTH,
            height=GROVE_HEIGHT - 4,
            rx=8.0,
            fill=draw.TINTS[land.animal],
            stroke=YELLOW if lit else INK,
            stroke_width=4.0 if lit else 1.2,
        ),
        text(x + 12, y + 51, grove, 17, fill=INK, font_weight=700),
    ]
    if land.animal is not None:
        parts += [
            draw.emblem(land.animal, x + 39, y + 37, 13, lang),
            text(x + 36, y + 68, WORDS.term(land.animal, lang), 12, fill=INK),
        ]
    if lit:
        parts.append(polygon([(x + 7, y + 18), (x + 17, y + 25), (x + 7, y + 32)], fill=INK))
    spaces = {state.seats[-1]: y + 20, None: y + 46, state.seats[0]: y + 72}
    for holder, at in spaces.items():
        held = holder == land.control
        parts.append(_cube(canvas, x + 104, at, holder if held else None, held=held))
    for seat, at in ((state.seats[-1], y + 24), (state.seats[0], y + 79)):
        parts.append(_total(canvas, seat, grove, x + 71, at))
    canvas.put(group(*parts))
    canvas.spot(f"grove{grove}", x, y + 2, CARD_WIDTH, GROVE_HEIGHT - 4)


def _cube(canvas: Canvas, x: float, y: float, seat: str | None, *, held: bool) -> Svg:
    fill = "#8f8a7d" if held else "none"
    if seat is not None:
        fill = draw.DRUIDS[canvas.state.players[seat].druid]
    square = el(
        "rect", x=x - 9, y=y - 9, width=18.0, height=18.0, fill=fill, stroke=INK, stroke_width=1.2
    )
    letter = text(x, y + 5, seat, 13, fill="#ffffff", font_weight=700) if seat else None
    return group(square, letter)


def _total(canvas: Canvas, seat: str, grove: int, x: float, y: float) -> Svg:
    """A player's strength as it stands, its four parts on hover."""
    parts = strength(canvas.state, canvas.kit, seat, grove)
    said = {**parts._asdict(), "total": parts.total}
    return group(
        el("title", WORDS.say("labelled", canvas.lang, label=seat, text=said)),
        text(x, y, f"{seat} {parts.total}", 15, fill=INK, font_weight=700),
    )


# displays


def _displays(canvas: Canvas, y: float) -> float:
    state, kit = canvas.state, canvas.kit
    y += 18
    canvas.put(text(MARGIN, y, canvas.say("picture.elites"), 13, anchor="start", fill=INK))
    for grove, animal in enumerate(kit.animals, start=1):
        deck, x = state.elites[animal], column_x(grove)
        canvas.put(
            text(x, y, f"{WORDS.term(animal, canvas.lang)} {deck.unseen.size}", 13, anchor="start")
        )
        if deck.shown is not None:
            canvas.put(draw.card(kit.spirits[deck.shown], x, y + 6, canvas.lang))
        else:
            canvas.put(_empty(x, y + 6, CARD_WIDTH, CARD_HEIGHT - 3))
        canvas.spot(f"elite {animal}", x, y + 6, CARD_WIDTH, CARD_HEIGHT - 3)
    y += CARD_HEIGHT + 22
    unseen = state.venerables.unseen
    only_red = bool(unseen) and unseen <= kit.red_backs
    said = canvas.say(f"picture.venerables{'_red' if only_red else ''}", count=len(unseen))
    fill = draw.RED if only_red else INK
    canvas.put(text(MARGIN, y, said, 13, anchor="start", fill=fill))
    y += 6
    for place in GROVES:
        x = column_x(place)
        canvas.put(_empty(x, y, CARD_WIDTH, CARD_HEIGHT - 3))
    for place, face in enumerate(state.venerables.shown[:3], start=1):
        x = column_x(place)
        canvas.put(draw.card(kit.spirits[face], x, y, canvas.lang))
        canvas.spot(face, x, y, CARD_WIDTH, CARD_HEIGHT - 3)
    return y + CARD_HEIGHT


def _tokens(canvas: Canvas, y: float) -> float:
    """The reserve as a grid of backs; an eye and a letter for whoever has looked."""
    heap = canvas.state.tokens
    y += 18
    canvas.put(
        text(
            MARGIN,
            y,
            canvas.say("picture.reserve", count=len(heap.reserve)),
            13,
            anchor="start",
            fill=INK,
        )
    )
    per_line = 6
    for index, label in enumerate(heap.reserve):
        line, place = divmod(index, per_line)
        x = MARGIN + place * 72.5
        top = y + 8 + line * 24
        canvas.put(draw.token(Token(label), x, top))
        canvas.spot(label, x, top, draw.TOKEN_WIDTH, draw.TOKEN_HEIGHT)
        lookers = "".join(s for s, p in canvas.state.players.items() if label in p.looked)
        if lookers:
            canvas.put(
                draw.eye_sign(x + draw.TOKEN_WIDTH + 9, top + 9),
                text(x + draw.TOKEN_WIDTH + 18, top + 14, lookers, 12, anchor="start"),
            )
    y += 8 + 24 * (-(-len(heap.reserve) // per_line)) + 14
    said = canvas.say("picture.discard", count=heap.discard.size)
    canvas.put(text(MARGIN, y, said, 13, anchor="start", fill=INK))
    canvas.spot("discard", MARGIN, y - 12, 120, 20)
    for index, value in enumerate(sorted(heap.discard.elements())):
        line, place = divmod(index, 7)
        canvas.put(draw.token(Token("", value), 128 + place * 42, y - 13 + 22 * line))
    for index, label in enumerate(heap.loose):
        canvas.put(draw.token(Token(label), 128 + index * 42, y + 9))
        canvas.spot(label, 128 + index * 42, y + 9, draw.TOKEN_WIDTH, draw.TOKEN_HEIGHT)
    rows = max(1, -(-heap.discard.size // 7)) + bool(heap.loose)
    return y + 22 * (rows - 1)


def _box(canvas: Canvas, y: float) -> float:
    """What is out of the game."""
    y += 20
    names = [name.replace(":", " ") for name in canvas.state.box]
    lines = [names[start : start + 9] for start in range(0, len(names), 9)] or [[]]
    first = canvas.say("picture.box", count=len(names))
    canvas.spot("box", MARGIN - 2, y - 13, WIDTH - 2 * MARGIN + 4, 17.0 * len(lines))
    for index, line in enumerate(lines):
        said = ", ".join(line)
        canvas.put(
            text(
                MARGIN, y + 17 * index, f"{first} {said}" if not index else said, 12, anchor="start"
            )
        )
    return y + 17 * (len(lines) - 1)


# the last action


def _highlight(canvas: Canvas, last: Action | None) -> None:
    if last is None:
        return
    for name in _touched(canvas.state, last):
        if (spot := canvas.spots.get(name)) is not None:
            x, y, width, height = spot
            canvas.put(_outline(x - 2, y - 2, width + 4, height + 4))
    if isinstance(last, act.Ruse) and last.by is not None and last.at.isdigit():
        _arrow(canvas, last.by, int(last.at), last.to)


def _outline(x: float, y: float, width: float, height: float) -> Svg:
    box = {"x": x, "y": y, "width": width, "height": height, "rx": 6.0, "fill": "none"}
    return group(
        el("rect", **box, stroke=INK, stroke_width=5.0),
        el("rect", **box, stroke=YELLOW, stroke_width=3.0),
    )


def _arrow(canvas: Canvas, seat: str, source: int, to: int) -> None:
    start, end = canvas.spots[f"{seat}@{source}"], canvas.spots[f"{seat}@{to}"]
    y = start[1] if seat == canvas.state.seats[0] else start[1] + start[3]
    x1, x2 = start[0] + start[2] / 2, end[0] + end[2] / 2
    tip = 8 if x2 > x1 else -8
    canvas.put(
        el("path", d=f"M{x1} {y} L{x2 - tip} {y}", stroke=INK, stroke_width=5.0),
        el("path", d=f"M{x1} {y} L{x2 - tip} {y}", stroke=YELLOW, stroke_width=3.0),
        polygon([(x2, y), (x2 - 2 * tip, y - 8), (x2 - 2 * tip, y + 8)], fill=YELLOW, stroke=INK),
    )


def _touched(state: Tableau, last: Action) -> list[str]:
    """The names of what the last action moved or showed."""
    by = last.by
    match last:
        case act.Invoke() | act.Bottom():
            return [_last_card(state, by, last.face)]
        case act.Ruse():
            return [_last_card(state, by, last.face)]
        case act.Transform():
            return [f"{by}:druid"]
        case act.Recruit():
            return [f"elite {last.animal}", f"{by}:hand" if last.to == "hand" else f"{by}:deck"]
        case act.ShowElite():
            return [f"elite {a}" for a, deck in state.elites.items() if deck.shown == last.face]
        case act.ShowVenerables():
            return list(last.faces)
        case act.Arcane() | act.Look() | act.Reveal():
            return [last.token]
        case act.Take():
            return [_last_card(state, by, last.face)]
        case act.Replace():
            return ["box", _last_card(state, by, state.contest.taken)]
        case act.Draw() | act.Stow():
            return [f"{by}:hand", f"{by}:deck"]
        case act.LayGroves():
            return [f"grove{grove}" for grove in GROVES]
    return []


def _last_card(state: Tableau, seat: str | None, face: str | None) -> str:
    """The name of the last card of that face on a player's side."""
    if seat is not None and face is not None:
        for grove in reversed(GROVES):
            count = sum(card.face == face for card in state.players[seat].columns[grove - 1])
            if count:
                return f"{seat}:{face}@{grove}" + (f"#{count}" if count > 1 else "")
    return ""
