"""How the people of teams did at their boards: everybody's games, and the best at each board.

Who sat where is the line-up of the round; how a board ended stands in the result of the match. A
match to which a team did not come was played by nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Literal, NamedTuple

from referee.tournament.state import Tournament, person_at

Ended = Literal["won", "drawn", "lost", "unplayed"]
"""``unplayed``: won against a board at which nobody sat."""


class BoardGame(NamedTuple):
    """One board of one match, as one of the two sees it."""

    round: int
    table: int
    board: int
    person: str
    team: str
    opponent: str | None
    against: str
    """The other team."""
    ended: Ended


class BoardScore(NamedTuple):
    """What somebody brought home: at all boards, or at one."""

    rank: int
    """Those who are level share it."""
    person: str
    team: str
    won: int
    drawn: int
    lost: int
    unplayed: int

    @property
    def games(self) -> int:
        """Those that were played."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> Fraction:
        return self.won + self.unplayed + Fraction(self.drawn, 2)


def board_games(now: Tournament) -> Iterator[BoardGame]:
    """Every board of every match that was played, from both sides, in order."""
    for round in now.rounds:
        for table in round.draw.tables:
            entered = round.result(table.number)
            if (
                entered is None
                or entered.outcome.absent
                or not now.plan.boards_at(len(table.seats))
            ):
                continue
            sides = [round.line_ups.get(team, ()) for team in table.seats]
            for board, game in enumerate(entered.outcome.games, start=1):
                for seat, letter in enumerate("AB"):
                    person = person_at(sides[seat], board)
                    opponent = person_at(sides[1 - seat], board)
                    if person is None or (opponent is None and game != letter):
                        continue
                    ended: Ended = "drawn" if game == "=" else "won" if game == letter else "lost"
                    yield BoardGame(
                        round.number, table.number, board, person, table.seats[seat], opponent,
                        table.seats[1 - seat], "unplayed" if opponent is None else ended,
                    )  # fmt: skip


def ranked(games: Iterable[BoardGame]) -> list[BoardScore]:
    """Everybody in these games: more points first, then fewer games for them."""
    by_person: dict[str, list[BoardGame]] = {}
    for game in games:
        by_person.setdefault(game.person, []).append(game)
    scores = []
    for person, told in by_person.items():
        ended = [game.ended for game in told]
        counts = (ended.count(kind) for kind in ("won", "drawn", "lost", "unplayed"))
        scores.append(BoardScore(0, person, told[-1].team, *counts))
    scores.sort(key=_order)
    return [
        score._replace(rank=1 + sum(_order(other) < _order(score) for other in scores))
        for score in scores
    ]


def _order(score: BoardScore) -> tuple[Fraction, int]:
    return (-score.points, score.games + score.unplayed)


def by_board(games: Iterable[BoardGame]) -> dict[int, list[BoardScore]]:
    """By board: who did how there, the best first."""
    found: dict[int, list[BoardGame]] = {}
    for game in games:
        found.setdefault(game.board, []).append(game)
    return {board: ranked(found[board]) for board in sorted(found)}
