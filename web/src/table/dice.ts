// The dice of a roll at a table, each with the name by which it can be rolled again or set.

import type { RolledDice } from "../script/run";
import type { DieEdit, Draw, Edited, Execution, RollOutcome } from "./types";
import { rolled } from "./types";

/** Where a die fell, its kind such as `d6`, and which of those it is there. */
export type DieName = Pick<DieEdit, "path" | "die" | "index">;

export interface TableDie {
  draw: Draw;
  /** Nothing for a die that picks one of several values: it can't be changed. */
  name: DieName | null;
  /** Whether it fell or changed with the last answer or the last change of a die. */
  fresh: boolean;
  /** What was done with it since it fell. */
  edited: Edited | null;
}

const same = (a: DieName, b: DieName) => a.path === b.path && a.die === b.die && a.index === b.index;

const kind = (draw: Draw): string | null => {
  if (draw.face !== undefined) return null;
  const low = draw.lowest ?? 1;
  return low === 1 ? `d${draw.faces}` : `${low}..${low + draw.faces - 1}`;
};

/** The faces of a kind of die. */
export function faces(kind: string): { low: number; high: number } | null {
  const found = /^(?:d(\d+)|(-?\d+)\.\.(-?\d+))$/.exec(kind);
  if (!found) return null;
  return found[1] ? { low: 1, high: Number(found[1]) } : { low: Number(found[2]), high: Number(found[3]) };
}

function done(execution: Execution, name: DieName | null): Edited | null {
  return (name && execution.shown?.edited?.find((one) => same(one, name))) ?? null;
}

/** The dice of an expression. */
export function ofRoll(execution: Execution, outcome: RollOutcome): TableDie[] {
  const before = rolled(execution.shown?.before);
  const name = (draw: Draw): DieName | null => {
    const die = kind(draw);
    return die === null ? null : { path: draw.path, die, index: draw.index };
  };
  const kept = (draw: Draw) => before?.draws.some((old) => old.path === draw.path && old.index === draw.index && old.faces === draw.faces && old.value === draw.value);
  return outcome.draws.map((draw) => ({ draw, name: name(draw), fresh: before !== null && !kept(draw), edited: done(execution, name(draw)) }));
}

/** The dice of one roll of a script; nothing if they can't be drawn one by one. */
export function ofScript(execution: Execution, roll: RolledDice): TableDie[] | null {
  if (!roll.each || roll.each.length !== roll.values.length) return null;
  const again = execution.shown?.before != null;
  const all = roll.each.map(([path, die, index], at): TableDie | null => {
    const range = faces(die);
    if (!range) return null;
    const count = range.high - range.low + 1;
    const value = roll.values[at]!;
    const fresh = again && (roll.status === "new" || (roll.status === "partly new" && (roll.new_dice ?? []).includes(at)));
    const draw: Draw = { path, index, faces: count, ...(range.low === 1 ? {} : { lowest: range.low }), value, state: "kept", ...(die === "d20" ? { natural: Number(value) } : {}) };
    const name = { path, die, index };
    return { draw, name, fresh, edited: done(execution, name) };
  });
  return all.some((one) => one === null) ? null : (all as TableDie[]);
}
