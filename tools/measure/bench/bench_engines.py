"""The engines on recorded random games, beside what others do for their games."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from engines.kernel.registry import load_engine
from tests.playing import Game, playable_games, random_game, replayed, tables_of
from tools.measure.bench.earlier import Compared, checkout, engines_compared
from tools.measure.bench.measuring import Figure, per_second, percentile, print_table, timed

Play = Callable[[], int] | None
Rates = dict[Callable[[], int], float]

GAMES = 6
"""Recorded games per engine."""
PEER_GAMES = 20


@dataclass(frozen=True)
class Speed:
    name: str
    actions: int
    replay: Callable[[], int]
    """Judges all actions one after the other."""
    read: Callable[[], int] | None = None
    """The same, read from text before."""
    judging: list[float] | None = None
    listing: list[float] | None = None


def recorded(game: str) -> list[Game]:
    setups = list(tables_of(game).SETUPS)
    return [random_game(load_engine(game), setups[n % len(setups)], n) for n in range(GAMES)]


def speed_of_engine(game: str) -> Speed:
    engine = load_engine(game)
    games = recorded(game)
    texts = [[engine.text(action) for action in played.actions] for played in games]

    def replay() -> int:
        return sum(
            len(list(replayed(engine, played.setting, played.opening, played.actions))) - 1
            for played in games
        )

    def read() -> int:
        engine.notation.__dict__.pop("_lately", None)  # as if nobody had read such a line before
        return sum(
            len(list(replayed(engine, played.setting, played.opening, map(engine.read, lines)))) - 1
            for played, lines in zip(games, texts, strict=True)
        )

    moments = [
        (played, before.state, after.action)
        for played in games
        for before, after in zip(played.judgements, played.judgements[1:], strict=False)
    ]
    judge = [partial(engine.judge, played.setting, state, a) for played, state, a in moments]
    choose = [partial(engine.options, played.setting, state) for played, state, _ in moments]
    return Speed(game, len(moments), replay, read, timed(judge * 3), timed(choose))


def speed_of_chess() -> Speed:
    import chess
    import chess.pgn

    rng = random.Random(0)
    games = []
    for _ in range(PEER_GAMES):
        board = chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 200:
            board.push(rng.choice(list(board.legal_moves)))
        games.append(list(board.move_stack))
    texts = [str(chess.pgn.Game.from_board(_board(chess.Board(), moves))) for moves in games]
    count = sum(map(len, games))

    def replay() -> int:
        for moves in games:
            board = chess.Board()
            for move in moves:
                assert board.is_legal(move)
                board.push(move)
        return count

    def read() -> int:
        for text in texts:
            chess.pgn.read_game(io.StringIO(text))
        return count

    moments = [_board(chess.Board(), moves[:n]) for moves in games for n in range(0, len(moves), 9)]
    listing = timed(partial(lambda board: list(board.legal_moves), board) for board in moments)
    return Speed("chess (python-chess)", count, replay, read, None, listing)


def _board(board: Any, moves: Any) -> Any:
    for move in moves:
        board.push(move)
    return board


def speed_of_open_spiel() -> Speed:
    import pyspiel
    from open_spiel.python.games import tic_tac_toe  # noqa: F401  registers the game

    game = pyspiel.load_game("python_tic_tac_toe")
    rng = random.Random(0)
    games = []
    for _ in range(PEER_GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        games.append(list(state.history()))

    def replay() -> int:
        for actions in games:
            state = game.new_initial_state()
            for action in actions:
                assert action in state.legal_actions()
                state.apply_action(action)
        return sum(map(len, games))

    return Speed("tic-tac-toe (open_spiel)", replay(), replay)


def row(speed: Speed, rates: Rates, chess: Speed | None) -> list[str]:
    def rate(play: Play, peer: Play) -> tuple[str, str]:
        if play is None:
            return "", ""
        ratio = f"{rates[play] / rates[peer]:.2f}" if peer is not None else ""
        return f"{rates[play]:,.0f}", ratio

    def at(times: list[float] | None, share: float, unit: float, digits: int) -> str:
        return f"{percentile(times, share) / unit:.{digits}f}" if times else ""

    return [
        speed.name,
        f"{speed.actions:,}",
        *rate(speed.replay, chess.replay if chess else None),
        *rate(speed.read, chess.read if chess else None),
        at(speed.judging, 0.5, 1, 0),
        at(speed.judging, 0.99, 1, 0),
        at(speed.listing, 0.5, 1000, 2),
        at(speed.listing, 0.99, 1000, 2),
    ]


HEAD = [
    "game",
    "actions",
    "replay/s",
    "÷ chess",
    "from text/s",
    "÷ chess",
    "judge p50 µs",
    "p99 µs",
    "options p50 ms",
    "p99 ms",
]


PLAYED_BY_0_1_0 = ("benevolent", "bethel_woods", "bloody_grove", "broom_service", "roundforest")


def figures(speeds: list[Speed], rates: Rates, chess: Speed | None) -> Iterator[Figure]:
    """Replay, reading and options of each game, beside 0.1.0 and python-chess."""
    with checkout() as tree:
        games = [speed.name for speed in speeds if speed.name in PLAYED_BY_0_1_0]
        earlier = {} if tree is None else engines_compared(tree, games)
    for speed in speeds:
        yield from _figures(speed, rates, chess, earlier)


def _figures(
    speed: Speed,
    rates: Rates,
    chess: Speed | None,
    earlier: Mapping[tuple[str, str], Compared],
) -> Iterator[Figure]:
    def then(measure: str, told: Callable[[Compared], str]) -> str:
        found = earlier.get((speed.name, measure))
        return "" if found is None else told(found)

    assert speed.read is not None
    assert speed.listing is not None
    replay, reading = rates[speed.replay], rates[speed.replay] / rates[speed.read]
    peer = peer_reading = ""
    if chess is not None and chess.read is not None:
        peer = f"{replay / rates[chess.replay]:.2f} × python-chess"
        peer_reading = f"{rates[chess.replay] / rates[chess.read]:.2f}"
    yield Figure(
        f"{speed.name}: replayed, actions a second",
        f"{replay:,.0f}",
        then("replay", lambda found: f"{1 / found.ratio:.2f} × as fast"),
        peer,
        "25,000; 1.4 × 0.1.0",
    )
    read, replayed = (earlier.get((speed.name, each)) for each in ("read", "replay"))
    yield Figure(
        f"{speed.name}: read from text ÷ replayed",
        f"{reading:.2f}",
        "" if read is None or replayed is None else f"{read.then / replayed.then:.2f}",
        peer_reading,
        "1.4",
    )
    yield Figure(
        f"{speed.name}: options, p99",
        f"{percentile(speed.listing, 0.99) / 1000:.2f} ms",
        then("options", lambda found: f"{found.ratio:.2f} × its time"),
        "",
        "5 ms; 0.85 × 0.1.0",
    )


def main() -> list[Figure]:
    peers: list[Speed] = []
    missing: list[str] = []
    measures: list[Callable[[], Speed]] = [speed_of_chess, speed_of_open_spiel]
    for measure in measures:
        try:
            peers.append(measure())
        except ImportError as error:
            missing.append(f"Not measured: {error.name} is not installed.")
    chess = next((peer for peer in peers if peer.name.startswith("chess")), None)
    speeds = [speed_of_engine(game) for game in playable_games()]
    everybody = [*speeds, *peers]
    plays = [play for speed in everybody for play in (speed.replay, speed.read) if play]
    rates = dict(zip(plays, per_second(plays), strict=True))
    print_table("Engines", HEAD, [row(speed, rates, chess) for speed in everybody])
    for line in missing:
        print(line)
    return [*figures(speeds, rates, chess)]


if __name__ == "__main__":
    main()
