"""Appeals: whatever was decided before, the table is as the last ruling says."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from itertools import cycle, product
from typing import TypeVar, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answers.i18n import Voice
from answers.review.entries import entry_rows
from engines.kernel import ParseError
from referee.errors import Conflicting, NotFound, RefereeError
from referee.judging.appeals import appealed
from referee.judging.disputes import dispute
from referee.judging.rulings import Decision, fix_reading, issue, previews
from referee.proof.verify import verify
from referee.record.entries import Remedy
from referee.record.fold import fold
from referee.record.game import Game
from referee.record.history import history, status
from referee.table.author import JUDGE, By
from referee.table.bench import Bench
from referee.table.corrections import correct, redo, undo
from referee.table.lifecycle import close, reopen
from referee.table.openings import open_game
from referee.table.play import log
from replays.gallery import sample, samples
from tests.judge.conftest import disputed_table
from tests.record.conftest import make_bench
from tests.record.test_put_back import openings

REMEDIES: tuple[Remedy, ...] = get_args(Remedy)
LINE: tuple[Remedy, ...] = ("taken_back", "corrected", "stands")
LEVELS = 3


def decide(
    bench: Bench,
    table: str,
    remedy: Remedy,
    lines: tuple[str, ...] = ("B take 3",),
    about: str = "d1",
) -> Game:
    """Rule on a dispute, on appeal if it was settled; what was previewed must be what happens."""
    game = bench.game(table)
    previewed = {one.remedy: one for one in previews(game, game.disputes[about], lines)}[remedy]
    decision = Decision(
        f"decided as {remedy}",
        remedy,
        about,
        lines=lines if remedy == "corrected" else (),
        seat=game.setting.seats[-1],
        level="warning",
        overturns=appealed(game, game.disputes[about]) if about in game.settled else None,
    )
    if previewed.problem is not None:
        with pytest.raises(type(previewed.problem)):
            issue(bench, table, decision, by=By(JUDGE))
        return game
    after = issue(bench, table, decision, by=By(JUDGE)).game
    assert previewed.after is not None
    assert shown(previewed.after) == shown(after)
    assert set(previewed.gone) == {*game.numbers()} - {*after.numbers()}
    new = {*range(game.last_number + 1, after.last_number + 1)}
    assert set(previewed.back) == {*after.numbers()} - {*game.numbers()} - new
    restorable = [item.number for item in after.undone]
    assert len({*after.numbers(), *restorable}) == len(after.numbers()) + len(restorable)
    return after


def shown(game: Game) -> tuple[object, ...]:
    """What a table shows: the moves that count, those that wait, and how the pieces lie."""
    lines = [(line.number, line.text, line.status, line.stands) for line in history(game)]
    return lines, game.waiting, game.engine.plain(game.state)


def played(game: Game) -> tuple[object, ...]:
    """The same without numbers, which depend on what was tried before."""
    said = [game.engine.text(step.action) for step in game.steps if step.action is not None]
    return said, len(game.waiting), game.engine.plain(game.state)


@pytest.mark.parametrize("remedies", [*product(REMEDIES, repeat=LEVELS)], ids="-".join)
def test_the_last_ruling_alone_decides_how_the_table_stands(
    bench: Bench, remedies: tuple[Remedy, ...]
) -> None:
    table, alone = disputed_table(bench), disputed_table(bench)
    for remedy in remedies:
        game = decide(bench, table, remedy)
    once = decide(bench, alone, remedies[-1])
    assert played(game) == played(once)
    assert status(game, 2) == status(once, 2)
    in_force = [one for one in game.penalties if one not in game.cancelled]
    assert len(in_force) == (remedies[-1] == "penalty")
    assert game.counts(2) == (remedies[-1] not in ("taken_back", "corrected"))
    assert verify(table, bench.store.read(table)).problems == []
    assert shown(fold(table, bench.store.read(table))) == shown(game)


@pytest.mark.parametrize("remedies", [*product(REMEDIES, repeat=2)], ids="-".join)
def test_an_appeal_of_a_player_is_decided_like_any_other(
    bench: Bench, remedies: tuple[Remedy, ...]
) -> None:
    """It is a call of its own that names the ruling, and whoever decides it need not."""
    table, alone = disputed_table(bench), disputed_table(bench)
    decide(bench, table, remedies[0])
    for other in ("r2", f"{alone}/r1"):
        with pytest.raises(NotFound):
            dispute(bench, table, 2, seat="A", appeals=other)
    asked = dispute(bench, table, 2, seat="A", appeals=f"{table}/r1").game  # as lists name it
    assert asked.disputes["d2"].appeals == "r1"
    game = decide(bench, table, remedies[1], about="d2")
    assert played(game) == played(decide(bench, alone, remedies[1]))
    assert game.rulings["r2"].overturns == "r1"
    assert not game.open_disputes()
    assert verify(table, bench.store.read(table)).problems == []
    dispute(bench, table, 2, seat="B", appeals="r2")
    for about, remedy in (("d3", remedies[0]), ("d1", "stands"), ("d2", "taken_back")):
        once = decide(bench, disputed_table(bench), remedy)
        assert played(decide(bench, table, remedy, about=about)) == played(once)


@pytest.mark.parametrize("remedies", [*product(REMEDIES, repeat=2)], ids="-".join)
def test_players_read_what_the_table_shows(bench: Bench, remedies: tuple[Remedy, ...]) -> None:
    """Each sentence about #2 names what became of it."""
    table = disputed_table(bench)
    for remedy in remedies:
        before = bench.game(table)
        after = decide(bench, table, remedy)
        told = [
            row.told for row in entry_rows(after, after.entries[len(before.entries) :], Voice("en"))
        ]
        came, went = (
            {*a.numbers()} - {*b.numbers()} for a, b in ((after, before), (before, after))
        )
        for number in came | went:
            assert any(f"#{number}" in line for line in told[1:]), told


@pytest.mark.parametrize("remedies", [*product(LINE, repeat=LEVELS)], ids="-".join)
def test_play_goes_on_between_the_levels(bench: Bench, remedies: tuple[Remedy, ...]) -> None:
    table = disputed_table(bench)
    for remedy in remedies:
        decide(bench, table, remedy)
        for line in ("take 1", "take 3"):
            with suppress(RefereeError, ParseError):
                log(bench, table, line)
    assert verify(table, bench.store.read(table)).problems == []


@pytest.mark.parametrize("name", samples())
def test_appeals_in_every_game_are_previewed_and_proven(bench: Bench, name: str) -> None:
    known, chance = sample(name), random.Random(name)
    lines = [known.engine.text(step.action) for step in known.steps if step.action is not None]
    table = open_game(bench, name, lines[0]).game.id
    for line in lines[1:]:
        log(bench, table, line)
    number = chance.randrange(len(lines) - 12, len(lines) - 2)
    dispute(bench, table, number)
    other = tuple(chance.sample(lines[1:], 1))
    for _ in range(5):
        decide(bench, table, chance.choice(REMEDIES), other)
    game = decide(bench, table, "stands")
    assert game.engine.plain(game.state) == known.engine.plain(known.state)
    assert verify(table, bench.store.read(table)).problems == []


Way = TypeVar("Way")


def every_run(length: int, ways: Sequence[Way] = LINE) -> list[Way]:  # type: ignore[assignment]
    """A chain of remedies in which each run of this length occurs (a de Bruijn sequence)."""
    chain = [ways[0]] * (length - 1)
    seen: set[tuple[Way, ...]] = set()
    while True:
        behind = chain[len(chain) - length + 1 :]
        new = [one for one in reversed(ways) if (*behind, one) not in seen]
        if not new:
            return chain
        seen.add((*behind, new[0]))
        chain.append(new[0])


def test_the_chain_of_remedies_has_every_ruling_with_two_appeals() -> None:
    chain = every_run(LEVELS)
    runs = {tuple(chain[at : at + LEVELS]) for at in range(len(chain) - LEVELS + 1)}
    assert runs == {*product(LINE, repeat=LEVELS)}


@pytest.mark.parametrize("name", samples())
def test_at_every_level_of_appeal_the_table_shows_what_was_previewed_and_told(
    bench: Bench, name: str
) -> None:
    """Let stand, correct and take back, in every order of a ruling and two appeals."""
    known = sample(name)
    lines = [known.engine.text(step.action) for step in known.steps if step.action is not None]
    count = min(len(lines), 30)
    table = open_game(bench, name, lines[0]).game.id
    for line in lines[1:count]:
        log(bench, table, line)
    disputed = count - 3
    dispute(bench, table, disputed)
    before = known.steps[disputed - 1]
    legal = [known.engine.text(one) for one in known.engine.options(before.setting, before.state)]
    other = next((line for line in legal if line != lines[disputed]), lines[disputed])
    shows: dict[Remedy, tuple[object, ...]] = {}
    for remedy in every_run(LEVELS):
        was = bench.game(table)
        game = decide(bench, table, remedy, (other,))
        assert game.version > was.version, f"{remedy} was not possible"
        now = (played(game)[:2], game.engine.compared(game.setting, game.state))
        assert shows.setdefault(remedy, now) == now, remedy
        entries = game.entries[len(was.entries) :]
        told = [row.told for row in entry_rows(game, entries, Voice("en"))]
        changed = {*game.numbers()} ^ {*was.numbers()}
        assert all(any(f"#{number}" in line for line in told[1:]) for number in changed), told
    assert len(shows) == len(LINE)
    assert verify(table, bench.store.read(table)).problems == []


def test_what_the_players_took_back_themselves_stays_so(bench: Bench) -> None:
    table = disputed_table(bench)
    decide(bench, table, "taken_back")
    redo(bench, table, 2, by=By(JUDGE))
    undo(bench, table, by=By(JUDGE))
    game = decide(bench, table, "stands")
    assert game.numbers() == [1, 2]


def test_an_appeal_may_name_what_the_first_ruling_put_in(bench: Bench) -> None:
    table = disputed_table(bench)
    put_in = decide(bench, table, "corrected").last_number
    again = Decision(
        "one was taken", "corrected", "d1", (put_in,), lines=("B take 1",), overturns="r1"
    )
    game = issue(bench, table, again, by=By(JUDGE)).game
    assert [step.state.heap for step in game.steps] == [12, 10, 9]
    assert game.rulings["r2"].numbers == (2,)


def test_of_an_opening_what_no_ruling_that_holds_has_said_comes_back(bench: Bench) -> None:
    """Beside a list of what was said: an appeal crosses out what the ruling before it has said, as
    long as nobody has said anything since."""
    first, *others = openings("benevolent")
    table = open_game(bench, "benevolent", first).game.id
    heard, ruled = [first], False
    dispute(bench, table, 0)
    for way, line in zip(every_run(LEVELS, ("hand", "corrected", "stands")), cycle(others)):
        if way == "hand":
            correct(bench, table, 0, [line], by=By(JUDGE))
            heard, ruled = [*heard, line], False
        else:
            decide(bench, table, "corrected" if way == "corrected" else "stands", (line,))
            heard = heard[:-1] if ruled else heard
            ruled = way == "corrected"
            heard = [*heard, line] if ruled else heard
        game = bench.game(table)
        opening = game.steps[0].action
        assert opening is not None
        assert opening == game.engine.read(heard[-1])
    assert verify(table, bench.store.read(table)).problems == []


def test_on_appeal_the_rulebook_is_read_as_before(bench: Bench) -> None:
    table = disputed_table(bench)
    usual = bench.game(table).setting.readings["last_pebble"]
    fixed = Decision("so", "none", "d1", readings={"last_pebble": "loses"})
    issue(bench, table, fixed, by=By(JUDGE))
    assert decide(bench, table, "stands").setting.readings["last_pebble"] == usual


READINGS = st.sampled_from(["loses", "wins", None])


SPEAKING = st.tuples(st.sampled_from(["ruling", "appeal", "by hand"]), READINGS, st.integers(0, 3))


@settings(max_examples=150)
@given(st.lists(SPEAKING, min_size=3, max_size=6))
def test_the_rulebook_is_read_as_who_spoke_last_and_was_not_overturned_says(
    steps: list[tuple[str, str | None, int]],
) -> None:
    read_as_said(steps)


@pytest.mark.parametrize(
    "said", [*product(product(("ruling", "by hand"), ("loses", "wins")), repeat=2)]
)
def test_who_says_the_same_again_is_heard_when_the_first_is_overturned(
    said: tuple[tuple[str, str], ...],
) -> None:
    """Two say something, in every order, and every ruling falls, from the first on or the last."""
    for falls in (0, 1):
        appeals: list[tuple[str, None, int]] = [
            ("appeal", None, falls),
            ("appeal", None, 1 - falls),
        ]
        read_as_said([*((how, value, 0) for how, value in said), *appeals])


def read_as_said(steps: Sequence[tuple[str, str | None, int]]) -> None:
    """Beside a plain list of what was said: an appeal crosses a line out, and may add its own.

    One that says what is read without that line anyway adds nothing.
    """
    bench = make_bench()
    table = disputed_table(bench)
    usual = bench.game(table).setting.readings["last_pebble"]
    said: list[tuple[str, str | None]] = []
    in_force: dict[str, str] = {}

    def heard() -> str:
        return [usual, *(value for _, value in said if value is not None)][-1]

    for step, value, which in steps:
        readings = {} if value is None else {"last_pebble": value}
        if step == "by hand":
            if value is not None:
                fix_reading(bench, table, "last_pebble", value, by=By(JUDGE))
                said.append(("", value))
        else:
            overturned = None
            if step == "ruling":
                dispute(bench, table, 1)
                about = f"d{len(bench.game(table).disputes)}"
            elif in_force:
                about = [*in_force][which % len(in_force)]
                overturned = in_force[about]
                said = [each for each in said if each[0] != overturned]
                value = None if value == heard() else value
            else:
                continue
            decision = Decision("so", "none", about, readings=readings, overturns=overturned)
            issue(bench, table, decision, by=By(JUDGE))
            in_force[about] = [*bench.game(table).rulings][-1]
            said.append((in_force[about], value))
        assert bench.game(table).setting.readings["last_pebble"] == heard(), said
    assert verify(table, bench.store.read(table)).problems == []


def test_a_closed_record_is_reopened_before_an_appeal_changes_it(bench: Bench) -> None:
    table = disputed_table(bench)
    decide(bench, table, "taken_back")
    close(bench, table, reason="supper")
    before = bench.game(table).numbers()
    assert decide(bench, table, "stands").numbers() == before
    with pytest.raises(Conflicting, match="closed"):
        issue(bench, table, Decision("no", "stands", "d1", overturns="r1"), by=By(JUDGE))
    reopen(bench, table, reason="appeal", by=By(JUDGE))
    assert decide(bench, table, "stands").numbers() == [1, 2, 3]
