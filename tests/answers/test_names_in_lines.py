"""Lines in which players are called by their names, wherever a line is read for a game."""

from __future__ import annotations

import json
import re
from itertools import islice
from random import Random

import pytest

from answers.context import Caller, StoreContext
from answers.i18n import Voice
from answers.line_words import called, drawn_words, names_of, without_code
from answers.play.actions import check, log
from answers.play.corrections import correct, undo
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
    """At a moment of a sample game, in both languages, one after the other, after an undo, and
    again with its key; a label of two actions says neither."""
    opened, played = begun(scribe, engine)
    assert log(scribe, opened, [played[0]]).outcome == "done"
    undo(scribe, opened)
    for lang in LANGUAGES:
        labels = labelled(scribe, opened, lang)
        assert labels
        for said, line in Random(engine).sample(sorted(labels.items()), min(12, len(labels))):
            assert check(scribe, opened, [said]).data.notation == line, said
    here, followed = scribe.game(opened).last_number, []
    for number, line in enumerate(played[:6]):
        labels = {meant: said for said, meant in labelled(scribe, opened, "fr").items()}
        followed.append(labels.get(line, line))
        keyed = scribe.keyed(f"key-of-line-{number}")
        answers = [log(keyed, opened, [followed[-1]]).data for _ in range(2)]
        assert answers[0].notation == answers[1].notation == line
        assert answers[0].number == answers[1].number
    assert notations(scribe, opened)[-len(followed) :] == played[:6]
    while scribe.game(opened).last_counting > here - 1:
        undo(scribe, opened)
    together = check(scribe, opened, followed).data.lines
    assert [each.notation for each in together] == played[:6]
    assert any(said not in played for said in followed)


@pytest.mark.parametrize("engine", GAMES)
def test_a_seat_types_what_its_own_buttons_say_and_nobody_elses(
    scribe: Caller, engine: str
) -> None:
    opened, played = begun(scribe, engine)
    for line in played:
        for seat in "AB":
            phone = Caller(scribe.store_context, Author(role=f"seat:{seat}"))
            for said, meant in islice(labelled(phone, opened, "fr").items(), 3):
                assert check(phone, opened, [said]).data.notation == meant, (seat, said)
        log(scribe, opened, [line])


def begun(scribe: Caller, engine: str) -> tuple[str, list[str]]:
    """A sample game after its first third, and the next lines of it."""
    whole = sample(engine)
    setup, *played = [whole.engine.text(step.action) for step in whole.steps if step.action]
    opened = new_table(scribe, engine, setup, players={"A": "Ana", "B": "Bo"})
    third = len(played) // 3
    for said in played[:third]:
        assert log(scribe, opened, [said]).outcome == "done"
    return opened, played[third : third + 10]


def labelled(caller: Caller, game: str, lang: Language) -> dict[str, str]:
    """What the buttons of a caller say, where one alone says so and it is no line, and its line."""
    found = caller.game(game)
    text, names = found.engine.text, caller.voice.at(found.seats).names
    lines: dict[str, set[str]] = {}
    for action in legal_actions(caller, game):
        if caller.author.seat in (None, action.by):
            said = text.label(action, lang, names).translate(ISOLATES)
            lines.setdefault(said, set()).add(text(action))
    reads = found.engine.notation.reads
    return {said: line for said, (line, *more) in lines.items() if not more and not reads(said)}


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


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("engine", GAMES)
def test_what_is_tapped_is_told_by_its_name(scribe: Caller, engine: str, lang: Language) -> None:
    """A thing that stands for no line is asked about by itself; its code is told to nobody."""
    opened, _ = begun(scribe, engine)
    played, told = scribe.game(opened), []
    picture = played.engine.picture(played.state, played.setting, lang, None)
    for word in sorted(set(re.findall(r'data-word="([^"]+)"', picture.body)) - {*played.seats}):
        try:
            why(scribe, opened, word)
        except ParseError as error:
            name = called(played.engine, word, lang)
            said = problem_of(error, Voice(lang=lang)).message
            told.append(name)
            assert re.search(rf"“{re.escape(name)}”|« {re.escape(name)} »", spaced(said)), said
    assert told


def spaced(said: str) -> str:
    return re.sub(r"[\u00a0\u202f]", " ", said).translate(ISOLATES)
