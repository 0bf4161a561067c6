import {
  newPlaceholder,
  portOf,
  type EgressRefused,
  type EgressResponse,
  type EgressSession,
  type HeldSecret,
  type JsonObject,
  type Scrubbers,
} from "@bulkhead/core";
import { parseEgressAllow } from "./egress-allow.ts";
import { openEgressBroker } from "./egress-broker.ts";

export interface ModelServerOptions {
  /** Of an API as OpenAI's is, with its version: `https://api.openai.com/v1`. Plain http and private hosts are fine. */
  baseUrl: string;
  /** Cover answers of a host that knows the key. */
  scrubbers: Pick<Scrubbers, "open">;
}

interface Bounds {
  bytesIn: number;
  bytesOut: number;
  /** How long a call may wait for a connection; milliseconds. */
  waitMsMax: number;
}

interface ModelCall {
  tenantId: string;
  key: HeldSecret | null;
  body: JsonObject;
}

type ServerAnswer = { ok: true; status: number; text: string } | EgressRefused;

/** One path of a model's server. */
export interface ModelServer {
  /** Never rejects. */
  post(call: ModelCall, signal: AbortSignal): Promise<ServerAnswer>;
  close(): Promise<void>;
}

const BODY_ID = 1;
/** Characters of a refusal's body that are told. */
const EXCERPT_CHARS_MAX = 200;

/** Asks one path of an API as OpenAI's is. Requests go by egress to its own host and port, to no other, and follow no redirect. */
export function openModelServer(
  { baseUrl, scrubbers }: ModelServerOptions,
  path: string,
  { bytesIn, bytesOut, waitMsMax }: Bounds,
): ModelServer {
  const url = new URL(`${baseUrl.replace(/\/+$/, "")}${path}`);
  const host = `${url.hostname}:${portOf(url)}`;
  const allow = parseEgressAllow(host);
  if (!allow.ok) throw new TypeError(`no model can be reached at ${host}: ${allow.faults.join(", ")}`);
  const broker = openEgressBroker({ allow: allow.rules, scrubbers });
  const post: ModelServer["post"] = async ({ tenantId, key, body }, signal) => {
    const placeholder = newPlaceholder();
    const session = broker.open({
      tenantId,
      limits: { networkRequests: 1, bytesIn, bytesOut },
      allowedHosts: [host],
      secrets: key === null ? [] : [{ placeholder, secret: key }],
      waitMsMax,
    });
    try {
      const headers: [string, string][] = [
        ["content-type", "application/json"],
        ["accept", "application/json"],
      ];
      if (key !== null) headers.push(["authorization", `Bearer ${placeholder}`]);
      const sent = {
        url: url.href,
        method: "POST",
        headers,
        body: JSON.stringify(body),
        bodyEncoding: "utf8" as const,
        redirect: "error" as const,
      };
      const head = await session.fetch(sent, signal, BODY_ID);
      return head.ok ? await readWhole(session, head, signal) : head;
    } finally {
      session.close();
    }
  };
  return { post, close: () => broker.close() };
}

async function readWhole(
  session: EgressSession,
  head: EgressResponse,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const chunks = [Buffer.from(head.body, head.bodyEncoding)];
  for (let isDone = head.done; !isDone;) {
    const part = await session.read(BODY_ID, signal);
    if (!part.ok) return part;
    chunks.push(Buffer.from(part.body, part.bodyEncoding));
    isDone = part.done;
  }
  return { ok: true, status: head.status, text: Buffer.concat(chunks).toString("utf8") };
}

/** What is told of an answer that is none. */
export const excerptOf = (text: string): string => text.slice(0, EXCERPT_CHARS_MAX);
