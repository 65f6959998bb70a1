"""Import and export of records as JSON Lines: the stored bytes themselves.

One entry a line; the names of the people may follow in a last line outside the chain.
A file from elsewhere is hostile: limits first, then form, chain and replay; only then is
anything stored, and then all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engines.kernel import Phrase
from engines.kernel.messages.errors import first_mistake
from engines.kernel.rules.actions import PlainText
from referee.errors import Conflicting, Unfit
from referee.proof.verify import Progress, VerificationReport, verify
from referee.record.entries import Person
from referee.record.fold import fold
from referee.record.permissions import check_import
from referee.store.canonical_json import canonical
from referee.store.envelopes import Stored
from referee.store.event_store import Store
from referee.store.hash_chain import topic_of
from referee.store.sidecars.people import People, clean_name
from referee.table.author import SCRIBE, Author
from referee.untrusted.safe_json import MAX_LINE_BYTES, UnsafeJson, read_json
from referee.untrusted.work_budget import reading_a_file

MAX_ENTRIES = 20_000
MAX_BYTES = 64 * 1024 * 1024
RECORD_ID = re.compile(r"(game|tournament)-[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
"""Fit for the store, and for the name of a file."""


class NamesLine(BaseModel):
    """The last line of a record that travels with the names of its people."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    names: dict[Person, PlainText] = Field(max_length=2000)


class RecordFile(Struct):
    """A record as parsed from a file, not yet verified."""

    stream: str
    rows: list[Stored] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    photos: dict[str, bytes] = field(default_factory=dict)
    """The photographs that came with it, by digest."""


def is_tournament(stream: str) -> bool:
    return stream.startswith("tournament-")


def record_lines(
    store: Store, stream: str, names: Mapping[str, str] | None = None, *, upto: int | None = None
) -> Iterator[bytes]:
    """The lines of a record file: the stored bytes (``upto`` so many entries), and the names if
    they may travel.
    """
    for row in store.read(stream)[:upto]:
        yield row.body + b"\n"
    if names:
        yield canonical({"names": dict(names)}) + b"\n"


def is_record(content: bytes) -> bool:
    """Whether the first line of a file is an entry of a stream."""
    try:
        first = read_json(content.partition(b"\n")[0][:MAX_LINE_BYTES])
    except UnsafeJson:
        return False
    return isinstance(first, dict) and {"stream", "seq", "prev"} <= first.keys()


def read_record(lines: Iterable[bytes], *, most: int = MAX_ENTRIES) -> RecordFile:
    """The entries of a record file, of a game or of a tournament: ``most`` of them at most.

    Raises ``Unfit`` with the line that is wrong.
    """
    found: RecordFile | None = None
    size, most = 0, min(most, MAX_ENTRIES)
    for number, raw in enumerate(lines, start=1):
        size += len(raw)
        if number > most or size > MAX_BYTES:
            raise Unfit("too_long", line=number, entries=most, bytes=MAX_BYTES)
        line = raw.rstrip(b"\r\n")
        if not line.strip():
            raise Unfit("bad_line", line=number, problem=Phrase("flaw.empty_line"))
        found = _read_line(found, number, line)
    if found is None or not found.rows:
        raise Unfit("bad_line", line=1, problem=Phrase("flaw.no_entries"))
    return found


def _read_line(found: RecordFile | None, number: int, line: bytes) -> RecordFile:
    if len(line) > MAX_LINE_BYTES:
        long = Phrase("flaw.too_many_bytes", {"limit": MAX_LINE_BYTES})
        raise Unfit("bad_line", line=number, problem=long)
    try:
        body = read_json(line)
    except UnsafeJson as error:
        raise Unfit("bad_line", line=number, problem=error.phrase) from None
    if not isinstance(body, dict):
        raise Unfit("bad_line", line=number, problem=Phrase("flaw.not_an_entry"))
    if found is not None and set(body) == {"names"}:
        found.names = _read_names(number, body)
        return found
    missing = {"stream", "seq", "kind", "schema", "key"} - set(body)
    if missing or not isinstance(body["stream"], str) or not isinstance(body["seq"], int):
        raise Unfit("bad_line", line=number, problem=Phrase("flaw.not_an_entry"))
    if found is None:
        if not RECORD_ID.fullmatch(body["stream"]):
            raise Unfit("bad_line", line=number, problem=Phrase("flaw.not_a_game"))
        found = RecordFile(body["stream"])
    topic = topic_of(body)
    found.rows.append(Stored(found.stream, body["seq"], topic, line))
    return found


def _read_names(number: int, body: object) -> dict[str, str]:
    try:
        return dict(NamesLine.model_validate(body).names)
    except ValidationError as error:
        raise Unfit("bad_line", line=number, problem=first_mistake(error).phrase) from None


def one_of_each(records: Iterable[RecordFile]) -> list[RecordFile]:
    """The records of several files; of one game the longest, which goes on from the others."""
    found: dict[str, RecordFile] = {}
    for record in records:
        other = found.setdefault(record.stream, record)
        _check_same_history(other.rows, record.rows)
        rows = max(other.rows, record.rows, key=len)
        names, photos = other.names | record.names, other.photos | record.photos
        found[record.stream] = RecordFile(record.stream, rows, names, photos)
    return [*found.values()]


def _check_same_history(known: Sequence[Stored], rows: Sequence[Stored]) -> None:
    for mine, theirs in zip(known, rows, strict=False):
        if mine.body != theirs.body:
            raise Conflicting("other_history", game=theirs.stream, seq=mine.seq)


class Arrival(Struct, frozen=True):
    """A verified record, and the part of it that the store does not have yet."""

    report: VerificationReport
    new: tuple[Stored, ...]
    names: Mapping[str, str]


@reading_a_file()
def examine(
    store: Store,
    record_file: RecordFile,
    *,
    author: Author = SCRIBE,
    continues: bool = False,
    progress: Progress | None = None,
) -> Arrival:
    """Verify a record from elsewhere and compare it with the stored one; nothing is stored.

    A game that is stored here already is continued only on request (``continues``), if the file
    only adds to it and the author may do that at this table.
    """
    if is_tournament(record_file.stream):
        raise Unfit("bad_line", line=1, problem=Phrase("flaw.not_a_game"))
    report = verify(record_file.stream, record_file.rows, progress=progress)
    if report.ok and report.not_installed is not None:
        raise report.not_installed
    if report.ok and report.game is None and report.engines is not None:
        versions = {"recorded": report.engines.recorded, "today": report.engines.today}
        raise Unfit("newer_engine", game=record_file.stream, **versions)
    arrival = arrival_of(store, record_file, report)
    known = report.entries - len(arrival.new)
    if arrival.new and known:
        if not continues:
            raise Conflicting("would_continue", game=record_file.stream, entries=len(arrival.new))
        check_import(fold(record_file.stream, record_file.rows[:known]), author.role)
    return arrival


def arrival_of(store: Store, record_file: RecordFile, report: VerificationReport) -> Arrival:
    """The entries of a verified record that the store lacks; refuses a diverging history."""
    if not report.ok:
        first = report.problems[0]
        raise Unfit(
            "not_proven",
            line=first.seq + 1,
            check=first.check,
            problem=first.key,
            facts=first.facts,
        )
    known = store.read(record_file.stream)
    _check_same_history(known, record_file.rows)
    new = tuple(record_file.rows[len(known) :])
    names = {person: clean_name(name) for person, name in record_file.names.items()}
    return Arrival(report, new, names)


def take_in(
    store: Store,
    record_file: RecordFile,
    *,
    author: Author = SCRIBE,
    continues: bool = False,
    progress: Progress | None = None,
) -> tuple[VerificationReport, int]:
    """Import one record: verify it and append what is new; returns how many entries.

    The names of its people are left out.
    """
    arrival = examine(store, record_file, author=author, continues=continues, progress=progress)
    store.adopt_all([arrival.new] if arrival.new else [])
    return arrival.report, len(arrival.new)


def take_all(store: Store, people: People, arrivals: Sequence[Arrival]) -> None:
    """Append what is new of verified records in one transaction, then adopt their names."""
    store.adopt_all([arrival.new for arrival in arrivals if arrival.new])
    for arrival in arrivals:
        for person, name in arrival.names.items():
            people.adopt(person, name)
