// Requests to the server. What rolls, answers or applies has a key, and is sent again with the same key when the network
// fails or the server restarts: the server answers a key once, so nothing is lost and nothing happens twice.

import { parsed } from "../engine/wire";
import { to } from "../ui/route";
import { visible } from "../ui/visible";

/** Why something did not happen, in words for players. */
export class Trouble extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly hint: string | null = null,
    readonly place: { start: number; end: number } | null = null,
  ) {
    super(message);
  }
}

/** What went wrong and what to do about it, as a sentence. Anything else than trouble with the server is a bug. */
export function words(error: unknown): string {
  if (!(error instanceof Trouble)) throw error;
  const text = visible(error.hint ? `${error.message}; ${error.hint}` : error.message);
  return text.replace(/^\p{Ll}/u, (first) => first.toUpperCase()).replace(/([\p{L}\p{N}`])$/u, "$1.");
}

/** How long to wait before each new try, in milliseconds. */
const WAITS = [300, 900, 2000, 4000, 8000, 8000];

/** 128 random bits. `crypto.randomUUID` does not exist on plain http. */
export function key(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const OFFLINE = "The server can't be reached. Check your connection and try again.";

export async function get<T>(path: string): Promise<T> {
  return read<T>(await sent("GET", path));
}

export async function send<T>(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<T> {
  return read<T>(await sent(method, path, body));
}

/** Sends something that must happen exactly once. */
export async function once<T>(path: string, body: unknown, waits: number[] = WAITS): Promise<T> {
  const name = key();
  for (let tries = 0; ; tries++) {
    try {
      const answer = await sent("POST", path, body, name);
      const passing = answer.status === 503 || answer.status === 502 || answer.status === 504 || answer.status === 429;
      if (!passing || tries >= waits.length) return await read<T>(answer);
      const after = Number(answer.headers.get("retry-after") ?? 0) * 1000;
      await rest(Math.max(after, waits[tries]!));
    } catch (error) {
      if (!(error instanceof Trouble) || error.code !== "offline" || tries >= waits.length) throw error;
      await rest(waits[tries]!);
    }
  }
}

const rest = (time: number) => new Promise<void>((done) => setTimeout(done, time));

async function sent(method: string, path: string, body?: unknown, name?: string): Promise<Response> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (name) headers["Idempotency-Key"] = name;
  try {
    return await fetch(to(`api/v1/${path}`), { method, headers, body: body === undefined ? null : JSON.stringify(body), credentials: "same-origin" });
  } catch {
    throw new Trouble(OFFLINE, 0, "offline");
  }
}

async function read<T>(answer: Response): Promise<T> {
  let text: string;
  try {
    text = await answer.text();
  } catch {
    throw new Trouble(OFFLINE, 0, "offline");
  }
  let found: unknown = null;
  try {
    found = text ? parsed(text) : null;
  } catch {
    // A static host answers with a page: there is no server for tables behind it.
    throw new Trouble("There is no table server at this address.", answer.status, "none");
  }
  if (answer.ok) return found as T;
  const { detail, code, hint, start, end } = (found ?? {}) as { detail?: string; code?: string; hint?: string; start?: number; end?: number };
  const place = start === undefined ? null : { start, end: end ?? start };
  throw new Trouble(detail ?? `The server answered ${answer.status}.`, answer.status, code ?? "none", hint ?? null, place);
}
