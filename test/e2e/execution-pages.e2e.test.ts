import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

/** However large what its executions answered is. */
const ANSWER_BYTES_MAX = 100_000;
const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
  await createTool(owner, "large", "return 'x'.repeat(1_000_000);");
  await createTool(owner, "small", "return 1;");
});

async function run(tool: string): Promise<string> {
  const { body } = await owner.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: {} });
  expect(body.data.status).toBe("succeeded");
  return body.data.executionId;
}

/** The ids of each page, as one comes to them by `nextCursor`. */
async function pagesOf(query: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor = ""; ;) {
    const { body } = await owner.get(`/api/v1/executions?${query}${cursor}`);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(ANSWER_BYTES_MAX);
    pages.push(body.data.executions.map(({ id }: { id: string }) => id));
    if (body.data.nextCursor === null) return pages;
    cursor = `&cursor=${body.data.nextCursor}`;
  }
}

test("[R17] a list tells how large arguments and results are, and holds neither", async () => {
  const made = [await run("large"), await run("large"), await run("large")];
  expect(await pagesOf("tool=large&limit=100")).toEqual([made.toReversed()]);
  const { body } = await owner.get("/api/v1/executions?tool=large&limit=1");
  const [listed] = body.data.executions;
  expect(listed).toMatchObject({ argumentsBytes: "{}".length, resultBytes: 1_000_002, source: "rest" });
  expect(listed).not.toHaveProperty("arguments");
  expect(listed).not.toHaveProperty("result");
});

test("a list that ends with its limit has no next page", async () => {
  const made = [await run("small"), await run("small")];
  expect(await pagesOf("tool=small&limit=2")).toEqual([made.toReversed()]);
  expect(await pagesOf("tool=small&limit=1")).toEqual(made.toReversed().map((id) => [id]));
});

describe("[R57] a payload in ranges", () => {
  const read = async (path: string, key = owner.key) => {
    const answer = await fetch(`${product.url}/api/v1/executions/${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return { status: answer.status, range: answer.headers.get("content-range"), text: await answer.text() };
  };

  test("is what the execution has, cut by bytes, and a range behind its end is refused", async () => {
    const id = await run("large");
    expect(await read(`${id}/arguments`)).toEqual({ status: 200, range: "bytes 0-1/2", text: "{}" });
    const first = await read(`${id}/result?from=0&to=9`);
    expect(first).toEqual({ status: 206, range: "bytes 0-9/1000002", text: `"${"x".repeat(9)}` });
    const last = await read(`${id}/result?from=1000000&to=1000100`);
    expect(last).toEqual({ status: 206, range: "bytes 1000000-1000001/1000002", text: 'x"' });
    const behind = await read(`${id}/result?from=1000002`);
    expect([behind.status, behind.range]).toEqual([416, "bytes */1000002"]);
    expect(JSON.parse(behind.text).code).toBe("execution.range_beyond");
    const wide = await read(`${id}/result?to=1048576`);
    expect([wide.status, JSON.parse(wide.text).errors[0].path]).toEqual([400, "to"]);
    const other = await newTenant(product);
    for (const known of [id, `exe_${"0".repeat(32)}`])
      expect(JSON.parse((await read(`${known}/result`, other.owner.key)).text).code).toBe(
        "execution.not_found",
      );
  });
});

describe("statistics", () => {
  test("[R56] count by bucket and group what the list shows", async () => {
    const { owner: watched } = await newTenant(product);
    await createTool(watched, "good", "return 1;");
    await createTool(watched, "bad", "throw new Error('no');");
    for (const name of ["good", "good", "bad"])
      await watched.post(`/api/v1/custom-tools/${name}/execute`, { arguments: {} });
    const { body } = await watched.get("/api/v1/executions/stats?bucket=day&groupBy=tool");
    const { buckets } = body.data;
    // A day may end between two of the calls.
    const counted = (name: string, status: string): number =>
      buckets
        .filter(({ group }: { group: { name: string } }) => group.name === name)
        .reduce(
          (sum: number, { counts }: { counts: Record<string, number> }) => sum + (counts[status] ?? 0),
          0,
        );
    expect(counted("good", "succeeded")).toBe(2);
    expect(counted("bad", "failed")).toBe(1);
    expect(buckets[0].p50Ms).toBeGreaterThan(0);
    const failed = await watched.get("/api/v1/executions?status=failed,lost&code=tool.threw&source=rest");
    expect(failed.body.data.executions).toMatchObject([{ toolName: "bad", client: expect.any(String) }]);
  });

  test.each([
    ["executions/stats?bucket=minute&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z", "bucket"],
    ["executions/stats?minMs=5&maxMs=4", "maxMs"],
    ["executions?status=failed,sold", "status.1"],
    ["executions?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "to"],
  ])("%s names %s", async (path, field) => {
    const { status, body } = await owner.get(`/api/v1/${path}`);
    expect([status, body.errors?.[0].path]).toEqual([400, field]);
  });
});
