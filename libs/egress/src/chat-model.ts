import {
  MODEL_ANSWER_BYTES_MAX,
  MODEL_CALL_MS_MAX,
  MODEL_TOKENS_MAX,
  newPlaceholder,
  portOf,
  type EgressBroker,
  type EgressRefused,
  type EgressResponse,
  type EgressSession,
  type ModelAnswer,
  type ModelEndpoint,
  type ModelFailure,
  type ModelRequest,
  type Scrubbers,
} from "@bulkhead/core";
import { parseEgressAllow } from "./egress-allow.ts";
import { openEgressBroker } from "./egress-broker.ts";

export interface ChatModelOptions {
  /** Of an API as OpenAI's is, with its version: `https://api.openai.com/v1`. Plain http and private hosts are fine. */
  baseUrl: string;
  name: string;
  /** Cover answers of a host that knows the key. */
  scrubbers: Pick<Scrubbers, "open">;
  /** Default: `MODEL_CALL_MS_MAX`. */
  callMsMax?: number;
}

/** Bytes of a request's body: all messages, with room to spare. */
const REQUEST_BYTES_MAX = 2 * 1024 * 1024;
/** Characters of a refusal's body that are told. */
const EXCERPT_CHARS_MAX = 200;
const BODY_ID = 1;
/** Newer servers take the bound of an answer under the first name alone, older ones under the second. */
const TOKEN_FIELDS = ["max_completion_tokens", "max_tokens"] as const;

/**
 * A model behind an OpenAI-compatible chat completions API. Its requests go by egress to its own host and port, to no other,
 * and follow no redirect.
 */
export function openChatModel(options: ChatModelOptions): ModelEndpoint {
  const url = new URL(`${options.baseUrl.replace(/\/+$/, "")}/chat/completions`);
  const host = `${url.hostname}:${portOf(url)}`;
  const allow = parseEgressAllow(host);
  if (!allow.ok) throw new TypeError(`no model can be reached at ${host}: ${allow.faults.join(", ")}`);
  const broker = openEgressBroker({ allow: allow.rules, scrubbers: options.scrubbers });
  const model = new ChatModel({ broker, url, host, ...options });
  return { name: options.name, complete: model.complete.bind(model), close: () => broker.close() };
}

class ChatModel {
  readonly #broker: Pick<EgressBroker, "open">;
  readonly #url: URL;
  readonly #host: string;
  readonly #name: string;
  readonly #callMsMax: number;
  /** As the server turned out to know it. */
  #tokenField: (typeof TOKEN_FIELDS)[number] = TOKEN_FIELDS[0];

  constructor(options: ChatModelOptions & { broker: Pick<EgressBroker, "open">; url: URL; host: string }) {
    this.#broker = options.broker;
    this.#url = options.url;
    this.#host = options.host;
    this.#name = options.name;
    this.#callMsMax = options.callMsMax ?? MODEL_CALL_MS_MAX;
  }

  async complete(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
    const late = AbortSignal.timeout(this.#callMsMax);
    const either = AbortSignal.any([signal, late]);
    const field = this.#tokenField;
    let answer = await this.#send(request, field, either);
    const other = TOKEN_FIELDS.find((name) => name !== field);
    if (other && answer.ok && answer.status === 400 && answer.text.includes(field)) {
      answer = await this.#send(request, other, either);
      if (answer.ok && answer.status === 200) this.#tokenField = other;
    }
    if (late.aborted && !signal.aborted)
      return failure("timeout", `the model has not answered within ${this.#callMsMax} ms`);
    if (!answer.ok) return failure(signal.aborted ? "aborted" : "failed", answer.message);
    const { status, text } = answer;
    if (status !== 200)
      return failure("failed", `the model's server answered ${status}: ${text.slice(0, EXCERPT_CHARS_MAX)}`);
    const said = saidIn(text);
    if (said === null)
      return failure("failed", "the model's server gave no chat completion (choices[0].message.content)");
    return { ok: true, text: said };
  }

  async #send(
    { tenantId, messages, key }: ModelRequest,
    tokenField: string,
    signal: AbortSignal,
  ): Promise<{ ok: true; status: number; text: string } | EgressRefused> {
    const placeholder = newPlaceholder();
    const session = this.#broker.open({
      tenantId,
      limits: { networkRequests: 1, bytesIn: MODEL_ANSWER_BYTES_MAX, bytesOut: REQUEST_BYTES_MAX },
      allowedHosts: [this.#host],
      secrets: key === null ? [] : [{ placeholder, secret: key }],
      waitMsMax: this.#callMsMax,
    });
    try {
      const headers: [string, string][] = [
        ["content-type", "application/json"],
        ["accept", "application/json"],
      ];
      if (key !== null) headers.push(["authorization", `Bearer ${placeholder}`]);
      const body = { model: this.#name, messages, stream: false, [tokenField]: MODEL_TOKENS_MAX };
      const sent = {
        url: this.#url.href,
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
  }
}

async function readWhole(
  session: EgressSession,
  head: EgressResponse,
  signal: AbortSignal,
): Promise<{ ok: true; status: number; text: string } | EgressRefused> {
  const chunks = [Buffer.from(head.body, head.bodyEncoding)];
  for (let isDone = head.done; !isDone;) {
    const part = await session.read(BODY_ID, signal);
    if (!part.ok) return part;
    chunks.push(Buffer.from(part.body, part.bodyEncoding));
    isDone = part.done;
  }
  return { ok: true, status: head.status, text: Buffer.concat(chunks).toString("utf8") };
}

/** What the model says in a chat completion; null for a text that is none. */
function saidIn(text: string): string | null {
  try {
    const { choices } = JSON.parse(text) as { choices?: { message?: { content?: unknown } }[] };
    const content = choices?.[0]?.message?.content;
    return typeof content === "string" ? content : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

const failure = (reason: ModelFailure, message: string): ModelAnswer => ({ ok: false, reason, message });
