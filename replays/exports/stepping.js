// Stepping through a game: one bar, one set of keys, one chart. The pages that watch and study a game load
// this file, an exported page has it inside: what can be done on one can be done on all.

/** `matters`: it was illegal, disputed or has a note. A change of the lead is found in the points.
 *  @typedef {{ number: number | null, seat?: string | null, round?: number | null, matters?: boolean }} Moment */
/** @typedef {{ number: number, round: number | null, points: Record<string, number> }} Score */
/** @typedef {{ scores: Score[], colours: Record<string, string>, names: Record<string, string> }} Scores */
/** What a page tells of its game, and does with it.
 *  `moments`: what counts, the opening first. `place`: the one that is shown. `go`: show another one.
 *  `walks`: whether a step was taken elsewhere, in a variation. `told`: what a moment is called.
 *  @typedef {{ words: Record<string, string>, moments: () => Moment[], place: () => number, go: (place: number) => void,
 *    told: (place: number) => string, scores: () => Scores | null, walks?: (by: number) => boolean, leave?: () => void }} Host */

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  first: "M5 4h3v16H5zM19 4v16L8 12z", back: "M17 4v16L6 12z", next: "M7 4v16l11-8z", last: "M16 4h3v16h-3zM5 4v16l11-8z",
  turn_back: "M12 5v14L3 12zM21 5v14l-9-7z", turn_on: "M12 5v14l9-7zM3 5v14l9-7z",
  round_back: "M2 4h2v16H2zM13 5v14l-8-7zM22 5v14l-8-7z", round_on: "M20 4h2v16h-2zM11 5v14l8-7zM2 5v14l8-7z",
  matter_back: "M17 4h3v10h-3zM17 17h3v3h-3zM14 5v14L4 12z", matter_on: "M4 4h3v10H4zM4 17h3v3H4zM10 5v14l10-7z",
  play: "M5 3v18l15-9z", pause: "M6 4h4v16H6zM14 4h4v16h-4z",
};
/** The buttons, in their order; the slider stands behind the second. */
export const BUTTONS = ["first", "back", "next", "last", "turn_back", "turn_on", "round_back", "round_on", "matter_back", "matter_on", "play"];
/** The keys, on every page. */
export const KEYS = new Map([
  ["ArrowLeft", "back"], ["ArrowRight", "next"], ["Home", "first"], ["End", "last"], [" ", "play"], ["Escape", "leave"],
  ["Shift ArrowLeft", "turn_back"], ["Shift ArrowRight", "turn_on"], ["Shift ArrowUp", "round_back"], ["Shift ArrowDown", "round_on"], ["m", "matter_on"], ["Shift M", "matter_back"],
]);
/** So long a moment is shown while the game plays itself, in milliseconds. */
const BEAT = 1200;
const SPEEDS = [["0.5", "½×"], ["1", "1×"], ["2", "2×"], ["4", "4×"]];
/** So far a finger goes across the board to turn a page. */
const SWIPE = 50;
/** The colours of pieces, as lines on paper; by their place for seats that have none. */
const COLOURS = {
  red: "#c43e1c", blue: "#1f6fb5", green: "#00774f", yellow: "#d1a700", white: "#b9b4a4", black: "#2b2b2b", purple: "#7d4e9e",
  violet: "#7d4e9e", orange: "#e8912a", pink: "#d98fb8", brown: "#7a4f2b", grey: "#5f645c",
};
const USUAL = ["blue", "orange", "green", "pink", "brown", "purple", "red", "grey"];
const [WIDE, HIGH, LABELS] = [600, 120, 150];

/** The action that an address names: ``?at=7`` and ``#7`` mean the same everywhere.
 *  @param {Location} place @returns {number | null} */
export function addressed(place) {
  const said = place.hash.match(/^#(\d{1,6})$/)?.[1] ?? new URLSearchParams(place.search).get("at");
  return said !== null && said !== undefined && /^\d{1,6}$/.test(said) ? Number(said) : null;
}

/** @param {string} name @param {Record<string, string | number>} facts @param {...(Node | string)} inside */
function drawn(name, facts, ...inside) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(facts)) made.setAttribute(key, String(value));
  made.append(...inside);
  return made;
}

/** @param {string} name */
function icon(name) {
  return drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawn("path", { d: ICONS[/** @type {keyof typeof ICONS} */ (name)] }));
}

export class Stepping {
  /** @param {HTMLElement} bar @param {HTMLElement} chart @param {HTMLElement} board @param {Host} host */
  constructor(bar, chart, board, host) {
    this.host = host;
    this.chart = chart;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.plotted = "";
    /** @type {Record<string, HTMLButtonElement>} */
    this.buttons = {};
    for (const name of BUTTONS) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.go = name;
      button.addEventListener("click", () => this.act(name));
      this.buttons[name] = button;
    }
    this.slider = document.createElement("input");
    Object.assign(this.slider, { type: "range", min: "0", id: "moment" });
    this.slider.addEventListener("input", () => this.to(Number(this.slider.value)));
    this.speed = document.createElement("select");
    this.speed.append(...SPEEDS.map(([value, text]) => {
      const option = document.createElement("option");
      Object.assign(option, { value, textContent: text, selected: value === "1" });
      return option;
    }));
    this.speed.addEventListener("change", () => { if (this.timer !== undefined) this.play(true); });
    const [first, back, ...others] = BUTTONS.map((name) => /** @type {HTMLButtonElement} */ (this.buttons[name]));
    bar.classList.add("stepping");
    bar.replaceChildren(/** @type {Node} */ (first), /** @type {Node} */ (back), this.slider, ...others, this.speed);
    bar.hidden = false;
    addEventListener("keydown", (event) => this.key(event));
    chart.addEventListener("click", (event) => this.pointed(event));
    this.listenToTouch(board);
    this.speak(host.words);
  }

  /** @param {Record<string, string>} words */
  speak(words) {
    this.host.words = words;
    for (const name of BUTTONS) if (name !== "play") this.label(name, name);
    this.label("play", this.timer === undefined ? "play" : "pause");
    this.slider.setAttribute("aria-label", words.slider ?? "");
    this.speed.setAttribute("aria-label", words.speed ?? "");
    this.plotted = "";
    this.renew();
  }

  /** @param {string} name @param {string} what */
  label(name, what) {
    const button = /** @type {HTMLButtonElement} */ (this.buttons[name]);
    button.replaceChildren(icon(what));
    button.title = this.host.words[what] ?? "";
    button.setAttribute("aria-label", button.title);
  }

  /** The bar and the chart, as the page now shows its game. */
  renew() {
    const moments = this.host.moments();
    const [here, end] = [this.host.place(), moments.length - 1];
    this.slider.max = String(end);
    this.slider.value = String(here);
    this.slider.setAttribute("aria-valuetext", this.host.told(here));
    const rounds = new Set(moments.map(({ round }) => round ?? null)).size > 1;
    for (const name of ["round_back", "round_on"]) /** @type {HTMLButtonElement} */ (this.buttons[name]).hidden = !rounds;
    const mattering = this.mattering(moments).length > 0;
    for (const name of ["matter_back", "matter_on"]) /** @type {HTMLButtonElement} */ (this.buttons[name]).hidden = !mattering;
    /** @type {HTMLButtonElement} */ (this.buttons.last).setAttribute("aria-pressed", String(here === end));
    this.plot(moments, here);
  }

  /** @param {number} place */
  to(place) {
    this.host.go(Math.max(0, Math.min(place, this.host.moments().length - 1)));
  }

  /** What a button or a key does. @param {string} name */
  act(name) {
    const here = this.host.place();
    if (name === "first") this.to(0);
    else if (name === "last") this.to(Infinity);
    else if (name === "back" || name === "next") this.step(name === "next" ? 1 : -1);
    else if (name === "play") this.play(this.timer === undefined);
    else if (name === "leave") this.host.leave?.();
    else if (name.startsWith("matter")) this.to(this.beyond(this.mattering(this.host.moments()), name.endsWith("on") ? 1 : -1, here));
    else this.to(this.beginning(name.startsWith("turn") ? "seat" : "round", name.endsWith("on") ? 1 : -1, here));
  }

  /** @param {number} by */
  step(by) {
    if (!this.host.walks?.(by)) this.to(this.host.place() + by);
  }

  /** Where the next turn or round begins; back: this one, or the one before it.
   *  @param {"seat" | "round"} what @param {number} by @param {number} here */
  beginning(what, by, here) {
    const moments = this.host.moments();
    const begins = moments.flatMap((moment, place) =>
      (place === 0 || (moment[what] ?? null) !== (moments[place - 1]?.[what] ?? null) ? [place] : []));
    return this.beyond(begins, by, here);
  }

  /** The next of these places, or the one before; the end or the start, where there is none.
   *  @param {number[]} places @param {number} by @param {number} here */
  beyond(places, by, here) {
    if (by > 0) return places.find((place) => place > here) ?? this.host.moments().length - 1;
    return places.findLast((place) => place < here) ?? 0;
  }

  /** Where somebody would stop: what was illegal, disputed or has a note, and where the lead changed.
   *  @param {Moment[]} moments */
  mattering(moments) {
    const overtaken = new Set();
    let before = "";
    for (const { number, points } of this.host.scores()?.scores ?? []) {
      const most = Math.max(...Object.values(points));
      const ahead = Object.keys(points).filter((seat) => points[seat] === most);
      const leader = ahead.length === 1 ? ahead[0] ?? "" : "";
      if (leader && before && leader !== before) overtaken.add(number);
      before = leader || before;
    }
    return moments.flatMap(({ number, matters }, place) => (place > 0 && (matters || overtaken.has(number)) ? [place] : []));
  }

  /** @param {boolean} on */
  play(on) {
    clearInterval(this.timer);
    this.timer = undefined;
    const atEnd = () => this.host.place() >= this.host.moments().length - 1;
    if (on) {
      if (atEnd()) this.to(0);
      this.timer = /** @type {number} */ (/** @type {unknown} */ (setInterval(() => {
        if (atEnd()) this.play(false);
        else this.step(1);
      }, BEAT / Number(this.speed.value))));
    }
    this.label("play", on ? "pause" : "play");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const on = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.altKey || event.metaKey || on.closest("input, select, textarea, dialog[open]")) return;
    if (event.key === " " && on.closest("button, summary, a")) return;
    const name = KEYS.get(event.shiftKey ? `Shift ${event.key}` : event.key);
    if (name === undefined || (name === "leave" && !this.host.leave)) return;
    if (name !== "leave") event.preventDefault();
    this.act(name);
  }

  /** @param {HTMLElement} board */
  listenToTouch(board) {
    /** @type {Touch | null} */
    let start = null;
    document.addEventListener("touchstart", (event) => {
      const there = event.target instanceof Node && board.contains(event.target);
      start = event.touches.length === 1 && there ? event.touches[0] ?? null : null;
    }, { passive: true });
    document.addEventListener("touchend", (event) => {
      const end = event.changedTouches[0];
      if (start === null || end === undefined) return;
      const [across, down] = [end.clientX - start.clientX, end.clientY - start.clientY];
      if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(down)) this.step(across < 0 ? 1 : -1);
      start = null;
    }, { passive: true });
  }

  // the chart of points, and the rounds

  /** @param {Moment[]} moments @param {number} here */
  plot(moments, here) {
    const told = this.host.scores();
    const now = JSON.stringify([told, moments]);
    if (now !== this.plotted) {
      this.plotted = now;
      this.chart.replaceChildren(...this.lines(told, moments), ...this.rounds(moments));
      this.chart.hidden = this.chart.childElementCount === 0;
    }
    this.chart.querySelector(".now")?.setAttribute("transform", `translate(${this.across(here, moments)} 0)`);
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this.chart.querySelectorAll("[data-round]"))) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.round) === (moments[here]?.round ?? null)));
    }
  }

  /** @param {number} place @param {Moment[]} moments */
  across(place, moments) {
    return Math.round((WIDE * 10 * place) / Math.max(1, moments.length - 1)) / 10;
  }

  /** Points stay as they are until they change: a curve of steps for each seat.
   *  @param {Scores | null} told @param {Moment[]} moments @returns {Element[]} */
  lines(told, moments) {
    const seats = told ? [...new Set(told.scores.flatMap(({ points }) => Object.keys(points)))] : [];
    if (!told || !seats.length) return [];
    const places = new Map(moments.map(({ number }, place) => [number, place]));
    const values = told.scores.flatMap(({ points }) => Object.values(points));
    const [most, least] = [Math.max(1, ...values), Math.min(0, ...values)];
    const height = (/** @type {number} */ points) => HIGH - (HIGH * (points - least)) / Math.max(1, most - least);
    const curves = seats.map((seat, index) => {
      let had = 0;
      const corners = [[0, height(0)]];
      for (const { number, points } of told.scores) {
        const x = this.across(places.get(number) ?? 0, moments);
        corners.push([x, height(had)]);
        had = points[seat] ?? had;
        corners.push([x, height(had)]);
      }
      corners.push([WIDE, height(had)]);
      const colour = COLOURS[/** @type {keyof typeof COLOURS} */ (told.colours[seat] ?? USUAL[index % USUAL.length])] ?? "#5f645c";
      return { seat, had, colour, line: corners.map((corner) => corner.join(",")).join(" "), y: height(had) };
    });
    let free = -Infinity;
    const labels = curves.toSorted((one, other) => one.y - other.y).flatMap(({ seat, had, colour, y }) => {
      free = Math.max(y, free + 16);
      return [
        drawn("circle", { cx: WIDE + 8, cy: free, r: 5, fill: colour, class: "dot" }),
        drawn("text", { x: WIDE + 18, y: free + 4 }, `${had} ${told.names[seat] ?? seat}`.slice(0, 18)),
      ];
    });
    const label = `${this.host.words.scores ?? ""}: ${curves.map(({ seat, had }) => `${told.names[seat] ?? seat} ${had}`).join(", ")}`;
    return [drawn("svg", { viewBox: `-4 -12 ${WIDE + LABELS} ${Math.max(HIGH, free) + 24}`, role: "img", "aria-label": label },
      drawn("line", { x1: 0, x2: WIDE, y1: height(0), y2: height(0), class: "zero" }),
      ...curves.flatMap(({ colour, line }) => [drawn("polyline", { points: line, class: "under" }), drawn("polyline", { points: line, stroke: colour })]),
      ...labels,
      drawn("line", { x1: 0, x2: 0, y1: -8, y2: HIGH + 8, class: "now" }))];
  }

  /** @param {Moment[]} moments @returns {Element[]} */
  rounds(moments) {
    const rounds = [...new Set(moments.flatMap(({ round }) => (round === null || round === undefined ? [] : [round])))];
    if (rounds.length < 2) return [];
    const row = document.createElement("p");
    row.className = "rounds";
    row.append(`${this.host.words.round ?? ""} `, ...rounds.map((round) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.round = String(round);
      button.textContent = String(round);
      button.setAttribute("aria-label", `${this.host.words.round ?? ""} ${round}`);
      return button;
    }));
    return [row];
  }

  /** A round, or a place on the chart. @param {MouseEvent} event */
  pointed(event) {
    const on = event.target instanceof Element ? event.target : null;
    const round = /** @type {HTMLElement | null | undefined} */ (on?.closest("[data-round]"))?.dataset.round;
    const moments = this.host.moments();
    if (round !== undefined) {
      this.to(moments.findIndex((moment) => String(moment.round) === round));
      return;
    }
    const svg = on?.closest("svg");
    if (!svg) return;
    const { left, width } = svg.getBoundingClientRect();
    const share = (((event.clientX - left) / width) * (WIDE + LABELS) - 4) / WIDE;
    if (share <= 1.01) this.to(Math.round(share * (moments.length - 1)));
  }
}
