"""``referee sign``: vouch for the record as it stands."""

from typing import Annotated

import typer

from answers.proof import signatures
from cli.local_keys import key_ring, unlocking
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def sign(key: Annotated[str, typer.Argument()]) -> int:
    here, ring = session(), key_ring()
    secret = unlocking(here, ring, key)
    return here.run(signatures.sign, here.game_id(), ring, key, secret)
