"""``referee seal``: one file that pins all games of a round."""

from pathlib import Path
from typing import Annotated

import typer

from answers.proof import round_seals
from cli.local_keys import key_ring, unlocking
from cli.output import atomic_write, refuse_existing
from cli.session import session
from referee.errors import Misused
from referee.proof.round_seals import read_seal
from referee.untrusted.safe_toml import read_toml_file, write_toml

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
    here, ring = session(), key_ring()
    if not games and not everything:
        raise Misused("which_games")
    refuse_existing(output, force)
    secret = unlocking(here, ring, key) if key is not None else ""
    wanted = None if everything else games
    answered = here.caller.ask(round_seals.make, title, wanted, ring, key or "", secret)
    atomic_write(output, write_toml(answered.plain()).encode())
    told = answered.told
    written = here.voice.say("written", file=str(output))
    return here.answer(round_seals.make, answered.with_text(lambda voice: [*told(voice), written]))


@app.command()
def check(file: Annotated[str, typer.Argument()]) -> int:
    here = session()
    seal = read_seal(read_toml_file(file))
    return here.run(round_seals.check, seal, key_ring())
