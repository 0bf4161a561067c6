import { roleClock } from "../cpu-by-role.ts";
import { cpuClock } from "../cpu-clock.ts";
import type { Contender } from "./contender.ts";
import { QUIET_TOOL, type Flood } from "./floods.ts";
import { sendQuietly, type Quiet } from "./quiet.ts";

const QUIET_TENANTS = 9;
const QUIET_EVERY_MS = 200;
/** Long enough for a process of each quiet tenant's and for compiled code. */
const WARM_UP_MS = 2_000;
const GRACE_MS = 2_000;
const BATCH_SIZE = 1_000;

export interface FloodOptions {
  flood: Flood;
  executions: number;
  durationMs: number;
}

/** Quiet tenants with nobody else there, then beside a flood. */
export interface Flooded {
  alone: Quiet;
  beside: Quiet;
  /** Executions of the flood that ended meanwhile. */
  ended: number;
  /** How long handing the whole flood in took; milliseconds. */
  submitMs: number;
  /** Share of all processors in use, everything on this machine counted. */
  busy: { alone: number; beside: number };
  /** Processor time of the parts while the flood was there; milliseconds for each second. */
  cpuMsPerSecond: Record<string, number>;
}

/** On a contender that has seen nothing yet. */
export async function measureFlood(contender: Contender, options: FloodOptions): Promise<Flooded> {
  const { flood, executions, durationMs } = options;
  const { quietTool = QUIET_TOOL } = flood;
  const tenants = Array.from({ length: QUIET_TENANTS }, (_, place) => `quiet-${place}`);
  await contender.prepare(tenants.map((name) => ({ name, tools: [quietTool] })));
  await contender.prepare([{ name: "flood", tools: flood.tools, limits: flood.limits ?? {} }]);
  const quietly = (ms: number): Promise<Quiet> =>
    sendQuietly((tenant) => contender.call(tenant, quietTool.name), {
      tenants,
      everyMs: QUIET_EVERY_MS,
      durationMs: ms,
      graceMs: GRACE_MS,
    });
  await quietly(WARM_UP_MS);

  const aloneCpu = cpuClock();
  const alone = await quietly(durationMs);
  const busyAlone = aloneCpu();
  const besideCpu = cpuClock();
  const besideRoles = roleClock();
  const startedAt = performance.now();
  const submitting = flood.calledAtOnce
    ? callFlood(contender, flood, durationMs)
    : submitFlood(contender, flood, executions);
  const [beside, submitMs] = await Promise.all([quietly(durationMs), submitting]);
  const busy = { alone: busyAlone, beside: besideCpu() };
  const seconds = (performance.now() - startedAt) / 1_000;
  const perSecond = Object.entries(besideRoles()).map(([role, ms]) => [role, ms / seconds]);
  const cpuMsPerSecond = Object.fromEntries(perSecond);
  return { alone, beside, ended: (await contender.spans("flood")).length, submitMs, busy, cpuMsPerSecond };
}

/** Calls until the time is over. What becomes of a call is not what is measured: most are refused. */
async function callFlood(
  contender: Contender,
  { tools, calledAtOnce = 1, request = "call" }: Flood,
  durationMs: number,
): Promise<number> {
  const startedAt = performance.now();
  let calls = 0;
  const oneByOne = async (): Promise<void> => {
    for (; performance.now() - startedAt < durationMs; calls += 1)
      await contender.flood("flood", tools[calls % tools.length]?.name ?? "", request).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: calledAtOnce }, oneByOne));
  return performance.now() - startedAt;
}

async function submitFlood(contender: Contender, { tools }: Flood, executions: number): Promise<number> {
  const names = Array.from({ length: executions }, (_, place) => tools[place % tools.length]?.name ?? "");
  const startedAt = performance.now();
  for (let from = 0; from < executions; from += BATCH_SIZE)
    await contender.submit("flood", names.slice(from, from + BATCH_SIZE));
  return performance.now() - startedAt;
}
