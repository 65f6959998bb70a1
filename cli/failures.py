"""Errors as people and programs read them, and the exit code of each."""

from __future__ import annotations

import errno
import json
import os
import sys
import textwrap
from typing import TYPE_CHECKING, Any

from cli.speech import WORDS, language, say

if TYPE_CHECKING:
    from engines.kernel.words import Words

EXIT_CODES = {
    0: "done",
    1: "internal",
    2: "usage",
    3: "illegal",
    4: "not_found",
    5: "conflict",
    6: "invalid",
    7: "judge_needed",
    8: "role",
    130: "interrupted",
}

LONGEST_QUOTE = 60


class Answered(Exception):
    """The command has answered with something else than success."""

    def __init__(self, code: int) -> None:
        self.code = code


def report(error: BaseException, as_json: bool, verbose: bool = False) -> int:
    """Print what went wrong; the answer is the exit code."""
    if isinstance(error, Answered):
        return error.code
    if isinstance(error, BrokenPipeError):
        return _quiet_pipe()
    if isinstance(error, SystemExit):
        if isinstance(error.__context__, BrokenPipeError):
            return _quiet_pipe()
        return error.code if isinstance(error.code, int) else 1
    if isinstance(error, KeyboardInterrupt) or type(error).__name__ == "Abort":
        sys.stderr.write("\n")
        return 130
    if type(error).__name__ == "Exit":
        return int(getattr(error, "exit_code", 0))
    if type(error).__name__ == "NoArgsIsHelpError" and not as_json:
        sys.stderr.write(f"{error}\n")
        return 2
    code, key, message, facts = describe(error)
    if as_json:
        body = {"code": key, "exit": code, "message": message, "facts": _plain(facts)}
        envelope = {"ok": False, "schema": "referee/error@1", "error": body}
        sys.stdout.write(json.dumps(envelope, ensure_ascii=False) + "\n")
    else:
        sys.stderr.write(f"referee: {message}\n")
    if code == 1 and verbose:
        import traceback

        traceback.print_exception(error)
    return code


def describe(error: BaseException) -> tuple[int, str, str, dict[str, Any]]:
    """Exit code, key, sentence and facts of an error."""
    from engines.kernel import BadForm
    from referee.errors import RefereeError

    if isinstance(error, BadForm):
        said = _sentence(f"form.{error.key}", _named(error.facts), error.words)
        return 2, error.key, said, error.facts
    if isinstance(error, RefereeError):
        said = _sentence(f"error.{error.key}", _spoken(error.facts), error.words)
        return error.exit_code, error.key, said, error.facts
    if type(error).__name__ == "StoreError":
        facts = getattr(error, "facts", {})
        key = str(getattr(error, "code", "store"))
        return (
            6 if key in ("not_a_database", "altered") else 5,
            key,
            _sentence(f"store.{key}", facts),
            facts,
        )
    if hasattr(error, "format_message") and hasattr(error, "exit_code"):
        from cli.helping import usage_sentence

        return 2, "usage", usage_sentence(error), {}
    if type(error).__name__ == "RecordError":
        key, facts = str(getattr(error, "key", "")), getattr(error, "facts", {})
        return (
            4 if key == "does_not_count" else 6,
            key,
            _sentence(f"error.{key}", facts),
            facts,
        )
    if type(error).__name__ in ("UnreadableEntry", "CaseError", "UnsafeJson"):
        return 6, "invalid", str(error), {}
    if isinstance(error, OSError):
        return 5, "file", _file_trouble(error), {}
    if type(error).__name__ == "ValidationError" and hasattr(error, "errors"):
        return 2, "bad_value", _bad_value(error.errors()[0]), {}
    return 1, "internal", say("error.internal", problem=f"{type(error).__name__}: {error}"), {}


_TROUBLES = {
    errno.ENOENT: "missing",
    errno.EACCES: "denied",
    errno.EPERM: "denied",
    errno.EISDIR: "is_folder",
    errno.ENOTDIR: "not_a_folder",
    errno.ENOSPC: "disk_full",
    errno.EROFS: "read_only",
}


def _file_trouble(error: OSError) -> str:
    where = str(error.filename) if error.filename else say("file.output")
    if error.errno in _TROUBLES:
        return say(f"file.{_TROUBLES[error.errno]}", file=where)
    return say("error.file", file=where, problem=error.strerror or str(error))


def _bad_value(first: dict[str, Any]) -> str:
    """The first thing that Pydantic found wrong."""
    from engines.kernel.actions import control_in

    if (code := control_in(first.get("input"))) is not None:
        return say("form.control_character", code=code)
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] in ("string_too_long", "too_long"):
        return say("form.text_too_long", field=where, limit=first["ctx"]["max_length"])
    value = textwrap.shorten(str(first.get("input")), LONGEST_QUOTE, placeholder="…")
    return say("form.bad_value", field=where, value=value, problem=first["msg"])


def _spoken(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts with the problem of a record in words."""
    key = f"problem.{facts.get('problem')}"
    return {**facts, "problem": say(key, **facts.get("facts", {}))} if key in WORDS else facts


def _named(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts with the field in question by its name."""
    key = f"fact.{facts.get('field')}"
    return {**facts, "field": say(key)} if key in WORDS else facts


def _sentence(key: str, facts: dict[str, Any], words: Words | None = None) -> str:
    if words is not None and key in words:
        return words.say(key, language(), **facts)
    if key in WORDS:
        return say(key, **facts)
    told = ", ".join(f"{name}: {value}" for name, value in facts.items())
    return f"{key.partition('.')[2].replace('_', ' ')} ({told})" if told else key


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    from engines.kernel import to_plain

    plain = {}
    for name, value in facts.items():
        try:
            plain[name] = to_plain(value)
        except TypeError:
            plain[name] = str(value)
    return plain


def _quiet_pipe() -> int:
    """The reader has closed the pipe (``| head``): that is no error."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    return 0
