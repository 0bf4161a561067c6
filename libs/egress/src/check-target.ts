import { type Address, readAddress } from "./address.ts";
import { ADDRESSES_MAX } from "./bounds.ts";
import type { EgressAllow } from "./egress-allow.ts";
import type { Lookup } from "./lookup.ts";
import { Refusal } from "./refusal.ts";

export interface CheckTargetDeps {
  allow: EgressAllow;
  lookup: Lookup;
}

/** The place that a connection goes to. */
export interface Place {
  host: string;
  port: number;
  /** Whether it goes by TLS with a checked certificate. */
  secure: boolean;
  /** What is said of a public place in the clear; unset: what holds for requests. */
  inTheClear?: string;
}

// Names that only mean something inside a network (RFC 6761, 6762, 8375, ICANN's .internal, and common usage).
const INTERNAL_NAME = /(^|\.)(local|localhost|internal|intranet|private|corp|home|lan|home\.arpa)$|^[^.]+$/;
const LOOPBACK = ["127.0.0.1", "::1"];

/**
 * The addresses that a connection for `target` may go to, at least one. A name is looked up once, here; the connection
 * must use this result. Throws `egress_denied` for a target that is closed to tools, and `failed` for a name that isn't
 * found. A refusal says no more about a name's addresses than that they are not public.
 */
export async function checkTarget(deps: CheckTargetDeps, target: Place): Promise<Address[]> {
  const { host, port } = target;
  const known = checkUnasked(deps.allow, target);
  if (known) return known;
  if (!deps.allow.allowsName(host, port)) return checkAddresses(deps, target);
  const addresses = await findAddresses(deps.lookup, host, true);
  // The name's owner decides where it points; that must not open more than the operator meant.
  if (addresses.every((address) => isOrdinary(address) || deps.allow.allowsAddress(address, port)))
    return addresses;
  throw denied(`${host} does not point to an ordinary address`);
}

/** `checkTarget` as far as it goes without asking anybody: null where only a look-up tells. Throws `egress_denied`. */
export function checkUnasked(allow: EgressAllow, target: Place): Address[] | null {
  const { host, port, secure } = target;
  const literal = readAddress(host);
  if (literal) {
    if (mayConnect(allow, literal, target)) return [literal];
    if (literal.kind === "public") throw needsHttps(target);
    throw denied(`${host} is ${literal.description}`);
  }
  if (allow.allowsName(host, port)) return null;
  if (!allow.hasRanges) {
    if (!secure) throw needsHttps(target);
    // Not looked up: outside name servers must not learn of such a name.
    if (INTERNAL_NAME.test(host)) throw denied(`${host} is an internal name`);
  }
  if (host !== "localhost" && !host.endsWith(".localhost")) return null;
  const open = LOOPBACK.flatMap((text) => readAddress(text) ?? []).filter((at) =>
    mayConnect(allow, at, target),
  );
  if (open.length > 0) return open;
  throw denied(`${host} is this machine`);
}

async function checkAddresses({ allow, lookup }: CheckTargetDeps, target: Place): Promise<Address[]> {
  const { host } = target;
  const addresses = await findAddresses(lookup, host, false);
  // All of them, not some: a name with both kinds is the mark of a rebinding attack, or of a network set up wrongly.
  if (addresses.every((address) => mayConnect(allow, address, target))) return addresses;
  if (addresses.every((address) => address.kind === "public")) throw needsHttps(target);
  throw denied(`${host} has no public address`);
}

function mayConnect(allow: EgressAllow, address: Address, { port, secure }: Place): boolean {
  return (secure && address.kind === "public") || allow.allowsAddress(address, port);
}

function isOrdinary({ kind }: Address): boolean {
  return kind === "public" || kind === "internal";
}

async function findAddresses(lookup: Lookup, name: string, trusted: boolean): Promise<Address[]> {
  const found = await lookup(name, { trusted }).catch((cause: unknown) => {
    throw notFound(name, cause);
  });
  const addresses = found.slice(0, ADDRESSES_MAX).map(readAddress);
  const known = addresses.filter((address) => address !== null);
  if (known.length === 0) throw notFound(name);
  // A scoped or otherwise unreadable address can't be checked, so nothing of this answer is used.
  if (known.length < addresses.length) throw denied(`${name} has no public address`);
  return known;
}

function notFound(name: string, cause?: unknown): Refusal {
  return new Refusal("failed", `the name ${name} could not be resolved`, cause);
}

function denied(reason: string): Refusal {
  return new Refusal("egress_denied", `${reason}; an operator can allow it with EGRESS_ALLOW`);
}

const PLAIN_HTTP = "plain http is only for hosts that an operator allowed with EGRESS_ALLOW: use https";

function needsHttps({ inTheClear = PLAIN_HTTP }: Place): Refusal {
  return new Refusal("egress_denied", inTheClear);
}
