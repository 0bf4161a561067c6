import { MCP_SESSION_IDLE_MS } from "@bulkhead/core";
import { rolesOf } from "@bulkhead/tenants";
import { VIEWS } from "./views.ts";

const JSON_RPC = {
  type: "object",
  required: ["jsonrpc"],
  properties: {
    jsonrpc: { const: "2.0", description: "The version of JSON-RPC." },
    id: { type: ["string", "number"], description: "Of a request and its answer; a notification has none." },
    method: { type: "string", description: "As the protocol names it, such as `tools/call`." },
    params: { type: "object", description: "As the protocol has it for the method." },
    result: { description: "Of a request that was served." },
    error: {
      type: "object",
      description: "Of one that was not: `code`, `message` and, by `data.code`, our own.",
    },
  },
} as const;

const MESSAGE = { "application/json": { schema: JSON_RPC } };
const STREAM = {
  "text/event-stream": {
    schema: { type: "string", description: "Server-sent events, a JSON-RPC message each." },
  },
};
const REFUSED = {
  description: "A JSON-RPC error; its status is the one that REST gives the same fault.",
  content: MESSAGE,
};

const parameter = (place: "header" | "query", name: string, description: string, schema: object) => ({
  in: place,
  name,
  description,
  schema,
});
const TEXT = { type: "string" };
const PARAMETERS = [
  parameter("query", "view", "Which tools are listed; unset: `all` up to 40 tools, else `search`.", {
    enum: VIEWS,
  }),
  parameter("header", "mcp-session-id", "The session, as the answer to `initialize` named it.", TEXT),
  parameter("header", "mcp-protocol-version", "The revision that was agreed on.", TEXT),
];
const LAST = parameter("header", "last-event-id", "Goes on behind this event, at any API process.", TEXT);

// Without operation ids: whoever generates a client leaves the protocol to a client of its own.
const operation = (summary: string, description: string, rest: object) => ({
  tags: ["mcp"],
  summary,
  description: `For keys with the role ${ROLES}. ${description}`,
  ...rest,
});
const ROLES = new Intl.ListFormat("en", { type: "disjunction" }).format(rolesOf("tools.read"));
const IDLE_MINUTES = MCP_SESSION_IDLE_MS / 60_000;

/** The endpoint of MCP as far as OpenAPI can say it; what its messages are, the protocol says. */
export const MCP_PATHS = {
  "/mcp": {
    post: operation(
      "Send one message of the Model Context Protocol",
      "Revisions 2025-11-25, 2025-06-18 and 2025-03-26 begin a session by `initialize`; 2026-07-28 has none. A call of a tool is an execution like any other.",
      {
        parameters: PARAMETERS,
        requestBody: { required: true, content: MESSAGE },
        responses: {
          200: {
            description:
              "The answer, or the stream that ends with it. `initialize` answers `Mcp-Session-Id` too.",
            content: { ...MESSAGE, ...STREAM },
          },
          202: { description: "A notification was taken." },
          default: REFUSED,
        },
      },
    ),
    get: operation(
      "Follow a session, or go on with a call's stream that broke",
      "Tells that the list of tools has changed, or with `Last-Event-ID` the rest of a call.",
      {
        parameters: [...PARAMETERS, LAST],
        responses: { 200: { description: "The stream.", content: STREAM }, default: REFUSED },
      },
    ),
    delete: operation(
      "Close a session",
      `One that is not closed ends ${IDLE_MINUTES} minutes after the last word of it.`,
      { parameters: PARAMETERS, responses: { 204: { description: "It is closed." }, default: REFUSED } },
    ),
  },
};
