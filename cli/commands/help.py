"""``referee help``: topics that belong to no single command."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.exits import EXIT_CODES
from cli.session import session
from cli.speech import columns, say
from referee.errors import NotFound

app = typer.Typer(rich_markup_mode=None)

TOPICS = ("start", "notation", "exit-codes", "environment", "words")


@app.command()
def help(topic: Annotated[str | None, typer.Argument()] = None) -> int:
    here = session()
    if topic is None:
        rows = [(name, say(f"topic.{name}.about")) for name in TOPICS]
        return here.answer_plain(
            "help", {"topics": list(TOPICS)}, [say("help.topics"), *columns(rows)]
        )
    if topic not in TOPICS:
        raise NotFound("no_such_topic", topic=topic, topics=TOPICS)
    if topic == "exit-codes":
        rows = [(str(code), say(f"exit.{name}")) for code, name in EXIT_CODES.items()]
        codes = {str(code): say(f"exit.{name}") for code, name in EXIT_CODES.items()}
        return here.answer_plain("help", {"topic": topic, "exit_codes": codes}, columns(rows))
    text = say(f"topic.{topic}.text").strip()
    return here.answer_plain("help", {"topic": topic, "text": text}, text.splitlines())
