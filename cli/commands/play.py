"""``referee play``: the scribe's shell."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cli.i18n import say, wrapped, write
from cli.session import Session, session
from cli.shell import LISTED, Shell
from cli.terminal import is_plain
from engines.kernel.values.numbers import whole_number
from referee.untrusted.optional_packages import load

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

GREY = "ansibrightblack"


def play() -> int:
    plain = is_plain()
    if not plain:
        load("prompt_toolkit", "shell")
    here = session(creates=True)
    shell = Shell(here, _table(here))
    write([shell.status()])
    if plain:
        return _plain(shell)
    return run(shell, prompt_session(shell))


def _table(here: Session) -> str:
    """The game asked for, the current one, the only one that is open, or the one chosen."""
    from answers.play.info import games
    from referee.errors import NotFound

    try:
        return here.game_id()
    except NotFound:
        listed = games(here.caller, closed=False, most=LISTED)
        tables = [] if here.game_asked else [row.game for row in listed.data.games]
        if not tables or (len(tables) > 1 and not here.may_ask):
            raise
    if len(tables) > 1:
        rows = enumerate(listed.lines(here.voice), start=1)
        write([*(f"{number:>3}  {row}" for number, row in rows), say("shell.which_game")])
        asked = whole_number(sys.stdin.readline().strip())
        if asked is not None and 1 <= asked <= len(tables):
            tables = tables[asked - 1 :]
    here.make_current(tables[0])
    return tables[0]


def _plain(shell: Shell) -> int:
    buffer = ""
    while True:
        if sys.stdin.isatty():
            sys.stdout.write(shell.prompt())
            sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            return 0
        reply = shell.handle(line.rstrip("\n"))
        write(reply.lines)
        buffer = reply.rest
        if buffer:
            write([say("shell.not_logged", rest=buffer)])
        if reply.leave:
            return 0


def run(shell: Shell, prompts: PromptSession[str]) -> int:
    """Prompt, do, answer, until the scribe leaves."""
    rest = ""
    while True:
        try:
            line = prompts.prompt(shell.prompt(), default=rest)
        except KeyboardInterrupt:
            rest = ""
            continue
        except EOFError:
            return 0
        reply = shell.handle(shell.in_full(line))
        write(wrapped(reply.lines))
        rest = reply.rest
        if reply.leave:
            return 0


def prompt_session(shell: Shell, **options: Any) -> PromptSession[str]:
    """A prompt that completes what is legal and judges while you type."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import get_app
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.completion import Completion as Offer
    from prompt_toolkit.history import FileHistory, InMemoryHistory
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.layout.processors import AfterInput

    from cli.session import data_folder

    class Legal(Completer):
        def get_completions(self, document: Any, complete_event: Any) -> Any:
            text = document.text_before_cursor
            typed = "" if text.endswith((" ", ";")) or not text else text.split()[-1]
            for word, meaning in shell.completions(text):
                yield Offer(word, start_position=-len(typed), display_meta=meaning)

    def typed() -> str:
        return get_app().current_buffer.text

    def toolbar() -> str:
        sign, text = shell.hint(typed())
        return f" {sign} {text}\n {shell.footer()}"

    def meant() -> str:
        line = shell.suggested(typed())
        return line and f"  → {line}"

    keys = KeyBindings()
    keys.add("tab")(_complete(shell))
    for key, line in (
        ("f1", "/help"),
        ("c-z", "/undo"),
        ("c-y", "/redo"),
        ("f2", "/why"),
        ("f5", "/state"),
    ):
        _bind(keys, key, line)
    for key, start in (("f3", "/note "), ("f4", "/dispute ")):
        _bind_start(keys, key, start)
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    history: Any = FileHistory(str(folder / "history"))
    if shell.here.no_input:
        history = InMemoryHistory()
    return PromptSession(
        completer=Legal(),
        complete_while_typing=True,
        bottom_toolbar=toolbar,
        input_processors=[AfterInput(meant, style=GREY)],
        key_bindings=keys,
        history=history,
        **options,
    )


def _complete(shell: Shell) -> Callable[[KeyPressEvent], None]:
    """Tab takes all that can only go on in one way; where there are several, it lists them."""

    def do(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        text = buffer.document.text_before_cursor
        full = text if buffer.document.text_after_cursor else shell.completed(text)
        if full != text:
            buffer.text = full
            buffer.cursor_position = len(full)
        elif buffer.complete_state:
            buffer.complete_next()
        else:
            buffer.start_completion(select_first=False)

    return do


def _bind(keys: KeyBindings, key: str, line: str) -> None:
    """The key does what the line would do; ``why`` is asked about what was typed."""

    def do(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        typed = buffer.text.strip()
        buffer.text = f"{line} {typed}" if line == "/why" and typed else line
        buffer.validate_and_handle()

    keys.add(key)(do)


def _bind_start(keys: KeyBindings, key: str, start: str) -> None:
    """The key writes the beginning of a line."""

    def do(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        buffer.text = start + buffer.text
        buffer.cursor_position = len(buffer.text)

    keys.add(key)(do)
