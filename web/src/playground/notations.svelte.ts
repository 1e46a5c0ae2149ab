// The notations, as the engine lists them.

import { REPLACED, whole } from "../engine/engine";
import type { Failed, NotationRow } from "../engine/wire";

/** Names as people write them. */
const TITLES: Record<string, string> = {
  tabletop: "Everyday", troll: "Troll", yadn: "YADN", alea: "Alea", nice: "nice-dice", roll20: "Roll20", foundry: "Foundry",
  avrae: "Avrae", "rpg-dice-roller": "RPG Dice Roller", dicemaiden: "Dice Maiden",
};

class Notations {
  rows: Pick<NotationRow, "name" | "dialect">[] = $state(Object.keys(TITLES).map((name, i) => ({ name, dialect: i > 4 })));
  full: NotationRow[] = $state([]);

  title(name: string): string {
    return TITLES[name] ?? name;
  }

  async load(): Promise<void> {
    if (this.full.length > 0) return;
    const answer = await whole().ask<{ ok: true; notations: NotationRow[] }>("notations", { do: "notations" });
    if (answer === REPLACED) return;
    const found = answer as { ok: true; notations: NotationRow[] } | Failed;
    if (found.ok) this.rows = this.full = found.notations;
  }
}

export const notations = new Notations();
