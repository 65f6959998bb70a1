// A refusal that rests on a detail of the box which nobody has seen: is it so on this table?

import { ask, caughtUp, data, make, say, tellOnce } from "./common.js";

/** @typedef {{ value: any, word: string }} BoxChoice */
/** @typedef {{ path: string, name: string, value: any, shown: string, kind: string, choices: BoxChoice[], chosen: any[] }} BoxQuestion */

/** What the referee only assumes, each with a yes and a no. A no tells what is to be seen instead;
 *  either way the move is judged anew.
 *  @param {HTMLElement} place @param {string[]} paths @param {() => void} again */
export async function fill(place, paths, again) {
  const query = paths.map((path) => `data=${encodeURIComponent(path)}`).join("&");
  const reply = await ask("GET", `/games/${data().game}/kit/questions?${query}`);
  /** @type {BoxQuestion[]} */
  const questions = reply.body?.data?.questions ?? [];
  place.replaceChildren(...questions.map((question) => asked(question, again)));
  const told = questions.map(({ name, shown }) => `${name} (${shown})`);
  for (const line of place.parentElement?.querySelectorAll(":scope > p") ?? []) {
    if (told.some((each) => line.textContent?.includes(each))) line.remove(); // it is asked now
  }
}

/** @param {BoxQuestion} question @param {() => void} again */
function asked(question, again) {
  const told = make("p", { role: "status" });
  const row = make("div", { class: "box-question", "data-datum": question.path });
  const declare = async (/** @type {object} */ body) => {
    const reply = await tellOnce(`/games/${data().game}/kit`, { path: question.path, keep: true, ...body });
    if (reply.status !== 200) told.textContent = reply.body?.detail ?? say("lost");
    else await caughtUp(reply.body.version).then(again);
  };
  const yes = () => declare({ value: question.value });
  const answers = make("div", { class: "choices" });
  const no = () => answers.replaceChildren(...picks(question, say("box_tell"), declare));
  if (data().may?.["kit-declare"]) {
    answers.append(
      make("button", { type: "button", "data-do": "box-yes", onclick: yes }, say("box_yes")),
      make("button", { type: "button", "data-do": "box-no", onclick: no }, say("box_no")));
  } else answers.append(make("span", { class: "quiet" }, say("box_keepers")));
  row.append(
    make("p", {}, make("b", {}, say("box_ask")), ` ${question.name}: `, make("span", { class: "shown" }, question.shown)),
    answers, told);
  return row;
}

/** What there is instead: one tap, several taps, or something typed.
 *  @param {BoxQuestion} question @param {string} done what the button says that ends several taps
 *  @param {(told: { value?: any, chosen?: any[] }) => unknown} tell @returns {HTMLElement[]} */
export function picks(question, done, tell) {
  if (question.kind === "one") {
    return question.choices.map(({ value, word }) =>
      make("button", { type: "button", "data-choice": word, "aria-pressed": String(value === question.value), onclick: () => tell({ value }) }, word));
  }
  if (question.kind === "several") {
    const chosen = new Set(question.chosen);
    const buttons = question.choices.map(({ value, word }) => {
      const button = make("button", { type: "button", "data-choice": word, "aria-pressed": String(chosen.has(value)) }, word);
      button.addEventListener("click", () => {
        if (!chosen.delete(value)) chosen.add(value);
        button.setAttribute("aria-pressed", String(chosen.has(value)));
      });
      return button;
    });
    return [...buttons, ends(done, () => tell({ chosen: [...chosen] }))];
  }
  if (question.kind === "signs") {
    const places = question.chosen.map((sign, at) => make("select", { "aria-label": `${question.name} ${at + 1}` },
      ...question.choices.map(({ value, word }) => make("option", { value, selected: String(value) === String(sign) }, word))));
    return [...places, ends(done, () => tell({ chosen: places.map((place) => place.value) }))];
  }
  const several = Array.isArray(question.value);
  const typed = make("input", {
    value: several ? question.value.join(" ") : String(question.value ?? ""), "aria-label": question.name, maxlength: 200,
    inputmode: question.kind === "number" ? "numeric" : "text",
  });
  const read = (/** @type {string} */ word) => /^-?\d+$/.test(word) ? Number(word) : word;
  const value = () => several ? typed.value.trim().split(/\s+/).map(read) : read(typed.value.trim());
  return [typed, ends(done, () => tell({ value: value() }))];
}

/** @param {string} label @param {() => unknown} onclick */
function ends(label, onclick) {
  return make("button", { type: "button", class: "main", "data-do": "box-tell", onclick }, label);
}
