"""Broom Service: witches, druids and gatherers, brave or cowardly."""

from engines.kernel import assemble

ENGINE = assemble(
    "engines.broom_service",
    version="1.4",
    edition="alea 2015",
    seats=(2, 5),
    bgg=172308,  # boardgamegeek.com/boardgame/172308/broom-service
)
