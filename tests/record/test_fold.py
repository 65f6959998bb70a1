"""Any sequence of commands folds to the same, read at once or continued, and proves itself."""

from __future__ import annotations

from functools import partial
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from engines.kernel import BadForm
from referee.errors import RefereeError
from referee.judging.rulings import Decision, cancel_penalty, issue, withdraw
from referee.proof.verify import verify
from referee.record.claims import claims
from referee.record.fold import Game, fold
from referee.table.bench import JUDGE, Author, Bench
from referee.table.notes import Annotation, annotate, remove_note
from tests.record.conftest import make_bench

PEBBLES = st.integers(min_value=0, max_value=4)
NUMBERS = st.integers(min_value=0, max_value=12)


def told(game: Game) -> dict[str, Any]:
    """All that a game says, as plain data."""
    return {
        "line": [(step.item, step.state, dict(step.setting.readings)) for step in game.steps],
        "verdicts": [(step.verdict.outcome, step.verdict.findings) for step in game.steps],
        "pending": game.pending,
        "undone": game.undone,
        "disputes": (game.disputes, game.settled),
        "rulings": (game.rulings, game.overturned),
        "penalties": (game.penalties, game.cancelled),
        "notes": game.notes,
        "closed": game.closed,
        "held": game.held,
        "claims": claims(game),
        "numbers": (game.last_number, game.notes_made),
    }


class Table(RuleBasedStateMachine):
    """Scribes do what scribes do, sensible or not."""

    def __init__(self) -> None:
        super().__init__()
        self.bench: Bench = make_bench()
        self.game_id = self.bench.open("pebbles", "table A B first A").game.id
        self.acknowledged = self.bench.game(self.game_id).head

    def attempt(self, command: Any, *args: Any, **options: Any) -> None:
        """Do it; a refusal must leave no trace."""
        before = self.bench.store.read(self.game_id)
        try:
            answer = command(self.game_id, *args, **options)
        except (RefereeError, BadForm):
            assert self.bench.store.read(self.game_id) == before
            return
        after = self.bench.store.read(self.game_id)
        assert after[: len(before)] == before
        assert len(after) == len(before) + len(answer.entries)

    @rule(pebbles=PEBBLES, stands=st.booleans())
    def log(self, pebbles: int, stands: bool) -> None:
        self.attempt(self.bench.log, f"take {pebbles}", stands=stands)

    @rule(count=st.integers(min_value=0, max_value=12))
    def audit(self, count: int) -> None:
        self.attempt(self.bench.log, f"audit heap {count}")

    @rule(count=st.integers(min_value=0, max_value=3))
    def undo(self, count: int) -> None:
        self.attempt(self.bench.undo, count)

    @rule(number=NUMBERS)
    def undo_to(self, number: int) -> None:
        self.attempt(self.bench.undo, to=number)

    @rule(count=st.integers(min_value=1, max_value=3))
    def redo(self, count: int) -> None:
        self.attempt(self.bench.redo, count)

    @rule(
        at=NUMBERS,
        lines=st.lists(PEBBLES, max_size=2),
        remove=st.integers(min_value=0, max_value=2),
        stands=st.booleans(),
    )
    def correct(self, at: int, lines: list[int], remove: int, stands: bool) -> None:
        texts = [f"take {pebbles}" for pebbles in lines]
        self.attempt(self.bench.correct, at, texts, remove=remove, stands=stands)

    @rule(first=st.sampled_from("AB"))
    def correct_the_opening(self, first: str) -> None:
        self.attempt(self.bench.correct, 0, [f"table A B first {first}"])

    @precondition(lambda self: self.bench.game(self.game_id).pending)
    @rule(keep=st.booleans())
    def decide_on_what_is_pending(self, keep: bool) -> None:
        number = self.bench.game(self.game_id).pending[0].number
        if keep:
            self.attempt(self.bench.correct, number, remove=0, keep=[number])
        else:
            self.attempt(self.bench.correct, number)

    @rule(heap=st.integers(min_value=0, max_value=14), to_move=st.sampled_from("AB"))
    def adjust(self, heap: int, to_move: str) -> None:
        self.attempt(self.bench.adjust, {"heap": heap, "next": to_move}, "as it is")

    @rule(heap=st.integers(min_value=4, max_value=15))
    def declare_kit(self, heap: int) -> None:
        self.attempt(self.bench.declare_kit, "heap", heap, "counted")

    @rule(value=st.sampled_from(["wins", "loses"]))
    def fix_reading(self, value: str) -> None:
        self.attempt(self.bench.fix_reading, "last_pebble", value, author=Author(role="judge"))

    @rule(number=NUMBERS, holds=st.booleans())
    def dispute(self, number: int, holds: bool) -> None:
        self.attempt(self.bench.dispute, number, holds=holds)

    @rule(
        dispute=st.integers(min_value=1, max_value=3),
        remedy=st.sampled_from(["none", "stands", "taken_back", "corrected", "penalty"]),
        pebbles=PEBBLES,
        stands=st.booleans(),
        overturns=st.sampled_from([None, None, "r1"]),
        readings=st.sampled_from([{}, {"last_pebble": "loses"}]),
    )
    def ruling(
        self,
        dispute: int,
        remedy: Any,
        pebbles: int,
        stands: bool,
        overturns: str | None,
        readings: Any,
    ) -> None:
        decision = Decision(
            "so be it",
            remedy,
            f"d{dispute}",
            lines=(f"take {pebbles}",),
            stands=stands,
            seat="A",
            level="warning",
            overturns=overturns,
            readings=readings,
        )
        self.attempt(partial(issue, self.bench), decision, author=JUDGE)

    @rule()
    def cancel_a_penalty(self) -> None:
        self.attempt(partial(cancel_penalty, self.bench), "x1", "mistaken", author=JUDGE)

    @rule(dispute=st.integers(min_value=1, max_value=3))
    def withdraw_a_dispute(self, dispute: int) -> None:
        self.attempt(partial(withdraw, self.bench), f"d{dispute}", author=JUDGE)

    @rule()
    def resume(self) -> None:
        self.attempt(self.bench.resume, author=JUDGE)

    @rule(number=NUMBERS)
    def note(self, number: int) -> None:
        note = Annotation("hm", instead=("take 1",) if number % 2 else ())
        self.attempt(partial(annotate, self.bench), number, note, author=JUDGE)

    @rule()
    def unnote(self) -> None:
        notes = self.bench.game(self.game_id).notes
        if notes:
            remove = partial(remove_note, self.bench)
            self.attempt(remove, next(iter(notes)), author=JUDGE)

    @rule()
    def close_and_reopen(self) -> None:
        self.attempt(self.bench.close, reason="pause")
        self.attempt(self.bench.reopen, reason="on with it")

    @invariant()
    def continued_equals_replayed(self) -> None:
        rows = self.bench.store.read(self.game_id)
        assert told(self.bench.game(self.game_id)) == told(fold(self.game_id, rows))

    @invariant()
    def the_laws_hold(self) -> None:
        for step in self.bench.game(self.game_id).steps:
            engine = self.bench.game(self.game_id).engine
            assert dict(engine.balance(step.state, step.setting)) == dict(step.state.offsets)

    @invariant()
    def the_record_proves_itself(self) -> None:
        assert verify(self.game_id, self.bench.store.read(self.game_id)).problems == []

    def teardown(self) -> None:
        self.bench.store.close()


TestTable = Table.TestCase
TestTable.settings = settings(
    max_examples=60,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
