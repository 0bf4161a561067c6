import type { Tool } from "@bulkhead/client";
import { draftKey, type Kept } from "../../data/kept.ts";
import { isObject } from "../../format/json-object.ts";
import { merged } from "./differences.ts";
import { changedFields, DRAFT_FIELDS, type Draft, type DraftField, draftOf } from "./draft.ts";

/** What somebody wrote and did not save, with what it began with. */
export interface KeptDraft {
  draft: Draft;
  base: Draft;
  /** Of the tool that it changes; null: there is none yet. */
  version: number | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** A browser has a few megabytes for all; code has 256 KiB at most, and stands in a draft twice. */
const CHARS_MAX = 1_000_000;
/** Older ones are forgotten. */
const AGE_MS_MAX = 30 * 86_400_000;

export type OwnStore = Pick<Kept, "readOwn" | "keepOwn" | "forgetOwn">;

const isText = (value: unknown): boolean => typeof value === "string";
/** While somebody writes a schema as JSON it may be any value. */
const isAny = (): boolean => true;
const isTurned = (value: unknown): boolean => typeof value === "boolean";
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** What each field holds, as far as the page relies on it to show the draft. */
const HOLDS: Readonly<Record<DraftField, (value: unknown) => boolean>> = {
  name: isText,
  title: isText,
  description: isText,
  category: isText,
  alias: isText,
  language: isText,
  code: isText,
  command: isText,
  workingDirectory: isText,
  timeoutSeconds: (value) => typeof value === "number",
  env: (value) => isObject(value) && Object.values(value).every((one) => one === null || isText(one)),
  parameters: isAny,
  outputSchema: isAny,
  permissions: areTexts,
  allowedHosts: areTexts,
  requiredConfigServices: (value) =>
    Array.isArray(value) && value.every((one) => isObject(one) && isText(one["name"])),
  requiredApiKeys: Array.isArray,
  limits: isObject,
  requiresApproval: isTurned,
  approval: isText,
  approvalCode: isText,
  annotations: isObject,
  idempotent: isTurned,
  applyDefaults: isTurned,
  retry: isObject,
  dispatch: isObject,
  retention: isObject,
  metadata: isObject,
  createdBy: isText,
  agentId: isText,
};
const NEEDED: readonly DraftField[] = ["name", "description", "code", "parameters"];

/** Whether it can be shown as a draft; another version of the console may have written it. */
const isDraft = (value: unknown): value is Draft =>
  isObject(value) &&
  DRAFT_FIELDS.every((field) =>
    value[field] === undefined ? !NEEDED.includes(field) : HOLDS[field](value[field]),
  );

/** The last moment that a date tells; milliseconds since 1970. */
const AT_MAX = 8.64e15;
const isMoment = (at: unknown): at is number => typeof at === "number" && Math.abs(at) <= AT_MAX;

function parsed(text: string): KeptDraft | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return null;
    const { draft, base, version, at } = value;
    if (!isDraft(draft) || !isDraft(base) || !isMoment(at)) return null;
    return { draft, base, version: typeof version === "number" ? version : null, at };
  } catch {
    // Cut off, or of another program.
    return null;
  }
}

/** The draft of a tool, or of a new one, as far as there is one that is not too old. */
export function readDraft(store: OwnStore, toolId: string | null, now: number): KeptDraft | null {
  const kept = parsed(store.readOwn(draftKey(toolId)) ?? "");
  return kept === null || now - kept.at > AGE_MS_MAX ? null : kept;
}

/** Values of variables are secrets, which no browser keeps: their names stay. */
const withoutValues = (draft: Draft): Draft =>
  draft.env === undefined
    ? draft
    : { ...draft, env: Object.fromEntries(Object.keys(draft.env).map((name) => [name, null])) };

const hasValues = ({ env = {} }: Draft): boolean => Object.values(env).some((value) => value !== null);

/**
 * False: it is not kept beyond the page as it stands; it is too large, the browser refuses, or it has values of variables,
 * which are left out.
 */
export function keepDraft(store: OwnStore, toolId: string | null, kept: KeptDraft): boolean {
  const draft = withoutValues(kept.draft);
  const text = JSON.stringify({ ...kept, draft, base: withoutValues(kept.base) });
  if (text.length <= CHARS_MAX) return store.keepOwn(draftKey(toolId), text) && !hasValues(kept.draft);
  store.forgetOwn(draftKey(toolId));
  return false;
}

/** Of a tool that was just made, what was written after it was sent; null: nothing. */
export function laterDraft(tool: Tool, sent: Draft, written: Draft, now: number): KeptDraft | null {
  if (changedFields(sent, written).length === 0) return null;
  const base = draftOf(tool);
  return { draft: merged(sent, written, base), base, version: tool.version, at: now };
}

export const forgetDraft = (store: OwnStore, toolId: string | null): void =>
  store.forgetOwn(draftKey(toolId));
