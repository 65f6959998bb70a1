"""The scribe's shell as a pure function, and through keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from answers.answer import Answered
from answers.play.actions import LogAnswer, log
from cli.commands.play import _table, prompt_session, run
from cli.i18n import broken, set_language
from cli.session import Session
from cli.shell import Shell
from referee.errors import NotFound
from referee.table.openings import open_game
from tests.fuzz.mangling import ODD_WORDS
from tests.review.conftest import SETUP


def texts(shell: Shell) -> list[str]:
    game = shell.game
    return [game.engine.text(step.action) for step in game.steps[3:] if step.action is not None]


def test_the_prompt_is_who_owes_what(scribe: Shell) -> None:
    assert scribe.prompt() == "A #3 › "
    scribe.handle("step c1; pick")
    assert scribe.prompt() == "B #5 › "


def test_several_actions_stand_on_a_line(scribe: Shell) -> None:
    reply = scribe.handle("A step c1; pick; B pas c1")
    assert texts(scribe) == ["A step c1", "A pick", "B step c1"]
    assert [line for line in reply.lines if line.startswith("✔")] == [
        "✔ legal   #3 A step c1",
        "✔ legal   #4 A pick",
        "✔ legal   #5 B step c1",
    ]


def test_a_line_is_accepted_as_far_as_it_is_legal_and_the_rest_is_given_back(
    scribe: Shell,
) -> None:
    reply = scribe.handle("step c1; gather; B step c2; swap feather; A step b1")
    assert texts(scribe) == ["A step c1", "A gather", "B step c2"]
    assert reply.rest == "A step b1"
    assert any("BEN-CIRCLE-2" in line for line in reply.lines)


def test_what_was_accepted_before_an_unreadable_action_is_told(scribe: Shell) -> None:
    reply = scribe.handle("step c1; pikc; B step c1")
    assert texts(scribe) == ["A step c1"]
    assert reply.lines[0] == "✔ legal   #3 A step c1"
    assert "pikc" in reply.lines[-1]
    assert reply.rest == "pikc; B step c1"


def test_what_cannot_stand_is_not_offered(scribe: Shell) -> None:
    reply = scribe.handle("step z9")
    assert "BEN-MOVE-16" in "\n".join(reply.lines)
    assert "(y/n)" not in reply.lines[-1]
    assert scribe.handle("y").lines[0].startswith("✘ “y” is not a verb")


def test_an_illegal_line_may_be_logged_as_it_happened(scribe: Shell) -> None:
    scribe.handle("step c1; pick; B step c1; pick")
    reply = scribe.handle("step a3")
    assert "BEN-MOVE-3" in "\n".join(reply.lines)
    assert "(y/n)" in reply.lines[-1]
    assert scribe.handle("y").lines[0] == "✘ illegal   #7 A step a3"
    assert list(scribe.game.disputes) == ["d1"]


@pytest.mark.parametrize("seed", range(4))
def test_yes_means_what_was_refused_right_before_and_nothing_older(
    scribe: Shell, seed: int
) -> None:
    """Beside a book of what was typed: the offer ends with the next line, whatever it is.

    Of a line of several actions those before the refused one were logged, once; those behind it
    are there to be typed again.
    """
    random = Random(seed)
    said = [f"{seat} {what}" for seat in "AB" for what in ("pick", "gather", "step a3")]
    offered = ""
    for _ in range(30):
        before = texts(scribe)
        parts = random.sample(said, random.choice([1, 1, 2, 3]))
        line = random.choice([*["; ".join(parts)] * 6, *["y", "", "?", "zzz"] * 2, "n"])
        if offered and random.random() < 0.5:
            line = "y"
        reply = scribe.handle(line)
        logged = texts(scribe)[len(before) :]
        assert texts(scribe)[: len(before)] == before
        if line == "y":
            assert logged == ([offered] if offered else [])
        elif line != "; ".join(parts):
            assert logged == []
        else:
            assert logged == parts[: len(logged)]
        left = parts[len(logged) :]
        offered = left[0] if left and any("(y/n)" in each for each in reply.lines) else ""
        if offered:
            assert reply.rest == "; ".join(left[1:])


def test_what_a_refusal_rests_on_is_asked_and_the_line_heard_again(
    scribe: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(scribe.here), "may_ask_about_boxes", True)

    def ask(here: object, game: str, answered: Answered[LogAnswer]) -> bool:
        assert not answered.data.accepted
        log(scribe.caller, game, ["A step c1"])
        return True

    monkeypatch.setattr("cli.box.ask_on_refusal.ask_about", ask)
    assert scribe.handle("pick").lines[0] == "✔ legal   #4 A pick"


def test_no_leaves_the_record_alone(scribe: Shell) -> None:
    scribe.handle("step c1; pick; B step c1; pick")
    scribe.handle("step a3")
    assert scribe.handle("n").lines == []
    assert scribe.handle("y").lines[0].startswith("✘ “y” is not a verb")
    assert len(texts(scribe)) == 4


def test_a_number_chooses_from_the_last_list(scribe: Shell) -> None:
    listed = scribe.handle("?").lines
    assert len([line for line in listed if "A step" in line]) == 8
    assert scribe.handle("99").lines[0].startswith("✘ 99 is not in the last list")
    scribe.handle("3")
    assert texts(scribe) == ["A step a3"]


def test_the_numbers_of_a_list_die_with_it(scribe: Shell) -> None:
    scribe.handle("?")
    scribe.handle("step c1")
    assert scribe.handle("3").lines[0].startswith("✘ “3” is not a verb")
    assert texts(scribe) == ["A step c1"]


def test_undo_redo_why_state_note_dispute_are_at_hand(scribe: Shell) -> None:
    scribe.handle("step c1")
    assert scribe.handle("/undo").lines[0] == "undone: #3"
    assert scribe.handle("/redo").lines[0] == "redone: #3"
    assert "BEN-MOVE-16" in "\n".join(scribe.handle("/why").lines)
    assert "BEN-TURN-2" in "\n".join(scribe.handle("/why step c2").lines)
    assert any("c1" in line for line in scribe.handle("!").lines)
    assert scribe.handle("/note bold").lines == ["note added to #3"]
    assert scribe.handle("/dispute 3 really?").lines == [
        "a judge has been called about #3 (dispute d1)"
    ]
    assert scribe.game.notes["n1"].text == "bold"
    laid, stepped = scribe.handle("/moves 2").lines
    line = scribe.game.engine.text(scribe.game.steps[2].action)  # type: ignore[arg-type]
    assert laid.startswith("#2 The pyramid is laid, from the bottom: ")
    assert laid.endswith(f" ({line})")
    assert stepped == "#3 A places a step on c1 (A step c1)"
    assert scribe.handle("/quit").leave
    assert scribe.handle("/fly").lines[0].startswith("✘ unknown command /fly")


def test_a_table_is_put_right_without_leaving_the_shell(
    scribe: Shell, capsys: pytest.CaptureFixture[str]
) -> None:
    scribe.handle("step c1; pick; B step c1; gather")
    scribe.handle('/correct 6 pick -m "I misheard"')
    assert texts(scribe)[-1] == "B pick"
    scribe.handle("/correct 4 --drop")
    assert texts(scribe) == ["A step c1"]
    scribe.handle("/insert 5 A pick")
    assert texts(scribe) == ["A step c1", "A pick", "B step c1", "B pick"]
    scribe.handle("/adjust players.A.leaves=6 -m counted")
    assert scribe.game.state.players["A"].leaves == 6
    scribe.handle("/note bold")
    capsys.readouterr()
    scribe.handle("/notes")
    assert "bold" in capsys.readouterr().out
    scribe.handle("/kit")
    assert "assumed" in capsys.readouterr().out
    scribe.handle("/finish -m late")
    assert scribe.game.closed
    assert scribe.handle('/note "').lines == ["note added to #9"]
    assert scribe.handle('/finish "').lines[0].startswith("✘")


@pytest.mark.parametrize("word", ["help", "HELP", "/help", "aide", "/aide"])
def test_help_is_found_without_reading(scribe: Shell, word: str) -> None:
    told = "\n".join(scribe.handle(word).lines)
    for command in ("/correct", "/insert", "/adjust", "/dispute", "/finish", "/notes", "/kit"):
        assert command in told
    assert "/help" not in scribe.footer()
    assert "F1" in scribe.footer()


def test_a_command_needs_no_slash_where_the_game_has_no_such_word(scribe: Shell) -> None:
    scribe.handle("step c1")
    assert scribe.handle("undo").lines[0] == "undone: #3"
    assert scribe.handle("quit").leave


def test_a_few_letters_are_enough_for_whoever_sees_what_they_mean(scribe: Shell) -> None:
    assert scribe.suggested("c1") == "step c1"
    assert scribe.in_full("c1; p") == "step c1; pick"
    assert scribe.suggested("step c1") == ""
    assert scribe.suggested("step z9") == ""
    assert scribe.suggested("/un") == ""
    assert scribe.hint("c1") == ("✔", "legal")
    assert scribe.handle("c1").lines[0].startswith("✘")
    assert texts(scribe) == []


def test_tab_takes_what_can_only_go_on_in_one_way(scribe: Shell) -> None:
    assert scribe.completed("") == "step "
    assert scribe.completed("c1") == "step c1"
    assert scribe.completed("step c1; p") == "step c1; pick"
    assert scribe.completed("c1; p") == "c1; pick"
    assert scribe.completed("/cor") == "/correct "
    assert scribe.completed("step z9; p") == "step z9; p"


def test_what_follows_a_semicolon_is_completed_too(scribe: Shell) -> None:
    offered = {offer.word for offer in scribe.completions("step c1; ")}
    assert offered == {"pick", "gather"}
    assert [offer.word for offer in scribe.completions("step c1;pi")] == ["pick"]
    assert scribe.completions("step z9; ") == []


def test_players_are_called_by_name(scribe: Shell) -> None:
    here = scribe.here
    person = {"A": here.caller.person("Ana Maria"), "B": here.caller.person("Bo")}
    heard = open_game(here.caller.bench, "benevolent", "table A=blue B=red first A", seats=person)
    shell = Shell(here, heard.game.id)
    for line in SETUP:
        shell.handle(line)
    assert shell.prompt() == "A Ana #3 › "
    assert shell.in_full("Ana c1") == "A step c1"


def test_play_opens_the_only_open_table_and_asks_among_several(scribe: Shell) -> None:
    here = Session(store_url=scribe.here.store_url)
    assert _table(here) == scribe.game_id
    other = open_game(here.caller.bench, "benevolent", "table A=blue B=red first A").game.id
    assert _table(here) == scribe.game_id
    here.make_current(other)
    assert _table(here) == other
    with pytest.raises(NotFound):
        _table(Session(store_url=scribe.here.store_url, game_asked="zzzz"))


@pytest.mark.parametrize("width", [20, 37, 80])
def test_lines_are_broken_between_words(width: int) -> None:
    line = "  facts    " + "a3 touches \x1b[31mnone\x1b[0m of c1 " * 6
    parts = broken(line.rstrip(), width)
    assert all(len(re.sub(r"\x1b\[\d+m", "", part)) <= width for part in parts)
    assert " ".join(" ".join(parts).split()) == " ".join(line.split())
    assert broken("short", width) == ["short"]


def test_whatever_goes_wrong_is_an_answer(scribe: Shell) -> None:
    for line in ("stepp c1", "step", "/undo 99", "/note", "step \x1b[31m", "/why xyzzy", "/redo"):
        assert scribe.handle(line).lines[0].startswith("✘"), line
    assert texts(scribe) == []


@pytest.mark.parametrize("behind", ["", " as it happened"])
@pytest.mark.parametrize("command", ["options", "undo", "redo", "why", "moves", "note", "dispute"])
def test_no_word_behind_a_command_is_a_fault_of_the_program(
    scribe: Shell, command: str, behind: str
) -> None:
    for word in (*ODD_WORDS, "9" * 5000):
        told = scribe.handle(f"/{command} {word}{behind}").lines
        assert not [line for line in told if "internal error" in line], word
    assert texts(scribe) == []


def test_what_is_no_number_is_not_taken_for_one(scribe: Shell) -> None:
    scribe.handle("step c1; pick")
    for word in ("²", "two", "-1", "1.5"):
        assert scribe.handle(f"/undo {word}").lines[0].startswith("✘"), word
    assert texts(scribe) == ["A step c1", "A pick"]


def test_the_verdict_shows_while_typing(scribe: Shell) -> None:
    scribe.handle("step c1; pick; B step c1; pick")
    assert scribe.hint("") == ("", scribe.status())
    assert scribe.hint("st").sign == "…"
    assert scribe.hint("step").sign == "…"
    assert scribe.hint("step c2") == ("✔", "legal")
    sign, text = scribe.hint("step a3")
    assert sign == "✘"
    assert "BEN-MOVE-3" in text
    assert scribe.hint("fly").sign == "?"
    assert texts(scribe) == ["A step c1", "A pick", "B step c1", "B pick"]


def test_completion_offers_only_what_is_legal_with_its_meaning(scribe: Shell) -> None:
    scribe.handle("step c1; pick; B step c1; pick")
    first = {offer.word: offer.meaning for offer in scribe.completions("")}
    assert "step" in first
    assert first["step"]
    assert [offer.word for offer in scribe.completions("step ")] == ["b1", "c2"]
    assert [offer.word for offer in scribe.completions("step c")] == ["c2"]
    assert [offer.word for offer in scribe.completions("/un")] == ["/undo"]


def test_it_speaks_french(scribe: Shell) -> None:
    set_language("fr")
    scribe = Shell(Session(store_url=scribe.here.store_url), scribe.game_id)
    try:
        scribe.handle("pas c1; pick; B pas c1; pick")
        reply = scribe.handle("pas a3")
        assert reply.lines[0].startswith("✘ illégal")
        assert scribe.handle("o").lines[0] == "✘ illégal   #7 A pas a3"
        assert scribe.handle("/annuler").lines[0] == "annulé\u202f: #7"
        assert scribe.completed("") == "pas "
        assert [offer.word for offer in scribe.completions("pas ")] == ["b1", "c2"]
        assert [offer.word for offer in scribe.completions("step ")] == ["b1", "c2"]
        assert scribe.in_full("pb") == "pas b1"
        assert "A pas b1" in scribe.handle("?").lines[1]
        assert "/corriger" in "\n".join(scribe.handle("aide").lines)
        assert [offer.word for offer in scribe.completions("/ann")] == ["/annuler"]
    finally:
        set_language("en")


def test_what_was_answered_survives_a_crash(scribe: Shell) -> None:
    scribe.handle("step c1; pick")
    again = Shell(Session(store_url=scribe.here.store_url), scribe.game_id)
    assert again.prompt() == "B #5 › "
    assert texts(again) == texts(scribe)


def in_own_thread(work: Callable[[], None]) -> None:
    """A prompt needs a thread without an event loop; a browser of other tests may run one."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result()


def typed(scribe: Shell, keys: str) -> None:
    """Type these keys at the prompt, as a scribe would."""
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    def at_the_prompt() -> None:
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
            pipe.send_text(keys)
            run(scribe, prompt_session(scribe))

    in_own_thread(at_the_prompt)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("step c1\rpick\r/quit\r", ["A step c1", "A pick"]),
        ("step c1\r\x1a/quit\r", []),
        ("step c1\r\x1a\x19/quit\r", ["A step c1"]),
        (
            "step c1; gather; B step c2; swap feather; gather\r\r/quit\r",
            ["A step c1", "A gather", "B step c2", "B gather"],
        ),
        ("\x04", []),
        ("c1\rp\r/quit\r", ["A step c1", "A pick"]),
        ("\tc1\r\tp\t\r/quit\r", ["A step c1", "A pick"]),
        ("\x1bOP/quit\r", []),
    ],
    ids=[
        "lines",
        "undo key",
        "redo key",
        "the rest comes back",
        "end of file",
        "few letters",
        "tab",
        "F1",
    ],
)
def test_keys_do_what_they_say(scribe: Shell, keys: str, expected: list[str]) -> None:
    typed(scribe, keys)
    assert texts(scribe) == expected
