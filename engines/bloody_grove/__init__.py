"""Bloody Grove."""

from engines.kernel import assemble

ENGINE = assemble(
    "engines.bloody_grove",
    version="1.4",
    edition="French rulebook",
    seats=(2, 2),
)
