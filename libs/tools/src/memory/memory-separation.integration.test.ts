import { Fault } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { askerOf, bytesOf, deps as files, newTenant, useWorkspaces } from "../files/fixtures/workspaces.ts";
import { moveFile, removeFile, writeFile, type FileAsker } from "../files.ts";
import { MemoryKeeper, searchMemory, sweepMemory } from "../memory.ts";
import { deps, useMemories } from "./fixtures/memories.ts";

useWorkspaces();
useMemories();

const names = fc.constantFrom("MEMORY.md", "memory/a.md", "memory/d/b.md", "notes.md", "memory/a.txt");
const operation = fc.record({
  who: fc.nat(11),
  what: fc.nat(5),
  one: names,
  other: names,
  same: fc.boolean(),
});

/** Of two tenants each: itself, two agents without a user, and two users of the first and one of the second. */
const PLACES = [
  [null, null],
  ["a", null],
  ["b", null],
  ["a", "ann"],
  ["a", "bob"],
  ["b", "ann"],
] as const;

/** Whose files a place reads, nearest first. */
function readersOf(at: number): number[] {
  const [agentId, userId] = PLACES[at] ?? [];
  const owners = [
    [agentId, userId],
    [agentId, null],
    [null, null],
  ];
  const found = owners.map(([agent, user]) => PLACES.findIndex((one) => one[0] === agent && one[1] === user));
  return [...new Set(found)];
}

test("[G5] whatever is written, moved and removed, a search finds what its asker reads, no more and no less", async () => {
  const keeper = new MemoryKeeper({ ...deps, report: (what, error) => expect([what, error]).toBeNull() });
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
      const tenants = [await newTenant(), await newTenant()];
      const askers = tenants.flatMap((tenantId) =>
        PLACES.map(([agentId, userId]) => askerOf(tenantId, agentId, userId)),
      );
      // By asker the documents that it has itself.
      const own = askers.map(() => new Map<string, string>());
      for (const [n, { who, what, one, other, same }] of operations.entries()) {
        const asker = askers[who] as FileAsker;
        const files_ = own[who] as Map<string, string>;
        const text = same ? "zebra of everybody" : `zebra of ${who} at ${n}`;
        const done = [
          () =>
            writeFile(files, asker, { path: one, content: bytesOf(text) }).then(() => files_.set(one, text)),
          () =>
            writeFile(files, asker, { path: one, content: bytesOf(text) }).then(() => files_.set(one, text)),
          () =>
            moveFile(files, asker, { from: one, to: other, overwrites: true }).then(() => {
              const moved = files_.get(one) ?? "";
              files_.delete(one);
              files_.set(other, moved);
            }),
          () => removeFile(files, asker, { path: one, isRecursive: false }).then(() => files_.delete(one)),
          () => keeper.keep(new AbortController().signal),
          () => sweepMemory(deps, new AbortController().signal),
        ][what]!;
        await done().catch((error: unknown) => expect(error).toBeInstanceOf(Fault));
      }
      for (const [at, asker] of askers.entries()) {
        const tenant = Math.floor(at / PLACES.length) * PLACES.length;
        const seen = new Map<string, string>();
        for (const reader of readersOf(at % PLACES.length).toReversed())
          for (const [path, text] of own[tenant + reader] ?? [])
            if (path.endsWith(".md") && path !== "notes.md") seen.set(path, text);
        const { results, notSearched } = await searchMemory(deps, asker, { query: "zebra", limit: 50 });
        expect(notSearched.pending).toBe(0);
        const texts = [...new Set(seen.values())];
        expect(results.map(({ text }) => text).toSorted()).toEqual(texts.toSorted());
        for (const { path, text } of results) expect(seen.get(path)).toBe(text);
      }
    }),
    { numRuns: isNightly ? 12 : 4 },
  );
});
