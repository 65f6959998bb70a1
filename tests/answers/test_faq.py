"""Questions and answers of a game as one document, for everybody and in every form."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import combinations

import pytest

from answers.context import Caller
from answers.i18n import Voice
from answers.judge.faq import WRITERS, faq, faq_file, faq_since
from answers.judge.rulings import rule
from answers.play.actions import log
from engines.kernel.messages.catalogue import LANGUAGES, Language, normalize
from engines.kernel.registry import load_engine, sound_engines
from referee.errors import NotFound
from referee.judging.rulings import Decision
from referee.table.author import Author
from tests.opening import new_table

GAMES = sorted(engine.id for engine in sound_engines())
HOSTILE = "<script>alert(1)</script> **loud** [a](javascript:x) `code`"


class Read(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.targets: set[str] = set()
        self.links: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        given = dict(attrs)
        self.targets |= {given["id"] or ""} if "id" in given else set()
        self.links += [given["href"] or ""] if "href" in given else []

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def ruled(judge: Caller, clause: str) -> str:
    """A ruling about a clause, made at a table of its own."""
    opened = new_table(judge, "benevolent", "A=blue B=red first A")
    game = opened
    log(judge, game, ["forest S1A S2A"])
    decision = Decision(reason=HOSTILE, remedy="none", numbers=(1,), clauses=(clause,))
    rule(judge, game, decision)
    return f"{game}/r1"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_open_question_and_every_clause_is_in_every_form(
    judge: Caller, game: str, lang: Language
) -> None:
    engine = load_engine(game)
    speaking = judge.speaking(Voice(lang))
    found = faq(judge, game).data
    assert {each.reading.id for each in found.questions} == set(engine.readings)
    assert [each.clause.id for each in found.clauses] == [*engine.clauses]
    text = faq_file(speaking, game, "md").content.decode()
    page = Read()
    page.feed(faq_file(speaking, game, "html").content.decode())
    for clause in engine.clauses.values():
        assert f"**{clause.id}**" in text
        assert clause.say(lang) in page.text
        assert clause.id in page.targets
    for reading in engine.readings.values():
        assert reading.question.say(lang) in page.text
    assert {link.removeprefix("#") for link in page.links} <= page.targets
    for each in found.index:
        for one in LANGUAGES:
            for id_ in each.clauses[one]:
                assert normalize(each.component[one]) in normalize(engine.clauses[id_].say(one))
    index = text.rpartition("\n## ")[2].splitlines()[2:]
    article = re.compile(r"(?:(?:une?|l[ea]s?|en|des?|du|an?|the) |[ld]’)", re.IGNORECASE)
    words = [line.removeprefix("- ").partition(":")[0].rstrip() for line in index]
    bare = [article.sub("", word, count=1) if article.match(word) else word for word in words]
    assert bare == sorted(bare, key=normalize)
    assert not {"est", "nord", "east", "la fin du tour"} & {*words}, "only what lies in the box"


def test_a_ruling_stands_below_each_of_its_clauses_and_counts_for_its_questions(
    judge: Caller,
) -> None:
    before = [each.reading.id for each in faq(judge, "benevolent").data.questions]
    last = load_engine("benevolent").readings[before[-1]]
    reference = ruled(judge, last.clauses[0])
    found = faq(judge, "benevolent").data
    first = found.questions[0]
    assert (first.reading.id, first.rulings) == (last.id, [reference])
    below = {
        each.clause.id
        for each in found.clauses
        if reference in [one.reference for one in each.rulings]
    }
    assert below == {last.clauses[0]}


def test_what_a_judge_writes_is_never_markup(judge: Caller) -> None:
    ruled(judge, "BEN-MOVE-3")
    page = Read()
    page.feed(faq_file(judge, "benevolent", "html").content.decode())
    assert "script" not in page.tags
    assert any(HOSTILE in text for text in page.text)
    text = faq_file(judge, "benevolent", "md").content.decode()
    assert not re.search(r"(?<!\\)<script|(?<!\\)\*\*loud|(?<!\\)\[a\]", text)


@pytest.mark.parametrize("of_clauses", [False, True])
def test_one_document_says_what_has_changed_since_an_earlier_edition(
    judge: Caller, of_clauses: bool
) -> None:
    """Since the earlier document, or its clauses alone; what it does not tell is not called new."""
    before = faq(judge, "benevolent").data
    reference = ruled(judge, "BEN-MOVE-3")
    dropped, first, *others = before.clauses
    gone = before.questions.pop()
    clause = first.clause.model_copy(update={"en": "It was otherwise."})
    first = first.model_copy(update={"clause": clause})
    earlier = before.model_copy(update={"clauses": [first, *others]})
    old = json.dumps({"clauses": [each.clause.model_dump(mode="json") for each in earlier.clauses]})
    old = old if of_clauses else json.dumps({"data": earlier.model_dump(mode="json")})
    found = faq(judge, "benevolent", old=old).data.since
    assert found is not None
    assert [each.id for each in found.clauses.added] == [dropped.clause.id]
    assert [each.id for each in found.clauses.changed] == [first.clause.id]
    assert found.questions == ([] if of_clauses else [gone.reading.id])
    assert found.rulings == ([] if of_clauses else [reference])
    told = faq_since(judge, "benevolent", "md", old).content.decode()
    assert "~~It was otherwise\\.~~" in told or "~~It was otherwise.~~" in told
    page = Read()
    page.feed(faq_since(judge, "benevolent", "html", old).content.decode())
    assert {"del", "ins"} <= page.tags
    assert "It was otherwise." in page.text
    assert faq(judge, "benevolent").data.since is None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_has_changed_is_told_in_the_language_of_the_document_alone(
    judge: Caller, lang: Language
) -> None:
    """Clauses that had other words in one language or in both, stood elsewhere, or all of it."""
    parts = (*LANGUAGES, "section")
    ways = [some for count in range(4) for some in combinations(parts, count)]
    earlier = [
        each.clause.model_dump(mode="json") for each in faq(judge, "benevolent").data.clauses
    ]
    for clause, way in zip(earlier, ways, strict=False):
        clause |= {part: f"Once in {part} {clause['id']}" for part in way}
    old = json.dumps({"clauses": earlier})
    text = faq_since(judge.speaking(Voice(lang)), "benevolent", "md", old).content.decode()
    changes = text.split("\n## ")[1].splitlines()
    for clause, way in zip(earlier, ways, strict=False):
        id_ = re.escape(clause["id"])
        listed = [line for line in changes if re.match(rf"- .*{id_}\b", line)]
        struck = [line for line in changes if re.fullmatch(rf"  - ~~.*{id_}~~", line)]
        assert len(listed) == (lang in way or "section" in way), way
        assert struck == [f"  - ~~Once in {lang} {clause['id']}~~"] * (lang in way), way


def test_a_seat_is_not_told_how_often_clauses_were_disputed(judge: Caller) -> None:
    ruled(judge, "BEN-MOVE-3")
    seat = Caller(judge.store_context, Author("p1", "seat:A"))
    assert {each.disputes for each in faq(seat, "benevolent").data.questions} == {None}
    assert None not in {each.disputes for each in faq(judge, "benevolent").data.questions}


def test_it_is_printed_and_other_forms_are_refused(judge: Caller) -> None:
    pytest.importorskip("typst")
    ruled(judge, "BEN-MOVE-3")
    assert faq_file(judge, "benevolent", "pdf").content.startswith(b"%PDF")
    with pytest.raises(NotFound):
        faq_file(judge, "benevolent", "docx")
    assert set(WRITERS) == {"html", "md", "pdf"}
