"""Exchange of boxes between clubs: what one club has seen, signed with its key."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import BaseModel, Field, JsonValue, ValidationError

from engines.kernel.messages.errors import first_mistake
from engines.kernel.rules.actions import PlainText
from engines.kernel.values.models import STRICT
from referee.errors import Unfit
from referee.proof.keys import KeyRing, is_signed
from referee.store.canonical_json import NotCanonical, canonical
from referee.untrusted.safe_json import UnsafeJson, read_json
from referee.untrusted.safe_toml import MAX_FILE_BYTES

FORM: Literal["referee box 1"] = "referee box 1"
MOST_DATA = 2000


class BoxDatum(BaseModel):
    """One datum, and how the club that tells it knows it."""

    model_config = STRICT

    path: PlainText = Field(min_length=1, max_length=200)
    value: JsonValue
    source: PlainText = Field(max_length=200)


class BoxFile(BaseModel):
    """A box that a club vouches for."""

    model_config = STRICT

    format: Literal["referee box 1"] = FORM
    game: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    """What the box is called where it comes from."""
    club: PlainText = Field(min_length=1, max_length=60)
    data: tuple[BoxDatum, ...] = Field(min_length=1, max_length=MOST_DATA)
    key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] = "0" * 64
    signature: Annotated[str, Field(pattern=r"^[0-9a-f]{128}$")] = "0" * 128

    def message(self) -> bytes:
        """The signed message: everything but key and signature."""
        content = self.model_dump(mode="json", exclude={"key", "signature"})
        return FORM.encode() + b"\n" + canonical(content)


def signed_box(box: BoxFile, ring: KeyRing, key_name: str, passphrase: str = "") -> bytes:
    """Sign a box file with one of our keys."""
    key, signature = ring.sign(key_name, box.message(), passphrase)
    signed = box.model_copy(update={"key": key, "signature": signature})
    return (
        json.dumps(signed.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"
    ).encode()


def read_box(content: bytes, file: str) -> BoxFile:
    """Parse a box file from elsewhere and verify its signature."""
    try:
        box = BoxFile.model_validate(read_json(content, limit=MAX_FILE_BYTES))
        message = box.message()
    except (UnsafeJson, NotCanonical) as error:
        raise Unfit("bad_file", file=file, problem=error.phrase) from None
    except ValidationError as error:
        raise Unfit("bad_file", file=file, problem=first_mistake(error).phrase) from None
    if not is_signed(box.key, message, box.signature):
        raise Unfit("box_not_signed", file=file)
    return box
