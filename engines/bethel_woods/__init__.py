"""Bethel Woods, by Shem Phillips."""

from engines.kernel import assemble

ENGINE = assemble(
    "engines.bethel_woods",
    version="1.4",
    edition="French rules, Garphill Games 2016",
    seats=(2, 4),
    cooperative=True,
)
