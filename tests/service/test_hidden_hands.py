"""A plug-in's author writes the rules as if all were known; the house keeps the secrets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from answers.context import StoreContext
from engines.kernel import to_plain
from engines.kernel.values.secret import Unknowable
from referee.game_check.template import new_game
from referee.proof.verify import verify
from referee.record.history import history
from referee.secrecy.redaction import seen
from referee.table.author import Author, By
from referee.table.bench import Bench
from referee.table.openings import open_game
from referee.table.play import log
from tests.proofs.test_discretion import GUESSES, LINES, READINGS
from tests.proofs.twins import log_lines
from tests.record.conftest import make_bench
from tests.service.conftest import Club
from tests.service.test_twins import (
    THINGS,
    events,
    make_clubs,
    pages,
    pages_are_alike,
    questions,
    routes_are_alike,
)
from tests.tutorial import installed

SECRETS = ("crown", "fox")
"""There is one crown in the box, and there are two foxes."""


@pytest.fixture(autouse=True)
def hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(LINES, "hands", "A dealt crown")
    monkeypatch.setitem(READINGS, "hands", "none=none")
    monkeypatch.setitem(GUESSES, "hands", ("B dealt crown", "B dealt fox", "A show crown"))
    monkeypatch.setitem(THINGS, "hands", SECRETS)
    with installed("hands", tmp_path / "hands", new_game("hands", hidden=True)):
        yield


def dealt(secret: str, url: str = "memory:") -> tuple[Bench, str]:
    """A tells the referee a card, and B is to be dealt one."""
    bench = make_bench(url)
    game = open_game(bench, "hands", "table A B C").game.id
    log_lines(bench, game, f"A dealt {secret}")
    return bench, game


def test_no_route_and_no_stream_tells_which_card_it_is(make_club: Callable[..., Club]) -> None:
    clubs, game = make_clubs(dealt, *SECRETS, make_club)
    routes_are_alike(clubs, game, questions(game, "hands"))
    for role in ("seat:B", "spectator", "table"):
        one, other = (events(club, game, role) for club in clubs)
        assert one == other, role


def test_no_page_tells_which_card_it_is(make_club: Callable[..., Club]) -> None:
    clubs, game = make_clubs(dealt, *SECRETS, make_club)
    pages_are_alike(clubs, game, pages(game))


@pytest.mark.parametrize("secret", SECRETS)
def test_what_a_seat_may_not_know_is_undecided_to_it(
    secret: str, make_club: Callable[..., Club]
) -> None:
    bench, game = dealt(secret)
    club = make_club(StoreContext(bench.store, bench))
    offered = club.get(f"/games/{game}/options", "seat:B", scope=game).json()["data"]["options"]
    lines = [row["notation"] for row in offered]
    assert lines == ["B dealt", "B dealt crown", "B dealt fox", "B dealt owl"]
    asked = club.post(f"/games/{game}/check", "seat:B", {"lines": ["B dealt crown"]}, scope=game)
    said = asked.json()["data"]
    assert (asked.status_code, said["verdict"], said["clause"]) == (200, "undecided", "HAN-BOX-1")
    why = club.get(f"/games/{game}/why?line=B+dealt+crown", "seat:B", scope=game).json()["data"]
    assert why["verdict"] == "undecided"
    judged = club.post(f"/games/{game}/check", "judge", {"lines": ["B dealt crown"]})
    assert judged.json()["data"]["verdict"] == ("illegal" if secret == "crown" else "legal")


def test_a_rule_that_looks_at_a_hidden_hand_itself_is_undecided_too() -> None:
    """Whatever a rule does with what is hidden: a test of it ends the hearing."""
    bench, game = dealt("crown")
    record = bench.game(game)
    hidden = record.engine.hide(record.state, "B", record.setting)
    face = hidden.players["A"].face
    for test in (bool, len, list, lambda secret: "crown" in secret, lambda secret: secret > 3 or 1):
        with pytest.raises(Unknowable):
            test(face)
    assert to_plain(hidden)["players"]["A"]["face"] is None
    assert (face + 1, face.suit, face[0], face == "crown") == (face, face, face, face)


def test_a_deed_that_only_others_know_to_be_illegal_stands_and_calls_a_judge() -> None:
    """A refusal that costs nothing would be an answer."""
    bo = Author("pbo", "seat:B")
    bench, game = dealt("crown")
    heard = log(bench, game, "B dealt crown", by=By(bo))
    assert (heard.accepted, heard.stands, heard.verdict.outcome) == (True, True, "illegal")
    assert len(heard.disputes) == 1
    bench, game = dealt("fox")
    heard = log(bench, game, "B dealt crown", by=By(bo))
    assert (heard.accepted, heard.stands, heard.verdict.outcome) == (True, False, "legal")
    bench, game = dealt("crown")
    assert not log(bench, game, "B dealt crown").accepted, "the scribe sees all, and is told"
    known = log(bench, game, "B ask A fox", by=By(bo))
    assert not known.accepted, "what the seat knows to be illegal is refused"


def test_what_the_table_logs_of_a_hidden_hand_calls_a_judge_when_nothing_is_hidden_any_more() -> (
    None
):
    """The device on the table writes for all, and must learn nothing by trying."""
    table = By(Author("ptable", "table"))
    bench = make_bench("memory:")
    game = open_game(bench, "hands", "table A B").game.id
    log_lines(bench, game, "A dealt crown", "B dealt fox", "A ask B fox")
    lie = log(bench, game, "B answer no", by=table)
    assert (lie.accepted, lie.stands, lie.disputes) == (True, True, ()), "as the judge sees it"
    views = ("public", "seat:A", "seat:B", "judge")
    told = [(line.outcome, line.stands) for view in views for line in history(seen(lie.game, view))]
    own = told[4::5]
    assert own[0] == own[1] == (own[0][0], False)
    assert own[0][0] != "illegal"
    assert own[2] == own[3] == ("illegal", True)
    others = ["B ask A owl", "A answer no", "A ask B owl", "B answer no"] * 3
    log_lines(bench, game, *others[:-2], "A show crown")
    assert bench.game(game).disputes == {}
    last = log(bench, game, "B show fox", by=table)
    assert last.game.state.over
    assert 4 in {number for each in last.game.disputes.values() for number in each.numbers}
    assert history(seen(last.game, "public"))[4].outcome == "illegal"
    assert verify(game, bench.store.read(game)).ok


@pytest.mark.parametrize("lies", [*product((False, True), repeat=3)])
def test_whoever_reads_that_an_answer_was_a_lie_reads_of_which_rule(lies: tuple[bool, ...]) -> None:
    """The proof stands in the last action of a dispute, and everybody has seen the card there; what
    the liar had said proved nothing. Another hand is still hidden."""
    bench = make_bench("memory:")
    game = open_game(bench, "hands", "table A B").game.id
    log_lines(bench, game, "A dealt crown", "B dealt")
    for lie in lies:
        log_lines(bench, game, f"A ask B {'fox' if lie else 'owl'}", "B answer no")
        log_lines(bench, game, "B ask A owl", "A answer no")
    log_lines(bench, game, "B show fox")
    told = bench.game(game)
    assert not told.state.over
    assert [each.numbers[0] for each in told.disputes.values()] == [
        4 + 4 * place for place, lie in enumerate(lies) if lie
    ]
    for view in ("public", "seat:A", "seat:B"):
        shown = seen(told, view)
        assert shown.partial
        assert shown.disputes == told.disputes, view


def test_a_seat_that_does_not_say_who_speaks_for_itself(make_club: Callable[..., Club]) -> None:
    bench, game = dealt("crown")
    club = make_club(StoreContext(bench.store, bench))

    def said(role: str, line: str, path: str = "actions") -> tuple[int, str | None]:
        reply = club.post(f"/games/{game}/{path}", role, {"lines": [line]}, scope=game)
        return reply.status_code, (reply.json().get("data") or {}).get("notation")

    assert said("scribe", "dealt fox")[0] == 400, "it may be anybody's"
    assert said("seat:C", "dealt fox", "check") == (200, "C dealt fox")
    assert said("seat:C", "dealt fox") == (200, "C dealt fox")
    assert said("seat:B", "dealt") == (200, "B dealt")
    assert said("seat:B", "ask A fox")[0] == 422, "it is the turn of A"
    assert said("seat:A", "ask B fox") == (200, "A ask B fox")
