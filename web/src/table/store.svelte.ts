// A table as this page knows it: read once, then kept up to date by its events.

import { lines } from "../script/run";
import type { Duty, Option } from "../script/run";
import { visible } from "../ui/visible";
import { get, once, send, Trouble, words } from "./api";
import { Live, type Contact } from "./live";
import { ran, rolled, type DieEdit, type Execution, type Member, type News, type Saved, type Sheet, type State, type Table, type TableScript, type Visibility, type Worth } from "./types";

/** Where somebody stands: on the way in, at the door, at the table, or out. */
export type Phase = "loading" | "door" | "in" | "out" | "gone" | "failed";

/** A roll as it is typed. */
export interface Draft {
  text: string;
  notation: string;
  label: string;
  visibility: Visibility;
  dice: number[];
  vars: Record<string, number>;
}

/** The numbers that somebody typed: what their dice show. */
export const numbers = (text: string): number[] => (text.match(/-?\d+/g) ?? []).map(Number);

/** Something that can be taken back for a while. */
export interface Undo {
  what: string;
  back: () => Promise<void>;
  /** Done when it was not taken back in time. */
  end?: () => void;
}

/** How long something can be taken back, in milliseconds. */
const REGRET = 12_000;

export class Room {
  phase: Phase = $state("loading");
  table: Table = $state({ id: "", name: "", settings: { take_back: "game_master", reroll: "game_master", typed_dice: true }, created: 0, script: 0 });
  you: Member = $state({ id: "", name: "", role: "player", bot: false, gone: false });
  members: Member[] = $state([]);
  online: string[] = $state([]);
  sheets: Sheet[] = $state([]);
  saved: Saved[] = $state([]);
  /** Newest first. */
  executions: Execution[] = $state.raw([]);
  script: TableScript | null = $state.raw(null);
  /** Whether somebody has just come in by the door. */
  joined = false;
  contact: Contact = $state("connecting");
  trouble: string | null = $state(null);
  /** Requests that are on their way. */
  pending = $state(0);
  said = $state("");
  undo: Undo | null = $state.raw(null);
  #regret: ReturnType<typeof setTimeout> | undefined;
  /** What was rolled from this page, newest first: arrow up brings it back. */
  past: Draft[] = [];
  /** Whether there are earlier rolls than those that are shown. */
  more = $state(false);
  #live: Live | null = null;

  constructor(readonly id: string) {}

  get master(): boolean {
    return this.you.role === "game_master";
  }

  get player(): boolean {
    return this.you.role !== "spectator";
  }

  /** Whether you may type in dice that you rolled by hand. */
  get mayType(): boolean {
    return this.master || this.table.settings.typed_dice;
  }

  /** Whether you may roll single dice of a roll again, or set them. */
  mayChange(execution: Execution): boolean {
    const own = this.table.settings.reroll === "owner" && execution.member === this.you.id;
    return this.player && !execution.closed && !execution.hidden && (this.master || own);
  }

  /** Decisions that wait for you, oldest first. */
  decisions = $derived.by(() =>
    [...this.executions].reverse().flatMap((one) => (ran(one.shown?.outcome)?.options ?? []).filter((option) => this.duty(one, option).open).map((option) => ({ number: one.number, option }))),
  );

  name(id: string): string {
    return visible(this.members.find((member) => member.id === id)?.name ?? "somebody");
  }

  path(rest = ""): string {
    return `tables/${this.id}${rest}`;
  }

  /** Finds out whether this browser has a seat, without asking for what it may not have. */
  async open(): Promise<void> {
    try {
      const seats = await get<{ id: string }[]>("tables");
      if (seats.some((seat) => seat.id === this.id)) await this.enter();
      else this.phase = "door";
    } catch (error) {
      this.fail(error);
      this.phase = "failed";
    }
  }

  async enter(): Promise<void> {
    const state = await get<State>(this.path());
    this.#take(state);
    this.phase = "in";
    this.#live?.end();
    this.#live = new Live(this.id, state.last_event, (data) => this.hear(JSON.parse(data) as News), (contact) => (this.contact = contact), () => this.#checked());
    await this.#readScript();
  }

  close(): void {
    this.#live?.end();
  }

  /** Your seat is gone. */
  left(): void {
    this.#live?.end();
    this.phase = "out";
  }

  #take(state: State): void {
    this.table = state.table;
    this.you = state.you;
    this.members = state.members;
    this.online = state.online;
    this.sheets = state.objects;
    this.saved = state.saved;
    this.executions = state.executions;
    this.more = (state.executions.at(-1)?.number ?? 1) > 1;
    const own = state.executions.filter((one) => one.member === state.you.id && one.shown?.kind === "roll");
    this.past = own.map(({ shown, visibility }) => ({ text: shown!.text ?? "", notation: shown!.notation ?? "tabletop", label: shown!.label ?? "", visibility, dice: [], vars: shown!.vars ?? {} }));
  }

  /** The stream ended: because of the network, or because the seat is gone? */
  async #checked(): Promise<void> {
    try {
      const seats = await get<{ id: string }[]>("tables");
      if (seats.some((seat) => seat.id === this.id)) return;
      this.#live?.end();
      this.phase = "out";
    } catch {
      // The network: the stream tries again by itself.
    }
  }

  async #readScript(): Promise<void> {
    if (this.table.script === 0) {
      this.script = null;
      return;
    }
    try {
      this.script = await get<TableScript>(this.path("/script"));
    } catch (error) {
      this.fail(error);
    }
  }

  async earlier(): Promise<void> {
    await this.try(async () => {
      const found = await get<Execution[]>(this.path(`/executions?before=${this.executions.at(-1)?.number ?? 1}&limit=50`));
      found.forEach((one) => this.put(one));
      this.more = (found.at(-1)?.number ?? 1) > 1;
    });
  }

  hear(news: News): void {
    switch (news.kind) {
      case "execution":
        this.put(news.execution, true);
        break;
      case "member":
        for (const member of news.members ?? [news.member]) this.#member(member);
        break;
      case "object":
        if (news.object && !news.object.deleted) this.sheets = placed(this.sheets, news.object, (old, now) => old.version <= now.version);
        else this.sheets = this.sheets.filter((sheet) => sheet.id !== (news.gone ?? news.object?.id));
        break;
      case "saved":
        if (news.saved && !news.saved.deleted) this.saved = placed(this.saved, news.saved);
        else this.saved = this.saved.filter((saved) => saved.id !== (news.gone ?? news.saved?.id));
        break;
      case "script":
        this.table = { ...this.table, script: news.number };
        void this.#readScript();
        break;
      case "table":
        if (news.table) this.table = news.table;
        if (!news.deleted) break;
        this.#live?.end();
        this.phase = "gone";
        break;
      case "presence":
        this.online = news.online;
        break;
      case "pack":
        void get<State>(this.path()).then((state) => ((this.saved = state.saved), (this.table = state.table)), (error: unknown) => this.fail(error));
        break;
    }
  }

  #member(member: Member): void {
    const known = this.members.some((one) => one.id === member.id);
    this.members = placed(this.members, member);
    if (!known) {
      this.said = `${visible(member.name)} has joined`;
      this.#here(member.id);
    }
    if (member.id !== this.you.id) return;
    this.you = member;
    if (member.gone) {
      this.#live?.end();
      this.phase = "out";
    }
  }

  /** Whoever does something is here, before the server counts again. */
  #here(id: string): void {
    if (!this.online.includes(id)) this.online = [...this.online, id];
  }

  /** Takes a roll in, unless what is known of it is newer. */
  put(execution: Execution, aloud = false): void {
    const old = this.executions.find((one) => one.number === execution.number);
    if (old && (old.version > execution.version || (old.version === execution.version && old.updated > execution.updated))) return;
    const others = this.executions.filter((one) => one.number !== execution.number);
    this.executions = [...others, execution].sort((a, b) => b.number - a.number);
    if (!aloud) return;
    if (!old) this.#here(execution.member);
    if (!old || old.version < execution.version) this.said = this.#aloud(execution);
  }

  #aloud(execution: Execution): string {
    const who = execution.member === this.you.id ? "You" : this.name(execution.member);
    const shown = execution.shown;
    if (!shown) return `${who} rolled in secret`;
    const run = ran(shown.outcome);
    const waiting = (run?.options ?? []).filter((option) => this.duty(execution, option).open).length;
    const what = run ? `${visible(shown.title ?? "")}: ${visible(lines(run.tree).slice(-1).join(""))}` : `${visible(shown.label ?? shown.text ?? "")}: ${visible(rolled(shown.outcome)?.text ?? "")}`;
    return `${who} rolled ${what}${waiting > 0 ? `. ${waiting} for you to decide` : ""}`;
  }

  duty(execution: Execution, option: Option): Duty {
    const shown = execution.shown;
    const owner = shown?.owners?.[option.path] ?? "";
    const given = shown?.answers?.[option.path];
    const mine = owner === this.you.id || (owner === "" && this.master);
    const seen = given !== undefined && JSON.stringify(given.value) !== JSON.stringify(option.default);
    const locked = execution.closed || (seen && !this.master && this.table.settings.take_back === "game_master");
    const whose = owner === "" ? "The game master" : this.name(owner);
    const by = given && (given.by === this.you.id ? "you" : this.name(given.by));
    const words = given ? `Decided by ${by}` : mine ? "Your decision" : `${whose} decides`;
    return { open: mine && !given && !execution.closed && this.player, may: (mine || this.master) && this.player && !locked, answered: given !== undefined, instead: mine ? null : whose, words };
  }

  async roll(draft: Draft): Promise<Trouble | null> {
    const body: Record<string, unknown> = { text: draft.text, notation: draft.notation, visibility: draft.visibility };
    if (draft.label.trim()) body.label = draft.label.trim();
    if (draft.dice.length > 0) body.dice = draft.dice;
    if (Object.keys(draft.vars).length > 0) body.vars = draft.vars;
    const trouble = await this.try(async () => this.put(await once<Execution>(this.path("/rolls"), body), true), false);
    if (!trouble) this.past = [draft, ...this.past.filter((one) => one.text !== draft.text || one.label !== draft.label)].slice(0, 100);
    return trouble;
  }

  /** The same expression once more, with its label and for the same eyes. */
  async again(execution: Execution): Promise<void> {
    const { text, notation, label, vars } = execution.shown!;
    const trouble = await this.roll({ text: text ?? "", notation: notation ?? "tabletop", label: label ?? "", visibility: execution.visibility, dice: [], vars: vars ?? {} });
    if (trouble) this.fail(trouble);
  }

  async run(entry: string, args: Record<string, unknown>, visibility: Visibility, dice: number[]): Promise<Trouble | null> {
    const body = { entry, args, visibility, ...(dice.length > 0 ? { dice } : {}) };
    return this.try(async () => this.put(await once<Execution>(this.path("/runs"), body), true), false);
  }

  async answer(execution: Execution, option: Option, value: unknown, dice: number[]): Promise<Trouble | null> {
    const body = { path: option.path, value, version: execution.version, ...(dice.length > 0 ? { dice } : {}) };
    return this.try(async () => this.put(await once<Execution>(this.path(`/executions/${execution.number}/answers`), body), true));
  }

  /** Rolls a die again, takes that back, or sets it; the first and the last can be taken back. */
  async die(execution: Execution, edit: DieEdit, words: string): Promise<Trouble | null> {
    const changed = (edit: DieEdit) => this.try(async () => this.put(await once<Execution>(this.path(`/executions/${execution.number}/dice`), edit), true));
    const trouble = await changed(edit);
    if (!trouble && edit.do !== "undo") this.offer({ what: words, back: async () => void (await changed({ do: "undo", path: edit.path, die: edit.die, index: edit.index })) });
    return trouble;
  }

  async worth(execution: Execution, option: Option): Promise<unknown[][]> {
    const found = await get<Worth>(this.path(`/executions/${execution.number}/worth?path=${encodeURIComponent(option.path)}`));
    return found.answers;
  }

  async apply(execution: Execution, index: number): Promise<void> {
    await this.try(async () => this.put(await once<Execution>(this.path(`/executions/${execution.number}/changes`), { index })));
  }

  async reveal(execution: Execution): Promise<void> {
    await this.try(async () => this.put(await send<Execution>("POST", this.path(`/executions/${execution.number}/reveal`), { visibility: "everyone" })));
  }

  async finish(execution: Execution): Promise<void> {
    await this.try(async () => this.put(await send<Execution>("POST", this.path(`/executions/${execution.number}/close`))));
  }

  /** Deletes something that can be restored, and offers to. */
  async remove(kind: "objects" | "saved", id: string, name: string): Promise<void> {
    await this.try(async () => {
      await send("DELETE", this.path(`/${kind}/${id}`));
      this.hear(kind === "objects" ? { kind: "object", gone: id } : { kind: "saved", gone: id });
      this.offer({ what: `${name} deleted`, back: async () => void (await this.try(async () => void (await send("POST", this.path(`/${kind}/${id}/restore`))))) });
    });
  }

  /** Offers to take something back, for a while. */
  offer(undo: Undo): void {
    clearTimeout(this.#regret);
    this.undo?.end?.();
    this.undo = undo;
    this.#regret = setTimeout(() => {
      this.undo = null;
      undo.end?.();
    }, REGRET);
  }

  async takeBack(): Promise<void> {
    clearTimeout(this.#regret);
    const undo = this.undo;
    this.undo = null;
    await undo?.back();
  }

  /** Does something at the server; what goes wrong is shown. */
  async try(what: () => Promise<void>, show = true): Promise<Trouble | null> {
    this.pending++;
    if (show) this.trouble = null;
    try {
      await what();
      return null;
    } catch (error) {
      if (show) this.fail(error);
      return error instanceof Trouble ? error : new Trouble("Something went wrong on this page; reload it.", 0, "page");
    } finally {
      this.pending--;
    }
  }

  fail(error: unknown): void {
    this.trouble = words(error);
  }
}

/** A list with one of its members replaced, or one more. */
function placed<T extends { id: string }>(list: T[], one: T, newer: (old: T, now: T) => boolean = () => true): T[] {
  const at = list.findIndex((other) => other.id === one.id);
  if (at < 0) return [...list, one];
  return newer(list[at]!, one) ? list.with(at, one) : list;
}
