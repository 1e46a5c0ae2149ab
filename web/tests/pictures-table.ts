// Not a test: takes screenshots of tables. The one of the book goes into docs/book/src/img; those of an evening as three people
// play it, mistakes included, and of the first five minutes of somebody who has nothing but a link go into target/pictures.

import { join } from "node:path";
import { attacker, expect, guest, joined, made, newest, options, sheet, target, test, type Guest } from "./table";

const root = join(import.meta.dirname, "../..");
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

test.use(options);

/** Numbers the pictures of one story. */
function story(name: string) {
  let step = 0;
  return async ({ page }: Pick<Guest, "page">, what: string, fullPage = false) => {
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(root, "target/pictures", `${name}-${String(++step).padStart(2, "0")}-${what}.png`), fullPage });
  };
}

test("five minutes on a phone from nothing but the join link, to a labelled roll", async ({ browser, server }) => {
  const mia = await guest(browser, server);
  const link = await made(mia, server, "D&D");
  const ann = await guest(browser, server, PHONE);
  const { page } = ann;
  const see = story("join");
  await page.goto(link);
  await page.getByLabel("Your name").waitFor();
  await see(ann, "the link");
  await page.getByLabel("Your name").fill("Ann");
  await see(ann, "a name");
  await page.getByRole("button", { name: "Join the table" }).tap();
  await page.getByRole("textbox", { name: "Your roll" }).waitFor();
  await see(ann, "at the table");
  await page.getByRole("button", { name: "Add a d20" }).tap();
  await see(ann, "a die");
  await page.getByLabel("What is it for?").fill("Stealth");
  await see(ann, "what for");
  await page.getByRole("button", { name: "Roll", exact: true }).tap();
  await expect(newest(page)).toContainText("Stealth");
  await see(ann, "rolled");
  await page.getByRole("button", { name: "Check…" }).tap();
  await see(ann, "a saved roll");
  for (const pane of ["Rules", "Characters", "Table"]) {
    await page.getByRole("radio", { name: pane }).check();
    await see(ann, pane.toLowerCase());
  }
});

test("an evening of three, with mistakes", async ({ browser, server }) => {
  test.setTimeout(180_000);
  const see = story("evening");
  const [mia, ann, bob] = [await guest(browser, server), await guest(browser, server, PHONE), await guest(browser, server, { colorScheme: "dark" })];
  await mia.page.goto(`${server.address}/`);
  await see(mia, "home");
  const link = await made(mia, server, "Full attack");
  await see(mia, "welcome");
  // Ann's chat cut the link.
  await ann.page.goto(link.slice(0, -6));
  await ann.page.getByLabel("Your name").fill("Ann");
  await ann.page.getByRole("button", { name: "Join the table" }).tap();
  await ann.page.getByRole("alert").waitFor();
  await see(ann, "half a link");
  await ann.page.goto("about:blank");
  await joined(ann, link, "Ann");
  await joined(bob, link, "Bob");
  await mia.page.getByRole("button", { name: "Done" }).click();
  await see(mia, "empty table");
  // She mistypes, and types too few dice.
  const box = ann.page.getByRole("textbox", { name: "Your roll" });
  await box.fill("4d6k3h");
  await ann.page.getByRole("button", { name: "Roll", exact: true }).tap();
  await ann.page.getByRole("button", { name: "Use 4d6kh3" }).waitFor();
  await see(ann, "a mistake");
  await ann.page.getByRole("button", { name: "Use 4d6kh3" }).tap();
  await ann.page.getByRole("button", { name: "More" }).tap();
  await ann.page.getByLabel("Real dice").fill("3 5");
  await ann.page.getByRole("button", { name: "Roll", exact: true }).tap();
  await see(ann, "too few dice");
  await ann.page.getByLabel("Real dice").fill("3 5 6 1");
  await ann.page.getByRole("button", { name: "Roll", exact: true }).tap();
  await newest(ann.page).getByText("4 dice typed in").waitFor();
  await ann.page.getByRole("button", { name: "Less" }).tap();
  await see(ann, "real dice");
  // A character on the phone.
  await ann.page.getByRole("radio", { name: "Rules" }).check();
  await see(ann, "rules without characters", true);
  await ann.page.getByRole("radio", { name: "Characters" }).check();
  await see(ann, "no characters");
  await ann.page.getByRole("button", { name: "+ New creature" }).tap();
  await see(ann, "a new character", true);
  await ann.page.getByRole("button", { name: "Cancel" }).tap();
  await sheet(ann, attacker);
  await sheet(bob, target);
  await ann.page.getByRole("radio", { name: "Rules" }).check();
  await ann.page.getByLabel("attacker").selectOption({ label: "Rogue" });
  await ann.page.getByLabel("target").selectOption({ label: "Ogre" });
  await see(ann, "the attack");
  await ann.page.getByRole("button", { name: "Roll Full Attack" }).tap();
  await ann.page.getByText("Your decision: Reroll dagger?").waitFor();
  await see(ann, "your decision");
  await ann.page.getByRole("button", { name: "Show it" }).tap();
  await see(ann, "shown");
  const question = newest(ann.page).getByRole("group", { name: /Reroll dagger\?/ });
  await question.getByRole("button", { name: "What is it worth?" }).tap();
  await question.getByText(/no: .* · yes: /).waitFor();
  await see(ann, "what it is worth");
  await question.getByRole("button", { name: "Yes" }).tap();
  await newest(ann.page).getByRole("heading", { name: "Before" }).waitFor();
  await see(ann, "decided", true);
  await see(bob, "decided as bob", true);
  await see(mia, "decided as mia", true);
  // A secret roll, shown later; a die that fell off the table.
  await mia.page.getByRole("textbox", { name: "Your roll" }).fill("d20 + 7");
  await mia.page.getByLabel("What is it for?").fill("the ogre hides");
  await mia.page.getByRole("button", { name: "More" }).click();
  await mia.page.getByRole("region", { name: "Roll", exact: true }).getByLabel("Who sees it").selectOption("master");
  await mia.page.getByRole("button", { name: "Roll", exact: true }).click();
  await newest(bob.page).getByText("Rolled in secret").waitFor();
  await see(mia, "secret");
  await see(bob, "secret as bob");
  await newest(mia.page).getByRole("button", { name: "Show everyone" }).click();
  await newest(mia.page).getByRole("button", { name: /^Change the d20/ }).click();
  await see(mia, "change a die");
  await mia.page.getByRole("form", { name: "Change this die" }).getByRole("button", { name: "Roll it again" }).click();
  await newest(bob.page).getByText("rolled again").waitFor({ state: "attached" });
  await see(mia, "changed");
  await see(bob, "changed as bob");
  const overlay = await mia.context.newPage();
  await overlay.goto(`${link.split("#")[0]}/overlay`);
  await overlay.locator(".last").waitFor();
  await see({ page: overlay }, "overlay");
  // The computer with the server falls asleep.
  await server.stop();
  await ann.page.getByRole("radio", { name: "Log" }).check();
  await box.fill("d8");
  await box.press("Enter");
  await ann.page.getByText(/your roll is sent again/).waitFor();
  await ann.page.evaluate(() => scrollTo(0, 0));
  await see(ann, "no connection");
  await server.start();
  await ann.page.getByText(/No connection to the table/).waitFor({ state: "detached", timeout: 30_000 });
  await newest(ann.page).getByText("d8", { exact: true }).waitFor({ timeout: 30_000 });
  await see(ann, "back");
  await mia.page.getByRole("radio", { name: "Table" }).check();
  await mia.page.getByRole("button", { name: "How lucky are we?" }).click();
  await see(mia, "table", true);
  await mia.page.getByRole("radio", { name: "Rules" }).check();
  await mia.page.getByRole("button", { name: "Edit the script" }).click();
  await mia.page.locator(".cm-editor").waitFor();
  await see(mia, "script");
});

test("for the book", async ({ browser, server }) => {
  const [mia, ann] = [await guest(browser, server, { viewport: { width: 1180, height: 860 } }), await guest(browser, server)];
  const link = await made(mia, server, "Full attack");
  await joined(ann, link, "Ann");
  await mia.page.getByRole("button", { name: "Done" }).click();
  await sheet(ann, attacker);
  await sheet(mia, target);
  const { page } = ann;
  await page.getByRole("textbox", { name: "Your roll" }).fill("4d6kh3");
  await page.getByLabel("What is it for?").fill("Strength");
  await page.getByLabel("What is it for?").press("Enter");
  await page.getByRole("radio", { name: "Rules" }).check();
  await page.getByLabel("attacker").selectOption({ label: "Rogue" });
  await page.getByLabel("target").selectOption({ label: "Ogre" });
  await page.getByRole("button", { name: "Roll Full Attack" }).click();
  await newest(mia.page).getByText("Total damage").waitFor();
  await mia.page.getByRole("radio", { name: "Table" }).check();
  await mia.page.waitForTimeout(700);
  await mia.page.screenshot({ path: join(root, "docs/book/src/img/table.png") });
});
