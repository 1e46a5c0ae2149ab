// Small things that this browser remembers: invite links that were shown once, a name, the last arguments.

export function kept<T>(name: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(`tumble.${name}`) ?? "null") as T | null;
  } catch {
    return null;
  }
}

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(`tumble.${name}`, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing forgets it.
  }
}
