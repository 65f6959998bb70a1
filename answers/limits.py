"""Limits of what a request may say, by name.

They stand in the signatures of operations. What a request is checked by, what a command takes and
what the OpenAPI document says is made from them. Where a record has the same limit, its own type is
used (``Number``, ``Remark`` and ``Reason`` of ``referee.record.entries``; ``RoundNumber`` and
``TableNumber`` of ``referee.tournament.values``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from engines.kernel.rules.actions import PlainText
from referee.store.sidecars.people import LONGEST_NAME

# names

Name = Annotated[str, Field(min_length=1, max_length=100)]
"""What is there already, as people call it: a name, a number on the list, the beginning of one."""
Names = Annotated[Sequence[Name], Field(max_length=2000)]
AnyName = Annotated[str, Field(max_length=100)]
"""The same, where it may be left out."""
NewName = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
"""Somebody who may be new: a longer name is refused wherever people are kept."""
PersonName = Annotated[str, Field(max_length=LONGEST_NAME)]
MemberName = Annotated[PlainText, Field(min_length=1, max_length=LONGEST_NAME)]
"""Of somebody in a team."""
CollectionName = Annotated[str, Field(min_length=1, max_length=120)]
ClubName = Annotated[str, Field(max_length=80)]
SectionName = Annotated[str, Field(max_length=60)]
Id = Annotated[str, Field(max_length=80)]
"""Of a game, a tournament, a season or a box, or the beginning of one."""
Role = Annotated[str, Field(max_length=20, examples=["judge", "seat:A"])]
Scope = Annotated[str, Field(max_length=80, examples=["game-abcdefgh"])]
"""A game or a tournament; by default what the token of who asks is for."""
View = Annotated[str | None, Field(max_length=40, examples=["public", "seat:A", "judge"])]
SeatLetter = Annotated[str, Field(max_length=1)]
Clause = Annotated[str, Field(max_length=40)]
"""A clause, or a section of them: ``BEN-MOVE``."""
Clauses = Annotated[Sequence[Clause], Field(max_length=200)]
Readings = Annotated[Mapping[Id, Id], Field(max_length=100)]
"""Which answer an open question of the rules is given."""
LevelName = Annotated[str, Field(min_length=1, max_length=60)]
"""A step of a penalty guide."""
PartName = Annotated[str, Field(max_length=80)]
"""Of something in the box: a page, a board, a space, a piece."""
PartWord = Annotated[str, Field(max_length=40)]
"""A place or a component, by its word in the game."""
DataPath = Annotated[str, Field(max_length=200)]
"""Where a datum of a box stands, as a refusal names it among its doubts."""
ChosenData = Annotated[Sequence[Any], Field(max_length=300)]
"""What a datum may be, of which one was chosen."""
EventId = Annotated[str, Field(min_length=1, max_length=80)]
"""Of a tournament, or the beginning of one."""
EngineName = Annotated[str, Field(max_length=40)]
LONGEST_PART = 200
PathPart = Annotated[str, Field(max_length=LONGEST_PART)]
"""What stands between two strokes of an address."""
Ids = Annotated[Sequence[Id], Field(max_length=5000)]
Heads = Annotated[Sequence[Id], Field(max_length=100)]
"""Of a record, as they were written down elsewhere."""
JoinLetters = Annotated[str, Field(max_length=40)]
DisputeRef = Annotated[str, Field(max_length=10)]
ChapterId = Annotated[str, Field(max_length=20)]
FormatName = Annotated[str, Field(max_length=10)]
FileName = Annotated[str, Field(max_length=200)]
PictureDigest = Annotated[str, Field(max_length=64)]
"""Of a picture, as an answer has named it."""

# how a table ended, as people say it: a table has eight seats, and a word names some of them

SeatsWord = Annotated[str, Field(max_length=200)]
SeatWord = Annotated[str, Field(max_length=60)]
SeatsWords = Annotated[Sequence[SeatsWord], Field(max_length=16)]
SeatWords = Annotated[Sequence[SeatWord], Field(max_length=16)]

# texts

Title = Annotated[str, Field(max_length=120)]
Search = Annotated[str, Field(max_length=200)]
Searched = Annotated[str, Field(min_length=1, max_length=200)]
Source = Annotated[str, Field(min_length=1, max_length=120)]
Prefix = Annotated[str, Field(max_length=1000)]
"""The words of a line so far."""
CommentText = Annotated[str, Field(min_length=1, max_length=1000)]
Announcement = Annotated[str, Field(max_length=300)]
Link = Annotated[str, Field(max_length=500)]
ResultLines = Annotated[str, Field(max_length=60_000)]
"""A line a table: ``3 B A``, ``4 A=40 B=38``."""
Date = Annotated[str, Field(max_length=30)]
"""A date, or the beginning of one."""
Line = Annotated[str, Field(max_length=2000)]
"""An action in the words of the game."""
Lines = Annotated[Sequence[Line], Field(max_length=500)]
TriedLines = Annotated[Sequence[Line], Field(max_length=100)]
ActionLines = Annotated[Sequence[Line | Mapping[str, Any]], Field(min_length=1, max_length=500)]
"""Actions in the words of the game, or as data."""
Tag = Annotated[str, Field(max_length=60)]
Tags = Annotated[Sequence[Tag], Field(max_length=64)]
Address = Annotated[str, Field(max_length=200, pattern=r"^(https?://[^\s\"<>]+)?$")]
"""Of the site, for links to its pages."""
RulesText = Annotated[str, Field(max_length=1_000_000)]
"""A file of clauses."""

# numbers

PageSize = Annotated[int, Field(ge=1, le=500)]
Count = Annotated[int, Field(ge=1, le=10_000)]
EntryNumber = Annotated[int, Field(ge=0, le=999_999_999)]
"""Of an entry or an event: as many as ``If-Match`` can name."""
Players = Annotated[int, Field(ge=1, le=8)]
"""How many sit at the table."""
Removed = Annotated[int, Field(ge=0, le=10_000)]
After = Annotated[int, Field(ge=-1, le=999_999_999)]
DelayEntries = Annotated[int, Field(ge=0, le=1000)]
DelaySeconds = Annotated[int, Field(ge=0, le=86_400)]
Days = Annotated[int, Field(ge=1, le=3650)]
Hours = Annotated[int, Field(ge=1, le=8760)]
ChapterPlace = Annotated[int, Field(ge=1, le=200)]
ClockSeconds = Annotated[int, Field(ge=0, le=360_000)]
Increment = Annotated[int, Field(ge=0, le=36_000)]
"""Seconds that a seat is given whenever its turn is over."""
MoreSeconds = Annotated[int, Field(ge=-360_000, le=360_000)]
DrawSeed = Annotated[int, Field(ge=0, le=2**32 - 1)]
"""Of a draw by lot: as many as a sheet of paper can tell."""
FirstBytes = Annotated[int, Field(ge=0, le=2**30)]
"""How much of a file that was sent is the first of two."""
Frames = Annotated[Sequence[FirstBytes], Field(max_length=2)]
"""How long each photograph is but the last, where up to three were sent one behind the other."""
FixedTable = Annotated[int, Field(ge=0, le=999)]
"""A table that a player keeps; 0: none any more."""
Rating = Annotated[int, Field(ge=0, le=9999)]
PenaltyHalves = Annotated[int, Field(ge=0, le=1998)]
"""Half points taken away; none is a warning."""
FinalPlaces = Annotated[int, Field(ge=2, le=64)]
FinalGames = Annotated[int, Field(ge=2, le=9)]
Leaf = Annotated[int, Field(ge=0, le=9999)]
MoreMinutes = Annotated[int, Field(ge=-10_000, le=10_000)]
Share = Annotated[int, Field(ge=0, le=10_000)]
"""Of the width or height of a picture, in ten-thousandths: requests have whole numbers."""
PictureWidth = Annotated[int, Field(ge=100, le=4000)]
PhotoPoint = tuple[Share, Share]
Corners = Annotated[Sequence[PhotoPoint], Field(min_length=4, max_length=4)]
"""On a photograph, from the upper left one clockwise."""
GridSide = Annotated[int, Field(ge=1, le=12)]

# choices

Shape = Literal["tall", "wide"]
PaperFormat = Literal["html", "pdf"]
ListName = Literal["standings", "pairings", "players", "boards"]
