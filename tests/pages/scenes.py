"""The pages as they are looked at: which one, as whom, and what has happened there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from answers.admin import access
from answers.context import Caller
from answers.judge.rulings import rule
from answers.play.actions import log
from answers.play.clocks import set_clock
from answers.play.lifecycle import finish
from answers.review import photos
from answers.review.notes import add
from answers.tournament.lifecycle import create
from referee.judging.rulings import Decision
from referee.table.author import Author
from referee.table.notes import Annotation
from referee.tournament.default_plans import usual_plan
from replays.gallery import sample
from tests.answers.conftest import SETUP
from tests.pages.club import Club
from tests.pages.event import new_event
from tests.pages.player import tool, type_line
from tests.photos import jpeg

LONG_NAMES = [
    f"{first} {last}"
    for first, last in zip(
        ("Marie-Françoise", "Bo", "Jean-Christophe", "Éléonore", "Maximilian", "Zoë") * 4,
        ("de La Rochefoucauld", "Ng", "Vanderstraeten", "O'Shaughnessy", "Nwosu", "Li",
         "Szczepaniak", "Papadopoulos-Christodoulou", "Ó Súilleabháin", "Abernathy", "Ek", "Moreau",
         "Grünwald", "Castellanos y Mendoza", "Bui", "Lefèbvre", "Wrzeszczyński", "Achterberg",
         "Oyelowo", "Kim", "Montgomery-Featherston", "Ito", "Rasmussen", "Dubois"),
        strict=True,
    )
]  # fmt: skip


@dataclass(frozen=True)
class Scene:
    name: str
    path: str
    role: str | None = None
    scope: str = ""
    prepare: Callable[[Any], None] = lambda page: None
    person: str | None = None


def sample_lines(engine: str) -> tuple[str, list[str]]:
    """The opening and the lines of the sample game."""
    game = sample(engine)
    opening, *lines = [game.engine.text(step.action) for step in game.steps if step.action]
    return opening.removeprefix("table "), lines


def scenes(club: Club) -> Iterator[Scene]:
    opening, lines = sample_lines("benevolent")
    game = club.table("benevolent", opening, lines[:24], A="Ana", B="Bo")
    access.set_rules(Caller(club.store_context), game, open_to="everybody")
    set_clock(Caller(club.store_context), game, 20 * 60)
    ready = _ready
    yield Scene("home", "/", "organiser")
    yield Scene("join", "/join")
    disputed = club.table("benevolent", opening, SETUP, A="Ana", B="Bo")
    log(Caller(club.store_context), disputed, ["step c3"], stands=True)
    yield Scene("judge", "/judge", "judge", prepare=ready)
    scribe = Caller(club.store_context)
    photos.add(scribe, disputed, jpeg(1600, 1200, colour="olive"), caption="as it lies")
    yield Scene("dispute", f"/games/{disputed}/disputes/d1", "judge", prepare=ready)
    yield from _archive(club, game)
    yield Scene("new", "/new", "organiser")
    yield Scene("opening", "/new/benevolent", "organiser", prepare=ready)
    yield Scene("rules", "/rules")
    yield Scene("box", "/box/broom_service?page=front.F1", "organiser", prepare=ready)
    yield Scene("key", "/box/benevolent/key")
    yield Scene("rulebook", "/rules/roundforest", prepare=ready)
    yield Scene("clause", "/rules/bethel_woods/BTW-UNC-2", "judge")
    yield Scene("table", f"/games/{game}", "scribe", game, ready)
    yield Scene("refused", f"/games/{game}", "scribe", game, _refused)
    yield Scene("clock", f"/games/{game}", "scribe", game, _clock)
    yield Scene("devices", f"/games/{game}", "scribe", game, _devices)
    yield Scene("replacing", f"/games/{game}", "scribe", game, _replacing)
    yield Scene("me", "/me", "scribe", game)
    yield from _over(club)
    yield from _on_the_table(club)
    yield Scene("seat", f"/games/{game}/seat", "seat:B", game, ready)
    yield Scene("watch", f"/games/{game}/watch", prepare=ready)


def _over(club: Club) -> Iterator[Scene]:
    """A game of seven rounds to its end, and what leads on from there."""
    opening, lines = sample_lines("broom_service")
    game = club.table("broom_service", opening, lines, A="Ana", B="Bo")
    yield Scene("over", f"/games/{game}", "organiser", prepare=_ready)
    yield Scene("won", f"/games/{game}/seat", "seat:B", game, _ready)


def _on_the_table(club: Club) -> Iterator[Scene]:
    """The device that everybody sees, while somebody has a secret to tell."""
    opening, lines = sample_lines("broom_service")
    hand = next(at for at, line in enumerate(lines) if "hand" in line.split()[:2])
    game = club.table("broom_service", opening, lines[:hand], A="Ana", B="Bo")
    yield Scene("on-table", f"/games/{game}", "table", game, _ready)


def _archive(club: Club, game: str) -> Iterator[Scene]:
    """What is found again: a closed game with a note, a ruling, a tournament."""
    judge = Caller(club.store_context, Author("pjudge", "judge"))
    opening, lines = sample_lines("bloody_grove")
    closed = club.table("bloody_grove", opening, lines, A="Cleo", B="Dana")
    finish(Caller(club.store_context), closed)
    add(judge, game, "12", Annotation(text="The well was dry already.", glyphs=("dubious",)))
    rule(judge, game, Decision("The leaf goes back to its pile.", clauses=("BEN-MOVE-3",)))
    organiser = Caller(club.store_context, Author("porg", "organiser"))
    create(organiser, "Spring Cup", usual_plan("benevolent", "swiss", 3))
    yield Scene("study", f"/games/{game}/study?at=11", "judge", prepare=_ready)
    yield Scene("noting", f"/games/{game}/study?at=11", "judge", prepare=_noting)
    yield Scene("tried", f"/games/{game}/study?at=11&try=A+pick&with=4", "judge", prepare=_ready)
    yield Scene("situation", "/try/benevolent", prepare=_ready)
    yield Scene("judged", "/try/benevolent?from=setup&try=A+pick", prepare=_asked)
    yield Scene("placing", "/try/roundforest", prepare=_placing)
    yield Scene("open-file", "/study")
    yield Scene(
        "beside", f"/games/{game}/study?at=11&other={_other(club)}", "judge", prepare=_ready
    )
    yield Scene("archive", "/archive", "judge")
    yield Scene("found", "/archive?words=well", "judge")
    yield Scene("tournaments", "/archive/tournaments", "judge")
    yield Scene("players", "/archive/players", "judge")
    yield Scene("rulings", "/rulings", "judge")
    yield Scene("statistics", "/statistics", "judge")
    yield from _hall(club)


def _other(club: Club) -> str:
    """Another game, which goes its own way after a while."""
    opening, lines = sample_lines("benevolent")
    return club.table("benevolent", opening, [*lines[:11], "A gather"], A="Eva", B="Fin")


def _hall(club: Club) -> Iterator[Scene]:
    """An event of 24 with long names in its second round."""
    event = new_event(club, LONG_NAMES)
    event.pair()
    event.start()
    for table in range(1, 13):
        event.result(table, *(("A", "B"), ("A=B",), ("B", "A"))[table % 3])
    event.close_round()
    event.pair()
    event.start()
    event.time(45)
    for table in (1, 5, 6):
        event.result(table, "B", "A")
    event.report(3, "A", "B")
    yield Scene("events", "/tournaments", "organiser", prepare=_ready)
    pages = {"event": "", "desk": "/desk", "wall": "/wall", "event-table": "/r2/t2"}
    seats = event.now.current_round.table(2).seats
    yield Scene("phone", event.page(f"/players/{seats[0]}"), "player", event.id, _ready, seats[0])
    for name, rest in {**pages, "player": f"/players/{event.player(LONG_NAMES[0])}"}.items():
        yield Scene(name, event.page(rest), "organiser", event.id, _ready)


def _ready(page: Any) -> None:
    page.wait_for_selector("body[data-ready]")


def _asked(page: Any) -> None:
    _ready(page)
    page.click(".asked summary")


def _noting(page: Any) -> None:
    """A note with a mark and an arrow, not yet kept."""
    _ready(page)
    page.click("#noting > summary")
    for spaces in (("c2", ""), ("a1", "b2")):
        for choice, space in zip(page.locator(".points select").all(), spaces, strict=True):
            choice.select_option(space)
        page.click("#point")


def _placing(page: Any) -> None:
    _ready(page)
    page.click("#place")
    page.select_option("#here select", "c3")


def _clock(page: Any) -> None:
    _ready(page)
    tool(page, "clock")


def _replacing(page: Any) -> None:
    _ready(page)
    tool(page, "replace")


def _devices(page: Any) -> None:
    _ready(page)
    tool(page, "devices")
    page.wait_for_selector("#dialog [data-do=put-out]")


def _refused(page: Any) -> None:
    _ready(page)
    type_line(page, "A pick")
    page.wait_for_selector("#verdict.bad")
