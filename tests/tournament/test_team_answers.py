"""Teams at the desk: names become people, phones line up, lists are hostile, papers tell it."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answers.context import Caller
from answers.i18n import Voice
from answers.permissions import KEEPERS
from answers.tournament import broadcast, players, printing, results, rounds, teams
from answers.tournament.result_slips import Slip
from engines.kernel.messages.errors import MessageError
from referee.errors import Misused, NotAllowed, NotFound
from referee.table.author import Author
from referee.tournament.errors import NotPossible
from referee.tournament.events import MOST_MEMBERS, ByHand, Outcome, ResultEntered, match_places
from referee.tournament.interchange.json_csv import TournamentSheet, read_players
from referee.tournament.plan import Match
from tests.tournament.asking import Stand, swiss

HOSTILE = "=<b>Ana</b>&co"


def clubs(*names: str, boards: int = 3) -> Stand:
    return Stand(swiss(match=Match(games=boards, boards=True)), *names)


def roster(stand: Stand, team: str) -> list[str]:
    """The members of a team, by name."""
    found = stand.ask(teams.teams, team).data.teams[0]
    return [member.name for member in found.members]


def seated(stand: Stand, team: str, number: int = 1) -> list[str]:
    found = stand.ask(teams.teams, team, round=number).data.teams[0]
    return [each.name for each in found.line_up]


def team_called(stand: Stand, name: str) -> str:
    listed = stand.ask(players.players).data.players
    return str(next(row.player for row in listed if row.name == name))


def phone_of(stand: Stand, team: str) -> Caller:
    """The phone that holds the code of a team: the captain's."""
    return replace(stand.caller, author=Author(team_called(stand, team), "player"))


def tell_games(stand: Stand, *tables: str) -> None:
    number = stand.now.current_round.number
    for table, told in enumerate(tables, start=1):
        games: Any = tuple(told)
        outcome = Outcome(places=match_places(games), games=games)
        source = ByHand(reason="slip")
        stand.caller.store_context.desk.tell(
            stand.id, ResultEntered(round=number, table=table, outcome=outcome, source=source)
        )


def two_teams() -> Stand:
    stand = clubs("Rook", "Knight")
    stand.ask(teams.set_team, "Rook", ["Ana", "Bo", "Cleo", "Dan"], captain="Ana")
    stand.ask(teams.set_team, "Knight", ["Eva", HOSTILE], captain="Zoe")
    return stand


def test_an_organiser_of_an_event_means_whoever_belongs_to_it_by_a_name() -> None:
    """A player, one who plays for a team, or who has a token there; who has the same name
    elsewhere is somebody else."""
    stand = two_teams()
    context = stand.caller.store_context
    context.access.give("judge", stand.id, context.people.add("Jo"))
    context.access.give("judge", "", context.people.add("Ida"))
    known: dict[str, tuple[str, ...]] = {
        name: (person,) for person, name in context.people.everybody()
    }
    scoped = replace(stand.caller, scope=stand.id)
    found = {name: scoped.people_called(name) for name in known}
    assert found == known | {"Ida": ()}


def test_the_same_name_is_the_same_person_in_a_team_and_a_namesake_where_it_is_said() -> None:
    stand = two_teams()
    before = stand.now.teams[team_called(stand, "Rook")].members
    stand.ask(teams.set_team, "Rook", ["dan", "Ana", "Bo"], away=["bo"])
    after = stand.now.teams[team_called(stand, "Rook")]
    assert after.members == (before[3], before[0], before[1])
    assert after.away == (before[1],)
    with pytest.raises(NotPossible) as refused:
        stand.ask(teams.set_team, "Knight", ["Ana"])
    assert refused.value.facts == {"player": "Ana", "team": "Rook"}
    stand.ask(teams.set_team, "Knight", ["Ana", "Eva"], namesake=True)
    assert roster(stand, "Knight") == ["Ana", "Eva"]
    assert len(set(stand.now.team_of)) == len(stand.now.team_of)
    for members, away in ((["Ana"], ["Nobody"]), (["Ana", "\u200b"], []), (["A\x07"], [])):
        assert stand.refusal(teams.set_team, "Rook", members, away=away)


def test_until_a_round_starts_the_desk_and_the_team_itself_know_who_sits_where() -> None:
    stand = two_teams()
    stand.ask(rounds.pair, seed=1)
    askers = {role: Author("psomebody", role) for role in ("organiser", "judge", "scribe")}
    askers["spectator"] = Author("anonymous", "spectator")
    askers |= {team: phone_of(stand, team).author for team in ("Rook", "Knight")}

    def known(told: bool, started: bool) -> None:
        for name, author in askers.items():
            caller = replace(stand.caller, author=author)
            for team, names in (("Rook", ["Dan", "Ana", "Bo"]), ("Knight", ["Eva", HOSTILE])):
                all_named = names if told else {"Rook": ["Ana", "Bo", "Cleo"]}.get(team, names)
                may = started or author.role in KEEPERS.names or name == team
                listed = teams.teams(caller, stand.id, team, round=1)
                assert [each.name for each in listed.data.teams[0].line_up] == (
                    all_named if may else []
                ), (name, team)
                (table,) = rounds.tables(caller, stand.id).data.tables
                seat = [each.name for each in table.seats].index(team)
                sides = [(board.first, board.second)[seat] for board in table.boards]
                assert [side.name for side in sides if side is not None] == (
                    all_named if may else []
                ), (name, team)

    known(told=False, started=False)
    teams.set_line_up(phone_of(stand, "Rook"), stand.id, ["Dan", "Ana", "Bo"])
    known(told=True, started=False)
    stand.ask(rounds.start)
    known(told=True, started=True)


def test_a_captains_phone_lines_up_its_own_team_until_the_round_starts() -> None:
    stand = two_teams()
    rook = phone_of(stand, "Rook")
    stand.ask(rounds.pair, seed=1)
    teams.set_line_up(rook, stand.id, ["Dan", "Ana", "Bo"])
    assert seated(stand, "Rook") == ["Dan", "Ana", "Bo"]
    with pytest.raises(NotAllowed):
        teams.set_line_up(rook, stand.id, ["Eva"], team="Knight")
    with pytest.raises(NotAllowed):
        teams.set_team(rook, stand.id, "Rook", ["Ana"])
    with pytest.raises(NotFound):
        teams.set_line_up(rook, stand.id, ["Eva"])
    stand.ask(rounds.start)
    with pytest.raises(NotPossible) as refused:
        teams.set_line_up(rook, stand.id, ["Ana", "Bo", "Dan"])
    assert refused.value.key == "line_up_stands"
    stand.ask(teams.set_line_up, ["Ana", "Bo", "Dan"], team="Rook")
    assert seated(stand, "Rook") == ["Ana", "Bo", "Dan"], "the desk corrects who sat there"
    teams.set_line_up(rook, stand.id, ["Bo"], round=2)
    assert seated(stand, "Rook", 2) == ["Bo"]


def test_a_line_up_that_comes_too_late_is_the_desks_and_who_told_none_sits_as_listed() -> None:
    """Every moment around the deadline, for the phone and for the desk; and once it is moved."""
    stand = two_teams()
    desk = stand.caller.store_context.desk
    clock = ["2099-03-01T13:00:00.000Z"]
    desk._clock = lambda: clock[0]
    stand.ask(teams.set_line_ups_due, "2099-03-01T13:45:00.000Z", round=1)
    phone = phone_of(stand, "Rook")
    for at, people, in_time in (
        ("2099-03-01T13:44:59.999Z", ["Bo", "Ana"], True),
        ("2099-03-01T13:45:00.000Z", ["Dan", "Ana", "Bo"], True),
        ("2099-03-01T13:45:00.001Z", ["Ana"], False),
    ):
        clock[0] = at
        assert teams.teams(phone, stand.id, round=1).data.changeable == in_time
        if in_time:
            teams.set_line_up(replace(phone, key=f"k{at}"), stand.id, people)
        else:
            with pytest.raises(NotPossible, match="line_up_late"):
                teams.set_line_up(phone, stand.id, people)
    assert seated(stand, "Rook") == ["Dan", "Ana", "Bo"]
    early = replace(phone, key="k2099-03-01T13:45:00.000Z")
    told = len(stand.hosted.told)
    teams.set_line_up(early, stand.id, ["Dan", "Ana", "Bo"])
    assert len(stand.hosted.told) == told, "an answer that was lost is no late line-up"
    teams.set_line_up(phone, stand.id, ["Ana"], round=2)
    stand.ask(teams.set_line_up, ["Cleo", "Dan"], team="Rook")
    stand.ask(rounds.pair, seed=1)
    warned = stand.told(stand.ask(rounds.start))
    assert "no line-up yet, so in the order of the members: Knight" in warned
    assert (seated(stand, "Rook"), seated(stand, "Knight")) == (["Cleo", "Dan"], ["Eva", HOSTILE])
    assert stand.refusal(teams.set_line_ups_due, None, round=1).key == "line_ups_stand"
    stand.ask(teams.set_line_ups_due, "2099-03-01T13:00:00.000Z", round=2)
    with pytest.raises(NotPossible):
        teams.set_line_up(phone, stand.id, ["Bo"], round=2)
    stand.ask(teams.set_line_ups_due, None, round=2)
    teams.set_line_up(phone, stand.id, ["Bo"], round=2)


def test_a_repeated_request_makes_nobody_anew_and_a_reused_key_is_refused() -> None:
    stand = clubs("Rook")
    first = stand.ask(teams.set_team, "Rook", ["Ana", "Bo"], captain="Zoe", key="k1").data
    people = stand.caller.store_context.people.everybody()
    again = stand.ask(teams.set_team, "Rook", ["Ana", "Bo"], captain="Zoe", key="k1").data
    assert again.events == first.events
    assert stand.caller.store_context.people.everybody() == people
    with pytest.raises(MessageError) as refused:
        stand.ask(teams.set_team, "Rook", ["Bo", "Ana"], captain="Zoe", key="k1")
    assert refused.value.key == "key_reused"


def test_two_entries_of_one_member_are_merged_and_an_erased_name_is_gone_everywhere() -> None:
    stand = two_teams()
    stand.ask(rounds.pair, seed=1)
    stand.ask(rounds.start)
    stand.ask(teams.set_team, "Rook", ["Ana", "Bo", "Cleo", "Kleo"])
    stand.ask(players.merge, "Kleo", "Cleo", "misspelt")
    assert roster(stand, "Rook") == ["Ana", "Bo", "Kleo"]
    assert "Kleo" in seated(stand, "Rook")
    with pytest.raises(NotPossible):
        stand.ask(players.merge, "Ana", "Eva", "not at all the same")
    person = stand.now.teams[team_called(stand, "Rook")].members[0]
    stand.caller.store_context.people.erase(person)
    told = "\n".join(stand.ask(teams.teams).told(Voice()))
    assert "Ana" not in told.replace(HOSTILE, "")
    assert person in told


LIST = "équipe;plateau;nom;capitaine;cote;club\n"


def test_a_list_with_a_line_per_member_makes_teams_and_read_again_changes_nothing() -> None:
    stand = clubs()
    text = (
        f"{LIST}Rook;2;Ana;;1800;North\nRook;1;Bo;x;2000;\nrook;;Cleo;;;\n"
        "Knight;1;Bo;non;1500;\nKnight;2;Dan;;;\n"
    )
    stand.ask(players.register_list, read_players(text), "list.csv")
    assert roster(stand, "Rook") == ["Bo", "Ana", "Cleo"]
    assert roster(stand, "Knight") == ["Bo", "Dan"]
    rook = stand.now.players[team_called(stand, "Rook")]
    assert (rook.rating, rook.club) == (1900, "North")
    assert stand.now.teams[rook.id].captain == stand.now.teams[rook.id].members[0]
    last = stand.now.last
    stand.ask(players.register_list, read_players(text), "list.csv")
    assert stand.now.last == last
    stand.ask(players.register_list, read_players(f"{LIST}Rook;1;Ana\nRook;2;Bo\n"), "list.csv")
    assert roster(stand, "Rook") == ["Ana", "Bo"]
    assert len({*stand.now.team_of}) == 4, "nobody was made twice"


@pytest.mark.parametrize(
    "text",
    [
        f"{LIST}Rook;0;Ana\n",
        f"{LIST}Rook;25;Ana\n",
        f"{LIST}Rook;x;Ana\n",
        f"{LIST}{'R' * 41};1;Ana\n",
        f"{LIST}Ro\x07ok;1;Ana\n",
        f"{LIST}Rook;1;A\u202ena\n",
        f"{LIST}Rook;1;\n",
        "team,équipe,name\nRook,Rook,Ana\n",
    ],
)
def test_a_list_of_members_that_is_wrong_is_refused_and_nothing_is_told(text: str) -> None:
    stand = clubs()
    last = stand.now.last
    with pytest.raises(MessageError):
        stand.ask(players.register_list, read_players(text), "list.csv")
    assert stand.now.last == last


def test_a_team_has_a_limit_and_a_list_of_players_is_as_it_was() -> None:
    stand = clubs()
    members = "".join(f"Rook;;Member {at}\n" for at in range(MOST_MEMBERS + 1))
    with pytest.raises(Misused) as refused:
        stand.ask(players.register_list, read_players(LIST + members), "list.csv")
    assert refused.value.key == "too_many_members"
    alone = Stand(swiss())
    told = alone.ask(players.register_list, read_players(f"{LIST}Rook;1;Ana\n"), "list.csv")
    assert [row.name for row in alone.ask(players.players).data.players] == ["Ana"]
    assert [warning.key for warning in told.warnings] == ["tournament.columns_unread"]


@settings(max_examples=25, deadline=None)
@given(told=st.lists(st.lists(st.sampled_from("AB="), min_size=3, max_size=3), max_size=3))
def test_everybodys_boards_add_up_to_those_of_the_teams(told: list[list[str]]) -> None:
    """Two ways to the same number: person by person, and the games of the matches."""
    stand = clubs("Rook", "Knight")
    stand.ask(teams.set_team, "Rook", ["Ana", "Bo", "Cleo", "Dan"])
    stand.ask(teams.set_team, "Knight", ["Eva", "Finn", "Gil"])
    for games in told:
        stand.ask(rounds.pair, seed=1)
        stand.ask(rounds.start)
        tell_games(stand, "".join(games))
        stand.ask(rounds.close)
        stand.ask(teams.set_line_up, ["Dan", "Cleo", "Bo"], team="Rook")
    data = stand.ask(teams.boards).data
    assert sum(row.games for row in data.people) == 2 * sum(len(games) for games in told)
    assert sum(row.won for row in data.people) == sum(row.lost for row in data.people)
    assert sum(row.drawn for row in data.people) == 2 * sum(games.count("=") for games in told)
    for each in data.people:
        assert each.games == len(each.boards)
        at_boards = [
            row for board in data.boards for row in board.rows if row.person == each.person
        ]
        assert sum(row.won for row in at_boards) == each.won
    for board in data.boards:
        assert board.rows[0].rank == 1


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_papers_and_exports_tell_the_boards_and_escape_what_people_write(lang: str) -> None:
    stand = two_teams()
    stand.ask(rounds.pair, seed=1)
    stand.ask(rounds.start)
    tell_games(stand, "AB=")
    caller = replace(stand.caller, voice=Voice(lang))
    for paper in ("pairings", "names", "slips", "boards", "event"):
        page = printing.printed(caller, stand.id, paper).content.decode()
        assert "Eva" in page, paper
        assert "&lt;b&gt;Ana" in page, paper
        assert "<b>Ana" not in page, paper
    listed = printing.exported(caller, stand.id, "csv", of="boards").content.decode()
    rows = list(csv.DictReader(io.StringIO(listed)))
    assert {row["name"] for row in rows} == {"Ana", "Bo", "Eva", f"'{HOSTILE}"}, (
        "nobody draws with an empty board"
    )
    pairings = printing.exported(caller, stand.id, "csv", of="pairings").content.decode()
    tables = [row["table"] for row in csv.DictReader(io.StringIO(pairings))]
    assert tables == ["1", "1.1", "1.2", "1.3"]
    sheet = json.loads(printing.exported(caller, stand.id, "json").content)
    TournamentSheet.model_validate_json(json.dumps(sheet))
    assert {each["name"] for each in sheet["people"]} >= {"Zoe", "Dan", HOSTILE}
    named = printing.exported(caller, stand.id, "events", named=True).content.decode()
    assert "Zoe" in named
    for operation in (teams.teams, teams.boards):
        lines = "\n".join(stand.ask(operation).told(Voice(lang)))
        assert "Eva" in lines
        assert ("plateau" in lines) == (lang == "fr")


def test_an_event_without_teams_says_so_and_is_exported_as_before() -> None:
    stand = Stand(swiss(), "Ana", "Bo")
    assert stand.ask(teams.teams).data.teams == []
    assert stand.ask(teams.boards).data.people == []
    sheet = json.loads(printing.exported(stand.caller, stand.id, "json").content)
    assert not {"teams", "people"} & sheet.keys()
    with pytest.raises(NotPossible):
        stand.ask(teams.set_team, "Ana", ["Cleo"])


def test_a_board_at_which_one_team_has_nobody_is_won_by_the_other_or_said_anyway() -> None:
    for told in map("".join, product("AB=", repeat=3)):
        stand = two_teams()  # two people of Knight, and three boards
        stand.ask(rounds.pair, seed=1)
        stand.ask(rounds.start)
        seats = stand.now.round(1).table(1).seats
        rook = "AB"[seats.index(team_called(stand, "Rook"))]
        if told[2] == rook:
            stand.ask(results.enter_result, 1, Slip(games=told), "slip")
        else:
            refused = stand.refusal(results.enter_result, 1, Slip(games=told), "slip")
            assert "nobody_at_board" in str(refused.key)
            stand.ask(results.enter_result, 1, Slip(games=told, anyway=True), "slip")
        entered = stand.now.round(1).result(1)
        assert entered is not None
        assert "".join(entered.outcome.games) == told


def test_every_recorded_board_of_a_match_is_broadcast_and_warned_of() -> None:
    stand = clubs("Rook", "Knight", boards=2)
    stand.ask(teams.set_team, "Rook", ["Ana", "Bo"])
    stand.ask(teams.set_team, "Knight", ["Eva", "Fay"])
    stand.ask(rounds.pair)
    stand.ask(rounds.start)
    games = [stand.ask(results.open_table, 1, board=board).data.game for board in (2, 1)]
    shown = stand.ask(broadcast.broadcast)
    assert [(each.table, each.board, each.game) for each in shown.data.boards] == [
        (1, 1, games[1]), (1, 2, games[0]),
    ]  # fmt: skip
    assert [line.split("  ")[1] for line in shown.lines(Voice()) if games[0] in line] == [
        "table 1, board 2"
    ]
    slip = Slip(games="AA")
    warned = stand.ask(results.enter_result, 1, slip, "on paper").warnings
    assert len([each for each in warned if "record_is_open" in str(each)]) == 2
