"""Error handler of the program: prints an error and maps it to an exit code."""

from __future__ import annotations

import os
import sys
import traceback
from typing import TYPE_CHECKING

from typer import Abort, Exit

from cli.exit_codes import OF_PROBLEM
from cli.help_formatter import usage_sentence
from cli.i18n import voice, write_json

if TYPE_CHECKING:
    from answers.problems import Problem


def report(error: BaseException, as_json: bool, verbose: bool = False) -> int:
    """Print an error for people or as JSON; returns the exit code."""
    if isinstance(error, BrokenPipeError):
        return _quiet_pipe()
    if isinstance(error, SystemExit):
        if isinstance(error.__context__, BrokenPipeError):
            return _quiet_pipe()
        return error.code if isinstance(error.code, int) else 1
    if isinstance(error, KeyboardInterrupt | Abort):
        sys.stderr.write("\n")
        return 130
    if isinstance(error, Exit):
        return int(error.exit_code)
    if type(error).__name__ == "NoArgsIsHelpError" and not as_json:
        sys.stderr.write(f"{error}\n")
        return 2
    problem = describe(error)
    code = OF_PROBLEM[problem.kind]
    try:
        _print(problem, code, as_json)
    except OSError:
        _hush()
    if problem.kind == "internal" and verbose:
        traceback.print_exception(error)
    return code


def describe(error: BaseException) -> Problem:
    """The problem behind an exception, Typer's usage errors included."""
    from dataclasses import replace

    from answers.problems import Problem, Relayed, problem_of
    from referee.untrusted.optional_packages import how_to_add

    if hasattr(error, "format_message") and hasattr(error, "exit_code"):
        return Problem("misused", "usage", usage_sentence(error))
    problem = problem_of(error, voice())
    if problem.key in ("extra_missing", "not_available") and not isinstance(error, Relayed):
        command = how_to_add(problem.facts["extra"])
        return replace(problem, message=voice().labelled(problem.message, command))
    return problem


def _print(problem: Problem, code: int, as_json: bool) -> None:
    if as_json:
        body = {
            "code": problem.key,
            "exit": code,
            "message": problem.message,
            "facts": problem.facts,
        }
        envelope = {"ok": False, "schema": "referee/error@1", "error": body}
        write_json(envelope)
    else:
        from cli.hints import with_hint
        from engines.kernel.messages.unsafe_text import visible

        shown = visible(with_hint(problem, voice()), allowed="\n")
        sys.stderr.write(f"referee: {shown}\n")
        sys.stderr.flush()


def _quiet_pipe() -> int:
    """The reader has closed the pipe (``| head``): that is no error."""
    _hush()
    return 0


def _hush() -> None:
    """Redirect the output to the null device, so that flushing at exit does not fail again."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(devnull, stream.fileno())
