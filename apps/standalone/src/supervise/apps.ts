import { join } from "node:path";
import { startApp, type AppProcess, type AppStart } from "./app-process.ts";
import { childEnv } from "./child-env.ts";
import { StartRefusal } from "../start-refusal.ts";
import { supervise, type SuperviseDeps, type Supervised } from "./supervise.ts";
import { WorkerNames } from "./worker-names.ts";

export interface AppsStart extends SuperviseDeps {
  /** This process's environment; children get the part that childEnv allows. */
  env: NodeJS.ProcessEnv;
  /** Settings of both apps: stores, keys, log level, grace. */
  settings: Record<string, string>;
  host: string;
  port: number;
  /** The API's metrics port; the worker has the next one. 0 lets the system choose both. */
  metricsPort: number;
  graceMs: number;
  print: AppStart["print"];
  /** Ends a first start that is still under way. */
  signal: AbortSignal;
}

export interface Apps {
  api: Supervised<AppProcess>;
  worker: Supervised<AppProcess>;
}

const APPS_FOLDER = join(import.meta.dirname, "../../..");
/** Time beyond the grace for closing connections; then SIGKILL. */
const STOP_EXTRA_MS = 1_500;

/**
 * Starts the API and a worker side by side and keeps both running. When one can't start, the other is stopped again
 * and a StartRefusal names the reasons of both.
 */
export async function startApps(start: AppsStart): Promise<Apps> {
  const [api, worker] = await Promise.allSettled([keepApi(start), keepWorker(start)]);
  if (api.status === "fulfilled" && worker.status === "fulfilled") {
    return { api: api.value, worker: worker.value };
  }
  for (const app of [api, worker]) if (app.status === "fulfilled") await app.value.stop();
  const reasons = [api, worker].flatMap((app) =>
    app.status === "rejected" ? [String(app.reason.message)] : [],
  );
  throw new StartRefusal(`${reasons.join("; ")}. Its output is above.`);
}

function keepApi(start: AppsStart): Promise<Supervised<AppProcess>> {
  return supervise(start, "the API", (signal, before) => {
    // A port that the system chose stays the same over restarts.
    const port = before === null ? start.port : portOf(before);
    const own = { HOST: start.host, PORT: String(port), METRICS_PORT: String(start.metricsPort) };
    const env = childEnv(start.env, { ...start.settings, ...own });
    return startApp(planFor(start, "api", env), AbortSignal.any([signal, start.signal]));
  });
}

function keepWorker(start: AppsStart): Promise<Supervised<AppProcess>> {
  const names = new WorkerNames();
  return supervise(start, "the worker", (signal) => {
    const own = { METRICS_PORT: String(workerMetricsPort(start.metricsPort)), ...names.next() };
    const env = childEnv(start.env, { ...start.settings, ...own });
    return startApp(planFor(start, "worker", env), AbortSignal.any([signal, start.signal]));
  });
}

const READY = { api: /^api ready on http:\/\/\S+:(\d+)\b/u, worker: /^worker ready\b/u };

const planFor = (start: AppsStart, name: "api" | "worker", env: Record<string, string>): AppStart => ({
  name: `the ${name === "api" ? "API" : name}`,
  main: join(APPS_FOLDER, name, "src/main.ts"),
  env,
  ready: READY[name],
  stopMsMax: start.graceMs + STOP_EXTRA_MS,
  print: start.print,
});

/** The worker's metrics port, counted up from the API's. */
export const workerMetricsPort = (metricsPort: number): number => (metricsPort === 0 ? 0 : metricsPort + 1);

/** The port on which an API serves. */
export const portOf = (api: AppProcess): number => Number(api.readyLine[1]);

/** The address at which an API or a worker serves its metrics. */
export const metricsOf = (app: AppProcess): string =>
  /\bmetrics on ([^\s)]+)/u.exec(app.readyLine.input)?.[1] ?? "";
