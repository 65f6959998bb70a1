"""Check a game: what is written about it, random games of it, and its cases.

For a test of one's own game::

    from referee.game_check.checker import assert_sound
    from mygame import ENGINE


    def test_the_game_is_sound() -> None:
        assert_sound(ENGINE)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    story,
)
from referee.game_check.repeated import check_elsewhere, check_repeated
from referee.game_check.sources import Sources
from referee.game_check.twins import check_secrets, check_told
from referee.game_check.written import check_files, check_written

Setup = Callable[[random.Random], Iterable[str]] | Sequence[str]
"""The lines of a table from the opening to the first decision, or who makes them by chance."""


Progress = Callable[[int, int], None]
"""How many games are done, of how many."""


def untold(done: int, total: int) -> None:
    """No progress is told."""


class Effort(Struct, frozen=True):
    """How much is tried."""

    games: int = 3
    """For every number of players, or for every set-up that is handed in."""
    lines: int = 400
    """After how many actions a random game is cut."""
    looks: int = 4
    """How many moments of each game are looked at closely."""


USUAL = Effort()
QUICK = Effort(games=1, looks=2)
DEEPER = (1, 2, 3, 5, 8, 13, 21, 34)
"""So long are the games in which a shorter way to a fault is looked for, one after the other."""
TRIES = 4
ONCE_A_RULE = ("crash", "negative_holding", "not_conserved", "not_repeated")
"""Faults of one rule, however they come out."""


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
    progress: Progress = untold,
) -> list[Defect]:
    """All that is wrong with a game, each thing once, what is written first.

    A fault that is met in play is told with the shortest way to it that was met.

    ``setups`` are tables that are set up by more than the usual opening; ``supply`` states in
    mid-game what no option lists, where completion offers too little for a line to be made of it.
    """
    sources = Sources(engine.package)
    found = [*check_files(engine, sources)]
    if not found:
        found += check_written(engine, sources)
        found += _Play(engine, supply, effort, sources, progress).check(setups)
        found += _cases(engine, [*cases])
    return [*_unlike(found).values()]


def _unlike(found: list[Defect]) -> dict[tuple[object, ...], Defect]:
    """Each fault once: where it is written if that is known, and where it is met soonest."""
    unlike: dict[tuple[object, ...], Defect] = {}
    placed = {_fault(each) for each in found if each.file}
    for each in found:
        if each.file or _fault(each) not in placed:
            same = unlike.setdefault((each.file, each.line, _fault(each)), each)
            if _way(each) < _way(same):
                unlike[each.file, each.line, _fault(each)] = each
    return unlike


def _fault(defect: Defect) -> tuple[object, ...]:
    """The same mistake is found at many moments: what it is, not when, makes it another one."""
    if defect.key in ONCE_A_RULE and defect.file:
        return (defect.key,)
    passing = ("story", "line", "viewer", "difference", "amount")
    return defect.key, repr({k: v for k, v in defect.facts.items() if k not in passing})


def _way(defect: Defect) -> int:
    """How many actions lead to it."""
    return max(str(defect.facts.get(name, "")).count(";") for name in ("story", "line"))


def _cases(engine: Engine[Any, Any], files: list[CaseFile]) -> Iterator[Defect]:
    found = []
    for file in files:
        if file.game != engine.id:
            found.append(wrong("case_of_another", game=file.game, known=engine.id))
            continue
        for case in file.case:
            try:
                problems = run_case(engine, file, case).problems
            except Exception as error:
                found.append(crash(engine.package, error, case.name))
            else:
                found += [wrong("case_differs", case=case.name, problem=each) for each in problems]
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

    def __init__(
        self,
        engine: Engine[Any, Any],
        supply: Supply,
        effort: Effort,
        sources: Sources,
        progress: Progress,
    ) -> None:
        self.engine = engine
        self.supply = supply
        self.effort = effort
        self.sources = sources
        self.progress = progress
        self.place = sources.definition(engine.opening.__name__)

    def check(self, setups: Mapping[str, Setup] | None) -> Iterator[Defect]:
        usual = [*self._usual()] if setups is None else []
        yield from (each for each in usual if isinstance(each, Defect))
        lines = [each for each in usual if isinstance(each, str)]
        tables: dict[str, Setup] = (
            {line: (line,) for line in lines} if setups is None else dict(setups)
        )
        games, found = self._played(tables)
        if tables and not any(game.state.over for game in games):
            found.append(advice("never_ended", games=self.effort.games, limit=self.effort.lines))
        yield from self._shortened(found, tables)

    def _played(self, tables: Mapping[str, Setup]) -> tuple[list[RandomGame], list[Defect]]:
        """Random games of every table, here and then in another process."""
        games: list[RandomGame] = []
        found: list[Defect] = []
        total = len(tables) * self.effort.games + 1
        for index, (name, setup) in enumerate(tables.items()):
            for seed in range(self.effort.games):
                self.progress(index * self.effort.games + seed, total)
                rng = random.Random(f"{self.engine.id} {name} {seed}")
                game, problems = self._game(setup, rng, self.effort.lines)
                found += problems
                if game is None:
                    break
                games.append(game)
                found += self._checked(game, rng)
                if problems:
                    break
        if not any(each.key == "not_repeated" for each in found):
            found += self._guarded("", check_elsewhere(games))
        self.progress(total, total)
        return games, found

    def _shortened(self, found: list[Defect], tables: Mapping[str, Setup]) -> Iterable[Defect]:
        """The same faults, each with the shortest way that short games come upon."""
        for limit in DEEPER:
            faults = [each for each in _unlike(found).values() if each.weight == "wrong"]
            if all(_way(each) <= limit for each in faults):
                break
            for name, setup in tables.items():
                for seed in range(TRIES):
                    rng = random.Random(f"{self.engine.id} {name} {limit} {seed}")
                    game, problems = self._game(setup, rng, limit)
                    found += problems
                    if game is not None:
                        found += self._checked(game, rng)
        return found

    def _checked(self, game: RandomGame, rng: random.Random) -> Iterator[Defect]:
        yield from self._whole(game)
        yield from self._looks(game, rng)

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

    def _game(
        self, setup: Setup, rng: random.Random, limit: int
    ) -> tuple[RandomGame | None, list[Defect]]:
        """A game as far as it comes, and what stopped it."""
        game: RandomGame | None = None
        line = ""
        try:
            written = [*(setup(rng) if callable(setup) else setup)]
            line = written[0]
            game = open_game(self.engine, written)
            for _ in play_on(game, rng, limit, self.supply):
                line = story(game)
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
        way = story(game)
        agenda = game.state.agenda
        owed = _owed(agenda.duties)
        if stop.key == "option_refused":
            return wrong("option_refused", line=stop.line, clause=clause, story=way)
        if stop.key == "not_completed":
            return advice("not_completed", owed=owed, story=way)
        waiting = tuple(
            item.name if isinstance(item, Step) else ", ".join(_owed(item))
            for item in reversed(agenda[:-1])
        )
        if waiting:
            return wrong("dead_end_stacked", owed=owed, waiting=waiting, story=way)
        return wrong("dead_end", owed=owed, story=way)

    def _whole(self, game: RandomGame) -> Iterator[Defect]:
        """Every judgement of a game."""
        engine = self.engine
        yield from self._guarded(story(game), check_repeated(game))
        for index, judgement in enumerate(game.judgements):
            line, way = engine.text(judgement.action), game.upto(index)
            yield from self._guarded(line, played.check_verdict(engine, judgement.verdict, line))
            yield from self._guarded(line, played.check_conservation(way, judgement))
            yield from self._guarded(line, played.check_holdings(way, judgement))
            yield from self._guarded(line, played.check_notation(engine, judgement.action))
        for before, after in pairwise(game.judgements):
            line = engine.text(after.action)
            yield from self._guarded(line, played.check_moves(game, before, after))
        if game.state.over:
            yield from self._guarded(story(game), played.check_result(game))
        rng = random.Random(len(game.judgements))
        yield from self._guarded(story(game), check_secrets(game, rng, self.sources))
        yield from self._guarded(story(game), check_told(game, rng, self.sources))

    def _looks(self, game: RandomGame, rng: random.Random) -> Iterator[Defect]:
        """The first moment, the last, and some between them, closely."""
        last = len(game.judgements) - 1
        between = range(1, last)
        chosen = {0, last, *rng.sample(between, min(self.effort.looks, len(between)))}
        moments = [game.upto(index) for index in sorted(chosen)]
        strays = Strays(self.engine, game.actions) if game.actions else None
        for moment in moments:
            yield from self._guarded(story(moment), self._look(moment, strays, rng))
            yield from self._guarded(story(moment), played.check_faces(moment, rng))
        yield from self._guarded(story(game), played.check_lit(moments))

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
            walk = moment.upto(len(moment.judgements) - 1)
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
                yield from played.check_holdings(walk, judgement)

    def _guarded(self, line: str, found: Iterator[Defect]) -> Iterator[Defect]:
        """What a check finds; an error of the game while it is asked is a defect too."""
        try:
            yield from found
        except Exception as error:
            yield crash(self.engine.package, error, line)


def _owed(duties: Iterable[Any]) -> tuple[str, ...]:
    return tuple(f"{duty.seat or '–'} {duty.kind}" for duty in duties) or ("–",)
