const FIRST_MS = 250;
const MS_MAX = 30_000;
/** A process that stayed up this long before it died starts from the shortest wait again. */
const STAYED_UP_MS = 60_000;

/** Something that was started and may end by itself. */
export interface Running {
  /** Resolves with the reason, in words, when it has ended. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface Supervised<R extends Running> {
  /** The one that runs, or the last that did. */
  current(): R;
  /** How often it had to be started again. */
  restarts(): number;
  /** Ends it for good; also when it is just being started again. Safe to call again. */
  stop(): Promise<void>;
}

export interface SuperviseDeps {
  /** One line for people. */
  say: (line: string) => void;
  /** Milliseconds that only ever grow. */
  now: () => number;
  /** Rejects when the signal comes. */
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Keeps something running: the first start must succeed (its error is thrown); after a later death it is started again
 * after a wait that doubles with each death in a row and is short again once it has stayed up for a minute. `start` gets
 * the one before, if any, and must end everything it has begun when the signal comes.
 */
export async function supervise<R extends Running>(
  deps: SuperviseDeps,
  name: string,
  start: (signal: AbortSignal, before: R | null) => Promise<R>,
): Promise<Supervised<R>> {
  const stopping = new AbortController();
  let current = await start(stopping.signal, null);
  let restarts = 0;
  let failures = 0;

  const startAgain = async (why: string): Promise<void> => {
    for (let reason = why; ;) {
      failures += 1;
      const waitMs = backoffMs(failures);
      deps.say(`${name} ${reason}; starting it again in ${waitMs / 1_000} s`);
      await deps.sleep(waitMs, stopping.signal);
      try {
        current = await start(stopping.signal, current);
        restarts += 1;
        deps.say(`${name} runs again (start ${restarts + 1})`);
        return;
      } catch (cause) {
        if (stopping.signal.aborted) return;
        reason = cause instanceof Error ? cause.message : String(cause);
      }
    }
  };
  const keep = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const since = deps.now();
      const why = await current.ended;
      if (stopping.signal.aborted) return;
      if (deps.now() - since >= STAYED_UP_MS) failures = 0;
      await startAgain(why);
    }
  };
  const keeping = keep().catch((cause: unknown) => {
    if (!stopping.signal.aborted) throw cause;
  });
  return {
    current: () => current,
    restarts: () => restarts,
    stop: async () => {
      stopping.abort();
      await current.stop();
      await keeping;
      // Stops a process whose start had just succeeded when the signal came.
      await current.stop();
    },
  };
}

/** How long a start waits after `failures` deaths in a row: 250 ms, doubled each time, 30 s at most. */
export function backoffMs(failures: number): number {
  // Beyond ten doublings the bound holds anyway.
  return Math.min(MS_MAX, FIRST_MS * 2 ** Math.min(failures - 1, 10));
}
