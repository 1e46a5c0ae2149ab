// The dice pad writes what a player would: a second d6 makes 2d6, another kind of die is added.

export function padded(text: string, faces: number): string {
  const before = text.trimEnd();
  if (!before) return `d${faces}`;
  const last = /(^|[^\w.)\]])(\d*)d(\d+)$/.exec(before);
  if (last && Number(last[3]) === faces) {
    const count = Number(last[2] || 1) + 1;
    return `${before.slice(0, last.index)}${last[1]}${count}d${faces}`;
  }
  return /[+\-*/(,]$/.test(before) ? `${before} d${faces}` : `${before} + d${faces}`;
}
