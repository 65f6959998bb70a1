"""Webhooks: an organiser registers addresses, which a service tells of events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import time
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field

from answers import limits
from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.permissions import ORGANISER
from referee.errors import Misused, NotAllowed, NotFound
from referee.store.sidecars.webhooks import HAPPENINGS, Happening, Owed, Webhook
from referee.table.bench import IdempotencyKeyReused

OFFERED = tuple(each for each in HAPPENINGS if each != "test")
Chosen = Annotated[str, Field(max_length=20, pattern=f"^({'|'.join(OFFERED)})$")]
Choices = Annotated[Sequence[Chosen], Field(max_length=5, examples=[["round_paired", "result_in"]])]
"""What an address is told of; everything, if nothing is chosen."""
Address = Annotated[
    str,
    Field(
        max_length=500,
        pattern=r"^https?://[^\s\"<>#@]+$",
        examples=["https://club.example/referee"],
    ),
]
"""With ``https``; plain ``http`` only inside the house, where ``serve`` allows it."""
HookId = Annotated[str, Field(max_length=40)]
HookLanguage = Literal["en", "fr"]


class WebhookRow(Data):
    id: str
    """Names it in requests."""
    scope: str
    """The game or tournament that it is told of; empty for everything."""
    address: str
    """Where events are sent."""
    events: list[Happening]
    """What it is told of."""
    lang: HookLanguage
    """The language of the sentences."""
    created: str
    """Since when it is told."""
    waiting: int
    """How many events it has not got yet."""
    failures: int
    """How many deliveries have failed since the last one that arrived."""
    problem: str
    """Why the last delivery failed; empty if it arrived."""
    due: str
    """When it is tried again; empty if nothing failed."""
    disabled: str
    """Since when nothing is sent any more, after too many failures; empty while it is told."""


class WebhookListAnswer(Data):
    webhooks: list[WebhookRow]
    """The addresses, in the order in which they were registered."""


class WebhookAddedAnswer(WebhookRow):
    secret: str
    """Signs what is sent to it. It is shown this once."""


class WebhookTriedAnswer(WebhookRow):
    """The address, enabled."""


class WebhookRemovedAnswer(Data):
    id: str
    """The address that is told nothing any more."""


@operation("webhook-list", "GET /webhooks", grant=ORGANISER, scope="token", etag="content")
def webhooks(caller: Caller) -> Answered[WebhookListAnswer]:
    """The addresses within the caller's scope, and whether what is sent to them arrives."""
    context = caller.store_context
    known = context.webhooks.all() if context.has_webhooks else []
    found = [hook for hook in known if caller.scope in ("", hook.scope)]

    def render(voice: Voice) -> list[str]:
        return columns(_listed(voice, caller, hook) for hook in found) or [
            voice.say("webhook.none")
        ]

    return Answered(
        lambda: WebhookListAnswer(webhooks=[_row(caller, hook) for hook in found]), render
    )


@operation("webhook-add", "POST /webhooks", grant=ORGANISER, scope="token")
def add(
    caller: Caller,
    address: Address,
    *,
    events: Choices = (),
    scope: limits.Scope = "",
) -> Answered[WebhookAddedAnswer]:
    """Register an address that is told of events from now on, of one game or tournament or of all.

    What is sent is what an onlooker may see, and no earlier. It is signed with the secret that is
    answered here, as Standard Webhooks says; its sentences are in the language of this request.
    """
    scope = caller.find_stream(scope or caller.scope) if scope or caller.scope else ""
    if caller.scope not in ("", scope):
        raise NotAllowed("not_in_scope", scope=caller.scope)
    if not _is_address(address):
        raise Misused("bad_webhook_address", address=address)
    if unknown := [each for each in events if each not in OFFERED]:
        raise Misused("bad_webhook_event", event=unknown[0], events=[*OFFERED])
    chosen = [each for each in OFFERED if each in events or not events]
    context = caller.store_context
    asked = f"{caller.token} {caller.key}" if caller.key else ""
    lang, position = caller.voice.lang, context.store.position()
    made = context.webhooks.add(scope, address, chosen, lang, position, asked)
    if (made.scope, made.address, made.happenings) != (scope, address, tuple(chosen)):
        raise IdempotencyKeyReused("key_of_webhook", key=caller.key)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say(
            "webhook.added", id=made.id, address=address, happenings=_happenings(voice, made),
            scope=_scope(voice, made),
        )  # fmt: skip
        yield voice.say("webhook.secret", secret=made.secret)

    return Answered(
        lambda: WebhookAddedAnswer(**_row(caller, made).model_dump(), secret=made.secret), render
    )


@operation("webhook-remove", "DELETE /webhooks/{webhook}", grant=ORGANISER, scope="token")
def remove(caller: Caller, webhook: HookId) -> Answered[WebhookRemovedAnswer]:
    """Forget an address, and what it has not got yet."""
    found = _find(caller, webhook)
    caller.store_context.webhooks.remove(found.id)
    return Answered(
        lambda: WebhookRemovedAnswer(id=found.id),
        lambda voice: [voice.say("webhook.removed", id=found.id)],
    )


@operation("webhook-try", "POST /webhooks/{webhook}/test", grant=ORGANISER, scope="token")
def try_again(caller: Caller, webhook: HookId) -> Answered[WebhookTriedAnswer]:
    """Send a test to an address, and everything that waits, also if it was switched off."""
    found = _find(caller, webhook)
    hooks = caller.store_context.webhooks
    hooks.owe(found.id, found.position, [Owed(found.id, 0, "test", found.id, int(time()))])
    hooks.enable(found.id)
    return Answered(
        lambda: WebhookTriedAnswer(**_row(caller, _find(caller, found.id)).model_dump()),
        lambda voice: [voice.say("webhook.tried", id=found.id)],
    )


def _find(caller: Caller, id: str) -> Webhook:
    context = caller.store_context
    found = context.webhooks.find(id) if context.has_webhooks else None
    if found is None or caller.scope not in ("", found.scope):
        raise NotFound("no_such_webhook", id=id)
    return found


def _is_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
        spoken = parts.scheme in ("http", "https")
        return spoken and bool(parts.hostname) and parts.username is None and parts.port != 0
    except ValueError:
        return False


def _row(caller: Caller, hook: Webhook) -> WebhookRow:
    return WebhookRow(
        id=hook.id,
        scope=hook.scope,
        address=hook.address,
        events=[*hook.happenings],
        lang="fr" if hook.lang == "fr" else "en",
        created=hook.created,
        waiting=len(caller.store_context.webhooks.owed(hook.id)),
        failures=hook.failures,
        problem=problem_text(caller.voice, hook.problem),
        due=hook.due,
        disabled=hook.disabled,
    )


def problem_text(voice: Voice, problem: str) -> str:
    """``status 500`` and the like, as they are kept, in words."""
    kind, _, status = problem.partition(" ")
    return voice.say(f"webhook.problem_{kind}", status=status) if kind else ""


def state_text(voice: Voice, row: WebhookRow) -> str:
    """Whether what is sent to an address arrives."""
    if row.disabled:
        at = voice.moment(row.disabled)
        return voice.say("webhook.disabled", at=at, count=row.failures, problem=row.problem)
    if row.problem:
        due = voice.moment(row.due)
        return voice.say("webhook.failing", count=row.failures, problem=row.problem, due=due)
    return voice.say("webhook.fine")


def _happenings(voice: Voice, hook: Webhook) -> list[str]:
    return [voice.say(f"webhook.happening_{each}") for each in hook.happenings]


def _scope(voice: Voice, hook: Webhook) -> str:
    return hook.scope or voice.say("access.everything")


def _listed(voice: Voice, caller: Caller, hook: Webhook) -> tuple[str, ...]:
    row = _row(caller.speaking(voice), hook)
    return (
        hook.id,
        hook.address,
        _scope(voice, hook),
        ", ".join(_happenings(voice, hook)),
        state_text(voice, row),
        voice.say("webhook.waiting", count=row.waiting) if row.waiting else "",
    )
