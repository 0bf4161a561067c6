import type { Bulkhead } from "@bulkhead/client";
import { expect, test } from "vitest";
import { countParts, send } from "./theirs.ts";

const tools = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    key: `tool_${at}`,
    record: { name: `tool_${at}`, description: "d", parameters: {}, code: "return 1;" },
    theirs: null,
  }));

test.each([
  [0, 0, 0],
  [1, 0, 1],
  [1, 1_000, 1],
  [1, 1_001, 2],
  [0, 2_500, 3],
  [1_001, 1, 2],
])("%i tools and %i deletions take as many imports as are told: %i", async (count, deletions, parts) => {
  const sizes: [number, number][] = [];
  const client = {
    tools: {
      import: ({ tools: sent, remove = {} }: { tools: object; remove?: object }) => {
        sizes.push([Object.keys(sent).length, Object.keys(remove).length]);
        return Promise.resolve({ tools: [] });
      },
    },
  } as unknown as Bulkhead;
  const remove = Object.fromEntries(Array.from({ length: deletions }, (_, at) => [`id_${at}`, "hash"]));
  let stored = 0;
  await send(client, tools(count), { source: null, remove, onStored: () => void (stored += 1) });
  expect([countParts(tools(count), deletions), stored, sizes.length]).toEqual([parts, parts, parts]);
  const all = sizes.reduce(([put, gone], [one, other]) => [put + one, gone + other], [0, 0]);
  expect(all).toEqual([count, deletions]);
});
