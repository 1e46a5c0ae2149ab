// Places in a text: the engine counts bytes, the browser UTF-16 units.

const encoder = new TextEncoder();

/** The place in the text of a number of bytes. */
export function fromBytes(text: string, bytes: number): number {
  let [at, seen] = [0, 0];
  for (const c of text) {
    if (seen >= bytes) return at;
    const code = c.codePointAt(0)!;
    seen += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += c.length;
  }
  return at;
}

export function toBytes(text: string, at: number): number {
  return encoder.encode(text.slice(0, at)).length;
}
