"""Import and export of records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Literal

from answers.answer import Answered, Data
from answers.context import Caller, StoreContext, open_store_context
from answers.declaration import NAMED_BY_FUNCTION, Local, operation
from answers.file_answers import File
from answers.i18n import Voice
from answers.limits import PictureWidth
from answers.permissions import EVERYBODY, IMPORTERS, ORGANISER
from answers.verdict_text import short, to_act
from engines.kernel import ParseError, Phrase
from engines.kernel.messages.catalogue import Spoken
from engines.kernel.picture.ground import Ground
from referee.archive.intake import is_apart, keep_apart, take_in_apart
from referee.archive.record_files import (
    Arrival,
    RecordFile,
    examine,
    is_tournament,
    one_of_each,
    record_lines,
    take_all,
)
from referee.errors import Misused, NotAllowed, NotFound, Unfit
from referee.proof.verify import VerificationReport
from referee.record.entries import Number
from referee.record.game import Game
from referee.record.permissions import ACCEPT
from referee.store.sidecars.attachments import Attachment
from referee.table.bench import Bench
from referee.table.photos import store_photo
from referee.table.unreadable import readable
from referee.untrusted.photos import adopt_photo
from referee.untrusted.safe_toml import stem_of
from replays.exports.render_options import RenderOptions
from replays.formats import (
    ARCHIVES,
    FORMATS,
    WHOLE,
    export_archive,
    export_bytes,
    parse_record_file,
)


class ExportAnswer(Data):
    file: str
    bytes: int
    sha256: str


class ImportedRow(Data):
    game: str
    entries: int
    new: int
    head: str


class AcceptedAnswer(Data):
    game: str


class ImportAnswer(Data):
    games: list[ImportedRow]


@dataclass(frozen=True)
class ExportOptions:
    """Options of an export as a caller gives them; ``RenderOptions`` are made from them."""

    at: Number | None = None
    shape: Literal["auto", "tall", "wide"] = "auto"
    width: PictureWidth | None = None
    view: str | None = None
    names: bool = False
    raw_csv: bool = False
    processes: int = 1
    progress: Callable[[int, int], None] = lambda done, total: None


PICTURED = frozenset(("html", "svg", "png", "webp", "gif", "pdf", "card", "card_svg"))
"""Formats that show the table: on the club's own board, where it has one."""
OF_A_MOMENT = ("svg", "png")
"""Formats that show the table once: at a moment that may be said."""
OF_CLOSED_GAMES = frozenset(("bgstats", "card", "card_svg"))
"""Formats that tell a result."""


def format_name(game_id: str, format: str) -> str:
    """The default file name of a format."""
    if format not in FORMATS:
        raise NotFound("no_such_format", format=format, formats=list(FORMATS))
    return f"{'archive' if format in ARCHIVES else stem_of(game_id)}.{FORMATS[format].suffix}"


def game_formats(*, whole: bool, closed: bool) -> list[str]:
    """The formats of one game, as far as it is ``closed`` and the caller may see the ``whole``."""
    left_out = ARCHIVES if whole else ARCHIVES | WHOLE
    if not closed:
        left_out |= OF_CLOSED_GAMES
    return [name for name in FORMATS if name not in left_out]


def open_in_memory(content: bytes) -> tuple[StoreContext, str] | None:
    """A store in memory with the game of a file alone, once it has proven itself, and its id.

    None for the record of a tournament.
    """
    record = parse_record_file(content)
    if is_tournament(record.stream):
        return None
    store_context = open_store_context("memory:")
    take_records(Caller(store_context), [record])
    return store_context, record.stream


@operation(
    "export",
    "GET /games/{game}/exports/{format}",
    grant=EVERYBODY,
    served="export_for",
    params="answers.requests.review:GameExportRequest",
    rename={"wanted": "*"},
    file=NAMED_BY_FUNCTION,
    slow=True,
    etag="content",
)
def export(caller: Caller, game_id: str, format: str, wanted: ExportOptions) -> File:
    """A game in a format (an archive: every game of the store), as the caller may see it."""
    name = format_name(game_id, format)
    try:
        asked = asked_for(caller, game_id, format, wanted)
    except ParseError as error:
        if (
            format != "record"
            or error.key not in ("not_installed", "broken_game")
            or caller.viewer is not None  # what is hidden from whom, its game alone knows
        ):
            raise
        return File(name, b"".join(record_lines(caller.store_context.store, game_id)))
    return File(name, export_bytes(*asked))


def export_for(
    caller: Caller,
    game_id: str,
    format: str,
    wanted: ExportOptions,
    *,
    on_step: Callable[[int, int], None],
) -> File:
    """The same over HTTP: archives contain every game, so only judges may export them."""
    if format in ARCHIVES and (caller.scope or not caller.author.judges):
        raise NotAllowed("judge_only", role=caller.author.role)
    return export(caller, game_id, format, replace(wanted, progress=on_step))


def export_into(
    file: Path, caller: Caller, game_id: str, format: str, wanted: ExportOptions
) -> list[str]:
    """Write an archive straight to a file, because it may be larger than memory.

    The answer are the records that could not be read.
    """
    bench, game, format, options = asked_for(caller, game_id, format, wanted)
    export_archive(bench, game, format, options, file)
    return options.left_out


def asked_for(
    caller: Caller, game_id: str, format: str, wanted: ExportOptions
) -> tuple[Bench, Game, str, RenderOptions]:
    if wanted.at is not None and format not in OF_A_MOMENT:
        raise Misused("not_of_a_moment", format=format, formats=OF_A_MOMENT)
    if format in ARCHIVES:
        caller = caller.uncached()
    game, context = caller.in_full(game_id), caller.store_context
    games: Iterable[Game] = [game]
    if format in ARCHIVES:
        games = readable(context.store.streams("game-"), caller.bench.game)
    grounds: Mapping[str, Ground] = {}
    if format in PICTURED:
        from answers.rulebooks.box_boards import in_a_file  # what no other format needs

        grounds = in_a_file(caller, game)
    options = RenderOptions(
        lang=caller.voice.lang,
        names=_names(caller, games) if wanted.names else {},
        at=wanted.at,
        shape=wanted.shape,
        width=wanted.width,
        view=caller.view(game, wanted.view),
        raw_csv=wanted.raw_csv,
        processes=wanted.processes,
        progress=wanted.progress,
        photo=partial(_photo, context, game.id),
        grounds=grounds,
    )
    return caller.bench, game, format, options


def _photo(store_context: StoreContext, game_id: str, digest: str) -> Attachment | None:
    there = store_context.has_attachments
    return store_context.attachments.find(game_id, digest) if there else None


def exported(
    file: str, content: bytes | Path, warnings: tuple[Spoken, ...] = ()
) -> Answered[ExportAnswer]:
    """The answer to an export that was written into a file."""
    if isinstance(content, Path):
        size = content.stat().st_size
        with content.open("rb") as stream:
            digest = file_digest(stream, "sha256").hexdigest()
    else:
        size, digest = len(content), sha256(content).hexdigest()
    return Answered(
        lambda: ExportAnswer(file=file, bytes=size, sha256=digest),
        lambda voice: [voice.say("export.done", file=file, bytes=size, sha=digest[:16])],
        warnings=warnings,
    )


def _names(caller: Caller, games: Iterable[Game]) -> Mapping[str, str]:
    """The names of everybody in these games that have not been erased."""
    people = {
        person
        for game in games
        for person in (*game.seats.values(), *(entry.by for entry in game.entries))
    }
    found = {
        person: caller.store_context.people.name(person)
        for person in sorted(people - {"anonymous"})
    }
    return {person: name for person, name in found.items() if name}


@operation(
    "import",
    "POST /imports",
    grant=IMPORTERS,
    served="take_records_for",
    upload="answers.requests.uploads:records",
    slow=True,
)
def take_records(
    caller: Caller,
    records: Sequence[RecordFile],
    *,
    continues: bool = False,
    trusts: bool = True,
    progress: Callable[[int], Callable[[int], None] | None] = lambda total: None,
) -> Answered[ImportAnswer]:
    """Import records, all or none, each verified first; ``continues`` may extend known games.

    What nobody here ``trusts`` is kept apart.
    """
    store, records = caller.store_context.store, one_of_each(records)
    arrivals = [
        examine(
            store,
            record,
            author=caller.author,
            continues=continues,
            progress=progress(len(record.rows)),
        )
        for record in records
    ]
    apart = [arrival.report.stream for arrival in arrivals if _stays_apart(caller, arrival, trusts)]
    photos = [(record.stream, photo) for record in records for photo in _photos(record, arrivals)]
    for stream in apart:
        keep_apart(store, stream, author=caller.author)
    for stream, photo in photos:  # before the record that names it
        store_photo(caller.store_context.attachments, stream, photo)
    take_all(store, caller.store_context.people, arrivals)
    reports = [arrival.report for arrival in arrivals]
    for report in reports:
        if report.game is not None:
            caller.bench.keep(report.game)  # it was folded to be verified
    games = [caller.game(report.stream) for report in reports]
    rows = [
        ImportedRow.made_of(arrival.report, game=arrival.report.stream, new=len(arrival.new))
        for arrival in arrivals
    ]

    def render(voice: Voice) -> Iterator[str]:
        for game, row in zip(games, rows, strict=True):
            yield voice.say("import.done", game=short(game.id), count=row.entries, new=row.new)
            yield "  " + to_act(voice, game)

    unproven = filter(None, (_left_open(report) for report in reports))
    kept = (Phrase("import.kept_apart", {"game": short(stream)}) for stream in apart)
    return Answered(lambda: ImportAnswer(games=rows), render, warnings=(*unproven, *kept))


def _photos(record: RecordFile, arrivals: Sequence[Arrival]) -> Iterator[Attachment]:
    """The photographs of a record from elsewhere, as far as it names them and erases none."""
    games = [arrival.report.game for arrival in arrivals if arrival.report.stream == record.stream]
    named = {photo.digest for game in games if game is not None for photo in game.photos.values()}
    for digest, content in record.photos.items():
        if digest not in named:
            raise Unfit("photo_other", digest=digest[:16])
        photo = adopt_photo(content, digest)
        if any(game is not None and game.shows(digest) for game in games):
            yield Attachment(photo.content, photo.small)


def take_records_for(
    caller: Caller, records: Local[Sequence[RecordFile]], *, continues: bool = False
) -> Answered[ImportAnswer]:
    """The same over HTTP: records that no organiser uploads are kept apart."""
    trusts = caller.author.role == "organiser"
    return take_records(caller, records, continues=continues, trusts=trusts)


def _stays_apart(caller: Caller, arrival: Arrival, trusts: bool) -> bool:
    """Whether a record that is new here has to wait for an organiser.

    One whose verdicts cannot be computed again always does. At a table of an event that is held
    here sits only what an organiser brings, and only if it fits that table.
    """
    report, game = arrival.report, arrival.report.game
    if len(arrival.new) < report.entries:
        return False  # it goes on with what is here, as that stands
    if game is None or any(key == "verdicts" for key, _ in report.unproven):
        return True
    if _names_event_here(caller, game):
        return caller.author.role != "organiser" or not caller.store_context.desk.fits(game)
    return not trusts


def _names_event_here(caller: Caller, game: Game) -> bool:
    event, _, _ = game.opened.tournament.partition("/")
    return bool(event) and caller.store_context.desk.has(event)


@operation("import-accept", "POST /games/{game}/acceptance", grant=ORGANISER)
def accept(caller: Caller, game_id: str) -> Answered[AcceptedAnswer]:
    """Accept a record that was kept apart: from now on it counts."""
    if caller.author.role not in ACCEPT:
        raise NotAllowed("role_may_not", role=caller.author.role, roles=list(ACCEPT))
    game = caller.whole(game_id)
    at_event = is_apart(caller.store_context.store, game_id) and _names_event_here(caller, game)
    if at_event and not caller.store_context.desk.fits(game):
        raise Unfit("not_that_table", game=short(game_id), table=game.opened.tournament)
    take_in_apart(caller.store_context.store, game_id, author=caller.author)
    return Answered(
        lambda: AcceptedAnswer(game=game_id),
        lambda voice: [voice.say("import.accepted", game=short(game_id))],
    )


def _left_open(report: VerificationReport) -> Phrase | None:
    """What was taken in without being proven: what another version judged."""
    found = [(key, facts) for key, facts in report.unproven if key in ("verdicts", "differences")]
    if not found:
        return None
    (key, facts), *_ = found
    what = Phrase(f"unproven.{key}", facts)
    return Phrase("import.left_open", {"game": short(report.stream), "what": what})
