import type { HttpInput } from "../wire/http-call.ts";

/** Whom a client calls, and as whom. */
export interface Target {
  url: string;
  key: string;
}

/** What one execution is asked for with. */
export interface Wanted {
  tool: string;
  marker: string;
  arguments: Record<string, unknown>;
  /** Of idempotency. */
  key?: string;
}

/** Who has heard nothing for so long gives up. Milliseconds. */
const SILENCE_MS_MAX = 20_000;
/** The executions of a load outlive every fault. Milliseconds. */
const TIMEOUT_MS = 150_000;

export function requestOf(
  { url, key }: Target,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): HttpInput {
  const authorized = { ...headers, authorization: `Bearer ${key}` };
  return { url: url + path, method, body, silenceMsMax: SILENCE_MS_MAX, headers: authorized };
}

export function executeRequest(target: Target, wanted: Wanted, mode: "sync" | "async" | "stream"): HttpInput {
  const headers: Record<string, string> = wanted.key === undefined ? {} : { "idempotency-key": wanted.key };
  const body = { arguments: wanted.arguments, mode, timeoutMs: TIMEOUT_MS };
  return requestOf(target, "POST", `/api/v1/custom-tools/${wanted.tool}/execute`, body, headers);
}

export function batchRequest(target: Target, all: Wanted[]): HttpInput {
  const executions = all.map(({ tool, arguments: args }) => ({
    tool,
    arguments: args,
    timeoutMs: TIMEOUT_MS,
  }));
  return requestOf(target, "POST", "/api/v1/executions/batch", { executions });
}
