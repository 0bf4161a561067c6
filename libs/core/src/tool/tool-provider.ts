import type { Json, JsonObject } from "../json/json.ts";
import type { EffectRefusal } from "../execution/effect.ts";
import type { EgressSession } from "../execution/egress.ts";

/** The names of the tools that come with the platform; no tenant's tool may take one. */
export const BUILT_IN_TOOL_NAMES = ["web_fetch"] as const;
export type BuiltInToolName = (typeof BUILT_IN_TOOL_NAMES)[number];

/** A tool that comes with the platform, as tools and models are shown it. */
export interface ProvidedTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: JsonObject;
  /** Then only a tool with the permission `network` is shown it; another's call is refused. */
  needsNetwork: boolean;
}

/** The resources of a provided tool's call: all of them are its caller's. */
export interface ProvidedCall {
  /** The calling tenant; shared resources are shared fairly among tenants. */
  tenantId: string;
  /** Null where the caller has no network permission. */
  egress: EgressSession | null;
  /** An id for a request's body in that session, never given before. */
  nextBodyId(): number;
  /** Fires when the caller ends, wants no answer any more, or has it. */
  signal: AbortSignal;
}

export type ProvidedAnswer = { ok: true; value: Json } | { ok: false; code: EffectRefusal; message: string };

/** Tools that are not a tenant's but part of the platform; their code is trusted, what they read is not. */
export interface ToolProvider {
  listTools(): readonly ProvidedTool[];
  /** The arguments are valid by the tool's schema. Never rejects. */
  callTool(name: string, args: JsonObject, call: ProvidedCall): Promise<ProvidedAnswer>;
  /** Safe to call again. */
  close(): Promise<void>;
}
