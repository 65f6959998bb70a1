"""``--key``: what is told again says so, whoever told it at the same moment or since."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from answers.answer import Answered
from answers.context import Caller, open_store_context
from answers.i18n import Voice
from answers.tournament import judging, player_reports, players, results, rounds
from answers.tournament.result_slips import Slip
from engines.kernel import LANGUAGES
from referee.store import open_store
from referee.table.bench import Bench
from referee.tournament.desk import Desk
from referee.tournament.events import PenaltyGiven
from referee.tournament.interchange.json_csv import PlayerRow
from tests.cli.transcripts import run
from tests.deep import first
from tests.tournament.asking import Stand, swiss
from tests.tournament.test_commands import cup, said
from tests.waiting import PATIENCE


def stored(newcomer: Path) -> int:
    """How many entries the store has, of whatever kind."""
    file = newcomer / "data" / "referee" / "games.db"
    if not file.exists():
        return 0
    store = open_store(f"sqlite://{file}")
    position = store.position()
    store.close()
    return position


def desk_of(newcomer: Path) -> Desk:
    return Desk(Bench(open_store(f"sqlite://{newcomer / 'data' / 'referee' / 'games.db'}")))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_says_what_was_recorded_before(newcomer: Path, lang: str) -> None:
    cup(newcomer)
    line = f'referee tournament penalty add Ana 0.5 -m "late twice" --key p1 --lang {lang}'
    first = run(line)[0]
    out, code = run(line)
    assert code == 0
    assert "Ana" in first
    assert set(first.splitlines()) <= set(out.splitlines())
    assert {"en": "nothing was recorded again", "fr": "rien n’a été enregistré de nouveau"}[
        lang
    ] in out


@pytest.mark.parametrize("lang", LANGUAGES)
def test_who_asks_again_reads_what_was_answered(lang: str) -> None:
    """A round from its pairing to its end, each request sent twice: no line of the history."""
    stand = Stand(swiss(), "Ana", "Bo", "Cleo", "Dan")
    asked: list[tuple[Callable[..., Answered[Any]], tuple[Any, ...], dict[str, Any]]] = [
        (rounds.pair, (), {"seed": 3}),
        (rounds.move_tables, ([(1, 7)],), {}),
        (rounds.swap_players, ("Ana", "Bo"), {"reason": "cousins"}),
        (rounds.seat_together, (["Ana", "Bo"],), {"reason": "cousins"}),
        (rounds.start, (), {}),
        (player_reports.report, (2, Slip(["A", "B"])), {"player": "Ana"}),
        (player_reports.report, (2, Slip(["A", "B"])), {"player": "Bo"}),
        (results.correct_result, (2, Slip(["B", "A"]), "misread"), {}),
        (results.enter_result, (7, Slip(["A"], absent=["B"]), ""), {}),
        (results.correct_result, (7, Slip(["A=B"]), "he came"), {}),
        (players.drop, ("Ana",), {}),
        (players.come_back, ("Ana",), {}),
        (rounds.close, (), {}),
        (rounds.reopen, (1, "misread"), {}),
        (rounds.close, (), {}),
        (rounds.pair, (), {"seed": 5}),
        (rounds.start, (), {}),
        (results.enter_list, ("1 A=B\n2 B A",), {}),
    ]
    for number, (operation, args, more) in enumerate(asked):
        voice = Voice("fr" if lang == "fr" else "en")
        once, twice = (
            stand.ask(operation, *args, **more, key=f"key-{number}").lines(voice) for _ in range(2)
        )
        assert once == twice, operation
    assert stand.now.round(2).waiting == ()


def test_a_request_is_the_same_whatever_was_told_since(newcomer: Path) -> None:
    cup(newcomer)
    line = "referee tournament players drop Dan --key k"
    first = said(line)["events"]
    run("referee tournament players return Dan")
    run("referee tournament pair --seed 3 --key p")
    run("referee tournament start --key s")
    run("referee tournament result 1 A -m slip --key r")
    for again in (line, "referee tournament pair --key p", "referee tournament start --key s"):
        assert run(f"{again} --json")[1] == 0
    assert said(line)["events"] == first
    assert said("referee tournament result 1 A -m slip --key r")["events"]


def test_a_late_repetition_does_not_pair_the_next_round(newcomer: Path) -> None:
    cup(newcomer)
    first = said("referee tournament pair --key first")
    run("referee tournament start")
    for table in (1, 2):
        run(f"referee tournament result {table} A B -m slip")
    run("referee tournament round close")
    again = said("referee tournament pair --key first")
    assert (again["round"], again["seed"]) == (1, first["seed"])
    assert said("referee tournament info")["rounds"] == 1


def test_a_tournament_made_twice_is_there_once_and_current(newcomer: Path) -> None:
    line = "referee tournament new Cup --of benevolent --key spring"
    made = said(line)["tournament"]
    run("referee tournament new Other --of benevolent")
    assert said(line)["tournament"] == made
    assert said("referee tournament info")["tournament"] == made
    assert len(said("referee tournament list")["tournaments"]) == 2


def test_a_game_is_played_again_once(newcomer: Path) -> None:
    cup(newcomer)
    run("referee tournament pair")
    run("referee tournament start")
    first = said("referee tournament table 1")["game"]
    again = [said("referee tournament table 1 --again --key again") for _ in range(2)]
    assert [answer["new"] for answer in again] == [True, False]
    assert again[0]["game"] == again[1]["game"] != first
    assert len(said("referee tournament tables")["tables"][0]["games"]) == 2


# two processes at once


def at_once(newcomer: Path, *lines: str) -> list[tuple[int, dict]]:
    """The answers of programs that were started together."""
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "cli.main", *shlex.split(line)[1:], "--json"],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            cwd=newcomer,
        )
        for line in lines
    ]
    outs = [process.communicate(timeout=PATIENCE)[0] for process in started]
    return [
        (process.returncode, json.loads(out)) for process, out in zip(started, outs, strict=True)
    ]


@pytest.mark.parametrize(
    "line",
    first(
        1,
        [
            "referee tournament pair --key k",
            "referee tournament players add Eva --namesake --key k",
            "referee tournament penalty add Ana 1 -m late --key k",
            "referee tournament new Autumn --of benevolent --key k",
        ],
    ),
)
def test_two_processes_with_one_key_record_once(newcomer: Path, line: str) -> None:
    """Even where each would have told something else: another seed, another pseudonym."""
    cup(newcomer)
    before = stored(newcomer)
    answers = at_once(newcomer, line, line, line)
    assert [code for code, _ in answers] == [0, 0, 0], answers
    assert stored(newcomer) == before + 1
    one, *others = (answer["data"] for _, answer in answers)
    assert all(other == one for other in others)


SENT: dict[str, Callable[[Caller, str], Answered[Any]]] = {
    "pair": lambda caller, cup: rounds.pair(caller, cup, key="k"),
    "add": lambda caller, cup: players.register(caller, cup, [PlayerRow(name="Eva")], key="k"),
    "drop": lambda caller, cup: players.drop(caller, cup, "Ana", key="k"),
    "fine": lambda caller, cup: judging.penalise(caller, cup, "Ana", 1, "late", key="k"),
}


@pytest.mark.parametrize("what", SENT)
def test_whoever_is_overtaken_by_the_own_request_has_its_answer(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sent twice at once: the second is written between the first's look and its writing."""
    here, there = (open_store_context(f"sqlite://{tmp_path}/cup.db") for _ in range(2))
    stand = Stand(swiss(), "Ana", "Bo", store_context=here)
    twin = Caller(there, stand.caller.author)
    quicker: list[Answered[Any]] = []
    append = Desk._append

    def overtaken(desk: Desk, *args: Any) -> None:
        if not quicker:
            quicker.append(Answered(lambda: None, lambda voice: []))
            quicker[0] = SENT[what](twin, stand.id)
        append(desk, *args)

    monkeypatch.setattr(Desk, "_append", overtaken)
    before = here.store.position()
    answer = SENT[what](stand.caller, stand.id)
    assert here.store.position() == before + 1
    assert answer.data == quicker[0].data


def test_two_processes_open_one_record_for_a_table(newcomer: Path) -> None:
    cup(newcomer)
    run("referee tournament pair")
    run("referee tournament start")
    before = stored(newcomer)
    answers = at_once(newcomer, *["referee tournament table 1"] * 3)
    assert [code for code, _ in answers] == [0, 0, 0], answers
    assert stored(newcomer) == before + 1
    assert len({answer["data"]["game"] for _, answer in answers}) == 1
    assert sum(answer["data"]["new"] for _, answer in answers) == 1


def test_several_desks_enter_results_at_the_same_time(newcomer: Path) -> None:
    """Nobody has to try again for what does not contradict the others."""
    cup(newcomer, "Ana Bo Cleo Dan Eva Flo Gus Hal")
    run("referee tournament pair")
    run("referee tournament start")
    answers = at_once(
        newcomer, *[f"referee tournament result {table} A -m slip" for table in (1, 2, 3, 4)]
    )
    assert [code for code, _ in answers] == [0, 0, 0, 0], answers
    assert all(table["outcome"] for table in said("referee tournament tables")["tables"])


def test_two_results_of_one_table_contradict_each_other(newcomer: Path) -> None:
    cup(newcomer, "Ana Bo")
    run("referee tournament pair")
    run("referee tournament start")
    answers = at_once(newcomer, *[f"referee tournament result 1 {seat} -m slip" for seat in "AB"])
    assert sorted(code for code, _ in answers) == [0, 5], answers


@pytest.mark.deep
def test_processes_with_keys_of_their_own_all_get_through_when_they_try_again(
    newcomer: Path,
) -> None:
    """A conflict asks for another try; the key makes that try safe."""
    cup(newcomer)
    lines = [f"referee tournament penalty add Ana {n} -m late --key k{n}" for n in range(1, 5)]
    waiting = list(lines)
    for _ in range(20):
        answers = at_once(newcomer, *waiting)
        waiting = [line for line, (code, _) in zip(waiting, answers, strict=True) if code]
        if not waiting:
            break
    at_once(newcomer, *lines)
    desk = desk_of(newcomer)
    (hosted,) = desk.all()
    desk.bench.store.close()
    given = Counter(told.key for told in hosted.told if isinstance(told.event, PenaltyGiven))
    assert waiting == []
    assert given == dict.fromkeys(("k1", "k2", "k3", "k4"), 1)
