import { until } from "@bulkhead/testing";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { PARTS } from "./report/parts.ts";

const BENCH_MS_MAX = 570_000;

/** Runs a bench to its end with little work; what it measures then means nothing. */
async function runBench(name: string, flags: string[]): Promise<string> {
  const program = join(import.meta.dirname, `${name}.ts`);
  const run = promisify(execFile);
  try {
    const { stdout } = await run(process.execPath, [program, ...flags], { timeout: BENCH_MS_MAX });
    return stdout;
  } catch (cause) {
    // What failed in it is told there.
    const { stdout = "" } = cause as { stdout?: string };
    throw new Error(`${name} failed, and printed:\n${stdout}`, { cause });
  }
}

/** All parts, and what each must have measured at least. */
const REPORTED: [parts: string, shown: RegExp[]][] = [
  [
    "latency,bill,memory,cold-tools,new-tenants",
    [
      /64 connections, p99 \| \d/u,
      /persist \| \d/u,
      /under load: worker (\(\d processes\) )?\| \d/u,
      /cold over warm, p50 \| × \d/u,
      /first call, p50 \| \d/u,
    ],
  ],
  [
    "batches,streams,workers",
    [/executions accepted \| \d/u, /idle streams open at a time \| 20\.0 /u, /two over one \| × \d/u],
  ],
  [
    "throughput,cpu,telemetry",
    [
      /Bulkhead over by hand, fresh isolated-vm context, 64 connections \| × \d/u,
      /Bulkhead: sandboxes \| \d/u,
      /with over without \| × \d/u,
    ],
  ],
  ["mcp", [/REST, p50 \| \d/u, /MCP without sessions, p50 \| \d/u, /MCP in a session, p50 \| \d/u]],
  ["console", [/the console, empty cache, p50 \| \d/u, /console over reference, empty cache, p50 \| × \d/u]],
  ["dev", [/bare try by REST, p50 \| \d/u, /a tool of a module, which is bundled, p95 \| \d/u]],
  ["lists", [/page: no filter, p50, by \S.* \| \d/u, /a day by hours and tool, p95 \| \d/u]],
  ["data", [/query: one of all has it, p50 \| \d/u, /get over bare: a row by its key \| × \d/u]],
  ["files", [/glob: \*\*\/\*7\.md, p50 \| \d/u, /rare over bare: Buffer\.indexOf \| × \d/u]],
  ["memory-search", [/a word that is rare, p50 \| \d/u, /six words, cold, p95 \| \d/u]],
  ["sync", [/push of all, new \| \d/u, /nothing changed over whoami \| × \d/u]],
  [
    "fairness",
    [/Bulkhead: beside over alone, p99 \| × \d/u, /plain BullMQ: Jain's index, 1 is fair \| [01]\.\d/u],
  ],
];

test.each(REPORTED)("bench reports %s as table, picture and JSON", async (parts, shown) => {
  const out = await mkdtemp(join(tmpdir(), "bulkhead-report-"));
  try {
    const flags = ["--parts", parts, "--out", out, ..."--rounds 1 --seconds 1 --streams 20".split(" ")];
    const printed = await runBench("bench", flags);
    for (const row of shown) expect(printed).toMatch(row);
    expect(printed).not.toMatch(/part failed|The part \S+ failed/u);
    const written = (await readdir(out)).toSorted();
    expect(written.map((name) => name.slice(name.lastIndexOf(".")))).toEqual([".json", ".md", ".svg"]);
    const report = JSON.parse(await readFile(join(out, written[0] ?? ""), "utf8"));
    const reported = report.parts.map(({ name }: { name: string }) => name);
    expect(reported.toSorted()).toEqual(parts.split(",").toSorted());
  } finally {
    await rm(out, { recursive: true, force: true });
  }
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "a bench that is ended by %s leaves nothing behind",
  async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), "bulkhead-ended-"));
    const flags = ["--parts", "batches", "--rounds", "50", "--seconds", "60", "--out", folder];
    const env = { ...process.env, TMPDIR: folder };
    const bench = spawn(process.execPath, [join(import.meta.dirname, "bench.ts"), ...flags], { env });
    try {
      const ended = once(bench, "exit");
      await until(async () => (await readdir(folder)).some((name) => name.startsWith("bulkhead-bench-")), {
        what: "the bench has its folder",
      });
      bench.kill(signal);
      expect(await ended).toEqual([128 + constants.signals[signal], null]);
      expect(await readdir(folder)).toEqual([]);
    } finally {
      bench.kill("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** Whether any process was told of a path that begins and ends so: the stores are, as long as they run. */
const isInUse = async (start: string, end = ""): Promise<boolean> => {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name));
  const commands = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => ""));
  return (await Promise.all(commands)).some((command) =>
    command.split("\0").some((word) => word.includes(start) && word.endsWith(end)),
  );
};

test("what a bench started ends by itself where the bench was killed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bulkhead-killed-"));
  const flags = ["--parts", "batches", "--rounds", "50", "--seconds", "60"];
  const env = { ...process.env, TMPDIR: folder };
  const bench = spawn(process.execPath, [join(import.meta.dirname, "bench.ts"), ...flags], { env });
  try {
    const store = join(folder, "bulkhead-bench-");
    // The second store: from here on one of them always runs, until all end.
    await until(() => isInUse(store, "/redis.conf"), { what: "both stores run", timeoutMs: 60_000 });
    bench.kill("SIGKILL");
    await until(async () => !(await isInUse(store)), { what: "nothing runs any more", timeoutMs: 60_000 });
  } finally {
    bench.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
});

test("all parts of bench are run here", () => {
  const run = REPORTED.flatMap(([parts]) => parts.split(","));
  expect(run.toSorted()).toEqual(PARTS.map(({ name }) => name).toSorted());
});

test("bench:fairness measures Bulkhead and plain BullMQ and holds the goals against them", async () => {
  const printed = await runBench("fairness-bench", "--flood short --executions 200 --seconds 2".split(" "));
  for (const shown of [
    /short ones .*: Bulkhead +\d/u,
    /short ones .*: plain BullMQ +\d/u,
    /1:2:4 Bulkhead .* index [01]\.\d{4}/u,
    /Jain's index of worker-time, equal weights .*(met|MISSED) \(at least 0\.98\)/u,
  ])
    expect(printed).toMatch(shown);
});

test("bench:dispatch measures each step by tenants and by queued executions", async () => {
  const flags = "--tenants 10,100 --queued 20000 --ops 50 --json".split(" ");
  const printed = await runBench("dispatch-bench", flags);
  for (const shown of [
    /release: 100 tenants, 20,000 queued +\d+ µs/u,
    /dispatch +× [\d.]+ +(met|MISSED)/u,
    /Redis memory for each queued execution: \d+ bytes/u,
  ])
    expect(printed).toMatch(shown);
  const { states } = JSON.parse(printed.slice(printed.lastIndexOf('\n{"states"')));
  expect(states.map((state: { tenants: number }) => state.tenants)).toEqual([10, 100]);
});

test("bench:scrub measures values, patterns and adversarial texts beside what else reads the same bytes", async () => {
  const printed = await runBench("scrub-bench", "--rounds 2 --kib 64".split(" "));
  for (const shown of [
    /baseline: JSON.parse +\d+ MiB\/s/u,
    /bytes, values of 100 secrets +\d+ MiB\/s +× +[\d.]+ +(met|MISSED) \(at least 50\)/u,
    /JSON, 100 secrets and all patterns +\d+ MiB\/s +× +[\d.]+ +(met|MISSED) \(at least 20\)/u,
    /1 KiB result, 3 secrets +[\d.]+ µs/u,
    /JWTs that never end +\d+ MiB\/s +× +[\d.]+/u,
  ])
    expect(printed).toMatch(shown);
});
