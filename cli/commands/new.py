"""``referee new``: start a record."""

from typing import Annotated

import typer

from answers.play import opening
from answers.rulebooks.boxes import kit_named
from cli.arguments import pairs
from cli.i18n import language, say
from cli.new_table_wizard import set_up
from cli.prompts import ask_which
from cli.session import Key, session
from engines.kernel import Reading, Verbatim
from engines.kernel.registry import engine_ids, load_engine
from referee.errors import Misused
from referee.table.presets import read_preset

app = typer.Typer(rich_markup_mode=None)


@app.command()
def new(
    game: Annotated[str | None, typer.Argument()] = None,
    table: Annotated[list[str] | None, typer.Argument()] = None,
    player: Annotated[list[str] | None, typer.Option("-p", "--player")] = None,
    kit: Annotated[str | None, typer.Option("--kit")] = None,
    reading: Annotated[list[str] | None, typer.Option("--reading")] = None,
    house_rule: Annotated[list[str] | None, typer.Option("--house-rule")] = None,
    preset: Annotated[str | None, typer.Option("--preset")] = None,
    title: Annotated[str, typer.Option("--title")] = "",
    stands: Annotated[bool, typer.Option("--stands")] = False,
    key: Key = None,
) -> int:
    here, line = session(creates=True), " ".join(table or [])
    names = pairs(player or [])
    if game is None or (not table and here.may_ask):
        if not here.may_ask:
            raise Misused("new_needs_game", games=[Verbatim(known) for known in engine_ids()])
        asked = set_up(here, game)
        game, line, names = asked.game, asked.line, {**asked.players, **names}
        kit = kit or asked.kit
    chosen, rules = pairs(reading or []), None if preset is None else read_preset(preset)
    for each in opening.to_be_chosen(game, line, chosen, rules) if here.may_ask else ():
        chosen[each.id] = _asked(each)
    answered = here.caller.ask(
        opening.open_table,
        game,
        line,
        players=names,
        kit=None if kit is None else kit_named(here.caller, load_engine(game), kit),
        readings=chosen,
        house_rules=house_rule or [],
        preset=rules,
        title=title,
        stands=stands,
        key=key,
    )
    if isinstance(answered.data, opening.NewAnswer):
        here.make_current(answered.data.game)
    return here.answer(opening.open_table, answered)


def _asked(reading: Reading) -> str:
    """What the table plays where its rulebook contradicts itself; its default on Enter."""
    lang, values = language(), list(reading.values)
    question = say("new.contested", question=Verbatim(reading.question.say(lang)))
    meanings = [f"{value}: {meaning.say(lang)}" for value, meaning in reading.values.items()]
    return values[ask_which(question, meanings) or 0]
