import { MCP_DESCRIPTION_CHARS_MAX, MCP_SERVER_TOOLS_MAX } from "@bulkhead/core";
import { describe, expect, it, test } from "vitest";
import { toolNamed } from "./fixtures/scripted-launcher.ts";
import { Offers } from "./take-offers.ts";

const take = (...listed: unknown[]): Offers => {
  const offers = new Offers();
  offers.add(listed);
  return offers;
};
const nested = (levels: number): object => (levels === 0 ? {} : { not: nested(levels - 1) });
/** Behind eight characters that are the same, so that 9,000 of them are more than 64 KiB. */
const manyNames = (count: number): object => ({
  properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [`property${n}`, true])),
});

describe("a tool", () => {
  it("is taken with what the protocol says of it, and nothing else", () => {
    const outputSchema = { type: "object" };
    const annotations = { title: "Older title", readOnlyHint: true, destructiveHint: "no", other: 1 };
    const { taken } = take(toolNamed("get-sum", { outputSchema, annotations, _meta: { secret: 1 } }));
    expect(taken).toEqual([
      {
        name: "get-sum",
        title: "Older title",
        description: "Does get-sum",
        inputSchema: { type: "object", properties: { text: { type: "string" } } },
        outputSchema,
        annotations: { readOnlyHint: true },
      },
    ]);
  });

  it("says no more than so much, and nothing that can't be stored", () => {
    const [offer] = take(toolNamed("a", { description: `\0${"😀".repeat(4_000)}`, title: "\ud800" })).taken;
    expect(offer?.description.length).toBeLessThanOrEqual(MCP_DESCRIPTION_CHARS_MAX);
    expect(offer?.description.isWellFormed()).toBe(true);
    expect(offer?.title).toBe("\ufffd");
    expect(take({ name: "b", inputSchema: { type: "object" } }).taken[0]).toMatchObject({
      description: "",
      title: null,
      annotations: null,
    });
  });

  it.each<[string, unknown]>([
    ["is no object", "tool"],
    ["has no name", { inputSchema: { type: "object" } }],
    ["has a name with a line break", toolNamed("a\nb")],
    ["has a long name", toolNamed("a".repeat(129))],
    ["has no schema", { name: "a" }],
    ["has a schema of another type", toolNamed("a", { inputSchema: { type: "string" } })],
    ["has a list as its schema", toolNamed("a", { inputSchema: [] })],
    ["has a deep schema", toolNamed("a", { inputSchema: { type: "object", ...nested(40) } })],
    ["has a very deep schema", toolNamed("a", { inputSchema: { type: "object", ...nested(5_000) } })],
    ["has a large schema", toolNamed("a", { inputSchema: { type: "object", title: "x".repeat(70_000) } })],
    ["has a schema of many names", toolNamed("a", { inputSchema: { type: "object", ...manyNames(10_001) } })],
    ["has a schema of long names", toolNamed("a", { inputSchema: { type: "object", ...manyNames(9_000) } })],
    ["has a zero in its schema", toolNamed("a", { inputSchema: { type: "object", title: "\0" } })],
    ["has half a character in its schema", toolNamed("a", { outputSchema: { title: "\udc00" } })],
  ])("that %s is left out, and the others are not", (_, listed) => {
    const offers = take(toolNamed("first"), listed, toolNamed("last"));
    expect(offers.taken.map(({ name }) => name)).toEqual(["first", "last"]);
    expect(offers.leftOut.size).toBe(1);
  });

  it("says of which bound its schema is beyond", () => {
    const faultOf = (inputSchema: object) => [...take(toolNamed("a", { inputSchema })).leftOut.values()];
    const many = { type: "object", required: Array.from({ length: 10_000 }, () => 1) };
    expect(faultOf(many)).toEqual(["its inputSchema has more than 10000 values"]);
    expect(faultOf({ type: "object", ...manyNames(9_000) })).toEqual([
      "its inputSchema is larger than 65536 bytes",
    ]);
    expect(faultOf({ type: "object", ...manyNames(3_000) })).toEqual([]);
  });

  it("that is listed twice is the first one", () => {
    const offers = take(toolNamed("a", { description: "first" }), toolNamed("a", { description: "second" }));
    expect(offers.taken.map(({ description }) => description)).toEqual(["first"]);
    expect([...offers.leftOut]).toEqual([["a", "it is listed twice"]]);
  });

  it("whose schema writes of such characters is taken", () => {
    const inputSchema = { type: "object", description: String.raw`as \u0000 or \ud800` };
    expect(take(toolNamed("a", { inputSchema })).taken).toHaveLength(1);
  });
});

test("of a long list so many are taken, in its own order", () => {
  const offers = new Offers();
  const page = (from: number) => Array.from({ length: 300 }, (_, at) => toolNamed(`t${from + at}`));
  expect([offers.add(page(0)), offers.add(page(300))]).toEqual([true, false]);
  expect(offers.taken).toHaveLength(MCP_SERVER_TOOLS_MAX);
  expect(offers.taken.at(-1)?.name).toBe("t499");
  expect([...offers.leftOut.keys()]).toEqual(["t500"]);
});

test("of a large list so many bytes are taken", () => {
  const inputSchema = { type: "object", title: "x".repeat(60_000) };
  const offers = new Offers();
  expect(offers.add(Array.from({ length: 100 }, (_, at) => toolNamed(`t${at}`, { inputSchema })))).toBe(
    false,
  );
  expect(offers.taken).toHaveLength(69);
});
