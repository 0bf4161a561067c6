import { shortageMs, until } from "@bulkhead/testing";
import { setTimeout as delay } from "node:timers/promises";
import { faultsOf } from "../history/checks.ts";
import type { History } from "../history/history.ts";
import { startLoad } from "../load/mixed-load.ts";
import type { Ground } from "../rig/ground.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import { EFFECT_MS_MAX, type FaultRow } from "./row.ts";
import { openScene, type OpenedScene } from "./scene.ts";

/** The load runs so long before the fault and after it was healed; milliseconds. */
const LEAD_MS = 1_500;
/** From the heal on new executions succeed again within this, not counting the time in which processors were short. */
const BACK_MS_MAX = 10_000;
/** And at the latest within this. Milliseconds, both. */
const PATIENCE_MS = 120_000;
/** Between two tries whether they do, none of which waits for the one before. Milliseconds. */
const PROBE_EVERY_MS = 400;
/** The same once they should have: a machine that is slow by then is not to be held up by the tries. */
const LATE_PROBE_EVERY_MS = 4_000;
/** Until everything has ended: leases run out, and what lost its worker is tried again. Milliseconds. */
const REST_MS_MAX = 120_000;

export interface RowResult {
  /** Every breach of a promise, in words; none where the product held. */
  faults: string[];
  /** For people: what there was to judge. */
  seen: string;
}

/** Plays one fault under a mixed load, heals it, waits for rest, and judges the history. */
export async function runRow<R extends Ground>(
  rig: R,
  row: FaultRow<R>,
  name: string,
  seed: number,
): Promise<RowResult> {
  const history = emptyHistory(row);
  const opened = await openScene(rig, history, name);
  const { caller, tenantId } = opened.scene;
  const load = startLoad({ caller, history, effectUrl: rig.effects.url, name, seed });
  const faults: string[] = [];
  const note = (cause: Error): void => void faults.push(cause.message);
  let back: Back | undefined;
  try {
    await delay(LEAD_MS);
    await row.strike(opened.scene);
    back = await worksAgain(opened).catch((cause: Error) => (note(cause), undefined));
    if (back && back.ms - back.shortMs > BACK_MS_MAX)
      faults.push(
        `new executions succeeded ${back.ms} ms after the heal; processors were short for ${back.shortMs} of them`,
      );
    await delay(LEAD_MS);
  } finally {
    await load.stop();
  }
  const restMs = await timed(() => rests(rig, tenantId).catch(note));
  await gatherEvidence({ rig, caller, tenantId, history });
  for (const check of opened.checks) faults.push(...(await check()));
  return {
    faults: [...faults, ...faultsOf(history)],
    seen: `${summary(history)}; back after ${back?.ms} ms (processors short for ${back?.shortMs}), at rest ${restMs} ms after the load`,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return Math.round(performance.now() - from);
}

/** Until the first success. */
interface Back {
  ms: number;
  shortMs: number;
}

async function worksAgain({ scene, history }: OpenedScene<unknown>): Promise<Back> {
  const [from, shortBefore] = [performance.now(), await shortageMs()];
  const probes = new Set<Promise<unknown>>();
  let works = false;
  let count = 0;
  let due = 0;
  const probe = async (): Promise<void> => {
    const marker = `${scene.name}-probe-${(count += 1)}`;
    const id = await scene.caller.submit({ tool: "echo", marker, arguments: { marker } }, "sync");
    works ||= history.sightings.some(
      ({ executionId, status }) => executionId === id && status === "succeeded",
    );
  };
  const tryAgain = (): boolean => {
    if (performance.now() >= due) {
      const isLate = performance.now() - from > BACK_MS_MAX;
      due = performance.now() + (isLate ? LATE_PROBE_EVERY_MS : PROBE_EVERY_MS);
      probes.add(probe());
    }
    return works;
  };
  try {
    await until(tryAgain, { timeoutMs: PATIENCE_MS, what: "after the heal new executions succeed" });
    const ms = Math.round(performance.now() - from);
    return { ms, shortMs: (await shortageMs()) - shortBefore };
  } finally {
    await Promise.all(probes);
  }
}

async function rests(rig: Ground, tenantId: string): Promise<void> {
  const open =
    "select id, status, attempt from executions where tenant_id = $1 and status in ('queued', 'running') limit 5";
  let left: unknown;
  const isAtRest = async (): Promise<boolean> => {
    left = await rig.sql(open, [tenantId]);
    return Array.isArray(left) && left.length === 0;
  };
  await until(isAtRest, { timeoutMs: REST_MS_MAX, what: "everything has ended" }).catch((cause: Error) => {
    throw new Error(`${cause.message}: ${JSON.stringify(left)}`, { cause });
  });
}

const emptyHistory = ({ bounds }: Pick<FaultRow, "bounds">): History => ({
  calls: [],
  submissions: [],
  cancels: [],
  sightings: [],
  followed: [],
  whole: [],
  effects: [],
  rows: [],
  bounds: { logsLost: false, effectMsMax: EFFECT_MS_MAX, ...bounds },
});

function summary({ calls, rows, effects, whole }: History): string {
  const outcomes = Map.groupBy(calls, ({ outcome }) => outcome?.is ?? "invoked");
  const ends = Map.groupBy(rows, ({ status }) => status);
  const counted = (groups: Map<string, unknown[]>): string =>
    [...groups].map(([what, all]) => `${all.length} ${what}`).join(", ");
  return `${calls.length} calls (${counted(outcomes)}), ${rows.length} executions (${counted(ends)}), ${effects.length} effects, ${whole.length} streams`;
}
