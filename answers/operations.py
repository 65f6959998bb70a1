"""Every operation by its name: what a command line calls it, and a schema.

The types of the answers are those that the functions say they return, so that the type
checker, the published schemas and the doors cannot disagree. They stand beside the functions, or
in the module that theirs names as ``ANSWERS``.
"""

from __future__ import annotations

from importlib import import_module
from inspect import unwrap
from typing import Any, get_args

from pydantic import TypeAdapter

OPERATIONS: dict[str, str] = {
    "new": "answers.play.opening:open_table",
    "open": "answers.play.opening:take_up",
    "log": "answers.play.logging:log",
    "check": "answers.play.logging:check_position",
    "trial": "answers.play.trying:trial",
    "state": "answers.play.looking:state",
    "options": "answers.play.looking:options",
    "choices": "answers.play.looking:choices",
    "why": "answers.play.looking:why",
    "moves": "answers.play.looking:moves",
    "diff": "answers.play.looking:diff",
    "info": "answers.play.info:info",
    "games": "answers.play.info:games",
    "undo": "answers.play.going_back:undo",
    "redo": "answers.play.going_back:redo",
    "correct": "answers.play.going_back:correct",
    "adjust": "answers.play.going_back:adjust",
    "confirm": "answers.play.confirming:confirm",
    "finish": "answers.play.ending:finish",
    "reopen": "answers.play.ending:reopen",
    "hold": "answers.play.ending:hold",
    "resume": "answers.play.ending:resume",
    "clock": "answers.play.clocks:show_clock",
    "dispute-open": "answers.judge.disputes:dispute",
    "dispute-close": "answers.judge.disputes:withdraw_dispute",
    "dispute-list": "answers.judge.disputes:disputes",
    "dispute-show": "answers.judge.disputes:brief",
    "dispute-calls": "answers.judge.calls:calls",
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
    "note-add": "answers.review.notes:add",
    "note-remove": "answers.review.notes:remove",
    "note-list": "answers.review.notes:notes",
    "note-search": "answers.review.notes:search",
    "move-search": "answers.review.finding:search",
    "export": "answers.review.travelling:exported",
    "import": "answers.review.travelling:take_records",
    "entries": "answers.review.following:entries",
    "replay": "answers.review.replaying:replay",
    "stats": "answers.review.statistics:statistics",
    "gallery": "answers.review.gallery:written",
    "rules": "answers.rulebooks.rules:rules",
    "readings": "answers.rulebooks.rules:readings",
    "audits": "answers.rulebooks.rules:audits",
    "engine-list": "answers.rulebooks.rules:engines",
    "engine-info": "answers.rulebooks.rules:engine",
    "kit-list": "answers.rulebooks.kits:kits",
    "kit-show": "answers.rulebooks.kits:show",
    "kit-check": "answers.rulebooks.kits:check",
    "kit-declare": "answers.rulebooks.kits:declare",
    "kit-box": "answers.rulebooks.boxes:box",
    "kit-import": "answers.rulebooks.carrying:take_box",
    "kit-told": "answers.rulebooks.boxes:tell",
    "cases": "answers.rulebooks.cases:run",
    "people-list": "answers.house.people:people",
    "people-show": "answers.house.people:known",
    "people-rename": "answers.house.people:rename",
    "people-erase": "answers.house.people:erase",
    "access-list": "answers.house.access:granted",
    "access-give": "answers.house.access:give",
    "access-code": "answers.house.access:code",
    "access-revoke": "answers.house.access:revoke",
    "access-rules": "answers.house.access:set_rules",
    "access-who": "answers.house.access:who",
    "access-log": "answers.house.access:admissions",
    "backup": "answers.house.keeping:backup",
    "backup-rehearsed": "answers.house.keeping:rehearsed_backup",
    "restore": "answers.house.keeping:restore",
    "doctor": "answers.house.keeping:doctor",
    "store-init": "answers.house.stores:init",
    "store-check": "answers.house.stores:check",
    "store-copy": "answers.house.stores:copy",
    "schema": "answers.house.schemas:names",
    "tournament-told": "answers.tournament.running:create",
    "tournament-list": "answers.tournament.running:tournaments",
    "tournament-info": "answers.tournament.running:info",
    "tournament-history": "answers.tournament.judging:history",
    "tournament-disputes": "answers.tournament.judging:disputes",
    "tournament-check": "answers.tournament.judging:check",
    "tournament-players": "answers.tournament.players:players",
    "tournament-round": "answers.tournament.rounds:tables",
    "tournament-explain": "answers.tournament.rounds:pair_explained",
    "tournament-invite": "answers.tournament.phones:invite",
    "tournament-table": "answers.tournament.tables:open_table",
    "tournament-clock": "answers.tournament.clock:show",
    "tournament-finals": "answers.tournament.ranking:finals",
    "tournament-bracket": "answers.tournament.ranking:bracket",
    "tournament-standings": "answers.tournament.ranking:standings",
    "tournament-why": "answers.tournament.ranking:why",
    "tournament-penalties": "answers.tournament.judging:penalties",
    "written": "answers.written:written",
}
"""The name of an answer, and the function that gives it."""


def answer_type(function: str) -> Any:
    """What ``module:function`` answers: one model, or a union with its refusals."""
    module, _, name = function.partition(":")
    found = unwrap(getattr(import_module(module), name))
    types = found.__globals__
    if "ANSWERS" in types:
        types = {**types, **vars(import_module(types["ANSWERS"]))}
    answered = found.__annotations__["return"]
    if isinstance(answered, str):
        answered = eval(answered, types)
    return get_args(answered)[0]


def answer_schema(function: str) -> dict[str, Any]:
    """The JSON Schema of the data that ``module:function`` answers."""
    return TypeAdapter(answer_type(function)).json_schema(mode="serialization")
