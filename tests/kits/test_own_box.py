"""A club goes through its own box: what it is asked, by which keys, and what comes of it."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from answers.box_words import LETTERS, chart_of, items
from answers.context import Caller, open_store_context
from answers.i18n import Voice
from answers.play.opening import NewAnswer, open_table
from answers.rulebooks import boxes
from answers.rulebooks.box_csv import take_csv
from answers.rulebooks.boxes import OwnBox, keep, own_box, tell
from cli.box.page_keys import BACK, CHOICES, DIGITS, ENTER, MORE, STOP, PageKeys
from engines.kernel import KitSheet, ParseError
from engines.kernel.box.kit import PART, with_neighbours
from engines.kernel.box.tour import Page, Question, apart
from engines.kernel.messages.catalogue import LANGUAGES, Language
from engines.kernel.registry import engine_ids, load_engine
from referee.errors import NotFound, Unfit
from tests.cli.test_doubts import CASES as DOUBT
from tests.cli.test_program import asked, on_a_terminal
from tests.deep import first

ASKING = [game for game in engine_ids() if game != "bloody_grove"]
"""Games whose shipped kit assumes something."""
BUDGET = 250


def club(folder: Path) -> Caller:
    return Caller(open_store_context(f"sqlite://{folder / 'club.db'}"))


def keys_for(question: Question, value: Any) -> Iterator[str]:
    """The keys that answer a question so, as somebody with the box before them presses them."""
    if question.kind == "one":
        yield CHOICES[question.choices.index(value)]
    elif question.kind == "number":
        yield from str(value) if 0 <= value <= 9 else (*f"+{value}".replace("+-", "-"), ENTER)
    elif question.kind == "several":
        wanted = apart(question._replace(value=value))
        pressed = wanted if question.ordered else set(apart(question)) ^ set(wanted)
        yield from (CHOICES[question.choices.index(one)] for one in pressed)
        yield ENTER
    elif question.kind == "signs":
        signs = apart(question._replace(value=value))
        digits = all(str(choice).isdecimal() for choice in question.choices)
        yield from (s if digits else CHOICES[question.choices.index(s)] for s in signs)
    else:
        yield from " ".join(map(str, value)) if isinstance(value, list) else str(value)
        yield ENTER


def page_by_keys(box: OwnBox, page: Page, wanted: Mapping[str, Any]) -> tuple[PageKeys, int]:
    """A page told key by key, and how many keys that took."""
    keys, pressed = PageKeys(box, page), 0
    for key in _keys_of_page(page, wanted):
        keys.press(key)
        pressed += 1
    assert keys.end == "told"
    return keys, pressed


def _keys_of_page(page: Page, wanted: Mapping[str, Any]) -> Iterator[str]:
    for digit, thing in zip(DIGITS, items(page), strict=False):
        other = [q for q in thing if wanted.get(q.path, q.value) != q.value]
        if len(other) > 2 and len(other) == len(thing):
            yield digit
            for question in thing:
                yield from keys_for(question, wanted[question.path])
        else:
            for question in other:
                yield LETTERS[page.questions.index(question)]
                yield from keys_for(question, wanted[question.path])
    yield ENTER


def told_by_keys(caller: Caller, game: str, wanted: Mapping[str, Any], part: str = "") -> int:
    """A club that tells its whole box, or a part of it; how many keys it presses."""
    count = 0
    while True:
        box = own_box(caller, game)
        page = next((page for page in box.open_pages if page.look.id.startswith(part)), None)
        if page is None:
            return count
        keys, pressed = page_by_keys(box, page, wanted)
        keep(caller, game, keys.said, as_shown=[page.look.id])
        count += pressed


def another_board(seed: int, share: int) -> dict[str, Any]:
    """A board of Broom Service on which one in so many data is not as assumed."""
    chance, wanted = Random(seed), {}
    engine = load_engine("broom_service")
    sheet = engine.kit_sheet(None)
    for side in ("front", "back"):
        land = [r for r, at in sheet.at(f"{side}.regions").items() if at["terrain"] != "water"]
        for page in own_box(Caller(open_store_context("memory:")), "broom_service").tour.pages:
            for question in page.questions:
                if question.path.startswith(side) and chance.randrange(share) == 0:
                    other = _another(chance, question, land)
                    if other is not None:
                        wanted[question.path] = other
    return wanted


def _another(chance: Random, question: Question, land: list[str]) -> Any:
    name = question.path.rpartition(".")[2]
    if question.kind == "number":
        return chance.choice(
            [n for n in range(3 if name == "wands" else 10) if n != question.value]
        )
    if name in ("colour", "shape") or ".cloud_spaces." in question.path:
        return chance.choice([one for one in question.choices if one != question.value])
    if name == "terrain" and question.value != "water":
        return chance.choice([t for t in question.choices if t not in ("water", question.value)])
    if name == "touches":
        return sorted({*question.value} ^ {chance.choice(land)}) or None
    return None


def shown_board(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The data of a board as its club wants them, without asking anything of a tour."""
    sheet = load_engine("broom_service").kit_sheet(None)
    for path, value in wanted.items():
        datum, _, part = path.partition(PART)
        told = with_neighbours(sheet.at(datum), part, value) if part else value
        sheet = sheet.stating(datum, told, "seen")
    return sheet.data()


def towers(side: Mapping[str, Any]) -> dict[str, Any]:
    """The towers of a side, whatever the order in which their regions were named."""
    return {
        name: {"wands": 0, **tower, "touches": sorted(tower["touches"])}
        for name, tower in side["towers"].items()
    }


@pytest.mark.parametrize("seed", first(1, range(2)))
def test_a_whole_board_of_broom_service_takes_at_most_250_keys(tmp_path: Path, seed: int) -> None:
    caller, wanted = club(tmp_path), another_board(seed, share=5)
    assert len(wanted) > 60
    keys = sum(told_by_keys(caller, "broom_service", wanted, side) for side in ("front", "back"))
    assert keys <= BUDGET
    found = own_box(caller, "broom_service")
    data, expected = found.tour.sheet.data(), shown_board(wanted)
    for side in ("front", "back"):
        assert towers(data[side]) == towers(expected[side])
        assert data[side]["regions"] == expected[side]["regions"]
        assert data[side]["cloud_spaces"] == expected[side]["cloud_spaces"]
    left = [d for d in found.tour.sheet.datums() if d.provenance == "assumed"]
    assert not [d.path for d in left if d.path.startswith(("front", "back"))]


@pytest.mark.deep
def test_a_side_on_which_no_tower_is_as_assumed_takes_at_most_250_keys(tmp_path: Path) -> None:
    caller, wanted = club(tmp_path), {}
    for question in own_box(caller, "broom_service").questions:
        if question.path.startswith("front.towers."):
            name = question.path.rpartition(".")[2]
            if name in ("colour", "shape"):
                others = [one for one in question.choices if one != question.value]
                wanted[question.path] = others[0]
            elif name in ("vp", "wands"):
                wanted[question.path] = (question.value + 1) % 3
    assert told_by_keys(caller, "broom_service", wanted, "front") <= BUDGET


@pytest.mark.parametrize("game", first(len(ASKING) - 1, sorted(ASKING, key="broom_service".__eq__)))
def test_a_box_that_is_as_the_pictures_show_takes_a_key_a_page(tmp_path: Path, game: str) -> None:
    caller = club(tmp_path)
    pages = len(own_box(caller, game).tour.pages)
    assert told_by_keys(caller, game, {}) == pages
    box = own_box(caller, game)
    assert not [d.path for d in box.sheet.datums() if d.provenance == "assumed"]
    shipped = load_engine(game).kit_sheet(None)
    assert load_engine(game).read_whole_kit(box.sheet).model_dump(exclude={"kit"}) == load_engine(
        game
    ).read_whole_kit(shipped).model_dump(exclude={"kit"})
    assert box.problems() == []


@pytest.mark.parametrize("game", engine_ids())
def test_everything_that_is_assumed_is_asked_or_goes_along(game: str) -> None:
    engine, box = load_engine(game), own_box(Caller(open_store_context("memory:")), game)
    asked = {question.path.partition(PART)[0] for question in box.questions}
    asked |= {path for page in box.tour.pages for path in page.look.along}
    for datum in engine.kit_sheet(None).datums():
        told = any(datum.path == one or datum.path.startswith(f"{one}.") for one in asked)
        assert told == (datum.provenance == "assumed"), datum.path


@pytest.mark.parametrize("game", ASKING)
def test_a_page_has_a_key_for_everything_on_it_and_words_for_it_in_both_languages(
    game: str,
) -> None:
    box = own_box(Caller(open_store_context("memory:")), game)
    for page in box.tour.pages:
        assert len(items(page)) <= len(DIGITS)
        assert len(page.questions) <= len(LETTERS)
        for question in page.questions:
            assert len(question.choices) <= len(CHOICES)
        for lang in LANGUAGES:
            shown = "\n".join(PageKeys(box, page).lines(Voice(lang).knowing("cli")))
            assert "_" not in re.sub(r"\b(convert|t)_", "", shown), shown


def test_what_was_told_is_there_another_day(tmp_path: Path) -> None:
    today = club(tmp_path)
    page = own_box(today, "bethel_woods").open_pages[0]
    tell(today, "bethel_woods", as_shown=[page.look.id])
    again = own_box(club(tmp_path), "bethel_woods")
    assert again.open_pages[0].look.id != page.look.id
    assert not again.page(page.look.id).open


def test_a_page_that_is_left_half_told_keeps_what_was_told() -> None:
    box = own_box(Caller(open_store_context("memory:")), "bethel_woods")
    page = next(page for page in box.tour.pages if len(page.questions) == 2)
    keys = PageKeys(box, page)
    for key in ("a", "1", "2", STOP):
        keys.press(key)
    assert keys.end == "stop"
    assert keys.said == {page.questions[0].path: ["mechanical", "structural"]}


def test_a_key_that_means_nothing_changes_nothing() -> None:
    box = own_box(Caller(open_store_context("memory:")), "broom_service")
    keys = PageKeys(box, box.page("front.F1"))
    for key in ("#", "\t", "9", "é"):
        keys.press(key)
    assert (keys.said, keys.end, keys.asked) == ({}, None, None)
    keys.press(BACK)
    assert keys.end == "back"


def test_a_tower_more_or_less_than_the_kit_has(tmp_path: Path) -> None:
    caller = club(tmp_path)
    box = own_box(caller, "broom_service")
    keys = PageKeys(box, box.page("front.F1"))
    for key in (MORE, "1"):
        keys.press(key)
    assert keys.end == "more"
    keep(caller, "broom_service", keys.said)
    page = own_box(caller, "broom_service").page("front.F1")
    assert "front.towers.t32.vp" in [question.path for question in page.questions]
    tell(caller, "broom_service", {"front.towers.t32.vp": 9, "front.towers.t05": None})
    towers = own_box(caller, "broom_service").sheet.at("front.towers")
    assert towers["t32"]["vp"] == 9
    assert "t05" not in towers


def test_what_does_not_fit_together_yet_is_kept_and_told(tmp_path: Path) -> None:
    caller = club(tmp_path)
    answered = tell(caller, "broom_service", {"front.regions.F1.terrain": "water"})
    assert answered.data.flaw
    assert "t01" in "\n".join(answered.lines(Voice()))
    with pytest.raises(ValueError, match="bad_kit"):
        boxes.kit_named(caller, load_engine("broom_service"), "own")
    tell(caller, "broom_service", {"front.regions.F1.terrain": "hill"})
    assert boxes.kit_named(caller, load_engine("broom_service"), "own")


def test_totals_of_the_rulebook_are_checked_on_the_way(tmp_path: Path) -> None:
    caller = club(tmp_path)
    answered = tell(caller, "broom_service", {"clouds.heavy.h10.count": 3})
    assert answered.data.problems
    answered = tell(caller, "broom_service", {"clouds.heavy.h11.count": 5})
    assert answered.data.problems == []


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"front.regions.F1.terrain": "desert"}, Unfit),
        ({"front.banners": "green"}, NotFound),
        ({"front.regions.F1.x": 300}, Unfit),
        ({"front.towers.t01.vp": 3}, NotFound),
        ({"front.towers.../x": {}}, NotFound),
        ({"front.towers.t05.vp": "many"}, Unfit),
        ({"front.towers.t05.vp": None}, NotFound),
        ({"roles": {}}, NotFound),
    ],
)
def test_what_no_box_can_show_is_refused_and_nothing_is_kept(
    tmp_path: Path, said: dict[str, Any], error: type[Exception]
) -> None:
    caller = club(tmp_path)
    with pytest.raises(error):
        tell(caller, "broom_service", said)
    assert own_box(caller, "broom_service").tour.stated == {}


def test_a_datum_of_a_box_is_told_by_one_of_its_names(tmp_path: Path) -> None:
    caller = club(tmp_path)
    one, other = "gifts.clover.price", "gifts.1.price"
    rows = b"path,value\n" + b"".join(b"dream_path.arrows.1.space,%d\n" % each for each in (3, 4))
    for telling in (
        lambda: tell(caller, "benevolent", {one: 2, other: 3}),
        lambda: tell(caller, "benevolent", {one: 2}, chosen={other: [3]}),
        lambda: take_csv(caller, "benevolent", rows),
        lambda: open_table(caller, "benevolent", "A B first A", players={"A": "Ana", "a": "Bo"}),
    ):
        with pytest.raises(ParseError, match="named_twice"):
            telling()
    assert own_box(caller, "benevolent").tour.stated == {}


def test_the_next_table_is_opened_with_the_club_s_own_box(tmp_path: Path) -> None:
    caller = club(tmp_path)
    before = open_table(caller, "bethel_woods", "A B first A")
    tell(caller, "bethel_woods", {"machines.2.icons": ["mechanical", "digital"]})
    after = open_table(caller, "bethel_woods", "A B first A")
    assert isinstance(before.data, NewAnswer)
    assert isinstance(after.data, NewAnswer)
    assert after.data.assumed == before.data.assumed - 1
    game = caller.game(after.data.game)
    assert game.sheet.content["kit"] == "own"
    assert game.sheet.provenance("machines.1.icons") == "declared"
    shipped = open_table(caller, "bethel_woods", "A B first A kit bethel_woods")
    assert isinstance(shipped.data, NewAnswer)
    assert shipped.data.assumed == before.data.assumed


def test_a_kit_that_was_made_is_one_that_can_be_read_from_a_file(tmp_path: Path) -> None:
    from referee.untrusted.safe_toml import read_kit, write_toml

    caller = club(tmp_path)
    told_by_keys(caller, "broom_service", another_board(1, share=5), "front")
    sheet = own_box(caller, "broom_service").sheet
    file = tmp_path / "ours.toml"
    file.write_text(write_toml(dict(sheet.content)), "utf-8")
    assert read_kit(load_engine("broom_service"), str(file)).data() == sheet.data()
    assert isinstance(sheet, KitSheet)


def test_a_box_is_told_at_a_terminal_key_by_key_and_gone_on_with(
    tmp_path: Path,
) -> None:
    environment = {**os.environ, "TERM": "dumb", "LC_ALL": "C.UTF-8"}
    environment |= {"REFEREE_STORE": str(tmp_path / "club.db"), "XDG_DATA_HOME": str(tmp_path)}
    shown, code = on_a_terminal(environment, "kit", "make", "bethel_woods", typed="a12\x1b")
    assert code == 0
    assert "0 of 14" not in shown
    assert "1 of 14 details confirmed" in shown
    shown, code = on_a_terminal(environment, "kit", "make", "bethel_woods", typed="\r" * 8)
    assert code == 0
    assert "14 of 14 details confirmed" in shown


def test_what_a_game_meets_is_asked_once_and_kept_for_the_club(tmp_path: Path) -> None:
    environment = {**os.environ, "TERM": "dumb", "LC_ALL": "C.UTF-8"}
    environment |= {"REFEREE_STORE": str(tmp_path / "club.db"), "XDG_DATA_HOME": str(tmp_path)}
    case = tomllib.loads(DOUBT.read_text("utf-8"))["case"][0]
    position = f"position {json.dumps(case['position'])}"
    opened = asked(environment, "new", "roundforest", "A=red@a1", "B=blue@e5", "first", "A")
    assert opened.returncode == 0
    assert asked(environment, "log", position, "A move c4; chip red").returncode == 0
    shown, code = on_a_terminal(environment, "log", "draw", "sword", typed="a4\r")
    assert code == 0, shown
    assert "moves rechecked" in shown
    copy, again = str(tmp_path / "copy.db"), str(tmp_path / "again.db")
    assert asked(environment, "backup", copy).returncode == 0
    assert asked(environment | {"REFEREE_STORE": again}, "restore", copy).returncode == 0
    for store in (tmp_path / "club.db", again):
        kept = own_box(Caller(open_store_context(f"sqlite://{store}")), "roundforest").sheet
        assert kept.at("objects.count.sword") == 4
        assert kept.provenance("objects.count.sword") == "declared"


def test_what_nobody_can_be_asked_is_told(tmp_path: Path) -> None:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    environment |= {"REFEREE_STORE": str(tmp_path / "club.db"), "XDG_DATA_HOME": str(tmp_path)}
    case = tomllib.loads(DOUBT.read_text("utf-8"))["case"][0]
    asked(environment, "new", "roundforest", "A=red@a1", "B=blue@e5", "first", "A")
    asked(environment, "log", f"position {json.dumps(case['position'])}", "A move c4; chip red")
    refused = asked(environment, "log", "draw", "sword")
    assert refused.returncode == 3
    assert "objects.count.sword" in refused.stdout


def test_the_spot_that_is_asked_about_is_marked_in_the_drawing() -> None:
    box = own_box(Caller(open_store_context("memory:")), "broom_service")
    plain = boxes.page_picture(Voice(), box, box.page("front"))
    marked = boxes.page_picture(Voice(), box, box.page("front.F1"))
    assert plain.anchors == marked.anchors
    assert marked.body != plain.body
    assert marked.body.count("stroke-dasharray") == 1


def test_new_asks_its_way_through_a_set_up(tmp_path: Path) -> None:
    environment = {**os.environ, "TERM": "dumb", "LC_ALL": "C.UTF-8"}
    environment |= {"REFEREE_STORE": str(tmp_path / "club.db"), "XDG_DATA_HOME": str(tmp_path)}
    typed = "1\n2\n1\nAna\n1\nBo\n2\n" + "\n" * 12
    shown, code = on_a_terminal(environment, "new", typed=typed)
    assert code == 0, shown
    assert "Benevolent" in shown
    assert "details of the box are unconfirmed" in shown
    caller = Caller(open_store_context(f"sqlite://{tmp_path / 'club.db'}"))
    (stream,) = caller.store_context.store.streams("game-")
    game = caller.game(stream)
    assert sorted(map(caller.name, game.seats.values())) == ["Ana", "Bo"]
    assert game.engine.text(game.steps[0].action).startswith("table A=blue B=red first B")  # type: ignore[arg-type]


def test_new_without_a_game_and_a_terminal_says_which_games_there_are(tmp_path: Path) -> None:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    environment |= {"REFEREE_STORE": str(tmp_path / "club.db"), "XDG_DATA_HOME": str(tmp_path)}
    refused = asked(environment, "new")
    assert refused.returncode == 2
    assert "broom_service" in refused.stderr


def _in_words(game: str, value: Any, lang: str) -> Any:
    if isinstance(value, list):
        return [_in_words(game, one, lang) for one in value]
    if not isinstance(value, str):
        return value
    engine = load_engine(game)
    return engine.called(value).said(engine.words, lang)  # type: ignore[arg-type]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", ASKING)
def test_a_refusal_names_the_datum_and_the_choices_as_they_can_be_told(
    tmp_path: Path, game: str, lang: str
) -> None:
    caller = club(tmp_path)
    box = own_box(caller, game, "own")
    tried: dict[str, Question] = {}
    for question in box.questions:
        words = [one for one in question.choices if isinstance(one, str) and one.isalpha()]
        leaves = question.value if isinstance(question.value, list) else [question.value]
        if words and leaves and all(one in question.choices for one in leaves):
            tried.setdefault(re.sub(r"\d+", "", question.path), question)
    for question in tried.values():
        path = boxes.shown_path(box.tour.sheet, question.path)
        value = question.value
        wrong = ["glue", *value[1:]] if isinstance(value, list) else "glue"
        with pytest.raises(Unfit) as caught:
            tell(caller, game, {path: wrong})
        said = Voice(lang).spoken(caught.value.phrase)  # type: ignore[arg-type]
        assert said.startswith(path)
        for choice in question.choices:
            assert _in_words(game, choice, lang) in said
        tell(caller, game, {path: _in_words(game, value, lang)})
        assert own_box(caller, game, "own").tour.question(question.path).value == value


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", engine_ids())
def test_the_drawing_of_every_page_can_be_read_on_a_phone(game: str, lang: Language) -> None:
    """Its words have 14 units: no narrower than 360 of 420 of them, and none over another."""
    box = own_box(Caller(open_store_context("memory:")), game)
    for page in box.tour.pages:
        chart = chart_of(Voice(lang), box.engine, box.tour, page)
        drawn = boxes.page_picture(Voice(lang), box, page)
        assert drawn.width <= 420, page.look.id
        boxed = [(x, y, 9 * len(chart.label(name)) / 2) for name, (x, y) in drawn.anchors.items()]
        for (x1, y1, wide), (x2, y2, other) in combinations(boxed, 2):
            assert y1 != y2 or abs(x1 - x2) >= wide + other, page.look.id
