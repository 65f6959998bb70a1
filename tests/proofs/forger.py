"""A forger: takes a valid record, changes anything in it, and computes every hash anew."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from engines.kernel.registry import load_engine
from referee.judging.disputes import dispute
from referee.judging.rulings import Decision, issue, penalise
from referee.proof.commitments import Keep, open_value, seal_value
from referee.store.canonical_json import canonical
from referee.store.envelopes import Stored
from referee.store.hash_chain import topic_of
from referee.table.adjustments import adjust
from referee.table.author import JUDGE, Author, By
from referee.table.bench import Bench
from referee.table.corrections import redo, undo
from referee.table.lifecycle import close, hold, reopen, resume
from referee.table.notes import Annotation, annotate, remove_note
from referee.table.openings import open_game
from referee.table.play import log
from tests.playing import open_game as open_table
from tests.playing import play_on, restated, tables_of
from tests.record.conftest import make_bench
from tests.record.test_verify import rechained

Body = dict[str, Any]
Place = tuple[str | int, ...]


class Forgery(NamedTuple):
    how: str
    """``changed``, ``left out``, ``twice``, ``swapped`` or ``put in``."""
    kind: str
    """The kind of the entry."""
    place: str
    """Where in the entry: numbers and names of components are left out."""
    bodies: list[Body]

    def rows(self, stream: str) -> list[Stored]:
        """The record as it would be stored, hashes and all."""
        return rechained(
            [Stored(stream, 0, topic_of(body), canonical(body)) for body in self.bodies]
        )


def valid_record(game: str, actions: int, keep: Keep) -> tuple[Bench, str]:
    """A record of a random game in which a table and a judge do what they can do."""
    rng = random.Random(f"forged {game}")
    tables = tables_of(game)
    setup = next(iter(tables.SETUPS))
    engine = load_engine(game)
    lines = [t for line in tables.SETUPS[setup](rng) for t in engine.notation.split(line)]
    played = open_table(engine, lines)
    for _ in islice(play_on(played, rng, 10_000), actions):
        pass
    bench = make_bench()
    seats = dict.fromkeys(played.setting.seats, "pana")
    table = open_game(bench, game, lines[0], seats=seats, title="Forged").game.id
    for action in played.actions:
        log(bench, table, action)
    _everything_else(bench, table, keep, played.setting.seats[0])
    return bench, table


def _everything_else(bench: Bench, table: str, keep: Keep, seat: str) -> None:
    game = bench.game(table)
    last, clause = game.last_number, next(iter(game.engine.clauses))
    at_seat = Author("pana", f"seat:{seat}")
    undo(bench, table)
    redo(bench, table)
    annotate(bench, table, last, Annotation("sharp", glyphs=("good",), clauses=(clause,)))
    annotate(bench, table, last, Annotation("gone"), by=By(at_seat))
    remove_note(bench, table, "n2", by=By(at_seat))
    hold(bench, table, reason="tea")
    resume(bench, table)
    seal_value(bench, table, keep, seat, "note", ["seven"], by=By(at_seat))
    seal = bench.game(table).seals["s1"]
    secret = keep.get(table, seal.digest)
    assert secret is not None
    open_value(bench, table, "s1", secret, by=By(at_seat))
    now = bench.game(table)
    adjust(bench, table, restated(now.engine, now.setting, now.state), "looked again")
    dispute(bench, table, last, text="was that so?", seat=seat, clause=clause, by=By(at_seat))
    issue(bench, table, Decision("it was not", "taken_back", dispute="d1"), by=By(JUDGE))
    penalise(bench, table, seat, "warning", "slow", by=By(JUDGE))
    close(bench, table, reason="supper", by=By(JUDGE))
    reopen(bench, table, reason="after supper", by=By(JUDGE))
    close(bench, table, reason="bed", by=By(JUDGE))


def forgeries(rows: tuple[Stored, ...], seed: str, count: int) -> Iterator[Forgery]:
    """So many records that are not the honest one."""
    honest = [json.loads(row.body) for row in rows]
    rng = random.Random(seed)
    made = 0
    while made < count:
        forgery = _forged(copy.deepcopy(honest), rng)
        if forgery is not None and forgery.bodies != honest:
            made += 1
            yield forgery


def _forged(bodies: list[Body], rng: random.Random) -> Forgery | None:
    seq = rng.randrange(len(bodies)) if rng.random() < 0.85 else 0
    kind = bodies[seq]["kind"]
    how = rng.choices(("changed", "left out", "twice", "swapped", "put in"), (80, 5, 5, 5, 5))[0]
    if how == "changed":
        place = _change(bodies[seq], rng)
        return Forgery(how, kind, place, bodies) if place else None
    if how == "left out" and seq:
        del bodies[seq]
    elif how == "twice" and seq:
        bodies.insert(seq, {**copy.deepcopy(bodies[seq]), "key": "twice"})
    elif how == "swapped" and 0 < seq < len(bodies) - 1:
        bodies[seq : seq + 2] = bodies[seq + 1], bodies[seq]
    elif how == "put in" and seq:
        other = rng.randrange(1, len(bodies))
        kind = bodies[other]["kind"]
        bodies.insert(seq, {**copy.deepcopy(bodies[other]), "key": "put in"})
    else:
        return None
    return Forgery(how, kind, "", bodies)


def _change(body: Body, rng: random.Random) -> str:
    """Change one thing somewhere in an entry; says where. What chains it is computed anew."""
    envelope = ("at", "by", "role", "key", "kind", "schema")
    if rng.random() < 0.3:
        name = rng.choice(envelope)
        body[name] = _other(body[name], rng, name)
        return name
    field = rng.choice(sorted(body["data"])) if body["data"] else ""
    places = [place for place in _leaves(body["data"]) if place[:1] == (field,)]
    if not places:
        return ""
    place = rng.choice(places)
    inside = body["data"]
    for step in place[:-1]:
        inside = inside[step]
    if isinstance(inside, dict) and rng.random() < 0.15:
        del inside[place[-1]]
    else:
        inside[place[-1]] = _other(inside[place[-1]], rng, str(place[-1]))
    return ".".join(["data", *(str(step) for step in place if isinstance(step, str))])


def _leaves(value: Any, place: Place = ()) -> Iterator[Place]:
    if isinstance(value, dict) and value:
        for name, part in value.items():
            yield from _leaves(part, (*place, name))
    elif isinstance(value, list) and value:
        for index, part in enumerate(value):
            yield from _leaves(part, (*place, index))
    else:
        yield place


_ROLES = ("scribe", "judge", "organiser", "seat:A", "seat:B", "seat:H")
_TIMES = ("2019-01-01T12:00:00.000Z", "2026-01-01T12:00:00.500Z", "2027-01-01T12:00:00.000Z")


def _other(value: Any, rng: random.Random, name: str) -> Any:
    """Something else that looks alike."""
    if name == "role":
        return rng.choice(_ROLES)
    if name == "at":
        return rng.choice(_TIMES)
    if name == "by":
        return "pmallory"
    if name == "kind":
        return rng.choice(("held", "resumed", "closed", "noted", "ruled"))
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 100))
    if isinstance(value, str):
        return rng.choice((value + "x", value[:-1] or "x", value[::-1] or "x", "A", "B", "1.0"))
    if value is None:
        return rng.choice((0, "A", []))
    return rng.choice((None, [], {}, ["x"], {"x": 1}))
