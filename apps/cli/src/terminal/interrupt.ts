import { EXIT } from "../faults/cli-fault.ts";

/** Ctrl-C, and a request to end. */
const INTERRUPTS = ["SIGINT", "SIGTERM"] as const;
/** Those, and a terminal that was closed. */
export const INTERRUPTS_AND_HANGUP = [...INTERRUPTS, "SIGHUP"] as const;

/**
 * Runs work during which Ctrl-C (or a request to end) does `stop` instead of ending the process; a second one ends it at once.
 * Whether it was pressed is told when the work is done.
 */
export async function withInterrupt<Result>(
  stop: () => void,
  work: () => Promise<Result>,
  signals: readonly NodeJS.Signals[] = INTERRUPTS,
): Promise<{ result: Result; interrupted: boolean }> {
  let interrupted = false;
  const onSignal = (): void => {
    if (interrupted) process.exit(EXIT.interrupted);
    interrupted = true;
    stop();
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return { result: await work(), interrupted };
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}
