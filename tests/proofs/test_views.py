"""Views: what a seat may not know, nothing shows it.

The tables below come in twins: the same public game, but another secret. Whatever a viewer
is shown of one must be what is shown of the other, word for word; a judge sees the
difference.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from answers.i18n import Voice
from answers.verdict_text import refusal
from answers.verdicts import HeardAnswer, VerdictAnswer, heard_fields, verdict_fields
from engines.kernel import Secrecy, evolve
from engines.kernel.registry import engine_ids, load_engine
from referee.errors import Misused, NotAllowed, NotFound
from referee.record.game import Game
from referee.record.history import history
from referee.secrecy.redaction import EVERYTHING, may_be_offered, seen, steps_shown_to, view_for
from referee.table.adjustments import adjust
from referee.table.bench import Bench, By
from referee.table.notes import Annotation, annotate
from referee.table.openings import open_game
from referee.table.play import Heard, heard_by, log, may_be_tried
from replays.exports.render_options import RenderOptions
from replays.formats import FORMATS, WHOLE, export_bytes
from tests.cli.transcripts import run
from tests.deep import first
from tests.proofs.twins import (
    TWINS,
    bloody_grove,
    broom_service,
    declared_cards,
    log_lines,
    whole,
)
from tests.record.conftest import make_bench
from tests.record.random_tables import seeded_steps, table_of
from tests.tutorial import SAMPLES

pytestmark = pytest.mark.usefixtures("strangers_games")
VIEWS = ("public", "seat:B")
READABLE = ("html", "svg", "md", "csv")


@pytest.fixture(params=TWINS)
def twins(request: pytest.FixtureRequest) -> list[tuple[Bench, Game]]:
    make, one, other = TWINS[request.param]
    tables = [make(one), make(other)]
    return [(bench, bench.game(game)) for bench, game in tables]


def same(text: str, game: Game) -> str:
    """Without the head, which is of the whole record and says nothing of what is in it."""
    return re.sub(r"\b[0-9a-f]{64}\b", "HASH", text).replace(game.head[:16], "HEAD")


def headless(game: Game) -> Game:
    return evolve(game, entries=[entry._replace(head="0" * 64) for entry in game.entries])


def showings(bench: Bench, game: Game, view: str) -> dict[str, str]:
    """Everything the program shows of a game."""
    shown = seen(game, view)
    engine, made = game.engine, {}
    for lang in ("en", "fr"):
        for at, step in enumerate(shown.steps):
            words = engine.describe(step.state, step.setting, lang)  # type: ignore[arg-type]
            made[f"words {at} {lang}"] = "\n".join(words)
        last = shown.steps[-1]
        picture = engine.picture(last.state, last.setting, lang, last.action)  # type: ignore[arg-type]
        made[f"picture {lang}"] = picture.svg("x", "y", lang=lang)  # type: ignore[arg-type]
    made["states"] = json.dumps([engine.plain(step.state) for step in shown.steps], default=str)
    made["history"] = json.dumps([line._asdict() for line in history(shown)])
    made["verdicts"] = json.dumps(
        [
            VerdictAnswer(**verdict_fields(step.verdict)).model_dump(mode="json")
            for step in shown.steps
        ]
    )
    made["entries"] = json.dumps([entry.data.model_dump(mode="json") for entry in shown.entries])
    for format in READABLE:
        content = export_bytes(bench, headless(game), format, RenderOptions(view=view))
        made[f"export {format}"] = content.decode()
    return {name: same(text, game) for name, text in made.items()}


@pytest.mark.parametrize("view", VIEWS)
def test_a_viewer_cannot_tell_the_twins_apart(twins: list[tuple[Bench, Game]], view: str) -> None:
    one, other = (showings(bench, game, view) for bench, game in twins)
    assert [name for name in one if one[name] != other[name]] == []


@pytest.mark.parametrize("view", first(1, ["judge", "seat:A"]))
def test_the_judge_and_the_owner_can(twins: list[tuple[Bench, Game]], view: str) -> None:
    one, other = (showings(bench, game, view) for bench, game in twins)
    assert one != other


@pytest.mark.parametrize("name", ["pebbles", "benevolent"])
def test_from_whom_nothing_is_kept_nothing_is_left_out(name: str) -> None:
    """Of what was recorded and judged at tables at which anything happens."""
    for seed in range(4):
        game = table_of(name, 12, seeded_steps(seed, 30)).game
        pairs = [*pairwise(game.steps)]
        for view in (*VIEWS, EVERYTHING):
            shown = seen(game, view)
            for what in ("entries", "steps", "pending", "undone"):
                assert [*getattr(shown, what)] == [*getattr(game, what)], (seed, view, what)
            for what in ("gone", "notes", "photos", "disputes"):
                assert getattr(shown, what) == getattr(game, what), (seed, view, what)
            assert [steps_shown_to(game, pair, view) for pair in pairs] == pairs


@pytest.mark.parametrize("format", sorted(WHOLE))
def test_the_record_itself_is_for_the_judge(twins: list[tuple[Bench, Game]], format: str) -> None:
    bench, game = twins[0]
    for view in VIEWS:
        with pytest.raises(NotAllowed, match="needs_judge_view"):
            export_bytes(bench, game, format, RenderOptions(view=view))


@pytest.mark.parametrize("format", ["png", "pdf", "gif", "webp", "card", "card_svg"])
def test_no_drawing_tells_the_twins_apart(format: str) -> None:
    pytest.importorskip("PIL.Image", reason="no pillow: pip install .[pictures]")
    drawn = []
    for secret in ("hand", "deck"):
        bench, game = declared_cards(secret)
        options = RenderOptions(view="public", width=120)
        drawn.append(export_bytes(bench, headless(bench.game(game)), format, options))
    assert drawn[0] == drawn[1]


def test_an_archive_shows_other_games_too() -> None:
    bench, _ = broom_service("fw hw mw")
    other = open_game(bench, "pebbles", "table A B first A").game
    export_bytes(bench, other, "record", RenderOptions(view="public"))
    with pytest.raises(NotAllowed, match="needs_judge_view"):
        export_bytes(bench, other, "sqlite", RenderOptions(view="public"))


def test_every_format_is_the_record_itself_or_tested_above() -> None:
    drawn = {"png", "webp", "gif", "pdf", "card", "card_svg"}  # tested above as well
    results = {"bgstats"}
    assert set(FORMATS) == {*WHOLE, *READABLE, *drawn, *results}


def test_variations_from_hidden_states_are_not_shown() -> None:
    bench, game = broom_service("fw hw mw")
    note = Annotation("better", instead=("A hw brave",))
    from referee.table.author import SCRIBE

    annotate(bench, game, 2, note, by=By(SCRIBE))
    record = bench.game(game)
    assert record.notes["n1"].variation
    assert seen(record, "public").notes["n1"].variation == ()
    assert seen(record, "public").notes["n1"].text == "better"


class TestRefusals:
    """A seat hears that another seat's line is illegal, never what that seat holds."""

    @staticmethod
    def told(heard: Heard, bench: Bench, view: str) -> str:
        game = heard.game
        shown = heard_by(heard, view)
        nearest = may_be_tried(game, "x", view)
        data = HeardAnswer(**heard_fields(shown)).model_dump(mode="json")
        return same(json.dumps(data) + "\n".join(refusal(Voice(), game, shown, nearest)), game)

    def refused(self, make: Callable[[str], tuple[Bench, str]], secret: str, line: str) -> Any:
        bench, game = make(secret)
        heard = log(bench, game, line, dry_run=True)
        assert not heard.accepted, line
        return {view: self.told(heard, bench, view) for view in (*VIEWS, EVERYTHING)}

    def test_benevolent_does_not_count_anothers_leaves(self) -> None:
        def before_buying(secret: str) -> tuple[Bench, str]:
            bench = make_bench()
            opening = "table A=blue B=red first A readings open_holdings=no"
            game = open_game(bench, "benevolent", opening).game.id
            place = {"gifts": {"clover": 1}, "card": 3, "forest": ["a2"], "dream": 1}
            position = {
                "active": "A",
                "phase": "action",
                "arrival": "a2",
                "players": {"A": {"leaves": int(secret), **place}, "B": {"leaves": 3, **place}},
            }
            log_lines(bench, game, "forest S1A S2A", f"position {json.dumps(position)}")
            return bench, game

        one = self.refused(before_buying, "4", "A buy feather")
        other = self.refused(before_buying, "3", "A buy feather")
        assert one[EVERYTHING] != other[EVERYTHING]
        for view in VIEWS:
            assert one[view] == other[view]
            assert "BEN-ACT-4" in one[view]

    def test_broom_service_does_not_name_the_cards_of_another_hand(self) -> None:
        def choosing(secret: str) -> tuple[Bench, str]:
            bench = make_bench()
            opening = "table A=red B=blue first A side front readings sealed_hands=yes"
            game = open_game(bench, "broom_service", opening).game.id
            position = {"round": 2, "first": "A", "players": {"A": {"bolts": 25}}}
            log_lines(bench, game, f"position {json.dumps(position)}", "event gathering")
            log_lines(bench, game, "cursed rg pd hg")
            return bench, game

        one = self.refused(choosing, "", "A hand 4 fw fw mw vd")
        other = self.refused(choosing, "", "A hand 4 fw hw hw vd")
        assert one[EVERYTHING] != other[EVERYTHING]
        for view in VIEWS:
            assert one[view] == other[view]
            assert "fw fw" not in one[view]

    def test_bloody_grove_does_not_name_sealed_faces(self) -> None:
        one = self.refused(bloody_grove, "b3 f1 b1 b2/2", "A draw 2 sealed b4 b5")
        other = self.refused(bloody_grove, "b3 f1 b1 b2/2", "A draw 2 sealed o4 o5")
        assert one[EVERYTHING] != other[EVERYTHING]
        for view in VIEWS:
            assert one[view] == other[view]

    def test_what_another_seat_could_do_is_not_offered(self) -> None:
        bench, game = broom_service("fw hw mw")
        record = bench.game(game)
        (seat,) = record.state.agenda.seats
        options = record.engine.options(record.setting, record.state)
        others = "seat:A" if seat != "A" else "seat:B"
        assert options
        assert not any(may_be_offered(record, record.steps[-1], o, others) for o in options)
        assert all(may_be_offered(record, record.steps[-1], o, f"seat:{seat}") for o in options)
        assert may_be_tried(record, "x", others) == []
        assert may_be_tried(record, "x", f"seat:{seat}") != []


class TestWhoMayLook:
    @pytest.mark.parametrize(
        ("role", "asked", "view"),
        [
            ("scribe", None, "judge"),
            ("judge", "seat:A", "seat:A"),
            ("organiser", "public", "public"),
            ("seat:A", None, "seat:A"),
            ("seat:A", "public", "public"),
            ("seat:A", "seat:A", "seat:A"),
        ],
    )
    def test_views(self, role: str, asked: str | None, view: str) -> None:
        assert view_for(role, asked, "AB") == view

    def test_a_seat_does_not_look_as_others(self) -> None:
        for asked in ("judge", "seat:B"):
            with pytest.raises(NotAllowed, match="view_too_wide"):
                view_for("seat:A", asked, "AB")
        with pytest.raises(Misused, match="no_such_view"):
            view_for("judge", "everybody", "AB")
        with pytest.raises(NotFound, match="no_such_seat"):
            view_for("judge", "seat:C", "AB")

    def test_nothing_hidden_nothing_redacted(self) -> None:
        bench = make_bench()
        game = open_game(bench, "pebbles", "table A B first A").game
        log(bench, game.id, "take 2")
        adjust(bench, game.id, {"heap": 6}, "found some", stands=True)
        shown = seen(game, "public")
        assert shown.steps == game.steps
        assert shown.entries == game.entries
        export_bytes(bench, game, "record", RenderOptions(view="public"))


SEALED = (
    "referee -q new bloody_grove A=black B=green first A",
    "referee -q log groves bear fox owl",
)


class TestCommands:
    @pytest.fixture
    def table(self, newcomer: Path) -> Path:
        """A table of Bloody Grove at which A has sealed four cards."""
        for line in SEALED:
            assert run(line)[1] == 0
        bench, game = bloody_grove("b3 f1 b1 b2/2")
        texts = [line.text for line in history(bench.game(game))][2:]
        quoted = " ".join(f'"{text}"' for text in texts)
        out, code = run(f"referee -q log {quoted}")
        assert code == 0, out
        return newcomer

    @pytest.mark.parametrize(
        "command", ["moves", "replay --plain", "replay", "state", "diff 0", "export md -o -"]
    )
    def test_views_of_commands(self, table: Path, command: str) -> None:
        secret = re.compile(r"sealed b3|b3 f1 b1|\"b3\", \"f1\", \"b1\"")
        judge = run(f"referee {command} --json")[0] if "export" not in command else ""
        for who in ("--view public", "--view seat:B", "--as Bo:seat:B"):
            for json_too in ("", " --json"):
                out, code = run(
                    f"referee {command} {who}{json_too} --force"
                    if "export" in command
                    else f"referee {command} {who}{json_too}"
                )
                assert code == 0, out
                assert not secret.search(out)
        if "export" not in command:
            assert secret.search(judge)

    def test_the_scribes_shell_and_disputes_are_not_for_seats(self, table: Path) -> None:
        run("referee dispute open 6 -m hm")
        (table / "lines.txt").write_text("/state\n")
        for command in ("dispute show d1", "play < lines.txt"):
            out, code = run(f"referee --as Bo:seat:B {command}")
            assert code == 8, out
            assert "b3" not in out
            assert run(f"referee --as Jo:judge {command}")[1] == 0

    def test_a_seat_asking_for_more_exits_with_eight(self, table: Path) -> None:
        for command in ("moves --view judge", "state --view seat:A", "export record -o x.jsonl"):
            assert run(f"referee {command} --as Bo:seat:B")[1] == 8
        assert run("referee state --toml --view public")[1] == 8
        assert run("referee moves --view nobody")[1] == 2


def test_every_game_that_hides_something_from_somebody_has_its_twins() -> None:
    """Ours and the samples: whose author writes another one is asked as we are."""
    usual = Secrecy[Any, Any]().hide
    games = [*engine_ids(), *(each.name for each in SAMPLES)]
    hide = {game for game in games if load_engine(game).hide.__code__ is not usual.__code__}
    assert hide == {*whole()}
