import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const open = new Set<() => Promise<void>>();
const asked = new AbortController();
let isListening = false;

/** Fires when this program is told to end from outside: nothing more is to be begun. */
export const toldToEnd: AbortSignal = asked.signal;

/**
 * `close`, which then does its work once however often it is called; it is called, too, when this program is told to end,
 * so that no process and no folder outlives it.
 */
export function closedAtEnd(close: () => Promise<void>): () => Promise<void> {
  listen();
  let closing: Promise<void> | undefined;
  const once = (): Promise<void> => (closing ??= close().finally(() => open.delete(once)));
  open.add(once);
  return once;
}

/** All that is open; what fails leaves the others to be closed. */
export async function closeAll(): Promise<void> {
  await Promise.allSettled([...open].map((close) => close()));
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  // Once: whoever asks again does not want to wait.
  for (const signal of SIGNALS)
    process.once(signal, () => {
      asked.abort();
      void closeAll().finally(() => process.exit(128 + constants.signals[signal]));
    });
}
