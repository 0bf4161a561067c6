import { inject, onTestFailed } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the server in the run's main process that starts the shared product when it is first asked for. */
    sharedProduct: string;
  }
}

/** What the run's main process tells of it. */
export interface SharedProductFacts {
  /** Without a slash at the end. */
  url: string;
  /** The platform administrator's key. */
  adminKey: string;
  databaseUrl: string;
}

/** Of what its processes printed, when a test fails; characters. */
const LOGS_SHOWN_MAX = 60_000;

/** What a file may do with a product that others use at the same time. */
export interface SharedProduct extends SharedProductFacts {
  /** What its processes have printed so far, of each the last 256 KiB. */
  logs(): Promise<string>;
  /** Prints the end of `logs` if the running test fails; call it inside a test. */
  showLogsIfTestFails(): void;
}

/**
 * The product of this run, which the first caller starts: for files that need no more than tenants of their own. Its tools
 * may reach loopback. Who stops processes, changes settings or looks at all tenants starts one with `startProduct`.
 */
export async function sharedProduct(): Promise<SharedProduct> {
  const at = inject("sharedProduct");
  const answer = await fetch(`${at}/product`);
  if (!answer.ok) throw new Error(`no product could be shared: ${await answer.text()}`);
  const logs = async (): Promise<string> => (await fetch(`${at}/logs`)).text();
  const showLogs = async (): Promise<void> => {
    process.stderr.write(`${(await logs()).slice(-LOGS_SHOWN_MAX)}\n`);
  };
  return {
    ...((await answer.json()) as SharedProductFacts),
    logs,
    showLogsIfTestFails: () => onTestFailed(showLogs),
  };
}
