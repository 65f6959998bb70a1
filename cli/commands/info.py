"""``referee info``: how a game was set up, and where it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import typer

from cli.session import session
from cli.speech import columns, language, say
from cli.telling import numbered, short, to_act
from referee.proof.heads import head_code
from referee.record.entries import Disputed
from referee.record.game import Game

app = typer.Typer(rich_markup_mode=None)


@app.command()
def info() -> int:
    here = session()
    game = here.game()
    seats = {seat: here.name(person) for seat, person in game.seats.items()}
    lines = columns([row for row in _rows(game, seats) if row[1]])
    return here.answer("info", _data(game, seats), [*lines, to_act(game)])


def _data(game: Game, seats: dict[str, str]) -> dict[str, Any]:
    opened = game.opened
    return {
        "game": game.id,
        "engine": game.engine.id,
        "engine_version": opened.engine_version,
        "edition": opened.edition,
        "title": opened.title,
        "seats": seats,
        "opening": _opening(game),
        "kit": game.sheet.content["kit"],
        "kit_hash": opened.kit_hash,
        "provenance": _provenances(game),
        "readings": dict(game.setting.readings),
        "house_rules": list(opened.house_rules),
        "preset": opened.preset,
        "take_backs_need_judge": list(opened.take_backs_need_judge),
        "entries": len(game.entries),
        "actions": _last(game),
        "pending": game.waiting,
        "held": game.held is not None,
        "closed": game.closed is not None,
        "disputes": list(game.disputes),
        "notes": len(game.notes),
        "head": game.head,
        "to_act": list(game.state.agenda.seats),
    }


def _rows(game: Game, seats: dict[str, str]) -> Iterator[tuple[str, str]]:
    """What is told of the game, label by label; what there is none of is empty."""
    opened, engine = game.opened, game.engine
    edition = engine.edition_in(opened.edition, language())
    name = engine.words.say("game", language())
    yield say("info.game"), f"{short(game.id)} · {name}"
    yield say("info.title"), opened.title
    yield say("info.seats"), ", ".join(f"{seat} {name}" for seat, name in seats.items())
    yield say("info.opening"), _opening(game)
    yield say("info.engine"), f"{engine.id} {opened.engine_version} · {edition}"
    yield say("info.kit"), _kit(game)
    yield say("info.readings"), _readings(game)
    yield say("info.preset"), opened.preset
    yield say("info.take_backs"), _take_backs(opened.take_backs_need_judge)
    yield say("info.house_rules"), ", ".join(opened.house_rules)
    yield say("info.entries"), f"{len(game.entries)} · #{_last(game)}"
    yield say("info.pending"), numbered(game.waiting)
    yield say("info.held"), _held(game)
    yield say("info.disputes"), ", ".join(_disputes(game))
    yield say("info.head"), head_code(game.head)


def _opening(game: Game) -> str:
    opening = game.steps[0].action
    return game.engine.text(opening) if opening is not None else ""


def _last(game: Game) -> int:
    """The number of the last action that is neither taken back nor corrected away."""
    return (game.numbers() or [0])[-1]


def _provenances(game: Game) -> dict[str, int]:
    """How many data of the box are known from where."""
    return dict(Counter(datum.provenance for datum in game.sheet.datums()))


def _kit(game: Game) -> str:
    counted = (f"{n} {say(f'provenance.{known}')}" for known, n in _provenances(game).items())
    return f"{game.sheet.content['kit']} · {', '.join(counted)}"


def _readings(game: Game) -> str:
    known = game.engine.readings
    unusual = (
        f"{name}={value}"
        for name, value in game.setting.readings.items()
        if value != known[name].default
    )
    return ", ".join(unusual) or say("info.all_default", count=len(known))


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
