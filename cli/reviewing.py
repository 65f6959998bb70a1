"""The replay without a terminal: what is on the screen, and what each key does."""

from __future__ import annotations

from collections.abc import Callable

from answers.caller import Caller
from answers.play.looking import told_differences
from answers.review.notes import note_lines
from answers.telling import finding_lines, moved_lines, outcome
from answers.voice import Voice
from cli.speech import say
from engines.kernel import Moves
from engines.kernel.sentences import because, clause_text
from referee.record.game import Game, moves_between
from replays.stepper import Moment, Stepper

SHOWN_AROUND = 12


class Review:
    """A reviewer in front of a game."""

    def __init__(self, caller: Caller, voice: Voice, game: Game) -> None:
        self.caller = caller
        self.voice = voice
        self.stepper = Stepper(game)
        self.compared: Moment | None = None
        """The moment the current one is compared with."""
        self.message = ""
        self.searched = ""
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
            "c": ("compare", self._compare),
        }

    @property
    def game(self) -> Game:
        return self.stepper.game

    def press(self, key: str) -> None:
        """Do what a key does; say so where there is nothing more."""
        name, act = self.keys[key]
        self.message = "" if act() else say("review.nothing", what=say(f"review.{name}"))

    def search(self, text: str) -> None:
        self.searched = text or self.searched
        found = self.stepper.find(self.searched)
        self.message = "" if found else say("review.not_found", text=self.searched)

    def goto(self, number: int) -> None:
        found = self.stepper.goto(number)
        self.message = "" if found else say("review.not_found", text=f"#{number}")

    def _compare(self) -> bool:
        self.compared = None if self.compared is not None else self.stepper.moment
        return True

    # what is shown

    def board(self) -> list[str]:
        """The position in words, or what changed since the moment it is compared with."""
        moment = self.stepper.moment
        if self.compared is not None and self.compared.step is not moment.step:
            title = say("review.compared", start=self.compared.label, end=moment.label)
            changes = told_differences(
                self.voice, self.game.engine, self.compared.step, moment.step
            )
            return [title, *(f"  {line}" for line in changes)]
        return self.game.engine.describe(moment.step.state, moment.step.setting, self.voice.lang)

    def about(self) -> list[str]:
        """The line of this moment: verdict, clauses, findings, notes."""
        moment, engine, lang = self.stepper.moment, self.game.engine, self.voice.lang
        status = ""
        if moment.line is not None and moment.line.status != "counts":
            status = f"  ({say(f'moves.{moment.line.status}')})"
        lines = [f"{moment.label} {moment.text}{status}"]
        if moment.counts:
            verdict = moment.step.verdict
            lines[0] += f"   {outcome(self.voice, verdict)}"
            for point in (*verdict.breaches, *verdict.claims):
                text = clause_text(engine, point.clause, lang, moment.step.setting.readings)
                lines.append(f"  {point.clause}  {text}")
                if point.facts:
                    lines.append(f"    {because(engine, point, lang)}")
            lines += moved_lines(self.voice, engine, self._moves(moment))
            lines += finding_lines(self.voice, engine, verdict)
        for note in self.stepper.notes():
            lines += note_lines(self.voice, self.caller, self.game, note)
        return lines

    def _moves(self, moment: Moment) -> Moves:
        """What it moved; a variation is told without."""
        if moment.line is None:
            return Moves()
        return moves_between(self.game, self.game.before(moment.number), moment.step)

    def moves(self) -> list[tuple[bool, str]]:
        """The lines around this moment, and which one it is."""
        here = self.stepper.track.index
        first = max(0, here - SHOWN_AROUND)
        around = self.stepper.moments[first : here + SHOWN_AROUND + 1]
        noted = {note.number for note in self.game.notes.values()}
        rows = []
        for index, moment in enumerate(around, start=first):
            sign = "*" if moment.number in noted and moment.line is not None else " "
            struck = "" if moment.counts else f"  ({say('review.does_not_count')})"
            rows.append((index == here, f"{sign}{moment.label} {moment.text}{struck}"))
        return rows

    def help_line(self) -> str:
        return self.message or say("review.keys")

    def plain(self) -> list[str]:
        """This moment as text, with the same information as the screen."""
        return [*self.about(), *(f"    {line}" for line in self.board())]
