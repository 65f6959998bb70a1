"""Every operation by its name: what a command line calls it, and a schema.

The types of the answers are those that the functions say they return, so that the type
checker, the published schemas and the doors cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, get_args

from pydantic import TypeAdapter

OPERATIONS: dict[str, str] = {
    "new": "answers.play.opening:open_table",
    "open": "answers.play.opening:take_up",
    "log": "answers.play.logging:log",
    "check": "answers.play.logging:check_position",
    "state": "answers.play.looking:state",
    "options": "answers.play.looking:options",
    "why": "answers.play.looking:why",
    "moves": "answers.play.looking:moves",
    "diff": "answers.play.looking:diff",
    "info": "answers.play.info:info",
    "games": "answers.play.info:games",
    "undo": "answers.play.going_back:undo",
    "redo": "answers.play.going_back:redo",
    "correct": "answers.play.going_back:correct",
    "adjust": "answers.play.going_back:adjust",
    "finish": "answers.play.ending:finish",
    "reopen": "answers.play.ending:reopen",
    "hold": "answers.play.ending:hold",
    "resume": "answers.play.ending:resume",
    "dispute-open": "answers.judge.disputes:dispute",
    "dispute-close": "answers.judge.disputes:withdraw_dispute",
    "dispute-list": "answers.judge.disputes:disputes",
    "dispute-show": "answers.judge.disputes:brief",
    "ruling-issue": "answers.judge.rulings:rule",
    "ruling-list": "answers.judge.book:rulings",
    "ruling-show": "answers.judge.book:ruling",
    "ruling-import": "answers.judge.book:take_over_book",
    "penalty-add": "answers.judge.rulings:penalise",
    "penalty-cancel": "answers.judge.rulings:cancel_penalty",
    "penalty-list": "answers.judge.rulings:penalties",
    "what-if": "answers.judge.whatif:what_if",
    "head": "answers.proof.signing:head",
    "sign": "answers.proof.signing:sign",
    "keys-new": "answers.proof.signing:new_key",
    "keys-list": "answers.proof.signing:keys",
    "keys-show": "answers.proof.signing:key",
    "keys-trust": "answers.proof.signing:trust",
    "keys-revoke": "answers.proof.signing:revoke",
    "keys-import": "answers.proof.signing:take_keys",
    "secret-seal": "answers.proof.secrets:seal",
    "secret-open": "answers.proof.secrets:open_sealed",
    "secret-show": "answers.proof.secrets:show",
    "secret-list": "answers.proof.secrets:secrets",
    "seal-make": "answers.proof.seals:make",
    "seal-check": "answers.proof.seals:check",
    "verify": "answers.proof.verifying:verify",
    "written": "answers.written:written",
}
"""The name of an answer, and the function that gives it."""


def operation(name: str) -> Callable[..., Any]:
    module, _, function = OPERATIONS[name].partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


def answer_type(name: str) -> Any:
    """What the operation answers: one model, or a union with its refusals."""
    function = operation(name)
    answered = eval(function.__annotations__["return"], function.__globals__)
    return get_args(answered)[0]


def answer_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of an operation's data."""
    return TypeAdapter(answer_type(name)).json_schema(mode="serialization")
