"""Audits: one way to say what was counted, in every game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from engines.kernel import LANGUAGES, Audit, Language, Moment, ParseError
from engines.kernel.registry import load_engine
from engines.kernel.rules.audit import SEAT, Subject
from tests.playing import Game, playable_games, random_game, tables_of


@cache
def started(game: str) -> Game:
    """A game under way."""
    return random_game(load_engine(game), next(iter(tables_of(game).SETUPS)), seed=1)


def subjects() -> Iterator[tuple[str, Subject]]:
    for game in playable_games():
        for subject in load_engine(game).rules.audits.subjects:
            yield game, subject


def words_for(subject: Subject, game: Game, lang: Language) -> list[str]:
    """The subject as somebody types it who sees its usage."""
    setting = game.setting
    typed = []
    for shown, part in zip(
        subject.usage(game.engine.words, lang).split(), subject.pattern.split(), strict=True
    ):
        values: Any = setting.seats if part == f"{{{SEAT}}}" else subject.blanks.get(part[1:-1])
        if callable(values):
            values = values(game.state, setting)
        typed.append(shown if values is None else next(iter(values)))
    return typed


def wrong_value(subject: Subject, game: Game) -> str:
    """Something that can be seen of it, and hardly ever is."""
    if subject.when is not None:
        return "a/b" if subject.when("a/b") else "n"
    known = sorted(subject.vocabulary(game.state, game.setting))
    there = str(game.state)
    return next((word for word in known if word not in there), known[-1]) if known else "99"


def heard(game: Game, line: str) -> Any:
    return game.engine.judge(game.setting, game.state, game.engine.read(line), 1)


def _named(case: object) -> str:
    return getattr(case, "pattern", str(case))


@pytest.mark.parametrize(("game", "subject"), list(subjects()), ids=_named)
def test_a_subject_is_explained_in_both_languages(game: str, subject: Subject) -> None:
    entry = load_engine(game).words.entry(f"audit.{subject.name}")
    assert entry is not None
    assert all(entry[lang] for lang in LANGUAGES)


@pytest.mark.parametrize(("game", "subject"), list(subjects()), ids=_named)
def test_case_accents_and_language_do_not_matter(game: str, subject: Subject) -> None:
    if subject.count is None:
        return
    table = started(game)
    value = wrong_value(subject, table)
    said = {lang: " ".join(words_for(subject, table, lang)) for lang in LANGUAGES}
    plain = heard(table, f"audit {said['en']} {value}")
    assert isinstance(plain.action, Audit)
    for typed in (said["en"].upper(), said["en"].title(), said["fr"], said["fr"].upper()):
        other = heard(table, f"audit {typed} {value}")
        assert other.action == plain.action
        assert other.verdict == plain.verdict
    for lang in LANGUAGES:
        again = heard(table, table.engine.text(plain.action, lang))
        assert again.action == plain.action


@pytest.mark.parametrize(("game", "subject"), list(subjects()), ids=_named)
def test_what_is_derived_is_right_and_told_as_text(game: str, subject: Subject) -> None:
    if subject.count is None or subject.when is not None:
        return
    table = started(game)
    said = " ".join(words_for(subject, table, "en"))
    wrong = heard(table, f"audit {said} {wrong_value(subject, table)}")
    if not wrong.verdict.findings:
        return  # nobody can know, or it is right for once
    (finding,) = wrong.verdict.findings
    assert (finding.status, finding.clause) == ("broken", table.engine.rules.audits.clause)
    assert isinstance(finding.facts["derived"], str)
    assert heard(table, f"audit {said} {finding.facts['derived']}").verdict.findings == ()


@pytest.mark.parametrize(("game", "subject"), list(subjects()), ids=_named)
def test_what_is_counted_is_a_phrase_that_belongs_to_somebody(game: str, subject: Subject) -> None:
    """Never the words of the notation in a row: “A strength 1”, « A main »."""
    table = started(game)
    typed = " ".join(words_for(subject, table, "en"))
    for lang in LANGUAGES:
        said = table.engine.words.fact("subject", typed, lang)
        owned = ("A’s", "of A") if lang == "en" else ("de A", "à A")
        assert not typed.startswith("A ") or any(part in said for part in owned), said
        assert " ".join(typed.split()) not in said or typed.count(" ") == 0


@pytest.mark.parametrize("line", ["audit A Leaves 1", "audit a leaves 01", "compte A FEUILLES 1"])
def test_the_subject_is_stored_in_the_words_of_the_game(line: str) -> None:
    judged = heard(started("benevolent"), line)
    assert (judged.action.subject, judged.action.value) == (("A", "leaves"), "1")


@pytest.mark.parametrize("line", ["audit Z leaves 1", "audit leaves 1", "audit A leaves gold 1"])
def test_what_cannot_be_counted_is_refused(line: str) -> None:
    with pytest.raises(ParseError) as caught:
        heard(started("benevolent"), line)
    assert caught.value.key == "unknown_subject"


def test_a_list_is_compared_in_any_order_and_language() -> None:
    table = started("roundforest")
    engine = table.engine
    seat = next(seat for seat, player in table.state.players.items() if len(player.pack) != 1)
    held = sorted(table.state.players[seat].pack) or ["none"]
    named = [engine.words.term(word, "fr").replace(" ", "_") for word in reversed(held)]
    assert heard(table, f"audit {seat} pack {' '.join(held)}").verdict.findings == ()
    french = heard(table, f"audit {seat} sac_à_dos {' '.join(named)}")
    assert french.verdict.findings == ()
    assert engine.text(french.action) == f"audit {seat} pack {' '.join(held)}"


@pytest.mark.parametrize(("game", "subject"), list(subjects()), ids=_named)
def test_everything_can_be_audited_before_it_exists_and_is_followed_back(
    game: str, subject: Subject
) -> None:
    if subject.count is None:
        return
    table = started(game)
    engine, setting = table.engine, table.setting
    moments = [Moment(n, one.action, one.state) for n, one in enumerate(table.judgements)]
    for there in (1, len(moments)):
        state = moments[there - 1].state
        line = f"audit {' '.join(words_for(subject, table, 'en'))} {wrong_value(subject, table)}"
        judged = engine.judge(setting, state, engine.read(line), there)
        verdict = engine.traced(setting, judged.action, judged.verdict, moments[:there])
        assert all(0 < n < there for finding in verdict.findings for n in finding.entries)


@pytest.mark.parametrize(
    ("game", "line", "key"),
    [
        ("benevolent", "audit A leaves two", "no_count"),
        ("broom_service", "audit A vp many", "no_count"),
        ("roundforest", "audit A apples two", "no_count"),
        ("roundforest", "audit A pack hta anvil", "never_seen"),
        ("roundforest", "audit B debts sorcier", "never_seen"),
    ],
)
def test_what_can_never_be_seen_is_a_slip_and_no_proof(game: str, line: str, key: str) -> None:
    table = started(game)
    with pytest.raises(ParseError) as caught:
        heard(table, line)
    assert caught.value.key == key
    action = table.engine.read(line)
    old = table.engine.judge(table.setting, table.state, action, 1, lenient=True)
    assert old.accepted, "records hold such audits"


def test_a_score_below_nothing_can_be_counted() -> None:
    judged = heard(started("broom_service"), "audit A vp -4")
    assert judged.action.value == "-4"
    assert started("broom_service").engine.text(judged.action) == "audit A vp -4"


def test_an_unknown_subject_is_answered_with_those_there_are() -> None:
    with pytest.raises(ParseError) as caught:
        heard(started("benevolent"), "audit A laeves 1")
    assert caught.value.words is not None
    told = caught.value.phrase.said(caught.value.words, "fr")
    assert "PLACE feuilles" in told
    assert "rivière" in told


@pytest.mark.parametrize(
    ("prefix", "word"),
    [("audit", "reserve"), ("audit A", "leaves"), ("audit river", "clover"), ("compte", "réserve")],
)
def test_completion_offers_what_can_be_audited(prefix: str, word: str) -> None:
    table = started("benevolent")
    choices = table.engine.options.choices(table.setting, table.state, prefix)
    assert word in [choice.word for choice in choices]
    assert "…" not in [choice.word for choice in choices]


@pytest.mark.parametrize("game", playable_games())
def test_a_right_count_clears_nothing_of_another_seat_colour_or_thing(game: str) -> None:
    table = started(game)
    engine, setting = table.engine, table.setting
    wrong = [
        (line, heard(table, f"{line} {wrong_value(subject, table)}"))
        for subject in engine.rules.audits.subjects
        if subject.count is not None
        for said in subject.filled(table.state, setting, setting.seats, engine.words, "en")
        for line in [f"audit {' '.join(said)}"]
    ]
    known = [(line, judged) for line, judged in wrong if judged.verdict.findings]
    moments = [Moment(n, one.action, one.state) for n, one in enumerate(table.judgements)]
    assert known
    for (_, judged), (line, other) in pairwise([*known, known[0]]):
        (finding,) = other.verdict.findings
        right = heard(table, f"{line} {finding.facts['derived']}")
        after = [*moments, Moment(len(moments), right.action, table.state)]
        traced = [
            engine.traced(setting, each.action, each.verdict, told).findings
            for each, told in ((judged, moments), (judged, after), (other, after))
        ]
        assert len(known) == 1 or traced[0] == traced[1]
        assert [finding.since for finding in traced[2]] == [len(moments)]
