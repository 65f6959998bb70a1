"""Verdicts as text: refusals, effects, findings, and who is to act."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from answers.i18n import Voice
from engines.kernel.box.kit import PART
from engines.kernel.dialogue.clause_text import (
    because,
    clause_text,
    difference,
    effect_told,
    reading_in_words,
    readings_named,
)
from engines.kernel.messages.catalogue import Verbatim
from engines.kernel.rules.holdings import elsewhere, holder_named
from referee.lru_cache import LruCache

if TYPE_CHECKING:
    from engines.kernel import (
        Action,
        Duty,
        Engine,
        Finding,
        Judgement,
        Moves,
        Point,
        Rearrangement,
        Setting,
        Verdict,
    )
    from referee.errors import Illegal
    from referee.record.game import Game
    from referee.record.line import JudgedItem
    from referee.table.openings import OpeningRefused
    from referee.table.play import Heard

Readings = Mapping[str, str]
SIGNS = {"legal": ("✔", "good"), "illegal": ("✘", "bad"), "undecided": ("◐", "unsure")}
SURE = ("rulebook", "declared")
"""Provenances that leave no doubt about what is in this table's box."""


def doubts(
    engine: Engine[Any, Any],
    setting: Setting[Any],
    state: Any,
    verdict: Verdict,
    action: Action | None,
) -> Iterator[tuple[str, str]]:
    """The data that a breach, or what happened by itself, rests on and that may be wrong."""
    said = {name: getattr(action, name) for name in type(action).model_fields} if action else {}
    sheet = setting.sheet
    points = (*verdict.breaches, *verdict.effects)
    paths = [str(point.facts["datum"]) for point in points if "datum" in point.facts]
    for point in verdict.breaches:
        facts = {**said, **point.facts}
        paths += engine.guide.rests_on(setting.kit, state, point.clause, facts)
    for path in dict.fromkeys(paths):
        provenance = sheet.provenance(path)
        if provenance not in SURE and sheet.at(path.partition(PART)[0]) is not None:
            yield sheet.shown(path), provenance


def as_time(left: timedelta) -> str:
    """``42:07``; hours only where there are some, and a sign once less than nothing is left."""
    minutes, seconds = divmod(abs(round(left.total_seconds())), 60)
    hours, minutes = divmod(minutes, 60)
    shown = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return f"−{shown}" if left < timedelta() else shown


def short(game_id: str) -> str:
    return game_id.removeprefix("game-")


def hint_line(voice: Voice, key: str, **facts: Any) -> Iterator[str]:
    """A line with only a hint; empty in a front end that shows none."""
    if hint := voice.hint(key, **facts):
        yield f"  {hint}"


def cause_told(voice: Voice, cause: str, seat: str | None) -> str:
    """Who or what has raised a dispute; nothing, where it is not known who."""
    if cause == "seat" and seat is None:
        return ""
    return voice.say(f"dispute.cause_{cause}", seat=Verbatim(seat or ""))


def outcome(voice: Voice, verdict: Verdict) -> str:
    """Sign and word: the colour only repeats them."""
    sign, style = SIGNS[verdict.outcome]
    return voice.mark(style, f"{sign} {voice.say('outcome.' + verdict.outcome)}")


def refusal(
    voice: Voice,
    game: Game,
    heard: Heard,
    try_lines: list[str],
    forgotten: Sequence[str] = (),
    *,
    insisted: bool = False,
) -> Iterator[str]:
    """An illegal line: clause, text, facts, what would be legal, and how the referee is told
    that it happened all the same; ``insisted``, it has been, in vain."""
    engine, voice = game.engine, voice.at(game.seats)
    line = engine.text(heard.action, voice.lang) if heard.action is not None else ""
    said = action_line(voice, engine, heard.action)
    told = [outcome(voice, heard.verdict), voice.mark("bold", said)]
    if voice.program is not None:  # others are looking at the game
        told.append(voice.say("tell.after", game=short(game.id), number=game.last_counting))
    yield "   ".join(told)
    yield from breach_lines(voice, engine, heard.verdict, game.setting.readings)
    yield from finding_lines(voice, engine, heard.verdict, supposed=True)
    yield from elsewhere_lines(voice, game, heard.verdict)
    yield from doubt_lines(voice, engine, game.setting, game.state, heard.verdict, heard.action)
    if try_lines:
        yield f"  {voice.say('tell.try')}  " + " · ".join(
            near_line(voice, engine, line) for line in try_lines
        )
    if insisted:
        yield f"  {voice.say('tell.cannot_stand')}"
    elif heard.may_stand:
        asked = f'"{line}"' if "'" in line else line
        key = "tell.both" if drawn_again(game, heard) else "tell.happened"
        yield from hint_line(voice, key, line=asked)
    if forgotten:
        first = typed_step(voice, engine, forgotten[0])
        yield from hint_line(voice, "tell.forgotten", line=f'"{first}; {line}"')


def drawn_again(game: Game, heard: Heard) -> bool:
    """Whether the same was drawn or shown just before: perhaps both were."""
    last, action = game.steps.last.action, heard.action
    if action is None or last is None or not action.observes:
        return False
    return type(last) is type(action) and last.by == action.by


def typed_step(voice: Voice, engine: Engine[Any, Any], line: str) -> str:
    """A step that was perhaps forgotten, as it is typed; with dots where it may be one of many."""
    if not line.endswith("…"):
        return engine.text.told_in(line, voice.lang)
    return " ".join(engine.text.verb_in(word, voice.lang) for word in line.split())


def action_line(voice: Voice, engine: Engine[Any, Any], action: Action | None) -> str:
    """An action in a sentence, or in the notation of where it is typed."""
    if action is None:
        return ""
    if not voice.sentences:
        return engine.text(action, voice.lang)
    return engine.text.tell(action, voice.lang, voice.names)


def told_line(voice: Voice, engine: Engine[Any, Any], line: str) -> str:
    """A recorded line in a sentence, and as it is typed where notation is."""
    told = engine.text.tell_line(line, voice.lang, voice.names)
    typed = engine.text.told_in(line, voice.lang)
    return told if voice.sentences or told == typed else f"{told} ({typed})"


def near_line(voice: Voice, engine: Engine[Any, Any], line: str) -> str:
    """A line that would be legal: as a button says it, or as it is typed."""
    if not voice.sentences:
        return engine.text.told_in(line, voice.lang)
    return engine.text.label(engine.read(line), voice.lang, voice.names)


def insertion_refused(voice: Voice, game: Game, error: Illegal) -> Iterator[str]:
    """A correction that is illegal where it was to stand."""
    voice, engine = voice.at(game.seats), game.engine
    line = near_line(voice, engine, error.facts["line"])
    yield voice.say("correct.refused", line=Verbatim(line))
    yield from breach_lines(voice, engine, error.facts["verdict"], game.setting.readings)


def opening_refusal(voice: Voice, engine: Engine[Any, Any], heard: OpeningRefused) -> Iterator[str]:
    """A table that cannot be opened."""
    line = engine.text(heard.action, voice.lang)
    yield f"{outcome(voice, heard.verdict)}   {voice.mark('bold', line)}"
    yield from breach_lines(voice, engine, heard.verdict, heard.action.readings)


def verdict_lines(
    voice: Voice,
    engine: Engine[Any, Any],
    judged: Judgement[Any],
    moves: Moves,
    readings: Readings,
) -> Iterator[str]:
    """A verdict on a line that belongs to no record, and what it would move."""
    line = action_line(voice, engine, judged.action)
    yield f"{outcome(voice, judged.verdict)}   {voice.mark('bold', line)}"
    yield from breach_lines(voice, engine, judged.verdict, readings)
    for point in judged.verdict.claims:
        yield from point_lines(voice, engine, point, readings)
    yield from happened_lines(voice, engine, judged.verdict, moves, readings)
    yield from finding_lines(voice, engine, judged.verdict)
    yield from warning_lines(voice, engine, judged.verdict)
    yield from doubted_lines(voice, engine, judged.verdict, readings)


def breach_lines(
    voice: Voice, engine: Engine[Any, Any], verdict: Verdict, readings: Readings
) -> Iterator[str]:
    """The clauses that were broken, why, and the readings that decided it."""
    for point in verdict.breaches:
        yield from point_lines(voice, engine, point, readings)
    broken = [point.clause for point in verdict.breaches]
    deciding = (
        name
        for name in verdict.readings
        if name in readings and not {*broken}.isdisjoint(engine.readings[name].clauses)
    )
    for name in readings_named(engine, deciding, broken, readings):
        yield f"  {reading_line(voice, engine, name, readings[name])}"


def _contested_lines(
    voice: Voice, engine: Engine[Any, Any], verdict: Verdict, readings: Readings
) -> Iterator[str]:
    """The readings on which an effect rests, where the rulebook contradicts itself."""
    applied = {point.clause for point in verdict.effects}
    for name in verdict.readings:
        if engine.readings[name].contested and applied & {*engine.readings[name].clauses}:
            yield f"  {reading_line(voice, engine, name, readings[name])}"


def reading_line(voice: Voice, engine: Engine[Any, Any], name: str, value: str) -> str:
    """A reading: the question, how it is answered, and how it is written where it is typed."""
    told = voice.say("why.reading", reading=reading_in_words(engine, name, value))
    return told if voice.program is None else f"{told} ({name}={value})"


def point_lines(
    voice: Voice, engine: Engine[Any, Any], point: Point, readings: Readings
) -> Iterator[str]:
    yield f"  {point.clause}  {clause_text(engine, point.clause, voice.lang, readings)}"
    if told := because(engine, point, voice.lang, voice.names):
        yield f"  {voice.say('tell.facts')}  {told}"


def doubted_lines(
    voice: Voice, engine: Engine[Any, Any], verdict: Verdict, readings: Readings
) -> Iterator[str]:
    """Why a declared table can hardly have come about: told beside what is answered."""
    if verdict.doubted:
        yield f"  {voice.mark('unsure', voice.say('tell.doubted'))}"
    for point in verdict.doubted:
        yield from point_lines(voice, engine, point, readings)


def moved_lines(voice: Voice, engine: Engine[Any, Any], moves: Moves) -> Iterator[str]:
    """What changed hands and which points were won, in a line of its own."""
    if told := moves.told(engine.words.naming(voice.names), voice.lang):
        yield "  " + " · ".join(told)


def happened_lines(
    voice: Voice, engine: Engine[Any, Any], verdict: Verdict, moves: Moves, readings: Readings
) -> Iterator[str]:
    """What ended in silence before the action, what the action moved, what happened by itself.

    Each once; what happens every time, only where all is told.
    """
    ended = len(verdict.effects_before)
    before, after = (
        [
            effect_line(voice, engine, point, readings)
            for point in points
            if is_told(voice, engine, point)
        ]
        for points in (verdict.effects[:ended], verdict.effects[ended:])
    )
    yield from dict.fromkeys(before)
    yield from moved_lines(voice, engine, moves)
    yield from (line for line in dict.fromkeys(after) if line not in before)


def is_told(voice: Voice, engine: Engine[Any, Any], point: Point) -> bool:
    clause = engine.clauses.get(point.clause)
    return voice.thorough or clause is None or not clause.routine


def effect_line(voice: Voice, engine: Engine[Any, Any], point: Point, readings: Readings) -> str:
    """What happened by itself."""
    facts = effect_told(engine, point, voice.lang, voice.names)
    return f"  {point.clause}  {clause_text(engine, point.clause, voice.lang, readings)}" + (
        f" ({facts})" if facts else ""
    )


def elsewhere_lines(voice: Voice, game: Game, verdict: Verdict) -> Iterator[str]:
    """Where a thing is that somebody says to have drawn, and the entries that say so."""
    engine, steps = game.engine, game.steps
    words = engine.words.naming(voice.names)
    states = [step.state for step in steps]
    for point in verdict.breaches:
        sought = engine.holdings.sought(point)
        found = elsewhere(engine.holdings, sought, states, game.setting) if sought else ()
        told = ", ".join(
            f"{holder_named(holder, words, voice.lang)} (#{steps[at].number})"
            for holder, at in found
        )
        if told:
            yield f"  {voice.say('tell.elsewhere', places=told)}"


def doubt_lines(
    voice: Voice,
    engine: Engine[Any, Any],
    setting: Setting[Any],
    state: Any,
    verdict: Verdict,
    action: Action | None,
) -> Iterator[str]:
    """The unconfirmed data of the box that a refusal rests on: perhaps the table is right."""
    for datum, provenance in doubts(engine, setting, state, verdict, action):
        from answers.box_words import datum_words  # whoever is not refused does without

        known = voice.say(f"provenance.{provenance}")
        named = engine.words.datum(datum, voice.lang)
        name = Verbatim(named or datum_words(voice, engine, setting.sheet, datum))
        doubt = voice.say("tell.doubt", name=name, datum=datum, provenance=known)
        yield f"  {voice.say('tell.box')}  {doubt}"


def warning_lines(voice: Voice, engine: Engine[Any, Any], verdict: Verdict) -> Iterator[str]:
    """What is odd and breaks nothing."""
    words = engine.words.naming(voice.names)
    for remark in verdict.warnings:
        said = words.say(f"warning.{remark.key}", voice.lang, **remark.facts)
        yield f"  {voice.mark('unsure', voice.say('tell.warning', said=said))}"


def _rearranged(engine: Engine[Any, Any], was: JudgedItem, now: JudgedItem) -> Rearrangement:
    """What lies otherwise: whose turn it is, and what is still due, nobody can see lie there."""
    return engine.rearranged(was.state, now.state, was.setting, now.setting)


def accepted(
    voice: Voice, heard: Heard, *, logged: bool = True, forgotten: Sequence[str] = ()
) -> Iterator[str]:
    """A line that was taken in: number, effects, findings, and who is to act."""
    game, engine, verdict = heard.game, heard.game.engine, heard.verdict
    voice = voice.at(game.seats)
    number = f"#{heard.number} " if logged and heard.number is not None else ""
    line = action_line(voice, engine, heard.action)
    untold = [point.clause for point in verdict.claims if not is_told(voice, engine, point)]
    yield "   ".join((outcome(voice, verdict), f"{number}{voice.mark('bold', line)}", *untold))
    readings = game.setting.readings
    if heard.stands:
        yield from breach_lines(voice, engine, verdict, readings)
        yield f"  {voice.say('tell.stands')}"
        if heard.steps is not None and not _rearranged(engine, *heard.steps):
            yield f"  {voice.say('tell.nothing_moved')}"
    for point in verdict.claims:
        if is_told(voice, engine, point):
            yield from point_lines(voice, engine, point, readings)
    yield from happened_lines(voice, engine, verdict, heard.moves, readings)
    yield from _contested_lines(voice, engine, verdict, readings)
    yield from finding_lines(voice, engine, verdict, supposed=not logged)
    yield from warning_lines(voice, engine, verdict)
    yield from doubted_lines(voice, engine, verdict, readings)
    yield from doubt_lines(voice, engine, game.setting, game.state, verdict, heard.action)
    for dispute in heard.disputes:
        yield f"  {voice.say('tell.dispute_opened', id=dispute)}"
    if forgotten and logged:
        line = f'"{typed_step(voice, engine, forgotten[0])}"'
        yield from hint_line(voice, "tell.forgotten_there", number=heard.number, line=line)
    if logged:
        yield f"  {to_act(voice, game)}"


def finding_lines(
    voice: Voice, engine: Engine[Any, Any], verdict: Verdict, *, supposed: bool = False
) -> Iterator[str]:
    """What an action proves, or clears, of earlier ones; each thing once.

    One that is only ``supposed``, and not recorded, proves nothing yet: it may be mistyped.
    """
    yield from dict.fromkeys(
        f"  {finding_line(voice, engine, finding, supposed=supposed)}"
        for finding in verdict.findings
    )


def finding_line(
    voice: Voice, engine: Engine[Any, Any], finding: Finding, *, supposed: bool = False
) -> str:
    entries = numbered(finding.entries)
    if (counted := difference(engine, finding, entries, voice.lang, voice.names)) is not None:
        return f"{voice.mark('bad', counted)} ({finding.clause})"
    style = "bad" if finding.status == "broken" else "good"
    key = f"supposed.{finding.manner}" if supposed else f"tell.{finding.manner}"
    text = voice.say(key, entries=entries, clause=finding.clause)
    facts = because(engine, finding, voice.lang, voice.names)
    if finding.status == "broken" and (key := f"proven.{finding.clause}") in engine.words:
        told = engine.words.naming(voice.names)  # the clause itself tells of its doubt
        facts = told.say(key, voice.lang, **finding.facts)
    return voice.mark(style, text) + (f" ({facts})" if facts else "")


POSITIONS = 500
"""So many positions are remembered with what can be done at them: trying it out takes long."""


class _Tried(NamedTuple):
    """Identity-keyed memo of what can be done at a position.

    The key is ``id(state)``; keeping the state here keeps it alive, so that its id is not reused.
    """

    setting: Setting[Any]
    state: Any
    due: list[tuple[Duty, tuple[str, ...]]]


_TRIED: LruCache[_Tried] = LruCache(POSITIONS)


def to_act(voice: Voice, game: Game) -> str:
    """Who owes what next, in one line."""
    voice = voice.at(game.seats)
    if game.state.over:
        return over_line(voice, game)
    owed: dict[tuple[str, ...], list[str]] = {}
    for seats, what in _owed(voice, game):
        owed.setdefault(seats, []).append(what)
    parts = [
        _turn(voice, game, seats, " · ".join(dict.fromkeys(what))) for seats, what in owed.items()
    ]
    said = " · ".join(parts)
    due = _due(game)
    if due and not any(verbs for _, verbs in due):
        return f"{said} – {voice.say('tell.no_legal_move')}"
    return said


def _owed(voice: Voice, game: Game) -> Iterator[tuple[tuple[str, ...], str]]:
    """What is owed, and by whom: one seat, several that owe the same, or nobody in particular."""
    by_what: dict[str, list[str]] = {}
    for duty, verbs in _due(game):
        named = game.engine.rules.details.get(duty.kind)
        if named is not None:
            key, facts = named(game.state)
            words = game.engine.words.naming(voice.names)
            what = words.say(f"due.{key}", voice.lang, **facts)
        else:
            what = _what(voice, game.engine, duty, verbs)
        may = voice.say("tell.may", what=Verbatim(what)) if duty.optional else what
        times = f" ×{duty.times}" if duty.times not in (None, 1) and named is None else ""
        by_what.setdefault(f"{may}{times}", []).append(duty.seat or "")
    for what, seats in by_what.items():
        owing = tuple(dict.fromkeys(filter(None, seats)))
        if voice.own in owing:
            yield (voice.own,), what
            owing = tuple(seat for seat in owing if seat != voice.own)
            if not owing:
                continue
        yield owing, what


def _turn(voice: Voice, game: Game, seats: tuple[str, ...], what: str) -> str:
    names = [voice.called(seat, game.seats) for seat in seats]
    facts = {"what": Verbatim(what), "names": names, "name": names[0] if names else ""}
    if seats and seats == (voice.own,):
        key = "tell.your_turn"
    else:
        key = "tell.next" if not names else "tell.turn" if len(names) == 1 else "tell.turns"
    return voice.say(key, **facts)


def _due(game: Game) -> list[tuple[Duty, tuple[str, ...]]]:
    """The duties with the verbs that can be done now; redacted games get all verbs of a duty.

    Trying out which of them are legal could reveal hidden information.
    """
    engine, setting, state = game.engine, game.setting, game.state
    if game.partial:
        return [(duty, engine.options.verbs_of(duty)) for duty in state.agenda.duties]
    known = _TRIED.get(id(state))
    if known is None or known.state is not state or known.setting is not setting:
        known = _Tried(setting, state, engine.options.due(setting, state))
        _TRIED.put(id(state), known)
    return known.due


def _what(voice: Voice, engine: Engine[Any, Any], duty: Duty, verbs: tuple[str, ...]) -> str:
    """A duty in words: as a whole, or only that of it which can be done."""
    words, lang = engine.words, voice.lang
    kind = f"duty.{duty.kind}"
    ways = {verb: f"way.{duty.kind}.{verb}" for verb in engine.options.verbs_of(duty)}
    if verbs and all(key in words for key in ways.values()):
        can = dict.fromkeys(words.say(ways[verb], lang) for verb in verbs)
        if len(can) < len({words.say(key, lang) for key in ways.values()}):
            *others, last = map(Verbatim, can)
            return voice.say("tell.either", these=others, last=last) if others else last
    return words.say(kind, lang) if kind in words else duty.kind


def over_line(voice: Voice, game: Game) -> str:
    result = game.engine.result(game.state)
    if result is None:
        return voice.say("tell.over")
    if result.won is not None:
        return voice.say("tell.won" if result.won else "tell.lost", clause=result.clause)
    groups = [
        (place, [voice.called(seat, game.seats) for seat in seats])
        for place, seats in result.numbered[: len(result.told)]
    ]
    (_, first), *others = groups
    key = "tell.winner" if len(first) == 1 else "tell.winners"
    line = voice.say(key, names=first, clause=result.clause)
    if result.scores:
        order = [seat for seats in result.places for seat in seats if seat in result.scores]
        scores = (f"{voice.called(seat, game.seats)} {result.scores[seat]}" for seat in order)
        return voice.labelled(line, ", ".join(scores))
    if len(others) < 2:
        return line
    places = (f"{place}. {', '.join(names)}" for place, names in others)
    return voice.labelled(line, " · ".join(places))


def numbered(numbers: Iterable[int]) -> str:
    """Action numbers with runs shortened: ``#8–#11, #19, #20``."""
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
