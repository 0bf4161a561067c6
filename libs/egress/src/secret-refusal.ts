import type { HeldSecret } from "@bulkhead/core";
import { Refusal } from "./refusal.ts";

/** A secret by its names; its value is in no refusal. */
const nameOf = ({ service, entry, field }: HeldSecret): string =>
  `the secret "${field}" of the service "${service}" (entry "${entry}")`;

export function refuseHost(secret: HeldSecret, host: string, port: number): Refusal {
  const where =
    secret.hosts.length === 0 ? "no host is allowed for it yet" : `it may go to ${secret.hosts.join(", ")}`;
  return new Refusal(
    "egress_denied",
    `${nameOf(secret)} may not go to ${host} (port ${port}): ${where}. ` +
      `Allow the host in allowedHosts of that service (PATCH /api/v1/config-services/${secret.service})`,
  );
}

export const refuseUrlPart = (secret: HeldSecret): Refusal =>
  new Refusal(
    "egress_denied",
    `${nameOf(secret)} stands in the host or the path of the URL, where it is not exchanged: ` +
      `send it in a header or in the query`,
  );

export const refuseBody = (secret: HeldSecret): Refusal =>
  new Refusal(
    "egress_denied",
    `${nameOf(secret)} stands in the body, where its service does not exchange it: send it in a header or in the ` +
      `query, or set exchangeInBody of that service (PATCH /api/v1/config-services/${secret.service})`,
  );

/** Says nothing of where the redirect leads: the value may stand in it. */
const refuseRedirect = (secret: HeldSecret, host: string, why: string): Refusal =>
  new Refusal(
    "egress_denied",
    `${host} answered with a redirect to another host, which may not know ${nameOf(secret)}. It is not followed: ${why}`,
  );

export const refuseSentOpenly = (secret: HeldSecret, host: string): Refusal =>
  refuseRedirect(
    secret,
    host,
    "the secret was sent in the URL or the body, which a redirect may repeat. Send it in a header",
  );

export const refuseRepeated = (secret: HeldSecret, host: string): Refusal =>
  refuseRedirect(secret, host, "it holds the secret or the beginning of it");

/** In a part of an answer a part of the value would pass. */
export const refusePart = (secret: HeldSecret, host: string, what: string): Refusal =>
  new Refusal(
    "egress_denied",
    `${host} may know ${nameOf(secret)}, which can't be found where some bytes of an answer are taken out of it: ${what} ` +
      `and read the answer from its start, no further than needed; a host that may not know the secret, such as one of ` +
      `signed URLs, may be asked for ranges`,
  );

export const refuseHeader = (secret: HeldSecret, header: string): Refusal =>
  new Refusal(
    "invalid_request",
    `${nameOf(secret)} can't be sent in the header ${header}: it holds a line break, a zero byte or another ` +
      `character that a header can't hold; enter it anew without`,
  );
