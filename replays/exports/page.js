// The exported page: its game is inside. stepping.js, which stands before this, turns the pages.
const SIGNS = { legal: "✓", illegal: "✗", undecided: "?" };
const FULL = "M3 3h7v3H6v4H3zM14 3h7v7h-3V6h-4zM3 14h3v4h4v3H3zM18 14h3v7h-7v-3h4z";
const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
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

class Replay {
  constructor(story) {
    this.story = story;
    this.at = 0;
    this.aside = null;
    this.walk = null;
    this.told = story.languages[story.start];
    this.stepping = new Stepping(byId("controls"), byId("chart"), byId("board"), {
      words: this.told.stepping,
      moments: () => this.told.steps,
      place: () => this.at,
      go: (place) => this.go(place),
      told: (place) => `${this.told.steps[place].label} ${this.told.steps[place].line}`,
      scores: () => story.chart,
      walks: (by) => this.walks(by),
      leave: () => this.leave(),
    });
    this.speak(story.start);
    byId("full").onclick = () => this.alone();
    byId("find").oninput = () => this.find();
    addEventListener("resize", () => this.fit());
    byId("language").onclick = () => this.speak(this.told.lang === "en" ? "fr" : "en");
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.follow());
    this.follow();
  }

  speak(lang) {
    this.told = this.story.languages[lang];
    const ui = this.told.ui;
    document.documentElement.lang = lang;
    document.title = this.told.title;
    byId("title").textContent = this.told.title;
    byId("full").replaceChildren(drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawn("path", { d: FULL })));
    byId("full").setAttribute("aria-label", ui.full);
    byId("full").title = ui.full;
    byId("find").placeholder = ui.find;
    byId("find").setAttribute("aria-label", ui.find);
    byId("language").textContent = ui.language;
    byId("language").lang = lang === "en" ? "fr" : "en";
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
    byId("moves").replaceChildren(...this.grouped());
    this.find();
    this.stepping.speak(this.told.stepping);
    this.show();
  }

  // The list, with a heading wherever a round or somebody's turn begins.
  grouped() {
    let [round, seat] = ["", null];
    return this.told.lines.flatMap((line) => {
      const items = [];
      if (line.round && line.round !== round) {
        items.push(make("li", line.round, "round"));
        [round, seat] = [line.round, null];
      }
      if (line.seat && line.seat !== seat) {
        items.push(make("li", this.told.seats[line.seat] ?? line.seat, "turn"));
        seat = line.seat;
      }
      return [...items, this.move(line)];
    });
  }

  move(line) {
    if (line.happened) {
      const item = make("li", undefined, "happened");
      const link = make("a", "§", "sign");
      item.id = `e${line.seq}`;
      link.href = `#e${line.seq}`;
      link.setAttribute("aria-label", line.text);
      item.append(link, make("span", line.text));
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

  // A step in a variation is one of its own; back from what does not count leads to what does.
  walks(by) {
    if (this.walk) this.step(this.walk.of, this.walk.at + by);
    else if (this.aside !== null && by < 0) this.go(this.at);
    else return false;
    return true;
  }

  // Along a variation; before its first step and behind its last one is the game.
  step(of, at) {
    const { id, number, steps } = this.told.variations[of];
    this.stand(number);
    this.walk = at >= 0 && at < steps.length ? { of, at } : null;
    this.show();
    if (this.walk) history.replaceState(null, "", `#${id}.${at + 1}`);
    else this.address(number);
  }

  // To where a variation branches off, or to what counts.
  leave() {
    if (this.walk) this.step(this.walk.of, -1);
    else this.go(this.at);
  }

  // At an action, whether it counts or not.
  stand(number) {
    const step = this.told.steps.findIndex((one) => one.number === number);
    const gone = this.told.gone.findIndex((one) => one.number === number);
    this.aside = step < 0 && gone >= 0 ? gone : null;
    this.at = step >= 0 ? step : this.aside === null ? 0 : this.last(this.aside);
  }

  alone() {
    document.body.classList.toggle("full");
    this.fit();
  }

  // The shape in which more can be read; both stand in the picture.
  fit() {
    const svg = byId("board").querySelector("svg");
    if (!svg?.dataset.wide) return;
    const room = [byId("board").clientWidth, parseFloat(getComputedStyle(svg).maxHeight)];
    const scale = (shape) => {
      const size = svg.dataset[shape].split(" ").map(Number);
      return Math.min(room[0] / size[0], room[1] / size[1]);
    };
    const shape = scale("wide") > scale("tall") ? "wide" : "tall";
    svg.setAttribute("viewBox", `0 0 ${svg.dataset[shape]}`);
    for (const part of svg.querySelectorAll(`g[data-${shape}]`))
      part.setAttribute("transform", part.dataset[shape]);
    for (const marks of svg.querySelectorAll("[data-shape]"))
      marks.setAttribute("display", marks.dataset.shape === shape ? "inline" : "none");
    byId("board").dataset.lies = shape;
  }

  find() {
    const wanted = folded(byId("find").value.trim());
    const within = (steps, show) => steps.flatMap((step, index) => step.notes
      .filter((note) => folded([note.text, ...note.more].join(" ")).includes(wanted))
      .map((note) => [step, note, () => show(index)]));
    const found = wanted ? [
      ...within(this.told.steps, (index) => this.go(index)),
      ...within(this.told.gone, (index) => this.look(index)),
    ] : [];
    byId("found").replaceChildren(...found.map(([step, note, show]) => {
      const item = make("li");
      item.append(this.button(`${step.label} ${note.text}`, show));
      return item;
    }));
  }

  go(step) {
    this.at = Math.max(0, Math.min(step, this.told.steps.length - 1));
    this.aside = null;
    this.walk = null;
    this.show();
    this.address(this.told.steps[this.at].number);
  }

  // At something that does not count: the next step leads back to what does.
  look(gone) {
    this.aside = gone;
    this.walk = null;
    this.at = this.last(gone);
    this.show();
    this.address(this.told.gone[gone].number);
  }

  address(number) {
    if (number !== null) history.replaceState(null, "", `#${number}`);
  }

  follow() {
    const [, variation, place] = location.hash.match(/^#(n\d+)\.(\d+)$/) ?? [];
    const of = this.told.variations.findIndex((one) => one.id === variation);
    if (of >= 0) return this.step(of, Number(place) - 1);
    const seq = location.hash.match(/^#e(\d+)$/)?.[1];
    const happened = this.told.lines.find((line) => line.happened && String(line.seq) === seq);
    const number = happened ? happened.after : addressed(location) ?? this.story.at ?? 0;
    this.walk = null;
    this.stand(number);
    this.show();
    if (happened) this.mark(byId(`e${seq}`), byId(`e${seq}`));
  }

  mark(element, item) {
    const list = byId("moves");
    element.setAttribute("aria-current", "step");
    list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 3;
  }

  // The last step that counts before something that does not, in the list.
  last(gone) {
    const lines = this.told.lines.filter((line) => !line.happened);
    const before = lines.slice(0, lines.findIndex((line) => line.gone === gone));
    return before.reduce((at, line) => line.step ?? at, 0);
  }

  here() {
    if (this.walk) return this.told.variations[this.walk.of].steps[this.walk.at];
    return this.aside === null ? this.told.steps[this.at] : this.told.gone[this.aside];
  }

  show() {
    const step = this.here();
    const markup = step.picture.map((piece) => this.story.pieces[piece]).join("<g");
    const svg = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
    byId("board").replaceChildren(document.importNode(svg, true));
    this.fit();
    const described = svg.querySelector("desc").textContent.split("\n");
    byId("words").replaceChildren(...described.map((line) => make("p", line)));
    byId("now").replaceChildren(...this.now(step));
    byId("live").textContent = `${step.label} ${step.line} – ${step.verdict}`;
    byId("asked").replaceChildren(...this.why(step));
    byId("why").hidden = step.why.length === 0;
    this.stepping.renew();
    for (const button of byId("moves").querySelectorAll("[aria-current]"))
      button.removeAttribute("aria-current");
    const place = this.aside === null ? `[data-step="${this.at}"]` : `[data-gone="${this.aside}"]`;
    const here = byId("moves").querySelector(place);
    if (here) this.mark(here, here.parentElement);
  }

  button(text, act) {
    const made = make("button", text);
    made.type = "button";
    made.onclick = act;
    return made;
  }

  now(step) {
    const parts = [make("p", `${step.label} ${step.line}`, "said")];
    if (step.notation) parts.push(make("p", step.notation, "soft"));
    if (this.walk) {
      const { of, at } = this.walk;
      const { id, number, steps } = this.told.variations[of];
      parts.unshift(make("p", `${this.told.ui.instead} ${id} – #${number} – ${at + 1}/${steps.length}`, "fate"));
      parts.push(this.button(this.told.ui.leave, () => this.leave()));
    }
    if (step.fate) parts.push(make("p", step.fate, "fate"));
    const verdict = make("p", undefined, step.outcome);
    verdict.append(make("span", SIGNS[step.outcome], "sign"), make("span", step.verdict));
    parts.push(verdict);
    if (step.moved) parts.push(make("p", step.moved));
    for (const [clause, text, because] of step.reasons) {
      parts.push(make("p", `${clause} ${text}`));
      if (because) parts.push(make("p", because, "soft"));
    }
    for (const line of [...step.findings, ...step.judged]) parts.push(make("p", line));
    for (const photo of this.photos(step)) {
      const figure = make("figure", undefined, "photo");
      const picture = make("img");
      picture.src = photo.source;
      picture.alt = photo.caption;
      figure.append(picture, make("figcaption", photo.caption, "soft"));
      parts.push(figure);
    }
    for (const note of step.notes) {
      const shown = make("div", undefined, "note");
      shown.append(make("p", note.text));
      for (const line of note.more) shown.append(make("p", line, "soft"));
      const of = this.told.variations.findIndex((one) => one.id === note.id);
      if (of >= 0) shown.append(this.button(this.told.ui.walk, () => this.step(of, 0)));
      parts.push(shown);
    }
    return parts;
  }

  photos(step) {
    return this.story.photos.filter((photo) => photo.number === step.number);
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

  // What else keys do here than to step.
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select")) return;
    if (event.key === "f") this.alone();
  }
}

// Of a page with several games each has an address of its own: it is loaded when somebody goes there.
const chapter = Number(new URLSearchParams(location.search).get("chapter"));

function listed({ chapters = [], of }) {
  const here = chapter > 1 && chapter <= chapters.length ? chapter : 1;
  byId("chapters").setAttribute("aria-label", of ?? "");
  byId("chapters").replaceChildren(...chapters.map((title, place) => {
    const link = make("a", `${place + 1}. ${title}`);
    link.href = `?chapter=${place + 1}`;
    if (place + 1 === here) link.setAttribute("aria-current", "page");
    return link;
  }));
}

unpack(byId(`story${chapter}`) ? `story${chapter}` : "story").then((story) => {
  listed(story);
  new Replay(story);
  document.body.dataset.ready = "yes";
});
