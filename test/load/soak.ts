// `npm run soak`: 20,000 runs of mixed tools over many tenants through one pool, or as many as `-- 10` minutes allow
// (`-- --runs 100000`). Prints what the worker and its sandboxes hold, and exits 1 when it grows or something is left.
import { parseArgs } from "node:util";
import { soak, type SoakSample } from "./soak-run.ts";
import { faultsOf } from "./soak-verdict.ts";

const USAGE =
  "npm run soak -- [minutes] [--runs N]: both are numbers above 0; 30 minutes and 20000 runs unless given.";
const MINUTES_MAX = 24 * 60;

function readArguments(): { minutes: number; runs: number } | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { minutes: { type: "string" }, runs: { type: "string", default: "20000" } },
    });
    const minutes = Number(values.minutes ?? positionals[0] ?? "30");
    const runs = Number(values.runs);
    return positionals.length <= 1 && minutes > 0 && runs >= 1 ? { minutes, runs } : null;
  } catch {
    // An option that is not known, which the usage tells.
    return null;
  }
}

const asked = readArguments();
if (asked === null) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}
const SHOWN_EVERY = 5;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function show(sample: SoakSample): void {
  if (Math.round(sample.seconds) % SHOWN_EVERY !== 0) return;
  const { seconds, runs, deaths, workerMib, sandboxesMib, processes, descriptors, handles } = sample;
  say(
    `${seconds.toFixed(0).padStart(5)} s ${String(runs).padStart(8)} runs ${String(deaths).padStart(6)} deaths   ` +
      `worker ${workerMib.toFixed(0)} MiB, ${processes} sandboxes ${sandboxesMib.toFixed(0)} MiB, ${descriptors} descriptors, ${handles} handles`,
  );
}

// The first write opens what standard output needs, which is then no leftover of the soak's.
await new Promise((resolve) => process.stdout.write("soak: mixed tools over many tenants\n", resolve));
const result = await soak({
  runsMax: asked.runs,
  msMax: Math.min(MINUTES_MAX, asked.minutes) * 60_000,
  onSample: show,
});
const faults = faultsOf(result);
say(`${result.runs} runs, ${result.deaths} of them ended a process; left: ${JSON.stringify(result.left)}`);
for (const fault of faults) say(`FAULT ${fault}`);
if (faults.length > 0) process.exitCode = 1;
