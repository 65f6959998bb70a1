"""A long evening, written down: what everybody is told of it is what they were told before.

Deeds are drawn by lot, one behind another, in one store with two games, two events, two seasons
and two collections; behind each of them somebody looks at something. What everybody was answered
stands in ``book.txt``: whatever changes it, in the first case or in the second, is seen in the
difference. A line says who asked what, the first sentences of the answer, and a print of all of it.
A change that is meant is written anew with ``REFEREE_REWRITE=1``, and read.
"""

from __future__ import annotations

import difflib
import json
import os
import random
import re
import secrets
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from answers.context import StoreContext
from answers.operations import OPERATIONS
from referee.store import open_store
from tests.photos import png
from tests.service.conftest import Club
from tests.service.test_same_answers import (
    AS_HEADER,
    LISTED,
    QUESTIONS,
    SAID_AGAIN,
    SHOWN,
    Found,
    Question,
    Said,
    filled,
)

BOOK = Path(__file__).with_name("book.txt")
DEEDS = 600
PEOPLE = ("Ana", "Bo", "Cleo", "Eve", "Finn", "Gus")
BEGUN = (
    ("new", {"game": "pebbles", "table": "A B first A", "title": "One",
             "players": {"A": "Ana", "B": "Bo"}}),
    ("new", {"game": "benevolent", "table": "A=blue B=red C=green first B", "title": "Two",
             "players": {"A": "Bo", "B": "Cleo"}}),
    ("tournament-new", {"name": "Cup", "game": "pebbles", "rounds": 3}),
    ("tournament-new", {"name": "Open", "game": "benevolent", "rounds": 2}),
    ("season-new", {"name": "Year"}), ("season-new", {"name": "Next", "rules": {"counted": 2}}),
    ("collection-new", {"name": "Ends"}),
    ("collection-new", {"name": "Firsts", "visibility": "public"}),
)  # fmt: skip
G, T, S = {"game": "{game}"}, {"tournament": "{cup}"}, {"season": "{year}"}
WHO = {"open_to": ("everybody", "link"), "delay_entries": (0, 1, 2, 4), "delay_seconds": (0, 60)}
FEW = tuple(range(1, 7))
NAMED = {**T, "name": PEOPLE}
SO = {"reason": ("", "so", "why")}
TABLES = {**T, "table": ("1", "2"), "places": (["A", "B"], ["B", "A"])}
OFTEN: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("log", {**G, "lines": [], "stands": (False, False, True)}),) * 14,
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
    ("tournament-zones-set", {**T, "zones": ([["Jo", 1, 2], ["Kim", 2, 3]], [["Jo", 1, 2],
                             ["Jo", 2, 3], ["Kim", 1, 3]], [])}),
    ("tournament-feature", {**T, "tables": ([], [1], [2, 1])}),
    ("tournament-table", {**T, "table": ("1", "2")}),
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
    "access-leave": "whoever has left asks nothing more",
    "access-revoke": "whoever is put out asks nothing more",
    "webhook-add": "it is told outside the house",
    "webhook-try": "it is told outside the house",
    **dict.fromkeys(("new", "branch", "import", "tournament-new", "tournament-import",
                     "tournament-take", "season-new", "collection-new"), "there are enough"),
}  # fmt: skip
NOT_LOOKED_AT = {
    "collection-file": "each version of Python packs it in its own way",
    "doctor": "it speaks of this computer",
    "schema": "it is kept elsewhere",
    "schema-show": "it is kept elsewhere",
    "verify-all": "it takes long",
}
ALWAYS_ALIKE = re.compile(r"text/|json|xml|svg|csv")
"""What has the same bytes each time it is made."""
KINDS = {
    "game": "game-", "other": "game-", "second game": "game-", "cup": "tournament-",
    "second cup": "tournament-", "year": "season-", "study": "collection-",
}  # fmt: skip


class Then(datetime):
    """The moment of a deed."""

    deed = 0

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Any:
        return datetime(2025, 3, 1, 18, tzinfo=tz or UTC) + timedelta(seconds=11 * cls.deed)


@pytest.fixture
def lot(monkeypatch: pytest.MonkeyPatch) -> random.Random:
    """What is drawn, is drawn alike each time; and each deed has its moment."""
    lot = random.Random()
    monkeypatch.setattr(secrets, "choice", lot.choice)
    monkeypatch.setattr(secrets, "randbelow", lot.randrange)
    monkeypatch.setattr(secrets, "token_bytes", lot.randbytes)
    monkeypatch.setattr(secrets, "token_hex", lambda size=16: lot.randbytes(size).hex())
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size=32: lot.randbytes(size).hex())
    for name, module in [*sys.modules.items()]:
        ours = name.startswith(("referee.", "answers.", "service."))
        if ours and vars(module).get("datetime") is datetime:
            monkeypatch.setattr(module, "datetime", Then)
    return lot


class Evening:
    """One store, and whoever does something there or looks at it."""

    def __init__(self, club: Club, folder: Path, lot: random.Random) -> None:
        self.club = club
        self.folder = folder
        self.lot = lot
        self.chance = random.Random(11)
        self.answered: dict[str, Any] = {}
        """What was answered last under each name."""
        self.ids: dict[str, list[str]] = {}
        writes = {**SAID_AGAIN, **SHOWN}
        self.deeds = {name: writes[name] for name in sorted(writes.keys() - NOT_DONE.keys())
                      if OPERATIONS[name].writes}  # fmt: skip
        self.looks = [
            (name, question)
            for name in sorted({*QUESTIONS, *SHOWN} - NOT_LOOKED_AT.keys())
            if OPERATIONS[name].reads and not OPERATIONS[name].takes_file
            for question in (*QUESTIONS.get(name, ()), *([SHOWN[name]] if name in SHOWN else ()))
        ]

    def found(self) -> Found:
        """What a request is about: two of each, often one and the same."""
        found: dict[str, Any] = {kind: self.chance.choice(self.ids[kind]) for kind in KINDS}
        found |= {"folder": str(self.folder), "new": self.answered, "second year": found["year"]}
        found |= {"second study": found["study"], "chapter": f"c{self.chance.randint(1, 3)}"}
        return {**found, "call": str(self.chance.randint(1, 6))}

    def begin(self) -> Iterator[str]:
        for name, said in BEGUN:
            self.pass_on()
            yield self.line(name, Question("", said), {}, "organiser", "en")
        streams = sorted(self.club.store_context.store.streams())
        for kind, start in KINDS.items():
            self.ids[kind] = [each for each in streams if each.startswith(start)]
        players = [{"name": each, "club": "North"} for each in PEOPLE]
        for cup in self.ids["cup"]:
            for name, more in (
                ("tournament-register", {"players": players}),
                ("tournament-check-in", {"everybody": True}),
            ):
                self.pass_on()
                asked = Question("", {"tournament": cup, **more})
                yield self.line(name, asked, {}, "organiser", "en")

    def pass_on(self) -> None:
        Then.deed += 1
        self.lot.seed(Then.deed)

    def deed(self) -> str:
        self.pass_on()
        if self.chance.random() < 0.75:
            name, several = self.chance.choice(OFTEN)
            question = Question("", self.drawn(several))
        else:
            name = self.chance.choice([*self.deeds])
            question = varied(self.deeds[name], self.chance)
        role = question.role
        if role == "organiser" and self.chance.random() < 0.15:
            role = self.chance.choice(["judge", "scribe", "seat:A", "seat:B"])
        return self.line(name, question, self.found(), role, self.chance.choice(["en", "fr"]))

    def look(self) -> str:
        name, question = self.chance.choice(self.looks)
        role = self.chance.choice(["organiser", "judge", "seat:A", "seat:B", "spectator"])
        return self.line(name, question, self.found(), role, self.chance.choice(["en", "fr"]))

    def drawn(self, said: Any) -> Any:
        """One of several, wherever several are named."""
        match said:
            case tuple():
                return self.chance.choice(said)
            case dict():
                return {key: self.drawn(value) for key, value in said.items()}
        return said

    def lines(self, game_id: str) -> list[str]:
        """What may be done next; now and then what may not."""
        game = self.club.store_context.bench.game(game_id)
        options = [*game.engine.options(game.setting, game.state)]
        if not options or self.chance.random() < 0.05:
            return ["A nothing at all"]
        return [game.engine.text(self.chance.choice(options))]

    def line(self, name: str, question: Question, found: Found, role: str, lang: str) -> str:
        """Somebody asks: who asked what, and the answer."""
        operation = OPERATIONS[name]
        try:
            said = filled(question.said, found)
        except (KeyError, IndexError, TypeError):
            return ""  # there is no such thing yet
        if name in ("log", "correct"):
            said["lines"] = self.lines(said["game"])
        path = operation.path.format(**{each: said[each] for each in operation.names})
        known = {*operation.names, AS_HEADER}
        rest = {key: value for key, value in said.items() if key not in known}
        sent: dict[str, Any] = {"json": rest}
        if operation.method == "GET" or operation.takes_file or operation.asks_in_query:
            path += f"?{urlencode(rest, doseq=True)}"
            sent = {}
        if operation.takes_file:
            if not (file := self.folder / question.file).is_file():
                return ""
            sent = {"content": file.read_bytes()}
        scope = found.get("game", "") if role.startswith("seat") else ""
        heard = {"Accept-Language": lang}
        if operation.writes:
            heard[AS_HEADER] = f"deed-{Then.deed}"
        reply = self.club.ask(operation.method, path, role, scope=scope, headers=heard, **sent)
        assert reply.status_code != 500, (name, said)
        told = self.told(operation.writes, reply)
        return f"{Then.deed} {role} {lang} {name} {printed(said)}: {reply.status_code} {told}"

    def told(self, done: bool, reply: Any) -> str:
        kind = reply.headers.get("content-type", "")
        if "json" not in kind:
            return printed(reply.text) if ALWAYS_ALIKE.search(kind) else kind
        body = reply.json()
        data = body.get("data")
        if isinstance(data, dict):
            data.pop("now", None)
            if done:
                self.answered |= {key: value for key, value in data.items() if value}
        short = " / ".join(body.get("told", [body.get("code", "")]))[:80]
        return f"{short} {printed(body)}"


def varied(question: Question, chance: random.Random) -> Question:
    """Something else of its kind; now and then what was said."""
    said: Said = {
        key: other_than(value, chance) if chance.random() < 0.8 else value
        for key, value in question.said.items()
    }
    return question._replace(said=said)


def other_than(value: Any, chance: random.Random) -> Any:
    match value:
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
            return chance.sample(PEOPLE, len(value))
    return value


def printed(data: Any) -> str:
    text = json.dumps(data, sort_keys=True, default=str)
    return sha256(text.encode()).hexdigest()[:8]


def test_everybody_is_told_of_a_long_evening_what_stands_in_the_book(
    lot: random.Random, make_club: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Then, "deed", 0)
    (tmp_path / "art.png").write_bytes(png())
    (tmp_path / "list.csv").write_text(LISTED, "utf-8")
    (tmp_path / "slips.txt").write_text("1 A B\n", "utf-8")
    evening = Evening(make_club(StoreContext(open_store("memory:"))), tmp_path, lot)
    book = [*evening.begin()]
    for _ in range(DEEDS):
        book += [evening.deed(), evening.look(), evening.look()]
    for name, question in evening.looks:  # and in the end everybody asks everything
        for role, lang in (("organiser", "en"), ("spectator", "fr")):
            book.append(evening.line(name, question, evening.found(), role, lang))
    book = [line for line in book if line]
    if os.environ.get("REFEREE_REWRITE"):
        BOOK.write_text("\n".join(book) + "\n", "utf-8")
    before = BOOK.read_text("utf-8").splitlines()
    changes = [*difflib.unified_diff(before, book, lineterm="", n=0)]
    assert not changes, "\n".join(changes[:40])
