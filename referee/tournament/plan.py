"""The plan of a tournament: everything that is published before round one."""

import operator
from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import (
    Field,
    Strict,
    model_validator,
)

from engines.kernel import Flaw
from engines.kernel.box.kit import Within
from engines.kernel.messages.catalogue import normalize
from engines.kernel.rules.actions import PlainText
from referee.record.entries import ClauseId
from referee.store.canonical_json import canonical, digest
from referee.tournament.values import (
    Digest,
    EventValue,
    GameName,
    Halves,
    Minutes,
    RoundNumber,
    Seed,
    TieBreakId,
    Word,
)


class SeatRange(EventValue):
    """How many sit at a table."""

    least: int = Field(ge=1, le=8)
    most: int = Field(ge=1, le=8)
    preferred: int = Field(ge=1, le=8)

    @model_validator(mode="after")
    def _ordered(self) -> "SeatRange":
        if not self.least <= self.preferred <= self.most:
            raise Flaw("seats_in_order")
        return self


class Swiss(EventValue):
    """Duels between players of equal points who have not met: by weighted matching, or by the
    Dutch system of FIDE."""

    kind: Literal["swiss"] = "swiss"
    system: Literal["matching", "dutch"] = "matching"
    accelerated: bool = Field(default=False, exclude_if=operator.not_)
    """Whether the first rounds are paired with the virtual points of FIDE's Baku acceleration."""


class RoundRobin(EventValue):
    """Everyone meets everyone, by Berger's tables."""

    kind: Literal["round_robin"] = "round_robin"
    twice: bool = False


class Knockout(EventValue):
    """Losers leave. At tables of more than two the best ``advance`` go on."""

    kind: Literal["knockout"] = "knockout"
    advance: int = Field(default=1, ge=1, le=4)
    lives: int = Field(default=1, ge=1, le=2)
    on_tie: Literal["replay", "better_seed", "later_seat", "judge"] = "replay"
    third_place: bool = Field(default=False, exclude_if=operator.not_)
    """Whether the losers of the semi-finals play for third place, beside the final."""

    @property
    def has_fixed_bracket(self) -> bool:
        """Whether the places of the first round say who may meet whom in all others."""
        return self.lives == 1


class DoubleElimination(EventValue):
    """Who loses falls to a fixed place of the lower bracket, and is out after losing there. The
    winners of both brackets meet in the final, and again if it is the first defeat of one."""

    kind: Literal["double_elimination"] = "double_elimination"
    on_tie: Literal["replay", "better_seed", "later_seat", "judge"] = "replay"

    advance: ClassVar[int] = 1
    lives: ClassVar[int] = 2
    third_place: ClassVar[bool] = False
    has_fixed_bracket: ClassVar[bool] = True


Elimination = Knockout | DoubleElimination


def check_third_place(seats: SeatRange, advance: int, lives: int = 1) -> None:
    """Only a bracket of duels in which one defeat is the end has semi-finals with two losers."""
    if (seats.most, advance, lives) != (2, 1, 1):
        raise Flaw("third_place_of_duels")


class Pods(EventValue):
    """Tables of several; by standings, or so that as many as possible meet."""

    kind: Literal["pods"] = "pods"
    by_standings: bool = True


class League(EventValue):
    """A season: the best ``counted`` rounds of each player count."""

    kind: Literal["league"] = "league"
    counted: int = Field(ge=1, le=99)


class DealRef(EventValue):
    name: Word
    digest: Digest


Pile = Annotated[tuple[Word, ...], Field(max_length=500)]


class Deal(EventValue):
    """What every table draws: for each pile, its items from the top.

    A pile is named by the verb that logs a draw from it, or by ``verb.field`` where the item
    is not the first thing said.
    """

    name: Word
    game: GameName
    piles: dict[Word, Pile] = Field(min_length=1, max_length=50)
    seed: Seed | None = None
    """The seed it was shuffled with, if it was."""

    @property
    def ref(self) -> DealRef:
        return DealRef(name=self.name, digest=digest(canonical(self.model_dump(mode="json"))))


class Duplicate(EventValue):
    """A cooperative game, the same draws at every table; one deal a round."""

    kind: Literal["duplicate"] = "duplicate"
    deals: tuple[DealRef, ...] = Field(min_length=1, max_length=99)


class Ladder(EventValue):
    """A cooperative game, whenever a team likes: its best result counts."""

    kind: Literal["ladder"] = "ladder"


Format = Annotated[
    Swiss | RoundRobin | Knockout | DoubleElimination | Pods | League | Duplicate | Ladder,
    Field(discriminator="kind"),
]


class DuelScoring(EventValue):
    kind: Literal["duel"] = "duel"
    win: Halves = 2
    draw: Halves = 1
    loss: Halves = 0
    bye: Halves = 2
    half_bye: Halves = 1


class PlaceScoring(EventValue):
    """Points by place; shared places share them. ``by_size`` is for tables of other sizes."""

    kind: Literal["places"] = "places"
    places: tuple[Halves, ...] = Field(min_length=1, max_length=8)
    by_size: dict[
        Annotated[str, Field(pattern=r"^[1-8]$")],
        Annotated[tuple[Halves, ...], Within(0, 8)],
    ] = {}
    tied_first: Halves | None = None
    """Where the winner takes it all: what each of several firsts gets instead of a share."""
    bye: Halves = 0
    half_bye: Halves = 0

    @model_validator(mode="after")
    def _falling(self) -> "PlaceScoring":
        for table in (self.places, *self.by_size.values()):
            if list(table) != sorted(table, reverse=True):
                raise Flaw("falling_places")
        return self

    def table(self, size: int) -> tuple[int, ...]:
        return self.by_size.get(str(size), self.places)


class GameScoring(EventValue):
    """The points of the game itself are the points of the tournament."""

    kind: Literal["game"] = "game"
    bye: Halves = 0
    half_bye: Halves = 0


class Measure(EventValue):
    """One line of the published list by which cooperative results are compared."""

    name: Word
    better: Literal["more", "fewer"] = "more"


class LadderScoring(EventValue):
    """Results of teams compared measure by measure, e.g. difficulty, then margin.

    In a duplicate round a team scores a point for every team it beats and half a point for
    every team it equals.
    """

    kind: Literal["ladder"] = "ladder"
    measures: tuple[Measure, ...] = Field(min_length=1, max_length=8)
    bye: Halves = 0
    half_bye: Halves = 0


Scoring = Annotated[
    DuelScoring | PlaceScoring | GameScoring | LadderScoring, Field(discriminator="kind")
]


class TimeRule(EventValue):
    """How long a round lasts and what is done when time is up: never a matter of chance."""

    minutes: Minutes
    on_time: Literal["as_it_stands", "finish_the_turn", "finish_the_round", "judge"]


class Match(EventValue):
    """Who is paired plays several games, and whoever wins most of them has won the match."""

    games: int = Field(ge=2, le=9)
    """At most so many: a match ends as soon as somebody has won more than half of them."""
    boards: bool = Field(default=False, exclude_if=operator.not_)
    """Whether teams meet, and play all the games at once, one at every board."""
    bye_boards: Halves | None = Field(default=None, exclude_if=lambda halves: halves is None)
    """The board points of a team with a bye. Not told, as for a team whose opponents did not come:
    those of the boards that win a match."""
    no_show_boards: Halves | None = Field(default=None, exclude_if=lambda halves: halves is None)
    """The board points of a team whose opponents did not come."""
    roster_order: bool = Field(default=False, exclude_if=operator.not_)
    """Whether people sit at the boards in the order of the roster; reserves move the others up."""

    @model_validator(mode="after")
    def _of_teams(self) -> "Match":
        told = [self.bye_boards, self.no_show_boards]
        if not self.boards and (self.roster_order or told != [None, None]):
            raise Flaw("rules_of_boards")
        if any(halves is not None and halves > 2 * self.games for halves in told):
            raise Flaw("points_of_boards", boards=self.games)
        return self

    @classmethod
    def olympiad(cls, boards: int) -> "Match":
        """Half of the boards for a bye, all of them against a team that did not come."""
        return cls(
            games=boards, boards=True, bye_boards=boards, no_show_boards=2 * boards,
            roster_order=True,
        )  # fmt: skip

    @property
    def needed(self) -> int:
        """How many games win the match, whatever the others bring."""
        return self.games // 2 + 1

    def is_over(self, games: Sequence[str]) -> bool:
        """Whether somebody has won it, or all its games were played."""
        won = max(games.count("A"), games.count("B"))
        return len(games) >= self.games or (won >= self.needed and not self.boards)


class PenaltyLevel(EventValue):
    """One level of the penalty guide, and what it costs in the standings."""

    name: PlainText = Field(min_length=1, max_length=60)
    halves: Halves = 0


_BUCHHOLZ = {"BH", "BH/C1", "BH/C2", "BH/M1"}
_FOR_DUELS = {*_BUCHHOLZ, "DE", "PS", "KS", "SB", "WIN", "OMW"}
_FOR_TABLES = {"FIRSTS", "SHARE", "SCORE", "OPP", "BEST"}
_FOR_MATCHES = {"GP", "GW", "OGW"}
_FOR_BOARDS = {"EMGSB", "EMGSB/C1"}
_OF_ONE_GAME = {"SHARE", "SCORE", "BEST"}


HouseRules = Annotated[tuple[Annotated[ClauseId, Within(1, 40)], ...], Within(0, 200)]


class Plan(EventValue):
    """The rules of the event. Published with the first event, fixed by the first pairing."""

    games: tuple[GameName, ...] = Field(min_length=1, max_length=20)
    """One for all rounds, or one after the other round by round."""
    format: Format
    rounds: Annotated[RoundNumber, Strict()]
    seats: SeatRange
    scoring: Scoring
    tie_breaks: tuple[TieBreakId, ...] = Field(min_length=1, max_length=12)
    readings: dict[GameName, dict[Word, Word]] = {}
    house_rules: dict[GameName, HouseRules] = {}
    presets: dict[GameName, dict[Word, Word]] = {}
    """Options every table opens with."""
    time: TimeRule | None = None
    table_numbers: Literal["varied", "by_standings"] = "varied"
    """Whether nobody plays at the same table again, or the leaders play at the first ones."""
    check_in: bool = True
    unplayed_rounds: Literal["fide_2024", "fide_2026"] = "fide_2024"
    """How rounds nobody played enter Buchholz and Sonneborn-Berger."""
    penalties: tuple[PenaltyLevel, ...] = Field(
        default=(), max_length=12, exclude_if=lambda levels: not levels
    )
    """The penalty guide, from the mildest level on; without one penalties cost no points. A plan
    that has none is stored as it was before there were any."""

    match: Match | None = Field(default=None, exclude_if=lambda match: match is None)
    """Where a pairing is for several games. A plan without matches is stored as it was before
    there were any."""

    @model_validator(mode="after")
    def _fits_together(self) -> "Plan":
        if len(set(self.tie_breaks)) != len(self.tie_breaks):
            raise Flaw("tie_break_twice")
        for_two = isinstance(self.format, Swiss | RoundRobin | DoubleElimination)
        if for_two and self.seats.most != 2:
            raise Flaw("format_for_two", format=self.format.kind)
        if isinstance(self.format, Swiss):
            self._check_swiss(self.format)
        if isinstance(self.scoring, DuelScoring) and (self.seats.least, self.seats.most) != (2, 2):
            raise Flaw("duels_for_two")
        cooperative = isinstance(self.format, Duplicate | Ladder)
        if cooperative != isinstance(self.scoring, LadderScoring):
            raise Flaw("ladder_for_teams")
        if cooperative != (self.seats.most == 1):
            raise Flaw("team_alone")
        if not cooperative and self.seats.least < 2:
            raise Flaw("two_seats")
        if isinstance(self.format, Duplicate) and len(self.format.deals) < self.rounds:
            raise Flaw("deal_a_round")
        if isinstance(self.format, League) and self.format.counted > self.rounds:
            raise Flaw("counted_rounds")
        if isinstance(self.format, Knockout) and self.format.advance >= self.seats.least:
            raise Flaw("somebody_leaves")
        if isinstance(self.format, Knockout) and self.format.third_place:
            check_third_place(self.seats, self.format.advance, self.format.lives)
        if self.match is not None and not isinstance(self.scoring, DuelScoring):
            raise Flaw("matches_of_duels")
        for name in self.tie_breaks:
            self._check_tie_break(name)
        if len({normalize(level.name) for level in self.penalties}) != len(self.penalties):
            raise Flaw("penalty_twice")
        return self

    def _check_swiss(self, format: Swiss) -> None:
        duels = self.scoring if isinstance(self.scoring, DuelScoring) else None
        if format.system == "dutch" and duels is None:
            raise Flaw("dutch_duels")
        usual = duels is not None and (duels.win, duels.draw, duels.loss) == (2, 1, 0)
        if format.accelerated and not usual:
            raise Flaw("accelerated_points")

    def _check_tie_break(self, name: TieBreakId) -> None:
        duels = self.seats.most == 2
        if name in _FOR_DUELS and not duels:
            raise Flaw("tie_break_for_duels", name=name)
        if name in _FOR_TABLES and self.seats.most == 1:
            raise Flaw("tie_break_for_tables", name=name)
        if name in _FOR_MATCHES and self.match is None:
            raise Flaw("tie_break_for_matches", name=name)
        if name in _FOR_BOARDS and not self.boards:
            raise Flaw("tie_break_for_boards", name=name)
        if name in _OF_ONE_GAME and self.match is not None:
            raise Flaw("tie_break_of_one_game", name=name)
        if name in _BUCHHOLZ and isinstance(self.format, RoundRobin):
            raise Flaw("tie_break_in_robin", name=name)
        if name == "KS" and not isinstance(self.format, RoundRobin):
            raise Flaw("tie_break_for_robin", name=name)
        if name == "LADDER" and self.seats.most != 1:
            raise Flaw("tie_break_for_teams", name=name)

    def match_at(self, seats: int) -> Match | None:
        """The match that a table of so many plays; a final table of several plays one game."""
        return self.match if seats == 2 else None

    def boards_at(self, seats: int) -> int:
        """At how many boards the two teams of a table play; none where one game is played."""
        match = self.match_at(seats)
        return match.games if match is not None and match.boards else 0

    @property
    def boards(self) -> int:
        """At how many boards teams meet; none where people play for themselves."""
        return self.boards_at(2)

    def game_of(self, number: int) -> str:
        return self.games[(number - 1) % len(self.games)]
