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
    "log": "answers.play.actions:log",
    "check": "answers.play.actions:check_position",
    "trial": "answers.play.analysis:trial",
    "state": "answers.play.views:state",
    "options": "answers.play.views:options",
    "choices": "answers.play.views:choices",
    "why": "answers.play.views:why",
    "moves": "answers.play.views:moves",
    "diff": "answers.play.views:diff",
    "info": "answers.play.info:info",
    "games": "answers.play.info:games",
    "undo": "answers.play.corrections:undo",
    "redo": "answers.play.corrections:redo",
    "correct": "answers.play.corrections:correct",
    "adjust": "answers.play.corrections:adjust",
    "confirm": "answers.play.confirmation:confirm",
    "finish": "answers.play.lifecycle:finish",
    "reopen": "answers.play.lifecycle:reopen",
    "hold": "answers.play.lifecycle:hold",
    "resume": "answers.play.lifecycle:resume",
    "clock": "answers.play.clocks:show_clock",
    "dispute-open": "answers.judge.disputes:dispute",
    "dispute-close": "answers.judge.disputes:withdraw_dispute",
    "dispute-list": "answers.judge.disputes:disputes",
    "dispute-show": "answers.judge.disputes:brief",
    "dispute-calls": "answers.judge.calls:calls",
    "ruling-issue": "answers.judge.rulings:rule",
    "ruling-list": "answers.judge.precedents:rulings",
    "ruling-show": "answers.judge.precedents:ruling",
    "ruling-import": "answers.judge.precedents:take_over_book",
    "penalty-add": "answers.judge.rulings:penalise",
    "penalty-cancel": "answers.judge.rulings:cancel_penalty",
    "penalty-list": "answers.judge.rulings:penalties",
    "what-if": "answers.judge.what_if:what_if",
    "head": "answers.proof.signatures:head",
    "sign": "answers.proof.signatures:sign",
    "keys-new": "answers.proof.signatures:new_key",
    "keys-list": "answers.proof.signatures:keys",
    "keys-show": "answers.proof.signatures:key",
    "keys-trust": "answers.proof.signatures:trust",
    "keys-revoke": "answers.proof.signatures:revoke",
    "keys-import": "answers.proof.signatures:take_keys",
    "secret-seal": "answers.proof.commitments:seal",
    "secret-open": "answers.proof.commitments:open_sealed",
    "secret-show": "answers.proof.commitments:show",
    "secret-list": "answers.proof.commitments:secrets",
    "seal-make": "answers.proof.round_seals:make",
    "seal-check": "answers.proof.round_seals:check",
    "verify": "answers.proof.verification:verify",
    "note-add": "answers.review.notes:add",
    "note-remove": "answers.review.notes:remove",
    "note-list": "answers.review.notes:notes",
    "note-search": "answers.review.notes:search",
    "move-search": "answers.review.move_search:search",
    "export": "answers.review.import_export:exported",
    "import": "answers.review.import_export:take_records",
    "entries": "answers.review.entries:entries",
    "replay": "answers.review.replay:replay",
    "stats": "answers.review.stats:statistics",
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
    "kit-import": "answers.rulebooks.box_exchange:take_box",
    "kit-told": "answers.rulebooks.boxes:tell",
    "cases": "answers.rulebooks.cases:run",
    "people-list": "answers.admin.people:people",
    "people-show": "answers.admin.people:known",
    "people-rename": "answers.admin.people:rename",
    "people-erase": "answers.admin.people:erase",
    "access-list": "answers.admin.access:granted",
    "access-give": "answers.admin.access:give",
    "access-code": "answers.admin.access:code",
    "access-revoke": "answers.admin.access:revoke",
    "access-rules": "answers.admin.access:set_rules",
    "access-who": "answers.admin.access:who",
    "access-log": "answers.admin.access:admissions",
    "backup": "answers.admin.maintenance:backup",
    "backup-rehearsed": "answers.admin.maintenance:rehearsed_backup",
    "restore": "answers.admin.maintenance:restore",
    "doctor": "answers.admin.maintenance:doctor",
    "store-init": "answers.admin.stores:init",
    "store-check": "answers.admin.stores:check",
    "store-copy": "answers.admin.stores:copy",
    "schema": "answers.admin.schemas:names",
    "tournament-told": "answers.tournament.lifecycle:create",
    "tournament-list": "answers.tournament.lifecycle:tournaments",
    "tournament-info": "answers.tournament.lifecycle:info",
    "tournament-history": "answers.tournament.judging:history",
    "tournament-disputes": "answers.tournament.judging:disputes",
    "tournament-check": "answers.tournament.judging:check",
    "tournament-players": "answers.tournament.players:players",
    "tournament-round": "answers.tournament.rounds:tables",
    "tournament-explain": "answers.tournament.rounds:pair_explained",
    "tournament-invite": "answers.tournament.player_reports:invite",
    "tournament-table": "answers.tournament.results:open_table",
    "tournament-clock": "answers.tournament.clock:show",
    "tournament-finals": "answers.tournament.standings:finals",
    "tournament-bracket": "answers.tournament.standings:bracket",
    "tournament-standings": "answers.tournament.standings:standings",
    "tournament-why": "answers.tournament.standings:why",
    "tournament-penalties": "answers.tournament.judging:penalties",
    "written": "answers.file_answers:written",
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
