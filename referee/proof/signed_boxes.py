"""Exchange of boxes between clubs: what one club has seen, signed with its key or not at all."""

from __future__ import annotations

import binascii
import json
from base64 import b64decode, b64encode
from hashlib import sha256
from typing import Annotated, Literal

from pydantic import BaseModel, Field, JsonValue, TypeAdapter, ValidationError, model_validator

from engines.kernel.messages.catalogue import Phrase
from engines.kernel.messages.errors import Flaw, first_mistake
from engines.kernel.rules.actions import PlainText
from engines.kernel.values.models import STRICT
from referee.errors import Unfit
from referee.proof.keys import KeyRing, is_signed
from referee.store.canonical_json import NotCanonical, canonical
from referee.untrusted.safe_json import UnsafeJson, read_json

NO_KEY, NO_SIGNATURE = "0" * 64, "0" * 128
"""Of a file that nobody has signed."""
FORM: Literal["referee box 1"] = "referee box 1"
WITH_PICTURES: Literal["referee box 2"] = "referee box 2"
_NOT_COVERED = {"pictures", "boards"}
"""What the first form has no place for."""
MOST_DATA = 2000
MOST_PICTURES = 300
MOST_BOX_BYTES = 32 * 1024 * 1024
"""Of a file with pictures."""


Club = Annotated[PlainText, Field(min_length=1, max_length=60)]
_CLUB: TypeAdapter[str] = TypeAdapter(Club)


def is_club(name: str) -> bool:
    """Whether a club can be called so."""
    try:
        _CLUB.validate_python(name)
    except ValidationError:
        return False
    return True


class BoxDatum(BaseModel):
    """One datum, and how the club that tells it knows it."""

    model_config = STRICT

    path: PlainText = Field(min_length=1, max_length=200)
    value: JsonValue
    source: PlainText = Field(max_length=200)


class BoxPicture(BaseModel):
    """A photograph of a part of the box, a board or a piece."""

    model_config = STRICT

    page: PlainText = Field(min_length=1, max_length=80)
    content: Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]+={0,2}$")]

    @classmethod
    def of(cls, page: str, content: bytes) -> BoxPicture:
        return cls(page=page, content=b64encode(content).decode())

    def decoded(self) -> bytes:
        try:
            return b64decode(self.content, validate=True)
        except binascii.Error:
            raise Unfit("photo_unknown") from None


class BoxFile(BaseModel):
    """A box that a club vouches for."""

    model_config = STRICT

    format: Literal["referee box 1", "referee box 2"] = FORM
    game: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    """What the box is called where it comes from."""
    club: Club
    data: tuple[BoxDatum, ...] = Field(max_length=MOST_DATA)
    pictures: tuple[BoxPicture, ...] = Field(default=(), max_length=MOST_PICTURES)
    boards: dict[str, JsonValue] = Field(default={}, max_length=20)
    """Where the spaces of each board lie on its photograph."""
    key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] = NO_KEY
    signature: Annotated[str, Field(pattern=r"^[0-9a-f]{128}$")] = NO_SIGNATURE

    @model_validator(mode="after")
    def _has_something(self) -> BoxFile:
        """One that tells nothing has at least pictures; one of the form without them has none, as
        they are neither signed nor in its fingerprint."""
        for name in _NOT_COVERED if self.format == FORM else ():
            if getattr(self, name):
                raise Flaw("at", place=name, problem=Phrase("flaw.not_empty"))
        if not (self.data or self.pictures):
            raise Flaw("at", place="data", problem=Phrase("flaw.missing"))
        return self

    @property
    def signed(self) -> bool:
        return (self.key, self.signature) != (NO_KEY, NO_SIGNATURE)

    @property
    def digest(self) -> str:
        """The SHA-256 of the file as it is written: two clubs can compare it by word of mouth."""
        return sha256(self.written()).hexdigest()

    def message(self) -> bytes:
        """The signed message: everything but key and signature."""
        return self.format.encode() + b"\n" + canonical(self._content({"key", "signature"}))

    def _content(self, left_out: set[str]) -> dict[str, JsonValue]:
        """What the file says; one without pictures says nothing of them."""
        if self.format == FORM:
            left_out = left_out | _NOT_COVERED
        content: dict[str, JsonValue] = self.model_dump(mode="json", exclude=left_out)
        return content

    def written(self) -> bytes:
        return (json.dumps(self._content(set()), ensure_ascii=False, indent=1) + "\n").encode()


def signed_box(box: BoxFile, ring: KeyRing, key_name: str, passphrase: str = "") -> bytes:
    """Sign a box file with one of our keys."""
    key, signature = ring.sign(key_name, box.message(), passphrase)
    signed = box.model_copy(update={"key": key, "signature": signature})
    return signed.written()


def read_box(content: bytes, file: str) -> BoxFile:
    """Parse a box file from elsewhere and verify its signature, if somebody has signed it."""
    try:
        box = BoxFile.model_validate(read_json(content, limit=MOST_BOX_BYTES))
        message = box.message()
    except (UnsafeJson, NotCanonical) as error:
        raise Unfit("bad_file", file=file, problem=error.phrase) from None
    except ValidationError as error:
        raise Unfit("bad_file", file=file, problem=first_mistake(error).phrase) from None
    if box.signed and not is_signed(box.key, message, box.signature):
        raise Unfit("box_not_signed", file=file)
    return box
