// A run of a script, as the engine answers it, and what changed since the run before.

import type { Outcome, Problem } from "../engine/wire";
import { decimal, float } from "../odds/numbers";

export interface Line {
  text: string;
  style?: string;
}

export interface Group {
  group: number;
  title: string | null;
  items: Item[];
}

export type Item = Line | Group;

export interface RolledDice {
  path: string;
  dice: string;
  values: Outcome[];
  status: "new" | "kept" | "partly new";
  new_dice?: number[];
  /** Each die: where it fell, its kind such as `d6`, and its place among those. */
  each?: [string, string, number][];
  total: Outcome;
  shown: string;
}

export interface Option {
  path: string;
  kind?: string;
  prompt: string;
  owner: string | null;
  value: unknown;
  default: unknown;
  choices?: string[];
  low?: number;
  high?: number;
  group: number | null;
  line: number;
}

export interface Ran {
  ok: boolean;
  error?: Problem;
  result?: Outcome;
  tree: Item[];
  rolls: RolledDice[];
  options: Option[];
  changes: { owner: string | null; field: string; amount: number }[];
  dice: Record<string, unknown>;
  version: string;
}

/** How somebody at a table stands to an option. */
export interface Duty {
  /** Whether it is for you to decide, and you have not yet. */
  open: boolean;
  /** Whether you may answer it now. */
  may: boolean;
  answered: boolean;
  /** Whose decision it is, if you would make it for them. */
  instead: string | null;
  /** Who decides, or who has decided. */
  words: string;
}

export const isGroup = (item: Item): item is Group => "items" in item;

/** All lines of a tree, in order. */
export function lines(tree: Item[]): string[] {
  return tree.flatMap((item) => (isGroup(item) ? [...(item.title ? [item.title] : []), ...lines(item.items)] : [item.text]));
}

/** What an answer is worth, in words. */
export function worded(option: Option, given: unknown, value: unknown): string {
  const name = typeof given === "boolean" ? (given ? "yes" : "no") : typeof given === "number" && option.choices ? (option.choices[given] ?? String(given)) : JSON.stringify(given);
  const number = typeof value === "string" && /^-?\d+(\/\d+)?$/.test(value) ? decimal(float(value), 3) : JSON.stringify(value);
  return `${name}: ${number}`;
}
