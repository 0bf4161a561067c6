import type { SandboxVerdict } from "@bulkhead/core";

/** What one row showed. */
export interface RowReport {
  name: string;
  verdict: SandboxVerdict;
  /** From the limit or the cancel to the dead process; null where the run met no limit of time. */
  deathMs: number | null;
  /** The same with what the threads waited for a processor that others had. */
  deathMsByClock: number | null;
  /** What the sandbox process grew by at its largest, and the worker from before to after. */
  sandboxMib: number;
  workerMib: number;
}

const quantile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

const p99 = (values: number[]): number => quantile(values, 0.99);

/** The table that people look at; one line for each row only where it is asked for. */
export function printReport(
  title: string,
  reports: RowReport[],
  canary: { runs: number; msMax: number },
): void {
  const lines = process.env["BULKHEAD_ABUSE_REPORT"] === "1" ? reports.map(line) : [];
  const deaths = reports.flatMap(({ deathMs }) => deathMs ?? []);
  const byClock = reports.flatMap(({ deathMsByClock }) => deathMsByClock ?? []);
  const worst = (key: "sandboxMib" | "workerMib"): string =>
    Math.max(0, ...reports.map((report) => report[key])).toFixed(0);
  lines.push(
    `${title}: ${reports.length} rows; limit to death of ${deaths.length}: p50 ${quantile(deaths, 0.5).toFixed(0)}, ` +
      `p99 ${p99(deaths).toFixed(0)} ms (${p99(byClock).toFixed(0)} by the clock); largest growth: a sandbox ${worst("sandboxMib")}, the worker ${worst("workerMib")} MiB; ` +
      `beside them ${canary.runs} runs of another tenant, the slowest ${canary.msMax.toFixed(0)} ms`,
  );
  process.stdout.write(`${lines.join("\n")}\n`);
}

const line = ({ name, verdict, deathMs, sandboxMib, workerMib }: RowReport): string =>
  name.slice(0, 58).padEnd(59) +
  `${verdict.outcome} (${verdict.endedBy})`.padEnd(28) +
  `${deathMs === null ? "–" : deathMs.toFixed(0)} ms`.padStart(8) +
  `${verdict.usage.cpuMs.toFixed(0)} cpu`.padStart(9) +
  `${sandboxMib.toFixed(0)} / ${workerMib.toFixed(0)} MiB`.padStart(16);
