"""The people of teams: rosters, line-ups, and who did how at which board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from answers.answer import Answered, Data
from answers.i18n import Voice
from answers.limits import AnyName, MemberName, Name
from answers.permissions import EVERYBODY, Tells
from answers.tournament.context import DeskCall, ToldAnswer, called, reads, records
from answers.tournament.i18n import answered, figure, headed
from answers.tournament.listing import Column, Laid, Listing, fields
from answers.tournament.round_view import SeatAnswer, line_up_seen, person_answer
from engines.kernel.messages.catalogue import normalize
from engines.kernel.rules.actions import PlainText
from referee.errors import Misused, NotFound
from referee.tournament import events
from referee.tournament.interchange.json_csv import PlayerRow
from referee.tournament.ranking.boards import BoardGame, BoardScore, board_games, by_board, ranked
from referee.tournament.state import Round, Team, Tournament
from referee.tournament.values import Moment, Ratio, RoundNumber, read_moment


class MemberAnswer(SeatAnswer):
    captain: bool
    away: bool
    """Not there: without a line-up the next one sits at the board."""


class TeamAnswer(Data):
    team: str
    number: int
    name: str
    members: list[MemberAnswer]
    """In the order of the boards, reserves last."""
    captain: SeatAnswer | None
    """Need not be a member."""
    line_up: list[SeatAnswer]
    """Who sits at which board in the round, board 1 first. Until it starts the desk reads it, and
    the team itself."""
    told: bool
    """Whether it was told for this round; otherwise the first members who are there."""


class TournamentTeamsAnswer(Data):
    tournament: str
    boards: int
    """At how many boards teams meet; 0 where people play for themselves."""
    round: int
    """The round of the line-ups: the one that is played, or the next."""
    due: str | None
    """Until when teams may tell their line-ups; None: until the round starts."""
    changeable: bool
    """Whether a team may still change its line-up: it is in time, and the round has not started."""
    teams: list[TeamAnswer]


def round_ahead(now: Tournament) -> int:
    """The round for which line-ups are wanted: the one that is open, or the next."""
    return now.round_on.number if now.round_on is not None else len(now.rounds) + 1


def _started(now: Tournament, number: int) -> bool:
    return number <= len(now.rounds) and now.round(number).started


@reads("tournament-teams", "GET /teams", EVERYBODY)
def teams(
    context: DeskCall, team: AnyName | None = None, *, round: RoundNumber | None = None
) -> Answered[TournamentTeamsAnswer]:
    """Every team, or one, with its people and the line-up of a round."""
    now = context.now
    number = round_ahead(now) if round is None else round
    wanted = [*now.players] if team is None else [context.player(team)]
    wanted = wanted if now.plan.boards else []
    data = TournamentTeamsAnswer(
        tournament=context.id,
        boards=now.plan.boards,
        round=number,
        due=now.line_ups_due.get(number),
        changeable=not now.closed
        and not _started(now, number)
        and not line_ups_late(context, number),
        teams=[_team_answer(context, each, number) for each in wanted],
    )

    def render(voice: Voice) -> Iterator[str]:
        if not data.teams:
            yield voice.say("tournament.nobody" if data.boards else "tournament.no_teams")
        if data.due is not None and not _started(now, number):
            yield from _due_lines(voice, context, number)
        for each in data.teams:
            yield voice.mark("bold", f"{each.number} {each.name}")
            yield from (f"  {line}" for line in _member_lines(voice, data, each))

    return answered(lambda: data, render)


TEAMS: Listing[TeamAnswer] = Listing(
    {
        "team": Column(lambda row: row.name),
        "members": Column(
            lambda row: ", ".join(member.name for member in row.members), "tournament.members"
        ),
        "captain": Column(
            lambda row: row.captain.name if row.captain else None, "tournament.captain"
        ),
    },
    paper=["team", "members", "captain"],
)


def _team_answer(context: DeskCall, team: str, number: int) -> TeamAnswer:
    now = context.now
    roster = now.teams.get(team, Team(()))
    return TeamAnswer(
        team=team,
        number=now.player(team).number,
        name=context.name(team),
        members=[
            MemberAnswer(
                player=person,
                name=context.name(person),
                captain=person == roster.captain,
                away=person in roster.away,
            )
            for person in roster.members
        ],
        captain=person_answer(context, roster.captain),
        line_up=[
            SeatAnswer(player=person, name=context.name(person))
            for person in line_up_seen(context, number, team)
        ],
        told=team in now.line_ups.get(number, {}),
    )


def _member_lines(voice: Voice, told: TournamentTeamsAnswer, team: TeamAnswer) -> Iterator[str]:
    if not team.members:
        yield voice.say("tournament.team_empty")
    boards = {each.player: board for board, each in enumerate(team.line_up, start=1)}
    rows = []
    for member in team.members:
        at = boards.pop(member.player, None)
        notes = [
            *([_board_or_reserve(voice, at)] if team.line_up else []),
            *([voice.say("tournament.captain")] if member.captain else []),
            *([voice.say("tournament.absent")] if member.away else []),
        ]
        rows.append((member.name, " · ".join(notes)))
    if team.captain is not None and team.captain.player not in {m.player for m in team.members}:
        rows.append((team.captain.name, voice.say("tournament.captain")))
    if rows:
        head = [voice.say("tournament.head_name")]
        yield from headed(voice, [*head, voice.say("tournament.round", round=told.round)], rows)


def _board_or_reserve(voice: Voice, board: int | None) -> str:
    if board is None:
        return voice.say("tournament.reserve")
    return voice.say("tournament.board", board=board)


# telling


@records("tournament-team-set", "POST /teams", Tells("team_set"))
def set_team(
    context: DeskCall,
    team: Name,
    members: Annotated[Sequence[MemberName], Field(max_length=events.MOST_MEMBERS)] = (),
    *,
    captain: Annotated[PlainText, Field(max_length=40)] = "",
    away: Annotated[Sequence[MemberName], Field(max_length=events.MOST_MEMBERS)] = (),
    namesake: bool = False,
) -> Answered[ToldAnswer]:
    """Who plays for a team, in the order of the boards, reserves last: the whole list anew.

    ``namesake``: new names are other people than those of the same name elsewhere.
    """
    player = context.player(team)
    people = TeamPeople(context, player, set(), namesake=namesake)
    listed = [people.called(name) for name in members]
    leads = _leader(context, people, listed, captain) if captain else None
    absent = [_member(context, player, listed, name) for name in away]
    event = _team_set(context, player, listed, leads, absent)
    _warn_of_a_small_team(context, player, len(listed) - len(set(absent)))
    return context.record(
        event,
        telling=lambda voice: [
            voice.say("tournament.team_set", team=context.name(player), count=len(listed)),
            *_member_lines(
                voice,
                teams(context.caller, context.id, player).data,
                _team_answer(context, player, round_ahead(context.now)),
            ),
        ],
    )


def _leader(context: DeskCall, people: TeamPeople, members: Iterable[str], name: str) -> str:
    """One of the members, or somebody who does not play."""
    own = [m for m in members if name == m or normalize(context.name(m)) == normalize(name)]
    return own[0] if own else people.called(name)


def _team_set(
    context: DeskCall, team: str, members: Sequence[str], captain: str | None, away: Iterable[str]
) -> events.TeamSet:
    if len(set(members)) != len(members):
        twice = next(person for person in members if members.count(person) > 1)
        raise Misused("twice_in_the_team", player=context.name(twice))
    gone = tuple(dict.fromkeys(away))
    return events.TeamSet(player=team, members=tuple(members), captain=captain, away=gone)


def _warn_of_a_small_team(context: DeskCall, team: str, people: int) -> None:
    boards = context.now.plan.boards
    if people < boards:
        facts = {"names": [context.name(team)], "boards": boards}
        context.warn("tournament.teams_too_small", **facts)


def listed_teams(
    context: DeskCall, entries: Sequence[PlayerRow], describe: Callable[[str, PlayerRow], None]
) -> Iterator[events.Event]:
    """The events that a list with a line per member needs: teams that are new, and rosters that
    are others than before. A team is as strong as those at its boards."""
    by_team: dict[str, list[PlayerRow]] = {}
    for entry in entries:
        by_team.setdefault(normalize(entry.team), []).append(entry)
    now, boards = context.now, context.now.plan.boards
    named = {normalize(context.name(player)): player for player in now.players}
    taken: set[str] = set()
    for key, rows in by_team.items():
        rows.sort(key=lambda entry: entry.board or events.MOST_MEMBERS + 1)
        team = named.get(key)
        if team is None:
            team = next((p for p in context.find(rows[0].team) if p not in now.team_of), None)
            team = team or context.add(rows[0].team)
            rated = [entry.rating for entry in rows[:boards] if entry.rating]
            club = next((entry.club for entry in rows if entry.club), "")
            rating = sum(rated) // len(rated) if rated else 0
            yield events.Registered(player=team, club=club, rating=rating)
        people = TeamPeople(context, team, taken)
        members = [people.called(entry.name) for entry in rows]
        for person, entry in zip(members, rows, strict=True):
            describe(person, entry)
        before = now.teams.get(team, Team(()))
        marked = [p for p, entry in zip(members, rows, strict=True) if entry.captain]
        if len(members) > events.MOST_MEMBERS:
            raise Misused("too_many_members", team=rows[0].team, most=events.MOST_MEMBERS)
        after = Team(
            tuple(members),
            marked[0] if marked else before.captain,
            tuple(person for person in before.away if person in members),
        )
        if after != before:
            yield _team_set(context, team, after.members, after.captain, after.away)


class TeamPeople:
    """Names become people: those of the team first, then whoever is known and plays for nobody
    else, then somebody new. The same name once more is somebody else."""

    def __init__(
        self, context: DeskCall, team: str, taken: set[str], *, namesake: bool = False
    ) -> None:
        self._context, self._team, self._namesake = context, team, namesake
        self._teams = context.now.team_of
        self._taken = taken
        """Whoever was called before."""

    def called(self, name: str) -> str:
        told = " ".join(name.split())
        known = (told,) if told in self._teams else self._context.find(told)
        own = [person for person in known if self._teams.get(person) == self._team]
        others = [person for person in known if person in self._teams and person not in own]
        free = [person for person in known if person not in self._teams and not self._plays(person)]
        found = [*own, *([] if self._namesake else [*free, *others])]
        left = [person for person in found if person not in self._taken]
        person = left[0] if left else self._context.add(told)
        self._taken.add(person)
        return person

    def _plays(self, person: str) -> bool:
        now = self._context.now
        return person in now.players or any(each.player == person for each in now.waiting_list)


def _member(context: DeskCall, team: str, members: Iterable[str], text: str) -> str:
    """Somebody of a team, by name or the beginning of one."""
    known = {person: context.name(person) for person in members}
    if text in known:
        return text
    found = called(known, text) if normalize(text) else []
    if len(found) == 1:
        return found[0]
    near = [known[person] for person in found or known]
    raise NotFound(
        "which_member" if found else "no_such_member",
        player=text, team=context.name(team), players=near,
    )  # fmt: skip


def member_called(context: DeskCall, text: str) -> str:
    """Somebody of any team, or who has played for one; whoever is in none is no player either."""
    known = {person: normalize(context.name(person)) for person in context.now.team_of}
    found = [text] if text in known else [p for p, name in known.items() if name == normalize(text)]
    if len(found) == 1:
        return found[0]
    return context.player(text)


@records("tournament-line-up", "POST /teams/line-up", Tells("line_up_set"))
def set_line_up(
    context: DeskCall,
    names: Annotated[Sequence[MemberName], Field(max_length=events.MOST_BOARDS)] = (),
    *,
    team: AnyName = "",
    round: RoundNumber | None = None,
) -> Answered[ToldAnswer]:
    """Who sits at which board, board 1 first; nobody: the first of the roster who are there.

    The team's own phone says it until it is due or the round starts; the desk until the round is
    closed.
    """
    player = context.speaks_for(team)
    now = context.now
    number = round_ahead(now) if round is None else round
    known = [*now.teams.get(player, Team(())).members, *now.line_up(number, player)]
    boards = [_member(context, player, dict.fromkeys(known), name) for name in names]
    if len(set(boards)) != len(boards):
        twice = next(person for person in boards if boards.count(person) > 1)
        raise Misused("twice_in_the_team", player=context.name(twice))

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("tournament.line_up_set", team=context.name(player), round=number)
        for board, person in enumerate(context.now.line_up(number, player), start=1):
            yield "  " + voice.labelled(
                voice.say("tournament.board", board=board), context.name(person)
            )

    if boards and len(boards) < now.plan.boards:
        missing = now.plan.boards - len(boards)
        context.warn("tournament.boards_empty", count=missing)
    event = events.LineUpSet(round=number, player=player, boards=tuple(boards))
    return context.record(event, telling=render)


def line_ups_late(context: DeskCall, number: int) -> bool:
    """Whether the line-ups for a round were due before now."""
    moment = context.desk.moment()
    return moment > context.now.line_ups_due.get(number, moment)


def line_ups_missing(context: DeskCall, number: int) -> list[str]:
    """The teams that have told no line-up for a round: who is paired, or else who is here."""
    now = context.now
    paired = number <= len(now.rounds)
    here = now.round(number).draw.table_of if paired else {p.id: p for p in now.available(number)}
    return [team for team in here if team not in now.line_ups.get(number, {})]


@records("tournament-line-ups-due", "POST /teams/line-ups/deadline", Tells("line_ups_due"))
def set_line_ups_due(
    context: DeskCall, until: Moment | None = None, *, round: RoundNumber | None = None
) -> Answered[ToldAnswer]:
    """Until when teams may tell their line-ups for a round on their phones; no time: until it
    starts. Later the desk alone does; whoever tells nothing plays as the roster says."""
    number = round_ahead(context.now) if round is None else round
    return context.record(
        events.LineUpsDue(round=number, until=until),
        telling=lambda voice: _due_lines(voice, context, number),
    )


def _due_lines(voice: Voice, context: DeskCall, number: int) -> Iterator[str]:
    """Until when line-ups may be told, and whose are missing."""
    until = context.now.line_ups_due.get(number)
    yield _due_line(voice, number, until, late=line_ups_late(context, number))
    if until is not None and (missing := line_ups_missing(context, number)):
        yield voice.say("tournament.line_ups_missing", names=context.names_of(missing))


def _due_line(voice: Voice, number: int, until: str | None, *, late: bool) -> str:
    if until is None:
        return voice.say("tournament.line_ups_not_due", round=number)
    here = voice.moment(read_moment(until).astimezone().isoformat())
    return voice.say(f"tournament.line_ups_{'over' if late else 'due'}", round=number, until=here)


def line_ups_text(voice: Voice, told: TournamentTeamsAnswer) -> str:
    """Until when line-ups may be told, by the clock of this place."""
    return _due_line(voice, told.round, told.due, late=not told.changeable)


def warn_of_missing_line_ups(context: DeskCall, round: Round) -> None:
    """Teams that were asked for their line-ups in time and told none, said when a round starts."""
    if round.number not in context.now.line_ups_due:
        return
    if missing := line_ups_missing(context, round.number):
        context.warn("tournament.line_ups_missing", names=context.names_of(missing))


def warn_of_small_teams(context: DeskCall, round: Round) -> None:
    """Teams that cannot fill their boards, said when a round is paired."""
    boards = context.now.plan.boards
    small = [
        context.name(team)
        for table in round.draw.tables
        if context.now.plan.boards_at(len(table.seats))
        for team in table.seats
        if len(context.now.line_up(round.number, team)) < boards
    ]
    if small:
        context.warn("tournament.teams_too_small", names=small, boards=boards)


# results board by board


class BoardGameAnswer(Data):
    round: int
    table: int
    board: int
    against: str
    """The other team."""
    opponent: str | None
    """None: nobody sat there."""
    opponent_name: str
    ended: Literal["won", "drawn", "lost", "unplayed"]
    """``unplayed``: won, as nobody sat there."""


class TeamBoardRow(Data):
    rank: int
    person: str
    name: str
    team: str
    team_name: str
    games: int
    """Those that were played."""
    won: int
    drawn: int
    lost: int
    unplayed: int
    points: Annotated[Ratio, WithJsonSchema({"items": {"type": "integer"}, "type": "array"})]


class TeamPersonRow(TeamBoardRow):
    boards: list[BoardGameAnswer]
    """Game by game."""


class BoardRanking(Data):
    board: int
    rows: list[TeamBoardRow]
    """Who played there, the best first; those who are level share a rank."""


class TournamentBoardsAnswer(Data):
    tournament: str
    people: list[TeamPersonRow]
    """Everybody who sat at a board, the best first."""
    boards: list[BoardRanking]


@reads("tournament-boards", "GET /boards", EVERYBODY)
def boards(context: DeskCall) -> Answered[TournamentBoardsAnswer]:
    """Everybody's results at the boards of team matches, and the best at each board."""
    games = list(board_games(context.now))
    by_person: dict[str, list[BoardGame]] = {}
    for game in games:
        by_person.setdefault(game.person, []).append(game)
    data = TournamentBoardsAnswer(
        tournament=context.id,
        people=[
            TeamPersonRow.made_of(
                score,
                **_names(context, score),
                boards=[
                    BoardGameAnswer.made_of(
                        game, opponent_name=context.name(game.opponent) if game.opponent else ""
                    )
                    for game in by_person[score.person]
                ],
            )
            for score in ranked(games)
        ],
        boards=[
            BoardRanking(
                board=board,
                rows=[TeamBoardRow.made_of(score, **_names(context, score)) for score in scores],
            )
            for board, scores in by_board(games).items()
        ],
    )

    def render(voice: Voice) -> Iterator[str]:
        if not data.people:
            teams = context.now.plan.boards
            yield voice.say("tournament.no_board_yet" if teams else "tournament.no_teams")
            return
        yield from headed(voice, *boards_table(voice, data))
        yield ""
        yield voice.mark("bold", voice.say("tournament.best_at_boards"))
        for each in data.boards:
            yield "  " + voice.labelled(
                voice.say("tournament.board", board=each.board), best_text(voice, each)
            )

    return answered(lambda: data, render)


def _names(context: DeskCall, score: BoardScore) -> dict[str, str]:
    return {"name": context.name(score.person), "team_name": context.name(score.team)}


BOARDS: Listing[TeamBoardRow] = Listing(
    {
        **fields("rank", "name", "points", "games", "won", "drawn", "lost", "unplayed"),
        "team": Column(lambda row: row.team_name),
        "won_boards": Column(
            lambda row: f"{row.won}+{row.unplayed}" if row.unplayed else row.won,
            "tournament.head_won",
        ),
    },
    screen=["rank", "name", "team", "points", "games", "won_boards", "drawn", "lost"],
    csv=["rank", "name", "team", "points", "games", "won", "drawn", "lost", "unplayed"],
)


def boards_table(voice: Voice, found: TournamentBoardsAnswer) -> Laid:
    """Everybody's results at the boards, on a screen or a paper."""
    return BOARDS.on_screen(voice, found.people)


def best_text(voice: Voice, board: BoardRanking) -> str:
    """Whoever is first at a board, with what for."""
    first = [row for row in board.rows if row.rank == 1]
    names = ", ".join(f"{row.name} ({row.team_name})" for row in first)
    return f"{names} · {figure(voice, first[0].points)}/{first[0].games + first[0].unplayed}"
