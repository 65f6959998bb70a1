"""Administration of stores: create, check, replicate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

from answers.admin.maintenance import CheckRow, lines_of, looked_at, outcome_of, rows_of
from answers.answer import Answered, Data
from answers.i18n import Voice
from referee.store import open_store
from referee.store.maintenance.backup import accept_loss
from referee.store.maintenance.init import init as make_store
from referee.store.maintenance.replicate import Progress
from referee.store.maintenance.replicate import copy as copy_entries
from referee.store.urls import has_boxes, open_boxes, open_people


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


def copy(
    store_url: str, target_url: str, *, names: bool = True, progress: Progress | None = None
) -> Answered[StoreCopyAnswer]:
    """Replicate this store into another; an interrupted copy resumes where it stopped."""
    with (
        closing(open_store(store_url, create=False)) as source,
        closing(open_store(target_url)) as target,
    ):
        copied = copy_entries(source, target, progress)
    people = _copy_names(store_url, target_url) if names else None
    if has_boxes(store_url):
        _copy_boxes(store_url, target_url)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("stores.copied", count=copied.entries, new=copied.new)
        if people is not None:
            yield voice.say("stores.names_copied", count=people)

    return Answered(
        lambda: StoreCopyAnswer(entries=copied.entries, new=copied.new, names=people), render
    )


def _copy_names(store_url: str, target_url: str) -> int:
    with (
        closing(open_people(store_url)) as source,
        closing(open_people(target_url)) as target,
    ):
        return source.copy_to(target)


def _copy_boxes(store_url: str, target_url: str) -> None:
    with (
        closing(open_boxes(store_url)) as source,
        closing(open_boxes(target_url)) as target,
    ):
        source.copy_to(target)
