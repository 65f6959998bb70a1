"""Roundforest: a race through a forest of turning tiles."""

from engines.kernel import assemble

ENGINE = assemble(
    "engines.roundforest",
    version="1.4",
    edition="Piatnik 2020, French rules",
    seats=(2, 4),
)
