export interface Steps {
  /** Runs one step of the start and prints its name and duration. */
  step<T>(what: string, run: () => Promise<T>): Promise<T>;
  /** One line about something within a step, or between steps. */
  say(line: string): void;
}

/** Prints the progress of the start, a line each. `now` counts milliseconds. */
export function openSteps(write: (text: string) => void, now: () => number): Steps {
  return {
    step: async (what, run) => {
      const since = now();
      const result = await run();
      write(`  ${what} (${((now() - since) / 1_000).toFixed(1)} s)\n`);
      return result;
    },
    say: (line) => write(`  ${line}\n`),
  };
}
