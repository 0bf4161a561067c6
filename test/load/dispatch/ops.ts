import { median, percentile } from "../load.ts";

/** One kind of step, measured one at a time. */
export interface Op {
  /** From the call to its answer, as its caller sees it; microseconds each. */
  roundTripUs: number[];
  /** Inside Redis, where one step holds up all others; microseconds each. */
  serverUs: number[];
}

/** What several rounds measured, as one. */
export const mergedOps = (all: Op[]): Op => ({
  roundTripUs: all.flatMap(({ roundTripUs }) => roundTripUs),
  serverUs: all.flatMap(({ serverUs }) => serverUs),
});

export const p50 = (values: number[]): number => median(values);
export const p99 = (values: number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.99,
  );

/** Runs `step` so often, one after another, and asks `probe` what Redis spent on each. */
export async function measureOp(
  count: number,
  probe: ServerProbe,
  step: (place: number) => Promise<void>,
): Promise<Op> {
  const roundTripUs: number[] = [];
  await probe.begin();
  for (let place = 0; place < count; place += 1) {
    const startedAt = performance.now();
    await step(place);
    roundTripUs.push((performance.now() - startedAt) * 1_000);
  }
  return { roundTripUs, serverUs: await probe.end() };
}

/** Reads what Redis spent on the scripts of one kind between two moments. */
export interface ServerProbe {
  begin(): Promise<void>;
  end(): Promise<number[]>;
}
