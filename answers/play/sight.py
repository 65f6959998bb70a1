"""What happened, seen on a photograph: legal actions are proposed, and a person decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from math import dist
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import Local, operation
from answers.i18n import Voice
from answers.limits import FirstBytes, PartName, Share
from answers.permissions import TABLE
from answers.privileged import Outlook, outlook, step_at
from answers.rulebooks import box_boards, boxes
from engines.kernel import Verbatim
from engines.kernel.rules.holdings import holder_named
from referee.errors import NotFound, Unfit
from referee.lru_cache import LruCache
from referee.record.entries import Number
from referee.sight import look
from referee.sight.proposals import (
    UNEXPLAINED,
    Asked,
    Proposal,
    is_sure,
    nothing_happened,
    proposals,
)
from referee.sight.registration import Board

if TYPE_CHECKING:
    from engines.kernel import Action
    from engines.kernel.picture.svg import Spot

MOST_PROPOSED = 5
MOST_SAME = 12
_BOARDS: LruCache[Board] = LruCache(8)
"""Boards with what they are found by, by the digests of their photographs."""

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


class SightAnswer(Data):
    game: str
    outcome: Outcome
    """``nothing`` has changed; or it has, and no legal action does that: a question to the table,
    never an accusation."""
    sure: bool
    """Whether the first proposal explains it, and clearly better than the next."""
    proposals: list[SightProposal]
    changed: list[SightPlace]
    """Places that look different, the clearest first."""
    boards: list[SightBoard]
    unseen: list[str]
    """Boards that are not on the photograph: what happens there is not seen."""


@operation(
    "sight",
    "POST /games/{game}/sight",
    grant=TABLE,
    upload="answers.requests.uploads:as_it_is",
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
    corners: Annotated[Sequence[Share], Field(max_length=8)] = (),
) -> Answered[SightAnswer]:
    """Propose what happened, from a photograph of the table; nothing is stored of it.

    The first ``split`` bytes are a photograph taken before, after action ``since``; without it the
    club's empty board is compared with. ``corners`` of a board on it: x and y, four times.
    """
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
    ranked = proposals(known.step.state, base, asked, lambda shown: look.score(seen, shown))
    return _answered(caller, known, seen, ranked, [one.name for one in boards])


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


def _answered(
    caller: Caller,
    known: Outlook,
    seen: Sequence[look.Sighting],
    ranked: list[Proposal],
    boards: Sequence[str],
) -> Answered[SightAnswer]:
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
    missing = [name for name in boards if name not in {one.board for one in seen}]

    def data() -> SightAnswer:
        lang, names = caller.voice.lang, caller.names_at(game)

        def steps(one: Proposal) -> list[SightStep]:
            return [
                SightStep(
                    notation=engine.text(action),
                    label=engine.text.label(action, lang, names),
                    visible=visible,
                )
                for action, visible in zip(one.actions, one.visible, strict=True)
            ]

        return SightAnswer(
            game=game.id,
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
            boards=[
                SightBoard(board=one.board, corners=[*map(_shares, one.corners)]) for one in seen
            ],
            unseen=missing,
        )

    def told(voice: Voice) -> Iterator[str]:
        places = Verbatim(
            ", ".join(str(holder_named(place, engine.words, voice.lang)) for place in changed[:4])
        )
        names = voice.at(game.seats).names

        def line(actions: Sequence[Action]) -> str:
            return "; ".join(engine.text.label(action, voice.lang, names) for action in actions)

        if outcome == "seen" or (outcome == "unexplained" and not changed):
            for index, one in enumerate(proposed):
                mark = "sight.first" if index == 0 else "sight.else"
                yield voice.say(mark, action=Verbatim(line(one.actions)))
                if one.same:
                    yield "  " + voice.say("sight.same", count=len(one.same))
        else:
            yield voice.say(f"sight.{outcome}", places=places)
        for name in missing:
            yield voice.say("sight.unseen", board=Verbatim(name))

    return Answered(data, told)


def _shares(corner: tuple[float, float]) -> tuple[int, int]:
    x, y = (round(min(max(part, 0.0), 1.0) * box_boards.SCALE) for part in corner)
    return x, y
