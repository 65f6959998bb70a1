"""``referee info``: how a game was set up, and where it stands."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from cli.session import session
from cli.speech import columns, language, say
from cli.telling import numbered, short, to_act
from referee.entries import Disputed
from referee.heads import head_code
from referee.record import Game

app = typer.Typer(rich_markup_mode=None)


@app.command()
def info() -> int:
    here = session()
    game = here.game()
    opened, engine = game.opened, game.engine
    counts: dict[str, int] = {}
    for datum in game.sheet.datums():
        counts[datum.provenance] = counts.get(datum.provenance, 0) + 1
    unusual = {
        name: value
        for name, value in game.setting.readings.items()
        if value != engine.readings[name].default
    }
    seats = {seat: here.name(person) for seat, person in game.seats.items()}
    numbers = game.numbers()
    data = {
        "game": game.id,
        "engine": engine.id,
        "engine_version": opened.engine_version,
        "edition": opened.edition,
        "title": opened.title,
        "seats": seats,
        "opening": engine.text(game.steps[0].action) if game.steps[0].action else "",
        "kit": game.sheet.content["kit"],
        "kit_hash": opened.kit_hash,
        "provenance": counts,
        "readings": dict(game.setting.readings),
        "house_rules": list(opened.house_rules),
        "preset": opened.preset,
        "take_backs_need_judge": list(opened.take_backs_need_judge),
        "entries": len(game.entries),
        "actions": numbers[-1] if numbers else 0,
        "pending": [item.number for item in game.pending],
        "held": game.held is not None,
        "closed": game.closed is not None,
        "disputes": list(game.disputes),
        "notes": len(game.notes),
        "head": game.head,
        "to_act": list(game.state.agenda.seats),
    }
    edition = engine.edition_in(opened.edition, language())
    rows = [
        (say("info.game"), f"{short(game.id)} · {engine.words.say('game', language())}"),
        (say("info.title"), opened.title),
        (say("info.seats"), ", ".join(f"{seat} {name}" for seat, name in seats.items())),
        (say("info.opening"), str(data["opening"])),
        (say("info.engine"), f"{engine.id} {opened.engine_version} · {edition}"),
        (
            say("info.kit"),
            f"{data['kit']} · "
            + ", ".join(f"{n} {say(f'provenance.{p}')}" for p, n in counts.items()),
        ),
        (
            say("info.readings"),
            ", ".join(f"{n}={v}" for n, v in unusual.items())
            or say("info.all_default", count=len(engine.readings)),
        ),
        (say("info.preset"), opened.preset),
        (say("info.take_backs"), _take_backs(opened.take_backs_need_judge)),
        (say("info.house_rules"), ", ".join(opened.house_rules)),
        (say("info.entries"), f"{len(game.entries)} · #{data['actions']}"),
        (say("info.pending"), numbered(data["pending"])),
        (say("info.held"), _held(game)),
        (say("info.disputes"), ", ".join(_disputes(game))),
        (say("info.head"), head_code(game.head)),
    ]
    lines = columns([row for row in rows if row[1]])
    return here.answer("info", data, [*lines, to_act(game)])


def _take_backs(barriers: tuple[str, ...]) -> str:
    return say("info.past_barriers", barriers=barriers) if barriers else ""


def _held(game: Game) -> str:
    if game.held is None:
        return ""
    if isinstance(game.held, Disputed):
        return say("info.until_decided", dispute=game.held.id)
    return game.held.reason or say("info.until_resumed")


def _disputes(game: Game) -> Iterator[str]:
    for dispute in game.disputes:
        by = game.settled.get(dispute, "open")
        status = {"by": by} if by in game.rulings else {}
        key = "ruled" if status else by
        yield f"{dispute} {say(f'dispute.status_{key}', **status)}"
