import type { ExecutionStore, McpSessions, SignalBus } from "@bulkhead/core";
import type { Report } from "@bulkhead/executions";
import type { ToolTemplate } from "@bulkhead/tools/templates";
import type { StreamSlots } from "../edge/stream-slots.ts";
import type { AnswerDeps } from "../routes/executions/answer-execution.ts";
import type { Calls } from "../routes/executions/wire-executions.ts";
import type { RunCodeDeps } from "../routes/meta-tools/run-code.ts";
import type { MetaTools } from "../routes/meta-tools/wire-meta-tools.ts";
import type { ToolLookup } from "../routes/tools/tool-lookup.ts";
import type { ToolListDeps } from "./tool-list.ts";

/** All that the endpoint stands on. */
export type McpDeps = ToolListDeps &
  Omit<RunCodeDeps, "answerSync"> &
  Pick<Calls, "submitCall" | "waitForEnd" | "cancelExecution" | "batchYield"> &
  Pick<MetaTools, "callSearchTools" | "callDescribeTools"> &
  Pick<AnswerDeps, "stream" | "stopping" | "findExecution"> & {
    executions: Pick<ExecutionStore, "find" | "list">;
    templates: readonly ToolTemplate[];
    toolLookup: Pick<ToolLookup, "find">;
    sessions: McpSessions;
    signals: Pick<SignalBus, "subscribe">;
    /** Requests that a tenant has open in this process. */
    slots: Pick<StreamSlots, "take" | "holding">;
    /** The names under which the endpoint answers; null: any. */
    hosts: readonly string[] | null;
    report: Report;
  };
