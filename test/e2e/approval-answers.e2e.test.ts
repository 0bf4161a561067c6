import { sharedProduct, until } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let agent: Client;

beforeAll(async () => {
  const tenant = await newTenant(product);
  owner = tenant.owner;
  agent = await newClient(product, tenant.id, "agent");
  await createTool(owner, "shell", "return args.command ?? 'ran';", {
    parameters: { type: "object", properties: { command: { type: "string" } } },
  });
});

/** A call of the agent's that waits. */
async function ask(command: string): Promise<{ executionId: string; approval: string }> {
  const { status, body } = await agent.post("/api/v1/custom-tools/shell/execute", {
    arguments: { command },
    mode: "async",
  });
  expect([status, body.data?.status]).toEqual([202, "awaiting_approval"]);
  return { executionId: body.data.executionId, approval: body.data.links.approval };
}
const seen = async (id: string) => (await agent.get(`/api/v1/executions/${id}`)).body.data;
const ended = (id: string) =>
  until(async () => ((await seen(id)).finishedAt ? true : null), { what: "the end" });

test("a person allows a call with other arguments: they run, and the caller sees what was asked for", async () => {
  const { executionId, approval } = await ask("git push --force");
  const wrong = await owner.post(`${approval}/allow-once`, { arguments: { command: 7 } });
  expect([wrong.status, wrong.body.code, wrong.body.errors[0].path]).toEqual([
    400,
    "tool.arguments_invalid",
    "arguments.command",
  ]);
  const unknown = await owner.post(`${approval}/allow-once`, { argument: {} });
  expect([unknown.status, unknown.body.errors[0].path]).toEqual([400, "argument"]);
  const allowed = await owner.post(`${approval}/allow-once`, { arguments: { command: "git push" } });
  expect(allowed.body.data).toMatchObject({
    status: "allowed",
    arguments: { command: "git push" },
    askedArguments: { command: "git push --force" },
  });
  await ended(executionId);
  expect(await seen(executionId)).toMatchObject({
    status: "succeeded",
    result: "git push",
    arguments: { command: "git push" },
    approval: { answer: "allow_once", askedArguments: { command: "git push --force" } },
  });
});

test("the reason of a denial reaches the agent", async () => {
  const { executionId, approval } = await ask("rm -rf /tmp");
  const blank = await owner.post(`${approval}/deny`, { reason: " " });
  expect([blank.status, blank.body.errors[0].path]).toEqual([400, "reason"]);
  const bell = await owner.post(`${approval}/deny`, { reason: "ring\x07" });
  expect([bell.status, bell.body.errors[0].path]).toEqual([400, "reason"]);
  const denied = await owner.post(`${approval}/deny`, { reason: "  Use the staging copy. " });
  expect(denied.body.data).toMatchObject({ status: "denied", reason: "Use the staging copy." });
  expect(await seen(executionId)).toMatchObject({
    error: { code: "approval.denied", message: "A person denied the call: Use the staging copy." },
    approval: { answer: "deny", reason: "Use the staging copy." },
  });
  const { entries } = (await owner.get("/api/v1/audit?action=approval.denied")).body.data;
  expect(entries[0].details).toMatchObject({ executionId, reasonGiven: true });
  expect(JSON.stringify(entries)).not.toContain("staging");
});
