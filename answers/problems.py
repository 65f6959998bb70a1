"""Errors as problem documents: kind, message key, facts and localised text, for every front end."""

from __future__ import annotations

import errno
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from answers.i18n import Voice
from engines.kernel import Flaw, ParseError, Spoken, Verbatim, to_plain
from engines.kernel.messages.errors import BadValue, MessageError, first_mistake
from engines.kernel.messages.unsafe_text import harmful_in
from engines.kernel.registry import game_at_fault
from referee import errors
from referee.record.game import RecordError
from referee.store.envelopes import StoreError
from referee.tournament.errors import NotPossible

Kind = Literal[
    "internal", "unreadable", "misused", "illegal", "not_found", "conflict", "unavailable",
    "invalid", "judge_needed", "role",
]  # fmt: skip
"""The category of a problem; each front end maps it to an exit code or an HTTP status."""

LONGEST_QUOTE = 60

_KINDS: tuple[tuple[type[MessageError], Kind], ...] = (
    (NotPossible, "conflict"),
    (errors.Misused, "misused"),
    (errors.NotFound, "not_found"),
    (errors.Conflicting, "conflict"),
    (errors.Illegal, "illegal"),
    (errors.Unfit, "invalid"),
    (errors.HeldUp, "judge_needed"),
    (errors.NotAllowed, "role"),
    (StoreError, "unavailable"),
    (RecordError, "invalid"),
    (Flaw, "invalid"),
    (ParseError, "unreadable"),
)

_EXCEPTIONS: dict[tuple[str, str], Kind] = {
    ("form", "unknown_game"): "not_found",
    ("form", "not_installed"): "not_found",
    ("form", "unknown_kit"): "not_found",
    ("form", "unknown_clause"): "not_found",
    ("flaw", "does_not_count"): "not_found",
    ("store", "name_empty"): "misused",
    ("store", "name_too_long"): "misused",
    ("store", "name_character"): "misused",
    ("store", "bad_url"): "misused",
    ("store", "missing_store"): "not_found",
    ("store", "not_a_database"): "invalid",
    ("store", "damaged"): "invalid",
    ("store", "names_unreadable"): "invalid",
    ("store", "not_an_entry"): "invalid",
    ("store", "not_canonical"): "invalid",
    ("store", "misplaced"): "invalid",
    ("store", "broken_chain"): "invalid",
    ("store", "altered"): "invalid",
    ("store", "added"): "invalid",
    ("store", "gap_inside"): "invalid",
    ("store", "entries_lost"): "invalid",
    ("store", "other_entries"): "invalid",
    ("store", "lists_know_more"): "invalid",
    ("store", "older_copy"): "invalid",
    ("store", "short_copy"): "invalid",
}
"""Single messages that mean something else than the others of their class."""

_TROUBLES = {
    errno.ENOENT: "missing",
    errno.EACCES: "denied",
    errno.EPERM: "denied",
    errno.EISDIR: "is_folder",
    errno.ENOTDIR: "not_a_folder",
    errno.ENOSPC: "disk_full",
    errno.EROFS: "read_only",
}


@dataclass(frozen=True)
class Problem:
    """``key`` stays the same whatever the language; ``facts`` are plain data."""

    kind: Kind
    key: str
    message: str
    facts: dict[str, Any] = field(default_factory=dict)


class Relayed(MessageError):
    """An error of the remote service, passed on in its own words."""

    group = "relayed"

    def __init__(self, problem: Problem, told: Sequence[str] = ()) -> None:
        super().__init__(problem.key, **problem.facts)
        self.problem = problem
        self.told = told
        """What was done before it went wrong."""


def kind_of(error: MessageError) -> Kind:
    usual = next(kind for known, kind in _KINDS if isinstance(error, known))
    return _EXCEPTIONS.get((error.group, error.key), usual)


def problem_of(error: BaseException, voice: Voice) -> Problem:
    """The problem behind an exception, localised."""
    if isinstance(error, Relayed):
        return error.problem
    if isinstance(error, BadValue):
        error = error.found
    if isinstance(error, Flaw) and not isinstance(error, RecordError):
        return Problem("invalid", "invalid", voice.spoken(error.phrase))
    if isinstance(error, MessageError):
        voice = voice.at(error.seats) if error.seats else voice
        facts = plain_facts(error.facts, voice)
        return Problem(kind_of(error), error.key, _message(error, voice), facts)
    if isinstance(error, OSError):
        return Problem("unavailable", "file", _file_trouble(error, voice))
    if isinstance(error, ValidationError):
        return Problem("unreadable", "bad_value", _bad_value(error, voice))
    if (fault := game_at_fault(error)) is not None:
        facts = {"game": fault[0], "place": fault[1], "error": type(error).__name__}
        message = voice.say("error.game_at_fault", **facts)
        return Problem("internal", "game_at_fault", message, facts)
    return Problem("internal", "internal", voice.say("error.internal", problem=_fault(error)))


def _message(error: MessageError, voice: Voice) -> str:
    if isinstance(error, RecordError):
        return voice.spoken(error.phrase)
    if isinstance(error, ParseError):
        said = _sentence(error, _named(error.facts, voice), voice)
        if "example" in error.facts:
            return voice.say("form.for_example", said=said, example=error.facts["example"])
        if "fits" in error.facts:
            return voice.say("form.here_fits", said=said, fits=error.facts["fits"])
        return said
    return _sentence(error, _with_problem_text(error.facts, voice), voice)


_COUNTED = ("seats", "actions")
"""Facts without which ``<key>_none`` is said: nobody to act, nothing to undo."""


def _sentence(error: MessageError, facts: Mapping[str, Any], voice: Voice) -> str:
    key = f"{error.group}.{error.key}"
    counted = [facts[name] for name in _COUNTED if name in facts]
    keys = [f"{key}_because"] if facts.get("reason") else []
    keys += [f"{key}_none", key] if counted and not any(counted) else [key]
    for words in (error.words, voice.words):
        if words is not None and (found := next((each for each in keys if each in words), None)):
            return words.naming(voice.names).say(found, voice.lang, **facts)
    told = ", ".join(f"{name}: {value}" for name, value in facts.items())
    return f"{error.key.replace('_', ' ')} ({told})" if told else error.key


def _with_problem_text(facts: Mapping[str, Any], voice: Voice) -> Mapping[str, Any]:
    """Facts with the problem of a record in words; what was typed stays."""
    facts = in_words(facts, voice)
    key = f"problem.{facts.get('problem')}"
    if key not in voice.words:
        return facts
    return {**facts, "problem": voice.say(key, **facts.get("facts", {}))}


_ROLES = ("role", "roles", "given", "view")


def in_words(facts: Mapping[str, Any], voice: Voice) -> dict[str, Any]:
    """Facts with the roles and views among them by their names."""
    return {**facts, **{name: _roles(facts[name], voice) for name in _ROLES if name in facts}}


def _roles(roles: Any, voice: Voice) -> Any:
    """Roles by their names in the language; what somebody typed stays."""
    if isinstance(roles, list | tuple):
        return [_roles(role, voice) for role in roles]
    if isinstance(roles, Verbatim):
        return roles
    kind, _, seat = str(roles).partition(":")
    key = f"access.role_{kind}" if seat or kind != "seat" else "access.role_any_seat"
    return Verbatim(voice.say(key, seat=Verbatim(seat))) if key in voice.words else roles


_TYPED = ("word", "expected", "near", "subject")
"""Facts of a bad form that are words of the notation."""


def _typed(words: Any) -> Any:
    if isinstance(words, str):
        return words if isinstance(words, Spoken) else Verbatim(words)
    return [_typed(word) for word in words]


def _named(facts: Mapping[str, Any], voice: Voice) -> Mapping[str, Any]:
    """Facts with the field in question by its name; what was typed stays."""
    facts = {**facts, **{name: _typed(facts[name]) for name in _TYPED if name in facts}}
    for key in (f"fact.{facts.get('field')}", f"argument.{facts.get('field')}"):
        if key in voice.words:
            return {**facts, "field": voice.say(key)}
    return facts


def plain_facts(facts: Mapping[str, Any], voice: Voice) -> dict[str, Any]:
    """Facts as JSON values; what JSON cannot express becomes text."""
    plain = {}
    for name, value in voice.facts(facts).items():
        try:
            plain[name] = to_plain(value)
        except TypeError:
            plain[name] = str(value)
    return plain


# what comes from the system and from models


def _file_trouble(error: OSError, voice: Voice) -> str:
    where = str(error.filename) if error.filename else voice.say("file.some")
    if error.errno in _TROUBLES:
        return voice.say(f"file.{_TROUBLES[error.errno]}", file=where)
    code = errno.errorcode.get(error.errno or 0, type(error).__name__)
    return voice.say("error.file", file=where, problem=code)


def _fault(error: BaseException) -> str:
    """A fault of the program by its kind and its place."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    if place is None:
        return type(error).__name__
    return (
        f"{type(error).__name__}, {Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"
    )


def _bad_value(error: ValidationError, voice: Voice) -> str:
    """The first thing that Pydantic found wrong."""
    first, wrong = error.errors()[0], first_mistake(error)
    if (code := harmful_in(first.get("input"))) is not None:
        return voice.say("form.control_character", code=code)
    if first["type"] == "string_too_long":
        limit = first["ctx"]["max_length"]
        return voice.say("form.text_too_long", field=wrong.place, limit=limit)
    if wrong.said is None:
        return voice.say("form.bad_parts", field=wrong.place, problem=wrong.problem)
    value = textwrap.shorten(wrong.said, LONGEST_QUOTE, placeholder="…")
    return voice.say("form.bad_value", field=wrong.place, value=value, problem=wrong.problem)
