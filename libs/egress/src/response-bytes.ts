import type { ByteBudget } from "./byte-budget.ts";
import { type Bytes, decodeBody, readCodings } from "./decode-body.ts";
import { Refusal } from "./refusal.ts";

/** The bytes that one run may still receive, shared by its responses. */
export interface InBudgets {
  /** Bytes that come out of the last coding. */
  plain: ByteBudget;
  /** Compressed bytes as they travel. */
  coded: ByteBudget;
}

/** Allows for the frames of a coding, when the decoded bytes may be as many as the coded ones. */
export const CODED_BYTES_MORE = 64 * 1024;

/**
 * A body without its codings, charged to the budgets as it is read. Both the decoded bytes and the coded bytes count,
 * since a coded stream can be endless and yield nothing. `decoded` says that codings were taken off, so that the headers
 * that describe them are no longer true.
 */
export function responseBytes(
  source: Bytes,
  contentEncoding: string | undefined,
  budgets: InBudgets,
): { bytes: AsyncGenerator<Buffer>; decoded: boolean } {
  const codings = readCodings(contentEncoding) ?? [];
  let bytes = source;
  for (const [level, coding] of codings.entries()) {
    const bounded = level === 0 ? charge(bytes, budgets.coded) : bound(bytes, budgets.coded.bytesMax);
    bytes = decodeBody(coding, bounded);
  }
  return { bytes: charge(bytes, budgets.plain), decoded: codings.length > 0 };
}

async function* charge(source: Bytes, budget: ByteBudget): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    budget.take(chunk.length);
    yield chunk;
  }
}

async function* bound(source: Bytes, bytesMax: number): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of source) {
    total += chunk.length;
    if (total > bytesMax)
      throw new Refusal("network_limit", `the compressed response is larger than ${bytesMax} bytes`);
    yield chunk;
  }
}
