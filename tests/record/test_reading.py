"""JSON from outside: what is harmless is taken, however it is written."""

from __future__ import annotations

from itertools import product

import pytest

from referee.proof.verify import _read
from referee.store.canonical_json import encoded
from referee.untrusted.safe_json import MAX_DEPTH, UnsafeJson, read_json


@pytest.mark.parametrize("line", ['"a\u202fb"', '"\\u00e9"', '"a\\tb\\n"', '{"a":"[[{\\"["}'])
def test_harmless_texts_are_taken(line: str) -> None:
    assert read_json(line.encode()) is not None


@pytest.mark.parametrize("line", ['"\\b"', '"\\f"', '"\\r"', '"\\u001b"', '"\\u202E"', '"\u2066"'])
def test_control_characters_are_refused_however_they_are_written(line: str) -> None:
    with pytest.raises(UnsafeJson) as refused:
        read_json(line.encode())
    assert refused.value.key == "control_character"


def test_brackets_count_outside_of_texts_alone() -> None:
    assert read_json(b'["' + b"[" * 99 + b'"]') == ["[" * 99]
    assert read_json(b'["\\"' + b"[" * 99 + b'"]') == ['"' + "[" * 99]
    assert read_json(b'"' + b"[" * 99 + b'"') == "[" * 99
    with pytest.raises(UnsafeJson) as refused:
        read_json(b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1))
    assert refused.value.key == "too_deep"
    assert read_json(b"[" + b"[]," * MAX_DEPTH + b"[]]") == [[]] * (MAX_DEPTH + 1)
    with pytest.raises(UnsafeJson) as twice:
        read_json(b'{"a":1,"b":2,"b":3,"a":4}')
    assert (twice.value.key, twice.value.facts["key"]) == ("key_twice", "b")


SIGNS = (
    '\\"',
    "\\\\",
    "\\n",
    "\\t",
    "\\b",
    "\\u0007",
    "u0007",
    "\\u00e9",
    "\u202e",
    "\x07",
    "\\/",
    '"',
)


@pytest.mark.parametrize("first", SIGNS)
def test_the_short_way_of_reading_an_entry_says_what_the_long_one_says(first: str) -> None:
    for more in product(SIGNS, repeat=2):
        line = f'{{"a":"{first}{"".join(more)}"}}'.encode()
        try:
            body = read_json(line)
        except UnsafeJson:
            with pytest.raises(UnsafeJson):
                _read(line)
        else:
            assert _read(line) == (body, encoded(body) == line)
