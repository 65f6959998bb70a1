"""A season as a file: its data, its tables, its list of players, or a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from answers.answer import Data
from answers.context import Caller
from answers.declaration import NAMED_BY_FUNCTION, operation
from answers.file_answers import File
from answers.permissions import EVERYBODY
from answers.season.context import SeasonCall
from answers.season.lifecycle import SeasonInfoAnswer, info, no_such_format, rules_lines
from answers.season.tables import (
    SeasonPlayerAnswer,
    SeasonRatingsAnswer,
    SeasonStandingsAnswer,
    player,
    ratings,
    ratings_table,
    standings,
    standings_table,
)
from answers.tournament.i18n import fluent
from answers.tournament.print_layout import PrintedPaper, html
from referee.archive.record_files import record_lines
from referee.untrusted.safe_csv import safe_csv

FORMATS = ("json", "csv", "ratings", "players", "html", "events")


class SeasonFile(Data):
    """Everything that can be read of a season, as one document."""

    season: SeasonInfoAnswer
    standings: SeasonStandingsAnswer
    ratings: SeasonRatingsAnswer
    players: list[SeasonPlayerAnswer]


@operation(
    "season-export",
    "GET /seasons/{season}/exports/{format}",
    grant=EVERYBODY,
    scope="list",
    file=NAMED_BY_FUNCTION,
    slow=True,
    etag="content",
)
def exported(caller: Caller, season: str, format: str) -> File:
    """json: all of it; csv: the standings; ratings; players: the club's list, as a tournament
    reads it; html: a page; events: its log, with the hash chain."""
    call = SeasonCall(caller, season)
    short = call.hosted.id.removeprefix("season-")
    voice = fluent(caller.voice)
    if format == "json":
        people = {*(row.player for row in call.computed.standings), *call.computed.ratings.skills}
        made = SeasonFile(
            season=info(caller, season).data,
            standings=standings(caller, season).data,
            ratings=ratings(caller, season).data,
            players=[player(caller, season, each).data for each in sorted(people)],
        )
        return File(f"{short}.json", (made.model_dump_json(indent=1) + "\n").encode())
    if format == "csv":
        head, rows = standings_table(voice, standings(caller, season).data)
        return File(f"{short}.csv", _csv(head, rows))
    if format == "ratings":
        head, rows = ratings_table(voice, ratings(caller, season).data.rows)
        return File(f"{short}.ratings.csv", _csv(head, rows))
    if format == "players":
        return File(f"{short}.players.csv", _csv(("name", "club", "rating"), _players(call)))
    if format == "html":
        head, rows = standings_table(voice, standings(caller, season).data)
        paper = PrintedPaper(
            lang=voice.lang,
            title=call.now.name,
            subtitle=" · ".join(rules_lines(voice, call.now.rules)),
            head=tuple(head),
            rows=tuple(rows),
            footer=f"{call.hosted.id} · {call.hosted.head[:16]}",
        )
        return File(f"{short}.html", html(paper))
    if format == "events":
        lines = record_lines(caller.store_context.store, call.hosted.id)
        return File(f"{short}.jsonl", b"".join(lines))
    raise no_such_format(format, FORMATS)


def _players(call: SeasonCall) -> Iterable[tuple[str, ...]]:
    """Name, club and Elo: a list that a tournament registers its players from."""
    skills = call.computed.ratings.skills
    wanted = [*call.now.listed] or [*call.players]
    for each in sorted(wanted, key=lambda one: call.name(one).casefold()):
        elo = skills[each].elo if each in skills else None
        yield call.name(each), call.players.get(each, ""), "" if elo is None else str(round(elo))


def _csv(head: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    return safe_csv([head, *rows]).encode()
