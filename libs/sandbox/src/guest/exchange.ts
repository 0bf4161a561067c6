import { isBodyInit } from "./body-content.ts";
import { takeBigNumbers } from "./exact-json.ts";
import { fetch } from "./fetch.ts";
import { Headers } from "./headers.ts";
import { TEXT_CHARS_MAX } from "./bounds.ts";
import { leave, tellLosses, writeLeft } from "./json-leaving.ts";
import { readBody, type ReadBody } from "./read-body.ts";
import { retryAfterSeconds } from "./retry-after.ts";
import type { Auth } from "./service-auth.ts";

declare const require: (path: string) => unknown;

export interface RestCall {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  /** A service whose key is sent: as a bearer token if only its name is given. */
  auth?: string | Auth;
  /** Text, and other bodies that `fetch` takes, go as they are; anything else as JSON. */
  body?: unknown;
  /** "string": numbers of the answer that JavaScript would round come as the text that was written. */
  bigNumbers?: unknown;
}

/** A whole answer. */
export interface Answer extends ReadBody {
  status: number;
  isOk: boolean;
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
  const retryAfter = retryAfterSeconds(response.headers.get("retry-after"));
  const pause = retryAfter === undefined ? {} : { retryAfter };
  return { status, isOk, ...pause, ...(await readBody(response, bigNumbers)) };
}

function writeBody(body: {}, fields: Headers): unknown {
  if (typeof body === "string" || isBodyInit(body)) return body;
  const left = leave(body, "sent", TEXT_CHARS_MAX);
  const json = writeLeft(left);
  tellLosses(left, json ?? "nothing", "sent");
  if (!fields.has("content-type")) fields.set("content-type", "application/json");
  return json;
}
