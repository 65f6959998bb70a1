"""``referee cases``: run case files, print what differs."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from answers.rulebooks import cases as proven
from cli.session import session
from referee.cases.case_file import read_cases
from referee.errors import NotFound
from referee.untrusted.safe_toml import read_limited


class CaseCommands(TyperGroup):
    """A group whose only command may be left out: ``cases FILE`` runs the file."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        named = args[0] in self.list_commands(ctx)
        return super().resolve_command(ctx, args if named else ["run", *args])


app = typer.Typer(rich_markup_mode=None, no_args_is_help=True, cls=CaseCommands)


@app.callback()
def cases() -> None:
    """Cases are documented in docs/cases.md."""


@app.command()
def run(
    paths: Annotated[list[Path], typer.Argument()],
    coverage: Annotated[bool, typer.Option("--coverage")] = False,
) -> int:
    here = session()
    return here.answer(proven.run, proven.run(case_files(paths), here.voice, coverage=coverage))


def case_files(paths: Iterable[Path]) -> Iterator[proven.Named]:
    """The case files at these paths, and those in folders."""
    for path in _files(paths):
        yield proven.Named(path.name, read_cases(read_limited(path), str(path)))


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.toml"))
        elif path.is_file():
            yield path
        else:
            raise NotFound("no_such_file", file=str(path))
