// `npm run bench:sandbox`: a run through the pool and the wire beside the floor, plain isolated-vm with a fresh context,
// in turns within one run, so that the ratios hold although the machine's speed drifts. `-- --rounds 9 --seconds 3`
// measures longer.
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { median } from "./load.ts";
import { measureNewTenants } from "./sandbox-bench-tenants.ts";
import { openFloor, openOurs, type Contender, type Round } from "./sandbox-bench-contenders.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    tenants: { type: "string", default: "20" },
  },
});
const within = (text: string, min: number, max: number): number => Math.min(max, Math.max(min, Number(text)));
const rounds = within(values.rounds, 1, 50);
const durationMs = within(values.seconds, 0.5, 60) * 1_000;
const tenants = within(values.tenants, 3, 100);
const WARM_UP_MS = 3_000;
/** Enough that the next run always waits at the wire when one ends. */
const BUSY = 4;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Series {
  name: string;
  contender: Contender;
  concurrency: number;
  rounds: Round[];
}

const quantile = (round: Round, share: number): number => {
  const sorted = round.latencies.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
const p50 = (round: Round): number => quantile(round, 0.5);
const p99 = (round: Round): number => quantile(round, 0.99);
const perSecond = (round: Round): number => round.latencies.length / (round.elapsedMs / 1_000);
const perCpuSecond = (round: Round): number => round.latencies.length / (round.cpuMs / 1_000);
const cpuMsEach = (round: Round): number => round.cpuMs / round.latencies.length;
const of = (series: Series, figure: (round: Round) => number): number => median(series.rounds.map(figure));
/** The median of the ratios within each round, where the machine's speed is the same for both. */
const ratio = (ours: Series, floor: Series, figure: (round: Round) => number): number =>
  median(ours.rounds.map((round, at) => figure(round) / figure(floor.rounds[at] as Round)));

async function measure(all: Series[]): Promise<void> {
  for (const { contender, concurrency } of all) await contender.round(concurrency, WARM_UP_MS);
  for (let round = 1; round <= rounds; round += 1) {
    for (const series of all) {
      process.stderr.write(`round ${round} of ${rounds}: ${series.name}…\n`);
      series.rounds.push(await series.contender.round(series.concurrency, durationMs));
      // What is made ahead for the next run belongs to nobody's round.
      await delay(100);
    }
  }
}

function print(all: Series[]): void {
  const heads = ["p50 ms", "p99 ms", "per second", "CPU ms/run", "per CPU-s"];
  say(`\nMedians of ${rounds} rounds of ${durationMs / 1_000} s`);
  say("".padEnd(40) + heads.map((head) => head.padStart(12)).join(""));
  for (const series of all) {
    const cells = [p50, p99, perSecond, cpuMsEach, perCpuSecond].map((figure) =>
      of(series, figure).toFixed(2),
    );
    say(series.name.padEnd(40) + cells.map((cell) => cell.padStart(12)).join(""));
  }
}

const target = (what: string, value: number, isMet: boolean, goal: string): void =>
  say(`${what.padEnd(58)}${value.toFixed(2).padStart(8)}   ${isMet ? "met" : "MISSED"} (${goal})`);

async function main(): Promise<void> {
  const floor = await openFloor();
  const [one, two] = [openOurs(1), openOurs(2)];
  const series = (name: string, contender: Contender, concurrency: number): Series => ({
    name,
    contender,
    concurrency,
    rounds: [],
  });
  const alone = [series("floor, one at a time", floor, 1), series("ours, one at a time", one, 1)] as const;
  const full = [
    series("floor, saturated", floor, BUSY),
    series("ours, one process busy", one, BUSY),
  ] as const;
  const both = series("ours, two processes busy", two, 2 * BUSY);
  try {
    await measure([...alone, ...full, both]);
  } finally {
    await Promise.all([floor.close(), one.close(), two.close()]);
  }
  print([...alone, ...full, both]);
  const first = await measureNewTenants(tenants);
  say(
    `\nA new tenant's first run, ${tenants} tenants: p50 ${median(first.ms).toFixed(2)} ms, worst ${Math.max(...first.ms).toFixed(2)} ms`,
  );
  say(
    `An idle tenant's process: RSS ${median(first.rssMib).toFixed(1)} MiB, PSS ${median(first.pssMib).toFixed(1)} MiB (${first.pssMib.length} at a time)\n`,
  );
  const latency = ratio(alone[1], alone[0], p50);
  const throughput = ratio(full[1], full[0], perCpuSecond);
  target("p50 over the floor's", latency, latency <= 1.5, "at most 1.5");
  target("runs per CPU-second over the floor's", throughput, throughput >= 0.7, "at least 0.7");
  const shared = ratio(both, full[0], perCpuSecond);
  target("the same with two processes busy", shared, shared >= 0.7, "at least 0.7");
  const firstMs = median(first.ms);
  target("a new tenant's first run, p50 ms", firstMs, firstMs <= 10, "at most 10 where a process waits");
}

await main();
