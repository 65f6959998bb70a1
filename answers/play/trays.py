"""What lies ready to be laid at a table, each thing with its drawing: it is tapped, not spelt."""

from __future__ import annotations

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.line_words import begun, called
from answers.permissions import EVERYBODY
from answers.rulebooks.box_pieces import drawn, of_table
from engines.kernel.rules.actions import MANY


class TrayThingRow(Data):
    word: str
    name: str
    """What it is called in the language of who asks."""
    drawing: str
    """A small picture of it; empty where the game draws none."""
    left: int
    """How often it is there; 0 where nobody has counted."""
    apart: list[str]
    """What cannot be laid together with it."""


class PlaceRow(Data):
    word: str
    name: str
    fits: list[str] | None
    """The only things that fit there; none where all do."""


class TurnRow(Data):
    word: str
    name: str


class TrayRow(Data):
    verb: str
    """A line is this verb, the place, the things, and how the last of them is turned."""
    label: str
    count: int
    """So many things make one line."""
    things: list[TrayThingRow]
    places: list[PlaceRow]
    """Those that are open, the next one first."""
    turns: list[TurnRow]
    """The ways in which a thing may lie, the usual one first."""


class TraysAnswer(Data):
    game: str
    trays: list[TrayRow]


@operation("trays", "GET /games/{game}/trays", grant=EVERYBODY)
def trays(caller: Caller, game_id: str) -> Answered[TraysAnswer]:
    """What everybody at the table may lay now: chance, and what is laid out before play."""
    game, lang = caller.game(game_id), caller.voice.lang
    engine, setting = game.engine, game.setting
    public = engine.hide(game.state, "", setting)
    found = [] if game.closed else engine.options.trays(setting, public)
    own = of_table(caller, game) if found else {}

    def drawing(word: str) -> str:
        """The club's own picture of a thing, or the referee's drawing."""
        if word in own:
            return drawn(called(engine, word, lang), own[word], lang)
        return engine.thing(word, setting, lang)

    def data() -> TraysAnswer:
        rows = [
            TrayRow(
                verb=kind.verb_of(),
                label=begun(engine, kind.verb_of(), lang),
                count=tray.size,
                things=[
                    TrayThingRow(
                        word=word,
                        name=called(engine, word, lang),
                        drawing=drawing(word),
                        left=0 if left == MANY else left,
                        apart=[*tray.apart.get(word, ())],
                    )
                    for word, left in tray.things.items()
                ],
                places=[
                    PlaceRow(
                        word=place,
                        name=called(engine, place, lang),
                        fits=[*tray.only[place]] if place in tray.only else None,
                    )
                    for place in tray.places
                ],
                turns=[TurnRow(word=turn, name=called(engine, turn, lang)) for turn in tray.turns],
            )
            for kind, tray in found
        ]
        return TraysAnswer(game=game.id, trays=rows)

    return Answered(data, lambda voice: [kind.verb_of() for kind, _ in found])
