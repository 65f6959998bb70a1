"""Whatever a forger changes in a valid record is named, or cannot be known from the record alone.

What cannot is listed here and explained in ``docs/prove-a-record.md``; a known head or a
signature reaches all of it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from referee.proof import verify as verifying
from referee.proof.commitments import Keep
from referee.proof.keys import KeyRing
from referee.proof.signatures import sign
from referee.proof.verify import VerificationReport, verify
from referee.table.author import JUDGE, By
from tests.playing import playable_games
from tests.proofs.forger import Forgery, forgeries, valid_record
from tests.proofs.test_forgeries import changed, forged, without

PAGE = Path(__file__).parents[2] / "docs" / "prove-a-record.md"
FORGERIES = 2000 if "REFEREE_CHAOS" in os.environ else 40
ACTIONS = 6

ENVELOPE = {"by": "people", "at": "time", "key": "keys", "role": "roles", "kind": "missing"}
DATA = {
    "opened": {
        "title|preset": "words",
        "seats.*": "people",
        "engine_version": "versions",
        "opening.*|readings.*|house_rules|take_backs_need_judge|tournament": "table",
    },
    "logged": {"action.*": "deeds"},
    "corrected": {"insert.action.*": "deeds", "reason": "words"},
    "taken_back": {"reason": "words"},
    "adjusted": {"changes.*": "deeds", "reason": "words"},
    "kit_declared": {"value|source": "deeds"},
    "reading_fixed": {"reading|value": "decisions", "reason": "words"},
    "held|resumed|closed|reopened": {"reason": "words"},
    "clock_set": {"seconds|given|per|at_zero|seat|reason": "words"},
    "disputed": {"numbers|seat|clause|holds": "decisions", "text": "words"},
    "dispute_closed|penalty_cancelled|unnoted": {"reason": "words"},
    "ruled": {
        "numbers|clauses|dispute|remedy|scope": "decisions",
        "reason|authority|precedents": "words",
    },
    "penalised": {"seat|level": "decisions", "reason": "words"},
    "sealed": {"what|digest": "deeds"},
    "photographed": {"number|dispute|only|caption|digest|size|width|height": "words"},
    "photo_erased": {"reason": "words"},
    "seen": {"numbers|confirmed": "words"},
    "noted": {"number|text|glyphs|tags|clauses|bookmark": "words"},
}


def out_of_reach(forgery: Forgery) -> str | None:
    """The class of what a record alone cannot show."""
    if forgery.how != "changed":
        return "missing"
    if not forgery.place.startswith("data."):
        if (forgery.kind, forgery.place) == ("opened", "schema"):
            return "versions"
        return ENVELOPE.get(forgery.place)
    inside = forgery.place.removeprefix("data.")
    for kinds, places in DATA.items():
        if re.fullmatch(kinds, forgery.kind):
            return next(
                (name for place, name in places.items() if re.fullmatch(place, inside)), None
            )
    return None


def explained() -> set[str]:
    """The classes that the page explains."""
    section = PAGE.read_text("utf-8").split("## What cannot be proven")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))


def listed() -> set[str]:
    inside = (name for places in DATA.values() for name in places.values())
    return {"missing", *ENVELOPE.values(), *inside}


def test_the_page_explains_what_is_out_of_reach_and_nothing_else() -> None:
    assert explained() == listed()


EXAMPLES = {
    "words": lambda: changed("held", reason="coffee"),
    "people": lambda: changed("opened", by="pmallory"),
    "time": lambda: changed("noted", at="2026-01-01T12:00:30.000Z"),
    "keys": lambda: changed("adjusted", key="another"),
    "roles": lambda: changed("logged", 2, role="judge"),
    "versions": lambda: changed("opened", engine_version="0.9"),
    "table": lambda: changed("opened", tournament="tournament-elsewhere/r1/t1"),
    "deeds": lambda: changed("logged", action={"by": "A", "pebbles": 3, "verb": "take"})[:2],
    "decisions": lambda: changed("penalised", level="loss of the game"),
    "missing": lambda: without("penalised"),
}


@pytest.mark.parametrize("name", sorted(listed()))
def test_what_is_listed_is_really_out_of_reach(name: str) -> None:
    assert forged(EXAMPLES[name]()).ok


@pytest.mark.parametrize("game", playable_games())
def test_a_random_forgery_is_named_or_listed(game: str, tmp_path: Path) -> None:
    bench, table = valid_record(game, ACTIONS, Keep(tmp_path / "kept"))
    rows = bench.store.read(table)
    assert verify(table, rows).problems == []
    unnamed = [
        forgery[:3]
        for forgery in forgeries(rows, f"{game} 1", FORGERIES)
        if is_proven(verify(table, forgery.rows(table))) and out_of_reach(forgery) is None
    ]
    assert unnamed == []


def is_proven(report: VerificationReport) -> bool:
    """Not where a game is named that nobody has: then it is said that nothing was judged."""
    return report.ok and report.not_installed is None


def test_a_known_head_and_a_signature_reach_every_forgery(tmp_path: Path, ring: KeyRing) -> None:
    bench, table = valid_record("pebbles", ACTIONS, Keep(tmp_path / "kept"))
    ring.new("jo")
    sign(bench, table, ring, "jo", by=By(JUDGE))
    rows, trusted = bench.store.read(table), ring.trusted()
    assert verify(table, rows, trusted=trusted, signers=["jo"], published=[rows[-1].head]).ok
    for forgery in forgeries(rows, "pebbles 2", FORGERIES):
        known = {"published": [rows[-1].head]}
        signed = {"trusted": trusted, "signers": ["jo"]}
        for given in (known, signed):
            assert not verify(table, forgery.rows(table), **given).ok, forgery[:3]


def test_a_forgery_is_found_at_the_same_place_however_many_entries_are_proven_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, table = valid_record("pebbles", ACTIONS, Keep(tmp_path / "kept"))
    rows = bench.store.read(table)
    found = []
    for together in (1, 3, len(rows)):
        monkeypatch.setattr(verifying, "TOGETHER", together)
        reports = [
            verify(table, one.rows(table)) for one in forgeries(rows, "pebbles 3", FORGERIES)
        ]
        found.append([(report.problems, report.differences, report.laws) for report in reports])
    assert found[0] == found[1] == found[2]
    assert {problem.key for problems, *_ in found[0] for problem in problems} >= {
        "cannot_follow",
        "unlawful",
    }
