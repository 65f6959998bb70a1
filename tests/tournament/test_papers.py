"""What hangs on the wall and lies on the tables."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pytest

from answers.tournament import printing, results, rounds, standings
from answers.tournament.result_slips import Slip
from engines.kernel import LANGUAGES
from engines.kernel.messages.catalogue import Language, normalize
from engines.kernel.messages.errors import MessageError
from referee.errors import Unfit
from referee.tournament.deals import shuffled_deal
from referee.tournament.default_plans import usual_plan
from service.problems import voice_in
from tests.tournament.asking import Stand, brooms, swiss

PAPERS = ("pairings", "names", "slips", "standings", "crosstable")
PEOPLE = ("Zoë Zimmer", "Ana Álvarez", "Éric Été", "Bo", "Жанна Щука")


def page(stand: Stand, what: str, **more: object) -> str:
    made = printing.printed(stand.caller, stand.id, what, **more)  # type: ignore[arg-type]
    return unescape(made.content.decode())


def cells(text: str) -> list[list[str]]:
    rows = re.findall(r"<tr>(.*?)</tr>", text)
    return [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in rows]


@pytest.fixture
def cup() -> Stand:
    stand = Stand(swiss(), *PEOPLE)
    stand.play()
    stand.start()
    return stand


def test_a_list_by_name_says_where_everybody_plays(cup: Stand) -> None:
    head, *rows = cells(page(cup, "names", large=True))
    assert head == ["name", "table", "seat", "with"]
    assert [row[0] for row in rows] == sorted(PEOPLE, key=normalize)
    draw = cup.now.round(2).draw
    for name, table, seat, others in rows:
        at = draw.table_of.get(cup.id_of(name))
        if at is None:
            assert (table, others) == ("–", "bye")
        else:
            assert (table, at.seats["AB".index(seat)]) == (str(at.number), cup.id_of(name))
            assert cup.id_of(others) in at.seats


def test_pairings_say_the_points_with_which_everybody_comes(cup: Stand) -> None:
    _, *rows = cells(page(cup, "pairings"))
    assert all(re.search(r" \([01]\)$", name) for row in rows for name in row[1:3])


def test_badges_and_certificates_come_from_the_list(cup: Stand) -> None:
    badges = re.findall(r'<section class="badge">.*?<h2>(.*?)</h2>', page(cup, "badges"))
    assert badges == sorted(PEOPLE, key=normalize)
    codes = re.findall(r"<figure>(<svg.*?</svg>)\s*</figure>", page(cup, "badges"), re.DOTALL)
    assert len({*codes}) == len(PEOPLE), "each badge has a code of its own, for the desk to scan"
    made = page(cup, "certificates")
    certified = re.findall(r'<section class="certificate">.*?<h2>(.*?)</h2><p>(.*?)</p>', made)
    ranked = standings.ranked_players(cup.now)
    assert [told for _, told in certified] == [
        f"place {row.rank} of {len(PEOPLE)}" for row in ranked.rows
    ]
    assert {name for name, _ in certified} == set(PEOPLE)


def test_pairings_tell_a_result_as_the_world_writes_it(cup: Stand) -> None:
    _, *rows = cells(page(cup, "pairings", round=1))
    assert all(re.fullmatch(r"\d+–\d+|½–½", row[-1]) for row in rows)


def test_a_wall_is_written_large(cup: Stand) -> None:
    assert '<body class="large">' in page(cup, "pairings", large=True)
    assert '<body class="small">' in page(cup, "pairings")


def test_a_crosstable_tells_every_game_of_everybody(cup: Stand) -> None:
    head, *rows = cells(page(cup, "crosstable", round=1))
    assert head == ["rank", "name", "club", "1", "points"]
    ranks = {row[1]: row[0] for row in rows}
    for table in cup.now.round(1).draw.tables:
        one, two = (cup.caller.name(player) for player in table.seats)
        told = {row[1]: row[3] for row in rows}
        assert told[one] == f"{ranks[two]}A 1"
        assert told[two] == f"{ranks[one]}B 0"


def test_a_crosstable_of_tables_of_several_tells_places() -> None:
    stand = Stand(brooms(), "Ana", "Bo", "Cleo", "Dan")
    stand.play()
    _, *rows = cells(page(stand, "crosstable"))
    assert [row[3] for row in rows] == ["1/4", "2/4", "3/4", "4/4"]


@pytest.mark.parametrize(
    ("plan", "names", "asked", "unasked"),
    [
        (swiss(), 2, ["A won", "B won", "draw"], ["points", "rank"]),
        (swiss(match={"games": 3}), 2, ["game 1", "game 3", "A won", "draw"], ["game 4", "points"]),
        (swiss(match={"games": 2, "boards": True}), 2, ["board 2", "B won"], ["board 3", "game"]),
        (brooms(), 4, ["rank", "points"], ["won"]),
        (
            usual_plan("bethel_woods", "ladder", 1, check_in=False), 1,
            ["won", "level"], ["points", "A won"],
        ),
    ],
)  # fmt: skip
def test_a_slip_asks_for_what_counts_and_for_nothing_else(
    plan: object, names: int, asked: list[str], unasked: list[str]
) -> None:
    stand = Stand(plan, *("Ana", "Bo", "Cleo", "Dan")[:names])  # type: ignore[arg-type]
    stand.start()
    text = page(stand, "slips")
    body = text[text.index("<section") : text.index("<figure")]
    for word in asked:
        assert word in body
    for word in unasked:
        assert word not in body


@pytest.mark.parametrize("what", PAPERS)
@pytest.mark.parametrize("large", [False, True])
def test_every_paper_is_printed_with_letters_of_several_scripts(
    cup: Stand, what: str, large: bool
) -> None:
    made = printing.printed(cup.caller, cup.id, what, format="pdf", large=large).content
    assert made.startswith(b"%PDF")


@pytest.mark.parametrize("what", ["slips", "names", "standings", "certificates"])
def test_long_names_stay_on_one_line_where_smaller_letters_have_room(what: str) -> None:
    """So that a paper has as many pages as with short ones."""
    pages = []
    for name in ("Ana", "Wilhelmina-Charlotte Featherstonehaugh"):
        stand = Stand(brooms(), *(f"{name[:37]} {number}" for number in range(16)))
        stand.play()
        made = printing.printed(stand.caller, stand.id, what, format="pdf").content
        pages.append(len(re.findall(rb"/Type */Page\b", made)))
    assert pages[0] == pages[1] == (16 if what == "certificates" else 1)


def test_a_letter_that_no_font_has_is_named_and_not_printed_as_a_box() -> None:
    stand = Stand(swiss(), "Ana", "\u1bc0\u1bc1")
    stand.start()
    with pytest.raises(Unfit, match="no_font"):
        printing.printed(stand.caller, stand.id, "pairings", format="pdf")
    assert "\u1bc0" in page(stand, "pairings")


def test_a_word_of_forty_letters_may_be_broken() -> None:
    stand = Stand(swiss(), "W" * 40, "Ana")
    stand.start()
    made = printing.printed(stand.caller, stand.id, "pairings", format="pdf", large=True)
    assert made.content.startswith(b"%PDF")
    assert "overflow-wrap: anywhere" in page(stand, "pairings")


def test_a_deal_has_a_sheet_by_which_it_is_laid_out() -> None:
    deal = shuffled_deal("one", "bethel_woods", {"draw": ["M1", "S2", "D3"]}, 5)
    stand = Stand(swiss())
    text = printing.deal_sheet(stand.caller, deal).content.decode()
    assert " · ".join(f"{at} {item}" for at, item in enumerate(deal.piles["draw"], 1)) in text
    assert deal.ref.digest in text


class Outside(HTMLParser):
    """What a page would fetch, run or lead to, and the text that is read in it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.ids: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.ids.add(told.get("id") or "")
        if tag in ("script", "img", "link", "iframe", "object", "base", "form", "svg"):
            self.found.append(tag)
        self.found += [
            str(value)
            for name, value in attrs
            if name in ("href", "src", "style") or name.startswith("on")
        ]

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_whole_event_is_one_page_that_needs_nothing_else(lang: Language) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    stand = Stand(swiss(2), *["Ana", "Bo", "Cleo", "Dan", "Eva"], hostile)
    for _ in range(2):
        stand.pair()
        stand.ask(rounds.start)
        for table in stand.now.current_round.draw.tables:
            stand.ask(results.enter_result, table.number, Slip(["A", "B"]), "slip")
        stand.ask(rounds.close)
    stand.ask(standings.finals, 4, style="knockout", lot=3)
    stand.pair()
    caller = replace(stand.caller, voice=voice_in(lang))
    made = printing.printed(caller, stand.id, "event")
    assert made.content == printing.exported(caller, stand.id, "html").content
    page = Outside()
    page.feed(made.content.decode())
    assert page.found
    for link in page.found:
        assert link.startswith("#")
        assert link[1:] in page.ids
    sections = made.content.decode().split("<section")[1:]
    words = voice_in(lang)
    heads = ["rules", "book_players", "book_bracket", "book_standings", "book_crosstable"]
    told = [words.say(f"tournament.{key}") for key in heads]
    told += [words.say("tournament.round", round=number).capitalize() for number in (1, 2, 3)]
    assert [re.search("<h2>(.*?)</h2>", each)[1] for each in sections] == told  # type: ignore[index]
    for name in stand.names():
        assert page.text.count(name) >= 5, name


def test_a_page_of_an_event_before_round_one_has_its_rules_and_players() -> None:
    stand = Stand(swiss(), "Ana", "Bo")
    page = printing.printed(stand.caller, stand.id, "event").content.decode()
    assert page.count("<section") == 2
    assert refused_format(stand) == "no_such_format"


def refused_format(stand: Stand) -> str:
    with pytest.raises(MessageError) as error:
        printing.printed(stand.caller, stand.id, "event", format="pdf")
    return error.value.key


def test_who_was_erased_is_in_no_page_of_an_event_any_more() -> None:
    stand = Stand(swiss(), "Ana", "Bo")
    stand.caller.store_context.people.erase(stand.id_of("Ana"))
    assert "Ana" not in printing.printed(stand.caller, stand.id, "event").content.decode()
