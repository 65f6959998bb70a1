"""Standings and their explanation; finals and lots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from answers.answer import Answered, Data
from answers.declaration import operation
from answers.i18n import Voice
from answers.limits import DrawSeed, FinalGames, FinalPlaces, Name, Names, Players, SectionName
from answers.permissions import EVERYBODY, Tells
from answers.tournament.context import (
    DeskCall,
    EventRef,
    ToldAnswer,
    event_refs,
    idempotent,
    reads,
    records,
)
from answers.tournament.i18n import answered, figure, headed, said
from answers.tournament.listing import Column, Laid, Listing
from answers.tournament.match_slips import match_lines
from engines.kernel.messages.catalogue import NOBODY
from engines.kernel.registry import load_engine
from referee.errors import Conflicting
from referee.record.entries import Reason, Remark
from referee.tournament.desk import RecordedEvent
from referee.tournament.events import FinalistReplaced, FinalsCancelled, FinalsStarted, LotDrawn
from referee.tournament.fold import apply
from referee.tournament.pairing.finals import check_bracket, cut, substitutes
from referee.tournament.plan import Match, Plan, SeatRange
from referee.tournament.ranking.prizes import section_rows
from referee.tournament.ranking.standings import ExplainedColumn, RankedRow, Standings
from referee.tournament.ranking.standings import standings as ranked_players
from referee.tournament.ranking.standings import why as derived
from referee.tournament.ranking.tiebreaks import Term
from referee.tournament.splitmix import SplitMix64
from referee.tournament.state import Tournament
from referee.tournament.values import Ratio, RoundNumber

OnTie = Literal["replay", "better_seed", "later_seat", "judge"]

LOT_OF_THE_CUT = "cut"
"""Why a lot was drawn, where nobody says otherwise."""


class StandingsRow(Data):
    rank: int
    """The rank among all."""
    section_rank: int | None
    """Among those of the section, where one was asked for."""
    player: str
    """The pseudonym."""
    name: str
    """The name, as far as the caller may know it."""
    values: list[Ratio]
    """The figures of the columns, each a fraction: numerator and denominator."""
    final: int | None
    """The place in the finals, which goes before everything else."""


class TournamentStandingsAnswer(Data):
    tournament: str
    """Its id."""
    rounds: int
    """After how many rounds."""
    unfinished: bool
    """Whether the last round waits for results."""
    with_finals: bool
    """Whether the finals count."""
    columns: list[str]
    """What the values of a row are, in their order."""
    rows: list[StandingsRow]
    """The players from the first to the last."""
    section: str | None
    """Only the players of this section, if one was asked for."""
    sections: list[str]
    """All of the event."""


class TermAnswer(Data):
    amount: Ratio
    kind: str
    round: int | None
    event: int | None
    others: list[str]
    counted: bool


class PartAnswer(Data):
    column: str
    value: Ratio
    tied_with: list[str]
    terms: list[TermAnswer]


class SectionPlace(Data):
    section: str
    rank: int
    players: int
    """How many are ranked in it."""


class TournamentWhyAnswer(Data):
    tournament: str
    player: str
    name: str
    rank: int
    final: int | None
    """The place in the finals, which goes before everything else."""
    final_terms: list[TermAnswer]
    parts: list[PartAnswer]
    sections: list[SectionPlace] = []
    """The rank in each section that the player belongs to."""


class FinalistAnswer(Data):
    player: str
    name: str


class TournamentFinalsAnswer(Data):
    tournament: str
    style: str
    least: int
    most: int
    """Seats at a table."""
    advance: int
    third_place: bool
    """Whether the losers of the semi-finals play for third place."""
    finalists: list[FinalistAnswer]
    """Best seed first."""
    level: list[list[str]]
    """Groups that no published column and no lot separates."""
    at_the_cut: list[str]
    """The group of these that the last place falls into: a lot must say who of it plays on."""
    events: list[EventRef]
    """What was recorded; nothing, if it was only shown."""


@reads("tournament-standings", "GET /standings", EVERYBODY)
def standings(
    context: DeskCall, *, through: RoundNumber | None = None, section: SectionName | None = None
) -> Answered[TournamentStandingsAnswer]:
    """Who is ahead, after all rounds or through one; of all players or of a section."""
    ranked = ranked_players(context.now, through)
    label = None if section is None else context.section(section)
    data = standings_answer(context, ranked, label)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.mark("bold", standings_title(voice, ranked, label))
        yield from headed(voice, *standings_table(voice, data))

    return answered(lambda: data, render)


def standings_answer(
    context: DeskCall, ranked: Standings, section: str | None
) -> TournamentStandingsAnswer:
    return TournamentStandingsAnswer.made_of(
        ranked,
        tournament=context.id,
        rows=standings_rows(context.now, ranked, context.name, section),
        section=section,
        sections=context.now.sections,
    )


def standings_rows(
    now: Tournament, ranked: Standings, name: Callable[[str], str], section: str | None = None
) -> list[StandingsRow]:
    """All rows, or those of a section with their ranks there."""
    ranks: Iterable[tuple[int | None, RankedRow]] = ((None, row) for row in ranked.rows)
    if section is not None:
        ranks = section_rows(now, ranked.rows, section)
    return [
        StandingsRow.made_of(row, section_rank=rank, name=name(row.player)) for rank, row in ranks
    ]


def standings_list(
    ranked: Standings | TournamentStandingsAnswer,
    section: str | None = None,
    *,
    clubs: Mapping[str, str] = NOBODY,
    on_paper: Sequence[str] = (),
    ranks: Mapping[str, Mapping[str, int]] = MappingProxyType({}),
) -> Listing[StandingsRow]:
    """The standings in every medium. A paper has the clubs of the players, and the tie-breaks that
    it has room for; a CSV file the ranks in each section, by player."""

    def tie_break(at: int, name: str) -> Column[StandingsRow]:
        return Column(lambda row: row.values[at], name)

    def rank_in(label: str) -> Column[StandingsRow]:
        return Column(lambda row: ranks[label].get(row.player))

    finals = ["final"] if ranked.with_finals else []
    return Listing(
        {
            "place": Column(lambda row: f"{row.section_rank or row.rank}.", head=""),
            "rank": Column(lambda row: row.section_rank or row.rank),
            "name": Column(lambda row: row.name),
            "club": Column(lambda row: clubs[row.player]),
            "overall_place": Column(lambda row: f"{row.rank}.", "tournament.head_overall"),
            "overall": Column(lambda row: row.rank),
            "final": Column(lambda row: "–" if row.final is None else f"{row.final}."),
            **{name: tie_break(at, name) for at, name in enumerate(ranked.columns)},
            **{f"section:{label}": rank_in(label) for label in ranks},
        },
        screen=["place", "name", *["overall_place"] * bool(section), *finals, *ranked.columns],
        paper=[
            *("rank", "name", *["club"] * any(clubs.values())),
            *(*["overall"] * bool(section), *finals, *on_paper),
        ],
        csv=["rank", "name", *ranked.columns, *(f"section:{label}" for label in ranks)],
    )


def standings_table(voice: Voice, found: TournamentStandingsAnswer) -> Laid:
    """The standings on a screen."""
    return standings_list(found, found.section).on_screen(voice, found.rows)


def standings_csv(
    now: Tournament, ranked: Standings, names: Mapping[str, str], *, raw: bool = False
) -> str:
    """With a column for each section: the rank in it of those who belong to it."""
    rows = standings_rows(now, ranked, lambda player: names.get(player, player))
    ranks = {
        section: {row.player: rank for rank, row in members}
        for section in now.sections
        if (members := section_rows(now, ranked.rows, section))
    }
    return standings_list(ranked, ranks=ranks).as_csv(rows, raw=raw)


def standings_title(
    voice: Voice, ranked: Standings | TournamentStandingsAnswer, section: str | None = None
) -> str:
    """After how many rounds; whether one of them is still played, or the finals count."""
    if section is not None:
        return f"{section} · {standings_title(voice, ranked)}"
    if ranked.unfinished:
        return voice.say("tournament.standings_during", round=ranked.rounds)
    title = voice.say("tournament.standings", count=ranked.rounds)
    return voice.say("tournament.with_finals", title=title) if ranked.with_finals else title


@reads("tournament-why", "GET /standings/{player}", EVERYBODY, rename={"name": "player"})
def why(
    context: DeskCall, name: str, *, through: RoundNumber | None = None
) -> Answered[TournamentWhyAnswer]:
    """Every point and tie-break of a player, from the results they follow from."""
    player = context.player(name)
    told = derived(context.now, player, through)
    sections = _section_places(context.now, player, through)

    def lines(voice: Voice) -> Iterator[str]:
        yield voice.mark("bold", f"{told.row.rank}. {context.name(player)}")
        for place in sections:
            yield "  " + section_place(voice, place)
        if told.row.final is not None:
            label = voice.say("tournament.final_place")
            yield "  " + voice.labelled(label, f"{told.row.final}.")
            for term in told.final:
                yield _term_line(voice, context, term)
        for part in told.parts:
            yield from _part_lines(voice, context, part)

    return answered(
        lambda: TournamentWhyAnswer.made_of(
            told.row,
            tournament=context.id,
            name=context.name(player),
            final_terms=told.final,
            parts=told.parts,
            sections=sections,
        ),
        lines,
    )


def _section_places(now: Tournament, player: str, through: int | None) -> list[SectionPlace]:
    own = now.players[player].sections
    rows = ranked_players(now, through).rows if own else ()
    places = []
    for section in own:
        ranked = section_rows(now, rows, section)
        here = [each.rank for each in ranked if each.row.player == player]
        places += [SectionPlace(section=section, rank=rank, players=len(ranked)) for rank in here]
    return places


def section_place(voice: Voice, place: SectionPlace) -> str:
    told = voice.say("tournament.section_place", rank=place.rank, count=place.players)
    return voice.labelled(place.section, told)


def _part_lines(voice: Voice, context: DeskCall, part: ExplainedColumn) -> Iterator[str]:
    column = f"{part.column} {voice.say(f'column.{part.column}')}"
    yield "  " + voice.labelled(column, figure(voice, part.value, 4))
    for term in part.terms:
        yield _term_line(voice, context, term)


def _term_line(voice: Voice, context: DeskCall, term: Term) -> str:
    comes_from = term_text(voice, term, context.name)
    if term.event is not None:
        comes_from += f" · {voice.say('tournament.event', number=term.event)}"
    crossed = "" if term.counted else f" ({voice.say('tournament.not_counted')})"
    return f"    {figure(voice, term.amount, 4):>6}  {comes_from}{crossed}"


def term_text(voice: Voice, term: Term | TermAnswer, name: Callable[[str], str]) -> str:
    """What a number of a sum comes from: in which round, by what, against whom."""
    known = f"term.{term.kind}"
    parts = (
        voice.say("tournament.round", round=term.round) if term.round is not None else "",
        voice.say(known) if known in voice.words else term.kind,
        ", ".join(name(other) for other in term.others),
    )
    return " · ".join(text for text in parts if text)


# finals


def _finals_again(
    context: DeskCall, known: Sequence[RecordedEvent], /, *args: object, **options: object
) -> Answered[TournamentFinalsAnswer]:
    started = next(one.event for one in known if isinstance(one.event, FinalsStarted))
    return _finals(context, started, (), known)


@operation(
    "tournament-finals", "POST /tournaments/{tournament}/finals", grant=Tells("finals_started")
)
@idempotent(_finals_again)
def finals(
    context: DeskCall,
    places: FinalPlaces,
    *,
    style: Literal["knockout", "top_table", "double_elimination"] = "top_table",
    seats: SeatRange | None = None,
    advance: Players = 1,
    on_tie: OnTie = "better_seed",
    third_place: bool = False,
    match: FinalGames | None = None,
    lot: DrawSeed | None = None,
    reason: Remark = "",
    dry_run: bool = False,
) -> Answered[TournamentFinalsAnswer]:
    """The best play on: at one table, in a knock-out, of duels or of tables of several, or in a
    double elimination.

    Who is level at the cut is separated by a lot from the seed ``lot``, or nobody goes on. What is
    only shown draws none: nobody tries seeds until one pleases.
    """
    _check_rounds_played(context, reason, dry_run=dry_run)
    found = cut(context.now, places)
    lots = () if lot is None or dry_run else found.lots(lot, reason or LOT_OF_THE_CUT)
    found = cut(context.now, places, lots)
    if found.at_the_cut and not dry_run:
        names = context.names_of(found.at_the_cut)
        raise Conflicting("tied_at_the_cut", players=names, places=places)
    seats = _seats(context, style, seats, len(found.players), advance)
    if third_place and (style, seats.most, advance) != ("knockout", 2, 1):
        raise Conflicting("third_place_of_duels")
    if style == "double_elimination" and (seats.most, advance) != (2, 1):
        raise Conflicting("double_elimination_of_duels")
    started = FinalsStarted(
        style=style,
        players=found.players,
        seats=seats,
        advance=advance,
        on_tie=on_tie,
        reason=reason,
        third_place=third_place,
        match=_match(context.now.plan, match),
    )
    apply(context.now, started)
    if dry_run:
        return _finals(context, started, found.level, (), found.at_the_cut)
    context.tell(*lots, started)
    known = context.desk.known(context.id, context.telling)
    return _finals(context, started, found.level, known)


def _match(plan: Plan, games: int | None) -> Match | None:
    """Matches of another number of games; teams keep playing at boards."""
    boards = plan.match is not None and plan.match.boards
    return None if games is None else Match(games=games, boards=boards)


def _check_rounds_played(context: DeskCall, reason: str, *, dry_run: bool) -> None:
    """Finals before the published rounds are over end them: that must be wanted."""
    now = context.now
    played, planned = len(now.rounds_of("main")), now.plan.rounds
    if played >= planned or now.knockout_rules("main") is not None:
        return
    if dry_run:
        warning = said("tournament.rounds_to_come", played=played, planned=planned)
        context.warnings.append(warning)
    elif not reason:
        raise Conflicting("rounds_to_come", played=played, planned=planned)


def _seats(
    context: DeskCall, style: str, asked: SeatRange | None, finalists: int, advance: int
) -> SeatRange:
    """The seats of the tables, as the game to be played takes them."""
    now = context.now
    name = now.plan.game_of(len(now.rounds) + 1)
    least, most = load_engine(name).seats
    if style != "top_table":
        seats = asked or SeatRange(least=2, most=2, preferred=2)
        smallest, biggest = seats.least, seats.most
        check_bracket(finalists, seats, advance)
    else:
        if finalists > most:
            raise Conflicting("too_many_for_a_table", finalists=finalists, game=name, most=most)
        seats = SeatRange(least=2, most=finalists, preferred=finalists)
        smallest = biggest = finalists
    if not least <= smallest <= biggest <= most:
        raise Conflicting("seats_of_finals", game=name, least=least, most=most)
    return seats


def _finals(
    context: DeskCall,
    started: FinalsStarted,
    level: Sequence[Sequence[str]],
    recorded: Sequence[RecordedEvent],
    at_the_cut: Sequence[str] = (),
) -> Answered[TournamentFinalsAnswer]:
    def lines(voice: Voice) -> Iterator[str]:
        names = ", ".join(context.name(player) for player in started.players)
        yield voice.say("tournament.finals", names=names)
        seats = started.seats
        size = str(seats.most) if seats.least == seats.most else f"{seats.least}–{seats.most}"
        rule = voice.say(f"tournament.on_tie_{started.on_tie}")
        yield "  " + voice.say(
            f"tournament.finals_{started.style}", seats=size, count=started.advance, rule=rule
        )
        if started.third_place:
            yield "  " + voice.say("tournament.format_third_place")
        yield from (f"  {line}" for line in match_lines(voice, started.match))
        for group in level:
            told = ", ".join(context.name(player) for player in group)
            message = "level_at_the_cut" if tuple(group) == tuple(at_the_cut) else "level"
            yield "  " + voice.say(f"tournament.{message}", names=told)
        if not recorded:
            yield voice.say("tournament.finals_preview")

    return answered(
        lambda: TournamentFinalsAnswer.made_of(
            started,
            started.seats,
            tournament=context.id,
            finalists=[
                FinalistAnswer(player=player, name=context.name(player))
                for player in started.players
            ],
            level=level,
            at_the_cut=at_the_cut,
            events=event_refs(recorded),
        ),
        lines,
        warnings=context.warnings,
    )


@records("tournament-finals-cancel", "POST /finals/cancellation", Tells("finals_cancelled"))
def cancel_finals(context: DeskCall, reason: Reason) -> Answered[ToldAnswer]:
    """The finals are called off, as long as none of their rounds has started."""
    return context.record(FinalsCancelled(reason=reason))


@records("tournament-finalist", "POST /finals/replacement", Tells("finalist_replaced"))
def replace_finalist(
    context: DeskCall, name: Name, substitute: Name, reason: Remark
) -> Answered[ToldAnswer]:
    """Somebody takes the place, and the seed, of a finalist who does not play.

    Whoever stands before them in the standings is named: they are passed over.
    """
    player, other = context.player(name), context.player(substitute)
    names = {"name": context.name(player), "substitute": context.name(other)}
    waiting = substitutes(context.now)
    passed_over = waiting[: waiting.index(other)] if other in waiting else []
    now = context.tell(FinalistReplaced(player=player, substitute=other, reason=reason)).now
    assert now.finals is not None
    seed = now.finals.players.index(other) + 1
    if passed_over:
        listed = context.names_of(passed_over)
        context.warn("tournament.passed_over", names=listed, substitute=names["substitute"])
    return context.recorded_answer(
        lambda voice: [
            voice.say("tournament.finalist_replaced", **names),
            voice.say("tournament.takes_the_seed", seed=seed, **names),
        ]
    )


@records("tournament-lot", "POST /lots", Tells("lot_drawn"))
def draw_lot(
    context: DeskCall, names: Names, reason: Remark, *, seed: DrawSeed | None = None
) -> Answered[ToldAnswer]:
    """The order drawn by hand, or by a seed that anybody can try again."""
    order = [context.player(name) for name in names]
    if seed is not None:
        order = SplitMix64(seed).shuffled(sorted(order))
    told = ", ".join(context.name(player) for player in order)
    earlier = [lot.event for lot in context.now.lots if set(lot.order) & set(order)]
    if earlier:
        context.warn("tournament.drawn_before", events=earlier)
    context.tell(LotDrawn(order=tuple(order), seed=seed, reason=reason))
    _warn_of_a_lot_in_vain(context, order)
    return context.recorded_answer(lambda voice: [voice.say("tournament.lot", names=told)])


def _warn_of_a_lot_in_vain(context: DeskCall, order: Sequence[str]) -> None:
    """A lot separates only who is tied, and only if all of them are in it."""
    ranks = {row.player: row.rank for row in ranked_players(context.now).rows}
    if "LOT" not in context.now.plan.tie_breaks:
        context.warn("tournament.lot_not_counted")
        return
    level = {ranks[player] for player in order if player in ranks}
    others = [p for p, rank in ranks.items() if rank in level and p not in order]
    if others:
        context.warn("tournament.lot_in_vain", names=context.names_of(others))
