"""Discretion: no answer of the program tells a seat what another one hides.

Two tables differ only in a secret of A's. B, and the public, get the same answer at both,
word for word, whatever they ask, whether it is refused or not.
"""

from __future__ import annotations

import json
import random
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

import pytest

from answers.context import Caller, StoreContext
from answers.i18n import Voice
from answers.privileged import legal_actions
from answers.problems import problem_of
from answers.verdict_text import accepted, refusal
from answers.verdicts import HeardAnswer, heard_fields
from cli.hints import hinting
from cli.i18n import say
from engines.kernel import Action, Language, ParseError, to_plain
from referee.errors import NotAllowed, RefereeError
from referee.judging.disputes import dispute
from referee.judging.rulings import Decision, issue
from referee.record.game import Game
from referee.record.history import history
from referee.secrecy.query_guard import keeps_secrets
from referee.secrecy.redaction import seen, view_for
from referee.table.adjustments import adjust, declare_kit
from referee.table.author import Author, By
from referee.table.bench import BatchBench, Bench
from referee.table.corrections import correct, undo
from referee.table.notes import Annotation, annotate
from referee.table.play import heard_by, log, may_be_tried
from tests.cli.transcripts import normal, run
from tests.exports.tables import recorded
from tests.playing import Strays, playable_games
from tests.proofs.twins import (
    TWINS,
    asked_at,
    chosen_hand,
    declared_cards,
    log_lines,
    opened_grove,
    parts,
    withdrawn_draw,
)
from tests.record.conftest import make_bench

pytestmark = pytest.mark.usefixtures("strangers_games")
BO = Author("pbo", "seat:B")
JO = Author("pjo", "judge")
TABLET = Author("ptable", "table")
MOST, STRAYS, IN_A_ROW = 80, 40, 4

AUDITS = {
    "benevolent": ("A leaves 1", "A leaves 2", "reserve 61"),
    "broom_service": ("A cards 4", "A cards 3"),
    "bloody_grove": ("A hand 2", "A hand 3", "A deck 6"),
    "smugglers": ("A chest 1", "A chest 0"),
    "dunes": ("A drop 5", "A drop 4"),
}
GUESSES = {
    "benevolent": ("A buy amber", "A gather"),
    "broom_service": ("A hw brave", "A fg brave", "A next", "B pw brave"),
    "bloody_grove": ("A invoke EB1", "A transform EB1 left", "A invoke b3", "A bottom EB1"),
    "smugglers": ("B pack gold", "B pack tea", "A unpack gold", "A unpack silk", "A declare gold"),
    "dunes": ("B close 2", "B close 9", "A open 2", "A open 0", "A close 2"),
}


@pytest.fixture(params=TWINS)
def twins(request: pytest.FixtureRequest) -> list[tuple[Bench, Game]]:
    make, *secrets = TWINS[request.param]
    tables = [make(secret) for secret in secrets]
    return [(bench, bench.game(game)) for bench, game in tables]


def questions(tables: list[tuple[Bench, Game]]) -> Iterator[Action]:
    """What may come next at either table, guesses, counts, and actions gone astray."""
    games = [game for _, game in tables]
    engine = games[0].engine
    possible = [option for game in games for option in engine.options(game.setting, game.state)]
    guessed = [engine.read(line) for line in GUESSES[engine.id]]
    guessed += [engine.read(f"audit {line}") for line in AUDITS[engine.id]]
    said = [step.action for game in games for step in game.steps[1:] if step.action is not None]
    strays, rng = Strays(engine, [*said, *possible, *guessed]), random.Random(5)
    yield from dict.fromkeys([*rng.sample(possible, min(MOST, len(possible))), *guessed])
    yield from (strays.draw(rng) for _ in range(STRAYS))


def answer(
    bench: Bench, game: Game, action: Action, author: Author = BO, *, stands: bool | None = None
) -> str:
    """What is said of an action, if it were logged by this author; ``stands``: what is said when
    it is, and what the record says of it then."""
    by, dry = By(author), stands is None
    view = view_for(author.role, None, game.setting.seats)
    try:
        heard = log(bench, game.id, action, by=by, dry_run=dry, stands=bool(stands))
    except (ParseError, RefereeError) as error:
        return str(problem_of(error, Voice()))
    shown, voice = heard_by(heard, view), Voice()
    if heard.accepted:
        lines = accepted(voice, shown)
    else:
        nearest = may_be_tried(game, game.engine.text(action), view)
        lines = refusal(voice, game, shown, nearest)
    return json.dumps(
        {
            **HeardAnswer(**heard_fields(shown)).model_dump(mode="json"),
            "head": "",
            "lines": list(lines),
            "record": [] if dry else recorded_for(heard.game, view),
        }
    )


def recorded_for(game: Game, view: str) -> list[object]:
    """The record and its line as a view has them, but for what hashes make of a secret."""
    shown = seen(game, view)
    entries = [(entry.seq, entry.role, repr(entry.data)) for entry in shown.entries]
    steps = [
        (
            repr(step.item),
            repr(step.verdict),
            to_plain(step.state),
            shown.engine.describe(step.state, step.setting, "en"),
        )
        for step in shown.steps
    ]
    return [entries, steps, [line._asdict() for line in history(shown)], repr(shown.disputes)]


def test_no_answer_to_a_seat_tells_the_twins_apart(twins: list[tuple[Bench, Game]]) -> None:
    for action in questions(twins):
        one, other = (answer(bench, game, action) for bench, game in twins)
        assert one == other, twins[0][1].engine.text(action)


def test_nothing_that_the_table_logs_tells_the_twins_apart(
    twins: list[tuple[Bench, Game]],
) -> None:
    """Neither the answer nor the record, whatever was logged before: what only a hidden hand
    refutes is recorded."""
    tables: list[Bench] = []
    for place, action in enumerate(questions(twins)):
        if place % IN_A_ROW == 0:
            tables = [BatchBench(bench) for bench, _ in twins]  # never committed
        said = action if place % 3 else action.model_copy(update={"by": None})
        one, other = (
            answer(bench, bench.game(game.id), said, TABLET, stands=place % 2 == 1)
            for bench, (_, game) in zip(tables, twins, strict=True)
        )
        assert one == other, twins[0][1].engine.text(said)


def test_a_call_cites_to_everybody_what_its_last_action_tells_them() -> None:
    """Of one action or several, once whatever may be counted was counted wrongly."""
    calls = Counter[int]()
    for make, secret, _ in TWINS.values():
        bench, name = make(secret)
        for counted in AUDITS[bench.game(name).engine.id]:
            with suppress(ParseError):  # strangers' games count nothing
                log(bench, name, f"audit {counted}")
        game = bench.game(name)
        for view in ("public", "seat:B"):
            shown = seen(game, view)
            for called in game.disputes.values():
                told = shown.stood(called.numbers[-1]).after.verdict
                clauses = {point.clause for point in (*told.breaches, *told.findings)}
                cited = shown.disputes[called.id].clause
                if called.clause in clauses:
                    assert cited == called.clause, (view, called)
                else:
                    assert cited in {None, *clauses}, (view, called)
                calls[min(2, len(called.numbers))] += shown.partial
    assert min(calls[1], calls[2]) > 0


def test_the_judge_is_told_what_the_secret_forbids() -> None:
    tables = [declared_cards(secret) for secret in ("hand", "deck")]
    asked = [bench.game(game).engine.read("A invoke EB1") for bench, game in tables]
    one, other = (
        answer(bench, bench.game(game), action, JO)
        for (bench, game), action in zip(tables, asked, strict=True)
    )
    assert one != other


def test_nothing_is_offered_to_a_seat_that_tells_the_twins_apart(
    twins: list[tuple[Bench, Game]],
) -> None:
    for author in (BO, TABLET, Author("peye", "spectator")):
        callers = [
            (Caller(StoreContext(bench.store, bench), author), game) for bench, game in twins
        ]
        offered = [
            [game.engine.text(option) for option in legal_actions(caller, game.id)]
            for caller, game in callers
        ]
        assert offered[0] == offered[1]


def test_a_seat_still_speaks_for_itself_and_of_what_lies_open() -> None:
    bench, game = chosen_hand("pw fw hw mw")
    assert log(bench, game, "B hand 4 pw hw mw vd", by=By(BO)).accepted
    bench, game = opened_grove("memory:")
    log_lines(bench, game, "A draw 4 sealed b3 f1 b1 b2")
    assert log(bench, game, "groves bear fox owl", by=By(BO)).accepted
    bench, game = declared_cards("hand")
    assert log(bench, game, "A invoke EB1", by=By(Author("pana", "seat:A"))).accepted


class TestTheRecord:
    def test_a_declared_hand_is_kept_from_the_others_alone(self) -> None:
        bench, game = declared_cards("hand")
        assert [keeps_secrets(bench.game(game), viewer) for viewer in ("A", "B", "")] == [
            False,
            True,
            True,
        ]

    def test_what_was_taken_back_is_still_kept(self) -> None:
        bench, game = withdrawn_draw("b3 f1 b1 b2")
        assert keeps_secrets(bench.game(game), "B")
        assert not keeps_secrets(bench.game(game), "A")

    def test_counted_cards_are_no_secret(self) -> None:
        bench, game = declared_cards("counted")
        assert not keeps_secrets(bench.game(game), "")

    def test_an_adjustment_of_something_else_hides_nothing(self) -> None:
        """What everybody could follow, everybody still knows."""
        bench, game = declared_cards("counted")
        before = bench.game(game).state.players["A"].hidden
        adjust(bench, game, {"players": {"B": {"looked": ["t2"]}}}, "seen by all")
        assert bench.game(game).state.players["B"].looked == {"t2"}
        assert bench.game(game).state.players["A"].hidden == before
        assert not keeps_secrets(bench.game(game), "")


class TestDeeds:
    """What changes or judges anew the whole line is for those who see all of it."""

    DEEDS: ClassVar[dict[str, Callable[[Bench, str, Author], object]]] = {
        "correct": lambda bench, game, by: correct(
            bench, game, 2, ["A invoke EB1"], by=By(by), dry_run=True
        ),
        "adjust": lambda bench, game, by: adjust(bench, game, {"turn": 4}, "", by=By(by)),
        "kit": lambda bench, game, by: declare_kit(
            bench, game, "rounds", 4, "the box", by=By(by), dry_run=True
        ),
        "note": lambda bench, game, by: annotate(
            bench, game, 2, Annotation(instead=("A invoke EB1",)), by=By(by)
        ),
    }

    @pytest.mark.parametrize("deed", DEEDS)
    def test_not_for_a_seat_from_which_something_is_kept(self, deed: str) -> None:
        """A seat may annotate, but not from a position it may not see; the rest is no seat's."""
        bench, game = declared_cards("hand")
        reason = "needs_judge_view" if deed == "note" else "role_may_not"
        with pytest.raises(NotAllowed, match=reason):
            self.DEEDS[deed](bench, game, BO)

    @pytest.mark.parametrize("deed", DEEDS)
    def test_but_for_the_judge_and_for_who_sees_everything(self, deed: str) -> None:
        owner = Author("pana", "seat:A" if deed == "note" else "scribe")
        for by in (JO, owner):
            bench, game = declared_cards("hand")
            self.DEEDS[deed](bench, game, by)

    def test_a_kept_secret_is_shown_to_its_seat(self, newcomer: Path) -> None:
        run("referee -q new pebbles A B first A")
        run("referee -q secret seal A plan x --as Ana:seat:A")
        assert run("referee secret show s1 --as Bo:seat:B")[1] == 8
        assert run("referee secret show s1 --as Ana:seat:A")[1] == 0

    def test_the_book_is_not_searched_for_what_was_played(self, newcomer: Path) -> None:
        store = f"sqlite://{newcomer / 'one.db'}"
        bench, game = withdrawn_draw("b3 f1 b1 b2", store)
        dispute(bench, game, 6)
        issue(bench, game, Decision("seen by all", dispute="d1"), by=By(JO))
        bench.store.close()
        search = f"referee --store {store} -g {game} ruling list --search"
        assert "r1" in run(f"{search} b3")[0]
        assert "r1" not in run(f"{search} b3 --as Bo:seat:B")[0]
        assert "r1" in run(f"{search} seen --as Bo:seat:B")[0]


# Every door of the command line

LINES = {
    "benevolent": "A buy amber",
    "broom_service": "A hw brave",
    "bloody_grove": "A invoke EB1",
    "smugglers": "A unpack gold",
    "dunes": "A open 2",
}
VIEWED = (
    "state",
    "state --at 1",
    "state --svg",
    "state --toml",
    "moves --all",
    "moves --all --nl",
    "replay --plain --all",
    "replay --nl",
    "diff 0",
    *(f"export {format} -o -" for format in ("svg", "md", "csv", "bgstats")),
    *(f"export {format} -o -" for format in ("record", "text", "playthrough", "sqlite")),
)
ASKED = (
    "options",
    "info",
    "games",
    "note list",
    "stats",
    "stats --svg",
    "note add 1 --instead {line}",
    "dispute list",
    "dispute show d1",
    "ruling list",
    "ruling list --search b3",
    "ruling list --search fw",
    "ruling show r1",
    "ruling export -o rulings.toml --source club",
    "ruling save-case r1 -o case.toml",
    "what-if --reading {reading}",
    "why 1",
    "why {line}",
    "why --at 1 {line}",
    "check {line}",
    "log --dry-run {line}",
    "log --at 0 {line}",
    "correct 1 {line} --dry-run",
    "adjust players.B.vp=1 -m hm",
    "secret list",
    "verify",
)
HEADS = (
    re.compile(r"\b[0-9a-f]{16}\b"),
    re.compile(r"\b[0-9A-Z]{4}(\\?-[0-9A-Z]{4}){3}\\?-[0-9A-Z]\b"),
)
"""A head is of the whole record, and says nothing of what is in it."""
READINGS = {
    "benevolent": "turn_end=explicit",
    "broom_service": "dead_lead=skip",
    "bloody_grove": "recruit_to_top=no",
    "smugglers": "none=no",
    "dunes": "none=no",
}


def discussed(bench: Bench, game: str) -> None:
    """Notes, disputes and rulings of a judge, who sees everything and says nothing of it."""
    record = bench.game(game)
    (seat, *_) = record.state.agenda.seats or ("A",)
    option = next(o for o in record.engine.options(record.setting, record.state) if o.by == seat)
    line = record.engine.text(option)
    last = record.numbers()[-1]
    annotate(bench, game, last, Annotation("or so", tags=("better",)), by=By(JO))
    for number in range(1, last + 1):
        dispute(bench, game, number, text="hm")
        while called := bench.game(game).open_disputes():  # one ruling may answer several
            issue(bench, game, Decision("as it is", dispute=called[0].id), by=By(JO))
    log(bench, game, line)
    undo(bench, game)


@pytest.mark.parametrize(("name", "part"), parts())
def test_no_command_tells_a_seat_the_twins_apart(name: str, part: int, newcomer: Path) -> None:
    make, *secrets = TWINS[name]
    stores = []
    for number, secret in enumerate(secrets):
        stores.append(f"sqlite://{newcomer / f'{number}.db'}")
        bench, game = make(secret, stores[-1])
        engine = bench.game(game).engine.id
        discussed(bench, game)
        bench.store.close()
    facts = {"line": shlex.quote(LINES[engine]), "reading": READINGS[engine]}
    asked = [f"{door} --as Bo:seat:B" for door in (*VIEWED, *ASKED)]
    asked += [f"{door} --view public" for door in VIEWED]
    asked += [f"{door} --as Bo:seat:B --json" for door in ("state", "diff 0", *ASKED)]
    for door in asked_at(name, asked, part):
        one, other = (asked_of(store, game, door.format(**facts)) for store in stores)
        assert one == other, door


def asked_of(store: str, game: str, line: str) -> str:
    out, code = run(f"referee --store {store} -g {game} {line}")
    assert code in (0, 2, 3, 4, 5, 8), (line, out)
    out = out.replace(store.removeprefix("sqlite://"), "STORE")
    for head in HEADS:
        out = head.sub("HEAD", out)
    return f"{normal(out)}\n[exit {code}]"


# What cannot stand is not offered


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_to_let_it_stand_is_offered_only_where_it_can(lang: Language) -> None:
    bench, game = declared_cards("counted")
    for line, offered in (
        ("B invoke b3", True),
        ("A invoke b1", False),
        ("A invoke EF5", False),
    ):
        heard = log(bench, game, line)
        assert not heard.accepted
        told = "\n".join(refusal(hinting(Voice(lang, program="referee")), heard.game, heard, []))
        said = heard.game.engine.text(heard.game.engine.read(line), lang)
        assert (f"referee log --stands {said}" in told) == offered
        assert stands(bench, game, line) == offered


def stands(bench: Bench, game: str, line: str | Action) -> bool:
    try:
        return log(bench, game, line, stands=True, dry_run=True).accepted
    except ParseError:
        return False


@pytest.mark.parametrize("name", playable_games())
def test_the_offer_is_kept_in_every_game(name: str) -> None:
    bench = make_bench()
    game = recorded(bench, name, limit=40)
    strays = Strays(game.engine, [step.action for step in game.steps[1:] if step.action])
    rng, refused = random.Random(name), 0
    for _ in range(150):
        action = strays.draw(rng)
        try:
            heard = log(bench, game.id, action, dry_run=True)
        except ParseError:
            continue
        if not heard.accepted:
            refused += 1
            assert heard.may_stand == stands(bench, game.id, action), game.engine.text(action)
    assert refused


def test_the_shell_asks_only_where_it_can_stand(newcomer: Path) -> None:
    store = f"sqlite://{newcomer / 'one.db'}"
    bench, game = declared_cards("counted", store)
    bench.store.close()
    for line, asked in {"A invoke b1": False, "B invoke b3": True}.items():
        (newcomer / "lines.txt").write_text(f"{line}\n", "utf-8")
        out, _ = run(f"referee --store {store} -g {game} play < lines.txt")
        assert line in out
        assert (say("shell.anyway") in out) == asked
