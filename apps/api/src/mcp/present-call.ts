import {
  dataOf,
  forModel,
  readContent,
  stringifyJson,
  valueOf,
  type ContentPart,
  type Execution,
  type Fault,
  type Json,
  type Timings,
} from "@bulkhead/core";
import { waitingLinksOf } from "@bulkhead/executions";
import type { CallToolResult } from "@modelcontextprotocol/server";

const text = (value: unknown) => [
  { type: "text" as const, text: typeof value === "string" ? value : stringifyJson(value ?? null) },
];

/** The answer of a tool of the endpoint itself. */
export const answerOf = (value: unknown): CallToolResult => ({ content: text(value) });

/** The result of an execution that has ended; a tool that failed is a result too, which the model can read. */
export function resultOf(execution: Execution, hasSchema: boolean, timings: Timings | null): CallToolResult {
  const { executionId, error, result } = execution;
  const _meta = {
    "bulkhead/executionId": executionId,
    "bulkhead/status": execution.status,
    ...(timings === null ? {} : { "bulkhead/timings": timings }),
  };
  if (error !== null) {
    const { code, message, refusal } = error;
    return {
      content: text(`${refusal ?? code}: ${message}`),
      isError: true,
      _meta: { ..._meta, "bulkhead/error": { code, message, ...(refusal && { refusal }) } },
    };
  }
  const value = valueOf(forModel(result));
  return { content: contentOf(value), ...(hasSchema ? structuredOf(value) : {}), _meta };
}

const contentOf = (value: Json): CallToolResult["content"] =>
  readContent(value)?.parts.map(blockOf) ?? text(value);

const blockOf = (part: ContentPart) =>
  part.type === "json" ? { type: "text" as const, text: stringifyJson(part.json) } : part;

/** The result as data, where it is an object: the protocol takes no other. */
function structuredOf(value: Json): Pick<CallToolResult, "structuredContent"> {
  const data = dataOf(value);
  const isObject = typeof data === "object" && data !== null && !Array.isArray(data);
  return isObject ? { structuredContent: data } : {};
}

/** The answer to a call that has no result yet: it is no error, and says how to get the result. */
export function goingOnOf({
  executionId,
  status,
}: Pick<Execution, "executionId" | "status">): CallToolResult {
  const waits = status === "awaiting_approval";
  const message = waits
    ? "A person has to allow this call first. Don't call again: get_execution with this executionId gets the result once they have."
    : "The call goes on. Don't call again: get_execution with this executionId gets the result.";
  const approval = waits ? { approval: waitingLinksOf(executionId).approval } : {};
  return {
    content: text({ status, executionId, message, ...approval }),
    _meta: { "bulkhead/executionId": executionId, "bulkhead/status": status },
  };
}

/** A call that was refused, as a result that the model can read and mend. */
export function refusalOf(fault: Fault): CallToolResult {
  const { code, retryAfterSeconds } = fault;
  const places = fault.errors
    .map(({ path, message }) => `${path}: ${message}`)
    // One that the sentence before them tells is told once.
    .filter((place) => !fault.detail.includes(place))
    .map((place) => `\n${place}`)
    .join("");
  return {
    content: text(`${code}: ${fault.detail}${places}`),
    isError: true,
    _meta: {
      "bulkhead/error": {
        code,
        message: fault.detail,
        retryable: fault.retryable,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      },
    },
  };
}
