"""CSRF (cross-site request forgery): a page of another site cannot write with our cookie."""

from __future__ import annotations

from service.http_messages import HttpRequest
from service.problems import HttpRefusal


def check_origin(request: HttpRequest, *, strictly: bool, allowed: tuple[str, ...] = ()) -> None:
    """Refuses a request of another site's page. Browsers say in ``Origin`` where a page comes
    from, other programs need not: only a cookie, which a browser sends by itself, makes the
    header necessary (``strictly``). ``allowed``: other sites that may speak without a cookie."""
    origin = request.headers.get("origin")
    scheme = "https" if request.secure else "http"
    own = f"{scheme}://{request.headers.get('host', '')}"
    if origin in allowed and not strictly and not request.cookies:
        return
    if origin != own and (strictly or origin is not None):
        raise HttpRefusal("role", "other_origin")
