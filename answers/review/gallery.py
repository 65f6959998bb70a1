"""Pictures of every game, and a page that shows them."""

from __future__ import annotations

from answers.answer import Answered, Data
from answers.declaration import operation
from answers.permissions import NOBODY
from replays.gallery import gallery as drawn

__all__ = ["drawn", "written"]


class GalleryAnswer(Data):
    files: list[str]


@operation("gallery", grant=NOBODY)
def written(files: list[str]) -> Answered[GalleryAnswer]:
    """The answer to a gallery that was written; the page is its last file."""
    return Answered(
        lambda: GalleryAnswer(files=files),
        lambda voice: [voice.say("gallery.done", count=len(files), file=files[-1])],
    )
