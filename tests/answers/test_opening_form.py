"""What a new table is asked about its rulebook."""

from __future__ import annotations

from typing import Any

import pytest

from answers.i18n import Voice
from answers.rulebooks.opening_form import readings
from answers.rulebooks.setup_questions import asked_of
from engines.kernel import Engine
from engines.kernel.registry import load_engine
from replays.gallery import samples


@pytest.mark.parametrize("name", samples())
def test_a_table_is_asked_what_matters_to_so_many_and_nothing_else(name: str) -> None:
    engine = load_engine(name)
    least, most = engine.seats
    everybody = {one.id for one in engine.readings.values() if not one.players}
    for players in range(least, most + 1):
        asked = {row.id for row in readings(Voice("en"), name, players)}
        assert everybody <= asked
        assert asked - everybody == {
            one.id for one in engine.readings.values() if players in one.players
        }
    for one in engine.readings.values():
        assert all(least <= players <= most for players in one.players), one.id
        assert words_of_the_opening(engine) >= {*one.played_with}, one.id


def words_of_the_opening(engine: Engine[Any, Any]) -> set[str]:
    return {word for asked in asked_of(engine, min(engine.seats)) for word in asked.choices}
