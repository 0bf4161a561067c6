import { setTimeout as delay } from "node:timers/promises";
import { ask, createTool, openTenant, RATES_LIFTED, startProduct, type RunningProduct } from "../product.ts";
import { START_SECONDS, type Figure, type Part } from "./part.ts";
import { inTurns, using } from "./rounds.ts";

const BATCH_SIZE = 1_000;
const BATCHES_PER_SECOND = 2;
/** What a tenant may have waiting: all that is handed in here. */
const QUEUED_MAX = 1_000_000;
const TIMEOUT_MS = 3_600_000;

/** Much at once: how fast it is taken in, and how fast it then runs. */
export const batches: Part = {
  name: "batches",
  title: "Batches",
  how:
    `Batches of ${BATCH_SIZE} calls of one tenant, one request after another, until each is answered 202: rows committed and queued, while the worker runs what is there. ` +
    "Then how many of them end in a second, with nobody waiting for them.",
  expectSeconds: ({ rounds, seconds }) => START_SECONDS + rounds * (3 * seconds + 2),
  measure: (settings) =>
    using(startProduct(), async (product) => {
      const limits = { ...RATES_LIFTED, maxConcurrentExecutions: 1_000, maxQueuedExecutions: QUEUED_MAX };
      const key = await openTenant(product, limits);
      await createTool(product.url, key, { name: "short", code: "return args.n + 1;" });
      await submit(product, key);
      await drained(product, key);
      const run = async () => {
        const startedAt = performance.now();
        const batchCount = settings.seconds * BATCHES_PER_SECOND;
        for (let count = 0; count < batchCount; count += 1) await submit(product, key);
        const seconds = (performance.now() - startedAt) / 1_000;
        const ended = await endedPerSecond(product, key, settings.seconds);
        return { admitted: (batchCount * BATCH_SIZE) / seconds, ended };
      };
      const [rounds = []] = await inTurns(settings, [{ name: `batches of ${BATCH_SIZE}`, run }]);
      const figure = (what: string, of: "admitted" | "ended"): Figure => ({
        what,
        unit: "/s",
        rounds: rounds.map((round) => round[of]),
      });
      return [figure("executions accepted", "admitted"), figure("executions ended afterwards", "ended")];
    }),
};

async function submit({ url }: RunningProduct, key: string): Promise<void> {
  const call = { tool: "short", arguments: { n: 1 }, timeoutMs: TIMEOUT_MS };
  const body = { executions: Array.from({ length: BATCH_SIZE }, () => call) };
  const answer = await ask<{ executions: { executionId?: string }[] }>(`${url}/executions/batch`, {
    key,
    body,
    status: 202,
  });
  const refused = answer.executions.find(({ executionId }) => executionId === undefined);
  if (refused) throw new Error(`an execution of a batch was refused: ${JSON.stringify(refused)}`);
}

const POLL_MS = 250;

interface Counted {
  ended: number;
  open: number;
}

async function counted({ url }: RunningProduct, key: string): Promise<Counted> {
  const wanted = { key, method: "GET", status: 200 };
  const { total } = await ask<{ total: { executions: number; byStatus: Record<string, number> } }>(
    `${url}/usage?groupBy=day`,
    wanted,
  );
  const open = (total.byStatus["queued"] ?? 0) + (total.byStatus["running"] ?? 0);
  return { ended: total.executions - open, open };
}

/** Over so many seconds, or until all have ended. */
async function endedPerSecond(product: RunningProduct, key: string, seconds: number): Promise<number> {
  const before = await counted(product, key);
  const startedAt = performance.now();
  for (;;) {
    await delay(POLL_MS);
    const { ended, open } = await counted(product, key);
    const tookSeconds = (performance.now() - startedAt) / 1_000;
    if (open > 0 && tookSeconds < seconds) continue;
    return (ended - before.ended) / tookSeconds;
  }
}

const drained = (product: RunningProduct, key: string) =>
  endedPerSecond(product, key, Number.POSITIVE_INFINITY);
