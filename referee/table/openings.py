"""Opening a game: the first entry of a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct

from engines.kernel import Engine, KitSheet, Opening, ParseError, Verdict
from engines.kernel.registry import load_engine
from referee.errors import NotFound, Unfit
from referee.record.entries import Barrier, Opened, action_data, verdict_data
from referee.store.canonical_json import canonical, digest
from referee.table.author import BY_SCRIBE, By
from referee.table.bench import Bench, game_id_of
from referee.table.play import Heard


class OpeningRefused(Struct, frozen=True):
    """An opening that breaks a rule: there is no game."""

    accepted: ClassVar[bool] = False
    action: Opening
    verdict: Verdict


def check_kit_name(engine: Engine[Any, Any], sheet: KitSheet) -> None:
    """A kit with the name of a shipped one must have the same content."""
    shipped = engine.kits.get(str(sheet.content.get("kit")))
    if shipped is not None and shipped.content != sheet.content:
        raise Unfit("kit_name_taken", kit=sheet.content["kit"])


def open_game(
    bench: Bench,
    game: str,
    line: str | Opening,
    *,
    seats: Mapping[str, str] | None = None,
    person: Callable[[str], str] = str,
    kit: KitSheet | None = None,
    readings: Mapping[str, str] | None = None,
    house_rules: Sequence[str] = (),
    title: str = "",
    preset: str = "",
    take_backs_need_judge: Sequence[Barrier] = (),
    tournament: str = "",
    by: By = BY_SCRIBE,
    stands: bool = False,
    game_id: str | None = None,
) -> Heard | OpeningRefused:
    """Open a new record. ``seats`` are the players' pseudonyms, ``game_id`` is its id.

    Where names are given instead, ``person`` finds their pseudonyms, once nothing is refused.
    """
    engine = load_engine(game)
    opening = engine.read(line) if isinstance(line, str) else line
    if not isinstance(opening, Opening):
        raise ParseError("not_an_opening", verb=opening.verb)
    opening = opening.model_copy(update={"readings": {**opening.readings, **(readings or {})}})
    for seat in seats or {}:
        if seat not in opening.seats:
            raise NotFound("no_such_seat", seat=seat)
    sheet = kit or engine.kit_sheet(opening.kit)
    check_kit_name(engine, sheet)
    if kit is not None:
        engine.read_new_kit(kit)
    setting = engine.setting(opening, sheet, house_rules)
    judged = engine.open(setting, opening)
    if not judged.accepted and stands:
        judged = engine.open(setting, opening, lenient=True)
    if not judged.accepted:
        return OpeningRefused(opening, judged.verdict)
    content: Any = dict(sheet.content)
    data = Opened(
        game=engine.id,
        engine_version=engine.version,
        edition=engine.edition,
        kit=content,
        kit_hash=digest(canonical(content)),
        readings=dict(setting.readings),
        house_rules=tuple(house_rules),
        opening=action_data(opening),
        verdict=verdict_data(judged.verdict),
        seats={seat: person(named) for seat, named in (seats or {}).items()},
        title=title,
        preset=preset,
        take_backs_need_judge=tuple(take_backs_need_judge),
        tournament=tournament,
    )
    stream = game_id or (game_id_of(by.key) if by.key else bench.new_id())
    told = bench.begin(stream, data, by)
    return Heard(told.game, told.entries, action=opening, verdict=judged.verdict, number=0)
