// A distribution, ready to be drawn, read and compared.

import type { Exact, Fraction, Odds, Outcome } from "../engine/wire";
import { decimal, float, inWords, nearlyInWords, percent, ratio, reduced, sum, written } from "./numbers";
import { visible } from "../ui/visible";

export type Measure = "exactly" | "at least" | "at most";
export const MEASURES: Measure[] = ["exactly", "at least", "at most"];

export interface Series {
  title: string;
  odds: Odds;
  labels: string[];
  /** The outcomes as numbers, ascending; none if one of them is not a number. */
  values: number[] | null;
  exactly: Float64Array;
  atLeast: Float64Array;
  atMost: Float64Array;
  /** Where each label is. */
  places: Map<string, number>;
}

/** An outcome as people read it, like `spelled` of the program. */
export function label(outcome: Outcome, inside = false): string {
  const list = (items: Outcome[]) => items.map((item) => label(item, true)).join(", ");
  if (outcome === null) return "nothing";
  if (typeof outcome === "string") return visible(outcome.trim() === "" && !inside ? "(empty text)" : outcome);
  if (Array.isArray(outcome)) return `[${list(outcome)}]`;
  if (typeof outcome !== "object") return String(outcome);
  if ("pair" in outcome) return `(${list(outcome.pair as Outcome[])})`;
  if ("tuple" in outcome) return `(${list(outcome.tuple as Outcome[])})`;
  if ("results" in outcome) return (outcome.results as Outcome[]).map((item) => label(item)).join("; ") || "no result";
  return Object.entries(outcome)
    .map(([name, value]) => `${visible(name)}: ${label(value, true)}`)
    .join(", ");
}

export function series(title: string, odds: Odds): Series {
  const outcomes = odds.outcomes.map(([outcome]) => outcome);
  const isNumber = (outcome: Outcome) => typeof outcome === "number" || typeof outcome === "bigint";
  const values = outcomes.length > 0 && outcomes.every(isNumber) ? outcomes.map(Number) : null;
  const rows: [Outcome, Fraction | number, ...unknown[]][] = odds.outcomes;
  const exactly = Float64Array.from(rows, ([, p]) => (typeof p === "string" ? float(p) : p));
  const [below, above] = outside(odds);
  const [atLeast, atMost] = [new Float64Array(exactly.length), new Float64Array(exactly.length)];
  for (let i = exactly.length - 1, total = above; i >= 0; i--) atLeast[i] = total = Math.min(1, total + exactly[i]!);
  for (let i = 0, total = below; i < exactly.length; i++) atMost[i] = total = Math.min(1, total + exactly[i]!);
  const labels = outcomes.map((outcome) => label(outcome));
  return { title, odds, labels, values, exactly, atLeast, atMost, places: new Map(labels.map((name, at) => [name, at])) };
}

/** How much lies below and above everything that is listed. */
function outside(odds: Odds): [number, number] {
  if (odds.approximate) return [0, 0];
  const rest = float(odds.unresolved);
  if (odds.unlisted === "above") return [0, rest];
  return odds.unlisted === "below" ? [rest, 0] : [0, 0];
}

export function shares(series: Series, measure: Measure): Float64Array {
  return measure === "exactly" ? series.exactly : measure === "at least" ? series.atLeast : series.atMost;
}

/** The share at a number that need not be an outcome. */
export function shareAt(series: Series, measure: Measure, value: number): number {
  const values = series.values;
  if (!values) return 0;
  const at = firstFrom(values, value);
  if (measure === "exactly") return values[at] === value ? series.exactly[at]! : 0;
  if (measure === "at least") return at < values.length ? series.atLeast[at]! : outside(series.odds)[1];
  const below = values[at] === value ? at : at - 1;
  return below >= 0 ? series.atMost[below]! : outside(series.odds)[0];
}

/** The place of the first value that is not smaller. */
function firstFrom(values: number[], value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface Reading {
  percent: string;
  /** The exact fraction, where it is known and not too long to be worth the time. */
  fraction: Fraction | null;
  words: string;
}

/** The longest sum of fractions that is worth the wait, in digits. */
const MOST_DIGITS = 400_000;

/** What the chart says at a number or a label. */
export function reading(series: Series, measure: Measure, at: number | string): Reading {
  const share = typeof at === "number" ? shareAt(series, measure, at) : (series.exactly[series.places.get(at) ?? -1] ?? 0);
  const fraction = exactAt(series, measure, at);
  if (fraction === null) return { percent: percent(share), fraction, words: nearlyInWords(share) };
  return { percent: percent(share), fraction, words: inWords(fraction) };
}

function exactAt(series: Series, measure: Measure, at: number | string): Fraction | null {
  const { odds, values } = series;
  if (odds.approximate || !odds.exact) return null;
  const place = typeof at === "string" ? (series.places.get(at) ?? -1) : values?.indexOf(at) ?? -1;
  if (measure === "exactly" || typeof at === "string") return place < 0 ? "0" : odds.outcomes[place]![1];
  if (!values || odds.unlisted === "above and below" || odds.unlisted === "anywhere") return null;
  const from = firstFrom(values, at);
  const until = values[from] === at ? from + 1 : from;
  const part = measure === "at least" ? odds.outcomes.slice(from) : odds.outcomes.slice(0, until);
  const digits = part.reduce((all, [, p]) => all + p.length, 0);
  if (digits > MOST_DIGITS) return null;
  const rest = odds.unlisted === (measure === "at least" ? "above" : "below") ? [odds.unresolved] : [];
  return sum([...part.map(([, p]) => p), ...rest]);
}

/** The number such that it or a smaller one has at least this probability. */
export function quantile(series: Series, share: number): string | null {
  if (!series.values) return null;
  const unsure = !series.odds.approximate && (series.odds.unlisted === "anywhere" || series.odds.unlisted === "above and below");
  if (unsure && share !== 0.5) return null;
  const at = series.atMost.findIndex((p) => p >= share - 1e-12);
  return at < 0 ? null : series.labels[at]!;
}

export interface Stat {
  name: string;
  value: string;
  exact?: string;
}

/** What people ask of a distribution besides its bars. */
export function stats(series: Series): Stat[] {
  const { odds } = series;
  const number = (value: Fraction | number | null) => (typeof value === "string" ? float(value) : value);
  const [mean, variance] = [number(odds.mean), number(odds.variance)];
  const fraction = (value: Fraction | number | null) => (typeof value === "string" && value.includes("/") ? value : undefined);
  const found: (Stat | null)[] = [
    mean === null ? null : { name: "mean", value: decimal(mean), exact: fraction(odds.mean) },
    variance === null ? null : { name: "std dev", value: decimal(Math.sqrt(variance)) },
    ...([["5 %", 0.05], ["25 %", 0.25], ["median", 0.5], ["75 %", 0.75], ["95 %", 0.95]] as const).map(([name, share]) => {
      const value = quantile(series, share);
      return value === null ? null : { name, value };
    }),
    series.values ? { name: "range", value: range(series) } : null,
  ];
  return found.filter((stat) => stat !== null);
}

function range(series: Series): string {
  const [first, last] = [series.labels[0], series.labels[series.labels.length - 1]];
  const side = series.odds.approximate ? undefined : series.odds.unlisted;
  const open = side === "above" || side === "below" || side === "above and below";
  const low = open && side !== "above" ? "…" : first;
  const high = open && side !== "below" ? "…" : last;
  return first === last && !open ? String(first) : `${low} to ${high}`;
}

/** What is not listed, in words; nothing if all is. */
export function rest(odds: Odds): string | null {
  if (odds.approximate || odds.unresolved === "0") return null;
  const share = percent(float((odds as Exact).unresolved));
  const where = { above: "lies above the last outcome", below: "lies below the first outcome" } as Record<string, string>;
  return `${share} ${where[odds.unlisted ?? ""] ?? "is not listed"}`;
}

/** One minus a fraction. */
export function complement(fraction: Fraction): Fraction {
  const { n, d } = ratio(fraction);
  return written(reduced({ n: d - n, d }));
}
