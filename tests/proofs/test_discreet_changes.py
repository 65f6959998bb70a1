"""Discretion in what changes the line: nobody learns a secret by what becomes of the lines behind.

The device on the table has logged what only a hidden hand forbids, in one twin and not in the
other. Whatever is changed then, and by whom, both look alike to everybody but those who see all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

import pytest

from engines.kernel import Action, ParseError, Verdict
from referee.errors import RefereeError
from referee.judging.disputes import dispute, withdraw
from referee.judging.rulings import Decision, fix_reading, issue
from referee.record.entries import ClockSet, Corrected, Logged, Photographed, Said
from referee.record.game import Game
from referee.record.history import history
from referee.secrecy.query_guard import as_known, tells_the_table
from referee.secrecy.redaction import seen
from referee.table.adjustments import adjust, declare_kit
from referee.table.author import SCRIBE, Author, By
from referee.table.bench import BatchBench, Bench
from referee.table.corrections import correct, latest_correction, put_back, redo, undo
from referee.table.lifecycle import close, hold, reopen, resume, set_clock
from referee.table.notes import Annotation, annotate
from referee.table.play import hear
from tests.proofs.test_discretion import BO, JO, READINGS, TABLET, answer, questions
from tests.proofs.twins import TWINS

pytestmark = pytest.mark.usefixtures("strangers_games")
HISTORIES, BEHIND, CHANGES = 6, 2, 5
STRAYS = 8
"""At most so many of what is offered, where a hand is chosen from many."""
Change = Callable[[Bench, Game], object]
ADJUSTED: dict[str, dict[str, Any]] = {
    "benevolent": {"players": {"B": {"steps": []}}},
    "broom_service": {"players": {"B": {"bolts": 7}}},
    "bloody_grove": {"turn": 2},
    "smugglers": {"players": {"B": {"coins": 1}}},
    "dunes": {"players": {"B": {"points": 1}}},
}
KIT = {
    "benevolent": ("steps_per_colour.count", 9),
    "broom_service": ("rounds", 6),
    "bloody_grove": ("rounds", 4),
    "smugglers": ("rounds", 2),
    "dunes": ("days", 2),
}


def told(game: Game) -> dict[str, object]:
    """What everybody else reads of a game."""
    found: dict[str, object] = {"held": repr(game.held)}
    for view in ("public", "seat:B"):
        shown = seen(game, view)
        last = shown.steps[-1]
        parts = {
            "entries": [(entry.seq, entry.role, repr(entry.data)) for entry in shown.entries],
            "line": [(repr(step.item), repr(step.verdict)) for step in shown.steps],
            "now": shown.engine.describe(last.state, last.setting, "en"),
            "pending": repr(shown.pending),
            "undone": repr(shown.undone),
            "gone": [repr(stood.after) for stood in shown.gone.values()],
            "history": [line._asdict() for line in history(shown)],
            "disputes": {
                name: (repr(one), shown.ended_by(one)) for name, one in shown.disputes.items()
            },
        }
        found.update({f"{view}, {part}": each for part, each in parts.items()})
    return found


def judged(game: Game, action: Action) -> object:
    try:
        verdict = hear(game, action).verdict
    except ParseError as error:
        return error.key
    broken = [point.clause for point in verdict.breaches]
    return (verdict.outcome, broken, [one.clause for one in verdict.findings])


def changes(game: Game, rng: random.Random) -> tuple[str, Change, Author]:
    """What may be done next to a game, and by whom; the twin of the game has the same numbers."""
    number = rng.choice(game.numbers() or [0])
    count = rng.randint(1, 3)
    said = [step.action for step in game.steps if step.action is not None]
    lines = [game.engine.text(action) for action in said if not action.private_values()]
    line, stands = rng.choice(lines), rng.random() < 0.5
    anybody = rng.choice((TABLET, JO, SCRIBE))
    removed = rng.randint(0, 1)
    remedy: Any = rng.choice(("none", "stands", "taken_back", "corrected"))
    latest = latest_correction(game)
    tried = Annotation(instead=(line,))
    path, value = KIT[game.engine.id]
    reading, chosen = READINGS[game.engine.id].split("=")
    numbers = tuple({number, rng.choice(game.numbers() or [0])})
    decided = Decision("so", remedy=remedy, numbers=numbers, lines=(line,), stands=stands)
    done: list[tuple[str, Author, Change]] = [
        ("undo", anybody, lambda b, g: undo(b, g.id, count, by=By(anybody))),
        ("redo", anybody, lambda b, g: redo(b, g.id, count, by=By(anybody))),
        ("remove", JO, lambda b, g: correct(b, g.id, number, by=By(JO))),
        (
            "replace",
            JO,
            lambda b, g: correct(b, g.id, number, [line], remove=removed, stands=stands, by=By(JO)),
        ),
        ("rule", JO, lambda b, g: issue(b, g.id, decided, by=By(JO))),
        ("adjust", JO, lambda b, g: adjust(b, g.id, ADJUSTED[g.engine.id], "so", by=By(JO))),
        ("kit", JO, lambda b, g: declare_kit(b, g.id, path, value, "box", by=By(JO))),
        ("read", JO, lambda b, g: fix_reading(b, g.id, reading, chosen, by=By(JO))),
        ("dispute", BO, lambda b, g: dispute(b, g.id, number, holds=True, by=By(BO))),
        ("pause", JO, lambda b, g: hold(b, g.id, reason="tea", by=By(JO))),
        ("clock", JO, lambda b, g: set_clock(b, g.id, ClockSet(seconds=count), by=By(JO))),
        ("note", BO, lambda b, g: annotate(b, g.id, number, Annotation("or so"), by=By(BO))),
        ("try", JO, lambda b, g: annotate(b, g.id, number, tried, by=By(JO))),
        ("photo", JO, lambda b, g: photographed(b, g, number, by=By(JO))),
    ]
    if game.held is not None:
        done.append(("resume", JO, lambda b, g: resume(b, g.id, by=By(JO))))
    if latest is not None:
        at = latest.at
        done.append(("put back", JO, lambda b, g: put_back(b, g.id, at, by=By(JO))))
    if game.waiting:
        first = game.waiting[0]
        kept = lambda b, g: correct(b, g.id, first, remove=0, keep=[first], by=By(JO))  # noqa: E731
        done += [("keep", JO, kept)] * 3
        done += [("drop", JO, lambda b, g: correct(b, g.id, first, by=By(JO)))] * 3
    for name, one in game.disputes.items():
        if name not in game.settled:
            on = Decision("so", remedy=remedy, dispute=name, lines=(line,), stands=stands)
            done.append(("decide", JO, ruled(on)))
            done.append(("withdraw", JO, withdrawn(one.id)))
    for name in game.rulings:
        if name not in game.overturned:
            over = Decision("no", overturns=name)
            done.append(("overturn", JO, ruled(over)))
    if game.closed is None:
        done.append(("close", JO, lambda b, g: close(b, g.id, reason="late", by=By(JO))))
    else:
        again = lambda b, g: reopen(b, g.id, reason="no", by=By(JO))  # noqa: E731
        done += [("reopen", JO, again)] * 9
    what, author, change = rng.choice(done)
    return what, change, author


def photographed(bench: Bench, game: Game, number: int, *, by: By) -> object:
    """Of A's hand, which is another one in the twin, twice; and of a place that lies open."""
    hand = repr(game.state.players["A"])
    for only, picture in (("A", hand), (None, "open"), ("A", f"{hand} again")):
        digest, photos = sha256(picture.encode()).hexdigest(), len(bench.game(game.id).photos)
        size = {"size": 1 + len(picture), "width": 20, "height": 20, "about": "hand"}
        photo = Photographed(id=f"f{photos + 1}", digest=digest, number=number, only=only, **size)
        bench.tell(bench.game(game.id), [photo], by)
    return None


def ruled(decision: Decision) -> Change:
    return lambda bench, game: issue(bench, game.id, decision, by=By(JO))


def withdrawn(id: str) -> Change:
    return lambda bench, game: withdraw(bench, game.id, id, by=By(JO))


def taken_out(number: int) -> Change:
    return lambda bench, game: correct(bench, game.id, number, by=By(JO))


def changed(bench: Bench, game: Game, change: Change) -> str:
    """What is said to whoever changes it: nothing, or why not."""
    try:
        change(bench, game)
    except (ParseError, RefereeError) as error:
        return type(error).__name__ + str(getattr(error, "key", ""))
    return ""


@pytest.mark.parametrize("name", TWINS)
def test_no_change_of_the_line_tells_the_twins_apart(name: str) -> None:
    make, *secrets = TWINS[name]
    made = [make(secret) for secret in secrets]
    games = [bench.game(game) for bench, game in made]
    twins = [(bench, game) for (bench, _), game in zip(made, games, strict=True)]
    asked = [one for one in questions(twins) if not tells_the_table(games[0], one)]
    differing = [one for one in asked if judged(games[0], one) != judged(games[1], one)] or asked
    for place in range(HISTORIES):
        rng = random.Random(f"{name} {place}")
        tables = [BatchBench(bench) for bench, _ in made]  # never committed
        done: list[str] = []
        for behind in range(1 + BEHIND):
            first, second = _now(tables, games)
            known = as_known(first, "")
            offered = known.engine.options(known.setting, known.state) if behind else differing
            said, stands = rng.choice(offered or differing), rng.random() < 0.5
            done.append(first.engine.text(said))
            one = answer(tables[0], first, said, TABLET, stands=stands)
            assert one == answer(tables[1], second, said, TABLET, stands=stands), done
        for _ in range(CHANGES):
            what, change, author = changes(_now(tables, games)[0], rng)
            one, other = (
                changed(bench, game, change)
                for bench, game in zip(tables, _now(tables, games), strict=True)
            )
            done.append(what)
            if one != other:
                assert author in (JO, SCRIBE), (done, one, other)
                break  # whoever sees everything decides by what they see
            first, second = _now(tables, games)
            here, there = told(first), told(second)
            assert not [part for part in here if here[part] != there[part]], done


@pytest.mark.parametrize("name", ["declared cards", "impossible cards", "a chosen hand"])
def test_a_stored_verdict_is_not_shown_where_it_cannot_be_redacted(name: str) -> None:
    """Of a declared position and of what waits: what the position of now does not prove of them,
    no verdict that was stored tells."""
    bench, game_id = TWINS[name][0](TWINS[name][1])
    game = bench.game(game_id)
    offered = game.engine.options(game.setting, game.state)
    offered = offered[:: 1 + len(offered) // STRAYS]
    for author in (SCRIBE, TABLET):
        strays = [one.model_copy(update={"by": "B"}) for one in offered]
        for one in strays:
            answer(bench, bench.game(game_id), one, author, stands=True)
    last = bench.game(game_id).numbers()
    for number in (last[-2], last[0]):
        told_nothing_stored(bench.game(game_id))
        changed(bench, game, taken_out(number))
    told_nothing_stored(bench.game(game_id))


def told_nothing_stored(game: Game) -> None:
    for view in ("public", "seat:B"):
        shown = seen(game, view)
        if not shown.partial:
            continue
        for step in shown.steps:
            if step.number and step.action is None:
                assert step.verdict == Verdict("legal")
                assert not step.item.stands
        for entry in shown.entries:
            for said in _said(entry.data):
                cited = {each.clause for each in said.verdict.breaches}
                cited |= {each.clause for each in said.verdict.findings}
                now = shown.stood(said.number).after.verdict if _has_stood(shown, said) else None
                known = {each.clause for each in now.breaches} if now else set()
                known |= {each.clause for each in now.findings} if now else set()
                assert cited <= known, (view, said)
                assert bool(said.verdict.breaches) == (said.verdict.outcome == "illegal")


def _said(data: object) -> tuple[Said, ...]:
    if isinstance(data, Logged):
        return (data,)
    return data.insert if isinstance(data, Corrected) else ()


def _has_stood(game: Game, said: Said) -> bool:
    return game.counts(said.number) or said.number in game.gone


def _now(tables: Sequence[Bench], games: Sequence[Game]) -> list[Game]:
    return [bench.game(game.id) for bench, game in zip(tables, games, strict=True)]
