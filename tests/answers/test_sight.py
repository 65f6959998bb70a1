"""What happened is proposed from photographs: drawn here, with no code of those that look."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any, cast
from zlib import crc32

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

from answers.context import Caller, open_store_context
from answers.play.actions import log
from answers.play.moves import moves
from answers.play.sight import (
    Looked,
    SightAnswer,
    audit,
    broken_clauses,
    confirm,
    refused_action,
    sight,
)
from answers.privileged import Outlook, legal_actions, outlook
from answers.review.entries import entries
from answers.rulebooks.box_boards import WHOLE, place
from answers.rulebooks.box_tour import add_photo
from engines.kernel import Action
from engines.kernel.messages.errors import MessageError
from referee.record import entries as kinds
from referee.sight import cards
from referee.sight.appearance import COLOURS, LIGHTNESS, Appearance
from referee.sight.look import KnownBoard, Sighting, decoded, kinds_at, learned, score, sightings
from referee.sight.proposals import CLEAR, EXPLAINED, LONGEST, Asked, Look, looks, proposals, signs
from referee.sight.registration import Board
from referee.table.author import Author
from replays.text_record import text_record
from tests.answers.conftest import SETUP
from tests.games.bethel_woods import SETUPS
from tests.opening import new_table
from tests.photos import art, jpeg_of, picture, png

GAME = "bethel_woods"
RING = {
    "1": (230, 115), "2": (490, 115), "3": (619, 288),
    "4": (490, 461), "5": (230, 461), "6": (101, 288),
}  # fmt: skip
AT = (90, 80)


def taken(board: Image.Image, at: tuple[int, int] = AT, light: float = 1.0) -> Image.Image:
    table = Image.new("RGB", (900, 740), (92, 64, 44))
    table.paste(board, at)
    return ImageEnhance.Brightness(table).enhance(light)


class Bethel:
    """A table whose board the club has photographed, and photographs of it."""

    def __init__(self, caller: Caller | None = None, painted: int = 1) -> None:
        self.caller = caller or Caller(open_store_context("memory:"))
        self.board = art(painted)
        add_photo(self.caller, GAME, jpeg_of(self.board), "board:board")
        spots = {name: (x * 10_000 // 720, y * 10_000 // 576) for name, (x, y) in RING.items()}
        rows = place(self.caller, GAME, "board", corners=WHOLE, places=spots).data.spaces
        data = {asked.path: asked.value for row in rows for asked in row.questions}
        place(self.caller, GAME, "board", data=data, declare=True)
        first, *others = next(iter(SETUPS.values()))(random.Random(5))
        opened = new_table(self.caller, GAME, first.removeprefix("table "))
        self.id = opened
        log(self.caller, self.id, others)

    @property
    def known(self) -> Outlook:
        return outlook(self.caller, self.id)

    def things(self, state: Any) -> Counter[tuple[str, str]]:
        known = self.known
        return Counter(known.game.engine.things(state, known.step.setting))

    def shown(self, things: Counter[tuple[str, str]], **how: Any) -> bytes:
        """The board with a disc for everything that lies at a machine, in a spot of its own."""
        made = self.board.copy()
        pen = ImageDraw.Draw(made)
        for (where, kind), count in things.items():
            name = where.removeprefix("machine.")
            for number in range(count if name in RING else 0):
                spot = crc32(f"{where} {kind} {number}".encode())
                x, y = RING[name][0] + spot % 90 - 45, RING[name][1] + spot // 90 % 80 - 40
                red, green, blue = (
                    (crc32(kind.encode()) >> bits) % 2 * 200 + 20 for bits in (3, 7, 11)
                )
                pen.ellipse((x - 11, y - 11, x + 11, y + 11), fill=(red, green, blue), outline=0)
        return jpeg_of(taken(made, **how))

    def see(self, before: bytes, after: bytes, **more: Any) -> SightAnswer:
        return sight(self.caller, self.id, before + after, split=len(before), **more).data


@pytest.fixture(scope="module")
def bethel() -> Bethel:
    return Bethel()


def visible(bethel: Bethel) -> list[tuple[Action, Any]]:
    known = bethel.known
    state = known.step.state
    pairs = [(action, known.after(state, action)) for action in known.options(state)]
    return [(one, after) for one, after in pairs if bethel.things(after) != bethel.things(state)]


def test_the_action_that_explains_a_photograph_is_proposed_and_nothing_is_stored(
    bethel: Bethel,
) -> None:
    known = bethel.known
    before = bethel.shown(bethel.things(known.step.state))
    version = known.game.version
    for action, after in visible(bethel)[:3]:
        photo = bethel.shown(bethel.things(after), at=(93, 78), light=0.9)
        seen = bethel.see(before, photo)
        assert seen.outcome == "seen"
        first = seen.proposals[0]
        lines = [[step.notation for step in first.steps], *first.same]
        assert [known.game.engine.text(action)] in lines
        assert seen.changed
        assert [board.board for board in seen.boards] == ["board"]
        corners = [part for point in seen.boards[0].corners for part in point]
        assert bethel.see(photo, photo, corners=corners).outcome == "nothing"
    assert bethel.known.game.version == version


def test_each_club_is_seen_on_the_board_that_it_photographed_last(bethel: Bethel) -> None:
    """Two of a name in one process, and one that is photographed anew, by turns."""
    caller = Caller(open_store_context("memory:"))
    for painted in (2, 3):
        other = Bethel(caller, painted)
        for club in (other, bethel):
            picture = club.shown(club.things(club.known.step.state))
            assert club.see(picture, picture).outcome == "nothing"


def test_another_light_is_nothing_and_what_no_rule_allows_is_a_question(bethel: Bethel) -> None:
    things = bethel.things(bethel.known.step.state)
    before = bethel.shown(things)
    assert bethel.see(before, bethel.shown(things, light=0.8)).outcome == "nothing"
    strange = ["machine.1", "machine.3", "machine.5"]
    odd = things + Counter({(where, "tile.strange"): 2 for where in strange})
    seen = bethel.see(before, bethel.shown(odd))
    assert seen.outcome == "unexplained"
    assert {one.place for one in seen.changed[:3]} == {*strange}


class Seen:
    """A photograph of which is known what it shows."""

    def __init__(self, places: set[str], wanted: Look) -> None:
        self.places, self.wanted = dict.fromkeys(places, 0), signs(wanted)

    def score(self, gone: frozenset[str], come: frozenset[str]) -> float:
        return -4.0 * (len(gone ^ self.wanted[0]) + len(come ^ self.wanted[1]))

    def unlike(self, known: Appearance, changes: object) -> float:
        return 0.0


POSITION = {
    "round": 2, "turn": 1, "first": "A", "event": "gathering", "cursed": ["rg", "pd", "wf"],
    "players": {"A": {"cards": 4, "bolts": 25}, "B": {"cards": 4}},
}  # fmt: skip
BROKEN = {
    "A step a3": ("benevolent", "A=blue B=red first A", SETUP, ["BEN-MOVE-3"]),
    "A move 2 M1": (
        "broom_service",
        "A=red B=blue first A side front",
        [f"position {json.dumps(POSITION)}", "A pw coward"],
        ["BRM-MOV-2", "BRM-MOV-3"],
    ),
}


@pytest.mark.parametrize("line", BROKEN)
def test_the_rule_is_named_that_forbids_what_was_seen(line: str) -> None:
    game, opening, lines, clauses = BROKEN[line]
    caller = Caller(open_store_context("memory:"))
    log(caller, opened := new_table(caller, game, opening), lines)
    known = outlook(caller, opened)
    engine, state, setting = known.game.engine, known.step.state, known.step.setting
    assert engine.sight is not None
    asked = Asked(
        known.options,
        known.after,
        lambda at: engine.things(at, setting),
        engine.sight.alike,
        lambda place: True,
    )
    judged = known.refused(engine.read(line))
    assert judged is not None
    base = asked.things(state)
    wanted = looks(base, asked.things(judged.state), asked)
    legal = (asked.things(known.after(state, action)) for action in known.options(state))
    places = {where for things in (base, *legal) for where, _ in things} | {
        one[0] for one in wanted
    }
    seen = Sighting("board", cast(Any, Seen(places, wanted)), [])
    changed = [place for part in signs(wanted) for place in sorted(part)]
    found = refused_action(Looked(known, [seen], [], asked, base, Appearance()), changed)
    assert found is not None
    assert (engine.text(found.action), broken_clauses(found)) == (line, clauses)


def test_an_audit_names_the_places_that_differ_from_the_record(bethel: Bethel) -> None:
    """Against the empty board whether something lies there; with a photograph before, also what."""
    things = bethel.things(bethel.known.step.state)
    bare = Counter({key: n for key, n in things.items() if key[0] != "machine.1"})
    fuller = things + Counter({("machine.6", "tile.strange"): 2})
    before = bethel.shown(things)
    cases = {"machine.1": (bare, "missing"), "machine.6": (fuller, "unexpected")}
    for first, seen in ((b"", ["machine.1"]), (before, [*cases])):

        def differs(lying: Counter[tuple[str, str]], first: bytes = first) -> list[tuple[str, str]]:
            content = first + bethel.shown(lying, light=0.9)
            found = audit(bethel.caller, bethel.id, content, split=len(first)).data
            assert found.compared == 12
            return [(one.place, one.what) for one in found.differs]

        assert differs(things) == []
        for where in seen:
            lying, what = cases[where]
            assert differs(lying) == [(where, what if not first else "unexpected")]


def test_a_board_that_nobody_has_photographed_is_seen_between_marked_corners(
    bethel: Bethel,
) -> None:
    """The club's picture shows another print: what lies between the corners is taken for it."""
    known, state = bethel.known, bethel.known.step.state
    action, after = visible(bethel)[0]
    bethel.board, printed = art(2), bethel.board
    try:
        before, photo = (bethel.shown(bethel.things(at)) for at in (state, after))
        with pytest.raises(MessageError, match="sight_lost"):
            bethel.see(before, photo)
        x, y = AT[0] * 10_000 // 900, AT[1] * 10_000 // 740
        wide, high = 810 * 10_000 // 900, 656 * 10_000 // 740
        seen = bethel.see(
            before, photo, board="board", corners=[x, y, wide, y, wide, high, x, high]
        )
    finally:
        bethel.board = printed
    first = seen.proposals[0]
    lines = [[step.notation for step in first.steps], *first.same]
    assert [known.game.engine.text(action)] in lines


def face() -> Image.Image:
    """Somebody looks into the camera."""
    made = Image.new("RGB", (900, 740), (70, 90, 110))
    pen = ImageDraw.Draw(made)
    pen.ellipse((280, 120, 620, 620), fill=(214, 168, 138))
    pen.pieslice((270, 90, 630, 420), 180, 360, fill=(60, 40, 30))
    for x in (380, 520):
        pen.ellipse((x - 34, 320, x + 34, 355), fill="white")
        pen.ellipse((x - 12, 322, x + 12, 352), fill=(50, 80, 60))
    pen.polygon([(450, 360), (430, 450), (472, 450)], fill=(190, 140, 112))
    pen.arc((380, 430, 520, 560), 20, 160, fill=(150, 50, 50), width=12)
    return made.filter(ImageFilter.GaussianBlur(1))


BAD: dict[str, Callable[[Bethel], bytes]] = {
    "sight_dark": lambda table: jpeg_of(taken(table.board, light=0.05)),
    "sight_blurred": lambda table: jpeg_of(taken(table.board).filter(ImageFilter.GaussianBlur(25))),
    "sight_small": lambda table: png(1, 1),
    "sight_lost": lambda table: jpeg_of(taken(art(9))),
    "sight_ of a face": lambda table: jpeg_of(face()),
    "photo_unknown": lambda table: b"not a picture",
    "photo_too_many_pixels": lambda table: picture(20_000, 10_000, mode="1", colour="white"),
}


@pytest.mark.parametrize("key", BAD)
def test_a_bad_picture_gets_a_sentence(key: str, bethel: Bethel) -> None:
    good = bethel.shown(bethel.things(bethel.known.step.state))
    bad = BAD[key](bethel)
    for before in (good, b""):
        with pytest.raises(MessageError, match=key.partition(" ")[0]):
            bethel.see(before, bad)
    with pytest.raises(MessageError, match="sight_split"):
        sight(bethel.caller, bethel.id, good, split=len(good) + 1)


def test_without_a_photograph_of_the_empty_board_one_is_told_so() -> None:
    caller = Caller(open_store_context("memory:"))
    opened = new_table(caller, "benevolent", "A=blue B=red first A")
    with pytest.raises(MessageError, match="sight_no_photo"):
        sight(caller, opened, png(300, 300))


@pytest.mark.parametrize("role", ["scribe", "seat:A", "seat:B", "table"])
def test_nothing_is_proposed_that_the_caller_is_not_offered(role: str, bethel: Bethel) -> None:
    caller = Caller(bethel.caller.store_context, Author("somebody", role))
    known = outlook(caller, bethel.id)
    assert known.options(known.step.state) == legal_actions(caller, bethel.id)


def test_a_sequence_is_found_and_its_unseen_steps_are_marked() -> None:
    """On a line of numbers nobody sees ``tick``; ``step`` moves a stone after it."""
    tick, step = (Action.model_construct(verb=verb, by="A") for verb in ("tick", "step"))
    asked = Asked(
        lambda state: [tick, step],
        lambda state, action: (
            (state[0], True) if action is tick else (state[0] + 1, False) if state[1] else None
        ),
        lambda state: {(f"at.{state[0]}", "stone"): 1},
        lambda kind: kind,
        lambda place: True,
    )
    wanted = looks(asked.things((0, False)), asked.things((2, False)), asked)

    def score(look: Look) -> float:
        return -4.0 * len(
            {*signs(look)[0], *signs(look)[1]} ^ {*signs(wanted)[0], *signs(wanted)[1]}
        )

    first = proposals((0, False), asked.things((0, False)), asked, score)[0]
    assert [action.verb for action in first.actions] == ["tick", "step", "tick", "step"]
    assert first.visible == (False, True, False, True)
    assert len(first.actions) <= LONGEST


def coloured(**pixels: int) -> Any:
    """So many pixels of colours that lie far apart."""
    shown = np.zeros((LIGHTNESS, COLOURS, COLOURS))
    for at, count in zip(
        range(1, COLOURS, 4), (pixels.get(name, 0) for name in "abc"), strict=False
    ):
        shown[2, at, COLOURS - 1 - at] = count
    return shown.ravel()


def test_what_kinds_look_like_is_learned_from_where_they_lie() -> None:
    """Among others too; what always lies with another is not told from it."""
    known = Appearance()
    known.learn({"ant": 1}, coloured(a=40))
    known.learn({"ant": 1, "bee": 1}, coloured(a=40, b=40))
    known.learn({"bee": 2, "cat": 1, "cow": 1}, coloured(b=80, c=90))
    assert known.unlike(coloured(b=40), {"bee": 1}) < 0.1
    assert known.unlike(coloured(b=40), {"ant": 1}) > 0.4
    assert known.unlike(coloured(a=40, b=40), {"ant": 1, "bee": 1}) < 0.1
    both = [known.unlike(coloured(c=40), {kind: 1}) for kind in ("cat", "cow")]
    assert max(both) < 0.1
    assert known.unlike(coloured(b=40), {"never seen": 1}) > 0.3
    assert Appearance().unlike(coloured(b=40), {"ant": 1}) == 0


def discs(*pieces: tuple[str, str], pushed: str = "") -> Any:
    """A photograph of coloured discs at their places, one of them pushed a little."""
    made = art(1)
    for name, kind in pieces:
        x, y = RING[name]
        far = 5 if name == pushed else 0
        box = (x - 13 + far, y - 13, x + 13 + far, y + 13)
        ImageDraw.Draw(made).ellipse(box, fill=kind, outline=0)
    return decoded(jpeg_of(taken(made)))


def ring() -> KnownBoard:
    spots = {name: (x / 720, y / 576) for name, (x, y) in RING.items()}
    return KnownBoard("board", Board(np.asarray(art(1))), spots)


def test_a_piece_that_came_is_told_by_its_colour_where_its_place_does_not_tell() -> None:
    lying = [("1", "red"), ("2", "blue"), ("4", "red"), ("4", "blue")]
    seen = sightings(discs(*lying), discs(*lying, ("3", "red")), [ring()])
    known = learned(seen, kinds_at(Counter(lying), lambda kind: kind))
    scores = {kind: score(seen, frozenset({("3", kind, 1)}), known) for kind in ("red", "blue")}
    assert scores["red"] > scores["blue"] + CLEAR
    assert scores["red"] > EXPLAINED


@pytest.mark.parametrize("earlier", [True, False])
def test_an_audit_tells_a_piece_of_another_kind_from_one_that_was_only_pushed(
    *, earlier: bool
) -> None:
    """By what kinds look like elsewhere on the table; one that lies nowhere else is let be."""
    lying = {"1": "red", "2": "blue", "3": "red", "4": "blue", "5": "green"}
    at = kinds_at(Counter(lying.items()), lambda kind: kind)
    before = discs(*lying.items())

    def differing(photo: Any) -> list[str]:
        seen = sightings(before if earlier else None, photo, [ring()])

        def known(place: str) -> Appearance:
            return learned(seen, at, None if earlier else place)

        come = frozenset[str]() if earlier else lying.keys()
        return [row.place for row in seen[0].evidence.differing(set(), come, known, at)]

    assert differing(discs(*{**lying, "3": "blue"}.items())) == ["3"]
    assert differing(discs(*{**lying, "2": "red"}.items())) == ["2"]
    assert differing(discs(*lying.items(), pushed="3")) == []
    assert differing(before) == []


def test_a_card_is_recognised_on_several_photographs_or_not_at_all() -> None:
    """One that shows nothing does no harm; two that show two cards do."""
    known = cards.faces({str(one): np.asarray(art(one, (300, 400))) for one in range(4)})
    first, other, stranger = (np.asarray(art(one, (300, 400))) for one in (1, 2, 40))
    assert cards.recognised([stranger, first, first], known) == "1"
    assert cards.recognised([first, other], known) is None
    assert cards.recognised([stranger], known) is None


def test_the_record_says_what_a_camera_proposed_and_who_confirmed_it() -> None:
    caller = Caller(open_store_context("memory:"))
    game = new_table(caller, "benevolent", "A=blue B=red first A")
    log(caller, game, SETUP)
    lines = [caller.game(game).engine.text(one) for one in legal_actions(caller, game)]
    made = log(caller, game, [lines[0]], by_sight="unconfirmed").data.number
    assert made is not None

    def row() -> str | None:
        return next(one.by_sight for one in moves(caller, game).data.moves if one.number == made)

    assert row() == "unconfirmed"
    judge = Caller(caller.store_context, Author("panabel", "judge"))
    assert confirm(judge, game, made).data.number == made
    assert row() == "confirmed"
    last = caller.game(game).entries.last
    assert (last.by, last.data) == ("panabel", kinds.Seen(numbers=(made,), confirmed=True))
    for number in (made, 1):
        with pytest.raises(MessageError, match="not_to_confirm"):
            confirm(judge, game, number)
    written = text_record(caller.game(game), {})
    assert "%seen" in written
    told = [one.told for one in entries(caller, game).data.entries[-2:]]
    assert "unconfirmed" in told[0]
    assert "confirmed by" in told[1]
