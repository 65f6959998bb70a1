// The seat page: own actions, own secrets, and the seat's word on what the record says.

import { callJudge } from "./judge_call.js";
import { lineOf, maySpeak, queue, show, untilClosed, whenAnswered } from "./desk.js";
import { does, field, open } from "./dialog.js";
import { data, make, meant, say } from "./common.js";
import { photograph } from "./photo.js";
import "./board.js";
import "./ending.js";
import { forget, kept, seal } from "./seal.js";

const { game, seat } = data();

/** What can be done about an action of the record.
 *  @param {number} number */
function more(number) {
  open(`#${number} ${lineOf(number)}`,
    make("div", { class: "choices" },
      does(say("photo"), () => photograph({ at: number }), { "data-do": "photo-it" }),
      does(say("object"), () => object(number), { "data-do": "object-it" })));
}

/** Call a judge about an action, or appeal against the ruling on it.
 *  @param {number} number @param {string} [ruling] */
function object(number, ruling) {
  const title = ruling ? say("appeal_to", { ruling }) : say("object_to", { number, line: lineOf(number) });
  callJudge(title, { number, seat, ...(ruling ? { appeals: ruling } : {}) }, { title: say("object"), anyway: true });
}

/** The seat agrees with what it has seen, and with nothing that came since. */
function confirm() {
  queue.add("/confirmations", { entry: data().version }, say("confirm"), { anyway: true });
}

function sealSomething() {
  const { sealable } = data();
  const kinds = Object.entries(sealable);
  const known = kinds.length
    ? make("select", { id: "what" }, ...kinds.map(([what, name]) => make("option", { value: what }, name)))
    : make("input", { id: "what", maxlength: 60, value: "note" });
  const words = field(say("seal_words"), { id: "secret" });
  open(say("seal"), make("label", {}, say("seal_what"), known), words.row, make("p", { class: "quiet" }, say("seal_about")),
    does(say("seal"), () => {
      const told = words.input.value.normalize("NFC").split(/\s+/).filter(Boolean);
      if (told.length) send(known.value, told);
    }, { class: "main", "data-do": "send" }));
}

/** @param {string} what @param {string[]} words */
function send(what, words) {
  const made = seal(game, seat, what, words);
  queue.add("/secrets", { seat, what, digest: made.digest }, say("seal"), { anyway: true });
}

/** Once it is in the record, what is needed to open it is shown, to be written down.
 *  @param {{ what: string, digest: string }} sealed */
function showSealed({ what, digest }) {
  const secret = kept(game)[digest];
  if (!secret) return;
  show("good", [say("seal_done", { what: data().sealable[what] ?? what }), say("seal_write"), `${secret.salt} · ${secret.words.join(" ")}`]);
  untilClosed();
}

/** @param {string} id @param {string} digest */
function openSecret(id, digest) {
  const secret = kept(game)[digest];
  const salt = field(say("seal_salt"), { id: "salt", value: secret?.salt ?? "", maxlength: 32 });
  const words = field(say("seal_words"), { id: "secret", value: secret?.words.join(" ") ?? "" });
  open(say("seal_open"), words.row, salt.row,
    does(say("seal_open"), () => queue.add(`/secrets/${id}/opening`,
      { salt: salt.input.value.trim(), words: words.input.value.normalize("NFC").split(/\s+/).filter(Boolean) },
      say("seal_open"), { anyway: true }), { class: "main", "data-do": "send" }));
}

whenAnswered((item, reply) => {
  if (reply.status !== 200) return;
  if (item.path === "/secrets") showSealed(item.said);
  if (item.path.endsWith("/opening")) forget(game, reply.body.data.digest);
});

/** @type {Record<string, (button: HTMLElement) => void>} */
const ACTIONS = {
  more: (button) => more(Number(button.dataset.number)),
  appeal: (button) => object(Number(button.dataset.number), button.dataset.ruling),
  confirm,
  seal: sealSomething,
  photo: () => photograph({}),
  card: () => import("./sight.js").then((sight) => sight.showCard()).catch(() => show("bad", [say("lost")])),
  open: (button) => openSecret(button.dataset.id ?? "", button.dataset.digest ?? ""),
};
document.addEventListener("click", (event) => {
  const button = meant(event, "#own [data-do], #moves [data-do], #decided [data-do=appeal]");
  if (button && maySpeak()) ACTIONS[button.dataset.do ?? ""]?.(button);
});

document.body.dataset.ready = "";
