"""Tells registered addresses of events: at least once, in their order, over crashes and restarts.

One thread looks what is owed, and each address has one of its own while something is sent to it, so
that no table and no other address waits. Of several workers and nodes one sends: who holds the
lease in the store. What is owed stands there before it is sent and until it has arrived.
"""

from __future__ import annotations

import hmac
import logging
import random
from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from threading import Event, Thread

from answers.context import StoreContext
from engines.kernel import Flaw, ParseError
from engines.kernel.messages.errors import MessageError
from referee.ids import new_id
from referee.record.entries import SPECTATOR
from referee.store.envelopes import StoreError
from referee.store.sidecars.webhooks import SECRET_MARK, Owed, Webhook
from referee.table.unreadable import is_unreadable
from service.auth import AccessControl, Principal
from service.outbound import Networks, NotDelivered, post
from service.problems import voice_in
from service.webhook_events import Later, WebhookEvent, event_of, owed_of

TICK = 1.0
"""Seconds between two looks at what is new."""
LEASE = timedelta(seconds=20)
RENEWED_EVERY = 5
"""The lease is renewed every so many looks."""
BATCH = 500
MOST_OWED = 1000
"""An address that is owed so much is looked at again when it has got some of it; until then the
entries keep the rest."""
FIRST_WAIT = timedelta(seconds=5)
LONGEST_WAIT = timedelta(hours=1)
GIVE_UP = 15
"""Failures in a row after which an address is disabled: some six hours."""
log = logging.getLogger("referee.service")


class WebhookSender:
    """The thread that tells addresses of what happens in a store."""

    def __init__(self, access_control: AccessControl, allowed: Networks = ()) -> None:
        self._access_control, self._allowed = access_control, allowed
        self._holder = new_id("s")
        self._stop = Event()
        self._thread: Thread | None = None
        self._sending: dict[str, Thread] = {}
        self._seen: dict[str, int] = {}
        """By address, the entry up to which it was looked; stored where something is owed."""

    @property
    def _context(self) -> StoreContext:
        return self._access_control.store_context

    def start(self) -> None:
        self._thread = Thread(target=self._run, daemon=True, name="webhooks")
        self._thread.start()

    def stop(self) -> None:
        """What is under way may arrive; where nobody knows whether it has, it is sent again."""
        self._stop.set()
        for thread in (self._thread, *self._sending.values()):
            if thread is not None:
                thread.join(2.0)

    def _run(self) -> None:
        looks, holds = 0, False
        while not self._stop.wait(TICK):
            try:
                if not self._context.has_webhooks or not self._context.webhooks.all():
                    continue
                if looks % RENEWED_EVERY == 0 or not holds:
                    holds = self._context.webhooks.lease(self._holder, LEASE)
                looks += 1
                if holds:
                    self.look()
            except StoreError as error:
                log.warning("telling webhooks: %s", error)
                self._stop.wait(RENEWED_EVERY * TICK)
            except Exception:
                log.exception("telling webhooks")
                self._stop.wait(RENEWED_EVERY * TICK)
        if holds:
            try:
                self._context.webhooks.end_lease(self._holder)
            except StoreError as error:
                log.warning("telling webhooks: %s", error)

    def look(self) -> None:
        """Note what every address is owed, and begin to send."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        for hook in self._context.webhooks.all():
            if hook.disabled:
                continue
            owed = self._owed(hook)
            under_way = self._sending.get(hook.id)
            if not owed or hook.due > now or (under_way is not None and under_way.is_alive()):
                continue
            sending = Thread(target=self._send_all, args=(hook, owed), daemon=True, name="webhook")
            self._sending[hook.id] = sending
            sending.start()

    def _owed(self, hook: Webhook) -> list[Owed]:
        hooks, store = self._context.webhooks, self._context.store
        owed = hooks.owed(hook.id)
        if len(owed) >= MOST_OWED:
            return owed
        seen = max(hook.position, self._seen.get(hook.id, 0))
        if seen > (last := store.position()):
            hooks.go_back(hook.id, last)
            self._seen[hook.id] = last
            return hooks.owed(hook.id)
        new: list[Owed] = []
        for number, stored in store.follow(seen, BATCH):
            seen = number
            try:
                new += owed_of(self._context, hook, number, stored)
            except (MessageError, Flaw, ParseError) as error:
                if isinstance(error, StoreError) and not is_unreadable(error):
                    raise
                log.warning("telling webhooks of %s: %s", stored.stream, error)
        self._seen[hook.id] = seen
        if new:
            hooks.owe(hook.id, seen, new)
            owed += new
        return owed

    # sending

    def _send_all(self, hook: Webhook, owed: list[Owed]) -> None:
        for each in owed:
            if self._stop.is_set() or self._context.webhooks.find(hook.id) is None:
                return
            try:
                if not self._send(hook, each):
                    return
            except Exception:
                log.exception("telling webhook %s", hook.id)
                return

    def _send(self, hook: Webhook, owed: Owed) -> bool:
        """Whether the address may be told the next."""
        hooks = self._context.webhooks
        told = self._told(hook, owed)
        if isinstance(told, Later):
            return True
        digest = ""
        if told is not None and told.standings:
            digest = sha256(repr(told.standings).encode()).hexdigest()
        if told is None or (digest and digest == hooks.standings_told(hook.id, owed.stream)):
            hooks.settle(owed)
            return True
        content = told.model_dump_json().encode()
        try:
            post(hook.address, content, signed(hook.secret, told.id, content), self._allowed)
        except NotDelivered as error:
            self._failed(hook, error.problem)
            return False
        if digest:
            hooks.note_standings(hook.id, owed.stream, digest)
        hooks.settle(owed)
        hooks.note_arrival(hook.id)
        return True

    def _told(self, hook: Webhook, owed: Owed) -> WebhookEvent | Later | None:
        """What an onlooker may be told of it by now; nothing where it cannot be read."""
        name = "tournament" if owed.stream.startswith("tournament-") else "game"
        operation = {"tournament": "tournament-info", "game": "info"}[name]
        path = {name: owed.stream}
        voice = voice_in("fr" if hook.lang == "fr" else "en")
        onlooker = Principal(hook.id, SPECTATOR, hook.scope)
        if owed.happening == "test":
            operation, path = "access-who", {}
        try:
            return event_of(self._access_control.caller(onlooker, operation, path, voice), owed)
        except (MessageError, Flaw, ParseError) as error:
            if isinstance(error, StoreError) and not is_unreadable(error):
                raise
            log.warning("telling webhook %s of %s: %s", hook.id, owed.stream, error)
            return None

    def _failed(self, hook: Webhook, problem: str) -> None:
        known = self._context.webhooks.find(hook.id)
        if known is None:
            return
        wait = wait_after(known.failures) if problem != "gone" else None
        self._context.webhooks.note_failure(hook.id, problem, wait)
        if wait is None:
            log.warning("webhook %s is disabled: %s", hook.id, problem)


def wait_after(failures: int, chance: Callable[[], float] = random.random) -> timedelta | None:
    """Exponential backoff with jitter; ``None``: that was the last try."""
    if failures + 1 >= GIVE_UP:
        return None
    doubled: timedelta = FIRST_WAIT * (1 << failures)
    return min(doubled, LONGEST_WAIT) * (0.75 + chance() / 2)


def signed(secret: str, id: str, content: bytes) -> dict[str, str]:
    """The headers of Standard Webhooks: id, time, and the HMAC over both and the content."""
    at = str(int(datetime.now(UTC).timestamp()))
    key = b64decode(secret.removeprefix(SECRET_MARK))
    made = hmac.digest(key, b".".join((id.encode(), at.encode(), content)), "sha256")
    return {
        "Content-Type": "application/json",
        "User-Agent": "referee",
        "Webhook-Id": id,
        "Webhook-Timestamp": at,
        "Webhook-Signature": f"v1,{b64encode(made).decode()}",
    }
