/** The least time of several runs: what others took from the processor is not counted. Milliseconds. */
export function leastMs(run: () => unknown, rounds: number): number {
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

export const mibPerSecond = (bytes: number, ms: number): number => bytes / 1_048_576 / (ms / 1_000);
