import type { HeldSecret } from "../secret/service-configs.ts";

/** The service of the Config Center under which a tenant keeps its key of the embeddings, and the key's field. */
export const EMBEDDINGS_SERVICE = "embeddings";
export const EMBEDDINGS_KEY_FIELD = "api_key";

/** Of one call: texts, and milliseconds until all their vectors are there. */
export const EMBEDDED_TEXTS_MAX = 64;
export const EMBEDDING_CALL_MS_MAX = 10_000;
/** Numbers of a vector; the largest models that are common have 4,096. */
export const EMBEDDING_DIMENSIONS_MAX = 8_192;

export interface EmbeddingRequest {
  /** No connection of one tenant's serves another. */
  tenantId: string;
  /** `EMBEDDED_TEXTS_MAX` at most. */
  texts: readonly string[];
  /** Goes along where it is allowed to go; null: the endpoint is asked without a key. */
  key: HeldSecret | null;
}

/** A vector for each text, in their order, all of the same length. */
export type Embedded = { ok: true; vectors: readonly ArrayLike<number>[] } | { ok: false; message: string };

/** Makes vectors of texts, near each other where the texts mean the like. What it says is a stranger's word. */
export interface Embeddings {
  /** Its name; vectors of different models are never compared. */
  readonly model: string;
  /** A cosine below tells nothing. */
  readonly leastCosine: number;
  /** Whether calls leave this process: then a tenant's key is looked up for them. */
  readonly isRemote: boolean;
  /** Never rejects. The signal ends the call. */
  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<Embedded>;
  close(): Promise<void>;
}
