import {
  ERASABLE_PARTS,
  EFFECT_REFUSALS,
  OUTCOME_CODES,
  PERMISSIONS,
  RETRY_BACKOFF_MS_DEFAULT,
  RETRYABLE_CODES,
  RUN_LIMITS_DEFAULT,
  TENANT_LIMITS_DEFAULT,
  TOOL_HINTS,
  type CallContext,
  type ExecutionError,
  type InlineTool,
  type JsonObject,
  type McpToolRef,
  type ErasablePart,
  type Permission,
  type PinnedOffer,
  type RecordedCommand,
  type RecordedFetch,
  type RequiredApiKey,
  type Retention,
  type RetryPolicy,
  type RunLimits,
  type TenantLimits,
  type ToolCommand,
  type ToolDispatch,
  type ToolHints,
  type Timings,
  type Usage,
} from "@bulkhead/core";
import type { Prisma } from "./generated/client.ts";

/** JSON as the client's rows have it, and the rows of statements with them. */
export type Json = Prisma.JsonValue;

// Stored JSON was written by this build, an older or a newer one. Each reader takes what it knows, leaves
// out what it doesn't, and fills in what is missing, so that an old row is never a failure.

/**
 * A document for the client, which drops keys named `__proto__`: no request may have one, but what tools return and what
 * they call others with may, so that is stored by SQL.
 */
export const jsonInput = (value: object): Prisma.InputJsonValue => value;

const NO_USAGE: Readonly<Usage> = { cpuMs: 0, wallMs: 0, memoryPeakMib: 0, networkRequests: 0 };
const CONTEXT_FIELDS = [
  "callId",
  "conversationId",
  "userId",
  "sessionKey",
  "channel",
  "chatId",
  "peerKind",
  "agentId",
  "provider",
  "group",
] as const satisfies readonly (keyof CallContext)[];
const REQUIRED_KEY_FIELDS = ["displayName", "description", "category", "docsUrl"] as const;

/** An object as it is; anything else as an empty one. */
export const readObject = (json: Json): JsonObject => (isObject(json) ? json : {});

const isObject = (json: Json): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json);

/** The numbers of `defaults`' fields, each from the JSON where it has one. */
function readNumbers<T extends object>(json: Json, defaults: T): { [K in keyof T]: T[K] } {
  const stored = readObject(json);
  const read: T = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof T & string)[]) {
    const value = stored[name];
    if (typeof value === "number") read[name] = value as T[typeof name];
  }
  return read;
}

function readTexts<K extends string>(json: Json, names: readonly K[]): Partial<Record<K, string>> {
  const stored = readObject(json);
  const read: Partial<Record<K, string>> = {};
  for (const name of names) {
    const value = stored[name];
    if (typeof value === "string") read[name] = value;
  }
  return read;
}

export const readRunLimits = (json: Json): RunLimits => readNumbers(json, RUN_LIMITS_DEFAULT);
export const readTenantLimits = (json: Json): TenantLimits => readNumbers(json, TENANT_LIMITS_DEFAULT);
export function readUsage(json: Json): Usage {
  const { capabilityCalls } = readObject(json);
  const usage = readNumbers(json, NO_USAGE);
  return typeof capabilityCalls === "number" ? { ...usage, capabilityCalls } : usage;
}

export function readContext(json: Json): CallContext {
  const { subagentDepth } = readObject(json);
  const texts = readTexts(json, CONTEXT_FIELDS);
  return typeof subagentDepth === "number" ? { ...texts, subagentDepth } : texts;
}

export function readTimings(json: Json): Timings {
  const steps = Object.entries(readObject(json));
  return Object.fromEntries(steps.filter((step): step is [string, number] => typeof step[1] === "number"));
}

/** A code that this build does not know reads as `tool.threw`: the execution did fail, and the text says how. */
export function readError(json: Json): ExecutionError | null {
  if (json === null) return null;
  const { code, message, retryAfterMs, refusal: said } = readObject(json);
  const refusal = EFFECT_REFUSALS.find((known) => known === said);
  return {
    code: OUTCOME_CODES.find((known) => known === code) ?? "tool.threw",
    message: typeof message === "string" ? message : "",
    ...(typeof retryAfterMs === "number" ? { retryAfterMs } : {}),
    ...(refusal === undefined ? {} : { refusal }),
  };
}

export function readInlineTool(json: Json): InlineTool | null {
  if (json === null) return null;
  const {
    code,
    permissions,
    limits,
    allowedHosts,
    outputSchema = null,
    services,
    rehearsal,
    shell,
  } = readObject(json);
  return {
    code: typeof code === "string" ? code : "",
    permissions: readPermissions(Array.isArray(permissions) ? permissions : []),
    limits: readRunLimits(limits ?? null),
    allowedHosts: readAllowedHosts(allowedHosts ?? null),
    outputSchema: outputSchema === null ? null : readObject(outputSchema),
    services: readTextList(services),
    ...readToolCommand(shell ?? null),
    // A rehearsal stays one whatever is stored in it: a run that was accepted to do nothing outside does nothing outside.
    ...(rehearsal === undefined ? {} : { rehearsal: readRehearsal(readObject(rehearsal)) }),
  };
}

function readRehearsal({ services, recorded }: JsonObject): NonNullable<InlineTool["rehearsal"]> {
  const names = readTextList(services);
  if (recorded === undefined) return { services: names };
  const { fetch, calls, commands } = readObject(recorded);
  const answers = {
    fetch: readList(fetch).map((answer) => ({ ...NO_ANSWER, ...answer })),
    calls: readList(calls).map((call) => ({ name: "", result: null, ...call })),
    commands: readList(commands).map((command) => ({ ...NO_OUTPUT, ...command })),
  };
  return { services: names, recorded: answers };
}

const NO_OUTPUT: RecordedCommand = { command: "", stdout: "", stderr: "", exitCode: 0 };
const NO_ANSWER: RecordedFetch = { method: "GET", url: "", status: 200, headers: {}, body: "" };

const readList = (json: Json | undefined): JsonObject[] => (Array.isArray(json) ? json.filter(isObject) : []);

export const readTextList = (json: Json | undefined): string[] =>
  Array.isArray(json) ? json.filter((entry) => typeof entry === "string") : [];

/** Codes that this build does not know are not retried. */
export function readRetry(json: Json): RetryPolicy | null {
  if (json === null) return null;
  const { on, factor, maxMs, jitter, delaysMs } = readObject(json);
  return {
    ...readNumbers(json, { attempts: 1, backoffMs: RETRY_BACKOFF_MS_DEFAULT }),
    ...(typeof factor === "number" ? { factor } : {}),
    ...(typeof maxMs === "number" ? { maxMs } : {}),
    ...(typeof jitter === "number" ? { jitter } : {}),
    ...(Array.isArray(delaysMs) ? { delaysMs: delaysMs.filter((ms) => typeof ms === "number") } : {}),
    on: RETRYABLE_CODES.filter((code) => Array.isArray(on) && on.includes(code)),
  };
}

/** A term that this build does not know is the shortest one. */
export function readRetention(json: Json): Retention | null {
  if (json === null) return null;
  const stored = readObject(json);
  const parts = ERASABLE_PARTS.filter((part) => (stored[part] ?? null) !== null);
  return Object.fromEntries(
    parts.map((part) => [part, typeof stored[part] === "number" ? stored[part] : "none"]),
  );
}

export const readErased = (parts: readonly string[] | null): ErasablePart[] =>
  parts === null ? [] : ERASABLE_PARTS.filter((part) => parts.includes(part));

export function readToolDispatch(json: Json): ToolDispatch | null {
  if (json === null) return null;
  const { maxConcurrent, perSecond } = readObject(json);
  return {
    ...(typeof maxConcurrent === "number" ? { maxConcurrent } : {}),
    ...(typeof perSecond === "number" ? { perSecond } : {}),
  };
}

/** Hints that this build does not know are left out. */
export function readToolHints(json: Json): ToolHints | null {
  if (json === null) return null;
  const stored = readObject(json);
  const hints = TOOL_HINTS.filter((hint) => typeof stored[hint] === "boolean");
  return Object.fromEntries(hints.map((hint) => [hint, stored[hint] === true]));
}

/** Only a missing list allows every host; what else is no list of texts allows none. */
function readAllowedHosts(json: Json): string[] | null {
  if (json === null) return null;
  return Array.isArray(json) ? json.filter((host) => typeof host === "string") : [];
}

/** A server's tool without either name is none. */
export function readMcpToolRef(json: Json): McpToolRef | null {
  const { server, tool } = readObject(json);
  return typeof server === "string" && typeof tool === "string" ? { server, tool } : null;
}

/** What was pinned of a server's tool, to be spread into its version; nothing where there is nothing. */
export function readPinned(json: Json): { pinned?: PinnedOffer } {
  const ref = readMcpToolRef(json);
  if (ref === null) return {};
  const { pin, title, description, annotations = null } = readObject(json);
  return {
    pinned: {
      ...ref,
      // No offer has an empty one: a call of it is refused as changed.
      pin: typeof pin === "string" ? pin : "",
      title: typeof title === "string" ? title : null,
      description: typeof description === "string" ? description : "",
      annotations: readToolHints(annotations),
    },
  };
}

export function readToolCommand(json: Json): { shell?: ToolCommand } {
  const { template, workingDirectory, env } = readObject(json);
  if (typeof template !== "string") return {};
  const said = Object.entries(readObject(env ?? null));
  const sealed = said.map(([name, value]) => [name, typeof value === "string" ? value : null] as const);
  const folder = typeof workingDirectory === "string" ? workingDirectory : "";
  return { shell: { template, workingDirectory: folder, env: Object.fromEntries(sealed) } };
}

/** A permission that this build does not know grants nothing. */
export const readPermissions = (stored: readonly Json[]): Permission[] =>
  PERMISSIONS.filter((permission) => stored.includes(permission));

export function readRequiredApiKeys(json: Json): RequiredApiKey[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap((entry) => {
    const { name } = readObject(entry);
    return typeof name === "string" ? [{ name, ...readTexts(entry, REQUIRED_KEY_FIELDS) }] : [];
  });
}
