"""Replay cursor: steps through a game, its taken-back actions and its variations.

History is one list: what counts, and in its place what was taken back or corrected. A moment that
does not count shows the board as it was before it.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

from engines.kernel import Action
from engines.kernel.messages.catalogue import Language, normalize
from referee.record.entries import Noted
from referee.record.game import Game
from referee.record.history import HistoryLine, history
from referee.record.line import JudgedItem
from referee.table.notes import variation_steps


class ReplayMoment(Struct, frozen=True):
    """One stop of a replay: a line of the history, or a step of a variation."""

    label: str
    text: str
    """As it is recorded."""
    step: JudgedItem
    """The board to show."""
    line: HistoryLine | None = None
    counts: bool = True

    @property
    def number(self) -> int:
        return self.line.number if self.line is not None else (self.step.number or 0)

    @property
    def action(self) -> Action | None:
        return self.step.action if self.counts else None


class Track(Struct):
    """A list of moments and the current index."""

    moments: list[ReplayMoment]
    index: int = 0
    name: str = ""


class Stepper(Struct):
    """Cursor in the history of a game."""

    game: Game
    tracks: list[Track] = field(default_factory=list)
    lang: Language = "en"

    def __post_init__(self) -> None:
        if not self.tracks:
            self.tracks = [Track(_moments(self.game))]

    # where we are

    @property
    def track(self) -> Track:
        return self.tracks[-1]

    @property
    def moment(self) -> ReplayMoment:
        return self.track.moments[self.track.index]

    @property
    def moments(self) -> list[ReplayMoment]:
        return self.track.moments

    def line_text(self, moment: ReplayMoment) -> str:
        """The line of a moment in the viewer's language."""
        return self.game.engine.text.told_in(moment.text, self.lang)

    def notes(self) -> list[Noted]:
        """The notes on this moment."""
        if len(self.tracks) > 1:
            label = self.moment.label
            return [note for note in self.game.notes.values() if note.on == label]
        number = self.moment.number
        return [n for n in self.game.notes.values() if n.number == number and n.on is None]

    # going elsewhere: each says whether it moved

    def move(self, by: int) -> bool:
        return self._go(self.track.index + by)

    def start(self) -> bool:
        return self._go(0)

    def end(self) -> bool:
        return self._go(len(self.moments) - 1)

    def goto(self, number: int) -> bool:
        """To an action by its number, in the game itself."""
        self.leave_all()
        found = [index for index, moment in enumerate(self.moments) if moment.number == number]
        if found:
            self.track.index = found[-1]
        return bool(found)

    def turn(self, direction: int) -> bool:
        """To the next action (or back to the last) of another seat than this one's."""
        here = _seat(self.moment)
        return self._seek(direction, lambda m: _seat(m) not in (None, here))

    def find(self, text: str, direction: int = 1) -> bool:
        """To a line with these words, as it is recorded or as it is told."""
        wanted = normalize(text)
        return self._seek(
            direction,
            lambda m: wanted in normalize(m.text) or wanted in normalize(self.line_text(m)),
        )

    def next_note(self, direction: int = 1) -> bool:
        noted = {note.number for note in self.game.notes.values() if note.on is None}
        return self._seek(direction, lambda m: m.number in noted)

    def next_irregularity(self, direction: int = 1) -> bool:
        return self._seek(direction, _is_irregular)

    def next_gone(self, direction: int = 1) -> bool:
        """To an entry that was taken back or corrected away."""
        return self._seek(direction, lambda m: not m.counts)

    def next_dispute(self, direction: int = 1) -> bool:
        disputed = {n for dispute in self.game.disputes.values() for n in dispute.numbers}
        return self._seek(direction, lambda m: m.number in disputed)

    def enter(self, note_id: str | None = None) -> bool:
        """Follow a variation: of the note named, or the first one here."""
        found = [n for n in self.notes() if n.variation and note_id in (None, n.id)]
        if not found:
            return False
        steps = variation_steps(self.game, found[0])
        moments = [
            ReplayMoment(f"{found[0].id}.{index}", self.game.engine.text(step.action), step)
            for index, step in enumerate(steps, start=1)
            if step.action is not None
        ]
        if not moments:
            return False
        self.tracks.append(Track(moments, name=found[0].id))
        return True

    def leave(self) -> bool:
        """Back from a variation to where it branches off."""
        if len(self.tracks) == 1:
            return False
        self.tracks.pop()
        return True

    def leave_all(self) -> None:
        del self.tracks[1:]

    def _go(self, index: int) -> bool:
        index = max(0, min(index, len(self.moments) - 1))
        moved = index != self.track.index
        self.track.index = index
        return moved

    def _seek(self, direction: int, wanted: Callable[[ReplayMoment], bool]) -> bool:
        index = self.track.index + direction
        while 0 <= index < len(self.moments):
            if wanted(self.moments[index]):
                self.track.index = index
                return True
            index += direction
        return False


def _moments(game: Game) -> list[ReplayMoment]:
    steps = {step.number: step for step in game.steps if step.number is not None}
    shown = game.steps[0]
    moments = []
    for line in history(game):
        counts = line.status == "counts"
        if counts:
            shown = steps[line.number]
        moments.append(ReplayMoment(f"#{line.number}", line.text, shown, line, counts))
    return moments


def _seat(moment: ReplayMoment) -> str | None:
    if moment.line is not None:
        return moment.line.seat
    return moment.action.by if moment.action is not None else None


def _is_irregular(moment: ReplayMoment) -> bool:
    verdict = moment.step.verdict
    if not moment.counts:
        return True
    return verdict.outcome != "legal" or any(f.status == "broken" for f in verdict.findings)
