"""Dates as people of a language write them."""

from collections.abc import Callable

from engines.kernel.messages.catalogue import Verbatim


def day_in_words(say: Callable[..., str], moment: str) -> str:
    """The date of an ISO 8601 moment."""
    year, month, day = moment[:10].split("-")
    name = Verbatim(say(f"month.{int(month)}"))
    key = "day_first" if day == "01" else "day"
    return say(key, day=int(day), month=name, year=int(year))


def moment_in_words(say: Callable[..., str], moment: str) -> str:
    """The date of an ISO 8601 moment, and its time of day."""
    hour, minute = moment[11:16].split(":")
    day = Verbatim(day_in_words(say, moment))
    return say("moment", day=day, hour=int(hour), minute=Verbatim(minute))
