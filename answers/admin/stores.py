"""Administration of stores: create, check, replicate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from answers.admin.maintenance import CheckRow, lines_of, looked_at, outcome_of, rows_of
from answers.answer import Answered, Data
from answers.declaration import operation
from answers.i18n import Voice
from answers.permissions import NOBODY
from engines.kernel.messages.catalogue import Phrase
from referee.archive.named_photos import photos_of
from referee.store import open_store, urls
from referee.store.maintenance.backup import accept_loss
from referee.store.maintenance.init import init as make_store
from referee.store.maintenance.repair import repair as repair_store
from referee.store.maintenance.replicate import Progress
from referee.store.maintenance.replicate import copy as copy_entries


class InitAnswer(Data):
    store: str
    """The name of the store, without a password."""
    created: bool
    writers: list[str]
    """Who was let read and append, besides the owner."""


class StoreCheckAnswer(Data):
    checks: list[CheckRow]
    accepted: int | None
    """How many entries the store has from now on, if what is missing was given up."""


class StoreCopyAnswer(Data):
    entries: int
    new: int
    names: int | None
    """How many people were brought along; ``None`` if they were not."""


@operation("store-init", grant=NOBODY)
def init(store_url: str, writers: Sequence[str] = ()) -> Answered[InitAnswer]:
    """Create the store, if it does not exist (idempotent)."""
    made = make_store(store_url, writers)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("stores.made" if made.created else "stores.there", store=made.name)
        if made.writers:
            yield voice.say("stores.writers", writers=made.writers)

    return Answered(
        lambda: InitAnswer(store=made.name, created=made.created, writers=list(made.writers)),
        render,
    )


@operation("store-check", grant=NOBODY)
def check(store_url: str, voice: Voice, *, accept: bool = False) -> Answered[StoreCheckAnswer]:
    """Health check of the store; ``accept`` first gives up entries that are known to be lost."""
    accepted = accept_loss(store_url) if accept else None
    checks = [*looked_at(store_url)]

    def render(voice: Voice) -> Iterator[str]:
        if accepted is not None:
            yield voice.say("stores.accepted", count=accepted)
        yield from lines_of(checks, voice)

    return Answered(
        lambda: StoreCheckAnswer(checks=rows_of(checks, voice), accepted=accepted),
        render,
        outcome_of(checks),
    )


class BrokenRecord(Data):
    record: str
    entry: int
    """The first one that cannot be trusted."""
    problem: str
    set_aside: int
    """How many entries do not go along, from that one on."""


class StoreRepairAnswer(Data):
    entries: int
    records: int
    broken: list[BrokenRecord]
    unreadable: int
    """So many entries are gone: the disk does not give back one byte of them."""
    file: str | None
    """The new store; ``None`` if nothing was made."""
    set_aside: str | None
    """The file with what could be read and does not hold."""


@operation("store-repair", grant=NOBODY)
def repair(store_url: str, target: Path | None = None) -> Answered[StoreRepairAnswer]:
    """What can be trusted of a damaged store; with a ``target``, a new store made of it."""
    found = repair_store(store_url, target.absolute() if target is not None else None)
    rows = [
        BrokenRecord(record=at.stream, entry=at.seq, problem=at.key, set_aside=count)
        for at, count in found.broken.items()
    ]
    file = str(target) if target is not None else None

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("repair.sound", count=found.entries, records=found.records)
        for row in rows:
            problem = Phrase(f"store.{row.problem}", {"stream": row.record, "seq": row.entry})
            yield voice.spoken(problem)
            yield "  " + voice.say("repair.behind", count=row.set_aside)
        if found.unreadable:
            yield voice.say("repair.unreadable", count=found.unreadable)
        yield voice.say("repair.made", file=file) if file else voice.say("repair.nothing_made")
        if aside is not None:
            yield voice.say("repair.set_aside", file=aside)

    aside = str(found.leftover) if found.leftover is not None else None
    return Answered(
        lambda: StoreRepairAnswer.made_of(found, broken=rows, file=file, set_aside=aside),
        render,
        "invalid" if (rows or found.unreadable) and target is None else "done",
    )


@operation("store-copy", grant=NOBODY)
def copy(
    store_url: str, target_url: str, *, names: bool = True, progress: Progress | None = None
) -> Answered[StoreCopyAnswer]:
    """Replicate this store into another; an interrupted copy resumes where it stopped."""
    with (
        closing(open_store(store_url, create=False)) as source,
        closing(open_store(target_url)) as target,
    ):
        copied = copy_entries(source, target, progress)
        if urls.has_attachments(store_url):
            with closing(photos_of(source)) as photos, closing(photos_of(target)) as theirs:
                photos.copy_to(theirs)
    people = _copy_beside(urls.open_people, store_url, target_url) if names else None
    for is_there, opening in (
        (urls.has_boxes, urls.open_boxes),
        (urls.has_access, urls.open_access),
    ):
        if is_there(store_url):
            _copy_beside(opening, store_url, target_url)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("stores.copied", count=copied.entries, new=copied.new)
        if people is not None:
            yield voice.say("stores.names_copied", count=people)

    return Answered(lambda: StoreCopyAnswer.made_of(copied, names=people), render)


def _copy_beside(opening: Callable[[str], Any], store_url: str, target_url: str) -> int:
    """Copy a sidecar file (names, boxes, access rules); how much is new."""
    with closing(opening(store_url)) as source, closing(opening(target_url)) as target:
        copied: int = source.copy_to(target)
        return copied
