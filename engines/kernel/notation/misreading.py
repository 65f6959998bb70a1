"""Error messages for lines that do not parse: picks the likeliest mistake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.kernel.messages.catalogue import Phrase, Verbatim
from engines.kernel.messages.errors import ParseError
from engines.kernel.notation.grammar import Flag, Keyword, Many, Node, Stuck, Word
from engines.kernel.notation.usage import Usage
from engines.kernel.rules.actions import Action, Opening


def likelier(one: ParseError | None, other: ParseError, words: Sequence[str]) -> ParseError:
    """The more useful of two parse errors: the one further along the line.

    At the same word, the one that knows what was expected.
    """
    if one is None or _rank(other, words) > _rank(one, words):
        return other
    return one


def _rank(error: ParseError, words: Sequence[str]) -> tuple[int, bool]:
    """Sort key of a parse error: how far the line was understood, and whether it says what fits."""
    said = str(error.facts.get("word", ""))
    place = next((i for i, word in enumerate(words) if said and said in word), len(words))
    return place, "expected" in error.facts


def misfit(words: list[str], stuck: list[Stuck]) -> Phrase:
    """What is missing at the end of a line, or the first word that no form allows."""
    words_left, parts_left = min(tried[:2] for tried in stuck)
    if words_left:
        return Phrase("form.misplaced", {"word": Verbatim(words[-words_left])})
    ends = (node for *at, node in stuck if at == [0, parts_left] and node is not None)
    return Phrase("form.part_missing", {"parts": tuple(dict.fromkeys(map(_blank, ends)))})


def _blank(node: Node) -> Usage:
    """The placeholder shown for a missing part of a form."""
    if isinstance(node, Keyword | Flag):
        return Usage(node.word)
    if isinstance(node, Many):
        return Usage(node.field.upper())
    return Usage("/".join(node.fields).upper() if isinstance(node, Word) else "")


def example(action: type[Action]) -> dict[str, Any]:
    """An example of an opening line, for an error message."""
    if not issubclass(action, Opening):
        return {}
    try:
        return {"example": Verbatim(action.usual(2))}
    except ParseError:
        return {}
