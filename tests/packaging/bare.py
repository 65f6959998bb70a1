"""The command line as it is without any extra: ``python -m tests.packaging.bare < lines``.

Reads a list of command lines as JSON and prints exit code and output of each. A process of its
own, because what another test has imported could not be taken away again.
"""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import packages_distributions, requires


def optional_modules() -> set[str]:
    """What the extras of users install, as modules, unless the program itself needs it too."""
    asked: dict[bool, set[str]] = {True: set(), False: set()}
    for line in requires("referee") or ():
        name = re.split(r"[^\w.-]", line, maxsplit=1)[0].lower().replace("_", "-")
        asked["extra ==" in line].add(name)
    names = asked[True] - asked[False] - _TOOLS
    return {
        module
        for module, packages in packages_distributions().items()
        if {package.lower().replace("_", "-") for package in packages} & names
    }


_TOOLS = {"referee", "setuptools", "pytest", "hypothesis", "httpx2"}
"""Of developers: the program does not know them."""


def main() -> None:
    for module in optional_modules():
        sys.modules[module] = None  # type: ignore[assignment]  # an import of it fails
    from tests.cli.transcripts import run

    json.dump([run(line) for line in json.load(sys.stdin)], sys.stdout)


if __name__ == "__main__":
    main()
