"""Cases that go the way of a table: every line through a record, which then is proven."""

from __future__ import annotations

from typing import Any

from engines.kernel import Engine, KitSheet, Verdict
from referee.cases.case_file import Given
from referee.cases.expectation import CannotGoOn
from referee.cases.runner import CaseRun, CaseTable
from referee.proof.verify import verify
from referee.record.game import Game
from referee.table.corrections import correct
from referee.table.openings import OpeningRefused, open_game
from referee.table.play import log
from replays.text_record import read_text, text_record
from tests.record.conftest import make_bench


class RecordTable(CaseTable):
    """A game played by a case, logged at a bench."""

    def __init__(self, engine: Engine[Any, Any], start: Given, run: CaseRun) -> None:
        super().__init__(engine, start, run)
        self.bench = make_bench()
        self.id: str | None = None

    @property
    def game(self) -> Game:
        assert self.id is not None
        return self.bench.game(self.id)

    def hear(self, text: str, *, lenient: bool) -> Verdict:
        if self.id is not None:
            verdict = log(self.bench, self.id, text, stands=lenient).verdict
            self._look()
            return verdict
        opening: Any = self.engine.read(text)
        if opening.verb != "table":
            raise CannotGoOn("table_first", line=text)
        opened = open_game(
            self.bench,
            self.engine.id,
            opening,
            kit=self._own_kit(opening.kit),
            readings=self.start.readings,
            house_rules=self.start.house_rules,
            stands=lenient,
        )
        if not isinstance(opened, OpeningRefused):
            self.id = opened.game.id
            self._look()
        return opened.verdict

    def _own_kit(self, name: str | None) -> KitSheet | None:
        """The name of a shipped kit stands for its content, and for no other."""
        if not self.start.kit:
            return None
        return KitSheet({**self.sheet(name).content, "kit": "of_the_case"})

    def _look(self) -> None:
        game = self.game
        self.setting, self.state, self.moments = game.setting, game.state, game.moments()

    def finish(self) -> None:
        """The record proves itself, travels as text, and bears a correction of nothing."""
        if self.id is None:
            return
        game = self.game
        rows = list(self.bench.store.read(self.id))
        report = verify(self.id, rows)
        assert report.ok, report.problems
        travelled = read_text(text_record(game, {}).encode())
        assert list(travelled.rows) == rows
        numbers = game.numbers()
        if not numbers:
            return
        first = game.step(numbers[0])
        assert first.action is not None
        line = self.engine.text(first.action)
        correct(self.bench, self.id, numbers[0], [line], stands=first.item.stands)
        assert not self.game.waiting
        assert self._position(self.game) == self._position(game)

    def _position(self, game: Game) -> Any:
        """How the table stands, whatever the numbers of the actions that led there."""
        if self.engine.position_of is None:
            return game.state
        return self.engine.positions.data_of(game.setting, game.state)
