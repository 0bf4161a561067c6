import { inject, onTestFailed } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the server in the run's main process that starts the shared product at the first request. */
    sharedProduct: string;
  }
}

/** The facts that the run's main process gives about it. */
export interface SharedProductFacts {
  /** Without a slash at the end. */
  url: string;
  /** The platform administrator's key. */
  adminKey: string;
  databaseUrl: string;
  redisUrl: string;
  /** Another process with these settings, on the same stores, is one more of this product. */
  env: Record<string, string>;
}

/** Characters of its processes' output that are shown when a test fails. */
const LOGS_SHOWN_MAX = 60_000;

/** The operations of a test file on a product that others use at the same time. */
export interface SharedProduct extends SharedProductFacts {
  /** The output of its processes so far, of each the last 256 KiB. */
  logs(): Promise<string>;
  /** Prints the end of `logs` if the running test fails; call it inside a test. */
  showLogsIfTestFails(): void;
}

/**
 * The product of this run, which the first caller starts: for files that need no more than tenants of their own. Its tools
 * may reach loopback. A test that stops processes, changes settings or reads all tenants starts its own with
 * `startProduct`.
 */
export async function sharedProduct(): Promise<SharedProduct> {
  const facts = await ask("product");
  const logs = (): Promise<string> => ask("logs");
  const showLogs = async (): Promise<void> => {
    process.stderr.write(`${(await logs()).slice(-LOGS_SHOWN_MAX)}\n`);
  };
  return {
    ...(JSON.parse(facts) as SharedProductFacts),
    logs,
    showLogsIfTestFails: () => onTestFailed(showLogs),
  };
}

/** The URL of another API of the shared product, which the first caller starts; no balancer is before it. */
export const apiBeside = (): Promise<string> => ask("beside");

async function ask(what: "product" | "beside" | "logs"): Promise<string> {
  const answer = await fetch(`${inject("sharedProduct")}/${what}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`no product could be shared: ${text}`);
  return text;
}
