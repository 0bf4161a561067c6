import { REQUEST_HEADER_BYTES_MAX, REQUEST_HEADERS_MAX } from "./bounds.ts";
import { Refusal } from "./refusal.ts";

export type HeaderList = [name: string, value: string][];

const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** They belong to the connection; taken out without a word, since code copied from elsewhere often sets them. */
const OURS = new Set(["accept-encoding", "connection", "content-length", "keep-alive"]);
/** A tool that sets one of these could bypass the broker. */
const FORBIDDEN = new Set([
  "expect",
  "host",
  "http2-settings",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
]);
/**
 * Credentials that a redirect to another origin must not carry along: the standard's names, and the names that APIs use
 * for keys.
 */
const CREDENTIAL =
  /^(cookie2?|proxy-.*|(.*-)?(auth|authorization|(api|access|app|auth|master|private|secret|subscription)-?key|token|secret|password|credentials?)(-.*)?)$/;
const BODY_HEADERS = new Set(["content-encoding", "content-language", "content-location", "content-type"]);

/** Header names in lower case and checked values; throws `invalid_request` naming the header that can't be sent. */
export function checkHeaders(headers: readonly (readonly [string, string])[]): HeaderList {
  if (headers.length > REQUEST_HEADERS_MAX)
    throw new Refusal("invalid_request", `there are more than ${REQUEST_HEADERS_MAX} headers`);
  const checked: HeaderList = [];
  let bytes = 0;
  for (const [rawName, rawValue] of headers) {
    const name = rawName.toLowerCase();
    const value = rawValue.trim();
    bytes += name.length + value.length;
    if (bytes > REQUEST_HEADER_BYTES_MAX)
      throw new Refusal("invalid_request", `the headers are larger than ${REQUEST_HEADER_BYTES_MAX} bytes`);
    if (!NAME.test(name))
      throw new Refusal("invalid_request", "a header's name holds a character it can't hold");
    if (!VALUE.test(value))
      throw new Refusal("invalid_request", `the header ${name} holds a character that can't be sent`);
    if (FORBIDDEN.has(name) || name.startsWith("proxy-"))
      throw new Refusal("invalid_request", `the header ${name} is not a tool's to set: leave it out`);
    if (!OURS.has(name)) checked.push([name, value]);
  }
  return checked;
}

/** The headers without credentials, for a redirect to another origin. */
export function withoutCredentials(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => !CREDENTIAL.test(name));
}

/** The headers without those that describe a body, for a redirect that leaves the body behind. */
export function withoutBodyHeaders(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => !BODY_HEADERS.has(name));
}
