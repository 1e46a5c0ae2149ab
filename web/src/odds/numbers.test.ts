import { expect, test } from "vitest";
import { decimal, float, grouped, inWords, percent, short, sum } from "./numbers";
import { label, quantile, reading, series, shareAt } from "./series";
import type { Exact } from "../engine/wire";

test("fractions are added exactly", () => {
  expect(sum(["1/4", "1/2", "1/4"])).toBe("1");
  expect(sum(["1/6", "1/10"])).toBe("4/15");
  expect(sum([])).toBe("0");
  const tiny = `1/${10n ** 40n}`;
  expect(sum([tiny, tiny])).toBe(`1/${5n * 10n ** 39n}`);
});

test("fractions of any length become floats", () => {
  expect(float("25/108")).toBe(25 / 108);
  expect(float("-7")).toBe(-7);
  expect(float(`${10n ** 400n}/${3n * 10n ** 400n}`)).toBeCloseTo(1 / 3, 15);
  expect(float(`-${10n ** 20n}/3`)).toBeCloseTo(-1e20 / 3, -5);
  expect(float(`1/${10n ** 30n}`)).toBeCloseTo(1e-30, 45);
});

test("probabilities are said as the program says them", () => {
  for (const [fraction, words] of [
    ["25/108", "about 1 in 4"], ["7/432", "about 1 in 62"], ["5/12", "5 in 12"], ["1/36", "1 in 36"], ["0", "never"], ["1", "always"],
    ["21/25", "about 5 in 6"], ["117/125", "all but about 1 in 16"], ["3/5", "3 in 5"], ["9/320", "about 1 in 36"],
    ["1/7776", "1 in 7,776"], [`1/${6n ** 100n}`, "about 1 in 6.5e77"], ["11/20", "11 in 20"],
  ] as const) {
    expect(inWords(fraction), fraction).toBe(words);
  }
});

test("percentages keep digits that mean something", () => {
  for (const [share, text] of [
    [0, "0 %"], [1, "100 %"], [25 / 108, "23.15 %"], [0.00001, "0.0010 %"], [1e-12, "1.0e-10 %"], [0.999999, "99.9999 %"],
  ] as const) {
    expect(percent(share), String(share)).toBe(text);
  }
  expect(decimal(12.244598765)).toBe("12.2446");
  expect(decimal(10)).toBe("10");
  expect(grouped(1234567)).toBe("1,234,567");
  expect(short("1/1296")).toBe("1/1296");
  expect(short(`1/${10n ** 90n}`)).toBe("1/100000…0000");
});

const odds = (more: Partial<Exact>): Exact => ({
  ok: true, micros: 1, exact: true, outcomes: [[2, "1/4"], [3, "1/2"], [5, "1/4"]], unresolved: "0", mean: "13/4", variance: "1", warnings: [], ...more,
});

test("a distribution is read at any number", () => {
  const coins = series("2d2", odds({}));
  expect(shareAt(coins, "at least", 3)).toBe(0.75);
  expect(shareAt(coins, "at least", 4)).toBe(0.25);
  expect(shareAt(coins, "at most", 4)).toBe(0.75);
  expect(shareAt(coins, "exactly", 4)).toBe(0);
  expect(reading(coins, "at least", 3)).toEqual({ percent: "75.00 %", fraction: "3/4", words: "3 in 4" });
  expect(reading(coins, "at most", 1)).toEqual({ percent: "0 %", fraction: "0", words: "never" });
  expect(quantile(coins, 0.5)).toBe("3");
});

test("what is not listed belongs to its side, or to none", () => {
  const open = series("d2!", odds({ outcomes: [[1, "1/2"], [3, "1/4"]], unresolved: "1/4", unlisted: "above" }));
  expect(reading(open, "at least", 3).fraction).toBe("1/2");
  expect(reading(open, "at most", 3).fraction).toBe("3/4");
  expect(shareAt(open, "at least", 100)).toBe(0.25);
  const anywhere = series("?", odds({ outcomes: [[1, "1/2"]], unresolved: "1/2", unlisted: "anywhere" }));
  expect(reading(anywhere, "at least", 1).fraction).toBeNull();
});

test("outcomes of every kind have a label, and none can hide something", () => {
  expect(label([1, 2])).toBe("[1, 2]");
  expect(label({ pair: [1, "a"] })).toBe("(1, a)");
  expect(label({ results: [1, [2]] })).toBe("1; [2]");
  expect(label("")).toBe("(empty text)");
  expect(label("a\u202eb")).toBe("a\\u202eb");
  expect(label(12345678901234567890n)).toBe("12345678901234567890");
});
