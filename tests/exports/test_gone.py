"""What was taken back or corrected away can still be looked at, and is marked as what it is."""

from __future__ import annotations

import json

import pytest

from answers.context import Caller, StoreContext
from answers.i18n import Voice
from answers.play.moves import why
from answers.play.views import picture, state
from engines.kernel import evolve
from engines.kernel.messages.catalogue import LANGUAGES, Language
from engines.kernel.registry import load_engine
from referee.errors import NotFound
from referee.record.fold import apply, start_game
from referee.record.game import Game
from referee.record.history import history, status
from referee.record.line import Stood
from referee.secrecy.redaction import seen
from referee.table.bench import Bench
from replays.exports.render_options import RenderOptions
from replays.formats import export_bytes
from tests.exports.tables import eventful, quiet_bench
from tests.exports.test_judge_in_the_book import page_data

GAMES = ("benevolent", "bethel_woods", "bloody_grove", "broom_service", "roundforest")
MARKS = {"en": "no longer counts", "fr": "ne compte plus"}


@pytest.fixture(scope="module", params=GAMES)
def table(request: pytest.FixtureRequest) -> tuple[Bench, Game]:
    bench = quiet_bench()
    return bench, eventful(bench, request.param, limit=25)


def gone(game: Game) -> list[int]:
    return [line.number for line in history(game) if line.status != "counts"]


def test_it_stands_as_it_last_counted(table: tuple[Bench, Game]) -> None:
    """Against the plainest model there is: every version of the game in turn."""
    _, game = table
    first, *rest = game.entries
    told = start_game(game.id, first)
    last: dict[int, Stood] = {}
    for entry in rest:
        told = apply(told, entry).game
        for number in told.numbers():
            if told.counts(number):
                last[number] = Stood(told.before(number), told.step(number))
    assert gone(game)
    for number, stood in last.items():
        kept = game.stood(number)
        assert kept.after.state == stood.after.state
        assert kept.before.state == stood.before.state
        assert kept.after.verdict.outcome == stood.after.verdict.outcome


@pytest.mark.parametrize("lang", LANGUAGES)
def test_why_state_and_picture_answer_and_say_that_it_does_not_count(
    table: tuple[Bench, Game], lang: Language
) -> None:
    bench, game = table
    caller = Caller(StoreContext(bench.store, bench), voice=Voice(lang))
    for number in gone(game):
        became = status(game, number)
        for asked in (
            why(caller, game.id, [f"#{number}"]),
            state(caller, game.id, at=number),
        ):
            assert asked.data.status == became != "counts"
            assert MARKS[lang] in asked.lines(caller.voice)[0]
        drawn = picture(caller, game.id, at=number)
        assert MARKS[lang] in drawn.partition("</title>")[0]
        assert MARKS[lang] in drawn.partition("</desc>")[2], "nobody sees a title"


def test_what_counts_is_not_marked(table: tuple[Bench, Game]) -> None:
    bench, game = table
    caller = Caller(StoreContext(bench.store, bench))
    number = game.numbers()[3]
    assert why(caller, game.id, [str(number)]).data.status == "counts"
    assert state(caller, game.id, at=number).data.status == "counts"
    assert state(caller, game.id).data.status == "counts"
    assert MARKS["en"] not in picture(caller, game.id, at=number)


def test_a_number_that_was_never_said_is_still_unknown(table: tuple[Bench, Game]) -> None:
    bench, game = table
    caller = Caller(StoreContext(bench.store, bench))
    with pytest.raises(NotFound):
        state(caller, game.id, at=game.last_number + 1)


def test_a_view_hides_in_it_what_it_hides_elsewhere(table: tuple[Bench, Game]) -> None:
    _, game = table
    public = seen(game, "public")
    for number, stood in game.gone.items():
        setting = stood.after.setting
        hidden = load_engine(game.opened.game).hide(stood.after.state, "", setting)
        assert public.gone[number].after.state == hidden


def test_the_page_has_it_with_picture_why_and_fate(table: tuple[Bench, Game]) -> None:
    bench, game = table
    data = json.loads(page_data(export_bytes(bench, game, "html", RenderOptions())))
    for told in data["languages"].values():
        assert [one["number"] for one in told["gone"]] == gone(game)
        assert all(one["fate"] and one["picture"] for one in told["gone"])
        assert not any(one["fate"] for one in told["steps"])
        for one in (*told["steps"], *told["gone"]):
            assert all(told["clauses"][clause] for clause, _ in one["why"])
        assert any(one["moved"] for one in told["steps"])
        asked = [one for one in told["steps"] if one["why"]]
        assert len(asked) > len(told["steps"]) / 2


def test_a_picture_of_it_can_be_carried_away(table: tuple[Bench, Game]) -> None:
    bench, game = table
    number = gone(game)[0]
    drawn = export_bytes(bench, game, "svg", evolve(RenderOptions(), at=number)).decode()
    assert "Does not count" in drawn.partition("</desc>")[2]
