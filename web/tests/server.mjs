// A plain static file server, as any host is one: no headers of ours, the folder at the root and in a sub-folder.
// `node tests/server.mjs PORT`

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const dist = join(import.meta.dirname, "../dist");
const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
  ".wasm": "application/wasm", ".webmanifest": "application/manifest+json", ".txt": "text/plain",
};

createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? "/", "http://host").pathname).replace(/^\/sub\/folder(?=\/)/, "");
  const file = join(dist, normalize(path.endsWith("/") ? `${path}index.html` : path));
  if (!file.startsWith(dist) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  const type = /** @type {Record<string, string>} */ (TYPES)[extname(file)] ?? "application/octet-stream";
  response.writeHead(200, { "content-type": type });
  createReadStream(file).pipe(response);
}).listen(Number(process.argv[2]), "127.0.0.1");
