"""Screen model of ``referee replay``: what is shown and what each key does, without a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from answers.context import Caller
from answers.i18n import Voice
from answers.play.views import told_differences
from answers.review.notes import note_lines
from answers.verdict_text import finding_lines, moved_lines, outcome
from cli.i18n import say
from cli.terminal import joined_within
from engines.kernel import Moves
from engines.kernel.dialogue.clause_text import because, clause_text
from referee.record.game import Game, moves_between
from referee.record.line import JudgedItem
from replays.stepper import ReplayMoment, Stepper

BETWEEN = " · "
_MARKUP = re.compile(r"\x1b\[[0-9;]*m")
_FEWEST_LINES = 4


class Screen(NamedTuple):
    """The lines of the screen: position at the left, moves at the right, keys below."""

    left: list[str]
    width: int
    """Of the left side."""
    moves: list[tuple[bool, str]]
    keys: list[str]


class Review:
    """State of a replay: the moment shown, what it is compared with, and the scroll offset."""

    def __init__(self, caller: Caller, voice: Voice, game: Game) -> None:
        self.caller = caller
        self.voice = voice.at(game.seats)
        self.stepper = Stepper(game, lang=voice.lang)
        self.compared: ReplayMoment | None = None
        """The moment the current one is compared with."""
        self.message = ""
        self.searched = ""
        self.scrolled = 0
        """How many lines of the left side are above the screen."""
        self._room = 1
        self.keys: dict[str, tuple[str, Callable[[], bool]]] = {
            "right": ("forward", lambda: self.stepper.move(1)),
            "left": ("back", lambda: self.stepper.move(-1)),
            "pagedown": ("ten_forward", lambda: self.stepper.move(10)),
            "pageup": ("ten_back", lambda: self.stepper.move(-10)),
            "home": ("start", self.stepper.start),
            "end": ("end", self.stepper.end),
            "]": ("next_turn", lambda: self.stepper.turn(1)),
            "[": ("last_turn", lambda: self.stepper.turn(-1)),
            "n": ("next_note", self.stepper.next_note),
            "N": ("last_note", lambda: self.stepper.next_note(-1)),
            "i": ("next_irregularity", self.stepper.next_irregularity),
            "I": ("last_irregularity", lambda: self.stepper.next_irregularity(-1)),
            "d": ("next_dispute", self.stepper.next_dispute),
            "D": ("last_dispute", lambda: self.stepper.next_dispute(-1)),
            "v": ("enter_variation", self.stepper.enter),
            "b": ("leave_variation", self.stepper.leave),
            "x": ("next_gone", self.stepper.next_gone),
            "X": ("last_gone", lambda: self.stepper.next_gone(-1)),
            "c": ("compare", self._compare),
            "down": ("down", lambda: self._scroll(1)),
            "up": ("up", lambda: self._scroll(-1)),
            "space": ("page", lambda: self._scroll(self._room - 1)),
        }

    @property
    def game(self) -> Game:
        return self.stepper.game

    def press(self, key: str) -> None:
        """Do what a key does; say so where there is nothing more."""
        name, act = self.keys[key]
        before = self.stepper.moment
        self.message = "" if act() else say("review.nothing", what=say(f"review.{name}"))
        if self.stepper.moment is not before:
            self.scrolled = 0

    def search(self, text: str) -> None:
        self.searched = text or self.searched
        found = self.stepper.find(self.searched)
        self.message = "" if found else say("review.not_found", text=self.searched)

    def goto(self, number: int) -> None:
        found = self.stepper.goto(number)
        self.message = "" if found else say("review.not_found", text=f"#{number}")

    def _compare(self) -> bool:
        self.compared = None if self.compared is not None else self.stepper.moment
        self.scrolled = 0
        return True

    def _scroll(self, by: int) -> bool:
        """Up or down on the left side; ``screen`` knows where it ends."""
        before = self.scrolled
        self.scrolled = max(0, before + by)
        return self.scrolled != before

    # what is shown

    def board(self) -> list[str]:
        """The position in words, or what changed since the moment it is compared with."""
        moment, step = self.stepper.moment, self._step()
        if self.compared is not None and self.compared.step is not step:
            title = say("review.compared", start=self.compared.label, end=moment.label)
            changes = told_differences(self.voice, self.game.engine, self.compared.step, step)
            return [title, *(f"  {line}" for line in changes)]
        voice = self.voice
        return self.game.engine.describe(step.state, step.setting, voice.lang, voice.names)

    def _step(self) -> JudgedItem:
        """The step shown at this moment; one that no longer counts is shown as it stood when it
        did.
        """
        moment = self.stepper.moment
        if moment.counts or moment.line is None or moment.number not in self.game.gone:
            return moment.step
        return self.game.gone[moment.number].after

    def about(self) -> list[str]:
        """The line of this moment: verdict, clauses, findings, notes."""
        moment, engine, lang = self.stepper.moment, self.game.engine, self.voice.lang
        status = ""
        if moment.line is not None and moment.line.status != "counts":
            status = f"  ({say(f'moves.{moment.line.status}')})"
        lines = [f"{moment.label} {self.stepper.line_text(moment)}{status}"]
        told = engine.text.tell_line(moment.text, lang, self.voice.names)
        stood = moment.line is not None and moment.number in self.game.gone
        if moment.counts or stood:
            verdict = self._step().verdict
            lines[0] += f"   {outcome(self.voice, verdict)}"
            lines.append(f"  {told}")
            for point in (*verdict.breaches, *verdict.claims):
                text = clause_text(engine, point.clause, lang, moment.step.setting.readings)
                lines.append(f"  {point.clause}  {text}")
                if point.facts:
                    lines.append(f"    {because(engine, point, lang, self.voice.names)}")
            if moment.counts:
                lines += moved_lines(self.voice, engine, self._moves(moment))
            lines += finding_lines(self.voice, engine, verdict)
        for note in self.stepper.notes():
            lines += note_lines(self.voice, self.caller, self.game, note)
        return lines

    def _moves(self, moment: ReplayMoment) -> Moves:
        """What it moved; a variation is told without."""
        if moment.line is None:
            return Moves()
        return moves_between(self.game, self.game.before(moment.number), moment.step)

    def moves(self, room: int = 25) -> list[tuple[bool, str]]:
        """So many of the lines around this moment, and which one it is."""
        here, count = self.stepper.track.index, len(self.stepper.moments)
        first = max(0, min(here - room // 2, count - room))
        around = self.stepper.moments[first : first + room]
        rows = []
        for index, moment in enumerate(around, start=first):
            sign = "*" if moment.line is not None and moment.line.notes else " "
            struck = "" if moment.counts else f"  ({say('review.does_not_count')})"
            text = self.stepper.line_text(moment)
            rows.append((index == here, f"{sign}{moment.label} {text}{struck}"))
        return rows

    def screen(self, width: int, height: int) -> Screen:
        """Everything within so many columns and lines; what is longer can be scrolled."""
        keys = (
            [self.message]
            if self.message
            else list(joined_within(say("review.keys").split(BETWEEN), width, BETWEEN, margin=""))
        )
        self._room = max(_FEWEST_LINES, height - len(keys))
        beside = min(60, max(24, width * 2 // 5))
        left = width - beside - 1
        text = [part for line in self._left_side() for part in broken(line, left)]
        self.scrolled = min(self.scrolled, max(0, len(text) - self._room))
        shown = text[self.scrolled : self.scrolled + self._room]
        if self.scrolled + self._room < len(text):
            left_out = len(text) - self.scrolled - self._room + 1
            shown[-1] = _cut(say("review.more", count=left_out), left)
        moves = [(here, _cut(text, beside - 2)) for here, text in self.moves(self._room)]
        return Screen(shown, left, moves, keys)

    def _left_side(self) -> list[str]:
        return [*self.about(), "", *self.board()]

    def plain(self) -> list[str]:
        """This moment as text, with the same information as the screen."""
        return [*self.about(), *(f"    {line}" for line in self.board())]


def broken(line: str, width: int) -> Iterator[str]:
    """One line wrapped at spaces with a hanging indent; style markers take no room."""
    indent = " " * (len(line) - len(line.lstrip()))
    shown, length = indent, len(indent)
    for word in line.split():
        size = len(_MARKUP.sub("", word))
        if length > len(indent) and length + 1 + size > width:
            yield shown
            indent = indent if indent.endswith("  ") and shown.startswith(indent) else indent + "  "
            shown, length = indent, len(indent)
        gap = " " if length > len(indent) else ""
        shown, length = shown + gap + word, length + len(gap) + size
    yield shown


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
