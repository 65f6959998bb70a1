"""``referee sign``: vouch for the record as it stands."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.commands.keys import key_ring, passphrase
from cli.session import session
from cli.speech import say
from referee.proof.heads import head_code
from referee.proof.signatures import sign as sign_record
from referee.record.entries import Signed

app = typer.Typer(rich_markup_mode=None)


@app.command()
def sign(key: Annotated[str, typer.Argument()]) -> int:
    here = session()
    ring = key_ring()
    secret = passphrase(here, key) if ring.is_locked(key) else ""
    answer = sign_record(
        here.bench, here.game_id(), ring, key, passphrase=secret, author=here.author
    )
    made = answer.entries[0].data
    assert isinstance(made, Signed)
    code = head_code(made.head)
    data = {
        "game": answer.game.id,
        "entry": answer.entries[0].seq,
        "signs": made.seq,
        "code": code,
        "head": made.head,
        "key": made.key,
    }
    return here.answer_plain("sign", data, [say("sign.done", name=key, signs=made.seq, code=code)])
