import { portOf } from "@bulkhead/core";
import { URL_CHARS_MAX } from "./bounds.ts";
import { Refusal } from "./refusal.ts";

/** A request's target, in the one notation that every later check and the connection use. */
export interface Target {
  url: URL;
  /** A name in lower case, or an address without brackets. */
  host: string;
  port: number;
  /** Scheme, host and port: connections and credentials belong to these. */
  origin: string;
  secure: boolean;
}

// The fetch standard's blocked ports: protocols that a web request must never be mistaken for, mail above all.
export const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * Reads a URL as the WHATWG standard does, which turns every notation of an IPv4 address (decimal, octal, hex, short) into
 * the usual one. Throws `invalid_request` for an invalid URL, and `egress_denied` for things that no tool needs: other
 * schemes, credentials in the URL, a trailing dot, blocked ports.
 */
export function parseTarget(text: string, base?: URL): Target {
  const url = text.length <= URL_CHARS_MAX ? URL.parse(text, base) : null;
  if (!url || url.href.length > URL_CHARS_MAX)
    throw new Refusal("invalid_request", `the URL is not valid, or longer than ${URL_CHARS_MAX} characters`);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new Refusal("egress_denied", `fetch speaks https, not ${url.protocol.slice(0, 32)}`);
  if (url.username !== "" || url.password !== "")
    throw new Refusal("egress_denied", "the URL holds credentials: send an Authorization header instead");
  if (url.hostname.endsWith("."))
    throw new Refusal("egress_denied", "the host ends with a dot: leave it out");
  url.hash = "";
  const port = portOf(url);
  if (port === 0 || BLOCKED_PORTS.has(port))
    throw new Refusal("egress_denied", `port ${port} is not for web requests`);
  return {
    url,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port,
    origin: url.origin,
    secure: url.protocol === "https:",
  };
}
