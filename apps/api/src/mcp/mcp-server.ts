import { Fault } from "@bulkhead/core";
import type { McpMethod, McpMetrics } from "../edge/mcp-metrics.ts";
import { Server, type jsonSchemaValidator } from "@modelcontextprotocol/server";
import { callTool } from "./call-tool.ts";
import type { Asker } from "./asker.ts";
import type { McpDeps } from "./mcp-deps.ts";
import { EXECUTION_TEMPLATE, listExecutions, readResource, TOOL_TEMPLATE } from "./resources.ts";
import { protocolErrorOf } from "./rpc-errors.ts";
import { completeParameter, listTools } from "./tool-list.ts";

/** The revisions with sessions that are spoken, the newest first; the one without is negotiated by itself. */
export const SESSION_REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26"];

const NAME = { name: "bulkhead", title: "Bulkhead", version: "1" };

const INSTRUCTIONS =
  "Tools run in sandboxes. A call that a person has to allow is answered with an executionId: get_execution gets its result later. Where search_tools is listed, find tools with it and call them with call_tool.";

/** Completions of a parameter that are answered at most, as the protocol says. */
const COMPLETIONS_MAX = 100;

/** Only forms that servers ask for are checked by it, and nothing is asked here. */
const NO_FORMS: jsonSchemaValidator = {
  getValidator: () => {
    throw new Error("no form is ever asked for");
  },
};

/** Serves one request: it knows one key, whose tenant and agent alone are there. */
export function buildServer(deps: McpDeps, asker: Asker): Server {
  const { principal, view, exchange, metrics } = asker;
  const asFaults = counting(metrics);
  const server = new Server(NAME, {
    capabilities: { tools: { listChanged: true }, logging: {}, completions: {}, resources: {} },
    instructions: INSTRUCTIONS,
    jsonSchemaValidator: NO_FORMS,
    supportedProtocolVersions: exchange.leavingCancels ? ["2026-07-28"] : SESSION_REVISIONS,
  });
  server.setRequestHandler("tools/list", ({ params }) =>
    asFaults("tools/list", () => listTools(deps, principal, view, params?.cursor)),
  );
  server.setRequestHandler("tools/call", ({ params }, ctx) =>
    asFaults("tools/call", () => callTool(deps, asker, params, ctx)),
  );
  server.setRequestHandler("completion/complete", ({ params: { ref, argument } }) =>
    asFaults("completion/complete", async () => {
      const tool = ref.type === "ref/prompt" ? ref.name : "";
      const values = await completeParameter(deps, principal, tool, argument.name, argument.value);
      const shown = values.slice(0, COMPLETIONS_MAX);
      return { completion: { values: shown, total: values.length, hasMore: values.length > shown.length } };
    }),
  );
  server.setRequestHandler("resources/templates/list", () =>
    asFaults("resources/templates/list", async () => ({
      resourceTemplates: [EXECUTION_TEMPLATE, TOOL_TEMPLATE],
    })),
  );
  server.setRequestHandler("resources/list", ({ params }) =>
    asFaults("resources/list", () => listExecutions(deps, asker, params?.cursor)),
  );
  server.setRequestHandler("resources/read", ({ params }) =>
    asFaults("resources/read", () => readResource(deps, asker, params.uri)),
  );
  const { session } = exchange;
  if (session)
    server.setRequestHandler("logging/setLevel", ({ params }) =>
      asFaults("logging/setLevel", async () => {
        await deps.sessions.setLogLevel(session, params.level);
        return {};
      }),
    );
  return server;
}

/** Counts what comes of a request, and gives faults the protocol's form. */
const counting =
  (metrics: McpMetrics) =>
  async <T extends object>(method: McpMethod, answer: () => Promise<T>): Promise<T> => {
    try {
      const answered = await answer();
      metrics.request(method, "isError" in answered && answered.isError === true ? "tool_error" : "ok");
      return answered;
    } catch (error) {
      metrics.request(method, "error");
      throw error instanceof Fault ? protocolErrorOf(error) : error;
    }
  };
