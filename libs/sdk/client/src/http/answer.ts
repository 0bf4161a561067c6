import { BulkheadError } from "../errors.ts";
import type { Problem } from "../generated/types.ts";
import { readRetryAfter } from "./retry.ts";

/** Characters of a stranger's page that an error repeats. */
const QUOTE_CHARS_MAX = 200;
/** Bytes of it that are read. */
const PAGE_BYTES_MAX = 16 * 1024;

/** Statuses of proxies that may be gone at the next try. */
const PASSING = new Set([408, 429, 502, 503, 504]);

/** The data of a good answer, by what it says that it is: parsed JSON, text, or bytes of a zip. */
export async function readData(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const type = typeOf(response);
  if (type === "application/json") {
    const body = await parse(response);
    return isEnvelope(body) ? body.data : body;
  }
  if (type === "application/zip") return new Uint8Array(await response.arrayBuffer());
  if (type === "application/typescript") return await response.text();
  throw await strange(response);
}

/** Bytes as they came, whatever they say. */
export const readBytes = async (response: Response): Promise<Uint8Array> =>
  new Uint8Array(await response.arrayBuffer());

/** A body that is read as it comes. */
export async function readStream(response: Response): Promise<ReadableStream<Uint8Array>> {
  if (response.body === null || typeOf(response) === "text/html") throw await strange(response);
  return response.body;
}

/** The error that an answer other than a good one stands for. */
export async function errorOf(response: Response): Promise<BulkheadError> {
  if (typeOf(response) !== "application/problem+json") return await strange(response);
  const problem = await parse(response);
  if (!isProblem(problem)) throw unreadable(response);
  const { code, title, detail, status, retryable } = problem;
  const message = detail ? `${title} ${detail}` : title;
  const retryAfterMs = readRetryAfter(response.headers.get("retry-after"), Date.now());
  return new BulkheadError({ code, message, status, retryable, retryAfterMs, problem });
}

async function parse(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(response, cause);
  }
}

const unreadable = ({ status }: Response, cause?: unknown): BulkheadError =>
  new BulkheadError({
    code: "client.answer_invalid",
    message: "What was answered is called JSON and is none.",
    status,
    cause,
  });

/** For what a proxy or another server says. */
async function strange(response: Response): Promise<BulkheadError> {
  const { status, headers } = response;
  const to = headers.get("location");
  const moved = to === null ? "" : ` It leads to ${to}: give the client that address.`;
  return new BulkheadError({
    code: "client.answer_invalid",
    message:
      `Something else than the API answered with status ${status}.${moved} ${await beginning(response)}`.trim(),
    status,
    retryable: PASSING.has(status),
    retryAfterMs: readRetryAfter(headers.get("retry-after"), Date.now()),
  });
}

/** The first words of a body, of which no more is read. */
async function beginning({ body }: Response): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; bytes < PAGE_BYTES_MAX;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  const words = text
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return words.slice(0, QUOTE_CHARS_MAX);
}

const typeOf = ({ headers }: Response): string =>
  (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const isEnvelope = (value: unknown): value is { data: unknown } =>
  isRecord(value) && value["success"] === true && "data" in value;

const isProblem = (value: unknown): value is Problem =>
  isRecord(value) && typeof value["code"] === "string" && typeof value["title"] === "string";
