"""The table on a tablet beside the board: what happened is tapped, and judged at once."""

from __future__ import annotations

from answers.admin.access import unseated_roles_given_by
from answers.answer import Data
from answers.play.trays import TrayRow
from answers.rulebooks.games import form_label, secret_verbs, small_words
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.table_common import TableView, sheet

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
)


class Sayable(Data):
    """What can be said next, as far as it can be listed."""

    lines: list[str] = []
    templates: list[str] = []
    names: dict[str, str] = {}
    labels: dict[str, str] = {}
    """What the button of a line or of a form says."""
    whose: dict[str, str] = {}
    """Who would do it, where several could act now."""
    small: list[str] = []
    """Words that only join others: they are offered once a line is begun."""
    trays: list[TrayRow] = []
    """What lies ready to be laid by tapping it; it is in no other list."""
    pictures: dict[str, str] = {}
    """Where the club's own pictures of components are, by their words."""


class TablePage(TableView):
    sayable: Sayable
    sealed: list[str]
    """What seats have sealed and not told yet."""
    may: dict[str, bool]
    on_table: bool
    """This device lies on the table: it shows what everybody may see."""
    gives: list[str]
    """The roles without a seat to which others may be invited."""
    keeps: str | None
    """A role that runs the house and lies on the table with this device: its id."""
    tells: list[str]
    """The seats that have something to tell which only they may know."""


@page("table", "/games/{game}")
def table(page_context: PageContext) -> Shown:
    shown = sheet(page_context)
    may = {name: page_context.may(name) for name in TOOLS}
    goes_on = shown.at is None and not (shown.closed or shown.held)
    may["log"] = may["log"] and goes_on
    title = f"{shown.name} {shown.title}".strip()
    said = sayable(page_context, shown) if may["log"] else Sayable()
    sealed = [
        f"{row.id} {row.seat} {row.what}"
        for row in page_context.ask("secret-list").data.secrets
        if row.value is None
    ]
    on_table = page_context.principal.on_table
    open_lines = _in_public(said, shown.engine) if on_table else said
    withheld = open_lines != said or not (open_lines.lines or open_lines.templates)
    it = TablePage(
        **dict(shown),
        sayable=open_lines,
        sealed=sealed,
        may=may,
        on_table=on_table,
        keeps=_keeps(page_context) if on_table else None,
        gives=unseated_roles_given_by(page_context.principal.kind) if may["access-code"] else [],
        tells=shown.to_act if on_table and may["log"] and withheld and not shown.over else [],
    )
    return Shown("table", title, it)


def _keeps(page_context: PageContext) -> str | None:
    """Everybody can reach what lies on the table: whoever runs the house does so elsewhere."""
    return next((role.id for role in page_context.roles if role.kind == "organiser"), None)


def by_whom(line: str) -> str | None:
    """The seat that a line names."""
    seat, blank, _ = line.partition(" ")
    return seat if blank and len(seat) == 1 and seat.isupper() else None


def _in_public(said: Sayable, engine: str) -> Sayable:
    """What is not told on a seat's own phone."""
    secret = secret_verbs(engine)

    def is_open(line: str) -> bool:
        return secret.isdisjoint(line.split()[:2])

    return Sayable(
        lines=[line for line in said.lines if is_open(line)],
        templates=[usage for usage in said.templates if is_open(usage)],
        names=said.names,
        labels={line: label for line, label in said.labels.items() if is_open(line)},
        whose={line: name for line, name in said.whose.items() if is_open(line)},
        small=said.small,
        trays=said.trays,
        pictures=said.pictures,
    )


def sayable(page_context: PageContext, table: TableView) -> Sayable:
    options = page_context.ask("options").data
    trays: list[TrayRow] = page_context.ask("trays").data.trays
    on_trays = {tray.verb for tray in trays}
    listed = [one for one in options.options if one.notation.split()[0] not in on_trays]
    forms = [form for form in options.templates if form.split()[0] not in on_trays]
    seats = {option.notation: by_whom(option.notation) for option in listed}
    people = table.seats if len({*seats.values()}) > 1 else {}
    return Sayable(
        lines=[*seats],
        templates=forms,
        names=options.names,
        labels={option.notation: option.label for option in listed}
        | {form: form_label(page_context.voice, table.engine, form) for form in forms},
        whose={line: people.get(by, by) for line, by in seats.items() if people and by},
        small=sorted(small_words(table.engine) & {word for line in seats for word in line.split()}),
        trays=trays,
        pictures=table.pictures,
    )
