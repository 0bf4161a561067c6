import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import {
  readArguments,
  roundedNumber,
  singleArguments,
  valueFrom,
  type TypedArguments,
} from "./tool-arguments.ts";
import type { Terminal } from "../terminal/terminal.ts";

const PARAMETERS = {
  properties: {
    zip: { type: "string" },
    days: { type: "integer" },
    tags: { type: "array", items: { type: "string" } },
    limit: { anyOf: [{ type: "number" }, { type: "null" }] },
    kind: { enum: ["a", "b"] },
    either: { type: ["string", "number"] },
  },
};

const read = (typed: TypedArguments, stdin = "") => {
  const terminal = { stdin: Readable.from([Buffer.from(stdin)]) } as unknown as Terminal;
  return readArguments(terminal, typed, async () => PARAMETERS);
};

test("a value is read as its parameter wants it", () => {
  const said = [
    "zip=08001",
    "days=3",
    "tags=x",
    "limit=null",
    "kind=a",
    "either=12",
    "free=true",
    "more=text",
    "q=a=b",
  ];
  expect(singleArguments(said, PARAMETERS)).toEqual({
    zip: "08001",
    days: 3,
    tags: ["x"],
    limit: null,
    kind: "a",
    either: 12,
    free: true,
    more: "text",
    q: "a=b",
  });
});

test("a name that is said again makes an array, and := takes JSON as it is", () => {
  expect(singleArguments(["tags=1", "tags=2", 'zip:={"a": [1]}'], PARAMETERS)).toEqual({
    tags: ["1", "2"],
    zip: { a: [1] },
  });
});

test("a name that every object has is an argument like others", () => {
  const args = singleArguments(["constructor=1", "__proto__=2"], PARAMETERS);
  expect(Object.entries(args)).toEqual([
    ["constructor", 1],
    ["__proto__", 2],
  ]);
});

test("a value that is no JSON goes to the server as it is, which says what it wants", () => {
  expect(valueFrom("three", { type: "integer" })).toBe("three");
});

test("a number that would be rounded is a text where it stands alone, and a fault within JSON", async () => {
  expect(valueFrom("12345678901234567890", {})).toBe("12345678901234567890");
  await expect(read({ json: '{"id": 12345678901234567890}' })).rejects.toThrow(
    "12345678901234567890 would be rounded",
  );
  expect(
    roundedNumber('{"a": "12345678901234567890", "b": [0.1, -5, 1e5, 9007199254740991]}'),
  ).toBeUndefined();
  expect(roundedNumber("[0.12345678901234567890]")).toBe("0.12345678901234567890");
});

test("JSON comes as an argument, from stdin or a file, and single arguments go before it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bulkhead-arguments-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "args.json");
  await writeFile(file, '{"zip": "1"}');
  expect(await read({})).toEqual({});
  expect(await read({ json: '{"zip": "2"}' })).toEqual({ zip: "2" });
  expect(await read({ json: "-" }, '{"zip": "3"}')).toEqual({ zip: "3" });
  expect(await read({ file, single: ["days=4"] })).toEqual({ zip: "1", days: 4 });
  expect(await read({ file, single: ["zip=5"] })).toEqual({ zip: "5" });
});

test.each<[string, TypedArguments, string]>([
  ["no JSON", { json: "{a: 1}" }, "The arguments is not valid JSON"],
  ["no object", { json: "[1]" }, "must be a JSON object"],
  ["two sources", { json: "{}", file: "x.json" }, "given twice"],
  ["no file", { file: "/nowhere/x.json" }, "can't be read"],
  ["no name", { single: ["=1"] }, "must be name=value"],
  ["no value", { single: ["zip"] }, "must be name=value"],
])("%s is a fault of usage", async (_what, typed, words) => {
  await expect(read(typed)).rejects.toMatchObject({
    message: expect.stringContaining(words),
    parts: { exit: 2 },
  });
});
