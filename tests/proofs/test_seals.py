"""A seal over all games of a round."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.errors import Unfit
from referee.proof.keys import KeyRing
from referee.proof.round_seals import RoundSeal, check_seal, make_seal, read_seal, root_of
from referee.store.envelopes import Stored
from referee.store.event_store import Store
from referee.table.bench import Bench
from referee.table.openings import open_game
from referee.table.play import log
from tests.record.test_verify import rechained, rewritten

AT = "2026-01-01T15:00:00.000Z"


class Copy:
    """A store in which some games were tampered with."""

    def __init__(self, store: Store, **games: Sequence[Stored]) -> None:
        self.store, self.games = store, {name.replace("_", "-"): r for name, r in games.items()}

    def read(self, stream: str) -> Sequence[Stored]:
        return self.games.get(stream, self.store.read(stream))


@pytest.fixture
def games(bench: Bench) -> list[str]:
    ids = [open_game(bench, "pebbles", "table A B first A").game.id for _ in range(3)]
    for game in ids:
        log(bench, game, "take 2")
    return ids


@pytest.fixture
def seal(bench: Bench, games: list[str], ring: KeyRing) -> RoundSeal:
    ring.new("club")
    return make_seal(bench.store, games, "Round 1", AT, ring, "club")


def problems(store: object, seal: RoundSeal, ring: KeyRing) -> list[tuple[str, str]]:
    return [(p.game, p.key) for p in check_seal(store, seal, ring.trusted())]  # type: ignore[arg-type]


def test_a_round_that_was_not_touched_is_whole(
    bench: Bench, seal: RoundSeal, ring: KeyRing
) -> None:
    assert problems(bench.store, seal, ring) == []
    assert read_seal(seal.model_dump(mode="json")) == seal


def test_games_may_go_on_after_the_seal(
    bench: Bench, games: list[str], seal: RoundSeal, ring: KeyRing
) -> None:
    log(bench, games[0], "take 1")
    assert problems(bench.store, seal, ring) == []


def test_the_order_of_the_games_does_not_matter(
    bench: Bench, games: list[str], seal: RoundSeal
) -> None:
    again = make_seal(bench.store, [*reversed(games), games[0]], "Round 1", AT)
    assert again.root == seal.root == root_of(reversed(seal.games))


def test_changes_are_found_game_by_game(
    bench: Bench, games: list[str], seal: RoundSeal, ring: KeyRing
) -> None:
    rows = [list(bench.store.read(game)) for game in games]
    store = Copy(
        bench.store,
        **{
            games[0].replace("-", "_"): rechained([rewritten(rows[0][0], by="px"), rows[0][1]]),
            games[1].replace("-", "_"): rows[1][:1],
            games[2].replace("-", "_"): [],
        },
    )
    assert problems(store, seal, ring) == [
        (games[0], "rewritten"),
        (games[1], "cut_off"),
        (games[2], "missing"),
    ]


def test_an_edited_seal_is_found(bench: Bench, seal: RoundSeal, ring: KeyRing) -> None:
    fewer = seal.model_copy(update={"games": seal.games[1:]})
    assert problems(bench.store, fewer, ring) == [("", "root_wrong")]
    consistent = fewer.model_copy(update={"root": root_of(fewer.games)})
    assert problems(bench.store, consistent, ring) == [("", "signature_wrong")]
    for change in ({"title": "Round 2"}, {"at": "2026-01-02T15:00:00.000Z"}):
        edited = seal.model_copy(update=change)
        assert problems(bench.store, edited, ring) == [("", "signature_wrong")]


def test_whose_seal_it_is(bench: Bench, games: list[str], seal: RoundSeal, ring: KeyRing) -> None:
    unknown = check_seal(bench.store, seal, {})
    assert [(p.key, p.breaks) for p in unknown] == [("signature_unknown", False)]
    unsigned = make_seal(bench.store, games, "Round 1", AT)
    found = check_seal(bench.store, unsigned, ring.trusted())
    assert [(p.key, p.breaks) for p in found] == [("unsigned", False)]
    ring.revoke("club", "2026-01-01T14:00:00.000Z", "stolen")
    assert problems(bench.store, seal, ring) == [("", "signature_revoked")]


def test_a_key_revoked_later_leaves_the_seal_whole_but_in_doubt(
    bench: Bench, seal: RoundSeal, ring: KeyRing
) -> None:
    """Whoever has stolen the key can date a seal as they like."""
    ring.revoke("club", "2026-01-01T16:00:00.000Z", "stolen")
    (doubt,) = check_seal(bench.store, seal, ring.trusted())
    assert (doubt.key, doubt.breaks) == ("signature_in_doubt", False)


def test_there_must_be_something_to_seal(bench: Bench) -> None:
    for streams in ([], ["game-nowhere"]):
        with pytest.raises(Unfit, match="nothing_to_seal"):
            make_seal(bench.store, streams, "Round 1", AT)


@pytest.mark.parametrize(
    "change",
    [{"games": []}, {"root": "x"}, {"title": "\x1b[2J"}, {"more": 1}, {"games": [{"game": "x"}]}],
)
def test_hostile_seal_files_are_refused(seal: RoundSeal, change: dict[str, object]) -> None:
    with pytest.raises(Unfit, match="bad_file"):
        read_seal({**seal.model_dump(mode="json"), **change})
