"""What is answered to lines that were heard, as data."""

from collections.abc import Iterable
from typing import Any

from pydantic import Field

from answers.answer import Data
from answers.verdicts import HeardAnswer, VerdictAnswer, heard_fields, verdict_fields
from engines.kernel import Engine, Judgement, Moves
from referee.table.play import Heard


class LogAnswer(HeardAnswer):
    """The last action that was heard; where there were several, all of them."""

    lines: list[HeardAnswer]
    nearest: list[str] = Field(validation_alias="try", serialization_alias="try")
    """Legal lines near to the one that was refused."""


class JudgedLine(VerdictAnswer):
    notation: str


class CheckAnswer(Data):
    lines: list[JudgedLine]


def log_answer(heard: Iterable[Heard], nearest: list[str]) -> LogAnswer:
    each = [heard_fields(one) for one in heard]
    lines = [HeardAnswer(**fields) for fields in each] if len(each) > 1 else []
    return LogAnswer(**each[-1], lines=lines, nearest=nearest)


def check_answer(
    engine: Engine[Any, Any], judged: Iterable[tuple[Judgement[Any], Moves]]
) -> CheckAnswer:
    rows = [
        JudgedLine(**verdict_fields(each.verdict, moves), notation=engine.text(each.action))
        for each, moves in judged
    ]
    return CheckAnswer(lines=rows)
