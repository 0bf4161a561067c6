const EMAIL_CHARS_MAX = 254;
const LOCAL_CHARS_MAX = 64;
const HOST_CHARS_MAX = 253;
const LABEL_CHARS_MAX = 63;
const PORT_MAX = 65_535;

/** No pattern here has two ways to match the same text, so that each takes time in proportion to its length. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const URL_PARTS = /^https?:\/\/([^\s\p{Cc}/?#\\]+)(?:[/?#][^\s\p{Cc}]*)?$/iu;
const UUID =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}(?:-0{4}){3}-0{12}|f{8}(?:-f{4}){3}-f{12})$/i;

/** An address as mail servers deliver it: dot-separated local part, host name with a dot; no quotes, no comments. */
export function isEmail(value: string): boolean {
  if (typeof value !== "string" || value.length > EMAIL_CHARS_MAX) return false;
  const at = value.lastIndexOf("@");
  const [local, host] = [value.slice(0, at), value.slice(at + 1)];
  if (at < 1 || local.length > LOCAL_CHARS_MAX || !LOCAL.test(local)) return false;
  const labels = host.split(".");
  return labels.length > 1 && areLabels(labels) && /^\P{N}.+$/u.test(labels.at(-1) ?? "");
}

/** An absolute http or https URL, host names, addresses, ports and letters beyond ASCII included; no white space. */
export function isUrl(value: string): boolean {
  if (typeof value !== "string") return false;
  const authority = URL_PARTS.exec(value)?.[1];
  if (authority === undefined) return false;
  const hostAndPort = authority.slice(authority.lastIndexOf("@") + 1);
  const bracket = hostAndPort.lastIndexOf("]");
  const colon = hostAndPort.indexOf(":", bracket + 1);
  const host = colon < 0 ? hostAndPort : hostAndPort.slice(0, colon);
  const port = colon < 0 ? "" : hostAndPort.slice(colon + 1);
  return /^\d{0,5}$/.test(port) && Number(port) <= PORT_MAX && isHost(host);
}

function isHost(host: string): boolean {
  if (host.startsWith("[")) return host.endsWith("]") && isIpv6(host.slice(1, -1));
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  // The web takes every host that ends in a number for an address.
  if (/(?:^|\.)\d+$/.test(name)) return isIpv4(name);
  return name.length <= HOST_CHARS_MAX && areLabels(name.replaceAll("_", "-").split("."));
}

const areLabels = (labels: string[]): boolean =>
  labels.every((label) => label.length <= LABEL_CHARS_MAX && LABEL.test(label));

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}

function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1) ?? "";
  const hasIpv4 = last.includes(".");
  if (hasIpv4 && !isIpv4(last)) return false;
  const hex = hasIpv4 ? groups.slice(0, -1) : groups;
  const count = hex.length + (hasIpv4 ? 2 : 0);
  return (
    hex.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) && (halves.length === 2 ? count < 8 : count === 8)
  );
}

/** Whether the text is JSON (RFC 8259): any value, scalars included. */
export function isJson(value: string): boolean {
  if (typeof value !== "string") return false;
  try {
    JSON.parse(value);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** A UUID of RFC 9562 in either case, versions 1 to 8, the nil and the max one included; no braces, no prefix. */
export const isUuid = (value: string): boolean => typeof value === "string" && UUID.test(value);
