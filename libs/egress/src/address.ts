import ipaddr from "ipaddr.js";

/** The kind of an address, as far as it matters to a tool's requests. */
export type AddressKind =
  /** Globally routable unicast. */
  | "public"
  /** Inside somebody's network: RFC 1918, loopback, carrier-grade NAT, unique local. */
  | "internal"
  /** Gives credentials to any caller inside. */
  | "metadata"
  /** Nothing a tool could mean: multicast, link-local, reserved, translations of other addresses. */
  | "special";

/** An address that was parsed; two are the same place exactly when `text` is equal. */
export interface Address {
  text: string;
  family: 4 | 6;
  kind: AddressKind;
  /** In words, for the refusal of a literal address. */
  description: string;
}

type Parsed = ipaddr.IPv4 | ipaddr.IPv6;

/** The metadata services of the large clouds that have an address outside 169.254.0.0/16. */
const METADATA = new Set(["100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254"]);

const INTERNAL: Record<string, string> = {
  private: "a private address",
  loopback: "a loopback address",
  uniqueLocal: "a private address",
  carrierGradeNat: "an address of a carrier's own network",
};

/**
 * Reads an address in its usual notation (no octal, no zone); null for anything else, names included. An IPv4 address
 * mapped into IPv6 is read as the IPv4 address that it is, so no rule and no range can be got round by it.
 */
export function readAddress(text: string): Address | null {
  if (text.includes("%")) return null;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return classify(ipaddr.IPv4.parse(text));
  if (!ipaddr.IPv6.isValid(text)) return null;
  const parsed = ipaddr.IPv6.parse(text);
  return classify(parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed);
}

function classify(parsed: Parsed): Address {
  const family = parsed instanceof ipaddr.IPv4 ? 4 : 6;
  return { text: parsed.toString(), family, ...judge(parsed) };
}

function judge(parsed: Parsed): Pick<Address, "kind" | "description"> {
  const text = parsed.toString();
  const range = parsed.range();
  // A network without IPv4 reaches the IPv4 world through 64:ff9b::/96, so the embedded address counts.
  const embedded = parsed instanceof ipaddr.IPv6 && range === "rfc6052" ? readNat64(parsed) : null;
  if (embedded) return judge(embedded);
  if (METADATA.has(text) || (parsed instanceof ipaddr.IPv4 && range === "linkLocal"))
    return { kind: "metadata", description: "a link-local or metadata address" };
  const internal = Object.hasOwn(INTERNAL, range) ? INTERNAL[range] : undefined;
  if (internal !== undefined) return { kind: "internal", description: internal };
  if (isPublic(parsed, range)) return { kind: "public", description: "a public address" };
  return { kind: "special", description: "not the address of a public host" };
}

function isPublic(parsed: Parsed, range: string): boolean {
  if (range !== "unicast") return false;
  if (parsed instanceof ipaddr.IPv4) return true;
  // Beyond the ranges with a name of their own, only 2000::/3 is assigned.
  const [first = 0] = parsed.parts;
  return first >= 0x2000 && first <= 0x3fff;
}

function readNat64(parsed: ipaddr.IPv6): ipaddr.IPv4 | null {
  // 64:ff9b:1::/48 is for private use: the prefix's length, and so where the IPv4 address stands, is unknown.
  if (parsed.parts.slice(2, 6).some((part) => part !== 0)) return null;
  return new ipaddr.IPv4(parsed.toByteArray().slice(12));
}

/** A range of addresses. */
export interface AddressRange {
  text: string;
  /** Exactly one address. */
  single: boolean;
  contains(address: Address): boolean;
}

/** Reads an address or a CIDR range; null for anything else. Host bits beside the prefix are ignored. */
export function readRange(text: string): AddressRange | null {
  const [literal = "", length, ...rest] = text.split("/");
  const address = readAddress(literal);
  if (!address || rest.length > 0) return null;
  const bits = address.family === 4 ? 32 : 128;
  if (length !== undefined && (!/^\d{1,3}$/.test(length) || Number(length) > bits)) return null;
  const prefix = length === undefined ? bits : Number(length);
  const base = ipaddr.parse(address.text);
  return {
    text,
    single: prefix === bits,
    contains: (other) => other.family === address.family && ipaddr.parse(other.text).match(base, prefix),
  };
}
