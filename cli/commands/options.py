"""``referee options``: what may come next."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.session import session
from cli.speech import language, say, spoken
from cli.telling import action_data, to_act
from referee.secrecy.views import may_be_offered

app = typer.Typer(rich_markup_mode=None)


@app.command(context_settings={"ignore_unknown_options": True})
def options(
    prefix: Annotated[list[str] | None, typer.Argument()] = None,
    at: Annotated[int | None, typer.Option("--at")] = None,
) -> int:
    here = session()
    game = here.game()
    engine, lang = game.engine, language()
    step = game.steps[-1] if at is None else game.step(at)
    typed = " ".join(prefix or [])
    view = here.view()
    found = [
        (action, engine.text(action))
        for action in engine.options(step.setting, step.state)
        if may_be_offered(game, step, action, view)
    ]
    found = [
        (action, text)
        for action, text in found
        if text.startswith(typed) or text[2:].startswith(typed)
    ]
    templates = [usage for _, usage in engine.templates(step.state) if usage.startswith(typed)]
    by_verb: dict[str, list[str]] = {}
    for action, text in found:
        by_verb.setdefault(action.verb, []).append(text)
    lines = [to_act(game)] if at is None else []
    lines.append(say("options.count", count=len(found)))
    for verb, texts in by_verb.items():
        key = f"verb.{verb}"
        meaning = f"   {engine.words.say(key, lang)}" if key in engine.words else ""
        lines.append(f"  {here.paint('bold', verb)}{meaning}")
        lines += [f"    {text}" for text in texts]
    if templates:
        lines.append(say("options.templates"))
        lines += [f"    {spoken(usage)}" for usage in templates]
    data = {
        "game": game.id,
        "options": [{"notation": text, "action": action_data(action)} for action, text in found],
        "templates": templates,
    }
    return here.answer("options", data, lines)
