"""Field types that the plan and the events of a tournament share."""

import re
from datetime import datetime
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    PlainSerializer,
    WithJsonSchema,
)

from engines.kernel.rules.actions import PlainText
from engines.kernel.values.models import STRICT

PlayerId = Annotated[str, Field(pattern=r"^p[a-z2-7]{1,20}$")]
"""A pseudonym: names live outside the stream, where they can be erased. A team is a player."""
GameName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:/+-]{1,80}$")]
Title = Annotated[PlainText, Field(min_length=1, max_length=120)]
SECTION = r"^[^,;:|]*$"
"""The other signs part the sections of a list, and a section from its prize."""
SectionLabel = Annotated[PlainText, Field(min_length=1, max_length=24, pattern=SECTION)]
"""What an organiser calls an age group or the like."""


def section_labels(told: Any) -> Any:
    """Sections as a cell or a form has them, parted by commas, or as a list: each without spaces
    around it, and none that is empty."""
    listed = re.split(r"[,;|]", told) if isinstance(told, str) else told
    if not isinstance(listed, list | tuple):
        return listed
    tidy = [" ".join(each.split()) if isinstance(each, str) else each for each in listed]
    return tuple(each for each in tidy if each != "")


Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Seed = Annotated[int, Field(ge=0, le=2**53 - 1)]
RoundNumber = Annotated[int, Field(ge=1, le=99)]
TableNumber = Annotated[int, Field(ge=1, le=999)]
EventNumber = Annotated[int, Field(ge=0, le=1_000_000)]
Halves = Annotated[int, Field(ge=0, le=2000, description="Counted in half points: 3 is 1.5.")]
Whole = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]


def _exact(value: Any) -> Any:
    return Fraction(*value) if isinstance(value, list | tuple) else value


Ratio = Annotated[
    Fraction,
    BeforeValidator(_exact),
    PlainSerializer(Fraction.as_integer_ratio, return_type=tuple[int, int]),
    WithJsonSchema(
        {
            "type": "array",
            "prefixItems": [{"type": "integer"}] * 2,
            "minItems": 2,
            "maxItems": 2,
            "description": "A fraction: numerator and denominator.",
        }
    ),
]
"""An exact number; in JSON its numerator and denominator."""


def read_moment(told: str) -> datetime:
    return datetime.fromisoformat(told)


def _is_moment(told: str) -> str:
    read_moment(told)
    return told


Moment = Annotated[
    str,
    Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$"),
    AfterValidator(_is_moment),
]
Minutes = Annotated[int, Field(ge=1, le=10_000)]

Role = Literal["spectator", "player", "scribe", "judge", "organiser"]
Unplayed = Literal["zero_bye", "half_bye", "full_bye"]
"""What a round counts for whom who asked not to play it, or was not there."""

TieBreakId = Literal[
    "PTS", "DE", "BH", "BH/C1", "BH/C2", "BH/M1", "PS", "KS", "SB", "WIN", "OMW",
    "GP", "GW", "OGW", "EMGSB", "EMGSB/C1",
    "FIRSTS", "SHARE", "SCORE", "OPP", "BEST", "ATT", "LADDER", "LOT",
]  # fmt: skip


class EventValue(BaseModel):
    """Base of the strict, immutable values inside a tournament's events."""

    model_config = STRICT
