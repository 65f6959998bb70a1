"""Heads, signatures and verification of a tournament itself."""

from typing import Annotated

import typer

from answers.proof import signatures
from answers.proof.verification import stored_records
from answers.proof.verification import verify as prove
from cli.local_keys import key_ring, unlocking
from cli.session import session
from cli.tournament.context import at


def head() -> int:
    here = session()
    caller, tournament = at(here)
    return here.answer(
        signatures.head, caller.ask(signatures.head, caller.store_context.desk.find(tournament))
    )


def sign(key: Annotated[str, typer.Argument()]) -> int:
    here, ring = session(), key_ring()
    caller, tournament = at(here)
    secret = unlocking(here, ring, key)
    stream = caller.store_context.desk.find(tournament)
    return here.answer(signatures.sign, caller.ask(signatures.sign, stream, ring, key, secret))


def verify(
    head: Annotated[list[str] | None, typer.Option("--head")] = None,
    signed_by: Annotated[list[str] | None, typer.Option("--signed-by")] = None,
) -> int:
    here = session()
    caller, tournament = at(here)
    records = caller.ask(stored_records, [caller.store_context.desk.find(tournament)])
    answered = caller.ask(prove, records, key_ring(), heads=head or [], signed_by=signed_by or [])
    return here.answer(prove, answered)
