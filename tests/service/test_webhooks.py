"""Webhooks: signed, at least once, over restarts, to nobody inside the house, and never early."""

from __future__ import annotations

import hmac
import itertools
import json
import socket
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from fractions import Fraction
from ipaddress import ip_address, ip_network
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic, sleep
from typing import Any, Literal

import pytest

from answers.admin.webhooks import add as register
from answers.context import Caller, StoreContext, open_store_context
from referee.errors import Misused
from referee.judging.disputes import dispute
from referee.store.sidecars import webhooks as sidecar
from referee.store.sidecars.access import AccessPolicy
from referee.store.sidecars.webhooks import Happening
from referee.table.author import Author
from referee.table.lifecycle import close
from referee.table.notes import Annotation, annotate
from referee.table.openings import open_game
from referee.table.play import Heard
from service import outbound, webhooks
from service.auth import AccessControl
from service.outbound import NotDelivered, networks_of
from service.problems import voice_in
from service.webhook_events import WebhookEvent, event_of
from service.webhooks import GIVE_UP, LONGEST_WAIT, WebhookSender, wait_after
from tests.deep import first
from tests.opening import new_table
from tests.proofs.twins import TWINS, whole
from tests.service.conftest import Club, Receiver
from tests.service.running import start
from tests.tournament.test_board_records import TeamTable
from tests.tournament.test_desk import PEBBLES, cup, started
from tests.waiting import PATIENCE, ended
from tools.clients import FOLDER

HOUSE = networks_of(["127.0.0.1"])
NAMES = ("Ana", "Bo", "Cleo", "Dan")


@pytest.fixture
def receiver(receivers: Callable[[], Receiver]) -> Receiver:
    return receivers()


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch, make_club: Callable[..., Club]) -> Club:
    """A club whose service looks for what is owed when the test says so."""
    monkeypatch.setattr(WebhookSender, "start", lambda sender: None)
    return make_club()


def sender_of(club: Club) -> WebhookSender:
    """As after a start: it knows no more than the store."""
    return WebhookSender(club.client.app.state.service.access_control, HOUSE)  # type: ignore[attr-defined]


def send(sender: WebhookSender) -> None:
    """Everything that may be told now, to all."""
    sender.look()
    ended(*sender._sending.values())


def until(happened: Callable[[], bool]) -> None:
    end = monotonic() + PATIENCE
    while not happened():
        assert monotonic() < end, "it never came"
        sleep(0.05)


def add(club: Club, receiver: Receiver, scope: str = "", *events: str, **more: Any) -> Any:
    said = {"address": receiver.address, "events": events, "scope": scope}
    reply = club.post("/webhooks", "organiser", said, **more)
    assert reply.status_code == 200, reply.text
    return reply.json()["data"]


def told(club: Club, path: str, /, **said: Any) -> dict[str, Any]:
    reply = club.post(path, "organiser", said)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()["data"]
    return found


def listed(club: Club) -> dict[str, Any]:
    (row,) = club.get("/webhooks", "organiser").json()["data"]["webhooks"]
    found: dict[str, Any] = row
    return found


def new_event(club: Club, name: str = "Cup") -> str:
    event: str = told(club, "/tournaments", name=name, game="pebbles", rounds=2)["tournament"]
    at = f"/tournaments/{event}"
    told(club, f"{at}/players", players=[{"name": each} for each in NAMES])
    told(club, f"{at}/players/check-in", everybody=True)
    return event


def paired(club: Club, event: str) -> None:
    at = f"/tournaments/{event}"
    told(club, f"{at}/round/pairing", seed=1)
    told(club, f"{at}/round/start")


def new_game(club: Club) -> str:
    said = {"game": "pebbles", "table": "A B first A", "players": {"A": "Ana", "B": "Bo"}}
    return str(told(club, "/games", title="Kitchen", **said)["game"])


def to_the_end(club: Club, game: str) -> None:
    """Never as many as just before, until none is left."""
    left = 12 - 3 * told_actions(club, game)
    for take in ([3, 1] if left == 12 else [1, 3]) * 6:
        taken = min(take, left)
        left -= taken
        if taken:
            told(club, f"/games/{game}/actions", lines=[f"take {taken}"])
    assert club.get(f"/games/{game}", "organiser").json()["data"]["over"]


def told_actions(club: Club, game: str) -> int:
    return int(club.get(f"/games/{game}", "organiser").json()["data"]["actions"])


# what is told

KINDS: tuple[Happening, ...] = ("dispute_called", "game_over")
THREE = "table A=blue B=red C=yellow first B"
LATE: dict[str, Any] = {"places": [], "scores": {}, "clause": None, "won": None}
ONLOOKER = Author("anonymous", "spectator")


def event_now(context: StoreContext, stream: str, seq: int, kind: Happening) -> dict[str, Any]:
    """What is told to an onlooker of an entry, as it is sent."""
    found = event_of(
        Caller(context, ONLOOKER, voice_in("en")), sidecar.Owed("w", 1, kind, stream, seq)
    )
    assert isinstance(found, WebhookEvent)
    sent: dict[str, Any] = json.loads(found.model_dump_json())
    assert sent["id"] == f"{stream}.{seq}.{kind}"
    assert sent["text"]
    return sent


def whole_event(**known: Any) -> dict[str, Any]:
    """All fields of an event but its id, time and text: what is not known is empty."""
    lists: dict[str, Any] = {key: [] for key in ("players", "places", "tables", "standings")}
    nothing = dict.fromkeys(("round", "table", "result"))
    return {"tournament": "", "game": "", **nothing, **lists, **known}


def without_text(event: dict[str, Any]) -> dict[str, Any]:
    return {name: told for name, told in event.items() if name not in ("id", "at", "text")}


def subsets(seats: str) -> list[str]:
    sizes = range(len(seats) + 1)
    return ["".join(each) for size in sizes for each in itertools.combinations(seats, size)]


def test_an_event_is_told_from_its_pairing_to_its_standings_and_no_other(
    quiet: Club, receiver: Receiver
) -> None:
    event, other = new_event(quiet), new_event(quiet, "Other")
    hook = add(quiet, receiver, event)
    paired(quiet, event)
    paired(quiet, other)
    at = f"/tournaments/{event}"
    told(quiet, f"{at}/tables/1/result", places=["A"], reason="slip")
    sender = sender_of(quiet)
    send(sender)
    assert receiver.types[0] == "round_paired"
    assert {each["tournament"] for each in receiver.told} == {event}
    assert {"result_in", "standings_changed"} <= set(receiver.types)
    pairing = receiver.told[0]
    assert pairing["text"] == "Cup: round 1 is paired."
    assert sorted(n for table in pairing["tables"] for n in table["players"]) == [*NAMES]
    result = next(each for each in receiver.told if each["type"] == "result_in")
    assert (result["round"], result["table"], result["places"]) == (1, 1, [1, 2])
    assert result["players"][0] in result["text"]
    standings = [each for each in receiver.told if each["type"] == "standings_changed"][-1]
    assert standings["standings"][0] == {"rank": 1, "name": result["players"][0], "points": [1, 1]}
    assert len({headers["Webhook-Id"] for headers, _ in receiver.got}) == len(receiver.got)
    before = len(receiver.got)
    send(sender)
    assert len(receiver.got) == before, "nothing is told twice without a failure"
    assert listed(quiet)["waiting"] == 0
    assert "secret" not in listed(quiet)
    assert hook["secret"]


def test_it_is_signed_as_standard_webhooks_says(quiet: Club, receiver: Receiver) -> None:
    hook = add(quiet, receiver)
    told(quiet, f"/webhooks/{hook['id']}/test")
    send(sender_of(quiet))
    ((headers, content),) = receiver.got
    key = b64decode(hook["secret"].removeprefix("whsec_"))
    at = headers["Webhook-Timestamp"]
    said = f"{headers['Webhook-Id']}.{at}.".encode() + content
    signature = b64encode(hmac.new(key, said, "sha256").digest()).decode()
    assert headers["Webhook-Signature"] == f"v1,{signature}"
    assert json.loads(content)["id"] == headers["Webhook-Id"]
    assert json.loads(content)["type"] == "test"


def test_a_game_is_told_when_it_is_over_as_it_ended_and_a_dispute_when_it_is_called(
    quiet: Club, receiver: Receiver
) -> None:
    add(quiet, receiver, headers={"Accept-Language": "fr"})
    game = new_game(quiet)
    told(quiet, f"/games/{game}/actions", lines=["take 3"])
    sender = sender_of(quiet)
    send(sender)
    assert receiver.got == []
    told(quiet, f"/games/{game}/disputes", number=1, text="four", seat="B")
    send(sender)
    assert receiver.types == ["dispute_called"]
    assert receiver.told[0]["text"] == "Kitchen : un juge est appelé."
    to_the_end(quiet, game)
    send(sender)
    assert receiver.types == ["dispute_called", "game_over"]
    ending = receiver.told[-1]
    info = quiet.get(f"/games/{game}", "organiser").json()["data"]
    assert ending["result"] == info["result"]
    assert (ending["game"], ending["players"]) == (game, ["Ana", "Bo"])
    assert "four" not in receiver.got[0][1].decode(), "what was said to the judge is the judge's"


@pytest.mark.parametrize("boards", [False, True])
def test_a_game_of_an_event_is_told_with_its_place(
    quiet: Club, receiver: Receiver, boards: bool
) -> None:
    """That of a board of a match, too."""
    desk = quiet.store_context.desk
    event = TeamTable(desk).cup if boards else cup(desk)
    number = desk.load(event).now.current_round.number if boards else started(desk, event)
    add(quiet, receiver)
    for table, board in ((1, 1), (1, 2)) if boards else ((1, None), (2, None)):
        heard, _ = desk.open_table(event, number, table, PEBBLES, board=board)
        assert isinstance(heard, Heard)
        game = heard.game.id
        told(quiet, f"/games/{game}/disputes", number=0, text="hm")
        told(quiet, f"/games/{game}/finish", yes=True, reason="late")
        send(sender_of(quiet))
        seats = [*heard.game.seats.values()]
        at = {"tournament": event, "game": game, "round": number, "table": table}
        about = {**at, "name": "Spring Cup", "players": seats}
        called, over = map(without_text, receiver.told[-2:])
        assert called == whole_event(type="dispute_called", **about)
        assert over == whole_event(type="game_over", result={**LATE, "reason": "late"}, **about)


@pytest.mark.parametrize("title", ["Kitchen", ""])
@pytest.mark.parametrize("named", subsets("ABC"))
def test_everything_is_told_of_a_table_of_which_only_some_seats_have_a_name(
    named: str, title: str
) -> None:
    """Every seat is there in its order: by name, or by its letter where it has none."""
    context = open_store_context("memory:")
    people = {seat: context.people.add(NAMES["ABC".index(seat)]) for seat in reversed(named)}
    heard = open_game(context.bench, "benevolent", THREE, seats=people, title=title)
    assert isinstance(heard, Heard)
    game = heard.game.id
    (call,) = dispute(context.bench, game, 0, text="four", seat="B").entries
    (end,) = close(context.bench, game, reason="late").entries
    players = [NAMES["ABC".index(seat)] if seat in named else seat for seat in "ABC"]
    about = {"name": title, "game": game, "players": players}
    found = [
        event_now(context, game, made.seq, kind)
        for made, kind in zip((call, end), KINDS, strict=True)
    ]
    called, over = map(without_text, found)
    assert called == whole_event(type="dispute_called", **about)
    assert over == whole_event(type="game_over", result={**LATE, "reason": "late"}, **about)
    assert [each["text"].partition(":")[0] for each in found] == [title or game] * 2
    assert [each["at"] for each in found] == [call.at, end.at]


@pytest.mark.parametrize("places", [["A"], ["B"], ["A=B"]])
def test_everything_is_told_of_an_event(quiet: Club, places: list[str]) -> None:
    """Tables, players and standings in their order, by name; nothing else beside."""
    event, context = new_event(quiet), quiet.store_context
    at = f"/tournaments/{event}"
    paired(quiet, event)
    told(quiet, f"{at}/tables/2/result", places=places, reason="slip")
    whole, name_of = context.desk.load(event), context.people.name
    seated = {
        each.number: [name_of(player) for player in each.seats]
        for each in whole.now.round(1).draw.tables
    }
    told(quiet, f"{at}/tables/2/call", text="four", player=seated[2][1])
    halves = {"A": [2, 0], "B": [0, 2], "A=B": [1, 1]}[places[0]]
    points = dict.fromkeys(NAMES, 0) | dict(zip(seated[2], halves, strict=True))
    entries = enumerate(context.desk.load(event).told)
    by_kind = {each.event.KIND: (seq, each.at) for seq, each in entries}
    now = {"tournament": event, "name": "Cup"}

    def found(kind: str, happening: Happening) -> dict[str, Any]:
        seq, when = by_kind[kind]
        one = event_now(context, event, seq, happening)
        assert one["at"] == when
        return without_text(one)

    assert found("round_paired", "round_paired") == whole_event(
        type="round_paired",
        round=1,
        tables=[{"table": number, "players": each} for number, each in seated.items()],
        **now,
    )
    reached = {(2, 0): [1, 2], (0, 2): [2, 1], (1, 1): [1, 1]}[halves[0], halves[1]]
    assert found("result_entered", "result_in") == whole_event(
        type="result_in", round=1, table=2, players=seated[2], places=reached, **now
    )
    assert found("judge_called", "dispute_called") == whole_event(
        type="dispute_called", round=1, table=2, **now
    )
    ranking = found("result_entered", "standings_changed")
    ranked = ranking.pop("standings")
    assert {**ranking, "standings": []} == whole_event(type="standings_changed", **now)
    assert {each["name"]: Fraction(*each["points"]) for each in ranked} == {
        name: Fraction(half, 2) for name, half in points.items()
    }
    listed = quiet.get(f"{at}/standings", "organiser").json()["data"]["rows"]
    assert [(each["rank"], each["name"]) for each in ranked] == [
        (row["rank"], row["name"]) for row in listed
    ]


@pytest.mark.usefixtures("strangers_games")
@pytest.mark.parametrize("name", whole())
def test_what_is_delivered_is_alike_whatever_a_seat_hides(
    name: str,
    make_club: Callable[..., Club],
    receivers: Callable[[], Receiver],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(WebhookSender, "start", lambda sender: None)
    (make, *secrets), delivered = TWINS[name], []
    for secret in secrets:
        bench, game = make(secret)
        club, receiver = make_club(StoreContext(bench.store, bench)), receivers()
        club.store_context.webhooks._clock = lambda: "2025-12-31T23:00:00.000Z"  # before them all
        add(club, receiver)
        told(club, f"/games/{game}/disputes", number=1, text="hm")
        told(club, f"/games/{game}/finish", yes=True, reason="late")
        send(sender_of(club))
        delivered.append([{**each, "id": "", "at": ""} for each in receiver.told])
    assert delivered[0] == delivered[1]
    assert [each["type"] for each in delivered[0]] == ["dispute_called", "game_over"]


def test_what_is_taken_back_before_it_is_told_is_not_told(quiet: Club, receiver: Receiver) -> None:
    add(quiet, receiver, "", "game_over")
    game = new_game(quiet)
    to_the_end(quiet, game)
    told(quiet, f"/games/{game}/undo")
    send(sender_of(quiet))
    assert receiver.got == []


def test_standings_are_told_once_for_each_change(quiet: Club, receiver: Receiver) -> None:
    event = new_event(quiet)
    add(quiet, receiver, event, "standings_changed")
    paired(quiet, event)
    sender = sender_of(quiet)
    send(sender)
    known = len(receiver.got)
    at = f"/tournaments/{event}"
    for table in (1, 2):
        told(quiet, f"{at}/tables/{table}/result", places=["A"], reason="slip")
    send(sender)
    assert len(receiver.got) == known + 1, "two results, one table of standings"
    told(quiet, f"{at}/round/close")
    send(sender)
    texts = [json.dumps(each["standings"]) for each in receiver.told]
    assert all(a != b for a, b in itertools.pairwise(texts))


def test_the_sample_passes_it_on_to_a_chat_once_and_believes_nobody_else(
    quiet: Club, receivers: Callable[[], Receiver]
) -> None:
    chat, forwarding = receivers(), receivers()
    hook = add(quiet, forwarding)
    program = [sys.executable, "chat_webhook.py", "0", hook["secret"], chat.address]
    sample = subprocess.Popen(
        program, cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert sample.stdout is not None
        address = f"http://127.0.0.1:{int(sample.stdout.readline())}/"
        told(quiet, f"/webhooks/{hook['id']}/test")
        send(sender_of(quiet))
        ((sent, content),) = forwarding.got
        headers = {name: text for name, text in sent.items() if name.startswith("Webhook-")}
        for _ in range(2):
            outbound.post(address, content, headers, HOUSE)
        with pytest.raises(NotDelivered, match="401"):
            outbound.post(address, content + b" ", headers, HOUSE)
        assert [each["content"] for each in chat.told] == [json.loads(content)["text"]]
    finally:
        sample.kill()
        sample.wait(PATIENCE)


# at least once


def test_what_does_not_arrive_is_sent_again_in_its_order_with_its_id(
    quiet: Club, receiver: Receiver
) -> None:
    event = new_event(quiet)
    hook = add(quiet, receiver, event, "round_paired", "result_in")
    paired(quiet, event)
    told(quiet, f"/tournaments/{event}/tables/1/result", places=["A"], reason="slip")
    receiver.status = 500
    sender = sender_of(quiet)
    send(sender)
    assert receiver.types == ["round_paired"], "what comes behind it waits"
    row = listed(quiet)
    assert (row["failures"], row["waiting"], row["disabled"]) == (1, 2, "")
    assert "500" in row["problem"]
    assert row["due"]
    send(sender)
    assert len(receiver.got) == 1, "not before its time"
    receiver.status = 200
    quiet.store_context.webhooks.enable(hook["id"])
    send(sender_of(quiet))
    assert receiver.types == ["round_paired", "round_paired", "result_in"]
    assert receiver.told[0]["id"] == receiver.told[1]["id"]
    assert (listed(quiet)["failures"], listed(quiet)["problem"]) == (0, "")


def test_who_crashes_before_it_is_noted_sends_it_again(
    quiet: Club, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = add(quiet, receiver)
    told(quiet, f"/webhooks/{hook['id']}/test")

    def crash(*said: object) -> None:
        raise RuntimeError("the lights are out")

    with monkeypatch.context() as patched:
        patched.setattr(sidecar.Webhooks, "settle", crash)
        send(sender_of(quiet))
    send(sender_of(quiet))
    assert [each["id"] for each in receiver.told] == [receiver.told[0]["id"]] * 2


def test_who_crashes_before_it_is_owed_looks_again(
    quiet: Club, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = new_event(quiet)
    add(quiet, receiver, event, "round_paired")
    paired(quiet, event)

    def crash(*said: object) -> None:
        raise RuntimeError("the lights are out")

    with monkeypatch.context() as patched:
        patched.setattr(sidecar.Webhooks, "owe", crash)
        with pytest.raises(RuntimeError):
            sender_of(quiet).look()
    send(sender_of(quiet))
    assert receiver.types == ["round_paired"]


def test_the_waits_grow_and_end() -> None:
    waits = [wait_after(failures, lambda: 0.5) for failures in range(GIVE_UP)]
    known = [wait for wait in waits if wait is not None]
    assert known == sorted(known)
    assert waits[-1] is None
    assert len(known) == GIVE_UP - 1
    assert known[-1] == LONGEST_WAIT
    assert sum(known, timedelta()) > timedelta(hours=4)
    assert wait_after(3, lambda: 0.0) != wait_after(3, lambda: 1.0)


def test_an_address_that_never_takes_anything_is_disabled_until_somebody_tries_it(
    quiet: Club, receiver: Receiver
) -> None:
    event = new_event(quiet)
    hook = add(quiet, receiver, event, "round_paired", "result_in")
    paired(quiet, event)
    receiver.status = 503
    hooks = quiet.store_context.webhooks
    sender = sender_of(quiet)
    for _ in range(GIVE_UP):
        hooks._change("UPDATE webhooks SET due = ''", ())
        send(sender)
    row = listed(quiet)
    assert row["disabled"]
    assert row["failures"] == GIVE_UP
    assert "503" in row["problem"]
    desk = f"/tournaments/{event}/desk"
    assert "Broadcast" in _page(quiet, desk)
    assert receiver.address in _page(quiet, desk)
    screens = _page(quiet, f"/tournaments/{event}/screens")
    assert hook["id"] in screens
    assert "503" in screens
    receiver.status = 204
    told(quiet, f"/tournaments/{event}/tables/1/result", places=["A"], reason="slip")
    send(sender)
    assert len(receiver.got) == GIVE_UP
    told(quiet, f"/webhooks/{hook['id']}/test")
    send(sender)
    assert receiver.types[GIVE_UP:] == ["test", "round_paired", "result_in"]
    assert listed(quiet)["disabled"] == ""


def _page(club: Club, path: str) -> str:
    headers = club.device(club.token("organiser"))
    return club.client.get(path, headers=headers).text.replace("&amp;", "&")


def test_an_address_that_is_gone_is_disabled_at_once(quiet: Club, receiver: Receiver) -> None:
    hook = add(quiet, receiver)
    receiver.status = 410
    told(quiet, f"/webhooks/{hook['id']}/test")
    send(sender_of(quiet))
    assert listed(quiet)["disabled"]
    assert listed(quiet)["failures"] == 1


def test_an_address_that_is_not_told_now_holds_up_no_other(
    quiet: Club, receivers: Callable[[], Receiver]
) -> None:
    """Whichever of three is disabled, or tried again later, in whatever order they stand."""
    hooks, sender = quiet.store_context.webhooks, sender_of(quiet)
    there = {add(quiet, receiver)["id"]: receiver for receiver in (receivers() for _ in range(3))}
    later = "2999-01-01T00:00:00.000Z"
    kept_from = {"told": ("", ""), "later": (later, ""), "disabled": ("", "2026-01-01T00:00:00Z")}
    for number, states in enumerate(itertools.permutations(kept_from), 1):
        told_before = [len(receiver.got) for receiver in there.values()]
        for id, state in zip(there, states, strict=True):
            change = "UPDATE webhooks SET due = ?, disabled = ? WHERE id = ?"
            hooks._change(change, (*kept_from[state], id))
            for each in hooks.owed(id):
                hooks.settle(each)
            hooks.owe(id, 0, [sidecar.Owed(id, 0, "test", id, number)])
        send(sender)
        new = [len(receiver.got) for receiver in there.values()]
        assert [now - before for now, before in zip(new, told_before, strict=True)] == [
            int(state == "told") for state in states
        ], states


@dataclass
class Address:
    """What an address should be told, what has come there, and how it answers."""

    scope: str
    wanted: list[str] = field(default_factory=list)
    got: list[str] = field(default_factory=list)
    answers: Literal["well", "not", "and the lights go out"] = "well"
    crashes: int = 0
    out_of_turn: list[str] = field(default_factory=list)

    def take(self, id: str) -> None:
        if id not in self.wanted[: len({*self.got}) + 1]:
            self.out_of_turn.append(id)
        if self.answers == "not":
            raise NotDelivered("timeout")
        self.got.append(id)
        if self.answers == "and the lights go out":
            self.crashes += 1
            raise RuntimeError


@pytest.mark.parametrize("seed", first(2, range(12)))
def test_every_address_is_told_what_happens_from_when_it_was_added_once_and_in_order(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one game, another or all; however much happens that is nothing to it, whenever it is
    sent, whoever does not answer or starts again meanwhile."""
    monkeypatch.setattr(webhooks, "BATCH", 3)
    monkeypatch.setattr(webhooks, "MOST_OWED", 4)
    chance, context = Random(seed), open_store_context("memory:")
    caller, bench = Caller(context, Author("pjo", "organiser")), context.bench
    access_control = AccessControl(context)
    sender = WebhookSender(access_control)
    games = [new_table(caller, "pebbles", "A B first A") for _ in range(2)]
    there: dict[str, Address] = {}

    def deliver(address: str, content: bytes, *said: Any) -> None:
        there[address].take(json.loads(content)["id"])

    monkeypatch.setattr(webhooks, "post", deliver)

    def adds() -> None:
        address = f"https://club.example/{len(there)}"
        there[address] = Address(chance.choice(["", *games]))
        register(caller, address, events=["dispute_called"], scope=there[address].scope)

    def disputes() -> None:
        game = chance.choice(games)
        (entry,) = dispute(bench, game, 0, text="so").entries
        for each in there.values():
            if each.scope in ("", game):
                each.wanted.append(f"{game}.{entry.seq}.dispute_called")

    def notes() -> None:
        """About as many as are looked at in one go, or in two."""
        for _ in range(chance.choice([1, 2, 3, 4, 7])):
            annotate(bench, chance.choice(games), 0, Annotation("hm"))

    def answers() -> None:
        for each in there.values():
            each.answers = chance.choice(["well", "well", "not", "and the lights go out"])

    def sends() -> None:
        nonlocal sender
        if chance.random() < 0.3:
            sender = WebhookSender(access_control)
        if chance.random() < 0.7:
            context.webhooks._change("UPDATE webhooks SET due = ''", ())
        send(sender)

    notes()
    for step in chance.choices([adds, disputes, notes, answers, sends], [2, 4, 3, 1, 4], k=60):
        step()
    for each in there.values():
        each.answers = "well"
    for hook in context.webhooks.all():
        context.webhooks.enable(hook.id)
    for _ in range(context.store.position()):
        send(sender)
    for each in there.values():
        assert [id for id, _ in itertools.groupby(each.got)] == each.wanted
        assert len(each.got) == len(each.wanted) + each.crashes
        assert each.out_of_turn == [], "what is refused is what comes next"


@pytest.mark.parametrize("seed", first(3, range(24)))
def test_each_end_of_a_game_is_told_that_still_holds_when_it_is_looked_for(
    seed: int, quiet: Club, receiver: Receiver
) -> None:
    """Closed or played out, reopened, taken back and put back, by turns."""
    chance, sender, game = Random(seed), sender_of(quiet), new_game(quiet)
    add(quiet, receiver, "", "game_over")
    expected, was_over, told_of_it = 0, False, False
    for _ in range(30):
        step = chance.choice(["actions", "actions", "finish", "reopen", "reopen", "undo", "redo"])
        said = {
            "actions": {"lines": [f"take {chance.choice([1, 2, 3])}"]},
            "finish": {"yes": True, "reason": "late"},
            "reopen": {"reason": "it goes on"},
        }
        quiet.post(f"/games/{game}/{step}", "organiser", said.get(step, {}))
        info = quiet.get(f"/games/{game}", "organiser").json()["data"]
        over = info["over"] or info["closed"]
        if over and not was_over:
            told_of_it = False
        was_over = over
        if chance.random() < 0.7:
            send(sender)
            expected += over and not told_of_it
            told_of_it = over
            assert len(receiver.got) == expected, step
    assert expected
    assert len({each["id"] for each in receiver.told}) == len(receiver.told)


def test_an_address_that_hangs_holds_up_nobody(
    quiet: Club, receivers: Callable[[], Receiver]
) -> None:
    slow, quick = receivers(), receivers()
    slow.holds = Event()
    sender = sender_of(quiet)
    for receiver in (slow, quick):
        hook = add(quiet, receiver)
        told(quiet, f"/webhooks/{hook['id']}/test")
    sender.look()
    until(lambda: bool(quick.got))
    assert slow.got == []
    sender.look()
    game = new_game(quiet)
    told(quiet, f"/games/{game}/actions", lines=["take 1"])
    slow.holds.set()
    ended(*sender._sending.values())
    assert (len(slow.got), len(quick.got)) == (1, 1)


def test_one_of_several_workers_sends(quiet: Club) -> None:
    hooks, minute = quiet.store_context.webhooks, timedelta(minutes=1)
    assert hooks.lease("one", minute)
    assert hooks.lease("one", minute)
    assert not hooks.lease("two", minute)
    hooks.end_lease("one")
    assert hooks.lease("two", -minute)
    assert hooks.lease("one", minute), "the lease of the other has run out"


def test_a_store_that_was_restored_tells_of_what_comes_then(
    quiet: Club, receiver: Receiver
) -> None:
    hook = add(quiet, receiver, "", "round_paired")
    hooks = quiet.store_context.webhooks
    hooks.owe(hook["id"], 10_000, [sidecar.Owed(hook["id"], 9_000, "game_over", "game-x", 1)])
    sender = sender_of(quiet)
    send(sender)
    paired(quiet, new_event(quiet))
    send(sender)
    assert receiver.types == ["round_paired"]


# never early, and to nobody else


def test_what_onlookers_wait_for_an_address_waits_for(quiet: Club, receiver: Receiver) -> None:
    """And nothing that may be told at once waits with it."""
    event = new_event(quiet)
    add(quiet, receiver)
    rules = AccessPolicy(open_to="everybody", delay_seconds=3600)
    quiet.store_context.access.set_rules(event, rules)
    paired(quiet, event)
    at = f"/tournaments/{event}"
    game = told(quiet, f"{at}/tables/1")["game"]
    to_the_end(quiet, game)
    told(quiet, f"/games/{game}/finish", yes=True)
    told(quiet, f"{at}/results")
    sender = sender_of(quiet)
    send(sender)
    assert not {"game_over", "result_in"} & set(receiver.types)
    assert all(set(map(str, each["points"])) == {"0", "1"} for s in receiver.told
               for each in s["standings"])  # fmt: skip
    assert (listed(quiet)["failures"], listed(quiet)["problem"]) == (0, "")
    paired(quiet, other := new_event(quiet, "Open"))
    send(sender)
    assert receiver.told[-1]["tournament"] == other
    assert not {"game_over", "result_in"} & set(receiver.types)
    quiet.store_context.access.set_rules(event, rules._replace(delay_seconds=0))
    send(sender)
    assert {"game_over", "result_in", "standings_changed"} <= set(receiver.types)


def test_an_organiser_of_one_event_has_addresses_for_that_event_alone(
    quiet: Club, receiver: Receiver
) -> None:
    event, other = new_event(quiet), new_event(quiet, "Other")
    hook = add(quiet, receiver, event)
    own: dict[str, Any] = {"scope": event}
    foreign: dict[str, Any] = {"scope": other}
    assert len(quiet.get("/webhooks", "organiser", **own).json()["data"]["webhooks"]) == 1
    assert quiet.get("/webhooks", "organiser", **foreign).json()["data"]["webhooks"] == []
    for method, path in (("DELETE", ""), ("POST", "/test")):
        reply = quiet.ask(method, f"/webhooks/{hook['id']}{path}", "organiser", **foreign)
        assert reply.status_code == 404, reply.text
    said = {"address": receiver.address, "scope": other}
    assert quiet.post("/webhooks", "organiser", said, **own).status_code == 403
    made = quiet.post("/webhooks", "organiser", {"address": receiver.address}, **own)
    assert made.json()["data"]["scope"] == event, "by default its own"
    for role in ("judge", "scribe", "player", "spectator", None):
        assert quiet.get("/webhooks", role).status_code in (401, 403)
    gone = quiet.ask("DELETE", f"/webhooks/{hook['id']}", "organiser", **own)
    assert gone.status_code == 200
    paired(quiet, event)
    send(sender_of(quiet))
    assert {headers["Webhook-Id"] for headers, _ in receiver.got} == {
        each["id"] for each in receiver.told
    }
    assert len(receiver.types) == len(set(receiver.types)), (
        "the one that was removed is told nothing"
    )


def test_a_request_that_is_repeated_registers_one_address(quiet: Club, receiver: Receiver) -> None:
    again: dict[str, Any] = {"headers": {"Idempotency-Key": "once"}}
    first, second = (add(quiet, receiver, **again) for _ in range(2))
    assert first == second
    assert listed(quiet)["id"] == first["id"]
    said = {"address": receiver.address, "events": ["result_in"]}
    assert quiet.post("/webhooks", "organiser", said, **again).status_code == 409


# inside the house

INSIDE = (
    "127.0.0.1", "127.9.9.9", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254",
    "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "192.0.2.1", "240.0.0.1",
    "::", "::1", "fe80::1", "fd00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "64:ff9b::7f00:1", "2002:7f00:1::", "2002:a00:1::1", "::127.0.0.1",
)  # fmt: skip


@pytest.mark.parametrize("place", INSIDE)
def test_no_address_inside_the_house_is_asked(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not outbound.is_outside(ip_address(place))
    monkeypatch.setattr(socket, "create_connection", _never)
    host = f"[{place}]" if ":" in place else place
    with pytest.raises(NotDelivered, match="inside"):
        outbound.post(f"https://{host}/x", b"{}", {})


@pytest.mark.parametrize("host", ["localhost", "2130706433", "0x7f.1", "127.1", "0177.0.0.1"])
def test_no_other_spelling_of_it_is_asked_either(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "create_connection", _never)
    with pytest.raises(NotDelivered, match=r"inside|unreachable"):
        outbound.post(f"https://{host}/x", b"{}", {})


@pytest.mark.parametrize("place", ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34"])
def test_an_address_outside_may_be_asked(place: str) -> None:
    assert outbound.is_outside(ip_address(place))


def _never(*said: Any, **more: Any) -> None:
    raise AssertionError(f"connected to {said}")


def _resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Names mean these addresses, the next time the next ones."""
    asked: list[str] = []

    def resolve(host: str, port: int, **more: Any) -> list[Any]:
        found = answers[min(len(asked), len(answers) - 1)]
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in found]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked


def test_a_name_that_means_an_address_inside_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "create_connection", _never)
    for answer in (["10.0.0.1"], ["93.184.216.34", "10.0.0.1"]):
        _resolving(monkeypatch, answer)
        with pytest.raises(NotDelivered, match="inside"):
            outbound.post("https://club.example/x", b"{}", {})


def test_a_name_cannot_mean_another_address_after_it_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = _resolving(monkeypatch, ["93.184.216.34"], ["127.0.0.1"])
    reached: list[str] = []

    def connect(place: tuple[str, int], *more: Any) -> None:
        reached.append(place[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(NotDelivered, match="unreachable"):
        outbound.post("https://club.example/x", b"{}", {})
    assert (reached, asked) == (["93.184.216.34"], ["club.example"])


def test_a_redirect_is_checked_like_the_address_itself(receivers: Callable[[], Receiver]) -> None:
    first, second = receivers(), receivers()
    first.status, first.headers = 308, {"Location": second.address}
    outbound.post(first.address, b"{}", {"Webhook-Id": "x"}, HOUSE)
    assert second.got[0][1] == b"{}"
    assert second.got[0][0]["Webhook-Id"] == "x"
    for elsewhere in ("http://127.0.0.2:1/x", "http://10.0.0.1/", "http://[::1]/"):
        first.headers = {"Location": elsewhere}
        with pytest.raises(NotDelivered, match="inside"):
            outbound.post(first.address, b"{}", {}, HOUSE)
    for status, where in ((302, second.address), (308, "file:///etc/passwd"), (308, first.address)):
        first.status, first.headers = status, {"Location": where}
        with pytest.raises(NotDelivered, match="redirect"):
            outbound.post(first.address, b"{}", {}, HOUSE)
    assert len(second.got) == 1


def test_outside_it_is_said_in_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "create_connection", _never)
    _resolving(monkeypatch, ["93.184.216.34"])
    with pytest.raises(NotDelivered, match="not_secure"):
        outbound.post("http://club.example/x", b"{}", {})


def test_who_keeps_the_house_says_what_inside_may_be_told(quiet: Club, receiver: Receiver) -> None:
    hook = add(quiet, receiver)
    told(quiet, f"/webhooks/{hook['id']}/test")
    sender = WebhookSender(sender_of(quiet)._access_control, ())
    send(sender)
    assert receiver.got == []
    assert "--allow-webhook" not in listed(quiet)["problem"]
    assert "inside" in listed(quiet)["problem"]
    assert networks_of(["192.168.1.20", "10.0.0.5/8"]) == (
        ip_network("192.168.1.20/32"), ip_network("10.0.0.0/8")
    )  # fmt: skip
    with pytest.raises(Misused):
        networks_of(["the house"])


@pytest.mark.parametrize(
    "said",
    [
        {"address": "ftp://club.example/"},
        {"address": "https://user:word@club.example/"},
        {"address": "https:///x"},
        {"address": "https://club.example:99999/"},
        {"address": "https://club.example/ x"},
        {"address": "https://club.example/", "events": ["moon"]},
        {"address": "https://club.example/", "events": ["test"]},
        {"address": "https://club.example/" + "x" * 500},
    ],
)
def test_what_is_no_address_or_event_is_refused(quiet: Club, said: dict[str, Any]) -> None:
    assert quiet.post("/webhooks", "organiser", said).status_code == 400
    assert quiet.get("/webhooks", "organiser").json()["data"]["webhooks"] == []


# a service of its own


@pytest.mark.parametrize("workers", [1, 2])
def test_a_service_that_is_killed_goes_on_where_it_was(
    workers: int, tmp_path: Path, receiver: Receiver
) -> None:
    url = f"sqlite://{tmp_path / 'one.db'}"
    running = start(url, 0, workers, "--allow-webhook", "127.0.0.1")
    receiver.status = 500
    said = {"address": receiver.address}
    hook = running.ask("POST", "/webhooks", said)[1]["data"]
    assert running.ask("POST", f"/webhooks/{hook['id']}/test", {})[0] == 200
    until(lambda: bool(receiver.got))
    running.process.kill() if workers == 1 else running.stop()
    running.process.wait(PATIENCE)
    receiver.status = 200
    again = start(url, 0, workers, "--allow-webhook", "127.0.0.1")
    try:
        assert again.ask("POST", f"/webhooks/{hook['id']}/test", {})[0] == 200
        until(lambda: not again.ask("GET", "/webhooks")[1]["data"]["webhooks"][0]["waiting"])
        assert again.ask("GET", "/webhooks")[1]["data"]["webhooks"][0]["failures"] == 0
        assert receiver.told[-1]["id"] == receiver.told[0]["id"]
    finally:
        again.stop()
