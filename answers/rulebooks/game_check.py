"""What is wrong with a game, for whoever writes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from answers.answer import Answered, Data
from answers.declaration import operation
from answers.i18n import Voice
from answers.permissions import NOBODY
from engines.kernel import Phrase
from engines.kernel.registry import load_engine
from referee.cases.case_file import CaseFile
from referee.game_check.checker import QUICK, Effort, Progress, check_game, untold


class DefectRow(Data):
    key: str
    weight: Literal["wrong", "advice"]
    """Advice may be left as it is."""
    file: str
    """The file of the game's package; empty where it cannot be told."""
    line: int | None
    message: str


class GameCheckAnswer(Data):
    game: str
    wrong: int
    defects: list[DefectRow]


@operation("engine-check", grant=NOBODY)
def check(
    game: str,
    voice: Voice,
    cases: Iterable[CaseFile] = (),
    games: int = 3,
    *,
    quick: bool = False,
    progress: Progress = untold,
    **handed_in: Any,
) -> Answered[GameCheckAnswer]:
    """All that is wrong with an installed game; ``games`` is how many random ones are played.

    ``handed_in`` are ``setups`` and ``supply`` of its author, as ``check_game`` has them.
    """
    engine = load_engine(game)
    effort = QUICK if quick else Effort(games=games)
    found = check_game(engine, cases=cases, effort=effort, progress=progress, **handed_in)
    wrong = sum(each.weight == "wrong" for each in found)

    def render(voice: Voice) -> Iterator[str]:
        for each in found:
            mark = voice.mark("bad", "✘") if each.weight == "wrong" else " "
            told = voice.spoken(each.phrase)
            yield f"{mark} {voice.labelled(each.place, told) if each.place else told}"
        told_how_many = {"game": game, "wrong": wrong, "advice": len(found) - wrong}
        key = "game_check.summary" if found else "game_check.sound"
        yield voice.spoken(Phrase(key, told_how_many))

    def data() -> GameCheckAnswer:
        rows = [DefectRow.made_of(each, message=voice.spoken(each.phrase)) for each in found]
        return GameCheckAnswer(game=game, wrong=wrong, defects=rows)

    return Answered(data, render, "invalid" if wrong else "done")
