// Not a test: measures how fast the page answers, for bench/web.md. Nothing here is asserted, because machines differ.
// `CHROMIUM=/usr/bin/chromium npx playwright test --config tests/times.config.ts`

import { expect, test, type Page } from "@playwright/test";
import { chart, roll } from "./page";

const TIMES = 15;

/** Median, best and worst of some milliseconds. */
function told(all: number[]): string {
  const sorted = [...all].sort((a, b) => a - b);
  const [best, median, worst] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted[sorted.length - 1]];
  return `median ${median?.toFixed(0)} ms, best ${best?.toFixed(0)} ms, worst ${worst?.toFixed(0)} ms`;
}

/** From the press of a key to the frame with the new chart. */
async function pressed(page: Page, key: string): Promise<number> {
  await page.evaluate(() => {
    const drawing = document.querySelector("[role=slider][aria-label='Read the chart']")!;
    const done = new Promise<number>((resolve) => {
      addEventListener(
        "keydown",
        () => {
          const start = performance.now();
          const seen = new MutationObserver(() => {
            seen.disconnect();
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
          });
          seen.observe(drawing, { subtree: true, childList: true, attributes: true, attributeFilter: ["d", "height", "y"] });
        },
        { once: true },
      );
    });
    (window as unknown as { done: Promise<number> }).done = done;
  });
  await page.keyboard.press(key);
  return page.evaluate(() => (window as unknown as { done: Promise<number> }).done);
}

const KEYS = [
  { text: "4d6kh3", query: "roll=4d6kh" },
  { text: "sum largest 10 40d20", query: "roll=sum+largest+10+40d2&in=troll" },
];

for (const { text, query } of KEYS) {
  test(`key press to new chart: ${text}`, async ({ page }) => {
    const found: number[] = [];
    for (let i = 0; i < TIMES; i++) {
      await page.goto(`/?${query}`);
      await expect(chart(page)).toBeVisible();
      await roll(page).focus();
      await page.keyboard.press("End");
      await page.waitForTimeout(300);
      found.push(await pressed(page, text.at(-1)!));
    }
    console.log(`key press to new chart, ${text}: ${told(found)}`);
  });
}

test("first visit to the first chart", async ({ browser, baseURL }) => {
  const found: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${baseURL}?roll=4d6kh3`, { waitUntil: "commit" });
    await expect(chart(page)).toBeVisible();
    found.push(await page.evaluate(() => performance.now()));
    await page.context().close();
  }
  console.log(`first visit to the first chart: ${told(found)}`);
});

test("long tasks while typing into a roll that is over the limit", async ({ page }) => {
  await page.goto("/?roll=d6&in=troll");
  await expect(chart(page)).toBeVisible();
  await page.evaluate(() => {
    const seen: number[] = ((window as unknown as { long: number[] }).long = []);
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => seen.push(entry.duration))).observe({ type: "longtask" });
  });
  await roll(page).fill("");
  await roll(page).pressSequentially("different 40d40", { delay: 60 });
  await expect(page.getByText("That is a lot of dice.")).toBeVisible();
  await roll(page).pressSequentially(" + 1", { delay: 60 });
  await page.waitForTimeout(500);
  const long = await page.evaluate(() => (window as unknown as { long: number[] }).long);
  console.log(`long tasks while typing over the limit: ${long.length ? long.map((one) => `${one.toFixed(0)} ms`).join(", ") : "none"}`);
});
