import { median } from "../load.ts";
import { ratioOf, say, workerMsOf, type FloodResult, type ShareResult } from "./results.ts";
import { jainIndex, shareRatios } from "./shares.ts";

const GOALS = { p99Ratio: 2, p95Ratio: 3, jainIndex: 0.98, shareError: 0.05 } as const;
const verdict = (isMet: boolean, goal: string): string => `${isMet ? "met" : "MISSED"} (${goal})`;

/** Quiet calls and their API use less than this of two processors; the rest is somebody else's. */
const BUSY_ALONE_MAX = 0.6;

/** Says so where the machine had other work: what a flood adds can't be told from that. */
export function printDoubts(floods: FloodResult[]): void {
  const busy = Math.max(0, ...floods.flatMap(({ rounds }) => rounds.map((round) => round.busy.alone)));
  if (busy > BUSY_ALONE_MAX)
    say(
      `\nOther work kept the processors ${Math.round(busy * 100)} % busy while the quiet tenants were alone: measure again, the ratios say little.`,
    );
}

/** Holds what the product reached against what it should; the others' figures stand in the tables. */
export function printVerdicts(floods: FloodResult[], shares: ShareResult[], product: string): void {
  say("\nGoals");
  const judge = (what: string, value: number, isMet: boolean, goal: string): void => {
    say(`  ${what.padEnd(56)}${value.toFixed(3).padStart(9)}   ${verdict(isMet, goal)}`);
  };
  for (const result of floods.filter(({ contender }) => contender === product)) {
    for (const [name, share, max] of [
      ["p95", 0.95, GOALS.p95Ratio],
      ["p99", 0.99, GOALS.p99Ratio],
    ] as const) {
      const ratio = ratioOf(result, share);
      judge(`${name} beside the flood ÷ alone: ${result.title}`, ratio, ratio <= max, `at most ${max}`);
    }
  }
  for (const { weights, rounds } of shares.filter(({ contender }) => contender === product)) {
    if (weights.every((weight) => weight === weights[0])) {
      const index = median(rounds.map((round) => jainIndex(workerMsOf(round), weights)));
      judge(
        "Jain's index of worker-time, equal weights",
        index,
        index >= GOALS.jainIndex,
        `at least ${GOALS.jainIndex}`,
      );
    } else {
      const errors = rounds.map((round) =>
        Math.max(...shareRatios(workerMsOf(round), weights).map((ratio) => Math.abs(ratio - 1))),
      );
      const error = median(errors);
      judge(
        `largest error of a share, weights ${weights.join(":")}`,
        error,
        error <= GOALS.shareError,
        `at most ${GOALS.shareError}`,
      );
    }
  }
}
