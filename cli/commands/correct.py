"""``referee correct``: change what was logged; everything behind it is judged anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from cli.commands.log import typed
from cli.session import Key, Reason, Session, session
from cli.speech import say
from cli.telling import (
    change_data,
    change_lines,
    insertion_refused,
    pending_line,
    raised,
    raised_lines,
    to_act,
)
from referee.errors import Illegal, Misused
from referee.record.entries import Corrected
from referee.record.game import Game
from referee.table import corrections
from referee.table.bench import Answer

app = typer.Typer(rich_markup_mode=None)


@app.command(context_settings={"ignore_unknown_options": True})
def correct(
    number: Annotated[int, typer.Argument(min=0)],
    words: Annotated[list[str] | None, typer.Argument()] = None,
    insert: Annotated[bool, typer.Option("--insert")] = False,
    remove: Annotated[int, typer.Option("--remove", min=0)] = 1,
    drop: Annotated[bool, typer.Option("--drop")] = False,
    keep: Annotated[bool, typer.Option("--keep")] = False,
    stands: Annotated[bool, typer.Option("--stands")] = False,
    reason: Reason = "",
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    key: Key = None,
) -> int:
    here = session()
    game = here.game()
    lines = [text for _, line in typed(words or []) for text in game.engine.notation.split(line)]
    if not lines and not (drop or keep):
        raise Misused("nothing_to_correct")
    removed = 0 if insert or keep else remove
    waited = game.waiting
    try:
        answer = corrections.correct(
            here.bench,
            game.id,
            number,
            lines,
            remove=removed,
            keep=[number] if keep else [],
            stands=stands,
            reason=reason,
            author=here.author,
            key=key,
            dry_run=dry_run,
        )
    except Illegal as error:
        told = insertion_refused(game, error)
        refused = {"game": game.id, "clause": str(error.facts["clause"])}
        return here.answer("correct", refused, told, code=3)
    inserted = _inserted(answer)
    body = {
        "game": game.id,
        "inserted": inserted,
        "disputes": raised(answer),
        **change_data(answer.change),
    }
    told = [say("correct.preview" if dry_run else "correct.done", number=number)]
    if not dry_run:
        told += _changed_lines(here, answer, inserted, waited)
    elif answer.change.pending:
        told.append("  " + pending_line(answer.change))
    return here.answer("correct", body, told)


def _inserted(answer: Answer) -> list[int]:
    """The numbers of the actions that the correction has put in."""
    entries = (entry.data for entry in answer.entries)
    return [said.number for data in entries if isinstance(data, Corrected) for said in data.insert]


def _changed_lines(
    here: Session, answer: Answer, inserted: list[int], waited: list[int]
) -> Iterator[str]:
    game = answer.game
    for step in game.steps:
        if step.number in inserted and step.action is not None:
            yield f"  + #{step.number} {game.engine.text(step.action)}"
    yield from change_lines(here.paint, game, answer.change)
    counting = {step.number for step in game.steps}
    yield from _released_lines(game, [number for number in waited if number in counting])
    yield from raised_lines(answer)
    yield "  " + to_act(game)


def _released_lines(game: Game, numbers: list[int]) -> Iterator[str]:
    """What was pending and counts again: because it fits, or because it happened all the same."""
    fitting = []
    for number in numbers:
        verdict = game.step(number).verdict
        if verdict.breaches:
            clauses = " ".join(point.clause for point in verdict.breaches)
            yield "  " + say("tell.kept", number=number, clauses=clauses)
        else:
            fitting.append(f"#{number}")
    if fitting:
        yield "  " + say("tell.released", numbers=", ".join(fitting))
