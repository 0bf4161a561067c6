import { newAgentTenant } from "../support/agents.ts";
import { isNightly, sharedProduct, until } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { connectMcp } from "../support/mcp-client.ts";

const product = await sharedProduct();
let owner: Client;
let agent: Client;
let other: Client;

beforeAll(async () => {
  ({ owner, one: agent, two: other } = await newAgentTenant(product));
  await settings({
    default: "ask",
    commands: [
      { pattern: "wc ", approval: "preApproved" },
      { pattern: "echo", approval: "preApproved" },
      { pattern: "tar", approval: "blocked" },
    ],
  });
});

const settings = (approval: object) => owner.patch("/api/v1/tenant/settings", { approval });
const exec = (client: Client, command: string, args: object = {}) =>
  client.post("/api/v1/custom-tools/exec/execute", { arguments: { command, ...args } });

test("[G10] what nobody may run is refused to people too, before anything runs", async () => {
  product.showLogsIfTestFails();
  for (const client of [owner, agent]) {
    const { status, body } = await exec(client, "ls; R=rm; $R -rf x");
    expect([status, body.code]).toEqual([403, "tool.blocked"]);
    expect(body.detail).toContain("rm -rf");
    const unread = (await exec(client, "echo 'x")).body;
    expect(unread).toMatchObject({ code: "tool.arguments_invalid", errors: [{ path: "arguments.command" }] });
    expect(unread.detail).toContain("line 1, column 6");
  }
  // The shell's parser never ends at this one.
  const endless = (await exec(agent, "echo $(( $ ))")).body;
  expect(endless).toMatchObject({ code: "tool.arguments_invalid", errors: [{ path: "arguments.command" }] });
  const all = (await owner.get("/api/v1/executions?tool=exec")).body.data.executions;
  expect(all).toEqual([]);
});

test("[G10] a tenant's rules say what agents run, and people run what they like", async () => {
  const ran = await exec(agent, "echo one two | wc -w");
  expect(ran.body.data).toMatchObject({ status: "succeeded", result: { stdout: "2\n", exitCode: 0 } });
  expect((await exec(agent, "echo x | tar -c f")).body.code).toBe("tool.blocked");
  expect((await exec(agent, "sh -c 'tar -c f'")).body.code).toBe("tool.blocked");
  for (const command of ["whoami", "echo x > f", "echo $(whoami)"])
    expect((await exec(agent, command)).status).toBe(202);
  expect((await exec(owner, "tar --version | wc -l")).body.data.status).toBe("succeeded");
  const invalid = await settings({ commands: [{ pattern: " ", approval: "ask" }] });
  expect(invalid.body).toMatchObject({ code: "request.invalid" });
});

test("allow-always remembers exactly the command that was shown, for this tenant's agents alone", async () => {
  const { data } = (await exec(agent, "printf 'a b'")).body;
  expect((await owner.get(data.links.approval)).body.data.arguments).toEqual({ command: "printf 'a b'" });
  const wider = await owner.post(`${data.links.approval}/allow-always`, {
    argument: "/command",
    pattern: "printf*",
  });
  expect(wider.body).toMatchObject({ code: "request.invalid", errors: [{ path: "pattern" }] });
  expect((await owner.post(`${data.links.approval}/allow-always`, {})).status).toBe(200);
  await (await owner.follow(data.executionId)).rest();
  expect((await owner.get(`/api/v1/executions/${data.executionId}`)).body.data.result).toMatchObject({
    stdout: "a b",
  });
  const { commands } = (await owner.get("/api/v1/tenant/settings")).body.data.approval;
  expect(commands[0]).toEqual({ pattern: "printf 'a b'", approval: "preApproved", exact: true });
  expect(commands).toHaveLength(4);
  expect((await exec(other, "printf 'a b'")).body.data.result).toMatchObject({ stdout: "a b" });
  expect((await exec(agent, "printf 'a  b'")).status).toBe(202);
  expect((await exec(agent, "printf 'a b'", { cwd: "sub" })).status).toBe(202);
  const stranger = await newAgentTenant(product);
  expect((await exec(stranger.one, "printf 'a b'")).status).toBe(202);
});

test("a person may let run another command, if nobody is forbidden to", async () => {
  const { data } = (await exec(agent, "uname")).body;
  const once = (command: string) =>
    owner.post(`${data.links.approval}/allow-once`, { arguments: { command } });
  expect((await once("shutdown now")).body.code).toBe("tool.blocked");
  expect((await once("tar -c f")).body.code).toBe("tool.blocked");
  expect((await once("echo instead")).status).toBe(200);
  await (await owner.follow(data.executionId)).rest();
  const { result } = (await agent.get(`/api/v1/executions/${data.executionId}`)).body.data;
  expect(result).toMatchObject({ stdout: "instead\n" });
});

test("over MCP a command waits for its person, and models are told that it may", async () => {
  const put = (policy: object) =>
    owner.raw("PUT", "/api/v1/policy", JSON.stringify(policy), { "content-type": "application/json" });
  expect((await put({ allow: ["exec"] })).status).toBe(200);
  const shown = async () => (await agent.get("/api/v1/custom-tools/active/definitions")).body.data.tools;
  expect(await shown()).toMatchObject([{ name: "exec", requiresConfirmation: true }]);
  const described = await agent.post("/api/v1/meta-tools/describe_tools", { names: ["exec"] });
  expect(described.body.data.tools).toMatchObject([{ name: "exec", requiresConfirmation: true }]);
  const client = await connectMcp(product, agent, "auto");
  const called = client.callTool({ name: "exec", arguments: { command: "printf mcp" } });
  const approval = await until(
    async () => {
      const { approvals } = (await owner.get("/api/v1/approvals")).body.data;
      return approvals.find(({ arguments: args }: { arguments: object }) =>
        JSON.stringify(args).includes("printf mcp"),
      );
    },
    { what: "a person is asked" },
  );
  await owner.post(`/api/v1/approvals/${approval.id}/allow-once`);
  expect(JSON.stringify((await called).content)).toContain("mcp");
  const denied = await client.callTool({ name: "exec", arguments: { command: "rm -rf x" } });
  expect([denied.isError, JSON.stringify(denied.content)]).toEqual([
    true,
    expect.stringContaining("never run here"),
  ]);
  await settings({ tools: { exec: "blocked" } });
  expect(await shown()).toEqual([]);
  expect((await exec(agent, "echo x")).body.code).toBe("tool.blocked");
  await settings({ tools: {} });
  await put({});
});

test("commands of a tool's own code keep to the rules that name them where an agent calls it", async () => {
  const code = `return [
    await utils.exec(args.command).then(({ stdout }) => stdout, ({ message }) => message),
    await utils.callTool("exec", { command: args.command }).then(({ stdout }) => stdout, ({ message }) => message),
  ];`;
  const parameters = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };
  const tool = {
    name: "runs_commands",
    description: "Runs a command.",
    code,
    parameters,
    permissions: ["shell"],
  };
  const created = await owner.post("/api/v1/custom-tools", { ...tool, approval: "preApproved" });
  expect(created.status).toBe(201);
  const run = async (client: Client, command: string) =>
    (await client.post("/api/v1/custom-tools/runs_commands/execute", { arguments: { command } })).body.data
      .result;
  expect(await run(agent, "printf own")).toEqual(["own", "own"]);
  for (const [client, command, why] of [
    [agent, "tar -c f", "approval.commands"],
    [agent, "rm -rf f", "never run here"],
    [owner, "rm -rf f", "never run here"],
  ] as const)
    expect(await run(client, command)).toEqual([expect.stringContaining(why), expect.stringContaining(why)]);
  await settings({ commands: [{ pattern: "printf", approval: "ask" }] });
  const asks = expect.stringContaining("a person's confirmation");
  expect(await run(agent, "printf own")).toEqual([asks, asks]);
  // A person's own, as any tool's command.
  if (isNightly) expect(await run(owner, "printf own")).toEqual(["own", "own"]);
});
