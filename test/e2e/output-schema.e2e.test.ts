import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
  await createTool(owner, "typed", "return args.give;", { outputSchema: LIST });
});

const TOOLS = "/api/v1/custom-tools";
const LIST = {
  type: "array",
  items: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  maxItems: 30,
};
const run = async (name: string, give: unknown, more: object = {}) =>
  (await owner.post(`${TOOLS}/${name}/execute`, { arguments: { give }, ...more })).body.data;

describe("a tool with an output schema", () => {
  test("gives the results that match it", async () => {
    expect(await run("typed", [{ n: 1 }, { n: 2 }])).toMatchObject({
      status: "succeeded",
      result: [{ n: 1 }, { n: 2 }],
      isError: false,
    });
  });

  test("fails with the places for any other, and the result is not kept", async () => {
    const ended = await run("typed", [{ n: 1 }, { n: "x" }, {}]);
    expect(ended).toMatchObject({ status: "failed", result: null, isError: true });
    expect(ended.error).toEqual({
      code: "tool.output_invalid",
      message:
        "The result does not match the tool's output schema: result.1.n: must be integer; result.2.n: is required.",
    });
    const { body } = await owner.get(`/api/v1/executions/${ended.executionId}`);
    expect(body.data).toMatchObject({
      status: "failed",
      result: null,
      error: { code: "tool.output_invalid" },
    });
  });

  test.each([
    ["nothing", undefined, /^.* schema: result: must be array\.$/],
    ["30 wrong items", Array.from({ length: 30 }, () => ({})), /result\.4\.n: is required; and \d+ more\.$/],
  ])("tells of %s in a bounded message", async (_what, give, message) => {
    const { error } = await run("typed", give);
    expect(error.code).toBe("tool.output_invalid");
    expect(error.message).toMatch(message);
    expect(error.message.length).toBeLessThan(1_600);
  });

  test("is told from one that threw, and its logs and events stay", async () => {
    await createTool(owner, "chatty", "console.log('said'); return 1;", { outputSchema: { type: "string" } });
    const events = await (await owner.stream(`${TOOLS}/chatty/execute`, { mode: "stream" })).rest();
    expect(events.map(({ event }) => event)).toEqual([
      "execution.queued",
      "execution.started",
      "execution.log",
      "execution.failed",
    ]);
    await createTool(owner, "thrower", "throw new Error('no');", { outputSchema: { type: "string" } });
    expect((await run("thrower", 1)).error.code).toBe("tool.threw");
  });

  test("is checked by the version that ran", async () => {
    await createTool(owner, "moved", "return args.give;", { outputSchema: { type: "string" } });
    await owner.patch(`${TOOLS}/moved`, { outputSchema: { type: "number" } });
    expect((await run("moved", 1)).status).toBe("succeeded");
    expect((await run("moved", 1, { version: 1 })).error.code).toBe("tool.output_invalid");
    await owner.patch(`${TOOLS}/moved`, { outputSchema: null });
    expect((await run("moved", { any: "thing" })).status).toBe("succeeded");
  });

  test("may have it retried: its policy names the outcome", async () => {
    const code = "return context.never ?? 'wrong';";
    const retry = { attempts: 3, backoffMs: 10, on: ["tool.output_invalid"] };
    await createTool(owner, "retried", code, { outputSchema: { type: "number" }, retry });
    const ended = await run("retried", 1);
    expect(ended).toMatchObject({ error: { code: "tool.output_invalid" }, metadata: { attempts: 3 } });
  });

  test("fails its caller's call when another tool called it", async () => {
    const code = `try { return await utils.callTool('typed', { give: [{}] }) } catch (e) { return [e.code, e.message] }`;
    await createTool(owner, "caller", code);
    expect((await run("caller", 1)).result).toEqual([
      "tool_failed",
      expect.stringMatching(/^The tool "typed" ended with tool\.output_invalid: .*result\.0\.n: is required/),
    ]);
    const { body } = await owner.get("/api/v1/executions?tool=typed&limit=1");
    expect(body.data.executions[0]).toMatchObject({
      status: "failed",
      error: { code: "tool.output_invalid" },
    });
  });

  test("is tried out with it in a dry run", async () => {
    const dry = async (code: string) =>
      (await owner.post(`${TOOLS}/test`, { name: "dry", code, outputSchema: { const: 7 } })).body.data;
    expect((await dry("return 7;")).status).toBe("succeeded");
    expect((await dry("return 8;")).error).toEqual({
      code: "tool.output_invalid",
      message: expect.stringMatching(/result: must be 7\.$/),
    });
  });

  test("whose schema is costly or explodes still ends in time, and the next call is served", async () => {
    const tower = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `d${n}`,
        { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
      ]),
    );
    const outputSchema = { $defs: { ...tower, d30: { type: "number" } }, $ref: "#/$defs/d0" };
    const parameters = { type: "object" };
    const towering = { name: "tower", description: "d", parameters, code: "return 1;", outputSchema };
    const made = await owner.post(TOOLS, towering);
    // A busy machine may not even compile it in time.
    expect([201, 400]).toContain(made.status);
    if (made.status === 201) {
      const { status, error } = await run("tower", 1);
      expect([status, error.code]).toEqual(["failed", "tool.output_invalid"]);
    }
    expect((await run("typed", [{ n: 1 }])).status).toBe("succeeded");
  });
});

test.each([
  ["is no schema", { type: "objekt" }, "outputSchema.type"],
  ["refers to another host", { items: { $ref: "http://127.0.0.1:1/schema" } }, "outputSchema.items.$ref"],
  ["has a broken pattern", { pattern: "(" }, "outputSchema.pattern"],
  ["is no object", [], "outputSchema"],
  ["is too large", { description: "x".repeat(200_000) }, "outputSchema"],
])(
  "an output schema that %s is refused with its path, wherever it comes in",
  async (_what, outputSchema, path) => {
    const parameters = { type: "object" };
    const answers = [
      await owner.post(TOOLS, {
        name: "fresh",
        description: "d",
        parameters,
        code: "return 1;",
        outputSchema,
      }),
      await owner.patch(`${TOOLS}/typed`, { outputSchema }),
      await owner.post(`${TOOLS}/test`, { name: "fresh", code: "return 1;", outputSchema }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body.errors[0].path).toBe(path);
    }
  },
);
