import {
  configPlaceOf,
  MCP_DESCRIPTION_CHARS_MAX,
  MCP_TOOL_NAME_CHARS_MAX,
  mcpPin,
  RETRY_BACKOFF_MS_DEFAULT,
  RUN_LIMITS_DEFAULT,
  RUN_LIMITS_MAX,
  TOOL_TITLE_CHARS_MAX,
  type FollowingChange,
  type JsonObject,
  type McpOffer,
  type McpServer,
  type PinnedOffer,
  type RetryPolicy,
  type Scrubber,
  type ToolDefinition,
} from "@bulkhead/core";

/** Covers what a server says of its tools, which may hold the secrets that it is given. */
export type OfferCover = Pick<Scrubber, "text" | "json">;

/** Why a tool of this name can't be taken; null where it can. */
export function nameFault(name: string): string | null {
  if (name === "" || name.length > MCP_TOOL_NAME_CHARS_MAX)
    return `its name must have 1 to ${MCP_TOOL_NAME_CHARS_MAX} characters`;
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(name) ? "its name has characters that nobody sees" : null;
}

/** What its tenant's setup of the server says of each of its tools. */
export function setupOf(
  server: McpServer,
): Pick<ToolDefinition, "permissions" | "allowedHosts" | "services" | "limits"> {
  const { url, timeoutMs } = server;
  return {
    permissions: url === null ? [] : ["network"],
    allowedHosts: url === null ? [] : [new URL(url).host],
    services: servicesNamed(server),
    limits: { ...RUN_LIMITS_DEFAULT, wallMs: timeoutMs, resultBytes: RUN_LIMITS_MAX.resultBytes },
  };
}

/** The services of the Config Center whose fields the server is given, sorted and each once. */
export function servicesNamed({ env, headers }: Pick<McpServer, "env" | "headers">): string[] {
  const named = [...Object.values(env), ...Object.values(headers)].flatMap((value) =>
    typeof value === "string" ? [] : [configPlaceOf(value).service],
  );
  return [...new Set(named)].toSorted();
}

/**
 * The version that an offer makes: nothing of it runs here, and its code says so where it does. All that the server says is
 * covered and bounded.
 */
export function definitionOffered(server: McpServer, offer: McpOffer, cover: OfferCover): ToolDefinition {
  const schema = (json: JsonObject): JsonObject =>
    JSON.parse(cover.json(JSON.stringify(json).replaceAll(UNSEEN, ""))) as JsonObject;
  return {
    ...setupOf(server),
    code: `throw new Error(${JSON.stringify(`Calls of "${offer.name}" go to the MCP server ${server.name}, and not here.`)});`,
    language: "javascript",
    compiled: null,
    parameters: schema(offer.inputSchema),
    outputSchema: offer.outputSchema && schema(offer.outputSchema),
    pinned: {
      server: server.name,
      tool: offer.name,
      pin: mcpPin(offer),
      title: textOf(offer.title ?? "", TOOL_TITLE_CHARS_MAX, cover) || null,
      description: textOf(offer.description, MCP_DESCRIPTION_CHARS_MAX, cover),
      annotations: offer.annotations,
    },
  };
}

/**
 * What no column takes, and what nobody sees but models read, such as tags and marks of direction; not ends of lines, tabs
 * and the joiners that scripts need.
 */
const UNSEEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\u{e0100}-\u{e01ef}]/gu;

/** Without what nobody sees, which goes first: within a secret it would keep it from being covered. */
const textOf = (said: string, charsMax: number, cover: OfferCover): string =>
  cover.text(said.replaceAll(UNSEEN, "")).slice(0, charsMax).toWellFormed().trim();

/** What a tool is like while the version with this offer runs. A server's word that it only reads is believed: it is pinned. */
export function followingOf({ tool, title, description, annotations }: PinnedOffer) {
  const reads = annotations?.readOnlyHint === true;
  const idempotent = reads || annotations?.idempotentHint === true;
  return {
    title,
    description: description || `The tool ${tool}, of which its server says nothing.`,
    annotations,
    requiresApproval: !reads,
    idempotent,
    retry: idempotent ? RETRY_LOST : null,
  } satisfies FollowingChange;
}

/** Tries of a call in all, where another one does no harm. */
const CALL_TRIES_MAX = 3;
const RETRY_LOST: RetryPolicy = {
  attempts: CALL_TRIES_MAX,
  backoffMs: RETRY_BACKOFF_MS_DEFAULT,
  on: ["mcp.unreachable", "mcp.connection_lost"],
};
