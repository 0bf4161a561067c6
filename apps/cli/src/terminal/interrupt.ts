import { EXIT } from "../faults/cli-fault.ts";

/**
 * Runs work during which Ctrl-C (or a request to end) does `stop` instead of ending the process; a second one ends it at once.
 * Whether it was pressed is told when the work is done.
 */
export async function withInterrupt<Result>(
  stop: () => void,
  work: () => Promise<Result>,
): Promise<{ result: Result; interrupted: boolean }> {
  let interrupted = false;
  const onSignal = (): void => {
    if (interrupted) process.exit(EXIT.interrupted);
    interrupted = true;
    stop();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  try {
    return { result: await work(), interrupted };
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}
