import type { Json, JsonObject } from "../json/json.ts";
import type { EffectRefusal } from "../execution/effect.ts";
import type { EgressSession } from "../execution/egress.ts";
import type { AskCapability, CapabilityName } from "../execution/capability.ts";
import type { ServiceKind } from "../secret/service-kind.ts";
import type { Permission } from "./tool-definition.ts";
import type { ToolHints } from "./tool-hints.ts";
import type { TenantRole } from "../tenant/principal.ts";

const WEB_TOOL_NAMES = ["web_fetch", "web_search"] as const;
const DATA_TOOL_NAMES = ["data_get", "data_put", "data_query", "data_remove", "goals"] as const;
export const FILE_TOOL_NAMES = [
  "read_file",
  "write_file",
  "edit_file",
  "list_files",
  "search",
  "glob",
  "delete_file",
  "move_file",
  "file_exists",
  "file_info",
] as const;
const SHELL_TOOL_NAMES = ["exec", "process"] as const;
export type ShellToolName = (typeof SHELL_TOOL_NAMES)[number];
const SKILL_TOOL_NAMES = ["skill_search"] as const;
export type SkillToolName = (typeof SKILL_TOOL_NAMES)[number];
const MEMORY_TOOL_NAMES = ["memory_search", "memory_get"] as const;
const OUTSIDE_TOOL_NAMES = ["database_query", "message"] as const;
export type OutsideToolName = (typeof OUTSIDE_TOOL_NAMES)[number];
const BROWSER_TOOL_NAMES = ["browser"] as const;
export type BrowserToolName = (typeof BROWSER_TOOL_NAMES)[number];
const SCHEDULE_TOOL_NAMES = ["cron"] as const;
const GATEWAY_TOOL_NAMES = ["gateway"] as const;
export type GatewayToolName = (typeof GATEWAY_TOOL_NAMES)[number];
export type ScheduleToolName = (typeof SCHEDULE_TOOL_NAMES)[number];
const NODE_TOOL_NAMES = ["nodes"] as const;
export type NodeToolName = (typeof NODE_TOOL_NAMES)[number];
const CANVAS_TOOL_NAMES = ["canvas"] as const;
export type CanvasToolName = (typeof CANVAS_TOOL_NAMES)[number];
const MEDIA_TOOL_NAMES = ["image", "tts"] as const;
export type MediaToolName = (typeof MEDIA_TOOL_NAMES)[number];
export type WebToolName = (typeof WEB_TOOL_NAMES)[number];
export type DataToolName = (typeof DATA_TOOL_NAMES)[number];
export type FileToolName = (typeof FILE_TOOL_NAMES)[number];
export type MemoryToolName = (typeof MEMORY_TOOL_NAMES)[number];

/** The names of the tools that come with the platform; no new tool of a tenant's may take one. One that has it keeps it, and is called by it. */
export const BUILT_IN_TOOL_NAMES = [
  ...WEB_TOOL_NAMES,
  ...FILE_TOOL_NAMES,
  ...MEMORY_TOOL_NAMES,
  ...SHELL_TOOL_NAMES,
  ...DATA_TOOL_NAMES,
  ...SKILL_TOOL_NAMES,
  ...OUTSIDE_TOOL_NAMES,
  ...SCHEDULE_TOOL_NAMES,
  ...NODE_TOOL_NAMES,
  ...CANVAS_TOOL_NAMES,
  ...MEDIA_TOOL_NAMES,
  ...GATEWAY_TOOL_NAMES,
  ...BROWSER_TOOL_NAMES,
] as const;
export type BuiltInToolName = (typeof BUILT_IN_TOOL_NAMES)[number];

export const isBuiltInToolName = (name: string): name is BuiltInToolName =>
  BUILT_IN_TOOL_NAMES.some((known) => known === name);

/** A tool that comes with the platform, as tools and models are shown it. */
export interface ProvidedTool {
  name: string;
  title: string;
  description: string;
  /** The policy's group that it is in. */
  group: string;
  /** JSON Schema of the arguments. */
  parameters: JsonObject;
  annotations: ToolHints;
  /** Only a tool with this permission is shown it; another's call is refused. Null: any tool. */
  needs: Permission | null;
  /** What a call needs beside that where it has these arguments; unset: nothing. */
  argumentNeeds?: Readonly<Record<string, Permission>>;
  /** What lets an agent call it: that its policy has it, where nobody says otherwise, or alone a word of it by its name. */
  letBy: "policy" | "name";
  /**
   * The roles of the keys whose own call alone runs it, an access token's not among them: no tool or script may call it. Unset: a
   * call of any key that may run tools, and of a tool that may.
   */
  onlyForKeys?: readonly TenantRole[];
  /** What it works by, which is not there in every deployment; null: by nothing. */
  capability: CapabilityName | null;
  /** What some calls use, as nobody knows before they run: a call of its own is given these too, and a tool that calls it may lack them. */
  mayUse?: readonly Permission[];
  /** Where a call of it runs longer than other tools may; unset: not. Milliseconds, within the tenant's ceiling. */
  wallMs?: number;
  /** Where a call of it sends more requests than other tools may; unset: not. Within the tenant's ceiling. */
  networkRequests?: number;
  /** Where a call of it takes in or gives more bytes than other tools may; unset: not. Within the tenant's ceiling. */
  bytesIn?: number;
  resultBytes?: number;
  /** The argument that names the service which a call of its own is given; unset: it is given none. */
  serviceArgument?: string;
  /** The kinds of services that it may name: who is shown the tool is told which ones the tenant has. */
  serviceKinds?: readonly ServiceKind[];
}

/** The permissions that a call with these arguments needs. */
export function permissionsOfCall(
  { needs, argumentNeeds = {} }: Pick<ProvidedTool, "needs" | "argumentNeeds">,
  args: JsonObject,
): Permission[] {
  const ofArguments = Object.entries(argumentNeeds).flatMap(([name, permission]) =>
    Object.hasOwn(args, name) ? [permission] : [],
  );
  return [...new Set([...(needs === null ? [] : [needs]), ...ofArguments])];
}

/** The resources of a provided tool's call: all of them are its caller's. */
export interface ProvidedCall {
  /** The calling tenant; shared resources are shared fairly among tenants. */
  tenantId: string;
  /** Null where the caller has no network permission. */
  egress: EgressSession | null;
  /** Where that leads, in the words of a tool's `allowedHosts`. */
  allowedHosts: readonly string[] | null;
  /** Asks a capability, as the caller's own code would. */
  ask: AskCapability;
  /**
   * Covers the run's secrets in what nobody could find them in later, such as words that are drawn, or a text of which a part
   * is told. Rejects where nobody can.
   */
  cover(text: string): Promise<string>;
  /** An id for a request's body in that session, never given before. */
  nextBodyId(): number;
  /** Fires when the caller ends, wants no answer any more, or has it. */
  signal: AbortSignal;
}

export type ProvidedAnswer = { ok: true; value: Json } | { ok: false; code: EffectRefusal; message: string };

/** Tools that are not a tenant's but part of the platform; their code is trusted, what they read is not. */
export interface ToolProvider {
  /** Those that work here. */
  listTools(): readonly ProvidedTool[];
  /** Why a tool of the platform's is not among them, in a sentence for its caller; null where there is none of that name. */
  whyMissing(name: string): string | null;
  /** The arguments are valid by the tool's schema. Never rejects. */
  callTool(name: string, args: JsonObject, call: ProvidedCall): Promise<ProvidedAnswer>;
  /** Safe to call again. */
  close(): Promise<void>;
}
