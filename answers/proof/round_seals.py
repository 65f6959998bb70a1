"""Round seals: one signed file that pins the heads of all games of a round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import Local, operation
from answers.i18n import Voice
from answers.limits import Ids, Searched
from answers.permissions import JUDGES
from answers.verdict_text import short
from referee.proof.keys import KeyRing
from referee.proof.round_seals import RoundSeal, check_seal, make_seal
from referee.table.bench import utc_now


class SealedGameRow(Data):
    game: str
    entries: int
    head: str


class SealMakeAnswer(Data):
    title: str
    at: str
    games: list[SealedGameRow]
    root: str
    key: str
    signature: str


class SealProblemRow(Data):
    game: str
    problem: str
    breaks: bool


class SealCheckAnswer(Data):
    title: str
    at: str
    games: int
    ok: bool
    problems: list[SealProblemRow]


@operation("seal-make", "POST /seals", grant=JUDGES, kind="try")
def make(
    caller: Caller,
    title: Searched,
    games: Annotated[Ids | None, Field(default=None)],
    ring: KeyRing,
    key_name: Local[str] = "",
    passphrase: Local[str] = "",
) -> Answered[SealMakeAnswer]:
    """The heads of these games and tournaments (``None``: of all) under one root, signed if a
    key is named."""
    store = caller.store_context.store
    everything = (*store.streams("game-"), *store.streams("tournament-"))
    streams = everything if games is None else [caller.find_stream(game) for game in games]
    sealed = make_seal(store, streams, title, utc_now(), ring, key_name, passphrase)
    count, root = len(sealed.games), sealed.root[:16]
    return Answered(
        lambda: SealMakeAnswer.made_of(sealed),
        lambda voice: [voice.say("seal.made", count=count, root=root)],
    )


@operation(
    "seal-check",
    "POST /seals/check",
    grant=JUDGES,
    kind="try",
    params="referee.proof.round_seals:RoundSeal",
    rename={"seal": "*"},
)
def check(caller: Caller, seal: RoundSeal, ring: KeyRing) -> Answered[SealCheckAnswer]:
    """Whether every game still has, or goes on from, the head that was sealed."""
    trusted = ring.trusted()
    problems = check_seal(caller.store_context.store, seal, trusted)
    broken = any(problem.breaks for problem in problems)
    name = trusted[seal.key].name if seal.key in trusted else ""

    def render(voice: Voice) -> Iterator[str]:
        yield voice.mark("bold", seal.title)
        for problem in problems:
            sign = voice.mark("bad", "✘") if problem.breaks else voice.mark("unsure", "?")
            game = short(problem.game)
            yield f"  {sign} {voice.say(f'seal.{problem.key}', game=game, name=name)}"
        if name and not any(problem.key.startswith("sig") for problem in problems):
            yield f"  {voice.mark('good', '✔')} {voice.say('seal.signed', name=name)}"
        yield "  " + voice.say("seal.broken" if broken else "seal.whole", count=len(seal.games))

    rows = [SealProblemRow.made_of(problem, problem=problem.key) for problem in problems]
    found = {"games": len(seal.games), "ok": not broken, "problems": rows}
    return Answered(
        lambda: SealCheckAnswer.made_of(seal, **found), render, "invalid" if broken else "done"
    )
