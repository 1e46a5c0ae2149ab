import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { policy } from "../scripts/policy.mjs";
import { chart, expect, roll, test } from "./page";

const HOSTILE = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>\u202e\u2066gnp.exe\u0007`;

test("a name, a roll and a label full of HTML and bidirectional characters are only text", async ({ page }) => {
  const query = new URLSearchParams({ roll: `2d6[${HOSTILE.replace(/[[\]]/g, "")}]`, as: HOSTILE });
  await page.goto(`/?${query}`);
  await expect(page.getByRole("article")).toBeVisible();
  await page.waitForTimeout(500);
  const query2 = new URLSearchParams({ roll: "2d6 # \u202ehidden", as: HOSTILE });
  await page.goto(`/?${query2}`);
  await expect(chart(page)).toBeVisible();
  await page.getByRole("button", { name: "Roll", exact: true }).click();
  await expect(page.locator(".die")).toHaveCount(2);
  await page.getByRole("button", { name: "Show as a table" }).click();
  // What is in the field itself is what was typed; a note below it shows what can't be seen.
  await expect(page.getByText("This roll has hidden characters")).toBeVisible();
  await page.evaluate(() => document.querySelectorAll(".field").forEach((field) => field.remove()));
  const seen = await page.evaluate(() => ({ text: document.body.innerText, images: document.querySelectorAll("main img").length, title: document.title }));
  expect(seen.images).toBe(0);
  expect(seen.title).not.toBe("owned");
  expect(seen.text).toContain("\\u202e");
  expect(seen.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(seen.title).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
});

test("texts as outcomes, and a script full of them, are only text", async ({ page }) => {
  await page.goto(`/?${new URLSearchParams({ roll: `1d2 == 1 ? "<b onclick=1>a</b>\u202e" : "b"`, in: "yadn" })}`);
  await expect(chart(page)).toBeVisible();
  await expect(chart(page)).toContainText("<b onclick=1>a</b>\\u202e");
  await page.goto("/?script");
  await page.getByRole("textbox", { name: "Script" }).click();
  await page.keyboard.insertText(`defroll "<i>T</i>\u202e" r(who: string) { output("<u>" + who + "</u>\u202e"); group("<b>g</b>") { if (userOption("<q>?\u2066")) { output("yes"); } } return 1; }`);
  await page.getByLabel("who", { exact: true }).fill("<em>x</em>");
  await page.getByRole("button", { name: /^Roll / }).click();
  await page.getByRole("button", { name: "Yes" }).click();
  const result = page.getByRole("region", { name: "Result" });
  await expect(result).toContainText("<u><em>x</em></u>\\u202e");
  expect(await page.locator("main :is(i, u, em, q)").count()).toBe(0);
  expect(await result.innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
});

test("the page on a static host has the policy, and nothing is asked of anybody else", async ({ page, watched }) => {
  await page.goto("/");
  await expect(page.locator("meta[http-equiv='Content-Security-Policy']")).toHaveAttribute("content", policy({ header: false }));
  const blocked = await page.evaluate(async () => {
    const violation = new Promise((resolve) => document.addEventListener("securitypolicyviolation", (event) => resolve(event.violatedDirective), { once: true }));
    const script = document.createElement("script");
    script.textContent = "document.title = 'owned'";
    document.head.append(script);
    return violation;
  }).catch(() => "");
  expect(blocked).toContain("script-src");
  watched.complaints.length = 0;
});

test.describe("offline", () => {
  test.use({ serviceWorkers: "allow" });
  for (const path of ["/", "/sub/folder/"]) {
    test(`after the first visit of ${path}, everything works without a network`, async ({ page, context }) => {
      await page.goto(path);
      await page.evaluate(async () => {
        await navigator.serviceWorker.ready;
      });
      await page.waitForTimeout(500);
      await context.setOffline(true);
      await page.goto(`${path}?roll=4d6kh3`);
      await expect(page.getByRole("region", { name: "Statistics" })).toContainText("12.2446");
      await page.getByRole("button", { name: "Examples by game" }).click();
      await expect(page.getByRole("button", { name: /Blades in the Dark/ })).toBeVisible();
    });
  }
});

const program = process.env.TUMBLE ?? join(import.meta.dirname, "../../target/debug/tumble");

test.describe("the program's own server", () => {
  test.skip(!existsSync(program), "the program is not built");
  let server: ChildProcess;
  let address = "";
  let folder = "";

  test.beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tumble-safe-"));
    const words = ["serve", "-l", "127.0.0.1:0", "--database", join(folder, "safe.db")];
    server = spawn(program, words, { stdio: ["ignore", "pipe", "ignore"] });
    address = await new Promise((resolve) => server.stdout!.once("data", (line: Buffer) => resolve(line.toString().trim())));
  });

  test.afterAll(() => {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test("sends the policy as a header, compressed files, and lets only the chart be framed", async ({ page, request, baseURL, watched }) => {
    const own = (await request.get(address)).headers();
    expect(own["content-security-policy"]).toBe(policy({ header: true }));
    const embedded = (await request.get(`${address}?roll=d6&embed=1`)).headers();
    expect(embedded["content-security-policy"]).toBe(policy({ header: true, embed: true }));
    expect(embedded["set-cookie"]).toBeUndefined();
    const answers: Record<string, string>[] = [];
    page.on("response", async (response) => response.url().includes("/assets/") && answers.push(await response.allHeaders()));
    await page.goto(`${address}?roll=4d6kh3`);
    await expect(chart(page)).toBeVisible();
    expect(answers.length).toBeGreaterThan(3);
    for (const headers of answers) {
      expect(headers["cache-control"]).toContain("immutable");
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }
    expect(answers.some((headers) => headers["content-encoding"] === "br")).toBe(true);
    expect(watched.complaints).toEqual([]);
    // A page of another origin: the chart may be in its frame, the rest may not.
    const frame = async (url: string) => {
      await page.goto(`${baseURL}icon.svg`);
      await page.evaluate((url) => {
        const frame = document.createElementNS("http://www.w3.org/1999/xhtml", "iframe");
        frame.setAttribute("src", url);
        frame.setAttribute("id", "frame");
        const hole = document.createElementNS("http://www.w3.org/2000/svg", "foreignObject");
        hole.setAttribute("width", "640");
        hole.setAttribute("height", "480");
        hole.append(frame);
        document.documentElement.append(hole);
      }, url);
      await page.waitForTimeout(1500);
      return page.frames()[1]!.locator("main").count().catch(() => 0);
    };
    expect(await frame(`${address}?roll=4d6kh3&embed=1`)).toBe(1);
    expect(await frame(`${address}?roll=4d6kh3`)).toBe(0);
    watched.complaints.length = 0;
  });
});

test("a roll that is over the limit never blocks the page", async ({ page }) => {
  await page.goto("/");
  await page.evaluate(() => {
    const seen: number[] = ((window as unknown as { long: number[] }).long = []);
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => seen.push(entry.duration))).observe({ type: "longtask" });
  });
  await roll(page).pressSequentially("different 40d40", { delay: 15 });
  await page.getByLabel("Notation").selectOption("troll");
  await expect(page.getByText("That is a lot of dice.")).toBeVisible();
  await expect(page.getByRole("button", { name: /Compute anyway|Estimate instead/ }).first()).toBeVisible();
  const long = await page.evaluate(() => (window as unknown as { long: number[] }).long);
  test.info().annotations.push({ type: "long tasks", description: JSON.stringify(long) });
  await page.getByRole("button", { name: "Estimate instead" }).click();
  await expect(page.getByText("Estimate.")).toBeVisible({ timeout: 40_000 });
});
