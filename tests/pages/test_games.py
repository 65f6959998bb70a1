"""A game of each kind to its end by taps alone: a tablet, two phones, a spectator, a cut network.

From the first action of the set-up, in both languages; every commit plays another one, and ``make
taps`` all of them.

The sample game is played again as it is recorded, and on the way something illegal stands, a
seat objects, a line is corrected; at the end the record is closed and both seats confirm it.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from answers.admin import access
from answers.context import Caller
from engines.kernel import ParseError
from replays.gallery import sample, samples
from tests.pages.club import PHONE, TABLET, Club
from tests.pages.player import WAITS, compose_anything, data_of, logged, say_line, told_waits
from tools.measure.bench.bench_taps import LAID_BEFORE_PLAY, MEAN

KINDS = list(product(samples(), ("en-GB", "fr-FR")))


class Table:
    """A game that is played again, and those who sit at it."""

    def __init__(self, club: Club, devices: Any, engine: str, locale: str) -> None:
        self.club, self.engine = club, engine
        recorded = sample(engine)
        opening, *self.steps = [step for step in recorded.steps if step.action is not None]
        self.lines = [recorded.engine.text(step.action) for step in self.steps]
        self.stands = [step.item.stands for step in self.steps]
        seats = {seat: f"Player {seat}" for seat in recorded.setting.seats}
        text = recorded.engine.text(opening.action).removeprefix("table ")
        self.game = club.table(engine, text, [], **seats)
        self.typed = 0
        """Words that could not be tapped."""
        self.taps: list[tuple[str, int]] = []
        """Each line that was tapped as it is usual, and its taps."""
        access.set_rules(Caller(club.store_context), self.game, open_to="everybody")
        self.tablet = devices("scribe", self.game, locale=locale, **TABLET)
        self.tablet.expected = ("422", "ERR_FAILED", "Failed to fetch")
        self.tablet.context.add_init_script(WAITS)
        self.page = self.tablet.open(f"/games/{self.game}")
        first, second = list(seats)[:2]
        self.phones = {
            seat: devices(f"seat:{seat}", self.game, locale=locale, **PHONE)
            for seat in (first, second)
        }
        for phone in self.phones.values():
            phone.open(f"/games/{self.game}/seat").wait_for_selector("body[data-ready]")
        self.spectator = devices(locale=locale).open(f"/games/{self.game}/watch")
        self.page.wait_for_selector("body[data-ready]")
        self.spectator.wait_for_selector("body[data-ready]")

    @property
    def version(self) -> int:
        return self.club.store_context.bench.game(self.game).version

    def is_illegal(self, line: str) -> bool:
        """Refused where the game stands, though it can have happened."""
        game = self.club.store_context.bench.game(self.game)
        action = game.engine.read(line)
        try:
            strict, lenient = (
                game.engine.judge(game.setting, game.state, action, 1, lenient=each).accepted
                for each in (False, True)
            )
        except ParseError:
            return False
        return lenient and not strict

    def say(self, line: str, page: Any = None) -> None:
        page = page or self.page
        logged(page, self.version)
        before = self.version
        self.taps.append((line, say_line(page, line)))
        logged(page, before + 1)

    def say_anything(self, line: str) -> None:
        """Whether it is legal or not."""
        self.typed += compose_anything(self.page, line)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("engine", "locale"),
    [
        pytest.param(*kind, marks=pytest.mark.in_turn(place, len(KINDS)))
        for place, kind in enumerate(KINDS)
    ],
)
def test_a_game_is_refereed_to_its_end_by_taps(
    club: Club, devices: Any, engine: str, locale: str
) -> None:
    table = Table(club, devices, engine, locale)
    stood = False
    for place, (line, stands) in enumerate(zip(table.lines, table.stands, strict=True)):
        if place >= 3 and not stood:
            stood = stand_and_take_back(table)
        if place == 6:
            cut_the_network(table, line, stands)
            continue
        if place == 9:
            correct_the_last(table)
        if stands:
            say_all_the_same(table, line)
        else:
            table.say(line, of_the_seat(table, line))
    assert stood
    assert club.lines(table.game) == table.lines
    a_seat_objects(table)
    close_and_confirm(table)
    logged(table.spectator, table.version)
    check_budget(table)
    shown = table.spectator.locator("#moves li.counts .line").evaluate_all(
        "all => all.map(line => line.dataset.notation)"
    )
    assert [line for line in reversed(shown) if not line.startswith("table ")] == table.lines


def check_budget(table: Table) -> None:
    """What was counted on the page itself, with the taps that log. Only of what is against the
    rules some words are typed: nobody offers them. What a set-up takes as people lay it, with one
    stroke for several chips, is another test's (``test_set_up``)."""
    laid = LAID_BEFORE_PLAY[table.engine]
    split = next(
        (place for place, (line, _) in enumerate(table.taps) if verb_of(line) not in laid),
        len(table.taps),
    )
    set_up, play = ([taps for _, taps in part] for part in (table.taps[:split], table.taps[split:]))
    mean = sum(play) / len(play)
    print(
        f"{table.engine}: set-up {sum(set_up)} taps for {len(set_up)} actions; "
        f"play {mean:.2f} taps for each of {len(play)}; {table.typed} words of illegal ones typed"
    )
    print(f"{table.engine}: {told_waits(table.page)}")
    assert mean <= MEAN


def verb_of(line: str) -> str:
    seat, _, rest = line.partition(" ")
    return rest.partition(" ")[0] if len(seat) == 1 else seat


def of_the_seat(table: Table, line: str) -> Any:
    """Every fourth line that is a seat's own is said on its phone."""
    phone = table.phones.get(line[:1]) if line[1:2] == " " else None
    if phone is None or table.version % 4:
        return None
    logged(phone.page, table.version)
    return phone.page if line in data_of(phone.page)["lines"] else None


def stand_and_take_back(table: Table) -> bool:
    """A line that is illegal here happened all the same, and is taken back; if there is one."""
    before = table.version
    line = next(filter(table.is_illegal, dict.fromkeys(table.lines)), None)
    if line is None:
        return False
    say_all_the_same(table, line)
    table.page.click("#tools [data-do=undo]")
    table.page.wait_for_selector("#moves li.taken_back")
    assert table.version > before + 1
    return True


def say_all_the_same(table: Table, line: str) -> None:
    before = table.version
    logged(table.page, before)
    table.say_anything(line)
    table.page.click("#verdict.bad [data-do=stands]")
    logged(table.page, before + 1)


def cut_the_network(table: Table, line: str, stands: bool) -> None:
    """What is said while nobody answers waits, survives a reload, and is sent once."""
    before, place = table.version, "**/api/v1/games/*/actions"
    table.tablet.context.route(place, lambda route: route.abort())
    if stands:
        table.say_anything(line)
    else:
        logged(table.page, before)
        say_line(table.page, line)
    table.page.wait_for_selector("#waiting li")
    table.page.reload()
    table.page.wait_for_selector("#waiting li")
    assert table.version == before
    table.tablet.context.unroute(place)
    if stands:
        table.page.click("#verdict.bad [data-do=stands]")
    logged(table.page, before + 1)


def correct_the_last(table: Table) -> None:
    """The last line is replaced by itself, with a preview: all that follows is judged anew."""
    before = table.version
    logged(table.page, before)
    number = data_of(table.page)["last"]
    table.page.click(f"#moves [data-number='{number}'] [data-do=more]")
    table.page.click("#dialog [data-do=correct-it]")
    table.page.click("#dialog [data-do=preview]")
    table.page.wait_for_selector("#preview [data-do=send], #preview [data-do=stands]")
    if table.page.locator("#preview [data-do=stands]").count():
        table.page.click("#preview [data-do=stands]")
    table.page.click("#preview [data-do=send]")
    logged(table.page, before + 1)


def a_seat_objects(table: Table) -> None:
    phone = next(iter(table.phones.values())).page
    logged(phone, table.version)
    before = table.version
    phone.locator("#moves [data-do=more]").first.click()
    phone.click("#dialog [data-do=object-it]")
    phone.fill("#dispute-text", "?")
    phone.click("#dialog [data-do=send]")
    logged(phone, before + 1)
    logged(table.page, before + 1)
    assert table.page.locator("#notices p").count() >= 1


def close_and_confirm(table: Table) -> None:
    table.page.click("#tools [data-do=finish].main")
    table.page.click("#dialog [data-do=send]")
    table.page.wait_for_selector("#tools [data-do=reopen]")
    everybody = table.club.store_context.bench.game(table.game).setting.seats
    for phone in table.phones.values():
        phone.page.wait_for_selector("#own button.main[data-do=confirm]")
        phone.page.click("#own button.main[data-do=confirm]")
        phone.page.wait_for_selector("#own [data-do=confirm]", state="detached")
    game = table.club.store_context.bench.game(table.game)
    assert game.agreed == (len(everybody) == 2)
    assert set(table.phones) <= set(game.confirmed)
