"""Signing keys, passphrases and secrets that a user keeps on this computer, not in the store."""

from __future__ import annotations

import os
import sys

import typer

from cli.i18n import say
from cli.session import Session, data_folder
from referee.errors import Misused
from referee.proof.commitments import Keep
from referee.proof.keys import KeyRing


def key_ring() -> KeyRing:
    return KeyRing(data_folder() / "keys")


def secret_keep() -> Keep:
    return Keep(data_folder() / "secrets")


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


def unlocking(here: Session, ring: KeyRing, name: str) -> str:
    """The passphrase of a key of ours, if it has one."""
    return passphrase(here, name) if ring.is_locked(name) else ""
