// Tables for everyone: many tabs, keyboards, screen readers, phones, strangers' texts, and the policy on every page.

import type { Page } from "@playwright/test";
import { policy } from "../scripts/policy.mjs";
import { attacker, expect, guest, HOSTILE, joined, log, made, newest, options, serious, sheet, shot, small, target, test, type Guest, type Server } from "./table";

test.use(options);

test("six tabs of one player, opened in a moment: all see a roll, and none takes a connection from another", async ({ browser, server }) => {
  const [mia, ann] = [await guest(browser, server), await guest(browser, server)];
  const link = await made(mia, server, "Plain dice");
  await joined(ann, link, "Ann");
  // A browser of a test shows all of its tabs: here one is in front, and the others are behind it.
  await ann.context.addInitScript(() => {
    const open: EventSource[] = ((window as unknown as { open: EventSource[] }).open = []);
    const Original = window.EventSource;
    window.EventSource = class extends Original {
      constructor(url: string | URL) {
        super(url);
        open.push(this);
      }
    };
  });
  const look = (tab: Page, state: "hidden" | "visible") =>
    tab.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await ann.page.reload();
  const tabs = [ann.page];
  for (let i = 1; i < 6; i++) {
    const tab = await ann.context.newPage();
    tab.on("pageerror", (error) => ann.complaints.push(error.message));
    tab.on("console", (message) => ["error", "warning"].includes(message.type()) && ann.complaints.push(message.text()));
    await look(tabs.at(-1)!, "hidden");
    await tab.goto(link.split("#")[0]!);
    await expect(tab.getByRole("textbox", { name: "Your roll" })).toBeVisible();
    tabs.push(tab);
  }
  const streams = async () => (await Promise.all(tabs.map((tab) => tab.evaluate(() => (window as unknown as { open: EventSource[] }).open.filter((one) => one.readyState !== EventSource.CLOSED).length)))).reduce((a, b) => a + b, 0);
  await expect.poll(streams).toBe(1);
  const front = tabs.at(-1)!;
  await front.getByRole("textbox", { name: "Your roll" }).fill("2d1 + 40");
  await front.getByRole("textbox", { name: "Your roll" }).press("Enter");
  for (const page of [mia.page, front]) await expect(newest(page).locator(".total strong")).toHaveText("42");
  for (const tab of tabs.slice(0, 5)) {
    await expect(log(tab).getByRole("article")).toHaveCount(0);
    await look(tabs.at(-1)!, "hidden");
    await look(tab, "visible");
    await expect(newest(tab).locator(".total strong")).toHaveText("42");
    await look(tab, "hidden");
  }
  await expect.poll(streams).toBe(1);
  for (const one of [mia, ann]) expect(one.complaints).toEqual([]);
});

/** Presses Tab until something is reached, as somebody without a mouse does. */
async function tabTo(page: Page, selector: string, words = ""): Promise<void> {
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(
      ([selector, words]) => {
        const active = document.activeElement as HTMLElement | null;
        if (!active?.matches(selector!)) return false;
        const named = [active.innerText, active.getAttribute("aria-label"), ...[...((active as HTMLInputElement).labels ?? [])].map((label) => label.innerText)].join(" ");
        return named.includes(words!);
      },
      [selector, words],
    );
    if (found) return;
  }
  throw new Error(`not reached by Tab: ${selector} ${words}`);
}

test("a table is made, joined, rolled at and answered by keyboard alone", async ({ browser, server }) => {
  const mia = await guest(browser, server);
  const { page } = mia;
  await page.goto(`${server.address}/`);
  await tabTo(page, "a", "Play together");
  await page.keyboard.press("Enter");
  await page.getByLabel("Name of the table").waitFor();
  await tabTo(page, "input", "Name of the table");
  await page.keyboard.type("Friday");
  await tabTo(page, "input", "Your name");
  await page.keyboard.type("Mia");
  await tabTo(page, "input[type=radio]");
  for (let i = 0; i < 6 && !(await page.getByRole("radio", { name: /^Full attack/ }).isChecked()); i++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Your table is ready" }).waitFor();
  await tabTo(page, "input", "Invite link");
  const link = await page.getByRole("textbox", { name: "Invite link" }).inputValue();
  await tabTo(page, "button", "Done");
  await page.keyboard.press("Enter");

  const ann = await guest(browser, server);
  await ann.page.goto(link);
  await expect(ann.page.getByLabel("Your name")).toBeFocused();
  await ann.page.keyboard.type("Ann");
  await ann.page.keyboard.press("Enter");
  await expect(ann.page.getByRole("heading", { name: "Friday" })).toBeFocused();
  await tabTo(ann.page, "textarea");
  await ann.page.keyboard.type("4d6kh3");
  await tabTo(ann.page, "input", "What is it for?");
  await ann.page.keyboard.type("Strength");
  await ann.page.keyboard.press("Enter");
  await expect(newest(page)).toContainText("Strength");
  await expect(ann.page.locator("main p[aria-live]")).toHaveText(/^You rolled Strength: \d+$/);

  // The decision is reached from its banner, and the roll keeps the focus when it is made.
  await sheet(ann, attacker);
  await sheet(ann, target);
  await tabTo(ann.page, "input[name=pane]");
  for (let i = 0; i < 4 && !(await ann.page.getByRole("radio", { name: "Rules" }).isChecked()); i++) await ann.page.keyboard.press("ArrowRight");
  await tabTo(ann.page, "select", "attacker");
  await ann.page.keyboard.type("Rogue");
  await tabTo(ann.page, "select", "target");
  await ann.page.keyboard.type("Ogre");
  await tabTo(ann.page, "button", "Roll Full Attack");
  await ann.page.keyboard.press("Enter");
  await expect(ann.page.getByText("Your decision: Reroll dagger?")).toBeVisible();
  await tabTo(ann.page, "button", "Show it");
  await ann.page.keyboard.press("Enter");
  await tabTo(ann.page, "button", "Yes");
  await ann.page.keyboard.press("Enter");
  await expect(newest(page).getByText(/Decided by Ann: yes/).first()).toBeVisible();
  expect(await ann.page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  for (const one of [mia, ann]) expect(one.complaints).toEqual([]);
});

test("a script, a table, a label, a character and titles full of HTML and bidirectional characters are only text", async ({ browser, server }) => {
  const [mia, ann] = [await guest(browser, server), await guest(browser, server)];
  const link = await made(mia, server, "Plain dice", HOSTILE, HOSTILE);
  await joined(ann, link, `Ann ${HOSTILE}`);
  // The script has them in its title, its documentation, its outputs, its options and the names of its groups.
  const text = JSON.stringify(HOSTILE);
  const script = `// ${HOSTILE}\ndeftype hero { name: string, hp: int }\ndefroll ${text} r(who: hero) { output(${text}, "dim"); group(${text}) { if (userOption(who, ${text})) { output("yes " + roll("d6")); } } change(who, "hp", -1); return ${text}; }`;
  const { page } = mia;
  await page.getByRole("radio", { name: "Rules" }).check();
  await page.getByRole("button", { name: "Write a script" }).click();
  await page.getByRole("textbox", { name: "Script" }).click();
  await page.keyboard.insertText(script);
  await page.getByRole("button", { name: "Save for the table" }).click();
  await expect(page.getByText("Saved as version 1")).toBeVisible();
  await page.getByRole("radio", { name: "Characters" }).check();
  await page.getByRole("button", { name: "+ New hero" }).click();
  await page.getByLabel("name", { exact: true }).fill(HOSTILE);
  await page.getByLabel("Who sees it").last().selectOption("everyone");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("textbox", { name: "Your roll" }).fill(`2d6[${"<i>x</i>\u202e"}]`);
  await page.getByLabel("What is it for?").fill(HOSTILE);
  await page.getByLabel("What is it for?").press("Enter");
  await page.getByRole("radio", { name: "Rules" }).check();
  await page.locator("form button.main").click();
  await newest(page).getByRole("button", { name: "Yes" }).click();
  await expect(newest(ann.page)).toContainText("yes ");
  await ann.page.getByRole("textbox", { name: "Your roll" }).fill("d20 + @x");
  await ann.page.getByLabel("What is it for?").fill(HOSTILE);
  await ann.page.getByRole("button", { name: "More" }).click();
  await ann.page.getByLabel("for everyone").check();
  await ann.page.getByRole("button", { name: "Save this roll" }).click();
  await page.getByRole("list", { name: "Saved rolls" }).getByRole("button", { name: "img" }).first().click();

  const overlay = await mia.context.newPage();
  await overlay.goto(`${link.split("#")[0]}/overlay`);
  await expect(overlay.locator(".last")).toBeVisible();
  await ann.page.getByRole("radio", { name: "Rules" }).check();
  await ann.page.getByText("Read the script").click();
  for (const one of [page, ann.page, overlay]) {
    for (const pane of one === overlay ? [""] : ["Characters", "Rules", "Table"]) {
      if (pane) await one.getByRole("radio", { name: pane }).check();
      const seen = await one.evaluate(() => ({
        // What is in a field or in the editor is what was typed.
        text: [...document.querySelectorAll("body *:not(script, textarea, .cm-editor *, .mirror)")].flatMap((node) => [...node.childNodes].filter((child) => child.nodeType === 3).map((child) => child.textContent ?? "").concat(["title", "aria-label"].map((name) => node.getAttribute(name) ?? ""))).join("\n"),
        title: document.title,
        elements: document.querySelectorAll("main :is(img, b, i)").length,
      }));
      expect(seen.text).toContain("\\u202e");
      expect(seen.text + seen.title).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      expect(seen.title).not.toBe("owned");
      expect(seen.elements).toBe(0);
    }
  }
  await page.goto(`${server.address}/?tables`);
  await expect(page.getByRole("link", { name: /img src=x/ })).toContainText("\\u202e");
  for (const one of [mia, ann]) expect(one.complaints).toEqual([]);
});

/** Every page of a table, with how to come there. */
async function pages(browser: Parameters<typeof guest>[0], server: Server, how: Parameters<typeof guest>[2]): Promise<{ name: string; one: Guest }[]> {
  const [mia, ann, bob, list, moved, lost] = [await guest(browser, server, how), await guest(browser, server, how), await guest(browser, server, how), await guest(browser, server, how), await guest(browser, server, how), await guest(browser, server, how)];
  const link = await made(mia, server, "Full attack");
  await mia.page.getByRole("button", { name: "Done" }).click();
  await joined(ann, link, "Ann");
  await sheet(mia, target, "everyone");
  await sheet(ann, attacker);
  await ann.page.getByRole("radio", { name: "Rules" }).check();
  await ann.page.getByLabel("attacker").selectOption({ label: "Rogue" });
  await ann.page.getByLabel("target").selectOption({ label: "Ogre" });
  await ann.page.getByRole("button", { name: "Roll Full Attack" }).click();
  await expect(newest(mia.page)).toContainText("Total damage");
  if ((how?.viewport?.width ?? 1280) < 860) await ann.page.getByRole("radio", { name: "Log" }).check();
  await newest(ann.page).getByRole("button", { name: "Yes" }).first().click();
  await expect(newest(ann.page).getByRole("heading", { name: "Before" })).toBeVisible();
  await newest(mia.page).getByRole("button", { name: /^Change the/ }).first().click();
  await bob.page.goto(link);
  await bob.page.getByLabel("Your name").waitFor();
  await list.page.goto(`${server.address}/?tables`);
  await list.page.getByLabel("Name of the table").waitFor();
  await moved.page.goto(`${server.address}/move#abc`);
  await moved.page.getByRole("button", { name: "Take my seat" }).waitFor();
  await lost.page.goto(link.split("#")[0]!);
  await lost.page.getByText("I am the game master and lost my seat").click();
  const overlay = { ...ann, page: await ann.context.newPage() };
  await overlay.page.goto(`${link.split("#")[0]}/overlay`);
  await expect(overlay.page.locator(".last")).toBeVisible();
  return Object.entries({ master: mia, player: ann, door: bob, tables: list, move: moved, lost, overlay }).map(([name, one]) => ({ name, one }));
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 360]) {
    test(`nothing serious from axe on any page of a table: ${colorScheme}, ${width} wide`, async ({ browser, server }) => {
      test.slow();
      for (const { name, one } of await pages(browser, server, { colorScheme, viewport: { width, height: 800 } })) {
        expect(await serious(one.page), name).toEqual([]);
        expect(await one.page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
        if (width === 360 && name !== "overlay") expect(await small(one.page), name).toEqual([]);
        await shot(one.page, `${name}-${colorScheme}-${width}`);
        expect(one.complaints, name).toEqual([]);
      }
    });
  }
}

test("every page of a table has the policy", async ({ browser, server }) => {
  const mia = await guest(browser, server);
  const link = await made(mia, server, "Plain dice");
  const table = new URL(link).pathname;
  for (const path of ["/?tables", table, `${table}/overlay`, "/move", "/t/nowhere"]) {
    const answer = await mia.page.goto(server.address + path);
    expect((await answer!.allHeaders())["content-security-policy"], path).toBe(policy({ header: true }));
    await expect(mia.page.locator("meta[http-equiv='Content-Security-Policy']"), path).toHaveAttribute("content", policy({ header: false }));
  }
});

test("who asks for less motion sees none", async ({ browser, server }) => {
  const mia = await guest(browser, server, { reducedMotion: "reduce" });
  await made(mia, server, "Plain dice");
  await mia.page.getByRole("button", { name: "d20", exact: true }).click();
  await expect(newest(mia.page).locator(".die")).toHaveCount(1);
  expect(await mia.page.evaluate(() => document.getAnimations().length)).toBe(0);
  expect(await newest(mia.page).locator(".die").evaluate((die) => getComputedStyle(die).animationName)).toBe("none");
});
