"""What is typed becomes values: pairs and lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.arguments import pairs, typed
from referee.errors import Misused

NAMES = st.text("abc_.", min_size=1)
WORDS = st.text("abc=@/", min_size=1)


@given(st.dictionaries(NAMES, st.text("xyz= ")))
def test_a_pair_ends_its_name_at_the_first_sign(told: dict[str, str]) -> None:
    assert pairs(f"{name}={value}" for name, value in told.items()) == told


def test_a_word_without_a_sign_is_no_pair() -> None:
    with pytest.raises(Misused):
        pairs(["reading"])


@given(st.lists(WORDS, min_size=1))
def test_words_without_quotes_are_one_line_and_lines_in_quotes_stay_apart(words: list[str]) -> None:
    line = " ".join(words)
    assert typed(words) == [line]
    assert typed([line, line]) == ([line, line] if " " in line else [f"{line} {line}"])
