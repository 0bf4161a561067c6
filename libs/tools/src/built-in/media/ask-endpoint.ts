import type { EgressRequest, EgressSession, ProvidedCall } from "@bulkhead/core";
import { refused, type Refused, type StatusAnswer } from "./refusal.ts";

export type EndpointRequest = Pick<EgressRequest, "url" | "method" | "headers" | "body">;

interface Bounds {
  bytesMax: number;
  /** From the request to the whole answer; milliseconds. */
  msMax: number;
  redirect: EgressRequest["redirect"];
  /** Who is asked, in words. */
  who: string;
}

/** One request through a way out, and the whole answer. Never rejects. */
export async function askEndpoint(
  session: EgressSession,
  request: EndpointRequest,
  call: Pick<ProvidedCall, "signal" | "nextBodyId">,
  { bytesMax, msMax, redirect, who }: Bounds,
): Promise<Refused | ({ ok: true } & StatusAnswer)> {
  const late = AbortSignal.timeout(msMax);
  const signal = AbortSignal.any([call.signal, late]);
  const bodyId = call.nextBodyId();
  const answer = await wholeAnswer(
    session,
    { ...request, bodyEncoding: "utf8", redirect },
    signal,
    bodyId,
    bytesMax,
  );
  if (late.aborted && !call.signal.aborted)
    return refused("timeout", `${who} has not answered within ${msMax} ms.`);
  return answer ?? refused("failed", `${who} answered with more than ${bytesMax} bytes.`);
}

/** Null for one that is longer. */
async function wholeAnswer(
  session: EgressSession,
  request: EgressRequest,
  signal: AbortSignal,
  bodyId: number,
  bytesMax: number,
): Promise<Refused | ({ ok: true } & StatusAnswer) | null> {
  const head = await session.fetch(request, signal, bodyId);
  if (!head.ok) return head;
  const chunks = [Buffer.from(head.body, head.bodyEncoding)];
  let length = chunks[0]?.length ?? 0;
  for (let isDone = head.done; !isDone && length <= bytesMax;) {
    const part = await session.read(bodyId, signal);
    if (!part.ok) return part;
    const chunk = Buffer.from(part.body, part.bodyEncoding);
    chunks.push(chunk);
    length += chunk.length;
    isDone = part.done;
  }
  if (length > bytesMax) return null;
  return { ok: true, status: head.status, headers: head.headers, bytes: Buffer.concat(chunks) };
}
