// Light or dark: what the system says, until somebody chooses.

type Choice = "light" | "dark" | null;
const KEY = "tumble.theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");

function chosen(): Choice {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : null;
  } catch {
    return null;
  }
}

class Theme {
  choice: Choice = $state(chosen());
  dark: boolean = $state(system.matches);

  constructor() {
    system.addEventListener("change", () => this.show());
    this.show();
  }

  show(): void {
    this.dark = this.choice ? this.choice === "dark" : system.matches;
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
  }

  toggle(): void {
    this.choice = this.dark ? "light" : "dark";
    this.show();
    try {
      localStorage.setItem(KEY, this.choice);
    } catch {
      // A browser that keeps nothing forgets it.
    }
  }
}

export const theme = new Theme();
