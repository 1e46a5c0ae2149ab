import jsQR from "jsqr";
import { expect, test } from "vitest";
import { path, qr } from "./qr";

/** What a reader sees: four pixels for a module, and a quiet zone. */
function read(rows: boolean[][]): string | undefined {
  const scale = 4;
  const size = (rows.length + 8) * scale;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) if (rows[Math.floor(y / scale) - 4]?.[Math.floor(x / scale) - 4]) pixels.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3);
  return jsQR(pixels, size, size)?.data;
}

/** The most bytes of each version. */
const MOST = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666];

test.each(MOST)("a text of %i bytes, the longest of its version, is read as it was written", (length) => {
  const text = `é${"http://192.168.1.20:8080/t/a-table#".padEnd(length, "0123456789abcdefghij").slice(0, length - 2)}`;
  const rows = qr(text)!;
  expect(rows.length).toBe(17 + 4 * (MOST.indexOf(length) + 1));
  expect(read(rows)).toBe(text);
});

test("a text that is too long has no code, and a path draws what is dark", () => {
  expect(qr("x".repeat(667))).toBeNull();
  expect(path([[true, true, false], [false, false, true], [false, false, false]])).toEqual({ d: "M4 4h2v1h-2zM6 5h1v1h-1z", side: 11 });
});
