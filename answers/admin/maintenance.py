"""Backup, restore, and the health check ``doctor``."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple

from answers.answer import Answered, Data
from answers.declaration import operation
from answers.i18n import Voice
from answers.permissions import NOBODY, ORGANISER
from answers.problems import problem_of
from answers.verdict_text import short
from engines.kernel.messages.catalogue import Phrase, Spoken, Verbatim
from engines.kernel.registry import engine_ids, load_engine
from referee.archive.named_photos import everything, lost_photos
from referee.errors import Unfit
from referee.store import open_store
from referee.store.envelopes import StoreError
from referee.store.maintenance.backup import SIDECARS, check_by_restoring, is_older
from referee.store.maintenance.backup import backup as make_backup
from referee.store.maintenance.backup import restore as restore_store
from referee.store.maintenance.health import doctor as examine
from referee.store.sqlite.files import sqlite_path
from referee.store.urls import has_attachments, open_attachments
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


@operation("backup", grant=NOBODY)
def backup(store_url: str, target: Path) -> Answered[BackupAnswer]:
    """A consistent copy of the store, while it is in use; it is verified."""
    make_backup(store_url, target.absolute())
    file, size = str(target), target.stat().st_size
    return Answered(
        lambda: BackupAnswer(file=file, bytes=size),
        lambda voice: [voice.say("backup.done", file=file, bytes=size)],
    )


@operation("backup-rehearsed", grant=NOBODY)
def rehearsed_backup(
    store_url: str, folder: Path, moment: datetime, *, most: int = MOST_COPIES
) -> Answered[RehearsedAnswer]:
    """A backup named by its time and restored once as a test; older ones are pruned (retention)."""
    target = folder / f"{_COPY}{moment:%Y%m%d-%H%M%S}.db"
    copied = make_backup(store_url, target.absolute())
    entries = check_by_restoring(target.absolute())
    if entries != copied:
        raise Unfit("rehearsal_failed", file=str(target), count=entries, copied=copied)
    file, size = str(target), target.stat().st_size
    removed = _forget_older(folder, most)
    return Answered(
        lambda: RehearsedAnswer(file=file, bytes=size, entries=entries, removed=removed),
        lambda voice: [voice.say("backup.rehearsed", file=file, bytes=size, count=entries)],
    )


def _forget_older(folder: Path, most: int) -> list[str]:
    """Delete older backups made this way; nothing else in the folder is touched."""
    found = sorted(file for file in folder.iterdir() if _COPIED.fullmatch(file.name))
    gone = found[: max(0, len(found) - most)]
    for file in gone:
        for beside in (file, *(where(file) for where in SIDECARS)):
            beside.unlink(missing_ok=True)
    return [str(file) for file in gone]


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
        with closing(open_store(store_url, create=False)) as store, ExitStack() as opened:
            attachments = None
            if has_attachments(store_url):
                attachments = opened.enter_context(closing(open_attachments(store_url)))
            lost = [*lost_photos(attachments, everything(store))]
    except StoreError:  # what is wrong with it was told
        return
    missing = [f"{short(photo.game)} {photo.id}" for photo in lost if photo.state == "missing"]
    if missing:
        facts = {"count": len(missing), "photos": [*map(Verbatim, missing[:5])]}
        told = Phrase("doctor.photos_missing", facts)
        yield Looked("photos", "warn", told, Phrase("doctor.fix.photos"))


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
