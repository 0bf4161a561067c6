import { chosen, oneOf, wordsIn } from "../../format/address.ts";

export interface McpServersSearch {
  tab?: "requests";
  /** How the requests stand that are shown. */
  status?: RequestStatus;
}

export const SERVERS_TABS = [
  { name: "servers", title: "Servers" },
  { name: "requests", title: "Requests for access" },
] as const;

export const REQUEST_STATUSES = ["pending", "approved", "rejected"] as const;
type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const readMcpServersSearch = (raw: Record<string, unknown>): McpServersSearch =>
  chosen<McpServersSearch>({
    tab: oneOf(["requests"], raw["tab"]),
    status: oneOf(REQUEST_STATUSES, raw["status"]),
  });

export interface McpServerSearch {
  tab?: "access" | "setup";
  /** The tool that is open, as its server calls it. */
  tool?: string;
}

export const SERVER_TABS = [
  { name: "tools", title: "Tools" },
  { name: "access", title: "Access" },
  { name: "setup", title: "Setup" },
] as const;

const TOOL_CHARS_MAX = 128;

export const readMcpServerSearch = (raw: Record<string, unknown>): McpServerSearch =>
  chosen<McpServerSearch>({
    tab: oneOf(["access", "setup"], raw["tab"]),
    tool: wordsIn(raw["tool"], TOOL_CHARS_MAX),
  });
