"""Verification of a whole store: whatever it keeps is checked, of every kind of stream."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from answers.context import Caller, StoreContext
from answers.i18n import Voice
from answers.proof.verification import Record, verify, verify_all
from answers.review import collections
from answers.tournament.lifecycle import create
from referee.archive.intake import keep_apart, take_in_apart
from referee.archive.precedents import Book, BookRuling, take_over
from referee.proof.keys import KeyRing
from referee.record.fold import fold
from referee.record.game import Game
from referee.season.events import EventAdded, SeasonRules, TeamNamed
from referee.store.canonical_json import canonical
from referee.store.envelopes import Stored
from referee.store.event_store import Store
from referee.store.hash_chain import topic_of
from referee.table.author import Author
from referee.tournament.default_plans import usual_plan
from referee.tournament.event_streams import ORGANISER
from tests.exports.tables import quiet_bench, recorded
from tests.record.test_verify import rechained

NO_KEYS = Path("no-keys-here")
LOGS = ("season-", "collection-", "book-", "intake-")


@cache
def club() -> StoreContext:
    """A store that keeps something of every kind."""
    bench = quiet_bench()
    game = recorded(bench, "pebbles", limit=4).id
    store = StoreContext(bench.store, bench)
    caller = Caller(store, ORGANISER)
    plan = usual_plan("benevolent", "swiss", 3)
    event = create(caller, "Cup", plan).data.tournament
    season = store.seasons.create("Year", SeasonRules()).id
    store.seasons.tell(season, EventAdded(tournament=event))
    people = [store.people.add(name) for name in ("Reds", "Ana", "Bo")]
    store.seasons.tell(season, TeamNamed(team=people[0], players=tuple(people[1:])))
    made = collections.new(Caller(store, Author(people[1], "scribe")), "Ends").data.collection
    collections.put(caller, made, game=game, title="first")
    collections.note(caller, made, "c1", 1, "so it began")
    ruling = BookRuling(reference="North 7", game="pebbles", date="2026-01-02", remedy="none",
                        reason="as the rulebook says")  # fmt: skip
    take_over(bench.store, Book(source="North", ruling=(ruling,)), author=ORGANISER)
    keep_apart(bench.store, game, author=ORGANISER)
    take_in_apart(bench.store, game, author=ORGANISER)
    return store


def caller(**more: Any) -> Caller:
    return Caller(club(), ORGANISER, **more)


def problems(stream: str, rows: list[Stored]) -> list[tuple[str, int]]:
    (report,) = verify(caller(), [Record(stream, rows)], KeyRing(NO_KEYS)).data.records
    return [(each.check, each.entry) for each in report.problems]


def test_all_that_the_store_keeps_is_verified_and_in_order() -> None:
    answered = verify_all(caller(), KeyRing(NO_KEYS))
    assert {each.game for each in answered.data.records} == {*club().store.streams()}
    assert answered.outcome == "done"
    for lang in ("en", "fr"):
        lines = answered.lines(Voice("fr" if lang == "fr" else "en"))
        assert sum("✔" in line for line in lines) >= 3 * len(answered.data.records)


def logs() -> list[str]:
    found = [s for s in club().store.streams() if s.startswith(LOGS)]
    assert {s.split("-")[0] + "-" for s in found} == {*LOGS}
    return found


def test_a_flipped_byte_is_found_in_every_entry_of_every_log() -> None:
    for stream in logs():
        good = list(club().store.read(stream))
        for index, row in enumerate(good):
            altered = row._replace(body=row.body.replace(b'"f":1', b'"f":2', 1))
            assert altered != row
            assert problems(stream, [*good[:index], altered, *good[index + 1 :]])


def _odd_kind(body: dict[str, Any]) -> None:
    body["kind"] = "nothing_known"


def _odd_data(body: dict[str, Any]) -> None:
    body["data"] = {"nobody": "says this"}


@pytest.mark.parametrize("forge", [_odd_kind, _odd_data])
def test_an_entry_that_cannot_be_is_found_although_its_chain_is_good(
    forge: Callable[[dict[str, Any]], None],
) -> None:
    for stream in logs():
        bodies = [json.loads(row.body) for row in club().store.read(stream)]
        forge(bodies[0])
        rows = rechained([Stored(stream, 0, topic_of(each), canonical(each)) for each in bodies])
        assert problems(stream, rows) == [("replay", 0)], stream


def test_a_log_that_lacks_its_beginning_or_repeats_itself_is_found() -> None:
    for stream in logs():
        bodies = [json.loads(row.body) for row in club().store.read(stream)]
        if len(bodies) < 2:
            continue
        for forged in (bodies[1:], [bodies[0], {**bodies[0], "key": "another"}]):
            numbered = [{**body, "seq": seq} for seq, body in enumerate(forged)]
            stored = [Stored(stream, 0, topic_of(each), canonical(each)) for each in numbered]
            assert problems(stream, rechained(stored)), stream


def test_names_of_collections_are_told_to_the_keepers_of_the_store_alone() -> None:
    def told(role: str, scope: str = "") -> set[str]:
        asking = Caller(club(), Author("pjo", role), token="t", scope=scope)
        found = verify_all(asking, KeyRing(NO_KEYS)).data.records
        return {each.game.split("-")[0] for each in found}

    assert "collection" in told("organiser")
    assert "collection" not in told("judge")
    assert {"game", "tournament", "season", "book", "intake"} <= told("judge")


def test_verifying_reads_every_record_once_and_judges_every_action_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that it costs little more than folding them, and says how far it is."""
    store = club().store
    done: Counter[str] = Counter()

    def counted(of: type, name: str) -> None:
        real = getattr(of, name)

        def count(*said: Any, **more: Any) -> Any:
            done[name] += 1
            return real(*said, **more)

        monkeypatch.setattr(of, name, count)

    counted(Store, "read")
    counted(Game, "judged")
    for stream in store.streams("game-"):
        fold(stream, store.read(stream))
    once, shown = Counter(done), []
    done.clear()
    verify_all(caller(), KeyRing(NO_KEYS), progress=lambda *far: shown.append(far))
    total = len(store.streams())
    assert done["judged"] == once["judged"] > 0
    assert done["read"] <= total + 2  # an event looks at its own tables
    assert shown == [(number, total) for number in range(1, total + 1)]
