import type { BulkheadError, ConfigEntry, ConfigService } from "@bulkhead/client";

export type Field = ConfigService["configSchema"][number];
export type SecretFacts = Extract<ConfigEntry["data"][string], object>;
type Value = string | number | boolean | null;

/** What stands in a form's controls, by field; a secret's is what was typed anew. */
export type Typed = Readonly<Record<string, string>>;

/** Taken away by the form's own box, since an empty password means that the secret stays. */
export const TAKEN_AWAY = "\0";

export const isSecret = (value: ConfigEntry["data"][string] | undefined): value is SecretFacts =>
  typeof value === "object";

/** A form's texts for an entry as it is; secrets begin empty. */
export const typedOf = (fields: readonly Field[], entry: ConfigEntry | undefined): Typed =>
  Object.fromEntries(
    fields.map(({ name }) => {
      const value = entry?.data[name];
      return [name, value === undefined || isSecret(value) ? "" : String(value)];
    }),
  );

/**
 * The values that a form says: those that differ from what the entry has. What was emptied is taken away (null); a secret
 * that was left empty stays.
 */
export function dataOf(
  fields: readonly Field[],
  typed: Typed,
  entry: ConfigEntry | undefined,
): Record<string, Value> {
  const before = typedOf(fields, entry);
  const said = fields.flatMap(({ name, type }) => {
    const text = typed[name] ?? "";
    if (text === before[name]) return [];
    const value = text === "" || text === TAKEN_AWAY ? null : read(type, text);
    return value === null && entry?.data[name] === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(said);
}

function read(type: Field["type"], text: string): Value {
  if (type === "boolean") return text === "true";
  // What is no number goes as the text that it is, for the server to say what it expects.
  if (type === "number") return Number.isNaN(Number(text)) ? text : Number(text);
  return text;
}

/** What the server says of each field's value. */
export function faultsOf(error: BulkheadError | null): Readonly<Record<string, string>> {
  const faults = (error?.errors ?? []).map(
    ({ path, message }) => [path.replace(/^data\./, ""), message.replace(WEAK_ADVICE, "")] as const,
  );
  return Object.fromEntries(faults);
}

const WEAK_ADVICE = /;? ?(it would be covered wherever|Use a stronger one|say allowWeak).*$/s;

/** Whether all that the server has against the values is that some secret is weak: it takes them when asked to. */
export const isOnlyWeak = (error: BulkheadError | null): boolean =>
  error !== null &&
  error.errors.length > 0 &&
  error.errors.every(({ message }) => message.includes("allowWeak"));
