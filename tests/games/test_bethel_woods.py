"""The complete games of Bethel Woods, turn by turn, and what random games cannot say."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engines.bethel_woods import ENGINE
from engines.bethel_woods.actions import RevealTile
from engines.bethel_woods.holdings import held
from engines.bethel_woods.picture import touched
from engines.bethel_woods.rules.turn import names
from engines.bethel_woods.state import Turn
from engines.kernel import Judgement, KitSheet, ParseError, Setting, Verdict
from engines.kernel.dialogue.clause_text import because
from referee.cases.runner import CaseTable, run_at
from tests.playing import Strays, random_game
from tests.test_cases import files_of, read

SETUP = """table A B first A; A char nova; B char linny
    draw E5; draw D3; draw D6; draw D5; draw E2; draw M3"""


class Play:
    """A table on which lines are played."""

    def __init__(self, opening: str, kit: dict[str, Any] | None = None) -> None:
        action = ENGINE.read(opening)
        sheet: KitSheet = ENGINE.kit_sheet(None)
        for path, value in (kit or {}).items():
            sheet = sheet.declare(path, value, "the box of this test")
        self.setting: Setting[Any] = ENGINE.setting(action, sheet)  # type: ignore[arg-type]
        self.last: Judgement[Any] = ENGINE.open(self.setting, action)  # type: ignore[arg-type]
        self.number = 0

    @property
    def state(self) -> Any:
        return self.last.state

    def hear(self, text: str, *, lenient: bool = False) -> Verdict:
        judged = ENGINE.judge(
            self.setting, self.state, ENGINE.read(text), self.number + 1, lenient=lenient
        )
        if judged.accepted:
            self.last = judged
            self.number += 1
        return judged.verdict

    def play(self, lines: str) -> None:
        for text in (text for line in lines.splitlines() for text in ENGINE.notation.split(line)):
            verdict = self.hear(text)
            assert verdict.outcome == "legal", (self.number, text, verdict.breaches)

    def declare(self, position: dict[str, Any]) -> None:
        action = ENGINE.text.load({"verb": "position", **position})
        self.last = ENGINE.judge(self.setting, self.state, action, self.number + 1)
        assert self.last.accepted, self.last.verdict.breaches
        self.number += 1


def opened(lines: str) -> Play:
    first, *others = ENGINE.notation.split(lines.replace("\n", ";"))
    game = Play(first)
    game.play("; ".join(others))
    return game


def test_an_uncounted_supply_leaves_the_loss_undecided() -> None:
    game = Play("table A B first A", kit={"malfunctions": {}})
    game.play("A char nova; B char linny; draw E5; draw D3; draw D6; draw D5; draw E2; draw M3")
    assert game.state.supply.count is None
    game.play("take 6 ccw; drop D; drop S")
    ended = game.hear("end")
    assert (ended.outcome, ended.clause) == ("undecided", "BTW-LOSE-1")
    number = game.number
    game.play("draw E1; draw E1")
    placed = game.hear("draw E1")
    assert [(f.status, f.clause, f.entries) for f in placed.findings] == [
        ("cleared", "BTW-LOSE-1", (number,))
    ]
    assert not game.hear("audit supply 3").findings


def test_an_uncounted_supply_that_the_table_counts_can_lose_the_game() -> None:
    game = Play("table A B first A", kit={"malfunctions": {}})
    game.play("A char nova; B char linny; draw E5; draw D3; draw D6; draw D5; draw E2; draw M3")
    game.play("take 6 ccw; drop D; drop S")
    game.hear("end")
    counted = ENGINE.positions.adjust(game.setting, game.state, {"supply": 2})
    assert counted.outcome == "lost_supply"
    assert ENGINE.positions.adjust(game.setting, game.state, {"supply": 3}).outcome is None


def test_a_box_of_which_only_the_total_is_known() -> None:
    game = Play("table A B first A", kit={"malfunctions": {"total": 9}})
    game.play("A char nova; B char linny; draw E5; draw E5; draw E5; draw E1; draw E1; draw E1")
    assert (game.state.supply.count, game.state.supply.tokens) == (3, None)
    game.play("take 6 ccw; drop D; drop S; end; draw E1; crit 1 fee; draw E2; draw E2; spy 3")
    game.play("take 5 cw; drop S; drop E; drop D")
    assert game.hear("end").effects[-1].clause == "BTW-LOSE-1"
    assert game.state.outcome == "lost_supply"


def test_a_total_takes_the_place_of_the_counts_of_each_kind() -> None:
    box = ENGINE.kit_sheet(None)
    stated = ENGINE.kit_model.stated(box, "malfunctions.total", 80)
    assert stated == ("malfunctions", {"total": 80})
    own = box.declare(*stated, "counted")
    assert ENGINE.read_kit(own).malfunctions.count == 80
    assert ENGINE.kit_model.stated(own, "malfunctions.total", 81) == ("malfunctions.total", 81)


def moved(lines: str, line: str) -> list[str]:
    """What is told to have moved by a line that stands, after others."""
    game = Play("table A B first A")
    game.play("A char nova; B char linny; draw E5; draw E5; draw E5; draw D3; draw D6; draw M1")
    game.play(lines)
    before = game.state
    game.hear(line, lenient=True)
    found = ENGINE.moves(before, game.state, game.setting, game.last.action)
    return found.told(ENGINE.words, "en")


def test_a_draw_that_the_box_cannot_have_moves_one_token() -> None:
    assert moved("take 1 cw; drop D; drop E; end", "draw E5") == ["machine 5 gets E5"]


def test_workers_taken_out_of_turn_are_with_whoever_took_them() -> None:
    taken = ["machine 3 → B: 1 mechanic, 1 electrician"]
    assert moved("take 1 cw; drop D", "B take 3 cw") == taken


def test_an_adjusted_supply_is_counted_from_there() -> None:
    game = opened(SETUP)
    lost_one = ENGINE.positions.adjust(game.setting, game.state, {"supply": 65})
    assert lost_one.supply.count == 65
    assert lost_one.offsets == {"supply": -1}


@pytest.mark.parametrize(
    ("changes", "offsets"),
    [
        ({"machines": {"1": {"workers": "D"}}}, {"workers E": -1}),
        ({"machines": {"1": {"spy": True}}, "returned": [1]}, {"spy 1": 1}),
        ({"discard_pile": ["E5"] * 3}, {"E5": 1, "supply": 3}),
    ],
)
def test_an_adjustment_says_what_is_too_many_or_missing(changes: Any, offsets: Any) -> None:
    game = opened(SETUP)
    assert ENGINE.positions.adjust(game.setting, game.state, changes).offsets == offsets


def test_linny_must_say_which_of_two_equal_tokens() -> None:
    game = opened("table A B first A; A char linny; B char nova")
    game.declare(
        {
            "machines": {
                "1": {"workers": "DE", "tokens": ["M4"]},
                "2": {"workers": "MD"},
                "3": {"workers": "ME"},
                "4": {"workers": "MS", "tokens": ["M4"]},
                "5": {"workers": "SE"},
                "6": {"workers": "SD"},
            },
            "players": {"A": {"knowledge": ["S4"]}},
        }
    )
    with pytest.raises(ParseError, match="which_machine"):
        game.hear("linny pay S4 remove M4")
    game.play("linny pay S4 remove M4@1")
    assert game.state.machines[1].tokens.size == 0
    assert game.state.discard_pile == ("S4", "M4")


@pytest.mark.parametrize(
    ("french", "english"),
    [
        ("A personnage nova", "A char nova"),
        ("pioche e5@réserve", "draw E5@supply"),
        ("espion 4", "spy 4"),
        ("critique 4 déviation", "crit 4 divert"),
        ("prend 5 horaire", "take 5 cw"),
        ("prend 5 anti-horaire see", "take 5 ccw SEE"),
        ("dépose ingénieur@6", "drop S@6"),
        ("répare e1 e5", "fix E1 E5"),
        ("construit électricien paie e1 remplace d2 taxe s1", "build E pay E1 swap D2 fee S1"),
        ("démasque 4 paie m4 s4 supplément d1", "uncover 4 pay M4 S4 plus D1"),
        ("junas paie d1 donne d4 à b", "junas pay D1 give D4 to B"),
        ("linny paie s4 retire m4", "linny pay S4 remove M4"),
        ("fin", "end"),
        ("B défausse s4", "B discard S4"),
        ("table A B premier A niveau difficile espions 2", "table A B first A level hard spies 2"),
    ],
)
def test_french_words_are_read(french: str, english: str) -> None:
    assert ENGINE.read(french) == ENGINE.read(english)


def test_equal_payments_are_one_action() -> None:
    assert ENGINE.read("fix E5 E1") == ENGINE.read("fix E1 E5")
    assert ENGINE.text(ENGINE.read("B discard S4 E1 D2")) == "B discard S4 D2 E1"


# What is told of a refusal is so at the table.


def turn_of(state: Any, seat: str | None) -> Any:
    """The turn of a player: the one under way, or what was begun out of turn."""
    if seat is None or seat == state.active:
        return state.turn
    return state.begun.get(seat, Turn())


TRUE_FACTS: dict[str, Any] = {
    "active": lambda state, action, facts: facts["active"] == state.active,
    "hand": lambda state, action, facts: (
        facts["hand"] == names(turn_of(state, facts.get("seat", action.by)).hand)
    ),
    "origin": lambda state, action, facts: (
        facts["origin"] == turn_of(state, action.by or state.active).origin
    ),
    "owes": lambda state, action, facts: (
        (facts["owes"] or 0) == (state.owed.counts.get(action.by, 0) if state.owed else 0)
    ),
    "critical": lambda state, action, facts: facts["critical"] == state.critical,
    "possible": lambda state, action, facts: facts["possible"] == state.column.possible,
    "last_drop": lambda state, action, facts: (
        facts["last_drop"] == turn_of(state, action.by).last_drop
    ),
    "elsewhere": lambda state, action, facts: facts["elsewhere"] == state.where_is(facts["tile"]),
    "missing": lambda state, action, facts: all(
        state.players[facts["seat"]].knowledge[token] < ENGINE.text(action).split().count(token)
        for token in facts["missing"]
    ),
    "late": lambda state, action, facts: (
        not facts["late"] or turn_of(state, action.by).closed != "not_dropped"
    ),
    "there": lambda state, action, facts: (
        facts["there"] == names(state.machines[facts["machine"]].workers)
    ),
    "spy": lambda state, action, facts: (
        "possible" in facts or "at" in facts or facts["spy"] in state.spies
    ),
}
"""Names of facts, and whether such a fact is so in the state in which it was told."""


def refused_in_random_games() -> list[tuple[Any, Any, Any]]:
    """States, actions that are refused there, and what is told of it."""
    found = []
    for setup in ("2 players, hard", "3 players, normal", "4 players, insane"):
        played = random_game(ENGINE, setup, 1)
        strays = Strays(ENGINE, [a for a in played.actions if type(a) is not ENGINE.position])
        rng = random.Random(setup)
        for heard in rng.sample(played.judgements[:-1], 40):
            for _ in range(12):
                action = strays.draw(rng)
                try:
                    judged = ENGINE.judge(played.setting, heard.state, action, 9_999)
                except ParseError:
                    continue
                if not judged.accepted:
                    found.append((heard.state, judged.action, judged.verdict.breaches[0]))
    return found


def test_the_facts_of_a_refusal_are_so_at_the_table() -> None:
    checked = set()
    for state, action, point in refused_in_random_games():
        for name in point.facts.keys() & TRUE_FACTS.keys():
            checked.add(name)
            assert TRUE_FACTS[name](state, action, point.facts), (ENGINE.text(action), point)
    assert checked >= {"active", "hand", "origin", "possible", "missing"}


def test_the_sentence_of_a_refusal_has_no_empty_place() -> None:
    for _, action, point in refused_in_random_games():
        told = because(ENGINE, point, "en")
        assert told or ENGINE.clauses[point.clause].because is None, ENGINE.text(action)
        assert "none" not in told.replace("none was paid", ""), told


def machines_with(**tiles: str) -> dict[str, Any]:
    """The workers of the start, and tiles at the machines named so: ``m1="cap"``."""
    standing = zip("123456", ("DE", "MD", "ME", "MS", "SE", "SD"), strict=True)
    return {n: {"workers": w, "tile": tiles.get(f"m{n}")} for n, w in standing}


@pytest.mark.parametrize(
    ("said", "told", "answered"),
    [
        ({"discard_pile": ["S1", "D1"] * 4}, {"which": ["D1", "S1"]}, False),
        ({"discard_pile": ["D1", "S1"] * 4}, {"which": ["D1", "S1"]}, False),
        (
            {"machines": machines_with(m1="cap", m2="cap", m4="buildplus", m6="buildplus")},
            {"which": ["buildplus", "cap"]},
            False,
        ),
        (
            {"players": {"B": {"character": "fenn"}, "A": {"character": "fenn"}}},
            {"seat": "A", "owners": ["B"]},
            True,
        ),
    ],
)
def test_what_is_wrong_with_a_position_is_told_in_one_order(
    said: Any, told: Any, answered: bool
) -> None:
    game = Play("table A B first A")
    action = ENGINE.text.load({"verb": "position", "machines": machines_with(), **said})
    heard = ENGINE.judge(game.setting, game.state, action, 1)
    assert heard.accepted == answered
    (point,) = (*heard.verdict.breaches, *heard.verdict.doubted)
    assert point in (heard.verdict.doubted if answered else heard.verdict.breaches)
    assert {name: point.facts[name] for name in told} == told


def test_a_spy_too_many_is_compared_with_the_one_that_came_last() -> None:
    game = opened("table A B first A; A char nova; B char linny")
    machines = machines_with(m1="fee")
    machines["1"]["tokens"] = ["M1", "S1", "D1"]
    machines["2"]["spy"] = True
    game.declare({"machines": machines, "phase": "placing", "returned": [5]})
    game.play("draw E1; draw M3; draw M4; spy 6")
    (breach,) = game.hear("spy 3").breaches
    assert (breach.clause, breach.facts["spy"]) == ("BTW-SPY-2", 6)


def test_a_declared_total_is_not_called_assumed() -> None:
    game = Play("table A B first A", kit={"malfunctions": {"total": 9}})
    game.play("A char nova; B char linny; draw E5; draw E5; draw E5; draw E1; draw E1; draw E1")
    game.play("take 6 ccw; drop D; drop S; draw E1; crit 1 fee; draw E2; draw E2; spy 3")
    game.play("take 5 cw; drop S; drop E; drop D")
    lost = game.hear("end").effects[-1]
    assert lost.clause == "BTW-LOSE-1"
    assert game.setting.kit.provenance(lost.facts["datum"]) == "declared"


def test_a_silent_end_tells_what_belongs_before_the_draw_first() -> None:
    game = Play("table A B first A")
    game.play("A char nova; B char linny; draw E5; draw E5; draw E5; draw D3; draw D6; draw M1")
    game.play("take 1 cw; drop D; drop E")
    heard = game.hear("draw E4")
    assert [point.clause for point in heard.effects_before] == ["BTW-TURN-9"]
    assert game.hear("draw E2").effects_before == ()


def test_pieces_that_hands_turn_over_are_told_in_their_words() -> None:
    game = Play("table A B first A")
    game.play("A char nova; B char linny")
    game.declare(
        {
            "players": {"A": {"knowledge": ["S1", "E2", "M3", "S4"]}},
            "machines": {
                "1": {"workers": "DE"},
                "2": {"workers": "MD"},
                "3": {"workers": "ME"},
                "4": {"workers": "MS", "tokens": ["E4"]},
                "5": {"workers": "SE", "tokens": ["M5", "S5", "D5"], "spy": True, "tile": "cap"},
                "6": {"workers": "SD"},
            },
        }
    )

    def told(line: str) -> list[str]:
        before = game.state
        assert game.hear(line).outcome == "legal"
        found = ENGINE.moves(before, game.state, game.setting, game.last.action, game.last.stages)
        return found.told(ENGINE.words, "en")

    game.play("take 3 cw; drop E; drop M")
    assert told("uncover pay S1 E2") == [
        "machine 5 → bottom of the spy column, face down: spy 5",
        "machine 5: turn down “cap” (six knowledge at most)",
        "A → discard: S1, E2",
    ]
    game.play("draw M1; draw M2; draw M6; take 4 cw; drop S; drop E; drop M")
    game.play("draw E5; draw S1; draw S2; spy 3; take 1 ccw")
    assert told("drop M") == ["hand → machine 6: 1 mechanic"]


# What the picture marks, and what is offered.


def lying(state: Any, setting: Any) -> dict[str, list[Any]]:
    """What lies where, by the names that the picture has for places; a hand has no place."""
    found: dict[str, list[Any]] = {}
    for thing in held(state, setting):
        if thing.holder in state.players and thing.thing.startswith("worker."):
            continue
        name = thing.holder.removeprefix("machine.").replace("section.", "section_")
        found.setdefault(name.replace("column_top", "column"), []).append(thing)
    return {place: sorted(map(str, things)) for place, things in found.items()}


def test_a_character_is_marked_at_the_player_who_gets_it() -> None:
    game = Play("table A B first A")
    game.play("A char nova; B char linny")
    assert [*touched(game.state, game.last.action)] == ["B"]


def test_a_spy_that_is_uncovered_is_marked_where_it_was() -> None:
    game = opened("table A B first A; A char nova; B char linny")
    machines = machines_with()
    machines["1"]["spy"] = True
    game.declare({"machines": machines, "players": {"A": {"knowledge": ["D1", "E1"]}}})
    game.play("take 5 cw; drop S; drop E; uncover pay D1 E1")
    assert {*touched(game.state, game.last.action)} == {"1", "spy_column", "A"}


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ("take 1 cw", "A drop M"),
        ("take 1 cw; drop D", "A uncover pay D1 E1"),
        ("take 1 cw; drop D; drop E", "end"),
        ("take 1 cw; drop D; drop E; end; draw M1", "A end"),
        ("take 1 cw; drop D; drop E; end; draw M1", "draw M2@supply"),
    ],
)
def test_what_moves_nothing_marks_nothing(before: str, line: str) -> None:
    game = opened(SETUP)
    game.play(before)
    assert [*touched(game.state, game.last.action)]
    game.hear(line, lenient=True)
    assert not [*touched(game.state, game.last.action)]


class Watched(CaseTable):
    """A case in which whatever an action moves must be marked, and whatever is offered possible."""

    def hear(self, text: str, *, lenient: bool) -> Verdict:
        before, number = self.state, self.number
        verdict = super().hear(text, lenient=lenient)
        if self.number > number and before is not None and self.setting is not None:
            self._is_marked(text, before)
            self._is_possible(text)
        return verdict

    def _is_marked(self, text: str, before: Any) -> None:
        was, now = lying(before, self.setting), lying(self.state, self.setting)
        moved = {place for place in was | now if was.get(place) != now.get(place)}
        action = self.moments[-1].action
        if isinstance(action, RevealTile):  # it may tell of other tiles what they must be
            moved &= {str(action.machine)}
        marked = {*touched(self.state, action)}
        places = {*map(str, self.state.machines), *self.state.players}
        if not text.startswith(("position", "table", "audit")):
            assert moved & places <= marked, (text, moved, marked)

    def _is_possible(self, text: str) -> None:
        duties = [duty for duty in self.state.agenda.duties if duty.kind in ("fix", "lower")]
        if duties:
            assert self.setting is not None
            verbs = {action.verb for action in ENGINE.options(self.setting, self.state)}
            offered = {{"lower": "down"}.get(duty.kind, duty.kind) for duty in duties}
            assert offered <= verbs, (text, offered, verbs)


@pytest.mark.parametrize("name", [path.stem for path in files_of("bethel_woods")])
def test_what_an_action_moves_is_marked_and_what_is_offered_is_possible(name: str) -> None:
    (file,) = (read(path) for path in files_of("bethel_woods") if path.stem == name)
    for case in file.case:
        run_at(Watched, ENGINE, case, file.start_of(case))
