import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** An HTTP server on loopback that answers nobody before it is opened: a tool that asks it stays where it is until then. */
export interface Gate {
  readonly url: string;
  open(): void;
}

/** Starts a gate that is shut; it goes with the running test. */
export async function shutGate(): Promise<Gate> {
  const opened = Promise.withResolvers<void>();
  const server = createServer((_request, response) => void opened.promise.then(() => response.end()));
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    open: opened.resolve,
  };
}
