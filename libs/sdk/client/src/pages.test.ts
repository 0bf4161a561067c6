import { expect, test } from "vitest";
import { Bulkhead } from "./bulkhead.ts";
import { data, problem, serveScript } from "./fixtures/scripted-server.ts";

const clientOf = ({ url }: { url: string }) => new Bulkhead({ url, key: "bh_1" });

test("a list is its first page when awaited, and all entries when walked along", async () => {
  await using server = await serveScript(
    data({ tools: [{ id: 1 }, { id: 2 }], count: 3, nextCursor: "c 1" }),
    data({ tools: [{ id: 1 }, { id: 2 }], count: 3, nextCursor: "c 1" }),
    data({ tools: [{ id: 3 }], count: 3, nextCursor: null }),
  );
  const tools = clientOf(server).tools.list({ limit: 2 });
  expect(server.asked).toHaveLength(0);
  expect((await tools).count).toBe(3);
  expect(await Array.fromAsync(tools, ({ id }) => id)).toEqual([1, 2, 3]);
  expect(server.asked.map(({ path }) => path)).toEqual([
    "/api/v1/custom-tools?limit=2",
    "/api/v1/custom-tools?limit=2",
    "/api/v1/custom-tools?limit=2&cursor=c+1",
  ]);
});

test("pages come whole too, and one more is asked for only by who goes on", async () => {
  await using server = await serveScript(data({ executions: [{ id: 1 }], nextCursor: "c" }));
  for await (const { executions } of clientOf(server).executions.list().pages()) {
    expect(executions).toHaveLength(1);
    break;
  }
  expect(server.asked).toHaveLength(1);
});

test("the cursor goes where the question is, and comes by Link where the answer has no field for it", async () => {
  await using server = await serveScript(
    data({ tools: [{ name: "a" }], nextCursor: "c" }),
    data({ tools: [{ name: "b" }], nextCursor: null }),
    data({ tools: { a: {} } }, 200, { link: '</api/v1/custom-tools/export?cursor=x%2F1>; rel="next"' }),
    data({ tools: { b: {} } }),
  );
  const client = clientOf(server);
  expect(await Array.fromAsync(client.policy.explain({ agentId: "alpha" }), ({ name }) => name)).toEqual([
    "a",
    "b",
  ]);
  expect(await Array.fromAsync(client.tools.export(), ([name]) => name)).toEqual(["a", "b"]);
  expect(server.asked.map(({ path, body }) => [path, body])).toEqual([
    ["/api/v1/policy/explain", { agentId: "alpha" }],
    ["/api/v1/policy/explain", { agentId: "alpha", cursor: "c" }],
    ["/api/v1/custom-tools/export", ""],
    ["/api/v1/custom-tools/export?cursor=x%2F1", ""],
  ]);
});

test("an export as a zip is its bytes", async () => {
  await using server = await serveScript(
    (response) => void response.writeHead(200, { "content-type": "application/zip" }).end("PK"),
  );
  expect(await clientOf(server).tools.export({ format: "zip" })).toEqual(new Uint8Array([80, 75]));
});

test("a list that can't be read rejects both ways", async () => {
  await using server = await serveScript(problem(403, "auth.forbidden", false));
  const { approvals } = clientOf(server);
  await expect(approvals.list()).rejects.toMatchObject({ code: "auth.forbidden" });
  expect(await approvals.list().catch(() => null)).toBeNull();
  await expect(Array.fromAsync(approvals.list())).rejects.toMatchObject({ code: "auth.forbidden" });
});
