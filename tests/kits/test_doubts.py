"""A refusal that rests on what is only assumed of the box names it, and what can be answered."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from answers.box_words import question_at
from answers.context import Caller, open_store_context
from answers.rulebooks.boxes import asked, declare_and_keep, own_box
from answers.rulebooks.games import usual_opening
from engines.kernel import ParseError
from engines.kernel.box.tour import Tour
from engines.kernel.registry import load_engine
from referee.errors import NotFound
from referee.proof.verify import verify
from referee.table.openings import open_game
from tests.opening import new_table

TILE = SimpleNamespace(id="F16")
BENEVOLENT = load_engine("benevolent")
FOREST = BENEVOLENT.read_kit(BENEVOLENT.kit_sheet(None)).assemble(2, ("S1A", "S2B"))
STATES: dict[str, Any] = {
    "benevolent": SimpleNamespace(
        forest=FOREST,
        players={seat: SimpleNamespace(owns=lambda face: False) for seat in "AB"},
        turn=SimpleNamespace(active="A"),
        arrival_of=lambda seat: next(iter(FOREST.hexes)),
    ),
    "broom_service": SimpleNamespace(
        options=SimpleNamespace(side="front"),
        turn=SimpleNamespace(deed=SimpleNamespace(role="hg")),
        side=lambda box: box.side("front"),
        board=SimpleNamespace(clouds={"c07": "h10", "c16": "h22"}, tiles={}),
    ),
    "bethel_woods": None,
    "roundforest": SimpleNamespace(forest=SimpleNamespace(tiles={"b2": TILE}), seats=("A", "B")),
}
FACTS: dict[str, dict[str, Any]] = {
    "benevolent": {
        "hex": next(iter(FOREST.hexes)),
        "steps": [list(FOREST.hexes)[-1]],
        "toll": {"reserve": 1},
        "leaves": 1,
        "space": 2,
    },
    "broom_service": {"origin": "P2", "to": "P3", "region": "F1", "tower": "t05"},
    "bethel_woods": {"section": 3},
    "roundforest": {"cell": "b2"},
}


@pytest.mark.parametrize("game", STATES)
def test_what_a_clause_rests_on_is_something_that_the_tour_asks(game: str) -> None:
    engine = load_engine(game)
    sheet = engine.kit_sheet(None)
    tour = Tour(engine.kit_model, engine.guide, sheet)
    questions = {question.path for page in tour.pages for question in page.questions}
    kit, found = engine.read_kit(sheet), {}
    for clause in engine.clauses:
        for path in engine.guide.rests_on(kit, STATES[game], clause, FACTS[game]):
            found[clause] = path
            assert path in questions, (clause, path)
            assert question_at(engine, sheet, sheet.shown(path)).value is not None
    assert found


@pytest.mark.parametrize("game", STATES)
def test_a_record_with_fewer_facts_rests_on_nothing_it_can_name(game: str) -> None:
    engine = load_engine(game)
    kit = engine.read_kit(engine.kit_sheet(None))
    hidden = dict.fromkeys(FACTS[game], "…")
    for clause in engine.clauses:
        for path in engine.guide.rests_on(kit, STATES[game], clause, hidden):
            assert "…" in path or path.startswith("roles.")
        for path in engine.guide.rests_on(kit, STATES[game], clause, {}):
            assert path.startswith("roles.")


NAMED: dict[str, dict[str, list[str]]] = {
    "benevolent": {
        "BEN-MOVE-3": ["layouts.2.1.origin", "layouts.2.1.turn"],
        "BEN-ACT-2": ["segments.1.sides.B.4.action"],
        "BEN-POND-1": ["dream_path.arrows.1.target", "dream_path.arrows.2.target"],
    },
    "roundforest": {
        "RND-MOVE-3": ["boards.2.corners"],
        "RND-MOVE-11": ["boards.2.columns", "boards.2.rows"],
        "RND-MOVE-5": ["faces.plain.F16"],
    },
    "broom_service": {"BRM-MOV-2": ["front.borders#P2"]},
    "bethel_woods": {"BTW-BUILD-5": ["sections.2.accepts"]},
}


@pytest.mark.parametrize(("game", "clause"), [(g, c) for g in NAMED for c in NAMED[g]])
def test_boards_tiles_and_layouts_are_named_where_a_verdict_rests_on_them(
    game: str, clause: str
) -> None:
    engine = load_engine(game)
    kit = engine.read_kit(engine.kit_sheet(None))
    found = list(engine.guide.rests_on(kit, STATES[game], clause, FACTS[game]))
    assert found == NAMED[game][clause]


def test_within_one_segment_its_shape_says_what_touches() -> None:
    kit = BENEVOLENT.read_kit(BENEVOLENT.kit_sheet(None))
    state = STATES["benevolent"]
    lower = [name for name, one in FOREST.hexes.items() if one.segment == "S1"]
    facts = {"hex": lower[0], "steps": lower[-1:]}
    found = BENEVOLENT.guide.rests_on(kit, state, "BEN-MOVE-3", facts)
    assert list(found) == ["segment_shape.cells"]
    elsewhere = BENEVOLENT.guide.rests_on(kit, state, "BEN-MOVE-16", {"hex": "z9"})
    assert len(list(elsewhere)) == 2
    by_hand = kit.assemble(2, ("a1=nest", "a2=pond"))
    declared = SimpleNamespace(forest=by_hand, players=state.players, turn=None)
    facts = {"hex": "a2", "steps": ["a1"]}
    assert not list(BENEVOLENT.guide.rests_on(kit, declared, "BEN-MOVE-3", facts))


@pytest.fixture
def caller() -> Caller:
    return Caller(open_store_context("memory:"))


@pytest.fixture
def game(caller: Caller) -> str:
    opening = "table A=red B=blue first A side front"
    return open_game(caller.bench, "broom_service", opening).game.id


def test_the_borders_of_one_region_are_declared_and_no_others(caller: Caller, game: str) -> None:
    declare_and_keep(caller, game, "front.borders#P2", chosen=["F1", "P3"], keep=True)
    found = caller.bench.game(game)
    pairs = found.sheet.at("front.borders")
    assert {"P2-P3", "F1-P2"} <= {"-".join(sorted(pair.split("-"))) for pair in pairs} | set(pairs)
    assert not {"L1-P2", "P2-L1", "H1-P2", "P2-H1"} & set(pairs)
    assert found.sheet.provenance("front.borders#P2") == "declared"
    assert found.sheet.provenance("front.borders#F1") == "assumed"
    assert found.sheet.provenance("front.borders") == "assumed"
    assert verify(game, caller.store_context.store.read(game)).ok
    kept = own_box(caller, "broom_service")
    assert kept.tour.stated["front.borders#P2"].value == ["F1", "P3"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("front.borders#P2", ["nowhere"]),
        ("front.borders#P2", "F1"),
        ("front.borders#P2", [1]),
        ("front.regions#P2", ["F1"]),
        ("nothing#P2", ["F1"]),
    ],
)
def test_what_no_list_of_pairs_can_be_is_refused(
    caller: Caller, game: str, path: str, value: Any
) -> None:
    with pytest.raises(ParseError):
        declare_and_keep(caller, game, path, value)
    assert caller.bench.game(game).version == 0


def test_what_is_nothing_of_the_box_is_not_asked(caller: Caller, game: str) -> None:
    assert [row.name for row in asked(caller, game, ["front.borders#P2"]).data.questions] == [
        "P2, borders on"
    ]
    with pytest.raises((NotFound, ParseError)):
        asked(caller, game, ["front.nothing"])


def test_a_refused_site_rests_on_what_is_printed_on_the_hex_where_it_was_tried() -> None:
    caller = Caller(open_store_context("memory:"))
    opened = new_table(caller, "benevolent", usual_opening("benevolent", 2)[0])
    game = caller.game(opened)
    setting = game.setting
    state = SimpleNamespace(forest=FOREST, players={"A": None, "B": None}, turn=None)
    name, one = next((n, h) for n, h in FOREST.hexes.items() if h.segment == "S2")
    (path,) = game.engine.guide.rests_on(setting.kit, state, "BEN-ACT-2", {"hex": name})
    assert game.sheet.at(path) == one.site
    assert setting.kit.provenance(path) == "assumed"


def test_a_detail_that_cannot_have_decided_is_not_named() -> None:
    """The grey steps of a hex where nobody counted them, or where the rest is too dear already."""
    state, facts = STATES["benevolent"], FACTS["benevolent"]
    kit = BENEVOLENT.read_kit(BENEVOLENT.kit_sheet(None))

    def named(state: Any, **more: Any) -> list[str]:
        return [*BENEVOLENT.guide.rests_on(kit, state, "BEN-ACT-3", {**facts, **more})]

    passing = {seat: SimpleNamespace(owns=lambda face: face == "grey_pass") for seat in "AB"}
    assert named(state, leaves=1)
    assert not named(SimpleNamespace(**{**vars(state), "players": passing}), leaves=0)
    assert not named(state, toll={"reserve": 1, "B": 9}, leaves=0)
