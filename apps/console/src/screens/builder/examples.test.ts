import { expect, test } from "vitest";
import { exampleOfCall, examplesIn } from "./examples.ts";

test("an example's answers of the outside come with it", () => {
  expect(exampleOfCall("second_try.json", { arguments: { a: 1 } })).toEqual({
    name: "second try",
    arguments: { a: 1 },
    recorded: null,
  });
  const fetch = [{ method: "GET", url: "https://a.example", status: 200 }];
  expect(exampleOfCall("x.json", { arguments: {}, fetch }).recorded).toEqual({ fetch });
});

test("a tool's folder's examples are found in its metadata, whatever else stands there", () => {
  const examples = { "a.json": { arguments: { x: 1 } }, "b.json": 3, "c.json": { arguments: [] } };
  expect(examplesIn({ metadata: { package: { examples } } }).map(({ name }) => name)).toEqual(["a"]);
  expect(examplesIn({ metadata: { package: "no" } })).toEqual([]);
  expect(examplesIn({})).toEqual([]);
});
