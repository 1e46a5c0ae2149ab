// A script in the address: compressed, in the query, so that a link is all there is to it. One that is too long for that is
// saved as a file.

/** The longest script a link holds, compressed, in bytes. */
export const LONGEST_LINK = 4096;

/** The longest script that is opened at all. */
export const LONGEST = 200_000;

async function through(bytes: Uint8Array<ArrayBuffer>, by: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(by as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const reader = stream.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) throw new Error("too long");
    parts.push(value);
  }
  const all = new Uint8Array(length);
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

/** The script as it stands in a link; nothing if it is too long for one. */
export async function packed(text: string): Promise<string | null> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"), LONGEST * 2);
  if (bytes.length > LONGEST_LINK) return null;
  const letters = btoa(String.fromCharCode(...bytes));
  return letters.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

export async function unpacked(letters: string): Promise<string> {
  const plain = atob(letters.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(plain, (c) => c.charCodeAt(0));
  return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"), LONGEST));
}
