"""``referee dispute``: call for a judge, and show what a judge needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.session import Session, session
from cli.speech import columns, language, say
from cli.telling import action_data, because, change_data, clause_text, outcome, verdict_data
from engines.kernel import Judgement
from referee.entries import Disputed
from referee.errors import NotFound
from referee.precedents import Precedent, relevant
from referee.record import Game, RecordError, Step
from referee.rulings import RemedyPreview, previews, withdraw

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command(name="open")
def open_dispute(
    number: Annotated[int, typer.Argument(min=0)],
    text: Annotated[str, typer.Option("-m", "--text")] = "",
    by: Annotated[str | None, typer.Option("--by")] = None,
    clause: Annotated[str | None, typer.Option("--clause")] = None,
    hold: Annotated[bool, typer.Option("--hold")] = False,
) -> int:
    here = session()
    role = here.author.role
    seat = by.upper() if by else (role.removeprefix("seat:") if role.startswith("seat:") else None)
    answer = here.bench.dispute(
        here.game_id(),
        number,
        text=text,
        seat=seat,
        clause=clause.upper() if clause else None,
        holds=hold,
        author=here.author,
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
            " ".join(f"#{number}" for number in dispute.numbers),
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
    reason: Annotated[str, typer.Option("-m", "--reason")] = "",
) -> int:
    here = session()
    answer = withdraw(here.bench, here.game_id(), dispute, reason=reason, author=here.author)
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
        number = dispute.numbers[0]
        self.before, self.judged = self._judge(number)
        verdict = self.judged.verdict
        clauses = [point.clause for point in (*verdict.breaches, *verdict.claims)]
        if dispute.clause is not None and dispute.clause not in clauses:
            clauses.insert(0, dispute.clause)
        self.clauses = clauses
        facts = verdict.breaches[0].facts if verdict.breaches else {}
        self.precedents = relevant(
            here.bench.store, game.engine.id, clauses, facts, leave_out=game.id
        )
        self.remedies = previews(here.bench, game, dispute, correct)
        options = game.engine.options(self.before.setting, self.before.state)
        self.legal = [game.engine.text(action) for action in options]

    def _judge(self, number: int) -> tuple[Step, Judgement[Any]]:
        try:
            step, before = self.game.step(number), self.game.before(number)
        except RecordError:
            raise NotFound("no_such_action", number=number) from None
        if step.action is None or number == 0:
            raise NotFound("no_such_action", number=number)
        judged = self.game.engine.judge(
            before.setting, before.state, step.action, number, lenient=step.item.stands
        )
        return before, judged

    def picture(self) -> str:
        engine, lang, before = self.game.engine, language(), self.before
        words = engine.describe(before.state, before.setting, lang)
        drawn = engine.picture(before.state, before.setting, lang, before.action)
        return drawn.svg(engine.words.say("game", lang), "\n".join(words), lang=lang)

    def lines(self, output: Path | None) -> Iterator[str]:
        paint, engine, lang = self.here.paint, self.game.engine, language()
        yield paint("bold", say("dispute.title", id=self.dispute.id)) + (
            f"  «{self.dispute.text}»" if self.dispute.text else ""
        )
        yield f"  {_status(self.game, self.dispute)}"
        yield paint("bold", say("dispute.before"))
        for line in engine.describe(self.before.state, self.before.setting, lang):
            yield f"  {line}"
        if output is not None:
            yield f"  {say('written', file=str(output))}"
        verdict = self.judged.verdict
        yield f"{outcome(paint, verdict)}   {paint('bold', engine.text(self.judged.action))}"
        for clause in self.clauses:
            yield f"  {clause}  {clause_text(engine, clause)}"
        for point in (*verdict.breaches, *verdict.claims):
            if point.facts:
                yield f"  {say('tell.facts')}  {because(engine, point)}"
        yield f"  {say('dispute.legal', lines=' · '.join(self.legal[:12]) or '–')}"
        for name in verdict.readings:
            value = self.before.setting.readings[name]
            asked = engine.readings[name].question.say(lang)
            yield f"  {say('why.reading', reading=name, value=value)}  {asked}"
        yield paint("bold", say("dispute.precedents"))
        for precedent in self.precedents:
            yield from _precedent_lines(precedent)
        if not self.precedents:
            yield f"  {say('dispute.no_precedents')}"
        yield paint("bold", say("dispute.remedies"))
        for remedy in self.remedies:
            yield f"  {_remedy_line(remedy)}"

    def data(self) -> dict[str, Any]:
        return {
            "game": self.game.id,
            **_data(self.game, self.dispute),
            "before": self.game.engine.plain(self.before.state),
            "notation": self.game.engine.text(self.judged.action),
            "action": action_data(self.judged.action),
            **verdict_data(self.judged.verdict),
            "legal": self.legal,
            "readings": dict(self.before.setting.readings),
            "precedents": [
                {**p.ruling.model_dump(mode="json"), "source": p.source, "why": p.why}
                for p in self.precedents
            ],
            "remedies": [
                {
                    "remedy": r.remedy,
                    "possible": r.change is not None,
                    **(change_data(r.change) if r.change is not None else {}),
                }
                for r in self.remedies
            ],
        }


def _precedent_lines(precedent: Precedent) -> Iterator[str]:
    ruling = precedent.ruling
    source = f" ({precedent.source})" if precedent.source else ""
    gone = f" – {say('ruling.overturned', by=ruling.overturned_by)}" if ruling.overturned_by else ""
    yield (
        f"  {ruling.reference}{source}  {ruling.date[:10]}  {' '.join(ruling.clauses)}  "
        f"{say(f'remedy.{ruling.remedy}')}{gone}"
    )
    yield f"      {ruling.reason}"
    yield f"      {say(f'precedent.{precedent.why}')}"


def _remedy_line(remedy: RemedyPreview) -> str:
    name = say(f"remedy.{remedy.remedy}")
    if remedy.change is None:
        return f"{name}: {say('dispute.impossible')}"
    if remedy.change.pending:
        numbers = ", ".join(f"#{number}" for number in remedy.change.pending)
        return f"{name}: {say('dispute.would_wait', numbers=numbers)}"
    changed = sum(judged.after is not None for judged in remedy.change.rejudged)
    return (
        f"{name}: {say('dispute.would_change', count=changed, judged=remedy.change.judged_again)}"
    )


def _status(game: Game, dispute: Disputed) -> str:
    by = game.settled.get(dispute.id)
    if by is None:
        return say("dispute.status_open")
    return (
        say("dispute.status_withdrawn") if by == "withdrawn" else say("dispute.status_ruled", by=by)
    )


def _data(game: Game, dispute: Disputed) -> dict[str, Any]:
    return {**dispute.model_dump(mode="json"), "settled": game.settled.get(dispute.id)}
