import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Job } from "./worker";

/** A worker that answers when it is told to. */
class Fake {
  static all: Fake[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;
  jobs: Job[] = [];
  ended = false;
  /** What every new one says instead of being ready. */
  static unready: string | null = null;

  constructor() {
    Fake.all.push(this);
  }

  postMessage(data: Job | { module: unknown }) {
    if ("module" in data) queueMicrotask(() => this.tell(Fake.unready ? { unready: Fake.unready } : { ready: true }));
    else this.jobs.push(data);
  }

  terminate() {
    this.ended = true;
  }

  tell(data: unknown) {
    this.onmessage?.({ data });
  }
}

/** A host that has the module, of a type that it does not know, or has not. */
const file = (ok: boolean) => async () => ({ ok, status: ok ? 200 : 503, headers: { get: () => "text/plain" }, arrayBuffer: async () => new ArrayBuffer(0) });

beforeEach(() => {
  Fake.all = [];
  Fake.unready = null;
  vi.useFakeTimers();
  vi.stubGlobal("Worker", Fake);
  vi.stubGlobal("fetch", file(true));
  vi.spyOn(WebAssembly, "compile").mockResolvedValue({} as WebAssembly.Module);
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function started() {
  const { Engine, REPLACED } = await import("./engine");
  const engine = new Engine("rolls", "x.wasm");
  engine.warm();
  await vi.advanceTimersByTimeAsync(1);
  return { engine, REPLACED };
}

const odds = (text: string) => ({ do: "odds", text });
const busy = () => Fake.all.find((worker) => worker.jobs.length > 0 && !worker.ended)!;

test("requests are answered in order by one worker, with a spare one ready", async () => {
  const { engine } = await started();
  const [one, two] = [engine.ask("a", odds("d6")), engine.ask("b", odds("d8"))];
  expect(Fake.all).toHaveLength(2);
  expect(busy().jobs.map((job) => job.request)).toEqual(['{"do":"odds","text":"d6"}']);
  busy().tell({ id: busy().jobs[0]!.id, answer: "first" });
  expect(await one).toBe("first");
  busy().tell({ id: busy().jobs[1]!.id, answer: "second" });
  expect(await two).toBe("second");
});

test("a newer request ends the worker of the old one, and the others stay in line", async () => {
  const { engine, REPLACED } = await started();
  const [old, other] = [engine.ask("a", odds("999d999")), engine.ask("b", odds("d8"))];
  const first = busy();
  await vi.advanceTimersByTimeAsync(100);
  const newer = engine.ask("a", odds("d6"));
  await vi.advanceTimersByTimeAsync(1);
  expect(await old).toBe(REPLACED);
  expect(first.ended).toBe(true);
  busy().tell({ id: busy().jobs[0]!.id, answer: "other" });
  expect(await other).toBe("other");
  busy().tell({ id: busy().jobs[1]!.id, answer: "newer" });
  expect(await newer).toBe("newer");
  expect(engine.ended).toBe(1);
});

test("a request that is nearly done is not interrupted", async () => {
  const { engine } = await started();
  const old = engine.ask("a", odds("d6"));
  const first = busy();
  void engine.ask("a", odds("d8"));
  first.tell({ id: first.jobs[0]!.id, answer: "quick" });
  expect(await old).toBe("quick");
  await vi.advanceTimersByTimeAsync(100);
  expect(first.ended).toBe(false);
});

test("a trap restarts the worker and says so", async () => {
  const { engine } = await started();
  const broken = engine.ask<{ ok: boolean }>("a", odds("d6"));
  const first = busy();
  const next = engine.ask("b", odds("d8"));
  first.tell({ id: first.jobs[0]!.id, trap: "RuntimeError: unreachable" });
  expect(await broken).toMatchObject({ ok: false, error: { code: "mistake", message: expect.stringContaining("restarted") } });
  expect(first.ended).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  busy().tell({ id: busy().jobs[0]!.id, answer: "next" });
  expect(await next).toBe("next");
});

test("a module that can't be loaded is reported, and tried again", async () => {
  vi.stubGlobal("fetch", file(false));
  const { engine } = await started();
  const failed = engine.ask("a", odds("d6"));
  await vi.advanceTimersByTimeAsync(1);
  expect(await failed).toMatchObject({ ok: false, error: { code: "load" } });
  vi.stubGlobal("fetch", file(true));
  const again = engine.ask("a", odds("d6"));
  await vi.advanceTimersByTimeAsync(1);
  busy().tell({ id: busy().jobs[0]!.id, answer: "now" });
  expect(await again).toBe("now");
});

test("a worker that can't be made ready is reported, and tried again", async () => {
  Fake.unready = "RangeError: out of memory";
  const { engine } = await started();
  const failed = engine.ask("a", odds("d6"));
  await vi.advanceTimersByTimeAsync(1);
  expect(await failed).toMatchObject({ ok: false, error: { code: "load" } });
  Fake.unready = null;
  const again = engine.ask("a", odds("d6"));
  await vi.advanceTimersByTimeAsync(1);
  busy().tell({ id: busy().jobs[0]!.id, answer: "now" });
  expect(await again).toBe("now");
});

test("without a spare worker the first one goes on", async () => {
  const { engine } = await started();
  const asked = engine.ask("a", odds("d6"));
  Fake.all[1]!.tell({ unready: "RangeError: out of memory" });
  busy().tell({ id: busy().jobs[0]!.id, answer: "well" });
  expect(await asked).toBe("well");
});
