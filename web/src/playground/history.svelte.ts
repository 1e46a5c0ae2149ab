// What was looked at before, kept in this browser only.

export interface Past {
  query: string;
  texts: string[];
}

const KEY = "tumble.history";
const MOST = 50;

/** How long something has to stand before it counts as looked at, in milliseconds. */
const SETTLED = 1500;

function load(): Past[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    const sound = (one: unknown): one is Past =>
      typeof one === "object" && one !== null && typeof (one as Past).query === "string" && Array.isArray((one as Past).texts);
    return Array.isArray(found) ? found.filter(sound).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

class History {
  all: Past[] = $state(load());

  keep(all: Past[]): void {
    this.all = all;
    try {
      localStorage.setItem(KEY, JSON.stringify(all));
    } catch {
      // A browser that keeps nothing shows the history of this visit.
    }
  }
}

export const history = new History();

let timer: ReturnType<typeof setTimeout> | undefined;

export function remember(query: string, texts: string[]): void {
  clearTimeout(timer);
  if (!query || new URLSearchParams(query).has("embed")) return;
  timer = setTimeout(() => {
    const others = history.all.filter((past) => past.texts.join("\n") !== texts.join("\n"));
    history.keep([{ query, texts }, ...others].slice(0, MOST));
  }, SETTLED);
}
