"""Records outlive the engine that wrote them: what a later one says otherwise is no forgery."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines.kernel.rules.clauses import Reading
from engines.kernel.values.versions import age
from referee.archive.record_files import read_record, take_in
from referee.errors import Unfit
from referee.proof.verify import VerificationReport, verify
from referee.record.fold import fold
from referee.record.game import Game
from referee.store.canonical_json import canonical
from referee.store.envelopes import Stored
from referee.table.bench import Bench
from referee.table.corrections import correct
from referee.table.openings import open_game
from referee.table.play import log
from tests.record.conftest import make_bench
from tests.record.later import Publish, published
from tests.record.test_verify import rechained

AT_MOST_TWO = [("1 <= action.pebbles <= 3", "1 <= action.pebbles <= 2")]
MERCY = """
[mercy]
ambiguity = "PEB-AMB-2"
question = { en = "May the same be taken again?", fr = "Peut-on reprendre autant ?" }
why = { en = "Later booklets say so.", fr = "Les livrets plus récents le disent." }
clauses = ["PEB-TAKE-2"]
since = "1.1"
before = "never"

[mercy.values]
always = { en = "Yes.", fr = "Oui." }
never = { en = "No.", fr = "Non." }
"""
WITH_MERCY = [
    (
        'rule("PEB-TAKE-2", action.pebbles != state.last, pebbles=action.pebbles)',
        'rule("PEB-TAKE-2", rule.reading("mercy") == "always" or action.pebbles != state.last)',
    )
]


@pytest.fixture
def publish(tmp_path: Path) -> Iterator[Publish]:
    with published(tmp_path) as publishing:
        yield publishing


@pytest.fixture
def rows(bench: Bench, table: str) -> list[Stored]:
    """A short game of Pebbles 1.0 in which three pebbles were taken twice."""
    for line in ("A take 2", "B take 3", "A take 1", "B take 3"):
        log(bench, table, line)
    correct(bench, table, 3, ["A take 2"])
    return list(bench.store.read(table))


def check(rows: list[Stored]) -> VerificationReport:
    return verify(rows[0].stream, rows)


def reopened(rows: list[Stored]) -> Game:
    return fold(rows[0].stream, rows)


def forged(rows: list[Stored], index: int, path: str, value: object) -> list[Stored]:
    """The record with something else in one entry, by a forger who computes the chain anew."""
    body = json.loads(rows[index].body)
    *parents, last = path.split(".")
    inside = body
    for name in parents:
        inside = inside[int(name) if name.isdigit() else name]
    inside[last] = value
    return rechained(
        [*rows[:index], rows[index]._replace(body=canonical(body)), *rows[index + 1 :]]
    )


@pytest.mark.parametrize(
    ("version", "than", "expected"),
    [
        ("1.0", "1.0", "same"),
        ("1", "1.0.0", "same"),
        ("1.9", "1.10", "older"),
        ("2", "1.10", "newer"),
        ("1.0.1", "1.0", "newer"),
        ("", "1.0", "unknown"),
        ("1.0-rc1", "1.0", "unknown"),
        ("1.٣", "1.0", "unknown"),
        ("1..0", "1.0", "unknown"),
    ],
)
def test_versions_are_compared_number_by_number(version: str, than: str, expected: str) -> None:
    assert age(version, than=than) == expected


def test_the_same_version_must_match_verdict_for_verdict(rows: list[Stored]) -> None:
    assert check(rows).ok
    lie = {"outcome": "undecided"}
    report = check(forged(rows, 1, "data.verdict", lie))
    assert [problem.key for problem in report.problems] == ["verdict_differs"]
    assert report.differences == []


def test_what_an_older_engine_judged_otherwise_is_listed_and_no_forgery(
    rows: list[Stored], publish: Publish
) -> None:
    publish("1.1", rules=AT_MOST_TWO)
    report = check(rows)
    assert report.ok
    assert report.engines is not None
    assert (report.engines.recorded, report.engines.today) == ("1.0", "1.1")
    assert report.engines.age == "older"
    told = [
        {
            name: found.facts[name]
            for name in ("number", "recorded", "recorded_clause", "today", "today_clause")
        }
        for found in report.differences
    ]
    refused = {"recorded": "legal", "recorded_clause": None} | {
        "today": "illegal",
        "today_clause": "PEB-TAKE-1",
    }
    assert told == [{"number": 2, **refused}, {"number": 4, **refused}]


def test_the_line_goes_on_behind_what_a_later_engine_refuses(
    rows: list[Stored], publish: Publish
) -> None:
    then = reopened(rows)
    publish("1.1", rules=AT_MOST_TWO)
    now = reopened(rows)
    assert now.pending == ()
    assert now.state.heap == then.state.heap == 2
    assert [step.number for step in now.steps] == [step.number for step in then.steps]
    assert [step.item.stands for step in now.steps] == [False, False, True, False, True]


def test_a_game_of_an_older_engine_is_continued_by_the_rules_of_today(
    bench: Bench, rows: list[Stored], publish: Publish
) -> None:
    publish("1.1", rules=AT_MOST_TWO)
    later = make_bench()
    take_in(later.store, read_record([row.body for row in rows]))
    refused = log(later, rows[0].stream, "A take 3")
    assert not refused.accepted
    assert refused.verdict.clause == "PEB-TAKE-1"


def test_what_is_no_verdict_is_proven_whatever_the_version(
    rows: list[Stored], publish: Publish
) -> None:
    publish("1.1", rules=AT_MOST_TWO)
    assert [p.key for p in check(forged(rows, 0, "data.kit.heap", 20)).problems] == ["kit_altered"]
    assert [p.key for p in check(forged(rows, 2, "data.number", 9)).problems] == ["cannot_follow"]
    assert check([*rows[:2], *rows[3:]]).problems[0].check == "chain"


def test_an_unknown_version_is_given_no_credit(rows: list[Stored]) -> None:
    unnamed = forged(rows, 0, "data.engine_version", "tomorrow's")
    (problem,) = check(unnamed).problems
    assert problem.check == "law"
    assert "tomorrow's" in str(problem.facts)


def test_a_record_of_a_newer_engine_is_proven_but_for_its_verdicts(rows: list[Stored]) -> None:
    newer = forged(rows, 0, "data.engine_version", "1.1")
    report = check(forged(newer, 1, "data.verdict", {"outcome": "undecided"}))
    assert report.engines is not None
    assert report.engines.age == "newer"
    assert (report.problems, report.differences) == ([], [])
    assert report.game is not None


def test_a_newer_record_that_cannot_be_followed_is_proven_and_not_stored(
    rows: list[Stored],
) -> None:
    newer = forged(rows, 0, "data.engine_version", "1.1")
    strange = forged(newer, 2, "data.action", {"verb": "juggle"})
    report = check(strange)
    assert report.ok
    assert report.game is None
    assert check([*strange[:2], *strange[3:]]).problems[0].check == "chain"
    with pytest.raises(Unfit, match="newer_engine"):
        take_in(make_bench().store, read_record([row.body for row in strange]))


# readings that older records do not pin


def test_a_set_that_was_declined_by_an_end_stays_declined() -> None:
    """Broom Service 1.2 took any “end” for a refusal; the last one of a game ended it."""
    written = Path(__file__).with_name("broom_service_1_2.jsonl").read_bytes()
    report, _ = take_in(make_bench().store, read_record(written.splitlines()))
    assert (report.ok, report.differences) == (True, [])
    assert report.game is not None
    assert report.game.engine.result(report.game.state) is not None
    assert report.game.state.players["A"].resources["g"] == 2


def test_a_reading_that_a_record_does_not_pin_has_the_value_its_engine_had(
    rows: list[Stored], publish: Publish
) -> None:
    publish("1.1", rules=WITH_MERCY, readings=MERCY)
    assert reopened(rows).setting.readings == {"last_pebble": "wins", "mercy": "never"}
    assert check(rows).differences == []
    opened = open_game(make_bench(), "pebbles", "table A B first A")
    assert opened.game.setting.readings["mercy"] == "always"


def test_a_record_pins_what_its_own_engine_knew(rows: list[Stored], publish: Publish) -> None:
    publish("1.1", rules=WITH_MERCY, readings=MERCY)
    pinned = {"last_pebble": "loses", "mercy": "always", "forgotten": "yes"}
    later = forged(rows, 0, "data.readings", pinned)
    assert reopened(later).setting.readings == {"last_pebble": "loses", "mercy": "always"}
    unpinned = forged(rows, 0, "data.engine_version", "1.1")
    assert reopened(unpinned).setting.readings["mercy"] == "always"


@pytest.mark.parametrize("more", [{"before": "never"}, {"since": "1.1", "before": "sometimes"}])
def test_a_reading_says_since_when_and_which_of_its_values_was_before(
    more: dict[str, str],
) -> None:
    text = {"en": "?", "fr": "?"}
    given = {"id": "mercy", "ambiguity": "A", "question": text, "why": text}
    with pytest.raises(ValueError, match="before"):
        Reading.model_validate({**given, "values": {"always": text, "never": text}, **more})
