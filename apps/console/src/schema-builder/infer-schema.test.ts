import * as fc from "fast-check";
import { expect, test } from "vitest";
import { inferSchema } from "./infer-schema.ts";

test.each([
  ["2026-02-28", "date"],
  ["2026-02-30", undefined],
  ["2026-02-28T10:00:00Z", "date-time"],
  ["2026-02-28T10:00:00.5+02:00", "date-time"],
  ["2026-02-28 10:00", undefined],
  ["a.b+c@example.co.uk", "email"],
  ["a@b", undefined],
  ["https://example.com/a?b=1", "uri"],
  ["https://", undefined],
  ["mailto:a@example.com", undefined],
  ["0f8fad5b-d9cb-469f-a165-70867728950e", "uuid"],
  ["", undefined],
])("%j has the format %s", (text, format) => expect(inferSchema([text])["format"]).toBe(format));

test("a text has a format only where all are of it", () => {
  expect(inferSchema(["2026-02-28", "tomorrow"])).toEqual({ type: "string" });
});

test("objects in lists are one schema, of which what all have is required", () => {
  const sample = {
    rows: [
      { id: 1, note: null },
      { id: 2.5, note: "n" },
      { id: 3, note: "m", tags: [] },
    ],
  };
  expect(inferSchema([sample])).toEqual({
    type: "object",
    properties: {
      rows: {
        type: "array",
        items: {
          type: "object",
          properties: {
            id: { type: "number" },
            note: { type: ["string", "null"] },
            tags: { type: "array" },
          },
          required: ["id", "note"],
        },
      },
    },
    required: ["rows"],
  });
});

test("what says too little, or differs, may be anything", () => {
  expect(inferSchema([null])).toEqual({});
  expect(inferSchema([1, "a"])).toEqual({});
  expect(inferSchema([[1, "a"]])).toEqual({ type: "array", items: {} });
});

test("any JSON has a schema, however deep", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (samples) => {
      inferSchema(samples);
    }),
    { numRuns: 100 },
  );
  let deep: unknown = {};
  for (let level = 0; level < 1_000; level += 1) deep = level % 2 === 0 ? [deep] : { deep };
  expect(JSON.stringify(inferSchema([deep])).length).toBeLessThan(1_000);
  const proto: unknown = JSON.parse('{"__proto__":1}');
  expect(Object.keys(inferSchema([proto])["properties"] as object)).toEqual(["__proto__"]);
});
