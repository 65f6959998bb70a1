"""Printing, exporting and importing; deals for cooperative games."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.session import Key, Session
from cli.speech import language, say
from cli.tournament.clock import other_times, time_of_day
from cli.tournament.counter import (
    POINTER,
    Counter,
    at_the_desk,
    figure,
    labelled,
    short,
    words,
)
from cli.tournament.paper import Paper, Slip, html, pdf
from cli.tournament.plan import read_deal, read_limited
from cli.tournament.shown import result_text
from engines.kernel.registry import load_engine
from referee.errors import Conflicting, Misused, NotFound, Unfit
from referee.outside.files import read_toml_file
from referee.outside.reading import UnsafeJson, read_json
from referee.tournament.deals import shuffled_deal
from referee.tournament.events import Created, DealRevealed, seat_letter
from referee.tournament.papers.interchange import (
    pairings_csv,
    players_csv,
    standings_csv,
    tournament_sheet,
    write_events,
)
from referee.tournament.papers.podlog import pods_log, read_pods_log
from referee.tournament.papers.trf import trf
from referee.tournament.ranking.standings import standings
from referee.tournament.state import Round
from referee.tournament.tables import table_ref

deals = typer.Typer(rich_markup_mode=None, no_args_is_help=True)

Output = Annotated[str | None, typer.Option("-o", "--output")]
Force = Annotated[bool, typer.Option("--force")]
RoundOption = Annotated[int | None, typer.Option("--round", min=1)]


def answer_file(here: Session, content: bytes, output: str | None, name: str, force: bool) -> int:
    """Write to a file, or to the standard output where that is no terminal."""
    if output == "-" or (output is None and not sys.stdout.isatty() and not here.json):
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return 0
    file = Path(output or name)
    if file.exists() and not force:
        raise Conflicting("file_exists", file=str(file))
    file.write_bytes(content)
    data = {"file": str(file), "bytes": len(content), "sha256": sha256(content).hexdigest()}
    return here.answer_plain("tournament-file", data, [say("written", file=str(file))])


# on paper


def print_paper(
    what: Annotated[str, typer.Argument()],
    format: Annotated[str, typer.Option("--format")] = "html",
    round: RoundOption = None,
    url: Annotated[str, typer.Option("--url")] = "",
    output: Output = None,
    force: Force = False,
) -> int:
    with at_the_desk() as counter:
        makers = {"pairings": _pairings, "slips": _slips, "standings": _standings}
        writers = {"html": html, "pdf": pdf}
        if what not in makers:
            raise NotFound("no_such_paper", paper=what, papers=list(makers))
        if format not in writers:
            raise NotFound("no_such_format", format=format, formats=list(writers))
        content = writers[format](makers[what](counter, round, url))
        name = f"{short(counter.id)}-{what}.{format}"
        return answer_file(counter.here, content, output, name, force)


def _footer(counter: Counter) -> str:
    hosted = counter.hosted
    return say("tournament.head", number=hosted.now.last, head=hosted.head[:16])


def _subtitle(counter: Counter, round: Round) -> str:
    engine = load_engine(counter.now.plan.game_of(round.number))
    game = engine.words.say("game", language())
    return " · ".join(part for part in (game, _time(counter, round)) if part)


def _time(counter: Counter, round: Round, table: int | None = None) -> str:
    """How long a table plays, until when if the clock runs, and what comes then."""
    rule, clock = counter.now.plan.time, round.clock
    if rule is None and clock is None:
        return ""
    minutes = clock.allowed(table) if clock else rule.minutes if rule else 0
    parts = [say("tournament.minutes", count=minutes)]
    if clock is not None and (ends := clock.ends(table)) is not None:
        parts.append(say("tournament.until", ends=time_of_day(ends)))
    if rule is not None:
        parts.append(say("tournament.then", rule=say(f"tournament.on_time_{rule.on_time}")))
    return " · ".join(parts)


def _pairings(counter: Counter, number: int | None, url: str) -> Paper:
    round = counter.round(number)
    most = max(len(table.seats) for table in round.draw.tables)
    rows = []
    for table in round.draw.tables:
        names = [counter.name(player) for player in table.seats]
        told = result_text(round, table.number)
        rows.append((str(table.number), *names, *[""] * (most - len(names)), told))
    remarks = [
        labelled(words(f"term.{kind}"), counter.name(player))
        for kind, players in (("bye", round.draw.byes), ("free", round.draw.free))
        for player in players
    ]
    remarks += [
        labelled(say("tournament.table", table=table), _time(counter, round, table))
        for table in (other_times(round.clock) if round.clock else ())
    ]
    return Paper(
        lang=language(),
        title=f"{counter.now.name} – {say('tournament.round', round=round.number)}",
        subtitle=_subtitle(counter, round),
        head=(
            say("tournament.head_table"),
            *(seat_letter(seat) for seat in range(most)),
            say("tournament.head_result"),
        ),
        rows=tuple(rows),
        remarks=tuple(remarks),
        footer=_footer(counter),
    )


def _slips(counter: Counter, number: int | None, url: str) -> Paper:
    round = counter.round(number)
    where = say("tournament.round", round=round.number)
    slips = []
    for table in round.draw.tables:
        seats = (f"{seat_letter(s)} {counter.name(p)}" for s, p in enumerate(table.seats))
        ref = table_ref(counter.id, round.number, table.number)
        title = f"{counter.now.name} · {where} · {say('tournament.table', table=table.number)}"
        text = f"{url.rstrip('/')}/{ref}" if url else ref
        slips.append(Slip(title, tuple(seats), text, _time(counter, round, table.number)))
    return Paper(
        lang=language(),
        title=f"{counter.now.name} – {where}",
        subtitle=_subtitle(counter, round),
        slips=tuple(slips),
        points=say("tournament.slip_points"),
        signatures=say("tournament.slip_signatures"),
        colon=say("tournament.colon"),
        footer=_footer(counter),
    )


def _standings(counter: Counter, number: int | None, url: str) -> Paper:
    ranked = standings(counter.now, number)
    rows = tuple(
        (str(row.rank), counter.name(row.player), *(figure(value) for value in row.values))
        for row in ranked.rows
    )
    return Paper(
        lang=language(),
        title=counter.now.name,
        subtitle=say("tournament.standings", count=ranked.rounds),
        head=(
            say("tournament.head_rank"),
            say("tournament.head_name"),
            *(words(f"column.{column}") for column in ranked.columns),
        ),
        rows=rows,
        footer=_footer(counter),
    )


# as files


def export(
    format: Annotated[str, typer.Argument()],
    of: Annotated[str, typer.Option("--list")] = "standings",
    round: RoundOption = None,
    raw_csv: Annotated[bool, typer.Option("--raw-csv")] = False,
    output: Output = None,
    force: Force = False,
) -> int:
    with at_the_desk() as counter:
        now, names = counter.now, counter.names

        def as_csv() -> str:
            if of == "players":
                return players_csv(now, names, raw=raw_csv)
            if of == "pairings":
                return pairings_csv(now, counter.round(round).number, names, raw=raw_csv)
            if of == "standings":
                return standings_csv(standings(now, round), names, raw=raw_csv)
            raise NotFound("no_such_list", list=of, lists=["players", "pairings", "standings"])

        formats: dict[str, Callable[[], str]] = {
            "json": lambda: tournament_sheet(now, names).model_dump_json(indent=1) + "\n",
            "events": lambda: "".join(
                line.decode() + "\n" for line in write_events(counter.hosted.events)
            ),
            "csv": as_csv,
            "trf": lambda: trf(now, names),
            "pods": lambda: _json(pods_log(now, counter.id, names)),
        }
        if format not in formats:
            raise NotFound("no_such_format", format=format, formats=list(formats))
        suffix = {"pods": "pods.json", "events": "jsonl", "csv": f"{of}.csv"}.get(format, format)
        content = formats[format]().encode()
        return answer_file(counter.here, content, output, f"{short(counter.id)}.{suffix}", force)


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def import_log(
    file: Annotated[str, typer.Argument()],
    name: Annotated[str, typer.Option("--name")] = "",
    game: Annotated[str, typer.Option("--of")] = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    """The pod log of another tool becomes a tournament of its own."""
    with at_the_desk(key, Created) as counter:
        try:
            data = read_json(read_limited(file))
        except UnsafeJson as error:
            raise Unfit("bad_file", file=file, problem=error.phrase) from None
        people = counter.here.people
        load_engine(game)
        title = name or Path(file).stem[:100]
        found = read_pods_log(data, name=title, game=game, new_id=people.add)
        hosted = counter.desk.adopt(found.events, author=counter.author, key=counter.telling)
        counter.asked = hosted.id
        counter.here.make_current(hosted.id, POINTER)
        if found.skipped:
            skipped = ", ".join(str(number) for number in found.skipped)
            counter.here.warnings.append(say("tournament.skipped", rounds=skipped))
        line = say("tournament.log_imported", name=title, count=len(found.events))
        return counter.told([line])


# deals


@deals.command(name="make")
def make_deal(
    piles: Annotated[str, typer.Argument()],
    name: Annotated[str, typer.Option("--name")] = ...,  # type: ignore[assignment]
    game: Annotated[str, typer.Option("--of")] = ...,  # type: ignore[assignment]
    seed: Annotated[int, typer.Option("--seed", min=0)] = ...,  # type: ignore[assignment]
    output: Output = None,
    force: Force = False,
) -> int:
    """Shuffle the piles of a file by a seed that is kept secret until the round is over."""
    with at_the_desk() as counter:
        listed = read_toml_file(piles)
        if not all(
            isinstance(items, list) and all(isinstance(item, str) for item in items)
            for items in listed.values()
        ):
            raise Misused("bad_piles", file=piles)
        deal = shuffled_deal(name, game, listed, seed)
        content = _json(deal.model_dump(mode="json")).encode()
        return answer_file(counter.here, content, output, f"{name}.deal.json", force)


@deals.command(name="reveal")
def reveal_deal(file: Annotated[str, typer.Argument()], key: Key = None) -> int:
    """Open a published deal: every draw, earlier or later, is compared with it."""
    with at_the_desk(key) as counter:
        deal = read_deal(file)
        counter.told_before(DealRevealed)
        raised = counter.desk.reveal_deal(
            counter.id, deal, author=counter.author, key=counter.telling
        )
        lines = [say("tournament.deal_revealed", deal=deal.name)]
        if raised:
            lines.append(say("tournament.departures_found", count=len(raised)))
        return counter.told(lines)
