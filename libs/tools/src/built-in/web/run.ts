import type { EgressRefused, EgressSession, JsonObject, ProvidedAnswer, ProvidedCall } from "@bulkhead/core";
import { LINKS_MAX, PAGE_BYTES_MAX, TEXT_CHARS_DEFAULT } from "./bounds.ts";
import type { Reading } from "./page-process.ts";
import type { PageReader } from "./page-reader.ts";
import type { Page } from "./read-html.ts";

const ACCEPT = "text/html,application/xhtml+xml,application/json;q=0.9,text/*;q=0.8,*/*;q=0.1";

/** One GET through the caller's way out, redirects followed, and the readable part of its answer. */
export async function webFetch(
  reader: Pick<PageReader, "read">,
  args: JsonObject,
  call: ProvidedCall,
): Promise<ProvidedAnswer> {
  const { egress, signal } = call;
  if (egress === null) {
    const message = `web_fetch uses the network, and the tool that calls it has no network permission.`;
    return { ok: false, code: "tool_not_allowed", message };
  }
  const bodyId = call.nextBodyId();
  const request = {
    url: typeof args["url"] === "string" ? args["url"] : "",
    method: "GET",
    headers: [["accept", ACCEPT]] as [string, string][],
    ...({ body: null, bodyEncoding: "utf8", redirect: "follow" } as const),
  };
  const response = await egress.fetch(request, signal, bodyId);
  if (!response.ok) return response;
  const body = await readToBound(egress, response, bodyId, signal);
  if (!body.ok) return body;
  const { status, url, headers } = response;
  const contentType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const textCharsMax = typeof args["maxLength"] === "number" ? args["maxLength"] : TEXT_CHARS_DEFAULT;
  const reading = await reader.read({ bytes: body.bytes, contentType, url, textCharsMax }, call);
  if (reading.outcome !== "read") return unread(url, reading.outcome);
  if (reading.page === null) return notText(url, contentType);
  const { title, text, links, truncated } = reading.page;
  return { ok: true, value: toValue({ title, text, links, truncated: truncated || body.cut }, url, status) };
}

const toValue = ({ title, text, links, truncated }: Page, url: string, status: number) => ({
  url,
  status,
  title,
  text,
  links: links.slice(0, LINKS_MAX).map((link) => ({ ...link })),
  truncated,
});

/** The first `PAGE_BYTES_MAX` bytes; the rest is never asked for. */
async function readToBound(
  egress: EgressSession,
  first: { body: string; bodyEncoding: "utf8" | "base64"; done: boolean },
  bodyId: number,
  signal: AbortSignal,
): Promise<EgressRefused | { ok: true; bytes: Uint8Array; cut: boolean }> {
  const chunks = [Buffer.from(first.body, first.bodyEncoding)];
  let bytes = chunks[0]?.length ?? 0;
  let { done } = first;
  while (!done && bytes < PAGE_BYTES_MAX) {
    const part = await egress.read(bodyId, signal);
    if (!part.ok) return part;
    const chunk = Buffer.from(part.body, part.bodyEncoding);
    chunks.push(chunk);
    bytes += chunk.length;
    ({ done } = part);
  }
  const whole = Buffer.concat(chunks);
  return { ok: true, bytes: whole.subarray(0, PAGE_BYTES_MAX), cut: !done || bytes > PAGE_BYTES_MAX };
}

const UNREAD = {
  overran: ["tool_failed", "it takes too much time"],
  died: ["tool_failed", "it takes too much memory"],
  unreadable: ["tool_failed", "no text can be made of it"],
  crowded: ["tool_failed", "too many pages wait to be read; try again with fewer at once"],
  unavailable: ["tool_failed", "pages can't be read at the moment; try again"],
  aborted: ["aborted", "the call was given up"],
} as const satisfies Record<Exclude<Reading["outcome"], "read">, unknown>;

function unread(url: string, outcome: keyof typeof UNREAD): ProvidedAnswer {
  const [code, why] = UNREAD[outcome];
  return { ok: false, code, message: `web_fetch could not read ${url}: ${why}.` };
}

function notText(url: string, contentType: string): ProvidedAnswer {
  const what = contentType === "" ? "not text" : `${contentType.slice(0, 100)}, not text`;
  return { ok: false, code: "tool_failed", message: `web_fetch could not read ${url}: it is ${what}.` };
}
