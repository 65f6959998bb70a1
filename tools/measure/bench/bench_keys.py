"""How many keys a scribe presses: the sample game and recorded random games of each game.

A turn is what one seat does before the next one acts, with what is drawn and revealed in it.
Typed in full, it is one line of the shortest words that are read as what happened, what can be
said at once said at once. With completion, each action is a line of its own: the fewest letters
for which the shell shows this line and no other, and Enter; what is laid out one after the other
is one line. A table is laid out in the order of its places, whatever the order of the record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, product
from typing import Any

from engines.kernel import Action, Engine, ParseError, Setting
from engines.kernel.dialogue.interpreter import LineInterpreter
from engines.kernel.dialogue.opening_shorthand import opening_in_full
from engines.kernel.notation.abbreviations import letters_and_numbers
from engines.kernel.registry import load_engine
from replays.gallery import sample, samples
from tests.playing import playable_games, random_game, tables_of
from tools.measure.bench.measuring import percentile, print_table

GAMES = 5
"""Recorded random games beside the sample game."""
ENTER = 1
BASELINE = {
    "benevolent": (13, 17, 159),
    "bethel_woods": (52, 67, 89),
    "bloody_grove": (21, 44, 168),
    "broom_service": (6, 20, 245),
    "roundforest": (12, 41, 704),
}
"""What it took with completion word by word, when it was first counted: p50, p90, set-up."""


@dataclass(frozen=True)
class Said:
    """An action, and the table when it was said; the opening finds no table yet."""

    action: Action
    setting: Setting[Any]
    before: Any


def sample_game(game: str) -> list[Said]:
    shown = sample(game)
    found, before = [], None
    for step in shown.steps:
        if step.action is not None:
            found.append(Said(step.action, shown.setting, before))
        before = step.state
    return found


def played_game(game: str, seed: int) -> list[Said]:
    setups = list(tables_of(game).SETUPS)
    played = random_game(load_engine(game), setups[seed % len(setups)], seed)
    states = [None, *(each.state for each in played.judgements)]
    actions = [played.opening, *played.actions]
    return [
        Said(action, played.setting, before)
        for action, before in zip(actions, states, strict=False)
    ]


def turns(game: Sequence[Said]) -> Iterator[list[Said]]:
    """The set-up, which ends with the first decision, then turn by turn."""
    start = next((n for n, said in enumerate(game) if n and not said.action.observes), len(game))
    yield list(game[:start])
    turn: list[Said] = []
    for said in game[start:]:
        seats = {each.action.by for each in turn} - {None}
        if said.action.by is not None and seats - {said.action.by}:
            yield turn
            turn = []
        turn.append(said)
    if turn:
        yield turn


# typed in full


def shortest(engine: Engine[Any, Any], said: Said) -> str:
    """The line without its seat, where it is understood without."""
    line = engine.text(said.action)
    if said.before is None or said.action.by is None:
        return line
    _, _, bare = line.partition(" ")
    try:
        heard = engine.judge(said.setting, said.before, engine.read(bare), 1)
    except ParseError:
        return line
    return bare if heard.accepted and heard.action == said.action else line


def typed_in_full(engine: Engine[Any, Any], turn: Sequence[Said]) -> int:
    parts: list[str] = []
    before: Said | None = None
    for said in turn:
        line = shortest(engine, said)
        if before is not None and (both := at_once(engine, parts[-1], before, said, line)):
            parts[-1] = both
        else:
            parts.append(line)
        before = said
    return len("; ".join(parts)) + ENTER


def at_once(
    engine: Engine[Any, Any], known: str, before: Said, said: Said, line: str
) -> str | None:
    """Both in the words of one, where the notation takes them apart again."""
    if not said.action.several or type(said.action) is not type(before.action):
        return None
    _, _, added = line.partition(f"{said.action.verb} ")
    both, split = f"{known} {added}", engine.notation.split
    same_seat = said.action.by == before.action.by
    return both if same_seat and split(both) == [*split(known), line] else None


# completed


def completed(engine: Engine[Any, Any], turn: Sequence[Said]) -> int:
    """The keys of a turn, or of a set-up that is laid out in order."""
    return sum(
        keys_of_a_run(engine, run) if is_laid(kind) else sum(keys(engine, said) for said in run)
        for kind, run in (
            (kind, list(run)) for kind, run in groupby(turn, key=lambda said: type(said.action))
        )
    )


def is_laid(kind: type[Action]) -> bool:
    return bool(kind.in_order) or (kind.observes and kind.several)


def in_order(engine: Engine[Any, Any], setup: Sequence[Said]) -> list[Said]:
    """The same set-up, kind by kind, and each kind from place to place."""
    opening, *laid = setup
    kinds = list(dict.fromkeys(type(said.action) for said in laid))
    state = engine.open(opening.setting, opening.action).state  # type: ignore[arg-type]
    left, found = [said.action for said in laid], [opening]
    while left:
        action = min(
            left, key=lambda each: (kinds.index(type(each)), place_of(engine, opening, state, each))
        )
        found.append(Said(action, opening.setting, state))
        heard = engine.judge(opening.setting, state, action)
        if not heard.accepted:
            return list(setup)
        state = heard.state
        left.remove(action)
    return found


def place_of(engine: Engine[Any, Any], opening: Said, state: Any, action: Action) -> int:
    fill = engine.rules.filled.get((type(action), action.in_order))
    places = [*fill(state, opening.setting)] if fill else []
    place = getattr(action, action.in_order) if fill else None
    return places.index(place) if place in places else 0


def keys(engine: Engine[Any, Any], said: Said) -> int:
    """The keys of one line."""
    line = shortest(engine, said)
    if said.before is None:
        return len(opened_in_short(engine, line)) + ENTER
    if not said.action.enumerable:
        return keys_of_a_run(engine, [said])
    saying = LineInterpreter(engine, said.setting, said.before)
    parts = [part for word in line.split() for part in letters_and_numbers(word)]
    for brief in briefest(parts, len(line)):
        meant = saying.meant(brief)
        if len(meant) == 1 and means(engine, said, meant[0]):
            return len(brief) + ENTER
    return len(line) + ENTER


def opened_in_short(engine: Engine[Any, Any], line: str) -> str:
    """What follows ``referee new GAME``: of each word as much as is needed, one after the other."""
    words = line.split()
    if (
        read_as(
            engine, f"table {len(players := seats(words))} {' '.join(words[len(players) + 1 :])}"
        )
        == line
    ):
        words[1 : len(players) + 1] = [str(len(players))]
    for index in reversed(range(1, len(words))):
        for short in shorter(words[index]):
            tried = [*words[:index], short, *words[index + 1 :]]
            if read_as(engine, " ".join(filter(None, tried))) == line:
                words = tried
                break
    return " ".join(filter(None, words[1:]))


def seats(words: Sequence[str]) -> list[str]:
    return (
        [word for word in words[1:] if len(word) == 1][: words[1:].index("first")]
        if "first" in words
        else []
    )


def shorter(word: str) -> list[str]:
    """A word, or a pair, cut short in every way; the shortest first."""
    name, equals, value = word.partition("=")
    said, at, place = (value if len(name) == 1 else word).partition("@")
    found = {said[:end] + at + place for end in range(1, len(said) + 1)}
    if equals and len(name) > 1:
        found = {f"{name[:end]}={value[:to]}" for end in range(1, len(name) + 1) for to in (1, 3)}
        found |= {value[:end] for end in range(1, len(value) + 1)}
    return ["", *sorted(found, key=lambda each: (len(each), each))]


def read_as(engine: Engine[Any, Any], line: str) -> str | None:
    try:
        return engine.text(engine.read(opening_in_full(engine, line)))
    except ParseError:
        return None


def briefest(parts: Sequence[str], length: int) -> Iterator[str]:
    """Beginnings of the parts, the shortest first; a number is said as a whole."""
    ways = [
        ("", part)
        if part[0].isdigit()
        else tuple(part[:end] for end in range(min(len(part), 3) + 1))
        for part in parts
    ]
    found = {"".join(way) for way in product(*ways[:7])}
    yield from sorted(
        (way for way in found if 0 < len(way) < length), key=lambda way: (len(way), way)
    )


def means(engine: Engine[Any, Any], said: Said, line: str) -> bool:
    heard = engine.judge(said.setting, said.before, engine.read(line), 1)
    return heard.accepted and heard.action == said.action


def keys_of_a_run(engine: Engine[Any, Any], run: Sequence[Said]) -> int:
    """The keys of all that is laid in one line, with or without gaps between the things."""
    first = run[0]
    saying, verb = LineInterpreter(engine, first.setting, first.before), first.action.verb
    lines = [engine.text(said.action) for said in run]
    heads = ["", *(f"{verb[:end]} " for end in range(1, len(verb) + 1))]
    things = [cut_short(engine, said) for said in run]
    ways = [f"{head}{gap.join(things)}" for head, gap in product(heads, ("", " "))]
    understood = (brief for brief in ways if saying.meant(brief) == lines)
    at_once = [len(brief) + ENTER for brief in islice(understood, 1)]
    if run[0].action.enumerable:
        at_once.append(sum(keys(engine, said) for said in run))
    return min(at_once, default=sum(len(line) + ENTER for line in lines))


def cut_short(engine: Engine[Any, Any], said: Said) -> str:
    """Of each name of a thing as much as is needed where it is laid."""
    line, kind = engine.text(said.action), type(said.action)
    signs = engine.notation.signs(kind)
    names = [word for word in line.split()[1 + bool(kind.in_order) :] if word not in signs]
    saying = LineInterpreter(engine, said.setting, said.before)
    for index, name in enumerate(names):
        shorter = {name[1:], *(name[:end] for end in range(1, len(name)))} - {""}
        for short in sorted(shorter, key=lambda each: (len(each), each)):
            tried = [*names[:index], short, *names[index + 1 :]]
            if saying.meant(f"{said.action.verb} {' '.join(tried)}") == [line]:
                names = tried
                break
    glued = "".join(names)
    whole = saying.meant(f"{said.action.verb} {glued}") == [line]
    return glued if whole else " ".join(names)


def row(game: str) -> list[str]:
    engine = load_engine(game)
    first = [sample_game(game)] if game in samples() else []
    games = [list(turns(each)) for each in (*first, *(played_game(game, n) for n in range(GAMES)))]
    setups = [in_order(engine, setup) for setup, *_ in games]
    played = [turn for _, *after in games for turn in after]
    return [
        game,
        f"{len(played):,}",
        *middle_and_high([typed_in_full(engine, turn) for turn in played]),
        *middle_and_high([completed(engine, turn) for turn in played]),
        *middle_and_high([typed_in_full(engine, setup) for setup in setups])[:1],
        *middle_and_high([completed(engine, setup) for setup in setups])[:1],
        " / ".join(map(str, budget(game))),
    ]


def budget(game: str) -> tuple[int, ...]:
    """Half of what a turn took when it was first counted, a third of what a set-up took."""
    if game not in BASELINE:
        return ()
    middle, high, setup = BASELINE[game]
    return middle // 2, high // 2, setup // 3


def middle_and_high(keys: list[int]) -> list[str]:
    ordered = sorted(keys)
    return [f"{percentile(ordered, share):.0f}" for share in (0.5, 0.9)]


HEAD = [
    "game",
    "turns",
    "in full p50",
    "p90",
    "completed p50",
    "p90",
    "set-up in full",
    "completed",
    "budget",
]


def main() -> None:
    print_table("Keys of a turn", HEAD, [row(game) for game in playable_games()])


if __name__ == "__main__":
    main()
