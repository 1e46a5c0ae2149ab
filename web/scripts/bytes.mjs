// `node scripts/bytes.mjs MODULE.wasm [PATTERN]`: what the bytes of a WebAssembly module are, by the names of its functions.
// The module is one of target/wasm, which has names; the page's own has none.
//
// By crate: bytes, bytes after Brotli when packed alone (so that the sum is more than the whole), functions. With a
// pattern: the functions whose names match it, with the bytes of all their copies.

import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

const bytes = readFileSync(process.argv[2] ?? "");
const pattern = process.argv[3] ? new RegExp(process.argv[3]) : null;
let at = 8;

/** An unsigned number in LEB128. */
function number() {
  let [found, shift] = [0, 0];
  for (;;) {
    const byte = bytes[at++] ?? 0;
    found += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return found;
    shift += 7;
  }
}

function text() {
  const length = number();
  at += length;
  return bytes.toString("utf8", at - length, at);
}

/** @type {Buffer[]} */
const bodies = [];
/** @type {Map<number, string>} */
const names = new Map();
/** @type {Map<string, Buffer[]>} */
const parts = new Map();
let imported = 0;
while (at < bytes.length) {
  const id = bytes[at++] ?? 0;
  const size = number();
  const end = at + size;
  const name = id === 0 ? text() : "";
  if (id === 2) imports();
  else if (id === 10) functions();
  else if (name === "name") named(end);
  else if (id === 11) parts.set("(texts and tables)", [bytes.subarray(at, end)]);
  at = end;
}

/** Counts imported functions, which come first in the numbering. */
function imports() {
  for (let left = number(); left > 0; left--) {
    text();
    text();
    if (bytes[at++] === 0) imported++;
    number();
  }
}

function functions() {
  for (let left = number(); left > 0; left--) {
    const length = number();
    bodies.push(bytes.subarray(at, at + length));
    at += length;
  }
}

function named(/** @type {number} */ end) {
  while (at < end) {
    const [kind, size] = [bytes[at++], number()];
    const next = at + size;
    if (kind === 1) for (let left = number(); left > 0; left--) names.set(number(), text());
    at = next;
  }
}

/** @type {Record<string, string>} */
const SIGNS = { LT: "<", GT: ">", RF: "&", BP: "*", C: ",", u20: " ", u7b: "{", u7d: "}", u5b: "[", u5d: "]", u3b: ";" };

/** A name as Rust writes it: `_ZN4core3fmt5write17h…E` is `core::fmt::write`. */
function plain(/** @type {string} */ mangled) {
  const found = [];
  for (let rest = /^_ZN(.*)E$/.exec(mangled)?.[1] ?? ""; ; ) {
    const length = /^\d+/.exec(rest)?.[0] ?? "";
    if (!length) break;
    found.push(rest.slice(length.length, length.length + Number(length)));
    rest = rest.slice(length.length + Number(length));
  }
  if (found.length === 0) return mangled;
  const name = found.slice(0, -1).join("::");
  return name.replace(/\$(\w+)\$/g, (all, sign) => SIGNS[sign] ?? all).replaceAll("..", "::").replace(/(^|::)_</g, "$1<");
}

/** The crate that wrote a function; for `<A as B>::c` the one of the type. */
function crate(/** @type {string} */ name) {
  return /([a-z_0-9]+)::/.exec(name)?.[1] ?? "(standard library, compiled)";
}

/** @type {Map<string, { size: number, count: number }>} */
const matching = new Map();
for (const [index, body] of bodies.entries()) {
  const name = plain(names.get(index + imported) ?? "?");
  parts.set(crate(name), [...(parts.get(crate(name)) ?? []), body]);
  if (!pattern?.test(name)) continue;
  const known = matching.get(name) ?? { size: 0, count: 0 };
  matching.set(name, { size: known.size + body.length, count: known.count + 1 });
}
if (pattern) {
  const rows = [...matching].sort((a, b) => b[1].size - a[1].size);
  for (const [name, { size, count }] of rows.slice(0, 100)) console.log(`${size}`.padStart(8), `${count}`.padStart(5), name);
} else {
  const rows = [...parts].map(([name, all]) => ({ name, count: all.length, all: Buffer.concat(all) }));
  for (const { name, count, all } of rows.sort((a, b) => b.all.length - a.all.length).slice(0, 16)) {
    console.log(`${all.length}`.padStart(9), `${brotliCompressSync(all).length}`.padStart(8), `${count}`.padStart(6), name);
  }
}
