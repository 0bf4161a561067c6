import { BulkheadError } from "./errors.ts";
import type { EndStatus } from "./events.ts";
import type { Execution } from "./generated/types.ts";

/** How far a webhook's time may be from now; seconds. */
const WINDOW_SECONDS_DEFAULT = 300;
const PREFIX = "whsec_";

/** A request as it came: a web Request, or its headers and its body before anybody parsed it. */
export type WebhookRequest =
  | Request
  | {
      headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
      body: string | Uint8Array;
    };

/** The end of an execution, as its callback tells it. */
export interface WebhookEvent {
  /** The same at every try: whoever has seen it has seen this end. */
  id: string;
  type: `execution.${EndStatus}`;
  timestamp: string;
  /** Fields that are too large for a webhook are null and named in `omitted`; `executions.get` has them. */
  data: Execution & { omitted?: ("result" | "arguments" | "error")[]; links?: Record<string, string> };
}

export interface WebhookOptions {
  /** Seconds by which its time may differ from now; 300 unless set. */
  windowSeconds?: number | undefined;
}

/**
 * The event of a webhook, by the rules of Standard Webhooks. `secret` is the tenant's (`webhookSecret.get`) or the call's
 * own; while one replaces another, both. Rejects with `webhook.unsigned` or `webhook.outside_window`.
 */
export async function verifyWebhook(
  request: WebhookRequest,
  secret: string | readonly string[],
  { windowSeconds = WINDOW_SECONDS_DEFAULT }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const keys = await Promise.all([secret].flat().map((one) => importKey(one)));
  const headers = request.headers;
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  if (!/^\d{1,12}$/.test(timestamp)) throw unsigned("webhook-timestamp is no time in seconds");
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > windowSeconds)
    throw new BulkheadError({
      code: "webhook.outside_window",
      message: `The webhook's time is further than ${windowSeconds} s from now: it may be an old one, sent again.`,
    });
  const body = await bytesOf(request);
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  if (!(await isSigned(keys, signatures, signed))) throw unsigned("no signature is one of the secret's");
  return { id, ...(JSON.parse(new TextDecoder().decode(body)) as Omit<WebhookEvent, "id">) };
}

async function isSigned(
  keys: readonly CryptoKey[],
  signatures: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const one of signatures.split(" ")) {
    const [version, text = ""] = one.split(",");
    const signature = version === "v1" ? fromBase64(text) : null;
    if (signature === null) continue;
    // It compares in constant time.
    for (const key of keys) if (await crypto.subtle.verify("HMAC", key, signature, signed)) return true;
  }
  return false;
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : null;
  if (bytes === null || bytes.byteLength === 0)
    throw new TypeError(`The webhook's secret must be ${PREFIX} and base64`);
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function headerOf(headers: WebhookRequest["headers"], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headerIn(headers, name);
  const said = Array.isArray(value) ? value.join(" ") : value;
  if (typeof said !== "string" || said === "") throw unsigned(`${name} is missing`);
  return said;
}

const headerIn = (headers: Readonly<Record<string, string | readonly string[] | undefined>>, name: string) =>
  Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];

async function bytesOf(request: WebhookRequest): Promise<Uint8Array> {
  if ("arrayBuffer" in request) return new Uint8Array(await request.arrayBuffer());
  return typeof request.body === "string" ? new TextEncoder().encode(request.body) : request.body;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.byteLength + b.byteLength);
  both.set(a);
  both.set(b, a.byteLength);
  return both;
}

/** Null for what is no base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

const unsigned = (why: string): BulkheadError =>
  new BulkheadError({ code: "webhook.unsigned", message: `The webhook is not Bulkhead's: ${why}.` });
