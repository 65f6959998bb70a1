"""Key management: Ed25519 key pairs in a folder, and the public keys we trust.

Private keys stay in the user's data folder, readable by the user alone, with a passphrase if
wanted. A lost or stolen key is revoked with a date; what it signed before stays valid.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from engines.kernel.messages.errors import first_mistake
from engines.kernel.rules.actions import PlainText
from engines.kernel.values.models import STRICT
from referee.errors import Conflicting, Misused, NotFound, Unfit
from referee.record.entries import Instant
from referee.store.canonical_json import canonical
from referee.store.durable_files import file_lock, sync_folder
from referee.untrusted.safe_json import UnsafeJson, read_json

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_NAME = r"^[a-z0-9][a-z0-9_-]{0,39}$"
_KEY = r"^[0-9a-f]{64}$"
_IS_NAME, _IS_KEY = re.compile(_NAME), re.compile(_KEY)
_SCRYPT_COST = 2**15
_MOST_KEYS = 1000


class Trusted(BaseModel):
    """A public key we know, whose it is, and since when it is no longer good."""

    model_config = STRICT

    key: str = Field(pattern=_KEY)
    name: str = Field(pattern=_NAME)
    revoked: Instant | None = None
    reason: PlainText = Field(default="", max_length=200)

    @property
    def fingerprint(self) -> str:
        return self.key[:16]

    def good_at(self, moment: str) -> bool:
        return self.revoked is None or moment < self.revoked


class KeyBook(BaseModel):
    """Public keys as they travel between clubs."""

    model_config = STRICT

    keys: tuple[Trusted, ...] = Field(max_length=_MOST_KEYS)


class _Locked(BaseModel):
    """How a passphrase locks a private key."""

    model_config = STRICT

    cost: int = Field(ge=2**14, le=2**20)
    salt: str = Field(pattern=r"^[0-9a-f]{32}$")
    nonce: str = Field(pattern=r"^[0-9a-f]{24}$")


class _KeyFile(BaseModel):
    model_config = STRICT

    format: Literal["referee key 1"] = "referee key 1"
    public: str = Field(pattern=_KEY)
    private: str = Field(pattern=r"^[0-9a-f]{64,128}$")
    locked: _Locked | None = None


class KeyRing:
    """The keys in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    # our own keys

    def new(self, name: str, passphrase: str = "") -> Trusted:
        """Generate a key pair; the public half is trusted at once."""
        with needs_keys_extra():
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        path = self._path(name)
        private = Ed25519PrivateKey.generate()
        public = private.public_key().public_bytes_raw().hex()
        raw, locked = private.private_bytes_raw(), None
        if passphrase:
            locked = _Locked(
                cost=_SCRYPT_COST, salt=secrets.token_hex(16), nonce=secrets.token_hex(12)
            )
            raw = _cipher(locked, passphrase).encrypt(bytes.fromhex(locked.nonce), raw, None)
        with folder_lock(self.folder):
            self._refuse_known(name)
            if path.exists():
                raise Conflicting("key_exists", name=name)
            write_private(path, _KeyFile(public=public, private=raw.hex(), locked=locked))
            return self._keep(Trusted(key=public, name=name))

    def own(self) -> list[str]:
        return sorted(path.stem for path in self.folder.glob("*.key"))

    def is_locked(self, name: str) -> bool:
        """Whether a private key needs a passphrase."""
        return self._file(name).locked is not None

    def sign(self, name: str, message: bytes, passphrase: str = "") -> tuple[str, str]:
        """The public key and the signature, both in hex."""
        file = self._file(name)
        signature = self._private(name, file, passphrase).sign(message).hex()
        known = self.trusted().get(file.public)
        if known is not None and known.revoked is not None:
            raise Conflicting("key_revoked", name=name)
        return file.public, signature

    def _private(self, name: str, file: _KeyFile, passphrase: str) -> Ed25519PrivateKey:
        with needs_keys_extra():
            from cryptography.exceptions import InvalidTag
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        raw = bytes.fromhex(file.private)
        if file.locked is not None:
            if not passphrase:
                raise Misused("passphrase_needed", name=name)
            nonce = bytes.fromhex(file.locked.nonce)
            try:
                raw = _cipher(file.locked, passphrase).decrypt(nonce, raw, None)
            except InvalidTag:
                raise Unfit("passphrase_wrong", name=name) from None
        try:
            private = Ed25519PrivateKey.from_private_bytes(raw)
        except ValueError:
            raise Unfit("not_a_key", name=name) from None
        if private.public_key().public_bytes_raw().hex() != file.public:
            raise Unfit("not_a_key", name=name)
        return private

    def _file(self, name: str) -> _KeyFile:
        path = self._path(name)
        if not path.is_file():
            raise NotFound("no_such_key", name=name, keys=self.own())
        try:
            return _KeyFile.model_validate_json(path.read_bytes())
        except ValidationError:
            raise Unfit("not_a_key", name=name) from None

    def _path(self, name: str) -> Path:
        if not _IS_NAME.fullmatch(name):
            raise Misused("bad_key_name", name=name[:60])
        return self.folder / f"{name}.key"

    # whom we trust

    def trusted(self) -> dict[str, Trusted]:
        """Every public key we know, by the key itself."""
        try:
            content = read_json(self._book.read_bytes())
        except FileNotFoundError:
            return {}
        except UnsafeJson as error:
            raise Unfit("bad_file", file=self._book.name, problem=error.phrase) from None
        return {key.key: key for key in read_keys(content, self._book.name).keys}

    def trust(self, name: str, key: str) -> Trusted:
        if not _IS_NAME.fullmatch(name):
            raise Misused("bad_key_name", name=name[:60])
        _check_key(name, key.lower())
        with folder_lock(self.folder):
            known = self.trusted()
            if key.lower() in known:
                return known[key.lower()]
            self._refuse_known(name)
            return self._keep(Trusted(key=key.lower(), name=name))

    def take_in(self, book: KeyBook) -> tuple[int, int]:
        """Import trusted keys and revocations from a file; returns how many of each."""
        with folder_lock(self.folder):
            return self._take_in(book)

    def _take_in(self, book: KeyBook) -> tuple[int, int]:
        known, new, revoked = self.trusted(), 0, 0
        names = {trusted.name for trusted in known.values()}
        for theirs in book.keys:
            _check_key(theirs.name, theirs.key)
            mine = known.get(theirs.key)
            if mine is None:
                if theirs.name in names:
                    raise Conflicting("key_exists", name=theirs.name)
                known[theirs.key] = theirs
                names.add(theirs.name)
                new += 1
            elif theirs.revoked is not None and mine.good_at(theirs.revoked):
                known[theirs.key] = mine.model_copy(
                    update={"revoked": theirs.revoked, "reason": theirs.reason}
                )
                revoked += 1
        self._write(known.values())
        return new, revoked

    def revoke(self, which: str, moment: str, reason: str) -> Trusted:
        """Revoke a key from this moment on; its earlier signatures stay valid."""
        with folder_lock(self.folder):
            found = self.find(which)
            if found.revoked is not None:
                raise Conflicting("key_revoked", name=found.name)
            try:
                return self._keep(
                    Trusted(key=found.key, name=found.name, revoked=moment, reason=reason)
                )
            except ValidationError as error:
                raise Misused("bad_value", problem=first_mistake(error).phrase) from None

    def find(self, which: str) -> Trusted:
        """Look up a key by its owner's name, or by a prefix of the key (six digits or more)."""
        known = list(self.trusted().values())
        found = [trusted for trusted in known if trusted.name == which]
        if not found and len(which) >= 6:
            found = [trusted for trusted in known if trusted.key.startswith(which.lower())]
        if len(found) != 1:
            raise NotFound("no_such_key", name=which[:64], keys=[t.name for t in known])
        return found[0]

    @property
    def _book(self) -> Path:
        return self.folder / "trusted.json"

    def _refuse_known(self, name: str) -> None:
        if any(trusted.name == name for trusted in self.trusted().values()):
            raise Conflicting("key_exists", name=name)

    def _keep(self, trusted: Trusted) -> Trusted:
        self._write({**self.trusted(), trusted.key: trusted}.values())
        return trusted

    def _write(self, keys: Iterable[Trusted]) -> None:
        write_private(self._book, KeyBook(keys=tuple(keys)))


def read_keys(data: Any, file: str) -> KeyBook:
    try:
        return KeyBook.model_validate(data)
    except ValidationError as error:
        raise Unfit("bad_file", file=file, problem=first_mistake(error).phrase) from None


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """An exclusive file lock around read-modify-write of what is kept in a folder."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with file_lock(folder / ".lock"):
        yield


def write_private(path: Path, content: BaseModel | Mapping[str, Any]) -> None:
    """Write a file atomically, readable by its owner alone."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_suffix(f".{os.getpid()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    plain = content.model_dump(mode="json") if isinstance(content, BaseModel) else dict(content)
    with os.fdopen(handle, "wb") as file:
        file.write(canonical(plain) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    sync_folder(path.parent)


_PRIME = 2**255 - 19
_CURVE = -121665 * pow(121666, -1, _PRIME) % _PRIME
_EIGHTH = 0x5FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_FEW_POINTS = frozenset({0, 1, _PRIME - 1, _EIGHTH, _PRIME - _EIGHTH})
"""The points of small order, by their height: one signature of theirs fits any message."""


def _check_key(name: str, key: str) -> None:
    if not _IS_KEY.fullmatch(key) or is_weak(key):
        raise Unfit("not_a_key", name=name)


def is_weak(key: str) -> bool:
    """Whether a public key is not on the curve, or of small order (anybody can sign for it)."""
    height = int.from_bytes(bytes.fromhex(key), "little") & (2**255 - 1)
    if height >= _PRIME or height in _FEW_POINTS:
        return True
    square = height * height % _PRIME
    wide = (square - 1) * pow(_CURVE * square + 1, -1, _PRIME) % _PRIME
    return pow(wide, (_PRIME - 1) // 2, _PRIME) != 1


def is_signed(key: str, message: bytes, signature: str) -> bool:
    """Verify the signature of a message with a public key."""
    if is_weak(key):
        return False
    with needs_keys_extra():
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(signature), message
        )
    except (InvalidSignature, ValueError):
        return False
    return True


def _cipher(locked: _Locked, passphrase: str) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    salt = bytes.fromhex(locked.salt)
    derived = Scrypt(salt=salt, length=32, n=locked.cost, r=8, p=1).derive(passphrase.encode())
    return ChaCha20Poly1305(derived)


@contextmanager
def needs_keys_extra() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError:
        raise Misused("extra_missing", extra="keys") from None
