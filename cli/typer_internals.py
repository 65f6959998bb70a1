"""The parts of Typer that it does not document and that we use all the same, all in one place.

Typer carries its own copy of Click since 0.26: there is no public name for the formatter of help
pages, nor for completion without the options ``--install-completion`` and ``--show-completion``.
An upgrade of Typer that moves one of them is mended here; pyproject bounds the version.
"""

from collections.abc import Callable, Iterable
from typing import Any

from typer._click.exceptions import NoSuchOption
from typer._click.formatting import HelpFormatter
from typer._click.globals import get_current_context
from typer._completion_classes import completion_init
from typer._completion_shared import get_completion_script

SHELLS = ("bash", "zsh", "fish")

__all__ = [
    "SHELLS",
    "HelpFormatter",
    "NoSuchOption",
    "complete_with",
    "completion_init",
    "get_completion_script",
    "get_current_context",
]


def complete_with(param: Any, candidates: Callable[[Any], Iterable[str]]) -> None:
    """Complete the values of a parameter of a command that is already built."""
    param._custom_shell_complete = lambda ctx, param, incomplete: [
        each for each in candidates(ctx) if each.startswith(incomplete)
    ]
