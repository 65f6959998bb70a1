"""Whoever an event names is found by what is known of a person, and gone once it is erased."""

from __future__ import annotations

from collections.abc import Iterator
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

import pytest
from pydantic import BaseModel

from answers.admin import people
from answers.context import Caller, open_store_context
from referee.errors import NotFound
from referee.season.events import KINDS as SEASON_KINDS
from referee.store.envelopes import Draft
from referee.tournament.events import KINDS
from referee.tournament.values import PlayerId

ALL_KINDS = {**KINDS, **SEASON_KINDS}
PATTERN = get_args(PlayerId)[1].metadata


def _naming(annotation: Any, person: str, metadata: Any = ()) -> Iterator[Any]:
    """Values of a field, each with the person at one place where a person may stand."""
    if get_origin(annotation) is Annotated:
        base, *more = get_args(annotation)
        metadata = [each for one in more for each in getattr(one, "metadata", [one])]
        yield from _naming(base, person, metadata)
    elif list(metadata)[: len(PATTERN)] == PATTERN:
        yield person
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield from _fields(annotation, person)
    else:
        for inner in get_args(annotation):
            if inner not in (NoneType, Ellipsis):
                for value in _naming(inner, person):
                    yield value if get_origin(annotation) is not tuple else [value]


def _fields(model: type[BaseModel], person: str) -> Iterator[dict[str, Any]]:
    for name, field in model.model_fields.items():
        for value in _naming(field.annotation, person, field.metadata):
            yield {name: value}


def _stored() -> list[tuple[str, dict[str, Any]]]:
    return [
        (kind, data) for kind, model in ALL_KINDS.items() for data in _fields(model, "{person}")
    ]


def _with(data: Any, person: str) -> Any:
    if isinstance(data, dict):
        return {key: _with(value, person) for key, value in data.items()}
    if isinstance(data, list):
        return [_with(value, person) for value in data]
    return person if data == "{person}" else data


def test_the_events_that_name_somebody_are_among_those_that_are_asked() -> None:
    kinds = {kind for kind, _ in _stored()}
    assert {"player_signed_up", "player_moved_up", "round_paired", "zones_set"} <= kinds
    assert {"season_team_named", "season_players_listed", "players_merged", "lot_drawn"} <= kinds
    assert len(_stored()) > 40


@pytest.mark.parametrize(("kind", "data"), _stored())
def test_whoever_an_event_names_is_found_and_gone_after_the_name_is_erased(
    kind: str, data: dict[str, Any]
) -> None:
    """Also in an entry of a later version, which this one cannot read otherwise."""
    caller = Caller(open_store_context("memory:"))
    known = caller.store_context.people
    person, other = known.add("Cleo"), known.add("Dan")
    stream = ("season-" if kind in SEASON_KINDS else "tournament-") + "aaaaaaaa"
    caller.store_context.store.append(
        stream,
        [Draft(kind, 99, _with(data, person), "key")],
        expected=-1,
        at="2026-01-02T12:00:00.000Z",
        by=other,
        role="organiser",
    )
    found = people.known(caller, "Cleo")
    assert found.data.named == {stream: 1}
    assert found.data.entries == {}
    assert any(stream in line for line in found.lines(caller.voice))
    assert people.known(caller, "Dan").data.named == {}
    people.erase(caller, person)
    for who in ("Cleo", person):
        with pytest.raises(NotFound):
            people.known(caller, who)
