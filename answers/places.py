"""Where each operation is reached over HTTP, and the function that answers it.

The service puts its routes there; a caller elsewhere finds them here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
WHOLE = "*"
"""Instead of a name: the fields of this argument are what is said."""


class Place(NamedTuple):
    """``function`` is the one that a caller elsewhere asks here, below ``answers``."""

    method: Method
    path: str
    function: str = ""
    called: Mapping[str, str] = MappingProxyType({})
    """What its parameters are called in the request, where that is not their name."""


PLACES: dict[str, Place] = {
    "join": Place("POST", "/join", "admin.access:join", {"letters": "code"}),
    "access-who": Place("GET", "/me", "admin.access:who"),
    "people-list": Place("GET", "/people", "admin.people:people"),
    "people-show": Place("GET", "/people/{person}", "admin.people:known", {"who": "person"}),
    "people-rename": Place("PATCH", "/people/{person}", "admin.people:rename", {"who": "person"}),
    "people-erase": Place("DELETE", "/people/{person}", "admin.people:erase"),
    "access-list": Place("GET", "/access", "admin.access:granted"),
    "access-give": Place("POST", "/access/tokens", "admin.access:give"),
    "access-code": Place("POST", "/access/codes", "admin.access:code"),
    "access-revoke": Place("DELETE", "/access/{token}", "admin.access:revoke", {"id": "token"}),
    "access-log": Place("GET", "/access/log", "admin.access:admissions"),
    "game-rules": Place("GET", "/games/{game}/access", "admin.access:rules", {"of": "game"}),
    "access-rules": Place(
        "PATCH", "/games/{game}/access", "admin.access:set_rules", {"of": "game"}
    ),
    "tournament-rules": Place(
        "PATCH", "/tournaments/{tournament}/access", "", {"of": "tournament"}
    ),
    "doctor": Place("GET", "/doctor"),
    "games": Place("GET", "/games", "play.info:games"),
    "new": Place("POST", "/games", "play.opening:open_table", {"line": "table"}),
    "info": Place("GET", "/games/{game}", "play.info:info"),
    "open": Place("POST", "/games/{game}/visit", "play.opening:take_up"),
    "log": Place("POST", "/games/{game}/actions", "play.actions:log"),
    "check": Place("POST", "/games/{game}/check", "play.actions:check"),
    "check-position": Place("POST", "/positions/check", "play.actions:check_position"),
    "trial": Place("GET", "/games/{game}/trial", "play.analysis:trial"),
    "position-trial": Place("POST", "/positions/trial", "play.analysis:position_trial"),
    "state": Place("GET", "/games/{game}/state", "play.views:state"),
    "picture": Place("GET", "/games/{game}/picture", "play.views:picture"),
    "position": Place("GET", "/games/{game}/position", "play.views:position"),
    "options": Place("GET", "/games/{game}/options", "play.views:options"),
    "choices": Place("GET", "/games/{game}/choices", "play.views:choices"),
    "why": Place("GET", "/games/{game}/why", "play.views:why", {"words": "line"}),
    "moves": Place("GET", "/games/{game}/moves", "play.views:moves"),
    "diff": Place("GET", "/games/{game}/diff", "play.views:diff"),
    "undo": Place("POST", "/games/{game}/undo", "play.corrections:undo"),
    "redo": Place("POST", "/games/{game}/redo", "play.corrections:redo"),
    "correct": Place("POST", "/games/{game}/corrections", "play.corrections:correct"),
    "adjust": Place("POST", "/games/{game}/adjustments", "play.corrections:adjust"),
    "confirm": Place(
        "POST", "/games/{game}/confirmations", "play.confirmation:confirm", {"seq": "entry"}
    ),
    "finish": Place("POST", "/games/{game}/finish", "play.lifecycle:finish"),
    "reopen": Place("POST", "/games/{game}/reopen", "play.lifecycle:reopen"),
    "hold": Place("POST", "/games/{game}/hold", "play.lifecycle:hold"),
    "resume": Place("POST", "/games/{game}/resume", "play.lifecycle:resume"),
    "clock": Place("GET", "/games/{game}/clock", "play.clocks:show_clock"),
    "clock-set": Place("POST", "/games/{game}/clock", "play.clocks:set_clock"),
    "dispute-list": Place("GET", "/games/{game}/disputes", "judge.disputes:disputes"),
    "dispute-calls": Place("GET", "/calls", "judge.calls:calls"),
    "dispute-open": Place("POST", "/games/{game}/disputes", "judge.disputes:dispute"),
    "dispute-show": Place("GET", "/games/{game}/disputes/{dispute}", "judge.disputes:brief"),
    "dispute-picture": Place(
        "GET", "/games/{game}/disputes/{dispute}/picture", "judge.disputes:brief_picture"
    ),
    "dispute-close": Place(
        "POST", "/games/{game}/disputes/{dispute}/withdrawal", "judge.disputes:withdraw_dispute"
    ),
    "ruling-issue": Place("POST", "/games/{game}/rulings", "judge.rulings:rule", {"decision": "*"}),
    "ruling-case": Place("GET", "/games/{game}/rulings/{ruling}/case", "judge.rulings:case"),
    "ruling-list": Place("GET", "/rulings", "judge.precedents:rulings"),
    "ruling-show": Place(
        "GET", "/games/{game}/rulings/{ruling}", "judge.precedents:ruling", {"reference": "ruling"}
    ),
    "ruling-export": Place("GET", "/rulings/book", "judge.precedents:book"),
    "ruling-import": Place("POST", "/rulings/book", "judge.precedents:take_over_book", {"book": "*"}),
    "penalty-list": Place("GET", "/games/{game}/penalties", "judge.rulings:penalties"),
    "penalty-add": Place("POST", "/games/{game}/penalties", "judge.rulings:penalise"),
    "penalty-cancel": Place(
        "POST", "/games/{game}/penalties/{penalty}/cancellation", "judge.rulings:cancel_penalty"
    ),
    "what-if": Place("POST", "/games/{game}/what-if", "judge.what_if:what_if", {"other": "*"}),
    "what-if-all": Place("POST", "/what-if", "judge.what_if:what_if_all", {"other": "*"}),
    "head": Place("GET", "/games/{game}/head", "proof.signatures:head", {"stream": "game"}),
    "sign": Place("POST", "/games/{game}/signatures"),
    "tournament-head": Place("GET", "/tournaments/{tournament}/head", "", {"stream": "tournament"}),
    "tournament-sign": Place("POST", "/tournaments/{tournament}/signatures"),
    "secret-list": Place("GET", "/games/{game}/secrets", "proof.commitments:secrets"),
    "secret-seal": Place("POST", "/games/{game}/secrets", "proof.commitments:seal_hashed"),
    "secret-open": Place(
        "POST",
        "/games/{game}/secrets/{secret}/opening",
        "proof.commitments:open_sealed",
        {"seal_id": "secret", "secret": "*"},
    ),
    "verify": Place("GET", "/games/{game}/verification"),
    "verify-all": Place("GET", "/verification"),
    "verify-record": Place("POST", "/verification"),
    "seal-make": Place("POST", "/seals"),
    "seal-check": Place("POST", "/seals/check"),
    "entries": Place("GET", "/games/{game}/entries", "review.entries:entries"),
    "replay": Place("GET", "/games/{game}/steps", "review.replay:replay"),
    "stats": Place("GET", "/statistics", "review.stats:statistics", {"selection": "*"}),
    "stats-picture": Place(
        "GET", "/statistics/picture", "review.stats:chart", {"selection": "*"}
    ),
    "note-list": Place("GET", "/games/{game}/notes", "review.notes:notes"),
    "note-add": Place(
        "POST", "/games/{game}/notes", "review.notes:add", {"where": "on", "annotation": "*"}
    ),
    "note-remove": Place("POST", "/games/{game}/notes/{note}/removal", "review.notes:remove"),
    "note-search": Place("GET", "/notes", "review.notes:search"),
    "move-search": Place("GET", "/moves", "review.move_search:search"),
    "export": Place(
        "GET", "/games/{game}/exports/{format}", "review.import_export:export", {"wanted": "*"}
    ),
    "import": Place("POST", "/imports"),
    "engine-list": Place("GET", "/engines"),
    "engine-info": Place("GET", "/engines/{engine}"),
    "rules": Place("GET", "/engines/{engine}/rules"),
    "readings": Place("GET", "/engines/{engine}/readings"),
    "audits": Place("GET", "/engines/{engine}/audits"),
    "kit-list": Place("GET", "/kits"),
    "kit-show": Place("GET", "/engines/{engine}/kits/{kit}"),
    "game-kit": Place("GET", "/games/{game}/kit"),
    "kit-check": Place("POST", "/kits/check"),
    "kit-box": Place(
        "GET", "/engines/{engine}/box", "rulebooks.boxes:box", {"game": "engine", "name": "kit"}
    ),
    "kit-told": Place(
        "POST",
        "/engines/{engine}/box",
        "rulebooks.boxes:tell",
        {"game": "engine", "name": "kit", "said": "data"},
    ),
    "kit-declare": Place("POST", "/games/{game}/kit", "rulebooks.kits:declare"),
    "cases": Place("POST", "/cases"),
    "schema": Place("GET", "/schemas"),
    "schema-show": Place("GET", "/schemas/{schema}"),
    "tournament-list": Place("GET", "/tournaments", "tournament.lifecycle:tournaments"),
    "tournament-new": Place("POST", "/tournaments", "tournament.lifecycle:create"),
    "tournament-import": Place("POST", "/tournaments/import", "tournament.lifecycle:adopt_log"),
    "tournament-take": Place("POST", "/tournaments/records", "tournament.lifecycle:take_record"),
    "tournament-info": Place("GET", "/tournaments/{tournament}", "tournament.lifecycle:info"),
    "tournament-revise": Place(
        "POST", "/tournaments/{tournament}/plan", "tournament.lifecycle:revise"
    ),
    "tournament-close": Place(
        "POST", "/tournaments/{tournament}/close", "tournament.lifecycle:close"
    ),
    "tournament-reopen": Place(
        "POST", "/tournaments/{tournament}/reopen", "tournament.lifecycle:reopen"
    ),
    "tournament-history": Place(
        "GET", "/tournaments/{tournament}/history", "tournament.judging:history"
    ),
    "tournament-disputes": Place(
        "GET", "/tournaments/{tournament}/disputes", "tournament.judging:disputes"
    ),
    "tournament-check": Place("GET", "/tournaments/{tournament}/check", "tournament.judging:check"),
    "tournament-reading": Place(
        "POST", "/tournaments/{tournament}/readings", "tournament.judging:rule_reading"
    ),
    "tournament-players": Place(
        "GET", "/tournaments/{tournament}/players", "tournament.players:players"
    ),
    "tournament-register": Place(
        "POST",
        "/tournaments/{tournament}/players",
        "tournament.players:register",
        {"entries": "players"},
    ),
    "tournament-register-list": Place(
        "POST",
        "/tournaments/{tournament}/players/list",
        "tournament.players:register_list",
        {"listed": "*", "entries": "players"},
    ),
    "tournament-check-in": Place(
        "POST", "/tournaments/{tournament}/players/check-in", "tournament.players:check_in"
    ),
    "tournament-late": Place(
        "POST", "/tournaments/{tournament}/players/late", "tournament.players:come_late"
    ),
    "tournament-round-check-in": Place(
        "POST", "/tournaments/{tournament}/round/check-in", "tournament.players:check_in_for_round"
    ),
    "tournament-edit": Place(
        "POST", "/tournaments/{tournament}/players/edit", "tournament.players:edit"
    ),
    "tournament-unregister": Place(
        "POST", "/tournaments/{tournament}/players/unregister", "tournament.players:unregister"
    ),
    "tournament-merge": Place(
        "POST", "/tournaments/{tournament}/players/merge", "tournament.players:merge"
    ),
    "tournament-drop": Place(
        "POST", "/tournaments/{tournament}/players/drop", "tournament.players:drop"
    ),
    "tournament-return": Place(
        "POST", "/tournaments/{tournament}/players/return", "tournament.players:come_back"
    ),
    "tournament-bye": Place(
        "POST", "/tournaments/{tournament}/players/bye", "tournament.players:ask_bye"
    ),
    "tournament-round": Place(
        "GET", "/tournaments/{tournament}/round", "tournament.rounds:tables", {"number": "round"}
    ),
    "tournament-pair": Place(
        "POST",
        "/tournaments/{tournament}/round/pairing",
        "tournament.rounds:pair",
        {"number": "round"},
    ),
    "tournament-explain": Place(
        "POST",
        "/tournaments/{tournament}/round/pairing/explained",
        "tournament.rounds:pair_explained",
        {"number": "round"},
    ),
    "tournament-unpair": Place(
        "POST", "/tournaments/{tournament}/round/pairing/withdrawal", "tournament.rounds:unpair"
    ),
    "tournament-swap": Place(
        "POST",
        "/tournaments/{tournament}/round/swap",
        "tournament.rounds:swap_players",
        {"number": "round"},
    ),
    "tournament-move": Place(
        "POST",
        "/tournaments/{tournament}/round/tables",
        "tournament.rounds:move_tables",
        {"number": "round"},
    ),
    "tournament-start": Place(
        "POST",
        "/tournaments/{tournament}/round/start",
        "tournament.rounds:start",
        {"number": "round"},
    ),
    "tournament-unstart": Place(
        "POST",
        "/tournaments/{tournament}/round/start/withdrawal",
        "tournament.rounds:unstart",
        {"number": "round"},
    ),
    "tournament-seat": Place(
        "POST",
        "/tournaments/{tournament}/round/seating",
        "tournament.rounds:seat_together",
        {"number": "round"},
    ),
    "tournament-round-close": Place(
        "POST",
        "/tournaments/{tournament}/round/close",
        "tournament.rounds:close",
        {"number": "round"},
    ),
    "tournament-round-reopen": Place(
        "POST",
        "/tournaments/{tournament}/round/reopen",
        "tournament.rounds:reopen",
        {"number": "round"},
    ),
    "tournament-table": Place(
        "POST",
        "/tournaments/{tournament}/tables/{table}",
        "tournament.results:open_table",
        {"number": "table", "line": "table"},
    ),
    "tournament-results": Place(
        "POST", "/tournaments/{tournament}/results", "tournament.results:take_results"
    ),
    "tournament-result": Place(
        "POST",
        "/tournaments/{tournament}/tables/{table}/result",
        "tournament.results:enter_result",
        {"slip": "*"},
    ),
    "tournament-correct": Place(
        "POST",
        "/tournaments/{tournament}/tables/{table}/correction",
        "tournament.results:correct_result",
        {"slip": "*"},
    ),
    "tournament-report": Place(
        "POST",
        "/tournaments/{tournament}/tables/{table}/report",
        "tournament.player_reports:report",
        {"slip": "*"},
    ),
    "tournament-call": Place(
        "POST", "/tournaments/{tournament}/tables/{table}/call", "tournament.player_reports:call_judge"
    ),
    "tournament-call-answer": Place(
        "POST",
        "/tournaments/{tournament}/calls/{number}/answer",
        "tournament.player_reports:answer_call",
    ),
    "tournament-invite": Place(
        "POST", "/tournaments/{tournament}/players/invitations", "tournament.player_reports:invite"
    ),
    "tournament-result-list": Place(
        "POST",
        "/tournaments/{tournament}/results/list",
        "tournament.results:enter_list",
        {"text": "lines"},
    ),
    "tournament-clock": Place("GET", "/tournaments/{tournament}/clock", "tournament.clock:show"),
    "tournament-clock-start": Place(
        "POST", "/tournaments/{tournament}/clock/start", "tournament.clock:start"
    ),
    "tournament-clock-pause": Place(
        "POST", "/tournaments/{tournament}/clock/pause", "tournament.clock:pause"
    ),
    "tournament-clock-extend": Place(
        "POST", "/tournaments/{tournament}/clock/extension", "tournament.clock:extend"
    ),
    "tournament-clock-stop": Place(
        "POST", "/tournaments/{tournament}/clock/stop", "tournament.clock:stop"
    ),
    "tournament-standings": Place(
        "GET", "/tournaments/{tournament}/standings", "tournament.standings:standings"
    ),
    "tournament-why": Place(
        "GET",
        "/tournaments/{tournament}/standings/{player}",
        "tournament.standings:why",
        {"name": "player"},
    ),
    "tournament-bracket": Place(
        "GET", "/tournaments/{tournament}/bracket", "tournament.standings:bracket"
    ),
    "tournament-finals": Place(
        "POST", "/tournaments/{tournament}/finals", "tournament.standings:finals"
    ),
    "tournament-finals-cancel": Place(
        "POST", "/tournaments/{tournament}/finals/cancellation", "tournament.standings:cancel_finals"
    ),
    "tournament-finalist": Place(
        "POST",
        "/tournaments/{tournament}/finals/replacement",
        "tournament.standings:replace_finalist",
    ),
    "tournament-lot": Place(
        "POST", "/tournaments/{tournament}/lots", "tournament.standings:draw_lot"
    ),
    "tournament-penalties": Place(
        "GET", "/tournaments/{tournament}/penalties", "tournament.judging:penalties"
    ),
    "tournament-penalise": Place(
        "POST", "/tournaments/{tournament}/penalties", "tournament.judging:penalise"
    ),
    "tournament-penalty-cancel": Place(
        "POST",
        "/tournaments/{tournament}/penalties/{number}/cancellation",
        "tournament.judging:cancel_penalty",
    ),
    "tournament-paper": Place(
        "GET",
        "/tournaments/{tournament}/papers/{paper}",
        "tournament.printing:printed",
        {"what": "paper"},
    ),
    "tournament-export": Place(
        "GET", "/tournaments/{tournament}/exports/{format}", "tournament.printing:exported"
    ),
    "tournament-reveal": Place(
        "POST", "/tournaments/{tournament}/deals", "tournament.printing:reveal_deal", {"deal": "*"}
    ),
}
"""Paths begin with ``/api/v1``."""
