"""Statistics over a selection of the archive: of the rules, of results, of time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from answers.answer import Answered, Data
from answers.context import Caller, StoreContext
from answers.i18n import Voice, columns
from answers.known_games import known_games
from answers.review.left_out import left_out
from engines.kernel.dialogue.clause_text import clause_text
from engines.kernel.registry import load_engine
from referee.archive.process_pool import map_store
from referee.archive.stats import COUNTED, By, Length, Spread, Standing, Statistics
from referee.proof.verify import verify
from referee.store.event_store import Store
from referee.table.author import Author
from referee.table.bench import Bench
from referee.table.unreadable import readable

if TYPE_CHECKING:
    from replays.exports.bar_charts import BarChart, HtmlTable

Progress = Callable[[int, int], None]
"""Hears how many are done, and of how many."""


def no_progress(done: int, total: int) -> None:
    """No-op progress callback."""


FEW = 12
"""How many clauses and openings are told; the data has them all."""


class Selection(NamedTuple):
    """Filter on the games: all, or those that match every field given."""

    engine: str | None = None
    player: str | None = None
    tournament: str | None = None
    since: str | None = None
    """A date, or the beginning of one: opened then or later."""
    until: str | None = None


ALL = Selection()


class SpreadAnswer(Data):
    least: float
    median: float
    most: float


class ClauseCount(Data):
    engine: str
    clause: str
    text: str
    consulted: int
    broken: int
    undecided: int
    disputed: int
    ruled: int
    overruled: int


class ResultCount(Data):
    by: By
    engine: str
    name: str
    """The seat, the first decision of the game, or the player."""
    games: int
    won: int
    shared: int
    """How many of those won were shared."""
    place: float | None
    """On average."""
    score: float | None


class LengthCount(Data):
    engine: str
    games: int
    actions: SpreadAnswer | None
    minutes: SpreadAnswer | None
    actions_in_turn: SpreadAnswer | None
    seconds_in_turn: SpreadAnswer | None


class StatsAnswer(Data):
    games: int
    proven: int
    """Results are those of so many games: of records that prove them."""
    clauses: list[ClauseCount]
    results: list[ResultCount]
    lengths: list[LengthCount]


def statistics(
    caller: Caller,
    selection: Selection = ALL,
    *,
    names: bool = False,
    processes: int = 1,
    progress: Progress = no_progress,
) -> Answered[StatsAnswer]:
    """What the games of a selection say together; ``names``: players by name.

    In several ``processes`` it is asked by the author alone, who knows whatever is recorded.
    """
    counted = _counted(caller, selection, processes, progress)

    def data() -> StatsAnswer:
        return _data(caller, counted, names)

    def render(voice: Voice) -> Iterator[str]:
        found = data()
        yield voice.say("stats.games", games=found.games, proven=found.proven)
        for table in tables(voice, found):
            if table.rows:
                yield ""
                yield voice.mark("bold", table.title)
                yield from columns([tuple(table.head), *map(tuple, table.rows)], widest=40)

    return Answered(data, render, warnings=left_out(caller, counted.left_out))


def chart(
    caller: Caller,
    selection: Selection = ALL,
    *,
    names: bool = False,
    processes: int = 1,
    progress: Progress = no_progress,
) -> str:
    """The statistics as a bar chart in SVG."""
    found = _data(caller, _counted(caller, selection, processes, progress), names)
    return _drawn(caller.voice, found)


def page(
    caller: Caller,
    selection: Selection = ALL,
    *,
    names: bool = False,
    processes: int = 1,
    progress: Progress = no_progress,
) -> str:
    """The statistics as an HTML page with charts and tables."""
    from replays.exports import bar_charts

    counted = _counted(caller, selection, processes, progress)
    voice, found = caller.voice, _data(caller, counted, names)
    title = voice.say("stats.title", games=found.games, proven=found.proven)
    return bar_charts.page(title, voice.lang, _drawn(voice, found), tables(voice, found))


def _counted(
    caller: Caller, selection: Selection, processes: int, progress: Progress
) -> Statistics:
    """The counts; to callers who may not see everything, of closed games only."""
    store, passing = caller.store_context.store, caller.uncached()
    chosen = [
        row["game"]
        for row in known_games(caller, processes=processes)
        if not row["kept_apart"]
        and _fits(caller, row, selection)
        and (caller.author.viewer is None or row["closed"])
    ]

    def here(_: Store, game_id: str) -> Statistics:
        return _of_game(passing, game_id)

    work = here if processes < 2 else partial(_asked_by, author=caller.author)
    counted = Statistics()
    games = map_store(store, chosen, work, processes=processes)
    for done, found in enumerate(games, start=1):
        counted.join(found)
        progress(done, len(chosen))
    return counted


def _asked_by(store: Store, game_id: str, *, author: Author) -> Statistics:
    """Worker process: the same caller, opened anew."""
    return _of_game(Caller(StoreContext(store, Bench(store, at_hand=0)), author), game_id)


def _of_game(caller: Caller, game_id: str) -> Statistics:
    counted = Statistics()
    for game in readable([game_id], caller.game, counted.left_out):
        closed = game.closed is not None
        proven = closed and verify(game_id, caller.store_context.store.read(game_id)).proves_result
        counted.add(game, proven=proven)
    return counted


def _fits(caller: Caller, row: dict[str, object], wanted: Selection) -> bool:
    people, opened, until = row["people"], str(row["opened"]), wanted.until
    assert isinstance(people, dict)
    return (
        wanted.engine in (None, row["engine"])
        and wanted.tournament in (None, str(row["tournament"]).partition("/")[0])
        and (wanted.since is None or opened >= wanted.since)
        and (until is None or opened[: len(until)] <= until)
        and (wanted.player is None or wanted.player in {caller.name(p) for p in people.values()})
    )


def _data(caller: Caller, counted: Statistics, names: bool) -> StatsAnswer:
    lang = caller.voice.lang
    clauses = [
        ClauseCount(
            engine=engine,
            clause=clause,
            text=clause_text(load_engine(engine), clause, lang, {}),
            **{what: counts[what] for what in COUNTED},
        )
        for (engine, clause), counts in counted.clauses.items()
    ]
    results = [
        _result(by, engine, caller.name(name) if names and by == "player" else name, standing)
        for (by, engine, name), standing in counted.results.items()
    ]
    return StatsAnswer(
        games=counted.games,
        proven=counted.proven,
        clauses=sorted(clauses, key=lambda one: (-one.broken, -one.consulted, one.clause)),
        results=sorted(results, key=lambda one: (one.by, one.engine, -one.games, one.name)),
        lengths=[_length(engine, length) for engine, length in sorted(counted.lengths.items())],
    )


def _result(by: By, engine: str, name: str, standing: Standing) -> ResultCount:
    return ResultCount(
        by=by,
        engine=engine,
        name=name,
        games=standing.games,
        won=standing.won,
        shared=standing.shared,
        place=standing.place,
        score=standing.score,
    )


def _length(engine: str, length: Length) -> LengthCount:
    def spread(numbers: Iterable[float]) -> SpreadAnswer | None:
        found = Spread.of(numbers)
        return SpreadAnswer(**found._asdict()) if found is not None else None

    return LengthCount(
        engine=engine,
        games=len(length.actions),
        actions=spread(length.actions),
        minutes=spread(length.minutes),
        actions_in_turn=spread(length.turns),
        seconds_in_turn=spread(length.seconds),
    )


# how it is shown


def tables(voice: Voice, found: StatsAnswer) -> Iterator[HtmlTable]:
    from replays.exports.bar_charts import HtmlTable

    head = [voice.say(f"stats.{what}") for what in ("clause", *COUNTED, "text")]
    rows = [
        [one.clause, *(str(getattr(one, what)) for what in COUNTED), one.text]
        for one in found.clauses[:FEW]
    ]
    yield HtmlTable(voice.say("stats.clauses"), head, rows)
    head = [voice.say(f"stats.{what}") for what in ("name", "played", "won", "place", "score")]
    for by in ("seat", "opening", "player"):
        rows = [
            [
                f"{one.engine} {_named(voice, one)}",
                str(one.games),
                _won(one),
                _mean(one.place),
                _mean(one.score),
            ]
            for one in found.results
            if one.by == by
        ]
        yield HtmlTable(voice.say(f"stats.by_{by}"), head, rows[:FEW] if by == "opening" else rows)
    head = [voice.say(f"stats.{what}") for what in ("name", "played", *_LENGTHS)]
    rows = [
        [one.engine, str(one.games), *(_spread(getattr(one, what)) for what in _LENGTHS)]
        for one in found.lengths
    ]
    yield HtmlTable(voice.say("stats.lengths"), head, rows)


_LENGTHS = ("actions", "minutes", "actions_in_turn", "seconds_in_turn")


def _won(one: ResultCount) -> str:
    return f"{one.won} ({100 * one.won // one.games} %)".replace(" %", "\u202f%")


def _mean(number: float | None) -> str:
    return "–" if number is None else f"{number:.1f}"


def _spread(found: SpreadAnswer | None) -> str:
    if found is None:
        return "–"
    return f"{found.median:.0f} ({found.least:.0f}–{found.most:.0f})"


def _drawn(voice: Voice, found: StatsAnswer) -> str:
    from replays.exports import bar_charts

    picture = bar_charts.drawn(_charts(voice, found))
    title = voice.say("stats.title", games=found.games, proven=found.proven)
    rows = (" · ".join(row) for table in tables(voice, found) for row in table.rows)
    return picture.svg(title, "\n".join(rows), lang=voice.lang)


def _named(voice: Voice, one: ResultCount) -> str:
    """Whose result it is; an opening in the words of who reads."""
    if one.by != "opening":
        return one.name
    return load_engine(one.engine).told_in(one.name, voice.lang)


def _charts(voice: Voice, found: StatsAnswer) -> Iterator[BarChart]:
    from replays.exports.bar_charts import BarChart

    for what in ("broken", "consulted", "disputed", "overruled"):
        most = sorted(found.clauses, key=lambda one: -getattr(one, what))[:FEW]
        bars = [
            (one.clause, float(count), str(count)) for one in most if (count := getattr(one, what))
        ]
        yield BarChart(voice.say(f"stats.most_{what}"), bars)
    for by in ("seat", "opening", "player"):
        bars = [
            (f"{one.engine} {_named(voice, one)}", one.won / one.games, _won(one))
            for one in found.results
            if one.by == by
        ]
        yield BarChart(voice.say(f"stats.by_{by}"), bars[:FEW])
    bars = [
        (one.engine, one.actions.median, _spread(one.actions))
        for one in found.lengths
        if one.actions is not None
    ]
    yield BarChart(voice.say("stats.actions_of_games"), bars)
