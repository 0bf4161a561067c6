import { Agent } from "node:http";
import { post, sendUnread } from "../load.ts";
import { ask, createTool, openTenant, RATES_LIFTED, startProduct } from "../product.ts";
import {
  SANDBOX_PROCESSES,
  SLOTS,
  type Contender,
  type LoadTenant,
  type Span,
  type Timings,
} from "./contender.ts";

/** The longest there is: nothing of a flood ends because it waited. */
const TIMEOUT_MS = 3_600_000;
const PAGE_SIZE = 200;
/** Tools that are created at a time. */
const CREATED_AT_ONCE = 8;

const READS = {
  list: "executions?limit=50",
  search: "custom-tools?search=the+flood&limit=200",
  export: "custom-tools/export?format=zip",
};

interface Page {
  executions: { startedAt?: string; finishedAt?: string }[];
  nextCursor: string | null;
}
interface Batch {
  executions: { executionId?: string }[];
}

/** The whole product, through its public API. */
export async function openBulkhead(): Promise<Contender> {
  const product = await startProduct({
    WORKER_CONCURRENCY: String(SLOTS),
    SANDBOX_PROCESSES_MAX: String(SANDBOX_PROCESSES),
  });
  const { url } = product;
  const agent = new Agent({ keepAlive: true });
  let followed: Promise<{ executionId: string }> | undefined;
  const keys = new Map<string, string>();
  const keyOf = (tenant: string): string => keys.get(tenant) ?? "";

  return {
    name: "Bulkhead",
    async prepare(tenants) {
      for (const tenant of tenants) {
        const key = await openTenant(product, { ...RATES_LIFTED, ...tenant.limits });
        keys.set(tenant.name, key);
        await createTools(url, key, tenant);
      }
    },
    async call(tenant, tool) {
      const headers = { authorization: `Bearer ${keyOf(tenant)}` };
      const to = `${url}/custom-tools/${tool}/execute`;
      const { status, body } = await post(agent, { url: to, headers, body: '{"arguments":{}}' });
      const data = status === 200 ? JSON.parse(body).data : null;
      if (data?.status !== "succeeded") throw new Error(`${tool}: ${status} ${body.slice(0, 500)}`);
      return data.metadata.timings as Timings;
    },
    async flood(tenant, tool, what) {
      const headers = { authorization: `Bearer ${keyOf(tenant)}` };
      const call = `${url}/custom-tools/${tool}/execute`;
      if (what === "call") await sendUnread(agent, { url: call, headers, body: '{"arguments":{}}' });
      else if (what !== "follow") await sendUnread(agent, { url: `${url}/${READS[what]}`, headers });
      else {
        const body = { arguments: {}, mode: "async" };
        followed ??= ask<{ executionId: string }>(call, { key: keyOf(tenant), body, status: 202 });
        const { executionId } = await followed;
        await sendUnread(agent, { url: `${url}/executions/${executionId}/events`, headers });
      }
    },
    async submit(tenant, tools) {
      const executions = tools.map((tool) => ({ tool, arguments: {}, timeoutMs: TIMEOUT_MS }));
      const request = { key: keyOf(tenant), body: { executions }, status: 202 };
      const answer = await ask<Batch>(`${url}/executions/batch`, request);
      const refused = answer.executions.find(({ executionId }) => executionId === undefined);
      if (refused) throw new Error(`a flood was refused: ${JSON.stringify(refused)}`);
    },
    async spans(tenant) {
      const spans: Span[] = [];
      for (const status of ["succeeded", "failed"]) {
        for await (const one of pages(url, keyOf(tenant), status)) spans.push(one);
      }
      return spans;
    },
    async close() {
      agent.destroy();
      await product.close();
    },
  };
}

async function createTools(url: string, key: string, { tools }: LoadTenant): Promise<void> {
  const left = tools.values();
  const one = async (): Promise<void> => {
    for (const tool of left) await createTool(url, key, tool);
  };
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, one));
}

async function* pages(url: string, key: string, status: string): AsyncGenerator<Span> {
  let cursor = "";
  do {
    const path = `${url}/executions?status=${status}&limit=${PAGE_SIZE}${cursor}`;
    const page: Page = await ask<Page>(path, { key, method: "GET", status: 200 });
    for (const { startedAt, finishedAt } of page.executions) {
      if (startedAt && finishedAt) yield { startMs: Date.parse(startedAt), endMs: Date.parse(finishedAt) };
    }
    cursor = page.nextCursor === null ? "" : `&cursor=${page.nextCursor}`;
  } while (cursor !== "");
}
