import { median, percentile } from "../load.ts";
import type { Timings } from "./contender.ts";
import type { Flooded } from "./measure-flood.ts";
import { quantile, ratioOf, say, type FloodResult } from "./results.ts";

const SHARES = [0.5, 0.95, 0.99];

const row = (name: string, cells: string[]): void =>
  say(name.padEnd(40) + cells.map((cell) => cell.padStart(11)).join(""));

export function printFloods(results: FloodResult[]): void {
  say("\nQuiet tenants' calls, from their planned times (ms; medians of rounds)");
  const heads = ["alone p50", "p95", "p99", "beside p50", "p95", "p99", "p50 ×", "p95 ×", "p99 ×"];
  row("", [...heads, "no answer", "flood done", "CPU"]);
  for (const result of results) {
    const of = (figure: (round: Flooded) => number): number => median(result.rounds.map(figure));
    const at = (when: "alone" | "beside", share: number): string =>
      of((round) => quantile(round[when], share)).toFixed(1);
    const isBound = of(({ beside }) => beside.unanswered) > 0;
    const times = (share: number): string => (isBound ? "≥ " : "") + ratioOf(result, share).toFixed(2);
    const latencies = (["alone", "beside"] as const).flatMap((when) =>
      SHARES.map((share) => at(when, share)),
    );
    row(`${result.title}: ${result.contender}`, [
      ...latencies,
      ...SHARES.map(times),
      String(of(({ beside }) => beside.unanswered)),
      String(of(({ ended }) => ended)),
      `${Math.round(of(({ busy }) => busy.alone) * 100)}→${Math.round(of(({ busy }) => busy.beside) * 100)}%`,
    ]);
  }
}

/** What the quiet calls met while the flood was handed in, and after that; and who used the processors. */
export function printCauses(results: FloodResult[]): void {
  say(
    "\nHanding the flood in, and the time after; processor time of the parts (ms a second, medians of rounds)",
  );
  row("", ["handed in", "p99 then", "p99 after"]);
  for (const { title, contender, rounds } of results) {
    const of = (figure: (round: Flooded) => number): number => median(rounds.map(figure));
    const p99Of = (isPart: (plannedMs: number, round: Flooded) => boolean): string =>
      of((round) => {
        const calls = round.beside.calls.filter(({ plannedMs }) => isPart(plannedMs, round));
        return quantile({ calls }, 0.99);
      }).toFixed(0);
    const roles = Object.keys(rounds[0]?.cpuMsPerSecond ?? {});
    const cpu = roles.map((role) => `${role} ${of((round) => round.cpuMsPerSecond[role] ?? 0).toFixed(0)}`);
    const cells = [
      `${of(({ submitMs }) => submitMs).toFixed(0)} ms`,
      p99Of((plannedMs, { submitMs }) => plannedMs < submitMs),
      p99Of((plannedMs, { submitMs }) => plannedMs >= submitMs),
    ];
    row(`${title}: ${contender}`, [...cells, `   ${cpu.join(", ")}`]);
  }
}

/** Where Bulkhead's calls spent their time at the slow end, by the bills of their answers. */
export function printBills(results: FloodResult[]): void {
  say("\nThe same calls by step: p50 / p99 in ms, alone → beside the flood");
  for (const { title, rounds } of results) {
    const alone = rounds.flatMap((round) => round.alone.timings);
    const beside = rounds.flatMap((round) => round.beside.timings);
    const steps = Object.keys(beside.find((timings) => "total" in timings) ?? {});
    if (steps.length === 0) continue;
    const cells = steps.map((step) => `${step} ${both(alone, step)}→${both(beside, step)}`);
    say(`  ${title}: ${cells.join(", ")}`);
  }
}

function both(all: Timings[], step: string): string {
  const sorted = all.map((timings) => timings[step] ?? 0).toSorted((a, b) => a - b);
  return [0.5, 0.99].map((share) => percentile(sorted, share).toFixed(1)).join("/");
}
