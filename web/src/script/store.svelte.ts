// A script in the page: its text, what it offers, its arguments, the run and the odds.

import { PATIENT, REPLACED, TYPING, whole } from "../engine/engine";
import type { Exact, Failed, Problem } from "../engine/wire";
import { percent } from "../odds/numbers";
import { series, type Series } from "../odds/series";
import { packed, unpacked } from "./link";
import { lines, worded, type Option, type Ran } from "./run";
import { begun, type Entry, type Offer } from "./schema";
import type { Completion } from "./Editor.svelte";

interface Checked {
  ok: true;
  sound: boolean;
  problems: Problem[];
  schema: Offer;
  tokens: [number, number, string][];
}

/** How long typing must rest before a script is looked at, in milliseconds. */
const REST = 120;

export class Script {
  text = $state("");
  problems: Problem[] = $state([]);
  tokens: [number, number, string][] = $state([]);
  sound = $state(false);
  offer: Offer | null = $state(null);
  entry: Entry | null = $state(null);
  args: Record<string, unknown> = $state({});
  ran: Ran | null = $state(null);
  /** The run before the last answer. */
  before: Ran | null = $state(null);
  answers: Record<string, unknown> = $state({});
  failed: Problem | null = $state(null);
  odds: { series: Series; odds: Exact } | null = $state(null);
  oddsFailed: Problem | null = $state(null);
  working = $state(false);
  worths: Record<string, string> = $state({});
  said = $state("");
  /** The query of a link to it; nothing while it is too long for one. */
  query: string | null = $state("script");
  #timer: ReturnType<typeof setTimeout> | undefined;

  async open(query: URLSearchParams): Promise<void> {
    const letters = query.get("script");
    if (!letters) return;
    try {
      const args: unknown = JSON.parse(query.get("args") ?? "{}");
      await this.load(await unpacked(letters), query.get("entry"), args);
    } catch {
      this.failed = { code: "link", message: "this link holds no script that can be read" };
    }
  }

  async load(text: string, entry: string | null = null, args: unknown = {}): Promise<void> {
    this.text = text;
    this.ran = this.before = this.odds = this.failed = this.oddsFailed = null;
    this.answers = {};
    await this.check();
    const rolls = this.offer?.rolls ?? [];
    const chosen = rolls.find((roll) => roll.title === entry || roll.name === entry) ?? rolls[0];
    if (chosen) this.choose(chosen, args);
  }

  edit(text: string): void {
    if (text === this.text) return;
    this.text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.check(), REST);
  }

  async check(): Promise<void> {
    const text = this.text;
    const answer = await whole().ask<Checked>("check", { do: "check", program: text, tokens: true });
    if (answer === REPLACED || text !== this.text) return;
    const found = answer as Checked | Failed;
    if (!found.ok) {
      this.failed = found.error;
      return;
    }
    this.problems = found.problems;
    this.tokens = found.tokens;
    this.sound = found.sound;
    if (found.sound) {
      this.offer = found.schema;
      const again = found.schema.rolls.find((roll) => roll.name === this.entry?.name) ?? found.schema.rolls[0] ?? null;
      if (again) this.choose(again, this.args);
      else this.entry = null;
    }
    await this.link();
  }

  async complete(at: number): Promise<Completion[]> {
    const answer = await whole().ask<{ ok: true; completions: Completion[] }>("complete", { do: "check", program: this.text, at });
    const found = answer as { ok: true; completions: Completion[] } | Failed | typeof REPLACED;
    return found !== REPLACED && found.ok ? found.completions : [];
  }

  choose(entry: Entry, args: unknown = this.args): void {
    if (entry.name !== this.entry?.name) {
      this.ran = this.before = this.odds = null;
      this.answers = {};
    }
    this.entry = entry;
    this.args = begun(entry.arguments, this.offer!, args) as Record<string, unknown>;
    void this.link();
  }

  change(args: Record<string, unknown>): void {
    this.args = args;
    this.odds = null;
    void this.link();
  }

  async link(): Promise<void> {
    const letters = this.text ? await packed(this.text) : "";
    if (letters === null) {
      this.query = null;
      return;
    }
    const query = new URLSearchParams({ script: letters });
    if (this.entry && (this.offer?.rolls.length ?? 0) > 1) query.set("entry", this.entry.title);
    if (Object.keys(this.args).length > 0) query.set("args", JSON.stringify(this.args));
    this.query = query.toString();
  }

  get #about() {
    return { program: this.text, entry: this.entry?.name, args: $state.snapshot(this.args) };
  }

  /** Runs it: with new dice, or with those that fell, after an answer. */
  async run(again: boolean): Promise<void> {
    if (!this.entry) return;
    const kept = again && this.ran ? { dice: this.ran.dice, answers: $state.snapshot(this.answers) } : {};
    if (!again) this.answers = {};
    const answer = await whole().ask<Ran>("run", { do: "run", ...this.#about, ...kept }, PATIENT);
    if (answer === REPLACED) return;
    const ran = answer as unknown as Ran;
    this.worths = {};
    this.failed = ran.ok ? null : (ran.error ?? null);
    if (!ran.tree) return;
    this.before = again ? this.ran : null;
    this.ran = ran;
    this.said = [...lines(ran.tree).slice(-3), ran.options.length > 0 ? `${ran.options.length} to decide` : ""].filter(Boolean).join(". ");
  }

  async answer(option: Option, value: unknown): Promise<void> {
    this.answers = { ...this.answers, [option.path]: value };
    await this.run(true);
  }

  /** What each answer at an open option is worth. */
  async worth(option: Option): Promise<void> {
    const request = { do: "worth", ...this.#about, dice: this.ran?.dice, answers: $state.snapshot(this.answers), path: option.path };
    const answer = await whole().ask<{ ok: true; answers: [unknown, unknown][] }>("worth", request, PATIENT);
    if (answer === REPLACED) return;
    const found = answer as { ok: true; answers: [unknown, unknown][] } | Failed;
    this.worths[option.path] = found.ok ? found.answers.slice(0, 12).map(([given, value]) => worded(option, given, value)).join(" · ") : found.error.message;
  }

  async compute(patient = false): Promise<void> {
    if (!this.entry) return;
    this.working = true;
    const answer = await whole().ask<Exact>("odds", { do: "odds", ...this.#about }, patient ? PATIENT : { ...TYPING, steps: 10_000_000 });
    this.working = false;
    if (answer === REPLACED) return;
    const found = answer as Exact | Failed;
    this.oddsFailed = found.ok ? null : found.error;
    this.odds = found.ok ? { series: series(this.entry.title, found), odds: found } : null;
  }
}

export { percent };
