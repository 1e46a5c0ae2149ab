// Numbers as players read them. Exact ones are fractions in text; a float is only for drawing and for percentages.

import type { Fraction } from "../engine/wire";

export interface Ratio {
  n: bigint;
  d: bigint;
}

export function ratio(fraction: Fraction): Ratio {
  const [n, d] = fraction.split("/");
  return { n: BigInt(n!), d: BigInt(d ?? 1) };
}

/** A fraction as a float, also one whose numbers are far too long for floats. */
export function float(fraction: Fraction): number {
  const [n, d = "1"] = fraction.split("/") as [string, string?];
  if (n.length <= 15 && d.length <= 15) return Number(n) / Number(d);
  const sign = n.startsWith("-") ? -1 : 1;
  const top = sign < 0 ? n.slice(1) : n;
  const power = Math.max(0, top.length - 17) - Math.max(0, d.length - 17);
  return (sign * Number(top.slice(0, 17)) * (power >= 0 ? 10 ** power : 1)) / Number(d.slice(0, 17)) / (power < 0 ? 10 ** -power : 1);
}

function gcd(a: bigint, b: bigint): bigint {
  while (b) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

export function reduced({ n, d }: Ratio): Ratio {
  const g = gcd(n, d);
  return g > 1n ? { n: n / g, d: d / g } : { n, d };
}

/** The sum of many fractions: pairwise, so that the numbers stay as short as they can. */
export function sum(fractions: Fraction[]): Fraction {
  let parts = fractions.map(ratio);
  if (parts.length === 0) return "0";
  while (parts.length > 1) {
    const next: Ratio[] = [];
    for (let i = 0; i < parts.length; i += 2) {
      const [a, b] = [parts[i]!, parts[i + 1]];
      if (!b) next.push(a);
      else if (a.d === b.d) next.push({ n: a.n + b.n, d: a.d });
      else {
        const g = gcd(a.d, b.d);
        next.push({ n: a.n * (b.d / g) + b.n * (a.d / g), d: a.d * (b.d / g) });
      }
    }
    parts = next;
  }
  return written(reduced(parts[0]!));
}

export function written({ n, d }: Ratio): Fraction {
  return d === 1n ? `${n}` : `${n}/${d}`;
}

export function grouped(n: number | bigint): string {
  return n.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** `23.15 %`; rare ones keep two digits that mean something. */
export function percent(share: number): string {
  const size = share * 100;
  if (size === 0) return "0 %";
  if (size === 100) return "100 %";
  if (size >= 99.995) return size >= 99.9999995 ? "almost 100 %" : `${(Math.floor(size * 1e6) / 1e6).toString()} %`;
  if (size >= 0.01) return `${size.toFixed(2)} %`;
  if (size >= 1e-6) return `${Number(size.toPrecision(2)).toFixed(Math.min(8, 1 - Math.floor(Math.log10(size))))} %`;
  return `${size.toExponential(1).replace("e-", "e-")} %`;
}

/** A number of a statistic: at most four digits after the point. */
export function decimal(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return "–";
  const text = Math.abs(value) >= 1e9 ? value.toPrecision(6) : value.toFixed(digits);
  return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text;
}

/** The most digits of a whole number that people read as it is. */
const READABLE = 12;

/** A probability in words, as the program puts it (crates/tumble/src/render/chance.rs): `about 1 in 4`. */
export function inWords(fraction: Fraction): string {
  if (fraction === "0") return "never";
  if (fraction === "1") return "always";
  const exact = ratio(fraction);
  const size = float(fraction);
  if (size < 0.1) return oneIn(exact);
  if (size >= 0.9) return `all but ${oneIn(reduced({ n: exact.d - exact.n, d: exact.d }))}`;
  for (const whole of [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20]) {
    const part = BigInt(Math.round(size * whole));
    if (part * exact.d === exact.n * BigInt(whole)) return `${part} in ${whole}`;
  }
  return `about ${simple(size)}`;
}

/** The same for a number that is only nearly known. */
export function nearlyInWords(size: number): string {
  if (size <= 0) return "never seen";
  if (size >= 1) return "always seen";
  const near = (share: number) => `1 in ${rounded(BigInt(Math.round(Math.min(1 / share, 1e15))))}`;
  if (size < 0.1) return `about ${near(size)}`;
  if (size >= 0.9) return `all but about ${near(1 - size)}`;
  return `about ${simple(size)}`;
}

function oneIn({ n, d }: Ratio): string {
  const whole = (2n * d + n) / (2n * n);
  const readable = whole.toString().length <= READABLE;
  return readable && n === 1n ? `1 in ${grouped(whole)}` : `about 1 in ${rounded(whole)}`;
}

function rounded(whole: bigint): string {
  const digits = whole.toString();
  if (digits.length <= READABLE) {
    const scale = 10 ** Math.max(0, digits.length - 3);
    return grouped(Math.round(Number(whole) / scale) * scale);
  }
  const first = Number(`${digits[0]}.${digits.slice(1, READABLE)}`).toFixed(1);
  return first === "10.0" ? `1.0e${digits.length}` : `${first}e${digits.length - 1}`;
}

function simple(size: number): string {
  const inverse = (share: number) => Math.round(1 / share);
  if (size < 0.18) return `1 in ${inverse(size)}`;
  if (size >= 0.82) return `${inverse(1 - size) - 1} in ${inverse(1 - size)}`;
  for (const whole of [2, 3, 4]) {
    const part = Math.round(size * whole);
    if (Math.abs(part / whole - size) <= 0.01) return `${part} in ${whole}`;
  }
  const part = Math.round(size * 20);
  if (part === 5 || part === 15) return `${part / 5} in 4`;
  if (part === 10) return "1 in 2";
  return part % 2 === 0 ? `${part / 2} in 10` : `${part} in 20`;
}

/** A fraction that fits a line; a longer one keeps its ends. */
export function short(fraction: Fraction, most = 44): string {
  if (fraction.length <= most) return fraction;
  const cut = (digits: string) => (digits.length > 16 ? `${digits.slice(0, 6)}…${digits.slice(-4)}` : digits);
  return fraction.split("/").map(cut).join("/");
}
