// `npm run bend -- [seconds] [seed] [script …]`: would the tests notice if the scripts of the pages were different?
//
// A copy of the scripts and their tests is bent one place at a time, and the test files that come to
// the place (coverage of V8) are run in the copy, the quickest first. What nobody notices is named. StrykerJS
// would run all tests for each bend: it cannot see into the realms in which our pages run scripts.

import { cp, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { spawn } from "node:child_process";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "acorn";

const ROOT = new URL("../../", import.meta.url).pathname;
const HERE = join(ROOT, "tests/js");
const SCRIPTS = ["service/static", "replays/exports"];
const FOLDERS = [...SCRIPTS, "tests/js"];
const PATIENCE = 120_000;
const BORDERS = { "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===", "+": "-", "-": "+" };
const EACH = new Set(["map", "filter", "forEach", "flatMap", "some", "every", "find", "findLast"]);

/** Every way in which a script is bent: from where to where, and what stands there instead. */
export function bends(source) {
  const found = [];
  const text = (node) => source.slice(node.start, node.end);
  const instead = (node, other) => found.push({ start: node.start, end: node.end, other, line: source.slice(0, node.start).split("\n").length });
  const OF = {
    IfStatement({ test }) { instead(test, "true"); instead(test, "false"); },
    ConditionalExpression({ test }) { instead(test, "true"); instead(test, "false"); },
    LogicalExpression(node) {
      instead(node, text(node.left));
      instead(node, text(node.right));
      if (node.operator === "??") instead(node, `(${text(node.left)} || ${text(node.right)})`);
    },
    BinaryExpression(node) {
      if (node.operator in BORDERS) instead(node, `${text(node.left)} ${BORDERS[node.operator]} ${text(node.right)}`);
    },
    ExpressionStatement(node) {
      const { expression } = node;
      const kept = expression.type === "Literal" || (expression.type === "CallExpression" && expression.callee.type === "Super");
      if (!kept) instead(node, ";");
    },
    AwaitExpression(node) { instead(node, `(${text(node.argument)})`); },
    ForOfStatement({ right }) { for (const some of [".slice(0, 1)", ".slice(-1)"]) instead(right, `[...${text(right)}]${some}`); },
    CallExpression({ callee, arguments: given }) {
      if (callee.type !== "MemberExpression" || callee.computed) return;
      const { name } = callee.property;
      if (EACH.has(name)) instead(callee.object, `(${text(callee.object)}).slice(-1)`);
      if (name === "at" && given.length === 1) instead(given[0], text(given[0]) === "-1" ? "0" : "-1");
      if (name === "sort" || name === "toSorted") instead(callee, `((...given) => [...${text(callee.object)}].reverse().sort(...given))`);
    },
    MemberExpression(node) {
      if (node.computed && text(node.property) === "0") instead(node, `${text(node.object)}.at(-1)`);
      if (node.property.name === "length" && node.object.type === "Identifier") instead(node, `(${text(node)} - 1)`);
    },
    Literal(node) {
      if (typeof node.value === "boolean") instead(node, String(!node.value));
    },
    ReturnStatement(node) { if (node.argument === null) instead(node, ";"); },
  };
  const walk = (node) => {
    if (node === null || typeof node !== "object") return;
    if (Array.isArray(node)) { node.forEach(walk); return; }
    if (typeof node.type !== "string" || node.type === "ImportDeclaration") return;
    OF[node.type]?.(node);
    Object.values(node).forEach(walk);
  };
  walk(parse(source, { ecmaVersion: "latest", sourceType: "module" }));
  return found;
}

/** For each test file, quickest first, what it runs of each script; by coverage of its process. */
async function learned() {
  const folder = await mkdtemp(join(tmpdir(), "reached-"));
  const found = [];
  for (const test of (await readdir(HERE)).filter((name) => name.endsWith(".test.js"))) {
    const begun = Date.now();
    const into = join(folder, test);
    if (!await passes(HERE, test, { NODE_V8_COVERAGE: into })) throw new Error(`${test} fails though nothing is bent`);
    const scripts = new Map();
    for (const name of await readdir(into)) {
      for (const { url, functions } of JSON.parse(await readFile(join(into, name), "utf8")).result) {
        const script = url.split("/").at(-1);
        scripts.set(script, [...scripts.get(script) ?? [], functions.flatMap(({ ranges }) => ranges)]);
      }
    }
    found.push({ test, scripts, took: Date.now() - begun });
  }
  await rm(folder, { recursive: true, force: true });
  return found.sort((one, other) => one.took - other.took);
}

/** Whether a place was run: the smallest block that holds it says how often. */
function ran(blocks, place) {
  const around = blocks.filter(({ startOffset, endOffset }) => startOffset <= place && place < endOffset);
  around.sort((one, other) => (one.endOffset - one.startOffset) - (other.endOffset - other.startOffset));
  return (around[0]?.count ?? 0) > 0;
}

function passes(folder, test, more = {}) {
  return new Promise((resolve) => {
    const options = ["--test", "--import", "./steady.js", "--experimental-vm-modules", "--no-warnings", test];
    const child = spawn(process.execPath, options, { cwd: folder, stdio: "ignore", timeout: PATIENCE, env: { ...process.env, ...more } });
    child.on("exit", (code) => resolve(code === 0));
  });
}

/** Whether all of them pass, one after the other until one does not. */
async function allPass(copy, tests) {
  for (const test of tests) if (!await passes(join(copy, "tests/js"), test)) return false;
  return true;
}

async function copied() {
  const copy = await mkdtemp(join(tmpdir(), "bent-"));
  for (const folder of FOLDERS) await cp(join(ROOT, folder), join(copy, folder), { recursive: true, filter: (path) => !path.endsWith("node_modules") });
  await symlink(join(ROOT, "tests/js/node_modules"), join(copy, "tests/js/node_modules"));
  return copy;
}

/** Numbers that look drawn and are the same for the same seed. */
function* drawn(seed) {
  for (let state = seed + 1; ; state = (state * 48271) % 2147483647) yield state / 2147483647;
}

export async function main(seconds, seed, only) {
  const tests = await learned();
  const numbers = drawn(seed * 7919 + 17);
  numbers.next();
  const left = [];
  for (const folder of SCRIPTS) {
    for (const name of (await readdir(join(ROOT, folder))).filter((one) => one.endsWith(".js") && (only.length === 0 || only.includes(one)))) {
      const source = await readFile(join(ROOT, folder, name), "utf8");
      for (const bend of bends(source)) left.push({ name, path: join(folder, name), source, bend, turn: numbers.next().value });
    }
  }
  left.sort((one, other) => one.turn - other.turn);
  const made = { all: left.length, noticed: 0, "not noticed": 0, "run by no test": 0 };
  const end = Date.now() + 1000 * seconds;
  await Promise.all(Array.from({ length: Math.max(1, availableParallelism()) }, async () => {
    const copy = await copied();
    try {
      while (left.length > 0 && Date.now() < end) {
        const { name, path, source, bend } = left.pop();
        const there = tests.filter(({ scripts }) => scripts.get(name)?.some((blocks) => ran(blocks, bend.start))).map(({ test }) => test);
        if (there.length === 0) { made["run by no test"] += 1; continue; }
        await writeFile(join(copy, path), source.slice(0, bend.start) + bend.other + source.slice(bend.end));
        const unseen = await allPass(copy, there);
        await writeFile(join(copy, path), source);
        made[unseen ? "not noticed" : "noticed"] += 1;
        if (unseen) console.log(`  ${path}:${bend.line} ${source.slice(bend.start, bend.end).slice(0, 70)} → ${bend.other.slice(0, 70)}`);
      }
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  }));
  console.log(`pages: ${Object.entries(made).map(([fate, count]) => `${count} ${fate}`).join(", ")}`);
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [seconds = "60", seed = "0", ...only] = process.argv.slice(2);
  await main(Number(seconds), Number(seed), only);
}
