"""A dispute on paper: the brief and the photographs of what is disputed, in either language."""

from __future__ import annotations

import re

import pytest

from answers.context import Caller, open_store_context
from answers.i18n import Voice
from answers.judge.dispute_paper import dispute_paper
from answers.review.photos import add, erase
from engines.kernel import LANGUAGES, Language
from referee.errors import NotFound
from referee.judging.disputes import dispute
from referee.judging.rulings import Decision, issue
from referee.table.author import JUDGE, By
from referee.table.openings import open_game
from tests.exports.tables import recorded
from tests.photos import jpeg
from tests.playing import playable_games
from tests.record.test_bench import play

pytest.importorskip("typst")


def images(content: bytes) -> int:
    assert content.startswith(b"%PDF")
    return content.count(b"/Subtype /Image") + content.count(b"/Subtype/Image")


def pages(content: bytes) -> int:
    (count,) = re.findall(rb"/Type ?/Pages ?/Count (\d+)", content)
    return int(count)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", playable_games())
def test_it_is_one_page_however_much_is_told_shown_and_decided(name: str, lang: Language) -> None:
    caller = Caller(open_store_context("memory:"), voice=Voice(lang))
    bench = caller.bench
    game = recorded(bench, name, limit=90)
    number = game.numbers()[-1]
    for seat in game.setting.seats:
        dispute(bench, game.id, number, seat=seat, text="it lay elsewhere, and all saw it " * 6)
    add(caller, game.id, jpeg(400, 300), at=number, caption="seen from my place " * 4)
    assert pages(dispute_paper(caller, game.id, "d1").content) == 1
    for _ in range(3):
        add(caller, game.id, jpeg(300, 400), dispute="d1", caption="seen from my place")
    assert pages(dispute_paper(caller, game.id, "d1").content) == 1
    issue(bench, game.id, Decision("we all looked again " * 40, dispute="d1"), by=By(JUDGE))
    assert pages(dispute_paper(caller, game.id, "d1").content) == 1


def test_a_dispute_is_printed_with_the_photographs_that_are_about_it() -> None:
    caller = Caller(open_store_context("memory:"))
    game = open_game(caller.bench, "pebbles", "table A B first A").game.id
    play(caller.bench, game, "take 1", "take 2")
    dispute(caller.bench, game, 2, seat="A", text="it was two pebbles")
    bare = dispute_paper(caller, game, "d1")
    assert bare.name == f"{game}-d1.pdf"
    assert images(bare.content) == 0
    add(caller, game, jpeg(300, 200), dispute="d1", caption="the heap")
    add(caller, game, jpeg(300, 210), at=2)
    other = add(caller, game, jpeg(300, 220), at=1).data
    assert images(dispute_paper(caller, game, "d1").content) == 2
    erase(caller, game, other.id)
    first = next(iter(caller.game(game).photos))
    erase(caller, game, first)
    french = Caller(caller.store_context, voice=Voice("fr"))
    assert images(dispute_paper(french, game, "d1").content) == 1
    with pytest.raises(NotFound):
        dispute_paper(caller, game, "d9")
