"""Names under which requests were published before they were called after their operation.

Clients that were generated from the OpenAPI document have them. A new operation needs none: the
request of ``season-team`` is ``SeasonTeamRequest``.
"""

_WITHOUT_FIRST_WORD = (
    "check-position dispute-attend game-kit hold-attend kit-asked kit-box move-search "
    "note-search people-rename ruling-feed secret-seal tournament-announce tournament-bye "
    "tournament-check-in tournament-clock-start tournament-comment tournament-feature "
    "tournament-fee tournament-finals tournament-keep-apart tournament-line-up tournament-lot "
    "tournament-merge tournament-move tournament-paper tournament-register "
    "tournament-round-check-in tournament-schedule tournament-sign-up tournament-standings "
    "tournament-swap tournament-teams tournament-wall"
)
"""``ByeRequest`` is that of ``tournament-bye``."""
_OF_A_BOX = (
    "kit-board kit-board-picture kit-cut kit-export kit-import kit-page kit-photo kit-piece "
    "kit-place"
)
"""``BoxCutRequest`` is that of ``kit-cut``."""
_OPERATIONS = {
    "AccessRulesRequest": "tournament-rules",
    "ActionsRequest": "log",
    "AddEventRequest": "season-add",
    "AdjustmentRequest": "adjust",
    "AnswerCallRequest": "tournament-call-answer",
    "ArrivalRequest": "tournament-return",
    "AtEventRequest": "tournament-info",
    "AtRequest": "state position",
    "AttendRequest": "tournament-call-take",
    "BegunLineRequest": "choices",
    "BetweenRequest": "diff",
    "BoxDataRequest": "kit-told",
    "BoxPageRequest": "kit-photo-add kit-photo-erase",
    "BoxRequest": "kit-pieces kit-csv kit-csv-take",
    "CallJudgeRequest": "tournament-call",
    "ChapterNoteRequest": "collection-note",
    "ChapterRequest": "collection-put",
    "CheckInRequest": "tournament-invite",
    "ClausesRequest": "rules",
    "ClockReasonRequest": "tournament-clock-pause tournament-clock-stop",
    "ClockTimeRequest": "clock-set",
    "CloseTournamentRequest": "tournament-close",
    "CollectionRequest": "collection-new",
    "ContentRequest": "kit-check",
    "CreateSeasonRequest": "season-new",
    "DatumRequest": "kit-declare",
    "DisputeRequest": "dispute-open",
    "DisputeTrialRequest": "dispute-picture",
    "DisputesRequest": "dispute-list",
    "EditPlayerRequest": "tournament-edit",
    "EndingRequest": "finish",
    "ExplainPairingRequest": "tournament-explain",
    "ExtendClockRequest": "tournament-clock-extend",
    "GiveTokenRequest": "access-give",
    "GoodReasonRequest": (
        "reopen penalty-cancel tournament-reopen tournament-unpair tournament-finals-cancel"
        " tournament-penalty-cancel tournament-apart-end"
    ),
    "HeadsRequest": "verify",
    "InviteRequest": "access-code",
    "KitRequest": "kit-show",
    "LateArrivalRequest": "tournament-late",
    "LatestRequest": "access-log",
    "ListPlayersRequest": "season-players-add",
    "LogRequest": "tournament-import",
    "MergeSeasonPlayersRequest": "season-merge",
    "MomentRequest": "reached",
    "NextPenaltyRequest": "tournament-penalty-next",
    "NotesRequest": "note-list",
    "OpenTableRequest": "tournament-table",
    "PairingRequest": "tournament-pair",
    "PenaltyRequest": "penalty-add",
    "PrefixRequest": "options",
    "ReasonRequest": "hold resume dispute-close note-remove photo-erase",
    "RegistrationRequest": "tournament-registration-set",
    "RemoveEventRequest": "season-remove",
    "ReopenRequest": "tournament-round-reopen",
    "ReplaceRequest": "tournament-finalist",
    "ResultsRequest": "tournament-result-list",
    "ReviseSeasonRequest": "season-revise",
    "RoundRequest": "tournament-round-close tournament-clock tournament-broadcast",
    "RoundSealRequest": "seal-make",
    "RoundTablesRequest": "tournament-round",
    "RulingsRequest": "ruling-list",
    "SourceRequest": "ruling-export",
    "StartRoundRequest": "tournament-start",
    "StepsRequest": "replay",
    "TakeResultRequest": "tournament-results",
    "ThroughRequest": "tournament-why",
    "TogetherRequest": "tournament-seat",
    "TournamentPenaltyRequest": "tournament-penalise",
    "TrialLinesRequest": "dispute-show",
    "UndoStartRequest": "tournament-unstart",
    "UnlistPlayerRequest": "season-players-remove",
    "UptoRequest": "confirm",
    "WaitingRequest": "tournament-move-up",
    "WithdrawRequest": "tournament-unregister tournament-drop",
    "ZonesRequest": "tournament-zones-set",
}


def request_name(operation: str) -> str:
    """``season-team`` is asked with a ``SeasonTeamRequest``."""
    return "".join(word.capitalize() for word in operation.split("-")) + "Request"


PUBLISHED = {
    **{name: request_name(name.partition("-")[2]) for name in _WITHOUT_FIRST_WORD.split()},
    **{name: request_name(name.replace("kit-", "box-")) for name in _OF_A_BOX.split()},
    **{operation: name for name, listed in _OPERATIONS.items() for operation in listed.split()},
}
"""By operation."""
