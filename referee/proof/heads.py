"""Published heads: a code that fits on a score sheet.

The first 80 bits of the head in Crockford's base 32, in four groups, and a check letter:
``7Q3F-0KTM-2VXA-93ZH-7``. Letters that look like digits are read as those digits.
"""

from __future__ import annotations

from referee.errors import Unfit

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LETTERS = 16
_CHECK = 29
"""A prime that shares nothing with the base: it shows one wrong letter, and two swapped."""
_LOOKALIKES = str.maketrans({"O": "0", "I": "1", "L": "1"})


def head_code(head: str) -> str:
    value = int(head[:20], 16)
    letters = "".join(ALPHABET[value >> (5 * place) & 31] for place in range(LETTERS - 1, -1, -1))
    groups = [letters[start : start + 4] for start in range(0, LETTERS, 4)]
    return "-".join([*groups, ALPHABET[value % _CHECK]])


def head_prefix(text: str) -> str:
    """The beginning of the head that a code, or hexadecimal digits, stand for."""
    word = text.strip()
    if len(word) >= 6 and all(sign in "0123456789abcdefABCDEF" for sign in word):
        return word.lower()
    letters = word.upper().replace("-", "").replace(" ", "").translate(_LOOKALIKES)
    if len(letters) != LETTERS + 1 or any(letter not in ALPHABET for letter in letters):
        raise Unfit("not_a_head", text=text[:40])
    value = 0
    for letter in letters[:-1]:
        value = value << 5 | ALPHABET.index(letter)
    if ALPHABET[value % _CHECK] != letters[-1]:
        raise Unfit("head_mistyped", text=text[:40])
    return f"{value:020x}"
