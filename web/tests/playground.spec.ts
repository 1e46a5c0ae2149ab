import { readFileSync } from "node:fs";
import { chart, expect, PLACES, reading, roll, test } from "./page";

for (const place of PLACES) {
  test(`from ${place.name}: type, and the chart follows`, async ({ page }) => {
    await page.goto(place.path);
    await roll(page).fill("4d6kh3");
    await expect(chart(page)).toBeVisible();
    await expect(page.getByRole("region", { name: "Statistics" })).toContainText("12.2446");
    await expect(page).toHaveURL(/\?roll=4d6kh3/);
  });
}

test("a mistake is underlined, and its suggestion is one click away", async ({ page }) => {
  await page.goto("/");
  await roll(page).fill("4d6k3h");
  await expect(page.locator("mark")).toHaveText("h");
  await expect(page.getByText("`h` must come before the number")).toBeVisible();
  await page.getByRole("button", { name: "Use 4d6kh3" }).click();
  await expect(roll(page)).toHaveValue("4d6kh3");
  await expect(chart(page)).toBeVisible();
  await expect(page.locator("mark")).toHaveCount(0);
});

test("a roll of another notation is read as one", async ({ page }) => {
  await page.goto("/");
  await roll(page).fill("sum largest 3 4d6");
  await page.getByRole("button", { name: "Read it as Troll" }).click();
  await expect(page.getByRole("region", { name: "Statistics" })).toContainText("12.2446");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByLabel("Say it in").selectOption("tabletop");
  await expect(roll(page)).toHaveValue("4d6kh3");
});

test("the larger engine is loaded only by who needs it", async ({ page }) => {
  const modules: string[] = [];
  page.on("request", (request) => modules.push(...(/(rolls|scripts)_bg[^/]*\.wasm/.exec(request.url())?.slice(1) ?? [])));
  await page.goto("/?roll=4d6kh3");
  await expect(chart(page)).toBeVisible();
  await roll(page).fill("4d6k3h");
  await expect(page.getByRole("button", { name: "Use 4d6kh3" })).toBeVisible();
  await page.waitForTimeout(900);
  expect(new Set(modules)).toEqual(new Set(["rolls"]));
  modules.length = 0;
  await page.goto("/?roll=sum+largest+3+4d6&in=troll");
  await expect(page.getByRole("region", { name: "Statistics" })).toContainText("12.2446");
  expect(new Set(modules)).toEqual(new Set(["scripts"]));
});

test("an address that goes deeper than the folder of the app finds its files", async ({ page }) => {
  // A server of ours gives the page at any path, with the references of its first lines made absolute.
  await page.route("**/deep/harbour-7", async (route) => {
    const answer = await route.fetch({ url: new URL("/", route.request().url()).href });
    await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('="./', '="/') });
  });
  await page.goto("/deep/harbour-7");
  await roll(page).fill("4d6kh3");
  await expect(page.getByRole("region", { name: "Statistics" })).toContainText("12.2446");
  await page.getByRole("button", { name: "Examples by game" }).click();
  await expect(page.getByRole("button", { name: /Blades in the Dark/ })).toBeVisible();
  await expect(page.getByRole("link", { name: "Scripts" })).toHaveAttribute("href", "/?script");
});

test("two rolls are compared, at least, and read by keyboard", async ({ page }) => {
  await page.goto("/?roll=4d6kh3");
  await page.getByRole("button", { name: /Compare with another roll/ }).click();
  await page.keyboard.type("3d6");
  await expect(page.getByRole("list", { name: "Legend" }).getByRole("listitem")).toHaveText(["4d6kh3", "3d6"]);
  await page.getByRole("radio", { name: "At least" }).check({ force: true });
  await chart(page).focus();
  await page.keyboard.press("Home");
  for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowRight");
  await expect(reading(page)).toContainText("15 or more");
  await expect(reading(page)).toContainText("23.15 %");
  await expect(reading(page)).toContainText("25/108");
  await expect(reading(page)).toContainText("about 1 in 4");
  await expect(reading(page)).toContainText("9.26 %");
  await expect(chart(page)).toHaveAttribute("aria-valuetext", /^15 or more: 4d6kh3 23\.15 %, about 1 in 4; 3d6 9\.26 %/);
});

test("a roll shows its dice and how lucky it was", async ({ page }) => {
  await page.goto("/?roll=4d6kh3");
  await expect(chart(page)).toBeVisible();
  await page.getByRole("button", { name: "Roll", exact: true }).click();
  const dice = page.getByRole("list", { name: "Dice" }).getByRole("listitem");
  await expect(dice).toHaveCount(4);
  await expect(page.locator(".die.dropped")).toHaveCount(1);
  await expect(page.getByText(/of rolls/)).toBeVisible();
  const total = Number(await page.locator(".total strong").textContent());
  const shown = await page.locator(".die:not(.dropped) .shown").allTextContents();
  expect(shown.map(Number).reduce((a, b) => a + b)).toBe(total);
});

test("a link holds everything", async ({ page, browser }) => {
  await page.goto("/?roll=4d6kh3&roll=sum+3d6&in=troll&as=Classic&show=at-least&chart=lines&at=15");
  await expect(reading(page)).toContainText("25/108");
  await page.getByRole("button", { name: "Share" }).click();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  const fresh = await (await browser.newContext()).newPage();
  await fresh.goto(link);
  await expect(reading(fresh)).toContainText("25/108");
  await expect(fresh.getByRole("list", { name: "Legend" }).getByRole("listitem")).toHaveText(["4d6kh3", "Classic"]);
  await expect(fresh.getByRole("radio", { name: "At least" })).toBeChecked();
  await expect(fresh.getByRole("radio", { name: "Lines" })).toBeChecked();
  await fresh.context().close();
});

test("a value is asked for, set and swept", async ({ page }) => {
  await page.goto("/");
  await roll(page).fill("d20 + @bonus");
  await page.getByLabel("Value of bonus").fill("5");
  await page.getByRole("button", { name: "Set" }).click();
  await expect(page.getByRole("region", { name: "Statistics" })).toContainText("15.5");
  await page.getByRole("button", { name: "Try a range" }).click();
  await page.getByLabel("bonus from").fill("0");
  await page.getByRole("region", { name: "Values" }).getByRole("radio", { name: "At least" }).check({ force: true });
  await page.getByLabel("Target").fill("15");
  const curve = page.getByRole("slider", { name: "Read the curve over bonus" });
  await curve.focus();
  await page.keyboard.press("End");
  await expect(page.getByText("bonus = 10: 80.00 %")).toBeVisible();
  await page.keyboard.press("Home");
  await expect(page.getByText("bonus = 0: 30.00 %")).toBeVisible();
  await expect(page).toHaveURL(/sweep=bonus:0\.\.10&ask=at-least:15/);
});

test("every format can be saved and opened again", async ({ page }) => {
  await page.goto("/?roll=4d6kh3&roll=3d6&as=%22Three%22%2C%20plain");
  await expect(chart(page)).toBeVisible();
  const saved = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
    return readFileSync(await download.path());
  };
  const svg = (await saved("SVG")).toString();
  const opened = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    return { error: parsed.querySelector("parsererror") !== null, bars: parsed.querySelectorAll("g rect").length };
  }, svg);
  expect(opened).toEqual({ error: false, bars: 32 });
  const png = await saved("PNG");
  const size = await page.evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
    return [image.width, image.height];
  }, [...png]);
  expect(size).toEqual([1920, 1080]);
  const csv = (await saved("CSV")).toString().trim().split("\n");
  expect(csv[0]).toBe("roll,outcome,fraction,probability");
  expect(csv).toHaveLength(33);
  expect(csv[1]).toBe("4d6kh3,3,1/1296,0.0007716049382716049");
  expect(csv[17]).toMatch(/^"""Three"", plain",3,1\/216,/);
  const json = JSON.parse((await saved("JSON")).toString());
  expect(json.map((one: { mean: string }) => one.mean)).toEqual(["15869/1296", "21/2"]);
});
