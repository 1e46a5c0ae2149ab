// Not a test: takes screenshots. Those of the book go into docs/book/src/img, the steps of a first visit on a phone and the
// questions for a comparison with other tools into target/pictures, to be looked at.

import { test, type Page } from "@playwright/test";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const book = (name: string) => join(root, "docs/book/src/img", `${name}.png`);
const seen = (name: string) => join(root, "target/pictures", `${name}.png`);

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(500);
}

async function rolled(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Roll", exact: true }).first().click();
  await page.waitForTimeout(700);
}

test.use({ viewport: { width: 1180, height: 800 } });

test("desktop", async ({ page }) => {
  await page.goto("/?roll=4d6kh3&roll=3d6&show=at-least&at=15");
  await settled(page);
  await rolled(page);
  await page.screenshot({ path: book("playground") });
});

test("a script", async ({ page }) => {
  await page.goto("/?script");
  await page.getByLabel("Example").selectOption("Savage Worlds");
  await settled(page);
  await page.getByRole("button", { name: /^Roll / }).click();
  await settled(page);
  await page.screenshot({ path: book("playground-script") });
});

test.describe("dark", () => {
  test.use({ colorScheme: "dark" });
  test("dark", async ({ page }) => {
    await page.goto("/?roll=d20%2B@bonus&set=bonus:5&sweep=bonus:0..10&ask=at-least:15");
    await settled(page);
    await page.screenshot({ path: seen("dark"), fullPage: true });
  });
});

test.describe("phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });

  test("for the book", async ({ page }) => {
    await page.goto("/?roll=d8!%2Bd6!&at=8&show=at-least");
    await settled(page);
    await page.screenshot({ path: book("playground-phone") });
  });

  test("five minutes from nothing but the link, to a compared pair of rolls", async ({ page }) => {
    const step = async (number: number) => {
      await settled(page);
      await page.screenshot({ path: seen(`phone-${number}`), fullPage: true });
    };
    await page.goto("/");
    await step(1);
    await page.getByRole("button", { name: "4d6kh3" }).tap();
    await step(2);
    await page.getByRole("button", { name: "Roll", exact: true }).tap();
    await step(3);
    await page.getByRole("button", { name: /Compare with another roll/ }).tap();
    await step(4);
    await page.keyboard.type("3d6k");
    await step(5);
    await page.keyboard.press("Backspace");
    await step(6);
    await page.getByRole("radio", { name: "At least" }).tap();
    await page.getByRole("slider", { name: "Read the chart" }).tap({ position: { x: 230, y: 120 } });
    await step(7);
    await page.getByRole("button", { name: "Share" }).tap();
    await step(8);
  });
});

/** The same three questions as asked of AnyDice and icecup. */
const QUESTIONS = [
  "roll=4d6kh3&roll=3d6",
  "roll=7d10!cs%3E=8,10:2&show=at-least&at=5",
  "roll=d20+adv&roll=d20&roll=d20+dis&show=at-least&at=11&chart=lines",
];

test("three questions", async ({ page }) => {
  for (const [i, query] of QUESTIONS.entries()) {
    await page.goto(`/?${query}`);
    await settled(page);
    await page.screenshot({ path: seen(`question-${i + 1}`) });
  }
});
