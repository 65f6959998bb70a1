"""A persistent vector says what a tuple would say, however it was made."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from referee.record.persistent_vector import CHUNK, PersistentVector

SIZES = st.integers(0, 3 * CHUNK)
EDGES = st.one_of(st.none(), st.integers(-4 * CHUNK, 4 * CHUNK))
STEPS = st.sampled_from([None, 1, 2, 7, -1, -3])


@given(SIZES, st.lists(st.integers(0, 2 * CHUNK), max_size=3), SIZES)
def test_it_grows_and_is_cut_as_a_tuple_is(size: int, more: list[int], length: int) -> None:
    plain = tuple(range(size))
    vector = PersistentVector(plain)
    for count in more:
        plain += tuple(range(count))
        vector = vector.extended(range(count))
    assert tuple(vector) == plain
    assert tuple(reversed(vector)) == plain[::-1]
    assert tuple(vector.upto(length)) == plain[:length]
    assert tuple(vector.upto(length).grown(-1)) == (*plain[:length], -1)
    assert len(vector) == len(plain)


@given(SIZES, EDGES, EDGES, STEPS)
def test_every_slice_is_that_of_a_tuple(
    size: int, start: int | None, stop: int | None, step: int | None
) -> None:
    plain = tuple(range(size))
    assert PersistentVector(plain)[start:stop:step] == plain[start:stop:step]


@given(SIZES, st.integers(-4 * CHUNK, 4 * CHUNK))
def test_every_place_is_that_of_a_tuple(size: int, place: int) -> None:
    plain = tuple(range(size))
    vector = PersistentVector(plain)
    if -size <= place < size:
        assert vector[place] == plain[place]
    else:
        try:
            found = vector[place]
        except IndexError:
            return
        raise AssertionError(f"nothing is at {place} of {size}: {found}")
