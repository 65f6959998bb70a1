"""Pieces of a declared position: what is offered moves one piece, and is called by its name."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import pytest

from answers.i18n import Voice
from answers.play import declared_positions, pieces
from engines.kernel.messages.catalogue import LANGUAGES
from referee.record.positions import judge_from_position, read_position
from tests.cli.test_french import GAMES

NAMES = {"A": "Ana", "B": "Bo", "C": "Zoé", "D": "Di"}


def table(engine: str, moment: int = -1) -> pieces.Table:
    number = declared_positions.moments(engine, 6)[moment]
    return pieces.Table(declared_positions.at_moment(engine, number))


def names_at(found: pieces.Table, engine: str, place: str, lang: Any = "en") -> list[str]:
    voice = pieces.among(Voice(lang), NAMES)
    ways = found.put_here(place)
    return [pieces.named(voice, engine, each).name for each in ways]


@pytest.mark.parametrize("engine", GAMES)
def test_each_offer_moves_one_piece_and_makes_a_table_that_can_be(engine: str) -> None:
    found = table(engine)
    offered = [{**found.put_here(place), **found.taken(place)} for place in found.places()]
    ways = [way for way in offered if way]
    assert ways
    for way in Random(engine).sample(ways, min(6, len(ways))):
        for piece, data in islice(way.items(), 8):
            assert judge_from_position(read_position({**data, "stands": True}), []).refused is None
            changed = Counter(pieces.Table(data).lies)
            changed.subtract(found.lies)
            wanted = {(piece.source, piece.thing): -1, (piece.target, piece.thing): 1}
            moved = {spot: by for spot, by in changed.items() if by}
            code = piece.thing.rpartition(".")[2]
            for holder in (piece.source, piece.target):
                moved.pop((holder, f"face_down.{code}"), None)  # which way up it lies
            assert moved == {spot: by for spot, by in wanted.items() if spot[0]}, piece


@pytest.mark.parametrize("engine", GAMES)
def test_pieces_and_places_are_called_in_words_and_never_by_where_they_stand_in_the_data(
    engine: str,
) -> None:
    found = table(engine)
    for lang in LANGUAGES:
        voice = pieces.among(Voice(lang), NAMES)
        for place in found.places():
            told = [pieces.place_name(voice, engine, place)]
            told += [pieces.piece_name(voice, engine, *spot) for spot in found.lying(place).items()]
            for name in told:
                assert name
                assert not {"_", "."} & {*name}, name


@pytest.mark.parametrize("engine", GAMES)
def test_no_two_pieces_that_are_offered_are_called_the_same(engine: str) -> None:
    places = Random(f"{engine} names").sample(table(engine).places(), 6)
    voice = pieces.among(Voice(), NAMES)
    for place in (*places, "A"):
        found = table(engine)
        for ways in (found.put_here(place), found.taken(place)):
            told = [pieces.named(voice, engine, each)[1:] for each in ways]
            assert len({*told}) == len(told), place
            assert not [name for name, *_ in told if re.fullmatch("[A-Za-z]{0,2}[0-9]+", name)]


def test_a_step_of_bo_and_zoes_pawn_are_offered_where_they_can_lie() -> None:
    steps = names_at(table("benevolent"), "benevolent", "c2")
    assert "a step of Bo" in steps
    assert not [name for name in steps if "leaf" in name or "secret" in name]
    assert "un Pas de Bo" in names_at(table("benevolent"), "benevolent", "c2", "fr")
    pawns = names_at(table("broom_service"), "broom_service", "P4")
    assert {"Ana’s pawn 1", "Bo’s pawn 2"} <= {*pawns}
    assert not [name for name in pawns if "pawn" not in name and "potion" not in name]


@pytest.mark.parametrize("engine", GAMES)
def test_a_table_that_has_just_been_opened_can_be_laid_too(engine: str) -> None:
    found = pieces.Table(declared_positions.at_setup(engine))
    assert any(found.put_here(place) or found.taken(place) for place in found.places())


def test_what_cannot_go_there_goes_nowhere() -> None:
    found = table("benevolent")
    assert found.moved(pieces.Piece("step_of.B", "card.B", "river")) is None
    assert found.moved(pieces.Piece("step_of.Z", "nowhere", "hex.c2")) is None
