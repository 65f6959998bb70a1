"""Reading a game again: entries, steps, notes, statistics; import and export."""

from __future__ import annotations

from answers.operations.declaration import NAMED_BY_FUNCTION, Operation
from answers.permissions import EVERYBODY, IMPORTERS, KEEPERS, NOBODY, ORGANISER, Writes

OPERATIONS = (
    Operation(
        name="entries",
        run="answers.review.entries:entries",
        http="GET /games/{game}/entries",
        grant=EVERYBODY,
        params="answers.requests.review:EntriesRequest",
    ),
    Operation(
        name="replay",
        run="answers.review.replay:replay",
        http="GET /games/{game}/steps",
        grant=EVERYBODY,
        params="answers.requests.review:StepsRequest",
    ),
    Operation(
        name="note-list",
        run="answers.review.notes:notes",
        http="GET /games/{game}/notes",
        grant=EVERYBODY,
        params="answers.requests.review:NotesRequest",
        etag="content",
    ),
    Operation(
        name="note-add",
        run="answers.review.notes:add",
        http="POST /games/{game}/notes",
        grant=Writes("noted"),
        kind="write",
        params="answers.requests.review:NoteRequest",
        rename={"where": "on", "annotation": "*"},
    ),
    Operation(
        name="note-remove",
        run="answers.review.notes:remove",
        http="POST /games/{game}/notes/{note}/removal",
        grant=Writes("unnoted"),
        kind="write",
        params="answers.requests.play:ReasonRequest",
    ),
    Operation(
        name="note-search",
        run="answers.review.notes:search",
        http="GET /notes",
        grant=KEEPERS,
        params="answers.requests.review:SearchRequest",
        slow=True,
    ),
    Operation(
        name="move-search",
        run="answers.review.move_search:search",
        http="GET /moves",
        grant=KEEPERS,
        params="answers.requests.review:SearchRequest",
        slow=True,
    ),
    Operation(
        name="stats",
        run="answers.review.stats:statistics",
        http="GET /statistics",
        grant=KEEPERS,
        params="answers.requests.review:StatsRequest",
        rename={"selection": "*"},
        slow=True,
    ),
    Operation(
        name="stats-picture",
        run="answers.review.stats:chart",
        http="GET /statistics/picture",
        grant=KEEPERS,
        params="answers.requests.review:StatsRequest",
        rename={"selection": "*"},
        file="statistics.svg",
        slow=True,
    ),
    Operation(
        name="export",
        run="answers.review.import_export:export",
        served="answers.review.import_export:export_for",  # rights depend on the format
        http="GET /games/{game}/exports/{format}",
        grant=EVERYBODY,
        params="answers.requests.review:GameExportRequest",
        rename={"wanted": "*"},
        file=NAMED_BY_FUNCTION,
        slow=True,
        etag="content",
    ),
    Operation(
        name="import",
        run="answers.review.import_export:take_records",
        served="answers.review.import_export:take_records_for",
        http="POST /imports",
        grant=IMPORTERS,
        kind="write",
        params="answers.requests.review:ImportRequest",
        upload="answers.requests.uploads:records",
        slow=True,
    ),
    Operation(
        name="import-accept",
        run="answers.review.import_export:accept",
        http="POST /games/{game}/acceptance",
        grant=ORGANISER,
        kind="write",
    ),
    Operation(
        name="gallery",
        run="answers.review.gallery:written",
        grant=NOBODY,
    ),
)
