// What can be done at a table besides rolling: single dice, dice of the real world, rule packs, saved rolls, scripts to read,
// names, luck, files, other devices, spectators, the overlay.

import { attacker, expect, guest, joined, log, made, newest, options, sheet, target, test, type Guest } from "./table";

test.use(options);

const roll = async ({ page }: Guest, text: string) => {
  await page.getByRole("textbox", { name: "Your roll" }).fill(text);
  await page.getByRole("textbox", { name: "Your roll" }).press("Enter");
  await expect(newest(page)).toContainText(text);
};
const pane = ({ page }: Guest, name: string) => page.getByRole("radio", { name, exact: true }).check();
const dice = ({ page }: Guest) => newest(page).getByRole("list", { name: "Dice" }).first().getByRole("listitem");

test("one die is rolled again, set by hand and taken back, and everyone sees that", async ({ browser, server }) => {
  const [mia, ann] = [await guest(browser, server), await guest(browser, server)];
  const link = await made(mia, server, "Plain dice");
  await joined(ann, link, "Ann");
  await roll(ann, "2d1000");
  await expect(log(mia.page).getByRole("article")).toHaveCount(1);
  const before = await dice(ann).allInnerTexts();

  // Only the game master, until the table is set so that players may.
  await expect(newest(ann.page).getByRole("button", { name: /^Change the d1000/ })).toHaveCount(0);
  await newest(mia.page).getByRole("button", { name: /^Change the d1000/ }).first().click();
  const panel = mia.page.getByRole("form", { name: "Change this die" });
  await panel.getByRole("button", { name: "Roll it again" }).click();
  await expect(dice(ann).first()).toContainText("rolled again");
  await expect(dice(ann).first()).toContainText("new");
  await expect(newest(ann.page).getByText(/^was \d+$/)).toBeVisible();
  expect((await dice(ann).allInnerTexts())[1]).toBe(before[1]);
  await mia.page.getByRole("button", { name: "Undo" }).click();
  await expect(dice(ann).first()).not.toContainText("rolled again");
  await expect.poll(async () => (await dice(ann).first().locator(".shown").innerText()).trim()).toBe(before[0]!.split("\n")[0]!.trim());

  await pane(mia, "Table");
  await mia.page.getByLabel("Players may roll single dice").check();
  await newest(ann.page).getByRole("button", { name: /^Change the d1000/ }).last().click();
  const own = ann.page.getByRole("form", { name: "Change this die" });
  await own.getByLabel("or it shows").fill("1000");
  await own.getByRole("button", { name: "Set", exact: true }).click();
  await expect(dice(mia).last()).toContainText("set by hand");
  await expect(newest(mia.page).getByText("1 die typed in")).toBeVisible();
  await newest(ann.page).getByRole("button", { name: "Change the d1000 that shows 1000" }).click();
  await own.getByRole("button", { name: "Take that back" }).click();
  await expect(dice(mia).last()).not.toContainText("set by hand");
  for (const one of [mia, ann]) expect(one.complaints).toEqual([]);
});

test("dice of the real world are typed in: for an expression, a roll of the rules, and a decision", async ({ browser, server }) => {
  const mia = await guest(browser, server);
  const { page } = mia;
  await made(mia, server, "Full attack");
  await sheet(mia, attacker);
  await sheet(mia, target);
  await page.getByRole("textbox", { name: "Your roll" }).fill("2d6 + 1");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("region", { name: "Roll", exact: true }).getByLabel("Real dice").fill("6, 5");
  await page.getByRole("button", { name: "Roll", exact: true }).click();
  await expect(newest(page).locator(".total strong")).toHaveText("12");
  await expect(newest(page).getByText("2 dice typed in")).toBeVisible();

  await pane(mia, "Rules");
  const form = page.getByRole("form", { name: "Full Attack" });
  await form.getByLabel("attacker").selectOption({ label: "Rogue" });
  await form.getByLabel("target").selectOption({ label: "Ogre" });
  await form.getByLabel("Real dice").fill("7");
  await form.getByRole("button", { name: "Roll Full Attack" }).click();
  await expect(newest(page).getByText("1 die typed in")).toBeVisible();
  // Other attacks may show the same by chance.
  await expect(newest(page).getByText("7 on a d20").first()).toBeVisible();
  // The reroll of the first attack, rolled by hand as well.
  await newest(page).getByLabel(/Rolling real dice for your decision/).fill("13");
  await newest(page).getByRole("group", { name: /Reroll dagger\?/ }).getByRole("button", { name: "Yes" }).click();
  await expect(newest(page).getByText("2 dice typed in")).toBeVisible();
  await expect(newest(page).getByText("13 on a d20").first()).toBeVisible();

  // Forbidden to players: then nobody offers it to them.
  await pane(mia, "Table");
  await page.getByLabel("Players may type in the dice").uncheck();
  const ann = await guest(browser, server);
  await joined(ann, await page.getByLabel("For players").inputValue(), "Ann");
  await ann.page.getByRole("button", { name: "More" }).click();
  await expect(ann.page.getByLabel("Real dice")).toHaveCount(0);
  for (const one of [mia, ann]) expect(one.complaints).toEqual([]);
});

test("a rule pack is taken later, read by a player, and taken back; a script has versions", async ({ browser, server }) => {
  const [mia, ann] = [await guest(browser, server), await guest(browser, server)];
  const { page } = mia;
  const link = await made(mia, server, "Plain dice");
  await joined(ann, link, "Ann");
  await expect(ann.page.getByRole("radio", { name: "Rules" })).toHaveCount(0);
  await pane(mia, "Rules");
  await expect(page.getByText("This table has no rules yet")).toBeVisible();
  await page.getByLabel("Rule pack").selectOption("savage");
  await expect(page.getByRole("button", { name: "Trait d8", exact: true })).toBeVisible();
  await pane(ann, "Rules");
  await ann.page.getByText("Read the script").click();
  await expect(ann.page.locator("pre")).toContainText("defroll");
  await page.getByLabel("Rule pack").selectOption("blades");
  await expect(page.getByText("Now playing Blades in the Dark")).toBeVisible();
  await expect(ann.page.locator("pre")).toContainText("Blades");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(ann.page.locator("pre")).not.toContainText("Blades");

  await page.getByRole("button", { name: "Edit the script" }).click();
  const editor = page.getByRole("textbox", { name: "Script" });
  await editor.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText('defroll "Luck" luck() { output("broken" }');
  await expect(page.getByRole("button", { name: "Save for the table" })).toBeDisabled();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText('defroll "Luck" luck(bonus: int) { x = roll("d20") + bonus; output("Lucky: " + x); return x; }');
  await expect(page.getByText("No problems.")).toBeVisible();
  await page.getByRole("button", { name: "Save for the table" }).click();
  await expect(page.getByText("Saved as version 4")).toBeVisible();
  await ann.page.getByRole("form", { name: "Luck" }).getByLabel("bonus").fill("100");
  await ann.page.getByRole("button", { name: "Roll Luck" }).click();
  await expect(newest(page).getByText(/^Lucky: 1\d\d$/)).toBeVisible();
  await page.getByLabel("Older versions").selectOption("1");
  await expect(editor).toContainText("Savage");
  // What was filled in last is filled in again.
  await ann.page.reload();
  await pane(ann, "Rules");
  await expect(ann.page.getByRole("form", { name: "Luck" }).getByLabel("bonus")).toHaveValue("100");
  for (const one of [mia, ann]) expect(one.complaints).toEqual([]);
});

test("characters are forms with lists and records in them, and rolls remember who was picked", async ({ browser, server }) => {
  const [mia, ann] = [await guest(browser, server), await guest(browser, server)];
  const link = await made(mia, server, "Full attack");
  await joined(ann, link, "Ann");
  const { page } = ann;
  await pane(ann, "Rules");
  await expect(page.getByText(/make a character/i).first()).toBeVisible();
  await pane(ann, "Characters");
  for (const name of ["Fighter", "Dragon"]) {
    await page.getByRole("button", { name: "+ New creature" }).click();
    const form = page.getByRole("form", { name: /^New creature/ });
    await form.getByLabel("name").first().fill(name);
    await form.getByRole("button", { name: "+ Add attack" }).click();
    await form.getByText(/attack 1/i).first().click();
    await form.getByRole("group", { name: "attacks" }).getByLabel("name").fill("sword");
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("button", { name: `Edit ${name}` })).toBeVisible();
  }
  await page.getByRole("button", { name: "Edit Fighter" }).click();
  const edit = page.getByRole("form", { name: "Edit Fighter" });
  await expect(edit.getByText("attack 1: sword")).toBeVisible();
  await edit.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Delete Dragon" }).click();
  await expect(page.getByRole("button", { name: "Edit Dragon" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: "Edit Dragon" })).toBeVisible();
  await pane(ann, "Rules");
  await page.getByLabel("attacker").selectOption({ label: "Dragon" });
  await page.getByLabel("target").selectOption({ label: "Fighter" });
  await page.reload();
  await pane(ann, "Rules");
  await expect(page.getByLabel("attacker").locator("option:checked")).toHaveText("Dragon");
  await expect(page.getByLabel("target").locator("option:checked")).toHaveText("Fighter");
  for (const one of [mia, ann]) expect(one.complaints).toEqual([]);
});

test("a roll is saved with a value, for everyone, and rolled again by a tap", async ({ browser, server }) => {
  const [mia, ann] = [await guest(browser, server), await guest(browser, server)];
  const link = await made(mia, server, "Plain dice");
  await joined(ann, link, "Ann");
  const { page } = mia;
  await page.getByRole("textbox", { name: "Your roll" }).fill("d20 + @skill");
  await page.getByLabel("What is it for?").fill("Stealth");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByLabel("for everyone").check();
  await page.getByRole("button", { name: "Save this roll" }).click();
  await ann.page.getByRole("button", { name: "Stealth…" }).click();
  await ann.page.getByRole("form", { name: "Stealth" }).getByLabel("skill").fill("500");
  await ann.page.getByRole("button", { name: "Roll Stealth" }).click();
  await expect(newest(page).locator(".total strong")).toHaveText(/^5\d\d$/);
  await newest(ann.page).getByRole("button", { name: "Roll Stealth again" }).click();
  await expect(log(page).getByRole("article")).toHaveCount(2);
  await expect(newest(page)).toContainText("skill = 500");
  // After a roll, the pad begins anew, and what the last roll was for is not what this one is for.
  await ann.page.getByRole("button", { name: "Add a d6", exact: true }).click();
  await ann.page.getByLabel("What is it for?").fill("damage");
  await ann.page.getByRole("button", { name: "Roll", exact: true }).click();
  await expect(newest(page)).toContainText("damage");
  await ann.page.getByRole("button", { name: "Add a d8", exact: true }).click();
  await expect(ann.page.getByRole("textbox", { name: "Your roll" })).toHaveValue("d8");
  await expect(ann.page.getByLabel("What is it for?")).toHaveValue("");
  await page.getByRole("button", { name: "Delete Stealth" }).click();
  await expect(ann.page.getByRole("button", { name: "Stealth…" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(ann.page.getByRole("button", { name: "Stealth…" })).toBeVisible();
  for (const one of [mia, ann]) expect(one.complaints).toEqual([]);
});

test("luck, files, a new name, another device, and the recovery code", async ({ browser, server }) => {
  const [mia, ann] = [await guest(browser, server), await guest(browser, server)];
  const link = await made(mia, server, "Plain dice");
  const code = await mia.page.getByLabel("Recovery code").inputValue();
  await joined(ann, link, "Anm");
  await pane(ann, "Table");
  await ann.page.getByLabel("Your name").fill("Ann");
  await ann.page.getByRole("button", { name: "Change", exact: true }).click();
  await pane(mia, "Table");
  await expect(mia.page.getByText(/^Ann player, here/)).toBeVisible();
  await roll(ann, "20d6");
  await ann.page.getByRole("button", { name: "How lucky are we?" }).click();
  await expect(ann.page.getByText(/^Ann: 20 dice, /)).toBeVisible();
  const files = async (name: string) => {
    const [file] = await Promise.all([ann.page.waitForEvent("download"), ann.page.getByRole("link", { name }).click()]);
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  };
  expect(await files("Rolls as CSV")).toMatch(/^number,time,member,visibility,what,label,result,line\r\n1,\d+,Ann,everyone,20d6,,\d+,/);
  expect(JSON.parse(await files("Everything as JSON"))).toMatchObject({ tumble: 1, members: [{ name: "Mia" }, { name: "Ann" }], executions: [{ number: 1 }] });

  // Ann's seat moves to her phone.
  await ann.page.getByRole("button", { name: "Use another device" }).click();
  await expect(ann.page.getByRole("img", { name: "QR code of this link" })).toBeVisible();
  const move = await ann.page.getByLabel(/within an hour/).inputValue();
  const phone = await guest(browser, server, { viewport: { width: 360, height: 740 } });
  await phone.page.goto(move);
  await phone.page.getByRole("button", { name: "Take my seat" }).click();
  await expect(newest(phone.page).getByText("You")).toBeVisible();

  // Mia's browser forgot her; her code brings her back.
  const again = await guest(browser, server);
  await again.page.goto(link.split("#")[0]!);
  await expect(again.page.getByRole("heading", { name: "You have no seat at this table" })).toBeVisible();
  await again.page.getByText("I am the game master and lost my seat").click();
  await again.page.getByLabel("Recovery code").fill(code);
  await again.page.getByRole("button", { name: "Take my seat back" }).click();
  await expect(again.page.getByRole("heading", { name: "Friday night" })).toBeVisible();
  await pane(again, "Table");
  await expect(again.page.getByText(/^Mia \(you\) game master/)).toBeVisible();
  for (const one of [phone, again]) expect(one.complaints).toEqual([]);
});

test("a spectator only watches, somebody is sent away, and that can be undone at first", async ({ browser, server }) => {
  const [mia, sue] = [await guest(browser, server), await guest(browser, server)];
  await made(mia, server, "Plain dice");
  await pane(mia, "Table");
  const link = await mia.page.getByLabel(/^For spectators/).inputValue();
  await sue.page.goto(link);
  await sue.page.getByLabel("Your name").fill("Sue");
  await sue.page.getByRole("button", { name: "Join the table" }).click();
  await expect(sue.page.getByText("You are watching")).toBeVisible();
  await expect(sue.page.getByRole("textbox", { name: "Your roll" })).toHaveCount(0);
  await roll(mia, "d20");
  await expect(newest(sue.page)).toContainText("d20");
  await expect(newest(sue.page).getByRole("button")).toHaveCount(0);

  await mia.page.clock.install();
  await mia.page.getByRole("button", { name: "Send Sue away" }).click();
  await mia.page.getByRole("button", { name: "Undo" }).click();
  await mia.page.clock.fastForward(20_000);
  await expect(mia.page.getByText(/^Sue spectator/)).toBeVisible();
  await mia.page.getByRole("button", { name: "Send Sue away" }).click();
  await mia.page.clock.fastForward(20_000);
  await expect(sue.page.getByRole("heading", { name: "You are no longer at this table" })).toBeVisible();
  expect(mia.complaints).toEqual([]);
});

test("the overlay shows the last roll that everyone may see, big, on nothing", async ({ browser, server }) => {
  const mia = await guest(browser, server);
  await made(mia, server, "Plain dice");
  await pane(mia, "Table");
  const [overlay] = await Promise.all([mia.context.waitForEvent("page"), mia.page.getByRole("link", { name: "Big last roll" }).click()]);
  await expect(overlay.getByText("The next roll appears here.")).toBeVisible();
  await roll(mia, "3d1 + 39");
  await expect(overlay.locator(".total")).toHaveText("42");
  await mia.page.getByRole("button", { name: "More" }).click();
  await mia.page.getByRole("region", { name: "Roll", exact: true }).getByLabel("Who sees it").selectOption("master");
  await roll(mia, "3d1 + 7");
  await overlay.waitForTimeout(500);
  await expect(overlay.locator(".total")).toHaveText("42");
  expect(await overlay.evaluate(() => [document.documentElement, document.body].map((one) => getComputedStyle(one).backgroundColor))).toEqual(["rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)"]);
  expect(mia.complaints).toEqual([]);
});
