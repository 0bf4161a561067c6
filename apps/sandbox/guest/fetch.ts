import {
  mapDelete,
  mapGet,
  mapSet,
  mapSize,
  MapCtor,
  parseJson,
  PromiseCtor,
  rejected,
  stringifyJson,
  toText,
  toUpperCase,
} from "./primordials.ts";
import { post } from "./bridge.ts";
import { AbortSignal } from "./abort.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { refusedError } from "./errors.ts";
import { Headers } from "./headers.ts";
import { Response } from "./response.ts";
import { URLSearchParams } from "./url.ts";
import { bytesOf } from "./utf8.ts";

/** The host and the worker keep higher bounds; a tool meets this one first. */
const PENDING_MAX = 32;

interface Waiting {
  resolve: (response: Response) => void;
  reject: (reason: unknown) => void;
}

type Answer =
  | {
      ok: true;
      status: number;
      statusText: string;
      headers: [string, string][];
      url: string;
      redirected: boolean;
      body: string;
      bodyEncoding: "utf8" | "base64";
    }
  | { ok: false; code: string; message: string };

interface FetchInit {
  method?: unknown;
  headers?: unknown;
  body?: unknown;
  redirect?: unknown;
  signal?: unknown;
}

const waiting = new MapCtor<number, Waiting>();
let lastId = 0;

/** The web's `fetch`, as far as text over a bridge carries it. A refusal rejects with an error that has a `code`. */
export function fetch(resource: unknown, init: FetchInit = {}): Promise<Response> {
  if (mapSize(waiting) >= PENDING_MAX) {
    return rejected(refusedError("network_limit", `more than ${PENDING_MAX} requests wait for an answer`));
  }
  try {
    const request = requestText(resource, init);
    return send(request, init.signal);
  } catch (error) {
    return rejected(error);
  }
}

function requestText(resource: unknown, init: FetchInit): string {
  const headers = new Headers(init.headers);
  const { body, bodyEncoding } = bodyOf(init.body, headers);
  const fields: [string, string][] = [];
  headers.forEach((value, name) => {
    fields[fields.length] = [name, value];
  });
  const redirect = init.redirect === "error" || init.redirect === "manual" ? init.redirect : "follow";
  const method = init.method === undefined ? "GET" : toUpperCase(toText(init.method));
  return stringifyJson({ url: toText(resource), method, headers: fields, body, bodyEncoding, redirect });
}

function bodyOf(body: unknown, headers: Headers): { body: string | null; bodyEncoding: "utf8" | "base64" } {
  if (body === undefined || body === null) return { body: null, bodyEncoding: "utf8" };
  const bytes = bytesOf(body);
  if (bytes !== null) return { body: encodeBase64(bytes), bodyEncoding: "base64" };
  if (!headers.has("content-type")) {
    const form = body instanceof URLSearchParams;
    headers.set(
      "content-type",
      form ? "application/x-www-form-urlencoded;charset=UTF-8" : "text/plain;charset=UTF-8",
    );
  }
  return { body: toText(body), bodyEncoding: "utf8" };
}

function send(request: string, signal: unknown): Promise<Response> {
  const id = ++lastId;
  return new PromiseCtor((resolve, reject) => {
    if (signal instanceof AbortSignal) {
      signal.throwIfAborted();
      signal.addEventListener("abort", () => {
        if (mapDelete(waiting, id)) reject(signal.reason);
      });
    }
    mapSet(waiting, id, { resolve, reject });
    post("fetch", id, request, "");
  });
}

/** The worker's answer to request `id`; ignored where the tool has given it up. */
export function onFetched(id: number, answerJson: string): void {
  const request = mapGet(waiting, id) as Waiting | undefined;
  if (request === undefined) return;
  mapDelete(waiting, id);
  const answer = parseJson(answerJson) as Answer;
  if (!answer.ok) request.reject(refusedError(answer.code, answer.message));
  else {
    const body = answer.bodyEncoding === "base64" ? decodeBase64(answer.body) : answer.body;
    request.resolve(new Response(body, answer));
  }
}
