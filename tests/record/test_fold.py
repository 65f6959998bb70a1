"""Any sequence of commands: the game is what a naive model says, however its record is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, ClassVar
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from engines.kernel import Engine, ParseError
from engines.kernel.registry import load_engine
from referee.errors import RefereeError
from referee.judging.disputes import dispute, withdraw
from referee.judging.rulings import Decision, cancel_penalty, fix_reading, issue
from referee.proof.verify import verify
from referee.record.claims import claims
from referee.record.entries import (
    Confirmed,
    Corrected,
    Disputed,
    EntryData,
    Noted,
    Restored,
    Said,
    SealedValue,
    TakenBack,
    Unsealed,
    VerdictData,
)
from referee.record.fold import apply, fold, start_game, supposed
from referee.record.game import Game, RecordError, seal_digest
from referee.record.line import Item
from referee.record.permissions import permitted
from referee.record.snapshots import resumed, snapshot
from referee.table.adjustments import adjust, declare_kit
from referee.table.author import JUDGE, Author, By
from referee.table.bench import Answer, Bench
from referee.table.corrections import correct, redo, undo
from referee.table.lifecycle import close, hold, reopen, resume
from referee.table.notes import Annotation, annotate, remove_note
from referee.table.openings import open_game
from referee.table.play import log
from tests.kernel.toy import ENGINE as TOY
from tests.record.conftest import make_bench
from tests.record.model import Model

CHOICE = st.integers(min_value=0, max_value=99)
SEVERAL = st.lists(CHOICE, min_size=1, max_size=3)
NUMBERS = st.integers(min_value=0, max_value=12)
COUNTS = st.integers(min_value=0, max_value=3)
ROLES = ("scribe", "judge", "organiser", "seat:A", "seat:B")
AUTHORS = st.sampled_from([Author(f"p{role[-1].lower()}", role) for role in ROLES])
SEATED = (Author("pa", "seat:A"), Author("pb", "seat:B"))
USUAL = st.sampled_from([Author(), Author(), Author("pj", "judge"), Author("pa", "seat:A")])


def told(game: Game) -> dict[str, Any]:
    """All that a game says, as plain data."""
    return {
        "line": [(step.item, step.state, dict(step.setting.readings)) for step in game.steps],
        "verdicts": [(step.verdict.outcome, step.verdict.findings) for step in game.steps],
        "waiting": (game.pending, game.undone),
        "disputes": (game.disputes, game.settled),
        "rulings": (game.rulings, game.overturned, game.ruled),
        "penalties": (game.penalties, game.cancelled),
        "notes": game.notes,
        "stopped": (game.closed, game.held, game.holder, game.has_judge, game.clock),
        "claims": claims(game),
        "numbers": (game.last_number, game.notes_made),
    }


class Table(RuleBasedStateMachine):
    """Scribes, judges and seats do what they do, sensible or not."""

    GAME: ClassVar[str]
    OPENING: ClassVar[str]
    OTHER_OPENING: ClassVar[str]
    SETUP: ClassVar[Sequence[str]] = ()

    def __init__(self) -> None:
        super().__init__()
        self.patches = [
            mock.patch(f"referee.{module}.load_engine", self.engine)
            for module in ("record.fold", "record.snapshots", "table.openings")
        ] + [
            mock.patch(f"referee.record.{module}.CHUNK", 4)
            for module in ("persistent_vector", "lazy", "snapshots")
        ]
        for patch in self.patches:
            patch.start()
        self.bench = make_bench()
        self.id = open_game(self.bench, self.GAME, self.OPENING).game.id
        self.model = Model(self.engine(self.GAME), self.OPENING)
        self.past: list[tuple[Game, dict[str, Any]]] = []
        self.kept: bytes | None = None
        for line in self.SETUP:
            assert log(self.bench, self.id, line).accepted
            self.model.say(line)

    @staticmethod
    def engine(name: str) -> Engine[Any, Any]:
        return TOY if name == "toy" else load_engine(name)

    @property
    def game(self) -> Game:
        return self.bench.game(self.id)

    def candidate(self, choice: int) -> str:
        """A line that may be legal now, or was once; every table has its own."""
        raise TypeError(f"{type(self).__name__} has no lines to say")

    def attempt(self, command: Callable[..., Answer], *args: Any, **options: Any) -> Any:
        """Do it; a refusal leaves no trace, and an earlier game is never changed."""
        before = self.bench.store.read(self.id)
        self.past = [*self.past[-2:], (self.game, told(self.game))]
        try:
            answer = command(self.bench, self.id, *args, **options)
        except (RefereeError, ParseError):
            assert self.bench.store.read(self.id) == before
            return None
        after = self.bench.store.read(self.id)
        assert after[: len(before)] == before
        assert len(after) == len(before) + len(answer.entries)
        if answer.entries:
            self.model.has_judge |= answer.entries[0].role in ("judge", "organiser")
            for entry in answer.entries:
                if isinstance(entry.data, Disputed):
                    self.model.disputes[entry.data.id] = "open"
        return answer if answer.entries else None

    # play

    @rule(choice=CHOICE, stands=st.booleans(), author=USUAL)
    def log(self, choice: int, stands: bool, author: Author) -> None:
        line = self.candidate(choice)
        waits = self.model.closed or self.model.holds or self.model.played()[1]
        heard = self.attempt(log, line, stands=stands, by=By(author))
        if heard is not None:
            assert not waits
            by = heard.action.by
            assert author.seat in (None, by) or by is None
            self.model.say(self.model.engine.text(heard.action), heard.stands)

    @rule(count=COUNTS, author=AUTHORS)
    def undo(self, count: int, author: Author) -> None:
        may = self.model.may_undo(author.role, count)
        assert (self.attempt(undo, count, by=By(author)) is not None) == may
        if may:
            self.model.take_back(count)

    @rule(count=COUNTS, author=AUTHORS)
    def redo(self, count: int, author: Author) -> None:
        may = self.model.may_redo(author.role, count)
        assert (self.attempt(redo, count, by=By(author)) is not None) == may
        if may:
            self.model.restore(count)

    @rule(back=COUNTS, forth=COUNTS, at=NUMBERS, choices=st.lists(CHOICE, max_size=1))
    def go_back_and_forth(self, back: int, forth: int, at: int, choices: list[int]) -> None:
        """Some of what was taken back returns, and then something is corrected or not."""
        judge = Author("pj", "judge")
        self.undo(count=back, author=judge)
        self.redo(count=forth, author=judge)
        if choices:
            self.correct(at=at, choices=choices, remove=0, stands=True, author=judge)

    @rule(
        at=NUMBERS,
        choices=st.lists(CHOICE, max_size=2),
        remove=st.integers(min_value=0, max_value=2),
        stands=st.booleans(),
        author=USUAL,
    )
    def correct(
        self, at: int, choices: list[int], remove: int, stands: bool, author: Author
    ) -> None:
        lines = [self.candidate(choice) for choice in choices]
        numbers = self.model.numbers()
        start = numbers.index(at) if at in numbers else 0
        gone = numbers[start : start + remove]
        may = self.model.may_correct(author.role, gone)
        answer = self.attempt(correct, at, lines, remove=remove, stands=stands, by=By(author))
        if answer is not None:
            assert may
            self.spliced(at, gone, answer)

    def spliced(self, at: int, gone: Sequence[int], answer: Answer) -> None:
        engine = self.model.engine
        made = next(e.data for e in answer.entries if isinstance(e.data, Corrected))
        put = [(engine.text(engine.text.load(said.action)), said.stands) for said in made.insert]
        self.model.splice(at, gone, put)

    @rule(other=st.booleans())
    def correct_the_opening(self, other: bool) -> None:
        line = self.OTHER_OPENING if other else self.OPENING
        if self.attempt(correct, 0, [line]) is not None:
            assert not self.model.closed
            self.model.opening = line

    @rule(people=st.permutations(["pana", "pbo"]), author=AUTHORS)
    def correct_who_sits_where(self, people: list[str], author: Author) -> None:
        seats = dict(zip("AB", people, strict=True))
        may = self.model.may_correct(author.role, [])
        answer = self.attempt(correct, 0, remove=0, seats=seats, by=By(author))
        assert (answer is not None) == may
        if may:
            assert self.game.seats == seats

    @precondition(lambda self: self.game.pending)
    @rule(keep=st.booleans(), author=AUTHORS)
    def decide_on_what_is_pending(self, keep: bool, author: Author) -> None:
        number = self.model.played()[1][0]
        if number is None:
            return
        may = self.model.may_correct(author.role, [number])
        decided = {"remove": 0, "keep": [number]} if keep else {}
        if self.attempt(correct, number, **decided, by=By(author)) is None:
            return
        assert may
        if keep:
            self.model.keep(number)
        else:
            self.model.splice(number, [number], [])

    # judges

    @rule(number=NUMBERS, holds=st.booleans(), author=AUTHORS)
    def dispute(self, number: int, holds: bool, author: Author) -> None:
        answer = self.attempt(dispute, number, holds=holds, by=By(author))
        assert (answer is not None) == (number <= self.model.last_number)
        by_judge = self.model.holds and self.model.holds[0] in [("judge", ""), ("organiser", "")]
        if answer is not None and holds and not by_judge:
            others = [one for one in self.model.holds if one[1]]
            self.model.holds = [(author.role, f"d{len(self.model.disputes)}"), *others]

    @rule(
        number=st.integers(min_value=1, max_value=3),
        remedy=st.sampled_from(["none", "stands", "taken_back", "corrected", "penalty"]),
        choice=CHOICE,
        stands=st.booleans(),
        overturns=st.sampled_from([None, None, "r1"]),
        author=AUTHORS,
    )
    def ruling(
        self,
        number: int,
        remedy: Any,
        choice: int,
        stands: bool,
        overturns: str | None,
        author: Author,
    ) -> None:
        decision = Decision(
            "so be it",
            remedy,
            f"d{number}",
            lines=(self.candidate(choice),) if remedy == "corrected" else (),
            stands=stands,
            seat="A",
            level="warning",
            overturns=overturns,
        )
        disputed = self.game.disputes.get(f"d{number}")
        numbers = self.model.numbers()
        answer = self.attempt(issue, decision, by=By(author))
        if answer is None:
            return
        assert author.judges
        assert disputed is not None
        self.model.settle(disputed.id, f"r{len(self.model.rulings) + 1}")
        self.model.rulings.append(f"r{len(self.model.rulings) + 1}")
        self.model.ruled |= set(disputed.numbers)
        first = next((n for n in (0, *numbers) if n in disputed.numbers), None)
        if remedy == "taken_back":
            self.model.take_back(len(numbers) - numbers.index(first))
        elif remedy == "corrected":
            if first == 0:
                self.model.opening = decision.lines[0]
            else:
                self.spliced(first, [first], answer)
                self.model.ruled.add(self.model.last_number)

    @precondition(lambda self: self.readings())
    @rule(choices=SEVERAL, author=AUTHORS)
    def fix_readings(self, choices: list[int], author: Author) -> None:
        readings = self.readings()
        for choice in choices:
            reading, value = readings[choice % len(readings)]
            answer = self.attempt(fix_reading, reading, value, by=By(author))
            assert (answer is not None) == (author.judges and not self.model.closed)
            if answer is not None:
                self.model.fix(reading, value)

    def readings(self) -> list[tuple[str, str]]:
        known = self.model.engine.readings.values()
        return [(one.id, value) for one in known if one.changeable == "any" for value in one.values]

    @precondition(lambda self: self.readings())
    @rule(lines=SEVERAL, choices=SEVERAL, back=COUNTS, forth=COUNTS)
    def go_back_behind_readings(
        self, lines: list[int], choices: list[int], back: int, forth: int
    ) -> None:
        """Several of them, the same one or others; seats try to take back their own last first."""
        self.resume(author=JUDGE)
        for line in lines:
            self.log(choice=line, stands=True, author=Author())
        self.fix_readings(choices=choices, author=JUDGE)
        for command, count in ((self.undo, back), (self.redo, forth)):
            for author in (*SEATED, JUDGE):
                command(count=count if author is JUDGE else 1, author=author)

    @rule()
    def cancel_a_penalty(self) -> None:
        self.attempt(cancel_penalty, "x1", "mistaken", by=By(JUDGE))

    @rule(number=st.integers(min_value=1, max_value=3), author=AUTHORS)
    def withdraw(self, number: int, author: Author) -> None:
        raised = self.game.disputes.get(f"d{number}")
        if self.attempt(withdraw, f"d{number}", by=By(author)) is not None:
            assert self.model.disputes[f"d{number}"] == "open"
            own = raised.cause == "seat" and author.seat in (None, raised.seat)
            assert author.judges or own
            self.model.settle(f"d{number}", "withdrawn")

    @rule(holds=st.lists(st.booleans(), min_size=2, max_size=3), which=CHOICE, author=AUTHORS)
    def several_disputes(self, holds: list[bool], which: int, author: Author) -> None:
        """Of several at once one is settled: what another one holds stays on hold."""
        made = len(self.model.disputes)
        for each in holds:
            self.dispute(number=0, holds=each, author=author)
        settled = f"d{made + 1 + which % len(holds)}"
        if self.attempt(withdraw, settled, by=By(JUDGE)) is not None:
            self.model.settle(settled, "withdrawn")

    @rule(author=AUTHORS)
    def hold(self, author: Author) -> None:
        may = self.model.may_hold(author.role)
        assert (self.attempt(hold, by=By(author)) is not None) == may
        if may:
            self.model.holds = [(author.role, "")]

    @rule(author=AUTHORS)
    def resume(self, author: Author) -> None:
        may = self.model.may_resume(author.role)
        assert (self.attempt(resume, by=By(author)) is not None) == may
        if may:
            self.model.holds = []

    @rule(author=AUTHORS)
    def close_and_reopen(self, author: Author) -> None:
        if self.attempt(close, reason="pause", by=By(author)) is not None:
            assert author.seat is None
            assert not self.model.closed
            self.model.closed = True
        may = author.judges or (author.role == "scribe" and not self.model.has_judge)
        reopened = self.attempt(reopen, reason="on with it", by=By(author)) is not None
        assert reopened == (may and self.model.closed)
        self.model.closed &= not reopened

    # notes

    @rule(number=NUMBERS, author=AUTHORS)
    def note(self, number: int, author: Author) -> None:
        if self.attempt(annotate, number, Annotation("hm"), by=By(author)) is not None:
            assert number <= self.model.last_number
            self.model.notes[f"n{self.game.notes_made}"] = author.role

    @precondition(lambda self: self.model.notes)
    @rule(author=AUTHORS)
    def unnote(self, author: Author) -> None:
        name, made_by = next(iter(self.model.notes.items()))
        may = author.seat is None or author.role == made_by
        assert (self.attempt(remove_note, name, by=By(author)) is not None) == may
        if may:
            del self.model.notes[name]

    # what always holds

    @invariant()
    def it_is_as_the_model_says(self) -> None:
        self.model.check(self.game)

    @invariant()
    def continued_equals_replayed(self) -> None:
        assert told(self.game) == told(fold(self.id, self.bench.store.read(self.id)))

    @invariant()
    def what_was_a_game_stays_as_it_was(self) -> None:
        for game, said in self.past:
            assert told(game) == said

    @invariant()
    def nobody_told_what_is_not_theirs_and_what_left_is_kept_as_it_stood_last(self) -> None:
        game, stood = start_game(self.id, self.game.entries[0]), dict[int, Any]()
        for entry in self.game.entries[1:]:
            stood |= {after.number: (before, after) for before, after in pairwise(game.steps)}
            assert permitted(game, entry)
            game = apply(game, entry).game
        for number in stood.keys() - {step.number for step in game.steps} - {None}:
            for one, seen in zip(self.game.stood(number), stood[number], strict=True):
                assert (one.item, one.state, one.verdict) == (seen.item, seen.state, seen.verdict)

    @invariant()
    def the_laws_hold(self) -> None:
        for step in self.game.steps:
            engine = self.model.engine
            assert dict(engine.balance(step.state, step.setting)) == dict(step.state.offsets)

    @invariant()
    def nothing_counts_twice_or_can_be_restored_while_it_counts(self) -> None:
        known = [*self.game.numbers(), *(item.number for item in self.game.undone)]
        assert len(set(known)) == len(known)

    @rule()
    def go_on_from_the_last_snapshot(self) -> None:
        if self.kept is not None:
            found = resumed(self.id, self.bench.store.read(self.id), self.kept)
            assert found is not None
            assert told(found[0]) == told(self.game)
        self.kept = snapshot(self.game)

    @invariant()
    def the_record_proves_itself(self) -> None:
        assert verify(self.id, self.bench.store.read(self.id)).problems == []

    def teardown(self) -> None:
        for patch in self.patches:
            patch.stop()
        self.bench.store.close()


class Pebbles(Table):
    GAME = "pebbles"
    OPENING = "table A B first A"
    OTHER_OPENING = "table A B first B"

    def candidate(self, choice: int) -> str:
        return f"audit heap {choice % 13}" if choice > 80 else f"take {choice % 5}"

    @rule(heap=st.integers(min_value=0, max_value=14), to_move=st.sampled_from("AB"))
    def adjust(self, heap: int, to_move: str) -> None:
        changes = {"heap": heap, "next": to_move}
        if self.attempt(adjust, changes, "as it is", stands=True) is not None:
            self.model.say("", changes=changes)

    @rule(heap=st.integers(min_value=4, max_value=15))
    def declare_kit(self, heap: int) -> None:
        if self.attempt(declare_kit, "heap", heap, "counted") is not None:
            self.model.declared.append(("heap", heap))


class Toy(Table):
    """Duties in any order, boasts that nobody can check at once."""

    GAME = "toy"
    OPENING = "table A B"
    OTHER_OPENING = "table A B C"
    LINES = (
        "A bid 1", "A bid 2", "B bid 2", "B bid 0", "A boast red", "B boast blue", "B boast red",
        "A boast blue", "turn red", "turn blue",
    )  # fmt: skip

    def candidate(self, choice: int) -> str:
        return self.LINES[choice % len(self.LINES)]


class Forest(Table):
    """A real game, a few steps into it."""

    GAME = "benevolent"
    OPENING = "table A=blue B=red first A"
    OTHER_OPENING = "table A=red B=blue first A"
    SETUP = (
        "forest S1A S2A",
        "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal / "
        "hoard convert_1",
    )

    def candidate(self, choice: int) -> str:
        game = self.game
        step = game.steps[-1] if choice % 4 else game.steps[len(game.steps) // 2]
        options = game.engine.options(step.setting, step.state)
        if not options:
            return "A pick"
        return game.engine.text(options[choice % len(options)])


def _settings(examples: int, steps: int) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


TestPebbles = Pebbles.TestCase
TestPebbles.settings = _settings(50, 25)
TestToy = Toy.TestCase
TestToy.settings = _settings(40, 20)
TestForest = Forest.TestCase
TestForest.settings = _settings(10, 12)


def test_the_end_of_a_long_record_is_changed_without_a_look_at_all_of_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = open_game(bench, "pebbles", "table A B first A").game.id
    for line in ("take 1", "take 2", "take 1", "take 2", "take 3"):
        assert log(bench, made, line).accepted
    game, looked_at = bench.game(made), []
    backwards = Game.backwards

    def noted(self: Game) -> Iterator[Item]:
        for item in backwards(self):
            looked_at.append(item.number)
            yield item

    monkeypatch.setattr(Game, "backwards", noted)
    monkeypatch.setattr(Game, "line", lambda self: pytest.fail("it looks at the whole line"))
    shorter = supposed(game, [TakenBack(numbers=(5,))]).game
    assert set(looked_at) <= {4, 5}
    assert supposed(shorter, [Restored(numbers=(5,))]).game.steps == game.steps
    said = Said(
        number=6,
        action={"verb": "take", "pebbles": 1},
        verdict=VerdictData(outcome="legal"),
        stands=True,
    )
    supposed(game, [Corrected(at=5, remove=(5,), insert=(said,))])
    assert set(looked_at) <= {4, 5}


# what a command never writes


SALT, WORDS = "ab" * 16, ["x"]


def written(game: Game) -> dict[str, tuple[EntryData, tuple[dict[str, Any], ...]]]:
    """An entry that fits each kind, and slips in it with which it does not."""
    digest = seal_digest(game.id, "A", "hand", SALT, WORDS)
    last = game.entries[-1]
    sealed = SealedValue(id="s2", seat="B", what="hand", digest=digest)
    return {
        "note": (Noted(id="n2", number=2), ({"id": "n1"}, {"id": "n3"}, {"number": 9})),
        "restored": (Restored(numbers=(3,)), ({"numbers": (2,)}, {"numbers": (3, 2)})),
        "taken back": (TakenBack(numbers=(2,)), ({"numbers": (1,)}, {"numbers": (3,)})),
        "confirmed": (
            Confirmed(seat="A", seq=last.seq, head=last.head),
            ({"seat": "C"}, {"seq": last.seq + 1}, {"head": game.entries[0].head}),
        ),
        "sealed": (sealed, ({"id": "s1"}, {"id": "s3"}, {"seat": "C"})),
        "unsealed": (
            Unsealed(id="s1", salt=SALT, value=WORDS),
            ({"id": "s2"}, {"salt": "cd" * 16}, {"value": ["y"]}),
        ),
    }


KINDS = ("note", "restored", "taken back", "confirmed", "sealed", "unsealed")


@pytest.mark.parametrize("kind", KINDS)
def test_an_entry_that_does_not_fit_is_refused_whoever_wrote_it(kind: str) -> None:
    bench = make_bench()
    game = open_game(bench, "pebbles", "table A B first A").game
    for line in ("A take 1", "B take 2", "A take 1"):
        log(bench, game.id, line)
    undo(bench, game.id)
    annotate(bench, game.id, 1, Annotation(text="hm"))
    game = bench.game(game.id)
    last = game.entries[-1]
    digest = seal_digest(game.id, "A", "hand", SALT, WORDS)
    seal = SealedValue(id="s1", seat="A", what="hand", digest=digest)
    game = apply(game, last._replace(seq=last.seq + 1, data=seal)).game
    right, slips = written(game)[kind]
    entry = game.entries[-1]._replace(seq=len(game.entries), data=right)
    assert apply(game, entry).game.entries[-1] == entry
    for slip in slips:
        wrong = right.model_copy(update=slip)
        with pytest.raises((RefereeError, RecordError)):
            apply(game, entry._replace(data=wrong))
