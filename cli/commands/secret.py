"""``referee secret``: seal a hand or a look, and open it later."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli.session import Key, data_folder, session
from cli.speech import columns, say
from cli.telling import finding_line, findings_data
from engines.kernel import Verbatim
from referee.errors import NotFound
from referee.proof.sealed_values import (
    Keep,
    Secret,
    open_value,
    seal_value,
)
from referee.record.entries import SealedValue, Unsealed
from referee.record.game import Game

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


def secret_keep() -> Keep:
    return Keep(data_folder() / "secrets")


@app.command()
def seal(
    seat: Annotated[str, typer.Argument()],
    what: Annotated[str, typer.Argument()],
    value: Annotated[list[str], typer.Argument()],
    key: Key = None,
) -> int:
    here = session()
    answer = seal_value(
        here.bench,
        here.game_id(),
        secret_keep(),
        seat.upper(),
        what,
        value,
        author=here.author,
        key=key,
    )
    made = answer.entries[0].data
    assert isinstance(made, SealedValue)
    lines = [say("secret.sealed", id=made.id, seat=made.seat, what=made.what)]
    if made.what not in answer.game.engine.sealed:
        lines.append("  " + say("secret.not_checked", known=sorted(answer.game.engine.sealed)))
    return here.answer("secret-seal", _data(answer.game, made), lines)


@app.command(name="open")
def open_secret(
    secret: Annotated[str, typer.Argument()],
    value: Annotated[list[str] | None, typer.Argument()] = None,
    salt: Annotated[str | None, typer.Option("--salt")] = None,
    key: Key = None,
) -> int:
    here = session()
    game = here.game()
    told = _kept(game, secret) if salt is None else Secret(salt=salt, words=tuple(value or ()))
    answer = open_value(here.bench, game.id, secret, told, author=here.author, key=key)
    findings = answer.game.seal_findings(secret)
    lines = [say("secret.opened", id=secret, value=Verbatim(" ".join(told.words)))]
    lines += [f"  {finding_line(here.paint, game.engine, finding)}" for finding in findings]
    disputes = [entry.data.id for entry in answer.entries[1:] if hasattr(entry.data, "id")]
    lines += [f"  {say('tell.dispute_opened', id=dispute)}" for dispute in disputes]
    data = {
        **_data(answer.game, answer.game.seals[secret]),
        "findings": findings_data(findings),
        "disputes": disputes,
    }
    return here.answer("secret-open", data, lines)


@app.command()
def show(secret: Annotated[str, typer.Argument()]) -> int:
    """What this computer keeps of a sealed value, for its owner."""
    here = session()
    game = here.game()
    here.author.must_speak_for(game.closed_seal(secret).seat)
    kept = _kept(game, secret)
    words = " ".join(kept.words)
    lines = [
        words,
        "  " + say("secret.elsewhere", id=secret, value=Verbatim(words), salt=kept.salt),
    ]
    data = {"game": game.id, "id": secret, "salt": kept.salt, "value": list(kept.words)}
    return here.answer("secret-show", data, lines)


@app.command(name="list")
def list_secrets() -> int:
    here = session()
    game = here.game()
    rows = columns(
        (
            seal.id,
            seal.seat,
            seal.what,
            say("secret.status_open", value=Verbatim(_told(game.unsealed[seal.id])))
            if seal.id in game.unsealed
            else say("secret.status_sealed"),
        )
        for seal in game.seals.values()
    )
    data = {"game": game.id, "secrets": [_data(game, seal) for seal in game.seals.values()]}
    return here.answer("secret-list", data, rows or [say("secret.none")])


def _kept(game: Game, seal_id: str) -> Secret:
    kept = secret_keep().get(game.id, game.seal_named(seal_id).digest)
    if kept is None:
        raise NotFound("not_kept", id=seal_id)
    return kept


def _told(opened: Unsealed) -> str:
    return " ".join(str(word) for word in opened.value) if isinstance(opened.value, list) else "…"


def _data(game: Game, seal: SealedValue) -> dict[str, Any]:
    opened = game.unsealed.get(seal.id)
    return {
        "game": game.id,
        **seal.model_dump(mode="json"),
        "value": opened.value if opened is not None else None,
    }
