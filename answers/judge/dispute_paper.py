"""A dispute on paper: what a judge needs, the position, and the photographs of what is disputed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from answers.context import Caller
from answers.declaration import NAMED_BY_FUNCTION, operation
from answers.file_answers import File
from answers.judge.disputes import brief, brief_picture
from answers.permissions import KEEPERS
from answers.review.photos import photo, photos
from answers.rulebooks.printing import printed


@operation(
    "dispute-paper",
    "GET /games/{game}/disputes/{dispute}/paper",
    grant=KEEPERS,
    file=NAMED_BY_FUNCTION,
    slow=True,
    etag="content",
)
def dispute_paper(caller: Caller, game_id: str, dispute_id: str) -> File:
    """The brief of a dispute as a PDF, with the photographs that whoever asks may see."""
    found = brief(caller, game_id, dispute_id)
    number = min((row.number for row in found.data.actions), default=0)
    voice = caller.voice
    data = {
        "lang": voice.lang,
        "title": " · ".join([voice.say("dispute.title", id=dispute_id), *_table(caller, game_id)]),
        "before": voice.say("dispute.drawn_in", number=number),
        "decision": voice.say("dispute.decision"),
        "signatures": [voice.say("term.judge"), *caller.names_at(caller.game(game_id)).values()],
        "picture": brief_picture(caller, game_id, dispute_id),
        "lines": [
            {"text": line.strip(), "depth": len(line) - len(line.lstrip())}
            for line in found.lines(voice)
            if line.strip()
        ],
        "photos": list(
            _photos(caller, game_id, dispute_id, {r.number for r in found.data.actions})
        ),
    }
    return File(f"{game_id}-{dispute_id}.pdf", printed("dispute.typ", data, "answers.judge"))


def _table(caller: Caller, game_id: str) -> Iterator[str]:
    """What the table is called, and who sits there; its id, where nobody is named."""
    game = caller.game(game_id)
    named = (game.opened.title, ", ".join(caller.names_at(game).values()))
    yield from filter(None, (game.engine.words.say("game", caller.voice.lang), *named))


def _photos(
    caller: Caller, game_id: str, dispute_id: str, numbers: set[int]
) -> Iterator[dict[str, Any]]:
    """Those of the dispute and of its actions: small ones, paper shows no more."""
    for row in photos(caller, game_id).data.photos:
        about = row.dispute == dispute_id or row.number in numbers
        if about and row.state == "there":
            told = (row.id, f"#{row.number}", row.shows, row.caption, row.author)
            said = " ".join(filter(None, told))
            content = photo(caller, game_id, row.id, small=True).content
            yield {"caption": said, "content": list(content)}
