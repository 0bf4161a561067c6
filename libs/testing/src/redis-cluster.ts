import { randomBytes } from "node:crypto";
import { freePort } from "@bulkhead/standalone/stores";
import { closeAll, startRedisProcess, type RedisProcess } from "./redis-process.ts";
import type { TestRedis } from "./test-redis.ts";
import { until } from "./until.ts";

/** Its `url` names all nodes; promises about one server hold for all of them together. */
export interface TestRedisCluster extends TestRedis {
  /** Each holds as many slots as the others, in their order. */
  readonly masters: readonly Pick<RedisProcess, "port" | "ask" | "kill" | "startAgain">[];
  /** Resolves when every node knows that all slots are served. */
  isWhole(): Promise<void>;
}

const SLOTS = 16_384;
/** A node that is silent for so long is held for dead by the others; milliseconds. */
const NODE_MS_MAX = 1_000;
const JOIN_MS_MAX = 30_000;

/** A Redis Cluster of so many masters, 3 when unset, without replicas: a process each. Empty, with a password. */
export async function startRedisCluster({ masters: count = 3 } = {}): Promise<TestRedisCluster> {
  const password = randomBytes(12).toString("hex");
  const nodes: RedisProcess[] = [];
  try {
    for (let at = 0; at < count; at += 1) nodes.push(await startNode(password));
    await join(nodes);
  } catch (error) {
    await closeAll(nodes);
    throw error;
  }
  const masters = [...nodes];
  const kill = async (): Promise<void> => void (await Promise.all(masters.map((node) => node.kill())));
  return {
    url: `redis+cluster://:${password}@${masters.map(({ port }) => `127.0.0.1:${port}`).join(",")}`,
    masters,
    isWhole: () => isWhole(masters),
    close: () => closeAll(nodes),
    kill,
    flush: async () => void (await Promise.all(masters.map((node) => node.ask("FLUSHALL")))),
    restartEmpty: async () => {
      await kill();
      await Promise.all(masters.map((node) => node.startAgain()));
      await isWhole(masters);
    },
  };
}

function startNode(password: string): Promise<RedisProcess> {
  return startRedisProcess({
    password,
    config: async () => [
      "cluster-enabled yes",
      "cluster-config-file nodes.conf",
      // The usual one, 10,000 above the port, may be beyond the last.
      `cluster-port ${await freePort()}`,
      `cluster-node-timeout ${NODE_MS_MAX}`,
      // While a master is away the others serve their own keys, also when a slow machine takes its time to look.
      "cluster-require-full-coverage no",
    ],
  });
}

async function join(nodes: RedisProcess[]): Promise<void> {
  const [first] = nodes;
  if (!first) throw new Error("a cluster has one master or more");
  for (const [at, node] of nodes.entries()) {
    const from = Math.floor((SLOTS * at) / nodes.length);
    const to = Math.floor((SLOTS * (at + 1)) / nodes.length) - 1;
    // Different epochs from the start: else the nodes need some time to agree on them.
    await node.ask(`CLUSTER ADDSLOTSRANGE ${from} ${to}`, `CLUSTER SET-CONFIG-EPOCH ${at + 1}`);
    if (node !== first) await node.ask(`CLUSTER MEET 127.0.0.1 ${first.port} ${await busPort(first)}`);
  }
  await isWhole(nodes);
}

async function busPort(node: RedisProcess): Promise<number> {
  const reply = await node.ask("CONFIG GET cluster-port");
  return Number(/(\d+)\r\n$/u.exec(reply)?.[1]);
}

async function isWhole(nodes: RedisProcess[]): Promise<void> {
  const known = `cluster_known_nodes:${nodes.length}\r\n`;
  const sees = async (node: RedisProcess): Promise<boolean> => {
    const info = await node.ask("CLUSTER INFO");
    return info.includes("cluster_state:ok") && info.includes(known) && info.includes(`slots_ok:${SLOTS}`);
  };
  await until(async () => (await Promise.all(nodes.map(sees))).every(Boolean), {
    timeoutMs: JOIN_MS_MAX,
    what: "all nodes of the Redis Cluster see each other and all slots",
  });
}
