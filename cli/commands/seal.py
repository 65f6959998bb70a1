"""``referee seal``: one file that pins all games of a round."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.commands.keys import key_ring, passphrase
from cli.session import session
from cli.speech import say
from cli.telling import short
from referee.errors import Conflicting, Misused
from referee.outside.files import read_toml_file, write_toml
from referee.proof.seals import check_seal, make_seal, read_seal
from referee.table.bench import utc_now

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command()
def make(
    title: Annotated[str, typer.Argument()],
    games: Annotated[list[str] | None, typer.Argument()] = None,
    everything: Annotated[bool, typer.Option("--all")] = False,
    key: Annotated[str | None, typer.Option("--key")] = None,
    output: Annotated[Path, typer.Option("-o", "--output")] = Path("seal.toml"),
    force: Annotated[bool, typer.Option("--force")] = False,
) -> int:
    here = session()
    if not games and not everything:
        raise Misused("which_games")
    if output.exists() and not force:
        raise Conflicting("file_exists", file=str(output))
    store = here.bench.store
    streams = store.streams("game-") if everything else [here.bench.find(g) for g in games or ()]
    ring = key_ring()
    secret = passphrase(here, key) if key is not None and ring.is_locked(key) else ""
    seal = make_seal(store, streams, title, utc_now(), ring, key or "", secret)
    content = seal.model_dump(mode="json")
    output.write_text(write_toml(content), "utf-8")
    lines = [say("seal.made", count=len(seal.games), file=str(output), root=seal.root[:16])]
    return here.answer_plain("seal-make", {"file": str(output), **content}, lines)


@app.command()
def check(file: Annotated[str, typer.Argument()]) -> int:
    here = session()
    seal = read_seal(read_toml_file(file))
    trusted = key_ring().trusted()
    problems = check_seal(here.bench.store, seal, trusted)
    lines = [here.paint("bold", seal.title)]
    for problem in problems:
        sign = here.paint("bad", "✘") if problem.breaks else here.paint("unsure", "?")
        name = trusted[seal.key].name if seal.key in trusted else ""
        told = say(f"seal.{problem.key}", game=short(problem.game), name=name)
        lines.append(f"  {sign} {told}")
    if seal.key in trusted and not any(problem.key.startswith("sig") for problem in problems):
        name = trusted[seal.key].name
        lines.append(f"  {here.paint('good', '✔')} {say('seal.signed', name=name)}")
    broken = any(problem.breaks for problem in problems)
    lines.append("  " + say("seal.broken" if broken else "seal.whole", count=len(seal.games)))
    data = {
        "file": file,
        "title": seal.title,
        "at": seal.at,
        "games": len(seal.games),
        "ok": not broken,
        "problems": [{"game": p.game, "problem": p.key, "breaks": p.breaks} for p in problems],
    }
    return here.answer_plain("seal-check", data, lines, code=6 if broken else 0)
