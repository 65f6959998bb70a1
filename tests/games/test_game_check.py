"""An author is told what is wrong with a game: every usual mistake, in one sentence, and where."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable, Mapping
from datetime import date
from importlib import import_module, invalidate_caches
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from engines.kernel import LANGUAGES, Engine
from engines.kernel.registry import load_engine
from referee.cases.case_file import read_cases
from referee.game_check.checker import Effort, assert_sound, check_game
from referee.game_check.defects import Defect
from referee.game_check.random_games import completed, open_game, play_on
from referee.game_check.sources import Sources
from referee.game_check.template import new_game
from referee.game_check.written import check_files, check_written
from tests.playing import playable_games
from tests.speaking import REFEREE_WORDS
from tests.tutorial import ROOT, write_tutorial

Broken = Callable[..., Engine[Any, Any]]
_KEYS = re.compile(r'(?:wrong|advice)\(\s*"([a-z_]+)"')
QUICK = Effort(games=1, looks=2)
FEW = 5
"""No fault that is planted here needs more actions to be met."""


class Mistake(NamedTuple):
    """What an author wrote wrong in Pebbles, and what the author must be told."""

    file: str
    right: str
    wrong: str
    key: str
    at: str
    """What stands on the line that is named; empty where only the file can be told."""
    says: tuple[str, ...]
    """Words of the sentence: what is wrong, and what to write instead."""


CODE = "__init__.py"
STOP = """
class Stop(Action):
    verb: Literal["stop"] = "stop"


rules = Rulebook({"turn": (Take,), "stop": (Stop,), "": (Audit, Position)}, audit="PEB-AUDIT-1")


@rules.hears(Stop)
def stop(state: Tableau, action: Stop, rule: Hearing[Box]) -> Tableau:
    rule("PEB-KIT-2", state.heap < 12, heap=state.heap)
    return state


@rules.offers(Stop)
def stops(state: Tableau, seat: str, table: object):
    yield Stop(by=seat)

"""

GOT = "got = max(0, min(action.pebbles, state.heap))"
MISTAKES = {
    "a clause that is not written": Mistake(
        CODE, '"PEB-TAKE-1"', '"PEB-TAKE-7"', "unknown_clause", "PEB-TAKE-7",
        ("PEB-TAKE-7", "write [PEB-TAKE-7] there"),
    ),
    "a clause that no rule names": Mistake(
        CODE, '    rule("PEB-END-2", not state.over)\n', "", "unused_clause", "[PEB-END-2]",
        ("no rule names PEB-END-2", "write rule("),
    ),
    "a fact that is misspelt": Mistake(
        "clauses.toml", "{heap} {heap:is|are} left", "{haep} {heap:is|are} left",
        "unknown_fact", "[PEB-TAKE-3]", ("{haep}", "{heap}, {pebbles}"),
    ),
    "what is held is seen twice": Mistake(
        CODE, 'sight=Sight(held=("heap",)),',
        'sight=Sight(held=("heap",), more=lambda s, t: [Holding("heap", "pebble")]),',
        "sight_twice", "", ("“pebble” at “heap”", "sight.held"),
    ),
    "French is missing": Mistake(
        "clauses.toml", 'fr = "Prenez un, deux ou trois cailloux."\n', "",
        "no_language", "[PEB-TAKE-1]", ("PEB-TAKE-1", "“fr”"),
    ),
    "French is missing in a sentence": Mistake(
        "clauses.toml", ', fr = "il en reste {heap}" }', " }",
        "no_language", "[PEB-TAKE-3]", ("PEB-TAKE-3 because", "“fr”"),
    ),
    "French is missing in the words": Mistake(
        "words.toml", 'en = "take pebbles"\nfr = "prendre des cailloux"', 'en = "take pebbles"',
        "no_language", "[duty.turn]", ("duty.turn", "“fr”"),
    ),
    "a duty that is misspelt": Mistake(
        CODE, 'push(Duty("turn", other))', 'push(Duty("trun", other))',
        "unknown_duty", 'Duty("trun"', ("“trun”", "one of turn"),
    ),
    "a duty without words": Mistake(
        "words.toml", "[duty.turn]", "[duty.trun]", "no_words", "", ("[duty.turn]", "write it"),
    ),
    "two duties on each other instead of one group": Mistake(
        CODE, "push(Duty(\"turn\", opening.first))",
        "push(Duty(\"turn\", opening.first)).push(Duty(\"stop\", opening.first))",
        "dead_end_stacked", "", ("A stop is due first", "A turn waits", "push(Group("),
    ),
    "a file of words that cannot be read": Mistake(
        "words.toml", '[game]\nen = "Pebbles"', '[game]\nen = Pebbles"',
        "unreadable", 'en = Pebbles"', ("cannot be read", "line 2"),
    ),
    "a kit without a datum": Mistake(
        "kits/pebbles.toml", "heap = 12\n", "", "bad_kit", "kit = ", ("heap", "missing"),
    ),
    "an error in a rule": Mistake(
        CODE, "    got = max(", "    wrong = 1 // (state.heap - 12)\n    got = max(",
        "crash", "wrong = 1 //", ("ZeroDivisionError", "refuses with rule("),
    ),
    "a reading that is not written": Mistake(
        CODE, 'rule.reading("last_pebble")', 'rule.reading("last_peble")',
        "unknown_reading", "last_peble", ("“last_peble”", "one of last_pebble"),
    ),
    "an action that nothing hears": Mistake(
        CODE, "@rules.hears(Take)\n", "", "not_heard", "class Take", ("@rules.hears(Take)",),
    ),
    "an action that nothing offers": Mistake(
        CODE, "@rules.offers(Take)\n", "", "not_offered", "class Take", ("@rules.offers(Take)",),
    ),
    "an offer that leaves something out": Mistake(
        CODE, "for n in (1, 2, 3))", "for n in (1, 2))", "not_an_option", "", ("is not offered",),
    ),
    "an opening without a usual table": Mistake(
        CODE, "    def usual(", "    def unusual(", "no_usual", "class Table", ("usual(players)",),
    ),
    "a space that is misspelt": Mistake(
        CODE, '["heap"] if', '["haep"] if', "no_such_space", "", ("“haep”", "one of heap"),
    ),
    "a position that forgets something": Mistake(
        CODE, "(\"A\",))[0], last=state.last", "(\"A\",))[0]", "position_differs", "",
        ("position_of leaves something out",),
    ),
    "pebbles that vanish": Mistake(
        CODE, "heap=state.heap - got", "heap=state.heap - 2 * got", "not_conserved", "",
        ("pebbles -", "correct the rule or the balance"),
    ),
    "pebbles that vanish late": Mistake(
        CODE, "heap=state.heap - got", "heap=state.heap - got - (state.heap == 7)",
        "not_conserved", "rules.hears(Take)", ("pebbles -1",),
    ),
    "a hand into an empty heap": Mistake(
        CODE, "got = max(0, min(action.pebbles, state.heap))", "got = action.pebbles",
        "negative_holding", "rules.hears(Take)", ("heap holds −", "no more than there is"),
    ),
    "dice": Mistake(
        CODE, GOT, "import random\n    got = random.randint(0, 1)",
        "imports_chance", "import random", ("“random”", "chance is seen"),
    ),
    "dice by another name": Mistake(
        CODE, GOT, "got = __import__('os').urandom(1)[0] % 2",
        "not_repeated", "rules.hears(Take)", ("comes out otherwise", "rolls no dice"),
    ),
    "dice in a rule that is not broken": Mistake(
        CODE, GOT, f"{GOT}\n    rule('PEB-TAKE-2', True, pebbles=__import__('os').urandom(2)[0])",
        "not_repeated", "rules.hears(Take)", ("(verdict.",),
    ),
    "a clock": Mistake(
        CODE, GOT, "from datetime import date\n    got = date.today().year % 2",
        "imports_clock", "from datetime", ("“datetime”", "reads a clock"),
    ),
    "a clock by another name": Mistake(
        CODE, GOT, "got = 1 + (__import__('datetime').date.today().year > YEAR)",
        "not_repeated", "rules.hears(Take)", ("(heap)", "reads no clock"),
    ),
    "something kept between two actions": Mistake(
        CODE, GOT, "KEPT.append(1)\n    got = 1 + (len(KEPT) < 3)",
        "not_repeated", "rules.hears(Take)", ("keeps nothing between",),
    ),
    "something kept from the first game on": Mistake(
        CODE, GOT, "KEPT[:] = KEPT or [rule.number % 3]\n    got = KEPT[0]",
        "not_repeated", "rules.hears(Take)", ("keeps nothing between",),
    ),
    "the order of a set": Mistake(
        CODE, GOT, "got = 1\n    rule('PEB-TAKE-2', True, pebbles=[*{f'{n}' for n in range(99)}])",
        "not_repeated", "rules.hears(Take)", ("comes out otherwise",),
    ),
    "a state that is changed in place": Mistake(
        CODE, "mine = {**state.taken, action.by: state.taken[action.by] + got}",
        "mine = state.taken\n    mine[action.by] += got",
        "not_repeated", "", ("never changes the state it is given",),
    ),
    "an end without a result": Mistake(
        CODE, "    if state.winner is None:\n        return None\n", "    return None\n",
        "no_result", "", ("give a Result",),
    ),
    "a table that wins together in a game of opponents": Mistake(
        CODE, '"PEB-END-1"\n', '"PEB-END-1", won=True\n', "won_together", "",
        ("Engine(cooperative=True)",),
    ),
    "a description in one language": Mistake(
        CODE, 'return [speech.say("heap", count=state.heap)]', "return [str(state.heap)]",
        "not_translated", "", ("speech.say(",),
    ),
    "a sentence that is not written": Mistake(
        CODE, 'speech.say("heap", count', 'speech.say("haep", count',
        "no_words", "haep", ("[haep]",),
    ),
}  # fmt: skip


HIDES = "        if seat != viewer and one.dealt and one.shown is None\n"
TELLS = 'rule.effect("HAN-END-2", True, holds=str(state.players["A"].face))'
DEALT = "    taken = 0 if state.players[action.seat].dealt"
LEAKS = {
    "a card that is named before everybody": Mistake(
        CODE, '    private: ClassVar = ("face",)\n', "", "told_openly", "class Dealt",
        ("what hide keeps from them", "private = (“face”,)"),
    ),
    "an effect that only one card has": Mistake(
        CODE, DEALT, f'    rule.effect("HAN-END-2", action.face == "crown")\n{DEALT}',
        "clause_tells", "", ("whether HAN-END-2 is named", "what everybody may know"),
    ),
    "a claim that only one card makes": Mistake(
        CODE, DEALT,
        f'    if action.face == "crown":\n        rule.claim("HAN-END-2")\n{DEALT}',
        "clause_tells", "", ("whether HAN-END-2 is named",),
    ),
    "a fact that follows from a card": Mistake(
        CODE, DEALT, f'    rule.effect("HAN-END-2", True, long=len(action.face or ""))\n{DEALT}',
        "fact_tells", "", ("the fact long of HAN-END-2", "private_facts"),
    ),
    "a stage that shows a card": Mistake(
        CODE, DEALT,
        f'    rule.stage(evolve(state, questions=len(action.face or "") + 50))\n{DEALT}',
        "line_tells", "", ("the stages it goes through",),
    ),
    "a description that reads a secret": Mistake(
        CODE, 'facts = {"face": speech.term(face)} if face else {}',
        'facts = {"face": speech.term(one.face.lower())} if face or one.dealt else {}',
        "crash", "facts =", ("game’s own code", "hide, describe and picture"),
    ),
    "a player who is changed in place": Mistake(
        CODE, "    state = evolve(state, stock=state.stock - taken)\n",
        "    state = evolve(state, stock=state.stock - taken)\n"
        "    state.players[action.seat] = Player(True, action.face)\n",
        "not_repeated", "", ("players.", "never changes the state it is given"),
    ),
    "a hand that is not hidden": Mistake(
        CODE, HIDES, "        if False\n", "not_hidden", "def hide",
        ("replace what is hidden by SECRET",),
    ),
    "a hand that is hidden only when it is known": Mistake(
        CODE, HIDES, f"{HIDES}        and one.face is not None\n", "hidden_differs", "def hide",
        ("players.*.face", "whatever it is"),
    ),
    "a rule that fails on what is left of a hand": Mistake(
        CODE, "face=SECRET)", "face=7)", "hidden_fails", "one.face.upper()",
        ("AttributeError", "write SECRET in hide"),
    ),
    "a fact that names what another one holds": Mistake(
        CODE, ", of=action.of)", ", of=action.of)\n    " + TELLS, "fact_tells", "",
        ("the fact holds of HAN-END-2", "private_facts"),
    ),
}  # fmt: skip
"""What is wrong with secrets, planted in the starter with hidden hands."""


FORMS = '    forms: ClassVar = ("{pebbles}",)\n'
AMOUNTS = '    amounts: ClassVar = ("pebbles",)\n'


@pytest.mark.parametrize("name", LEAKS)
def test_a_secret_that_is_not_kept_is_told_in_one_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mistake, game = LEAKS[name], f"hands_{list(LEAKS).index(name)}"
    files = new_game(game, hidden=True)
    code = files[f"{game}/{CODE}"]
    if mistake.key == "hidden_fails":
        code = code.replace("sum(one.face ==", "sum((one.face and one.face.upper()) ==", 1)
    assert mistake.right in code
    files[f"{game}/{CODE}"] = code.replace(mistake.right, mistake.wrong, 1)
    engine = written(files, tmp_path, monkeypatch, game)
    assert_told_once(engine, mistake, tmp_path, lines=1)


def assert_told_once(
    engine: Engine[Any, Any], mistake: Mistake, folder: Path, *, lines: int
) -> None:
    """In one sentence of both languages; where a line is named, it is there or right behind."""
    everything = check_game(engine, effort=QUICK)
    found = [each for each in everything if each.key == mistake.key]
    assert len(found) == 1, everything
    assert str(found[0].facts.get("story", "")).count(";") <= FEW, found
    english = told(found[0], "en")
    assert all(words in english for words in mistake.says), english
    assert told(found[0], "fr") not in ("", english)
    if mistake.at:
        assert found[0].line is not None, found[0]
        code = (folder / found[0].file).read_text("utf-8").splitlines()[found[0].line - 1 :]
        assert any(mistake.at in line for line in code[:lines]), found[0]


def written(
    files: Mapping[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> Engine[Any, Any]:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    monkeypatch.syspath_prepend(folder)
    invalidate_caches()
    engine: Engine[Any, Any] = import_module(game).ENGINE
    return engine


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Broken:
    """Pebbles with something replaced in one of its files, under a name of its own."""

    def written(name: str, file: str, right: str, wrong: str) -> Engine[Any, Any]:
        write_tutorial(tmp_path)
        folder = (tmp_path / "pebbles").rename(tmp_path / name)
        for path in folder.rglob("*.py"):
            text = path.read_text("utf-8")
            path.write_text(text.replace('package="pebbles"', f'package="{name}"'), "utf-8")
        path = folder / file
        text = path.read_text("utf-8")
        assert right in text
        text = text.replace(right, wrong.replace("YEAR", f"{date.today().year}"), 1)
        if "KEPT" in wrong:
            text = f"KEPT = []\n{text}"
        if 'Duty("stop"' in wrong:
            book = next(line for line in text.splitlines() if line.startswith("rules = "))
            text = text.replace(f"{book}\n", STOP).replace(
                "(Take, Position),", "(Take, Stop, Position),"
            )
        path.write_text(text, "utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        invalidate_caches()
        engine: Engine[Any, Any] = import_module(name).ENGINE
        return engine

    return written


def told(defect: Defect, lang: Any) -> str:
    return REFEREE_WORDS.show(defect.phrase, lang)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_usual_mistake_is_told_in_one_sentence(name: str, broken: Broken, tmp_path: Path) -> None:
    mistake = MISTAKES[name]
    package = f"pebbles_{list(MISTAKES).index(name)}"
    engine = broken(package, mistake.file, mistake.right, mistake.wrong)
    assert_told_once(engine, mistake, tmp_path, lines=2)


def test_nothing_is_wrong_with_the_games_of_the_tutorial(broken: Broken) -> None:
    """Fists has cards that only their seats know of, and lines that cannot be listed."""
    assert_sound(broken("pebbles_right", CODE, "", ""), effort=QUICK)
    assert_sound(import_module("fists").ENGINE, effort=QUICK)


def test_only_what_names_a_piece_must_be_tapped_in_the_picture(broken: Broken) -> None:
    """A number that says how many is a button."""
    advised = [
        {each.key for each in check_game(broken(name, CODE, FORMS, f"{FORMS}{more}"), effort=QUICK)}
        for name, more in (("pebbles_named", ""), ("pebbles_counted", AMOUNTS))
    ]
    assert advised == [{"not_tappable"}, set()]


@pytest.mark.parametrize("game", ["benevolent", "roundforest"])
def test_draws_that_are_lists_are_made_up_from_their_trays(game: str) -> None:
    engine = load_engine(game)
    for players in range(engine.seats[0], engine.seats[1] + 1):
        table = open_game(engine, [engine.opening.usual(players)])
        for _ in play_on(table, Random(players), 60, completed):
            pass
        assert table.state.over or len(table.judgements) > 60


@pytest.mark.parametrize("game", playable_games())
def test_what_is_written_about_our_games_is_right(game: str) -> None:
    engine = load_engine(game)
    sources = Sources(engine.package)
    assert sources.clauses, "the search finds nothing"
    assert [*check_files(engine, sources), *check_written(engine, sources)] == []


def test_every_defect_has_a_sentence_in_both_languages() -> None:
    """Those the checks can find, as their source names them."""
    keys = set()
    for file in (ROOT / "referee" / "game_check").glob("*.py"):
        keys |= set(_KEYS.findall(file.read_text("utf-8")))
    assert len(keys) > 40
    for key in keys:
        entry = REFEREE_WORDS.entry(f"game_check.{key}")
        assert entry is not None, key
        assert all(entry[lang] for lang in LANGUAGES)


# a new game


@pytest.mark.parametrize("hidden", [False, True])
def test_a_new_game_passes_its_own_test_and_has_no_advice_left(
    hidden: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = f"go_{2 + hidden}"
    files = new_game(game, hidden=hidden)
    engine = written(files, tmp_path, monkeypatch, game)
    (tried,) = [
        thing
        for name, thing in runpy.run_path(str(tmp_path / f"tests/test_{game}.py")).items()
        if name.startswith("test_")
    ]
    tried()
    cases = read_cases(files["tests/cases.toml"])
    assert check_game(engine, cases=[cases]) == []
    assert len(cases.case) > 3


def test_a_rule_that_no_case_would_miss_is_named_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = new_game("go_4")
    engine = written(files, tmp_path, monkeypatch, "go_4")
    cases = read_cases(files["tests/cases.toml"])
    fewer = cases.model_copy(
        update={"case": tuple(case for case in cases.case if "wins" not in case.name)}
    )
    found = check_game(engine, cases=[fewer], effort=QUICK)
    assert {each.key for each in found} == {"not_proven"}
    clauses = {str(each.facts["clause"]) for each in found}
    assert clauses == {"GOX-TAKE-2", "GOX-END-1", "GOX-END-2"}
    code = (tmp_path / "go_4/__init__.py").read_text("utf-8").splitlines()
    for each in found:
        assert each.line is not None
        assert str(each.facts["clause"]) in code[each.line - 1]
        assert "write one in which it matters" in told(each, "en")
        assert "écrivez-en un" in told(each, "fr")
