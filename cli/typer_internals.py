"""The parts of Typer that it does not document and that we use all the same, all in one place.

Typer carries its own copy of Click since 0.26: there is no public name for the formatter of help
pages, nor for completion without the options ``--install-completion`` and ``--show-completion``.
An upgrade of Typer that moves one of them is mended here; pyproject bounds the version.
"""

from typer._click.formatting import HelpFormatter
from typer._completion_classes import completion_init
from typer._completion_shared import get_completion_script

__all__ = ["HelpFormatter", "completion_init", "get_completion_script"]
