"""The table on a tablet beside the board: what happened is tapped, and judged at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

from answers.admin.access import unseated_roles_given_by
from answers.play.trays import TrayRow
from answers.rulebooks.games import (
    amount_verbs,
    can_be_seen,
    form_label,
    secret_verbs,
    small_words,
)
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.table_common import sheet, title_of

TOOLS = (
    "new",
    "log",
    "undo",
    "redo",
    "correct",
    "hold",
    "resume",
    "finish",
    "reopen",
    "note-add",
    "dispute-open",
    "access-code",
    "clock-set",
    "access-list",
    "ruling-issue",
    "people-rename",
    "kit-declare",
    "photo-add",
    "sight",
    "sight-confirm",
)


@dataclass(frozen=True)
class Sayable:
    """What can be said next, as far as it can be listed."""

    lines: list[str] = field(default_factory=list)
    templates: list[str] = field(default_factory=list)
    names: Mapping[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    """What the button of a line or of a form says."""
    whose: dict[str, str] = field(default_factory=dict)
    """Who would do it, where several could act now."""
    small: list[str] = field(default_factory=list)
    """Words that only join others: they are offered once a line is begun."""
    trays: list[TrayRow] = field(default_factory=list)
    """What lies ready to be laid by tapping it; it is in no other list."""
    pictures: Mapping[str, str] = field(default_factory=dict)
    """Where the club's own pictures of components are, by their words."""
    drawings: Mapping[str, str] = field(default_factory=dict)
    """Small drawings of components, by their words."""
    amounts: list[str] = field(default_factory=list)
    """The verbs whose numbers say how many: they stand for no piece of the picture."""
    secret: frozenset[str] = frozenset()
    """The lines that tell what only their seat may know."""

    @property
    def drawn(self) -> dict[str, str]:
        """The drawings of what its lines name, where the club has no picture of its own."""
        named = {word for line in self.lines for word in line.split()}.difference(self.pictures)
        return {word: self.drawings[word] for word in sorted(named & self.drawings.keys())}


@dataclass(frozen=True)
class Teller:
    """A seat that has something to tell of which the table sees nothing."""

    seat: str
    must: bool
    """The table cannot tell it in the open; else it may be told with more than everybody sees."""
    has_phone: bool


@page("table", "/games/{game}")
def table(page_context: PageContext) -> Shown:
    shown = sheet(page_context)
    info = shown.info
    may = {name: page_context.may(name) for name in TOOLS}
    may["log"] = may["log"] and shown.at is None and not (info.closed or info.held)
    listed = sayable(page_context, shown) if may["log"] else Sayable()
    on_table = page_context.principal.on_table
    in_public = _in_public(listed, info.engine) if on_table else listed
    counting = max((move.number for move in shown.moves if move.status == "counts"), default=0)
    return Shown(
        "table",
        title_of(page_context, shown),
        **vars(shown),
        undoable=counting > 0,
        redoable=any(
            move.status == "taken_back" and move.number > counting for move in shown.moves
        ),
        sayable=in_public,
        sees=may["log"] and may["sight"] and can_be_seen(info.engine),
        secrets=page_context.ask("secret-list").data.secrets,
        may=may,
        on_table=on_table,
        keeps=_keeps(page_context) if on_table else None,
        gives=unseated_roles_given_by(page_context.principal.kind) if may["access-code"] else [],
        tells=[*_tellers(page_context, listed, info.engine)] if on_table else [],
    )


def _keeps(page_context: PageContext) -> str | None:
    """Everybody can reach what lies on the table: whoever runs the house does so elsewhere."""
    return next((role.id for role in page_context.roles if role.kind == "organiser"), None)


def by_whom(line: str) -> str | None:
    """The seat that a line names."""
    seat, blank, _ = line.partition(" ")
    return seat if blank and len(seat) == 1 and seat.isupper() else None


def _tellers(page_context: PageContext, said: Sayable, engine: str) -> Iterator[Teller]:
    """Who tells something, or may tell more, on a phone of their own or behind a long press."""
    private = secret_verbs(engine)
    must = {by_whom(line) for line in said.secret}
    may = {by_whom(line) for line in said.lines if not private.isdisjoint(line.split()[:2])}
    for seat in sorted(filter(None, must | may)):
        has_phone = page_context.access_control.seat_has_device(page_context.game, seat)
        if seat in must or not has_phone:
            yield Teller(seat, seat in must, has_phone)


def _in_public(said: Sayable, engine: str) -> Sayable:
    """What everybody at the table may see told."""
    private = secret_verbs(engine)

    def is_open(line: str) -> bool:
        return line not in said.secret

    return replace(
        said,
        lines=[line for line in said.lines if is_open(line)],
        templates=[form for form in said.templates if private.isdisjoint(form.split()[:2])],
        labels={line: label for line, label in said.labels.items() if is_open(line)},
        whose={line: name for line, name in said.whose.items() if is_open(line)},
    )


def sayable(page_context: PageContext, table: SimpleNamespace) -> Sayable:
    engine: str = table.info.engine
    options = page_context.ask("options", drawings=True).data
    trays: list[TrayRow] = page_context.ask("trays").data.trays
    on_trays = {tray.verb for tray in trays}
    listed = [one for one in options.options if one.notation.split()[0] not in on_trays]
    forms = [form for form in options.templates if form.split()[0] not in on_trays]
    seats = {option.notation: by_whom(option.notation) for option in listed}
    people = table.info.seats if len({*seats.values()}) > 1 else {}
    return Sayable(
        lines=[*seats],
        templates=forms,
        names=options.names,
        labels={option.notation: option.label for option in listed}
        | {form: form_label(page_context.voice, engine, form) for form in forms},
        whose={line: people.get(by, by) for line, by in seats.items() if people and by},
        small=sorted(small_words(engine) & {word for line in seats for word in line.split()}),
        trays=trays,
        pictures=table.pieces.pictures,
        drawings=options.drawings,
        amounts=amount_verbs(engine),
        secret=frozenset(option.notation for option in listed if option.secret),
    )
