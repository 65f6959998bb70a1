// What all pages share: words, times, requests, and live parts that change under somebody's hands.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { sha256 } from "../../service/static/sha256.js";
import { Page, Shelf, settled, UNHEARD } from "./page.js";

async function house({ body = "", words = {}, answer } = {}) {
  const page = new Page({ shown: { body, data: { version: 1 }, words }, answer });
  return { page, ...(await page.run("common.js")) };
}

/** The page as it is rendered anew. */
async function rendered(page, refresh, body) {
  page.shown = { ...page.shown, body };
  assert.equal(await refresh(), true);
}

test("a sentence is filled in, wherever and as often as its facts stand; a missing word is its key", async () => {
  const { say } = await house({ words: { both: "{b} then {a} then {b}", count: "{count} lines" } });
  assert.equal(say("both", { a: "Ana", b: "Bo" }), "Bo then Ana then Bo");
  assert.equal(say("count", { count: 0 }), "0 lines");
  assert.equal(say("both", {}), " then  then ");
  assert.equal(say("unknown"), "unknown");
});

for (const [seconds, shown] of [[0, "0:00"], [59.4, "0:59"], [59.6, "1:00"], [600, "10:00"], [3599, "59:59"], [3600, "1:00:00"], [36_061, "10:01:01"], [-1, "−0:01"], [-3725, "−1:02:05"]]) {
  test(`${seconds} seconds are ${shown}`, async () => assert.equal((await house()).asTime(seconds), shown));
}

test("an element is made with its attributes, listeners and children, and without those that are none", async () => {
  const { page, make } = await house();
  let taps = 0;
  const made = make("button", { type: "button", hidden: true, disabled: false, title: null, "data-n": 0, onclick: () => { taps += 1; } }, "a", null, undefined, make("b", {}, "c"));
  assert.equal(made.outerHTML, '<button type="button" hidden="" data-n="0">a<b>c</b></button>');
  await page.click(made);
  assert.equal(taps, 1);
});

test("what is typed, ticked, unfolded or chosen stays while the rest changes, in the second row too", async () => {
  const list = (more) => `<ul id="list" data-live>${["x", "y"].map((id) => `<li data-id="${id}">${more}<input name="n" value=""><input type="checkbox" name="c"><details><summary>s</summary></details></li>`).join("")}</ul>`;
  const { page, refresh } = await house({ body: list("one") });
  const row = page.find("[data-id=y]");
  row.querySelector("[name=n]").value = "typed";
  row.querySelector("[name=c]").checked = true;
  row.querySelector("details").open = true;
  await rendered(page, refresh, list("two"));
  const [first, second] = page.all("#list li");
  assert.match(second.textContent, /^two/);
  assert.deepEqual([second.querySelector("[name=n]").value, second.querySelector("[name=c]").checked, second.querySelector("details").open], ["typed", true, true]);
  assert.deepEqual([first.querySelector("[name=n]").value, first.querySelector("[name=c]").checked, first.querySelector("details").open], ["", false, false]);
});

test("what is typed stays at its row when others come before it and go", async () => {
  const list = (...ids) => `<ul id="list" data-live>${ids.map((id) => `<li data-id="${id}"><input name="n" value=""></li>`).join("")}</ul>`;
  const { page, refresh } = await house({ body: list("x", "y", "z") });
  page.find("[data-id=y] input").value = "typed";
  await rendered(page, refresh, list("w", "y"));
  assert.deepEqual(page.all("#list li").map((row) => [row.dataset.id, row.querySelector("input").value]), [["w", ""], ["y", "typed"]]);
  await rendered(page, refresh, list("w"));
  assert.deepEqual(page.all("#list input").map((field) => field.value), [""]);
});

test("a field whose own value was changed elsewhere shows that; a list that has other choices too", async () => {
  const form = (value, options) => `<form id="f" data-live><input name="n" value="${value}"><select name="s">${options.map((each) => `<option>${each}</option>`).join("")}</select></form>`;
  const { page, refresh } = await house({ body: form("1", ["a", "b"]) });
  page.find("input").value = "typed";
  page.find("select").value = "b";
  await rendered(page, refresh, form("2", ["c", "d"]));
  assert.deepEqual([page.find("input").value, page.find("select").value], ["2", "c"]);
});

test("who stands on a button stands on it again after it was exchanged", async () => {
  const tools = (more) => `<div id="tools" data-live><button data-do="undo">undo</button><button data-do="hold">hold ${more}</button></div>`;
  const { page, refresh } = await house({ body: tools(1) });
  page.find("[data-do=hold]").focus();
  await rendered(page, refresh, tools(2));
  assert.equal(page.document.activeElement.textContent, "hold 2");
});

test("a part in somebody's hands stays itself, whatever else changes around it", async () => {
  const table = (more) => `<div id="t" data-live><p>${more}</p><div class="result" data-table="2"><button>A</button></div></div>`;
  const { page, refresh } = await house({ body: table("one") });
  const held = page.find(".result");
  held.dataset.held = "A";
  await rendered(page, refresh, table("two"));
  assert.equal(page.find(".result"), held);
  assert.equal(page.find("#t p").textContent, "two");
});

test("of two fetches the one that was asked for last is shown, whichever comes first", async () => {
  const body = (text) => `<p id="p" data-live>${text}</p>`;
  const { page, refresh } = await house({ body: body("old") });
  const waiting = [];
  page.refreshed = () => new Promise((resolve) => waiting.push(resolve));
  const one = refresh();
  const other = refresh();
  await settled();
  const reply = (text) => ({ body: `<html><body>${body(text)}</body></html>` });
  waiting[1](reply("second"));
  assert.equal(await other, true);
  waiting[0](reply("first"));
  assert.equal(await one, false);
  assert.equal(page.find("#p").textContent, "second");
});

test("a page that is refused changes nothing", async () => {
  const { page, refresh } = await house({ body: '<p id="p" data-live>old</p>' });
  page.refreshed = () => ({ status: 500, body: '<p id="p" data-live>broken</p>' });
  assert.equal(await refresh(), false);
  assert.equal(page.find("#p").textContent, "old");
});

for (const unheard of UNHEARD) {
  test(`what nobody has heard is told again with its key, other words with another: ${unheard?.status ?? "nothing"} ${unheard?.type ?? ""}`, async () => {
    const answers = [unheard, unheard, { body: {} }, { body: {} }];
    const { page, tellOnce } = await house({ answer: () => answers.shift() });
    await tellOnce("/games", { game: "a" });
    await tellOnce("/games", { game: "b" });
    await tellOnce("/games", { game: "a" });
    await tellOnce("/games", { game: "a" });
    const [first, second, third, fourth] = page.requests.map((each) => each.headers["Idempotency-Key"]);
    assert.equal(third, first);
    assert.equal(new Set([first, second, fourth]).size, 3);
  });
}

test("the digest of a secret is the one that everybody computes", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
    assert.equal(sha256(bytes), createHash("sha256").update(bytes).digest("hex"));
  }));
});

/** What the device of Ana has kept, of two roles. */
function keptByTwo() {
  const storage = new Shelf();
  for (const role of ["tana", "tbo"]) for (const what of ["referee g1", "referee sealed g1"]) storage.setItem(`${what} as ${role}`, "words");
  storage.setItem("referee notation", "yes");
  return storage;
}
const left = (storage) => [...storage.kept.keys()].filter((each) => each.includes(" as ")).map((each) => each.split(" as ")[1]);

test("a role that the referee knows no more leaves nothing on the device, and takes nothing of another with it", async () => {
  for (const status of [401, 403]) {
    const storage = keptByTwo();
    const page = new Page({ shown: { roles: ' data-role="tana"' }, storage, answer: () => ({ status, body: { code: "x" } }) });
    const dropped = [];
    page.window.caches = { delete: (name) => dropped.push(name) };
    const { ask, refresh } = await page.run("common.js");
    if (status === 401) await ask("POST", "/games/g1/actions", {});
    else {
      page.refreshed = () => ({ status });
      await refresh();
    }
    assert.deepEqual(left(storage), ["tbo", "tbo"]);
    assert.deepEqual(dropped, ["referee pages"]);
    assert.equal(storage.getItem("referee notation"), "yes");
  }
});

test("what is kept of a role that the device has no more goes with the next page", async () => {
  for (const [attributes, stays] of [['data-roles="tbo tcy"', ["tbo", "tbo"]], ['data-roles=""', []],
    ["", ["tana", "tana", "tbo", "tbo"]], ['data-roles="" data-offline', ["tana", "tana", "tbo", "tbo"]]]) {
    const storage = keptByTwo();
    const page = new Page({ shown: { roles: ` ${attributes}` }, storage });
    await page.run("device.js");
    assert.deepEqual(left(storage), stays, attributes);
  }
});
