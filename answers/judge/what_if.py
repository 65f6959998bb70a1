"""What-if analysis: judge stored games again under other readings or house rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from answers.answer import Answered, Data
from answers.context import Caller, StoreContext
from answers.declaration import operation
from answers.i18n import Voice
from answers.left_out import left_out
from answers.permissions import JUDGES, KEEPERS
from answers.verdict_text import short, told_line
from engines.kernel.registry import load_engine
from engines.kernel.values.structs import evolve
from referee.archive.process_pool import map_store
from referee.archive.read_models import list_games
from referee.judging.what_if import Difference, Other
from referee.judging.what_if import what_if as judged_otherwise
from referee.store.event_store import Store
from referee.table.author import Author
from referee.table.bench import Bench
from referee.table.unreadable import readable

if TYPE_CHECKING:
    from engines.kernel import Engine


class DifferenceRow(Data):
    number: int
    line: str
    before: Literal["legal", "illegal", "undecided", "refused"]
    after: Literal["legal", "illegal", "undecided", "refused"]
    clause: str | None


class WhatIfRow(Data):
    game: str
    differences: list[DifferenceRow]


class WhatIfAnswer(Data):
    games: list[WhatIfRow]
    differ: int


@operation(
    "what-if",
    "POST /games/{game}/what-if",
    grant=KEEPERS,
    kind="try",
    params="answers.requests.judge:WhatIfRequest",
    rename={"other": "*"},
    slow=True,
)
def what_if(caller: Caller, game_id: str, other: Other) -> Answered[WhatIfAnswer]:
    """One game, every difference."""
    found = judged_otherwise(caller.everything(game_id, "what-if"), other)

    def render(voice: Voice) -> Iterator[str]:
        if not found:
            yield voice.say("whatif.same", game=short(game_id))
            return
        game = caller.game(game_id)
        yield from _counted(voice.at(game.seats), game.engine, game_id, found, found)

    return Answered(lambda: _data({game_id: found}), render)


@operation(
    "what-if-all",
    "POST /what-if",
    grant=JUDGES,
    kind="try",
    params="answers.requests.judge:WhatIfAllRequest",
    rename={"other": "*"},
    answer="what-if",
    slow=True,
)
def what_if_all(
    caller: Caller,
    engine: str,
    other: Other,
    progress: Callable[[int, int], None] = lambda done, total: None,
    *,
    processes: int = 1,
) -> Answered[WhatIfAnswer]:
    """Every game of one engine, the first difference of each.

    In several ``processes`` it is asked by the author alone, who knows whatever is recorded.
    """
    store, played = caller.store_context.store, load_engine(engine)
    listed = list_games(store, processes=processes)
    rows = [row["game"] for row in listed if row["engine"] == played.id]
    people = {row["game"]: row["people"] for row in listed}
    passing, found = caller.uncached(), dict[str, list[Difference]]()
    unread: list[str] = []

    def here(_: Store, game_id: str) -> list[Difference] | None:
        return _differences_if_readable(passing, game_id, other)

    named = other.engine.id if other.engine is not None else None
    elsewhere = partial(
        _asked_by, author=caller.author, other=evolve(other, engine=None), engine=named
    )
    work = here if processes < 2 else elsewhere
    for game_id, differences in zip(
        rows, map_store(store, rows, work, processes=processes), strict=True
    ):
        if differences is None:
            unread.append(game_id)
        else:
            found[game_id] = differences
        progress(len(found) + len(unread), len(rows))
    differ = sum(map(bool, found.values()))

    def render(voice: Voice) -> Iterator[str]:
        for game_id, differences in found.items():
            if differences:
                yield from _counted(
                    voice.at(people[game_id]), played, game_id, differences, differences[:1]
                )
        yield voice.say("whatif.summary", count=len(found), differ=differ)

    return Answered(lambda: _data(found), render, warnings=left_out(caller, unread))


def _asked_by(
    store: Store, game_id: str, *, author: Author, other: Other, engine: str | None
) -> list[Difference] | None:
    """Worker process: the same caller, opened anew."""
    caller = Caller(StoreContext(store, Bench(store, at_hand=0)), author)
    return _differences_if_readable(
        caller, game_id, evolve(other, engine=load_engine(engine) if engine else None)
    )


def _differences_if_readable(caller: Caller, game_id: str, other: Other) -> list[Difference] | None:
    """None if the record cannot be read; that the question is wrong is not the record's fault."""
    game = next(readable([game_id], lambda one: caller.everything(one, "what-if")), None)
    return None if game is None else judged_otherwise(game, other)


def _data(found: dict[str, list[Difference]]) -> WhatIfAnswer:
    rows = [
        WhatIfRow(game=game, differences=[DifferenceRow(**each._asdict()) for each in differences])
        for game, differences in found.items()
    ]
    return WhatIfAnswer(games=rows, differ=sum(map(bool, found.values())))


def _counted(
    voice: Voice,
    engine: Engine[Any, Any],
    game_id: str,
    found: list[Difference],
    shown: list[Difference],
) -> Iterator[str]:
    yield voice.say("whatif.count", game=short(game_id), count=len(found))
    for each in shown:
        before, after = (
            voice.say("whatif.refused" if word == "refused" else f"outcome.{word}")
            for word in (each.before, each.after)
        )
        told = f"{before} → {after} {each.clause or ''}".rstrip()
        line = told_line(voice, engine, each.line)
        yield f"  {voice.labelled(f'#{each.number} {line}', told)}"
