"""Heads, signatures and verification of a tournament itself."""

from __future__ import annotations

from typing import Annotated

import typer

from answers.proof import signing
from answers.proof.verifying import stored_records
from answers.proof.verifying import verify as prove
from cli.keeping import key_ring, unlocking
from cli.session import session
from cli.tournament.desk import at


def head() -> int:
    here = session()
    caller, asked = at(here)
    return here.answer("head", signing.head(caller, caller.house.desk.find(asked)))


def sign(key: Annotated[str, typer.Argument()]) -> int:
    here, ring = session(), key_ring()
    caller, asked = at(here)
    secret = unlocking(here, ring, key)
    return here.answer(
        "sign", signing.sign(caller, caller.house.desk.find(asked), ring, key, secret)
    )


def verify(
    head: Annotated[list[str] | None, typer.Option("--head")] = None,
    signed_by: Annotated[list[str] | None, typer.Option("--signed-by")] = None,
) -> int:
    here = session()
    caller, asked = at(here)
    records = stored_records(caller, [caller.house.desk.find(asked)])
    answered = prove(caller, records, key_ring(), heads=head or [], signed_by=signed_by or [])
    return here.answer("verify", answered)
