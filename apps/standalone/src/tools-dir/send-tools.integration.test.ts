import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { LoadedTool } from "bulkhead-cli/folders";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openSender, type Sender } from "./send-tools.ts";

const asked: { key: string | undefined; path: string | undefined; folders: string[] }[] = [];
let refusal: number | null = null;
/** A tool for which the API refuses all that is sent with it. */
let refused: string | null = null;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const folders = Object.keys(JSON.parse(Buffer.concat(chunks).toString()).tools);
    asked.push({ key: request.headers.authorization, path: request.url, folders });
    const tools = folders.map((folder) =>
      folder === "bad"
        ? { folder, outcome: "failed", error: { message: "The code does not compile." } }
        : { folder, outcome: "created", version: 1, status: "active", warnings: ["fetch needs network"] },
    );
    const status = refused !== null && folders.includes(refused) ? 400 : (refusal ?? 200);
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(status === 200 ? { data: { tools } } : { detail: "Not now." }));
  });
});

let said: string[];
let sender: Sender;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());
beforeEach(() => {
  asked.length = 0;
  said = [];
  refusal = null;
  refused = null;
  const { port } = server.address() as AddressInfo;
  sender = openSender({ url: `http://127.0.0.1:${port}`, key: "bh_1", say: (line) => void said.push(line) });
});

const tool = (name: string, more: object = {}): LoadedTool => ({
  record: { name, description: name, code: "return 1;", ...more } as LoadedTool["record"],
  from: { file: `${name}/tool.js`, export: null },
  packages: [],
  durationMs: 1,
  placeOf: () => null,
});

test("what changed is sent, as an import that updates; what it came to is told", async () => {
  const helpers = ["helper/1", "helper_1"].map((agentId) => tool("a", { agentId }));
  await sender.send([tool("a"), tool("bad"), ...helpers]);
  await sender.send([tool("a", { code: "return 2;" }), tool("bad"), ...helpers]);
  const path = "/api/v1/custom-tools/import?mode=each&existing=update";
  expect(asked).toEqual([
    { key: "Bearer bh_1", path, folders: ["a", "bad", "a@2", "a@3"] },
    { key: "Bearer bh_1", path, folders: ["a"] },
  ]);
  expect(said.slice(0, 2)).toEqual([
    "a/tool.js: a created (version 1, active); fetch needs network",
    "bad/tool.js: bad failed: The code does not compile.",
  ]);
});

test("a tool that is gone from the folder stays, which is told once", async () => {
  await sender.send([tool("a")]);
  await sender.send([]);
  await sender.send([]);
  expect(said.slice(1)).toEqual([
    "a is not in the folder any more; its tool stays until somebody deletes it",
  ]);
});

test("what the API refuses is thrown, and sent again", async () => {
  refusal = 503;
  await expect(sender.send([tool("a")])).rejects.toThrow("the API answered 503: Not now.");
  refusal = null;
  await sender.send([tool("a")]);
  expect(asked).toHaveLength(2);
});

test.each([
  [400, true],
  [401, true],
  [403, true],
  [404, true],
  [429, false],
  [503, false],
])("a refusal with %i is lasting: %s", async (status, isLasting) => {
  refusal = status;
  const error = await sender.send([tool("a")]).catch((one: unknown) => one);
  // Of a tool that is refused by itself it is told, and the others go on.
  if (status === 400) expect(said).toEqual(["a/tool.js: a failed: the API answered 400: Not now."]);
  else expect(error).toMatchObject({ status, isLasting });
});

test("a tool that is refused keeps no other back, and is sent again when it changes", async () => {
  refused = "b";
  await sender.send(["a", "b", "c"].map((name) => tool(name)));
  expect(asked.map(({ folders }) => folders.join())).toEqual(["a,b,c", "a", "b", "c"]);
  await sender.send(["a", "b", "c"].map((name) => tool(name)));
  expect(asked).toHaveLength(4);
  refused = null;
  await sender.send(["a", "b", "c"].map((name) => tool(name, name === "b" ? { code: "return 2;" } : {})));
  expect(asked.slice(4).map(({ folders }) => folders)).toEqual([["b"]]);
});

test("many tools and large ones go in parts", async () => {
  const many = Array.from({ length: 101 }, (_, at) => tool(`t${at}`));
  await sender.send(many);
  await sender.send(["x", "y"].map((name) => tool(name, { code: "1".repeat(1_000_000) })));
  await sender.send(["v", "w"].map((name) => tool(name, { description: "語".repeat(400_000) })));
  expect(asked.map(({ folders }) => folders.length)).toEqual([100, 1, 1, 1, 1, 1]);
});
