"""A long evening, written down: what everybody is told of it is what they were told before.

Deeds are drawn by lot, one behind another, in one store: of five games, four events, two seasons
and two collections. What each of them answered, and what everybody is told in the end, stands in
``book.txt``. A change that is meant is written anew with ``REFEREE_REWRITE=1``, and read in the
difference: a line says who asked what, the first sentence of the answer, and a print of the rest.
"""

from __future__ import annotations

import difflib
import json
import os
import random
import re
import secrets
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta, tzinfo
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from pydantic import ValidationError
from starlette.testclient import TestClient

from answers.answer import Answered
from answers.context import Caller, StoreContext, open_store_context
from answers.declaration import Operation
from answers.i18n import Voice
from answers.operations import OPERATIONS
from answers.tournament import broadcast, lifecycle
from engines.kernel.messages.catalogue import LANGUAGES
from engines.kernel.messages.errors import MessageError
from referee.store.sidecars import access
from referee.table import bench
from referee.table.author import Author
from referee.tournament import held_back
from service import broadcast_delay
from service.app import make_app
from service.routing import Ask, carry_out
from service.settings import Settings
from tests.cli.conftest import as_newcomer
from tests.cli.transcripts import run
from tests.service.conftest import PLENTY, Club
from tests.service.test_same_answers import (
    EVENING,
    QUESTIONS,
    SAID_AGAIN,
    SHOWN,
    Found,
    Question,
    filled,
    write_files,
)

BOOK = Path(__file__).with_name("book.txt")
DEEDS = 700
PEOPLE = ("Ana", "Bo", "Cleo", "Dora", "Eve", "Finn", "Gus", "Hal", "Ida")
JUDGES = ("pjo", "pkim")
MORE = (
    "new bethel_woods A B first A --title Woods -p A=Ana -p B=Bo",
    "new benevolent A=blue B=red first A --title Second -p A=Bo -p B=Ana",
    "new roundforest A=red@a1 B=blue@e5 first B --title Round",
    "tournament new Teams --of pebbles --rounds 2 --match 2 --boards --no-check-in",
    "tournament players add Rook Knight",
    "tournament team set Rook Ana Bo",
    "tournament team set Knight Cleo Dora",
    "tournament pair --seed 3",
    "tournament start",
    "tournament table 1 --board 1",
    "log 'take 2' 'take 1'",
    "tournament table 1 --board 2",
    "tournament new Knock --of pebbles --format knockout --no-check-in",
    "tournament players add Ana Bo Cleo Dora Eve",
    "tournament pair --seed 4",
    "tournament start",
)
G, T, S = {"game": "{game}"}, {"tournament": "{cup}"}, {"season": "{year}"}
WHO = {"open_to": ("everybody", "link"), "delay_entries": (0, 1, 2, 4), "delay_seconds": (0, 60)}
FEW = tuple(range(1, 7))
NAMED = {**T, "name": PEOPLE}
SO = {"reason": ("", "so", "why")}
TABLES = {**T, "table": ("1", "2"), "places": (["A", "B"], ["B", "A"])}
OFTEN: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("log", {**G, "lines": [], "stands": (False, False, True)}),) * 12,
    *(("undo", {**G, "count": (1, 1, 2, 3), **SO}),) * 2,
    ("undo", {**G, "to": FEW, **SO}),
    *(("redo", {**G, "count": (1, 1, 2)}),) * 2,
    ("correct", {**G, "number": FEW, "lines": [], "remove": (0, 1, 2), "stands": True, **SO}),
    ("correct", {**G, "number": FEW, "lines": [], "drop": True, **SO}),
    ("adjust", {**G, "changes": {"players": {"A": {"leaves": FEW}}}, **SO}),
    ("ruling-issue", {**G, "dispute": ("d1", "d2", "d3"), "reason": "so",
                      "remedy": ("stands", "taken_back", "none"), "clauses": ([], ["PEB-TAKE-1"])}),
    ("ruling-issue", {**G, "numbers": ([2], [3, 2], [5, 4, 1]), "reason": "so",
                      "remedy": ("stands", "taken_back", "none")}),
    ("ruling-issue", {**G, "overturns": ("r1", "r2", "r3"), "reason": "so",
                      "remedy": ("stands", "none")}),
    ("ruling-issue", {**G, "reason": "so", "readings": ({"grey_count": "flat"},
                      {"grey_count": "each"}, {"deck": "open"})}),
    ("dispute-open", {**G, "number": FEW, "text": ("hm", "ah"), "seat": ("A", "B"),
                      "holds": (False, True)}),
    ("dispute-open", {**G, "number": FEW, "text": "no", "appeals": ("r1", "r2"), "seat": "B"}),
    ("dispute-attend", {**G, "dispute": ("d1", "d2"), "off": (False, False, True)}),
    ("hold", {**G, **SO}), ("resume", {**G, "reason": "so"}),
    ("hold-attend", {**G, "off": (False, True)}),
    ("note-add", {**G, "on": ("1", "2", "3", "g1"), "text": ("hm", "ah"),
                  "glyphs": ([], ["good"], ["bad"]), "tags": ([], ["end"], ["opening", "end"])}),
    ("clock-set", {**G, "seconds": (300, 600), "increment": (0, 5)}),
    ("clock-set", {**G, "seat": ("A", "B"), "given": (20, 30), "reason": "so"}),
    ("access-rules", {**G, **WHO, "until_result": (False, True)}),
    ("tournament-rules", {**T, **WHO, "until_result": (False, True)}),
    ("finish", {**G, "reason": "late", "yes": True}), ("reopen", {**G, "reason": "so"}),
    ("tournament-pair", {**T, "seed": FEW}), ("tournament-start", T),
    *(("tournament-result", {**TABLES, **SO}),) * 3,
    *(("tournament-report", {**TABLES, "player": PEOPLE}),) * 2,
    ("tournament-round-close", T),
    ("tournament-round-reopen", {**T, "round": (1, 2), "reason": "so"}),
    ("tournament-correct", {**TABLES, "round": (1, 2), "reason": "so"}),
    ("tournament-call", {**T, "table": ("1", "2"), "text": ("hm", "ah"), "player": PEOPLE}),
    ("tournament-penalise", {**NAMED, "halves": (1, 2), "reason": ("late", "loud"),
                             "level": ("", "warning")}),
    ("tournament-drop", NAMED), ("tournament-return", NAMED),
    ("tournament-late", {**NAMED, "new": (False, True)}), ("tournament-invite", {**T, "names": []}),
    ("tournament-edit", {**NAMED, "club": ("West", "", "North"), "rating": (0, 1500, 1700)}),
    ("tournament-close", {**T, "anyway": True}), ("tournament-reopen", {**T, "reason": "so"}),
    ("season-add", {**S, "tournament": "{cup}", "weight": (1, 2)}),
    ("season-merge", {**S, "player": PEOPLE, "merged": PEOPLE, "reason": "so"}),
    ("season-revise", {**S, "rules": {"counted": (1, 2, 3)}, "reason": "so"}),
    ("collection-put", {"collection": "{study}", "game": "{game}", "at": (0, 1, 3)}),
    ("collection-note", {"collection": "{study}", "chapter": "{chapter}", "number": FEW,
                         "text": ("hm", "ah")}),
    ("kit-told", {"engine": "broom_service", "data": {"front.towers.t05.vp": (1, 2)},
                  "source": ("counted", "seen")}),
    ("kit-wording-tell", {"engine": "benevolent", "clause": ("BEN-MOVE-3", "BEN-MOVE-1"),
                          "said": ("printed", "seen")}),
    ("access-code", {"role": ("judge", "spectator"), "name": PEOPLE}),
    ("access-give", {"role": ("judge", "scribe"), "name": PEOPLE}),
)  # fmt: skip
"""What is done most; of several values in brackets one is drawn."""
NOT_DONE = {
    "people-erase": "whoever is forgotten is in no other line of the book",
    "webhook-add": "it is told outside the house",
    "webhook-try": "it is told outside the house",
    "import": "it makes games of its own bytes",
    "new": "there are enough",
    "branch": "there are enough",
    "tournament-new": "there are enough",
    "season-new": "there are enough",
    "collection-new": "there are enough",
    "tournament-import": "there are enough",
    "tournament-take": "there are enough",
    "ruling-import": "it brings a file",
    "tournament-sign-up": "it has a code of its own",
}
NOT_ASKED = {
    "doctor": "it speaks of this computer",
    "schema": "it is kept elsewhere",
    "schema-show": "it is kept elsewhere",
    "verify-all": "it takes long",
    "sight": "it takes a photograph",
    "sight-audit": "it takes a photograph",
    "sight-card": "it takes a photograph",
}
ALWAYS = re.compile(r"text/|json|xml|svg|csv")
"""What is the same each time it is made."""


class Stepping(datetime):
    """Eleven seconds pass between any two things, years ago."""

    steps = 0
    passing = 1

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Any:
        cls.steps += cls.passing
        return datetime(2025, 3, 1, 18, tzinfo=tz or UTC) + timedelta(seconds=11 * cls.steps)


@pytest.fixture
def same_each_time(monkeypatch: pytest.MonkeyPatch) -> random.Random:
    """Nothing is drawn by another lot, or done at another time."""
    rng = random.Random(7)
    monkeypatch.setattr(Stepping, "steps", 0)
    for module in (bench, access, held_back, lifecycle, broadcast, broadcast_delay):
        monkeypatch.setattr(module, "datetime", Stepping)
    monkeypatch.setattr(secrets, "choice", rng.choice)
    monkeypatch.setattr(secrets, "randbelow", rng.randrange)
    monkeypatch.setattr(secrets, "token_bytes", rng.randbytes)
    monkeypatch.setattr(secrets, "token_hex", lambda size=16: rng.randbytes(size).hex())
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size=32: rng.randbytes(size).hex())
    return rng


class Evening:
    """One store, and whoever does something there."""

    def __init__(self, store_context: StoreContext, folder: Path, chance: random.Random) -> None:
        self.context = store_context
        self.folder = folder
        self.chance = chance
        self.answered: dict[str, Any] = {}
        """What was answered last under each name."""

    def ids(self) -> dict[str, list[str]]:
        streams = sorted(self.context.store.streams())
        kinds = {"game": "game-", "cup": "tournament-", "year": "season-", "study": "collection-"}
        return {
            kind: [each for each in streams if each.startswith(start)]
            for kind, start in kinds.items()
        }

    def bound(self) -> dict[str, Any]:
        """What a deed is about: two of each, often one and the same."""
        found: dict[str, Any] = {"folder": str(self.folder), "new": self.answered}
        for kind, ids in self.ids().items():
            found[kind], found[f"second {kind}"] = self.chance.choices(ids, k=2)
        found["other"] = found["second game"]
        found["chapter"] = f"c{self.chance.randint(1, 3)}"
        found["call"] = str(self.chance.randint(1, 6))
        return found

    def lines(self, game_id: str) -> list[str]:
        """What may be done next, or what may not."""
        game = self.context.bench.game(game_id)
        options = [*game.engine.options(game.setting, game.state)]
        if not options or self.chance.random() < 0.1:
            return ["A nothing at all"]
        return [game.engine.text(self.chance.choice(options))]

    def drawn(self, said: Any) -> Any:
        """One of several, wherever several are named."""
        match said:
            case tuple():
                return self.chance.choice(said)
            case dict():
                return {key: self.drawn(value) for key, value in said.items()}
        return said

    def do(self, number: int, name: str, question: Question) -> str:
        """Somebody does something: who did what, and the answer."""
        operation = OPERATIONS[name]
        if question.file and not (self.folder / question.file).exists():
            return ""
        try:
            said = filled(question.said, self.bound())
        except (KeyError, IndexError, TypeError):
            return ""  # there is no such thing yet
        if name in ("log", "correct"):
            said["lines"] = self.lines(said["game"])
        if said.get("names") == []:
            said["names"] = self.chance.sample(PEOPLE, 2)
        roles = {"organiser": "organiser" if self.chance.random() < 0.9 else "judge"}
        role = roles.get(question.role, question.role)
        person = self.chance.choice(JUDGES) if role == "judge" else f"p{role[:2]}"
        lang = self.chance.choice(LANGUAGES)
        voice = Voice(lang=lang, name_of=self.context.people.name)
        caller = Caller(self.context, Author(person, role), voice, key=f"deed-{number}")
        told = answer_to(operation, caller, said, self.brought(question))
        if isinstance(told, Answered):
            self.answered |= {key: value for key, value in told.plain().items() if value}
            answer = f"{said_short([*told.lines(voice)])} {printed(told.plain())}"
        else:
            answer = str(told)
        return f"{number} {role} {name} {printed(said)}: {answer}"

    def brought(self, question: Question) -> bytes:
        return (self.folder / question.file).read_bytes() if question.file else b""


def varied(question: Question, chance: random.Random) -> Question:
    """Something else of its kind; now and then what was said."""
    said = {
        key: other_than(key, value, chance) if chance.random() < 0.8 else value
        for key, value in question.said.items()
    }
    return question._replace(said=said)


def other_than(name: str, value: Any, chance: random.Random) -> Any:
    match value:
        case str() if name == "remedy":
            return chance.choice(["stands", "taken_back", "adjusted", "none"])
        case "A" | "B" | "C":
            return chance.choice("ABC")
        case str() if value in PEOPLE:
            return chance.choice(PEOPLE)
        case str() if re.fullmatch("[dfnrsx][0-9]", value):
            return f"{value[0]}{chance.randint(1, 4)}"
        case str() if value.isdecimal():
            return str(chance.randint(1, 3))
        case bool():
            return chance.random() < 0.7
        case int():
            return chance.choice([value, chance.randint(0, 9)])
        case ["A", "B"] | ["B", "A"]:
            return chance.choice([["A", "B"], ["B", "A"]])
        case [str(first), *_] if first in PEOPLE:
            return chance.sample(PEOPLE, max(1, len(value)))
    return value


def answer_to(operation: Operation, caller: Caller, said: dict[str, Any], content: bytes) -> Any:
    rest = {key: value for key, value in said.items() if key not in operation.names}
    try:
        asked = operation.says.model_validate(rest) if operation.says is not None else None
        path = {each: str(said[each]) for each in operation.names}
        return carry_out(operation, Ask(caller, path, content), asked)
    except MessageError as refused:
        return f"refused, {refused.key}"
    except ValidationError as wrong:
        return f"cannot be said, {wrong.errors()[0]['loc']}"


def printed(data: Any) -> str:
    text = json.dumps(data, sort_keys=True, default=str)
    return sha256(text.encode()).hexdigest()[:8]


def said_short(lines: list[str]) -> str:
    return " / ".join(lines)[:90]


def written(club: Club, evening: Evening) -> Iterator[str]:
    """What everybody is told of everything there is."""
    ids = evening.ids()
    kinds = {"game": "game", "other": "game", "cup": "cup", "second cup": "cup", "year": "year"}
    kinds |= {"study": "study", "second game": "game"}
    asked = {name: [*QUESTIONS.get(name, ()), *([SHOWN[name]] if name in SHOWN else ())]
             for name in {*QUESTIONS, *SHOWN}}  # fmt: skip
    for name in sorted(asked.keys() - NOT_ASKED.keys()):
        operation = OPERATIONS[name]
        if not operation.reads or operation.takes_file:
            continue
        for question in asked[name]:
            text = json.dumps(question.said)
            about = [kind for kind in kinds if f"{{{kind}}}" in text]
            for first in ids[kinds[about[0]]] if about else ("",):
                chosen = [first, *(evening.chance.choice(ids[kinds[kind]]) for kind in about[1:])]
                found: Found = evening.bound() | dict(zip(about, chosen, strict=False))
                found |= {"chapter": "c1", "call": "1"}
                try:
                    said = filled(question.said, found)
                except (KeyError, IndexError, TypeError):
                    continue
                yield from told_of(club, operation, said, first, evening.chance)


def told_of(
    club: Club, operation: Operation, said: dict[str, Any], about: str, chance: random.Random
) -> Iterator[str]:
    scope = about if about.startswith("game-") else ""
    rest = {key: value for key, value in said.items() if key not in operation.names}
    path = operation.path.format(**{each: said[each] for each in operation.names})
    others = [("organiser", "fr"), ("judge", "en"), ("spectator", "fr"), ("spectator", "en")]
    if scope:
        others += [("seat:A", "fr"), ("seat:B", "en")]
    for role, lang in (("organiser", "en"), *chance.sample(others, 1)):
        heard = {"Accept-Language": lang}
        where = scope if role.startswith("seat") else ""
        if operation.method == "GET" or operation.asks_in_query:
            place = f"{path}?{urlencode(rest, doseq=True)}"
            reply = club.ask(operation.method, place, role, scope=where, headers=heard)
        else:
            reply = club.ask(operation.method, path, role, scope=where, headers=heard, json=rest)
        asker = f"{operation.name} {' '.join(map(str, said.values()))[:60]} {role} {lang}"
        kind = reply.headers.get("content-type", "")
        if not ALWAYS.search(kind):
            yield f"{asker}: {reply.status_code} {kind}"
        elif "json" in kind:
            body = reply.json()
            body.pop("instance", None)
            data = body.get("data")
            if isinstance(data, dict):
                data.pop("now", None)
            line = said_short(body.get("told", [body.get("code", "")]))
            yield f"{asker}: {reply.status_code} {line} {printed(body)}"
        else:
            yield f"{asker}: {reply.status_code} {printed(reply.text)}"


def test_everybody_is_told_of_a_long_evening_what_stands_in_the_book(
    same_each_time: random.Random, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_newcomer(tmp_path, monkeypatch)
    url = f"sqlite://{tmp_path}/games.db"
    monkeypatch.setenv("REFEREE_STORE", url)
    for line in (*EVENING, *MORE):
        out, code = run(f"referee {line}")
        assert code == 0, (line, out)
    write_files(tmp_path, _pebbles())
    import time

    t0 = time.process_time()
    chance = random.Random(11)
    deeds = {**SAID_AGAIN, **{k: v for k, v in SHOWN.items() if OPERATIONS[k].writes}}
    names = sorted(deeds.keys() - NOT_DONE.keys())
    book: list[str] = []
    with closing(open_store_context(url)) as store_context:
        evening = Evening(store_context, tmp_path, chance)
        for number in range(DEEDS):
            if number % 4:
                name, said = chance.choice(OFTEN)
                question = Question("", evening.drawn(said))
            else:
                name = chance.choice(names)
                question = varied(deeds[name], chance)
            if line := evening.do(number, name, question):
                book.append(line)
    monkeypatch.setattr(Stepping, "passing", 0)  # whoever asks now, asks at one moment
    settings = Settings(hosts=("testserver",), limits=PLENTY)
    store_context = open_store_context(url)
    with TestClient(make_app(store_context, settings)) as client:
        evening.context = store_context
        book += written(Club(store_context, client), evening)
    print("ALL", time.process_time() - t0, len(book))
    text = "\n".join(book) + "\n"
    if os.environ.get("REFEREE_REWRITE"):
        BOOK.write_text(text, "utf-8")
    before = BOOK.read_text("utf-8").splitlines()
    changes = [*difflib.unified_diff(before, book, lineterm="", n=0)]
    assert not changes, "\n".join(changes[:40])


def _pebbles() -> str:
    games = json.loads(run("referee games --json")[0])["data"]["games"]
    return str(next(row["game"] for row in games if row["title"] == "Late"))
