"""A long record taken up from a snapshot is the same game, and no other snapshot is believed."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from answers.admin.people import erase
from answers.context import Caller, StoreContext, open_store_context
from answers.play import actions, corrections, info, moves, options, views
from answers.review.import_export import ExportOptions, export
from engines import kernel
from engines.kernel import ParseError
from engines.kernel.registry import load_engine
from referee.errors import RefereeError
from referee.judging.disputes import dispute, withdraw
from referee.judging.rulings import Decision, cancel_penalty, fix_reading, issue, penalise
from referee.record import snapshots
from referee.record.claims import claims
from referee.record.entries import (
    ClockSet,
    Closed,
    Confirmed,
    PhotoErased,
    Photographed,
    SealedValue,
    Unsealed,
)
from referee.record.fold import fold
from referee.record.game import Game, seal_digest
from referee.record.history import history
from referee.record.snapshots import resumed, snapshot
from referee.store import Draft, Stored, open_store
from referee.store.canonical_json import digest
from referee.store.derived.snapshot_files import kept_snapshots, snapshots_folder
from referee.store.maintenance.backup import accept_loss
from referee.store.maintenance.health import doctor
from referee.store.sqlite.files import sqlite_url
from referee.table.adjustments import adjust
from referee.table.author import JUDGE, SCRIBE, Author, By
from referee.table.bench import Answer, Bench
from referee.table.corrections import correct, redo, undo
from referee.table.lifecycle import hold, reopen, resume, set_clock
from referee.table.notes import Annotation, annotate, remove_note
from referee.table.openings import open_game
from referee.table.play import log
from tests.playing import pick, playable_games, tables_of
from tests.record.conftest import make_bench

CODE = (".py", ".toml")

SALT = "0" * 32


@pytest.fixture(autouse=True)
def short_chunks() -> Iterator[None]:
    """Records of a few entries have an early part, too."""
    with (
        mock.patch("referee.record.persistent_vector.CHUNK", 4),
        mock.patch("referee.record.lazy.CHUNK", 4),
        mock.patch("referee.record.snapshots.CHUNK", 4),
    ):
        yield


def same(found: Game, folded: Game) -> None:
    """What everybody asks for, without a look at the early part; then field by field."""
    with mock.patch.object(
        snapshots.DeferredFold, "game", property(lambda self: pytest.fail("it folds"))
    ):
        assert found.numbers() == folded.numbers()
        if folded.steps.last.number is not None:  # else it may be an early one
            assert found.last_counting == folded.last_counting
        assert found.steps[0] == folded.steps[0]
        assert (found.state, found.setting) == (folded.state, folded.setting)
        assert found.state.last_seat == folded.state.last_seat
        assert [*found.gone] == [*folded.gone]
        if not found.unsealed:
            assert claims(found) == claims(folded)
    for name in Game.__struct_fields__:
        assert getattr(found, name) == getattr(folded, name), name
    for mine, theirs in zip(found.steps, folded.steps, strict=True):
        assert mine.state.last_seat == theirs.state.last_seat
    assert history(found) == history(folded)


# any game, any commands


CHANGING = {*Game.__struct_fields__} - {"id", "engine", "opened", "sheet", "partial", "foreseen"}
"""What a record may say of a game after its opening."""
TURNS = 480


class Evening:
    """A table at which everything happens, sensible or not."""

    def __init__(self, name: str, seed: int) -> None:
        self.rng = random.Random(f"{name} {seed}")
        self.bench = make_bench()
        self.deeds: list[Callable[[], object]] = []
        self.changed: set[str] = set()
        self.kept: list[bytes] = []
        engine = load_engine(name)
        setups = tables_of(name).SETUPS
        lines = setups[self.rng.choice(sorted(setups))](self.rng)
        first, *others = (text for line in lines for text in engine.notation.split(line))
        self.begun = open_game(self.bench, name, first).game
        self.id = self.begun.id
        for line in others:
            assert log(self.bench, self.id, line).accepted, line

    @property
    def game(self) -> Game:
        return self.bench.game(self.id)

    @property
    def rows(self) -> tuple[Stored, ...]:
        return self.bench.store.read(self.id)

    def go_on(self) -> None:
        """Another deed; each kind comes as often as the others, and play between them."""
        if not self.deeds:
            self.deeds += [self.take_back, self.bring_back, self.correct, self.stand, self.adjust]
            self.deeds += [self.note, self.unnote, self.dispute, self.withdraw, self.time]
            self.deeds += [self.seal, self.unseal, self.read_otherwise, self.pause, self.confirm]
            self.deeds += [
                self.decide,
                self.decide,
                self.object,
                self.object,
                self.appeal,
                self.penalise,
                self.pardon,
                self.object,
            ]
            self.deeds += [
                self.photograph,
                self.erase_photo,
                self.finish,
                self.change_places,
                *[self.play] * 14,
            ]
            self.rng.shuffle(self.deeds)
        with suppress(RefereeError, ParseError):  # a table tries what it may not
            self.deeds.pop()()

    def look(self) -> None:
        """Keep a snapshot of whatever nothing was said of before."""
        game = self.game
        changed = {each for each in CHANGING if getattr(game, each) != getattr(self.begun, each)}
        if changed - self.changed:
            self.changed |= changed
            self.kept.append(snapshot(game))

    def tell(self, command: Callable[..., Answer], *said: Any, **options: Any) -> Answer:
        return command(self.bench, self.id, *said, **options)

    def play(self) -> None:
        game = self.game
        options = game.engine.options(game.setting, game.state)
        if options:
            log(self.bench, self.id, pick(options, self.rng))

    def stand(self) -> None:
        before = self.rng.choice(list(self.game.steps)).action
        if before is not None and before.verb != "table":
            log(self.bench, self.id, before, stands=True)

    def take_back(self) -> None:
        self.tell(undo, self.rng.randint(1, 3))

    def bring_back(self) -> None:
        self.tell(redo, 1)

    def correct(self) -> None:
        step = self.rng.choice(self.game.steps[-6:])
        if step.number is None or step.action is None:
            return
        line = self.game.engine.text(step.action)
        if self.rng.random() < 0.5:
            self.tell(correct, step.number, [line], reason="misheard")
        else:
            self.tell(correct, step.number, reason="never said")

    def adjust(self) -> None:
        game = self.game
        position = game.engine.positions.data_of(game.setting, game.state)
        name = self.rng.choice(sorted(position))
        self.tell(adjust, {name: position[name]}, "as it is", stands=True)

    def note(self) -> None:
        self.tell(annotate, self.game.last_counting, Annotation(text="remarkable"))

    def unnote(self) -> None:
        self.tell(remove_note, self.rng.choice([*self.game.notes, "n1"]))

    def dispute(self) -> None:
        self.tell(dispute, self.game.last_counting, text="no", by=By(JUDGE))

    def object(self) -> None:
        """What the referee has called a judge for, a player talks about too."""
        self.stand()
        seat = self.rng.choice(self.game.setting.seats)
        holds = self.rng.random() < 0.5
        self.tell(dispute, self.game.last_counting, seat=seat, text="no", holds=holds)
        if self.rng.random() < 0.5:
            self.decide()

    def decide(self) -> None:
        open_calls = self.game.open_disputes()
        if open_calls:
            call = self.rng.choice(open_calls)
            remedy = self.rng.choice(["none", "stands", "taken_back", "corrected", "corrected"])
            said = self.game.steps[-1].action if remedy == "corrected" else None
            lines = () if said is None else (self.game.engine.text(said),)
            decision = Decision("so", remedy, call.id, lines=lines, stands=True)
            self.tell(issue, decision, by=By(JUDGE))

    def appeal(self) -> None:
        in_force = [each for each in self.game.rulings if each not in self.game.overturned]
        if in_force:
            decision = Decision("not so", overturns=self.rng.choice(in_force))
            self.tell(issue, decision, by=By(JUDGE))

    def penalise(self) -> None:
        seat = self.rng.choice(self.game.setting.seats)
        self.tell(penalise, seat, "warning", "late", by=By(JUDGE))

    def pardon(self) -> None:
        self.tell(cancel_penalty, self.rng.choice([*self.game.penalties, "x1"]), "", by=By(JUDGE))

    def confirm(self) -> None:
        game = self.game
        seat = self.rng.choice(game.setting.seats)
        entry = Confirmed(seat=seat, seq=game.version, head=game.head)
        self.bench.tell(game, [entry], By(Author(role=f"seat:{seat}")))

    def photograph(self) -> None:
        id, number = f"f{len(self.game.photos) + 1}", self.game.last_counting
        entry = Photographed(id=id, digest="0" * 64, size=1, width=1, height=1, number=number)
        self.bench.tell(self.game, [entry], By(SCRIBE))

    def erase_photo(self) -> None:
        left = [each for each in self.game.photos if each not in self.game.photos_erased]
        if left:
            self.bench.tell(self.game, [PhotoErased(id=self.rng.choice(left))], By(SCRIBE))

    def withdraw(self) -> None:
        self.tell(withdraw, self.rng.choice([*self.game.disputes, "d1"]), by=By(JUDGE))

    def time(self) -> None:
        self.tell(set_clock, ClockSet(seconds=self.rng.choice([0, 600, 900])))

    def change_places(self) -> None:
        seats = dict(zip("AB", self.rng.sample(["pana", "pbo"], 2), strict=True))
        self.tell(correct, 0, remove=0, seats=seats, by=By(JUDGE))

    def seal(self) -> None:
        game = self.game
        seat = self.rng.choice(game.setting.seats)
        sealed = seal_digest(game.id, seat, "hand", SALT, ["one"])
        entry = SealedValue(id=f"s{len(game.seals) + 1}", seat=seat, what="hand", digest=sealed)
        self.bench.tell(game, [entry], By(SCRIBE))

    def unseal(self) -> None:
        closed = [name for name in self.game.seals if name not in self.game.unsealed]
        if closed:
            self.bench.tell(
                self.game, [Unsealed(id=closed[0], salt=SALT, value=["one"])], By(SCRIBE)
            )

    def read_otherwise(self) -> None:
        name = self.rng.choice(sorted(self.game.engine.readings))
        value = self.rng.choice(list(self.game.engine.readings[name].values))
        self.tell(fix_reading, name, value, by=By(JUDGE))

    def pause(self) -> None:
        self.tell(hold)
        self.look()
        self.tell(resume)

    def finish(self) -> None:
        self.bench.tell(self.game, [Closed()], By(SCRIBE))
        self.look()
        self.tell(reopen, reason="not yet", by=By(JUDGE))


@pytest.mark.parametrize("name", playable_games())
def test_any_record_goes_on_from_any_of_its_snapshots(name: str) -> None:
    evening = Evening(name, 1)
    for _ in range(TURNS):
        evening.go_on()
        evening.look()
    assert evening.changed == CHANGING
    kept = [*evening.kept, snapshot(evening.game)]
    evening.note()
    rows = evening.rows
    folded = fold(evening.id, rows)
    for content in kept:
        found = resumed(evening.id, rows, content)
        assert found is not None
        same(found[0], folded)
    again = resumed(evening.id, rows, kept[2])
    assert again is not None
    later = resumed(evening.id, rows, snapshot(again[0]))
    assert later is not None
    same(later[0], folded)


# what is believed


@pytest.fixture(scope="module")
def evening() -> Evening:
    with (
        mock.patch("referee.record.persistent_vector.CHUNK", 4),
        mock.patch("referee.record.lazy.CHUNK", 4),
        mock.patch("referee.record.snapshots.CHUNK", 4),
    ):
        made = Evening("benevolent", 3)
        for _ in range(40):
            made.play()
        return made


def sealed(name: dict[str, Any], body: object) -> bytes:
    """A snapshot as somebody would forge it."""
    content = json.dumps(name).encode() + b"\n" + json.dumps(body).encode()
    return digest(content).encode() + b"\n" + content


def test_a_snapshot_that_was_changed_anywhere_is_not_believed(evening: Evening) -> None:
    rows, content = evening.rows, snapshot(evening.game)
    assert resumed(evening.id, rows, content) is not None
    rng = random.Random(7)
    for place in {*range(200), *rng.sample(range(len(content)), 300)}:
        changed = bytes((content[place] ^ 1,))
        assert resumed(evening.id, rows, content[:place] + changed + content[place + 1 :]) is None
    for length in (0, 10, 64, 65, len(content) // 2, len(content) - 1):
        assert resumed(evening.id, rows, content[:length]) is None


def test_a_snapshot_holds_for_one_place_of_one_record_under_the_same_rules(
    evening: Evening,
) -> None:
    rows, content = evening.rows, snapshot(evening.game)
    assert resumed("game-another", rows, content) is None
    assert resumed(evening.id, rows[:-1], content) is None
    other = Evening("benevolent", 4)
    for _ in range(60):
        other.play()
    assert len(other.rows) >= len(rows)
    assert resumed(evening.id, other.rows, content) is None
    with mock.patch.object(evening.game.engine, "version", "99.0"):
        assert resumed(evening.id, rows, content) is None
    with mock.patch("referee.record.snapshots._rules", return_value="edited"):
        assert resumed(evening.id, rows, content) is None
    with mock.patch("referee.record.snapshots.FORMAT", snapshots.FORMAT + 1):
        assert resumed(evening.id, rows, content) is None


@pytest.mark.parametrize("game", playable_games())
def test_whichever_file_of_a_game_is_edited_its_rules_are_others(game: str) -> None:
    rules, read = snapshots._rules.__wrapped__, Path.read_bytes
    package = load_engine(game).package
    before = rules(package)
    folders = (Path(str(module.__file__)).parent for module in (sys.modules[package], kernel))
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in CODE]
    assert any(file.parent.name == "rules" for file in files) or game == "pebbles"
    for edited in files:

        def read_edited(file: Path, edited: Path = edited) -> bytes:
            return read(file) + b"#" * (file == edited)

        with mock.patch.object(Path, "read_bytes", read_edited):
            assert rules(package) != before, edited


@pytest.mark.parametrize(
    "kind",
    [
        "os:system",
        "subprocess:Popen",
        "engines.kernel.engine.engine:Engine",
        "engines.kernel.engine.engine:ModuleType",
        "engines.kernel.nowhere:Thing",
        "engines.kernel.__main__:Thing",
        "engines.kernel..agenda:Duty",
        "engines.benevolent_too.state:Player",
        "builtins:eval",
        "eval",
        "",
    ],
)
def test_a_forged_snapshot_makes_nothing_but_records_of_the_game(
    evening: Evening, kind: str
) -> None:
    _, name, body = snapshot(evening.game).split(b"\n", 2)
    told = json.loads(body)
    places = [at for at, found in enumerate(told["kept"]["kinds"]) if ":" in found]
    told["kept"]["kinds"][places[0]] = kind
    assert resumed(evening.id, evening.rows, sealed(json.loads(name), told)) is None


def test_why_a_snapshot_could_not_be_used_is_logged(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    _, name, _ = snapshot(evening.game).split(b"\n", 2)
    assert resumed(evening.id, evening.rows, sealed(json.loads(name), {"kept": {}})) is None
    (logged,) = caplog.records
    assert evening.id in logged.getMessage()
    assert logged.exc_info is not None


def test_a_mangled_snapshot_is_no_fault_of_the_program(evening: Evening) -> None:
    _, name, body = snapshot(evening.game).split(b"\n", 2)
    rng = random.Random(11)
    for _ in range(150):
        told = json.loads(body)
        values = told["kept"]["values"]
        place = rng.randrange(len(values))
        values[place] = rng.choice([None, -1, "x", [0], [-1], [9999], {}, [0, 0, 0], 1.5, []])
        resumed(evening.id, evening.rows, sealed(json.loads(name), told))
    for wrong in ({}, [], None, {"kept": {}}, {"kept": {"kinds": [], "values": []}}):
        assert resumed(evening.id, evening.rows, sealed(json.loads(name), wrong)) is None


def test_who_looks_far_back_finds_out_that_a_snapshot_tells_something_else(
    evening: Evening,
) -> None:
    _, name, body = snapshot(evening.game).split(b"\n", 2)
    told = json.loads(body)
    values = told["kept"]["values"]
    turn = values.index(evening.game.state.turn.number)
    values[turn] += 1
    found = resumed(evening.id, evening.rows, sealed(json.loads(name), told))
    assert found is not None
    with pytest.raises(Exception, match="snapshot_differs"):
        found[0].steps[1]


def test_no_words_of_anybody_are_in_a_snapshot() -> None:
    bench = make_bench()
    made = open_game(bench, "pebbles", "table A B first A").game.id
    log(bench, made, "take 2")
    annotate(bench, made, 1, Annotation(text="written by somebody"))
    dispute(bench, made, 1, text="told by somebody", by=By(JUDGE))
    undo(bench, made, reason="meant by somebody", by=By(JUDGE))
    assert b"somebody" not in snapshot(bench.game(made))


# at a bench


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A store with a record that is long, as these tests have it."""
    url = sqlite_url(tmp_path / "club.db")
    with (
        mock.patch("referee.table.bench.LONG", 20),
        mock.patch("referee.table.snapshotting.LONG", 20),
        mock.patch("referee.table.snapshotting.EVERY", 10),
    ):
        numbers = count(1)
        bench = Bench(open_store(url), ids=lambda: f"game-long{next(numbers)}")
        made = open_game(bench, "pebbles", "table A B first A").game.id
        for line in ["take 1", "take 2", "take 1", "take 2"] + ["audit heap 6"] * 30:
            assert log(bench, made, line).accepted
        bench.store.close()
        yield url


@pytest.fixture
def folded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that were folded from their beginning."""
    seen: list[str] = []

    def noted(game_id: str, rows: Any) -> Game:
        seen.append(game_id)
        return fold(game_id, rows)

    for module in ("bench", "snapshotting"):
        monkeypatch.setattr(f"referee.table.{module}.fold", noted)
    return seen


def cold(url: str) -> Caller:
    return Caller(open_store_context(url))


GAME = "game-long1"


def test_a_long_record_is_folded_once(url: str, folded: list[str]) -> None:
    asked: list[Callable[[Caller], Any]] = [
        lambda caller: views.state(caller, GAME),
        lambda caller: info.info(caller, GAME),
        lambda caller: actions.log(caller, GAME, ["take 3"]),
        lambda caller: corrections.undo(caller, GAME),
        lambda caller: corrections.redo(caller, GAME),
        lambda caller: corrections.correct(caller, GAME, 35, ["take 1"]),
        lambda caller: options.options(caller, GAME),
    ]
    views.state(cold(url), GAME)
    assert folded == [GAME]
    assert len(kept_snapshots(url)) == 1
    with mock.patch.object(
        snapshots.DeferredFold, "game", property(lambda self: pytest.fail("it folds"))
    ):
        for ask in asked:
            caller = cold(url)
            answered = ask(caller)
            told = (answered.lines(caller.voice), answered.data)
            assert told
    assert folded == [GAME]
    found, caller = cold(url).bench.game(GAME), Caller(StoreContext(open_store(url)))
    assert not found.steps.whole
    same(found, caller.bench.in_full(GAME))


def test_answers_are_the_same_with_a_snapshot_and_without(url: str) -> None:
    def told(caller: Caller) -> list[Any]:
        answers = [
            views.state(caller, GAME),
            info.info(caller, GAME),
            moves.why(caller, GAME, "3"),
            moves.moves(caller, GAME),
        ]
        return [(list(answer.lines(caller.voice)), answer.data) for answer in answers]

    views.state(cold(url), GAME)
    store = open_store(url)
    assert told(cold(url)) == told(Caller(StoreContext(store, Bench(store))))


def test_an_export_judges_every_entry(url: str, folded: list[str]) -> None:
    views.state(cold(url), GAME)
    folded.clear()
    caller = cold(url)
    views.state(caller, GAME)
    export(caller, GAME, "text", ExportOptions())
    assert folded == [GAME]
    assert caller.bench.game(GAME).steps.whole


def test_a_record_that_grows_has_a_newer_snapshot_now_and_then(url: str) -> None:
    caller = cold(url)
    views.state(caller, GAME)
    (file,) = kept_snapshots(url)
    first = file.read_bytes()
    for _ in range(9):
        log(caller.bench, GAME, "audit heap 6")
    assert file.read_bytes() == first
    log(caller.bench, GAME, "audit heap 6")
    found = resumed(GAME, caller.store_context.store.read(GAME), file.read_bytes())
    assert found is not None
    assert found[1] == caller.bench.game(GAME).version
    other = caller.bench.on(caller.store_context.store)
    with mock.patch(
        "referee.store.derived.snapshot_files.Snapshots.write", side_effect=AssertionError
    ):
        log(other, GAME, "audit heap 6")


def test_short_records_and_stores_in_memory_have_none(url: str) -> None:
    bench = cold(url).bench
    made = open_game(bench, "pebbles", "table A B first A").game.id
    assert log(bench, made, "take 1").accepted
    assert kept_snapshots(url) == []
    assert snapshots_folder("memory:") is None


def test_where_nothing_can_be_written_records_are_folded(url: str, folded: list[str]) -> None:
    folder = snapshots_folder(url)
    assert folder is not None
    folder.write_text("in the way")
    for _ in range(2):
        views.state(cold(url), GAME)
    assert folded == [GAME, GAME]


@pytest.mark.parametrize("spoilt", [b"", b"\0" * 100, None])
def test_a_spoilt_snapshot_costs_time_and_nothing_else(
    url: str, folded: list[str], spoilt: bytes | None
) -> None:
    views.state(cold(url), GAME)
    (file,) = kept_snapshots(url)
    if spoilt is None:
        file.unlink()
    else:
        file.write_bytes(spoilt)
    views.state(cold(url), GAME)
    views.state(cold(url), GAME)
    assert folded == [GAME, GAME]


def test_what_others_could_have_written_is_not_believed(url: str, folded: list[str]) -> None:
    views.state(cold(url), GAME)
    (file,) = kept_snapshots(url)
    file.chmod(0o622)
    views.state(cold(url), GAME)
    assert folded == [GAME, GAME]


def test_snapshots_are_private_and_the_doctor_knows_them(url: str) -> None:
    assert "snapshots" not in {check.name for check in doctor(url)}
    views.state(cold(url), GAME)
    (file,) = kept_snapshots(url)
    assert file.stat().st_mode & 0o077 == 0
    assert file.parent.stat().st_mode & 0o077 == 0
    (check,) = (check for check in doctor(url) if check.name == "snapshots")
    assert (check.level, check.facts["count"]) == ("ok", 1)
    file.parent.chmod(0o755)
    assert {check.name: check.level for check in doctor(url)}["private"] == "warn"


def test_they_go_with_a_name_that_is_erased_and_with_entries_that_are_given_up(url: str) -> None:
    caller = cold(url)
    views.state(caller, GAME)
    assert kept_snapshots(url)
    erase(caller, "pabcdefghij")
    assert not kept_snapshots(url)
    views.state(cold(url), GAME)
    assert kept_snapshots(url)
    accept_loss(url)
    folder = snapshots_folder(url)
    assert folder is not None
    assert not folder.exists()


def test_entries_behind_a_snapshot_may_be_anybodys(url: str) -> None:
    views.state(cold(url), GAME)
    store = open_store(url)
    last = fold(GAME, store.read(GAME))
    data = {"id": "n1", "number": 1, "text": "from elsewhere"}
    drafts = [Draft("noted", 1, data, "elsewhere")]
    store.append(
        GAME, drafts, expected=last.version, at=last.entries[-1].at, by="anonymous", role="scribe"
    )
    assert cold(url).bench.game(GAME).notes["n1"].text == "from elsewhere"
