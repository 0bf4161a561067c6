import { sharedProduct, until } from "@bulkhead/testing";
import { describe, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
const SLEEP = "await new Promise((resolve) => setTimeout(resolve, args.ms)); return args.ms;";
const SLEEP_AND_THROW =
  "await new Promise((resolve) => setTimeout(resolve, args.ms)); throw new Error('no luck');";

const execute = (client: Client, tool: string, body: object) =>
  client.post(`/api/v1/custom-tools/${tool}/execute`, body);

async function submit(client: Client, tool: string, ms: number): Promise<string> {
  const { body } = await execute(client, tool, { mode: "async", arguments: { ms } });
  return body.data.executionId;
}

async function submitBatch(client: Client, tool: string, count: number, ms: number): Promise<string[]> {
  const executions = Array.from({ length: count }, () => ({ tool, arguments: { ms } }));
  const { body } = await client.post("/api/v1/executions/batch", { executions });
  return body.data.executions.map(({ executionId }: { executionId: string }) => executionId);
}

const ended = (client: Client, id: string) =>
  until(
    async () => {
      const { body } = await client.get(`/api/v1/executions/${id}`);
      return body.data.finishedAt ? body.data : undefined;
    },
    { what: "the execution has ended", timeoutMs: 60_000 },
  );

/** Milliseconds since 1970. */
async function startOf(client: Client, id: string): Promise<number> {
  return Date.parse((await ended(client, id)).startedAt);
}

/** How long the one runs that all others wait for, so that none of them goes while a test is still at it. */
const HELD_MS = 15_000;

/** So many wait behind one that runs, and as many runs as asked are known. */
async function backlogOf(known: number, waiting: number, ms: number): Promise<Client> {
  const { owner } = await newTenant(product, { maxConcurrentExecutions: 1 });
  await createTool(owner, "sleep", SLEEP);
  const before = await submitBatch(owner, "sleep", known, ms);
  for (const id of before) await ended(owner, id);
  await submit(owner, "sleep", HELD_MS);
  await submitBatch(owner, "sleep", waiting, 1);
  return owner;
}

describe("an execution that comes back", () => {
  test.each([0, 300])(
    "is tried again before what was submitted after it (backoff %i ms)",
    { timeout: 60_000 },
    async (backoffMs) => {
      const { owner } = await newTenant(product, { maxConcurrentExecutions: 1 });
      await createTool(owner, "sleep", SLEEP);
      await createTool(owner, "unlucky", SLEEP_AND_THROW, { retry: { attempts: 2, backoffMs } });
      const unlucky = await submit(owner, "unlucky", 1_500);
      const isTaken = async () =>
        (await owner.get(`/api/v1/executions/${unlucky}`)).body.data.status !== "queued";
      await until(isTaken, { what: "the first try runs" });
      const later = await submitBatch(owner, "sleep", 8, 200);
      const { status, attempts, startedAt } = await ended(owner, unlucky);
      expect({ status, attempts }).toEqual({ status: "failed", attempts: 2 });
      const starts = await Promise.all(later.map((id) => startOf(owner, id)));
      // Of what waits behind it only what fits into the pause before the second try, and what runs when that ends.
      const between = starts.filter((start) => start < Date.parse(startedAt));
      expect(between.length).toBeLessThanOrEqual(backoffMs === 0 ? 0 : 3);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    },
  );
});

describe("what can't finish in its time", () => {
  test.each([
    { known: 8, timeoutMs: 2_000 },
    { known: 11, timeoutMs: 9_000 },
  ])(
    "is refused at once by $known known runs, with the wait",
    { timeout: 60_000 },
    async ({ known, timeoutMs }) => {
      // So many that one run which took much longer than the others leaves no doubt about the wait.
      const owner = await backlogOf(known, 100, 500);
      const refused = await execute(owner, "sleep", { timeoutMs, arguments: { ms: 500 } });
      expect(refused.status).toBe(429);
      expect(refused.body.code).toBe("execution.deadline_unreachable");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(timeoutMs / 1_000);
      // A minute is needed: what has time for all of it is taken.
      const taken = await execute(owner, "sleep", {
        mode: "async",
        timeoutMs: 600_000,
        arguments: { ms: 1 },
      });
      expect(taken.status).toBe(202);
    },
  );
});
