// A QR code (ISO/IEC 18004) of some text: bytes, error correction level M, versions 1 to 20, which is 666 bytes. The code is
// what a phone's camera reads off the game master's screen.
//
//   bytes ─▶ bits with mode and length ─▶ blocks with Reed-Solomon remainders ─▶ modules in zigzag ─▶ the best of 8 masks

/** Remainders per block, and blocks, of level M by version. */
const REMAINDERS = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

const MASKS: ((x: number, y: number) => number)[] = [
  (x, y) => (x + y) % 2,
  (_, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/** Rows of modules, true for dark, without the quiet zone; nothing if the text is too long. */
export function qr(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex((_, at) => bytes.length + (at + 1 < 10 ? 2 : 3) <= capacity(at + 1)) + 1;
  if (version === 0) return null;
  const codewords = interleaved(padded(bytes, version), version);
  const candidates = MASKS.map((mask, number) => drawn(version, codewords, mask, number));
  return candidates.map((rows) => ({ rows, penalty: penalty(rows) })).reduce((a, b) => (b.penalty < a.penalty ? b : a)).rows;
}

/** The modules as one path, with a quiet zone of four modules around them, and the side of its box. */
export function path(rows: boolean[][]): { d: string; side: number } {
  const runs = rows.flatMap((row, y) => [...row.map((dark) => (dark ? "1" : "0")).join("").matchAll(/1+/g)].map((run) => `M${run.index + 4} ${y + 4}h${run[0].length}v1h-${run[0].length}z`));
  return { d: runs.join(""), side: rows.length + 8 };
}

const side = (version: number) => 17 + 4 * version;

/** The centres of the alignment patterns, along one side: evenly spaced from the last to the first, on even numbers. */
function centres(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, i) => side(version) - 7 - i * step).reverse()];
}

/** How many codewords there are, remainders included. */
function all(version: number): number {
  const aligned = centres(version).length;
  const patterns = 3 * 64 + 31 + 2 * (side(version) - 16) + (aligned ? (aligned * aligned - 3) * 25 - (aligned - 2) * 10 : 0) + (version >= 7 ? 36 : 0);
  return Math.floor((side(version) ** 2 - patterns) / 8);
}

const capacity = (version: number) => all(version) - REMAINDERS[version - 1]! * BLOCKS[version - 1]!;

/** The bytes with their mode (0100), their length, and filling to the end. */
function padded(bytes: Uint8Array, version: number): number[] {
  const bits = [..."0100", ...bytes.length.toString(2).padStart(version < 10 ? 8 : 16, "0"), ...[...bytes].flatMap((byte) => [...byte.toString(2).padStart(8, "0")])];
  const most = capacity(version) * 8;
  bits.push(..."0000".slice(0, most - bits.length));
  while (bits.length % 8 !== 0) bits.push("0");
  const words = Array.from({ length: bits.length / 8 }, (_, i) => parseInt(bits.slice(i * 8, i * 8 + 8).join(""), 2));
  for (let filler = 0xec; words.length < most / 8; filler ^= 0xec ^ 0x11) words.push(filler);
  return words;
}

/** Multiplication in the field of 256 elements with x^8 + x^4 + x^3 + x^2 + 1. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> bit) & 1) * a);
  return product;
}

/** The remainder of the data by the polynomial whose roots are the first powers of 2. */
function remainder(data: number[], degree: number): number[] {
  let divisor = [1];
  for (let i = 0, root = 1; i < degree; i++, root = times(root, 2)) {
    divisor = [...divisor, 0].map((one, at) => one ^ times(divisor[at - 1] ?? 0, root));
  }
  const left = Array<number>(degree).fill(0);
  for (const word of data) {
    const factor = word ^ left.shift()!;
    left.push(0);
    divisor.slice(1).forEach((one, at) => (left[at]! ^= times(one, factor)));
  }
  return left;
}

/** Blocks of data, the shorter ones first, and their remainders, each read by columns. */
function interleaved(data: number[], version: number): number[] {
  const [count, degree] = [BLOCKS[version - 1]!, REMAINDERS[version - 1]!];
  const [short, longer] = [Math.floor(data.length / count), data.length % count];
  const blocks: number[][] = [];
  for (let at = 0; blocks.length < count; ) {
    const length = short + (blocks.length < count - longer ? 0 : 1);
    blocks.push(data.slice(at, at + length));
    at += length;
  }
  const columns = (lists: number[][]) => Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, at) => lists.flatMap((list) => (at < list.length ? [list[at]!] : []))).flat();
  return [...columns(blocks), ...columns(blocks.map((block) => remainder(block, degree)))];
}

/** Bits followed by their remainder by a generator (a BCH code). */
function checked(bits: number, generator: number, length: number): number {
  let left = bits << length;
  for (let bit = 31 - Math.clz32(left); left >> length; bit = 31 - Math.clz32(left)) left ^= generator << (bit - length);
  return (bits << length) | left;
}

function drawn(version: number, codewords: number[], mask: (x: number, y: number) => number, number: number): boolean[][] {
  const size = side(version);
  const rows: (boolean | null)[][] = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  const put = (x: number, y: number, dark: boolean) => x >= 0 && y >= 0 && x < size && y < size && (rows[y]![x] = dark);
  patterns(version, put);
  format(size, number, put);
  const bits = codewords.flatMap((word) => Array.from({ length: 8 }, (_, i) => (word >> (7 - i)) & 1));
  let at = 0;
  let up = true;
  // Pairs of columns from the right; column 6 is the timing pattern and in none of them.
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2, up = !up) {
    for (let i = 0; i < size; i++) {
      const y = up ? size - 1 - i : i;
      for (const x of [right, right - 1]) {
        if (rows[y]![x] !== null) continue;
        const bit = bits[at++] ?? 0;
        rows[y]![x] = (bit === 1) !== (mask(x, y) === 0);
      }
    }
  }
  return rows as boolean[][];
}

/** What is the same for every text: finders, timing, alignment, and the version from 7 on. */
function patterns(version: number, put: (x: number, y: number, dark: boolean) => unknown): void {
  const size = side(version);
  for (let i = 8; i < size - 8; i++) {
    put(i, 6, i % 2 === 0);
    put(6, i, i % 2 === 0);
  }
  const rings = (cx: number, cy: number, reach: number, dark: (ring: number) => boolean) => {
    for (let dx = -reach; dx <= reach; dx++) for (let dy = -reach; dy <= reach; dy++) put(cx + dx, cy + dy, dark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  const places = centres(version);
  const last = places.length - 1;
  places.forEach((x, i) => places.forEach((y, j) => !(i === 0 && j === 0) && !(i === 0 && j === last) && !(i === last && j === 0) && rings(x, y, 2, (ring) => ring !== 1)));
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) rings(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  if (version < 7) return;
  const bits = checked(version, 0x1f25, 12);
  for (let i = 0; i < 18; i++) {
    const [near, far] = [Math.floor(i / 3), size - 11 + (i % 3)];
    put(far, near, ((bits >> i) & 1) === 1);
    put(near, far, ((bits >> i) & 1) === 1);
  }
}

/** Level (M is 00) and mask, twice, beside the finders. */
function format(size: number, mask: number, put: (x: number, y: number, dark: boolean) => unknown): void {
  const bits = checked(mask, 0x537, 10) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const dark = ((bits >> i) & 1) === 1;
    const near = i < 6 ? i : i < 8 ? i + 1 : 14 - i;
    if (i < 8) put(8, near, dark);
    else put(i === 8 ? 7 : near, 8, dark);
    if (i < 8) put(size - 1 - i, 8, dark);
    else put(8, size - 15 + i, dark);
  }
  put(8, size - 8, true);
}

/** How hard it is to read: long runs, squares, shapes like a finder, and too much of one colour. */
function penalty(rows: boolean[][]): number {
  const lines = [...rows, ...rows.map((_, x) => rows.map((row) => row[x]!))].map((line) => line.map((dark) => (dark ? "1" : "0")).join(""));
  let found = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) found += run.length - 2;
    found += 40 * [...line.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  let dark = 0;
  rows.forEach((row, y) =>
    row.forEach((one, x) => {
      if (one) dark++;
      if (x > 0 && y > 0 && one === row[x - 1] && one === rows[y - 1]![x] && one === rows[y - 1]![x - 1]) found += 3;
    }),
  );
  return found + 10 * Math.floor(Math.abs((dark * 20) / rows.length ** 2 - 10));
}
