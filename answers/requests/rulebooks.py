"""Requests about rulebooks: engines, clauses, readings, kits, schemas, cases."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from answers.requests.base import Params
from answers.rulebooks.boxes import OWN, BoxName

Text = Annotated[str | None, Field(max_length=200)]
Path = Annotated[str, Field(max_length=200)]
Name = Annotated[str, Field(max_length=80)]
Part = Annotated[int, Field(ge=0, le=10_000)]
"""Of the width or height of a picture, in ten-thousandths: requests have whole numbers."""


class ClausesRequest(Params):
    clause: Text = None
    search: Text = None

    def to_args(self) -> dict[str, Any]:
        return {**super().to_args(), "details": True}


class RulesDiffRequest(Params):
    old: Annotated[str, Field(max_length=1_000_000)]
    """The text of a file of clauses."""
    new: Annotated[str, Field(max_length=1_000_000)] = ""
    """The same; empty for the clauses of the installed game."""


class ReadingsRequest(Params):
    search: Text = None


class KitRequest(Params):
    only: Text = None
    search: Text = None


class ContentRequest(Params):
    content: dict[str, Any]
    """A kit file as data."""


class AskedRequest(Params):
    data: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=20)] = []
    """Paths of data, as a refusal names them among its doubts."""


class DatumRequest(Params):
    keep: bool = False
    """Keep it for the club as well."""
    path: Annotated[str, Field(max_length=200)]
    value: Any = None
    chosen: Annotated[list[Any] | None, Field(max_length=100)] = None
    """Instead of the value: what was chosen of the choices of its question."""
    source: Annotated[str, Field(max_length=2000)] = ""
    dry_run: bool = False


class BoxRequest(Params):
    kit: BoxName = OWN


class BoxExportRequest(BoxRequest):
    club: Annotated[str, Field(max_length=60)] = ""
    """What the club is called, as others will see it."""
    pictures: bool = False
    """With its photographs: whoever asks says that they may be shared."""


class BoxImportRequest(Params):
    kit: BoxName | None = None
    """Its name here; without one, a name of its own."""
    keep: bool = False
    """Keep it; otherwise it is only said what is in the file, and whose it is."""


class KeyRequest(Params):
    format: Annotated[str, Field(max_length=10)] = "svg"
    """``svg``, ``png``, ``pdf`` or ``txt``."""


class BoxPageRequest(BoxRequest):
    page: Annotated[str, Field(max_length=80)] = ""
    """The page; without one, the first with something open."""


class BoxPhotoRequest(BoxPageRequest):
    small: bool = False
    digest: Annotated[str, Field(max_length=64)] = ""
    """Only if it is this one: an address of its own for each photograph."""


class BoxDataRequest(Params):
    data: Annotated[dict[str, Any], Field(max_length=1000)] = {}
    chosen: Annotated[dict[str, list[Any]], Field(max_length=200)] = {}
    """Instead of values: what was chosen of the choices of each question."""
    as_shown: Annotated[list[str], Field(max_length=200)] = []
    kit: BoxName = OWN
    source: Annotated[str, Field(max_length=200)] = ""


class BoxBoardRequest(BoxRequest):
    board: Name = ""
    """The board; without one, the first of the game."""


class BoxBoardPictureRequest(BoxRequest):
    board: Name
    digest: Annotated[str, Field(max_length=64)]


class BoxPlaceRequest(BoxRequest):
    board: Name
    corners: Annotated[list[tuple[Part, Part]] | None, Field(min_length=4, max_length=4)] = None
    """Of the board on its photograph, from the upper left one clockwise: it is straightened."""
    places: Annotated[dict[Name, tuple[Part, Part] | None], Field(max_length=300)] = {}
    """Where spaces lie on the straightened photograph; none: nowhere yet."""
    data: Annotated[dict[Path, Any], Field(max_length=300)] = {}
    chosen: Annotated[dict[Path, list[Any]], Field(max_length=300)] = {}
    """Instead of values: what was chosen of the choices of each question."""
    there: Annotated[dict[Path, bool], Field(max_length=300)] = {}
    gone: Annotated[dict[Name, bool], Field(max_length=300)] = {}
    """Spaces that are not on this board, or are again."""
    new: Name = ""
    """One more space of this kind."""
    usual: bool = False
    """Put all others where the referee assumes them."""
    declare: bool = False
    """The box is as the board shows."""


class BoxPieceRequest(BoxRequest):
    code: Name
    digest: Annotated[str, Field(max_length=64)]


class BoxCutRequest(BoxRequest):
    corners: Annotated[list[tuple[Part, Part]], Field(min_length=4, max_length=4)]
    """Of the sheet on its photograph, from the upper left one clockwise."""
    rows: Annotated[int, Field(ge=1, le=12)]
    columns: Annotated[int, Field(ge=1, le=12)]
    names: Annotated[list[Name], Field(max_length=144)]
    """The code of each piece, row by row; empty: it is not kept."""
