"""What holds for every game, tried on random games of every table it can be played at.

``REFEREE_PLAYOUTS`` is the number of games per table (1 if it is not set).
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec import Struct

from engines.kernel import (
    LANGUAGES,
    Action,
    Engine,
    Judgement,
    Moves,
    Opening,
    ParseError,
    Verdict,
    to_plain,
)
from engines.kernel.box.kit import PROVENANCES
from engines.kernel.dialogue.clause_text import sentence_for
from engines.kernel.registry import engine_ids, load_engine
from engines.kernel.rules.clauses import Text
from referee.untrusted.safe_toml import write_toml
from tests.deep import few_or_many
from tests.fingerprint import END
from tests.playing import (
    Game,
    Strays,
    bent,
    hastened,
    is_installed,
    open_game,
    play_on,
    playable_games,
    random_game,
    replayed,
    tables_of,
    with_house_rules,
)
from tests.speaking import is_shell_safe, placeholders
from tests.tutorial import ROOT
from tests.waiting import PATIENCE

PLAYOUTS = int(os.environ.get("REFEREE_PLAYOUTS", "1"))
CLOSE_LOOKS = few_or_many(4, 12)
FACES = few_or_many(0, 3)
"""How many states of a game are looked at closely, and how many are drawn, which is slow, between
the first and the last."""
STRAYS_PER_LOOK = 60
WILD_ACTIONS = few_or_many(12, 60)
HOSTILE = "<script>alert(1)</script>\"'&\x00\u202e"


def setups_of(game: str) -> list[str]:
    try:
        return list(tables_of(game).SETUPS)
    except Exception:
        return ["cannot be set up"]


def at_table(game: str, setup: str, *seed: int) -> object:
    """The tests of a table run in one process, which plays its games once."""
    group = pytest.mark.xdist_group(f"{game}, {setup}")
    return pytest.param(
        game, setup, *seed, marks=group, id=", ".join(map(str, (game, setup, *seed)))
    )


def every_table() -> list[object]:
    return [at_table(game, setup) for game in playable_games() for setup in setups_of(game)]


def every_game() -> list[object]:
    return [
        at_table(game, setup, seed)
        for game in playable_games()
        for setup in setups_of(game)
        for seed in range(PLAYOUTS)
    ]


@cache
def played(game: str, setup: str, seed: int) -> Game:
    return random_game(load_engine(game), setup, seed)


@cache
def strays_of(game: str, setup: str) -> Strays:
    engine = load_engine(game)
    seen: list[Action] = []
    for playout in (played(game, setup, seed) for seed in range(PLAYOUTS)):
        seen += playout.actions
        if engine.position_of is not None:
            seen += [engine.position_of(j.state, playout.setting) for j in playout.judgements[::9]]
    return Strays(engine, seen)


def looks(game: Game, rng: random.Random, count: int) -> list[Game]:
    """The game as it stood at some moments, the first and the last among them."""
    last = len(game.judgements) - 1
    between = rng.sample(range(1, last), min(count, last - 1)) if last > 1 else []
    return [
        Game(game.engine, game.opening, game.setting, game.judgements[: index + 1])
        for index in sorted({0, last, *between})
    ]


# a whole game


@pytest.mark.parametrize(("game", "setup", "seed"), every_game())
def test_a_random_game(game: str, setup: str, seed: int) -> None:
    playout = played(game, setup, seed)
    engine = playout.engine
    for judgement in playout.judgements:
        check_verdict(engine, judgement.verdict)
        check_conservation(playout, judgement)
        check_notation(engine, judgement.action)
        json.dumps(engine.plain(judgement.state), allow_nan=False)
        check_records(judgement.state)
    if playout.state.over:
        check_result(playout)


@pytest.mark.parametrize(("game", "setup", "seed"), every_game())
def test_replay_gives_the_same_states(game: str, setup: str, seed: int) -> None:
    playout = played(game, setup, seed)
    engine = playout.engine
    stored = [engine.load(action.model_dump(mode="json")) for action in playout.actions]
    again = list(replayed(engine, playout.setting, playout.opening, stored))
    assert [judgement.verdict for judgement in again] == [j.verdict for j in playout.judgements]
    assert [judgement.state for judgement in again] == [j.state for j in playout.judgements]


@pytest.mark.parametrize("game", playable_games())
def test_some_random_game_comes_to_its_end(game: str) -> None:
    games = [played(game, setup, 0) for setup in setups_of(game)[:4]]
    if hasattr(tables_of(game), "hasten"):
        games = [hastened(playout, random.Random(game)) for playout in games]
    ended = [playout for playout in games if playout.state.over]
    assert ended
    for playout in ended:
        check_result(playout)
        for judgement in playout.judgements:
            check_conservation(playout, judgement)


@pytest.mark.deep
def test_every_process_judges_alike() -> None:
    """Whatever the order in which this process happens to go through sets."""
    prints = [
        subprocess.run(
            [sys.executable, "-m", "tests.fingerprint", *playable_games()],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        ).stdout.split(END)
        for seed in ("1", "6")
    ]
    for game, one, other in zip([*playable_games(), "the end"], *prints, strict=True):
        assert one == other, game


@pytest.mark.parametrize("count", CLOSE_LOOKS)
@pytest.mark.parametrize(("game", "setup", "seed"), every_game())
def test_close_looks(game: str, setup: str, seed: int, count: int) -> None:
    playout = played(game, setup, seed)
    rng = random.Random(seed)
    for before in looks(playout, rng, count):
        shown = playout.engine.plain(before.state)
        options = playout.engine.options(playout.setting, before.state)
        check_options(before, options, rng)
        check_options_are_complete(before, options, strays_of(game, setup), rng)
        check_prompt(before, options)
        check_silence(before, strays_of(game, setup), rng)
        if before.state.over:
            assert options == []
        else:
            check_position(before, options)
        assert playout.engine.plain(before.state) == shown, "a pure function changed the state"


@pytest.mark.parametrize("count", FACES)
@pytest.mark.parametrize(("game", "setup", "seed"), every_game())
def test_faces(game: str, setup: str, seed: int, count: int) -> None:
    """Of a game that was played by the rules, and of what is left when nobody kept them."""
    rng = random.Random(seed)
    for moment in looks(played(game, setup, seed), rng, count):
        check_faces(moment, rng)
        walk_wildly(moment, strays_of(game, setup), rng, 60)
        check_faces(moment, rng)


@pytest.mark.parametrize("actions", WILD_ACTIONS)
@pytest.mark.parametrize(("game", "setup"), every_table())
def test_rules_set_aside_never_crash_a_table(game: str, setup: str, actions: int) -> None:
    """Each clause as a house rule, pairs of them, and none: wrong actions strictly and as
    they happened. The tables of a game share its clauses among them."""
    playout = played(game, setup, 0)
    rng = random.Random(f"{game} {setup}")
    loose = [c.id for c in playout.engine.clauses.values() if c.kind in ("rule", "effect")]
    tables = list(tables_of(game).SETUPS)
    share = loose[tables.index(setup) :: max(1, 2 * len(tables) // max(2, PLAYOUTS))]
    aside = [frozenset[str]()] * 5 + [frozenset({clause}) for clause in share]
    aside += [frozenset(rng.sample(loose, min(2, len(loose)))) for _ in share]
    for house_rules in aside:
        begin = rng.randrange(len(playout.judgements))
        walk = with_house_rules(playout, house_rules)
        del walk.judgements[begin + 1 :]
        walk_wildly(walk, strays_of(game, setup), rng, actions)


@pytest.mark.parametrize(("game", "setup"), every_table())
def test_house_rules_can_be_played_out(game: str, setup: str) -> None:
    """A few whole games with a clause or two set aside once the table is set up."""
    engine = load_engine(game)
    rng = random.Random(f"{game} {setup} house rules")
    loose = [c.id for c in engine.clauses.values() if c.kind in ("rule", "effect")]
    for _ in range(PLAYOUTS):
        house_rules = frozenset(rng.sample(loose, min(len(loose), rng.choice((1, 2)))))
        table = open_game(engine, tables_of(game).SETUPS[setup](rng))
        playout = with_house_rules(table, house_rules)
        try:
            for _ in play_on(playout, rng, tables_of(game).LINES_LIMIT):
                check_conservation(playout, playout.judgements[-1])
        except Exception as error:
            raise AssertionError(f"with {sorted(house_rules)} set aside") from error


@pytest.mark.parametrize(("game", "setup"), every_table())
def test_wrong_openings_never_crash(game: str, setup: str) -> None:
    engine = load_engine(game)
    rng = random.Random(f"{game} {setup} openings")
    for _ in range(40 * PLAYOUTS):
        opening = played(game, setup, 0).opening.model_dump(mode="json")
        name = rng.choice([key for key in opening if key not in ("verb", "by")])
        try:
            wrong = engine.load({**opening, name: bent(opening[name], rng)})
            assert isinstance(wrong, Opening)
            setting = engine.setting(wrong)
            judgement = engine.open(setting, wrong, lenient=rng.random() < 0.5)
        except ParseError:
            continue
        check_verdict(engine, judgement.verdict)
        if judgement.accepted:
            check_conservation(Game(engine, wrong, setting), judgement)


def walk_wildly(walk: Game, strays: Strays, rng: random.Random, actions: int) -> None:
    for _ in range(actions):
        action = strays.draw(rng)
        check_reads_back(walk.engine, action)
        lenient = rng.random() < 0.7
        try:
            judgement = walk.hear(action, lenient=lenient)
        except ParseError:
            continue
        except Exception as error:
            raise AssertionError(
                f"{walk.engine.text(action)!r} ({lenient=}) with "
                f"{sorted(walk.setting.house_rules)} set aside, after {texts(walk)}"
            ) from error
        check_verdict(walk.engine, judgement.verdict)
        check_conservation(walk, judgement)
    json.dumps(walk.engine.plain(walk.state))


# what is checked


def check_conservation(game: Game, judgement: Judgement[Any]) -> None:
    difference = dict(game.engine.balance(judgement.state, game.setting))
    assert difference == dict(judgement.state.offsets), (
        f"{game.engine.text(judgement.action)!r} breaks conservation: {difference}; "
        f"house rules {sorted(game.setting.house_rules)}, after {texts(game)}"
    )


def texts(game: Game) -> str:
    return "; ".join(game.engine.text(judgement.action) for judgement in game.judgements)


def check_verdict(engine: Engine[Any, Any], verdict: Verdict) -> None:
    """Clauses exist, facts are data, and the sentences of breaches find their facts."""
    points = [*verdict.breaches, *verdict.claims, *verdict.findings, *verdict.consulted]
    for point in points:
        assert point.clause in engine.clauses, point
        assert all(key.isascii() for key in point.facts), point
        to_plain(dict(point.facts))
    for point in (*verdict.breaches, *verdict.claims, *verdict.findings):
        assert is_in_sentences(engine.clauses[point.clause].because, point.facts), point
    for point in verdict.effects:
        assert is_in_sentences(engine.clauses[point.clause].told, point.facts), point
    assert set(verdict.readings) <= set(engine.readings)


def is_in_sentences(sentences: tuple[Text, ...] | None, facts: Mapping[str, Any]) -> bool:
    """Whether facts are told by a sentence, not as names and values; a seat needs none."""
    if not sentences:
        return sentences == () or facts.keys() <= {"seat"}
    return sentence_for(sentences, facts) is not None


def check_records(value: Any) -> None:
    """Nothing is cached in a state: it is a value, and ``evolve`` would lose it."""
    if isinstance(value, Struct):
        assert not hasattr(value, "__dict__"), f"{type(value).__name__} has room for a cache"
        for name in value.__struct_fields__:
            check_records(getattr(value, name))
    elif isinstance(value, Mapping):
        for part in value.values():
            check_records(part)
    elif isinstance(value, tuple):
        for part in value:
            check_records(part)


def check_reads_back(engine: Engine[Any, Any], action: Action) -> str:
    text = engine.text(action)
    assert engine.read(text) == action, text
    assert engine.notation.split(text) == [text]
    assert engine.load(json.loads(action.model_dump_json())) == action
    return text


def check_notation(engine: Engine[Any, Any], action: Action) -> None:
    text = check_reads_back(engine, action)
    if type(action).forms != ("{json}",):
        assert is_shell_safe(text), text
        for alias in type(action).french if not type(action).bare else ():
            aliased = re.sub(rf"^((?:[A-H] )?){action.verb}\b", rf"\g<1>{alias}", text)
            assert engine.read(aliased) == action, aliased


def check_result(game: Game) -> None:
    result = game.engine.result(game.state)
    assert result is not None, "the game is over and has no result"
    assert result.clause in game.engine.clauses
    placed = [seat for place in result.places for seat in place]
    assert sorted(placed) == sorted(game.opening.seats)
    assert set(result.scores) <= set(game.opening.seats)
    assert result.how is None or result.how in game.engine.words


def check_options(game: Game, options: list[Action], rng: random.Random) -> None:
    """Each is accepted, can be written, and can be typed word by word."""
    engine = game.engine
    assert len(set(options)) == len(options)
    for action in options:
        check_notation(engine, action)
        check_conservation(game, engine.judge(game.setting, game.state, action))
    if options:
        words = engine.text(rng.choice(options)).split()
        if len(game.state.agenda.seats) <= 1 and len(words[0]) == 1:
            words = words[1:]
        for count in range(len(words)):
            choices = engine.choices(game.setting, game.state, " ".join(words[:count]))
            found = {choice.word: choice.complete for choice in choices}
            assert words[count] in found, (words, choices)
            assert found[words[count]] or count < len(words) - 1


def check_prompt(game: Game, options: list[Action]) -> None:
    """What the table is told that may come next are the verbs of the options, and no others."""
    engine, state = game.engine, game.state
    unlisted = {(seat, kind.verb_of()) for seat, kind in engine.unlisted(state)}
    possible = {(action.by, action.verb) for action in options}
    told = set()
    for duty, verbs in engine.due(game.setting, state):
        assert verbs, f"{duty} is told, and nothing can be done"
        told |= {(duty.seat, verb) for verb in verbs}
    assert told - unlisted <= possible | {(None, verb) for _, verb in possible}
    assert {verb for _, verb in possible | unlisted} == {verb for _, verb in told}


def check_options_are_complete(
    game: Game, options: list[Action], strays: Strays, rng: random.Random
) -> None:
    """What is accepted though it was never offered would be a gap in the options."""
    engine, state = game.engine, game.state
    for _ in range(STRAYS_PER_LOOK):
        action = strays.draw(rng)
        try:
            judgement = engine.judge(game.setting, state, action)
        except ParseError:
            continue
        if not judgement.accepted or not is_listable(game, judgement.action):
            continue
        by = (None, judgement.action.by)  # any seat may state what no seat owes
        same = [a for a in options if a.verb == action.verb and a.by in by]
        if judgement.action not in same and not any(
            engine.judge(game.setting, state, option).state == judgement.state for option in same
        ):
            pytest.fail(
                f"{engine.text(judgement.action)!r} is accepted but is no option after "
                f"{texts(game)}; options: {[engine.text(option) for option in options]}"
            )


def check_silence(game: Game, strays: Strays, rng: random.Random) -> None:
    """What ends in silence what stands before it is accepted, and all of it is listed."""
    engine, setting, state = game.engine, game.setting, game.state
    listed = engine.options_in_silence(setting, state)
    for action in listed[:: max(1, len(listed) // 5)]:
        assert engine.judge(setting, state, action).accepted, engine.text(action)
    later = engine.unsaid(setting, state)
    for _ in range(STRAYS_PER_LOOK if later else 0):
        try:
            heard = engine.judge(setting, state, strays.draw(rng))
        except ParseError:
            continue
        if not heard.accepted or is_listable(game, heard.action):
            continue
        moments = [replace(game, judgements=[heard._replace(state=each)]) for each in later]
        if any(is_listable(moment, heard.action) for moment in moments):
            same = [action for action in listed if action.verb == heard.action.verb]
            assert heard.action in same or any(
                engine.judge(setting, state, action).state == heard.state for action in same
            ), f"{engine.text(heard.action)!r} is accepted and not listed after {texts(game)}"


def is_listable(game: Game, action: Action) -> bool:
    """Whether options must list this: a seat owes it or may do it, or it must be observed.

    What anybody may say and nobody needs to (a confirmation) is left out.
    """
    kinds = game.engine.rules.kinds.get(type(action), ())
    return type(action).enumerable and any(
        duty.kind in kinds and (not duty.optional if duty.seat is None else duty.seat == action.by)
        for duty in game.state.agenda.duties
    )


def check_position(game: Game, options: list[Action]) -> None:
    """Declared or adjusted at a fresh table, in any form, a position is the same position."""
    engine, setting = game.engine, game.setting
    if engine.position_of is None:
        return
    position = engine.position_of(game.state, setting)
    assert engine.read(engine.text(position)) == position
    assert engine.load(json.loads(position.model_dump_json())) == position
    data = engine.position_data(setting, game.state)
    carried = tomllib.loads(write_toml({"position": data}))["position"]
    assert engine.position is not None
    assert engine.position.model_validate(carried) == position
    fresh = engine.open(setting, game.opening).state
    declared = engine.judge(setting, fresh, position)
    assert declared.accepted, (declared.verdict.breaches, engine.text(position), texts(game))
    wanted = sorted(engine.text(option) for option in options)
    described = engine.describe(game.state, setting, "en")
    whole = engine.changes_to(setting, fresh, carried)
    for how, state in (
        ("declared", declared.state),
        ("adjusted in nothing", engine.adjust(setting, game.state, {})),
        ("adjusted as a whole", engine.adjust(setting, fresh, whole)),
    ):
        assert engine.position_of(state, setting) == position, (how, texts(game))
        assert dict(engine.balance(state, setting)) == dict(game.state.offsets), how
        assert engine.describe(state, setting, "en") == described, (how, texts(game))
        assert engine.moves(game.state, state, setting, None) == Moves(), (how, texts(game))
        found = sorted(engine.text(option) for option in engine.options(setting, state))
        assert found == wanted, (how, engine.text(position), texts(game))


def check_faces(game: Game, rng: random.Random) -> None:
    """Words and pictures for the table and for a seat's eyes, in both languages."""
    engine, setting = game.engine, game.setting
    last = game.judgements[-1].action if len(game.judgements) > 1 else None
    seen = [game.state, engine.hide(game.state, rng.choice(game.opening.seats), setting)]
    said = set()
    for state in seen:
        for lang in LANGUAGES:
            lines = engine.describe(state, setting, lang)
            said.add((lang, "\n".join(lines)))
            picture = engine.picture(state, setting, lang, last)
            svg = picture.svg(HOSTILE, "\n".join([HOSTILE, *lines]), lang=lang)
            root = ElementTree.fromstring(svg)
            shown = ["".join(root.itertext()), *lines]
            assert not any(re.search(r"\{[a-z_]+\}", text) for text in shown), "unfilled words"
            assert not any(tag.tag.endswith("script") for tag in root.iter())
            for name, (x, y) in picture.anchors.items():
                assert 0 <= x <= picture.width, name
                assert 0 <= y <= picture.height, name
    english = {text for lang, text in said if lang == "en"}
    french = {text for lang, text in said if lang == "fr"}
    assert all(english | french), "a state without words"
    assert english.isdisjoint(french), "not translated"


# what is written about a game


def test_every_game_has_its_tables() -> None:
    assert playable_games() == [game for game in engine_ids() if is_installed(game)]


@pytest.mark.parametrize("game", playable_games())
def test_duties_and_verbs_have_words(game: str) -> None:
    engine = load_engine(game)
    wanted = {f"duty.{kind}" for kind in engine.rules.duties if kind}
    wanted |= {f"verb.{action.verb_of()}" for action in (engine.opening, *engine.actions)}
    assert sorted(key for key in {"game", *wanted} if key not in engine.words) == []


@pytest.mark.parametrize("game", playable_games())
def test_a_duty_that_is_told_way_by_way_has_words_for_every_way(game: str) -> None:
    engine = load_engine(game)
    ways = {key for key in engine.words if key.startswith("way.")}
    kinds = {key.split(".")[1] for key in ways}
    wanted = {
        f"way.{kind}.{action.verb_of()}" for kind in kinds for action in engine.rules.duties[kind]
    }
    assert ways == wanted


@pytest.mark.parametrize("game", playable_games())
def test_words_say_the_same_in_both_languages(game: str) -> None:
    words = load_engine(game).words
    for key in words:
        entry = words.entry(key)
        assert entry is not None
        assert all(entry[lang].strip() for lang in LANGUAGES), key
        assert placeholders(entry["en"]) == placeholders(entry["fr"]), key
        assert ("en_one" in entry) == ("fr_one" in entry), key
        for one in (entry[name] for name in ("en_one", "fr_one") if name in entry):
            assert placeholders(one) | {"count"} == placeholders(entry["en"]) | {"count"}, key


@pytest.mark.parametrize("game", playable_games())
def test_clauses_and_readings_are_said_in_both_languages(game: str) -> None:
    engine = load_engine(game)
    for clause in engine.clauses.values():
        assert all((clause.en.strip(), clause.fr.strip(), clause.en != clause.fr)), clause.id
        for text in (*(clause.because or ()), *(clause.told or ())):
            assert placeholders(text.en) == placeholders(text.fr), clause.id
    for reading in engine.readings.values():
        assert set(reading.clauses) <= set(engine.clauses), reading.id
        for text in (reading.question, reading.why, *reading.values.values()):
            assert all((text.en.strip(), text.fr.strip())), reading.id


@pytest.mark.parametrize("game", playable_games())
def test_what_can_be_listed_is_offered(game: str) -> None:
    rules = load_engine(game).rules
    due = {action for kind, actions in rules.duties.items() if kind for action in actions}
    silent = [a.__name__ for a in due if a.enumerable and a not in rules.offered]
    assert silent == [], "offer them, or mark them as not enumerable"


@pytest.mark.parametrize("game", playable_games())
def test_every_kit_is_of_the_game_and_can_be_read(game: str) -> None:
    engine = load_engine(game)
    assert engine.kits
    for name, sheet in engine.kits.items():
        kit = engine.read_kit(sheet)
        assert (kit.kit, kit.game) == (name, game)
        for datum in sheet.datums():
            assert datum.provenance in PROVENANCES, datum
            assert datum.source, datum
