"""Beginning, branching, opening, timing and closing a game."""

from collections.abc import Sequence
from typing import Annotated, Literal

import typer
from pydantic import Field

from answers.limits import EntryNumber, Increment
from cli.session import session
from engines.kernel import Verbatim
from referee.errors import Misused

MINUTE = 60


def new(
    game: str | None = None,
    table: Sequence[str] = (),
    *,
    player: Sequence[str] = (),
    kit: str | None = None,
    reading: Sequence[str] = (),
    house_rule: Sequence[str] = (),
    preset: str | None = None,
    title: str = "",
    stands: bool = False,
) -> int:
    from answers.play import opening
    from answers.rulebooks.boxes import kit_named
    from cli.arguments import pairs
    from cli.new_table_wizard import ask_reading, set_up
    from engines.kernel.registry import engine_ids, load_engine
    from referee.table.presets import read_preset

    here, line = session(creates=True), " ".join(table)
    names = pairs(player)
    if game is None or (not table and here.may_ask):
        if not here.may_ask:
            raise Misused("new_needs_game", games=[Verbatim(known) for known in engine_ids()])
        asked = set_up(here, game)
        game, line, names = asked.game, asked.line, {**asked.players, **names}
        kit = kit or asked.kit
    readings, rules = pairs(reading), None if preset is None else read_preset(preset)
    for contested in opening.to_be_chosen(game, line, readings, rules) if here.may_ask else ():
        readings[contested.id] = ask_reading(contested)
    answered = here.caller.ask(
        opening.open_table,
        game,
        line,
        players=names,
        kit=None if kit is None else kit_named(here.caller, load_engine(game), kit),
        readings=readings,
        house_rules=house_rule,
        preset=rules,
        title=title,
        stands=stands,
    )
    if isinstance(answered.data, opening.NewAnswer):
        here.make_current(answered.data.game)
    return here.answer(opening.open_table, answered)


def branch(number: EntryNumber, *, title: str = "") -> int:
    from answers.play import branches

    here = session()
    answered = here.caller.ask(branches.branch, here.game_id(), number, title=title)
    here.make_current(answered.data.game)
    return here.answer(branches.branch, answered)


def open_game(record: str) -> int:
    from answers.play import opening

    here = session()
    game = here.caller.find(record)
    answered = here.caller.ask(opening.take_up, game)
    here.make_current(game)
    return here.answer(opening.take_up, answered)


def finish(*, reason: str = "", yes: bool = False) -> int:
    from answers.play import lifecycle
    from cli.i18n import say

    here = session()
    game = here.game_id()
    if here.may_ask and not yes:
        still = lifecycle.left_open(here.caller.game(game))
        question = say("finish.really", what=Verbatim(still.line(here.voice)))
        yes = bool(still) and typer.confirm(question, default=False, err=True)
    return here.run(lifecycle.finish, game, reason=reason, yes=yes)


def clock(
    minutes: Annotated[float | None, Field(ge=0, le=6000)] = None,
    *,
    per: Literal["seat", "round"] = "seat",
    calls: bool = False,
    increment: Increment = 0,
    give: Annotated[float, Field(ge=-6000, le=6000)] = 0,
    seat: str | None = None,
    reason: str = "",
) -> int:
    from answers.play import clocks

    here = session()
    if minutes is None and not give:
        if seat is not None or calls or increment or per != "seat":
            raise Misused("clock_says_nothing")
        return here.run(clocks.show_clock, here.game_id())
    return here.run(
        clocks.set_clock,
        here.game_id(),
        None if minutes is None else round(minutes * MINUTE),
        per=per,
        at_zero="judge" if calls else "nothing",
        increment=increment,
        seat=None if seat is None else seat.upper(),
        given=round(give * MINUTE),
        reason=reason,
    )
