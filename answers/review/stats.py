"""Statistics over a selection of the archive: of the rules, of results, of time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from answers.answer import Answered, Data
from answers.context import Caller, StoreContext
from answers.declaration import operation
from answers.game_filter import opened_between
from answers.i18n import Voice, columns
from answers.known_games import is_called, known_games
from answers.left_out import left_out
from answers.permissions import KEEPERS
from answers.rulebooks.games import game_name
from engines.kernel import Verbatim
from engines.kernel.dialogue.clause_text import clause_text
from engines.kernel.registry import load_engine
from referee.archive import stats
from referee.archive.process_pool import map_store
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


LABEL = 30
"""So many letters of a clause's text stand beside its bar; the table has all of it."""
FEW = 12
"""How many clauses and openings are told; the data has them all."""
TOLD = stats.COUNTED[1:]
"""What is told of clauses: how often one was consulted says more of the engine than of the game."""


class Selection(NamedTuple):
    """Filter on the games: all, or those that match every field given."""

    engine: str | None = None
    player: str | None = None
    tournament: str | None = None
    since: str | None = None
    """A date, or the beginning of one: opened then or later."""
    until: str | None = None
    players: int | None = None
    """The number of them."""
    variant: str | None = None
    box: str | None = None
    reading: str | None = None
    """``name=value``."""

    @property
    def traits(self) -> stats.Traits:
        name, _, value = (self.reading or "").partition("=")
        return stats.Traits(self.players, self.variant, self.box, {name: value} if name else {})


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
    by: stats.By
    engine: str
    players: int
    """At tables of so many: tables of different sizes are never counted together."""
    name: str
    """The seat, the place in the order of turns, the first decision of the game, or the player;
    empty for a table that plays together."""
    games: int
    won: int
    shared: int
    """How many of those won were shared."""
    place: float | None
    """On average."""
    score: float | None
    least: int | None
    """The lowest score, and the highest."""
    most: int | None
    low: float
    """Where the true share of wins lies with 95 % confidence: from here to ``high``."""
    high: float


class GroupCount(Data):
    """Games that have something in common."""

    by: stats.Trait
    engine: str
    players: int
    name: str
    games: int
    together: bool
    """They are won or lost by the whole table."""
    won: int
    """By the table, or by whoever began."""
    low: float
    high: float
    minutes: float | None


class LengthCount(Data):
    engine: str
    players: int
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
    groups: list[GroupCount]
    lengths: list[LengthCount]


@operation(
    "stats",
    "GET /statistics",
    grant=KEEPERS,
    params="answers.requests.review:StatsRequest",
    rename={"selection": "*"},
    slow=True,
)
def statistics(
    caller: Caller,
    selection: Selection = ALL,
    *,
    names: bool = False,
    processes: int = 1,
    on_step: Progress = no_progress,
    rebuild: bool = False,
) -> Answered[StatsAnswer]:
    """What the games of a selection say together; ``names``: players by name.

    Facts of games are kept, and only those that have changed are counted again; ``rebuild``: all
    of them. In several ``processes`` it is asked by the author alone, who knows whatever is
    recorded.
    """
    counted = _counted(caller, selection, processes, on_step, rebuild=rebuild)

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


@operation(
    "stats-picture",
    "GET /statistics/picture",
    grant=KEEPERS,
    params="answers.requests.review:StatsRequest",
    rename={"selection": "*"},
    file="statistics.svg",
    slow=True,
)
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
    caller: Caller,
    selection: Selection,
    processes: int,
    progress: Progress,
    *,
    rebuild: bool = False,
) -> stats.Sums:
    """The counts; to callers who may not see everything, of closed games only."""

    def chosen() -> list[str]:
        return [
            row["game"]
            for row in known_games(caller, processes=processes)
            if not row["kept_apart"]
            and _fits(caller, row, selection)
            and (caller.viewer is None or row["closed"])
        ]

    if caller.viewer is None:
        by_log_alone = not caller.scope and selection.player is None  # names are not in the log
        with counted_tables(caller, processes, progress, rebuild=rebuild) as tables:
            return tables.sums(
                chosen, selection.traits, selection._asdict() if by_log_alone else None
            )
    games = chosen()
    with closing(stats.StatsTables(None)) as tables:
        _count(caller, tables, [(game, 0) for game in games], processes, progress)
        return tables.sums(lambda: games, selection.traits)


@contextmanager
def counted_tables(
    caller: Caller,
    processes: int = 1,
    progress: Progress = no_progress,
    *,
    rebuild: bool = False,
) -> Iterator[stats.StatsTables]:
    """The facts of all games, up to date: for a caller who sees everything."""
    store = caller.store_context.store
    tables = stats.open_stats(store)
    try:
        if rebuild:
            tables.rebuild()
        _count(caller, tables, tables.catch_up(store), processes, progress)
        yield tables
    finally:
        if stats.stats_path(store.url) is not None:
            tables.close()


def uncounted(store_context: StoreContext) -> int:
    """How many games have changed since they were counted: so many are read before the answer."""
    store = store_context.store
    tables = stats.open_stats(store)
    try:
        return len(tables.catch_up(store))
    finally:
        if stats.stats_path(store.url) is not None:
            tables.close()


def _count(
    caller: Caller,
    tables: stats.StatsTables,
    due: Sequence[tuple[str, int]],
    processes: int,
    progress: Progress,
) -> None:
    """Work out the facts of the games that have changed, and keep them."""
    passing, store = caller.uncached(), caller.store_context.store

    def here(_: Store, game_id: str) -> stats.GameFacts:
        return _of_game(passing, game_id)

    work = here if processes < 2 else partial(_asked_by, author=caller.author)
    games = map_store(store, [game for game, _ in due], work, processes=processes)
    for done, ((_, seq), facts) in enumerate(zip(due, games, strict=True), start=1):
        tables.take(facts, seq)
        progress(done, len(due))


def _asked_by(store: Store, game_id: str, *, author: Author) -> stats.GameFacts:
    """Worker process: the same caller, opened anew."""
    return _of_game(Caller(StoreContext(store, Bench(store, at_hand=0)), author), game_id)


def _of_game(caller: Caller, game_id: str) -> stats.GameFacts:
    for game in readable([game_id], caller.game):
        closed = game.closed is not None
        proven = closed and verify(game_id, caller.store_context.store.read(game_id)).proves_result
        return stats.facts_of(game, proven=proven)
    return stats.GameFacts(game_id, "", "", readable=False)


def _fits(caller: Caller, row: dict[str, object], wanted: Selection) -> bool:
    people = row["people"]
    assert isinstance(people, dict)
    return (
        wanted.engine in (None, row["engine"])
        and wanted.tournament in (None, str(row["tournament"]).partition("/")[0])
        and opened_between(str(row["opened"]), wanted.since, wanted.until)
        and (wanted.player is None or is_called(wanted.player, map(caller.name, people.values())))
    )


def _data(caller: Caller, counted: stats.Sums, names: bool) -> StatsAnswer:
    lang = caller.voice.lang
    clauses = [
        ClauseCount(**row, text=clause_text(load_engine(row["engine"]), row["clause"], lang, {}))
        for row in counted.clauses
    ]
    results = [
        ResultCount(
            **{**row, "name": caller.name(row["name"])} if names and row["by"] == "player" else row,
            **_likely(row),
        )
        for row in counted.standings
    ]
    return StatsAnswer(
        games=counted.games,
        proven=counted.proven,
        clauses=sorted(clauses, key=lambda one: (-one.broken, -one.disputed, one.clause)),
        results=sorted(
            results, key=lambda one: (one.by, one.engine, one.players, -_rank(one), one.name)
        ),
        groups=[
            GroupCount(**{**row, "together": bool(row["together"])}, **_likely(row))
            for row in counted.groups
        ],
        lengths=[_length(*each) for each in counted.lengths],
    )


def _rank(one: ResultCount) -> int:
    """Openings and players by how often they occur; seats and turns in their own order."""
    return one.games if one.by in ("opening", "player") else 0


def _likely(row: Mapping[str, Any]) -> dict[str, Any]:
    low, high = wilson(row["won"], row["games"])
    return {"low": low, "high": high}


def wilson(won: int, games: int) -> tuple[float, float]:
    """Where the true share lies with 95 % confidence (Wilson's interval)."""
    z, share = 1.96, won / games
    middle = share + z * z / (2 * games)
    reach = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


def _length(engine: str, players: int, length: stats.Lengths) -> LengthCount:
    def spread(found: stats.Spread | None) -> SpreadAnswer | None:
        return SpreadAnswer(**found._asdict()) if found is not None else None

    return LengthCount(
        engine=engine,
        players=players,
        games=length.games,
        actions=spread(length.actions),
        minutes=spread(length.minutes),
        actions_in_turn=spread(length.turns),
        seconds_in_turn=spread(length.seconds),
    )


# how it is shown


def tables(voice: Voice, found: StatsAnswer) -> Iterator[HtmlTable]:
    from replays.exports.bar_charts import HtmlTable

    head = [voice.say(f"stats.{what}") for what in ("clause", "text", *TOLD)]
    rows = [
        [one.clause, one.text, *(str(getattr(one, what)) for what in TOLD)]
        for one in found.clauses[:FEW]
        if any(getattr(one, what) for what in TOLD)
    ]
    yield HtmlTable(voice.say("stats.clauses"), head, rows)
    head = [voice.say(f"stats.{what}") for what in _RESULT_HEAD]
    for by in get_args(stats.By):
        rows = [
            [
                _titled(voice, one, _named(voice, one)),
                str(one.games),
                *_won(voice, one),
                _mean(one.place),
                _scores(one),
            ]
            for one in found.results
            if one.by == by
        ]
        yield HtmlTable(voice.say(f"stats.by_{by}"), head, rows[:FEW] if by == "opening" else rows)
    head = [voice.say(f"stats.{what}") for what in _GROUP_HEAD]
    for trait in get_args(stats.Trait):
        rows = [
            [
                _titled(voice, one, "" if one.by == "players" else _trait(voice, one)),
                str(one.games),
                *_won(voice, one),
                _mean(one.minutes),
            ]
            for one in _compared(found.groups)
            if one.by == trait
        ]
        yield HtmlTable(voice.say(f"stats.of_{trait}"), head, rows)
    head = [voice.say(f"stats.{what}") for what in ("name", "played", *_LENGTHS)]
    rows = [
        [
            _titled(voice, one),
            str(one.games),
            *(_spread(getattr(one, what)) for what in _LENGTHS),
        ]
        for one in found.lengths
    ]
    yield HtmlTable(voice.say("stats.lengths"), head, rows)


_LENGTHS = ("actions", "minutes", "actions_in_turn", "seconds_in_turn")


_RESULT_HEAD = ("name", "played", "won", "share", "place", "score")
_GROUP_HEAD = ("name", "played", "won_first", "share", "minutes")


def _won(voice: Voice, one: ResultCount | GroupCount) -> tuple[str, str]:
    """Wins; their share, and where it may really lie."""
    share = Verbatim(f"{100 * one.won / one.games:.0f}")
    low, high = (Verbatim(f"{100 * bound:.0f}") for bound in (one.low, one.high))
    return str(one.won), voice.say("stats.interval", share=share, low=low, high=high)


def _titled(voice: Voice, one: ResultCount | GroupCount | LengthCount, what: str = "") -> str:
    """The game, how many play it, and whose result it is."""
    at = voice.say("stats.at_tables_of", count=one.players)
    return " · ".join(filter(None, (game_name(voice, one.engine), at, what)))


def _trait(voice: Voice, one: GroupCount) -> str:
    if one.by != "reading":
        return one.name or voice.say("stats.usual")
    name, _, value = one.name.partition("=")
    readings = load_engine(one.engine).readings
    if name not in readings:
        return one.name
    meaning = readings[name].values.get(value)
    told = meaning.say(voice.lang) if meaning is not None else value
    return f"{readings[name].question.say(voice.lang)} {told}"


def _compared(groups: Sequence[GroupCount]) -> list[GroupCount]:
    """Without readings that all the games of a kind share: they compare nothing."""
    ways = Counter(map(_reading_of, groups))
    return [one for one in groups if one.by != "reading" or ways[_reading_of(one)] > 1]


def _reading_of(one: GroupCount) -> tuple[str, int, str]:
    name = one.name.partition("=")[0] if one.by == "reading" else ""
    return one.engine, one.players, name


def _scores(one: ResultCount) -> str:
    if one.score is None:
        return "–"
    return f"{one.score:.1f} ({one.least}–{one.most})"


def _mean(number: float | None) -> str:
    return "–" if number is None else f"{number:.1f}"


def _spread(found: SpreadAnswer | None) -> str:
    if found is None:
        return "–"
    return f"{found.median:.0f} ({found.least:.0f}–{found.most:.0f})"


def _drawn(voice: Voice, found: StatsAnswer) -> str:
    from replays.exports import bar_charts

    picture = bar_charts.drawn(chart for _, chart in _charts(voice, found))
    title = voice.say("stats.title", games=found.games, proven=found.proven)
    rows = (" · ".join(row) for table in tables(voice, found) for row in table.rows)
    return picture.svg(title, "\n".join(rows), lang=voice.lang)


def _named(voice: Voice, one: ResultCount) -> str:
    """Whose result it is; an opening in the words of who reads."""
    if one.by == "turn":
        return voice.say("stats.turn", number=int(one.name))
    if one.by != "opening":
        return one.name
    return load_engine(one.engine).text.told_in(one.name, voice.lang)


def charts_by_table(voice: Voice, found: StatsAnswer) -> dict[str, list[str]]:
    """Each chart as a picture that fits a phone, by the title of the table with its numbers."""
    from replays.exports import bar_charts

    pictures: dict[str, list[str]] = {}
    for table, chart in _charts(voice, found):
        if chart.bars:
            picture = bar_charts.drawn([chart], narrow=True)
            told = "\n".join(f"{label}: {said}" for label, _, said in chart.bars)
            pictures.setdefault(table, []).append(picture.svg(chart.title, told, lang=voice.lang))
    return pictures


def _charts(voice: Voice, found: StatsAnswer) -> Iterator[tuple[str, BarChart]]:
    """The charts, each with the title of the table that has its numbers."""
    from replays.exports.bar_charts import BarChart

    for what in ("broken", "disputed", "overruled"):
        most = sorted(found.clauses, key=lambda one: -getattr(one, what))[:FEW]
        bars = [
            (f"{one.clause} {_shortened(one.text)}", float(count), str(count))
            for one in most
            if (count := getattr(one, what))
        ]
        yield voice.say("stats.clauses"), BarChart(voice.say(f"stats.most_{what}"), bars)
    for by in get_args(stats.By):
        bars = [
            (
                _titled(voice, one, _named(voice, one)),
                one.won / one.games,
                f"{one.won}/{one.games} · {_won(voice, one)[1]}",
            )
            for one in found.results
            if one.by == by
        ]
        title = voice.say(f"stats.by_{by}")
        yield title, BarChart(title, bars[:FEW])
    bars = [
        (_titled(voice, one), one.actions.median, _spread(one.actions))
        for one in found.lengths
        if one.actions is not None
    ]
    yield voice.say("stats.lengths"), BarChart(voice.say("stats.actions_of_games"), bars)


def _shortened(text: str) -> str:
    return text if len(text) <= LABEL else text[:LABEL].rsplit(" ", 1)[0] + " …"
