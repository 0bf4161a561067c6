import { RUN_LIMITS_DEFAULT, type Permission, type ProvidedTool } from "@bulkhead/core";
import { expect, test } from "vitest";
import { heldAttempt } from "../fixtures/held-attempt.ts";
import { sampleCover } from "../fixtures/sample-cover.ts";
import { sampleProvider } from "../fixtures/sample-provider.ts";
import { withCalls, type NestedCallDeps } from "./nested-calls.ts";
import type { HeldAttempt } from "./tool-calls.ts";

/** The calls of a run with these permissions, of a tenant without tools. */
function callsOf(
  permissions: Permission[],
  needs: Partial<ProvidedTool> = {},
  run: Partial<HeldAttempt> = {},
) {
  const provider = sampleProvider("page");
  const listTools = () => provider.listTools().map((tool) => ({ ...tool, ...needs }));
  const deps = {
    findTool: () => Promise.resolve(null),
    listActiveTools: () => Promise.resolve([]),
    provider: { ...provider, listTools },
    schemas: { checkArguments: () => Promise.resolve([]) },
    report: () => undefined,
  } as unknown as NestedCallDeps;
  const ask = () => Promise.reject(new Error("nothing is asked here"));
  const reach = { permissions, egress: null, allowedHosts: null, ask, nextBodyId: () => 1 };
  return withCalls(deps).openCalls({ ...heldAttempt(), ...run }, sampleCover(), RUN_LIMITS_DEFAULT, reach);
}
const NEVER = new AbortController().signal;

test("a built-in tool is there for who has the permission that it needs", async () => {
  const without = callsOf(["filesystem"]);
  expect(await without.list()).toMatchObject({ ok: true, body: "[]" });
  expect(await without.call("web_fetch", "{}", NEVER)).toMatchObject({
    code: "tool_not_allowed",
    message: expect.stringContaining("has no network permission"),
  });
  const having = callsOf(["network"]);
  expect(await having.list()).toMatchObject({ body: expect.stringContaining("web_fetch") });
  expect(await having.call("web_fetch", "{}", NEVER)).toMatchObject({ ok: true, body: '"page"' });
});

test("one whose engine is not there is not listed, and says so when it is called", async () => {
  const calls = callsOf(["filesystem"]);
  const [missing, unknown] = ["read_file", "read_fil"].map((name) => calls.call(name, "{}", NEVER));
  expect(await missing).toMatchObject({ code: "tool_not_found", message: "There is no engine for it." });
  expect(await unknown).toMatchObject({ code: "tool_not_found", message: 'There is no tool "read_fil".' });
});

test("a permission that an argument needs is asked for by its name, and only where it is given", async () => {
  const needs = { needs: null, argumentNeeds: { saveAs: "filesystem" } } as const;
  const without = callsOf([], needs);
  expect(await without.call("web_fetch", "{}", NEVER)).toMatchObject({ ok: true });
  const args = JSON.stringify({ saveAs: "a.png" });
  expect(await without.call("web_fetch", args, NEVER)).toMatchObject({
    code: "tool_not_allowed",
    message:
      '"web_fetch" with saveAs needs the permission filesystem, and the tool that calls it has no filesystem permission.',
  });
  expect(await callsOf(["filesystem"], needs).call("web_fetch", args, NEVER)).toMatchObject({ ok: true });
});

test("what is for keys' own calls runs in the script of such a call, and is there for no tool and no other script", async () => {
  const others: Partial<HeldAttempt>[] = [
    {},
    { toolName: "gateway" },
    { toolId: null, toolName: "run_code" },
    { toolId: null, toolName: "gateway", callers: [null] },
  ];
  for (const run of others) {
    const calls = callsOf([], {}, run);
    expect(await calls.list()).toMatchObject({ ok: true, body: "[]" });
    expect(await calls.call("gateway", "{}", NEVER)).toMatchObject({
      code: "tool_not_allowed",
      message: expect.stringContaining("own call of a key alone"),
    });
  }
  const own = callsOf([], {}, { toolId: null, toolName: "gateway" });
  expect(await own.call("gateway", "{}", NEVER)).toMatchObject({ ok: true });
});
