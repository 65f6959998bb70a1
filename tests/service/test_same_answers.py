"""One question, one answer: at the command line, of the function, over the API, in both languages.

The evening is no first case: two tables and a tournament in one store, three players, seat B
begins, several lines in one ``log``. An operation that reads and is not in the table below is
missed by the last test, so that a new one is asked as well.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from pydantic_core import to_jsonable_python
from starlette.testclient import TestClient

from answers.answer import Answered
from answers.context import Caller, open_store_context
from answers.declaration import Operation
from answers.i18n import Voice
from answers.operations import OPERATIONS, routes
from answers.play.actions import log
from engines.kernel.messages.catalogue import LANGUAGES, Language
from engines.kernel.messages.errors import MessageError
from referee.table.author import Author
from service.app import make_app
from service.routing import Ask, carry_out
from service.settings import Settings
from tests.cli.conftest import as_newcomer
from tests.cli.transcripts import run
from tests.opening import new_table
from tests.record.random_tables import GAMES, lines_of
from tests.service.conftest import PLENTY, Club
from tests.service.test_twins import alike

FOREST = "forest S2B S1B"
PYRAMID = (
    "pyramid bargain double_step gift_clover swap_again / lone_step grey_pass reserve_toll"
    " / convert_3 sleep_again"
)
EVENING = (
    "new pebbles A B first B --title Late",
    "log 'take 2' 'take 1' 'B take 3'",
    "log --stands 'B take 1'",
    "undo -m 'not so'",
    "new benevolent A=green B=blue C=red first B -p A=Ana -p B=Bo -p C=Cleo",
    f"log '{FOREST}' '{PYRAMID}'",
    "log 'B step a1; gather' 'C step a1; gather' 'A step c1; gather'",
    "undo 2",
    "redo 1",
    "note add 4 'too early' --glyph dubious --tag opening",
    "note add 3 'also'",
    "collection new Ends --visibility public",
    "dispute open 5 -m 'touched two' --by C",
    "--as Jo:judge ruling issue d1 --remedy stands -m 'so be it'",
    "--as Jo:judge penalty add C warning -m 'slow'",
    "dispute open 3 -m 'again' --by A",
    "tournament new Cup --of benevolent --rounds 3",
    "tournament players add Dora Eve Finn --club North",
    "tournament players checkin --all",
    "tournament pair --seed 5",
    "tournament start",
    "tournament result 1 B A",
    "tournament round close",
    "tournament pair --seed 6",
    "--as Jo:judge tournament penalty add Finn 0.5 -m late",
    "tournament players edit Eve --section U14",
    'tournament prizes "1: a cup" "1 U14: a game"',
    "season new Year --counted 2 --places 9-6-4",
    "season players add Eve Gus --club South",
)
LATE = "--delay-entries 2 --delay-seconds 9 --until-result"

Said = dict[str, Any]


class Question(NamedTuple):
    """The command, and what a request names in its path and its query."""

    command: str
    said: Said = {}


G = {"game": "{game}"}
T = {"tournament": "{cup}"}
S = {"season": "{year}"}
QUESTIONS: dict[str, list[Question]] = {
    "games": [Question("games"), Question("games --of pebbles", {"engine": "pebbles"})],
    "info": [Question("info", G), Question("info -g {other}", {"game": "{other}"})],
    "state": [
        Question("state", G),
        Question("state --at 3", {**G, "at": 3}),
        Question("state --view seat:C", {**G, "view": "seat:C"}),
        Question("state -g {other}", {"game": "{other}"}),
    ],
    "options": [Question("options", G), Question("options --at 4", {**G, "at": 4})],
    "why": [
        Question("why 5", {**G, "line": "5"}),
        Question("why C step b2", {**G, "line": "C step b2"}),
    ],
    "moves": [
        Question("moves", G),
        Question("moves --all", {**G, "everything": True}),
        Question("moves --from 4", {**G, "start": 4}),
        Question("moves --by C", {**G, "by": "C"}),
        Question("moves --all -g {other}", {"game": "{other}", "everything": True}),
    ],
    "could-hold": [
        Question("could-hold A leaf --at 4", {**G, "seat": "A", "thing": "leaf", "at": 4}),
    ],
    "reached": [Question("reached", G), Question("reached --at 0", {**G, "at": 0})],
    "scores": [
        Question("moves --scores", G),
        Question("moves --scores -g {other}", {"game": "{other}"}),
    ],
    "diff": [Question("diff 2 5", {**G, "start": 2, "end": 5})],
    "dispute-list": [
        Question("dispute list", G),
        Question("dispute list -g {other}", {"game": "{other}"}),
    ],
    "dispute-calls": [Question("dispute calls")],
    "dispute-show": [Question("dispute show d2", {**G, "dispute": "d2"})],
    "ruling-list": [Question("ruling list")],
    "faq": [Question("rules benevolent --faq", {"engine": "benevolent"})],
    "ruling-show": [Question("ruling show r1", {**G, "ruling": "r1"})],
    "penalty-guide": [Question("penalty guide", G)],
    "penalty-list": [Question("penalty list", G)],
    "replay": [Question("replay", G), Question("replay --at 4", {**G, "at": 4})],
    "note-list": [
        Question("note list", G),
        Question("note list --tag opening", {**G, "tag": "opening"}),
    ],
    "photo-list": [Question("photo list", G)],
    "collection-list": [Question("collection list")],
    "collection-show": [Question("collection show {study}", {"collection": "{study}"})],
    "note-search": [Question("note search early", {"words": "early"})],
    "move-search": [Question("search take", {"words": "take"})],
    "stats": [Question("stats"), Question("stats --of benevolent", {"engine": "benevolent"})],
    "people-list": [Question("people list")],
    "player": [Question("people games Ana", {"person": "Ana"})],
    "access-list": [Question("access list")],
    "game-rules": [Question("access rules", G)],
    "head": [Question("head", G)],
    "tournament-head": [Question("tournament head", T)],
    "secret-list": [Question("secret list", G)],
    "verify": [Question("verify {game}", G)],
    "engine-list": [Question("engine list")],
    "engine-info": [Question("engine info benevolent", {"engine": "benevolent"})],
    "rules": [Question("rules broom_service", {"engine": "broom_service"})],
    "readings": [Question("rules benevolent --readings", {"engine": "benevolent"})],
    "audits": [Question("rules benevolent --audits", {"engine": "benevolent"})],
    "kit-list": [Question("kit list")],
    "tournament-list": [Question("tournament list")],
    "tournament-info": [Question("tournament info", T)],
    "tournament-history": [Question("tournament history", T)],
    "tournament-disputes": [Question("tournament disputes", T)],
    "tournament-check": [Question("tournament check", T)],
    "tournament-players": [Question("tournament players list", T)],
    "tournament-registration": [Question("tournament registration show", T)],
    "tournament-round": [
        Question("tournament tables", T),
        Question("tournament tables 1", {**T, "round": 1}),
    ],
    "tournament-standings": [
        Question("tournament standings", T),
        Question("tournament standings --round 1", {**T, "through": 1}),
        Question("tournament standings --section u14", {**T, "section": "u14"}),
    ],
    "tournament-why": [Question("tournament standings --why Eve", {**T, "player": "Eve"})],
    "tournament-penalties": [Question("tournament penalty list", T)],
    "tournament-penalty-next": [
        Question(
            "tournament penalty next Finn --for late", {**T, "name": "Finn", "infringement": "late"}
        ),
    ],
    "tournament-zones": [Question("tournament zones", T)],
    "tournament-teams": [Question("tournament team list", T)],
    "tournament-boards": [Question("tournament boards", T)],
    "tournament-apart": [Question("tournament apart list", T)],
    "tournament-prizes": [Question("tournament prizes", T)],
    "tournament-broadcast": [Question("tournament broadcast", T)],
    "season-list": [Question("season list")],
    "season-info": [Question("season info", S)],
    "season-standings": [Question("season standings", S)],
    "season-ratings": [Question("season ratings", S)],
    "season-player": [Question("season player Eve", {**S, "player": "Eve"})],
}
"""Every reading operation that answers data, and how it is asked at each door."""
NOT_ASKED = {
    "trial": "a page alone asks it",
    "choices": "a page alone asks it",
    "trays": "a page alone asks it",
    "table-pieces": "a page alone asks it",
    "table-faces": "a page alone asks it",
    "tournament-faces": "a page alone asks it",
    "tournament-entry": "whoever has the link asks it",
    "entries": "a page and a program ask it",
    "access-who": "it is about the token",
    "access-log": "every question over the API is written there",
    "people-show": "it names the tokens that the question is asked with",
    "doctor": "it looks at this computer",
    "verify-all": "the store as a whole is named in another way at each door",
    "kit-show": "a command shows the kit of the current game",
    "game-kit": "a command shows the kit of the current game",
    "kit-box": "a command makes the file",
    "kit-asked": "a command asks by itself, key by key",
    "kit-page": "a command shows it key by key",
    "kit-pieces": "a command shows codes in words",
    "kit-board": "a command asks the same in words",
    "schema": "a command prints the schema itself",
    "tournament-bracket": "there is none in a Swiss, and a refusal has no data",
    "clock": "it says what time it is",
    "tournament-clock": "it says what time it is",
}


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Club, dict[str, str]]]:
    """The store, its service, and what is found in it."""
    folder = tmp_path_factory.mktemp("evening")
    with pytest.MonkeyPatch.context() as patch:
        as_newcomer(folder, patch)
        patch.setenv("REFEREE_STORE", f"sqlite://{folder}/games.db")
        for line in EVENING:
            out, code = run(f"referee {line}")
            assert code == 0, (line, out)
        listed = json.loads(run("referee games --json")[0])["data"]["games"]
        cups = json.loads(run("referee tournament list --json")[0])["data"]["tournaments"]
        years = json.loads(run("referee season list --json")[0])["data"]["seasons"]
        assert run(f"referee season add {cups[0]['tournament']} --weight 2")[1] == 0
        by_engine = {row["engine"] if "engine" in row else row["of"]: row["game"] for row in listed}
        studies = json.loads(run("referee collection list --json")[0])["data"]["collections"]
        study, cup = studies[0]["collection"], cups[0]["tournament"]
        for line in (
            f"collection put {study} --title Late --at 2",
            f"access rules {by_engine['benevolent']} {LATE}",
            f"finish -g {by_engine['pebbles']} -m late --yes",
            f"access rules {cup} {LATE}",
            "tournament players edit Eve --rating 1500 --seed 2 --fixed-table 1 --club West",
        ):
            out, code = run(f"referee {line}")
            assert code == 0, (line, out)
        shown = json.loads(run(f"referee collection show {study} --json")[0])["data"]
        shutil.copytree(folder, folder / "copy", ignore=shutil.ignore_patterns("copy"))
        found = {
            "folder": str(folder / "copy"),
            "study": study,
            "chapter": shown["content"][0]["id"],
            "game": by_engine["benevolent"],
            "other": by_engine["pebbles"],
            "year": years[0]["season"],
            "cup": cup,
        }
        store_context = open_store_context(f"sqlite://{folder}/games.db")
        settings = Settings(hosts=("testserver",), limits=PLENTY)
        with TestClient(make_app(store_context, settings)) as client:
            yield Club(store_context, client), found


def filled(said: Said, found: dict[str, str]) -> Said:
    return {
        key: value.format(**found) if isinstance(value, str) else value
        for key, value in said.items()
    }


def by_command(question: Question, found: dict[str, str], lang: Language) -> Any:
    command = question.command.format(**found)
    patience = "" if command.startswith(("tournament", "season")) else f" -g {found['game']}"
    named = patience if "game" in question.said and "-g" not in command else ""
    out, code = run(f"referee --lang {lang} {command}{named} --json")
    assert code in (0, 3), (command, out)
    return json.loads(out)["data"]


def by_api(club: Club, operation: Operation, said: Said, lang: Language) -> Any:
    path = operation.path.format(**{name: said[name] for name in operation.names})
    query = urlencode({key: v for key, v in said.items() if key not in operation.names})
    reply = club.get(f"{path}?{query}", "organiser", headers={"Accept-Language": lang})
    assert reply.status_code == 200, reply.text
    return reply.json()["data"]


def by_function(club: Club, operation: Operation, said: Said, lang: Language) -> Any:
    voice = Voice(lang=lang, name_of=club.store_context.people.name)
    caller = Caller(club.store_context, Author(role="organiser"), voice)
    path = {name: said[name] for name in operation.names}
    if operation.about == "game":
        path["game"] = caller.find(path["game"])
    rest = {key: value for key, value in said.items() if key not in operation.names}
    asked = operation.says.model_validate(rest) if operation.says is not None else None
    answered = carry_out(operation, Ask(caller, path), asked)
    assert isinstance(answered, Answered)
    return json.loads(json.dumps(to_jsonable_python(answered.data, exclude_none=False)))


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_door_gives_the_same_answer(name: str, evening: tuple[Club, dict[str, str]]) -> None:
    club, found = evening
    operation = OPERATIONS[name]
    for question in QUESTIONS[name]:
        said = filled(question.said, found)
        for lang in LANGUAGES:
            here = by_command(question, found, lang)
            for there in (by_api, by_function):
                told = there(club, operation, said, lang)
                assert _timeless(told) == _timeless(here), (question, lang)


OF_THE_STORE = [
    name
    for name, asked in QUESTIONS.items()
    if not any("{" in f"{each.command}{each.said}" for each in asked)
    and "person" not in asked[0].said
]


def test_an_empty_store_answers_alike_at_every_door_and_the_same_when_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_newcomer(tmp_path, monkeypatch)
    url = f"sqlite://{tmp_path}/games.db"
    monkeypatch.setenv("REFEREE_STORE", url)
    context = open_store_context(url)
    with TestClient(make_app(context, Settings(hosts=("testserver",), limits=PLENTY))) as client:
        club = Club(context, client)
        club.token("organiser")  # who asks is known before anything is listed
        for name in OF_THE_STORE:
            for question, lang in product(QUESTIONS[name], LANGUAGES):
                here = _timeless(by_command(question, {"game": ""}, lang))
                for _ in range(2):
                    told = by_api(club, OPERATIONS[name], question.said, lang)
                    assert _timeless(told) == here, (question, lang)


def test_a_token_that_was_revoked_is_no_token_wherever_it_is_shown(
    evening: tuple[Club, dict[str, str]],
) -> None:
    club, found = evening
    token, secret = club.store_context.access.give("organiser", "", "pnobody")
    club.store_context.access.revoke(token.id)
    for name, asked in QUESTIONS.items():
        said = filled(asked[-1].said, found)
        operation = OPERATIONS[name]
        path = operation.path.format(**{each: said[each] for each in operation.names})
        query = urlencode({key: v for key, v in said.items() if key not in operation.names})
        reply = club.get(f"{path}?{query}", headers={"Authorization": f"Bearer {secret}"})
        assert (reply.status_code, reply.json()["code"]) == (401, "bad_token"), name


def _timeless(data: Any) -> Any:
    """An answer without the moment at which it was given."""
    return {key: value for key, value in data.items() if key != "now"}


def test_every_operation_that_reads_is_asked_or_says_why_not() -> None:
    reading = {each.name for each in routes() if each.reads and not each.file}
    assert reading == QUESTIONS.keys() | NOT_ASKED.keys()
    assert not QUESTIONS.keys() & NOT_ASKED.keys()


# nothing, and something that is nothing


BESIDE: dict[str, Said] = {
    "collection-edit": {"collection": "{study}"},
    "collection-put": {"collection": "{study}", "chapter": "{chapter}"},
    "kit-key": {"engine": "benevolent"},
    "kit-show": {"engine": "benevolent", "kit": "base"},
    "export-chosen": {"format": "csv"},
    "new": {"game": "pebbles", "table": "A B first A"},
    "access-rules": G,
    "log": {**G, "lines": ["B take 1"]},
    "check": {**G, "lines": ["B step a1"]},
    "clock-set": G,
    "correct": {**G, "number": 4, "lines": ["B gather"]},
    "dispute-open": {**G, "number": 3, "seat": "A"},
    "entries": G,
    "export": {**G, "format": "svg"},
    "why": {**G, "line": "C step b2"},
    "game-kit": G,
    "kit-declare": {**G, "path": "leaves.count"},
    "picture": G,
    "table-pieces": G,
    "position": G,
    "ruling-issue": {**G, "reason": "so", "dispute": "d2", "dry_run": True},
    "trial": {**G, "lines": ["B step a1"]},
    "undo": G,
    "what-if": {**G, "readings": {"grey_count": "flat"}},
    "what-if-all": {"engine": "benevolent", "readings": {"grey_count": "flat"}},
    "ruling-feed": {},
    "seal-make": {"title": "all"},
    "stats-picture": {"engine": "benevolent"},
    "tournament-new": {"name": "Late", "game": "benevolent"},
    "tournament-rules": T,
    "tournament-paper": {**T, "paper": "standings"},
    "tournament-penalise": {**T, "name": "Eve", "reason": "late", "halves": 1},
    "tournament-edit": {**T, "name": "Eve"},
    "tournament-seed": {**T, "name": "Eve", "to": 1},
    "tournament-fee": {**T, "names": ["Eve"]},
    "tournament-register-list": {**T, "players": [{"name": "Hal"}]},
    "tournament-correct": {**T, "table": "1", "round": 1, "reason": "so", "places": ["A", "B"]},
    "tournament-result": {**T, "table": "1", "reason": "so", "places": ["A", "B"]},
    "tournament-report": {**T, "table": "1", "player": "Eve", "places": ["A", "B"]},
    "tournament-wall": {**T, "shows": "standings"},
}
"""What is said to operations that are not among the questions above."""
NOT_TRIED = {
    "confirm": "a seat alone asks it, with what it has seen",
    "photo-add": "a file is sent",
    "sight": "a file is sent",
    "sight-audit": "a file is sent",
    "sight-card": "a file is sent",
    "tournament-import": "a file is sent",
    "tournament-reveal": "only an event with deals has any",
    "tournament-finals": "drawn by lot where no seed is said",
    "tournament-lot": "drawn by lot where no seed is said",
    "tournament-pair": "drawn by lot where no seed is said",
    "tournament-explain": "drawn by lot where no seed is said",
}
NOTHING: tuple[Any, ...] = (0, "", [])
_CHOSEN = "tournament since until reading"
AS_IF_LEFT_OUT = {
    # an empty field of a form to search or to choose with: all are meant
    "kit-show": "only search", "readings": "search", "rules": "clause search", "game-kit": "search",
    "export-chosen": f"clause {_CHOSEN}", "games": f"clause current {_CHOSEN}",
    "stats": f"variant {_CHOSEN}", "stats-picture": f"variant {_CHOSEN}",
    "moves": "containing", "season-list": "current", "tournament-list": "current",
    "tournament-penalties": "name",
    # an empty field of a form to fill in: nobody, no clause
    "collection-put": "game", "dispute-open": "clause seat", "ruling-issue": "seat",
    "tournament-penalty-next": "clause",
    # refused alike, or with nothing there that would differ
    "kit-declare": "chosen value", "table-pieces": "at",
    "what-if": "house_rules", "what-if-all": "house_rules",
    "tournament-correct": "measures", "tournament-report": "measures",
    "tournament-result": "measures",
}  # fmt: skip
"""Arguments of which nothing is the same as nothing said."""


def empty_arguments(operation: Operation) -> Iterator[tuple[str, Any]]:
    """Arguments that may be left out and may be nothing, where that is not their default."""
    model = operation.says
    for name, field in model.model_fields.items() if model is not None else ():
        usual = field.get_default(call_default_factory=True)
        for value in NOTHING if not field.is_required() else ():
            try:
                model.__pydantic_validator__.validate_assignment(  # type: ignore[union-attr]
                    model.model_construct(),
                    name,
                    value,  # type: ignore[union-attr]
                )
            except ValueError:
                continue
            if usual != value and (usual, value) != ((), []):
                yield name, value


TRIED = [op for op in routes() if [*empty_arguments(op)] and op.name not in NOT_TRIED]


@pytest.mark.parametrize("operation", TRIED, ids=lambda operation: operation.name)
def test_a_zero_or_an_empty_text_is_not_taken_for_nothing_said(
    operation: Operation, evening: tuple[Club, dict[str, str]], tmp_path: Path
) -> None:
    club, found = evening
    name = operation.name
    said = filled(BESIDE[name] if name in BESIDE else QUESTIONS[name][0].said, found)
    same = set()
    for name, value in empty_arguments(operation):
        left_out = {key: each for key, each in said.items() if key != name}
        answers = [
            asked_apart(club, found, operation, each, tmp_path / f"{name}-{value!r}-{number}")
            for number, each in enumerate((left_out, {**left_out, name: value}))
        ]
        if answers[0] == answers[1]:
            same.add(name)
    assert same == {*AS_IF_LEFT_OUT.get(operation.name, "").split()}


def asked_apart(
    club: Club, found: dict[str, str], operation: Operation, said: Said, folder: Path
) -> Any:
    """The answer of a service on a store of its own, if anything is written."""
    if not operation.writes:
        return asked_over_http(club, operation, said)
    shutil.copytree(found["folder"], folder)
    context = open_store_context(f"sqlite://{folder}/games.db")
    with TestClient(make_app(context, Settings(hosts=("testserver",), limits=PLENTY))) as client:
        return asked_over_http(Club(context, client), operation, said)


def asked_over_http(club: Club, operation: Operation, said: Said) -> Any:
    path = operation.path.format(**{name: said[name] for name in operation.names})
    rest = {key: value for key, value in said.items() if key not in operation.names}
    if operation.asks_in_query:
        reply = club.ask(operation.method, f"{path}?{urlencode(rest, doseq=True)}", "organiser")
    else:
        reply = club.ask(operation.method, path, "organiser", json=rest)
    if "json" not in reply.headers["content-type"]:
        return reply.status_code, reply.content
    body = reply.json()
    return reply.status_code, body.get("code"), body.get("data") and _timeless(body["data"])


def test_whatever_may_be_nothing_is_tried_or_says_why_not() -> None:
    asked = QUESTIONS.keys() | BESIDE.keys()
    assert {op.name for op in TRIED} <= asked
    assert not asked & NOT_TRIED.keys()


# writing


KEPT = ("number", "seat", "text", "outcome", "clauses", "status", "stands")
LINES = 14


def moves_of(club: Club, game: str) -> list[tuple[Any, ...]]:
    rows = club.get(f"/games/{game}/moves?everything=true", "organiser").json()["data"]["moves"]
    return [tuple(row[key] for key in KEPT) for row in rows]


@pytest.mark.parametrize("name", [name for name in GAMES if name != "toy"])
def test_several_lines_are_logged_alike_at_every_door(
    name: str, evening: tuple[Club, dict[str, str]]
) -> None:
    """As many as there are before one that is refused, for two to five players."""
    club, _ = evening
    opening, *played = lines_of(name)
    kept = min(LINES, len(played) - 1)
    table, lines = opening.removeprefix("table "), [*played[:kept], played[0], *played[kept:]]
    new = json.loads(run(shlex.join(["referee", "new", "--json", name, *table.split()]))[0])
    typed = new["data"]["game"]
    _, code = run(shlex.join(["referee", "log", "-g", typed, *lines]))
    assert code == 3
    said = {"game": name, "table": table}
    sent = club.post("/games", "organiser", said).json()["data"]["game"]
    reply = club.post(f"/games/{sent}/actions", "organiser", {"lines": lines})
    assert reply.status_code == 422, reply.text
    caller = Caller(club.store_context, Author(role="organiser"))
    opened = new_table(caller, name, table)
    assert log(caller, opened, lines).outcome == "illegal"
    expected = moves_of(club, typed)
    assert [row[0] for row in expected] == list(range(kept + 1))
    assert [row[2] for row in expected] == [opening, *played[:kept]]
    assert moves_of(club, sent) == expected
    assert moves_of(club, opened) == expected


SAID_AGAIN: dict[str, Question] = {
    "note-add": Question("note add 2 hm", {**G, "on": "2", "text": "hm"}),
    "note-remove": Question("note remove n1", {**G, "note": "n1"}),
    "dispute-open": Question(
        "dispute open 3 -m hm --by B", {**G, "number": 3, "text": "hm", "seat": "B"}
    ),
    "dispute-close": Question("dispute close d2 -m so", {**G, "dispute": "d2", "reason": "so"}),
    "undo": Question("undo", G),
    "redo": Question("redo", G),
    "hold": Question("hold", G),
    "log": Question("log 'C step a1'", {**G, "lines": ["C step a1"]}),
    "correct": Question("correct 4 'B gather'", {**G, "number": 4, "lines": ["B gather"]}),
    "finish": Question("finish -m late --yes", {**G, "reason": "late", "yes": True}),
    "penalty-add": Question(
        "penalty add B caution -m so", {**G, "seat": "B", "level": "caution", "reason": "so"}
    ),
    "reopen": Question("reopen -m so", {**G, "reason": "so"}),
    "resume": Question("resume -m so", {**G, "reason": "so"}),
    "people-rename": Question("people rename Ana Anne", {"person": "Ana", "name": "Anne"}),
    "new": Question("new pebbles A B first A", {"game": "pebbles", "table": "A B first A"}),
    "collection-new": Question("collection new Mid", {"name": "Mid"}),
    "collection-remove": Question(
        "collection remove {study} {chapter}", {"collection": "{study}", "chapter": "{chapter}"}
    ),
    "season-new": Question("season new Year", {"name": "Year"}),
    "season-players-add": Question("season players add Hal", {**S, "names": ["Hal"]}),
    "season-players-remove": Question(
        "season players remove Gus -m so", {**S, "player": "Gus", "reason": "so"}
    ),
    "season-add": Question("season add {cup}", {**S, "tournament": "{cup}"}),
    "tournament-register": Question(
        "tournament players add Hal", {**T, "players": [{"name": "Hal"}]}
    ),
    "tournament-unregister": Question("tournament players unregister Hal", {**T, "name": "Hal"}),
    "tournament-edit": Question(
        "tournament players edit Eve --club East", {**T, "name": "Eve", "club": "East"}
    ),
    "tournament-check-in": Question("tournament players checkin Eve", {**T, "names": ["Eve"]}),
    "tournament-keep-apart": Question(
        "tournament apart add Eve Finn -m so", {**T, "names": ["Eve", "Finn"], "reason": "so"}
    ),
    "tournament-announce": Question("tournament announce hm", {**T, "text": "hm"}),
    "tournament-drop": Question("tournament players drop Eve", {**T, "name": "Eve"}),
    "tournament-return": Question("tournament players return Eve", {**T, "name": "Eve"}),
    "tournament-late": Question("tournament players late Eve", {**T, "name": "Eve"}),
    "tournament-byes": Question(
        "tournament players byes Eve --rounds 2", {**T, "names": ["Eve"], "rounds": 2}
    ),
    "tournament-bye": Question("tournament players bye Eve 3", {**T, "name": "Eve", "round": 3}),
    "tournament-penalise": Question(
        "tournament penalty add Finn 0.5 -m late",
        {**T, "name": "Finn", "reason": "late", "halves": 1},
    ),
    "tournament-penalty-cancel": Question(
        "tournament penalty cancel 1 -m so", {**T, "number": "1", "reason": "so"}
    ),
    "tournament-start": Question("tournament start", T),
    "tournament-unpair": Question("tournament unpair -m so", {**T, "reason": "so"}),
    "tournament-result": Question(
        "tournament result 1 B A", {**T, "table": "1", "places": ["B", "A"], "reason": ""}
    ),
    "tournament-round-close": Question("tournament round close", T),
    "tournament-round-reopen": Question(
        "tournament round reopen 1 -m so", {**T, "round": 1, "reason": "so"}
    ),
    "tournament-comment": Question("tournament comment hm", {**T, "text": "hm"}),
    "tournament-clock-start": Question("tournament clock start", T),
    "tournament-clock-stop": Question("tournament clock stop", T),
    "tournament-close": Question("tournament close", T),
    "tournament-reopen": Question("tournament reopen -m so", {**T, "reason": "so"}),
}
"""What is written, said twice: a second of the thing, or the reason why there is none."""
OWN_IDS = re.compile(r"\b(collection|season)-[a-z0-9]{8,}")
Twice = list[tuple[str | None, str]]


@pytest.mark.parametrize("name", SAID_AGAIN)
def test_what_is_said_twice_is_answered_alike_at_every_door(
    name: str,
    evening: tuple[Club, dict[str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By two devices, in two commands, by two calls."""
    found, question, operation = evening[1], SAID_AGAIN[name], OPERATIONS[name]
    said, told = filled(question.said, found), []
    for ask in (twice_by_api, twice_by_command, twice_by_function):
        folder = tmp_path / ask.__name__
        shutil.copytree(found["folder"], folder)
        url = f"sqlite://{folder}/games.db"
        monkeypatch.setenv("REFEREE_STORE", url)
        told.append(ask(url, operation, question, said, found))
    assert told[1] == told[0], "command"
    assert told[2] == told[0], "function"


def outcome(body: dict[str, Any]) -> tuple[str | None, str]:
    """The reason, if it was refused, and what was answered, whoever said it where."""
    data = body.get("data") and _timeless(body["data"])
    if isinstance(data, dict) and "accepted" in data:
        body = {"code": None}
    return body.get("code"), OWN_IDS.sub("OWN", alike(json.dumps(data, sort_keys=True)))


def twice_by_api(
    url: str, operation: Operation, question: Question, said: Said, found: dict[str, str]
) -> Twice:
    context = open_store_context(url)
    path = operation.path.format(**{each: said[each] for each in operation.names})
    rest = {key: value for key, value in said.items() if key not in operation.names}
    with TestClient(make_app(context, Settings(hosts=("testserver",), limits=PLENTY))) as client:
        club, told = Club(context, client), []
        for _ in range(2):
            club.tokens.clear()
            reply = club.ask(operation.method, path, "organiser", json=rest)
            told.append(outcome(reply.json()))
        return told


def twice_by_command(
    url: str, operation: Operation, question: Question, said: Said, found: dict[str, str]
) -> Twice:
    command, told = question.command.format(**found), []
    command += f" -g {found['game']}" if "game" in operation.names else ""
    for group, option, at in (("tournament", "-t", "cup"), ("season", "-s", "year")):
        if group in operation.names:
            command = command.replace(group, f"{group} {option} {found[at]}", 1)
    for _ in range(2):
        answered = json.loads(run(f"referee --as porgani:organiser {command} --json")[0])
        told.append(outcome(answered.get("error", answered)))
    return told


def twice_by_function(
    url: str, operation: Operation, question: Question, said: Said, found: dict[str, str]
) -> Twice:
    context, told = open_store_context(url), []
    rest = {key: value for key, value in said.items() if key not in operation.names}
    for _ in range(2):
        voice = Voice(lang="en", name_of=context.people.name)
        caller = Caller(context, Author("porgani", "organiser"), voice)
        asked = operation.says.model_validate(rest) if operation.says is not None else None
        path = {each: said[each] for each in operation.names}
        try:
            answered = carry_out(operation, Ask(caller, path), asked)
        except MessageError as refused:
            told.append(outcome({"code": refused.key}))
        else:
            assert isinstance(answered, Answered)
            told.append(outcome({"data": to_jsonable_python(answered.data)}))
    return told
