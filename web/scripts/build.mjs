// `npm run build`: examples from the book, the app by Vite, the list of the service worker, and every file once more in
// Brotli and gzip, so that no server has to compress anything.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { examples } from "./examples.mjs";
import { policy } from "./policy.mjs";

const web = join(import.meta.dirname, "..");
const dist = join(web, "dist");

mkdirSync(join(web, "src/generated"), { recursive: true });
writeFileSync(join(web, "src/generated/examples.json"), JSON.stringify(examples(join(web, "../docs/book/src/recipes")), null, 1));
execFileSync(process.execPath, [join(web, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "warn"], { cwd: web, stdio: "inherit" });
rmSync(join(dist, "manifest.json"), { force: true });

/** All files below a folder. @returns {string[]} */
function files(/** @type {string} */ folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : [path];
  });
}

const names = files(dist).map((path) => relative(dist, path).replaceAll("\\", "/"));
// What the first page needs is kept for offline use at once; scripts and their engine when they are first used.
const kept = names.filter((name) => !/ScriptPage|TablesPage|TablePage|MovePage|OverlayPage|ScriptEdit|Tree-|store\.svelte-|scripts-|scripts_bg|Editor|sw\.js|\.map$/.test(name));
const version = names.filter((name) => name.startsWith("assets/")).sort().join(" ");
const worker = readFileSync(join(web, "scripts/sw.js"), "utf8")
  .replace("__VERSION__", hash(version + readFileSync(join(dist, "index.html"), "utf8")))
  .replace("__FILES__", JSON.stringify(["./", ...kept.filter((name) => name !== "index.html").map((name) => `./${name}`)]));
writeFileSync(join(dist, "sw.js"), worker);
writeFileSync(join(dist, "policy.txt"), `${policy({ header: true })}\n${policy({ header: true, embed: true })}\n`);

for (const path of files(dist).filter((name) => /\.(js|css|html|svg|wasm|webmanifest|json)$/.test(name))) {
  const bytes = readFileSync(path);
  if (statSync(path).size < 1000) continue;
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGBLOCK]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}

/** A short name for some text. */
function hash(/** @type {string} */ text) {
  let found = 0x811c9dc5;
  for (const c of text) found = Math.imul(found ^ (c.codePointAt(0) ?? 0), 0x01000193);
  return (found >>> 0).toString(36);
}
