"""Stored games judged under other conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from answers.answer import Answered, Data
from answers.caller import Caller
from answers.telling import short
from answers.voice import Voice
from engines.kernel.registry import load_engine
from referee.archive.lists import list_games
from referee.judging.whatif import Difference, Other
from referee.judging.whatif import what_if as judged_otherwise


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


def what_if(caller: Caller, game_id: str, other: Other) -> Answered[WhatIfAnswer]:
    """One game, every difference."""
    found = _differences(caller, game_id, other)

    def told(voice: Voice) -> Iterator[str]:
        if not found:
            yield voice.say("whatif.same", game=short(game_id))
            return
        yield from _counted(voice, game_id, found, found)

    return Answered(lambda: _data({game_id: found}), told)


def what_if_all(
    caller: Caller,
    engine: str,
    other: Other,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Answered[WhatIfAnswer]:
    """Every game of one engine, the first difference of each."""
    name = load_engine(engine).id
    rows = [row["game"] for row in list_games(caller.house.store) if row["engine"] == name]
    passing, found = caller.passing_by(), {}
    for done, game_id in enumerate(rows, start=1):
        found[game_id] = _differences(passing, game_id, other)
        progress(done, len(rows))
    differ = sum(map(bool, found.values()))

    def told(voice: Voice) -> Iterator[str]:
        for game_id, differences in found.items():
            if differences:
                yield from _counted(voice, game_id, differences, differences[:1])
        yield voice.say("whatif.summary", count=len(found), differ=differ)

    return Answered(lambda: _data(found), told)


def _differences(caller: Caller, game_id: str, other: Other) -> list[Difference]:
    return judged_otherwise(caller.everything(game_id, "what-if"), other)


def _data(found: dict[str, list[Difference]]) -> WhatIfAnswer:
    rows = [
        WhatIfRow(game=game, differences=[DifferenceRow(**each._asdict()) for each in differences])
        for game, differences in found.items()
    ]
    return WhatIfAnswer(games=rows, differ=sum(map(bool, found.values())))


def _counted(
    voice: Voice, game_id: str, found: list[Difference], shown: list[Difference]
) -> Iterator[str]:
    yield voice.say("whatif.count", game=short(game_id), count=len(found))
    for each in shown:
        before, after = (
            voice.say("whatif.refused" if word == "refused" else f"outcome.{word}")
            for word in (each.before, each.after)
        )
        told = f"{before} → {after} {each.clause or ''}".rstrip()
        yield f"  {voice.labelled(f'#{each.number} {each.line}', told)}"
