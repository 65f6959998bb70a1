"""The error page: what is wrong, and where to go from here."""

from __future__ import annotations

import json

from answers.i18n import Voice
from service.http_messages import HttpResponse
from service.pages.rendering import Shown


def problem_page(reply: HttpResponse, voice: Voice) -> Shown:
    problem = json.loads(reply.content)
    return Shown("problem", problem["title"], status=problem["status"], detail=problem["detail"])
