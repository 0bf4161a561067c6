import type { OpName, Ops } from "./measure-dispatch.ts";
import { mergedOps, p50, p99, type Op } from "./ops.ts";

/** The steps in one state of the dispatcher. */
export interface DispatchState {
  tenants: number;
  queued: number;
  ops: Ops;
}

export const OP_NAMES: OpName[] = ["admit", "dispatch", "release"];

/** The same state seen in several rounds. */
export function mergedState(seen: DispatchState[]): DispatchState {
  const [first] = seen;
  if (!first) throw new Error("no round");
  const of = (name: OpName): Op => mergedOps(seen.map((one) => one.ops[name]));
  return { ...first, ops: { admit: of("admit"), dispatch: of("dispatch"), release: of("release") } };
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const big = (count: number): string => count.toLocaleString("en-US");

export function printOps(title: string, rows: { name: string; op: Op }[]): void {
  say(`\n${title}`);
  const heads = ["in Redis p50", "p99", "round trip p50", "p99"];
  say("".padEnd(52) + heads.map((head) => head.padStart(16)).join(""));
  for (const { name, op } of rows) {
    const cells = [p50(op.serverUs), p99(op.serverUs), p50(op.roundTripUs), p99(op.roundTripUs)];
    say(name.padEnd(52) + cells.map((us) => `${us.toFixed(0)} µs`.padStart(16)).join(""));
  }
}

export const stateName = ({ tenants, queued }: DispatchState): string =>
  `${big(tenants)} tenants, ${big(queued)} queued`;

/** How a step's cost in Redis (p50) grows from the first state to the last, beside what log n would make of it. */
export function printGrowth(states: DispatchState[]): void {
  const [first, last] = [states[0], states.at(-1)];
  if (!first || !last || first === last) return;
  const logRatio = Math.log(last.tenants) / Math.log(first.tenants);
  say(`\nGrowth from ${big(first.tenants)} to ${big(last.tenants)} tenants (cost in Redis, p50)`);
  for (const name of OP_NAMES) {
    const ratio = p50(last.ops[name].serverUs) / p50(first.ops[name].serverUs);
    const isMet = ratio <= logRatio;
    const slope = slopeOf(states.map(({ tenants, ops }) => [Math.log2(tenants), p50(ops[name].serverUs)]));
    say(
      `  ${name.padEnd(10)} × ${ratio.toFixed(2)}   ${isMet ? "met" : "MISSED"} (at most × ${logRatio.toFixed(2)}, the ratio of the logarithms); fit: ${slope.toFixed(2)} µs for each doubling`,
    );
  }
}

/** Of the straight line with the least squares. */
function slopeOf(points: [x: number, y: number][]): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const covariance = mean(points.map(([at, value]) => (at - x) * (value - y)));
  return covariance / mean(points.map(([at]) => (at - x) ** 2));
}

/** More than noise. */
const AS_FAST = 1.25;

export function printQueuedGrowth(few: DispatchState, many: DispatchState): void {
  say(`\nGrowth from ${big(few.queued)} to ${big(many.queued)} queued (cost in Redis, p50)`);
  for (const name of OP_NAMES) {
    const ratio = p50(many.ops[name].serverUs) / p50(few.ops[name].serverUs);
    const isMet = ratio <= AS_FAST;
    say(`  ${name.padEnd(10)} × ${ratio.toFixed(2)}   ${isMet ? "met" : "MISSED"} (at most × ${AS_FAST})`);
  }
}

/** What one execution costs in Redis by all its steps, beside a queue that asks nothing about tenants. */
export function printWhole(state: DispatchState | undefined, plain: { op: Op }[]): void {
  if (!state) return;
  const sum = (ops: Op[]): number => ops.reduce((total, op) => total + p50(op.serverUs), 0);
  const queueUs = sum(plain.map(({ op }) => op));
  const allUs = queueUs + sum([state.ops.admit, state.ops.release]);
  say(
    `\nOne execution by all its steps in Redis: ${allUs.toFixed(0)} µs, plain BullMQ ${queueUs.toFixed(0)} µs (× ${(allUs / queueUs).toFixed(2)})`,
  );
}
