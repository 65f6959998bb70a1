"""Set-up and status of a game; the list of games of a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal
from weakref import WeakKeyDictionary

from answers.answer import Answered, Data
from answers.claims import ClaimAnswer, claim_answers
from answers.context import Caller
from answers.declaration import operation
from answers.game_filter import Dispute, GameFilter, Outcome, chosen_games
from answers.i18n import Voice, columns
from answers.left_out import left_out
from answers.permissions import EVERYBODY
from answers.play.clocks import TableClockAnswer, clock_answer, clock_told
from answers.privileged import open_claims
from answers.verdict_text import numbered, short, to_act
from engines.kernel.dialogue.clause_text import reading_in_words
from engines.kernel.messages.catalogue import Language
from engines.kernel.values.structs import evolve
from referee.proof.head_codes import head_code
from referee.record.claims import Claim
from referee.record.entries import (
    CHANGES_THE_LINE,
    Adjusted,
    Disputed,
    Logged,
    ReadingFixed,
    closing,
)
from referee.record.game import Game
from referee.store.event_store import Store
from referee.table.corrections import latest_correction
from referee.table.unreadable import readable

PLAYS = (Logged, Adjusted, ReadingFixed, *CHANGES_THE_LINE)
"""Entries by which a game can come to its end, or to another one."""


class ResultAnswer(Data):
    """How a game ended, in the words of the entry that closes its record."""

    places: list[list[str]]
    """The seats by place, the winner first; several in one place are tied."""
    scores: dict[str, int]
    """The points of each seat, in games that have points."""
    clause: str | None
    """The clause that ends the game; none where the table stopped before."""
    won: bool | None
    """Whether the table won, where it plays together."""
    reason: str
    """Why the record was closed, where somebody said so."""


class InfoAnswer(Data):
    game: str
    """Its id."""
    engine: str
    """The name of its rules, as ``GET /engines`` lists them."""
    engine_version: str
    """The version of the rules with which the record was begun."""
    edition: str
    """The edition of the rulebook."""
    title: str
    """What the table is called; may be empty."""
    tournament: str
    """The tournament, round and table it belongs to; empty if it is a game by itself."""
    all_seats: list[str]
    """Every seat of the table, by its letter."""
    seats: dict[str, str]
    """Who sits there, as far as somebody is named."""
    opening: str
    """The line with which it was opened."""
    kit: str
    """The name of the box."""
    kit_hash: str
    """A digest of the box as the record keeps it."""
    provenance: dict[str, int]
    """How many data of the box are known in which way."""
    readings: dict[str, str]
    """The answers to open questions of the rulebook, by question."""
    house_rules: list[str]
    """The clauses that are set aside."""
    preset: str
    """The set of house rules it was opened with, if any."""
    take_backs_need_judge: list[str]
    """What is taken back by a judge alone."""
    entries: int
    """How many entries the record has."""
    actions: int
    """How many actions stand in the line, pending ones included."""
    pending: list[int]
    """The numbers of actions that wait after a correction."""
    held: bool
    """Whether it is paused."""
    clock: TableClockAnswer | None
    """The clock of the table, if it has one."""
    closed: bool
    """Whether its record is finished."""
    over: bool
    """Nothing is owed any more."""
    disputes: list[str]
    """All disputes, by their ids."""
    confirmed: dict[str, int]
    """The last entry that each seat has agreed with."""
    agreed: bool
    """Closed, and every seat has confirmed it."""
    claims: list[ClaimAnswer]
    """Those that cannot be checked yet."""
    notes: int
    """How many notes there are."""
    head: str
    """The hash of the last entry, which stands for all before it."""
    to_act: list[str]
    """The seats that owe something."""
    corrected: int | None
    """The action at which the last correction was made, if it can be undone."""
    colours: dict[str, str] = {}
    """The colour of each seat's pieces, by its English name, where they have one."""
    to_act_text: str = ""
    """Who owes what next, or how it ended, in a sentence."""
    result: ResultAnswer | None = None
    """As soon as the game is over or its record closed, whichever comes first."""


class GameRow(Data):
    game: str
    """Its id."""
    engine: str
    """The name of its rules."""
    title: str
    """What the table is called; may be empty."""
    people: dict[str, str]
    """The people by seat, by their pseudonyms."""
    players: dict[str, str]
    """Their names by seat, as far as the caller may know them."""
    entries: int
    """How many entries the record has."""
    actions: int
    """How many actions stand in the line."""
    opened: str
    """When it was opened."""
    updated: str
    """When something was last recorded."""
    closed: bool
    """Whether its record is finished."""
    result: dict[str, Any] | None
    """How it ended, once it is closed; what is not said in it is empty, as in ``info``."""
    tournament: str
    """The tournament, round and table it belongs to; empty if it is a game by itself."""
    kept_apart: bool = False
    """It came from elsewhere, and counts nowhere until an organiser takes it in."""
    seats: int = 0
    """How many sit at the table."""
    box: str = ""
    """The name of the box."""
    readings: dict[str, str] = {}
    """The answers to open questions of the rulebook, by question."""
    disputes: int = 0
    """How many disputes there were."""
    open_disputes: int = 0
    """Those that nobody has decided or withdrawn."""
    over: bool = False
    """It is played out: nothing is owed any more, whether or not it was finished as well."""


class GamesAnswer(Data):
    total: int
    """How many were found; the answer may hold some of them."""
    games: list[GameRow]
    """Those of this page."""


@operation("info", "GET /games/{game}", grant=EVERYBODY, etag="content")
def info(caller: Caller, game_id: str) -> Answered[InfoAnswer]:
    """A game: who plays, who is to act, how it stands, and its result once it is over."""
    game, claims = caller.game(game_id), open_claims(caller, game_id)
    seats = {seat: caller.name(person) for seat, person in game.seats.items()}

    def render(voice: Voice) -> Iterator[str]:
        rows = [*_rows(voice, game, seats, claims)]
        rows.insert(-1, (voice.say("info.clock"), clock_told(voice, caller, game)))
        yield from columns(row for row in rows if row[1])
        yield to_act(voice, game)

    return Answered(lambda: _data(caller, game, seats, claims), render)


def _data(caller: Caller, game: Game, seats: dict[str, str], claims: list[Claim]) -> InfoAnswer:
    opened = game.opened
    by_name = evolve(caller.voice, name_of=caller.store_context.people.name)
    next = to_act(by_name.to(caller.author.seat), game)
    return InfoAnswer.made_of(
        opened,
        game=game.id,
        engine=game.engine.id,
        all_seats=list(game.setting.seats),
        seats=seats,
        opening=_opening(game),
        kit=str(game.sheet.content["kit"]),
        provenance=dict(game.sheet.provenances),
        readings=dict(game.setting.readings),
        entries=len(game.entries),
        actions=len(game.numbers()),
        pending=game.waiting,
        held=game.held is not None,
        clock=clock_answer(game),
        closed=game.closed is not None,
        over=game.state.over,
        disputes=list(game.disputes),
        confirmed={seat: made.seq for seat, made in sorted(game.confirmed.items())},
        agreed=game.agreed,
        claims=claim_answers(claims),
        notes=len(game.notes),
        head=game.head,
        to_act=list(game.state.agenda.seats),
        corrected=made.at if (made := latest_correction(game)) is not None else None,
        colours=dict(game.colours),
        to_act_text=next[:1].upper() + next[1:],
        result=result_of(game),
    )


def result_of(game: Game) -> ResultAnswer | None:
    """The result as the record says it, or as it will once it is closed."""
    if game.closed is not None:
        return ResultAnswer.made_of(game.closed)
    result = game.engine.result(game.state) if game.state.over else None
    return None if result is None else ResultAnswer.made_of(closing(result, ""))


def ended_by(game: Game) -> int | None:
    """The entry since which the game is over as it is now."""
    if not game.state.over:
        return None
    return next((each.seq for each in reversed(game.entries) if isinstance(each.data, PLAYS)), None)


def _rows(
    voice: Voice, game: Game, seats: dict[str, str], claims: list[Claim]
) -> Iterator[tuple[str, str]]:
    """What is told of the game, label by label; what there is none of is empty."""
    opened, engine = game.opened, game.engine
    edition = engine.edition_in(opened.edition, voice.lang)
    name = engine.words.say("game", voice.lang)
    last = game.last_counting
    yield voice.say("info.game"), f"{short(game.id)} · {name}"
    yield voice.say("info.title"), opened.title
    yield voice.say("info.seats"), ", ".join(f"{seat} {name}" for seat, name in seats.items())
    yield voice.say("info.opening"), _opening(game, voice.lang)
    yield voice.say("info.engine"), f"{engine.id} {opened.engine_version} · {edition}"
    yield voice.say("info.kit"), _kit(voice, game)
    yield voice.say("info.readings"), _readings(voice, game)
    yield voice.say("info.preset"), opened.preset
    barriers = opened.take_backs_need_judge
    past = voice.say("info.past_barriers", barriers=barriers) if barriers else ""
    yield voice.say("info.take_backs"), past
    yield voice.say("info.house_rules"), ", ".join(opened.house_rules)
    yield voice.say("info.entries"), f"{len(game.entries)} · #{last}"
    yield voice.say("info.pending"), numbered(game.waiting)
    yield voice.say("info.held"), _held(voice, game)
    yield voice.say("info.disputes"), ", ".join(_disputes(voice, game))
    yield voice.say("info.confirmed"), _confirmed(voice, game)
    yield voice.say("info.claims"), ", ".join(f"#{c.number} {c.clause}" for c in claims)
    yield voice.say("info.head"), head_code(game.head)


def _confirmed(voice: Voice, game: Game) -> str:
    if game.agreed:
        return voice.say("info.agreed")
    return ", ".join(
        voice.say("info.confirmed_upto", seat=voice.called(seat, game.seats), entry=made.seq)
        for seat, made in sorted(game.confirmed.items())
    )


def _opening(game: Game, lang: Language = "en") -> str:
    opening = game.steps[0].action
    return game.engine.text(opening, lang) if opening is not None else ""


def _kit(voice: Voice, game: Game) -> str:
    """The box, and how many of its data are known from where."""
    known = game.sheet.provenances.items()
    counted = (f"{count} {voice.say(f'provenance.{how}')}" for how, count in known)
    return f"{game.sheet.content['kit']} · {', '.join(counted)}"


def _readings(voice: Voice, game: Game) -> str:
    known = game.engine.default_readings
    unusual = (
        voice.spoken(reading_in_words(game.engine, name, value))
        for name, value in game.setting.readings.items()
        if value != known[name]
    )
    usual = voice.say("info.all_default", count=len(known)) if known else "–"
    return " · ".join(unusual) or usual


def _held(voice: Voice, game: Game) -> str:
    if game.held is None:
        return ""
    if isinstance(game.held, Disputed):
        return voice.say("info.until_decided", dispute=game.held.id)
    return game.held.reason or voice.say("info.until_resumed")


def _disputes(voice: Voice, game: Game) -> Iterator[str]:
    for dispute in game.disputes:
        by = game.ended_by(game.disputes[dispute]) or "open"
        status = {"by": by} if by in game.rulings else {}
        key = "ruled" if status else by
        yield f"{dispute} {voice.say(f'dispute.status_{key}', **status)}"


@operation(
    "games",
    "GET /games",
    grant=EVERYBODY,
    scope="list",
    params="answers.requests.play:GamesRequest",
    paged="games",
)
def games(
    caller: Caller,
    *,
    closed: bool | None = None,
    engine: str | None = None,
    player: str | None = None,
    tournament: str | None = None,
    since: str | None = None,
    until: str | None = None,
    search: str = "",
    players: int | None = None,
    box: str | None = None,
    reading: str | None = None,
    clause: str | None = None,
    dispute: Dispute | None = None,
    result: Outcome | None = None,
    won_by: str | None = None,
    current: str | None = None,
    start: int = 0,
    most: int | None = None,
    processes: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Answered[GamesAnswer]:
    """The games of the store, the latest first; ``current`` is marked with a star.

    What may be asked of them: ``answers.game_filter``. Of those found, ``most`` from place
    ``start`` on. Where the lists are made first, that is done in several ``processes``, and
    ``progress`` hears how far they are.
    """
    asked = GameFilter(
        closed, engine, player, tournament, since, until, search,
        players, box, reading, clause, dispute, result, won_by,
    )  # fmt: skip
    found = chosen_games(caller, asked, progress, processes=processes)
    rows = found[start : None if most is None else start + most]
    unread: list[str] = []
    listed = [GameRow(**row) for row in with_progress(caller, rows, unread)]

    def render(voice: Voice) -> list[str]:
        return columns(_row(voice, row, current) for row in listed) or [voice.say("games.none")]

    return Answered(
        lambda: GamesAnswer(total=len(found), games=listed),
        render,
        warnings=left_out(caller, unread),
    )


_OVER: WeakKeyDictionary[Store, dict[str, tuple[int, bool]]] = WeakKeyDictionary()
"""By game: after how many entries it was looked at, and whether it was played out then."""
MOST_LOOKED_AT = 100
"""Only so many games that go on are looked at in one list: each has to be read."""


def with_progress(
    caller: Caller, rows: list[dict[str, Any]], unread: list[str] | None = None
) -> list[dict[str, Any]]:
    """Whether each game of a list is over: lists know entries, and only its rules say that.

    Those that cannot be read are added to ``unread``.
    """
    known = _OVER.setdefault(caller.store_context.store, {})
    going_on = [row for row in rows if not row["closed"]][:MOST_LOOKED_AT]
    new = [row for row in going_on if known.get(row["game"], (-1, False))[0] != row["entries"]]
    for game in readable([row["game"] for row in new], caller.uncached().game, unread):
        known[game.id] = len(game.entries), game.state.over
    looked_at = {row["game"] for row in going_on} & known.keys()
    return [
        {**row, "over": row["closed"] or (row["game"] in looked_at and known[row["game"]][1])}
        for row in rows
    ]


def game_row(caller: Caller, row: dict[str, Any]) -> GameRow:
    """A row of the lists, with the names of its players."""
    names = {seat: caller.name(person) for seat, person in row["people"].items()}
    return GameRow(**row, players=names)


def result_told(voice: Voice, row: GameRow) -> str:
    """Who won, by name; empty while nobody has."""
    result = row.result or {}
    if result.get("won") is not None:
        return voice.say("games.won_together" if result["won"] else "games.lost_together")
    if not result.get("places"):
        return ""
    scores = result.get("scores", {})
    told = [f"{row.players.get(s, s)} {scores.get(s, '')}".rstrip() for s in result["places"][0]]
    return voice.say("games.won_by", names=told)


def progress_of(closed: bool, over: bool) -> Literal["closed", "over", "open"]:
    """How far a game is: finished, played out and not finished yet, or in play."""
    return "closed" if closed else "over" if over else "open"


def _row(voice: Voice, row: GameRow, current: str | None) -> tuple[str, ...]:
    status = voice.say(f"games.{progress_of(row.closed, row.over)}")
    return (
        "*" if row.game == current else " ",
        short(row.game),
        row.engine,
        " ".join(f"{seat}={name}" for seat, name in row.players.items()) or "–",
        voice.say("games.actions", count=row.actions),
        f"{status}, {voice.say('games.kept_apart')}" if row.kept_apart else status,
        result_told(voice, row) or "–",
        voice.moment(row.updated),
    )
