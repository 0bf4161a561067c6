import { randomBytes } from "node:crypto";
import { closeAll, startRedisProcess, type RedisProcess } from "./redis-process.ts";
import type { TestRedis } from "./test-redis.ts";
import { until } from "./until.ts";

/** Its `url` names all Sentinels; promises about one server hold for the master and its replicas together. */
export interface TestRedisSentinel extends TestRedis {
  /** The server that the Sentinels take for the master. */
  master(): Promise<RedisProcess>;
  /** SIGKILL to the master; resolves with it when the Sentinels have made another one. */
  failOver(): Promise<RedisProcess>;
}

const MASTER_NAME = "bulkhead";
const SENTINELS = 3;
/** So many must agree that a master is down. */
const QUORUM = 2;
/** A server that is silent for so long is held for dead; milliseconds. */
const DOWN_MS = 1_000;
/** How long until another Sentinel tries after a failed failover; milliseconds. */
const FAILOVER_MS_MAX = 5_000;
const FAILOVER_WAIT_MS_MAX = 60_000;

/** A master with replicas, 1 when unset, and three Sentinels with a password of their own: a process each. Empty. */
export async function startRedisSentinel({ replicas = 1 } = {}): Promise<TestRedisSentinel> {
  const password = randomBytes(12).toString("hex");
  const sentinelPassword = randomBytes(12).toString("hex");
  const servers: RedisProcess[] = [];
  const sentinels: RedisProcess[] = [];
  const close = async (): Promise<void> => {
    await closeAll(sentinels);
    await closeAll(servers);
  };
  try {
    const first = await startRedisProcess({ password, config: () => ["repl-diskless-sync-delay 0"] });
    servers.push(first);
    for (let at = 0; at < replicas; at += 1) {
      const config = () => [`replicaof 127.0.0.1 ${first.port}`, "repl-diskless-sync-delay 0"];
      servers.push(await startRedisProcess({ password, config }));
    }
    await until(
      async () => (await first.ask("INFO replication")).split("state=online").length === replicas + 1,
      {
        what: "all replicas have the master's data",
      },
    );
    for (let at = 0; at < SENTINELS; at += 1)
      sentinels.push(await startSentinel(first.port, password, sentinelPassword));
    await until(
      async () => (await Promise.all(sentinels.map((one) => knows(one, replicas)))).every(Boolean),
      {
        timeoutMs: FAILOVER_WAIT_MS_MAX,
        what: "the Sentinels know each other and all servers",
      },
    );
  } catch (error) {
    await close();
    throw error;
  }
  const watching = [...sentinels];
  const master = async (): Promise<RedisProcess> => {
    const ports = await Promise.all(watching.map(masterPort));
    const found = servers.find(({ port }) => ports.every((told) => told === port));
    if (!found) throw new Error("the Sentinels don't agree on a master");
    return found;
  };
  const all = [...servers];
  const kill = async (): Promise<void> => void (await Promise.all(all.map((server) => server.kill())));
  return {
    url: `redis+sentinel://:${password}@${watching.map(({ port }) => `127.0.0.1:${port}`).join(",")}/${MASTER_NAME}?sentinelPassword=${sentinelPassword}`,
    master,
    failOver: async () => {
      const old = await master();
      await old.kill();
      await until(async () => (await master()) !== old, {
        timeoutMs: FAILOVER_WAIT_MS_MAX,
        what: "the Sentinels have made another master",
      });
      return old;
    },
    close,
    kill,
    flush: async () => void (await (await master()).ask("FLUSHALL")),
    restartEmpty: async () => {
      await kill();
      await Promise.all(all.map((server) => server.startAgain()));
      await until(async () => (await (await master()).ask("INFO replication")).includes("role:master"), {
        timeoutMs: FAILOVER_WAIT_MS_MAX,
        what: "the Sentinels agree on a master",
      });
    },
  };
}

function startSentinel(masterAt: number, password: string, sentinelPassword: string): Promise<RedisProcess> {
  return startRedisProcess({
    password: sentinelPassword,
    isSentinel: true,
    config: () => [
      `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${masterAt} ${QUORUM}`,
      `sentinel auth-pass ${MASTER_NAME} ${password}`,
      `sentinel sentinel-pass ${sentinelPassword}`,
      `sentinel down-after-milliseconds ${MASTER_NAME} ${DOWN_MS}`,
      `sentinel failover-timeout ${MASTER_NAME} ${FAILOVER_MS_MAX}`,
    ],
  });
}

async function knows(sentinel: RedisProcess, replicas: number): Promise<boolean> {
  const told = await sentinel.ask(`SENTINEL MASTER ${MASTER_NAME}`);
  const count = (name: string): number =>
    Number(new RegExp(`${name}\\r\\n\\$\\d+\\r\\n(\\d+)`, "u").exec(told)?.[1]);
  return count("num-slaves") === replicas && count("num-other-sentinels") === SENTINELS - 1;
}

async function masterPort(sentinel: RedisProcess): Promise<number> {
  const told = await sentinel.ask(`SENTINEL GET-MASTER-ADDR-BY-NAME ${MASTER_NAME}`);
  return Number(/(\d+)\r\n$/u.exec(told)?.[1]);
}
