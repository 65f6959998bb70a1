"""A published code fits on a score sheet, and a slip of the pen is noticed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import Unfit
from referee.proof.head_codes import ALPHABET, head_code, head_prefix

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


@pytest.mark.parametrize(
    "text", ["", "xyz", "not a head", "7Q3F", "a" * 65, "U" * 17, "0U" + "0" * 15]
)
def test_other_words_are_no_heads(text: str) -> None:
    with pytest.raises(Unfit) as refused:
        head_prefix(text)
    assert refused.value.key == "not_a_head"


def test_hexadecimal_digits_are_taken_as_they_are() -> None:
    assert head_prefix("9C41D2" * 4) == "9c41d2" * 4
    assert head_prefix("f" * 64) == "f" * 64


@pytest.mark.parametrize("digits", ["a", "9C41D2", "0" * 16, "f" * 18, "f" * 19])
def test_digits_that_others_could_be_found_to_fit_are_refused(digits: str) -> None:
    with pytest.raises(Unfit) as refused:
        head_prefix(digits)
    assert refused.value.key == "head_too_short"


@given(HEADS)
def test_a_code_is_a_code_however_it_is_written(head: str) -> None:
    """Also where all of its letters happen to be hexadecimal digits."""
    assert head_prefix(head_code(head).replace("-", "")) == head[:20]


def test_a_code_of_hexadecimal_digits_alone_is_read_as_a_code() -> None:
    value = int("".join(f"{int(letter, 16):05b}" for letter in "ABCDEF0123456789"), 2)
    head = f"{value:020x}".ljust(64, "0")
    code = head_code(head).replace("-", "")
    assert code.startswith("ABCDEF0123456789")
    assert head_prefix(code) == head[:20]
