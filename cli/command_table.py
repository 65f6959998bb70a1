"""Every command: which function it runs, and how its options are spelt where that is not usual.

A function of ``answers`` is an operation to which the command only passes on what was typed.
"""

from __future__ import annotations

from cli.command_builder import Command, CommandGroup, does, records

_SLIP = {"places": "places", "scores": "score --score", "measures": "measure --measure"}
"""How a result is written down."""

TOURNAMENT = CommandGroup(
    options=does("cli.tournament.context:choose_tournament", tournament="-t --tournament"),
    catalogues=("referee.tournament", "answers.tournament", "cli.tournament"),
    commands={
        "new": records("cli.tournament.lifecycle:new", game="--of"),
        "list": does("cli.tournament.lifecycle:list_tournaments"),
        "open": does("cli.tournament.lifecycle:open_tournament"),
        "info": does("answers.tournament.lifecycle:info", at=""),
        "revise": records("cli.tournament.lifecycle:revise"),
        "picture": does("cli.tournament.lifecycle:picture"),
        "pair": records("cli.tournament.rounds:pair", explained="--explain"),
        "unpair": does("answers.tournament.rounds:unpair"),
        "swap": does("answers.tournament.rounds:swap_players", number="--round"),
        "seat": does("answers.tournament.rounds:seat_together", names="name", number="--round"),
        "move": does(
            "answers.tournament.rounds:move_tables",
            moves="move @cli.tournament.rounds:read_move",
            number="--round",
        ),
        "tables": does("answers.tournament.rounds:tables", player=""),
        "start": does("answers.tournament.rounds:start", with_clock="--clock"),
        "table": records("cli.tournament.results:table"),
        "result": Command("cli.tournament.results:result", _SLIP, keyed=True),
        "results": records("cli.tournament.results:results"),
        "correct": Command("cli.tournament.results:correct", _SLIP, keyed=True),
        "report": Command(
            "answers.tournament.player_reports:report", {**_SLIP, "tie_order": "", "anyway": ""}
        ),
        "call": does("answers.tournament.player_reports:call_judge", text="-m --text"),
        "attend": does("answers.tournament.player_reports:take_call"),
        "answer": does("answers.tournament.player_reports:answer_call", text="-m --text"),
        "invite": does("answers.tournament.player_reports:invite", names="name", keyed=False),
        "desk": does("cli.tournament.shell:desk"),
        "standings": does(
            "cli.tournament.ranking:show_standings", through="--round", why_player="--why"
        ),
        "prizes": records("cli.tournament.ranking:show_or_declare"),
        "boards": does("answers.tournament.teams:boards"),
        "bracket": does("answers.tournament.bracket:bracket"),
        "finals": records("cli.tournament.ranking:finals"),
        "lot": records("cli.tournament.ranking:lot"),
        "broadcast": does("answers.tournament.broadcast:broadcast", number="round --round"),
        "feature": does(
            "answers.tournament.broadcast:feature", tables="table", number="round --round"
        ),
        "schedule": records("cli.tournament.broadcast:schedule"),
        "comment": does("answers.tournament.broadcast:comment", number="round --round"),
        "announce": does("answers.tournament.broadcast:announce"),
        "wall": records("cli.tournament.broadcast:wall", paused="--pause"),
        "disputes": does("answers.tournament.judging:disputes"),
        "reading": records("cli.tournament.judging:reading", game="--of"),
        "check": does("answers.tournament.judging:check"),
        "history": does("cli.tournament.judging:history"),
        "head": does("cli.commands.proof:tournament_head"),
        "sign": does("cli.commands.proof:sign_tournament"),
        "verify": does("cli.commands.proof:verify_tournament"),
        "zones": records("cli.tournament.rounds:zones"),
        "hall": records("cli.tournament.rounds:hall"),
        "print": does("cli.tournament.papers:print_paper"),
        "export": does("cli.tournament.papers:export", of="--list", to_pair="--next"),
        "import": records("cli.tournament.papers:import_log", game="--of"),
        "close": does("answers.tournament.lifecycle:close"),
        "reopen": does("answers.tournament.lifecycle:reopen"),
        "players": CommandGroup(
            {
                "add": records("cli.tournament.players:add"),
                "import": records("cli.tournament.players:import_players"),
                "checkin": records("cli.tournament.players:checkin"),
                "late": records("cli.tournament.players:late"),
                "edit": does(
                    "answers.tournament.players:edit",
                    sections="section --section @cli.tournament.players:read_sections",
                ),
                "seed": does("answers.tournament.players:seed"),
                "fee": does(
                    "answers.tournament.players:mark_fee", names="name", paid="unpaid --unpaid"
                ),
                "unregister": does("answers.tournament.players:unregister"),
                "merge": does("answers.tournament.players:merge"),
                "drop": does("answers.tournament.players:drop"),
                "return": records("cli.tournament.players:come_back"),
                "bye": records("cli.tournament.players:bye"),
                "byes": records("cli.tournament.players:byes"),
                "from": does("answers.tournament.players:qualify", top="--top"),
                "list": does("answers.tournament.players:players"),
            }
        ),
        "team": CommandGroup(
            {
                "set": does("answers.tournament.teams:set_team", members="[name]"),
                "show": does("answers.tournament.teams:teams", team="{team}"),
                "line-up": records("cli.tournament.players:line_up"),
                "due": does(
                    "answers.tournament.teams:set_line_ups_due",
                    until="[until] @cli.tournament.broadcast:read_time",
                ),
                "list": does("answers.tournament.teams:teams", team=""),
            }
        ),
        "registration": CommandGroup(
            {
                "show": does("answers.tournament.registration:registration"),
                "open": records("cli.tournament.players:open_registration"),
                "close": records("cli.tournament.players:close_registration"),
                "move-up": does("answers.tournament.registration:move_up"),
            }
        ),
        "round": CommandGroup(
            {
                "close": does("answers.tournament.rounds:close"),
                "reopen": does("answers.tournament.rounds:reopen"),
                "unstart": does("answers.tournament.rounds:unstart", number="number"),
            }
        ),
        "clock": CommandGroup(
            {
                "start": does(
                    "answers.tournament.clock:start", at="--at @cli.tournament.broadcast:read_time"
                ),
                "pause": does("answers.tournament.clock:pause"),
                "extend": records("cli.tournament.rounds:extend_clock"),
                "stop": does("answers.tournament.clock:stop"),
                "show": does("answers.tournament.clock:show"),
            }
        ),
        "penalty": CommandGroup(
            {
                "add": records("cli.tournament.judging:add_penalty", infringement="--for"),
                "next": does("answers.tournament.judging:next_penalty", infringement="--for"),
                "cancel": does("answers.tournament.judging:cancel_penalty"),
                "list": does("answers.tournament.judging:penalties", name="name"),
            }
        ),
        "apart": CommandGroup(
            {
                "add": does("answers.tournament.apart:keep_apart", names="name"),
                "cancel": does("answers.tournament.apart:meet_again"),
                "list": does("answers.tournament.apart:apart"),
            }
        ),
        "deal": CommandGroup(
            {
                "make": does("cli.tournament.papers:make_deal", game="--of"),
                "print": does("cli.tournament.papers:print_deal"),
                "reveal": does(
                    "answers.tournament.printing:reveal_deal",
                    deal="file @cli.tournament.plan:read_deal",
                ),
            }
        ),
    },
)

SEASON = CommandGroup(
    options=does("cli.tournament.context:choose_season", season="-s --season"),
    catalogues=("referee.season", "referee.tournament", "answers.tournament"),
    commands={
        "new": records("cli.commands.season:new"),
        "list": does("cli.commands.season:list_seasons"),
        "open": does("cli.commands.season:open_season"),
        "info": does("answers.season.lifecycle:info"),
        "revise": records("cli.commands.season:revise"),
        "add": does("answers.season.lifecycle:add_event"),
        "remove": does("answers.season.lifecycle:remove_event"),
        "standings": does("answers.season.tables:standings"),
        "ratings": does("answers.season.tables:ratings"),
        "player": does("answers.season.tables:player"),
        "export": does("cli.commands.season:export"),
        "players": CommandGroup(
            {
                "add": does("answers.season.lifecycle:list_players", names="name"),
                "remove": does("answers.season.lifecycle:unlist_player", player="name"),
                "team": does("answers.season.lifecycle:name_team", players="name"),
                "merge": does("answers.season.lifecycle:merge", player="name"),
            }
        ),
    },
)

TABLE: dict[str, dict[str, Command | CommandGroup]] = {
    "play": {
        "new": records("cli.commands.game:new", player="-p --player"),
        "branch": records("cli.commands.game:branch"),
        "games": does(
            "cli.commands.games:games",
            open_only="--open",
            done_only="--done",
            closed="",
            engine="of --of",
        ),
        "open": does("cli.commands.game:open_game"),
        "info": does("answers.play.info:info"),
        "log": records("cli.commands.actions:log", takes_lines=True),
        "play": does("cli.commands.play:play"),
        "check": does("cli.commands.actions:check", takes_lines=True),
        "state": does("cli.commands.views:state"),
        "options": does("cli.commands.views:options", takes_lines=True),
        "why": does("cli.commands.views:why", takes_lines=True),
        "could-hold": does("answers.play.could_hold:could_hold", thing="thing..."),
        "moves": does("cli.commands.views:moves", start="--from"),
        "diff": does("cli.commands.views:diff"),
        "undo": does("answers.play.corrections:undo"),
        "redo": does("answers.play.corrections:redo"),
        "correct": records(
            "cli.commands.corrections:correct", takes_lines=True, back="--undo", seats="-p --player"
        ),
        "adjust": records("cli.commands.corrections:adjust"),
        "confirm": does("answers.play.confirmation:confirm"),
        "finish": records("cli.commands.game:finish"),
        "reopen": does("answers.play.lifecycle:reopen"),
        "clock": records("cli.commands.game:clock", calls="--judge"),
    },
    "rules": {
        "rules": does("cli.commands.rulebooks:rules"),
        "kit": CommandGroup(
            {
                "list": does("answers.rulebooks.kits:kits"),
                "show": does("cli.commands.kit:show"),
                "check": does("cli.commands.kit:check"),
                "declare": records("cli.commands.kit:declare", source="-m --source"),
                "make": does("cli.commands.kit:make"),
                "tell": does(
                    "answers.rulebooks.boxes:tell",
                    keyed=False,
                    creates=True,
                    data="[data] @cli.commands.kit:read_data",
                    chosen="",
                    source="-m --source",
                ),
                "photo": does("cli.commands.kit:photo"),
                "wording": does("cli.commands.kit:wording"),
                "export": does("cli.commands.kit:export"),
                "sign": does("cli.commands.kit:sign", key_name="--key"),
                "csv": does("cli.commands.kit:csv"),
                "import": does("cli.commands.kit:import_box"),
                "key": does("cli.commands.kit:key"),
                "sheet": does("cli.commands.kit:sheet"),
            }
        ),
        "engine": CommandGroup(
            {
                "list": does("answers.rulebooks.rules:engines"),
                "info": does("answers.rulebooks.rules:engine"),
                "check": does("cli.commands.rulebooks:check_engine"),
                "dev": does("cli.commands.rulebooks:develop"),
                "draw": does("cli.commands.rulebooks:draw", output="-o --output"),
                "new": does("cli.commands.rulebooks:new_engine"),
            }
        ),
        "cases": CommandGroup({"run": does("cli.commands.rulebooks:run_cases")}, usual="run"),
    },
    "judge": {
        "dispute": CommandGroup(
            {
                "open": does(
                    "answers.judge.disputes:dispute",
                    text="-m --text",
                    seat="by --by",
                    holds="hold --hold",
                ),
                "list": does("answers.judge.disputes:disputes", open_only="--open"),
                "calls": does("answers.judge.calls:calls"),
                "attend": records("cli.commands.judging:attend"),
                "close": does("answers.judge.disputes:withdraw_dispute", dispute_id="dispute"),
                "show": does("cli.commands.judging:show_dispute"),
            }
        ),
        "ruling": CommandGroup(
            {
                "issue": records("cli.commands.judging:issue_ruling", case="--save-case"),
                "list": does("answers.judge.precedents:rulings", game="of --of"),
                "show": does("cli.commands.judging:show_ruling"),
                "export": does("cli.commands.judging:export_rulings"),
                "import": does(
                    "answers.judge.precedents:take_over_book",
                    keyed=False,
                    creates=True,
                    book="file @referee.archive.precedents:read_book_file",
                ),
                "save-case": does("cli.commands.judging:save_case"),
            }
        ),
        "penalty": CommandGroup(
            {
                "add": does("answers.judge.rulings:penalise"),
                "cancel": does("answers.judge.rulings:cancel_penalty", penalty_id="penalty"),
                "guide": does("answers.judge.rulings:penalty_guide"),
                "list": does("answers.judge.rulings:penalties"),
            }
        ),
        "what-if": does("cli.commands.judging:what_if"),
        "head": does("answers.proof.signatures:head"),
        "sign": does("cli.commands.proof:sign"),
        "secret": CommandGroup(
            {
                "seal": does("answers.proof.commitments:seal"),
                "open": records("cli.commands.proof:open_secret"),
                "show": does("answers.proof.commitments:show", seal_id="secret"),
                "list": does("answers.proof.commitments:secrets"),
            }
        ),
        "seal": CommandGroup(
            {
                "make": does("cli.commands.proof:seal_round", key="--key"),
                "check": does("cli.commands.proof:check_seal"),
            }
        ),
        "keys": CommandGroup(
            {
                "new": does("cli.commands.proof:new_key"),
                "list": does("answers.proof.signatures:keys"),
                "show": does("answers.proof.signatures:key"),
                "trust": does("answers.proof.signatures:trust", public="key"),
                "revoke": does("cli.commands.proof:revoke_key"),
                "export": does("cli.commands.proof:export_keys"),
                "import": does("cli.commands.proof:import_keys"),
            }
        ),
        "see": does("cli.commands.sight:see"),
        "hold": does("answers.play.lifecycle:hold"),
        "resume": does("answers.play.lifecycle:resume"),
    },
    "review": {
        "export": does("cli.commands.import_export:export", processes="", progress=""),
        "import": does("cli.commands.import_export:import_records", continues="--continue"),
        "gallery": does("cli.commands.import_export:gallery"),
        "verify": does("cli.commands.proof:verify"),
        "replay": does("cli.commands.replay:replay"),
        "note": CommandGroup(
            {
                "add": records("cli.commands.notes:add_note"),
                "remove": does("answers.review.notes:remove", note_id="note"),
                "list": does("answers.review.notes:notes"),
                "search": does("answers.review.notes:search", words="words..."),
            }
        ),
        "photo": CommandGroup(
            {
                "add": records("cli.commands.notes:add_photo", shows="--about"),
                "list": does("answers.review.photos:photos"),
                "save": does("cli.commands.notes:save_photo"),
                "folder": does("cli.commands.sight:folder"),
                "erase": does("answers.review.photos:erase", photo_id="photo"),
            }
        ),
        "collection": CommandGroup(
            {
                "list": does("answers.review.collections:collections"),
                "show": does("answers.review.collections:collection"),
                "export": does("cli.commands.notes:export_collection", output="-o --output"),
                "new": does("answers.review.collections:new", creates=True, about="text --text"),
                "edit": does("answers.review.collections:edit", about="text --text"),
                "put": records(
                    "cli.commands.notes:put_in_collection",
                    at="--at @cli.commands.notes:read_opening_moment",
                ),
                "remove": does("answers.review.collections:remove"),
                "note": does("answers.review.collections:note"),
                "unnote": does("answers.review.collections:unnote"),
            }
        ),
        "search": does("answers.review.move_search:search", words="words..."),
        "reached": does("answers.review.reached:reached"),
        "stats": does("cli.commands.stats:stats", engine="of --of"),
    },
    "service": {
        "serve": does(
            "cli.commands.serve:serve", catalogues=("service",), key="--key", name="--host-name"
        ),
        "access": CommandGroup(
            {
                "list": does("answers.admin.access:granted"),
                "give": does("answers.admin.access:give", keyed=False, creates=True, scope="--for"),
                "code": does("cli.commands.people:give_code", scope="--for"),
                "revoke": does("answers.admin.access:revoke", keyed=False, token="id"),
                "rules": does(
                    "cli.commands.people:set_rules",
                    to="--open-to",
                    seats_log="--seats-log/--scribe-logs",
                ),
                "log": does("cli.commands.people:admissions"),
                "join": does("cli.commands.people:join"),
            }
        ),
        "webhook": CommandGroup(
            {
                "list": does("answers.admin.webhooks:webhooks"),
                "add": does(
                    "answers.admin.webhooks:add", keyed=False, events="--event", scope="--for"
                ),
                "remove": does("answers.admin.webhooks:remove", keyed=False, webhook="id"),
                "try": does("answers.admin.webhooks:try_again", keyed=False, webhook="id"),
            }
        ),
        "people": CommandGroup(
            {
                "list": does("answers.admin.people:people"),
                "show": does("answers.admin.people:known", person="who"),
                "games": does("answers.review.players:player"),
                "rename": does("answers.admin.people:rename", keyed=False, person="who"),
                "picture": does("cli.commands.people:picture"),
                "erase": does("cli.commands.people:erase"),
            }
        ),
        "backup": does("cli.commands.store:backup"),
        "restore": does("answers.admin.maintenance:restore", names="with_names --with-names"),
        "doctor": does("cli.commands.store:doctor"),
        "store": CommandGroup(
            {
                "init": does("answers.admin.stores:init", writers="writer --writer"),
                "check": does("answers.admin.stores:check", accept="accept_loss --accept-loss"),
                "repair": does("answers.admin.stores:repair", target="to --to"),
                "copy": does("cli.commands.store:copy"),
            }
        ),
        "schema": does("cli.commands.store:schema"),
        "demo": does("cli.commands.demo:demo"),
        "completion": does("cli.commands.help:completion"),
        "help": does("cli.commands.help:help"),
    },
    "tournament": {"tournament": TOURNAMENT, "season": SEASON},
}
"""By the groups under which they are listed."""
