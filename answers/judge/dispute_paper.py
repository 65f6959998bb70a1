"""A dispute on one sheet of paper: what a judge needs to decide at the table, and room to sign."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from answers.context import Caller
from answers.declaration import NAMED_BY_FUNCTION, operation
from answers.file_answers import File
from answers.i18n import Voice
from answers.judge.disputes import DisputeShowAnswer, brief, brief_picture
from answers.permissions import KEEPERS
from answers.review.entries import entry_rows
from answers.review.photos import photo, photos
from answers.rulebooks.printing import printed
from answers.verdict_text import SIGNS, numbered
from engines.kernel import Verbatim
from engines.kernel.dialogue.clause_text import reading_in_words
from engines.kernel.values.structs import evolve
from referee.proof.head_codes import head_code
from referee.record.entries import Disputed, Ruled
from referee.record.game import Game

LEGAL, CITED = 9, 3
"""So many legal moves and earlier rulings are on the paper; the page of the dispute has all."""


@operation(
    "dispute-paper",
    "GET /games/{game}/disputes/{dispute}/paper",
    grant=KEEPERS,
    file=NAMED_BY_FUNCTION,
    slow=True,
    etag="content",
)
def dispute_paper(caller: Caller, game_id: str, dispute_id: str) -> File:
    """The brief of a dispute as a sheet to decide on and to sign, as a PDF.

    With the photographs that whoever asks may see.
    """
    named = evolve(caller.voice, name_of=caller.store_context.people.name)
    caller = replace(caller, voice=named)
    found = brief(caller, game_id, dispute_id).data
    game = caller.game(game_id)
    voice = named.at(game.seats)
    number = min((row.number for row in found.actions), default=0)
    name = game.engine.words.say("game", voice.lang)
    data = {
        "lang": voice.lang,
        "title": " · ".join((voice.say("dispute.title", id=dispute_id), game.opened.title or name)),
        "about": f"{name} · {voice.moment(found.since)}",
        "record": f"{game.id}  {head_code(game.head)}",
        "before": voice.say("dispute.drawn_in", number=number),
        "picture": brief_picture(caller, game_id, dispute_id),
        "calls": _told(game, voice, Disputed, {dispute_id, *(row.id for row in found.also)}),
        "actions": [*_actions(game, voice, found)],
        "broken": found.broken
        and dict(found.broken)
        | {"section": voice.say("why.section", section=Verbatim(found.broken.section))},
        "facts": [*_facts(game, voice, found)],
        "decision": voice.say("dispute.decision"),
        "remedies": [*_remedies(voice, found)],
        "decided": _told(game, voice, Ruled, {found.settled or ""}),
        "signatures": [
            voice.say("term.judge"),
            *(voice.called(seat, game.seats) for seat in game.setting.seats),
        ],
        "photos": list(_photos(caller, game_id, dispute_id, {row.number for row in found.actions})),
    }
    return File(f"{game_id}-{dispute_id}.pdf", printed("dispute.typ", data, "answers.judge"))


def _told(
    game: Game, voice: Voice, kind: type[Disputed | Ruled], wanted: Collection[str]
) -> list[str]:
    """The calls or the ruling of these names, in sentences."""
    entries = [
        each for each in game.entries if isinstance(each.data, kind) and each.data.id in wanted
    ]
    return [row.told for row in entry_rows(game, entries, voice)]


def _actions(game: Game, voice: Voice, found: DisputeShowAnswer) -> Iterator[dict[str, str]]:
    """What is disputed, the first of it first, and how it was judged."""
    for row in found.actions:
        told = game.engine.text.tell_line(row.notation, voice.lang, voice.names)
        sign, _ = SIGNS[row.verdict]
        judged = [f"{sign} {voice.say(f'outcome.{row.verdict}')}"]
        if row.status != "counts":
            judged.append(voice.say(f"moves.{row.status}"))
        yield {"text": f"#{row.number} {told}", "verdict": " · ".join(judged)}


def _facts(game: Game, voice: Voice, found: DisputeShowAnswer) -> Iterator[str]:
    """What was legal, how this table reads the rules otherwise than usual, earlier rulings."""
    engine = game.engine
    if found.legal:
        shown = (engine.read(line) for line in found.legal[:LEGAL])
        lines = (engine.text.label(action, voice.lang, voice.names) for action in shown)
        more = len(found.legal) - LEGAL
        legal = voice.say("dispute.legal", lines=Verbatim(" · ".join(lines)))
        yield f"{legal} {voice.say('dispute.more', count=more)}" if more > 0 else legal
    for name, value in found.readings.items():
        if value != engine.readings[name].default:
            yield voice.say("why.reading", reading=reading_in_words(engine, name, value))
    for ruling in found.precedents[:CITED]:
        remedy = voice.say(f"remedied.{ruling.remedy}")
        yield voice.labelled(f"{ruling.reference} ({remedy})", ruling.reason)


def _remedies(voice: Voice, found: DisputeShowAnswer) -> Iterator[dict[str, str]]:
    """What a judge may decide and what it would change, to be ticked; none, once it is decided."""
    for row in found.remedies if found.settled is None else ():
        effects = [
            voice.say(f"dispute.{key}", count=len(numbers), numbers=numbered(numbers))
            for key, numbers in (("would_go", row.gone), ("would_return", row.back))
            if numbers
        ]
        if row.possible:
            effect = " · ".join((*effects, *row.ends, *row.reads))
            yield {"name": voice.say(f"remedy.{row.remedy}"), "effect": effect}
        if row.remedy == "taken_back":  # what instead is written behind it
            yield {"name": voice.say("remedy.corrected"), "effect": ""}


def _photos(
    caller: Caller, game_id: str, dispute_id: str, numbers: set[int]
) -> Iterator[dict[str, Any]]:
    """Those of the dispute and of its actions: small ones, paper shows no more."""
    for row in photos(caller, game_id).data.photos:
        about = row.dispute == dispute_id or row.number in numbers
        if about and row.state == "there":
            said = " · ".join(filter(None, (row.shows, row.caption, row.author)))
            content = photo(caller, game_id, row.id, small=True).content
            yield {"caption": said, "content": list(content)}
