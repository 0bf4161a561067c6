import { opendir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { StartRefusal } from "../start-refusal.ts";
import { startApp, type AppProcess, type AppStart } from "../supervise/app-process.ts";
import { childEnv } from "../supervise/child-env.ts";
import { supervise, type SuperviseDeps, type Supervised } from "../supervise/supervise.ts";

export interface ToolsDirStart extends SuperviseDeps {
  env: NodeJS.ProcessEnv;
  folder: string;
  /** The API's address, and the key of the tenant whose tools they become. */
  url: string;
  key: string;
  print: AppStart["print"];
  /** Ends a first start that is still under way. */
  signal: AbortSignal;
}

/** It holds nothing that would have to be given back. */
const STOP_MS_MAX = 1_000;

/** Throws a StartRefusal where there is no such folder. */
export async function requireToolsDir(folder: string): Promise<void> {
  const opened = await opendir(resolve(folder)).catch((cause: Error) => {
    throw new StartRefusal(`TOOLS_DIR: ${cause.message}`);
  });
  await opened.close();
}

/** Starts the process that loads the folder and watches it, and keeps it running. */
export function keepToolsDir(start: ToolsDirStart): Promise<Supervised<AppProcess>> {
  const settings = { TOOLS_DIR: resolve(start.folder), BULKHEAD_URL: start.url, BULKHEAD_KEY: start.key };
  const plan: AppStart = {
    name: "the tools of TOOLS_DIR",
    main: join(import.meta.dirname, "main.ts"),
    env: { ...childEnv(start.env, settings), NODE_OPTIONS: "--disable-warning=ExperimentalWarning" },
    ready: /^tools ready\b/u,
    stopMsMax: STOP_MS_MAX,
    print: start.print,
  };
  return supervise(start, plan.name, (signal) => startApp(plan, AbortSignal.any([signal, start.signal])));
}
