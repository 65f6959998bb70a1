"""How things from outside are bent: data, words and bytes."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

from referee.store import GENESIS, NotCanonical, canonical, digest

JUNK: tuple[Any, ...] = (
    *(None, True, 0, 1, -1, 2**53, 10**30, 1.5),
    *("", "x", "A", "#", "<b>", "\u202e", "a" * 300),
    *([], {}, [[]], {"a": 1}, ["A"]),
)
ODD_WORDS = (
    *("", " ", "-", "--", "-1", "0", "007", "1.5", "1e9", "NaN", "null", "true", "9" * 400),
    *("=", "A=", "=A", "a=b=c", ",", ":", ";", "@", "#", "#0", "/", "+", "|", "*", "?", "\\", "%s"),
    *("{", "}", "{0}", "{}", "[]", "[", '{"verb":', '"', "'", "<b>", "`id`", "$HOME", "../..", "~"),
    *("²", "½", "٣", "Ⅳ", "ſ", "İ", "ß", "\u0301", "\u200d", "\u202e", "\ufeff", "\ud800", "🜁"),
    *("\x00", "\x07", "\x1b[31m", "\x7f", "\x85", "\u2028", "\t", "\n", "\r", "x" * 5000),
)
ODD_BYTES = (
    *(
        b"\x00",
        b"\xff",
        b"\xc0\xaf",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"\x1b[2J",
        b"\r\n",
        b"\n\n",
    ),
    *(
        b'"',
        b"'",
        b"[",
        b"]",
        b"{",
        b"}",
        b"=",
        b",",
        b".",
        b":",
        b"#",
        b"\\",
        b"\\u0000",
        b"\\ud800",
    ),
    *(b"[" * 100, b"{" * 100, b"9" * 100, b"1e400", b"NaN", b"nan", b"1979-05-27", b"'''", b'"""'),
    *(b"<script>", b"<!--", b"-->", b"</script>", b"=cmd|' /C calc'!A0", b"a" * 3000),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in the data something could be put."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inside:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from places(item, (*path, key))


def mangled(
    data: dict[str, Any], chance: random.Random, junk: Sequence[Any] = JUNK
) -> dict[str, Any]:
    """The same data with something taken out, replaced or put in."""
    data = copy.deepcopy(data)
    *above, last = chance.choice(list(places(data)))
    table: Any = data
    for key in above:
        table = table[key]
    change = chance.random()
    if change < 0.2:
        del table[last]
    elif change < 0.9 or isinstance(table, list):
        table[last] = copy.deepcopy(chance.choice(junk))
    else:
        table["more"] = copy.deepcopy(chance.choice(junk))
    return data


def mangled_word(word: str, chance: random.Random) -> str:
    """A word with a letter or two more, less, twice or other."""
    for _ in range(chance.randint(1, 2)):
        at = chance.randrange(len(word) + 1)
        letter = chance.choice((*"ABZabz019=:@,.-/ ", *ODD_WORDS[-20:-1]))
        keep = at + chance.choice((0, 1))
        word = chance.choice(
            (word[:at] + letter + word[keep:], word[:at] + word[keep:], word + word)
        )
        word = word[:10_000]
    return word


def mangled_bytes(content: bytes, chance: random.Random) -> bytes:
    """A file with parts of it lost, twice, elsewhere, flipped or replaced."""
    for _ in range(chance.randint(1, 3)):
        start = chance.randrange(len(content) + 1)
        end = min(len(content), start + chance.choice((0, 1, 1, 2, 10, 100, 5000)))
        part = content[start:end]
        other = chance.choice(
            (b"", part + part, part[::-1], chance.choice(ODD_BYTES), _flipped(part, chance))
        )
        content = content[:start] + other + content[end:]
        if chance.random() < 0.05:
            content = content[:start]
    return content


def _flipped(part: bytes, chance: random.Random) -> bytes:
    if not part:
        return bytes([chance.randrange(256)])
    at = chance.randrange(len(part))
    return part[:at] + bytes([part[at] ^ 1 << chance.randrange(8)]) + part[at + 1 :]


def forged(bodies: Any, **changes: Any) -> list[bytes]:
    """The lines of a record: whoever forges one knows how to chain it."""
    lines, previous = [], GENESIS
    for body in bodies if isinstance(bodies, list) else ():
        line = _written({**body, "prev": previous, **changes} if isinstance(body, dict) else body)
        lines.append(line + b"\n")
        previous = digest(line)
    return lines


def _written(body: Any) -> bytes:
    try:
        return canonical(body)
    except NotCanonical:
        return json.dumps(body).encode()
