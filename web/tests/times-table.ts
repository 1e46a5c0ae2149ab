// Not a test: measures how long a roll takes from the click to every other screen, for bench/web.md. Nothing is asserted.
// `CHROMIUM=/usr/bin/chromium npx playwright test --config tests/times.config.ts times-table`

import type { Page } from "@playwright/test";
import { expect, guest, joined, log, made, options, test, type Guest } from "./table";

test.use(options);

const TIMES = 30;

/** The clock time of the frame in which so many rolls are in the log. */
function seen({ page }: Pick<Guest, "page">, count: number): Promise<number> {
  return page.evaluate(
    (count) =>
      new Promise<number>((resolve) => {
        const look = () => document.querySelectorAll("article.roll").length >= count;
        const done = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())));
        if (look()) return done();
        const watch = new MutationObserver(() => {
          if (!look()) return;
          watch.disconnect();
          done();
        });
        watch.observe(document.body, { subtree: true, childList: true });
      }),
    count,
  );
}

const clicked = (page: Page) =>
  page.evaluate(() => {
    const button = [...document.querySelectorAll<HTMLButtonElement>("button.go")][0]!;
    const start = performance.timeOrigin + performance.now();
    button.click();
    return start;
  });

const told = (all: number[]) => {
  const sorted = [...all].sort((a, b) => a - b);
  return `median ${sorted[Math.floor(sorted.length / 2)]?.toFixed(0)} ms, best ${sorted[0]?.toFixed(0)} ms, worst ${sorted.at(-1)?.toFixed(0)} ms`;
};

test("from a roll's click to every other screen", async ({ browser, server }) => {
  test.setTimeout(300_000);
  const [mia, ann, bob, sue] = [await guest(browser, server), await guest(browser, server), await guest(browser, server, { viewport: { width: 360, height: 740 } }), await guest(browser, server)];
  const link = await made(mia, server, "Plain dice");
  for (const [one, name] of [[ann, "Ann"], [bob, "Bob"], [sue, "Sue"]] as const) await joined(one, link, name);
  await ann.page.getByRole("textbox", { name: "Your roll" }).fill("4d6kh3");
  const [own, others, last]: [number[], number[], number[]] = [[], [], []];
  for (let i = 1; i <= TIMES; i++) {
    const waiting = [ann, mia, bob, sue].map((one) => seen(one, i));
    await ann.page.waitForTimeout(150);
    const start = await clicked(ann.page);
    const [first, ...rest] = await Promise.all(waiting);
    own.push(first! - start);
    others.push(...rest.map((time) => time - start));
    last.push(Math.max(...rest) - start);
  }
  await expect(log(mia.page).getByRole("article")).toHaveCount(TIMES);
  console.log(`click to the own screen: ${told(own)}`);
  console.log(`click to another screen: ${told(others)}`);
  console.log(`click to the last of three other screens: ${told(last)}`);
});
