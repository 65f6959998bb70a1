"""Verification of a tournament: chain, permissions, pairings computed again, results, signatures.

A tournament is a stream like a game's and gets the same checks of form, chain, heads and
signatures; its own rules take the place of an engine's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from engines.kernel import Phrase
from engines.kernel.messages.errors import MessageError
from engines.kernel.registry import load_engine
from referee.archive.record_files import Arrival, RecordFile, arrival_of, is_tournament
from referee.errors import Conflicting, NotAllowed, Unfit
from referee.proof.conformance import check_time
from referee.proof.keys import KeyRing, Trusted, is_signed
from referee.proof.signatures import Signer, signature_of, vouched
from referee.proof.verify import Link, VerificationProblem, VerificationReport, believe, chained
from referee.record.entries import Entry, Signed, UnreadableEntry
from referee.record.game import RecordError
from referee.store.canonical_json import canonical
from referee.store.envelopes import Stored
from referee.table.author import Author, By
from referee.tournament.consistency import result_problems, slip_problems
from referee.tournament.desk import Desk, LoadedTournament
from referee.tournament.errors import NotPossible
from referee.tournament.event_streams import ORGANISER, check_role
from referee.tournament.events import Event, FromRecords, LotDrawn, Vouched, read_event
from referee.tournament.fold import apply
from referee.tournament.pairing.rounds import PairingProblem, check_round
from referee.tournament.splitmix import SplitMix64
from referee.tournament.state import Tournament


def sign(
    desk: Desk,
    tournament_id: str,
    ring: KeyRing,
    key_name: str,
    *,
    passphrase: str = "",
    author: Author = ORGANISER,
) -> tuple[LoadedTournament, Vouched]:
    """Sign a tournament as it stands: everything up to its last event."""
    hosted, key = desk.load(tournament_id), desk.new_key()
    signer = Signer(len(hosted.told), desk.moment_in(hosted), author.person, author.role, key)
    made = signature_of(ring, key_name, passphrase, hosted.id, hosted.head, signer)
    event = Vouched(**dict(made))
    return desk.tell(hosted.id, event, by=By(author, key, signer.at)), event


def add_signature(desk: Desk, tournament_id: str, signed: Signed, at: str, *, by: By) -> None:
    """Record a signature that was made elsewhere, just now, with a key that stayed there."""
    assert by.key is not None, "a signature covers the idempotency key"
    if desk.known(tournament_id, by.key):
        return
    hosted = desk.load(tournament_id)
    signer = Signer(signed.seq + 1, at, by.author.person, by.author.role, by.key)
    last = len(hosted.told) - 1
    if (signed.seq, signed.head) != (last, hosted.head) or at < hosted.told[-1].at:
        raise Conflicting("signs_another", entry=signed.seq)
    if at > desk.moment_in(hosted) or not is_signed(
        signed.key, vouched(hosted.id, signed.head, signer), signed.signature
    ):
        raise Unfit("signature_wrong", entry=signed.seq)
    desk.tell(hosted.id, Vouched(**dict(signed)), by=By(by.author, by.key, at))


def verify_tournament(
    desk: Desk,
    stream: str,
    rows: Sequence[Stored],
    *,
    published: Iterable[str] = (),
    trusted: Mapping[str, Trusted] | None = None,
    signers: Iterable[str] = (),
) -> VerificationReport:
    """Verify a whole stream, from the store or a file, with the game records of the desk."""
    report, links = chained(stream, rows, published)
    if links is None:
        return report
    entries: list[Entry] = []
    now = _replayed(report, links, entries)
    if now is None:
        return report
    for round in now.rounds:
        report.problems += _problems(round.event, check_round(now, round.number))
    _check_results(desk, stream, now, report)
    believe(report, entries, trusted or {}, signers)
    return report


def _replayed(
    report: VerificationReport, links: Sequence[Link], entries: list[Entry]
) -> Tournament | None:
    """Replay the events; None if one is not possible."""
    now: Tournament | None = None
    latest, begun_today = "", True
    lots = LotsDrawnAgain()
    for seq, (body, head) in enumerate(links):
        try:
            event = read_event(body["kind"], body["schema"], body["data"])
            now = apply(now, event)
        except (UnreadableEntry, NotPossible) as error:
            facts = {"problem": error.phrase}
            report.problems.append(VerificationProblem("replay", seq, "cannot_follow", facts))
            return None
        report.problems += _unlawful(seq, body, event, latest)
        if seq == 0:
            report.problems += _unknown_games(now)
        if not lots.agree(event, body["key"]):
            report.problems.append(VerificationProblem("replay", seq, "other_lot"))
        written = event.model_dump(mode="json")
        as_written = canonical(body["data"]) == canonical(written)
        if seq == 0:
            begun_today = as_written
        if not as_written and (begun_today or not _leaves_out(body["data"], written)):
            report.problems.append(VerificationProblem("law", seq, "not_as_written"))
        latest = max(latest, body["at"])
        entry = Entry(seq, body["at"], body["by"], body["role"], body["key"], event, head)
        entries.append(entry)
    return now


def _unknown_games(now: Tournament) -> Iterator[VerificationProblem]:
    """Games of the plan that are not there: nobody could have opened a table of them."""
    for name in now.plan.games:
        try:
            load_engine(name)
        except MessageError as error:
            yield VerificationProblem("law", 0, "unlawful", {"problem": error.phrase})


class LotsDrawnAgain:
    """Draws the lots of a tournament again from their seeds.

    Several lots of one request come from the same dice, one after the other.
    """

    def __init__(self) -> None:
        self._request, self._seed, self._dice = "", -1, SplitMix64(0)

    def agree(self, event: Event, key: str) -> bool:
        """Whether an event is no lot by a seed, or has the order that its seed gives."""
        if not isinstance(event, LotDrawn) or event.seed is None:
            self._request = ""
            return True
        request, _, _ = key.partition(".")
        if (request, event.seed) != (self._request, self._seed):
            self._request, self._seed, self._dice = request, event.seed, SplitMix64(event.seed)
        return self._dice.shuffled(sorted(event.order)) == list(event.order)


def _unlawful(
    seq: int, body: Mapping[str, str], event: Event, latest: str
) -> Iterator[VerificationProblem]:
    try:
        check_time(body["at"], latest)
        check_role(Author(body["by"], body["role"]), event)
    except (NotAllowed, RecordError) as error:
        yield VerificationProblem("law", seq, "unlawful", {"problem": error.phrase})


def _leaves_out(told: object, written: object) -> bool:
    """Whether the stored data only lacks fields that an older version did not know."""
    if isinstance(told, dict) and isinstance(written, dict):
        return all(k in written and _leaves_out(v, written[k]) for k, v in told.items())
    if isinstance(told, list) and isinstance(written, list):
        return len(told) == len(written) and all(map(_leaves_out, told, written))
    return type(told) is type(written) and told == written


def _check_results(desk: Desk, stream: str, now: Tournament, report: VerificationReport) -> None:
    """Results must equal those of their records, as far as these are in the store."""
    for round in now.rounds:
        for table in round.draw.tables:
            entered = round.result(table.number)
            if entered is None or not isinstance(entered.source, FromRecords):
                continue
            store = desk.bench.store
            if missing := sum(not store.read(each.game) for each in entered.source.records):
                report.records_missing += missing
                continue
            found = result_problems(desk, stream, now, round, table)
            report.problems += _problems(entered.event, found)
    for (number, table_number), games in sorted(desk.games(stream).items()):
        slips = list(slip_problems(desk, now, number, table_number, games))
        if slips:
            report.problems += _problems(now.round(number).event, slips)


def _problems(seq: int, found: Iterable[PairingProblem]) -> Iterator[VerificationProblem]:
    """The contradictions among the problems of a round; mere remarks are left out."""
    for problem in found:
        if not problem.is_remark:
            yield VerificationProblem("replay", seq, problem.key, dict(problem.facts))


def examine_tournament(
    desk: Desk, record_file: RecordFile, *, author: Author = ORGANISER
) -> Arrival:
    """Verify a tournament from elsewhere; nothing is stored. One that goes on here is not
    continued from a file."""
    if not is_tournament(record_file.stream):
        raise Unfit("bad_line", line=1, problem=Phrase("flaw.not_a_tournament"))
    if author.role != "organiser":
        raise NotAllowed("role_may_not", role=author.role, roles=["organiser"])
    report = verify_tournament(desk, record_file.stream, record_file.rows)
    arrival = arrival_of(desk.bench.store, record_file, report)
    if 0 < len(arrival.new) < report.entries:
        stream, new = record_file.stream, len(arrival.new)
        raise Conflicting("would_continue_event", tournament=stream, entries=new)
    return arrival
