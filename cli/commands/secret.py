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
    answered = here.caller.ask(
        commitments.seal, here.game_id(), secret_keep(), seat, what, value, key=key
    )
    return here.answer("secret-seal", answered)


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
    return here.answer("secret-open", ask(commitments.open_sealed, game, secret, told, key=key))


@app.command()
def show(secret: Annotated[str, typer.Argument()]) -> int:
    """What this computer keeps of a sealed value, for its owner."""
    here = session()
    answered = here.caller.ask(commitments.show, here.game_id(), secret_keep(), secret)
    return here.answer("secret-show", answered)


@app.command(name="list")
def list_secrets() -> int:
    here = session()
    return here.answer("secret-list", here.caller.ask(commitments.secrets, here.game_id()))
