// A seat on its phone: its secrets, its word on the record, its turn.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Recorder, tablePage } from "./table_page.js";

async function seat(recorder = new Recorder(), options = {}) {
  const page = tablePage(recorder, options);
  await page.run("seat.js");
  page.window.HTMLDialogElement.prototype.showModal ??= function showModal() { this.open = true; };
  return page;
}

test("a secret is kept here, only its hash is sent, and the words to write down come with the answer", async () => {
  const page = await seat();
  await page.click("#own [data-do=seal]");
  page.find("#dialog #secret").value = "  b1   c2 ";
  await page.click("#dialog [data-do=send]");
  const { body, headers } = page.requests.find(({ path }) => path.endsWith("/secrets"));
  assert.deepEqual(Object.keys(body).sort(), ["digest", "seat", "what"]);
  assert.deepEqual([body.seat, body.what, headers["If-Match"]], ["B", "hand", undefined]);
  const kept = JSON.parse(page.storage.getItem("referee sealed g1 as "));
  assert.deepEqual(kept[body.digest].words, ["b1", "c2"]);
  assert.match(page.find("#verdict.good").textContent, new RegExp(`${kept[body.digest].salt} · b1 c2`));
});

test("a secret that is refused is not called sealed", async () => {
  const page = await seat(undefined, { answer: () => ({ status: 403, body: { title: "not you", detail: "" } }) });
  await page.click("#own [data-do=seal]");
  page.find("#dialog #secret").value = "b1";
  await page.click("#dialog [data-do=send]");
  assert.match(page.find("#verdict").className, /bad/);
  assert.match(page.find("#verdict").textContent, /not you/);
});

test("the second secret does not push out the first, and games do not mix", async () => {
  const page = await seat();
  const { seal, kept, forget } = await page.run("seal.js");
  const [first, second, elsewhere] = [seal("g1", "B", "note", ["x"]), seal("g1", "B", "note", ["y"]), seal("g2", "B", "note", ["z"])];
  assert.equal(Object.keys(kept("g1")).length, 2);
  forget("g1", first.digest);
  assert.deepEqual(Object.keys(kept("g1")), [second.digest]);
  assert.deepEqual(Object.keys(kept("g2")), [elsewhere.digest]);
});

test("a hash is of the game, the seat, what it is and the words: none of them can be another", async () => {
  const page = await seat();
  const { digest } = await page.run("seal.js");
  const salt = "00ff".repeat(8);
  const all = [["g1", "A", "note", ["x", "y"]], ["g2", "A", "note", ["x", "y"]], ["g1", "B", "note", ["x", "y"]], ["g1", "A", "hand", ["x", "y"]], ["g1", "A", "note", ["x y"]]]
    .map(([game, whose, what, words]) => digest(game, whose, what, salt, words));
  assert.equal(new Set(all).size, all.length);
});

test("a seat confirms what it has seen, whatever was said since", async () => {
  const recorder = new Recorder();
  const page = await seat(recorder);
  recorder.record("A gather");
  await page.click("#own [data-do=confirm]");
  const { body, headers } = page.requests.find(({ path }) => path.endsWith("/confirmations"));
  assert.deepEqual(body, { entry: 6 });
  assert.equal(headers["If-Match"], undefined);
});

test("the title says when it is one's turn, and no longer when it is not", async () => {
  const recorder = new Recorder();
  const page = await seat(recorder, { words: { your_turn: "Your turn" } });
  page.shown.data.mine = true;
  recorder.record("A gather");
  await page.tell("entry", { entry: 7, kind: "logged", told: "" });
  assert.equal(page.document.title, "● Your turn · Page");
  page.shown.data.mine = false;
  recorder.record("B pass");
  await page.tell("entry", { entry: 8, kind: "logged", told: "" });
  assert.equal(page.document.title, "Page");
});
