import { expect, test } from "./page";

test("a script: its form, a roll, an option answered, before and after, its odds, and a link", async ({ page, browser }) => {
  await page.goto("/?script");
  await page.getByLabel("Example").selectOption("Savage Worlds");
  await expect(page.getByText("No problems.")).toBeVisible();
  await page.getByLabel("Example").selectOption("D&D 5e");
  await expect(page.getByRole("button", { name: /^Roll / })).toBeEnabled();
  await page.goto(`/?${await scripted(page, 'defroll "Luck" luck(n: int) { x = roll("d20"); output("rolled " + x); if (userOption("Again?")) { x = roll("d20"); output("again " + x); } return x + n; }')}`);
  await page.getByLabel("n", { exact: true }).fill("5");
  await page.getByRole("button", { name: "Roll Luck" }).click();
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.getByText(/^rolled \d+$/)).toBeVisible();
  const first = await result.getByText(/^rolled \d+$/).textContent();
  await result.getByRole("button", { name: "What is it worth?" }).click();
  await expect(result.getByText(/yes: 15\.5/)).toBeVisible();
  await result.getByRole("button", { name: "Yes" }).click();
  await expect(result.getByRole("heading", { name: "Before" })).toBeVisible();
  await expect(result.getByText(/^again \d+$/)).toBeVisible();
  await expect(result.getByText(first!, { exact: true }).last()).toBeVisible();
  await expect(result.locator(".fresh")).toHaveCount(1);
  await result.getByRole("button", { name: "No", exact: true }).click();
  await expect(result.locator(".line").getByText(/^again \d+$/)).toHaveCount(0);
  await page.getByRole("button", { name: "Show the odds" }).click();
  const odds = page.getByRole("region", { name: "Odds of the result" });
  await expect(odds).toContainText("15.5");
  await expect(odds.getByRole("row", { name: /Again\?/ })).toContainText("100 %");
  const fresh = await (await browser.newContext()).newPage();
  await fresh.goto(page.url());
  await expect(fresh.getByRole("button", { name: "Roll Luck" })).toBeEnabled();
  await expect(fresh.getByLabel("n", { exact: true })).toHaveValue("5");
  await fresh.context().close();
});

test("a problem in a script is shown in words, and mended", async ({ page }) => {
  await page.goto("/?script");
  const editor = page.getByRole("textbox", { name: "Script" });
  await editor.click();
  await page.keyboard.insertText('defroll "R" r() { retrun roll("d6"); }');
  await expect(page.getByText(/problems?:/)).toBeVisible();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText('defroll "R" r() { return roll("d6"); }');
  await expect(page.getByText("No problems.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Roll R" })).toBeVisible();
});

test("who types before the editor is loaded goes on in it", async ({ page }) => {
  const gate = new Promise<() => void>((resolve) => {
    void page.route(/Editor-.*\.js/, async (route) => {
      await new Promise<void>((go) => resolve(go));
      await route.continue();
    });
  });
  await page.goto("/?script");
  const plain = page.locator("textarea[aria-label=Script]");
  await plain.click();
  await page.keyboard.type('defroll "R" r() { return ("d6"); }');
  for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowLeft");
  (await gate)();
  await expect(plain).toHaveCount(0);
  await page.keyboard.type("roll");
  await expect(page.getByRole("textbox", { name: "Script" })).toContainText('return roll("d6"); }');
  await expect(page.getByText("No problems.")).toBeVisible();
});

test("a script that is too long for a link says so", async ({ page }) => {
  await page.goto("/?script");
  await page.getByRole("textbox", { name: "Script" }).click();
  const noise = Array.from({ length: 1600 }, (_, i) => ((i * 2654435761) >>> 0).toString(36)).join(" ");
  await page.keyboard.insertText(`// ${noise}\ndefroll "R" r() { return roll("d6"); }`);
  await expect(page.getByText(/Too long for a link/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Save as a file" })).toBeVisible();
});

/** The query of a link to a script, made in the page itself. */
async function scripted(page: import("@playwright/test").Page, text: string): Promise<string> {
  const letters = await page.evaluate(async (text) => {
    const bytes = new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
    return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }, text);
  return `script=${letters}`;
}
