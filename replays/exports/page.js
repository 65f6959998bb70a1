"use strict";
const SIGNS = { legal: "✓", illegal: "✗", undecided: "?" };
const ARROWS = {
  first: "M5 4h3v7l9-7v16l-9-7v7H5z", back: "M17 4v16L6 12z",
  next: "M7 4v16l11-8z", last: "M19 4h-3v7L7 4v16l9-7v7h3z",
};
const byId = (id) => document.getElementById(id);

async function unpack(id) {
  const packed = Uint8Array.from(atob(byId(id).textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// Whatever people wrote goes through here: it is text and never markup.
function make(tag, text, className) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}

function arrow(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.append(document.createElementNS(svg.namespaceURI, "path"));
  svg.firstChild.setAttribute("d", path);
  return svg;
}

class Replay {
  constructor(story) {
    this.story = story;
    this.at = 0;
    this.speak(story.start);
    byId("first").onclick = () => this.go(0);
    byId("back").onclick = () => this.go(this.at - 1);
    byId("next").onclick = () => this.go(this.at + 1);
    byId("last").onclick = () => this.go(this.told.steps.length - 1);
    byId("slider").oninput = (event) => this.go(Number(event.target.value));
    byId("language").onclick = () => this.speak(this.told.lang === "en" ? "fr" : "en");
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.follow());
    this.listenToTouch(byId("board"));
    this.follow();
  }

  speak(lang) {
    this.told = this.story.languages[lang];
    const ui = this.told.ui;
    document.documentElement.lang = lang;
    document.title = this.told.title;
    byId("title").textContent = this.told.title;
    for (const id of ["first", "back", "next", "last"]) {
      byId(id).replaceChildren(arrow(ARROWS[id]));
      byId(id).setAttribute("aria-label", ui[id]);
      byId(id).title = ui[id];
    }
    byId("language").textContent = ui.language;
    byId("language").lang = lang === "en" ? "fr" : "en";
    byId("slider").max = this.told.steps.length - 1;
    byId("slider").setAttribute("aria-label", ui.slider);
    byId("controls").setAttribute("aria-label", ui.here);
    byId("table").setAttribute("aria-label", ui.board);
    byId("moves-head").textContent = ui.moves;
    byId("words-head").textContent = ui.words;
    byId("about-head").textContent = ui.about;
    byId("keys").textContent = ui.keys;
    byId("import").textContent = ui.import;
    byId("judged-head").textContent = ui.judged;
    byId("judged").hidden = this.told.summary.length === 0;
    byId("book").replaceChildren(...this.told.summary.flatMap(([heading, lines]) => {
      const list = make("ul");
      list.append(...lines.map((line) => make("li", line)));
      return [make("h3", heading), list];
    }));
    byId("tags").replaceChildren(
      ...this.told.tags.flatMap(([name, value]) => [make("dt", name), make("dd", value)]));
    byId("moves").replaceChildren(...this.told.lines.map((line) => this.move(line)));
    this.show();
  }

  move(line) {
    if (line.happened) {
      const item = make("li", undefined, "happened");
      item.append(make("span", "§", "sign"), make("span", line.text));
      return item;
    }
    const item = make("li");
    const place = line.step === null ? item : make("button");
    place.append(make("span", SIGNS[line.outcome], `sign ${line.outcome}`));
    place.append(make("span", `${line.label} `, "soft"), make("span", line.text, "line"));
    if (line.extra) place.append(make("span", ` ${line.extra}`, "soft"));
    if (line.step === null) item.className = "gone";
    else {
      place.type = "button";
      place.dataset.step = line.step;
      place.onclick = () => this.go(line.step);
      item.append(place);
    }
    return item;
  }

  go(step) {
    this.at = Math.max(0, Math.min(step, this.told.steps.length - 1));
    this.show();
    const number = this.told.steps[this.at].number;
    if (number !== null) history.replaceState(null, "", `#${number}`);
  }

  follow() {
    const number = Number(location.hash.slice(1) || 0);
    const step = this.told.steps.findIndex((one) => one.number === number);
    this.at = step < 0 ? 0 : step;
    this.show();
  }

  show() {
    const step = this.told.steps[this.at];
    const markup = step.picture.map((piece) => this.story.pieces[piece]).join("");
    const svg = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
    byId("board").replaceChildren(document.importNode(svg, true));
    const described = svg.querySelector("desc").textContent.split("\n");
    byId("words").replaceChildren(...described.map((line) => make("p", line)));
    byId("now").replaceChildren(...this.now(step));
    const slider = byId("slider");
    slider.value = this.at;
    slider.setAttribute("aria-valuetext", `${step.label} ${step.line}`);
    byId("first").disabled = byId("back").disabled = this.at === 0;
    byId("next").disabled = byId("last").disabled = this.at === this.told.steps.length - 1;
    for (const button of byId("moves").querySelectorAll("[aria-current]"))
      button.removeAttribute("aria-current");
    const here = byId("moves").querySelector(`[data-step="${this.at}"]`);
    if (here) {
      here.setAttribute("aria-current", "step");
      const list = byId("moves");
      list.scrollTop = here.parentElement.offsetTop - list.offsetTop - list.clientHeight / 3;
    }
  }

  now(step) {
    const parts = [make("p", `${step.label} ${step.line}`, "said")];
    const verdict = make("p", undefined, step.outcome);
    verdict.append(make("span", SIGNS[step.outcome], "sign"), make("span", step.verdict));
    parts.push(verdict);
    for (const [clause, text, because] of step.reasons) {
      parts.push(make("p", `${clause} ${text}`));
      if (because) parts.push(make("p", because, "soft"));
    }
    for (const line of [...step.findings, ...step.judged]) parts.push(make("p", line));
    for (const note of step.notes) {
      const shown = make("div", undefined, "note");
      shown.append(make("p", note.text));
      for (const line of note.more) shown.append(make("p", line, "soft"));
      parts.push(shown);
    }
    return parts;
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.type === "range") return;
    const step = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: Infinity,
      PageUp: this.at - 10, PageDown: this.at + 10 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.go(step);
  }

  listenToTouch(board) {
    let start = null;
    board.addEventListener("touchstart", (event) => {
      start = event.touches.length === 1 ? event.touches[0] : null;
    }, { passive: true });
    board.addEventListener("touchend", (event) => {
      if (!start) return;
      const end = event.changedTouches[0];
      const [dx, dy] = [end.clientX - start.clientX, end.clientY - start.clientY];
      if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) this.go(this.at + (dx < 0 ? 1 : -1));
      start = null;
    }, { passive: true });
  }
}

unpack("story").then((story) => { new Replay(story); document.body.dataset.ready = "yes"; });
