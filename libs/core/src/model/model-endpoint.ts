import type { HeldSecret } from "../secret/service-configs.ts";

/** The service of the Config Center under which a tenant keeps its key of the model, and the key's field. */
export const MODEL_SERVICE = "model";
export const MODEL_KEY_FIELD = "api_key";

/** Of one answer: tokens that are asked for, bytes of the HTTP body, and milliseconds until the whole of it is there. */
export const MODEL_TOKENS_MAX = 8_192;
export const MODEL_ANSWER_BYTES_MAX = 1024 * 1024;
export const MODEL_CALL_MS_MAX = 60_000;

export interface ModelMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface ModelRequest {
  /** No connection of one tenant's serves another. */
  tenantId: string;
  messages: readonly ModelMessage[];
  /** Goes along where it is allowed to go; null: the endpoint is asked without a key. */
  key: HeldSecret | null;
}

/** Why there is no text of the model; `timeout` and `aborted` as they are, `failed` whatever else it was. */
export type ModelFailure = "timeout" | "aborted" | "failed";

export type ModelAnswer = { ok: true; text: string } | { ok: false; reason: ModelFailure; message: string };

/** The model that this deployment was given. What it says is a stranger's word. */
export interface ModelEndpoint {
  /** Its name, as its server knows it. */
  readonly name: string;
  /** Never rejects. The signal ends the request. */
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  close(): Promise<void>;
}
