"""Topics that belong to no single command, and the script by which a shell completes commands."""

from collections.abc import Iterator
from difflib import get_close_matches

from answers.answer import Answered, Data
from answers.i18n import Voice, columns
from cli.exit_codes import EXIT_CODES
from cli.i18n import say, write
from cli.session import session
from referee.errors import NotFound

TOPICS = ("start", "notation", "exit-codes", "environment", "words")


class HelpAnswer(Data):
    topics: list[str] = []
    topic: str | None = None
    text: str | None = None
    exit_codes: dict[str, str] = {}


def help(topic: str | None = None) -> int:
    return session().answer(helped, helped(topic))


def helped(topic: str | None) -> Answered[HelpAnswer]:
    if topic is None:
        return Answered(lambda: HelpAnswer(topics=list(TOPICS)), _topics)
    if topic not in TOPICS:
        begun = [each for each in TOPICS if topic and each.startswith(topic)]
        if near := begun or get_close_matches(topic, TOPICS):
            raise NotFound("no_such_topic_near", topic=topic, near=near)
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


def completion(shell: str) -> int:
    from cli.command_builder import COMPLETING
    from cli.typer_internals import SHELLS, get_completion_script

    if shell not in SHELLS:
        raise NotFound("no_such_shell", shell=shell, shells=SHELLS)
    write([get_completion_script(prog_name="referee", complete_var=COMPLETING, shell=shell)])
    return 0
