import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** One webhook as it arrived. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: ReturnType<typeof JSON.parse>;
}

/** An HTTP server for webhooks on loopback. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Those that came to a path, in order. */
  at(path: string): Received[];
  /** How many wait for an answer that does not come. */
  held(): number;
  close(): Promise<void>;
}

/**
 * Answers what `answer` says for the path and how many came to it before: a status, or null for no answer at all.
 * By the rules of Standard Webhooks it accepts all that arrives; see `isSigned`.
 */
export async function openReceiver(
  answer: (path: string, before: number) => number | null,
): Promise<Receiver> {
  const received: Received[] = [];
  const held = new Set<ServerResponse>();
  const at = (path: string): Received[] => received.filter((one) => one.path === path);
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? "";
    const body = await text(request);
    const status = answer(path, at(path).length);
    received.push({ path, headers: request.headers, text: body, body: JSON.parse(body) });
    if (status === null) held.add(response.on("close", () => held.delete(response)));
    else response.writeHead(status).end();
  };
  const server = createServer((request, response) => void receive(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    at,
    held: () => held.size,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** Whether one of the webhook's signatures is that of this secret, checked as a receiver does. */
export function isSigned({ headers, text: body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const expected = Buffer.from(createHmac("sha256", key).update(signed).digest("base64"));
  return String(headers["webhook-signature"])
    .split(" ")
    .map((one) => Buffer.from(one.replace(/^v1,/, "")))
    .some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}
