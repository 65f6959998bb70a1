"""Hold, resume, finish and reopen a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from answers.answer import Answered, Data
from answers.claims import ClaimAnswer, claim_answers, open_claim_lines
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.permissions import Writes
from answers.privileged import open_claims
from answers.verdict_text import over_line, short, to_act
from engines.kernel import Verbatim
from referee.errors import Conflicting
from referee.proof.head_codes import head_code
from referee.record.entries import Closed, Disputed, Reason, Remark, SealedValue
from referee.record.game import Game
from referee.table import lifecycle


class GameAnswer(Data):
    game: str


class HeldAnswer(Data):
    game: str
    held: bool


class FinishAnswer(Data):
    game: str
    reason: str
    places: list[list[str]]
    scores: dict[str, int]
    clause: str | None
    won: bool | None
    claims: list[ClaimAnswer]
    """What could never be checked."""
    disputes: list[str]
    """Disputes that were left open."""
    seals: list[str]
    """Sealed values that nobody has opened."""
    head: str


class LeftOpen(NamedTuple):
    """What is still open in a game: disputes and sealed values."""

    disputes: list[Disputed]
    seals: list[SealedValue]
    seats: Mapping[str, str]

    def __bool__(self) -> bool:
        return bool(self.disputes or self.seals)

    def line(self, voice: Voice) -> str:
        """Everything that is still open, in one line."""
        disputes = (
            voice.say(
                "finish.dispute",
                id=dispute.id,
                numbers=Verbatim(", ".join(f"#{number}" for number in dispute.numbers)),
            )
            for dispute in self.disputes
        )
        return ", ".join((*disputes, *self._sealed(voice, "finish.seal")))

    def lines(self, voice: Voice) -> Iterator[str]:
        yield from (voice.say("finish.left_dispute", id=one.id) for one in self.disputes)
        yield from self._sealed(voice, "finish.left_seal")

    def _sealed(self, voice: Voice, key: str) -> Iterator[str]:
        for one in self.seals:
            yield voice.say(key, id=one.id, seat=voice.called(one.seat, self.seats))


def left_open(game: Game) -> LeftOpen:
    """The open disputes of a game, and the values that are still sealed."""
    seals = [seal for seal in game.seals.values() if seal.id not in game.unsealed]
    return LeftOpen(game.open_disputes(), seals, game.seats)


@operation("finish", "POST /games/{game}/finish", grant=Writes("closed"))
def finish(
    caller: Caller, game_id: str, *, reason: Remark = "", yes: bool = False
) -> Answered[FinishAnswer]:
    """Close the record, with the result of the game if it is over.

    As long as something is open it is named, and nothing is closed; ``yes`` closes all the same.
    """
    before = caller.game(game_id)
    still = left_open(before)
    if still and not yes and before.closed is None:
        raise Conflicting(
            "still_open" if still.disputes else "still_sealed",
            id=(still.disputes or still.seals)[0].id,
            what=Verbatim(still.line(caller.voice)),
            disputes=[one.id for one in still.disputes],
            seals=[one.id for one in still.seals],
            confirm="yes",
        )
    answer = lifecycle.close(caller.bench, game_id, reason=reason, by=caller.by)
    closed, game = answer.entries[0].data, answer.game
    assert isinstance(closed, Closed)
    claims = open_claims(caller, game_id)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("finish.done", game=short(game.id))
        if game.state.over:
            yield "  " + over_line(voice, game)
        else:
            yield "  " + voice.say("finish.unfinished", reason=reason)
        yield from ("  " + line for line in open_claim_lines(voice, claims))
        yield from ("  " + line for line in still.lines(voice))
        yield "  " + voice.say("finish.head", head=head_code(game.head))

    def data() -> FinishAnswer:
        return FinishAnswer.made_of(
            closed,
            game=game.id,
            claims=claim_answers(claims),
            disputes=[one.id for one in still.disputes],
            seals=[one.id for one in still.seals],
            head=game.head,
        )

    return Answered(data, render)


@operation("reopen", "POST /games/{game}/reopen", grant=Writes("reopened"))
def reopen(caller: Caller, game_id: str, reason: Reason) -> Answered[GameAnswer]:
    """Go on with a closed record."""
    game = caller.shown(lifecycle.reopen(caller.bench, game_id, reason=reason, by=caller.by).game)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("reopen.done", game=short(game.id))
        yield "  " + to_act(voice, game)

    return Answered(lambda: GameAnswer(game=game.id), render)


@operation("hold", "POST /games/{game}/hold", grant=Writes("held"))
def hold(caller: Caller, game_id: str, *, reason: Remark = "") -> Answered[HeldAnswer]:
    """Nothing is logged until the game is resumed."""
    game = lifecycle.hold(caller.bench, game_id, reason=reason, by=caller.by).game
    return Answered(
        lambda: HeldAnswer(game=game.id, held=True),
        lambda voice: [voice.say("hold.done", game=short(game.id))],
    )


@operation("resume", "POST /games/{game}/resume", grant=Writes("resumed"))
def resume(caller: Caller, game_id: str, *, reason: Remark = "") -> Answered[HeldAnswer]:
    """Go on with a held game."""
    game = caller.shown(lifecycle.resume(caller.bench, game_id, reason=reason, by=caller.by).game)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("resume.done", game=short(game.id))
        yield "  " + to_act(voice, game)

    return Answered(lambda: HeldAnswer(game=game.id, held=False), render)
