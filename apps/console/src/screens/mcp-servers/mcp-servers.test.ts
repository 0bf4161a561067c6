import type { McpServer, McpServerTool } from "@bulkhead/client";
import { expect, test } from "vitest";
import { changeOf, createBodyOf, faultsOf, formOf, NEW_SERVER } from "./server-form.ts";
import { inOrder, nextStepOf, offerText, sentence, stateLook } from "./server-words.ts";

const SERVER: McpServer = {
  name: "notes",
  transport: "streamable-http",
  url: "https://notes.example/mcp",
  args: [],
  env: {},
  headers: { "x-team": "acme", authorization: { config: "notes.token" } },
  timeoutMs: 30_000,
  agentIds: ["a", "b"],
  enabled: true,
  state: "idle",
  stateAt: "2026-06-01T12:00:00Z",
  failures: 0,
  createdAt: "2026-06-01T12:00:00Z",
  updatedAt: "2026-06-01T12:00:00Z",
};

test("a form that nobody changed says what the server is", () => {
  const { url, transport, headers, timeoutMs, agentIds } = SERVER;
  expect(changeOf(formOf(SERVER))).toEqual({ url, transport, headers, timeoutMs, agentIds });
  expect(faultsOf(formOf(SERVER))).toEqual({});
});

test("who gets the tools is everyone, nobody, or those who are named", () => {
  const idsOf = (agentIds: string[] | undefined) => {
    const { agentIds: _before, ...rest } = SERVER;
    return changeOf(formOf(agentIds === undefined ? rest : { ...rest, agentIds })).agentIds;
  };
  expect([idsOf(undefined), idsOf([]), idsOf(["x"])]).toEqual([null, [], ["x"]]);
});

test("a new server says no prefix where none was written", () => {
  const form = { ...NEW_SERVER, name: "notes", url: " https://notes.example/mcp " };
  expect(createBodyOf(form)).toEqual({
    name: "notes",
    transport: "streamable-http",
    url: "https://notes.example/mcp",
    headers: {},
    timeoutMs: 60_000,
    agentIds: null,
  });
  expect(createBodyOf({ ...form, toolPrefix: "n_" })).toHaveProperty("toolPrefix", "n_");
});

test("of a process neither the program nor what it is given is changed", () => {
  expect(changeOf(formOf({ ...SERVER, transport: "stdio" }))).toEqual({
    timeoutMs: 30_000,
    agentIds: ["a", "b"],
  });
});

test("what can't be sent is said of its field", () => {
  const headers = [
    { name: "", kind: "text", value: "" },
    { name: "a", kind: "config", value: "token" },
  ] as const;
  const form = { ...NEW_SERVER, url: "ftp://x", toolPrefix: "a b", timeoutSeconds: "x", headers };
  expect(Object.keys(faultsOf(form))).toEqual([
    "name",
    "url",
    "toolPrefix",
    "timeoutMs",
    "headers.0",
    "headers.1",
  ]);
});

test("tools that wait for a person come first", () => {
  const tool = (name: string, standing: McpServerTool["standing"]) => ({ tool: name, standing });
  const tools = [tool("c", "active"), tool("b", "changed"), tool("a", "blocked"), tool("d", "new")];
  expect(inOrder(tools as McpServerTool[]).map(({ tool: name }) => name)).toEqual(["b", "d", "a", "c"]);
});

test("an offer in another order is the same text, and other words are another", () => {
  const parameters = { type: "object", required: ["b", "a"] };
  const turned = { required: ["b", "a"], type: "object" };
  expect(offerText({ description: "x", parameters })).toBe(
    offerText({ parameters: turned, description: "x" }),
  );
  expect(offerText({ description: "x" })).not.toBe(offerText({ description: "y" }));
});

test("a reason is told as a sentence", () => {
  expect(["it refused", "It refused.", ""].map(sentence)).toEqual(["It refused.", "It refused.", ""]);
});

test("a server that is off or failed says what to do", () => {
  expect(nextStepOf({ enabled: true, state: "connected" })).toBeNull();
  expect(nextStepOf({ enabled: true, state: "failed" })).toContain("refresh");
  expect(stateLook({ enabled: false, state: "connected" })).toEqual({ name: "Disabled", tone: "calm" });
});
