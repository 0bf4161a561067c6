import { isBodyInit } from "./body-content.ts";
import { readJson, takeBigNumbers, type BigNumbers } from "./exact-json.ts";
import { fetch } from "./fetch.ts";
import { Headers } from "./headers.ts";
import { warnOfLoss } from "./lost-in-json.ts";
import { readText } from "./read-text.ts";
import { stringifyJson } from "./primordials.ts";
import { retryAfterSeconds } from "./retry-after.ts";
import type { Auth } from "./service-auth.ts";

declare const require: (path: string) => unknown;

export interface RestCall {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  /** A service whose key goes along: as a bearer token where only its name is given. */
  auth?: string | Auth;
  /** Text, and what else `fetch` takes as a body, goes as it is; anything else as JSON. */
  body?: unknown;
  /** "string": numbers of the answer that JavaScript would round come as the text that was written. */
  bigNumbers?: unknown;
}

/** A whole answer: the value is parsed where it is JSON, else the text, null where there is none. */
export interface Answer {
  status: number;
  isOk: boolean;
  value: unknown;
  /** Why a body that claims to be JSON is none; then the value is its text. */
  fault: unknown;
  /** The seconds of its `Retry-After`. */
  retryAfter?: number;
}

/** Sends a request as `api.rest` describes it and reads its answer, whatever the status. */
export async function exchange({
  url,
  method,
  headers,
  auth,
  body,
  bigNumbers: asked,
}: RestCall): Promise<Answer> {
  const bigNumbers = takeBigNumbers("api.rest", asked);
  const fields = new Headers(headers ?? undefined);
  if (auth !== undefined) {
    const { authHeader } = require("./service-auth.ts") as typeof import("./service-auth.ts");
    fields.set(...authHeader(auth));
  }
  if (!fields.has("accept")) fields.set("accept", "application/json, */*;q=0.5");
  const hasBody = body !== undefined && body !== null;
  const response = await fetch(url, {
    method: method ?? (hasBody ? "POST" : "GET"),
    body: hasBody ? writeBody(body, fields) : null,
    headers: fields,
  });
  const { status, ok: isOk } = response;
  const type = response.headers.get("content-type") ?? "";
  const retryAfter = retryAfterSeconds(response.headers.get("retry-after"));
  const pause = retryAfter === undefined ? {} : { retryAfter };
  return { status, isOk, ...pause, ...readBody(await readText(response), type, bigNumbers) };
}

function writeBody(body: {}, fields: Headers): unknown {
  if (typeof body === "string" || isBodyInit(body)) return body;
  const json = stringifyJson(body);
  warnOfLoss(body, json ?? "nothing", "sent");
  if (!fields.has("content-type")) fields.set("content-type", "application/json");
  return json;
}

function readBody(text: string, type: string, bigNumbers: BigNumbers): Pick<Answer, "value" | "fault"> {
  if (text === "") return { value: null, fault: null };
  const isJson = /^[^;]*[/+]json\b/i.test(type);
  if (!isJson && !/^\s*[[{]/.test(text)) return { value: text, fault: null };
  try {
    return { value: readJson(text, bigNumbers), fault: null };
  } catch (error) {
    // A page of a proxy's, or text that begins with a bracket: whoever called judges it.
    return { value: text, fault: isJson ? error : null };
  }
}
