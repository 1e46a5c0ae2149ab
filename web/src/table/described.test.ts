// The types of the API are made from its description, which is checked in with the server. `npm run types` writes them.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { expect, test } from "vitest";

const description = join(import.meta.dirname, "../../../crates/tumble-server/openapi.json");
const file = join(import.meta.dirname, "described.d.ts");

test("the types are those of the description", async () => {
  // The bodies are enough; what each route can answer would be ten times as much.
  const { components, ...rest } = JSON.parse(readFileSync(description, "utf8")) as OpenAPI3;
  const types = astToString(await openapiTS({ openapi: rest.openapi, info: rest.info, paths: {}, components }));
  const now = `// Made from crates/tumble-server/openapi.json by \`npm run types\`; not to be edited.\n\n${types}`;
  if (process.env.TUMBLE_UPDATE) writeFileSync(file, now);
  expect(readFileSync(file, "utf8") === now, "described.d.ts is out of date; `npm run types` writes it").toBe(true);
});
