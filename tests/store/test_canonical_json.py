"""Canonical bytes, against an independent implementation of RFC 8785."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from referee.store.canonical_json import (
    LARGEST_INTEGER,
    NotCanonical,
    canonical,
    check_model,
    digest,
    is_canonical,
)

ascii_keys = st.text(st.characters(max_codepoint=127), max_size=8)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-LARGEST_INTEGER, LARGEST_INTEGER)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
documents = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(ascii_keys, inner, max_size=5),
    max_leaves=30,
)


@given(documents)
def test_bytes_are_those_of_rfc_8785(document: Any) -> None:
    assert canonical(document) == rfc8785.dumps(document)


@given(documents, st.booleans(), st.booleans(), st.sampled_from([(",", ":"), (", ", ": ")]))
def test_bytes_are_seen_to_be_canonical_or_not(
    document: Any, in_order: bool, ascii_only: bool, separators: tuple[str, str]
) -> None:
    written = json.dumps(
        document, sort_keys=in_order, ensure_ascii=ascii_only, separators=separators
    ).encode()
    assert is_canonical(json.loads(written), written) == (written == canonical(document))


@pytest.mark.parametrize(
    "body",
    [b'{"a":1.5}', b'{"a":9007199254740992}', b'{"a":"\\ud800"}', '{"é":1}'.encode(), b"1e2"],
)
def test_bytes_of_what_has_no_canonical_form_are_not_canonical(body: bytes) -> None:
    assert not is_canonical(json.loads(body), body)


def test_bytes_are_sorted_compact_and_readable() -> None:
    assert canonical({"b": [1, True, None], "a": "forêt\n"}) == (
        '{"a":"forêt\\n","b":[1,true,null]}'.encode()
    )


def test_tuples_are_lists() -> None:
    assert canonical({"a": (1, 2)}) == canonical({"a": [1, 2]})


@pytest.mark.parametrize(
    "document",
    [
        0.5,
        1.0,
        float("nan"),
        {"a": [{"b": 1e300}]},
        LARGEST_INTEGER + 1,
        [-LARGEST_INTEGER - 1],
        {"é": 1},
        {1: "a"},
        {True: "a"},
        {None: "a"},
        "\ud800",
        ["a\udfff"],
        {"a": {1, 2}},
        b"bytes",
        Decimal("1.5"),
        object(),
    ],
)
def test_what_has_no_single_form_is_refused(document: Any) -> None:
    with pytest.raises(NotCanonical):
        canonical(document)


def test_bottomless_nesting_is_refused() -> None:
    document: Any = []
    for _ in range(100_000):
        document = [document]
    with pytest.raises(NotCanonical):
        canonical(document)


def test_digest_is_sha_256() -> None:
    assert digest(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


class Place(BaseModel):
    hexes: tuple[int, ...]
    note: str = ""


class Weighed(BaseModel):
    weight: float


class Hidden(BaseModel):
    places: dict[str, list[Place | Weighed]]


class MaybeWeighed(BaseModel):
    weight: int | float | None = None


class Accented(BaseModel):
    forest: int = Field(serialization_alias="forêt")


def test_models_of_whole_numbers_and_text_pass() -> None:
    check_model(Place)


@pytest.mark.parametrize("model", [Weighed, Hidden, MaybeWeighed, Accented])
def test_models_that_could_hold_fractions_or_accented_keys_are_refused(
    model: type[BaseModel],
) -> None:
    with pytest.raises(NotCanonical):
        check_model(model)
