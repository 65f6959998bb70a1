"""Authorisation by role: the roles, and what grants are made of.

A grant says which roles may ever call an operation. Where one writes, the kind of entry or event
decides, which knows who may write it. What depends on the table (whose action it is, whether there
is a judge) is checked by the core when the operation runs.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.record.entries import KINDS, ONLOOKERS, PLAYER, SPECTATOR, TABLE_DEVICE, Grants
from referee.record.permissions import IMPORT

ROLES = ("organiser", "judge", "scribe", TABLE_DEVICE, "seat", PLAYER, SPECTATOR)
PERSONAL = ("opened", "sealed", "unsealed", "signed")
"""Entries that only a person writes: a device on the table has no secret and no key."""


@dataclass(frozen=True)
class Roles:
    """These roles, by name."""

    names: frozenset[str]

    def __post_init__(self) -> None:
        if unknown := self.names - {*ROLES}:
            raise ValueError(f"no such role: {', '.join(sorted(unknown))}")

    def roles(self) -> frozenset[str]:
        return self.names


@dataclass(frozen=True)
class Writes:
    """Every role that may write this kind of entry in some circumstance."""

    kind: str

    def roles(self) -> frozenset[str]:
        told_by = KINDS[self.kind].TOLD_BY.values()
        roles = frozenset(role for grants in told_by for role in _roles(grants))
        logs = "scribe" in roles and self.kind not in PERSONAL
        return roles | {TABLE_DEVICE} if logs else roles


@dataclass(frozen=True)
class Tells:
    """Every role that may record this kind of tournament event."""

    kind: str

    def roles(self) -> frozenset[str]:
        from referee.tournament.events import KINDS as EVENTS

        return frozenset(EVENTS[self.kind].BY) & EVERYBODY.names


Grant = Roles | Writes | Tells

EVERYBODY = Roles(frozenset(ROLES))
TABLE = Roles(EVERYBODY.names - ONLOOKERS)
KEEPERS = Roles(frozenset(("organiser", "judge", "scribe")))
HOSTS = Roles(KEEPERS.names | {TABLE_DEVICE})
"""The roles that may invite others to a table."""
JUDGES = Roles(frozenset(("organiser", "judge")))
ORGANISER = Roles(frozenset(("organiser",)))
IMPORTERS = Roles(frozenset(grant.split()[0] for grant in IMPORT))
AUTHORS = Roles(EVERYBODY.names - {TABLE_DEVICE, SPECTATOR})
"""The people: whoever has a token of their own, but no device and no onlooker."""
NOBODY = Roles(frozenset())
"""Nobody over HTTP: it is done where the store, the files or the keys are."""


def _roles(grants: Grants) -> list[str]:
    """The roles in a grant: ``scribe alone`` is the scribe's, ``own seat`` a seat's."""
    return [next(role for role in ROLES if role in grant.split()) for grant in grants]
