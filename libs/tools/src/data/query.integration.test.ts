import { type DataDocument, type Json, type JsonObject } from "@bulkhead/core";
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  record,
  tuple,
} from "fast-check";
import { isNightly } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { countDocuments, putDocument, queryDocuments } from "../data.ts";
import { askerOf, codeOf, deps, newTenant, useData } from "./fixtures/stores.ts";

useData();

const c = "things";
const filled = async (values: readonly Json[]) => {
  const asker = askerOf(await newTenant());
  for (const [n, value] of values.entries())
    await putDocument(deps, asker, { collection: c, id: `d${n}`, value });
  return asker;
};
type Asker = Awaited<ReturnType<typeof filled>>;
async function allOf(
  asker: Asker,
  asked: { where?: JsonObject; orderBy?: string },
  limit = 3,
): Promise<string[]> {
  const found: DataDocument[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Awaited<ReturnType<typeof queryDocuments>> = await queryDocuments(deps, asker, {
      collection: c,
      ...asked,
      limit,
      ...(cursor !== "" && { cursor }),
    });
    found.push(...page.documents);
    cursor = page.nextCursor;
  }
  return found.map(({ id }) => id);
}

test("each operator finds what it says, and no value of another kind", async () => {
  const asker = await filled([
    { n: 1, s: "b", tags: ["x", "y"], deep: { a: { b: true } } },
    { n: 2.5, s: "a", tags: ["y"], nil: null },
    { n: "2", s: 1, tags: "x" },
    { n: null, list: [1, { k: 2 }] },
    7,
  ]);
  for (const [where, ids] of [
    [{ n: 1 }, ["d0"]],
    [{ n: 1.0, s: "b" }, ["d0"]],
    [{ n: "2" }, ["d2"]],
    [{ "deep.a.b": true }, ["d0"]],
    [{ deep: { eq: { a: { b: true } } } }, ["d0"]],
    [{ deep: { eq: { a: {} } } }, []],
    [{ tags: ["y"] }, ["d1"]],
    [{ n: null }, ["d3"]],
    [{ n: { ne: 1 } }, ["d1", "d2", "d3", "d4"]],
    [{ n: { in: [1, "2"] } }, ["d0", "d2"]],
    [{ n: { in: [] } }, []],
    [{ n: { gt: 1 } }, ["d1"]],
    [{ n: { gte: 1, lt: 2.5 } }, ["d0"]],
    [{ n: { lte: 100 } }, ["d0", "d1"]],
    [{ s: { gte: "a" } }, ["d0", "d1"]],
    [{ s: { lt: "b" } }, ["d1"]],
    [{ tags: { contains: "x" } }, ["d0"]],
    [{ list: { contains: 1 } }, ["d3"]],
    [{ s: { startsWith: "b" } }, ["d0"]],
    [{ nil: { exists: true } }, ["d1"]],
    [{ nil: { exists: false } }, ["d0", "d2", "d3", "d4"]],
    [{ "tags.0": { exists: true } }, []],
    [{ $id: { in: ["d1", "d9"] } }, ["d1"]],
    [{ $id: { gt: "d2" } }, ["d3", "d4"]],
    [{ $id: { startsWith: "d" }, n: 1 }, ["d0"]],
    [{ $createdAt: { gte: "2026-01-01T00:00:00Z" } }, ["d0", "d1", "d2", "d3", "d4"]],
    [{ $updatedAt: { lt: "2026-01-01T00:00:00+02:00" } }, []],
  ] as [JsonObject, string[]][]) {
    expect(await allOf(asker, { where }), JSON.stringify(where)).toEqual(ids);
    expect(await countDocuments(deps, asker, { collection: c, where })).toBe(ids.length);
  }
});

test.each([
  [{ where: { a: {} } }, "where.a"],
  [{ where: { a: { like: "x" } } }, "where.a.like"],
  [{ where: { a: { in: 1 } } }, "where.a.in"],
  [{ where: { a: { in: [{}] } } }, "where.a.in"],
  [{ where: { a: { gt: null } } }, "where.a.gt"],
  [{ where: { a: { gt: [] } } }, "where.a.gt"],
  [{ where: { a: { contains: {} } } }, "where.a.contains"],
  [{ where: { a: { exists: "yes" } } }, "where.a.exists"],
  [{ where: { a: { startsWith: 1 } } }, "where.a.startsWith"],
  [{ where: { a: "x".repeat(1_025) } }, "where.a.eq"],
  [{ where: { a: "\0" } }, "where.a.eq"],
  [{ where: { $id: 1 } }, "where.$id.eq"],
  [{ where: { $id: { in: [1] } } }, "where.$id.in"],
  [{ where: { $version: 1 } }, "where.$version"],
  [{ where: { $createdAt: "2026-01-01T00:00:00Z" } }, "where.$createdAt.eq"],
  [{ where: { $createdAt: { gt: "yesterday" } } }, "where.$createdAt.gt"],
  [{ where: { "a..b": 1 } }, "where.a..b"],
  [{ where: { "": 1 } }, "where."],
  [{ where: { [`a${".a".repeat(8)}`]: 1 } }, `where.a${".a".repeat(8)}`],
  [{ where: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`a${n}`, 1])) }, "where"],
  [{ orderBy: "-" }, "orderBy"],
  [{ orderBy: "a\0" }, "orderBy"],
] as [object, string][])("%j is refused by the name of what is wrong", async (asked, path) => {
  const asker = askerOf(await newTenant());
  await expect(queryDocuments(deps, asker, { collection: c, limit: 1, ...asked })).rejects.toMatchObject({
    code: "data.query_invalid",
    errors: [{ path }],
  });
});

test("a cursor of another order, or of nobody, is refused", async () => {
  const asker = await filled([{ a: 1 }, { a: 2 }]);
  const { nextCursor } = await queryDocuments(deps, asker, { collection: c, limit: 1, orderBy: "a" });
  const from = (cursor: string, orderBy?: string) =>
    codeOf(queryDocuments(deps, asker, { collection: c, limit: 1, cursor, ...(orderBy && { orderBy }) }));
  expect(await from(nextCursor ?? "", "a")).toBe("none");
  const pack = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url");
  for (const cursor of [
    nextCursor ?? "",
    "x",
    "",
    pack([]),
    pack(["", 0, "1; DROP", "", "a"]),
    pack(["", 9, "1", "", "a"]),
    pack(["", 0, "1", "\0", "a"]),
  ])
    expect(await from(cursor), cursor).toBe("request.invalid");
});

test("a page ends where its documents have a MiB, and the next goes on", async () => {
  const asker = askerOf(await newTenant({ maxDocumentBytes: 131_072 }));
  for (let n = 0; n < 10; n += 1)
    await putDocument(deps, asker, { collection: c, id: `d${n}`, value: "x".repeat(130_000) });
  const { documents, nextCursor } = await queryDocuments(deps, asker, { collection: c, limit: 50 });
  expect([documents.length, nextCursor]).toEqual([8, expect.any(String)]);
  expect(await allOf(asker, {}, 50)).toHaveLength(10);
});

const scalar = oneof(
  integer({ min: -3, max: 3 }),
  constantFrom("", "a", "b", "ab", "é", "z", "1"),
  boolean(),
  constant(null),
);
const document = oneof(
  {
    weight: 4,
    arbitrary: record(
      { a: scalar, b: record({ c: scalar }), t: array(scalar, { maxLength: 2 }) },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: scalar },
);
const at = (value: unknown, path: string): unknown => {
  let inner = value;
  for (const name of path.split("."))
    inner =
      typeof inner === "object" && inner !== null && !Array.isArray(inner) && Object.hasOwn(inner, name)
        ? (inner as Record<string, unknown>)[name]
        : undefined;
  return inner;
};
/** By truth values, numbers, texts, all else, as the order says. */
function compare(one: unknown, other: unknown): number {
  const rank = (value: unknown): number => {
    const known = ["boolean", "number", "string"].indexOf(typeof value);
    return known < 0 ? 3 : known;
  };
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  if (rank(one) < 2) return Number(one) - Number(other);
  return rank(one) === 2 ? Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other))) : 0;
}
function holds(value: unknown, op: string, asked: unknown): boolean {
  const isSame = JSON.stringify(value) === JSON.stringify(asked);
  if (op === "eq") return value !== undefined && isSame;
  if (op === "ne") return !isSame;
  if (op === "contains") return Array.isArray(value) && value.includes(asked);
  if (typeof value !== typeof asked || (typeof value !== "number" && typeof value !== "string")) return false;
  const sign = compare(value, asked);
  return { gt: sign > 0, gte: sign >= 0, lt: sign < 0, lte: sign <= 0 }[op] ?? false;
}
const condition = tuple(
  constantFrom("a", "b.c", "t", "none"),
  oneof(
    tuple(constantFrom("eq", "ne", "contains"), scalar),
    tuple(
      constantFrom("gt", "gte", "lt", "lte"),
      oneof(integer({ min: -3, max: 3 }), constantFrom("a", "b", "é")),
    ),
  ),
);

test("whatever is asked, page by page the same is found as by looking at each", async () => {
  await assert(
    asyncProperty(
      array(document, { maxLength: 8 }),
      array(condition, { maxLength: 2 }),
      constantFrom("", "a", "-a", "b.c", "-b.c", "t", "$createdAt", "-$id"),
      integer({ min: 1, max: 4 }),
      async (values, conditions, orderBy, limit) => {
        const asker = await filled(values);
        const where: JsonObject = {};
        for (const [field, [op, asked]] of conditions)
          where[field] = { ...(where[field] as JsonObject), [op]: asked };
        const path = orderBy.replace("-", "");
        const way = orderBy.startsWith("-") ? -1 : 1;
        const expected = values
          .map((value, n) => ({ id: `d${n}`, value }))
          .filter(({ value }) =>
            Object.entries(where).every(([field, ops]) =>
              Object.entries(ops as JsonObject).every(([op, asked]) => holds(at(value, field), op, asked)),
            ),
          )
          .toSorted((one, other) => {
            const sign =
              path === "" || path.startsWith("$") ? 0 : compare(at(one.value, path), at(other.value, path));
            return way * (sign || (one.id < other.id ? -1 : 1));
          });
        const asked = { where, ...(orderBy !== "" && { orderBy }) };
        expect(await allOf(asker, asked, limit)).toEqual(expected.map(({ id }) => id));
      },
    ),
    { numRuns: isNightly ? 60 : 10 },
  );
});
