"""Kits: the data of the box and where they are known from."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from engines.kernel import LANGUAGES, KitSheet, ParseError
from engines.kernel.registry import engine_ids, load_engine

SHEET = KitSheet(
    {
        "kit": "demo",
        "provenance": "rulebook",
        "source": "page 2",
        "coins": 40,
        "coins_provenance": "assumed",
        "coins_source": "counted in a shop",
        "tiles": {"forest": 4, "lake": 2, "lake_provenance": "recalled"},
        "cards": [
            {"name": "fox", "cost": 2, "provenance": "public", "source": "a photo"},
            {"name": "owl", "cost": 3},
        ],
        "track": [0, 1, 3],
        "water_source": "well",
    }
)


def test_the_data_come_without_their_marks() -> None:
    assert SHEET.data() == {
        "kit": "demo",
        "coins": 40,
        "tiles": {"forest": 4, "lake": 2},
        "cards": [{"name": "fox", "cost": 2}, {"name": "owl", "cost": 3}],
        "track": [0, 1, 3],
        "water_source": "well",
    }


@pytest.mark.parametrize(
    ("path", "provenance", "source"),
    [
        ("coins", "assumed", "counted in a shop"),
        ("tiles.forest", "rulebook", "page 2"),
        ("tiles.lake", "recalled", None),
        ("cards.0.cost", "public", "a photo"),
        ("cards.1.cost", "rulebook", "page 2"),
        ("track", "rulebook", "page 2"),
        ("water_source", "rulebook", "page 2"),
    ],
)
def test_marks_hold_for_all_below_until_a_closer_one(
    path: str, provenance: str, source: str | None
) -> None:
    datum = next(datum for datum in SHEET.datums() if datum.path == path)
    assert (datum.provenance, datum.source) == (provenance, source)


def test_the_name_of_a_kit_is_no_fact_about_the_box() -> None:
    assert "kit" not in {datum.path for datum in SHEET.datums()}


def test_a_part_is_known_as_well_as_its_weakest_datum() -> None:
    assert SHEET.provenance("tiles") == "recalled"
    assert SHEET.provenance("cards") == "public"
    assert SHEET.provenance("cards.1") == "rulebook"
    assert SHEET.provenance("nowhere") == "assumed"
    assert SHEET.declare("tiles.lake", 3, "the table").provenance("tiles") == "rulebook"


@pytest.mark.parametrize(
    ("path", "value"), [("coins", 44), ("tiles.lake", 3), ("cards.1.cost", 5), ("track", [0, 2])]
)
def test_a_table_declares_a_datum_of_its_box(path: str, value: object) -> None:
    declared = SHEET.declare(path, value, "the table")
    datum = next(datum for datum in declared.datums() if datum.path == path)
    assert datum == (path, value, "declared", "the table")
    others = [datum for datum in SHEET.datums() if datum.path != path]
    assert [datum for datum in declared.datums() if datum.path != path] == others
    assert SHEET.declare(path, value, "the table") == declared
    assert SHEET.data()["coins"] == 40, "changed in place"


@pytest.mark.parametrize(
    "path", ["", "gold", "tiles.sea", "cards.7.cost", "cards.x", "coins_source", "provenance"]
)
def test_only_data_the_kit_has_can_be_declared(path: str) -> None:
    with pytest.raises(ParseError) as caught:
        SHEET.declare(path, 1, "the table")
    assert caught.value.key == "unknown_datum"


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("machines.2.icons", "machines.1.icons"),
        ("tiles.T3.back", "tiles.1.back"),
        ("tiles.2.back", "tiles.1.back"),
        ("track.1.steps", "track.0.steps"),
        ("heap", "heap"),
    ],
)
def test_elements_are_typed_as_they_are_called_or_counted_and_stored_by_their_place(
    typed: str, stored: str
) -> None:
    machines = [{"id": n, "icons": []} for n in (1, 2, 3)]
    tiles = [{"id": name, "back": "x"} for name in ("T1", "T3")]
    track = [{"steps": 1}, {"steps": 2}]
    sheet = KitSheet({"machines": machines, "tiles": tiles, "track": track, "heap": 1})
    assert sheet.meant(typed) == stored
    assert sheet.meant(sheet.shown(stored)) == stored
    with pytest.raises(ParseError):
        sheet.meant("machines.0.icons")


_ENGLISH = re.compile(r"\b(the|of|and|not|in|only|from|with|by|for|is|are|says?|shown?|printed)\b")


@pytest.mark.parametrize("game", engine_ids())
def test_a_shipped_kit_tells_its_sources_in_both_languages(game: str) -> None:
    for sheet in load_engine(game).kits.values():
        for datum in sheet.datums():
            if isinstance(datum.source, Mapping):
                assert set(datum.source) == set(LANGUAGES), datum
            told = datum.source_in("fr")
            assert not _ENGLISH.search(told), f"{datum.path}: {told}"


def test_a_source_is_told_in_the_language_or_as_it_was_written() -> None:
    remark = {"en": "counted", "fr": "compté"}
    sheet = KitSheet({"coins": 3, "coins_source": remark, "tiles": 2, "tiles_source": "Matériel"})
    coins, tiles = sheet.datums()
    assert [coins.source_in(lang) for lang in LANGUAGES] == ["counted", "compté"]
    assert [tiles.source_in(lang) for lang in LANGUAGES] == ["Matériel", "Matériel"]
    assert sheet.declare("coins", 4, "vu à la table").data() == {"coins": 4, "tiles": 2}


def test_a_box_is_read_once_and_another_one_is_another() -> None:
    engine = load_engine("benevolent")
    sheet = next(iter(engine.kits.values()))
    same = KitSheet({**sheet.content})
    other = KitSheet({**sheet.content, "version": 99})
    assert engine.read_kit(same) is engine.read_kit(sheet)
    assert engine.read_kit(other).version == 99
    for number in range(100, 140):
        engine.read_kit(KitSheet({**sheet.content, "version": number}))
    assert engine.read_kit(sheet) == engine.read_kit(same)
