"""``referee replay``: step through a game, on a full screen or as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from answers.limits import EntryNumber
from answers.review.replay import replay as replay_steps
from cli.i18n import write
from cli.replay_screen import Review, Screen
from cli.session import session
from cli.terminal import is_plain
from engines.kernel.values.numbers import whole_number
from referee.untrusted.optional_packages import load

if TYPE_CHECKING:
    from prompt_toolkit import Application
    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.layout import Layout
    from prompt_toolkit.layout.controls import FormattedTextControl


def replay(
    *,
    at: EntryNumber = 0,
    plain: bool = False,
    view: str | None = None,
    everything: bool = False,
    nl: bool = False,
) -> int:
    here = session()
    if nl or here.json:
        answered = here.caller.ask(replay_steps, here.game_id(), at=at, view=view)
        if not nl:
            return here.answer(replay_steps, answered)
        write(step.model_dump_json() for step in answered.data.steps)
        return 0
    review = Review(here.caller, here.voice, here.caller.game(here.game_id(), view))
    if plain or is_plain():
        return _print(review, at, everything)
    load("prompt_toolkit", "shell")
    review.goto(at)
    screen(review).run()
    return 0


def _print(review: Review, at: int, everything: bool) -> int:
    """Every moment, one after the other."""
    stepper = review.stepper
    for index, moment in enumerate(stepper.moments):
        if moment.number >= at and (moment.counts or everything):
            stepper.track.index = index
            write(review.plain())
    return 0


def screen(review: Review, **options: Any) -> Application[None]:
    """The full screen: board and notes at the left, moves at the right, keys below."""
    from prompt_toolkit import Application
    from prompt_toolkit.application import get_app
    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.formatted_text import ANSI
    from prompt_toolkit.layout.controls import FormattedTextControl

    def board() -> ANSI:
        size = get_app().output.get_size()
        return ANSI("\n".join(review.screen(size.columns, size.rows - 1).left))

    shown, typed = FormattedTextControl(board, focusable=True), Buffer(multiline=False)
    return Application(
        layout=_layout(review, shown, typed),
        key_bindings=_keys(review, shown, typed),
        full_screen=True,
        **options,
    )


def _layout(review: Review, shown: FormattedTextControl, typed: Buffer) -> Layout:
    from prompt_toolkit.application import get_app
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.layout import Dimension, HSplit, Layout, VSplit, Window
    from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl

    def now() -> Screen:
        size = get_app().output.get_size()
        return review.screen(size.columns, size.rows - 1)

    def moves() -> StyleAndTextTuples:
        return [
            ("reverse" if here else "", f"{'▸' if here else ' '} {text}\n")
            for here, text in now().moves
        ]

    def keys() -> str:
        return "/" if get_app().layout.has_focus(typed) else "\n".join(now().keys)

    body = VSplit(
        [
            Window(shown, width=lambda: Dimension.exact(now().width), wrap_lines=False),
            Window(width=1, char="│"),
            Window(FormattedTextControl(moves), wrap_lines=False),
        ]
    )
    below = Window(
        FormattedTextControl(keys),
        height=lambda: Dimension.exact(len(now().keys)),
        style="reverse",
    )
    return Layout(HSplit([body, below, Window(BufferControl(typed), height=1)]), shown)


def _keys(review: Review, shown: FormattedTextControl, typed: Buffer) -> KeyBindings:
    """What a reviewer presses; ``/`` asks for a number or words until Enter or Escape."""
    from prompt_toolkit.filters import has_focus
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys, asks = KeyBindings(), has_focus(typed)

    def bind(key: str) -> None:
        def do(event: KeyPressEvent) -> None:
            review.press(key)

        keys.add(key, filter=~asks)(do)

    def leave(event: KeyPressEvent) -> None:
        event.app.exit()

    def ask(event: KeyPressEvent) -> None:
        typed.text = ""
        event.app.layout.focus(typed)

    def answer(event: KeyPressEvent) -> None:
        text = typed.text.strip()
        event.app.layout.focus(shown)
        if (number := whole_number(text.lstrip("#"))) is not None:
            review.goto(number)
        elif text or review.searched:
            review.search(text)

    def cancel(event: KeyPressEvent) -> None:
        event.app.layout.focus(shown)

    for key in review.keys:
        bind(key)
    keys.add("q", filter=~asks)(leave)
    keys.add("c-c")(leave)
    keys.add("/", filter=~asks)(ask)
    keys.add("enter", filter=asks)(answer)
    keys.add("escape", filter=asks, eager=True)(cancel)
    return keys
