import { Fault } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  appendFile,
  editFile,
  globFiles,
  moveFile,
  readFile,
  removeFile,
  searchFiles,
  writeFile,
} from "../files.ts";
import {
  askerOf,
  bytesOf,
  database,
  deps,
  newTenant,
  pathsOf,
  read,
  useWorkspaces,
} from "./fixtures/workspaces.ts";

useWorkspaces();

const names = fc.constantFrom("a", "b", "d/a", "d/e/b", "SOUL.md", "memory/a.md", "d");
const operation = fc.record({ who: fc.nat(3), what: fc.nat(6), one: names, other: names });

test("[G5] whatever two users of two tenants do, none sees a byte of another's", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
      const tenants = [await newTenant(), await newTenant()];
      const askers = tenants.flatMap((tenantId) =>
        ["ann", "bob"].map((user) => askerOf(tenantId, "a", user)),
      );
      for (const [n, { who, what, one, other }] of operations.entries()) {
        const asker = askers[who]!;
        const content = bytesOf(`of ${who}, at ${n}\n`);
        const done = [
          () => writeFile(deps, asker, { path: one, content }),
          () => appendFile(deps, asker, { path: one, content }),
          () => editFile(deps, asker, { path: one, edits: [{ oldText: "at", newText: "AT" }] }),
          () => moveFile(deps, asker, { from: one, to: other, overwrites: n % 2 === 0 }),
          () => removeFile(deps, asker, { path: one, isRecursive: n % 2 === 0 }),
          () => readFile(deps, asker, { path: one }),
          () => searchFiles(deps, asker, { pattern: "of \\d" }),
        ][what]!;
        await done().catch((error: unknown) => expect(error).toBeInstanceOf(Fault));
      }
      for (const [who, asker] of askers.entries()) {
        const files = (await globFiles(deps, asker, { pattern: "**" })).files.map(({ path }) => path);
        expect(await pathsOf(asker)).toEqual(files);
        for (const path of files)
          expect(await read(asker, path)).toMatch(new RegExp(`^(of ${who}, (at|AT) \\d+\n)+$`));
        const { matches } = await searchFiles(deps, asker, { pattern: "of" });
        expect(matches.every(({ text }) => text.startsWith(`of ${who},`))).toBe(true);
      }
      for (const tenantId of tenants) {
        const found = await Promise.all(askers.filter((a) => a.workspace.tenantId === tenantId).map(pathsOf));
        expect((await database.files.usage(tenantId)).files).toBe(found.flat().length);
      }
    }),
    { numRuns: isNightly ? 12 : 4 },
  );
});
