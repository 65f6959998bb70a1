"""Fingers: a line is said on a page by taps alone, as somebody at the table would."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from tests.pages.club import waits

SPOT = """([word, kind]) => {
  for (const part of document.querySelectorAll(`#board [data-word="${CSS.escape(word)}"]`)) {
    const box = part.getBoundingClientRect();
    for (const [x, y] of [[.5, .5], [.5, .25], [.25, .5], [.75, .5], [.5, .75], [.12, .5]]) {
      const at = [box.left + box.width * x, box.top + box.height * y];
      const hit = document.elementFromPoint(...at)?.closest?.(`[data-word]${kind}`);
      if (hit?.dataset.word === word) return at;
    }
  }
  return null;
}"""
"""A point at which a finger meets the part of a word, if one is in sight."""

WAITS = """
const now = () => performance.now();
const since = (name) => {
  const { tapped } = window;
  if (!tapped?.[name]) return;
  ((window.waits ??= {})[name] ??= []).push(now() - tapped[name]);
  tapped[name] = null;
};
document.addEventListener("click", () => {
  window.tapped = { answer: now(), board: now() };
}, true);
document.addEventListener("refreshed", () => since("board"));
document.addEventListener("DOMContentLoaded", () => {
  const verdict = document.getElementById("verdict");
  const shown = () => {
    if (verdict.hidden) return;
    since("answer");
    if (verdict.classList.contains("bad")) window.refused = (window.refused ?? 0) + 1;
  };
  if (verdict) new MutationObserver(shown).observe(verdict, { attributes: true });
});
"""
"""How long each tap that was logged waited for the referee's word, and for the board to show it;
how many answers were refusals."""


def told_waits(page: Any) -> str:
    """How long the answers took, half of them and nearly all."""
    told = []
    for what, times in page.evaluate("window.waits ?? {}").items():
        if times:
            half, late = (sorted(times)[int(part * (len(times) - 1))] for part in (0.5, 0.95))
            told.append(f"tap to {what} p50 {half:.0f} ms, p95 {late:.0f} ms of {len(times)}")
    return "; ".join(told)


def data_of(page: Any) -> Any:
    return json.loads(page.locator("#data").text_content())


def say_line(page: Any, line: str) -> int:
    """Tap until the line is logged; how many taps it took, with the one that logs it."""
    if page.locator(f"#trays .tray[data-verb={json.dumps(line.split()[0])}]").count():
        return lay(page, line)
    if line not in data_of(page)["lines"]:
        return compose(page, line)
    button, taps = narrowed(page, line)
    button.click()
    return taps + 1


def narrowed(page: Any, line: str) -> tuple[Any, int]:
    """Tap until a button says the whole line: that button, and how many taps it took."""
    lines = data_of(page)["lines"]
    button = page.locator(f"#taps button[data-line={json.dumps(line)}]")
    taps: list[str] = []
    while not button.count():
        taps.append(_next_word(page, lines, line, taps))
        tap(page, taps[-1])
    return button, len(taps)


def hold(page: Any, seat: str) -> None:
    """The button of a seat without a phone is pressed until its entry opens."""
    page.locator(f"#secrets [data-do=tell-here][data-seat={seat}]").hover()
    page.mouse.down()
    page.wait_for_selector("#dialog[open] #secret-line", state="attached")
    page.mouse.up()


def tell_here(page: Any, seat: str, line: str) -> int:
    """What only this seat may know, on the device that lies on the table; how many taps, with the
    long press and the one that logs."""
    takes_taps(page)
    hold(page, seat)
    taps, left = 2, Counter(line.split())
    while not page.locator("#dialog [data-do=own-log]").count():
        words = page.locator("#dialog [data-own]").evaluate_all(
            "all => all.map(b => b.dataset.own)"
        )
        word = next(word for word in words if left[word])
        left[word] -= 1
        page.click(f"#dialog [data-own={json.dumps(word)}]")
        taps += 1
    page.click("#dialog [data-do=own-log]")
    return taps


def lay(page: Any, line: str) -> int:
    """Tap the things of a line on their tray, and flick the one that is turned; how many taps."""
    verb, *words = line.split()
    tray, taps = f"#trays .tray[data-verb={json.dumps(verb)}]", 0
    if page.locator(tray).get_attribute("open") is None:
        page.locator(f"{tray} > summary").click()
        taps += 1
    places = {row["word"] for row in json.loads(page.locator(f"{tray} .places").text_content())}
    if places and words[0] in places:
        place, *words = words
        if not page.evaluate(_IS_NEXT, place):
            tap_part(page, place)
            taps += 1
    turns = page.locator(f"{tray} [data-turn]").evaluate_all("all => all.map(b => b.dataset.turn)")
    turn = words.pop() if turns and words[-1] in turns else None
    for word in words:
        if word == "/":
            continue
        thing = page.locator(f"{tray} [data-thing={json.dumps(word)}]")
        if taps and word == words[-1] and not thing.is_visible():
            break  # it was the only one left, and lies by itself
        if turn is None or turns.index(turn) == 0:
            thing.click()
        else:
            flick(page, thing, turns.index(turn))
        taps += 1
    return taps


def tap_part(page: Any, word: str) -> None:
    """A part of the picture, whatever it is there for."""
    takes_taps(page)
    page.mouse.click(*page.evaluate(SPOT, [word, ""]))


def takes_taps(page: Any) -> None:
    """Nothing is on its way, and what is offered has been there for a moment."""
    page.wait_for_selector("body:not([data-closed])")


def flick(page: Any, thing: Any, quarter: int) -> None:
    """A finger that moves up, right, down or left before it leaves."""
    takes_taps(page)
    thing.scroll_into_view_if_needed()
    box = thing.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    right, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[quarter]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30 * right, y + 30 * down, steps=3)
    page.mouse.up()


_IS_NEXT = """(place) => {
  const part = document.querySelector("#board .next-place");
  return part === null || part.dataset.word === place;
}"""


def _next_word(page: Any, lines: list[str], line: str, taps: list[str]) -> str:
    """Of the words that the page offers, one of the line that few other lines have."""
    offered = page.locator("#taps [data-tap]").evaluate_all("all => all.map(b => b.dataset.tap)")
    mine = Counter(line.split()) - Counter(taps)
    rarity = Counter(word for each in lines for word in set(each.split()))
    return min((word for word in offered if word in mine), key=rarity.__getitem__)


def tap(page: Any, word: str) -> None:
    """A part of the picture where it can be reached, else a button."""
    whole = page.locator(f"#taps button[data-line={json.dumps(word)}]")
    spot = None if " " in word else page.evaluate(SPOT, [word, ".lit"])
    if spot is not None:
        page.mouse.click(*spot)
    elif whole.count():
        whole.click()
    else:
        page.evaluate("document.querySelectorAll('#taps details').forEach(d => { d.open = true })")
        page.locator(f"#taps button[data-tap={json.dumps(word)}]").click()


def compose(page: Any, line: str) -> int:
    """A line that cannot be listed, word by word from those that fit."""
    words = line.split()
    open_composer(page)
    for count in range(len(words)):
        page.locator(fits(words[count])).click()
        _shows(page, words[: count + 1])
    page.locator("#composer form button.main").click()
    return len(words) + 2


def compose_anything(page: Any, line: str) -> int:
    """A line that need not be legal: words that fit, parts of the picture, the rest typed; how many
    words had to be typed."""
    words, typed = line.split(), 0
    open_composer(page)
    for count, word in enumerate(words):
        waits(page, _SUGGESTED)
        spot = page.evaluate(SPOT, [word, ""])
        if page.locator(fits(word)).count():
            page.locator(fits(word)).click()
        elif spot is not None:
            page.mouse.click(*spot)
        else:
            typed += 1
            page.evaluate("document.getElementById('typed').focus()")
            page.keyboard.type(f"{word} ")
        _shows(page, words[: count + 1])
    page.locator("#composer form button.main").click()
    return typed


def type_line(page: Any, line: str) -> None:
    """By keyboard, word for word."""
    open_composer(page)
    page.fill("#typed", line)
    page.press("#typed", "Enter")


def open_composer(page: Any) -> None:
    if page.locator("#composer").get_attribute("open") is None:
        page.locator("#composer > summary").click()


def fits(word: str) -> str:
    """The button of a word that may come next."""
    return f"#fitting button[data-fits={json.dumps(word)}]"


_SUGGESTED = """() =>
  document.getElementById("fitting").dataset.after === document.getElementById("typed").value"""
"""The words that are offered are those that follow what is there."""


def _shows(page: Any, words: list[str]) -> None:
    waits(
        page,
        "(said) => document.getElementById('typed').value.trim() === said",
        arg=" ".join(words),
    )


def settled(page: Any) -> None:
    """Nothing waits to be sent, and the page shows what came of it."""
    page.wait_for_selector("body[data-queued='0']")


def logged(page: Any, version: int) -> None:
    """The page shows the table after this entry."""
    waits(
        page,
        "(version) => JSON.parse(document.getElementById('data').textContent).version >= version",
        arg=version,
    )


def tool(page: Any, what: str) -> None:
    """One of the rarer things that are done to a game."""
    if page.locator("#rare").get_attribute("open") is None:
        page.locator("#rare > summary").click()
    page.click(f"#rare [data-do={what}]")
