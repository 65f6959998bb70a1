"""After every write a service answers as one that has just been started.

Whatever is kept of an earlier answer – in a cache, under an ETag – is kept no longer than it is
true: of this game, event, season and study and of every other, in either language.
"""

from __future__ import annotations

import gc
import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import _lru_cache_wrapper
from itertools import cycle
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from answers.context import StoreContext, open_store_context
from answers.declaration import Operation
from answers.operations import OPERATIONS
from engines.kernel.messages.catalogue import LANGUAGES
from referee.archive.read_models import keeping_views
from referee.lru_cache import LruCache
from service.dispatch import Dispatcher
from service.http_messages import HttpRequest, HttpResponse
from service.settings import Settings
from tests.service.conftest import PLENTY, Club
from tests.service.test_same_answers import (
    AS_HEADER,
    QUESTIONS,
    SAID_AGAIN,
    SECOND,
    SHOWN,
    Found,
    Said,
    evening,
    prepared,
    sent,
    who,
)

__all__ = ["evening"]
FEW = 1
"""``make test`` asks so much behind each write; all of it takes minutes."""
OF_NOW = re.compile(rb'"(now|moment)":"[^"]*"|"left":[0-9.]+|[0-9]+ min|[0-9]+:[0-5][0-9]\b')
"""What is otherwise a moment later."""
OF_THE_COMPUTER = {"doctor", "access-log"}
"""They tell of what else this computer does, and who asks."""


class Read(NamedTuple):
    """A question as a request asks it."""

    operation: Operation
    said: Said
    content: bytes

    def ask(self, dispatcher: Dispatcher, token: str, lang: str, **headers: str) -> HttpResponse:
        operation, said = self.operation, dict(self.said)
        path = {name: str(said.pop(name)) for name in operation.names}
        told = {"authorization": f"Bearer {token}", "accept-language": lang, **headers}
        if AS_HEADER in said:
            told[AS_HEADER.lower()] = said.pop(AS_HEADER)
        query, content = [], self.content
        if operation.takes_file or operation.asks_in_query:
            for name, value in said.items():
                listed = value if isinstance(value, list) else [value]
                query += [(name, json.dumps(one).strip('"')) for one in listed]
        else:
            content = json.dumps(said).encode()
        asked = HttpRequest(operation.method, path, query, told, {}, content, "here", False)
        return dispatcher.reply(operation, asked)


class Asked(NamedTuple):
    """A store in which there is something to find for everybody who reads, and what they ask."""

    found: Found
    reads: list[Read]
    others: list[Read]
    """The same of the second game, event, season and study."""


@pytest.fixture(scope="module")
def asked(evening: tuple[Club, Found], tmp_path_factory: pytest.TempPathFactory) -> Asked:
    found = {**evening[1], "folder": str(tmp_path_factory.mktemp("asked") / "store")}
    shutil.copytree(evening[1]["folder"], found["folder"])
    reads, others = [], []
    second = found | {key: found[f"second {key}"] for key in SECOND}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_STORE", f"sqlite://{found['folder']}/games.db")
        shown = {name: [question] for name, question in SHOWN.items() if OPERATIONS[name].reads}
        for name, questions in (QUESTIONS | shown).items():
            for question in questions if name not in OF_THE_COMPUTER else ():
                there = found | (prepared(question, found) if question.before else {})
                said, content, _ = sent(question, there)
                reads.append(Read(OPERATIONS[name], said, content))
                if not question.before and sent(question, second)[0] != said:
                    others.append(Read(OPERATIONS[name], sent(question, second)[0], content))
    return Asked(found, reads, others)


@pytest.fixture(scope="module")
def kept(asked: object) -> list[Callable[[], None]]:
    """Empties every cache of this process but those of the rules, which no write changes."""
    rooms = ("answers", "referee", "replays", "service")
    found: list[Callable[[], None]] = []
    for one in gc.get_objects():
        if isinstance(one, LruCache):
            found.append(one._values.clear)
        elif isinstance(one, _lru_cache_wrapper) and str(one.__module__).startswith(rooms):
            found.append(one.cache_clear)
    return found


WRITES = {**SAID_AGAIN, **{n: q for n, q in SHOWN.items() if OPERATIONS[n].writes}}


def compared(reply: HttpResponse) -> tuple[int, bytes]:
    return reply.status, OF_NOW.sub(b"", reply.content)


def test_what_was_asked_before_a_write_is_answered_anew_behind_it(
    asked: Asked, kept: list[Callable[[], None]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in WRITES:
        chance = Random(name)
        reads, others = (chance.sample(all, FEW) for all in asked[1:])
        few = Asked(asked.found, reads, others)
        check(name, few, kept, tmp_path / name, monkeypatch)


@pytest.mark.deep
@pytest.mark.parametrize("name", WRITES)
def test_whatever_was_asked_before_a_write_is_answered_anew_behind_it(
    name: str,
    asked: Asked,
    kept: list[Callable[[], None]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check(name, asked, kept, tmp_path / name, monkeypatch)


def test_what_one_was_told_is_told_nobody_in_another_language_or_role(
    asked: Asked, kept: list[Callable[[], None]]
) -> None:
    """Whoever of two asks first, in a process that has told nobody anything."""
    told: list[dict[str, list[tuple[int, bytes]]]] = []
    with closing(open_store_context(f"sqlite://{asked.found['folder']}/games.db")) as context:
        _, keeper = context.access.give("organiser", "", "preads")
        _, seat = context.access.give("seat:B", asked.found["game"], "pplays")
    for first in ((keeper, "en"), (seat, "fr")), ((seat, "fr"), (keeper, "en")):
        for empty in kept:
            empty()
        with opened(f"sqlite://{asked.found['folder']}/games.db") as context:
            service = Dispatcher.of(context, Settings(limits=PLENTY))
            told.append({token: [] for token in (keeper, seat)})
            for read in asked.reads:
                for token, lang in first:
                    told[-1][token].append(compared(read.ask(service, token, lang)))
    for token in (keeper, seat):
        for read, one, other in zip(asked.reads, told[0][token], told[1][token], strict=True):
            assert one == other, (read.operation.name, read.said)


@contextmanager
def opened(url: str) -> Iterator[StoreContext]:
    """As a service has it: lists stay open between two who ask."""
    with closing(open_store_context(url)) as context, keeping_views(context.store):
        yield context


def check(
    name: str,
    asked: Asked,
    kept: list[Callable[[], None]],
    folder: Path,
    patch: pytest.MonkeyPatch,
) -> None:
    found, reads, others = asked
    shutil.copytree(found["folder"], folder)
    url, question = f"sqlite://{folder}/games.db", WRITES[name]
    patch.setenv("REFEREE_STORE", url)
    found = {**found, "folder": str(folder)}
    if question.before:
        found |= prepared(question, found)
    said, content, role = sent(question, found)
    write, settings = Read(OPERATIONS[name], said, content), Settings(limits=PLENTY)
    turns = [*zip(reads, cycle(LANGUAGES), strict=False)]
    with opened(url) as context:
        service, scope = Dispatcher.of(context, settings), found["game"]
        _, token = context.access.give("organiser", "", "preads")
        _, writer = context.access.give(role, scope if role != "organiser" else "", who(role))
        before = [read.ask(service, token, lang) for read, lang in turns]
        apart = [read.ask(service, token, "en") for read in others]
        done = write.ask(service, writer, "en")
        assert done.status == 200 or name not in SHOWN, done.content
        after = []
        for (read, lang), known in zip(turns, before, strict=True):
            tag = known.headers.get("ETag")
            again = read.ask(service, token, lang, **({"if-none-match": tag} if tag else {}))
            after.append(known if again.status == 304 else again)
        of_second = {found[f"second {key}"] for key in SECOND} & {*map(str, said.values())}
        if write.operation.about in ("game", "tournament") and not of_second:
            for read, known in zip(others, apart, strict=True):
                now = read.ask(service, token, "en")
                assert compared(known) == compared(now), (name, read.operation.name, read.said)
    for empty in kept:
        empty()
    with opened(url) as context:
        service = Dispatcher.of(context, settings)
        for (read, lang), known in zip(turns, after, strict=True):
            fresh = read.ask(service, token, lang)
            assert compared(known) == compared(fresh), (name, read.operation.name, read.said)
    shutil.rmtree(folder)
