import {
  MODEL_ANSWER_BYTES_MAX,
  MODEL_CALL_MS_MAX,
  MODEL_TOKENS_MAX,
  type ModelAnswer,
  type ModelEndpoint,
  type ModelFailure,
  type ModelRequest,
} from "@bulkhead/core";
import { excerptOf, openModelServer, type ModelServer, type ModelServerOptions } from "./model-server.ts";

export interface ChatModelOptions extends ModelServerOptions {
  name: string;
  /** Default: `MODEL_CALL_MS_MAX`. */
  callMsMax?: number;
}

/** Bytes of a request's body: all messages, with room to spare. */
const REQUEST_BYTES_MAX = 2 * 1024 * 1024;
/** Newer servers take the bound of an answer under the first name alone, older ones under the second. */
const TOKEN_FIELDS = ["max_completion_tokens", "max_tokens"] as const;

/** A model behind an OpenAI-compatible chat completions API. */
export function openChatModel(options: ChatModelOptions): ModelEndpoint {
  const callMsMax = options.callMsMax ?? MODEL_CALL_MS_MAX;
  const server = openModelServer(options, "/chat/completions", {
    bytesIn: MODEL_ANSWER_BYTES_MAX,
    bytesOut: REQUEST_BYTES_MAX,
    waitMsMax: callMsMax,
  });
  const model = new ChatModel(server, options.name, callMsMax);
  return { name: options.name, complete: model.complete.bind(model), close: () => server.close() };
}

class ChatModel {
  readonly #server: ModelServer;
  readonly #name: string;
  readonly #callMsMax: number;
  /** As the server turned out to know it. */
  #tokenField: (typeof TOKEN_FIELDS)[number] = TOKEN_FIELDS[0];

  constructor(server: ModelServer, name: string, callMsMax: number) {
    this.#server = server;
    this.#name = name;
    this.#callMsMax = callMsMax;
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
    if (status !== 200) return failure("failed", `the model's server answered ${status}: ${excerptOf(text)}`);
    const said = saidIn(text);
    if (said === null)
      return failure("failed", "the model's server gave no chat completion (choices[0].message.content)");
    return { ok: true, text: said };
  }

  #send(
    { tenantId, messages, key }: ModelRequest,
    tokenField: string,
    signal: AbortSignal,
  ): ReturnType<ModelServer["post"]> {
    const said = messages.map((message) => ({ ...message }));
    const body = { model: this.#name, messages: said, stream: false, [tokenField]: MODEL_TOKENS_MAX };
    return this.#server.post({ tenantId, key, body }, signal);
  }
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
