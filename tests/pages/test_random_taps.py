"""Random legal games by taps, of all seats: with no phone, where whoever has a secret to tell holds
the tablet first, and with one. On an upright tablet and on a phone that lies on the table.

``make taps`` prints how many taps an action took with the one that logs it, whether a tap on
something that was lit was refused, and how long the answer took.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from engines.kernel import Setting
from engines.kernel.registry import load_engine
from referee.game_check.random_games import completed, pick
from replays.gallery import samples
from service.pages.table import by_whom
from tests.pages.club import PHONE, TABLET, Club, ready
from tests.pages.player import WAITS, data_of, logged, say_line, tell_here, told_waits
from tests.playing import open_game, tables_of
from tools.measure.bench.bench_taps import MEAN

ACTIONS = 30
SCREENS = {"820x1180": TABLET, "390x844": {**PHONE, "viewport": {"width": 390, "height": 844}}}
KINDS = [
    (engine, screen, phones) for engine in samples() for screen in SCREENS for phones in (0, 1)
]


class Evening:
    """A table whose set-up is done, and the device that lies on it."""

    def __init__(self, club: Club, devices: Any, engine: str, screen: str, phones: int) -> None:
        self.club, self.rng = club, random.Random(f"{engine} {screen} {phones}")
        setup = tables_of(engine).SETUPS
        begun = open_game(load_engine(engine), setup[sorted(setup)[phones]](self.rng))
        opening, *laid = [begun.engine.text(each.action) for each in begun.judgements]
        seats = {seat: f"Player {seat}" for seat in begun.setting.seats}
        self.game = club.table(engine, opening.removeprefix("table "), laid, **seats)
        device = devices("table", self.game, **SCREENS[screen])
        device.context.add_init_script(WAITS)
        self.phones = {
            seat: ready(
                devices(f"seat:{seat}", self.game, **PHONE).open(f"/games/{self.game}/seat")
            )
            for seat in [*seats][:phones]
        }
        self.page = ready(device.open(f"/games/{self.game}"))

    @property
    def now(self) -> Any:
        return self.club.store_context.bench.game(self.game)

    def next_line(self) -> str:
        """Something that may happen, whether it can be listed or not."""
        now = self.now
        setting: Setting[Any] = now.setting
        options = now.engine.options(setting, now.state)
        if options:
            return str(now.engine.text(pick(options, self.rng)))
        return completed(now.engine, setting, now.state, self.rng)

    def say(self, line: str) -> int:
        """Where it can be said: on the table, or by whoever alone knows it."""
        before = self.now.version
        seat = by_whom(line)
        logged(self.page, before)
        tray = self.page.locator(f"#trays .tray[data-verb='{line.split()[0]}']").count()
        if tray or line in data_of(self.page)["lines"] or not seat or not self.is_secret(line):
            taps = say_line(self.page, line)
        elif seat in self.phones:
            logged(self.phones[seat], before)
            taps = say_line(self.phones[seat], line)
        else:
            taps = tell_here(self.page, seat, line)
        logged(self.page, before + 1)
        return taps

    def is_secret(self, line: str) -> bool:
        action = self.now.engine.read(line)
        return bool(action.known_to("") != action)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("engine", "screen", "phones"),
    [
        pytest.param(*kind, marks=pytest.mark.in_turn(place, len(KINDS)))
        for place, kind in enumerate(KINDS)
    ],
)
def test_random_actions_take_few_taps_and_none_is_refused(
    club: Club, devices: Any, engine: str, screen: str, phones: int
) -> None:
    evening = Evening(club, devices, engine, screen, phones)
    said: list[tuple[str, int]] = []
    while len(said) < ACTIONS and not evening.now.state.over:
        line = evening.next_line()
        said.append((line, evening.say(line)))
        assert club.lines(evening.game)[-1] == line
    mean = sum(taps for _, taps in said) / len(said)
    refused = evening.page.evaluate("window.refused ?? 0")
    print(
        f"{engine} {screen}, {phones} phones: {mean:.2f} taps for each of {len(said)}; "
        f"{refused} refused; {told_waits(evening.page)}"
    )
    assert refused == 0
    assert mean <= MEAN, [row for row in said if row[1] > 2]
