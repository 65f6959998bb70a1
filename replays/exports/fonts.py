"""The fonts of pictures and PDFs: ours, and the computer's for letters that they do not have."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Any

from referee.untrusted.optional_packages import load

FAMILY = "Atkinson Hyperlegible Next"
_FOLDER = str(resources.files("replays").joinpath("fonts"))
_OTHERS = "'DejaVu Sans', 'Noto Sans', 'Liberation Sans', Arial, sans-serif"
"""What is drawn with the computer's fonts is drawn in one of them where it can be."""
_LETTERS = "Ā-ćĊ-ēĖ-ěĞ-ģĦħĪīĮ-ĳĶķĹ-ľŁ-ňŐ-ŕŘ-śŞ-ťŪūŮ-žƒȘ-țȷˆˇˉ˚˜˝Ẁ-ẅẞỲỳ"
_SIGNS = "\u2009–—\u2018-\u201a\u201c-\u201e†•…‹›\u2044€₹ℓ™\u2212\u2215"
_INVISIBLE = "\u200b\u202f\u2066-\u2069"
_TEXT = re.compile(r"<text\b(.*?</text>)", re.DOTALL)
_MISSING = re.compile(f"[^\x00-\xac\xae-´¶-ÿ{_LETTERS}{_SIGNS}{_INVISIBLE}]")


def are_shipped(text: str) -> bool:
    """Whether our fonts have all letters of a text: then every computer draws it alike."""
    return _MISSING.search(text) is None


@cache
def font_file(weight: str) -> str:
    return f"{_FOLDER}/AtkinsonHyperlegibleNext-{weight}.ttf"


def drawable(svg: str) -> str:
    """A picture whose texts are each in a family that has their letters.

    A renderer that looks for single letters itself takes them from any font, of any weight.
    """
    return _TEXT.sub(_in_its_family, _spaced(svg))


def _in_its_family(text: re.Match[str]) -> str:
    return text[0] if are_shipped(text[0]) else f'<text font-family="{_OTHERS}"{text[1]}'


def _spaced(text: str) -> str:
    """Our fonts have no narrow no-break space, and would draw a box for it."""
    return text.replace("\u202f", "\u00a0")


def typeset(template: bytes, data: str, timestamp: int = 0, **options: Any) -> bytes:
    """A PDF of a template and its data (JSON), which is never read as markup."""
    made: bytes = load("typst", "pdf").compile(
        template,
        format="pdf",
        font_paths=[_FOLDER],
        ignore_system_fonts=are_shipped(data),
        sys_inputs={"data": _spaced(data)},
        timestamp=timestamp,
        **options,
    )
    return made
