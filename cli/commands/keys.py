"""``referee keys``: key pairs to sign with, and whom we trust."""

from pathlib import Path
from typing import Annotated

import typer

from answers.proof import signatures
from cli.local_keys import key_ring, passphrase
from cli.output import put_new
from cli.session import Reason, session
from referee.proof.keys import read_keys
from referee.table.bench import utc_now
from referee.untrusted.safe_toml import read_toml_file

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command()
def new(
    name: Annotated[str, typer.Argument()],
    lock: Annotated[bool, typer.Option("--lock")] = False,
) -> int:
    here = session()
    secret = passphrase(here, name, new=True) if lock else ""
    return here.answer(signatures.new_key, signatures.new_key(key_ring(), name, secret))


@app.command(name="list")
def list_keys() -> int:
    return session().answer(signatures.keys, signatures.keys(key_ring()))


@app.command()
def show(name: Annotated[str, typer.Argument()]) -> int:
    return session().answer(signatures.key, signatures.key(key_ring(), name))


@app.command()
def trust(
    name: Annotated[str, typer.Argument()],
    key: Annotated[str, typer.Argument()],
) -> int:
    return session().answer(signatures.trust, signatures.trust(key_ring(), name, key))


@app.command()
def revoke(
    name: Annotated[str, typer.Argument()],
    reason: Reason,
    since: Annotated[str | None, typer.Option("--since")] = None,
) -> int:
    answered = signatures.revoke(key_ring(), name, _moment(since), reason)
    return session().answer(signatures.revoke, answered)


@app.command()
def export(
    names: Annotated[list[str] | None, typer.Argument()] = None,
    output: Annotated[Path, typer.Option("-o", "--output")] = Path("keys.toml"),
    force: Annotated[bool, typer.Option("--force")] = False,
) -> int:
    text, count = signatures.keys_file(key_ring(), names or [])
    return put_new(
        session(),
        output,
        lambda: text,
        told=lambda voice: [voice.say("keys.exported", count=count, file=str(output))],
        force=force,
    )


@app.command(name="import")
def import_keys(file: Annotated[str, typer.Argument()]) -> int:
    found = read_keys(read_toml_file(file), file)
    return session().answer(signatures.take_keys, signatures.take_keys(key_ring(), found))


def _moment(since: str | None) -> str:
    """Now, or the beginning of a day, or a moment in UTC."""
    if since is None:
        return utc_now()
    return f"{since}T00:00:00.000Z" if "T" not in since else since
