import type { HeldSecret } from "@bulkhead/core";
import type { Dispatcher } from "undici";
import type { HeaderList } from "./request-headers.ts";
import { refusePart } from "./secret-refusal.ts";

/** The one unit that cuts within a value; APIs number pages and rows in units of their own. */
const BYTES = /\bbytes\b/i;
/** Also `bytes 0-30/*`; an answer without a part has `bytes *` and a length (RFC 9110, 14.4). */
const BYTES_GIVEN = /\bbytes\b(?!\s*\*)/i;
const PARTS = /^\s*multipart\/byteranges\b/i;
const PARTIAL_CONTENT = 206;

/** Refuses to ask a host that may know this secret for some bytes of an answer: in a part of a value nothing can be found. */
export function askWhole(headers: HeaderList, host: string, secret: HeldSecret): void {
  if (headers.some(([name, value]) => name === "range" && BYTES.test(value)))
    throw refusePart(secret, host, "leave out the header range");
}

/** Refuses an answer of such a host that says it is a part, whatever asked for it (`x-ms-range`, a query). */
export function takeWhole(
  { statusCode, headers }: Pick<Dispatcher.ResponseData, "statusCode" | "headers">,
  host: string,
  secret: HeldSecret,
): void {
  const range = [headers["content-range"] ?? []].flat().join();
  const type = [headers["content-type"] ?? []].flat().join();
  const isPart =
    BYTES_GIVEN.test(range) || PARTS.test(type) || (statusCode === PARTIAL_CONTENT && range === "");
  if (isPart) throw refusePart(secret, host, "don't ask for a range of bytes");
}
