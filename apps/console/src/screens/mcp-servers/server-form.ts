import type { CreateMcpServerBody, McpServer, UpdateMcpServerBody } from "@bulkhead/client";

export interface HeaderForm {
  name: string;
  /** Text that anyone may read, or a field of a service, as in `github.token`. */
  kind: "text" | "config";
  value: string;
}

/** A server's setup as fields hold it. */
export interface ServerForm {
  name: string;
  transport: McpServer["transport"];
  url: string;
  headers: readonly HeaderForm[];
  toolPrefix: string;
  timeoutSeconds: string;
  /** Ids with commas between them; empty: all agents. */
  agentIds: string;
  /** Nobody gets its tools but by a grant. */
  isByGrantAlone: boolean;
}

export const NEW_SERVER: ServerForm = {
  name: "",
  transport: "streamable-http",
  url: "",
  headers: [],
  toolPrefix: "",
  timeoutSeconds: "60",
  agentIds: "",
  isByGrantAlone: false,
};

export const formOf = (server: McpServer): ServerForm => ({
  name: server.name,
  transport: server.transport,
  url: server.url ?? "",
  headers: Object.entries(server.headers).map(([name, value]) =>
    typeof value === "string" ? { name, kind: "text", value } : { name, kind: "config", value: value.config },
  ),
  toolPrefix: server.toolPrefix ?? "",
  timeoutSeconds: String(server.timeoutMs / 1_000),
  agentIds: (server.agentIds ?? []).join(", "),
  isByGrantAlone: server.agentIds?.length === 0,
});

const NAME = /^[a-z][a-z0-9_]{0,31}$/;
const PREFIX = /^[a-zA-Z0-9_-]{0,32}$/;
const FIELD = /^[A-Za-z0-9][A-Za-z0-9._-]*\.[A-Za-z_][A-Za-z0-9_]*$/;

/** What of it can't be sent, by the field; empty where all can. The server judges the rest. */
export function faultsOf(form: ServerForm): Record<string, string> {
  const faults: Record<string, string> = {};
  if (!NAME.test(form.name)) faults["name"] = "A lower-case letter, then letters, digits and _, 32 at most.";
  if (form.transport !== "stdio" && !/^https?:\/\/\S+$/.test(form.url.trim()))
    faults["url"] = "Write an address that begins with https://.";
  if (!PREFIX.test(form.toolPrefix)) faults["toolPrefix"] = "Letters, digits, _ and -, 32 at most.";
  const seconds = Number(form.timeoutSeconds);
  if (!(seconds >= 1 && seconds <= 300)) faults["timeoutMs"] = "Write 1 to 300 seconds.";
  for (const [index, { name, kind, value }] of form.headers.entries())
    if (name.trim() === "") faults[`headers.${index}`] = "Name the header.";
    else if (kind === "config" && !FIELD.test(value.trim()))
      faults[`headers.${index}`] = "Write a service and its field, such as github.token.";
  return faults;
}

const idsIn = (text: string): string[] =>
  text
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");

/** What both a new server and a change of one say. */
function setupOf({ url, headers, timeoutSeconds, agentIds, isByGrantAlone }: ServerForm) {
  const ids = idsIn(agentIds);
  return {
    url: url.trim(),
    headers: Object.fromEntries(
      headers.map(({ name, kind, value }) => [
        name.trim(),
        kind === "text" ? value : { config: value.trim() },
      ]),
    ),
    timeoutMs: Math.round(Number(timeoutSeconds) * 1_000),
    agentIds: isByGrantAlone ? [] : ids.length === 0 ? null : ids,
  };
}

export const createBodyOf = (form: ServerForm): CreateMcpServerBody => ({
  ...setupOf(form),
  name: form.name,
  transport: form.transport,
  ...(form.toolPrefix !== "" && { toolPrefix: form.toolPrefix }),
});

/** Of a process only what is not how it is started: that is the administrator's to say. */
export function changeOf(form: ServerForm): UpdateMcpServerBody {
  const { url, headers, timeoutMs, agentIds } = setupOf(form);
  return form.transport === "stdio"
    ? { timeoutMs, agentIds }
    : { transport: form.transport, url, headers, timeoutMs, agentIds };
}
