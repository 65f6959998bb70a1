"""The kinds of entries a record is made of, and how actions and verdicts are stored in them.

Stored data never depends on Python names: every kind has a stable name and a schema number,
and older schemas are brought up to date when they are read.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, Field, JsonValue, ValidationError
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import from_json

from engines.kernel import Action, Finding, Flaw, Point, Seat, Verdict, to_plain
from engines.kernel.engine.contract import Result
from engines.kernel.messages.errors import first_mistake
from engines.kernel.rules.actions import PlainText
from engines.kernel.values.models import STRICT
from referee.store.envelopes import Stored, StoreError
from referee.store.hash_chain import is_envelope

ActionData = dict[str, JsonValue]
_PERSON = r"^p[a-z2-7]{1,20}$|^anonymous$"
_ROLE = r"^(scribe|judge|organiser|seat:[A-H])$"
_IS_PERSON, _IS_ROLE = re.compile(_PERSON), re.compile(_ROLE)
_INSTANT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}Z$"
_INSTANT_FORM = re.compile(_INSTANT)
Person = Annotated[str, Field(pattern=_PERSON)]
Role = Annotated[str, Field(pattern=_ROLE)]

SPECTATOR = "spectator"
"""The role of a spectator, who never writes an entry."""
PLAYER = "player"
"""The role of who takes part in a tournament. At a table they are a seat, or look on."""
ONLOOKERS = frozenset((SPECTATOR, PLAYER))
"""Who only looks on, and sees of a game what everybody may see."""
TABLE_DEVICE = "table"
"""The role of a device that lies on the table: it logs for everybody, and sees what everybody may
see. What it writes is recorded as the scribe's."""
IN_PUBLIC = ONLOOKERS | {TABLE_DEVICE}
"""Whose view is the public one."""


def judges(role: str) -> bool:
    """Whether this is a judging role."""
    return role in ("judge", "organiser")


def seat_of(role: str) -> str | None:
    """The seat of a role ``seat:A``; None for other roles."""
    return role.removeprefix("seat:") if role.startswith("seat:") else None


def role_of(seat: str) -> str:
    return f"seat:{seat}"


def _on_the_calendar(moment: str) -> str:
    try:
        datetime.fromisoformat(moment)
    except ValueError:
        raise Flaw("other_form", pattern="2026-01-31T20:15:00Z") from None
    return moment


Instant = Annotated[
    str,
    Field(pattern=_INSTANT),
    AfterValidator(_on_the_calendar),
]
"""A moment in UTC, written so that later ones sort behind earlier ones."""
Remark = Annotated[PlainText, Field(max_length=2000)]
Reason = Annotated[Remark, Field(min_length=1)]
ClauseId = Annotated[str, Field(pattern=r"^[A-Z]{3}-[A-Z]+-[0-9]+[a-z]?$")]
Number = Annotated[int, Field(ge=0, le=1_000_000)]
"""The number of an action: #1, #2… in order of logging; the opening is #0."""
DisputeId = Annotated[str, Field(pattern=r"^d[0-9]{1,6}$")]
RulingId = Annotated[str, Field(pattern=r"^r[0-9]{1,6}$")]
PenaltyId = Annotated[str, Field(pattern=r"^x[0-9]{1,6}$")]
SealId = Annotated[str, Field(pattern=r"^s[0-9]{1,6}$")]
NoteId = Annotated[str, Field(pattern=r"^n[0-9]{1,6}$")]
PhotoId = Annotated[str, Field(pattern=r"^f[0-9]{1,6}$")]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

Remedy = Literal["none", "stands", "taken_back", "corrected", "penalty"]
"""What a ruling does about what it is about."""
Barrier = Literal["observation", "other_seat"]
"""Past what a take-back may need a judge: a draw or reveal, another seat's decision."""

Grant = Literal["organiser", "judge", "scribe", "scribe alone", "seat", "own seat"]
"""Whom an entry is granted: a role; the scribe where there is no judge; a seat for itself."""
Grants = tuple[Grant, ...]
JUDGES: Grants = ("organiser", "judge")
KEEPERS: Grants = (*JUDGES, "scribe")
"""Those who keep the record for the whole table."""
TABLE: Grants = (*KEEPERS, "seat")
"""Everybody who has something to say at it."""
EACH_FOR_ITSELF: Grants = (*KEEPERS, "own seat")
WITHOUT_A_JUDGE: Grants = (*JUDGES, "scribe alone")


@lru_cache(maxsize=4096)
def is_author(by: str, role: str) -> bool:
    """Whether pseudonym and role are well-formed."""
    return bool(_IS_PERSON.fullmatch(by) and (_IS_ROLE.fullmatch(role) or role == PLAYER))


def is_instant(moment: str) -> bool:
    """Whether this is a valid timestamp of an entry."""
    try:
        return bool(_INSTANT_FORM.fullmatch(moment) and _on_the_calendar(moment))
    except Flaw:
        return False


class EntryData(BaseModel):
    """Base of the data of every kind of entry: its stored name, schema and permissions."""

    model_config = STRICT

    KIND: ClassVar[str]
    SCHEMA: ClassVar[int] = 1
    TOLD_BY: ClassVar[Mapping[str, Grants]] = {}
    """Who may write this, by circumstance (``permissions.circumstance``); ``""``: usually."""

    def __init_subclass__(
        cls, *, by: Grants = (), but: Mapping[str, Grants] | None = None, **more: Any
    ) -> None:
        super().__init_subclass__(**more)
        cls.TOLD_BY = {"": by, **(but or {})}


class PointData(BaseModel):
    model_config = STRICT

    clause: ClauseId
    facts: dict[str, JsonValue] = {}


class FindingData(PointData):
    status: Literal["broken", "cleared"]
    entries: tuple[Number, ...]


class VerdictData(BaseModel):
    """What the referee said when the entry was made."""

    model_config = STRICT

    outcome: Literal["legal", "illegal", "undecided"]
    breaches: tuple[PointData, ...] = ()
    claims: tuple[PointData, ...] = ()
    findings: tuple[FindingData, ...] = ()


class Said(BaseModel):
    """An action in the record, with the verdict it got when it was entered."""

    model_config = STRICT

    number: Number
    action: ActionData
    verdict: VerdictData
    stands: bool = False
    """It was illegal, and it happened all the same."""


class Opened(EntryData, by=KEEPERS):
    """The beginning of a record. Schema 1 is that of 0.1.0, and its laws were wider."""

    KIND = "opened"
    SCHEMA = 2

    game: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    engine_version: str = Field(max_length=40)
    edition: PlainText = Field(max_length=200)
    kit: dict[str, JsonValue]
    kit_hash: Digest
    readings: dict[str, str]
    house_rules: tuple[ClauseId, ...] = ()
    opening: ActionData
    verdict: VerdictData
    seats: dict[Seat, Person] = {}
    title: PlainText = Field(default="", max_length=120)
    preset: PlainText = Field(default="", max_length=120)
    take_backs_need_judge: tuple[Barrier, ...] = ()
    tournament: str = Field(
        default="", pattern=r"^(tournament-[a-z2-7]{1,20}/r[0-9]+/t[0-9]+(/b[0-9])?)?$"
    )
    """Tournament, round and table, if it is played in one."""
    laws: SkipJsonSchema[Literal[1, 2]] = Field(default=2, exclude=True)
    """Version of the permission rules when the record began: who might write what, and when."""


class Logged(EntryData, Said, by=EACH_FOR_ITSELF):
    KIND = "logged"


class TakenBack(EntryData, by=EACH_FOR_ITSELF, but={"ruled": WITHOUT_A_JUDGE}):
    KIND = "taken_back"

    numbers: tuple[Number, ...]
    reason: Remark = ""


class Restored(EntryData, by=EACH_FOR_ITSELF, but={"ruled": WITHOUT_A_JUDGE}):
    KIND = "restored"

    numbers: tuple[Number, ...]


class Corrected(EntryData, by=KEEPERS, but={"ruled": WITHOUT_A_JUDGE}):
    """A splice: before action ``at``, take these out, put those in; let those stand."""

    KIND = "corrected"

    at: Number
    remove: tuple[Number, ...] = ()
    insert: tuple[Said, ...] = ()
    keep: tuple[Number, ...] = ()
    """Pending actions that happened all the same: they count as they happened."""
    seats: dict[Seat, Person] | None = None
    reason: Remark = ""


class Reinstated(EntryData, by=JUDGES):
    """What a ruling changed in the line is put back, because an appeal has overturned it.

    The actions keep their numbers: what was decided about #7 is still about #7.
    """

    KIND = "reinstated"

    ruling: RulingId
    """The one that was overturned."""
    at: Number
    """The actions come back before this one; the number after the last: at the end."""
    back: tuple[Number, ...] = ()
    out: tuple[Number, ...] = ()
    """What its remedy had put in."""
    opening: Said | None = None
    """The opening as it was, if its remedy corrected it."""


class Adjusted(EntryData, by=KEEPERS):
    """The state brought in line with the real table. It has a number, as actions have."""

    KIND = "adjusted"

    number: Number
    changes: dict[str, JsonValue]
    reason: Remark


class KitDeclared(EntryData, by=KEEPERS):
    """A fact about the box. It was always true: the game is judged anew from the start."""

    KIND = "kit_declared"

    path: PlainText = Field(max_length=200)
    value: JsonValue
    source: Remark


class ReadingFixed(EntryData, by=JUDGES):
    """From here on, the rulebook is read so."""

    KIND = "reading_fixed"

    reading: str = Field(max_length=80)
    value: str = Field(max_length=80)
    reason: Remark = ""


class Held(EntryData, by=TABLE):
    KIND = "held"

    reason: Remark = ""


class Resumed(EntryData, by=JUDGES, but={"scribe": KEEPERS, "seat": EACH_FOR_ITSELF}):
    KIND = "resumed"

    reason: Remark = ""


class ClockSet(EntryData, by=KEEPERS):
    """How long each seat may think, or a round may take, from here on.

    Without ``seconds`` the clock goes on, and a seat, or everybody, is ``given`` some more.
    """

    KIND = "clock_set"

    per: Literal["seat", "round"] = "seat"
    """Where a game counts no rounds, the whole of it is one."""
    seconds: int | None = Field(default=None, ge=0, le=360_000)
    """Zero takes the clock away."""
    at_zero: Literal["nothing", "judge"] = "nothing"
    """What the table does when the time is up."""
    increment: int = Field(default=0, ge=0, le=36_000)
    """Seconds that a seat is given whenever its turn is over."""
    seat: Seat | None = None
    given: int = Field(default=0, ge=-360_000, le=360_000)
    reason: Remark = ""


class Disputed(EntryData, by=EACH_FOR_ITSELF):
    """A seat, a finding, an irregular action, a draw that is not the deal's or a slip calls for a
    judge."""

    KIND = "disputed"

    id: DisputeId
    numbers: tuple[Number, ...]
    seat: Seat | None = None
    clause: ClauseId | None = None
    text: Remark = ""
    cause: Literal["seat", "finding", "stands", "deal", "slip"] = "seat"
    holds: bool = False
    beside: DisputeId | None = None
    """The dispute that held the game already, and does so again when this one is settled first."""
    appeals: RulingId | None = None
    """The ruling that it appeals against."""


class DisputeClosed(EntryData, by=JUDGES, but={"raised": EACH_FOR_ITSELF}):
    """A dispute that was withdrawn: nobody asks for a ruling any more."""

    KIND = "dispute_closed"

    id: DisputeId
    reason: Remark = ""


class Attended(EntryData, by=JUDGES):
    """A judge is on the way to the table, or leaves it to others."""

    KIND = "attended"

    dispute: DisputeId | None = None
    """None: the game is held, and nothing is disputed."""
    off: bool = False


class Ruled(EntryData, by=JUDGES):
    """A judge decides. What the remedy does to the line stands in entries of its own."""

    KIND = "ruled"

    id: RulingId
    dispute: DisputeId | None = None
    numbers: tuple[Number, ...] = ()
    clauses: tuple[ClauseId, ...] = Field(default=(), max_length=16)
    remedy: Remedy = "none"
    reason: Remark
    authority: PlainText = Field(default="", max_length=120)
    precedents: tuple[PlainText, ...] = Field(default=(), max_length=32)
    """Earlier rulings that were cited: ``game-…/r2``, or the reference of an imported one."""
    overturns: RulingId | None = None
    puts_back: bool = False
    """What the overturned ruling did is undone, by entries of their own. Earlier versions of the
    program left that to the judge."""
    readings: dict[str, str] = {}
    """Readings this ruling fixes, by entries of their own."""
    scope: Literal["game", "tournament"] = "game"


class Penalised(EntryData, by=JUDGES):
    """A penalty or sanction. It is cancelled by another entry, never deleted."""

    KIND = "penalised"

    id: PenaltyId
    seat: Seat
    level: PlainText = Field(max_length=60)
    reason: Remark = ""
    ruling: RulingId | None = None


class PenaltyCancelled(EntryData, by=JUDGES):
    KIND = "penalty_cancelled"

    id: PenaltyId
    reason: Remark


class Signed(EntryData, by=TABLE):
    """A signature over everything up to entry ``seq``, which is the one before it."""

    KIND = "signed"

    form: Literal[1, 2] = 1
    """2 covers who signs in which role and when, too; 1 is how 0.1.0 signed."""
    seq: int = Field(ge=0)
    head: Digest
    key: str = Field(pattern=r"^[0-9a-f]{64}$")
    signature: str = Field(pattern=r"^[0-9a-f]{128}$")


class Confirmed(EntryData, by=("own seat",)):
    """A seat agrees with everything up to entry ``seq``."""

    KIND = "confirmed"

    seat: Seat
    seq: int = Field(ge=0)
    head: Digest


class SealedValue(EntryData, by=("scribe", "own seat")):
    """A seat commits itself to a secret without telling it."""

    KIND = "sealed"

    id: SealId
    seat: Seat
    what: PlainText = Field(max_length=60)
    digest: Digest


class Unsealed(EntryData, by=("scribe", "own seat")):
    """The secret is told; the digest proves that it is the one that was sealed."""

    KIND = "unsealed"

    id: SealId
    salt: str = Field(pattern=r"^[0-9a-f]{32,64}$")
    value: JsonValue
    findings: tuple[FindingData, ...] = ()
    """What the referee said when it was opened."""


class Noted(EntryData, by=TABLE):
    """An annotation on an action."""

    KIND = "noted"

    id: NoteId
    number: Number
    on: str | None = Field(default=None, pattern=r"^n[0-9]{1,6}\.[0-9]{1,4}$")
    """A step of another note's variation, instead of the action itself."""
    text: Remark = ""
    glyphs: tuple[str, ...] = Field(default=(), max_length=8)
    tags: tuple[PlainText, ...] = Field(default=(), max_length=16)
    marks: tuple[str, ...] = Field(default=(), max_length=64)
    arrows: tuple[tuple[str, str], ...] = Field(default=(), max_length=64)
    clauses: tuple[ClauseId, ...] = Field(default=(), max_length=16)
    variation: tuple[Said, ...] = Field(default=(), max_length=400)
    bookmark: bool = False


class Unnoted(EntryData, by=EACH_FOR_ITSELF):
    KIND = "unnoted"

    id: NoteId
    reason: Remark = ""


UNSEEN = "0" * 64
"""In place of the digest of a photograph that a viewer may not see."""


class Photographed(EntryData, by=TABLE):
    """A photograph of the real table, named by its digest.

    The picture is kept beside the record (``store/sidecars/attachments.py``), so that it can be
    erased without breaking the chain.
    """

    KIND = "photographed"

    id: PhotoId
    digest: Digest
    media: Literal["image/jpeg"] = "image/jpeg"
    size: int = Field(ge=1, le=8 * 1024 * 1024)
    width: int = Field(ge=1, le=10_000)
    height: int = Field(ge=1, le=10_000)
    number: Number
    """The action after which it was taken, or that it is about."""
    dispute: DisputeId | None = None
    only: Seat | None = None
    """Whose hand it shows: nobody else sees it before the game is over, but who sees all hands."""
    about: Annotated[PlainText, Field(max_length=40)] = ""
    """The place or the component that it shows, by its word in this game."""
    caption: Remark = ""


class PhotoErased(EntryData, by=EACH_FOR_ITSELF):
    """A photograph is gone for good. Its digest stays, and proves what it was."""

    KIND = "photo_erased"

    id: PhotoId
    reason: Remark = ""


BySight = Literal["confirmed", "unconfirmed"]
"""Of an action that a camera has proposed: whether somebody has said that it was so."""


class Seen(EntryData, by=TABLE):
    """Actions that a camera proposed; whoever writes it has ``confirmed`` them, or nobody yet."""

    KIND = "seen"

    numbers: tuple[Number, ...] = Field(min_length=1, max_length=100)
    confirmed: bool = False


class Closed(EntryData, by=KEEPERS):
    """The record is finished: by the end of the game, or because the table stopped."""

    KIND = "closed"

    reason: Remark = ""
    places: tuple[tuple[Seat, ...], ...] = ()
    scores: dict[Seat, int] = {}
    clause: ClauseId | None = None
    won: bool | None = None


class Reopened(EntryData, by=WITHOUT_A_JUDGE):
    KIND = "reopened"

    reason: Remark


CHANGES_THE_LINE = (Corrected, TakenBack, Restored, Reinstated, KitDeclared)
"""Entries that change what earlier entries come to: the table may have to be laid anew."""


KINDS: dict[str, type[EntryData]] = {
    kind.KIND: kind
    for kind in (
        Opened,
        Logged,
        TakenBack,
        Restored,
        Corrected,
        Reinstated,
        Adjusted,
        KitDeclared,
        ReadingFixed,
        Held,
        Resumed,
        ClockSet,
        Disputed,
        DisputeClosed,
        Attended,
        Ruled,
        Penalised,
        PenaltyCancelled,
        Signed,
        Confirmed,
        SealedValue,
        Unsealed,
        Noted,
        Unnoted,
        Photographed,
        PhotoErased,
        Seen,
        Closed,
        Reopened,
    )
}

AFTER_THE_END: frozenset[str] = frozenset(
    {
        "disputed",
        "dispute_closed",
        "attended",
        "ruled",
        "penalised",
        "penalty_cancelled",
        "signed",
        "confirmed",
        "unsealed",
        "noted",
        "unnoted",
        "photographed",
        "photo_erased",
        "seen",
        "reopened",
    }
)
"""Kinds of entries that may follow the end of a record. Earlier versions allowed more."""

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
UPCASTERS: dict[tuple[str, int], Upcaster] = {
    ("opened", 1): lambda data: {**data, "laws": 1},
}
"""From the schema number given to the next one."""


class UnreadableEntry(Flaw):
    """Stored data that matches no schema known to this version."""


def read_data(kind: str, schema: int, data: dict[str, Any]) -> EntryData:
    """Parse the data of a stored entry, upgrading older schemas."""
    model = KINDS.get(kind)
    if model is None:
        raise UnreadableEntry("unknown_kind", kind=kind[:40])
    while schema < model.SCHEMA:
        if (kind, schema) not in UPCASTERS:
            raise UnreadableEntry("old_schema", kind=kind, schema=schema)
        data = UPCASTERS[kind, schema](data)
        schema += 1
    if schema > model.SCHEMA:
        raise UnreadableEntry("newer_schema", kind=kind, schema=schema)
    try:
        return model.model_validate(data)
    except ValidationError as error:
        problem = first_mistake(error).phrase
        raise UnreadableEntry("at", place=kind, problem=problem) from None


# to and from what the engines speak of


def action_data(action: Action) -> dict[str, Any]:
    """The stored form of an action: fields with their default are left out."""
    data = action.model_dump(mode="json", exclude_defaults=True)
    return {"verb": action.verb_of(), **data}


def entry_data(data: EntryData, *, without: str = "") -> dict[str, Any]:
    left_out = {without} if without else None
    return data.model_dump(mode="json", exclude_defaults=True, exclude=left_out)


_PLAIN = {outcome: VerdictData(outcome=outcome) for outcome in ("legal", "illegal", "undecided")}


def verdict_data(verdict: Verdict) -> VerdictData:
    """The stored form of a verdict, without the clauses that were merely consulted."""
    if not (verdict.breaches or verdict.claims or verdict.findings):
        return _PLAIN[verdict.outcome]
    return VerdictData(
        outcome=verdict.outcome,
        breaches=tuple(_point(point) for point in verdict.breaches),
        claims=tuple(_point(point) for point in verdict.claims),
        findings=findings_data(verdict.findings),
    )


def is_stored_as(verdict: Verdict, data: VerdictData) -> bool:
    """Whether the data equals ``verdict_data(verdict)``, without building it."""
    return (
        verdict.outcome == data.outcome
        and _are_stored_as(verdict.breaches, data.breaches)
        and _are_stored_as(verdict.claims, data.claims)
        and _are_stored_as(verdict.findings, data.findings)
        and all(map(_is_found_as, verdict.findings, data.findings))
    )


def _are_stored_as(points: Sequence[Point | Finding], data: Sequence[PointData]) -> bool:
    if not points or not data:
        return not points and not data
    return len(points) == len(data) and all(
        point.clause == one.clause and to_plain(dict(point.facts)) == one.facts
        for point, one in zip(points, data, strict=True)
    )


def _is_found_as(finding: Finding, data: FindingData) -> bool:
    return finding.status == data.status and finding.entries == data.entries


def findings_data(findings: Iterable[Finding]) -> tuple[FindingData, ...]:
    return tuple(
        FindingData(
            status=finding.status,
            clause=finding.clause,
            entries=finding.entries,
            facts=to_plain(dict(finding.facts)),
        )
        for finding in findings
    )


def closing(result: Result | None, reason: str) -> Closed:
    """The entry that closes a record; with the result, if the game is over."""
    if result is None:
        return Closed(reason=reason)
    return Closed(
        reason=reason,
        places=result.places,
        scores=dict(result.scores),
        clause=result.clause,
        won=result.won,
    )


def _point(point: Point) -> PointData:
    return PointData(clause=point.clause, facts=to_plain(dict(point.facts)))


def stored_verdict(data: VerdictData) -> Verdict:
    """A verdict from its stored form; it no longer knows what was consulted."""
    return Verdict(
        data.outcome,
        tuple(Point(point.clause, point.facts) for point in data.breaches),
        tuple(Point(point.clause, point.facts) for point in data.claims),
        tuple(Finding(f.status, f.clause, f.entries, f.facts) for f in data.findings),
    )


# entries as they stand in a record


class Entry(NamedTuple):
    """One item of a record: who added what, when."""

    seq: int
    at: str
    by: str
    role: str
    key: str
    data: EntryData
    head: str
    """The hash of the stored bytes: publish it, and nothing before it can be changed."""


def read_entry(stored: Stored) -> Entry:
    """Parse a stored entry, upgrading older schemas."""
    return parsed_entry(read_body(stored), stored.head)


def read_body(stored: Stored) -> dict[str, Any]:
    """Parse the JSON of a stored entry; an error names the stream and the entry."""
    try:
        body = from_json(stored.body)
    except ValueError:
        body = None
    if not is_envelope(body):
        raise StoreError("not_an_entry", stream=stored.stream, seq=stored.seq)
    return body


def parsed_entry(body: Mapping[str, Any], head: str) -> Entry:
    """The same for an entry whose JSON is parsed already."""
    data = read_data(body["kind"], body["schema"], body["data"])
    told = (body["seq"], body["at"], body["by"], body["role"], body["key"], data, head)
    return tuple.__new__(Entry, told)
