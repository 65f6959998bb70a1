"""Rulings and penalties of judges, and rulings exported as test cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from answers.answer import Answered, Data
from answers.changes import ChangeAnswer, Changed, changed
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.judge.precedents import find_ruling
from answers.limits import LevelName, SeatLetter
from answers.permissions import EVERYBODY, KEEPERS, Writes
from answers.play.corrections import InsertionRefusedAnswer, insertion_answer
from answers.tournament.i18n import fluent, points
from answers.tournament.judging import level_of, level_text
from answers.verdict_text import action_line, numbered, short, to_act
from engines.kernel import Verbatim
from engines.kernel.dialogue.clause_text import clause_text, reading_in_words
from engines.kernel.messages.catalogue import LANGUAGES, normalize
from engines.kernel.values.structs import evolve
from referee.errors import Illegal, NotFound
from referee.judging import rulings
from referee.judging.case_export import case_of_ruling
from referee.judging.rulings import Decision
from referee.record.entries import (
    Corrected,
    Penalised,
    PenaltyCancelled,
    ReadingFixed,
    Reason,
    Reinstated,
    Remark,
    Ruled,
    TakenBack,
)
from referee.record.game import Game
from referee.table.bench import Answer
from referee.tournament.desk import LoadedTournament
from referee.tournament.events import PenaltyGiven, PointPenaltyCancelled
from referee.tournament.penalty_steps import USUAL_GUIDE, USUAL_LEVELS, guide_of
from referee.tournament.state import Tournament
from referee.tournament.table_games import read_ref, sitting
from referee.untrusted.safe_toml import write_toml


class PenaltyAnswer(Data):
    game: str
    id: str
    seat: str
    level: str
    reason: str
    ruling: str | None
    cancelled: str | None
    """Why it no longer holds."""


class PenaltyListAnswer(Data):
    game: str
    penalties: list[PenaltyAnswer]


class PenaltyLevelAnswer(Data):
    level: str
    halves: int
    """Half points off in the standings of the tournament."""


class PenaltyGuideAnswer(Data):
    game: str
    tournament: str
    """Whose rules say so; empty where the levels are the usual ones, which cost no points."""
    levels: list[PenaltyLevelAnswer]
    """From the mildest on."""
    event: str = ""
    """The tournament that the table belongs to, whose rules ever these are."""
    players: dict[str, str] = {}
    """Its players by seat: to ask what they were penalised for before."""


class RuledAnswer(Data):
    id: str
    dispute: str | None
    numbers: list[int]
    clauses: list[str]
    remedy: str
    reason: str
    authority: str
    precedents: list[str]
    overturns: str | None
    puts_back: bool
    """What the overturned ruling did is undone."""
    readings: dict[str, str]
    scope: str


class RulingIssueAnswer(ChangeAnswer):
    ruling: RuledAnswer | None
    """None, if it was only tried."""
    penalties: list[PenaltyAnswer]
    disputes: list[str]
    cancelled: list[str] = []
    """Penalties that end with the ruling that is overturned, also where it was only tried."""
    reads: dict[str, str] = {}
    """How the rulebook is read from here on, where that changes; also where it was only tried."""
    told: list[str]
    """The other records of the tournament that were told of it."""


@operation(
    "ruling-issue",
    "POST /games/{game}/rulings",
    grant=Writes("ruled"),
    params="answers.requests.judge:RulingRequest",
    rename={"decision": "*"},
)
def rule(
    caller: Caller,
    game_id: str,
    decision: Decision,
    *,
    cite: Sequence[str] = (),
    dry_run: bool = False,
) -> Answered[RulingIssueAnswer | InsertionRefusedAnswer]:
    """Decide a dispute, or a question nobody has raised; ``cite`` names earlier rulings."""
    cited = tuple(find_ruling(caller, each, game_id)[0].reference for each in cite)
    decision = evolve(decision, precedents=(*decision.precedents, *cited))
    if decision.remedy == "penalty" and decision.level:
        decision = evolve(decision, level=_level(caller, game_id, decision.level))
    try:
        answer = rulings.issue(caller.bench, game_id, decision, by=caller.by, dry_run=dry_run)
    except Illegal as refused:
        return insertion_answer(caller.game(game_id), refused)
    recorded = evolve(answer, entries=()) if dry_run else answer
    after, told = changed(caller, recorded), _tell_tournament(caller, recorded)
    points_told = _count_points(caller, recorded)

    def lines(voice: Voice) -> Iterator[str]:
        yield from _issued_lines(voice, answer, after, decision, dry_run=dry_run)
        yield from _points_lines(voice, points_told)
        if told:
            yield "  " + voice.say("ruling.told", games=", ".join(map(short, told)))

    return Answered(lambda: _issued(caller.voice, answer, recorded, after, told), lines)


def _tell_tournament(caller: Caller, answer: Answer) -> list[str]:
    """Carry a ruling on a reading to the other tables, where it is for all of them."""
    return [
        game
        for entry in answer.entries
        if isinstance(entry.data, Ruled) and entry.data.scope == "tournament"
        for game in caller.store_context.desk.carry_ruling(
            answer.game, entry.data.id, author=caller.author
        )
    ]


_USUAL = {
    normalize(Voice(lang).say(f"penalty_level.{level}")): level
    for lang in LANGUAGES
    for level in USUAL_LEVELS
}


def _level(caller: Caller, game_id: str, named: str) -> str:
    """A level that means something at this table: one of its guide, by the name it has there."""
    event = _event(caller, game_id)
    guide = guide_of(event.now.plan) if event else USUAL_GUIDE
    return level_of(caller.voice, guide, named).name


def penalty_text(voice: Voice, level: str) -> str:
    """A level as it was given, or, of the usual ones in whichever language, in the reader's."""
    return level_text(voice, _USUAL.get(normalize(level), level))


def _count_points(caller: Caller, answer: Answer) -> list[int]:
    """What its penalties change in the standings, in half points; nothing, if it was only tried."""
    if not any(isinstance(entry.data, Penalised | PenaltyCancelled) for entry in answer.entries):
        return []
    desk = caller.store_context.desk
    told = desk.carry_penalties(answer.game, author=caller.author)
    changes = []
    for one in told:
        event = one.event
        if isinstance(event, PenaltyGiven):
            changes.append(-event.halves)
        elif isinstance(event, PointPenaltyCancelled):
            stream, _, _ = read_ref(answer.game.opened.tournament)
            given = desk.load(stream).told[event.penalty].event
            changes += [given.halves] if isinstance(given, PenaltyGiven) else []
    return changes


def _points_lines(voice: Voice, changes: Sequence[int]) -> Iterator[str]:
    for halves in filter(None, changes):  # a warning changes nothing there
        message = "penalty.points_off" if halves < 0 else "penalty.points_back"
        yield "  " + voice.say(message, points=Verbatim(points(fluent(voice), abs(halves))))


def _issued(
    voice: Voice, answer: Answer, recorded: Answer, after: Changed, told: list[str]
) -> RulingIssueAnswer:
    ruled = [entry.data for entry in recorded.entries if isinstance(entry.data, Ruled)]
    made = [entry.data for entry in recorded.entries if isinstance(entry.data, Penalised)]
    entries = [entry.data for entry in answer.entries]
    return RulingIssueAnswer(
        **after.fields(voice),
        ruling=RuledAnswer.made_of(ruled[0]) if ruled else None,
        penalties=[_penalty(answer.game, penalty) for penalty in made],
        disputes=list(after.disputes),
        cancelled=list(rulings.cancelled_in(entries)),
        reads=rulings.readings_in(entries),
        told=told,
    )


def _issued_lines(
    voice: Voice, answer: Answer, after: Changed, decision: Decision, *, dry_run: bool
) -> Iterator[str]:
    remedy = voice.say(f"remedied.{decision.remedy}")
    if not dry_run:
        ruled = [entry.data for entry in answer.entries if isinstance(entry.data, Ruled)]
        yield voice.mark("bold", voice.say("ruling.issued", id=ruled[0].id, remedy=remedy))
        for clause in ruled[0].clauses:
            game = answer.game
            text = clause_text(game.engine, clause, voice.lang, game.setting.readings)
            yield f"  {clause}  {text}"
    else:
        yield voice.say("ruling.preview", remedy=remedy)
    yield from _done_lines(voice, answer)
    yield from after.lines(voice, helping=not dry_run)
    yield from after.table_lines(voice, dry_run=dry_run)
    if not dry_run:
        yield "  " + to_act(voice, after.game)


def _done_lines(voice: Voice, answer: Answer) -> Iterator[str]:
    """What the remedy did to the line."""
    engine, voice = answer.game.engine, voice.at(answer.game.seats)
    for entry in answer.entries:
        made = entry.data
        if isinstance(made, TakenBack):
            yield "  " + voice.say("ruling.took_back", numbers=numbered(made.numbers[::-1]))
        elif isinstance(made, Corrected):
            for said in made.insert:
                line = action_line(voice, engine, engine.text.load(said.action))
                yield f"  + #{said.number} {line}"
        elif isinstance(made, Reinstated):
            yield from _put_back_lines(voice, made)
        elif isinstance(made, PenaltyCancelled):
            yield "  " + penalty_told(voice, answer.game, made.id, "cancelled")
        elif isinstance(made, Penalised):
            yield "  " + penalty_told(voice, answer.game, made.id)
        elif isinstance(made, ReadingFixed):
            reading = reading_in_words(engine, made.reading, made.value)
            yield "  " + voice.say("ruling.reads", reading=reading)


def _put_back_lines(voice: Voice, made: Reinstated) -> Iterator[str]:
    """What an appeal undoes of the ruling before it."""
    if made.opening is not None:
        yield "  " + voice.say("ruling.opening_back", ruling=made.ruling)
    if made.out:
        yield "  " + voice.say("ruling.took_out", numbers=numbered(made.out))
    if made.back:
        yield "  " + voice.say("ruling.put_back", numbers=numbered(made.back))


@operation(
    "ruling-case",
    "GET /games/{game}/rulings/{ruling}/case",
    grant=KEEPERS,
    file="{game}-{ruling}.toml",
)
def case(caller: Caller, game_id: str, ruling_id: str) -> str:
    """A ruling as a case file in TOML."""
    if ruling_id not in caller.game(game_id).rulings:
        raise NotFound("no_such_ruling", ruling=ruling_id)
    return write_toml(case_of_ruling(caller.everything(game_id, "save-case"), ruling_id))


# penalties


@operation("penalty-add", "POST /games/{game}/penalties", grant=Writes("penalised"))
def penalise(
    caller: Caller, game_id: str, seat: SeatLetter, level: LevelName, reason: Remark = ""
) -> Answered[PenaltyAnswer]:
    """Give a seat a penalty: a level of the guide, which says what it costs."""
    level = _level(caller, game_id, level)
    answer = rulings.penalise(caller.bench, game_id, seat.upper(), level, reason, by=caller.by)
    made = answer.entries[0].data
    assert isinstance(made, Penalised)
    points_told = _count_points(caller, answer)
    return Answered(
        lambda: _penalty(answer.game, made),
        lambda voice: [
            penalty_told(voice, answer.game, made.id),
            *_points_lines(voice, points_told),
        ],
    )


def penalty_told(voice: Voice, game: Game, name: str, what: str = "added") -> str:
    """Who was given which penalty; ``what``: that it is new, or ``cancelled``."""
    given = game.penalties[name]
    seat = voice.called(given.seat, game.seats)
    return voice.say(f"penalty.{what}", id=name, seat=seat, level=penalty_text(voice, given.level))


@operation(
    "penalty-cancel",
    "POST /games/{game}/penalties/{penalty}/cancellation",
    grant=Writes("penalty_cancelled"),
)
def cancel_penalty(
    caller: Caller, game_id: str, penalty_id: str, reason: Reason
) -> Answered[PenaltyAnswer]:
    """Cancel a penalty; it stays in the record, with the reason."""
    answer = rulings.cancel_penalty(caller.bench, game_id, penalty_id, reason, by=caller.by)
    game, points_told = answer.game, _count_points(caller, answer)
    return Answered(
        lambda: _penalty(game, game.penalties[penalty_id]),
        lambda voice: [
            penalty_told(voice, game, penalty_id, "cancelled"),
            *_points_lines(voice, points_told),
        ],
    )


@operation("penalty-guide", "GET /games/{game}/penalty-guide", grant=EVERYBODY)
def penalty_guide(caller: Caller, game_id: str) -> Answered[PenaltyGuideAnswer]:
    """The levels of penalty at a table: as the rules of its tournament say, else the usual ones."""
    event = _event(caller, game_id)
    published = event.now.plan.penalties if event else ()
    players = _players(event.now, caller.game(game_id).opened.tournament) if event else {}
    tournament = event.id if event else ""

    def levels(voice: Voice) -> list[PenaltyLevelAnswer]:
        return [
            PenaltyLevelAnswer(level=level_text(voice, level.name), halves=level.halves)
            for level in published or USUAL_GUIDE
        ]

    def render(voice: Voice) -> list[str]:
        return columns(
            (one.level, f"−{points(fluent(voice), one.halves)}" if one.halves else "")
            for one in levels(voice)
        )

    def data() -> PenaltyGuideAnswer:
        return PenaltyGuideAnswer(
            game=game_id,
            tournament=tournament if published else "",
            levels=levels(caller.voice),
            event=tournament if players else "",
            players=players,
        )

    return Answered(data, render)


def _event(caller: Caller, game_id: str) -> LoadedTournament | None:
    """The event of a table, where it is held here."""
    place, desk = caller.game(game_id).opened.tournament, caller.store_context.desk
    stream = read_ref(place)[0] if place else ""
    return desk.load(stream) if stream and desk.has(stream) else None


def _players(now: Tournament, place: str) -> dict[str, str]:
    """Who sits at a table, by seat; nobody, if its pairing was withdrawn."""
    _, number, table = read_ref(place)
    drawn = now.rounds[number - 1].draw.tables if number <= len(now.rounds) else ()
    return next((sitting(each) for each in drawn if each.number == table), {})


@operation("penalty-list", "GET /games/{game}/penalties", grant=EVERYBODY)
def penalties(caller: Caller, game_id: str) -> Answered[PenaltyListAnswer]:
    """The penalties of a game."""
    game = caller.game(game_id)
    rows = [_penalty(game, penalty) for penalty in game.penalties.values()]

    def render(voice: Voice) -> list[str]:
        def gone(row: PenaltyAnswer) -> str:
            cancelled = row.cancelled is not None
            return voice.say("penalty.status_cancelled", reason=row.cancelled) if cancelled else ""

        listed = columns(
            (
                row.id,
                voice.called(row.seat, game.seats),
                penalty_text(voice, row.level),
                row.reason,
                gone(row),
            )
            for row in rows
        )
        return listed or [voice.say("penalty.none")]

    return Answered(lambda: PenaltyListAnswer(game=game.id, penalties=rows), render)


def _penalty(game: Game, made: Penalised) -> PenaltyAnswer:
    cancelled = game.cancelled.get(made.id)
    reason = cancelled.reason if cancelled is not None else None
    return PenaltyAnswer.made_of(made, game=game.id, cancelled=reason)
