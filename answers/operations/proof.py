"""What proves a record: heads, signatures, sealed values, round seals, verification."""

from __future__ import annotations

from answers.operations.declaration import Operation
from answers.permissions import EVERYBODY, JUDGES, NOBODY, TABLE, Tells, Writes

OPERATIONS = (
    Operation(
        name="head",
        run="answers.proof.signatures:head",
        http="GET /games/{game}/head",
        grant=EVERYBODY,
        rename={"stream": "game"},
    ),
    Operation(
        name="sign",
        run="answers.proof.signatures:sign",
        served="answers.proof.signatures:add_signature",  # private keys stay with the client
        key_as_said=True,
        http="POST /games/{game}/signatures",
        grant=Writes("signed"),
        kind="write",
        params="answers.requests.proof:SignatureRequest",
        rename={"stream": "game"},
    ),
    Operation(
        name="tournament-head",
        run="answers.proof.signatures:head",
        http="GET /tournaments/{tournament}/head",
        grant=EVERYBODY,
        rename={"stream": "tournament"},
        answer="head",
    ),
    Operation(
        name="tournament-sign",
        run="answers.proof.signatures:sign",
        served="answers.proof.signatures:add_signature",  # private keys stay with the client
        key_as_said=True,
        http="POST /tournaments/{tournament}/signatures",
        grant=Tells("tournament_signed"),
        kind="write",
        params="answers.requests.proof:SignatureRequest",
        rename={"stream": "tournament"},
        answer="sign",
    ),
    Operation(
        name="secret-list",
        run="answers.proof.commitments:secrets",
        http="GET /games/{game}/secrets",
        grant=EVERYBODY,
    ),
    Operation(
        name="secret-seal",
        run="answers.proof.commitments:seal",
        served="answers.proof.commitments:seal_hashed",  # value and salt stay with the client
        http="POST /games/{game}/secrets",
        grant=Writes("sealed"),
        kind="write",
        params="answers.requests.proof:SealRequest",
    ),
    Operation(
        name="secret-open",
        run="answers.proof.commitments:open_sealed",
        http="POST /games/{game}/secrets/{secret}/opening",
        grant=Writes("unsealed"),
        kind="write",
        params="answers.requests.proof:RevealRequest",
        rename={"seal_id": "secret", "secret": "*"},
    ),
    Operation(
        name="verify",
        run="answers.proof.verification:verify_game",
        http="GET /games/{game}/verification",
        grant=TABLE,
        params="answers.requests.proof:HeadsRequest",
        slow=True,
    ),
    Operation(
        name="verify-all",
        run="answers.proof.verification:verify_all",
        http="GET /verification",
        grant=JUDGES,
        answer="verify",
        slow=True,
    ),
    Operation(
        name="verify-record",
        run="answers.proof.verification:verify",
        http="POST /verification",
        grant=EVERYBODY,
        kind="try",
        upload="answers.requests.uploads:record_to_verify",
        answer="verify",
        scope="public",
        slow=True,
    ),
    Operation(
        name="seal-make",
        run="answers.proof.round_seals:make",
        http="POST /seals",
        grant=JUDGES,
        kind="try",
        params="answers.requests.proof:RoundSealRequest",
    ),
    Operation(
        name="seal-check",
        run="answers.proof.round_seals:check",
        http="POST /seals/check",
        grant=JUDGES,
        kind="try",
        params="referee.proof.round_seals:RoundSeal",
        rename={"seal": "*"},
    ),
    Operation(
        name="keys-new",
        run="answers.proof.signatures:new_key",
        grant=NOBODY,
    ),
    Operation(
        name="keys-list",
        run="answers.proof.signatures:keys",
        grant=NOBODY,
    ),
    Operation(
        name="keys-show",
        run="answers.proof.signatures:key",
        grant=NOBODY,
    ),
    Operation(
        name="keys-trust",
        run="answers.proof.signatures:trust",
        grant=NOBODY,
    ),
    Operation(
        name="keys-revoke",
        run="answers.proof.signatures:revoke",
        grant=NOBODY,
    ),
    Operation(
        name="keys-import",
        run="answers.proof.signatures:take_keys",
        grant=NOBODY,
    ),
    Operation(
        name="secret-show",
        run="answers.proof.commitments:show",
        grant=NOBODY,
    ),
)
