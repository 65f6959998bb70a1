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
    this.aside = null;
    this.speak(story.start);
    byId("first").onclick = () => this.go(0);
    byId("back").onclick = () => this.go(this.before());
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
    byId("why-head").textContent = ui.why;
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
    const nowhere = line.step === null && line.gone === null;
    const place = nowhere ? item : make("button");
    place.append(make("span", SIGNS[line.outcome], `sign ${line.outcome}`));
    place.append(make("span", `${line.label} `, "soft"), make("span", line.text, "line"));
    if (line.extra) place.append(make("span", ` ${line.extra}`, "soft"));
    if (line.step === null) item.className = "gone";
    if (nowhere) return item;
    place.type = "button";
    if (line.step === null) {
      place.dataset.gone = line.gone;
      place.onclick = () => this.look(line.gone);
    } else {
      place.dataset.step = line.step;
      place.onclick = () => this.go(line.step);
    }
    item.append(place);
    return item;
  }

  go(step) {
    this.at = Math.max(0, Math.min(step, this.told.steps.length - 1));
    this.aside = null;
    this.show();
    this.address(this.told.steps[this.at].number);
  }

  // At something that does not count: the next step leads back to what does.
  look(gone) {
    this.aside = gone;
    this.at = this.last(gone);
    this.show();
    this.address(this.told.gone[gone].number);
  }

  before() {
    return this.aside === null ? this.at - 1 : this.at;
  }

  address(number) {
    if (number !== null) history.replaceState(null, "", `#${number}`);
  }

  follow() {
    const number = Number(location.hash.slice(1) || 0);
    const step = this.told.steps.findIndex((one) => one.number === number);
    const gone = this.told.gone.findIndex((one) => one.number === number);
    this.aside = step < 0 && gone >= 0 ? gone : null;
    this.at = step >= 0 ? step : this.aside === null ? 0 : this.last(this.aside);
    this.show();
  }

  // The last step that counts before something that does not, in the list.
  last(gone) {
    const lines = this.told.lines.filter((line) => !line.happened);
    const before = lines.slice(0, lines.findIndex((line) => line.gone === gone));
    return before.reduce((at, line) => line.step ?? at, 0);
  }

  show() {
    const step = this.aside === null ? this.told.steps[this.at] : this.told.gone[this.aside];
    const markup = step.picture.map((piece) => this.story.pieces[piece]).join("");
    const svg = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
    byId("board").replaceChildren(document.importNode(svg, true));
    const described = svg.querySelector("desc").textContent.split("\n");
    byId("words").replaceChildren(...described.map((line) => make("p", line)));
    byId("now").replaceChildren(...this.now(step));
    byId("asked").replaceChildren(...this.why(step));
    byId("why").hidden = step.why.length === 0;
    const slider = byId("slider");
    slider.value = this.at;
    slider.setAttribute("aria-valuetext", `${step.label} ${step.line}`);
    byId("first").disabled = byId("back").disabled = this.at === 0 && this.aside === null;
    byId("next").disabled = byId("last").disabled = this.at === this.told.steps.length - 1;
    for (const button of byId("moves").querySelectorAll("[aria-current]"))
      button.removeAttribute("aria-current");
    const place = this.aside === null ? `[data-step="${this.at}"]` : `[data-gone="${this.aside}"]`;
    const here = byId("moves").querySelector(place);
    if (here) {
      here.setAttribute("aria-current", "step");
      const list = byId("moves");
      list.scrollTop = here.parentElement.offsetTop - list.offsetTop - list.clientHeight / 3;
    }
  }

  now(step) {
    const parts = [make("p", `${step.label} ${step.line}`, "said")];
    if (step.fate) parts.push(make("p", step.fate, "fate"));
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

  why(step) {
    return step.why.map(([clause, how]) => {
      const asked = make("p");
      asked.append(make("span", how === "broken" ? "✗" : "✓", `sign ${how}`),
        make("strong", `${clause} (${this.told.ui[how]}) `),
        make("span", this.told.clauses[clause]));
      return asked;
    });
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.type === "range") return;
    const step = { ArrowLeft: this.before(), ArrowRight: this.at + 1, Home: 0, End: Infinity,
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
      if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) this.go(dx < 0 ? this.at + 1 : this.before());
      start = null;
    }, { passive: true });
  }
}

unpack("story").then((story) => { new Replay(story); document.body.dataset.ready = "yes"; });
