// Watching and studying: every moment again by slider, keys and taps; lines tried; notes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Page, html } from "./page.js";

const MOVES = [1, 2, 3, 4, 5];
const WORDS = { opening: "the opening", live: "live", lost: "lost" };

/** Newest first, or in the order of play; what was taken back does not count. */
const moves = (numbers, gone = [], seats = {}, rounds = {}, forward = false) => `<ol id="moves" data-live${forward ? "" : " reversed"}>${(forward ? numbers : numbers.toReversed()).map((number) =>
  `<li class="${gone.includes(number) ? "taken_back" : "counts"}" data-number="${number}"${seats[number] ? ` data-seat="${seats[number]}"` : ""}${rounds[number] ? ` data-round="${rounds[number]}"` : ""}><a class="number" href="?at=${number}">#${number}</a></li>`).join("")}</ol>`;
const SPOKEN = { first: "start", back: "back", next: "on", last: "end", play: "play", pause: "pause", round: "Round", scores: "Points" };
const rest = `<p id="state"></p><nav id="slider" hidden></nav><section id="chart" hidden></section><div id="pane"><div id="board" data-live><svg></svg></div></div><script type="application/json" id="stepping-words">${JSON.stringify(SPOKEN)}</script>`;
const trial = '<div id="taps"></div><details id="composer"><form><input id="typed"><div id="fitting"></div></form></details>';

async function watching({ numbers = MOVES, gone = [], seats = {}, rounds = {}, forward = false, data = {}, more = "", scripts = ["watch.js"], answer, url = "https://referee.test/games/g1/watch" } = {}) {
  const known = { game: "g1", version: 9, at: null, opened: false, clock: null, chart: null, lines: [], templates: [], names: {}, may_log: true, tried: [], last: 5, instead: 5, ...data };
  const page = new Page({ url, shown: { body: moves(numbers, gone, seats, rounds, forward) + rest + more, data: known, words: WORDS }, answer });
  page.refreshed = () => {
    const asked = new URL(page.window.location.href).searchParams;
    page.shown.data.at = asked.has("at") ? Number(asked.get("at")) : null;
    page.shown.data.tried = asked.get("try")?.split(";") ?? [];
    return { body: html(page.shown) };
  };
  for (const script of scripts) await page.run(script);
  return page;
}
const at = (page) => [page.window.location.search, page.find("#moment").value];

for (const forward of [false, true]) test(`from live, a step back is the last move but one, and a step on is live again; forward: ${forward}`, async () => {
  const page = await watching({ forward });
  assert.deepEqual(at(page), ["", "5"]);
  await page.key("ArrowLeft");
  assert.deepEqual(at(page), ["?at=4", "4"]);
  await page.key("ArrowLeft");
  assert.deepEqual(at(page), ["?at=3", "3"]);
  await page.click("[data-go=next]");
  await page.click("[data-go=next]");
  assert.deepEqual(at(page), ["", "5"]);
  assert.equal(page.find("[data-go=last]").getAttribute("aria-pressed"), "true");
});

test("stepping goes to the opening and no further, and says so", async () => {
  const page = await watching({ numbers: [1, 2] });
  for (let step = 0; step < 4; step += 1) await page.key("ArrowLeft");
  assert.deepEqual(at(page), ["?at=0", "0"]);
  assert.equal(page.find("#moment").getAttribute("aria-valuetext"), "the opening");
  await page.key("ArrowRight");
  assert.deepEqual(at(page), ["?at=1", "1"]);
});

test("a list that has the opening in it has it once, and Home and End go to the ends", async () => {
  const page = await watching({ numbers: [0, 1, 2] });
  await page.key("Home");
  assert.deepEqual(at(page), ["?at=0", "0"]);
  await page.key("ArrowRight");
  assert.deepEqual(at(page), ["?at=1", "1"]);
  await page.key("End");
  assert.deepEqual(at(page), ["", "2"]);
});

test("what was taken back is stepped over", async () => {
  const page = await watching({ gone: [3, 4] });
  await page.key("ArrowLeft");
  assert.deepEqual(at(page), ["?at=2", "2"]);
  await page.key("ArrowRight");
  assert.deepEqual(at(page), ["", "3"]);
});

test("a move that no longer counts is shown behind the one before it", async () => {
  for (const forward of [false, true]) {
    const page = await watching({ gone: [3, 4], forward, data: { at: 4 } });
    assert.equal(page.find("#moment").value, "2");
    await page.key("ArrowRight");
    assert.deepEqual(at(page), ["", "3"]);
  }
});

for (const seats of ["AABBA", "ABBBA", "AAAAA", "ABABA"]) {
  test(`by turns one goes to where another's turn begins, from every moment: ${seats}`, async () => {
    const begins = [0, 1, 2, 3, 4, 5].filter((place) => place < 2 || seats[place - 1] !== seats[place - 2]);
    for (const here of [0, 1, 2, 3, 4, 5]) {
      for (const [way, wanted] of [["turn_back", begins.findLast((place) => place < here) ?? 0], ["turn_on", begins.find((place) => place > here) ?? 5]]) {
        const page = await watching({ seats: Object.fromEntries(Array.from(seats, (seat, place) => [place + 1, seat])) });
        page.find("#moment").value = String(here);
        page.find("#moment").dispatchEvent(new page.window.Event("input"));
        await page.click(`[data-go=${way}]`);
        assert.equal(page.find("#moment").value, String(wanted), `${way} from ${here}`);
      }
    }
  });
}

test("a tap on a move shows its moment and marks it alone", async () => {
  const page = await watching();
  await page.click('#moves li[data-number="2"] a');
  assert.equal(page.window.location.search, "?at=2");
  assert.deepEqual(page.all("[aria-current=step]").map((move) => move.dataset.number), ["2"]);
  await page.click("[data-go=last]");
  assert.equal(page.all("[aria-current=step]").length, 0);
});

test("the slider goes where it is put; a game without a move has the opening alone", async () => {
  const page = await watching();
  page.find("#moment").value = "2";
  page.find("#moment").dispatchEvent(new page.window.Event("input"));
  assert.equal(page.window.location.search, "?at=2");
  const empty = await watching({ numbers: [] });
  await empty.key("ArrowLeft");
  assert.deepEqual(at(empty), ["", "0"]);
});

test("a live entry moves who is live, and is announced; who looks back stays where they are", async () => {
  const page = await watching();
  page.shown = { ...page.shown, body: moves([...MOVES, 6]) + rest, data: { ...page.shown.data, version: 10 } };
  await page.tell("entry", { entry: 10, kind: "logged", told: "B pass" });
  assert.deepEqual(at(page), ["", "6"]);
  assert.equal(page.find("#announced").textContent, "B pass");
  await page.key("ArrowLeft");
  page.shown = { ...page.shown, body: moves([...MOVES, 6, 7]) + rest, data: { ...page.shown.data, version: 11 } };
  await page.tell("entry", { entry: 11, kind: "logged", told: "C pass" });
  assert.deepEqual(at(page), ["?at=5", "5"]);
  assert.equal(page.find("#announced").textContent, "B pass");
});

test("keys that are typed into a field turn no page", async () => {
  const page = await watching({ more: "<textarea></textarea>" });
  await page.key("ArrowLeft", page.find("textarea"));
  assert.deepEqual(at(page), ["", "5"]);
});

test("a game from a file follows no channel", async () => {
  const page = await watching({ data: { opened: true } });
  assert.equal(page.sources.length, 0);
});

const note = '<form id="note"><textarea name="text"></textarea><input type="checkbox" name="glyph" value="!"><input type="checkbox" name="glyph" value="?!"></form><div id="problem" hidden></div><fieldset id="pointing"><button id="draw" type="button"></button><ul id="drawn"></ul><select></select><select></select><button id="point" type="button"></button></fieldset>';

async function studying(options = {}) {
  return watching({ scripts: ["watch.js", "study.js"], more: trial + note + (options.notes ?? ""), data: { lines: ["A gather", "B pass"], ...options.data }, url: `https://referee.test/games/g1/study${options.search ?? ""}`, answer: options.answer });
}

test("lines are tried one after another from the moment that is shown, which stays", async () => {
  const page = await studying();
  await page.key("ArrowLeft");
  await page.click('#taps [data-line="B pass"]');
  assert.equal(page.window.location.search, "?at=4&try=B+pass");
  await page.click('#taps [data-line="A gather"]');
  assert.equal(page.window.location.search, `?at=4&try=${encodeURIComponent("B pass;A gather").replaceAll("%20", "+")}`);
});

const NOTES = [[2, "x;y;z"], [4, "x;b;c"], [4, "x;y"], [4, "x;y;c;d"]];
const notes = `<ol id="notes">${NOTES.map(([after, lines]) => `<li><a data-after="${after}" data-lines="${lines}">${lines}</a></li>`).join("")}</ol>`;

for (const [at, tried, by, search] of [
  [4, "x", 1, "x;b"], [4, "x;y", 1, "x;y;c"], [4, "x;b;c", 1, "x;b;c"], [2, "x", 1, "x;y"], [2, "x;b", 1, "x;b"],
  [2, "x;y;z", -1, "x;y"], [4, "x;y", -1, "x"], [4, "x", -1, null],
]) {
  test(`in a variation one steps in it, and on in a noted one of that moment: ${tried} at ${at} by ${by}`, async () => {
    const page = await studying({ data: { at, tried: tried.split(";") }, notes, search: `?at=${at}&try=${tried}` });
    await page.click(`[data-go=${by > 0 ? "next" : "back"}]`);
    const asked = new URL(page.window.location.href).searchParams;
    assert.deepEqual([asked.get("at"), asked.get("try")], [String(at), search]);
  });
}

for (const [name, search, data, on] of [
  ["live: the last action", "", {}, "5"],
  ["at a moment: that one", "?at=2", { at: 2 }, "2"],
  ["at the opening: nothing was played yet", "?at=0", { at: 0 }, "0"],
  ["behind tried lines: the action they stand instead of", "?at=2&try=B+pass", { at: 2, tried: ["B pass"], instead: 3 }, "3"],
]) {
  test(`a note is kept with what it is about: ${name}`, async () => {
    const page = await studying({ data, answer: () => ({ body: { data: { id: "n1" } } }) });
    page.window.history.replaceState(null, "", `https://referee.test/games/g1/study${search}`);
    page.find("textarea").value = "why?";
    page.find("[value='?!']").checked = true;
    await page.submit("#note");
    const { path, body } = page.requests.at(-1);
    assert.equal(path, "/games/g1/notes");
    assert.deepEqual(body, { on, text: "why?", glyphs: ["?!"], instead: data.tried ?? [], marks: [], arrows: [] });
    assert.equal(page.window.location.hash, "#n1");
  });
}

test("a note that is refused stays in its field, and the reason is told", async () => {
  const page = await studying({ answer: () => ({ status: 400, body: { detail: "too long" } }) });
  page.find("textarea").value = "long";
  await page.submit("#note");
  assert.equal(page.find("#problem").textContent, "too long");
  assert.equal(page.find("textarea").value, "long");
});

for (const [name, across, down, search] of [
  ["to the right is a move back", 80, 10, "?at=4"], ["too short is none", 40, 0, ""], ["too steep is none", 80, 60, ""], ["to the left, live, stays live", -80, 0, ""],
]) {
  test(`a stroke over the picture turns a page: ${name}`, async () => {
    const page = await watching();
    const touch = (kind, points) => {
      const event = new page.window.Event(kind, { bubbles: true });
      Object.assign(event, { touches: points, changedTouches: points });
      page.find("#board svg").dispatchEvent(event);
    };
    touch("touchstart", [{ clientX: 100, clientY: 100 }]);
    touch("touchend", [{ clientX: 100 + across, clientY: 100 + down }]);
    assert.equal(page.window.location.search, search);
  });
}

test("two fingers that enlarge the picture turn no page", async () => {
  const page = await watching();
  for (const [kind, x] of [["touchstart", 100], ["touchend", 300]]) {
    const event = new page.window.Event(kind, { bubbles: true });
    Object.assign(event, { touches: [{ clientX: x, clientY: 0 }, { clientX: 0, clientY: 0 }], changedTouches: [{ clientX: x, clientY: 0 }] });
    page.find("#board svg").dispatchEvent(event);
  }
  assert.equal(page.window.location.search, "");
});
