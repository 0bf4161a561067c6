import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A way to a server on loopback whose connections can be cut, as a network does it. */
export interface CutProxy {
  /** As the server's own, with another port. */
  readonly url: string;
  /** Cuts every connection that is open; later ones are carried as before. */
  cut(): void;
  close(): Promise<void>;
}

/** Carries bytes between whoever connects and the server at `url`. */
export async function startCutProxy(url: string): Promise<CutProxy> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      // What one side meets ends the other, too.
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const cut = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close: async () => {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}
