"""Ids of records, people and tokens: a word and random letters, or letters of a hash."""

from __future__ import annotations

import secrets
from base64 import b32encode
from hashlib import sha256

_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def new_id(prefix: str = "", letters: int = 8) -> str:
    return prefix + "".join(secrets.choice(_LETTERS) for _ in range(letters))


def letters_of(text: str) -> str:
    """Eight letters derived from a hash of the text: the same text always gives the same id."""
    return b32encode(sha256(text.encode()).digest()).decode().lower()[:8]
