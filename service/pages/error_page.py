"""The error page: what is wrong, and where to go from here."""

from __future__ import annotations

import json

from answers.answer import Data
from answers.i18n import Voice
from service.http_messages import HttpResponse
from service.pages.rendering import Shown


class ProblemPage(Data):
    status: int
    detail: str
    code: str


def problem_page(reply: HttpResponse, voice: Voice) -> Shown:
    told = json.loads(reply.content)
    shown = ProblemPage(status=told["status"], detail=told["detail"], code=told["code"])
    return Shown("problem", told["title"], shown)
