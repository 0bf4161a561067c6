import { PLACEHOLDER, PLACEHOLDER_START } from "@bulkhead/core";
import { Refusal } from "./refusal.ts";
import type { HeaderList } from "./request-headers.ts";

/**
 * A body with its placeholders exchanged, each value written as the content type wants it: escaped in JSON, encoded in
 * a form, else as it is. Refused before it is built where it would be over `bytesMax`.
 */
export function fillBody(
  body: Buffer,
  headers: HeaderList,
  bytesMax: number,
  valueOf: (placeholder: string) => string | null,
): Buffer {
  if (!body.includes(PLACEHOLDER_START)) return body;
  const write = writerOf(headers.find(([name]) => name === "content-type")?.[1] ?? "");
  // Works byte by byte, so any body will do.
  const text = body.toString("latin1");
  const written = new Map<string, string>();
  let length = text.length;
  for (const [placeholder] of text.matchAll(PLACEHOLDER)) {
    let value = written.get(placeholder);
    if (value === undefined) {
      const known = valueOf(placeholder);
      value = known === null ? placeholder : Buffer.from(write(known)).toString("latin1");
      written.set(placeholder, value);
    }
    length += value.length - placeholder.length;
  }
  if (length > bytesMax)
    throw new Refusal("network_limit", `the request's body is over ${bytesMax} bytes with its secrets in it`);
  return Buffer.from(
    text.replace(PLACEHOLDER, (placeholder) => written.get(placeholder) ?? placeholder),
    "latin1",
  );
}

function writerOf(type: string): (value: string) => string {
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return encodeValue;
  if (/^[^;]*[/+]json\b/i.test(type)) return (value) => JSON.stringify(value).slice(1, -1);
  return (value) => value;
}

/** As a form and a query write it; a lone surrogate has no bytes of its own. */
export const encodeValue = (value: string): string => encodeURIComponent(value.toWellFormed());
