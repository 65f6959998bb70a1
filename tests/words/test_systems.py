"""How a round was paired is said in words, whichever method paired it."""

from __future__ import annotations

import pytest

from engines.kernel.messages.package_data import read_words
from referee.tournament.pairing import finals, pods, round_robin, rounds, swiss

METHODS = {
    *(module.ALGORITHM for module in (finals, pods, round_robin, swiss)),
    *rounds._MATCHED,
    *("knockout", "fide-dutch", "imported"),
}


@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_method_of_pairing_has_a_name(method: str) -> None:
    entry = read_words("answers.tournament").entry(f"tournament.drawn_{method}")
    assert entry is not None
