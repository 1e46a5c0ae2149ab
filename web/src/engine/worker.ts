// The thread that computes. It is handed a compiled module and then requests, one at a time. It can't be interrupted, so
// the page ends it when nobody waits for its answer any more.

import { parsed } from "./wire";

export interface Job {
  id: number;
  request: string;
  steps: number;
  bytes: number;
}

export type Message = { ready: true } | { unready: string } | { id: number; answer: unknown } | { id: number; trap: string };

interface Glue {
  initSync(how: { module: WebAssembly.Module }): unknown;
  answer(request: string, steps: number, bytes: number): string;
}

const glues: Record<string, () => Promise<Glue>> = {
  rolls: () => import("../generated/rolls.js"),
  scripts: () => import("../generated/scripts.js"),
};

const post = (message: Message) => self.postMessage(message);

self.onmessage = async (event: MessageEvent<{ part: string; module: WebAssembly.Module }>) => {
  let glue: Glue;
  try {
    glue = await glues[event.data.part]!();
    glue.initSync({ module: event.data.module });
  } catch (error) {
    return post({ unready: String(error) });
  }
  self.onmessage = ({ data }: MessageEvent<Job>) => {
    try {
      post({ id: data.id, answer: parsed(glue.answer(data.request, data.steps, data.bytes)) });
    } catch (error) {
      post({ id: data.id, trap: String(error) });
    }
  };
  post({ ready: true });
};
