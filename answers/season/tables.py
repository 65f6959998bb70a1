"""Standings and ratings of a season, and the page of one player: every number with its reasons."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.permissions import EVERYBODY
from answers.rulebooks.games import game_name
from answers.season.context import SeasonCall
from answers.tournament.i18n import answered, figure, headed
from referee.season.ratings import Proof, RatedChange, Skill, ranked
from referee.season.standings import RankedMember
from referee.tournament.values import Ratio


class SeasonEventName(Data):
    tournament: str
    name: str
    weight: int
    closed: bool


class SeasonResult(Data):
    tournament: str
    event: str
    place: int
    players: int
    weight: int
    points: Ratio
    counted: bool
    final: bool


class SeasonStandingsRow(Data):
    rank: int
    player: str
    name: str
    club: str
    total: Ratio
    results: list[SeasonResult]


class SeasonStandingsAnswer(Data):
    season: str
    name: str
    counted: int | None
    events: list[SeasonEventName]
    rows: list[SeasonStandingsRow]


class SkillAnswer(Data):
    """mu ± sigma; Elo where somebody has played at a table of two."""

    mu: float
    sigma: float
    elo: float | None
    games: int


class RatingRow(Data):
    rank: int
    player: str
    name: str
    club: str
    skill: SkillAnswer


class SeasonRatingsAnswer(Data):
    season: str
    name: str
    games: int
    """How many results the ratings were computed from."""
    rows: list[RatingRow]


class Opponent(Data):
    player: str
    name: str
    before: SkillAnswer


class RatingChange(Data):
    """One game of a player: before, after and why."""

    tournament: str
    event: str
    round: int
    table: int | None
    game: str
    at: str
    proof: Proof
    record: str
    place: int
    sides: int
    chance: float
    expected: float | None
    before: SkillAnswer
    after: SkillAnswer
    others: list[Opponent]
    partners: list[str]


class SeasonPlayerAnswer(Data):
    season: str
    season_name: str
    player: str
    name: str
    club: str
    rank: int | None
    total: Ratio | None
    results: list[SeasonResult]
    rating_rank: int | None
    skill: SkillAnswer | None
    changes: list[RatingChange]
    """The last game first."""


@operation(
    "season-standings",
    "GET /seasons/{season}/standings",
    grant=EVERYBODY,
    scope="list",
    etag="content",
)
def standings(caller: Caller, season: str) -> Answered[SeasonStandingsAnswer]:
    """Who is ahead over all events, and which results count."""
    call = SeasonCall(caller, season)
    rows = call.computed.standings

    def data() -> SeasonStandingsAnswer:
        return SeasonStandingsAnswer(
            season=call.hosted.id,
            name=call.now.name,
            counted=call.now.rules.counted,
            events=[
                SeasonEventName.made_of(
                    hosted.now, tournament=hosted.id, weight=call.now.events[hosted.id]
                )
                for hosted in call.events
            ],
            rows=[_standings_row(call, row) for row in rows],
        )

    def render(voice: Voice) -> Iterator[str]:
        yield voice.mark("bold", call.now.name)
        if not rows:
            yield voice.say("season.no_results")
            return
        head, cells = standings_table(voice, data())
        yield from headed(voice, head, cells)

    return answered(data, render)


def standings_table(
    voice: Voice, found: SeasonStandingsAnswer
) -> tuple[list[str], list[tuple[str, ...]]]:
    """Head and rows: a column an event, what does not count in brackets."""
    names = [event.name for event in found.events]
    head = ["", voice.say("tournament.head_name"), voice.say("season.head_total"), *names]
    rows = []
    for row in found.rows:
        results = {one.tournament: one for one in row.results}
        cells = [_cell(voice, results.get(event.tournament)) for event in found.events]
        rows.append((f"{row.rank}.", row.name, figure(voice, row.total), *cells))
    return head, rows


def _cell(voice: Voice, result: SeasonResult | None) -> str:
    if result is None:
        return "–"
    points = figure(voice, result.points)
    return points if result.counted else f"({points})"


def _standings_row(call: SeasonCall, row: RankedMember) -> SeasonStandingsRow:
    return SeasonStandingsRow.made_of(row, **_player(call, row.player), results=_results(call, row))


def _player(call: SeasonCall, player: str) -> dict[str, str]:
    return {"name": call.name(player), "club": call.players.get(player, "")}


def _results(call: SeasonCall, row: RankedMember) -> list[SeasonResult]:
    return [
        SeasonResult.made_of(result, event=call.event_names[result.tournament])
        for result in row.results
    ]


def skill_answer(skill: Skill) -> SkillAnswer:
    elo = None if skill.elo is None else round(skill.elo, 1)
    return SkillAnswer.made_of(skill, mu=round(skill.mu, 2), sigma=round(skill.sigma, 2), elo=elo)


@operation(
    "season-ratings",
    "GET /seasons/{season}/ratings",
    grant=EVERYBODY,
    scope="list",
    slow=True,
    etag="content",
)
def ratings(caller: Caller, season: str) -> Answered[SeasonRatingsAnswer]:
    """Everybody's rating, computed from the results of the events: none is stored."""
    call = SeasonCall(caller, season)
    found = call.computed.ratings
    wanted = call.now.listed if call.now.rules.listed_only else found.skills
    games = len({(c.rated.tournament, c.rated.round, c.rated.table) for c in found.changes})

    def data() -> SeasonRatingsAnswer:
        rows = [
            RatingRow(
                rank=rank,
                player=player,
                **_player(call, player),
                skill=skill_answer(found.skills[player]),
            )
            for rank, player in enumerate(ranked(found, wanted), 1)
        ]
        return SeasonRatingsAnswer(
            season=call.hosted.id, name=call.now.name, games=games, rows=rows
        )

    def render(voice: Voice) -> Iterator[str]:
        yield voice.mark("bold", voice.say("season.ratings_of", name=call.now.name, count=games))
        rows = data().rows
        if rows:
            head, cells = ratings_table(voice, rows)
            yield from headed(voice, head, cells)

    return answered(data, render)


def ratings_table(
    voice: Voice, rows: list[RatingRow], *, brief: bool = False
) -> tuple[list[str], list[tuple[str, ...]]]:
    """Head and rows; in brief, the rating alone."""
    head = ["", voice.say("tournament.head_name"), voice.say("season.head_rating")]
    if brief:
        return head, [(f"{row.rank}.", row.name, _rating(voice, row.skill.mu)) for row in rows]
    return [*head, "Elo", voice.say("season.head_games")], [
        (f"{row.rank}.", row.name, *skill_cells(voice, row.skill), str(row.skill.games))
        for row in rows
    ]


def skill_cells(voice: Voice, skill: SkillAnswer) -> tuple[str, str]:
    elo = "–" if skill.elo is None else str(round(skill.elo))
    return skill_text(voice, skill), elo


def skill_text(voice: Voice, skill: SkillAnswer) -> str:
    """27.87 ± 8.21."""
    return f"{_rating(voice, skill.mu)} ± {_rating(voice, skill.sigma)}"


def _rating(voice: Voice, value: float) -> str:
    return figure(voice, Fraction(str(value)).limit_denominator(100))


@operation(
    "season-player",
    "GET /seasons/{season}/players/{player}",
    grant=EVERYBODY,
    scope="list",
    rename={"name": "player"},
    etag="content",
)
def player(caller: Caller, season: str, name: str) -> Answered[SeasonPlayerAnswer]:
    """One player: results that count, and every game with the ratings before and after it."""
    call = SeasonCall(caller, season)
    who = call.player(name)
    found = call.computed
    row = next((row for row in found.standings if row.player == who), None)
    order = ranked(found.ratings, found.ratings.skills)
    skill = found.ratings.skills.get(who)

    def data() -> SeasonPlayerAnswer:
        return SeasonPlayerAnswer(
            season=call.hosted.id,
            season_name=call.now.name,
            player=who,
            **_player(call, who),
            rank=row.rank if row else None,
            total=row.total if row else None,
            results=_results(call, row) if row else [],
            rating_rank=order.index(who) + 1 if skill is not None else None,
            skill=None if skill is None else skill_answer(skill),
            changes=[_change(call, change) for change in reversed(found.ratings.of(who))],
        )

    def render(voice: Voice) -> Iterator[str]:
        told = data()
        yield voice.mark("bold", f"{told.name}  {told.club}".strip())
        if told.rank is not None and told.total is not None:
            points = figure(voice, told.total)
            yield voice.say("season.stands", rank=told.rank, points=points)
        for result in told.results:
            yield f"  {result_line(voice, result)}"
        if told.skill is not None:
            rating, elo = skill_cells(voice, told.skill)
            yield voice.say("season.rated", rating=rating, elo=elo, count=told.skill.games)
        for change in told.changes:
            yield f"  {change_line(voice, change)}"

    return answered(data, render)


def result_line(voice: Voice, result: SeasonResult) -> str:
    points = figure(voice, result.points)
    facts = {"event": result.event, "place": result.place, "players": result.players}
    told = voice.say("season.result", points=points, **facts)
    return told if result.counted else voice.say("season.not_counted", result=told)


def change_line(voice: Voice, change: RatingChange) -> str:
    """One game in a sentence: where, how it ended, what was expected, before and after."""
    others = ", ".join(f"{each.name} ({skill_text(voice, each.before)})" for each in change.others)
    where = [change.event, voice.say("tournament.round", round=change.round)]
    if change.table is not None:
        where.append(voice.say("tournament.table", table=change.table))
    told = voice.say(
        "season.change",
        where=" · ".join(where),
        game=game_name(voice, change.game),
        place=change.place,
        sides=change.sides,
        others=others,
        chance=round(100 * change.chance),
        before=skill_text(voice, change.before),
        after=skill_text(voice, change.after),
        proof=voice.say(f"season.proof_{change.proof}"),
    )
    if change.expected is None or change.before.elo is None or change.after.elo is None:
        return told
    return voice.say(
        "season.with_elo",
        told=told,
        before=round(change.before.elo),
        after=round(change.after.elo),
        expected=figure(voice, Fraction(str(round(change.expected, 2)))),
    )


def _change(call: SeasonCall, change: RatedChange) -> RatingChange:
    rated = change.rated
    return RatingChange.made_of(
        rated,
        event=call.event_names[rated.tournament],
        place=change.place,
        sides=len(rated.sides),
        chance=round(change.chance, 4),
        expected=None if change.expected is None else round(change.expected, 4),
        before=skill_answer(change.before),
        after=skill_answer(change.after),
        others=[
            Opponent(player=player, name=call.name(player), before=skill_answer(skill))
            for player, skill in change.others
        ],
        partners=[call.name(player) for player in change.partners],
    )
