import type { Bulkhead, ExecuteToolBody, Operations } from "@bulkhead/client";

/** What of a client the tools use: one with types of its own tools fits too. */
export interface ToolsClient {
  me: Operations["me"];
  tools: Pick<Operations["tools"], "definitions" | "execute">;
  metaTools: Pick<Operations["metaTools"], "definitions" | "searchTools" | "describeTools">;
  executions: Pick<Bulkhead["executions"], "events" | "get" | "wait" | "cancel">;
}

/** The caller's facts about its calls, as the API has them. */
export type CallContext = Omit<NonNullable<ExecuteToolBody["context"]>, "callId">;
