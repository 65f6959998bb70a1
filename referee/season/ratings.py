"""Ratings of a season: computed from the results of its events, stored nowhere.

Everybody has a skill of the Plackett-Luce model (Weng and Lin 2011, package ``openskill``), which
knows tables of any size and teams, and says how sure it is: mu ± sigma. Tables of two also change
an Elo number. All games of a round count as played at once, rounds in the order they were paired:
the order in which slips reach the desk changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal

from msgspec import Struct

from referee.season.state import Season
from referee.tournament.desk import LoadedTournament
from referee.tournament.events import Agreed, FromRecords, Outcome, Table
from referee.tournament.plan import Duplicate, LadderScoring
from referee.tournament.ranking.points import ladder_key
from referee.tournament.state import Entered, Round
from referee.untrusted.optional_packages import load

MU = 25.0
SIGMA = MU / 3
ELO_SCALE = 400.0

Proof = Literal["record", "agreed", "hand"]
"""Where a result comes from: the record of the game, all who sat there, a slip at the desk."""


class Skill(Struct, frozen=True):
    mu: float = MU
    sigma: float = SIGMA
    elo: float | None = None
    """None for who has not played at a table of two."""
    games: int = 0

    @property
    def surely(self) -> float:
        """What somebody is worth at least, as good as surely: the order of the list."""
        return self.mu - 3 * self.sigma


class Side(Struct, frozen=True):
    """Who played together, and how they came out."""

    entry: str
    players: tuple[str, ...]
    place: int


class RatedGame(Struct, frozen=True):
    tournament: str
    round: int
    table: int | None
    """None where the tables of a round are compared with each other: the same deal for all."""
    game: str
    at: str
    proof: Proof
    record: str
    """The game whose record proves it, if one does."""
    sides: tuple[Side, ...]


class RatedChange(Struct, frozen=True):
    """What one game changed for one player, and why."""

    rated: RatedGame
    player: str
    place: int
    chance: float
    """Of being first, as the ratings before the game had it."""
    expected: float | None
    """Elo alone: the score that was expected of a duel, from 0 to 1."""
    before: Skill
    after: Skill
    others: tuple[tuple[str, Skill], ...]
    """Who sat against them, with their ratings before."""
    partners: tuple[str, ...]


class Ratings(Struct, frozen=True):
    skills: Mapping[str, Skill]
    changes: tuple[RatedChange, ...]
    """In the order in which they were computed."""

    def of(self, player: str) -> tuple[RatedChange, ...]:
        return tuple(change for change in self.changes if change.player == player)


def ratings(season: Season, events: Sequence[LoadedTournament]) -> Ratings:
    """Every rating, from the first result to the last."""
    skills: dict[str, Skill] = {}
    changes: list[RatedChange] = []
    model = load("openskill.models", "tournament").PlackettLuce(mu=MU, sigma=SIGMA)
    for rated in rated_games(season, events):
        made = _changes(season, model, rated, skills)
        skills.update({change.player: change.after for change in made})
        changes.extend(made)
    return Ratings(skills, tuple(changes))


def rated_games(season: Season, events: Sequence[LoadedTournament]) -> list[RatedGame]:
    """The games that count, in the order in which they are computed."""
    found = [
        rated
        for hosted in events
        for round in hosted.now.rounds
        for rated in _of_round(season, hosted, round)
    ]
    return sorted(found, key=lambda one: (one.at, one.tournament, one.round, one.table or 0))


def _of_round(season: Season, hosted: LoadedTournament, round: Round) -> Iterator[RatedGame]:
    plan, at = hosted.now.plan, hosted.told[round.event].at
    game = plan.game_of(round.number)
    if isinstance(plan.scoring, LadderScoring):
        if isinstance(plan.format, Duplicate):
            yield from _same_deal(season, hosted, round, game, at, plan.scoring)
        return
    for table in round.draw.tables:
        entered = round.result(table.number)
        if entered is None or not _counts(season, entered):
            continue
        sides = _sides(season, table, entered.outcome)
        if len(sides) > 1:
            proof, record = _proof(entered)
            yield RatedGame(hosted.id, round.number, table.number, game, at, proof, record, sides)


def _same_deal(
    season: Season, hosted: LoadedTournament, round: Round, game: str, at: str,
    scoring: LadderScoring,
) -> Iterator[RatedGame]:  # fmt: skip
    """Teams that played the same deal are compared with each other, measure by measure; whoever
    played it under two entries is left out."""
    keys = {
        table.seats[0]: ladder_key(scoring, entered.outcome.measures)
        for table in round.draw.tables
        if (entered := round.result(table.number)) is not None
        and _counts(season, entered)
        and entered.outcome.measures is not None
        and entered.outcome.here
    }
    twice = _twice(season.side(team) for team in keys)
    compared = {team: key for team, key in keys.items() if twice.isdisjoint(season.side(team))}
    if len(compared) < 2:
        return
    sides = tuple(
        Side(team, season.side(team), 1 + sum(other > key for other in compared.values()))
        for team, key in compared.items()
    )
    results = [round.result(table.number) for table in round.draw.tables]
    proven = all(entered is None or isinstance(entered.source, FromRecords) for entered in results)
    proof: Proof = "record" if proven else "hand"
    yield RatedGame(hosted.id, round.number, None, game, at, proof, "", sides)


def _counts(season: Season, entered: Entered) -> bool:
    return season.rules.rated == "all" or isinstance(entered.source, FromRecords)


def _proof(entered: Entered) -> tuple[Proof, str]:
    if isinstance(entered.source, FromRecords):
        return "record", entered.source.records[-1].game
    return ("agreed" if isinstance(entered.source, Agreed) else "hand"), ""


def _sides(season: Season, table: Table, outcome: Outcome) -> tuple[Side, ...]:
    """Those who came; nobody, where somebody sat there twice."""
    sides = tuple(
        Side(table.seats[seat], season.side(table.seats[seat]), outcome.places[seat])
        for seat in outcome.here
    )
    return () if _twice(side.players for side in sides) else sides


def _twice(sides: Iterable[tuple[str, ...]]) -> set[str]:
    """Who is on more than one side, as entries were merged or teams named since: nobody plays
    against themselves."""
    return {player for player, count in Counter(chain(*sides)).items() if count > 1}


def _changes(
    season: Season, model: Any, rated: RatedGame, skills: Mapping[str, Skill]
) -> list[RatedChange]:
    start = float(season.rules.elo.start)
    duel = _is_duel(rated)
    before = {
        player: _begun(skills.get(player, Skill()), start if duel else None)
        for side in rated.sides
        for player in side.players
    }
    teams = [
        [model.rating(mu=before[player].mu, sigma=before[player].sigma) for player in side.players]
        for side in rated.sides
    ]
    chances = model.predict_win(teams)
    after = model.rate(teams, ranks=[float(side.place) for side in rated.sides])
    expected = _expected(rated, before) if duel else {}
    return [
        RatedChange(
            rated,
            player,
            side.place,
            float(chance),
            expected.get(side.entry),
            was := before[player],
            Skill(
                float(now.mu),
                float(now.sigma),
                _elo(season, rated, side, was, expected),
                was.games + 1,
            ),
            tuple(_against(rated, side, before)),
            tuple(other for other in side.players if other != player),
        )
        for side, chance, made in zip(rated.sides, chances, after, strict=True)
        for player, now in zip(side.players, made, strict=True)
    ]


def _against(
    rated: RatedGame, mine: Side, before: Mapping[str, Skill]
) -> Iterator[tuple[str, Skill]]:
    for side in rated.sides:
        if side is not mine:
            yield from ((player, before[player]) for player in side.players)


def _is_duel(rated: RatedGame) -> bool:
    return len(rated.sides) == 2 and all(len(side.players) == 1 for side in rated.sides)


def _begun(skill: Skill, start: float | None) -> Skill:
    """Before the first duel everybody has the same Elo."""
    if start is None or skill.elo is not None:
        return skill
    return Skill(skill.mu, skill.sigma, start, skill.games)


def _expected(rated: RatedGame, before: Mapping[str, Skill]) -> dict[str, float]:
    """The score that Elo expects of each side of a duel."""
    one, other = (before[side.players[0]].elo or 0.0 for side in rated.sides)
    first = 1 / (1 + 10 ** ((other - one) / ELO_SCALE))
    return {rated.sides[0].entry: first, rated.sides[1].entry: 1 - first}


def _elo(
    season: Season, rated: RatedGame, side: Side, was: Skill, expected: Mapping[str, float]
) -> float | None:
    if was.elo is None or side.entry not in expected:
        return was.elo
    level = rated.sides[0].place == rated.sides[1].place
    score = 0.5 if level else float(side.place == 1)
    return was.elo + season.rules.elo.k * (score - expected[side.entry])


def ranked(ratings: Ratings, players: Iterable[str]) -> list[str]:
    """Players by what they are worth at least; who has not played is not among them."""
    known = [player for player in players if player in ratings.skills]
    return sorted(known, key=lambda player: (-ratings.skills[player].surely, player))
