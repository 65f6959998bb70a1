"""Keys and signatures, sealed rounds and secrets, verification; of games and of tournaments."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from answers.proof import commitments, round_seals, signatures
from answers.proof.verification import Record, stored_records, verify_all
from answers.proof.verification import verify as prove
from cli.local_keys import key_ring, passphrase, secret_keep, unlocking
from cli.output import atomic_write, put_new, refuse_existing, with_line
from cli.session import Session, session
from referee.errors import Misused
from referee.untrusted.safe_toml import read_toml_file, write_toml


def sign(key: str) -> int:
    here, ring = session(), key_ring()
    secret = unlocking(here, ring, key)
    return here.run(signatures.sign, here.game_id(), ring, key, secret)


def new_key(name: str, *, lock: bool = False) -> int:
    here = session()
    secret = passphrase(here, name, new=True) if lock else ""
    return here.answer(signatures.new_key, signatures.new_key(key_ring(), name, secret))


def revoke_key(name: str, *, reason: str, since: str | None = None) -> int:
    """From now, from the beginning of a day, or from a moment in UTC."""
    from referee.table.bench import utc_now

    if since is None:
        since = utc_now()
    elif "T" not in since:
        since = f"{since}T00:00:00.000Z"
    answered = signatures.revoke(key_ring(), name, since, reason)
    return session().answer(signatures.revoke, answered)


def export_keys(
    names: Sequence[str] = (), *, output: Path = Path("keys.toml"), force: bool = False
) -> int:
    text, count = signatures.keys_file(key_ring(), names)
    return put_new(
        session(),
        output,
        lambda: text,
        told=lambda voice: [voice.say("keys.exported", count=count, file=str(output))],
        force=force,
    )


def import_keys(file: str) -> int:
    from referee.proof.keys import read_keys

    book = read_keys(read_toml_file(file), file)
    return session().answer(signatures.take_keys, signatures.take_keys(key_ring(), book))


def seal_round(
    title: str,
    games: Sequence[str] = (),
    *,
    everything: bool = False,
    key: str | None = None,
    output: Path = Path("seal.toml"),
    force: bool = False,
) -> int:
    """One file that pins all games of a round."""
    here, ring = session(), key_ring()
    if not games and not everything:
        raise Misused("which_games")
    refuse_existing(output, force)
    secret = unlocking(here, ring, key) if key is not None else ""
    wanted = None if everything else games
    answered = here.caller.ask(round_seals.make, title, wanted, ring, key or "", secret)
    atomic_write(output, write_toml(answered.plain()).encode())
    written = here.voice.say("written", file=str(output))
    return here.answer(round_seals.make, with_line(answered, written))


def check_seal(file: str) -> int:
    from referee.proof.round_seals import read_seal

    return session().run(round_seals.check, read_seal(read_toml_file(file)), key_ring())


def open_secret(secret: str, value: Sequence[str] = (), *, salt: str | None = None) -> int:
    from referee.proof.commitments import SaltedValue

    here = session()
    ask, game = here.caller.ask, here.game_id()
    if salt is None:
        sealed = ask(commitments.kept_secret, game, secret_keep(), secret)
    else:
        sealed = SaltedValue(salt=salt, words=tuple(value))
    return here.run(commitments.open_sealed, game, secret, sealed)


def verify(
    what: Sequence[str] = (),
    *,
    head: Sequence[str] = (),
    signed_by: Sequence[str] = (),
    everything: bool = False,
    jobs: Annotated[int | None, Field(ge=1)] = None,
) -> int:
    """Form, chain, replay; of a stored game or of a file."""
    from cli.progress import progress_line, progress_of
    from referee.archive.process_pool import cores

    here, ring = session(), key_ring()
    if everything:
        answered = here.caller.ask(
            verify_all,
            ring,
            heads=head,
            signed_by=signed_by,
            processes=jobs or cores(),
            progress=progress_of(),
            tell=here.tell,
        )
        return here.answer(prove, answered)
    records = _records(here, what)
    return here.run(prove, records, ring, heads=head, signed_by=signed_by, progress=progress_line)


def _records(here: Session, names: Sequence[str]) -> Iterator[Record]:
    """Files, and games of the store."""
    from replays.formats import read_record_file

    for name in names or [here.game_id()]:
        if Path(name).is_file():
            record_file = read_record_file(Path(name))
            yield Record(record_file.stream, record_file.rows)
        else:
            yield from here.caller.ask(stored_records, [here.caller.find_stream(name)])


# of a tournament


def tournament_head() -> int:
    here = session()
    return here.answer(signatures.head, here.organiser.ask(signatures.head, _stream(here)))


def sign_tournament(key: str) -> int:
    here, ring = session(), key_ring()
    secret = unlocking(here, ring, key)
    answered = here.organiser.ask(signatures.sign, _stream(here), ring, key, secret)
    return here.answer(signatures.sign, answered)


def verify_tournament(*, head: Sequence[str] = (), signed_by: Sequence[str] = ()) -> int:
    here = session()
    records = here.organiser.ask(stored_records, [_stream(here)])
    answered = here.organiser.ask(prove, records, key_ring(), heads=head, signed_by=signed_by)
    return here.answer(prove, answered)


def _stream(here: Session) -> str:
    from cli.tournament.context import TOURNAMENT

    return here.organiser.store_context.desk.find(TOURNAMENT.id(here))
