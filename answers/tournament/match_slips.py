"""The games of a match as people write and read them: ``2-1``, ``1-1-1``, ``ABA``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple, cast

from answers.answer import Data
from answers.i18n import Voice
from referee.errors import Conflicting, Misused
from referee.tournament.errors import NotPossible
from referee.tournament.events import GameResult
from referee.tournament.plan import Match

Games = tuple[GameResult, ...]

_TALLY = re.compile(r"(\d)[-–—:](\d)(?:[-–—:](\d))?")
_GAMES = re.compile(r"[AB=]+")


class MatchChoice(Data):
    """A result of a match that can be tapped."""

    text: str
    """``2–1``."""
    games: str
    """As a request says it: ``2-1``."""


class MatchOffered(Data):
    """Where matches of several games are played: what can be tapped."""

    games: int
    boards: bool
    finished: list[MatchChoice]
    unfinished: list[MatchChoice]
    """Results with which the match could have gone on."""


class Tally(NamedTuple):
    """How many games of a match each seat won, and how many were drawn."""

    first: int
    second: int
    drawn: int = 0

    @property
    def games(self) -> Games:
        """Games that come to this. In which order they were played is not known: those of the
        loser are put first, so that the winner's last game decides the match."""
        first, second, drawn = "A" * self.first, "B" * self.second, "=" * self.drawn
        ahead = self.first >= self.second
        return cast(Games, tuple(second + drawn + first if ahead else first + drawn + second))

    @property
    def short(self) -> str:
        """``2–1``, ``1–1–1``: won by A, by B, and drawn."""
        return "–".join(str(count) for count in (self if self.drawn else self[:2]))


def tally(games: Sequence[GameResult]) -> Tally:
    return Tally(games.count("A"), games.count("B"), games.count("="))


def read_games(match: Match, text: str, *, listed: bool) -> Games:
    """The games that a word tells: how many each has won (``2-1``, with draws ``1-1-1``), or,
    where they are ``listed``, each in its order (``ABA``). At boards the order says which."""
    word = text.replace(" ", "").replace(",", "").upper()
    games: Games
    if (listed or match.boards) and _GAMES.fullmatch(word):
        games = cast(Games, tuple(word))
    elif (found := _TALLY.fullmatch(word)) and not match.boards:
        games = Tally(*(int(count or 0) for count in found.groups())).games
    else:
        raise Misused("bad_boards" if match.boards else "bad_games", text=text, games=match.games)
    if len(games) > match.games:
        raise NotPossible("too_many_games", games=match.games, told=len(games))
    return games


def check_finished(match: Match, table: int, games: Games, *, timed_out: bool) -> None:
    """A match that could have gone on is asked about, unless time was up. Boards are all told."""
    if games and not match.boards and not timed_out and not match.is_over(games):
        told, needed = tally(games).short, match.needed
        raise Conflicting("match_unfinished", table=table, result=told, needed=needed)


def results_of(match: Match) -> list[Tally]:
    """Every result without draws, from the clearest win of A to that of B."""
    some = [
        Tally(first, second)
        for first, second in product(range(match.needed + 1), repeat=2)
        if 0 < first + second <= match.games
    ]
    return sorted(some, key=lambda told: (told.second - told.first, min(told)))


def match_offered(told: Mapping[str, Any] | None) -> MatchOffered | None:
    """What can be tapped where matches are played; the match as answers have it."""
    if told is None:
        return None
    match = Match.model_validate(told)
    finished, unfinished = (
        [
            MatchChoice(text=each.short, games=each.short.replace("–", "-"))
            for each in results_of(match)
            if match.is_over(each.games) is over
        ]
        for over in (True, False)
    )
    return MatchOffered(
        games=match.games, boards=match.boards, finished=finished, unfinished=unfinished
    )


def match_lines(voice: Voice, match: Match | None) -> Iterator[str]:
    """What the rules say of matches; nothing where each pairing is one game."""
    if match is not None:
        kind = "boards" if match.boards else "match" if match.games % 2 else "match_even"
        yield voice.say(f"tournament.plan_{kind}", games=match.games, needed=match.needed)
        for halves, rule in (
            (match.bye_boards, "tournament.plan_bye_boards"),
            (match.no_show_boards, "tournament.plan_no_show_boards"),
        ):
            if halves is not None:
                yield voice.say(rule, points=_halves(halves), games=match.games)
        if match.roster_order:
            yield voice.say("tournament.plan_roster_order")


def match_text(voice: Voice, match: Match | None, games: Games) -> str:
    """``A 2 – 1 B``; a drawn board is half a point for each, a drawn game is told beside."""
    told = tally(games)
    if match is not None and match.boards:
        halves = (_halves(2 * each + told.drawn) for each in told[:2])
        first, second = halves
        return f"A {first} – {second} B ({' '.join(games)})"
    drawn = voice.say("tournament.games_drawn", count=told.drawn) if told.drawn else ""
    return f"A {told.first} – {told.second} B" + (f" ({drawn})" if drawn else "")


def _halves(count: int) -> str:
    whole, half = divmod(count, 2)
    return f"{whole or '' if half else whole}{'½' if half else ''}"
