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


class Endpoint(NamedTuple):
    """``function`` is the one that a caller elsewhere asks here, below ``answers``."""

    method: Method
    path: str
    function: str = ""
    called: Mapping[str, str] = MappingProxyType({})
    """What its parameters are called in the request, where that is not their name."""


PLACES: dict[str, Endpoint] = {
    "join": Endpoint("POST", "/join", "admin.access:join", {"letters": "code"}),
    "access-who": Endpoint("GET", "/me", "admin.access:who"),
    "people-list": Endpoint("GET", "/people", "admin.people:people"),
    "people-show": Endpoint("GET", "/people/{person}", "admin.people:known", {"who": "person"}),
    "people-rename": Endpoint(
        "PATCH", "/people/{person}", "admin.people:rename", {"who": "person"}
    ),
    "people-erase": Endpoint("DELETE", "/people/{person}", "admin.people:erase"),
    "access-list": Endpoint("GET", "/access", "admin.access:granted"),
    "access-give": Endpoint("POST", "/access/tokens", "admin.access:give"),
    "access-code": Endpoint("POST", "/access/codes", "admin.access:code"),
    "access-revoke": Endpoint("DELETE", "/access/{token}", "admin.access:revoke", {"id": "token"}),
    "access-log": Endpoint("GET", "/access/log", "admin.access:admissions"),
    "game-rules": Endpoint("GET", "/games/{game}/access", "admin.access:rules", {"of": "game"}),
    "access-rules": Endpoint(
        "PATCH", "/games/{game}/access", "admin.access:set_rules", {"of": "game"}
    ),
    "tournament-rules": Endpoint(
        "PATCH", "/tournaments/{tournament}/access", "", {"of": "tournament"}
    ),
    "doctor": Endpoint("GET", "/doctor"),
    "games": Endpoint("GET", "/games", "play.info:games"),
    "new": Endpoint("POST", "/games", "play.opening:open_table", {"line": "table"}),
    "info": Endpoint("GET", "/games/{game}", "play.info:info"),
    "open": Endpoint("POST", "/games/{game}/visit", "play.opening:take_up"),
    "log": Endpoint("POST", "/games/{game}/actions", "play.actions:log"),
    "check": Endpoint("POST", "/games/{game}/check", "play.actions:check"),
    "check-position": Endpoint("POST", "/positions/check", "play.actions:check_position"),
    "trial": Endpoint("GET", "/games/{game}/trial", "play.analysis:trial"),
    "position-trial": Endpoint("POST", "/positions/trial", "play.analysis:position_trial"),
    "state": Endpoint("GET", "/games/{game}/state", "play.views:state"),
    "picture": Endpoint("GET", "/games/{game}/picture", "play.views:picture"),
    "position": Endpoint("GET", "/games/{game}/position", "play.views:position"),
    "options": Endpoint("GET", "/games/{game}/options", "play.views:options"),
    "choices": Endpoint("GET", "/games/{game}/choices", "play.views:choices"),
    "why": Endpoint("GET", "/games/{game}/why", "play.views:why", {"words": "line"}),
    "moves": Endpoint("GET", "/games/{game}/moves", "play.views:moves"),
    "diff": Endpoint("GET", "/games/{game}/diff", "play.views:diff"),
    "undo": Endpoint("POST", "/games/{game}/undo", "play.corrections:undo"),
    "redo": Endpoint("POST", "/games/{game}/redo", "play.corrections:redo"),
    "correct": Endpoint("POST", "/games/{game}/corrections", "play.corrections:correct"),
    "adjust": Endpoint("POST", "/games/{game}/adjustments", "play.corrections:adjust"),
    "confirm": Endpoint(
        "POST", "/games/{game}/confirmations", "play.confirmation:confirm", {"seq": "entry"}
    ),
    "finish": Endpoint("POST", "/games/{game}/finish", "play.lifecycle:finish"),
    "reopen": Endpoint("POST", "/games/{game}/reopen", "play.lifecycle:reopen"),
    "hold": Endpoint("POST", "/games/{game}/hold", "play.lifecycle:hold"),
    "resume": Endpoint("POST", "/games/{game}/resume", "play.lifecycle:resume"),
    "clock": Endpoint("GET", "/games/{game}/clock", "play.clocks:show_clock"),
    "clock-set": Endpoint("POST", "/games/{game}/clock", "play.clocks:set_clock"),
    "dispute-list": Endpoint("GET", "/games/{game}/disputes", "judge.disputes:disputes"),
    "dispute-calls": Endpoint("GET", "/calls", "judge.calls:calls"),
    "dispute-open": Endpoint("POST", "/games/{game}/disputes", "judge.disputes:dispute"),
    "dispute-show": Endpoint("GET", "/games/{game}/disputes/{dispute}", "judge.disputes:brief"),
    "dispute-picture": Endpoint(
        "GET", "/games/{game}/disputes/{dispute}/picture", "judge.disputes:brief_picture"
    ),
    "dispute-close": Endpoint(
        "POST", "/games/{game}/disputes/{dispute}/withdrawal", "judge.disputes:withdraw_dispute"
    ),
    "ruling-issue": Endpoint(
        "POST", "/games/{game}/rulings", "judge.rulings:rule", {"decision": "*"}
    ),
    "ruling-case": Endpoint("GET", "/games/{game}/rulings/{ruling}/case", "judge.rulings:case"),
    "ruling-list": Endpoint("GET", "/rulings", "judge.precedents:rulings"),
    "ruling-show": Endpoint(
        "GET", "/games/{game}/rulings/{ruling}", "judge.precedents:ruling", {"reference": "ruling"}
    ),
    "ruling-export": Endpoint("GET", "/rulings/book", "judge.precedents:book"),
    "ruling-import": Endpoint(
        "POST", "/rulings/book", "judge.precedents:take_over_book", {"book": "*"}
    ),
    "penalty-list": Endpoint("GET", "/games/{game}/penalties", "judge.rulings:penalties"),
    "penalty-add": Endpoint("POST", "/games/{game}/penalties", "judge.rulings:penalise"),
    "penalty-cancel": Endpoint(
        "POST", "/games/{game}/penalties/{penalty}/cancellation", "judge.rulings:cancel_penalty"
    ),
    "what-if": Endpoint("POST", "/games/{game}/what-if", "judge.what_if:what_if", {"other": "*"}),
    "what-if-all": Endpoint("POST", "/what-if", "judge.what_if:what_if_all", {"other": "*"}),
    "head": Endpoint("GET", "/games/{game}/head", "proof.signatures:head", {"stream": "game"}),
    "sign": Endpoint("POST", "/games/{game}/signatures"),
    "tournament-head": Endpoint(
        "GET", "/tournaments/{tournament}/head", "", {"stream": "tournament"}
    ),
    "tournament-sign": Endpoint("POST", "/tournaments/{tournament}/signatures"),
    "secret-list": Endpoint("GET", "/games/{game}/secrets", "proof.commitments:secrets"),
    "secret-seal": Endpoint("POST", "/games/{game}/secrets", "proof.commitments:seal_hashed"),
    "secret-open": Endpoint(
        "POST",
        "/games/{game}/secrets/{secret}/opening",
        "proof.commitments:open_sealed",
        {"seal_id": "secret", "secret": "*"},
    ),
    "verify": Endpoint("GET", "/games/{game}/verification"),
    "verify-all": Endpoint("GET", "/verification"),
    "verify-record": Endpoint("POST", "/verification"),
    "seal-make": Endpoint("POST", "/seals"),
    "seal-check": Endpoint("POST", "/seals/check"),
    "entries": Endpoint("GET", "/games/{game}/entries", "review.entries:entries"),
    "replay": Endpoint("GET", "/games/{game}/steps", "review.replay:replay"),
    "stats": Endpoint("GET", "/statistics", "review.stats:statistics", {"selection": "*"}),
    "stats-picture": Endpoint(
        "GET", "/statistics/picture", "review.stats:chart", {"selection": "*"}
    ),
    "note-list": Endpoint("GET", "/games/{game}/notes", "review.notes:notes"),
    "note-add": Endpoint(
        "POST", "/games/{game}/notes", "review.notes:add", {"where": "on", "annotation": "*"}
    ),
    "note-remove": Endpoint("POST", "/games/{game}/notes/{note}/removal", "review.notes:remove"),
    "note-search": Endpoint("GET", "/notes", "review.notes:search"),
    "move-search": Endpoint("GET", "/moves", "review.move_search:search"),
    "export": Endpoint(
        "GET", "/games/{game}/exports/{format}", "review.import_export:export", {"wanted": "*"}
    ),
    "import": Endpoint("POST", "/imports"),
    "engine-list": Endpoint("GET", "/engines"),
    "engine-info": Endpoint("GET", "/engines/{engine}"),
    "rules": Endpoint("GET", "/engines/{engine}/rules"),
    "readings": Endpoint("GET", "/engines/{engine}/readings"),
    "audits": Endpoint("GET", "/engines/{engine}/audits"),
    "kit-list": Endpoint("GET", "/kits"),
    "kit-show": Endpoint("GET", "/engines/{engine}/kits/{kit}"),
    "game-kit": Endpoint("GET", "/games/{game}/kit"),
    "kit-check": Endpoint("POST", "/kits/check"),
    "kit-box": Endpoint(
        "GET", "/engines/{engine}/box", "rulebooks.boxes:box", {"game": "engine", "name": "kit"}
    ),
    "kit-told": Endpoint(
        "POST",
        "/engines/{engine}/box",
        "rulebooks.boxes:tell",
        {"game": "engine", "name": "kit", "said": "data"},
    ),
    "kit-declare": Endpoint("POST", "/games/{game}/kit", "rulebooks.kits:declare"),
    "cases": Endpoint("POST", "/cases"),
    "schema": Endpoint("GET", "/schemas"),
    "schema-show": Endpoint("GET", "/schemas/{schema}"),
    "tournament-list": Endpoint("GET", "/tournaments", "tournament.lifecycle:tournaments"),
    "tournament-new": Endpoint("POST", "/tournaments", "tournament.lifecycle:create"),
    "tournament-import": Endpoint("POST", "/tournaments/import", "tournament.lifecycle:adopt_log"),
    "tournament-take": Endpoint("POST", "/tournaments/records", "tournament.lifecycle:take_record"),
    "tournament-info": Endpoint("GET", "/tournaments/{tournament}", "tournament.lifecycle:info"),
    "tournament-revise": Endpoint(
        "POST", "/tournaments/{tournament}/plan", "tournament.lifecycle:revise"
    ),
    "tournament-close": Endpoint(
        "POST", "/tournaments/{tournament}/close", "tournament.lifecycle:close"
    ),
    "tournament-reopen": Endpoint(
        "POST", "/tournaments/{tournament}/reopen", "tournament.lifecycle:reopen"
    ),
    "tournament-history": Endpoint(
        "GET", "/tournaments/{tournament}/history", "tournament.judging:history"
    ),
    "tournament-disputes": Endpoint(
        "GET", "/tournaments/{tournament}/disputes", "tournament.judging:disputes"
    ),
    "tournament-check": Endpoint(
        "GET", "/tournaments/{tournament}/check", "tournament.judging:check"
    ),
    "tournament-reading": Endpoint(
        "POST", "/tournaments/{tournament}/readings", "tournament.judging:rule_reading"
    ),
    "tournament-players": Endpoint(
        "GET", "/tournaments/{tournament}/players", "tournament.players:players"
    ),
    "tournament-register": Endpoint(
        "POST",
        "/tournaments/{tournament}/players",
        "tournament.players:register",
        {"entries": "players"},
    ),
    "tournament-register-list": Endpoint(
        "POST",
        "/tournaments/{tournament}/players/list",
        "tournament.players:register_list",
        {"listed": "*", "entries": "players"},
    ),
    "tournament-check-in": Endpoint(
        "POST", "/tournaments/{tournament}/players/check-in", "tournament.players:check_in"
    ),
    "tournament-late": Endpoint(
        "POST", "/tournaments/{tournament}/players/late", "tournament.players:come_late"
    ),
    "tournament-round-check-in": Endpoint(
        "POST", "/tournaments/{tournament}/round/check-in", "tournament.players:check_in_for_round"
    ),
    "tournament-edit": Endpoint(
        "POST", "/tournaments/{tournament}/players/edit", "tournament.players:edit"
    ),
    "tournament-unregister": Endpoint(
        "POST", "/tournaments/{tournament}/players/unregister", "tournament.players:unregister"
    ),
    "tournament-merge": Endpoint(
        "POST", "/tournaments/{tournament}/players/merge", "tournament.players:merge"
    ),
    "tournament-drop": Endpoint(
        "POST", "/tournaments/{tournament}/players/drop", "tournament.players:drop"
    ),
    "tournament-return": Endpoint(
        "POST", "/tournaments/{tournament}/players/return", "tournament.players:come_back"
    ),
    "tournament-bye": Endpoint(
        "POST", "/tournaments/{tournament}/players/bye", "tournament.players:ask_bye"
    ),
    "tournament-round": Endpoint(
        "GET", "/tournaments/{tournament}/round", "tournament.rounds:tables", {"number": "round"}
    ),
    "tournament-pair": Endpoint(
        "POST",
        "/tournaments/{tournament}/round/pairing",
        "tournament.rounds:pair",
        {"number": "round"},
    ),
    "tournament-explain": Endpoint(
        "POST",
        "/tournaments/{tournament}/round/pairing/explained",
        "tournament.rounds:pair_explained",
        {"number": "round"},
    ),
    "tournament-unpair": Endpoint(
        "POST", "/tournaments/{tournament}/round/pairing/withdrawal", "tournament.rounds:unpair"
    ),
    "tournament-swap": Endpoint(
        "POST",
        "/tournaments/{tournament}/round/swap",
        "tournament.rounds:swap_players",
        {"number": "round"},
    ),
    "tournament-move": Endpoint(
        "POST",
        "/tournaments/{tournament}/round/tables",
        "tournament.rounds:move_tables",
        {"number": "round"},
    ),
    "tournament-start": Endpoint(
        "POST",
        "/tournaments/{tournament}/round/start",
        "tournament.rounds:start",
        {"number": "round"},
    ),
    "tournament-unstart": Endpoint(
        "POST",
        "/tournaments/{tournament}/round/start/withdrawal",
        "tournament.rounds:unstart",
        {"number": "round"},
    ),
    "tournament-seat": Endpoint(
        "POST",
        "/tournaments/{tournament}/round/seating",
        "tournament.rounds:seat_together",
        {"number": "round"},
    ),
    "tournament-round-close": Endpoint(
        "POST",
        "/tournaments/{tournament}/round/close",
        "tournament.rounds:close",
        {"number": "round"},
    ),
    "tournament-round-reopen": Endpoint(
        "POST",
        "/tournaments/{tournament}/round/reopen",
        "tournament.rounds:reopen",
        {"number": "round"},
    ),
    "tournament-table": Endpoint(
        "POST",
        "/tournaments/{tournament}/tables/{table}",
        "tournament.results:open_table",
        {"number": "table", "line": "table"},
    ),
    "tournament-results": Endpoint(
        "POST", "/tournaments/{tournament}/results", "tournament.results:take_results"
    ),
    "tournament-result": Endpoint(
        "POST",
        "/tournaments/{tournament}/tables/{table}/result",
        "tournament.results:enter_result",
        {"slip": "*"},
    ),
    "tournament-correct": Endpoint(
        "POST",
        "/tournaments/{tournament}/tables/{table}/correction",
        "tournament.results:correct_result",
        {"slip": "*"},
    ),
    "tournament-report": Endpoint(
        "POST",
        "/tournaments/{tournament}/tables/{table}/report",
        "tournament.player_reports:report",
        {"slip": "*"},
    ),
    "tournament-call": Endpoint(
        "POST",
        "/tournaments/{tournament}/tables/{table}/call",
        "tournament.player_reports:call_judge",
    ),
    "tournament-call-answer": Endpoint(
        "POST",
        "/tournaments/{tournament}/calls/{number}/answer",
        "tournament.player_reports:answer_call",
    ),
    "tournament-invite": Endpoint(
        "POST", "/tournaments/{tournament}/players/invitations", "tournament.player_reports:invite"
    ),
    "tournament-result-list": Endpoint(
        "POST",
        "/tournaments/{tournament}/results/list",
        "tournament.results:enter_list",
        {"text": "lines"},
    ),
    "tournament-clock": Endpoint("GET", "/tournaments/{tournament}/clock", "tournament.clock:show"),
    "tournament-clock-start": Endpoint(
        "POST", "/tournaments/{tournament}/clock/start", "tournament.clock:start"
    ),
    "tournament-clock-pause": Endpoint(
        "POST", "/tournaments/{tournament}/clock/pause", "tournament.clock:pause"
    ),
    "tournament-clock-extend": Endpoint(
        "POST", "/tournaments/{tournament}/clock/extension", "tournament.clock:extend"
    ),
    "tournament-clock-stop": Endpoint(
        "POST", "/tournaments/{tournament}/clock/stop", "tournament.clock:stop"
    ),
    "tournament-standings": Endpoint(
        "GET", "/tournaments/{tournament}/standings", "tournament.standings:standings"
    ),
    "tournament-why": Endpoint(
        "GET",
        "/tournaments/{tournament}/standings/{player}",
        "tournament.standings:why",
        {"name": "player"},
    ),
    "tournament-bracket": Endpoint(
        "GET", "/tournaments/{tournament}/bracket", "tournament.standings:bracket"
    ),
    "tournament-finals": Endpoint(
        "POST", "/tournaments/{tournament}/finals", "tournament.standings:finals"
    ),
    "tournament-finals-cancel": Endpoint(
        "POST",
        "/tournaments/{tournament}/finals/cancellation",
        "tournament.standings:cancel_finals",
    ),
    "tournament-finalist": Endpoint(
        "POST",
        "/tournaments/{tournament}/finals/replacement",
        "tournament.standings:replace_finalist",
    ),
    "tournament-lot": Endpoint(
        "POST", "/tournaments/{tournament}/lots", "tournament.standings:draw_lot"
    ),
    "tournament-penalties": Endpoint(
        "GET", "/tournaments/{tournament}/penalties", "tournament.judging:penalties"
    ),
    "tournament-penalise": Endpoint(
        "POST", "/tournaments/{tournament}/penalties", "tournament.judging:penalise"
    ),
    "tournament-penalty-cancel": Endpoint(
        "POST",
        "/tournaments/{tournament}/penalties/{number}/cancellation",
        "tournament.judging:cancel_penalty",
    ),
    "tournament-paper": Endpoint(
        "GET",
        "/tournaments/{tournament}/papers/{paper}",
        "tournament.printing:printed",
        {"what": "paper"},
    ),
    "tournament-export": Endpoint(
        "GET", "/tournaments/{tournament}/exports/{format}", "tournament.printing:exported"
    ),
    "tournament-reveal": Endpoint(
        "POST", "/tournaments/{tournament}/deals", "tournament.printing:reveal_deal", {"deal": "*"}
    ),
}
"""Paths begin with ``/api/v1``."""
