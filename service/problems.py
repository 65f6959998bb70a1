"""Problem documents (RFC 9457): what went wrong, for programs and in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Literal

from answers.i18n import Voice, answers_words, words_on_top
from answers.problems import Kind, Problem, in_words, kind_of, problem_of
from engines.kernel.messages.catalogue import Language
from engines.kernel.messages.errors import MessageError
from engines.kernel.registry import game_at_fault
from referee.store.envelopes import StoreError

DoorKind = Literal["unknown_visitor", "too_large", "too_often", "too_slow", "not_this_way"]

STATUSES: dict[Kind | DoorKind, int] = {
    "internal": 500,
    "unreadable": 400,
    "misused": 400,
    "illegal": 422,
    "not_found": 404,
    "conflict": 409,
    "unavailable": 503,
    "invalid": 400,
    "judge_needed": 409,
    "role": 403,
    "unknown_visitor": 401,
    "too_large": 413,
    "too_often": 429,
    "too_slow": 408,
    "not_this_way": 405,
}
"""HTTP status by kind of problem."""

MEDIA = "application/problem+json"
CATALOGUES = ("referee.season", "referee.tournament", "answers.tournament", "service")


class HttpRefusal(MessageError):
    """A request that is refused by the service itself, before any operation runs."""

    group = "door"

    def __init__(
        self,
        kind: Kind | DoorKind,
        key: str,
        headers: Mapping[str, str] | None = None,
        **facts: Any,
    ) -> None:
        super().__init__(key, **facts)
        self.kind = kind
        self.headers = dict(headers or {})


@cache
def voice_in(lang: Language) -> Voice:
    """The localiser for a language."""
    words = answers_words()
    for package in CATALOGUES:
        words = words_on_top(package, words)
    return Voice(lang, words, sentences=True)


def told(error: BaseException, voice: Voice) -> tuple[Kind | DoorKind, Problem]:
    """The kind of an error over HTTP, and its localised message."""
    if isinstance(error, HttpRefusal):
        message = _sentence(voice.say(f"door.{error.key}", **in_words(error.facts, voice)), voice)
        facts = {name: _plain(fact) for name, fact in error.facts.items()}
        return error.kind, Problem("misused", error.key, message, facts)
    problem = problem_of(error, voice)
    problem = replace(problem, message=_sentence(problem.message, voice))
    if isinstance(error, StoreError) and kind_of(error) in ("invalid", "not_found"):
        return "unavailable", problem  # our own store, not what the visitor has sent
    return problem.kind, problem


def fault(error: BaseException, id: str) -> HttpRefusal:
    """A fault as a client is told of it: the log has the rest. That of a game which is not ours is
    told with its place, for its author; never with its message, which may name a hidden card."""
    if (game := game_at_fault(error)) is None:
        return HttpRefusal("internal", "wrong", id=id)
    facts = {"game": game[0], "place": game[1], "error": type(error).__name__}
    return HttpRefusal("internal", "game_at_fault", None, **facts, id=id)


_WORD = re.compile(r"[^\W\d_]+(?=[\s,:’']|$)")
"""A word of a language at the beginning of a text, not an id or a line of a notation."""


def _sentence(message: str, voice: Voice) -> str:
    """A message as a page says it, with a capital and a full stop; a program prefixes its own."""
    if voice.program is not None or not message:
        return message
    begun = message[0].upper() + message[1:] if _WORD.match(message) else message
    return begun if begun[-1] in ".!?…:" else f"{begun}."


def _plain(fact: Any) -> str:
    return ", ".join(fact) if isinstance(fact, list) else str(fact)


def document(kind: Kind | DoorKind, problem: Problem, voice: Voice, **more: Any) -> dict[str, Any]:
    """The JSON of a problem document."""
    return {
        "type": f"/api/docs#{kind}",
        "title": voice.say(f"problem_title.{kind}"),
        "status": STATUSES[kind],
        "detail": problem.message,
        "code": problem.key,
        "facts": problem.facts,
        **more,
    }
