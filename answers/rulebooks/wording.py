"""The rulebook's own sentence of a clause, as a club keeps it with its box, for its members alone.

The program quotes no rulebook, and the sentence is the publisher's: it is shown to whoever has a
seat or an office here. No file, no page for others and no export of the box reads it."""

from __future__ import annotations

from collections.abc import Iterator

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.limits import PartName
from answers.permissions import KEEPERS, TABLE
from answers.rulebooks.boxes import OWN, BoxName, own_box
from engines.kernel import Verbatim
from referee.errors import NotFound
from referee.record.entries import Remark


class WordingRow(Data):
    clause: str
    said: str
    """As somebody of the club has typed it."""
    photo: str | None
    """The digest of the club's photograph of it."""


class KitWordingAnswer(Data):
    game: str
    kit: str
    wording: list[WordingRow]
    """Of the clauses for which the club keeps something."""


@operation(
    "kit-wording",
    "GET /engines/{engine}/box/wording",
    grant=TABLE,
    scope="token",
    etag="content",
)
def wording(
    caller: Caller, game: str, clause: PartName = "", *, kit: BoxName = OWN
) -> Answered[KitWordingAnswer]:
    """What the rulebook itself says, of all clauses or one, as far as the club keeps it."""
    box = own_box(caller, game, kit)
    context = caller.store_context
    kept = context.boxes.wording(game, box.name) if context.has_boxes else {}
    wanted = clause.upper()
    rows = [
        WordingRow(clause=id, said=one.said, photo=one.photo or None)
        for id, one in kept.items()
        if wanted in ("", id)
    ]

    def told(voice: Voice) -> Iterator[str]:
        for row in rows:
            photo = "" if row.photo is None else voice.say("box.wording_photo")
            yield "  ".join(filter(None, (row.clause, row.said, photo)))
        if not rows:
            yield voice.say("box.no_wording")

    return Answered(lambda: KitWordingAnswer(game=game, kit=box.name, wording=rows), told)


@operation(
    "kit-wording-tell",
    "POST /engines/{engine}/box/wording",
    grant=KEEPERS,
    answer="kit-wording",
)
def tell(
    caller: Caller, game: str, clause: PartName, said: Remark = "", *, kit: BoxName = OWN
) -> Answered[KitWordingAnswer]:
    """Keep the rulebook's own sentence of a clause; an empty one is forgotten."""
    box = own_box(caller, game, kit)
    wanted = clause.upper()
    if wanted not in box.engine.clauses:
        raise NotFound("no_such_clause", clause=Verbatim(clause))
    caller.store_context.boxes.word(game, box.name, wanted, said.strip())
    return wording(caller, game, wanted, kit=kit)
