import { sharedProduct } from "@bulkhead/testing";
import { describe, expect, test } from "vitest";
import { makeTool, meta, newTeam, NO_ARGUMENTS } from "../support/agents.ts";
import { createTool } from "../support/client.ts";

const product = await sharedProduct();
const { owner, agent, viewer } = await newTeam(product);

const call = (name: string, body: object, client = owner) => meta(client, name, body);
const read = async (ref: string) => (await owner.get(`/api/v1/custom-tools/${ref}`)).body.data;
/** As a model writes one. */
const make = (name: string, more: object = {}, client = owner) => makeTool(client, name, more);

describe("create_tool", () => {
  test("[M1] stores what a model wrote, with its parameters as a JSON string, active at once", async () => {
    const { status, headers, body } = await make("word_counter", {
      description: "Counts words",
      parameters: '{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}',
      code: "return args.text.split(' ').length",
      category: "Text",
      permissions: ["network"],
      required_api_keys: [{ name: "words", displayName: "Words" }],
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: "word_counter",
      description: "Counts words",
      status: "active",
      category: "Text",
      createdBy: "llm",
      usageCount: 0,
      version: 1,
      permissions: ["network"],
      requiresApproval: true,
      message: expect.stringContaining("can be called"),
    });
    const stored = await read(body.data.id);
    expect(headers.get("location")).toBe(`/api/v1/custom-tools/${stored.id}`);
    expect(stored).toMatchObject({
      createdBy: "llm",
      parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      requiredApiKeys: [{ name: "words", displayName: "Words" }],
    });
    const run = await owner.post("/api/v1/custom-tools/word_counter/execute", {
      arguments: { text: "a b c" },
    });
    expect(run.body.data.result).toBe(3);
  });

  test.each(["shell", "filesystem", "email"])(
    "[T2, P5] with the permission %s waits for a person",
    async (permission) => {
      const { body } = await make(`dangerous_${permission}`, { permissions: [permission] });
      expect(body.data).toMatchObject({
        status: "pending_approval",
        requiresApproval: true,
        createdBy: "llm",
      });
      expect(body.data.message).toContain("approval");
      const run = await owner.post(`/api/v1/custom-tools/dangerous_${permission}/execute`, { arguments: {} });
      expect([run.status, run.body.code]).toEqual([400, "tool.not_active"]);
    },
  );

  test.each<[string, object, string, string]>([
    ["a name that breaks the rule", { name: "Bad-Name" }, "request.invalid", "name"],
    ["a name of the platform", { name: "run_code" }, "request.invalid", "name"],
    ["parameters that are no JSON", { parameters: "{type:object}" }, "request.invalid", "parameters"],
    ["parameters of another kind", { parameters: 7 }, "request.invalid", "parameters"],
    [
      "parameters of another type",
      { parameters: '{"type":"string"}' },
      "tool.schema_invalid",
      "parameters.type",
    ],
    ["code that does not compile", { code: "return (" }, "tool.code_invalid", "code"],
    ["code with a forbidden pattern", { code: "return require('fs')" }, "tool.code_invalid", "code"],
    ["an unknown permission", { permissions: ["root"] }, "request.invalid", "permissions.0"],
    ["an unknown field", { createdBy: "user" }, "request.invalid", "createdBy"],
  ])("refuses %s and says where", async (_what, fields, code, path) => {
    const { status, body } = await make("never_made", fields);
    expect([status, body.code, body.errors?.[0]?.path]).toEqual([400, code, path]);
    expect(body.detail.length).toBeGreaterThan(10);
  });

  test("refuses a name that is taken", async () => {
    await make("made_once");
    expect((await make("made_once")).body.code).toBe("tool.name_taken");
  });

  test("[M6] of an agent waits for a person, and nothing is created before", async () => {
    const { status, body } = await make("by_agent", {}, agent);
    expect([status, body.data.status]).toEqual([202, "awaiting_approval"]);
    expect((await owner.get("/api/v1/custom-tools/by_agent")).status).toBe(404);
  });
});

describe("list_custom_tools", () => {
  test("[M2] answers summaries and how many there are, by category and status", async () => {
    await make("listed_one", { category: "Listed" });
    await createTool(owner, "listed_two", "return 1", { category: "Listed" });
    const { status, body } = await call("list_custom_tools", { category: "Listed" }, viewer);
    expect(status).toBe(200);
    const [two, one] = body.data.tools;
    expect(one).toEqual({
      id: expect.stringMatching(/^tool_/),
      name: "listed_one",
      description: "listed_one",
      status: "active",
      category: "Listed",
      createdBy: "llm",
      usageCount: 0,
    });
    expect(two).toMatchObject({ name: "listed_two", createdBy: "user" });
    const stats = (await owner.get("/api/v1/custom-tools/stats")).body.data;
    const { total, active, pendingApproval } = stats;
    expect(body.data.stats).toEqual({ total, active, pendingApproval });
    await owner.post("/api/v1/custom-tools/listed_two/disable");
    const off = await call("list_custom_tools", { status: "disabled", category: "Listed" }, agent);
    expect(off.body.data.tools.map(({ name }: { name: string }) => name)).toEqual(["listed_two"]);
  });
});

describe("delete_custom_tool", () => {
  test("[M4] can't delete what a person made, and tells the user to do it", async () => {
    const { id } = await createTool(owner, "persons_own", "return 1");
    for (const client of [owner, agent]) {
      for (const confirm of [undefined, false, true]) {
        const { status, body } = await call("delete_custom_tool", { name: "persons_own", confirm }, client);
        expect([status, body.code]).toEqual([403, "tool.made_by_user"]);
        expect(body.detail).toContain(`DELETE /api/v1/custom-tools/${id}`);
      }
    }
    expect((await read("persons_own")).id).toBe(id);
  });

  test("[M3] asks back first, and deletes what a model made once it is confirmed", async () => {
    await make("to_delete");
    const asked = await call("delete_custom_tool", { name: "to_delete" });
    expect(asked.status).toBe(200);
    expect(asked.body.data).toEqual({
      deleted: false,
      requiresConfirmation: true,
      name: "to_delete",
      message: expect.stringContaining("confirm: true"),
    });
    expect((await read("to_delete")).name).toBe("to_delete");
    const byAgent = await call("delete_custom_tool", { name: "to_delete", confirm: true }, agent);
    expect([byAgent.status, byAgent.body.data.status]).toEqual([202, "awaiting_approval"]);
    expect((await read("to_delete")).name).toBe("to_delete");
    const done = await call("delete_custom_tool", { name: "to_delete", confirm: true });
    expect(done.body.data).toMatchObject({ deleted: true, name: "to_delete" });
    const again = await call("delete_custom_tool", { name: "to_delete", confirm: true });
    expect([again.status, again.body.code]).toEqual([404, "tool.not_found"]);
  });
});

describe("toggle_custom_tool", () => {
  test("[M5] disables and enables, whoever made the tool", async () => {
    await createTool(owner, "switched", "return 1");
    const off = await call("toggle_custom_tool", { name: "switched", enabled: false }, agent);
    expect(off.body.data).toMatchObject({
      name: "switched",
      status: "disabled",
      message: expect.any(String),
    });
    expect((await read("switched")).status).toBe("disabled");
    const on = await call("toggle_custom_tool", { name: "switched", enabled: true }, agent);
    expect(on.body.data).toMatchObject({ status: "active" });
  });

  test("is no way round a person's approval", async () => {
    await make("pending_one", { permissions: ["shell"] });
    for (const enabled of [true, false]) {
      const { status, body } = await call("toggle_custom_tool", { name: "pending_one", enabled });
      expect([status, body.code]).toEqual([409, "tool.transition_refused"]);
    }
    expect((await read("pending_one")).status).toBe("pending_approval");
  });
});

describe("update_tool", () => {
  test("[R24] changes what a model made, and says which version runs", async () => {
    await make("evolving");
    const { status, body } = await call(
      "update_tool",
      { name: "evolving", code: "return 2", parameters: NO_ARGUMENTS },
      agent,
    );
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      name: "evolving",
      version: 2,
      message: expect.stringContaining("version 2"),
    });
    const { body: same } = await call("update_tool", { name: "evolving", description: "told anew" });
    expect(same.data).toMatchObject({ version: 2, description: "told anew" });
    expect(
      (await owner.post("/api/v1/custom-tools/evolving/execute", { arguments: {} })).body.data.result,
    ).toBe(2);
  });

  test("leaves what a person made", async () => {
    await createTool(owner, "fixed", "return 1");
    const { status, body } = await call("update_tool", { name: "fixed", code: "return 2" });
    expect([status, body.code]).toEqual([403, "tool.made_by_user"]);
  });

  test("leaves what a person approved in place, and says that a person has to look", async () => {
    await make("harmless");
    const grown = await call("update_tool", { name: "harmless", permissions: ["shell"] });
    expect(grown.status).toBe(200);
    expect(grown.body.data).toMatchObject({
      version: 1,
      pendingVersion: 2,
      permissions: [],
      message: expect.stringContaining("waits for a person's approval"),
    });
    await make("approved", { permissions: ["email"] });
    await owner.post("/api/v1/custom-tools/approved/approve");
    const changed = await call("update_tool", { name: "approved", code: "return 'other'" }, agent);
    expect(changed.body.data).toMatchObject({ version: 1, pendingVersion: 2 });
    expect(await read("approved")).toMatchObject({ code: "return 1", pendingVersion: 2 });
    expect((await call("update_tool", { name: "approved", description: "says more" }, agent)).status).toBe(
      200,
    );
  });
});
