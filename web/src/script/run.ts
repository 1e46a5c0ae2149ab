// A run of a script, as the engine answers it, and what changed since the run before.

import type { Outcome, Problem } from "../engine/wire";

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

export const isGroup = (item: Item): item is Group => "items" in item;

/** All lines of a tree, in order. */
export function lines(tree: Item[]): string[] {
  return tree.flatMap((item) => (isGroup(item) ? [...(item.title ? [item.title] : []), ...lines(item.items)] : [item.text]));
}
