import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { sharedProduct } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Client, createTool, newClient, newTenant, type Answer } from "../support/client.ts";

const USAGE = "/api/v1/usage";
const ANSWER = "x".repeat(1_000);
const SENT = "y".repeat(30);

let upstream: Server;
const product = await sharedProduct();
let admin: Client;
let tenantId: string;
let owner: Client;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().once("end", () => response.end(ANSWER));
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  admin = new Client(product.url, product.adminKey);
  ({ id: tenantId, owner } = await newTenant(product));
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`;
  await createTool(owner, "spins", "const end = Date.now() + 40; while (Date.now() < end); return 1;");
  await createTool(owner, "throws", "throw new Error('no');");
  await createTool(
    owner,
    "fetches",
    `return (await (await fetch("${url}", { method: "POST", body: "${SENT}" })).text()).length;`,
    { permissions: ["network"] },
  );
  for (const tool of ["spins", "spins", "throws", "fetches"]) await run(tool);
});

afterAll(async () => {
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
});

async function run(tool: string): Promise<void> {
  const { status } = await owner.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: {} });
  expect(status).toBe(200);
}

/** The answer's data. */
async function usage(query: Record<string, string> = {}, client = owner): Promise<Answer["body"]> {
  const { status, body } = await client.get(`${USAGE}?${new URLSearchParams(query).toString()}`);
  expect([status, body.errors]).toEqual([200, undefined]);
  return body.data;
}

test("[R39] what tools used is summed by day and tool, with outcomes, times and bytes", async () => {
  product.showLogsIfTestFails();
  const { from, to, groupBy, total, usage: rows, nextCursor } = await usage();
  expect([groupBy, nextCursor]).toEqual([["day", "tool"], null]);
  expect(from.slice(10)).toBe("T00:00:00.000Z");
  const byName = Object.fromEntries(rows.map((row: { toolName: string }) => [row.toolName, row]));
  expect(Object.keys(byName).toSorted()).toEqual(["fetches", "spins", "throws"]);
  expect([to.slice(0, 10), new Date(Date.parse(to) - 60_000).toISOString().slice(0, 10)]).toContain(
    byName["spins"].day,
  );
  expect(byName["spins"]).toMatchObject({ executions: 2, attempts: 2, byStatus: { succeeded: 2 } });
  expect(byName["throws"]).toMatchObject({ executions: 1, byStatus: { failed: 1 } });
  expect(byName["fetches"]).toMatchObject({
    networkRequests: 1,
    bytesIn: ANSWER.length,
    bytesOut: SENT.length,
  });
  expect(total).toMatchObject({
    executions: 4,
    attempts: 4,
    byStatus: { succeeded: 3, failed: 1 },
    networkRequests: 1,
    bytesIn: ANSWER.length,
    bytesOut: SENT.length,
  });
  // The spinning one takes the processor for 40 ms in each of its runs, and its slot for as long; clocks are coarse.
  expect(byName["spins"].wallMs).toBeGreaterThan(40);
  expect(byName["spins"].workerMs).toBeGreaterThan(40);
  expect(byName["spins"].cpuMs).toBeGreaterThan(0);
  expect(total.memoryPeakMib).toBeGreaterThan(0);
  expect(total.wallMs).toBeCloseTo(
    rows.reduce((sum: number, { wallMs }: { wallMs: number }) => sum + wallMs, 0),
    2,
  );
});

test("[R39] rows are days, tools or both, of one tool or all, page by page", async () => {
  const [day] = (await usage({ groupBy: "day" })).usage;
  expect(day).not.toHaveProperty("toolId");
  const tools = await usage({ groupBy: "tool" });
  expect(tools.usage).toHaveLength(3);
  expect(tools.usage[0]).not.toHaveProperty("day");
  const { total, usage: rows } = await usage({ tool: "throws" });
  expect([total.executions, rows.map(({ toolName }: { toolName: string }) => toolName)]).toEqual([
    1,
    ["throws"],
  ]);
  expect((await usage({ tool: rows[0].toolId })).total).toEqual(total);
  expect((await usage({ tool: "no_such_tool" })).total.executions).toBe(0);

  const seen: unknown[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Answer["body"] = await usage({ groupBy: "tool", limit: "1", ...(cursor && { cursor }) });
    expect(page.total).toEqual(tools.total);
    seen.push(...page.usage);
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(tools.usage);
  const past = await usage({ from: "2025-01-01T00:00:00Z", to: "2025-02-01T00:00:00Z" });
  expect([past.usage, past.total.executions, past.total.byStatus]).toEqual([[], 0, {}]);
});

test("[R33, R39] owners, developers and viewers see their own tenant's; agents and the administrator see none", async () => {
  const as = (role: string) => newClient(product, tenantId, role);
  for (const role of ["developer", "viewer"])
    expect((await usage({}, await as(role))).total.executions).toBe(4);
  expect((await (await as("agent")).get(USAGE)).body).toMatchObject({ status: 403, code: "auth.forbidden" });
  expect((await admin.get(USAGE)).body).toMatchObject({ status: 403, code: "tenant.required" });
  expect((await new Client(product.url, null).get(USAGE)).status).toBe(401);
  const other = await newTenant(product);
  expect((await usage({}, other.owner)).usage).toEqual([]);
});

test("[R35] the reference tells what is answered while a tenant asks too much", async () => {
  const { paths } = (await owner.get("/docs/json")).body;
  expect(paths[USAGE].get.responses[429].content).toHaveProperty(["application/problem+json", "schema"]);
});

test.each([
  ["from", "from=yesterday"],
  ["from", "from=0001-01-01T00:00:00Z"],
  ["from", "from=2025-01-01T00:00:00Z"],
  ["from", "from=2025-01-01T00:00:00Z&to=2025-02-02T00:00:00Z"],
  ["from", "from=9999-01-01T00:00:00Z"],
  ["to", "from=2025-01-02T00:00:00Z&to=2025-01-01T00:00:00Z"],
  ["to", "to=%00"],
  ["groupBy", "groupBy=week"],
  ["limit", "limit=1001"],
  ["limit", "limit=0"],
  ["tool", "tool="],
  ["tool", "tool=a%00b"],
  ["cursor", "cursor=exe_1"],
  ["cursor", "groupBy=day&cursor=~tool_0123456789abcdef"],
  ["cursor", "groupBy=tool&cursor=2025-01-01~"],
  ["until", "until=2025-01-01T00:00:00Z"],
])("[R34] a question that can't be answered names the field %s: %s", async (path, query) => {
  const { status, headers, body } = await owner.get(`${USAGE}?${query}`);
  expect([status, headers.get("content-type")]).toEqual([
    400,
    expect.stringMatching(/^application\/problem\+json/),
  ]);
  expect(body).toMatchObject({ code: "request.invalid", errors: [{ path, message: expect.any(String) }] });
});
