// What is measured on a play page: see test_sizes.py.
() => {
  const find = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const box = (part) => part.getBoundingClientRect();
  const seen = (part) => part.checkVisibility() && box(part).width > 1;
  const small = (parts, least) => parts.filter(seen).filter((part) => box(part).height < least - 0.5)
    .map((part) => `${part.outerHTML.slice(0, 70)} ${Math.round(box(part).height)}`);

  const inPlay = all("#taps button, #tools button, #own button, .enlarging button, .slider button, summary");
  const others = all("a, button, select, input").filter((part) => !part.matches(".moves a, .check input"));

  const scale = (label) => Math.hypot(label.getScreenCTM().a, label.getScreenCTM().b);
  const labels = all("#board text").filter((label) => label.textContent.trim())
    .map((label) => ({ text: label.textContent, size: Number(label.getAttribute("font-size")) * scale(label), box: box(label) }));
  const picture = box(find("#board svg"));
  const cut = labels.filter(({ box: { left, right } }) => left < picture.left - 1 || right > picture.right + 1);

  const lit = all("#board [role=button]").map((part) => ({ word: part.dataset.word, box: box(part) }));
  const middle = ({ box: { left, top, width, height } }) => [left + width / 2, top + height / 2];
  const apart = (one, other) => Math.hypot(...middle(one).map((place, at) => place - middle(other)[at]));
  const near = (one) => lit.some((other) => other.word !== one.word && apart(one, other) < 24);

  const pane = box(find("#pane"));
  const sheet = box(find(".saying"));
  const covered = sheet.left < pane.right - 1 ? sheet.top : innerHeight;
  return {
    wide: document.documentElement.scrollWidth - Math.min(innerWidth, screen.width), // a phone makes room for what is too wide
    header: box(find(".top")).height,
    board: (Math.min(pane.bottom, covered, innerHeight) - Math.max(0, pane.top)) / innerHeight,
    across: picture.width / pane.width,
    space: find("#board g[data-tall]").querySelector("[data-word]") !== null,
    cut: cut.map(({ text }) => text),
    over: all(".enlarging button").filter((button) => box(button).bottom > pane.top).length,
    next: box(find("#next")).top >= 0 && box(find("#next")).bottom <= innerHeight,
    fingers: small(inPlay, 44),
    targets: small(others, 24),
    label: Math.min(...labels.map(({ size }) => size)),
    illegible: labels.filter(({ size }) => size < 9.95).map(({ text, size }) => `${text} ${size.toFixed(1)}`).slice(0, 5),
    crowded: lit.filter((one) => Math.min(one.box.width, one.box.height) < 24 && near(one)).map(({ word }) => word),
  };
}
