// What the server shows of a table (crates/tumble-server/src/table/view.rs).

import type { Outcome, Problem, Rolled } from "../engine/wire";
import type { Ran } from "../script/run";
import type { Offer } from "../script/schema";

export type Role = "spectator" | "player" | "game_master";
export type Visibility = "everyone" | "master" | "blind" | "own";
export type Right = "game_master" | "owner";

export interface Settings {
  take_back: Right;
  reroll: Right;
  typed_dice: boolean;
}

export interface Table {
  id: string;
  name: string;
  settings: Settings;
  created: number;
  /** The number of the current script; 0 if there is none. */
  script: number;
}

export interface Member {
  id: string;
  name: string;
  role: Role;
  bot: boolean;
  gone: boolean;
}

/** A table that this browser has a seat at. */
export interface Seat {
  id: string;
  name: string;
  role: Role;
  touched: number;
}

export interface Sheet {
  id: string;
  type: string;
  owner: string;
  visibility: Visibility;
  data: Record<string, unknown>;
  leftover: Record<string, unknown>;
  version: number;
  deleted: boolean;
}

export interface Saved {
  id: string;
  owner: string;
  shared: boolean;
  name: string;
  notation: string;
  text: string;
  params: { name: string; default: number }[];
  deleted: boolean;
}

export interface Change {
  object: string;
  owner: string | null;
  field: string;
  amount: number;
  applied: boolean;
  stale: boolean;
}

export interface Shown {
  kind: "roll" | "script";
  label?: string;
  title?: string;
  text?: string;
  notation?: string;
  vars?: Record<string, number>;
  typed: number;
  outcome: Rolled & Ran;
  before?: Rolled & Ran;
  owners?: Record<string, string>;
  answers?: Record<string, { value: unknown; prompt: string; by: string; at: number }>;
  changes?: Change[];
}

export interface Execution {
  number: number;
  member: string;
  visibility: Visibility;
  closed: boolean;
  version: number;
  created: number;
  updated: number;
  hidden: boolean;
  shown?: Shown;
}

export interface State {
  table: Table;
  you: Member;
  members: Member[];
  online: string[];
  objects: Sheet[];
  saved: Saved[];
  executions: Execution[];
  last_event: number;
}

export interface TableScript {
  number: number;
  text: string;
  author: string;
  created: number;
  schema: Offer;
  problems: Problem[];
  versions: { number: number; author: string; created: number }[];
}

export interface Pack {
  name: string;
  title: string;
  about: string;
}

export interface Luck {
  member: string;
  dice: number;
  average: number | null;
  deviations: number | null;
}

export type News =
  | { kind: "execution"; execution: Execution }
  | { kind: "member"; member: Member; members?: Member[] }
  | { kind: "object"; object?: Sheet; gone?: string }
  | { kind: "saved"; saved?: Saved; gone?: string }
  | { kind: "script"; number: number }
  | { kind: "table"; table: Table }
  | { kind: "presence"; online: string[] }
  | { kind: "pack" };

export type { Outcome };
