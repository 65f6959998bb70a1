"""With ``--json`` every command answers one object that fits its published schema."""

from __future__ import annotations

import ast
import json
import shlex
from collections.abc import Iterator
from importlib import import_module, resources
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from cli.envelope import published, schema_of
from cli.main import COMMANDS
from tests.cli.transcripts import run
from tests.photos import art, jpeg_of, png

SCHEMAS = Path(__file__).parents[2] / "schemas"
SETUP = (
    '"forest S1A S2A" "pyramid swap_again gift_clover bargain lone_step / sale gift_feather '
    'cheap_crystal / hoard convert_1" "A step c1; pick" "B step c1; pick"'
)

TABLE = f"""
referee engine list
referee engine info benevolent
referee engine check pebbles --games 1
referee engine new counters
referee kit list
referee kit key bloody_grove -o key.svg
referee kit show benevolent --only rulebook
referee rules benevolent BEN-MOVE
referee rules benevolent --readings
referee rules benevolent --audits
referee rules benevolent --faq
referee new benevolent A=blue B=red first A -p A=Ana
referee log {SETUP}
referee log step a3
referee log --stands step a3
referee check gather
referee why 7
referee options
referee state
referee state --toml -o position.toml
referee check --position position.toml "A gather"
referee kit check kit.toml
referee moves --all
referee moves --scores
referee could-hold A leaf --at 4
referee rules benevolent --diff clauses.toml
referee collection new Ends --visibility link
referee collection list
referee diff 3 6
referee info
referee games
referee confirm --as Ana:seat:A
referee access give judge --name Jo --days 1
referee webhook add https://club.example/x --event game_over
referee webhook list
referee webhook try HOOK
referee webhook remove HOOK
referee access code seat:B --for @
referee access list
referee access revoke TOKEN
referee access rules --open-to link
referee access log
referee people show Ana
referee people games Ana
referee open @
referee dispute open 5 -m hm --by B
referee dispute list
referee dispute calls
referee dispute attend d1 --as Jo:judge
referee dispute show d1 --correct "A step b1"
referee dispute close d2
referee ruling issue d1 --correct "A step b1" -m meant --as Jo:judge
referee ruling issue --number 5 --remedy penalty --seat B --level warning -m slow --as Jo:judge
referee ruling list
referee ruling show r1
referee ruling export -o book.toml --source club
referee ruling import book.toml
referee ruling save-case r1 -o r1.toml
referee cases run r1.toml
referee penalty add A warning --as Jo:judge
referee penalty cancel x1 -m no --as Jo:judge
referee penalty guide
referee penalty list
referee what-if --reading grey_count=flat
referee clock 20 --judge
referee clock --give 2 --seat B
referee clock
referee hold
referee resume
referee note add 5 careless --glyph dubious --mark c1 --arrow c1:b1 --clause BEN-MOVE-3 --tag a
referee note add 5 --instead "B step c2"
referee note add n2.1 "and so on" --bookmark
referee note list
referee note search careless
referee photo add board.png "as it lies" --at 5 --about S1A
referee see a.jpg --before a.jpg --corner 0,0 --corner 9999,0 --corner 9999,9999 --corner 0,9999
referee see a.jpg --audit --before a.jpg --corner 0,0 --corner 999,0 --corner 999,999 --corner 0,999
referee photo list
referee photo save f1 -o saved.jpg
referee photo erase f1 -m face
referee search step c3
referee stats
referee note remove n1
referee undo --as Jo:judge
referee redo --as Jo:judge
referee correct 8 --drop --as Jo:judge
referee adjust players.A.leaves=4 -m counted
referee kit declare leaves.count 65 -m counted
referee kit declare leaves.count 65 --of benevolent --save box.toml
referee export record -o game.jsonl
referee import game.jsonl
referee import --accept @ --as Jo:organiser
referee gallery pictures
referee verify
referee replay
referee keys new jo
referee keys list
referee keys show jo
referee keys trust eva {"a9" * 32}
referee head
referee sign jo --as Jo:judge
referee verify --signed-by jo
referee secret seal A leaves seven
referee secret show s1
referee secret list
referee secret open s1
referee seal make "Round 1" --all --key jo
referee seal check seal.toml
referee kit tell benevolent --as-shown colours
referee kit make benevolent
referee kit photo benevolent colours board.png
referee kit photo benevolent colours -o colours.jpg
referee kit photo benevolent colours --erase
referee kit wording benevolent BEN-MOVE-3 printed
referee people picture Ana board.png
referee people picture Ana --erase
referee kit csv benevolent -o own.csv
referee kit csv benevolent own.csv
referee kit export benevolent --sign jo -o own.toml
referee kit import own.toml --kit theirs
referee kit export benevolent --club Ours -o bare.box
referee kit sign bare.box --key jo -o signed.box
referee kit import signed.box --kit others
referee keys revoke jo -m lost
referee keys export -o keys.toml
referee keys import keys.toml
referee finish -m late
referee reopen -m early --as Jo:judge
referee branch 4 --title again
referee reached --at 2
referee season new Year --counted 2
referee season list
referee season info
referee season players add Zoe Ana
referee season standings
referee season ratings
referee season player Zoe
referee people list
referee people rename Ana Anna
referee people erase anna --yes
referee backup copy.db
referee backup copies --every 0 --times 1
referee --store other.db restore copy.db
referee doctor
referee --store third.db store init
referee store copy third.db
referee store repair --to mended.db
referee restore copy.db --over
referee store check
referee schema
referee help
referee help exit-codes
referee help start
"""


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / f"answer.{name}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def check(out: str) -> dict[str, Any]:
    """One JSON object on one line, as its schema says."""
    assert out.count("\n") == 1, out
    answer: dict[str, Any] = json.loads(out)
    name = answer["schema"].removeprefix("referee/").removesuffix("@1")
    validator(name).validate(answer)
    return answer


def every_command(folder: Path) -> Iterator[str]:
    """The lines of the table, with the files that they read and the ids of what there is now."""
    shipped = resources.files("engines.benevolent")
    kits = shipped.joinpath("kits").iterdir()
    kit = next(file for file in kits if file.name.endswith(".toml"))
    (folder / "kit.toml").write_text(kit.read_text("utf-8"), "utf-8")
    (folder / "board.png").write_bytes(png())
    (folder / "a.jpg").write_bytes(jpeg_of(art(1)))
    clauses = shipped.joinpath("clauses.toml")
    (folder / "clauses.toml").write_text(clauses.read_text("utf-8"), "utf-8")
    for line in filter(None, TABLE.split("\n")):
        for mark, found in (("@", _id), ("TOKEN", _token), ("HOOK", _webhook)):
            line = line.replace(mark, found()) if mark in line else line
        yield line


REFUSED = ("referee log step a3", "referee why 7")


def test_every_command_answers_as_its_schema_says(newcomer: Path) -> None:
    seen = set()
    for line in every_command(newcomer):
        out, code = run(f"{line} --json")
        answer = check(out)
        assert answer["ok"] == (code == 0), (line, out)
        assert answer["ok"] or line in REFUSED, (line, out)
        seen.add(answer["schema"].removeprefix("referee/").removesuffix("@1"))
    desk = {name for name in published() if name.startswith("tournament-")}
    assert set(published()) - desk - seen == set(ONLY_OVER_HTTP)


COMMAND_MODULES = sorted(
    file
    for folder in ("cli/commands", "cli/tournament")
    for file in (SCHEMAS.parent / folder).glob("*.py")
)


@pytest.mark.parametrize(
    "file", COMMAND_MODULES, ids=lambda file: f"{file.parent.name}/{file.stem}"
)
def test_whatever_a_command_prints_is_the_answer_of_a_declared_operation(file: Path) -> None:
    """Its name is looked up with ``--json`` alone, so that every place is checked here."""
    module = import_module(f"cli.{file.parent.name}.{file.stem}")
    for command in ast.parse(file.read_text("utf-8")).body:
        known = dict(vars(module))
        for node in ast.walk(command):
            if isinstance(node, ast.ImportFrom):
                exec(ast.unparse(node), known)
            if not isinstance(node, ast.Call) or not node.args:
                continue
            function, operation = ast.unparse(node.func), ast.unparse(node.args[0])
            named = operation.partition(".")[0] in known  # the others are local variables
            if function.rpartition(".")[2] in ("run", "answer") and named:
                assert schema_of(eval(operation, known)) in published()


ONLY_OVER_HTTP = {
    "sight-confirm": "a page alone logs by sight what nobody has confirmed yet",
    "kit-asked": "a command asks what a refusal rests on by itself",
    "kit-page": "the tour of a terminal shows it key by key",
    "table-pieces": "pictures are not seen in a terminal",
    "table-faces": "pictures are not seen in a terminal",
    "kit-pieces": "pictures are not seen in a terminal: its key shows codes in words",
    "kit-board": "a photograph is not seen in a terminal: its tour asks the same in words",
    "access-who": "a command line knows as whom it speaks",
    "choices": "the scribe's shell offers them while one types",
    "entries": "the record itself is exported, and its actions are listed by moves",
    "sight-card": "a terminal has no camera to hold a card into",
    "trays": "a shell lays what is typed",
    "trial": "the scribe's shell and the replay try lines as they are typed",
}


def _webhook() -> str:
    listed = json.loads(run("referee webhook list --json")[0])["data"]["webhooks"]
    return str(listed[0]["id"])


def _token() -> str:
    out, _ = run("referee access list --json")
    token: str = json.loads(out)["data"]["tokens"][0]["id"]
    return token


def _id() -> str:
    out, _ = run("referee info --json")
    game: str = json.loads(out)["data"]["game"]
    return game


def test_the_table_above_calls_every_command() -> None:
    called = {line.split()[1] for line in TABLE.splitlines() if line.startswith("referee")}
    later = {"demo", "completion", "import", "restore", "play", "tournament", "serve"}
    assert set(COMMANDS) - called - later == set()


@pytest.mark.parametrize(
    ("line", "code", "key"),
    [
        ("referee log", 2, "nothing_to_log"),
        ("referee nonsense", 2, "no_such_command"),
        ("referee log --nonsense step a3", 2, "usage"),
        ("referee undo x", 2, "usage"),
        ("referee --lang de games", 2, "no_such_language"),
        ("referee new chess A B", 4, "unknown_game"),
        ("referee log xyzzy", 2, "unknown_verb"),
        ("referee -g zzz info", 4, "no_such_game"),
        ("referee why 99", 4, "no_such_action"),
        ("referee rules benevolent BEN-NO-1", 4, "no_such_clause"),
        ("referee import nowhere.jsonl", 4, "no_such_file"),
        ("referee kit show chess", 4, "unknown_game"),
        ("referee export nonsense", 4, "no_such_format"),
        ("referee redo", 5, "nothing_to_restore"),
        ("referee log forest S1A S2A --at 7", 5, "expected_other"),
        ("referee reopen -m x", 5, "not_closed"),
        ("referee import bad.jsonl", 6, "bad_line"),
        ("referee kit check bad.toml", 6, "bad_file"),
        ("referee sign jo", 4, "no_such_key"),
        ("referee keys new Jo", 2, "bad_key_name"),
        ("referee keys trust jo 12", 6, "not_a_key"),
        ("referee keys new jo --lock --no-input", 2, "passphrase_needed"),
        ("referee verify --head nonsense", 6, "not_a_head"),
        ("referee verify --head 7Q3F-0KTM-2VXA-93ZH-C", 6, "head_mistyped"),
        ("referee secret open s1", 4, "no_such_secret"),
        ("referee secret seal A ?! x", 2, "not_sealable"),
        ("referee secret seal A hand x --as Bo:seat:B", 8, "own_seat_only"),
        ("referee seal make x", 2, "which_games"),
        ("referee people rename Zoe Ana", 4, "no_such_person"),
        ("referee people erase Ana", 2, "erase_for_good"),
        ("referee ruling issue -m x", 8, "judge_only"),
        ("referee penalty add A warning", 8, "judge_only"),
        ("referee --as Jo:king ruling issue -m x", 4, "no_such_role"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_errors_have_a_code_a_key_and_a_sentence(
    newcomer: Path, line: str, code: int, key: str, lang: str
) -> None:
    (newcomer / "bad.jsonl").write_text("nonsense\n")
    (newcomer / "bad.toml").write_text("= nonsense")
    run("referee -q new benevolent A=blue B=red first A -p A=Ana")
    before = run("referee info --json")[0]
    chosen = line if "--lang" in line else f"{line} --lang {lang}"
    out, found = run(f"{chosen} --json")
    assert found == code, out
    answer = check(out)
    assert (answer["error"]["code"], answer["error"]["exit"]) == (key, code)
    assert answer["error"]["message"]
    said, found = run(chosen)
    assert found == code
    assert answer["error"]["message"] in said
    assert run("referee info --json")[0] == before


@pytest.mark.parametrize("key", ["", "two words", "a.b", "x" * 101, "é"])
def test_a_key_is_a_plain_word(newcomer: Path, key: str) -> None:
    run("referee -q new benevolent A=blue B=red first A")
    out, code = run(f"referee hold --key {shlex.quote(key)} --json")
    assert (code, check(out)["error"]["code"]) == (2, "bad_key")


@pytest.mark.parametrize(
    ("held", "code", "key"),
    [
        ("referee hold", 5, "held"),
        ("referee hold --as Bo:seat:B -m tea", 5, "held"),
        ("referee hold --as Jo:judge", 7, "held_by_judge"),
        ("referee hold --as Jo:organiser -m look", 7, "held_by_judge"),
        ("referee dispute open 0 --hold -m why", 7, "held_by_dispute"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_paused_game_says_who_may_resume_it(
    held: str, code: int, key: str, lang: str, newcomer: Path
) -> None:
    """Whoever has paused a game may go on; only where a judge must is a judge asked for."""
    run("referee -q new benevolent A=blue B=red first A")
    assert run(held)[1] == 0
    out, found = run(f"referee --lang {lang} log forest S1A S2A --json")
    error = check(out)["error"]
    assert (found, error["code"]) == (code, key)
    needs_judge = {"en": "judge", "fr": "juge"}[lang] in error["message"]
    assert needs_judge == (key == "held_by_judge")
    assert error["message"] == error["message"].strip()
    assert error["facts"].get("reason", "") in error["message"]


def test_a_closed_game_exits_with_five(newcomer: Path) -> None:
    run("referee -q new benevolent A=blue B=red first A")
    run("referee finish -m late")
    assert run("referee log forest S1A S2A")[1] == 5


def test_of_several_records_the_last_one_is_gone_on_with(newcomer: Path) -> None:
    """As of several lines, several games or a single file: what came last is what is meant now."""
    games = []
    for name in ("one", "two", "three"):
        out, _ = run("referee --json new pebbles A B first A")
        games.append(json.loads(out)["data"]["game"])
        run(f"referee export record -o {name}.jsonl")
    for order in permutations(range(3)):
        files = " ".join(f"{('one', 'two', 'three')[at]}.jsonl" for at in order)
        store = f"referee --store fresh-{''.join(map(str, order))}.db"
        assert run(f"{store} import {files}")[1] == 0
        out, code = run(f"{store} --json head")
        assert (code, json.loads(out)["data"]["game"]) == (0, games[order[-1]])


def test_an_altered_record_exits_with_six_and_names_the_entry(newcomer: Path) -> None:
    run("referee -q new benevolent A=blue B=red first A")
    run(f"referee -q log {SETUP}")
    run("referee export record -o game.jsonl")
    record = (newcomer / "game.jsonl").read_bytes()
    (newcomer / "altered.jsonl").write_bytes(record.replace(b'"c1"', b'"c2"', 1))
    out, code = run("referee verify altered.jsonl --json")
    assert code == 6
    problem = check(out)["data"]["records"][0]["problems"][0]
    assert (problem["check"], problem["entry"]) == ("chain", 4)
    assert run("referee --store fresh.db import altered.jsonl")[1] == 6
    assert json.loads(run("referee --store fresh.db games --json")[0])["data"]["games"] == []
    assert run("referee --store fresh.db import game.jsonl")[1] == 0
    assert run("referee --store fresh.db verify")[1] == 0
