"""``referee dispute``: call for a judge, and show what a judge needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.failures import describe
from cli.session import Key, Reason, Session, session
from cli.speech import columns, language, say
from cli.telling import (
    action_data,
    change_data,
    change_lines,
    clause_text,
    finding_line,
    outcome,
    point_lines,
    verdict_data,
)
from engines.kernel import Verbatim
from referee.errors import NotFound
from referee.judging import disputes
from referee.judging.disputed import Matter, broken, matters
from referee.judging.disputes import withdraw
from referee.judging.precedents import Precedent, relevant
from referee.judging.rulings import RemedyPreview, previews
from referee.record.entries import Disputed
from referee.record.game import Game
from referee.secrecy.views import needs_judge_view

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)

SHOWN = 12
"""So many legal lines are shown; all of them are in the answer as JSON."""


@app.command(name="open")
def open_dispute(
    number: Annotated[int, typer.Argument(min=0)],
    text: Annotated[str, typer.Option("-m", "--text")] = "",
    by: Annotated[str | None, typer.Option("--by")] = None,
    clause: Annotated[str | None, typer.Option("--clause")] = None,
    hold: Annotated[bool, typer.Option("--hold")] = False,
    key: Key = None,
) -> int:
    here = session()
    answer = disputes.dispute(
        here.bench,
        here.game_id(),
        number,
        text=text,
        seat=by.upper() if by else None,
        clause=clause.upper() if clause else None,
        holds=hold,
        author=here.author,
        key=key,
    )
    made = answer.entries[0].data
    assert isinstance(made, Disputed)
    lines = [say("dispute.opened", id=made.id, number=number)]
    if hold:
        lines.append("  " + say("dispute.holds"))
    return here.answer("dispute-open", {"game": answer.game.id, **_data(answer.game, made)}, lines)


@app.command(name="list")
def list_disputes(open_only: Annotated[bool, typer.Option("--open")] = False) -> int:
    here = session()
    game = here.game()
    found = game.open_disputes() if open_only else list(game.disputes.values())
    rows = columns(
        (
            dispute.id,
            " ".join(_named(game, number) for number in dispute.numbers),
            dispute.clause or "–",
            say(f"dispute.cause_{dispute.cause}", seat=dispute.seat or "–"),
            _status(game, dispute),
            dispute.text,
        )
        for dispute in found
    )
    data = {"game": game.id, "disputes": [_data(game, dispute) for dispute in found]}
    return here.answer("dispute-list", data, rows or [say("dispute.none")])


@app.command()
def close(
    dispute: Annotated[str, typer.Argument()],
    reason: Reason = "",
    key: Key = None,
) -> int:
    here = session()
    answer = withdraw(
        here.bench, here.game_id(), dispute, reason=reason, author=here.author, key=key
    )
    data = _data(answer.game, answer.game.disputes[dispute])
    return here.answer(
        "dispute-close", {"game": answer.game.id, **data}, [say("dispute.closed", id=dispute)]
    )


@app.command()
def show(
    dispute: Annotated[str, typer.Argument()],
    correct: Annotated[list[str] | None, typer.Option("--correct")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output")] = None,
) -> int:
    here = session()
    game = here.game()
    found = game.disputes.get(dispute)
    if found is None:
        raise NotFound("no_such_dispute", dispute=dispute)
    needs_judge_view(game, here.view(), "dispute show")
    brief = _Brief(here, game, found, correct or [])
    if output is not None:
        output.write_text(brief.picture(), encoding="utf-8")
    return here.answer("dispute-show", brief.data(), brief.lines(output))


class _Brief:
    """What lies before the judge."""

    def __init__(self, here: Session, game: Game, dispute: Disputed, correct: list[str]) -> None:
        self.here = here
        self.game = game
        self.dispute = dispute
        self.matters = matters(game, dispute)
        self.first = self.matters[0]
        self.before = self.first.before
        named = [clause for each in self.matters for clause in each.clauses]
        self.clauses = list(dict.fromkeys([dispute.clause, *named] if dispute.clause else named))
        precedents = relevant(
            here.bench.store,
            game.engine.id,
            self.clauses,
            broken(self.matters, dispute.clause),
            here=game.id,
        )
        self.precedents = [
            p
            if p.source or here.author.seat is None
            else p._replace(ruling=p.ruling.without_play())
            for p in precedents
        ]
        self.correct = correct
        self.remedies = previews(game, dispute, correct)
        engine, before = game.engine, self.before
        options = engine.options(before.setting, before.state) if self.first.line.number else ()
        self.legal = [engine.text(action) for action in options]
        asked = {name for each in self.matters for name in each.step.verdict.readings}
        self.readings = {
            name: value
            for name, value in before.setting.readings.items()
            if name in asked or value != engine.readings[name].default
        }

    def picture(self) -> str:
        engine, lang, before = self.game.engine, language(), self.before
        words = engine.describe(before.state, before.setting, lang)
        drawn = engine.picture(before.state, before.setting, lang, before.action)
        return drawn.svg(engine.words.say("game", lang), "\n".join(words), lang=lang)

    def lines(self, output: Path | None) -> Iterator[str]:
        paint, engine, lang = self.here.paint, self.game.engine, language()
        yield from self._title()
        yield paint("bold", say("dispute.before", number=self.first.line.number))
        for line in engine.describe(self.before.state, self.before.setting, lang):
            yield f"  {line}"
        if output is not None:
            yield f"  {say('written', file=str(output))}"
        for each in self.matters:
            yield from self._matter(each)
        shown = " · ".join(self.legal[:SHOWN]) or "–"
        more = say("dispute.more", count=len(self.legal) - SHOWN) if self.legal[SHOWN:] else ""
        yield f"{say('dispute.legal', lines=shown)} {more}".rstrip()
        for name, value in self.readings.items():
            asked = engine.readings[name].question.say(lang)
            yield f"{say('why.reading', reading=name, value=Verbatim(value))}  {asked}"
        yield paint("bold", say("dispute.precedents"))
        for precedent in self.precedents:
            yield from _precedent_lines(precedent)
        if not self.precedents:
            yield f"  {say('dispute.no_precedents')}"
        yield paint("bold", say("dispute.remedies"))
        for remedy in self.remedies:
            yield from self._remedy(remedy)
        settled = self.game.settled.get(self.dispute.id)
        if settled is None and not self.correct:
            yield f"  {say('dispute.try_correction', id=self.dispute.id)}"
        if settled is None:
            yield say("dispute.decide", id=self.dispute.id)
        elif settled in self.game.rulings:
            yield say("dispute.appeal", id=self.dispute.id, by=settled)

    def _title(self) -> Iterator[str]:
        dispute = self.dispute
        cause = say(f"dispute.cause_{dispute.cause}", seat=dispute.seat or "–")
        title = say("dispute.title", id=dispute.id)
        status = _status(self.game, dispute)
        yield f"{self.here.paint('bold', title)} · {cause} · {status}"
        if dispute.text:
            yield f"  {say('quoted', text=Verbatim(dispute.text))}"
        if dispute.clause is not None:
            text = clause_text(self.game.engine, dispute.clause)
            yield f"  {say('dispute.about', clause=dispute.clause)}  {text}"
        if self.game.held is dispute:
            yield f"  {say('dispute.holds')}"

    def _matter(self, each: Matter) -> Iterator[str]:
        paint, engine, verdict = self.here.paint, self.game.engine, each.step.verdict
        line = f"#{each.line.number} {paint('bold', each.line.text)}"
        gone = "" if each.line.status == "counts" else f"   ({say(f'moves.{each.line.status}')})"
        yield f"{outcome(paint, verdict)}   {line}{gone}"
        for point in (*verdict.breaches, *verdict.claims):
            yield from point_lines(engine, point)
        for finding in verdict.findings:
            yield f"  {finding_line(paint, engine, finding)}"
        if each.step.item.stands:
            yield f"  {say('tell.stands')}"

    def _remedy(self, remedy: RemedyPreview) -> Iterator[str]:
        name = say(f"remedy.{remedy.remedy}")
        if remedy.change is None:
            assert remedy.problem is not None
            yield f"  {say('dispute.impossible', remedy=name, why=describe(remedy.problem)[2])}"
            return
        effects = {
            "corrected": " ; ".join(self.correct),
            "stands": say("dispute.table_as_is"),
            "penalty": say("dispute.table_as_is"),
        }
        effect = effects.get(remedy.remedy)
        yield "  " + (say("dispute.effect", remedy=name, effect=effect) if effect else name)
        if remedy.remedy == "taken_back":
            numbers = ", ".join(f"#{number}" for number in remedy.gone)
            yield "      " + say("dispute.would_go", count=len(remedy.gone), numbers=numbers)
        assert remedy.after is not None
        for line in change_lines(self.here.paint, remedy.after, remedy.change, helping=False):
            yield f"    {line}"

    def data(self) -> dict[str, Any]:
        return {
            "game": self.game.id,
            **_data(self.game, self.dispute),
            "before": self.game.engine.plain(self.before.state),
            "actions": [
                {
                    "number": each.line.number,
                    "notation": each.line.text,
                    "action": action_data(each.step.action),
                    "status": each.line.status,
                    "stands": each.step.item.stands,
                    **verdict_data(each.step.verdict),
                }
                for each in self.matters
            ],
            "legal": self.legal,
            "readings": dict(self.before.setting.readings),
            "precedents": [
                {**p.ruling.model_dump(mode="json"), "source": p.source, "why": p.why}
                for p in self.precedents
            ],
            "remedies": [_remedy_data(remedy) for remedy in self.remedies],
        }


def _remedy_data(remedy: RemedyPreview) -> dict[str, Any]:
    body: dict[str, Any] = {"remedy": remedy.remedy, "possible": remedy.change is not None}
    if remedy.change is None:
        assert remedy.problem is not None
        return {**body, "problem": remedy.problem.key}
    return {**body, "gone": list(remedy.gone), **change_data(remedy.change)}


def _precedent_lines(precedent: Precedent) -> Iterator[str]:
    ruling = precedent.ruling
    source = f" ({precedent.source})" if precedent.source else ""
    gone = f" – {say('ruling.overturned', by=ruling.overturned_by)}" if ruling.overturned_by else ""
    yield (
        f"  {ruling.reference}{source}  {ruling.date[:10]}  {' '.join(ruling.clauses)}  "
        f"{say(f'remedied.{ruling.remedy}')}{gone}"
    )
    yield f"      {ruling.reason}"
    yield f"      {say(f'precedent.{precedent.why}')}"


def _named(game: Game, number: int) -> str:
    """An action by its number; one that no longer counts is said to be gone."""
    gone = number and number not in game.numbers()
    return say("dispute.gone", number=number) if gone else f"#{number}"


def _status(game: Game, dispute: Disputed) -> str:
    by = game.settled.get(dispute.id)
    if by is None:
        return say("dispute.status_open")
    return (
        say("dispute.status_withdrawn") if by == "withdrawn" else say("dispute.status_ruled", by=by)
    )


def _data(game: Game, dispute: Disputed) -> dict[str, Any]:
    return {**dispute.model_dump(mode="json"), "settled": game.settled.get(dispute.id)}
