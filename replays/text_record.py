"""A record as the scribe would write it, and back.

Tags stand at the head, then one entry a line in the order it was made; what belongs to an
entry (the lines a correction puts in, a variation) follows it, indented::

    [Game "benevolent"]
    0. table A=blue B=red first A
    5! [BEN-MOVE-3] A step a3
    %noted 5 mistake "she meant b2"
      A step b2
    %taken_back 5 "by agreement"

The sign after the number is the verdict: ``.`` legal, ``!`` illegal and yet it happened,
``?`` undecided; in brackets the clauses. Both are judged anew on reading and must agree.
The last block has what the table does not care for (times, authors, keys): with it the very
same record comes back, byte for byte; without it the lines become a record of their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from pydantic import ValidationError

from engines.kernel import Flaw, KitSheet, Opening, ParseError, Phrase
from engines.kernel.messages.catalogue import Language
from engines.kernel.messages.errors import first_mistake
from engines.kernel.registry import load_engine
from engines.kernel.values.versions import age
from referee.archive.record_files import MAX_ENTRIES, NamesLine, RecordFile
from referee.errors import RefereeError, Unfit
from referee.record import entries as kinds
from referee.record.fold import apply, start_game
from referee.record.game import Game, RecordError, judge_opening
from referee.record.line import Item
from referee.record.permissions import permitted
from referee.store import open_store
from referee.store.canonical_json import canonical, digest
from referee.store.envelopes import Draft
from referee.store.event_store import is_key
from referee.table import play
from referee.table.author import JUDGE, SCRIBE
from referee.table.bench import new_game_id, new_key, utc_now
from referee.table.corrections import correction
from referee.table.notes import variation_base
from referee.untrusted.safe_json import UnsafeJson, read_json
from referee.untrusted.work_budget import OverBudget, charge_entry, check_budget, reading_a_file

FORMAT = 1
MAX_TEXT_BYTES = 8 * 1024 * 1024
MOST_TAGS = 100
SIGNS = {"legal": ".", "illegal": "!", "undecided": "?"}
_OUTCOMES = {sign: outcome for outcome, sign in SIGNS.items()}
_ENTRIES = "[Entries]"
_TAG = re.compile(r"^\[([A-Z][A-Za-z]*) (.*)\]$")
_NUMBERED = re.compile(r"^(\d{1,7})([.!?]) +(?:\[([A-Z0-9a-z ,-]*)\] +)?(.*)$")
_DIRECTIVE = re.compile(r"^%(=?)([a-z_]+)(?: (.*))?$")
_REASONED = re.compile(r'^([0-9 ]*?) ?(".*")?$')
_COLOURS_READ = "1.4"
"""Engines since this version read the name of a colour in any language."""
_STREAM = re.compile(r"game-[a-z0-9]{1,40}")
_NOTE = re.compile(r'^(\d{1,7})((?: [^"{ ]+)*)(?: (".*?(?<!\\)(?:\\\\)*"))?(?: (\{.*\}))?$')


class Envelope(NamedTuple):
    """Metadata of an entry that its line does not show: time, author, role, key."""

    at: str
    by: str
    role: str
    key: str


class BadLine(Flaw):
    """Parse error: a line that cannot be read, or whose verdict is not the engine's."""


# writing


def text_record(game: Game, names: Mapping[str, str], lang: Language = "en") -> str:
    """The whole text, its lines in the words of a language.

    What would not read back to the same entry is written as it is recorded, or as plain data.
    """
    reader = TextRecordParser()
    tags = _tags(game, names)
    lines = [f"[{name} {_json(value)}]" for name, value in tags.items()]
    lines.append("")
    reader.tags = tags
    for entry in game.entries:
        lines += _checked(reader, entry.data, lang)
    lines += ["", _ENTRIES]
    lines += [
        f"{entry.seq} {entry.at} {entry.by} {entry.role} {entry.key}" for entry in game.entries
    ]
    return "\n".join(lines) + "\n"


def _tags(game: Game, names: Mapping[str, str]) -> dict[str, Any]:
    opened = game.opened
    shipped = [name for name, sheet in game.engine.kits.items() if sheet.content == opened.kit]
    tags: dict[str, Any] = {
        "Format": FORMAT,
        "Game": opened.game,
        "Engine": opened.engine_version,
        "Edition": opened.edition,
        "Record": game.id,
        "Head": game.head,
        "Title": opened.title,
        "Seats": dict(opened.seats),
        "NamesLine": dict(names),
        "Kit": shipped[0] if shipped else opened.kit,
        "Readings": dict(opened.readings),
        "HouseRules": list(opened.house_rules),
        "Preset": opened.preset,
        "TakeBacksNeedJudge": list(opened.take_backs_need_judge),
        "Laws": opened.laws if opened.laws > 1 else None,
    }
    return {name: value for name, value in tags.items() if value or name == "Kit"}


def _checked(reader: TextRecordParser, data: kinds.EntryData, lang: Language) -> list[str]:
    told = (_lines(reader, data, each) for each in dict.fromkeys((lang, "en")))
    for lines in (*told, [f"%={data.KIND} {_json(kinds.entry_data(data))}"]):
        try:
            read = reader.read(lines)
        except (BadLine, ParseError, RefereeError, RecordError, ValidationError, UnsafeJson):
            continue
        if read == data:
            reader.take(read)
            return lines
    raise Unfit("not_writable", kind=data.KIND)


def _lines(reader: TextRecordParser, data: kinds.EntryData, lang: Language) -> list[str]:
    """One entry as it is written: its line, and what hangs below it."""
    match data:
        case kinds.Opened():
            opening = load_engine(data.game).text.load(data.opening)
            line = load_engine(data.game).text(opening, lang)
            return [_numbered(0, data.verdict, line)]
        case kinds.Logged():
            return [_said(reader, data, lang)]
        case kinds.TakenBack() | kinds.Restored():
            numbers = " ".join(str(number) for number in data.numbers)
            reason = getattr(data, "reason", "")
            return [f"%{data.KIND} {numbers}" + (f" {_json(reason)}" if reason else "")]
        case kinds.Corrected():
            rest = {key: value for key, value in kinds.entry_data(data).items() if key != "insert"}
            return [f"%corrected {_json(rest)}", *_indented(reader, data.insert, lang)]
        case kinds.Noted():
            return [_noted(data), *_indented(reader, data.variation, lang)]
    return [f"%{data.KIND} {_json(kinds.entry_data(data))}"]


def _said(reader: TextRecordParser, said: kinds.Said, lang: Language) -> str:
    engine = reader.game.engine
    return _numbered(said.number, said.verdict, engine.text(engine.text.load(said.action), lang))


def _indented(reader: TextRecordParser, said: Iterable[kinds.Said], lang: Language) -> list[str]:
    return [f"  {_said(reader, one, lang)}" for one in said]


def _numbered(number: int, verdict: kinds.VerdictData, line: str) -> str:
    clauses = _clauses(verdict)
    cited = f"[{' '.join(clauses)}] " if clauses else ""
    return f"{number}{SIGNS[verdict.outcome]} {cited}{line}"


def _clauses(verdict: kinds.VerdictData) -> list[str]:
    points = (*verdict.breaches, *verdict.claims, *verdict.findings)
    return [point.clause for point in points]


def _noted(note: kinds.Noted) -> str:
    rest = kinds.entry_data(note)
    for shown in ("id", "number", "glyphs", "text", "variation"):
        rest.pop(shown, None)
    parts = ["%noted", str(note.number), *note.glyphs]
    if note.text:
        parts.append(_json(note.text))
    if rest:
        parts.append(_json(rest))
    return " ".join(parts)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


# reading


class TextRecordParser:
    """Parser of a text record: reads line by line and judges every action as it comes."""

    def __init__(self) -> None:
        self.tags: dict[str, Any] = {}
        self.entries: list[kinds.EntryData] = []
        self._game: Game | None = None

    @property
    def game(self) -> Game:
        if self._game is None:
            raise BadLine("not_opened")
        return self._game

    def take(self, data: kinds.EntryData) -> None:
        entry = kinds.Entry(len(self.entries), "", "anonymous", "scribe", "", data, "")
        if self._game is None:
            # Sealed values name the game they belong to.
            self._game = start_game(str(self.tags.get("Record", "game-retold")), entry)
        else:
            check_budget()
            self._game, change = apply(self._game, entry)
            charge_entry(change.asked)
        self.entries.append(data)

    def read(self, lines: list[str]) -> kinds.EntryData:
        """The entry that a line and those indented below it tell."""
        first, *below = (line.strip() for line in lines)
        if directive := _DIRECTIVE.match(first):
            raw, kind, rest = directive.groups()
            if kind not in kinds.KINDS:
                raise BadLine("unknown_kind", kind=kind)
            if raw or kind not in ("taken_back", "restored", "corrected", "noted"):
                schema = self._laws if kind == kinds.Opened.KIND else kinds.KINDS[kind].SCHEMA
                return kinds.read_data(kind, schema, _object(rest))
            special = getattr(self, f"_{kind}")
            data: kinds.EntryData = special(rest or "", below)
            return data
        if below:
            raise BadLine("nothing_below")
        return self._logged(first) if self._game is not None else self._opened(first)

    @property
    def _laws(self) -> Literal[1, 2]:
        """Those of 0.1.0 had no name yet; what was never recorded is told under those of today."""
        return 1 if "Head" in self.tags and self.tags.get("Laws") != 2 else 2

    def _opened(self, line: str) -> kinds.Opened:
        engine = load_engine(str(self.tags.get("Game", "")))
        _, _, text = _parts(line)
        version = str(self.tags.get("Engine", engine.version))
        opening = engine.read(text)
        if age(version, _COLOURS_READ) == "older":
            with suppress(ParseError):
                opening = engine.text.notation.exact(text.split(), verbatim=True)
        if not isinstance(opening, Opening):
            raise BadLine("no_opening_line")
        kit = self.tags.get("Kit")
        sheet = KitSheet(kit) if isinstance(kit, dict) else engine.kit_sheet(kit or opening.kit)
        said = self.tags.get("Readings", {})
        readings = {name: one.under(version) for name, one in engine.readings.items()} | said
        house_rules = tuple(self.tags.get("HouseRules", ()))
        setting, judged = judge_opening(engine, opening, sheet, readings, house_rules, lenient=True)
        if not judged.accepted:
            raise BadLine("opening_refused", clause=judged.verdict.clause)
        content: Any = dict(sheet.content)
        return kinds.Opened(
            game=engine.id,
            engine_version=version,
            edition=str(self.tags.get("Edition", engine.edition)),
            kit=content,
            kit_hash=digest(canonical(content)),
            readings={n: v for n, v in setting.readings.items() if not said or n in said},
            house_rules=house_rules,
            opening=kinds.action_data(opening),
            verdict=_agreed(line, kinds.verdict_data(judged.verdict)),
            seats=self.tags.get("Seats", {}),
            title=str(self.tags.get("Title", "")),
            preset=str(self.tags.get("Preset", "")),
            take_backs_need_judge=tuple(self.tags.get("TakeBacksNeedJudge", ())),
            laws=self._laws,
        )

    def _logged(self, line: str) -> kinds.Logged:
        number, sign, text = _parts(line)
        game = self.game
        expected = game.last_number + 1
        if number not in (None, expected):
            raise BadLine("other_number", number=number, expected=expected)
        heard = play.hear(game, game.engine.read(text), stands=sign == "!")
        if not heard.accepted or heard.action is None:
            raise BadLine("illegal", clause=heard.verdict.clause)
        return kinds.Logged(
            number=expected,
            action=kinds.action_data(heard.action),
            verdict=_agreed(line, kinds.verdict_data(heard.verdict)),
            stands=heard.stands,
        )

    def _taken_back(self, rest: str, below: list[str]) -> kinds.TakenBack:
        numbers, reason = _reasoned(rest)
        return kinds.TakenBack(numbers=numbers, reason=reason)

    def _restored(self, rest: str, below: list[str]) -> kinds.Restored:
        return kinds.Restored(numbers=_reasoned(rest)[0])

    def _corrected(self, rest: str, below: list[str]) -> kinds.Corrected:
        data = kinds.Corrected.model_validate(_object(rest))
        made = correction(
            self.game,
            data.at,
            [_parts(line)[2] for line in below],
            remove=data.remove,
            keep=data.keep,
            stands=any(_parts(line)[1] == "!" for line in below),
            reason=data.reason,
            seats=data.seats,
        )
        for line, said in zip(below, made.insert, strict=True):
            _agreed(line, said.verdict)
        return made

    def _noted(self, rest: str, below: list[str]) -> kinds.Noted:
        found = _NOTE.match(rest)
        if found is None:
            raise BadLine("not_a_note")
        number, glyphs, text, more = found.groups()
        if int(number) > self.game.last_number:
            raise BadLine("nothing_to_note", number=number)
        return kinds.Noted.model_validate(
            {
                **(_object(more) if more else {}),
                "id": f"n{self.game.notes_made + 1}",
                "number": int(number),
                "glyphs": tuple(glyphs.split()),
                "text": read_json(text.encode()) if text else "",
                "variation": self._variation(int(number), more, below),
            }
        )

    def _variation(self, number: int, more: str | None, below: list[str]) -> tuple[kinds.Said, ...]:
        if not below:
            return ()
        on = _object(more).get("on") if more else None
        game, last, said = self.game, variation_base(self.game, number, on), []
        for line in below:
            step = game.play(Item(number, game.engine.read(_parts(line)[2])), last)
            if step is None or step.action is None:
                raise BadLine("illegal_variation")
            verdict = _agreed(line, kinds.verdict_data(step.verdict))
            said.append(
                kinds.Said(number=number, action=kinds.action_data(step.action), verdict=verdict)
            )
            last = step
        return tuple(said)


@reading_a_file()
def read_text(content: bytes) -> RecordFile:
    """A record from its text. Raises ``Unfit`` with the first line that is wrong."""
    retold = TextRecordParser()
    envelopes: list[Envelope] = []
    ending = False
    if len(content) > MAX_TEXT_BYTES:
        raise Unfit("too_long", line=1, entries=MAX_ENTRIES, bytes=MAX_TEXT_BYTES)
    for number, block in _blocks(content):
        try:
            if ending:
                envelopes.append(_envelope(block, len(envelopes)))
            elif block == [_ENTRIES]:
                ending = True
            elif (tag := _TAG.match(block[0])) and len(retold.tags) < MOST_TAGS:
                retold.tags[tag.group(1)] = read_json(tag.group(2).encode())
            elif len(retold.entries) < MAX_ENTRIES:
                retold.take(retold.read(block))
            else:
                raise BadLine("too_many_entries", limit=MAX_ENTRIES)
        except OverBudget:
            raise
        except (ValidationError, *_PROBLEMS) as error:
            raise _at_line(number, error) from None
    if not retold.entries:
        raise Unfit("bad_line", line=1, problem=Phrase("flaw.no_entries"))
    return _stored(retold, envelopes)


_PROBLEMS = (
    BadLine,
    ParseError,
    RefereeError,
    RecordError,
    kinds.UnreadableEntry,
    UnsafeJson,
    TypeError,
)


def _at_line(number: int, error: Exception) -> Unfit:
    if isinstance(error, ValidationError):
        problem = first_mistake(error).phrase
    elif isinstance(error, ParseError | Flaw | RefereeError):
        problem = error.phrase
    else:
        problem = Phrase("flaw.other_entry")
    return Unfit("bad_line", line=number, problem=problem)


def _blocks(content: bytes) -> Iterator[tuple[int, list[str]]]:
    """Lines with those indented below them, each with the number of its first line."""
    try:
        lines = content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise Unfit("bad_line", line=1, problem=Phrase("flaw.not_utf8")) from None
    block: list[str] = []
    start = 1
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("# "):
            continue
        if line.startswith("  ") and block:
            block.append(line.strip())
            continue
        if block:
            yield start, block
        block, start = [line.rstrip()], number
    if block:
        yield start, block


def _envelope(block: list[str], due: int) -> Envelope:
    """A line of the last block: ``SEQ TIME AUTHOR ROLE KEY``."""
    words = block[0].split(" ", 4)
    if len(block) > 1 or len(words) != 5 or words[0] != str(due) or not is_key(words[4]):
        raise BadLine("other_envelope", entry=due)
    return Envelope(*words[1:])


def _stored(retold: TextRecordParser, envelopes: list[Envelope]) -> RecordFile:
    """The entries as a store would hold them."""
    try:
        names = dict(NamesLine.model_validate({"names": retold.tags.get("NamesLine", {})}).names)
    except ValidationError as error:
        raise _at_line(1, error) from None
    same = len(envelopes) == len(retold.entries)
    if envelopes and not same:
        count = {"count": len(envelopes), "entries": len(retold.entries)}
        raise Unfit("bad_line", line=1, problem=Phrase("flaw.envelopes_missing", count))
    stream = str(retold.tags.get("Record", "")) if same else new_game_id()
    if not _STREAM.fullmatch(stream):
        raise Unfit("bad_line", line=1, problem=Phrase("flaw.no_record_id"))
    entries = retold.entries if same else _without_agreements(retold.entries)
    now = utc_now()
    store = open_store("memory:")
    if not same:
        roles = _roles(str(retold.tags.get("Record", "game-retold")), entries)
        envelopes = [Envelope(now, SCRIBE.person, role, new_key()) for role in roles]
    for seq, data in enumerate(entries):
        made = envelopes[seq]
        schema = data.laws if isinstance(data, kinds.Opened) else data.SCHEMA
        draft = Draft(data.KIND, schema, kinds.entry_data(data), made.key)
        store.append(stream, [draft], expected=seq - 1, at=made.at, by=made.by, role=made.role)
    rows = list(store.read(stream))
    if same and rows[-1].head != retold.tags.get("Head"):
        raise Unfit("bad_line", line=1, problem=Phrase("flaw.other_head"))
    return RecordFile(stream, rows, names)


def _without_agreements(entries: list[kinds.EntryData]) -> list[kinds.EntryData]:
    """Signatures and confirmations name heads, which another record has not."""
    return [data for data in entries if not isinstance(data, kinds.Signed | kinds.Confirmed)]


def _roles(stream: str, entries: Sequence[kinds.EntryData]) -> list[str]:
    """In which role each entry was told, where nobody says so: the scribe's, or a judge's where
    the scribe may not."""
    roles: list[str] = []
    game: Game | None = None
    for seq, data in enumerate(entries):
        entry = kinds.Entry(seq, "", SCRIBE.person, SCRIBE.role, "", data, "")
        if game is not None and _is_a_judges(game, entry, roles[-1], entries[seq + 1 : seq + 2]):
            entry = entry._replace(role=JUDGE.role)
        game = start_game(stream, entry) if game is None else apply(game, entry).game
        roles.append(entry.role)
    return roles


def _is_a_judges(
    game: Game, entry: kinds.Entry, before: str, then: Sequence[kinds.EntryData]
) -> bool:
    data = entry.data
    if isinstance(data, kinds.Disputed) and data.cause in ("stands", "finding"):
        return before == JUDGE.role
    if isinstance(data, kinds.Logged) and data.stands:
        return not any(isinstance(one, kinds.Disputed) and one.cause == "stands" for one in then)
    if isinstance(data, kinds.TakenBack | kinds.Corrected) and game.opened.take_backs_need_judge:
        return True
    return not permitted(game, entry)


def _parts(line: str) -> tuple[int | None, str, str]:
    """Number, sign and action of a line; the scribe may leave the first two out."""
    found = _NUMBERED.match(line)
    if found is None:
        return None, "", line
    return int(found.group(1)), found.group(2), found.group(4)


def _agreed(line: str, verdict: kinds.VerdictData) -> kinds.VerdictData:
    """The verdict, if it is the one that is written."""
    found = _NUMBERED.match(line)
    if found is not None:
        cited = (found.group(3) or "").split()
        if _OUTCOMES[found.group(2)] != verdict.outcome or cited != _clauses(verdict):
            outcome = Phrase(f"outcome.{verdict.outcome}")
            raise BadLine("other_verdict", outcome=outcome, clauses=" ".join(_clauses(verdict)))
    return verdict


def _reasoned(rest: str) -> tuple[tuple[int, ...], str]:
    found = _REASONED.match(rest)
    if found is None:
        raise BadLine("numbers_and_reason")
    numbers, reason = found.groups()
    told = read_json(reason.encode()) if reason else ""
    return tuple(int(number) for number in numbers.split()), str(told)


def _object(text: str | None) -> dict[str, Any]:
    data = read_json((text or "{}").encode())
    if not isinstance(data, dict):
        raise BadLine("no_json_object")
    return data
