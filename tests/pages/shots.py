"""Screenshots of every page: ``python -m tests.pages.shots FOLDER [page…]``.

At the widths of a phone, a tablet and a desk; in both languages by day and by night where it is
worth a look (``--all`` makes every combination). The pictures of the docs: ``test_pictures.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.browser import launched
from tests.pages.club import DESK, PHONE, TABLET, Club, Device, open_club
from tests.pages.scenes import Scene, scenes

WIDTHS = {"360": PHONE, "820": TABLET, "1400": DESK}
FEW = (("en", "light"), ("fr", "dark"))
EVERY = tuple(product(("en", "fr"), ("light", "dark")))


def shoot(browser: Any, club: Club, scene: Scene, folder: Path, kinds: Any) -> Iterator[Path]:
    for (width, device), (lang, scheme) in product(WIDTHS.items(), kinds):
        look = {**device, "locale": lang, "color_scheme": scheme, "reduced_motion": "reduce"}
        seen = Device(browser, club, scene.role, scene.scope, scene.person, **look)
        page = seen.open(scene.path)
        scene.prepare(page)
        file = folder / f"{scene.name}-{width}-{lang}-{scheme}.png"
        page.screenshot(path=file, full_page=True)
        seen.context.close()
        yield file


def main(arguments: list[str]) -> None:
    kinds = EVERY if "--all" in arguments else FEW
    folder, *wanted = [each for each in arguments if not each.startswith("--")]
    Path(folder).mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as store, open_club(Path(store)) as club, launched() as browser:
        for scene in scenes(club):
            if not wanted or scene.name in wanted:
                for file in shoot(browser, club, scene, Path(folder), kinds):
                    print(file)


if __name__ == "__main__":
    main(sys.argv[1:])
