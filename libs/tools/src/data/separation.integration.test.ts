import type { Json } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import { array, assert, asyncProperty, constantFrom, integer, oneof, record, constant } from "fast-check";
import { expect, test } from "vitest";
import {
  getDocument,
  incrementDocument,
  listCollections,
  putDocument,
  queryDocuments,
  removeDocument,
  type DataAsker,
} from "../data.ts";
import { askerOf, codeOf, deps, newTenant, useData } from "./fixtures/stores.ts";

useData();

interface Kept {
  value: Json;
  version: number;
}
/** What one asker has, by collection and id. */
type Model = Map<string, Kept>;

const operation = record({
  asker: integer({ min: 0, max: 5 }),
  collection: constantFrom("a", "b"),
  id: constantFrom("x", "y", "z"),
  what: oneof(
    record({
      kind: constant("put" as const),
      value: constantFrom<Json>(1, "t", { n: 2 }, null),
      ifVersion: constantFrom(undefined, 0, 1, 2),
    }),
    record({ kind: constant("increment" as const), by: integer({ min: -5, max: 5 }) }),
    record({ kind: constant("remove" as const), ifVersion: constantFrom(undefined, 1, 2) }),
    record({ kind: constant("look" as const) }),
  ),
});
type Operation = Parameters<Parameters<typeof operation.map>[0]>[0];

const conditionOf = (ifVersion: number | undefined) => {
  if (ifVersion === undefined) return {};
  return {
    condition: ifVersion === 0 ? { exists: false, versions: null } : { exists: null, versions: [ifVersion] },
  };
};

/** Does it, and what the model says of it. */
async function both(asker: DataAsker, model: Model, { collection, id, what }: Operation): Promise<void> {
  const at = `${collection}/${id}`;
  const former = model.get(at);
  const isMet = (ifVersion: number | undefined): boolean =>
    ifVersion === undefined || ifVersion === (former?.version ?? 0);
  const named = { collection, id };
  const next = (value: Json) => model.set(at, { value, version: (former?.version ?? 0) + 1 });
  switch (what.kind) {
    case "put": {
      const condition = conditionOf(what.ifVersion);
      const code = await codeOf(putDocument(deps, asker, { ...named, value: what.value, ...condition }));
      expect(code).toBe(isMet(what.ifVersion) ? "none" : "data.precondition_failed");
      if (code === "none") next(what.value);
      return;
    }
    case "increment": {
      const isNumber = former === undefined || typeof former.value === "number";
      const code = await codeOf(incrementDocument(deps, asker, { ...named, by: what.by }));
      expect(code).toBe(isNumber ? "none" : "data.not_a_number");
      if (isNumber) next(Number(former?.value ?? 0) + what.by);
      return;
    }
    case "remove": {
      const removed = removeDocument(deps, asker, { ...named, ...conditionOf(what.ifVersion) });
      if (isMet(what.ifVersion)) {
        expect(await removed).toBe(former !== undefined);
        model.delete(at);
      } else expect(await codeOf(removed)).toBe("data.precondition_failed");
      return;
    }
    default: {
      const found = await getDocument(deps, asker, named);
      expect(found && { value: found.value, version: found.version }).toEqual(former ?? null);
    }
  }
}

test("[G5] whatever tenants, agents and users do with the same names, each has what it would have alone", async () => {
  await assert(
    asyncProperty(array(operation, { minLength: 5, maxLength: 40 }), async (operations) => {
      const [one, two] = [await newTenant(), await newTenant()];
      const askers = [one, two].flatMap((tenant) => [
        askerOf(tenant, "bot", "ann"),
        askerOf(tenant, "bot", "bob"),
        askerOf(tenant, null, "ann"),
      ]);
      const models = askers.map((): Model => new Map());
      for (const done of operations)
        await both(askers[done.asker] as DataAsker, models[done.asker] as Model, done);
      for (const [n, asker] of askers.entries()) {
        const model = models[n] as Model;
        const found = new Map<string, Kept>();
        for (const collection of ["a", "b"]) {
          const { documents } = await queryDocuments(deps, asker, { collection, limit: 50 });
          for (const { id, value, version } of documents)
            found.set(`${collection}/${id}`, { value, version });
        }
        expect(found).toEqual(model);
        const { collections } = await listCollections(deps, asker, { everywhere: false, limit: 10 });
        expect(collections.reduce((sum, { documents }) => sum + documents, 0)).toBe(model.size);
      }
      for (const [tenant, some] of [
        [one, models.slice(0, 3)],
        [two, models.slice(3)],
      ] as const)
        expect((await deps.data.usage(tenant)).documents).toBe(some.reduce((sum, { size }) => sum + size, 0));
    }),
    { numRuns: isNightly ? 25 : 4 },
  );
});
