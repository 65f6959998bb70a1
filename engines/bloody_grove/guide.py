"""The codes of a box of Bloody Grove; its kit assumes nothing that could be asked."""

from __future__ import annotations

from collections.abc import Iterator

from engines.bloody_grove.kit import Box
from engines.kernel.box.guide import Code, Guide


def codes(box: Box) -> Iterator[Code]:
    for spirit in box.spirits.values():
        animal = (spirit.animal,) if spirit.animal is not None else ()
        yield Code(spirit.kind, spirit.id, (*animal, "strength", spirit.strength))
    for token in box.tokens:
        yield Code("tokens", token.value, (token.value,))


GUIDE: Guide[Box] = Guide(codes=codes)
