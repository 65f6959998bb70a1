"""Authorisation by role: the roles, and what a grant is made from.

A grant says which roles may ever ask an operation. What an operation writes decides it where it
writes: the kinds of entries and events know who may tell them. What depends on the table (whose
action it is, whether there is a judge) is asked by the core when the operation is carried out.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.record.entries import KINDS, ONLOOKERS, PLAYER, SPECTATOR, TABLE_DEVICE, Grants
from referee.record.permissions import IMPORT

ROLES = ("organiser", "judge", "scribe", TABLE_DEVICE, "seat", PLAYER, SPECTATOR)
PERSONAL = ("opened", "sealed", "unsealed", "signed")
"""Entries of a scribe who is a person: a device that lies on the table has no secret and no key."""


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
    """Whoever may tell this kind of entry in some circumstance."""

    kind: str

    def roles(self) -> frozenset[str]:
        told_by = KINDS[self.kind].TOLD_BY.values()
        roles = frozenset(role for grants in told_by for role in _roles(grants))
        logs = "scribe" in roles and self.kind not in PERSONAL
        return roles | {TABLE_DEVICE} if logs else roles


@dataclass(frozen=True)
class Tells:
    """Whoever may tell this kind of event of a tournament."""

    kind: str

    def roles(self) -> frozenset[str]:
        from referee.tournament.events import KINDS as EVENTS

        return frozenset(EVENTS[self.kind].BY) & EVERYBODY.names


Grant = Roles | Writes | Tells

EVERYBODY = Roles(frozenset(ROLES))
TABLE = Roles(EVERYBODY.names - ONLOOKERS)
KEEPERS = Roles(frozenset(("organiser", "judge", "scribe")))
HOSTS = Roles(KEEPERS.names | {TABLE_DEVICE})
"""Those who let others in at a table."""
JUDGES = Roles(frozenset(("organiser", "judge")))
ORGANISER = Roles(frozenset(("organiser",)))
IMPORTERS = Roles(frozenset(grant.split()[0] for grant in IMPORT))
NOBODY = Roles(frozenset())
"""Over the network nobody: it is done where the store, the files or the keys are."""


def _roles(grants: Grants) -> list[str]:
    """A grant by the role it is for: ``scribe alone`` is the scribe's, ``own seat`` a seat's."""
    return [next(role for role in ROLES if role in grant.split()) for grant in grants]
