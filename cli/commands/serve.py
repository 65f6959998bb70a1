"""``referee serve``: the same operations over HTTP, for everybody at the table."""

from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from answers.admin import access, maintenance
from cli.commands.demo import BEGINNING, SETUP, TABLE
from cli.hints import hint_after
from cli.i18n import say, voice, write
from cli.session import Session, session
from referee.untrusted.optional_packages import load

CATALOGUES = ("service",)

app = typer.Typer(rich_markup_mode=None)


@app.command()
def serve(
    port: Annotated[int, typer.Option("--port", min=0, max=65535)] = 8420,
    lan: Annotated[bool, typer.Option("--lan")] = False,
    cert: Annotated[Path | None, typer.Option("--cert")] = None,
    key: Annotated[Path | None, typer.Option("--key")] = None,
    proxy: Annotated[str | None, typer.Option("--proxy")] = None,
    name: Annotated[list[str] | None, typer.Option("--host-name")] = None,
    sample: Annotated[bool, typer.Option("--sample")] = False,
    cold: Annotated[bool, typer.Option("--cold")] = False,
    docs: Annotated[Path | None, typer.Option("--docs")] = None,
) -> int:
    for package in ("starlette", "uvicorn", "jinja2", "segno"):
        load(package, "web")
    here = session(creates=True)
    if (copied := maintenance.before_upgrade(here.own_store)) is not None:
        write(copied.lines(here.voice))
    from service import server

    asked = server.Place(port, lan, cert, key, proxy, tuple(name or ()), docs)
    door, place = server.listening(asked)
    if sample:
        _open_sample(here)
    lines = _welcome(here, place)
    server.serve(
        here.house, place, door, ready=lambda: write(lines), verbose=here.verbose, cold=cold
    )
    return 0


def _open_sample(here: Session) -> None:
    """A table to look at, open to everybody, unless there is one already."""
    from answers.play import actions, info, opening

    caller = here.caller
    if info.games(caller).data.total:
        return
    opened = opening.open_table(caller, "benevolent", TABLE, players={"A": "Ana", "B": "Bo"}).data
    assert isinstance(opened, opening.NewAnswer)
    logged = actions.log(caller, opened.game, [*SETUP, "A step c1; pick", *BEGINNING])
    assert logged.outcome == "done"
    access.set_rules(caller, opened.game, open_to="everybody")


def _welcome(here: Session, place: Any) -> list[str]:
    """Where the service listens, and how its organiser gets in."""
    from cli.commands.access import organiser

    caller = organiser(here)
    code = access.code(caller, "organiser", hours=1).data.code
    token = access.give(caller, "organiser", days=1).data.token
    addresses = [place.link(address) for address in place.addresses()]
    link = f"{addresses[0]}/j/{code}"
    lines = [say("serve.ready", address=address) for address in addresses]
    lines += [say("serve.organiser"), f"  {link}", *_qr(link)]
    lines += [say("serve.token"), f"  {token}"]
    if place.lan and place.cert is None and place.proxy is None:
        lines.append(f"{say('serve.plain')} {hint_after('serve.plain', {}, voice())}")
    return [*lines, say("serve.stop")]


def _qr(link: str) -> list[str]:
    """The link for a phone's camera, in half blocks."""
    modules = [list(row) for row in import_module("segno").make(link, error="l").matrix_iter()]
    if len(modules) % 2:
        modules.append([0] * len(modules[0]))
    signs = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    return [
        "".join(signs[bool(top), bool(bottom)] for top, bottom in zip(*pair, strict=True))
        for pair in zip(modules[::2], modules[1::2], strict=True)
    ]
