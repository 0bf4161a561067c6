import { parseJson, stringifyJson } from "./primordials.ts";
import { fetch } from "./fetch.ts";
import { Headers } from "./headers.ts";

interface RestCall {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  /** Text goes as it is; anything else as JSON. */
  body?: unknown;
}

interface GraphqlCall {
  url: string;
  query: string;
  variables?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** Characters of a failed response that its error repeats. */
const EXCERPT_CHARS_MAX = 200;

/** An answer that is no success; `status` and `body` (parsed where it is JSON) are on it. */
function httpError(url: string, status: number, body: unknown): Error {
  const text = typeof body === "string" ? body : (stringifyJson(body) ?? "");
  const error = new Error(`${url} answered ${status}: ${text.slice(0, EXCERPT_CHARS_MAX)}`);
  return Object.assign(error, { name: "HttpError", status, body });
}

/**
 * Sends a request and answers with the response's body: parsed where it is JSON, else as text, null where there is none.
 * GET without a body and POST with one, unless `method` says otherwise. Rejects with an `HttpError` for a status
 * that is no success, and with the refusal's error where the request may not be sent.
 */
export async function rest({ url, method, headers, body }: RestCall): Promise<unknown> {
  const fields = new Headers(headers);
  if (!fields.has("accept")) fields.set("accept", "application/json, */*;q=0.5");
  const isData = body !== undefined && body !== null && typeof body !== "string";
  if (isData && !fields.has("content-type")) fields.set("content-type", "application/json");
  const hasBody = body !== undefined && body !== null;
  const response = await fetch(url, {
    method: method ?? (hasBody ? "POST" : "GET"),
    headers: fields,
    ...(hasBody ? { body: isData ? stringifyJson(body) : body } : {}),
  });
  const value = readBody(await response.text(), response.headers.get("content-type") ?? "");
  if (!response.ok) throw httpError(url, response.status, value);
  return value;
}

function readBody(text: string, type: string): unknown {
  if (text === "") return null;
  const isJson = /^[^;]*[/+]json\b/i.test(type);
  if (!isJson && !/^\s*[[{]/.test(text)) return text;
  try {
    return parseJson(text) as unknown;
  } catch (error) {
    if (isJson) throw error;
    return text;
  }
}

/** Sends a GraphQL query and answers with its `data`. Rejects with the first error's message, all `errors` on it. */
export async function graphql({ url, query, variables, headers }: GraphqlCall): Promise<unknown> {
  const answer = (await rest({
    url,
    method: "POST",
    headers: headers ?? {},
    body: { query, variables },
  })) as {
    data?: unknown;
    errors?: { message?: unknown }[];
  } | null;
  const errors = answer?.errors ?? [];
  if (errors.length === 0) return answer?.data ?? null;
  const message = errors[0]?.message;
  const error = new Error(`GraphQL: ${typeof message === "string" ? message : "the query failed"}`);
  throw Object.assign(error, { name: "GraphQLError", errors, data: answer?.data ?? null });
}
