"""The documentation as a site: the files that ``make site`` has built, and what they may do."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
FIRST = "index.html"
MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
}
"""Nothing else in the folder is served."""
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


@dataclass(frozen=True)
class DocsFile:
    content: bytes
    media: str
    tag: str
    policy: str


def built_here() -> Path | None:
    """The site of the sources that this program runs from, if it is one and was built."""
    folder = CHECKOUT / "site"
    return folder if (CHECKOUT / "mkdocs.yml").is_file() and is_site(folder) else None


def is_site(folder: Path) -> bool:
    return (folder / FIRST).is_file()


def docs_file(folder: Path, path: str) -> DocsFile | None:
    """A file below the folder; none, if there is no such file or it leads out of the folder."""
    root = folder.resolve()
    try:
        found = (root / path.lstrip("/")).resolve()
        if found.suffix not in MEDIA or not found.is_relative_to(root):
            return None
        content = found.read_bytes()
    except (OSError, ValueError):  # not there, a folder, or a name that no file can have
        return None
    tag = f'"{sha256(content).hexdigest()[:20]}"'
    policy = policy_for(content if found.suffix == ".html" else b"")
    return DocsFile(content, MEDIA[found.suffix], tag, policy)


def policy_for(page: bytes) -> str:
    """What a page of the site may load: what is ours, and nothing from elsewhere.

    The generator writes a few scripts into each page. They are allowed by their hashes, so that
    nothing else that came into a page would run. Alignments of tables are attributes, which have no
    hashes: styles may be inline, here and nowhere else. Icons of its stylesheets are ``data:``.
    """
    hashes = {b64encode(sha256(each).digest()).decode() for each in _INLINE.findall(page)}
    scripts = " ".join(["'self'", *(f"'sha256-{each}'" for each in sorted(hashes))])
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
