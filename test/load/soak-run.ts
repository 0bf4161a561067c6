import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { openSandboxPool, type SandboxPool } from "@bulkhead/sandbox";
import { Listener, runHeard, toolRun } from "../security/support/tool-run.ts";
import { below } from "./process-tree.ts";
import { loopback, SOAK_TOOLS, type SoakTool } from "./soak-tools.ts";

const TENANTS = 12;
const PROCESSES = 6;
const CONCURRENCY = 4;
const SAMPLE_MS = 1_000;
/** Runs of one tenant before it is the next one's turn. */
const TURN_RUNS = 40;
const SETTLE_MS_MAX = 5_000;
const SETTLE_POLL_MS = 50;

/** One look at what the worker and its sandboxes hold. */
export interface SoakSample {
  seconds: number;
  runs: number;
  /** Processes that had to be ended, by a limit or a crash. */
  deaths: number;
  workerMib: number;
  sandboxesMib: number;
  processes: number;
  descriptors: number;
  handles: number;
}

export interface SoakResult {
  samples: SoakSample[];
  runs: number;
  deaths: number;
  /** Runs that did not end as their tool does, in words. */
  faults: string[];
  /** After the pool was closed, beyond what was there before it was opened. */
  left: { processes: number; descriptors: number; handles: number };
}

export interface SoakOptions {
  /** Whichever comes first. */
  runsMax: number;
  msMax: number;
  onSample?: (sample: SoakSample) => void;
}

const descriptors = (): number => readdirSync("/proc/self/fd").length;
const handles = (): number => process.getActiveResourcesInfo().length;

/** Runs the mix over many tenants through one pool, looks at what is held all along, and at what is left in the end. */
export async function soak({ runsMax, msMax, onSample }: SoakOptions): Promise<SoakResult> {
  const server = await serve();
  const before = { processes: below().length, descriptors: descriptors(), handles: handles() };
  const pool = openSandboxPool({ processesMax: PROCESSES, blankTarget: 1, runsMax: 500 });
  const startedAt = performance.now();
  const result: SoakResult = { samples: [], runs: 0, deaths: 0, faults: [], left: before };
  const sampling = setInterval(() => {
    const sample = look(pool, result, (performance.now() - startedAt) / 1_000);
    result.samples.push(sample);
    onSample?.(sample);
  }, SAMPLE_MS);
  const answer = loopback((server.address() as AddressInfo).port);
  let begun = 0;
  const one = async (): Promise<void> => {
    while (begun < runsMax && performance.now() - startedAt < msMax) {
      const n = begun++;
      await soakOnce(pool, n, new Listener(answer), result);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, one));
  clearInterval(sampling);
  await pool.close();
  result.left = await leftSince(before);
  await new Promise((resolve) => server.close(resolve));
  return result;
}

/** What is held beyond `before`; what only takes a moment to be closed gets one. */
async function leftSince(before: SoakResult["left"]): Promise<SoakResult["left"]> {
  const endsAt = performance.now() + SETTLE_MS_MAX;
  for (;;) {
    const left = {
      processes: below().length - before.processes,
      descriptors: descriptors() - before.descriptors,
      handles: handles() - before.handles,
    };
    if (Object.values(left).every((count) => count <= 0) || performance.now() > endsAt) return left;
    await delay(SETTLE_POLL_MS);
  }
}

/** Spread so that every tenant meets every tool, in no simple order. */
function toolOf(n: number): SoakTool {
  let at = (n * 61) % 100;
  for (const tool of SOAK_TOOLS) if ((at -= tool.share) < 0) return tool;
  throw new Error("the shares of the tools are not a hundred");
}

async function soakOnce(pool: SandboxPool, n: number, heard: Listener, result: SoakResult): Promise<void> {
  const { name, code, ends, json, limits = {}, network = false } = toolOf(n);
  const tenantId = `ten_${Math.floor(n / TURN_RUNS) % TENANTS}`;
  const run = toolRun({ code, tenantId, network, limits, argumentsJson: '{"n":7}' });
  const verdict = await runHeard(pool, run, heard);
  result.runs += 1;
  if (["cpu", "wall", "memory", "crashed"].includes(verdict.outcome)) result.deaths += 1;
  const isRight = verdict.outcome !== "returned" || json === undefined || verdict.json === json;
  // A timer of a run that has ended must ring in nobody's time.
  const isHaunted = name !== "leaves work behind" && heard.said.some((line) => line.includes("ghost"));
  if (ends.includes(verdict.outcome) && isRight && !isHaunted) return;
  result.faults.push(`${name}: ${JSON.stringify(verdict).slice(0, 300)}`);
}

function look(pool: SandboxPool, { runs, deaths }: SoakResult, seconds: number): SoakSample {
  const sandboxes = below();
  return {
    seconds,
    runs,
    deaths,
    workerMib: process.memoryUsage.rss() / 2 ** 20,
    sandboxesMib: sandboxes.reduce((sum, { rssMib }) => sum + rssMib, 0),
    processes: pool.stats().processes.length,
    descriptors: descriptors(),
    handles: handles(),
  };
}

async function serve(): Promise<Server> {
  const server = createServer((_, response) => response.end("hello"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
