// The modules of the page answer what the program answers: every roll of the book, every request on its page about batch,
// every vector, and the scripts of the repository.

import { expect, test } from "@playwright/test";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const program = process.env.TUMBLE ?? join(root, "target/debug/tumble");
const NOTATIONS = "tabletop|troll|yadn|alea|nice|roll20|foundry|avrae|dicemaiden|rpg-dice-roller";

interface Module {
  initSync(how: { module: BufferSource }): unknown;
  answer(request: string, steps: number, bytes: number): string;
}

async function loaded(name: string): Promise<Module> {
  const folder = join(root, "web/src/generated");
  const glue = (await import(join(folder, `${name}.js`))) as Module;
  glue.initSync({ module: readFileSync(join(folder, `${name}_bg.wasm`)) });
  return glue;
}

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
}

/** Requests for the odds and a roll of every marked block, with the values below it. */
function rolls(page: string): string[] {
  const found: string[] = [];
  for (const [, notation, block] of page.matchAll(new RegExp(`^\`\`\`(${NOTATIONS})\\n([\\s\\S]*?)\\n\`\`\`$`, "gm"))) {
    let [text, vars]: [string[], Record<string, number>] = [[], {}];
    const ask = () => {
      const about = { notation, text: text.join("\n"), vars };
      if (about.text.trim()) found.push(JSON.stringify({ do: "odds", ...about }), JSON.stringify({ do: "roll", ...about, seed: 7, luck: true, render: "plain" }));
      [text, vars] = [[], {}];
    };
    let claims = false;
    for (const line of block!.split("\n")) {
      if (line.startsWith("-->")) claims = true;
      else if (claims) {
        ask();
        claims = false;
      }
      const value = /^--> with (\S+) = (-?\d+)$/.exec(line);
      if (value) vars[value[1]!] = Number(value[2]);
      else if (!line.startsWith("-->")) text.push(line);
    }
    ask();
  }
  return found;
}

/** The requests that the book sends to the program. */
function sent(page: string): string[] {
  return [...page.matchAll(/echo '(\{.*\})' \| tumble batch(?= *(?:$|\|))/gm)].map((found) => found[1]!);
}

const LINES = new Set(["micros", "version"]);

/** An answer without what differs from one run to the next, and, where a limit was reached, without where that happened. */
function plain(answer: string): string {
  const read = JSON.parse(answer) as { error?: { code: string; start?: number; end?: number } };
  if (read.error?.code === "limit") read.error.start = read.error.end = undefined;
  return JSON.stringify(read, (key, value: unknown) => (LINES.has(key) ? undefined : value));
}

/** An answer without the other notations that could read the roll: the first module knows none, and the page asks the second. */
function alone(answer: string): string {
  const read = JSON.parse(plain(answer)) as { error?: { note?: string; remedies?: { notation?: string }[] } };
  const { error } = read;
  if (error?.remedies?.some((remedy) => remedy.notation)) {
    error.note = undefined;
    error.remedies = error.remedies.filter((remedy) => !remedy.notation);
    if (error.remedies.length === 0) error.remedies = undefined;
  }
  return JSON.stringify(read);
}

/** Compares all answers. */
async function compare(name: string, requests: string[], known = plain): Promise<void> {
  const module = await loaded(name);
  const told = spawnSync(program, ["batch"], { input: requests.join("\n") + "\n", encoding: "utf8", maxBuffer: 1 << 29 });
  const answers = told.stdout.trim().split("\n");
  expect(answers).toHaveLength(requests.length);
  const different: string[] = [];
  requests.forEach((request, i) => {
    const [here, there] = [known(module.answer(request, 50_000_000, 512 << 20)), known(answers[i]!)];
    if (here !== there) different.push(`${request.slice(0, 200)}\n  page    ${here.slice(0, 300)}\n  program ${there.slice(0, 300)}`);
  });
  expect(different.slice(0, 5)).toEqual([]);
}

test.describe.configure({ timeout: 180_000 });
test.skip(!existsSync(program), "the program is not built");

test("every roll of the book", async () => {
  const requests = [join(root, "README.md"), ...files(join(root, "docs/book/src"))].flatMap((file) => rolls(readFileSync(file, "utf8")));
  expect(requests.length).toBeGreaterThan(200);
  // The page asks the first module where it can, and so does this.
  const everyday = (request: string) => /"notation":"(tabletop|roll20|foundry|avrae|dicemaiden|rpg-dice-roller)"/.test(request);
  await compare("rolls", requests.filter(everyday), alone);
  await compare("scripts", requests);
});

test("every request of the book", async () => {
  const all = files(join(root, "docs/book/src")).flatMap((file) => sent(readFileSync(file, "utf8")));
  // Dice without a seed are different each time, and documents are left out of the modules.
  const same = all.filter((request) => !/"format"/.test(request) && !(/"do":"(roll|run)"/.test(request) && !/"seed"|"feed"/.test(request)));
  expect(same.length).toBeGreaterThan(20);
  await compare("scripts", same);
});

test("every script of the repository", async () => {
  const folder = join(root, "examples/scripts");
  const requests = readdirSync(folder)
    .filter((name) => name.endsWith(".tumble"))
    .flatMap((name) => {
      const program = readFileSync(join(folder, name), "utf8");
      const args: unknown = JSON.parse(readFileSync(join(folder, name.replace(/tumble$/, "json")), "utf8"));
      const entry = name.startsWith("yahtzee") ? { entry: "Turn" } : {};
      return [{ do: "check", program, tokens: true }, { do: "run", program, args, seed: 3, ...entry }].map((request) => JSON.stringify(request));
    });
  await compare("scripts", requests);
});
