"""Published heads: a code that fits on a score sheet.

The first 80 bits of the head in Crockford's base 32, in four groups, and a check letter:
``7Q3F-0KTM-2VXA-93ZH-7``. Letters that look like digits are read as those digits. The head
itself, in hexadecimal digits, is recognised by its length: a code has 17 letters.
"""

from __future__ import annotations

from referee.errors import Unfit

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LETTERS = 16
LEAST_DIGITS = 20
"""Fewer hexadecimal digits than a code stands for prove nothing: others could be found to fit."""
WHOLE = 64
_CHECK = 29
"""A prime that shares nothing with the base: it shows one wrong letter, and two swapped."""
_LOOKALIKES = str.maketrans({"O": "0", "I": "1", "L": "1"})
_DIGITS = frozenset("0123456789abcdef")


def head_code(head: str) -> str:
    value = int(head[:LEAST_DIGITS], 16)
    letters = "".join(ALPHABET[value >> (5 * place) & 31] for place in range(LETTERS - 1, -1, -1))
    groups = [letters[start : start + 4] for start in range(0, LETTERS, 4)]
    return "-".join([*groups, ALPHABET[value % _CHECK]])


def head_prefix(text: str) -> str:
    """Parse a code, or hexadecimal digits, into a prefix of the head."""
    word = "".join(text.split()).replace("-", "")
    if len(word) == LETTERS + 1:
        return _decoded(text, word.upper().translate(_LOOKALIKES))
    digits = word.lower()
    if not digits or not _DIGITS.issuperset(digits) or len(digits) > WHOLE:
        raise Unfit("not_a_head", text=text[:40])
    if len(digits) < LEAST_DIGITS:
        raise Unfit("head_too_short", text=text[:40], least=LEAST_DIGITS)
    return digits


def _decoded(text: str, letters: str) -> str:
    if any(letter not in ALPHABET for letter in letters):
        raise Unfit("not_a_head", text=text[:40])
    value = 0
    for letter in letters[:-1]:
        value = value << 5 | ALPHABET.index(letter)
    if ALPHABET[value % _CHECK] != letters[-1]:
        raise Unfit("head_mistyped", text=text[:40])
    return f"{value:0{LEAST_DIGITS}x}"
