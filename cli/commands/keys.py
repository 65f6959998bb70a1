"""``referee keys``: key pairs to sign with, and whom we trust."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.session import Reason, Session, data_folder, session
from cli.speech import columns, say
from referee.errors import Conflicting, Misused
from referee.outside.files import read_toml_file, write_toml
from referee.proof.keys import KeyRing, Trusted, read_keys
from referee.table.bench import utc_now

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


def key_ring() -> KeyRing:
    return KeyRing(data_folder() / "keys")


def passphrase(here: Session, name: str, *, new: bool = False) -> str:
    """From REFEREE_PASSPHRASE, or asked for on a terminal."""
    if given := os.environ.get("REFEREE_PASSPHRASE"):
        return given
    if here.no_input or not sys.stdin.isatty():
        raise Misused("passphrase_needed", name=name)
    asked: str = typer.prompt(
        say("keys.passphrase", name=name), hide_input=True, confirmation_prompt=new, err=True
    )
    return asked


@app.command()
def new(
    name: Annotated[str, typer.Argument()],
    lock: Annotated[bool, typer.Option("--lock")] = False,
) -> int:
    here = session()
    made = key_ring().new(name, passphrase(here, name, new=True) if lock else "")
    lines = [
        say("keys.made", name=made.name, key=made.key),
        "  " + say("keys.made_more", name=made.name),
    ]
    return here.answer_plain("keys-new", key_data(made), lines)


@app.command(name="list")
def list_keys() -> int:
    here = session()
    ring = key_ring()
    known, own = list(ring.trusted().values()), ring.own()
    rows = columns((key.name, key.fingerprint, _standing(key, own)) for key in known)
    data = {"keys": [{**key_data(key), "own": key.name in own} for key in known]}
    return here.answer_plain("keys-list", data, rows or [say("keys.none")])


@app.command()
def show(name: Annotated[str, typer.Argument()]) -> int:
    here = session()
    ring = key_ring()
    key = ring.find(name)
    lines = [f"{key.name}  {key.key}", *filter(None, [_standing(key, ring.own())])]
    return here.answer_plain("keys-show", key_data(key), lines)


@app.command()
def trust(
    name: Annotated[str, typer.Argument()],
    key: Annotated[str, typer.Argument()],
) -> int:
    here = session()
    known = key_ring().trust(name, key)
    message = "keys.trusted" if known.name == name else "keys.known_as"
    lines = [say(message, name=name, known=known.name)]
    return here.answer_plain("keys-trust", key_data(known), lines)


@app.command()
def revoke(
    name: Annotated[str, typer.Argument()],
    reason: Reason,
    since: Annotated[str | None, typer.Option("--since")] = None,
) -> int:
    here = session()
    key = key_ring().revoke(name, _moment(since), reason)
    lines = [say("keys.revoked", name=key.name, since=str(key.revoked))]
    return here.answer_plain("keys-revoke", key_data(key), lines)


@app.command()
def export(
    names: Annotated[list[str] | None, typer.Argument()] = None,
    output: Annotated[Path, typer.Option("-o", "--output")] = Path("keys.toml"),
    force: Annotated[bool, typer.Option("--force")] = False,
) -> int:
    here = session()
    ring = key_ring()
    chosen = [ring.find(name) for name in names or ()] or list(ring.trusted().values())
    if output.exists() and not force:
        raise Conflicting("file_exists", file=str(output))
    output.write_text(write_toml({"keys": [key_data(key) for key in chosen]}), "utf-8")
    lines = [say("keys.exported", count=len(chosen), file=str(output))]
    return here.answer_plain("keys-export", {"file": str(output), "keys": len(chosen)}, lines)


@app.command(name="import")
def import_keys(file: Annotated[str, typer.Argument()]) -> int:
    here = session()
    added, revoked = key_ring().take_in(read_keys(read_toml_file(file), file))
    lines = [say("keys.imported", new=added, revoked=revoked)]
    return here.answer_plain("keys-import", {"file": file, "new": added, "revoked": revoked}, lines)


def key_data(key: Trusted) -> dict[str, Any]:
    return key.model_dump(mode="json")


def _standing(key: Trusted, own: list[str]) -> str:
    words = [say("keys.own")] if key.name in own else []
    if key.revoked is not None:
        words.append(say("keys.status_revoked", since=key.revoked, reason=key.reason))
    return ", ".join(words)


def _moment(since: str | None) -> str:
    """Now, or the beginning of a day, or a moment in UTC."""
    if since is None:
        return utc_now()
    return f"{since}T00:00:00.000Z" if "T" not in since else since
