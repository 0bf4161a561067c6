import {
  EMBEDDING_CALL_MS_MAX,
  EMBEDDING_DIMENSIONS_MAX,
  type Embedded,
  type EmbeddingRequest,
  type Embeddings,
} from "@bulkhead/core";
import { excerptOf, openModelServer, type ModelServer, type ModelServerOptions } from "./model-server.ts";

export interface EmbeddingsOptions extends ModelServerOptions {
  /** The model's name, as its server knows it. */
  model: string;
  /** Default: `EMBEDDING_CALL_MS_MAX`. */
  callMsMax?: number;
}

/** Of one call: a number as text has 25 bytes at most, and `EMBEDDED_TEXTS_MAX` vectors of common models have some megabytes. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
const REQUEST_BYTES_MAX = 2 * 1024 * 1024;

/** A model behind an OpenAI-compatible embeddings API. */
export function openEmbeddings({
  model,
  callMsMax = EMBEDDING_CALL_MS_MAX,
  ...options
}: EmbeddingsOptions): Embeddings {
  const bounds = { bytesIn: ANSWER_BYTES_MAX, bytesOut: REQUEST_BYTES_MAX, waitMsMax: callMsMax };
  const server = openModelServer(options, "/embeddings", bounds);
  return {
    model,
    // What a cosine means is each model's own; the best ones are the best ones.
    leastCosine: 0,
    isRemote: true,
    embed: (request, signal) => embed({ server, model, callMsMax }, request, signal),
    close: () => server.close(),
  };
}

interface Asking {
  server: ModelServer;
  model: string;
  callMsMax: number;
}

async function embed(
  { server, model, callMsMax }: Asking,
  { tenantId, texts, key }: EmbeddingRequest,
  signal: AbortSignal,
): Promise<Embedded> {
  const late = AbortSignal.timeout(callMsMax);
  const body = { model, input: [...texts], encoding_format: "float" };
  const answer = await server.post({ tenantId, key, body }, AbortSignal.any([signal, late]));
  if (late.aborted && !signal.aborted) return failed(`the embeddings have not come within ${callMsMax} ms`);
  if (!answer.ok) return failed(`the server of the embeddings could not be asked (${answer.message})`);
  const { status, text } = answer;
  if (status !== 200) return failed(`the server of the embeddings answered ${status}: ${excerptOf(text)}`);
  const vectors = vectorsIn(text, texts.length);
  if (vectors === null)
    return failed("the server of the embeddings gave no vector of numbers for each text (data[].embedding)");
  return { ok: true, vectors };
}

/** The vectors in the order of the texts; null where there is not one for each, all of one length. */
function vectorsIn(text: string, count: number): number[][] | null {
  const data = readData(text);
  if (data?.length !== count) return null;
  const vectors: (number[] | undefined)[] = Array.from({ length: count });
  for (const one of data) {
    const { index, embedding } = (one ?? {}) as { index?: unknown; embedding?: unknown };
    if (!isIndex(index, count) || !isVector(embedding)) return null;
    vectors[index] = embedding;
  }
  const found = vectors.filter((vector) => vector !== undefined);
  const isWhole = found.length === count && found.every(({ length }) => length === found[0]?.length);
  return isWhole ? found : null;
}

function readData(text: string): unknown[] | null {
  try {
    const { data } = JSON.parse(text) as { data?: unknown };
    return Array.isArray(data) ? data : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

const isIndex = (value: unknown, count: number): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < count;

const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= EMBEDDING_DIMENSIONS_MAX &&
  value.every((number) => Number.isFinite(number));

const failed = (message: string): Embedded => ({ ok: false, message });
