// The engine as the page sees it: ask, and get the answer later. Requests wait in line for one worker.
//
// A request has a topic, and a newer one on the same topic replaces it: if the old one is being computed, its worker is
// ended and a spare one, which is always kept ready with the compiled module, goes on.

import type { Job, Message } from "./worker";
import type { Failed, Request } from "./wire";
import rollsUrl from "../generated/rolls_bg.wasm?url";
import scriptsUrl from "../generated/scripts_bg.wasm?url";

/** What one answer may cost while somebody types, and when somebody has asked to wait for it. */
export const TYPING = { steps: 2_000_000, bytes: 64 << 20 };
export const PATIENT = { steps: 50_000_000, bytes: 512 << 20 };

/** How long an outdated request may go on before its worker is ended, in milliseconds; most are done by then. */
const GRACE = 25;

/** A request that was replaced by a newer one. */
export const REPLACED = Symbol("replaced");

interface Asked {
  job: Job;
  topic: string;
  resolve: (answer: unknown) => void;
  since: number;
}

interface Hand {
  worker: Worker;
  ready: boolean;
  asked: Asked | null;
}

const failed = (code: string, message: string, hint?: string): Failed => ({ ok: false, error: { code, message, hint } });

export class Engine {
  #module: Promise<WebAssembly.Module> | null = null;
  #line: Asked[] = [];
  #active: Hand | null = null;
  #spare: Hand | null = null;
  #count = 0;
  /** How often a worker had to be ended, for the tests. */
  ended = 0;

  constructor(
    readonly part: "rolls" | "scripts",
    readonly url: string,
  ) {}

  /** Loads the module and starts a worker, so that the first answer needs no wait. */
  warm(): void {
    this.#start();
  }

  /** The answer to a request, or `REPLACED` if a newer one on the same topic came in between. */
  ask<T>(topic: string, request: Request, limits = TYPING): Promise<T | Failed | typeof REPLACED> {
    this.drop(topic);
    return new Promise((resolve) => {
      const job = { id: ++this.#count, request: JSON.stringify(request), ...limits };
      this.#line.push({ job, topic, resolve: resolve as (answer: unknown) => void, since: 0 });
      this.#start();
      this.#next();
    });
  }

  /** Nobody waits for this topic any more. */
  drop(topic: string): void {
    this.#line = this.#line.filter((asked) => asked.topic !== topic || asked.resolve(REPLACED));
    const asked = this.#active?.asked;
    if (asked?.topic !== topic) return;
    const left = GRACE - (performance.now() - asked.since);
    setTimeout(() => this.#active?.asked === asked && this.#end(asked, REPLACED), Math.max(0, left));
  }

  /** Whether something on this topic is being computed or waits. */
  busy(topic: string): boolean {
    return this.#active?.asked?.topic === topic || this.#line.some((asked) => asked.topic === topic);
  }

  #end(asked: Asked, answer: unknown): void {
    this.ended += 1;
    this.#active?.worker.terminate();
    this.#active = null;
    asked.resolve(answer);
    this.#start();
    this.#next();
  }

  #start(): void {
    this.#active ??= this.#spare ?? this.#hand();
    if (this.#active === this.#spare) this.#spare = null;
    // The spare one waits until the first is ready: until then there is nothing to replace.
    if (this.#active.ready) this.#spare ??= this.#hand();
  }

  #hand(): Hand {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: `tumble ${this.part}` });
    const hand: Hand = { worker, ready: false, asked: null };
    worker.onmessage = (event: MessageEvent<Message>) => this.#hear(hand, event.data);
    worker.onerror = (event) => this.#broken(hand, event.message || "the worker could not be started");
    this.#compiled()
      .then((module) => worker.postMessage({ part: this.part, module }))
      .catch((error: unknown) => this.#unloaded(hand, String(error)));
    return hand;
  }

  #hear(hand: Hand, message: Message): void {
    if ("ready" in message) {
      hand.ready = true;
      this.#start();
      return this.#next();
    }
    if ("unready" in message) return this.#unloaded(hand, message.unready);
    const asked = hand.asked;
    hand.asked = null;
    if (!asked || asked.job.id !== message.id) return;
    if ("trap" in message) return this.#broken({ ...hand, asked }, message.trap);
    asked.resolve(message.answer);
    this.#next();
  }

  /** After a trap the memory of the module can't be trusted. */
  #broken(hand: Hand, why: string): void {
    hand.worker.terminate();
    if (this.#active?.worker === hand.worker) this.#active = null;
    if (this.#spare?.worker === hand.worker) this.#spare = null;
    console.warn(`the engine stopped and was restarted: ${why}`);
    hand.asked?.resolve(
      failed("mistake", "this roll made the engine stop; it has been restarted", "this is a bug in Tumble; please report it with this expression"),
    );
    if (this.#line.length > 0) this.#start();
    this.#next();
  }

  /** Without the module nothing can be answered; the next request tries again. Without a spare worker everything can. */
  #unloaded(hand: Hand, why: string): void {
    hand.worker.terminate();
    const message = "the dice engine could not be loaded";
    console.warn(`${message}: ${why}`);
    if (this.#spare === hand) {
      this.#spare = null;
      return;
    }
    this.#module = null;
    this.#active = null;
    const line = this.#line;
    this.#line = [];
    line.forEach((asked) => asked.resolve(failed("load", message, "check your connection and try again")));
  }

  #compiled(): Promise<WebAssembly.Module> {
    this.#module ??= compile(this.url);
    return this.#module;
  }

  #next(): void {
    const hand = this.#active;
    if (!hand?.ready || hand.asked) return;
    const asked = this.#line.shift();
    if (!asked) return;
    asked.since = performance.now();
    hand.asked = asked;
    hand.worker.postMessage(asked.job);
  }
}

async function compile(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  // Some static hosts don't know the type of the file, and then it can't be compiled while it comes in.
  return response.headers.get("content-type")?.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

export const rolls = new Engine("rolls", rollsUrl);

let everything: Engine | null = null;

/** The engine that knows scripts, every notation, translations and references; loaded when one of them is first wanted. */
export function whole(): Engine {
  everything ??= new Engine("scripts", scriptsUrl);
  return everything;
}

/** What the first module reads. */
const EVERYDAY = new Set(["tabletop", "roll20", "foundry", "avrae", "rpg-dice-roller", "dicemaiden"]);

/** Whether the first module is enough for rolls in this notation. */
export function small(notation: string): boolean {
  return EVERYDAY.has(notation);
}

/** The engine for rolls in this notation. */
export function engineFor(notation: string): Engine {
  return small(notation) ? rolls : whole();
}

/** Nobody waits for this topic any more, wherever it was asked. */
export function drop(topic: string): void {
  rolls.drop(topic);
  everything?.drop(topic);
}
