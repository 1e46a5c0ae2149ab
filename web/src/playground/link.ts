// The address holds everything: `?roll=4d6kh3&roll=sum+3d6&in=troll&as=Classic&show=at-least`. It is the query and not the
// fragment, so that a server can show a preview. What follows a `roll` is about that roll.

import type { Shape } from "../chart/layout";
import { MEASURES, type Measure } from "../odds/series";

export interface LinkedRoll {
  text: string;
  notation: string;
  name: string;
}

export type Question = "mean" | Measure;

export interface Sweep {
  name: string;
  from: number;
  to: number;
  step: number;
  ask: Question;
  target: number;
}

export interface Linked {
  rolls: LinkedRoll[];
  vars: Record<string, number>;
  measure: Measure;
  shape: Shape;
  /** What is read in the chart: a number or a label. */
  at: string | null;
  sweep: Sweep | null;
  embed: boolean;
}

export const EVERYDAY = "tabletop";

/** More rolls than this are not compared: nobody could tell the colours apart. */
export const MOST_ROLLS = 6;

/** A roll of a stranger's link may not be longer. */
const LONGEST = 20_000;

export function read(query: string): Linked {
  const found: Linked = { rolls: [], vars: {}, measure: "exactly", shape: "bars", at: null, sweep: null, embed: false };
  for (const [name, value] of new URLSearchParams(query)) {
    const last = found.rolls[found.rolls.length - 1];
    if (name === "roll" && found.rolls.length < MOST_ROLLS) found.rolls.push({ text: value.slice(0, LONGEST), notation: EVERYDAY, name: "" });
    if (name === "in" && last) last.notation = value.slice(0, 40);
    if (name === "as" && last) last.name = value.slice(0, 80);
    if (name === "set") set(found.vars, value);
    if (name === "show") found.measure = MEASURES.find((measure) => measure.replace(" ", "-") === value) ?? found.measure;
    if (name === "chart" && value === "lines") found.shape = "lines";
    if (name === "at") found.at = value.slice(0, 200);
    if (name === "sweep") found.sweep = sweep(value) ?? found.sweep;
    if (name === "ask" && found.sweep) ask(found.sweep, value);
    if (name === "embed") found.embed = value === "1";
  }
  return found;
}

export function write(state: Linked): string {
  const query = new URLSearchParams();
  for (const { text, notation, name } of state.rolls.filter((roll) => roll.text.trim() !== "")) {
    query.append("roll", text);
    if (notation !== EVERYDAY) query.append("in", notation);
    if (name) query.append("as", name);
  }
  for (const [name, value] of Object.entries(state.vars)) query.append("set", `${name}:${value}`);
  if (state.measure !== "exactly") query.append("show", state.measure.replace(" ", "-"));
  if (state.shape !== "bars") query.append("chart", state.shape);
  if (state.at !== null) query.append("at", state.at);
  if (state.sweep) {
    const { name, from, to, step, ask, target } = state.sweep;
    query.append("sweep", `${name}:${from}..${to}${step === 1 ? "" : `..${step}`}`);
    query.append("ask", ask === "mean" ? "mean" : `${ask.replace(" ", "-")}:${target}`);
  }
  if (state.embed) query.append("embed", "1");
  // Readable where it can be: a space is a plus, and what means something in dice stays as it is.
  return query.toString().replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%21/g, "!").replace(/%28/g, "(").replace(/%29/g, ")").replace(/%40/g, "@").replace(/%2F/g, "/").replace(/%3B/g, ";");
}

function whole(text: string | undefined): number | null {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}

function set(vars: Record<string, number>, value: string): void {
  const [name, number] = [value.slice(0, value.lastIndexOf(":")), whole(value.slice(value.lastIndexOf(":") + 1))];
  if (name && name.length <= 60 && number !== null && Object.keys(vars).length < 40) vars[name] = number;
}

function sweep(value: string): Sweep | null {
  const [name, range] = [value.slice(0, value.lastIndexOf(":")), value.slice(value.lastIndexOf(":") + 1)];
  const [from, to, step] = range.split("..").map((part) => whole(part));
  if (!name || from == null || to == null || from > to) return null;
  return { name: name.slice(0, 60), from, to, step: step && step > 0 ? step : 1, ask: "mean", target: 0 };
}

function ask(sweep: Sweep, value: string): void {
  const [name, target] = value.split(":");
  sweep.ask = MEASURES.find((measure) => measure.replace(" ", "-") === name) ?? "mean";
  sweep.target = whole(target) ?? 0;
}
