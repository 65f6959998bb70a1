"""``referee verify``: form, chain, replay; of a stored game or of a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.commands.keys import key_ring
from cli.session import Session, session
from cli.speech import facts_data, say
from cli.telling import short
from referee.proof.heads import head_code
from referee.proof.verify import Problem, Report
from referee.proof.verify import verify as prove
from replays.formats import read_travelling

app = typer.Typer(rich_markup_mode=None)


@app.command()
def verify(
    what: Annotated[list[str] | None, typer.Argument()] = None,
    head: Annotated[list[str] | None, typer.Option("--head")] = None,
    signed_by: Annotated[list[str] | None, typer.Option("--signed-by")] = None,
    everything: Annotated[bool, typer.Option("--all")] = False,
) -> int:
    here = session()
    reports = []
    for name in _asked(here, what or [], everything):
        reports.append(_prove(here, name, head or [], signed_by or []))
    lines: list[str] = []
    for report in reports:
        lines += report_lines(here, report)
    failed = any(not report.ok for report in reports)
    data = {"records": [report_data(report) for report in reports]}
    return here.answer("verify", data, lines, code=6 if failed else 0)


def _asked(here: Session, names: list[str], everything: bool) -> list[str]:
    if everything:
        return list(here.bench.store.streams("game-"))
    return names or [here.game_id()]


def _prove(here: Session, name: str, heads: list[str], signers: list[str]) -> Report:
    if Path(name).is_file():
        travelling = read_travelling(Path(name))
        game_id, rows = travelling.stream, travelling.rows
    else:
        game_id = here.bench.find(name)
        rows = list(here.bench.store.read(game_id))
    ring = key_ring()
    return prove(
        game_id,
        rows,
        published=heads,
        trusted=ring.trusted(),
        signers=[ring.find(signer).name for signer in signers],
        progress=progress_line(len(rows)),
    )


def progress_line(total: int) -> Callable[[int], None] | None:
    """On a terminal, long work says how far it is."""
    if not sys.stderr.isatty() or total < 500:
        return None

    def show(done: int) -> None:
        if done % 200 == 0 or done == total:
            end = "\n" if done == total else ""
            sys.stderr.write(f"\r{say('progress', done=done, total=total)}{end}")
            sys.stderr.flush()

    return show


def report_lines(here: Session, report: Report) -> list[str]:
    lines = [here.paint("bold", short(report.stream))]
    broken = {problem.check: problem for problem in reversed(report.problems)}
    reached = True
    for check in ("form", "chain", "head", "replay"):
        if check in broken:
            lines.append(
                f"  {here.paint('bad', '✘')} {say(f'verify.{check}')}  {_told(broken[check])}"
            )
            reached = check in ("head", "replay")
        elif reached and check == "replay":
            lines += replay_lines(here, report)
        elif reached and check != "head":
            lines.append(f"  {here.paint('good', '✔')} {say(f'verify.{check}_fine')}")
    lines += signature_lines(here, report)
    key = ("verify.ok" if replayed(report) else "verify.ok_newer") if report.ok else "verify.failed"
    code = head_code(report.head) if report.head else "–"
    lines.append("  " + say(key, count=report.entries, head=code))
    return lines


def replayed(report: Report) -> bool:
    """Whether verdicts could be compared: not with those of a newer engine."""
    return report.engines is None or report.engines.age != "newer"


def replay_lines(here: Session, report: Report) -> Iterator[str]:
    """How the verdicts compare, where none of them is a problem."""
    versions = asdict(report.engines) if report.engines is not None else {}
    if not replayed(report):
        yield f"  {here.paint('unsure', '?')} {say('verify.replay_newer', **versions)}"
    elif not report.differences:
        yield f"  {here.paint('good', '✔')} {say('verify.replay_fine')}"
    else:
        told = say("verify.replay_older", count=len(report.differences), **versions)
        yield f"  {here.paint('unsure', '?')} {told}"
        yield from (f"    {_told(difference)}" for difference in report.differences)


SIGNATURE_SIGNS = {
    "good": ("✔", "good"),
    "unknown": ("?", "unsure"),
    "unchecked": ("?", "unsure"),
    "revoked": ("✘", "bad"),
    "wrong": ("✘", "bad"),
}


def signature_lines(here: Session, report: Report) -> Iterator[str]:
    for signature in report.signatures:
        sign, style = SIGNATURE_SIGNS[signature.status]
        told = say(
            f"verify.signature_{signature.status}",
            name=signature.name or signature.key[:16],
            role=signature.role,
            signs=signature.signs,
        )
        yield f"  {here.paint(style, sign)} {told}"
    for problem in report.problems:
        if problem.key == "not_signed":
            yield f"  {here.paint('bad', '✘')} {_told(problem)}"


def _told(problem: Problem) -> str:
    key = f"problem.{problem.key}"
    facts = {**problem.facts, "clause": problem.facts.get("clause") or ""}
    for name in ("recorded", "today"):
        if name in facts:
            facts[name] = say(f"outcome.{facts[name]}")
    told = say(key, **facts)
    return say("verify.at", seq=problem.seq, problem=told)


def report_data(report: Report) -> dict[str, Any]:
    return {
        "game": report.stream,
        "entries": report.entries,
        "head": report.head,
        "ok": report.ok,
        "problems": [_problem_data(problem) for problem in report.problems],
        "engine": None
        if report.engines is None
        else {**asdict(report.engines), "age": report.engines.age},
        "differences": [_problem_data(problem) for problem in report.differences],
        "signatures": [asdict(signature) for signature in report.signatures],
    }


def _problem_data(problem: Problem) -> dict[str, Any]:
    return {
        "check": problem.check,
        "entry": problem.seq,
        "problem": problem.key,
        "facts": facts_data(problem.facts),
    }
