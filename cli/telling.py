"""What the referee says, in words: verdicts, who is to act, what changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cli.speech import Paint, labelled, language, say
from engines.kernel import to_plain

if TYPE_CHECKING:
    from engines.kernel import Action, Engine, Finding, Judgement, KitSheet, Point, Verdict
    from referee.errors import Illegal
    from referee.record.game import Game
    from referee.record.line import Change
    from referee.table.bench import Answer
    from referee.table.openings import OpeningRefused
    from referee.table.play import Heard

SURE = ("rulebook", "declared")
"""Provenances that leave no doubt about what is in this table's box."""
SIGNS = {"legal": ("✔", "good"), "illegal": ("✘", "bad"), "undecided": ("◐", "unsure")}


def short(game_id: str) -> str:
    return game_id.removeprefix("game-")


def outcome(paint: Paint, verdict: Verdict) -> str:
    """Sign and word: the colour only repeats them."""
    sign, style = SIGNS[verdict.outcome]
    return paint(style, f"{sign} {say('outcome.' + verdict.outcome)}")


def because(engine: Engine[Any, Any], point: Point | Finding) -> str:
    """The facts of a point as a sentence, or one by one where the clause has no sentence."""
    clause = engine.clauses.get(point.clause)
    lang = language()
    if clause is None or clause.because is None:
        return ", ".join(_facts_told(engine, point.facts))
    told = engine.words.fill(clause.because.say(lang), lang, **point.facts)
    for name, value in point.facts.items():
        if value is True and (key := f"also.{name}") in engine.words:
            told = say("tell.also", told=told, also=engine.words.say(key, lang, **point.facts))
    return told


def _facts_told(engine: Engine[Any, Any], facts: Mapping[str, Any]) -> Iterator[str]:
    """Facts of a refusal: what there is nothing of is left out, and so is a seat in its turn."""
    for name, value in facts.items():
        if value is None or (name == "seat" and value == facts.get("turn")):
            continue
        key = f"told.{name}"
        if isinstance(value, str) and key in engine.words:
            yield engine.words.say(key, language(), **{name: value})
        else:
            yield facts_line(engine, {name: value})


def facts_line(engine: Engine[Any, Any], facts: Mapping[str, Any]) -> str:
    lang = language()
    told = []
    for name, value in facts.items():
        key = f"fact.{name}"
        label = engine.words.say(key, lang) if key in engine.words else name
        told.append(labelled(label, engine.words.fact(name, value, lang)))
    return ", ".join(told)


def clause_text(engine: Engine[Any, Any], clause_id: str) -> str:
    clause = engine.clauses.get(clause_id)
    return clause.say(language()) if clause is not None else ""


def refusal(
    paint: Paint,
    game: Game,
    heard: Heard,
    try_lines: list[str],
    *,
    program: str | None = "referee",
    insisted: bool = False,
) -> Iterator[str]:
    """An illegal line: clause, text, facts, what would be legal, and how ``program`` is told
    that it happened all the same; ``insisted``, it has been, in vain."""
    engine = game.engine
    line = engine.text(heard.action) if heard.action is not None else ""
    after = say(
        "tell.after", game=short(game.id), number=game.numbers()[-1] if game.numbers() else 0
    )
    yield f"{outcome(paint, heard.verdict)}   {paint('bold', line)}   {after}"
    for point in heard.verdict.breaches:
        yield from point_lines(engine, point)
    yield from doubt_lines(game.sheet, heard.verdict.breaches)
    if try_lines:
        yield f"  {say('tell.try')}  " + " · ".join(try_lines)
    if insisted:
        yield f"  {say('tell.cannot_stand')}"
    elif heard.may_stand and program is not None:
        yield f"  {say('tell.happened', program=program, line=line)}"


def insertion_refused(game: Game, error: Illegal) -> list[str]:
    """A correction that is illegal where it was to stand."""
    points = error.facts["verdict"].breaches
    lines = (line for point in points for line in point_lines(game.engine, point))
    return [say("correct.refused", line=error.facts["line"]), *lines]


def opening_refusal(
    paint: Paint, engine: Engine[Any, Any], refused: OpeningRefused
) -> Iterator[str]:
    """A table that cannot be opened."""
    line = engine.text(refused.action)
    yield f"{outcome(paint, refused.verdict)}   {paint('bold', line)}"
    for point in refused.verdict.breaches:
        yield from point_lines(engine, point)


def verdict_lines(paint: Paint, engine: Engine[Any, Any], judged: Judgement[Any]) -> Iterator[str]:
    """A verdict on a line that belongs to no record."""
    yield f"{outcome(paint, judged.verdict)}   {paint('bold', engine.text(judged.action))}"
    for point in (*judged.verdict.breaches, *judged.verdict.claims):
        yield from point_lines(engine, point)
    for point in judged.verdict.effects:
        yield effect_line(engine, point)
    for finding in judged.verdict.findings:
        yield f"  {finding_line(paint, engine, finding)}"


def point_lines(engine: Engine[Any, Any], point: Point) -> Iterator[str]:
    yield f"  {point.clause}  {clause_text(engine, point.clause)}"
    if told := because(engine, point):
        yield f"  {say('tell.facts')}  {told}"


def effect_line(engine: Engine[Any, Any], point: Point) -> str:
    """What happened by itself; a clause's sentence is about its breach and does not fit here."""
    facts = facts_line(engine, point.facts)
    return f"  {point.clause}  {clause_text(engine, point.clause)}" + (
        f" ({facts})" if facts else ""
    )


def doubt_lines(sheet: KitSheet, points: Iterable[Point]) -> Iterator[str]:
    """Perhaps the table is right and our kit is wrong: the data nobody has vouched for."""
    paths = [str(point.facts["datum"]) for point in points if "datum" in point.facts]
    for path in dict.fromkeys(paths):
        provenance = sheet.provenance(path)
        if provenance not in SURE:
            known = say(f"provenance.{provenance}")
            yield f"  {say('tell.box')}  {say('tell.doubt', datum=path, provenance=known)}"


def accepted(paint: Paint, heard: Heard, *, logged: bool = True) -> Iterator[str]:
    """A line that was taken in: number, effects, findings, and who is to act."""
    game, engine, verdict = heard.game, heard.game.engine, heard.verdict
    number = f"#{heard.number} " if logged and heard.number is not None else ""
    line = engine.text(heard.action) if heard.action is not None else ""
    yield f"{outcome(paint, verdict)}   {number}{paint('bold', line)}"
    if heard.stands:
        for point in verdict.breaches:
            yield from point_lines(engine, point)
        yield from doubt_lines(game.sheet, verdict.breaches)
        yield f"  {say('tell.stands')}"
    for point in verdict.claims:
        yield from point_lines(engine, point)
    for point in verdict.effects:
        yield effect_line(engine, point)
    for finding in verdict.findings:
        yield f"  {finding_line(paint, engine, finding)}"
    for dispute in heard.disputes:
        yield f"  {say('tell.dispute_opened', id=dispute)}"
    if logged:
        yield f"  {to_act(game)}"


def finding_line(paint: Paint, engine: Engine[Any, Any], finding: Finding) -> str:
    entries = numbered(finding.entries) or "–"
    style = "bad" if finding.status == "broken" else "good"
    several = "_one_of" if finding.status == "broken" and len(finding.entries) > 1 else ""
    text = say(f"tell.{finding.status}{several}", entries=entries, clause=finding.clause)
    facts = because(engine, finding)
    if finding.status == "broken" and (key := f"proven.{finding.clause}") in engine.words:
        facts = engine.words.say(key, language(), **finding.facts)  # the clause tells of its doubt
    return paint(style, text) + (f" ({facts})" if facts else "")


def to_act(game: Game) -> str:
    """Who owes what next, in one line."""
    engine, state, lang = game.engine, game.state, language()
    if state.over:
        return over_line(game)
    parts = []
    for duty in state.agenda.duties:
        key = f"duty.{duty.kind}"
        what = engine.words.say(key, lang) if key in engine.words else duty.kind
        may = say("tell.may", what=what) if duty.optional else what
        times = f" ×{duty.times}" if duty.times not in (None, 1) else ""
        owed = f"{may}{times}"
        parts.append(labelled(duty.seat, owed) if duty.seat else owed)
    return say("tell.next", what=" · ".join(dict.fromkeys(parts)))


def over_line(game: Game) -> str:
    result = game.engine.result(game.state)
    if result is None:
        return say("tell.over")
    if result.won is not None:
        return say("tell.won" if result.won else "tell.lost", clause=result.clause)
    places = " · ".join(
        f"{place}. {'='.join(seats)}" for place, seats in enumerate(result.places, start=1)
    )
    scores = ", ".join(f"{seat} {points}" for seat, points in result.scores.items())
    line = say("tell.places", places=places, clause=result.clause)
    return f"{line} ({scores})" if scores else line


def change_lines(
    paint: Paint, game: Game, change: Change, *, helping: bool = True
) -> Iterator[str]:
    """What a correction did, or would do, to everything behind it (``game`` is the game after
    it); ``helping`` names each pending action, and says what to do about them."""
    if change.judged_again:
        yield "  " + say("tell.rejudged", count=change.judged_again)
    texts = {item.number: item for item in game.line()}
    for judged in change.rejudged:
        if judged.after is None and not helping:
            continue
        item = texts.get(judged.number)
        line = game.engine.text(item.action) if item is not None and item.action else ""
        before = say(f"outcome.{judged.before.outcome}")
        if judged.after is None:
            after = paint("bad", say("tell.pending_word"))
        else:
            clauses = " ".join(point.clause for point in judged.after.breaches)
            after = f"{say('outcome.' + judged.after.outcome)} {clauses}".strip()
        yield "  " + labelled(f"#{judged.number} {line}", f"{before} → {after}")
    if change.pending:
        yield "  " + pending_line(change)
        first = texts[change.pending[0]]
        if first.action is not None:
            refused = game.engine.judge(game.setting, game.state, first.action, first.number or 0)
            for point in refused.verdict.breaches:
                yield from point_lines(game.engine, point)
    if change.pending and helping:
        yield "  " + say("tell.pending_help", number=change.pending[0])


def pending_line(change: Change) -> str:
    return say("tell.pending", numbers=numbered(change.pending))


def numbered(numbers: Iterable[int]) -> str:
    """Numbers of actions, longer runs shortened: ``#8–#11, #19, #20``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    shown = (
        f"#{run[0]}–#{run[-1]}" if len(run) > 2 else ", ".join(f"#{number}" for number in run)
        for run in runs
    )
    return ", ".join(shown)


def raised_lines(answer: Answer) -> Iterator[str]:
    """The disputes that an answer opened by itself."""
    for dispute in raised(answer):
        yield "  " + say("tell.dispute_opened", id=dispute)


# the same as data


def raised(answer: Answer) -> list[str]:
    from referee.record.entries import Disputed

    return [entry.data.id for entry in answer.entries if isinstance(entry.data, Disputed)]


def heard_data(heard: Heard) -> dict[str, Any]:
    game, verdict = heard.game, heard.verdict
    return {
        "game": game.id,
        "number": heard.number,
        "notation": game.engine.text(heard.action) if heard.action is not None else None,
        "action": action_data(heard.action),
        "accepted": heard.accepted,
        "stands": heard.stands,
        **verdict_data(verdict),
        "disputes": list(heard.disputes),
        "attention": bool(heard.disputes) or any(f.status == "broken" for f in verdict.findings),
        "to_act": list(game.state.agenda.seats),
        "head": game.head,
    }


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    return {
        "verdict": verdict.outcome,
        "clause": verdict.clause,
        "breaches": [point_data(point) for point in verdict.breaches],
        "claims": [point_data(point) for point in verdict.claims],
        "effects": [point_data(point) for point in verdict.effects],
        "findings": findings_data(verdict.findings),
    }


def findings_data(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    return [
        {
            "status": finding.status,
            "clause": finding.clause,
            "entries": list(finding.entries),
            "facts": to_plain(dict(finding.facts)),
        }
        for finding in findings
    ]


def point_data(point: Point) -> dict[str, Any]:
    return {"clause": point.clause, "facts": to_plain(dict(point.facts))}


def action_data(action: Action | None) -> dict[str, Any] | None:
    return None if action is None else action.model_dump(mode="json", exclude_defaults=True)


def change_data(change: Change) -> dict[str, Any]:
    return {
        "judged_again": change.judged_again,
        "rejudged": [
            {
                "number": judged.number,
                "before": judged.before.outcome,
                "after": judged.after.outcome if judged.after is not None else "pending",
                "clauses": [p.clause for p in judged.after.breaches] if judged.after else [],
            }
            for judged in change.rejudged
        ],
        "pending": list(change.pending),
    }
