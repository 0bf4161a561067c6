import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { quietPorts } from "./quiet-ports.ts";
import { StoreError } from "./store-error.ts";

const TRIES_MAX = 100;

export interface PortWish {
  /** So many consecutive free ports; 1 when unset. */
  inARow?: number;
  /** Excludes these ports: they are free now, but taken soon. */
  except?: readonly number[];
}

/**
 * A loopback port that was free a moment ago, the first of a row if wanted. The caller must be ready to lose the race and
 * ask again. Throws a StoreError when none can be bound.
 */
export async function freePort({ inARow = 1, except = [] }: PortWish = {}): Promise<number> {
  const { from, below } = quietPorts(await localRange());
  let cause: unknown;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const first = randomInt(from, below - inARow);
    if (except.some((port) => port >= first && port < first + inARow)) continue;
    try {
      for (let port = first; port < first + inARow; port += 1) await bindOnce(port);
      return first;
    } catch (error) {
      cause = error;
    }
  }
  throw new StoreError(`No port of 127.0.0.1 between ${from} and ${below} was free in ${TRIES_MAX} tries.`, {
    cause,
  });
}

/** Only Linux has that file. */
const localRange = (): Promise<string> =>
  readFile("/proc/sys/net/ipv4/ip_local_port_range", "utf8").catch(() => "");

async function bindOnce(port: number): Promise<void> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  const closed = once(server, "close");
  server.close();
  await closed;
}
