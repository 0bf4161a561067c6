import { assert, jsonValue, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json/json.ts";
import { DataQueryError, parseDataOrder, parseDataWhere } from "./data-query.ts";
import { sharedPlace, whyNoDocumentId, whyNotKept } from "./document.ts";

describe("a question", () => {
  test("is read into conditions that all have to hold", () => {
    expect(parseDataWhere({ "a.b": 1, tags: ["x"], n: { gte: 1, lt: 5 }, $id: { in: ["x"] } })).toEqual([
      { field: { kind: "value", path: ["a", "b"] }, op: "eq", value: 1 },
      { field: { kind: "value", path: ["tags"] }, op: "eq", value: ["x"] },
      { field: { kind: "value", path: ["n"] }, op: "gte", value: 1 },
      { field: { kind: "value", path: ["n"] }, op: "lt", value: 5 },
      { field: { kind: "id" }, op: "in", values: ["x"] },
    ]);
    expect(parseDataOrder("-a.b")).toEqual({
      field: { kind: "value", path: ["a", "b"] },
      isDescending: true,
    });
  });

  test("takes a time in any zone, and tells it in one", () => {
    expect(parseDataWhere({ $createdAt: { gte: "2026-01-01T02:00:00+02:00" } })).toMatchObject([
      { op: "gte", value: "2026-01-01T00:00:00.000Z" },
    ]);
  });

  test("takes no time that PostgreSQL writes otherwise", () => {
    for (const value of ["0000-01-01T00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59.999-00:01"])
      expect(() => parseDataWhere({ $updatedAt: { lt: value } })).toThrow(/years 1 to 9999/);
    for (const value of ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"])
      expect(parseDataWhere({ $updatedAt: { lt: value } })).toHaveLength(1);
  });

  test("is refused where no document could hold what it asks for", () => {
    const nested = JSON.parse(`${"[".repeat(2_000)}1${"]".repeat(2_000)}`);
    for (const value of [
      nested,
      JSON.parse("1e400"),
      "\0",
      ["\ud800"],
      "x".repeat(1_025),
      ["x".repeat(1_025)],
    ])
      expect(() => parseDataWhere({ a: { eq: value } })).toThrow(DataQueryError);
    expect(() => parseDataWhere({ a: { gt: JSON.parse("1e400") } })).toThrow(DataQueryError);
  });

  test("whatever it is, is read or refused by the path of what is wrong", () => {
    assert(
      property(string(), jsonValue(), string(), (name, value, order) => {
        for (const read of [
          () => parseDataWhere({ [name]: value } as JsonObject),
          () => parseDataOrder(order),
        ])
          try {
            read();
          } catch (error) {
            expect(error).toBeInstanceOf(DataQueryError);
            expect((error as DataQueryError).path).toMatch(/^(where|orderBy)/);
          }
      }),
    );
  });
});

test("what PostgreSQL can't hold, or what nests too deep, is not kept", () => {
  expect(whyNotKept({ a: [1, "x", null, true] })).toBeNull();
  expect(whyNotKept({ "a\0": 1 })).toMatch(/NUL/);
  expect(whyNotKept(["\ud800"])).toMatch(/surrogates/);
  let deep: JsonObject = {};
  for (let depth = 1; depth < 64; depth += 1) deep = { deep };
  expect([whyNotKept(deep), whyNotKept({ deep })]).toEqual([null, "must not nest deeper than 64 levels"]);
  expect([whyNoDocumentId("é".repeat(256)), whyNoDocumentId("é".repeat(257))]).toEqual([
    null,
    "must have 512 bytes at most",
  ]);
});

test("a collection is its caller's own unless the settings say otherwise, whatever it is called", () => {
  const workspace = { tenantId: "ten_1", agentId: "bot", userId: "ann" };
  const settings = { shared: { team: "agent", all: "tenant" } } as const;
  const place = (collection: string) => sharedPlace(settings, { workspace, collection }).workspace;
  expect([place("own"), place("toString"), place("team"), place("all")]).toEqual([
    workspace,
    workspace,
    { ...workspace, userId: null },
    { tenantId: "ten_1", agentId: null, userId: null },
  ]);
});
