import type { Kept } from "../../../data/kept.ts";

/** Arguments that a person keeps under a name, in this browser alone. */
export interface SavedInput {
  toolId: string;
  name: string;
  text: string;
}

/** Arguments may hold what is the tenant's alone: they go when the person logs out. */
const KEPT_AS = "inputs";
/** Of one tool and of all; the oldest go. */
const OF_TOOL_MAX = 20;
const ALL_MAX = 100;
export const NAME_CHARS_MAX = 60;
/** Longer arguments are not kept: a browser has a few megabytes for all. */
export const TEXT_CHARS_MAX = 20_000;

type Store = Pick<Kept, "readOwn" | "keepOwn">;

const isInput = (value: unknown): value is SavedInput =>
  typeof value === "object" &&
  value !== null &&
  ["toolId", "name", "text"].every((field) => typeof (value as Record<string, unknown>)[field] === "string");

/** All that are kept, the newest last; what is no such list counts as none. */
function readAll(store: Store): SavedInput[] {
  try {
    const kept: unknown = JSON.parse(store.readOwn(KEPT_AS) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isInput) : [];
  } catch {
    // Whatever another program, or an earlier form, has left under the key.
    return [];
  }
}

const writeAll = (store: Store, inputs: readonly SavedInput[]): boolean =>
  store.keepOwn(KEPT_AS, JSON.stringify(inputs.slice(-ALL_MAX)));

/** A tool's, the newest first. */
export const savedInputs = (store: Store, toolId: string): SavedInput[] =>
  readAll(store)
    .filter((input) => input.toolId === toolId)
    .toReversed();

/** Keeps one; what had the same name goes. */
export function saveInput(store: Store, input: SavedInput): void {
  const { toolId, name } = input;
  const others = readAll(store).filter((one) => one.toolId !== toolId || one.name !== name);
  const own = others.filter((one) => one.toolId === toolId);
  const oldest = new Set(own.slice(0, Math.max(0, own.length + 1 - OF_TOOL_MAX)));
  writeAll(store, [...others.filter((one) => !oldest.has(one)), input]);
}

export const forgetInput = (store: Store, { toolId, name }: SavedInput): void => {
  const others = readAll(store).filter((one) => one.toolId !== toolId || one.name !== name);
  writeAll(store, others);
};

/** Forgets all of one tool. */
export function forgetInputs(store: Store, toolId: string): void {
  const all = readAll(store);
  const others = all.filter((one) => one.toolId !== toolId);
  if (others.length < all.length) writeAll(store, others);
}
