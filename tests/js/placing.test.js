// A position, set up by taps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Page, html, settled } from "./page.js";

const BODY = `<div id="board" data-live><svg></svg></div><button id="place" aria-pressed="false" hidden></button>
<div id="here" data-live><select name="here"><option value=""></option><option value="hex.c2">c2</option></select>
<a class="way" href="?position=P0&here=hex.c2&piece=step&source=card.B&target=hex.c2">a step of Bo</a></div>`;

async function placing() {
  const page = new Page({ url: "https://referee.test/try/benevolent?game=g1&try=pick", shown: { body: BODY, data: { version: 0, position: "P0" }, words: {} } });
  page.asked = [];
  page.refreshed = ({ path }) => {
    page.asked.push(Object.fromEntries(new URL(path, "https://referee.test").searchParams));
    page.shown.data = { ...page.shown.data, position: `P${page.asked.length}` };
    return { body: html(page.shown) };
  };
  await page.run("placing.js");
  return page;
}

test("a place that is chosen is looked at, in the same position and at the same table", async () => {
  const page = await placing();
  const choice = page.find("#here select");
  choice.value = "hex.c2";
  choice.dispatchEvent(new page.window.Event("change", { bubbles: true }));
  await settled();
  assert.deepEqual(page.asked, [{ game: "g1", position: "P0", here: "hex.c2" }]);
});

test("pieces that are tapped fast go one after another, each from what the one before has made", async () => {
  const page = await placing();
  const tap = () => page.find("#here a.way").dispatchEvent(new page.window.MouseEvent("click", { bubbles: true, cancelable: true }));
  tap();
  tap();
  await settled();
  await settled();
  assert.deepEqual(page.asked.map(({ position, piece }) => [position, piece]), [["P0", "step"], ["P1", "step"]]);
  const kept = new URL(page.window.location.href).searchParams;
  assert.equal(kept.get("position"), "P2");
  assert.equal(kept.get("piece"), null);
});
