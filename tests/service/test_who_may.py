"""Who may do what, to one thing or several, against a rule that fits on a page."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import permutations, product
from typing import Any

import pytest

from answers.context import Caller
from answers.i18n import Voice
from answers.operations import STREAMS, routes
from engines.kernel.messages.errors import MessageError
from referee.errors import NotAllowed, RefereeError
from referee.judging.disputes import dispute, withdraw
from referee.judging.rulings import Decision, issue
from referee.record.game import Game
from referee.table.author import JUDGE, SCRIBE, Author, By
from referee.table.bench import BatchBench, Bench
from referee.table.corrections import correct, redo, undo
from referee.table.notes import Annotation, annotate, remove_note
from referee.table.openings import open_game
from referee.table.play import log
from service.auth import AccessControl
from service.device import COOKIE, as_cookie, role_for
from service.http_messages import HttpRequest
from tests.opening import new_table
from tests.record.conftest import make_bench
from tests.service.conftest import Club

ORGANISER, ANA, BO = Author("pora", "organiser"), Author("pana", "seat:A"), Author("pbo", "seat:B")
EVERYBODY = (ORGANISER, JUDGE, SCRIBE, ANA, BO)
JUDGES = (ORGANISER, JUDGE)


def owner(game: Game, number: int) -> str | None:
    """Who did an action, by what the record says of it."""
    told = [entry.data for entry in game.entries if entry.data.KIND in ("logged", "corrected")]
    said = [each for data in told for each in getattr(data, "insert", (data,))]
    by = next(each.action.get("by") for each in said if each.number == number)
    return None if by is None else f"seat:{by}"


def may_change(game: Game, numbers: list[int], who: Author) -> bool:
    """A judge anything; the scribe what was not ruled; a seat its own last action, alone."""
    if who in JUDGES:
        return True
    if game.ruled & {*numbers}:
        return who == SCRIBE and not game.has_judge
    return who == SCRIBE or [owner(game, number) for number in numbers] == [who.role]


def allowed(
    bench: Bench, game: str, who: Author, act: Callable[..., object], *said: object
) -> bool | None:
    """None: it cannot be done here, whoever asks."""
    try:
        act(BatchBench(bench), game, *said, by=By(who))
    except NotAllowed:
        return False
    except RefereeError:
        return None
    return True


def a_story(rng: random.Random) -> tuple[Bench, str]:
    bench = make_bench()
    game = open_game(bench, "pebbles", "table A B first A").game.id
    for _ in range(rng.randint(4, 12)):
        now = bench.game(game)
        number = rng.choice(now.numbers() or [0])
        act: Callable[..., object] = rng.choice(
            [
                *[lambda number=number: log(bench, game, f"take {rng.choice((1, 2))}")] * 5,
                lambda number=number: log(bench, game, "audit heap 9", stands=True),
                *[lambda number=number: undo(bench, game, rng.randint(1, 3), by=By(JUDGE))] * 2,
                lambda number=number: redo(bench, game, by=By(JUDGE)),
                lambda number=number: issue(
                    bench, game, Decision("so", "stands", numbers=(number,)), by=By(JUDGE)
                ),
                lambda number=number: annotate(
                    bench, game, number, Annotation("hm"), by=By(rng.choice(EVERYBODY))
                ),
                lambda number=number: dispute(bench, game, number, by=By(rng.choice(EVERYBODY))),
            ]
        )
        try:
            act()
        except RefereeError:
            continue
    if rng.random() < 0.6 and bench.game(game).last_counting:
        with suppress(RefereeError):
            undo(bench, game, rng.randint(1, 3), by=By(JUDGE))
    return bench, game


def test_of_what_is_changed_by_whom_the_rule_is_the_same_for_one_and_for_several() -> None:
    asked = Counter[tuple[str, int, str, bool]]()
    for story in range(30):
        bench, id = a_story(random.Random(story))
        game = bench.game(id)
        line = [step.number for step in game.steps[1:] if step.number]
        undone = [item.number for item in reversed(game.undone) if item.number]
        for who, count in product(EVERYBODY, (1, 2, 3)):
            for what, numbers, act in (
                ("undo", line[-count:], undo),
                ("redo", undone[:count], redo),
            ):
                may = allowed(bench, id, who, act, count)
                if may is not None and len(numbers) == count and not game.pending:
                    assert may == may_change(game, numbers, who), (story, what, numbers, who.role)
                    asked[what, count, who.role, may] += 1
        for who in (*EVERYBODY, Author("pother", "seat:B")):
            for name, note in game.notes.items():
                (wrote,) = (entry for entry in game.entries if entry.data is note)
                may = allowed(bench, id, who, remove_note, name)
                own = (wrote.by, wrote.role) == (who.person, who.role)
                assert may == (who in (*JUDGES, SCRIBE) or own), (story, name, who.role)
                asked["note", 1, who.role, bool(may)] += 1
        for who in EVERYBODY:
            for at in line:
                may = allowed(bench, id, who, correct, at)
                if may is not None:
                    ruled = at in game.ruled and game.has_judge
                    assert may == (who in JUDGES or (who == SCRIBE and not ruled))
                    asked["correct", 1, who.role, may] += 1
            for called in game.open_disputes():
                may = allowed(bench, id, who, withdraw, called.id)
                raised = called.cause == "seat" and called.seat is not None
                own = raised and who.seat == called.seat
                by_scribe = called.cause == "seat" and who == SCRIBE
                assert may == (who in JUDGES or own or by_scribe), (story, called, who.role)
                asked["withdraw", 1, who.role, bool(may)] += 1
    for seat in ("seat:A", "seat:B"):
        for what in ("undo", "redo", "note", "withdraw"):
            assert asked[what, 1, seat, True], (what, seat)
            assert asked[what, 1, seat, False], (what, seat)
        assert asked["undo", 2, seat, False] > 5
        assert asked["redo", 2, seat, False] > 2


# tokens


SCOPES = ("", "here", "other", "event", "elsewhere")
"""The whole store, this table, another one, this table's event, another event."""
ROLES = ("organiser", "judge", "scribe", "table", "seat:A", "seat:B", "player", "spectator")


@pytest.fixture
def tables(club: Club) -> tuple[Club, dict[str, str]]:
    scribe = Caller(club.store_context)
    said = {"name": "Cup", "game": "pebbles"}
    at: dict[str, str] = {"": ""}
    for event in ("event", "elsewhere"):
        made = club.post("/tournaments", "organiser", said).json()["data"]
        at[event] = made["tournament"]
    place = f"{at['event']}/r1/t1"
    seats = {"A": "pana", "B": "pbo"}
    bench = club.store_context.bench
    opened = open_game(bench, "pebbles", "table A B first A", seats=seats, tournament=place)
    at["here"] = opened.game.id
    at["other"] = new_table(scribe, "pebbles", "A B first A")
    return club, at


def reaches(scope: str) -> bool:
    return scope in ("", "here", "event")


def as_who(role: str, scope: str) -> str:
    """What a token is at this table: a player of the event their own seat, or only an onlooker."""
    if role == "player":
        return "seat:A" if reaches(scope) else "nobody"
    return role if reaches(scope) else "nobody"


def expected(what: str, role: str, scope: str) -> int:
    who = as_who(role, scope)
    if who == "nobody":
        return 404
    if what == "read":
        return 200
    if who == "spectator":
        return 403
    if what == "log B":
        return 422  # it is not B's turn, whoever says it
    return 403 if who == "seat:B" else 200


def ask(club: Club, game: str, what: str, **as_whom: Any) -> int:
    if what == "read":
        return club.ask("GET", f"/games/{game}/moves", **as_whom).status_code
    bench = club.store_context.bench
    said = {"lines": [f"{what[-1]} take 1"]}
    answered = club.ask("POST", f"/games/{game}/actions", json=said, **as_whom).status_code
    if answered == 200:
        undo(bench, game, by=By(JUDGE))
    return answered


@pytest.mark.parametrize("what", ["read", "log A", "log B"])
def test_a_token_may_at_a_table_what_its_role_may_there(
    what: str, tables: tuple[Club, dict[str, str]]
) -> None:
    club, at = tables
    access, found = club.store_context.access, {}
    for role, scope in product(ROLES, SCOPES):
        if (role.startswith("seat") or role == "table") and scope not in ("here", "other"):
            continue  # nobody sits at several tables at once
        if role == "player" and scope not in ("event", "elsewhere"):
            continue
        token, club.tokens[role, scope] = access.give(role, at[scope], "pana")
        want = expected(what, role, scope)
        assert ask(club, at["here"], what, role=role, scope=scope) == want, (role, scope)
        access.revoke(token.id)
        assert ask(club, at["here"], what, role=role, scope=scope) == 401, (role, scope)
        _, club.tokens[role, scope] = access.give(role, at[scope], "pana")
        assert ask(club, at["here"], what, role=role, scope=scope) == want, "given anew"
        found[role, scope] = want
    assert 404 in found.values()
    assert {*found.values()} - {404}


HELD = (
    ("organiser", ""), ("judge", ""), ("scribe", "here"), ("table", "here"), ("seat:A", "here"),
    ("seat:B", "other"), ("spectator", "other"), ("organiser", "event"), ("player", "event"),
    ("judge", "elsewhere"), ("player", "elsewhere"),
)  # fmt: skip
SHARE = 11
"""Each operation is asked by one of so many parts of the pairs, the next one by the next."""
Asked = tuple[str, dict[str, str]]


def as_asked(control: AccessControl, asked: Asked, *tokens: str) -> tuple[object, ...]:
    """As whom a device with these roles asks; or why it may not."""
    name, path = asked
    sent = HttpRequest("GET", path, (), {}, {COOKIE: as_cookie([*tokens])}, b"", "x", False)
    role = role_for(control, sent)
    assert role is not None
    try:
        caller = control.caller(role, name, path, Voice())
    except MessageError as refused:
        return role.id, refused.key
    return role.id, caller.author, caller.scope, caller.token


def test_a_device_with_two_roles_asks_in_the_first_that_reaches_and_as_it_would_alone(
    tables: tuple[Club, dict[str, str]],
) -> None:
    """Of every operation, in either order, behind one that has ended: a role that reaches it by its
    scope, else one of a table there, else the first."""
    club, at = tables
    control = club.client.app.state.service.access_control  # type: ignore[attr-defined]
    access = club.store_context.access
    gone, ended = access.give("organiser", "", "pgone")
    access.revoke(gone.id)
    given = {held: access.give(held[0], at[held[1]], "pana")[1] for held in HELD}
    names = {"game": at["here"], "tournament": at["event"]}
    reached = Counter[str]()
    pairs = [*permutations(HELD, 2)]
    for number, route in enumerate((*STREAMS, *routes())):
        path = {name: names.get(name, "1") for name in re.findall(r"{(\w+)}", route.path)}
        nearest: list[tuple[str, ...]] = []
        if "game" in path:
            nearest = [("", "here", "event")]
        elif "tournament" in path:
            nearest = [("", "event"), ("here",)]
        for pair in pairs[number % SHARE :: SHARE]:
            found = as_asked(control, (route.name, path), ended, *(given[held] for held in pair))
            on_table = [held for held in pair if held == ("table", "here") and "game" in path]
            fits = [held for scopes in nearest for held in pair if held[1] in scopes]
            chosen = next(iter([*on_table, *fits, *pair]))
            alone = as_asked(control, (route.name, path), given[chosen])
            assert found == alone, (route.name, pair)
            reached["first" if chosen == pair[0] else "second"] += 1
    assert min(reached.values()) > 500
