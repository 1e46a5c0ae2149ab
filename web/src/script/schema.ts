// What a script offers: its rolls, and the types of their arguments, as JSON Schema.

export interface Schema {
  title?: string;
  description?: string;
  type?: "integer" | "boolean" | "string" | "array" | "object";
  format?: "dice";
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  default?: unknown;
  $ref?: string;
  "x-order"?: string[];
  "x-docs"?: Record<string, string>;
}

export interface Entry {
  title: string;
  name: string;
  doc: string;
  arguments: Schema;
  result: Schema | null;
}

export interface Offer {
  version: string;
  $defs: Record<string, Schema>;
  rolls: Entry[];
}

/** A schema without its reference; what stands beside a reference is kept. */
export function resolved(schema: Schema, offer: Offer): Schema {
  const name = schema.$ref?.replace("#/$defs/", "");
  return name === undefined ? schema : { ...offer.$defs[name], ...schema, $ref: undefined };
}

/** More levels than this are not opened: a type can hold itself in a list. */
const DEEPEST = 8;

/** A value to begin with: the defaults, or what was there before as far as it fits. */
export function begun(schema: Schema, offer: Offer, before: unknown = undefined, depth = 0): unknown {
  const kind = resolved(schema, offer);
  if (kind.enum) return kind.enum.includes(before as string) ? before : (kind.default ?? kind.enum[0]);
  switch (kind.type) {
    case "integer":
      return Number.isSafeInteger(before) ? before : (kind.default ?? 0);
    case "boolean":
      return typeof before === "boolean" ? before : (kind.default ?? false);
    case "array":
      return Array.isArray(before) && kind.items && depth < DEEPEST ? before.map((one) => begun(kind.items!, offer, one, depth + 1)) : (kind.default ?? []);
    case "object": {
      const own = (typeof before === "object" && before !== null ? before : {}) as Record<string, unknown>;
      const extra = Object.entries(own).filter(([name]) => name.startsWith("$"));
      const fields = fieldsOf(kind).map((name) => [name, depth < DEEPEST ? begun(kind.properties![name]!, offer, found(own, name), depth + 1) : null]);
      return Object.fromEntries([...fields, ...extra]);
    }
    default:
      return typeof before === "string" ? before : (kind.default ?? "");
  }
}

/** Names of scripts have no upper and lower case. */
function found(own: Record<string, unknown>, name: string): unknown {
  const key = Object.keys(own).find((key) => key.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : own[key];
}

export function fieldsOf(schema: Schema): string[] {
  return schema["x-order"] ?? Object.keys(schema.properties ?? {});
}
