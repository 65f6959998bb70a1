"""The error of something that does not fit a season."""

from __future__ import annotations

from engines.kernel.messages.package_data import read_words
from referee.tournament.errors import WORDS, NotPossible


class SeasonRefused(NotPossible):
    """Worded by this folder's catalogue."""

    words = read_words("referee.season", WORDS)
