import { Fault, type McpRegistry, type McpServer } from "@bulkhead/core";
import { CLOSE_MS_MAX } from "./bounds.ts";
import { BridgeError, wordsOf } from "./bridge-error.ts";
import { Catalogue } from "./catalogue.ts";
import { Connection, type ConnectionDeps } from "./connection.ts";
import type { Report } from "./observer.ts";
import { settledOr } from "./settled-or.ts";
import type { Timing } from "./timing.ts";

export interface ConnectedDeps extends Omit<ConnectionDeps, "connectMs"> {
  registry: McpRegistry;
  report: Report;
  timing: Timing;
  /** Whether this process holds its servers surely: after a long stall another one may have taken them. */
  isHolding(): boolean;
}

/** A connection whose server's tools are known. */
export interface Connected {
  connection: Connection;
  catalogue: Catalogue;
  /** Fires when it ends. */
  stop: AbortController;
}

/** Connects and lists the tools. `onFailed` hears, in covered words, why it ends before `stop` fires; rejects likewise. */
export async function openConnected(
  { timing, ...deps }: ConnectedDeps,
  row: McpServer,
  stop: AbortController,
  onFailed: (reason: string) => void,
): Promise<Connected> {
  const { tenantId, name } = row;
  let catalogue: Catalogue | null = null;
  let isChanged = false;
  const onListChanged = (): void => {
    if (catalogue === null) isChanged = true;
    else catalogue.changed((error) => onFailed(connection.wordsOf(error)));
  };
  const hooks = { onLost: onFailed, onListChanged };
  const { connectMs, relistMs } = timing;
  const connection = await Connection.open({ ...deps, connectMs }, row, hooks, stop.signal);
  try {
    const first = new Catalogue({ ...deps, relistMs }, row, connection, stop.signal);
    await first.list(true);
    catalogue = first;
    if (isChanged) onListChanged();
    return { connection, catalogue: first, stop };
  } catch (error) {
    await connection.close();
    if (!(error instanceof Fault))
      throw new BridgeError(connection.wordsOf(error), "unreachable", { cause: error });
    deps.report("a server's tools could not be taken in", error, { tenantId, name });
    throw new BridgeError(`the server's tools could not be taken in: ${wordsOf(error)}`);
  }
}

/** Ends it. A server that lets itself be waited for is not waited for. */
export async function closeConnected(report: Report, { connection, stop }: Connected): Promise<void> {
  stop.abort();
  await settledOr(connection.close(), AbortSignal.timeout(CLOSE_MS_MAX)).catch((error: unknown) =>
    report("closing a server's connection failed", connection.wordsOf(error)),
  );
}
