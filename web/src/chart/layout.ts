// The geometry of a chart, without a word about where it is drawn: the page and the exported picture share it.

import { bisector, extent, max } from "d3-array";
import { scaleBand, scaleLinear } from "d3-scale";
import { area, curveLinear, curveStepAfter, line } from "d3-shape";
import { shareAt, shares, type Measure, type Series } from "../odds/series";

export type Shape = "bars" | "lines";

export interface Bar {
  series: number;
  at: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Tick {
  at: number;
  text: string;
}

export interface Layout {
  kind: "numbers" | "labels";
  width: number;
  height: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** What can be read, in order: a number or a label. */
  stops: (number | string)[];
  /** Where each of them is, along the axis of outcomes. */
  centres: number[];
  bars: Bar[];
  lines: { series: number; line: string; area: string }[];
  across: Tick[];
  up: Tick[];
  /** How much of the mass is outside of what is drawn, if something is. */
  hidden: { outcomes: number; share: number } | null;
}

const NUMBERS = { left: 48, right: 14, top: 14, bottom: 30 };
const ROW = 30;

/** More labels than this are only in the table. */
export const MOST_ROWS = 40;

export function layout(all: Series[], measure: Measure, shape: Shape, width: number, height: number, whole = false): Layout {
  const numbers = all.length > 0 && all.every((one) => one.values);
  return numbers ? overNumbers(all, measure, shape, width, height, whole) : overLabels(all, width);
}

function overNumbers(all: Series[], measure: Measure, shape: Shape, width: number, height: number, whole: boolean): Layout {
  const every = [...new Set(all.flatMap((one) => one.values!))].sort((a, b) => a - b);
  const stops = whole ? every : worthSeeing(all, every);
  const { left, right, top, bottom } = NUMBERS;
  const [low, high] = extent(stops) as [number, number];
  const gap = stops.reduce((least, value, i) => (i > 0 ? Math.min(least, value - stops[i - 1]!) : least), Infinity);
  const step = Number.isFinite(gap) ? gap : 1;
  const inner = width - left - right;
  // Few values that are far apart are put side by side.
  const sparse = (high - low) / step > inner / 2 && stops.length <= inner / 6;
  const band = scaleBand<number>().domain(stops).range([left, width - right]).paddingInner(0.2).paddingOuter(0.1);
  const linear = scaleLinear().domain([low - step / 2, high + step / 2]).range([left, width - right]);
  const x = (value: number) => (sparse ? band(value)! + band.bandwidth() / 2 : linear(value));
  const slot = sparse ? band.step() : linear(step) - linear(0);
  const tallest = max(all, (one) => max(stops, (value) => shareAt(one, measure, value)) ?? 0) ?? 0;
  const y = scaleLinear().domain([0, tallest || 1]).range([height - bottom, top]).nice(5);
  const centres = stops.map(x);
  const drawn = { kind: "numbers" as const, width, height, left, top, right, bottom, stops, centres };
  const barred = shape === "bars" && slot / all.length >= 2.2;
  return {
    ...drawn,
    bars: barred ? bars(all, measure, stops, centres, slot, y) : [],
    lines: barred ? [] : lines(all, measure, stops, centres, y, height - bottom, inner),
    across: sparse ? thinned(stops.map((value) => ({ at: x(value), text: String(value) })), inner) : ticks(linear, inner, low, high),
    up: y.ticks(5).map((share) => ({ at: y(share), text: percents(share, y.ticks(5)) })),
    hidden: left_out(all, every, stops),
  };
}

/** The part of a long tail that would be seen: what has all but one in two thousand. */
function worthSeeing(all: Series[], every: number[]): number[] {
  const least = Math.min(...all.map((one) => edge(one, 0.0003)));
  const most = Math.max(...all.map((one) => edge(one, 1 - 0.0003)));
  const seen = every.filter((value) => value >= least && value <= most);
  return seen.length < every.length * 0.8 ? seen : every;
}

function edge(one: Series, share: number): number {
  const at = one.atMost.findIndex((p) => p >= share);
  return one.values![at < 0 ? one.values!.length - 1 : at]!;
}

function left_out(all: Series[], every: number[], stops: number[]): Layout["hidden"] {
  if (every.length === stops.length) return null;
  const [low, high] = [stops[0]!, stops[stops.length - 1]!];
  const outside = (one: Series) => one.values!.reduce((sum, value, i) => (value < low || value > high ? sum + one.exactly[i]! : sum), 0);
  return { outcomes: every.length - stops.length, share: Math.max(...all.map(outside)) };
}

function bars(all: Series[], measure: Measure, stops: number[], centres: number[], slot: number, y: (share: number) => number): Bar[] {
  const gap = slot > 7 ? Math.min(slot * 0.22, 14) : 0.6;
  const each = Math.min((slot - gap) / all.length, 56);
  const found: Bar[] = [];
  stops.forEach((value, at) => {
    all.forEach((one, series) => {
      const share = shareAt(one, measure, value);
      const x = centres[at]! + (series - all.length / 2) * each;
      if (share > 0) found.push({ series, at, x, y: Math.min(y(share), y(0) - 0.5), width: Math.max(each - (each > 5 ? 1 : 0), 0.8), height: Math.max(y(0) - y(share), 0.5) });
    });
  });
  return found;
}

function lines(all: Series[], measure: Measure, stops: number[], centres: number[], y: (share: number) => number, floor: number, inner: number) {
  // No more than two points per pixel: a path of 100,000 points takes longer to draw than to compute.
  const every = Math.max(1, Math.floor(stops.length / (inner * 2)));
  return all.map((one, series) => {
    const own = new Set(one.values);
    const points = stops
      .map((value, at) => [centres[at]!, y(shareAt(one, measure, value)), value] as const)
      .filter(([, , value], at) => at % every === 0 && (measure !== "exactly" || own.has(value) || stops.length > 400));
    const curve = measure === "exactly" ? curveLinear : points.length > 60 ? curveLinear : curveStepAfter;
    const smooth = measure === "exactly" ? curve : curveLinear;
    return {
      series,
      line: line<(typeof points)[number]>((p) => p[0], (p) => p[1]).curve(smooth)(points) ?? "",
      area: area<(typeof points)[number]>((p) => p[0], floor, (p) => p[1]).curve(smooth)(points) ?? "",
    };
  });
}

function ticks(scale: (value: number) => number, inner: number, low: number, high: number): Tick[] {
  const wide = Math.max(String(low).length, String(high).length) * 8 + 14;
  const count = Math.max(2, Math.floor(inner / Math.max(wide, 30)));
  if (high - low + 1 <= count && Number.isInteger(low)) {
    return Array.from({ length: high - low + 1 }, (_, i) => ({ at: scale(low + i), text: String(low + i) }));
  }
  const found = scaleLinear().domain([low, high]).ticks(count).filter(Number.isInteger);
  return found.map((value) => ({ at: scale(value), text: String(value) }));
}

function thinned(ticks: Tick[], inner: number): Tick[] {
  const wide = Math.max(...ticks.map((tick) => tick.text.length)) * 8 + 10;
  const every = Math.ceil((ticks.length * wide) / inner);
  return ticks.filter((_, i) => i % every === 0);
}

function percents(share: number, all: number[]): string {
  const step = ((all[1] ?? 1) - (all[0] ?? 0)) * 100;
  const digits = step >= 1 ? (step % 1 ? 1 : 0) : Math.min(10, Math.ceil(-Math.log10(step)));
  return `${(share * 100).toFixed(digits)} %`;
}

/** Labels have no order, so they are rows with bars to the right. */
function overLabels(all: Series[], width: number): Layout {
  const every = [...new Set(all.flatMap((one) => one.labels))];
  const heavy = every.length > MOST_ROWS ? heaviest(all, every) : every;
  const longest = Math.max(4, ...heavy.map((text) => Math.min(text.length, 28)));
  const left = Math.min(longest * 7.4 + 16, width * 0.45);
  const row = Math.max(ROW, all.length * 13 + 8);
  const top = 4;
  const tallest = max(all, (one) => max(one.exactly)) ?? 1;
  const x = scaleLinear().domain([0, tallest || 1]).range([left, width - 64]);
  const centres = heavy.map((_, i) => top + i * row + row / 2);
  const found: Bar[] = [];
  const each = Math.min((row - 8) / Math.max(1, all.length), 20);
  heavy.forEach((text, at) =>
    all.forEach((one, series) => {
      const share = shares(one, "exactly")[one.places.get(text) ?? -1] ?? 0;
      if (share > 0) found.push({ series, at, x: left, y: centres[at]! + (series - all.length / 2) * each, width: Math.max(x(share) - left, 1), height: Math.max(each - 1, 1) });
    }),
  );
  const rest = every.length - heavy.length;
  const outside = (one: Series) => 1 - heavy.reduce((sum, text) => sum + (one.exactly[one.places.get(text) ?? -1] ?? 0), 0);
  return {
    kind: "labels", width, height: top + heavy.length * row + 8, left, top, right: 64, bottom: 8,
    stops: heavy, centres, bars: found, lines: [], across: [], up: [],
    hidden: rest > 0 ? { outcomes: rest, share: Math.max(0, ...all.map(outside)) } : null,
  };
}

function heaviest(all: Series[], every: string[]): string[] {
  const weight = (text: string) => Math.max(...all.map((one) => one.exactly[one.places.get(text) ?? -1] ?? 0));
  const kept = new Set([...every].sort((a, b) => weight(b) - weight(a)).slice(0, MOST_ROWS));
  return every.filter((text) => kept.has(text));
}

/** The stop nearest to a place along the axis. */
export function nearest(found: Layout, at: number): number {
  const right = bisector((centre: number) => centre).center(found.centres, at);
  return Math.max(0, Math.min(found.stops.length - 1, right));
}
