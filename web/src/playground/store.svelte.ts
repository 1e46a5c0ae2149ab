// What the playground shows, and how it follows what is typed.

import { drop, engineFor, PATIENT, REPLACED, small, TYPING, whole } from "../engine/engine";
import type { Failed, Odds, Problem, Rolled } from "../engine/wire";
import type { Shape } from "../chart/layout";
import { series, type Measure, type Series } from "../odds/series";
import { EVERYDAY, MOST_ROLLS, read, write, type Linked, type LinkedRoll, type Sweep } from "./link";
import { remember } from "./history.svelte";

export interface Roll extends LinkedRoll {
  id: number;
  /** The colour it is drawn in. */
  colour: number;
  odds: Odds | null;
  series: Series | null;
  error: Problem | null;
  /** Whether `odds` are those of an older text. */
  stale: boolean;
  /** Whether somebody waits for an answer that takes long. */
  working: boolean;
  rolled: Rolled | null;
  rolledError: Problem | null;
  /** How often it was rolled, so that the same result is shown anew. */
  rolls: number;
}

/** How many rolls an estimate is made of: a second or two in a browser. */
const SAMPLES = 100_000;

/** How long nothing was typed when somebody has come to the end of a roll, in milliseconds. */
const PAUSE = 500;

/** How long to wait before "computing" is shown, in milliseconds. */
const PATIENCE = 250;

export class Playground {
  rolls: Roll[] = $state([]);
  vars: Record<string, number> = $state({});
  measure: Measure = $state("exactly");
  shape: Shape = $state("bars");
  at: string | null = $state(null);
  sweep: Sweep | null = $state(null);
  embed = $state(false);
  /** What is read out: the newest result. */
  said = $state("");
  undo: { what: string; back: () => void } | null = $state(null);
  #count = 0;

  constructor(query: string) {
    this.open(read(query));
  }

  /** What can be drawn. */
  drawn: Roll[] = $derived(this.rolls.filter((roll) => roll.series));

  open(linked: Linked): void {
    this.rolls.forEach((roll) => drop(topic(roll)));
    this.vars = linked.vars;
    this.measure = linked.measure;
    this.shape = linked.shape;
    this.at = linked.at;
    this.sweep = linked.sweep;
    this.embed = linked.embed;
    this.rolls = [];
    linked.rolls.forEach((roll) => this.add(roll));
    if (this.rolls.length === 0) this.add({ text: "", notation: EVERYDAY, name: "" });
  }

  get linked(): Linked {
    const { vars, measure, shape, at, sweep, embed } = this;
    const rolls = this.rolls.map(({ text, notation, name }) => ({ text, notation, name }));
    return { rolls, vars: { ...vars }, measure, shape, at, sweep: sweep && { ...sweep }, embed };
  }

  get query(): string {
    return write(this.linked);
  }

  get full(): boolean {
    return this.rolls.length >= MOST_ROLLS;
  }

  add(linked: LinkedRoll): Roll | null {
    if (this.full) return null;
    const free = Array.from({ length: MOST_ROLLS }, (_, i) => i).find((i) => this.rolls.every((roll) => roll.colour !== i)) ?? 0;
    this.rolls.push({
      ...linked, id: ++this.#count, colour: free, odds: null, series: null, error: null, stale: false, working: false,
      rolled: null, rolledError: null, rolls: 0,
    });
    const roll = this.rolls[this.rolls.length - 1]!;
    if (linked.text.trim()) void this.compute(roll);
    return roll;
  }

  remove(roll: Roll): void {
    const [place, kept] = [this.rolls.indexOf(roll), $state.snapshot(roll) as Roll];
    drop(topic(roll));
    this.rolls.splice(place, 1);
    if (this.rolls.length === 0) this.add({ text: "", notation: EVERYDAY, name: "" });
    if (!kept.text.trim()) return;
    this.undo = {
      what: `Removed ${kept.name || kept.text}`,
      back: () => {
        if (this.rolls.length === 1 && !this.rolls[0]!.text.trim()) this.rolls.splice(0, 1);
        if (this.full) return;
        this.rolls.splice(Math.min(place, this.rolls.length), 0, kept);
        void this.compute(this.rolls[Math.min(place, this.rolls.length - 1)]!);
      },
    };
  }

  /** The text of a roll has changed. */
  edit(roll: Roll, text: string): void {
    roll.text = text;
    roll.stale = true;
    void this.compute(roll);
  }

  in(roll: Roll, notation: string): void {
    roll.notation = notation;
    roll.rolled = null;
    roll.stale = true;
    void this.compute(roll);
  }

  set(name: string, value: number): void {
    this.vars[name] = value;
    this.rolls.filter((roll) => roll.text.trim()).forEach((roll) => void this.compute(roll));
  }

  unset(name: string): void {
    delete this.vars[name];
    if (this.sweep?.name === name) this.sweep = null;
    this.rolls.filter((roll) => roll.text.trim()).forEach((roll) => void this.compute(roll));
  }

  /** Asks for the odds of a roll; `patient` with the full limits, `approx` for an estimate. */
  async compute(roll: Roll, how: { patient?: boolean; approx?: boolean } = {}): Promise<void> {
    const text = roll.text;
    if (!text.trim()) {
      drop(topic(roll));
      Object.assign(roll, { odds: null, series: null, error: null, stale: false, working: false, rolled: null });
      return;
    }
    drop(topic(roll));
    const timer = setTimeout(() => (roll.working = true), how.patient ? 0 : PATIENCE);
    const request = { do: "odds", ...this.about(roll), ...(how.approx ? { approx: true, samples: SAMPLES } : {}) };
    const answer = await engineFor(roll.notation).ask<Odds>(topic(roll), request, how.patient ? PATIENT : TYPING);
    clearTimeout(timer);
    if (answer === REPLACED) return;
    roll.working = false;
    roll.stale = false;
    this.#take(roll, answer as Odds | Failed);
  }

  /** The fields of every request about a roll. */
  about(roll: LinkedRoll): { text: string; notation: string; vars: Record<string, number> } {
    return { text: roll.text, notation: roll.notation, vars: { ...this.vars } };
  }

  #take(roll: Roll, answer: Odds | Failed): void {
    if (!answer.ok) {
      roll.error = answer.error;
      // The chart of what was there a moment ago stays while somebody types.
      roll.stale = true;
      void this.#elsewhere(roll, answer.error);
      return;
    }
    roll.error = null;
    roll.odds = answer;
    roll.series = series(title(roll), answer);
    if (roll.rolled && roll.rolledError === null) roll.rolledError = null;
    remember(this.query, this.rolls.map((each) => each.text));
  }

  /** Whether what the first module can't read is a roll of another notation; asked when somebody stops typing. */
  async #elsewhere(roll: Roll, error: Problem): Promise<void> {
    const explained = error.hint?.startsWith("try `") || (error.remedies?.length ?? 0) > 0;
    if (!small(roll.notation) || explained || (error.code !== "syntax" && error.code !== "name")) return;
    const asked = JSON.stringify(this.about(roll));
    const still = () => JSON.stringify(this.about(roll)) === asked && this.rolls.some((one) => one.id === roll.id);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (!still()) return;
    const answer = await whole().ask<{ ok: true; problems: Problem[] }>(`elsewhere ${roll.id}`, { do: "check", ...this.about(roll) });
    if (answer === REPLACED || !still()) return;
    const found = answer as { ok: true; problems: Problem[] } | Failed;
    if (found.ok && found.problems[0]) roll.error = found.problems[0];
  }

  async roll(roll: Roll): Promise<void> {
    if (!roll.text.trim()) return;
    const ask = (luck: boolean) => engineFor(roll.notation).ask<Rolled>(`roll ${roll.id}`, { do: "roll", ...this.about(roll), luck, render: "plain" });
    let answer = await ask(true);
    // Dice fall even where their odds take too long.
    if (answer !== REPLACED && !(answer as Rolled | Failed).ok) answer = await ask(false);
    if (answer === REPLACED) return;
    const found = answer as Rolled | Failed;
    roll.rolled = found.ok ? found : null;
    roll.rolledError = found.ok ? null : found.error;
    roll.rolls += 1;
    this.said = found.ok ? `${title(roll)}: ${found.text}` : found.error.message;
  }

  stop(roll: Roll): void {
    drop(topic(roll));
    roll.working = false;
  }
}

export const topic = (roll: { id: number }) => `odds ${roll.id}`;

export function title(roll: LinkedRoll): string {
  return roll.name.trim() || roll.text.trim();
}
