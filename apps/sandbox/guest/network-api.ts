import { parseJson, stringifyJson } from "./primordials.ts";
import { fetch } from "./fetch.ts";
import { Headers } from "./headers.ts";
import type { Auth } from "./service-auth.ts";

declare const require: (path: string) => unknown;

interface RestCall {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  /** A service whose key goes along: as a bearer token where only its name is given. */
  auth?: string | Auth;
  /** Text goes as it is; anything else as JSON. */
  body?: unknown;
}

interface GraphqlCall {
  url: string;
  query: string;
  variables?: Record<string, unknown>;
  headers?: Record<string, string>;
  auth?: string | Auth;
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
 * that is no success, and with the refusal's error where the request may not be sent. `auth` takes the place of a header
 * of the same name.
 */
export async function rest({ url, method, headers, auth, body }: RestCall): Promise<unknown> {
  const fields = new Headers(headers);
  if (auth !== undefined) {
    const { authHeader } = require("./service-auth.ts") as typeof import("./service-auth.ts");
    fields.set(...authHeader(auth));
  }
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
export async function graphql({ url, query, variables, headers, auth }: GraphqlCall): Promise<unknown> {
  const answer = (await rest({
    url,
    method: "POST",
    headers: headers ?? {},
    ...(auth === undefined ? {} : { auth }),
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
