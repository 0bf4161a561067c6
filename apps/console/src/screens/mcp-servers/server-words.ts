import type { McpServer, McpServerTool, Tool } from "@bulkhead/client";
import type { Tone } from "../../design/badge.tsx";

interface Look {
  name: string;
  tone: Tone;
}

const STATES: Readonly<Record<McpServer["state"], Look>> = {
  idle: { name: "Idle", tone: "calm" },
  connecting: { name: "Connecting", tone: "info" },
  connected: { name: "Connected", tone: "good" },
  waiting: { name: "Tries again", tone: "warn" },
  failed: { name: "Failed", tone: "bad" },
};

export const stateLook = ({ enabled, state }: Pick<McpServer, "enabled" | "state">): Look =>
  enabled ? STATES[state] : { name: "Disabled", tone: "calm" };

/** What a person may do about how the server is going; null: nothing is amiss. */
export function nextStepOf({ enabled, state }: Pick<McpServer, "enabled" | "state">): string | null {
  if (!enabled) return "None of its tools is called until it is enabled.";
  switch (state) {
    case "failed":
      return "Nobody tries any more. Mend what is said here, then refresh.";
    case "waiting":
      return "It is tried again by itself; refresh to try at once.";
    case "idle":
      return "Nobody needs it now: the next call connects. Refresh to take what it offers now.";
    case "connecting":
    case "connected":
      return null;
  }
}

/** A reason as a sentence: with a capital and a full stop; nothing stays nothing. */
export const sentence = (reason: string): string =>
  reason === ""
    ? ""
    : `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? "" : "."}`;

export const TRANSPORTS: Readonly<Record<McpServer["transport"], string>> = {
  "streamable-http": "Streamable HTTP",
  sse: "SSE (former protocol)",
  stdio: "Process (stdio)",
};

export const STANDINGS: Readonly<Record<McpServerTool["standing"], Look>> = {
  active: { name: "Active", tone: "good" },
  new: { name: "New, waits", tone: "warn" },
  changed: { name: "Changed, waits", tone: "warn" },
  blocked: { name: "Blocked", tone: "bad" },
  gone: { name: "Gone", tone: "calm" },
  off: { name: "Server is off", tone: "calm" },
};

const WAITING: readonly McpServerTool["standing"][] = ["new", "changed"];

/** Whether a person has to look at it before it is called. */
export const isWaiting = ({ standing }: McpServerTool): boolean => WAITING.includes(standing);

/** Those that wait for a person first, then by name. */
export const inOrder = (tools: readonly McpServerTool[]): McpServerTool[] =>
  tools.toSorted((a, b) => Number(isWaiting(b)) - Number(isWaiting(a)) || a.tool.localeCompare(b.tool));

/** What a server says of a tool: all of it that a person approves. */
type Offer = {
  [Field in "title" | "description" | "annotations" | "parameters" | "outputSchema"]?:
    | (Tool & McpServerTool)[Field]
    | undefined;
};

/** The offer as text whose lines can be compared; the same offer is always the same text. */
export const offerText = ({ title, description, annotations, parameters, outputSchema }: Offer): string =>
  JSON.stringify(
    sorted({ title, description: description?.split("\n"), annotations, parameters, outputSchema }),
    null,
    2,
  );

/** With the names of every object in order: what a server says in another order is no change. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, of]) => [name, sorted(of)]),
  );
}
