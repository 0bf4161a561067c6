import { migrate } from "@bulkhead/postgres";
import { setTimeout as delay } from "node:timers/promises";
import { checkAppSettings } from "./check-app-settings.ts";
import type { StandaloneConfig } from "./config.ts";
import { createLoginCode } from "./login-code.ts";
import { keepToolsDir, requireToolsDir } from "./tools-dir/keep-tools-dir.ts";
import { prepareDataDir } from "./data-dir.ts";
import { keepKey, keptOldMasterKeys, MASTER_KEY } from "./keys.ts";
import { startOwnPostgres, startOwnRedis, type OwnStore } from "./own-stores.ts";
import { requirePorts, type ListenPlace } from "./port-check.ts";
import { reachable, readyMessage } from "./ready-message.ts";
import { settleMasterKeys } from "./settle-master-keys.ts";
import { StartRefusal } from "./start-refusal.ts";
import { openSteps } from "./steps.ts";
import { readProcess } from "./stores/process-facts.ts";
import { linePrinter, type AppProcess } from "./supervise/app-process.ts";
import { metricsOf, portOf, startApps, workerMetricsPort, type Apps } from "./supervise/apps.ts";
import { takeLock, type DataDirLock } from "./supervise/lock.ts";
import { stopInOrder } from "./supervise/stop-order.ts";
import { supervise, type Supervised } from "./supervise/supervise.ts";

/** Everything that runs, for stopping it. */
export interface Opened {
  lock: DataDirLock | null;
  stores: Supervised<OwnStore>[];
  apps: Apps | null;
  /** What keeps the tools of TOOLS_DIR; null where that is not set. */
  tools: Supervised<AppProcess> | null;
}

const now = (): number => performance.now();
const out = (text: string): void => void process.stdout.write(text);
/** Tells a person who looks on what is done, and how long it took. */
export const steps = openSteps(out, now);
const keeping = {
  say: (line: string): void => steps.say(line),
  now,
  sleep: (ms: number, signal: AbortSignal) => delay(ms, null, { signal }),
};

const NODE_MAJOR_MIN = 26;

/** Throws a StartRefusal when this is an older Node: the sandbox's native parts and the type stripping need 26. */
export function requireNode(version: string): void {
  const major = Number(/^v?(\d+)\./u.exec(version)?.[1] ?? 0);
  if (major >= NODE_MAJOR_MIN) return;
  throw new StartRefusal(
    `This is Node ${version}; Bulkhead needs ${NODE_MAJOR_MIN} or newer, which \`npm ci\` has installed in the project. ` +
      "Start it with `npm start`, which uses that one.",
  );
}

function placesOf({ HOST, PORT, METRICS_HOST, METRICS_PORT }: StandaloneConfig): ListenPlace[] {
  const metrics = { host: METRICS_HOST, hostName: "METRICS_HOST", portName: "METRICS_PORT" };
  const portIs = "The worker's metrics port, one above METRICS_PORT,";
  return [
    { host: HOST, port: PORT, hostName: "HOST", portName: "PORT" },
    { ...metrics, port: METRICS_PORT },
    { ...metrics, port: workerMetricsPort(METRICS_PORT), portIs },
  ];
}

/** Opens everything in order, and puts each into `opened` as soon as it runs, so that a failure can stop it. */
export async function start(
  config: StandaloneConfig,
  env: NodeJS.ProcessEnv,
  opened: Opened,
  signal: AbortSignal,
): Promise<void> {
  const print = await linePrinter();
  const { HOST: host } = config;
  // Takes a second of two other processes: time that the stores need anyway.
  const settingsChecked = checkAppSettings(env);
  settingsChecked.catch(() => undefined);
  const dataDir = await steps.step("checked the ports and the data folder", async () => {
    await requirePorts(placesOf(config));
    if (config.TOOLS_DIR !== undefined) await requireToolsDir(config.TOOLS_DIR);
    const folder = await prepareDataDir(config.DATA_DIR);
    opened.lock = await takeLock({ pid: process.pid, readProcess, sleep: delay }, folder);
    return folder;
  });
  const { REDIS_URL } = config;
  if (REDIS_URL !== undefined) {
    // Loaded here alone: the package of Redis takes 22 MiB, and a start with a Redis of its own uses nothing of it.
    const { requireRedis } = await import("./redis-check.ts");
    await steps.step("reached Redis", () => requireRedis(REDIS_URL.reveal(), keeping.say, signal));
  }
  const masterKeys = {
    current: await keepKey(dataDir, "master-key", config.BULKHEAD_MASTER_KEY, MASTER_KEY),
    old: await keptOldMasterKeys(dataDir, config.BULKHEAD_MASTER_KEY_OLD),
  };
  const adminKey = await keepKey(dataDir, "admin-key", config.BULKHEAD_ADMIN_KEY);
  const demoKey = await keepKey(dataDir, "demo-key", config.BULKHEAD_DEMO_KEY);
  const portsKept = placesOf(config).map(({ port }) => port);
  const place = { dataDir, env, portsKept, progress: keeping.say };

  const openStore = async (name: string, open: typeof startOwnPostgres): Promise<string> => {
    signal.throwIfAborted();
    const store = await steps.step(`started ${name}`, () =>
      supervise(keeping, name, (_, before: OwnStore | null) => open(place, before)),
    );
    opened.stores.push(store);
    return store.current().url;
  };
  const databaseUrl = config.DATABASE_URL?.reveal() ?? (await openStore("PostgreSQL", startOwnPostgres));
  const redisUrl = config.REDIS_URL?.reveal() ?? (await openStore("Redis", startOwnRedis));

  signal.throwIfAborted();
  await steps.step("checked the settings", () => settingsChecked);
  await steps.step("brought the database up to date", () => migrate(databaseUrl, { waiting: keeping.say }));
  const isOwnDatabase = config.DATABASE_URL === undefined;
  await steps.step("checked the master key", () =>
    settleMasterKeys({ databaseUrl, isOwnDatabase, masterKeys, say: keeping.say, signal }),
  );

  opened.apps = await steps.step("started the API and a worker", () =>
    startApps({
      ...keeping,
      env,
      settings: {
        DATABASE_URL: databaseUrl,
        REDIS_URL: redisUrl,
        BULKHEAD_MASTER_KEY: masterKeys.current.reveal(),
        BULKHEAD_MASTER_KEY_OLD: masterKeys.old.map((key) => key.reveal()).join(","),
        BULKHEAD_ADMIN_KEY: adminKey.reveal(),
        BULKHEAD_DEMO_KEY: demoKey.reveal(),
        METRICS_HOST: config.METRICS_HOST,
        LOG_LEVEL: config.LOG_LEVEL,
        SHUTDOWN_GRACE_MS: String(config.SHUTDOWN_GRACE_MS),
      },
      host,
      port: config.PORT,
      metricsPort: config.METRICS_PORT,
      graceMs: config.SHUTDOWN_GRACE_MS,
      print,
      signal,
    }),
  );
  const { api, worker } = opened.apps;
  const { TOOLS_DIR: folder } = config;
  if (folder !== undefined) {
    const url = `http://${reachable(host)}:${portOf(api.current())}`;
    opened.tools = await steps.step("began to load the tools of TOOLS_DIR", () =>
      keepToolsDir({ ...keeping, env, folder, url, key: demoKey.reveal(), print, signal }),
    );
  }
  const metrics = { api: metricsOf(api.current()), worker: metricsOf(worker.current()) };
  const port = portOf(api.current());
  const loginCode = await createLoginCode(`http://${reachable(host)}:${port}`, demoKey.reveal());
  const ready = { host, port, demoKey: demoKey.reveal(), loginCode, metrics };
  out(`\n${readyMessage(ready)}`);
}

/** The last line of every run says why it ended. */
export async function stop({ apps, tools, stores, lock }: Opened, why: string): Promise<void> {
  const since = now();
  await tools?.stop();
  await stopInOrder({ api: apps?.api ?? null, worker: apps?.worker ?? null, stores, sleep: delay });
  await lock?.close();
  steps.say(`stopped (${((now() - since) / 1_000).toFixed(1)} s): ${why}`);
}
