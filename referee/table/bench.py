"""The bench: hears what a table says, answers, and records it.

Every method reads the record, asks the engine, appends at the version it has judged
against, and answers. What is answered has been stored; what is refused changes nothing.
"""

from __future__ import annotations

import difflib
import secrets
from base64 import b32encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import wraps
from hashlib import sha256
from typing import Any, Concatenate, ParamSpec, TypeVar

from engines.kernel import Action, BadForm, KitSheet, Opening, Verdict
from engines.kernel.registry import load_engine
from referee.errors import (
    Conflicting,
    HeldUp,
    NotAllowed,
    NotFound,
)
from referee.record.entries import (
    Adjusted,
    Barrier,
    Closed,
    Corrected,
    Disputed,
    EntryData,
    Held,
    KitDeclared,
    Logged,
    Opened,
    ReadingFixed,
    Reopened,
    Restored,
    Resumed,
    TakenBack,
    action_data,
    closing,
    entry_data,
    stored_verdict,
    verdict_data,
)
from referee.record.fold import Change, Entry, Game, Item, fold, read_entry
from referee.secrecy.discretion import check_question, needs_everything, told
from referee.store.base import Conflict, Draft, Store
from referee.store.canon import canonical, digest
from referee.table.calls import Judged, calls_for_a_judge, judged_anew
from referee.table.corrections import correction, taking_back
from referee.table.takebacks import check_take_back


@dataclass(frozen=True)
class Author:
    """Who speaks: a pseudonym, and in which role."""

    person: str = "anonymous"
    role: str = "scribe"

    @property
    def judges(self) -> bool:
        return self.role in ("judge", "organiser")

    @property
    def seat(self) -> str | None:
        """The seat that speaks, if it is one."""
        return self.role.removeprefix("seat:") if self.role.startswith("seat:") else None

    def must_judge(self) -> None:
        if not self.judges:
            raise NotAllowed("judge_only", role=self.role)

    def must_speak_for(self, seat: str) -> None:
        """A seat speaks for itself alone; those who are no seat, for all of them."""
        if self.seat not in (None, seat):
            raise NotAllowed("own_seat_only", role=self.role, seat=seat)


SCRIBE = Author()
JUDGE = Author(role="judge")


@dataclass(frozen=True)
class Answer:
    """What was recorded, and what it did."""

    game: Game
    entries: tuple[Entry, ...] = ()
    change: Change = field(default_factory=Change)


@dataclass(frozen=True)
class Heard(Answer):
    """The answer to an action: accepted and recorded, or refused."""

    action: Action | None = None
    verdict: Verdict = field(default_factory=lambda: Verdict("legal"))
    accepted: bool = True
    number: int | None = None
    stands: bool = False
    may_stand: bool = False
    """Refused, but it could be recorded as it happened."""
    disputes: tuple[str, ...] = ()


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_key() -> str:
    return secrets.token_hex(8)


def new_game_id() -> str:
    return "game-" + "".join(secrets.choice("abcdefghijklmnopqrstuvwxyz234567") for _ in range(8))


P = ParamSpec("P")
A = TypeVar("A", bound=Answer)


def once(
    kind: type[EntryData],
) -> Callable[[Callable[Concatenate[Bench, Game, P], A]], Callable[Concatenate[Bench, str, P], A]]:
    """A command about a game, which is named by its id, that writes an entry of this kind.

    Given again with the same ``key``, because its answer was lost, it is answered and not
    carried out a second time.
    """

    def keyed(
        command: Callable[Concatenate[Bench, Game, P], A],
    ) -> Callable[Concatenate[Bench, str, P], A]:
        @wraps(command)
        def answered(bench: Bench, game_id: str, /, *args: P.args, **options: P.kwargs) -> A:
            game, key = bench.game(game_id), options.get("key")
            known: Any = bench.known(game, key, kind) if isinstance(key, str) else None
            return known or command(bench, game, *args, **options)

        return answered

    return keyed


def letters_of(text: str) -> str:
    """Eight letters that stand for a text: whoever asks again finds the same stream."""
    return b32encode(sha256(text.encode()).digest()).decode().lower()[:8]


def game_id_of(text: str) -> str:
    return f"game-{letters_of(text)}"


class Bench:
    """One store's tables. The clock and the keys come from outside, for tests and imports."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], str] = utc_now,
        keys: Callable[[], str] = new_key,
        ids: Callable[[], str] = new_game_id,
    ) -> None:
        self.store = store
        self._clock = clock
        self._keys = keys
        self._ids = ids
        self._games: dict[str, Game] = {}

    # finding games

    def game(self, game_id: str) -> Game:
        """The game as the store has it now."""
        game = self._games.get(game_id)
        if game is None:
            rows = self.store.read(game_id)
            if not rows:
                raise NotFound("no_such_game", game=game_id)
            game = self._games[game_id] = fold(game_id, rows)
            return game
        for row in self.store.read(game_id, after=game.version):
            game.apply(read_entry(row))
        return game

    def find(self, prefix: str) -> str:
        """The one game whose id begins so, with or without ``game-``."""
        start = prefix if prefix.startswith("game-") else f"game-{prefix}"
        found = self.store.streams(start)
        if start in found:
            return start
        if len(found) == 1:
            return found[0]
        key = "ambiguous_game" if found else "no_such_game"
        raise NotFound(key, game=prefix, games=found[:8])

    # opening

    def open(
        self,
        game: str,
        line: str | Opening,
        *,
        seats: Mapping[str, str] | None = None,
        kit: KitSheet | None = None,
        readings: Mapping[str, str] | None = None,
        house_rules: Sequence[str] = (),
        title: str = "",
        preset: str = "",
        take_backs_need_judge: Sequence[Barrier] = (),
        tournament: str = "",
        author: Author = SCRIBE,
        key: str | None = None,
        stands: bool = False,
        game_id: str | None = None,
    ) -> Heard:
        """A new record. ``seats`` names the pseudonyms of the players, ``game_id`` the record."""
        engine = load_engine(game)
        opening = engine.read(line) if isinstance(line, str) else line
        if not isinstance(opening, Opening):
            raise BadForm("not_an_opening", verb=opening.verb)
        opening = opening.model_copy(update={"readings": {**opening.readings, **(readings or {})}})
        for seat in seats or {}:
            if seat not in opening.seats:
                raise NotFound("no_such_seat", seat=seat)
        sheet = kit or engine.kit_sheet(opening.kit)
        setting = engine.setting(opening, sheet, house_rules)
        judged = engine.open(setting, opening)
        if not judged.accepted and stands:
            judged = engine.open(setting, opening, lenient=True)
        if not judged.accepted:
            nowhere: Any = None
            return Heard(nowhere, action=opening, verdict=judged.verdict, accepted=False)
        content: Any = dict(sheet.content)
        data = Opened(
            game=engine.id,
            engine_version=engine.version,
            edition=engine.edition,
            kit=content,
            kit_hash=digest(canonical(content)),
            readings=dict(setting.readings),
            house_rules=tuple(house_rules),
            opening=action_data(opening),
            verdict=verdict_data(judged.verdict),
            seats=dict(seats or {}),
            title=title,
            preset=preset,
            take_backs_need_judge=tuple(take_backs_need_judge),
            tournament=tournament,
        )
        stream = game_id or (game_id_of(key) if key else self._ids())
        rows = self._append(stream, [data], -1, author, key)
        opened = self.game(stream)
        return Heard(opened, rows, action=opening, verdict=judged.verdict, number=0)

    def opened_with(self, key: str) -> Heard | None:
        """The game that an earlier command with this key has opened."""
        stream = game_id_of(key)
        return self.known(self.game(stream), key, Opened) if self.store.read(stream) else None

    # logging

    @once(Logged)
    def log(
        self,
        game: Game,
        said: str | Action,
        *,
        author: Author = SCRIBE,
        stands: bool = False,
        after: int | None = None,
        key: str | None = None,
        dry_run: bool = False,
    ) -> Heard:
        """Hear one action and record it, unless it is refused.

        ``stands``: it really happened, record it even if it is illegal. ``after``: the
        number of the last action the caller has seen.
        """
        self._ready(game, after, author)
        action = game.engine.read(said) if isinstance(said, str) else said
        check_question(game, game.steps[-1], action, author.seat)
        heard = self.hear(game, action, stands=stands)
        if not heard.accepted or dry_run:
            return heard
        logged = _logged(game, heard)
        number = logged.number
        judged = Judged(number, heard.stands, heard.verdict)
        disputes = list(calls_for_a_judge(game, [judged], by_judge=author.judges))
        rows = self._append(game.id, [logged, *disputes], game.version, author, key)
        change = self._absorb(game, rows)
        return Heard(
            game,
            rows,
            change,
            action=heard.action,
            verdict=game.step(number).verdict,
            number=number,
            stands=heard.stands,
            disputes=tuple(dispute.id for dispute in disputes),
        )

    def rehearse(
        self,
        game_id: str,
        lines: Iterable[str],
        *,
        author: Author = SCRIBE,
        stands: bool = False,
        after: int | None = None,
    ) -> Iterator[Heard]:
        """Hear actions one after the other, each as if those before it had been recorded."""
        game = self.game(game_id)
        self._ready(game, after, author)
        heard_before: list[Logged] = []
        for line in lines:
            if heard_before:
                game = self.preview(game, heard_before)[0]
            action = game.engine.read(line)
            check_question(game, game.steps[-1], action, author.seat)
            heard = self.hear(game, action, stands=stands)
            yield heard
            if not heard.accepted:
                return
            heard_before.append(_logged(game, heard))

    def hear(self, game: Game, action: Action, *, stands: bool = False) -> Heard:
        """What the referee would say of an action now. Records nothing."""
        number = game.last_number + 1
        step = game.play(Item(number, action))
        if step is None and stands:
            step = game.play(Item(number, action, stands=True))
        if step is None:
            judged = game.engine.judge(game.setting, game.state, action, number, lenient=stands)
            return Heard(
                game,
                action=judged.action,
                verdict=judged.verdict,
                accepted=False,
                may_stand=not stands and _may_stand(game, judged.action, number),
            )
        return Heard(game, action=step.action, verdict=step.verdict, stands=step.item.stands)

    def raised_by(
        self, game: Game, data: Sequence[EntryData], author: Author
    ) -> tuple[Disputed, ...]:
        """The disputes that these entries open by themselves, wherever they change verdicts."""
        after = self.preview(game, data)[0]
        return tuple(calls_for_a_judge(game, judged_anew(game, after), by_judge=author.judges))

    # going back and correcting

    @once(TakenBack)
    def undo(
        self,
        game: Game,
        count: int = 1,
        *,
        to: int | None = None,
        reason: str = "",
        author: Author = SCRIBE,
        key: str | None = None,
    ) -> Answer:
        """Take back the last action, or several, or everything after action ``to``."""
        self._open_record(game)
        data = taking_back(game, count, to, reason)
        check_take_back(game, data.numbers[-1], author.role, author.judges)
        return self.record(game, [data], author, key)

    @once(Restored)
    def redo(
        self, game: Game, count: int = 1, *, author: Author = SCRIBE, key: str | None = None
    ) -> Answer:
        """Bring back what was taken back last."""
        self._open_record(game)
        back = [item.number for item in reversed(game.undone)][:count]
        if len(back) < count or count < 1:
            raise Conflicting("nothing_to_restore", count=count, actions=len(game.undone))
        numbers = tuple(number for number in back if number is not None)
        return self.record(game, [Restored(numbers=numbers)], author, key)

    @once(Corrected)
    def correct(
        self,
        game: Game,
        at: int,
        lines: Sequence[str | Action] = (),
        *,
        remove: int | Sequence[int] = 1,
        keep: Sequence[int] = (),
        stands: bool = False,
        reason: str = "",
        author: Author = SCRIBE,
        seats: Mapping[str, str] | None = None,
        key: str | None = None,
        dry_run: bool = False,
    ) -> Answer:
        """A splice: from action ``at`` on take ``remove`` actions out and put ``lines`` in.

        ``remove=0`` inserts before ``at``; ``at=0`` corrects the opening. What follows is
        judged anew. ``keep`` lets pending actions stand as they happened.
        """
        self._open_record(game)
        needs_everything(game, author.seat, "correct")
        data = correction(
            game, at, lines, remove=remove, keep=keep, stands=stands, reason=reason, seats=seats
        )
        if data.remove or data.insert:
            check_take_back(game, at, author.role, author.judges)
        if dry_run:
            return Answer(game, change=self.preview(game, [data])[1])
        return self.record(game, [data, *self.raised_by(game, [data], author)], author, key)

    def preview(self, game: Game, data: Sequence[EntryData]) -> tuple[Game, Change]:
        """The game as it would be with these entries, and what they would change."""
        copy = fold(game.id, self.store.read(game.id))
        change = Change()
        for item in data:
            seq = copy.version + 1
            made = copy.apply(Entry(seq, self._clock(), "anonymous", "scribe", "preview", item, ""))
            change = made if made != Change() else change
        return copy, change

    @once(Adjusted)
    def adjust(
        self,
        game: Game,
        changes: Mapping[str, Any],
        reason: str,
        *,
        author: Author = SCRIBE,
        key: str | None = None,
    ) -> Answer:
        """Bring the state in line with the real table: part of a position, and why."""
        self._ready(game, None, author)
        needs_everything(game, author.seat, "adjust")
        number = game.last_number + 1
        game.play(Item(number, changes=changes))
        data = Adjusted(number=number, changes=dict(changes), reason=reason)
        return self.record(game, [data], author, key)

    @once(KitDeclared)
    def declare_kit(
        self,
        game: Game,
        path: str,
        value: Any,
        source: str,
        *,
        author: Author = SCRIBE,
        key: str | None = None,
        dry_run: bool = False,
    ) -> Answer:
        """State a fact about the table's own box; the game is judged anew from the start."""
        self._open_record(game)
        needs_everything(game, author.seat, "kit declare")
        sheet = game.sheet.declare(path, value, source)
        canonical(sheet.content)
        game.engine.read_kit(sheet)
        data = KitDeclared(path=path, value=value, source=source)
        change = self.preview(game, [data])[1]
        if dry_run:
            return Answer(game, change=change)
        return self.record(game, [data, *self.raised_by(game, [data], author)], author, key)

    @once(ReadingFixed)
    def fix_reading(
        self,
        game: Game,
        reading: str,
        value: str,
        *,
        reason: str = "",
        author: Author = JUDGE,
        key: str | None = None,
    ) -> Answer:
        """Read the rulebook so, from here on. A judge's decision."""
        self._open_record(game)
        author.must_judge()
        game.engine.check_reading(reading, value)
        if game.engine.readings[reading].changeable != "any":
            raise Conflicting("reading_pinned", reading=reading)
        data = ReadingFixed(reading=reading, value=value, reason=reason)
        return self.record(game, [data], author, key)

    # disputes and holds

    @once(Disputed)
    def dispute(
        self,
        game: Game,
        number: int,
        *,
        text: str = "",
        seat: str | None = None,
        clause: str | None = None,
        holds: bool = False,
        author: Author = SCRIBE,
        key: str | None = None,
    ) -> Answer:
        """Call for a judge about an action."""
        seat = seat or author.seat
        if seat is not None:
            author.must_speak_for(seat)
        if not 0 <= number <= game.last_number:
            raise NotFound("no_such_action", number=number)
        if clause is not None and clause not in game.engine.clauses:
            raise NotFound("no_such_clause", clause=clause)
        if seat is not None and seat not in game.setting.seats:
            raise NotFound("no_such_seat", seat=seat)
        data = Disputed(
            id=f"d{len(game.disputes) + 1}",
            numbers=(number,),
            seat=seat,
            clause=clause,
            text=text,
            holds=holds,
        )
        return self.record(game, [data], author, key)

    @once(Held)
    def hold(
        self, game: Game, *, reason: str = "", author: Author = SCRIBE, key: str | None = None
    ) -> Answer:
        return self.record(game, [Held(reason=reason)], author, key)

    @once(Resumed)
    def resume(
        self, game: Game, *, reason: str = "", author: Author = SCRIBE, key: str | None = None
    ) -> Answer:
        if game.held is None:
            raise Conflicting("not_held")
        if isinstance(game.held, Disputed):
            author.must_judge()
        return self.record(game, [Resumed(reason=reason)], author, key)

    # closing

    @once(Closed)
    def close(
        self, game: Game, *, reason: str = "", author: Author = SCRIBE, key: str | None = None
    ) -> Answer:
        """Finish the record, with the result of the game if it is over."""
        self._open_record(game)
        if game.pending:
            raise Conflicting("pending", numbers=game.waiting)
        result = game.engine.result(game.state)
        if result is None and not reason:
            raise Conflicting("not_over", seats=game.state.agenda.seats)
        return self.record(game, [closing(result, reason)], author, key)

    @once(Reopened)
    def reopen(
        self, game: Game, *, reason: str, author: Author = SCRIBE, key: str | None = None
    ) -> Answer:
        if game.closed is None:
            raise Conflicting("not_closed")
        return self.record(game, [Reopened(reason=reason)], author, key)

    # helping

    def nearest(self, game: Game, text: str, count: int = 3) -> list[str]:
        """The legal lines that look most like what was said."""
        lines = [
            game.engine.text(action) for action in game.engine.options(game.setting, game.state)
        ]
        ranked = sorted(lines, key=lambda line: -difflib.SequenceMatcher(None, text, line).ratio())
        return ranked[:count]

    # recording

    def _ready(self, game: Game, after: int | None, author: Author) -> None:
        """Whether the table may go on."""
        self._open_record(game)
        if game.held is not None:
            if isinstance(game.held, Disputed):
                raise HeldUp("held_by_dispute", dispute=game.held.id)
            raise HeldUp("held", reason=game.held.reason)
        if game.pending:
            raise Conflicting("pending", numbers=game.waiting)
        numbers = game.numbers()
        last = numbers[-1] if numbers else 0
        if after is not None and after != last:
            missed = [step.action for step in game.steps if (step.number or 0) > after]
            raise Conflicting(
                "expected_other",
                after=after,
                last=last,
                missed=[told(game, action, author.seat) for action in missed if action][:5],
            )

    @staticmethod
    def _open_record(game: Game) -> None:
        if game.closed is not None:
            raise Conflicting("closed")

    def record(
        self, game: Game, data: Sequence[EntryData], author: Author, key: str | None
    ) -> Answer:
        """Append entries all together and take them in."""
        rows = self._append(game.id, data, game.version, author, key)
        return Answer(game, rows, self._absorb(game, rows))

    def _append(
        self,
        stream: str,
        data: Sequence[EntryData],
        expected: int,
        author: Author,
        key: str | None,
    ) -> tuple[Entry, ...]:
        key = key or self._keys()
        drafts = [
            Draft(item.KIND, item.SCHEMA, entry_data(item), key if not i else f"{key}.{i}")
            for i, item in enumerate(data)
        ]
        try:
            rows = self.store.append(
                stream,
                drafts,
                expected=expected,
                at=self._clock(),
                by=author.person,
                role=author.role,
            )
        except Conflict as conflict:
            missed = [read_entry(row) for row in conflict.missed]
            self._games.pop(stream, None)
            raise Conflicting(
                "someone_else", entries=len(missed), kinds=[entry.data.KIND for entry in missed][:5]
            ) from None
        return tuple(read_entry(row) for row in rows)

    def _absorb(self, game: Game, rows: Iterable[Entry]) -> Change:
        change = Change()
        for entry in rows:
            if entry.seq > game.version:
                made = game.apply(entry)
                change = made if made != Change() else change
        return change

    def known(self, game: Game, key: str, kind: type[EntryData]) -> Heard | None:
        """The answer to a command whose first reply was lost."""
        found = tuple(e for e in game.entries if e.key == key or e.key.startswith(f"{key}."))
        if not found:
            return None
        first = found[0].data
        if not isinstance(first, kind):
            raise Conflicting("key_reused", key=key, entry=found[0].seq)
        if not isinstance(first, Logged):
            return Heard(game, found)
        return Heard(
            game,
            found,
            action=game.engine.load(first.action),
            verdict=stored_verdict(first.verdict),
            number=first.number,
            stands=first.stands,
            disputes=tuple(e.data.id for e in found if isinstance(e.data, Disputed)),
        )


def _logged(game: Game, heard: Heard) -> Logged:
    """The entry of an action that was accepted."""
    assert heard.action is not None
    return Logged(
        number=game.last_number + 1,
        action=action_data(heard.action),
        verdict=verdict_data(heard.verdict),
        stands=heard.stands,
    )


def _may_stand(game: Game, action: Action, number: int) -> bool:
    """Whether a table could really have come to this: not, if there is nothing to do it with."""
    try:
        return game.play(Item(number, action, stands=True)) is not None
    except BadForm:
        return False
