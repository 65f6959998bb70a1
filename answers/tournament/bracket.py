"""Brackets, and how they are drawn: tables from top to bottom, who goes on, what is to come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, Literal

from answers.answer import Answered, Data
from answers.i18n import Voice, columns
from answers.permissions import EVERYBODY
from answers.tournament.context import DeskCall, reads
from answers.tournament.i18n import answered
from answers.tournament.result_slips import OutcomeText
from answers.tournament.round_view import (
    RoundAnswer,
    TableAnswer,
    round_answer,
    round_lines,
    table_title,
)
from engines.kernel.values.structs import evolve
from referee.tournament import knockout
from referee.tournament.double_bracket import Source
from referee.tournament.plan import DoubleElimination, Knockout
from referee.tournament.state import Round, Stage, Tournament


class BracketSide(Data):
    """One of the two of a match: who it is, and where they come from."""

    player: str | None
    """None as long as it is open; empty, if nobody comes from there."""
    seed: int | None
    winner_of: int | None
    loser_of: int | None
    """By number of match."""


class BracketMatchAnswer(Data):
    """A match of a double elimination: known from the number of players, before it is played."""

    match: int
    """Its number in the bracket, in the order of play."""
    part: Literal["upper", "lower", "final"]
    part_round: int
    """Within its part, from 1."""
    round: int | None
    """Of the tournament: in which it was played or is to be; none, if it is not played."""
    table: int | None
    sides: list[BracketSide]
    winner: str | None
    """None as long as it is open; empty, if nobody goes on from there."""
    winner_to: int | None
    loser_to: int | None
    """None for whoever is out, or has won it all."""
    if_needed: bool
    """The last match: it is played if whoever had not lost has lost the final."""


class TournamentBracketAnswer(Data):
    tournament: str
    rounds: list[RoundAnswer]
    seeding: list[str]
    """Who began it, best first."""
    places: list[str | None]
    """Of duels, from top to bottom: two places beside each other meet, then who wins there and so
    on. Empty where nothing is known of the rounds to come."""
    third_place: bool
    """Whether the losers of the semi-finals play for third place."""
    through: list[str] = []
    """Of the last round: who has won or goes on, by the rule for ties too."""
    defeats: list[dict[str, int]] = []
    """With two lives: how often everybody had lost before each round, and by now."""
    still_in: list[str] = []
    """With two lives: who may still win it."""
    matches: list[BracketMatchAnswer] = []
    """Of a double elimination: all its matches, played or not."""


class BracketSeat(Data):
    player: str
    """Empty as long as it is open: the note says where they come from."""
    name: str
    seed: int | None
    """In finals: the place in the standings with which they came."""
    through: bool
    """Goes on from this table, or has won it all."""
    defeats: int = 0
    """With two lives: how often they had lost before this table."""
    note: str = ""
    """With two lives: that it was the first defeat, or that they had one, in words."""


class BracketTable(Data):
    table: int | None
    """None as long as it has none."""
    third_place: bool
    seats: list[BracketSeat]
    result: str
    match: int | None = None
    """In a double elimination: its number in the bracket."""
    leads: str = ""
    """As long as it is open: where its winner and its loser go, in words."""


class BracketRound(Data):
    round: int
    title: str
    """Final, semi-finals…, or which round it is."""
    tables: list[BracketTable]
    free: list[str]
    """Who goes on without a game, by name."""
    to_come: int = 0
    """Tables of a round that is not paired yet."""
    third_to_come: bool = False
    """Whether the third place is played for in it."""
    part: str = ""
    """With two lives: which part it is drawn in, in words."""


@reads("tournament-bracket", "GET /bracket", EVERYBODY)
def bracket(context: DeskCall) -> Answered[TournamentBracketAnswer]:
    """The rounds of a knock-out or of finals; of a double elimination all matches to come as well,
    before the first round by the seeds of those who are expected."""
    now = context.now
    shown = [
        round
        for round in now.rounds
        if now.knockout_rules(round.stage) is not None or round.stage != "main"
    ]

    def render(voice: Voice) -> Iterator[str]:
        found = data()
        if found.matches:
            names = {player: context.name(player) for player in found.seeding}
            plan = now.plan.model_dump(mode="json")
            yield from _matches_in_words(voice, found, plan, names)
            return
        for round in shown:
            yield from round_lines(voice, context, round)
        if not shown:
            yield voice.say("tournament.no_bracket")

    def data() -> TournamentBracketAnswer:
        rounds = [round_answer(RoundAnswer, context, round) for round in shown]
        stage = shown[-1].stage if shown else now.stage
        rules = now.knockout_rules(stage)
        expected = _expected(now, stage)
        seeding = knockout.seeding_of(now, stage) if shown else expected
        duels = all(len(table.seats) == 2 for each in rounds for table in each.tables)
        known = isinstance(rules, Knockout) and duels and (rules.advance, rules.lives) == (1, 1)
        lives = rules.lives if shown and rules is not None else 1
        return TournamentBracketAnswer(
            tournament=context.id,
            rounds=rounds,
            seeding=list(seeding),
            places=knockout.places_of(seeding) if shown and known else [],
            third_place=bool(shown) and rules is not None and rules.third_place,
            through=_through(now, shown[-1]) if shown else [],
            defeats=_defeats(now, shown) if lives > 1 else [],
            still_in=list(knockout.survivors(now)) if lives > 1 else [],
            matches=_matches(now, stage, seeding) if isinstance(rules, DoubleElimination) else [],
        )

    return answered(data, render)


def _expected(now: Tournament, stage: Stage) -> tuple[str, ...]:
    """Before its first round: the seeds of a double elimination, whoever has not left."""
    if not isinstance(now.knockout_rules(stage), DoubleElimination):
        return ()
    if stage != "main":
        return knockout.seeding_of(now, stage)
    here = (player for player in now.players.values() if player.status != "dropped")
    return tuple(player.id for player in sorted(here, key=lambda player: player.seeding_key))


def _matches(now: Tournament, stage: Stage, seeding: Sequence[str]) -> list[BracketMatchAnswer]:
    course = knockout.course(now, stage, seeding)
    listed = course.matches.values()
    follows = {side: each.match.number for each in listed for side in each.match.sides}
    waits = {each.match.step for each in listed if each.winner is None and each.table is None}
    to_come = {step: len(now.rounds) + at for at, step in enumerate(sorted(waits), 1)}
    return [
        BracketMatchAnswer(
            match=each.match.number,
            part=each.match.part,
            part_round=each.match.round,
            round=each.round or (to_come[each.match.step] if each.winner is None else None),
            table=each.table,
            sides=[
                BracketSide(
                    player=player,
                    seed=side.of if side.kind == "seed" else None,
                    winner_of=side.of if side.kind == "winner" else None,
                    loser_of=side.of if side.kind == "loser" else None,
                )
                for side, player in zip(each.match.sides, each.players, strict=True)
            ],
            winner=each.winner,
            winner_to=follows.get(Source("winner", each.match.number)),
            loser_to=follows.get(Source("loser", each.match.number)),
            if_needed=each.match.number == len(listed),
        )
        for each in listed
    ]


def _through(now: Tournament, round: Round) -> list[str]:
    results = [(table, round.result(table.number)) for table in round.draw.tables]
    if now.knockout_rules(round.stage) is None:  # one table, and nobody goes on from it
        return [
            player
            for table, entered in results
            if entered is not None
            for player, place in zip(table.seats, entered.outcome.places, strict=True)
            if place == 1
        ]
    return [
        player
        for table, entered in results
        if entered is not None
        for player in knockout.advancing(now, round, table, entered.outcome)
    ]


def _defeats(now: Tournament, shown: Sequence[Round]) -> list[dict[str, int]]:
    return [
        knockout.losses(evolve(now, rounds=now.rounds[:played]), shown[0].stage)
        for played in (*(round.number - 1 for round in shown), len(now.rounds))
    ]


def drawn_bracket(
    voice: Voice,
    found: TournamentBracketAnswer,
    plan: Mapping[str, Any],
    names: Mapping[str, str],
) -> list[BracketRound]:
    """The rounds of a knock-out or of finals, the first one first."""
    played = found.rounds
    results = OutcomeText(voice, plan)
    if found.matches:
        return list(_double_elimination(voice, found, results, names))
    seeds = {player: at for at, player in enumerate(found.seeding, 1)}
    on = [
        {
            *(each.player for table in _of_the_bracket(one) for each in table.seats),
            *one.free,
        }
        for one in played
    ]
    rounds = [
        BracketRound(
            round=each.round,
            title=_stage(voice, each, here),
            tables=[
                BracketTable.made_of(
                    table,
                    third_place=table.table == each.third_place,
                    result="" if table.outcome is None else results.short(table.outcome),
                    seats=[
                        BracketSeat.made_of(
                            one, seed=seeds.get(one.player), through=one.player in later
                        )
                        for one in table.seats
                    ],
                )
                for table in each.tables
            ],
            free=[names.get(player) or player for player in each.free],
        )
        for each, here, later in zip(played, on, [*on[1:], {*found.through}], strict=True)
    ]
    if found.defeats:
        return _in_parts(voice, rounds, found, names)
    if not found.places:
        return _as_a_tree(rounds)
    to_come = list(_to_come(voice, rounds, found.places))
    if found.third_place and to_come and len(found.places) > 2:
        to_come[-1] = to_come[-1].model_copy(update={"third_to_come": True})
    return [*_in_places(rounds, found.places), *to_come]


def _of_the_bracket(round: RoundAnswer) -> list[TableAnswer]:
    return [table for table in round.tables if table.table != round.third_place]


def _in_places(rounds: list[BracketRound], places: list[str | None]) -> list[BracketRound]:
    """Tables from top to bottom, so that those are neighbours whose winners meet."""
    at = {player: place for place, player in enumerate(places)}

    def place(table: BracketTable) -> tuple[bool, int]:
        return table.third_place, min(at.get(each.player, len(at)) for each in table.seats)

    return [each.model_copy(update={"tables": sorted(each.tables, key=place)}) for each in rounds]


def _to_come(
    voice: Voice, rounds: list[BracketRound], places: list[str | None]
) -> Iterator[BracketRound]:
    """The rounds that are left of a bracket, as many tables as they will have."""
    tables = len(places) >> (len(rounds) + 1)
    for number in range(rounds[-1].round + 1, rounds[-1].round + 1 + tables.bit_length()):
        title = _stage_of(voice, 2 * tables)
        yield BracketRound(round=number, title=title, tables=[], free=[], to_come=tables)
        tables //= 2


def _as_a_tree(rounds: list[BracketRound]) -> list[BracketRound]:
    """Tables beside the one that their winners meet at, whatever their numbers."""
    ordered = rounds[-1:]
    for earlier in reversed(rounds[:-1]):
        seats = [each.player for table in ordered[0].tables for each in table.seats]
        at = {player: place for place, player in enumerate(seats)}

        def place(table: BracketTable, at: dict[str, int] = at) -> int:
            return min(at.get(each.player, len(at)) for each in table.seats)

        tables = sorted(earlier.tables, key=place)
        ordered.insert(0, earlier.model_copy(update={"tables": tables}))
    return ordered


def _stage(voice: Voice, round: RoundAnswer, here: set[str]) -> str:
    """What a round of a bracket is called: by how many are left in it."""
    if len(_of_the_bracket(round)) == 1 and not round.free:
        return voice.say("tournament.final")
    if all(len(table.seats) == 2 for table in round.tables):
        return _stage_of(voice, 2 ** (len(here) - 1).bit_length())
    return voice.say("tournament.round", round=round.round)


def _stage_of(voice: Voice, left: int) -> str:
    known = {2: "final", 4: "semi_finals", 8: "quarter_finals"}.get(left)
    return voice.say(f"tournament.{known or 'round_of'}", count=left)


# Two lives ------------------------------------------------------------------------------------


def _in_parts(
    voice: Voice,
    rounds: list[BracketRound],
    found: TournamentBracketAnswer,
    names: Mapping[str, str],
) -> list[BracketRound]:
    """Those without a defeat, those with one, then who meets across, and the final."""
    parts: dict[str, list[BracketRound]] = {"unbeaten": [], "beaten": [], "across": []}
    final = False
    lives = pairwise(found.defeats)
    played = zip(rounds, found.rounds, lives, strict=True)
    for drawn, told, (before, after) in played:
        tables = [_with_lives(voice, table, before, after) for table in drawn.tables]
        decider = final
        final = len(tables) == 1 and not told.free and any(e.defeats for e in tables[0].seats)
        for at, (part, listed) in enumerate(parts.items()):
            here = [table for table in tables if ("across" if final else _part(table)) == part]
            free = [player for player in told.free if before.get(player, 0) == at]
            if here or free:
                title = _title(voice, final, decider, drawn.round)
                called = [names.get(player) or player for player in free]
                update = {"title": title, "tables": here, "free": called}
                listed.append(drawn.model_copy(update=update))
    if len(found.still_in) > 1 and (not final or all(t.result for t in rounds[-1].tables)):
        title = voice.say("tournament.deciding_final" if final else "tournament.final")
        to_come = BracketRound(
            round=rounds[-1].round + 1, title=title, tables=[], free=[], to_come=1
        )
        parts["across"].append(to_come)
    return [
        each.model_copy(update={"part": voice.say(f"tournament.lives_{part}")})
        for part, listed in parts.items()
        for each in _as_a_tree(listed)
    ]


def _with_lives(
    voice: Voice, table: BracketTable, before: Mapping[str, int], after: Mapping[str, int]
) -> BracketTable:
    defeats = [before.get(seat.player, 0) for seat in table.seats]
    seats = []
    for seat, already in zip(table.seats, defeats, strict=True):
        lost = after.get(seat.player, 0) > already
        notes = {"falls": lost and not already, "one_defeat": already and 0 in defeats}
        update = {
            "defeats": already,
            "through": bool(table.result) and not lost,
            "note": " ".join(voice.say(f"tournament.{note}") for note, so in notes.items() if so),
        }
        seats.append(seat.model_copy(update=update))
    return table.model_copy(update={"seats": seats})


def _part(table: BracketTable) -> str:
    """Where a table is drawn: by the defeats of those who sit there."""
    defeats = {seat.defeats > 0 for seat in table.seats}
    return "across" if len(defeats) > 1 else "beaten" if True in defeats else "unbeaten"


def _title(voice: Voice, final: bool, decider: bool, number: int) -> str:
    """What a round of a part is called, and in which round of the tournament it is played."""
    round = voice.say("tournament.round", round=number)
    if not final:
        return round[:1].upper() + round[1:]
    return f"{voice.say('tournament.deciding_final' if decider else 'tournament.final')} · {round}"


# Double elimination ---------------------------------------------------------------------------

PARTS = ("upper", "lower", "final")


def _double_elimination(
    voice: Voice,
    found: TournamentBracketAnswer,
    results: OutcomeText,
    names: Mapping[str, str],
) -> Iterator[BracketRound]:
    """Upper bracket, lower bracket and final, with all that is known of the matches to come."""
    tables = {(each.round, table.table): table for each in found.rounds for table in each.tables}
    seeds = {player: at for at, player in enumerate(found.seeding, 1)}
    rounds = {part: [m.part_round for m in found.matches if m.part == part] for part in PARTS}
    drawn = [match for match in found.matches if _is_drawn(match)]
    drawn.sort(key=lambda match: (PARTS.index(match.part), match.part_round, match.match))
    for (part, number), matches in groupby(drawn, key=lambda match: (match.part, match.part_round)):
        listed = [(match, tables.get((match.round or 0, match.table or 0))) for match in matches]
        at = next((match.round for match, _ in listed if match.round is not None), None)
        title = _title_in_part(voice, part, number, sorted(set(rounds[part])))
        if at is not None:
            title += " · " + voice.say("tournament.round", round=at)
        yield BracketRound(
            round=at or 0,
            title=title,
            tables=[
                BracketTable(
                    table=match.table,
                    third_place=False,
                    match=match.match,
                    seats=[
                        BracketSeat(
                            player=side.player or "",
                            name=names.get(side.player or "") or side.player or "",
                            seed=seeds.get(side.player or ""),
                            through=bool(side.player) and side.player == match.winner,
                            note="" if side.player else side_in_words(voice, side, names),
                        )
                        for side in _as_seated(match, table)
                        if side.player != ""
                    ],
                    result=voice.say("term.free")
                    if match.winner and match.table is None
                    else results.short(table.outcome)
                    if table is not None and table.outcome is not None
                    else "",
                    leads=_leads(voice, match) if match.winner is None else "",
                )
                for match, table in listed
            ],
            free=[],
            part=voice.say(f"tournament.bracket_{part}"),
        )


def _as_seated(match: BracketMatchAnswer, table: TableAnswer | None) -> list[BracketSide]:
    """In the order of the table, which is the order its result is told in."""
    order = [each.player for each in table.seats] if table is not None else []
    return sorted(match.sides, key=lambda side: side.player in order and order.index(side.player))


def _is_drawn(match: BracketMatchAnswer) -> bool:
    """Not one that nobody comes to, nor a second final that is not needed."""
    played = match.winner is None or match.table is not None
    return played or (any(side.player for side in match.sides) and not match.if_needed)


def _title_in_part(voice: Voice, part: str, number: int, rounds: Sequence[int]) -> str:
    if part == "final":
        return voice.say("tournament.grand_final" if number == 1 else "tournament.deciding_final")
    if number == rounds[-1]:
        return voice.say(f"tournament.{part}_final")
    if part == "upper":
        return _stage_of(voice, 2 ** (rounds[-1] - number + 1))
    return voice.say("tournament.lower_round", count=rounds.index(number) + 1)


def side_in_words(voice: Voice, side: BracketSide, names: Mapping[str, str]) -> str:
    """Who it is, or where they come from."""
    if side.player:
        return names.get(side.player) or side.player
    if side.winner_of is not None:
        return voice.say("tournament.winner_of", match=side.winner_of)
    return voice.say("tournament.loser_of", match=side.loser_of)


def _leads(voice: Voice, match: BracketMatchAnswer) -> str:
    if match.if_needed:
        return voice.say("tournament.if_needed")
    if match.part == "final":
        return voice.say("tournament.leads_again", match=match.winner_to)
    parts = [voice.say("tournament.leads_winner", match=match.winner_to)]
    if match.loser_to is None:
        return ", ".join([*parts, voice.say("tournament.leads_out")])
    return ", ".join([*parts, voice.say("tournament.leads_loser", match=match.loser_to)])


def own_path(
    voice: Voice, found: TournamentBracketAnswer, player: str, names: Mapping[str, str]
) -> list[str]:
    """For a player: the match that comes next, and where a win and a defeat there lead."""
    matches = {match.match: match for match in found.matches}
    here = [
        match
        for match in found.matches
        if match.winner is None and player in (side.player for side in match.sides)
    ]
    if not here:
        return []
    match = here[0]
    other = next(side for side in match.sides if side.player != player)
    facts = {"match": match.match, "round": match.round}
    lines = [voice.say("tournament.path", other=side_in_words(voice, other, names), **facts)]
    for key, to in (("won", match.winner_to), ("lost", match.loser_to)):
        above = match.part == "final" and match.sides[0].player == player
        over = match.if_needed or (match.part == "final" and (key == "won") == above)
        after = None if over or to is None else matches[to]
        if after is None:
            lines.append(voice.say(f"tournament.path_{key}_over"))
            continue
        meets = next(
            (
                side_in_words(voice, side, names)
                for side in after.sides
                if match.match not in (side.winner_of, side.loser_of)
            ),
            side_in_words(voice, other, names),
        )
        facts = {"match": after.match, "round": after.round}
        lines.append(voice.say(f"tournament.path_{key}", other=meets, **facts))
    return lines


def _matches_in_words(
    voice: Voice, found: TournamentBracketAnswer, plan: Mapping[str, Any], names: Mapping[str, str]
) -> Iterator[str]:
    part = ""
    for each in drawn_bracket(voice, found, plan, names):
        if each.part != part:
            part = each.part
            yield voice.mark("bold", part)
        yield each.title
        yield from columns(
            (
                f"  {match_title(voice, table)}",
                *(seat.note or seeded(seat) for seat in table.seats),
                *[""] * (2 - len(table.seats)),
                table.result or table.leads,
            )
            for table in each.tables
        )


def match_title(voice: Voice, table: BracketTable) -> str:
    """The number of a match and its table, as far as it has them."""
    parts = []
    if table.match is not None:
        parts.append(voice.say("tournament.match_number", match=table.match))
    if table.table is not None:
        parts.append(table_title(voice, table.table, "third_place" if table.third_place else ""))
    return " · ".join(parts)


def seeded(seat: BracketSeat) -> str:
    return seat.name if seat.seed is None else f"[{seat.seed}] {seat.name}"
