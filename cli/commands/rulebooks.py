"""Rules, cases and engines: what this installation can referee, and on which grounds."""

import runpy
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from traceback import extract_tb
from typing import Annotated, Any

from pydantic import Field

from answers.rulebooks import cases, game_check, new_game
from answers.rulebooks import rules as rulebook
from cli.output import atomic_write, refuse_existing
from cli.session import Session, session
from engines.kernel import ParseError
from engines.kernel.registry import load_engine, package_of
from referee.cases.case_file import read_cases
from referee.errors import Conflicting, Misused, NotFound
from referee.untrusted.safe_toml import read_limited


def rules(
    game: str,
    clause: str | None = None,
    *,
    search: str | None = None,
    readings: bool = False,
    audits: bool = False,
    faq: bool = False,
    output: Path | None = None,
    diff: Path | None = None,
    to: Path | None = None,
) -> int:
    """Read and search the clauses of a game."""
    from answers.file_answers import written
    from answers.judge import faq as questions
    from answers.rulebooks.rules_diff import rules_diff

    here = session()
    if diff is not None and not faq:
        new = _text(to) if to is not None else ""
        return here.answer(rules_diff, rules_diff(game, _text(diff), new=new))
    if output is not None and not faq:
        raise Misused("output_needs_faq")
    old = _text(diff) if diff is not None else ""
    if faq and output is not None:
        refuse_existing(output)
        format = output.suffix.removeprefix(".")
        made = here.caller.ask(questions.faq_file, game, format, old=old)
        atomic_write(output, made.content)
        return here.answer(written, written(str(output), made.content))
    if faq:
        return here.run(questions.faq, game, old=old)
    if audits:
        return here.answer(rulebook.audits, rulebook.audits(game))
    if readings:
        return here.answer(rulebook.readings, rulebook.readings(game, search=search))
    answered = rulebook.rules(game, clause=clause, search=search, details=here.verbose)
    return here.answer(rulebook.rules, answered)


def _text(file: Path) -> str:
    return read_limited(file).decode("utf-8", "replace")


def run_cases(paths: Sequence[Path], *, coverage: bool = False) -> int:
    """Run case files (docs/cases.md), print what differs."""
    here = session()
    return here.answer(cases.run, cases.run(_case_files(paths), here.voice, coverage=coverage))


def _case_files(paths: Iterable[Path]) -> Iterator[cases.Named]:
    """The case files at these paths, and those in folders."""
    for path in paths:
        if not (path.is_dir() or path.is_file()):
            raise NotFound("no_such_file", file=str(path))
        for file in sorted(path.rglob("*.toml")) if path.is_dir() else (path,):
            yield cases.Named(file.name, read_cases(read_limited(file), str(file)))


def check_engine(
    game: str,
    *,
    cases: Sequence[Path] = (),
    games: Annotated[int, Field(ge=1, le=1000)] = 3,
    quick: bool = False,
    setups: Path | None = None,
) -> int:
    from cli.progress import progress_of

    here = session()
    files = [named.file for named in _case_files(cases)]
    told = game_check.check(
        game,
        here.voice,
        files,
        games,
        quick=quick,
        progress=progress_of(each=True),
        **(_handed_in(setups) if setups is not None else {}),
    )
    return here.answer(game_check.check, told)


def _handed_in(file: Path) -> dict[str, Any]:
    """What an author's Python file says: ``setups``, lines or a function by name; ``supply``."""
    if not file.is_file():
        raise NotFound("no_such_file", file=str(file))
    try:
        said = runpy.run_path(str(file))
    except Exception as error:
        where = [
            each.lineno for each in extract_tb(error.__traceback__) if each.filename == str(file)
        ]
        line = where[-1] if where else getattr(error, "lineno", None) or 1
        problem = f"{type(error).__name__}: {error}"
        raise Misused("setups_broken", file=str(file), line=line, problem=problem) from error
    found: dict[str, Any] = {name: said[name] for name in ("setups", "supply") if name in said}
    if not found:
        raise Misused("setups_empty", file=str(file))
    return found


def draw(
    game: str,
    lines: Sequence[str] = (),
    *,
    output: Path,
    view: Annotated[str | None, Field(max_length=40)] = None,
    force: bool = False,
) -> int:
    """Write the picture of a game after some lines, of which nothing is kept."""
    from answers.context import Caller, open_store_context
    from answers.play.actions import log
    from answers.play.opening import NewAnswer, open_table
    from answers.review import import_export
    from referee.table.author import Author

    here = session()
    refuse_existing(output, force)
    engine = load_engine(game)
    usual = engine.opening.usual(engine.seats[0])
    opening, *played = lines if lines and lines[0].startswith("table ") else (usual, *lines)
    caller = Caller(open_store_context("memory:"), Author(role="judge"), here.voice)
    opened = open_table(caller, game, opening)
    if not isinstance(opened.data, NewAnswer):
        return here.answer(open_table, opened)
    table = opened.data.game
    if played and (logged := log(caller, table, played)).outcome != "done":
        return here.answer(log, logged)
    format = output.suffix.removeprefix(".")
    wanted = import_export.ExportOptions(view=view)
    made = import_export.export(caller, table, format, wanted)
    atomic_write(output, made.content)
    return here.answer(import_export.exported, import_export.exported(str(output), made.content))


def develop(game: str, *, port: Annotated[int, Field(ge=1, le=65535)] = 8420) -> int:
    """Serve a game that is being written, and start anew when it changes."""
    from cli.commands.serve import needs_web, serve_at
    from cli.dev_server import (
        changed_for,
        folder_of,
        start_anew_on_change,
        wait_for_change,
        written,
    )
    from cli.i18n import say, write

    needs_web()
    here = session(creates=True)
    folder = folder_of(package_of(game))
    before = written(folder)
    try:
        engine = load_engine(game)
        table = _table_of(here, game, engine.opening.usual(engine.seats[0]))
    except ParseError as error:
        if changed_for() is None:
            raise
        write([here.voice.spoken(error.phrase)])
        wait_for_change(folder, before)
    changed = changed_for()
    welcome = [say("welcome.changed", file=changed)] if changed is not None else None
    start_anew_on_change(folder, before)
    serve_at(here, port, f"to=/games/{table}/workbench", welcome)
    return 0


def _table_of(here: Session, game: str, line: str) -> str:
    """The last table of the game that is still played, or a new one."""
    from answers.play import info, opening

    for row in info.games(here.caller).data.games:
        if row.engine == game and not row.closed:
            return str(row.game)
    opened = opening.open_table(here.caller, game, line.removeprefix("table ")).data
    assert isinstance(opened, opening.NewAnswer)
    return opened.game


def new_engine(game: str, *, into: Path = Path(), hidden: bool = False) -> int:
    here = session()
    folder = into / game
    drafted = new_game.drafted(game, hidden=hidden)
    if folder.exists():
        raise Conflicting("file_exists", file=str(folder))
    for name, text in drafted.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(file, text.encode())
    files = [str(folder / name) for name in drafted]
    return here.answer(new_game.written, new_game.written(game, files))
