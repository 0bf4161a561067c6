import { isIP } from "node:net";
import { type Address, type AddressRange, readRange } from "./address.ts";

/** One entry of `EGRESS_ALLOW`: a name or a range of addresses, on one port or on all. */
export type EgressAllowRule = { port: number | null } & (
  | { kind: "name"; name: string }
  | { kind: "range"; range: AddressRange }
);

export type EgressAllowResult = { ok: true; rules: EgressAllowRule[] } | { ok: false; faults: string[] };

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const PORT_MAX = 65_535;

/**
 * Reads `EGRESS_ALLOW`: entries between commas, each `host`, `host:port`, an address, `address:port`, or a CIDR range;
 * IPv6 in brackets (needed only before a port). The result lists all faults at once; an empty text has no rules.
 */
export function parseEgressAllow(text: string): EgressAllowResult {
  const rules: EgressAllowRule[] = [];
  const faults: string[] = [];
  for (const entry of text.split(",").map((part) => part.trim())) {
    if (entry === "") continue;
    const rule = readRule(entry.toLowerCase());
    if (rule) rules.push(rule);
    else faults.push(`"${entry}" must be a host, host:port, an address or a CIDR range`);
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, rules };
}

function readRule(entry: string): EgressAllowRule | null {
  const bare = readRange(entry);
  if (bare) return { kind: "range", range: bare, port: null };
  const split = /^(?:\[(?<six>[^\]]+)\](?<length>\/\d+)?|(?<host>[^:[\]]+))(?::(?<port>\d{1,5}))?$/.exec(
    entry,
  )?.groups;
  const port = split?.port === undefined ? null : Number(split.port);
  if (!split || (port !== null && (port === 0 || port > PORT_MAX))) return null;
  if (split.six !== undefined) {
    const range = isIP(split.six) === 6 ? readRange(split.six + (split.length ?? "")) : null;
    return range && { kind: "range", range, port };
  }
  const host = split.host ?? "";
  const range = readRange(host);
  if (range) return { kind: "range", range, port };
  return isName(host) ? { kind: "name", name: host, port } : null;
}

function isName(host: string): boolean {
  const labels = host.split(".");
  // A URL's parser takes a last label of digits for an IPv4 address, so such a name could never match.
  return (
    host.length <= 253 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^(\d+|0x.*)$/.test(labels.at(-1) ?? "")
  );
}

/** The question the rules answer: whether a place is open although it is not public, or by plain http. */
export interface EgressAllow {
  /** The name itself is allowed, even with an internal address. */
  allowsName(name: string, port: number): boolean;
  allowsAddress(address: Address, port: number): boolean;
  /** Some rule is about addresses, so that a name's addresses can matter. */
  readonly hasRanges: boolean;
}

/** Compiles the rules. A metadata address is opened only by an entry that is exactly that address. */
export function compileEgressAllow(rules: readonly EgressAllowRule[]): EgressAllow {
  const names = rules.filter((rule) => rule.kind === "name");
  const ranges = rules.filter((rule) => rule.kind === "range");
  const fits = (rule: EgressAllowRule, port: number): boolean => rule.port === null || rule.port === port;
  return {
    hasRanges: ranges.length > 0,
    allowsName: (name, port) => names.some((rule) => rule.name === name && fits(rule, port)),
    allowsAddress: (address, port) =>
      ranges.some(
        (rule) =>
          fits(rule, port) &&
          rule.range.contains(address) &&
          (rule.range.single || address.kind !== "metadata"),
      ),
  };
}
