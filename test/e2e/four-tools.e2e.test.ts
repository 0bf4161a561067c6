import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { everyNth, sharedProduct, until } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { CSV, TICKER, WEATHER, WORD_COUNT } from "./tools.ts";

const product = await sharedProduct();
let owner: Client;
let weather: Server;
let weatherUrl = "";

beforeAll(async () => {
  weather = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://weather");
    if (request.headers["x-api-key"] !== "weather-key-1") return response.writeHead(401).end();
    response.writeHead(200, { "content-type": "application/json", "x-server": "test-weather" });
    return response.end(
      JSON.stringify({ location: { name: url.searchParams.get("q") }, current: { temp_c: 21.5 } }),
    );
  });
  await new Promise<void>((resolve) => weather.listen(0, "127.0.0.1", resolve));
  weatherUrl = `http://127.0.0.1:${(weather.address() as AddressInfo).port}`;
  ({ owner } = await newTenant(product));
  for (const tool of [WORD_COUNT, WEATHER, CSV, TICKER]) {
    const made = await owner.post("/api/v1/custom-tools", tool);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
});

afterAll(async () => {
  weather?.close();
});

const text = "the quick brown fox and the slow dog and the cat ".repeat(5_000);
const csv = ["name,price", "a,1", "b,2.5", "c,-4", "d,10"].join("\n");

/** By day one that asks others and one that computes. */
const CALLS = everyNth(
  [
    {
      tool: "fetch_weather",
      args: () => ({ base: weatherUrl, city: "Zürich & Genève" }),
      result: { city: "Zürich & Genève", celsius: 21.5, server: "test-weather" },
      says: "asked for Zürich & Genève",
    },
    {
      tool: "word_frequency",
      args: () => ({ text }),
      result: {
        total: 55_000,
        unique: 8,
        top: [
          ["the", 15_000],
          ["and", 10_000],
          ["brown", 5_000],
        ],
      },
      says: "counted 55000 words",
    },
    {
      tool: "csv_analyzer",
      args: () => ({ csv, column: "price" }),
      result: { rows: 4, sum: 9.5, mean: 2.375, min: -4, max: 10 },
      says: "rows 4",
    },
    { tool: "ticker", args: () => ({}), result: { ticks: 20, callId: "call-7" }, says: "tick 20" },
  ],
  2,
);

describe.each(CALLS)("$tool", ({ tool, args, result, says }) => {
  const path = `/api/v1/custom-tools/${tool}/execute`;
  const context = { callId: "call-7" };

  test("[R12] waits for its result in sync mode", async () => {
    product.showLogsIfTestFails();
    const { status, body, headers } = await owner.post(path, { arguments: args(), context });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data).toMatchObject({ status: "succeeded", tool, isError: false, result });
    expect(body.data.metadata.dynamicTool).toBe(tool);
    expect(headers.get("server-timing")).toContain("run;dur=");
  });

  test("[R13] is answered at once in async mode and read later", async () => {
    const accepted = await owner.post(path, { arguments: args(), mode: "async", context });
    expect(accepted.status).toBe(202);
    const { self } = accepted.body.data.links;
    const ended = await until(
      async () => {
        const { body } = await owner.get(self);
        return body.data.finishedAt ? body.data : null;
      },
      { what: "the execution has ended" },
    );
    expect(ended).toMatchObject({ status: "succeeded", isError: false, result, attempts: 1, context });
    expect(ended.id).toBe(accepted.body.data.executionId);
  });

  test("[R14] streams what it says and then its result", async () => {
    const reader = await owner.stream(path, { arguments: args(), mode: "stream", context });
    const events = await reader.rest();
    expect(events[0]?.event).toBe("execution.queued");
    expect(events[1]?.event).toBe("execution.started");
    expect(events.filter(({ event }) => event === "execution.log").at(-1)?.data["text"]).toBe(says);
    const last = events.at(-1);
    expect(last?.event).toBe("execution.succeeded");
    expect(last?.data["execution"]).toMatchObject({ status: "succeeded", result, context });
    expect(events.filter(({ event }) => event === "execution.succeeded")).toHaveLength(1);
  });
});

test("what a tool says arrives while it runs", async () => {
  // Goes on for longer than anybody takes to read it.
  await createTool(owner, "speaks", "emit(1); await new Promise((resolve) => setTimeout(resolve, 25_000));");
  const reader = await owner.stream("/api/v1/custom-tools/speaks/execute", { mode: "stream" });
  let id = "";
  for (let event = await reader.next(); event; event = await reader.next()) {
    id = String(event.data["executionId"]);
    if (event.event === "execution.progress") break;
  }
  const { body } = await owner.get(`/api/v1/executions/${id}`);
  expect(body.data.status).toBe("running");
  await reader.close();
  await owner.post(`/api/v1/executions/${id}/cancel`);
});

test("[T8] usage is counted once for each execution", async () => {
  const before = (await owner.get("/api/v1/custom-tools/csv_analyzer")).body.data;
  await owner.post("/api/v1/custom-tools/csv_analyzer/execute", { arguments: { csv, column: "price" } });
  await owner.post("/api/v1/custom-tools/csv_analyzer/execute", { arguments: { csv, column: "missing" } });
  const after = (await owner.get("/api/v1/custom-tools/csv_analyzer")).body.data;
  expect(after.usageCount).toBe(before.usageCount + 2);
  expect(Date.parse(after.lastUsedAt)).toBeGreaterThan(Date.parse(before.lastUsedAt));
});

test("a dry run executes without storing a tool or counting anything", async () => {
  const dryRun = { name: "try_me", code: "return { doubled: args.n * 2 };", testArguments: { n: 21 } };
  const { status, body } = await owner.post("/api/v1/custom-tools/test", dryRun);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.data).toMatchObject({ testMode: true, result: { doubled: 42 }, isError: false });
  expect((await owner.get("/api/v1/custom-tools/try_me")).status).toBe(404);
});
