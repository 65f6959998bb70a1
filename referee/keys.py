"""Keys a club can live with: Ed25519 key pairs in a folder, and whom we trust.

Private keys stay in the user's data folder, readable by the user alone, with a passphrase
if wanted. A lost or stolen key is revoked with a date; what it signed before stays good.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.errors import Conflicting, Misused, NotFound, Unfit

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_NAME = re.compile(r"^[a-z0-9][a-z0-9_-]{0,39}$")


@dataclass(frozen=True)
class Trusted:
    """A public key we know, whose it is, and since when it is no longer good."""

    key: str
    name: str
    revoked: str | None = None
    reason: str = ""

    @property
    def fingerprint(self) -> str:
        return self.key[:16]

    def good_at(self, moment: str) -> bool:
        return self.revoked is None or moment < self.revoked


class KeyRing:
    """The keys in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    # our own keys

    def new(self, name: str, passphrase: str = "") -> Trusted:
        """A new pair; the public half is trusted at once."""
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        path = self._path(name)
        if path.exists():
            raise Conflicting("key_exists", name=name)
        private = Ed25519PrivateKey.generate()
        encryption: Any = serialization.NoEncryption()
        if passphrase:
            encryption = serialization.BestAvailableEncryption(passphrase.encode())
        pem = private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption
        )
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(pem)
        return self.trust(name, private.public_key().public_bytes_raw().hex())

    def own(self) -> list[str]:
        return sorted(path.stem for path in self.folder.glob("*.pem"))

    def sign(self, name: str, message: bytes, passphrase: str = "") -> tuple[str, str]:
        """The public key and the signature, both in hex."""
        private = self._private(name, passphrase)
        return private.public_key().public_bytes_raw().hex(), private.sign(message).hex()

    def _private(self, name: str, passphrase: str) -> Ed25519PrivateKey:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        path = self._path(name)
        if not path.is_file():
            raise NotFound("no_such_key", name=name, keys=self.own())
        try:
            key = serialization.load_pem_private_key(
                path.read_bytes(), passphrase.encode() if passphrase else None
            )
        except TypeError:
            raise Misused("passphrase_needed", name=name) from None
        except ValueError:
            raise Unfit("passphrase_wrong", name=name) from None
        if not isinstance(key, Ed25519PrivateKey):
            raise Unfit("not_a_key", name=name)
        return key

    def _path(self, name: str) -> Path:
        if not _NAME.match(name):
            raise Misused("bad_key_name", name=name)
        return self.folder / f"{name}.pem"

    # whom we trust

    def trusted(self) -> dict[str, Trusted]:
        """Every public key we know, by the key itself."""
        try:
            rows = json.loads(self._book.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except ValueError:
            raise Unfit("bad_file", file=self._book.name, problem="not JSON") from None
        return {row["key"]: Trusted(**row) for row in rows}

    def trust(self, name: str, key: str) -> Trusted:
        if not re.fullmatch(r"[0-9a-f]{64}", key):
            raise Unfit("not_a_key", name=name)
        known = self.trusted()
        if key in known:
            return known[key]
        return self._keep(Trusted(key, name))

    def revoke(self, which: str, moment: str, reason: str) -> Trusted:
        """From this moment on its signatures no longer count; earlier ones do."""
        found = self.find(which)
        if found.revoked is not None:
            raise Conflicting("key_revoked", name=found.name)
        return self._keep(Trusted(found.key, found.name, moment, reason))

    def find(self, which: str) -> Trusted:
        """A key by its owner's name or by the beginning of the key."""
        found = [
            trusted
            for trusted in self.trusted().values()
            if trusted.name == which or trusted.key.startswith(which.lower())
        ]
        if len(found) != 1:
            raise NotFound("no_such_key", name=which, keys=[t.name for t in found] or self.own())
        return found[0]

    @property
    def _book(self) -> Path:
        return self.folder / "trusted.json"

    def _keep(self, trusted: Trusted) -> Trusted:
        rows = [asdict(row) for row in {**self.trusted(), trusted.key: trusted}.values()]
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = self._book.with_suffix(f".{os.getpid()}")
        temporary.write_text(json.dumps(rows, indent=1), encoding="utf-8")
        temporary.replace(self._book)
        return trusted


def is_signed(key: str, message: bytes, signature: str) -> bool:
    """Whether the signature of a message was made with this key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(signature), message
        )
    except (InvalidSignature, ValueError):
        return False
    return True
