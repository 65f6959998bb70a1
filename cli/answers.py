"""The answers of ``--json``: what stands in ``data`` of each command's envelope.

They are types only: ``schemas/`` is generated from them, the tests hold every command to
its schema, and ``referee schema log`` prints one.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from cli.tournament.answers import TOURNAMENT_ANSWERS

Data = dict[str, Any]
Outcome = Literal["legal", "illegal", "undecided"]


class PointAnswer(TypedDict):
    clause: str
    facts: Data


class FindingAnswer(TypedDict):
    status: Literal["broken", "cleared"]
    clause: str
    entries: list[int]
    facts: Data


class VerdictAnswer(TypedDict):
    verdict: Outcome
    clause: str | None
    breaches: list[PointAnswer]
    claims: list[PointAnswer]
    effects: list[PointAnswer]
    findings: list[FindingAnswer]


class HeardAnswer(VerdictAnswer):
    game: str
    number: int | None
    notation: str | None
    action: Data | None
    accepted: bool
    stands: bool
    disputes: list[str]
    attention: bool
    to_act: list[str]
    head: str


class LogAnswer(HeardAnswer):
    lines: list[HeardAnswer]


class NewAnswer(HeardAnswer):
    assumed: int


class GameRow(TypedDict):
    game: str
    engine: str
    title: str
    people: dict[str, str]
    players: dict[str, str]
    entries: int
    actions: int
    opened: str
    updated: str
    closed: bool
    result: Data | None
    tournament: str
    current: bool


class GamesAnswer(TypedDict):
    games: list[GameRow]


class OpenAnswer(TypedDict):
    game: str
    engine: str


class InfoAnswer(TypedDict):
    game: str
    engine: str
    engine_version: str
    edition: str
    title: str
    seats: dict[str, str]
    opening: str
    kit: str
    kit_hash: str
    provenance: dict[str, int]
    readings: dict[str, str]
    house_rules: list[str]
    preset: str
    take_backs_need_judge: list[str]
    entries: int
    actions: int
    pending: list[int]
    held: bool
    closed: bool
    disputes: list[str]
    notes: int
    head: str
    to_act: list[str]


class JudgedLine(VerdictAnswer):
    notation: str


class CheckAnswer(TypedDict):
    lines: list[JudgedLine]


class FileAnswer(TypedDict):
    file: str
    bytes: NotRequired[int]
    sha256: NotRequired[str]
    game: NotRequired[str]


class StateAnswer(TypedDict):
    game: str
    number: int
    state: Data
    words: list[str]


class Option(TypedDict):
    notation: str
    action: Data


class OptionsAnswer(TypedDict):
    game: str
    options: list[Option]
    templates: list[str]


class ConsultedAnswer(PointAnswer):
    held: bool
    effect: bool


class WhyAnswer(VerdictAnswer):
    game: str
    notation: str
    consulted: list[ConsultedAnswer]
    readings: dict[str, str]


class MoveRow(TypedDict):
    number: int
    seq: int
    at: str
    by: str
    seat: str | None
    text: str
    outcome: Outcome
    clauses: list[str]
    status: Literal["counts", "pending", "taken_back", "corrected"]
    stands: bool
    notes: list[str]


class MovesAnswer(TypedDict):
    game: str
    moves: list[MoveRow]


class DiffRow(TypedDict):
    path: str
    before: Any
    after: Any


class DiffAnswer(TypedDict):
    game: str
    changes: list[DiffRow]


class RejudgedRow(TypedDict):
    number: int
    before: Outcome
    after: Literal["legal", "illegal", "undecided", "pending"]
    clauses: list[str]


class ChangeAnswer(TypedDict):
    game: str
    judged_again: int
    rejudged: list[RejudgedRow]
    pending: list[int]


class UndoAnswer(ChangeAnswer):
    undone: list[int]


class RedoAnswer(ChangeAnswer):
    restored: list[int]


class CorrectAnswer(ChangeAnswer):
    inserted: list[int]
    disputes: list[str]


class AdjustAnswer(TypedDict):
    game: str
    number: int
    changes: Data


class FinishAnswer(TypedDict):
    game: str
    reason: str
    places: list[list[str]]
    scores: dict[str, int]
    clause: str | None
    won: bool | None
    head: str


class GameAnswer(TypedDict):
    game: str


class HeldAnswer(TypedDict):
    game: str
    held: bool


class RulesAnswer(TypedDict):
    game: str
    clauses: NotRequired[list[Data]]
    readings: NotRequired[list[Data]]


class KitRow(TypedDict):
    game: str
    kit: str
    version: int


class KitListAnswer(TypedDict):
    kits: list[KitRow]


class DatumRow(TypedDict):
    path: str
    value: Any
    provenance: str
    source: str | None


class KitShowAnswer(TypedDict):
    game: str
    kit: str
    totals: dict[str, int]
    data: list[DatumRow]


class KitCheckAnswer(TypedDict):
    game: str
    problems: list[str]


class KitDeclareAnswer(TypedDict):
    file: NotRequired[str]
    game: NotRequired[str]
    path: NotRequired[str]
    value: NotRequired[Any]
    disputes: NotRequired[list[str]]
    judged_again: NotRequired[int]
    rejudged: NotRequired[list[RejudgedRow]]
    pending: NotRequired[list[int]]


class EngineRow(TypedDict):
    engine: str
    name: str
    version: str
    seats: list[int]
    clauses: int
    readings: int


class EngineListAnswer(TypedDict):
    engines: list[EngineRow]


class VerbRow(TypedDict):
    forms: list[str]
    french: list[str]
    meaning: str


class EngineInfoAnswer(TypedDict):
    engine: str
    version: str
    edition: str
    seats: list[int]
    kits: list[str]
    verbs: dict[str, VerbRow]


class CaseRow(TypedDict):
    file: str
    case: str
    problems: list[str]


class CasesAnswer(TypedDict):
    cases: list[CaseRow]
    failed: int


class GalleryAnswer(TypedDict):
    files: list[str]


class ImportedRow(TypedDict):
    game: str
    entries: int
    new: int
    head: str


class ImportAnswer(TypedDict):
    games: list[ImportedRow]


class ProblemRow(TypedDict):
    check: Literal["form", "chain", "replay", "head", "signature"]
    entry: int
    problem: str
    facts: Data


class SignatureRow(TypedDict):
    seq: int
    signs: int
    key: str
    name: str
    role: str
    status: Literal["good", "unknown", "revoked", "wrong", "unchecked"]


class EnginesRow(TypedDict):
    recorded: str
    today: str
    age: Literal["older", "same", "newer", "unknown"]


class RecordRow(TypedDict):
    game: str
    entries: int
    head: str
    ok: bool
    problems: list[ProblemRow]
    engine: EnginesRow | None
    differences: list[ProblemRow]
    signatures: list[SignatureRow]


class VerifyAnswer(TypedDict):
    records: list[RecordRow]


class StepRow(VerdictAnswer):
    number: int | None
    notation: str | None
    state: Data


class ReplayAnswer(TypedDict):
    game: str
    steps: list[StepRow]


class RestoreAnswer(TypedDict):
    store: str
    games: int


class CheckRow(TypedDict):
    check: str
    level: Literal["ok", "warn", "fail"]
    message: str
    fix: NotRequired[str]


class DoctorAnswer(TypedDict):
    checks: list[CheckRow]


class SchemaAnswer(TypedDict):
    schemas: list[str]


class HelpAnswer(TypedDict):
    topic: NotRequired[str]
    text: NotRequired[str]
    topics: NotRequired[list[str]]
    exit_codes: NotRequired[dict[str, str]]


class DisputeRow(TypedDict):
    id: str
    numbers: list[int]
    seat: str | None
    clause: str | None
    text: str
    cause: Literal["seat", "finding", "stands", "deal"]
    holds: bool
    settled: str | None


class DisputeAnswer(DisputeRow):
    game: str


class DisputeListAnswer(TypedDict):
    game: str
    disputes: list[DisputeRow]


class RemedyRow(TypedDict):
    remedy: str
    possible: bool
    problem: NotRequired[str]
    gone: NotRequired[list[int]]
    judged_again: NotRequired[int]
    rejudged: NotRequired[list[RejudgedRow]]
    pending: NotRequired[list[int]]


class DisputedActionRow(VerdictAnswer):
    number: int
    notation: str
    action: Data | None
    status: Literal["counts", "pending", "taken_back", "corrected"]
    stands: bool


class DisputeShowAnswer(DisputeAnswer):
    before: Data
    actions: list[DisputedActionRow]
    legal: list[str]
    readings: dict[str, str]
    precedents: list[Data]
    remedies: list[RemedyRow]


class RulingIssueAnswer(ChangeAnswer):
    ruling: Data | None
    penalties: list[Data]
    disputes: list[str]
    told: list[str]


class RulingListAnswer(TypedDict):
    rulings: list[Data]


class CountAnswer(TypedDict):
    file: NotRequired[str]
    source: NotRequired[str]
    rulings: int
    new: NotRequired[int]


class PenaltyAnswer(TypedDict):
    game: str
    id: str
    seat: str
    level: str
    reason: str
    ruling: str | None
    cancelled: str | None


class PenaltyListAnswer(TypedDict):
    game: str
    penalties: list[PenaltyAnswer]


class WhatIfRow(TypedDict):
    game: str
    differences: list[Data]


class WhatIfAnswer(TypedDict):
    games: list[WhatIfRow]
    differ: int


class NoteAnswer(TypedDict):
    game: str
    author: str
    id: str
    number: int
    on: str | None
    text: str
    glyphs: list[str]
    tags: list[str]
    marks: list[str]
    arrows: list[list[str]]
    clauses: list[str]
    variation: list[str]
    bookmark: bool


class NoteRemoveAnswer(TypedDict):
    game: str
    note: str


class NoteListAnswer(TypedDict):
    game: str
    notes: list[NoteAnswer]


class FoundNote(TypedDict):
    game: str
    note: str
    number: int
    text: str
    tags: str


class NoteSearchAnswer(TypedDict):
    notes: list[FoundNote]


class HeadAnswer(TypedDict):
    game: str
    code: str
    head: str
    entries: int


class SignAnswer(TypedDict):
    game: str
    entry: int
    signs: int
    code: str
    head: str
    key: str


class KeyAnswer(TypedDict):
    key: str
    name: str
    revoked: str | None
    reason: str


class KeyRow(KeyAnswer):
    own: bool


class KeyListAnswer(TypedDict):
    keys: list[KeyRow]


class KeyExportAnswer(TypedDict):
    file: str
    keys: int


class KeyImportAnswer(TypedDict):
    file: str
    new: int
    revoked: int


class SecretAnswer(TypedDict):
    game: str
    id: str
    seat: str
    what: str
    digest: str
    value: Any


class SecretOpenAnswer(SecretAnswer):
    findings: list[FindingAnswer]
    disputes: list[str]


class SecretShowAnswer(TypedDict):
    game: str
    id: str
    salt: str
    value: list[str]


class SecretListAnswer(TypedDict):
    game: str
    secrets: list[SecretAnswer]


class SealedGameRow(TypedDict):
    game: str
    entries: int
    head: str


class SealMakeAnswer(TypedDict):
    file: str
    title: str
    at: str
    games: list[SealedGameRow]
    root: str
    key: str
    signature: str


class SealProblemRow(TypedDict):
    game: str
    problem: str
    breaks: bool


class SealCheckAnswer(TypedDict):
    file: str
    title: str
    at: str
    games: int
    ok: bool
    problems: list[SealProblemRow]


class PersonRow(TypedDict):
    person: str
    name: str
    games: int


class PeopleListAnswer(TypedDict):
    people: list[PersonRow]


class PeopleRenameAnswer(TypedDict):
    person: str
    name: str


class PeopleEraseAnswer(TypedDict):
    person: str


class ErrorAnswer(TypedDict):
    code: str
    exit: int
    message: str
    facts: Data


ANSWERS: dict[str, Any] = {
    "new": NewAnswer,
    "games": GamesAnswer,
    "open": OpenAnswer,
    "info": InfoAnswer,
    "log": LogAnswer,
    "check": CheckAnswer,
    "state": StateAnswer | FileAnswer,
    "options": OptionsAnswer,
    "why": WhyAnswer,
    "moves": MovesAnswer,
    "diff": DiffAnswer,
    "undo": UndoAnswer,
    "redo": RedoAnswer,
    "correct": CorrectAnswer,
    "adjust": AdjustAnswer,
    "finish": FinishAnswer,
    "reopen": GameAnswer,
    "rules": RulesAnswer,
    "kit-list": KitListAnswer,
    "kit-show": KitShowAnswer,
    "kit-check": KitCheckAnswer,
    "kit-key": FileAnswer,
    "kit-declare": KitDeclareAnswer,
    "engine-list": EngineListAnswer,
    "engine-info": EngineInfoAnswer,
    "cases": CasesAnswer,
    "dispute-open": DisputeAnswer,
    "dispute-list": DisputeListAnswer,
    "dispute-close": DisputeAnswer,
    "dispute-show": DisputeShowAnswer,
    "ruling-issue": RulingIssueAnswer,
    "ruling-list": RulingListAnswer,
    "ruling-show": Data,
    "ruling-export": CountAnswer,
    "ruling-import": CountAnswer,
    "ruling-save-case": FileAnswer,
    "penalty-add": PenaltyAnswer,
    "penalty-cancel": PenaltyAnswer,
    "penalty-list": PenaltyListAnswer,
    "what-if": WhatIfAnswer,
    "head": HeadAnswer,
    "sign": SignAnswer,
    "keys-new": KeyAnswer,
    "keys-list": KeyListAnswer,
    "keys-show": KeyAnswer,
    "keys-trust": KeyAnswer,
    "keys-revoke": KeyAnswer,
    "keys-export": KeyExportAnswer,
    "keys-import": KeyImportAnswer,
    "secret-seal": SecretAnswer,
    "secret-open": SecretOpenAnswer,
    "secret-show": SecretShowAnswer,
    "secret-list": SecretListAnswer,
    "seal-make": SealMakeAnswer,
    "seal-check": SealCheckAnswer,
    "hold": HeldAnswer,
    "resume": HeldAnswer,
    "note-add": NoteAnswer,
    "note-remove": NoteRemoveAnswer,
    "note-list": NoteListAnswer,
    "note-search": NoteSearchAnswer,
    "export": FileAnswer,
    "import": ImportAnswer,
    "gallery": GalleryAnswer,
    "verify": VerifyAnswer,
    "replay": ReplayAnswer,
    "people-list": PeopleListAnswer,
    "people-rename": PeopleRenameAnswer,
    "people-erase": PeopleEraseAnswer,
    **TOURNAMENT_ANSWERS,
    "backup": FileAnswer,
    "restore": RestoreAnswer,
    "doctor": DoctorAnswer,
    "schema": SchemaAnswer,
    "help": HelpAnswer,
}


def envelope_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a whole answer."""
    from pydantic import TypeAdapter

    body = TypeAdapter(ErrorAnswer if name == "error" else ANSWERS[name]).json_schema()
    defs = body.pop("$defs", {})
    if name == "error":
        return {
            "type": "object",
            "required": ["ok", "schema", "error"],
            "properties": {
                "ok": {"const": False},
                "schema": {"const": "referee/error@1"},
                "error": body,
            },
            "additionalProperties": False,
            "$defs": defs,
        }
    return {
        "type": "object",
        "required": ["ok", "schema", "data", "warnings"],
        "properties": {
            "ok": {"type": "boolean"},
            "schema": {"const": f"referee/{name}@1"},
            "data": body,
            "warnings": {"type": "array", "items": {"type": "string"}},
        },
        "additionalProperties": False,
        "$defs": defs,
    }
