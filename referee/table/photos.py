"""Photographs of the real table: added to a moment or a dispute, and erased.

The picture is stored before the entry that names it: a record never names what is not there.
"""

from __future__ import annotations

from referee.errors import Conflicting, NotAllowed
from referee.record.entries import PhotoErased, Photographed, seat_of
from referee.record.game import Game
from referee.store.sidecars.attachments import Attachment, Attachments
from referee.table.author import BY_SCRIBE, By
from referee.table.bench import Answer, Bench, once
from referee.untrusted.photos import Photo

MOST_OF_A_GAME = 60
MOST_OF_A_STORE = 4 * 1024**3
"""Bytes."""


@once(Photographed)
def photograph(
    bench: Bench,
    game: Game,
    attachments: Attachments,
    photo: Photo,
    *,
    at: int | None = None,
    dispute: str | None = None,
    only: str | None = None,
    about: str = "",
    caption: str = "",
    by: By = BY_SCRIBE,
) -> Answer:
    """Add a photograph: of what is now, of action ``at``, or of what a dispute is about."""
    if len(game.standing_photos) >= MOST_OF_A_GAME:
        raise Conflicting("photos_full", limit=MOST_OF_A_GAME)
    check_whose(only, by.author.recorded)
    attachment = Attachment(photo.content, photo.small)
    entry = Photographed(
        id=f"f{len(game.photos) + 1}",
        digest=attachment.digest,
        size=len(photo.content),
        width=photo.width,
        height=photo.height,
        number=_moment(game, at, dispute),
        dispute=dispute,
        only=only,
        about=about,
        caption=caption,
    )
    bench.attempt(game, [entry], by)  # what is refused stores no picture
    known = {photo.digest for photo in game.photos.values()}
    if entry.digest in known and not game.shows(entry.digest):
        raise Conflicting("photo_was_erased")
    store_photo(attachments, game.id, attachment)
    return bench.tell(game, [entry], by)


def store_photo(attachments: Attachments, game_id: str, attachment: Attachment) -> None:
    """Store a picture of a game within the quota; one that the game has erased stays erased."""
    if attachments.state(game_id, attachment.digest) != "missing":
        return
    size = len(attachment.content) + len(attachment.small)
    if attachments.bytes_used() + size > MOST_OF_A_STORE:
        raise Conflicting("photos_fill_store", limit=MOST_OF_A_STORE // 1024**2)
    attachments.add(game_id, attachment)


def _moment(game: Game, at: int | None, dispute: str | None) -> int:
    """The action that it is about: the one said, the dispute's, or the last one that counts."""
    if at is not None:
        return at
    if dispute is not None and (numbers := game.dispute_named(dispute).numbers):
        return numbers[-1]
    return game.last_counting


def check_whose(only: str | None, role: str) -> None:
    """A seat may keep a photograph to itself, and to nobody else."""
    if only is not None and seat_of(role) not in (None, only):
        raise NotAllowed("own_seat_only", role=role, seat=only)


@once(PhotoErased)
def erase_photo(
    bench: Bench, game: Game, photo: str, *, reason: str = "", by: By = BY_SCRIBE
) -> Answer:
    """Record that a photograph is erased; whoever calls this then forgets the picture, unless
    another photograph of the game is the same."""
    game.photo_named(photo)
    return bench.tell(game, [PhotoErased(id=photo, reason=reason)], by)
