"""An option says what it is called, at every command that takes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import as_newcomer
from tests.cli.test_help import pages
from tests.cli.transcripts import normal, run
from tests.photos import png

RULES: dict[str, dict[str, Any]] = {
    "--places 9-4-1": {"points": {"kind": "places", "places": [9, 4, 1], "others": 1}},
    "--others 3": {"others": 3},
    "--event-points": {"points": {"kind": "points"}},
    "--counted 4": {"counted": 4},
    "--points-for everybody": {"points_for": "everybody"},
    "--listed-only": {"listed_only": True},
    "--published": {"published": True},
    "--recorded-only": {"rated": "recorded"},
    "--elo-start 1200": {"elo": {"start": 1200, "k": 32}},
    "--elo-k 20": {"elo": {"start": 1500, "k": 20}},
}
"""The options of a season's rules, and what each changes."""


def asked(line: str) -> dict[str, Any]:
    out, code = run(f"{line} --json")
    assert code == 0, out
    found: dict[str, Any] = json.loads(out)["data"]
    return found


def changed(rules: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    if "others" in changes:
        return {**rules, "points": {**rules["points"], **changes}}
    return {**rules, **changes}


@pytest.mark.parametrize("option", RULES)
def test_a_season_has_the_rules_that_its_options_name(newcomer: Path, option: str) -> None:
    asked("referee season new Usual")
    usual = asked("referee season info")["rules"]
    asked(f"referee season new Year {option}")
    assert asked("referee season info")["rules"] == changed(usual, RULES[option])
    asked("referee season revise --reason usual")
    assert asked("referee season info")["rules"] == usual
    asked(f"referee season revise {option} --reason ours")
    assert asked("referee season info")["rules"] == changed(usual, RULES[option])


def test_a_chapter_that_is_named_is_meant_and_not_the_current_game(newcomer: Path) -> None:
    made = asked("referee collection new Openings")["collection"]
    for name in ("first", "second"):
        asked(f"referee new benevolent A=blue B=red first A --title {name}")
        asked(f"referee collection put {made} --title {name}")
    first, second = asked(f"referee collection show {made}")["content"]
    asked(f"referee collection put {made} --chapter {first['id']} --title other")
    now = asked(f"referee collection show {made}")["content"]
    assert [(each["id"], each["game"], each["title"]) for each in now] == [
        (first["id"], first["game"], "other"),
        (second["id"], second["game"], "second"),
    ]


def test_a_chapter_opens_at_a_move_or_at_the_end_or_the_command_is_refused(
    newcomer: Path,
) -> None:
    made = asked("referee collection new Openings")["collection"]
    asked("referee new benevolent A=blue B=red first A")
    chapter = asked(f"referee collection put {made} --at 1")["content"][0]["id"]
    for said, code, opens in (("0", 0, 0), ("end", 0, None), ("2", 0, 2), ("start", 2, 2)):
        assert run(f"referee collection put {made} --chapter {chapter} --at {said}")[1] == code
        assert asked(f"referee collection show {made}")["content"][0]["at"] == opens


NAMED = (
    "collection put MADE --chapter CHAPTER --title other",
    "collection put MADE --chapter CHAPTER --place 1",
    "collection put MADE --game GAME",
    "collection note MADE CHAPTER 0 hello",
    "collection remove MADE CHAPTER",
    "kit show benevolent",
    "what-if --of benevolent --reading leaf_supply=unlimited",
    "stats --of benevolent",
    "info --game GAME",
    "export text --game GAME -o game.txt",
)
"""Commands that say themselves what they are about."""


@pytest.mark.parametrize("line", NAMED)
def test_what_is_named_needs_no_current_game(newcomer: Path, line: str) -> None:
    made = asked("referee collection new Openings")["collection"]
    game = asked("referee new benevolent A=blue B=red first A")["game"]
    chapter = asked(f"referee collection put {made}")["content"][0]["id"]
    (newcomer / "data" / "referee" / "current.json").unlink()
    assert run("referee info")[1] != 0
    for word, meant in (("MADE", made), ("CHAPTER", chapter), ("GAME", game)):
        line = line.replace(word, meant)
    out, code = run(f"referee {line}")
    assert code == 0, out


def takes_a_value(*path: str) -> list[str]:
    """The options of a command that are no flags, as they are typed."""
    (page,) = (page for page in pages() if page.path == path)
    return [
        param.opts[0]
        for param in page.command.params
        if param.param_type_name == "option" and not param.is_flag
    ]


SAYS_NOTHING = {"--key": "it names the request"}
"""Options of a new tournament that its plan does not show."""


def test_nought_is_a_value_of_every_option_of_a_new_tournament(newcomer: Path) -> None:
    """It is refused, or it is another plan than without the option."""

    def plan(option: str = "") -> Any:
        game = "" if option.startswith(("--of", "--plan")) else "--of benevolent"
        teams = "" if option.startswith("--match") else "--match 4 --boards"
        _, code = run(f"referee tournament new Cup {game} {teams} {option} --json")
        return None if code else asked("referee tournament info")["plan"]

    usual, found = plan(), takes_a_value("tournament", "new")
    assert usual
    ignored = {option for option in found if plan(f"{option} 0") == usual}
    assert ignored == {*SAYS_NOTHING}
    assert plan("--bye-boards 0")["match"]["bye_boards"] == 0
    assert plan("--no-show-boards 0")["match"]["no_show_boards"] == 0


BEGUN = (
    "new benevolent A=blue B=red first A",
    "log forest S1A S2A",
    "log pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal"
    " / hoard convert_1",
    'log "A step c1; pick" "B step c1; pick"',
    "access rules --delay-entries 3 --delay-seconds 60",
    "tournament new Cup --of benevolent --no-check-in",
)
OF_NOUGHT: dict[str, str] = {
    "log --at": 'log "A step b1" --dry-run',
    "state --at": "state",
    "options --at": "options",
    "why --at": 'why "A step b1"',
    "could-hold --at": "could-hold A clover",
    "undo --to": "undo",
    "export --at": "export svg",
    "reached --at": "reached",
    "photo add --at": "photo add board.png",
    "collection put --at": "collection put MADE",
    "stats --players": "stats",
    "access rules --delay-entries": "access rules",
    "access rules --delay-seconds": "access rules",
    "tournament history --at": "tournament history",
}
"""Numbers that may be nought, and a command that says something else without them."""
OR_A_WORD = {"collection put --at"}
"""Those in whose place a word may be said."""
TAKEN_BY_CHANCE = {"tournament pair --seed", "tournament finals --lot", "tournament lot --seed"}
ASKED_ELSEWHERE = {
    "backup --every",
    "see --since",
    "ruling issue --number",
    "tournament result --measure",
    "tournament correct --measure",
    "tournament report --measure",
}
"""Those that go on until they are stopped, take two photographs, or may be given several times."""


def test_every_number_that_may_be_nought_is_asked_for() -> None:
    found = {
        f"{' '.join(page.path)} {param.opts[0]}"
        for page in pages()
        for param in getattr(page.command, "params", ())
        if param.param_type_name == "option"
        and param.default is None
        and type(param.type).__name__ in ("IntParamType", "IntRange", "FloatRange")
        and (getattr(param.type, "min", None) or 0) <= 0
    }
    assert found | OR_A_WORD == {*OF_NOUGHT} | TAKEN_BY_CHANCE | ASKED_ELSEWHERE


@pytest.mark.parametrize("option", OF_NOUGHT)
def test_nought_is_not_the_same_as_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    """The command with the option says or does something else than without it."""

    def said(more: str, place: str) -> list[str]:
        folder = tmp_path / place
        folder.mkdir()
        as_newcomer(folder, monkeypatch)
        (folder / "board.png").write_bytes(png())
        made = asked("referee collection new Openings")["collection"]
        for line in BEGUN:
            out, code = run(f"referee {line}")
            assert code == 0, out
        command = f"{OF_NOUGHT[option]}{more}".replace("MADE", made)
        game = asked("referee info")["game"].removeprefix("game-")
        lines = (command, f"collection show {made}", "moves", "access rules")
        return [
            normal(run(f"referee {line}")[0].replace(made, "MADE").replace(game, "GAME"))
            for line in lines
        ]

    usual = said("", "without")
    assert said("", "again") == usual
    assert said(f" {option.split()[-1]} 0", "with") != usual
