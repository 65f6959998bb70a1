"""Entries that are no actions, as sentences: disputes, rulings, penalties, holds, signatures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from msgspec import Struct

from engines.kernel import Engine, Rearrangement
from engines.kernel.dialogue.clause_text import datum_in_words, reading_in_words
from engines.kernel.messages.catalogue import Catalogue, Language, Phrase, Spoken, Verbatim
from referee.record import entries as kinds
from referee.record.fold import apply, start_game
from referee.record.game import Game
from referee.record.history import line_said
from referee.secrecy.redaction import steps_shown_to

Say = Callable[..., str]


class Happening(Struct, frozen=True):
    """An entry that is no action, and the number of the action before it."""

    kind: str
    after: int
    seq: int
    at: str
    by: str
    text: str
    about: tuple[int, ...] = ()
    """The actions it speaks of."""


class Chronicle:
    """The happenings of one game as sentences in one language."""

    def __init__(
        self,
        game: Game,
        say: Say,
        names: Mapping[str, str],
        rearranged: Mapping[int, Sequence[str]] | None = None,
    ) -> None:
        self.game = game
        self._say = say
        self._names = names
        self._rearranged = rearranged or {}

    def happenings(self) -> Iterator[Happening]:
        last = 0
        for entry in self.game.entries:
            data = entry.data
            if isinstance(data, kinds.Logged | kinds.Adjusted):
                last = data.number
            elif isinstance(data, kinds.Corrected) and data.insert:
                last = data.insert[-1].number
            if (text := self.sentence(entry)) is not None:
                about = _about(self.game, data)
                yield Happening(data.KIND, last, entry.seq, entry.at, entry.by, text, about)

    def sentence(self, entry: kinds.Entry) -> str | None:
        """One entry as a sentence, with its reason; None for actions."""
        key, facts = _facts(self.game, entry.data)
        if key is None:
            return None
        told = self._say(f"happened.{key}", who=self.who(entry), **facts)
        said = (getattr(entry.data, name, "") for name in ("reason", "text", "caption"))
        reason = next(filter(None, said), "")
        told = f"{told} – {reason}" if reason else told
        if moved := self._rearranged.get(entry.seq):
            on_table = self._say("happened.on_table", moved=Verbatim(" · ".join(moved)))
            told = f"{told} – {on_table}"
        return told

    def who(self, entry: kinds.Entry) -> Verbatim:
        """The name, where it may be told, and the role in which somebody spoke."""
        role, _, seat = entry.role.partition(":")
        as_what = self._say(f"role.{role}", seat=Verbatim(seat))
        name = self._names.get(entry.by)
        return Verbatim(f"{name} ({as_what})" if name else as_what)

    # in a summary

    def summary(self) -> Iterator[tuple[str, list[str]]]:
        """By heading, what a judge has decided, and who vouches for the record."""
        game, entries = self.game, self.game.entries
        headings: Mapping[str, Iterable[str]] = {
            "disputes": (self._with_fate(e) for e in entries if isinstance(e.data, kinds.Disputed)),
            "rulings": (self._with_fate(e) for e in entries if isinstance(e.data, kinds.Ruled)),
            "penalties": (
                self._with_fate(e) for e in entries if isinstance(e.data, kinds.Penalised)
            ),
            "pending": (f"#{number}" for number in game.waiting),
            "confirmed": (
                self.sentence(e) or "" for e in entries if isinstance(e.data, kinds.Confirmed)
            ),
            "signatures": (
                self.sentence(e) or "" for e in entries if isinstance(e.data, kinds.Signed)
            ),
        }
        for heading, told in headings.items():
            if lines := list(told):
                yield self._say(f"summary.{heading}"), lines

    def _with_fate(self, entry: kinds.Entry) -> str:
        """What became of a dispute, a ruling or a penalty stands behind it."""
        data, told = entry.data, self.sentence(entry) or ""
        if isinstance(data, kinds.Disputed):
            by = self.game.ended_by(data)
            ended = "open" if by is None else by if by in ("withdrawn", "undone") else "settled"
            return f"{told} ({self._say(f'fate.{ended}', by=Verbatim(by or ''))})"
        if isinstance(data, kinds.Ruled) and (by := self.game.overturned.get(data.id)) is not None:
            return f"{told} ({self._say('fate.overturned', by=Verbatim(by))})"
        if isinstance(data, kinds.Penalised) and data.id in self.game.cancelled:
            return f"{told} ({self._say('fate.cancelled')})"
        return told


def rearrangements(game: Game, view: str) -> dict[int, Rearrangement]:
    """What each change of the line moved on the table, as a view may know it, by its entry.

    While actions wait for a decision nobody moves anything: it is told with the entry that decides.
    """
    if not any(isinstance(entry.data, kinds.CHANGES_THE_LINE) for entry in game.entries):
        return {}
    now = lies = start_game(game.id, game.entries[0])
    found: dict[int, Rearrangement] = {}
    for entry in game.entries[1:]:
        now = apply(now, entry).game
        if now.waiting:
            continue
        was, after = lies.steps.last, now.steps.last
        lies = now
        if isinstance(entry.data, kinds.CHANGES_THE_LINE) and was.state is not after.state:
            was, after = steps_shown_to(now, (was, after), view)
            told = now.engine.rearranged(was.state, after.state, was.setting, after.setting)
            found[entry.seq] = told
    return found


def _facts(game: Game, data: kinds.EntryData) -> tuple[str | None, dict[str, Any]]:
    """Which sentence tells an entry, and with which facts."""
    match data:
        case kinds.Disputed():
            by_a_seat = data.cause == "seat" and data.seat is not None
            facts = {"id": data.id, "actions": numbered(data.numbers), "seat": data.seat}
            key = "disputed_by" if by_a_seat else f"disputed_{data.cause}"
            key = "appealed" if data.appeals is not None else key
            return key, {**facts, "clause": data.clause, "ruling": data.appeals or ""}
        case kinds.DisputeClosed():
            return "dispute_closed", {"id": data.id}
        case kinds.Attended():
            key = "attended_off" if data.off else "attended"
            return (f"{key}_dispute", {"id": data.dispute}) if data.dispute else (key, {})
        case kinds.Ruled():
            return _ruled(game, data)
        case kinds.Penalised():
            return "penalised", {"id": data.id, "seat": data.seat, "level": Verbatim(data.level)}
        case kinds.PenaltyCancelled():
            return "penalty_cancelled", {"id": data.id}
        case kinds.Held() | kinds.Resumed() | kinds.Reopened() | kinds.Closed():
            return data.KIND, {}
        case kinds.ClockSet():
            return _clock_set(data)
        case kinds.ReadingFixed():
            told = reading_in_words(game.engine, data.reading, data.value)
            return "reading_fixed", {"reading": told}
        case kinds.KitDeclared():
            return "kit_declared", datum_in_words(game.engine, data.path, data.value)
        case kinds.Signed():
            return "signed", {"entry": data.seq, "key": Verbatim(data.key[:16])}
        case kinds.Confirmed():
            return "confirmed", {"seat": data.seat, "entry": data.seq}
        case kinds.SealedValue():
            return "sealed", {"id": data.id, "seat": data.seat, "what": data.what}
        case kinds.Unsealed():
            value = json.dumps(data.value, ensure_ascii=False)
            return "unsealed", {"id": data.id, "value": Verbatim(value)}
        case kinds.Photographed():
            key = "photographed_hand" if data.only is not None else "photographed"
            key = f"{key}_dispute" if data.dispute is not None else key
            about = {"id": data.id, "number": data.number, "seat": data.only}
            return key, {**about, "dispute": data.dispute}
        case kinds.Seen():
            key = "seen_confirmed" if data.confirmed else "seen"
            return key, {"actions": numbered(data.numbers)}
        case kinds.PhotoErased():
            return "photo_erased", {"id": data.id}
        case kinds.TakenBack() | kinds.Restored():
            return data.KIND, {"actions": numbered(data.numbers)}
        case kinds.Reinstated():
            facts = {"ruling": data.ruling, "back": numbered(data.back), "out": numbered(data.out)}
            key = "reinstated_opening" if data.opening is not None else "reinstated"
            return key if data.out or data.opening is not None else "reinstated_all", facts
        case kinds.Corrected():
            return "corrected", {"what": tuple(_changes(data))}
    return None, {}


def _changes(data: kinds.Corrected) -> Iterator[Phrase]:
    """What a correction did, without what it did not."""
    put_in = [said.number for said in data.insert]
    for change, numbers in (("out", data.remove), ("put_in", put_in), ("kept", data.keep)):
        if numbers:
            yield Phrase(f"changed.{change}", {"actions": numbered(numbers)})
    if data.seats is not None:
        yield Phrase("changed.seats")


def _clock_set(data: kinds.ClockSet) -> tuple[str, dict[str, Any]]:
    if data.seconds is None:
        key = "clock_set_given" if data.seat is not None else "clock_set_given_all"
        return key, {"seat": data.seat, "seconds": Verbatim(f"{data.given:+d}")}
    if data.seconds == 0:
        return "clock_set_away", {}
    minutes = Verbatim(f"{data.seconds / 60:g}")
    if data.increment:
        return "clock_set_increment", {"minutes": minutes, "seconds": data.increment}
    return f"clock_set_per_{data.per}", {"minutes": minutes}


class Replaced(Struct, Spoken, frozen=True):
    """What a ruling puts in the place of an action, without the words that both share."""

    engine: Engine[Any, Any]
    put: tuple[str, ...]
    was: tuple[str, ...]

    def said(self, words: Catalogue, lang: Language) -> str:
        put, was = (self._told(lines, words, lang) for lines in (self.put, self.was))
        alike = takewhile(lambda pair: pair[0] == pair[1], zip(put, was, strict=False))
        same = len(list(alike))
        if 0 < same < min(len(put), len(was)):
            put, was = put[same:], was[same:]
        facts = {"put": Verbatim(" ".join(put)), "was": Verbatim(" ".join(was))}
        return words.say("happened.instead", lang, **facts)

    def _told(self, lines: tuple[str, ...], words: Catalogue, lang: Language) -> list[str]:
        told = (self.engine.text.tell_line(line, lang, words.names) for line in lines)
        return " · ".join(told).split()


def _remedied(game: Game, data: kinds.Ruled) -> Spoken:
    """The remedy in words: for a correction, what it puts there."""
    remedy = Phrase(f"remedy.{data.remedy}")
    if data.remedy != "corrected":
        return remedy
    entries = iter(game.entries)
    ruled = any(isinstance(e.data, kinds.Ruled) and e.data.id == data.id for e in entries)
    made = next((e.data for e in entries if isinstance(e.data, kinds.Corrected)), None)
    if not ruled or made is None:
        return remedy
    put, was = (
        tuple(filter(None, (line_said(game, number) for number in numbers)))
        for numbers in ([said.number for said in made.insert], made.remove)
    )
    return Replaced(game.engine, put, was) if put and was else remedy


def _ruled(game: Game, data: kinds.Ruled) -> tuple[str, dict[str, Any]]:
    key, about = "overturning" if data.overturns is not None else "ruled", _about(game, data)
    return key if about else f"{key}_generally", {
        "id": data.id,
        "actions": numbered(about),
        "remedy": _remedied(game, data),
        "clauses": Verbatim(f" ({' '.join(data.clauses)})" if data.clauses else ""),
        "overturns": data.overturns or "",
    }


def _about(game: Game, data: kinds.EntryData) -> tuple[int, ...]:
    if isinstance(data, kinds.Ruled) and not data.numbers:
        dispute = game.disputes.get(data.dispute or "")
        return dispute.numbers if dispute is not None else ()
    if isinstance(data, kinds.Photographed):
        return (data.number,)
    return data.numbers if isinstance(data, kinds.Disputed | kinds.Ruled) else ()


def numbered(numbers: Iterable[int]) -> Verbatim:
    return Verbatim(", ".join(f"#{number}" for number in numbers) or "–")
