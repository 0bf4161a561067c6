import { Fault } from "@bulkhead/core";
import type { FastifyRequest } from "fastify";

/** The names under which a machine reaches itself. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The names under which the endpoint answers; null: any. What listens on the loopback alone is for programs of this machine,
 * and a web page whose name was bound to it anew must not pass for one.
 */
export function hostsOf(listensOn: string, allowed: readonly string[]): readonly string[] | null {
  const isLoopback = [...LOOPBACK, "::1"].includes(listensOn);
  if (isLoopback) return [...LOOPBACK, ...allowed];
  return allowed.length > 0 ? allowed : null;
}

/**
 * Throws `mcp.host_refused` for a name that is none of `hosts`, and for a web page of another origin. With null only an origin
 * that is not the host is refused.
 */
export function requireHost(
  hosts: readonly string[] | null,
  { headers }: Pick<FastifyRequest, "headers">,
): void {
  const host = nameIn(`http://${headers.host ?? ""}`);
  if (hosts !== null && (host === null || !hosts.includes(host))) throw refused("host", host);
  const { origin } = headers;
  if (origin === undefined) return;
  const from = nameIn(origin);
  const isOurs = hosts === null ? from === host : from !== null && hosts.includes(from);
  if (!isOurs) throw refused("origin", from);
}

function nameIn(url: string): string | null {
  return URL.parse(url)?.hostname || null;
}

const refused = (header: string, name: string | null): Fault =>
  new Fault("mcp.host_refused", {
    detail: `The header ${header} names ${name ?? "no host"}; MCP_HOSTS lists the names that this endpoint has beside the loopback's.`,
    errors: [{ path: header, message: "is no name of this endpoint" }],
  });
