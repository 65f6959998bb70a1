"""Verification of a record: form, hash chain, every verdict and result, permissions, times.

History is replayed as it happened: each stored verdict is compared with what the engine says of the
line as it stood then, and each entry with what a bench could have written (``conformance``). In a
record of the same version a difference is a problem. Older versions may have judged otherwise:
their differences are listed, and prove nothing against the record. What a newer engine said cannot
be compared by ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Literal, NamedTuple, TypeVar

from msgspec import Struct
from msgspec import field as struct_field
from pydantic_core import from_json

from engines.kernel.messages.catalogue import Verbatim
from engines.kernel.messages.errors import MessageError
from engines.kernel.messages.unsafe_text import harmful_in
from engines.kernel.values.versions import Age, age
from referee.proof.conformance import Conformance, Objection
from referee.proof.head_codes import head_prefix
from referee.proof.keys import Trusted
from referee.proof.signatures import CheckedSignature, check_signatures
from referee.record import entries as kinds
from referee.record.fold import CANNOT_FOLLOW, apply, engine_of, start_game
from referee.record.game import Game, RecordError
from referee.store.canonical_json import digest, encoded, is_canonical, rewritten
from referee.store.envelopes import GENESIS, KEY, Stored
from referee.store.hash_chain import is_envelope, topic_of
from referee.untrusted.safe_json import MAX_LINE_BYTES, UnsafeJson, read_json, refuse_depth
from referee.untrusted.work_budget import OverBudget, charge_entry, check_budget

Check = Literal["form", "chain", "replay", "law", "head", "signature"]
LeftOpen = Literal[
    "verdicts",
    "records",
    "differences",
    "laws",
    "colours",
    "unsigned",
    "behind",
    "signer",
    "names",
]
Progress = Callable[[int], None]
T = TypeVar("T")
TOGETHER = 100
"""Batch size: so many entries are parsed, then replayed, then checked."""


class VerificationProblem(Struct, frozen=True):
    """Something that is wrong, and the first entry where it is."""

    check: Check
    seq: int
    key: str
    facts: dict[str, Any] = struct_field(default_factory=dict)


class Engines(Struct, frozen=True):
    """The versions of the engine that wrote a record and of the one that verifies it."""

    recorded: str
    today: str

    @property
    def age(self) -> Age:
        return age(self.recorded, than=self.today)


class Unproven(NamedTuple):
    """A limit of what a record proves (``unproven.<key>``)."""

    key: LeftOpen
    facts: dict[str, Any] = {}


@dataclass
class VerificationReport:
    """The result of a verification: problems, differences between versions, signatures."""

    stream: str
    entries: int
    head: str
    problems: list[VerificationProblem] = field(default_factory=list)
    game: Game | None = None
    """None also if it was written by a newer engine, and ours cannot follow it."""
    laws: int | None = None
    """Version of the rules for records it began under; None if it was not replayed to its end."""
    signatures: list[CheckedSignature] = field(default_factory=list)
    engines: Engines | None = None
    differences: list[VerificationProblem] = field(default_factory=list)
    """What today's program and engine say otherwise than the older ones that wrote the record."""
    published: int = -1
    """The last entry whose head is known from elsewhere."""
    not_installed: MessageError | None = None
    """Why nothing could be replayed: the game that wrote the record is not there, or broken."""
    unknown_colours: tuple[str, ...] = ()
    """Of the pieces of some seats, as the opening says: neither the game nor the box names them."""
    records_missing: int = 0
    """So many results of a tournament were taken from records that are not here."""

    @property
    def ok(self) -> bool:
        return not self.problems

    @property
    def covered(self) -> int:
        """The last entry protected by a known head or a good signature; -1 if none is."""
        good = (one.covers for one in self.signatures if one.status == "good")
        return max(self.published, *good, -1)

    @property
    def proves_result(self) -> bool:
        """Whether the result can be relied on: replayed, and as recorded."""
        differs = any(found.key == "result_differs" for found in self.differences)
        return self.ok and self.game is not None and self.game.age != "newer" and not differs

    @property
    def unproven(self) -> list[Unproven]:
        """What the record does not prove even if nothing is wrong with it."""
        found = list(self._not_replayed())
        last = self.entries - 1
        if self.covered < 0:
            found.append(Unproven("unsigned"))
        elif self.covered < last:
            found.append(Unproven("behind", {"first": self.covered + 1, "last": last}))
        for one in self.signatures:
            if one.status == "good" and not one.covers_signer:
                found.append(Unproven("signer", {"name": one.name, "entry": one.seq}))
        return [*found, Unproven("names")]

    def _not_replayed(self) -> Iterator[Unproven]:
        if self.not_installed is not None:
            yield Unproven("verdicts", {"version": self.not_installed.facts.get("version", "–")})
        if self.engines is not None and self.engines.age == "newer":
            yield Unproven("verdicts", {"version": self.engines.recorded})
        if self.records_missing:
            yield Unproven("records", {"count": self.records_missing})
        if self.differences:
            yield Unproven("differences", {"count": len(self.differences)})
        if self.laws == 1:
            yield Unproven("laws")
        if self.unknown_colours:
            yield Unproven("colours", {"colours": self.unknown_colours})

    @property
    def followed(self) -> bool:
        """Whether the record of a game could be replayed to its end."""
        return self.laws is not None

    def without_play(self) -> VerificationReport:
        """A copy without the game, so that reports on a whole store fit into memory."""
        return replace(self, game=None)


def verify(
    stream: str,
    rows: Sequence[Stored],
    *,
    published: Iterable[str] = (),
    trusted: Mapping[str, Trusted] | None = None,
    signers: Iterable[str] = (),
    progress: Progress | None = None,
) -> VerificationReport:
    """Check a whole stream.

    ``published`` are heads known outside: codes, or beginnings of heads. ``signers`` are
    owners of trusted keys whose good signatures the record must carry.
    """
    report, links = chained(stream, rows, published)
    entries = _replay(stream, links, report, progress) if links is not None else None
    if entries is not None:
        believe(report, entries, trusted or {}, signers)
    return report


def verify_log(
    stream: str, rows: Sequence[Stored], follow: Callable[[Any, Mapping[str, Any]], Any]
) -> VerificationReport:
    """Check a stream that is neither a game's nor a tournament's, and that nobody signs.

    ``follow`` makes the state after one more entry, and refuses one that cannot be.
    """
    report, links = chained(stream, rows, ())
    state = None
    for seq, (body, _) in enumerate(links or ()):
        try:
            state = follow(state, body)
        except MessageError as error:
            facts = {"problem": error.phrase}
            report.problems.append(VerificationProblem("replay", seq, "cannot_follow", facts))
            break
    return report


def chained(
    stream: str, rows: Sequence[Stored], published: Iterable[str]
) -> tuple[VerificationReport, list[Link] | None]:
    """Check form, chain and known heads; also returns the links if the whole chain is good."""
    report = VerificationReport(stream, len(rows), rows[-1].head if rows else "")
    links: list[Link] = []
    problem = (
        _form_and_chain(stream, rows, links) if rows else VerificationProblem("form", 0, "empty")
    )
    if problem is not None:
        report.problems.append(problem)
        return report, None
    _find_heads(report, links, published)
    return report, links


def believe(
    report: VerificationReport,
    entries: Sequence[kinds.Entry],
    trusted: Mapping[str, Trusted],
    signers: Iterable[str],
) -> None:
    """Add the status of the signatures; those of ``signers`` are required."""
    report.signatures = check_signatures(report.stream, entries, trusted, report.published)
    report.problems += _unbelieved(report, signers)


def _find_heads(
    report: VerificationReport, links: Sequence[Link], published: Iterable[str]
) -> None:
    for head in published:
        start = head_prefix(head)
        found = [seq for seq, link in enumerate(links) if link.head.startswith(start)]
        if not found:
            facts = {"head": head}
            report.problems.append(
                VerificationProblem("head", report.entries, "head_missing", facts)
            )
        report.published = max(report.published, *found, -1)


def _unbelieved(
    report: VerificationReport, signers: Iterable[str]
) -> Iterator[VerificationProblem]:
    for signature in report.signatures:
        if signature.status in ("wrong", "revoked"):
            facts = {"name": signature.name or signature.key[:16]}
            yield VerificationProblem(
                "signature", signature.seq, f"signature_{signature.status}", facts
            )
    good = {signature.name for signature in report.signatures if signature.status == "good"}
    for name in signers:
        if name not in good:
            yield VerificationProblem("signature", report.entries, "not_signed", {"name": name})


class Link(NamedTuple):
    """An entry with correct form and a correct place in the chain."""

    body: dict[str, Any]
    head: str


def _form_and_chain(
    stream: str, rows: Sequence[Stored], links: list[Link]
) -> VerificationProblem | None:
    """Find the first entry with a wrong form or hash; the ones before it become links."""
    previous = GENESIS
    keys: dict[str, int] = {}
    for index, row in enumerate(rows):
        try:
            body, is_canonical = _read(row.body)
        except UnsafeJson as error:
            return VerificationProblem("form", index, "unreadable", {"problem": error.phrase})
        if not (is_envelope(body) and _has_author(body)):
            return VerificationProblem("form", index, "not_an_entry")
        if not is_canonical:
            return VerificationProblem("form", index, "not_canonical")
        if row.topic != topic_of(body):
            return VerificationProblem("form", index, "other_kind", {"kind": row.topic[:60]})
        if body["stream"] != stream or row.stream != stream:
            return VerificationProblem(
                "form", index, "other_game", {"stream": str(body["stream"])[:60]}
            )
        if body["prev"] != previous or body["seq"] != index or row.seq != index:
            if index == 0:
                return VerificationProblem("chain", 0, "broken_start")
            return VerificationProblem("chain", index, "broken_chain", {"previous": index - 1})
        if not KEY.fullmatch(body["key"]):
            return VerificationProblem("form", index, "not_an_entry")
        if (known := keys.setdefault(body["key"], index)) != index:
            return VerificationProblem("form", index, "key_twice", {"previous": known})
        previous = row.head
        links.append(Link(body, previous))
    return None


def _read(line: bytes) -> tuple[Any, bool]:
    """Parse an entry; says also whether its bytes are canonical JSON.

    A fast path takes plain lines; ``read_json`` makes the full checks for the others.
    """
    try:
        if len(line) <= MAX_LINE_BYTES and _is_harmless(line):
            refuse_depth(line)
            body = from_json(line)
            if is_canonical(body, line):
                return body, True
    except ValueError:
        pass
    body = read_json(line)
    return body, encoded(body) == line


def _is_harmless(line: bytes) -> bool:
    """Fast path: no harmful characters, and no backslash that could encode one.

    The first entry, with its box, is the longest of a short game, and quotes what a box says.
    """
    if b"\\" in line:
        line = _PLAIN_ESCAPES.sub(b"", line)
    rest = line.translate(None, _PLAIN)
    return not rest or (b"\\" not in rest and harmful_in(rest.decode()) is None)


_PLAIN_ESCAPES = re.compile(rb'\\["\\nt]')
_PLAIN = bytes(sign for sign in range(0x20, 0x7F) if sign != ord("\\"))


def _has_author(body: Mapping[str, Any]) -> bool:
    """Whether author, role and time of an entry are well-formed."""
    return kinds.is_instant(body["at"]) and kinds.is_author(body["by"], body["role"])


def _replay(
    stream: str, links: list[Link], report: VerificationReport, progress: Progress | None
) -> Sequence[kinds.Entry] | None:
    """Replay the record and compare; returns its entries, or None if it cannot be replayed.

    Works in batches, one step for all entries of a batch: that keeps the code of the step in the
    processor's caches, which is faster than doing all steps for each entry.
    """
    try:
        first = kinds.parsed_entry(*links[0])
        report.engines = _engines(first)
        game = start_game(stream, first)
        scrutiny = Conformance(first, game)
        objections = scrutiny.opening(game)
    except CANNOT_FOLLOW as error:
        return _given_up(report, links, 0, error)
    _weigh(report, links[0], first, game, objections)
    for start in range(1, len(links), TOGETHER):
        some = links[start : start + TOGETHER]
        entries, unread = _until_refused(kinds.parsed_entry(*link) for link in some)
        games, unfollowed = _until_refused(_followed(game, entries))
        steps = zip((game, *games), games, entries, strict=False)
        looked, unseen = _until_refused(scrutiny.look(*step) for step in steps)
        for link, entry, after, objections in zip(some, entries, games, looked, strict=False):
            _weigh(report, link, entry, after, objections)
            if progress is not None:
                progress(entry.seq + 1)
        if (refusal := unseen or unfollowed or unread) is not None:
            return _given_up(report, links, start + len(looked), refusal)
        game = games[-1]
    _judge(report, [_objected(len(links) - 1, objection) for objection in scrutiny.rest()])
    report.game = game
    report.unknown_colours = tuple(map(Verbatim, game.unknown_colours))
    report.laws = game.opened.laws
    return game.entries


def _until_refused(coming: Iterable[T]) -> tuple[list[T], MessageError | None]:
    """Collect items up to the first error; returns both."""
    found: list[T] = []
    try:
        for one in coming:
            found.append(one)  # noqa: PERF402  # what came before a refusal is kept
    except OverBudget:
        raise
    except CANNOT_FOLLOW as error:
        return found, error
    return found, None


def _followed(game: Game, entries: Iterable[kinds.Entry]) -> Iterator[Game]:
    """The game after each entry."""
    for entry in entries:
        check_budget()
        game, change = apply(game, entry)
        charge_entry(change.asked)
        yield game


def _given_up(
    report: VerificationReport, links: Sequence[Link], index: int, refusal: MessageError
) -> Sequence[kinds.Entry] | None:
    """Report where replay stopped: a problem, unless a newer engine wrote the record."""
    if _age(report) == "newer":
        return [_bare(link) for link in links]
    if refusal.key in ("not_installed", "broken_game"):
        entries, unread = _until_refused(kinds.parsed_entry(*link) for link in links)
        if unread is None:
            report.not_installed = refusal
            return entries
        index, refusal = len(entries), unread
    problem = {"problem": refusal.phrase}
    report.problems.append(VerificationProblem("replay", index, "cannot_follow", problem))
    return None


def _weigh(
    report: VerificationReport,
    link: Link,
    entry: kinds.Entry,
    game: Game,
    objections: Sequence[Objection],
) -> None:
    """Add the problems of one replayed entry to the report."""
    if found := _compare(game, entry):
        _judge(report, found)
    if objections:
        _judge(report, [_objected(entry.seq, objection) for objection in objections])
    if not _is_as_written(link.body, entry):
        report.problems.append(VerificationProblem("law", entry.seq, "not_as_written"))


def _objected(seq: int, objection: Objection) -> VerificationProblem:
    key = "engine_objects" if objection.by_engine else "unlawful"
    if objection.lawful_once:
        key = "lawful_once"
    return VerificationProblem("law", seq, key, {"problem": objection.error.phrase})


def _is_as_written(body: Mapping[str, Any], entry: kinds.Entry) -> bool:
    """Whether re-encoding an entry of the current schema gives the stored data."""
    data, told = entry.data, body["data"]
    if told.keys() == _PLAINLY_LOGGED and told["verdict"].keys() == _PLAIN_VERDICT:
        return True
    if body["schema"] != data.SCHEMA:
        return True
    if isinstance(data, kinds.Opened):
        rest = {name: value for name, value in told.items() if name != "kit"}
        return kinds.entry_data(data, without="kit") == rest and bool(data.kit == told["kit"])
    return bool(kinds.entry_data(data) == told)


_PLAINLY_LOGGED = {"number", "action", "verdict"}
_PLAIN_VERDICT = {"outcome"}
"""Nothing of this has a default that could have been left out."""


def _engines(first: kinds.Entry) -> Engines | None:
    if not isinstance(first.data, kinds.Opened):
        return None
    return Engines(first.data.engine_version, engine_of(first.data).version)


def _age(report: VerificationReport) -> Age:
    return report.engines.age if report.engines is not None else "unknown"


def _bare(link: Link) -> kinds.Entry:
    """An entry with its metadata only, if this version cannot parse its data."""
    try:
        return kinds.parsed_entry(link.body, link.head)
    except kinds.UnreadableEntry:
        said = {name: link.body[name] for name in ("seq", "at", "by", "role", "key")}
        return kinds.Entry(**said, data=kinds.EntryData(), head=link.head)


ENGINES_MAY_DIFFER = frozenset(
    {"verdict_differs", "seal_differs", "result_differs", "engine_objects"}
)


def _judge(report: VerificationReport, found: Sequence[VerificationProblem]) -> None:
    """File each finding as a problem or a mere difference, depending on the versions."""
    for problem in found:
        if problem.key == "lawful_once":
            report.differences.append(problem)
        elif problem.key not in ENGINES_MAY_DIFFER or _age(report) in ("same", "unknown"):
            report.problems.append(problem)
        elif _age(report) == "older":
            report.differences.append(problem)


def _compare(game: Game, entry: kinds.Entry) -> Sequence[VerificationProblem]:
    """Compare the stored verdict or result of an entry with today's engine."""
    data = entry.data
    if isinstance(data, kinds.Logged):
        return _verdict(game, entry.seq, data.number, data.verdict)
    if isinstance(data, kinds.Opened):
        altered = VerificationProblem("replay", entry.seq, "kit_altered")
        is_same = digest(rewritten(data.kit)) == data.kit_hash
        return [*_but(is_same, altered), *_verdict(game, entry.seq, 0, data.verdict)]
    if isinstance(data, kinds.Corrected):
        said = (_verdict(game, entry.seq, one.number, one.verdict) for one in data.insert)
        return list(chain.from_iterable(said))
    if isinstance(data, kinds.Reinstated) and data.opening is not None:
        return _verdict(game, entry.seq, 0, data.opening.verdict)
    if isinstance(data, kinds.Unsealed):
        is_same = data.findings == kinds.findings_data(game.seal_findings(data.id))
        return _but(
            is_same, VerificationProblem("replay", entry.seq, "seal_differs", {"id": data.id})
        )
    if isinstance(data, kinds.Closed):
        is_same = data == kinds.closing(game.engine.result(game.state), data.reason)
        return _but(is_same, VerificationProblem("replay", entry.seq, "result_differs"))
    return ()


def _but(is_same: bool, problem: VerificationProblem) -> Sequence[VerificationProblem]:
    return () if is_same else (problem,)


def _verdict(
    game: Game, seq: int, number: int, stored: kinds.VerdictData
) -> Sequence[VerificationProblem]:
    try:
        verdict = game.step(number).verdict
    except RecordError:
        now = None
    else:
        if kinds.is_stored_as(verdict, stored):
            return ()
        now = kinds.verdict_data(verdict)
    facts = {
        "number": number,
        "recorded": stored.outcome,
        "recorded_clause": _clause(stored),
        "today": now.outcome if now else "refused",
        "today_clause": _clause(now),
        "clause": _clause(now) or _clause(stored),
        "recorded_version": game.opened.engine_version,
        "version": game.engine.version,
    }
    return (VerificationProblem("replay", seq, "verdict_differs", facts),)


def _clause(verdict: kinds.VerdictData | None) -> str | None:
    if verdict is None:
        return None
    points = (*verdict.breaches, *verdict.claims, *verdict.findings)
    return points[0].clause if points else None
