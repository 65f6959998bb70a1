// By night a picture has dark colours of its own, whatever game drew it: pale grounds become dark ones of the same
// hue, ink becomes light. What has a strong colour – a piece, a token, a tile – keeps it, and all that lies on it
// does; so do photographs, and what is marked `data-own-colours`. Pictures as files stay as they are drawn.

/** Lightness, green to red and blue to yellow, as the eye sees them (OKLab).
 *  @typedef {[number, number, number]} Seen */

/** From this colourfulness on, a colour is that of a thing; a pale ground may have a little more. */
const STRONG = 0.1;
const TINTED = 0.125;
const PALE = 0.8;
/** Lightness of the darkest and the lightest that is made, and what a lightness and its mirror image come to. */
const DARKEST = 0.23;
const LIGHTEST = 0.93;
const MIRROR = 1.2;
/** Lines and letters of a strong colour are at least so light. */
const READABLE = 0.68;
/** What is darker and grey is ink; a fill that is darker than this is dark already. */
const INK = 0.27;
const DARK = 0.45;
/** So many pixels wide and high, something can lie on it. */
const AREA = 7;

/** @param {string} value @returns {Seen | null} */
export function seen(value) {
  const hex = { white: "#ffffff", black: "#000000" }[value] ?? value;
  const long = /^#[\da-f]{3}$/i.test(hex) ? hex.replace(/[\da-f]/gi, "$&$&") : hex;
  if (!/^#[\da-f]{6}$/i.test(long)) return null;
  const linear = (/** @type {number} */ at) => {
    const part = parseInt(long.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  const [r, g, b] = [linear(1), linear(3), linear(5)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** @param {Seen} colour */
function written([light, a, b]) {
  return `oklab(${light.toFixed(3)} ${a.toFixed(3)} ${b.toFixed(3)})`;
}

/** What a colour is by night where it lies on a dark ground; null: what it is by day.
 *  @param {string} value @param {"area" | "shape" | "line"} use */
export function byNight(value, use) {
  const colour = seen(value);
  if (colour === null) return null;
  const [light, a, b] = colour;
  if (Math.hypot(a, b) >= (use === "area" && light > PALE ? TINTED : STRONG)) return use === "line" && light < READABLE ? written([READABLE, a, b]) : null;
  if (light < DARK && (use === "area" || (use === "shape" && light >= INK))) return null;
  return written([Math.min(LIGHTEST, Math.max(DARKEST, MIRROR - light)), a, b]);
}

const DRAWN = "rect, circle, ellipse, polygon, path, polyline, line, text, image";

/** Something that is drawn: how it looks by day, where it lies and on what, and whether something lies on it.
 *  @typedef {{ part: SVGElement, isText: boolean, isPhoto: boolean, isArea: boolean, isSmall: boolean, fill: string, stroke: string,
 *    left: number, right: number, top: number, bottom: number, wide: number, keeps: boolean, covered: boolean, under?: Drawn }} Drawn */

/** What is drawn, in its order.
 *  @param {SVGElement} svg @returns {Drawn[]} */
function measured(svg) {
  const small = svg.getBoundingClientRect().width / 24;
  return Array.from(/** @type {NodeListOf<SVGElement>} */ (svg.querySelectorAll(DRAWN)), (part) => {
    const isText = part.tagName === "text";
    const isPhoto = part.tagName === "image";
    const fill = isPhoto ? "" : part.closest("[fill]")?.getAttribute("fill") ?? "#000000";
    const stroke = part.closest("[stroke]")?.getAttribute("stroke") ?? "none";
    const { left, right, top, bottom, width, height } = part.getBoundingClientRect();
    const [wide, thin] = [Math.max(width, height), Math.min(width, height)];
    const isSolid = Number(part.getAttribute("fill-opacity") ?? part.getAttribute("opacity") ?? 1) >= 0.5;
    const isArea = isPhoto || (!isText && isSolid && seen(fill) !== null && thin >= AREA && !part.closest("defs"));
    return { part, isText, isPhoto, isArea, isSmall: wide < small, fill, stroke, left, right, top, bottom, wide, keeps: isPhoto || part.closest("[data-own-colours]") !== null, covered: false };
  });
}

/** What something lies on: the last area that was drawn before it around its middle, and is larger.
 *  @param {Drawn[]} areas @param {Drawn} drawn */
function ground(areas, { left, right, top, bottom, wide }) {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return areas.findLast((under) => under.wide >= wide && under.left <= x && x <= under.right && under.top <= y && y <= under.bottom);
}

/** Paint a picture for the night.
 *  @param {SVGElement} svg */
function darken(svg) {
  const all = measured(svg);
  /** @type {Drawn[]} */
  const areas = [];
  for (const drawn of all) {
    drawn.under = ground(areas, drawn);
    if (drawn.under) drawn.under.covered = true;
    if (drawn.isArea) areas.push(drawn);
  }
  for (const drawn of all) {
    drawn.keeps ||= drawn.under?.keeps || (drawn.isArea && !isDark(drawn) && byNight(drawn.fill, useOf(drawn)) === null);
  }
  for (const drawn of all) if (!drawn.isPhoto) paint(drawn);
  svg.dataset.night = "yes";
}

/** @param {Drawn} drawn */
function useOf({ isText, isSmall, covered }) {
  if (covered) return "area";
  return isText || isSmall ? "line" : "shape";
}

/** What is dark by day already keeps its colour; what lies on it is in the night like the rest.
 *  @param {Drawn} drawn */
function isDark({ fill, covered }) {
  return covered && (seen(fill)?.[0] ?? 1) < DARK;
}

/** @param {Drawn} drawn */
function paint(drawn) {
  const { part, isText, fill, stroke, keeps, under } = drawn;
  const hasHalo = isText && stroke !== "none";
  const lies = under !== undefined && isDark(under) && !hasHalo;
  const change = (/** @type {string} */ value, /** @type {"area" | "shape" | "line"} */ use) =>
    lies && use !== "area" && (seen(value)?.[0] ?? 0) >= DARK ? null : byNight(value, use);
  part.style.fill = (keeps ? null : change(fill, useOf(drawn))) ?? "";
  part.style.stroke = (under?.keeps || part.closest("[data-own-colours]") ? null : change(stroke, "line")) ?? "";
}

/** @param {SVGElement} svg */
function lighten(svg) {
  if (!svg.dataset.night) return;
  for (const part of /** @type {NodeListOf<SVGElement>} */ (svg.querySelectorAll(DRAWN))) {
    part.style.fill = "";
    part.style.stroke = "";
  }
  delete svg.dataset.night;
}

const PICTURES = ":is(.board, .drawing, .line-pieces, .picture, .pictured) svg";
const page = globalThis.document;
const style = /** @type {HTMLLinkElement | null | undefined} */ (page?.querySelector('link[href$="/dark.css"]'));
const night = style && matchMedia(style.media || "all");

/** Paint what has come, before it is seen; what is folded away has no place yet.
 *  @param {Iterable<SVGElement>} pictures */
function show(pictures) {
  for (const svg of pictures) {
    if (!night?.matches) lighten(svg);
    else if (!svg.dataset.night && svg.getBoundingClientRect().width) darken(svg);
  }
}

/** @returns {NodeListOf<SVGElement>} */
const pictures = () => document.querySelectorAll(PICTURES);

if (night) {
  new MutationObserver(() => show(pictures())).observe(document.body, { childList: true, subtree: true });
  document.addEventListener("toggle", () => show(pictures()), true);
  night.addEventListener("change", () => show(pictures()));
  show(pictures());
}
