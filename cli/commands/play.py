"""``referee play``: the scribe's shell."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from cli.plain import is_plain
from cli.session import session
from cli.shell import Shell
from cli.speech import say, write
from referee.outside.extras import load

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

app = typer.Typer(rich_markup_mode=None)


@app.command()
def play() -> int:
    here = session(creates=True)
    shell = Shell(here, here.game_id())
    write([shell.status()])
    if is_plain():
        return _plain(shell)
    load("prompt_toolkit", "shell")
    return run(shell, prompt_session(shell))


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
        reply = shell.handle(line)
        write(reply.lines)
        rest = reply.rest
        if reply.leave:
            return 0


def prompt_session(shell: Shell, **options: Any) -> PromptSession[str]:
    """A prompt that completes what is legal and judges while you type."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.completion import Completion as Offer
    from prompt_toolkit.history import FileHistory, InMemoryHistory
    from prompt_toolkit.key_binding import KeyBindings

    from cli.session import data_folder

    class Legal(Completer):
        def get_completions(self, document: Any, complete_event: Any) -> Any:
            text = document.text_before_cursor
            typed = "" if text.endswith((" ", ";")) or not text else text.split()[-1]
            for word, meaning in shell.completions(text):
                yield Offer(word, start_position=-len(typed), display_meta=meaning)

    def toolbar() -> str:
        from prompt_toolkit.application import get_app

        sign, text = shell.hint(get_app().current_buffer.text)
        return f" {sign} {text}"

    keys = KeyBindings()
    for key, line in (("c-z", "/undo"), ("c-y", "/redo"), ("f2", "/why"), ("f5", "/state")):
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
        key_bindings=keys,
        history=history,
        **options,
    )


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
