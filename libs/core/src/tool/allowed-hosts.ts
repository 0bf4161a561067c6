import type { InputFault } from "../schema/json-schema.ts";

/** Patterns of one tool, and UTF-16 units of one pattern. */
export const ALLOWED_HOSTS_MAX = 100;
export const ALLOWED_HOST_CHARS_MAX = 300;

const PATTERN = /^(?<any>\*\.)?(?<host>\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]*%]+)(?::(?<port>[1-9]\d{0,4}))?$/i;
const PORT_MAX = 65_535;
const ADDRESS = /^\[|^\d+\.\d+\.\d+\.\d+$/;

const MESSAGE =
  "must be a host name or an address, as api.example.com or *.example.com, with or without a port (api.example.com:8443)";

interface HostPattern {
  /** As a URL's `hostname` has it: lower case, IDN in its ASCII form, IPv6 in brackets. */
  host: string;
  /** `host` stands for all names below it, of one or more labels, and not for itself. */
  any: boolean;
  /** Null is every port. */
  port: number | null;
}

/**
 * Reads the hosts that a tool may reach: exact names or addresses, or `*.name` for all names below one (however deep, the
 * name itself not), each on every port or on the one it gives. The answer is the one notation of each, without repeats;
 * or every fault, with its place in the list as path.
 */
export function readAllowedHosts(
  patterns: readonly string[],
): { ok: true; hosts: string[] } | { ok: false; faults: InputFault[] } {
  const read = patterns.map(readPattern);
  const faults = read.flatMap((pattern, index) =>
    pattern === null ? [{ path: `allowedHosts.${index}`, message: MESSAGE }] : [],
  );
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, hosts: [...new Set(read.flatMap((pattern) => (pattern ? writePattern(pattern) : [])))] };
}

/**
 * Whether a tool with this list may ask `host` (as a URL's `hostname` has it, or an IPv6 address without brackets) on
 * `port`. Null allows every host; a pattern that can't be read allows none.
 */
export const allowsHost = (allowed: readonly string[] | null, host: string, port: number): boolean =>
  allowed === null || patternsOf(allowed, host, port).length > 0;

/**
 * The list's entry for `host` (as for `allowsHost`), without a port: the host itself if it is listed, else the pattern
 * that it matches, so that no text of the asker is repeated. Null for a host that is not on the list.
 */
export function listedHost(listed: readonly string[], host: string, port: number): string | null {
  const patterns = patternsOf(listed, host, port);
  const pattern = patterns.find(({ any }) => !any) ?? patterns[0];
  return pattern === undefined ? null : writePattern({ ...pattern, port: null });
}

function patternsOf(listed: readonly string[], host: string, port: number): HostPattern[] {
  const wanted = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return listed.flatMap((text) => {
    const pattern = readPattern(text);
    if (pattern === null || (pattern.port !== null && pattern.port !== port)) return [];
    return (pattern.any ? wanted.endsWith(`.${pattern.host}`) : wanted === pattern.host) ? [pattern] : [];
  });
}

/** The port that a request to this URL goes to: the one that it names, or its scheme's. */
export const portOf = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);

/** Whether every host and port of the pattern `wanted` is one of `known`'s. One that can't be read covers and is nothing. */
export function coversHost(known: string, wanted: string): boolean {
  const [around, inner] = [readPattern(known), readPattern(wanted)];
  if (around === null || inner === null) return false;
  if (around.port !== null && around.port !== inner.port) return false;
  // `*.a.example` lies in `*.a.example` too, though that does not cover `a.example`.
  if (around.host === inner.host) return around.any === inner.any;
  return around.any && inner.host.endsWith(`.${around.host}`);
}

function readPattern(text: string): HostPattern | null {
  const groups = text.length <= ALLOWED_HOST_CHARS_MAX ? PATTERN.exec(text)?.groups : undefined;
  const host = groups?.host === undefined ? null : hostnameOf(groups.host);
  if (host === null) return null;
  const any = groups?.any !== undefined;
  const port = groups?.port === undefined ? null : Number(groups.port);
  if ((port ?? 1) > PORT_MAX || (any && ADDRESS.test(host))) return null;
  return { host, any, port };
}

/** The host in the notation of a parsed URL; null for a text that a URL can't hold, or writes in another way. */
function hostnameOf(host: string): string | null {
  const url = URL.parse(`https://${host}/`);
  if (url === null || url.hostname === "" || url.hostname.endsWith(".")) return null;
  // 0x7f.1 and the like are addresses in disguise; a pattern must show its meaning.
  if (ADDRESS.test(url.hostname) && !ADDRESS.test(host)) return null;
  return url.hostname;
}

const writePattern = ({ host, any, port }: HostPattern): string =>
  `${any ? "*." : ""}${host}${port === null ? "" : `:${port}`}`;
