import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { StoreError } from "./store-error.ts";

/**
 * Below the ports that systems give to outgoing connections (Linux from 32,768, others from 49,152) and those that
 * Kubernetes sends elsewhere (from 30,000). While a server is
 * started again nobody listens at its port: one of those would be given away meanwhile, or to the very client that looks
 * for the server, which then meets itself.
 */
const PORTS = { from: 20_000, below: 30_000 } as const;
const TRIES_MAX = 100;

/**
 * A loopback port that was free a moment ago, and so were the next ones, `inARow` together (1 when unset). Whoever binds
 * it must be ready to lose the race and ask again. Throws a StoreError when none can be bound.
 */
export async function freePort({ inARow = 1 } = {}): Promise<number> {
  let cause: unknown;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const first = randomInt(PORTS.from, PORTS.below - inARow);
    try {
      for (let port = first; port < first + inARow; port += 1) await bindOnce(port);
      return first;
    } catch (error) {
      cause = error;
    }
  }
  const between = `between ${PORTS.from} and ${PORTS.below - 1}`;
  throw new StoreError(`No port of 127.0.0.1 ${between} was free in ${TRIES_MAX} tries.`, { cause });
}

async function bindOnce(port: number): Promise<void> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  const closed = once(server, "close");
  server.close();
  await closed;
}
