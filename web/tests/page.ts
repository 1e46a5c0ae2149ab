// What all tests of the page share: a page that complains is a failure.

import { expect, test as base, type Page } from "@playwright/test";

/** Everything that a page said or asked for that it should not have. */
export interface Watched {
  complaints: string[];
}

export function watch(page: Page): Watched {
  const found: Watched = { complaints: [] };
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") found.complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => found.complaints.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["blob:", "data:"].includes(url.protocol) && url.hostname !== "127.0.0.1") found.complaints.push(`request: ${request.url()}`);
  });
  return found;
}

export const test = base.extend<{ watched: Watched }>({
  watched: [
    async ({ page }, use) => {
      const watched = watch(page);
      await use(watched);
      expect(watched.complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Where the folder is served: at the root and in a sub-folder of a static host. */
export const PLACES = [
  { name: "the root", path: "/" },
  { name: "a sub-folder", path: "/sub/folder/" },
];

export const roll = (page: Page, number = 1) => page.getByRole("textbox", { name: new RegExp(`^(Your roll|Roll ${number})$`) }).first();
export const chart = (page: Page) => page.getByRole("slider", { name: "Read the chart" });
export const reading = (page: Page) => page.locator(".reading").first();
