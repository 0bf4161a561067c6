import {
  indexOf,
  join,
  lastIndexOf,
  matchOf,
  parseJson,
  push,
  slice,
  splitAt,
  SyntaxErrorCtor,
} from "../primordials.ts";

const EMAIL_CHARS_MAX = 254;
const LOCAL_CHARS_MAX = 64;
const HOST_CHARS_MAX = 253;
const LABEL_CHARS_MAX = 63;
const PORT_MAX = 65_535;

/** No pattern here has two ways to match the same text, so that each takes time in proportion to its length. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const URL_PARTS = /^https?:\/\/([^\s\p{Cc}/?#\\]+)(?:[/?#][^\s\p{Cc}]*)?$/iu;
const NO_DIGIT_FIRST = /^\P{N}.+$/u;
const PORT = /^\d{0,5}$/;
/** The web takes every host that ends in a number for an address. */
const NUMBER_LAST = /(?:^|\.)\d+$/;
const BYTE = /^(?:0|[1-9]\d{0,2})$/;
const HEX_GROUP = /^[0-9a-f]{1,4}$/i;
const UUID =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}(?:-0{4}){3}-0{12}|f{8}(?:-f{4}){3}-f{12})$/i;

/** Works whatever a tool does to RegExp.prototype: `test` and similar methods would look up `exec` there. */
const matches = (pattern: RegExp, text: string): boolean => matchOf(pattern, text) !== null;

/** An address as mail servers deliver it: dot-separated local part, host name with a dot; no quotes, no comments. */
export function isEmail(value: string): boolean {
  if (typeof value !== "string" || value.length > EMAIL_CHARS_MAX) return false;
  const at = lastIndexOf(value, "@");
  const local = slice(value, 0, at);
  if (at < 1 || local.length > LOCAL_CHARS_MAX || !matches(LOCAL, local)) return false;
  const labels = splitAt(slice(value, at + 1), ".");
  return labels.length > 1 && areLabels(labels) && matches(NO_DIGIT_FIRST, lastOf(labels));
}

/** An absolute http or https URL, host names, addresses, ports and letters beyond ASCII included; no white space. */
export function isUrl(value: string): boolean {
  if (typeof value !== "string") return false;
  const authority = matchOf(URL_PARTS, value)?.[1];
  if (authority === undefined) return false;
  const hostAndPort = slice(authority, lastIndexOf(authority, "@") + 1);
  const colon = indexOf(hostAndPort, ":", lastIndexOf(hostAndPort, "]") + 1);
  const host = colon < 0 ? hostAndPort : slice(hostAndPort, 0, colon);
  const port = colon < 0 ? "" : slice(hostAndPort, colon + 1);
  return matches(PORT, port) && +port <= PORT_MAX && isHost(host);
}

function isHost(host: string): boolean {
  if (host[0] === "[") return host[host.length - 1] === "]" && isIpv6(slice(host, 1, -1));
  const name = host[host.length - 1] === "." ? slice(host, 0, -1) : host;
  if (matches(NUMBER_LAST, name)) return isIpv4(name);
  return name.length <= HOST_CHARS_MAX && areLabels(splitAt(join(splitAt(name, "_"), "-"), "."));
}

const lastOf = (items: string[]): string => items[items.length - 1] ?? "";

function areLabels(labels: string[]): boolean {
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] as string;
    if (label.length > LABEL_CHARS_MAX || !matches(LABEL, label)) return false;
  }
  return true;
}

function isIpv4(text: string): boolean {
  const parts = splitAt(text, ".");
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string;
    if (!matches(BYTE, part) || +part > 255) return false;
  }
  return parts.length === 4;
}

function isIpv6(text: string): boolean {
  const halves = splitAt(text, "::");
  if (halves.length > 2) return false;
  const groups: string[] = [];
  for (let i = 0; i < halves.length; i++) {
    const half = halves[i] as string;
    const parts = half === "" ? [] : splitAt(half, ":");
    for (let at = 0; at < parts.length; at++) push(groups, parts[at]);
  }
  const hasIpv4 = indexOf(lastOf(groups), ".") >= 0;
  if (hasIpv4 && !isIpv4(lastOf(groups))) return false;
  const hexGroups = groups.length - (hasIpv4 ? 1 : 0);
  for (let i = 0; i < hexGroups; i++) if (!matches(HEX_GROUP, groups[i] as string)) return false;
  const count = hexGroups + (hasIpv4 ? 2 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}

/** Whether the text is JSON (RFC 8259): any value, scalars included. */
export function isJson(value: string): boolean {
  if (typeof value !== "string") return false;
  try {
    parseJson(value);
    return true;
  } catch (error) {
    if (error instanceof SyntaxErrorCtor) return false;
    throw error;
  }
}

/** A UUID of RFC 9562 in either case, versions 1 to 8, the nil and the max one included; no braces, no prefix. */
export const isUuid = (value: string): boolean => typeof value === "string" && matches(UUID, value);
