"""What happened, seen on a photograph: legal actions are proposed, and a person decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import chain
from math import dist
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import Field

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import Local, operation
from answers.i18n import Voice
from answers.limits import FirstBytes, Frames, PartName, Share
from answers.line_words import called
from answers.permissions import TABLE, Writes
from answers.privileged import Outlook, legal_actions, outlook, step_at
from answers.rulebooks import box_boards, box_pieces, boxes
from engines.kernel import ParseError, Verbatim
from engines.kernel.rules.holdings import holder_named, thing_named
from referee.errors import NotFound, Unfit
from referee.lru_cache import LruCache
from referee.record.entries import Number
from referee.record.game import Game
from referee.sight import cards, look
from referee.sight.appearance import Appearance
from referee.sight.proposals import (
    CLEAR,
    EXPLAINED,
    UNEXPLAINED,
    Asked,
    Look,
    Proposal,
    is_sure,
    looks,
    nothing_happened,
    proposals,
    signs,
)
from referee.sight.registration import Board
from referee.table.confirmations import confirm_seen

if TYPE_CHECKING:
    from engines.kernel import Action, Engine, Judgement
    from engines.kernel.messages.catalogue import Language
    from engines.kernel.picture.svg import Spot
    from engines.kernel.rules.sight import Things

MOST_PROPOSED = 5
MOST_SAME = 12
MOST_LINES = 24
MOST_SWAPPED = 4
"""So many places that look different are put into lines that may have been meant."""
MOST_TRIED = 1000
"""So many lines that may have been meant are judged."""
_BOARDS: LruCache[Board] = LruCache(8)
"""Boards with what they are found by, by the digests of their photographs."""
_FACES: LruCache[cards.Faces] = LruCache(4)
"""What all pieces of a box are recognised by, by the digests of their pictures."""

Outcome = Literal["seen", "nothing", "unexplained"]


class SightStep(Data):
    notation: str
    label: str
    visible: bool
    """Whether it changes something that the photograph shows."""


class SightProposal(Data):
    steps: list[SightStep]
    score: float
    """How well it explains what was seen: 0 is perfect, less is worse."""
    same: list[list[str]]
    """Other lines that look just the same: somebody has to say which it was."""


class SightPlace(Data):
    place: str
    label: str


class SightBoard(Data):
    board: str
    corners: list[tuple[int, int]]
    """Where it was found, in ten-thousandths of the photograph: sent along with the next one they
    spare the search."""


class SightRefusal(Data):
    notation: str
    label: str
    clauses: list[str]
    """What it breaks."""


class SightAnswer(Data):
    game: str
    number: int
    """The last action that counts; sent as ``since`` with the next photograph, once this one shows
    the table after it."""
    outcome: Outcome
    """``nothing`` has changed; or it has, and no legal action does that: a question to the table,
    never an accusation."""
    sure: bool
    """Whether the first proposal explains it, and clearly better than the next."""
    proposals: list[SightProposal]
    changed: list[SightPlace]
    """Places that look different, the clearest first."""
    refused: SightRefusal | None
    """What no legal action explains, and this one would: it stands beside the question."""
    boards: list[SightBoard]
    unseen: list[str]
    """Boards that are not on the photograph: what happens there is not seen."""


class SightDifference(SightPlace):
    recorded: list[str]
    """What lies there by the record."""
    what: Literal["missing", "unexpected"]
    """Nothing is seen of what the record has there, or something that it has not."""


class SightAuditAnswer(Data):
    game: str
    number: int
    differs: list[SightDifference]
    """The clearest first; none where the table looks as the record has it."""
    compared: int
    """So many places were looked at."""
    boards: list[SightBoard]
    unseen: list[str]


Marked = Annotated[Sequence[Share], Field(max_length=8)]


@operation(
    "sight",
    "POST /games/{game}/sight",
    grant=TABLE,
    upload="answers.requests.uploads:photographs",
    kind="try",
    slow=True,
)
def sight(
    caller: Caller,
    game_id: str,
    content: Local[bytes],
    *,
    split: FirstBytes = 0,
    since: Number | None = None,
    board: PartName = "",
    corners: Marked = (),
) -> Answered[SightAnswer]:
    """Propose what happened, from a photograph of the table; nothing is stored of it.

    The first ``split`` bytes are a photograph taken before, after action ``since``; without it the
    club's empty board is compared with. ``corners`` of a board on it: x and y, four times.
    """
    seen = _looked(caller, game_id, content, split, since, board, corners)
    ranked = proposals(
        seen.known.step.state,
        seen.base,
        seen.asked,
        seen.score,
    )
    return _answered(caller, seen, ranked)


@operation(
    "sight-audit",
    "POST /games/{game}/sight/audit",
    grant=TABLE,
    upload="answers.requests.uploads:photographs",
    kind="try",
    slow=True,
)
def audit(
    caller: Caller,
    game_id: str,
    content: Local[bytes],
    *,
    split: FirstBytes = 0,
    since: Number | None = None,
    board: PartName = "",
    corners: Marked = (),
) -> Answered[SightAuditAnswer]:
    """Compare a photograph of the table with the record, and name the places that differ.

    What is sent is what ``sight`` is sent. Against the empty board only whether something lies at a
    place is seen; against a photograph taken before also whether it is still the same.
    """
    seen = _looked(caller, game_id, content, split, since, board, corners)
    engine, game, now = seen.known.game.engine, seen.known.game, seen.things
    gone, come = signs(looks(seen.base, now, seen.asked))
    lying = look.kinds_at(now, seen.asked.alike)

    def known(place: str) -> Appearance:
        return seen.appearance if split else look.learned(seen.sightings, lying, place)

    rows = [
        row for one in seen.sightings for row in one.evidence.differing(gone, come, known, lying)
    ]
    rows.sort(key=lambda row: -row.strength)

    def data() -> SightAuditAnswer:
        lang = caller.voice.lang
        return SightAuditAnswer(
            game=game.id,
            number=seen.number,
            differs=[
                SightDifference(
                    place=row.place,
                    label=str(holder_named(row.place, engine.words, lang)),
                    recorded=_recorded(engine, now, row.place, lang),
                    what="missing" if row.missing else "unexpected",
                )
                for row in rows
            ],
            compared=sum(len(one.evidence.places) for one in seen.sightings),
            boards=_found_boards(seen),
            unseen=seen.unseen,
        )

    def told(voice: Voice) -> Iterator[str]:
        if not rows:
            yield voice.say("sight.as_recorded", count=data().compared)
        for row in rows:
            lying = _recorded(engine, now, row.place, voice.lang)
            yield voice.say(
                f"sight.{'missing' if row.missing else 'unexpected'}",
                place=holder_named(row.place, engine.words, voice.lang),
                things=Verbatim(", ".join(lying) or voice.say("sight.empty")),
            )
        yield from _not_seen(voice, seen)

    return Answered(data, told)


class SightLine(Data):
    notation: str
    label: str


class SightCardAnswer(Data):
    game: str
    words: list[str]
    """What is recognised, as it is typed: several where they look the same; none if unsure."""
    label: str
    lines: list[SightLine]
    """What whoever asks can say with it now."""


@operation(
    "sight-card",
    "POST /games/{game}/sight/card",
    grant=TABLE,
    upload="answers.requests.uploads:photographs",
    kind="try",
    slow=True,
)
def card(
    caller: Caller, game_id: str, content: Local[bytes], *, split: Frames = ()
) -> Answered[SightCardAnswer]:
    """Recognise a card or tile among the club's own pictures; whoever shows it alone is answered.

    Up to three photographs of it may be sent; ``split``: how long each is but the last. Nothing is
    stored of them, and nobody else hears of it.
    """
    game = caller.game(game_id)
    photos = [*_frames(content, split)]
    known = _faces(caller, game)
    if known is None:
        raise NotFound("sight_no_pieces")
    code = cards.recognised(look.usable(photos), known)
    typed = [] if code is None else box_pieces.words_of(code)
    engine = game.engine

    def data() -> SightCardAnswer:
        lang, names = caller.voice.lang, caller.names_at(game)
        return SightCardAnswer(
            game=game.id,
            words=typed,
            label=", ".join(called(engine, word, lang) for word in typed),
            lines=[
                SightLine(
                    notation=engine.text(action), label=engine.text.label(action, lang, names)
                )
                for action in (legal_actions(caller, game_id) if typed else ())
                if not {*typed}.isdisjoint(engine.text(action).split())
            ][:MOST_LINES],
        )

    def told(voice: Voice) -> Iterator[str]:
        label = ", ".join(called(engine, word, voice.lang) for word in typed)
        yield voice.say("sight.card" if typed else "sight.no_card", card=Verbatim(label))

    return Answered(data, told)


def _frames(content: bytes, split: Sequence[int]) -> Iterator[Any]:
    at = 0
    if sum(split) > len(content):
        raise Unfit("sight_split")
    for length in split:
        yield look.decoded(content[at : at + length])
        at += length
    yield look.decoded(content[at:])


class SightConfirmAnswer(Data):
    game: str
    entry: int
    number: int


@operation("sight-confirm", "POST /games/{game}/sight/confirmation", grant=Writes("seen"))
def confirm(caller: Caller, game_id: str, number: Number) -> Answered[SightConfirmAnswer]:
    """It was so: an action that was logged by sight is confirmed by whoever says it."""
    answer = confirm_seen(caller.bench, game_id, number, by=caller.by)
    entry = answer.entries[0].seq
    return Answered(
        lambda: SightConfirmAnswer(game=answer.game.id, entry=entry, number=number),
        lambda voice: [voice.say("sight.confirmed", number=number)],
    )


def _faces(caller: Caller, game: Game) -> cards.Faces | None:
    """The club's own pictures of what a table is played with."""
    pieces = box_pieces.pictures_of(caller, game)
    digest = sha256("".join(f"{code} {pieces[code][1]} " for code in sorted(pieces)).encode())
    found = _FACES.get(digest.hexdigest())
    if found is None and pieces:
        kept = {
            code: boxes.box_photo(caller, game.engine.id, kit, code, kind=box_pieces.PIECE).content
            for code, (kit, _) in pieces.items()
        }
        found = cards.faces({code: look.decoded(content) for code, content in kept.items()})
        _FACES.put(digest.hexdigest(), found)
    return found


def _recorded(engine: Engine[Any, Any], things: Things, place: str, lang: Language) -> list[str]:
    return [
        thing_named(kind, count, engine.words, lang)
        for (where, kind), count in things.items()
        if where == place
    ]


class Looked(NamedTuple):
    """A photograph compared with the one before, or with the empty board."""

    known: Outlook
    sightings: list[look.Sighting]
    boards: list[str]
    asked: Asked
    base: Things
    """What lay there then."""

    appearance: Appearance
    """What the kinds look like that lay there."""

    def score(self, shown: Look) -> float:
        return look.score(self.sightings, shown, self.appearance)

    @property
    def things(self) -> Things:
        return self.asked.things(self.known.step.state)

    @property
    def number(self) -> int:
        steps = reversed(self.known.game.steps)
        return next((step.number for step in steps if step.number is not None), 0)

    @property
    def unseen(self) -> list[str]:
        return [name for name in self.boards if name not in {one.board for one in self.sightings}]


def _looked(
    caller: Caller,
    game_id: str,
    content: bytes,
    split: int,
    since: int | None,
    board: str,
    corners: Sequence[int],
) -> Looked:
    if split > len(content):
        raise Unfit("sight_split")
    known = outlook(caller, game_id)
    engine = known.game.engine
    if engine.sight is None:
        raise Unfit("sight_none", game=Verbatim(engine.words.say("game", caller.voice.lang)))
    after = look.decoded(content[split:])
    before = look.decoded(content[:split]) if split else None
    boards = list(_boards(caller, known, board, list(corners)))
    if not boards or (before is None and not any(one.printed for one in boards)):
        raise NotFound("sight_no_photo")
    seen = look.sightings(before, after, boards)
    if not seen:
        raise Unfit("sight_lost")
    asked = _asked(known, {place for one in seen for place in one.evidence.places})
    base = {}
    if before is not None:
        base = asked.things(known.step.state if since is None else step_at(known.game, since).state)
    appearance = look.learned(seen, look.kinds_at(base, asked.alike))
    return Looked(known, seen, [one.name for one in boards], asked, base, appearance)


def _asked(known: Outlook, places: set[str]) -> Asked:
    engine, setting = known.game.engine, known.step.setting
    assert engine.sight is not None
    return Asked(
        known.options,
        known.after,
        lambda state: engine.things(state, setting),
        engine.sight.alike,
        places.__contains__,
    )


def _boards(
    caller: Caller, known: Outlook, named: str, corners: list[int]
) -> Iterator[look.KnownBoard]:
    """The boards on which something of this game lies: those that the club has put on a photograph,
    and the one whose corners were marked."""
    game, engine = known.game, known.game.engine
    grounds = box_boards.grounds(caller, game)
    setting = known.step.setting
    assert engine.sight is not None
    marked = [(x / box_boards.SCALE, y / box_boards.SCALE) for x, y in _pairs(corners)]
    for board in engine.guide.boards(setting.kit):
        ground = grounds.get(board.name)
        here = marked if len(marked) == 4 and named in ("", board.name) else []
        if ground is None and not here:
            continue
        starts = {s.name: s.start for s in board.spaces if s.start is not None}
        spaces = starts if ground is None else ground.places
        spots = engine.sight.spots(known.step.state, setting, board.name, spaces)
        if not spots:
            continue
        printed, tall = None, _tall(here) if here else 1.0
        if ground is not None:
            printed, tall = _printed(caller, known, board.name), ground.height / ground.width
        yield look.KnownBoard(board.name, printed, spots, engine.sight.reach, here, tall)


def _pairs(corners: list[int]) -> list[tuple[int, int]]:
    return list(zip(corners[::2], corners[1::2], strict=False))


def _tall(corners: Sequence[Spot]) -> float:
    """How high a board seems for its width, by the sides between its corners."""
    top, right, bottom, left = (dist(corners[i], corners[(i + 1) % 4]) for i in range(4))
    return min(4.0, max(0.25, (left + right) / max(1e-6, top + bottom)))


def _printed(caller: Caller, known: Outlook, board: str) -> Board:
    kit = str(known.game.sheet.content["kit"])
    photo = boxes.box_photo(caller, known.game.engine.id, kit, board, kind=box_boards.FLAT)
    found = _BOARDS.get(photo.digest)
    if found is None:
        found = Board(look.decoded(photo.content))
        _BOARDS.put(photo.digest, found)
    return found


# the answer


def _answered(caller: Caller, looked: Looked, ranked: list[Proposal]) -> Answered[SightAnswer]:
    known, seen = looked.known, looked.sightings
    strength = {place: n for one in seen for place, n in one.evidence.strength().items()}
    changed = sorted(chain.from_iterable(one.evidence.changed() for one in seen))
    changed.sort(key=lambda place: -strength[place])
    outcome: Outcome = "seen"
    if not ranked or ranked[0].score < UNEXPLAINED:
        outcome = "unexplained"
    elif not ranked[0].actions or nothing_happened(strength):
        outcome = "nothing"
    proposed = (
        [one for one in ranked if one.actions][:MOST_PROPOSED] if outcome != "nothing" else []
    )
    engine, game = known.game.engine, known.game
    refused = refused_action(looked, changed) if outcome == "unexplained" else None

    def data() -> SightAnswer:
        lang, names = caller.voice.lang, caller.names_at(game)

        def steps(one: Proposal) -> list[SightStep]:
            return [
                SightStep(
                    notation=engine.text(action),
                    label=engine.text.tell(action, lang, names),
                    visible=visible,
                )
                for action, visible in zip(one.actions, one.visible, strict=True)
            ]

        return SightAnswer(
            game=game.id,
            number=looked.number,
            outcome=outcome,
            sure=outcome == "seen" and is_sure(ranked),
            proposals=[
                SightProposal(
                    steps=steps(one),
                    score=round(one.score, 2),
                    same=[[*map(engine.text, actions)] for actions in one.same[:MOST_SAME]],
                )
                for one in proposed
            ],
            changed=[
                SightPlace(place=place, label=str(holder_named(place, engine.words, lang)))
                for place in changed
            ],
            refused=None
            if refused is None
            else SightRefusal(
                notation=engine.text(refused.action),
                label=engine.text.tell(refused.action, lang, names),
                clauses=broken_clauses(refused),
            ),
            boards=_found_boards(looked),
            unseen=looked.unseen,
        )

    def told(voice: Voice) -> Iterator[str]:
        places = Verbatim(
            ", ".join(str(holder_named(place, engine.words, voice.lang)) for place in changed[:4])
        )
        names = voice.at(game.seats).names

        def line(actions: Sequence[Action]) -> str:
            return "; ".join(engine.text.tell(action, voice.lang, names) for action in actions)

        if outcome == "seen" or (outcome == "unexplained" and not changed):
            for index, one in enumerate(proposed):
                mark = "sight.first" if index == 0 else "sight.else"
                yield voice.say(mark, action=Verbatim(line(one.actions)))
                if one.same:
                    yield "  " + voice.say("sight.same", count=len(one.same))
        else:
            yield voice.say(f"sight.{outcome}", places=places)
        if refused is not None:
            clauses = Verbatim(", ".join(broken_clauses(refused)))
            yield voice.say(
                "sight.refused", action=Verbatim(line([refused.action])), clauses=clauses
            )
        yield from _not_seen(voice, looked)

    return Answered(data, told)


def _not_seen(voice: Voice, looked: Looked) -> Iterator[str]:
    for name in looked.unseen:
        yield voice.say("sight.unseen", board=Verbatim(name))


def _found_boards(looked: Looked) -> list[SightBoard]:
    return [
        SightBoard(board=one.board, corners=[*map(_shares, one.corners)])
        for one in looked.sightings
    ]


def broken_clauses(judged: Judgement[Any]) -> list[str]:
    return [breach.clause for breach in judged.verdict.breaches]


def refused_action(looked: Looked, changed: Sequence[str]) -> Judgement[Any] | None:
    """The illegal action of a listed form that would change just what was seen, if there is one.

    Judged by what the caller may know alone: what only a hidden hand refutes is refused nowhere.
    """
    known, asked = looked.known, looked.asked
    found: dict[object, tuple[float, Judgement[Any]]] = {}
    for action in _other_actions(looked, changed):
        judged = known.refused(action)
        if judged is None:
            continue
        shown = looks(looked.base, asked.things(judged.state), asked)
        # Kinds are not told apart: of what looks the same the likeliest line is named.
        if shown and signs(shown) not in found:
            found[signs(shown)] = looked.score(shown), judged
    ranked = sorted(found.values(), key=lambda pair: -pair[0])
    if not ranked or ranked[0][0] < EXPLAINED:
        return None
    clear = len(ranked) == 1 or ranked[0][0] - ranked[1][0] >= CLEAR
    return ranked[0][1] if clear else None


def _other_actions(looked: Looked, changed: Sequence[str]) -> Iterator[Action]:
    """Lines that can be said, with another place that looks different or by another seat."""
    known = looked.known
    engine = known.game.engine
    places = {name.partition(".")[2] for one in looked.sightings for name in one.evidence.places}
    others = list(dict.fromkeys(name.partition(".")[2] for name in changed[:MOST_SWAPPED]))
    listed = [engine.text(action) for action in known.options(known.step.state)]
    lines = dict.fromkeys(listed, 0)
    for line in listed:
        rows = [(0, line.split())]
        for at, word in enumerate(line.split()):
            mine = known.step.setting.seats if at == 0 and word in known.step.setting.seats else ()
            instead = others if word in places else mine
            rows += [
                (swaps + 1, [*row[:at], new, *row[at + 1 :]])
                for swaps, row in rows
                for new in instead
                if new != word
            ]
        for swaps, row in rows:
            lines.setdefault(" ".join(row), swaps)
    for line in sorted(lines, key=lambda line: lines[line])[len(listed) :][:MOST_TRIED]:
        with suppress(ParseError):
            yield engine.read(line)


def _shares(corner: tuple[float, float]) -> tuple[int, int]:
    x, y = (round(min(max(part, 0.0), 1.0) * box_boards.SCALE) for part in corner)
    return x, y
