import { randomBytes } from "node:crypto";
import { everyNth, isNightly, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findLeaks, findPieces, waysToWrite } from "../support/canary/find-leaks.ts";
import { leakingCode, ROAD_NAMES } from "../support/canary/leaking-tool.ts";
import { createLeakyService, newSecrets, toolOf } from "../support/canary/leaky-service.ts";
import { openEcho, type Echo } from "../support/canary/echo.ts";
import { readEverything } from "../support/canary/read-everything.ts";
import { recordAnswers, type Recording } from "../support/canary/record-answers.ts";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";
import type { Collector } from "../support/collector.ts";
import { openReceiver, type Receiver } from "../support/receiver.ts";

/** Secrets leave a product, whose telemetry goes to `collector`, on no road; it may reach servers on 127.0.0.1. */
export function secretCanarySuite(own: () => { product: Product; collector: Collector }): void {
  const SERVICES = { held: newSecrets(), shown: newSecrets(), turned: newSecrets() };
  type Service = keyof typeof SERVICES;

  /** One road of each kind by day; all of them at night. */
  const ROADS = isNightly
    ? ROAD_NAMES
    : "return,throw,levels,in pieces,emit,nested arguments,headers,query,body,encodings,digits".split(",");

  let product: Product;
  let recording: Recording;
  let receiver: Receiver;
  let echo: Echo;
  let collector: Collector;
  let owner: Client;
  let agent: Client;
  /** The executions of the leaking tools, each with what it was to do. */
  const executions = new Map<string, string>();

  beforeAll(async () => {
    recording = recordAnswers();
    receiver = await openReceiver(() => 204);
    echo = await openEcho();
    ({ product, collector } = own());
    // Many poll at once for what comes of many runs.
    const tenant = await newTenant(product, { requestsPerSecond: 1_000 });
    owner = tenant.owner;
    agent = await newClient(product, tenant.id, "agent");
    await createTool(owner, "echo_canary", "console.log(args.s); return args");
    await createTool(owner, "throw_canary", "throw new Error(args.s)");
    for (const service of ["held", "shown", "turned"] as const) {
      const delivery = service === "held" ? "placeholder" : "reveal";
      await createLeakyService(owner, service, SERVICES[service], { host: echo.host, delivery });
    }
  });

  afterAll(async () => {
    recording?.stop();
    await receiver?.close();
    await echo?.close();
  });

  const roadOf = (road: string, field: string) => ({ road, field, base: echo.url });

  /** Runs a tool to its end, which is told to the receiver too. */
  async function run(tool: string, args: object): Promise<string> {
    const { status, body } = await owner.post(`/api/v1/custom-tools/${tool}/execute`, {
      arguments: args,
      mode: "async",
      callback: { url: `${receiver.url}/end` },
    });
    expect(status, JSON.stringify(body)).toBe(202);
    return body.data.executionId;
  }

  async function textsOf(executionId: string): Promise<string> {
    const events = await (await owner.follow(executionId)).rest();
    return events.map(({ data }) => (typeof data["text"] === "string" ? data["text"] : "")).join("");
  }

  /** Its stream ends with it. */
  async function ended(executionId: string) {
    await textsOf(executionId);
    const { data } = (await owner.get(`/api/v1/executions/${executionId}`)).body;
    expect(data.finishedAt, executions.get(executionId) ?? executionId).toBeDefined();
    return data;
  }

  describe.each(["held", "shown"] as const)("a secret that is %s", (service) => {
    test.each(everyNth(["api_key", "pem"] as const, 2))("leaves on no road: its %s", async (field) => {
      product.showLogsIfTestFails();
      const goDown = async (road: string): Promise<void> => {
        const executionId = await run(`leak_${service}`, roadOf(road, field));
        executions.set(executionId, `${service} ${field} ${road}`);
        const execution = await ended(executionId);
        expect(["succeeded", "failed", "timed_out"], road).toContain(execution.status);
        expect(execution.error?.message ?? "", road).not.toBe("Error: no such road");
        const places = new Map([[`lines of ${road}`, await textsOf(executionId)]]);
        expect(findPieces(places, [SERVICES[service][field]])).toEqual([]);
      };
      const roads = ROADS.values();
      await Promise.all(
        Array.from({ length: 6 }, async () => {
          for (const road of roads) await goDown(road);
        }),
      );
    });
  });

  test("what is held is exchanged on its way to the host that may know it", () => {
    const { api_key: key } = SERVICES.held;
    expect(echo.seen.filter(({ headers }) => headers["x-key"] === key)).not.toEqual([]);
    expect(echo.seen.filter(({ url }) => url.searchParams.get("key") === key)).not.toEqual([]);
    expect(echo.seen.filter(({ body }) => body.includes(JSON.stringify(key)))).not.toEqual([]);
  });

  test("what is shown is in the code's hands, and covered in its result", async () => {
    const execution = await ended(await run("leak_shown", roadOf("return", "api_key")));
    expect(execution.result).toEqual({
      plain: "[REDACTED]",
      list: ["[REDACTED]", { deep: "a [REDACTED] b" }],
    });
    expect(echo.seen.filter(({ headers }) => headers["x-key"] === SERVICES.shown.api_key)).not.toEqual([]);
  });

  test("what code makes of a value that it holds can't be stopped; of a placeholder it makes nothing", async () => {
    const turned = (service: Service): string => Array.from(SERVICES[service].api_key).toReversed().join("");
    const { result } = await ended(await run("turn_turned", {}));
    expect(result.reversed).toBe(turned("turned"));
    const { result: made } = await ended(await run("turn_held", {}));
    expect(made.reversed).not.toBe(turned("held"));
    expect(made.reversed).toHaveLength("bhs_".length + 48);
  });

  test("no other way to run a tool lets one out", async () => {
    const tool = "leak_shown";
    const all = ROADS.filter((road) => road !== "slow bytes");
    const calls = all.map((road) => ({ tool, arguments: roadOf(road, "api_key") }));
    const batch = await owner.post("/api/v1/executions/batch", { executions: calls });
    for (const { executionId } of batch.body.data.executions) await ended(executionId);
    for (const road of everyNth(["return", "throw", "levels", "emit"], 2)) {
      const body = { arguments: roadOf(road, "pem") };
      await owner.post(`/api/v1/custom-tools/${tool}/execute`, body);
      await (await owner.stream(`/api/v1/custom-tools/${tool}/execute`, { ...body, mode: "stream" })).rest();
      const dry = { code: leakingCode("shown"), testArguments: roadOf(road, "pem"), ...toolOf("shown") };
      const tried = await owner.post("/api/v1/custom-tools/test", { name: "dry", ...dry });
      expect(tried.status, JSON.stringify(tried.body)).toBe(200);
      const code = `return await utils.callTool("${tool}", ${JSON.stringify(roadOf(road, "pem"))})`;
      await owner.post("/api/v1/meta-tools/run_code", { code });
      await agent.post("/api/v1/meta-tools/run_code", { code });
    }
    const schedule = { name: "leak", tool, arguments: roadOf("return", "pem"), everyMs: 3_600_000 };
    const made = await owner.post("/api/v1/schedules", schedule);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await owner.post(`/api/v1/schedules/${made.body.data.id}/run`);
  });

  test("what the tenant names itself is covered from a moment later on, and counted without being shown", async () => {
    const value = `own-${randomBytes(10).toString("hex")}`;
    for (const rule of [
      { name: "own-value", value },
      { name: "own-pattern", pattern: "EMP-[0-9]{6}" },
    ])
      expect((await owner.post("/api/v1/scrub-rules", rule)).status).toBe(201);
    const said = { s: `${value} EMP-123456` };
    await until(
      async () => (await ended(await run("echo_canary", said))).result.s === "[REDACTED] [REDACTED]",
      { what: "the rules are heard of" },
    );
    await until(
      async () => {
        const { counts } = (await owner.get("/api/v1/scrub-rules")).body.data;
        const kinds = new Set(counts.map(({ kind }: { kind: string }) => kind));
        return kinds.size > 2 && kinds.has("value") && kinds.has("rule:own-pattern");
      },
      { what: "what was covered is counted" },
    );
  });

  /** Among the millions of digits of all traces and metrics ten that are a secret's come by chance, once in some hundred runs. */
  const PIECE_CHARS = 13;

  test("[K2] after all that, none stands anywhere: no answer, event, callback, key, row, print, trace or metric", async () => {
    await until(() => receiver.at("/end").length >= executions.size, {
      timeoutMs: 30_000,
      what: "the callbacks",
    });
    for (const path of ["executions?limit=100", "custom-tools", "config-services", "audit", "scrub-rules"])
      await owner.get(`/api/v1/${path}`);
    for (const executionId of executions.keys()) {
      await owner.get(`/api/v1/executions/${executionId}/attempts`);
      await owner.get(`/api/v1/executions/${executionId}/deliveries`);
    }
    for (const service of ["held", "shown", "turned"]) await owner.get(`/api/v1/config-services/${service}`);
    const places = await readEverything(product);
    places.set(
      "callbacks",
      receiver.received.map(({ text, headers }) => text + JSON.stringify(headers)).join("\n"),
    );
    await until(() => collector.everything().includes("bulkhead_execution_phase_seconds"), {
      what: "metrics are pushed",
    });
    expect(collector.everything()).toContain("leak_held");
    places.set("traces and pushed metrics", collector.everything());
    recording.stop();
    places.set("answers", await recording.text());
    expect(places.get("answers")).toContain("[REDACTED]");
    const secrets = Object.values(SERVICES).flatMap((values) => Object.values(values));
    expect(secrets.flatMap((secret) => findLeaks(places, waysToWrite(secret)))).toEqual([]);
    expect(findPieces(places, secrets, PIECE_CHARS)).toEqual([]);
  }, 120_000);
}
