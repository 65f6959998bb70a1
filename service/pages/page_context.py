"""The request context of a page: who looks at it, and the operations asked in their name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import BaseModel

from answers.admin.access import role_name
from answers.answer import Answered
from answers.declaration import Params
from answers.file_answers import File
from answers.i18n import Voice
from answers.operations import OPERATIONS
from engines.kernel.values.numbers import whole_number
from service.auth import AccessControl, Principal
from service.device import FOR_MORE
from service.routing import Ask, carry_out


@dataclass(frozen=True)
class PageContext:
    """Request context of a page: pages call operations through it, and only so."""

    access_control: AccessControl
    principal: Principal
    voice: Voice
    path: Mapping[str, str]
    query: Mapping[str, str]
    address: str
    """The base URL that the browser uses: ``http://192.168.0.7:8420``."""
    wide: bool = False
    """A wide, low screen: parts of a picture stand side by side."""
    roles: tuple[Principal, ...] = ()
    """All roles of the device, the current one first."""
    club: str = ""
    """What the house calls itself."""
    docs: bool = False
    """The documentation is here to be read."""

    @property
    def game(self) -> str:
        return self.path["game"]

    def number(self, name: str) -> int | None:
        """A number in the address; none, where it has none or another text."""
        return whole_number(self.path.get(name) or self.query.get(name, ""))

    @property
    def shape(self) -> Literal["tall", "wide"]:
        """The shape of pictures that fits the screen."""
        return "wide" if self.wide else "tall"

    @property
    def seat(self) -> str | None:
        """The principal's seat at this table, if they have one."""
        at_this_table = self.principal.scope == self.path.get("game")
        is_seat = at_this_table and self.principal.kind == "seat"
        return self.principal.role.removeprefix("seat:") if is_seat else None

    def in_role(self, principal: Principal, **path: str) -> PageContext:
        """The same device in another of its roles, at the table that the path names."""
        return replace(self, principal=principal, path=path)

    def at_game(self, game: str) -> PageContext:
        """The same visitor at a game that the address does not name."""
        return replace(self, principal=self.access_control.seated(self.principal, game))

    @property
    def page_role(self) -> str:
        """What the scripts of the page say as whom it was made."""
        return self.principal.id + FOR_MORE if self.shows_more else self.principal.id

    @property
    def shows_more(self) -> bool:
        """Whether the page was opened for more than the table, on a device that lies there."""
        on_tables = {role.scope for role in self.roles if role.on_table}
        return not self.principal.on_table and self.path.get("game") in on_tables

    def able(self, operation: str) -> Principal | None:
        """Another role of the device that may ask what this one may not."""
        if self.may(operation):
            return None
        others = (self.in_role(role, **self.path) for role in self.roles)
        return next((other.principal for other in others if other.may(operation)), None)

    @property
    def role(self) -> str:
        """The role as the page shows it."""
        return role_name(self.voice, self.principal.role)

    @property
    def called(self) -> str:
        """The name of whoever looks, as far as there is one."""
        known = self.access_control.store_context.people.name(self.principal.person)
        return known or ""

    @property
    def nameless(self) -> bool:
        """Whether whoever looks runs the place and has no name: the code that a server tells at
        its start has none."""
        return (self.principal.person, self.principal.role) == ("anonymous", "organiser")

    @property
    def calls(self) -> int:
        """How many tables wait for a judge; at a table nobody counts them."""
        if "game" in self.path or not self.may("dispute-calls"):
            return 0
        return len(self.ask("dispute-calls").data.calls)

    def may(self, operation: str) -> bool:
        """Whether their role may ever ask this here; the operation itself has the last word."""
        return self.access_control.may_ever(self.principal, operation, self.path)

    def ask(self, operation: str, said: Params | None = None, /, **asked: Any) -> Answered[Any]:
        """Call an operation with the same checks as a request over HTTP: with what a request says,
        or by keyword with that and with what its path names."""
        answered = self._asked(operation, said, asked)
        assert isinstance(answered, Answered)
        return answered

    def file(self, operation: str, said: Params | None = None, /, **asked: Any) -> bytes:
        """The content of an operation that answers a file."""
        answered = self._asked(operation, said, asked)
        assert isinstance(answered, File)
        return answered.content

    def _asked(
        self, operation: str, said: BaseModel | None, asked: dict[str, Any]
    ) -> Answered[Any] | File:
        route = OPERATIONS[operation]
        here = {name: self.path[name] for name in route.names if name in self.path}
        named = here | {name: asked.pop(name) for name in route.names if name in asked}
        caller = self.access_control.caller(self.principal, operation, named, self.voice)
        if stream := named.get("game") or named.get("tournament"):
            looking_once = caller.store_context.expecting(stream, None)
            caller = replace(caller, store_context=looking_once)
        if said is None and route.says is not None:
            said = route.says(**asked)
        return carry_out(route, Ask(caller, named), said)
