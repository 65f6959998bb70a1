"""A step that a tournament cannot take from where it stands."""

from __future__ import annotations

from engines.kernel.data import KERNEL_WORDS, read_words
from referee.errors import RefereeError

WORDS = read_words("referee.tournament", read_words("referee", KERNEL_WORDS))


class NotPossible(RefereeError):
    """``key`` names a message of ``words.toml`` (``error.<key>``), ``facts`` fill it in."""

    exit_code = 5
    words = WORDS
