import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { chart, expect, reading, roll, test } from "./page";

/** What can be on the screen: an address, and what is done there. */
const SCREENS: { name: string; path: string; then?: (page: Page) => Promise<void> }[] = [
  { name: "nothing yet", path: "/" },
  { name: "two rolls, read and rolled", path: "/?roll=4d6kh3&roll=3d6&at=15&show=at-least", then: rolled },
  { name: "a mistake", path: "/?roll=4d6k3h" },
  { name: "over the limit", path: "/?roll=different+40d40&in=troll" },
  { name: "words instead of numbers", path: `/?roll=${encodeURIComponent('1d20 == 20 ? "critical hit" : "normal"')}&in=yadn` },
  { name: "a sweep", path: "/?roll=d20%2B@bonus&set=bonus:5&sweep=bonus:0..10&ask=at-least:15" },
  { name: "examples", path: "/", then: (page) => page.getByRole("button", { name: "Examples by game" }).click() },
  { name: "the reference", path: "/", then: (page) => page.getByRole("button", { name: "What can I write?" }).click() },
  { name: "the history", path: "/?roll=d6", then: (page) => page.getByRole("button", { name: "History" }).click() },
  { name: "the table and the link", path: "/?roll=d6", then: opened },
  { name: "a script", path: "/?script", then: script },
  { name: "a frame", path: "/?roll=4d6kh3&embed=1" },
];

async function rolled(page: Page) {
  await page.getByRole("button", { name: "Roll", exact: true }).first().click();
  await expect(page.locator(".die").first()).toBeVisible();
}

async function opened(page: Page) {
  await page.getByRole("button", { name: "Show as a table" }).click();
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "More" }).first().click();
}

async function script(page: Page) {
  await page.getByLabel("Example").selectOption("Call of Cthulhu");
  await page.getByRole("button", { name: /^Roll / }).click();
  await expect(page.getByRole("region", { name: "Result" })).toBeVisible();
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: "reduce" } });
    for (const screen of SCREENS) {
      test(`axe finds nothing serious: ${screen.name}`, async ({ page }) => {
        await page.goto(screen.path);
        await page.waitForLoadState("networkidle");
        await screen.then?.(page);
        await page.waitForTimeout(200);
        const { violations } = await new AxeBuilder({ page }).analyze();
        const serious = violations.filter((one) => one.impact === "serious" || one.impact === "critical");
        expect(serious.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 200)).join(" | ")}`)).toEqual([]);
      });
    }
  });
}

test.describe("a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  for (const screen of SCREENS.filter((one) => one.name !== "a frame")) {
    test(`fits, with targets for fingers: ${screen.name}`, async ({ page }) => {
      await page.goto(screen.path);
      await page.waitForLoadState("networkidle");
      await screen.then?.(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      const small = await page.evaluate(() => {
        const all = document.querySelectorAll<HTMLElement>("main button, main select, main input:not([type=radio]):not([tabindex='-1']), main textarea, main summary, header a, header button, fieldset label");
        const box = (one: HTMLElement) => (one.closest("label") ?? one).getBoundingClientRect();
        return [...all].filter((one) => one.offsetParent && (box(one).height < 43.5 || box(one).width < 40)).map((one) => one.outerHTML.slice(0, 120));
      });
      expect(small).toEqual([]);
    });
  }
});

test("the main path by keyboard alone", async ({ page }) => {
  await page.goto("/");
  const tabTo = async (check: () => Promise<boolean>) => {
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      if (await check()) return;
    }
    throw new Error("not reached by Tab");
  };
  const on = (selector: string, text: string) => () =>
    page.evaluate(([selector, text]) => {
      const active = document.activeElement;
      return !!active?.matches(selector!) && ((active.textContent ?? "") + (active.getAttribute("aria-label") ?? "")).includes(text!);
    }, [selector, text]);
  await tabTo(on("textarea", "Your roll"));
  await page.keyboard.type("4d6kh3");
  await expect(chart(page)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.locator(".die")).toHaveCount(4);
  await expect(page.locator("p[aria-live]").first()).toHaveText(/^4d6kh3: \d+$/);
  await tabTo(on("button", "Compare with another roll"));
  await page.keyboard.press("Enter");
  await expect(roll(page, 2)).toBeFocused();
  await page.keyboard.type("3d6");
  await expect(page.getByRole("list", { name: "Legend" })).toBeVisible();
  await tabTo(() => page.evaluate(() => document.activeElement?.getAttribute("name") === "measure"));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "At least" })).toBeChecked();
  await tabTo(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label") === "Read the chart"));
  await page.keyboard.press("End");
  await expect(reading(page)).toContainText("18 or more");
  await expect(reading(page)).toContainText("7/432");
});

test("removing a roll can be undone", async ({ page }) => {
  await page.goto("/?roll=4d6kh3&roll=3d6");
  await expect(page.getByRole("list", { name: "Legend" }).getByRole("listitem")).toHaveCount(2);
  await page.getByRole("button", { name: "Remove roll 1" }).click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("list", { name: "Legend" }).getByRole("listitem")).toHaveText(["4d6kh3", "3d6"]);
});

test("what was looked at is in the history of this browser", async ({ page }) => {
  await page.goto("/?roll=2d6");
  await expect(chart(page)).toBeVisible();
  await page.waitForTimeout(1800);
  await page.goto("/");
  await page.getByRole("button", { name: "History" }).click();
  await page.getByRole("button", { name: "2d6", exact: true }).click();
  await expect(roll(page)).toHaveValue("2d6");
});

test("an example opens with its values, and can be taken back", async ({ page }) => {
  await page.goto("/?roll=2d6");
  await page.getByRole("button", { name: "Examples by game" }).click();
  await page.getByLabel("Find a game").fill("d&d 5e");
  await page.getByRole("button", { name: /D&D 5e: an attack/ }).click();
  await expect(page.getByRole("region", { name: "Statistics" })).toContainText("7.5788");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(roll(page)).toHaveValue("2d6");
});
