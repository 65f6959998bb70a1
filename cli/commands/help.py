"""``referee help``: topics that belong to no single command."""

from collections.abc import Iterator
from typing import Annotated

import typer

from answers.answer import Answered, Data
from answers.i18n import Voice, columns
from cli.exit_codes import EXIT_CODES
from cli.i18n import say
from cli.session import session
from referee.errors import NotFound

app = typer.Typer(rich_markup_mode=None)

TOPICS = ("start", "notation", "exit-codes", "environment", "words")


class HelpAnswer(Data):
    topics: list[str] = []
    topic: str | None = None
    text: str | None = None
    exit_codes: dict[str, str] = {}


@app.command()
def help(topic: Annotated[str | None, typer.Argument()] = None) -> int:
    return session().answer(helped, helped(topic))


def helped(topic: str | None) -> Answered[HelpAnswer]:
    if topic is None:
        return Answered(lambda: HelpAnswer(topics=list(TOPICS)), _topics)
    if topic not in TOPICS:
        raise NotFound("no_such_topic", topic=topic, topics=TOPICS)
    if topic == "exit-codes":
        codes = {str(code): say(f"exit.{name}") for code, name in EXIT_CODES.items()}
        return Answered(
            lambda: HelpAnswer(topic=topic, exit_codes=codes), lambda voice: columns(codes.items())
        )
    text = say(f"topic.{topic}.text").strip()
    return Answered(lambda: HelpAnswer(topic=topic, text=text), lambda voice: text.splitlines())


def _topics(voice: Voice) -> Iterator[str]:
    yield voice.say("help.topics")
    yield from columns((name, voice.say(f"topic.{name}.about")) for name in TOPICS)
