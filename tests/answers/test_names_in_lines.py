"""Lines in which players are called by their names, wherever a line is read for a game."""

from __future__ import annotations

import json
from random import Random

import pytest

from answers.context import Caller, StoreContext
from answers.i18n import Voice
from answers.line_words import drawn_words, names_of, without_code
from answers.play.actions import check, log
from answers.play.corrections import correct
from answers.play.moves import why
from answers.privileged import legal_actions
from answers.problems import problem_of
from engines.kernel import ParseError
from engines.kernel.messages.catalogue import LANGUAGES, Language
from referee.table.author import Author
from replays.gallery import sample
from tests.answers.conftest import SETUP
from tests.cli.test_french import GAMES
from tests.opening import new_table

ISOLATES = dict.fromkeys(range(0x2066, 0x206A))
"""The marks that keep a name in its own direction."""
MACHINES = {
    str(number): {"workers": workers}
    for number, workers in enumerate(("DE", "MD", "ME", "MS", "SE", "SD"), start=1)
}


def notations(caller: Caller, game: str) -> list[str]:
    shown = caller.game(game)
    return [shown.engine.text(step.action) for step in shown.steps[1:] if step.action is not None]


def test_a_player_is_called_by_name_at_every_door(scribe: Caller, game: str) -> None:
    said = "Ana: step from a1 to c2, swap a feather"
    assert check(scribe, game, ["ANA step c2"]).data.notation == "A step c2"
    assert why(scribe, game, "Ana step c2").data.notation == "A step c2"
    with pytest.raises(ParseError):
        log(scribe, game, ["Bo step c2"])
    assert log(scribe, game, [said.replace("from a1 ", "")]).outcome == "done"
    assert notations(scribe, game)[-2:] == ["A step c2", "A swap feather"]
    number = scribe.game(game).numbers()[-2]
    correct(scribe, game, number, ["Ana step to c2"])
    assert notations(scribe, game)[-2:] == ["A step c2", "A swap feather"]


def test_a_name_that_two_players_bear_names_neither(scribe: Caller) -> None:
    players = {"A": "Ana Lima", "B": "Ana Roth"}
    opened = new_table(scribe, "benevolent", "A=blue B=red first A", players=players)
    log(scribe, opened, SETUP)
    with pytest.raises(ParseError):
        log(scribe, opened, ["Ana step c2"])
    assert log(scribe, opened, ["Ana Lima: step c2"]).outcome == "done"


@pytest.mark.parametrize(
    ("line", "fits"),
    [
        ("A step zz", "c2"),
        ("A pas zz", "c2"),
        ("A step", "c2"),
        ("A: step cc2", "c2"),
    ],
)
def test_what_cannot_be_read_is_answered_with_what_would_fit(
    scribe: Caller, game: str, line: str, fits: str
) -> None:
    for asked in (log, check):
        with pytest.raises(ParseError) as refused:
            asked(scribe, game, [line])
        legal = [str(word) for word in refused.value.facts["fits"]]
        assert fits in legal
        for word in legal:
            assert check(scribe, game, [f"A step {word}"]).outcome == "done"
        told = problem_of(refused.value, Voice(lang="fr")).message
        assert f"possible ici : {legal[0]}" in told


def test_what_would_fit_is_said_in_the_language_of_the_reader(scribe: Caller) -> None:
    opened = new_table(scribe, "bethel_woods", "A B first A")
    position = {"machines": MACHINES, "players": {"A": {"knowledge": ["E4", "E4", "E5"]}}}
    setup = ["A char junas; B char linny", f"position {json.dumps(position)}"]
    log(scribe, opened, setup)
    with pytest.raises(ParseError) as refused:
        log(scribe, opened, ["A junas burns M1"])
    for lang, fits in (("en", ": pay"), ("fr", ": paie")):
        assert problem_of(refused.value, Voice(lang=lang)).message.endswith(fits)


def test_the_nearest_word_comes_first(scribe: Caller, game: str) -> None:
    with pytest.raises(ParseError) as refused:
        log(scribe, game, ["A step Cc2"])
    assert refused.value.facts["fits"][0] == "c2"


def test_what_would_fit_is_not_told_to_a_seat(store_context: StoreContext, game: str) -> None:
    seated = Caller(store_context, Author(role="seat:A"))
    with pytest.raises(ParseError) as refused:
        check(seated, game, ["A step zz"])
    assert "fits" not in refused.value.facts


def test_a_count_is_asked_about_as_it_is_logged(scribe: Caller, game: str) -> None:
    asked = [why(scribe, game, "audit A leaves 9"), check(scribe, game, ["audit A leaves 9"])]
    logged = log(scribe, game, ["audit A leaves 9"])
    number = str(scribe.game(game).last_number)
    for answered in (*asked, logged, why(scribe, game, number)):
        assert any("touched by #4" in line for line in answered.lines(Voice()))


def test_what_no_action_broke_is_said_of_none(scribe: Caller, game: str) -> None:
    logged = log(scribe, game, ["audit back sale=free_swap"])
    told = "\n".join(logged.lines(Voice()))
    assert "proven: BEN-KIT-3 is not met" in told
    assert "–" not in told


@pytest.mark.parametrize("engine", GAMES)
def test_whoever_types_what_a_button_says_does_what_it_does(scribe: Caller, engine: str) -> None:
    """At a moment of a sample game, in both languages; a label of two actions says neither."""
    whole = sample(engine)
    setup, *played = [whole.engine.text(step.action) for step in whole.steps if step.action]
    opened = new_table(scribe, engine, setup, players={"A": "Ana", "B": "Bo"})
    for said in played[: len(played) // 3]:
        assert log(scribe, opened, [said]).outcome == "done"
    text, voice = whole.engine.text, scribe.voice.at(scribe.game(opened).seats)
    offered = legal_actions(scribe, opened)
    for lang in LANGUAGES:
        by_label: dict[str, set[str]] = {}
        for action in offered:
            by_label.setdefault(text.label(action, lang, voice.names), set()).add(text(action))
        assert by_label
        for label, lines in Random(engine).sample(sorted(by_label.items()), min(12, len(by_label))):
            if len(lines) == 1 and not whole.engine.notation.reads(label):
                (line,) = lines
                typed = label.translate(ISOLATES)
                assert check(scribe, opened, [typed]).data.notation == line, label


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("engine", GAMES)
def test_what_is_drawn_on_a_button_has_a_name_beside_its_code(engine: str, lang: Language) -> None:
    """Whole lines are sentences; a button of a single word says what it is too."""
    recorded = sample(engine)
    steps = [step for step in recorded.steps if step.action is not None]
    lines = [recorded.engine.text(step.action) for step in steps]
    for step in steps[::9]:
        lines += map(recorded.engine.text, recorded.engine.options(step.setting, step.state) or ())
    drawn = drawn_words(recorded.engine, lines, steps[-1].setting, lang)
    named = names_of(recorded.engine, lines, lang)
    assert drawn
    assert {word for word in drawn if not without_code(named.get(word, word), word)} == set()
