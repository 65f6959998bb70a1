"""Backup, restore, and the health check ``doctor``."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

from answers.answer import Answered, Data
from answers.declaration import operation
from answers.i18n import Voice
from answers.permissions import NOBODY, ORGANISER
from answers.problems import problem_of
from answers.verdict_text import short
from engines.kernel.messages.catalogue import Phrase, Spoken, Verbatim
from engines.kernel.registry import engine_ids, load_engine
from referee.archive.named_photos import LostPhoto, everything, lost_photos, named_photos, photos_of
from referee.errors import Unfit
from referee.store import open_store
from referee.store.envelopes import StoreError
from referee.store.maintenance.backup import SIDECARS, check_by_restoring, is_older, lacks
from referee.store.maintenance.backup import backup as make_backup
from referee.store.maintenance.backup import restore as restore_store
from referee.store.maintenance.health import doctor as examine
from referee.store.maintenance.health import sqlite_version
from referee.store.sqlite.files import sqlite_path, sqlite_url
from referee.store.urls import has_attachments, is_postgres
from referee.untrusted.optional_packages import how_to_add

EXTRAS = {
    "shell": "prompt_toolkit",
    "pictures": "resvg_py",
    "pdf": "typst",
    "tournament": "networkx",
    "fide": "gacrux",
    "sight": "cv2",
    "keys": "cryptography",
    "postgres": "psycopg",
    "web": "starlette",
}
"""What can be installed besides, and a package that shows whether it is."""
MOST_COPIES = 24
_COPY = "referee-"
_COPIED = re.compile(rf"{_COPY}\d{{8}}-\d{{6}}\.db")
_SIGNS = {"ok": ("✔", "good"), "warn": ("!", "unsure"), "fail": ("✘", "bad")}


class BackupAnswer(Data):
    file: str
    bytes: int
    left_out: list[str]
    """What stands beside the records and cannot be read: names, boxes, photographs, rules."""
    photos_missing: list[str]
    """Photographs that records name and that are not in the backup as they were."""


class RehearsedAnswer(BackupAnswer):
    entries: int
    """So many came back when the copy was restored elsewhere, for a trial."""
    removed: list[str]
    """Older copies of the same kind that have gone."""


class RestoreAnswer(Data):
    store: str
    games: int
    missing: int
    """How many entries the store that was there before had besides, if it is known."""


class CheckRow(Data):
    check: str
    level: Literal["ok", "warn", "fail"]
    message: str
    fix: str | None


class DoctorAnswer(Data):
    checks: list[CheckRow]


class _Made(NamedTuple):
    """A backup, and what is not in it although it should be."""

    entries: int
    left_out: dict[str, StoreError]
    lost: list[LostPhoto]

    @property
    def warnings(self) -> Iterator[Phrase]:
        for name, error in self.left_out.items():
            facts = {"what": Phrase(f"backup.beside_{name}"), "problem": error.phrase}
            yield Phrase("backup.left_out", facts)
        if self.lost:
            yield _photos_missing(self.lost)

    def facts(self, target: Path) -> dict[str, Any]:
        return {
            "file": str(target),
            "bytes": target.stat().st_size,
            "left_out": [*self.left_out],
            "photos_missing": [_named(photo) for photo in self.lost],
        }


def _made(store_url: str, target: Path) -> _Made:
    left_out: dict[str, StoreError] = {}
    entries = make_backup(store_url, target.absolute(), left_out=left_out)
    return _Made(entries, left_out, _lost_of(sqlite_url(target.absolute())))


@operation("backup", grant=NOBODY)
def backup(store_url: str, target: Path) -> Answered[BackupAnswer]:
    """A consistent copy of the store, while it is in use; it is verified."""
    made = _made(store_url, target)
    facts = made.facts(target)
    return Answered(
        lambda: BackupAnswer(**facts),
        lambda voice: [voice.say("backup.done", **facts)],
        warnings=tuple(made.warnings),
    )


@operation("backup-rehearsed", grant=NOBODY)
def rehearsed_backup(
    store_url: str, folder: Path, moment: datetime, *, most: int = MOST_COPIES
) -> Answered[RehearsedAnswer]:
    """A backup named by its time and restored once as a test; older ones are pruned (retention).

    Older ones that have what this one lacks stay.
    """
    target = folder / f"{_COPY}{moment:%Y%m%d-%H%M%S}.db"
    made = _made(store_url, target)
    entries = check_by_restoring(target.absolute())
    if entries != made.entries:
        raise Unfit("rehearsal_failed", file=str(target), count=entries, copied=made.entries)
    facts = made.facts(target)
    removed = _forget_older(folder, most, made)
    return Answered(
        lambda: RehearsedAnswer(**facts, entries=entries, removed=removed),
        lambda voice: [voice.say("backup.rehearsed", **facts, count=entries)],
        warnings=tuple(made.warnings),
    )


def _forget_older(folder: Path, most: int, made: _Made) -> list[str]:
    """Delete older backups made this way; nothing else in the folder is touched."""
    found = sorted(file for file in folder.iterdir() if _COPIED.fullmatch(file.name))
    older = found[: max(0, len(found) - most)]
    gone = [file for file in older if not _has_more(file.absolute(), made)]
    for file in gone:
        for beside in (file, *(where(file) for where in SIDECARS)):
            beside.unlink(missing_ok=True)
    return [str(file) for file in gone]


def _has_more(file: Path, made: _Made) -> bool:
    """Whether an older backup has something that the newest lacks."""
    if any(not lacks(file, name) for name in made.left_out):
        return True
    if not made.lost or lacks(file, "photographs"):
        return False
    with (
        closing(open_store(sqlite_url(file), create=False)) as store,
        closing(photos_of(store)) as photos,
    ):
        return any(photos.state(lost.game, lost.digest) == "there" for lost in made.lost)


def before_upgrade(store_url: str) -> Answered[BackupAnswer] | None:
    """A copy of a store that an older version has written, before this one changes it."""
    if not is_older(store_url):
        return None
    path, number = sqlite_path(store_url), 1
    while (target := path.with_name(f"{path.stem}.before-{number}.db")).exists():
        number += 1
    return backup(store_url, target).with_text(
        lambda voice: [voice.say("backup.before_upgrade", file=str(target))]
    )


@operation("restore", grant=NOBODY)
def restore(
    store_url: str, source: Path, *, over: bool = False, names: bool = False
) -> Answered[RestoreAnswer]:
    """A store from a backup; ``over``: in the place of the one that is there, which is kept.

    Names, boxes and tokens that are there stay then, unless ``names`` asks for those of the backup.
    """
    restored = restore_store(source.absolute(), store_url, over=over, names=names or not over)
    store = open_store(store_url)
    games = len(store.streams("game-"))
    store.close()
    missing = Phrase("restore.missing", {"count": restored.missing})

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("restore.done", file=str(source), count=games)
        if restored.aside is not None:
            yield voice.say("restore.aside", file=str(restored.aside))

    return Answered(
        lambda: RestoreAnswer(store=store_url, games=games, missing=restored.missing),
        render,
        warnings=(missing,) if restored.missing else (),
    )


class Looked(NamedTuple):
    name: str
    level: Literal["ok", "warn", "fail"]
    message: Spoken
    fix: Spoken | None = None


@operation("doctor", "GET /doctor", grant=ORGANISER, slow=True)
def doctor(store_url: str, voice: Voice) -> Answered[DoctorAnswer]:
    """What could endanger this installation or its store; the data speaks in this voice."""
    checks = [*_checks(store_url, voice)]

    return Answered(
        lambda: DoctorAnswer(checks=rows_of(checks, voice)),
        lambda voice: lines_of(checks, voice),
        outcome_of(checks),
    )


def about_workers(store_url: str, voice: Voice) -> list[str]:
    """What speaks against several processes that write to this store."""
    found = sqlite_version()
    if is_postgres(store_url) or found.level == "ok":
        return []
    told = (key for key in (found.message, found.fix) if key is not None)
    return [voice.say(key, **found.facts) for key in told]


def looked_at(store_url: str) -> Iterator[Looked]:
    """Health check of one store."""
    for found in examine(store_url):
        facts = found.facts
        if "extra" in facts:
            facts = {**facts, "command": how_to_add(str(facts["extra"]))}
        fix = Phrase(found.fix, facts) if found.fix is not None else None
        yield Looked(found.name, found.level, Phrase(found.message, found.facts), fix)
    yield from _missing_photos(store_url)


def _missing_photos(store_url: str) -> Iterator[Looked]:
    """Photographs that records name and that are not here; those that were altered are named by
    the store itself, which knows no records."""
    try:
        lost = _lost_of(store_url)
    except StoreError:  # what is wrong with it was told
        return
    if missing := [photo for photo in lost if photo.state == "missing"]:
        yield Looked("photos", "warn", _photos_missing(missing), Phrase("doctor.fix.photos"))


def _lost_of(store_url: str) -> list[LostPhoto]:
    """The photographs that records of a store name and that are not there as they were."""
    with closing(open_store(store_url, create=False)) as store, ExitStack() as opened:
        attachments = None
        if has_attachments(store_url):
            attachments = opened.enter_context(closing(photos_of(store)))
        return [*lost_photos(attachments, named_photos(everything(store)))]


def _photos_missing(lost: Sequence[LostPhoto]) -> Phrase:
    named = [Verbatim(_named(photo)) for photo in lost[:5]]
    return Phrase("doctor.photos_missing", {"count": len(lost), "photos": named})


def _named(photo: LostPhoto) -> str:
    return f"{short(photo.game)} {photo.id}"


def rows_of(checks: Sequence[Looked], voice: Voice) -> list[CheckRow]:
    return [
        CheckRow(
            check=check.name,
            level=check.level,
            message=voice.spoken(check.message),
            fix=voice.spoken(check.fix) if check.fix is not None else None,
        )
        for check in checks
    ]


def lines_of(checks: Sequence[Looked], voice: Voice) -> Iterator[str]:
    for check in checks:
        sign, style = _SIGNS[check.level]
        level = voice.say(f"level.{check.level}")
        yield f"{voice.mark(style, sign)} {level}  {voice.spoken(check.message)}"
        if check.fix is not None:
            yield f"      → {voice.spoken(check.fix)}"


def outcome_of(checks: Sequence[Looked]) -> Literal["done", "invalid"]:
    return "invalid" if any(check.level == "fail" for check in checks) else "done"


def _checks(store_url: str, voice: Voice) -> Iterator[Looked]:
    yield Looked("python", "ok", Verbatim(f"Python {platform.python_version()}"))
    yield from looked_at(store_url)
    for game in engine_ids():
        yield _engine(game, voice)
    for name, module in EXTRAS.items():
        yield _extra(name, module)


def _engine(game: str, voice: Voice) -> Looked:
    """An engine whose files cannot be read must not stop the others."""
    try:
        engine = load_engine(game)
        for sheet in engine.kits.values():
            engine.read_kit(sheet)
        facts = {"game": game, "version": engine.version, "clauses": len(engine.clauses)}
    except Exception as error:
        told = problem_of(error, voice).message
        return Looked(f"engine.{game}", "fail", Verbatim(voice.labelled(game, told)))
    return Looked(f"engine.{game}", "ok", Phrase("doctor.engine", facts))


def _extra(name: str, module: str) -> Looked:
    check = f"extra.{name}"
    if find_spec(module) is not None:
        return Looked(check, "ok", Phrase("doctor.extra", {"extra": name}))
    missing = Phrase("doctor.extra_missing", {"extra": name})
    return Looked(check, "warn", missing, Verbatim(how_to_add(name)))
