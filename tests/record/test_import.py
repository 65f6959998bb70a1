"""Records from elsewhere: what they are called, whom they change, what they may cost."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

from answers.context import Caller, StoreContext
from answers.review.import_export import take_records
from referee.archive.record_files import read_record, record_lines
from referee.errors import Conflicting, Unfit
from referee.store import StoreError
from referee.table.openings import open_game
from referee.table.play import log
from referee.untrusted.safe_toml import read_toml_file
from replays.text_record import MAX_TEXT_BYTES, read_text
from tests.fuzz.mangling import forged
from tests.record.conftest import make_bench
from tests.waiting import no_toil


@pytest.fixture
def lines() -> list[bytes]:
    """A record of three entries."""
    bench = make_bench()
    game = open_game(bench, "pebbles", "table A B first A").game
    for line in ("A take 2", "B take 1"):
        log(bench, game.id, line)
    return list(record_lines(bench.store, game.id))


def bodies(lines: list[bytes]) -> list[dict[str, object]]:
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    "name",
    ["game-/../../../PWNED", "game-", "game-a b", "game-é", "game-..", "game-a/b", "game-$(id)"],
)
def test_a_record_whose_name_is_no_file_name_is_refused(lines: list[bytes], name: str) -> None:
    with pytest.raises(Unfit, match="bad_line"):
        read_record(forged(bodies(lines), stream=name))


HISTORIES = {"none": "", "begun": "12", "whole": "123", "other": "1b"}


@pytest.mark.parametrize("continues", [False, True])
@pytest.mark.parametrize("files", [*product(HISTORIES, repeat=2)], ids="-".join)
@pytest.mark.parametrize("here", HISTORIES)
def test_what_files_have_of_a_game_is_added_to_what_is_here_or_nothing_is(
    lines: list[bytes], here: str, files: tuple[str, ...], continues: bool
) -> None:
    """Two files of one game, in either order, beside a dict of histories."""
    row = dict(zip("123", lines, strict=True))
    first, second = bodies(lines[:2])
    row["b"] = forged([first, {**second, "by": "pmallory"}])[1]
    caller = Caller(StoreContext(make_bench().store))
    store = caller.store_context.store
    told = {name: [row[each] for each in history] for name, history in HISTORIES.items()}
    if here != "none":
        take_records(caller, [read_record(told[here])])
    brought = [read_record(told[name]) for name in files if name != "none"]
    (longest,) = sorted((HISTORIES[name] for name in (here, *files)), key=len)[-1:]
    refused = None
    if not all(longest.startswith(HISTORIES[name]) for name in (here, *files)):
        refused = "other_history"
    elif here != "none" and longest != HISTORIES[here] and not continues:
        refused = "would_continue"
    if refused is not None:
        with pytest.raises(Conflicting, match=refused):
            take_records(caller, brought, continues=continues)
        longest = HISTORIES[here]
    else:
        games = take_records(caller, brought, continues=continues).data.games
        new = len(longest) - len(HISTORIES[here])
        assert [game.new for game in games] == ([new] if brought else [])
    stored = [each.body for stream in store.streams() for each in store.read(stream)]
    assert stored == [row[each].strip() for each in longest]


def test_what_could_not_be_compared_is_said_when_it_is_taken_in(lines: list[bytes]) -> None:
    told = bodies(lines)
    told[0]["data"]["engine_version"] = "99.0"  # type: ignore[index]
    caller = Caller(StoreContext(make_bench().store))
    newer = take_records(caller, [read_record(forged(told))])
    warning, kept_apart = newer.warnings
    assert kept_apart.key == "import.kept_apart"
    assert "99.0" in caller.voice.spoken(warning)
    assert not take_records(Caller(StoreContext(make_bench().store)), [read_record(lines)]).warnings


@pytest.mark.parametrize("name", ["", "x" * 41, "\u200b"])
def test_nothing_is_stored_if_a_name_cannot_be(lines: list[bytes], name: str) -> None:
    caller = Caller(StoreContext(make_bench().store))
    record = read_record(lines)
    record.names["pabc"] = name
    with pytest.raises(StoreError, match="name_"):
        take_records(caller, [record])
    assert caller.store_context.store.streams() == ()


def test_several_records_are_stored_together_or_not_at_all(lines: list[bytes]) -> None:
    caller = Caller(StoreContext(make_bench().store))
    other = forged(bodies(lines), stream="game-other")
    bad = forged(bodies(lines), stream="game-bad", role="nobody")
    with pytest.raises(Unfit, match="not_proven"):
        take_records(caller, [read_record(lines), read_record(other), read_record(bad)])
    assert caller.store_context.store.streams() == ()
    take_records(caller, [read_record(lines), read_record(other)])
    assert len(caller.store_context.store.streams()) == 2


def test_a_text_without_end_is_refused_at_once() -> None:
    with pytest.raises(Unfit, match="too_long"):
        read_text(b'[Title "x"]\n' * (MAX_TEXT_BYTES // 10))


@pytest.mark.parametrize(
    "content",
    [
        "a." * 40_000 + "a = 1",
        "[" + "a." * 40_000 + "a]",
        '"a" . ' * 40_000 + "a = 1",
        "a = " + "[" * 60 + "]" * 60,
        "a = " + "9" * 5000,
        "a = " + "[" * 50_000,
    ],
    ids=["dotted", "heading", "quoted", "nested", "digits", "deep"],
)
def test_toml_that_would_make_us_toil_is_refused_at_once(tmp_path: Path, content: str) -> None:
    file = tmp_path / "kit.toml"
    file.write_text(content)
    with no_toil(700), pytest.raises(Unfit, match="bad_file"):
        read_toml_file(file)


def test_a_file_that_never_ends_is_too_large() -> None:
    with pytest.raises(Unfit, match="file_too_large"):
        read_toml_file("/dev/zero")


def test_words_with_dots_are_no_deep_keys(tmp_path: Path) -> None:
    file = tmp_path / "notes.toml"
    file.write_text('a = "well........................................ no"\nb.c.d = "1.2.3.4"\n')
    assert read_toml_file(file)["b"] == {"c": {"d": "1.2.3.4"}}
