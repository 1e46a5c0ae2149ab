// What has to be loaded, in bytes; a page that grows without anybody noticing is a slow page.

import { expect, test } from "@playwright/test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const assets = join(import.meta.dirname, "../dist/assets");
const names = readdirSync(assets);
const html = readFileSync(join(assets, "../index.html"), "utf8");

/** The size of files, compressed. */
function size(pattern: RegExp, ending: "gz" | "br"): number {
  return names
    .filter((name) => pattern.test(name) && /\.(js|css|wasm)$/.test(name))
    .map((name) => statSync(join(assets, names.includes(`${name}.${ending}`) ? `${name}.${ending}` : name)).size)
    .reduce((a, b) => a + b, 0);
}

/** Some files, and what they import. */
function closure(start: Iterable<string>): Set<string> {
  const found = new Set(start);
  for (const name of found) {
    if (!name.endsWith(".js")) continue;
    const text = readFileSync(join(assets, name), "utf8");
    for (const [, other] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+)["']/g)) found.add(other!);
  }
  return found;
}

const exactly = (files: Iterable<string>) => new RegExp(`^(${[...files].map((name) => name.replace(/\./g, "\\.")).join("|")})$`);
const named = () => [...html.matchAll(/assets\/([\w.-]+)/g)].map((one) => one[1]!);

/** Files that the first page loads: those named by the page, what they import, and the worker with its glue. */
function first(): RegExp {
  const workers = names.filter((name) => /^(worker|rolls)-[\w-]+\.js$/.test(name));
  return exactly([...closure(named()), ...workers]);
}

/** Files that a table loads besides: its own pages, what they import, and their styles. */
function table(): RegExp {
  const pages = names.filter((name) => /^(Table|Tables|Move|Overlay)Page-[\w-]+\.(js|css)$/.test(name));
  expect(pages.length).toBeGreaterThanOrEqual(4);
  const before = closure(named());
  const all = [...closure(pages)].filter((name) => !before.has(name));
  // The styles of a file that is shared have its name.
  const styles = names.filter((name) => name.endsWith(".css") && all.some((one) => one.split("-")[0] === name.split("-")[0]));
  return exactly(new Set([...all, ...styles]));
}

const KB = 1024;
const SIZES = [
  { what: "the app before the editor", bytes: size(first(), "gz"), most: 60 * KB },
  { what: "the app with the editor", bytes: size(first(), "gz") + size(/^(Editor|ScriptPage)-/, "gz"), most: 200 * KB },
  { what: "the table besides the app", bytes: size(table(), "gz"), most: 60 * KB },
  { what: "the engine for rolls", bytes: size(/^rolls_bg/, "br"), most: 600 * KB },
  { what: "the engine for everything", bytes: size(/^scripts_bg/, "br"), most: 950 * KB },
];

for (const { what, bytes, most } of SIZES) {
  test(`${what} is at most ${most / KB} KB`, () => {
    test.info().annotations.push({ type: "size", description: `${bytes}` });
    console.log(`${what}: ${(bytes / KB).toFixed(1)} KB`);
    expect(bytes).toBeLessThanOrEqual(most);
  });
}

test("the engine for everything is a module of its own, loaded when it is first needed", () => {
  expect(names.some((name) => /^scripts_bg-.*\.wasm$/.test(name))).toBe(true);
  expect(readFileSync(join(assets, "../sw.js"), "utf8")).not.toContain("scripts_bg");
});
