"""Every row of the table of commands: its function is there, and its spelling names parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import typer

from cli.command_builder import Command, CommandGroup, LazyGroup, does, named
from cli.command_table import TABLE
from cli.envelope import published, schema_of
from cli.main import app


def rows(
    commands: Mapping[str, Command | CommandGroup], *above: str
) -> Iterator[tuple[tuple[str, ...], Command]]:
    for name, row in commands.items():
        if isinstance(row, CommandGroup):
            yield from rows(row.commands, *above, name)
        else:
            yield (*above, name), row


ROWS = {" ".join(path): (path, row) for commands in TABLE.values() for path, row in rows(commands)}


def built(path: tuple[str, ...]) -> Any:
    command: Any = typer.main.get_command(app)
    for name in path:
        command = command.get_command(None, name)
    return command


@pytest.mark.parametrize("line", ROWS)
def test_every_row_is_a_command(line: str) -> None:
    path, _ = ROWS[line]
    command = built(path)
    assert command.name == path[-1]
    names = [param.name for param in command.params]
    assert len(names) == len(set(names))
    for param in command.params:
        spelt = [*param.opts, *param.secondary_opts]
        assert param.param_type_name == "argument" or all(word.startswith("-") for word in spelt)


@pytest.mark.parametrize("line", [line for line in ROWS if ROWS[line][1].function[:4] != "cli."])
def test_what_is_only_passed_on_is_the_answer_of_a_declared_operation(line: str) -> None:
    assert schema_of(named(ROWS[line][1].function)) in published()


@pytest.mark.parametrize(
    ("row", "error"),
    [
        (does("answers.play.lifecycle:hold", raeson="--why"), TypeError),
        (does("answers.play.lifecycle:hodl"), AttributeError),
        (does("answers.play.lifecycel:hold"), ModuleNotFoundError),
    ],
)
def test_a_row_with_a_slip_of_the_pen_is_no_command(row: Command, error: type[Exception]) -> None:
    group = LazyGroup()
    group.rows = CommandGroup({"hold": row})
    with pytest.raises(error):
        group.get_command(None, "hold")


def test_each_function_is_of_one_command() -> None:
    """What only passes on is a row; a function of its own that two commands share is none."""
    own = [row.function for _, row in ROWS.values() if row.function.startswith("cli.")]
    assert len(own) == len(set(own))
