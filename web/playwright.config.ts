import { defineConfig } from "@playwright/test";

/** The browser of the system; nothing is downloaded. */
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const port = Number(process.env.TUMBLE_STATIC_PORT ?? 4173);

export default defineConfig({
  testDir: "tests",
  testMatch: "*.spec.ts",
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: process.env.TUMBLE_BROWSER_WORKERS ? Number(process.env.TUMBLE_BROWSER_WORKERS) : 2,
  fullyParallel: true,
  reporter: [["list"]],
  outputDir: "test-results",
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    viewport: { width: 1280, height: 800 },
    colorScheme: "light",
    acceptDownloads: true,
    launchOptions: {
      executablePath,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    },
  },
  webServer: { command: `node tests/server.mjs ${port}`, port, reuseExistingServer: false },
});
