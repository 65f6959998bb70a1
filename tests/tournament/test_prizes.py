"""Sections and prizes: ranks of a section, who gets which prize, and how both are told.

The models know points and nothing else: events are ranked by points alone here, so that many are
level.
"""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answers.context import Caller
from answers.i18n import Voice
from answers.tournament import (
    broadcast,
    judging,
    lifecycle,
    players,
    printing,
    prizes,
    standings,
)
from answers.tournament.standings import standings_csv
from referee.errors import NotAllowed
from referee.table.author import Author
from referee.tournament.events import (
    MOST_SECTIONS,
    FeeMarked,
    PlayerEdited,
    Prize,
    PrizesDeclared,
    Registered,
    WallTurned,
    read_event,
)
from referee.tournament.interchange.json_csv import (
    read_players,
    tournament_sheet,
)
from referee.tournament.ranking.prizes import awards, section_rows
from referee.tournament.ranking.standings import standings as ranked
from tests.tournament.asking import Stand, swiss
from tests.tournament.generator import player_id
from tests.tournament.hosting import Hall, duels, play_pairs

SECTIONS = ("U14", "women", "new")

memberships = st.lists(st.sets(st.sampled_from(SECTIONS)), min_size=2, max_size=9)
results = st.lists(st.lists(st.sampled_from("1=0"), min_size=4, max_size=4), max_size=3)
places = st.dictionaries(
    st.tuples(st.sampled_from(["", *SECTIONS]), st.integers(1, 5)), st.text("x", min_size=1)
)


def played(members: list[set[str]], rounds: list[list[str]]) -> tuple[Hall, dict[str, int]]:
    """An event ranked by points, and the half points of everybody as a child would add them."""
    hall = Hall(duels(tie_breaks=("PTS",)))
    everybody = [player_id(number) for number in range(len(members))]
    for player, sections in zip(everybody, members, strict=True):
        hall.join(player, sections=tuple(sorted(sections)))
    halves = dict.fromkeys(everybody, 0)
    for number, outcomes in enumerate(rounds):
        order = everybody[number:] + everybody[:number]
        pairs = list(zip(order[::2], order[1::2], strict=False))
        games = list(zip(pairs, outcomes, strict=False))
        left = set(everybody) - {player for pair, _ in games for player in pair}
        play_pairs(hall, *((a, b, told) for (a, b), told in games), byes=tuple(sorted(left)))
        for (a, b), told in games:
            halves[a] += {"1": 2, "=": 1, "0": 0}[told]
            halves[b] += {"1": 0, "=": 1, "0": 2}[told]
        for player in left:
            halves[player] += 2
    return hall, halves


@given(members=memberships, rounds=results)
@settings(max_examples=30, deadline=None)
def test_a_rank_in_a_section_counts_its_better_members(
    members: list[set[str]], rounds: list[list[str]]
) -> None:
    hall, halves = played(members, rounds)
    for section in SECTIONS:
        inside = {player_id(at) for at, sections in enumerate(members) if section in sections}
        found = section_rows(hall.now, ranked(hall.now).rows, section)
        assert {each.row.player: each.rank for each in found} == {
            player: 1 + sum(halves[other] > halves[player] for other in inside) for player in inside
        }
        assert all(
            each.row.rank == 1 + sum(other > halves[each.row.player] for other in halves.values())
            for each in found
        )


def model(
    members: list[set[str]], halves: dict[str, int], listed: list[Prize], several: bool
) -> list[set[str]]:
    """Who gets which prize: one ranking is gone through from the top, as far as a prize asks."""
    taken: dict[str, list[set[str]]] = {}
    looked: dict[str, set[str]] = {}
    winners: set[str] = set()
    given_to = []
    for prize in listed:
        there = {
            player_id(at)
            for at, of in enumerate(members)
            if not prize.section or prize.section in of
        }
        rows, seen = taken.setdefault(prize.section, []), looked.setdefault(prize.section, set())
        while len(rows) < prize.place and there - seen:
            best = max(halves[player] for player in there - seen)
            level = {player for player in there - seen if halves[player] == best}
            seen |= level
            level -= set() if several else winners
            rows += [level] * len(level)
        got = rows[prize.place - 1] if len(rows) >= prize.place else set()
        winners |= got
        given_to.append(got)
    return given_to


@given(members=memberships, rounds=results.filter(bool), declared=places, data=st.data())
@settings(max_examples=80, deadline=None)
def test_every_prize_goes_to_whom_a_simple_model_says(
    members: list[set[str]],
    rounds: list[list[str]],
    declared: dict[tuple[str, int], str],
    data: st.DataObject,
) -> None:
    """In any order of the rankings, each from its first place on."""
    order = data.draw(st.permutations([section for section, _ in declared]))
    left = {section: sorted(p for s, p in declared if s == section) for section, _ in declared}
    listed = [Prize(section=section, place=left[section].pop(0), text="cup") for section in order]
    several = data.draw(st.booleans())
    hall, halves = played(members, rounds)
    hall.tell(PrizesDeclared(prizes=tuple(listed), several=several))
    found = awards(hall.now)
    assert [award.prize for award in found] == listed
    assert [set(award.players) for award in found] == model(members, halves, listed, several)
    for award in found:  # who is level shares, and nobody is named twice
        assert len({halves[player] for player in award.players}) <= 1
        assert len(set(award.players)) == len(award.players)
    if not several:
        rankings: dict[str, set[str]] = {}
        for award in found:
            for player in award.players:
                rankings.setdefault(player, set()).add(award.prize.section)
        assert all(len(each) == 1 for each in rankings.values())


@given(members=memberships, rounds=results.filter(bool), most=st.integers(1, 9))
@settings(max_examples=30, deadline=None)
def test_nobody_without_a_prize_is_better_than_who_has_one(
    members: list[set[str]], rounds: list[list[str]], most: int
) -> None:
    """Prizes for all first places of the event, then for those of a section."""
    hall, halves = played(members, rounds)
    listed = [Prize(place=place, text="cup") for place in range(1, most + 1)]
    listed += [Prize(place=place, section="U14", text="game") for place in (1, 2)]
    hall.tell(PrizesDeclared(prizes=tuple(listed)))
    found = awards(hall.now)
    winners = {player for award in found for player in award.players}
    for award in found:
        for player in award.players:
            inside = [
                other
                for other, of in zip(halves, members, strict=True)
                if not award.prize.section or award.prize.section in of
            ]
            assert all(other in winners for other in inside if halves[other] > halves[player])


@given(members=memberships, rounds=results.filter(bool))
@settings(max_examples=20, deadline=None)
def test_spreadsheet_and_sheet_tell_the_ranks_of_every_section(
    members: list[set[str]], rounds: list[list[str]]
) -> None:
    hall, halves = played(members, rounds)
    expected = {
        (player, section): 1
        + sum(
            halves[other] > halves[player]
            for other, those in zip(halves, members, strict=True)
            if section in those
        )
        for player, own in zip(halves, members, strict=True)
        for section in own
    }
    told = csv.DictReader(io.StringIO(standings_csv(hall.now, ranked(hall.now), {})))
    listed = list(told)
    assert [heading for heading in told.fieldnames or () if heading.startswith("section:")] == [
        f"section:{each}" for each in sorted(set().union(*members))
    ]
    assert {
        (row["name"], heading.removeprefix("section:")): int(cell)
        for row in listed
        for heading, cell in row.items()
        if heading.startswith("section:") and cell
    } == expected
    rows = tournament_sheet(hall.now, {}).standings
    assert {(row.player, each): row.sections[each] for row in rows for each in row.sections} == (
        expected
    )


# at the desk


def junior_cup() -> Stand:
    stand = Stand(swiss(1, tie_breaks=("PTS",)))
    stand.add("Ana", "Bo", sections="U14, women")
    stand.add("Cleo", "Dan", sections=("u14",))
    stand.add("Eve", "Flo")
    return stand


def declared(stand: Stand, *lines: str, several: bool = False) -> None:
    stand.ask(prizes.declare, prizes.read_prizes(lines), several=several)


def test_a_section_is_one_however_it_is_written() -> None:
    stand = junior_cup()
    assert stand.now.sections == ("U14", "women")
    declared(stand, "1 u14: a game", "1 Féminines: a book")
    assert stand.now.sections == ("Féminines", "U14", "women")
    stand.ask(players.edit, "Eve", sections=["  FEMININES ", "u14"])
    assert stand.now.players[stand.id_of("Eve")].sections == ("Féminines", "U14")
    stand.ask(players.edit, "Eve", sections=[])
    assert stand.now.players[stand.id_of("Eve")].sections == ()
    stand.play()
    shown = stand.ask(standings.standings, section="u14").data
    assert shown.section == "U14"
    assert {row.name for row in shown.rows} == {"Ana", "Bo", "Cleo", "Dan"}
    assert stand.refusal(standings.standings, section="U16").key == "no_such_section"


def test_a_player_is_told_the_place_that_the_standings_of_each_section_have() -> None:
    stand = junior_cup()
    stand.ask(players.edit, "Cleo", sections=["women", "u14"])
    stand.play()
    for name in stand.names():
        why = stand.ask(standings.why, name)
        own = stand.now.players[stand.id_of(name)].sections
        assert [each.section for each in why.data.sections] == list(own)
        for place in why.data.sections:
            rows = stand.ask(standings.standings, section=place.section).data.rows
            ranks = {row.name: row.section_rank for row in rows}
            assert (place.rank, place.players) == (ranks[name], len(rows))
            for lang, line in (
                ("en", "{}: rank {} of {}"),
                ("fr", "{}\N{NARROW NO-BREAK SPACE}: rang {} sur {}"),
            ):
                told = line.format(place.section, place.rank, place.players)
                assert told in stand.told(why, lang)


def test_the_desk_chooses_a_section_for_the_big_screens() -> None:
    stand = junior_cup()
    told = stand.ask(broadcast.turn_wall, "standings", section=" u14 ")
    assert "U14" in stand.told(told)
    assert stand.ask(broadcast.broadcast).data.wall.section == "U14"
    assert stand.refusal(broadcast.turn_wall, "standings", section="U16").key == "no_such_section"
    assert stand.refusal(broadcast.turn_wall, "names", section="U14").key == "section_of_standings"
    for name in ("Ana", "Bo", "Cleo", "Dan"):
        stand.ask(players.edit, name, sections=[])
    assert stand.ask(broadcast.broadcast).data.wall.section == "", "nobody is in it any more"
    stand.ask(broadcast.turn_wall, "standings")
    assert stand.now.wall.section == ""


def test_a_section_without_members_is_warned_of() -> None:
    stand = junior_cup()
    told = stand.ask(prizes.declare, prizes.read_prizes(["1 U16: a game", "1 U14: a book"]))
    assert [warning.facts["sections"] for warning in told.warnings] == [["U16"]]


def test_who_is_named_depends_on_the_end_and_not_on_paper_before_it() -> None:
    stand = junior_cup()
    declared(stand, "1: 100 €", "1 U14: a game")
    assert all(not row.players for row in stand.ask(prizes.prizes).data.prizes)
    begun = junior_cup()
    declared(begun, "1: 100 €")
    begun.start()
    assert all(not row.players for row in begun.ask(prizes.prizes).data.prizes)
    begun.slip(1, "A", "B")
    assert any(row.players for row in begun.ask(prizes.prizes).data.prizes)
    stand.play()
    now = stand.ask(prizes.prizes).data
    assert (now.final, len(now.prizes[0].players)) == (False, 3)
    names = now.prizes[0].names
    before = stand.ask(printing.printed, "prizes").content.decode()
    assert "100 €" in before
    assert not any(name in before for name in names)
    stand.ask(lifecycle.close)
    assert stand.ask(prizes.prizes).data.final
    for paper in ("prizes", "event"):
        told = stand.ask(printing.printed, paper).content.decode()
        assert ", ".join(names) in told
    assert "U14 · " in told
    assert stand.ask(printing.printed, "prizes", format="pdf").content.startswith(b"%PDF")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_rule_is_told_to_everybody(lang: str) -> None:
    stand = junior_cup()
    declared(stand, "1: 100 €")
    one = stand.told(stand.ask(prizes.prizes), lang)
    declared(stand, "1: 100 €", several=True)
    assert stand.told(stand.ask(prizes.prizes), lang) != one
    declared(stand)
    assert stand.now.prizes.prizes == ()


@pytest.mark.parametrize(
    "lines",
    [["first: 100 €"], ["1 100 €"], ["1:"], ["0: cup"], ["1: " + "x" * 121], ["1: a\u202eb"],
     ["1 " + "x" * 25 + ": cup"], ["1 a|b: cup"]],
)  # fmt: skip
def test_what_is_no_prize_is_refused(lines: list[str]) -> None:
    with pytest.raises(Exception) as refused:
        prizes.read_prizes(lines)
    assert getattr(refused.value, "key", "") == "bad_prize"


@given(
    st.lists(
        st.tuples(
            st.integers(1, 999),
            st.sampled_from(["", "U14", "10 & under", "a.b)"]),
            st.sampled_from(["100 €", "a: b", "1: 2", "1."]),
        )
    )
)
def test_lines_are_read_as_they_are_written(listed: list[tuple[int, str, str]]) -> None:
    rows = [
        prizes.PrizeRow(place=place, section=section, text=text, players=[], names=[])
        for place, section, text in listed
    ]
    told = prizes.TournamentPrizesAnswer(tournament="t", several=False, final=False, prizes=rows)
    read = prizes.read_prizes(prizes.prize_lines(told))
    assert [(each.place, each.section, each.text) for each in read] == listed


@pytest.mark.parametrize("lines", [["2: a", "1: b"], ["1: a", "1 U14: c", "1: b"]])
def test_places_of_one_ranking_are_listed_once_and_in_order(lines: list[str]) -> None:
    stand = junior_cup()
    refused = stand.refusal(prizes.declare, prizes.read_prizes(lines))
    assert refused.key == "bad_prizes"


def test_sections_are_few() -> None:
    stand = Stand(swiss(1))
    for number in range(MOST_SECTIONS):
        stand.add(f"P{number}", sections=(f"S{number}",))
    entry = [players.PlayerRow(name="One", sections=("more",))]
    assert stand.refusal(players.register, entry).key == "too_many_sections"
    assert stand.refusal(players.edit, "P0", sections=["S1", "more", "S0"]).key == (
        "too_many_sections"
    )


def test_sections_come_and_go_in_a_spreadsheet() -> None:
    stand = Stand(swiss(1))
    told = "name;section\nAna;U14, =women\nBo;\n"
    stand.ask(players.register_list, read_players(told), "list.csv")
    sections = {stand.caller.name(p.id): p.sections for p in stand.now.players.values()}
    assert sections == {"Ana": ("U14", "=women"), "Bo": ()}
    written = stand.ask(printing.exported, "csv", of="players").content.decode()
    other = Stand(swiss(1))
    other.ask(players.register_list, read_players(written), "list.csv")
    assert [p.sections for p in other.now.players.values()] == [("U14", "=women"), ()]
    rows = list(csv.DictReader(io.StringIO(written)))
    assert [row["sections"] for row in rows] == ["U14, =women", ""]
    changed = stand.ask(
        players.register_list, read_players("name;category\nBo;u14\nAna;\n"), "list.csv"
    )
    assert len(changed.data.events) == 1
    assert stand.now.players[stand.id_of("Bo")].sections == ("U14",)


def test_what_is_empty_is_not_written() -> None:
    """Records of earlier versions and of events without sections are the same bytes."""
    plain = Registered(player="pa").model_dump(mode="json")
    assert "sections" not in plain
    assert read_event("player_registered", 1, plain) == Registered(player="pa")
    assert "section" not in WallTurned(shows="standings").model_dump(mode="json")
    assert PrizesDeclared(prizes=(Prize(place=1, text="cup"),)).model_dump(mode="json") == {
        "prizes": [{"place": 1, "text": "cup"}]
    }


# fees


def test_fees_are_for_organisers_alone() -> None:
    stand = junior_cup()
    stand.ask(players.mark_fee, ["Ana", "Bo"])
    stand.ask(players.mark_fee, ["Bo"], paid=False)
    assert stand.refusal(players.mark_fee, ["Ana"]).key == "fee_marked_already"
    listed = stand.ask(players.players).data
    assert (listed.paid, [row.name for row in listed.players if row.paid]) == (1, ["Ana"])
    for role in ("judge", "scribe", "spectator"):
        author = Author("pjudge", role)  # type: ignore[arg-type]
        other: Caller = replace(stand.caller, author=author)
        asked = players.players(other, stand.id)
        assert asked.data.paid is None
        assert {row.paid for row in asked.data.players} == {None}
        assert "paid" not in "\n".join(asked.lines(Voice()))
        marks = [
            row for row in judging.history(other, stand.id).data.events if row.kind == "fee_marked"
        ]
        assert [row.data for row in marks] == [{}] * 3
        with pytest.raises(NotAllowed):
            printing.exported(other, stand.id, "events")
    for told in ("json", "csv", "html"):
        assert b"paid" not in stand.ask(printing.exported, told, of="players").content
    for paper in ("standings", "event", "rules"):
        assert b"paid" not in stand.ask(printing.printed, paper).content


# pairings


def test_sections_prizes_and_fees_change_no_pairing() -> None:
    """Not even the hash of what a pairing is computed from."""
    plain, other = Hall(duels(), 7), Hall(duels(), 7)
    for number in range(3):
        player = player_id(number)
        other.tell(PlayerEdited(player=player, sections=("U14",)))
        other.tell(FeeMarked(player=player, paid=True))
    other.tell(PrizesDeclared(prizes=(Prize(place=1, section="U14", text="cup"),)))
    for _ in range(3):
        plain.play()
        other.play()
    assert [each.paired for each in plain.now.rounds] == [each.paired for each in other.now.rounds]
