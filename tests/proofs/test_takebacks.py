"""Fair take-backs: a preset says past what only a judge goes back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.problems import kind_of
from engines.kernel.registry import load_engine
from referee.errors import NotAllowed
from referee.proof.commitments import Keep, open_value, seal_value
from referee.record.entries import Barrier
from referee.table.author import JUDGE, SCRIBE, Author, By
from referee.table.bench import Bench
from referee.table.corrections import correct, redo, undo
from referee.table.openings import open_game
from referee.table.play import log
from referee.table.takeback_barriers import check_take_back
from schemas.build import shipped_games
from tests.cli.transcripts import run
from tests.record.conftest import make_bench

ANA, BO = Author("pana", "seat:A"), Author("pbo", "seat:B")
SETUP = (
    "forest S1A S2A",
    "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal / "
    "hoard convert_1",
)


def table(barriers: Sequence[Barrier], lines: str = "take 2; take 1") -> tuple[Bench, str]:
    bench = make_bench()
    game = open_game(bench, "pebbles", "table A B first A", take_backs_need_judge=barriers).game.id
    for line in lines.split(";"):
        assert log(bench, game, line.strip()).accepted
    return bench, game


def refused(bench: Bench, game: str, author: Author, count: int = 1) -> str:
    before = bench.game(game).version
    with pytest.raises(NotAllowed) as error:
        undo(bench, game, count, by=By(author))
    assert kind_of(error.value) == "role"
    assert error.value.key == "take_back_needs_judge"
    assert set(error.value.facts) == {"barrier", "role"}
    assert bench.game(game).version == before
    return str(error.value.facts["barrier"])


def test_without_a_preset_the_scribe_takes_back_all_and_a_seat_its_own_last_action() -> None:
    bench, game = table(())
    for author, count in ((ANA, 1), (ANA, 2), (BO, 2)):
        with pytest.raises(NotAllowed, match=r"own_seat_only|role_may_not"):
            undo(bench, game, count, by=By(author))
    undo(bench, game, by=By(BO))
    redo(bench, game, by=By(BO))
    undo(bench, game, 2, by=By(SCRIBE))
    assert bench.game(game).numbers() == []


class TestAnotherSeatsDecision:
    def test_a_seat_takes_back_its_own(self) -> None:
        bench, game = table(["other_seat"])
        assert refused(bench, game, ANA) == "other_seat"
        undo(bench, game, by=By(BO))
        undo(bench, game, by=By(ANA))
        assert bench.game(game).numbers() == []

    def test_nobody_goes_past_the_other(self) -> None:
        bench, game = table(["other_seat"])
        for author in (SCRIBE, ANA, BO):
            assert refused(bench, game, author, 2) == "other_seat"
        undo(bench, game, 2, by=By(JUDGE))

    def test_a_scribe_may_correct_the_last_slip(self) -> None:
        bench, game = table(["other_seat"])
        undo(bench, game, by=By(SCRIBE))

    def test_corrections_go_back_too(self) -> None:
        bench, game = table(["other_seat"])
        correct(bench, game, 2, ["take 3"], by=By(SCRIBE))
        for dry_run in (True, False):
            with pytest.raises(NotAllowed, match="take_back_needs_judge"):
                correct(bench, game, 1, ["take 3"], by=By(SCRIBE), dry_run=dry_run)
            with pytest.raises(NotAllowed, match="take_back_needs_judge"):
                correct(bench, game, 0, ["table A B first B"], by=By(SCRIBE), dry_run=dry_run)
        correct(bench, game, 1, ["take 3"], by=By(JUDGE))

    def test_what_a_judges_correction_left_pending_the_table_may_keep(self) -> None:
        bench, game = table(["other_seat"], "take 2; take 3; take 1")
        correct(bench, game, 1, ["take 3"], by=By(JUDGE))
        pending = bench.game(game).pending
        assert pending
        number = pending[0].number
        assert number is not None
        correct(bench, game, number, remove=0, keep=[number], by=By(SCRIBE))


class TestObservations:
    def test_a_reveal_is_a_barrier(self) -> None:
        bench = make_bench()
        opened = open_game(
            bench, "benevolent", "table A=blue B=red first A", take_backs_need_judge=["observation"]
        )
        game = opened.game.id
        for line in SETUP:
            assert log(bench, game, line).accepted
        log(bench, game, "A step c1")
        undo(bench, game, by=By(ANA))
        assert refused(bench, game, SCRIBE) == "observation"
        undo(bench, game, by=By(JUDGE))

    def test_other_seats_are_no_barrier_then(self) -> None:
        bench, game = table(["observation"])
        undo(bench, game, 2, by=By(SCRIBE))

    def test_a_sealed_value_that_was_opened_is_one_too(self, tmp_path: Path) -> None:
        bench, game = table(["observation"], "take 2")
        keep = Keep(tmp_path)
        seal_value(bench, game, keep, "A", "plan", ["x"], by=By(SCRIBE))
        undo(bench, game, by=By(SCRIBE))
        redo(bench, game, by=By(SCRIBE))
        secret = keep.get(game, bench.game(game).seals["s1"].digest)
        assert secret is not None
        open_value(bench, game, "s1", secret, by=By(SCRIBE))
        assert refused(bench, game, SCRIBE) == "observation"
        log(bench, game, "take 1")
        undo(bench, game, by=By(SCRIBE))


PRESETS: list[list[Barrier]] = [[], ["observation"], ["other_seat"], ["other_seat", "observation"]]


@given(st.sampled_from(PRESETS), st.lists(st.sampled_from(["take", "open"]), max_size=7))
def test_past_a_reveal_or_anothers_decision_only_a_judge_goes_back_however_far(
    barriers: list[Barrier], told: list[str]
) -> None:
    """Beside a plain list of what happened: who took, and when a sealed value was opened."""
    bench, game = table(barriers, "take 2")
    happened = ["A"]
    with TemporaryDirectory() as folder:
        keep = Keep(Path(folder))
        for step in told:
            if step == "take":
                turn = sum(each != "reveal" for each in happened)
                assert log(bench, game, f"take {1 + (turn + 1) % 2}").accepted
                happened.append("AB"[turn % 2])
                continue
            seal_value(bench, game, keep, "A", "plan", ["x"], by=By(SCRIBE))
            name, seal = next(reversed(bench.game(game).seals.items()))
            secret = keep.get(game, seal.digest)
            assert secret is not None
            open_value(bench, game, name, secret, by=By(SCRIBE))
            happened.append("reveal")
    record = bench.game(game)
    taken = [at for at, each in enumerate(happened) if each != "reveal"]
    for count, author in product(range(1, len(taken) + 1), (SCRIBE, ANA, BO, JUDGE)):
        since = happened[taken[-count] :]
        own = author.seat or since[0]
        stopped = {
            "observation": "reveal" in since,
            "other_seat": any(each not in ("reveal", own) for each in since),
        }
        expected = [each for each in barriers if stopped[each] and author is not JUDGE]
        found = []
        try:
            check_take_back(record, record.numbers()[-count], author)
        except NotAllowed as error:
            found = [error.facts["barrier"]]
        assert found == expected[:1], (happened, count, author.role)


@pytest.mark.parametrize("game", shipped_games())
def test_every_game_says_what_is_observed(game: str) -> None:
    engine = load_engine(game)
    observed = {action.verb_of() for action in engine.actions if action.observes}
    assert observed
    assert observed < {action.verb_of() for action in engine.actions}


def test_a_preset_says_so(newcomer: Path) -> None:
    (newcomer / "club.toml").write_text(
        'game = "benevolent"\nname = "Club"\ntake_backs_need_judge = ["observation"]\n'
    )
    run("referee -q new benevolent A=blue B=red first A --preset club.toml")
    run('referee -q log "forest S1A S2A"')
    assert "a draw or reveal" in run("referee info")[0]
    out, code = run("referee undo --as Ana:seat:A")
    assert code == 8
    assert "a draw or reveal" in out
    assert "S1A" not in out
    out, code = run("referee undo --as Ana:seat:A --lang fr")
    assert "une pioche ou une révélation" in out
    assert run("referee undo --as Jo:judge")[1] == 0
