import { useEffect, useMemo, useSyncExternalStore } from "react";
import { Bulkhead } from "./bulkhead.ts";
import { ExecutionStore, type WatchedExecution } from "./watched-execution.ts";

export type { WatchedExecution } from "./watched-execution.ts";

export interface UseExecutionOptions {
  /** Where the API is; the page's own host unless set. */
  url?: string | undefined;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** Where the hook's effect runs there is a page. */
const page = globalThis as unknown as { location: { origin: string } };

/**
 * An execution as it goes on: its state, log lines and emitted values, over broken connections. `token` is an access token
 * that may follow it, and may be replaced while it goes on; null: a browser's session. Without an id it waits for one.
 */
export function useExecution(
  id: string | null | undefined,
  token: string | null,
  { url, fetch }: UseExecutionOptions = {},
): WatchedExecution {
  const store = useMemo(() => new ExecutionStore(), [id, url]);
  useEffect(() => {
    store.token = token;
    store.fetch = fetch;
  }, [store, token, fetch]);
  const hasToken = token !== null;
  useEffect(() => {
    if (!id) return undefined;
    const leaving = new AbortController();
    const client = new Bulkhead({
      url: url ?? page.location.origin,
      key: hasToken ? () => store.token ?? "" : undefined,
      fetch: (...asked) => (store.fetch ?? globalThis.fetch)(...asked),
    });
    void store.watch(client, id, leaving.signal);
    return () => leaving.abort();
  }, [store, id, url, hasToken]);
  return useSyncExternalStore(store.subscribe, store.read, store.read);
}
