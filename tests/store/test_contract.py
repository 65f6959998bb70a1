"""What every store promises, whatever keeps its entries."""

from __future__ import annotations

import json
import threading
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.store import (
    GENESIS,
    Conflict,
    Draft,
    KeyReused,
    NotCanonical,
    Store,
    Stored,
    StoreError,
    digest,
    open_store,
)
from referee.store.event_store import LARGEST_BODY
from referee.store.hash_chain import find_break
from tests.store.writers import SIGNED, batch, draft
from tests.waiting import ended


def put(store: Store, stream: str, *keys: str, after: int = -1) -> tuple[Stored, ...]:
    drafts = [draft(index, key) for index, key in enumerate(keys)]
    return store.append(stream, drafts, expected=after, **SIGNED)


def body_of(entry: Stored) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(entry.body)
    return body


def test_entry_holds_who_when_what_and_what_came_before(store: Store) -> None:
    first, second = put(store, "game-1", "a", "b")
    assert body_of(first) == {
        "f": 1,
        "stream": "game-1",
        "seq": 0,
        "kind": "logged",
        "schema": 1,
        "key": "a",
        "at": SIGNED["at"],
        "by": SIGNED["by"],
        "role": SIGNED["role"],
        "prev": GENESIS,
        "data": {"number": 0, "text": "step b2"},
    }
    assert body_of(second)["prev"] == first.head == digest(first.body)
    assert second.topic == "logged@1"


def test_what_append_answers_is_what_read_gives(store: Store) -> None:
    answered = put(store, "game-1", "a", "b") + put(store, "game-1", "c", after=1)
    assert store.read("game-1") == answered
    assert store.read("game-1", after=1) == answered[2:]
    assert store.read("game-1", after=2) == ()
    assert store.read("game-9") == ()


def test_chain_goes_on_through_batches(store: Store) -> None:
    put(store, "game-1", "a", "b", "c")
    put(store, "game-1", "d", after=2)
    put(store, "game-1", "e", "f", after=3)
    assert find_break("game-1", store.read("game-1")) is None


def test_chain_goes_on_from_an_entry_that_another_wrote(shared_url: str) -> None:
    one, other = open_store(shared_url), open_store(shared_url)
    put(one, "game-1", "a")
    put(other, "game-1", "b", after=0)
    put(one, "game-1", "c", after=1)
    assert find_break("game-1", one.read("game-1")) is None
    one.close()
    other.close()


def test_streams_do_not_touch_each_other(store: Store) -> None:
    put(store, "game-1", "a", "b")
    put(store, "game-2", "a")
    assert [entry.seq for entry in store.read("game-2")] == [0]
    assert body_of(store.read("game-2")[0])["prev"] == GENESIS


def test_conflict_tells_what_was_missed(store: Store) -> None:
    put(store, "game-1", "a")
    missed = put(store, "game-1", "b", "c", after=0)
    with pytest.raises(Conflict) as caught:
        put(store, "game-1", "late", after=0)
    conflict = caught.value
    assert (conflict.stream, conflict.expected, conflict.actual) == ("game-1", 0, 2)
    assert conflict.missed == missed
    assert len(store.read("game-1")) == 3


def test_new_stream_that_exists_is_a_conflict(store: Store) -> None:
    there = put(store, "game-1", "a")
    with pytest.raises(Conflict) as caught:
        put(store, "game-1", "b")
    assert caught.value.missed == there


@pytest.mark.parametrize("expected", [0, 1, 5])
def test_an_entry_that_does_not_exist_cannot_be_followed(store: Store, expected: int) -> None:
    with pytest.raises(Conflict) as caught:
        put(store, "game-1", "a", after=expected)
    assert caught.value.actual == -1
    put(store, "game-1", "a")
    if expected:
        with pytest.raises(Conflict) as caught:
            put(store, "game-1", "b", after=expected)
        assert (caught.value.actual, caught.value.missed) == (0, ())
    assert len(store.read("game-1")) == 1


@pytest.mark.parametrize("expected", [0, 1, 2, 7])
def test_lost_reply_is_answered_with_what_is_stored(store: Store, expected: int) -> None:
    """The scribe repeats a request, knowing the record or not, after others went on."""
    put(store, "game-1", "a")
    stored = put(store, "game-1", "b", "c", after=0)
    again = [draft(0, "b"), draft(1, "c")]
    later = {**SIGNED, "at": "2025-01-01T12:00:09.000Z"}
    assert store.append("game-1", again, expected=expected, **later) == stored
    put(store, "game-1", "d", after=2)
    assert store.append("game-1", again, expected=expected, **later) == stored
    assert len(store.read("game-1")) == 4


@pytest.mark.parametrize("expected", [-1, 0])
@pytest.mark.parametrize(
    ("kind", "schema", "data", "signed"),
    [
        ("logged", 1, {"number": 8}, {}),
        ("noted", 1, {"number": 7}, {}),
        ("logged", 2, {"number": 7}, {}),
        ("logged", 1, {"number": 7}, {"by": "pother"}),
        ("logged", 1, {"number": 7}, {"role": "judge"}),
    ],
)
def test_key_stands_for_one_request(
    store: Store,
    expected: int,
    kind: str,
    schema: int,
    data: dict[str, Any],
    signed: dict[str, str],
) -> None:
    (stored,) = store.append(
        "game-1", [Draft("logged", 1, {"number": 7}, "k")], expected=-1, **SIGNED
    )
    with pytest.raises(KeyReused) as caught:
        store.append(
            "game-1", [Draft(kind, schema, data, "k")], expected=expected, **{**SIGNED, **signed}
        )
    assert (caught.value.key, caught.value.stored) == ("k", stored)
    assert store.read("game-1") == (stored,)


def test_batch_that_is_half_known_is_refused(store: Store) -> None:
    put(store, "game-1", "a")
    with pytest.raises(KeyReused):
        store.append("game-1", [draft(0, "a"), draft(1, "new")], expected=0, **SIGNED)
    with pytest.raises(KeyReused):
        store.append("game-1", [draft(1, "new"), draft(0, "a")], expected=0, **SIGNED)
    assert len(store.read("game-1")) == 1


def test_keys_are_known_per_stream(store: Store) -> None:
    put(store, "game-1", "k")
    put(store, "game-2", "k")
    assert store.streams() == ("game-1", "game-2")


def test_batch_is_stored_whole_or_not_at_all(store: Store) -> None:
    put(store, "game-1", "a")
    bad = Draft("logged", 1, {"number": 0.5}, "c")
    with pytest.raises(NotCanonical):
        store.append("game-1", [draft(0, "b"), bad], expected=0, **SIGNED)
    assert len(store.read("game-1")) == 1
    put(store, "game-1", "b", after=0)


@pytest.mark.parametrize(
    ("stream", "drafts", "expected"),
    [
        ("", [draft(0, "k")], -1),
        ("game 1", [draft(0, "k")], -1),
        ("partie-é", [draft(0, "k")], -1),
        ("x" * 201, [draft(0, "k")], -1),
        ("game-1", [], -1),
        ("game-1", [draft(0, "k")], -2),
        ("game-1", [draft(0, "")], -1),
        ("game-1", [draft(0, "k\n")], -1),
        ("game-1", [draft(0, "k"), draft(1, "k")], -1),
        ("game-1", [Draft("logged@2", 1, {}, "k")], -1),
        ("game-1", [Draft("logged", 0, {}, "k")], -1),
    ],
)
def test_malformed_requests_are_refused(
    store: Store, stream: str, drafts: list[Draft], expected: int
) -> None:
    with pytest.raises(ValueError):
        store.append(stream, drafts, expected=expected, **SIGNED)
    assert store.streams() == ()


def test_entry_has_a_largest_size(store: Store) -> None:
    with pytest.raises(StoreError) as caught:
        store.append("game-1", [draft(0, "k", note="x" * LARGEST_BODY)], expected=-1, **SIGNED)
    assert caught.value.key == "too_large"
    store.append("game-1", [draft(0, "k", note="x" * (LARGEST_BODY // 2))], expected=-1, **SIGNED)


def test_streams_by_prefix(store: Store) -> None:
    for stream in ("game-2", "tour-1", "game-10", "game", "game_1", "game%"):
        put(store, stream, "k", "l")
    assert store.streams() == ("game", "game%", "game-10", "game-2", "game_1", "tour-1")
    assert store.streams("game-") == ("game-10", "game-2")
    assert store.streams("game%") == ("game%",)
    assert store.streams("game_") == ("game_1",)
    assert store.streams("u") == ()


def test_follow_gives_all_streams_in_order_without_gaps(store: Store) -> None:
    put(store, "game-1", "a", "b")
    put(store, "game-2", "a")
    with pytest.raises(Conflict):
        put(store, "game-1", "late", after=0)
    put(store, "game-1", "c", after=1)
    followed = store.follow()
    assert [number for number, _ in followed] == [1, 2, 3, 4]
    assert [(entry.stream, entry.seq) for _, entry in followed] == [
        ("game-1", 0),
        ("game-1", 1),
        ("game-2", 0),
        ("game-1", 2),
    ]
    assert store.follow(1, limit=2) == followed[1:3]
    assert store.follow(4) == ()
    assert store.position() == 4


def test_empty_store(store: Store) -> None:
    assert (store.streams(), store.follow(), store.position()) == ((), (), 0)


def test_adopted_entries_keep_every_byte(store: Store) -> None:
    elsewhere = open_store("memory:")
    entries = put(elsewhere, "game-1", "a", "b", "c")
    store.adopt(entries[:2])
    store.adopt(entries[2:])
    assert store.read("game-1") == entries
    store.adopt(entries)
    assert store.read("game-1") == entries
    put(store, "game-1", "d", after=2)
    assert find_break("game-1", store.read("game-1")) is None


def test_only_what_continues_the_stream_is_adopted(store: Store) -> None:
    elsewhere = open_store("memory:")
    entries = put(elsewhere, "game-1", "a", "b", "c")
    with pytest.raises(Conflict) as caught:
        store.adopt(entries[1:])
    assert (caught.value.expected, caught.value.actual) == (0, -1)
    mine = put(store, "game-1", "mine")
    with pytest.raises(Conflict) as caught:
        store.adopt(entries)
    assert caught.value.missed == mine
    with pytest.raises(StoreError) as refused:
        store.adopt(entries[1:])
    assert (refused.value.key, refused.value.facts["seq"]) == ("broken_chain", 1)
    assert store.read("game-1") == mine


def test_what_is_adopted_is_there_whole_or_nothing_changes(store: Store) -> None:
    """Whatever part of a record is here, and whatever part of it comes."""
    length, elsewhere = 4, open_store("memory:")
    for here, first, end in product(range(length + 1), range(length), range(1, length + 1)):
        if first >= end:
            continue
        stream = f"game-{here}-{first}-{end}"
        entries = put(elsewhere, stream, *"abcd")
        if here:
            store.adopt(entries[:here])
        try:
            store.adopt(entries[first:end])
        except Conflict:
            assert first != here < end, stream
            assert store.read(stream) == entries[:here]
        else:
            assert first <= here, stream
            assert store.read(stream) == entries[: max(here, end)]


def test_a_log_is_continued_with_entries_of_many_streams(store: Store) -> None:
    elsewhere = open_store("memory:")
    put(elsewhere, "game-1", "a", "b")
    put(elsewhere, "game-2", "a")
    put(elsewhere, "game-1", "c", after=1)
    put(elsewhere, "game-2", "b", "c", after=0)
    log = [entry for _, entry in elsewhere.follow()]
    store.continue_log(1, log[:3])
    store.continue_log(4, log[3:])
    assert store.follow() == elsewhere.follow()
    put(store, "game-2", "d", after=2)


@pytest.mark.parametrize("number", [1, 3])
def test_a_log_goes_on_at_its_next_number_only(store: Store, number: int) -> None:
    elsewhere = open_store("memory:")
    first, second = put(elsewhere, "game-1", "a"), put(elsewhere, "game-2", "a")
    store.continue_log(1, first)
    with pytest.raises(StoreError) as caught:
        store.continue_log(number, second)
    assert (caught.value.key, caught.value.facts) == ("diverged", {"number": number})
    assert store.position() == 1
    store.continue_log(2, second)


def test_a_log_is_continued_whole_or_not_at_all(store: Store) -> None:
    elsewhere = open_store("memory:")
    log = [*put(elsewhere, "game-1", "a"), *put(elsewhere, "game-2", "a")]
    log += put(elsewhere, "game-1", "b", after=0)
    put(store, "game-2", "mine")
    for wrong in ([log[0], log[2], log[1]], [log[0], log[0]], [log[2]]):
        with pytest.raises(StoreError):
            store.continue_log(2, wrong)
    assert store.streams() == ("game-2",)
    assert store.position() == 1


@pytest.mark.parametrize("name", ["", "game 1", "game\0", "é", "x" * 201, "\ud800"])
def test_a_name_that_no_stream_can_have_names_an_empty_one(store: Store, name: str) -> None:
    put(store, "game-1", "a")
    assert store.read(name) == ()
    if name:
        assert store.streams(name) == ()


def forged(**changes: Any) -> Stored:
    body = {
        "f": 1,
        "stream": "game-1",
        "seq": 0,
        "kind": "logged",
        "schema": 1,
        "key": "k",
        "prev": GENESIS,
        "data": {},
        **SIGNED,
        **changes,
    }
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    topic = f"{body['kind']}@{body['schema']}"
    return Stored("game-1", 0, topic, text.encode(errors="surrogatepass"))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"f": 2}, "not_an_entry"),
        ({"f": True}, "not_an_entry"),
        ({"data": []}, "not_an_entry"),
        ({"by": 7}, "not_an_entry"),
        ({"extra": 1}, "not_an_entry"),
        ({"key": ""}, "not_an_entry"),
        ({"key": "k\n"}, "not_an_entry"),
        ({"kind": "Logged"}, "not_an_entry"),
        ({"schema": 0}, "not_an_entry"),
        ({"schema": "1"}, "not_an_entry"),
        ({"data": {"a": 0.5}}, "not_canonical"),
        ({"data": {"a": float("nan")}}, "not_canonical"),
        ({"data": {"a": "\ud800"}}, "not_canonical"),
        ({"data": {"é": 1}}, "not_canonical"),
        ({"stream": "game-2"}, "misplaced"),
        ({"seq": 1}, "misplaced"),
        ({"prev": "0"}, "broken_chain"),
        ({"data": {"a": "x" * LARGEST_BODY}}, "too_large"),
    ],
)
def test_forged_entries_are_not_adopted(store: Store, changes: dict[str, Any], code: str) -> None:
    with pytest.raises(StoreError) as caught:
        store.adopt([forged(**changes)])
    assert caught.value.key == code
    assert store.streams() == ()
    store.adopt([forged()])


def test_threads_share_a_store(store: Store) -> None:
    def write(name: str) -> None:
        last = -1
        for number in range(25):
            last = put(store, name, str(number), after=last)[0].seq
            store.read(name)

    threads = [threading.Thread(target=write, args=(f"game-{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    ended(*threads)
    assert [len(store.read(f"game-{n}")) for n in range(6)] == [25] * 6
    assert [number for number, _ in store.follow()] == list(range(1, 151))


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(sizes=st.lists(st.integers(1, 4), min_size=1, max_size=6), data=st.data())
def test_any_interleaving_with_repeats_gives_each_request_once(
    sizes: list[int], data: st.DataObject
) -> None:
    """Requests, each perhaps sent again at any later time, with any idea of the record."""
    store = open_store("memory:")
    answers: list[tuple[Stored, ...]] = []
    last = -1
    for number, size in enumerate(sizes):
        answers.append(store.append("game-1", batch(str(number), size), expected=last, **SIGNED))
        last = answers[-1][-1].seq
        repeated = data.draw(st.integers(0, number))
        seen = data.draw(st.integers(-1, last + 2))
        request = batch(str(repeated), sizes[repeated])
        assert store.append("game-1", request, expected=seen, **SIGNED) == answers[repeated]
    assert store.read("game-1") == tuple(entry for answer in answers for entry in answer)


def test_every_entry_is_found_by_its_number(store: Store) -> None:
    put(store, "game-1", "a", "b", "c")
    put(store, "game-2", "d")
    entries = store.read("game-1")
    assert [store.entry("game-1", number) for number in range(3)] == [*entries]
    assert store.entry("game-1", 3) is None
    assert store.entry("game-3", 0) is None
