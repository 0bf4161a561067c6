import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { BulkheadToolsOptions } from "@bulkhead/ai-sdk";
import { root } from "../architecture/support/house.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const readme = read("libs/sdk/ai-sdk/README.md");

/** Lines are broken as each file's width wants it. */
const bare = (code: string): string => code.replaceAll(/\s+/g, "").replaceAll(",}", "}");

test("each statement of the README of the AI SDK's tools stands in the example, which runs against the product", () => {
  const example = bare(read("test/examples/ai-sdk.ts"));
  const [, block = ""] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  const statements = block.split("\n").filter((line) => line !== "");
  expect(statements.length).toBeGreaterThan(3);
  expect(statements.filter((line) => !example.includes(bare(line)))).toEqual([]);
});

test("its table names every option", () => {
  const options: Record<keyof BulkheadToolsOptions, true> = {
    client: true,
    agentId: true,
    names: true,
    view: true,
    context: true,
    timeoutMs: true,
    asksInLoop: true,
  };
  const named = [...readme.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(named).toEqual(Object.keys(options));
});
