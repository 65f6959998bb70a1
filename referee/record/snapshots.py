"""Snapshots: the cached fold of a long record, so that it need not be folded from its start.

A snapshot belongs to one place of one record: it names the head there, the engine, and a digest of
the rules by which it was judged. If any of these differs, it is ignored. It holds the last steps;
what lies further back is folded on demand, and then compared with it. A snapshot is only a cache:
it proves nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import chain
from json import dumps
from pathlib import Path
from threading import RLock
from typing import Any

from msgspec.structs import asdict
from pydantic_core import from_json

from engines.kernel import Engine, Finding, KitSheet, Setting
from engines.kernel.registry import load_engine
from referee.record.clocks import Clock
from referee.record.entries import Entry, EntryData, Opened, read_entry
from referee.record.fold import apply_all, start_game
from referee.record.game import Game
from referee.record.lazy import LazyChunk, LazyEntries, LazyMapping, lazy_entries
from referee.record.line import ClaimsAndFindings, DeferredSteps, JudgedItem, claims_in, numbers_in
from referee.record.persistent_vector import CHUNK, PersistentVector
from referee.record.snapshot_codec import NotPortable, decode, encode
from referee.store.canonical_json import digest
from referee.store.envelopes import Stored, StoreError

_log = logging.getLogger("referee.record")
_log.addHandler(logging.NullHandler())  # a service shows it; a command line stays quiet

FORMAT = 5
_KEPT = (
    "seats",
    "holder",
    "has_judge",
    "settled",
    "ruled",
    "ordered_at",
    "overturned",
    "joined",
    "last_number",
    "notes_made",
    "pending",
    "undone",
)
"""Fields that are encoded as they are."""
_TOLD = (
    "disputes",
    "rulings",
    "penalties",
    "cancelled",
    "confirmed",
    "seals",
    "unsealed",
    "notes",
    "photos",
    "photos_erased",
)
"""Fields that hold data of entries: only the sequence numbers are written, not the data."""


def snapshot(game: Game) -> bytes:
    """Serialize a game; raises ``NotPortable`` if it holds something that cannot be encoded."""
    body = dumps(_body(game), ensure_ascii=False, separators=(",", ":")).encode()
    content = dumps(_name(game.id, game.engine, game.version, game.head)).encode() + b"\n" + body
    return digest(content).encode() + b"\n" + content


def resumed(game_id: str, rows: Sequence[Stored], content: bytes) -> tuple[Game, int] | None:
    """The game of a record, resumed from a snapshot, and the entry of the snapshot.

    None if the snapshot is damaged or belongs to another record, engine or rules.
    """
    check, _, rest = content.partition(b"\n")
    if check != digest(rest).encode():
        return None
    name, _, body = rest.partition(b"\n")
    try:
        opened = read_entry(rows[0]).data
        assert isinstance(opened, Opened)
        engine = load_engine(opened.game)
        seq = from_json(name)["seq"]
        if from_json(name) != _name(game_id, engine, seq, rows[seq].head):
            return None
        game = _Resuming(game_id, engine, rows, seq).game(from_json(body))
        return apply_all(game, map(read_entry, rows[seq + 1 :])).game, seq
    except Exception:  # whatever is wrong with it, the record is folded instead
        _log.warning("snapshot of %s cannot be used", game_id, exc_info=True)
        return None


def _name(game_id: str, engine: Engine[Any, Any], seq: int, head: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "game": game_id,
        "seq": seq,
        "head": head,
        "engine": engine.id,
        "version": engine.version,
        "rules": _rules(engine.package),
    }


@cache
def _rules(package: str) -> str:
    """A digest of all code and data that judging depends on: it changes with every edited rule."""
    names = (package, "engines.kernel", __package__ or "")
    specs = [find_spec(name) for name in names]
    folders = [Path(spec.origin).parent for spec in specs if spec is not None and spec.origin]
    found = [file for folder in folders for end in ("*.py", "*.toml") for file in folder.rglob(end)]
    if len(folders) < len(names) or not found:
        raise NotPortable(package)
    return digest(b"".join(digest(file.read_bytes()).encode() for file in sorted(found)))


# writing


def _body(game: Game) -> dict[str, Any]:
    if game.partial or game.foreseen is not None:
        raise NotPortable(game.id)
    parts = game.steps.parts[: max(0, len(game.steps) - CHUNK) // CHUNK]
    seqs = {id(entry.data): entry.seq for entry in _looked_at(game)}
    settings: list[Setting[Any]] = []
    steps = [
        (step.item, step.state, _setting_of(game, step, settings), step.verdict, step.stages)
        for step in (game.steps[0], *game.steps[len(parts) * CHUNK :])
    ]
    kept = {
        **{name: getattr(game, name) for name in _KEPT},
        "steps": steps,
        "settings": [(one.readings, one.house_rules, one.seats) for one in settings],
        "sheet": game.sheet.content if game.sheet.content != game.opened.kit else None,
        "clock": game.clock and {**asdict(game.clock), "rule": _seq(seqs, game.clock.rule)},
    }
    told = {
        name: {key: _seq(seqs, data) for key, data in getattr(game, name).items()} for name in _TOLD
    }
    return {
        "numbers": list(chain.from_iterable(map(numbers_in, parts))),
        "claims": [[_without_facts(one) for one in claims_in(part)] for part in parts],
        "gone": list(game.gone),
        "told": told,
        "held": _seq(seqs, game.held),
        "closed": _seq(seqs, game.closed),
        "kept": encode(kept),
    }


def _looked_at(game: Game) -> Iterable[Entry]:
    """The parsed entries: nothing in a game can refer to others."""
    for part in game.entries.parts:
        yield from part.looked_at if isinstance(part, LazyEntries) else part


def _seq(seqs: dict[int, int], data: EntryData | None) -> Any:
    if data is None:
        return None
    if id(data) not in seqs:
        raise NotPortable(data.KIND)
    return seqs[id(data)]


def _setting_of(game: Game, step: JudgedItem, known: list[Setting[Any]]) -> int:
    """Intern the setting of a step: its index among those known. Settings differ in readings."""
    for place, setting in enumerate(known):
        if setting is step.setting:
            return place
    if step.setting.sheet != game.sheet:
        raise NotPortable(game.id)
    known.append(step.setting)
    return len(known) - 1


def _without_facts(said: ClaimsAndFindings) -> tuple[Any, ...]:
    findings = [(found.status, found.clause, found.entries) for found in said.findings]
    return (said.number, said.claims, findings)


# reading


class DeferredFold:
    """The game up to a snapshot, folded on first access."""

    def __init__(self, folded: Callable[[], Game]) -> None:
        self._folded = folded
        self._game: Game | None = None
        self._lock = RLock()

    @property
    def game(self) -> Game:
        with self._lock:
            if self._game is None:
                self._game = self._folded()
            return self._game


class LazySteps(LazyChunk[JudgedItem], DeferredSteps):
    """Lazy steps: numbers and claims come from the snapshot, the rest is folded on access.

    The very first step, the opening, is complete in the snapshot.
    """

    __slots__ = ("_early", "_first", "_place", "numbers", "said")

    def __init__(
        self,
        early: DeferredFold,
        place: int,
        numbers: Sequence[int | None],
        said: Sequence[ClaimsAndFindings],
        first: JudgedItem | None = None,
    ) -> None:
        self._early = early
        self._place = place
        self._first = first
        self.numbers = numbers
        self.said = said

    def _made(self) -> Sequence[JudgedItem]:
        return self._early.game.steps.parts[self._place]

    def _one(self, place: int) -> JudgedItem:
        if place == 0 and self._first is not None:
            return self._first
        return self._made()[place]


class _Resuming:
    def __init__(
        self, game_id: str, engine: Engine[Any, Any], rows: Sequence[Stored], seq: int
    ) -> None:
        self.id = game_id
        self.engine = engine
        self.seq = seq
        self.entries = lazy_entries(rows, seq + 1)

    def game(self, body: dict[str, Any]) -> Game:
        packages = ("engines.kernel", self.engine.package, "referee.record.line")
        kept = decode(body["kept"], packages)
        opened = self.entries[0].data
        assert isinstance(opened, Opened)
        sheet = KitSheet(opened.kit if kept["sheet"] is None else kept["sheet"])
        kit = self.engine.read_kit(sheet)
        settings = [
            Setting(kit, readings, house_rules, sheet, seats, opened.engine_version)
            for readings, house_rules, seats in kept["settings"]
        ]
        first, *tail = [
            JudgedItem(item, state, settings[place], verdict, stages)
            for item, state, place, verdict, stages in kept["steps"]
        ]
        early = DeferredFold(lambda: self._folded(tail))
        told: dict[str, Any] = {
            name: {key: self._said(seq) for key, seq in body["told"][name].items()}
            for name in _TOLD
        }
        return Game(
            self.id,
            self.engine,
            opened,
            sheet,
            entries=self.entries,
            steps=PersistentVector.behind(_lazy_steps(early, body, first), tail),
            gone=LazyMapping(dict.fromkeys(body["gone"]), lambda number: early.game.gone[number]),
            held=self._said(body["held"]),
            closed=self._said(body["closed"]),
            clock=self._clock(kept["clock"]),
            **{name: kept[name] for name in _KEPT},
            **told,
        )

    def _said(self, seq: int | None) -> Any:
        return None if seq is None else self.entries[seq].data

    def _clock(self, kept: dict[str, Any] | None) -> Clock | None:
        return None if kept is None else Clock(**{**kept, "rule": self._said(kept["rule"])})

    def _folded(self, tail: Sequence[JudgedItem]) -> Game:
        """The game as its entries tell it, which a snapshot must not tell otherwise."""
        upto = self.entries
        game = apply_all(start_game(self.id, upto[0]), upto[1:]).game
        if game.steps[len(game.steps) - len(tail) :] != tuple(tail):
            raise StoreError("snapshot_differs", stream=self.id)
        return game


def _lazy_steps(
    early: DeferredFold, body: dict[str, Any], first: JudgedItem
) -> Iterable[LazySteps]:
    numbers = body["numbers"]
    if len(numbers) != CHUNK * len(body["claims"]):
        raise ValueError(len(numbers))
    for place, claims in enumerate(body["claims"]):
        own = numbers[place * CHUNK : (place + 1) * CHUNK]
        yield LazySteps(
            early, place, own, list(map(_claims_and_findings, claims)), None if place else first
        )


def _claims_and_findings(data: Any) -> ClaimsAndFindings:
    number, clauses, findings = data
    return ClaimsAndFindings(
        number,
        tuple(clauses),
        tuple(Finding(status, clause, tuple(of), {}) for status, clause, of in findings),
    )
