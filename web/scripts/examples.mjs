// The examples of the page, from the recipes of the book: game, question, rolls with their values, and the headline as what
// is read in the chart. A test of the book runs them; here they are only put into links.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** @typedef {{ text: string, notation: string, vars: Record<string, number>, headline: string | null }} Roll */

/** The rolls of a block, each with the claims below it. @returns {Roll[]} */
function rolls(/** @type {string} */ notation, /** @type {string} */ block) {
  /** @type {Roll[]} */
  const found = [];
  /** @type {string[]} */
  let text = [];
  for (const line of block.split("\n")) {
    if (!line.startsWith("-->")) {
      text.push(line);
      continue;
    }
    if (text.join("").trim()) {
      found.push({ text: text.join("\n").trim(), notation, vars: {}, headline: null });
      text = [];
    }
    const [last, claim] = [found[found.length - 1], line.slice(3).trim()];
    const value = /^with (\S+) = (-?\d+)$/.exec(claim);
    if (last && value) last.vars[value[1] ?? ""] = Number(value[2]);
    if (last && claim.startsWith("headline ")) last.headline = claim.slice(9);
  }
  return found;
}

/** Where the chart is read, and how, for a claim such as `P(>= 15) = 25/108`. */
function view(/** @type {string | null} */ claim) {
  const found = /^P\((>=|<=)?\s*(-?\d+)\)/.exec(claim ?? "");
  if (!found) return [];
  const show = { ">=": "at-least", "<=": "at-most" }[found[1] ?? ""];
  return [...(show ? [["show", show]] : []), ["at", found[2] ?? ""]];
}

/** All examples of the recipes in a folder. */
export function examples(/** @type {string} */ folder) {
  const found = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".md")).sort()) {
    for (const section of readFileSync(join(folder, file), "utf8").split(/^## /m).slice(1)) {
      const [game = "", ...rest] = section.split("\n");
      const body = rest.join("\n");
      const question = /^\*([^*]+)\*$/m.exec(body)?.[1];
      const block = [...body.matchAll(/^```(tabletop|troll|yadn|alea|nice)\n([\s\S]*?)\n```$/gm)].find((one) => one[2]?.includes("headline"));
      if (!question || !block) continue;
      const all = rolls(block[1] ?? "", block[2] ?? "");
      const main = all.find((roll) => roll.headline) ?? all[0];
      // Rolls with the same values can be compared in one chart; others would need values of their own.
      const alike = all.filter((roll) => roll === main || JSON.stringify(roll.vars) === JSON.stringify(main?.vars)).slice(0, 3);
      const query = new URLSearchParams();
      for (const roll of [main, ...alike.filter((roll) => roll !== main)]) {
        if (!roll) continue;
        query.append("roll", roll.text);
        if (roll.notation !== "tabletop") query.append("in", roll.notation);
      }
      for (const [name, value] of Object.entries(main?.vars ?? {})) query.append("set", `${name}:${value}`);
      for (const [name, value] of view(main?.headline ?? null)) query.append(name ?? "", value ?? "");
      found.push({ game: game.trim(), question, query: query.toString() });
    }
  }
  return found;
}
