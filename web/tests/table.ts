// What the tests of tables share: a server, and guests with browsers of their own on plain http, which is no secure context.

import AxeBuilder from "@axe-core/playwright";
import { expect, test as base, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const program = process.env.TUMBLE ?? join(root, "target/debug/tumble");
export const { attacker, target } = JSON.parse(readFileSync(join(root, "examples/scripts/fullattack.json"), "utf8")) as Record<string, Record<string, unknown>>;
export const HOSTILE = `<img src=x onerror="document.title='owned'"><b>\u202e\u2066gnp.exe`;

export class Server {
  #process: ChildProcess | null = null;
  #folder = mkdtempSync(join(tmpdir(), "tumble-table-"));
  port = 0;

  get address(): string {
    return `http://table.test:${this.port}`;
  }

  async start(): Promise<void> {
    this.port ||= await free();
    const words = ["serve", "-l", `127.0.0.1:${this.port}`, "--database", join(this.#folder, "table.db"), "--public-url", this.address];
    const started = (this.#process = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, TUMBLE_LOG: "error" } }));
    await new Promise<void>((resolve, reject) => {
      started.stdout!.once("data", () => resolve());
      started.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    });
  }

  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = null;
    if (!running || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill();
    await ended;
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A port that nobody uses. */
function free(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port"))));
    });
  });
}

/** Somebody at the table: a browser of their own, everything that came over their network, and every complaint. */
export interface Guest {
  context: BrowserContext;
  page: Page;
  complaints: string[];
  received: string[];
}

/** Keeps a copy of what the page's stream of events says: the browser shows the bodies of streams to nobody else. */
function listen() {
  const heard: string[] = ((window as unknown as { heard: string[] }).heard = []);
  const Original = window.EventSource;
  window.EventSource = class extends Original {
    constructor(url: string | URL) {
      super(url);
      this.addEventListener("message", (event) => heard.push(event.data as string));
    }
  };
}

export async function guest(browser: Browser, server: Server, how: Parameters<Browser["newContext"]>[0] = {}): Promise<Guest> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...how });
  const page = await context.newPage();
  await page.addInitScript(listen);
  const found: Guest = { context, page, complaints: [], received: [] };
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && found.complaints.push(message.text()));
  page.on("pageerror", (error) => found.complaints.push(error.message));
  page.on("request", (request) => new URL(request.url()).origin !== server.address && !request.url().startsWith("blob:") && found.complaints.push(`request: ${request.url()}`));
  page.on("response", (response) => {
    if (response.url().includes("/api/") && !response.url().includes("/events")) response.text().then((text) => found.received.push(text), () => undefined);
  });
  return found;
}

/** All that the server ever sent to somebody. */
export async function everything({ page, received }: Guest): Promise<string> {
  return [...received, ...(await page.evaluate(() => (window as unknown as { heard: string[] }).heard))].join("\n");
}

export async function made(master: Guest, server: Server, pack: string, name = "Friday night", you = "Mia"): Promise<string> {
  const { page } = master;
  await page.goto(`${server.address}/`);
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
  await page.getByRole("link", { name: "Tables" }).click();
  await page.getByLabel("Name of the table").fill(name);
  await page.getByLabel("Your name").fill(you);
  await page.getByRole("radio", { name: new RegExp(`^${pack}`) }).check();
  await page.getByRole("button", { name: "Make the table" }).click();
  return page.getByLabel("Invite link").inputValue();
}

export async function joined({ page }: Guest, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Join the table" }).click();
  await expect(page.getByRole("textbox", { name: "Your roll" })).toBeVisible();
}

/** A character, as the page itself would send it. */
export async function sheet({ page }: Guest, data: unknown, visibility = "everyone"): Promise<void> {
  const status = await page.evaluate(
    async ([data, visibility]) => {
      const table = location.pathname.split("/")[2];
      const answer = await fetch(`/api/v1/tables/${table}/objects`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ type: "creature", data, visibility }) });
      return answer.status;
    },
    [data, visibility],
  );
  expect(status).toBe(201);
}

export const log = (page: Page) => page.getByRole("region", { name: "Log" });
export const newest = (page: Page) => log(page).getByRole("article").first();

/** Tests with a server of their own, and a browser that finds it under a name. */
export const test = base.extend<{ server: Server }>({
  server: async ({}, use) => {
    const server = new Server();
    await server.start();
    await use(server);
    await server.end();
  },
});
test.skip(!existsSync(program), `the program is not built: ${program}`);

/** For `test.use`: a browser of the system that finds the server under its name. */
export const options = {
  launchOptions: {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP table.test 127.0.0.1"],
  },
};

/** What axe finds, as far as it is serious. */
export async function serious(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.filter((one) => one.impact === "serious" || one.impact === "critical").map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 200)).join(" | ")}`);
}

/** What is too small for a finger. */
export function small(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>("main button, main .button, main select, main input:not([type=radio]), main textarea, main summary, header a, header button, fieldset label");
    const box = (one: HTMLElement) => (one.closest("label") ?? one).getBoundingClientRect();
    return [...all].filter((one) => one.offsetParent && (box(one).height < 43.5 || box(one).width < 40)).map((one) => one.outerHTML.slice(0, 120));
  });
}

/** A picture, if somebody wants to look: `TUMBLE_SHOTS` is a folder. */
export async function shot(page: Page, name: string, fullPage = true): Promise<void> {
  if (process.env.TUMBLE_SHOTS) await page.screenshot({ path: join(process.env.TUMBLE_SHOTS, `${name}.png`), fullPage });
}

export { expect };
