// What the server shows of a table: the types of its description (described.d.ts), by the names that the pages use. Where the
// description allows any value, it is one that a roll can give.

import type { Outcome } from "../engine/wire";
import type { Option, RolledDice } from "../script/run";
import type { Offer } from "../script/schema";
import type { components } from "./described";

type Schemas = components["schemas"];

export type Role = Schemas["Role"];
export type Visibility = Schemas["Visibility"];
export type Settings = Schemas["TableSettings"];
export type Table = Schemas["TableView"];
export type Created = Schemas["Created"];
export type Member = Schemas["MemberView"];
export type Seat = Schemas["SeatView"];
export type Saved = Schemas["SavedView"];
export type Change = Schemas["ChangeView"];
export type Edited = Schemas["EditedView"];
export type Pack = Schemas["PackView"];
export type Luck = Schemas["Luck"];
export type Secret = Schemas["Secret"];
export type DieEdit = Schemas["DieEdit"];
export type Problem = Schemas["NoteView"];
export type Worth = Schemas["WorthAnswer"];

export type Sheet = Omit<Schemas["ObjectView"], "data"> & { data: Record<string, unknown> };
export type Draw = Schemas["DrawView"] & { value: Outcome };
export type RollOutcome = Omit<Schemas["RollOutcome"], "value" | "draws"> & { value: Outcome; draws: Draw[] };
export type RunOutcome = Omit<Schemas["RunOutcome"], "result" | "rolls" | "options"> & { result?: Outcome; rolls: RolledDice[]; options: Option[] };
export type Shown = Omit<Schemas["Shown"], "outcome" | "before"> & { outcome: RollOutcome | RunOutcome; before?: RollOutcome | RunOutcome | null };
export type Execution = Omit<Schemas["ExecutionView"], "shown"> & { shown?: Shown | null };
export type State = Omit<Schemas["TableState"], "objects" | "executions"> & { objects: Sheet[]; executions: Execution[] };
export type TableScript = Omit<Schemas["ScriptView"], "schema"> & { schema: Offer };
export type Written = Omit<Schemas["Written"], "script"> & { script: TableScript };

type Event = Schemas["TableEvent"];
export type News =
  | Exclude<Event, { kind: "execution" } | { kind: "object" }>
  | { kind: "execution"; execution: Execution }
  | { kind: "object"; object?: Sheet | null; gone?: string | null };

/** The outcome of an expression; nothing for a roll of the script. */
export const rolled = (outcome: RollOutcome | RunOutcome | null | undefined): RollOutcome | null => (outcome && "draws" in outcome ? outcome : null);

/** The outcome of a roll of the script; nothing for an expression. */
export const ran = (outcome: RollOutcome | RunOutcome | null | undefined): RunOutcome | null => (outcome && "tree" in outcome ? outcome : null);
