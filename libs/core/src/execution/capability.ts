import type { Json, JsonObject } from "../json/json.ts";
import type { Permission } from "../tool/tool-definition.ts";
import type { OpenedService } from "../secret/service-configs.ts";
import type { EffectRefusal } from "./effect.ts";
import type { EgressSession } from "./egress.ts";
import type { ClaimedExecution } from "./execution-store.ts";

/**
 * What a tool may ask of the worker beside requests and calls: each family with the permission that gives it; null where none
 * does, and only a call of a tool that comes with the platform asks it.
 */
export const CAPABILITY_PERMISSIONS = {
  data: "database",
  files: "filesystem",
  memory: "filesystem",
  shell: "shell",
  db: "database",
  email: "email",
  schedule: "scheduling",
  nodes: "shell",
  gateway: null,
  browser: "network",
} as const satisfies Record<string, Permission | null>;
export type CapabilityName = keyof typeof CAPABILITY_PERMISSIONS;

export const isCapability = (name: string): name is CapabilityName =>
  Object.hasOwn(CAPABILITY_PERMISSIONS, name);

/** Families that have nothing in the guest: a built-in tool alone asks them, and a tool's own code calls that tool. */
const OF_BUILT_IN_TOOLS = ["memory", "nodes", "gateway", "browser"] as const satisfies CapabilityName[];
/** Those that a tool's own code asks too. */
export type CodeCapability = Exclude<CapabilityName, (typeof OF_BUILT_IN_TOOLS)[number]>;

/** Whether a tool's own code may ask the family, where it has its permission. */
export const isForCode = (name: CapabilityName): name is CodeCapability =>
  !OF_BUILT_IN_TOOLS.some((one) => one === name);

/** The families that these permissions give a tool's own code. */
export const familiesOf = (permissions: readonly Permission[]): CapabilityName[] =>
  Object.entries(CAPABILITY_PERMISSIONS).flatMap(([name, permission]) =>
    isCapability(name) && isForCode(name) && permissions.some((one) => one === permission) ? [name] : [],
  );

/** What one run may ask of all families together, be it itself or by built-in tools; tools that it calls have their own. */
export const CAPABILITY_CALLS_MAX = 1_000;

/** For whom it is done, by the execution's row: nothing that a guest says is in it. */
export interface CapabilityCaller {
  tenantId: string;
  executionId: string;
  /** The tool that asks. */
  toolName: string;
  /** Who made the call that the run belongs to. */
  agentId: string | null;
  userId: string | null;
  /** The services that the run was given, opened: those that its tool names. */
  services: readonly OpenedService[];
  /** The run's own way out; null without the permission for it. */
  way: CapabilityWay | null;
  /** What is known of the run, for what is let to it as its calls of other tools are. */
  run: CapabilityRun;
  /** Tells those who watch the run how far it is, with the run's secrets covered; unset where nobody can. */
  progress?: (value: Json) => void;
}

/** The way out of a run, for what a family sends on its behalf: within the run's hosts, and at its bill. */
export interface CapabilityWay {
  egress: EgressSession;
  /** Where that leads, in the words of a tool's `allowedHosts`. */
  allowedHosts: readonly string[] | null;
  /** An id for a request's body in that session, never given before. */
  nextBodyId(): number;
}

export interface CapabilityRun extends Pick<
  ClaimedExecution,
  | "tenantId"
  | "toolId"
  | "context"
  | "scopeAgentId"
  | "madeBy"
  | "byAgent"
  | "isAllowed"
  | "approvals"
  | "policyVersion"
> {
  /** The stored tools whose calls led to it, the first one first; null for one that is not stored. */
  callers: readonly (string | null)[];
}

export interface CapabilityRequest {
  operation: string;
  arguments: JsonObject;
  /** What is written, with the run's secrets covered; null: nothing. */
  content: string | Uint8Array | null;
  /** Variables of the tool's own record, for its own command: never the guest's to say, and as they are. */
  variables?: Readonly<Record<string, string>>;
}

/**
 * `content` is handed over as it is, the value as JSON. `shows`: the text that is seen in a content of no text, which is withheld
 * where that text holds what must be covered.
 */
export type CapabilityAnswer =
  | { ok: true; value: JsonObject; content?: string | Uint8Array; shows?: string }
  | { ok: false; code: EffectRefusal; message: string };

/** One family: its engine does what it is asked for the caller, whose permission was looked at. */
export interface CapabilityFamily {
  /** Every operation: whether it changes something, which must not happen twice. */
  readonly operations: ReadonlyMap<string, "reads" | "writes">;
  /**
   * Its answers come from outside, which may know the run's secrets: their values are covered before anything is handed over.
   * A content is none of text, but a picture or a document.
   */
  readonly coversAnswers?: true;
  /** The arguments are unchecked. Rejects only for a fault of ours. */
  run(request: CapabilityRequest, caller: CapabilityCaller, signal: AbortSignal): Promise<CapabilityAnswer>;
}

/** The families whose engines are there, at this moment. */
export type CapabilityFamilies = {
  readonly [Name in CapabilityName]?: CapabilityFamily | undefined;
};

/** Asks a family for the run that calls, within its bounds; the same way for its own code and for a built-in tool. */
export type AskCapability = (
  family: CapabilityName,
  operation: string,
  args: JsonObject,
  content: string | Uint8Array | null,
  signal: AbortSignal,
) => Promise<CapabilityAnswer>;
