"""What judges need: disputes, rulings and their book, games under other conditions."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast, get_args

from answers.judge import disputes, precedents, rulings
from cli.arguments import pairs, stated_value, typed
from cli.output import atomic_write, put_new, refuse_existing, with_line
from cli.session import session
from referee.errors import Misused
from referee.judging.rulings import Decision
from referee.record.entries import Remedy

REMEDIES: tuple[str, ...] = get_args(Remedy)


def attend(dispute: str | None = None, *, off: bool = False) -> int:
    here = session()
    game = here.game_id()
    if dispute is None:
        return here.run(disputes.attend_hold, game, off=off)
    return here.run(disputes.attend, game, dispute, off=off)


def show_dispute(
    dispute: str,
    *,
    correct: Sequence[str] = (),
    stands: bool = False,
    output: Path | None = None,
) -> int:
    here = session()
    ask, game = here.caller.ask, here.game_id()
    answered = ask(disputes.brief, game, dispute, correct=correct, stands=stands)
    if output is not None:
        atomic_write(output, ask(disputes.brief_picture, game, dispute).encode())
        answered = with_line(answered, here.voice.say("written", file=str(output)))
    return here.answer(disputes.brief, answered)


def issue_ruling(
    dispute: str | None = None,
    *,
    reason: str,
    remedy: str = "none",
    correct: Sequence[str] = (),
    stands: bool = False,
    clause: Sequence[str] = (),
    number: Sequence[int] = (),
    seat: str | None = None,
    level: str = "",
    authority: str = "",
    cite: Sequence[str] = (),
    overturns: str | None = None,
    reading: Sequence[str] = (),
    tournament: bool = False,
    position: str | None = None,
    line: Sequence[str] = (),
    case: Path | None = None,
    dry_run: bool = False,
) -> int:
    from cli.positions import table

    here = session()
    if (line or case) and position is None:
        raise Misused("lines_need_position")
    caller, game, numbers = table(here, position, line)
    if remedy not in REMEDIES:
        raise Misused("no_such_remedy", remedy=remedy, remedies=", ".join(REMEDIES))
    decision = Decision(
        reason=reason,
        remedy=cast(Remedy, "corrected" if correct and remedy == "none" else remedy),
        dispute=dispute,
        numbers=tuple(number or numbers),
        clauses=tuple(name.upper() for name in clause),
        lines=tuple(correct),
        stands=stands,
        seat=seat.upper() if seat else None,
        level=level,
        authority=authority,
        overturns=overturns,
        readings=pairs(reading),
        scope="tournament" if tournament else "game",
    )
    answered = caller.ask(rulings.rule, game, decision, cite=cite, dry_run=dry_run)
    if case is not None and isinstance(answered.data, rulings.RulingIssueAnswer):
        refuse_existing(case)
        atomic_write(case, caller.ask(rulings.case, game, "r1").encode())
    return here.answer(rulings.rule, answered)


def show_ruling(reference: str) -> int:
    here = session()
    game = None if "/" in reference else here.game_id()
    return here.run(precedents.ruling, reference, game)


def export_rulings(*, output: Path, source: str, names: bool = False) -> int:
    from referee.untrusted.safe_toml import write_toml

    here = session()
    book = here.caller.ask(precedents.book, source, names=names)
    return put_new(
        here,
        output,
        lambda: write_toml(book.model_dump(mode="json")),
        told=lambda voice: [voice.say("ruling.exported", file=str(output), count=len(book.ruling))],
    )


def save_case(ruling: str, *, output: Path) -> int:
    here = session()
    game = here.game_id()
    return put_new(here, output, lambda: here.caller.ask(rulings.case, game, ruling), game)


def what_if(
    words: Sequence[str] = (),
    *,
    reading: Sequence[str] = (),
    house_rule: Sequence[str] = (),
    kit: Sequence[str] = (),
    preset: str | None = None,
    engine: str | None = None,
    everything: bool = False,
    of: str | None = None,
    position: str | None = None,
) -> int:
    """Judge stored games under other conditions."""
    from answers.judge.what_if import what_if, what_if_all
    from cli.positions import table
    from cli.progress import progress_of
    from engines.kernel.registry import load_engine
    from referee.archive.process_pool import cores
    from referee.judging.what_if import Other
    from referee.table.presets import read_preset

    here = session()
    if words and position is None:
        raise Misused("lines_need_position")
    rules = read_preset(preset) if preset is not None else None
    laid_aside = [*(rules.house_rules if rules else ()), *house_rule]
    other = Other(
        readings={**(rules.readings if rules else {}), **pairs(reading)},
        house_rules=laid_aside if rules is not None or house_rule else None,
        kit={path: stated_value(text) for path, text in pairs(kit).items()},
        engine=load_engine(engine) if engine is not None else None,
    )
    if not everything and of is None:
        caller, asked, _ = table(here, position, typed(words) if words else ())
        return here.answer(what_if, caller.ask(what_if, asked, other))
    game = of or (rules.game if rules is not None else None)
    game = game or here.caller.game(here.game_id()).engine.id
    return here.run(what_if_all, game, other, progress_of(), processes=cores())
