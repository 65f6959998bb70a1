"""Replays beside a naive one: a list of moments and a finger on one of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.context import Caller, StoreContext
from answers.i18n import Voice
from cli.replay_screen import Review
from engines.kernel.messages.catalogue import LANGUAGES, Language, normalize
from referee.record.game import Game
from referee.record.history import history
from tests.record.plain_history import PlainHistory, PlainMove
from tests.record.random_tables import GAMES, STEPS, Step, table_of, tried, with_toy

Wanted = Callable[[PlainMove], bool]
STORIES = max(6, int(os.environ.get("REFEREE_CHAOS", "0")))


class Finger:
    """On one of the moments; every key says where it goes next, or nowhere."""

    def __init__(self, game: Game, moves: list[PlainMove], notes: set[int]) -> None:
        self.game, self.moves, self.at = game, moves, 0
        self.sought = ""
        self.noted = notes
        self.disputed = {n for one in game.disputes.values() for n in one.numbers}

    @property
    def here(self) -> PlainMove:
        return self.moves[self.at]

    def press(self, key: str) -> bool:
        goes = {
            "right": [self.at + 1], "left": [self.at - 1],
            "pagedown": [min(self.at + 10, len(self.moves) - 1)],
            "pageup": [max(self.at - 10, 0)],
            "home": [0], "end": [len(self.moves) - 1],
            "]": self.later(self.other_seat), "[": self.earlier(self.other_seat),
            "n": self.later(self.has_note), "N": self.earlier(self.has_note),
            "i": self.later(self.is_irregular), "I": self.earlier(self.is_irregular),
            "d": self.later(self.is_disputed), "D": self.earlier(self.is_disputed),
            "x": self.later(self.is_gone), "X": self.earlier(self.is_gone),
        }[key]  # fmt: skip
        return self.put(goes)

    def find(self, text: str, lang: Language) -> bool:
        """Words; nothing means those that were sought last."""
        self.sought = text or self.sought
        wanted = normalize(self.sought)
        return self.put(
            self.later(
                lambda move: any(
                    wanted in normalize(told)
                    for told in (move.text, self.game.engine.text.told_in(move.text, lang))
                )
            )
        )

    def goto(self, number: int) -> bool:
        found = [at for at, move in enumerate(self.moves) if move.number == number]
        self.at = found[-1] if found else self.at
        return bool(found)

    def put(self, goes: list[int]) -> bool:
        if not goes or not 0 <= goes[0] < len(self.moves) or goes[0] == self.at:
            return False
        self.at = goes[0]
        return True

    def later(self, wanted: Wanted) -> list[int]:
        return [at for at in range(self.at + 1, len(self.moves)) if wanted(self.moves[at])]

    def earlier(self, wanted: Wanted) -> list[int]:
        return [at for at in range(self.at - 1, -1, -1) if wanted(self.moves[at])]

    def other_seat(self, move: PlainMove) -> bool:
        return move.seat is not None and move.seat != self.here.seat

    def has_note(self, move: PlainMove) -> bool:
        return move.number in self.noted

    def is_disputed(self, move: PlainMove) -> bool:
        return move.number in self.disputed

    def is_gone(self, move: PlainMove) -> bool:
        return move.status != "counts"

    def is_irregular(self, move: PlainMove) -> bool:
        if self.is_gone(move) or move.outcome != "legal":
            return True
        findings = self.game.step(move.number).verdict.findings
        return any(finding.status == "broken" for finding in findings)

    def board(self, lang: Language) -> list[str]:
        """As it is now; of what was taken back or corrected, as it was then."""
        move = self.here
        if move.status == "counts":
            step = self.game.step(move.number)
        elif move.number:
            step = self.game.gone[move.number].after
        else:
            step = self.game.steps[0]
        return self.game.engine.describe(step.state, step.setting, lang)


KEYS = ("right", "left", "pagedown", "pageup", "home", "end", *"][nNiIdDxX")
PRESSED = st.lists(
    st.sampled_from(KEYS)
    | st.integers(min_value=0, max_value=30)
    | st.integers(min_value=0, max_value=40).map(lambda at: ("find", at))
    | st.just(("find again", 0)),
    min_size=5,
    max_size=40,
)


@pytest.fixture(autouse=True)
def toy_is_a_game() -> Iterator[None]:
    with with_toy():
        yield


@pytest.mark.parametrize("name", GAMES)
@tried(STORIES)
@given(
    begun=st.integers(min_value=0, max_value=20),
    steps=STEPS,
    pressed=PRESSED,
    lang=st.sampled_from(LANGUAGES),
)
def test_a_replay_goes_where_a_finger_on_the_list_goes(
    name: str, begun: int, steps: list[Step], pressed: list[str | int], lang: Language
) -> None:
    table = table_of(name, begun, steps)
    game = table.game
    plain = PlainHistory(game, table.bench.store.read(game.id))
    moves = plain.in_order()
    voice = Voice(lang=lang)
    review = Review(Caller(StoreContext(table.bench.store, table.bench), voice=voice), voice, game)
    noted = {note["number"] for note in plain.notes.values() if note.get("on") is None}
    finger = Finger(game, moves, noted)
    for key in pressed:
        if isinstance(key, int):
            moved = finger.goto(key)
            review.goto(key)
        elif isinstance(key, tuple):
            text = moves[key[1] % len(moves)].text[-5:] if key[0] == "find" else ""
            if not text and not finger.sought:
                continue
            moved = finger.find(text, lang)
            review.search(text)
        else:
            moved = finger.press(key)
            review.press(key)
        assert (review.stepper.track.index, review.message == "") == (finger.at, moved), key
        moment = review.stepper.moment
        assert moment.label == f"#{finger.here.number}"
        assert moment.text == finger.here.text
        assert moment.counts == (finger.here.status == "counts")
        assert review.board() == finger.board(lang)
        here = [row for row in review.moves() if row[0]]
        assert len(here) == 1
        assert here[0][1].startswith(f"{'*' if finger.here.notes else ' '}#{finger.here.number} ")
        ids = [n["id"] for n in plain.notes.values() if n["number"] == finger.here.number]
        assert [note.id for note in review.stepper.notes()] == ids


@pytest.mark.parametrize("name", GAMES)
@tried(2 * STORIES)
@given(begun=st.integers(min_value=0, max_value=20), steps=STEPS)
def test_the_history_is_what_the_stored_lines_say_naively(
    name: str, begun: int, steps: list[Step]
) -> None:
    table = table_of(name, begun, steps)
    plain = PlainHistory(table.game, table.bench.store.read(table.id))
    told = [
        (
            line.number, line.seq, line.at, line.by, line.seat, line.text, line.outcome,
            list(line.clauses), line.stands, line.status, list(line.notes), line.settled or "",
        )
        for line in history(table.game)
    ]  # fmt: skip
    assert told == [tuple(vars(move).values()) for move in plain.in_order()]
