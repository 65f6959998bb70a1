"""How many keys a scribe presses: the sample game and recorded random games of each game.

A turn is what one seat does before the next one acts, with what is drawn and revealed in it.
Typed in full, it is one line of the shortest words that are read as what happened, what can be
said at once said at once. With
completion, each action is a line of its own: of each word the letters until it is the only one
offered, and Tab.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engines.kernel import Action, BadForm, Engine, Setting
from engines.kernel.registry import load_engine
from replays.gallery import sample, samples
from tests.bench.measuring import percentile, print_table
from tests.playing import playable_games, random_game, tables_of

GAMES = 5
"""Recorded random games beside the sample game."""
ENTER = TAB = 1


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


def shortest(engine: Engine[Any, Any], said: Said) -> str:
    """The line without its seat, where it is understood without."""
    line = engine.text(said.action)
    if said.before is None or said.action.by is None:
        return line
    _, _, bare = line.partition(" ")
    try:
        heard = engine.judge(said.setting, said.before, engine.read(bare), 1)
    except BadForm:
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


def completed(engine: Engine[Any, Any], said: Said) -> int:
    """The keys of one line where Tab ends each word that nothing else begins like."""
    line = shortest(engine, said)
    if said.before is None:
        return len(line) + ENTER
    words = line.split()
    keys = len(words) - 1 + ENTER
    for index, word in enumerate(words):
        offered = engine.choices(said.setting, said.before, " ".join(words[:index]))
        keys += letters(word, [choice.word for choice in offered])
    return keys


def letters(word: str, offered: Sequence[str]) -> int:
    if word not in offered:
        return len(word)
    for count in range(len(word)):
        if sum(other.startswith(word[:count]) for other in offered) == 1:
            return min(count + TAB, len(word))
    return len(word)


def row(game: str) -> list[str]:
    engine = load_engine(game)
    first = [sample_game(game)] if game in samples() else []
    games = [list(turns(each)) for each in (*first, *(played_game(game, n) for n in range(GAMES)))]
    setups = [setup for setup, *_ in games]
    played = [turn for _, *after in games for turn in after]
    return [
        game,
        f"{len(played):,}",
        *middle_and_high([typed_in_full(engine, turn) for turn in played]),
        *middle_and_high([sum(completed(engine, said) for said in turn) for turn in played]),
        *middle_and_high([typed_in_full(engine, setup) for setup in setups])[:1],
        *middle_and_high([sum(completed(engine, said) for said in setup) for setup in setups])[:1],
    ]


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
]


def main() -> None:
    print_table("Keys of a turn", HEAD, [row(game) for game in playable_games()])


if __name__ == "__main__":
    main()
