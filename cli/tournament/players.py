"""Who takes part: players, teams, and those who register themselves."""

from collections.abc import Sequence
from typing import Annotated, get_args

from pydantic import Field

from answers.limits import Rating
from answers.tournament import players, registration, teams
from cli.tournament.broadcast import moment_of
from cli.tournament.context import TOURNAMENT, one_of
from referee.errors import Misused
from referee.tournament.events import MOST_PLAYERS, AskedOf
from referee.tournament.interchange.json_csv import PlayerRow, read_players
from referee.tournament.values import RoundNumber, Unplayed, section_labels
from referee.untrusted.safe_csv import decoded
from referee.untrusted.safe_toml import read_limited

UNPLAYED: dict[str, Unplayed] = {"zero": "zero_bye", "half": "half_bye", "full": "full_bye"}


def _counts(word: str) -> Unplayed:
    return UNPLAYED[one_of("--counts", word, UNPLAYED)]


def add(
    name: Sequence[str],
    *,
    club: str = "",
    rating: Rating = 0,
    seed: Annotated[int | None, Field(ge=1)] = None,
    fixed_table: Annotated[int | None, Field(ge=1)] = None,
    namesake: bool = False,
    section: Sequence[str] = (),
) -> int:
    sections = read_sections(section)
    entries = [
        PlayerRow(name=player, club=club, rating=rating, seed=seed, sections=sections)
        for player in name
    ]
    return TOURNAMENT.run(players.register, entries, fixed_table=fixed_table, namesake=namesake)


def import_players(file: str) -> int:
    listed = read_players(decoded(read_limited(file)))
    return TOURNAMENT.run(players.register_list, listed, file)


def checkin(
    name: Sequence[str] = (), *, everybody: bool = False, round: RoundNumber | None = None
) -> int:
    """For the whole event, or for one round of it."""
    if round is not None:
        return TOURNAMENT.run(players.check_in_for_round, round, name)
    return TOURNAMENT.run(players.check_in, name, everybody=everybody)


def late(name: str, *, counts: str = "zero", new: bool = False) -> int:
    return TOURNAMENT.run(players.come_late, name, _counts(counts), new=new)


def read_sections(words: Sequence[str]) -> tuple[str, ...]:
    """``--section`` may be given several times, and with several at once."""
    sections: tuple[str, ...] = section_labels(",".join(words))
    return sections


def come_back(name: str, *, counts: str = "zero") -> int:
    return TOURNAMENT.run(players.come_back, name, _counts(counts))


def bye(name: str, round: RoundNumber, *, counts: str = "half") -> int:
    return TOURNAMENT.run(players.ask_bye, name, round, _counts(counts))


def byes(name: Sequence[str], *, rounds: RoundNumber = 1, counts: str = "full") -> int:
    return TOURNAMENT.run(players.ask_byes, name, rounds, _counts(counts))


def line_up(
    team: str, name: Sequence[str] = (), *, clear: bool = False, round: RoundNumber | None = None
) -> int:
    """Without a name, who sits at which board; otherwise who shall, board 1 first."""
    if name or clear:
        return TOURNAMENT.run(teams.set_line_up, name, team=team, round=round)
    return TOURNAMENT.run(teams.teams, team, round=round)


def open_registration(
    *,
    capacity: Annotated[int | None, Field(ge=2, le=MOST_PLAYERS)] = None,
    until: str | None = None,
    ask: Sequence[str] = (),
) -> int:
    closes = moment_of(until) if until else None
    if until and closes is None:
        raise Misused("bad_moment", text=until)
    asks = [one_of("--ask", word, get_args(AskedOf)) for word in ask]
    return TOURNAMENT.run(
        registration.set_registration, open=True, capacity=capacity, closes=closes, asks=asks
    )


def close_registration() -> int:
    """What was set stays, for when it is opened again."""
    known = TOURNAMENT.ask(registration.registration).data
    return TOURNAMENT.run(
        registration.set_registration,
        open=False,
        capacity=known.capacity,
        closes=known.closes,
        asks=known.asks,
    )
