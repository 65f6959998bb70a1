"""A published head fits on a score sheet, and a slip of the pen is noticed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import Unfit
from referee.proof.heads import ALPHABET, head_code, head_prefix

HEADS = st.text("0123456789abcdef", min_size=64, max_size=64)


@given(HEADS)
def test_a_code_stands_for_the_beginning_of_its_head(head: str) -> None:
    code = head_code(head)
    assert len(code) == 21
    assert head_prefix(code) == head[:20]
    assert head_prefix(code.lower().replace("-", " ")) == head[:20]


@given(HEADS, st.integers(0, 15), st.sampled_from(ALPHABET))
def test_one_wrong_letter_is_noticed(head: str, place: int, letter: str) -> None:
    letters = list(head_code(head).replace("-", ""))
    if letters[place] == letter:
        return
    old, letters[place] = letters[place], letter
    if (ALPHABET.index(old) - ALPHABET.index(letter)) % 29 == 0:
        return  # the check letter cannot tell these few apart
    with pytest.raises(Unfit) as refused:
        head_prefix("-".join(letters))
    assert refused.value.key == "head_mistyped"


@given(HEADS, st.integers(0, 14))
def test_two_swapped_letters_are_noticed(head: str, place: int) -> None:
    letters = list(head_code(head).replace("-", ""))
    one, two = ALPHABET.index(letters[place]), ALPHABET.index(letters[place + 1])
    letters[place : place + 2] = letters[place + 1], letters[place]
    if (one - two) % 29 == 0:
        return
    with pytest.raises(Unfit):
        head_prefix("-".join(letters))


def test_letters_that_look_like_digits_are_read_as_digits() -> None:
    assert head_prefix("OOOO-0000-oooo-0000-O") == "0" * 20


@pytest.mark.parametrize("text", ["", "abc", "not a head", "7Q3F-0KTM", "U" * 17, "é" * 17])
def test_other_words_are_no_heads(text: str) -> None:
    with pytest.raises(Unfit) as refused:
        head_prefix(text)
    assert refused.value.key == "not_a_head"


def test_hexadecimal_digits_are_taken_as_they_are() -> None:
    assert head_prefix("9C41D2") == "9c41d2"
