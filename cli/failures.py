"""Errors as people and programs read them, and the exit code of each."""

from __future__ import annotations

import errno
import json
import os
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.speech import WORDS, facts_data, language, say, spoken, write

if TYPE_CHECKING:
    from engines.kernel import Flaw, Words

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
    try:
        if as_json:
            body = {"code": key, "exit": code, "message": message, "facts": _plain(facts)}
            envelope = {"ok": False, "schema": "referee/error@1", "error": body}
            write([json.dumps(envelope, ensure_ascii=False)])
        else:
            sys.stderr.write(f"referee: {_harmless(message)}\n")
            sys.stderr.flush()
    except OSError:
        _hush()
    if code == 1 and verbose:
        import traceback

        traceback.print_exception(error)
    return code


_BLANKS = "\n\u00a0\u202f"
"""Line ends and the spaces of French typography."""


def _harmless(message: str) -> str:
    """What somebody typed is repeated, but never obeyed by a terminal."""
    return "".join(
        sign if sign.isprintable() or sign in _BLANKS else f"<U+{ord(sign):04X}>"
        for sign in message
    )


def describe(error: BaseException) -> tuple[int, str, str, dict[str, Any]]:
    """Exit code, key, sentence and facts of an error."""
    from engines.kernel import BadForm, Flaw
    from referee.errors import RefereeError

    if isinstance(error, BadForm):
        said = _sentence(f"form.{error.key}", _named(error.facts), error.words)
        if "example" in error.facts:
            said = say("form.for_example", said=said, example=error.facts["example"])
        return _FORM_CODES.get(error.key, 2), error.key, said, error.facts
    if isinstance(error, RefereeError):
        said = _sentence(f"error.{error.key}", _spoken(error.facts), error.words)
        return error.exit_code, error.key, said, error.facts
    if type(error).__name__ == "StoreError":
        facts = getattr(error, "facts", {})
        key = str(getattr(error, "code", "store"))
        return (
            _STORE_CODES.get(key, 5),
            key,
            _sentence(f"store.{key}", facts),
            facts,
        )
    if hasattr(error, "format_message") and hasattr(error, "exit_code"):
        from cli.helping import usage_sentence

        return 2, "usage", usage_sentence(error), {}
    if isinstance(error, Flaw):
        return _flawed(error)
    if isinstance(error, OSError):
        return 5, "file", _file_trouble(error), {}
    if type(error).__name__ == "ValidationError" and hasattr(error, "errors"):
        return 2, "bad_value", _bad_value(error), {}
    return 1, "internal", say("error.internal", problem=_fault(error)), {}


def _flawed(error: Flaw) -> tuple[int, str, str, dict[str, Any]]:
    """Data that cannot be taken in; an entry that cannot follow is named by its own key."""
    if type(error).__name__ != "RecordError":
        return 6, "invalid", spoken(error.phrase), {}
    code = 4 if error.key == "does_not_count" else 6
    return code, error.key, spoken(error.phrase), error.facts


_FORM_CODES = {"unknown_game": 4, "unknown_kit": 4, "unknown_clause": 4}
"""Exit codes of words that were understood but name nothing."""

_STORE_CODES = {
    "name_empty": 2,
    "name_too_long": 2,
    "name_character": 2,
    "bad_url": 2,
    "missing_store": 4,
    "not_a_database": 6,
    "damaged": 6,
    "not_an_entry": 6,
    "not_canonical": 6,
    "misplaced": 6,
    "broken_chain": 6,
}
"""Exit codes of a store's errors, where it is not 5."""

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
    where = str(error.filename) if error.filename else say("file.some")
    if error.errno in _TROUBLES:
        return say(f"file.{_TROUBLES[error.errno]}", file=where)
    code = errno.errorcode.get(error.errno or 0, type(error).__name__)
    return say("error.file", file=where, problem=code)


def _fault(error: BaseException) -> str:
    """A fault of the program by its kind and its place; ``--verbose`` tells the rest."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    if place is None:
        return type(error).__name__
    return (
        f"{type(error).__name__}, {Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"
    )


def _bad_value(error: Any) -> str:
    """The first thing that Pydantic found wrong."""
    from engines.kernel.actions import control_in
    from engines.kernel.errors import first_mistake

    first, wrong = error.errors()[0], first_mistake(error)
    if (code := control_in(first.get("input"))) is not None:
        return say("form.control_character", code=code)
    if first["type"] in ("string_too_long", "too_long"):
        return say("form.text_too_long", field=wrong.place, limit=first["ctx"]["max_length"])
    value = textwrap.shorten(wrong.said, LONGEST_QUOTE, placeholder="…")
    return say("form.bad_value", field=wrong.place, value=value, problem=wrong.problem)


def _spoken(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts with the problem of a record in words; what was typed stays."""
    if "view" in facts:
        facts = {**facts, "view": _typed(facts["view"])}
    key = f"problem.{facts.get('problem')}"
    return {**facts, "problem": say(key, **facts.get("facts", {}))} if key in WORDS else facts


_TYPED = ("word", "expected", "near", "subject")
"""Facts of a bad form that are words of the notation."""


def _typed(words: Any) -> Any:
    from engines.kernel import Verbatim

    return Verbatim(words) if isinstance(words, str) else [Verbatim(word) for word in words]


def _named(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts with the field in question by its name; what was typed stays."""
    facts = {**facts, **{name: _typed(facts[name]) for name in _TYPED if name in facts}}
    for key in (f"fact.{facts.get('field')}", f"argument.{facts.get('field')}"):
        if key in WORDS:
            return {**facts, "field": say(key)}
    return facts


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
    for name, value in facts_data(facts).items():
        try:
            plain[name] = to_plain(value)
        except TypeError:
            plain[name] = str(value)
    return plain


def _quiet_pipe() -> int:
    """The reader has closed the pipe (``| head``): that is no error."""
    _hush()
    return 0


def _hush() -> None:
    """Nobody hears us any more: what is left in the buffers goes nowhere."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(devnull, stream.fileno())
