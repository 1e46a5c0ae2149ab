// A chart as a picture of its own: SVG with its colours written out, and PNG made from it in the browser.

import { layout, type Layout, type Shape } from "./layout";
import { percent } from "../odds/numbers";
import type { Measure, Series } from "../odds/series";

const SIZE = { width: 960, height: 540 };

const LOOKS = {
  light: { paper: "#ffffff", ink: "#1c1e29", soft: "#565a6b", line: "#e0dcd2", series: ["#3f4fd8", "#c4500a", "#0b7a68", "#9333a8", "#b0203a", "#66650a"] },
  dark: { paper: "#1c1f29", ink: "#eceaf3", soft: "#a9adbf", line: "#313543", series: ["#93a0ff", "#ffa561", "#5ed4bb", "#dd9cf0", "#ff8fa0", "#d3cf6b"] },
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const round = (n: number) => Math.round(n * 100) / 100;
const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

export function svg(series: Series[], colours: number[], measure: Measure, shape: Shape, dark: boolean): string {
  const look = dark ? LOOKS.dark : LOOKS.light;
  const head = 34 + series.length * 22;
  const found = layout(series, measure, shape, SIZE.width, SIZE.height - head);
  const colour = (i: number) => look.series[colours[i] ?? 0] ?? look.series[0]!;
  const text = (x: number, y: number, words: string, more = "") => `<text x="${round(x)}" y="${round(y)}" ${more}>${escaped(words)}</text>`;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${found.height + head}" width="${SIZE.width}" height="${found.height + head}" font-family="system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif" font-size="13">`,
    `<title>${escaped(`Odds of ${series.map((one) => one.title).join(" and ")}`)}</title>`,
    `<rect width="100%" height="100%" fill="${look.paper}"/>`,
    text(16, 24, found.kind === "labels" ? "Odds" : `Odds: ${measure}`, `font-size="15" font-weight="600" fill="${look.ink}"`),
    ...series.map((one, i) => {
      const mean = one.odds.mean === null ? "" : `   mean ${typeof one.odds.mean === "number" ? one.odds.mean.toFixed(2) : one.odds.mean}`;
      const y = 44 + i * 22;
      return `<rect x="16" y="${y - 11}" width="13" height="13" rx="3" fill="${colour(i)}"/>${text(36, y, cut(one.title, 90) + (mean.length < 40 ? mean : ""), `fill="${look.ink}"`)}`;
    }),
    `<g transform="translate(0 ${head})">`,
    ...axes(found, look, text),
    ...found.lines.map((drawn) => `<path d="${drawn.line}" fill="none" stroke="${colour(drawn.series)}" stroke-width="2.25" stroke-linejoin="round"/>`),
    ...found.bars.map((bar) => `<rect x="${round(bar.x)}" y="${round(bar.y)}" width="${round(bar.width)}" height="${round(bar.height)}" fill="${colour(bar.series)}"/>${found.kind === "labels" ? text(bar.x + bar.width + 6, bar.y + bar.height / 2 + 4, value(series, found, bar), `fill="${look.soft}"`) : ""}`),
    "</g></svg>",
  ];
  return parts.join("\n") + "\n";
}

function value(series: Series[], found: Layout, bar: { series: number; at: number }): string {
  const one = series[bar.series]!;
  return percent(one.exactly[one.places.get(String(found.stops[bar.at])) ?? -1] ?? 0);
}

function axes(found: Layout, look: (typeof LOOKS)["light"], text: (x: number, y: number, words: string, more?: string) => string): string[] {
  if (found.kind === "labels") {
    return found.stops.map((stop, i) => text(found.left - 8, found.centres[i]! + 4, cut(String(stop), 28), `text-anchor="end" fill="${look.ink}"`));
  }
  const floor = found.height - found.bottom;
  return [
    ...found.up.flatMap((tick) => [
      `<line x1="${found.left}" x2="${found.width - found.right}" y1="${round(tick.at)}" y2="${round(tick.at)}" stroke="${look.line}"/>`,
      text(found.left - 8, tick.at + 4, tick.text, `text-anchor="end" fill="${look.soft}"`),
    ]),
    ...found.across.map((tick) => text(tick.at, floor + 20, tick.text, `text-anchor="middle" fill="${look.soft}"`)),
    `<line x1="${found.left}" x2="${found.width - found.right}" y1="${floor}" y2="${floor}" stroke="${look.soft}"/>`,
  ];
}

/** The picture in pixels, twice as many as it is wide, for sharp screens. */
export async function png(picture: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([picture], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * 2;
    canvas.height = image.naturalHeight * 2;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** The columns of `tumble odds --format csv`. */
export function csv(series: Series[]): string {
  const cell = (text: string) => (/^[=+\-@\t\r]/.test(text) && !/^-?[\d.]+(e-?\d+)?$/.test(text) ? quoted(`'${text}`) : /[",\n\r]/.test(text) ? quoted(text) : text);
  const rows = series.flatMap((one) =>
    one.odds.outcomes.map(([, p], i) => [one.title, one.labels[i]!, typeof p === "string" ? p : "", String(one.exactly[i])].map(cell).join(",")),
  );
  return ["roll,outcome,fraction,probability", ...rows].join("\n") + "\n";
}

const quoted = (text: string) => `"${text.replace(/"/g, '""')}"`;

/** The answers of the engine, as `tumble batch` gives them. */
export function json(series: Series[], about: { text: string; notation: string }[], vars: Record<string, number>): string {
  const plain = (_: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);
  const rolls = series.map((one, i) => ({ roll: one.title, ...about[i], vars, ...one.odds }));
  return JSON.stringify(rolls, plain, 1) + "\n";
}
