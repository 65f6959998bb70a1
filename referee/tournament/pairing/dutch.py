"""Swiss pairing by the Dutch system of FIDE (C.04.3), computed by gacrux.

Its only input is the tournament report (TRF) so far. Players who asked for a bye or are absent are
marked in the round to be paired.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, NamedTuple

from referee.store.canonical_json import digest
from referee.tournament.errors import NotPossible
from referee.tournament.interchange.trf import starting_list, trf
from referee.tournament.pairing.entrants import Entrant, RoundEntrants
from referee.tournament.splitmix import SplitMix64
from referee.tournament.state import Tournament
from referee.untrusted.optional_packages import load

_OPTIONS = {"maxmeets": "0", "unpaired": [], "experimental": [], "verbose": 0}


class Dutch(NamedTuple):
    algorithm: str
    """With the version of the program that computed it."""
    input_hash: str
    tables: list[tuple[Entrant, ...]]
    """By boards, the first seat having white."""
    byes: list[Entrant]


def pair(tournament: Tournament, seen: RoundEntrants, seed: int) -> Dutch:
    """The pairing of a round; the seed draws who has white at the first board of round one."""
    load("gacrux", "fide")
    report = trf(tournament, {}, to_pair=seen.round)
    listed = starting_list(tournament)
    colour = "w" if SplitMix64(seed).one_in(2) else "b"
    found = _computed(report, seen.round, colour)
    boards = sorted((pair for bracket in found for pair in bracket["pairs"]), key=_board)
    tables: list[tuple[Entrant, ...]] = []
    byes: list[Entrant] = []
    for board in boards:
        seats = tuple(
            seen.by_id[listed[number - 1]] for number in (board["w"], board["b"]) if number
        )
        if len(seats) == 2:
            tables.append(seats)
        else:
            byes += seats
    algorithm = f"fide-dutch/gacrux-{version('gacrux')}"
    return Dutch(algorithm, digest(report.encode()), tables, byes)


def _board(pair: dict[str, Any]) -> int:
    return int(pair["board"])


def _computed(report: str, number: int, colour: str) -> list[dict[str, Any]]:
    from gacrux.gacruxexeptions import GacruxNoLegalPairing  # type: ignore[import-untyped]
    from gacrux.pairingdutch import pairing_dutch  # type: ignore[import-untyped]
    from gacrux.trf2json import trf2json  # type: ignore[import-untyped]

    reader = trf2json()
    reader.parse_file(report, 0)
    event = reader.get_tournament(1)
    event["maxMeets"] = 1
    try:
        pairing = pairing_dutch(event, number, {**_OPTIONS, "top_color": colour})
        found: list[dict[str, Any]] = pairing.compute_pairing(False, 0)
    except GacruxNoLegalPairing:
        raise NotPossible("no_fide_pairing", round=number) from None
    return found
