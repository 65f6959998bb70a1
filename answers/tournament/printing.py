"""Contents of printed tournament papers; tournament exports; deals."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from answers.answer import Answered
from answers.context import Caller
from answers.declaration import NAMED_BY_FUNCTION, operation
from answers.file_answers import File
from answers.i18n import Voice
from answers.limits import Link, ListName, PaperFormat, SectionName
from answers.permissions import EVERYBODY, KEEPERS, Tells
from answers.tournament import round_view
from answers.tournament.bracket import bracket, drawn_bracket, match_title, seeded
from answers.tournament.clock import other_times, time_of_day
from answers.tournament.context import DeskCall, ToldAnswer, readable, reads, repeatable
from answers.tournament.i18n import figure, fluent, short
from answers.tournament.lifecycle import rules_in_force
from answers.tournament.listing import Laid
from answers.tournament.match_slips import Tally
from answers.tournament.players import PLAYERS, player_rows, players_csv
from answers.tournament.print_layout import (
    PrintedBook,
    PrintedBracketRound,
    PrintedBracketTable,
    PrintedCard,
    PrintedPaper,
    PrintedSlip,
    book,
    html,
    pdf,
)
from answers.tournament.prizes import PRIZES, prize_rule, prizes, prizes_title, shown_prizes
from answers.tournament.result_slips import asks_for
from answers.tournament.standings import (
    standings_answer,
    standings_csv,
    standings_list,
    standings_title,
)
from answers.tournament.teams import BOARDS, TEAMS, best_text, boards, boards_table, teams
from engines.kernel.messages.catalogue import normalize
from engines.kernel.registry import load_engine
from referee.archive.record_files import record_lines
from referee.errors import Conflicting, Misused, NotAllowed, NotFound
from referee.tournament import knockout
from referee.tournament.deals import shuffled_deal
from referee.tournament.events import RoundStarted, seat_letter
from referee.tournament.interchange.json_csv import pairings_csv, tournament_sheet
from referee.tournament.interchange.podlog import pods_log
from referee.tournament.interchange.trf import trf
from referee.tournament.plan import Deal, DuelScoring, LadderScoring
from referee.tournament.ranking.score_sheet import Line, score_sheet
from referee.tournament.ranking.standings import main_standings, standings
from referee.tournament.state import Round
from referee.tournament.table_games import table_ref
from referee.tournament.values import RoundNumber

NOTHING_LAID = Laid((), ())
"""Of a paper that is no list."""

# on paper


@reads(
    "tournament-paper",
    "GET /papers/{paper}",
    EVERYBODY,
    rename={"what": "paper"},
    file=NAMED_BY_FUNCTION,
    slow=True,
)
def printed(
    context: DeskCall,
    what: str,
    *,
    format: PaperFormat = "html",
    round: RoundNumber | None = None,
    url: Link = "",
    large: bool = False,
    section: SectionName | None = None,
) -> File:
    """``pairings`` by table, ``names`` by name, ``slips``, ``standings`` of all or of a
    ``section``, a ``crosstable``, the ``bracket``, the results at the ``boards`` of teams, the
    ``prizes``, ``badges``, ``certificates`` or the ``rules`` as a page or PDF, or the
    whole ``event`` as a page; ``url`` leads slips to a site, ``large`` is for a wall."""
    makers: dict[str, Callable[..., PrintedPaper]] = {
        "pairings": _pairings,
        "names": _names,
        "slips": _slips,
        "standings": partial(_standings, section=section),
        "crosstable": _crosstable,
        "bracket": _bracket_paper,
        "prizes": _prizes,
        "boards": _boards,
        "badges": _badges,
        "certificates": _certificates,
        "rules": _rules,
    }
    if what == "event":
        if format != "html":
            raise NotFound("no_such_format", format=format, formats=["html"])
        return File(
            f"{short(context.id)}.html", book(_event(fluent(context.caller.voice), context))
        )
    writers = {"html": html, "pdf": pdf}
    if what not in makers:
        raise NotFound("no_such_paper", paper=what, papers=[*makers, "event"])
    if format not in writers:
        raise NotFound("no_such_format", format=format, formats=list(writers))
    paper = makers[what](fluent(context.caller.voice), context, round, url)
    if large:
        paper = paper.enlarged()
    return File(f"{short(context.id)}-{what}.{format}", writers[format](paper))


def _pairings(voice: Voice, context: DeskCall, number: int | None, url: str) -> PrintedPaper:
    round = context.round(number)
    most = max(len(table.seats) for table in round.draw.tables)
    rows = []
    before = _points_before(voice, context, round)
    for table in round.draw.tables:
        names = [f"{context.name(player)}{before.get(player, '')}" for player in table.seats]
        told = round_view.paper_result(voice, context.now.plan, round, table.number)
        rows.append((str(table.number), *names, *[""] * (most - len(names)), told))
        for board in round_view.board_answers(context, round, table):
            where = f"{table.number}.{board.board}"
            rows.append(
                (where, *round_view.board_names(voice, board), round_view.game_score(board.result))
            )
    head = (
        voice.say("tournament.head_table"),
        *(seat_letter(seat) for seat in range(most)),
        voice.say("tournament.head_result"),
    )
    return _paper(
        voice,
        context,
        Laid(head, tuple(rows)),
        round=round,
        wide=tuple(range(1, most + 1)),
        remarks=tuple(_remarks(voice, context, round)),
    )


def _points_before(voice: Voice, context: DeskCall, round: Round) -> dict[str, str]:
    """The points with which everybody comes to a main round, from the second on."""
    if round.number == 1 or round.stage != "main":
        return {}
    ranked = main_standings(context.now, round.number - 1)
    if "PTS" not in ranked.columns:
        return {}
    at = ranked.columns.index("PTS")
    return {row.player: f" ({figure(voice, row.values[at])})" for row in ranked.rows}


def _names(voice: Voice, context: DeskCall, number: int | None, url: str) -> PrintedPaper:
    """Everybody in the order of names, with table and opponents."""
    round = context.round(number)
    rows = []
    for table in round.draw.tables:
        for seat, player in enumerate(table.seats):
            others = ", ".join(context.name(other) for other in table.seats if other != player)
            listed = context.listed_name(player)
            rows.append((listed, str(table.number), seat_letter(seat), others))
        for board in round_view.board_answers(context, round, table):
            at = voice.say("tournament.board", board=board.board)
            for each, other in ((board.first, board.second), (board.second, board.first)):
                if each is not None:
                    listed = context.listed_name(each.player)
                    rows.append((listed, str(table.number), at, other.name if other else "–"))
    for kind, players in (("bye", round.draw.byes), ("free", round.draw.free)):
        told = voice.say(f"term.{kind}")
        rows += [(context.listed_name(player), "–", "–", told) for player in players]
    head = tuple(voice.say(f"tournament.head_{key}") for key in ("name", "table", "seat", "with"))
    by_name = tuple(sorted(rows, key=lambda row: normalize(row[0])))
    return _paper(voice, context, Laid(head, by_name), round=round, wide=(0, 3))


def _crosstable(voice: Voice, context: DeskCall, number: int | None, url: str) -> PrintedPaper:
    """Who played whom and how it ended, round by round, in the order of the standings."""
    ranked = standings(context.now, number)
    rounds = [r for r in context.now.rounds if number is None or r.number <= number]
    sheet = score_sheet(context.now, rounds)
    ranks = {row.player: row.rank for row in ranked.rows}
    finals = {round.number for round in rounds if round.stage != "main"}
    rows = []
    for row in ranked.rows:
        cells = {
            line.round: _cell(voice, line, ranks)
            for line in sheet[row.player]
            if line.place is not None or line.round not in finals
        }
        points = dict(zip(ranked.columns, row.values, strict=True)).get("PTS")
        rows.append(
            (
                str(row.rank),
                context.name(row.player),
                context.now.players[row.player].club,
                *(cells.get(round.number, "–") for round in rounds),
                figure(voice, points) if points is not None else "",
            )
        )
    head = (
        *(voice.say(f"tournament.head_{key}") for key in ("rank", "name", "club")),
        *(str(round.number) for round in rounds),
        voice.say("column.PTS"),
    )
    return _paper(
        voice,
        context,
        Laid(head, tuple(rows)),
        subtitle=standings_title(voice, ranked),
        wide=(1,),
        remarks=(
            voice.say("tournament.crosstable_key"),
            *([voice.say("tournament.crosstable_games")] if context.now.has_matches else []),
        ),
    )


def _cell(voice: Voice, line: Line, ranks: Mapping[str, int]) -> str:
    """``7A 1``: against whom, in which seat, with what result; ``7A 2–1``: with which games;
    ``2/4``: second of four."""
    if line.seat is None or line.place is None:
        return voice.say(f"term.{line.kind}")
    if len(line.opponents) != 1:
        return f"{line.place}/{len(line.opponents) + 1}"
    signs = {"forfeit_win": "+", "forfeit_loss": "-"}
    result = signs.get(line.kind) or ("½" if line.tied == 2 else "1" if line.place == 1 else "0")
    if line.games is not None and line.kind == "played":
        result = Tally(line.games.won, line.games.lost, line.games.drawn).short
    return f"{ranks.get(line.opponents[0], '–')}{seat_letter(line.seat)} {result}"


def _remarks(voice: Voice, context: DeskCall, round: Round) -> Iterator[str]:
    """Who does not play, who plays for third place, and the tables that have another time."""
    final = knockout.final_table(context.now, round)
    for played_for, table in (("final", final), ("third_place", round.third_place)):
        if table is not None:
            where = voice.say("tournament.table", table=table)
            yield voice.labelled(where, voice.say(f"tournament.for_{played_for}"))
    for kind, players in (("bye", round.draw.byes), ("free", round.draw.free)):
        for player in players:
            yield voice.labelled(voice.say(f"term.{kind}"), context.name(player))
    for table in other_times(round.clock) if round.clock else ():
        where = voice.say("tournament.table", table=table)
        yield voice.labelled(where, _time(voice, context, round, table))


def _slips(voice: Voice, context: DeskCall, number: int | None, url: str) -> PrintedPaper:
    round = context.round(number)
    where = voice.say("tournament.round", round=round.number)
    final = knockout.final_table(context.now, round)
    slips = []
    for table in round.draw.tables:
        ref = table_ref(context.id, round.number, table.number)
        played_for = round_view.decides(table.number, final, round.third_place)
        at = round_view.table_title(voice, table.number, played_for)
        text = f"{url.rstrip('/')}/{ref}" if url else ref
        time = _time(voice, context, round, table.number)
        title = f"{context.now.name} · {where} · {at}"
        seats = tuple(round_view.seated(context, table.seats))
        asked = _asked(voice, context, round, len(table.seats))
        slip = PrintedSlip(title, seats, text, time, *asked)
        people = tuple(
            voice.labelled(
                voice.say("tournament.slip_board", number=board.board),
                " – ".join(round_view.board_names(voice, board)),
            )
            for board in round_view.board_answers(context, round, table)
        )
        slips.append(replace(slip, games=people) if people else slip)
    return _paper(
        voice,
        context,
        round=round,
        slips=tuple(slips),
        signatures=voice.say("tournament.slip_signatures"),
        colon=voice.say("tournament.colon"),
    )


def _asked(
    voice: Voice, context: DeskCall, round: Round, seats: int
) -> tuple[tuple[str, ...], ...]:
    """What a slip asks of every seat, and what is ticked, perhaps of each game of a match: what
    the plan counts, nothing else."""
    plan = context.now.plan
    if isinstance(plan.scoring, LadderScoring):
        return tuple(measure.name for measure in plan.scoring.measures), ()
    asked = (voice.say("tournament.slip_points"),) if asks_for(plan) == "points" else ()
    if seats > 2:
        return (voice.say("tournament.slip_place"), *asked), ()
    letters = [seat_letter(seat) for seat in range(seats)]
    boxes = [voice.say("tournament.slip_won", seat=letter) for letter in letters]
    if isinstance(plan.scoring, DuelScoring):
        boxes.append(voice.say("tournament.slip_draw"))
    match = context.now.match_at(round, seats)
    games = range(1, match.games + 1) if match is not None else ()
    kind = "board" if match is not None and match.boards else "game"
    told = tuple(voice.say(f"tournament.slip_{kind}", number=number) for number in games)
    return asked, tuple(boxes), told


def _standings(
    voice: Voice, context: DeskCall, number: int | None, url: str, section: str | None = None
) -> PrintedPaper:
    ranked = standings(context.now, number)
    label = None if section is None else context.section(section)
    found = standings_answer(context, ranked, label)
    columns = [  # what is the same for everybody separates nobody, and takes the room of names
        column
        for at, column in enumerate(ranked.columns)
        if column == "PTS" or len({row.values[at] for row in ranked.rows}) > 1
    ]
    clubs = {player.id: player.club for player in context.now.players.values()}
    listing = standings_list(ranked, label, clubs=clubs, on_paper=columns)
    return _paper(
        voice,
        context,
        listing.on_paper(voice, found.rows),
        subtitle=standings_title(voice, ranked, label),
        wide=(1,),
        remarks=(" · ".join(f"{each} {voice.say(f'column.{each}')}" for each in columns),),
    )


def _prizes(voice: Voice, context: DeskCall, number: int | None, url: str) -> PrintedPaper:
    """What can be won and by which rule; once the event is closed, by whom."""
    found = shown_prizes(prizes(context.caller, context.id).data)
    laid = PRIZES.on_screen(voice, found.prizes)
    rule = prize_rule(voice, found) if found.prizes else voice.say("tournament.no_prizes")
    return _paper(
        voice,
        context,
        laid,
        subtitle=prizes_title(voice, found),
        wide=tuple(range(1, len(laid.head))),
        remarks=(rule,),
    )


def _badges(voice: Voice, context: DeskCall, number: int | None, url: str) -> PrintedPaper:
    """One for everybody who has not left, in the order of names: event, name, club, sections, and
    what the desk scans to check them in."""
    here = [player for player in context.now.players.values() if player.status != "dropped"]
    here.sort(key=lambda player: normalize(context.listed_name(player.id)))
    cards = tuple(
        PrintedCard(
            context.now.name,
            context.name(player.id),
            tuple(filter(None, (player.club, " · ".join(player.sections)))),
            f"{url.rstrip('/')}/{short(context.id)}/players/{player.id}",
        )
        for player in here
    )
    return _paper(voice, context, subtitle=voice.say("tournament.badges"), cards=cards)


def _certificates(voice: Voice, context: DeskCall, number: int | None, url: str) -> PrintedPaper:
    """One for everybody in the standings, the best first: the place, and what was won with it."""
    ranked = standings(context.now, number)
    won: dict[str, list[str]] = {}
    for prize in shown_prizes(prizes(context.caller, context.id).data).prizes:
        for winner in prize.players:
            won.setdefault(winner, []).append(prize.text)
    cards = tuple(
        PrintedCard(
            context.now.name,
            context.name(row.player),
            (
                voice.say("tournament.certified", place=row.rank, count=len(ranked.rows)),
                *won.get(row.player, ()),
            ),
        )
        for row in ranked.rows
    )
    return _paper(
        voice,
        context,
        subtitle=voice.say("tournament.certificates"),
        cards=cards,
        signatures=voice.say("tournament.signed_by"),
        colon=voice.say("tournament.colon"),
    )


def _event(voice: Voice, context: DeskCall) -> PrintedBook:
    """Everything that anybody who may look at the event may know of it."""
    now = context.now
    papers = [
        (voice.say("tournament.rules"), _rules(voice, context, None, "")),
        (voice.say("tournament.book_players"), _players(voice, context)),
    ]
    if now.plan.boards:
        papers.append((voice.say("tournament.teams"), _teams(voice, context)))
    if now.prizes.prizes:
        papers.append((voice.say("tournament.prizes"), _prizes(voice, context, None, "")))
    if now.rounds:
        papers += [
            (voice.say("tournament.book_standings"), _standings(voice, context, None, "")),
            *(
                (voice.say("tournament.book_section", section=section), paper)
                for section in now.sections
                if (paper := _standings(voice, context, None, "", section)).rows
            ),
            (voice.say("tournament.book_crosstable"), _crosstable(voice, context, None, "")),
        ]
    if any(round.line_ups for round in now.rounds):
        papers.append((voice.say("tournament.boards"), _boards(voice, context, None, "")))
    for round in now.rounds:
        title = voice.say("tournament.round", round=round.number)
        papers.append((title, _pairings(voice, context, round.number, "")))
    games = [load_engine(game).words.say("game", voice.lang) for game in now.plan.games]
    return PrintedBook(
        lang=voice.lang,
        title=now.name,
        subtitle=" · ".join(games),
        contents=voice.say("tournament.book_contents"),
        papers=tuple((_heading(text), paper) for text, paper in papers),
        bracket_title=voice.say("tournament.book_bracket"),
        bracket=tuple(_bracket(voice, context)),
        footer=papers[0][1].footer,
    )


def _players(voice: Voice, context: DeskCall) -> PrintedPaper:
    """Who plays, in the order of numbers; what nobody has is no column."""
    rows = player_rows(context.now, context.name, context.details, private=False)
    return _paper(voice, context, PLAYERS.on_paper(voice, rows), wide=(1,))


def _bracket_paper(voice: Voice, context: DeskCall, number: int | None, url: str) -> PrintedPaper:
    """The bracket for a wall: what is still to come is left empty, to be filled in by hand."""
    rounds = tuple(_bracket(voice, context, to_come=True))
    if not rounds:
        raise Conflicting("no_bracket_yet")
    title = voice.say("tournament.book_bracket")
    return _paper(voice, context, subtitle=title, bracket=rounds)


def _teams(voice: Voice, context: DeskCall) -> PrintedPaper:
    """The people of the teams, in the order of the boards."""
    rows = teams(context.caller, context.id).data.teams
    return _paper(voice, context, TEAMS.on_paper(voice, rows), wide=(1,))


def _boards(voice: Voice, context: DeskCall, number: int | None, url: str) -> PrintedPaper:
    """Everybody's results at the boards, and the best at each."""
    found = boards(context.caller, context.id).data
    best = (
        voice.labelled(voice.say("tournament.board", board=each.board), best_text(voice, each))
        for each in found.boards
    )
    return _paper(
        voice,
        context,
        boards_table(voice, found),
        subtitle=voice.say("tournament.boards"),
        wide=(1, 2),
        remarks=(voice.say("tournament.best_at_boards"), *best) if found.boards else (),
    )


def _bracket(
    voice: Voice, context: DeskCall, *, to_come: bool = False
) -> Iterator[PrintedBracketRound]:
    """The rounds of a knock-out or of finals, and who went on from each table."""
    found = bracket(context.caller, context.id).data
    if not (found.rounds or found.matches):
        return
    names = {player: context.name(player) for player in context.now.players}
    for each in drawn_bracket(voice, found, context.now.plan.model_dump(mode="json"), names):
        tables = [
            PrintedBracketTable(
                match_title(voice, table),
                tuple((seeded(seat), seat.through, seat.note) for seat in table.seats),
                table.result or table.leads,
            )
            for table in each.tables
        ]
        free = voice.say("term.free")
        tables += [PrintedBracketTable(free, ((name, True, ""),), "") for name in each.free]
        if to_come:
            third = _heading(voice.say("tournament.for_third_place"))
            titles = [""] * each.to_come + [third] * each.third_to_come
            tables += [PrintedBracketTable(title, (("", False, ""),) * 2, "") for title in titles]
        if tables:
            yield PrintedBracketRound(each.part, _heading(each.title), tuple(tables))


def _heading(text: str) -> str:
    return text[:1].upper() + text[1:]


def _rules(voice: Voice, context: DeskCall, number: int | None, url: str) -> PrintedPaper:
    lines = tuple((line,) for line in rules_in_force(voice, context.now))
    return _paper(voice, context, Laid((voice.say("tournament.rules"),), lines))


def _paper(
    voice: Voice,
    context: DeskCall,
    laid: Laid = NOTHING_LAID,
    *,
    round: Round | None = None,
    **more: Any,
) -> PrintedPaper:
    """A list, or what is given instead of one, under the name of the event, perhaps with the round;
    below it which state of the event it shows."""
    title, hosted = context.now.name, context.hosted
    if round is not None:
        title += f" – {voice.say('tournament.round', round=round.number)}"
        more["subtitle"] = _subtitle(voice, context, round)
    footer = voice.say("tournament.head", number=hosted.now.last, head=hosted.head[:16])
    return PrintedPaper(lang=voice.lang, title=title, **laid._asdict(), footer=footer, **more)


def _subtitle(voice: Voice, context: DeskCall, round: Round) -> str:
    game = load_engine(context.now.plan.game_of(round.number)).words.say("game", voice.lang)
    return " · ".join(part for part in (game, _time(voice, context, round)) if part)


def _time(voice: Voice, context: DeskCall, round: Round, table: int | None = None) -> str:
    """How long a table plays, until when if the clock runs, and what comes then."""
    rule, clock = context.now.plan.time, round.clock
    if rule is None and clock is None:
        return ""
    minutes = clock.allowed(table) if clock else rule.minutes if rule else 0
    parts = [voice.say("tournament.minutes", count=minutes)]
    if clock is not None and (ends := clock.ends(table)) is not None:
        parts.append(voice.say("tournament.until", ends=time_of_day(ends)))
    if rule is not None:
        then = voice.say(f"tournament.on_time_{rule.on_time}")
        parts.append(voice.say("tournament.then", rule=then))
    return " · ".join(parts)


# as files


@reads("tournament-export", "GET /exports/{format}", KEEPERS, file=NAMED_BY_FUNCTION, slow=True)
def exported(
    context: DeskCall,
    format: str,
    *,
    of: ListName = "standings",
    round: RoundNumber | None = None,
    raw_csv: bool = False,
    to_pair: bool = False,
    named: bool = False,
) -> File:
    """``json``, ``events``, ``trf``, ``trfx``, ``pods``; ``csv`` of players, pairings, standings or
    boards; ``html``: all of it to read, in one page.

    ``to_pair``: a report from which another program pairs the next round. ``events`` are the
    stored bytes, with chain and signatures, ``whole`` has those of the games as well; ``named``
    adds the names.
    """
    now, names = context.now, context.names
    formats: dict[str, tuple[str, Callable[[], str]]] = {
        "json": ("json", lambda: tournament_sheet(now, names).model_dump_json(indent=1) + "\n"),
        "events": ("jsonl", lambda: _lines(_record(context, named))),
        "csv": (f"{of}.csv", lambda: _csv(context, of, round, raw_csv)),
        "trf": ("trf", lambda: _report(context, to_pair)),
        "trfx": ("trf", lambda: _report(context, to_pair, extended=True)),
        "html": ("html", lambda: book(_event(fluent(context.caller.voice), context)).decode()),
        "pods": ("pods.json", lambda: _json(pods_log(now, context.id, names))),
    }
    private = any(not readable(context, told) for told in context.hosted.told)
    if private and format in ("events", "whole"):
        raise NotAllowed("private_events")
    if format == "whole":
        return File(f"{short(context.id)}.zip", _whole(context, named))
    if format not in formats:
        raise NotFound("no_such_format", format=format, formats=[*formats, "whole"])
    suffix, write = formats[format]
    return File(f"{short(context.id)}.{suffix}", write().encode())


def _whole(context: DeskCall, named: bool) -> bytes:
    """The tournament and the games of its tables, each as its store has it."""
    store, names = context.caller.store_context.store, context.names if named else None
    games = [game for found in context.desk.games(context.id).values() for game in found]
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as packed:
        for stream in (context.id, *games):
            day = (1980, 1, 1, 0, 0, 0)  # the same tournament is the same file
            entry = ZipInfo(f"{stream}.jsonl", day)
            packed.writestr(entry, b"".join(record_lines(store, stream, names)), ZIP_DEFLATED)
    return content.getvalue()


def _report(context: DeskCall, to_pair: bool, *, extended: bool = False) -> str:
    """With the days on which the first round started and the last event was told."""
    told = context.hosted.told
    started = next((one.at for one in told if isinstance(one.event, RoundStarted)), "")
    start, end = (moment[:10].replace("-", "/") for moment in (started, told[-1].at))
    number = len(context.now.rounds) + 1 if to_pair else None
    return trf(
        context.now,
        context.names,
        start=start,
        end=end if started else "",
        to_pair=number,
        extended=extended,
        details=context.details,
    )


def _record(context: DeskCall, named: bool) -> Iterator[bytes]:
    return record_lines(
        context.caller.store_context.store, context.id, context.names if named else None
    )


def _lines(lines: Iterable[bytes]) -> str:
    return b"".join(lines).decode()


def _csv(context: DeskCall, of: str, round: int | None, raw: bool) -> str:
    now, names = context.now, context.names
    if of == "players":
        return players_csv(now, names, context.details, raw=raw)
    if of == "pairings":
        return pairings_csv(now, context.round(round).number, names, raw=raw)
    if of == "standings":
        return standings_csv(now, standings(now, round), names, raw=raw)
    if of == "boards":
        return BOARDS.as_csv(boards(context.caller, context.id).data.people, raw=raw)
    raise NotFound("no_such_list", list=of, lists=["players", "pairings", "standings", "boards"])


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


# deals


def make_deal(name: str, game: str, piles: Mapping[str, Any], seed: int, source: str) -> File:
    """Piles shuffled by a seed that is kept secret until the round is over."""
    if not all(
        isinstance(items, list) and all(isinstance(item, str) for item in items)
        for items in piles.values()
    ):
        raise Misused("bad_piles", file=source)
    deal = shuffled_deal(name, game, piles, seed)
    return File(f"{name}.deal.json", _json(deal.model_dump(mode="json")).encode())


def deal_sheet(caller: Caller, deal: Deal, *, format: str = "html") -> File:
    """How a table lays out a deal: what lies in each pile, from the top."""
    writers = {"html": html, "pdf": pdf}
    if format not in writers:
        raise NotFound("no_such_format", format=format, formats=list(writers))
    voice = fluent(caller.voice)
    game = load_engine(deal.game).words.say("game", voice.lang)
    paper = PrintedPaper(
        lang=voice.lang,
        title=f"{game} – {deal.name}",
        subtitle=voice.say("tournament.deal_sheet"),
        head=(voice.say("tournament.head_pile"), voice.say("tournament.head_order")),
        rows=tuple(
            (pile, " · ".join(f"{at} {item}" for at, item in enumerate(items, 1)))
            for pile, items in deal.piles.items()
        ),
        footer=deal.ref.digest,
    )
    return File(f"{deal.name}.deal.{format}", writers[format](paper))


@operation(
    "tournament-reveal",
    "POST /tournaments/{tournament}/deals",
    grant=Tells("deal_revealed"),
    params="referee.tournament.events:Deal",
    rename={"deal": "*"},
)
@repeatable
def reveal_deal(context: DeskCall, deal: Deal) -> Answered[ToldAnswer]:
    """Open a published deal: every draw, earlier or later, is compared with it."""
    raised = context.desk.reveal_deal(context.id, deal, by=context.by)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("tournament.deal_revealed", deal=deal.name)
        if raised:
            yield voice.say("tournament.departures_found", count=len(raised))

    return context.recorded_answer(render)
