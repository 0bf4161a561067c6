import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json/json.ts";
import type { Dialect } from "./dialect.ts";
import { type ReferenceKeyword, SchemaReferences } from "./schema-references.ts";

/** The target of the root's reference, as a pointer, or why it has none. */
function leadOf(
  schema: JsonObject,
  ref: string,
  dialect: Dialect = "2020-12",
  keyword: ReferenceKeyword = "$ref",
): string {
  const references = new SchemaReferences(schema, dialect);
  const lead = references.lead(ref, references.root, keyword);
  return lead.outcome === "found" ? `/${lead.node.steps.join("/")}` : lead.outcome;
}

const BUNDLE: JsonObject = {
  $id: "https://example.com/a/root",
  $anchor: "top",
  $defs: {
    near: { $id: "near", $anchor: "here", $defs: { deep: { $id: "/far", $defs: { x: {} } } } },
    urn: { $id: "urn:example:one", $defs: { y: true } },
  },
  enum: [{ $id: "value", $anchor: "value" }],
  "x-other": { $id: "unknown", list: [{}, {}] },
};

describe("a reference leads", () => {
  test.each<[string, string]>([
    ["", "/"],
    ["#", "/"],
    ["#top", "/"],
    ["root", "/"],
    ["https://example.com/a/root", "/"],
    ["HTTPS://EXAMPLE.com/a/./root#top", "/"],
    ["near", "/$defs/near"],
    ["near#here", "/$defs/near"],
    ["near#/$defs/deep", "/$defs/near/$defs/deep"],
    ["/far#/$defs/x", "/$defs/near/$defs/deep/$defs/x"],
    ["#/$defs/near/$defs/deep", "/$defs/near/$defs/deep"],
    ["urn:example:one", "/$defs/urn"],
    ["urn:example:one#/$defs/y", "/$defs/urn/$defs/y"],
    ["#/x-other/list/1", "/x-other/list/1"],
    ["#here", "nothing"],
    ["#/$defs/none", "nothing"],
    ["#/x-other/list/01", "nothing"],
    ["#/$id", "nothing"],
    ["#/constructor", "nothing"],
    ["near#top", "nothing"],
    ["value", "elsewhere"],
    ["unknown", "elsewhere"],
    ["https://example.com/near", "elsewhere"],
    ["//other/near", "elsewhere"],
    ["http://[", "elsewhere"],
  ])("%s → %s", (ref, place) => expect(leadOf(BUNDLE, ref)).toBe(place));
});

test("draft 7 takes an $id that is a fragment for an anchor, and none beside a reference", () => {
  const schema = {
    definitions: { a: { $id: "#a" }, b: { $id: "b", $ref: "#a" }, c: { $anchor: "c" } },
  };
  expect(["#a", "b", "#c"].map((ref) => leadOf(schema, ref, "draft-07"))).toEqual([
    "/definitions/a",
    "elsewhere",
    "nothing",
  ]);
});

test("a dynamic reference leads to the one place of its name, or changes where documents share it", () => {
  const one = { $defs: { a: { $dynamicAnchor: "t" } } };
  const two = { $dynamicAnchor: "t", $defs: { a: { $id: "a", $dynamicAnchor: "t" } } };
  const plain = { $anchor: "t", $defs: { a: { $id: "a", $dynamicAnchor: "t" } } };
  const leads = [one, two, plain].map((schema) => leadOf(schema, "#t", "2020-12", "$dynamicRef"));
  expect(leads).toEqual(["/$defs/a", "changing", "/"]);
  const nested = { $recursiveAnchor: true, $defs: { a: { $id: "a", $recursiveAnchor: true } } };
  expect(leadOf(nested, "#", "2019-09", "$recursiveRef")).toBe("changing");
  expect(leadOf({ $recursiveAnchor: true }, "#", "2019-09", "$recursiveRef")).toBe("/");
});

test("names that parts share which are not alike are told, at most as many as are looked at", () => {
  const parts = Array.from({ length: 100 }, (_, n) => ({ $id: "same", const: n }));
  expect(new SchemaReferences({ allOf: parts }).ambiguous).toHaveLength(20);
  expect(new SchemaReferences({ allOf: [parts[0] ?? {}, { ...parts[0] }] }).ambiguous).toEqual([]);
});

test("what a schema's references stand for is read where it stands", () => {
  const inner = { $ref: "#/$defs/x" };
  const schema = { $defs: { x: false, b: { $id: "b", items: inner, $defs: { x: { type: "null" } } } } };
  const references = new SchemaReferences(schema);
  expect(references.followed(inner)).toEqual([{ type: "null" }]);
  expect(references.followed({ ...inner })).toEqual([false]);
});

test("a name longer than any that is in use names nothing, so that many parts in one document cost little", () => {
  const long = `https://example.com/${"a".repeat(480)}`;
  expect(leadOf({ $id: long }, long)).toBe("/");
  expect(leadOf({ $id: `${long}a` }, `${long}a`)).toBe("elsewhere");
  expect(leadOf({ $id: long, $defs: { b: { $id: "#".repeat(501) } } }, "#/$defs/b")).toBe("/$defs/b");
  // Each of its characters takes six where it is written out.
  const base = `https://example.com/${"é".repeat(100)}`;
  expect(leadOf({ $id: base }, base)).toBe("elsewhere");
});

test("a long name with many parts below it costs little more than its own length", () => {
  const parts = Array.from({ length: 900 }, () => ({}));
  const schema = { properties: { ["~".repeat(30_000)]: { anyOf: parts } } };
  // Written out for each part, it took seconds each time.
  for (let times = 0; times < 5; times += 1)
    expect([...new SchemaReferences(schema).nodes]).toHaveLength(902);
});

test("what lies deeper than a tool's schema can is not looked at", () => {
  let deep: JsonObject = { $anchor: "deepest" };
  for (let level = 0; level < 5_000; level += 1) deep = { properties: { a: deep } };
  const references = new SchemaReferences(deep);
  expect([...references.nodes].length).toBeLessThan(40);
  const pointer = `#${"/properties/a".repeat(5_000)}`;
  expect(references.lead("#deepest", references.root)).toEqual({ outcome: "nothing" });
  expect(references.lead(pointer, references.root)).toEqual({ outcome: "nothing" });
});
