"""Calling for a judge, and what a judge needs to decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from answers.answer import Answered, Data
from answers.changes import Changed, RejudgedRow, changed_game
from answers.claims import ClaimAnswer, claim_answers, open_claim_lines
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.judge.precedents import RulingAnswer
from answers.judge.rulings import penalty_told
from answers.known_games import known_rulings, places
from answers.limits import Clause, Id, SeatLetter, TriedLines
from answers.permissions import EVERYBODY, KEEPERS, Writes
from answers.play.views import photographs
from answers.privileged import open_claims
from answers.problems import problem_of
from answers.verdict_text import (
    cause_told,
    finding_line,
    hint_line,
    near_line,
    numbered,
    outcome,
    point_lines,
    reading_line,
    told_line,
)
from answers.verdicts import (
    ActionAnswer,
    RearrangedAnswer,
    VerdictAnswer,
    action_answer,
    verdict_fields,
)
from engines.kernel import Finding, Point, Verbatim
from engines.kernel.dialogue.clause_text import because, clause_text, reading_in_words
from referee.archive.precedents import Precedent, relevant
from referee.errors import NotFound
from referee.judging.dispute_subject import Matter, broken, matters, offender
from referee.judging.disputes import Going, going, same_deed, withdraw
from referee.judging.disputes import attend as take_to_the_table
from referee.judging.disputes import dispute as call_for_a_judge
from referee.judging.rulings import RemedyPreview, previews
from referee.record.claims import Claim
from referee.record.entries import Disputed, Number, Remark, Remedy
from referee.record.game import Game, moves_between

SHOWN = 12
"""So many legal lines are told; all of them are in the data."""


class DisputeRow(Data):
    id: str
    numbers: list[int]
    seat: str | None
    clause: str | None
    text: str
    cause: Literal["seat", "finding", "stands", "deal", "slip"]
    holds: bool
    beside: str | None
    """The dispute that held the game already, and does so again when this one is settled first."""
    settled: str | None
    """The ruling that ended it, or the word ``withdrawn``."""
    attended: bool = False
    """A judge is on the way."""
    appeals: str | None = None
    """The ruling that it appeals against."""


class DisputeAnswer(DisputeRow):
    game: str


class DisputeListAnswer(Data):
    game: str
    disputes: list[DisputeRow]


class RemedyRow(Data):
    remedy: Remedy
    possible: bool
    problem: str | None = None
    """The key of what stands against it."""
    why: str = ""
    """The same in a sentence."""
    gone: list[int] = []
    back: list[int] = []
    """On appeal: what counts again, because the ruling that took it out is overturned."""
    judged_again: int = 0
    cancelled: list[str] = []
    """On appeal: the penalties that end with the ruling that gave them."""
    ends: list[str] = []
    """The same in sentences."""
    readings: dict[str, str] = {}
    """On appeal: how the rulebook is read from there on, where that changes."""
    reads: list[str] = []
    """The same in sentences."""
    rejudged: list[RejudgedRow] = []
    pending: list[int] = []
    disputes_ended: list[str] = []
    """Other disputes of which nothing would be left to decide."""
    table: RearrangedAnswer = RearrangedAnswer()
    """What would have to be moved on the table."""


class DisputedActionRow(VerdictAnswer):
    number: int
    notation: str
    action: ActionAnswer | None
    status: Literal["counts", "pending", "taken_back", "corrected"]
    stands: bool


class PrecedentRow(RulingAnswer):
    why: str
    """How it bears on the dispute."""


class GoingRow(Data):
    """A judge who is on the way, or at the table."""

    name: str
    since: str
    own: bool
    """Whoever asks."""


class BrokenClauseRow(Data):
    """The one clause that a dispute turns on, and where the rulebook has it."""

    clause: str
    text: str
    section: str
    because: str
    """The facts, in a sentence; empty where the clause is only in question."""


class DisputeShowAnswer(DisputeAnswer):
    since: str = ""
    """When a judge was called."""
    going: list[GoingRow] = []
    """The judges who are on the way, the first one first."""
    also: list[DisputeRow] = []
    """Other open calls that a ruling on this one settles too."""
    broken: BrokenClauseRow | None = None
    previous: int = 0
    """The action before the first disputed one."""
    before: dict[str, Any]
    """The position before the first disputed action."""
    actions: list[DisputedActionRow]
    offender: str | None = None
    """Whoever did what is disputed, where the first action is somebody's."""
    legal: list[str]
    readings: dict[str, str]
    claims: list[ClaimAnswer]
    precedents: list[PrecedentRow]
    remedies: list[RemedyRow]


@operation("dispute-open", "POST /games/{game}/disputes", grant=Writes("disputed"))
def dispute(
    caller: Caller,
    game_id: str,
    number: Number,
    *,
    text: Remark = "",
    seat: SeatLetter | None = None,
    clause: Clause | None = None,
    holds: bool = False,
    appeals: Id | None = None,
) -> Answered[DisputeAnswer]:
    """Call for a judge about an action; ``holds``: nothing is logged until it is decided.

    ``appeals``: the ruling on it that is appealed against, ``r1`` or ``game-…/r1``.
    """
    answer = call_for_a_judge(
        caller.bench,
        game_id,
        number,
        text=text,
        seat=seat.upper() if seat else None,
        clause=clause.upper() if clause else None,
        holds=holds,
        appeals=appeals,
        by=caller.by,
    )
    made = answer.entries[0].data
    assert isinstance(made, Disputed)

    def render(voice: Voice) -> Iterator[str]:
        if made.appeals is not None:
            yield voice.say("dispute.appealed", id=made.id, ruling=made.appeals)
        else:
            yield voice.say("dispute.opened", id=made.id, number=number)
        if made.holds:
            yield "  " + voice.say("dispute.holds")

    return Answered(lambda: _answer(answer.game, made), render)


@operation(
    "dispute-close",
    "POST /games/{game}/disputes/{dispute}/withdrawal",
    grant=Writes("dispute_closed"),
)
def withdraw_dispute(
    caller: Caller, game_id: str, dispute_id: str, *, reason: Remark = ""
) -> Answered[DisputeAnswer]:
    """Nobody asks for a ruling any more."""
    game = withdraw(caller.bench, game_id, dispute_id, reason=reason, by=caller.by).game

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("dispute.closed", id=dispute_id)
        if isinstance(game.held, Disputed):
            yield "  " + voice.say("error.held_by_dispute", dispute=game.held.id)

    return Answered(lambda: _answer(game, game.disputes[dispute_id]), render)


class AttendAnswer(Data):
    game: str
    dispute: str | None
    going: list[GoingRow]


@operation(
    "dispute-attend", "POST /games/{game}/disputes/{dispute}/attendance", grant=Writes("attended")
)
def attend(
    caller: Caller, game_id: str, dispute_id: str, *, off: bool = False
) -> Answered[AttendAnswer]:
    """A judge is on the way to a table that disputes something; ``off``: leaves it to others."""
    return _attended(caller, game_id, dispute_id, off)


@operation(
    "hold-attend",
    "POST /games/{game}/attendance",
    grant=Writes("attended"),
    answer="dispute-attend",
)
def attend_hold(caller: Caller, game_id: str, *, off: bool = False) -> Answered[AttendAnswer]:
    """A judge is on the way to a game that is held; ``off``: leaves it to others."""
    return _attended(caller, game_id, None, off)


def _attended(
    caller: Caller, game_id: str, dispute_id: str | None, off: bool
) -> Answered[AttendAnswer]:
    game = take_to_the_table(caller.bench, game_id, dispute_id, off=off, by=caller.by).game
    told = "calls.left" if off else "calls.taken"
    return Answered(
        lambda: AttendAnswer(
            game=game.id, dispute=dispute_id, going=going_rows(caller, going(game, dispute_id))
        ),
        lambda voice: [voice.say(told)],
    )


def going_rows(caller: Caller, judges: Sequence[Going]) -> list[GoingRow]:
    own = caller.author.person
    return [
        GoingRow(name=caller.name(one.person), since=one.since, own=one.person == own)
        for one in judges
    ]


@operation("dispute-list", "GET /games/{game}/disputes", grant=EVERYBODY)
def disputes(
    caller: Caller, game_id: str, *, open_only: bool = False
) -> Answered[DisputeListAnswer]:
    """The disputes of a game; ``open_only``: those that nobody has settled."""
    game = caller.game(game_id)
    found = game.open_disputes() if open_only else list(game.disputes.values())

    def render(voice: Voice) -> list[str]:
        rows = columns(
            (
                dispute.id,
                " ".join(_named(voice, game, number) for number in dispute.numbers),
                dispute.clause or "–",
                cause_told(voice, dispute.cause, _by(voice, game, dispute)),
                _status(voice, game, dispute),
                dispute.text,
            )
            for dispute in found
        )
        return rows or [voice.say("dispute.none")]

    def data() -> DisputeListAnswer:
        rows = [dispute_row(game, dispute) for dispute in found]
        return DisputeListAnswer(game=game.id, disputes=rows)

    return Answered(data, render)


def _by(voice: Voice, game: Game, dispute: Disputed) -> str | None:
    return voice.called(dispute.seat, game.seats) if dispute.seat else None


def _named(voice: Voice, game: Game, number: int) -> str:
    """An action by its number; one that no longer counts is said to be gone."""
    gone = number and number not in game.numbers()
    return voice.say("dispute.gone", number=number) if gone else f"#{number}"


def _status(voice: Voice, game: Game, dispute: Disputed) -> str:
    by = game.ended_by(dispute)
    if by is None:
        return voice.say("dispute.status_" + ("attended" if going(game, dispute.id) else "open"))
    if by in ("withdrawn", "undone"):
        return voice.say(f"dispute.status_{by}")
    return voice.say("dispute.status_ruled", by=by)


def dispute_row(game: Game, dispute: Disputed) -> DisputeRow:
    settled = game.ended_by(dispute)
    attended = settled is None and bool(going(game, dispute.id))
    return DisputeRow.made_of(dispute, settled=settled, attended=attended)


def also_called(game: Game, dispute: Disputed) -> list[DisputeRow]:
    """The other open calls about the same deed."""
    calls = same_deed(game, dispute)
    return [dispute_row(game, each) for each in calls if each.id != dispute.id]


def _called_at(game: Game, dispute: Disputed) -> str:
    made = ((entry.at, entry.data) for entry in game.entries)
    return next(at for at, data in made if isinstance(data, Disputed) and data.id == dispute.id)


def _answer(game: Game, dispute: Disputed) -> DisputeAnswer:
    return DisputeAnswer.made_of(dispute, game=game.id, settled=game.ended_by(dispute))


# what lies before the judge


@operation("dispute-show", "GET /games/{game}/disputes/{dispute}", grant=KEEPERS, etag="content")
def brief(
    caller: Caller,
    game_id: str,
    dispute_id: str,
    *,
    correct: TriedLines = (),
    stands: bool = False,
) -> Answered[DisputeShowAnswer]:
    """The position, the action, every rule asked, precedents, and each remedy tried out.

    ``correct`` are the lines of a correction to be tried as a remedy too; ``stands``: they
    happened, even where they are illegal.
    """
    laid = _lay_out(caller, game_id, dispute_id, correct, stands=stands)
    return Answered(lambda: _laid_data(caller, laid), lambda voice: _laid_lines(voice, laid))


@operation(
    "dispute-picture",
    "GET /games/{game}/disputes/{dispute}/picture",
    grant=KEEPERS,
    file="{game}-{dispute}.svg",
)
def brief_picture(
    caller: Caller,
    game_id: str,
    dispute_id: str,
    *,
    remedy: Remedy | None = None,
    correct: TriedLines = (),
    photo: bool = False,
    stands: bool = False,
) -> str:
    """The table with the disputed action drawn in as SVG, or the table after a remedy; with a
    ``photo``, on the club's own board."""
    from replays.exports.annotations import drawn_moves

    game, dispute = _disputed(caller, game_id, dispute_id)
    engine, lang = game.engine, caller.voice.lang
    matter = matters(game, dispute)[0]
    shown = (
        matter.step
        if remedy is None
        else _after(game, dispute, remedy, correct, stands=stands).steps[-1]
    )
    names = caller.names_at(game)
    words = engine.describe(shown.state, shown.setting, lang, names)
    grounds = photographs(caller, game) if photo else None
    drawn = engine.picture(
        shown.state, shown.setting, lang, shown.action, names=names, grounds=grounds
    )
    moved = drawn_moves(drawn, engine, matter.before, shown) if remedy is None else None
    return drawn.svg(engine.words.say("game", lang), "\n".join(words), lang=lang, over=moved)


def _after(
    game: Game, dispute: Disputed, remedy: Remedy, correct: Sequence[str], *, stands: bool
) -> Game:
    """The game as a remedy would leave it."""
    for preview in previews(game, dispute, correct, stands=stands):
        if preview.remedy == remedy:
            if preview.after is None:
                assert preview.problem is not None
                raise preview.problem
            return preview.after
    raise NotFound("remedy_not_tried", remedy=remedy)


@dataclass(frozen=True)
class _Brief:
    """The brief of a judge: position, action, rules consulted, precedents, remedies tried out."""

    game: Game
    dispute: Disputed
    matters: list[Matter]
    legal: list[str]
    readings: dict[str, str]
    """Those that were asked, and those that this table reads otherwise than usual."""
    claims: list[Claim]
    precedents: list[Precedent]
    remedies: list[tuple[RemedyPreview, Changed | None]]
    correct: Sequence[str]


def _disputed(caller: Caller, game_id: str, dispute_id: str) -> tuple[Game, Disputed]:
    game = caller.everything(game_id, "dispute show")
    if dispute_id not in game.disputes:
        raise NotFound("no_such_dispute", dispute=dispute_id)
    return game, game.disputes[dispute_id]


def _lay_out(
    caller: Caller, game_id: str, dispute_id: str, correct: Sequence[str], *, stands: bool
) -> _Brief:
    game, dispute = _disputed(caller, game_id, dispute_id)
    found = matters(game, dispute)
    before, engine = found[0].before, game.engine
    options = engine.options(before.setting, before.state) if found[0].line.number else ()
    asked = {name for each in found for name in each.step.verdict.readings}
    return _Brief(
        game,
        dispute,
        found,
        [engine.text(action) for action in options],
        {
            name: value
            for name, value in before.setting.readings.items()
            if name in asked or value != engine.readings[name].default
        },
        open_claims(caller, game_id),
        _precedents(caller, game, dispute, found),
        [
            (preview, changed_game(caller, game, preview.after, preview.change))
            if preview.after is not None and preview.change is not None
            else (preview, None)
            for preview in previews(game, dispute, correct, stands=stands)
        ],
        correct,
    )


def _precedents(
    caller: Caller, game: Game, dispute: Disputed, found: list[Matter]
) -> list[Precedent]:
    named = [clause for each in found for clause in each.clauses]
    clauses = list(dict.fromkeys([dispute.clause, *named] if dispute.clause else named))
    breaches = broken(found, dispute.clause)
    store, played = caller.store_context.store, places(caller)
    return [
        precedent
        if precedent.source or caller.viewer is None
        else precedent._replace(ruling=precedent.ruling.without_play())
        for precedent in relevant(store, game.engine.id, clauses, breaches, here=game.id)
        if known_rulings(caller, [(precedent.ruling, precedent.source)], played)
    ]


def _laid_data(caller: Caller, laid: _Brief) -> DisputeShowAnswer:
    voice, game, dispute = caller.voice, laid.game, laid.dispute
    before = laid.matters[0].before
    return DisputeShowAnswer(
        **dict(_answer(game, dispute)),
        since=_called_at(game, dispute),
        going=going_rows(caller, going(game, dispute.id)),
        also=also_called(game, dispute),
        broken=_broken(voice.at(game.seats), laid),
        previous=before.number or 0,
        before=laid.game.engine.plain(before.state),
        actions=[_action_row(each) for each in laid.matters],
        offender=offender(laid.game, [each.line.number for each in laid.matters]),
        legal=laid.legal,
        readings=dict(before.setting.readings),
        claims=claim_answers(laid.claims),
        precedents=[
            PrecedentRow.made_of(each.ruling, source=each.source, why=each.why)
            for each in laid.precedents
        ],
        remedies=[_remedy_row(voice, *each) for each in laid.remedies],
    )


def _broken(voice: Voice, laid: _Brief) -> BrokenClauseRow | None:
    """What a judge reads first: the breach, the proof of one, else the clause in question."""
    engine, asked = laid.game.engine, laid.dispute.clause
    verdicts = [each.step.verdict for each in laid.matters]
    points: list[Point | Finding] = [point for each in verdicts for point in each.breaches]
    points += _proofs(laid)
    points += [point for each in verdicts for point in each.claims]
    deciding = next((point for point in points if asked in (None, point.clause)), None)
    clause = deciding.clause if deciding is not None else asked
    if clause is None or clause not in engine.clauses:
        return None
    told = because(engine, deciding, voice.lang, voice.names) if deciding is not None else ""
    text = clause_text(engine, clause, voice.lang, laid.matters[0].step.setting.readings)
    section = engine.clauses[clause].section
    return BrokenClauseRow(clause=clause, text=text, section=section, because=told)


def _proofs(laid: _Brief) -> list[Finding]:
    """What later actions have proven of those that are disputed."""
    numbers = {each.line.number for each in laid.matters}
    findings = (finding for step in laid.game.steps for finding in step.verdict.findings)
    return [one for one in findings if one.status == "broken" and numbers & {*one.entries}]


def _action_row(each: Matter) -> DisputedActionRow:
    action = each.step.action
    return DisputedActionRow(
        **verdict_fields(each.step.verdict, moves_between(each.game, each.before, each.step)),
        number=each.line.number,
        notation=each.line.text,
        action=action_answer(action) if action is not None else None,
        status=each.line.status,
        stands=each.step.item.stands,
    )


def _remedy_row(voice: Voice, preview: RemedyPreview, after: Changed | None) -> RemedyRow:
    if after is None:
        assert preview.problem is not None
        why = problem_of(preview.problem, voice).message
        return RemedyRow(
            remedy=preview.remedy, possible=False, problem=preview.problem.key, why=why
        )
    fields = after.fields(voice)
    del fields["game"]
    fields["reads"] = [*_reads(voice, after.game, preview)]
    fields["ends"] = [*_ends(voice, after.game, preview)]
    return RemedyRow.made_of(preview, possible=True, why="", **fields)


def _laid_lines(voice: Voice, laid: _Brief) -> Iterator[str]:
    game, first = laid.game, laid.matters[0]
    voice, before = voice.at(game.seats), first.before
    yield from _title_lines(voice, laid)
    yield voice.mark("bold", voice.say("dispute.before", number=first.line.number))
    for line in game.engine.describe(before.state, before.setting, voice.lang, voice.names):
        yield f"  {line}"
    for each in laid.matters:
        yield from _matter_lines(voice, game, each)
    yield from open_claim_lines(voice, laid.claims)
    legal = (near_line(voice, game.engine, line) for line in laid.legal[:SHOWN])
    shown = " · ".join(legal) or "–"
    hidden = len(laid.legal) - SHOWN
    more = voice.say("dispute.more", count=hidden) if hidden > 0 else ""
    yield f"{voice.say('dispute.legal', lines=shown)} {more}".rstrip()
    for name, value in laid.readings.items():
        yield reading_line(voice, game.engine, name, value)
    yield voice.mark("bold", voice.say("dispute.precedents"))
    for precedent in laid.precedents:
        yield from _precedent_lines(voice, precedent)
    if not laid.precedents:
        yield f"  {voice.say('dispute.no_precedents')}"
    yield voice.mark("bold", voice.say("dispute.remedies"))
    for preview, after in laid.remedies:
        yield from _remedy_lines(voice, laid, preview, after)
    yield from _next_lines(voice, laid)


def _title_lines(voice: Voice, laid: _Brief) -> Iterator[str]:
    dispute = laid.dispute
    cause = cause_told(voice, dispute.cause, _by(voice, laid.game, dispute))
    title = voice.mark("bold", voice.say("dispute.title", id=dispute.id))
    yield " · ".join(filter(None, (title, cause, _status(voice, laid.game, dispute))))
    if dispute.text:
        yield f"  {voice.say('quoted', text=Verbatim(dispute.text))}"
    if dispute.clause is not None:
        text = clause_text(laid.game.engine, dispute.clause, voice.lang, laid.game.setting.readings)
        yield f"  {voice.say('dispute.about', clause=dispute.clause)}  {text}"
    if laid.game.held is dispute:
        yield f"  {voice.say('dispute.holds')}"


def _matter_lines(voice: Voice, game: Game, each: Matter) -> Iterator[str]:
    verdict, status = each.step.verdict, each.line.status
    told = told_line(voice, game.engine, each.line.text)
    line = f"#{each.line.number} {voice.mark('bold', told)}"
    gone = "" if status == "counts" else f"   ({voice.say(f'moves.{status}')})"
    yield f"{outcome(voice, verdict)}   {line}{gone}"
    for point in (*verdict.breaches, *verdict.claims):
        yield from point_lines(voice, game.engine, point, each.step.setting.readings)
    for finding in verdict.findings:
        yield f"  {finding_line(voice, game.engine, finding)}"
    if each.step.item.stands:
        yield f"  {voice.say('tell.stands')}"


def _precedent_lines(voice: Voice, precedent: Precedent) -> Iterator[str]:
    ruling = precedent.ruling
    source = f" ({precedent.source})" if precedent.source else ""
    by = ruling.overturned_by
    gone = f" – {voice.say('ruling.overturned', by=by)}" if by else ""
    yield (
        f"  {ruling.reference}{source}  {voice.day(ruling.date)}  {' '.join(ruling.clauses)}  "
        f"{voice.say(f'remedied.{ruling.remedy}')}{gone}"
    )
    yield f"      {ruling.reason}"
    yield f"      {voice.say(f'precedent.{precedent.why}')}"


def _remedy_lines(
    voice: Voice, laid: _Brief, preview: RemedyPreview, after: Changed | None
) -> Iterator[str]:
    name = voice.say(f"remedy.{preview.remedy}")
    if after is None:
        assert preview.problem is not None
        why = problem_of(preview.problem, voice).message
        yield f"  {voice.say('dispute.impossible', remedy=name, why=why)}"
        return
    effect = " ; ".join(laid.correct) if preview.remedy == "corrected" else ""
    if not (effect or preview.gone or preview.back or preview.cancelled or preview.readings):
        effect = voice.say("dispute.table_as_is")
    yield "  " + (voice.say("dispute.effect", remedy=name, effect=effect) if effect else name)
    gone = () if preview.remedy == "corrected" else preview.gone
    for key, numbers in (("would_go", gone), ("would_return", preview.back)):
        if numbers:
            facts = {"count": len(numbers), "numbers": numbered(numbers)}
            yield "      " + voice.say(f"dispute.{key}", **facts)
    for line in (*_ends(voice, laid.game, preview), *_reads(voice, laid.game, preview)):
        yield f"      {line}"
    for line in (*after.lines(voice, helping=False), *after.table_lines(voice, dry_run=True)):
        yield f"    {line}"


def _ends(voice: Voice, game: Game, preview: RemedyPreview) -> Iterator[str]:
    """Whose penalties would end."""
    return (penalty_told(voice, game, name, "cancelled") for name in preview.cancelled)


def _reads(voice: Voice, game: Game, preview: RemedyPreview) -> Iterator[str]:
    """How the rulebook would be read, where that changes."""
    for name, value in preview.readings.items():
        yield voice.say("ruling.reads", reading=reading_in_words(game.engine, name, value))


def _next_lines(voice: Voice, laid: _Brief) -> Iterator[str]:
    """What a judge may do about it."""
    dispute = laid.dispute.id
    settled = laid.game.ended_by(laid.dispute)
    if settled in (None, "undone"):
        if not laid.correct:
            yield from hint_line(voice, "dispute.try_correction", id=dispute)
        yield from hint_line(voice, "dispute.decide", id=dispute)
    elif settled in laid.game.rulings:
        yield from hint_line(voice, "dispute.appeal", id=dispute, by=settled)
