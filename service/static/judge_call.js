// Calling a judge about an action, with a photograph of the real table where somebody takes one.

import { announce, ask, data, freshKey, make, refresh, say } from "./common.js";
import { queue, show, whenAnswered } from "./desk.js";
import { does, field, open } from "./dialog.js";
import { smaller } from "./picture.js";

/** The photographs that wait for the dispute they belong to, by the key of what was said of it.
 *  @type {Map<string, { file: Blob, key: string }>} */
const waiting = new Map();

/** @param {string} title @param {{ number: number, seat?: string, appeals?: string }} about
 *  @param {{ title: string, anyway?: boolean }} call */
export function callJudge(title, about, { title: label, anyway = false }) {
  const text = field(say("dispute_text"), { id: "dispute-text" });
  const photo = make("input", { type: "file", accept: "image/*", capture: "environment", id: "dispute-photo" });
  const call = (/** @type {{ holds?: boolean }} */ more) => {
    const [file, key] = [photo.files?.[0], freshKey()];
    if (file) waiting.set(key, { file, key: freshKey() });
    queue.add("/disputes", { ...about, text: text.input.value, ...more }, label, { anyway, key });
  };
  open(title, text.row, make("label", {}, say("photo"), photo),
    make("div", { class: "choices" },
      does(label, () => call({}), { class: "main", "data-do": "send" }),
      does(say("judge_holds"), () => call({ holds: true }), { "data-do": "send-hold" })));
}

whenAnswered(async (item, reply) => {
  const photo = waiting.get(item.key);
  if (photo === undefined) return;
  waiting.delete(item.key);
  if (reply.status !== 200) return;
  const sent = await ask("POST", `/games/${data().game}/photos?${new URLSearchParams({ dispute: reply.body.data.id })}`, await smaller(photo.file), { "Idempotency-Key": photo.key });
  if (sent.status !== 200) show("bad", [sent.body?.detail ?? say("lost")]);
  else announce(say("photo_added"));
  await refresh();
});
