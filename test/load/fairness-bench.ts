// `npm run bench:fairness`: what quiet tenants feel of one that floods, and how worker-time is shared, with plain BullMQ
// before the same sandboxes beside it. `-- --seconds 20 --rounds 3 --flood short,results --json`
// measures more; `--flood none` the shares alone.
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { openBulkhead } from "./fairness/bulkhead-contender.ts";
import type { Contender } from "./fairness/contender.ts";
import { openFifo } from "./fairness/fifo-contender.ts";
import { FLOODS, FLOODS_DEFAULT, waits } from "./fairness/floods.ts";
import { measureFlood } from "./fairness/measure-flood.ts";
import { measureShares, type Backlogged } from "./fairness/measure-shares.ts";
import { printBills, printCauses, printFloods } from "./fairness/print-floods.ts";
import { printShares } from "./fairness/print-shares.ts";
import { printDoubts, printVerdicts } from "./fairness/print-verdicts.ts";
import type { FloodResult, ShareResult } from "./fairness/results.ts";

const { values } = parseArgs({
  options: {
    flood: { type: "string", default: FLOODS_DEFAULT },
    executions: { type: "string", default: "10000" },
    seconds: { type: "string", default: "5" },
    rounds: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const within = (text: string, min: number, max: number): number => Math.min(max, Math.max(min, Number(text)));
const durationMs = within(values.seconds, 1, 120) * 1_000;
const executions = within(values.executions, 1, 10_000);
const rounds = within(values.rounds, 1, 20);
const floods = FLOODS.filter(({ name }) => values.flood.split(",").includes(name));
const CONTENDERS = [openBulkhead, openFifo];
const PRODUCT = "Bulkhead";

const NO_CAP = { maxConcurrentExecutions: 10_000 };
const backlogged = (name: string, ms: number, weight: number): Backlogged => ({
  name,
  weight,
  tools: [waits("works", ms)],
  limits: { ...NO_CAP, weight },
});
/** Of equal weight, with runs of very unequal length: who counts executions is unfair to the short ones. */
const EQUAL = [10, 30, 60, 120].map((ms, place) => backlogged(`equal-${place}`, ms, 1));
const WEIGHTED = [1, 2, 4].map((weight) => backlogged(`weight-${weight}`, 30, weight));

const note = (text: string): void => void process.stderr.write(`${text}…\n`);

/** Opens a contender of its own for each measure, so that none pays for what another left behind. */
async function on<Result>(
  open: () => Promise<Contender>,
  measure: (contender: Contender) => Promise<Result>,
): Promise<{ contender: string; result: Result }> {
  const contender = await open();
  try {
    return { contender: contender.name, result: await measure(contender) };
  } finally {
    await contender.close();
  }
}

async function main(): Promise<void> {
  const flooded = new Map<string, FloodResult>();
  const shared = new Map<string, ShareResult>();
  for (let round = 1; round <= rounds; round += 1) {
    for (const flood of floods) {
      for (const open of flood.request ? [openBulkhead] : CONTENDERS) {
        note(`round ${round} of ${rounds}: ${flood.title}, ${open.name}`);
        const { contender, result } = await on(open, (one) =>
          measureFlood(one, { flood, executions, durationMs }),
        );
        const key = `${flood.name}/${contender}`;
        const before = flooded.get(key)?.rounds ?? [];
        const { name, title } = flood;
        flooded.set(key, { contender, flood: name, title, rounds: [...before, result] });
      }
    }
    for (const tenants of [EQUAL, WEIGHTED]) {
      for (const open of CONTENDERS) {
        const weights = tenants.map(({ weight }) => weight);
        note(`round ${round} of ${rounds}: weights ${weights.join(":")}, ${open.name}`);
        const { contender, result } = await on(open, (one) => measureShares(one, tenants, durationMs));
        const key = `${weights.join(":")}/${contender}`;
        const before = shared.get(key)?.rounds ?? [];
        shared.set(key, { contender, weights, rounds: [...before, result] });
      }
    }
  }
  report([...flooded.values()], [...shared.values()]);
}

function report(floodResults: FloodResult[], shareResults: ShareResult[]): void {
  const load = loadavg().map((value) => value.toFixed(1));
  process.stdout.write(
    `\n${rounds} round(s) of ${durationMs / 1_000} s, floods of ${executions}; load average ${load.join(" ")}\n`,
  );
  printFloods(floodResults);
  printCauses(floodResults);
  printBills(floodResults);
  printShares(shareResults);
  printVerdicts(floodResults, shareResults, PRODUCT);
  printDoubts(floodResults);
  if (values.json)
    process.stdout.write(`${JSON.stringify({ floods: floodResults, shares: shareResults })}\n`);
}

await main();
