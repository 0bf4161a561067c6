import type {
  EgressRefused,
  EgressResponse,
  EgressSession,
  JsonObject,
  ProvidedAnswer,
  ProvidedCall,
} from "@bulkhead/core";
import {
  PAGE_BYTES_MAX,
  PDF_BYTES_MAX,
  TEXT_CHARS_DEFAULT,
  TEXT_KEPT_CHARS_MAX,
  type PageFormat,
} from "./bounds.ts";
import { cutText } from "./cut-text.ts";
import { isPdf } from "./media-type.ts";
import type { FetchedPage, PageCache } from "./page-cache.ts";
import type { PageReader, Reading } from "./page-reader.ts";

const ACCEPT =
  "text/html,application/xhtml+xml,application/json;q=0.9,application/pdf;q=0.8,text/*;q=0.8,*/*;q=0.1";

export interface FetchDeps {
  /** Reads what is text. */
  reader: Pick<PageReader, "run">;
  pdfs: Pick<PageReader, "run">;
  cache: PageCache;
}

type Refused = Extract<ProvidedAnswer, { ok: false }>;

/** One GET through the caller's way out, redirects followed, and the readable part of its answer; or the same of a moment ago. */
export async function webFetch(
  deps: FetchDeps,
  args: JsonObject,
  call: ProvidedCall,
): Promise<ProvidedAnswer> {
  const { tenantId, egress, allowedHosts } = call;
  if (egress === null) {
    const message = `web_fetch uses the network, and the tool that calls it has no network permission.`;
    return { ok: false, code: "tool_not_allowed", message };
  }
  if (args["maxChars"] !== undefined && args["maxLength"] !== undefined) {
    const message = "maxLength is the former name of maxChars: give one of the two.";
    return { ok: false, code: "invalid_request", message };
  }
  const url = typeof args["url"] === "string" ? args["url"] : "";
  const format: PageFormat = args["format"] === "markdown" ? "markdown" : "text";
  const asked = { tenantId, allowedHosts, url, format };
  const known = args["fresh"] === true ? undefined : deps.cache.get(asked);
  if (known !== undefined) return { ok: true, value: { ...(await partOf(known, args, call)), cached: true } };
  const fetched = await fetchPage({ ...deps, egress }, { url, format }, call);
  if ("ok" in fetched) return fetched;
  deps.cache.keep(asked, fetched, fetched.headers);
  return { ok: true, value: await partOf(fetched, args, call) };
}

/**
 * The part of the text that is asked for, and where the next one begins. It is cut from the covered whole: a secret can't be had
 * in pieces.
 */
async function partOf(
  { url, status, page }: FetchedPage,
  args: JsonObject,
  { cover }: Pick<ProvidedCall, "cover">,
): Promise<JsonObject> {
  const whole = await cover(page.text);
  const said = args["maxChars"] ?? args["maxLength"];
  const charsMax = typeof said === "number" ? said : TEXT_CHARS_DEFAULT;
  const from = typeof args["startChar"] === "number" ? args["startChar"] : 0;
  const text = cutText(whole.slice(from), charsMax);
  const next = from + text.length;
  const isMore = next < whole.length;
  return {
    url,
    status,
    title: page.title,
    text,
    links: page.links.map((link) => ({ ...link })),
    truncated: page.truncated || isMore,
    ...(isMore && { nextChar: next }),
    ...(page.pages !== undefined && { pages: page.pages }),
  };
}

async function fetchPage(
  { reader, pdfs, egress }: Pick<FetchDeps, "reader" | "pdfs"> & { egress: EgressSession },
  { url: asked, format }: { url: string; format: PageFormat },
  call: ProvidedCall,
): Promise<Refused | (FetchedPage & Pick<EgressResponse, "headers">)> {
  const bodyId = call.nextBodyId();
  const request = {
    url: asked,
    method: "GET",
    headers: [["accept", ACCEPT]] as [string, string][],
    ...({ body: null, bodyEncoding: "utf8", redirect: "follow" } as const),
  };
  const response = await egress.fetch(request, call.signal, bodyId);
  if (!response.ok) return response;
  const { status, url, headers } = response;
  const contentType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const first = Buffer.from(response.body, response.bodyEncoding);
  const isOfPdf = isPdf(contentType, first);
  const body = await readToBound(egress, { first, done: response.done }, bodyId, {
    bytesMax: isOfPdf ? PDF_BYTES_MAX : PAGE_BYTES_MAX,
    signal: call.signal,
  });
  if (!body.ok) return body;
  if (isOfPdf && body.cut) return refused(url, `it is a PDF of more than ${PDF_BYTES_MAX} bytes`);
  const job = { bytes: body.bytes, contentType, url, textCharsMax: TEXT_KEPT_CHARS_MAX, format };
  const reading = await (isOfPdf ? pdfs : reader).run(job, call);
  if (reading.outcome !== "read") return unread(url, reading);
  if (reading.page === null) return notText(url, contentType);
  const { page } = reading;
  return { url, status, headers, page: { ...page, truncated: page.truncated || body.cut } };
}

/** The first `bytesMax` bytes; the rest is never asked for. */
async function readToBound(
  egress: EgressSession,
  { first, done: isDone }: { first: Buffer; done: boolean },
  bodyId: number,
  { bytesMax, signal }: { bytesMax: number; signal: AbortSignal },
): Promise<EgressRefused | { ok: true; bytes: Uint8Array; cut: boolean }> {
  const chunks = [first];
  let bytes = first.length;
  let done = isDone;
  while (!done && bytes < bytesMax) {
    const part = await egress.read(bodyId, signal);
    if (!part.ok) return part;
    const chunk = Buffer.from(part.body, part.bodyEncoding);
    chunks.push(chunk);
    bytes += chunk.length;
    ({ done } = part);
  }
  const whole = Buffer.concat(chunks);
  return { ok: true, bytes: whole.subarray(0, bytesMax), cut: !done || bytes > bytesMax };
}

const UNREAD = {
  overran: ["tool_failed", "it takes too much time"],
  died: ["tool_failed", "it takes too much memory"],
  unreadable: ["tool_failed", "no text can be made of it"],
  crowded: ["tool_failed", "too many pages wait to be read; try again with fewer at once"],
  unavailable: ["tool_failed", "pages can't be read at the moment; try again"],
  aborted: ["aborted", "the call was given up"],
} as const satisfies Record<Exclude<Reading["outcome"], "read">, unknown>;

const WHYS = {
  encrypted: "it is a PDF that only a password opens",
  broken: "it is a broken PDF, or none",
} as const;

function unread(url: string, reading: Exclude<Reading, { outcome: "read" }>): Refused {
  const [code, why] = UNREAD[reading.outcome];
  const known = reading.outcome === "unreadable" && reading.why !== undefined ? WHYS[reading.why] : why;
  return refused(url, known, code);
}

const notText = (url: string, contentType: string): Refused =>
  refused(url, `it is ${contentType === "" ? "not text" : `${contentType.slice(0, 100)}, not text`}`);

const refused = (url: string, why: string, code: Refused["code"] = "tool_failed"): Refused => ({
  ok: false,
  code,
  message: `web_fetch could not read ${url}: ${why}.`,
});
