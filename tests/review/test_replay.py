"""The replay: what is on the screen, what the keys do, and the same in plain text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cli.commands.replay import screen
from cli.i18n import set_language
from cli.replay_screen import Review
from cli.shell import Shell
from engines.kernel import evolve
from engines.kernel.messages.catalogue import LANGUAGES, Language
from referee.table.author import SCRIBE, By
from referee.table.notes import Annotation, annotate
from replays.gallery import sample, samples
from tests.review.test_shell import in_own_thread
from tests.review.test_terminal import Terminal, terminal

__all__ = ["terminal"]


@pytest.fixture
def review(scribe: Shell) -> Review:
    scribe.handle("A step c1; pick; B step c1; pick")
    scribe.handle("A step a3")
    scribe.handle("y")
    scribe.handle("/undo")
    scribe.handle("A step c2; swap feather")
    note = Annotation("or b1", glyphs=("interesting",), instead=("A step b1", "A pick"))
    annotate(scribe.caller.bench, scribe.game_id, 8, note, by=By(SCRIBE))
    return Review(scribe.caller, scribe.voice, scribe.game)


def pressed(review: Review, *keys: str) -> str:
    for key in keys:
        review.press(key)
    return review.stepper.moment.label


def test_keys_go_where_they_say(review: Review) -> None:
    assert pressed(review, "right", "right") == "#2"
    assert pressed(review, "end") == "#9"
    assert pressed(review, "pageup") == "#0"
    assert review.message == ""
    pressed(review, "left")
    assert review.message == "no more: back"
    assert pressed(review, "n") == "#8"
    assert pressed(review, "v") == "n1.1"
    assert pressed(review, "right") == "n1.2"
    assert pressed(review, "b") == "#8"
    assert pressed(review, "home", "i") == "#7"
    assert pressed(review, "home", "d") == "#7"
    review.goto(4)
    assert pressed(review, "]") == "#5"
    assert pressed(review, "]") == "#7"
    assert pressed(review, "[") == "#6"


def test_the_screen_tells_line_verdict_notes_and_board(review: Review) -> None:
    review.goto(8)
    about = "\n".join(review.about())
    assert "#8 A step c2   ✔ legal" in about
    assert "!? interesting  or b1" in about
    assert "n1.1 A step b1" in about
    assert any("c2" in line for line in review.board())
    rows = review.moves()
    assert [text for here, text in rows if here] == ["*#8 A step c2"]
    assert any("#7" in text and "does not count" in text for _, text in rows)


def test_two_moments_are_compared(review: Review) -> None:
    review.goto(6)
    pressed(review, "c")
    review.goto(9)
    board = review.board()
    assert board[0] == "changes from #6 to #9"
    gifts, steps = "gifts: clover 1, crystal 1", "steps in the forest: c1, c2"
    assert f"  + A (blue): 1 leaf; {gifts}; {steps}; 2 on the card; …" in board
    pressed(review, "c")
    assert not review.board()[0].startswith("changes")


def test_search_by_text_and_by_number(review: Review) -> None:
    review.search("SWAP F")
    assert review.stepper.moment.label == "#9"
    review.search("nothing like it")
    assert review.message == "not found: nothing like it"
    review.goto(4)
    assert review.stepper.moment.label == "#4"
    review.goto(77)
    assert review.message == "not found: #77"


@pytest.mark.parametrize("words", ["step", "PICK", "A", "a3"])
def test_a_search_for_nothing_new_goes_on_to_the_next_of_the_same_words(
    review: Review, words: str
) -> None:
    found = []
    review.search(words)
    while not review.message:
        found.append(review.stepper.moment.label)
        review.search("")
    lines = [(each.label, review.stepper.line_text(each)) for each in review.stepper.moments]
    assert found == [label for label, line in lines[1:] if words.lower() in line.lower()]
    assert review.message == f"not found: {words}"


def test_plain_text_says_all_that_the_screen_says(review: Review) -> None:
    review.goto(8)
    assert review.plain() == [*review.about(), *(f"    {line}" for line in review.board())]


def test_keys_reach_the_screen(review: Review) -> None:
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    def at_the_screen() -> None:
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
            pipe.send_text("\x1b[C\x1b[C]/swap f\rq")
            screen(review).run()

    in_own_thread(at_the_screen)
    assert review.stepper.moment.label == "#9"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("width", "height"), [(80, 24), (160, 50), (50, 12)])
@pytest.mark.parametrize("name", samples())
def test_the_screen_fits_and_everything_on_it_can_be_reached(
    name: str, width: int, height: int, lang: Language, scribe: Shell
) -> None:
    set_language(lang)
    voice = evolve(scribe.voice, lang=lang)
    review = Review(scribe.caller, voice, sample(name))
    review.goto(len(review.stepper.moments) // 2)
    wanted = " ".join([*review.about(), *review.board()]).split()
    seen: list[str] = []
    while True:
        shown = review.screen(width, height)
        assert len(shown.left) + len(shown.keys) <= height
        assert len(shown.moves) + len(shown.keys) <= height
        assert max(map(len, shown.left)) <= shown.width
        assert all(shown.width + 3 + len(text) <= width for _, text in shown.moves)
        assert all(len(line) <= width for line in shown.keys)
        assert sum(here for here, _ in shown.moves) == 1
        seen += shown.left if not shown.left[-1].startswith("…") else shown.left[:-1]
        before = review.scrolled
        review.press("space")
        review.screen(width, height)
        if review.scrolled == before:
            break
    set_language("en")
    assert [word for word in wanted if word not in " ".join(seen).split()] == []


def test_moving_on_begins_at_the_top(review: Review) -> None:
    review.goto(6)
    review.screen(50, 8)
    pressed(review, "down", "down")
    assert review.scrolled == 2
    pressed(review, "up")
    assert review.scrolled == 1
    pressed(review, "right")
    assert review.scrolled == 0


def test_what_was_taken_back_is_found_and_shown_as_it_stood(review: Review) -> None:
    assert pressed(review, "home", "x") == "#7"
    assert "illegal" in review.about()[0]
    assert any("a3" in line and "A (blue)" in line for line in review.board())
    pressed(review, "x")
    assert review.message.startswith("no more")
    assert pressed(review, "end", "X") == "#7"


def test_a_person_sees_it(terminal: Callable[..., Terminal], scribe: Shell, review: Review) -> None:
    shown = terminal("replay --at 6")
    shown.see("#6 B pick")
    shown.type("n")
    shown.see("or b1")
    shown.type("v")
    shown.see("▸  n1.1 A step b1")
    shown.type("b")
    shown.see("▸ *#8 A step c2")
    shown.type("/")
    shown.type("swap feather", "Enter")
    shown.see("▸  #9 A swap feather")
    shown.type("q")
