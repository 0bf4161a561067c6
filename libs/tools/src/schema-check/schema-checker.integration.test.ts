import { setImmediate, setTimeout as delay } from "node:timers/promises";
import { type Json, type JsonObject, type SchemaChecker, Fault } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { THREAD_QUEUE_MAX } from "./bounds.ts";
import { openSchemaChecker } from "./schema-checker.ts";

const TENANT = "ten_1";
const open: SchemaChecker[] = [];
function openChecker(options: Parameters<typeof openSchemaChecker>[0] = {}): SchemaChecker {
  const checker = openSchemaChecker(options);
  open.push(checker);
  return checker;
}
/** Asks again while the answer is to come again: on a busy machine a thread's start may take longer than a check may wait. */
const served = <T>(check: () => Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 20_000, interval: 20 });
const isServed = (checker: SchemaChecker): Promise<unknown> =>
  served(() => checker.checkArguments(TENANT, "next", object({ a: { pattern: "^x$" } }), { a: "x" }));
/** With a thread that is there. */
async function openReadyChecker(options: Parameters<typeof openSchemaChecker>[0]): Promise<SchemaChecker> {
  const checker = openChecker(options);
  await isServed(checker);
  return checker;
}
afterEach(() => Promise.all(open.splice(0).map((checker) => checker.close())));

const list = (length: number, make: (index: number) => Json): Json[] =>
  Array.from({ length }, (_, index) => make(index));
const named = (length: number, make: (index: number) => Json): JsonObject =>
  Object.fromEntries(list(length, make).map((value, index) => [`p${index}`, value]));
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});

/** Doubles at each of 60 steps: 2^60 checks. */
const tower: JsonObject = {
  type: "object",
  $ref: "#/$defs/p0",
  $defs: named(61, (index) => {
    const next = { $ref: `#/$defs/p${index + 1}` };
    return index === 60 ? {} : { allOf: [next, next] };
  }),
};

describe("what isn't linear by construction is checked in a thread, with the same answers", () => {
  let checker: SchemaChecker;
  beforeAll(() => {
    // Time is not what is tested here, and the machine may be busy.
    checker = openSchemaChecker({ threadMsMax: 10_000 });
  });
  afterAll(() => checker.close());

  it.each<[string, JsonObject, JsonObject, string[]]>([
    ["a pattern that matches", object({ a: { pattern: "^[0-9]+$" } }), { a: "12" }, []],
    ["a pattern that doesn't", object({ a: { pattern: "^[0-9]+$" } }), { a: "x" }, ["arguments.a"]],
    [
      "names by pattern",
      { type: "object", patternProperties: { "^x-": { type: "string" } } },
      { "x-a": 1 },
      ["arguments.x-a"],
    ],
    [
      "a reference",
      object({ a: { $ref: "#/$defs/n" } }, { $defs: { n: { type: "number" } } }),
      { a: "x" },
      ["arguments.a"],
    ],
    [
      "a recursive type",
      object({ next: { $ref: "#" } }, { required: ["v"] }),
      { v: 1, next: {} },
      ["arguments.next.v"],
    ],
    [
      "a reference by own name",
      { $id: "https://x.test/s", ...object({ next: { $ref: "#" } }) },
      { next: 1 },
      ["arguments.next"],
    ],
    [
      "draft 7, where the neighbours of a reference are nothing",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        ...object({ a: { $ref: "#/definitions/n", maximum: 1 } }, { definitions: { n: { minimum: 0 } } }),
      },
      { a: 2 },
      [],
    ],
    [
      "an anchor",
      object({ a: { $ref: "#n" } }, { $defs: { n: { $anchor: "n", type: "number" } } }),
      { a: "x" },
      ["arguments.a"],
    ],
    ["unique items", object({ a: { uniqueItems: true } }), { a: [{ b: 1 }, { b: 1 }] }, ["arguments.a"]],
    ["a large schema", object(named(400, () => ({ type: "string" }))), { p7: 1 }, ["arguments.p7"]],
    [
      "a large value",
      object({ a: { items: { type: "number" } } }),
      { a: [...list(300_000, (i) => i), "x"] },
      ["arguments.a.300000"],
    ],
  ])("%s", async (name, schema, value, paths) => {
    expect((await checker.checkSchema(TENANT, schema, "parameters")).faults).toEqual([]);
    const faults = await checker.checkArguments(TENANT, name, schema, value);
    expect(faults.map(({ path }) => path)).toEqual(paths);
  });

  it.each<[string, JsonObject, string, RegExp]>([
    [
      "a name pattern with lookahead that may stand anywhere",
      object({ a: { patternProperties: { "(?=x)": {} } } }),
      "parameters.properties.a.patternProperties.(?=x)",
      /linear time/,
    ],
    [
      "a name pattern with a back-reference",
      { type: "object", patternProperties: { "(a)\\1": {} } },
      "parameters.patternProperties.(a)\\1",
      /linear time/,
    ],
    ["a broken pattern", object({ a: { pattern: "(" } }), "parameters.properties.a.pattern", /not a regular/],
    [
      "a reference to nothing",
      object({ a: { $ref: "#/$defs/no" } }),
      "parameters.properties.a.$ref",
      /points at nothing/,
    ],
  ])("a schema's fault has a path there too: %s", async (_, schema, path, message) => {
    const { faults } = await checker.checkSchema(TENANT, schema, "parameters");
    expect(faults[0]).toEqual({ path, message: expect.stringMatching(message) });
  });
});

const ENDLESS = /takes too long/;

const AT_NIGHT: [string, JsonObject, JsonObject, RegExp | null][] = isNightly
  ? [
      [
        "unique items among many objects",
        object({ a: { uniqueItems: true } }),
        { a: list(150_000, (i) => ({ i })) },
        ENDLESS,
      ],
      [
        "a dynamic reference to itself",
        { type: "object", $dynamicAnchor: "x", allOf: [{ $dynamicRef: "#x" }] },
        {},
        /without end/,
      ],
      ["a hundred patterns", object(named(100, (index) => ({ pattern: `a{900}${index}` }))), {}, null],
    ]
  : [];

describe("a hostile schema gets an answer, and the next check is served", () => {
  it.each<[string, JsonObject, JsonObject, RegExp | null]>([
    [
      "nested repetitions",
      object({ a: { pattern: "^(a+)+$" } }),
      { a: `${"a".repeat(50_000)}!` },
      /must match pattern/,
    ],
    ["a tower of references", tower, {}, ENDLESS],
    ["a reference to itself", { type: "object", $ref: "#" }, {}, /without end/],
    ...AT_NIGHT,
  ])("%s", async (name, schema, value, message) => {
    // What computes until its thread is ended takes all that it has; what ends has time to, on a busy machine, too.
    const checker = await openReadyChecker({ threadMsMax: message === ENDLESS ? 1_000 : 4_000 });
    await checker.checkSchema(TENANT, schema, "parameters");
    const faults = await checker.checkArguments(TENANT, name, schema, value);
    if (message)
      expect(faults[0]).toEqual({ path: expect.any(String), message: expect.stringMatching(message) });
    else expect(faults).toEqual([]);
    expect(await isServed(checker)).toEqual([]);
  });

  it("the caller's own thread stays free meanwhile", async () => {
    const checker = await openReadyChecker({ threadsMax: 1, threadMsMax: 60_000 });
    const checked = checker.checkArguments(TENANT, "tower", tower, {}).catch((error: unknown) => error);
    for (let turns = 0; turns < 10; turns += 1) await delay(1);
    await checker.close();
    // Only its closing has ended it.
    expect(await checked).toBeInstanceOf(Fault);
  });
});

describe("waiting is bounded", () => {
  it("more checks than may wait are told to come again", async () => {
    const checker = await openReadyChecker({ threadsMax: 1 });
    const one = (index: number) =>
      checker
        .checkArguments(TENANT, "p", object({ a: { pattern: "^x$" } }), { a: "x", index })
        .catch((error: unknown) => error);
    const told: unknown[] = [];
    const answers = Array.from({ length: 1 + THREAD_QUEUE_MAX.ofTenant + 5 }, (_, index) => one(index));
    for (const answer of answers) void answer.then((said) => told.push(said));
    // A check that finds no slot is refused at once; those that wait for theirs may also be refused after some seconds.
    await setImmediate();
    const refused = told.filter((said) => said instanceof Fault);
    expect(refused.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => "service.unavailable"));
    expect(await Promise.all(answers.slice(-5))).toEqual(refused);
    expect(await answers[0]).not.toBeInstanceOf(Fault);
  });

  it("closing answers what waits and what runs", async () => {
    const checker = openChecker({ threadsMax: 1, threadMsMax: 60_000 });
    const answers = [1, 2].map((index) =>
      checker.checkArguments(TENANT, `t${index}`, tower, {}).catch((error: unknown) => error),
    );
    await checker.close();
    expect(await Promise.all(answers)).toEqual([expect.any(Fault), expect.any(Fault)]);
  });
});
