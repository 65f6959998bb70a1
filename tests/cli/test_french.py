"""A French table reads French: no English sentence comes out, whatever goes right or wrong."""

from __future__ import annotations

import ast
import re
import shutil
import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from engines.kernel.registry import load_engine
from referee.record.fold import fold
from replays.text_record import read_text
from tests.cli.conftest import as_newcomer
from tests.cli.transcripts import run

_ENGLISH = re.compile(
    r"(?<![\w./=-])(the|of|and|is|are|was|were|not|with|this|that|has|have|been|there|should"
    r"|must|cannot|be|which|what|when|than|too|only|missing|expected|invalid|required|valid"
    r"|input|True|False|None|Value|Field|Expected|Invalid|Did)(?![\w./=-])"
)
"""Words that stand in hardly any French sentence and in no notation."""

_LOOSE = re.compile(r"[^\S\u202f][:;!?»]|[^\s\u202f]([:;!?]\s|[:;!?]$|»)|«(?!\u202f)")
"""Punctuation that a narrow no-break space should tie to its word, and does not."""


ROOT = Path(__file__).parents[2]
SAMPLES = resources.files("replays").joinpath("samples")
GAMES = sorted(
    file.name.removesuffix(".txt") for file in SAMPLES.iterdir() if file.name.endswith(".txt")
)


CATALOGUES = sorted(
    file
    for folder in ("answers", "cli", "engines", "referee", "replays", "service")
    for file in (ROOT / folder).rglob("*.toml")
)


def english(text: str) -> list[str]:
    return [line for line in text.splitlines() if _ENGLISH.search(line)]


def loose(text: str) -> list[str]:
    """Lines that break the rule of French punctuation; command lines are written otherwise."""
    lines = (line.removeprefix("referee: ") for line in text.splitlines())
    return [line for line in lines if _LOOSE.search(line) and not line.startswith("referee ")]


def told(line: str) -> str:
    out, _ = run(f"referee --lang fr {line}")
    return out


@pytest.fixture
def table(newcomer: Path, prepared: Path) -> Path:
    """A folder of one's own in which it is all prepared."""
    shutil.copytree(prepared, newcomer, dirs_exist_ok=True)
    current = newcomer / "data" / "referee" / "current.json"
    current.write_text(current.read_text("utf-8").replace(str(prepared), str(newcomer)), "utf-8")
    return newcomer


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in French: its sample, noted and disputed; and files that are no such files."""
    folder = tmp_path_factory.mktemp("table")
    with pytest.MonkeyPatch.context() as patch:
        as_newcomer(folder, patch)
        write_table()
    return folder


def write_table() -> None:
    sample = SAMPLES.joinpath("benevolent.txt").read_text("utf-8")
    Path("sample.txt").write_text(sample, "utf-8")
    told("import sample.txt")
    told('note add 5 "trop gourmand" --glyph forced --mark b2')
    told('dispute open 5 -m "cette case était prise" --by B --clause BEN-MOVE-2')
    Path("bad.toml").write_text('kit = "x"\ngame = "benevolent"\nversion = "one"\n', "utf-8")
    Path("broken.toml").write_text("kit = = 3\n", "utf-8")
    Path("twice.toml").write_text("a = 1\na = 2\n", "utf-8")
    Path("bad.jsonl").write_text('{"a": 1.5}\n', "utf-8")
    Path("empty.txt").write_text("\n", "utf-8")
    Path("odd.txt").write_text('[Game "benevolent"]\n0. table A=blue B=red first A\n7. A step c1\n')
    Path("plan.toml").write_text('games = ["benevolent"]\nrounds = 0\n', "utf-8")
    Path("case.toml").write_text('game = "benevolent"\n[[case]]\nname = "n"\nlines = "x"\n')


GOOD = [
    *("games", "info", "state", "options", "moves --all", "diff 4 9", "why 5", "doctor", "head"),
    *("rules benevolent", "rules bethel_woods", "rules roundforest --readings", "verify"),
    *("kit list", "engine list", "dispute list", "dispute show d1", "note list", "replay --plain"),
    *("what-if --reading hoard_take=all", "schema", "help", "help start", "help words"),
    *("help notation", "help environment", "help exit-codes", "people list", "keys list"),
    *("penalty list", "ruling list", "secret list", "export md -o -", "tournament list"),
    *(f"engine info {game}" for game in GAMES),
    *(f"kit show {game}" for game in GAMES),
]
BAD = [
    *("log", "log foo", "log step", "log step zz9", "log table A", "log audit leaves", "open"),
    *("open zzz", "undo x", "undo 0", "undo --to", "undo --nope", "kit shwo", "tournament paire"),
    *("correct 99 step b2", "correct 5", "why 999", "state --at 999", "note add 5 x --mark zz"),
    *("note add 5 x --glyph nope", "adjust players.A.leaves=-1 -m x", "adjust x.y=1 -m z"),
    *("adjust players.A=3 -m z", "adjust phase=nope -m z", 'adjust "a={" -m z', "adjust foo"),
    *("kit show nope", "kit check bad.toml", "kit check broken.toml", "kit check twice.toml"),
    *("kit declare nope 3", "kit declare leaves.count x", "kit declare leaves.count 1.5"),
    *("new benevolent A=pink", "new benevolent A=blue B=blue first A", "new nope A B"),
    *("import bad.jsonl", "import empty.txt", "import odd.txt", "import nope.jsonl"),
    *("cases run bad.toml", "cases run broken.toml", "cases run case.toml", "verify --head zzz"),
    *("check --position bad.toml step a3", "keys trust bad 12", "--as Jo:nope log step b2"),
    *("ruling issue d1 --remedy stands -m x", "ruling issue d1 --remedy nope -m x --as J:judge"),
    *("ruling import bad.toml", "seal check bad.toml", "keys import bad.toml", "schema nope"),
    *("tournament new X --of benevolent --plan plan.toml", "secret open s9", "export nope"),
    *("tournament new X --of benevolent --format swiss --rounds 3 --seats 4", "restore nope.db"),
]


@pytest.mark.parametrize("line", GOOD)
def test_an_answer_is_in_french(line: str, table: Path) -> None:
    out = told(line)
    assert out
    assert english(out) == []
    assert loose(out) == []


@pytest.mark.parametrize("line", BAD)
def test_an_error_is_in_french(line: str, table: Path) -> None:
    out, code = run(f"referee --lang fr {line}")
    assert code not in (0, 1), out
    assert english(out) == []
    assert loose(out) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_and_its_description_are_in_french(game: str) -> None:
    engine = load_engine(game)
    record_file = read_text(SAMPLES.joinpath(f"{game}.txt").read_bytes())
    played = fold(record_file.stream, record_file.rows)
    for step in (*played.steps[:: len(played.steps) // 6], played.steps[-1]):
        picture = engine.picture(step.state, step.setting, "fr", step.action)
        drawn = re.findall(r">([^<>]+)<", picture.svg("t", "d", lang="fr"))
        words = engine.describe(step.state, step.setting, "fr")
        assert english("\n".join([*drawn, *words])) == []
        assert loose("\n".join(words)) == []


def test_what_an_audit_counts_is_named_in_french(table: Path) -> None:
    assert "feuilles de A\u202f: 99 à la table" in told("check audit A leaves 99")
    assert "«\u202fA foo\u202f» ne se compte pas" in told("check audit A foo 99")


def test_the_spaces_of_french_typography_come_out_as_they_are(table: Path) -> None:
    with Path("case.toml").open("a", encoding="utf-8") as file:
        file.write('given = "g"\n')
    assert "cas «\u202fn\u202f»\u202f: il n’y a pas" in told("cases run case.toml")


def french(data: Any, name: str = "") -> Iterator[str]:
    """The French texts of a catalogue, the headings of a rulebook among them."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from french(value, key)
    elif isinstance(data, list):
        for value in data:
            yield from french(value)
    elif name in ("fr", "fr_one", "section"):
        yield str(data)


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: str(file.relative_to(ROOT)))
def test_french_punctuation_never_parts_from_its_word(file: Path) -> None:
    texts = list(french(tomllib.loads(file.read_text("utf-8"))))
    assert texts
    assert [line for text in texts for line in loose(text)] == []


_GENDERED = re.compile(
    r"\b(le|la|son|sa|du|au|une?) propriétaire\b|\bpren(eur|euse)\b|\(e\)"
    r"|^{(player|seat|who|by|other)} (n[e'’] ?|s['’])?(est|était|a été|sera)"
    r"( pas| plus| déjà| encore)* \w+(é|i|u|it)\b",
    re.I | re.M,
)
"""Words for somebody at the table that make them a man or a woman: nouns, and participles."""


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: str(file.relative_to(ROOT)))
def test_whoever_has_something_is_neither_a_man_nor_a_woman(file: Path) -> None:
    texts = french(tomllib.loads(file.read_text("utf-8")))
    assert [text for text in texts if _GENDERED.search(text)] == []


def test_loose_punctuation_would_be_noticed() -> None:
    for text in (
        "quoi ?",
        "quoi?",
        "quoi\u00a0?",
        "« A\u202f»",
        "«\u202fA »",
        "«A»",
        "a ; b",
        "a: b",
    ):
        assert loose(text), text
    assert not loose(
        'à 12:30, «\u202fA:b1\u202f»\u202f: sqlite:///… (?)\nreferee log "pas b2; pick"'
    )


def fact_names(game: str) -> Iterator[tuple[str, int, str]]:
    """What the rules of a game name when they cite a clause: file, line and name."""
    for file in sorted((ROOT / "engines" / game).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            if isinstance(node.func, ast.Attribute) and node.func.attr == "broken":
                continue  # it asks about clauses and cites none
            first = node.args[0]
            if isinstance(first, ast.Constant) and re.match(
                r"[A-Z]{3}-[A-Z]+-\d", str(first.value)
            ):
                for keyword in node.keywords:
                    if keyword.arg is not None:
                        yield file.name, node.lineno, keyword.arg


@pytest.mark.parametrize("game", GAMES)
def test_every_fact_of_a_rule_has_a_name_in_both_languages(game: str) -> None:
    words = load_engine(game).words
    named = list(fact_names(game))
    assert named
    assert [found for found in named if f"fact.{found[2]}" not in words] == []


def test_english_would_be_noticed() -> None:
    assert english("Input should be a valid integer")
    assert english("this is missing")
    assert not english("A step c1 to a3\nil n’y a pas d’action #99 dans ce qui compte")
