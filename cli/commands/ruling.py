"""``referee ruling``: decide disputes, and read the book of rulings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, cast, get_args

import typer

from cli.parsing import pairs
from cli.session import Key, Reason, Session, session
from cli.speech import say
from cli.telling import (
    change_data,
    change_lines,
    clause_text,
    insertion_refused,
    raised,
    raised_lines,
    short,
    to_act,
)
from engines.kernel import Verbatim
from referee.errors import Conflicting, Illegal, Misused, NotAllowed, NotFound
from referee.judging.casemaking import case_of_ruling
from referee.judging.precedents import BookRuling, book_of, read_book, read_book_file, take_over
from referee.judging.rulings import Decision, issue
from referee.outside.files import write_toml
from referee.record.entries import Corrected, Penalised, ReadingFixed, Remedy, Ruled, TakenBack
from referee.secrecy.views import needs_judge_view
from referee.table.bench import Answer

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)

REMEDIES: tuple[str, ...] = get_args(Remedy)


@app.command(name="issue")
def issue_ruling(
    dispute: Annotated[str | None, typer.Argument()] = None,
    *,
    reason: Reason,
    remedy: Annotated[str, typer.Option("--remedy")] = "none",
    correct: Annotated[list[str] | None, typer.Option("--correct")] = None,
    stands: Annotated[bool, typer.Option("--stands")] = False,
    clause: Annotated[list[str] | None, typer.Option("--clause")] = None,
    number: Annotated[list[int] | None, typer.Option("--number")] = None,
    seat: Annotated[str | None, typer.Option("--seat")] = None,
    level: Annotated[str, typer.Option("--level")] = "",
    authority: Annotated[str, typer.Option("--authority")] = "",
    cite: Annotated[list[str] | None, typer.Option("--cite")] = None,
    overturns: Annotated[str | None, typer.Option("--overturns")] = None,
    reading: Annotated[list[str] | None, typer.Option("--reading")] = None,
    tournament: Annotated[bool, typer.Option("--tournament")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    key: Key = None,
) -> int:
    here = session()
    if remedy not in REMEDIES:
        raise Misused("no_such_remedy", remedy=remedy, remedies=", ".join(REMEDIES))
    decision = Decision(
        reason=reason,
        remedy=cast(Remedy, "corrected" if correct and remedy == "none" else remedy),
        dispute=dispute,
        numbers=tuple(number or ()),
        clauses=tuple(name.upper() for name in clause or ()),
        lines=tuple(correct or ()),
        stands=stands,
        seat=seat.upper() if seat else None,
        level=level,
        authority=authority,
        precedents=tuple(_find(here, reference)[0].reference for reference in cite or ()),
        overturns=overturns,
        readings=pairs(reading or []),
        scope="tournament" if tournament else "game",
    )
    try:
        answer = issue(
            here.bench, here.game_id(), decision, author=here.author, key=key, dry_run=dry_run
        )
    except Illegal as error:
        if here.json:
            raise
        return here.answer_plain("ruling-issue", {}, insertion_refused(here.game(), error), code=3)
    told = _tell_tournament(here, answer) if tournament else []
    lines = [*_issued_lines(here, answer, decision)]
    lines += ["  " + say("ruling.told", games=", ".join(map(short, told)))] if told else []
    return here.answer_plain("ruling-issue", {**_issued(answer), "told": told}, lines)


def _tell_tournament(here: Session, answer: Answer) -> list[str]:
    from referee.tournament.desk import Desk

    desk = Desk(here.bench)
    return [
        game
        for entry in answer.entries
        if isinstance(entry.data, Ruled)
        for game in desk.carry_ruling(answer.game, entry.data.id, author=here.author)
    ]


def _issued(answer: Answer) -> dict[str, Any]:
    ruled = [entry.data for entry in answer.entries if isinstance(entry.data, Ruled)]
    made = [entry.data for entry in answer.entries if isinstance(entry.data, Penalised)]
    return {
        "game": answer.game.id,
        "ruling": ruled[0].model_dump(mode="json") if ruled else None,
        "penalties": [penalty.model_dump(mode="json") for penalty in made],
        "disputes": raised(answer),
        **change_data(answer.change),
    }


def _issued_lines(here: Session, answer: Answer, decision: Decision) -> Iterator[str]:
    ruled = [entry.data for entry in answer.entries if isinstance(entry.data, Ruled)]
    name = say(f"remedied.{decision.remedy}")
    if ruled:
        yield here.paint("bold", say("ruling.issued", id=ruled[0].id, remedy=name))
        for clause in ruled[0].clauses:
            yield f"  {clause}  {clause_text(answer.game.engine, clause)}"
    else:
        yield say("ruling.preview", remedy=name)
    yield from _done_lines(answer)
    for penalty in answer.game.penalties.values():
        if (
            ruled
            and penalty.ruling == decision.overturns
            and penalty.id not in answer.game.cancelled
        ):
            yield "  " + say("ruling.penalty_stays", id=penalty.id, ruling=decision.overturns)
    yield from change_lines(here.paint, answer.game, answer.change, helping=bool(ruled))
    yield from raised_lines(answer)
    if ruled:
        yield "  " + to_act(answer.game)


def _done_lines(answer: Answer) -> Iterator[str]:
    """What the remedy did to the line."""
    engine = answer.game.engine
    for entry in answer.entries:
        if isinstance(entry.data, TakenBack):
            numbers = ", ".join(f"#{number}" for number in reversed(entry.data.numbers))
            yield "  " + say("ruling.took_back", numbers=numbers)
        elif isinstance(entry.data, Corrected):
            for said in entry.data.insert:
                yield f"  + #{said.number} {engine.text(engine.load(said.action))}"
        elif isinstance(entry.data, Penalised):
            made = entry.data
            yield "  " + say("penalty.added", id=made.id, seat=made.seat, level=made.level)
        elif isinstance(entry.data, ReadingFixed):
            reading, value = entry.data.reading, entry.data.value
            yield "  " + say("ruling.reads", reading=reading, value=Verbatim(value))


@app.command(name="list")
def list_rulings(
    of: Annotated[str | None, typer.Option("--of")] = None,
    clause: Annotated[str | None, typer.Option("--clause")] = None,
    search: Annotated[str, typer.Option("--search")] = "",
) -> int:
    here = session()
    book = read_book(here.bench.store, game=of, clause=clause, words=search)
    found = [(_shown(here, ruling, source), source) for ruling, source in book]
    if search and here.author.seat is not None:
        found = [(ruling, source) for ruling, source in found if source or ruling.says(search)]
    lines: list[str] = []
    for ruling, source in found:
        lines += _card(here, ruling, source)
    data = {
        "rulings": [
            {**ruling.model_dump(mode="json"), "source": source} for ruling, source in found
        ]
    }
    return here.answer_plain("ruling-list", data, lines or [say("ruling.none")])


@app.command()
def show(reference: Annotated[str, typer.Argument()]) -> int:
    here = session()
    ruling, source = _find(here, reference)
    data = {**ruling.model_dump(mode="json"), "source": source}
    return here.answer_plain("ruling-show", data, _card(here, ruling, source))


@app.command()
def export(
    output: Annotated[Path, typer.Option("-o", "--output")],
    source: Annotated[str, typer.Option("--source")],
    names: Annotated[bool, typer.Option("--names")] = False,
) -> int:
    here = session()
    if here.author.seat is not None:
        raise NotAllowed("needs_judge_view", what="export", view=here.author.role)
    if output.exists():
        raise Conflicting("file_exists", file=str(output))
    authors = {ruling.author for ruling, _ in read_book(here.bench.store)} - {"", "anonymous"}
    known = {person: here.name(person) for person in authors} if names else {}
    book = book_of(here.bench.store, source, names=known)
    output.write_text(write_toml(book.model_dump(mode="json")), encoding="utf-8")
    data = {"file": str(output), "rulings": len(book.ruling)}
    lines = [say("ruling.exported", file=str(output), count=len(book.ruling))]
    return here.answer_plain("ruling-export", data, lines)


@app.command(name="import")
def import_book(file: Annotated[Path, typer.Argument()]) -> int:
    here = session()
    book = read_book_file(file)
    new = take_over(here.bench.store, book, author=here.author)
    data = {"source": book.source, "rulings": len(book.ruling), "new": new}
    lines = [say("ruling.imported", source=book.source, count=len(book.ruling), new=new)]
    return here.answer_plain("ruling-import", data, lines)


@app.command(name="save-case")
def save_case(
    ruling: Annotated[str, typer.Argument()],
    output: Annotated[Path, typer.Option("-o", "--output")],
) -> int:
    here = session()
    if output.exists():
        raise Conflicting("file_exists", file=str(output))
    game = here.game()
    if ruling not in game.rulings:
        raise NotFound("no_such_ruling", ruling=ruling)
    needs_judge_view(game, here.view(), "save-case")
    output.write_text(write_toml(case_of_ruling(game, ruling)), encoding="utf-8")
    return here.answer_plain(
        "ruling-save-case", {"file": str(output)}, [say("written", file=str(output))]
    )


def _find(here: Session, reference: str) -> tuple[BookRuling, str]:
    """Ours before others'; of the current game, if no game is named."""
    wanted = reference if "/" in reference else f"{here.game_id()}/{reference}"
    found = sorted(read_book(here.bench.store), key=lambda pair: bool(pair[1]))
    for ruling, source in found:
        if ruling.reference in (wanted, f"game-{wanted}"):
            return _shown(here, ruling, source), source
    raise NotFound("no_such_ruling", ruling=reference)


def _shown(here: Session, ruling: BookRuling, source: str) -> BookRuling:
    return ruling if source or here.author.seat is None else ruling.without_play()


def _card(here: Session, ruling: BookRuling, source: str) -> list[str]:
    """One ruling, as it is read out."""
    head = (
        f"{ruling.reference}  {ruling.date[:10]}  {ruling.game}  {say(f'remedied.{ruling.remedy}')}"
    )
    lines = [here.paint("bold", head)]
    if ruling.clauses or ruling.line:
        lines.append(
            "  " + "  ".join(part for part in (" ".join(ruling.clauses), ruling.line) if part)
        )
    lines.append(f"  {ruling.reason}")
    by = here.name(ruling.author) if ruling.author not in ("", "anonymous") else ""
    told = " · ".join(part for part in (by, ruling.authority, source) if part)
    if told:
        lines.append(f"  {say('ruling.by', who=told)}")
    for name, value in ruling.readings.items():
        lines.append(f"  {say('ruling.reads', reading=name, value=Verbatim(value))}")
    if ruling.precedents:
        lines.append(f"  {say('ruling.cites', rulings=', '.join(ruling.precedents))}")
    if ruling.overturned_by:
        lines.append("  " + say("ruling.overturned", by=ruling.overturned_by))
    return lines
