import { BulkheadError } from "@bulkhead/client";
import { expect, test, vi } from "vitest";
import type { ExampleCase } from "../examples/find-examples.ts";
import { exampleOf, fakeService, fakeTool, type FakeService } from "../examples/fixtures/service.ts";
import type { FolderFault, LoadedFolder, LoadedTool } from "../folders.ts";
import { Drafts } from "./drafts.ts";
import { agentOfDraft, draftAgent } from "./namespace.ts";
import { Server } from "./server.ts";
import { DevSession } from "./session.ts";
import type { Teller } from "./teller.ts";

type Import = { tools: Record<string, { "manifest.json": { agentId: string }; "tool.js": string }> };

/** A session on a service in memory; `imports` are answered by `answer`. */
function open(
  service: FakeService,
  answer: (name: string) => object = () => ({ outcome: "created", status: "active" }),
) {
  const said: [what: string, ...rest: unknown[]][] = [];
  const teller = new Proxy({} as Teller, {
    get:
      (_teller, what: string) =>
      (...rest: unknown[]) =>
        void said.push([what, ...rest]),
  });
  const sent: [name: string, agentId: string, code: string][] = [];
  const deleted: string[] = [];
  const tools = {
    import: async ({ tools: folders }: Import) => {
      const [[name, folder]] = Object.entries(folders) as [[string, Import["tools"][string]]];
      sent.push([name, folder["manifest.json"].agentId, folder["tool.js"]]);
      return { tools: [{ folder: name, id: `tool_${name}`, ...answer(name) }] };
    },
    list: async function* () {
      yield { id: "tool_old", name: "old" };
    },
    delete: async (id: string) => void deleted.push(id),
  };
  const leaving = new AbortController();
  const { signal } = leaving;
  const drafts = new Drafts(tools as unknown as ConstructorParameters<typeof Drafts>[0]);
  const fail = vi.fn();
  const session = new DevSession({
    client: service.client,
    checkSchema: async () => [],
    root: "/nowhere",
    isLive: false,
    agent: "dev-ada",
    drafts,
    server: new Server((message) => said.push(["server", message]), signal, 1),
    teller,
    types: null,
    signal,
    fail,
  });
  return { session, said, sent, deleted, drafts, leaving, fail };
}

const folder = (tools: LoadedTool[], faults: Partial<FolderFault>[] = []): LoadedFolder => ({
  tools,
  faults: faults as FolderFault[],
  dependsOn: { files: [], folders: [], times: [] },
  durations: { readMs: 1, bundleMs: 0, describeMs: 0, totalMs: 2 },
  files: [],
});
const found = (tools: LoadedTool[], example: ExampleCase = exampleOf("a", {})) => ({
  of: new Map(tools.map((tool) => [tool, [example]])),
  problems: [],
  watched: [],
});
const fine = () => fakeService(() => ({ status: "succeeded", result: 1 }));
const kinds = (said: [string, ...unknown[]][]) => said.map(([what]) => what);

test("what changed is uploaded under the session's agent and tried, and what did not is left alone", async () => {
  const { session, said, sent } = open(fine());
  const tools = [fakeTool("a"), fakeTool("b"), fakeTool("b", { agentId: "helper" })];
  session.changed(folder(tools), found(tools));
  await session.settled();
  expect(sent.map(([name, agentId]) => [name, agentId])).toEqual([
    ["a", "dev-ada"],
    ["b", "dev-ada"],
    ["b", "dev-ada/helper"],
  ]);
  const changed = [fakeTool("a"), fakeTool("b", { code: "return 2;" }), tools[2] as LoadedTool];
  session.changed(folder(changed), found(changed));
  await session.settled();
  expect(sent.slice(3)).toEqual([["b", "dev-ada", "return 2;"]]);
  expect(said.filter(([what]) => what === "tried")).toHaveLength(4);
  // Logs are told as they come, but for those of the first look.
  expect(said.filter(([what]) => what === "log")).toHaveLength(2);
  session.changed(folder(changed), found(changed, exampleOf("a", { result: 1 })));
  await session.settled();
  expect(sent).toHaveLength(7);
});

test("a save during a run cancels the older run, and only the newer one is told", async () => {
  let run = 0;
  const service = fakeService(() => (run++ === 0 ? "hang" : { status: "succeeded", result: 2 }));
  const { session, said, fail } = open(service);
  const save = (code: string) => {
    const tools = [fakeTool("a", { code })];
    session.changed(folder(tools), found(tools));
  };
  save("return 1;");
  await vi.waitFor(() => expect(service.tried).toHaveLength(1));
  save("return 2;");
  await session.settled();
  expect([service.cancelled, kinds(said)]).toEqual([["exe_0"], ["superseded", "log", "log", "tried"]]);
  expect(fail).not.toHaveBeenCalled();
});

test("a tool that can't be loaded keeps its draft and is tried once it is mended; one that is gone loses it", async () => {
  const { session, said, deleted, drafts, sent } = open(fine());
  await drafts.adopt("dev-ada");
  const tools = [fakeTool("a"), fakeTool("b")];
  session.changed(folder(tools), found(tools));
  await session.settled();
  expect(deleted).toEqual(["tool_old"]);
  const fault = { severity: "error", file: "a/manifest.json", message: "is missing" } as const;
  session.changed(folder([], [fault]), found([]));
  session.changed(folder([], [fault]), found([]));
  await session.settled();
  expect([deleted, kinds(said).slice(-2)]).toEqual([
    ["tool_old", "tool_b"],
    ["fault", "gone"],
  ]);
  session.changed(folder([fakeTool("a")]), found([fakeTool("a")]));
  await session.settled();
  expect(sent.at(-1)?.[0]).toBe("a");
  expect([await drafts.removeAll(new AbortController().signal), deleted.at(-1)]).toEqual([0, "tool_a"]);
});

test("a server that is away is told once, and all that waited goes on when it is back", async () => {
  let isAway = true;
  const { session, said, fail } = open(fine(), () => {
    if (isAway) throw new BulkheadError({ code: "client.unreachable", status: 0, message: "nobody answers" });
    return { outcome: "updated", status: "active" };
  });
  const tools = [fakeTool("a"), fakeTool("b")];
  session.changed(folder(tools), found(tools));
  await vi.waitFor(() => expect(kinds(said)).toEqual(["server"]));
  isAway = false;
  await session.settled();
  expect(said.filter(([what]) => what === "server")).toEqual([
    ["server", "nobody answers"],
    ["server", null],
  ]);
  expect(kinds(said).filter((what) => what === "tried")).toHaveLength(2);
  expect(fail).not.toHaveBeenCalled();
});

test("what the service refuses is told with the developer's place and stops no other; a revoked key ends it", async () => {
  const errors = [{ path: "a/tool.js", message: "line 3, column 5: eval is not there", line: 3, column: 5 }];
  const refused = open(fine(), (name) =>
    name === "a"
      ? { outcome: "failed", error: { code: "tool.code_invalid", message: "No.", errors } }
      : { outcome: "created" },
  );
  const tools = [fakeTool("a"), fakeTool("b")];
  refused.session.changed(folder(tools), found(tools));
  await refused.session.settled();
  const [, , lines, place] = refused.said.find(([what]) => what === "refused") ?? [];
  expect([lines, place]).toEqual([
    ["No.", "a/tool.js:3:5 eval is not there"],
    { file: "a/tool.js", line: 3, column: 5 },
  ]);
  expect(kinds(refused.said).filter((what) => what === "tried")).toHaveLength(1);
  const revoked = new BulkheadError({ code: "auth.invalid_key", status: 401, message: "no" });
  const { session, fail } = open(fine(), () => {
    throw revoked;
  });
  session.changed(folder([fakeTool("a")]), found([fakeTool("a")]));
  await session.settled();
  expect(fail).toHaveBeenCalledWith(revoked);
});

test("drafts have an agent of their own, the same for the same folder, that any name makes", () => {
  const ada = { name: "Ada Lovelace", host: "h", folder: "/a" };
  expect(draftAgent(ada)).toMatch(/^dev-Ada-Lovelace-[0-9a-f]{8}$/);
  expect(draftAgent(ada)).toBe(draftAgent({ ...ada }));
  expect(draftAgent({ ...ada, folder: "/b" })).not.toBe(draftAgent(ada));
  expect(draftAgent({ ...ada, name: "\u001b[31m" })).toMatch(/^dev--31m-[0-9a-f]{8}$/);
  expect(agentOfDraft("dev-ada", "x".repeat(200))).toMatch(/^dev-ada\/[0-9a-f]{8}$/);
});
