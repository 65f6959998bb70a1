"""Twins: two games that differ in nothing but a secret must be read alike by everybody else.

A twin is made of a random game: one private field says something else, and all that follows is
heard again. Both are redacted as any record is, and whatever somebody else can read of them must be
the same: the line, the table, the verdict with its clauses and facts, and the stages between.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from engines.kernel import Action, ParseError, Verdict, to_plain
from referee.game_check.defects import Defect, crash, wrong
from referee.game_check.differences import difference
from referee.game_check.random_games import RandomGame, Strays
from referee.game_check.sources import Sources
from referee.record.entries import Opened, action_data, verdict_data
from referee.record.game import Game
from referee.record.line import Item, JudgedItem
from referee.record.persistent_vector import PersistentVector
from referee.secrecy.query_guard import view_of
from referee.secrecy.redaction import steps_shown_to
from referee.store.canonical_json import canonical, digest

SWAPS = 6
"""So many other secrets are tried for each private action."""
SECRETS = 16
"""So many actions of a game are told otherwise, at most."""
QUESTIONS = 40
_ANY = re.compile(r"(?<![^.])([A-H]|\d+)(?![^.])")
"""A seat or a number within a path: the same fault is in all of them."""


def check_secrets(game: RandomGame, rng: random.Random, sources: Sources) -> Iterator[Defect]:
    """What is private is hidden, can be asked about, and makes no difference to anybody else."""
    private = [at for at, each in enumerate(game.judgements) if at and each.action.private]
    for index in sorted(rng.sample(private, min(SECRETS, len(private)))):
        for other in _others(game, index, rng):
            twin = _twin(game, index, other)
            if twin is not None:
                yield from _compared(game, twin, index, rng, sources)
                break


def check_told(game: RandomGame, rng: random.Random, sources: Sources) -> Iterator[Defect]:
    """What an action says openly, hide does not hide: else the record tells it."""
    engine, setting = game.engine, game.setting
    later = range(1, len(game.judgements))
    for index in rng.sample(later, min(SECRETS, len(later))):
        said, before = game.judgements[index].action, game.judgements[index - 1].state
        options = engine.options(setting, before)
        like = [each for each in options if type(each) is type(said) and each.by == said.by]
        for other in rng.sample(like, min(SWAPS, len(like))):
            heard = engine.judge(setting, before, other, index)
            states = (game.judgements[index].state, heard.state)
            if not heard.accepted or states[0].over or difference(*states) is None:
                continue
            for viewer in _viewers(game, said):
                told, differently = said.known_to(viewer), other.known_to(viewer)
                seen = (engine.hide(state, viewer, setting) for state in states)
                if told != differently and difference(*seen) is None:
                    names = [n for n, value in told if value != getattr(differently, n)]
                    at = {"line": engine.text(said), "viewer": viewer or "–", "field": names[0]}
                    place = sources.definition(type(said).__name__)
                    yield wrong("told_openly", place, **at, action=type(said).__name__)
                    return


def _viewers(game: RandomGame, said: Action) -> list[str]:
    """Everybody but who said it: the public, and the other seats."""
    return ["", *(seat for seat in game.opening.seats if seat != said.by)]


def _others(game: RandomGame, index: int, rng: random.Random) -> list[Action]:
    """The same action with another secret, as it could have been said there."""
    engine, setting = game.engine, game.setting
    said, before = game.judgements[index].action, game.judgements[index - 1].state
    public = said.known_to("")
    found = [
        each
        for each in engine.options(setting, before)
        if each != said and each.known_to("") == public
    ]
    strays = Strays(engine, [action for action in game.actions if type(action) is type(said)])
    bent = (strays.draw(rng) for _ in range(4 * SWAPS))
    found += [each for each in bent if each != said and each.known_to("") == public]
    found = list(dict.fromkeys(found))
    return rng.sample(found, min(SWAPS, len(found)))


def _twin(game: RandomGame, index: int, other: Action) -> RandomGame | None:
    """The game with another secret, as far as all of it holds and is told alike."""
    twin = game.upto(index - 1)
    try:
        if not twin.hear(other).accepted:
            return None
        for judgement in game.judgements[index + 1 :]:
            length = len(twin.judgements)
            heard = twin.hear(judgement.action)
            if not heard.accepted or heard.verdict.outcome != judgement.verdict.outcome:
                del twin.judgements[length:]  # here the secret comes out
                break
            if heard.state.over or judgement.state.over:
                del twin.judgements[length:]  # everything is told
                break
    except ParseError:
        return None
    return None if twin.state.over or game.judgements[index].state.over else twin


def _compared(
    game: RandomGame, twin: RandomGame, first: int, rng: random.Random, sources: Sources
) -> Iterator[Defect]:
    """The moments that both have, from the secret on: read by everybody else."""
    engine, last = game.engine, len(twin.judgements) - 1
    said = game.judgements[first].action
    pair = as_record(game.upto(last)), as_record(twin)
    moments = sorted({first, min(first + 1, last), rng.randint(first, last), last})
    for viewer in _viewers(game, said):
        seen_by = {"viewer": viewer or "–"}
        for at in moments:
            one, other = (
                steps_shown_to(each, (each.steps[at - 1], each.steps[at]), view_of(viewer))[1]
                for each in pair
            )
            if (differs := difference(one.state, other.state)) is not None:
                kept = one.state is game.judgements[at].state
                key = "not_hidden" if kept else "hidden_differs"
                at_line = {"line": engine.text(said), "field": _ANY.sub("*", differs)}
                yield wrong(key, sources.definition("hide"), **at_line, **seen_by)
                break
            line = engine.text(game.judgements[at].action)
            if one.action != other.action or difference(one.stages, other.stages) is not None:
                yield wrong("line_tells", line=line, **seen_by)
                break
            if (read := _read_otherwise(one.verdict, other.verdict)) is not None:
                key = "fact_tells" if "fact" in read else "clause_tells"
                yield wrong(key, **read, line=line, **seen_by)
                break
        else:
            yield from _asked(game, viewer, moments, said)


def _read_otherwise(one: Verdict, other: Verdict) -> dict[str, str] | None:
    """The first clause that only one of them names, or the fact in which they differ."""
    for mine, theirs in zip_longest(_read(one), _read(other)):
        if mine is None or theirs is None or mine[0] != theirs[0]:
            return {"clause": (mine or theirs)[0]}
        if (fact := difference(mine[1], theirs[1])) is not None:
            return {"clause": mine[0], "fact": fact}
    return None


def _read(verdict: Verdict) -> list[tuple[str, Any]]:
    """What is read of a verdict: the clauses that it names, and their facts."""
    told = (*verdict.breaches, *verdict.claims, *verdict.effects)
    read = [(point.clause, to_plain(dict(point.facts))) for point in told]
    read += [(each.clause, to_plain(dict(each.facts))) for each in verdict.findings]
    return [*read, *((each.key, to_plain(dict(each.facts))) for each in verdict.warnings)]


def as_record(game: RandomGame) -> Game:
    """The game as the referee keeps it, to be redacted like any other."""
    engine, opening, setting = game.engine, game.opening, game.setting
    sheet = engine.kit_sheet(opening.kit)
    content: Any = dict(sheet.content)
    opened = Opened(
        game=engine.id,
        engine_version=engine.version,
        edition=engine.edition,
        kit=content,
        kit_hash=digest(canonical(content)),
        readings=dict(setting.readings),
        opening=action_data(opening),
        verdict=verdict_data(game.judgements[0].verdict),
    )
    steps = PersistentVector(
        JudgedItem(Item(at, each.action), each.state, setting, each.verdict, each.stages)
        for at, each in enumerate(game.judgements)
    )
    return Game("", engine, opened, sheet, steps=steps)


def _asked(game: RandomGame, viewer: str, moments: list[int], said: Action) -> Iterator[Defect]:
    """Every question can be asked of the table as somebody else may know it."""
    engine, setting = game.engine, game.setting
    for at in moments:
        known = engine.hide(game.judgements[at].state, viewer, setting)
        try:
            for option in engine.options(setting, known)[:QUESTIONS]:
                engine.judge(setting, known, option)
        except ParseError:
            continue
        except Exception as error:
            failed = crash(engine.package, error, engine.text(said))
            told = {"viewer": viewer or "–", "error": failed.facts["error"]}
            yield wrong("hidden_fails", (failed.file, failed.line), **told)
            return
