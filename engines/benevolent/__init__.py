"""Benevolent: walk the forest, gather leaves, be the first to own all five gifts."""

from engines.kernel import assemble

ENGINE = assemble(
    "engines.benevolent",
    version="1.4",
    edition="Rules version 1.0, 2022",
    seats=(2, 4),
)
