"""Verification of records: form, hash chain, replay, signatures; stored ones or files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import chain
from typing import Any, Literal, NamedTuple

from msgspec.structs import asdict

from answers.answer import Answered, Data, Telling
from answers.context import Caller
from answers.declaration import Local, operation
from answers.i18n import Voice
from answers.left_out import left_out
from answers.limits import Heads
from answers.permissions import EVERYBODY, JUDGES, TABLE
from answers.verdict_text import short
from engines.kernel import Phrase
from engines.kernel.messages.catalogue import Spoken
from referee.archive.named_photos import LostPhoto, NamedPhoto, lost_photos, named_photos
from referee.archive.process_pool import map_store
from referee.archive.read_models import has_lists, open_view
from referee.archive.record_files import is_tournament
from referee.proof.head_codes import head_code
from referee.proof.keys import KeyRing, Trusted
from referee.proof.verify import LeftOpen, VerificationProblem, VerificationReport, verify_log
from referee.proof.verify import verify as prove
from referee.store.envelopes import Stored
from referee.store.event_store import Store

SIGNATURE_SIGNS = {
    "good": ("✔", "good"),
    "unknown": ("?", "unsure"),
    "doubtful": ("?", "unsure"),
    "unchecked": ("?", "unsure"),
    "revoked": ("✘", "bad"),
    "wrong": ("✘", "bad"),
}


class ProblemRow(Data):
    check: Literal["form", "chain", "replay", "law", "head", "signature"]
    entry: int
    problem: str
    facts: dict[str, Any]


class SignatureRow(Data):
    seq: int
    signs: int
    key: str
    name: str
    role: str
    at: str
    status: Literal["good", "unknown", "doubtful", "revoked", "wrong", "unchecked"]
    covers_signer: bool
    """The signature covers author, role and time of the signer, too."""


class EnginesRow(Data):
    recorded: str
    today: str
    age: Literal["older", "same", "newer", "unknown"]


class UnprovenRow(Data):
    what: LeftOpen
    facts: dict[str, Any]


class RecordRow(Data):
    game: str
    entries: int
    head: str
    ok: bool
    problems: list[ProblemRow]
    engine: EnginesRow | None
    differences: list[ProblemRow]
    """What today's engine and rules say otherwise than the older ones that wrote the record."""
    signatures: list[SignatureRow]
    covered: int | None
    """The last entry that a known head or a good signature keeps as it was."""
    unproven: list[UnprovenRow]
    """What the record leaves open, even if nothing is wrong with it."""


class VerifyAnswer(Data):
    records: list[RecordRow]


class Record(NamedTuple):
    """A record to be proven, of a game or a tournament, stored here or not."""

    stream: str
    rows: Sequence[Stored]


def stored_records(caller: Caller, streams: Iterable[str]) -> Iterator[Record]:
    store = caller.store_context.store
    for stream in streams:
        yield Record(stream, list(store.read(stream)))


@operation(
    "verify-record",
    "POST /verification",
    grant=EVERYBODY,
    scope="public",
    kind="try",
    upload="answers.requests.uploads:record_to_verify",
    answer="verify",
    slow=True,
)
def verify(
    caller: Caller,
    records: Local[Iterable[Record]],
    ring: KeyRing,
    *,
    heads: Local[Sequence[str]] = (),
    signed_by: Local[Sequence[str]] = (),
    progress: Callable[[int], Callable[[int], None] | None] = lambda total: None,
) -> Answered[VerifyAnswer]:
    """Verify each record; ``progress(entries)`` makes the callback that shows how far it is."""
    known = _known(ring, heads, signed_by)
    proven = [_proven(caller, record, known, progress(len(record.rows))) for record in records]
    return _answered(caller, proven, [each.report for each in proven])


@operation("verify", "GET /games/{game}/verification", grant=TABLE, slow=True)
def verify_game(
    caller: Caller,
    game_id: str,
    ring: KeyRing,
    *,
    heads: Heads = (),
) -> Answered[VerifyAnswer]:
    """Verify the record of one game, for a caller who may see all of it."""
    if caller.author.viewer is not None:
        caller.everything(game_id, "verify")
    return verify(caller, stored_records(caller, [game_id]), ring, heads=heads)


@operation("verify-all", "GET /verification", grant=JUDGES, answer="verify", slow=True)
def verify_all(
    caller: Caller,
    ring: KeyRing,
    *,
    heads: Local[Sequence[str]] = (),
    signed_by: Local[Sequence[str]] = (),
    processes: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
    tell: Local[Callable[[Telling], None] | None] = None,
) -> Answered[VerifyAnswer]:
    """Verify all that the store keeps; ``progress`` is called with the count done.

    ``tell`` is called with each record once it is verified; the answer then has no lines of its
    own.
    """
    known, store = _known(ring, heads, signed_by), caller.store_context.store
    games = store.streams("game-")
    others = [stream for stream in store.streams() if not stream.startswith("game-")]
    at_store = not caller.token or (caller.author.role == "organiser" and not caller.scope)
    if not at_store:  # whoever knows the name of a collection may read it
        others = [stream for stream in others if not stream.startswith("collection-")]
    prove_game = partial(_proven_game, known=known)
    total = len(games) + len(others)
    all_proven: list[_Proven] = []
    for proven in chain(
        map_store(store, games, prove_game, processes=processes),
        (_proven(caller, each, known) for each in stored_records(caller, others)),
    ):
        all_proven.append(proven)
        if tell is not None:
            tell(partial(_lines, report=proven.report))
        progress(len(all_proven), total)
    told = [each.report for each in all_proven] if tell is None else []
    return _answered(caller, all_proven, told, _wrong_with_store(caller))


def _wrong_with_store(caller: Caller) -> tuple[Spoken, ...]:
    """What no single record shows: games that were removed, and a log that is not whole."""
    store = caller.store_context.store
    altered = store.find_altered()
    found: tuple[Spoken, ...] = (altered.phrase,) if altered is not None else ()
    if has_lists(store):
        open_view(store).close()
    return (*found, *left_out(caller))


def _answered(
    caller: Caller,
    proven: Sequence[_Proven],
    told: Sequence[VerificationReport],
    besides: Sequence[Spoken] = (),
) -> Answered[VerifyAnswer]:
    reports = [each.report for each in proven]
    lost = [*_lost_photos(caller, proven)]
    sound = all(report.ok for report in reports) and not besides
    sound = sound and not any(photo.state == "altered" for photo in lost)
    return Answered(
        lambda: VerifyAnswer(records=[_row(report, caller.voice) for report in reports]),
        lambda voice: (line for report in told for line in _lines(voice, report)),
        "done" if sound else "invalid",
        (
            *besides,
            *(
                Phrase(f"photo.warn_{photo.state}", {"game": short(photo.game), "id": photo.id})
                for photo in lost
            ),
        ),
    )


def _lost_photos(caller: Caller, proven: Sequence[_Proven]) -> Iterator[LostPhoto]:
    """Photographs that records of this store name, and that are not here as they were."""
    store_context = caller.store_context
    attachments = store_context.attachments if store_context.has_attachments else None
    return lost_photos(attachments, (photo for each in proven for photo in each.photos))


class _Known(NamedTuple):
    """External evidence: known heads, trusted keys, required signers."""

    published: Sequence[str]
    trusted: Mapping[str, Trusted]
    signers: Sequence[str]


def _known(ring: KeyRing, heads: Sequence[str], signed_by: Sequence[str]) -> _Known:
    return _Known(heads, ring.trusted(), [ring.find(signer).name for signer in signed_by])


class _Proven(NamedTuple):
    """A report on a record, and the photographs that it names if it is sound."""

    report: VerificationReport
    photos: list[NamedPhoto]


def _with_photos(report: VerificationReport, rows: Iterable[Stored]) -> _Proven:
    return _Proven(report.without_play(), named_photos(rows) if report.ok else [])


def _proven_game(store: Store, stream: str, *, known: _Known) -> _Proven:
    rows = store.read(stream)
    return _with_photos(prove(stream, rows, **known._asdict()), rows)


def _proven(
    caller: Caller,
    record: Record,
    known: _Known,
    progress: Callable[[int], None] | None = None,
) -> _Proven:
    """Of a record that is only called like one of this store, its photographs are not looked for:
    what is missing here would tell of the other."""
    rows, store = record.rows, caller.store_context.store
    ours = bool(rows) and store.entry(record.stream, len(rows) - 1) == rows[-1]
    return _with_photos(_report(caller, record, known, progress), rows if ours else ())


def _report(
    caller: Caller,
    record: Record,
    known: _Known,
    progress: Callable[[int], None] | None,
) -> VerificationReport:
    if (follow := _follow_of(record.stream)) is not None:
        return verify_log(record.stream, record.rows, follow)
    if not is_tournament(record.stream):
        return prove(record.stream, record.rows, **known._asdict(), progress=progress)
    from referee.tournament.proof import verify_tournament

    return verify_tournament(
        caller.store_context.desk, record.stream, record.rows, **known._asdict()
    )


def _follow_of(stream: str) -> Callable[[Any, Mapping[str, Any]], Any] | None:
    """How a stream is replayed that is neither a game's nor a tournament's."""
    for prefix, home in _LOGS.items():
        if stream.startswith(prefix):
            found: Callable[[Any, Mapping[str, Any]], Any] = import_module(home).follow
            return found
    return None


_LOGS = {
    "season-": "referee.season.office",
    "collection-": "referee.archive.collections",
    "book-": "referee.archive.precedents",
    "intake-": "referee.archive.intake",
}


def _voice(voice: Voice, report: VerificationReport) -> Voice:
    """With the words of the desk, where a tournament or a season is told of."""
    if not report.stream.startswith(("tournament-", "season-")):
        return voice
    from answers.tournament.i18n import fluent

    return fluent(voice)


def _row(report: VerificationReport, voice: Voice) -> RecordRow:
    return RecordRow.made_of(
        report,
        game=report.stream,
        problems=[_problem(problem, voice) for problem in report.problems],
        engine=report.engines,
        differences=[_problem(problem, voice) for problem in report.differences],
        covered=report.covered if report.covered >= 0 else None,
        unproven=[UnprovenRow(what=what, facts=facts) for what, facts in report.unproven],
    )


def _problem(problem: VerificationProblem, voice: Voice) -> ProblemRow:
    facts = voice.facts(problem.facts)
    return ProblemRow(check=problem.check, entry=problem.seq, problem=problem.key, facts=facts)


def _lines(voice: Voice, report: VerificationReport) -> Iterator[str]:
    voice = _voice(voice, report)
    yield voice.mark("bold", short(report.stream))
    broken = {problem.check: problem for problem in reversed(report.problems)}
    reached = True
    for check in ("form", "chain", "head", "replay", "law"):
        if check in broken:
            problem = _told(voice, broken[check])
            yield f"  {voice.mark('bad', '✘')} {voice.say(f'verify.{check}')}  {problem}"
            reached = check == "head" or report.followed
        elif reached and check == "replay":
            yield from _replay_lines(voice, report)
        elif reached and check == "law":
            yield from _law_lines(voice, report)
        elif reached and check != "head":
            yield f"  {voice.mark('good', '✔')} {voice.say(f'verify.{check}_fine')}"
    yield from _signature_lines(voice, report)
    code = head_code(report.head) if report.head else "–"
    key = "verify.ok" if report.ok else "verify.failed"
    yield "  " + voice.say(key, count=report.entries, head=code)
    if report.ok:
        open_ = (voice.say(f"unproven.{what}", **facts) for what, facts in report.unproven)
        yield "  " + voice.say("verify.unproven", what=voice.say("verify.unproven_and").join(open_))


def _replayed(report: VerificationReport) -> bool:
    """Whether verdicts could be compared: not with those of a newer engine."""
    newer = report.engines is not None and report.engines.age == "newer"
    return not newer and report.not_installed is None


def _replay_lines(voice: Voice, report: VerificationReport) -> Iterator[str]:
    """How the verdicts compare, where none of them is a problem."""
    versions = asdict(report.engines) if report.engines is not None else {}
    differing = [found for found in report.differences if found.check == "replay"]
    if _follow_of(report.stream) is not None:
        yield f"  {voice.mark('good', '✔')} {voice.say('verify.replay_log')}"
    elif is_tournament(report.stream):
        yield f"  {voice.mark('good', '✔')} {voice.say('verify.replay_event')}"
    elif report.not_installed is not None:
        yield f"  {voice.mark('unsure', '?')} {voice.spoken(report.not_installed.phrase)}"
    elif not _replayed(report):
        yield f"  {voice.mark('unsure', '?')} {voice.say('verify.replay_newer', **versions)}"
    else:
        yield from _compared_lines(voice, "replay", differing, versions)


def _law_lines(voice: Voice, report: VerificationReport) -> Iterator[str]:
    """Whether everything could be told as it was, where nothing of it is a problem."""
    differing = [found for found in report.differences if found.check == "law"]
    followed = report.followed or is_tournament(report.stream)
    if not followed or not _replayed(report):
        return
    yield from _compared_lines(voice, "law", differing, {})


def _compared_lines(
    voice: Voice, check: str, differing: list[VerificationProblem], versions: Mapping[str, str]
) -> Iterator[str]:
    """That nothing differs, or what the older engine or rules have said otherwise."""
    if not differing:
        yield f"  {voice.mark('good', '✔')} {voice.say(f'verify.{check}_fine')}"
        return
    older = voice.say(f"verify.{check}_older", count=len(differing), **versions)
    yield f"  {voice.mark('unsure', '?')} {older}"
    yield from (f"    {_told(voice, difference)}" for difference in differing)


def _signature_lines(voice: Voice, report: VerificationReport) -> Iterator[str]:
    for signature in report.signatures:
        sign, style = SIGNATURE_SIGNS[signature.status]
        told = voice.say(
            f"verify.signature_{signature.status}",
            name=signature.name or signature.key[:16],
            role=signature.role,
            signs=signature.signs,
        )
        yield f"  {voice.mark(style, sign)} {told}"
    for problem in report.problems:
        if problem.key == "not_signed":
            yield f"  {voice.mark('bad', '✘')} {_told(voice, problem)}"


def _told(voice: Voice, problem: VerificationProblem) -> str:
    facts = {**problem.facts, "clause": problem.facts.get("clause") or ""}
    for name in ("recorded", "today"):
        if name in facts:
            facts[name] = voice.say(f"outcome.{facts[name]}")
    told = voice.say(f"problem.{problem.key}", **facts).rstrip()  # not every one has a clause
    return voice.say("verify.at", seq=problem.seq, problem=told)
