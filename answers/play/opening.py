"""Opening a table, and coming back to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.permissions import EVERYBODY, Writes
from answers.refusals import OpeningRefusedAnswer, opening_refused
from answers.rulebooks.boxes import club_kit
from answers.verdict_text import reading_line, short, to_act
from answers.verdicts import HeardAnswer, heard_fields
from engines.kernel import Engine, KitSheet, Opening, ParseError
from engines.kernel.dialogue.opening_shorthand import opening_in_full
from engines.kernel.registry import load_engine
from engines.kernel.rules.actions import by_one_name
from referee.errors import Unfit
from referee.table import openings
from referee.table.openings import OpeningRefused
from referee.table.presets import Preset
from referee.untrusted.safe_toml import checked_kit

if TYPE_CHECKING:
    from engines.kernel import Reading
    from referee.table.play import Heard


class NewAnswer(HeardAnswer):
    assumed: int
    """How many data of the box nobody has vouched for."""
    unchosen: dict[str, str]
    """What holds where the rulebook contradicts itself and the table has not chosen."""


class OpenAnswer(Data):
    game: str
    engine: str


@operation(
    "new",
    "POST /games",
    grant=Writes("opened"),
    params="answers.requests.play:NewTableRequest",
    rename={"line": "table"},
)
def open_table(
    caller: Caller,
    game: str,
    line: str,
    *,
    players: Mapping[str, str] | None = None,
    kit: KitSheet | str | Mapping[str, Any] | None = None,
    readings: Mapping[str, str] | None = None,
    house_rules: Sequence[str] = (),
    preset: Preset | None = None,
    title: str = "",
    stands: bool = False,
) -> Answered[NewAnswer | OpeningRefusedAnswer]:
    """A new record. ``players`` are names by seat; the opening ``line`` may leave out *table*.

    ``kit`` is a kit, its name, or the content of a kit file.
    """
    if preset is not None and preset.game != game:
        raise Unfit("preset_of_other_game", file=preset.name, game=preset.game)
    sheet = _kit(caller, load_engine(game), kit)
    heard = openings.open_game(
        caller.bench,
        game,
        _opening_line(game, line),
        seats=by_one_name((players or {}).items(), str.upper),
        person=caller.person,
        kit=sheet or _club_s(caller, game, line),
        readings={**(preset.readings if preset else {}), **(readings or {})},
        house_rules=[*(preset.house_rules if preset else ()), *house_rules],
        preset=preset.name if preset else "",
        take_backs_need_judge=preset.take_backs_need_judge if preset else (),
        title=title,
        by=caller.by,
        stands=stands,
    )
    return opened(game, heard)


def _kit(
    caller: Caller, engine: Engine[Any, Any], said: KitSheet | str | Mapping[str, Any] | None
) -> KitSheet | None:
    """A kit of the club, one that is shipped, or one that is brought."""
    if said is None or isinstance(said, KitSheet):
        return said
    if isinstance(said, str):
        return club_kit(caller, engine, said) or engine.kit_sheet(said)
    return checked_kit(engine, dict(said), "kit")


def to_be_chosen(
    game: str, line: str, readings: Mapping[str, str], preset: Preset | None
) -> list[Reading]:
    """Readings on which a rulebook contradicts itself, and of which the opening says nothing."""
    engine = load_engine(game)
    try:
        said = engine.read(_opening_line(game, line))
    except ParseError:
        return []
    own = said.readings if isinstance(said, Opening) else {}
    given = {*readings, *(preset.readings if preset else ()), *own}
    return [one for one in engine.readings.values() if one.contested and one.id not in given]


def _club_s(caller: Caller, game: str, line: str) -> KitSheet | None:
    """The club's box that an opening names; its own, if no box is named."""
    engine = load_engine(game)
    try:
        said = engine.read(_opening_line(game, line))
    except ParseError:
        return None
    return club_kit(caller, engine, said.kit) if isinstance(said, Opening) else None


def _opening_line(game: str, line: str) -> str:
    words = line.split()
    said = line if words and words[0].lower() == "table" else f"table {line}"
    return opening_in_full(load_engine(game), said)


def opened(game: str, heard: Heard | OpeningRefused) -> Answered[NewAnswer | OpeningRefusedAnswer]:
    """The answer to an opening, wherever the table stands."""
    if isinstance(heard, OpeningRefused):
        return opening_refused(game, heard)
    assumed = sum(datum.provenance == "assumed" for datum in heard.game.sheet.datums())
    unchosen = _unchosen(heard)

    def told(voice: Voice) -> Iterator[str]:
        game = heard.game
        name, box = game.engine.words.say("game", voice.lang), str(game.sheet.content["kit"])
        yield voice.say("new.opened", game=short(game.id), name=name, kit=box)
        if assumed:
            yield "  " + voice.say("new.assumed", count=assumed)
        for name, value in unchosen.items():
            yield "  " + reading_line(voice, game.engine, name, value)
        if unchosen:
            yield "  " + voice.say("new.unchosen")
        yield "  " + to_act(voice, game)

    def data() -> NewAnswer:
        return NewAnswer(**heard_fields(heard), assumed=assumed, unchosen=unchosen)

    return Answered(data, told)


def _unchosen(heard: Heard) -> dict[str, str]:
    """What holds where the rulebook contradicts itself and nobody has said which it is."""
    game, opening = heard.game, heard.action
    said = opening.readings if isinstance(opening, Opening) else {}
    return {
        name: game.setting.readings[name]
        for name, reading in game.engine.readings.items()
        if reading.contested and name not in said
    }


@operation("open", "POST /games/{game}/visit", grant=EVERYBODY, kind="try")
def take_up(caller: Caller, game_id: str) -> Answered[OpenAnswer]:
    """Come back to a table."""
    game = caller.game(game_id)

    def told(voice: Voice) -> Iterator[str]:
        yield voice.say("open.current", game=short(game.id), name=game.engine.id)
        yield "  " + to_act(voice, game)

    return Answered(lambda: OpenAnswer(game=game.id, engine=game.engine.id), told)
