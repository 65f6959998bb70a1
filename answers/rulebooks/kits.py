"""Kits: the components of a box as data, each with its provenance."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from answers.answer import Answered, Data
from answers.box_words import as_chosen
from answers.changes import ChangeAnswer, changed
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.limits import Search
from answers.permissions import EVERYBODY, Writes
from engines.kernel import Engine, KitSheet
from engines.kernel.box.tour import Tour
from engines.kernel.dialogue.clause_text import clause_text, datum_in_words
from engines.kernel.messages.catalogue import Language
from engines.kernel.registry import load_engine, sound_engines
from referee.record.game import Game
from referee.table import adjustments


class KitRow(Data):
    game: str
    kit: str
    version: int


class KitListAnswer(Data):
    kits: list[KitRow]


class DatumRow(Data):
    path: str
    value: Any
    provenance: str
    source: str | None


class KitShowAnswer(Data):
    game: str
    kit: str
    totals: dict[str, int]
    data: list[DatumRow]


class KitCheckAnswer(Data):
    game: str
    problems: list[str]


class KitDeclareAnswer(ChangeAnswer):
    path: str
    value: Any
    disputes: list[str]


@operation("kit-list", "GET /kits", grant=EVERYBODY, scope="public")
def kits() -> Answered[KitListAnswer]:
    """The kits that are shipped."""
    rows = [
        KitRow(game=engine.id, kit=name, version=int(sheet.content["version"]))
        for engine in sound_engines()
        for name, sheet in engine.kits.items()
    ]
    return Answered(
        lambda: KitListAnswer(kits=rows),
        lambda voice: columns((row.game, row.kit, str(row.version)) for row in rows),
    )


def show(
    engine: Engine[Any, Any],
    sheet: KitSheet,
    *,
    only: str | None = None,
    search: str | None = None,
    lang: Language = "en",
) -> Answered[KitShowAnswer]:
    """The data of a kit; ``only`` those of one provenance, or whose path has these letters."""
    datums = [
        datum
        for datum in sheet.datums()
        if only in (None, datum.provenance) and (search or "") in sheet.shown(datum.path)
    ]
    totals = dict(sheet.provenances)
    name = str(sheet.content["kit"])

    def render(voice: Voice) -> Iterator[str]:
        yield from columns(
            (
                sheet.shown(datum.path),
                _shown(datum.value),
                voice.say(f"provenance.{datum.provenance}"),
                datum.source_in(voice.lang),
            )
            for datum in datums
        )
        counted = (f"{count} {voice.say(f'provenance.{each}')}" for each, count in totals.items())
        yield voice.labelled(name, ", ".join(counted))

    def data() -> KitShowAnswer:
        rows = [
            DatumRow.made_of(
                datum, path=sheet.shown(datum.path), source=datum.source_in(lang) or None
            )
            for datum in datums
        ]
        return KitShowAnswer(game=engine.id, kit=name, totals=totals, data=rows)

    return Answered(data, render)


@operation("kit-show", "GET /engines/{engine}/kits/{kit}", grant=EVERYBODY, scope="public")
def show_shipped(
    engine: str,
    kit: str,
    *,
    only: Search | None = None,
    search: Search | None = None,
    lang: Language = "en",
) -> Answered[KitShowAnswer]:
    """The data of a kit that is shipped with a game."""
    found = load_engine(engine)
    return show(found, found.kit_sheet(kit), only=only, search=search, lang=lang)


@operation("game-kit", "GET /games/{game}/kit", grant=EVERYBODY, answer="kit-show")
def show_of_game(
    caller: Caller, game_id: str, *, only: Search | None = None, search: Search | None = None
) -> Answered[KitShowAnswer]:
    """The data of the box that a game is played with."""
    game = caller.game(game_id)
    return show(game.engine, game.sheet, only=only, search=search, lang=caller.voice.lang)


@operation("kit-check", "POST /kits/check", grant=EVERYBODY, scope="public", kind="try")
def check(content: Mapping[str, Any]) -> Answered[KitCheckAnswer]:
    """Whether a kit is as the rulebook says."""
    engine, sheet = load_engine(str(content.get("game", ""))), KitSheet(content)
    engine.read_whole_kit(sheet)
    problems = [point.clause for point in engine.check_kit(sheet)]

    def render(voice: Voice) -> Iterator[str]:
        for clause in problems:
            yield f"✘ {clause}  {clause_text(engine, clause, voice.lang)}"
        if not problems:
            yield voice.say("kit.fits", kit=str(content.get("kit")))

    return Answered(
        lambda: KitCheckAnswer(game=engine.id, problems=problems),
        render,
        "invalid" if problems else "done",
    )


@operation(
    "kit-declare",
    "POST /games/{game}/kit",
    grant=Writes("kit_declared"),
    served="answers.rulebooks.boxes:declare_and_keep",
)
def declare(
    caller: Caller, game_id: str, path: str, value: Any, source: str = "", *, dry_run: bool = False
) -> Answered[KitDeclareAnswer]:
    """State a fact about a table's own box; the game is judged anew from the start."""
    said = source or caller.voice.say("kit.stated_by_table")
    before = caller.game(game_id)
    answer = adjustments.declare_kit(
        caller.bench, game_id, *stated(before, path, value), said, by=caller.by, dry_run=dry_run
    )
    after = changed(caller, answer)
    shown = answer.game.sheet.shown(answer.game.sheet.meant(path))

    def render(voice: Voice) -> Iterator[str]:
        message = "kit.preview" if dry_run else "kit.declared"
        yield voice.say(message, **datum_in_words(answer.game.engine, shown, value))
        yield from after.lines(voice, helping=not dry_run)

    def data() -> KitDeclareAnswer:
        return KitDeclareAnswer(
            **after.fields(caller.voice), path=shown, value=value, disputes=list(after.disputes)
        )

    return Answered(data, render)


def stated(game: Game, path: str, value: Any) -> tuple[str, Any]:
    """A datum of a table's box as people state it, as its record has it."""
    return _stated(game.engine, game.sheet, path, value)


def _stated(engine: Engine[Any, Any], sheet: KitSheet, path: str, value: Any) -> tuple[str, Any]:
    """By its stored path, with choices as boxes have them, whichever name they were told by."""
    datum, value = engine.stated(sheet, path, value)
    if sheet.at(datum) is None:
        return datum, value
    question = Tour(engine.kit_model, engine.guide, sheet).question(datum)
    return datum, as_chosen(engine, question, value)


def declared(
    engine: Engine[Any, Any], sheet: KitSheet, path: str, value: Any, source: str, name: str
) -> dict[str, Any]:
    """A kit of its own name in which one datum is stated; it is proven to be readable."""
    datum, value = _stated(engine, sheet, path, value)
    content = {**sheet.declare(datum, value, source).content, "kit": name}
    engine.read_whole_kit(KitSheet(content))
    return content


def is_list(sheet: KitSheet, path: str) -> bool:
    """Whether a datum, named as people do, holds several values."""
    meant = sheet.meant(path)
    return any(isinstance(datum.value, list) for datum in sheet.datums() if datum.path == meant)


def _shown(value: Any) -> str:
    """A value as it is typed."""
    items = value if isinstance(value, list | tuple) else ()
    if any(isinstance(part, Mapping) for part in (value, *items)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list | tuple):
        return " ".join(_shown(item) for item in value) or "–"
    return str(value).lower() if isinstance(value, bool) else str(value)
