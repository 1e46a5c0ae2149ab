// The stream of events of a table: one per tab. A tab that nobody looks at for half a minute closes its stream, and at once when
// another tab of this browser opens one, so that many tabs never use up the browser's connections. It goes on after the last
// event it has seen when somebody looks again.

import { to } from "../ui/route";

export type Contact = "live" | "connecting" | "asleep" | "offline";

/** How long a hidden tab keeps its stream, in milliseconds. */
export const PATIENCE = 30_000;
/** How long to wait before connecting again; a random part keeps a whole group from coming back at once. */
const AGAIN = [500, 1000, 2000, 4000, 8000];

export class Live {
  #source: EventSource | null = null;
  #sleep: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #fails = 0;
  #ended = false;
  /** Tabs of this browser make known that they open a stream. */
  #tabs = new BroadcastChannel("tumble.live");

  constructor(
    private readonly table: string,
    /** The number of the last event that is known. */
    public last: number,
    private readonly heard: (data: string) => void,
    private readonly contact: (contact: Contact) => void,
    /** Called when the stream can't be opened: the seat may be gone. */
    private readonly refused: () => Promise<void>,
  ) {
    document.addEventListener("visibilitychange", this.#look);
    window.addEventListener("online", this.#wake);
    window.addEventListener("offline", this.#lost);
    window.addEventListener("pagehide", this.#hide);
    window.addEventListener("pageshow", this.#wake);
    this.#tabs.onmessage = () => document.visibilityState === "hidden" && this.#source && this.#hide();
    // A browser that restores its tabs opens all of them behind one.
    if (document.visibilityState === "hidden") this.contact("asleep");
    else this.#open();
  }

  end(): void {
    this.#ended = true;
    this.#tabs.close();
    document.removeEventListener("visibilitychange", this.#look);
    window.removeEventListener("online", this.#wake);
    window.removeEventListener("offline", this.#lost);
    window.removeEventListener("pagehide", this.#hide);
    window.removeEventListener("pageshow", this.#wake);
    clearTimeout(this.#sleep);
    this.#close();
  }

  #look = () => {
    clearTimeout(this.#sleep);
    if (document.visibilityState === "hidden") this.#sleep = setTimeout(this.#hide, PATIENCE);
    else this.#wake();
  };

  #hide = () => {
    this.#close();
    this.contact("asleep");
  };

  #wake = () => {
    if (this.#ended || (this.#source && this.#source.readyState !== EventSource.CLOSED)) return;
    this.#fails = 0;
    this.#open();
  };

  #lost = () => {
    this.#close();
    this.contact("offline");
    this.#later();
  };

  #close() {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
  }

  #open() {
    this.#close();
    this.contact("connecting");
    this.#tabs.postMessage("open");
    const source = (this.#source = new EventSource(to(`api/v1/tables/${this.table}/events?after=${this.last}`)));
    source.onopen = () => {
      this.#fails = 0;
      this.contact("live");
    };
    source.onmessage = (event) => {
      const id = Number(event.lastEventId);
      // Presence has no number of its own; everything else comes once.
      if (Number.isSafeInteger(id) && id > this.last) this.last = id;
      this.heard(event.data as string);
    };
    source.onerror = () => {
      if (this.#source !== source) return;
      this.#close();
      this.contact("offline");
      void this.refused();
      this.#later();
    };
  }

  #later() {
    if (this.#ended) return;
    const wait = AGAIN[Math.min(this.#fails++, AGAIN.length - 1)]! * (0.75 + Math.random() / 2);
    this.#retry = setTimeout(() => this.#open(), wait);
  }
}
