import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const MIB = 1024 * 1024;
/** What a page of executions holds at most, and what the answer around them adds at most. */
const ANSWER_BYTES_MAX = 8 * MIB + 1024;
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

test("[R17] a list of large executions answers in bounded pages that leave none out and repeat none", async () => {
  const made: string[] = [];
  for (let count = 0; count < 18; count++) made.push(await run("large"));
  const pages = await pagesOf("tool=large&limit=100");
  expect(pages.flat()).toEqual(made.toReversed());
  expect(pages.map(({ length }) => length)).toEqual([8, 8, 2]);
});

test("a list that ends with its limit has no next page", async () => {
  const made = [await run("small"), await run("small")];
  expect(await pagesOf("tool=small&limit=2")).toEqual([made.toReversed()]);
  expect(await pagesOf("tool=small&limit=1")).toEqual(made.toReversed().map((id) => [id]));
});
