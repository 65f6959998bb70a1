"""Where names are known nobody is called by the letter of a seat, in any game or language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, ClassVar

import pytest

from answers.explanation import why_lines
from answers.i18n import Voice
from answers.problems import problem_of
from answers.verdict_text import finding_lines, to_act, verdict_lines, warning_lines
from engines.kernel import Engine, Judgement, Verdict, evolve
from engines.kernel.dialogue.clause_text import DatumInWords, because, effect_told
from engines.kernel.messages.catalogue import LANGUAGES, Catalogue, Language, PersonName
from engines.kernel.messages.package_data import read_words
from engines.kernel.registry import load_engine
from referee.cases.runner import CaseTable, run_at
from referee.errors import Conflicting, RefereeError
from referee.record.fold import fold
from referee.record.game import Game, moves_between
from referee.table.author import Author, By
from referee.table.bench import Bench
from referee.table.lifecycle import close
from referee.table.openings import open_game
from referee.table.play import log
from replays.text_record import read_text
from tests.cli.test_french import GAMES, SAMPLES
from tests.record.conftest import make_bench
from tests.test_cases import every_game, files_of, read

PEOPLE = {"A": "Ana", "B": "Bo", "C": "Élise", "D": "Dov", "E": "Yves"}
_LETTER = re.compile(r"(?<![\w:/@=-])[A-E](?![\w/@=-])")
"""A letter alone, before a colon or in a path; in an assignment it is written as it is typed."""
_NO_SEAT = re.compile(
    r"(?:[Cc]ircle|[Cc]ercle(?: de pierres)?) [A-E]\b|\(E\)$|vers [A-E], [A-E]"
    r"|turbo (?:broom )?[A-E]–[A-E]"
)
"""Stone circles, the turbo brooms between two of them, and kinds of workers that a position has too
many of."""
_UNELIDED = re.compile(r"\b(?:de|que) (?:Ana|Élise|Yves)\b")


def unnamed(lines: list[str]) -> Iterator[str]:
    """The lines that call somebody by a letter, or a name in French without its elision."""
    for line in lines:
        if _LETTER.search(_NO_SEAT.sub("", line)) or _UNELIDED.search(line):
            yield line


def told(engine: Engine[Any, Any], verdict: Verdict, lang: Language) -> list[str]:
    """The facts of a verdict in sentences."""
    voice = Voice(lang, names=PEOPLE)
    points = (*verdict.breaches, *verdict.claims)
    return [
        *(because(engine, point, lang, PEOPLE) for point in points),
        *(effect_told(engine, point, lang, PEOPLE) for point in verdict.effects),
        *finding_lines(voice, engine, verdict),
        *warning_lines(voice, engine, verdict),
    ]


class NamingTable(CaseTable):
    """A game played by a case; whoever its verdicts tell of is looked at."""

    wrong: ClassVar[set[str]]
    named: ClassVar[set[str]]
    data: ClassVar[set[str]]
    """Data of the box that verdicts rest on and that have no name in words."""

    def hear(self, text: str, *, lenient: bool) -> Verdict:
        verdict = super().hear(text, lenient=lenient)
        for lang in LANGUAGES:
            lines = told(self.engine, verdict, lang)
            self.wrong.update(unnamed(lines))
            self.named.update(line for line in lines if "Ana" in line)
            paths = (each.facts.get("datum") for each in verdict.consulted)
            words = self.engine.words
            self.data.update(path for path in paths if path and not words.datum(path, lang))
        return verdict


@pytest.mark.parametrize("game", every_game())
def test_no_fact_of_a_verdict_calls_a_person_by_a_letter(game: str) -> None:
    class Table(NamingTable):
        wrong: ClassVar[set[str]] = set()
        named: ClassVar[set[str]] = set()
        data: ClassVar[set[str]] = set()

    engine = load_engine(game)
    for path in files_of(game):
        file = read(path)
        for case in file.case:
            run_at(Table, engine, case, file.start_of(case))
    assert sorted(Table.wrong) == []
    assert sorted(Table.data) == []
    assert Table.named


@cache
def sample(game: str) -> Game:
    record = read_text(SAMPLES.joinpath(f"{game}.txt").read_bytes())
    return fold(record.stream, record.rows)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_told_by_names_from_its_opening_to_its_end(game: str, lang: Language) -> None:
    """Movements, positions, verdicts, *why*: as pages and the API tell them."""
    played = sample(game)
    engine = played.engine
    voice = Voice(lang, sentences=True, thorough=True, names=PEOPLE)
    clauses = [clause.say(lang, played.setting.readings) for clause in engine.clauses.values()]
    lines: list[str] = []
    for step in played.steps[1:]:
        if step.action is None or step.number is None:
            continue
        judged = Judgement(step.action, step.verdict, step.state, True)
        moves = moves_between(played, played.before(step.number), step)
        readings = step.setting.readings
        lines += verdict_lines(voice, engine, judged, moves, readings)
        lines += why_lines(voice, engine, step.setting, judged, moves)
        lines += engine.describe(step.state, step.setting, lang, PEOPLE)
    said = {line for line in lines if not any(clause in line for clause in clauses)}
    assert sorted(unnamed(sorted(said))) == []
    assert any("Ana" in line for line in said)


@pytest.mark.parametrize("game", GAMES)
def test_whoever_reads_the_line_about_the_turn_is_spoken_to(game: str) -> None:
    played = sample(game)
    people = {seat: f"p{seat}" for seat in played.setting.seats}
    names = {f"p{seat}": name for seat, name in PEOPLE.items()}
    for entries in range(1, len(played.entries), 9):
        shown = _begun(game, entries, people)
        for seat in shown.state.agenda.seats:
            voice = Voice(name_of=names.get)
            to_others, to_them = to_act(voice, shown), to_act(voice.to(seat), shown)
            assert PEOPLE[seat] in to_others
            assert PEOPLE[seat] not in to_them
            assert "your turn: " in to_them


def _begun(game: str, entries: int, people: dict[str, str]) -> Game:
    """The first entries of a sample, as if these people played it."""
    record = read_text(SAMPLES.joinpath(f"{game}.txt").read_bytes())
    return evolve(fold(record.stream, record.rows[:entries]), seats=people)


REFUSED: dict[str, Callable[[Bench, str], object]] = {
    "not_over": lambda bench, table: close(bench, table),
    "own_seat_only": lambda bench, table: log(
        bench, table, "A take 1", by=By(Author(role="seat:B"))
    ),
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", REFUSED)
def test_a_refusal_calls_people_by_name(key: str, lang: Language) -> None:
    bench = make_bench()
    people = {"A": "pa", "B": "pb"}
    table = open_game(bench, "pebbles", "table A B first A", seats=people).game.id
    with pytest.raises(RefereeError, match=key) as refused:
        REFUSED[key](bench, table)
    told = problem_of(refused.value, Voice(lang, name_of={"pa": "Ana", "pb": "Bo"}.get))
    assert "Ana" in told.message
    assert [*unnamed([told.message])] == []
    assert "Ana" not in str(told.facts)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Conflicting("not_over", seats=()), "the game is not over: give a reason"),
        (Conflicting("nothing_to_take_back", count=1, actions=0), "there is nothing to undo"),
        (Conflicting("nothing_to_restore", count=1, actions=0), "there is nothing to redo"),
    ],
)
def test_what_is_not_there_is_not_counted(error: RefereeError, said: str) -> None:
    assert said in problem_of(error, Voice()).message
    told = problem_of(error, Voice("fr")).message
    assert "0" not in told
    assert "aucun" not in told


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_an_opening_tells_its_readings_as_question_and_answer(game: str, lang: Language) -> None:
    engine = load_engine(game)
    name, reading = next(iter(engine.readings.items()))
    *_, value = reading.values
    opening = engine.text.load(sample(game).opened.opening)
    told = engine.text.tell(opening.model_copy(update={"readings": {name: value}}), lang)
    assert f"{reading.question.say(lang)} {reading.values[value].say(lang)}" in told
    assert name not in told


def test_where_something_is_written_is_said_in_words() -> None:
    words = read_words("engines.roundforest", read_words("engines.kernel")).naming(PEOPLE)
    assert words.fact("field", "players.A.pack", "en") == "players · Ana · pack"
    assert words.fact("field", "players.A.pack", "fr") == "joueurs · Ana · sac à dos"
    hat = DatumInWords("objects.count.hat", words)
    assert hat.said(words, "fr") == "nombre d’objets (chapeau)"


def test_a_card_belongs_to_a_person() -> None:
    words = read_words("engines.bloody_grove", read_words("engines.kernel"))
    assert words.show(["A:b1", "V3"], "en") == "A:b1, V3"
    assert words.naming(PEOPLE).show(["A:b1", "V3"], "en") == "Ana’s b1, V3"
    assert words.naming(PEOPLE).show(["A:b1", "V3"], "fr") == "b1 d’Ana, V3"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Ana", "le paquet d’Ana, qu’Ana a vu"),
        ("Élise", "le paquet d’Élise, qu’Élise a vu"),
        ("Yves", "le paquet d’Yves, qu’Yves a vu"),
        ("Œdipe", "le paquet d’Œdipe, qu’Œdipe a vu"),
        ("Yann", "le paquet de Yann, que Yann a vu"),
        ("Bo", "le paquet de Bo, que Bo a vu"),
        ("Hugo", "le paquet de Hugo, que Hugo a vu"),
    ],
)
def test_french_elides_before_a_name_that_begins_with_a_vowel(name: str, said: str) -> None:
    words = Catalogue({}).naming({"A": name})
    template = "le paquet de {seat}, que {seat} a vu"
    assert words.fill(template, "fr", seat="A") == said
    assert words.fill(template, "fr", seat=PersonName(name)) == said
    several = words.fill("le paquet de {seats}", "fr", seats=("A", "B"))
    assert several == said.partition(",")[0] + ", B"
    assert words.fill("de {seat}", "fr", seat="a1") == "de a1"


def test_what_is_counted_belongs_to_somebody() -> None:
    words = read_words("engines.benevolent", read_words("engines.kernel")).naming(PEOPLE)
    assert words.fact("subject", "A leaves", "en") == "Ana’s leaves"
    assert words.fact("subject", "A leaves", "fr") == "feuilles d’Ana"
    assert words.fact("subject", "river clover", "fr") == "trèfles dans la rivière"


def test_a_name_is_looked_up_once_for_an_answer() -> None:
    asked: list[str] = []

    def name_of(person: str) -> str:
        asked.append(person)
        return person.title()

    seats = {"A": "ana", "B": "bo"}
    voice = Voice(name_of=name_of).at(seats)
    assert voice.at(seats) is voice
    assert [voice.called(seat, seats) for seat in "ABC"] == ["Ana", "Bo", "C"]
    assert asked == ["ana", "bo"]


def test_a_letter_that_names_a_person_would_be_noticed() -> None:
    assert [*unnamed(["A has 3 leaves", "it is B’s turn", "la main de Ana"])] == [
        "A has 3 leaves",
        "it is B’s turn",
        "la main de Ana",
    ]
    assert [*unnamed(["Ana has 3", "first=A", "stone circle B is not shown"])] == []
    assert [*unnamed(["A:b1 is not in the box", "in the position: players.A.pack"])] == [
        "A:b1 is not in the box",
        "in the position: players.A.pack",
    ]
