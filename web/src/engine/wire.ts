// What the engine is asked and what it answers: the JSON of `tumble batch` (docs/book/src/batch.md).

/** A number, exactly: a fraction in lowest terms, such as `25/108`. */
export type Fraction = string;

/** An outcome. Whole numbers beyond 2^53 are strings of digits with an `n` at the end, see `parsed`. */
export type Outcome =
  | number
  | bigint
  | boolean
  | string
  | null
  | Outcome[]
  | { pair: [Outcome, Outcome] }
  | { tuple: Outcome[] }
  | { results: Outcome[] }
  | { [field: string]: Outcome };

export type Remedy =
  | { notation: string }
  | { set: string }
  | { approx: true }
  | { raise: "steps" | "dice" | "depth"; to?: number }
  | { lower: "iterations" }
  | { feed: string };

export interface Problem {
  level?: "error" | "warning";
  code: string;
  message: string;
  start?: number;
  end?: number;
  hint?: string | null;
  note?: string;
  remedies?: Remedy[];
  edits?: { start: number; end: number; text: string }[];
}

export interface Failed {
  ok: false;
  error: Problem;
  problems?: Problem[];
}

export interface Exact {
  ok: true;
  approximate?: undefined;
  micros: number;
  exact: boolean;
  outcomes: [Outcome, Fraction][];
  unresolved: Fraction;
  unlisted?: "above" | "below" | "above and below" | "anywhere";
  mean: Fraction | null;
  variance: Fraction | null;
  warnings: string[];
  options?: ScriptOption[];
}

export interface Approximate {
  ok: true;
  approximate: true;
  micros: number;
  exact: false;
  method: string;
  samples?: number;
  confidence?: number;
  outcomes: [Outcome, number, [number, number]][];
  unresolved: number;
  mean: number | null;
  variance: number | null;
  because: string;
  warnings: string[];
}

export type Odds = Exact | Approximate;

export interface Draw {
  path: string;
  index: number;
  faces: number;
  lowest?: number;
  value: Outcome;
  state: "kept" | "dropped" | "rerolled" | "exploded";
  from?: number;
  became?: number;
  score?: number;
  natural?: number;
}

export interface Luck {
  exact: boolean;
  below: Fraction;
  same: Fraction;
  above: Fraction;
  text: string;
}

export interface Rolled {
  ok: true;
  value: Outcome;
  text: string;
  line: string;
  draws: Draw[];
  labels?: Record<string, number>;
  checks?: { left: number; sign: string; right: number; success: boolean }[];
  comment?: string;
  seed: number;
  luck?: Luck | (Luck | null)[] | null;
  warnings: string[];
}

export interface Piece {
  group: string;
  spelling: string;
  meaning: string;
  example: string;
}

export interface NotationRow {
  name: string;
  description: string;
  dialect: boolean;
  examples: string[];
  reference: Piece[];
}

export interface ScriptOption {
  owner: string | null;
  prompt: string;
  kind?: string;
  met: Fraction;
  off?: Fraction | null;
  on?: Fraction | null;
  answers?: unknown[];
  refused?: string;
}

export type Request = Record<string, unknown> & { do: string };

/**
 * Reads an answer. A whole number that a float can't hold stays exact, as a BigInt: an outcome that is off by one would be
 * a wrong answer.
 */
export function parsed<T>(text: string): T {
  if (!/\d{16}/.test(text)) return JSON.parse(text) as T;
  const exact = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? BigInt(context?.source ?? 0)
      : value;
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown) as T;
}
