"""Check a game: what is written about it, random games of it, and its cases.

For a test of one's own game::

    from referee.game_check.checker import assert_sound
    from mygame import ENGINE


    def test_the_game_is_sound() -> None:
        assert_sound(ENGINE)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from msgspec import Struct

from engines.kernel import Engine, ParseError, Phrase, Step
from referee.cases.case_file import CaseFile
from referee.cases.runner import run_case
from referee.game_check import played
from referee.game_check.bent_rules import Trial
from referee.game_check.defects import Defect, advice, crash, wrong
from referee.game_check.random_games import (
    GameStopped,
    RandomGame,
    Strays,
    Supply,
    completed,
    open_game,
    play_on,
)
from referee.game_check.sources import Sources
from referee.game_check.twins import check_secrets
from referee.game_check.written import check_files, check_written

Setup = Callable[[random.Random], Iterable[str]]
"""The lines of a table from the opening to the first decision."""


class Effort(Struct, frozen=True):
    """How much is tried."""

    games: int = 3
    """For every number of players, or for every set-up that is handed in."""
    lines: int = 400
    """After how many actions a random game is cut."""
    looks: int = 4
    """How many moments of each game are looked at closely."""


USUAL = Effort()


def assert_sound(engine: Engine[Any, Any], **more: Any) -> None:
    """For pytest: fails with every defect of the game, one on a line; advice does not count."""
    found = [each for each in check_game(engine, **more) if each.weight == "wrong"]
    assert not found, "\n".join(["", *map(str, found)])


def check_game(
    engine: Engine[Any, Any],
    *,
    setups: Mapping[str, Setup] | None = None,
    supply: Supply = completed,
    cases: Iterable[CaseFile] = (),
    effort: Effort = USUAL,
) -> list[Defect]:
    """All that is wrong with a game, each thing once, what is written first.

    ``setups`` are tables that are set up by more than the usual opening; ``supply`` states in
    mid-game what no option lists, where completion offers too little for a line to be made of it.
    """
    sources = Sources(engine.package)
    found = [*check_files(engine, sources)]
    if not found:
        found += check_written(engine, sources)
        found += _Play(engine, supply, effort).check(setups)
        found += _cases(engine, [*cases])
    unlike: dict[tuple[object, ...], Defect] = {}
    for each in found:
        unlike.setdefault(_told_once(each), each)
    return list(unlike.values())


def _told_once(defect: Defect) -> tuple[object, ...]:
    """The same mistake is found at many moments: what it is, not when, makes it another one."""
    about = {k: v for k, v in defect.facts.items() if k not in ("story", "line")}
    if defect.key == "crash":
        return defect.key, defect.file, defect.line
    return defect.key, defect.place if defect.line else "", repr(about)


def _cases(engine: Engine[Any, Any], files: list[CaseFile]) -> Iterator[Defect]:
    found = []
    for file in files:
        if file.game != engine.id:
            found.append(wrong("case_of_another", game=file.game, known=engine.id))
            continue
        for case in file.case:
            for problem in run_case(engine, file, case).problems:
                found.append(wrong("case_differs", case=case.name, problem=problem))
    yield from found
    if files and not found:
        yield from _bent(Trial(engine, files))


def _bent(trial: Trial) -> Iterator[Defect]:
    """The rules that could be bent without any case noticing."""
    for mutant in trial.mutants:
        fate = trial.fate(mutant)
        if fate.survived:
            site, manner = mutant.site, f"{mutant.site.kind}_{mutant.bend}"
            bend = Phrase(f"game_check.bent.{manner}", {})
            told = {"clause": site.clause, "bend": bend, "tried": fate.tried}
            yield advice("not_proven", (site.file, site.line), **told)


class _Play:
    """Random games of one engine, and what they show."""

    def __init__(self, engine: Engine[Any, Any], supply: Supply, effort: Effort) -> None:
        self.engine = engine
        self.supply = supply
        self.effort = effort
        self.place = Sources(engine.package).definition(engine.opening.__name__)

    def check(self, setups: Mapping[str, Setup] | None) -> Iterator[Defect]:
        usual = [*self._usual()] if setups is None else []
        yield from (each for each in usual if isinstance(each, Defect))
        lines = [each for each in usual if isinstance(each, str)]
        tables: dict[str, Setup] = (
            {line: _always(line) for line in lines} if setups is None else dict(setups)
        )
        ended = False
        for name, setup in tables.items():
            for seed in range(self.effort.games):
                rng = random.Random(f"{self.engine.id} {name} {seed}")
                game, problems = self._game(setup, rng)
                yield from problems
                if game is None:
                    break
                ended |= game.state.over
                yield from self._whole(game)
                yield from self._looks(game, rng)
                if problems:
                    break
        if tables and not ended:
            yield advice("never_ended", games=self.effort.games, limit=self.effort.lines)

    def _usual(self) -> Iterator[str | Defect]:
        """The usual opening for every number of players."""
        fewest, most = self.engine.seats
        for players in range(fewest, most + 1):
            try:
                line = self.engine.opening.usual(players)
                read = self.engine.read(line)
            except ParseError as error:
                key = "no_usual" if error.key == "no_usual_table" else "bad_usual"
                yield wrong(key, self.place, players=players, problem=error.phrase)
            except Exception as error:
                yield crash(self.engine.package, error, f"usual({players})")
            else:
                if not isinstance(read, self.engine.opening) or len(read.seats) != players:
                    yield wrong("other_seats", self.place, players=players, line=line)
                yield line

    def _game(self, setup: Setup, rng: random.Random) -> tuple[RandomGame | None, list[Defect]]:
        """A game as far as it comes, and what stopped it."""
        game: RandomGame | None = None
        line = ""
        try:
            written = [*setup(rng)]
            line = written[0]
            game = open_game(self.engine, written)
            for _ in play_on(game, rng, self.effort.lines, self.supply):
                line = played.story(game)
        except GameStopped as stop:
            return game, [self._stopped(game, stop)]
        except ParseError as error:
            return game, [wrong("bad_usual", self.place, players=0, problem=error.phrase)]
        except Exception as error:
            return game, [crash(self.engine.package, error, line)]
        return game, []

    def _stopped(self, game: RandomGame | None, stop: GameStopped) -> Defect:
        clause = getattr(stop.verdict, "clause", None) or "–"
        if game is None or stop.key in ("no_opening", "opening_refused"):
            return wrong("opening_refused", self.place, line=stop.line, clause=clause)
        story = played.story(game)
        agenda = game.state.agenda
        owed = _owed(agenda.duties)
        if stop.key == "option_refused":
            return wrong("option_refused", line=stop.line, clause=clause, story=story)
        if stop.key == "not_completed":
            return advice("not_completed", owed=owed, story=story)
        waiting = tuple(
            item.name if isinstance(item, Step) else ", ".join(_owed(item))
            for item in reversed(agenda[:-1])
        )
        if waiting:
            return wrong("dead_end_stacked", owed=owed, waiting=waiting, story=story)
        return wrong("dead_end", owed=owed, story=story)

    def _whole(self, game: RandomGame) -> Iterator[Defect]:
        """Every judgement of a game."""
        engine = self.engine
        for judgement in game.judgements:
            line = engine.text(judgement.action)
            yield from self._guarded(line, played.check_verdict(engine, judgement.verdict, line))
            yield from self._guarded(line, played.check_conservation(game, judgement))
            yield from self._guarded(line, played.check_notation(engine, judgement.action))
        for before, after in pairwise(game.judgements):
            line = engine.text(after.action)
            yield from self._guarded(line, played.check_moves(game, before, after))
        if game.state.over:
            yield from self._guarded(played.story(game), played.check_result(game))
        rng = random.Random(len(game.judgements))
        yield from self._guarded(played.story(game), check_secrets(game, rng))

    def _looks(self, game: RandomGame, rng: random.Random) -> Iterator[Defect]:
        """The first moment, the last, and some between them, closely."""
        last = len(game.judgements) - 1
        between = range(1, last)
        chosen = {0, last, *rng.sample(between, min(self.effort.looks, len(between)))}
        moments = [
            RandomGame(game.engine, game.opening, game.setting, game.judgements[: index + 1])
            for index in sorted(chosen)
        ]
        strays = Strays(self.engine, game.actions) if game.actions else None
        for moment in moments:
            yield from self._guarded(played.story(moment), self._look(moment, strays, rng))
            yield from self._guarded(played.story(moment), played.check_faces(moment, rng))
        yield from self._guarded(played.story(game), played.check_lit(moments))

    def _look(
        self, moment: RandomGame, strays: Strays | None, rng: random.Random
    ) -> Iterator[Defect]:
        yield from played.check_agenda(moment)
        options = self.engine.options(moment.setting, moment.state)
        yield from played.check_options(moment, options)
        if strays is not None:
            yield from played.check_options_are_complete(moment, options, strays, rng)
            yield from self._wild(moment, strays, rng)
        yield from played.check_position(moment, options)
        yield from played.check_sight(moment)

    def _wild(self, moment: RandomGame, strays: Strays, rng: random.Random) -> Iterator[Defect]:
        """What nobody may do: refused with a clause that can be told, and no error."""
        for lenient in (False, True):
            walk = RandomGame(moment.engine, moment.opening, moment.setting, [*moment.judgements])
            for _ in range(played.STRAYS_PER_LOOK // 3):
                action = strays.draw(rng)
                line = self.engine.text(action)
                try:
                    judgement = walk.hear(action, lenient=lenient)
                except ParseError:
                    continue
                except Exception as error:
                    yield crash(self.engine.package, error, line)
                    return
                yield from played.check_verdict(self.engine, judgement.verdict, line)
                yield from played.check_conservation(walk, judgement)

    def _guarded(self, line: str, found: Iterator[Defect]) -> Iterator[Defect]:
        """What a check finds; an error of the game while it is asked is a defect too."""
        try:
            yield from found
        except Exception as error:
            yield crash(self.engine.package, error, line)


def _owed(duties: Iterable[Any]) -> tuple[str, ...]:
    return tuple(f"{duty.seat or '–'} {duty.kind}" for duty in duties) or ("–",)


def _always(line: str) -> Setup:
    return lambda rng: [line]
