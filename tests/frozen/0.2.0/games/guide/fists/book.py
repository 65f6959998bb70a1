from typing import ClassVar, Literal

from msgspec import Struct

from engines.kernel import (
    GO_ON,
    Action,
    Agenda,
    Duty,
    Group,
    Hearing,
    Kit,
    Opening,
    Rulebook,
    Seat,
    State,
    evolve,
    with_player,
)


class Box(Kit):
    most: int


class Table(Opening):
    players: tuple[Seat, ...]
    forms: ClassVar = ("{players...}",)
    seats = property(lambda self: self.players)

    @classmethod
    def usual(cls, players: int) -> str:
        return "table A B"


class Close(Action):
    verb: Literal["close"] = "close"
    pebbles: int | None = None
    forms: ClassVar = ("[{pebbles}]",)
    private: ClassVar = ("pebbles",)
    enumerable: ClassVar = False


class Guess(Action):
    verb: Literal["guess"] = "guess"
    total: int
    forms: ClassVar = ("{total}",)


class Open(Action):
    verb: Literal["open"] = "open"
    pebbles: int
    forms: ClassVar = ("{pebbles}",)
    observes: ClassVar = True
    enumerable: ClassVar = False


class Player(Struct, frozen=True):
    closed: int | None = None
    """The entry in which the fist was closed."""
    pebbles: int | None = None
    """What is in it, if the referee was told in confidence."""
    guess: int | None = None
    shown: int | None = None


class Tableau(State, frozen=True):
    players: dict[str, Player]


STAGES = {"close": "closed", "guess": "guess", "open": "shown"}
rules = Rulebook({"close": (Close,), "guess": (Guess,), "open": (Open,)})


@rules.opens
def open_table(opening: Table, rule: Hearing[Box]) -> Tableau:
    rule("FST-SETUP-1", opening.players == ("A", "B"), seats=opening.players)
    return Tableau({seat: Player() for seat in opening.players}, agenda=GO_ON)


@rules.flows
def go_on(state: Tableau, rule: Hearing[Box]) -> Tableau:
    for kind, field in STAGES.items():
        late = [seat for seat, one in state.players.items() if getattr(one, field) is None]
        due = late[:1] if kind == "guess" else late
        if due:
            return evolve(state, agenda=Agenda((Group(*(Duty(kind, seat) for seat in due)),)))
    rule.effect("FST-END-1", True, total=sum(one.shown for one in state.players.values()))
    return evolve(state, agenda=Agenda())


@rules.hears(Close)
def close(state: Tableau, action: Close, rule: Hearing[Box]) -> Tableau:
    fits = action.pebbles is None or 0 <= action.pebbles <= rule.kit.most
    rule("FST-CLOSE-1", fits, seat=action.seat)
    return with_player(state, action.seat, closed=rule.number, pebbles=action.pebbles)


@rules.hears(Guess)
def guess(state: Tableau, action: Guess, rule: Hearing[Box]) -> Tableau:
    said = [player.guess for player in state.players.values()]
    rule("FST-GUESS-1", action.total not in said, total=action.total)
    return with_player(state, action.seat, guess=action.total)


@rules.hears(Open)
def open_fist(state: Tableau, action: Open, rule: Hearing[Box]) -> Tableau:
    me = state.players[action.seat]
    if me.pebbles not in (None, action.pebbles):
        rule.proves("FST-OPEN-1", me.closed, seat=action.seat)
    return with_player(state, action.seat, shown=action.pebbles)


@rules.not_now
def not_now(state: Tableau, action: Action, rule: Hearing[Box]) -> None:
    rule("FST-TURN-1", False, seat=action.by, due=state.agenda.seats)


@rules.offers(Guess)
def guesses(state: Tableau, seat: str, table):
    return (Guess(by=seat, total=n) for n in range(2 * table.kit.most + 1))
