"""The error of a tournament command that is not possible in the current state."""

from __future__ import annotations

from engines.kernel.messages.package_data import KERNEL_WORDS, read_words
from referee.errors import RefereeError

WORDS = read_words("referee.tournament", read_words("referee", KERNEL_WORDS))


class NotPossible(RefereeError):
    """A command that the current state does not allow; worded by this folder's catalogue."""

    words = WORDS
