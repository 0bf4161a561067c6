import { expect, test } from "vitest";
import { audioUrl, imageIn, readMarked } from "./read-content.ts";
import { formsOf, tableOf } from "./result-forms.ts";

test.each([
  [{ a: 1 }, ["tree"]],
  [null, ["tree"]],
  [[], ["tree"]],
  [[{ a: { b: 1 } }], ["tree"]],
  [
    [{ a: 1 }, { b: null }],
    ["table", "tree"],
  ],
  ["done", ["text"]],
  ["a, b\nand so on it goes, with words, and more", ["text"]],
  ["name,age\nAda,36\n", ["table", "text"]],
  ["# Report\n\n- a\n- b", ["markdown", "text"]],
  ["see [this](https://example.com)", ["markdown", "text"]],
  ["data:image/png;base64,iVBORw0KGgo=", ["image", "text"]],
  ["data:text/html;base64,PHNjcmlwdD4=", ["text"]],
])("%j is shown as %j", (value, forms) => expect(formsOf(value)).toEqual(forms));

test("rows of differing names become one table; values with separators and quotes stay whole", () => {
  expect(tableOf([{ a: 1 }, { b: 2 }])).toEqual({
    columns: ["a", "b"],
    rows: [
      [1, undefined],
      [undefined, 2],
    ],
  });
  expect(tableOf('a;b\r\n"x;""y""\nz";2\r\n')).toEqual({ columns: ["a", "b"], rows: [['x;"y"\nz', "2"]] });
});

test("what has more columns than a page can show is no table", () => {
  const wide = ",".repeat(5_000);
  expect(tableOf(`${wide}\n${wide}\n`)).toBeNull();
  expect(tableOf(`${"a,b\n".repeat(30)}${wide}\n`)).toBeNull();
});

test("a row has the values of its own names alone", () => {
  expect(tableOf([{ constructor: 1 }, { a: 2 }])?.rows).toEqual([
    [1, undefined],
    [undefined, 2],
  ]);
});

test("an image is one only if it is all in its address", () => {
  expect(imageIn("data:image/svg+xml;base64,PHN2Zz4=")).toBe("data:image/svg+xml;base64,PHN2Zz4=");
  expect(imageIn('data:image/png;base64,AA"onerror=')).toBeNull();
  expect(imageIn("https://example.com/a.png")).toBeNull();
});

test("sound is played where it is of a kind that browsers play, and is all in its address", () => {
  expect(audioUrl("audio/mpeg", "AAAA")).toBe("data:audio/mpeg;base64,AAAA");
  expect(audioUrl("audio/x-unknown", "AAAA")).toBeNull();
  expect(audioUrl("text/html", "AAAA")).toBeNull();
  expect(audioUrl("audio/wav", 'AA"onerror=')).toBeNull();
});

test("content and outputs are read by their mark, and parts of another form are data", () => {
  const content = [{ type: "text", text: "a" }, { type: "hologram" }, { type: "image", data: "AA==" }];
  expect(readMarked({ $bulkhead: "content", content })).toEqual({
    kind: "content",
    parts: [
      { type: "text", text: "a" },
      { type: "json", json: { type: "hologram" } },
      { type: "json", json: { type: "image", data: "AA==" } },
    ],
  });
  expect(readMarked({ $bulkhead: "output", forUser: 1, forLLM: "b" })).toEqual({
    kind: "output",
    forUser: 1,
    forLLM: "b",
  });
  expect([readMarked({ $bulkhead: "content" }), readMarked(null), readMarked([])]).toEqual([
    null,
    null,
    null,
  ]);
});
