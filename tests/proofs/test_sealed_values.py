"""Values sealed and opened: nothing shows before, nothing can change, and the game checks."""

from __future__ import annotations

import json
import random
import stat
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kernel import Finding, Moment, OpenedSeal, ParseError, evolve
from engines.kernel.dialogue.clause_text import because
from engines.kernel.registry import load_engine
from referee.errors import Conflicting, Misused, NotAllowed, NotFound, Unfit
from referee.proof.commitments import Keep, SaltedValue, open_value, seal_calls, seal_value
from referee.proof.verify import verify
from referee.record.claims import claims
from referee.record.entries import Disputed, SealedValue, Unsealed
from referee.table.author import SCRIBE, Author, By
from referee.table.bench import Bench
from referee.table.corrections import correct
from referee.table.openings import open_game
from referee.table.play import log
from replays.text_record import read_text, text_record
from tests import playing
from tests.games.bloody_grove_table import Habits, Table
from tests.playing import Game, play_on
from tests.record.conftest import make_bench
from tests.record.test_verify import rechained, rewritten

ROUND = {
    "round": 2,
    "turn": 1,
    "first": "A",
    "event": "gathering",
    "cursed": ["rg", "pd"],
    "players": {"A": {"bolts": 25, "cards": 4}, "B": {"cards": 4}, "C": {"cards": 4}},
}


@pytest.fixture
def keep(tmp_path: Path) -> Keep:
    return Keep(tmp_path / "secrets")


def seal(bench: Bench, game: str, keep: Keep, line: str, author: Author = SCRIBE) -> str:
    seat, what, *words = line.split()
    answer = seal_value(bench, game, keep, seat, what, words, by=By(author))
    made = answer.entries[0].data
    assert isinstance(made, SealedValue)
    return made.id


def unseal(bench: Bench, game: str, keep: Keep, seal_id: str, author: Author = SCRIBE) -> Unsealed:
    secret = keep.get(game, bench.game(game).seals[seal_id].digest)
    assert secret is not None
    opened = open_value(bench, game, seal_id, secret, by=By(author)).entries[0].data
    assert isinstance(opened, Unsealed)
    return opened


class TestSealing:
    def test_the_record_shows_nothing_before_the_opening(
        self, bench: Bench, table: str, keep: Keep
    ) -> None:
        made = seal(bench, table, keep, "A plan surprising-words")
        stored = b"".join(row.body for row in bench.store.read(table))
        assert b"surprising" not in stored
        salt = keep.get(table, bench.game(table).seals[made].digest).salt  # type: ignore[union-attr]
        assert salt.encode() not in stored
        opened = unseal(bench, table, keep, made)
        assert opened.value == ["surprising-words"]
        assert verify(table, bench.store.read(table)).ok

    def test_equal_secrets_do_not_look_equal(self, bench: Bench, table: str, keep: Keep) -> None:
        for _ in range(2):
            seal(bench, table, keep, "A plan same")
        assert len({sealed.digest for sealed in bench.game(table).seals.values()}) == 2

    def test_the_keep_is_its_owners_alone(self, bench: Bench, table: str, keep: Keep) -> None:
        seal(bench, table, keep, "A plan x")
        (file,) = keep.folder.glob("*.json")
        assert stat.S_IMODE(file.stat().st_mode) == 0o600

    def test_a_value_opened_wrongly_is_refused_and_nothing_recorded(
        self, bench: Bench, table: str, keep: Keep
    ) -> None:
        made = seal(bench, table, keep, "A plan x")
        kept = keep.get(table, bench.game(table).seals[made].digest)
        assert kept is not None
        before = bench.game(table).version
        for wrong in (
            SaltedValue(salt=kept.salt, words=("y",)),
            SaltedValue(salt=kept.salt, words=("x", "x")),
            SaltedValue(salt="00" * 16, words=kept.words),
        ):
            with pytest.raises(Unfit, match="seal_broken"):
                open_value(bench, table, made, wrong, by=By(SCRIBE))
        assert bench.game(table).version == before

    def test_nobody_can_seal_a_copy_of_anothers_seal(
        self, bench: Bench, table: str, keep: Keep
    ) -> None:
        made = seal(bench, table, keep, "A plan x")
        game = bench.game(table)
        copy = SealedValue(id="s2", seat="B", what="plan", digest=game.seals[made].digest)
        bench.tell(game, [copy], By(SCRIBE, None))
        kept = keep.get(table, copy.digest)
        unseal(bench, table, keep, made)
        assert kept is not None
        with pytest.raises(Unfit, match="seal_broken"):
            open_value(bench, table, "s2", kept, by=By(SCRIBE))

    def test_what_was_said_right_before_the_sealing_came_before_it(
        self, bench: Bench, table: str, keep: Keep, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[OpenedSeal[Any]] = []
        sealed = bench.game(table).engine.sealed
        monkeypatch.setitem(sealed, "plan", lambda opened, setting: asked.append(opened) or [])
        log(bench, table, "take 2")
        made = seal(bench, table, keep, "A plan x")
        log(bench, table, "take 1")
        unseal(bench, table, keep, made)
        assert [moment.number for moment in asked[-1].before] == [0, 1]
        assert [moment.number for moment in asked[-1].since] == [2]

    def test_a_forged_opening_in_the_record_is_found(
        self, bench: Bench, table: str, keep: Keep
    ) -> None:
        unseal(bench, table, keep, seal(bench, table, keep, "A plan x"))
        rows = list(bench.store.read(table))
        data = json.loads(rows[-1].body)["data"]
        forged = rechained([*rows[:-1], rewritten(rows[-1], data={**data, "value": ["y"]})])
        problem = verify(table, forged).problems[0]
        assert (problem.key, problem.seq) == ("cannot_follow", len(rows) - 1)
        assert problem.facts["problem"].key.endswith("seal_broken")

    def test_seats_speak_for_themselves(self, bench: Bench, table: str, keep: Keep) -> None:
        bo = Author("pbo", "seat:B")
        with pytest.raises(NotAllowed, match="own_seat_only"):
            seal(bench, table, keep, "A plan x", bo)
        made = seal(bench, table, keep, "A plan x", Author("pana", "seat:A"))
        with pytest.raises(NotAllowed, match="own_seat_only"):
            unseal(bench, table, keep, made, bo)

    def test_what_can_go_wrong(self, bench: Bench, table: str, keep: Keep) -> None:
        with pytest.raises(NotFound, match="no_such_seat"):
            seal(bench, table, keep, "C plan x")
        with pytest.raises(Misused, match="not_sealable"):
            seal(bench, table, keep, "A PLAN! x")
        made = seal(bench, table, keep, "A plan x")
        unseal(bench, table, keep, made)
        with pytest.raises(Conflicting, match="already_open"):
            unseal(bench, table, keep, made)
        with pytest.raises(NotFound, match="no_such_secret"):
            open_value(bench, table, "s9", SaltedValue(salt="00" * 16, words=("x",)), by=By(SCRIBE))


NUMBERS = st.lists(st.integers(1, 3), max_size=2, unique=True).map(tuple)
CALLS = st.lists(st.tuples(st.sampled_from(["finding", "stands", "seat"]), NUMBERS), max_size=4)
PROOFS = st.lists(st.tuples(st.sampled_from(["broken", "cleared"]), NUMBERS), max_size=4)


@given(CALLS, PROOFS)
def test_a_judge_is_called_for_each_breach_that_no_earlier_proof_is_about(
    calls: list[tuple[Any, tuple[int, ...]]], proofs: list[tuple[Any, tuple[int, ...]]]
) -> None:
    """However many calls and breaches there are: a proof about more actions tells this one too."""
    bench = make_bench()
    table = open_game(bench, "pebbles", "table A B first A").game.id
    disputes = {
        f"d{at}": Disputed(id=f"d{at}", numbers=numbers, cause=cause)
        for at, (cause, numbers) in enumerate(calls, 1)
    }
    game = evolve(log(bench, table, "take 2").game, disputes=disputes)
    findings = [Finding(status, "PEB-TAKE-1", numbers, {}) for status, numbers in proofs]
    told = [set(numbers) for cause, numbers in calls if cause == "finding"]
    due = [
        numbers or (1,)
        for status, numbers in proofs
        if status == "broken" and not (numbers and [one for one in told if one >= {*numbers}])
    ]
    seal = SealedValue(id="s1", seat="A", what="hand", digest="0" * 64)
    raised = seal_calls(game, seal, findings)
    assert [one.numbers for one in raised] == due
    assert [one.id for one in raised] == [f"d{len(calls) + at}" for at in range(1, len(due) + 1)]


class TestBroomServiceHands:
    """B says “next” to fw in turn 1; the sealed hand tells whether that was true."""

    @pytest.fixture
    def game(self, bench: Bench) -> str:
        game = open_game(
            bench, "broom_service", "table A=red B=blue C=green first A side front"
        ).game.id
        assert log(bench, game, f"position {json.dumps(ROUND)}").accepted
        return game

    def play(self, bench: Bench, game: str, lines: str) -> None:
        for line in bench.game(game).engine.notation.split(lines):
            assert log(bench, game, line).accepted, line

    def test_an_honest_hand_clears_the_pass(self, bench: Bench, game: str, keep: Keep) -> None:
        made = seal(bench, game, keep, "B hand pw hw mw vd")
        self.play(bench, game, "A fw brave; B next; C next")
        claim = claims(bench.game(game))[3, "BRM-FOL-2"]
        assert claim.status == "open"
        unseal(bench, game, keep, made)
        assert claims(bench.game(game))[3, "BRM-FOL-2"].status == "cleared"
        assert bench.game(game).open_disputes() == []
        assert verify(game, bench.store.read(game)).ok

    def test_a_false_pass_is_proven_and_disputed(self, bench: Bench, game: str, keep: Keep) -> None:
        made = seal(bench, game, keep, "B hand fw hw mw vd")
        self.play(bench, game, "A fw brave; B next; C next")
        opened = unseal(bench, game, keep, made)
        assert [(f.status, f.clause, f.entries) for f in opened.findings] == [
            ("broken", "BRM-FOL-2", (3,))
        ]
        (dispute,) = bench.game(game).open_disputes()
        assert (dispute.cause, dispute.clause, dispute.numbers) == ("finding", "BRM-FOL-2", (3,))
        assert verify(game, bench.store.read(game)).ok

    def test_what_was_proven_before_is_not_disputed_twice(
        self, bench: Bench, game: str, keep: Keep
    ) -> None:
        made = seal(bench, game, keep, "C hand fw fg hw mw")
        self.play(bench, game, "A fw brave; B fw brave; C next; B end")
        self.play(bench, game, "B fg brave; C fg brave; A next; C end; C lay fw")
        assert list(bench.game(game).disputes) == ["d1"]
        opened = unseal(bench, game, keep, made)
        assert [(f.status, f.entries) for f in opened.findings] == [("broken", (4,))]
        assert list(bench.game(game).disputes) == ["d1"]

    def test_a_card_that_was_not_in_the_hand(self, bench: Bench, game: str, keep: Keep) -> None:
        made = seal(bench, game, keep, "A hand hw mw vd wf")
        self.play(bench, game, "A fw brave")
        opened = unseal(bench, game, keep, made)
        assert [(f.clause, f.entries) for f in opened.findings] == [("BRM-RND-4", (2,))]

    def test_too_many_cards_or_two_of_a_kind(self, bench: Bench, game: str, keep: Keep) -> None:
        made = seal(bench, game, keep, "A hand hw hw mw vd wf")
        findings = unseal(bench, game, keep, made).findings
        assert [f.clause for f in findings] == ["BRM-RND-3", "BRM-SET-3"]
        assert [because(bench.game(game).engine, found, "en") for found in findings] == [
            "A has sealed 5 and taken 4",
            "named twice for A: hill witch",
        ]

    def test_a_hand_of_a_wrong_size_is_held_against_the_one_who_chose_it(
        self, bench: Bench, keep: Keep
    ) -> None:
        game = open_game(
            bench, "broom_service", "table A=red B=blue C=green first A side front"
        ).game.id
        clouds = (11, 22, 33, 21, 22, 32, 11, 21, 11, 22, 33, 11, 21, 10, 22, 11, 33, 22)
        laid = "; ".join(f"cloud c{place:02} h{face}" for place, face in enumerate(clouds, 1))
        self.play(bench, game, f"{laid}; event dangerous_places; cursed mw pd")
        self.play(bench, game, "A hand 4; B hand 4; C hand 4")
        made = seal(bench, game, keep, "A hand hw mw vd")
        (found,) = unseal(bench, game, keep, made).findings
        chosen = bench.game(game).step(found.entries[0]).action
        assert chosen is not None
        assert (chosen.verb, chosen.by) == ("hand", "A")

    def test_words_that_are_no_roles_are_not_sealed(
        self, bench: Bench, game: str, keep: Keep
    ) -> None:
        with pytest.raises(ParseError):
            seal(bench, game, keep, "A hand dragon")
        assert bench.game(game).seals == {}

    def test_a_correction_changes_what_the_opened_hand_proves(
        self, bench: Bench, game: str, keep: Keep
    ) -> None:
        made = seal(bench, game, keep, "A hand hw mw vd wf")
        self.play(bench, game, "A fw brave")
        unseal(bench, game, keep, made)
        correct(bench, game, 2, ["A hw brave"])
        assert bench.game(game).seal_findings(made) == ()

    def test_true_hands_are_never_found_false(self) -> None:
        engine = load_engine("broom_service")
        checked = 0
        for seed in range(4):
            rng = random.Random(seed)
            game = playing.open_game(
                engine,
                _board(
                    rng,
                    "table A=red B=blue C=green first A side back readings sealed_hands=yes",
                ),
            )
            for _ in play_on(game, rng, 250):
                pass
            for at, seat, hand in _hands(game):
                assert not [f for f in opened(game, "hand", seat, hand, at) if _broken(f)]
                checked += 1
        assert checked > 20


def _board(rng: random.Random, opening: str) -> list[str]:
    from tests.games.broom_service import board

    return [opening, *board("back", rng)]


def _hands(game: Game) -> list[tuple[int, str, tuple[str, ...]]]:
    """Where a hand was chosen, and what it was."""
    return [
        (at, str(judgement.action.by), judgement.state.players[judgement.action.by].hand.sealed)
        for at, judgement in enumerate(game.judgements)
        if judgement.action.verb == "hand"
        and judgement.state.players[judgement.action.by].hand.sealed is not None
    ]


def _broken(finding: Finding) -> bool:
    return finding.status == "broken"


def opened(game: Game, what: str, seat: str, words: Sequence[str], at: int) -> list[Finding]:
    """What the engine says of a value sealed after so many actions, opened at the end."""
    moments: tuple[Moment[Any], ...] = tuple(
        Moment(number, judgement.action, judgement.state)
        for number, judgement in enumerate(game.judgements)
    )
    value = OpenedSeal(seat, tuple(words), moments[: at + 1], moments[at + 1 :])
    return game.engine.sealed[what](value, game.setting)


class TestBloodyGrove:
    """Real tables: what was really in the hands and under the tokens is known."""

    @staticmethod
    def played(seed: int) -> tuple[Table, Game]:
        engine = load_engine("bloody_grove")
        kit = engine.read_kit(engine.kit_sheet(None))
        table = Table(kit, random.Random(f"sealed {seed}"), Habits()).play()
        return table, playing.open_game(engine, table.lines)

    def test_true_hands_are_never_found_false(self) -> None:
        for seed in range(3):
            table, game = self.played(seed)
            for at in range(20, len(game.judgements), 15):
                for seat in "AB":
                    hand = table.truths[at][seat][0]
                    assert opened(game, "hand", seat, hand, at)[0].status == "cleared", (seed, at)

    def test_a_hand_without_the_card_played_next_is_false(self) -> None:
        found = 0
        for seed in range(3):
            table, game = self.played(seed)
            for at, judgement in enumerate(game.judgements[1:], start=1):
                action = judgement.action
                hand = table.truths[at - 1].get(action.by or "", ([], []))[0]
                if action.verb != "invoke" or action.face not in hand:  # type: ignore[attr-defined]
                    continue
                seat, face = str(action.by), action.face  # type: ignore[attr-defined]
                deck = table.truths[at - 1][seat][1]
                if not deck:
                    continue
                false = [deck[-1] if card == face else card for card in hand]
                (finding,) = opened(game, "hand", seat, false, at - 1)
                assert _broken(finding)
                assert finding.entries in ((at,), ())
                found += 1
        assert found > 20

    def test_too_few_or_impossible_cards_are_false(self) -> None:
        table, game = self.played(0)
        at = next(at for at, truth in enumerate(table.truths) if len(truth["A"][0]) > 2)
        hand = table.truths[at]["A"][0]
        assert _broken(opened(game, "hand", "A", hand[1:], at)[0])
        with pytest.raises(ParseError):
            opened(game, "hand", "A", ["X9", *hand[1:]], at)

    def test_looks_are_compared_with_what_is_turned_up(self) -> None:
        told = {"cleared": 0, "broken": 0}
        for seed in range(4):
            _, game = self.played(seed)
            shown = {
                j.action.token: j.action.value  # type: ignore[attr-defined]
                for j in game.judgements
                if j.action.verb == "reveal"
            }
            for at, judgement in enumerate(game.judgements):
                action = judgement.action
                if action.verb != "look" or action.token not in shown:  # type: ignore[attr-defined]
                    continue
                token, seat = action.token, str(action.by)  # type: ignore[attr-defined]
                for value in ("2", "3", "4"):
                    (finding,) = opened(game, "look", seat, [token, value], at)
                    assert (finding.status == "cleared") == (value == shown[token])
                    assert finding.entries == (at,)
                    told[finding.status] += 1
        assert min(told.values()) > 0

    def test_a_look_that_never_was_is_false(self) -> None:
        _, game = self.played(0)
        last = len(game.judgements) - 1
        unseen = next(
            f"t{n}"
            for n in range(1, 30)
            if not any(
                j.action.verb == "look" and j.action.token == f"t{n}"  # type: ignore[attr-defined]
                for j in game.judgements
            )
        )
        assert _broken(opened(game, "look", "A", [unseen, "2"], last)[0])
        with pytest.raises(ParseError):
            opened(game, "look", "A", ["t1"], last)
        with pytest.raises(ParseError):
            opened(game, "look", "A", ["t1", "many"], last)


def test_secrets_sealed_at_the_same_moment_are_all_kept(keep: Keep) -> None:
    def put(number: int) -> None:
        Keep(keep.folder).put(
            "game-1", f"{number:064x}", SaltedValue(salt="0" * 32, words=("hello",))
        )

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(put, range(40)))
    assert all(keep.get("game-1", f"{number:064x}") is not None for number in range(40))


def test_secrets_stay_in_their_folder_whatever_the_game_is_called(keep: Keep) -> None:
    keep.put("game-/../../elsewhere", "0" * 64, SaltedValue(salt="0" * 32, words=("hello",)))
    assert keep.get("game-/../../elsewhere", "0" * 64) is not None
    assert {file.parent for file in keep.folder.parent.rglob("*.json")} == {keep.folder}


def test_a_record_with_an_opened_seal_reads_back_from_its_text(
    bench: Bench, table: str, keep: Keep
) -> None:
    sealed = seal(bench, table, keep, "A note hello")
    unseal(bench, table, keep, sealed)
    game = bench.game(table)
    assert read_text(text_record(game, {}).encode()).rows == list(bench.store.read(table))
