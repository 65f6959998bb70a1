"""One question, one answer: at the command line, of the function, over the API, in both languages.

The evening is no first case: two tables and a tournament in one store, three players, seat B
begins, several lines in one ``log``. An operation that reads and is not in the table below is
missed by the last test, so that a new one is asked as well.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from pydantic import ValidationError
from pydantic_core import to_jsonable_python
from starlette.testclient import TestClient

from answers.answer import Answered
from answers.context import Caller, StoreContext, open_store_context
from answers.declaration import Operation
from answers.i18n import Voice
from answers.operations import OPERATIONS, routes
from answers.play.actions import log
from engines.kernel.messages.catalogue import LANGUAGES, Language
from engines.kernel.messages.errors import MessageError
from referee.proof.keys import KeyRing
from referee.proof.signatures import Signer, signature_of
from referee.record.game import seal_digest
from referee.table.author import Author
from replays.formats import FORMATS
from service.app import make_app
from service.dispatch import what_is_said
from service.http_messages import HttpRequest
from service.routing import Ask, carry_out
from service.settings import Settings
from tests.cli.conftest import as_newcomer
from tests.cli.transcripts import run
from tests.opening import new_table
from tests.photos import art, jpeg_of, png
from tests.record.random_tables import GAMES, lines_of
from tests.service.conftest import PLENTY, Club
from tests.service.test_twins import alike
from tests.store.test_sqlite import raw
from tests.tournament.test_interchange import foreign_log

FOREST = "forest S2B S1B"
PYRAMID = (
    "pyramid bargain double_step gift_clover swap_again / lone_step grey_pass reserve_toll"
    " / convert_3 sleep_again"
)
EVENING = (
    "tournament new Side --of pebbles --rounds 2",
    "tournament players add Gus Eve Hal --club South",
    "season new Before",
    "season players add Gus",
    "collection new Firsts",
    "new pebbles A B first B --title Late --house-rule PEB-TAKE-2",
    "log 'take 2' 'take 2' 'B take 3'",
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
Found = dict[str, Any]
Step = Callable[[Club, Found], Any]
"""It is done in a store of its own, and answers what is found there now."""


class Question(NamedTuple):
    """The command, and what a request names in its path and its query."""

    command: str
    """Empty where no command asks it."""
    said: Said = {}
    before: tuple[str | Step, ...] = ()
    """What is done first, so that there is something to ask for: commands, or what else is done
    over HTTP. What the last of them answers is ``{new[…]}`` in what is said."""
    role: str = "organiser"
    file: str = ""
    """What a request brings with it."""


G = {"game": "{game}"}
T = {"tournament": "{cup}"}
LISTED = "name,club\nIda,East\nJon,East\n"
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
    "webhook-list": [Question("webhook list")],
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
    "kit-wording": [
        Question(
            "kit wording benevolent BEN-MOVE-3", {"engine": "benevolent", "clause": "BEN-MOVE-3"}
        )
    ],
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
    "tournament-hall": [Question("tournament hall", T)],
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
        cups = named_in("tournament list", "tournament")
        years, studies = (
            named_in("season list", "season"),
            named_in("collection list", "collection"),
        )
        study, cup = studies["Ends"], cups["Cup"]
        assert run(f"referee season add {cup} --weight 2")[1] == 0
        by_engine = {row["engine"] if "engine" in row else row["of"]: row["game"] for row in listed}
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
        write_files(folder, by_engine["pebbles"])
        shutil.copytree(folder, folder / "copy", ignore=shutil.ignore_patterns("copy"))
        found = {
            "folder": str(folder / "copy"),
            "study": study,
            "chapter": shown["content"][0]["id"],
            "game": by_engine["benevolent"],
            "other": by_engine["pebbles"],
            "year": years["Year"],
            "cup": cup,
            "second game": by_engine["pebbles"],
            "second cup": cups["Side"],
            "second year": years["Before"],
            "second study": studies["Firsts"],
        }
        store_context = open_store_context(f"sqlite://{folder}/games.db")
        settings = Settings(hosts=("testserver",), limits=PLENTY)
        with TestClient(make_app(store_context, settings)) as client:
            yield Club(store_context, client), found


def named_in(command: str, kind: str) -> dict[str, str]:
    """The ids of a list, by name."""
    (rows,) = json.loads(run(f"referee {command} --json")[0])["data"].values()
    return {row["name"]: row[kind] for row in rows}


def write_files(folder: Path, game: str) -> None:
    """What requests bring with them."""
    (folder / "art.png").write_bytes(png())
    (folder / "list.csv").write_text(LISTED)
    (folder / "slips.txt").write_text("1 A B\n")
    (folder / "cases.toml").write_text(CASES)
    (folder / "piles.toml").write_text('draw = ["M1", "S2", "D3"]')
    (folder / "pods.json").write_text(json.dumps(foreign_log()))
    (folder / "cards.jpg").write_bytes(jpeg_of(art(2)))
    before, after = table_seen()
    (folder / "before-and-after.jpg").write_bytes(before + after)
    for line in (
        f"export record -g {game} -o {folder}/game.jsonl",
        "kit tell broom_service front.towers.t05.vp=3 -m counted",
        f"kit csv broom_service -o {folder}/box.csv",
        f"kit export broom_service -o {folder}/own.box",
        f"ruling export -o {folder}/rulings.toml --source North",
    ):
        out, code = run(f"referee {line}")
        assert code == 0, (line, out)


WHOLE_VALUE = re.compile(r"{(new[^{}]+)}")
"""A value as it was answered before: a number stays one, and a list."""


def filled(said: Said, found: Found) -> Said:
    def one(value: Any) -> Any:
        if isinstance(value, list):
            return [one(each) for each in value]
        if isinstance(value, str) and (whole := WHOLE_VALUE.fullmatch(value)):
            return Formatter().get_field(whole[1], (), found)[0]
        return value.format(**found) if isinstance(value, str) else value

    return {key: one(value) for key, value in said.items()}


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
    "export": G,
    "why": {**G, "line": "C step b2"},
    "game-kit": G,
    "kit-declare": {**G, "path": "leaves.count"},
    "picture": G,
    "table-pieces": G,
    "position": G,
    "ruling-issue": {**G, "reason": "so", "dispute": "d2", "dry_run": True},
    "trial": {**G, "lines": ["B step a1"]},
    "undo": G,
    "what-if": {"game": "{other}"},
    "what-if-all": {"engine": "pebbles"},
    "ruling-feed": {},
    "seal-make": {"title": "all"},
    "sight-confirm": {"number": 1},
    "stats-picture": {"engine": "benevolent"},
    "tournament-new": {"name": "Late", "game": "benevolent"},
    "tournament-rules": T,
    "tournament-paper": {**T, "paper": "standings"},
    "tournament-penalise": {**T, "name": "Eve", "reason": "late", "halves": 1},
    "tournament-edit": {**T, "name": "Eve"},
    "tournament-seed": {**T, "name": "Eve", "to": 1},
    "tournament-fee": {**T, "names": ["Eve"]},
    "tournament-register-list": {**T, "players": [{"name": "Hal"}]},
    "tournament-clock-extend": {**T, "minutes": 5},
    "tournament-correct": {**T, "table": "1", "round": 1, "reason": "so", "places": ["A", "B"]},
    "tournament-result": {**T, "table": "1", "reason": "so", "places": ["A", "B"]},
    "tournament-report": {**T, "table": "1", "player": "Eve", "places": ["A", "B"]},
    "tournament-wall": {**T, "shows": "standings"},
}
"""What is said to operations that are not among the questions above."""
IN_EACH: dict[str, list[Said]] = {"export": [{"format": each} for each in FORMATS]}
"""What else is said, where one operation does several things."""
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


@pytest.mark.parametrize(
    ("operation", "more"),
    [
        pytest.param(op, more, id="-".join((op.name, *more.values())))
        for op in TRIED
        for more in IN_EACH.get(op.name, [{}])
    ],
)
def test_a_zero_or_an_empty_text_is_not_taken_for_nothing_said(
    operation: Operation, more: Said, evening: tuple[Club, dict[str, str]], tmp_path: Path
) -> None:
    club, found = evening
    name = operation.name
    said = filled(BESIDE[name] if name in BESIDE else QUESTIONS[name][0].said, found) | more
    same = set()
    for name, value in empty_arguments(operation):
        left_out = {key: each for key, each in said.items() if key != name}
        answers = [
            asked_apart(club, found, operation, each, tmp_path / f"{name}-{value!r}-{number}")
            for number, each in enumerate((left_out, {**left_out, name: value}))
        ]
        assert max(status for status, *_ in answers) < 500, (name, value)
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
    with service_on(f"sqlite://{folder}/games.db") as club:
        return asked_over_http(club, operation, said)


@contextmanager
def service_on(url: str) -> Iterator[Club]:
    context = open_store_context(url)
    with TestClient(make_app(context, Settings(hosts=("testserver",), limits=PLENTY))) as client:
        yield Club(context, client)


def sent(question: Question, found: Found) -> tuple[Said, bytes, str]:
    """What is said, the file, and who sends it."""
    content = Path(found["folder"], question.file).read_bytes() if question.file else b""
    return filled(question.said, found), content, question.role


def asked_over_http(
    club: Club, operation: Operation, said: Said, content: bytes = b"", role: str = "organiser"
) -> Any:
    path = operation.path.format(**{name: said[name] for name in operation.names})
    rest = {key: value for key, value in said.items() if key not in operation.names}
    headers = {AS_HEADER: rest.pop(AS_HEADER)} if AS_HEADER in rest else {}
    body: dict[str, Any] = {"content": content} if operation.takes_file else {"json": rest}
    if operation.takes_file or operation.asks_in_query:
        path, body = f"{path}?{urlencode(rest, doseq=True)}", body if operation.takes_file else {}
    reply = club.ask(operation.method, path, role, headers=headers, **body)
    if reply.headers["content-type"] not in ("application/json", "application/problem+json"):
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


STARTED = ("tournament -t {cup} start",)
CALLED = ("tournament -t {cup} call 1 -m so --player Eve",)
TIMED = (*STARTED, "tournament -t {cup} clock start 30")
UNPAIRED = "tournament -t {cup} unpair -m so"
FINALS = "tournament -t {cup} finals 2 -m so"
RANKED = (UNPAIRED,)
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
        "penalty add B warning -m so", {**G, "seat": "B", "level": "warning", "reason": "so"}
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
    "tournament-qualify": Question(
        "tournament players from {second cup} --top 1", {**T, "event": "{second cup}", "top": 1}
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
        "tournament penalty cancel {new[penalties][0][event]} -m so",
        {**T, "number": "{new[penalties][0][event]}", "reason": "so"},
        ("tournament -t {cup} penalty list",),
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
    "access-code": Question("", {"role": "judge", "name": "Jo"}),
    "access-give": Question("access give judge --name Jo", {"role": "judge", "name": "Jo"}),
    "access-rules": Question(
        "access rules {game} --open-to everybody", {**G, "open_to": "everybody"}
    ),
    "branch": Question("branch 3 -g {game}", {"game": "{game}", "at": 3}),
    "adjust": Question(
        "adjust players.A.leaves=4 -m so",
        {**G, "changes": {"players": {"A": {"leaves": 4}}}, "reason": "so"},
    ),
    "hold-attend": Question("dispute attend", G, ("hold -g {game}",)),
    "clock-set": Question("clock 20", {**G, "seconds": 1200}),
    "confirm": Question("confirm", G, role="seat:B"),
    "dispute-attend": Question("dispute attend d2", {**G, "dispute": "d2"}),
    "kit-declare": Question(
        "kit declare leaves.count 61 -m counted",
        {**G, "path": "leaves.count", "value": 61, "source": "counted"},
    ),
    "penalty-cancel": Question("penalty cancel x1 -m so", {**G, "penalty": "x1", "reason": "so"}),
    "photo-add": Question("photo add {folder}/art.png --at 3", {**G, "at": 3}, file="art.png"),
    "photo-erase": Question(
        "photo erase f1 -m so",
        {**G, "photo": "f1", "reason": "so"},
        ("photo add {folder}/art.png -g {game}",),
    ),
    "ruling-issue": Question(
        "ruling issue d2 --remedy taken_back -m so",
        {**G, "dispute": "d2", "remedy": "taken_back", "reason": "so"},
    ),
    "ruling-import": Question("", {"source": "North", "ruling": []}),
    "secret-seal": Question(
        "", {**G, "seat": "A", "what": "hand", "digest": "0" * 64}, role="scribe"
    ),
    "secret-open": Question(
        "secret open s1 leaf --salt 00000000000000000000000000000000",
        {**G, "secret": "s1", "salt": "0" * 32, "words": ["leaf"]},
        ("--as Ana:scribe secret seal A hand leaf -g {game}",),
        role="scribe",
    ),
    "import": Question("", {}, file="game.jsonl"),
    "import-accept": Question("", G),
    "people-erase": Question("people erase Ana --yes", {"person": "Ana"}),
    "people-picture": Question(
        "people picture Ana {folder}/art.png", {"person": "Ana"}, file="art.png"
    ),
    "people-picture-erase": Question(
        "people picture Ana --erase",
        {"person": "Ana"},
        ("people picture Ana {folder}/art.png", "people picture Bo {folder}/art.png"),
    ),
    "collection-edit": Question(
        "collection edit {study} --author Bo", {"collection": "{study}", "author": "Bo"}
    ),
    "collection-put": Question(
        "collection put {study} --game {game} --at 0",
        {"collection": "{study}", "game": "{game}", "at": 0},
    ),
    "collection-note": Question(
        "collection note {study} {chapter} 2 hm",
        {"collection": "{study}", "chapter": "{chapter}", "number": 2, "text": "hm"},
    ),
    "collection-unnote": Question(
        "collection unnote {study} {chapter} {new[content][0][notes][0][id]}",
        {
            "collection": "{study}",
            "chapter": "{chapter}",
            "note": "{new[content][0][notes][0][id]}",
        },
        ("collection note {study} {chapter} 2 hm", "collection note {study} {chapter} 3 hm"),
    ),
    "kit-told": Question(
        "kit tell broom_service front.towers.t05.vp=2 -m counted",
        {"engine": "broom_service", "data": {"front.towers.t05.vp": 2}, "source": "counted"},
    ),
    "kit-wording-tell": Question(
        "kit wording benevolent BEN-MOVE-3 printed",
        {"engine": "benevolent", "clause": "BEN-MOVE-3", "said": "printed"},
    ),
    "kit-csv-take": Question(
        "kit csv broom_service {folder}/box.csv", {"engine": "broom_service"}, file="box.csv"
    ),
    "kit-import": Question(
        "kit import {folder}/own.box --kit theirs --unknown",
        {"engine": "broom_service", "kit": "theirs", "keep": True},
        file="own.box",
    ),
    "kit-photo-add": Question(
        "kit photo broom_service front.F1 {folder}/art.png",
        {"engine": "broom_service", "page": "front.F1"},
        file="art.png",
    ),
    "kit-photo-erase": Question(
        "kit photo broom_service front.F1 --erase",
        {"engine": "broom_service", "page": "front.F1"},
        ("kit photo broom_service front.F1 {folder}/art.png",),
    ),
    "season-remove": Question(
        "season remove {cup} -m so", {**S, "tournament": "{cup}", "reason": "so"}
    ),
    "season-merge": Question(
        "season players merge Eve Gus -m so",
        {**S, "player": "Eve", "merged": "Gus", "reason": "so"},
    ),
    "season-revise": Question(
        "season revise --counted 3 -m so", {**S, "rules": {"counted": 3}, "reason": "so"}
    ),
    "season-team": Question(
        "season players team Owls Eve Gus",
        {**S, "team": "Owls", "players": ["Eve", "Gus"]},
        ("season -s {year} players add Owls",),
    ),
    "tournament-new": Question(
        "tournament new Cup --of pebbles --rounds 2",
        {"name": "Cup", "game": "pebbles", "rounds": 2},
    ),
    "tournament-rules": Question(
        "access rules {cup} --open-to everybody", {**T, "open_to": "everybody"}
    ),
    "tournament-apart-end": Question(
        "tournament apart cancel {new[events][0][number]} -m so",
        {**T, "number": "{new[events][0][number]}", "reason": "so"},
        (
            "tournament -t {cup} apart add Eve Finn -m so",
            "tournament -t {cup} apart add Eve Dora -m so",
        ),
    ),
    "tournament-feature": Question("tournament feature 1", {**T, "tables": [1]}, STARTED),
    "tournament-schedule": Question(
        "tournament schedule '2026-11-21T09:30=Round 1'",
        {**T, "items": [{"at": "2026-11-21T09:30:00.000Z", "text": "Round 1"}]},
    ),
    "tournament-call": Question(
        "tournament call 1 -m hm --player Eve",
        {**T, "table": "1", "text": "hm", "player": "Eve"},
        STARTED,
    ),
    "tournament-call-take": Question(
        "tournament attend {call}", {**T, "number": "{call}"}, (*STARTED, *CALLED)
    ),
    "tournament-call-answer": Question(
        "tournament answer {call} -m so",
        {**T, "number": "{call}", "text": "so"},
        (*STARTED, *CALLED),
    ),
    "tournament-clock-extend": Question(
        "tournament clock extend 5 --table 1", {**T, "minutes": 5, "table": 1}, TIMED
    ),
    "tournament-clock-pause": Question(
        "tournament clock pause -m so", {**T, "reason": "so"}, TIMED
    ),
    "tournament-finals": Question(
        "tournament finals 2 -m so", {**T, "places": 2, "reason": "so"}, RANKED
    ),
    "tournament-finals-cancel": Question(
        "tournament finals --cancel -m so", {**T, "reason": "so"}, (*RANKED, FINALS)
    ),
    "tournament-finalist": Question(
        "tournament finals --replace Eve Dora -m so",
        {**T, "name": "Eve", "substitute": "Dora", "reason": "so"},
        (*RANKED, FINALS),
    ),
    "tournament-lot": Question(
        "tournament lot Eve Finn --seed 7 -m so",
        {**T, "names": ["Eve", "Finn"], "seed": 7, "reason": "so"},
    ),
    "tournament-picture": Question("tournament picture {folder}/art.png", T, file="art.png"),
    "tournament-picture-erase": Question(
        "tournament picture --erase", T, ("tournament -t {cup} picture {folder}/art.png",)
    ),
    "tournament-revise": Question(
        "tournament revise --rounds 4 -m so", {**T, "rounds": 4, "reason": "so"}
    ),
    "tournament-fee": Question("tournament players fee Eve", {**T, "names": ["Eve"]}),
    "tournament-invite": Question("tournament invite Eve", {**T, "names": ["Eve"]}),
    "tournament-register-list": Question(
        "tournament players import {folder}/list.csv",
        {**T, "file": b64encode(LISTED.encode()).decode(), "source": "list.csv"},
    ),
    "tournament-merge": Question(
        "tournament players merge Eve Gil -m so",
        {**T, "name": "Eve", "other": "Gil", "reason": "so"},
        ("tournament -t {cup} players late Gil --new",),
    ),
    "tournament-seed": Question("tournament players seed Eve 1", {**T, "name": "Eve", "to": 1}),
    "tournament-prizes-set": Question("tournament prizes '1: a cup'", {**T, "lines": "1: a cup"}),
    "tournament-reading": Question(
        "tournament reading grey_count=flat --of benevolent -m so",
        {**T, "game": "benevolent", "reading": "grey_count", "value": "flat", "reason": "so"},
        (*STARTED, "tournament -t {cup} table 1"),
    ),
    "tournament-registration-set": Question(
        "tournament registration open --capacity 3 --ask club",
        {**T, "open": True, "capacity": 3, "asks": ["club"]},
    ),
    "tournament-move-up": Question("tournament registration move-up Eve", {**T, "name": "Eve"}),
    "tournament-result-list": Question(
        "tournament results {folder}/slips.txt",
        {**T, "lines": "1 A B\n", "reason": "slip"},
        STARTED,
    ),
    "tournament-results": Question("", T, STARTED),
    "tournament-round-check-in": Question(
        "tournament players checkin Eve --round 3", {**T, "round": 3, "names": ["Eve"]}
    ),
    "tournament-pair": Question("tournament pair --seed 7", {**T, "seed": 7}, (UNPAIRED,)),
    "tournament-explain": Question(
        "tournament pair --explain --seed 7", {**T, "seed": 7}, (UNPAIRED,)
    ),
    "tournament-seat": Question("tournament seat Eve Finn", {**T, "names": ["Eve", "Finn"]}),
    "tournament-unstart": Question(
        "tournament round unstart -m so", {**T, "reason": "so"}, STARTED
    ),
    "tournament-swap": Question("tournament swap Eve Dora", {**T, "a": "Eve", "b": "Dora"}),
    "tournament-move": Question("tournament move 1:5", {**T, "moves": [[1, 5]]}),
    "tournament-table": Question("tournament table 1", {**T, "table": "1"}, STARTED),
    "tournament-correct": Question(
        "tournament correct 1 A B --round 1 -m so",
        {**T, "table": "1", "places": ["A", "B"], "round": 1, "reason": "so"},
        (UNPAIRED, "tournament -t {cup} round reopen 1 -m so"),
    ),
    "tournament-report": Question(
        "tournament report 1 A B --player Eve",
        {**T, "table": "1", "places": ["A", "B"], "player": "Eve"},
        STARTED,
    ),
    "tournament-team-set": Question(
        "tournament team set Eve Eva Evi", {**T, "team": "Eve", "members": ["Eva", "Evi"]}
    ),
    "tournament-line-up": Question(
        "tournament team line-up Eve Evi",
        {**T, "team": "Eve", "names": ["Evi"]},
    ),
    "tournament-wall": Question("tournament wall standings", {**T, "shows": "standings"}),
    "tournament-hall-set": Question(
        'tournament hall 1x2 "Stage: 9"', {**T, "rows": ["1x2", "Stage: 9"]}
    ),
    "tournament-line-ups-due": Question(
        "tournament team due 2030-01-01T10:00 --round 9",
        {**T, "until": "2030-01-01T10:00:00.000Z", "round": 9},
    ),
    "tournament-zones-set": Question(
        "tournament zones Jo=1-2 Kim=2-3", {**T, "zones": [["Jo", 1, 2], ["Kim", 2, 3]]}
    ),
}
"""What is written, told twice and of a second game, event, season or study: another of the thing,
or the reason why there is none."""
NOT_SAID_AGAIN = {
    "access-leave": "whoever has left asks nothing more",
    "access-revoke": "each door has tokens of its own",
    "webhook-add": "each address has a secret of its own",
    "webhook-remove": "each door has addresses of its own",
    "webhook-try": "each door has addresses of its own",
    "join": "a device alone asks it, once with each code",
    "kit-place": "a page alone asks it, with the corners of a photograph",
    "kit-cut": "a page alone asks it, with the corners of a photograph",
    "sign": "with a key that stays with whoever signs",
    "sight-confirm": "only what a camera has proposed is confirmed",
    "tournament-sign": "with a key that stays with whoever signs",
    "tournament-import": "a service takes other files than a command",
    "tournament-take": "a service takes other files than a command",
    "tournament-reveal": "only an event with deals has any",
    "tournament-sign-up": "whoever has the link asks it",
}
UNRECORDED = {
    "access-code", "access-give", "access-rules", "kit-csv-take", "kit-import", "kit-photo-add",
    "kit-photo-erase", "kit-told", "kit-wording-tell", "people-erase", "people-picture",
    "people-picture-erase", "people-rename", "tournament-invite", "tournament-picture",
    "tournament-picture-erase", "tournament-rules",
}  # fmt: skip
"""What stands beside the records is written anew by whoever says it again, key or no key."""
NOT_WRITTEN = {"finish": "yes", "tournament-register-list": "source"}
"""What a record does not keep of a request is not compared where its key comes again."""
OWN_IDS = re.compile(
    r'\b(collection|season)-[a-z0-9]{8,}|(?<="code": ")[^"]+|(?<="token": ")[^"]+|"[ct][a-z2-7]{8}"'
)
"""What is drawn by lot: ids, codes and tokens."""
SECOND = ("game", "cup", "year", "study")
"""Of each of them the evening has two."""
Told = list[Any]


CASES = '''game = "pebbles"

[[case]]
name = "nobody takes more than three"
log = "table A B first A"
lines = """
take 4 -> illegal PEB-TAKE-1
take 3 -> legal PEB-TAKE-1
"""
'''
CLAUSES = """[BEN-MOVE-1]
section = "Moves"
kind = "rule"
en = "One step a turn."
fr = "Un pas par tour."
"""
DECLARED = {
    "game": "benevolent",
    "table": "table A=blue B=red first A",
    "setup": [
        "forest S1A S2A",
        "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal / "
        "hoard convert_1",
        "A step c1; pick; B step c1; pick",
    ],
}
KIT = {
    "kit": "ours",
    "game": "pebbles",
    "version": 1,
    "provenance": "declared",
    "source": {"en": "the box on our table", "fr": "la boîte sur notre table"},
    "heap": 9,
}
CORNERS = [[0, 0], [9999, 0], [9999, 9999], [0, 9999]]
SALT = "0" * 32
AS_HEADER = "Idempotency-Key"
SIGNED = {each: f"{{new[{each}]}}" for each in ("at", "entry", "head", "key", "signature")} | {
    AS_HEADER: "{new[once]}"
}
SEEN = {"split": "{new[split]}", "corners": [x for corner in CORNERS for x in corner]}
BOTH = "before-and-after.jpg"
FULL = (
    "tournament -t {second cup} registration open --capacity 3",
    "tournament -t {second cup} registration show",
)
TEAMS = (
    "tournament new Clubs --of benevolent --rounds 2 --match 2 --boards --no-check-in",
    "tournament players add Rook Knight",
)
BRACKET = (
    "tournament new Last --of pebbles --format knockout --no-check-in",
    "tournament players add Ana Bo",
    "tournament pair",
)


def asks(name: str, **more: Any) -> Step:
    """What is shown of an operation is asked."""

    def step(club: Club, found: Found) -> Any:
        question = SHOWN.get(name) or SAID_AGAIN[name]
        said, content, role = sent(question, found)
        status, _, data = asked_over_http(club, OPERATIONS[name], said | more, content, role)
        assert status == 200, (name, data)
        return data

    return step


def sealed(club: Club, found: Found) -> Any:
    digest = seal_digest(found["game"], "A", "hand", SALT, ["leaf"])
    return asks("secret-seal", digest=digest)(club, found)


def signed(stream: str) -> Step:
    """What whoever signs sends, with a key of their own."""

    def step(club: Club, found: Found) -> Said:
        kind = "tournament-head" if stream == "cup" else "head"
        operation, ring = OPERATIONS[kind], KeyRing(Path(found["folder"], "keys"))
        said = filled(QUESTIONS[kind][-1].said, found)
        _, _, end = asked_over_http(club, operation, said)
        ring.new("jo")
        signer = Signer(end["entries"], end["at"], who("organiser"), "organiser", "once")
        made = signature_of(ring, "jo", "", found[stream], end["head"], signer)
        said = {"entry": made.seq, "head": made.head, "key": made.key}
        return {**said, "at": end["at"], "signature": made.signature, "once": "once"}

    return step


def split(club: Club, found: Found) -> Said:
    return {"split": len(table_seen()[0])}


def table_seen() -> tuple[bytes, bytes]:
    """A table before something happened, and after it."""
    after = art(1, (480, 384))
    before = jpeg_of(after)
    after.paste((20, 20, 20), (200, 150, 250, 200))
    return before, jpeg_of(after)


def a_piece(club: Club, found: Found) -> Any:
    run(f"referee kit photo broom_service sheet {found['folder']}/cards.jpg")
    rows = asks("kit-cut")(club, found)["pieces"]
    return next(row for row in rows if row["code"] == "fw")


def a_board(club: Club, found: Found) -> Any:
    run(f"referee kit photo broom_service board:front {found['folder']}/cards.jpg")
    return asks("kit-place", corners=CORNERS)(club, found)


def pictured(club: Club, found: Found) -> Any:
    """The cards of the box that the table plays with are known."""
    run(f"referee kit photo benevolent sheet {found['folder']}/cards.jpg")
    return asks("kit-cut", engine="benevolent", names=["S1A", "S2A"])(club, found)


def seen_only(club: Club, found: Found) -> Any:
    return asks("log", by_sight="unconfirmed")(club, found)


SHOWN: dict[str, Question] = {
    "access-log": Question("", {"most": 20}),
    "kit-box": Question("", {"engine": "broom_service", "kit": "own"}),
    "kit-board": Question("", {"engine": "broom_service", "board": "front"}),
    "kit-place": Question("", {"engine": "broom_service", "board": "front", "usual": True}),
    "kit-csv": Question("", {"engine": "broom_service", "kit": "own"}),
    "kit-export": Question("", {"engine": "broom_service", "club": "North"}),
    "kit-page": Question("", {"engine": "broom_service", "page": "front.F1"}),
    "kit-pieces": Question("", {"engine": "broom_service", "kit": "own"}),
    "kit-key": Question("", {"engine": "benevolent", "format": "svg"}),
    "kit-show": Question(
        "", {"engine": "benevolent", "kit": "benevolent-default", "search": "leaves"}
    ),
    "rules-diff": Question("", {"engine": "benevolent", "old": CLAUSES}),
    "faq-since": Question("", {"engine": "benevolent", "format": "md", "old": CLAUSES}),
    "collection-file": Question("", {"collection": "{study}", "format": "html", "names": True}),
    "export-chosen": Question("", {"format": "csv", "engine": "benevolent"}),
    "check": Question("", {**G, "lines": ["C step a1"]}),
    "choices": Question("", {**G, "prefix": "C step"}),
    "dispute-picture": Question("", {**G, "dispute": "d2"}),
    "entries": Question("", {**G, "after": 3, "most": 10}),
    "export": Question("", {**G, "format": "svg", "at": 3, "shape": "tall"}),
    "game-kit": Question("", {**G, "search": "leaves"}),
    "kit-asked": Question("", {**G, "data": ["leaves.count"]}),
    "picture": Question("", {**G, "at": 3, "view": "public"}),
    "table-pieces": Question("", {**G, "at": 3}),
    "position": Question("", {**G, "at": 3}),
    "trial": Question("", {**G, "lines": ["C step a1"]}),
    "what-if": Question("", {**G, "readings": {"grey_count": "flat"}}),
    "what-if-all": Question("", {"engine": "benevolent", "readings": {"grey_count": "flat"}}),
    "check-position": Question("", {"position": DECLARED, "lines": ["A step b1"]}),
    "position-trial": Question("", {"position": DECLARED, "lines": ["A step b1"]}),
    "ruling-export": Question("", {"source": "North"}),
    "ruling-feed": Question("", {"game": "benevolent", "address": "https://club.example"}),
    "seal-make": Question("", {"title": "Round 1", "games": ["{game}"]}),
    "stats-picture": Question("", {"engine": "benevolent"}),
    "tournament-clock": Question("", {**T, "round": 1}),
    "tournament-export": Question("", {**T, "format": "csv", "of": "standings"}),
    "tournament-paper": Question("", {**T, "paper": "standings", "format": "html"}),
    "webhook-add": Question("", {"address": "https://chat.example/hook", "events": ["game_over"]}),
    # what is said at every door, where it is accepted
    "log": Question("", {**G, "lines": ["A gather"]}),
    "reopen": Question("", {**G, "reason": "so"}, ("finish -g {game} -m late --yes",)),
    "resume": Question("", {**G, "reason": "so"}, ("hold -g {game}",)),
    "tournament-return": Question(
        "", {**T, "name": "Eve"}, ("tournament -t {cup} players drop Eve",)
    ),
    "tournament-late": Question("", {**T, "name": "Ida", "new": True}),
    "tournament-unregister": Question("", {"tournament": "{second cup}", "name": "Hal"}),
    "tournament-check-in": Question("", {"tournament": "{second cup}", "names": ["Gus"]}),
    "tournament-byes": Question("", {"tournament": "{second cup}", "names": ["Gus"], "rounds": 1}),
    "tournament-seed": Question("", {"tournament": "{second cup}", "name": "Gus", "to": 2}),
    "tournament-registration-set": Question(
        "", {"tournament": "{second cup}", "open": True, "capacity": 3, "asks": ["club"]}
    ),
    "tournament-qualify": Question(
        "",
        {"tournament": "{second cup}", "event": "{cup}", "top": 1},
        (UNPAIRED, "tournament -t {cup} players drop Eve", "tournament -t {cup} close --anyway"),
    ),
    "tournament-result": Question(
        "", {**T, "table": "1", "places": ["B", "A"], "reason": "slip"}, STARTED
    ),
    "tournament-round-close": Question(
        "", T, (*STARTED, "tournament -t {cup} result 1 B A -m slip")
    ),
    "tournament-clock-start": Question("", {**T, "minutes": 30}, STARTED),
    "tournament-clock-stop": Question("", T, TIMED),
    "tournament-close": Question("", {**T, "anyway": True}, (UNPAIRED,)),
    "tournament-reopen": Question(
        "", {**T, "reason": "so"}, (UNPAIRED, "tournament -t {cup} close --anyway")
    ),
    # only what was made before can be named
    "access-leave": Question("", {}),
    "access-revoke": Question("", {"token": "{new[id]}"}, ("access give judge --name Jo",)),
    "join": Question("", {"code": "{new[code]}"}, (asks("access-code"),)),
    "people-show": Question("", {"person": "Ana"}),
    "picture-of": Question(
        "",
        {"of": "{new[of]}", "digest": "{new[digest]}"},
        ("people picture Ana {folder}/art.png",),
    ),
    "webhook-remove": Question("", {"webhook": "{new[id]}"}, (asks("webhook-add"),)),
    "webhook-try": Question("", {"webhook": "{new[id]}"}, (asks("webhook-add"),)),
    "secret-open": Question(
        "",
        {**G, "secret": "s1", "salt": SALT, "words": ["leaf"]},
        (sealed,),
        role="scribe",
    ),
    "seal-check": Question(
        "",
        {each: f"{{new[{each}]}}" for each in ("title", "at", "games", "root", "key", "signature")},
        ('seal make "Round 1" {game}',),
    ),
    "sign": Question("", {**G, **SIGNED}, (signed("game"),)),
    "tournament-sign": Question("", {**T, **SIGNED}, (signed("cup"),)),
    "verify-record": Question("", {}, file="game.jsonl"),
    "cases": Question("", {}, file="cases.toml"),
    "kit-check": Question("", {"content": KIT}),
    "kit-photo": Question(
        "",
        {"engine": "broom_service", "page": "front.F1", "digest": "{new[digest]}"},
        ("kit photo broom_service front.F1 {folder}/art.png",),
    ),
    "kit-cut": Question(
        "",
        {
            "engine": "broom_service",
            "corners": CORNERS,
            "rows": 1,
            "columns": 2,
            "names": ["fw", "pw"],
        },
        ("kit photo broom_service sheet {folder}/cards.jpg",),
    ),
    "kit-piece": Question(
        "", {"engine": "broom_service", "code": "fw", "digest": "{new[digest]}"}, (a_piece,)
    ),
    "kit-board-picture": Question(
        "",
        {"engine": "broom_service", "board": "front", "digest": "{new[flat]}"},
        (a_board,),
    ),
    "photo": Question("", {**G, "photo": "f1"}, ("photo add {folder}/art.png -g {game}",)),
    "sight": Question("", {**G, **SEEN}, (split,), file=BOTH),
    "sight-audit": Question("", {**G, **SEEN}, (split,), file=BOTH),
    "sight-card": Question("", G, (pictured,), file="cards.jpg"),
    "sight-confirm": Question("", {**G, "number": "{new[number]}"}, (seen_only,)),
    "tournament-sign-up": Question(
        "", {"event": "{second cup}", "code": "{new[code]}", "name": "Ida"}, FULL
    ),
    "tournament-entry": Question("", {"event": "{second cup}", "code": "{new[code]}"}, FULL),
    "tournament-move-up": Question(
        "",
        {"tournament": "{second cup}", "name": "Ida"},
        (*FULL, asks("tournament-sign-up")),
    ),
    "tournament-team-set": Question(
        "",
        {
            "tournament": "{new[tournament]}",
            "team": "Rook",
            "members": ["Ana", "Bo", "Cleo"],
            "captain": "Ana",
            "away": ["Cleo"],
        },
        TEAMS,
    ),
    "tournament-line-up": Question(
        "",
        {"tournament": "{new[tournament]}", "team": "Rook", "names": ["Bo", "Ana"], "round": 1},
        (*TEAMS, "tournament team set Rook Ana Bo Cleo"),
    ),
    "tournament-line-ups-due": Question(
        "",
        {
            "tournament": "{new[tournament]}",
            "until": "2030-01-01T10:00:00.000Z",
            "round": 1,
        },
        TEAMS,
    ),
    "tournament-reveal": Question(
        "",
        {
            "tournament": "{new[tournament]}",
            "name": "one",
            "game": "bethel_woods",
            "piles": {"draw": ["D3", "S2", "M1"]},
            "seed": 5,
        },
        (
            "tournament deal make {folder}/piles.toml --name one --of bethel_woods --seed 5"
            " -o {folder}/one.json",
            "tournament new Woods --of bethel_woods --format duplicate --rounds 1"
            " --deal {folder}/one.json --no-check-in",
            "tournament players add Owls",
            "tournament pair",
            "tournament start",
        ),
    ),
    "tournament-bracket": Question("", {"tournament": "{new[tournament]}"}, BRACKET),
    "tournament-import": Question("", {"name": "Pods", "game": "broom_service"}, file="pods.json"),
    "tournament-take": Question(
        "",
        {},
        ("tournament -t {cup} export events --names -o {folder}/cup.jsonl",),
        file="cup.jsonl",
    ),
    # what is answered to whoever asks
    "clock": Question("", G),
    "doctor": Question("", {}),
    "dispute-paper": Question("", {**G, "dispute": "d2"}),
    "faq-file": Question("", {"engine": "benevolent", "format": "html"}),
    "open": Question("", G),
    "access-who": Question("", {}),
    "ruling-case": Question("", {**G, "ruling": "r1"}),
    "schema": Question("", {}),
    "schema-show": Question("", {"schema": "answer.info"}),
    "season-export": Question("", {**S, "format": "csv"}),
    "table-faces": Question("", G),
    "tournament-faces": Question("", T),
    "trays": Question("", G),
    "verify-all": Question("", {}),
}
"""What is asked of no other door: how a request looks that is answered."""
EXAMPLE_IDS = {
    "game": "game-k3v9q2xa",
    "other": "game-7hz4m1pd",
    "cup": "tournament-u5c8r2wn",
    "second cup": "tournament-b6t1y9ke",
    "year": "season-f4n7d0sj",
    "study": "collection-g2x5a8lo",
    "chapter": "c1",
    "call": "1",
    "folder": "",
    "new": {
        "at": "2026-11-21T09:30:00.000Z",
        "content": [{"notes": [{"id": "m2"}]}],
        "code": "k7mq-4wzn-3hps",
        "digest": "5f" * 32,
        "entry": 17,
        "events": [{"number": 16}],
        "games": [{"game": "game-k3v9q2xa", "entries": 17, "head": "5c" * 32}],
        "head": "5c" * 32,
        "id": "t4hq2m7xw",
        "key": "0b" * 32,
        "number": 8,
        "penalties": [{"event": 12}],
        "flat": "5f" * 32,
        "of": "p8d2k5vx7qa",
        "once": "7d2f90c4b1a8e635",
        "root": "1e" * 32,
        "signature": "9a" * 64,
        "split": 48211,
        "title": "Round 1",
        "tournament": "tournament-u5c8r2wn",
    },
}
EXAMPLES = Path(__file__).parents[2] / "service" / "examples.json"


def examples() -> dict[str, Said]:
    """A request of each operation, as it is asked here and answered; ``@`` is the file it sends."""
    asked = {name: each[-1] for name, each in QUESTIONS.items()} | SAID_AGAIN | SHOWN
    return {
        name: filled(each.said, EXAMPLE_IDS) | ({"@": each.file} if each.file else {})
        for name, each in asked.items()
    }


def test_the_document_shows_the_requests_that_are_asked_here() -> None:
    """``REFEREE_REWRITE=1`` writes them anew; every operation has one."""
    written = json.dumps(examples(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    if os.environ.get("REFEREE_REWRITE"):
        EXAMPLES.write_text(written, "utf-8")
    assert EXAMPLES.read_text("utf-8") == written
    shown = examples()
    assert shown.keys() == {each.name for each in routes()}
    assert {name for name, said in shown.items() if "@" in said} == {
        each.name for each in routes() if each.takes_file
    }
    for each in routes():
        rest = shown[each.name].keys() - {*each.names, "@", AS_HEADER}
        if each.says is not None:
            each.says.model_validate({name: shown[each.name][name] for name in rest})
        else:
            assert not rest, each.name


def test_true_is_heard_as_a_number_in_no_request() -> None:
    """Nor is false: it is refused where it stands, or kept as it is where anything may be said."""
    refused = 0
    for each in routes():
        if each.says is None or each.asks_in_query or each.takes_file:
            continue
        whole = examples()[each.name]
        body = {name: whole[name] for name in whole.keys() - {*each.names, AS_HEADER}}
        for place, wrong in product(numbers_in(body), (True, False)):
            asked = changed(body, place, wrong)
            request = HttpRequest("POST", {}, (), {}, {}, json.dumps(asked).encode(), "", True)
            try:
                heard = what_is_said(each, request)
            except ValidationError as error:
                told = {found["loc"] for found in error.errors()}
                refused += 1
            else:
                assert heard is not None
                kept = found_at(heard.model_dump(mode="json"), place)
                told = {place} if kept is wrong else set()
            assert place in told, each.name
    assert refused > 60


def found_at(value: Any, place: tuple[str | int, ...]) -> object:
    return found_at(value[place[0]], place[1:]) if place else value


def numbers_in(value: object, *place: str | int) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield place
    elif isinstance(value, dict | list):
        for name, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers_in(item, *place, name)


def changed(value: Any, place: tuple[str | int, ...], new: object) -> Any:
    """The same with something else in one place."""
    if not place:
        return new
    copied = value.copy()
    copied[place[0]] = changed(copied[place[0]], place[1:], new)
    return copied


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_shown_is_answered(
    name: str,
    evening: tuple[Club, dict[str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = {**evening[1], "folder": str(tmp_path / "before")}
    shutil.copytree(evening[1]["folder"], found["folder"])
    url = f"sqlite://{found['folder']}/games.db"
    monkeypatch.setenv("REFEREE_STORE", url)
    question = SHOWN[name]
    found |= prepared(question, found)
    with service_on(url) as club:
        told = asked_over_http(club, OPERATIONS[name], *sent(question, found))
    assert told[0] == 200, (question.said, told)


class Turn(NamedTuple):
    """One request of several: in its language, with what it is about, and with its key."""

    lang: Language
    found: dict[str, str]
    key: str


@dataclass
class Door:
    """A way to ask for an operation, and the store that is behind it."""

    url: str
    operation: Operation
    ask: Callable[[Operation, Question, Turn], Any]

    def said_once(self, question: Question, turn: Turn) -> Any:
        """What is answered to whoever says it again with its key: it is recorded once."""
        before = entries(self.url)
        answer = self.ask(self.operation, question, turn)
        assert entries(self.url) == before, (self.ask, turn.lang)
        return answer


@pytest.mark.parametrize("name", SAID_AGAIN)
def test_what_is_said_again_is_answered_and_kept_alike_at_every_door(
    name: str,
    evening: tuple[Club, dict[str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By two devices, in two languages, of two games: in commands, requests and calls."""
    found, question, operation = evening[1], SAID_AGAIN[name], OPERATIONS[name]
    second = {**found, **{key: found[f"second {key}"] for key in SECOND}}
    told = {}
    for asking in (requesting, typing, calling) if question.command else (requesting, calling):
        folder = tmp_path / asking.__name__
        shutil.copytree(found["folder"], folder)
        url = f"sqlite://{folder}/games.db"
        monkeypatch.setenv("REFEREE_STORE", url)
        more = {**prepared(question, found), "folder": str(folder)}
        turns = (Turn("en", found, "1"), Turn("fr", found, "10"), Turn("en", second, "1-0"))
        asked = [turn._replace(found={**turn.found, **more}) for turn in turns]
        answers: Told = []
        with asking(url) as ask:
            door = Door(url, operation, ask)
            for turn in asked:
                before = entries(url)
                answers.append(ask(operation, question, turn))
                new = entries(url)[len(before) :]
                others = {v for v in (found | second).values() if v not in turn.found.values()}
                assert not others & {stream for stream, _, _ in new}, (asking, turn.lang)
                if new and turn.lang == "fr":
                    assert door.said_once(question, turn) == answers[-1]
                answers.append([impersonal(entry) for _, _, entry in sorted(new)])
            if answers[1]:
                assert door.said_once(question, asked[0])[0] is None
                for word, value in in_other_words(question.said) if asking is calling else ():
                    if word not in (*operation.names, NOT_WRITTEN.get(name)):
                        other = question._replace(said=question.said | {word: value})
                        with suppress(ValidationError):  # nobody can say so
                            assert door.said_once(other, asked[0])[0], (word, value)
        told[asking.__name__] = answers
    first, *others = told.values()
    assert others == [first] * len(others)
    assert first[0][0] is None or name in SHOWN, "the document shows it"
    assert not (name in UNRECORDED and any(first[1::2]))


def in_other_words(said: Said) -> Iterator[tuple[str, Any]]:
    """Each value in turn, and another in its place: with the same key that is another request."""
    for name, value in said.items():
        match value:
            case bool():
                yield name, not value
            case int():
                yield name, value + 1
            case str() if "{" not in value:
                yield name, "other"
            case [_, *rest]:
                yield name, rest


def prepared(question: Question, found: Found) -> Found:
    """What a question needs is there: what was answered last, and the number of a call, if any."""
    found = dict(found)
    for step in question.before:
        if isinstance(step, str):
            out, code = run(f"referee {step.format(**found)} --json")
            assert code == 0, (step, out)
            found["new"] = json.loads(out)["data"]
        else:
            with service_on(os.environ["REFEREE_STORE"]) as club:
                found["new"] = step(club, found)
    if "{call}" in str(question):
        listed = json.loads(run("referee dispute calls --json")[0])["data"]["calls"]
        found["call"] = str(next(each["call"]["number"] for each in listed if each["call"]))
    return {name: found.get(name) for name in ("call", "new")}


EVERYTHING = "select originator_id, originator_version, state from entries order by rowid"


def entries(url: str) -> list[tuple[str, int, bytes]]:
    with closing(raw(url)) as written:
        return written.execute(EVERYTHING).fetchall()


def impersonal(entry: bytes) -> str:
    """What is written, in which role, without when, by whom and with which key."""
    body = json.loads(entry)
    kept = {key: body[key] for key in body if key not in ("at", "by", "key", "prev")}
    return alike(OWN_IDS.sub("OWN", json.dumps(kept)))


def test_every_operation_that_writes_is_asked_again_or_says_why_not() -> None:
    writing = {each.name for each in routes() if each.writes}
    assert writing == SAID_AGAIN.keys() | NOT_SAID_AGAIN.keys()
    assert not SAID_AGAIN.keys() & NOT_SAID_AGAIN.keys()


def outcome(body: dict[str, Any]) -> tuple[str | None, str]:
    """The reason, if it was refused, and what was answered, whoever said it where."""
    data = body.get("data") and _timeless(body["data"])
    if isinstance(data, dict) and "accepted" in data:
        body = {"code": None}
    return body.get("code"), OWN_IDS.sub("OWN", alike(json.dumps(data, sort_keys=True)))


@contextmanager
def requesting(url: str) -> Iterator[Callable[..., Any]]:
    with service_on(url) as club:
        yield partial(by_request, club)


@contextmanager
def typing(url: str) -> Iterator[Callable[..., Any]]:
    yield by_typing


@contextmanager
def calling(url: str) -> Iterator[Callable[..., Any]]:
    with closing(open_store_context(url)) as context:
        yield partial(by_calling, context)


def by_request(club: Club, operation: Operation, question: Question, turn: Turn) -> Any:
    said = filled(question.said, turn.found)
    path = operation.path.format(**{each: said[each] for each in operation.names})
    rest = {key: value for key, value in said.items() if key not in operation.names}
    sent = dict[str, Any](json=rest)
    if operation.takes_file or operation.asks_in_query:
        path += f"?{urlencode(rest)}"
        sent = {"content": brought(question, turn)} if operation.takes_file else {}
    scope = turn.found["game"] if question.role.startswith("seat") else ""
    headers = {"Accept-Language": turn.lang, AS_HEADER: turn.key}
    reply = club.ask(operation.method, path, question.role, scope=scope, headers=headers, **sent)
    return outcome(reply.json())


def brought(question: Question, turn: Turn) -> bytes:
    return Path(turn.found["folder"], question.file).read_bytes() if question.file else b""


def who(role: str) -> str:
    """As whom a token of the club writes."""
    return f"p{role.replace(':', '')[:6].lower()}"


def by_typing(operation: Operation, question: Question, turn: Turn) -> Any:
    found, command = turn.found, question.command.format(**turn.found)
    if "game" in operation.names and "rules" not in command:
        command += f" -g {found['game']}"
    for group, option, at in (("tournament", "-t", "cup"), ("season", "-s", "year")):
        if group in operation.names and command.startswith(group):
            command = command.replace(group, f"{group} {option} {found[at]}", 1)
    key = "" if operation.name in UNRECORDED else f"--key {turn.key}"
    said = f"--as {who(question.role)}:{question.role} --lang {turn.lang}"
    asked = f"referee {said} {command} {key} --json"
    answered = json.loads(run(asked)[0])
    return outcome(answered.get("error", answered))


def by_calling(context: StoreContext, operation: Operation, question: Question, turn: Turn) -> Any:
    said = filled(question.said, turn.found)
    rest = {key: value for key, value in said.items() if key not in operation.names}
    voice = Voice(lang=turn.lang, name_of=context.people.name)
    caller = Caller(context, Author(who(question.role), question.role), voice, key=turn.key)
    asked = operation.says.model_validate(rest) if operation.says is not None else None
    path = {each: str(said[each]) for each in operation.names}
    try:
        answered = carry_out(operation, Ask(caller, path, brought(question, turn)), asked)
    except MessageError as refused:
        return outcome({"code": refused.key})
    assert isinstance(answered, Answered)
    return outcome({"data": to_jsonable_python(answered.data)})
