"""The same commands against a service: the same words, letter by letter."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock, patch
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from starlette.datastructures import QueryParams

from answers.declaration import WHOLE, parameters
from answers.operations import routes
from cli.remote import http
from cli.remote.build_request import request
from cli.remote.store import FRESH, RemoteStore
from cli.remote.tokens import keep_token, token_for
from referee.store.envelopes import Stored
from service import dispatch
from tests.answers.conftest import SETUP
from tests.cli.served import Served, served
from tests.cli.test_pages import BLOCK, FILE, PAGES, language_of, of_page
from tests.cli.transcripts import FOLDER, normal, run
from tests.deep import first

DOOR = "the service refuses a role before the record is asked, in the words of its door"
KEYS = "a request has a key of its own, which is longer than the one a program makes for itself"
JUDGES = "over the network all games are judged anew by judges alone"
BOXES = "a box is signed, and taken in, where the club keeps what it has told of it"
DIFFERENT = {
    'referee kit export bethel_woods --sign ana --club "Thursday club" -o thursday.box': BOXES,
    "referee --store elsewhere.db kit import thursday.box --kit thursday": BOXES,
    "referee --store elsewhere.db new bethel_woods A B first A --kit thursday -q": BOXES,
    "referee --store elsewhere.db kit show --only declared --search machines": BOXES,
    'referee ruling issue d2 --remedy stands -m "fine" --as Bo:seat:B': DOOR,
    'referee --lang fr ruling issue d2 --remedy stands -m "bien" --as Bo:seat:B': DOOR,
    'referee ruling issue d2 --correct "A step c2" -m "c2 was meant; steps stay together"': DOOR,
    'referee ruling issue d2 --correct "A pas c2"'
    ' -m "c2 était voulu, les pas restent ensemble"': DOOR,
    'referee penalty add B avertissement -m "jeu lent"': DOOR,
    "referee export record -o soiree.jsonl": KEYS,
    'referee penalty add B warning -m "slow play"': DOOR,
    'referee --lang fr penalty add B avertissement -m "jeu lent"': DOOR,
    "referee what-if --reading turn_end=explicit --all": JUDGES,
    "referee --lang fr what-if --reading turn_end=explicit --all": JUDGES,
    "referee what-if --of benevolent --reading turn_end=explicit": JUDGES,
    "referee what-if --of broom_service --reading dead_lead=skip": JUDGES,
    "referee --lang fr export record -o soiree.jsonl": KEYS,
    "referee export record -o club-night.jsonl": KEYS,
    "referee export record -o club.jsonl": KEYS,
    "referee export text -o club.txt": KEYS,
}
"""The commands that answer otherwise, and why."""


def told_commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a transcript, and what it is said to print."""
    for part in re.split(r"(?m)^\$ (?=referee)", text)[1:]:
        line, _, printed = part.partition("\n")
        yield line, re.sub(r"(?m)^# .*\n?", "", printed)


def printed(line: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a command prints, said as somebody at a store says it: at a desk as the organiser."""
    if re.search(r" (tournament|access) ", line):
        monkeypatch.delenv("REFEREE_AS", raising=False)
    else:
        monkeypatch.setenv("REFEREE_AS", "scribe")
    out, code = run(line)
    return out + (f"[exit {code}]\n" if code else "")


def differing(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is printed otherwise than the text says, command by command."""
    with served(folder) as club:
        monkeypatch.setenv("REFEREE_STORE", club.url)
        monkeypatch.setenv("REFEREE_TOKEN", club.organiser)
        lines = [line for line, _ in told_commands(text)]
        result = "".join(f"$ {line}\n{printed(line, monkeypatch)}" for line in lines)
    pairs = zip(told_commands(normal(text)), told_commands(normal(result)), strict=True)
    return [
        f"{line}\n--- here\n{here}--- there\n{there}"
        for line, ((_, here), (_, there)) in zip(lines, pairs, strict=True)
        if here.strip() != there.strip() and line not in DIFFERENT
    ]


@pytest.mark.parametrize("file", first(3, sorted(FOLDER.glob("*.txt"))), ids=lambda file: file.stem)
def test_a_service_answers_what_the_transcript_says(
    file: Path, newcomer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert differing(file.read_text("utf-8"), newcomer, monkeypatch) == []


@pytest.mark.parametrize("page", first(5, PAGES), ids=of_page)
def test_a_service_answers_what_the_page_says(
    page: Path, newcomer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_LANG", language_of(page))
    (newcomer / "evening.txt").write_text("?\n1\n/undo\n/quit\n", "utf-8")
    text = page.read_text("utf-8")
    for name, content in FILE.findall(text):
        (newcomer / name).write_text(content, "utf-8")
    blocks = "".join(block for block in BLOCK.findall(text) if "$ referee" in block)
    assert differing(blocks, newcomer, monkeypatch) == []


@pytest.fixture
def club(newcomer: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A service with a table of Benevolent, as its organiser reaches it."""
    with served(newcomer) as found:
        monkeypatch.setenv("REFEREE_STORE", found.url)
        monkeypatch.setenv("REFEREE_TOKEN", found.organiser)
        assert run("referee --as scribe new benevolent A=blue B=red first A -p A=Ana")[1] == 0
        assert run('referee --as scribe -q log "forest S1A S2A"')[1] == 0
        yield found


def spoken(line: str, code: int) -> str:
    out, ended = run(line)
    assert ended == code, out
    return out


def test_a_code_becomes_a_token_that_only_its_owner_can_read(
    club: Served, newcomer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = json.loads(spoken("referee --json access code judge --name Jo", 0))["data"]["code"]
    monkeypatch.delenv("REFEREE_TOKEN")
    assert "a token" in spoken("referee info", 8)
    told = spoken(f"referee access join {code}", 0)
    file = newcomer / "data" / "referee" / "tokens.json"
    (token,) = json.loads(file.read_text("utf-8")).values()
    assert token not in told
    assert file.stat().st_mode & 0o077 == 0
    spoken("referee hold -m lunch", 0)
    (entry,) = [
        each for each in club.store_context.store.read(club.game()) if each.topic == "held@1"
    ]
    assert json.loads(entry.body)["role"] == "judge"
    file.chmod(0o644)
    assert "chmod 600" in spoken("referee info", 2)


def test_each_service_has_a_token_of_its_own(tmp_path: Path) -> None:
    kept: dict[str, str] = {}
    for url, token in (("http://a", "one"), ("http://b/", "two"), ("http://a/", "three")):
        keep_token(tmp_path, url, token)
        kept[url.rstrip("/")] = token
        for known, its in kept.items():
            assert token_for(tmp_path, known) == token_for(tmp_path, f"{known}/") == its
    assert token_for(tmp_path, "http://elsewhere") is None


@given(st.lists(st.sampled_from(["read", "other", "write", "wait"]), max_size=20))
def test_a_record_is_asked_for_anew_once_it_is_old_or_something_was_written(
    steps: list[str],
) -> None:
    """What others write is seen a moment later, what this program has written at once."""
    now = [100.0]
    written, fetched, seen = 0, [0], {"read": (-9.0, -1), "other": (-9.0, -1)}

    class Fetching(RemoteStore):
        def _fetch(self, stream: str) -> tuple[Stored, ...]:
            fetched[0] += 1
            return ()

    store = Fetching("http://x", Mock(), lambda: written)
    with patch("cli.remote.store.time", Mock(monotonic=lambda: now[0])):
        for step in steps:
            if step == "write":
                written += 1
            elif step == "wait":
                now[0] += 0.6
            else:
                before, (at, writes) = fetched[0], seen[step]
                store.read(step)
                anew = writes != written or now[0] - at > FRESH
                assert (fetched[0] - before) == anew
                seen[step] = (now[0], written) if anew else (at, writes)


def test_only_an_organiser_of_everything_speaks_for_others(
    club: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, token = club.store_context.access.give("judge", "", "pjudge")
    monkeypatch.setenv("REFEREE_TOKEN", token)
    assert "for its owner only" in spoken("referee hold --as Jo:organiser", 8)
    assert spoken("referee hold -m lunch", 0)


def test_a_line_of_a_prompt_keeps_its_token_whoever_speaks(
    club: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Begun with ``--token``, which is kept nowhere else; a line may bring another one."""
    _, judge = club.store_context.access.give("judge", "", "pjudge")
    monkeypatch.delenv("REFEREE_TOKEN")
    spoken(f"referee --token {club.organiser} tournament new Cup --of benevolent --rounds 3", 0)
    lines = ["players add Ana Bo", "--as Jo:judge history", f"--token {judge} players add Cleo"]
    for line, code in zip(lines, (0, 0, 8), strict=True):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{line}\n"))
        out, ended = run(f"referee --token {club.organiser} tournament desk")
        assert ended == code, (line, out)


def test_a_seat_sees_what_it_may_and_seals_where_it_sits(
    club: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, token = club.store_context.access.give("seat:A", club.game(), "pseat")
    monkeypatch.setenv("REFEREE_TOKEN", token)
    sealed = spoken("referee secret seal A hand clover", 0)
    assert sealed.startswith("s1")
    assert "clover" in spoken("referee secret show s1", 0)
    stored = b"".join(row.body for row in club.store_context.store.read(club.game()))
    assert b"clover" not in stored.rpartition(b'"kind":"sealed"')[2]
    assert "clover" in spoken("referee secret open s1", 0)


def test_a_key_signs_a_record_there_and_never_leaves(club: Served) -> None:
    spoken("referee keys new club", 0)
    assert "signed by club" in spoken("referee sign club", 0)
    assert "signature of club (organiser)" in spoken("referee verify --signed-by club", 0)


def test_colours_are_those_of_this_terminal(club: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR")
    line = f'check "{SETUP[1]}"'
    plain, painted = spoken(f"referee {line}", 0), spoken(f"referee --color always {line}", 0)
    assert "\x1b[" in painted
    assert re.sub(r"\x1b\[[0-9]*m", "", painted) == plain
    assert "\ue000" not in painted


def test_what_was_logged_before_an_error_is_told(club: Served) -> None:
    told = spoken(f'referee --as scribe log "{SETUP[1]}" "A stepp c1"', 2)
    assert "#2 pyramid" in told
    assert "line 2" in told


def test_each_record_that_is_brought_is_told_of_with_its_warnings(
    club: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two", "three"):
        spoken("referee --store here.db new pebbles A B first A", 0)
        spoken(f"referee --store here.db export record -o {name}.jsonl", 0)
    _, token = club.store_context.access.give("scribe", "", "pscribe")
    monkeypatch.setenv("REFEREE_TOKEN", token)
    told = spoken("referee import one.jsonl two.jsonl three.jsonl", 0)
    assert told.count("set apart") == told.count("verified") == 3, told


def test_nobody_there_is_told_as_such(newcomer: Path) -> None:
    assert "no answer from" in spoken("referee --store http://127.0.0.1:9 games", 5)
    assert "is not the address" in spoken("referee --store http:// games", 2)


def test_what_belongs_to_a_store_is_done_there(club: Served) -> None:
    for line in ("referee backup copy.db", "referee store check", "referee serve"):
        out, code = run(line)
        assert code != 0, line
        assert "internal fault" not in out


def test_what_is_nothing_is_said_and_read_like_anything_else() -> None:
    """Zero, no and the empty word, of every operation that is asked in an address."""
    said = 0
    for each in routes():
        if each.says is None or not (each.asks_in_query or each.takes_file):
            continue
        for name, field in each.says.model_fields.items():
            known = TypeAdapter(field.annotation)
            for value in (0, False, "", None):
                try:
                    known.validate_python(value, strict=True)
                except ValidationError:
                    continue
                asked = QueryParams(urlencode(http._query({name: value}), doseq=True)).multi_items()
                read = dispatch._query(each.says, asked)
                assert (name in read) is (value is not None), (each.name, name, value)
                if value is not None:
                    assert known.validate_python(read[name]) == value, (each.name, name, value)
                said += 1
    assert said > 100


def test_what_is_nothing_is_sent_to_a_service_like_anything_else() -> None:
    """Zero, no, the empty word and the empty list, in a request of every operation."""
    sent = 0
    for each in routes():
        about = {name: "x" for name in each.parameters if each.called(name) in each.names}
        if set(each.names) - {each.called(name) for name in about}:
            continue
        for name in each.parameters:
            if (
                name in about
                or each.says is None
                or each.called(name) not in each.says.model_fields
            ):
                continue
            for value in (0, False, "", [], None):
                said = request(each, {**about, name: value}).said
                about_it = (each.name, name, value)
                assert (each.called(name) in said) is (value is not None), about_it
                sent += 1
    assert sent > 500


def test_every_operation_names_parameters_of_its_function() -> None:
    """What the command line puts into a request is what the service reads from it."""
    for each in routes():
        known = {*each.parameters, *parameters(each.run)}
        for parameter in each.rename:
            assert parameter in known or WHOLE in each.rename.values(), (each.name, parameter)
