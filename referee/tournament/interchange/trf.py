"""Duels as a FIDE tournament report file.

TRF-16, with records 142, 162 and 250 of TRF-26; or TRF(x), which has XXR, XXS and XXA in their
place and is what JaVaFo and bbpPairings read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from engines.kernel.messages.unsafe_text import defused
from referee.store.sidecars.people import PersonDetails, listed_name
from referee.tournament.acceleration import halves_by_round, last_accelerated
from referee.tournament.errors import NotPossible
from referee.tournament.plan import DuelScoring
from referee.tournament.ranking.points import in_points, units
from referee.tournament.ranking.score_sheet import Line, score_sheet
from referee.tournament.ranking.standings import standings
from referee.tournament.state import Tournament

_UNPLAYED = {"bye": "U", "full_bye": "F", "half_bye": "H", "zero_bye": "Z"}
_FORFEITS = {"forfeit_win": "+", "forfeit_loss": "-"}


def starting_list(tournament: Tournament) -> list[str]:
    """All players of the report, in the order of their starting numbers."""
    came = (player for player in tournament.players.values() if player.came)
    return [player.id for player in sorted(came, key=lambda player: player.seeding_key)]


def trf(
    tournament: Tournament,
    names: Mapping[str, str],
    *,
    start: str = "",
    end: str = "",
    to_pair: int | None = None,
    extended: bool = False,
    details: Mapping[str, PersonDetails] | None = None,
) -> str:
    """The report. Players are numbered by their starting rank; dates are year/month/day.

    ``to_pair``: the next round, in which those who do not play are marked, so that another
    program can pair it. Points are those of the rounds; a penalty moves only the rank. A match of
    several games is one game here: the format has no room for more.
    ``extended``: as TRF(x). ``details``: titles, federations and FIDE numbers.
    """
    plan = tournament.plan
    if plan.seats.most != 2:
        raise NotPossible("only_duels")
    sheet = score_sheet(tournament)
    ranked = standings(tournament)
    listed = starting_list(tournament)
    numbers = {player: number for number, player in enumerate(listed, 1)}
    head = {
        "012": tournament.name,
        "042": start,
        "052": end,
        "062": str(len(listed)),
        "092": plan.format.kind.replace("_", " "),
        "XXR" if extended else "142": str(max(plan.rounds, len(tournament.rounds_of("main")))),
    }
    lines = [f"{code} {_plain(text)}" for code, text in head.items() if text]
    if isinstance(plan.scoring, DuelScoring) and plan.scoring != DuelScoring():
        lines.append(_scoring_record(plan.scoring, extended))
    for player in listed:
        told = (details or {}).get(player, PersonDetails())
        name = _plain(listed_name(names.get(player, player), told.last_name))
        entry = (
            f"001 {numbers[player]:>4}  {told.title[:3]:>3} {name[:33]:<33} "
            f"{tournament.players[player].rating or '':>4} "
            f"{told.federation:>3} {told.licence:>11}{'':12}"
            f"{_one_decimal(sum(line.points for line in sheet[player])):>4} "
            f"{ranked.row(player).rank:>4}"
        )
        rounds = [_round(line, numbers) for line in sheet[player]]
        if to_pair is not None:
            rounds.append(_next_round(tournament, player, to_pair))
        lines.append((entry + "".join(rounds)).rstrip())
    lines += _accelerated(tournament, listed, extended)
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    return defused(text, " ")


def _one_decimal(amount: int) -> str:
    tenths = round(in_points(amount) * 10)
    return f"{tenths // 10}.{tenths % 10}"


def _scoring_record(scoring: DuelScoring, extended: bool) -> str:
    win, draw, loss, bye, half_bye = (
        _one_decimal(units(halves))
        for halves in (scoring.win, scoring.draw, scoring.loss, scoring.bye, scoring.half_bye)
    )
    if extended:
        return f"XXS W={win} D={draw} L={loss} PAB={bye} FPB={bye} HPB={half_bye} ZPB=0.0 FL=0.0"
    return f"162  W{win:>4}    D{draw:>4}    L{loss:>4}    P{bye:>4}"


def _accelerated(tournament: Tournament, listed: Sequence[str], extended: bool) -> Iterator[str]:
    """Virtual points: record 250 from round to round and player to player, or an XXA for each."""
    last = last_accelerated(tournament)
    if last is None or last.id not in listed:
        return
    told = halves_by_round(tournament)
    upper = listed.index(last.id) + 1
    if extended:
        points = " ".join(f"{_one_decimal(units(halves)):>4}" for halves in told)
        yield from (f"XXA {number:>4} {points}" for number in range(1, upper + 1))
        return
    for halves, rounds in groupby(range(1, len(told) + 1), key=lambda number: told[number - 1]):
        if halves:
            start, *others = rounds
            points = _one_decimal(units(halves))
            yield f"250 {'':4} {points:>4} {start:>3} {[start, *others][-1]:>3} {1:>4} {upper:>4}"


def _round(line: Line, numbers: Mapping[str, int]) -> str:
    if line.kind in _UNPLAYED:
        return f"  0000 - {_UNPLAYED[line.kind]}"
    if not line.opponents:
        return " " * 10
    colour = "w" if line.seat == 0 else "b"
    result = _FORFEITS.get(line.kind) or (
        "=" if line.tied == 2 else "1" if line.place == 1 else "0"
    )
    return f"  {numbers[line.opponents[0]]:>4} {colour} {result}"


def _next_round(tournament: Tournament, player: str, number: int) -> str:
    """The mark of a player who does not play the next round; it scores nothing yet."""
    if any(one.id == player for one in tournament.available(number)):
        return ""
    return f"  0000 - {_UNPLAYED['zero_bye']}"
