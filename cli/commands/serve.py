"""``referee serve``: the same operations over HTTP, for everybody at the table."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from answers.admin import access, maintenance
from answers.context import StoreContext
from cli.commands.demo import BEGINNING, FIRST_TURN, SETUP, TABLE
from cli.i18n import say, write
from cli.session import Session, session
from referee.errors import Misused
from referee.store.sidecars.people import LONGEST_NAME
from referee.table.bench import Bench
from referee.untrusted.optional_packages import load

MOST_WORKERS = 64


def serve(
    *,
    port: Annotated[int, Field(ge=0, le=65535)] = 8420,
    lan: bool = False,
    cert: Path | None = None,
    key: Path | None = None,
    proxy: str | None = None,
    name: Sequence[str] = (),
    club: Annotated[str, Field(max_length=LONGEST_NAME)] = "",
    sample: bool = False,
    cold: bool = False,
    allow_origin: Sequence[str] = (),
    allow_webhook: Sequence[str] = (),
    docs: Path | None = None,
    workers: Annotated[int, Field(ge=1, le=MOST_WORKERS)] = 1,
) -> int:
    needs_web()
    here = session(creates=True)
    if workers > 1 and here.own_store == "memory:":
        raise Misused("workers_in_memory")
    if (copied := maintenance.before_upgrade(here.own_store)) is not None:
        write(copied.lines(here.voice))
    from service import server

    asked = server.ListenAddress(
        port,
        lan,
        cert,
        key,
        proxy,
        tuple(name),
        tuple(allow_origin),
        tuple(allow_webhook),
        docs,
        club.strip(),
    )
    listener, place = server.listening(asked)
    lines = welcome(here, place, f"table={_open_sample(here)}" if sample else "")
    if workers > 1:
        doubts = maintenance.about_workers(here.own_store, here.voice)
        lines = [*(say("warning", text=doubt) for doubt in doubts), *lines]
        from service.workers import Work, serve_with_workers

        work = Work(here.own_store, place, listener, verbose=here.verbose, cold=cold)
        serve_with_workers(work, workers, ready=lambda: write(lines))
        return 0
    server.serve(
        here.store_context,
        place,
        listener,
        ready=lambda: write(lines),
        verbose=here.verbose,
        cold=cold,
    )
    return 0


def serve_at(here: Session, port: int, query: str, told: list[str] | None = None) -> None:
    """Serve on this computer without snapshots, for rules that may change; ``told`` instead of
    the welcome, whose link leads where ``query`` says.
    """
    from service import server

    listener, place = server.listening(server.ListenAddress(port))
    lines = welcome(here, place, query) if told is None else told
    store = here.store_context.store
    served = StoreContext(store, Bench(store))
    server.serve(served, place, listener, ready=lambda: write(lines), cold=True)


def needs_web() -> None:
    for package in ("starlette", "uvicorn", "jinja2", "segno"):
        load(package, "web")


def _open_sample(here: Session) -> str:
    """A table to look at, open to everybody, unless there is a game already: which one it is."""
    from answers.play import actions, info, opening

    caller = here.caller
    if there := info.games(caller).data.games:
        return there[0].game
    opened = opening.open_table(caller, "benevolent", TABLE, players={"A": "Ana", "B": "Bo"}).data
    assert isinstance(opened, opening.NewAnswer)
    logged = actions.log(caller, opened.game, [*SETUP, FIRST_TURN, *BEGINNING])
    assert logged.outcome == "done"
    access.set_rules(caller, opened.game, open_to="everybody")
    return opened.game


def welcome(here: Session, place: Any, query: str = "") -> list[str]:
    """Where the server listens, and at last the one address to open, as its organiser.

    ``query`` says where it leads.
    """
    caller = here.organiser
    code = access.code(caller, "organiser", hours=1).data.code
    token = access.give(caller, "organiser", days=1).data.token
    addresses = [place.link(address) for address in place.addresses()]
    link = f"{addresses[0]}/j/{code}" + (f"?{query}" if query else "")
    lines = [say("welcome.listening", address=address) for address in addresses]
    if place.lan and place.cert is None and place.proxy is None:
        lines.append(say("welcome.no_tls"))
    lines += [say("welcome.token", token=token), say("welcome.stop"), say("welcome.once")]
    return [*lines, *_qr(link), say("welcome.open", link=link)]


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
