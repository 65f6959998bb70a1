"""Swiss pairing by the Dutch system of FIDE (C.04.3), computed by gacrux.

Its only input is the tournament report (TRF) so far. Players who asked for a bye or are absent are
marked in the round to be paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from itertools import combinations
from typing import Any, NamedTuple

from referee.store.canonical_json import digest
from referee.tournament.errors import NotPossible
from referee.tournament.interchange.trf import starting_list, trf
from referee.tournament.pairing.entrants import Entrant, RoundEntrants
from referee.tournament.splitmix import SplitMix64
from referee.tournament.state import Tournament
from referee.untrusted.optional_packages import load

_FEW = 6
"""Of so many pairs every part is tried, if not all of them can be kept apart."""
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
    listed = starting_list(tournament)
    colour = "w" if SplitMix64(seed).one_in(2) else "b"
    report, found = _without_those_apart(tournament, seen, listed, colour)
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


def _without_those_apart(
    tournament: Tournament, seen: RoundEntrants, listed: Sequence[str], colour: str
) -> tuple[str, list[dict[str, Any]]]:
    """The report and the pairing. Who must not meet stands in record 260 (TRF-26); if nothing is
    possible so, as few of them as possible may meet, the last that were named first."""
    report = trf(tournament, {}, to_pair=seen.round)
    numbers = {player: number for number, player in enumerate(listed, 1)}
    pairs = sorted(
        {
            (min(numbers[one.id], numbers[other.id]), max(numbers[one.id], numbers[other.id]))
            for one in seen.entrants
            for other in seen.entrants
            if other.number in one.apart
        }
    )
    for left_out in range(len(pairs) + 1 if len(pairs) <= _FEW else 1):
        for kept in combinations(pairs, len(pairs) - left_out):
            lines = (f"260 {seen.round:>3} {seen.round:>3} {a:>4} {b:>4}\n" for a, b in kept)
            told = report + "".join(lines)
            try:
                return told, _computed(told, seen.round, colour)
            except NotPossible:
                continue
    return report, _computed(report, seen.round, colour)


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
