"""Looking at a game, or at a position of a file: its state, its moves, what may come next."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from answers.limits import EntryNumber
from cli.i18n import write
from cli.session import session


def state(
    *,
    at: int | None = None,
    toml: bool = False,
    svg: bool = False,
    shape: Literal["tall", "wide"] = "tall",
    names: bool = False,
    view: str | None = None,
    position: str | None = None,
    output: Path | None = None,
) -> int:
    from answers.play import views
    from cli.output import put
    from cli.positions import table

    here = session()
    caller, game, _ = table(here, position)
    ask = caller.ask
    kind = "" if output is None else output.suffix
    if toml or (kind == ".toml" and not svg):
        return put(here, ask(views.position, game, at=at, view=view), output, game)
    if svg or kind == ".svg":
        drawn = ask(views.picture, game, at=at, view=view, shape=shape, names=names)
        return put(here, drawn, output, game)
    answered = ask(views.state, game, at=at, view=view)
    if output is not None:
        return put(here, "\n".join(answered.lines(here.voice)) + "\n", output, game)
    return here.answer(views.state, answered)


def options(
    prefix: Sequence[str] = (), *, at: int | None = None, position: str | None = None
) -> int:
    from answers.play.options import options
    from cli.positions import table

    here = session()
    caller, game, _ = table(here, position)
    return here.answer(options, caller.ask(options, game, prefix=" ".join(prefix), at=at))


def why(words: Sequence[str], *, at: int | None = None, position: str | None = None) -> int:
    from answers.play.moves import why
    from cli.positions import table

    here = session()
    caller, game, _ = table(here, position)
    return here.answer(why, caller.ask(why, game, " ".join(words), at=at))


def diff(
    start: EntryNumber,
    end: EntryNumber | None = None,
    *,
    view: str | None = None,
) -> int:
    from answers.play.views import diff

    here = session()
    return here.run(diff, here.game_id(), start, end, view=view, fields=here.verbose)


def moves(
    *,
    start: int = 0,
    by: str | None = None,
    grep: str | None = None,
    view: str | None = None,
    everything: bool = False,
    oneline: bool = False,
    nl: bool = False,
    scores: bool = False,
) -> int:
    from answers.play.moves import moves
    from answers.review.scores import scores as scores_of

    here = session()
    if scores:
        return here.run(scores_of, here.game_id())
    answered = here.caller.ask(
        moves,
        here.game_id(),
        start=start,
        by=by,
        containing=grep,
        everything=everything,
        view=view,
        bare=oneline,
    )
    if nl:
        write(row.model_dump_json() for row in answered.data.moves)
        return 0
    return here.answer(moves, answered)
