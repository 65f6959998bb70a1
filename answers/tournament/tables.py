"""The tables of a round as games, and their results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from answers.answer import Answered, Data
from answers.caller import Caller
from answers.play.opening import OpeningRefusedAnswer, opening_refused
from answers.telling import short as short_game
from answers.telling import to_act
from answers.tournament.counter import Counter, ToldAnswer, at_the_desk, recording
from answers.tournament.shown import result_text, seated
from answers.tournament.voice import answered, said
from answers.voice import Voice
from engines.kernel.errors import first_mistake
from engines.kernel.words import fold
from referee.errors import Misused
from referee.table.openings import OpeningRefused
from referee.tournament.errors import WORDS
from referee.tournament.events import Outcome, ResultCorrected, ResultEntered, seat_letter


class TournamentTableAnswer(Data):
    tournament: str
    round: int
    table: int
    game: str
    new: bool
    seats: dict[str, str]
    readings: dict[str, str]


@dataclass(frozen=True)
class Slip:
    """A result as people write it down.

    ``places``: ``["B", "A=C", "D"]``, a place a word, tied seats joined; seats not named share
    the last place. Instead of its letter, a seat may be called by the name of who sits there.
    """

    places: Sequence[str] = ()
    scores: Sequence[str] = ()
    """``A=12`` of every seat."""
    absent: Sequence[str] = ()
    measures: Sequence[int] | None = None
    tie_order: str = ""
    timed_out: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.places or self.absent or self.measures)


def open_table(
    caller: Caller,
    tournament: str,
    number: int,
    line: str = "",
    *,
    round: int | None = None,
    players: int | None = None,
    again: bool = False,
    key: str | None = None,
) -> Answered[TournamentTableAnswer | OpeningRefusedAnswer]:
    """The record of a table: a new one, or the one that goes on."""
    with at_the_desk(caller, tournament, key) as counter:
        at = counter.round(round).number
        heard, new = counter.desk.open_table(
            counter.id,
            at,
            number,
            line,
            players=players,
            again=again,
            author=counter.author,
            key=key,
        )
        if isinstance(heard, OpeningRefused):
            return opening_refused(counter.now.plan.game_of(at), heard)
        game = heard.game

        def told(voice: Voice) -> Iterator[str]:
            message = "tournament.table_opened" if new else "tournament.table_goes_on"
            yield voice.say(message, table=number, round=at, game=short_game(game.id))
            names = (f"{seat} {counter.name(person)}" for seat, person in game.seats.items())
            yield f"  {' · '.join(names)}"
            yield f"  {to_act(voice, game)}"

        return answered(
            lambda: TournamentTableAnswer(
                tournament=counter.id,
                round=at,
                table=number,
                game=game.id,
                new=new,
                seats=dict(game.seats),
                readings=dict(game.setting.readings),
            ),
            told,
        )


@recording(ResultEntered, ResultCorrected)
def take_results(
    counter: Counter,
    table: int | None = None,
    *,
    round: int | None = None,
    key: str | None = None,
) -> Answered[ToldAnswer]:
    """The result of a table from its record; without a table, of all closed records."""
    at = counter.round(round).number
    desk, author, telling = counter.desk, counter.author, counter.telling
    if table is None:
        taken = desk.collect(
            counter.id,
            at,
            author=author,
            key=telling,
            unproven=lambda error: counter.warnings.append(error.phrase),
        )
    else:
        desk.take_result(counter.id, at, table, author=author, key=telling)
        taken = [table]
    return counter.told(lambda voice: _results(voice, counter, at, taken))


@recording(ResultEntered, ResultCorrected)
def enter_result(
    counter: Counter,
    table: int,
    slip: Slip,
    reason: str,
    *,
    round: int | None = None,
    key: str | None = None,
) -> Answered[ToldAnswer]:
    """A result from a slip of paper, and why it is not taken from a record."""
    if not reason:
        raise Misused("result_needs_reason")
    at = counter.round(round).number
    outcome = _outcome(counter, at, table, slip)
    counter.desk.enter_result(
        counter.id, at, table, outcome, reason, author=counter.author, key=counter.telling
    )
    _warn_of_open_record(counter, at, table)
    return counter.told(lambda voice: _results(voice, counter, at, [table]))


def _warn_of_open_record(counter: Counter, number: int, table: int) -> None:
    """A slip of paper goes before a record that somebody may still be writing."""
    record = counter.desk.game_at(counter.id, number, table)
    if record is not None and record.closed is None:
        game = short_game(record.id)
        counter.warnings.append(said("tournament.record_is_open", table=table, game=game))


@recording(ResultCorrected)
def correct_result(
    counter: Counter,
    table: int,
    slip: Slip,
    reason: str,
    *,
    round: int | None = None,
    key: str | None = None,
) -> Answered[ToldAnswer]:
    at = counter.round(round).number
    outcome = _outcome(counter, at, table, slip)
    return counter.record(
        ResultCorrected(round=at, table=table, outcome=outcome, reason=reason),
        telling=lambda voice: _results(voice, counter, at, [table]),
    )


def _results(voice: Voice, counter: Counter, number: int, tables: Sequence[int]) -> Iterator[str]:
    round = counter.now.round(number)
    for table in tables:
        names = " · ".join(seated(counter, round.table(table).seats))
        told = f"{result_text(voice, round, table)}   ({names})"
        yield voice.labelled(voice.say("tournament.table", table=table), told)
    waiting = ", ".join(str(table) for table in round.waiting)
    if waiting:
        yield voice.say("tournament.waiting", tables=waiting)
    else:
        yield voice.say("tournament.all_in")


def _outcome(counter: Counter, number: int, table: int, slip: Slip) -> Outcome:
    seats = counter.now.round(number).table(table).seats

    def letter(word: str) -> str:
        return _letter(counter, seats, word)

    absent = tuple(letter(one) for word in slip.absent for one in word.split(","))
    groups = [[letter(one) for one in word.split("=") if one] for word in slip.places]
    scores = None
    if slip.scores:
        named = (word.rpartition("=") for word in slip.scores if "=" in word)
        scores = _scores({letter(name): value for name, _, value in named}, len(seats))
    try:
        return Outcome(
            places=_places(len(seats), groups, absent),
            scores=scores,
            absent=absent,
            timed_out=slip.timed_out,
            measures=tuple(slip.measures) if slip.measures else None,
            tie_order=tuple(slip.tie_order.upper().replace(",", "")),
        )
    except ValidationError as error:
        problem = first_mistake(error, WORDS).phrase
        raise Misused("bad_outcome", problem=problem) from None


def _letter(counter: Counter, seats: Sequence[str], word: str) -> str:
    """A seat by its letter, or by the name of its player or the beginning of that name."""
    if len(word) == 1:
        return word.upper()
    names = [fold(counter.name(player)) for player in seats]
    found = [seat for seat, name in enumerate(names) if name == fold(word)]
    found = found or [seat for seat, name in enumerate(names) if name.startswith(fold(word))]
    if len(found) != 1:
        raise Misused("not_at_this_table", word=word, sitting=seated(counter, seats))
    return seat_letter(found[0])


def _scores(told: dict[str, str], size: int) -> tuple[int, ...]:
    letters = [seat_letter(seat) for seat in range(size)]
    if set(told) != set(letters):
        raise Misused("score_of_everybody", seats=size)
    return tuple(_whole(told[letter]) for letter in letters)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise Misused("bad_outcome", problem=text) from None


def _places(size: int, groups: Sequence[Sequence[str]], absent: Sequence[str]) -> tuple[int, ...]:
    named = [letter for group in groups for letter in group]
    letters = [seat_letter(seat) for seat in range(size)]
    if len(set(named)) != len(named) or not set(named) <= set(letters):
        told = " ".join("=".join(group) for group in groups)
        raise Misused("bad_places", places=told, seats=letters)
    rest = [letter for letter in letters if letter not in (*named, *absent)]
    left_out = [letter for letter in letters if letter in absent and letter not in named]
    by_seat: dict[str, int] = {}
    for group in (*groups, rest, left_out):
        by_seat |= dict.fromkeys(group, len(by_seat) + 1)
    return tuple(by_seat[letter] for letter in letters)
