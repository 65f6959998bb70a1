"""What happened at the table, logged or only checked."""

import sys
from collections.abc import Sequence

from answers.answer import Answered
from answers.play import actions
from cli.arguments import refuse_bytes, typed
from cli.i18n import wrapped, write
from cli.session import Session, session
from engines.kernel.messages.errors import MessageError


def log(
    words: Sequence[str] = (), *, stands: bool = False, dry_run: bool = False, at: int | None = None
) -> int:
    """Hear what happened, record it, or refuse it with its clause."""
    here = session()
    lines = _standard_input() if words == ["-"] else typed(words)
    ask, game = here.caller.ask, here.game_id()
    try:
        if dry_run:
            answered = ask(actions.check, game, lines, stands=stands, after=at, at_once=here.tell)
        else:
            answered = ask(actions.log, game, lines, stands=stands, after=at, at_once=here.tell)
            if answered.outcome == "illegal" and here.may_ask_about_boxes and sys.stdout.isatty():
                answered = _with_what_is_asked(here, answered, lines)
    except MessageError as error:
        if not here.json:
            write(wrapped(getattr(error, "told", ())))
            sys.stderr.writelines(f"{line}\n" for line in actions.stopped_lines(here.voice, error))
        raise
    return here.answer(actions.log, answered)


def _with_what_is_asked(
    here: Session, answered: Answered[actions.LogAnswer], lines: list[str]
) -> Answered[actions.LogAnswer]:
    """Ask about assumed data of the box that a refusal rests on, and log again."""
    from cli.box.ask_on_refusal import ask_about

    game = here.game_id()
    here.key = None  # it stands for the refused lines alone
    if len(lines) > 1 or not ask_about(here, game, answered):
        return answered
    return here.caller.ask(actions.log, game, lines, at_once=here.tell)


def _standard_input() -> list[str]:
    lines = [line.rstrip("\n") for line in sys.stdin]
    refuse_bytes(lines)
    return lines


def check(words: Sequence[str], *, position: str | None = None) -> int:
    """Would this be legal? Records nothing."""
    here = session()
    if position is None:
        return here.run(actions.check, here.game_id(), typed(words), at_once=here.tell)
    from answers.context import open_store_context
    from answers.play.analysis import check_position
    from cli.positions import declared

    if not here.is_remote:
        here.store_context = open_store_context(
            "memory:"
        )  # a position needs no store, not even one that is there
    return here.run(check_position, declared(position), typed(words))
