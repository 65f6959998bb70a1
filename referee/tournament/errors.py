"""A step that a tournament cannot take from where it stands."""

from __future__ import annotations

from engines.kernel.messages.package_data import KERNEL_WORDS, read_words
from referee.errors import RefereeError

WORDS = read_words("referee.tournament", read_words("referee", KERNEL_WORDS))


class NotPossible(RefereeError):
    """A message of this folder's own catalogue tells it."""

    words = WORDS
