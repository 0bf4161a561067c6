import { openBulkhead } from "../fairness/bulkhead-contender.ts";
import type { Contender } from "../fairness/contender.ts";
import { openFifo } from "../fairness/fifo-contender.ts";
import { FLOODS, waits } from "../fairness/floods.ts";
import { measureFlood, type Flooded } from "../fairness/measure-flood.ts";
import { measureShares, type Backlogged } from "../fairness/measure-shares.ts";
import { quantile, workerMsOf } from "../fairness/results.ts";
import { jainIndex } from "../fairness/shares.ts";
import { START_SECONDS, type Figure, type Part, type Settings } from "./part.ts";
import { inTurns, using } from "./rounds.ts";

const CONTENDERS = [
  { name: "Bulkhead", open: openBulkhead },
  { name: "plain BullMQ", open: openFifo },
];
/** A flood that is over at once floods nobody. */
const FLOOD_PER_SECOND = 1_000;
const FLOOD_MAX = 10_000;
/** Shares of less time are chance. */
const SECONDS_MIN = 2;
/** Of equal weight, with runs of unequal length: who counts executions is unfair to the short ones. */
const BACKLOGGED = [10, 30, 60, 120].map((ms, place): Backlogged => ({
  name: `equal-${place}`,
  weight: 1,
  tools: [waits("works", ms)],
  limits: { maxConcurrentExecutions: 10_000, weight: 1 },
}));

/** `npm run bench:fairness` in short. */
export const fairness: Part = {
  name: "fairness",
  title: "Fairness",
  how:
    "What nine quiet tenants wait beside one that floods, over what they wait alone (open loop, p99), and Jain's index of the " +
    "worker-time that four tenants with a backlog get. Plain BullMQ is one queue before the same sandbox pool.",
  expectSeconds: (settings) =>
    settings.rounds * CONTENDERS.length * (2 * START_SECONDS + 3 * secondsOf(settings) + 12),
  async measure(settings) {
    const contenders = CONTENDERS.flatMap(({ name, open }) => [
      { name: `${name}, flood`, run: () => flooded(open, settings) },
      { name: `${name}, shares`, run: () => shares(open, settings) },
    ]);
    const measured = await inTurns<Record<string, number>>(settings, contenders);
    return CONTENDERS.flatMap(({ name }, place): Figure[] => {
      const [flood = [], index = []] = measured.slice(2 * place);
      const of = (rounds: Record<string, number>[], key: string) =>
        rounds.map((one) => one[key] ?? Number.NaN);
      return [
        { what: `${name}: quiet tenants alone, p99`, unit: "ms", rounds: of(flood, "alone") },
        { what: `${name}: beside a flood, p99`, unit: "ms", rounds: of(flood, "beside") },
        { what: `${name}: beside over alone, p99`, unit: "×", rounds: of(flood, "ratio") },
        { what: `${name}: quiet calls without an answer`, unit: "count", rounds: of(flood, "unanswered") },
        { what: `${name}: Jain's index, 1 is fair`, unit: "index", rounds: of(index, "index") },
      ];
    });
  },
};

const secondsOf = ({ seconds }: Settings): number => Math.max(SECONDS_MIN, seconds);

async function flooded(open: () => Promise<Contender>, settings: Settings): Promise<Record<string, number>> {
  const [flood] = FLOODS;
  if (flood === undefined) throw new TypeError("there are floods");
  const seconds = secondsOf(settings);
  const executions = Math.min(FLOOD_MAX, FLOOD_PER_SECOND * seconds);
  const measured: Flooded = await using(open(), (contender) =>
    measureFlood(contender, { flood, executions, durationMs: seconds * 1_000 }),
  );
  const [alone, beside] = [quantile(measured.alone, 0.99), quantile(measured.beside, 0.99)];
  return { alone, beside, ratio: beside / alone, unanswered: measured.beside.unanswered };
}

async function shares(open: () => Promise<Contender>, settings: Settings): Promise<Record<string, number>> {
  const measured = await using(open(), (contender) =>
    measureShares(contender, BACKLOGGED, secondsOf(settings) * 1_000),
  );
  const weights = BACKLOGGED.map(({ weight }) => weight);
  return { index: jainIndex(workerMsOf(measured), weights) };
}
