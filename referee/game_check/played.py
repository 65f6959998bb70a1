"""What must hold at every moment of a game that is played: asked of random games."""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

from engines.kernel import (
    LANGUAGES,
    Action,
    Engine,
    Judgement,
    Moves,
    ParseError,
    Verdict,
    evolve,
    to_plain,
)
from engines.kernel.dialogue.clause_text import sentence_for
from engines.kernel.rules.clauses import Text
from engines.kernel.rules.hearing import Consulted, Finding, Point
from engines.kernel.rules.holdings import Moved, seat_of
from engines.kernel.rules.sight import place_kind
from referee.game_check.defects import Defect, advice, rule_of, wrong
from referee.game_check.random_games import RandomGame, Strays, story
from referee.untrusted.safe_toml import write_toml

STRAYS_PER_LOOK = 60
HOSTILE = "<script>alert(1)</script>\"'&\x00\u202e"
"""What names of players may hold: no picture may break by it."""
_UNFILLED = re.compile(r"\{[a-z_]+\}")
_SHELL_UNSAFE = re.compile(r"[><;?*!$&|(){}~\"'`\\]|(?:^|\s)[-#]")
_WORD = re.compile(r'data-word="([^"]*)"')


def check_verdict(engine: Engine[Any, Any], verdict: Verdict, line: str) -> Iterator[Defect]:
    """Clauses exist, facts are data, and the sentences of breaches find their facts."""
    told: list[Point | Finding] = [
        *verdict.breaches,
        *verdict.claims,
        *verdict.findings,
        *verdict.doubted,
    ]
    points: list[Point | Finding | Consulted] = [*told, *verdict.consulted]
    for point in points:
        if point.clause not in engine.clauses:
            yield wrong("unknown_clause", clause=point.clause)
        if not all(name.isascii() for name in point.facts):
            yield wrong("facts_not_data", clause=point.clause, error=", ".join(point.facts))
        try:
            to_plain(dict(point.facts))
        except (TypeError, ValueError) as error:
            yield wrong("facts_not_data", clause=point.clause, error=str(error))
    for each in told:
        if (clause := engine.clauses.get(each.clause)) is not None:
            yield from _in_sentences(clause.id, "because", clause.because, each.facts, line)
    for effect in verdict.effects:
        if (clause := engine.clauses.get(effect.clause)) is not None:
            yield from _in_sentences(clause.id, "told", clause.told, effect.facts, line)
    for reading in set(verdict.readings) - set(engine.readings):
        yield wrong("unknown_reading", name=reading, known=tuple(engine.readings))


def _in_sentences(
    clause: str,
    which: str,
    sentences: tuple[Text, ...] | None,
    facts: Mapping[str, Any],
    line: str,
) -> Iterator[Defect]:
    """Facts are told by a sentence, not as names and values; a seat needs none."""
    if sentences == () or (sentences is None and facts.keys() <= {"seat"}):
        return
    if not sentences or sentence_for(sentences, facts) is None:
        given = ", ".join(f"{{{name}}}" for name in facts)
        yield wrong("not_told", clause=clause, which=which, given=given, line=line)


def check_conservation(game: RandomGame, judgement: Judgement[Any]) -> Iterator[Defect]:
    difference = dict(game.engine.balance(judgement.state, game.setting))
    if difference != dict(judgement.state.offsets):
        told = ", ".join(f"{name} {count:+}" for name, count in sorted(difference.items()))
        line = game.engine.text(judgement.action)
        place = rule_of(game.engine, judgement.action)
        yield wrong("not_conserved", place, line=line, difference=told, story=story(game))


def check_holdings(game: RandomGame, judgement: Judgement[Any]) -> Iterator[Defect]:
    """Nobody holds less than nothing, whatever stands."""
    engine = game.engine
    for holder, thing, amount in engine.holdings.held(judgement.state, game.setting):
        if isinstance(amount, int) and amount < 0:
            told = {"holder": holder, "thing": thing, "amount": amount}
            line = engine.text(judgement.action)
            place = rule_of(engine, judgement.action)
            yield wrong("negative_holding", place, **told, line=line, story=story(game))


def check_notation(engine: Engine[Any, Any], action: Action) -> Iterator[Defect]:
    """What is written is read back, in the stored notation and with the French verbs."""
    text = engine.text(action)
    yield from check_read_back(engine, action)
    if type(action).forms != ("{json}",) and not is_shell_safe(text):
        yield wrong("not_shell_safe", line=text)
    if type(action).forms != ("{json}",) and not type(action).bare:
        for verb in type(action).french:
            aliased = re.sub(rf"^((?:[A-H] )?){re.escape(action.verb)}\b", rf"\g<1>{verb}", text)
            yield from _read_back(engine, action, aliased)


def check_read_back(engine: Engine[Any, Any], action: Action) -> Iterator[Defect]:
    """The line of an action, and its stored data, are the same action again."""
    text = engine.text(action)
    yield from _read_back(engine, action, text)
    if engine.text.load(json.loads(action.model_dump_json())) != action:
        yield wrong("not_stored", line=text)


def is_shell_safe(text: str) -> bool:
    """Whether it may be typed at a command line without quotes."""
    return _SHELL_UNSAFE.search(text) is None


def _read_back(engine: Engine[Any, Any], action: Action, text: str) -> Iterator[Defect]:
    try:
        if engine.read(text) == action and len(engine.notation.split(text)) == 1:
            return
        problem: object = ""
    except ParseError as error:
        problem = error.phrase
    told = problem or "≠"
    yield wrong("not_read_back", line=text, action=type(action).__name__, problem=told)


def check_result(game: RandomGame) -> Iterator[Defect]:
    result, seats = game.engine.result(game.state), sorted(game.opening.seats)
    if result is None:
        yield wrong("no_result", story=story(game))
        return
    if result.clause not in game.engine.clauses:
        yield wrong("unknown_clause", clause=result.clause)
    placed = sorted(seat for place in result.places for seat in place)
    if placed != seats or not set(result.scores) <= set(seats):
        yield wrong("bad_places", places=tuple(placed) or ("–",), seats=tuple(seats))
    if result.how is not None and result.how not in game.engine.words:
        yield wrong("no_words", key=result.how)
    if (result.won is not None) != game.engine.cooperative:
        yield wrong("won_together")


def check_options(game: RandomGame, options: list[Action]) -> Iterator[Defect]:
    """Each is listed once, accepted, and can be written."""
    engine = game.engine
    for action, count in Counter(options).items():
        line = engine.text(action)
        if count > 1:
            yield wrong("option_twice", line=line)
        yield from check_notation(engine, action)
        judgement = engine.judge(game.setting, game.state, action, len(game.judgements))
        if not judgement.accepted:
            clause = judgement.verdict.clause
            yield wrong("option_refused", line=line, clause=clause, story=story(game))
        yield from check_conservation(game, judgement)


def check_agenda(game: RandomGame) -> Iterator[Defect]:
    known = {kind: None for kind in game.engine.rules.duties if kind}
    for duty in game.state.agenda.duties:
        if duty.kind not in known:
            yield wrong("unknown_duty", name=duty.kind, known=tuple(known))
        if duty.seat is not None and duty.seat not in game.opening.seats:
            told = {"duty": duty.kind, "seat": duty.seat, "seats": tuple(game.opening.seats)}
            yield wrong("duty_of_nobody", **told)


def check_options_are_complete(
    game: RandomGame, options: list[Action], strays: Strays, rng: random.Random
) -> Iterator[Defect]:
    """What is accepted though it was never offered would be a gap in the options."""
    engine, state = game.engine, game.state
    for _ in range(STRAYS_PER_LOOK):
        action = strays.draw(rng)
        try:
            judgement = engine.judge(game.setting, state, action)
        except ParseError:
            continue
        if not judgement.accepted:
            continue
        listed = options
        if not is_listable(game, judgement.action):
            if not _does_something(game, judgement):
                continue
            listed = options + engine.options.after_silence(game.setting, state)
        by = (None, judgement.action.by)  # any seat may state what no seat owes
        same = [a for a in listed if a.verb == action.verb and a.by in by]
        if judgement.action not in same and not any(
            engine.judge(game.setting, state, option).state == judgement.state for option in same
        ):
            line = engine.text(judgement.action)
            told = {"action": type(action).__name__, "story": story(game)}
            yield wrong("not_an_option", line=line, **told)


def is_listable(game: RandomGame, action: Action) -> bool:
    """Whether options must list this: a seat owes it or may do it, or it must be observed.

    What anybody may say and nobody needs to (a confirmation) is left out.
    """
    kinds = game.engine.rules.kinds.get(type(action), ())
    return type(action).enumerable and any(
        duty.kind in kinds and (not duty.optional if duty.seat is None else duty.seat == action.by)
        for duty in game.state.agenda.duties
    )


def _does_something(game: RandomGame, judgement: Judgement[Any]) -> bool:
    """Whether a seat has played, due or not: an end that is only confirmed changes nothing."""
    action, before = judgement.action, game.state
    kinds = game.engine.rules.kinds.get(type(action), ("",))
    if action.observes or not type(action).enumerable or "" in kinds:
        return False
    return bool(evolve(judgement.state, last_seat=before.last_seat) != before)


def check_position(game: RandomGame, options: list[Action]) -> Iterator[Defect]:
    """Declared or adjusted at a fresh table, a position is the same position."""
    engine, setting = game.engine, game.setting
    if engine.position_of is None or game.state.over:
        return
    position = engine.position_of(game.state, setting)
    yield from check_notation(engine, position)
    line = engine.text(position)
    fresh = engine.open(setting, game.opening).state
    declared = engine.judge(setting, fresh, position)
    if not declared.accepted:
        clause = declared.verdict.clause
        yield wrong("position_refused", line=line, clause=clause, story=story(game))
        return
    data = tomllib.loads(write_toml({"": engine.positions.data_of(setting, game.state)}))[""]
    whole = engine.positions.changes_to(setting, fresh, data)
    wanted = sorted(engine.text(option) for option in options)
    described = engine.describe(game.state, setting, "en")
    for state in (
        declared.state,
        engine.positions.adjust(setting, game.state, {}),
        engine.positions.adjust(setting, fresh, whole),
    ):
        found = sorted(engine.text(option) for option in engine.options(setting, state))
        same = (
            engine.position_of(state, setting) == position
            and dict(engine.balance(state, setting)) == dict(game.state.offsets)
            and engine.describe(state, setting, "en") == described
            and engine.moves(game.state, state, setting, None) == Moves()
        )
        if not same or found != wanted:
            yield wrong("position_differs", line=line, story=story(game))
            return


def check_faces(game: RandomGame, rng: random.Random) -> Iterator[Defect]:
    """Words and pictures for the table and for a seat's eyes, in both languages."""
    engine, setting = game.engine, game.setting
    last = game.judgements[-1].action if len(game.judgements) > 1 else None
    seen = [game.state, engine.hide(game.state, rng.choice(game.opening.seats), setting)]
    said: dict[str, set[str]] = {lang: set() for lang in LANGUAGES}
    for state in seen:
        for lang in LANGUAGES:
            lines = engine.describe(state, setting, lang)
            said[lang].add("\n".join(lines))
            picture = engine.picture(state, setting, lang, last)
            svg = picture.svg(HOSTILE, "\n".join([HOSTILE, *lines]), lang=lang)
            try:
                root = ElementTree.fromstring(svg)
            except ElementTree.ParseError as error:
                yield wrong("picture_unreadable", error=str(error))
                continue
            for text in ("".join(root.itertext()), *lines):
                for found in _UNFILLED.findall(text):
                    yield wrong("unfilled", words=found)
            if any(tag.tag.endswith("script") for tag in root.iter()):
                yield wrong("picture_unreadable", error="<script>")
            for name, (x, y) in picture.anchors.items():
                if not (0 <= x <= picture.width and 0 <= y <= picture.height):
                    told = {"name": name, "x": round(x), "y": round(y)}
                    size = {"width": round(picture.width), "height": round(picture.height)}
                    yield wrong("outside_picture", **told, **size)
            for word in _WORD.findall(picture.body):
                if not re.fullmatch(r"\S+", word):
                    yield wrong("not_one_word", words=word)
    if not all(said["en"] | said["fr"]):
        yield wrong("nothing_described")
    elif not said["en"].isdisjoint(said["fr"]):
        yield wrong("not_translated")


def check_lit(games: list[RandomGame]) -> Iterator[Defect]:
    """What the last action touched is a space of some picture; what lines name can be tapped."""
    spaces: set[str] = set()
    touched: set[str] = set()
    drawn: set[str] = set()
    named: set[str] = set()
    for game in games:
        engine, setting = game.engine, game.setting
        last = game.judgements[-1].action if len(game.judgements) > 1 else None
        picture = engine.picture(game.state, setting, "en", last)
        spaces |= picture.anchors.keys()
        touched |= set(picture.unlit)
        drawn |= set(_WORD.findall(picture.body))
        for option in engine.options(setting, game.state):
            how_many = {str(getattr(option, field)) for field in option.amounts}
            words = set(engine.text(option).split()[1:])
            named |= words - how_many - {option.verb}
    for name in sorted(touched - spaces):
        yield wrong("no_such_space", name=name, known=tuple(sorted(spaces)) or ("–",))
    if named and not named & drawn:
        yield advice("not_tappable", words=tuple(sorted(named)[:5]))


def check_moves(
    game: RandomGame, before: Judgement[Any], after: Judgement[Any]
) -> Iterator[Defect]:
    """Told movements lead from one table to the next, and take only what is there."""
    engine, setting = game.engine, game.setting
    table = pieces(engine, before.state, setting)
    told = engine.moves(before.state, after.state, setting, after.action, after.stages)
    short = follow(table, told.moved)
    if short or +table != pieces(engine, after.state, setting):
        yield wrong("untold_movement", line=engine.text(after.action))


def check_sight(game: RandomGame) -> Iterator[Defect]:
    """What lies openly is the same to everybody, held or not but never both, has a name, and what
    lies on a board has its spot there; where it changes, the drawing does."""
    engine, setting, sight = game.engine, game.setting, game.engine.sight
    if sight is None:
        return
    things = engine.things(game.state, setting)
    for viewer in ("", *game.opening.seats):
        if engine.things(engine.hide(game.state, viewer, setting), setting) != things:
            yield wrong("sight_hidden", seat=viewer or "–", story=story(game))
    held = pieces(engine, game.state, setting)
    more = {(place, kind) for place, kind, _ in sight.more(game.state, setting)}
    for place, kind in sorted(more & held.keys()):
        yield wrong("sight_twice", name=kind, place=place)
    places = {place for place, _ in things}
    for key in sorted({f"holder.{place_kind(place)}" for place in places}):
        if key not in engine.words:
            yield wrong("no_words", key=key)
    spots: set[str] = set()
    for board in engine.guide.boards(setting.kit):
        middle = {space.name: (0.5, 0.5) for space in board.spaces}
        spots |= sight.spots(game.state, setting, board.name, middle).keys()
    on_boards = {place_kind(place) for place in spots}
    for place in sorted(places - spots):
        if place_kind(place) in on_boards:
            yield wrong("sight_nowhere", place=place)
    before = game.judgements[-2:][0]
    if engine.things(before.state, setting) != things:
        drawn = (engine.picture(at, setting, "en", None).body for at in (before.state, game.state))
        if len({*drawn}) == 1:
            yield wrong("sight_not_drawn", line=engine.text(game.judgements[-1].action))


def follow(table: Counter[tuple[str, str]], moved: tuple[Moved, ...]) -> list[tuple[str, str]]:
    """Carry out movements on a table; the places that had too little."""
    short = []
    for giver, taker, thing, amount in moved:
        source, target = seat_of(giver) or giver, seat_of(taker) or taker
        if source is not None:
            if table[source, thing] < amount:
                short.append((source, thing))
            table[source, thing] -= amount
        if target is not None:
            table[target, thing] += amount
    return short


def pieces(engine: Engine[Any, Any], state: Any, setting: Any) -> Counter[tuple[str, str]]:
    """Amounts by holder and thing; what a seat has in several places, together."""
    held: Counter[tuple[str, str]] = Counter()
    for holder, thing, amount in engine.holdings.held(state, setting):
        held[seat_of(holder) or holder, thing] += amount or 0
    return +held
