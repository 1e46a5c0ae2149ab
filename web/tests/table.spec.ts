// The table as a group plays it, in a real browser against a real server, on plain http: no secure context, as at home.

import type { Page } from "@playwright/test";
import { attacker, everything, expect, guest, HOSTILE, joined, log, made, newest, options, serious, sheet, shot, small, target, test } from "./table";

test.use(options);

test("three people play the full attack: a reroll by its owner, a decision nobody else can make, a secret roll", async ({ browser, server }) => {
  const [mia, ann, bob] = [await guest(browser, server), await guest(browser, server), await guest(browser, server, { viewport: { width: 360, height: 740 } })];
  const link = await made(mia, server, "Full attack");
  await joined(ann, link, "Ann");
  await joined(bob, link, "Bob");
  await sheet(ann, attacker);
  await sheet(bob, target);

  // The attack of Ann's rogue against Bob's ogre, as everyone sees it.
  await ann.page.getByRole("radio", { name: "Rules" }).check();
  const form = ann.page.getByRole("form", { name: "Full Attack" });
  await form.getByLabel("attacker").selectOption({ label: "Rogue" });
  await form.getByLabel("target").selectOption({ label: "Ogre" });
  await form.getByRole("button", { name: "Roll Full Attack" }).click();
  for (const { page } of [mia, ann, bob]) await expect(newest(page).getByText(/^Total damage: \d+$/)).toBeVisible();

  // The reroll is Ann's: obvious to her, closed to Bob.
  const question = (page: Page) => newest(page).getByRole("group", { name: /Reroll dagger\?/ });
  await expect(ann.page.getByText("Your decision: Reroll dagger?")).toBeVisible();
  await expect(question(ann.page).getByText("Your decision")).toBeVisible();
  await expect(question(bob.page).getByText("Ann decides")).toBeVisible();
  await expect(question(bob.page).getByRole("button", { name: "Yes" })).toBeDisabled();
  await expect(newest(bob.page).getByRole("group", { name: /Force reroll of dagger\?/ }).getByText("Your decision")).toBeVisible();
  // The game master may step in, but not by a slip.
  await expect(question(mia.page).getByRole("button", { name: "Yes" })).toHaveCount(0);
  await question(mia.page).getByRole("button", { name: "Decide for Ann" }).click();
  await expect(question(mia.page).getByRole("button", { name: "Yes" })).toBeEnabled();
  await question(ann.page).getByRole("button", { name: "What is it worth?" }).click();
  await expect(question(ann.page).getByText(/no: .* · yes: /)).toBeVisible();
  await question(ann.page).getByRole("button", { name: "Yes" }).click();
  for (const { page } of [mia, ann, bob]) {
    await expect(newest(page).getByRole("heading", { name: "Before" })).toBeVisible();
    await expect(newest(page).getByText("new", { exact: true }).first()).toBeVisible();
  }
  await expect(question(ann.page).getByText("Decided by you: yes")).toBeVisible();
  await expect(question(ann.page).getByRole("button")).toHaveCount(0);
  await expect(question(bob.page).getByText("Decided by Ann: yes")).toBeVisible();

  for (const [name, { page }] of Object.entries({ mia, ann, bob })) await shot(page, `attack-${name}`);

  // A roll behind the screen: that it happened is seen, what it was never leaves the server.
  await mia.page.getByRole("textbox", { name: "Your roll" }).fill("3d777 + 100000");
  await mia.page.getByLabel("What is it for?").fill("the dragon wakes");
  await mia.page.getByRole("button", { name: "More" }).click();
  await mia.page.getByRole("region", { name: "Roll", exact: true }).getByLabel("Who sees it").selectOption("master");
  await mia.page.getByRole("textbox", { name: "Your roll" }).press("Enter");
  await expect(newest(mia.page).getByText("the dragon wakes")).toBeVisible();
  const total = await newest(mia.page).locator(".total strong").textContent();
  for (const one of [ann, bob]) {
    await expect(newest(one.page).getByText("Rolled in secret.")).toBeVisible();
    const all = await everything(one);
    expect(all).toContain("Total damage");
    for (const secret of ["dragon", "777", total!]) expect(all).not.toContain(secret);
  }
  await newest(mia.page).getByRole("button", { name: "Show everyone" }).click();
  for (const { page } of [ann, bob]) await expect(newest(page).getByText("the dragon wakes")).toBeVisible();

  for (const one of [mia, ann, bob]) expect(one.complaints).toEqual([]);
  await Promise.all([mia, ann, bob].map(({ context }) => context.close()));
});

test("rolls by keyboard: a mistake with its remedy, arrow up, a saved roll with a value, the dice pad", async ({ browser, server }) => {
  const mia = await guest(browser, server);
  await made(mia, server, "Plain dice");
  const { page } = mia;
  const box = page.getByRole("textbox", { name: "Your roll" });
  await box.fill("4d6k3h");
  await box.press("Enter");
  await page.getByRole("button", { name: "Use 4d6kh3" }).click();
  await expect(box).toHaveValue("4d6kh3");
  await box.press("Enter");
  await expect(newest(page).locator(".die")).toHaveCount(4);
  await box.fill("");
  await box.press("ArrowUp");
  await expect(box).toHaveValue("4d6kh3");
  await page.getByRole("button", { name: "Clear the roll" }).click();
  for (const name of ["Add a d6", "Add a d6", "Add a d20"]) await page.getByRole("button", { name, exact: true }).click();
  await expect(box).toHaveValue("2d6 + d20");
  await page.getByRole("button", { name: "Check…" }).click();
  await page.getByRole("form", { name: "Check" }).getByLabel("bonus").fill("1000");
  await page.getByRole("button", { name: "Roll Check" }).click();
  await expect(newest(page).locator(".total strong")).toHaveText(/^10\d\d$/);
  await expect(page.locator("main p[aria-live]")).toHaveText(/^You rolled Check: 10\d\d$/);
  // The refused roll is a request that failed, which the browser notes by itself.
  expect(mia.complaints.filter((one) => !one.includes("422"))).toEqual([]);
  await mia.context.close();
});

test("a server that restarts in the middle loses nothing and doubles nothing", async ({ browser, server }) => {
  const [mia, ann] = [await guest(browser, server), await guest(browser, server)];
  const link = await made(mia, server, "Plain dice");
  await joined(ann, link, "Ann");
  await ann.page.getByRole("button", { name: "d20", exact: true }).click();
  await expect(log(mia.page).getByRole("article")).toHaveCount(1);
  await server.stop();
  await expect(ann.page.getByText(/No connection to the table/)).toBeVisible();
  await ann.page.getByRole("textbox", { name: "Your roll" }).fill("2d6");
  await ann.page.getByRole("textbox", { name: "Your roll" }).press("Enter");
  await expect(ann.page.getByText(/your roll is sent again/)).toBeVisible();
  await server.start();
  for (const { page } of [mia, ann]) {
    await expect(log(page).getByRole("article")).toHaveCount(2, { timeout: 30_000 });
    await expect(page.getByText(/No connection to the table/)).toHaveCount(0);
  }
  await mia.page.reload();
  await expect(log(mia.page).getByRole("article")).toHaveCount(2);
  await Promise.all([mia, ann].map(({ context }) => context.close()));
});

test("a phone that sleeps closes its stream after half a minute, and goes on where it was", async ({ browser, server }) => {
  const [mia, ann] = [await guest(browser, server), await guest(browser, server)];
  const link = await made(mia, server, "Plain dice");
  await ann.page.clock.install();
  await joined(ann, link, "Ann");
  await ann.page.getByRole("button", { name: "d20", exact: true }).click();
  await expect(log(ann.page).getByRole("article")).toHaveCount(1);
  const look = (state: "hidden" | "visible") =>
    ann.page.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await look("hidden");
  await ann.page.clock.fastForward(31_000);
  await mia.page.getByRole("button", { name: "Percent", exact: true }).click();
  await expect(log(mia.page).getByRole("article")).toHaveCount(2);
  await mia.page.waitForTimeout(500);
  await expect(log(ann.page).getByRole("article")).toHaveCount(1);
  await look("visible");
  await expect(log(ann.page).getByRole("article")).toHaveCount(2);
  await expect(newest(ann.page)).toContainText("Percent");
  for (const one of [mia, ann]) expect(one.complaints).toEqual([]);
  await Promise.all([mia, ann].map(({ context }) => context.close()));
});

test("names, labels and characters full of HTML and bidirectional characters are only text", async ({ browser, server }) => {
  const mia = await guest(browser, server);
  await made(mia, server, "Full attack", HOSTILE, HOSTILE);
  const { page } = mia;
  await page.getByRole("textbox", { name: "Your roll" }).fill("d6");
  await page.getByLabel("What is it for?").fill(HOSTILE);
  await page.getByLabel("What is it for?").press("Enter");
  await expect(newest(page)).toContainText("<img src=x");
  await expect(newest(page)).toContainText("\\u202e");
  await sheet(mia, { ...target, name: HOSTILE });
  for (const pane of ["Characters", "Rules", "Table"]) {
    await page.getByRole("radio", { name: pane }).check();
    await expect(page.locator(".side")).toContainText("\\u202e");
  }
  expect(await page.locator("main img, main b").count()).toBe(0);
  expect(await page.title()).not.toBe("owned");
  expect(mia.complaints).toEqual([]);
  await mia.context.close();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`every screen of a table on a phone, ${colorScheme}: nothing serious from axe, 360 wide, targets for fingers`, async ({ browser, server }) => {
    test.slow();
    const mia = await guest(browser, server, { colorScheme, viewport: { width: 360, height: 740 } });
    const { page } = mia;
    const looked = async (name: string) => {
      expect(await serious(page), name).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(360);
      expect(await small(page), name).toEqual([]);
      await shot(page, `phone-${colorScheme}-${name}`);
    };
    await page.goto(`${server.address}/?tables`);
    await page.getByLabel("Name of the table").waitFor();
    await looked("new");
    const link = await made(mia, server, "Full attack");
    await looked("welcome");
    await page.getByRole("button", { name: "Done" }).click();
    await looked("empty");
    await sheet(mia, attacker);
    await sheet(mia, { ...target, canforcereroll: true });
    await page.getByRole("radio", { name: "Rules" }).check();
    await page.getByLabel("target").selectOption({ label: "Ogre" });
    await page.getByLabel("attacker").selectOption({ label: "Rogue" });
    await looked("rules");
    await page.getByRole("button", { name: "Roll Full Attack" }).click();
    await page.getByRole("button", { name: "Show it" }).click();
    await newest(page).getByRole("button", { name: "Yes" }).first().click();
    await expect(newest(page).getByRole("heading", { name: "Before" })).toBeVisible();
    await page.getByRole("textbox", { name: "Your roll" }).fill("4d6kh3");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("textbox", { name: "Your roll" }).press("Enter");
    await expect(newest(page).locator(".die")).toHaveCount(4);
    await looked("log");
    await page.getByRole("radio", { name: "Characters" }).check();
    await page.getByRole("button", { name: "Edit Rogue" }).click();
    await looked("characters");
    await page.getByRole("radio", { name: "Table" }).check();
    await page.getByRole("button", { name: "How lucky are we?" }).click();
    await page.getByRole("button", { name: "Use another device" }).click();
    await page.getByText("within an hour").waitFor();
    await looked("people");
    const ann = await guest(browser, server, { colorScheme, viewport: { width: 360, height: 740 } });
    await ann.page.goto(link);
    await ann.page.getByLabel("Your name").waitFor();
    expect(await serious(ann.page)).toEqual([]);
    await shot(ann.page, `phone-${colorScheme}-join`);
    expect(mia.complaints).toEqual([]);
    await ann.context.close();
    await mia.context.close();
  });
}
