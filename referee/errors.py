"""Errors other than illegal actions. Each front end maps them to an exit code or a status."""

from __future__ import annotations

from engines.kernel.messages.errors import MessageError


class RefereeError(MessageError):
    """The referee cannot do what it was asked to do."""

    group = "error"


class Misused(RefereeError):
    """A command that was not given what it needs."""


class NotFound(RefereeError):
    """No such game, action, clause, kit or seat."""


class Conflicting(RefereeError):
    """The record is not where the caller thinks it is."""


class Unfit(RefereeError):
    """Data that is invalid or has been altered."""


class Illegal(Unfit):
    """An action that is illegal where it was to be inserted."""


class HeldUp(RefereeError):
    """Play is held, and only a judge may resume it."""


class NotAllowed(RefereeError):
    """The author's role may not do this."""
