"""``referee secret``: seal a hand or a look, and open it later."""

from typing import Annotated

import typer

from answers.proof import commitments
from cli.local_keys import secret_keep
from cli.session import Key, session
from referee.proof.commitments import Secret

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command()
def seal(
    seat: Annotated[str, typer.Argument()],
    what: Annotated[str, typer.Argument()],
    value: Annotated[list[str], typer.Argument()],
    key: Key = None,
) -> int:
    here = session()
    return here.run(commitments.seal, here.game_id(), secret_keep(), seat, what, value, key=key)


@app.command(name="open")
def open_secret(
    secret: Annotated[str, typer.Argument()],
    value: Annotated[list[str] | None, typer.Argument()] = None,
    salt: Annotated[str | None, typer.Option("--salt")] = None,
    key: Key = None,
) -> int:
    here = session()
    ask, game = here.caller.ask, here.game_id()
    if salt is None:
        told = ask(commitments.kept_secret, game, secret_keep(), secret)
    else:
        told = Secret(salt=salt, words=tuple(value or ()))
    return here.answer(
        commitments.open_sealed, ask(commitments.open_sealed, game, secret, told, key=key)
    )


@app.command()
def show(secret: Annotated[str, typer.Argument()]) -> int:
    """What this computer keeps of a sealed value, for its owner."""
    here = session()
    return here.run(commitments.show, here.game_id(), secret_keep(), secret)


@app.command(name="list")
def list_secrets() -> int:
    here = session()
    return here.run(commitments.secrets, here.game_id())
