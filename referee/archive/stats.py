"""Statistics over many records: clauses, seats, turn order, players, durations, positions.

A projection with its own position in the log. It notes which games have changed; their facts are
worked out when somebody asks, so that a second look only adds up rows.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import add
from pathlib import Path
from statistics import fmean, median
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from weakref import WeakKeyDictionary

import msgspec

from engines.kernel import Opening, ParseError, Result
from engines.kernel.dialogue.clause_text import weighed
from engines.kernel.registry import load_engine
from referee.archive.reached import ReachedPosition, reached_positions
from referee.archive.read_models import SCHEMAS
from referee.record.game import Game
from referee.record.history import history
from referee.record.line import JudgedItem
from referee.store.canonical_json import canonical, digest
from referee.store.derived.projections import Projections, Statement, local_path, read_model
from referee.store.envelopes import Stored
from referee.store.event_store import Store

if TYPE_CHECKING:
    from sqlite_utils import Database

By = Literal["seat", "turn", "opening", "player", "table"]
"""What results are compared by; a table that plays together has one result."""
Trait = Literal["players", "first", "variant", "reading", "box"]
"""What games are sorted by."""
COUNTED = ("consulted", "broken", "undecided", "disputed", "ruled", "overruled")
"""What happens to a clause, from the usual to the rare."""
_SAID_ELSEWHERE = {"verb", "by", "players", "places", "first", "readings", "kit", "removed"}
"""What an opening says besides its variant."""


class Spread(NamedTuple):
    """Minimum, median and maximum."""

    least: float
    median: float
    most: float

    @classmethod
    def of(cls, numbers: Iterable[float]) -> Spread | None:
        found = sorted(numbers)
        return cls(found[0], median(found), found[-1]) if found else None


class SeatFacts(NamedTuple):
    """One seat of a game whose record proves its result."""

    seat: str
    turn: int
    """In which place it plays, from 1."""
    person: str
    opening: str
    """The first decision of the game, at the seat that took it."""
    place: int | None
    shared: bool
    won: bool
    score: int | None


class GameFacts(NamedTuple):
    """What one record adds to the statistics."""

    game: str
    engine: str
    version: str
    """Of the engine that counted."""
    readable: bool = True
    proven: bool = False
    over: bool = False
    together: bool = False
    players: int = 0
    variant: str = ""
    box: str = ""
    readings: dict[str, str] = {}
    clauses: dict[str, Counter[str]] = {}
    seats: tuple[SeatFacts, ...] = ()
    actions: int = 0
    minutes: float = 0
    turns: tuple[int, ...] = ()
    """Actions of each turn."""
    seconds: tuple[float, ...] = ()
    """From the end of a turn to the end of the next one."""
    positions: tuple[ReachedPosition, ...] = ()
    """Of a finished game."""


def facts_of(game: Game, *, proven: bool) -> GameFacts:
    """The facts of a game; its result counts only if its record proves it."""
    opening = game.steps[0].action
    assert isinstance(opening, Opening)
    facts = GameFacts(
        game.id,
        game.engine.id,
        game.engine.version,
        players=len(game.setting.seats),
        variant=_variant(opening),
        box=str(game.opened.kit.get("kit", "")),
        readings=dict(game.setting.readings),
        clauses=clause_counts(game),
        positions=reached_positions(game),
    )
    result = game.engine.result(game.state)
    if game.closed is None or result is None:
        return facts
    turns, seconds = _turns(game)
    facts = facts._replace(
        over=True,
        together=result.won is not None,
        actions=len(game.numbers()),
        minutes=(_at(game, -1) - _at(game, 0)).total_seconds() / 60,
        turns=turns,
        seconds=seconds,
    )
    if not proven:
        return facts
    return facts._replace(proven=True, seats=tuple(_seats(game, opening, result)))


def _variant(opening: Opening) -> str:
    """What was chosen before play besides seats, readings and box, in the words of its line."""
    said = opening.model_dump(mode="json", exclude_defaults=True, exclude=_SAID_ELSEWHERE)
    return " ".join(
        name if value is True else f"{name} {_words(value)}" for name, value in said.items()
    )


def _words(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _seats(game: Game, opening: Opening, result: Result) -> Iterator[SeatFacts]:
    seats = list(game.setting.seats)
    first = next(_decisions(game.steps), None)
    decided = first.action.by if first is not None and first.action is not None else None
    begins = opening.begins or decided or seats[0]
    start = seats.index(begins) if begins in seats else 0
    said = ""
    if first is not None and first.action is not None:
        said = game.engine.text(first.action).removeprefix(f"{decided} ")
    for index, seat in enumerate(seats):
        place, shared, won = None, False, bool(result.won)
        if result.won is None:
            place, tied = next((p, some) for p, some in result.numbered if seat in some)
            won, shared = place == 1, place == 1 and len(tied) > 1
        yield SeatFacts(
            seat,
            (index - start) % len(seats) + 1,
            game.seats.get(seat, ""),
            said if seat == decided else "",
            place,
            shared,
            won,
            result.scores.get(seat),
        )


def _turns(game: Game) -> tuple[tuple[int, ...], tuple[float, ...]]:
    turns: list[int] = []
    seconds: list[float] = []
    ended = None
    for _, turn in groupby(_decisions(game.steps), lambda step: step.action and step.action.by):
        steps = list(turn)
        turns.append(len(steps))
        now = _at(game, steps[-1].item.seq)
        if ended is not None and now >= ended:
            seconds.append((now - ended).total_seconds())
        ended = now
    return tuple(turns), tuple(seconds)


def _at(game: Game, seq: int) -> datetime:
    return datetime.fromisoformat(game.entries[seq].at)


def _decisions(steps: Iterable[JudgedItem]) -> Iterator[JudgedItem]:
    """The steps that a player chose; observations are left out."""
    return (
        step
        for step in steps
        if step.action is not None and step.action.by is not None and not step.action.observes
    )


def clause_counts(game: Game) -> dict[str, Counter[str]]:
    """How often each of ``COUNTED`` happened to the clauses of a game."""
    clauses: dict[str, Counter[str]] = {}
    for clause, what in _of_clauses(game):
        clauses.setdefault(clause, Counter())[what] += 1
    return clauses


def _of_clauses(game: Game) -> Iterator[tuple[str, str]]:
    """What happened to which clause; an action counts once for each."""
    steps = [*game.steps, *(stood.after for stood in game.gone.values())]
    for step in steps:
        verdict = step.verdict
        asked = {one.clause for one, _ in weighed(verdict)}
        proven = {found.clause for found in verdict.findings if found.status == "broken"}
        broken = {point.clause for point in verdict.breaches} | proven
        open_still = {point.clause for point in verdict.claims}
        for what, found in (("consulted", asked), ("broken", broken), ("undecided", open_still)):
            yield from ((clause, what) for clause in found)
    cited = {line.number: line.clauses for line in history(game)}
    for dispute in game.disputes.values():
        about = [dispute.clause] if dispute.clause else _cited(dispute.numbers, cited)
        yield from ((clause, "disputed") for clause in about)
    for ruling in game.rulings.values():
        for clause in ruling.clauses or _cited(ruling.numbers, cited):
            yield clause, "ruled"
            if ruling.id in game.overturned:
                yield clause, "overruled"


def _cited(numbers: Iterable[int], cited: Any) -> list[str]:
    return list(dict.fromkeys(clause for number in numbers for clause in cited.get(number, ())))


# the projection


def _create_stats(db: Database) -> None:
    db.table("touched").create({"game": str, "seq": int}, pk="game", strict=True)
    db.table("counted").create(
        {
            "game": str, "engine": str, "version": str, "readable": int, "proven": int,
            "over": int, "together": int, "players": int, "variant": str, "box": str,
            "actions": int, "minutes": float, "turns": str, "seconds": str, "readings": str,
            "clauses": str,
        },
        pk="game",
        strict=True,
    )  # fmt: skip
    db.table("seats").create(
        {
            "game": str, "engine": str, "players": int, "together": int, "seat": str, "turn": int,
            "person": str, "opening": str, "place": int, "shared": int, "won": int, "score": int,
        },
        pk=("game", "seat"),
        strict=True,
    )  # fmt: skip
    db.execute(
        "CREATE TABLE reached (key INTEGER, game TEXT, number INTEGER, following TEXT, "
        "PRIMARY KEY (key, game, number)) STRICT, WITHOUT ROWID"
    )
    db.table("reached").create_index(["game"])
    db.table("summed").create({"key": str, "content": bytes}, pk="key", strict=True)


@read_model(version=4, create=_create_stats)
def stats(db: Database, stored: Stored, body: dict[str, Any]) -> None:
    """One row a game that has changed since it was counted."""
    if stored.stream.startswith("game-"):
        db.execute("INSERT OR REPLACE INTO touched VALUES (?, ?)", (stored.stream, stored.seq))


def stats_path(url: str) -> Path | None:
    """The file of the statistics of a store; ``None``, in memory, if the store is in memory."""
    return local_path(url, "stats")


def _version_of(engine: str) -> str | None:
    """Today's version of an engine; None if it is not installed."""
    try:
        return load_engine(engine).version
    except ParseError:
        return None


_FORGET: Statement = ("DELETE FROM summed", ())
_KEPT = 200
"""So many selections are remembered until a game changes."""


class StatsTables:
    """The facts of many games as tables, and sums over any selection of them."""

    def __init__(self, path: Path | None) -> None:
        self._tables = Projections(path, [stats], SCHEMAS)
        self._lock = Lock()

    def catch_up(self, store: Store) -> list[tuple[str, int]]:
        """The games to be counted: changed since, or counted by another version of their engine."""
        self._tables.catch_up(store)
        known = self._tables.rows("SELECT DISTINCT engine, version FROM counted")
        for engine, version in ((row["engine"], row["version"]) for row in known):
            if not version or _version_of(engine) != version:
                again = (
                    "INSERT OR IGNORE INTO touched SELECT game, -1 FROM counted "
                    "WHERE engine = ? AND version = ?"
                )
                self._tables.write([(again, (engine, version))])
        rows = self._tables.rows("SELECT game, seq FROM touched ORDER BY game")
        return [(row["game"], row["seq"]) for row in rows]

    def rebuild(self) -> None:
        self._tables.rebuild()

    def take(self, facts: GameFacts, seq: int) -> None:
        """Put the facts of a game in place of the earlier ones."""
        unread = "SELECT game FROM counted WHERE game = ? AND NOT readable"
        if not facts.readable and self._tables.rows(unread, (facts.game,)):
            return  # looked at again with every question, until it is mended
        self._tables.write([*_statements(facts, seq)])

    def close(self) -> None:
        self._tables.close()

    def sums(
        self, games: Callable[[], Sequence[str]], wanted: Traits, chosen_by: object = None
    ) -> Sums:
        """What these games say together, those of them that have these traits.

        Where the log alone decides which games they are, ``chosen_by`` says how, and a second look
        at the same log does not even list them: that would take longer than everything else.
        """
        chosen = None if chosen_by is not None else games()
        by = [self._tables.taken(), chosen_by] if chosen is None else sorted(chosen)
        key = digest(canonical([by, wanted._asdict()]))
        with self._lock:
            for row in self._tables.rows("SELECT content FROM summed WHERE key = ?", (key,)):
                return msgspec.json.decode(row["content"], type=Sums)
            self._choose(games() if chosen is None else chosen, wanted)
            sums = self._sums()
            if self._tables.rows("SELECT COUNT(*) AS kept FROM summed")[0]["kept"] >= _KEPT:
                self._tables.write([_FORGET])
            keep = "INSERT OR REPLACE INTO summed VALUES (?, ?)"
            self._tables.write([(keep, (key, msgspec.json.encode(sums)))])
            return sums

    def reached(self, key: int) -> dict[str, ReachedPosition]:
        """The finished games that reached a position, and when each did first."""
        rows = self._tables.rows("SELECT * FROM reached WHERE key = ? ORDER BY number DESC", (key,))
        return {row["game"]: ReachedPosition(key, row["number"], row["following"]) for row in rows}

    def _choose(self, games: Sequence[str], wanted: Traits) -> None:
        chosen: list[Statement] = [
            ("CREATE TEMP TABLE IF NOT EXISTS chosen (game TEXT PRIMARY KEY) STRICT", ()),
            ("DELETE FROM chosen", ()),
            (
                "INSERT INTO chosen SELECT game FROM counted "
                "WHERE game IN (SELECT value FROM json_each(?))",
                (json.dumps(games),),
            ),
        ]
        for column in ("players", "variant", "box"):
            if (value := getattr(wanted, column)) is not None:
                out = f"DELETE FROM chosen WHERE game NOT IN (SELECT game FROM counted WHERE {column} = ?)"  # noqa: E501 (columns of our own)
                chosen.append((out, (value,)))
        for reading, value in wanted.readings.items():
            out = (
                "DELETE FROM chosen WHERE game NOT IN "
                "(SELECT game FROM counted, json_each(readings) WHERE key = ? AND value = ?)"
            )
            chosen.append((out, (reading, value)))
        self._tables.write(chosen)

    def _sums(self) -> Sums:
        rows = self._tables.rows
        totals = rows(
            "SELECT COALESCE(SUM(readable), 0) AS games, COALESCE(SUM(proven), 0) AS proven "
            "FROM counted JOIN chosen USING (game)"
        )[0]
        unread = rows("SELECT game FROM counted JOIN chosen USING (game) WHERE NOT readable")
        return Sums(
            totals["games"],
            totals["proven"],
            [row["game"] for row in unread],
            self._clauses(),
            [*self._standings()],
            [*self._groups(), *self._readings()],
            [*self._lengths()],
        )

    def _clauses(self) -> list[dict[str, Any]]:
        """Added up here: SQLite takes ten times as long to sort so many small rows."""
        sums: dict[tuple[str, str], list[int]] = {}
        for row in self._tables.rows(
            "SELECT engine, clauses FROM counted JOIN chosen USING (game)"
        ):
            for clause, counts in msgspec.json.decode(row["clauses"]).items():
                found = sums.setdefault((row["engine"], clause), [0] * len(COUNTED))
                found[:] = map(add, found, counts)
        return [
            {"engine": engine, "clause": clause, **dict(zip(COUNTED, counts, strict=True))}
            for (engine, clause), counts in sums.items()
        ]

    def _standings(self) -> Iterator[dict[str, Any]]:
        sums = (
            "COUNT(*) AS games, SUM(won) AS won, SUM(shared) AS shared, AVG(place) AS place, "
            "AVG(score) AS score, MIN(score) AS least, MAX(score) AS most "
            "FROM seats JOIN chosen USING (game)"
        )
        for by, name, where, grouped in (
            ("seat", "seat", "NOT together", "engine, players, seat"),
            ("turn", "CAST(turn AS TEXT)", "NOT together", "engine, players, turn"),
            ("table", "''", "together AND turn = 1", "engine, players"),
            ("opening", "opening", "opening != ''", "engine, players, opening"),
            ("player", "person", "person != ''", "engine, players, person"),
        ):
            yield from self._tables.rows(
                f"SELECT '{by}' AS by, engine, players, {name} AS name, {sums} "
                f"WHERE {where} GROUP BY {grouped}"
            )

    def _groups(self) -> Iterator[dict[str, Any]]:
        """Games by one of their traits; won: by whoever began, or by the table together."""
        sums = (
            "COUNT(*) AS games, SUM(won) AS won, MAX(together) AS together, "
            "AVG(counted.minutes) AS minutes FROM counted JOIN chosen USING (game) "
            "JOIN (SELECT game, won, seat AS first FROM seats WHERE turn = 1) USING (game)"
        )
        for trait, name in (
            ("players", "CAST(players AS TEXT)"),
            ("first", "first"),
            ("variant", "variant"),
            ("box", "box"),
        ):
            yield from self._tables.rows(
                f"SELECT '{trait}' AS by, engine, players, {name} AS name, {sums} "
                "WHERE proven GROUP BY 2, 3, 4"
            )

    def _readings(self) -> Iterator[dict[str, Any]]:
        found: dict[tuple[str, int, str], list[dict[str, Any]]] = {}
        for row in self._tables.rows(
            "SELECT counted.engine, counted.players, readings, won, counted.together, minutes "
            "FROM counted "
            "JOIN chosen USING (game) JOIN seats USING (game) WHERE turn = 1"
        ):
            for reading, value in msgspec.json.decode(row["readings"]).items():
                kind = (row["engine"], row["players"], f"{reading}={value}")
                found.setdefault(kind, []).append(row)
        for (engine, players, name), rows in sorted(found.items()):
            yield {
                "by": "reading",
                "engine": engine,
                "players": players,
                "name": name,
                "games": len(rows),
                "won": sum(row["won"] for row in rows),
                "together": max(row["together"] for row in rows),
                "minutes": fmean(row["minutes"] for row in rows),
            }

    def _lengths(self) -> Iterator[tuple[str, int, Lengths]]:
        rows = self._tables.rows(
            "SELECT engine, players, actions, minutes, turns, seconds "
            "FROM counted JOIN chosen USING (game) WHERE over ORDER BY engine, players"
        )
        for kind, games in groupby(rows, lambda row: (str(row["engine"]), int(row["players"]))):
            some = list(games)
            yield (
                *kind,
                Lengths(
                    len(some),
                    Spread.of(row["actions"] for row in some),
                    Spread.of(row["minutes"] for row in some),
                    Spread.of(n for row in some for n in json.loads(row["turns"])),
                    Spread.of(n for row in some for n in json.loads(row["seconds"])),
                ),
            )


class Traits(NamedTuple):
    """A filter on what was played: None for any."""

    players: int | None = None
    variant: str | None = None
    box: str | None = None
    readings: dict[str, str] = {}


class Lengths(NamedTuple):
    games: int
    actions: Spread | None
    minutes: Spread | None
    turns: Spread | None
    seconds: Spread | None


class Sums(NamedTuple):
    """What the games of a selection say together."""

    games: int
    proven: int
    left_out: list[str]
    """Games that cannot be read."""
    clauses: list[dict[str, Any]]
    standings: list[dict[str, Any]]
    groups: list[dict[str, Any]]
    lengths: list[tuple[str, int, Lengths]]


def _statements(facts: GameFacts, seq: int) -> Iterator[Statement]:
    game, engine = facts.game, facts.engine
    yield _FORGET
    yield "DELETE FROM seats WHERE game = ?", (game,)
    yield "DELETE FROM reached WHERE game = ?", (game,)
    yield (
        f"INSERT OR REPLACE INTO counted VALUES ({', '.join('?' * 16)})",
        (
            game, engine, facts.version, facts.readable, facts.proven, facts.over, facts.together,
            facts.players, facts.variant, facts.box, facts.actions, facts.minutes,
            json.dumps(facts.turns), json.dumps(facts.seconds), json.dumps(facts.readings),
            json.dumps({c: [counts[w] for w in COUNTED] for c, counts in facts.clauses.items()}),
        ),
    )  # fmt: skip
    for one in facts.seats:
        yield (
            "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (game, engine, facts.players, facts.together, *one),
        )
    for at in facts.positions:
        yield "INSERT INTO reached VALUES (?, ?, ?, ?)", (at.key, game, at.number, at.following)
    yield "DELETE FROM touched WHERE game = ? AND seq <= ?", (game, seq)


_IN_MEMORY: WeakKeyDictionary[Store, StatsTables] = WeakKeyDictionary()
"""Of stores in memory, which have no file beside them."""


def open_stats(store: Store) -> StatsTables:
    """The statistics of a store."""
    path = stats_path(store.url)
    if path is not None:
        return StatsTables(path)
    if store not in _IN_MEMORY:
        _IN_MEMORY[store] = StatsTables(None)
    return _IN_MEMORY[store]
