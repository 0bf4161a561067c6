import { queryRows, startProduct, type Product, type ProductWorker } from "@bulkhead/testing";
import { openTcpProxy, type TcpProxy } from "../wire/tcp-proxy.ts";
import { openEffectServer } from "./effect-server.ts";
import { SMALL_PROCESSES, type Ground } from "./ground.ts";
import type { OwnPostgres } from "./own-postgres.ts";
import { openOwnRedis, type OwnRedis } from "./own-redis.ts";

/** One process's ways to the stores, each of which can be disturbed by itself. */
export interface Doors {
  redis: TcpProxy;
  postgres: TcpProxy;
}

export interface RigWorker {
  app: ProductWorker;
  doors: Doors;
}

/** Where a rig keeps its rows. */
export interface RigDatabase {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens one, migrated and empty, which tells when it has moved to another port. */
export type OpenRigDatabase<P> = (onMove: (port: number) => void) => Promise<P>;

/** The product as processes on stores of its own, with a proxy at every door. */
export interface Rig<P extends RigDatabase = OwnPostgres> extends Ground {
  readonly product: Product;
  readonly redis: OwnRedis;
  readonly postgres: P;
  readonly apiDoors: Doors;
  /** The living ones, oldest first. */
  workers(): RigWorker[];
  startWorker(): Promise<RigWorker>;
  close(): Promise<void>;
}

/** Starts stores, an API and a worker. What was started is ended when something does not start. */
export async function openRig<P extends RigDatabase>(openDatabase: OpenRigDatabase<P>): Promise<Rig<P>> {
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (let step = closing.pop(); step; step = closing.pop())
      await step().catch((cause: unknown) => failures.push(cause));
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join("; "));
  };
  try {
    return await assemble(openDatabase, closing, close);
  } catch (cause) {
    await close();
    throw cause;
  }
}

async function assemble<P extends RigDatabase>(
  openDatabase: OpenRigDatabase<P>,
  closing: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<Rig<P>> {
  const proxies: Doors[] = [];
  const postgres = await openDatabase((port) =>
    proxies.forEach((doors) => (doors.postgres.target.port = port)),
  );
  closing.push(() => postgres.close());
  const redis = await openOwnRedis((port) => proxies.forEach((doors) => (doors.redis.target.port = port)));
  closing.push(() => redis.close());
  const effects = await openEffectServer();
  closing.push(() => effects.close());
  const openDoors = async (): Promise<Doors> => {
    const doors = {
      redis: await openTcpProxy(targetOf(redis.url)),
      postgres: await openTcpProxy(targetOf(postgres.url)),
    };
    proxies.push(doors);
    return doors;
  };
  closing.push(async () => {
    await Promise.all(proxies.flatMap((doors) => [doors.redis.close(), doors.postgres.close()]));
  });
  const urls = ({ redis: toRedis, postgres: toPostgres }: Doors) => ({
    REDIS_URL: toRedis.through(redis.url),
    DATABASE_URL: toPostgres.through(postgres.url),
  });
  const apiDoors = await openDoors();
  const { REDIS_URL: redisUrl, DATABASE_URL: databaseUrl } = urls(apiDoors);
  const product = await startProduct({ env: SMALL_PROCESSES, workers: 0, redisUrl, databaseUrl });
  closing.push(() => product.stop());
  const workers: RigWorker[] = [];
  const startWorker = async (): Promise<RigWorker> => {
    const doors = await openDoors();
    const worker = { app: await product.startWorker(urls(doors)), doors };
    workers.push(worker);
    return worker;
  };
  await startWorker();
  return {
    product,
    redis,
    postgres,
    effects,
    apiDoors,
    startWorker,
    close,
    workers: () => workers.filter(({ app }) => !app.hasEnded()),
    sql: (statement, values) => queryRows(postgres.url, statement, values),
  };
}

const targetOf = (url: string): { host: string; port: number } => ({
  host: "127.0.0.1",
  port: Number(new URL(url).port),
});
